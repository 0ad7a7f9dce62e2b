"""Is my function right, and if not, which mistake does it make?

    from plahelpers import checks
    checks.pla(my_pla)

Each check calls a *function*, in whatever cell it lives, and answers in sentences: what was tried, what came out, what
was expected. When the function is wrong, what it gives is compared with a bank of known wrong versions. It runs in a
process of its own, so that nothing it does (never return, fill the memory, print without end, leave Python) can
harm the notebook.

The conventions are the course's: X is an array of N rows without the bias column, y an array of −1 and +1, w has d + 1
entries with w₀ first; PLA starts from w = 0, visits 0, 1, …, N−1, 0, …, goes on after an update from the next
example, takes sign(0) = −1, and stops when a whole cycle passes without a mistake. Arguments are given by position,
so their names are free; a w may be a list, a tuple or an array, also one of shape (d+1, 1).

With `seed=` (a whole number) a check goes on to fresh cases, drawn from that seed, which nobody has seen before; and
`checks.pla(my_pla, seed=7).require()` raises an AssertionError with the messages unless all is right. Some functions
may return more or less; with `whole=True` everything that may be returned must be, in the order of the text.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from plahelpers._validation import check_number
from plahelpers.checks import tasks
from plahelpers.checks.answers import Answer
from plahelpers.checks.diagnosis import Tried, diagnose, part_to_ignore
from plahelpers.checks.report import (
    Case,
    NotPassedError as NotPassedError,
    Report,
)
from plahelpers.checks.sentences import MEGABYTES, OUTPUT_KB, Voice, a_or_an, name_of, short
from plahelpers.checks.values import judge_hard_data, judge_letter, judge_number, judge_numbers
from plahelpers.guard import Outcome, run_guarded

__all__ = [
    "Case", "Report", "choice", "error_rate", "gains", "greedy", "growths", "hard_data", "is_mistake", "margin",
    "mistakes", "number", "numbers", "pla", "pocket", "predict", "radius", "repeat_pla", "repeat_pocket", "sign",
    "standardise", "update", "update_bound", "with_bias",
]  # fmt: skip

_SECONDS: Final = 10.0


def with_bias(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_with_bias(X) put the constant x₀ = +1 in front of every example?

    Built in notebook 01, "Try it yourself".
    """
    return _check(tasks.WITH_BIAS, function, seconds, seed)


def sign(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_sign(s) +1 for a positive number, and −1 for any other, zero too?

    Built in notebook 01, "Try it yourself".
    """
    return _check(tasks.SIGN, function, seconds, seed)


def predict(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_predict(w, X) give sign(wᵀx) for each row of X?

    Built in notebook 01, "Try it yourself".
    """
    return _check(tasks.PREDICT, function, seconds, seed)


def mistakes(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_mistakes(w, X, y) give the numbers of the examples that are wrong, or how many they are?

    A list of example numbers, an array of True and False, or one number: whichever is returned is checked.
    Built in notebook 01, "Try it yourself".
    """
    return _check(tasks.MISTAKES, function, seconds, seed)


def error_rate(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_error_rate(w, X, y) give the fraction of examples that are wrong, from 0 to 1?

    Built in notebook 01, "Try it yourself".
    """
    return _check(tasks.ERROR_RATE, function, seconds, seed)


def is_mistake(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_is_mistake(w, x, y) say whether sign(wᵀx) differs from y?

    x is one example, without the bias; the answer is True or False. Built in notebook 02, "Try it yourself".
    """
    return _check(tasks.IS_MISTAKE, function, seconds, seed)


def update(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_update(w, x, y) give the corrected weights w + y x, and leave the old w alone?

    x is one example, without the bias, and a mistake of w. Built in notebook 02, "Try it yourself".
    """
    return _check(tasks.UPDATE, function, seconds, seed)


def pla(
    function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None, whole: bool = False
) -> Report:
    """Is my_pla(X, y) the cyclic PLA?

    It returns w; or (w, updates); or (w, updates, picks), or (w, picks), where picks are the numbers of the corrected
    examples in order; or (w, updates, last), where last is the number of the example corrected last. What is returned
    is checked, and anything after that is ignored; so is a last that looks like something else. A function that needs
    a third argument is called as my_pla(X, y, order), where order is the cycle to use. With whole=True it must return
    (w, updates, picks), these three in this order. Built in notebook 02, "Try it yourself".
    """
    _check_function(function, "pla")
    return _check(tasks.PLA_WITH_ORDER if _needs(function) == 3 else tasks.PLA, function, seconds, seed, whole)


def repeat_pla(
    function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None, whole: bool = False
) -> Report:
    """Does my_experiment(X, y, cycles) run PLA from w = 0 once for each cycle, and count the updates?

    cycles is an array with one order of visits in each row. It returns the number of updates of each run, in a list,
    or their mean; with whole=True it must return the list. Built in notebook 02, "Try it yourself".
    """
    return _check(tasks.REPEAT, function, seconds, seed, whole)


def radius(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_radius(X) the length of the longest example, x₀ = +1 included?

    Built in notebook 03, "Try it yourself".
    """
    return _check(tasks.RADIUS, function, seconds, seed)


def margin(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_margin(X, y, w_f) the smallest y w_fᵀx / ‖w_f‖, with its sign?

    Built in notebook 03, "Try it yourself".
    """
    return _check(tasks.MARGIN, function, seconds, seed)


def update_bound(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_bound(X, y, w_f) equal to R²/ρ²?

    Built in notebook 03, "Try it yourself".
    """
    return _check(tasks.BOUND, function, seconds, seed)


def gains(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_gains(weights, w_f) give w_fᵀw_{t+1} − w_fᵀw_t for t = 0, …, T−1?

    weights has w_0, …, w_T as its rows, as `run.weights` has. Built in notebook 03, "Try it yourself".
    """
    return _check(tasks.GAINS, function, seconds, seed)


def growths(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_growths(weights) give ‖w_{t+1}‖² − ‖w_t‖² for t = 0, …, T−1?

    weights has w_0, …, w_T as its rows, as `run.weights` has. Built in notebook 03, "Try it yourself".
    """
    return _check(tasks.GROWTHS, function, seconds, seed)


def hard_data(
    function: Callable[..., Any],
    *,
    seconds: float = _SECONDS,
    seed: int | None = None,  # noqa: ARG001
) -> Report:
    """Does my_data() make two-dimensional, separable data on which PLA needs more than 100 updates?

    It returns (X, y): X with two columns and at most 2000 rows, y of −1 and +1. PLA is the cyclic one, from w = 0.
    It is called twice, and must do it both times. (A seed changes nothing here: there is nothing to give it.)
    Built in notebook 03, "Try it yourself".
    """
    _check_function(function, "hard_data")
    seconds = check_number(seconds, "seconds", 0.1, 3600)
    outcomes = run_guarded(function, [(), ()], seconds=seconds, megabytes=MEGABYTES, output_kb=OUTPUT_KB)
    return judge_hard_data(function, outcomes, seconds)


def pocket(
    function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None, whole: bool = False
) -> Report:
    """Is my_pocket(X, y, max_updates) the Pocket algorithm, walking as cyclic PLA does?

    w₀ = 0 is in the pocket at the start, strictly fewer mistakes replace it, no mistakes end the walk early. It returns
    the pocket's w; or (w, last_w), where last_w is where the walk ended. Any other value after w is ignored,
    also one that has the length of last_w but looks like something else. With whole=True it must return (w, last_w),
    these two in this order. Built in notebook 04, "Try it yourself".
    """
    return _check(tasks.POCKET, function, seconds, seed, whole)


def repeat_pocket(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_experiment(X, y, X_test, y_test, cycles, max_updates) run Pocket once for each cycle, and measure it?

    cycles is an array with one order of visits in each row; each run starts from w = 0 with w = 0 in the pocket, and
    walks along its cycle as `pocket` does. It returns four lists of error rates with an entry for each run, in this
    order: the pocket on (X, y), the pocket on (X_test, y_test), the last w on (X, y), the last w on (X_test, y_test).
    Built in notebook 04, "Try it yourself".
    """
    return _check(tasks.REPEAT_POCKET, function, seconds, seed)


def greedy(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_greedy(X, y, order) keep a correction only if it makes strictly fewer mistakes, and go back otherwise?

    It starts from w = 0 and visits the examples along order, a cycle, again and again. At each mistake it tries
    w + y x: if that makes strictly fewer mistakes on all of (X, y) it is the new w, else w stays as it was; either way
    it goes on from the next example. It stops when no mistake is left, or when a whole cycle passes without a
    correction that is kept (after that none ever would be, so it does no harm to stop later). It returns w.
    Built in notebook 04, "Try it yourself".
    """
    return _check(tasks.GREEDY, function, seconds, seed)


def standardise(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_standardise(train, test) bring both to the training examples' mean 0 and standard deviation 1?

    Each column on its own, with the standard deviation that divides by N (ddof=0). From a column that never changes in
    train, subtract the mean and divide by 1. It returns (train_z, test_z). Built in notebook 04, "Try it yourself".
    """
    return _check(tasks.STANDARDISE, function, seconds, seed)


def number(got: Any, expected: float | None, what: str, *, tolerance: float = 1e-6) -> Report:
    """Is a number that someone found the expected one? The answer never tells what is expected.

    expected   None to see only whether it is one finite number, and not whether it is the right one.
    what       what the number is, in words: "the number of updates".
    tolerance  how far it may be off, as a fraction of the expected number (of 1 if that is smaller); 0 for counts.
    """
    return judge_number(got, expected, what, tolerance)


def numbers(got: Any, expected: Mapping[str, float | None], what: str, *, tolerance: float = 1e-6) -> Report:
    """Are these numbers the expected ones, one after the other? As `number`, for several at once.

    expected   what each of them is, and the number or None: `{"pocket, train": 0.1, "pocket, test": 0.2}`.
    """
    return judge_numbers(got, expected, what, tolerance)


def choice(got: Any, expected: str | None, what: str, *, options: str = "ABCDEF") -> Report:
    """Is a letter that someone chose the expected one? As `number`, for a letter out of a few."""
    return judge_letter(got, expected, what, options)


def _check(
    task: tasks.Task, function: Callable[..., Any], seconds: float, seed: int | None, whole: bool = False
) -> Report:
    _check_function(function, task.title)
    task = tasks.in_whole(task) if whole else task
    seconds = check_number(seconds, "seconds", 0.1, 3600)
    cases = tasks.cases_of(task, seed)
    outcomes = run_guarded(function, cases, seconds=seconds, megabytes=MEGABYTES, output_kb=OUTPUT_KB)
    return _judge(task, function, cases, outcomes, seconds)


def _judge(
    task: tasks.Task,
    function: Any,
    cases: Sequence[tuple[Any, ...]],
    outcomes: Sequence[Outcome],
    seconds: float = _SECONDS,
) -> Report:
    """The report on what a function made of the cases."""
    tried = [
        Tried(case, task.right(*case), outcome, _read(task, outcome), task.is_whole(outcome.value))
        for case, outcome in zip(cases, outcomes, strict=True)
    ]
    changed = sorted({task.arguments[k] for each in tried for k in each.outcome.changed})
    wrong = diagnose(task, tried, bool(changed))
    if ignored := part_to_ignore(task, tried, wrong):
        tried = [each.without(ignored) for each in tried]
        wrong = diagnose(task, tried, bool(changed))
    voice = Voice(task, name_of(function), seconds, ignored)
    shown = tuple(voice.case(each) for each in tried)
    printed = next((each.outcome.printed for each in tried if each.outcome.printed), "")
    if all(each.passed for each in tried) and wrong is None:
        return Report(True, voice.praise(tried), shown, printed=short(printed, 500))
    trouble = next((case.trouble for case in shown if case.trouble), None)
    messages = voice.criticism(tried, shown, wrong, changed, trouble, printed)
    return Report(False, messages, shown, wrong.id if wrong else None, trouble, printed=short(printed, 500))


def _read(task: tasks.Task, outcome: Outcome) -> Answer | None:
    return task.read(outcome.value) if outcome.kind == "returned" else None


def _check_function(function: Any, title: str) -> None:
    if callable(function):
        return
    raise TypeError(
        f"give the function itself to be checked, as in checks.{title.replace(' ', '_').lower()}(my_function), without "
        f"calling it; this is {a_or_an(type(function).__name__)}."
    )


def _needs(function: Callable[..., Any]) -> int:
    """How many arguments it cannot do without."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some built-in functions do not say
        return 0
    return sum(
        it.default is it.empty and it.kind in (it.POSITIONAL_ONLY, it.POSITIONAL_OR_KEYWORD) for it in parameters
    )

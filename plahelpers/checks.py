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
`checks.pla(my_pla, seed=7).require()` raises an AssertionError with the messages unless all is right.
"""

from __future__ import annotations

import html
import inspect
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import _cases, _look, _words, _wrong, guarantee, hypothesis, learning
from plahelpers._cases import Arguments, Chance
from plahelpers._guard import Other, Outcome, run_guarded
from plahelpers._inputs import FloatArray, check_data, check_number, check_points, check_rng
from plahelpers._wrong import Endless, Wrong

__all__ = [
    "Case", "Report", "choice", "error_rate", "gains", "greedy", "growths", "hard_data", "is_mistake", "margin",
    "mistakes", "number", "numbers", "pla", "pocket", "predict", "radius", "repeat_pla", "repeat_pocket", "sign",
    "standardise", "update", "update_bound", "with_bias",
]  # fmt: skip

# Each thing that an answer holds, by name: {"w": …, "updates": …}. Only what the learner returned is compared.
Answer: TypeAlias = dict[str, FloatArray]

_SECONDS: Final = 10.0
_MEGABYTES: Final = 512.0
_OUTPUT_KB: Final = 64.0


# --- What a check answers --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One case of a check: what was tried, what came out, what was expected."""

    passed: bool
    tried: str
    got: str
    expected: str
    trouble: str | None = None  # how the call ended, when it did not return: "raised", "slow", "memory", …


@dataclass(frozen=True, repr=False, eq=False)
class Report:
    """What a check found: `passed`, the sentences in `messages`, and for graders `points`, `mistake` and `cases`."""

    passed: bool
    messages: tuple[str, ...]
    cases: tuple[Case, ...]
    mistake: str | None = None  # the id of the known wrong version that gives the same answers
    trouble: str | None = None  # how the first call that did not return ended: "raised", "slow", "memory", …
    printed: str = field(default="", kw_only=True)  # what the function printed, shortened

    @property
    def points(self) -> float:
        """The fraction of cases that are right."""
        return sum(case.passed for case in self.cases) / len(self.cases)

    def require(self) -> None:
        """Raise an AssertionError that says all this, unless the check was passed: for the cells of a test."""
        if not self.passed:
            raise NotPassedError(self)

    def __repr__(self) -> str:
        head, *rest = self.messages
        return "\n".join([head, *(f"  {message}" for message in rest)])

    def _repr_html_(self) -> str:
        head, *rest = map(_as_html, self.messages)
        colour = _look.POCKET if self.passed else _look.MISTAKE
        # No colours of its own for text and ground: so it can be read on a light page and on a dark one.
        return (
            f"<div style='border-left: 0.4em solid {colour}; padding: 0.2em 1em; margin: 0.5em 0'>"
            f"<p><strong>{'✓' if self.passed else '✗'} {head}</strong></p>"
            f"{''.join(f'<p>{message}</p>' for message in rest)}{self._table() if len(self.cases) > 1 else ''}</div>"
        )

    def _table(self) -> str:
        """All cases, folded."""
        cells = ("right" if case.passed else "not right" for case in self.cases)
        rows = "".join(
            f"<tr><td>{word}</td>{''.join(_cell(text) for text in (case.tried, case.got, case.expected))}</tr>"
            for word, case in zip(cells, self.cases, strict=True)
        )
        head = "".join(
            f"<th scope='col' style='text-align: left'>{h}</th>" for h in ("", "tried", "came out", "expected")
        )
        return f"<details><summary>All cases</summary><table><tr>{head}</tr>{rows}</table></details>"


class NotPassedError(AssertionError):
    """A check that had to be passed and was not; `report` is what it found, for whoever grades."""

    def __init__(self, report: Report) -> None:
        super().__init__(repr(report))
        self.report = report


def _as_html(message: str) -> str:
    """A message whose `code` is shown as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(message))


def _cell(text: str) -> str:
    return f"<td style='text-align: left; overflow-wrap: anywhere'>{_as_html(text)}</td>"


# --- The checks ------------------------------------------------------------------------------------------------------


def with_bias(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_with_bias(X) put the constant x₀ = +1 in front of every example?

    Built in notebook 01, "Try it yourself".
    """
    return _check(_WITH_BIAS, function, seconds, seed)


def sign(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_sign(s) +1 for a positive number, and −1 for any other, zero too?

    Built in notebook 01, "Try it yourself".
    """
    return _check(_SIGN, function, seconds, seed)


def predict(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_predict(w, X) give sign(wᵀx) for each row of X?

    Built in notebook 01, "Try it yourself".
    """
    return _check(_PREDICT, function, seconds, seed)


def mistakes(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_mistakes(w, X, y) give the numbers of the examples that are wrong, or how many they are?

    A list of example numbers, an array of True and False, or one number: whichever is returned is checked.
    Built in notebook 01, "Try it yourself".
    """
    return _check(_MISTAKES, function, seconds, seed)


def error_rate(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_error_rate(w, X, y) give the fraction of examples that are wrong, from 0 to 1?

    Built in notebook 01, "Try it yourself".
    """
    return _check(_ERROR_RATE, function, seconds, seed)


def is_mistake(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_is_mistake(w, x, y) say whether sign(wᵀx) differs from y?

    x is one example, without the bias; the answer is True or False. Built in notebook 02, "Try it yourself".
    """
    return _check(_IS_MISTAKE, function, seconds, seed)


def update(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_update(w, x, y) give the corrected weights w + y x, and leave the old w alone?

    x is one example, without the bias, and a mistake of w. Built in notebook 02, "Try it yourself".
    """
    return _check(_UPDATE, function, seconds, seed)


def pla(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_pla(X, y) the cyclic PLA?

    It returns w; or (w, updates); or (w, updates, picks), or (w, picks), where picks are the numbers of the corrected
    examples in order; or (w, updates, last), where last is the number of the example corrected last. What is returned
    is checked, and anything after that is ignored; so is a last that looks like something else. A function that needs
    a third argument is called as my_pla(X, y, order), where order is the cycle to use.
    Built in notebook 02, "Try it yourself".
    """
    _check_function(function, "pla")
    return _check(_PLA_WITH_ORDER if _needs(function) == 3 else _PLA, function, seconds, seed)


def repeat_pla(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_experiment(X, y, cycles) run PLA from w = 0 once for each cycle, and count the updates?

    cycles is an array with one order of visits in each row. It returns the number of updates of each run, in a list,
    or their mean. Built in notebook 02, "Try it yourself".
    """
    return _check(_REPEAT, function, seconds, seed)


def radius(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_radius(X) the length of the longest example, x₀ = +1 included?

    Built in notebook 03, "Try it yourself".
    """
    return _check(_RADIUS, function, seconds, seed)


def margin(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_margin(X, y, w_f) the smallest y w_fᵀx / ‖w_f‖, with its sign?

    Built in notebook 03, "Try it yourself".
    """
    return _check(_MARGIN, function, seconds, seed)


def update_bound(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_bound(X, y, w_f) equal to R²/ρ²?

    Built in notebook 03, "Try it yourself".
    """
    return _check(_BOUND, function, seconds, seed)


def pocket(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Is my_pocket(X, y, max_updates) the Pocket algorithm, walking as cyclic PLA does?

    w₀ = 0 is in the pocket at the start, strictly fewer mistakes replace it, no mistakes end the walk early. It returns
    the pocket's w; or (w, last_w), where last_w is where the walk ended. Any other value after w is ignored,
    also one that has the length of last_w but looks like something else.
    Built in notebook 04, "Try it yourself".
    """
    return _check(_POCKET, function, seconds, seed)


def repeat_pocket(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_experiment(X, y, X_test, y_test, cycles, max_updates) run Pocket once for each cycle, and measure it?

    cycles is an array with one order of visits in each row; each run starts from w = 0 with w = 0 in the pocket, and
    walks along its cycle as `pocket` does. It returns four lists of error rates with an entry for each run, in this
    order: the pocket on (X, y), the pocket on (X_test, y_test), the last w on (X, y), the last w on (X_test, y_test).
    Built in notebook 04, "Try it yourself".
    """
    return _check(_REPEAT_POCKET, function, seconds, seed)


def greedy(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_greedy(X, y, order) keep a correction only if it makes strictly fewer mistakes, and go back otherwise?

    It starts from w = 0 and visits the examples along order, a cycle, again and again. At each mistake it tries
    w + y x: if that makes strictly fewer mistakes on all of (X, y) it is the new w, else w stays as it was; either way
    it goes on from the next example. It stops when no mistake is left, or when a whole cycle passes without a
    correction that is kept (after that none ever would be, so it does no harm to stop later). It returns w.
    Built in notebook 04, "Try it yourself".
    """
    return _check(_GREEDY, function, seconds, seed)


def gains(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_gains(weights, w_f) give w_fᵀw_{t+1} − w_fᵀw_t for t = 0, …, T−1?

    weights has w_0, …, w_T as its rows, as `run.weights` has. Built in notebook 03, "Try it yourself".
    """
    return _check(_GAINS, function, seconds, seed)


def growths(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_growths(weights) give ‖w_{t+1}‖² − ‖w_t‖² for t = 0, …, T−1?

    weights has w_0, …, w_T as its rows, as `run.weights` has. Built in notebook 03, "Try it yourself".
    """
    return _check(_GROWTHS, function, seconds, seed)


def standardise(function: Callable[..., Any], *, seconds: float = _SECONDS, seed: int | None = None) -> Report:
    """Does my_standardise(train, test) bring both to the training examples' mean 0 and standard deviation 1?

    Each column on its own, with the standard deviation that divides by N (ddof=0). A column that never changes becomes
    0. It returns (train_z, test_z). Built in notebook 04, "Try it yourself".
    """
    return _check(_STANDARDISE, function, seconds, seed)


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
    outcomes = run_guarded(function, [(), ()], seconds=seconds, megabytes=_MEGABYTES, output_kb=_OUTPUT_KB)
    return _judge_hard_data(function, outcomes, seconds)


def number(got: Any, expected: float | None, what: str, *, tolerance: float = 1e-6) -> Report:
    """Is a number that someone found the expected one? The answer never tells what is expected.

    expected   None to see only whether it is one finite number, and not whether it is the right one.
    what       what the number is, in words: "the number of updates".
    tolerance  how far it may be off, as a fraction of the expected number (of 1 if that is smaller); 0 for counts.
    """
    tolerance = check_number(tolerance, "tolerance", 0, 1)
    wrong = _not_one_number(got)
    if wrong is None and expected is not None:
        wrong = _another_number(float(np.asarray(got).item()), float(expected), tolerance)
    return _judge_value(got, wrong, what, noted=expected is None)


def numbers(got: Any, expected: Mapping[str, float | None], what: str, *, tolerance: float = 1e-6) -> Report:
    """Are these numbers the expected ones, one after the other? As `number`, for several at once.

    expected   what each of them is, and the number or None: {"pocket, train": 0.1, "pocket, test": 0.2}.
    """
    row = _vector(got)
    if got is None or got is Ellipsis or row is None or len(row) != len(expected):
        size = "There are no values yet" if got is None or got is Ellipsis else f"{_short(repr(got), 60)} does not do"
        why = f"give a list of {len(expected)} numbers: {', '.join(expected)}."
        return _judge_value(got, _about("not_a_list", size, why), what)
    reports = [
        number(value, right, name, tolerance=tolerance)
        for value, (name, right) in zip(row.tolist(), expected.items(), strict=True)
    ]
    wrong = [each for each in reports if not each.passed]
    if not wrong and None in expected.values():
        return _judge_value(got, None, what, noted=True)
    head = f"{_capital(what)}: {'not yet' if wrong else 'passed'}."
    messages = (head, *(" ".join(each.messages) for each in wrong))
    cases = tuple(case for each in reports for case in each.cases)
    return Report(not wrong, messages, cases, wrong[0].mistake if wrong else None)


def choice(got: Any, expected: str | None, what: str, *, options: str = "ABCDEF") -> Report:
    """Is a letter that someone chose the expected one? As `number`, for a letter out of a few."""
    wrong = _not_a_letter(got, options)
    if wrong is None and expected is not None and got.strip().upper() != expected:
        wrong = _about("another_letter", f"{got} is not the one", "what is used in this step that is not used before?")
    return _judge_value(got, wrong, what, noted=expected is None)


# --- How a check is made ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """What a function is asked to do: how it is called, how its answer is read, what is right, what is known wrong."""

    title: str
    arguments: tuple[str, ...]
    returns: str
    right: Callable[..., Answer]
    read: Callable[[Any], Answer | None]
    wrong: tuple[Wrong, ...]
    cases: Callable[[], list[Arguments]]
    fresh: Callable[[Chance], list[Arguments]]
    story: Callable[..., str] | None = None  # how the right answer comes about, step by step
    optional: str | None = None  # what is compared only if it is right, or wrong in a known way; else it is ignored
    note: str = ""  # what to know about the call when the function is wrong in no known way


@dataclass(frozen=True, eq=False)
class _Tried:
    """One case, its right answer, and what the function made of it."""

    arguments: tuple[Any, ...]
    right: Answer
    outcome: Outcome
    answer: Answer | None

    @property
    def answered(self) -> bool:
        """Was the answer right?"""
        return self.answer is not None and _same(self.answer, self.right)

    @property
    def passed(self) -> bool:
        return self.answered and not self.outcome.changed

    def without(self, name: str) -> _Tried:
        """The same, with this part of the answer left out."""
        answer = self.answer and {each: value for each, value in self.answer.items() if each != name}
        return replace(self, answer=answer)


def _check(task: _Task, function: Callable[..., Any], seconds: float, seed: int | None) -> Report:
    _check_function(function, task.title)
    seconds = check_number(seconds, "seconds", 0.1, 3600)
    cases = _cases_of(task, seed)
    outcomes = run_guarded(function, cases, seconds=seconds, megabytes=_MEGABYTES, output_kb=_OUTPUT_KB)
    return _judge(task, function, cases, outcomes, seconds)


def _cases_of(task: _Task, seed: int | None) -> list[Arguments]:
    """The fixed cases and, with a seed, fresh ones; at the end one of the fixed ones once more."""
    *cases, again = task.cases()
    return [*cases, *([] if seed is None else task.fresh(check_rng(seed))), again]


def _judge(
    task: _Task, function: Any, cases: Sequence[tuple[Any, ...]], outcomes: Sequence[Outcome], seconds: float = _SECONDS
) -> Report:
    """The report on what a function made of the cases."""
    tried = [
        _Tried(case, task.right(*case), outcome, _read(task, outcome))
        for case, outcome in zip(cases, outcomes, strict=True)
    ]
    changed = sorted({task.arguments[k] for each in tried for k in each.outcome.changed})
    wrong = _diagnose(task, tried, bool(changed))
    if ignored := _to_ignore(task, tried, wrong):
        tried = [each.without(ignored) for each in tried]
        wrong = _diagnose(task, tried, bool(changed))
    voice = _Voice(task, _name(function), seconds, ignored)
    shown = tuple(voice.case(each) for each in tried)
    printed = next((each.outcome.printed for each in tried if each.outcome.printed), "")
    if all(each.passed for each in tried) and wrong is None:
        return Report(True, voice.praise(tried), shown, printed=_short(printed, 500))
    trouble = next((case.trouble for case in shown if case.trouble), None)
    messages = voice.criticism(tried, shown, wrong, changed, trouble, printed)
    return Report(False, messages, shown, wrong.id if wrong else None, trouble, printed=_short(printed, 500))


def _to_ignore(task: _Task, tried: Sequence[_Tried], wrong: Wrong | None) -> str | None:
    """The optional part of the answers, if it is neither right nor wrong in a known way: it means something else."""
    given = any(task.optional in (each.answer or {}) for each in tried)
    known = wrong is not None and wrong is not _NOT_REPEATABLE
    return task.optional if given and not known and not all(each.answered for each in tried) else None


def _read(task: _Task, outcome: Outcome) -> Answer | None:
    return task.read(outcome.value) if outcome.kind == "returned" else None


def _same(answer: Answer, other: Answer) -> bool:
    """Is everything that was answered the same, but for rounding? (NaN is the same as NaN; no right answer has one.)"""
    return all(
        name not in other or (value.shape == other[name].shape and np.allclose(value, other[name], 1e-6, 1e-9, True))
        for name, value in answer.items()
    )


_CHANGES_INPUTS: Final = Wrong(
    "modifies_inputs", "it changes the arrays it is given",
    "whoever calls it may need them again: work on a copy (`w = w + y * x` makes a new array, `w += y * x` does not).",
    _wrong.WORDS, (),
)  # fmt: skip
_NOT_REPEATABLE: Final = Wrong(
    "not_repeatable", "it gave two different answers to the same question",
    "either there is chance in it (a random start, a random order), or it remembers something from an earlier call "
    "(a global list, a list as a default argument). Here the start is 0 and the order is fixed.", _wrong.WORDS, (),
)  # fmt: skip


def _diagnose(task: _Task, tried: Sequence[_Tried], changed: bool) -> Wrong | None:
    """The known mistake that explains all that was seen, if there is one."""
    first, again = _asked_twice(tried)
    if first.answer and again.answer and not _same(first.answer, again.answer):
        return _NOT_REPEATABLE
    if all(each.answered for each in tried):
        return _CHANGES_INPUTS if changed else None
    return next((wrong for wrong in task.wrong if any(_explains(task, it, tried) for it in wrong.versions)), None)


def _asked_twice(tried: Sequence[_Tried]) -> tuple[_Tried, _Tried]:
    """The last case is one of the cases before, once more."""
    again = tried[-1]
    same = (each for each in tried if all(np.array_equal(*pair) for pair in _pairs(each, again)))
    return next(same), again


def _pairs(one: _Tried, other: _Tried) -> Iterable[tuple[Any, Any]]:
    return zip(one.arguments, other.arguments, strict=True)


def _explains(task: _Task, version: Callable[..., Any], tried: Sequence[_Tried]) -> bool:
    """Does this wrong version give exactly what the learner's function gave, in every case that was tried?

    Where the version would never return, a function with a limit on its loop gives a wrong answer of its own: that
    says nothing, if at least two other answers are the version's and not the right ones. And a function that answered
    nothing at all is only known to be slow: many mistakes can do that.
    """
    matches, unknown = 0, not any(each.answer for each in tried)
    for each in tried:
        agrees = each.outcome.kind == "not tried" or _agrees(task, version, each)
        if agrees is False:
            return False
        matches += agrees is True and each.answer is not None and not each.answered
        unknown = unknown or agrees is None
    return matches >= 2 or not unknown


def _agrees(task: _Task, version: Callable[..., Any], tried: _Tried) -> bool | None:
    """Does the version do the same here? None where it would never return and the answer is wrong."""
    if tried.answer is None and tried.outcome.kind != "slow":
        return False
    try:
        value = version(*(np.array(each) if np.ndim(each) else each for each in tried.arguments))
    except Endless:
        bounded = tried.answer is not None and not tried.answered
        return None if bounded else tried.outcome.kind == "slow"
    given = task.read(value)
    if tried.answer is None or given is None:
        return False
    return _same(tried.answer, {**tried.right, **_last_of_picks(given), **given})


def _last_of_picks(answer: Answer) -> Answer:
    """The example corrected last, for a version that tells all of them."""
    picks = answer.get("picks", np.array([]))
    return {"last": picks[-1:].reshape(())} if picks.size else {}


def _check_function(function: Any, title: str) -> None:
    if callable(function):
        return
    raise TypeError(
        f"give the function itself to be checked, as in checks.{title.replace(' ', '_').lower()}(my_function), without "
        f"calling it; this is {_a(type(function).__name__)}."
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


def _name(function: Any) -> str:
    name = getattr(function, "__name__", "<")
    return "your function" if name.startswith("<") else str(name)


# --- Data that someone made, and numbers that someone found ----------------------------------------------------------

_HARD: Final = 100  # updates: more than these
_MOST_EXAMPLES: Final = 2000
_ENOUGH_UPDATES: Final = 10_000  # to look no further
_HARD_ENOUGH: Final = (
    f"(X, y) with two columns, linearly separable, on which cyclic PLA from w = 0 makes more than {_HARD} updates"
)


def _judge_hard_data(function: Any, outcomes: Sequence[Outcome], seconds: float) -> Report:
    voice = _Voice(_HARD_DATA, _name(function), seconds)
    looks = [_look_at_data(voice, outcome) for outcome in outcomes]
    cases = tuple(
        Case(wrong is None and trouble is None, voice._call(), got, _HARD_ENOUGH, trouble)
        for got, wrong, trouble in looks
    )
    printed = _short(next((it.printed for it in outcomes if it.printed), ""), 500)
    got, wrong, trouble = next((look for look in looks if look[1] or look[2]), looks[-1])
    if all(case.passed for case in cases):
        return Report(True, (f"hard_data: passed. {voice._subject()} gives {got}.",), cases, printed=printed)
    right = sum(case.passed for case in cases)
    messages = [f"hard_data: not yet. {voice._subject()} passes {right} of {len(cases)} calls."]
    if wrong:
        messages.append(f"Likely mistake: {wrong.what}. {_capital(wrong.why)} Read {wrong.read}.")
    if right:
        messages.append("It was called twice and gave different data: if there is chance in it, fix its seed.")
    messages += [f"Came out: {got}", f"Expected: {_HARD_ENOUGH}"]
    if printed and trouble:
        messages.append(f"It printed: {_short(printed, 200)}")
    return Report(False, tuple(messages), cases, wrong.id if wrong else None, trouble, printed=printed)


def _look_at_data(voice: _Voice, outcome: Outcome) -> tuple[str, Wrong | None, str | None]:
    """What came out, in words; what is wrong with it; and the trouble, if the call did not return."""
    if outcome.kind != "returned":
        return voice._trouble(outcome), None, outcome.kind
    value = outcome.value
    if not isinstance(value, tuple | list) or len(value) != 2:
        return voice._unreadable(outcome), _not_a_pair(value), None
    X, y = value
    shown = f"X = {_short(_shown(X), 120)}, y = {_short(_shown(y), 80)}"
    if wrong := _not_in_shape(X, y):
        return shown, wrong, None
    return _how_hard(*check_data(X, y))


def _shown(value: Any) -> str:
    return repr(value) if _numbers(value) is None else _value_in_words(value)


def _not_a_pair(value: Any) -> Wrong:
    what = "it returns nothing" if value is None else "it does not return two things"
    return Wrong("not_a_pair", what, "end it with `return X, y`.", _wrong.FIND, ())


def _not_in_shape(X: Any, y: Any) -> Wrong | None:
    """What keeps these from being N examples of the plane with labels ±1; the sentences are the package's own."""
    try:
        points = check_points(X)
    except (TypeError, ValueError) as error:
        return Wrong("wrong_shape", "its X is no table of numbers", str(error), _wrong.FIND, ())
    N, d = points.shape
    if d != 2:
        bias = " The constant x₀ = +1 does not belong in X." if d == 3 and (points[:, 0] == 1).all() else ""
        columns = f"its X has {_words.count(d, 'column')}"
        return Wrong("wrong_shape", columns, f"two are asked for, x₁ and x₂.{bias}", _wrong.BIAS, ())
    if N > _MOST_EXAMPLES:
        what = f"it makes {N:,} examples"
        return Wrong("too_many", what, f"a few can do it; give {_MOST_EXAMPLES} at most.", _wrong.BOUND, ())
    try:
        check_data(points, y)
    except (TypeError, ValueError) as error:
        return Wrong("wrong_labels", "its y are no labels for these examples", str(error), _wrong.FIND, ())
    return None


def _how_hard(X: Any, y: Any) -> tuple[str, Wrong | None, str | None]:
    answer = guarantee.separate(X, y)
    made = _words.count(len(y), "example")
    if not answer.separable:
        return f"{made}. {answer!r}.", Wrong(
            "not_separable", "its data are not linearly separable", "PLA runs forever on them, which is no number of "
            f"updates. {answer.conflict!r}.", _wrong.CONFLICT, (),
        ), None  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", learning.BudgetWarning)
        run = learning.pla(X, y, max_updates=_ENOUGH_UPDATES, keep_path=False)
    T = _words.count(run.updates, "update") if run.halted else f"more than {_ENOUGH_UPDATES:,} updates"
    got = f"{made}, separable with ρ = {answer.rho:.3g} and R = {guarantee.radius(X):.3g}; PLA makes {T}"
    if run.updates > _HARD:
        return got, None, None
    return got, Wrong(
        "too_easy", f"its data are too easy: T is only {run.updates}", "the bound R²/ρ² leaves room for more when the "
        "examples nearest to the line come closer to it (a smaller ρ), or lie farther from the origin (a larger R).",
        _wrong.HARD, (),
    ), None  # fmt: skip


def _judge_value(got: Any, wrong: Wrong | None, what: str, noted: bool = False) -> Report:
    """The report on one value, which was only looked at (noted) or compared."""
    shown = _short(_shown(got), 160)
    case = Case(wrong is None, what, shown, "not told here")
    if wrong:
        messages = f"{_capital(what)}: not yet.", f"{wrong.what}. {_capital(wrong.why)}"
        return Report(False, messages, (case,), wrong.id)
    if noted:
        return Report(True, (f"{_capital(what)}: {shown} is noted. It is compared when your work is graded.",), (case,))
    return Report(True, (f"{_capital(what)}: passed.",), (case,))


def _not_a_letter(got: Any, options: str) -> Wrong | None:
    letters = f"one of the letters {', '.join(options[:-1])} and {options[-1]}, in quotes."
    if got is None or got is Ellipsis:
        return _about("no_value", "There is no letter yet", f"put in the place of `...` {letters}")
    if not isinstance(got, str) or len(got.strip()) != 1 or got.strip().upper() not in options:
        return _about("not_a_letter", f"{_short(repr(got), 40)} is no answer here", f"give {letters}")
    return None


def _not_one_number(got: Any) -> Wrong | None:
    """What keeps this from being a number at all."""
    array = _numbers(got)
    size = 1 if array is None else array.size
    for name, is_so, what, why in (
        ("no_value", got is None or got is Ellipsis, "There is no value yet", "put your number in the place of `...`."),
        ("text", isinstance(got, str), f"{_short(repr(got), 40)} is text", "give the number itself, without quotes."),
        ("function", callable(got), "This is a function", "call it, and give the number that it returns."),
        ("truth", isinstance(got, bool | np.bool_), f"{got!r} is a truth value", "a number is asked for."),
        ("not_a_number", array is None, f"{_capital(_a(type(got).__name__))} is no number", "give one number."),
        ("several", size != 1, f"These are {size} numbers", "one is asked for."),
        ("nan", array is not None and not np.isfinite(array).all(), f"It is {got}", "was something divided by 0?"),
    ):
        if is_so:
            return _about(name, what, why)
    return None


def _another_number(got: float, expected: float, tolerance: float) -> Wrong | None:
    """How this number differs from the expected one, without giving that away."""

    def near(value: float) -> bool:
        return abs(value - expected) <= max(tolerance, 1e-12) * max(1.0, abs(expected))

    if near(got):
        return None
    count, positive = expected == round(expected), min(got, expected) > 0
    for name, is_so, what, why in (
        ("off_by_one", count and abs(got - expected) == 1, "It is off by one", "where does your count begin and end?"),
        ("sign", near(-got), "It has the wrong sign", "which of the two is subtracted from the other?"),
        ("percent", near(got / 100), "It looks like per cent", "a fraction is asked for: 0.25, not 25."),
        ("complement", 0 < expected < 1 and near(1 - got), "It is 1 minus what is asked for", "right or wrong?"),
        ("squared", positive and near(abs(got) ** 0.5), "It is the square of what is asked for", "take the root."),
        ("root", positive and near(got**2), "It is the root of what is asked for", "square it."),
    ):
        if is_so:
            return _about(name, what, why)
    why = "run the cells above from the top, with your own id, and look at each step."
    return _about("another_number", f"{got:.6g} is not what comes out here", why)


def _about(id: str, what: str, why: str) -> Wrong:
    return Wrong(id, what, why, _wrong.WORDS, ())


# --- How answers are read --------------------------------------------------------------------------------------------


def _numbers(value: Any) -> FloatArray | None:
    """The value as an array of numbers; None if it is anything else."""
    if value is None or isinstance(value, str | Other):
        return None
    try:
        array = np.asarray(value, dtype=object)
        if any(each is None or isinstance(each, str | Other | list | tuple) for each in array.ravel()):
            return None
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # rows of different lengths
        return None


def _vector(value: Any) -> FloatArray | None:
    """One row of numbers; a column, or a table of one row, is one too."""
    array = _numbers(value)
    if array is None or array.ndim == 0 or array.ndim > 2 or (array.ndim == 2 and 1 not in array.shape):
        return None
    return array.ravel()


def _scalar(value: Any) -> FloatArray | None:
    array = _numbers(value)
    return array.reshape(()) if array is not None and array.size == 1 else None


def _first_and_rest(value: Any) -> tuple[FloatArray | None, Sequence[Any]]:
    """w and what was returned after it."""
    if isinstance(value, tuple | list) and len(value) > 1 and _is_row(value[0]) and not _is_column(value):
        return _vector(value[0]), value[1:]
    if isinstance(value, tuple) and len(value) == 1:  # `return w,`
        return _vector(value[0]), ()
    return _vector(value), ()


def _is_row(value: Any) -> bool:
    array = _numbers(value)
    return array is not None and array.ndim > 0


def _is_column(value: Any) -> bool:
    """Is it [[w₀], [w₁], …], and not several arrays of one entry?"""
    array = None if isinstance(value[0], np.ndarray) else _numbers(value)
    return array is not None and array.ndim == 2 and array.shape[1] == 1


def _read_walk(value: Any) -> Answer | None:
    w, rest = _first_and_rest(value)
    if w is None:
        return None
    answer = {"w": w}
    for each in rest[:2]:
        number = _numbers(each)
        if number is None or np.asarray(each).dtype == bool:  # "did it halt?" is no count
            continue
        if number.ndim == 0 and "updates" not in answer:
            answer["updates"] = number
        elif number.ndim == 0 and _whole(number):
            answer["last"] = number
        elif number.ndim == 1 and "picks" not in answer and _whole(number):
            answer["picks"] = number
    return answer


def _whole(numbers: FloatArray) -> bool:
    return bool(np.all(numbers == np.round(numbers)))


def _read_pocket(value: Any) -> Answer | None:
    w, rest = _first_and_rest(value)
    if w is None:
        return None
    last = _vector(rest[0]) if len(rest) else None
    return {"w": w} if last is None or last.shape != w.shape else {"w": w, "last w": last}


def _read_as(name: str, read: Callable[[Any], FloatArray | None]) -> Callable[[Any], Answer | None]:
    def answer(value: Any) -> Answer | None:
        array = read(value)
        return None if array is None else {name: array}

    return answer


def _read_mistakes(value: Any) -> Answer | None:
    if isinstance(value, tuple) and value and _is_row(value[0]):  # numpy.where answers like this
        value = value[0]
    number, array = _scalar(value), _vector(value)
    if array is None:
        return None if number is None else {"number of mistakes": number}
    which = np.flatnonzero(array) if np.asarray(value).dtype == bool else np.sort(array)
    return {"mistakes": which.astype(np.float64), "number of mistakes": np.array(float(len(which)))}


def _read_counts(value: Any) -> Answer | None:
    number, array = _scalar(value), _vector(value)
    if array is None or not array.size:
        return None if number is None else {"mean": number}
    return {"updates": array, "mean": np.array(array.mean())}


_FOUR_ERRORS: Final = ("pocket on (X, y)", "pocket on test", "last w on (X, y)", "last w on test")


def _read_errors(value: Any) -> Answer | None:
    """The four rows by their names; what has another shape, as it is."""
    table = _numbers(value)
    if table is None or not table.size:
        return None
    return dict(zip(_FOUR_ERRORS, table, strict=True)) if table.ndim == 2 and len(table) == 4 else {"table": table}


def _read_steps(value: Any) -> Answer | None:
    """A row of numbers, also one that came out as a column or a table."""
    array = _numbers(value)
    if array is None or array.ndim == 0:
        return None
    return {"answer": array.ravel() if 1 in array.shape else array}


def _read_two_tables(value: Any) -> Answer | None:
    if not isinstance(value, tuple | list | np.ndarray) or len(value) != 2:
        return None
    train, test = _numbers(value[0]), _numbers(value[1])
    return None if train is None or test is None or train.ndim == 0 else {"train": train, "test": test}


# --- How a check speaks ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Voice:
    """The sentences about one function."""

    task: _Task
    name: str
    seconds: float
    ignored: str | None = None  # the part of the answers that was left out

    def case(self, tried: _Tried) -> Case:
        got, trouble = self._got(tried)
        names = tried.answer or list(tried.right)[:1]  # to what was not returned, its first part is the reply
        expected = {name: value for name, value in tried.right.items() if name in names}
        return Case(tried.passed, self._tried(tried.arguments), got, _answer_in_words(expected), trouble)

    def praise(self, tried: Sequence[_Tried]) -> tuple[str, ...]:
        compared = [name for name in tried[-1].right if tried[-1].answer and name in tried[-1].answer]
        head = f"{self.task.title}: passed. {self._subject()} is right in all {len(tried)} cases."
        called = f"Compared: {', '.join(compared)}. It was called as {self._call()}."
        return head, called, *self._left_out()

    def _left_out(self) -> list[str]:
        if not self.ignored:
            return []
        return [f"A value where {self.ignored} may stand was taken for something else, and not compared."]

    def criticism(
        self,
        tried: Sequence[_Tried],
        shown: Sequence[Case],
        wrong: Wrong | None,
        changed: Sequence[str],
        trouble: str | None,
        printed: str,
    ) -> tuple[str, ...]:
        right = sum(each.passed for each in tried)
        messages = [f"{self.task.title}: not yet. {self._subject()} passes {right} of {len(tried)} cases."]
        if wrong:
            messages.append(f"Likely mistake: {wrong.what}. {_capital(wrong.why)} Read {wrong.read}.")
        if changed and wrong is not _CHANGES_INPUTS:
            messages.append(f"It also changes what it is given ({', '.join(changed)}): work on a copy.")
        elif changed:
            messages.append(f"Changed: {', '.join(changed)}. The answers themselves are right.")
        messages += [*self._example(tried, shown, wrong), *self._left_out()]
        if self.task.note and wrong is None:
            messages.append(self.task.note)
        if printed and (trouble or wrong is None):
            messages.append(f"It printed: {_short(printed, 200)}")
        return tuple(messages)

    def _example(self, tried: Sequence[_Tried], shown: Sequence[Case], wrong: Wrong | None) -> list[str]:
        """The smallest case that is not right, in full."""
        if wrong is _NOT_REPEATABLE:
            first, again = (shown[tried.index(each)] for each in _asked_twice(tried))
            return [
                f"Tried: {first.tried}",
                f"Came out: {first.got}; and then {again.got}",
                f"Expected: {first.expected}",
            ]
        failed = [k for k, each in enumerate(tried) if not each.answered and each.outcome.kind != "not tried"]
        if not failed:
            return []
        case, each = shown[failed[0]], tried[failed[0]]
        lines = [f"Tried: {case.tried}", f"Came out: {case.got}", f"Expected: {case.expected}"]
        if wrong is None and each.answer and self.task.story:
            lines += [*_where_it_departs(each), self.task.story(*each.arguments)]
        return lines

    def _subject(self) -> str:
        return _capital(self.name) if self.name == "your function" else self.name

    def _call(self) -> str:
        return f"{'f' if self.name == 'your function' else self.name}({', '.join(self.task.arguments)})"

    def _tried(self, arguments: Sequence[Any]) -> str:
        values = ", ".join(
            f"{name} = {_short(_value_in_words(value), 160)}"
            for name, value in zip(self.task.arguments, arguments, strict=True)
        )
        return f"{self._call()} with {values}"

    def _got(self, tried: _Tried) -> tuple[str, str | None]:
        """What came out, in words; and the kind of trouble, if the call did not return."""
        outcome = tried.outcome
        if tried.answer is not None:
            return _answer_in_words(tried.answer), None
        if outcome.kind == "returned":
            return self._unreadable(outcome), None
        return self._trouble(outcome), outcome.kind

    def _unreadable(self, outcome: Outcome) -> str:
        value = outcome.value
        if value is None:
            seen = " What it printed is not its answer." if outcome.printed else ""
            return f"nothing: it returned None. Is its `return` missing?{seen} It should return {self.task.returns}."
        shown = f"{_a(value.type)}: {value.text}" if isinstance(value, Other) else repr(value)
        return f"{_short(shown, 160)}. It should return {self.task.returns}."

    def _trouble(self, outcome: Outcome) -> str:
        at = f" It was at line {outcome.line}: `{outcome.code}`." if outcome.code else ""
        words = f": {_short(outcome.message, 200)}" if outcome.message else ""
        return {
            "slow": f"no answer in {_in_seconds(self.seconds / 4)}, so it was stopped.{at} Does its loop "
            "ever end? (seconds= gives it more time.)",
            "memory": f"it needed more than {_MEGABYTES:g} MB of memory, so it was stopped.{at}",
            "output": f"it printed more than {_OUTPUT_KB:g} kB, so it was stopped.{at}",
            "processes": "it started process after process, so it was stopped, and they were too.",
            "raised": f"it raised {outcome.error}{words}.{at}{_is_x0_missing(outcome.message)}",
            "exited": f"it called sys.exit{words}.{at} A function should return.",
            "died": f"its process came to an end ({outcome.message}) before it could return.",
            "unshippable": f"it cannot be sent to the process in which it would be checked ({outcome.error}{words}). "
            "Perhaps it uses something of another cell that cannot travel, such as an open file, a generator or a "
            "widget: give it that as an argument, or make it inside the function.",
            "not tried": "not tried: too much time was spent on the cases before.",
        }[outcome.kind]


# How NumPy complains, in @, in np.dot and in +, of two sizes that do not fit.
_SIZES: Final = re.compile(
    r"size (\d+) is different from (\d+)|: (\d+) \(dim \d\) != (\d+) \(dim"
    r"|shapes \((?:\d+,)?(\d+),?\) \((?:\d+,)?(\d+),?\)"
)


def _is_x0_missing(complaint: str) -> str:
    """Sizes that differ by one are, more often than not, a w with its w₀ and an x without its x₀."""
    found = _SIZES.search(complaint)
    if not found:
        return ""
    one, other = (int(size) for size in found.groups() if size)
    if abs(one - other) != 1:
        return ""
    return " Is x₀ = +1 missing? w has one entry more than an example: put the constant in front, or add w[0] apart."


def _in_seconds(seconds: float) -> str:
    shown = _words.number(seconds)
    return f"{shown} second{'' if shown == '1' else 's'}"


def _where_it_departs(tried: _Tried) -> list[str]:
    """The first step at which the walk is another one, as far as the answer shows it."""
    answer, right = tried.answer or {}, tried.right
    differ = [name for name, value in answer.items() if not _same({name: value}, right)]
    if "w" in answer and answer["w"].shape != right["w"].shape:
        size = f"Its w has {_entries(answer['w'])}, where {len(right['w'])} are expected"
        return [f"{size}: w₀ for the constant x₀ = +1, then one for each column of X."]
    lines = [] if "w" in differ else [f"Its w is right; what differs is {' and '.join(differ)}."]
    if "picks" in differ:
        lines.append(_where_picks_differ(answer["picks"].tolist(), right["picks"].tolist()))
    at = next((t for t, w in enumerate(right["path"]) if np.allclose(w, answer["w"])), None)
    if "w" in differ and "picks" not in differ and at is not None:
        lines.append(_where_on_the_way(at, right))
    return lines


def _where_picks_differ(theirs: list[float], ours: list[float]) -> str:
    t = next((t for t, pair in enumerate(zip(theirs, ours, strict=False)) if pair[0] != pair[1]), None)
    if t is None:
        return f"Its first picks are right, but their number is {len(theirs)}, not {len(ours)}."
    return f"The first difference is at update {t + 1}: it corrected example {theirs[t]:g}, not {ours[t]:g}."


def _where_on_the_way(t: int, right: Answer) -> str:
    """What is to be said of a w that the right walk passes by after t updates."""
    if "errors" not in right:
        return f"Its w is the right one after {_words.count(t, 'update')}: did it stop there?"
    errors = right["errors"].astype(int)
    return (
        f"This is w_t for t = {t}, with {_words.count(errors[t], 'mistake')}; "
        f"the fewest is {errors.min()}, first at t = {errors.argmin()}."
    )


def _entries(w: FloatArray) -> str:
    return "1 entry" if len(w) == 1 else f"{len(w)} entries"


def _answer_in_words(answer: Answer) -> str:
    shown = {name: value for name, value in answer.items() if name not in _SILENT}
    return ", ".join(
        _NAMELESS[name](value) if name in _NAMELESS else f"{name} = {_short(_value_in_words(value), 160)}"
        for name, value in shown.items()
    )


def _truth_in_words(value: FloatArray) -> str:
    return {0.0: "False", 1.0: "True"}.get(float(value), _value_in_words(value))


def _value_in_words(value: Any) -> str:
    array = np.asarray(value)
    if array.ndim == 0:
        return f"{float(array):.6g}"
    if array.ndim == 1:
        return f"({', '.join(f'{each:.5g}' for each in array.tolist())})"
    rows = [_value_in_words(row) for row in array[:6]]
    more = f", … ({len(array)} rows)" if len(array) > 6 else ""
    return f"[{', '.join(rows)}{more}]"


_SILENT: Final = ("path", "errors")
_NAMELESS: Final = {"answer": _value_in_words, "truth": _truth_in_words}


def _short(text: str, most: int) -> str:
    text = text.strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _capital(text: str) -> str:
    """The text with a capital, unless it begins with a symbol or a name of a program: w₀, y, ρ, max_updates."""
    word = text.split(" ", 1)[0].rstrip(".,:;")
    ordinary = word == "a" or (len(word) > 1 and word.isascii() and word.isalpha())
    return text[:1].upper() + text[1:] if ordinary else text


def _a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


# --- The tasks -------------------------------------------------------------------------------------------------------


def _right_pla(X: Any, y: Any, order: Any = None) -> Answer:
    run = learning.pla(X, y, order="cyclic" if order is None else order)
    answer = {
        "w": run.w,
        "updates": np.array(float(run.updates)),
        "picks": run.picks.astype(float),
        "path": run.weights,
    }
    return answer | ({"last": np.array(float(run.picks[-1]))} if run.updates else {})


def _right_pocket(X: Any, y: Any, max_updates: int) -> Answer:
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates)
    return {"w": run.w, "last w": run.last_w, "path": run.weights, "errors": run.errors.astype(float)}


def _right_mistakes(w: Any, X: Any, y: Any) -> Answer:
    which = hypothesis.mistakes(w, X, y)
    return {"mistakes": which.astype(float), "number of mistakes": np.array(float(len(which)))}


def _right_counts(X: Any, y: Any, cycles: Any) -> Answer:
    counts = np.array([float(learning.pla(X, y, order=cycle).updates) for cycle in cycles])
    return {"updates": counts, "mean": np.array(counts.mean())}


def _right_greedy(X: Any, y: Any, order: Any) -> Answer:
    _, path = _try_greedily(X, y, order)
    return {"w": path[-1], "path": np.array(path)}


def _try_greedily(X: Any, y: Any, order: Any) -> tuple[list[tuple[int, FloatArray, int, int]], list[FloatArray]]:
    """Every try (its example, the new w, the mistakes before and after), and the w's that were kept."""
    Z, mistakes_of = hypothesis.with_bias(X), partial(hypothesis.mistakes, X=X, y=y)
    path, tries, kept = [np.zeros(Z.shape[1])], [], True
    now = mistakes_of(path[0])
    while len(now) and kept:
        kept = False
        for n in order:
            if n in now:
                new = path[-1] + y[n] * Z[n]
                then = mistakes_of(new)
                tries.append((int(n), new, len(now), len(then)))
                if len(then) < len(now):
                    now, kept = then, True
                    path.append(new)
    return tries, path


def _right_errors(X: Any, y: Any, X_test: Any, y_test: Any, cycles: Any, max_updates: int) -> Answer:
    runs = [learning.pocket(X, y, order=cycle, max_updates=max_updates) for cycle in cycles]
    table = np.array([
        [hypothesis.error_rate(w, *data) for w in ways]
        for ways in ([run.w for run in runs], [run.last_w for run in runs])
        for data in ((X, y), (X_test, y_test))
    ])  # fmt: skip
    return {**dict(zip(_FOUR_ERRORS, table, strict=True)), "table": table}


def _right_standardised(train: Any, test: Any) -> Answer:
    middle, spread = train.mean(axis=0), train.std(axis=0)
    unit = np.where(np.ptp(train, axis=0) == 0, 1.0, spread)
    return {"train": (train - middle) / unit, "test": (test - middle) / unit}


def _right(compute: Callable[..., Any], name: str = "answer") -> Callable[..., Answer]:
    return lambda *arguments: {name: np.asarray(compute(*arguments), dtype=np.float64)}


def _story_of_pla(X: Any, y: Any, order: Any = None) -> str:
    """The right run on a small case, update by update."""
    run = learning.pla(X, y, order="cyclic" if order is None else order)
    return _story(run, "then a whole cycle has no mistake")


def _story_of_pocket(X: Any, y: Any, max_updates: int) -> str:
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates)
    errors = ", ".join(str(each) for each in run.errors[:9])
    return _story(run, f"the mistakes of w are {errors} on the way, and the pocket keeps the first w with the fewest")


def _story_of_greedy(X: Any, y: Any, order: Any) -> str:
    """The right run on a small case, try by try."""
    tries, _ = _try_greedily(X, y, order)
    steps = [
        f"at example {n}, {_words.vector(new)} makes {_words.count(after, 'mistake')} where there "
        f"{'was' if before == 1 else 'were'} {before}, and is {'kept' if after < before else 'taken back'}"
        for n, new, before, after in tries[:8]
    ]
    more = [f"and so on, {len(tries)} attempts in all"] if len(tries) > 8 else []
    return f"Step by step: w = {_words.vector(np.zeros(X.shape[1] + 1))}; {'; '.join([*steps, *more])}."


def _story(run: learning.Run, end: str) -> str:
    steps = [
        f"example {n} (y = {run.y[n]:+d}) is wrong, w becomes {_words.vector(run.weights[t + 1])}"
        for t, n in enumerate(run.picks[:8].tolist())
    ]
    more = [f"and so on, {run.updates} updates in all"] if run.updates > 8 else []
    return f"Step by step: w = {_words.vector(run.w0)}; {'; '.join([*steps, *more, end])}."


_ROW: Final = _read_as("answer", _vector)
_NUMBER: Final = _read_as("answer", _scalar)

_WITH_BIAS: Final = _Task(
    "with_bias", ("X",), "a table with one column more than X", _right(hypothesis.with_bias),
    _read_as("answer", _numbers), _wrong.WITH_BIAS, _cases.tables, _cases.fresh_tables,
)  # fmt: skip
_SIGN: Final = _Task(
    "sign", ("s",), "+1 or −1", _right(hypothesis.sign), _NUMBER, _wrong.SIGN, _cases.scores, _cases.fresh_scores
)
_PREDICT: Final = _Task(
    "predict", ("w", "X"), "a label, +1 or −1, for each row of X", _right(hypothesis.predict), _ROW, _wrong.PREDICT,
    _cases.predicted, _cases.fresh_predicted,
)  # fmt: skip
_MISTAKES: Final = _Task(
    "mistakes", ("w", "X", "y"), "the numbers of the mistakes, or how many they are", _right_mistakes, _read_mistakes,
    _wrong.MISTAKES, _cases.judged, _cases.fresh_judged,
)  # fmt: skip
_ERROR_RATE: Final = _Task(
    "error_rate", ("w", "X", "y"), "a number from 0 to 1", _right(hypothesis.error_rate), _NUMBER, _wrong.ERROR_RATE,
    _cases.judged, _cases.fresh_judged,
)  # fmt: skip
_IS_MISTAKE: Final = _Task(
    "is_mistake", ("w", "x", "y"), "True or False", _right(hypothesis.is_mistake, "truth"),
    _read_as("truth", _scalar), _wrong.IS_MISTAKE, _cases.examples, _cases.fresh_examples,
)  # fmt: skip
_UPDATE: Final = _Task(
    "update", ("w", "x", "y"), "the new w", _right(lambda w, x, y: w + y * hypothesis.with_bias([x])[0]), _ROW,
    _wrong.UPDATE, _cases.updates, _cases.fresh_updates,
)  # fmt: skip
_PLA: Final = _Task(
    "PLA", ("X", "y"), "w, or (w, updates), or (w, updates, picks)", _right_pla, _read_walk, _wrong.PLA, _cases.pla,
    _cases.fresh_pla, _story_of_pla, "last",
)  # fmt: skip
_PLA_WITH_ORDER: Final = _Task(
    "PLA", ("X", "y", "order"), "w, or (w, updates), or (w, updates, picks)", _right_pla, _read_walk,
    _wrong.PLA_WITH_ORDER, _cases.pla_with_order, _cases.fresh_pla_with_order, _story_of_pla, "last",
    "Its third argument was given the order of visits; give it a default if it means something else.",
)  # fmt: skip
_REPEAT: Final = _Task(
    "repeat_pla", ("X", "y", "cycles"), "the number of updates of each run, or their mean", _right_counts, _read_counts,
    _wrong.REPEAT, _cases.repeat_pla, _cases.fresh_repeat_pla,
)  # fmt: skip
_RADIUS: Final = _Task(
    "radius", ("X",), "a number", _right(guarantee.radius), _NUMBER, _wrong.RADIUS, _cases.tables, _cases.fresh_tables
)
_MARGIN: Final = _Task(
    "margin", ("X", "y", "w_f"), "a number", _right(guarantee.margin), _NUMBER, _wrong.MARGIN, _cases.margins,
    _cases.fresh_margins,
)  # fmt: skip
_BOUND: Final = _Task(
    "update_bound", ("X", "y", "w_f"), "a number", _right(guarantee.update_bound), _NUMBER, _wrong.UPDATE_BOUND,
    _cases.bounds, _cases.fresh_bounds,
)  # fmt: skip
_POCKET: Final = _Task(
    "Pocket", ("X", "y", "max_updates"), "the pocket's w, or (w, last_w)", _right_pocket, _read_pocket,
    _wrong.POCKET_BANK, _cases.pocket, _cases.fresh_pocket, _story_of_pocket, "last w",
)  # fmt: skip
_GREEDY: Final = _Task(
    "greedy", ("X", "y", "order"), "w", _right_greedy, _read_as("w", _vector), _wrong.GREEDY_BANK,
    _cases.greedy, _cases.fresh_greedy, _story_of_greedy,
)  # fmt: skip
_REPEAT_POCKET: Final = _Task(
    "repeat_pocket", ("X", "y", "X_test", "y_test", "cycles", "max_updates"), "four lists of error rates: "
    "pocket on (X, y), pocket on (X_test, y_test), last w on (X, y), last w on (X_test, y_test)", _right_errors,
    _read_errors, _wrong.REPEAT_POCKET, _cases.repeat_pocket, _cases.fresh_repeat_pocket,
)  # fmt: skip
_GAINS: Final = _Task(
    "gains", ("weights", "w_f"), "one number for each update", _right(lambda weights, w_f: np.diff(weights @ w_f)),
    _read_steps, _wrong.GAINS, _cases.paths, _cases.fresh_paths,
)  # fmt: skip
_GROWTHS: Final = _Task(
    "growths", ("weights",), "one number for each update", _right(lambda weights: np.diff((weights**2).sum(axis=1))),
    _read_steps, _wrong.GROWTHS, _cases.walks_alone, _cases.fresh_walks_alone,
)  # fmt: skip
_STANDARDISE: Final = _Task(
    "standardise", ("train", "test"), "two tables, (train_z, test_z)", _right_standardised, _read_two_tables,
    _wrong.STANDARDISE, _cases.standardise, _cases.fresh_standardise,
)  # fmt: skip
_HARD_DATA: Final = _Task("hard_data", (), "two arrays, (X, y)", dict, lambda _value: None, (), list, lambda _rng: [])

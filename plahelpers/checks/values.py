"""Data that someone made, and numbers and letters that someone found: what is wrong with them, without the answer."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import numpy as np

from plahelpers import _format, guarantee, learning
from plahelpers._validation import check_data, check_number, check_points
from plahelpers.checks.answers import numbers_of, vector
from plahelpers.checks.report import Case, Report
from plahelpers.checks.sentences import Voice, a_or_an, as_it_is, capital, name_of, short, value_in_words
from plahelpers.checks.tasks import HARD_DATA
from plahelpers.checks.wrong_base import BIAS, BOUND, CONFLICT, FIND, HARD, WORDS, Wrong
from plahelpers.guard import Other, Outcome

_TOO_EASY: Final = 100  # updates: hard are data that take more
_MOST_EXAMPLES: Final = 2000
_ENOUGH_UPDATES: Final = 10_000  # to look no further
_HARD_ENOUGH: Final = (
    f"(X, y) with two columns, linearly separable, on which cyclic PLA from w = 0 makes more than {_TOO_EASY} updates"
)


def judge_hard_data(function: Any, outcomes: Sequence[Outcome], seconds: float) -> Report:
    """The report on a function that makes data, and was called without arguments."""
    voice = Voice(HARD_DATA, name_of(function), seconds)
    looks = [_look_at_data(voice, outcome) for outcome in outcomes]
    cases = tuple(
        Case(wrong is None and trouble is None, voice.call(), got, _HARD_ENOUGH, trouble)
        for got, wrong, trouble in looks
    )
    printed = short(next((it.printed for it in outcomes if it.printed), ""), 500)
    got, wrong, trouble = next((look for look in looks if look[1] or look[2]), looks[-1])
    if all(case.passed for case in cases):
        return Report(True, (f"hard_data: passed. {voice.subject()} gives {got}.",), cases, printed=printed)
    right = sum(case.passed for case in cases)
    messages = [f"hard_data: not yet. {voice.subject()} passes {right} of {len(cases)} calls."]
    if wrong:
        messages.append(f"Likely mistake: {wrong.what}. {capital(wrong.why)} Read {wrong.read}.")
    if right:
        messages.append("It was called twice and gave different data: if there is chance in it, fix its seed.")
    messages += [f"Came out: {got}", f"Expected: {_HARD_ENOUGH}"]
    if printed and trouble:
        messages.append(f"It printed: {short(printed, 200)}")
    return Report(False, tuple(messages), cases, wrong.id if wrong else None, trouble, printed=printed)


def _look_at_data(voice: Voice, outcome: Outcome) -> tuple[str, Wrong | None, str | None]:
    """What came out, in words; what is wrong with it; and the trouble, if the call did not return."""
    if outcome.kind != "returned":
        return voice.trouble(outcome), None, outcome.kind
    value = outcome.value
    if not isinstance(value, tuple | list) or len(value) != 2:
        return voice.unreadable(outcome), _not_a_pair(value), None
    X, y = value
    shown = f"X = {short(_shown(X), 120)}, y = {short(_shown(y), 80)}"
    if wrong := _not_in_shape(X, y):
        if _not_in_shape(y, X) is None:
            wrong = Wrong("swapped", "X and y are exchanged", "return X, y.", FIND, ())
        return shown, wrong, None
    return _how_hard(*check_data(X, y))


def _not_a_pair(value: Any) -> Wrong:
    what = "it returns nothing" if value is None else "it does not return two things"
    return Wrong("not_a_pair", what, "end it with `return X, y`.", FIND, ())


def _not_in_shape(X: Any, y: Any) -> Wrong | None:
    """What keeps these from being N examples of the plane with labels ±1; the sentences are the package's own."""
    try:
        points = check_points(X)
    except (TypeError, ValueError) as error:
        return Wrong("wrong_shape", "its X is no table of numbers", str(error), FIND, ())
    N, d = points.shape
    if d != 2:
        bias = " The constant x₀ = +1 does not belong in X." if d == 3 and (points[:, 0] == 1).all() else ""
        columns = f"its X has {_format.count(d, 'column')}"
        return Wrong("wrong_shape", columns, f"two are asked for, x₁ and x₂.{bias}", BIAS, ())
    if N > _MOST_EXAMPLES:
        what = f"it makes {N:,} examples"
        return Wrong("too_many", what, f"a few can do it; give {_MOST_EXAMPLES} at most.", BOUND, ())
    try:
        check_data(points, y)
    except (TypeError, ValueError) as error:
        return Wrong("wrong_labels", "its y are no labels for these examples", str(error), FIND, ())
    return None


def _how_hard(X: Any, y: Any) -> tuple[str, Wrong | None, str | None]:
    answer = guarantee.separate(X, y)
    made = _format.count(len(y), "example")
    if not answer.separable:
        return f"{made}. {answer!r}.", Wrong(
            "not_separable", "its data are not linearly separable", "PLA runs forever on them, which is no number of "
            f"updates. {answer.conflict!r}.", CONFLICT, (),
        ), None  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", learning.BudgetWarning)
        run = learning.pla(X, y, max_updates=_ENOUGH_UPDATES, keep_path=False)
    T = _format.count(run.updates, "update") if run.halted else f"more than {_ENOUGH_UPDATES:,} updates"
    got = f"{made}, separable with ρ = {answer.rho:.3g} and R = {guarantee.radius(X):.3g}; PLA makes {T}"
    if run.updates > _TOO_EASY:
        return got, None, None
    if len(set(y.tolist())) == 1:
        what, why = "all its labels are equal: there is nothing to separate", "label some examples −1 and some +1."
        return got, Wrong("one_label", what, why, HARD, ()), None
    return got, Wrong(
        "too_easy", f"its data are too easy: T is only {run.updates}", "the bound R²/ρ² leaves room for more when the "
        "examples nearest to the line come closer to it (a smaller ρ), or lie farther from the origin (a larger R).",
        HARD, (),
    ), None  # fmt: skip


def judge_number(got: Any, expected: float | None, what: str, tolerance: float) -> Report:
    """The report on a number, which is only looked at if none is expected."""
    tolerance = check_number(tolerance, "tolerance", 0, 1)
    wrong = _not_one_number(got)
    if wrong is None and expected is not None:
        wrong = _another_number(float(np.asarray(got).item()), float(expected), tolerance)
    return _judge_value(got, wrong, what, noted=expected is None)


def judge_numbers(got: Any, expected: Mapping[str, float | None], what: str, tolerance: float) -> Report:
    """The report on several numbers, each by its name."""
    row = vector(got)
    if got is None or got is Ellipsis or row is None or len(row) != len(expected):
        missing = got is None or got is Ellipsis
        size = "There are no values yet" if missing else f"{capital(short(as_it_is(got), 60))} does not do"
        why = f"give a list of {len(expected)} numbers: {', '.join(expected)}."
        return _judge_value(got, _about("not_a_list", size, why), what)
    reports = [
        judge_number(value, right, name, tolerance)
        for value, (name, right) in zip(row.tolist(), expected.items(), strict=True)
    ]
    wrong = [each for each in reports if not each.passed]
    if not wrong and None in expected.values():
        return _judge_value(got, None, what, noted=True)
    head = f"{capital(what)}: {'not yet' if wrong else 'passed'}."
    messages = (head, *(" ".join(each.messages) for each in wrong))
    cases = tuple(case for each in reports for case in each.cases)
    return Report(not wrong, messages, cases, wrong[0].mistake if wrong else None)


def judge_letter(got: Any, expected: str | None, what: str, options: str) -> Report:
    """The report on a letter out of a few."""
    wrong = _not_a_letter(got, options)
    if wrong is None and expected is not None and got.strip().upper() != expected:
        wrong = _about("another_letter", f"{got} is not the one", "what is used in this step that is not used before?")
    return _judge_value(got, wrong, what, noted=expected is None)


def _judge_value(got: Any, wrong: Wrong | None, what: str, noted: bool = False) -> Report:
    """The report on one value, which was only looked at (noted) or compared."""
    shown = short(_shown(got), 160)
    case = Case(wrong is None, what, shown, "not told here")
    if wrong:
        messages = f"{capital(what)}: not yet.", f"{wrong.what}. {capital(wrong.why)}"
        return Report(False, messages, (case,), wrong.id)
    if noted:
        return Report(True, (f"{capital(what)}: {shown} is noted. It is compared when your work is graded.",), (case,))
    return Report(True, (f"{capital(what)}: passed.",), (case,))


def _shown(value: Any) -> str:
    return as_it_is(value) if numbers_of(value) is None else value_in_words(value)


def _not_a_letter(got: Any, options: str) -> Wrong | None:
    letters = f"one of the letters {', '.join(options[:-1])} and {options[-1]}, in quotes."
    if got is None or got is Ellipsis:
        return _about("no_value", "There is no letter yet", f"put in the place of `...` {letters}")
    if not isinstance(got, str) or len(got.strip()) != 1 or got.strip().upper() not in options:
        return _about("not_a_letter", f"{short(as_it_is(got), 40)} is no answer here", f"give {letters}")
    return None


def _not_one_number(got: Any) -> Wrong | None:
    """What keeps this from being a number at all."""
    array = numbers_of(got)
    size = 1 if array is None else array.size
    kind = a_or_an(got.type if isinstance(got, Other) else type(got).__name__)
    for name, is_so, what, why in (
        ("no_value", got is None or got is Ellipsis, "There is no value yet", "put your number in the place of `...`."),
        ("text", isinstance(got, str), f"{short(repr(got), 40)} is text", "give the number itself, without quotes."),
        ("function", callable(got), "This is a function", "call it, and give the number that it returns."),
        ("truth", isinstance(got, bool | np.bool_), f"{got!r} is a truth value", "a number is asked for."),
        ("not_a_number", array is None, f"{capital(kind)} is no number", "give one number."),
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
        ("rounded", _is_rounded(got, expected), "It is rounded too much", "give more digits."),
    ):
        if is_so:
            return _about(name, what, why)
    why = "run the cells above from the top, with your own id, and look at each step."
    return _about("another_number", f"{got:.6g} is not what comes out here", why)


def _is_rounded(got: float, expected: float) -> bool:
    """Is it the expected number, rounded to the decimals that it shows? (Anything small can be rounded to 0.)"""
    exponent = Decimal(repr(got)).normalize().as_tuple().exponent
    return got != 0 and round(expected, max(0, -int(exponent))) == got


def _about(id: str, what: str, why: str) -> Wrong:
    return Wrong(id, what, why, WORDS, ())

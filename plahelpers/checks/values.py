"""Numbers and letters that someone found: what is wrong with them, without giving the answer away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

from plahelpers._validation import check_number
from plahelpers.checks.report import Case, Report
from plahelpers.checks.sentences import Note, display, short
from plahelpers.checks.task import Given, numbers_of
from plahelpers.guard import Other, Outcome

__all__ = ["choice", "number", "numbers"]


def number(
    got: Any, expected: float | None, what: str, *, tolerance: float = 1e-6, given: Given | None = None
) -> Report:
    """Is a number that someone found the expected one? The answer never tells what is expected.

    Parameters
    ----------
    expected : float or None
        None to see only whether it is one finite number, and not whether it is the right one.
    what : str
        What the number is, in words: "the number of updates".
    tolerance : float
        How far it may be off, as a fraction of the expected number (of 1 if that is smaller); 0 for counts.
    given : Given, optional
        The learner's own functions that it comes from: it is right, too, if it is what they give.
    """
    report = _report("number", what, got, [_case(got, _mistake(got, expected, tolerance), expected)], expected is None)
    if given is None or report.passed or (own := given()) is None:
        return report
    return _as_follows(report, [_mistake(got, own, tolerance) is None], given)


def numbers(
    got: Any,
    expected: Mapping[str, float | None],
    what: str,
    *,
    tolerance: float = 1e-6,
    given: Given | None = None,
) -> Report:
    """Are these numbers the expected ones, one after the other? As `number`, for several at once.

    Parameters
    ----------
    expected : dict
        What each of them is, and the number or None: `{"pocket, train": 0.1, "pocket, test": 0.2}`.
    """
    row = numbers_of(got)
    if row is None or row.size != len(expected) or row.ndim == 0:
        details = {"value": short(display(got), 60), "count": len(expected), "names": ", ".join(expected)}
        problem = Note("value.no_values", **details) if _is_missing(got) else Note("value.not_a_list", **details)
        return _report("numbers", what, got, [_case(got, problem)])
    cases = [
        _case(value, _mistake(value, right, tolerance), right, name)
        for value, (name, right) in zip(row.ravel().tolist(), expected.items(), strict=True)
    ]
    report = _report("numbers", what, got, cases, None in expected.values())
    own = None if given is None or report.passed else numbers_of(given())
    if given is None or own is None or own.size != row.size:
        return report
    pairs = zip(cases, own.ravel().tolist(), strict=True)
    follow = [case.right or _mistake(case.outcome.value, value, tolerance) is None for case, value in pairs]
    return _as_follows(report, follow, given)


def choice(got: Any, expected: str | None, what: str, *, options: str = "ABCDEF") -> Report:
    """Is a letter that someone chose the expected one? As `number`, for a letter out of a few."""
    letters, last, value = ", ".join(options[:-1]), options[-1], short(display(got), 40)
    problem = None
    if _is_missing(got):
        problem = Note("value.no_letter", letters=letters, last=last)
    elif not isinstance(got, str) or len(got.strip()) != 1 or got.strip().upper() not in options:
        problem = Note("value.not_a_letter", letters=letters, last=last, value=value)
    elif expected is not None and got.strip().upper() != expected:
        problem = Note("value.another_letter", value=got)
    return _report("choice", what, got, [_case(got, problem, expected)], expected is None)


def _as_follows(report: Report, follow: Sequence[bool], given: Given) -> Report:
    """The report, with what follows from the learner's own functions counted as right."""
    gained = any(right and not case.right for case, right in zip(report.cases, follow, strict=True))
    cases = tuple(
        replace(case, right=right, mistake=None if right else case.mistake)
        for case, right in zip(report.cases, follow, strict=True)
    )
    known = next((case.mistake for case in cases if case.mistake), None)
    return replace(report, cases=cases, known=known, given=given.names if gained else ())


def _case(got: Any, problem: Note | None, solution: Any = None, name: str = "") -> Case:
    return Case(
        arguments={},
        outcome=Outcome("returned", got),
        right=problem is None,
        mistake=problem,
        name=name,
        solution=solution,
    )


def _report(check: str, what: str, got: Any, cases: Sequence[Case], noted: bool = False) -> Report:
    """The report on a value that was compared, or only looked at (noted)."""
    problem = next((case.mistake for case in cases if case.mistake), None)
    note = Note("value.noted", what=what, value=short(display(got), 160))
    notes = (note,) if noted else ()
    return Report(check=check, subject=what, cases=tuple(cases), known=problem, notes=notes, about="value")


def _is_missing(got: Any) -> bool:
    return got is None or got is Ellipsis


def _mistake(got: Any, expected: float | None, tolerance: float) -> Note | None:
    """What is wrong with a number; of the expected one nothing is told."""
    tolerance = check_number(tolerance, "tolerance", 0, 1)
    problem = _not_one_number(got)
    if problem is None and expected is not None:
        return _another_number(float(np.asarray(got).item()), float(expected), tolerance)
    return problem


def _not_one_number(got: Any) -> Note | None:
    """What keeps this from being a number at all."""
    array = numbers_of(got)
    size = 1 if array is None else array.size
    problems = (
        (_is_missing(got), Note("value.no_value")),
        (isinstance(got, str), Note("value.text", value=short(repr(got), 40))),
        (callable(got), Note("value.function")),
        (isinstance(got, bool | np.bool_), Note("value.truth", value=got)),
        (array is None, Note("value.not_a_number", type=got.type if isinstance(got, Other) else type(got).__name__)),
        (size != 1, Note("value.several", count=size)),
        (array is not None and not np.isfinite(array).all(), Note("value.nan", value=got)),
    )
    return next((note for is_so, note in problems if is_so), None)


def _another_number(got: float, expected: float, tolerance: float) -> Note | None:
    """How this number differs from the expected one."""

    def near(value: float) -> bool:
        return abs(value - expected) <= max(tolerance, 1e-12) * max(1.0, abs(expected))

    if near(got):
        return None
    positive = min(got, expected) > 0
    differences = (
        (expected == round(expected) and abs(got - expected) == 1, Note("value.off_by_one")),
        (near(-got), Note("value.sign")),
        (near(got / 100), Note("value.percent")),
        (0 < expected < 1 and near(1 - got), Note("value.complement")),
        (positive and near(abs(got) ** 0.5), Note("value.squared")),
        (positive and near(got**2), Note("value.root")),
        (_is_rounded(got, expected), Note("value.rounded")),
        (True, Note("value.another_number", value=got)),
    )
    return next(note for is_so, note in differences if is_so)


def _is_rounded(got: float, expected: float) -> bool:
    """Is it the expected number, rounded to the decimals that it shows? (Anything small can be rounded to 0.)"""
    exponent = Decimal(repr(got)).normalize().as_tuple().exponent
    return got != 0 and round(expected, max(0, -int(exponent))) == got

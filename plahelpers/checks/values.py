"""Numbers and letters that someone found: what is wrong with them, without giving the answer away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Literal, TypeAlias

import numpy as np

from plahelpers._guard import Other, Outcome
from plahelpers._validation import check_number
from plahelpers.checks.report import Case, Report
from plahelpers.checks.sentences import Note, display, short
from plahelpers.checks.task import Given, numbers_of

__all__ = ["choice", "number", "numbers"]

Kind: TypeAlias = Literal["count", "index", "rate"]


def number(
    got: Any,
    expected: float | None,
    what: str,
    *,
    tolerance: float = 1e-6,
    given: Given | None = None,
    kind: Kind | None = None,
    most: float | None = None,
) -> Report:
    """Is a number that someone found the expected one? The answer never tells what is expected.

    Parameters
    ----------
    expected : float or None
        None to see only whether it is a possible number, and not whether it is the right one.
    what : str
        What the number is, in words: "the number of updates".
    tolerance : float
        How far it may be off, as a fraction of the expected number (of 1 if that is smaller); 0 for counts.
    given : Given, optional
        The learner's own functions that it comes from: it is right, too, if it is what they give.
    kind : {"count", "index", "rate"}, optional
        What it has to be in any case: a count or an index is whole and not negative, a rate lies between 0 and 1.
    most : float, optional
        The largest number that is possible: N − 1 for the index of an example.
    """
    case = _case(got, _mistake(got, expected, tolerance, kind, most), expected)
    return _follow(_report("number", what, [case]), tolerance, given)


def numbers(
    got: Any,
    expected: Mapping[str, float | None],
    what: str,
    *,
    tolerance: float = 1e-6,
    given: Given | None = None,
    kind: Kind | None = None,
    most: float | None = None,
) -> Report:
    """Are these numbers the expected ones, one after the other? As `number`, for several at once.

    Parameters
    ----------
    expected : dict
        What each of them is, and the number or None: `{"pocket, train": 0.1, "pocket, test": 0.2}`.
    """
    values = _listed(got)
    if len(values) == len(expected) and not _is_missing(got):
        pairs = zip(values, expected.items(), strict=True)
        cases = [
            _case(value, _mistake(value, right, tolerance, kind, most), right, name) for value, (name, right) in pairs
        ]
    else:
        details = {"value": short(display(got), 60), "count": len(expected), "names": ", ".join(expected)}
        problem = Note("value.no_values", **details) if _is_missing(got) else Note("value.not_a_list", **details)
        cases = [_case(got, problem, right, name) for name, right in expected.items()]
    return _follow(_report("numbers", what, cases), tolerance, given)


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
    return _report("choice", what, [_case(got, problem, expected)])


def _listed(got: Any) -> list[Any]:
    """The numbers one by one, row by row, also where some of them are missing; what is no list is one thing."""
    row = numbers_of(got)
    if row is not None:
        return list(row.ravel().tolist())
    rows = list(got) if isinstance(got, tuple | list) else []
    is_table = all(isinstance(row, tuple | list) for row in rows)
    return [item for row in rows for item in row] if is_table else rows


def _follow(report: Report, tolerance: float, given: Given | None) -> Report:
    """The report; a number that follows from the learner's own functions counts as right."""
    own = [] if given is None or report.passed else _listed(given())
    if given is None or len(own) != len(report.cases):
        return report
    pairs = list(zip(report.cases, own, strict=True))
    followed = [case.name for case, value in pairs if not case.right and _is_near(case.outcome.value, value, tolerance)]
    if not followed:
        return report
    cases = [replace(case, right=True, mistake=None) if case.name in followed else case for case in report.cases]
    known = _first_mistake(cases)
    return replace(report, cases=tuple(cases), known=known, given=given.names, followed=tuple(followed))


def _is_near(got: Any, own: Any, tolerance: float) -> bool:
    """Is it the number that came out of the learner's own functions?"""
    return _not_one_number(own) is None and _mistake(got, _float(own), tolerance) is None


def _float(value: Any) -> float:
    return float(numbers_of(value).item())  # type: ignore[union-attr]


def _case(got: Any, problem: Note | None, solution: Any = None, name: str = "") -> Case:
    return Case(
        arguments={},
        outcome=Outcome("returned", got),
        right=problem is None,
        mistake=problem,
        name=name,
        solution=solution,
    )


def _report(check: str, what: str, cases: Sequence[Case]) -> Report:
    return Report(check=check, subject=what, cases=tuple(cases), known=_first_mistake(cases), about="value")


def _first_mistake(cases: Sequence[Case]) -> Note | None:
    return next((case.mistake for case in cases if case.mistake), None)


def _is_missing(got: Any) -> bool:
    return got is None or got is Ellipsis


def _mistake(
    got: Any, expected: float | None, tolerance: float, kind: Kind | None = None, most: float | None = None
) -> Note | None:
    """What is wrong with a number; of the expected one nothing is told."""
    tolerance = check_number(tolerance, "tolerance", 0, 1)
    if problem := _not_one_number(got):
        return problem
    problem = _impossible(_float(got), kind, most)
    return problem or (None if expected is None else _another_number(_float(got), float(expected), tolerance))


def _impossible(got: float, kind: Kind | None, most: float | None) -> Note | None:
    """Why it cannot be right, whatever the right number is."""
    is_whole = got >= 0 and abs(got - round(got)) < 1e-9
    problems = (
        (kind == "count" and not is_whole, Note("value.no_count", value=got)),
        (kind == "index" and not is_whole, Note("value.no_index", value=got)),
        (kind == "rate" and 1 + 1e-9 < got <= 100, Note("value.percent")),
        (kind == "rate" and not 0 <= got <= 1 + 1e-9, Note("value.no_rate", value=got)),
        (most is not None and got > most + 1e-9, Note("value.too_large", value=got, most=most)),
    )
    return next((note for is_so, note in problems if is_so), None)


def _not_one_number(got: Any) -> Note | None:
    """What keeps this from being a number at all."""
    array, kind = numbers_of(got), got.type if isinstance(got, Other) else type(got).__name__
    size = 1 if array is None else array.size
    problems = (
        (_is_missing(got), Note("value.no_value")),
        (isinstance(got, str), Note("value.text", value=short(display(got), 40))),
        (callable(got), Note("value.function")),
        (isinstance(got, bool | np.bool_), Note("value.truth", value=got)),
        (array is None, Note("value.not_a_number", type=short(kind, 60))),
        (size != 1, Note("value.several", count=size)),
        (array is not None and not np.isfinite(array).all(), Note("value.nan", value=short(display(got), 40))),
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

"""Numbers and letters that someone found: what is wrong with them, without giving the answer away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from plahelpers._guard import Other, Outcome
from plahelpers._validation import check_number
from plahelpers.checks.report import Report
from plahelpers.checks.result import Case, Problem
from plahelpers.checks.sentences import display, short
from plahelpers.checks.task import numbers_of

__all__ = ["Given", "Known", "choice", "number", "numbers"]

Kind: TypeAlias = Literal["count", "index", "rate"]


class Known(NamedTuple):
    """A wrong number that is known: its id, the number, what it is, and why it is wrong, or what to do."""

    id: str
    value: float
    what: str
    why: str


class Given:
    """What follows from earlier functions of the learner's: for a number that is built on them.

    Parameters
    ----------
    follows : callable
        What the number would be, or the numbers, with the learner's functions.
    reports : Report
        On these functions, with a seed. Nothing follows from a function that is no attempt at its own task: one that
        is right in no unseen case and makes no known mistake.
    """

    def __init__(self, follows: Callable[[], Any], *reports: Report) -> None:
        self.follows, self.reports = follows, reports
        self.names = tuple(report.subject or report.check for report in reports)

    def __call__(self) -> Any:
        """What follows; None if nothing does."""
        if not all(report.is_attempt for report in self.reports):
            return None
        try:
            return self.follows()
        except Exception:  # the learner's function raises what it likes, and then nothing follows from it
            return None


def number(
    got: Any,
    expected: float | None,
    what: str,
    *,
    tolerance: float = 1e-6,
    given: Given | None = None,
    kind: Kind | None = None,
    most: float | None = None,
    known: Sequence[Known] = (),
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
    known : sequence of Known
        Wrong numbers that are named.
    """
    case = _case(got, _problem(got, expected, tolerance, kind, most, known), expected)
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
    known: Mapping[str, Sequence[Known]] = MappingProxyType({}),
) -> Report:
    """Are these numbers the expected ones, one after the other? As `number`, for several at once.

    Parameters
    ----------
    expected : dict
        What each of them is, and the number or None: `{"pocket, train": 0.1, "pocket, test": 0.2}`.
    known : dict
        Of those that have known wrong numbers: `{"pocket, test": [Known(...)]}`.
    """
    values = _listed(got)
    if len(values) == len(expected) and not _is_missing(got):
        pairs = zip(values, expected.items(), strict=True)
        cases = [
            _case(value, _problem(value, right, tolerance, kind, most, known.get(name, ())), right, name)
            for value, (name, right) in pairs
        ]
    else:
        why = f"Give a list of {len(expected)} numbers: {', '.join(expected)}."
        problem = Problem("not_a_list", f"This cannot be used: {short(display(got), 60)}", why)
        if _is_missing(got):
            problem = Problem("no_values", "There are no values yet", why)
        cases = [_case(got, problem, right, name) for name, right in expected.items()]
    return _follow(_report("numbers", what, cases), tolerance, given)


def choice(got: Any, expected: str | None, what: str, *, options: str = "ABCDEF") -> Report:
    """Is a letter that someone chose the expected one? As `number`, for a letter out of a few."""
    letters = f"one of the letters {', '.join(options[:-1])} and {options[-1]}, in quotes."
    problem = None
    if _is_missing(got):
        problem = Problem("no_letter", "There is no letter yet", f"Replace `...` by {letters}")
    elif not isinstance(got, str) or len(got.strip()) != 1 or got.strip().upper() not in options:
        shown = short(display(got), 40)
        problem = Problem("not_a_letter", f"This is not one of the answers: {shown}", f"Give {letters}")
    elif expected is not None and got.strip().upper() != expected:
        problem = Problem("another_letter", f"{got} is not the right one", "Which of the answers makes this step true?")
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
    cases = [replace(case, right=True, problem=None) if case.name in followed else case for case in report.cases]
    known = _first_problem(cases)
    return replace(report, cases=tuple(cases), known=known, given=given.names, followed=tuple(followed))


def _is_near(got: Any, own: Any, tolerance: float) -> bool:
    """Is it the number that came out of the learner's own functions?"""
    return _not_one_number(own) is None and _problem(got, _float(own), tolerance) is None


def _float(value: Any) -> float:
    return float(numbers_of(value).item())  # type: ignore[union-attr]


def _case(got: Any, problem: Problem | None, solution: Any = None, name: str = "") -> Case:
    return Case(
        arguments={},
        outcome=Outcome("returned", got),
        right=problem is None,
        problem=problem,
        name=name,
        solution=solution,
    )


def _report(check: str, what: str, cases: Sequence[Case]) -> Report:
    return Report(check=check, subject=what, cases=tuple(cases), known=_first_problem(cases), about="value")


def _first_problem(cases: Sequence[Case]) -> Problem | None:
    return next((case.problem for case in cases if case.problem), None)


def _is_missing(got: Any) -> bool:
    return got is None or got is Ellipsis


def _problem(
    got: Any,
    expected: float | None,
    tolerance: float,
    kind: Kind | None = None,
    most: float | None = None,
    known: Sequence[Known] = (),
) -> Problem | None:
    """What is wrong with a number; of the expected one nothing is told."""
    tolerance = check_number(tolerance, "tolerance", 0, 1)
    if problem := _not_one_number(got):
        return problem
    problem = _impossible(_float(got), kind, most)
    if problem or expected is None or _near(_float(got), expected, tolerance):
        return problem
    named = [Problem(each.id, each.what, each.why) for each in known if _near(_float(got), each.value, tolerance)]
    return named[0] if named else _another_number(_float(got), float(expected), tolerance)


def _near(got: float, value: float, tolerance: float) -> bool:
    return abs(got - value) <= max(tolerance, 1e-12) * max(1.0, abs(value))


_PERCENT: Final = Problem(
    "percent", "It looks like per cent", "A fraction is asked for: 25 per cent, for example, is 0.25."
)


def _first(problems: Iterable[tuple[bool, Problem]]) -> Problem | None:
    """The first that is so."""
    return next((problem for is_so, problem in problems if is_so), None)


def _impossible(got: float, kind: Kind | None, most: float | None) -> Problem | None:
    """Why it cannot be right, whatever the right number is."""
    is_whole = got >= 0 and abs(got - round(got)) < 1e-9
    highest = np.inf if most is None else most
    count = Problem("no_count", f"{got:.6g} cannot be a count", "A count is a whole number, and not negative.")
    index = Problem("no_index", f"{got:.6g} cannot be an index", "The indices are whole numbers: 0, 1, …, N−1.")
    rate = Problem("no_rate", f"{got:.6g} cannot be a rate", "A rate is a number from 0 to 1.")
    large = Problem("too_large", f"{got:.6g} is too large", f"The largest possible value is {highest:.6g}.")
    return _first(
        [
            (kind == "count" and not is_whole, count),
            (kind == "index" and not is_whole, index),
            (kind == "rate" and 1 + 1e-9 < got <= 100, _PERCENT),
            (kind == "rate" and not 0 <= got <= 1 + 1e-9, rate),
            (got > highest + 1e-9, large),
        ]
    )


def _not_one_number(got: Any) -> Problem | None:
    """What keeps this from being a number at all."""
    array, shown = numbers_of(got), short(display(got), 40)
    kind = short(got.type if isinstance(got, Other) else type(got).__name__, 60)
    size = 1 if array is None else array.size
    is_finite = array is None or bool(np.isfinite(array).all())
    return _first(
        [
            (_is_missing(got), Problem("no_value", "There is no value yet", "Replace `...` by your number.")),
            (isinstance(got, str), Problem("text", f"{shown} is text", "Give the number itself, without quotes.")),
            (callable(got), Problem("function", "This is a function", "Call it, and give the number that it returns.")),
            (isinstance(got, bool | np.bool_), Problem("truth", f"{shown} is a truth value", "A number is asked for.")),
            (array is None, Problem("not_a_number", f"A value of type {kind} is not a number", "Give one number.")),
            (size != 1, Problem("several", f"These are {size} numbers", "One is asked for.")),
            (not is_finite, Problem("nan", f"It is {shown}", "Was something divided by 0?")),
        ]
    )


# How a number can differ from the expected one, of which nothing is told.
_OFF_BY_ONE: Final = Problem("off_by_one", "It is off by one", "Where does your count begin and end?")
_SIGN: Final = Problem(
    "sign", "It has the wrong sign", "Look for a minus sign too many or too few, or a difference the wrong way round."
)
_COMPLEMENT: Final = Problem(
    "complement", "It is 1 minus what is asked for", "Do you count what is right, or what is wrong?"
)
_SQUARED: Final = Problem("squared", "It is the square of what is asked for", "Take the root.")
_ROOT: Final = Problem("root", "It is the root of what is asked for", "Square it.")
_HALF: Final = Problem("half", "It is half of what is asked for", "Which factor of 2 is missing?")
_TWICE: Final = Problem("twice", "It is twice what is asked for", "Which factor of 2 is one too many?")
_ROUNDED: Final = Problem("rounded", "It is rounded too much", "Give more digits.")


def _another_number(got: float, expected: float, tolerance: float) -> Problem:
    """How this number differs from the expected one."""

    def near(value: float) -> bool:
        return _near(value, expected, tolerance)

    positive, is_whole = min(got, expected) > 0, expected == round(expected)
    why = "Run the cells above from the top, with your own id, and look at each step."
    return _first(
        [
            (is_whole and abs(got - expected) == 1, _OFF_BY_ONE),
            (near(-got), _SIGN),
            (near(got / 100), _PERCENT),
            (0 < expected < 1 and near(1 - got), _COMPLEMENT),
            (positive and near(abs(got) ** 0.5), _SQUARED),
            (positive and near(got**2), _ROOT),
            (not is_whole and near(2 * got), _HALF),
            (not is_whole and near(got / 2), _TWICE),
            (_is_rounded(got, expected), _ROUNDED),
        ]
    ) or Problem("another_number", f"{got:.6g} is not the right number", why)


def _is_rounded(got: float, expected: float) -> bool:
    """Is it the expected number, rounded to the decimals that it shows? (Anything small can be rounded to 0.)"""
    exponent = Decimal(repr(got)).normalize().as_tuple().exponent
    return got != 0 and round(expected, max(0, -int(exponent))) == got

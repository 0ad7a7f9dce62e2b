"""Numbers and letters that someone found: what is wrong with them, without giving the answer away."""

from collections.abc import Callable, Mapping, Sequence
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

    follows gives what the number would be, or the numbers, with the learner's functions; reports are those on the
    functions, with a seed. Nothing follows from a function that is no attempt at its own task: one that is right in no
    unseen case and makes no known mistake.
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

    what says what it is, in words: "the number of updates". With `expected=None` it is only seen whether the number is
    possible: a count or an index is whole and not negative, a rate lies between 0 and 1 (`kind=`), and none is larger
    than `most=`. It may be off by the tolerance, as a fraction of the expected number (of 1 if that is smaller). It is
    right, too, if it is what the learner's own functions give (`given=`); `known=` are wrong numbers that are named.
    """
    problem = _impossible(got, kind, most) or _difference(got, expected, tolerance, known)
    return _follow(_report("number", what, [_case(got, problem, expected)]), tolerance, given)


def numbers(
    got: Any,
    expected: Mapping[str, float | None],
    what: str,
    *,
    tolerance: float = 1e-6,
    given: Given | None = None,
    kind: Kind | None = None,
    known: Mapping[str, Sequence[Known]] = MappingProxyType({}),
) -> Report:
    """Are these numbers the expected ones, one after the other? As `number`, for several at once.

    expected and known are dictionaries: `{"train": 0.1, "test": 0.2}` and `{"test": [Known(...)]}`.
    """
    values, why = _listed(got), f"Give a list of {len(expected)} numbers: {', '.join(expected)}."
    if len(values) == len(expected):
        single = [
            number(value, right, "", tolerance=tolerance, kind=kind, known=known.get(name, ()))
            for value, (name, right) in zip(values, expected.items(), strict=True)
        ]
        cases = [replace(report.cases[0], name=name) for report, name in zip(single, expected, strict=True)]
    else:
        problem = Problem("not_a_list", f"This cannot be used: {short(display(got), 60)}", why)
        if _is_missing(got):
            problem = Problem("no_values", "There are no values yet", why)
        cases = [replace(_case(got, problem, right), name=name) for name, right in expected.items()]
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
    """The numbers one by one, also where some of them are missing; nothing if it is no list."""
    row = numbers_of(got)
    if row is not None:
        return list(row.ravel().tolist())
    return list(got) if isinstance(got, tuple | list) else []


def _follow(report: Report, tolerance: float, given: Given | None) -> Report:
    """The report; a number that follows from the learner's own functions counts as right."""
    own = [] if given is None or report.passed else _listed(given())
    if given is None or len(own) != len(report.cases):
        return report
    pairs = zip(report.cases, own, strict=True)
    followed = [case.name for case, value in pairs if not case.right and _is_own(case.outcome.value, value, tolerance)]
    cases = [replace(case, right=True, problem=None) if case.name in followed else case for case in report.cases]
    names = given.names if followed else ()
    return replace(_report(report.check, report.subject, cases), given=names, followed=tuple(followed))


def _is_own(got: Any, own: Any, tolerance: float) -> bool:
    """Is it the number that came out of the learner's own functions?"""
    return not (_impossible(own) or _impossible(got) or _difference(got, _float(own), tolerance))


def _float(value: Any) -> float:
    return float(numbers_of(value).item())  # type: ignore[union-attr]


def _case(got: Any, problem: Problem | None, solution: Any) -> Case:
    outcome = Outcome("returned", got)
    return Case(arguments={}, outcome=outcome, right=problem is None, problem=problem, solution=solution)


def _report(check: str, what: str, cases: Sequence[Case]) -> Report:
    problem = next((case.problem for case in cases if case.problem), None)
    return Report(check=check, subject=what, cases=tuple(cases), known=problem, about="value")


# --- What is wrong with a number -------------------------------------------------------------------------------------

_OFF_BY_ONE: Final = Problem("off_by_one", "It is off by one", "Where does your count begin and end?")
_SIGN: Final = Problem("sign", "It has the wrong sign", "Is a minus sign missing, or a difference the wrong way round?")
_FRACTION: Final = "A fraction is asked for: divide by the whole. (25 per cent is 0.25.)"
_PERCENT: Final = Problem("percent", "It looks like per cent", _FRACTION)
_COMPLEMENT: Final = Problem("complement", "It is 1 minus what is asked for", "Do you count what is right or wrong?")
_ROUNDED: Final = Problem("rounded", "It is rounded too much", "Give more digits.")


def _is_missing(got: Any) -> bool:
    return got is None or got is Ellipsis


def _impossible(got: Any, kind: Kind | None = None, most: float | None = None) -> Problem | None:
    """Why it cannot be right, whatever the right number is."""
    if _is_missing(got):
        return Problem("no_value", "There is no value yet", "Replace `...` by your number.")
    array, name = numbers_of(got), got.type if isinstance(got, Other) else type(got).__name__
    if array is None or isinstance(got, bool | np.bool_):
        return Problem("not_a_number", f"This is of type {short(name, 60)}, not a number", "Give the number itself.")
    if array.size != 1:
        return Problem("several", f"These are {array.size} numbers", "One is asked for.")
    if not np.isfinite(array).all():
        return Problem("nan", f"It is {short(display(got), 40)}", "Was something divided by 0?")
    return _out_of_range(_float(got), kind, most)


def _out_of_range(value: float, kind: Kind | None, most: float | None) -> Problem | None:
    shown, is_whole = f"{value:.6g}", value >= 0 and abs(value - round(value)) < 1e-9
    if kind in ("count", "index") and not is_whole:
        return Problem(f"no_{kind}", f"{shown} is not possible", "It has to be a whole number, and not negative.")
    if kind == "rate" and 1 + 1e-9 < value <= 100:
        return Problem("percent", "It is above 1", _FRACTION)
    if kind == "rate" and not 0 <= value <= 1 + 1e-9:
        return Problem("no_rate", f"{shown} cannot be a rate", "A rate is a number from 0 to 1.")
    if most is not None and value > most + 1e-9:
        return Problem("too_large", f"{shown} is too large", f"The largest possible value is {most:.6g}.")
    return None


def _difference(got: Any, expected: float | None, tolerance: float, known: Sequence[Known] = ()) -> Problem | None:
    """How this differs from the expected number, if there is one; nothing is told about that."""
    if expected is None:
        return None
    value, tolerance = _float(got), max(check_number(tolerance, "tolerance", 0, 1), 1e-12)

    def near(other: float, right: float = float(expected)) -> bool:
        return abs(other - right) <= tolerance * max(1.0, abs(right))

    problems = [
        *((near(value, each.value), Problem(each.id, each.what, each.why)) for each in known),
        (expected == round(expected) and abs(value - expected) == 1, _OFF_BY_ONE),
        (near(-value), _SIGN),
        (near(value / 100), _PERCENT),
        (0 < expected < 1 and near(1 - value), _COMPLEMENT),
        (_is_rounded(value, expected), _ROUNDED),
    ]
    why = "Run the cells above from the top, with your own id, and look at each step."
    other = Problem("another_number", f"{value:.6g} is not the right number", why)
    return None if near(value) else next((problem for is_so, problem in problems if is_so), other)


def _is_rounded(got: float, expected: float) -> bool:
    """Is it the expected number, rounded to the decimals that it shows? (Anything small can be rounded to 0.)"""
    exponent = Decimal(repr(got)).normalize().as_tuple().exponent
    return got != 0 and round(expected, max(0, -int(exponent))) == got

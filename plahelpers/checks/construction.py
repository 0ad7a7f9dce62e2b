"""Data that a learner constructs: they are looked at and measured.

In a chapter the learner gives the data themselves (`data_check`), in a homework a function that makes them, so that
they can be made again where the work is graded (`construction`).
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from plahelpers import _format, guarantee, learning
from plahelpers._guard import Outcome
from plahelpers._validation import FloatArray, IntArray, check_data, check_points
from plahelpers.checks.judge import SECONDS, Check, is_unwritten, name_of, named, run
from plahelpers.checks.report import Report, remember
from plahelpers.checks.result import Case, Problem, Section
from plahelpers.checks.sections import BIAS
from plahelpers.checks.sentences import capital, display, short

Finding: TypeAlias = tuple[Problem | None, str]  # what is wrong with the data, and what was measured
Measure: TypeAlias = Callable[[FloatArray, IntArray], Finding]
DataMeasure: TypeAlias = Callable[[FloatArray, IntArray], tuple[bool, str]]  # as asked? and what was found

_MOST: Final = 20  # examples that a learner may give
MOST_UPDATES: Final = 100_000  # that are counted
_ONLY_ONCE: Final = "It was called twice and gave different data. If it uses random numbers, fix its seed."


def data_check(
    *, title: str, read: Section, columns: int = 2, count: int | None = None, separable: bool = True
) -> Callable[[DataMeasure], Check]:
    """Turn a measure into the check of data that a learner gives: (X, y) → are they as asked, and what was found?

    Its docstring says what is asked for. The measure gets only data with so many columns and so many examples, and only
    separable ones if separable is True.
    """

    def decorate(measure: DataMeasure) -> Check:
        def measured(X: FloatArray, y: IntArray) -> Finding:
            is_right = False
            if count is not None and len(y) != count:
                found = f"{_format.count(len(y), 'example')}, where {count} are asked for"
            elif separable and not guarantee.separate(X, y).separable:
                found = "these examples are not separable"
            else:
                is_right, found = measure(X, y)
            return None if is_right else Problem("not_as_asked", found, ""), found

        contract = " ".join(str(measure.__doc__).split())
        asked = contract[:1].lower() + contract[1:].rstrip(".")

        def check(X: Any, y: Any) -> Report:
            case = _judge(Outcome("returned", (X, y)), measured, _MOST, asked, columns)
            return _report(measure.__name__, title, (case,), read)

        return named(check, measure.__name__, measure.__doc__)

    return decorate


def construction(*, most: int, expected: str, read: Section, title: str = "") -> Callable[[Measure], Check]:
    """Turn a measure of (X, y) into the check of functions that make such data, with at most so many examples.

    The learner's function is called twice, and must do it both times.
    """

    def decorate(measure: Measure) -> Check:
        def check(function: Callable[..., Any], *, seconds: float = SECONDS) -> Report:
            unwritten = is_unwritten(function)
            tried = [Outcome("not tried")] * 2 if unwritten else run(function, [(), ()], measure.__name__, seconds)
            cases = tuple(_judge(outcome, measure, most, expected) for outcome in tried)
            return _report(
                measure.__name__,
                title or measure.__name__,
                cases,
                read,
                subject=name_of(function),
                returns="two arrays, (X, y)",
                notes=(_ONLY_ONCE,) if sum(case.right for case in cases) == 1 else (),
                seconds=seconds,
                unwritten=unwritten,
            )

        return named(check, measure.__name__, measure.__doc__)

    return decorate


def _report(check: str, title: str, cases: tuple[Case, ...], read: Section, subject: str = "", **more: Any) -> Report:
    problem = next((case.problem for case in cases if case.problem), None)
    known = problem._replace(read=problem.read or read) if problem else None
    return remember(Report(check=check, title=title, subject=subject, cases=cases, known=known, about="data", **more))


def _judge(outcome: Outcome, measure: Measure, most: int, expected: str, columns: int = 2) -> Case:
    problem, remark = _look_at(outcome.value, measure, most, columns) if outcome.kind == "returned" else (None, "")
    right = outcome.kind == "returned" and problem is None
    return Case(arguments={}, outcome=outcome, right=right, expected=expected, remark=remark, problem=problem)


def _look_at(value: Any, measure: Measure, most: int, columns: int) -> Finding:
    if not isinstance(value, tuple | list) or len(value) != 2:
        return Problem("not_a_pair", "it does not return two things", "End it with `return X, y`."), ""
    X, y = value
    if problem := _not_in_shape(X, y, most, columns):
        return problem, f"X = {short(display(X), 120)}, y = {short(display(y), 80)}"
    return measure(*check_data(X, y))


def _not_in_shape(X: Any, y: Any, most: int, columns: int) -> Problem | None:
    """What keeps these from being N examples with labels ±1; the sentences are the package's own."""
    try:
        points = check_points(X)
    except (TypeError, ValueError) as error:
        return Problem("no_table", "X is no table of numbers", f"Is X first, then y? {capital(str(error))}")
    N, d = points.shape
    if d != columns:
        asked = "One is asked for: each row is a list with one number." if columns == 1 else "Two are asked for."
        bias = " The constant x₀ = +1 does not belong in X." if (points[:, 0] == 1).all() else ""
        return Problem("wrong_shape", f"X has {_format.count(d, 'column')}", asked + bias, BIAS if bias else None)
    if most < N:
        return Problem("too_many", f"there are {N} examples", f"At most {_format.count(most, 'example')} are allowed.")
    try:
        check_data(points, y)
    except (TypeError, ValueError) as error:
        return Problem("wrong_labels", "these are not labels for the examples", capital(str(error)))
    return None


def updates_of_pla(X: FloatArray, y: IntArray, **how: Any) -> int:
    """How many updates cyclic PLA makes; it looks no further than MOST_UPDATES.

    Pocket walks as PLA does, and does not warn of a spent budget: that could not be silenced in one thread only.
    """
    return learning.pocket(X, y, **{"order": "cyclic", "max_updates": MOST_UPDATES, "keep_path": False, **how}).updates


def in_words(updates: int) -> str:
    """How many updates were counted: "3 updates"; where the counting ended, "100,000 updates or more"."""
    return _format.count(updates, "update") + (" or more" if updates == MOST_UPDATES else "")

"""Data that a learner constructs: made twice, looked at, and measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from plahelpers._guard import Outcome
from plahelpers._validation import FloatArray, IntArray, check_data, check_points
from plahelpers.checks.judge import SECONDS, is_unwritten, name_of, run
from plahelpers.checks.report import Case, Report
from plahelpers.checks.sentences import Note, display, short

Finding: TypeAlias = tuple[Note | None, Note | None]  # what is wrong with the data, and what to say of them
Measure: TypeAlias = Callable[[FloatArray, IntArray], Finding]


class Check(Protocol):
    """A check as learners call it."""

    def __call__(
        self, function: Callable[..., Any], *, seconds: float = SECONDS, seed: int | None = None
    ) -> Report: ...


def construction(*, most: int, expected: Note) -> Callable[[Measure], Check]:
    """Turn a measure of (X, y) into the check of functions that make such data, with at most so many examples.

    The learner's function is called twice, and must do it both times. (A seed changes nothing: there is nothing to
    give it.)
    """

    def decorate(measure: Measure) -> Check:
        def check(function: Callable[..., Any], *, seconds: float = SECONDS, seed: int | None = None) -> Report:  # noqa: ARG001
            unwritten = is_unwritten(function)
            tried = [Outcome("not tried")] * 2 if unwritten else run(function, [(), ()], measure.__name__, seconds)
            cases = tuple(_judge(outcome, measure, most, expected) for outcome in tried)
            return Report(
                check=measure.__name__,
                subject=name_of(function),
                cases=cases,
                known=next((case.mistake for case in cases if case.mistake), None),
                notes=(Note("data.only_once"),) if sum(case.right for case in cases) == 1 else (),
                seconds=seconds,
                unwritten=unwritten,
            )

        check.__name__ = check.__qualname__ = measure.__name__
        check.__doc__, check.__module__ = measure.__doc__, "plahelpers.checks"
        return check

    return decorate


def _judge(outcome: Outcome, measure: Measure, most: int, expected: Note) -> Case:
    problem, remark = _look_at(outcome.value, measure, most) if outcome.kind == "returned" else (None, None)
    right = outcome.kind == "returned" and problem is None
    return Case(arguments={}, outcome=outcome, right=right, expected=expected, remark=remark, mistake=problem)


def _look_at(value: Any, measure: Measure, most: int) -> Finding:
    if value is None:
        return Note("data.nothing_returned"), None
    if not isinstance(value, tuple | list) or len(value) != 2:
        return Note("data.not_a_pair"), None
    X, y = value
    if problem := _not_in_shape(X, y, most):
        remark = Note("data.pair", X=short(display(X), 120), y=short(display(y), 80))
        return problem if _not_in_shape(y, X, most) else Note("data.swapped"), remark
    return measure(*check_data(X, y))


def _not_in_shape(X: Any, y: Any, most: int) -> Note | None:
    """What keeps these from being N examples of the plane with labels ±1; the sentences are the package's own."""
    try:
        points = check_points(X)
    except (TypeError, ValueError) as error:
        return Note("data.no_table", error=error)
    N, d = points.shape
    if d == 3 and (points[:, 0] == 1).all():
        return Note("data.with_bias", columns=d)
    if d != 2:
        return Note("data.wrong_shape", columns=d)
    if most < N:
        return Note("data.too_many", examples=N, most=most)
    try:
        check_data(points, y)
    except (TypeError, ValueError) as error:
        return Note("data.wrong_labels", error=error)
    return None

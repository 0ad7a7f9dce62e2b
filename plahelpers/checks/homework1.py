"""Homework 1: PLA that turns round, w from counts, how often each example is corrected, a half step that is faster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import datasets, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter02 import WALKS, Walk, as_walk, explain_whole_walk, mistakes_beside_w, then, walk
from plahelpers.checks.construction import Finding, construction
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import Bias, Correction, IsMistake, Step
from plahelpers.checks.report import Answer, same
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Version

__all__ = ["how_often", "smaller_step", "turning_pla", "weights_from_counts"]

Turn: TypeAlias = Callable[[int, int, int], tuple[int, int]]  # (n, way, N) → which example is next, and which way

START: Final = (-13.0, 5.0, 0.0)  # where the two step sizes begin


# --- PLA that turns round --------------------------------------------------------------------------------------------


def _turn(n: int, way: int, N: int) -> tuple[int, int]:
    return (n - way) % N, -way


def _turning(
    X: FloatArray,
    y: IntArray,
    *,
    bias: Bias = pieces.bias_first,
    is_mistake: IsMistake = pieces.zero_is_minus,
    step: Step = pieces.plus_yx,
    start: float = 0.0,
    way: int = 1,
    after: Turn = _turn,
    visits: Iterable[int] | None = None,
    enough: Callable[[int], int] = lambda N: N,
    in_a_row: bool = True,
) -> Iterator[Correction]:
    """The start, then the corrections of the walk that turns round at each of them, with one piece exchanged.

    after says where a correction leads; visits, how many there may be; enough, from N, how many of them without a
    correction end the walk, in_a_row or not.
    """
    Z, N = bias(X), len(y)
    w, n, clean = np.full(Z.shape[1], start), 0, 0
    yield Correction(-1, -1, w)
    for visit in pieces.count_visits(X) if visits is None else visits:
        if clean >= enough(N):
            return
        if is_mistake(float(w @ Z[n]), int(y[n])):
            w, clean = step(w, Z[n], int(y[n])), 0 if in_a_row else clean
            yield Correction(visit, n, w)
            n, way = after(n, way, N)
        else:
            n, clean = (n + way) % N, clean + 1


def _walk(X: FloatArray, y: IntArray, **parts: Any) -> Walk:
    """The walk with one piece exchanged."""
    return as_walk(_turning(X, y, **parts))


def _counting_visits(*, to_the_end: bool) -> Version:
    """The right w and picks, and visits in place of updates: up to the last update, or those after it, too."""

    def version(X: FloatArray, y: IntArray) -> Walk:
        steps = list(_turning(X, y))
        w, _, picks = as_walk(steps)
        return w, steps[-1].visit + 1 + to_the_end * len(y), picks

    return version


def _fixed(*, passes: int = 0, visits: int = 0) -> Version:
    """So many passes, or visits, clean or not."""
    return lambda X, y: _walk(X, y, visits=range(passes * len(y) + visits))


_MISTAKES: Final = (
    *pieces.mistakes_in_walk(partial(partial, _walk)),
    Mistake("never_turns", walk),
    Mistake("there_and_back", lambda X, y: walk(X, y, [*range(len(y)), *range(len(y) - 2, 0, -1)])),
    Mistake("turns_once", partial(_walk, after=lambda n, _way, N: ((n - 1) % N, -1))),
    Mistake("turns_late", partial(_walk, after=lambda n, way, N: ((n + way) % N, -way))),
    Mistake("stays", *(partial(_walk, after=lambda n, way, _N, k=k: (n, k * way)) for k in (-1, 1))),
    Mistake("restarts", *(partial(_walk, after=lambda _n, way, _N, k=k: (0, k * way)) for k in (-1, 1))),
    Mistake("downwards", partial(_walk, way=-1)),
    *(known for known in WALKS if known.id in ("worst_first", "every_point", "batch")),
    Mistake("one_too_few_in_a_row", partial(_walk, enough=lambda N: N - 1)),
    Mistake("not_in_a_row", partial(_walk, in_a_row=False)),
    Mistake("first_right_ends", partial(_walk, enough=lambda _N: 1)),
    Mistake("one_pass", _fixed(passes=1)),
    Mistake("one_update", then(_walk, lambda w, _T, picks: (w, 1, picks[:1]))),
    Mistake(
        "fixed_passes",
        *(_fixed(passes=passes) for passes in (*range(2, 11), 20, 50, 100, 125, 200, 500, 1000)),
        *(_fixed(visits=visits) for visits in (100, 200, 500, 1000, 2000, 5000, 10_000)),
    ),
    Mistake("counts_visits", *(_counting_visits(to_the_end=end) for end in (True, False))),
    *mistakes_beside_w(_walk),
)


def _turning_cases() -> list[Arguments]:
    """(X, y), the smallest first, one that takes very many visits, and the running example."""
    return [
        pieces.examples([[2, 1]], [1]),
        pieces.examples([[2, 1]], [-1]),
        pieces.examples([[1, -1], [3, -1], [0, 1], [2, 2]], [-1, -1, -1, 1]),
        pieces.examples([[1, 3], [2, -1]], [-1, 1]),
        pieces.examples(*datasets.textbook_example()),
        pieces.examples([[1, 2, 0], [0, -1, 3], [2, 2, 1], [-1, 0, 1], [3, -2, -1]], [1, -1, 1, -1, 1]),
        pieces.examples([[56], [93], [94], [43]], [-1, -1, 1, -1]),  # 13,398 visits: no fixed number of them will do
        pieces.examples(*datasets.running_example()),
    ]


def _explain_turning(answer: Answer, X: FloatArray, y: IntArray) -> list[Note]:
    _, picks, path, _ = map(np.array, zip(*_turning(X, y, visits=count()), strict=True))
    return explain_whole_walk(answer, X, y, path, picks[1:], Note("turning_pla.clean"))


@exercise(
    returns=(Part("w", "row"), Part("updates", "number"), Part("picks", "row")),
    cases=_turning_cases,
    fresh=lambda rng: [(X, y) for X, y, _ in pieces.fresh_separable(rng)],
    mistakes=_MISTAKES,
    key="w",
    explain=_explain_turning,
)
def turning_pla(X: FloatArray, y: IntArray) -> Walk:
    """Is my_pla(X, y) the PLA that turns round at every correction?

    It starts at example 0 and goes up, and after a correction it goes on in the other direction, from N−1 to 0 or from
    0 to N−1 where it comes to an end of the data. It returns (w, updates, picks), as for `pla`.
    """
    return _walk(X, y, visits=count())


def own_walk(pla: Version, X: FloatArray, y: IntArray) -> Walk | None:
    """What a learner's PLA gives on separable data; None if it is no attempt: no walk, mistakes left, a constant.

    One mistake may be left: whoever stops after N − 1 visits in a row has made an attempt.
    """
    w, updates, picks = pla(X, y)
    perhaps = len(picks) > 0 and np.any(w) and np.count_nonzero(y * hypothesis.scores(w, X) < 0) <= 1
    if not perhaps or same(_as_answer(w, updates, picks), _as_answer(*pla(X[::-1], y[::-1]))):
        return None
    return w, updates, picks


def _as_answer(w: Any, updates: Any, picks: Any) -> Answer:
    return {"w": np.asarray(w, float), "updates": np.asarray(updates, float), "picks": np.asarray(picks, float)}


# --- From counts to w ------------------------------------------------------------------------------------------------


def _counted() -> list[Arguments]:
    """(X, y, counts)."""
    return [
        (*pieces.examples([[2, 5]], [1]), np.array([1])),
        (*pieces.examples([[3], [1]], [1, -1]), np.array([2, 3])),
        (*pieces.examples([[1, 3], [2, -1], [0, 4]], [-1, 1, -1]), np.array([0, 0, 0])),
        (*pieces.examples(*datasets.textbook_example()), np.array([2, 0, 5])),
        (*pieces.examples([[1, 2, 0], [0, -1, 3], [2, 2, 1]], [1, -1, -1]), np.array([4, 1, 0])),
    ]


def _weights(bias: Bias = pieces.bias_first, factor: Callable[..., Any] = lambda y, counts: counts * y) -> Version:
    return lambda X, y, counts: factor(y, counts) @ bias(X)


@exercise(
    returns=ROW,
    cases=_counted,
    fresh=lambda rng: [(X, y, rng.integers(0, 6, len(y))) for X, y, _ in pieces.fresh_separable(rng)],
    mistakes=(
        Mistake("update_without_y", _weights(factor=lambda _y, counts: counts)),
        Mistake("no_bias", _weights(np.array), _weights(pieces.bias_zero)),
        Mistake("bias_last", _weights(pieces.bias_last)),
        Mistake("bias_without_y", lambda X, y, counts: np.append(counts.sum(), (counts * y) @ X)),
        Mistake("once_each", _weights(factor=lambda y, counts: (counts > 0) * y)),
        Mistake("ignores_counts", _weights(factor=lambda y, _counts: y)),
        Mistake("mean_correction", _weights(factor=lambda y, counts: counts * y / max(counts.sum(), 1))),
        Mistake("minus_update", _weights(factor=lambda y, counts: -counts * y)),
    ),
)
def weights_from_counts(X: FloatArray, y: IntArray, counts: IntArray) -> FloatArray:
    """Does my_weights(X, y, counts) return the w of PLA from w = 0 that corrected example n counts[n] times?

    Explained in chapter 2, "PLA in the lecture's words".
    """
    return np.asarray((counts * y) @ pieces.bias_first(X))


# --- How often each example is corrected -----------------------------------------------------------------------------


def _corrected(X: FloatArray, y: IntArray, cycles: IntArray) -> IntArray:
    """A row for each run: how often it corrects each example."""
    return np.array([np.bincount(learning.pla(X, y, order=cycle).picks, minlength=len(y)) for cycle in cycles])


def _by_position(X: FloatArray, y: IntArray, cycles: IntArray) -> IntArray:
    """The same, by the place of the example in the cycle of the run."""
    return np.array([row[cycle] for row, cycle in zip(_corrected(X, y, cycles), cycles, strict=True)])


def _same_cycle(X: FloatArray, y: IntArray, cycles: IntArray) -> IntArray:
    return _corrected(X, y, np.tile(np.arange(len(y)), (len(cycles), 1)))


def _rates(counts: IntArray) -> tuple[FloatArray, FloatArray]:
    return counts.mean(axis=0), (counts > 0).mean(axis=0)


def _of_counts(answer: Callable[[IntArray], Any]) -> Version:
    return lambda X, y, cycles: answer(_corrected(X, y, cycles))


def _often_cases() -> list[Arguments]:
    """(X, y, cycles), from one run on one example to many on the running example."""
    rng = np.random.default_rng(3)
    running = pieces.examples(*datasets.running_example())
    return [
        (*pieces.examples([[2, 1]], [1]), np.array([[0]])),
        (*pieces.examples([[4], [1], [2]], [-1, 1, -1]), np.array([[0, 1, 2], [2, 1, 0]])),
        (*pieces.examples([[1], [2], [4], [3]], [-1, -1, 1, 1]), np.array([[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]])),
        (*pieces.examples(*datasets.textbook_example()), np.array([[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]])),
        (*running, pieces.permutations(rng, 5, 20)),
        (*running, pieces.permutations(rng, 8, 20)),
    ]


def _explain_often(answer: Answer, X: FloatArray, y: IntArray, cycles: IntArray) -> list[Note]:
    right = dict(zip(("mean", "share"), _rates(_corrected(X, y, cycles)), strict=True))
    lengths = [Note("how_often.length", name=name, entries=value.size, N=len(y)) for name, value in answer.items()]
    wrong = [note for note in lengths if note.details["entries"] != len(y)]
    fine = [name for name, value in answer.items() if same({name: value}, {name: right[name]})]
    return [*wrong, *(Note("how_often.one_is_right", name=name) for name in fine)]


@exercise(
    returns=(Part("mean", "row"), Part("share", "row")),
    cases=_often_cases,
    fresh=lambda rng: [(X, y, pieces.permutations(rng, 6, len(y))) for X, y, _ in pieces.fresh_separable(rng)],
    mistakes=(
        Mistake("positions", lambda *case: _rates(_by_position(*case))),
        Mistake("ignores_order", lambda *case: _rates(_same_cycle(*case))),
        Mistake("exchanged", _of_counts(lambda counts: _rates(counts)[::-1])),
        Mistake("totals", _of_counts(lambda counts: (counts.sum(axis=0), (counts > 0).sum(axis=0)))),
        Mistake("total_and_share", _of_counts(lambda counts: (counts.sum(axis=0), _rates(counts)[1]))),
        Mistake(
            "share_of_corrections", _of_counts(lambda counts: (_rates(counts)[0], counts.sum(axis=0) / counts.sum()))
        ),
        Mistake("first_run_only", lambda X, y, cycles: _rates(_corrected(X, y, cycles[:1]))),
        Mistake("last_run_only", lambda X, y, cycles: _rates(_corrected(X, y, cycles[-1:]))),
        Mistake("all_or_nothing", _of_counts(lambda counts: (counts.mean(axis=0), counts.any(axis=0)))),
    ),
    explain=_explain_often,
)
def how_often(X: FloatArray, y: IntArray, cycles: IntArray) -> tuple[FloatArray, FloatArray]:
    """Does my_experiment(X, y, cycles) run PLA from w = 0 once for each cycle, and return (mean, share)?

    cycles is an array with one order of visits in each row. Entry n of mean is how often a run corrects example n, on
    average. Entry n of share is the share of the runs that correct example n at least once.
    Explained in chapter 2, "Further: 2000 shuffled cycles".
    """
    return _rates(_corrected(X, y, cycles))


def own_means(function: Version, X: FloatArray, y: IntArray, cycles: IntArray) -> FloatArray | None:
    """The means of a learner's how_often; None if it is no attempt: another size, nothing corrected, a constant."""
    mean, few = (np.asarray(function(X, y, some)[0], float) for some in (cycles, cycles[:10]))
    perhaps = mean.shape == y.shape and (mean >= 0).all() and mean.sum() > 0
    return mean if perhaps and not np.array_equal(mean, few) else None


# --- A half step that is faster --------------------------------------------------------------------------------------

_LONG: Final = 20  # the whole step shall make more updates than this


@construction(most=6, expected=Note("smaller_step.expected", long=_LONG))
def smaller_step(X: FloatArray, y: IntArray) -> Finding:
    """Does my_data() make data on which PLA with η = ½ makes exactly one update, and with η = 1 more than 20?

    It returns (X, y): X with two columns and at most six rows, y of −1 and +1. PLA is the cyclic one, from
    w = (−13, 5, 0). Explained in chapter 2, "Further: The step size".
    """
    half, whole = (pieces.updates_of_pla(X, y, start=START, eta=eta) for eta in (0.5, 1.0))
    measured = Note("smaller_step.measured", half=half, whole=whole)
    if half != 1:
        return Note("smaller_step.half_step", updates=half), measured
    return (None if whole > _LONG else Note("smaller_step.too_short", updates=whole)), measured

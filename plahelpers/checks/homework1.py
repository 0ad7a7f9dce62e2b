"""Homework 1: PLA that turns round, w from counts, how often each example is corrected, a half step that is faster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import _format, datasets, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.cases import examples, fresh_separable
from plahelpers.checks.chapter02 import (
    WALKS,
    Walk,
    as_walk,
    explain_whole_walk,
    miscounts,
    mistakes_in_picks,
    then,
    walk,
)
from plahelpers.checks.construction import Finding, construction, updates_of_pla
from plahelpers.checks.judge import exercise
from plahelpers.checks.result import Answer, Problem, same
from plahelpers.checks.sections import BIAS, CORRECT, ETA, HISTOGRAM, WORDS
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Rng, Version
from plahelpers.checks.variants import (
    Bias,
    Correction,
    IsMistake,
    Step,
    bias_first,
    bias_last,
    bias_zero,
    count_visits,
    minus_update,
    mistakes_in_walk,
    plus_yx,
    zero_is_minus,
)

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
    bias: Bias = bias_first,
    is_mistake: IsMistake = zero_is_minus,
    step: Step = plus_yx,
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
    for visit in count_visits(X) if visits is None else visits:
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
    return lambda X, y, **parts: _walk(X, y, visits=range(passes * len(y) + visits), **parts)


_MISTAKES: Final = (
    *mistakes_in_walk(_walk),
    minus_update(*(_fixed(passes=passes) for passes in (1, 10, 100, 1000))),
    Mistake(
        "never_turns",
        "it always goes up: this is the cyclic PLA",
        "After a correction it should go on in the other direction.",
        walk,
    ),
    Mistake(
        "there_and_back",
        "it turns round at the first and the last example, and not at corrections",
        "It turns round after every correction, and only then. From N−1 it goes up to 0, and from 0 it goes "
        "down to N−1.",
        lambda X, y: walk(X, y, [*range(len(y)), *range(len(y) - 2, 0, -1)]),
    ),
    Mistake(
        "turns_once",
        "it turns round at the first correction and then goes down for ever",
        "Every correction changes the direction: from up to down, from down to up.",
        partial(_walk, after=lambda n, _way, N: ((n - 1) % N, -1)),
    ),
    Mistake(
        "turns_late",
        "after a correction it still goes to the next example in the old direction, and turns round only there",
        "First change the direction, then move on.",
        partial(_walk, after=lambda n, way, N: ((n + way) % N, -way)),
    ),
    Mistake(
        "stays",
        "after a correction it visits the same example once more",
        "It should turn round and visit the neighbour, whether the corrected example is right now or not.",
        *(partial(_walk, after=lambda n, way, _N, k=k: (n, k * way)) for k in (-1, 1)),
    ),
    Mistake(
        "restarts",
        "after a correction it begins again at example 0",
        "It should turn round where it is: from example n to n − 1, or to n + 1 if it was going down.",
        *(partial(_walk, after=lambda _n, way, _N, k=k: (0, k * way)) for k in (-1, 1)),
    ),
    Mistake(
        "downwards",
        "it goes down at the beginning",
        "It begins with the examples 0, 1, 2, …, and turns round at the first correction.",
        partial(_walk, way=-1),
    ),
    *(known for known in WALKS if known.id in ("every_point", "batch")),
    Mistake(
        "one_too_few_in_a_row",
        "it stops after N − 1 visits in a row without a correction",
        "One example has not been visited then: the one that was corrected last, or at the beginning example N−1.",
        partial(_walk, enough=lambda N: N - 1),
    ),
    Mistake(
        "not_in_a_row",
        "it stops when it has seen N right examples in all, with corrections between them",
        "After a correction, what was right before may be wrong: begin to count again from 0.",
        partial(_walk, in_a_row=False),
    ),
    Mistake(
        "first_right_ends",
        "it stops at the first example that is right",
        "It may stop only when all N examples are right.",
        partial(_walk, enough=lambda _N: 1),
    ),
    Mistake(
        "one_pass",
        "it makes N visits and stops, clean or not",
        "A correction can spoil an example that was right: go on until N visits in a row need no correction.",
        _fixed(passes=1),
    ),
    Mistake(
        "one_update",
        "it stops after its first update",
        "Go on until N visits in a row need no correction.",
        then(_walk, lambda w, _T, picks: (w, 1, picks[:1])),
    ),
    Mistake(
        "fixed_passes",
        "it stops after a fixed number of visits, clean or not",
        "How many are needed is not known in advance: go on until N visits in a row need no correction.",
        *(_fixed(passes=passes) for passes in (*range(2, 11), 20, 50, 100, 125, 200, 500, 1000)),
        *(_fixed(visits=visits) for visits in (100, 200, 500, 1000, 2000, 5000, 10_000)),
    ),
    Mistake(
        "counts_visits",
        "its w is right, but it counts visits instead of updates",
        "T counts corrections only: no visits to examples that are right, and no passes.",
        *(_counting_visits(to_the_end=end) for end in (True, False)),
    ),
    miscounts(_walk),
    *mistakes_in_picks(_walk),
)


def _turning_cases() -> list[Arguments]:
    """(X, y), the smallest first, one that takes very many visits, and the running example."""
    return [
        examples([[2, 1]], [1]),
        examples([[2, 1]], [-1]),
        examples([[1, -1], [3, -1], [0, 1], [2, 2]], [-1, -1, -1, 1]),
        examples([[1, 3], [2, -1]], [-1, 1]),
        examples([[-3], [0], [4]], [-1, 1, 1]),  # whoever adds x, whatever y is, comes to an end here
        examples(*datasets.textbook_example()),
        examples([[1, 2, 0], [0, -1, 3], [2, 2, 1], [-1, 0, 1], [3, -2, -1]], [1, -1, 1, -1, 1]),
        examples([[56], [93], [94], [43]], [-1, -1, 1, -1]),  # 13,398 visits: no fixed number of them will do
        examples(*datasets.running_example()),
    ]


def _explain_turning(answer: Answer, X: FloatArray, y: IntArray) -> list[str]:
    _, picks, path, _ = map(np.array, zip(*_turning(X, y, visits=count()), strict=True))
    return explain_whole_walk(answer, X, y, path, picks[1:], "then N visits in a row need no correction")


@exercise(
    title="PLA that turns round",
    parts=(Part("w", "row"), Part("updates", "number"), Part("picks", "row")),
    returns="(w, updates, picks), these three in this order",
    read=WORDS,
    cases=_turning_cases,
    fresh=lambda rng: [(X, y) for X, y, _ in fresh_separable(rng)],
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
        (*examples([[2, 5]], [1]), np.array([1])),
        (*examples([[3], [1]], [1, -1]), np.array([2, 3])),
        (*examples([[1, 3], [2, -1], [0, 4]], [-1, 1, -1]), np.array([0, 0, 0])),
        (*examples(*datasets.textbook_example()), np.array([2, 0, 5])),
        (*examples([[1, 2, 0], [0, -1, 3], [2, 2, 1]], [1, -1, -1]), np.array([4, 1, 0])),
    ]


def _weights(bias: Bias = bias_first, factor: Callable[..., Any] = lambda y, counts: counts * y) -> Version:
    return lambda X, y, counts: factor(y, counts) @ bias(X)


@exercise(
    title="w from counts",
    parts=ROW,
    returns="w with its d + 1 entries",
    read=WORDS,
    cases=_counted,
    fresh=lambda rng: [(X, y, rng.integers(0, 6, len(y))) for X, y, _ in fresh_separable(rng)],
    mistakes=(
        Mistake(
            "update_without_y",
            "it adds up the x and forgets y",
            "A correction of an example with y = −1 subtracts x.",
            _weights(factor=lambda _y, counts: counts),
            read=CORRECT,
        ),
        Mistake(
            "no_bias",
            "its w has no w₀, or its w₀ is always 0",
            "A correction also changes w₀: x₀ = +1 belongs to x.",
            _weights(np.array),
            _weights(bias_zero),
            read=BIAS,
        ),
        Mistake(
            "bias_last",
            "its w₀ is the last entry",
            "w₀ is the first entry of w.",
            _weights(bias_last),
            read=BIAS,
        ),
        Mistake(
            "bias_without_y",
            "its w₀ is the number of all corrections",
            "A correction of an example with y = −1 makes w₀ smaller by 1.",
            lambda X, y, counts: np.append(counts.sum(), (counts * y) @ X),
            read=BIAS,
        ),
        Mistake(
            "once_each",
            "it takes each corrected example once",
            "An example that was corrected three times was added three times.",
            _weights(factor=lambda y, counts: (counts > 0) * y),
        ),
        Mistake(
            "ignores_counts",
            "it adds every example once, whatever the counts are",
            "Example n was added counts[n] times.",
            _weights(factor=lambda y, _counts: y),
        ),
        Mistake(
            "mean_correction",
            "it divides by the number of corrections",
            "The corrections are added up. Nothing is divided.",
            _weights(factor=lambda y, counts: counts * y / max(counts.sum(), 1)),
        ),
        Mistake(
            "minus_update",
            "it subtracts the corrections",
            "Each correction adds y x.",
            _weights(factor=lambda y, counts: -counts * y),
            read=CORRECT,
        ),
    ),
)
def weights_from_counts(X: FloatArray, y: IntArray, counts: IntArray) -> FloatArray:
    """Does my_weights(X, y, counts) return the w of PLA from w = 0 that corrected example n counts[n] times?

    Explained in chapter 2, "PLA in the lecture's words".
    """
    return np.asarray((counts * y) @ bias_first(X))


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


def permutations(rng: Rng, runs: int, N: int) -> IntArray:
    """One order of visits in each row."""
    return np.array([rng.permutation(N) for _ in range(runs)])


def _often_cases() -> list[Arguments]:
    """(X, y, cycles), from one run on one example to many on the running example."""
    rng = np.random.default_rng(3)
    running = examples(*datasets.running_example())
    return [
        (*examples([[2, 1]], [1]), np.array([[0]])),
        (*examples([[4], [1], [2]], [-1, 1, -1]), np.array([[0, 1, 2], [2, 1, 0]])),
        (*examples([[1], [2], [4], [3]], [-1, -1, 1, 1]), np.array([[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]])),
        (*examples(*datasets.textbook_example()), np.array([[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]])),
        (*running, permutations(rng, 5, 20)),
        (*running, permutations(rng, 8, 20)),
    ]


def _explain_often(answer: Answer, X: FloatArray, y: IntArray, cycles: IntArray) -> list[str]:
    right = dict(zip(("mean", "share"), _rates(_corrected(X, y, cycles)), strict=True))
    wrong = [
        f"The length of its {name} is {value.size}, where N = {len(y)} is expected. Examples that are never corrected "
        "count, too: `np.bincount(picks, minlength=N)`."
        for name, value in answer.items()
        if value.size != len(y)
    ]
    fine = [name for name, value in answer.items() if same({name: value}, {name: right[name]})]
    return [*wrong, *(f"Its {name} is right." for name in fine)]


@exercise(
    title="How often each example is corrected",
    parts=(Part("mean", "row"), Part("share", "row")),
    returns="two arrays of N entries, (mean, share)",
    read=HISTOGRAM,
    cases=_often_cases,
    fresh=lambda rng: [(X, y, permutations(rng, 6, len(y))) for X, y, _ in fresh_separable(rng)],
    mistakes=(
        Mistake(
            "positions",
            "it counts positions in the cycle, not examples",
            "With X[cycle], pick k is example cycle[k]. With order=cycle, the picks are the examples themselves.",
            lambda *case: _rates(_by_position(*case)),
        ),
        Mistake(
            "ignores_order",
            "all its runs visit the examples in the order 0, 1, 2, …",
            "Each run has a cycle of its own: order=cycle.",
            lambda *case: _rates(_same_cycle(*case)),
        ),
        Mistake(
            "exchanged",
            "mean and share are exchanged",
            "Return (mean, share).",
            _of_counts(lambda counts: _rates(counts)[::-1]),
        ),
        Mistake(
            "totals",
            "it returns totals over all runs",
            "Divide by the number of runs.",
            _of_counts(lambda counts: (counts.sum(axis=0), (counts > 0).sum(axis=0))),
        ),
        Mistake(
            "total_and_share",
            "its mean is the total over all runs",
            "Divide by the number of runs.",
            _of_counts(lambda counts: (counts.sum(axis=0), _rates(counts)[1])),
        ),
        Mistake(
            "share_of_corrections",
            "its share is a share of all corrections",
            "A share of the runs is asked for: in how many of them is example n corrected at least once?",
            _of_counts(lambda counts: (_rates(counts)[0], counts.sum(axis=0) / counts.sum())),
        ),
        Mistake(
            "first_run_only",
            "it uses only the first run",
            "Put `return` behind the loop over cycles, not in it.",
            lambda X, y, cycles: _rates(_corrected(X, y, cycles[:1])),
        ),
        Mistake(
            "last_run_only",
            "it uses only the last run",
            "Add up the counts of all runs. Is a list or an array made anew inside the loop?",
            lambda X, y, cycles: _rates(_corrected(X, y, cycles[-1:])),
        ),
        Mistake(
            "over_examples",
            "it takes means over the examples of a run, not over the runs",
            "Entry n belongs to example n: mean over the runs, axis=0.",
            _of_counts(lambda counts: (counts.mean(axis=1), (counts > 0).mean(axis=1))),
        ),
        Mistake(
            "all_or_nothing",
            "its share says only whether any run corrects the example",
            "In how many of the runs is it corrected? Divide this number by the number of runs.",
            _of_counts(lambda counts: (counts.mean(axis=0), counts.any(axis=0))),
        ),
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


@construction(
    most=6,
    expected="at most six examples of the plane, (X, y). From w = (−13, 5, 0) PLA makes exactly 1 update with η = ½ "
    f"and more than {_LONG} with η = 1",
    read=ETA,
    title="A half step that is faster",
)
def smaller_step(X: FloatArray, y: IntArray) -> Finding:
    """Does my_data() make data on which PLA with η = ½ makes exactly one update, and with η = 1 more than 20?

    It returns (X, y): X with two columns and at most six rows, y of −1 and +1. PLA is the cyclic one, from
    w = (−13, 5, 0). Explained in chapter 2, "Further: The step size".
    """
    half, whole = (updates_of_pla(X, y, start=START, eta=eta) for eta in (0.5, 1.0))
    half_updates, whole_updates = _format.count(half, "update"), _format.count(whole, "update")
    measured = f"{half_updates} with η = ½ and {whole_updates} with η = 1"
    if half != 1:
        what = f"with η = ½ PLA makes {half_updates} on these data"
        why = (
            "Exactly 1 is asked for. Choose the first mistake (x, y), compute w = (−13, 5, 0) + ½ y x, and put every "
            "other example where this w is right."
        )
        return Problem("half_step", what, why), measured
    if whole > _LONG:
        return None, measured
    what = f"with η = 1 PLA makes only {whole_updates} on these data"
    why = (
        "More than 20 are asked for. The whole step must go too far, and the data must be hard to separate from there. "
        "Which pairs of points need many updates?"
    )
    return Problem("too_short", what, why), measured

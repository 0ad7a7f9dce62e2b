"""Homework 1, for the teacher: right functions, known mistakes, the numbers of an id. Nothing of this is handed out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import Any, Final, TypeAlias

import numpy as np

from exercises.source.hw1_pla import hw1_data as data
from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import Given, Known, Report, number, numbers
from plahelpers.checks.cases import examples, fresh_separable
from plahelpers.checks.chapter02 import Walk, as_walk, miscounts, mistakes_in_picks, walk
from plahelpers.checks.judge import exercise
from plahelpers.checks.sections import BIAS, CORRECT, HISTOGRAM, WORDS
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Rng, Version
from plahelpers.checks.variants import (
    Bias,
    Correction,
    IsMistake,
    Step,
    bias_first,
    bias_last,
    count_visits,
    minus_update,
    mistakes_in_walk,
    plus_yx,
    zero_is_minus,
)

SEED: Final = 20250901  # of the unseen cases, the same for all students; take another one each year
UNSEEN: Final = 10  # of each function
DECIMALS: Final = {"mean_updates": 3, "top_five": 3}  # as the text asks for them

Turn: TypeAlias = Callable[[int, int, int], tuple[int, int]]  # (n, way, N) → which example is next, and which way


# --- Question 1: PLA that turns round --------------------------------------------------------------------------------


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


def _counting_visits(X: FloatArray, y: IntArray) -> Walk:
    """The right w and picks, and visits in place of updates."""
    steps = list(_turning(X, y))
    w, _, picks = as_walk(steps)
    return w, steps[-1].visit + 1 + len(y), picks


def _fixed(passes: int) -> Version:
    """So many passes, clean or not."""
    return lambda X, y, **parts: _walk(X, y, visits=range(passes * len(y)), **parts)


_TURNING_MISTAKES: Final = (
    *mistakes_in_walk(_walk),
    minus_update(*map(_fixed, (1, 10, 100, 1000))),
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
        partial(_walk, after=lambda _n, _way, _N: (0, 1)),
    ),
    Mistake(
        "downwards",
        "it goes down at the beginning",
        "It begins with the examples 0, 1, 2, …, and turns round at the first correction.",
        partial(_walk, way=-1),
    ),
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
        "fixed_passes",
        "it stops after N visits, or after another fixed number of them, clean or not",
        "How many are needed is not known in advance: go on until N visits in a row need no correction.",
        *map(_fixed, (1, 2, 10, 100)),
    ),
    Mistake(
        "counts_visits",
        "its w is right, but it counts visits instead of updates",
        "T counts corrections only: no visits to examples that are right, and no passes.",
        _counting_visits,
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
        examples([[20], [21]], [-1, 1]),  # 822 updates: no small number of passes will do
        examples(*datasets.running_example()),
    ]


def _unseen_walks(rng: Rng) -> list[Arguments]:
    """(X, y); the last one takes hundreds of updates."""
    a = int(rng.integers(15, 25))
    return [*((X, y) for X, y, _ in fresh_separable(rng, UNSEEN - 1)), examples([[a], [a + 1]], [-1, 1])]


@exercise(
    title="PLA that turns round",
    parts=(Part("w", "row"), Part("updates", "number"), Part("picks", "row")),
    returns="(w, updates, picks), these three in this order",
    read=WORDS,
    cases=_turning_cases,
    fresh=_unseen_walks,
    mistakes=_TURNING_MISTAKES,
    key="w",
)
def turning_pla(X: FloatArray, y: IntArray) -> Walk:
    """PLA that turns round at every correction: (w, updates, picks)."""
    return _walk(X, y, visits=count())


# --- Question 3: w from counts ---------------------------------------------------------------------------------------


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
    fresh=lambda rng: [(X, y, rng.integers(0, 6, len(y))) for X, y, _ in fresh_separable(rng, UNSEEN)],
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
            "its w has no w₀",
            "A correction also changes w₀: x₀ = +1 belongs to x.",
            _weights(np.array),
            read=BIAS,
        ),
        Mistake("bias_last", "its w₀ is the last entry", "w₀ is the first entry of w.", _weights(bias_last), read=BIAS),
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
    ),
)
def weights_from_counts(X: FloatArray, y: IntArray, counts: IntArray) -> FloatArray:
    """The w of PLA from w = 0 that corrected example n counts[n] times."""
    return np.asarray((counts * y) @ bias_first(X))


# --- Question 4: how often each example is corrected -----------------------------------------------------------------


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


def _permutations(rng: Rng, runs: int, N: int) -> IntArray:
    return np.array([rng.permutation(N) for _ in range(runs)])


def _often_cases() -> list[Arguments]:
    """(X, y, cycles), from one run on one example to eight on the running example."""
    return [
        (*examples([[2, 1]], [1]), np.array([[0]])),
        (*examples([[4], [1], [2]], [-1, 1, -1]), np.array([[0, 1, 2], [2, 1, 0]])),
        (*examples([[1], [2], [4], [3]], [-1, -1, 1, 1]), np.array([[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]])),
        (*examples(*datasets.textbook_example()), np.array([[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]])),
        (*examples(*datasets.running_example()), _permutations(np.random.default_rng(3), 8, 20)),
    ]


@exercise(
    title="How often each example is corrected",
    parts=(Part("mean", "row"), Part("share", "row")),
    returns="two arrays of N entries, (mean, share)",
    read=HISTOGRAM,
    cases=_often_cases,
    fresh=lambda rng: [(X, y, _permutations(rng, 6, len(y))) for X, y, _ in fresh_separable(rng, UNSEEN)],
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
            "its mean, or also its share, is a total over all runs",
            "Divide by the number of runs.",
            _of_counts(lambda counts: (counts.sum(axis=0), (counts > 0).sum(axis=0))),
            _of_counts(lambda counts: (counts.sum(axis=0), _rates(counts)[1])),
        ),
        Mistake(
            "share_of_corrections",
            "its share is a share of all corrections",
            "A share of the runs is asked for: in how many of them is example n corrected at least once?",
            _of_counts(lambda counts: (_rates(counts)[0], counts.sum(axis=0) / counts.sum())),
        ),
        Mistake(
            "one_run_only",
            "it uses only the first run, or only the last one",
            "Add up the counts of all runs. Does `return` stand in the loop, or is a list made anew inside it?",
            lambda X, y, cycles: _rates(_corrected(X, y, cycles[:1])),
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
)
def how_often(X: FloatArray, y: IntArray, cycles: IntArray) -> tuple[FloatArray, FloatArray]:
    """The mean number of corrections of each example over PLA's runs along these cycles, and the share of such runs."""
    return _rates(_corrected(X, y, cycles))


CHECKS: Final = (turning_pla, weights_from_counts, how_often)


# --- The numbers of an id --------------------------------------------------------------------------------------------

_EXTRA_ENDS: Final = (
    [*range(30), *reversed(range(30))],
    [*range(30), *range(28, -1, -1)],
    [*range(30), *range(29, 0, -1)],
)


def turning_numbers(student: str, function: Version, updates: Any, last: Any) -> Report:
    """Question 2: the updates of the walk that turns round, and the example that it corrects last."""
    X, y = data.points_of(student)

    def numbers_of(walk: Walk) -> list[Any]:
        return [walk[1], walk[2][-1]]

    names, why = ("number of updates", "last corrected index"), "Take these numbers from `turning_pla(X, y)`."
    cyclic = [Known("cyclic", each, "It comes from cyclic PLA", why) for each in numbers_of(walk(X, y))]
    return numbers(
        [updates, last],
        dict(zip(names, numbers_of(_walk(X, y)), strict=True)),
        "the walk that turns round",
        tolerance=0,
        kind="count",
        given=Given(lambda: numbers_of(function(X, y)), turning_pla(function, seed=SEED)),
        known={name: [each] for name, each in zip(names, cyclic, strict=True)},
    )


def back_updates(student: str, got: Any) -> Report:
    """Question 2: the updates of the walk there and back."""
    X, y = data.points_of(student)

    def updates(order: Iterable[int]) -> int:
        return learning.pla(X, y, order=[*order]).updates

    why = "After 29 comes 28, and after 1 comes the 0 with which the list begins: one cycle has 58 indices."
    known = [
        Known("end_twice", updates(order), "An end stands twice in a row in this cycle", why) for order in _EXTRA_ENDS
    ]
    known.append(Known("cyclic", updates(range(30)), "These are the updates of the order 0, 1, …, 29, 0, …", why))
    right = updates([*range(30), *range(28, 0, -1)])
    return number(got, right, "the updates there and back", tolerance=0, kind="count", known=known)


def two_thousand(student: str, function: Version, mean_updates: Any, top_five: Any) -> Report:
    """Question 4: the mean number of updates, and the fraction of all corrections that the five largest means make."""
    X, y = data.points_of(student)
    cycles = data.cycles_of(student)

    def numbers_of(mean: FloatArray) -> list[float]:
        return [mean.sum(), np.sort(mean)[-5:].sum() / mean.sum()]

    mean, share = how_often.task.right(X, y, cycles)  # type: ignore[attr-defined]
    names = "mean number of updates", "fraction of the five"
    known = {
        names[0]: [
            Known(
                "per_example", mean.mean(), "It is the mean of one example", "A run makes the updates of all examples."
            ),
            Known("different", share.sum(), "It counts each example once a run", "Use `mean`, not `share`."),
        ],
        names[1]: [
            Known(
                "sum_of_five",
                np.sort(mean)[-5:].sum(),
                "It is a number of corrections",
                "Divide by the sum of all means.",
            ),
            Known(
                "mean_of_five",
                np.sort(mean)[-5:].mean(),
                "It is a number of corrections",
                "A fraction of all is asked for.",
            ),
            Known("of_shares", numbers_of(share)[1], "It is a fraction of the shares", "Use `mean`, not `share`."),
            Known(
                "first_five", mean[:5].sum() / mean.sum(), "It belongs to the examples 0 to 4", "Sort the means first."
            ),
        ],
    }
    return numbers(
        [mean_updates, top_five],
        dict(zip(names, numbers_of(mean), strict=True)),
        "your 2000 runs",
        tolerance=1e-3,
        given=Given(lambda: numbers_of(np.asarray(function(X, y, cycles)[0], float)), how_often(function, seed=SEED)),
        known=known,
    )


def idle(student: str, got: Any) -> Report:
    """Question 4: how many examples cyclic PLA never corrects."""
    kept = len(set(learning.pla(*data.points_of(student)).picks.tolist()))
    known = [Known("corrected", kept, "So many are corrected", "Those that are never corrected are asked for.")]
    return number(got, 30 - kept, "the number of idle examples", tolerance=0, kind="count", most=30, known=known)

"""Homework 1, for the teacher: right functions, known mistakes, the numbers of an id. Nothing of this is handed out."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, Final

import numpy as np

from exercises.source.hw1_pla import hw1_data as data
from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import Given, Known, Report, number, numbers, variants
from plahelpers.checks.cases import examples, fresh_separable
from plahelpers.checks.chapter02 import Walk, miscounts, mistakes_in_picks, walk
from plahelpers.checks.judge import exercise
from plahelpers.checks.sections import BIAS, CORRECT, HISTOGRAM, WORDS
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Rng, Version

SEED: Final = 20250901  # of the unseen cases, which are the same for all students; take another one each year
UNSEEN: Final = 10  # for each function
DECIMALS: Final = {"mean_updates": 3, "top_five": 3, "different": 3}  # as the text asks for them


# --- Question 1: PLA that turns round --------------------------------------------------------------------------------


def _walk(
    X: FloatArray,
    y: IntArray,
    *,
    bias: variants.Bias = variants.bias_first,
    is_mistake: variants.IsMistake = variants.zero_is_minus,
    step: variants.Step = variants.plus_yx,
    after: Callable[..., tuple[int, int]] = lambda n, way, N: ((n - way) % N, -way),
    too_few: int = 0,
    in_all: bool = False,  # it counts clean visits that are not in a row, too
    visits: Iterator[int] | None = None,
) -> Walk:
    """The walk that turns round at each correction, with one part exchanged; after says where a correction leads."""
    Z, N, picks, visits = bias(X), len(y), list[int](), visits or variants.count_visits(X)
    w, n, way, clean = np.zeros(Z.shape[1]), 0, 1, 0
    while clean < N - too_few:
        next(visits)
        if is_mistake(float(w @ Z[n]), int(y[n])):
            w, clean, picks = step(w, Z[n], int(y[n])), clean if in_all else 0, [*picks, n]
            n, way = after(n, way, N)
        else:
            n, clean = (n + way) % N, clean + 1
    return w, len(picks), picks


def _counting_visits(X: FloatArray, y: IntArray) -> Walk:
    visits = variants.count_visits(X)
    w, _, picks = _walk(X, y, visits=visits)
    return w, next(visits), picks


def _turning_cases() -> list[Arguments]:
    """(X, y), the smallest first, one that takes many visits, and the running example."""
    return [
        examples([[2, 1]], [1]),
        examples([[2, 1]], [-1]),
        examples([[1, 2], [-2, 1]], [1, 1]),  # whoever leaves w₀ out of the score comes to an end here
        examples([[-3], [0], [4]], [-1, 1, 1]),  # whoever adds x, whatever y is, comes to an end here
        examples([[1, -1], [3, -1], [0, 1], [2, 2]], [-1, -1, -1, 1]),
        examples(*datasets.textbook_example()),
        examples([[1, 2, 0], [0, -1, 3], [2, 2, 1], [-1, 0, 1], [3, -2, -1]], [1, -1, 1, -1, 1]),
        examples([[30], [31]], [-1, 1]),  # 1,832 updates: no small number of visits will do
        examples(*datasets.running_example()),
    ]


def _unseen_walks(rng: Rng) -> list[Arguments]:
    a = int(rng.integers(25, 35))  # takes more than a thousand updates
    return [*((X, y) for X, y, _ in fresh_separable(rng, UNSEEN - 1)), examples([[a], [a + 1]], [-1, 1])]


@exercise(
    title="PLA that turns round",
    parts=(Part("w", "row"), Part("updates", "number"), Part("picks", "row")),
    returns="(w, updates, picks), these three in this order",
    read=WORDS,
    ends="It ends after N visits in a row without a correction. Does each correction add y x?",
    cases=_turning_cases,
    fresh=_unseen_walks,
    key="w",
    mistakes=(
        *variants.mistakes_in_walk(_walk, steps=True),
        Mistake("never_turns", "it always goes up: this is cyclic PLA", "Turn round at every correction.", walk),
        Mistake(
            "turns_late",
            "after a correction it goes one example further in the old direction",
            "First change the direction, then move on.",
            partial(_walk, after=lambda n, way, N: ((n + way) % N, -way)),
        ),
        Mistake(
            "stays",
            "after a correction it visits the same example once more",
            "Visit the neighbour in the new direction, whether the corrected example is right now or not.",
            partial(_walk, after=lambda n, way, _N: (n, -way)),
        ),
        Mistake(
            "restarts",
            "after a correction it begins again at example 0",
            "It should turn round where it is: from example n to n − 1, or to n + 1 if it was going down.",
            *(partial(_walk, after=lambda _n, way, _N, k=k: (0, k * way)) for k in (-1, 1)),
        ),
        Mistake(
            "one_too_few_in_a_row",
            "it stops after N − 1 visits in a row without a correction, or after N that are not in a row",
            "The example that was corrected last has to be visited, too: count N visits, from 0 after each correction.",
            partial(_walk, too_few=1),
            partial(_walk, in_all=True),
        ),
        miscounts(_walk, _counting_visits),
        *mistakes_in_picks(_walk),
    ),
)
def turning_pla(X: FloatArray, y: IntArray) -> Walk:
    """PLA that turns round at every correction: (w, updates, picks)."""
    return _walk(X, y)


# --- Question 3: w from counts ---------------------------------------------------------------------------------------


def _counted() -> list[Arguments]:
    """(X, y, counts)."""
    return [
        (*examples([[2, 5]], [1]), np.array([1])),
        (*examples([[3], [1]], [1, -1]), np.array([2, 3])),
        (*examples([[1, 3], [2, -1], [0, 4]], [-1, 1, -1]), np.array([0, 0, 0])),
        (*examples([[1, 2, 0], [0, -1, 3], [2, 2, 1]], [1, -1, -1]), np.array([4, 1, 0])),
    ]


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
            lambda X, _y, counts: counts @ variants.bias_first(X),
            read=CORRECT,
        ),
        Mistake("no_bias", "its w has no w₀", "x₀ = +1 belongs to x.", lambda X, y, c: (c * y) @ X, read=BIAS),
    ),
)
def weights_from_counts(X: FloatArray, y: IntArray, counts: IntArray) -> FloatArray:
    """The w of PLA from w = 0 that corrected example n counts[n] times."""
    return np.asarray((counts * y) @ variants.bias_first(X))


# --- Question 4: how often each example is corrected -----------------------------------------------------------------


def _corrected(X: FloatArray, y: IntArray, cycles: IntArray) -> IntArray:
    """A row for each run: how often it corrects each example."""
    return np.array([np.bincount(learning.pla(X, y, order=cycle).picks, minlength=len(y)) for cycle in cycles])


def _rates(counts: Any) -> tuple[FloatArray, FloatArray]:
    return counts.mean(axis=0), (counts > 0).mean(axis=0)


def _of_counts(answer: Callable[[IntArray], Any]) -> Version:
    return lambda *case: answer(_corrected(*case))


def _cycles(rng: Rng, runs: int, N: int) -> IntArray:
    return np.array([rng.permutation(N) for _ in range(runs)])


def _often_cases() -> list[Arguments]:
    """(X, y, cycles), from one run on one example to eight on the running example."""
    return [
        (*examples([[2, 1]], [1]), np.array([[0]])),
        (*examples([[4], [1], [2]], [-1, 1, -1]), np.array([[0, 1, 2], [2, 1, 0]])),
        (*examples([[1], [2], [4], [3]], [-1, -1, 1, 1]), np.array([[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]])),
        (*examples(*datasets.running_example()), _cycles(np.random.default_rng(3), 8, 20)),
    ]


@exercise(
    title="How often each example is corrected",
    parts=(Part("mean", "row"), Part("share", "row")),
    returns="two arrays of N entries, (mean, share)",
    read=HISTOGRAM,
    cases=_often_cases,
    fresh=lambda rng: [(X, y, _cycles(rng, 6, len(y))) for X, y, _ in fresh_separable(rng, UNSEEN)],
    mistakes=(
        Mistake(
            "positions",
            "it counts positions in the cycle, not examples",
            "With X[cycle], pick k is example cycle[k]. With order=cycle, the picks are the examples themselves.",
            lambda X, y, cycles: _rates(np.take_along_axis(_corrected(X, y, cycles), cycles, axis=1)),
        ),
        Mistake(
            "once", "its mean counts a repeated pick once", "Use np.bincount.", _of_counts(lambda c: _rates(c > 0))
        ),
        Mistake(
            "not_over_runs",
            "it takes means over the examples of a run, or sums over the runs, and not means over the runs",
            "Entry n belongs to example n: mean over the runs, axis=0.",
            _of_counts(lambda c: _rates(c.T)),
            _of_counts(lambda c: (c.sum(axis=0), (c > 0).sum(axis=0))),
        ),
    ),
)
def how_often(X: FloatArray, y: IntArray, cycles: IntArray) -> tuple[FloatArray, FloatArray]:
    """For each example, the mean number of its corrections over runs along these cycles, and the share of such runs."""
    return _rates(_corrected(X, y, cycles))


CHECKS: Final = (turning_pla, weights_from_counts, how_often)


# --- The numbers of an id --------------------------------------------------------------------------------------------


def turning_numbers(student: str, function: Version, updates: Any, last: Any) -> Report:
    """Question 2: the updates of the walk that turns round, and the example that it corrects last."""
    X, y = data.points_of(student)

    def numbers_of(walk: Walk) -> dict[str, Any]:
        return {"number of updates": walk[1], "last corrected index": walk[2][-1]}

    why = "Take it from `turning_pla(X, y)`."
    cyclic = {name: [Known("cyclic", n, "It comes from cyclic PLA", why)] for name, n in numbers_of(walk(X, y)).items()}
    given = Given(lambda: [*numbers_of(function(X, y)).values()], turning_pla(function, seed=SEED))
    about: dict[str, Any] = {"tolerance": 0, "kind": "count", "given": given, "known": cyclic}
    right = _walk(X, y, visits=count())  # it halts, and for one id of a thousand that takes thousands of visits
    return numbers([updates, last], numbers_of(right), "the walk that turns round", **about)


def back_updates(student: str, got: Any) -> Report:
    """Question 2: the updates of the walk there and back."""
    X, y = data.points_of(student)

    def updates(*back: int) -> int:
        return learning.pla(X, y, order=[*range(30), *back]).updates

    why = "After 29 comes 28, and after 1 comes the 0 with which the list begins: one cycle has 58 indices."
    too_long = [range(29, -1, -1), range(28, -1, -1), range(29, 0, -1)]
    known = [Known("end_twice", updates(*back), "An end stands twice in a row in its cycle", why) for back in too_long]
    known.append(Known("cyclic", updates(), "These are the updates of the order 0, 1, …, 29, 0, …", why))
    right = updates(*range(28, 0, -1))
    return number(got, right, "the updates there and back", tolerance=0, kind="count", known=known)


def two_thousand(student: str, function: Version, *got: Any) -> Report:
    """Question 4: the updates of a run, the fraction of the five largest means, the different examples of a run."""
    X, y = data.points_of(student)
    cycles = data.cycles_of(student)
    names = "mean number of updates", "fraction of the five", "different examples"

    def numbers_of(mean: Any, share: Any) -> list[float]:
        return [np.sum(mean), np.sort(mean)[-5:].sum() / np.sum(mean), np.sum(share)]

    mean, share = _rates(_corrected(X, y, cycles))
    known = [
        Known("mean_of_means", mean.mean(), "It is the mean of the means", "A run makes the updates of all examples."),
        Known("of_five", np.sort(mean)[-5:].sum(), "It is no fraction of all", "Divide by the sum of all means."),
        Known("share_of_all", share.mean(), "It is a share of all thirty examples", "Their number is asked for."),
        Known("updates", mean.sum(), "It is the mean number of updates", "An example counts once: use `share`."),
    ]
    right = dict(zip(names, numbers_of(mean, share), strict=True))
    given = Given(lambda: numbers_of(*function(X, y, cycles)), how_often(function, seed=SEED))
    each = dict(zip(names, (known[:1], known[1:2], known[2:]), strict=True))
    return numbers(got, right, "your 2000 runs", tolerance=1e-3, given=given, known=each)

"""Homework 2: what a run tells about the largest margin, where line (3.2) loses, a careful PLA, the way back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import add, mul
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.linalg import norm

from plahelpers import _format, datasets, guarantee, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.cases import FRESH, Examples, examples, whole_numbers
from plahelpers.checks.chapter02 import as_walk, fresh_pla_cases
from plahelpers.checks.chapter03 import lengths, margins
from plahelpers.checks.construction import Finding, construction, updates_of_pla
from plahelpers.checks.judge import exercise
from plahelpers.checks.result import Problem
from plahelpers.checks.sections import ANY_ORDER, BIAS, CONFLICT, GAIN, GROWTH, HARD, SCALING, WHICH, WORDS
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Rng, Version
from plahelpers.checks.variants import (
    STARTS,
    STEP_SIZES,
    Correction,
    bias_first,
    bias_last,
    bias_minus,
    bias_zero,
    corrections,
    plus_x,
    scaled_step,
    wrong_examples,
    zero_is_minus,
)

__all__ = ["back", "careful_pla", "enclose", "losses", "two_orders"]

Pair: TypeAlias = tuple[Any, Any]


def _four() -> Examples:
    """The examples of the homework's text: PLA corrects 0, 1, 0, 0, 2, 0, and never the longest one."""
    return examples([[1, -1], [1, -4], [-3, 3], [1, -6]], [1, -1, 1, -1])


def _weights(X: FloatArray, y: IntArray) -> FloatArray:
    """w at the start and after each update, to two decimals."""
    return np.round(learning.pla(X, y).weights, 2)


# --- The largest margin, enclosed ------------------------------------------------------------------------------------


def _last_margin(X: FloatArray, y: IntArray, weights: FloatArray) -> float:
    return float(margins(X, y, weights[-1]).min() / norm(weights[-1]))


def _shortest_mean(_X: FloatArray, _y: IntArray, weights: FloatArray) -> float:
    return float(_means(weights).min())


def _means(weights: FloatArray) -> FloatArray:
    """‖w_t‖/t for t = 1, 2, …"""
    return lengths(weights[1:]) / _times(weights)


def _times(weights: FloatArray) -> FloatArray:
    """1, 2, …, T."""
    return np.arange(1.0, len(weights))


def _enclosing(low: Version = _last_margin, high: Version = _shortest_mean) -> Version:
    return lambda *case: (low(*case), high(*case))


def _low(of: Callable[..., float]) -> Version:
    """Another `low`, from X, y and the last w."""
    return _enclosing(low=lambda X, y, weights: of(X, y, weights[-1]))


def _high(of: Callable[[FloatArray], Any]) -> Version:
    """Another `high`, from the weights."""
    return _enclosing(high=lambda _X, _y, weights: of(weights))


def _runs() -> list[Arguments]:
    """(X, y, weights): the text's run, whole and cut short; a last w on the line; a short first step; a long run."""
    four, line, late = _four(), examples([[0], [1]], [-1, 1]), examples([[0], [3]], [1, -1])
    running = examples(*datasets.running_example())
    return [
        (*four, _weights(*four)),
        (*four, _weights(*four)[:3]),
        *((*data, _weights(*data)) for data in (line, late, running)),
    ]


def _fresh_runs(rng: Rng) -> list[Arguments]:
    """Runs whose shortest ‖w_t‖/t comes before the end."""
    runs = list[Arguments]()
    while len(runs) < FRESH:
        fresh = [(X, y, _weights(X, y)) for X, y in fresh_pla_cases(rng)]
        runs += [run for run in fresh if _means(run[2]).argmin() < len(run[2]) - 2]
    return runs[:FRESH]


@exercise(
    parts=(Part("low", "number"), Part("high", "number")),
    returns="(low, high), these two numbers in this order",
    read=WHICH,
    cases=_runs,
    fresh=_fresh_runs,
    mistakes=(
        Mistake(
            "swapped",
            "low and high are exchanged",
            "The margin of the last w comes first, then the smallest ‖w_t‖/t.",
            lambda *case: (_shortest_mean(*case), _last_margin(*case)),
        ),
        Mistake(
            "not_divided",
            "its low is not divided by the length of the last w",
            "A margin is y wᵀx / ‖w‖.",
            _low(lambda X, y, w: margins(X, y, w).min()),
            read=GAIN,
        ),
        Mistake(
            "length_without_bias",
            "its low is divided by the length of (w₁, …, w_d), without w₀",
            "The proof's margin divides by the length of all of w.",
            _low(lambda X, y, w: margins(X, y, w).min() / norm(w[1:])),
            read=GAIN,
        ),
        Mistake(
            "no_bias",
            "its low leaves out w₀ and x₀",
            "The margin is measured with x₀ = +1.",
            *(_low(lambda X, y, w, k=k: (y * (X @ w[1:])).min() / norm(w[k:])) for k in (0, 1)),
            read=GAIN,
        ),
        Mistake(
            "absolute",
            "its low has lost its sign",
            "An example on the wrong side makes the margin negative.",
            _low(lambda X, y, w: np.abs(margins(X, y, w)).min() / norm(w)),
            read=GAIN,
        ),
        Mistake(
            "without_y",
            "its low forgets y",
            "The margin is the smallest y wᵀx / ‖w‖.",
            _low(lambda X, _y, w: (bias_first(X) @ w).min() / norm(w)),
            read=GAIN,
        ),
        Mistake(
            "largest",
            "its low takes the largest y wᵀx / ‖w‖",
            "The margin is the smallest of them.",
            _low(lambda X, y, w: margins(X, y, w).max() / norm(w)),
            read=GAIN,
        ),
        Mistake(
            "last_only",
            "its high is ‖w_T‖/T, from the last w only",
            "Every t gives a true upper limit, so the smallest of all is the best one.",
            _high(lambda weights: _means(weights)[-1]),
        ),
        Mistake(
            "first_only",
            "its high is ‖w_1‖, from the first update only",
            "Every t gives a true upper limit, so the smallest of all is the best one.",
            _high(lambda weights: _means(weights)[0]),
        ),
        Mistake(
            "longest",
            "its high is the largest ‖w_t‖/t",
            "Every t gives a true upper limit, so the smallest of all is the best one.",
            _high(lambda weights: _means(weights).max()),
        ),
        Mistake(
            "counts_from_two",
            "its high divides by t + 1 instead of t",
            "The first row of weights is the start. The second row is w_1 and is divided by 1.",
            _high(lambda weights: (lengths(weights[1:]) / (_times(weights) + 1)).min()),
        ),
        Mistake(
            "squared",
            "its high has ‖w_t‖² in place of ‖w_t‖",
            "A margin is a length. Take the root.",
            _high(lambda weights: (lengths(weights[1:]) ** 2 / _times(weights)).min()),
        ),
        Mistake(
            "root_of_t",
            "its high divides by √t instead of t",
            "w_t is the sum of t steps, so their mean is w_t/t.",
            _high(lambda weights: (lengths(weights[1:]) / np.sqrt(_times(weights))).min()),
        ),
        Mistake(
            "not_divided_by_t",
            "its high is the smallest ‖w_t‖, not divided by t",
            "w_t is the sum of t steps, so their mean is w_t/t.",
            _high(lambda weights: lengths(weights[1:]).min()),
        ),
        Mistake(
            "with_the_start",
            "its high also counts the start, w = 0",
            "At t = 0 it would be 0/0. Begin with t = 1.",
            _high(lambda weights: lengths(weights).min()),
            _high(lambda _weights: np.nan),
        ),
        Mistake(
            "high_without_bias",
            "its high leaves out w₀",
            "‖w_t‖ includes w₀.",
            _high(lambda weights: _means(weights[:, 1:]).min()),
            read=GROWTH,
        ),
    ),
)
def enclose(X: FloatArray, y: IntArray, weights: FloatArray) -> Pair:
    """Does my_enclose(X, y, weights) return (low, high), between which the largest margin lies?

    The rows of weights are w at the start (0), w_1, …, w_T, as in `run.weights`. low is the margin of the last w, with
    its sign; high is the smallest ‖w_t‖/t for t = 1, …, T. Explained in chapter 3, "Which perfect w?".
    """
    return guarantee.margin(X, y, weights[-1]), _shortest_mean(X, y, weights)


# --- Where line (3.2) loses ------------------------------------------------------------------------------------------


def _squares(X: FloatArray) -> FloatArray:
    """‖x‖² of each example."""
    return np.asarray((bias_first(X) ** 2).sum(axis=1))


def _roots(X: FloatArray) -> FloatArray:
    return np.sqrt(_squares(X))


def _short(X: FloatArray, _y: IntArray, _weights: FloatArray, picks: IntArray) -> FloatArray:
    return np.asarray(_squares(X).max() - _squares(X)[picks])


def _gross(X: FloatArray, y: IntArray, weights: FloatArray, picks: IntArray) -> FloatArray:
    return -2 * _scores_before(X, y, weights, picks)


def _scores_before(X: FloatArray, y: IntArray, weights: FloatArray, picks: IntArray) -> FloatArray:
    """y wᵀx of each corrected example just before its correction."""
    return np.asarray(y[picks] * np.einsum("ij,ij->i", weights[: len(picks)], bias_first(X)[picks]))


def _losing(short: Version = _short, gross: Version = _gross) -> Version:
    return lambda *case: (short(*case), gross(*case))


def _walks() -> list[Arguments]:
    """(X, y, weights, picks)."""
    return [_walked(*data) for data in (_four(), examples(*datasets.running_example()))]


def _walked(X: FloatArray, y: IntArray) -> Arguments:
    return X, y, _weights(X, y), learning.pla(X, y).picks


@exercise(
    parts=(Part("short", "row"), Part("gross", "row")),
    returns="(short, gross), two rows with one number for each update",
    read=GROWTH,
    cases=_walks,
    fresh=lambda rng: [_walked(X, y) for X, y in fresh_pla_cases(rng)],
    mistakes=(
        Mistake(
            "swapped",
            "short and gross are exchanged",
            "R² − ‖x‖² comes first, then −2 y w_tᵀx.",
            lambda *case: (_gross(*case), _short(*case)),
        ),
        Mistake(
            "flipped",
            "its gross has the wrong sign",
            "At a mistake y w_tᵀx is at most 0, so −2 y w_tᵀx is never negative.",
            _losing(gross=lambda *case: -_gross(*case)),
        ),
        Mistake(
            "half",
            "its gross lacks the factor 2",
            "‖w + y x‖² has the middle term 2 y wᵀx.",
            _losing(gross=lambda *case: _gross(*case) / 2),
        ),
        Mistake(
            "half_flipped",
            "its gross is y w_tᵀx",
            "‖w + y x‖² has the middle term 2 y wᵀx; what is lost is −2 y w_tᵀx.",
            _losing(gross=_scores_before),
        ),
        Mistake(
            "after",
            "its gross uses w after the update",
            "The example is a mistake of w_t, the row before the update.",
            _losing(gross=lambda X, y, w, picks: _gross(X, y, w[1:], picks)),
        ),
        Mistake(
            "without_y",
            "its gross forgets y",
            "The middle term is 2 y wᵀx.",
            _losing(gross=lambda X, y, w, picks: _gross(X, y**2, w, picks)),
        ),
        Mistake(
            "no_bias",
            "its gross leaves out w₀",
            "wᵀx begins with w₀·x₀, and x₀ = +1.",
            _losing(gross=lambda X, y, w, picks: _gross(X, y, w * ([0] + X.shape[1] * [1]), picks)),
            read=BIAS,
        ),
        Mistake(
            "longest_corrected",
            "its R is the length of the longest corrected example",
            "R is that of the longest of all examples, corrected or not.",
            _losing(short=lambda X, _y, _w, picks: -_squares(X)[picks] + _squares(X[picks]).max()),
        ),
        Mistake(
            "not_squared",
            "its short is R − ‖x‖",
            "Line (3.2) follows squares: R² − ‖x‖².",
            _losing(short=lambda X, _y, _w, picks: _roots(X).max() - _roots(X)[picks]),
        ),
        Mistake(
            "half_squared",
            "its short is R − ‖x‖²",
            "R is squared too: R² − ‖x‖².",
            _losing(short=lambda X, _y, _w, picks: _roots(X).max() - _squares(X)[picks]),
        ),
        Mistake(
            "each_example",
            "its short has one number for each example",
            "One for each update is asked for: take the corrected examples, X[picks].",
            _losing(short=lambda X, y, w, _picks: _short(X, y, w, np.arange(len(y)))),
        ),
        Mistake(
            "growth",
            "its short is all that is lost, R² minus the growth of ‖w‖²",
            "That is short and gross together.",
            _losing(short=lambda *case: _short(*case) + _gross(*case)),
        ),
    ),
)
def losses(X: FloatArray, y: IntArray, weights: FloatArray, picks: IntArray) -> Pair:
    """Does my_losses(X, y, weights, picks) return (short, gross), what line (3.2) loses at each update?

    picks are the indices of the corrected examples, as in `run.picks`. short is R² − ‖x‖², gross is −2 y w_tᵀx, each
    a row of T numbers. Explained in chapter 3, "How fast can w grow?".
    """
    return _short(X, y, weights, picks), _gross(X, y, weights, picks)


# --- A careful PLA ---------------------------------------------------------------------------------------------------

Rule: TypeAlias = Callable[[float, int, float], bool]  # (score, y, b) → is there something to correct?


def _at_most(s: float, y: int, b: float) -> bool:
    return y * s <= b


def _steps(X: FloatArray, y: IntArray, b: float, *, rule: Rule = _at_most, **parts: Any) -> list[Correction]:
    return list(corrections(X, y, is_mistake=lambda s, label: rule(s, label, b), **parts))


def _careful(*case: Any, **parts: Any) -> Pair:
    """Careful PLA with one piece exchanged."""
    return as_walk(_steps(*case, **parts))[:2]


def _passes_only(passes: int) -> Version:
    """So many passes, clean or not."""
    return lambda X, y, b: _cut(_steps(X, y, b), passes * len(y))


def _cut(steps: list[Correction], visits: int) -> Pair:
    return as_walk(step for step in steps if step.visit < visits)[:2]


def _until_right(X: FloatArray, y: IntArray, b: float) -> Pair:
    """Whole passes, and none once all examples are right."""
    Z, steps, visits = bias_first(X), _steps(X, y, b), 0
    while wrong_examples(_cut(steps, visits)[0], Z, y):
        visits += len(y)
    return _cut(steps, visits)


def _counting(count: Callable[..., int]) -> Version:
    """The right w, and another count: of (updates, visits up to the last one, N)."""

    def version(X: FloatArray, y: IntArray, b: float) -> Pair:
        steps = _steps(X, y, b)
        return steps[-1].w, count(len(steps) - 1, steps[-1].visit + 1, len(y))

    return version


def careful_walk(X: FloatArray, y: IntArray, b: float) -> tuple[FloatArray, int]:
    """(w, updates) of the right walk, however long it is."""
    Z = (y[:, np.newaxis] * bias_first(X)).tolist()
    w, updates, since, n = [0.0] * len(Z[0]), 0, 0, 0
    while since < len(Z):
        since += 1
        if sum(map(mul, w, Z[n])) <= b:
            w, updates, since = list(map(add, w, Z[n])), updates + 1, 0
        n = (n + 1) % len(Z)
    return np.array(w), updates


def _careful_cases() -> list[Arguments]:
    """(X, y, b), the smallest first; one with y wᵀx = b on its way, one that takes more than 1000 passes."""
    return [
        (*examples([[2, 1]], [1]), 0.0),
        (*examples([[-3], [-1]], [1, -1]), 2.0),  # here and in the next one those come to an end who forget y
        (*examples([[-3], [2], [4]], [-1, 1, 1]), 2.0),
        (*examples([[2, 1]], [-1]), 0.0),
        (*examples([[1]], [1]), 4.0),
        (*_four(), 3.0),
        (*examples(*datasets.textbook_example()), 5.0),
        (*examples([[24], [25]], [-1, 1]), 0.0),
        (*examples(*datasets.running_example()), 10.0),
    ]


@exercise(
    title="careful PLA",
    parts=(Part("w", "row"), Part("updates", "number")),
    returns="(w, updates), these two in this order",
    read=WORDS,
    cases=_careful_cases,
    fresh=lambda rng: [(X, y, float(rng.integers(3, 12))) for X, y in fresh_pla_cases(rng)],
    mistakes=(
        Mistake(
            "strict",
            "it does not correct an example with y wᵀx = b (`<` where `<=` was meant)",
            "It corrects every example with y wᵀx ≤ b.",
            partial(_careful, rule=lambda s, y, b: y * s < b),
        ),
        Mistake(
            "ignores_b",
            "it does not use b",
            "It corrects every example with y wᵀx ≤ b, also one that is right by too little.",
            partial(_careful, rule=lambda s, y, _b: y * s <= 0),
            partial(_careful, rule=lambda s, y, _b: zero_is_minus(s, y)),
        ),
        Mistake(
            "forgets_y",
            "it forgets y, in the comparison or in the correction",
            "Compare y wᵀx with b, and correct by w + y x.",
            partial(_careful, rule=lambda s, _y, b: s <= b),
            partial(_careful, step=plus_x),
        ),
        Mistake(
            "absolute",
            "it corrects only examples near the line (|wᵀx| ≤ b)",
            "A mistake far from the line has to be corrected, too: compare y wᵀx with b.",
            partial(_careful, rule=lambda s, _y, b: abs(s) <= b),
        ),
        Mistake(
            "threshold_for_minus",
            "it moves the threshold from 0 to b for both labels",
            "A positive example needs wᵀx > b, a negative one wᵀx < −b: both are y wᵀx > b.",
            partial(_careful, rule=lambda s, y, b: (1 if s > b else -1) != y),
        ),
        Mistake(
            "until_right",
            "it stops when no example is wrong any more",
            "It stops when a whole cycle passes without an update, and then y wᵀx > b for all examples.",
            _until_right,
        ),
        Mistake(
            "no_bias",
            "it learns without the constant x₀ = +1, so that its line always goes through the origin",
            "w has d + 1 entries: w₀ is minus the threshold, and it learns from x₀ = +1 like any other weight.",
            partial(_careful, bias=np.array),
            partial(_careful, bias=bias_zero),
            read=BIAS,
        ),
        Mistake(
            "bias_last",
            "it puts the constant x₀ = +1 behind the features instead of in front",
            "The line is the same, but w₀ has to be the first entry of w.",
            partial(_careful, bias=bias_last),
            read=BIAS,
        ),
        Mistake(
            "bias_minus",
            "it uses x₀ = −1, which turns the sign of w₀ around",
            "Here x₀ is +1, and w₀ = −threshold.",
            partial(_careful, bias=bias_minus),
            read=BIAS,
        ),
        Mistake(
            "other_eta",
            "its step has another size: η is not 1",
            "Here η = 1. With a fixed b another η changes the walk.",
            *(partial(_careful, step=scaled_step(eta)) for eta in STEP_SIZES),
        ),
        Mistake(
            "start_not_zero",
            "it does not start from w = 0",
            "The bound of this question is proved for the start 0.",
            *(partial(_careful, start=start) for start in STARTS),
        ),
        Mistake(
            "restarts",
            "after an update it starts again from the first example",
            "It should go on from the next one, and come back to the first after the last.",
            partial(_careful, after="first"),
        ),
        Mistake(
            "stays",
            "it corrects the same example again until y wᵀx > b, before it goes on",
            "After an update it should go on from the next example, and meet this one again in the next cycle.",
            partial(_careful, after="same"),
        ),
        Mistake(
            "one_pass",
            "it goes through the examples only once",
            "Go on until a whole cycle passes without an update.",
            _passes_only(1),
        ),
        Mistake(
            "fixed_passes",
            "it stops after a fixed number of passes",
            "How many are needed is not known in advance: go on until a whole cycle passes without an update.",
            *map(_passes_only, (*range(2, 11), 20, 50, 100, 1000)),
        ),
        Mistake(
            "counts_visits",
            "its w is right, but it counts visits instead of updates",
            "T counts corrections only: no visits to examples that are right, and no passes.",
            _counting(lambda _updates, visits, N: visits + N),
            _counting(lambda _updates, visits, _N: visits),
        ),
        Mistake(
            "count_off_by_one",
            "its w is right, but it counts one update too many or too few",
            "Count each correction once, starting from 0.",
            *(_counting(lambda updates, _visits, _N, k=k: updates + k) for k in (1, -1)),
        ),
    ),
    key="w",
)
def careful_pla(X: FloatArray, y: IntArray, b: float) -> Pair:
    """Is my_careful_pla(X, y, b) the cyclic PLA that also corrects examples with y wᵀx ≤ b?

    It returns (w, updates): the final w and the number of updates. It starts from w = 0, goes on after an update from
    the next example, and stops when a whole cycle passes without an update.
    Explained in chapter 2, "PLA in the lecture's words".
    """
    return careful_walk(X, y, b)


# --- Two orders ------------------------------------------------------------------------------------------------------

_FEW: Final = 3  # updates in the order that is given, at most …
_MANY: Final = 100  # … and in the reverse order more than so many


@construction(
    most=200,
    expected=f"(X, y) with two columns, linearly separable, on which cyclic PLA from w = 0 makes at most {_FEW} "
    f"updates, and more than {_MANY} in the reverse order",
    read=ANY_ORDER,
)
def two_orders(X: FloatArray, y: IntArray) -> Finding:
    """Does my_data() make separable data on which PLA is quick, and slow in the reverse order?

    It returns (X, y): X with two columns and at most 200 rows, y of −1 and +1. Cyclic PLA from w = 0 makes at most 3
    updates on them, and more than 100 on X[::-1], y[::-1]. It is called twice, and must do it both times.
    Explained in chapter 3, "Any order will do".
    """
    answer = guarantee.separate(X, y)
    if not answer.separable:
        why = f"PLA never halts on them. {answer.conflict!r}."
        return Problem("not_separable", "its data are not linearly separable", why, CONFLICT), repr(answer)
    given, reverse = (updates_of_pla(X[::step], y[::step]) for step in (1, -1))
    up, down = _format.count(given, "update"), _format.count(reverse, "update")
    measured = f"{_format.count(len(y), 'example')}; PLA makes {up} in this order and {down} in the reverse order"
    return _slow_or_quick(given, reverse, up, down), measured


def _slow_or_quick(given: int, reverse: int, up: str, down: str) -> Problem | None:
    """What is wrong with the numbers of updates in the order that is given, and in the reverse order."""
    if reverse <= _FEW and given > _MANY:
        return Problem("other_way_round", f"its order is the wrong way round: {up}", "Return X[::-1], y[::-1] instead.")
    if given > _FEW and reverse <= _MANY:
        why = (
            "Begin with two examples that need many updates. Then look for a third one whose correction alone gives a "
            "perfect w, and put it first."
        )
        return Problem("neither", f"PLA makes {up}, and in the reverse order {down}", why)
    if given > _FEW:
        why = "At most three are allowed. Which example, corrected first, gives a w that is right about all others?"
        return Problem("slow", f"PLA makes {up} in the order that it returns", why)
    if reverse <= _MANY:
        why = (
            "More than 100 are asked for. A pair of examples close together and far from the origin needs many updates."
        )
        return Problem("quick", f"in the reverse order PLA makes only {down}", why, HARD)
    return None


# --- Back to the original units --------------------------------------------------------------------------------------


def _scalings() -> list[Arguments]:
    """(v, mean, std), from one feature to three."""
    return [
        (np.array([1.0, 2.0]), np.array([3.0]), np.array([4.0])),
        (np.array([1.0, 2.0, -3.0]), np.array([40.0, 5.0]), np.array([10.0, 2.0])),
        (np.array([-2.0, 0.5, 1.0, 4.0]), np.array([-1.0, 2.0, 0.5]), np.array([0.5, 8.0, 2.0])),
    ]


def _fresh_scalings(rng: Rng) -> list[Arguments]:
    """v and the means are whole numbers, the standard deviations are not 1."""
    return [(whole_numbers(rng, d + 1), whole_numbers(rng, d), rng.integers(3, 20, d) / 2) for d in (2, 3, 4)]


def _scaled_back(
    constant: Callable[..., float] = lambda v, mean, std: v[0] - (v[1:] * mean / std).sum(),
    others: Callable[..., FloatArray] = lambda v, _mean, std: v[1:] / std,
) -> Version:
    return lambda *case: np.append(constant(*case), others(*case))


@exercise(
    parts=ROW,
    returns="w, with one entry more than there are features",
    read=SCALING,
    cases=_scalings,
    fresh=_fresh_scalings,
    mistakes=(
        Mistake(
            "constant_kept",
            "it leaves v₀ as it was",
            "v₁(x₁ − m₁)/s₁ also has a part without x₁, −v₁m₁/s₁, and it belongs to w₀.",
            _scaled_back(lambda v, _mean, _std: v[0]),
        ),
        Mistake(
            "constant_added",
            "it adds the means to v₀ instead of subtracting them",
            "v₁(x₁ − m₁)/s₁ has the part −v₁m₁/s₁, with a minus sign.",
            _scaled_back(lambda v, mean, std: v[0] + (v[1:] * mean / std).sum()),
        ),
        Mistake(
            "mean_not_divided",
            "in w₀ it does not divide by the standard deviations",
            "The part of v₁(x₁ − m₁)/s₁ without x₁ is −v₁m₁/s₁.",
            _scaled_back(lambda v, mean, _std: v[0] - (v[1:] * mean).sum()),
        ),
        Mistake(
            "mean_without_v",
            "in w₀ it forgets the weights v₁, v₂, …",
            "The part of v₁(x₁ − m₁)/s₁ without x₁ is −v₁m₁/s₁.",
            _scaled_back(lambda v, mean, std: v[0] - (mean / std).sum()),
        ),
        Mistake(
            "other_direction",
            "it goes the other way, from w to v",
            "v is given, and w is asked for.",
            _scaled_back(lambda v, mean, _std: v[0] + (v[1:] * mean).sum(), lambda v, _mean, std: v[1:] * std),
        ),
        Mistake(
            "multiplied",
            "it multiplies by the standard deviations",
            "The part of v₁(x₁ − m₁)/s₁ with x₁ is (v₁/s₁) x₁.",
            _scaled_back(others=lambda v, _mean, std: v[1:] * std),
            _scaled_back(lambda v, mean, std: v[0] - (v[1:] * mean * std).sum(), lambda v, _mean, std: v[1:] * std),
        ),
        Mistake(
            "only_centred",
            "it forgets the standard deviations",
            "v₁(x₁ − m₁)/s₁ is divided by s₁, and so are both its parts.",
            _scaled_back(lambda v, mean, _std: v[0] - (v[1:] * mean).sum(), lambda v, *_: v[1:]),
        ),
        Mistake(
            "others_kept",
            "it leaves v₁, v₂, … as they were",
            "The part of v₁(x₁ − m₁)/s₁ with x₁ is (v₁/s₁) x₁.",
            _scaled_back(others=lambda v, *_: v[1:]),
        ),
        Mistake(
            "as_an_example",
            "it standardises v as if it were an example",
            "Look for the w with w₀ + w₁x₁ + … = v₀ + v₁(x₁ − m₁)/s₁ + …, for every x.",
            _scaled_back(lambda v, *_: v[0], lambda v, mean, std: (v[1:] - mean) / std),
        ),
        Mistake(
            "as_an_example_back",
            "it changes v as if it were a standardised example",
            "Look for the w with w₀ + w₁x₁ + … = v₀ + v₁(x₁ − m₁)/s₁ + …, for every x.",
            _scaled_back(lambda v, *_: v[0], lambda v, mean, std: v[1:] * std + mean),
        ),
        Mistake(
            "without_constant", "it returns no w₀", "w begins with w₀.", lambda v, _mean, std: v[1:] / std, read=BIAS
        ),
        Mistake(
            "constant_last",
            "it puts w₀ last",
            "w₀ is the first entry of w.",
            lambda *case: np.roll(_scaled_back()(*case), -1),
            read=BIAS,
        ),
        Mistake(
            "unchanged",
            "it returns v unchanged",
            "Look for the w with w₀ + w₁x₁ + … = v₀ + v₁(x₁ − m₁)/s₁ + …, for every x.",
            lambda v, _mean, _std: v,
        ),
    ),
)
def back(v: FloatArray, mean: FloatArray, std: FloatArray) -> FloatArray:
    """Does my_back(v, mean, std) return the w that gives every example the score that v gives it standardised?

    v has d + 1 entries, v_0 first; mean and std have d entries each. Explained in chapter 3, "Standardise".
    """
    return np.append(v[0] - v[1:] @ (mean / std), v[1:] / std)

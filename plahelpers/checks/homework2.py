"""Homework 2: what a run tells about the largest margin, where line (3.2) loses, a careful PLA, the way back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import add, mul
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.linalg import norm

from plahelpers import datasets, guarantee, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter02 import as_walk, fresh_pla_cases
from plahelpers.checks.chapter03 import lengths, margins
from plahelpers.checks.construction import Finding, construction
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import bias_first
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Rng, Version

__all__ = ["back", "careful_pla", "enclose", "losses", "two_orders"]

Pair: TypeAlias = tuple[Any, Any]


def _four() -> pieces.Examples:
    """The examples of the homework's text: PLA corrects 0, 1, 0, 0, 2, 0, and never the longest one."""
    return pieces.examples([[1, -1], [1, -4], [-3, 3], [1, -6]], [1, -1, 1, -1])


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
    four, line, late = _four(), pieces.examples([[0], [1]], [-1, 1]), pieces.examples([[0], [3]], [1, -1])
    running = pieces.examples(*datasets.running_example())
    return [
        (*four, _weights(*four)),
        (*four, _weights(*four)[:3]),
        *((*data, _weights(*data)) for data in (line, late, running)),
    ]


def _fresh_runs(rng: Rng) -> list[Arguments]:
    """Runs whose shortest ‖w_t‖/t comes before the end."""
    runs = list[Arguments]()
    while len(runs) < pieces.FRESH:
        fresh = [(X, y, _weights(X, y)) for X, y in fresh_pla_cases(rng)]
        runs += [run for run in fresh if _means(run[2]).argmin() < len(run[2]) - 2]
    return runs[: pieces.FRESH]


@exercise(
    returns=(Part("low", "number"), Part("high", "number")),
    cases=_runs,
    fresh=_fresh_runs,
    mistakes=(
        Mistake("swapped", lambda *case: (_shortest_mean(*case), _last_margin(*case))),
        Mistake("not_divided", _low(lambda X, y, w: margins(X, y, w).min())),
        Mistake("length_without_bias", _low(lambda X, y, w: margins(X, y, w).min() / norm(w[1:]))),
        Mistake("no_bias", *(_low(lambda X, y, w, k=k: (y * (X @ w[1:])).min() / norm(w[k:])) for k in (0, 1))),
        Mistake("absolute", _low(lambda X, y, w: np.abs(margins(X, y, w)).min() / norm(w))),
        Mistake("without_y", _low(lambda X, _y, w: (bias_first(X) @ w).min() / norm(w))),
        Mistake("largest", _low(lambda X, y, w: margins(X, y, w).max() / norm(w))),
        Mistake("last_only", _high(lambda weights: _means(weights)[-1])),
        Mistake("first_only", _high(lambda weights: _means(weights)[0])),
        Mistake("longest", _high(lambda weights: _means(weights).max())),
        Mistake("counts_from_two", _high(lambda weights: (lengths(weights[1:]) / (_times(weights) + 1)).min())),
        Mistake("squared", _high(lambda weights: (lengths(weights[1:]) ** 2 / _times(weights)).min())),
        Mistake("root_of_t", _high(lambda weights: (lengths(weights[1:]) / np.sqrt(_times(weights))).min())),
        Mistake("not_divided_by_t", _high(lambda weights: lengths(weights[1:]).min())),
        Mistake("with_the_start", _high(lambda weights: lengths(weights).min()), _high(lambda _weights: np.nan)),
        Mistake("high_without_bias", _high(lambda weights: _means(weights[:, 1:]).min())),
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
    return [_walked(*data) for data in (_four(), pieces.examples(*datasets.running_example()))]


def _walked(X: FloatArray, y: IntArray) -> Arguments:
    return X, y, _weights(X, y), learning.pla(X, y).picks


@exercise(
    returns=(Part("short", "row"), Part("gross", "row")),
    cases=_walks,
    fresh=lambda rng: [_walked(X, y) for X, y in fresh_pla_cases(rng)],
    mistakes=(
        Mistake("swapped", lambda *case: (_gross(*case), _short(*case))),
        Mistake("flipped", _losing(gross=lambda *case: -_gross(*case))),
        Mistake("half", _losing(gross=lambda *case: _gross(*case) / 2)),
        Mistake("half_flipped", _losing(gross=_scores_before)),
        Mistake("after", _losing(gross=lambda X, y, w, picks: _gross(X, y, w[1:], picks))),
        Mistake("without_y", _losing(gross=lambda X, y, w, picks: _gross(X, y**2, w, picks))),
        Mistake("no_bias", _losing(gross=lambda X, y, w, picks: _gross(X, y, w * ([0] + X.shape[1] * [1]), picks))),
        Mistake(
            "longest_corrected", _losing(short=lambda X, _y, _w, picks: -_squares(X)[picks] + _squares(X[picks]).max())
        ),
        Mistake("not_squared", _losing(short=lambda X, _y, _w, picks: _roots(X).max() - _roots(X)[picks])),
        Mistake("half_squared", _losing(short=lambda X, _y, _w, picks: _roots(X).max() - _squares(X)[picks])),
        Mistake("each_example", _losing(short=lambda X, y, w, _picks: _short(X, y, w, np.arange(len(y))))),
        Mistake("growth", _losing(short=lambda *case: _short(*case) + _gross(*case))),
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


def _steps(X: FloatArray, y: IntArray, b: float, *, rule: Rule = _at_most, **parts: Any) -> list[pieces.Correction]:
    return list(pieces.corrections(X, y, is_mistake=lambda s, label: rule(s, label, b), **parts))


def _careful(*case: Any, **parts: Any) -> Pair:
    """Careful PLA with one piece exchanged."""
    return as_walk(_steps(*case, **parts))[:2]


def _passes_only(passes: int) -> Version:
    """So many passes, clean or not."""
    return lambda X, y, b: _cut(_steps(X, y, b), passes * len(y))


def _cut(steps: list[pieces.Correction], visits: int) -> Pair:
    return as_walk(step for step in steps if step.visit < visits)[:2]


def _until_right(X: FloatArray, y: IntArray, b: float) -> Pair:
    """Whole passes, and none once all examples are right."""
    Z, steps, visits = bias_first(X), _steps(X, y, b), 0
    while pieces.wrong_examples(_cut(steps, visits)[0], Z, y):
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
        (*pieces.examples([[2, 1]], [1]), 0.0),
        (*pieces.examples([[2, 1]], [-1]), 0.0),
        (*pieces.examples([[1]], [1]), 4.0),
        (*_four(), 3.0),
        (*pieces.examples(*datasets.textbook_example()), 5.0),
        (*pieces.examples([[24], [25]], [-1, 1]), 0.0),
        (*pieces.examples(*datasets.running_example()), 10.0),
    ]


_walks_of: Final = partial(partial, _careful)


@exercise(
    returns=(Part("w", "row"), Part("updates", "number")),
    cases=_careful_cases,
    fresh=lambda rng: [(X, y, float(rng.integers(3, 12))) for X, y in fresh_pla_cases(rng)],
    mistakes=(
        Mistake("strict", _walks_of(rule=lambda s, y, b: y * s < b)),
        Mistake(
            "ignores_b",
            _walks_of(rule=lambda s, y, _b: y * s <= 0),
            _walks_of(rule=lambda s, y, _b: pieces.zero_is_minus(s, y)),
        ),
        Mistake("forgets_y", _walks_of(rule=lambda s, _y, b: s <= b), _walks_of(step=pieces.plus_x)),
        Mistake("absolute", _walks_of(rule=lambda s, _y, b: abs(s) <= b)),
        Mistake("threshold_for_minus", _walks_of(rule=lambda s, y, b: (1 if s > b else -1) != y)),
        Mistake("until_right", _until_right),
        Mistake("no_bias", _walks_of(bias=np.array), _walks_of(bias=pieces.bias_zero)),
        Mistake("bias_last", _walks_of(bias=pieces.bias_last)),
        Mistake("bias_minus", _walks_of(bias=pieces.bias_minus)),
        Mistake("other_eta", *(_walks_of(step=pieces.scaled_step(eta)) for eta in pieces.STEP_SIZES)),
        Mistake("start_not_zero", *(_walks_of(start=start) for start in pieces.STARTS)),
        Mistake("restarts", _walks_of(after="first")),
        Mistake("stays", _walks_of(after="same")),
        Mistake("one_pass", _passes_only(1)),
        Mistake("fixed_passes", *map(_passes_only, (*range(2, 11), 20, 50, 100, 1000))),
        Mistake(
            "counts_visits",
            _counting(lambda _updates, visits, N: visits + N),
            _counting(lambda _updates, visits, _N: visits),
        ),
        Mistake("count_off_by_one", *(_counting(lambda updates, _visits, _N, k=k: updates + k) for k in (1, -1))),
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


@construction(most=200, expected=Note("two_orders.expected", few=_FEW, many=_MANY))
def two_orders(X: FloatArray, y: IntArray) -> Finding:
    """Does my_data() make separable data on which PLA is quick, and slow in the reverse order?

    It returns (X, y): X with two columns and at most 200 rows, y of −1 and +1. Cyclic PLA from w = 0 makes at most 3
    updates on them, and more than 100 on X[::-1], y[::-1]. It is called twice, and must do it both times.
    Explained in chapter 3, "Any order will do".
    """
    answer = guarantee.separate(X, y)
    if not answer.separable:
        return Note("two_orders.not_separable", conflict=answer.conflict), Note("two_orders.conflict", answer=answer)
    given, reverse = (pieces.updates_of_pla(X[::step], y[::step]) for step in (1, -1))
    remark = Note("two_orders.measured", examples=len(y), given=given, reverse=reverse)
    problems = (
        (reverse <= _FEW and given > _MANY, Note("two_orders.other_way_round", given=given)),
        (given > _FEW and reverse <= _MANY, Note("two_orders.neither", given=given, reverse=reverse)),
        (given > _FEW, Note("two_orders.slow", given=given)),
        (reverse <= _MANY, Note("two_orders.quick", reverse=reverse)),
    )
    return next((note for is_so, note in problems if is_so), None), remark


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
    return [
        (pieces.whole_numbers(rng, d + 1), pieces.whole_numbers(rng, d), rng.integers(3, 20, d) / 2) for d in (2, 3, 4)
    ]


def _scaled_back(
    constant: Callable[..., float] = lambda v, mean, std: v[0] - (v[1:] * mean / std).sum(),
    others: Callable[..., FloatArray] = lambda v, _mean, std: v[1:] / std,
) -> Version:
    return lambda *case: np.append(constant(*case), others(*case))


@exercise(
    returns=ROW,
    cases=_scalings,
    fresh=_fresh_scalings,
    mistakes=(
        Mistake("constant_kept", _scaled_back(lambda v, _mean, _std: v[0])),
        Mistake("constant_added", _scaled_back(lambda v, mean, std: v[0] + (v[1:] * mean / std).sum())),
        Mistake("mean_not_divided", _scaled_back(lambda v, mean, _std: v[0] - (v[1:] * mean).sum())),
        Mistake("mean_without_v", _scaled_back(lambda v, mean, std: v[0] - (mean / std).sum())),
        Mistake(
            "other_direction",
            _scaled_back(lambda v, mean, _std: v[0] + (v[1:] * mean).sum(), lambda v, _mean, std: v[1:] * std),
        ),
        Mistake(
            "multiplied",
            _scaled_back(others=lambda v, _mean, std: v[1:] * std),
            _scaled_back(lambda v, mean, std: v[0] - (v[1:] * mean * std).sum(), lambda v, _mean, std: v[1:] * std),
        ),
        Mistake("only_centred", _scaled_back(lambda v, mean, _std: v[0] - (v[1:] * mean).sum(), lambda v, *_: v[1:])),
        Mistake("others_kept", _scaled_back(others=lambda v, *_: v[1:])),
        Mistake("as_an_example", _scaled_back(lambda v, *_: v[0], lambda v, mean, std: (v[1:] - mean) / std)),
        Mistake("as_an_example_back", _scaled_back(lambda v, *_: v[0], lambda v, mean, std: v[1:] * std + mean)),
        Mistake("without_constant", lambda v, _mean, std: v[1:] / std),
        Mistake("constant_last", lambda *case: np.roll(_scaled_back()(*case), -1)),
        Mistake("unchanged", lambda v, _mean, _std: v),
    ),
)
def back(v: FloatArray, mean: FloatArray, std: FloatArray) -> FloatArray:
    """Does my_back(v, mean, std) return the w that gives every example the score that v gives it standardised?

    v has d + 1 entries, v_0 first; mean and std have d entries each. Explained in chapter 3, "Standardise".
    """
    return np.append(v[0] - v[1:] @ (mean / std), v[1:] / std)

"""Chapter 3: R, ρ, the bound on updates, what a run gains on its way, and data on which PLA takes long."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.linalg import norm

from plahelpers import datasets, guarantee, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter01 import LABELS, POINTS, fresh_tables, tables
from plahelpers.checks.chapter02 import fresh_pla_cases
from plahelpers.checks.construction import Finding, construction
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import bias_first
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import NUMBER, ROW, Arguments, Mistake, Rng, Version

__all__ = ["gains", "growths", "hard_data", "margin", "radius", "update_bound"]


_lengths: Final[Callable[..., Any]] = partial(norm, axis=1)


def _squares(weights: FloatArray) -> FloatArray:
    return np.asarray((weights**2).sum(axis=1))


@exercise(
    returns=NUMBER,
    cases=tables,
    fresh=fresh_tables,
    mistakes=(
        Mistake("no_bias", lambda X: _lengths(X).max()),
        Mistake("adds_one", lambda X: _lengths(X).max() + 1),
        Mistake("squared", lambda X: _squares(bias_first(X)).max()),
        Mistake("no_bias_squared", lambda X: _squares(X).max()),
        Mistake(
            "from_the_mean", *(lambda X, f=f: _lengths(f(X - X.mean(axis=0))).max() for f in (np.array, bias_first))
        ),
        Mistake("largest_entry", lambda X: np.abs(X).max(), lambda X: X.max()),
        Mistake("shortest", lambda X: _lengths(bias_first(X)).min()),
        Mistake("mean_length", lambda X: _lengths(bias_first(X)).mean()),
        Mistake("all_together", lambda X: norm(bias_first(X)), norm),
        Mistake("columns", lambda X: _lengths(bias_first(X).T).max(), lambda X: _lengths(X.T).max()),
        Mistake("sum_of_sizes", lambda X: np.abs(bias_first(X)).sum(axis=1).max()),
    ),
)
def radius(X: FloatArray) -> float:
    """Does my_radius(X) return the length of the longest example, x₀ = +1 included?

    Explained in chapter 3, "How fast can w grow?".
    """
    return guarantee.radius(X)


def _perfect() -> list[Arguments]:
    """(X, y, w_f), all perfect."""
    return [
        (*pieces.examples([[3], [-1], [4]], [1, -1, 1]), np.array([-1.0, 1.0])),
        (*pieces.examples([[3, 3], [4, 3], [1, 1]], [1, 1, -1]), np.array([-6.0, 2.0, 2.0])),
        (*pieces.examples(*datasets.running_example()), np.array([-1.0, 2.0, -1.0])),
    ]


def _fresh_perfect(rng: Rng) -> list[Arguments]:
    """(X, y, w_f), all perfect; w_f is not of length 1."""
    return [(X, y, np.round(3 * w_f, 2)) for X, y, w_f in pieces.fresh_separable(rng)]


def _fresh_margins(rng: Rng) -> list[Arguments]:
    """(X, y, w_f); the last w_f is not perfect."""
    X, y, w_f = _fresh_perfect(rng)[0]
    return [*_fresh_perfect(rng), (X, np.append(-y[:1], y[1:]), w_f)]


def _margins(X: FloatArray, y: IntArray, w_f: FloatArray) -> FloatArray:
    return np.asarray(y * (bias_first(X) @ w_f))


@exercise(
    returns=NUMBER,
    cases=lambda: [*_perfect(), (POINTS.copy(), LABELS.copy(), np.array([-1.0, 1.0, -2.0]))],
    fresh=_fresh_margins,
    mistakes=(
        Mistake("not_divided", lambda X, y, w: _margins(X, y, w).min()),
        Mistake("no_bias", *(lambda X, y, w, k=k: (y * (X @ w[1:])).min() / norm(w[k:]) for k in (0, 1))),
        Mistake("length_without_bias", lambda X, y, w: _margins(X, y, w).min() / norm(w[1:])),
        Mistake("absolute", lambda X, y, w: np.abs(_margins(X, y, w)).min() / norm(w)),
        Mistake("without_y", lambda X, _y, w: (bias_first(X) @ w).min() / norm(w)),
        Mistake("largest", lambda X, y, w: _margins(X, y, w).max() / norm(w)),
        Mistake("mean", lambda X, y, w: _margins(X, y, w).mean() / norm(w)),
        Mistake("length_squared", lambda X, y, w: _margins(X, y, w).min() / norm(w) ** 2),
        Mistake("of_unit_examples", lambda X, y, w: (_margins(X, y, w) / _lengths(bias_first(X))).min() / norm(w)),
    ),
)
def margin(X: FloatArray, y: IntArray, w_f: FloatArray) -> float:
    """Does my_margin(X, y, w_f) return the smallest y w_fᵀx / ‖w_f‖, with its sign?

    Explained in chapter 3, "How much does an update gain?".
    """
    return guarantee.margin(X, y, w_f)


def _bound(
    of: Callable[[float, float], float] = lambda R, rho: R**2 / rho**2,
    *,
    R: Callable[[FloatArray], float] = lambda X: _lengths(bias_first(X)).max(),
    rho: Callable[..., float] = lambda X, y, w: _margins(X, y, w).min() / norm(w),
) -> Version:
    return lambda X, y, w: of(float(R(X)), float(rho(X, y, w)))


def _rounded_bound(to: Callable[[float], float], nudge: int) -> Version:
    """Rounded; a bound that is whole already may have come out a little less, or a little more."""
    return _bound(lambda R, rho: to(R**2 / rho**2 * (1 + nudge * 1e-12)))


@exercise(
    returns=NUMBER,
    cases=_perfect,
    fresh=_fresh_perfect,
    mistakes=(
        Mistake("not_squared", _bound(lambda R, rho: R / rho)),
        Mistake("upside_down", _bound(lambda R, rho: rho**2 / R**2), _bound(lambda R, rho: rho / R)),
        Mistake("half_squared", _bound(lambda R, rho: R**2 / rho), _bound(lambda R, rho: R / rho**2)),
        Mistake("radius_without_bias", _bound(R=lambda X: _lengths(X).max())),
        Mistake("margin_not_divided", _bound(rho=lambda X, y, w: _margins(X, y, w).min())),
        Mistake("length_without_bias", _bound(rho=lambda X, y, w: _margins(X, y, w).min() / norm(w[1:]))),
        Mistake(
            "no_bias",
            _bound(R=lambda X: _lengths(X).max(), rho=lambda X, y, w: (y * (X @ w[1:])).min() / norm(w[1:])),
        ),
        Mistake("product", _bound(lambda R, rho: R**2 * rho**2)),
        Mistake("rounded", *(_rounded_bound(to, nudge) for to in (np.floor, np.ceil, np.round) for nudge in (-1, 1))),
    ),
)
def update_bound(X: FloatArray, y: IntArray, w_f: FloatArray) -> float:
    """Does my_bound(X, y, w_f) return R²/ρ², for a perfect w_f?

    Explained in chapter 3, "Try it yourself".
    """
    return guarantee.update_bound(X, y, w_f)


def _weights(X: FloatArray, y: IntArray) -> FloatArray:
    """w at the start and after each update, to two decimals."""
    return np.round(learning.pla(X, y).weights, 2)


def _paths() -> list[Arguments]:
    """(weights, w_f): three rows by hand that do not begin at 0, and two runs of PLA that do."""
    return [
        (np.array([[1.0, 2.0], [2.0, 4.0], [1.0, 1.0]]), np.array([-1.0, 1.0])),
        (np.array([[0.0, 0.0, 0.0], [1.0, 3.0, -4.0]]), np.array([3.0, 0.0, -4.0])),
        (learning.pla(*datasets.textbook_example(), sign_of_zero=0).weights, np.array([-6.0, 2.0, 2.0])),
        (_weights(*datasets.running_example()), np.array([-1.0, 2.0, -1.0])),
    ]


def _fresh_paths(rng: Rng) -> list[Arguments]:
    return [(_weights(X, y), pieces.whole_numbers(rng, X.shape[1] + 1)) for X, y in fresh_pla_cases(rng)]


def _rises(of: Callable[..., FloatArray]) -> Version:
    """What this quantity gains from each row of weights to the next."""
    return lambda *case: np.diff(of(*case))


def _mistakes_along(of: Callable[..., FloatArray]) -> tuple[Mistake, ...]:
    """What can go wrong with any list of differences along a run."""

    def mistake(id: str, *changes: Callable[[FloatArray], Any]) -> Mistake:
        return Mistake(id, *(lambda *case, change=change: change(of(*case)) for change in changes))

    return (
        mistake("flipped", lambda v: -np.diff(v)),
        mistake("not_differenced", lambda v: v[1:], lambda v: v[:-1], lambda v: v),
        mistake("from_the_start", lambda v: v[1:] - v[0], lambda v: v - v[0]),
        mistake("one_too_many", lambda v: np.diff(v, prepend=0.0), lambda v: np.diff(v, prepend=v[0])),
        mistake("one_too_many", lambda v: np.diff(v, append=v[-1]), lambda v: np.roll(v, -1) - v),
        mistake("one_too_few", lambda v: np.diff(v)[1:], lambda v: np.diff(v)[:-1]),
        mistake("mean", lambda v: [np.diff(v).mean()], lambda v: np.diff(v).mean()),
    )


@exercise(
    returns=ROW,
    cases=_paths,
    fresh=_fresh_paths,
    mistakes=(
        *_mistakes_along(np.matmul),
        Mistake("divided", _rises(lambda weights, w_f: weights @ w_f / norm(w_f))),
        Mistake("no_bias", _rises(lambda weights, w_f: weights[:, 1:] @ w_f[1:])),
        Mistake("absolute", lambda weights, w_f: np.abs(np.diff(weights @ w_f))),
        Mistake("growths", lambda weights, _w_f: np.diff(_squares(weights))),
        Mistake("each_entry", lambda weights, w_f: np.diff(weights * w_f, axis=0)),
    ),
)
def gains(weights: FloatArray, w_f: FloatArray) -> FloatArray:
    """Does my_gains(weights, w_f) return w_fᵀw_{t+1} − w_fᵀw_t for t = 0, …, T−1?

    The rows of weights are w at the start, w_1, …, w_T, as in `run.weights`.
    Explained in chapter 3, "How much does an update gain?".
    """
    return np.diff(weights @ w_f)


@exercise(
    returns=ROW,
    cases=lambda: [(weights,) for weights, _ in _paths()],
    fresh=lambda rng: [(weights,) for weights, _ in _fresh_paths(rng)],
    mistakes=(
        *_mistakes_along(_squares),
        Mistake("not_squared", _rises(_lengths)),
        Mistake(
            "length_of_the_step", *(lambda weights, f=f: f(np.diff(weights, axis=0)) for f in (_squares, _lengths))
        ),
        Mistake("no_bias", _rises(lambda weights: _squares(weights[:, 1:]))),
        Mistake("each_column", *(_rises(lambda weights, f=f: f(weights.T)) for f in (_squares, _lengths))),
        Mistake("each_entry", lambda weights: np.diff(weights**2, axis=0)),
    ),
)
def growths(weights: FloatArray) -> FloatArray:
    """Does my_growths(weights) return ‖w_{t+1}‖² − ‖w_t‖² for t = 0, …, T−1?

    The rows of weights are w at the start, w_1, …, w_T, as in `run.weights`.
    Explained in chapter 3, "How fast can w grow?".
    """
    return np.diff(_squares(weights))


_TOO_EASY: Final = 100  # updates: hard are data that take more
_ENOUGH_UPDATES: Final = 10_000  # to look no further


@construction(most=2000, expected=Note("hard_data.expected", updates=_TOO_EASY))
def hard_data(X: FloatArray, y: IntArray) -> Finding:
    """Does my_data() make two-dimensional, separable data on which PLA needs more than 100 updates?

    It returns (X, y): X with two columns and at most 2000 rows, y of −1 and +1. PLA is the cyclic one, from w = 0.
    It is called twice, and must do it both times. Explained in chapter 3, "Move the margin".
    """
    answer = guarantee.separate(X, y)
    if not answer.separable:
        remark = Note("hard_data.conflict", examples=len(y), answer=answer)
        return Note("hard_data.not_separable", conflict=answer.conflict), remark
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", learning.BudgetWarning)
        walk = learning.pla(X, y, max_updates=_ENOUGH_UPDATES, keep_path=False)
    measured = {"examples": len(y), "rho": answer.rho, "R": guarantee.radius(X), "updates": walk.updates}
    remark = Note("hard_data.measured", **measured) if walk.halted else Note("hard_data.endless", **measured)
    one_label = len(set(y.tolist())) == 1
    problem = Note("hard_data.one_label") if one_label else Note("hard_data.too_easy", updates=walk.updates)
    return problem if walk.updates <= _TOO_EASY else None, remark

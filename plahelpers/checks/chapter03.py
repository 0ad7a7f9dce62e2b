"""Chapter 3: R, ρ, and the bound on updates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.linalg import norm

from plahelpers import datasets, guarantee
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter01 import LABELS, POINTS, fresh_tables, tables
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import bias_first
from plahelpers.checks.task import NUMBER, Arguments, Mistake, Rng, Version

__all__ = ["margin", "radius", "update_bound"]


def lengths(Z: FloatArray) -> FloatArray:
    """Of each row."""
    return np.asarray(norm(Z, axis=1))


def _squares(Z: FloatArray) -> FloatArray:
    return np.asarray((Z**2).sum(axis=1))


@exercise(
    returns=NUMBER,
    cases=tables,
    fresh=fresh_tables,
    mistakes=(
        Mistake("no_bias", lambda X: lengths(X).max()),
        Mistake("adds_one", lambda X: lengths(X).max() + 1),
        Mistake("squared", lambda X: _squares(bias_first(X)).max()),
        Mistake("no_bias_squared", lambda X: _squares(X).max()),
        Mistake(
            "from_the_mean", *(lambda X, f=f: lengths(f(X - X.mean(axis=0))).max() for f in (np.array, bias_first))
        ),
        Mistake("largest_entry", lambda X: np.abs(X).max(), lambda X: X.max()),
        Mistake("shortest", lambda X: lengths(bias_first(X)).min()),
        Mistake("mean_length", lambda X: lengths(bias_first(X)).mean()),
        Mistake("all_together", lambda X: norm(bias_first(X)), norm),
        Mistake("columns", lambda X: lengths(bias_first(X).T).max(), lambda X: lengths(X.T).max()),
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


def margins(X: FloatArray, y: IntArray, w_f: FloatArray) -> FloatArray:
    """y w_fᵀx of each example."""
    return np.asarray(y * (bias_first(X) @ w_f))


@exercise(
    returns=NUMBER,
    cases=lambda: [*_perfect(), (POINTS.copy(), LABELS.copy(), np.array([-1.0, 1.0, -2.0]))],
    fresh=_fresh_margins,
    mistakes=(
        Mistake("not_divided", lambda X, y, w: margins(X, y, w).min()),
        Mistake("no_bias", *(lambda X, y, w, k=k: (y * (X @ w[1:])).min() / norm(w[k:]) for k in (0, 1))),
        Mistake("length_without_bias", lambda X, y, w: margins(X, y, w).min() / norm(w[1:])),
        Mistake("absolute", lambda X, y, w: np.abs(margins(X, y, w)).min() / norm(w)),
        Mistake("without_y", lambda X, _y, w: (bias_first(X) @ w).min() / norm(w)),
        Mistake("largest", lambda X, y, w: margins(X, y, w).max() / norm(w)),
        Mistake("mean", lambda X, y, w: margins(X, y, w).mean() / norm(w)),
        Mistake("length_squared", lambda X, y, w: margins(X, y, w).min() / norm(w) ** 2),
        Mistake("of_unit_examples", lambda X, y, w: (margins(X, y, w) / lengths(bias_first(X))).min() / norm(w)),
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
    R: Callable[[FloatArray], float] = lambda X: lengths(bias_first(X)).max(),
    rho: Callable[..., float] = lambda X, y, w: margins(X, y, w).min() / norm(w),
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
        Mistake("radius_without_bias", _bound(R=lambda X: lengths(X).max())),
        Mistake("margin_not_divided", _bound(rho=lambda X, y, w: margins(X, y, w).min())),
        Mistake("length_without_bias", _bound(rho=lambda X, y, w: margins(X, y, w).min() / norm(w[1:]))),
        Mistake(
            "no_bias",
            _bound(R=lambda X: lengths(X).max(), rho=lambda X, y, w: (y * (X @ w[1:])).min() / norm(w[1:])),
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

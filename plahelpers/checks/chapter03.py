"""Chapter 3: the bound on updates, a long run, and a short one with a large bound."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.linalg import norm

from plahelpers import _format, datasets, guarantee
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.cases import examples
from plahelpers.checks.construction import data_check, in_words, updates_of_pla
from plahelpers.checks.judge import exercise
from plahelpers.checks.sections import BOUND, GAIN, GROWTH, HARD
from plahelpers.checks.task import NUMBER, Arguments, Mistake
from plahelpers.checks.variants import bias_first

__all__ = ["large_bound", "long_run", "update_bound"]


def _margins(X: FloatArray, y: IntArray, w_f: FloatArray) -> FloatArray:
    """y w_fᵀx of each example."""
    return np.asarray(y * (bias_first(X) @ w_f))


def _without_bias(X: FloatArray, y: IntArray, w: FloatArray) -> float:
    """The margin, of the features alone."""
    return float((y * (X @ w[1:])).min() / norm(w[1:]))


def _perfect() -> list[Arguments]:
    """(X, y, w_f), all perfect."""
    return [
        (*examples([[3], [-1], [4]], [1, -1, 1]), np.array([-1.0, 1.0])),
        (*examples([[3, 3], [4, 3], [1, 1]], [1, 1, -1]), np.array([-6.0, 2.0, 2.0])),
        (*examples(*datasets.running_example()), np.array([-1.0, 2.0, -1.0])),
    ]


def _bound(
    X: FloatArray,
    y: IntArray,
    w: FloatArray,
    *,
    R: Callable[[FloatArray], Any] = guarantee.radius,
    rho: Callable[..., Any] = guarantee.margin,
    powers: tuple[int, int] = (2, 2),
) -> float:
    """The bound with one part exchanged."""
    with np.errstate(divide="ignore"):
        return float(np.float64(R(X)) ** powers[0] / np.float64(rho(X, y, w)) ** powers[1])


@exercise(
    parts=NUMBER,
    returns="a number",
    read=BOUND,
    cases=_perfect,
    mistakes=(
        Mistake(
            "other_powers",
            "it does not square both R and ρ, or it divides ρ by R",
            "Squaring √T ρ/R ≤ 1 gives T ≤ R²/ρ².",
            *(partial(_bound, powers=powers) for powers in ((1, 1), (2, 1), (1, 2), (-1, -1), (-2, -2))),
        ),
        Mistake(
            "radius_without_bias",
            "its R is measured without x₀",
            "R is measured with x₀ = +1.",
            partial(_bound, R=lambda X: norm(X, axis=1).max()),
            read=GROWTH,
        ),
        Mistake(
            "not_the_longest",
            "its R is the length of the whole table or of a column, or the largest entry",
            "R is the length of the longest example, and each example is a row: numpy.linalg.norm needs axis=1.",
            partial(_bound, R=norm),
            partial(_bound, R=lambda X: norm(bias_first(X))),
            partial(_bound, R=lambda X: norm(bias_first(X), axis=0).max()),
            partial(_bound, R=lambda X: np.abs(X).max()),
            read=GROWTH,
        ),
        Mistake(
            "margin_not_divided",
            "its ρ is not divided by ‖w_f‖",
            "The bound must not change when w_f is scaled.",
            partial(_bound, rho=lambda X, y, w: _margins(X, y, w).min()),
            read=GAIN,
        ),
        Mistake(
            "margin_without_bias",
            "its ρ is measured without x₀, or w_f without w₀",
            "ρ divides the smallest y w_fᵀx by the length of w_f, and w₀ belongs to both.",
            partial(_bound, rho=lambda X, y, w: _margins(X, y, w).min() / norm(w[1:])),
            partial(_bound, R=lambda X: norm(X, axis=1).max(), rho=_without_bias),
            partial(_bound, rho=_without_bias),
            read=GAIN,
        ),
        Mistake(
            "not_the_smallest",
            "its ρ forgets y, or takes the largest number in place of the smallest",
            "ρ is the smallest y w_fᵀx / ‖w_f‖, with y, because a negative example has a negative score.",
            *(
                partial(_bound, rho=lambda X, y, w, f=f: f(_margins(X, y, w), bias_first(X) @ w) / norm(w))
                for f in (lambda _, s: s.min(), lambda _, s: s.max(), lambda gains, _: gains.max())
            ),
            read=GAIN,
        ),
    ),
)
def update_bound(X: FloatArray, y: IntArray, w_f: FloatArray) -> float:
    """Does my_bound(X, y, w_f) return R²/ρ², for a perfect w_f?"""
    return guarantee.update_bound(X, y, w_f)


@data_check(title="A long run", read=HARD, columns=1, count=2)
def long_run(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """Two points with one feature and different labels, on which cyclic PLA makes more than 100 updates."""
    updates, labels = updates_of_pla(X, y), len(set(y.tolist()))
    return updates > 100 and labels == 2, in_words(updates) + ("" if labels == 2 else ", but only one label")


@data_check(title="A short run with a large bound", read=BOUND, columns=1)
def large_bound(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """Separable points with one feature, on which the bound R²/ρ² is above 10,000 and cyclic PLA makes exactly 1
    update.
    """
    updates, bound = updates_of_pla(X, y), guarantee.update_bound(X, y)
    found = f"{in_words(updates)}, and the bound is {_format.number(bound)}"
    return updates == 1 and bound > 10_000, found

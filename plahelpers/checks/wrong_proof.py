"""Known wrong versions of what notebook 03 builds: R, ρ, the bound on updates, and what a run gains on its way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.wrong_base import BOUND, GAIN, GROWTH, Wrong, bias_first


def _lengths(Z: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt((Z**2).sum(axis=1)))


RADIUS: Final = (
    Wrong("no_bias", "it measures without x₀", "R is measured with x₀ = +1, as w is.", GROWTH,
          (lambda X: _lengths(X).max(),)),
    Wrong("adds_one", "it adds 1 to the length of x instead of 1 to its square", "x₀ = +1 stands beside the features: "
          "R² is the sum of all squares, 1² among them.", GROWTH, (lambda X: _lengths(X).max() + 1,)),
    Wrong("squared", "it returns R²", "the square root is missing.", GROWTH,
          (lambda X: (_lengths(bias_first(X)) ** 2).max(),)),
    Wrong("no_bias_squared", "it measures without x₀, and returns the square", "R is measured with x₀ = +1, and is a "
          "length.", GROWTH, (lambda X: (_lengths(X) ** 2).max(),)),
    Wrong("from_the_mean", "it measures from the mean of the examples", "R is the distance from the origin.", GROWTH,
          (lambda X: _lengths(X - X.mean(axis=0)).max(), lambda X: _lengths(bias_first(X - X.mean(axis=0))).max())),
    Wrong("largest_entry", "it returns the largest entry", "R is the length of the longest x.", GROWTH,
          (lambda X: np.abs(X).max(), lambda X: X.max())),
    Wrong("shortest", "it returns the length of the shortest example", "R is that of the longest.", GROWTH,
          (lambda X: _lengths(bias_first(X)).min(),)),
    Wrong("mean_length", "it returns the mean length", "R is the largest one: it has to hold for every update.", GROWTH,
          (lambda X: _lengths(bias_first(X)).mean(),)),
    Wrong("all_together", "it takes the length of the whole table", "numpy.linalg.norm needs axis=1.", GROWTH,
          (lambda X: np.linalg.norm(bias_first(X)), np.linalg.norm)),
    Wrong("columns", "it measures columns instead of rows", "each example is a row: axis=1.", GROWTH,
          (lambda X: _lengths(bias_first(X).T).max(), lambda X: _lengths(X.T).max())),
    Wrong("sum_of_sizes", "it adds up the sizes of the entries", "a length is the root of the sum of squares.", GROWTH,
          (lambda X: np.abs(bias_first(X)).sum(axis=1).max(),)),
)  # fmt: skip


def _margins(X: FloatArray, y: IntArray, w_f: FloatArray) -> FloatArray:
    return np.asarray(y * (bias_first(X) @ w_f))


def _length(w: FloatArray) -> float:
    return float(np.linalg.norm(w))


MARGIN: Final = (
    Wrong("not_divided", "it does not divide by ‖w_f‖", "ρ must not change when w_f is scaled.", GAIN,
          (lambda X, y, w: _margins(X, y, w).min(),)),
    Wrong("no_bias", "it leaves out w₀ and x₀", "ρ is measured with x₀ = +1.", GAIN,
          (lambda X, y, w: (y * (X @ w[1:])).min() / _length(w),
           lambda X, y, w: (y * (X @ w[1:])).min() / _length(w[1:]))),
    Wrong("length_without_bias", "it divides by the length of (w₁, …, w_d), without w₀",
          "that is the distance in the picture; the proof's ρ divides by the length of all of w_f.", GAIN,
          (lambda X, y, w: _margins(X, y, w).min() / _length(w[1:]),)),
    Wrong("absolute", "it takes the distance without its sign", "an example on the wrong side makes ρ negative.", GAIN,
          (lambda X, y, w: np.abs(_margins(X, y, w)).min() / _length(w),)),
    Wrong("without_y", "it forgets y", "y wᵀx is positive for every example that is right.", GAIN,
          (lambda X, _y, w: (bias_first(X) @ w).min() / _length(w),)),
    Wrong("largest", "it takes the largest instead of the smallest", "ρ belongs to the nearest example.", GAIN,
          (lambda X, y, w: _margins(X, y, w).max() / _length(w),)),
    Wrong("mean", "it takes the mean", "ρ is the smallest: it has to hold for every update.", GAIN,
          (lambda X, y, w: _margins(X, y, w).mean() / _length(w),)),
    Wrong("length_squared", "it divides by ‖w_f‖²", "divide by ‖w_f‖.", GAIN,
          (lambda X, y, w: _margins(X, y, w).min() / _length(w) ** 2,)),
    Wrong("of_unit_examples", "it divides by the length of x as well", "only w_f is brought to length 1.", GAIN,
          (lambda X, y, w: (_margins(X, y, w) / _lengths(bias_first(X))).min() / _length(w),)),
)  # fmt: skip


def _bound(
    of: Callable[[float, float], float], R: Callable[[FloatArray], float] = lambda X: _lengths(bias_first(X)).max(),
    rho: Callable[..., float] = lambda X, y, w: _margins(X, y, w).min() / _length(w),
) -> Callable[..., float]:  # fmt: skip
    return lambda X, y, w: of(float(R(X)), float(rho(X, y, w)))


def _right_bound(R: float, rho: float) -> float:
    return R**2 / rho**2


def _rounded_bound(R: float, rho: float, *, to: Callable[[float], Any], nudge: float) -> float:
    """Rounded; a bound that is whole already may have come out a little less, or a little more."""
    return float(to(_right_bound(R, rho) * (1 + nudge)))


UPDATE_BOUND: Final = (
    Wrong("not_squared", "it returns R/ρ", "squaring √T ρ/R ≤ 1 gives T ≤ R²/ρ².", BOUND,
          (_bound(lambda R, rho: R / rho),)),
    Wrong("upside_down", "it returns ρ²/R², or ρ/R", "T ≤ R²/ρ²: a small margin allows many updates.", BOUND,
          (_bound(lambda R, rho: rho**2 / R**2), _bound(lambda R, rho: rho / R))),
    Wrong("half_squared", "it squares only one of R and ρ", "both are squared: R²/ρ².", BOUND,
          (_bound(lambda R, rho: R**2 / rho), _bound(lambda R, rho: R / rho**2))),
    Wrong("radius_without_bias", "its R is measured without x₀", "R is measured with x₀ = +1.", GROWTH,
          (_bound(_right_bound, lambda X: _lengths(X).max()),)),
    Wrong("margin_not_divided", "its ρ is not divided by ‖w_f‖", "the bound must not change when w_f is scaled.", GAIN,
          (_bound(_right_bound, rho=lambda X, y, w: _margins(X, y, w).min()),)),
    Wrong("length_without_bias", "its ρ is divided by the length of (w₁, …, w_d), without w₀",
          "the proof's ρ divides by the length of all of w_f.", GAIN,
          (_bound(_right_bound, rho=lambda X, y, w: _margins(X, y, w).min() / _length(w[1:])),)),
    Wrong("no_bias", "it leaves x₀ and w₀ out of R and ρ", "both are measured with x₀ = +1.", BOUND,
          (_bound(_right_bound, lambda X: _lengths(X).max(),
                  lambda X, y, w: (y * (X @ w[1:])).min() / _length(w[1:])),)),
    Wrong("product", "it multiplies R² and ρ²", "ρ² divides.", BOUND, (_bound(lambda R, rho: R**2 * rho**2),)),
    Wrong("rounded", "it rounds R²/ρ² to a whole number", "T is a whole number, its bound need not be.", BOUND,
          tuple(_bound(partial(_rounded_bound, to=to, nudge=nudge))
                for to in (np.floor, np.ceil, np.round) for nudge in (-1e-12, 1e-12))),
)  # fmt: skip


def _rises(of: Callable[..., FloatArray]) -> Callable[..., FloatArray]:
    """What this quantity gains from each row of weights to the next."""
    return lambda weights, *rest: np.diff(of(weights, *rest))


def _inner(weights: FloatArray, w_f: FloatArray) -> FloatArray:
    return np.asarray(weights @ w_f)


def _squares(weights: FloatArray) -> FloatArray:
    return np.asarray((weights**2).sum(axis=1))


def _along(of: Callable[..., FloatArray], read: str) -> tuple[Wrong, ...]:
    """What can go wrong with any list of differences along a run."""
    return (
        Wrong("flipped", "it subtracts the wrong way round", "the later w comes first: t + 1 minus t.", read,
              (lambda *it: -np.diff(of(*it)),)),
        Wrong("not_differenced", "it does not subtract what was there before",
              "the change from each t to t + 1 is asked for (numpy.diff).", read,
              (lambda *it: of(*it)[1:], lambda *it: of(*it)[:-1], of)),
        Wrong("from_the_start", "it subtracts the value at t = 0 every time", "compare with the w just before.", read,
              (lambda *it: (of(*it) - of(*it)[0])[1:], lambda *it: of(*it) - of(*it)[0])),
        Wrong("one_too_many", "it has an entry too many", "T + 1 rows have T steps between them.", read,
              (lambda *it: np.diff(of(*it), prepend=0.0), lambda *it: np.diff(of(*it), prepend=of(*it)[0]),
               lambda *it: np.diff(of(*it), append=of(*it)[-1]), lambda *it: np.roll(of(*it), -1) - of(*it))),
        Wrong("one_too_few", "it leaves out the first step, or the last", "T + 1 rows have T steps between them.", read,
              (lambda *it: np.diff(of(*it))[1:], lambda *it: np.diff(of(*it))[:-1])),
        Wrong("mean", "it returns the mean", "one number for each update is asked for.", read,
              (lambda *it: [float(np.diff(of(*it)).mean())],)),
    )  # fmt: skip


GAINS: Final = (
    *_along(_inner, GAIN),
    Wrong("divided", "it divides by ‖w_f‖", "here the gain of w_fᵀw itself is asked for.", GAIN,
          (_rises(lambda weights, w_f: weights @ w_f / _length(w_f)),)),
    Wrong("no_bias", "it leaves out w₀", "w_fᵀw begins with the product of the two entries for x₀.", GAIN,
          (_rises(lambda weights, w_f: weights[:, 1:] @ w_f[1:]),)),
    Wrong("absolute", "it takes sizes without their sign", "a gain can be negative when w_f is not perfect.", GAIN,
          (lambda weights, w_f: np.abs(np.diff(weights @ w_f)),)),
    Wrong("growths", "it measures how ‖w‖² grows", "that is the other half of the proof; here w_fᵀw is asked for.",
          GAIN, (lambda weights, _w_f: np.diff(_squares(weights)),)),
    Wrong("each_entry", "it multiplies entry by entry and does not add up", "an inner product is one number: `@`.",
          GAIN, (lambda weights, w_f: np.diff(weights * w_f, axis=0),)),
)  # fmt: skip

GROWTHS: Final = (
    *_along(_squares, GROWTH),
    Wrong("not_squared", "it compares lengths, not their squares", "the proof follows ‖w‖², without a root.", GROWTH,
          (_rises(lambda weights: np.sqrt(_squares(weights))),)),
    Wrong("length_of_the_step", "it measures the step itself, ‖w_{t+1} − w_t‖²",
          "‖w_{t+1}‖² − ‖w_t‖² is that plus 2 y w_tᵀx, which is never positive at a mistake.", GROWTH,
          (lambda weights: _squares(np.diff(weights, axis=0)),
           lambda weights: np.sqrt(_squares(np.diff(weights, axis=0))))),
    Wrong("no_bias", "it leaves out w₀", "‖w‖² includes w₀².", GROWTH,
          (_rises(lambda weights: (weights[:, 1:] ** 2).sum(axis=1)),)),
    Wrong("each_column", "it adds up each column instead of each row", "each w_t is a row: axis=1.", GROWTH,
          (_rises(lambda weights: (weights**2).sum(axis=0)),
           _rises(lambda weights: np.linalg.norm(weights, axis=0)))),
    Wrong("each_entry", "it does not add up the squares", "‖w‖² is one number: the sum of the squares of w.", GROWTH,
          (lambda weights: np.diff(weights**2, axis=0),)),
)  # fmt: skip

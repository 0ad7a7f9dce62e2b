"""What can be promised: separability with proof, the bound T ≤ R²/ρ² and its proof's curves, the best line there is.

R and ρ are measured with x₀ = +1. R is the distance of the farthest example from the origin, ρ that of the nearest one
from the plane of w_f, with its sign: ρ = min y w_fᵀx / ‖w_f‖.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from plahelpers import _exact, _format
from plahelpers._validation import FloatArray, IntArray, check_data, check_points, check_weights
from plahelpers.hypothesis import mistakes, with_bias
from plahelpers.learning import Run


def radius(X: ArrayLike) -> float:
    """R: how far from the origin is the farthest example, x₀ = +1 included?

    Built in chapter 3, "How fast can w grow?".
    """
    points = check_points(X)
    return float(np.sqrt(1 + np.einsum("ij,ij->i", points, points).max()))


def margin(X: ArrayLike, y: ArrayLike, w_f: ArrayLike) -> float:
    """ρ: how far on its right side is the example nearest to w_f? Negative if w_f gets one wrong.

    Built in chapter 3, "How much does an update gain?".
    """
    points, labels = check_data(X, y)
    return float(_margins(points, labels, _check_target(w_f, points.shape[1])).min())


def update_bound(X: ArrayLike, y: ArrayLike, w_f: ArrayLike | None = None) -> float:
    """R²/ρ²: PLA from w = 0 never makes more updates than this.

    Built in chapter 3, "How many updates at most?".

    Parameters
    ----------
    w_f : array-like, optional
        Any w that gets every example right. Without it the bound is the smallest, that of the maximum margin.
    """
    points, labels = check_data(X, y)
    if w_f is None:
        answer = separate(points, labels)
        if answer.w_f is None:
            raise ValueError(f"there is no bound on the updates: {answer!r}")
        w_f = answer.w_f
    rho = _positive_margin(points, labels, _check_target(w_f, points.shape[1]))
    ratio = radius(points) / rho
    return ratio * ratio


@dataclass(frozen=True, eq=False, repr=False)
class Conflict:
    """At most d + 2 examples that no w can all get right, with weights a ≥ 0, Σa = 1, that prove it: Σ aₙyₙxₙ = 0.

    For if y wᵀx > 0 held for each of them, it would hold for their weighted sum, and 0 > 0.
    """

    examples: IntArray
    weights: FloatArray

    def __repr__(self) -> str:
        weights = ", ".join(f"{a:.2g}" for a in self.weights)
        examples = ", ".join(map(str, self.examples))
        return f"Examples {examples} cannot all be right: weighted by ({weights}), their y·x add up to 0"


@dataclass(frozen=True, eq=False, repr=False)
class Separation:
    """Can one w get every example right? With the proof: the maximum-margin w_f, or a conflict."""

    separable: bool
    w_f: FloatArray | None = None  # of length 1
    rho: float | None = None
    conflict: Conflict | None = None

    def __repr__(self) -> str:
        if self.w_f is None or self.rho is None:
            return f"Not linearly separable. {self.conflict!r}"
        w_f, rho = _format.vector(self.w_f), _format.number(self.rho)
        return f"Linearly separable: w_f = {w_f} gets every example right, with margin rho = {rho}"


def separate(X: ArrayLike, y: ArrayLike) -> Separation:
    """Is there a w that gets every example right (y wᵀx > 0), and what proves it?

    The point of least norm in the convex hull of all yₙxₙ answers both ways: if it is not 0, it is itself the w_f
    of maximum margin, and its norm is ρ; if it is 0, then the few examples whose mixture it is are a conflict. It is
    found in floats and proved in whole numbers, so that rounding never decides (only w_f and ρ are rounded at the
    end). That takes time when there are many columns: half a minute for a hundred.
    Built in chapter 3, "Is there a perfect w?"; the conflict in chapter 4, "Proof that no line will do".
    """
    points, labels = check_data(X, y)
    Z: FloatArray = np.multiply(labels[:, np.newaxis], with_bias(points))
    a = _least_norm_mixture(Z)
    nearest = Z.T @ a
    lengths = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    heights, least = Z @ nearest, float(nearest @ nearest)
    # Far from 0, floats prove it: every example is on the right side by much more than can have been rounded away,
    # and none lies lower than the nearest point itself, so that no other direction has a larger margin.
    if (heights > _SURE * np.sqrt(least) * lengths).all() and heights.min() > (1 - 1e-9) * least:
        w_f = nearest / np.linalg.norm(nearest)
        return Separation(True, w_f, float(_margins(points, labels, w_f).min()))
    if Z.shape[1] > _MOST_COLUMNS:
        raise ValueError(
            f"X has {points.shape[1]} columns. Whether these examples are separable is too close to be seen in floats "
            f"(as always when they are not), and to prove it in whole numbers takes too long beyond {_MOST_COLUMNS}."
        )
    examples = np.flatnonzero(a)
    rows, weights, point = _exact.least_norm_point(Z, examples, a[examples])
    if not any(point):
        order = np.argsort(rows)
        conflict = Conflict(np.array(rows)[order], np.array(weights, dtype=np.float64)[order])
        return Separation(False, conflict=conflict)
    largest = max(abs(entry) for entry in point)
    direction = np.array([float(entry / largest) for entry in point])
    length = float(np.linalg.norm(direction))
    return Separation(True, direction / length, float(largest) * length)


# Of each inner product's possible size, this much is far beyond rounding; with less, w_f itself would be inaccurate.
_SURE = 1e-4
# The exact proof takes half a minute with a hundred columns, and 32 times as long with twice as many.
_MOST_COLUMNS = 128


def _least_norm_mixture(Z: FloatArray) -> FloatArray:
    """Weights a ≥ 0, Σa = 1, that make Σ aₙzₙ as short as possible, but for rounding.

    By non-negative least squares: the u ≥ 0 that brings Σ uₙ(zₙ, s) nearest to (0, …, 0, s) is a multiple of a,
    whatever s > 0; it is found well when s is not far from the size of the z.
    """
    from scipy.optimize import nnls

    size = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max()))
    table = np.vstack([Z.T / size, np.ones(len(Z))])
    try:
        u, _ = nnls(table, np.append(np.zeros(Z.shape[1]), 1.0))
    except RuntimeError:  # it did not settle in its number of rounds: then any beginning will do
        u = np.eye(len(Z))[0]
    return np.asarray(u / u.sum())


@dataclass(frozen=True, eq=False, repr=False)
class ProofTrace:
    """Each line of the convergence proof along a run: what was measured, and what it is bounded by, for t = 0, …, T."""

    w_f: FloatArray
    R: float
    rho: float
    T: int
    t: IntArray
    inner: FloatArray  # w_fᵀw_t …
    inner_bound: FloatArray  # … ≥ t ρ‖w_f‖
    norm_squared: FloatArray  # ‖w_t‖² …
    norm_squared_bound: FloatArray  # … ≤ t R²
    cosine: FloatArray  # cos θ_t, NaN while w_t = 0 …
    cosine_bound: FloatArray  # … ≥ √t ρ/R
    bound: float  # T ≤ R²/ρ²

    def __repr__(self) -> str:
        bound = "R²/rho² = " if self.norm_squared[0] == 0 else "from this start "
        return (
            f"{_format.count(self.T, 'update')}, at most {bound}{_format.number(self.bound)} "
            f"(R = {_format.number(self.R)}, rho = {_format.number(self.rho)})"
        )


def proof_trace(run: Run, w_f: ArrayLike) -> ProofTrace:
    """Measure each line of the convergence proof along a run, for a w_f that gets every example right.

    From the start 0 with η = 1 the bounds are the lecture's. From another start they begin there and grow with η:
    w_fᵀw_t ≥ w_fᵀw_start + tηρ‖w_f‖ and ‖w_t‖² ≤ ‖w_start‖² + tη²R². While the first of them is below 0, all that is
    known of the angle is cos θ_t ≥ −1. Built in chapter 3, "The proof, measured".
    """
    target = _check_target(w_f, run.d)
    R, rho = radius(run.X), _positive_margin(run.X, run.y, target)
    length = float(np.linalg.norm(target))
    t = np.arange(run.updates + 1)
    inner, norm_squared = run.weights @ target, np.einsum("ij,ij->i", run.weights, run.weights)
    inner_bound = inner[0] + t * run.eta * rho * length
    norm_squared_bound = norm_squared[0] + t * run.eta**2 * R**2
    with np.errstate(invalid="ignore"):  # w = 0 has no angle
        cosine = inner / np.sqrt(norm_squared) / length
        cosine_bound = inner_bound / np.sqrt(norm_squared_bound) / length
    cosine_bound[norm_squared_bound == 0] = 0.0
    cosine_bound[inner_bound < 0] = -1.0  # w may be shorter than its bound, and a quotient below 0 then is lower still
    return ProofTrace(
        w_f=target,
        R=R,
        rho=rho,
        T=run.updates,
        t=t,
        inner=inner,
        inner_bound=inner_bound,
        norm_squared=norm_squared,
        norm_squared_bound=norm_squared_bound,
        cosine=cosine,
        cosine_bound=cosine_bound,
        bound=_last_t(run.start / run.eta, target / length, R, rho),
    )


def _last_t(start: FloatArray, direction: FloatArray, R: float, rho: float) -> float:
    """The largest T that the proof allows from this start (divided by η), with w_f's direction of length 1.

    Of the start, β is the part along w_f and γ the squared length of the part across it. After T updates there is at
    least β + Tρ along w_f, and the whole is at most √(β² + γ + TR²). The first exceeds the second when T is beyond the
    larger root of ρ²T² + (2βρ − R²)T − γ = 0, which is never negative. From 0 it is R²/ρ².
    """
    beta = float(start @ direction)
    across = start - beta * direction
    gamma, half = float(across @ across), R * R / 2 - beta * rho
    root = math.sqrt(half * half + rho * rho * gamma)
    return (half + root) / rho / rho if half >= 0 else gamma / (root - half)  # whichever does not cancel


@dataclass(frozen=True, eq=False, repr=False)
class BestLine:
    """A w with the fewest mistakes that any perceptron makes on these examples."""

    w: FloatArray
    mistakes: int
    N: int

    def __repr__(self) -> str:
        mistakes = _format.count(self.mistakes, "mistake")
        return f"The best line makes {mistakes} on {self.N:,} examples; w = {_format.vector(self.w)}"


def best_line(X: ArrayLike, y: ArrayLike) -> BestLine:
    """The fewest mistakes that any perceptron can make on these examples (d ≤ 2), and a w that makes so few.

    Exact: all ways in which a line can part the examples are tried, and no example lies on the line; only a line that
    floats cannot express is passed over. Of all best lines it is one far from its nearest example.
    Built in chapter 4, "The line with the fewest mistakes".
    """
    points, labels = check_data(X, y)
    d = points.shape[1]
    if d > 2:
        raise ValueError(
            f"best_line tries all lines of the plane; X has {d} columns. With more than 2 the fewest mistakes are "
            "hard to find (NP-hard in general): use pocket(X, y) for a good w, separate(X, y) to know if 0 can be."
        )
    # Scaled by powers of two, which is exact, all columns are of one size: no direction is lost to rounding.
    _, exponents = np.frexp(np.abs(points).max(axis=0))
    plane = np.column_stack([np.ldexp(points, -exponents), np.zeros((len(points), 2 - d))])
    places, at = np.unique(plane, axis=0, return_inverse=True)
    plus, minus = (np.bincount(at[labels == label], minlength=len(places)) for label in (1, -1))
    all_best = _exact.best_lines if d == 2 else _exact.best_thresholds
    fewest = 0
    while True:  # ends: a line beside all examples can always be had
        lines = all_best(places, plus, minus, at_least=fewest)
        fewest = lines[0].mistakes
        for line in sorted(lines, key=lambda line: -line.clearance):
            w = np.append(line.w[0], np.ldexp(line.w[1 : d + 1], -exponents))
            if len(mistakes(w, points, labels)) == fewest:
                return BestLine(w, fewest, len(labels))
        fewest += 1  # these lines pass so close between examples that no w of floats can be one of them


def _check_target(w_f: ArrayLike, d: int) -> FloatArray:
    target = check_weights(w_f, d, "w_f")
    if not target.any():
        raise ValueError("w_f is 0, which has no line and no margin.")
    return target


def _margins(X: FloatArray, y: IntArray, w_f: FloatArray) -> FloatArray:
    """y w_fᵀx / ‖w_f‖ for each example."""
    return np.asarray(y * (w_f[0] + X @ w_f[1:]) / np.linalg.norm(w_f))


def _positive_margin(X: FloatArray, y: IntArray, w_f: FloatArray) -> float:
    margins = _margins(X, y, w_f)
    n = int(margins.argmin())
    if margins[n] <= 0:
        raise ValueError(
            f"the proof needs a w_f that gets every example right; this one has example {n} "
            f"{'on its line' if margins[n] == 0 else 'on the wrong side'} (y w_fᵀx / ‖w_f‖ = {margins[n]:.3g})."
        )
    return float(margins[n])

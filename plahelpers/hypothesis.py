"""The perceptron hypothesis: h(x) = sign(wᵀx), with x₀ = +1 and w₀ = −threshold.

X never contains the bias column. The functions below put the constant x₀ = +1 in front themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from plahelpers._inputs import (
    SMALLEST,
    FloatArray,
    IntArray,
    SignOfZero,
    as_floats,
    check_box,
    check_data,
    check_label,
    check_point,
    check_points,
    check_sign_of_zero,
    check_weights,
)

# Rows handled at once by `scores`: as many as stay in a core's own cache.
_BLOCK = 4096


def with_bias(X: ArrayLike) -> FloatArray:
    """Put the constant x₀ = +1 in front of every example.

    Built in notebook 01, "The bias trick".
    """
    points = check_points(X)
    return np.column_stack([np.ones(len(points)), points])


def sign(scores: ArrayLike, sign_of_zero: SignOfZero = -1) -> Any:
    """Is the score positive (+1) or negative (−1)? Zero is whatever sign_of_zero says.

    A number gives a number, an array an array. Built in notebook 01, "What happens on the line".
    """
    zero = check_sign_of_zero(sign_of_zero)
    values = as_floats(scores, "scores")
    if np.isnan(values).any():
        raise ValueError("a score is NaN, which has no sign.")
    signs = np.where(values > 0, 1, np.where(values < 0, -1, zero))
    return signs if signs.ndim else int(signs)


def scores(w: ArrayLike, X: ArrayLike) -> FloatArray:
    """wᵀx for each example: the weighted sum of its features, minus the threshold.

    Built in notebook 01, "A score against a threshold".
    """
    weights = check_weights(w)
    return _scores(weights, check_points(X, d=len(weights) - 1))


def _scores(w: FloatArray, X: FloatArray) -> FloatArray:
    # Added up from w₀ on, term by term, as the inner loops do, and not by a matrix product, which adds in an order
    # of its own: so a point that lies on the line for PLA lies on it here too, to the last bit.
    result = np.full(len(X), w[0])
    for start in range(0, len(X), _BLOCK):
        block, part = X[start : start + _BLOCK], result[start : start + _BLOCK]
        for weight, column in zip(w[1:], block.T, strict=True):
            part += weight * column
    return result


def predict(w: ArrayLike, X: ArrayLike, *, sign_of_zero: SignOfZero = -1) -> Any:
    """h(x) = sign(wᵀx): a label for each row of X, or one label for a single example.

    Built in notebook 01, "A score against a threshold".
    """
    weights = check_weights(w)
    d = len(weights) - 1
    array = as_floats(X, "X")
    if array.shape == (d,):
        return sign(_scores(weights, check_point(array, d)[np.newaxis])[0], sign_of_zero)
    return sign(_scores(weights, check_points(array, d=d)), sign_of_zero)


def is_mistake(w: ArrayLike, x: ArrayLike, y: int, *, sign_of_zero: SignOfZero = -1) -> bool:
    """Does h get the example (x, y) wrong?

    Built in notebook 02, "Find a mistake".
    """
    weights = check_weights(w)
    point = check_point(x, len(weights) - 1)
    return bool(sign(_scores(weights, point[np.newaxis])[0], sign_of_zero) != check_label(y))


def mistakes(w: ArrayLike, X: ArrayLike, y: ArrayLike, *, sign_of_zero: SignOfZero = -1) -> IntArray:
    """Which examples does h get wrong? Their numbers, in order; `len` of it is the count.

    Built in notebook 01, "Judging a hypothesis".
    """
    points, labels = check_data(X, y)
    weights = check_weights(w, points.shape[1])
    return np.flatnonzero(sign(_scores(weights, points), sign_of_zero) != labels)


def error_rate(w: ArrayLike, X: ArrayLike, y: ArrayLike, *, sign_of_zero: SignOfZero = -1) -> float:
    """What fraction of the examples does h get wrong?

    Built in notebook 01, "Judging a hypothesis".
    """
    wrong = mistakes(w, X, y, sign_of_zero=sign_of_zero)
    return len(wrong) / len(np.asarray(y))


def disagreement(w1: ArrayLike, w2: ArrayLike, *, low: float = -1.0, high: float = 1.0) -> float:
    """How likely do two perceptrons answer differently, on a point drawn uniformly from a box?

    The box is [low, high] on the line (d = 1) or [low, high]² in the plane (d = 2), and the answer is exact: the
    share of the box on which only one of the two says +1. (A line has no area; w = 0 says −1 everywhere.)
    Built in notebook 02, "g against f".
    """
    first, second = _in_the_plane(check_weights(w1, name="w1")), _in_the_plane(check_weights(w2, name="w2"))
    if np.size(w1) != np.size(w2):
        raise ValueError(f"w1 has {np.size(w1)} entries and w2 has {np.size(w2)}: they must be of one size.")
    low, high = check_box(low, high)
    box = np.array([(low, low), (high, low), (high, high), (low, high)])
    yes, also_yes = _positive_part(box, first), _positive_part(box, second)
    only_one = _area(yes) + _area(also_yes) - 2 * _area(_positive_part(yes, second))
    return min(max(only_one / _area(box), 0.0), 1.0)  # rounding may leave −1e-17


def _in_the_plane(w: FloatArray) -> FloatArray:
    """The same perceptron with a second feature that it ignores, if it has one only."""
    if len(w) not in (2, 3):
        raise ValueError(
            f"disagreement is exact for d = 1 and d = 2, not for d = {len(w) - 1}. In more dimensions draw "
            "many points X and take numpy.mean(predict(w1, X) != predict(w2, X))."
        )
    unit = max(float(np.abs(w).max()), SMALLEST)  # scaling w changes nothing
    return np.asarray(np.append(w, np.zeros(3 - len(w))) / unit)


def _positive_part(polygon: FloatArray, w: FloatArray) -> FloatArray:
    """The part of a convex polygon where wᵀx > 0, as its corners in order."""
    values = w[0] + polygon @ w[1:]
    corners: list[FloatArray] = []
    for k in range(len(polygon)):
        here, before = values[k], values[k - 1]
        if (here > 0) != (before > 0):  # the line crosses this side
            corners.append(polygon[k - 1] + before / (before - here) * (polygon[k] - polygon[k - 1]))
        if here > 0:
            corners.append(polygon[k])
    return np.array(corners).reshape(-1, 2)


def _area(polygon: FloatArray) -> float:
    """The area of a polygon, by the shoelace formula."""
    x, y = polygon.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2

"""The perceptron hypothesis: h(x) = sign(wᵀx), with x₀ = +1 and w₀ = −threshold.

X never contains the bias column. The functions below put the constant x₀ = +1 in front themselves.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from plahelpers._validation import (
    FloatArray,
    IntArray,
    SignOfZero,
    as_floats,
    check_data,
    check_label,
    check_point,
    check_points,
    check_sign_of_zero,
    check_weights,
)
from plahelpers.geometry import disagreement

__all__ = ["disagreement", "error_rate", "is_mistake", "mistakes", "predict", "scores", "sign", "with_bias"]

# Rows handled at once by `scores`: as many as stay in a core's own cache.
_BLOCK = 4096


def with_bias(X: ArrayLike) -> FloatArray:
    """Put the constant x₀ = +1 in front of every example.

    Built in chapter 1, "The bias trick".
    """
    points = check_points(X)
    return np.column_stack([np.ones(len(points)), points])


def sign(scores: ArrayLike, sign_of_zero: SignOfZero = -1) -> Any:
    """Is the score positive (+1) or negative (−1)? For 0 it is sign_of_zero.

    A number gives a number, an array an array. Built in chapter 1, "What happens on the line".
    """
    zero = check_sign_of_zero(sign_of_zero)
    values = as_floats(scores, "scores")
    if np.isnan(values).any():
        raise ValueError("a score is NaN, which has no sign.")
    signs = np.where(values > 0, 1, np.where(values < 0, -1, zero))
    return signs if signs.ndim else int(signs)


def scores(w: ArrayLike, X: ArrayLike) -> FloatArray:
    """wᵀx for each example: the weighted sum of its features, minus the threshold.

    Built in chapter 1, "A weighted sum against a threshold".
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

    Built in chapter 1, "A weighted sum against a threshold".
    """
    weights = check_weights(w)
    d = len(weights) - 1
    array = as_floats(X, "X")
    if array.shape == (d,):
        return sign(_scores(weights, check_point(array, d)[np.newaxis])[0], sign_of_zero)
    return sign(_scores(weights, check_points(array, d=d)), sign_of_zero)


def is_mistake(w: ArrayLike, x: ArrayLike, y: int, *, sign_of_zero: SignOfZero = -1) -> bool:
    """Does h get the example (x, y) wrong?

    Built in chapter 2, "PLA in the lecture's words".
    """
    weights = check_weights(w)
    point = check_point(x, len(weights) - 1)
    return bool(sign(_scores(weights, point[np.newaxis])[0], sign_of_zero) != check_label(y))


def mistakes(w: ArrayLike, X: ArrayLike, y: ArrayLike, *, sign_of_zero: SignOfZero = -1) -> IntArray:
    """Which examples does h get wrong? Their indices, in order.

    Built in chapter 1, "Judging a hypothesis".
    """
    points, labels = check_data(X, y)
    weights = check_weights(w, points.shape[1])
    return np.flatnonzero(sign(_scores(weights, points), sign_of_zero) != labels)


def error_rate(w: ArrayLike, X: ArrayLike, y: ArrayLike, *, sign_of_zero: SignOfZero = -1) -> float:
    """What fraction of the examples does h get wrong?

    Built in chapter 1, "Judging a hypothesis".
    """
    wrong = mistakes(w, X, y, sign_of_zero=sign_of_zero)
    return len(wrong) / len(np.asarray(y))

"""The plane: a box, its corners, the line in it, half-planes, areas, and how often two lines disagree."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from plahelpers._validation import SMALLEST, FloatArray, SignOfZero, check_box, check_weights

Box: TypeAlias = tuple[float, float, float, float]  # left, right, bottom, top


def corners(box: Box) -> FloatArray:
    """The corners of a box, in order."""
    left, right, bottom, top = box
    return np.array([(left, bottom), (right, bottom), (right, top), (left, top)])


def regions(w: FloatArray, box: Box, sign_of_zero: SignOfZero) -> tuple[FloatArray, FloatArray]:
    """The corners of the part of the box where h says +1, and of the part where it says −1."""
    whole, nothing = corners(box), np.empty((0, 2))
    if not w.any():
        return {1: (whole, nothing), -1: (nothing, whole), 0: (nothing, nothing)}[sign_of_zero]
    unit = w / np.abs(w).max()  # scaling w changes nothing, and keeps the products small
    return half_plane(whole, unit), half_plane(whole, -unit)


def line_in_box(w: FloatArray, box: Box) -> FloatArray:
    """The two ends of the part of the line wᵀx = 0 that is in the box; no rows if none is."""
    if not w[1:].any():
        return np.empty((0, 2))
    unit = w / np.abs(w).max()
    edge = corners(box)
    values = unit[0] + edge @ unit[1:]
    ends = [
        edge[k - 1] + values[k - 1] / (values[k - 1] - values[k]) * (edge[k] - edge[k - 1])
        for k in range(4)
        if (values[k] > 0) != (values[k - 1] > 0)  # the line crosses this side
    ]
    return np.array(ends).reshape(-1, 2)


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
    yes, also_yes = half_plane(box, first), half_plane(box, second)
    only_one = area(yes) + area(also_yes) - 2 * area(half_plane(yes, second))
    return min(max(only_one / area(box), 0.0), 1.0)  # rounding may leave −1e-17


def _in_the_plane(w: FloatArray) -> FloatArray:
    """The same perceptron with a second feature that it ignores, if it has one only."""
    if len(w) not in (2, 3):
        raise ValueError(
            f"disagreement is exact for d = 1 and d = 2, not for d = {len(w) - 1}. In more dimensions draw "
            "many points X and take numpy.mean(predict(w1, X) != predict(w2, X))."
        )
    unit = max(float(np.abs(w).max()), SMALLEST)  # scaling w changes nothing
    return np.asarray(np.append(w, np.zeros(3 - len(w))) / unit)


def half_plane(polygon: FloatArray, w: FloatArray) -> FloatArray:
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


def area(polygon: FloatArray) -> float:
    """The area of a polygon, by the shoelace formula."""
    x, y = polygon.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2

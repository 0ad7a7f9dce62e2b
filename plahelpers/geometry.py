"""The plane: a box around points, the line in it, half-planes, areas, and how often two perceptrons disagree."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from plahelpers._validation import FloatArray, SignOfZero, check_box, check_weights


class Box(NamedTuple):
    """A part of the plane, from left to right and from bottom to top."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def spans(self) -> tuple[float, float]:
        """Its width and its height."""
        return self.right - self.left, self.top - self.bottom

    @property
    def corners(self) -> FloatArray:
        """Its four corners, in order."""
        return np.array(
            [(self.left, self.bottom), (self.right, self.bottom), (self.right, self.top), (self.left, self.top)]
        )

    def contains(self, x: float, y: float) -> bool:
        """Is this place in the box, or on its edge?"""
        return self.left <= x <= self.right and self.bottom <= y <= self.top


# The room left free on each side of the points, as a share of their spread.
_MARGIN = 0.08
# One feature may spread so many times as far as the other before each axis gets a scale of its own.
MOST_UNEQUAL = 5.0
# A spread smaller than this, relative to the numbers themselves, is rounding.
_ROUNDING = 1e-9
# Around the origin, where there are no points to go by.
_NO_POINTS = Box(-5.0, 5.0, -5.0, 5.0)


def box_around(X: ArrayLike) -> Box:
    """The box to draw: all the points with room around, square, so that both axes have one scale.

    A square would hide a feature that spreads less than a fifth as far as the other: then each has a scale of its own.
    """
    points = np.asarray(X, dtype=np.float64).reshape(-1, 2)
    if not len(points):
        return _NO_POINTS
    low, high = points.min(axis=0), points.max(axis=0)
    size = float(np.abs(points).max())
    spread = np.where(high - low > _ROUNDING * size, high - low, 0.0)
    widest = float(spread.max()) or max(1.0, size / 2)  # all points in one place
    hidden = 0 < spread.min() * MOST_UNEQUAL < widest
    half = (0.5 + _MARGIN) * (spread if hidden else np.full(2, widest))
    (left, bottom), (right, top) = (low + high) / 2 - half, (low + high) / 2 + half
    return Box(float(left), float(right), float(bottom), float(top))


def line_in_box(w: FloatArray, box: Box) -> FloatArray:
    """The two ends of the part of the line wᵀx = 0 that is in the box; no rows if none is."""
    if not w[1:].any():
        return np.empty((0, 2))
    corners = box.corners
    values = _values(w, corners)
    sides = [k for k in range(4) if (values[k] > 0) != (values[k - 1] > 0)]  # which the line crosses
    return np.array([_crossing(corners, values, k) for k in sides]).reshape(-1, 2)


def regions(w: FloatArray, box: Box, sign_of_zero: SignOfZero) -> tuple[FloatArray, FloatArray]:
    """The corners of the part of the box where h says +1, and of the part where it says −1."""
    whole, nothing = box.corners, np.empty((0, 2))
    if not w.any():
        return {1: (whole, nothing), -1: (nothing, whole), 0: (nothing, nothing)}[sign_of_zero]
    return half_plane(whole, w), half_plane(whole, -w)


def half_plane(polygon: FloatArray, w: FloatArray) -> FloatArray:
    """The part of a convex polygon where wᵀx > 0, as its corners in order."""
    values = _values(w, polygon)
    corners: list[FloatArray] = []
    for k in range(len(polygon)):
        if (values[k] > 0) != (values[k - 1] > 0):
            corners.append(_crossing(polygon, values, k))
        if values[k] > 0:
            corners.append(polygon[k])
    return np.array(corners).reshape(-1, 2)


def _values(w: FloatArray, points: FloatArray) -> FloatArray:
    """wᵀx of each point, for w scaled to entries of at most 1: the line is the same, and no product overflows."""
    unit = w / (np.abs(w).max() or 1.0)
    return np.asarray(unit[0] + points @ unit[1:])


def _crossing(polygon: FloatArray, values: FloatArray, k: int) -> FloatArray:
    """Where the side that ends in corner k has the value 0."""
    before, here = values[k - 1], values[k]
    return np.asarray(polygon[k - 1] + before / (before - here) * (polygon[k] - polygon[k - 1]))


def area(polygon: FloatArray) -> float:
    """The area of a polygon, by the shoelace formula."""
    x, y = polygon.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def disagreement(w1: ArrayLike, w2: ArrayLike, *, low: float = -1.0, high: float = 1.0) -> float:
    """How likely do two perceptrons answer differently, on a point drawn uniformly from a box?

    The box is [low, high] on the line (d = 1) or [low, high]² in the plane (d = 2), and the answer is exact: the
    share of the box on which only one of the two says +1. (A line has no area; w = 0 says −1 everywhere.)
    Built in chapter 2, "Further: g against f".
    """
    first, second = _in_the_plane(check_weights(w1, name="w1")), _in_the_plane(check_weights(w2, name="w2"))
    if np.size(w1) != np.size(w2):
        raise ValueError(f"w1 has {np.size(w1)} entries and w2 has {np.size(w2)}: they must be of one size.")
    low, high = check_box(low, high)
    whole = Box(low, high, low, high).corners
    yes, also_yes = half_plane(whole, first), half_plane(whole, second)
    only_one = area(yes) + area(also_yes) - 2 * area(half_plane(yes, second))
    return min(max(only_one / area(whole), 0.0), 1.0)  # rounding may leave −1e-17


def _in_the_plane(w: FloatArray) -> FloatArray:
    """The same perceptron with a second feature that it ignores, if it has one only."""
    if len(w) not in (2, 3):
        raise ValueError(
            f"disagreement is exact for d = 1 and d = 2, not for d = {len(w) - 1}. In more dimensions draw "
            "many points X and take numpy.mean(predict(w1, X) != predict(w2, X))."
        )
    return np.append(w, np.zeros(3 - len(w)))

"""Questions answered without rounding: times a power of two, floats are whole numbers, and those add up exactly.

`guarantee` finds its answers in floats, quickly, and has them proved, or mended, here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import lcm
from typing import TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, IntArray

Whole: TypeAlias = list[int]

_EPS = float(np.finfo(float).eps)

# A cross product of two differences is off by less than this times the size of its terms (Shewchuk's bound).
_SLACK = (3 + 16 * 2.0**-53) * 2.0**-53

# So many best lines are enough to choose from.
_ENOUGH = 10_000


# --- the point of least norm in a convex hull -----------------------------------------------------------------------


def scale_of(values: FloatArray) -> int:
    """A power of two that makes every one of these floats a whole number."""
    _, exponents = np.frexp(values[values != 0])
    return 1 << max(0, 53 - int(exponents.min(initial=53)))


def whole_numbers(values: FloatArray, scale: int) -> list[Whole]:
    """A table of floats times the scale, exactly."""
    ratios = ([entry.as_integer_ratio() for entry in row] for row in values.tolist())
    return [[numerator * scale // denominator for numerator, denominator in row] for row in ratios]


def least_norm_point(
    Z: FloatArray, examples: IntArray, weights: FloatArray
) -> tuple[list[int], list[Fraction], list[Fraction]]:
    """The point of least norm in the convex hull of Z's rows: which rows it mixes, with what weights, and itself.

    Wolfe's method, begun from a mixture that is nearly right: take the rows that are mixed; move to the point of
    least norm in their plane, or as far that way as all weights stay positive, dropping a row whose weight is used up;
    then take in the row that lies lowest in the direction of the point, until none lies lower than the point itself.
    Each round the norm shrinks, so no set of rows comes twice, and it ends.
    """
    scale = scale_of(Z)
    rows, mix = examples.tolist(), [Fraction(a) for a in (weights / weights.sum()).tolist()]
    while True:
        rows, mix = _settle(Z, scale, rows, mix)
        common = lcm(*(a.denominator for a in mix))
        shares = [int(a * common) for a in mix]
        # In whole numbers: the point times `common` and `scale`.
        point = [_dot(shares, list(column)) for column in zip(*whole_numbers(Z[rows], scale), strict=True)]
        if not any(point):
            return rows, mix, [Fraction(0)] * len(point)
        lowest, height = _lowest(Z, scale, point)
        if height * common >= _dot(point, point):
            return rows, mix, [Fraction(entry, common * scale) for entry in point]
        rows, mix = [*rows, lowest], [*mix, Fraction(0)]


def _settle(Z: FloatArray, scale: int, rows: list[int], mix: list[Fraction]) -> tuple[list[int], list[Fraction]]:
    """Move from this mixture to the one of least norm, dropping the rows that it can do without."""
    while True:
        goal = _least_norm_weights(whole_numbers(Z[rows], scale))
        if goal is None:  # rows that depend on each other, as only floats would choose to begin with: begin with one
            rows, goal = rows[:1], [Fraction(1)]
        if min(goal) > 0:
            return rows, goal
        step = min(a / (a - b) for a, b in zip(mix, goal, strict=True) if b <= 0)
        mix = [a + step * (b - a) for a, b in zip(mix, goal, strict=True)]
        rows = [n for n, a in zip(rows, mix, strict=True) if a > 0]
        mix = [a for a in mix if a > 0]


def _least_norm_weights(z: list[Whole]) -> list[Fraction] | None:
    """Weights, of any sign, with sum 1, that mix these rows to a vector of least norm; nothing if many do."""
    # At the least norm all rows have the same inner product with the mixture: solve for the weights and that product,
    # by elimination in whole numbers (Bareiss's: each division comes out even, and no fraction need be reduced).
    table = [[*(_dot(a, b) for b in z), -1, 0] for a in z]
    table.append([1] * len(z) + [0, 1])
    before, size = 1, len(table)
    for k in range(size):
        pivot = next((i for i in range(k, size) if table[i][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        top, lead = table[k], table[k][k]
        for row in table[k + 1 :]:
            factor = row[k]
            row[k:] = [(lead * a - factor * b) // before for a, b in zip(row[k:], top[k:], strict=True)]
        before = lead
    # From the last unknown back to the first, each times `before`, which is the determinant.
    solution = [0] * size
    for k in reversed(range(size)):
        rest = before * table[k][-1] - _dot(table[k][k + 1 : -1], solution[k + 1 :])
        solution[k] = rest // table[k][k]
    return [Fraction(share, before) for share in solution[:-1]]


def _lowest(Z: FloatArray, scale: int, point: Whole) -> tuple[int, int]:
    """Which row of Z has the smallest inner product with the point, and what is that?"""
    size = max(map(abs, point))
    direction = np.array([entry / size for entry in point])
    heights = Z @ direction
    # A sum of n products is off by at most about n·eps times the sum of their sizes: compare exactly those so close.
    slack = 2 * (len(point) + 1) * _EPS * (np.abs(Z) @ np.abs(direction))
    close = np.flatnonzero(heights - slack <= (heights + slack).min())
    products = [_dot(point, row) for row in whole_numbers(Z[close], scale)]
    return int(close[products.index(min(products))]), min(products)


def _dot(a: Whole, b: Whole) -> int:
    return sum(p * q for p, q in zip(a, b, strict=True))


# --- every way in which a line can part points of the plane ---------------------------------------------------------
#
# Move any line towards the points until it touches one, turning it a little first if it would touch two at once: it
# parts the points as a line does that passes close by one of them, at an angle that meets no other. So it is enough to
# stand at each point, turn half around, and see how the mistakes change whenever the line sweeps over another point:
# N² log N steps in all. Points in one direction are swept over together; that is decided without rounding.


@dataclass(frozen=True)
class Line:
    """A line that makes so many mistakes, as its w, and how far it is from the nearest place."""

    w: FloatArray
    clearance: float
    mistakes: int


def best_lines(places: FloatArray, plus: IntArray, minus: IntArray, at_least: int = 0) -> list[Line]:
    """Lines with the fewest mistakes (but at least so many), for so many + and − at each of several places."""
    best: list[tuple[int, float, bool]] = []  # the place a line passes close by, its angle, and whether its left is +
    fewest = int(plus.sum() + minus.sum()) + 1
    whole = whole_numbers(places, scale_of(places))
    for i in range(len(places)):
        angles, mistakes = _turn_around(places, whole, i, plus, minus)
        own = int(min(plus[i], minus[i]))  # the line passes the pivot on whichever side is better
        others = int(plus.sum() + minus.sum() - plus[i] - minus[i])
        for left_is_plus, wrong in ((True, mistakes + own), (False, others - mistakes + own)):
            here = wrong[wrong >= at_least].min(initial=fewest)
            if here < fewest:
                best, fewest = [], int(here)
            gaps = np.flatnonzero(wrong == fewest)[: _ENOUGH - len(best)]
            best += [(i, float(angles[gap]), left_is_plus) for gap in gaps]
    return [_passing_by(i, angle, left_is_plus, places, plus, minus, fewest) for i, angle, left_is_plus in best]


def best_thresholds(places: FloatArray, plus: IntArray, minus: IntArray, at_least: int = 0) -> list[Line]:
    """The same for places on the first axis, sorted: a threshold between two of them, or beside them all."""
    x = places[:, 0]
    cuts = np.concatenate([[x[0] - 1], (x[:-1] + x[1:]) / 2, [x[-1] + 1]])
    gaps = np.concatenate([[1.0], np.diff(x) / 2, [1.0]])
    above_is_plus = np.append(0, np.cumsum(plus)) + minus.sum() - np.append(0, np.cumsum(minus))
    lines = [
        Line(np.array([-side * cut, side, 0.0]), float(gap), int(wrong))
        for side, counts in ((1.0, above_is_plus), (-1.0, plus.sum() + minus.sum() - above_is_plus))
        for cut, gap, wrong in zip(cuts, gaps, counts, strict=True)
        if wrong >= at_least
    ]
    fewest = min(line.mistakes for line in lines)
    return [line for line in lines if line.mistakes == fewest]


def _passing_by(
    i: int, angle: float, left_is_plus: bool, places: FloatArray, plus: IntArray, minus: IntArray, mistakes: int
) -> Line:
    """The line through place i at that angle, moved off the place half-way to the next one."""
    normal = np.array([-np.sin(angle), np.cos(angle)]) * (1 if left_is_plus else -1)
    heights = np.delete((places - places[i]) @ normal, i)
    pivot_is_plus = bool(plus[i] >= minus[i])
    beyond = -heights[heights < 0] if pivot_is_plus else heights[heights > 0]
    distances = beyond if len(beyond) else np.abs(heights)
    distance = float(distances.min()) / 2 if len(distances) else 1.0
    shift = distance if pivot_is_plus else -distance
    return Line(np.array([shift - normal @ places[i], *normal]), distance, mistakes)


def _turn_around(
    places: FloatArray, whole: list[Whole], i: int, plus: IntArray, minus: IntArray
) -> tuple[FloatArray, IntArray]:
    """Angles of a line turning around place i, one in each gap between directions, and the mistakes there.

    The places to the left of the line are called +1, and place i itself is not counted.
    """
    others = np.delete(np.arange(len(places)), i)
    surplus = (plus - minus)[others]
    directions = places[others] - places[i]
    behind = (directions[:, 1] < 0) | ((directions[:, 1] == 0) & (directions[:, 0] < 0))
    facing = np.where(behind, -1, 1)  # a line has two ends: turn those behind to the front, angles 0 to π
    at_first = plus[others].sum() - surplus[~behind].sum()
    if len(others) == 0:
        return np.zeros(1), np.array([at_first])

    def exact_directions() -> list[tuple[int, int]]:
        (x0, y0), ends = whole[i], [whole[k] for k in others]
        return [((x - x0) * f, (y - y0) * f) for (x, y), f in zip(ends, facing.tolist(), strict=True)]

    order, last = _by_direction(directions * facing[:, np.newaxis], exact_directions)
    changes = np.cumsum((facing * surplus)[order])[last]  # sweeping over a place moves it to the other side
    angle = np.arctan2(facing * directions[:, 1], facing * directions[:, 0])[order]
    first = np.append(0, last[:-1] + 1)
    before = np.append(angle[last[-1]] - np.pi, angle[last[:-1]])
    return (before + angle[first]) / 2, at_first + np.append(0, changes[:-1])


def _by_direction(directions: FloatArray, exact: Callable[[], list[tuple[int, int]]]) -> tuple[IntArray, IntArray]:
    """The places in order of direction, and where in that order each direction has its last place."""
    order = np.argsort(np.arctan2(directions[:, 1], directions[:, 0]), kind="stable")
    (ax, ay), (bx, by) = directions[order[:-1]].T, directions[order[1:]].T
    cross = ax * by - ay * bx
    steps = np.sign(cross).astype(np.int64)  # does the line turn on (+1) from each place to the next?
    unsure = np.flatnonzero(np.abs(cross) <= _SLACK * (np.abs(ax * by) + np.abs(ay * bx)))
    if len(unsure) or (steps < 0).any():  # rounding might have decided: decide exactly
        whole = exact()
        steps[unsure] = [_turn(whole[order[k]], whole[order[k + 1]]) for k in unsure]
        if (steps < 0).any():  # rounding put two directions the wrong way round
            by_direction = cmp_to_key(_turn)
            order = np.array(sorted(range(len(directions)), key=lambda k: by_direction(whole[k]), reverse=True))
            steps = np.array([_turn(whole[a], whole[b]) for a, b in pairwise(order)])
    return order, np.append(np.flatnonzero(steps > 0), len(directions) - 1)


def _turn(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Is b's direction further round than a's (+1), less far (−1), or the same (0)?"""
    cross = a[0] * b[1] - a[1] * b[0]
    return (cross > 0) - (cross < 0)

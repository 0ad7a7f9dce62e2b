"""Questions answered without rounding: times a power of two, floats are whole numbers, and those add up exactly.

`guarantee` finds its answers in floats, quickly, and has them proved, or mended, here.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np

from plahelpers._inputs import FloatArray, IntArray

Whole: TypeAlias = list[int]

_EPS = float(np.finfo(float).eps)


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
    exactly = [_dot(point, row) for row in whole_numbers(Z[close], scale)]
    return int(close[exactly.index(min(exactly))]), min(exactly)


def _dot(a: Whole, b: Whole) -> int:
    return sum(p * q for p, q in zip(a, b, strict=True))

"""Questions answered without rounding: floats are fractions, and fractions can be added exactly.

`guarantee` finds its answers in floats, quickly, and proves them here. Where floats are too coarse to decide whether
some w gets every example right, `decide` does, slowly and surely.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np

from plahelpers._inputs import FloatArray, IntArray

Matrix: TypeAlias = list[list[Fraction]]

_EPS = float(np.finfo(float).eps)


def all_positive(Z: FloatArray, w: FloatArray) -> bool:
    """Is wᵀz > 0 for every row z of Z, exactly?"""
    values = Z @ w
    # No product of n terms is off by more than about n·eps times the sum of their sizes.
    slack = 2 * len(w) * _EPS * (np.abs(Z) @ np.abs(w))
    if (values < -slack).any():
        return False
    exact_w = [Fraction(entry) for entry in w.tolist()]
    return all(_dot(exact_w, _fractions(Z[n])) > 0 for n in np.flatnonzero(values <= slack))


def balance(Z: FloatArray) -> list[Fraction] | None:
    """Weights a ≥ 0 with Σa = 1 and Σ aₙzₙ = 0 exactly, if these rows of Z have just one solution and it is such."""
    columns = [[*_fractions(row), Fraction(1)] for row in Z]
    height = len(columns[0])
    table = [[column[i] for column in columns] + [Fraction(i == height - 1)] for i in range(height)]
    rank = _eliminate(table)
    if rank < len(columns) or any(row[-1] for row in table[rank:]):
        return None
    weights = [table[k][-1] for k in range(rank)]
    return weights if min(weights) >= 0 else None


def _eliminate(table: Matrix) -> int:
    """Gauss–Jordan on all columns but the last, in place, up to the first column without a pivot; its number."""
    for k in range(len(table[0]) - 1):
        pivot = next((i for i in range(k, len(table)) if table[i][k]), None)
        if pivot is None:
            return k
        table[k], table[pivot] = table[pivot], table[k]
        _clear_column(table, k, k)
    return len(table[0]) - 1


def _clear_column(table: Matrix, row: int, column: int) -> None:
    """Make the pivot 1 and everything else in its column 0, by row operations."""
    lead = table[row][column]
    table[row] = [entry / lead for entry in table[row]]
    for i, other in enumerate(table):
        if i != row and other[column]:
            factor = other[column]
            table[i] = [a - factor * b for a, b in zip(other, table[row], strict=True)]


def decide(Z: FloatArray) -> tuple[FloatArray | None, IntArray]:
    """Either a w with wᵀz > 0 for all rows of Z, or the numbers of at most d + 2 rows that no w can all satisfy.

    The simplex method, phase one, in fractions: look for a ≥ 0 with Σ aₙ(zₙ, 1) = (0, …, 0, 1). Bland's rule (always
    the first that will do) keeps it from going round in circles, so it ends.
    """
    columns = [[*_fractions(row), Fraction(1)] for row in Z]
    height = len(columns[0])
    # Each row: the inverse of the basis, then the basic solution. At first all is artificial (numbered below 0).
    table = [[Fraction(i == k) for k in range(height)] + [Fraction(i == height - 1)] for i in range(height)]
    basis = [i - height for i in range(height)]
    while True:
        artificial = [row for row, b in zip(table, basis, strict=True) if b < 0]
        price = [sum((row[k] for row in artificial), Fraction(0)) for k in range(height)]
        enter = next((n for n, column in enumerate(columns) if _dot(price, column) > 0), None)
        if enter is None:
            break
        step = [_dot(row[:height], columns[enter]) for row in table]
        ratios = [(table[i][-1] / step[i], basis[i], i) for i in range(height) if step[i] > 0]
        leave = min(ratios)[2]
        for i, row in enumerate(table):
            row.append(step[i])
        _clear_column(table, leave, height + 1)
        for row in table:
            row.pop()
        basis[leave] = enter
    if any(row[-1] > 0 for row in artificial):
        size = max(abs(entry) for entry in price)
        return np.array([float(-entry / size) for entry in price[:-1]]), np.empty(0, dtype=np.int64)
    return None, np.array(sorted(b for b in basis if b >= 0), dtype=np.int64)


def whole_numbers(values: FloatArray) -> list[list[int]]:
    """The same table times a power of two that makes every entry a whole number: fast to reckon with exactly."""
    ratios = [[entry.as_integer_ratio() for entry in row] for row in values.tolist()]
    scale = max((denominator for row in ratios for _, denominator in row), default=1)
    return [[numerator * (scale // denominator) for numerator, denominator in row] for row in ratios]


def _fractions(row: FloatArray) -> list[Fraction]:
    return [Fraction(entry) for entry in row.tolist()]


def _dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))

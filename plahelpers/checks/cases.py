"""Data for the cases of several exercises, fixed and drawn."""

from typing import Any, TypeAlias

import numpy as np

from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.task import Rng

Examples: TypeAlias = tuple[FloatArray, IntArray]  # X, y


def examples(X: Any, y: Any) -> Examples:
    """X and y as arrays; X to two decimals, so that a case can be shown in full and pasted."""
    return np.array(X, dtype=np.float64).round(2), np.array(y, dtype=np.int64)


def fresh_separable(rng: Rng, count: int = 3) -> list[tuple[FloatArray, IntArray, FloatArray]]:
    """Separable examples on which cyclic PLA makes a few updates, not many, and a perfect w."""
    cases = list[tuple[FloatArray, IntArray, FloatArray]]()
    while len(cases) < count:
        N, d = int(rng.integers(6, 13)), int(rng.integers(2, 4))
        data = datasets.separable(N, d, low=-5, high=5, margin=0.3, rng=rng)
        X, y = examples(*data)
        if len(set(y.tolist())) == 2 and 4 <= learning.pla(X, y).updates <= 40:
            cases.append((X, y, np.array(data.target)))
    return cases


def fresh_noisy(rng: Rng, count: int) -> list[Examples]:
    """Examples of the plane with some labels flipped, on which Pocket does not come to its end at once."""
    cases = list[Examples]()
    while len(cases) < count:
        data = datasets.noisy(int(rng.integers(9, 15)), noise=0.25, low=-5, high=5, margin=0.3, rng=rng)
        X, y = examples(*data)
        if learning.pocket(X, y, order="cyclic", max_updates=20).updates == 20:
            cases.append((X, y))
    return cases


def fresh_labelled(rng: Rng) -> list[tuple[FloatArray, FloatArray, IntArray]]:
    """(w, X, y): the first two examples are the same one, on the line, with both labels: one of them is a mistake."""
    cases = []
    for _ in range(3):
        d = int(rng.integers(1, 4))
        X, v = whole_numbers(rng, int(rng.integers(3, 8)), d), whole_numbers(rng, d)
        X[1] = X[0]
        y = np.array([1, -1, *rng.choice([-1, 1], len(X) - 2)])
        cases.append((np.append(-float(v @ X[0]), v), X, y))
    return cases


def whole_numbers(rng: Rng, *shape: int) -> FloatArray:
    """Whole numbers from −5 to 5 without 0, as floats: sums of them are exact, and so is "on the line"."""
    return np.asarray(rng.integers(1, 6, shape) * rng.choice([-1.0, 1.0], shape))

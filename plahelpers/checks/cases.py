"""What a learner's function is tried on: for each task the fixed cases, and fresh ones that nobody has seen.

The fixed cases are small, from the smallest on, and the last of them is one of those before, once more. The fresh ones
are drawn from a generator; they are fit by construction: runs that end soon, examples on the line where that is asked
for (in whole numbers, so that no rounding moves them), and off it everywhere else.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray

Arguments: TypeAlias = tuple[Any, ...]
Chance: TypeAlias = np.random.Generator

_FRESH: Final = 3  # so many fresh cases of each kind


def _arrays(X: Any, y: Any) -> tuple[FloatArray, IntArray]:
    return np.array(X, dtype=np.float64), np.array(y, dtype=np.int64)


def _twice(cases: list[Arguments]) -> list[Arguments]:
    """The last case once more, to see whether the answer is the same."""
    return [*cases, cases[-1]]


# --- Data to draw from -----------------------------------------------------------------------------------------------


def _fresh_walk(rng: Chance) -> tuple[FloatArray, IntArray]:
    """Separable examples on which cyclic PLA makes a few updates, not many."""
    while True:
        data = datasets.separable(
            int(rng.integers(6, 13)), int(rng.integers(2, 4)), low=-5, high=5, margin=0.3, rng=rng
        )
        X, y = _arrays(np.round(data.X, 2), data.y)
        if len(set(y.tolist())) == 2 and 4 <= learning.pla(X, y).updates <= 40:
            return X, y


def _fresh_noise(rng: Chance) -> tuple[FloatArray, IntArray]:
    """Examples of the plane with some labels flipped, on which Pocket does not come to its end at once."""
    while True:
        data = datasets.noisy(int(rng.integers(9, 15)), noise=0.25, low=-5, high=5, margin=0.3, rng=rng)
        X, y = _arrays(np.round(data.X, 2), data.y)
        if learning.pocket(X, y, order="cyclic", max_updates=20).updates == 20:
            return X, y


def _fresh_table(rng: Chance, rows: int | None = None, columns: int | None = None) -> FloatArray:
    shape = rows or int(rng.integers(2, 7)), columns or int(rng.integers(1, 5))
    return np.asarray(np.round(rng.uniform(-6, 6, shape), 2))


def _whole(rng: Chance, *shape: int) -> FloatArray:
    """Whole numbers from −5 to 5 without 0, as floats."""
    return np.asarray(rng.integers(1, 6, shape) * rng.choice([-1.0, 1.0], shape))


# --- PLA -------------------------------------------------------------------------------------------------------------


@cache
def _walks() -> tuple[tuple[FloatArray, IntArray], ...]:
    """The examples for PLA, smallest first, one that takes many passes, and the running example once more."""
    running = datasets.running_example()
    textbook = datasets.textbook_example()
    return (
        _arrays([[2, 1]], [1]),
        _arrays([[2, 1]], [-1]),
        _arrays([[1, 3], [2, -1]], [-1, 1]),
        _arrays([[1], [2], [4], [3]], [-1, -1, 1, 1]),
        _arrays(textbook.X, textbook.y),
        _arrays([[1, 2, 0], [0, -1, 3], [2, 2, 1], [-1, 0, 1], [3, -2, -1]], [1, -1, 1, -1, 1]),
        _arrays(running.X, running.y),
        _arrays([[10], [11]], [-1, 1]),  # 212 updates in 113 passes: no small limit on the passes will do
        _arrays(running.X, running.y),
    )


def pla() -> list[Arguments]:
    """(X, y)."""
    return [(X.copy(), y.copy()) for X, y in _walks()]


def fresh_pla(rng: Chance) -> list[Arguments]:
    """(X, y)."""
    return [_fresh_walk(rng) for _ in range(_FRESH)]


def pla_with_order() -> list[Arguments]:
    """(X, y, order): 0, 1, 2, … for the small ones, another order for the others."""
    orders = {20: datasets.running_order(), 5: np.array([3, 4, 0, 1, 2]), 4: np.array([2, 3, 0, 1])}
    return [(X, y, np.array(orders.get(len(y), np.arange(len(y))))) for X, y in pla()]


def fresh_pla_with_order(rng: Chance) -> list[Arguments]:
    """(X, y, order)."""
    return [(X, y, rng.permutation(len(y))) for X, y in fresh_pla(rng)]


def repeat_pla() -> list[Arguments]:
    """(X, y, cycles), from one run on one example to many on the running example."""
    chance = np.random.default_rng(2)
    one, minus, two, four, three, running = (_walks()[k] for k in (0, 1, 2, 3, 4, 6))
    every_way = np.array([[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]])
    return _twice([
        (*one, np.array([[0]])),
        (*minus, np.array([[0]])),
        (*two, np.array([[0, 1], [1, 0]])),
        (*_arrays([[2, 4], [1, 1]], [1, -1]), np.array([[0, 1], [1, 0]])),
        (*four, np.array([[0, 1, 2, 3], [3, 1, 0, 2]])),
        (*three, every_way),
        (*running, np.array([chance.permutation(20) for _ in range(5)])),
        (*running, np.array([chance.permutation(20) for _ in range(8)])),
    ])  # fmt: skip


def fresh_repeat_pla(rng: Chance) -> list[Arguments]:
    """(X, y, cycles)."""
    return [(X, y, _cycles(rng, int(rng.integers(2, 6)), len(y))) for X, y in fresh_pla(rng)]


def _cycles(rng: Chance, runs: int, N: int) -> IntArray:
    return np.array([rng.permutation(N) for _ in range(runs)])


# --- Pocket and greedy -----------------------------------------------------------------------------------------------

_CROSSED: Final = ([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1])
_MOSTLY_MINUS: Final = ([[1], [1], [2], [1]], [-1, 1, -1, -1])


def pocket() -> list[Arguments]:
    """(X, y, max_updates)."""
    clean, noisy = datasets.running_example(), datasets.noisy_running_example()
    return [
        (*_arrays([[2, 1]], [1]), 0),
        (*_arrays([[2, 1]], [1]), 1),
        (*_arrays([[2, 1]], [-1]), 3),
        (*_arrays(*_MOSTLY_MINUS), 3),
        (*_arrays(*_CROSSED), 1),
        (*_arrays(*_CROSSED), 4),
        (*_arrays(*_CROSSED), 7),
        (*_arrays(noisy.X, noisy.y), 3),  # spent within a pass, and a better w comes soon after
        (*_arrays(noisy.X, noisy.y), 4),
        (*_arrays(noisy.X, noisy.y), 10),
        (*_arrays(clean.X, clean.y), 8),
        (*_arrays(clean.X, clean.y), 50),
        (*_arrays(noisy.X, noisy.y), 100),
        (*_arrays(noisy.X, noisy.y), 100),
    ]


def fresh_pocket(rng: Chance) -> list[Arguments]:
    """(X, y, max_updates)."""
    return [(*_fresh_noise(rng), int(rng.integers(5, 31))) for _ in range(_FRESH)]


def greedy() -> list[Arguments]:
    """(X, y, order): where going back matters, where it does not, and where the second pass still helps."""
    clean, noisy = datasets.running_example(), datasets.noisy_running_example()
    second_pass = _arrays([[-2, 2], [-1, -1], [-4, 1], [1, -2], [3, -3]], [-1, -1, -1, 1, 1])
    return _twice([
        (*_arrays([[2, 1]], [1]), np.array([0])),
        (*_arrays([[2, 1]], [-1]), np.array([0])),
        (*_arrays(*_MOSTLY_MINUS), np.array([0, 1, 2, 3])),
        (*_arrays(*_CROSSED), np.array([0, 1, 2, 3])),
        (*_arrays(*_CROSSED), np.array([2, 1, 3, 0])),
        (*second_pass, np.array([1, 3, 0, 2, 4])),
        (*_arrays(clean.X, clean.y), np.arange(20)),
        (*_arrays(clean.X, clean.y), datasets.running_order()),
        (*_arrays(noisy.X, noisy.y), np.arange(20)),
        (*_arrays(noisy.X, noisy.y), datasets.running_order()),
    ])  # fmt: skip


def fresh_greedy(rng: Chance) -> list[Arguments]:
    """(X, y, order)."""
    return [(X, y, rng.permutation(len(y))) for X, y in (_fresh_noise(rng) for _ in range(_FRESH))]


def repeat_pocket() -> list[Arguments]:
    """(X, y, X_test, y_test, cycles, max_updates)."""
    rng = np.random.default_rng(4)
    noisy = datasets.noisy_running_example()
    two_more = np.array([[2.0, 3.0], [-1.0, 0.5]]), np.array([1, -1])
    return _twice([
        (*_arrays([[2, 1]], [1]), *two_more, np.array([[0]]), 1),
        (*_arrays(*_CROSSED), *two_more, np.array([[0, 1, 2, 3], [2, 1, 3, 0]]), 3),
        (*_arrays(noisy.X, noisy.y), *_test(rng, noisy.w_f), _cycles(rng, 3, 20), 5),
        (*_arrays(noisy.X, noisy.y), *_test(rng, noisy.w_f), _cycles(rng, 5, 20), 20),
    ])  # fmt: skip


def fresh_repeat_pocket(rng: Chance) -> list[Arguments]:
    """(X, y, X_test, y_test, cycles, max_updates)."""
    cases = []
    for _ in range(_FRESH):
        X, y = _fresh_noise(rng)
        cases.append((X, y, *_test(rng), _cycles(rng, 3, len(y)), int(rng.integers(5, 21))))
    return cases


def _test(rng: Chance, w_f: Any = None) -> tuple[FloatArray, IntArray]:
    data = datasets.noisy(int(rng.integers(7, 12)), noise=0.2, w_f=w_f, low=-5, high=5, rng=rng)
    return _arrays(np.round(data.X, 2), data.y)


# --- The small functions ---------------------------------------------------------------------------------------------

_POINTS: Final = np.array([[2.0, 1.0], [1.0, -2.0], [0.5, 0.0], [-1.0, 3.0], [4.0, 0.5]])
_LABELS: Final = np.array([1, 1, -1, -1, 1])
_BOTH: Final = np.int64(1), np.int64(-1)  # not Python's own: for those, `is` would do where `==` is meant


def tables() -> list[Arguments]:
    """(X,)."""
    return _twice(
        [(np.array([[3.0]]),), (np.array([[2.0, -1.0]]),), (_POINTS.copy(),), (np.arange(9.0).reshape(3, 3) - 4,)]
    )


def fresh_tables(rng: Chance) -> list[Arguments]:
    """(X,)."""
    return [(_fresh_table(rng),) for _ in range(_FRESH)]


def scores() -> list[Arguments]:
    """(s,)."""
    return _twice([(score,) for score in (3.0, -2.5, 0.0, 0.4, -0.4, 7.5)])


def fresh_scores(rng: Chance) -> list[Arguments]:
    """(s,), of both signs, near 0 and far."""
    return [(float(side * size),) for size in rng.uniform([0.01, 1], [1, 99], (_FRESH, 2)).ravel() for side in (1, -1)]


def examples() -> list[Arguments]:
    """(w, x, y): on the line with both labels, and off it; y is as it comes out of an array."""
    weights, points = np.array([-3.0, 1.0, 2.0]), ([1.0, 1.0], [2.0, 1.0], [0.0, 1.0], [4.0, -2.0], [-1.0, 4.0])
    return _twice(
        [(np.zeros(2), np.array([2.0]), y) for y in _BOTH]
        + [(weights, np.array(x), y) for x in points for y in _BOTH]
        + [(np.array([2.0, 1.0, 2.0]), np.array([-1.0, 0.0]), y) for y in _BOTH]
    )


def fresh_examples(rng: Chance) -> list[Arguments]:
    """(w, x, y), with both labels; the last x is on the line."""
    cases: list[Arguments] = []
    for k in range(_FRESH):
        x, v = _whole(rng, 2, int(rng.integers(1, 5)))
        threshold = float(v @ x) + (0.0 if k == _FRESH - 1 else float(_whole(rng)))
        cases += [(np.append(-threshold, v), x, y) for y in _BOTH]
    return cases


def judged() -> list[Arguments]:
    """(w, X, y) with points on the line, and more than one mistake."""
    return _twice([
        (np.zeros(2), np.array([[1.0], [2.0], [3.0]]), np.array([1, -1, -1])),
        (np.array([-3.0, 1.0, 1.0]), _POINTS.copy(), _LABELS.copy()),
        (np.array([1.0, -1.0, 2.0]), _POINTS.copy(), _LABELS.copy()),
        (np.array([0.5, 2.0, -1.0]), _POINTS[:3].copy(), _LABELS[:3].copy()),
        (np.array([-2.0, 1.0, 0.0]), _POINTS[1:].copy(), _LABELS[1:].copy()),
    ])  # fmt: skip


def fresh_judged(rng: Chance) -> list[Arguments]:
    """(w, X, y): the first two examples are the same one, on the line, with both labels: one of them is a mistake."""
    cases = []
    for _ in range(_FRESH):
        d = int(rng.integers(1, 4))
        X, v = _whole(rng, int(rng.integers(3, 8)), d), _whole(rng, d)
        X[1] = X[0]
        y = np.array([1, -1, *rng.choice([-1, 1], len(X) - 2)])
        cases.append((np.append(-float(v @ X[0]), v), X, y))
    return cases


def predicted() -> list[Arguments]:
    """(w, X)."""
    return [(w, X) for w, X, _ in judged()]


def fresh_predicted(rng: Chance) -> list[Arguments]:
    """(w, X)."""
    return [(w, X) for w, X, _ in fresh_judged(rng)]


def updates() -> list[Arguments]:
    """(w, x, y), always a mistake."""
    return _twice([
        (np.zeros(3), np.array([2.0, 1.0]), np.int64(1)),
        (np.array([1.0, 2.0, 1.0]), np.array([0.5, 3.0]), np.int64(-1)),
        (np.array([-4.0, 1.0, 0.5, 1.0]), np.array([1.0, -2.0, 3.0]), np.int64(1)),
    ])  # fmt: skip


def fresh_updates(rng: Chance) -> list[Arguments]:
    """(w, x, y), always a mistake."""
    cases = []
    for _ in range(_FRESH):
        d = int(rng.integers(1, 5))
        w, x = np.round(rng.uniform(-4, 4, d + 1), 2), np.round(rng.uniform(-4, 4, d), 2)
        cases.append((w, x, np.int64(-1 if w[0] + w[1:] @ x > 0 else 1)))
    return cases


# --- The proof -------------------------------------------------------------------------------------------------------


def margins() -> list[Arguments]:
    """(X, y, w_f): perfect ones, and one that is not, whose ρ is negative."""
    return _twice([
        *bounds()[:-1],
        (_POINTS.copy(), _LABELS.copy(), np.array([-1.0, 1.0, -2.0])),
    ])  # fmt: skip


def fresh_margins(rng: Chance) -> list[Arguments]:
    """(X, y, w_f); the last w_f is not perfect."""
    X, y, w_f = fresh_bounds(rng)[0]
    return [*fresh_bounds(rng), (X, np.append(-y[:1], y[1:]), w_f)]


def bounds() -> list[Arguments]:
    """(X, y, w_f), all perfect."""
    running = datasets.running_example()
    return _twice([
        (*_arrays([[3], [-1], [4]], [1, -1, 1]), np.array([-1.0, 1.0])),
        (*_arrays([[3, 3], [4, 3], [1, 1]], [1, 1, -1]), np.array([-6.0, 2.0, 2.0])),
        (*_arrays(running.X, running.y), np.array([-1.0, 2.0, -1.0])),
    ])  # fmt: skip


def fresh_bounds(rng: Chance) -> list[Arguments]:
    """(X, y, w_f), all perfect; w_f is not of length 1."""
    cases = []
    for _ in range(_FRESH):
        data = datasets.separable(int(rng.integers(4, 9)), int(rng.integers(1, 4)), low=-5, high=5, margin=0.2, rng=rng)
        assert data.w_f is not None
        cases.append((data.X, data.y, data.w_f * rng.uniform(2, 5)))
    return cases


def paths() -> list[Arguments]:
    """(weights, w_f): three rows by hand that do not begin at 0, and two runs of PLA that do."""
    textbook, running = datasets.textbook_example(), datasets.running_example()
    return _twice([
        (np.array([[1.0, 2.0], [2.0, 4.0], [1.0, 1.0]]), np.array([-1.0, 1.0])),
        (np.array([[0.0, 0.0, 0.0], [1.0, 3.0, -4.0]]), np.array([3.0, 0.0, -4.0])),
        (learning.pla(*textbook, sign_of_zero=0).weights, np.array([-6.0, 2.0, 2.0])),
        (learning.pla(*running).weights, np.array([-1.0, 2.0, -1.0])),
    ])  # fmt: skip


def fresh_paths(rng: Chance) -> list[Arguments]:
    """(weights, w_f)."""
    return [(learning.pla(*data).weights, _whole(rng, data[0].shape[1] + 1)) for data in fresh_pla(rng)]


def walks_alone() -> list[Arguments]:
    """(weights,)."""
    return [(weights,) for weights, _ in paths()]


def fresh_walks_alone(rng: Chance) -> list[Arguments]:
    """(weights,)."""
    return [(weights,) for weights, _ in fresh_paths(rng)]


def standardise() -> list[Arguments]:
    """(train, test): columns of different sizes; in the second and third, one that never changes in train."""
    return _twice([
        (np.array([[1.0], [3.0]]), np.array([[2.0], [5.0], [9.0]])),
        (np.array([[1.0, 3.0], [5.0, 3.0], [9.0, 3.0]]), np.array([[3.0, 3.0], [4.0, 3.0]])),
        (np.array([[1.0, 3.0], [5.0, 3.0], [9.0, 3.0]]), np.array([[3.0, 3.0], [4.0, 7.0]])),
        (np.array([[2.0, 100.0], [4.0, 300.0], [4.0, 500.0], [6.0, 300.0]]), np.array([[4.0, 250.0], [8.0, 700.0]])),
        (np.array([[0.5, -2.0, 40.0], [1.5, 4.0, 10.0], [4.0, 1.0, 20.0]]), np.arange(12.0).reshape(4, 3)),
    ])  # fmt: skip


def fresh_standardise(rng: Chance) -> list[Arguments]:
    """(train, test); the last has a column that never changes in train."""
    cases = []
    for k in range(_FRESH):
        rows, more, columns = int(rng.integers(4, 9)), int(rng.integers(3, 7)), int(rng.integers(2, 5))
        both = _fresh_table(rng, rows + more, columns) * 10.0 ** rng.integers(0, 4, columns) + _whole(rng, columns)
        if k == _FRESH - 1:
            both[:rows, 0] = 3.0
        cases.append((both[:rows], both[rows:]))
    return cases

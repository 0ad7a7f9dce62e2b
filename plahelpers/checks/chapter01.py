"""Chapter 1: the constant x₀ = +1, sign(s), predictions, mistakes and their rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from plahelpers import hypothesis
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import IsMistake
from plahelpers.checks.task import NUMBER, ROW, TABLE, Arguments, Mistake, Rng, Version

__all__ = ["error_rate", "mistakes", "predict", "sign", "with_bias"]

POINTS: Final = np.array([[2.0, 1.0], [1.0, -2.0], [0.5, 0.0], [-1.0, 3.0], [4.0, 0.5]])
LABELS: Final = np.array([1, 1, -1, -1, 1])


def tables() -> list[Arguments]:
    return [(np.array([[3.0]]),), (np.array([[2.0, -1.0]]),), (POINTS.copy(),), (np.arange(9.0).reshape(3, 3) - 4,)]


def fresh_tables(rng: Rng) -> list[Arguments]:
    return [(np.round(rng.uniform(-6, 6, rng.integers([2, 1], [7, 5])), 2),) for _ in range(pieces.FRESH)]


@exercise(
    returns=TABLE,
    cases=tables,
    fresh=fresh_tables,
    mistakes=(
        Mistake("bias_last", pieces.bias_last),
        Mistake("bias_minus", pieces.bias_minus),
        Mistake("bias_zero", pieces.bias_zero),
        Mistake("no_bias", np.array),
        Mistake("bias_as_row", lambda X: np.vstack([np.ones(X.shape[1]), X])),
        Mistake("transposed", lambda X: pieces.bias_first(X).T),
        Mistake("flattened", lambda X: np.insert(X, 0, 1.0), lambda X: pieces.bias_first(X).ravel()),
    ),
)
def with_bias(X: FloatArray) -> FloatArray:
    """Does my_with_bias(X) put the constant x₀ = +1 in front of every example?

    It returns a table with a row for each row of X, and one column more. Explained in chapter 1, "The bias trick".
    """
    return hypothesis.with_bias(X)


def _scores() -> list[Arguments]:
    """Numbers of Python, and of NumPy, as they come out of wᵀx."""
    of_numpy = np.float64(2.5), np.float64(0.0), np.int64(-3), np.int64(0), np.float32(-0.5)
    return [(score,) for score in (3.0, -2.5, 0.0, 0.4, -0.4, 2, *of_numpy, 7.5)]


def _sign(s: float) -> int:
    return 1 if s > 0 else -1


@exercise(
    returns=NUMBER,
    cases=_scores,
    fresh=lambda rng: [(side * size,) for size in rng.uniform(0.01, [1, 9, 99]).round(2).tolist() for side in (1, -1)],
    mistakes=(
        Mistake("zero_is_plus", lambda s: 1 if s >= 0 else -1),
        Mistake("zero_is_zero", lambda s: int(np.sign(s))),
        Mistake("flipped", lambda s: -_sign(s)),
        Mistake("zero_one_labels", lambda s: int(s > 0), lambda s: int(s >= 0)),
        Mistake("rounds", lambda s: _sign(int(s)), lambda s: _sign(round(s))),
        Mistake("returns_score", lambda s: s),
    ),
)
def sign(s: float) -> Any:
    """Does my_sign(s) return +1 for a positive number, and −1 for any other, zero too?

    Explained in chapter 1, "What happens on the line".
    """
    return hypothesis.sign(s)


def _labelled() -> list[Arguments]:
    """(w, X, y) with points on the line, and more than one mistake."""
    return [
        (np.zeros(2), np.array([[1.0], [2.0], [3.0]]), np.array([1, -1, -1])),
        (np.array([-3.0, 1.0, 1.0]), POINTS.copy(), LABELS.copy()),
        (np.array([1.0, -1.0, 2.0]), POINTS.copy(), LABELS.copy()),
        (np.array([0.5, 2.0, -1.0]), POINTS[:3].copy(), LABELS[:3].copy()),
        (np.array([-2.0, 1.0, 0.0]), POINTS[1:].copy(), LABELS[1:].copy()),
    ]


def fresh_labelled(rng: Rng) -> list[Arguments]:
    """(w, X, y): the first two examples are the same one, on the line, with both labels: one of them is a mistake."""
    cases = []
    for _ in range(pieces.FRESH):
        d = int(rng.integers(1, 4))
        X, v = pieces.whole_numbers(rng, int(rng.integers(3, 8)), d), pieces.whole_numbers(rng, d)
        X[1] = X[0]
        y = np.array([1, -1, *rng.choice([-1, 1], len(X) - 2)])
        cases.append((np.append(-float(v @ X[0]), v), X, y))
    return cases


def _predict(score: Callable[..., float] = pieces.score_of, sign: Callable[[float], Any] = _sign) -> Version:
    return lambda w, X: [sign(score(w, x)) for x in X]


@exercise(
    returns=ROW,
    cases=lambda: [(w, X) for w, X, _ in _labelled()],
    fresh=lambda rng: [(w, X) for w, X, _ in fresh_labelled(rng)],
    mistakes=(
        *pieces.mistakes_in_score(_predict),
        Mistake("zero_is_plus", _predict(sign=lambda s: 1 if s >= 0 else -1)),
        Mistake("zero_is_zero", _predict(sign=lambda s: int(np.sign(s)))),
        Mistake("flipped", _predict(sign=lambda s: -_sign(s))),
        Mistake("zero_one_labels", _predict(sign=lambda s: int(s > 0))),
        Mistake("returns_score", _predict(sign=float)),
    ),
)
def predict(w: FloatArray, X: FloatArray) -> Any:
    """Does my_predict(w, X) return the labels sign(wᵀx), one for each row of X?

    Explained in chapter 1, "Try it yourself".
    """
    return hypothesis.predict(w, X)


def _judging(
    judge: Callable[[list[bool]], Any],
    score: Callable[..., float] = pieces.score_of,
    is_mistake: IsMistake = pieces.zero_is_minus,
) -> Version:
    """A version of f(w, X, y): which examples are mistakes, by this score and this convention, handed to `judge`."""

    def version(w: FloatArray, X: FloatArray, y: IntArray) -> Any:
        return judge([is_mistake(score(w, x), int(label)) for x, label in zip(X, y, strict=True)])

    return version


def _indices(wrong: list[bool], value: bool = True) -> list[int]:
    return [n for n, each in enumerate(wrong) if each == value]


def _rate(wrong: list[bool]) -> float:
    return sum(wrong) / len(wrong)


@exercise(
    returns=ROW,
    cases=_labelled,
    fresh=fresh_labelled,
    mistakes=(
        *pieces.mistakes_in_score(lambda score: _judging(_indices, score)),
        *pieces.mistakes_on_the_line(lambda is_mistake: _judging(_indices, is_mistake=is_mistake)),
        Mistake("counts_right", _judging(partial(_indices, value=False)), _judging(lambda wrong: wrong.count(False))),
        Mistake("numbers_from_one", _judging(lambda wrong: [n + 1 for n in _indices(wrong)])),
        Mistake("count", _judging(sum)),
        Mistake("rate", _judging(_rate)),
        Mistake("mask", _judging(lambda wrong: [int(each) for each in wrong])),
        Mistake("first_only", _judging(lambda wrong: _indices(wrong)[:1])),
    ),
)
def mistakes(w: FloatArray, X: FloatArray, y: IntArray) -> IntArray:
    """Does my_mistakes(w, X, y) return the indices of the examples that w gets wrong, in order, from 0 on?

    Explained in chapter 1, "Try it yourself".
    """
    return hypothesis.mistakes(w, X, y)


@exercise(
    returns=NUMBER,
    cases=_labelled,
    fresh=fresh_labelled,
    mistakes=(
        *pieces.mistakes_in_score(lambda score: _judging(_rate, score)),
        *pieces.mistakes_on_the_line(lambda is_mistake: _judging(_rate, is_mistake=is_mistake)),
        Mistake("count", _judging(sum)),
        Mistake("accuracy", _judging(lambda wrong: 1 - _rate(wrong))),
        Mistake("percent", _judging(lambda wrong: 100 * _rate(wrong))),
        Mistake("whole_division", _judging(lambda wrong: sum(wrong) // len(wrong))),
    ),
)
def error_rate(w: FloatArray, X: FloatArray, y: IntArray) -> float:
    """Does my_error_rate(w, X, y) return the fraction of examples that are wrong, a number from 0 to 1?

    Explained in chapter 1, "Judging a hypothesis".
    """
    return hypothesis.error_rate(w, X, y)

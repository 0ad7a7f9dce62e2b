"""Chapter 1: predictions, mistakes, and three points against one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any, Final

import numpy as np

from plahelpers import guarantee, hypothesis
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.cases import fresh_labelled
from plahelpers.checks.construction import data_check
from plahelpers.checks.judge import exercise
from plahelpers.checks.sections import BIAS, JUDGING, LINES, ON_THE_LINE, SCORE
from plahelpers.checks.task import ROW, Arguments, Mistake
from plahelpers.checks.variants import (
    IsMistake,
    Score,
    mistakes_in_score,
    mistakes_on_the_line,
    right_score,
    zero_is_minus,
    zero_one_labels,
)

__all__ = ["mistakes", "predict", "three_against_one"]

POINTS: Final = np.array([[2.0, 1.0], [1.0, -2.0], [0.5, 0.0], [-1.0, 3.0], [4.0, 0.5]])
LABELS: Final = np.array([1, 1, -1, -1, 1])


def _labelled() -> list[Arguments]:
    """(w, X, y) with points on the line, and more than one mistake."""
    return [
        (np.zeros(2), np.array([[1.0], [2.0], [3.0]]), np.array([1, -1, -1])),
        (np.array([-3.0, 1.0, 1.0]), POINTS.copy(), LABELS.copy()),
        (np.array([1.0, -1.0, 2.0]), POINTS.copy(), LABELS.copy()),
        (np.array([0.5, 2.0, -1.0]), POINTS[:3].copy(), LABELS[:3].copy()),
        (np.array([-2.0, 1.0, 0.0]), POINTS[1:].copy(), LABELS[1:].copy()),
    ]


def _sign(s: float) -> int:
    return 1 if s > 0 else -1


def _predict(
    w: FloatArray, X: FloatArray, *, score: Score = right_score, sign: Callable[[float], Any] = _sign
) -> list[Any]:
    """Predictions with one part exchanged."""
    return [sign(score(w, x)) for x in X]


@exercise(
    parts=ROW,
    returns="a label, +1 or −1, for each row of X",
    read=BIAS,
    cases=lambda: [(w, X) for w, X, _ in _labelled()],
    fresh=lambda rng: [(w, X) for w, X, _ in fresh_labelled(rng)],
    mistakes=(
        *mistakes_in_score(_predict),
        Mistake(
            "zero_is_plus",
            "it predicts +1 on the line",
            "Here sign(0) = −1.",
            partial(_predict, sign=lambda s: 1 if s >= 0 else -1),
            read=ON_THE_LINE,
        ),
        Mistake(
            "zero_is_zero",
            "it predicts 0 on the line, as numpy.sign does",
            "Here sign(0) = −1.",
            partial(_predict, sign=np.sign),
            read=ON_THE_LINE,
        ),
        Mistake(
            "zero_one_labels",
            "it predicts 1 and 0 (or True and False)",
            "The labels are +1 and −1.",
            partial(_predict, sign=lambda s: int(s > 0)),
            read=SCORE,
        ),
        Mistake(
            "returns_score",
            "it returns the scores themselves",
            "A prediction is the sign of the score.",
            partial(_predict, sign=float),
            read=SCORE,
        ),
    ),
)
def predict(w: FloatArray, X: FloatArray) -> Any:
    """Does my_predict(w, X) return the labels sign(wᵀx), one for each row of X?

    Explained in chapter 1, "Try it yourself".
    """
    return hypothesis.predict(w, X)


def _indices(wrong: list[bool]) -> list[int]:
    return [n for n, each in enumerate(wrong) if each]


def _mistakes(
    w: FloatArray,
    X: FloatArray,
    y: IntArray,
    *,
    score: Score = right_score,
    is_mistake: IsMistake = zero_is_minus,
    answer: Callable[[list[bool]], Any] = _indices,
) -> Any:
    """Mistakes with one part exchanged; answer makes of "is it wrong?", for each example, what is returned."""
    return answer([is_mistake(score(w, x), int(label)) for x, label in zip(X, y, strict=True)])


def _answering(answer: Callable[[list[bool]], Any]) -> Callable[..., Any]:
    return partial(_mistakes, answer=answer)


@exercise(
    parts=ROW,
    returns="the indices of the mistakes, in order",
    read=JUDGING,
    cases=_labelled,
    fresh=fresh_labelled,
    mistakes=(
        *mistakes_in_score(_mistakes),
        *mistakes_on_the_line(_mistakes),
        Mistake(
            "zero_one_labels",
            "it predicts 1 and 0 (or True and False), and compares that with the labels −1 and +1",
            "A prediction 0 never equals the label −1, so every negative example looks wrong: predict −1 and +1.",
            partial(_mistakes, is_mistake=zero_one_labels),
            read=SCORE,
        ),
        Mistake(
            "counts_right",
            "it takes the examples that are right",
            "A mistake is sign(wᵀx) ≠ y.",
            _answering(lambda wrong: _indices([not each for each in wrong])),
            _answering(lambda wrong: wrong.count(False)),
        ),
        Mistake(
            "numbers_from_one",
            "its indices begin with 1",
            "The first example has the index 0.",
            _answering(lambda wrong: [n + 1 for n in _indices(wrong)]),
        ),
        Mistake(
            "skips_first",
            "it never looks at the first example",
            "The first example has the index 0: range(N), not range(1, N).",
            _answering(lambda wrong: _indices([False, *wrong[1:]])),
        ),
        Mistake(
            "count",
            "it returns how many mistakes there are, or their fraction",
            "Here their indices are asked for: which examples are wrong?",
            _answering(sum),
            _answering(lambda wrong: sum(wrong) / len(wrong)),
        ),
        Mistake(
            "mask",
            "it gives True or False, or 1 or 0, for each example",
            "The indices of the mistakes are asked for; numpy.flatnonzero finds them.",
            _answering(lambda wrong: [int(each) for each in wrong]),
        ),
        Mistake(
            "first_only",
            "it stops at the first mistake",
            "All of them are asked for.",
            _answering(lambda wrong: _indices(wrong)[:1]),
        ),
    ),
)
def mistakes(w: FloatArray, X: FloatArray, y: IntArray) -> IntArray:
    """Does my_mistakes(w, X, y) return the indices of the examples that w gets wrong, in order, from 0 on?

    Explained in chapter 1, "Try it yourself".
    """
    return hypothesis.mistakes(w, X, y)


@data_check(
    title="Three against one",
    asked="four points of the plane, three with the label +1 and one with −1. No three of them are on one line, and no "
    "line gets all four right",
    read=LINES,
    count=4,
    separable=False,
)
def three_against_one(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """Are these four points, three + and one −, that no line gets right, although no three of them are on one line?

    Explained in chapter 1, "Try it yourself".
    """
    plus = int((y > 0).sum())
    is_straight = any(_are_on_one_line(*corners) for corners in combinations(X, 3))
    is_separable = guarantee.separate(X, y).separable
    found = (
        f"{plus} with the label +1 and {4 - plus} with −1; {'three' if is_straight else 'no three'} of them are on one "
        f"line; {'some' if is_separable else 'no'} line gets all four right"
    )
    return plus == 3 and not is_straight and not is_separable, found


def _are_on_one_line(a: FloatArray, b: FloatArray, c: FloatArray) -> bool:
    (p, q), (r, s) = b - a, c - a
    return bool(abs(p * s - q * r) <= 1e-9 * (abs(p * s) + abs(q * r)))

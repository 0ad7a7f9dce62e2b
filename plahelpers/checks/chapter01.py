"""Chapter 1: predictions, mistakes, and three points against one."""

from functools import partial
from itertools import combinations
from typing import Final

import numpy as np

from plahelpers import guarantee, hypothesis
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import variants
from plahelpers.checks.cases import fresh_labelled
from plahelpers.checks.construction import data_check
from plahelpers.checks.judge import exercise
from plahelpers.checks.sections import JUDGING, LINES, SCORE
from plahelpers.checks.task import ROW, Arguments, Mistake

__all__ = ["mistakes", "three_against_one"]

POINTS: Final = np.array([[2.0, 1.0], [1.0, -2.0], [0.5, 0.0], [-1.0, 3.0], [4.0, 0.5]])
LABELS: Final = np.array([1, 1, -1, -1, 1])


def _labelled() -> list[Arguments]:
    """(w, X, y) with points on the line, and more than one mistake."""
    return [
        (np.zeros(2), np.array([[5.0], [2.0], [3.0]]), np.array([1, -1, -1])),
        (np.array([-3.0, 1.0, 1.0]), POINTS.copy(), LABELS.copy()),
        (np.array([1.0, -1.0, 2.0]), POINTS.copy(), LABELS.copy()),
        (np.array([0.5, 2.0, -1.0]), POINTS[:3].copy(), LABELS[:3].copy()),
        (np.array([-2.0, 1.0, 0.0]), POINTS[1:].copy(), LABELS[1:].copy()),
    ]


def _mistakes(
    w: FloatArray,
    X: FloatArray,
    y: IntArray,
    *,
    bias: variants.Bias = variants.bias_first,
    is_mistake: variants.IsMistake = variants.zero_is_minus,
) -> list[int]:
    """Mistakes with one part exchanged."""
    return variants.wrong_examples(w, bias(X), y, is_mistake)


@exercise(
    parts=ROW,
    returns="the indices of the mistakes, in order",
    read=JUDGING,
    cases=_labelled,
    fresh=fresh_labelled,
    mistakes=(
        *variants.wrong_bias(_mistakes),
        *variants.mistakes_on_the_line(_mistakes),
        Mistake(
            "right_ones",
            "it returns the examples that are right",
            "Those are asked for where the prediction differs from y (`!=`, not `==`).",
            partial(_mistakes, is_mistake=lambda s, y: not variants.zero_is_minus(s, y)),
        ),
        Mistake(
            "truth_values",
            "it returns True or False for each example",
            "Return the indices at which it is True: numpy.flatnonzero gives them.",
            lambda w, X, y: np.isin(np.arange(len(y)), _mistakes(w, X, y)),
        ),
        Mistake(
            "zero_one_labels",
            "it predicts 1 and 0 (or True and False), and compares that with the labels −1 and +1",
            "A prediction 0 never equals the label −1, so every negative example looks wrong: predict −1 and +1.",
            partial(_mistakes, is_mistake=lambda s, y: int(s > 0) != y),
            read=SCORE,
        ),
    ),
)
def mistakes(w: FloatArray, X: FloatArray, y: IntArray) -> IntArray:
    """Does my_mistakes(w, X, y) return the indices of the examples that w gets wrong, in order, from 0 on?"""
    return hypothesis.mistakes(w, X, y)


@data_check(title="Three against one", read=LINES, count=4, separable=False)
def three_against_one(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """Four points of the plane, three with the label +1 and one with −1. No three of them are on one line, and no line
    gets all four right.
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

"""Chapter 5: one visit of PLA, and one more example that makes its run shorter."""

from functools import partial
from typing import Final

import numpy as np

from plahelpers import hypothesis
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import variants
from plahelpers.checks.construction import data_check, in_words, updates_of_pla
from plahelpers.checks.judge import exercise
from plahelpers.checks.sections import CORRECT, WORDS
from plahelpers.checks.task import ROW, Arguments, Mistake

__all__ = ["fewer_updates", "visit"]

BOTH_LABELS: Final = np.int64(1), np.int64(-1)  # not Python's own: for those, `is` would do where `==` is meant


def _cases() -> list[Arguments]:
    """(w, x, y): on the line and off it, with both labels, so that half of them are mistakes; one is far off."""
    w, points = np.array([-3.0, 1.0, 2.0]), ([1.0, 1.0], [2.0, 1.0], [4.0, -2.0], [-1.0, 4.0])
    return [
        *((np.zeros(2), np.array([x]), y) for x in (2.0, -3.0) for y in BOTH_LABELS),
        *((w.copy(), np.array(x), y) for x in points for y in BOTH_LABELS),
        *((np.array([-9.0, 1.0, 2.0]), np.array([1.0, 1.0]), y) for y in BOTH_LABELS),  # one correction is not enough
        *((np.array([2.0, 1.0, 2.0]), np.array([-1.0, 0.0]), y) for y in BOTH_LABELS),
    ]


def _visit(
    w: FloatArray,
    x: FloatArray,
    y: int,
    *,
    bias: variants.Bias = variants.bias_first,
    is_mistake: variants.IsMistake = variants.zero_is_minus,
    step: variants.Step = variants.plus_yx,
) -> FloatArray:
    """A visit with one part exchanged."""
    (z,) = bias(x[np.newaxis])
    return step(w, z, y) if is_mistake(float(w @ z), y) else w


def _until_right(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    while not np.array_equal(w, _visit(w, x, y)):
        w = _visit(w, x, y)
    return w


@exercise(
    parts=ROW,
    returns="the w after the visit",
    read=WORDS,
    cases=_cases,
    mistakes=(
        Mistake(
            "always_corrects",
            "it corrects every example, also those that are right (or compares with `is`: use `!=`)",
            "PLA changes w only at a mistake, where sign(wᵀx) ≠ y.",
            partial(_visit, is_mistake=lambda _s, _y: True),
            read=WORDS,
        ),
        Mistake(
            "until_right",
            "it corrects the example again and again until it is right",
            "A visit makes one correction at most (`if`, not `while`): PLA goes on to the next example, right or not.",
            _until_right,
        ),
        *variants.wrong_bias(
            _visit,
            partial(_visit, step=lambda w, z, y: w + y * np.append(0.0, z[1:])),
            partial(_visit, step=lambda w, z, y: w + y * np.resize(z[1:], len(z))),  # w + y * x, of one feature
            steps=True,
        ),
        *variants.mistakes_on_the_line(_visit),
        Mistake(
            "half_a_step",
            "its step is half as long at a point on the line",
            "numpy.sign(0) is 0, and here sign(0) = −1.",
            lambda w, x, y: w + (y - np.sign(w @ np.append(1.0, x))) / 2 * np.append(1.0, x),
        ),
        variants.minus_update(_visit),
        variants.update_without_y(_visit),
        Mistake(
            "other_eta",
            "its step is not of size 1 (y − h(x) is 2y at a mistake, not y)",
            "Here η = 1.",
            partial(_visit, step=lambda w, x, y: w + 2 * y * x),
            read=CORRECT,
        ),
    ),
)
def visit(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """Does my_visit(w, x, y) return w + y x if the example is a mistake of w, and w as it is if not?

    x is one example, without the bias. One visit makes at most one correction, whether the example is right after it or
    not.
    """
    return np.asarray(w + y * np.append(1.0, x) if hypothesis.is_mistake(w, x, y) else w)


@data_check(title="More examples, fewer updates", read=CORRECT, columns=1, count=3)
def fewer_updates(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """The examples 4 with −1 and 5 with +1, in this order, and one more at any place. They are separable, and cyclic
    PLA makes fewer than 38 updates.
    """
    rows = list(zip(X[:, 0].tolist(), y.tolist(), strict=True))
    if not any(rows[:k] + rows[k + 1 :] == [(4, -1), (5, 1)] for k in range(3)):
        return False, "these are not the examples 4 with −1 and 5 with +1, in this order, and one more"
    updates = updates_of_pla(X, y)
    return updates < 38, f"{in_words(updates)} with your example, and 38 without it"

"""Chapter 5: one visit of PLA, which finds out whether the example is a mistake and corrects it only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from plahelpers import hypothesis
from plahelpers._validation import FloatArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter01 import fresh_labelled
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import Bias, IsMistake, Step
from plahelpers.checks.task import ROW, Arguments, Mistake, Rng, Version

__all__ = ["visit"]

_BOTH: Final = np.int64(1), np.int64(-1)  # as a label comes out of an array


def _cases() -> list[Arguments]:
    """(w, x, y): on the line and off it, with both labels, so that half of them are mistakes."""
    w, points = np.array([-3.0, 1.0, 2.0]), ([1.0, 1.0], [2.0, 1.0], [4.0, -2.0], [-1.0, 4.0])
    return [
        *((np.zeros(2), np.array([2.0]), y) for y in _BOTH),
        *((w.copy(), np.array(x), y) for x in points for y in _BOTH),
        *((np.array([2.0, 1.0, 2.0]), np.array([-1.0, 0.0]), y) for y in _BOTH),
    ]


def _fresh(rng: Rng) -> list[Arguments]:
    return [(w, X[n], y) for w, X, _ in fresh_labelled(rng) for n in (0, 2) for y in _BOTH]


def _visit(
    score: Callable[..., float] = pieces.score_of,
    is_mistake: IsMistake = pieces.zero_is_minus,
    step: Step = pieces.plus_yx,
    bias: Bias = pieces.bias_first,
) -> Version:
    """A visit with one piece exchanged."""
    return lambda w, x, y: step(w, bias(x[np.newaxis])[0], y) if is_mistake(score(w, x), y) else w


@exercise(
    returns=ROW,
    cases=_cases,
    fresh=_fresh,
    mistakes=(
        Mistake("always_corrects", _visit(is_mistake=lambda _s, _y: True)),
        Mistake("never_corrects", _visit(is_mistake=lambda _s, _y: False)),
        Mistake("corrects_right_ones", _visit(is_mistake=lambda s, y: not pieces.zero_is_minus(s, y))),
        *pieces.mistakes_in_score(_visit),
        *pieces.mistakes_on_the_line(_visit),
        Mistake("minus_update", _visit(step=pieces.minus_yx)),
        Mistake("update_without_y", _visit(step=pieces.plus_x)),
        Mistake("w0_unchanged", _visit(bias=pieces.bias_zero)),
        Mistake("other_eta", *(_visit(step=pieces.scaled_step(eta)) for eta in pieces.STEP_SIZES)),
    ),
)
def visit(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """Does my_visit(w, x, y) return w + y x if the example is a mistake of w, and w as it is if not?

    x is one example, without the bias. Explained in chapter 5, "Try it yourself".
    """
    return np.asarray(w + y * np.append(1.0, x) if hypothesis.is_mistake(w, x, y) else w)

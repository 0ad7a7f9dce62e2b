"""Homework 1: each student's own points and orders of visits, and what is measured on the data that they make."""

from typing import Final

import numpy as np

from plahelpers import guarantee
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.construction import Finding, construction, in_words, updates_of_pla
from plahelpers.checks.result import Problem
from plahelpers.checks.sections import CONFLICT, ETA
from plahelpers.datasets import Data, personal
from plahelpers.hypothesis import scores, sign

RUNS: Final = 2000


def points_of(student: str) -> Data:
    """Thirty points of the plane that a line separates, made from this id."""
    return personal.first_fit("hw1", student, _draw, _is_fit)


def cycles_of(student: str) -> IntArray:
    """2000 orders in which to visit the thirty points, one in each row."""
    return personal.orders("hw1 cycles", student, RUNS, 30)


def _draw(rng: np.random.RandomState) -> Data:
    X = personal.on_grid(rng.uniform(-5, 5, (200, 2)))
    target = personal.line(rng, reach=2.0)
    far = X[np.abs(scores(target, X)) > 0.15][:30]  # target has a normal of length 1: this is a distance
    return Data(far, sign(scores(target, far)), target=target, about="your points for homework 1")


def _is_fit(data: Data) -> bool:
    """Cyclic PLA makes from 10 to 60 updates, and it matters whether a walk visits an example twice in a row."""
    if not 8 <= np.count_nonzero(data.y == 1) <= 22 or guarantee.update_bound(data.X, data.y, data.target) > 20_000:
        return False
    twice = [*range(30), *reversed(range(30))]
    once = [n for n, following in zip(twice, [*twice[1:], 0], strict=True) if n != following]
    updates = [updates_of_pla(*data, order=order) for order in (twice, once)]
    return 10 <= updates_of_pla(*data) <= 60 and updates[0] != updates[1]


START: Final = (-13.0, 5.0, 0.0)
_ASKED: Final = "exactly 1 update with η = ½ and more than 20 with η = 1"


@construction(
    most=6,
    expected=f"at most six examples of the plane, (X, y). From w = (−13, 5, 0) PLA makes {_ASKED}",
    read=ETA,
    title="A half step that is faster",
)
def step_data(X: FloatArray, y: IntArray) -> Finding:
    """Does step_data() make data on which cyclic PLA from (−13, 5, 0) is faster with η = ½ than with η = 1?"""
    if not guarantee.separate(X, y).separable:
        return Problem("not_separable", "PLA never halts on these data", "", CONFLICT), "data that no line separates"
    half, whole = (updates_of_pla(X, y, start=START, eta=eta) for eta in (0.5, 1.0))
    measured = f"{in_words(half)} with η = ½ and {in_words(whole)} with η = 1"
    if half == 1 and whole > 20:
        return None, measured
    if half < whole:
        what = f"these data refute the sentence ({measured}), but not as clearly as is asked for"
        why = f"Asked for are {_ASKED}. From where the whole step ends, the data must be hard to separate."
        return Problem("not_extreme", what, why, share=0.75), measured
    why = "The half step should end where all examples are right, and the whole step should go too far."
    return Problem("not_faster", f"on these data the half step is not faster ({measured})", why), measured


constructions: Final = (step_data,)

"""Homework 2: each student's own people, and what is measured on the data that they make."""

from typing import Final

import numpy as np

from plahelpers import guarantee, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.construction import Finding, construction, in_words, updates_of_pla
from plahelpers.checks.result import Problem
from plahelpers.checks.sections import ANY_ORDER, CONFLICT
from plahelpers.datasets import Data, personal
from plahelpers.hypothesis import scores, sign


def people_of(student: str) -> Data:
    """Twenty-five people, described by age and income, whom a line separates; made from this id."""
    return personal.first_fit("hw2", student, _draw, _is_fit)


def _draw(rng: np.random.RandomState) -> Data:
    """Ages around 40 and incomes around 5, which a line separates in their own units; nobody is told which line."""
    low, high = np.array([20.0, 1.0]), np.array([60.0, 9.0])
    X = personal.on_grid(rng.uniform(low, high, (200, 2)))
    line = personal.line(rng, reach=0.3)  # of points in the square from −1 to 1
    normal = 2 * line[1:] / (high - low)
    w = np.append(line[0] - normal @ (low + high) / 2, normal)
    far = X[np.abs(scores(w, X)) > 0.25][:25]
    return Data(far, sign(scores(w, far)), ("age", "income"), about="your people for homework 2")


def _is_fit(data: Data) -> bool:
    """PLA makes 100 to 2500 updates, ends with a small margin, and not with its smallest ‖w_t‖/t."""
    X, y = data
    if len(data) != 25 or not 8 <= np.count_nonzero(y == 1) <= 17 or not 100 <= updates_of_pla(X, y) <= 2500:
        return False
    run = learning.pla(X, y)
    quotients = np.linalg.norm(run.weights[1:], axis=1) / np.arange(1, run.updates + 1)
    if quotients.min() > quotients[-1] - 0.0005:
        return False
    bound, last = guarantee.update_bound(X, y), guarantee.margin(X, y, run.w)
    return 10_000 <= bound <= 30_000 and last > 0.002 and guarantee.update_bound(X, y, run.w) > 4 * bound


@construction(
    most=200,
    expected="(X, y) with two columns, linearly separable, on which cyclic PLA from w = 0 makes at most 3 updates, and "
    "more than 100 in the reverse order",
    read=ANY_ORDER,
    title="two orders",
)
def two_orders(X: FloatArray, y: IntArray) -> Finding:
    """Does two_orders() make separable data on which PLA is quick, and slow in the reverse order?"""
    answer = guarantee.separate(X, y)
    if not answer.separable:
        why = f"PLA never halts on them. {answer.conflict!r}."
        return Problem("not_separable", "its data are not linearly separable", why, CONFLICT), repr(answer)
    quick, slow = updates_of_pla(X, y), updates_of_pla(X[::-1], y[::-1])
    measured = f"{in_words(quick)} in this order and {in_words(slow)} in the reverse order"
    if slow <= quick:
        why = "The reverse order should be the slow one. If the numbers differ, return X[::-1], y[::-1]."
        return Problem("not_slower", f"PLA makes {measured}", why), measured
    if quick > 3 or slow <= 100:
        what = f"PLA makes {measured}, so the order matters, but at most 3 and more than 100 are asked for"
        why = "Neighbours with opposite labels, far from the origin, can need many. Which example before them helps?"
        return Problem("not_extreme", what, why, share=0.7 if slow >= 10 * quick else 0.3), measured
    return None, measured


constructions: Final = (two_orders,)

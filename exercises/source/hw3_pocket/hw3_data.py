"""Homework 3: each student's own points, orders of visits and real data, and a measure of the data that they make."""

from dataclasses import replace
from typing import Any, Final

import numpy as np

from plahelpers import _format, datasets, guarantee, learning
from plahelpers._validation import FloatArray, IntArray, check_choice
from plahelpers.checks.construction import Finding, construction
from plahelpers.checks.result import Problem
from plahelpers.checks.sections import POCKET
from plahelpers.datasets import Data, personal
from plahelpers.hypothesis import mistakes, scores, sign, with_bias

RUNS: Final = 2000


def points_of(student: str) -> tuple[Data, Data]:
    """Noisy points of the plane: forty to learn from, of which no line gets all right, and 200 to test on."""
    noisy = personal.first_fit("hw3", student, _draw, _is_fit)
    return _part(noisy, slice(0, 40), "forty to learn from"), _part(noisy, slice(40, None), "to test on")


def cycles_of(student: str) -> IntArray:
    """2000 orders in which to visit the forty points, one in each row."""
    return personal.orders("hw3 cycles", student, RUNS, 40)


def real_data(student: str, name: str) -> tuple[Data, Data]:
    """Credit applicants ("credit") or mails ("spam"): 900 to learn from, 400 to test on. The id decides which."""
    check_choice(name, "name", ("credit", "spam"))
    everyone = datasets.credit() if name == "credit" else datasets.spam()
    order = personal.generator(f"hw3 {name}", student).permutation(len(everyone))
    return _part(everyone, order[:900], "to learn from"), _part(everyone, order[900:1300], "to test on")


def error_rates(W: Any, X: FloatArray, y: IntArray) -> FloatArray:
    """The error rate of each row of W, which is one w."""
    return np.asarray(np.mean(np.where(np.asarray(W) @ with_bias(X).T > 0, 1, -1) != y, axis=1))


def best_of_ten(errors: FloatArray) -> IntArray:
    """The runs are put into groups of ten: the index of the run with the smallest error in each group."""
    return np.asarray(np.arange(0, len(errors), 10) + errors.reshape(-1, 10).argmin(axis=1))


def _draw(rng: np.random.RandomState) -> Data:
    """240 points of a box; each label is wrong with probability 1/7."""
    X = personal.on_grid(rng.uniform(-5, 5, (240, 2)))
    target = personal.line(rng, reach=2.0)
    y = np.where(rng.uniform(size=240) < 1 / 7, -1, 1) * sign(scores(target, X))
    return Data(X, y, target=target, about="your noisy points for homework 3")


def _is_fit(data: Data) -> bool:
    """The best line makes from 2 to 8 mistakes, so that none gets all right."""
    X, y = data.X[:40], data.y[:40]
    return bool(12 <= np.count_nonzero(y == 1) <= 28) and 2 <= guarantee.best_line(X, y).mistakes <= 8


def _part(data: Data, rows: Any, about: str) -> Data:
    return replace(data, X=data.X[rows], y=data.y[rows], about=f"{data.about}, {about}")


_UPDATES: Final = 10


@construction(
    most=6,
    expected="(X, y) with two columns, on which the averaged w makes fewer mistakes than the pocket, "
    f"both after at most {_UPDATES} updates",
    read=POCKET,
    title="Beat the best of the walk",
)
def average_wins(X: FloatArray, y: IntArray) -> Finding:
    """Does average_wins() make data on which the averaged w makes fewer mistakes than the pocket?"""
    pocket, average = _mistakes_after(_UPDATES, X, y)
    counts = f"the pocket makes {_format.count(pocket, 'mistake')}, the averaged w {_format.count(average, 'mistake')}"
    measured = f"{_format.count(len(y), 'example')}; {counts}"
    if average < pocket:
        return None, measured
    after = next((T for T in range(1, 101) if np.diff(_mistakes_after(T, X, y)) < 0), None)
    if after is not None:
        what = f"these data refute the sentence, but after {_format.count(after, 'update')} and not after {_UPDATES}"
        return Problem("other_updates", what, f"Find data on which it is so after {_UPDATES}.", share=0.7), measured
    what = f"the averaged w does not make fewer mistakes than the pocket ({average} against {pocket})"
    why = "Look at the w's of the walk: if they have opposite mistakes, their mean can be without these mistakes."
    return Problem("pocket_wins", what, why), measured


def _mistakes_after(updates: int, X: FloatArray, y: IntArray) -> tuple[int, int]:
    """The mistakes of the pocket and of the averaged w (of the sum, which has the same line and is not rounded)."""
    run = learning.pocket(X, y, order="cyclic", max_updates=updates)
    return run.mistakes_left, len(mistakes(run.weights.sum(axis=0), X, y))


constructions: Final = (average_wins,)

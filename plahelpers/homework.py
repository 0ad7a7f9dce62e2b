"""The homework's data: every student has their own, made from their id, so that a copied number is usually wrong.

    from plahelpers import homework
    X, y = homework.hw2("B12902001")

The same id gives the same data on every machine and in every year: they are drawn from a generator that NumPy has
promised never to change. They are drawn again until they are fit for the questions that are asked about them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from plahelpers import datasets, guarantee, learning
from plahelpers._validation import IntArray, check_choice
from plahelpers.datasets import Data, personal
from plahelpers.hypothesis import scores, sign

RUNS: Final = 2000
unseen = ""  # see `seed`


def hw2(student: str) -> Data:
    """Twenty-five people, described by age and income, for homework 2: separable, and the `w_f` is to be found.

    The two features are of different size and far from the origin, so that PLA needs hundreds of updates or
    more, and on standardised features a fifth of them at most. Its last w is perfect, by a small margin.
    """
    return personal.first_fit("hw2", student, _draw_for_proof, _fit_for_proof)


def hw3(student: str) -> tuple[Data, Data]:
    """Noisy points of the plane for homework 3: forty to learn from, 200 to test on. No line gets all forty right."""
    noisy = personal.first_fit("hw3", student, _draw_for_pocket, _fit_for_pocket)
    return _part(noisy, slice(0, 40), "forty to learn from"), _part(noisy, slice(40, None), "to test on")


def hw3_cycles(student: str) -> IntArray:
    """2000 orders in which to visit the forty points of homework 3, one in each row."""
    return personal.orders("hw3 cycles", student, RUNS, 40)


def hw3_real(student: str, name: str) -> tuple[Data, Data]:
    """The credit applicants ("credit") or the mails ("spam"), for homework 3: 900 to learn from, 400 to test on.

    Which of them, in which order, depends on the id.
    """
    check_choice(name, "name", ("credit", "spam"))
    data = datasets.credit() if name == "credit" else datasets.spam()
    order = personal.generator(f"hw3 {name}", student).permutation(len(data))
    return _part(data, order[:900], "to learn from"), _part(data, order[900:1300], "to test on")


def seed(student: str, question: str) -> int:
    """A seed for the unseen data of a question: other for each student and question.

    Whoever grades sets `unseen` to something that students have not, such as a hash of the source notebook.
    """
    return int(personal.generator(f"seed {unseen} {question}", student).randint(2**31 - 1))


def _part(data: Data, rows: Any, about: str) -> Data:
    return replace(data, X=data.X[rows], y=data.y[rows], flipped=np.empty(0, np.int64), about=f"{data.about}, {about}")


# --- What each homework needs ----------------------------------------------------------------------------------------


def _draw_for_proof(rng: np.random.RandomState) -> Data:
    """Ages around 40 and incomes around 5, which a line separates in their own units; nobody is told which line."""
    low, high = np.array([20.0, 1.0]), np.array([60.0, 9.0])
    X = personal.on_grid(rng.uniform(low, high, (200, 2)))
    line = personal.line(rng, reach=0.3)  # of points in the square from −1 to 1
    normal = 2 * line[1:] / (high - low)
    w = np.append(line[0] - normal @ (low + high) / 2, normal)
    far = X[np.abs(scores(w, X)) > 0.25][:25]
    return Data(far, sign(scores(w, far)), ("age", "income"), about="your people for homework 2")


def _fit_for_proof(data: Data) -> bool:
    """The largest margin is not so small that a student's own loop is slow; that of PLA's last w is far smaller."""
    X, y = data
    bound = guarantee.update_bound(X, y)
    if len(data) != 25 or not 8 <= np.count_nonzero(y == 1) <= 17 or bound > 30_000:
        return False
    run, standardised = learning.pla(X, y), (X - X.mean(axis=0)) / X.std(axis=0)
    return (
        run.updates >= 200
        and guarantee.margin(X, y, run.w) > 0.002
        and guarantee.update_bound(X, y, run.w) > 4 * bound
        and 3 <= learning.pla(standardised, y).updates <= run.updates / 5
    )


def _draw_for_pocket(rng: np.random.RandomState) -> Data:
    """240 points of a box, and of each label one in seven is wrong."""
    X = personal.on_grid(rng.uniform(-5, 5, (240, 2)))
    w_f = personal.line(rng, reach=2.0)
    y = np.where(rng.uniform(size=240) < 1 / 7, -1, 1) * sign(scores(w_f, X))
    return Data(X, y, w_f=w_f, about="your noisy points for homework 3")


def _fit_for_pocket(data: Data) -> bool:
    """The best line makes from 2 to 8 mistakes, and that there is a conflict follows."""
    X, y = data.X[:40], data.y[:40]
    return bool(12 <= np.count_nonzero(y == 1) <= 28) and 2 <= guarantee.best_line(X, y).mistakes <= 8

"""The homework's data: every student has their own, made from their id, so that a copied number is usually wrong.

    from plahelpers import homework
    X, y = homework.hw2("B12902001")

The same id gives the same data on every machine and in every year: they are drawn from a generator that NumPy has
promised never to change. They are drawn again until they are fit for the questions that are asked about them.
"""

from __future__ import annotations

import numpy as np

from plahelpers import guarantee, learning
from plahelpers.datasets import Data, personal
from plahelpers.hypothesis import scores, sign

unseen = ""  # see `seed`


def hw2(student: str) -> Data:
    """Twenty-five people, described by age and income, for homework 2: separable, and the `w_f` is to be found.

    The two features are of different size and far from the origin, so that PLA needs hundreds of updates or
    more, and on standardised features a fifth of them at most. Its last w is perfect, by a small margin.
    """
    return personal.first_fit("hw2", student, _draw_for_proof, _fit_for_proof)


def seed(student: str, question: str) -> int:
    """A seed for the unseen data of a question: other for each student and question.

    Whoever grades sets `unseen` to something that students have not, such as a hash of the source notebook.
    """
    return int(personal.generator(f"seed {unseen} {question}", student).randint(2**31 - 1))


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

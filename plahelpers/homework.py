"""The homework's data: every student has their own, made from their id, so that a copied number is usually wrong.

    from plahelpers import homework
    X, y = homework.hw1("B12902001")

The same id gives the same data on every machine and in every year: they are drawn from a generator that NumPy has
promised never to change. They are drawn again until they are fit for the questions that are asked about them.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import datasets, guarantee, learning
from plahelpers._validation import FloatArray, IntArray, check_choice
from plahelpers.datasets import Data
from plahelpers.hypothesis import scores, sign

RUNS: Final = 2000
unseen = ""  # see `seed`

Draw: TypeAlias = Callable[[np.random.RandomState], Data]

_TRIES: Final = 10_000  # nobody needs more than a thousand


class EmptyId(ValueError):  # noqa: N818
    """There is no id to make the data from; in a notebook this shows as one sentence."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def hw1(student: str) -> Data:
    """Thirty points of the plane that a line separates, for homework 1.

    Cyclic PLA needs from 10 to 60 updates.
    """
    return _first_fit("hw1", student, _draw_for_pla, _fit_for_pla)


def hw1_cycles(student: str) -> IntArray:
    """2000 orders in which to visit the thirty points of homework 1, one in each row."""
    return _cycles("hw1 cycles", student, 30)


def hw2(student: str) -> Data:
    """Twenty-five people, described by age and income, for homework 2: separable, and the `w_f` is to be found.

    The two features are of different size and far from the origin, so that PLA needs hundreds of updates or
    more, and on standardised features a fifth of them at most. Its last w is perfect, by a small margin.
    """
    return _first_fit("hw2", student, _draw_for_proof, _fit_for_proof)


def hw3(student: str) -> tuple[Data, Data]:
    """Noisy points of the plane for homework 3: forty to learn from, 200 to test on. No line gets all forty right."""
    noisy = _first_fit("hw3", student, _draw_for_pocket, _fit_for_pocket)
    return _part(noisy, slice(0, 40), "forty to learn from"), _part(noisy, slice(40, None), "to test on")


def hw3_cycles(student: str) -> IntArray:
    """2000 orders in which to visit the forty points of homework 3, one in each row."""
    return _cycles("hw3 cycles", student, 40)


def hw3_real(student: str, name: str) -> tuple[Data, Data]:
    """The credit applicants ("credit") or the mails ("spam"), for homework 3: 900 to learn from, 400 to test on.

    Which of them, in which order, depends on the id.
    """
    check_choice(name, "name", ("credit", "spam"))
    data = datasets.credit() if name == "credit" else datasets.spam()
    order = _generator(f"hw3 {name}", student).permutation(len(data))
    return _part(data, order[:900], "to learn from"), _part(data, order[900:1300], "to test on")


def seed(student: str, question: str) -> int:
    """A seed for the unseen data of a question: other for each student and question.

    Whoever grades sets `unseen` to something that students have not, such as a hash of the source notebook.
    """
    return int(_generator(f"seed {unseen} {question}", student).randint(2**31 - 1))


# --- From an id to its random generator ------------------------------------------------------------------------------


def _generator(purpose: str, student: str) -> np.random.RandomState:
    """The legacy generator, because its numbers are frozen for good; with all 256 bits of a hash as its seed."""
    digest = hashlib.sha256(f"{purpose}\n{_clean(student)}".encode("utf-8", "surrogatepass")).digest()
    return np.random.RandomState(np.frombuffer(digest, dtype="<u4").astype(np.uint32))


def _clean(student: Any) -> str:
    """The id without what does not matter: blanks around it, small letters or capitals, the two ways to write é."""
    if isinstance(student, int) and not isinstance(student, bool):
        student = str(student)
    if not isinstance(student, str):
        raise TypeError(f'student must be your id in quotes, as in student = "B12902001"; it is {student!r}.')
    name = unicodedata.normalize("NFC", student).strip().casefold()
    if not name:
        raise EmptyId('Whose homework is this? Put your student id between the quotes of student = "", and run again.')
    return name


def _first_fit(purpose: str, student: str, draw: Draw, fit: Callable[[Data], bool]) -> Data:
    """The first data of this id that are fit."""
    rng = _generator(purpose, student)
    for _ in range(_TRIES):
        data = draw(rng)
        if fit(data):
            return data
    raise RuntimeError(f"no data could be made for {purpose} and the id {student!r}: please tell your teacher.")


def _cycles(purpose: str, student: str, N: int) -> IntArray:
    rng = _generator(purpose, student)
    return np.array([rng.permutation(N) for _ in range(RUNS)], dtype=np.int64)


def _part(data: Data, rows: Any, about: str) -> Data:
    return replace(data, X=data.X[rows], y=data.y[rows], flipped=np.empty(0, np.int64), about=f"{data.about}, {about}")


# --- What each homework needs ----------------------------------------------------------------------------------------


def _draw_for_pla(rng: np.random.RandomState) -> Data:
    X = _on_grid(rng.uniform(-5, 5, (200, 2)))
    w_f = _line(rng, reach=2.0)
    far = X[np.abs(scores(w_f, X)) > 0.15][:30]  # w_f has a normal of length 1: this is a distance
    return Data(far, sign(scores(w_f, far)), w_f=w_f, about="your points for homework 1")


def _fit_for_pla(data: Data) -> bool:
    if not 8 <= np.count_nonzero(data.y == 1) <= 22 or guarantee.update_bound(data.X, data.y, data.w_f) > 20_000:
        return False
    return 10 <= learning.pla(*data).updates <= 60


def _draw_for_proof(rng: np.random.RandomState) -> Data:
    """Ages around 40 and incomes around 5, which a line separates in their own units; nobody is told which line."""
    low, high = np.array([20.0, 1.0]), np.array([60.0, 9.0])
    X = _on_grid(rng.uniform(low, high, (200, 2)))
    line = _line(rng, reach=0.3)  # of points in the square from −1 to 1
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
    X = _on_grid(rng.uniform(-5, 5, (240, 2)))
    w_f = _line(rng, reach=2.0)
    y = np.where(rng.uniform(size=240) < 1 / 7, -1, 1) * sign(scores(w_f, X))
    return Data(X, y, w_f=w_f, about="your noisy points for homework 3")


def _fit_for_pocket(data: Data) -> bool:
    """The best line makes from 2 to 8 mistakes, and that there is a conflict follows."""
    X, y = data.X[:40], data.y[:40]
    return bool(12 <= np.count_nonzero(y == 1) <= 28) and 2 <= guarantee.best_line(X, y).mistakes <= 8


def _line(rng: np.random.RandomState, reach: float) -> FloatArray:
    """A line at most so far from the origin, in any direction; its normal is of length 1."""
    angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(-reach, reach)
    return np.array([-distance, np.cos(angle), np.sin(angle)])


def _on_grid(X: FloatArray) -> FloatArray:
    """The nearest multiples of 1/8: every score along a run is then exact, in whatever order a student adds it up."""
    return np.asarray(np.round(8 * X) / 8)

"""Data of one's own, made from a name: the same name gives the same data on every machine and in every year.

They are drawn from a generator that NumPy has promised never to change, and drawn again until they are fit for the
questions that are asked about them. A purpose keeps apart what one name gets for different ends.
"""

import hashlib
import unicodedata
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.datasets import Data

Draw: TypeAlias = Callable[[np.random.RandomState], Data]

_TRIES: Final = 10_000  # nobody needs more than a thousand


class EmptyId(ValueError):  # noqa: N818
    """There is no name to make the data from; in a notebook this shows as one sentence."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def generator(purpose: str, name: str) -> np.random.RandomState:
    """The legacy generator, because its numbers are frozen for good; with all 256 bits of a hash as its seed."""
    digest = hashlib.sha256(f"{purpose}\n{clean(name)}".encode("utf-8", "surrogatepass")).digest()
    return np.random.RandomState(np.frombuffer(digest, dtype="<u4").astype(np.uint32))


def clean(name: Any) -> str:
    """The name without what does not matter: blanks around it, small letters or capitals, the two ways to write é."""
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str):
        raise TypeError(f'student must be your id in quotes, as in student = "B12902001"; it is {name!r}.')
    name = unicodedata.normalize("NFC", name).strip().casefold()
    if not name:
        raise EmptyId('Whose data are these? Put your student id between the quotes of student = "", and run again.')
    return str(name)


def first_fit(purpose: str, name: str, draw: Draw, fit: Callable[[Data], bool]) -> Data:
    """The first data of this name that are fit."""
    rng = generator(purpose, name)
    for _ in range(_TRIES):
        data = draw(rng)
        if fit(data):
            return data
    raise RuntimeError(f"no data could be made for {purpose} and the id {name!r}: please tell your teacher.")


def orders(purpose: str, name: str, runs: int, N: int) -> IntArray:
    """Random orders of 0, …, N−1, one in each row."""
    rng = generator(purpose, name)
    return np.array([rng.permutation(N) for _ in range(runs)], dtype=np.int64)


def line(rng: np.random.RandomState, reach: float) -> FloatArray:
    """The w of a line at most so far from the origin, in any direction; its normal is of length 1."""
    angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(-reach, reach)
    return np.array([-distance, np.cos(angle), np.sin(angle)])


def on_grid(X: FloatArray) -> FloatArray:
    """The nearest multiples of 1/8: every score along a run is then exact, in whatever order it is added up."""
    return np.asarray(np.round(8 * X) / 8)

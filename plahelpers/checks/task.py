"""What an exercise asks for: its contract, its cases, the right answer, the known mistakes.

A known mistake has an id, two sentences (what it is, and why it is wrong) and one or more versions: small functions
that make exactly this mistake. A learner's function that gives what one of these gives, case by case, most likely
makes its mistake. Of two that fit, the one that comes first is told. Versions take and return what the learner's
function should; one that would never return raises `Endless` instead.
"""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, check_rng
from plahelpers.checks.result import Answer, Section

Arguments: TypeAlias = tuple[Any, ...]
Rng: TypeAlias = np.random.Generator
Version: TypeAlias = Callable[..., Any]  # a function as a learner could have written it


class Endless(Exception):  # noqa: N818
    """This version never returns."""


class Mistake:
    """A known mistake: its id, what it is, why it is wrong, functions that make it, and where to read about it."""

    def __init__(self, id: str, what: str, why: str, *versions: Version, read: Section | None = None) -> None:
        self.id, self.what, self.why, self.versions, self.read = id, what, why, versions, read


class Part(NamedTuple):
    """One thing that a function returns."""

    name: str
    kind: Literal["number", "row", "table"]


NUMBER: Final = (Part("answer", "number"),)
ROW: Final = (Part("answer", "row"),)


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a function is asked to do."""

    name: str  # that of the check
    arguments: tuple[str, ...]  # how the function is called, by position
    parts: tuple[Part, ...]  # what it returns: one part, or several, as a tuple, list or array in this order
    returns: str  # the same in words, as the end of "It should return …"
    read: Section  # that explains it
    right: Version  # a right function
    cases: Callable[[], list[Arguments]]  # the fixed cases, the smallest first
    mistakes: tuple[Mistake, ...]
    fresh: Callable[[Rng], list[Arguments]] = lambda _rng: []  # some that are drawn, for a test that gives points
    title: str = ""  # if it is not the name
    ends: str = ""  # for a function that hangs: when does the loop end that is asked for?
    key: str | None = None  # the part by which a mistake is known, if it is wrong, whatever the others are
    explain: Callable[..., list[str]] | None = None  # (answer, *arguments): what to say where no mistake is known

    def all_cases(self, seed: int | None) -> list[Arguments]:
        """The fixed cases, with a seed fresh ones, and the last of the fixed ones once more."""
        fixed = self.cases()
        return [*fixed, *([] if seed is None else self.fresh(check_rng(seed))), self.cases()[-1]]

    def parse(self, value: Any) -> Answer | None:
        """What was returned, by the names of the contract, without what is no number; as "" what has other parts."""
        depth = ("number", "row", "table").index(self.parts[0].kind)
        is_list = isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim > depth)
        values = value if len(self.parts) > 1 and is_list else [value]
        if len(values) == len(self.parts):
            parts = [(part.name, _as(part.kind, each)) for part, each in zip(self.parts, values, strict=True)]
            if answer := {name: array for name, array in parts if array is not None}:
                return answer
        array = numbers_of(value)
        return None if array is None else {"": array}


def numbers_of(value: Any) -> FloatArray | None:
    """The value as an array of numbers; None if it is anything else."""
    try:
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return value.astype(np.float64)
        items = np.asarray(value, dtype=object).ravel()
        is_numeric = all(isinstance(item, Real | np.bool_) for item in items)
        return np.asarray(value, dtype=np.float64) if is_numeric else None
    except (TypeError, ValueError, OverflowError):  # rows of different lengths, a fraction beyond all floats
        return None


def _as(kind: str, value: Any) -> FloatArray | None:
    """The value as an array; [3] is a number too, and a column is a row. None if it is not made of numbers."""
    array = numbers_of(value)
    if array is not None and kind == "number" and array.size == 1:
        return array.reshape(())
    if array is not None and kind == "row" and array.ndim and max(array.shape) >= array.size:
        return array.ravel()
    return array

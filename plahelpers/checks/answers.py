"""How answers are read: what a learner's function returned, as arrays with names; and when two are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray
from plahelpers.guard import Other

# Each thing that an answer holds, by name: {"w": …, "updates": …}. Only what the learner returned is compared.
Answer: TypeAlias = dict[str, FloatArray]


def same(answer: Answer, other: Answer) -> bool:
    """Is everything that was answered the same, but for rounding? (NaN is the same as NaN; no right answer has one.)"""
    return all(
        name not in other or (value.shape == other[name].shape and np.allclose(value, other[name], 1e-6, 1e-9, True))
        for name, value in answer.items()
    )


def numbers_of(value: Any) -> FloatArray | None:
    """The value as an array of numbers; None if it is anything else."""
    if value is None or isinstance(value, str | Other):
        return None
    try:
        array = np.asarray(value, dtype=object)
        if any(each is None or isinstance(each, str | Other | list | tuple) for each in array.ravel()):
            return None
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # rows of different lengths
        return None


def vector(value: Any) -> FloatArray | None:
    """One row of numbers; a column, or a table of one row, is one too."""
    array = numbers_of(value)
    if array is None or array.ndim == 0 or array.ndim > 2 or (array.ndim == 2 and 1 not in array.shape):
        return None
    return array.ravel()


def scalar(value: Any) -> FloatArray | None:
    array = numbers_of(value)
    return array.reshape(()) if array is not None and array.size == 1 else None


def _first_and_rest(value: Any) -> tuple[FloatArray | None, Sequence[Any]]:
    """w and what was returned after it."""
    if isinstance(value, tuple | list) and len(value) > 1 and _is_row(value[0]) and not _is_column(value):
        return vector(value[0]), value[1:]
    if isinstance(value, tuple) and len(value) == 1:  # `return w,`
        return vector(value[0]), ()
    return vector(value), ()


def _is_row(value: Any) -> bool:
    array = numbers_of(value)
    return array is not None and array.ndim > 0


def _is_column(value: Any) -> bool:
    """Is it [[w₀], [w₁], …], and not several arrays of one entry?"""
    array = None if isinstance(value[0], np.ndarray) else numbers_of(value)
    return array is not None and array.ndim == 2 and array.shape[1] == 1


def _whole(numbers: FloatArray) -> bool:
    return bool(np.all(numbers == np.round(numbers)))


def read_as(name: str, read: Callable[[Any], FloatArray | None]) -> Callable[[Any], Answer | None]:
    def answer(value: Any) -> Answer | None:
        array = read(value)
        return None if array is None else {name: array}

    return answer


def read_walk(value: Any) -> Answer | None:
    w, rest = _first_and_rest(value)
    if w is None:
        return None
    answer = {"w": w}
    for each in rest[:2]:
        number = numbers_of(each)
        if number is None or np.asarray(each).dtype == bool:  # "did it halt?" is no count
            continue
        if number.ndim == 0 and "updates" not in answer:
            answer["updates"] = number
        elif number.ndim == 0 and _whole(number):
            answer["last"] = number
        elif number.ndim == 1 and "picks" not in answer and _whole(number):
            answer["picks"] = number
    return answer


def is_whole_walk(value: Any) -> bool:
    """Is it exactly (w, updates, picks), in this order?"""
    return list(read_walk(value) or ()) == ["w", "updates", "picks"] and len(value) == 3


def read_pocket(value: Any) -> Answer | None:
    w, rest = _first_and_rest(value)
    if w is None:
        return None
    last = vector(rest[0]) if len(rest) else None
    return {"w": w} if last is None or last.shape != w.shape else {"w": w, "last w": last}


def is_whole_pocket(value: Any) -> bool:
    """Is it exactly (w, last_w), of the same length?"""
    return list(read_pocket(value) or ()) == ["w", "last w"] and len(value) == 2


def read_mistakes(value: Any) -> Answer | None:
    if isinstance(value, tuple) and value and _is_row(value[0]):  # numpy.where answers like this
        value = value[0]
    number, array = scalar(value), vector(value)
    if array is None:
        return None if number is None else {"number of mistakes": number}
    which = np.flatnonzero(array) if np.asarray(value).dtype == bool else np.sort(array)
    return {"mistakes": which.astype(np.float64), "number of mistakes": np.array(float(len(which)))}


def read_counts(value: Any) -> Answer | None:
    number, array = scalar(value), vector(value)
    if array is None or not array.size:
        return None if number is None else {"mean": number}
    return {"updates": array, "mean": np.array(array.mean())}


def is_whole_count(value: Any) -> bool:
    """Is it one plain list, neither a number nor a table?"""
    counts = numbers_of(value)
    return counts is not None and counts.ndim == 1


FOUR_ERRORS: Final = ("pocket on (X, y)", "pocket on test", "last w on (X, y)", "last w on test")


def read_errors(value: Any) -> Answer | None:
    """The four rows by their names; what has another shape, as it is."""
    table = numbers_of(value)
    if table is None or not table.size:
        return None
    return dict(zip(FOUR_ERRORS, table, strict=True)) if table.ndim == 2 and len(table) == 4 else {"table": table}


def read_steps(value: Any) -> Answer | None:
    """A row of numbers, also one that came out as a column or a table."""
    array = numbers_of(value)
    if array is None or array.ndim == 0:
        return None
    return {"answer": array.ravel() if 1 in array.shape else array}


def read_two_tables(value: Any) -> Answer | None:
    if not isinstance(value, tuple | list | np.ndarray) or len(value) != 2:
        return None
    train, test = numbers_of(value[0]), numbers_of(value[1])
    if train is None or test is None or train.ndim != 2 or test.ndim != 2:  # one table of two rows is not two tables
        return None
    return {"train": train, "test": test}

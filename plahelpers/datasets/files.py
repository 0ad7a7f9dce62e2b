"""Reading a table from a text file: an example in each line, fields apart by commas, tabs or blanks, the label last."""

from __future__ import annotations

import re

import numpy as np

from plahelpers import _format
from plahelpers._validation import FloatArray, IntArray


def default_names(d: int) -> tuple[str, ...]:
    """What columns without names are called: x1, x2, …"""
    return tuple(f"x{i}" for i in range(1, d + 1))


def parse(text: str, positive: str | None) -> tuple[FloatArray, IntArray, tuple[str, ...]]:
    """X, y and the names of the columns; the label `positive` (if not −1 and +1) is +1."""
    rows = {number: _fields(line) for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    if not rows:
        raise ValueError("the file is empty, without one example.")
    first = min(rows)
    size = len(rows[first])
    if size < 2:
        raise ValueError(f"line {first} has one field: features and label must be separated by blanks, tabs or commas.")
    names = default_names(size - 1)
    if np.isnan([_number(entry) for entry in rows[first][:-1]]).all() and rows[first][-1] != positive:
        names = tuple(rows.pop(first)[:-1])
    if not rows:
        raise ValueError("the file has a header but no examples.")
    for number, row in rows.items():
        if len(row) != size:
            raise ValueError(f"line {number} has {_format.count(len(row), 'field')}, but line {first} has {size}.")
        _refuse_what_is_no_number(number, row, names)
    X = np.array([[float(entry) for entry in row[:-1]] for row in rows.values()])
    return X, _signs({number: row[-1] for number, row in rows.items()}, positive), names


def _fields(line: str) -> list[str]:
    """The fields of one line, without quotation marks; NumPy's savetxt marks a header by a "#"."""
    text = line.replace('"', "").removeprefix("#").strip()
    return re.split(r"\s*,\s*|\s+", text)


def _number(entry: str) -> float:
    """The number that a field holds, or NaN if it holds something else."""
    try:
        return float(entry)
    except ValueError:
        return np.nan


def _refuse_what_is_no_number(number: int, row: list[str], names: tuple[str, ...]) -> None:
    for k, name in enumerate(names):
        if not np.isfinite(_number(row[k])):
            field = f"line {number}, field {k + 1} ({name})"
            raise ValueError(f"{field} is {row[k]!r}, not a finite number: mend or drop the line.")


def _signs(labels: dict[int, str], positive: str | None) -> IntArray:
    """Each label, by the number of its line, as −1 or +1."""
    kinds = list(dict.fromkeys(labels.values()))
    listing = _format.listing([repr(label) for label in kinds])
    if positive is None and not {_number(label) for label in kinds} <= {-1, 1}:
        raise ValueError(f'the labels are {listing}, not -1 and +1. Say which one is +1: read(path, positive="…").')
    if positive is None:
        return np.array([int(_number(label)) for label in labels.values()])
    if positive not in kinds or len(kinds) > 2:
        raise ValueError(f"the labels are {listing}; two are needed, one of them {positive!r}.")
    return np.array([1 if label == positive else -1 for label in labels.values()])

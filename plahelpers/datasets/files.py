"""Reading a table from a text file: an example in each line, fields apart by commas, tabs or blanks, the label last."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np

from plahelpers import _format
from plahelpers._validation import FloatArray, IntArray


def default_names(d: int) -> tuple[str, ...]:
    """What columns without names are called: x1, x2, …"""
    return tuple(f"x{i}" for i in range(1, d + 1))


def load(path: str | os.PathLike[str]) -> str:
    """The text of a file; else one sentence on why not."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path must be the name of a file, not {path!r}.")
    file = Path(path)
    try:
        return file.read_text(encoding="utf-8-sig")  # with or without a mark of the byte order
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {file} (the current folder is {Path.cwd()}).") from None
    except UnicodeDecodeError as error:
        line, byte = len((error.object[: error.start] + b".").splitlines()), error.object[error.start]
        raise ValueError(
            f"{file} is not text in UTF-8 (line {line} has the byte 0x{byte:02x}): save it as such."
        ) from None


def parse(text: str, positive: str | None) -> tuple[FloatArray, IntArray, tuple[str, ...]]:
    """X, y and the names of the columns; the label `positive` (if not −1 and +1) is +1."""
    lines = {number: line.rstrip() for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    if not lines:
        raise ValueError("the file is empty, without one example.")
    first = min(lines)
    separator = _separator(lines[first])
    # NumPy's savetxt marks a header by a "#".
    header = [_single_spaced(entry) for entry in _fields(first, lines[first].removeprefix("#"), separator)]
    if len(header) < 2:
        raise ValueError(f"line {first} has one field: features and label must be separated by blanks, tabs or commas.")
    names = (*default_names(len(header) - 1), "label")
    if all(_number(entry) is None for entry in header) and header[-1] != positive:
        names = tuple(given or default for given, default in zip(header, names, strict=True))
        del lines[first]
    if not lines:
        raise ValueError("the file has a header but no examples.")
    rows = {number: _fields(number, line, separator) for number, line in lines.items()}
    for number, row in rows.items():
        if len(row) != len(names):
            count = _format.count(len(row), "field")
            raise ValueError(f"line {number} has {count}, but line {first} has {len(names)}.")
    X = np.array([[_number(entry) for entry in row[:-1]] for row in rows.values()], dtype=np.float64)  # None is NaN
    bad = np.argwhere(~np.isfinite(X))
    if len(bad):
        n, k = bad[0]
        number, row = list(rows.items())[n]
        trouble = f"is {row[k].strip()!r}, not a finite number" if row[k].strip() else "is empty"
        raise ValueError(f"line {number}, field {k + 1} ({names[k]}) {trouble}: mend or drop the line.")
    return X, _signs({number: _single_spaced(row[-1]) for number, row in rows.items()}, positive), names[:-1]


def _separator(line: str) -> str | None:
    """What separates the fields of a file that begins with this line: a comma, a tab, or blanks (None)."""
    if line.count(",") >= max(1, line.count("\t")):  # between tabs, a name may hold a comma
        return ","
    # In the course's own files blanks separate the features, and a tab the label: 0.5 0.1 0.7<tab>1
    before, tab, _ = line.partition("\t")
    several_numbers = len(before.split()) > 1 and _number(before.split()[0]) is not None
    return "\t" if tab and not several_numbers else None


def _fields(number: int, line: str, separator: str | None) -> list[str]:
    """The fields of one line, without their quotation marks."""
    text, delimiter = (line, separator) if separator else (_single_spaced(line), " ")
    try:
        return next(csv.reader([text], delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise ValueError(f"line {number} cannot be split into fields ({error}).") from None


def _single_spaced(text: str) -> str:
    return " ".join(text.split())


def _number(entry: str) -> float | None:
    """The number that a field holds, or None if it holds something else."""
    try:
        return None if "_" in entry else float(entry)  # Python would read the name 1_000 as a number
    except ValueError:
        return None


def _signs(labels: dict[int, str], positive: str | None) -> IntArray:
    """Each label, by the number of its line, as −1 or +1."""
    lines = {label: number for number, label in reversed(labels.items())}  # where each label is met first
    kinds = list(dict.fromkeys(labels.values()))
    if "" in kinds:
        raise ValueError(f"line {lines['']} has no label: mend or drop the line.")
    if positive is None:
        odd = [label for label in kinds if _number(label) not in (-1, 1)]
        if odd:
            raise ValueError(f"line {lines[odd[0]]}: the label {odd[0]!r} is neither -1 nor +1. {_advice(kinds)}")
        return np.array([1 if _number(label) == 1 else -1 for label in labels.values()])
    if positive not in kinds:
        raise ValueError(f"there is no label {positive!r}, only {_listing(kinds)}.")
    if len(kinds) > 2:
        one, two, three, *_ = kinds
        raise ValueError(f"line {lines[three]}: {three!r} is a third label, after {one!r} and {two!r}.")
    return np.array([1 if label == positive else -1 for label in labels.values()])


def _advice(labels: list[str]) -> str:
    if len(labels) > 2:
        return f"The last field must be the label; here it takes {len(labels)} values: {_listing(labels)}."
    # Of 0 and 1, no and yes, False and True, ham and spam, the last in order is the one meant more often.
    return f'Say which label is +1, for instance read(path, positive="{max(labels)}").'


def _listing(labels: list[str]) -> str:
    return _format.listing([repr(label) for label in labels])

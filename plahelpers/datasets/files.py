"""Reading a table from a text file: examples in lines, fields apart by commas, tabs or blanks, the label last.

On the good path NumPy reads all lines at once. Only when something is wrong or unusual are they read one by one, so
that the message can name the line.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
import zlib
from array import array
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from plahelpers import _format
from plahelpers._validation import FloatArray, IntArray

# So many lines at the top of a file decide what separates its fields.
_FIRST_LINES = 10


def default_names(d: int) -> tuple[str, ...]:
    """What columns without names are called: x1, x2, …"""
    return tuple(f"x{i}" for i in range(1, d + 1))


class Text(NamedTuple):
    """A text file in memory, with its name for the messages."""

    name: str
    raw: bytes

    def lines(self) -> Iterator[tuple[int, str]]:
        """Its lines with their numbers, from 1, but for blank ones. LF, CRLF and CR all end a line."""
        for number, line in enumerate(io.TextIOWrapper(io.BytesIO(self.raw), "utf-8-sig"), 1):
            if kept := line.rstrip():
                yield number, kept


class _Layout(NamedTuple):
    """What separates the fields of a file (None: blanks), their names, and whether the file gives them."""

    separator: str | None
    names: tuple[str, ...]
    has_header: bool

    def examples(self, text: Text) -> Iterator[tuple[int, str]]:
        """The lines after the header, with their numbers."""
        return islice(text.lines(), int(self.has_header), None)


def load(path: str | os.PathLike[str]) -> Text:
    """The file as text, unpacked if need be; else one sentence on why not."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path must be the name of a file, not {path!r}.")
    from pathlib import Path  # here, because it is slow to import

    file = Path(path)
    if file.is_dir():
        raise IsADirectoryError(f"{file} is a folder, not a file.")
    try:
        raw = _unpacked(file.read_bytes(), str(file))
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {file} (the current folder is {Path.cwd()}).") from None
    _refuse_what_is_not_text(raw, str(file))
    return Text(str(file), raw)


def _unpacked(raw: bytes, name: str) -> bytes:
    if not raw.startswith(b"\x1f\x8b"):  # how every gzip file begins, whatever it is called
        return raw
    try:
        return gzip.decompress(raw)
    except (EOFError, OSError, zlib.error):
        raise ValueError(f"{name} is a gzip file that is cut short or damaged.") from None


def _refuse_what_is_not_text(raw: bytes, name: str) -> None:
    bad = raw.find(b"\0")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = error.start
    if bad >= 0:
        line = len((raw[:bad] + b".").splitlines())
        raise ValueError(f"{name} is not text in UTF-8 (line {line} has the byte 0x{raw[bad]:02x}): save it as such.")


def parse(text: Text, positive: str | None) -> tuple[FloatArray, IntArray, tuple[str, ...]]:
    """X, y and the names of the columns, from a text whose label `positive` (if not −1 and +1) is +1."""
    wanted = None if positive is None else _single_spaced(positive)
    layout = _layout(text, wanted)
    table = _parse_quickly(text, layout) or _parse_carefully(text, layout)
    y = table.signs(wanted)[table.codes]
    return table.X, y, layout.names[:-1]


def _layout(text: Text, positive: str | None) -> _Layout:
    """Decide, from its first lines, how the file is laid out."""
    first = list(islice(text.lines(), _FIRST_LINES))
    if not first:
        raise ValueError(f"{text.name} is empty: there is not one example in it.")
    separator = _separator([line for _, line in first])
    number, line = first[0]
    # NumPy's savetxt marks a header by a "#".
    fields = [_single_spaced(entry) for entry in _fields(text, number, line.removeprefix("#"), separator)]
    if len(fields) < 2:
        raise ValueError(
            f"{text.name}, line {number} has one field: features and label must be separated by blanks, tabs or commas."
        )
    has_header = all(_number(entry) is None for entry in fields) and fields[-1] != positive
    if has_header and len(first) == 1:
        raise ValueError(f"{text.name} has a header but no examples.")
    names = (*default_names(len(fields) - 1), "label")
    if has_header:
        names = tuple(given or default for given, default in zip(fields, names, strict=True))
    return _Layout(separator, names, has_header)


def _separator(lines: list[str]) -> str | None:
    """Commas, if most lines have them; else tabs, if they separate all fields of most lines; else blanks."""
    if 2 * sum("," in line for line in lines) >= len(lines):
        return ","
    if 2 * sum(_has_columns_of_tabs(line) for line in lines) >= len(lines):
        return "\t"
    return None


def _has_columns_of_tabs(line: str) -> bool:
    """Do tabs separate all fields? Not so in the course's own files: `0.5 0.1 0.7<tab>1`."""
    *features, _ = line.split("\t")
    return bool(features) and not any(" " in feature.strip() for feature in features)


def _fields(text: Text, number: int, line: str, separator: str | None) -> list[str]:
    """The fields of one line, without their quotation marks."""
    if separator is None:
        line, separator = " ".join(line.split()), " "
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise ValueError(f"{text.name}, line {number} cannot be split into fields ({error}).") from None


def _single_spaced(entry: str) -> str:
    return " ".join(entry.split())


def _number(entry: str) -> float | None:
    """The number that a field holds, or None if it holds something else."""
    try:
        return None if "_" in entry else float(entry)  # Python would read the name 1_000 as a number
    except ValueError:
        return None


def _parse_quickly(text: Text, layout: _Layout) -> _Table | None:
    """All lines at once; None if anything is wrong, or unusual (such as a quotation mark)."""
    codes: dict[str, float] = {}
    numbers: list[int] = []
    last = len(layout.names) - 1

    def lines() -> Iterator[str]:
        for number, line in layout.examples(text):
            numbers.append(number)
            yield line

    def code(label: str) -> float:
        if '"' in label:
            raise ValueError
        return codes.setdefault(_single_spaced(label), len(codes))

    try:
        values = np.loadtxt(lines(), delimiter=layout.separator, converters={last: code}, comments=None, ndmin=2)
    except ValueError:
        return None
    usual = values.shape[1] == last + 1 and np.isfinite(values).all()
    return _Table(text.name, values, list(codes), numbers) if usual else None


def _parse_carefully(text: Text, layout: _Layout) -> _Table:
    """Line by line: slower, but it can say which line is wrong, and how."""
    codes: dict[str, float] = {}
    numbers: list[int] = []
    values = array("d")
    for number, line in layout.examples(text):
        *features, label = _row(text, layout, number, line)
        values.extend(_finite(text, layout, number, k, entry) for k, entry in enumerate(features))
        values.append(codes.setdefault(_single_spaced(label), len(codes)))
        numbers.append(number)
    return _Table(text.name, np.array(values).reshape(len(numbers), -1), list(codes), numbers)


def _row(text: Text, layout: _Layout, number: int, line: str) -> list[str]:
    fields = _fields(text, number, line, layout.separator)
    if len(fields) != len(layout.names):
        first, _ = next(text.lines())
        raise ValueError(
            f"{text.name}, line {number} has {_format.count(len(fields), 'field')}, "
            f"but line {first} has {len(layout.names)}."
        )
    return fields


def _finite(text: Text, layout: _Layout, number: int, k: int, entry: str) -> float:
    value = _number(entry)
    if value is not None and math.isfinite(value):
        return value
    trouble = f"is {entry.strip()!r}, not a finite number" if entry.strip() else "is empty"
    raise ValueError(f"{text.name}, line {number}, field {k + 1} ({layout.names[k]}) {trouble}: mend or drop the line.")


class _Table(NamedTuple):
    """What was read: a row for each line, its features and then its label (a place in the list of labels)."""

    name: str
    values: FloatArray
    labels: list[str]
    numbers: list[int]

    @property
    def X(self) -> FloatArray:
        return self.values[:, :-1]

    @property
    def codes(self) -> IntArray:
        return self.values[:, -1].astype(np.int64)

    def signs(self, positive: str | None) -> IntArray:
        """What each of the labels stands for: −1 or +1."""
        if "" in self.labels:
            raise ValueError(f"{self.first_line('')} has no label: mend or drop the line.")
        meant = self.plus_or_minus_one() if positive is None else self.yes_or_no(positive)
        return np.array(meant, dtype=np.int64)

    def plus_or_minus_one(self) -> list[int]:
        values = [_number(label) for label in self.labels]
        odd = [label for label, value in zip(self.labels, values, strict=True) if value not in (-1, 1)]
        if odd:
            place = self.first_line(odd[0])
            raise ValueError(f"{place}: the label {odd[0]!r} is neither -1 nor +1. {_advice(self.labels)}")
        return [1 if value == 1 else -1 for value in values]

    def yes_or_no(self, positive: str) -> list[int]:
        if positive not in self.labels:
            raise ValueError(f"{self.name} has no label {positive!r}, only {_listing(self.labels)}.")
        if len(self.labels) > 2:
            one, two, three, *_ = self.labels
            raise ValueError(f"{self.first_line(three)}: {three!r} is a third label, after {one!r} and {two!r}.")
        return [1 if label == positive else -1 for label in self.labels]

    def first_line(self, label: str) -> str:
        """Where a label is met first."""
        row = int(np.argmax(self.codes == self.labels.index(label)))
        return f"{self.name}, line {self.numbers[row]}"


def _advice(labels: list[str]) -> str:
    if len(labels) > 2:
        return f"The last field must be the label; here it takes {len(labels)} values: {_listing(labels)}."
    # Of 0 and 1, no and yes, False and True, ham and spam, the last in order is the one meant more often.
    return f'Say which label is +1, for instance read(path, positive="{max(labels)}").'


def _listing(labels: list[str]) -> str:
    return _format.listing([repr(label) for label in labels])

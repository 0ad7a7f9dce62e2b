"""Write the scores into a file that Canvas (such as NTU COOL) or Moodle imports.

Both import the form that they export, and Moodle refuses added columns. So the file that the platform exported is the
template: one column is filled in, and all the rest stays as it is. A cell also stays as it is if there is no complete
score for it, because Canvas takes an empty cell for a score to be deleted.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from . import results
from .folder import shown
from .results import Grade, folded


@dataclass(frozen=True)
class Platform:
    """Where things are in the files of a platform, by the titles of the columns."""

    title: str
    ids: tuple[str, ...]  # what may be a student's id, the surest first
    number: str  # the platform's own number of a student, which stands in the names of downloaded files
    grade: str = ""  # the column to fill in, if it is always called the same
    worth: str = ""  # the column that says how many points there are; where it is empty, a row says it


PLATFORMS: Final = {
    "canvas": Platform("Canvas", ids=("SIS User ID", "SIS Login ID"), number="ID"),
    "moodle": Platform(
        "Moodle", ("ID number", "Username", "Email address"), "Identifier", grade="Grade", worth="Maximum Grade"
    ),
}
_POINTS_POSSIBLE: Final = "Points Possible"  # begins the row of Canvas with the points of each assignment
_READ_ONLY: Final = "(read only)"  # stands in this row, where a column is computed
_DECIDED: Final = ("EX", "N/A")  # Canvas: excused, and not assigned to this student


def template(argument: str) -> tuple[Platform, Path]:
    """The argument canvas=FILE or moodle=FILE of the command line."""
    name, _, path = argument.partition("=")
    if name not in PLATFORMS or not path:
        raise argparse.ArgumentTypeError("write canvas=FILE or moodle=FILE, with the file that the platform exported")
    return PLATFORMS[name], Path(path)


@dataclass
class Gradebook:
    """A file that a platform exported: its rows, the first of which are the titles, and the column to fill in."""

    platform: Platform
    path: Path
    rows: list[list[str]]
    delimiter: str
    lineterminator: str
    encoding: str
    column: int = -1

    @property
    def titles(self) -> list[str]:
        return [title.strip() for title in self.rows[0]]

    def cells(self, title: str) -> dict[int, str]:
        """What stands in the column with this title, by the number of the row; nothing if there is no such column."""
        if title not in self.titles:
            return {}
        k = self.titles.index(title)
        return {n: row[k].strip() for n, row in enumerate(self.rows) if n and k < len(row) and row[k].strip()}

    @property
    def points_row(self) -> list[str]:
        """The row of Canvas that says how many points each assignment has."""
        return next((row for row in self.rows[1:] if row and _POINTS_POSSIBLE in row[0]), [])

    def rows_by(self, title: str, keys: Callable[[str], set[str]]) -> dict[str, list[int]]:
        """For each key of a cell in the column with this title, the numbers of the rows that have it."""
        rows: dict[str, list[int]] = {}
        for n, cell in self.cells(title).items():
            for key in keys(cell):
                rows.setdefault(key, []).append(n)
        return rows

    def places(self, grades: Sequence[Grade]) -> list[int | None]:
        """The one row of each student: by the platform's own number in the file's name, or else by the id."""
        numbers = self.rows_by(self.platform.number, _number)
        ids = [self.rows_by(title, _ids) for title in self.platform.ids]
        found = []
        for grade in grades:
            lines = [numbers.get(grade.file.number), *(rows.get(folded(grade.file.student)) for rows in ids)]
            rows = next(filter(None, lines), [])
            found.append(rows[0] if len(rows) == 1 else None)
        return found

    def fill(self, grades: Sequence[Grade]) -> dict[str, list[str]]:
        """Write the scores into the column; return the students whose score was not written, by the reason."""
        places, left = self.places(grades), dict[str, list[str]]()
        for grade, n in zip(grades, places, strict=True):
            if n is None:
                reason = f"Not found in {self.path.name}, or found twice"
            elif places.count(n) > 1:
                reason = "More than one submission, so no score was written"
            elif not grade.complete:
                reason = "Not completely graded yet, so no score was written"
            elif self.cell(n).upper() in _DECIDED:
                reason = f"Excused or not assigned in {self.platform.title}, so no score was written"
            else:
                self.rows[n] += [""] * (self.column + 1 - len(self.rows[n]))
                self.rows[n][self.column] = f"{grade.total:g}"
                continue
            left.setdefault(reason, []).append(grade.file.student)
        return left

    def cell(self, n: int) -> str:
        return "".join(self.rows[n][self.column : self.column + 1]).strip()

    def write(self, target: Path, grades: Sequence[Grade]) -> None:
        """Fill the column in, write the file beside the scores, and say where it is and whom it leaves out."""
        left = self.fill(grades)
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self.delimiter, lineterminator=self.lineterminator).writerows(self.rows)
        path = target / f"{self.platform.title.lower()}.csv"
        results.write(path, text.getvalue(), self.encoding)
        written = len(grades) - sum(map(len, left.values()))
        scores = f"{written} score{'' if written == 1 else 's'} in “{self.titles[self.column]}”"
        print(f"{f'For {self.platform.title}':<20}{path} ({scores})")
        for reason, students in left.items():
            print(f"{reason}: {', '.join(map(shown, students))}.", file=sys.stderr)


def _number(cell: str) -> set[str]:
    """Of 12345, or of Participant 12345."""
    return set(re.findall(r"\d+$", cell))


def _ids(cell: str) -> set[str]:
    """Of an id, or of an address."""
    return {folded(cell), folded(cell.partition("@")[0])}


def read(template: tuple[Platform, Path], column: str | None, assignment: str, worth: float) -> Gradebook:
    """The gradebook in this file, with the column of the assignment; what cannot be used ends the call with a sentence.

    `column` is the title of the column or its beginning; without it, the column is found by the assignment's name.
    """
    platform, path = template
    gradebook = _parse(platform, path)
    if not any(gradebook.cells(title) for title in (platform.number, *platform.ids)):
        wanted = ", ".join((platform.number, *platform.ids))
        raise SystemExit(
            f"{path} has none of these columns: {wanted}. Export it from {platform.title} (in English) and do not "
            "remove columns."
        )
    gradebook.column = _find(gradebook, column, assignment)
    _compare(gradebook, assignment, worth)
    return gradebook


def _parse(platform: Platform, path: Path) -> Gradebook:
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SystemExit(f"{path} is not in UTF-8: export it again, or save it as “CSV UTF-8”.") from None
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # an answer that was typed into Moodle may be long
    return Gradebook(
        platform,
        path,
        rows=list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) or [[]],
        delimiter=delimiter,
        lineterminator="\r\n" if "\r\n" in text else "\n",
        encoding="utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8",
    )


def _find(gradebook: Gradebook, column: str | None, assignment: str) -> int:
    """The column to fill in."""
    fixed = {gradebook.platform.number, *gradebook.platform.ids}
    titles = {
        k: title
        for k, title in enumerate(gradebook.titles)
        if title not in fixed and _READ_ONLY not in gradebook.points_row[k : k + 1]
    }
    if column is None and gradebook.platform.grade in titles.values():
        column = gradebook.platform.grade
    fits = _named(titles, column) if column else _of_homework(titles, assignment)
    if len(fits) != 1:
        trouble = f"{len(fits)} columns that could be" if fits else "no column for"
        raise SystemExit(
            f"{gradebook.path} has {trouble} {column or assignment}. Name one with --column. "
            f"The columns are: {'; '.join(titles.values())}."
        )
    return fits[0]


def _named(titles: dict[int, str], column: str) -> list[int]:
    """The columns with this title, with or without the number that Canvas adds; or else those that begin so."""
    plain = {k: folded(re.sub(r"\s*\(\d+\)$", "", title)) for k, title in titles.items()}
    same = [k for k, title in titles.items() if folded(column) in (folded(title), plain[k])]
    return same or [k for k, title in plain.items() if title.startswith(folded(column))]


def _of_homework(titles: dict[int, str], assignment: str) -> list[int]:
    """The columns whose title names the assignment, such as hw1_pla, HW1, Homework 1 or Homework 01: PLA."""
    number = re.match(r"hw0*(\d+)", assignment)
    pattern = re.escape(assignment) + (rf"|\b(?:hw|homework)\W*0*{number[1]}(?!\d)" if number else "")
    return [k for k, title in titles.items() if re.search(pattern, title, re.IGNORECASE)]


def _compare(gradebook: Gradebook, assignment: str, worth: float) -> None:
    """Refuse a column whose points are not ours: Moodle drops what is above them without a word."""
    platform, title = gradebook.platform, gradebook.titles[gradebook.column]
    column = gradebook.cells(platform.worth).values() if title == platform.grade else ()
    for text in {*column, *gradebook.points_row[gradebook.column : gradebook.column + 1]}:
        points = results.number_in(text)
        if points is not None and points != worth:
            raise SystemExit(
                f"In {gradebook.path}, “{title}” has {points:g} points, and {assignment} has {worth:g}. "
                f"Set the points in {platform.title} to {worth:g} and export the file again."
            )

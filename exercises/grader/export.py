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
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from . import results
from .results import Grade
from .submissions import Refusal, folded, shown


class Platform(NamedTuple):
    """Where things are in the files of a platform, by the titles of the columns."""

    title: str
    number: str  # the platform's own number of a student, which stands in the names of downloaded files
    ids: tuple[str, ...]  # what may be a student's id, the surest first
    worth: str = ""  # the column that says how many points there are; where it is empty, a row says it


PLATFORMS: Final = {
    "canvas": Platform("Canvas", "ID", ("SIS User ID", "SIS Login ID")),
    "moodle": Platform("Moodle", "Identifier", ("ID number", "Username", "Email address"), "Maximum Grade"),
}
_DECIDED: Final = ("EX", "N/A")  # Canvas: excused, and not assigned to this student


def template(argument: str) -> tuple[Platform, Path]:
    """The argument canvas=FILE or moodle=FILE of the command line."""
    name, _, path = argument.partition("=")
    if name not in PLATFORMS or not path:
        raise argparse.ArgumentTypeError("write canvas=FILE or moodle=FILE, with the file that the platform exported")
    return PLATFORMS[name], Path(path)


class Gradebook:
    """A file that a platform exported: its rows, the first of which are the titles, and the column to fill in."""

    def __init__(self, platform: Platform, path: Path) -> None:
        self.platform, self.path = platform, path
        try:
            data = path.read_bytes()
            text = data.decode("utf-8-sig")
        except OSError as error:
            raise Refusal(f"{path} cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise Refusal(f"{path} is not in UTF-8: export it again, or save it as “CSV UTF-8”.") from None
        csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # an answer typed into Moodle may be long
        self.delimiter = max(",;\t", key=text.partition("\n")[0].count)
        self.rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter)) or [[]]
        self.lineterminator = "\r\n" if "\r\n" in text else "\n"
        self.encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
        self.titles = [title.strip() for title in self.rows[0]]
        # The row of Canvas that says how many points each assignment has.
        self.points_row = next((row for row in self.rows[1:] if row and "Points Possible" in row[0]), [])
        self.column = -1

    def places(self, grade: Grade) -> list[int]:
        """The rows of a student: by the platform's own number in the file's name, or else by the id or the address."""
        for title in (self.platform.number, *self.platform.ids):
            wanted = grade.file.number if title == self.platform.number else folded(grade.file.student)
            k = self.titles.index(title) if title in self.titles else -1
            rows = [n for n, row in enumerate(self.rows) if n and 0 <= k < len(row) and wanted in _keys(row[k])]
            if wanted and rows:
                return rows
        return []

    def fill(self, grades: Sequence[Grade]) -> dict[str, list[str]]:
        """Write the scores into the column; return the students whose score was not written, by the reason."""
        places, left = [self.places(grade) for grade in grades], dict[str, list[str]]()
        for grade, rows in zip(grades, places, strict=True):
            if len(rows) != 1:
                reason = f"Not found in {self.path.name}, or found twice"
            elif places.count(rows) > 1:
                reason = "More than one submission, so no score was written"
            elif grade.waiting:
                reason = "Not completely graded yet, so no score was written"
            elif "".join(self.rows[rows[0]][self.column : self.column + 1]).strip().upper() in _DECIDED:
                reason = f"Excused or not assigned in {self.platform.title}, so no score was written"
            else:
                row = self.rows[rows[0]]
                row += [""] * (self.column + 1 - len(row))
                row[self.column] = f"{grade.total:g}"
                continue
            left.setdefault(reason, []).append(grade.file.student)
        return left

    def write(self, target: Path, grades: Sequence[Grade]) -> None:
        """Fill the column in, write the file beside the scores, and say where it is and whom it leaves out."""
        left, text = self.fill(grades), io.StringIO(newline="")
        csv.writer(text, delimiter=self.delimiter, lineterminator=self.lineterminator).writerows(self.rows)
        path = target / f"{self.platform.title.lower()}.csv"
        results.write(path, text.getvalue(), self.encoding)
        written = len(grades) - sum(map(len, left.values()))
        scores = f"{written} score{'' if written == 1 else 's'} in “{self.titles[self.column]}”"
        print(f"{f'For {self.platform.title}':<20}{path} ({scores})")
        for reason, students in left.items():
            print(f"{reason}: {', '.join(map(shown, students))}.", file=sys.stderr)


def _keys(cell: str) -> set[str]:
    """What a student may be found by: an id, the part of an address before the @, the number of “Participant 123”."""
    return {folded(cell), folded(cell.partition("@")[0]), *re.findall(r"\d+$", cell.strip())[-1:]} - {""}


def read(template: tuple[Platform, Path], column: str | None, assignment: str, worth: float) -> Gradebook:
    """The gradebook in this file, with the column of the assignment; what cannot be used is refused with a sentence.

    `column` is the title of the column or its beginning; without it, the column is found by the assignment's name.
    """
    platform, path = template
    gradebook = Gradebook(platform, path)
    wanted = (platform.number, *platform.ids)
    if not set(wanted) & set(gradebook.titles):
        raise Refusal(
            f"{path} has none of these columns: {', '.join(wanted)}. Export it from {platform.title} (in English) and "
            "do not remove columns."
        )
    gradebook.column = _find(gradebook, column, assignment)
    _compare(gradebook, assignment, worth)
    return gradebook


def _find(gradebook: Gradebook, column: str | None, assignment: str) -> int:
    """The column to fill in: that with this title, or that begins so; or that names the assignment, as HW1 does."""
    fixed = {gradebook.platform.number, *gradebook.platform.ids}
    every = {k: title for k, title in enumerate(gradebook.titles) if title not in fixed}
    titles = {k: title for k, title in every.items() if "(read only)" not in gradebook.points_row[k : k + 1]}
    if column is None and "Grade" in titles.values():  # Moodle's worksheet
        column = "Grade"
    if column:
        plain = {k: folded(re.sub(r"\s*\(\d+\)$", "", title)) for k, title in titles.items()}  # Canvas adds a number
        fits = [k for k, title in titles.items() if folded(column) in (folded(title), plain[k])]
        fits = fits or [k for k, title in plain.items() if title.startswith(folded(column))]
    else:
        number = re.match(r"hw0*(\d+)", assignment)
        pattern = re.escape(assignment) + (rf"|\b(?:hw|homework)\W*0*{number[1]}(?!\d)" if number else "")
        fits = [k for k, title in titles.items() if re.search(pattern, title, re.IGNORECASE)]
    if len(fits) != 1:
        trouble = f"{len(fits)} columns that could be" if fits else "no column for"
        names = "; ".join(titles.values())
        raise Refusal(
            f"{gradebook.path} has {trouble} {column or assignment}. Name one with --column. The columns are: {names}."
        )
    return fits[0]


def _compare(gradebook: Gradebook, assignment: str, worth: float) -> None:
    """Refuse a column whose points are not ours: Moodle drops what is above them without a word."""
    platform, title = gradebook.platform, gradebook.titles[gradebook.column]
    k = gradebook.titles.index(platform.worth) if platform.worth in gradebook.titles and title == "Grade" else -1
    cells = [row[k] for row in gradebook.rows[1:] if 0 <= k < len(row)]
    for text in {*cells, *gradebook.points_row[gradebook.column : gradebook.column + 1]}:
        points = results.number_in(text)
        if points is not None and points != worth:
            raise Refusal(
                f"In {gradebook.path}, “{title}” has {points:g} points, and {assignment} has {worth:g}. "
                f"Set the points in {platform.title} to {worth:g} and export the file again."
            )

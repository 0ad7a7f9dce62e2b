"""Tables: points that were given by hand are read, the scores are written, and a gradebook is filled in.

Canvas (such as NTU COOL) and Moodle import the form that they export. So one column of the exported file is filled in,
and the rest stays as it is, also a cell without a complete score: Canvas takes an empty one for a score to be deleted.
"""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from . import results
from .results import Grade, Marks
from .submissions import BY_HAND, Refusal, folded


class Table:
    """A CSV file as a spreadsheet or a platform writes it: its titles, and its rows as {title: cell}."""

    def __init__(self, path: Path) -> None:
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Refusal(f"{path} is not in UTF-8: export it again, or save it as “CSV UTF-8”.") from None
        csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # an answer typed into Moodle may be long
        self.path, self.delimiter = path, max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=self.delimiter, restval="")
        self.rows, self.titles = list(reader), list(reader.fieldnames or [])

    def write(self, path: Path) -> None:
        rows = [[row[title] for title in self.titles] for row in self.rows]
        _write_csv(path, [self.titles, *rows], self.delimiter)


def number_in(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def read_by_hand(folder: Path, worth: dict[str, float]) -> dict[str, Marks]:
    """by_hand.csv, if there is one: {student: {question: (points, comment)}}; worth are the points of each question."""
    path, marks = folder / BY_HAND, dict[str, Marks]()
    for number, row in enumerate(Table(path).rows if path.exists() else [], 2):
        student, question, points = row.get("student"), row.get("question"), number_in(row.get("points", ""))
        if not student or points is None or not 0 <= points <= worth.get(question or "", -1):
            most = ", ".join(f"{name} ({value:g})" for name, value in worth.items())
            needed = f"a student, one of the questions and at most its points: {most}"
            raise Refusal(f"{path}, row {number}: needed are {needed}. The row has {row}.")
        marks.setdefault(folded(student), {})[str(question)] = (points, row.get("comment", ""))
    return marks


def write_scores(path: Path, grades: Sequence[Grade]) -> None:
    questions = [question["id"] for question in grades[0].questions]
    rows = [["student", "student in the notebook", "file", *questions, "total", "of", "complete"]]
    for grade in grades:
        names = map(_no_formula, (grade.file.student, grade.student, grade.file.path))
        points = [question["points"] for question in grade.questions]
        sums = (None, None) if grade.failed and grade.waiting else (grade.total, grade.possible)
        numbers = ["" if value is None else f"{value:g}" for value in (*points, *sums)]
        rows.append([*names, *numbers, "no" if grade.waiting else "yes"])
    _write_csv(path, rows)


def _write_csv(path: Path, rows: Sequence[Sequence[str]], delimiter: str = ",") -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    results.write(path, text.getvalue(), encoding="utf-8-sig")  # spreadsheets look for the mark in front


def _no_formula(text: str) -> str:
    """Text that no spreadsheet takes for a formula, whatever it takes for the end of a cell."""
    return re.sub(r"(^|[;,|])([\s\"']*[=+\-@＝＋－＠])", r"\1'\2", " ".join(text.split()))


# The columns by which a student is found: the platform's own number, which stands in the names of files, and ids.
PLATFORMS: Final = {
    "Canvas": ("ID", "SIS User ID", "SIS Login ID"),
    "Moodle": ("Identifier", "ID number", "Username", "Email address"),
}


class Gradebook(Table):
    """A file that a platform exported, and the one column of an assignment; `column` is how its title begins."""

    def __init__(self, platform: str, path: Path, column: str | None, assignment: str, worth: float) -> None:
        super().__init__(path)
        self.platform = platform
        column = column or ("Grade" if platform == "Moodle" else re.sub(r"hw0*(\d+).*", r"Homework \1", assignment))
        # Canvas has a row that says how many points each assignment has, and which columns are computed.
        about = next((row for row in self.rows if "Points Possible" in row[self.titles[0]]), {})
        titles = [title for title in self.titles if "read only" not in about.get(title, "")]
        begins = re.compile(rf"{re.escape(column)}(?!\w)", re.IGNORECASE)
        fits = [column] if column in titles else list(filter(begins.match, titles))
        if len(fits) != 1:
            words = f"{path}, from {platform} in English, should have one column {column} and has {len(fits)}"
            raise Refusal(f"{words}. Name one with --column: {'; '.join(titles)}.")
        self.column = fits[0]
        told = [about.get(self.column, ""), *(row.get("Maximum Grade", "") for row in self.rows)]
        if wrong := {number_in(points) for points in told} - {None, worth}:
            words = f"“{self.column}” has {wrong.pop():g} points, and {assignment} has {worth:g}"
            raise Refusal(f"In {path}, {words}. Set the points in {platform} to {worth:g}, and export it again.")

    def rows_of(self, grade: Grade) -> list[dict[str, str]]:
        """The rows of a student: by the platform's own number in the file's name, or else by the id or the address."""
        for title in PLATFORMS[self.platform]:
            wanted = grade.file.number if title in ("ID", "Identifier") else folded(grade.file.student)
            if rows := [row for row in self.rows if wanted and wanted in _keys(row.get(title, ""))]:
                return rows
        return []

    def fill(self, grades: Sequence[Grade]) -> dict[str, list[str]]:
        """Write the scores into the column; return the students whose score was not written, by the reason."""
        every, left = [self.rows_of(grade) for grade in grades], dict[str, list[str]]()
        for grade, rows in zip(grades, every, strict=True):
            if len(rows) != 1 or every.count(rows) > 1:
                reason = f"Not found once in {self.path.name}, or more than one submission"
            elif grade.waiting:
                reason = "Not completely graded yet, so no score was written"
            elif rows[0][self.column].strip().upper() in ("EX", "N/A"):
                reason = f"Excused or not assigned in {self.platform}, so no score was written"
            else:
                rows[0][self.column] = f"{grade.total:g}"
                continue
            left.setdefault(reason, []).append(grade.file.student)
        return left


def _keys(cell: str) -> set[str]:
    """What a student may be found by: an id, the part of an address before the @, the number of “Participant 123”."""
    return {folded(cell), folded(cell.partition("@")[0]), *re.findall(r"\d+$", cell.strip())[-1:]} - {""}

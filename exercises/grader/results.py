"""Store each result as soon as it is there, so that an interrupted run goes on; write the scores as a table.

A result is kept under a key made of everything it depends on: the submission, the source and what is handed out with
it, and the code that grades. What has changed since is graded again, and nothing else.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import json
import os
import re
import secrets
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import plahelpers

from .pool import Work
from .submissions import BY_HAND, Refusal, SubmissionFile, folded

Marks: TypeAlias = dict[str, tuple[float, str]]  # {question: (points, comment)}, given by hand

_BYTES_PER_SUBMISSION: Final = 500_000  # a result and a page, generously


@cache
def _engine() -> bytes:
    """A fingerprint of what grades: the code and the messages of this package and of plahelpers."""
    folders = (Path(__file__).parent, Path(plahelpers.__file__).parent)
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".toml"))
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in paths)).digest()


def key(work: Work) -> str:
    parts = (repr(work).encode(), _engine())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def read_result(folder: Path, file: SubmissionFile, work: Work) -> dict[str, Any] | None:
    """The result of an earlier run, if nothing has changed since."""
    try:
        content = json.loads(_path(folder, file).read_text(encoding="utf-8"))
        return dict(content["result"]) if content["key"] == key(work) else None
    except (OSError, ValueError, KeyError, TypeError):  # not there, or cut short by hand: then it is graded again
        return None


def store(folder: Path, file: SubmissionFile, work: Work, result: dict[str, Any]) -> None:
    """Keep a result; one that is our own failure is not kept, so that the next call tries again."""
    if not result["failed"]:
        write(_path(folder, file), json.dumps({"key": key(work), "result": result}, ensure_ascii=False, indent=1))


def _path(folder: Path, file: SubmissionFile) -> Path:
    return folder / "results" / f"{file.safe_name}.json"


def prepare(folder: Path, submissions: int) -> None:
    """Make the folder, and raise an OSError if there is no room in it for so many results."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "scores.csv.try", " " * _BYTES_PER_SUBMISSION)
    (folder / "scores.csv.try").unlink()
    if shutil.disk_usage(folder).free < submissions * _BYTES_PER_SUBMISSION:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def write(path: Path, text: str, encoding: str = "utf-8") -> None:
    """The whole file or none of it, whatever happens meanwhile, and whoever else writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        new.write_text(text, encoding=encoding, newline="", errors="replace")
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


@dataclass(frozen=True)
class Grade:
    """A submission with its result, and what was graded by hand."""

    file: SubmissionFile
    result: dict[str, Any]
    by_hand: Marks

    def points(self, question: dict[str, Any]) -> float | None:
        """The points of a question; None while they wait for somebody to give them."""
        points: float | None = self.by_hand.get(question["id"], (question["points"], ""))[0]
        return points

    def comment(self, question: dict[str, Any]) -> str:
        return self.by_hand.get(question["id"], (0.0, ""))[1]

    def state(self, question: dict[str, Any]) -> str:
        return "graded" if question["id"] in self.by_hand else str(question["state"])

    @property
    def failed(self) -> bool:
        """Is it we who failed to grade it?"""
        return bool(self.result["failed"])

    @property
    def questions(self) -> list[dict[str, Any]]:
        return list(self.result["questions"])

    @property
    def total(self) -> float:
        return sum(self.points(question) or 0 for question in self.questions)

    @property
    def waiting(self) -> float:
        """The points that somebody still has to give."""
        return float(sum(question["max"] for question in self.questions if self.points(question) is None))

    @property
    def possible(self) -> float:
        """The points that could be reached in what is graded so far."""
        return float(sum(question["max"] for question in self.questions)) - self.waiting

    @property
    def share(self) -> float:
        return self.total / self.possible if self.possible else 0.0


def read_by_hand(folder: Path, worth: dict[str, float]) -> dict[str, Marks]:
    """by_hand.csv, if there is one: {student, folded: {question: (points, comment)}}; worth are each question's points.

    A spreadsheet may have written it with semicolons. Whatever cannot be meant so ends the call with a sentence.
    """
    path, marks = folder / BY_HAND, dict[str, Marks]()
    if not path.exists():
        return marks
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refusal(f"{path} is not in UTF-8: save it again, as “CSV UTF-8”.") from None
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ",")
    for row in rows:
        question, points = row.get("question") or "", number_in(row.get("points") or "")
        if points is None or not row.get("student"):
            wrong = "needed are the columns student, question, points (a number) and comment"
        elif question not in worth:
            wrong = f"there is no question {question!r}; there are {', '.join(worth)}"
        elif not 0 <= points <= worth[question]:
            wrong = f"{question} has {worth[question]:g} points at most, and {points:g} were given"
        else:
            marks.setdefault(folded(row["student"]), {})[question] = (points, row.get("comment") or "")
            continue
        raise Refusal(f"{path}, line {rows.line_num}: {wrong}. The line has {row}.")
    return marks


def assign(marks: dict[str, Marks], students: Sequence[str]) -> list[Marks]:
    """The marks of each student, taken out of `marks`; a spreadsheet may have dropped the zeros an id begins with."""
    ids = [folded(student) for student in students]
    short = [each.lstrip("0") for each in ids]
    often = Counter(short)
    names = [own if own in marks or often[bare] > 1 else bare for own, bare in zip(ids, short, strict=True)]
    return [marks.pop(name, {}) for name in names]


def number_in(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def write_scores(path: Path, grades: Sequence[Grade]) -> None:
    """A table for a spreadsheet: a row for each student, a column for each question."""
    questions = [question["id"] for question in grades[0].questions]
    table = io.StringIO(newline="")
    rows = csv.writer(table)
    rows.writerow(["student", "student in the notebook", "file", *questions, "total", "of", "complete"])
    for grade in grades:
        names = map(_no_formula, (grade.file.student, grade.result["student"], grade.file.path))
        points = [grade.points(question) for question in grade.questions]
        sums = (None, None) if grade.failed and grade.waiting else (grade.total, grade.possible)
        numbers = ["" if value is None else f"{value:g}" for value in (*points, *sums)]
        rows.writerow([*names, *numbers, "no" if grade.waiting else "yes"])
    write(path, table.getvalue(), encoding="utf-8-sig")  # spreadsheets look for the mark in front


def _no_formula(text: str) -> str:
    """Text that no spreadsheet takes for a formula, whatever it takes for the end of a cell."""
    return re.sub(r"(^|[;,|])([\s\"']*[=+\-@＝＋－＠])", r"\1'\2", " ".join(text.split()))


def odd_ids(grades: Sequence[Grade]) -> list[tuple[list[str], list[str]]]:
    """For each submission, what is odd about whose it is: for the student, and with who else is concerned."""
    inside = [folded(grade.result["student"]) for grade in grades]
    odd = []
    for grade, own in zip(grades, inside, strict=True):
        student, sentences = grade.file.student, list(grade.file.remarks)
        # A learning platform gives a name, and nobody here knows whose id is whose.
        if own and not grade.file.number and own not in {folded(student), folded(student.partition("_")[0])}:
            other = grade.result["student"]
            sentences.append(
                f"The notebook says that it belongs to “{other}”, but it was handed in by “{student}”. "
                f"Its numbers were checked for “{other}”."
            )
        same = [each.file.student for each, one in zip(grades, inside, strict=True) if one == own and each is not grade]
        shared = [f"The same id stands in what {', '.join(same)} handed in."] if own and same else []
        odd.append((sentences, [*sentences, *shared]))
    return odd

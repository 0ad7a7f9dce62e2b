"""Store each result as soon as it is there, so that an interrupted run goes on; write the scores as a table.

A result is kept under a key made of everything it depends on: the submission, the source, the limits, and the code
that grades. What has changed since is graded again, and nothing else.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import plahelpers

from .folder import BY_HAND, Found
from .sandbox import Limits


@cache
def engine() -> str:
    """A fingerprint of the code that grades: this package, and plahelpers."""
    digest = hashlib.sha256()
    for folder in (Path(__file__).parent, Path(plahelpers.__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def key(source: bytes, submission: bytes, limits: Limits) -> str:
    parts = [source, submission, json.dumps(asdict(limits)).encode(), engine().encode()]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def stored(folder: Path, found: Found, wanted: str) -> dict[str, Any] | None:
    """The result of an earlier run, if nothing has changed since."""
    try:
        content = json.loads(_file(folder, found).read_text(encoding="utf-8"))
        return dict(content["result"]) if content["key"] == wanted else None
    except (OSError, ValueError, KeyError, TypeError):  # not there, or cut short by hand: then it is graded again
        return None


def store(folder: Path, found: Found, key: str, result: dict[str, Any]) -> None:
    """Keep a result; one that is our own failure is not kept, so that the next call tries again."""
    if not result["failed"]:
        write(_file(folder, found), json.dumps({"key": key, "result": result}, ensure_ascii=False, indent=1))


def _file(folder: Path, found: Found) -> Path:
    return folder / "results" / f"{found.safe_name}.json"


def write(path: Path, text: str, encoding: str = "utf-8") -> None:
    """The whole file or none of it, whatever happens meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, encoding=encoding, newline="", errors="replace")
    new.replace(path)


@dataclass(frozen=True)
class Graded:
    """A submission with its result, and what was graded by hand: {question: (points, comment)}."""

    found: Found
    result: dict[str, Any]
    by_hand: dict[str, tuple[float, str]]

    def points(self, question: dict[str, Any]) -> float | None:
        """The points of a question; None while they wait for somebody to give them."""
        given = self.by_hand.get(question["id"])
        points: float | None = given[0] if given else question["points"]
        return points

    @property
    def questions(self) -> list[dict[str, Any]]:
        return list(self.result["questions"])

    @property
    def total(self) -> float:
        return sum(self.points(it) or 0 for it in self.questions)

    @property
    def possible(self) -> float:
        """The points that could be reached in what is graded so far."""
        return float(sum(it["max"] for it in self.questions if self.points(it) is not None))

    @property
    def complete(self) -> bool:
        return all(self.points(it) is not None for it in self.questions)


def read_by_hand(folder: Path, worth: dict[str, float]) -> dict[str, dict[str, tuple[float, str]]]:
    """by_hand.csv, if there is one: {student, folded: {question: (points, comment)}}; worth are each question's points.

    A spreadsheet may have written it with semicolons. Whatever cannot be meant so ends the call with a sentence.
    """
    path = folder / BY_HAND
    marks: dict[str, dict[str, tuple[float, str]]] = {}
    if not path.exists():
        return marks
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SystemExit(f"{path} is not in UTF-8: save it again, as “CSV UTF-8”.") from None
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ",")
    for row in rows:
        question, points = row.get("question") or "", _number_in(row.get("points") or "")
        if points is None or not row.get("student"):
            wrong = "needed are the columns student, question, points (a number) and comment"
        elif question not in worth:
            wrong = f"there is no question {question!r}; there are {', '.join(worth)}"
        elif not 0 <= points <= worth[question]:
            wrong = f"{question} has {worth[question]:g} points at most, and {points:g} were given"
        else:
            marks.setdefault(folded(row["student"]), {})[question] = (points, row.get("comment") or "")
            continue
        raise SystemExit(f"{path}, line {rows.line_num}: {wrong}. The line has {row}.")
    return marks


def _number_in(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def write_scores(path: Path, graded: Sequence[Graded]) -> None:
    """A table for a spreadsheet: a row for each student, a column for each question."""
    questions = graded[0].questions
    rows: list[list[str]] = [
        ["student", "student in the notebook", "file", *(it["id"] for it in questions), "total", "of", "complete"],
        *([it.found.student, it.result["student"] or "", it.found.file, *_points_of(it), _number(it.total),
           _number(it.possible), "yes" if it.complete else "no"] for it in graded),
    ]  # fmt: skip
    write(path, "".join(_line(row) for row in rows), encoding="utf-8-sig")  # spreadsheets look for the mark in front


def _points_of(it: Graded) -> list[str]:
    return ["" if (points := it.points(question)) is None else _number(points) for question in it.questions]


def _number(value: float) -> str:
    return f"{value:g}"


def _line(row: Iterable[str]) -> str:
    return ",".join(f'"{_harmless(each)}"' if not _is_number(each) else each for each in row) + "\r\n"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal() and text.isascii()


def _harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula, and no quote ends early."""
    text = " ".join(text.split()) if text.strip() else text
    return ("'" if text[:1] in "=+-@" and text else "") + text.replace('"', '""')


def odd_ids(graded: Sequence[Graded]) -> list[list[str]]:
    """For each submission, what is odd about whose it is: another id inside, or an id that others have too."""
    inside = [_id_inside(it) for it in graded]
    odd = []
    for it, own in zip(graded, inside, strict=True):
        said = list(it.found.remarks)
        if own and own not in {folded(it.found.student), folded(it.found.student.partition("_")[0])}:
            said.append(
                f"The notebook says that it belongs to “{it.result['student']}”, but it was handed in by "
                f"“{it.found.student}”. Its numbers were checked for “{it.result['student']}”."
            )
        same = [each for each, other in zip(graded, inside, strict=True) if other == own and each is not it]
        if own and same:
            said.append(f"The same id stands in what {', '.join(each.found.student for each in same)} handed in.")
        odd.append(said)
    return odd


def _id_inside(it: Graded) -> str:
    return folded(it.result["student"] or "")


def folded(id: str) -> str:
    """An id as it is compared: B01 is b01, as it is when data are made from it."""
    return unicodedata.normalize("NFC", id).strip().casefold()

"""Store each result under a key made of all that it depends on: what has changed is graded again, and nothing else."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeAlias

import plahelpers

from .pool import Work
from .submissions import SubmissionFile, folded

Marks: TypeAlias = dict[str, tuple[float, str]]  # {question: (points, comment)}, given by hand


@cache
def _basis(model: Work, solution: Path) -> bytes:
    folders = (solution, Path(__file__).parent, Path(plahelpers.__file__).parent)
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    code = b"".join(path.name.encode() + path.read_bytes() for path in paths)
    return hashlib.sha256(repr(model).encode() + code).digest()


def key(model: Work, file: SubmissionFile, solution: Path) -> str:
    """Of everything that a result depends on; `solution` is the folder of the assignment."""
    return hashlib.sha256(_basis(model, solution) + repr((file.data, file.student)).encode()).hexdigest()


def read_result(folder: Path, file: SubmissionFile, key: str) -> dict[str, Any] | None:
    """The result of an earlier run, if nothing has changed since."""
    try:
        content = json.loads(_path(folder, file).read_text(encoding="utf-8"))
        return dict(content["result"]) if content["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):  # not there, or cut short by hand: then it is graded again
        return None


def store(folder: Path, file: SubmissionFile, key: str, result: dict[str, Any]) -> None:
    """Keep a result; one that is our own failure is not kept, so that the next call tries again."""
    if not result["failed"]:
        write(_path(folder, file), json.dumps({"key": key, "result": result}, ensure_ascii=False, indent=1))


def _path(folder: Path, file: SubmissionFile) -> Path:
    return folder / "results" / f"{file.safe_name}.json"


def prepare(folder: Path) -> None:
    """Make the folder, and raise an OSError if no page can be written there."""
    write(folder / "scores.csv.try", " " * 500_000)
    (folder / "scores.csv.try").unlink()


def write(path: Path, text: str, encoding: str = "utf-8") -> None:
    """The whole file or none of it, whatever happens meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, encoding=encoding, newline="", errors="replace")
    new.replace(path)


@dataclass
class Grade:
    """A submission with its result; points that were given by hand have replaced others."""

    file: SubmissionFile
    result: dict[str, Any]
    by_hand: Marks

    def __post_init__(self) -> None:
        self.student = str(self.result["student"])  # the id that stands in the notebook
        self.failed = bool(self.result["failed"])  # is it we who failed to grade it?

    @cached_property
    def questions(self) -> list[dict[str, Any]]:
        """Each question with its points, which are None while they wait for somebody to give them."""
        marks = self.by_hand.items()
        graded = {name: {"points": points, "comment": words, "state": "graded"} for name, (points, words) in marks}
        return [{"comment": "", **each, **graded.get(each["id"], {})} for each in self.result["questions"]]

    @property
    def total(self) -> float:
        return round(sum(question["points"] or 0 for question in self.questions), 2)

    @property
    def waiting(self) -> float:
        return float(sum(question["max"] for question in self.questions if question["points"] is None))

    @property
    def possible(self) -> float:
        return float(sum(question["max"] for question in self.questions)) - self.waiting

    @property
    def remarks(self) -> list[str]:
        handed_in_by, own = self.file.student, folded(self.student)
        # A learning platform gives a name, and nobody here knows whose id is whose.
        expected = {own} if self.file.number else {folded(handed_in_by), folded(handed_in_by.partition("_")[0]), ""}
        odd = f"The notebook says that it belongs to “{self.student}”, but it was handed in by “{handed_in_by}”. "
        odd += f"Its numbers were checked for “{self.student}”."
        return [*self.file.remarks, *([] if own in expected else [odd]), *self.result["remarks"]]

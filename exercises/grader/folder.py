"""Find the submissions, in either layout, and give each a safe name.

<folder>/submitted/<student>/<assignment>/*.ipynb    as nbgrader collects them; `submitted/` may be the folder itself
<folder>/<student>_….ipynb                           as learning platforms export them
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from .notebook import Assignment, choose

BY_HAND: Final = "by_hand.csv"

_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
_RESERVED: Final = re.compile(r"con|prn|aux|nul|(com|lpt)\d")  # Windows has no files of these names


@dataclass(frozen=True)
class SubmissionFile:
    """One submission: whose it is by the name of its folder or file, the file, and what is odd about that."""

    student: str
    path: str  # inside the folder
    data: bytes
    remarks: tuple[str, ...] = ()

    @property
    def safe_name(self) -> str:
        """A file name for this student on every system; no two students share one, whatever they are called."""
        if _PLAIN.fullmatch(self.student) and not _RESERVED.fullmatch(self.student):
            return self.student
        name = self.student.encode("utf-8", "surrogatepass")  # a file's name need not be text
        readable = quote(name, safe="").replace("~", "").replace(".", "")[:60]
        return f"{readable or 'student'}-{hashlib.sha256(name).hexdigest()[:10]}"


def find(folder: Path, name: str, assignment: Assignment) -> list[SubmissionFile]:
    """All submissions in the folder, sorted by student."""
    flat = sorted(path for path in folder.glob("*.ipynb") if path.is_file())
    files = _flat(flat) if flat else _nested(_inside(folder), name, assignment)
    return sorted(files, key=lambda file: file.student)


def place_for_results(folder: Path, name: str) -> Path:
    """graded/<assignment>, beside `submitted/` or in the folder of exported files."""
    return (folder.parent if folder.name == "submitted" else folder) / "graded" / name


def others(folder: Path) -> list[str]:
    """The files beside exported notebooks that are none, and so are not graded."""
    if not any(folder.glob("*.ipynb")):
        return []
    beside = (path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    return sorted(path.name for path in beside if path.suffix != ".ipynb" and path.name != BY_HAND)


def _inside(folder: Path) -> Path:
    """Where the students' folders are; in a course, which has its source/ and release/ beside them, only there."""
    is_course = (folder / "submitted").is_dir() or (folder / "source").is_dir()
    return folder / "submitted" if is_course else folder


def _flat(paths: list[Path]) -> list[SubmissionFile]:
    """The id stands before the first underscore; who handed in twice is graded twice, under the whole name."""
    ids = [path.stem.partition("_")[0] or path.stem for path in paths]
    often = Counter(ids)
    files = []
    for student, path in zip(ids, paths, strict=True):
        twice = f"There are {often[student]} files of {student}; each is graded, under its whole name."
        name, remarks = (path.stem, (twice,)) if often[student] > 1 else (student, ())
        files.append(SubmissionFile(name, path.name, path.read_bytes(), remarks))
    return files


def _nested(folder: Path, name: str, assignment: Assignment) -> list[SubmissionFile]:
    files = []
    for place in sorted(folder.glob(f"*/{name}")):
        notebooks = sorted(path for path in place.glob("*.ipynb") if path.is_file())
        if place.is_dir() and place.parent.name != "graded":
            files.append(_choose(place, name, notebooks, assignment))
    return files


def _choose(place: Path, name: str, notebooks: list[Path], assignment: Assignment) -> SubmissionFile:
    """The one notebook of a student's folder that is to be graded."""
    student = place.parent.name
    if not notebooks:
        return SubmissionFile(student, f"{student}/{name}", b"", ("There is no notebook in this student's folder.",))
    named = [path for path in notebooks if path.stem == name]
    remarks: tuple[str, ...] = ()
    path = named[0] if named else notebooks[choose([each.read_bytes() for each in notebooks], assignment)]
    if not named:
        remarks = (f"The file is called {path.name}, not {name}.ipynb; it was graded all the same.",)
    if len(notebooks) > 1:
        remarks += (f"Of {len(notebooks)} notebooks in the folder, {path.name} was graded.",)
    return SubmissionFile(student, f"{student}/{name}/{path.name}", path.read_bytes(), remarks)

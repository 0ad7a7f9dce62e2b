"""Find the submissions, in one of three layouts, and give each a safe name.

<folder>/submitted/<student>/<assignment>/*.ipynb    as nbgrader collects them; `submitted/` may be the folder itself
<folder>/<student>_….ipynb                           as Canvas and Moodle export them
<folder>/<student>_<number>_assignsubmission_file…/*.ipynb    as Moodle exports them in folders
"""

import hashlib
import os
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from .notebook import MAX_BYTES, UnreadableError

BY_HAND: Final = "by_hand.csv"
_SAFE: Final = re.compile(r"\w([\w .-]{0,48}[\w-])?")
_EXPORTED: Final = re.compile(r"([^_]+)(?:_LATE)?_(\d+)_(?:\d+_|assignsubmission_file).*", re.S)


class Refusal(Exception):  # noqa: N818
    """The call cannot be carried out; the message says why."""


@dataclass(frozen=True)
class SubmissionFile:
    """One submission: whose it is by the name of its folder or file, the file, and what is odd about that."""

    student: str
    path: str  # inside the folder
    data: bytes = b""
    remarks: tuple[str, ...] = ()
    problem: str = ""  # why there is nothing to grade
    number: str = ""  # of the student, on a learning platform; then `student` is a name and not an id

    @property
    def safe_name(self) -> str:
        """The id, if a file can have it as its name, or else something like it; no two students share one."""
        if _SAFE.fullmatch(self.student):
            return self.student
        digest = hashlib.sha256(self.student.encode("utf-8", "surrogatepass")).hexdigest()
        return re.sub(r"[^\w-]+", "-", self.student)[:20] + "~" + digest[:10]


def find(folder: Path, name: str) -> tuple[list[SubmissionFile], list[str]]:
    """All submissions in the folder, sorted by student, and what lies beside them and is not graded."""
    is_course = (folder / "submitted").is_dir() or (folder / "source").is_dir()
    place = folder / "submitted" if is_course else folder
    files, others = dict[str, SubmissionFile](), list[str]()
    for path in sorted(place.iterdir()) if place.is_dir() else ():
        exported = _EXPORTED.fullmatch(path.stem)
        if (path / name).is_dir() and (path.name != "graded" or _notebooks(path / name)):  # graded/ may be ours
            files[path.name] = _submission(path.name, path / name, folder, name)
        elif (path.suffix == ".ipynb" and not path.is_dir()) or (exported and path.is_dir()):
            student, number = exported.groups() if exported else (path.stem.partition("_")[0] or path.stem, "")
            files[path.stem] = replace(_submission(student, path, folder, name), number=number)
        elif path.name not in ("graded", BY_HAND) and not path.name.startswith("."):
            others.append(path.name)
    often = Counter(folded(file.student) for file in files.values())
    twice = ("There is more than one file of this student; each is graded, under its whole name.",)
    for whole, file in files.items():
        if often[folded(file.student)] > 1:
            files[whole] = replace(file, student=whole, remarks=file.remarks + twice)
    return sorted(files.values(), key=lambda file: file.student), others


def folded(id: str) -> str:
    """An id as it is compared: as data are made from it, so that B01 is b01."""
    return unicodedata.normalize("NFC", id).strip().casefold()


def shown(text: str) -> str:
    """Text that a terminal shows and does not obey, whatever a file is called."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def _notebooks(folder: Path) -> list[Path]:
    """The notebooks of a folder; links are among them, and will be refused."""
    return sorted(path for path in folder.glob("*.ipynb") if path.is_symlink() or path.is_file())


def _submission(student: str, place: Path, folder: Path, name: str) -> SubmissionFile:
    """The submission in a file, or in a folder: there the notebook of the right name, or else the newest."""
    path, data, problem, remarks = place, b"", "", list[str]()
    if place.is_dir() and (notebooks := _notebooks(place)):
        path = max(notebooks, key=lambda each: (each.stem == name, each.lstat().st_mtime))
        if path.stem != name or len(notebooks) > 1:
            remarks.append(f"Graded was {path.name}, of {len(notebooks)} in the folder.")
    try:
        data = _read(path, folder)
    except UnreadableError as error:
        problem = str(error)
    return SubmissionFile(student, str(path.relative_to(folder)), data, tuple(remarks), problem)


def _read(path: Path, folder: Path) -> bytes:
    if Path(os.path.realpath(path)) != Path(os.path.realpath(folder), path.relative_to(folder)):
        raise UnreadableError("This is a link; links are not followed.")
    if not path.is_file():
        raise UnreadableError("There is no notebook here.")
    if (size := path.stat().st_size) > MAX_BYTES:
        raise UnreadableError(f"The file has {size / 2**20:.0f} MB; more than {MAX_BYTES // 2**20} are not read.")
    return path.read_bytes()

"""Find the submissions, in one of three layouts, and give each a safe name.

<folder>/submitted/<student>/<assignment>/*.ipynb    as nbgrader collects them; `submitted/` may be the folder itself
<folder>/<student>_….ipynb                           as Canvas and Moodle export them
<folder>/<student>_<number>_assignsubmission_file…/*.ipynb    as Moodle exports them in folders
"""

from __future__ import annotations

import hashlib
import re
import stat
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from .notebook import MAX_BYTES

BY_HAND: Final = "by_hand.csv"
_PLAIN: Final = re.compile(r"\w([\w .-]*[\w-])?")
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|(com|lpt)\d)(\..*)?", re.I)  # Windows has no files of these names
_MOODLE: Final = re.compile(r"(?P<student>[^_]+)_(?P<number>\d+)_assignsubmission_file(_.*)?", re.S)
_CANVAS: Final = re.compile(r"(?P<student>[^_]+)(_LATE)?_(?P<number>\d+)_\d+_.*", re.S)


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
    ambiguous: bool = False  # another student's id differs only in small letters and capitals

    @property
    def safe_name(self) -> str:
        """The id as a file name on every system; no two students share one, whatever they are called."""
        name = unicodedata.normalize("NFC", self.student)
        if _PLAIN.fullmatch(name) and len(name.encode()) <= 100 and not (self.ambiguous or _RESERVED.fullmatch(name)):
            return name
        readable = re.sub(r"[^\w-]+", "-", name).strip("-")[:20] or "student"
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass"))  # a file's name need not be text
        return f"{readable}~{digest.hexdigest()[:10]}"


def find(folder: Path, name: str) -> list[SubmissionFile]:
    """All submissions in the folder, sorted by student."""
    exported, moodle, collected = _notebooks(folder), _moodle(folder), _collected(folder, name)
    kinds = {"notebooks in the folder itself": exported, "Moodle's folders": moodle, "students' folders": collected}
    counts = [f"{kind} ({len(paths)})" for kind, paths in kinds.items() if paths]
    if len(counts) > 1:
        raise Refusal(f"What is to be graded: {' or '.join(counts)}? Move away what is not, and call again.")
    files = _exported(exported)
    files += [_choose(place, name, *_whose(place.name)) for place in moodle]
    files += [_choose(place, name, place.parent.name) for place in collected]
    names = Counter(file.safe_name.casefold() for file in files)
    files = [replace(file, ambiguous=names[file.safe_name.casefold()] > 1) for file in files]
    return sorted(files, key=lambda file: file.student)


def skipped(folder: Path, name: str) -> list[str]:
    """Sentences on what lies beside the submissions, and is not graded."""
    if _notebooks(folder):
        others = [path.name for path in folder.iterdir() if path.is_file() and path.suffix != ".ipynb"]
        others = [each for each in others if each != BY_HAND and not each.startswith(".")]
        return [f"Not notebooks, and so not graded: {_some(others)}."] if others else []
    students = {place.parent.name for place in _collected(folder, name)}
    without = [path.name for path in _inside(folder).glob("*/") if path.name not in students] if students else []
    without = [each for each in without if each != "graded" and not each.startswith(".")]
    return [f"Without a folder {name}, and so not graded: {_some(without)}."] if without else []


def place_for_results(folder: Path, name: str) -> Path:
    """graded/<assignment>, beside `submitted/` or in the folder of exported files."""
    return (folder.parent if folder.name == "submitted" else folder) / "graded" / name


def folded(id: str) -> str:
    """An id as it is compared: as data are made from it, so that B01 is b01."""
    return unicodedata.normalize("NFC", id).strip().casefold()


def shown(text: str) -> str:
    """Text that a terminal shows and does not obey, whatever a file is called."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def _some(names: list[str]) -> str:
    """The first few by name, and how many more there are."""
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return ", ".join(map(shown, sorted(names)[:10])) + more


def _notebooks(folder: Path) -> list[Path]:
    """The notebooks of a folder; links are among them, and will be refused."""
    return sorted(path for path in folder.glob("*.ipynb") if path.is_symlink() or path.is_file())


def _moodle(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*/") if _MOODLE.fullmatch(path.name))


def _collected(folder: Path, name: str) -> list[Path]:
    """The students' folders; one that is called `graded` may be ours, and then there is no notebook in it."""
    places = sorted(_inside(folder).glob(f"*/{name}/"))
    return [place for place in places if place.parent.name != "graded" or _notebooks(place)]


def _inside(folder: Path) -> Path:
    """Where the students' folders are; in a course, which has its source/ and release/ beside them, only there."""
    is_course = (folder / "submitted").is_dir() or (folder / "source").is_dir()
    return folder / "submitted" if is_course else folder


def _whose(name: str) -> tuple[str, str]:
    """The student in the name of an exported file or folder, and the platform's number, if there is one."""
    match = _MOODLE.fullmatch(name) or _CANVAS.fullmatch(name)
    return (match["student"], match["number"]) if match else (name.partition("_")[0] or name, "")


def _exported(paths: list[Path]) -> list[SubmissionFile]:
    """Who handed in twice is graded twice, under the whole name."""
    owners = [_whose(path.stem) for path in paths]
    often = Counter(student for student, _ in owners)
    files = []
    for (student, number), path in zip(owners, paths, strict=True):
        twice = f"There are {often[student]} files of {student}; each is graded, under its whole name."
        name, remarks = (path.stem, (twice,)) if often[student] > 1 else (student, ())
        files.append(SubmissionFile(name, path.name, remarks=remarks, number=number, **_read(path)))
    return files


def _choose(place: Path, name: str, student: str, number: str = "") -> SubmissionFile:
    """The one notebook of a student's folder that is to be graded: by its name, or else the newest."""
    inside = place.name if number else f"{student}/{name}"
    linked = place.is_symlink() or place.parent.is_symlink()
    notebooks = [] if linked else _notebooks(place)
    if not notebooks:
        problem = "The folder is a link; links are not followed." if linked else "There is no notebook in the folder."
        return SubmissionFile(student, inside, problem=problem, number=number)
    path = max(notebooks, key=lambda path: (path.stem == name, path.lstat().st_mtime))
    remarks = []
    if path.stem != name:
        remarks.append(f"The file is called {path.name}, not {name}.ipynb; it was graded all the same.")
    if len(notebooks) > 1:
        remarks.append(f"Of {len(notebooks)} notebooks in the folder, {path.name} was graded.")
    return SubmissionFile(student, f"{inside}/{path.name}", remarks=tuple(remarks), number=number, **_read(path))


def _read(path: Path) -> dict[str, Any]:
    """What is in a file, or why nobody looks into it."""
    try:
        about = path.lstat()
        if stat.S_ISLNK(about.st_mode):
            return {"problem": "The file is a link; links are not followed."}
        if about.st_size > MAX_BYTES:
            megabytes = about.st_size / 2**20
            return {"problem": f"The file has {megabytes:.0f} MB; more than {MAX_BYTES // 2**20} are not read."}
        return {"data": path.read_bytes()}
    except OSError as error:
        return {"problem": f"The file cannot be read ({error.strerror})."}

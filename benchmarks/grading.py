"""Homework graded here, beside plain `nbgrader autograde`: how much faster, how many a minute, how much memory.

`python3 run.py bench` grades a few submissions. A whole class: python -m benchmarks.grading 1000
"""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

if TYPE_CHECKING:
    from benchmarks.bench import Row

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
NAME = "hw1_pla"
STUDENTS, REPEATS = 12, 3  # of `run.py bench`


class Measured(NamedTuple):
    """How long it took, and the most memory that all processes together had at one time."""

    seconds: float
    megabytes: float


def rows() -> Iterator[Row]:
    """All grade the source's own solutions; each begins without results of its own, and ours must give full marks."""
    from benchmarks.bench import Row  # here, because bench imports this file

    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        hand_in(course, STUDENTS)
        rounds = [(ours(course), nbgrader(course, "autograde", NAME, "--force")) for _ in range(REPEATS)]
    pace = 60 * STUDENTS / median(each[0].seconds for each in rounds)
    ratio = median(each[1].seconds / each[0].seconds for each in rounds)
    yield Row(f"{NAME} on {os.cpu_count()} cores", "nbgrader autograde", ratio, 3)
    yield Row(f"{NAME}: {pace:.0f} a minute", "40 a minute", pace / 40, 1)
    most = max(each[0].megabytes for each in rounds)
    yield Row(f"{NAME}: memory of all processes", "600 MB", most / 600, 1, at_most=True)


def hand_in(course: Path, students: int) -> None:
    """A course as nbgrader wants it, and a solved notebook for each student."""
    shutil.copytree(EXERCISES / "source" / NAME, course / "source" / NAME)
    shutil.copy(EXERCISES / "nbgrader_config.py", course)
    nbgrader(course, "generate_assignment", NAME)
    for k in range(students):
        place = course / "submitted" / f"b{k:04}" / NAME
        place.mkdir(parents=True)
        (place / f"{NAME}.ipynb").write_text(json.dumps(solved(f"b{k:04}")), encoding="utf-8")


def solved(student: str) -> dict[str, Any]:
    """The source without its marks, with this id."""
    notebook: dict[str, Any] = json.loads((EXERCISES / "source" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        text = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", "".join(cell["source"]), flags=re.S)
        text = re.sub(r"^student = .*$", f"student = {student!r}", text, flags=re.M)
        cell["source"] = re.sub(r"^ *### (BEGIN|END) SOLUTION\n?", "", text, flags=re.M)
    return notebook


def ours(course: Path) -> Measured:
    shutil.rmtree(course / "graded", ignore_errors=True)
    measured = run(course, "-m", "exercises.grader", NAME, str(course), "--course", str(course))
    with (course / "graded" / NAME / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        scores = list(csv.DictReader(file))
    assert [row["total"] for row in scores] == [row["of"] for row in scores]
    assert len(scores) == len(list((course / "submitted").iterdir()))
    return measured


def nbgrader(course: Path, *command: str) -> Measured:
    """Its marks are not compared: its checks measure time by the clock, which others use too."""
    shutil.rmtree(course / "autograded", ignore_errors=True)
    return run(course, "-m", "nbgrader", *command)


def run(course: Path, *command: str) -> Measured:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])  # nbgrader's tools
    with tempfile.TemporaryFile("w+") as stderr:
        start, most = perf_counter(), 0.0
        environment = {**os.environ, "PATH": path}
        pipes: Any = {"stdout": subprocess.DEVNULL, "stderr": stderr}
        process = subprocess.Popen([sys.executable, *command], cwd=course, env=environment, **pipes)
        while process.poll() is None:
            most = max(most, memory())
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
        if process.returncode:
            stderr.seek(0)
            raise RuntimeError(stderr.read()[-3000:])
    return Measured(perf_counter() - start, most)


def memory() -> float:
    """Megabytes of all processes that this one has started; what they share counts once."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it has just ended
            total += process.memory_full_info().pss
    return total / 2**20


if __name__ == "__main__":
    students = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        hand_in(Path(folder), students)
        measured = ours(Path(folder))
    pace = 60 * students / measured.seconds
    print(f"{students} submissions: {measured.seconds:.0f} s, {pace:.1f} a minute, {measured.megabytes:.0f} MB")

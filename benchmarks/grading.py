"""Homework graded here, on two cores, beside plain `nbgrader autograde` on the same folder."""

from __future__ import annotations

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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench import Row

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
NAME = "hw1_pla"
STUDENTS = 8
REPEATS = 3


def rows() -> Iterator[Row]:
    """Both grade the source's own solutions; each begins without results of its own, and ours must give full marks."""
    from bench import Row  # here, because bench imports this file

    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        hand_in(course)
        pairs = [(seconds_of_ours(course), seconds_of_nbgrader(course)) for _ in range(REPEATS)]
    ratio = median(theirs / ours for ours, theirs in pairs)
    pace = 60 * STUDENTS / median(ours for ours, _ in pairs)
    yield Row(f"{NAME} graded on two cores: {pace:.0f} a minute", "nbgrader autograde", ratio, 1.8)


def hand_in(course: Path) -> None:
    """A course as nbgrader wants it, and a solved notebook for each student."""
    shutil.copytree(EXERCISES / "source" / NAME, course / "source" / NAME)
    shutil.copy(EXERCISES / "nbgrader_config.py", course)
    nbgrader(course, "generate_assignment")
    for k in range(STUDENTS):
        place = course / "submitted" / f"b{k}" / NAME
        place.mkdir(parents=True)
        (place / f"{NAME}.ipynb").write_text(json.dumps(solved(f"b{k}")), encoding="utf-8")


def solved(student: str) -> dict[str, Any]:
    """The source without its marks, with this id."""
    notebook: dict[str, Any] = json.loads((EXERCISES / "source" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        text = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", "".join(cell["source"]), flags=re.S)
        text = re.sub(r"^student = .*$", f"student = {student!r}", text, flags=re.M)
        cell["source"] = re.sub(r"^ *### (BEGIN|END) SOLUTION\n?", "", text, flags=re.M)
    return notebook


def seconds_of_ours(course: Path) -> float:
    shutil.rmtree(course / "graded", ignore_errors=True)
    start = perf_counter()
    run(course, [str(EXERCISES / "grader"), NAME, str(course), "--workers", "2"])
    seconds = perf_counter() - start
    with (course / "graded" / NAME / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        totals = [row["total"] for row in csv.DictReader(file)]
    assert totals == ["80"] * STUDENTS
    return seconds


def seconds_of_nbgrader(course: Path) -> float:
    shutil.rmtree(course / "autograded", ignore_errors=True)
    start = perf_counter()
    nbgrader(course, "autograde", "--force")
    seconds = perf_counter() - start
    nbgrader(course, "export", "--to=grades.csv")
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert (
        len(rows) == STUDENTS
    )  # its marks are not compared: its checks measure time by the clock, which others use too
    return seconds


def nbgrader(course: Path, subcommand: str, *options: str) -> None:
    assignment = [] if subcommand == "export" else [NAME]
    run(course, ["-m", "nbgrader", subcommand, *assignment, *options])


def run(course: Path, command: list[str]) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])  # nbgrader's tools
    result = subprocess.run(
        [sys.executable, *command],
        cwd=course,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
    )
    if result.returncode:
        raise RuntimeError(result.stderr[-3000:])

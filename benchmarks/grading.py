"""Homework graded here, beside plain `nbgrader autograde`: how much faster, how many a minute, how much memory.

`python3 run.py bench` grades a few submissions. A whole class: python -m benchmarks.grading 1000
"""

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

import psutil

from benchmarks.bench import Row
from plahelpers._guard import usage_of

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
NAME = "hw1_pla"
STUDENTS, FEW, REPEATS = 60, 10, 2  # of `run.py bench`; nbgrader grades a few of them


def rows() -> Iterator[Row]:
    """All grade the source's own solutions; each begins without results of its own, and ours must give full marks."""
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        hand_in(course, STUDENTS)
        # nbgrader's marks are not compared: its checks measure time by the clock, which others use too.
        theirs = ("nbgrader", "autograde", NAME, "--force", "--student=b000[0-9]")
        pairs = [(ours(course), run(course, *theirs)) for _ in range(REPEATS)]
    pace = 60 * STUDENTS / median(seconds for (seconds, _), _ in pairs)
    ratio = median((peer / FEW) / (seconds / STUDENTS) for (seconds, _), (peer, _) in pairs)
    yield Row(f"{NAME} on {os.cpu_count()} cores", "nbgrader autograde", ratio, 3)
    yield Row(f"{NAME}: {pace:.0f} a minute", "40 a minute", pace / 40, 1)
    most = max(megabytes for (_, megabytes), _ in pairs)
    yield Row(f"{NAME}: memory of all processes", "600 MB", most / 600, 1, at_most=True)


def hand_in(course: Path, students: int) -> None:
    """A course as nbgrader wants it, and for each student the source without its marks, with this id."""
    shutil.copytree(EXERCISES / "source" / NAME, course / "source" / NAME)
    shutil.copy(EXERCISES / "nbgrader_config.py", course)
    run(course, "nbgrader", "generate_assignment", NAME)
    notebook = json.loads((EXERCISES / "source" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        text = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", "".join(cell["source"]), flags=re.S)
        cell["source"] = re.sub(r"^ *### (BEGIN|END) SOLUTION\n?", "", text, flags=re.M)
    for k in range(students):
        place = course / "submitted" / f"b{k:04}" / NAME
        place.mkdir(parents=True)
        text = json.dumps(notebook).replace(r"student = \"example\"", rf"student = \"b{k:04}\"")
        (place / f"{NAME}.ipynb").write_text(text, encoding="utf-8")


def ours(course: Path) -> tuple[float, float]:
    shutil.rmtree(course / "graded", ignore_errors=True)
    measured = run(course, "exercises.grader", NAME, str(course), "--course", str(course))
    with (course / "graded" / NAME / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        scores = list(csv.DictReader(file))
    assert [row["total"] for row in scores] == [row["of"] for row in scores]
    assert len(scores) == len(list((course / "submitted").iterdir()))
    return measured


def run(course: Path, module: str, *arguments: str) -> tuple[float, float]:
    """The seconds it took, and the most megabytes that all processes together had at one time."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])  # nbgrader's tools
    start, most = perf_counter(), 0
    with (course / "log").open("w+") as log:
        command = [sys.executable, "-m", module, *arguments]
        process = subprocess.Popen(command, cwd=course, env={**os.environ, "PATH": path}, stdout=log, stderr=log)
        while process.poll() is None:
            used = [usage_of(child)[1] for child in psutil.Process().children(recursive=True)]
            most = max(most, sum(used))
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
        log.seek(0)
        if process.returncode:
            raise RuntimeError(log.read()[-3000:])
    return perf_counter() - start, most / 2**20


if __name__ == "__main__":
    students = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        hand_in(Path(folder), students)
        seconds, megabytes = ours(Path(folder))
    print(f"{students} submissions: {seconds:.0f} s, {60 * students / seconds:.1f} a minute, {megabytes:.0f} MB")

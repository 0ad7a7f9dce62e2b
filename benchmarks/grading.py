"""Homework graded here, on two cores and on a Dask cluster that loses a worker, beside plain `nbgrader autograde`.

`python3 run.py bench` grades a few submissions. A whole class, with all figures: python benchmarks/grading.py 1000
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
import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

if TYPE_CHECKING:
    from benchmarks.bench import Row

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
NAME = "hw1_pla"
STUDENTS = 8  # of `run.py bench`, and of nbgrader beside a whole class
REPEATS = 3

CLUSTER = """
import sys
from dask.distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, *(worker.pid for worker in cluster.workers.values()), flush=True)
        sys.stdin.read()
"""


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
        rounds = [(ours(course), on_dask(course), nbgrader_s(course)) for _ in range(REPEATS)]
    for place, sides in (("on two cores", 0), ("on Dask, a worker lost", 1)):
        ratio = median(each[2].seconds / each[sides].seconds for each in rounds)
        pace = 60 * STUDENTS / median(each[sides].seconds for each in rounds)
        yield Row(f"{NAME} {place}: {pace:.0f} a minute", "nbgrader autograde", ratio, 3)
    most = max(each[0].megabytes for each in rounds)
    yield Row(f"{NAME} on two cores: memory of all processes", "1 GB", most / 1024, 1, at_most=True)


def hand_in(course: Path, students: int) -> None:
    """A course as nbgrader wants it, and a solved notebook for each student."""
    shutil.copytree(EXERCISES / "source" / NAME, course / "source" / NAME)
    shutil.copy(EXERCISES / "nbgrader_config.py", course)
    nbgrader(course, "generate_assignment")
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


def ours(course: Path, *options: str) -> Measured:
    shutil.rmtree(course / "graded", ignore_errors=True)
    measured = run(course, ["-m", "exercises.grader", NAME, str(course), "--course", str(course), *options])
    with (course / "graded" / NAME / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        scores = list(csv.DictReader(file))
    assert [row["total"] for row in scores] == [row["of"] for row in scores]
    assert len(scores) == len(list((course / "submitted").iterdir()))
    return measured


def on_dask(course: Path) -> Measured:
    """Two workers of one thread each; one of them is killed when a third of the work is done."""
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", CLUSTER], text=True, **pipes) as cluster:
        address, first, _ = cluster.stdout.readline().split()  # type: ignore[union-attr]
        stored, students = course / "graded" / NAME / "results", len(list((course / "submitted").iterdir()))
        shutil.rmtree(course / "graded", ignore_errors=True)
        killer = threading.Thread(target=kill_when, args=(int(first), stored, students // 3), daemon=True)
        killer.start()
        measured = ours(course, "--dask", address)
        killer.join(10)
        cluster.stdin.close()  # type: ignore[union-attr]
    return measured


def kill_when(process: int, results: Path, most: int) -> None:
    while len(list(results.glob("*.json"))) <= most:
        sleep(0.1)
    psutil.Process(process).kill()


def nbgrader_s(course: Path) -> Measured:
    """Its marks are not compared: its checks measure time by the clock, which others use too."""
    shutil.rmtree(course / "autograded", ignore_errors=True)
    measured = nbgrader(course, "autograde", "--force")
    nbgrader(course, "export", "--to=grades.csv")
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(list((course / "submitted").iterdir()))
    return measured


def nbgrader(course: Path, subcommand: str, *options: str) -> Measured:
    assignment = [] if subcommand == "export" else [NAME]
    return run(course, ["-m", "nbgrader", subcommand, *assignment, *options])


def run(course: Path, command: list[str]) -> Measured:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])  # nbgrader's tools
    with tempfile.TemporaryFile("w+") as stderr:
        start, most = perf_counter(), 0.0
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=course,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env={**os.environ, "PATH": path},
        )
        while process.poll() is None:
            most = max(most, memory())
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
        seconds = perf_counter() - start
        if process.returncode:
            stderr.seek(0)
            raise RuntimeError(stderr.read()[-3000:])
    return Measured(seconds, most)


def memory() -> float:
    """Megabytes of all processes that this one has started; what they share counts once."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it has just ended
            total += process.memory_full_info().pss
    return total / 2**20


def main(students: int) -> None:
    """Grade a whole class, and tell the figures."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as sample:
        course = Path(folder)
        hand_in(course, students)
        hand_in(Path(sample), STUDENTS)
        tell(f"{students} submissions on {os.cpu_count()} cores", students, ours(course))
        tell(f"{students} submissions on Dask, 2 workers, one lost", students, on_dask(course))
        tell(f"{STUDENTS} submissions by nbgrader autograde", STUDENTS, nbgrader_s(Path(sample)))


def tell(what: str, students: int, measured: Measured) -> None:
    pace = 60 * students / measured.seconds
    print(f"{what:<46} {measured.seconds:8.0f} s {pace:8.1f} a minute {measured.megabytes:8.0f} MB", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)

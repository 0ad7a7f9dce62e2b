"""The command line: python3 run.py grade hw1_pla [folder]."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from . import folder as folders, pages, pool, results
from .folder import SubmissionFile
from .notebook import Assignment, read
from .results import Grade
from .sandbox import Limits, why_no_bubblewrap

COURSE = Path(__file__).resolve().parent.parent
_LAYOUTS = """  {folder}/submitted/<student>/{name}/*.ipynb    (as nbgrader collects them)
  {folder}/<student>_….ipynb                     (as learning platforms export them)"""


def main(arguments: list[str]) -> int:
    """Grade a folder of submissions, and say where the results are."""
    options = _parse(arguments)
    sources = options.course / "source"
    path = sources / options.assignment / f"{options.assignment}.ipynb"
    if not path.is_file():
        names = sorted(path.parent.name for path in sources.glob("*/*.ipynb") if path.stem == path.parent.name)
        return _say_no(f"There is no assignment {options.assignment!r}. There are: {', '.join(names) or 'none yet'}.")
    if not options.folder.is_dir():
        return _say_no(f"There is no folder {options.folder}.")
    source = path.read_bytes()
    assignment = Assignment(read(source).cells)
    files = folders.find(options.folder, options.assignment, assignment)
    if not files:
        layouts = _LAYOUTS.format(folder=options.folder, name=options.assignment)
        return _say_no(f"No submissions were found. They should be either\n{layouts}")
    target = options.to or folders.place_for_results(options.folder, options.assignment)
    limits = Limits(cell_seconds=options.seconds, bubblewrap=not options.plain)
    by_hand = results.read_by_hand(options.folder, {question.id: question.points for question in assignment.questions})
    if beside := folders.others(options.folder):
        print(f"Not notebooks, and so not graded: {', '.join(beside)}.", file=sys.stderr)
    try:
        every = _grade_all(source, files, limits, target, options)
    except KeyboardInterrupt:
        print("\nStopped. What is graded is kept; the same call goes on from there.", file=sys.stderr)
        return 130
    grades = [Grade(file, every[k], by_hand.pop(results.folded(file.student), {})) for k, file in enumerate(files)]
    for student in by_hand:
        print(f"by_hand.csv speaks of {student!r}, who has handed nothing in.", file=sys.stderr)
    _write(target, options.assignment, grades)
    return 0


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("run.py grade", description="Grade a folder of homework.")
    parser.add_argument("assignment", help="such as hw1_pla")
    parser.add_argument("folder", nargs="?", type=Path, default=COURSE, help="of the submissions (default: exercises/)")
    parser.add_argument("--to", type=Path, help="folder for the results (default: graded/ beside the submissions)")
    parser.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes here (default: all cores)")
    parser.add_argument("--seconds", type=float, default=Limits.cell_seconds, help="for one statement of a cell")
    parser.add_argument("--plain", action="store_true", help="without bubblewrap, even where there is one")
    parser.add_argument("--course", type=Path, default=COURSE, help="folder with source/ (default: exercises/)")
    return parser.parse_args(arguments)


def _grade_all(
    source: bytes, files: list[SubmissionFile], limits: Limits, target: Path, options: argparse.Namespace
) -> dict[int, dict[str, Any]]:
    """The result of each submission: stored by an earlier call, or graded now and stored at once."""
    keys = [results.key(source, file.data, limits) for file in files]
    every = {k: result for k, file in enumerate(files) if (result := results.read_result(target, file, keys[k]))}
    todo = [k for k in range(len(files)) if k not in every]
    if every:
        print(f"{len(every)} of {len(files)} were graded by an earlier call.")
    if todo and not options.dask and limits.bubblewrap and why_no_bubblewrap():
        print(f"Students' code can see this machine's files and network: {why_no_bubblewrap()}.", file=sys.stderr)
    data = [files[k].data for k in todo]
    if options.dask:
        grading = pool.on_dask(source, data, limits, options.dask)
    else:
        grading = pool.here(source, data, limits, options.workers)
    for number, result in tqdm(grading if todo else (), total=len(todo), unit="notebook"):
        k = todo[number]
        results.store(target, files[k], keys[k], result)
        every[k] = result
    return every


def _write(target: Path, name: str, grades: list[Grade]) -> None:
    """The table, the pages, and where they are."""
    flags = results.odd_ids(grades)
    results.write_scores(target / "scores.csv", grades)
    for grade, odd in zip(grades, flags, strict=True):
        results.write(target / "feedback" / f"{grade.file.safe_name}.html", pages.feedback(name, grade, odd))
    results.write(target / "summary.html", pages.summary(name, grades, flags))
    print(f"Scores by question  {target / 'scores.csv'}")
    print(f"Feedback, {len(grades):>4} pages {target / 'feedback'}{os.sep}")
    print(f"Summary             {target / 'summary.html'}")


def _say_no(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2

"""The command line: python3 run.py grade hw1_pla [folder]."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from . import export, pages, pool, results, sandbox, submissions
from .judge import not_graded
from .notebook import Assignment
from .pool import Work
from .results import Grade
from .submissions import Refusal, SubmissionFile, shown

COURSE = Path(__file__).resolve().parent.parent
_LAYOUTS = """  {folder}/submitted/<student>/{name}/*.ipynb    (as nbgrader collects them)
  {folder}/<student>_….ipynb                     (as learning platforms export them)
  {folder}/<student>_<number>_assignsubmission_file/*.ipynb    (as Moodle exports them in folders)"""
_KEPT = "What is graded is kept; the same call goes on from there."
_PLAIN = (
    "Without bubblewrap, students' code can read, change and send your files, those of other students and the hidden\n"
    "tests too, use the network, and end your other programs."
)


def main(arguments: list[str]) -> int:
    """Grade a folder of submissions, and say where the results are; 0 if all of them are graded."""
    options = _parse(arguments)
    try:
        return _run(options)
    except Refusal as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{shown(str(error))}. {_KEPT}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nStopped. {_KEPT}", file=sys.stderr)
        return 130


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("run.py grade", description="Grade a folder of homework.")
    parser.add_argument("assignment", help="such as hw1_pla")
    parser.add_argument("folder", nargs="?", type=Path, default=COURSE, help="of the submissions (default: exercises/)")
    parser.add_argument("--to", type=Path, help="folder for the results (default: graded/ beside the submissions)")
    parser.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="at one time (default: all cores)")
    parser.add_argument("--plain", action="store_true", help="without bubblewrap: students' code can see your files")
    parser.add_argument("--course", type=Path, default=COURSE, help="folder with source/ (default: exercises/)")
    parser.add_argument(
        "--for",
        dest="template",
        type=export.template,
        metavar="canvas=FILE",
        help="also fill in FILE, a gradebook that Canvas or a grading worksheet that Moodle (moodle=FILE) has exported",
    )
    parser.add_argument("--column", metavar="TITLE", help="of this assignment in that file (default: Homework 1, …)")
    return parser.parse_args(arguments)


def _run(options: argparse.Namespace) -> int:
    source = _source(options.course / "source", options.assignment)
    assignment, files = Assignment(source), _find(options)
    worth = {question.id: question.points for question in assignment.questions}
    marks = results.read_by_hand(options.folder, worth)
    points = sum(worth.values())
    gradebook = options.template and export.read(options.template, options.column, options.assignment, points)
    _say_what_is_not_enforced(options)
    target = options.to or submissions.place_for_results(options.folder, options.assignment)
    results.prepare(target, len(files))
    shipped = _shipped(options.course / "release" / options.assignment)
    works = [Work(source, shipped, file.data, options.plain) for file in files]
    every = _grade_all(files, works, assignment, target, options)
    by_hand = results.assign(marks, [file.student for file in files])
    for student in marks:
        print(f"by_hand.csv speaks of {student!r}, who has handed nothing in.", file=sys.stderr)
    grades = [Grade(file, every[k], by_hand[k]) for k, file in enumerate(files)]
    _write(target, options.assignment, grades)
    if gradebook:
        gradebook.write(target, grades)
    return _say_what_failed(grades)


def _source(folder: Path, name: str) -> bytes:
    path = folder / name / f"{name}.ipynb"
    if not path.is_file():
        names = sorted(path.parent.name for path in folder.glob("*/*.ipynb") if path.stem == path.parent.name)
        raise Refusal(f"There is no assignment {name!r}. There are: {', '.join(names) or 'none yet'}.")
    return path.read_bytes()


def _shipped(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """The files that are handed out beside the notebook: students' code finds them in its folder."""
    files = sorted(path for path in folder.glob("*") if path.is_file() and path.suffix != ".ipynb")
    return tuple((path.name, path.read_bytes()) for path in files)


def _find(options: argparse.Namespace) -> list[SubmissionFile]:
    if not options.folder.is_dir():
        raise Refusal(f"There is no folder {options.folder}.")
    files = submissions.find(options.folder, options.assignment)
    if not files:
        layouts = _LAYOUTS.format(folder=options.folder, name=options.assignment)
        raise Refusal(f"No submissions were found. They should be one of\n{layouts}")
    for sentence in submissions.skipped(options.folder, options.assignment):
        print(sentence, file=sys.stderr)
    return files


def _say_what_is_not_enforced(options: argparse.Namespace) -> None:
    """On this machine; a cluster's workers are asked themselves."""
    if options.plain:
        print(_PLAIN, file=sys.stderr)
    elif not options.dask and (reason := sandbox.why_no_bubblewrap()):
        raise Refusal(f"Students' code cannot be kept apart: {reason}.\n{_PLAIN}\nTo grade all the same, add --plain.")


def _grade_all(
    files: Sequence[SubmissionFile],
    works: Sequence[Work],
    assignment: Assignment,
    target: Path,
    options: argparse.Namespace,
) -> dict[int, dict[str, Any]]:
    """The result of each submission: stored by an earlier call, or graded now and stored at once."""
    every = {k: not_graded(assignment, file.problem) for k, file in enumerate(files) if file.problem}
    stored = {k: results.read_result(target, file, works[k]) for k, file in enumerate(files) if k not in every}
    every |= {k: result for k, result in stored.items() if result}
    todo = [k for k in range(len(files)) if k not in every]
    if earlier := sum(map(bool, stored.values())):
        print(f"{earlier} of {len(files)} were graded by an earlier call.")
    if not todo:
        return every
    grading = pool.grade_all([works[k] for k in todo], max(1, options.workers), options.dask)
    interval = 0.1 if sys.stderr.isatty() else 30  # seconds: a log gets a line now and then
    with tqdm(total=len(todo), unit="notebook", smoothing=0, mininterval=interval, dynamic_ncols=True) as bar:
        for number, result in grading:
            k = todo[number]
            results.store(target, files[k], works[k], result)
            every[k] = result
            bar.set_postfix_str(shown(files[k].student), refresh=False)
            bar.update()
    for warning in {each["warning"] for each in every.values() if each.get("warning")}:
        print(warning, file=sys.stderr)
    return every


def _write(target: Path, name: str, grades: list[Grade]) -> None:
    """The table, the pages, and where they are."""
    odd = results.odd_ids(grades)
    results.write_scores(target / "scores.csv", grades)
    for grade, (sentences, _) in zip(grades, odd, strict=True):
        results.write(target / "feedback" / f"{grade.file.safe_name}.html", pages.feedback(name, grade, sentences))
    results.write(target / "summary.html", pages.summary(name, grades, [sentences for _, sentences in odd]))
    print(f"Scores by question  {target / 'scores.csv'}")
    print(f"Feedback, {len(grades):>4} pages {target / 'feedback'}{os.sep}")
    print(f"Summary             {target / 'summary.html'}")


def _say_what_failed(grades: Sequence[Grade]) -> int:
    """Who could not be graded by our own fault."""
    failed = [grade for grade in grades if grade.failed]
    for grade in failed:
        print(f"NOT GRADED: {shown(grade.file.student)}. {shown(grade.result['remarks'][0])}", file=sys.stderr)
    if failed:
        print("Their cells in scores.csv are empty. The same call tries them again.", file=sys.stderr)
    return 1 if failed else 0

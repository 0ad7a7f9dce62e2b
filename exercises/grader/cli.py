"""The command line: python3 run.py grade hw1_pla [folder]."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from . import answers, pages, pool, results, sandbox, submissions, tables
from .judge import not_graded
from .notebook import Assignment
from .submissions import Refusal, SubmissionFile, shown

_TIMES = 20  # so much longer than the model solution may a cell or a call take
COURSE = Path(__file__).resolve().parent.parent
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
    parser.add_argument("folder", type=Path, nargs="?", default=COURSE, help="of submissions (default: exercises/)")
    parser.add_argument("--answers", action="store_true", help="show students the model answers and the rubrics")
    parser.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="at one time (default: all cores)")
    parser.add_argument("--seconds", type=float, default=5, help="for a cell or a call, at least (default: 5)")
    parser.add_argument("--plain", action="store_true", help="without bubblewrap: students' code can see your files")
    parser.add_argument("--course", type=Path, default=COURSE, help="folder with source/ (default: exercises/)")
    for name in tables.PLATFORMS:
        words = f"also fill in a gradebook that {name} has exported"
        parser.add_argument(f"--{name.lower()}", dest=name, type=Path, metavar="FILE", help=words)
    parser.add_argument("--column", metavar="TITLE", help="of this assignment in that file (default: Homework 1, …)")
    return parser.parse_args(arguments)


def _run(options: argparse.Namespace) -> int:
    source, shipped = _assignment(options)
    assignment, files = Assignment(source), _find(options)
    worth = {question.id: question.points for question in assignment.questions}
    marks = tables.read_by_hand(options.folder, worth)
    exports = [(name, getattr(options, name)) for name in tables.PLATFORMS if getattr(options, name)]
    about = options.column, options.assignment, sum(worth.values())
    gradebooks = [tables.Gradebook(name, path, *about) for name, path in exports]
    _say_what_is_not_enforced(options)
    folder = options.folder.parent if options.folder.name == "submitted" else options.folder
    target = folder / "graded" / options.assignment
    results.prepare(target)
    limits = sandbox.Limits(plain=options.plain, least_seconds=options.seconds)
    model = pool.Work(source, shipped, source, "example", limits)
    every = _grade_all(files, model, target, options)
    pairs = zip(files, every, strict=True)
    grades = [results.Grade(file, result, marks.pop(submissions.folded(file.student), {})) for file, result in pairs]
    for student in marks:
        print(f"by_hand.csv speaks of {student!r}, who has handed nothing in.", file=sys.stderr)
    released = [question for question in assignment.questions if question.by_hand and options.answers]
    _write(target, options.assignment, grades, {each.id: answers.as_html(each.model_answer) for each in released})
    for gradebook in gradebooks:
        _fill(gradebook, target, grades)
    return _say_what_failed(grades)


def _assignment(options: argparse.Namespace) -> tuple[bytes, tuple[tuple[str, bytes], ...]]:
    """The source notebook, and the files that are handed out with it: students' code finds them in its folder."""
    name, source = options.assignment, options.course / "source"
    path = source / name / f"{name}.ipynb"
    if not path.is_file():
        names = sorted(path.parent.name for path in source.glob("*/*.ipynb") if path.stem == path.parent.name)
        raise Refusal(f"There is no assignment {name!r}. There are: {', '.join(names) or 'none yet'}.")
    released = sorted((options.course / "release" / name).glob("*"))
    shipped = tuple((each.name, each.read_bytes()) for each in released if each.suffix != ".ipynb" and each.is_file())
    return path.read_bytes(), shipped


def _find(options: argparse.Namespace) -> list[SubmissionFile]:
    files, others = submissions.find(options.folder, options.assignment)
    if not files:
        raise Refusal(f"No submissions of {options.assignment} were found.{submissions.__doc__.partition('.')[2]}")
    if others:
        print(f"Not graded: {', '.join(map(shown, others))}.", file=sys.stderr)
    return files


def _say_what_is_not_enforced(options: argparse.Namespace) -> None:
    """On this machine; a cluster's workers find out themselves."""
    if options.plain:
        print(_PLAIN, file=sys.stderr)
    elif not options.dask and (reason := sandbox.why_no_bubblewrap()):
        raise Refusal(f"Students' code cannot be kept apart: {reason}.\n{_PLAIN}\nTo grade all the same, add --plain.")


def _grade_all(
    files: Sequence[SubmissionFile], model: pool.Work, target: Path, options: argparse.Namespace
) -> list[dict[str, Any]]:
    """The result of each submission: stored by an earlier call, or graded now and stored at once."""
    solution = options.course / "source" / options.assignment
    keys = [results.key(model, file, solution) for file in files]
    every = {k: not_graded(model.source, file.problem) for k, file in enumerate(files) if file.problem}
    stored = {k: results.read_result(target, file, keys[k]) for k, file in enumerate(files) if not file.problem}
    every |= {k: result for k, result in stored.items() if result}
    todo = [k for k in range(len(files)) if k not in every]
    limits = _measure(model, options) if todo else model.limits
    works = [replace(model, submission=files[k].data, student=files[k].student, limits=limits) for k in todo]
    bar = tqdm(initial=len(every), total=len(files), unit="notebook", smoothing=0, dynamic_ncols=True)
    with bar, closing(pool.grade_all(works, options.workers, options.dask)) as graded:
        for number, result in graded:
            k = todo[number]
            results.store(target, files[k], keys[k], result)
            every[k] = result
            bar.update()
    return [every[k] for k in range(len(files))]


def _measure(model: pool.Work, options: argparse.Namespace) -> sandbox.Limits:
    """What one submission may use, by what the model solution needs on this machine."""
    ((_, result),) = pool.grade_all([model], options.workers, options.dask)
    if result["failed"]:
        raise Refusal(f"The model solution cannot be graded. {result['remarks'][0]}")
    lost = [question["id"] for question in result["questions"] if question["points"] not in (None, question["max"])]
    if lost:
        print(f"The model solution itself does not get all points: {', '.join(lost)}.", file=sys.stderr)
    cell, call = (max(model.limits.least_seconds, _TIMES * result["slowest"][what]) for what in ("run", "call"))
    return replace(model.limits, cell_seconds=cell, call_seconds=call, total_seconds=10 * (cell + call))


def _write(target: Path, name: str, grades: list[results.Grade], model_answers: dict[str, str]) -> None:
    tables.write_scores(target / "scores.csv", grades)
    for grade in grades:
        results.write(target / "feedback" / f"{grade.file.safe_name}.html", pages.feedback(name, grade, model_answers))
    results.write(target / "summary.html", pages.summary(name, grades))
    print(f"Scores by question, a page for each of {len(grades)}, and summary.html are in {target}{os.sep}")


def _fill(gradebook: tables.Gradebook, target: Path, grades: list[results.Grade]) -> None:
    left, path = gradebook.fill(grades), target / f"{gradebook.platform.lower()}.csv"
    gradebook.write(path)
    written = len(grades) - sum(map(len, left.values()))
    print(f"For {gradebook.platform}: {path} ({written} of {len(grades)} scores in “{gradebook.column}”)")
    for reason, students in left.items():
        print(f"{reason}: {', '.join(map(shown, students))}.", file=sys.stderr)


def _say_what_failed(grades: Sequence[results.Grade]) -> int:
    failed = [grade for grade in grades if grade.failed]
    for grade in failed:
        print(f"NOT GRADED: {shown(grade.file.student)}. {shown(grade.remarks[-1])}", file=sys.stderr)
    if failed:
        print("Their cells in scores.csv are empty. The same call tries them again.", file=sys.stderr)
    return 1 if failed else 0

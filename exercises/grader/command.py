"""The command line: python3 run.py grade hw1_pla [folder]."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tqdm import tqdm

from . import folder as folders, pages, pool, results
from .folder import Found
from .notebook import Assignment, read
from .results import Graded
from .sandbox import Limits, why_no_bubblewrap

COURSE = Path(__file__).resolve().parent.parent
_LAYOUTS = """  {folder}/submitted/<student>/{name}/*.ipynb    (as nbgrader collects them)
  {folder}/<student>_….ipynb                     (as learning platforms export them)"""


def main(arguments: list[str]) -> int:
    """Grade a folder of submissions, and say where the results are."""
    options = _understand(arguments)
    sources = options.course / "source"
    path = sources / options.assignment / f"{options.assignment}.ipynb"
    if not path.is_file():
        there = sorted(it.parent.name for it in sources.glob("*/*.ipynb") if it.stem == it.parent.name)
        return _say_no(f"There is no assignment {options.assignment!r}. There are: {', '.join(there) or 'none yet'}.")
    if not options.folder.is_dir():
        return _say_no(f"There is no folder {options.folder}.")
    source = path.read_bytes()
    assignment = Assignment(read(source).cells)
    found = folders.find(options.folder, options.assignment, assignment)
    if not found:
        layouts = _LAYOUTS.format(folder=options.folder, name=options.assignment)
        return _say_no(f"No submissions were found. They should be either\n{layouts}")
    target = options.to or folders.place_for_results(options.folder, options.assignment)
    limits = Limits(cell_seconds=options.seconds, bubblewrap=not options.plain)
    by_hand = results.read_by_hand(options.folder, {it.id: it.points for it in assignment.questions})
    if beside := folders.others(options.folder):
        print(f"Not notebooks, and so not graded: {', '.join(beside)}.", file=sys.stderr)
    try:
        every = _grade_all(source, found, limits, target, options)
    except KeyboardInterrupt:
        print("\nStopped. What is graded is kept; the same call goes on from there.", file=sys.stderr)
        return 130
    graded = [Graded(it, every[k], by_hand.pop(results.folded(it.student), {})) for k, it in enumerate(found)]
    for student in by_hand:
        print(f"by_hand.csv speaks of {student!r}, who has handed nothing in.", file=sys.stderr)
    _write(target, options.assignment, graded)
    return 0


def _understand(arguments: list[str]) -> argparse.Namespace:
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
    source: bytes, found: list[Found], limits: Limits, target: Path, options: argparse.Namespace
) -> dict[int, dict[str, Any]]:
    """The result of each submission: kept from an earlier call, or graded now and kept at once."""
    keys = [results.key(source, it.data, limits) for it in found]
    kept = {k: result for k, it in enumerate(found) if (result := results.stored(target, it, keys[k]))}
    todo = [k for k in range(len(found)) if k not in kept]
    if kept:
        print(f"{len(kept)} of {len(found)} were graded by an earlier call.")
    if todo and not options.dask and limits.bubblewrap and why_no_bubblewrap():
        print(f"Students' code can see this machine's files and network: {why_no_bubblewrap()}.", file=sys.stderr)
    for k, result in tqdm(_graded(source, found, todo, limits, options), total=len(todo), unit="notebook"):
        results.store(target, found[k], keys[k], result)
        kept[k] = result
    return kept


def _graded(
    source: bytes, found: list[Found], todo: list[int], limits: Limits, options: argparse.Namespace
) -> Iterator[tuple[int, dict[str, Any]]]:
    data = [found[k].data for k in todo]
    if not data:
        return
    every = (
        pool.on_dask(source, data, limits, options.dask)
        if options.dask
        else pool.here(source, data, limits, options.workers)
    )
    for k, result in every:
        yield todo[k], result


def _write(target: Path, name: str, graded: list[Graded]) -> None:
    """The table, the pages, and where they are."""
    flags = results.odd_ids(graded)
    results.write_scores(target / "scores.csv", graded)
    for it, odd in zip(graded, flags, strict=True):
        results.write(target / "feedback" / f"{it.found.safe_name}.html", pages.feedback(name, it, odd))
    results.write(target / "summary.html", pages.summary(name, graded, flags))
    print(f"Scores by question  {target / 'scores.csv'}")
    print(f"Feedback, {len(graded):>4} pages {target / 'feedback'}{os.sep}")
    print(f"Summary             {target / 'summary.html'}")


def _say_no(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2

"""Read notebooks, also broken ones, and know what the assignment asks.

The assignment is the source notebook, and nothing that a submission says about itself changes it. A submission is no
more than a list of cells: they are run in their order, whatever was split, doubled, moved or added; what the source
has locked is taken from the source.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from .session import Run
from .student import defined_by

MAX_BYTES: Final = 20 * 2**20  # of a file
_FIRST_NUMBER_OF_OURS: Final = 100_000  # cells that the submission has lost are numbered from here


class UnreadableError(Exception):
    """This is not a notebook; the message says what it is instead."""


@dataclass(frozen=True)
class Cell:
    """One cell: code or text; `id` is nbgrader's name for it, `number` counts the code cells from 1."""

    kind: str
    source: str
    number: int = 0
    id: str = ""
    nbgrader: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Notebook:
    cells: tuple[Cell, ...]
    language: str


def read(data: bytes) -> Notebook:
    """A notebook's cells, whatever else is in the file."""
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"The file has {len(data) / 2**20:.0f} MB; more than {MAX_BYTES // 2**20} are not read.")
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"The file is not a notebook: it is not JSON ({str(error)[:100]}).") from None
    cells = _raw_cells(content)
    if cells is None:
        raise UnreadableError("The file is JSON, but not a notebook: it has no list of cells.")
    return Notebook(tuple(_cells(cells)), _language(content))


def _raw_cells(content: Any) -> list[Any] | None:
    cells = content.get("cells") if isinstance(content, dict) else None
    if cells is None and isinstance(content, dict):  # as notebooks were before 2015
        sheets = content.get("worksheets")
        sheet = sheets[0] if isinstance(sheets, list) and sheets else None
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
    return cells if isinstance(cells, list) else None


def _cells(raw: list[Any]) -> Iterator[Cell]:
    number = 0
    for each in raw:
        if not isinstance(each, dict):
            continue
        source = each.get("source", each.get("input", ""))
        source = "".join(map(str, source)) if isinstance(source, list) else str(source)
        kind = str(each.get("cell_type"))
        number += kind == "code"
        metadata = each.get("metadata")
        nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        nbgrader = nbgrader if isinstance(nbgrader, dict) else {}
        yield Cell(kind, source, number, str(nbgrader.get("grade_id", "")), nbgrader)


def _language(content: dict[str, Any]) -> str:
    metadata = content.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    return str(kernel.get("language", "python")).lower() if isinstance(kernel, dict) else "python"


# --- The assignment --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """What points are given for: by a test, or by hand."""

    id: str
    title: str
    points: float
    cell: Cell
    by_hand: bool


@dataclass(frozen=True)
class Assignment:
    """The source notebook, sorted by what each cell is for."""

    cells: tuple[Cell, ...]

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        questions, heading, lead = list[Question](), "", ""
        for cell in self.cells:
            if cell.kind == "markdown" and not cell.id:
                heading = _first(r"^#+ +(.+?)(?: *\(\d+ points?[^)]*\))?$", cell.source) or heading
                lead = _first(r"^\*\*(.+?)\*\*", cell.source)
            if cell.nbgrader.get("grade"):
                by_hand = bool(cell.nbgrader.get("solution"))
                part = lead if by_hand else _first(r"\A# Graded: (.+?)(?:, on .+ not seen)?\.?$", cell.source)
                title = ": ".join(filter(None, (heading, part))) or cell.id
                questions.append(Question(cell.id, title, float(cell.nbgrader["points"]), cell, by_hand))
        return tuple(questions)

    @cached_property
    def tests(self) -> dict[str, Cell]:
        return {question.id: question.cell for question in self.questions if not question.by_hand}

    @cached_property
    def locked(self) -> dict[str, Cell]:
        """Code that everybody is given and nobody may change."""
        return {cell.id: cell for cell in self.cells if cell.kind == "code" and _is_locked(cell)}

    @cached_property
    def solutions(self) -> dict[str, Cell]:
        """Code that students write."""
        return {cell.id: cell for cell in self.cells if cell.kind == "code" and cell.nbgrader.get("solution")}

    @cached_property
    def demonstrations(self) -> list[str]:
        """Code that is given only to look at something, such as a check: it defines nothing, and need not be run."""
        plain = [cell.source for cell in self.cells if cell.kind == "code" and not cell.nbgrader]
        return [source for source in plain if not names_in(source)]

    def defined_in(self, name: str) -> Cell | None:
        """The solution cell that should define a name."""
        return next((cell for cell in self.solutions.values() if name in names_in(cell.source)), None)


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.M)
    return match[1].strip() if match else ""


def _is_locked(cell: Cell) -> bool:
    return bool(cell.nbgrader.get("locked")) and not cell.nbgrader.get("grade") and not cell.nbgrader.get("solution")


def names_in(source: str) -> set[str]:
    """The names that the outermost statements of a cell of ours define."""
    return set().union(*(defined_by(statement) for statement in ast.parse(source).body))


def without_hidden_tests(source: str) -> str:
    """A test as students get it."""
    return _without(source, "HIDDEN TESTS")


def _without(source: str, region: str) -> str:
    """The source without the lines from BEGIN … to END …."""
    return re.sub(rf"^.*BEGIN {region}.*\n(.*\n)*?.*END {region}.*\n?", "", f"{source}\n", flags=re.M)


def is_blank(source: str, cell: Cell) -> bool:
    """Is this what students get of a cell that they should fill in: all that is given, and nothing but a stub besides?

    The stub is a matter of nbgrader's settings: a comment, `...`, `pass` or a NotImplementedError; a line of text that
    asks for the answer.
    """
    given = _lines(_without(cell.source, "SOLUTION")) if "BEGIN SOLUTION" in cell.source else []
    own = [line for line in _lines(source) if line not in given]
    return all(_STUB.fullmatch(line) for line in own) if cell.kind == "code" else all(map(_TEXT_STUB.fullmatch, own))


_STUB: Final = re.compile(r"\s*(#.*|\.\.\.|pass|raise NotImplementedError.*)")
_TEXT_STUB: Final = re.compile(r"\W*your answer here\W*", re.I)


def same(one: str, other: str) -> bool:
    """Is it the same text, but for spaces at the ends of lines and empty lines?"""
    return _lines(one) == _lines(other)


def _lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.splitlines() if line.strip()]


# --- A submission ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Submission:
    """A student's notebook, held against the assignment."""

    notebook: Notebook
    assignment: Assignment

    def plan(self) -> tuple[list[Run], list[str]]:
        """The cells to run, in order, and what is to be said about cells that were changed or lost."""
        runs, tests, locked = list[Run](), list[str](), list[str]()
        for cell in self._cells_in_place():
            ours = self.assignment.locked.get(cell.id)
            if test := self._test_like(cell):
                if not same(cell.source, without_hidden_tests(test.source)) and not same(cell.source, test.source):
                    tests.append(test.id)
            elif ours:
                if not same(cell.source, ours.source):
                    locked.append(ours.id)
                runs.append(Run(cell.number, ours.source))
            elif cell.kind == "code" and not self._is_spare(cell) and not self._only_shows(cell):
                runs.append(Run(cell.number, cell.source))
        return runs, [*_changed("test", tests), *_changed("locked", locked), *self._missing_cells()]

    def is_blank(self, cell: Cell) -> bool:
        """Is a cell to be filled in still as it was handed out (all of them, if there are several)?"""
        copies = [each.source for each in self.notebook.cells if each.id == cell.id]
        return bool(copies) and all(is_blank(source, cell) for source in copies)

    def is_unwritten(self, name: str) -> bool:
        """Does a name stand only in a cell that is still as it was handed out?"""
        cell = self.assignment.defined_in(name)
        if cell is None or not self.is_blank(cell):
            return False
        defines = re.compile(rf"^ *(def|class) +{name}\b|^[\w ,]*\b{name}\b[\w ,]*=(?!=)", re.M)
        others = [each.source for each in self.notebook.cells if each.kind == "code" and each.id != cell.id]
        return not any(map(defines.search, others))

    def answer(self, question: Question) -> str:
        """The text to be graded by hand: the cell itself, and cells of the student's own right after it."""
        parts, inside = list[str](), False
        given = [cell.source for cell in self.assignment.cells if not cell.id]
        for cell in self.notebook.cells:
            added = not cell.id and not any(same(cell.source, text) for text in given)
            inside = cell.id == question.id or (inside and added)
            if inside:
                parts.append(cell.source)
        return "\n\n".join(part for part in parts if part.strip() and not is_blank(part, question.cell))

    def _test_like(self, cell: Cell) -> Cell | None:
        """The test of ours that this cell is a copy of, by its id or, if that is lost, by its text."""
        if cell.id or cell.kind != "code":
            return self.assignment.tests.get(cell.id)
        tests = self.assignment.tests.values()
        return next((test for test in tests if same(cell.source, without_hidden_tests(test.source))), None)

    def _is_spare(self, cell: Cell) -> bool:
        """Is it a copy, left blank, of a cell that is filled in elsewhere? It would undo the work."""
        ours = self.assignment.solutions.get(cell.id)
        return ours is not None and is_blank(cell.source, ours) and not self.is_blank(ours)

    def _only_shows(self, cell: Cell) -> bool:
        return any(same(cell.source, source) for source in self.assignment.demonstrations)

    def _cells_in_place(self) -> list[Cell]:
        """The submission's cells, and each locked cell of ours that is gone, after the cell it used to follow."""
        cells, ids = list(self.notebook.cells), [cell.id for cell in self.assignment.cells]
        for k, locked in enumerate(ids):
            if locked in self.assignment.locked and not any(cell.id == locked for cell in cells):
                before = [at for at, cell in enumerate(cells) if cell.id and cell.id in ids[:k]]
                ours = Cell("code", self.assignment.locked[locked].source, _FIRST_NUMBER_OF_OURS + k, locked)
                cells.insert(before[-1] + 1 if before else 0, ours)
        return cells

    def _missing_cells(self) -> list[str]:
        """What to say about cells that are gone."""
        ids = {cell.id for cell in self.notebook.cells}
        if not ids & {cell.id for cell in self.assignment.cells if cell.id}:
            return [_NO_MARKS]
        lost = [name for name in [*self.assignment.locked, *self.assignment.tests] if name not in ids]
        return [f"Locked cells were deleted ({', '.join(lost)}). That had no effect: ours are used."] if lost else []


_NO_MARKS: Final = (
    "None of the cells in this notebook carries a mark of the assignment. Is it the right file, or was it saved by a "
    "program that drops such marks? Its code is graded all the same; written answers are not found."
)


def choose(candidates: Sequence[bytes], assignment: Assignment) -> int:
    """Of several files, the one that has the most cells of the assignment in it."""
    ids = {cell.id for cell in assignment.cells if cell.id}

    def shared(data: bytes) -> int:
        try:
            return len(ids & {cell.id for cell in read(data).cells})
        except UnreadableError:
            return -1

    return max(range(len(candidates)), key=lambda k: shared(candidates[k]))


def _changed(kind: str, ids: list[str]) -> list[str]:
    """What is to be said of cells of ours that came back with another text."""
    names = [f"“{each}”" for each in dict.fromkeys(ids)]
    if not names:
        return []
    cells = f"The {kind} cell {names[0]} was" if len(names) == 1 else f"The {kind} cells {', '.join(names)} were"
    return [f"{cells} changed. That had no effect: ours are used."]

"""Read notebooks, also broken ones, and know what the assignment asks: nothing that a submission says changes that."""

import ast
import json
import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

MAX_BYTES: Final = 20 * 2**20  # of a file
_MAX_PARTS: Final = 300_000  # dictionaries and lists: each takes twenty times the memory that it takes in the file
_NO_ID: Final = re.compile(r"(?m)^student *= *(\"\s*\"|'\s*'|\.\.\.|None) *$")


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
    attachments: dict[str, str] = field(default_factory=dict)  # pictures pasted into a text, in base64, by name

    @property
    def is_blank(self) -> bool:
        """Of a written answer: is there nothing but the line that was handed out?"""
        return re.sub(r"\W+", " ", self.source).strip().casefold() in ("", "your answer here")

    @cached_property
    def names(self) -> set[str]:
        symbols = symtable.symtable(self.source, "<cell>", "exec").get_symbols()
        return {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}


def read(data: bytes) -> list[Cell]:
    if (parts := data.count(b"{") + data.count(b"[")) > _MAX_PARTS:
        raise UnreadableError(f"The file holds {parts:,} braces and brackets; more than {_MAX_PARTS:,} are not read.")
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"The file is not a notebook: it is not JSON ({str(error)[:100]}).") from None
    cells = _dict(content).get("cells")  # nbformat would refuse a notebook for a field that nobody needs here
    if not isinstance(cells, list):
        raise UnreadableError("The file is not a notebook: it has no list of cells.")
    return list(_cells(cells))


def _cells(raw: list[Any]) -> Iterator[Cell]:
    number = 0
    for each in map(_dict, raw):
        kind, nbgrader = str(each.get("cell_type")), _dict(_dict(each.get("metadata")).get("nbgrader"))
        number += kind == "code"
        pasted = _dict(each.get("attachments"))
        yield Cell(
            kind=kind,
            source=_text(each.get("source", "")),
            number=number,
            id=str(nbgrader.get("grade_id", "")),
            nbgrader=nbgrader,
            attachments={name: _text([*_dict(kinds).values(), ""][0]) for name, kinds in pasted.items()},
        )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True)
class Question:
    """What points are given for: by a test, or by hand."""

    id: str
    title: str
    points: float
    cell: Cell
    by_hand: bool

    @cached_property
    def model_answer(self) -> str:
        """Of a written question: what stands in the source, with the rubric."""
        return re.sub(r"(?m)^### (BEGIN|END) SOLUTION$", "", self.cell.source)


class Assignment:
    """The source notebook, sorted by what each cell is for."""

    def __init__(self, source: bytes) -> None:
        self.cells = read(source)
        code = [cell for cell in self.cells if cell.kind == "code"]
        solutions = [cell for cell in code if cell.nbgrader.get("solution")]
        self.asked = {name: cell for cell in solutions for name in cell.names}  # the student's own names
        self.tests = {cell.id for cell in code if cell.nbgrader.get("grade")}
        self.locked = {cell.id: cell for cell in code if cell.nbgrader.get("locked") and cell.id not in self.tests}
        # Code that is given only to look at something, such as a check: it defines nothing, and need not be run.
        self.demonstrations = [cell.source.split() for cell in code if not cell.nbgrader and not cell.names]
        self.questions = list(self._questions())

    def _questions(self) -> Iterator[Question]:
        heading = lead = ""
        for cell in self.cells:
            if cell.kind == "markdown" and not cell.id:
                heading = _first(r"^#+ +(.+?)(?: *\(\d+ points?[^)]*\))?$", cell.source) or heading
                lead = _first(r"^\*\*(.+?)\*\*", cell.source)
            if cell.nbgrader.get("grade"):
                by_hand = bool(cell.nbgrader.get("solution"))
                part = lead if by_hand else _first(r"\A# Graded: (.+?)(?:, on .+ not seen\b.*)?\.?$", cell.source)
                title = ": ".join(filter(None, (heading, part))) or cell.id
                yield Question(cell.id, title, float(cell.nbgrader["points"]), cell, by_hand)

    def needed_by(self, question: Question) -> list[str]:
        used = {node.id for node in ast.walk(ast.parse(question.cell.source)) if isinstance(node, ast.Name)}
        return sorted(used & self.asked.keys() - {"student"})


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.M)
    return match[1].strip() if match else ""


class Submission:
    """A student's notebook, held against the assignment: the cells to run, and what was written."""

    def __init__(self, data: bytes, assignment: Assignment, student: str) -> None:
        self.cells, self.assignment = read(data), assignment
        self.has_id = any(re.search(r"(?m)^student *=", _NO_ID.sub("", cell.source)) for cell in self.cells)
        self.runs = {0: f"student = {student!r}"}  # the name of the file tells whose it is, if nothing else does
        given = assignment.demonstrations
        for cell in self._cells_in_place():
            if cell.id in assignment.locked:
                self.runs[cell.number] = assignment.locked[cell.id].source
            elif cell.kind == "code" and cell.id not in assignment.tests and cell.source.split() not in given:
                self.runs[cell.number] = _NO_ID.sub(lambda _: self.runs[0], cell.source)

    def _cells_in_place(self) -> list[Cell]:
        """The submission's cells, and each locked cell of ours that is gone, after the first one, which has the id."""
        there = {cell.id for cell in self.cells}
        gone = [cell for cell in self.assignment.locked.values() if cell.id not in there]
        first = 1 + next((k for k, cell in enumerate(self.cells) if cell.kind == "code"), -1)
        return [*self.cells[:first], *(replace(cell, number=-cell.number) for cell in gone), *self.cells[first:]]

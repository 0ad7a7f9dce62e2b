"""Read notebooks, also broken ones, and know what the assignment asks.

The assignment is the source notebook, and nothing that a submission says about itself changes it. A submission is a
list of cells that are run in their order; what the source has locked is taken from the source.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

MAX_BYTES: Final = 20 * 2**20  # of a file
_MAX_CELLS: Final = 2000
_MAX_PARTS: Final = 500_000  # lists and objects in a file: each takes a hundred times its text in memory
_MAX_SOURCE: Final = 200_000  # characters of a cell; nobody writes so much by hand
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
    attachments: dict[str, str] = field(default_factory=dict)  # pictures pasted into a text, in base64, by name
    drawn: tuple[str, ...] = ()  # pictures below the cell, as they were handed in, in base64

    @cached_property
    def lines(self) -> list[str]:
        """The text, but for spaces at the ends of lines and empty lines: cells are compared by it."""
        return [line.rstrip() for line in self.source.splitlines() if line.strip()]


def read(data: bytes) -> list[Cell]:
    """A notebook's cells, whatever else is in the file."""
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"The file has {len(data) / 2**20:.0f} MB; more than {MAX_BYTES // 2**20} are not read.")
    if data.count(b"{") + data.count(b"[") > _MAX_PARTS:  # before it is parsed: that is what takes the memory
        raise UnreadableError(f"The file has more than {_MAX_PARTS:,} parts, and is not read.")
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"The file is not a notebook: it is not JSON ({str(error)[:100]}).") from None
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list):
        raise UnreadableError("The file is JSON, but not a notebook: it has no list of cells.")
    if len(cells) > _MAX_CELLS:
        raise UnreadableError(f"The notebook has {len(cells):,} cells; more than {_MAX_CELLS:,} are not read.")
    return list(_cells(cells))


def _cells(raw: list[Any]) -> Iterator[Cell]:
    number = 0
    for each in filter(lambda each: isinstance(each, dict), raw):
        kind, nbgrader = str(each.get("cell_type")), _dict(_dict(each.get("metadata")).get("nbgrader"))
        number += kind == "code"
        outputs = each.get("outputs")
        data = [_dict(_dict(output).get("data")) for output in outputs] if isinstance(outputs, list) else []
        pasted = {str(name): _dict(kinds) for name, kinds in _dict(each.get("attachments")).items()}
        yield Cell(
            kind,
            _text(each.get("source", ""))[:_MAX_SOURCE],
            number,
            str(nbgrader.get("grade_id", "")),
            nbgrader,
            attachments={name: _text(next(iter(kinds.values()))) for name, kinds in pasted.items() if kinds},
            drawn=tuple(_text(each["image/png"]) for each in data if "image/png" in each),
        )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)


# --- The assignment --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """What points are given for: by a test, or by hand."""

    id: str
    title: str
    points: float
    cell: Cell
    by_hand: bool


class Assignment:
    """The source notebook, sorted by what each cell is for."""

    def __init__(self, source: bytes) -> None:
        self.cells = read(source)
        self.ids = [cell.id for cell in self.cells if cell.id]
        code = [cell for cell in self.cells if cell.kind == "code"]
        self.solutions = {cell.id: cell for cell in code if cell.nbgrader.get("solution")}
        self.locked = {cell.id: cell for cell in code if _is_locked(cell)}
        # Code that is given only to look at something, such as a check: it defines nothing, and need not be run.
        plain = [cell for cell in code if not cell.nbgrader]
        self.demonstrations = [cell.lines for cell in plain if not names_in(cell.source)]
        self.headings = dict[str, str]()  # of each cell that carries a mark
        self.questions = list(self._questions())
        self.tests = {question.id: question.cell for question in self.questions if not question.by_hand}

    def _questions(self) -> Iterator[Question]:
        heading = lead = ""
        for cell in self.cells:
            if cell.kind == "markdown" and not cell.id:
                heading = _first(r"^#+ +(.+?)(?: *\(\d+ points?[^)]*\))?$", cell.source) or heading
                lead = _first(r"^\*\*(.+?)\*\*", cell.source)
            self.headings[cell.id] = heading
            if cell.nbgrader.get("grade"):
                by_hand = bool(cell.nbgrader.get("solution"))
                part = lead if by_hand else _first(r"\A# Graded: (.+?)(?:, on .+ not seen\b.*)?\.?$", cell.source)
                title = ": ".join(filter(None, (heading, part))) or cell.id
                yield Question(cell.id, title, float(cell.nbgrader["points"]), cell, by_hand)

    def defined_in(self, name: str) -> Cell | None:
        """The solution cell that should define a name."""
        return next((cell for cell in self.solutions.values() if name in names_in(cell.source)), None)

    def where_defined(self, name: str) -> str:
        """The question that asks for a name, in words: "question 4"; nothing, if none does."""
        cell = self.defined_in(name)
        heading = self.headings[cell.id] if cell else ""
        number = _first(r"\A(\d+)\.", heading)
        return f"question {number}" if number else f"“{heading}”" if heading else ""

    def asked_before(self, question: Question) -> dict[str, str]:
        """The names that earlier tests need, and the first test that needs each; `student` is no answer."""
        earlier = dict[str, str]()
        for name, test in self.tests.items():
            if name == question.id:
                break
            earlier = dict.fromkeys(needed_by(test.source) - {"student"}, name) | earlier
        return earlier

    def built_on(self, question: Question) -> list[str]:
        """The earlier tests whose functions the answer to a question comes from."""
        earlier = self.asked_before(question)
        tests, todo, seen = set[str](), set() if question.by_hand else needed_by(question.cell.source), set[str]()
        while todo:
            seen.add(name := todo.pop())
            if cell := self.defined_in(name):
                tests |= {earlier[name]} if name in earlier else set()
                todo |= needed_by(cell.source) - seen
        return sorted(tests)


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.M)
    return match[1].strip() if match else ""


def _is_locked(cell: Cell) -> bool:
    return bool(cell.nbgrader.get("locked")) and not cell.nbgrader.get("grade") and not cell.nbgrader.get("solution")


def names_in(source: str) -> set[str]:
    """The names that the outermost statements of a cell of ours define."""
    return set().union(*map(_defined_by, ast.parse(source).body))


def _defined_by(node: ast.AST) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Store) else set()
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).split(".")[0]}
    return set().union(*map(_defined_by, ast.iter_child_nodes(node)))


def needed_by(source: str) -> set[str]:
    """The names that a cell of ours uses and does not define."""
    return _globals_of(symtable.symtable(source, "<test>", "exec")) - names_in(source) - set(dir(builtins))


def _globals_of(table: symtable.SymbolTable) -> set[str]:
    outermost = table.get_type() == "module"
    symbols = [symbol for symbol in table.get_symbols() if symbol.is_referenced()]
    names = {symbol.get_name() for symbol in symbols if outermost or symbol.is_global()}
    return names.union(*map(_globals_of, table.get_children()))


def may_define(source: str, name: str) -> bool:
    """Does a student's cell look as if it defined a name? Its text tells, also where it cannot be read as Python."""
    name = re.escape(name)
    pattern = re.compile(rf"\s*((def|class)\s+{name}\b|\(?[\w\s,*]*\b{name}\b[\w\s,*):]*=[^=])")
    return any(pattern.match(line[:200]) for line in source.splitlines())


def without(source: str, region: str) -> str:
    """The source without the lines from ### BEGIN … to ### END …."""
    return re.sub(rf"^[^\n]*### BEGIN {region}.*?### END {region}[^\n]*\n?", "", source, flags=re.M | re.S)


def is_blank(source: str, given: Cell) -> bool:
    """Is this what students get of a cell that they should fill in: all that is given, and nothing but a stub besides?

    The stub is a matter of nbgrader's settings: a comment, `...`, `pass` or a NotImplementedError; a line of text that
    asks for the answer.
    """
    ours = Cell("", without(given.source, "SOLUTION")).lines if "BEGIN SOLUTION" in given.source else []
    own = [line for line in Cell("", source).lines if line not in ours]
    return all((_STUB if given.kind == "code" else _TEXT_STUB).fullmatch(line) for line in own)


_STUB: Final = re.compile(r"\s*(#.*|\.\.\.|pass|raise NotImplementedError.*)")
_TEXT_STUB: Final = re.compile(r"\W*your answer here\W*", re.I)


# --- A submission ----------------------------------------------------------------------------------------------------


class Submission:
    """A student's notebook, held against the assignment: the cells to run, and what is to be said about others."""

    def __init__(self, data: bytes, assignment: Assignment) -> None:
        self.cells, self.assignment = read(data), assignment
        self.runs, changed = dict[int, str](), list[str]()
        ids = {cell.id for cell in self.cells}
        for cell in self._cells_in_place():
            ours = assignment.tests.get(cell.id) or assignment.locked.get(cell.id)
            if ours and cell.lines not in (Cell("", without(ours.source, "HIDDEN TESTS")).lines, ours.lines):
                changed.append(cell.id)
            if cell.id in assignment.locked:
                self.runs[cell.number] = assignment.locked[cell.id].source
            elif cell.kind == "code" and not ours and cell.lines not in assignment.demonstrations:
                self.runs[cell.number] = cell.source
        changed += [each for each in [*assignment.locked, *assignment.tests] if each not in ids]
        self.remarks = list[str]()
        if not ids & set(assignment.ids):
            self.remarks.append(_NO_MARKS)
        elif changed:
            names = ", ".join(dict.fromkeys(changed))
            self.remarks.append(f"Locked cells were changed or deleted ({names}). That had no effect: ours are used.")

    def _cells_in_place(self) -> list[Cell]:
        """The submission's cells, and each locked cell of ours that is gone, before the next one that is there."""
        cells, ids = list(self.cells), self.assignment.ids
        for k, locked in enumerate(ids):
            if locked in self.assignment.locked and not any(cell.id == locked for cell in cells):
                after = [at for at, cell in enumerate(cells) if cell.id and cell.id in ids[k:]]
                ours = Cell("code", self.assignment.locked[locked].source, _FIRST_NUMBER_OF_OURS + k, locked)
                cells.insert(after[0] if after else len(cells), ours)
        return cells

    def is_unwritten(self, name: str) -> bool:
        """Does a name stand only in a cell that is still as it was handed out?"""
        cell = self.assignment.defined_in(name)
        if cell is None:
            return False
        copies = [each.source for each in self.cells if each.id == cell.id]
        others = [each.source for each in self.cells if each.kind == "code" and each.id != cell.id]
        blank = bool(copies) and all(is_blank(source, cell) for source in copies)
        return blank and not any(may_define(source, name) for source in others)

    def written(self, question: Question) -> Written:
        """What stands in the cell of a question to be graded by hand, and what was drawn under its heading before."""
        drawn, heading = list[str](), ""
        for cell in self.cells:
            if cell.id in self.assignment.headings and self.assignment.headings[cell.id] != heading:
                heading, drawn = self.assignment.headings[cell.id], []
            if cell.id == question.id:
                text = "" if is_blank(cell.source, question.cell) else cell.source
                return Written(True, text, cell.attachments, drawn)
            drawn += cell.drawn
        return Written(False)


@dataclass(frozen=True)
class Written:
    """A written answer: is its cell there, its text as Markdown, the pictures in it and before it, in base64."""

    found: bool
    text: str = ""
    pasted: dict[str, str] = field(default_factory=dict)
    drawn: list[str] = field(default_factory=list)


_NO_MARKS: Final = (
    "None of the cells in this notebook carries a mark of the assignment. Is it the right file, or was it saved by a "
    "program that drops such marks? Its code is graded all the same; written answers cannot be found."
)

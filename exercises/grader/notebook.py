"""Read notebooks, also broken ones, and know what the assignment asks.

The assignment is the source notebook, and nothing that a submission says about itself changes it. A submission is no
more than a list of cells: they are run in their order, whatever was split, doubled, moved or added; what the source
has locked is taken from the source.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from .session import Run
from .student import defined_by

MAX_BYTES: Final = 20 * 2**20  # of a file
_MAX_CELLS: Final = 5000
_MAX_PARTS: Final = 500_000  # lists and objects in a file: each takes a hundred times its text in memory
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
    def lines(self) -> tuple[str, ...]:
        """The text, but for spaces at the ends of lines and empty lines: cells are compared by it."""
        return tuple(_lines(self.source))


@dataclass(frozen=True)
class Notebook:
    cells: tuple[Cell, ...]
    language: str


def read(data: bytes) -> Notebook:
    """A notebook's cells, whatever else is in the file."""
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"The file has {len(data) / 2**20:.0f} MB; more than {MAX_BYTES // 2**20} are not read.")
    if data.count(b"{") + data.count(b"[") > _MAX_PARTS:  # before it is parsed: that is what takes the memory
        raise UnreadableError(f"The file has more than {_MAX_PARTS:,} parts, and is not read.")
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"The file is not a notebook: it is not JSON ({str(error)[:100]}).") from None
    cells = _raw_cells(content)
    if cells is None:
        raise UnreadableError("The file is JSON, but not a notebook: it has no list of cells.")
    if len(cells) > _MAX_CELLS:
        raise UnreadableError(f"The notebook has {len(cells):,} cells; more than {_MAX_CELLS:,} are not read.")
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
        kind = str(each.get("cell_type"))
        number += kind == "code"
        nbgrader = _dict(_dict(each.get("metadata")).get("nbgrader"))
        yield Cell(
            kind,
            _text(each.get("source", each.get("input", ""))),
            number,
            str(nbgrader.get("grade_id", "")),
            nbgrader,
            attachments=_attachments(each),
            drawn=_drawn(each),
        )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)


def _attachments(cell: dict[str, Any]) -> dict[str, str]:
    """The pictures pasted into a cell; of what kind they really are is seen when they are shown."""
    pasted = {str(name): _dict(kinds) for name, kinds in _dict(cell.get("attachments")).items()}
    return {name: _text(next(iter(kinds.values()))) for name, kinds in pasted.items() if kinds}


def _drawn(cell: dict[str, Any]) -> tuple[str, ...]:
    outputs = cell.get("outputs")
    every = [_dict(_dict(output).get("data")) for output in outputs] if isinstance(outputs, list) else []
    return tuple(_text(data["image/png"]) for data in every if "image/png" in data)


def _language(content: dict[str, Any]) -> str:
    kernel = _dict(_dict(content.get("metadata")).get("kernelspec"))
    return str(kernel.get("language", "python")).lower()


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
    def headings(self) -> tuple[str, ...]:
        """For each cell, the heading that it stands under."""
        headings, heading = list[str](), ""
        for cell in self.cells:
            if cell.kind == "markdown" and not cell.id:
                heading = _first(r"^#+ +(.+?)(?: *\(\d+ points?[^)]*\))?$", cell.source) or heading
            headings.append(heading)
        return tuple(headings)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        questions, lead = list[Question](), ""
        for cell, heading in zip(self.cells, self.headings, strict=True):
            if cell.kind == "markdown" and not cell.id:
                lead = _first(r"^\*\*(.+?)\*\*", cell.source)
            if cell.nbgrader.get("grade"):
                by_hand = bool(cell.nbgrader.get("solution"))
                part = lead if by_hand else _first(r"\A# Graded: (.+?)(?:, on .+ not seen\b.*)?\.?$", cell.source)
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
    def demonstrations(self) -> set[tuple[str, ...]]:
        """Code that is given only to look at something, such as a check: it defines nothing, and need not be run."""
        plain = [cell for cell in self.cells if cell.kind == "code" and not cell.nbgrader]
        return {cell.lines for cell in plain if not names_in(cell.source)}

    @cached_property
    def given(self) -> dict[tuple[str, ...], int]:
        """The cells that are in every copy and carry no mark: the place of each, by its lines."""
        return {cell.lines: place for place, cell in enumerate(self.cells) if not cell.id}

    @cached_property
    def shown_tests(self) -> dict[tuple[str, ...], Cell]:
        """Each test, by the lines of it that students get."""
        return {tuple(_lines(without_hidden_tests(test.source))): test for test in self.tests.values()}

    def defined_in(self, name: str) -> Cell | None:
        """The solution cell that should define a name."""
        return next((cell for cell in self.solutions.values() if name in names_in(cell.source)), None)

    def where_defined(self, name: str) -> str:
        """The question that asks for a name, in words: "question 4"; nothing, if none does."""
        cell = self.defined_in(name)
        heading = self.headings[self.cells.index(cell)] if cell else ""
        number = _first(r"\A(\d+)\.", heading)
        return f"question {number}" if number else f"“{heading}”" if heading else ""

    def asked_before(self, question: Question) -> dict[str, str]:
        """The names that earlier tests need, and the first test that needs each; `student` is no answer."""
        earlier = dict[str, str]()
        for test in self.tests.values():
            if test.id == question.id:
                break
            earlier = dict.fromkeys(needed_by(test.source) - {"student"}, test.id) | earlier
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

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each cell that carries a mark stands."""
        return {cell.id: place for place, cell in enumerate(self.cells) if cell.id}

    def written_after(self, place: int) -> Question | None:
        """The question to be answered in words to which the cell at this place leads: the next, under its heading."""
        graded = next((k for k in range(place + 1, len(self.cells)) if self.cells[k].nbgrader.get("grade")), None)
        if graded is None or self.headings[graded] != self.headings[place]:
            return None
        return next((each for each in self.questions if each.by_hand and each.id == self.cells[graded].id), None)


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.M)
    return match[1].strip() if match else ""


def _is_locked(cell: Cell) -> bool:
    return bool(cell.nbgrader.get("locked")) and not cell.nbgrader.get("grade") and not cell.nbgrader.get("solution")


def names_in(source: str) -> set[str]:
    """The names that the outermost statements of a cell of ours define."""
    return set().union(*(defined_by(statement) for statement in ast.parse(source).body))


def needed_by(source: str) -> set[str]:
    """The names that a cell of ours uses and does not define."""
    return _globals_of(symtable.symtable(source, "<test>", "exec")) - names_in(source) - set(dir(builtins))


def _globals_of(table: symtable.SymbolTable) -> set[str]:
    """The names looked up outside of all functions, in a cell or in the functions it defines."""
    outermost = table.get_type() == "module"
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (outermost or symbol.is_global())
    }
    return names.union(*map(_globals_of, table.get_children()))


def without_hidden_tests(source: str) -> str:
    """A test as students get it."""
    return _without(source, "HIDDEN TESTS")


def _without(source: str, region: str) -> str:
    """The source without the lines from BEGIN … to END …."""
    kept, inside = list[str](), False
    for line in source.splitlines():
        inside = inside or f"BEGIN {region}" in line
        if not inside:
            kept.append(line)
        inside = inside and f"END {region}" not in line
    return "\n".join(kept)


def may_define(source: str, name: str) -> bool:
    """Does a student's cell look as if it defined a name? Its text tells, also where it cannot be read as Python."""
    return any(_defines(line, name) for line in source.splitlines() if name in line)


def _defines(line: str, name: str) -> bool:
    words = _NAME.findall(line[:200])
    if words[:1] in (["def"], ["class"]):
        return words[1:2] == [name]
    target, equals, rest = line.partition("=")
    is_assignment = equals and not rest.startswith("=") and _TARGET.fullmatch(target)
    return bool(is_assignment) and target.count("(") == target.count(")") and name in _NAME.findall(target)


_NAME: Final = re.compile(r"\w+")
_TARGET: Final = re.compile(r"[\w\s,:*()]*")


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


def _added_to(given: Cell, source: str) -> str:
    """What somebody has typed into a text of ours: whole lines, or more words on a line."""
    lines = list[str]()
    for line in source.splitlines():
        ours = next((text for text in given.lines if line.startswith(text)), "")
        if not ours or line.rstrip() != ours:
            lines.append(line.removeprefix(ours))
    return "\n".join(lines).strip()


def _is_prose(source: str) -> bool:
    """Is this cell of code no code: only comments and texts, or nothing that Python can read?"""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return not source.lstrip().startswith(("%", "!"))
    return all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in body)


def _as_code(source: str) -> str:
    """A cell of code as a part of a text."""
    longest = max(map(len, re.findall("`+", source)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{source}\n{fence}"


@dataclass
class Written:
    """What a student has written for a question, as Markdown, and the pictures in it and before it, in base64."""

    parts: list[str] = field(default_factory=list)
    pasted: dict[str, str] = field(default_factory=dict)
    drawn: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n\n".join(self.parts)

    def add(self, text: str, cell: Cell) -> None:
        """One more part; its pictures get names of their own, as those of other cells may be called the same."""
        k = len(self.parts)

        def store(match: re.Match[str]) -> str:
            name = f"{k}.{len(self.pasted)}"
            self.pasted[name] = match[1]
            return f"attachment:{name}"

        self.pasted |= {f"{k}.{name}": data for name, data in cell.attachments.items() if len(name) <= _MAX_NAME}
        text = _IMG.sub(r"![](\1)", text).replace("](attachment:", f"](attachment:{k}.")
        text = _DATA_URI.sub(store, text)
        if text.strip() and text not in self.parts:
            self.parts.append(text)


_MAX_NAME: Final = 200  # characters, of a pasted picture
_IMG: Final = re.compile(r'<img\b[^<>]*?\bsrc="(attachment:[^"<>]*)"[^<>]*>')  # with a size, say
_DATA_URI: Final = re.compile(r"data:image/(?:png|jpe?g|gif);base64,([A-Za-z0-9+/=]+)")


# --- A submission ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """The cells to run, how many of them stand before each test and before the assignment's end, and remarks."""

    runs: list[Run]
    stands: dict[str, int]
    end: int
    remarks: list[str]

    def defined_again(self, test: str, name: str) -> int | None:
        """The number of the first cell after a test that gives a name of its to something else.

        A cell after the assignment's last one does not count: who writes there corrects what stands above.
        """
        later = range(self.stands.get(test, self.end), len(self.runs))
        places = [place for place in later if may_define(self.runs[place].source, name)]
        return self.runs[places[0]].number if places and places[-1] < self.end else None


@dataclass(frozen=True)
class Submission:
    """A student's notebook, held against the assignment."""

    notebook: Notebook
    assignment: Assignment

    def plan(self) -> Plan:
        """The cells to run, in order, and what is to be said about cells that were changed or lost."""
        runs, tests, locked = list[Run](), list[str](), list[str]()
        stands, end = dict[str, int](), 0
        for cell in self._cells_in_place():
            ours = self.assignment.locked.get(cell.id)
            if test := self._test_like(cell):
                stands[test.id] = len(runs)
                if not same(cell.source, without_hidden_tests(test.source)) and not same(cell.source, test.source):
                    tests.append(test.id)
            elif ours:
                if not same(cell.source, ours.source):
                    locked.append(ours.id)
                runs.append(Run(cell.number, ours.source))
            elif cell.kind == "code" and not self._is_spare(cell) and not self._only_shows(cell):
                runs.append(Run(cell.number, cell.source))
            if self._place_of(cell) is not None:
                end = len(runs)
        remarks = [*_changed("test", tests), *_changed("locked", locked), *self._missing_cells()]
        return Plan(runs, stands, end, remarks)

    def is_blank(self, cell: Cell) -> bool:
        """Is a cell to be filled in still as it was handed out (all of them, if there are several)?"""
        copies = [each.source for each in self.notebook.cells if each.id == cell.id]
        return bool(copies) and all(is_blank(source, cell) for source in copies)

    def is_unwritten(self, name: str) -> bool:
        """Does a name stand only in a cell that is still as it was handed out?"""
        cell = self.assignment.defined_in(name)
        if cell is None or not self.is_blank(cell):
            return False
        others = [each.source for each in self.notebook.cells if each.kind == "code" and each.id != cell.id]
        return not any(may_define(source, name) for source in others)

    @cached_property
    def written(self) -> dict[str, Written]:
        """What there is to be graded by hand, by question.

        That is the question's own cell, cells of the student's own beside it, what was typed into the text of the
        question, and the pictures that were drawn under the same heading before it.
        """
        written = {question.id: Written() for question in self.assignment.questions if question.by_hand}
        near, inside, heading, drawn = "", False, "", list[str]()
        for cell in self.notebook.cells:
            place = self._place_of(cell)
            if place is not None:
                if self.assignment.headings[place] != heading:
                    heading, drawn = self.assignment.headings[place], []
                inside = cell.id in written
                following = self.assignment.written_after(place)
                near = cell.id if inside else following.id if following else ""
            drawn += cell.drawn
            if inside and place is not None:
                written[near].drawn, drawn = written[near].drawn + drawn, []
            if near:
                written[near].add(self._words(cell, place, inside), cell)
        return written

    def _words(self, cell: Cell, place: int | None, inside: bool) -> str:
        """What a cell says about the question nearby; inside: it is that question's own, or follows on it."""
        if place is not None and not cell.id:
            return _added_to(self.assignment.cells[place], cell.source)
        if cell.kind == "code":
            told = place is None and cell.source.strip() and (inside or _is_prose(cell.source))
            return _as_code(cell.source) if told else ""
        return "" if all(map(_TEXT_STUB.fullmatch, cell.lines)) else cell.source

    def _place_of(self, cell: Cell) -> int | None:
        """Where the source has this cell, by its mark or, for a text that carries none, by its first line."""
        assignment = self.assignment
        if cell.id in assignment.places:
            return assignment.places[cell.id]
        if cell.lines in assignment.given:
            return assignment.given[cell.lines]
        if cell.kind != "markdown" or not cell.lines:
            return None
        first = {place: lines[0] for lines, place in assignment.given.items() if lines}
        like = [place for place, line in first.items() if cell.lines[0].startswith(line)]
        return max(like, key=lambda place: len(first[place]), default=None)

    def _test_like(self, cell: Cell) -> Cell | None:
        """The test of ours that this cell is a copy of, by its id or, if that is lost, by its text."""
        if cell.id or cell.kind != "code":
            return self.assignment.tests.get(cell.id)
        return self.assignment.shown_tests.get(cell.lines)

    def _is_spare(self, cell: Cell) -> bool:
        """Is it a copy, left blank, of a cell that is filled in elsewhere? It would undo the work."""
        ours = self.assignment.solutions.get(cell.id)
        return ours is not None and is_blank(cell.source, ours) and not self.is_blank(ours)

    def _only_shows(self, cell: Cell) -> bool:
        return cell.lines in self.assignment.demonstrations

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
    "program that drops such marks? Its code is graded all the same; a written answer is found if it "
    "stands right after its question."
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

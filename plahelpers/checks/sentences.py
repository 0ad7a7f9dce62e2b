"""Sentences from results: the general ones stand here, those about a single exercise stand beside its functions."""

from __future__ import annotations

import html as _html
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np

from plahelpers import _format, _theme
from plahelpers._guard import Other, Outcome
from plahelpers._validation import FloatArray
from plahelpers.checks.result import Case, Problem, Result, Section, same

# What a function may use; whoever uses more is told these numbers.
LIMITS: Final = {"megabytes": 512.0, "output_kb": 64.0}

_NAMELESS: Final = ("", "answer")  # parts of an answer that are shown without their name
_MOST: Final = 50  # numbers in a row, or rows in a table, that are shown of any value
_ROWS: Final = 6  # of a case that are shown
_ENTRIES: Final = 12  # of two rows that are shown one under the other

# How a call ended that did not return, and what to ask then.
_TROUBLE: Final = {
    "slow": "no answer in {seconds}, so it was stopped.",
    "memory": "it needed more than {megabytes:g} MB of memory, so it was stopped.",
    "output": "it printed more than {output_kb:g} kB, so it was stopped.",
    "raised": "it raised {error}{words}{end}",
    "exited": "it called sys.exit{words}{end}",
    "died": "its process ended ({message}) before it could return.",
    "unshippable": "it cannot be sent to the process in which it would be checked ({error}{words}).",
    "not tried": "not tried: too much time was spent on the cases before.",
}
_HINTS: Final = {
    "slow": "Does its loop ever end?",
    "exited": "A function should return.",
    "unshippable": "Perhaps it uses something from another cell that cannot be sent, such as an open file, a generator "
    "or a widget. Make that inside the function.",
}
_EMPTY: Final = "Is that list empty here, because no mistakes are left?"
_INDEX: Final = "Is an index too large by one, or does a length come from something that is not an argument?"
_SIZES: Final = "Two sizes differ by one. Is x₀ = +1 missing somewhere, or is a length written as a fixed number?"


class Paragraph(NamedTuple):
    """A sentence or a few, the label in front of them ("Tried", "Came out", …), and the section that they name.

    Two lines with the same marks, where each begins and ends, stand one under the other: there they differ.
    """

    text: str
    label: str = ""
    section: Section | None = None
    marks: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        line = f"{self.label}: {self.text}" if self.label else self.text
        return f"{line}\n{self._carets()}" if self.marks and self.label == "Expected" else line

    def _carets(self) -> str:
        """The marks as text, for the line below the second of the two."""
        places = {k for start, end in self.marks for k in range(start, end)}
        carets = "".join("^" if k in places else " " for k in range(self.marks[-1][1]))
        return " " * len(f"{self.label}: ") + carets


class Row(NamedTuple):
    """One case in words."""

    passed: bool
    tried: str
    got: str
    expected: str
    trouble: str | None


def paragraphs(result: Result, *, advice: bool = True) -> list[Paragraph]:
    """All that is to be said; advice: also what only those can do who call the check themselves."""
    if result.about == "value":
        return _about_value(result)
    if result.about == "data" and len(result.cases) == 1:
        return _about_data(result, result.cases[0])
    if result.is_blank:
        return _announcement(result)
    return _praise(result) if result.passed else _criticism(result, advice)


def rows(result: Result, *, advice: bool = True) -> list[Row]:
    """All cases in words; a case that is tried twice says so."""
    again = " (the same call again, to see whether the answer stays right)"
    return [
        Row(
            case.passed,
            _tried(result, case) + (again if any(_same_call(case, other) for other in result.cases[:k]) else ""),
            _came_out(result, case, advice),
            _expected(case),
            case.trouble,
        )
        for k, case in enumerate(result.cases)
    ]


def _same_call(one: Case, other: Case) -> bool:
    return one.name == other.name and all(
        np.array_equal(one.arguments[name], other.arguments[name]) for name in one.arguments
    )


def mistake_text(result: Result) -> str:
    """What the known mistake is, why it is one, and where to read about it; nothing if none is known."""
    if result.known is None:
        return ""
    where = f" Read {result.known.read}." if result.known.read else ""
    return _what_and_why(result.known) + where


def _what_and_why(problem: Problem) -> str:
    return f"{problem.what}. {problem.why}".strip()


# --- About a function ------------------------------------------------------------------------------------------------


def _head(result: Result, words: str) -> Paragraph:
    return Paragraph(f"{result.title}: {words}")


def _subject(result: Result) -> str:
    return result.subject or "Your function"


def _announcement(result: Result) -> list[Paragraph]:
    """What is asked for, where nothing is written yet: the contract, and the smallest case."""
    case, count = result.cases[0], len(result.cases)
    tries = "called twice" if result.about == "data" else f"tried in {count} cases"
    return [
        _head(result, f"your turn. {_subject(result)} is not written yet. It will be {tries}."),
        Paragraph(_contract(result)),
        *([Paragraph(_tried(result, case), "For example")] if case.arguments else []),
        Paragraph(_expected(case), "Expected"),
    ]


def _contract(result: Result) -> str:
    return f"It should return {result.returns}."


def _praise(result: Result) -> list[Paragraph]:
    last, count = result.cases[-1], len(result.cases)
    if result.about == "data":
        return [_head(result, f"passed. {_subject(result)} gives {_came_out(result, last)}.")]
    parts = [name for name in last.answer or {} if name not in _NAMELESS]
    compared = f"Compared: {', '.join(parts)}. " if parts else ""
    head = _head(result, f"passed. {_subject(result)} is right in all {count} cases.")
    return [head, Paragraph(f"{compared}It was called as {_call(result)}.")]


def _criticism(result: Result, advice: bool) -> list[Paragraph]:
    right, count = sum(case.passed for case in result.cases), len(result.cases)
    tries = "calls" if result.about == "data" else "cases"
    lines = [
        _head(result, f"not yet. {_subject(result)} passes {right} of {count} {tries}."),
        *([Paragraph(mistake_text(result), "Likely mistake", result.known.read)] if result.known else []),
        *_changed(result),
        *_example(result, advice),
        *map(Paragraph, result.notes),
    ]
    if result.printed and (result.trouble or result.known is None):
        lines.append(Paragraph(short(result.printed, 200), "It printed"))
    return lines


def _changed(result: Result) -> list[Paragraph]:
    names = ", ".join(result.changed)
    if result.mistake == "modifies_inputs":
        return [Paragraph(f"Changed: {names}. The answers themselves are right.")]
    return [Paragraph(f"It also changes what it is given ({names}): work on a copy.")] if names else []


def _example(result: Result, advice: bool) -> list[Paragraph]:
    """The smallest case that is not right, in full."""
    chosen = result.repeated or [k for k, case in enumerate(result.cases) if case.is_example][:1]
    if not chosen:
        return []
    case = result.cases[chosen[0]]
    if case.fits and not result.repeated:
        return [Paragraph(_tried(result, case), "Tried"), *_comparison(case)]
    return [
        Paragraph(_tried(result, case), "Tried"),
        Paragraph("; and then ".join(_came_out(result, result.cases[k], advice) for k in chosen), "Came out"),
        Paragraph(_expected(case), "Expected"),
    ]


def _call(result: Result) -> str:
    return f"{result.subject or 'f'}({', '.join(result.cases[0].arguments)})"


def _tried(result: Result, case: Case) -> str:
    if result.about == "value":
        return case.name or result.subject
    values = ", ".join(f"{name} = {literal(value, 15, _ROWS)}" for name, value in case.arguments.items())
    rows = max((len(value) for value in case.arguments.values() if np.ndim(value)), default=0)
    part = f" ({rows} rows; the first six are shown)" if rows > _ROWS else ""
    return f"{_call(result)} with {values}{part}" if values else _call(result)


def _expected(case: Case) -> str:
    if isinstance(case.expected, Mapping):
        return _answer(case.expected)
    return case.expected or "not told here"


def _came_out(result: Result, case: Case, advice: bool = True) -> str:
    if case.trouble:
        return "not tried yet" if result.unwritten else _trouble(result, case, advice)
    if case.remark:
        return case.remark
    if result.about == "value":
        return short(display(case.outcome.value), 160)
    if case.fits:
        return _answer(case.answer or {})
    if case.outcome.value is None:
        printed = " What it printed is not its answer." if case.outcome.printed else ""
        return f"nothing: it returned None. Is its `return` missing?{printed} {_contract(result)}"
    return f"{short(display(case.outcome.value), 160)}. {_contract(result)}"


def _answer(answer: Mapping[str, FloatArray]) -> str:
    return ", ".join(_name(part) + short(literal(value), 300) for part, value in answer.items())


# --- What came out and what was expected, one under the other --------------------------------------------------------


class _Column(NamedTuple):
    """An entry of what came out, and the one of what was expected that stands under it; "" where there is none."""

    got: str
    expected: str
    differs: bool

    @property
    def width(self) -> int:
        return max(len(self.got), len(self.expected))


def _comparison(case: Case) -> list[Paragraph]:
    """The parts that are wrong, each with the right one below it, and then those that are right."""
    answer, expected = case.answer or {}, case.expected
    assert isinstance(expected, Mapping)
    wrong = [name for name in expected if not case.gives(name, expected)]
    right = {name: value for name, value in answer.items() if name not in wrong}
    pairs = [paragraph for name in wrong for paragraph in _pair(name, answer[name], expected[name])]
    return [*pairs, *([Paragraph(_answer(right), "Right")] if right else [])]


def _pair(name: str, got: FloatArray, expected: FloatArray) -> list[Paragraph]:
    """Two answers, entry under entry; of large tables the first row that differs."""
    if got.ndim > 1 and got.shape != expected.shape:
        return [Paragraph(_answer({name: got}), "Came out"), Paragraph(_answer({name: expected}), "Expected")]
    if got.ndim > 1 and got.size > _ENTRIES:
        k = next(k for k in range(len(got)) if not _equal(got[k], expected[k]))
        return _pair(f"{name}[{k}]", got[k], expected[k])
    columns, row = _columns(got.ravel(), expected.ravel()), got.shape[-1] if got.ndim > 1 else 0
    gaps = ["], [" if row and k % row == 0 else ", " for k in range(1, len(columns))]
    before, after = _name(name) + "[" * got.ndim, "]" * got.ndim
    starts = np.cumsum([len(before), *(c.width + len(gap) for c, gap in zip(columns, gaps, strict=False))])
    marks = tuple((int(k), int(k) + c.width) for k, c in zip(starts, columns, strict=True) if c.differs)

    def line(label: str, entries: Sequence[str]) -> Paragraph:
        items = [entry.rjust(c.width) for entry, c in zip(entries, columns, strict=True) if entry]
        text = "".join(gap + item for gap, item in zip(["", *gaps], items, strict=False))
        return Paragraph(before + text + after, label, marks=marks)

    return [line("Came out", [c.got for c in columns]), line("Expected", [c.expected for c in columns])]


def _columns(got: FloatArray, expected: FloatArray) -> list[_Column]:
    """Entry by entry; of long rows those around the first difference."""

    def entry(row: FloatArray, k: int) -> str:
        return literal(row[k]) if k < len(row) else ""

    columns = [
        _Column(entry(got, k), entry(expected, k), not _equal(got[k : k + 1], expected[k : k + 1]))
        for k in range(max(len(got), len(expected)))
    ]
    first = next(k for k, column in enumerate(columns) if column.differs)
    start = max(0, first - 3) if len(columns) > _ENTRIES else 0
    end = start + _ENTRIES
    before = _Column("…", "…", differs=False)
    after = _Column("…" if len(got) > end else "", "…" if len(expected) > end else "", differs=False)
    return [*([before] if start else []), *columns[start:end], *([after] if after.width else [])]


def _equal(one: FloatArray, other: FloatArray) -> bool:
    return same({"": one}, {"": other})


def _name(part: str) -> str:
    return "" if part in _NAMELESS else f"{part} = "


# --- How a call ended that did not return ----------------------------------------------------------------------------


def _trouble(result: Result, case: Case, advice: bool) -> str:
    outcome, time = case.outcome, _format.number(result.seconds / 4)
    words = f": {short(outcome.message, 200)}" if outcome.message else ""
    sentence = _TROUBLE[outcome.kind].format(
        seconds=f"{time} second" if time == "1" else f"{time} seconds",
        **LIMITS,
        error=short(outcome.error, 60),
        words=words,
        end="" if words.endswith((".", "!", "?", "…")) else ".",
        message=short(outcome.message, 200),
    )
    at = f"It was at line {outcome.line}: `{short(outcome.code, 160)}`." if outcome.code else ""
    is_slow = outcome.kind == "slow"
    more_time = "(seconds= gives it more time.)" if advice and is_slow else ""
    hints = [_HINTS.get(outcome.kind, ""), result.ends if is_slow else "", more_time]
    return " ".join(filter(None, [sentence, at, *hints, _ask_about_sizes(outcome, case.arguments)]))


def _ask_about_sizes(outcome: Outcome, arguments: Mapping[str, Any]) -> str:
    if outcome.error == "IndexError":
        takes_an_end = "with size 0" in outcome.message or re.search(r"\[(0|-1)\]", outcome.code)
        return _EMPTY if takes_an_end else _INDEX
    return _SIZES if outcome.kind == "raised" and _differ_by_one(outcome.message, arguments) else ""


# How NumPy complains, in @, in np.dot and in +, of two sizes that do not fit.
_MISMATCH: Final = re.compile(
    r"size (\d+) is different from (\d+)|: (\d+) \(dim \d\) != (\d+) \(dim"
    r"|shapes \((?:\d+,)?(\d+),?\) \((?:\d+,)?(\d+),?\)"
)


def _differ_by_one(message: str, arguments: Mapping[str, Any]) -> bool:
    """Do two sizes differ by one? Often, w has its w₀ and an example has no x₀."""
    sizes = _MISMATCH.search(message) if {"x", "X"} & arguments.keys() else None
    if not sizes:
        return False
    one, other = (int(size) for size in sizes.groups() if size)
    return abs(one - other) == 1


# --- About data that someone gives -----------------------------------------------------------------------------------


def _about_data(result: Result, case: Case) -> list[Paragraph]:
    """What was measured, and what is asked for."""
    if result.known is None:
        return [_head(result, "passed."), Paragraph(f"{case.remark}.", "Found")]
    found = Paragraph(mistake_text(result), "Found", result.known.read)
    return [_head(result, "not yet."), found, Paragraph(f"{_expected(case)}.", "Asked for")]


# --- About a value ---------------------------------------------------------------------------------------------------


def _about_value(result: Result) -> list[Paragraph]:
    problems = {case.name: case.problem for case in result.cases if case.problem}
    what = capital(result.subject)
    if not problems:
        passed = f"right, given your {_given(result)}." if result.given else "passed."
        noted = f"{_found(result)} is noted. It is compared when your work is graded."
        return [Paragraph(f"{what}: {noted if result.noted else passed}")]
    head = Paragraph(f"{what}: {'your turn' if result.is_blank else 'not yet'}.")
    first = next(iter(problems.values()))
    if len(problems) == len(result.cases) and all(problem is first for problem in problems.values()):
        return [head, Paragraph(_what_and_why(first))]  # one number, or all of them together
    lines = [f"{capital(name)}: not yet. {_what_and_why(problem)}" for name, problem in problems.items()]
    return [head, *_followed(result), *map(Paragraph, lines)]


def _found(result: Result) -> str:
    values = [case.outcome.value for case in result.cases]
    return short(display(values if result.check == "numbers" else values[0]), 160)


def _given(result: Result) -> str:
    """The functions on which the answer is built: `pla`, or `pla` and `sign`."""
    *others, last = [f"`{name}`" for name in result.given] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _followed(result: Result) -> list[Paragraph]:
    """What is right only because it follows from the learner's own functions, where other things are wrong."""
    parts = ", ".join(result.followed)
    return [Paragraph(f"Right, given your {_given(result)}: {parts}.")] if parts else []


# --- Numbers and words -----------------------------------------------------------------------------------------------


def literal(value: Any, digits: int = 8, most: int = _MOST) -> str:
    """Numbers as one would type them in Python: 3, [1, 2], [[1, 2], [3, 4]]; of long rows and tables the first.

    Two numbers that `same` tells apart also differ in their first 8 digits.
    """
    array = np.asarray(value)
    if array.ndim > 2:
        return f"an array of shape {array.shape}"
    if array.ndim:
        more = ["…"] if len(array) > most else []
        return f"[{', '.join([literal(row, digits) for row in array[:most]] + more)}]"
    return str(array.item()) if array.dtype.kind in "bi" else f"{float(array) + 0.0:.{digits}g}"


def display(value: Any, depth: int = 5) -> str:
    """Any value: numbers as one would type them, anything else as Python shows it; both shortened."""
    if isinstance(value, Other):
        return _of_type(value.type, short(value.text, 200))
    if isinstance(value, tuple | list):
        opening, closing = "()" if isinstance(value, tuple) else "[]"
        items = [display(each, depth - 1) for each in value[:_MOST]] if depth else []
        more = ["…"] if len(value) > len(items) else []
        return f"{opening}{', '.join(items + more)}{closing}"
    is_number = isinstance(value, np.ndarray | np.generic | int | float) and np.asarray(value).dtype.kind in "bif"
    return literal(value) if is_number else _repr(value)


def _repr(value: Any) -> str:
    try:
        return short(repr(value[:500] if isinstance(value, str | bytes) else value), 500)
    except Exception as error:  # a class may do what it likes, and 10**5000 has too many digits
        return _of_type(type(value).__name__, type(error).__name__)


def _of_type(type: str, words: str) -> str:
    return f"a value of type {short(type, 60)}: {words}"


def short(words: str, most: int) -> str:
    """The words, cut to so many characters."""
    words = words.strip()
    return words if len(words) <= most else f"{words[: most - 1]}…"


def capital(words: str) -> str:
    """The words with a capital, unless they begin with a symbol or a name of a program: w₀, y, ρ, max_updates."""
    first = words.split(" ", 1)[0].rstrip(".,:;")
    ordinary = first == "a" or (len(first) > 1 and first.isascii() and first.isalpha())
    return words[:1].upper() + words[1:] if ordinary else words


# --- For a page ------------------------------------------------------------------------------------------------------


def html(result: Result) -> str:
    """The result for a notebook; without colours of its own for text, so that it can be read on any page."""
    head, *rest = paragraphs(result)
    mark, colour = ("✓ ", _theme.POCKET) if result.passed else ("✗ ", _theme.MISTAKE)
    if result.is_blank or result.noted:
        mark, colour = "", _theme.FAINT
    return (
        f"<div style='border-left: 0.4em solid {colour}; padding: 0.2em 1em; margin: 0.5em 0'>"
        f"<p><strong>{mark}{_as_html(head.text)}</strong></p>{_body(rest)}{_folded(result)}</div>"
    )


# JupyterLab gives a <pre> of an output the letters of text, and wraps it.
_BLOCK: Final = "font-family: monospace; white-space: pre; overflow-x: auto; line-height: 1.5; margin: 0.5em 0"


def _body(rest: Sequence[Paragraph]) -> str:
    """The paragraphs; lines with marks stand in one block, letter under letter, that scrolls on a narrow screen."""
    blocks = []
    for is_marked, group in groupby(rest, key=lambda paragraph: paragraph.marks != ()):
        if is_marked:
            lines = "\n".join(map(_marked_line, group))
            blocks.append(f"<pre style='{_BLOCK}'>{lines}</pre>")
        else:
            blocks += [f"<p>{_with_link(paragraph)}</p>" for paragraph in group]
    return "".join(blocks)


def _marked_line(paragraph: Paragraph) -> str:
    text, done = "", 0
    for start, end in paragraph.marks:
        piece = paragraph.text[start:end]
        text += paragraph.text[done:start] + (f"<mark><b>{piece}</b></mark>" if piece else "")
        done = end
    return f"{paragraph.label}: {text}{paragraph.text[done:]}"


def _with_link(paragraph: Paragraph) -> str:
    words, section = _as_html(str(paragraph)), paragraph.section
    if section is None:
        return words
    link = _format.section_link(_format.section_address(section.chapter, section.title), str(section))
    return words.replace(_html.escape(str(section)), link)


def _folded(result: Result) -> str:
    """All cases, if there are several: what came out, or what will be tried."""
    if len(result.cases) == 1:
        return ""
    if result.unwritten:
        items = "".join(f"<li>{_as_html(row.tried)}</li>" for row in rows(result))
        return f"<details><summary>All cases that will be tried</summary><ol>{items}</ol></details>"
    return f"<details><summary>All cases</summary>{_table(result)}</details>"


def _table(result: Result) -> str:
    titles = "", "tried", "came out", "expected"
    head = "".join(f"<th scope='col' style='text-align: left'>{title}</th>" for title in titles)
    cell = "<td style='text-align: left; overflow-wrap: break-word'>{}</td>"
    lines = "".join(
        f"<tr><td>{'right' if row.passed else 'not right'}</td>"
        f"{''.join(cell.format(_as_html(words)) for words in (row.tried, row.got, row.expected))}</tr>"
        for row in rows(result)
    )
    return f"<table><tr>{head}</tr>{lines}</table>"


def _as_html(words: str) -> str:
    """Words whose `code` is shown as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _html.escape(words))

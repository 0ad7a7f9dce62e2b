"""Sentences from reports: the general ones stand here, those about a single exercise stand beside its functions."""

from __future__ import annotations

import html as _html
import re
from collections.abc import Mapping, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from plahelpers import _format, _theme
from plahelpers._guard import Other, Outcome
from plahelpers._validation import FloatArray
from plahelpers.checks.result import Case, Section, same

if TYPE_CHECKING:
    from plahelpers.checks.report import Report

# What a function may use; whoever uses more is told these numbers.
LIMITS: Final = {"megabytes": 512.0, "output_kb": 64.0}

_MOST: Final = 50  # numbers in a row, or rows in a table, that are shown of any value
_ROWS: Final = 6  # of a case that are shown
_ENTRIES: Final = 12  # of two rows that are shown one under the other

_SIZES: Final = "Two sizes do not fit. Is x₀ = +1 missing somewhere, or is a length written as a fixed number?"
_SENT: Final = "Does it use an open file, a generator or a widget of another cell? Make that inside the function."


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
        line = " " * len(f"{self.label}: ")
        for start, end in self.marks:
            line = line.ljust(len(f"{self.label}: ") + start) + "^" * (end - start)
        return line


class Row(NamedTuple):
    """One case in words."""

    passed: bool
    tried: str
    got: str
    expected: str


def paragraphs(report: Report) -> list[Paragraph]:
    """All that is to be said."""
    if report.about == "value":
        return _about_value(report)
    if report.about == "data" and len(report.cases) == 1:
        return _about_data(report, report.cases[0])
    if report.is_blank:
        return _announcement(report)
    return _praise(report) if report.passed else _criticism(report)


def rows(report: Report) -> list[Row]:
    """All cases in words; the last one is a case that is tried twice, and says so."""
    again = " (the same call again, to see whether the answer stays right)"
    return [
        Row(
            case.passed,
            _tried(report, case) + (again if case is report.cases[-1] else ""),
            _came_out(report, case),
            _expected(case),
        )
        for case in report.cases
    ]


# --- About a function ------------------------------------------------------------------------------------------------


def _subject(report: Report) -> str:
    return report.subject or "Your function"


def _contract(report: Report) -> str:
    return f"It should return {report.returns}."


def _announcement(report: Report) -> list[Paragraph]:
    """What is asked for, where nothing is written yet: the contract, and the smallest case."""
    case = report.cases[0]
    tries = "called twice" if report.about == "data" else f"tried in {len(report.cases)} cases"
    return [
        Paragraph(f"{report.title}: your turn. {_subject(report)} is not written yet. It will be {tries}."),
        Paragraph(_contract(report)),
        *([Paragraph(_tried(report, case), "For example")] if case.arguments else []),
        Paragraph(_expected(case), "Expected"),
    ]


def _praise(report: Report) -> list[Paragraph]:
    last, head = report.cases[-1], f"{report.title}: passed. {_subject(report)}"
    if report.about == "data":
        return [Paragraph(f"{head} gives {_came_out(report, last)}.")]
    compared = ", ".join(name for name in last.answer or {} if _name(name))
    which = f"Compared: {compared}. " if compared else ""
    return [
        Paragraph(f"{head} is right in all {len(report.cases)} cases."),
        Paragraph(f"{which}It was called as {_call(report)}."),
    ]


def _criticism(report: Report) -> list[Paragraph]:
    right, tries = sum(case.passed for case in report.cases), "calls" if report.about == "data" else "cases"
    printed = next((case.outcome.printed for case in report.cases if case.outcome.printed), "")
    lines = [
        Paragraph(f"{report.title}: not yet. {_subject(report)} passes {right} of {len(report.cases)} {tries}."),
        *([Paragraph(report.mistake_text, "Likely mistake", report.known.read)] if report.known else []),
        *_changed(report),
        *_example(report),
        *map(Paragraph, report.notes),
    ]
    if printed and (any(case.outcome.kind != "returned" for case in report.cases) or report.known is None):
        lines.append(Paragraph(short(printed, 200), "It printed"))
    return lines


def _changed(report: Report) -> list[Paragraph]:
    names = ", ".join(report.changed)
    if report.mistake == "modifies_inputs":
        return [Paragraph(f"Changed: {names}. The answers themselves are right.")]
    return [Paragraph(f"It also changes what it is given ({names}): work on a copy.")] if names else []


def _example(report: Report) -> list[Paragraph]:
    """The smallest case that is not right, in full; if a mistake is known by a part, the smallest that shows it."""
    examples = [k for k, case in enumerate(report.cases) if case.is_example]
    by_key = [k for k in examples if report.known and report.key and not report.cases[k].gives(report.key)]
    chosen = report.repeated or (by_key or examples)[:1]
    if not chosen:
        return []
    case = report.cases[chosen[0]]
    if case.fits and not report.repeated:
        return [Paragraph(_tried(report, case), "Tried"), *_comparison(case)]
    return [
        Paragraph(_tried(report, case), "Tried"),
        Paragraph("; and then ".join(_came_out(report, report.cases[k]) for k in chosen), "Came out"),
        Paragraph(_expected(case), "Expected"),
    ]


def _call(report: Report) -> str:
    return f"{report.subject or 'f'}({', '.join(report.cases[0].arguments)})"


def _tried(report: Report, case: Case) -> str:
    values = ", ".join(f"{name} = {literal(value, 15, _ROWS)}" for name, value in case.arguments.items())
    rows = max((len(value) for value in case.arguments.values() if np.ndim(value)), default=0)
    part = f" ({rows} rows; the first six are shown)" if rows > _ROWS else ""
    return f"{_call(report)} with {values}{part}" if values else _call(report)


def _expected(case: Case) -> str:
    return _answer(case.expected) if isinstance(case.expected, Mapping) else case.expected


def _came_out(report: Report, case: Case) -> str:
    if case.outcome.kind != "returned":
        return "not tried yet" if report.unwritten else _trouble(report, case)
    if case.remark:
        return case.remark
    if case.fits:
        return _answer(case.answer or {})
    if case.outcome.value is None:
        printed = " What it printed is not its answer." if case.outcome.printed else ""
        return f"nothing: it returned None. Is its `return` missing?{printed} {_contract(report)}"
    return f"{short(display(case.outcome.value), 160)}. {_contract(report)}"


def _answer(answer: Mapping[str, FloatArray]) -> str:
    return ", ".join(_name(part) + short(literal(value), 300) for part, value in answer.items())


# --- What came out and what was expected, one under the other --------------------------------------------------------


def _comparison(case: Case) -> list[Paragraph]:
    """The parts that are wrong, each with the right one below it, and then those that are right."""
    answer, expected = case.answer or {}, case.expected
    assert isinstance(expected, Mapping)
    wrong = [name for name in expected if not case.gives(name)]
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
    lines, marks = [_name(name) + "[" * got.ndim] * 2, []
    for k, (*entries, differs) in enumerate(columns):
        gap = "" if k == 0 else "], [" if row and k % row == 0 else ", "
        width, start = max(map(len, entries)), max(map(len, lines)) + len(gap)
        marks += [(start, start + width)] if differs else []
        lines = [line + gap + entry.rjust(width) if entry else line for line, entry in zip(lines, entries, strict=True)]
    texts = zip(("Came out", "Expected"), lines, strict=True)
    return [Paragraph(line + "]" * got.ndim, label, marks=tuple(marks)) for label, line in texts]


def _columns(got: FloatArray, expected: FloatArray) -> list[tuple[str, str, bool]]:
    """Entry by entry, "" where there is none, and whether they differ; of long rows those around a difference."""
    pairs = zip_longest(map(literal, got), map(literal, expected), fillvalue="")
    columns = [(*pair, not _equal(got[k : k + 1], expected[k : k + 1])) for k, pair in enumerate(pairs)]
    first = next(k for k, (_, _, differs) in enumerate(columns) if differs)
    start = max(0, first - 3) if len(columns) > _ENTRIES else 0
    end = start + _ENTRIES
    before = [("…", "…", False)] if start else []
    after = [("…" if len(got) > end else "", "…" if len(expected) > end else "", False)] if len(columns) > end else []
    return [*before, *columns[start:end], *after]


def _equal(one: FloatArray, other: FloatArray) -> bool:
    return same({"": one}, {"": other})


def _name(part: str) -> str:
    return "" if part in ("", "answer") else f"{part} = "


# --- How a call ended that did not return ----------------------------------------------------------------------------


def _trouble(report: Report, case: Case) -> str:
    outcome, error = case.outcome, short(case.outcome.error, 60)
    message = short(outcome.message, 200)
    words = f": {message}" if message else ""
    stop = "" if words.endswith((".", "!", "?", "…")) else "."
    loop = f"Does its loop ever end? {report.ends}".strip()
    sentence = {
        "slow": f"no answer in {_format.number(report.seconds / 4)} s, so it was stopped. {loop}",
        "memory": f"it needed more than {LIMITS['megabytes']:g} MB of memory, so it was stopped.",
        "output": f"it printed more than {LIMITS['output_kb']:g} kB, so it was stopped.",
        "raised": f"it raised {error}{words}{stop}",
        "exited": f"it called sys.exit{words}{stop} A function should return.",
        "died": f"its process ended ({message}) before it could return.",
        "unshippable": f"it cannot be sent to the process that would check it ({error}{words}). {_SENT}",
        "not tried": "not tried: too much time was spent on the cases before.",
    }[outcome.kind]
    at = f"It was at line {outcome.line}: `{short(outcome.code, 160)}`." if outcome.code else ""
    return " ".join(filter(None, [sentence, at, _ask_about_sizes(outcome, case.arguments)]))


def _ask_about_sizes(outcome: Outcome, arguments: Mapping[str, Any]) -> str:
    is_about_sizes = re.search("mismatch|not aligned|broadcast", outcome.message)  # NumPy's words in @, dot and +
    return _SIZES if is_about_sizes and {"x", "X"} & arguments.keys() else ""


# --- About data and values -------------------------------------------------------------------------------------------


def _about_data(report: Report, case: Case) -> list[Paragraph]:
    """What was measured, and what is asked for."""
    if report.known is None:
        return [Paragraph(f"{report.title}: passed."), Paragraph(f"{case.remark}.", "Found")]
    found = Paragraph(report.mistake_text, "Found", report.known.read)
    return [Paragraph(f"{report.title}: not yet."), found, Paragraph(f"{_expected(case)}.", "Asked for")]


def _about_value(report: Report) -> list[Paragraph]:
    problems = {case.name: case.problem for case in report.cases if case.problem}
    values = [case.outcome.value for case in report.cases]
    found = values if report.check == "numbers" else values[0]
    what, given = capital(report.subject), " and ".join(f"`{name}`" for name in report.given)
    if not problems:
        passed = f"right, given your {given}." if given else "passed."
        noted = f"{short(display(found), 160)} is noted. It is compared when your work is graded."
        return [Paragraph(f"{what}: {noted if report.noted else passed}")]
    head = Paragraph(f"{what}: {'your turn' if report.is_blank else 'not yet'}.")
    first = next(iter(problems.values()))
    if len(problems) == len(report.cases) and all(problem is first for problem in problems.values()):
        return [head, Paragraph(str(first))]  # one number, or all of them together
    followed = [Paragraph(f"Right, given your {given}: {', '.join(report.followed)}.")] if report.followed else []
    wrong = [Paragraph(f"{capital(name)}: not yet. {problem}") for name, problem in problems.items()]
    return [head, *followed, *wrong]


# --- Numbers and words -----------------------------------------------------------------------------------------------


def literal(value: Any, digits: int = 8, most: int = _MOST) -> str:
    """Numbers as one would type them in Python: 3, [1, 2], [[1, 2], [3, 4]]; of long rows and tables the first.

    Two numbers that `same` tells apart also differ in their first 8 digits.
    """
    array = np.asarray(value)
    if array.ndim:
        more = ["…"] if len(array) > most else []
        return f"[{', '.join([literal(row, digits) for row in array[:most]] + more)}]"
    return str(array.item()) if array.dtype.kind in "bi" else f"{float(array) + 0.0:.{digits}g}"


def display(value: Any) -> str:
    """Any value: numbers as one would type them, anything else as Python shows it; both shortened."""
    if isinstance(value, Other):
        return f"a value of type {short(value.type, 60)}: {short(value.text, 200)}"
    if isinstance(value, tuple | list):
        opening, closing = "()" if isinstance(value, tuple) else "[]"
        items = [display(each) for each in value[:_MOST]]
        more = ["…"] if len(value) > len(items) else []
        return f"{opening}{', '.join(items + more)}{closing}"
    is_number = isinstance(value, np.ndarray | np.generic | int | float) and np.asarray(value).dtype.kind in "bif"
    return literal(value) if is_number else short(repr(value), 500)


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

# JupyterLab gives a <pre> of an output the letters of text, and wraps it.
_BLOCK: Final = "font-family: monospace; white-space: pre; overflow-x: auto; line-height: 1.5; margin: 0.5em 0"


def html(report: Report) -> str:
    """The report for a notebook; without colours of its own for text, so that it can be read on any page."""
    head, *rest = paragraphs(report)
    mark, colour = ("✓ ", "currentColor") if report.passed else ("✗ ", _theme.MISTAKE)
    if report.is_blank or report.noted:
        mark, colour = "", _theme.FAINT
    return (
        f"<div style='border-left: 0.4em solid {colour}; padding: 0.2em 1em; margin: 0.5em 0'>"
        f"<p><strong>{mark}{_as_html(head.text)}</strong></p>{_body(rest)}{_folded(report)}</div>"
    )


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


def _folded(report: Report) -> str:
    """All cases, if there are several: what came out, or what will be tried."""
    if len(report.cases) == 1 or report.about == "value":
        return ""
    if report.unwritten:
        items = "".join(f"<li>{_as_html(row.tried)}</li>" for row in rows(report))
        return f"<details><summary>All cases that will be tried</summary><ol>{items}</ol></details>"
    titles = ("", "tried", "came out", "expected")
    cases = [("right" if row.passed else "not right", row.tried, row.got, row.expected) for row in rows(report)]
    lines = [_line("th scope='col'", titles), *(_line("td", case) for case in cases)]
    return f"<details><summary>All cases</summary><table>{''.join(lines)}</table></details>"


def _line(tag: str, words: Sequence[str]) -> str:
    style = "style='text-align: left; overflow-wrap: break-word'"
    return f"<tr>{''.join(f'<{tag} {style}>{_as_html(each)}</{tag[:2]}>' for each in words)}</tr>"


def _as_html(words: str) -> str:
    """Words whose `code` is shown as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _html.escape(words))

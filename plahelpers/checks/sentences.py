"""Sentences from reports: the only place that makes any. The words stand in `en/*.toml`, by id, with placeholders."""

from __future__ import annotations

import html as _html
import re
import string
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from plahelpers import _format, _theme
from plahelpers._guard import Other, Outcome
from plahelpers._validation import FloatArray

if TYPE_CHECKING:
    from plahelpers.checks.report import Case, Report

# What a function may use; whoever uses more is told these numbers.
LIMITS: Final = {"megabytes": 512.0, "output_kb": 64.0}

_NAMELESS: Final = ("", "answer", "truth")  # parts of an answer that are shown without their name
_MOST: Final = 50  # numbers in a row, or rows in a table, that are shown: more than any case has


class Note:
    """Something to say: the id of a message, and what fills its placeholders."""

    def __init__(self, id: str, **details: Any) -> None:
        self.id, self.details = id, details


class Section(NamedTuple):
    """A section of a chapter."""

    chapter: int
    title: str

    def __str__(self) -> str:
        return text("any.section", chapter=self.chapter, title=self.title)

    @property
    def link(self) -> str:
        """The words as a link."""
        return _format.section_link(_format.section_address(self.chapter, self.title), str(self))


class Paragraph(NamedTuple):
    """A sentence or a few, the label in front of them ("Tried", "Came out", …), and the section that they name."""

    text: str
    label: str = ""
    section: Section | None = None

    def __str__(self) -> str:
        return f"{self.label}: {self.text}" if self.label else self.text


class Row(NamedTuple):
    """One case in words."""

    passed: bool
    tried: str
    got: str
    expected: str
    trouble: str | None


@cache
def messages(language: str = "en") -> dict[str, Any]:
    """All messages of a language: {"pla": {"returns": …, "no_bias": {"what": …, "why": …, "read": …}}, …}."""
    files = _format.data_files("plahelpers.checks", language)
    return {name: table for tables in files.values() for name, table in tables.items()}


def find(id: str) -> Any:
    """The message "table.name": of that table, of those that it is `like`, or of those that all checks share."""
    table, _, name = id.partition(".")
    for each in (table, *messages().get(table, {}).get("like", ()), "any"):
        if name in messages().get(each, {}):
            return messages()[each][name]
    raise KeyError(id)


class _Formatter(string.Formatter):
    """Fills placeholders; {n:mistake} is "no mistakes", "1 mistake" or "2 mistakes", {text:capital} has a capital."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "capital":
            return capital(str(value))
        if format_spec in messages()["count"]:
            number = _format.number(value) if isinstance(value, float) else f"{value:,}"
            none, one, many = messages()["count"][format_spec]
            return str({"0": none, "1": one}.get(number, many)).replace("#", number)
        if isinstance(value, list):  # of notes
            return "; ".join(map(_text_of, value))
        return literal(value, 4) if isinstance(value, np.ndarray) else super().format_field(value, format_spec)


def text(id: str, **details: Any) -> str:
    """The message with its placeholders filled."""
    return _Formatter().format(find(id), **details)


def _text_of(note: Note) -> str:
    return text(note.id, **note.details)


def paragraphs(report: Report, *, advice: bool = True) -> list[Paragraph]:
    """All that is to be said; advice: also what only those can do who call the check themselves."""
    if report.about == "value":
        return _about_value(report)
    if report.is_blank:
        return _announcement(report)
    return _praise(report) if report.passed else _criticism(report, advice)


def rows(report: Report, *, advice: bool = True) -> list[Row]:
    """All cases in words; a case that is shown twice says so."""
    tried = [_tried(report, case) for case in report.cases]
    again = [f" {text('any.again')}" if words in tried[:k] else "" for k, words in enumerate(tried)]
    return [
        Row(case.passed, tried[k] + again[k], _came_out(report, case, advice), _expected(case), case.trouble)
        for k, case in enumerate(report.cases)
    ]


def mistake_text(report: Report) -> str:
    """What the known mistake is, why it is one, and where to read about it; nothing if none is known."""
    if report.known is None:
        return ""
    where = section(report)
    return _what_and_why(report.known) + (f" {text('any.read', section=where)}" if where else "")


def section(report: Report) -> Section | None:
    """The section to read."""
    if report.known is None:
        return None
    own = messages()[report.check].get("read") if report.about == "function" else None
    key = find(report.known.id).get("read", own)
    return Section(**messages()["sections"][key]) if key else None


def _what_and_why(mistake: Note) -> str:
    words = find(mistake.id)
    what, why = (_Formatter().format(words[key], **mistake.details) for key in ("what", "why"))
    return f"{what}. {why}"


def _praise(report: Report) -> list[Paragraph]:
    last = report.cases[-1]
    parts = [name for name in last.answer or {} if name not in _NAMELESS]
    called = text("any.called", call=_call(report))
    compared = f"{text('any.compared', parts=', '.join(parts))} {called}" if parts else called
    head = _head(report, "given" if report.given else "passed")
    return [head, *([Paragraph(compared)] if last.arguments else [])]


def _head(report: Report, id: str) -> Paragraph:
    title = messages()[report.check].get("title", report.check)
    return Paragraph(
        text(
            f"{report.check}.{id}",
            title=title,
            subject=report.subject or text("any.your_function"),
            right=sum(case.passed for case in report.cases),
            count=len(report.cases),
            came_out=_came_out(report, report.cases[-1]),
            names=_given_names(report),
        )
    )


def _announcement(report: Report) -> list[Paragraph]:
    """What is asked for, where nothing is written yet: the contract, and the smallest case."""
    case = report.cases[0]
    example = [_labelled("example", _tried(report, case))] if case.arguments else []
    contract = Paragraph(_contract(report))
    return [_head(report, "unwritten"), contract, *example, _labelled("expected", _expected(case))]


def _contract(report: Report) -> str:
    return text("any.should_return", returns=find(f"{report.check}.returns"))


def _criticism(report: Report, advice: bool) -> list[Paragraph]:
    lines = [_head(report, "failed"), *_followed(report)]
    if report.known:
        lines.append(_labelled("mistake", mistake_text(report), section(report)))
    if report.changed:
        names = ", ".join(report.changed)
        only = report.mistake == "modifies_inputs"
        lines.append(Paragraph(text("any.changed_only" if only else "any.changed_too", names=names)))
    lines += [*_example(report, advice), *(Paragraph(_text_of(note)) for note in report.notes)]
    if report.printed and (report.trouble or report.known is None):
        lines.append(_labelled("printed", short(report.printed, 200)))
    return lines


def _example(report: Report, advice: bool) -> list[Paragraph]:
    """The smallest case that is not right, in full."""
    wrong = [k for k, case in enumerate(report.cases) if is_example(case)]
    chosen = report.repeated or wrong[:1]
    if not chosen:
        return []
    case = report.cases[chosen[0]]
    answers = [_came_out(report, report.cases[k], advice) for k in chosen]
    came_out = text("any.first_and_then", first=answers[0], then=answers[1]) if report.repeated else answers[0]
    return [
        _labelled("tried", _tried(report, case)),
        _labelled("came_out", came_out),
        _labelled("expected", _expected(case)),
    ]


def is_example(case: Case) -> bool:
    """Does this case show what is wrong? (One with the right answer may still have changed its arguments.)"""
    return not case.right and case.outcome.kind != "not tried"


def _labelled(label: str, words: str, section: Section | None = None) -> Paragraph:
    return Paragraph(words, str(messages()["label"][label]), section)


def _about_value(report: Report) -> list[Paragraph]:
    wrong = {case.name: case.mistake for case in report.cases if case.mistake}
    if not wrong:
        details = {"what": report.subject, "value": _found(report), "names": _given_names(report)}
        noted, given = text("value.noted", **details), text("value.given", **details)
        return [Paragraph(noted if report.noted else given if report.given else text("value.passed", **details))]
    head = Paragraph(text("value.blank" if report.is_blank else "value.failed", what=report.subject))
    if len(set(wrong.values())) == 1 and len(wrong) == len(report.cases):  # one number, or all of them together
        return [head, Paragraph(_what_and_why(report.known))]  # type: ignore[arg-type]
    lines = [f"{text('value.failed', what=name)} {_what_and_why(problem)}" for name, problem in wrong.items()]
    return [head, *_followed(report), *map(Paragraph, lines)]


def _found(report: Report) -> str:
    values = [case.outcome.value for case in report.cases]
    return short(display(values if report.check == "numbers" else values[0]), 160)


def _given_names(report: Report) -> str:
    """The functions on which the answer is built: `pla`, or `pla` and `sign`."""
    *others, last = [f"`{name}`" for name in report.given] or [""]
    return text("any.and", others=", ".join(others), last=last) if others else last


def _followed(report: Report) -> list[Paragraph]:
    """What is right only because it follows from the learner's own functions, where other things are wrong."""
    parts = ", ".join(report.followed)
    return [Paragraph(text("any.followed", names=_given_names(report), parts=parts))] if parts else []


def _call(report: Report) -> str:
    return f"{report.subject or 'f'}({', '.join(report.cases[0].arguments)})"


def _tried(report: Report, case: Case) -> str:
    if report.about == "value":
        return case.name or report.subject
    values = ", ".join(f"{name} = {literal(value, 15)}" for name, value in case.arguments.items())
    if not values:
        return _call(report)
    types = {type(value) for value in case.arguments.values()}
    of_numpy = f" (numpy.{types.pop().__name__})" if all(issubclass(each, np.generic) for each in types) else ""
    return text("any.call_with", call=_call(report), values=values + of_numpy)


def _expected(case: Case) -> str:
    if isinstance(case.expected, Mapping):
        return _answer(case.expected)
    return _text_of(case.expected or Note("value.not_told"))


def _came_out(report: Report, case: Case, advice: bool = True) -> str:
    if case.trouble:
        return _trouble(report, case, advice)
    if case.remark:
        return _text_of(case.remark)
    if report.about == "value":
        return short(display(case.outcome.value), 160)
    if case.fits:
        return _answer(case.answer or {})
    if case.outcome.value is None:
        printed = f" {text('any.printed_is_no_answer')}" if case.outcome.printed else ""
        return f"{text('any.nothing')}{printed} {_contract(report)}"
    return f"{short(display(case.outcome.value), 160)}. {_contract(report)}"


def _answer(answer: Mapping[str, FloatArray]) -> str:
    return ", ".join(
        ("" if name in _NAMELESS else f"{name} = ")
        + short(literal(value.astype(bool) if name == "truth" and value in (0.0, 1.0) else value), 300)
        for name, value in answer.items()
    )


def _trouble(report: Report, case: Case, advice: bool) -> str:
    if report.unwritten:
        return text("any.not_tried_yet")
    outcome = case.outcome
    words = f": {short(outcome.message, 200)}" if outcome.message else ""
    sentence = text(
        f"trouble.{outcome.kind}",
        seconds=report.seconds / 4,
        **LIMITS,
        error=short(outcome.error, 60),
        words=words,
        end="" if words.endswith((".", "!", "?", "…")) else ".",
        message=short(outcome.message, 200),
    )
    at = [text("trouble.at", line=outcome.line, code=short(outcome.code, 160))] if outcome.code else []
    more = [text(f"trouble.{outcome.kind}_hint")] if f"{outcome.kind}_hint" in messages()["trouble"] else []
    more_time = [text("trouble.slow_advice")] if advice and outcome.kind == "slow" else []
    sizes = [text("trouble.sizes")] if _differ_by_one(outcome, case.arguments) else []
    sizes += [text("trouble.index")] if outcome.error == "IndexError" else []
    return " ".join([sentence, *at, *more, *more_time, *sizes])


# How NumPy complains, in @, in np.dot and in +, of two sizes that do not fit.
_SIZES: Final = re.compile(
    r"size (\d+) is different from (\d+)|: (\d+) \(dim \d\) != (\d+) \(dim"
    r"|shapes \((?:\d+,)?(\d+),?\) \((?:\d+,)?(\d+),?\)"
)


def _differ_by_one(outcome: Outcome, arguments: Mapping[str, Any]) -> bool:
    """Do two sizes differ by one? Often, w has its w₀ and an example has no x₀."""
    sizes = _SIZES.search(outcome.message) if {"x", "X"} & arguments.keys() else None
    if not sizes or outcome.kind != "raised":
        return False
    one, other = (int(size) for size in sizes.groups() if size)
    return abs(one - other) == 1


def literal(value: Any, digits: int = 8) -> str:
    """Numbers as one would type them in Python: 3, [1, 2], [[1, 2], [3, 4]].

    Two numbers that `same` tells apart also differ in their first 8 digits.
    """
    array = np.asarray(value)
    if array.ndim > 2:
        return text("any.array", shape=array.shape)
    if array.ndim:
        more = ["…"] if len(array) > _MOST else []
        return f"[{', '.join([literal(row, digits) for row in array[:_MOST]] + more)}]"
    return str(array.item()) if array.dtype.kind in "bi" else f"{float(array) + 0.0:.{digits}g}"


def display(value: Any, depth: int = 5) -> str:
    """Any value: numbers as one would type them, anything else as Python shows it; both shortened."""
    if isinstance(value, Other):
        return text("any.other", type=short(value.type, 60), value=short(value.text, 200))
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
        return text("any.other", type=short(type(value).__name__, 60), value=type(error).__name__)


def short(words: str, most: int) -> str:
    words = words.strip()
    return words if len(words) <= most else f"{words[: most - 1]}…"


def capital(words: str) -> str:
    """The words with a capital, unless they begin with a symbol or a name of a program: w₀, y, ρ, max_updates."""
    first = words.split(" ", 1)[0].rstrip(".,:;")
    ordinary = first == "a" or (len(first) > 1 and first.isascii() and first.isalpha())
    return words[:1].upper() + words[1:] if ordinary else words


def html(report: Report) -> str:
    """The report for a notebook; without colours of its own for text, so that it can be read on any page."""
    head, *rest = map(_paragraph_as_html, paragraphs(report))
    mark, colour = ("✓ ", _theme.POCKET) if report.passed else ("✗ ", _theme.MISTAKE)
    if report.is_blank or report.noted:
        mark, colour = "", _theme.FAINT
    return (
        f"<div style='border-left: 0.4em solid {colour}; padding: 0.2em 1em; margin: 0.5em 0'>"
        f"<p><strong>{mark}{head}</strong></p>{''.join(f'<p>{words}</p>' for words in rest)}{_folded(report)}</div>"
    )


def _paragraph_as_html(paragraph: Paragraph) -> str:
    words, section = _as_html(str(paragraph)), paragraph.section
    return words.replace(_html.escape(str(section)), section.link) if section else words


def _folded(report: Report) -> str:
    """All cases, if there are several: what came out, or what will be tried."""
    if len(report.cases) == 1:
        return ""
    summary = messages()["table"]["will_be_tried" if report.unwritten else "all"]
    return f"<details><summary>{summary}</summary>{_list(report) if report.unwritten else _table(report)}</details>"


def _list(report: Report) -> str:
    return f"<ol>{''.join(f'<li>{_as_html(row.tried)}</li>' for row in rows(report))}</ol>"


def _table(report: Report) -> str:
    words: Mapping[str, str] = messages()["table"]
    titles = ["", words["tried"], words["came_out"], words["expected"]]
    head = "".join(f"<th scope='col' style='text-align: left'>{title}</th>" for title in titles)
    cell = "<td style='text-align: left; overflow-wrap: break-word'>{}</td>"
    lines = "".join(
        f"<tr><td>{words['right'] if row.passed else words['not_right']}</td>"
        f"{''.join(cell.format(_as_html(words)) for words in (row.tried, row.got, row.expected))}</tr>"
        for row in rows(report)
    )
    return f"<table><tr>{head}</tr>{lines}</table>"


def _as_html(words: str) -> str:
    """Words whose `code` is shown as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _html.escape(words))

"""The pages: feedback for each student, a summary for the lecturer. Each is one file that needs no other.

Whatever a student wrote is shown as text, never as HTML.
"""

from __future__ import annotations

import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape
from statistics import mean, median
from typing import Any, Final
from urllib.parse import quote

from .results import Graded

_WORDS: Final = {
    "right": "right", "partly right": "partly right", "not right": "not right", "blank": "not answered",
    "by hand": "awaits grading", "not read": "not read", "graded": "graded by hand",
}  # fmt: skip
_SIGNS: Final = {
    "right": "✓",
    "partly right": "◐",
    "not right": "✗",
    "blank": "○",
    "by hand": "…",
    "not read": "✗",
    "graded": "✎",
}
_LABELS: Final = ("Likely mistake", "Tried", "Came out", "Expected", "It printed")


def feedback(name: str, it: Graded, odd: Sequence[str]) -> str:
    """What a student gets back."""
    remarks = [*odd, *it.result["remarks"]]
    parts = [
        f"<header><p class='kicker'>Feedback on {escape(name)}</p><h1>{escape(it.found.student)}</h1>",
        f"{_score(it)}</header>",
        _overview(it),
        *(_question(it, question) for question in it.questions),
        f"<section><h2>Remarks</h2><ul>{_items(remarks)}</ul></section>" if remarks else "",
    ]
    return _page(f"{name}: {it.found.student}", parts)


def _score(it: Graded) -> str:
    share = it.total / it.possible if it.possible else 0.0
    waiting = sum(question["max"] for question in it.questions if it.points(question) is None)
    so_far, more = (" graded so far", f"<p>{waiting:g} more await a human reader.</p>") if waiting else ("", "")
    return f"<p class='score'><strong>{it.total:g}</strong> of {it.possible:g} points{so_far}</p>{_bar(share)}{more}"


def _bar(share: float) -> str:
    return f"<span class='bar' aria-hidden='true'><span style='width: {100 * share:.1f}%'></span></span>"


def _overview(it: Graded) -> str:
    rows = "".join(
        f"<tr><td><a href='#q{k}'>{_inline(question['title'])}</a></td><td class='number'>{_points(it, question)}</td>"
        f"<td class='{_class(_state(it, question))}'>{_verdict(_state(it, question))}</td></tr>"
        for k, question in _numbered(it)
    )
    head = "<tr><th scope='col'>Question</th><th scope='col' class='number'>Points</th><th scope='col'></th></tr>"
    return f"<section><table class='overview'><thead>{head}</thead><tbody>{rows}</tbody></table></section>"


def _numbered(it: Graded) -> Iterable[tuple[int, dict[str, Any]]]:
    return enumerate(it.questions, 1)


def _state(it: Graded, question: dict[str, Any]) -> str:
    return "graded" if question["id"] in it.by_hand else str(question["state"])


def _class(state: str) -> str:
    return state.replace(" ", "-")


def _verdict(state: str) -> str:
    return f"<span aria-hidden='true'>{_SIGNS[state]}</span> {_WORDS[state]}"


def _points(it: Graded, question: dict[str, Any]) -> str:
    points = it.points(question)
    return f"{'–' if points is None else f'{points:g}'} / {question['max']:g}"


def _question(it: Graded, question: dict[str, Any]) -> str:
    number = it.questions.index(question) + 1
    state = _state(it, question)
    comment = it.by_hand.get(question["id"], (0.0, ""))[1]
    parts = [
        f"<section id='q{number}' class='question {_class(state)}'><h2>{_inline(question['title'])}</h2>",
        f"<p class='verdict'>{_verdict(state)} · {_points(it, question)} points</p>",
        _messages(question["messages"]),
        f"<p class='comment'>{_inline(comment)}</p>" if comment else "",
        f"<h3>Your answer</h3><pre class='answer'>{escape(question['answer'])}</pre>" if question["answer"] else "",
        "<p>There is no text in the cell for this answer.</p>" if question["by_hand"] and state == "blank" else "",
        _cases(question["cases"]),
        "</section>",
    ]
    return "".join(parts)


def _messages(messages: Sequence[str]) -> str:
    """The sentences of a check; those that begin with a label are set as a list of labels."""
    html, labelled = list[str](), list[str]()
    for message in messages:
        label = next((it for it in _LABELS if message.startswith(f"{it}: ")), None)
        if label:
            words = _inline(message.removeprefix(f"{label}: "))
            labelled.append(f"<div class='{label.split()[0].lower()}'><dt>{label}</dt><dd>{words}</dd></div>")
        else:
            html.append(f"<p>{_inline(message)}</p>")
    return "".join(html[:1] + ([f"<dl>{''.join(labelled)}</dl>"] if labelled else []) + html[1:])


def _cases(cases: Sequence[dict[str, Any]]) -> str:
    """All cases, folded; a single one has been told already."""
    if len(cases) < 2:
        return ""
    rows = "".join(
        f"<tr><td>{'✓ right' if case['passed'] else '✗ not right'}</td>"
        + "".join(f"<td>{_inline(case[name])}</td>" for name in ("tried", "got", "expected"))
        + "</tr>"
        for case in cases
    )
    head = "".join(f"<th scope='col'>{word}</th>" for word in ("", "tried", "came out", "expected"))
    right = sum(case["passed"] for case in cases)
    return (
        f"<details><summary>All {len(cases)} cases, {right} of them right</summary>"
        f"{_table(f'<tr>{head}</tr>', rows)}</details>"
    )


def summary(name: str, graded: Sequence[Graded], flags: Sequence[Sequence[str]]) -> str:
    """What the lecturer wants to know."""
    totals = [it.total for it in graded]
    complete = all(it.complete for it in graded)
    note = "" if complete else " Points given by hand are still to come; all figures are of what is graded so far."
    parts = [
        f"<header><p class='kicker'>Summary</p><h1>{escape(name)}</h1>",
        f"<p class='score'><strong>{len(graded)}</strong> submissions · mean {mean(totals):.1f} · median",
        f"{median(totals):.1f} of {max(it.possible for it in graded):g} points</p><p>{note}</p></header>",
        f"<section><h2>Scores</h2>{_histogram(graded)}</section>",
        f"<section><h2>Questions</h2>{_questions(graded)}</section>",
        f"<section><h2>Known mistakes</h2>{_mistakes(graded)}</section>",
        f"<section><h2>To look at</h2>{_flagged(graded, flags)}</section>",
        f"<section><h2>Everybody</h2>{_everybody(graded)}</section>",
    ]
    return _page(f"{name}: summary", parts, wide=True)


def _histogram(graded: Sequence[Graded]) -> str:
    """How many students reached which tenth of the points."""
    shares = [it.total / it.possible if it.possible else 0.0 for it in graded]
    counts = [0] * 10
    for share in shares:
        counts[min(9, int(10 * share + 1e-9))] += 1
    words = ", ".join(f"{count} with {10 * k} to {10 * k + 10}%" for k, count in enumerate(counts) if count)
    return _bars(counts, f"Histogram of {len(graded)} scores, in percent of the points: {words}.")


def _bars(counts: Sequence[int], alternative: str) -> str:
    width, height, foot, top, side = 640, 220, 34, 22, 24
    step, tallest = (width - 2 * side) / len(counts), max(counts)
    shapes = []
    for k, count in enumerate(counts):
        tall = (height - foot - top) * count / tallest
        x, y = side + k * step, height - foot - tall
        shapes.append(f"<rect x='{x + 2:.1f}' y='{y:.1f}' width='{step - 4:.1f}' height='{tall:.1f}' rx='2'/>")
        if count:
            shapes.append(f"<text x='{x + step / 2:.1f}' y='{y - 6:.1f}' text-anchor='middle'>{count}</text>")
    for k in range(0, len(counts) + 1, 2):
        x = side + k * step
        shapes.append(f"<text x='{x:.1f}' y='{height - 14}' text-anchor='middle' class='tick'>{10 * k}%</text>")
    ground = height - foot + 0.5
    return (
        f"<figure><svg viewBox='0 0 {width} {height}' role='img' aria-label='{escape(alternative, quote=True)}'>"
        f"<title>{escape(alternative)}</title>{''.join(shapes)}"
        f"<line x1='{side}' x2='{width - side}' y1='{ground}' y2='{ground}'/></svg>"
        "<figcaption>students by their share of the points</figcaption></figure>"
    )


def _questions(graded: Sequence[Graded]) -> str:
    """Each question with the share of its points that the class reached, the hardest marked."""
    rows = []
    for k, question in enumerate(graded[0].questions):
        given = [points for it in graded if (points := it.points(it.questions[k])) is not None]
        share = mean(given) / question["max"] if given and question["max"] else None
        rows.append((question, share, sum(it.questions[k]["state"] == "blank" for it in graded)))
    known = [share for _, share, _ in rows if share is not None]
    hardest = min(known) if known and min(known) < max(known) else None
    cells = "".join(
        f"<tr><td>{_inline(question['title'])} <small>{escape(question['id'])}</small></td>"
        f"<td class='number'>{question['max']:g}</td>"
        + (
            "<td>awaits grading</td>" if share is None else
            f"<td class='share'>{_bar(share)} {100 * share:.0f}%"
            f"{' <strong>hardest</strong>' if share == hardest else ''}</td>"
        )
        + f"<td class='number'>{blank}</td></tr>"
        for question, share, blank in rows
    )  # fmt: skip
    head = _head("Question", "#Points", "Reached by the class", "#Not answered")
    return _table(head, cells)


def _mistakes(graded: Sequence[Graded]) -> str:
    """How many students made which known mistake, the most frequent first."""
    who: dict[tuple[int, str], list[Graded]] = defaultdict(list)
    words: dict[tuple[int, str], tuple[str, str]] = {}
    for it in graded:
        for number, question in _numbered(it):
            if question["mistake"]:
                key = (number, question["mistake"])
                who[key].append(it)
                words[key] = (question["title"], question["meaning"])
    if not who:
        return "<p>Nobody made a mistake that is in the bank.</p>"
    rows = "".join(
        f"<tr><td class='number'>{len(who[key])}</td><td>{_inline(words[key][0])}</td>"
        f"<td>{_meaning(words[key][1] or key[1])}</td><td class='who'>{', '.join(map(_link, who[key]))}</td></tr>"
        for key in sorted(who, key=lambda key: (-len(who[key]), key))
    )
    return _table(_head("#Students", "Question", "Mistake", "Who"), rows)


def _meaning(words: str) -> str:
    """What a mistake is, and smaller, what is to be said about it."""
    what, stop, more = words.partition(". ")
    return f"{_inline(what[:1].upper() + what[1:])}{stop}<br><small>{_inline(more)}</small>"


def _flagged(graded: Sequence[Graded], flags: Sequence[Sequence[str]]) -> str:
    """Submissions that somebody should look at: odd ids, cells that did not run, tests that may be at fault."""
    rows = []
    for it, odd in zip(graded, flags, strict=True):
        broken = [
            f"Perhaps the test of “{question['title']}” is at fault: {question['messages'][0]}"
            for question in it.questions if question["broken"]
        ]  # fmt: skip
        said = [*odd, *broken, *it.result["remarks"]]
        if said:
            rows.append(f"<tr><td>{_link(it)}</td><td><ul>{_items(said)}</ul></td></tr>")
    if not rows:
        return "<p>Nothing: every notebook ran from top to bottom, and every id is its owner's.</p>"
    return _table(_head("Student", "What happened"), "".join(rows))


def _everybody(graded: Sequence[Graded]) -> str:
    rows = "".join(
        f"<tr><td>{_link(it)}</td><td class='number'><strong>{it.total:g}</strong></td>"
        + "".join(f"<td class='number'>{_points(it, question).split(' /')[0]}</td>" for question in it.questions)
        + "</tr>"
        for it in graded
    )
    head = _head("Student", "#Total", *(f"#{question['id']}" for question in graded[0].questions))
    return _table(head, rows)


def _table(head: str, rows: str) -> str:
    """A table that scrolls by itself where the page is too narrow for it."""
    return f"<div class='wide'><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>"


def _link(it: Graded) -> str:
    return f"<a href='feedback/{quote(it.found.safe_name)}.html'>{escape(it.found.student)}</a>"


def _head(*words: str) -> str:
    """The head of a table; over a column of numbers the word begins with #."""
    cells = (
        f"<th scope='col'{' class=number' if word.startswith('#') else ''}>{escape(word.removeprefix('#'))}</th>"
        for word in words
    )
    return f"<tr>{''.join(cells)}</tr>"


def _items(sentences: Sequence[str]) -> str:
    return "".join(f"<li>{_inline(sentence)}</li>" for sentence in sentences)


def _inline(text: str) -> str:
    """Text as HTML: escaped, and what stands between backticks set as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _page(title: str, parts: Sequence[str], *, wide: bool = False) -> str:
    style = (pkgutil.get_data(__package__, "page.css") or b"").decode()
    return (
        f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        f"<meta name='viewport' content='width=device-width, initial-scale=1'><style>{style}</style></head>\n"
        f"<body><main{' class=broad' if wide else ''}>{chr(10).join(parts)}</main></body></html>\n"
    )

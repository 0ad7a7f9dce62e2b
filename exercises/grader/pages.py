"""The pages: feedback for each student, a summary for the lecturer. Each is one file that needs no other.

The HTML stands in templates/, where Jinja2 escapes all that a student wrote; here the figures are worked out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .results import Grade

_STATES: Final = {
    "right": {"sign": "✓", "words": "right"},
    "partly right": {"sign": "◐", "words": "partly right"},
    "not right": {"sign": "✗", "words": "not right"},
    "noted": {"sign": "·", "words": "noted"},
    "blank": {"sign": "○", "words": "not answered"},
    "by hand": {"sign": "…", "words": "awaits grading"},
    "not gradable": {"sign": "✗", "words": "not gradable"},
    "not graded": {"sign": "…", "words": "not graded yet"},
    "graded": {"sign": "✎", "words": "graded by hand"},
}
_FOLDER: Final = Path(__file__).parent
_TEMPLATES: Final = Environment(
    loader=FileSystemLoader([_FOLDER / "templates", _FOLDER]),  # page.css stands beside this file
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals["states"] = _STATES
_TEMPLATES.filters["number"] = "{:g}".format
_TEMPLATES.filters["split_code"] = lambda text: re.split(r"`([^`]+)`", text)  # every second part is code
_NO_REASON: Final = (None, "another_number", "another_letter")  # of a value: it is another one, and nobody knows why


def feedback(name: str, grade: Grade, odd: Sequence[str]) -> str:
    """What a student gets back; odd are sentences on whose submission it is."""
    remarks = [*odd, *grade.result["remarks"]]
    return _TEMPLATES.get_template("feedback.html").render(name=name, grade=grade, remarks=remarks)


def summary(name: str, grades: Sequence[Grade], flags: Sequence[Sequence[str]]) -> str:
    """What the lecturer wants to know."""
    graded = [grade for grade in grades if not grade.failed]
    readable = [grade for grade in graded if grade.questions[0]["state"] != "not gradable"]
    totals = [grade.total for grade in graded]
    return _TEMPLATES.get_template("summary.html").render(
        name=name,
        grades=grades,
        graded=graded,
        failed=[grade for grade in grades if grade.failed],
        unreadable=[grade for grade in graded if grade not in readable],
        mean=mean(totals or [0]),
        median=median(totals or [0]),
        possible=max(grade.possible for grade in readable or grades),
        complete=not any(grade.waiting for grade in graded),
        counts=_tenths([grade.share for grade in graded]),
        questions=_questions(readable),
        mistakes=_mistakes(readable),
        unexplained=_unexplained(readable),
        flagged=_flagged(grades, flags),
        columns=[("Student", False), ("Total", True), *((question["id"], True) for question in grades[0].questions)],
    )


def _tenths(shares: Sequence[float]) -> list[int]:
    """How many students reached which tenth of the points."""
    tenths = [min(9, int(10 * share + 1e-9)) for share in shares]
    return [tenths.count(k) for k in range(10)]


def _questions(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Each question with the share of its points that the class reached, the hardest marked."""
    rows: list[dict[str, Any]] = []
    for k, question in enumerate(grades[0].questions if grades else ()):
        given = [points for grade in grades if (points := grade.points(grade.questions[k])) is not None]
        share = mean(given) / question["max"] if given and question["max"] else None
        blank = sum(grade.questions[k]["state"] == "blank" for grade in grades)
        rows.append({"question": question, "share": share, "blank": blank})
    shares = [row["share"] for row in rows if row["share"] is not None]
    lowest = min(shares) if shares and min(shares) < max(shares) else None
    words = "hardest" if shares.count(lowest) == 1 else "one of the hardest"
    return [{**row, "hardest": words if lowest is not None and row["share"] == lowest else ""} for row in rows]


def _wrong(grades: Sequence[Grade]) -> Iterator[tuple[Grade, int, dict[str, Any]]]:
    """Each answer that is not right by itself: (whose, the question's number on the page, the question).

    An answer that is built on a function that is not right may only follow from that, and is left out.
    """
    for grade in grades:
        lost = {question["id"] for question in grade.questions if (grade.points(question) or 0) < question["max"]}
        for number, question in enumerate(grade.questions, 1):
            by_itself = question["state"] in ("not right", "partly right") and not lost & set(question["built_on"])
            if by_itself and not question["by_hand"]:
                yield grade, number, question


def _mistakes(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Which students made which known mistake, the most frequent first."""
    found: dict[tuple[int, str], list[tuple[Grade, dict[str, Any]]]] = defaultdict(list)
    for grade, number, question in _wrong(grades):
        if question["mistake"] not in _NO_REASON:
            found[number, question["mistake"]].append((grade, question))
    rows = []
    for key, pairs in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        meaning, stop, advice = (pairs[0][1]["meaning"] or key[1]).partition(". ")
        words = {"meaning": meaning[:1].upper() + meaning[1:] + stop, "advice": advice}
        rows.append({"grades": [grade for grade, _ in pairs], "title": pairs[0][1]["title"], **words})
    return rows


def _unexplained(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Who has an answer that is not right, without a known mistake, by question."""
    rows: dict[int, dict[str, Any]] = {}
    for grade, number, question in _wrong(grades):
        if question["mistake"] in _NO_REASON:
            row = rows.setdefault(number, {"title": question["title"], "anchor": f"#q{number}", "grades": []})
            row["grades"].append(grade)
    return [rows[number] for number in sorted(rows)]


def _flagged(grades: Sequence[Grade], flags: Sequence[Sequence[str]]) -> list[tuple[Grade, list[str]]]:
    """Submissions that somebody should look at: odd ids, tests that may be at fault, errors."""
    rows = []
    for grade, odd in zip(grades, flags, strict=True):
        broken = [
            f"Perhaps the test of “{question['title']}” is at fault: {question['messages'][0]}"
            for question in grade.questions
            if question["broken"]
        ]
        rows.append((grade, [*odd, *broken, *grade.result["remarks"]]))
    return [row for row in rows if row[1]]

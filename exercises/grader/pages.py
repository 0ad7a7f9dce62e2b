"""The pages: feedback for each student, a summary for the lecturer. Each is one file that needs no other.

The HTML stands in templates/, where Jinja2 escapes all that a student wrote; here the figures are worked out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .results import Grade

_STATES: Final = {
    "right": {"sign": "✓", "words": "right"},
    "partly right": {"sign": "◐", "words": "partly right"},
    "not right": {"sign": "✗", "words": "not right"},
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


def feedback(name: str, grade: Grade, odd: Sequence[str]) -> str:
    """What a student gets back; odd are sentences on whose submission it is."""
    remarks = [*odd, *grade.result["remarks"]]
    return _TEMPLATES.get_template("feedback.html").render(name=name, grade=grade, remarks=remarks)


def summary(name: str, grades: Sequence[Grade], flags: Sequence[Sequence[str]]) -> str:
    """What the lecturer wants to know."""
    totals = [grade.total for grade in grades]
    return _TEMPLATES.get_template("summary.html").render(
        name=name,
        grades=grades,
        mean=mean(totals),
        median=median(totals),
        possible=max(grade.possible for grade in grades),
        complete=all(grade.complete for grade in grades),
        histogram=_histogram([grade.share for grade in grades]),
        questions=_questions(grades),
        mistakes=_mistakes(grades),
        flagged=_flagged(grades, flags),
        columns=[("Student", False), ("Total", True), *((question["id"], True) for question in grades[0].questions)],
    )


def _histogram(shares: Sequence[float]) -> dict[str, Any]:
    """How many students reached which tenth of the points: bars, axis and a description."""
    counts = [0] * 10
    for share in shares:
        counts[min(9, int(10 * share + 1e-9))] += 1
    width, height, foot, top, side = 640, 220, 34, 22, 24
    step, ground = (width - 2 * side) / len(counts), height - foot
    bars = []
    for k, count in enumerate(counts):
        tall = round((ground - top) * count / max(counts), 1)
        x = round(side + k * step + 2, 1)
        bars.append({"count": count, "x": x, "y": round(ground - tall, 1), "width": round(step - 4, 1), "height": tall})
    parts = ", ".join(f"{count} with {10 * k} to {10 * k + 10}%" for k, count in enumerate(counts) if count)
    return {
        "width": width,
        "height": height,
        "left": side,
        "right": width - side,
        "ground": ground + 0.5,
        "bars": bars,
        "ticks": [(10 * k, round(side + k * step, 1)) for k in range(0, len(counts) + 1, 2)],
        "text": f"Histogram of {len(shares)} scores, in percent of the points: {parts}.",
    }


def _questions(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Each question with the share of its points that the class reached, the hardest marked."""
    rows: list[dict[str, Any]] = []
    for k, question in enumerate(grades[0].questions):
        given = [points for grade in grades if (points := grade.points(grade.questions[k])) is not None]
        share = mean(given) / question["max"] if given and question["max"] else None
        blank = sum(grade.questions[k]["state"] == "blank" for grade in grades)
        rows.append({"question": question, "share": share, "blank": blank})
    shares = [row["share"] for row in rows if row["share"] is not None]
    hardest = min(shares) if shares and min(shares) < max(shares) else None
    return [{**row, "hardest": row["share"] is not None and row["share"] == hardest} for row in rows]


def _mistakes(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Which students made which known mistake, the most frequent first."""
    students: dict[tuple[int, str], list[Grade]] = defaultdict(list)
    questions: dict[tuple[int, str], dict[str, Any]] = {}
    for grade in grades:
        for number, question in enumerate(grade.questions, 1):
            if question["mistake"]:
                students[number, question["mistake"]].append(grade)
                questions[number, question["mistake"]] = question
    rows = []
    for key in sorted(students, key=lambda key: (-len(students[key]), key)):
        meaning, stop, advice = (questions[key]["meaning"] or key[1]).partition(". ")
        meaning = meaning[:1].upper() + meaning[1:] + stop
        rows.append({"grades": students[key], "title": questions[key]["title"], "meaning": meaning, "advice": advice})
    return rows


def _flagged(grades: Sequence[Grade], flags: Sequence[Sequence[str]]) -> list[tuple[Grade, list[str]]]:
    """Submissions that somebody should look at: odd ids, cells that did not run, tests that may be at fault."""
    rows = []
    for grade, odd in zip(grades, flags, strict=True):
        broken = [
            f"Perhaps the test of “{question['title']}” is at fault: {question['messages'][0]}"
            for question in grade.questions
            if question["broken"]
        ]
        sentences = [*odd, *broken, *grade.result["remarks"]]
        if sentences:
            rows.append((grade, sentences))
    return rows

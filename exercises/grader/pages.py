"""The pages: feedback for each student, a summary for the lecturer. Jinja2 escapes all that a student wrote."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .results import Grade
from .submissions import folded

_FOLDER: Final = Path(__file__).parent
_TEMPLATES: Final = Environment(
    loader=FileSystemLoader([_FOLDER / "templates", _FOLDER]),  # page.css stands beside this file
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters["number"] = "{:g}".format
_TEMPLATES.filters["split_code"] = lambda text: re.split(r"`([^`]+)`", text)  # every second part is code
# Of a value: it is another one, or not there, and nobody knows why.
_NO_REASON: Final = (None, "another_number", "another_letter", "no_value", "no_values", "no_letter")


def feedback(name: str, grade: Grade, model_answers: Mapping[str, str]) -> str:
    """What a student gets back; model_answers are {question: safe HTML}, if they may be shown."""
    return _TEMPLATES.get_template("feedback.html").render(name=name, grade=grade, model_answers=model_answers)


def summary(name: str, grades: Sequence[Grade]) -> str:
    graded = [grade for grade in grades if not grade.failed]
    readable = [grade for grade in graded if grade.questions[0]["state"] != "not gradable"]
    totals = [grade.total for grade in graded]
    tenths = Counter(min(9, int(10 * grade.total / (grade.possible or 1) + 1e-9)) for grade in graded)
    return _TEMPLATES.get_template("summary.html").render(
        name=name,
        grades=grades,
        graded=graded,
        unreadable=[grade for grade in graded if grade not in readable],
        mean=mean(totals or [0]),
        median=median(totals or [0]),
        possible=max(grade.possible for grade in readable or grades),
        complete=not any(grade.waiting for grade in graded),
        counts=[tenths[k] for k in range(10)],
        questions=_questions(readable),
        mistakes=_mistakes(readable),
        flagged=_flagged(grades),
    )


def _questions(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Each question with the share of its points that the class reached."""
    rows = list[dict[str, Any]]()
    for same in zip(*(grade.questions for grade in grades), strict=True):
        given = [question["points"] for question in same if question["points"] is not None]
        share = mean(given) / same[0]["max"] if given and same[0]["max"] else None
        rows.append({"question": same[0], "share": share})
    return rows


def _mistakes(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Which students made which mistake, the most frequent first; at the end those that the checks do not know."""
    rows: dict[tuple[int, str], dict[str, Any]] = defaultdict(lambda: {"grades": []})
    for grade in grades:
        for number, question in enumerate(grade.questions, 1):
            if question["state"] in ("not right", "partly right") and not question["by_hand"]:
                known = question["mistake"] not in _NO_REASON
                meaning = question["meaning"] if known else ""
                row = rows[number, question["mistake"] if known else ""]
                row |= {"title": question["title"], "anchor": f"#q{number}", "meaning": meaning}
                row["grades"].append(grade)
    return sorted(rows.values(), key=lambda row: (not row["meaning"], -len(row["grades"])))


def _flagged(grades: Sequence[Grade]) -> list[tuple[Grade, list[str]]]:
    """Submissions that somebody should look at: odd ids, tests that may be at fault, errors."""
    often, rows = Counter(folded(grade.student) for grade in grades), []
    for grade in grades:
        shared = grade.student and often[folded(grade.student)] > 1
        sentences = [f"The id “{grade.student}” stands in more than one submission."] if shared else []
        broken = [question for question in grade.questions if question["broken"]]
        sentences += [f"Perhaps the test of “{each['title']}” is at fault: {each['messages'][0]}" for each in broken]
        rows.append((grade, [*sentences, *grade.remarks]))
    return [row for row in rows if row[1]]

"""Grade one submission: what its code did in the sandbox is held against the tests of the source notebook, here.

The tests are the locked cells of the source, never the submission's copies. The names they use and do not define are
the student's: a function arrives as something that can be called and runs in the sandbox, a number, text, list or array
arrives as such. What a locked cell of the source defines is computed here, from the source. The result is plain data.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from plahelpers._guard import Outcome
from plahelpers.checks import Report, sentences
from plahelpers.checks.report import recording

from . import answers
from .notebook import Assignment, Question, Submission, UnreadableError, may_define, names_in, needed_by
from .sandbox import Limits
from .session import Session, StudentError

_MAX_SENTENCES: Final = 50  # remarks on one notebook, cases of one question
_MAX_PICTURES: Final = 600_000  # characters: all pictures of one question together
_MAX_ID: Final = 100
_NO_ID: Final = "There is no `student`: your id belongs into the first cell, and your numbers depend on it."
# What to add to an error that comes of being graded, by words in its name or message.
_HINTS: Final = {
    r"No such file|Permission denied|Read-only": "While it is graded, a notebook sees no files but its own.",
    r"[Nn]etwork|Connection|urlopen|gaierror": "While it is graded, a notebook has no network.",
    r"No space left|File too large": "While it is graded, a notebook has little room for files.",
    r"ModuleNotFound": "While it is graded, only the packages of the course are there.",
}


@dataclass(frozen=True)
class Verdict:
    """What is said about one question."""

    points: float | None  # None: still to be graded
    state: str  # "right", "partly right", "not right", "noted", "blank", "by hand", "not gradable", "not graded"
    messages: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()  # (label, text), such as ("Expected", "+1")
    parts: tuple[dict[str, Any], ...] = ()  # where parts have points of their own: name, right, follows, points, max
    given: str = ""  # what the points rest on: "given your `pla` (question 4)"
    cases: tuple[dict[str, Any], ...] = ()  # what was tried, came out, was expected
    mistake: str | None = None  # the id of a known mistake …
    meaning: str = ""  # … and what it is
    answer: str = ""  # the answer to be graded by hand, as safe HTML
    drawn: tuple[str, ...] = field(default_factory=tuple)  # the pictures before it, as data: URIs
    broken: bool = False  # the test itself may be at fault


def grade(source: bytes, submission: bytes, template: Path, limits: Limits) -> dict[str, Any]:
    """The result of one submission; with the slowest cell and call, for whoever measures the model solution."""
    assignment = Assignment(source)
    try:
        work = Submission(submission, assignment)
    except UnreadableError as error:
        return not_graded(assignment, str(error))
    with closing(Session(work.runs, template, limits)) as session:
        session.run()
        judge = Judge(work, session, limits)
        verdicts = [judge.verdict(question) for question in assignment.questions]
        result = _result(assignment, verdicts, [*work.remarks, *judge.remarks()], judge.student)
        return result | {"slowest": session.slowest}


def not_graded(assignment: Assignment, reason: str, *, failed: bool = False) -> dict[str, Any]:
    """The result of something that could not be graded at all: no points, or, if it is we who failed, none yet."""
    verdict = Verdict(None, "not graded", (reason,)) if failed else Verdict(0.0, "not gradable", (reason,))
    return _result(assignment, [verdict] * len(assignment.questions), [reason], "") | {"failed": failed}


def _result(assignment: Assignment, verdicts: list[Verdict], remarks: list[str], student: str) -> dict[str, Any]:
    """A result as plain data, whose size is bounded whatever was handed in."""
    questions = list[dict[str, Any]]()
    for question, verdict in zip(assignment.questions, verdicts, strict=True):
        about = {"id": question.id, "title": question.title, "max": question.points, "by_hand": question.by_hand}
        messages = {"messages": _bounded(verdict.messages), "built_on": assignment.built_on(question)}
        questions.append({**about, **vars(verdict), **messages})
    return {"student": student, "questions": questions, "remarks": _bounded(remarks), "failed": False}


def _bounded(sentences: Sequence[str]) -> list[str]:
    """The first sentences, none of them endless, and how many more there are."""
    more = [f"… and {len(sentences) - _MAX_SENTENCES:,} more."] if len(sentences) > _MAX_SENTENCES else []
    return [*(_short(sentence, 1000) for sentence in sentences[:_MAX_SENTENCES]), *more]


class Judge:
    """Holds one submission, as it runs, against the questions."""

    def __init__(self, work: Submission, session: Session, limits: Limits) -> None:
        self.work, self.session, self.limits, self.assignment = work, session, limits, work.assignment
        self.attempts: dict[str, bool] = {}  # so far, by the question's id: did the function do anything of its task?
        self.ours: dict[str, Any] = {}  # what locked cells of the source have defined here
        self.theirs: dict[str, tuple[str, Any]] = {"student": session.look("student")}  # one id, for all questions
        kind, value = self.theirs["student"]
        is_id = kind == "value" and isinstance(value, str | int)
        self.student = _short(str(value).strip(), _MAX_ID) if is_id else ""

    def verdict(self, question: Question) -> Verdict:
        return self._written(question) if question.by_hand else self._tested(question)

    def remarks(self) -> list[str]:
        """Where the notebook did not run as it should: the first causes, and how much came of them."""
        # A NotImplementedError only says that nothing has been written there yet.
        every = [k for k, outcome in sorted(self.session.failed.items()) if outcome.error != "NotImplementedError"]
        causes = [k for k in every if self._cause_of(k) == k]
        remarks = [] if self.student else [_NO_ID]
        remarks += map(self._remark, causes)
        if more := len(every) - len(causes):
            words = "cell failed, because a name was" if more == 1 else "cells failed, because names were"
            remarks.append(f"So {more} more {words} missing.")
        if self.session.left <= 0:
            remarks.append(
                f"All the {self.limits.total_seconds:g} seconds of one notebook were spent; the rest was not tried."
            )
        return remarks

    def _written(self, question: Question) -> Verdict:
        written = self.work.written(question)
        if not written.text:
            where = "in its cell" if written.found else "because its cell is not in the notebook any more"
            return Verdict(None, "blank", (f"No answer was found {where}.",))
        pictures = _fitting({name: answers.picture(data) for name, data in [*written.pasted.items()][:20]})
        drawn = _fitting(dict(enumerate(answers.picture(data) for data in written.drawn[-3:])))
        html = answers.as_html(written.text, pictures)
        return Verdict(None, "by hand", answer=html, drawn=tuple(filter(None, drawn.values())))

    # --- One test

    def _tested(self, question: Question) -> Verdict:
        names = needed_by(question.cell.source)
        verdict = self._test(question, names)
        if verdict.points:
            return verdict
        # If what the test needs stands only in a cell that is still as it was handed out, that is the thing to say.
        asked = names - self.assignment.asked_before(question).keys()
        blank = [f"`{name}`" for name in sorted((asked or names) - {"student"}) if self.work.is_unwritten(name)]
        if blank:
            return Verdict(0.0, "blank", (f"{_list(blank)}: not written yet. The cell is still as it was handed out.",))
        return verdict if self.student or "student" not in names else Verdict(0.0, "not right", (_NO_ID,))

    def _test(self, question: Question, names: set[str]) -> Verdict:
        with recording() as reports:
            try:
                space = {name: value for name in sorted(names) for value in self._find(name)}
                value = run_test(question.cell.source, space)
            except AssertionError as error:
                failed = bool(reports) and not reports[-1][0].passed
                report = self._from_report(question, reports[-1][0], (), 0.0) if failed else None
                return report or self._not_right(names, str(error) or "A test did not hold.")
            except NameError as error:
                return self._missing(str(error.name))
            except StudentError as error:
                words = f"The test called `{error.name}`: {self._in_words(error.outcome)}{_in_cell(error.outcome)}"
                return self._not_right(names | _missing_names(error.outcome), words)
            except MemoryError:  # ours: a student's own comes as a StudentError
                raise
            except Exception as error:
                words = f"The test could not use what the notebook gave it ({type(error).__name__}: {error})."
                return replace(self._not_right(names, words), broken=True)
        points = _points(value, question.points)
        if reports:
            return self._from_report(question, *reports[-1], points)
        return Verdict(points, _state(points, question.points))

    def _find(self, name: str) -> list[Any]:
        """What a name of a test stands for; nothing, if neither we nor the student have defined it."""
        locked = [cell for cell in self.assignment.locked.values() if name in names_in(cell.source)]
        if locked:
            if name not in self.ours:
                needed = sorted(needed_by(locked[-1].source))
                self.ours |= {other: value for other in needed for value in self._find(other)}
                run_test(locked[-1].source, self.ours)
            return [self.ours[name]]
        if name not in self.theirs:
            self.theirs[name] = self.session.look(name)
        kind, value = self.theirs[name]
        return [] if kind == "nothing" else [value]

    # --- What to say

    def _from_report(self, question: Question, report: Report, worth: Sequence[float], points: float) -> Verdict:
        """The verdict of `plahelpers.checks`."""
        self.attempts[question.id] = report.is_attempt
        report = replace(report, seconds=4 * self.limits.call_seconds)  # a case may take a quarter
        messages, details = _words_of(report)
        if report.is_blank:
            return Verdict(0.0, "blank", messages, details)
        parts, given = _parts(report, worth), self._given(report)
        if empty := [name for name in report.given if not self._is_attempt(question, name)]:
            return _nothing_follows(question, report, points, parts, empty)
        if parts and points < sum(part["points"] for part in parts):
            messages = (*messages, f"It costs {min(worth):g} besides that the arguments were changed.")
        if parts and points > sum(part["points"] for part in parts):
            messages = (*messages, "Your mistake is a known one. It leaves at least a quarter of the points.")
        state, solution = "noted" if report.noted else _state(points, question.points), _solution(report)
        if state == "right":
            names = _list(f"`{name}`" for name in report.given)
            right = (f"With a right {names} it is {solution}.",) if given and solution else ()
            return Verdict(points, state, right, parts=parts, given=given)
        if not report.passed and solution:
            details = (*details, ("Right answer" if report.check == "choice" else "Right for your data", solution))
        missing = set().union(*(_missing_names(case.outcome) for case in report.cases))
        return Verdict(
            points=points,
            state=state,
            messages=(*messages, *self._causes(needed_by(question.cell.source) | missing)),
            details=details,
            parts=parts,
            given=given,
            cases=_cases(report),
            mistake=report.mistake,
            meaning=report.mistake_text or messages[-1],
        )

    def _given(self, report: Report) -> str:
        """What the points rest on, in words: "given your `pla` (question 4)"."""
        asked = {name: self.assignment.where_defined(name) for name in report.given}
        names = _list(f"`{name}`" + (f" ({where})" if where else "") for name, where in asked.items())
        return f"given your {names}" if names else ""

    def _is_attempt(self, question: Question, name: str) -> bool:
        """Did an earlier function do anything of its task: an unseen case right, or a known mistake?"""
        return self.attempts.get(self.assignment.asked_before(question).get(name, ""), True)

    def _not_right(self, names: set[str], *messages: str) -> Verdict:
        """No points, and why: what is to be said, and the cell of the student's that is to blame."""
        return Verdict(0.0, "not right", (*messages, *self._causes(names)))

    def _missing(self, name: str) -> Verdict:
        if self._causes({name}):
            return self._not_right({name}, f"`{name}` is not defined.")
        words = f"`{name}` is defined nowhere in the notebook, so there was nothing to test. Was its cell deleted?"
        return Verdict(0.0, "not right", (words,))

    def _causes(self, names: set[str]) -> list[str]:
        """The failing cell because of which one of these names is not what it should be, in words; or nothing."""
        to_blame = [
            k for k in sorted(self.session.failed) if any(may_define(self.session.cells[k], name) for name in names)
        ]
        return [self._remark(self._cause_of(to_blame[0]))] if to_blame else []

    def _cause_of(self, number: int) -> int:
        """The failing cell that a failing cell comes from: the one that should have defined the name it misses."""
        seen = {number}
        while missing := _missing_names(self.session.failed[number]):
            others = [
                k for k in self.session.failed if any(may_define(self.session.cells[k], name) for name in missing)
            ]
            if not others or others[0] in seen:
                break
            seen.add(number := others[0])
        return number

    def _remark(self, number: int) -> str:
        outcome = self.session.failed[number]
        inside = outcome.file == f"<cell {number}>" and outcome.line
        place = f", line {outcome.line} (`{_short(outcome.code, 80)}`)" if inside else ""
        cell = f"Code cell {number}" if number in {each.number for each in self.work.cells} else "A cell of ours"
        return f"{cell}{place}: {self._in_words(outcome)}{'' if inside else _in_cell(outcome)}"

    def _in_words(self, outcome: Outcome) -> str:
        words = f": {_short(outcome.message, 300)}" if outcome.message else ""
        sentence = {
            "raised": f"it raised {_short(outcome.error, 80)}{words.removesuffix('.')}.",
            "exited": "it called sys.exit.",
            "slow": "it ran into the time limit and was stopped. Does its loop ever end?",
            "memory": f"it needed more than {self.limits.megabytes:g} MB of memory and was stopped.",
            "output": f"it printed more than {self.limits.printed_kb / 1024:g} MB and was stopped.",
            "died": f"it ended the process it ran in ({outcome.message}).",
            "not tried": "it was not tried: the time for this notebook was spent, or it hung before.",
        }.get(outcome.kind, "it did something that makes no sense.")
        error = f"{outcome.error} {outcome.message}"
        hints = [hint for pattern, hint in _HINTS.items() if re.search(pattern, error)]
        return " ".join([sentence, *hints[:1]])


def run_test(source: str, space: dict[str, Any]) -> Any:
    """Run a cell of ours; the value of its last line, if that is an expression."""
    space |= {"print": lambda *_, **__: None, "display": lambda *_, **__: None}  # nobody is there to read it
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        body, last = [*body, last], ast.Expr(ast.Constant(None))
    exec(compile(ast.Module(body, []), "<test>", "exec"), space)
    return eval(compile(ast.fix_missing_locations(ast.Expression(last.value)), "<test>", "eval"), space)


def _points(value: Any, most: float) -> float:
    """The points of a test that ran through: all, or its last line if that is a number, as nbgrader reads it."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return min(max(float(value), 0.0), most) if is_number else most


def _state(points: float, most: float) -> str:
    return "right" if points >= most else "partly right" if points else "not right"


def _missing_names(outcome: Outcome) -> set[str]:
    """The name that was not defined when something was run."""
    match = re.match(r"name '(\w+)' is not defined", outcome.message) if outcome.error == "NameError" else None
    return {match[1]} if match else set()


def _in_cell(outcome: Outcome) -> str:
    """Where it happened."""
    cell = re.fullmatch(r"<cell (\d{1,9})>", outcome.file)
    place = f"code cell {cell[1]}, line {outcome.line} (`{_short(outcome.code, 80)}`)" if cell else ""
    return f" It happened in {place}." if place and outcome.code else ""


def _nothing_follows(
    question: Question, report: Report, points: float, parts: Sequence[dict[str, Any]], names: Sequence[str]
) -> Verdict:
    """The verdict without what follows only from functions that do nothing of their task."""
    points -= sum(part["points"] for part in parts if part["follows"]) if parts else points
    kept = tuple({**part, "points": 0.0, "right": False} if part["follows"] else part for part in parts)
    words = _list(f"`{name}`" for name in names)
    message = f"It is what your {words} gives. But {words} is right in no unseen case, so nothing follows from it."
    solution = _solution(report)
    details = (("Right for your data", solution),) if solution else ()
    return Verdict(points, _state(points, question.points), (message,), details, kept)


def _parts(report: Report, worth: Sequence[float]) -> tuple[dict[str, Any], ...]:
    """Each part of an answer with its points; follows: it is right only because it follows from a function before."""
    pairs = zip(report.parts.items(), worth, strict=True) if len(worth) > 1 else ()
    return tuple(
        {
            "name": name,
            "right": share == 1,
            "follows": name in report.followed,
            "points": round(most * share, 1),
            "max": most,
        }
        for (name, share), most in pairs
    )


def _solution(report: Report) -> str:
    """The right values, where a value is not, or is only because it follows from something."""
    wrong = [case for case in report.cases if not case.right or case.name in report.followed]
    told = [case for case in wrong if case.solution is not None]
    names = [f"{case.name}: " if len(report.cases) > 1 else "" for case in told]
    return ", ".join(name + str(sentences.display(case.solution)) for name, case in zip(names, told, strict=True))


def _cases(report: Report) -> tuple[dict[str, Any], ...]:
    """All that was tried; of a value the right one is told, now that it is graded."""
    rows = [row._asdict() for row in sentences.rows(report, advice=False)[:_MAX_SENTENCES]]
    for row, case in zip(rows, report.cases, strict=False):
        if report.about == "value" and case.solution is not None:
            row["expected"] = sentences.display(case.solution)
    return tuple({name: _short(v, 1000) if isinstance(v, str) else v for name, v in row.items()} for row in rows)


def _words_of(report: Report) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The sentences of a report, and (label, text) for those that have a label; no advice for who calls a check."""
    paragraphs = sentences.paragraphs(report, advice=False)
    messages = tuple(_short(paragraph.text, 2000) for paragraph in paragraphs if not paragraph.label)
    return messages, tuple((each.label, _short(each.text, 2000)) for each in paragraphs if each.label)


def _fitting(pictures: dict[Any, str]) -> dict[Any, str]:
    """The pictures as long as there is room for them."""
    left, kept = _MAX_PICTURES, dict[Any, str]()
    for name, data in pictures.items():
        left -= len(data)
        kept[name] = data if left > 0 else ""
    return kept


def _list(words: Iterable[str]) -> str:
    """a, b and c."""
    *some, last = [*words] or [""]
    return f"{', '.join(some)} and {last}" if some else last


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"

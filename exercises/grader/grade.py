"""Grade one submission: grade(source, submission) → result, plain data that depends on nothing else.

The tests are the locked cells of the source notebook, never the submission's copies. They run here; the names they use
and do not define are the student's: a function arrives as something that can be called and runs in the sandbox, a
number, text, list or array arrives as such. What a locked cell of the source defines is computed here, from the source.
"""

from __future__ import annotations

import ast
import builtins
import re
import signal
import symtable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

from plahelpers.checks import Report, sentences
from plahelpers.guard import Other, Outcome

from .notebook import Assignment, Question, Submission, UnreadableError, names_in, read
from .sandbox import Limits
from .session import Session, StudentError, Trouble

# What to add to an error that comes of being graded, by words in its name or message.
_HINTS = {
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
    cases: tuple[dict[str, Any], ...] = ()  # what was tried, came out, was expected
    mistake: str | None = None  # the id of a known mistake …
    meaning: str = ""  # … and what it is
    answer: str = ""  # the text to be graded by hand
    broken: bool = False  # the test itself may be at fault


def grade(source: bytes, submission: bytes, limits: Limits = Limits()) -> dict[str, Any]:  # noqa: B008
    """The result of one submission."""
    assignment = Assignment(read(source).cells)
    try:
        notebook = read(submission)
    except UnreadableError as error:
        return not_graded(assignment, str(error))
    kernel = f"The notebook says that its language is {notebook.language}; its cells were run as Python."
    work = Submission(notebook, assignment)
    runs, remarks = work.plan()
    remarks = remarks if notebook.language in ("python", "") else [kernel, *remarks]
    with closing(Session(runs, limits)) as session:
        session.run()
        judge = Judge(work, session, limits)
        verdicts = [judge.question(question) for question in assignment.questions]
        student = judge.student()
        remarks = [*remarks, *judge.remarks()]
    return _result(assignment, verdicts, student, remarks)


def not_graded(assignment: Assignment, reason: str, *, failed: bool = False) -> dict[str, Any]:
    """The result of something that could not be graded at all: no points, or, if it is we who failed, none yet."""
    verdict = Verdict(None, "not graded", (reason,)) if failed else Verdict(0.0, "not gradable", (reason,))
    return _result(assignment, [verdict] * len(assignment.questions), None, [reason]) | {"failed": failed}


def _result(assignment: Assignment, verdicts: list[Verdict], student: str | None, remarks: list[str]) -> dict[str, Any]:
    questions = [
        {"id": each.id, "title": each.title, "max": each.points, "by_hand": each.by_hand, **vars(verdict)}
        for each, verdict in zip(assignment.questions, verdicts, strict=True)
    ]
    return {"student": student, "questions": questions, "remarks": remarks, "failed": False}


_NO_ID: Final = "There is no `student`: your id belongs into the first cell, and your numbers depend on it."


class Judge:
    """Holds one submission, as it runs, against the questions."""

    def __init__(self, work: Submission, session: Session, limits: Limits) -> None:
        self.work, self.session, self.limits = work, session, limits
        self.ours: dict[str, Any] = {}  # what locked cells of the source have defined here
        self.theirs: dict[str, tuple[str, Any]] = {"student": session.look("student")}  # one id, for all questions

    def student(self) -> str | None:
        """The id that the notebook says it belongs to."""
        kind, value = self.theirs["student"]
        return str(value)[:200] if kind == "value" and not isinstance(value, Other) and value is not None else None

    def question(self, question: Question) -> Verdict:
        if question.by_hand:
            answer = self.work.answer(question)
            return Verdict(None, "by hand" if answer else "blank", answer=answer)
        names = needed_by(question.cell.source)
        verdict = self._test(question, names)
        return verdict if verdict.state == "right" else self._if_blank(verdict, names)

    def remarks(self) -> list[str]:
        """Where the notebook did not run as it should."""
        in_order = sorted(self.session.troubles.values(), key=lambda trouble: (trouble.cell.number, trouble.line))
        # A NotImplementedError only says that nothing has been written there yet.
        sentences = [self._remark(each) for each in in_order if each.outcome.error != "NotImplementedError"]
        if self.session.left <= 0:
            sentences.append(
                f"All the {self.limits.total_seconds:g} seconds that one notebook may take were spent; "
                "what came after was not tried."
            )
        return [_NO_ID, *sentences] if self._has_no_id() else sentences

    def _has_no_id(self) -> bool:
        return self.theirs["student"] in (("nothing", None), ("value", ""))

    # --- One test

    def _test(self, question: Question, names: set[str]) -> Verdict:
        try:
            space = {name: value for name in sorted(names) for value in self._find(name)}
            value = run_test(question.cell.source, space)
        except AssertionError as error:
            return _from_report(getattr(error, "report", None)) or _not_right(str(error) or "A test did not hold.")
        except NameError as error:
            return _not_right(*self._why_missing(str(error.name)))
        except StudentError as error:
            return _not_right(f"The test called `{error.name}`: {self._in_words(error.outcome)}")
        except Exception as error:
            words = f"The test could not use what the notebook gave it ({type(error).__name__}: {error})."
            return replace(_not_right(words), broken=True)
        points = question.points
        if isinstance(value, int | float) and not isinstance(value, bool):  # as nbgrader reads a test's last line
            points = min(max(float(value), 0.0), question.points)
        state = "right" if points == question.points else "partly right" if points else "not right"
        report = getattr(value, "report", None)  # of points that come from a check
        verdict = None if report is None or report.passed else _from_report(report)
        return replace(verdict, points=points, state=state) if verdict else Verdict(points, state)

    def _find(self, name: str) -> list[Any]:
        """What a name of a test stands for; nothing, if neither we nor the student have defined it."""
        locked = [cell for cell in self.work.assignment.locked.values() if name in names_in(cell.source)]
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

    def _why_missing(self, name: str) -> list[str]:
        at_fault = [trouble for trouble in self.session.troubles.values() if trouble.may_define(name)]
        if at_fault:
            return [f"`{name}` is not defined.", *map(self._remark, at_fault)]
        return [f"`{name}` is defined nowhere in the notebook, so there was nothing to test. Was its cell deleted?"]

    def _if_blank(self, verdict: Verdict, names: set[str]) -> Verdict:
        """If what the test needs stands only in a cell that is still as it was handed out, that is the thing to say."""
        blank = [f"`{name}`" for name in sorted(names - {"student"}) if self.work.is_unwritten(name)]
        if not blank:
            return _not_right(_NO_ID) if "student" in names and self._has_no_id() else verdict
        message = f"{' and '.join(blank)}: not written yet. The cell is still as it was handed out."
        return Verdict(0.0, "blank", (message,))

    def _remark(self, trouble: Trouble) -> str:
        line = trouble.outcome.line if trouble.outcome.code else trouble.line
        text = trouble.outcome.code or trouble.cell.line(trouble.line)
        place = f", line {line} (`{_short(text, 80)}`)" if line else ""
        return f"Code cell {trouble.cell.number}{place}: {self._in_words(trouble.outcome)}"

    def _in_words(self, outcome: Outcome) -> str:
        words = f": {_short(outcome.message, 300)}" if outcome.message else ""
        sentence = {
            "returned": "it gave something that makes no sense.",
            "raised": f"it raised {outcome.error}{words.removesuffix('.')}.",
            "exited": "it called sys.exit; what comes after it was run all the same.",
            "slow": "it ran into the time limit and was stopped. Does its loop ever end?",
            "memory": f"it needed more than {self.limits.megabytes:g} MB of memory and was stopped.",
            "output": f"it printed more than {self.limits.printed_megabytes:g} MB and was stopped.",
            "processes": "it started process after process and was stopped, and they were too.",
            "died": f"it ended the process it ran in ({_ending(outcome.message)}).",
            "not tried": "it was not tried: the time for this notebook was spent.",
        }.get(outcome.kind, outcome.kind)
        error = f"{outcome.error} {outcome.message}"
        hints = [hint for pattern, hint in _HINTS.items() if re.search(pattern, error)]
        return " ".join([sentence, *hints[:1]])


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _ending(message: str) -> str:
    """How a process ended, also where bubblewrap stands in between and gives a signal as a number over 128."""
    status = re.fullmatch(r"exit status (\d+)", message)
    number = int(status[1]) - 128 if status else 0
    return f"signal {signal.Signals(number).name}" if number in set(signal.Signals) else message


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


def run_test(source: str, space: dict[str, Any]) -> Any:
    """Run a cell of ours; the value of its last line, if that is an expression."""
    space |= {"print": lambda *_, **__: None, "display": lambda *_, **__: None}  # nobody is there to read it
    *body, last = ast.parse(source).body
    exec(compile(ast.Module(body, []), "<test>", "exec"), space)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "<test>", "eval"), space)
    exec(compile(ast.Module([last], []), "<test>", "exec"), space)
    return None


def _not_right(*messages: str) -> Verdict:
    return Verdict(0.0, "not right", messages)


def _from_report(report: Any) -> Verdict | None:
    """The verdict of `plahelpers.checks`, if the failed test was one of its checks."""
    if report is None:
        return None
    messages, details = _words_of(report)
    if report.is_blank:
        return Verdict(0.0, "blank", messages, details)
    return Verdict(
        points=0.0,
        state="not right",
        messages=messages,
        details=details,
        cases=tuple(row._asdict() for row in sentences.rows(report, advice=False)),
        mistake=report.mistake,
        meaning=report.mistake_text or messages[-1],
    )


def _words_of(report: Report) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The sentences of a report, and (label, text) for those that have a label."""
    # Without the advice for those who call a check themselves: who reads feedback cannot follow it.
    paragraphs = sentences.paragraphs(report, advice=False)
    messages = tuple(paragraph.text for paragraph in paragraphs if not paragraph.label)
    return messages, tuple((paragraph.label, paragraph.text) for paragraph in paragraphs if paragraph.label)

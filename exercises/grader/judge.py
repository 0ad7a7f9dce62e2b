"""Grade one submission: what its code did in the sandbox is held against the tests of the source notebook, here."""

import ast
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from plahelpers._guard import Outcome
from plahelpers.checks import Report, sentences
from plahelpers.checks.report import recording
from plahelpers.checks.sentences import short

from . import answers
from .notebook import Assignment, Question, Submission, UnreadableError
from .sandbox import Limits, NotStartedError
from .session import Session, StudentError

_MAX_SENTENCES: Final = 50  # remarks on one notebook, cases of one question
_MAX_ID: Final = 100
_NOTHING: Final = (("returned", ""), ("raised", "NotImplementedError"))  # how a call ends that does nothing yet


@dataclass(frozen=True)
class Verdict:
    points: float | None  # None: still to be graded
    state: str  # "right", "partly right", "not right", "blank", "by hand", "not gradable", "not graded"
    messages: tuple[str, ...] = ()
    details: tuple[tuple[str, str, Any], ...] = ()  # (label, text, places to mark), such as ("Expected", "+1", ())
    parts: tuple[dict[str, Any], ...] = ()  # where parts have points of their own: name, words, points, max
    given: str = ""  # what the points rest on: "given your `pla`"
    cases: tuple[dict[str, Any], ...] = ()  # what was tried, came out, was expected
    mistake: str | None = None  # the id of a known mistake …
    meaning: str = ""  # … and what it is
    answer: str = ""  # the answer to be graded by hand, as safe HTML
    broken: bool = False  # the test itself may be at fault


def grade(source: bytes, submission: bytes, student: str, template: Path, limits: Limits) -> dict[str, Any]:
    """The result of what a student handed in; with the slowest cell and call, to measure the model solution."""
    assignment = Assignment(source)
    try:
        work = Submission(submission, assignment, student)
    except UnreadableError as error:
        return not_graded(source, str(error))
    with closing(Session(work.runs, template, limits)) as session:
        session.run()
        judge = Judge(work, session, limits, student)
        verdicts = [judge.written(each) if each.by_hand else judge.tested(each) for each in assignment.questions]
        return _result(assignment, verdicts, judge.remarks(), judge.student) | {"slowest": session.slowest}


def not_graded(source: bytes, reason: str, *, failed: bool = False) -> dict[str, Any]:
    """The result of something that could not be graded at all: no points, or, if it is we who failed, none yet."""
    verdict = Verdict(None, "not graded", (reason,)) if failed else Verdict(0.0, "not gradable", (reason,))
    assignment = Assignment(source)
    return _result(assignment, [verdict] * len(assignment.questions), [reason], "") | {"failed": failed}


def _result(assignment: Assignment, verdicts: list[Verdict], remarks: list[str], student: str) -> dict[str, Any]:
    """A result as plain data, whose size is bounded whatever was handed in."""
    questions = list[dict[str, Any]]()
    for question, verdict in zip(assignment.questions, verdicts, strict=True):
        about = {"id": question.id, "title": question.title, "max": question.points, "by_hand": question.by_hand}
        questions.append({**about, **vars(verdict), "messages": _bounded(verdict.messages)})
    return {"student": student, "questions": questions, "remarks": _bounded(remarks), "failed": False}


def _bounded(texts: Sequence[str]) -> list[str]:
    return [short(text, 1000) for text in texts[:_MAX_SENTENCES]]


class Judge:
    def __init__(self, work: Submission, session: Session, limits: Limits, student: str) -> None:
        self.work, self.session, self.limits, self.assignment = work, session, limits, work.assignment
        kind, value = session.look("student")
        self.has_id = work.has_id and kind == "value" and isinstance(value, str | int)
        self.values = {"student": value if self.has_id else student}  # what tests have used so far, by name
        self.student = short(str(self.values["student"]), _MAX_ID)

    def remarks(self) -> list[str]:
        """Where the notebook did not run as it should; a name that is missing since then is no cause of its own."""
        remarks = []
        if not self.has_id:
            words = f"so the id of the file, “{self.student}”, was used"
            remarks.append(f"Your id does not stand in the first cell, {words}. Your numbers depend on it.")
        failed = self._failed()
        causes = [k for k, outcome in failed.items() if outcome.error != "NameError" or k == next(iter(failed))]
        return [*remarks, *map(self._remark, causes)]

    def written(self, question: Question) -> Verdict:
        cell = next((cell for cell in self.work.cells if cell.id == question.id), None)
        if cell is None or cell.is_blank:
            where = "in its cell" if cell else "because its cell is not in the notebook any more"
            return Verdict(None, "blank", (f"No answer was found {where}.",))
        pasted = {name: answers.picture(data) for name, data in cell.attachments.items()}
        return Verdict(None, "by hand", answer=answers.as_html(cell.source, pasted))

    def tested(self, question: Question) -> Verdict:
        names, points, words, broken = self.assignment.needed_by(question), 0.0, "", False
        space = {name: self._value(name) for name in ("student", *names)}
        functions = [name for name in names if f"def {name}(" in self.assignment.asked[name].source]
        missing = [name for name in functions or names if space[name] is ...]
        if missing and (functions or missing == names):  # nothing can be tested without a function
            causes = self._causes(names)
            words = f"There is no {' or '.join(f'`{name}`' for name in missing)} yet."
            return Verdict(0.0, "not right" if causes else "blank", (words, *causes))
        with recording() as reports:
            try:
                value = run_test(question.cell.source, space)
                points = min(float(value), question.points) if type(value) in (int, float) else question.points
            except AssertionError as error:
                words = "" if reports else str(error) or "A test did not hold."
            except StudentError as error:
                words = f"The test called `{error.name}`: {self._in_words(error.outcome)}"
            except (MemoryError, NotStartedError):  # ours: a student's own come as a StudentError
                raise
            except Exception as error:
                words = f"The test could not use what the notebook gave it ({type(error).__name__}: {error})."
                broken = True
        if words:
            return Verdict(0.0, "not right", (words, *self._causes(names)), broken=broken)
        if not reports:
            return Verdict(points, _state(points, question))
        return self._from_report(question, *reports[-1], points)

    def _value(self, name: str) -> Any:
        """What a test finds under a name; `...` if nothing is there, as in a number that is still to be found."""
        if name not in self.values:
            kind, value = self.session.look(name)
            self.values[name] = ... if kind == "nothing" else value
        return self.values[name]

    def _from_report(self, question: Question, report: Report, worth: Sequence[float], points: float) -> Verdict:
        report = replace(report, seconds=4 * self.limits.call_seconds)  # a case may take a quarter
        paragraphs = sentences.paragraphs(report)
        messages = [short(each.text, 2000) for each in paragraphs if not each.label]
        details = [(each.label, short(each.text, 2000), each.marks) for each in paragraphs if each.label]
        state, solution, causes = _state(points, question), _solution(report), list[str]()
        parts, given = _parts(report, worth), ", ".join(f"`{name}`" for name in report.given)
        if parts and points > sum(part["points"] for part in parts) + 0.01:  # rounding
            messages.append("A mistake that we know by name leaves a quarter of the points.")
        if state == "right":
            messages, details = [f"With a right {given} it is {solution}."] if given and solution else [], []
        else:
            causes = self._causes(self.assignment.needed_by(question))
            state = "blank" if _is_blank(report) and not causes else state
        if report.changed and worth:
            messages.append("The arguments were changed, which costs a quarter of these points.")
        if state in ("partly right", "not right") and solution:
            details.append(("Right answer" if report.check == "choice" else "Right for your data", solution, ()))
        return Verdict(
            points=points,
            state=state,
            messages=(*messages, *causes),
            details=tuple(details),
            parts=parts,
            given=f"given your {given}" if given else "",
            cases=_cases(report) if report.about == "function" and state not in ("right", "blank") else (),
            mistake=report.mistake,
            meaning=report.mistake_text,
        )

    def _failed(self) -> dict[int, Outcome]:
        """The cells that failed; a NotImplementedError only says that nothing has been written there yet."""
        failed = self.session.failed.items()
        return {k: outcome for k, outcome in sorted(failed) if outcome.error != "NotImplementedError"}

    def _causes(self, names: Sequence[str]) -> list[str]:
        """The failing cell because of which one of these names is not defined, in words; or nothing.

        A cell that misses a name has failed because of another one: then that is the first of the notebook.
        """
        failed, missing = self._failed(), "|".join(name for name in names if self.values.get(name) is ...)
        concerned = [k for k in failed if missing and re.search(rf"\b({missing})\b", self.session.cells[k])]
        return [self._remark(min(failed) if failed[k].error == "NameError" else k) for k in concerned[:1]]

    def _remark(self, number: int) -> str:
        cell = f"Code cell {number}" if number > 0 else "A cell of ours"
        return f"{cell}: {self._in_words(self.session.failed[number])}"

    def _in_words(self, outcome: Outcome) -> str:
        """How something ended, and the innermost line that the student wrote."""
        message = short(outcome.message, 300)
        words = {
            "raised": f"it raised {short(outcome.error, 80)}{': ' if message else ''}{message.removesuffix('.')}.",
            "exited": "it called sys.exit.",
            "slow": "it ran into the time limit and was stopped. Does its loop ever end?",
            "memory": f"it needed more than {self.limits.megabytes:g} MB of memory and was stopped.",
            "output": f"it printed more than {self.limits.printed_kb / 1024:g} MB and was stopped.",
            "died": f"it ended the process it ran in ({message}).",
            "not tried": "it was not tried: the time for this notebook was spent, or it hung before.",
        }.get(outcome.kind, "it did something that makes no sense.")
        if (cell := re.fullmatch(r"<cell (\d{1,9})>", outcome.file)) and outcome.code:
            words += f" It was at line {outcome.line} of code cell {cell[1]}: `{short(outcome.code, 80)}`."
        return words


def run_test(source: str, space: dict[str, Any]) -> Any:
    """Run a test; the value of its last line, if that is an expression."""
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        body, last = [*body, last], ast.Expr(ast.Constant(None))
    exec(compile(ast.Module(body, []), "<test>", "exec"), space)
    return eval(compile(ast.fix_missing_locations(ast.Expression(last.value)), "<test>", "eval"), space)


def _state(points: float, question: Question) -> str:
    return "right" if points >= question.points else "partly right" if points else "not right"


def _is_blank(report: Report) -> bool:
    """Is there no value yet, or does the function return nothing, as the one that was handed out?"""
    outcomes = [case.outcome for case in report.cases]
    nothing = all(each.value is None and (each.kind, each.error) in _NOTHING for each in outcomes)
    return report.is_blank or (report.about != "value" and nothing)


def _parts(report: Report, worth: Sequence[float]) -> tuple[dict[str, Any], ...]:
    """Each part of an answer with its points, and in words how much of it is right."""
    count, unseen = len(report.counted), "unseen " if any(case.unseen for case in report.cases) else ""
    parts = list[dict[str, Any]]()
    for (name, share), most in zip(report.parts.items(), worth, strict=False):
        words = "right, as it follows" if name in report.followed else "right" if share == 1 else "not right"
        if report.about == "function":
            words = f"{share * count:.0f} of {count} {unseen}cases right"
        parts.append({"name": name, "words": words, "points": round(most * share, 1), "max": most})
    return tuple(parts) if report.about == "function" or len(parts) > 1 else ()


def _solution(report: Report) -> str:
    """The right values, where a value is not, or is only because it follows from something."""
    wrong = [case for case in report.cases if not case.right or case.name in report.followed]
    told = [case for case in wrong if case.solution is not None]
    names = [f"{case.name}: " if len(report.cases) > 1 else "" for case in told]
    return ", ".join(name + str(sentences.display(case.solution)) for name, case in zip(names, told, strict=True))


def _cases(report: Report) -> tuple[dict[str, Any], ...]:
    rows = [row._asdict() for row in sentences.rows(report)[:_MAX_SENTENCES]]
    return tuple({name: short(v, 1000) if isinstance(v, str) else v for name, v in row.items()} for row in rows)

"""Grade one submission: grade(source, submission) → result, plain data that depends on nothing else.

The tests are the locked cells of the source notebook, never the submission's copies. They run here; the names they use
and do not define are the student's: a function arrives as something that can be called and runs in the sandbox, a
number, text, list or array arrives as such. What a locked cell of the source defines is computed here, from the source.
"""

from __future__ import annotations

import ast
import json
import re
import signal
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Final

from plahelpers.checks import Report, sentences
from plahelpers.guard import Other, Outcome

from . import borrowed, markdown
from .notebook import Assignment, Plan, Question, Submission, UnreadableError, may_define, names_in, needed_by, read
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
    parts: tuple[dict[str, Any], ...] = ()  # where parts have points of their own: name, right, follows, points, max
    given: str = ""  # what the points rest on: "given your `pla` (question 4)"
    cases: tuple[dict[str, Any], ...] = ()  # what was tried, came out, was expected
    mistake: str | None = None  # the id of a known mistake …
    meaning: str = ""  # … and what it is
    answer: str = ""  # the text to be graded by hand, as Markdown
    pasted: dict[str, str] = field(default_factory=dict)  # the pictures in it, by name, as data: URIs
    drawn: tuple[str, ...] = ()  # the pictures that the notebook shows before it
    broken: bool = False  # the test itself may be at fault


def grade(source: bytes, submission: bytes, limits: Limits = Limits()) -> dict[str, Any]:  # noqa: B008
    """The result of one submission."""
    assignment = Assignment(read(source).cells)
    try:
        notebook = read(submission)
    except UnreadableError as error:
        return not_graded(assignment, str(error))
    kernel = f"The notebook says that its language is {_short(notebook.language, 40)}; its cells were run as Python."
    work = Submission(notebook, assignment)
    plan = work.plan()
    remarks = plan.remarks if notebook.language in ("python", "") else [kernel, *plan.remarks]
    again = {each.id: _defined_again(plan, each) for each in assignment.questions if not each.by_hand}
    keep = defaultdict[int, set[str]](set)  # two tests may stand at the same place
    for test, names in again.items():
        keep[plan.stands.get(test, 0)] |= names.keys()
    with closing(Session(plan.runs, limits, keep)) as session:
        session.run()
        judge = Judge(work, session, limits, plan, again)
        verdicts = [judge.question(question) for question in assignment.questions]
        student = judge.student()
        remarks, for_lecturer = [*remarks, *judge.remarks()], [*_borrowed(work), *judge.guesses()]
    return _result(assignment, verdicts, student, remarks) | {"for_lecturer": _bounded(for_lecturer)}


def _defined_again(plan: Plan, question: Question) -> dict[str, int]:
    """The names of a test that a cell of a later question gives to something else, and the number of that cell."""
    names = sorted(needed_by(question.cell.source) - {"student"})
    cells = {name: plan.defined_again(question.id, name) for name in names}
    return {name: cell for name, cell in cells.items() if cell is not None}


def not_graded(assignment: Assignment, reason: str, *, failed: bool = False) -> dict[str, Any]:
    """The result of something that could not be graded at all: no points, or, if it is we who failed, none yet."""
    verdict = Verdict(None, "not graded", (reason,)) if failed else Verdict(0.0, "not gradable", (reason,))
    return _result(assignment, [verdict] * len(assignment.questions), None, [reason]) | {"failed": failed}


_MAX_SENTENCES: Final = 50  # remarks on one notebook, cases of one question
_MAX_PICTURES: Final = 600_000  # characters: all pictures of one notebook together
_MAX_RESULT: Final = 900_000  # characters: all that is told of the questions, as JSON


def _result(assignment: Assignment, verdicts: list[Verdict], student: str | None, remarks: list[str]) -> dict[str, Any]:
    """A result as plain data, of less than a megabyte whatever was handed in."""
    questions, left = list[dict[str, Any]](), _MAX_PICTURES
    for question, verdict in zip(assignment.questions, verdicts, strict=True):
        shown, left = _with_pictures(verdict, left)
        about = {"id": question.id, "title": question.title, "max": question.points, "by_hand": question.by_hand}
        sentences = {"messages": tuple(_bounded(verdict.messages))}
        questions.append({**about, "built_on": assignment.built_on(question), **vars(shown), **sentences})
    _make_fit(questions, remarks := _bounded(remarks))
    return {"student": student, "questions": questions, "remarks": remarks, "for_lecturer": [], "failed": False}


def _make_fit(questions: list[dict[str, Any]], remarks: list[str]) -> None:
    """Leave out what is in the notebook anyway, or helps least, until a result can be kept."""
    for name in ("drawn", "pasted", "cases", "answer"):
        if len(json.dumps(questions)) <= _MAX_RESULT:
            return
        for question in questions:
            question[name] = type(question[name])()
        left_out = {"drawn": "pictures", "pasted": "pasted pictures", "cases": "single cases", "answer": "answers"}[
            name
        ]
        remarks.append(f"This is more than a page can hold; {left_out} were left out.")


def _bounded(sentences: Sequence[str]) -> list[str]:
    """The first sentences, none of them endless, and how many more there are."""
    more = len(sentences) - _MAX_SENTENCES
    last = [f"… and {more:,} more."] if more > 0 else []
    return [*(_short(sentence, 1000) for sentence in sentences[:_MAX_SENTENCES]), *last]


def _with_pictures(verdict: Verdict, left: int) -> tuple[Verdict, int]:
    """The verdict with its pictures as they can be shown, as long as there is room; and the room left."""
    pasted, drawn = dict[str, str](), list[str]()
    for name, encoded in verdict.pasted.items():
        pasted[name] = shown = _if_room(markdown.picture(encoded), left)
        left -= len(shown)
    for encoded in verdict.drawn:
        drawn.append(shown := _if_room(markdown.picture(encoded), left))
        left -= len(shown)
    return replace(verdict, pasted=pasted, drawn=tuple(drawn)), left


def _if_room(picture: str, left: int) -> str:
    return picture if len(picture) <= left else ""


def _borrowed(work: Submission) -> list[str]:
    """What the lecturer may want to look at: functions of the package inside those that students should write."""
    assignment, remarks = work.assignment, list[str]()
    ours = [cell.source for cell in assignment.cells if cell.kind == "code"]
    theirs = [cell.source for cell in work.notebook.cells if cell.kind == "code"]
    handed_out = set().union(*(names_in(cell.source) for cell in assignment.locked.values()))
    for name in (name for cell in assignment.solutions.values() for name in functions_in(cell.source)):
        allowed = handed_out | {full.rpartition(".")[2] for full in borrowed.calls(name, ours)}
        taken = sorted(full for full in borrowed.calls(name, theirs) if full.rpartition(".")[2] not in allowed)
        if taken:
            where = assignment.where_defined(name)
            remarks.append(f"The function `{name}` ({where}) uses {_list(f'`{full}`' for full in taken[:5])}.")
    return remarks


_NO_ID: Final = "There is no `student`: your id belongs into the first cell, and your numbers depend on it."
_MAX_ID: Final = 100


class Judge:
    """Holds one submission, as it runs, against the questions."""

    def __init__(
        self, work: Submission, session: Session, limits: Limits, plan: Plan, again: dict[str, dict[str, int]]
    ) -> None:
        self.work, self.session, self.limits, self.plan, self.again = work, session, limits, plan, again
        self.verdicts: dict[str, Verdict] = {}  # so far, by the question's id
        self.ours: dict[str, Any] = {}  # what locked cells of the source have defined here
        self.theirs: dict[str, tuple[str, Any]] = {"student": session.look("student")}  # one id, for all questions

    def student(self) -> str | None:
        """The id that the notebook says it belongs to."""
        kind, value = self.theirs["student"]
        if kind != "value" or isinstance(value, Other) or value is None:
            return None
        return _short(str(value).strip(), _MAX_ID)

    def question(self, question: Question) -> Verdict:
        self.verdicts[question.id] = self._written(question) if question.by_hand else self._tested(question)
        return self.verdicts[question.id]

    def _tested(self, question: Question) -> Verdict:
        names = needed_by(question.cell.source)
        again = self.again[question.id]
        verdict = self._test(question, names, self.plan.stands[question.id] if again else None)
        if again and verdict.state != "right":
            verdict = max(verdict, self._test(question, names), key=lambda each: each.points or 0.0)
        if verdict.state == "right":
            return verdict
        verdict = replace(verdict, messages=(*verdict.messages, *map(_redefined, again.items())))
        asked = names - self.work.assignment.asked_before(question).keys()
        return self._if_blank(verdict, asked or names)

    def remarks(self) -> list[str]:
        """Where the notebook did not run as it should."""
        # A NotImplementedError only says that nothing has been written there yet.
        every = [each for each in self._in_order() if each.outcome.error != "NotImplementedError"]
        causes = [each for each in every if not self._follows(each)]
        sentences = [self._remark(each) for each in causes]
        if len(causes) < len(every):
            words = (
                "statement failed, because a name was"
                if len(every) - len(causes) == 1
                else "statements failed, because names were"
            )
            sentences.append(f"So {len(every) - len(causes)} more {words} missing.")
        if self.session.left <= 0:
            sentences.append(
                f"All the {self.limits.total_seconds:g} seconds that one notebook may take were spent; "
                "what came after was not tried."
            )
        if len(self.student() or "") > _MAX_ID - 1:
            sentences.insert(0, f"The id in `student` has more than {_MAX_ID - 1} characters.")
        return [_NO_ID, *sentences] if self._has_no_id() else sentences

    def _has_no_id(self) -> bool:
        return self.theirs["student"][0] == "nothing" or self.student() == ""

    def _written(self, question: Question) -> Verdict:
        written = self.work.written[question.id]
        more = len(written.text) - markdown.MAX_TEXT
        rest = f"\n\n*… and {more:,} more characters; see the notebook.*" if more > 0 else ""
        return Verdict(
            points=None,
            state="by hand" if written.text else "blank",
            answer=written.text[: markdown.MAX_TEXT] + rest,
            pasted=dict(list(written.pasted.items())[:_MAX_PASTED]),
            drawn=tuple(written.drawn[-_MAX_DRAWN:]),
        )

    # --- One test

    def _test(self, question: Question, names: set[str], place: int | None = None) -> Verdict:
        """What the test says, about the names as they are in the end, or as they were at a place."""
        reports = list[tuple[Report, tuple[float, ...]]]()
        try:
            space = {name: value for name in sorted(names) for value in self._find(name, place)}
            value = run_test(question.cell.source, space, reports)
        except AssertionError as error:
            report = getattr(error, "report", None)
            words = str(error) or "A test did not hold."
            return self._from_report(question, report, 0.0) if report else self._not_right(names, words)
        except NameError as error:
            return self._missing(str(error.name))
        except StudentError as error:
            words = f"The test called `{error.name}`: {self._in_words(error.outcome)}{_in_cell(error.outcome)}"
            return self._not_right(names | _missing_names([error.outcome]), words)
        except MemoryError:  # ours: a student's own comes as a StudentError
            raise
        except Exception as error:
            words = f"The test could not use what the notebook gave it ({type(error).__name__}: {error})."
            return replace(self._not_right(names, words), broken=True)
        points = question.points
        if isinstance(value, int | float) and not isinstance(value, bool):  # as nbgrader reads a test's last line
            points = min(max(float(value), 0.0), question.points)
        if reports:
            report, worth = reports[-1]
            return self._from_report(question, report, points, worth)
        return Verdict(points, _state(points, question.points))

    def _find(self, name: str, place: int | None = None) -> list[Any]:
        """What a name of a test stands for; nothing, if neither we nor the student have defined it."""
        locked = [cell for cell in self.work.assignment.locked.values() if name in names_in(cell.source)]
        if locked:
            if name not in self.ours:
                needed = sorted(needed_by(locked[-1].source))
                self.ours |= {other: value for other in needed for value in self._find(other)}
                run_test(locked[-1].source, self.ours, [])
            return [self.ours[name]]
        for each in [name] if place is None else [f"{name}@{place}", name]:
            if each not in self.theirs:
                self.theirs[each] = self.session.look(each)
            kind, value = self.theirs[each]
            if kind != "nothing":
                return [value]
        return []

    # --- What to say

    def _from_report(self, question: Question, report: Report, points: float, worth: Sequence[float] = ()) -> Verdict:
        """The verdict of `plahelpers.checks`."""
        messages, details = _words_of(report)
        if report.is_blank:
            return Verdict(0.0, "blank", messages, details)
        state = "noted" if report.noted else _state(points, question.points)
        given = self._given(report)
        parts = _parts(report, worth)
        if empty := [name for name in report.given if not self._is_attempt(question, name)]:
            return _nothing_follows(question, report, points, parts, empty)
        if parts and points < sum(part["points"] for part in parts):
            messages = (*messages, f"It costs {min(worth):g} besides that the arguments were changed.")
        if state == "right":
            solution = _solution(report) if given else ""
            right = (
                (f"With a right {_list(f'`{name}`' for name in report.given)} it is {solution}.",) if solution else ()
            )
            return Verdict(points, state, right, parts=parts, given=given)
        if not report.passed and (solution := _solution(report)):
            details = (*details, ("Right answer" if report.check == "choice" else "Right for your data", solution))
        names = needed_by(question.cell.source) | _missing_names([case.outcome for case in report.cases])
        return Verdict(
            points=points,
            state=state,
            messages=(*messages, *map(self._remark, self._causes(names))),
            details=details,
            parts=parts,
            given=given,
            cases=_cases(report),
            mistake=report.mistake,
            meaning=report.mistake_text or messages[-1],
        )

    def _given(self, report: Report) -> str:
        """What the points rest on, in words: "given your `pla` (question 4)"."""
        asked = {name: self.work.assignment.where_defined(name) for name in report.given}
        names = _list(f"`{name}`" + (f" ({where})" if where else "") for name, where in asked.items())
        return f"given your {names}" if names else ""

    def _is_attempt(self, question: Question, name: str) -> bool:
        """Did an earlier function do anything of its task: a case right, or a known mistake that is about the task?"""
        verdict = self.verdicts.get(self.work.assignment.asked_before(question).get(name, ""))
        if verdict is None or verdict.points or any(case["passed"] for case in verdict.cases):
            return True
        return verdict.mistake not in (None, "same_answer", "unused_argument", "not_repeatable")

    def guesses(self) -> list[str]:
        """For the lecturer: values that stand in two places, of which the better one counts."""
        pairs = [
            (name, cell, self.plan.stands[test]) for test, names in self.again.items() for name, cell in names.items()
        ]
        return [
            f"`{name}` has another value in code cell {cell} than before; the better of the two was counted."
            for name, cell, place in dict.fromkeys(pairs)
            if len({repr(value) for at in (place, None) for value in self._find(name, at) if not callable(value)}) > 1
        ]

    def _not_right(self, names: set[str], *messages: str) -> Verdict:
        """No points, and why: what is to be said, and the statement of the student's that is to blame."""
        return Verdict(0.0, "not right", (*messages, *map(self._remark, self._causes(names))))

    def _missing(self, name: str) -> Verdict:
        if self._causes({name}):
            return self._not_right({name}, f"`{name}` is not defined.")
        words = f"`{name}` is defined nowhere in the notebook, so there was nothing to test. Was its cell deleted?"
        return Verdict(0.0, "not right", (words,))

    def _in_order(self) -> list[Trouble]:
        return sorted(self.session.troubles.values(), key=lambda trouble: (trouble.cell.number, trouble.line))

    def _causes(self, names: set[str]) -> list[Trouble]:
        """The statements because of which these names are not what they should be.

        The first of each chain, not the NameError that comes of it; and the first that failed in its cell: in Jupyter,
        a cell ends there.
        """
        causes, todo, seen = list[Trouble](), set(names), set[str]()
        while todo:
            name = todo.pop()
            seen.add(name)
            for trouble in self._in_order():
                if _should_define(trouble, name):
                    causes.append(trouble)
                    todo |= _missing_names([trouble.outcome]) - seen
        cells = {trouble.cell.number for trouble in causes}
        roots = [each for each in self._in_order() if each.cell.number in cells and not self._follows(each)]
        first = {each.cell.number: each for each in reversed(roots)}
        return [each for each in roots if each in causes or each is first[each.cell.number]][:_MAX_CAUSES]

    def _follows(self, trouble: Trouble) -> bool:
        """Does this statement fail only because another one has failed, which should have defined a name?"""
        missing = _missing_names([trouble.outcome])
        others = [each for each in self.session.troubles.values() if each is not trouble]
        return any(_should_define(other, name) for name in missing for other in others)

    def _if_blank(self, verdict: Verdict, names: set[str]) -> Verdict:
        """If what the test needs stands only in a cell that is still as it was handed out, that is the thing to say."""
        blank = [f"`{name}`" for name in sorted(names - {"student"}) if self.work.is_unwritten(name)]
        if not blank or verdict.points:
            no_id = "student" in names and self._has_no_id()
            return Verdict(0.0, "not right", (_NO_ID,)) if no_id else verdict
        message = f"{_list(blank)}: not written yet. The cell is still as it was handed out."
        return Verdict(0.0, "blank", (message,))

    def _remark(self, trouble: Trouble) -> str:
        inside = _cell_of(trouble.outcome) == trouble.cell.number
        line, text = (
            (trouble.outcome.line, trouble.outcome.code) if inside else (trouble.line, trouble.cell.line(trouble.line))
        )
        place = f", line {line} (`{_short(text, 80)}`)" if line else ""
        elsewhere = "" if inside else _in_cell(trouble.outcome)
        return f"Code cell {trouble.cell.number}{place}: {self._in_words(trouble.outcome)}{elsewhere}"

    def _in_words(self, outcome: Outcome) -> str:
        words = f": {_short(outcome.message, 300)}" if outcome.message else ""
        sentence = {
            "returned": "it gave something that makes no sense.",
            "raised": f"it raised {_short(outcome.error, 80)}{words.removesuffix('.')}.",
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


_MAX_CAUSES: Final = 3  # statements that are named at a question
_MAX_PASTED: Final = 20  # pictures in an answer
_MAX_DRAWN: Final = 3  # pictures before a question: the last ones


def _state(points: float, most: float) -> str:
    return "right" if points >= most else "partly right" if points else "not right"


def _should_define(trouble: Trouble, name: str) -> bool:
    """Should this name have come from a statement that failed, or from a cell that cannot be read?"""
    return name in trouble.names or (trouble.line == 0 and may_define(trouble.cell.source, name))


def _missing_names(outcomes: Iterable[Outcome]) -> set[str]:
    """The names that were not defined when something was run."""
    messages = [outcome.message for outcome in outcomes if outcome.error == "NameError"]
    return {match[1] for message in messages if (match := re.match(r"name '(\w+)' is not defined", message))}


def _cell_of(outcome: Outcome) -> int:
    """The number of the cell in which it happened; 0 if that is not known."""
    cell = re.fullmatch(r"<cell (\d{1,9})>", outcome.file)
    return int(cell[1]) if cell and outcome.code else 0


def _in_cell(outcome: Outcome) -> str:
    """Where it happened."""
    place = f"code cell {_cell_of(outcome)}, line {outcome.line} (`{_short(outcome.code, 80)}`)"
    return f" It happened in {place}." if _cell_of(outcome) else ""


def _nothing_follows(
    question: Question, report: Report, points: float, parts: Sequence[dict[str, Any]], names: Sequence[str]
) -> Verdict:
    """The verdict without what follows only from functions that do nothing of their task."""
    points -= sum(part["points"] for part in parts if part["follows"]) if parts else points
    kept = tuple({**part, "points": 0.0, "right": False} if part["follows"] else part for part in parts)
    words = _list(f"`{name}`" for name in names)
    message = f"It is what your {words} gives. But {words} is right in no case, so nothing follows from it."
    solution = _solution(report)
    details = (("Right for your data", solution),) if solution else ()
    return Verdict(points, _state(points, question.points), (message,), details, kept)


def _redefined(pair: tuple[str, int]) -> str:
    return f"`{pair[0]}` is defined again in code cell {pair[1]}. The better of the two was counted."


def _parts(report: Report, worth: Sequence[float]) -> tuple[dict[str, Any], ...]:
    """Each part of an answer with its points."""
    if len(worth) < 2:
        return ()
    return tuple(
        {
            "name": name,
            "right": right,
            "follows": name in report.followed,  # it is right only because it follows from a function before
            "points": most if right else 0.0,
            "max": most,
        }
        for (name, right), most in zip(report.parts.items(), worth, strict=True)
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
    return tuple(
        {name: _short(value, 1000) if isinstance(value, str) else value for name, value in row.items()} for row in rows
    )


def _list(words: Iterable[str]) -> str:
    """a, b and c."""
    *some, last = [*words] or [""]
    return f"{', '.join(some)} and {last}" if some else last


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _ending(message: str) -> str:
    """How a process ended, also where bubblewrap stands in between and gives a signal as a number over 128."""
    status = re.fullmatch(r"exit status (\d+)", message)
    number = int(status[1]) - 128 if status else 0
    return f"signal {signal.Signals(number).name}" if number in set(signal.Signals) else message


def functions_in(source: str) -> list[str]:
    """The functions that a cell of ours defines."""
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]


def run_test(source: str, space: dict[str, Any], reports: list[tuple[Report, tuple[float, ...]]]) -> Any:
    """Run a cell of ours; the value of its last line, if that is an expression.

    Reports it makes use of are noted, with what their parts are worth if they are asked for marks.
    """
    space |= {"print": lambda *_, **__: None, "display": lambda *_, **__: None}  # nobody is there to read it

    def note(report: Report, *worth: float) -> Report:
        reports.append((report, worth))
        return report

    space[_NOTED] = note
    *body, last = ast.fix_missing_locations(_Noting().visit(ast.parse(source))).body
    exec(compile(ast.Module(body, []), "<test>", "exec"), space)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "<test>", "eval"), space)
    exec(compile(ast.Module([last], []), "<test>", "exec"), space)
    return None


_NOTED: Final = "report that is noted"  # no name that a test can use


class _Noting(ast.NodeTransformer):
    """Notes the reports that a test asks for marks, or requires to have passed."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("marks", "require"):
            node.func.value = ast.Call(ast.Name(_NOTED, ast.Load()), [node.func.value, *node.args], [])
        return node


def _words_of(report: Report) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The sentences of a report, and (label, text) for those that have a label."""
    # Without the advice for those who call a check themselves: who reads feedback cannot follow it.
    paragraphs = sentences.paragraphs(report, advice=False)
    messages = tuple(_short(paragraph.text, 2000) for paragraph in paragraphs if not paragraph.label)
    details = tuple((paragraph.label, _short(paragraph.text, 2000)) for paragraph in paragraphs if paragraph.label)
    return messages, details

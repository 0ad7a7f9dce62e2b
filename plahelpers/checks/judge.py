"""From what a function did to the report: which answers are right, and which known mistake explains the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from dis import get_instructions
from inspect import signature
from types import CodeType
from typing import Any, Final, Protocol

import numpy as np

from plahelpers._guard import Outcome, run_guarded
from plahelpers._validation import check_number
from plahelpers.checks import sentences
from plahelpers.checks.report import Answer, Case, Report, same
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import Arguments, Endless, Given, Task, Version

SECONDS: Final = 10.0


class Check(Protocol):
    """A check as learners call it."""

    def __call__(
        self, function: Version, *, seconds: float = SECONDS, seed: int | None = None, given: Given | None = None
    ) -> Report: ...


def exercise(**fields: Any) -> Callable[[Version], Check]:
    """Turn a right function into the check of others: its docstring is the contract, the fields are those of `Task`."""

    def decorate(right: Version) -> Check:
        task = Task(name=right.__name__, right=right, arguments=tuple(signature(right).parameters), **fields)

        def check(
            function: Callable[..., Any],
            *,
            seconds: float = SECONDS,
            seed: int | None = None,
            given: Given | None = None,
        ) -> Report:
            cases = task.all_cases(seed)
            if is_unwritten(function):
                outcomes = [Outcome("not tried")] * len(cases)
                return replace(judge(task, name_of(function), cases, outcomes), unwritten=True)
            outcomes = run(function, cases, task.name, seconds)
            report = judge(task, name_of(function), cases, outcomes, seconds)
            report = _mention_unused(report, unused_arguments(function))
            return report if given is None else _given(task, report, given)

        check.__name__ = check.__qualname__ = task.name
        check.__doc__, check.__module__ = right.__doc__, "plahelpers.checks"
        check.task = task  # type: ignore[attr-defined]
        return check

    return decorate


def _mention_unused(report: Report, unused: Sequence[str]) -> Report:
    """The report; if nothing else is known, the mistake is that these arguments are not used."""
    tries = any(case.answer or case.outcome.error in ("IndexError", "ValueError") for case in report.cases)
    if report.passed or report.known or not unused or not tries:
        return report
    names = sentences.short(", ".join(unused), 60)
    return replace(report, known=Note(f"{report.check}.unused_argument", names=names))


def _given(task: Task, report: Report, given: Given) -> Report:
    """The report; a part that follows from the learner's earlier functions, in every case, counts as right."""
    if report.passed or report.repeated or not all(case.answer for case in report.cases):
        return report
    own = list[Answer]()
    for case in report.cases:
        answer = task.read(given(*_copies(case)))
        if answer is None:  # no attempt: nothing follows, and no further call is needed
            return report
        own.append(answer)
    pairs = list(zip(report.cases, own, strict=True))
    wrong = [part for part, right in report.parts.items() if not right]
    followed = [part for part in wrong if all(case.gives(part, answer) for case, answer in pairs)]
    if not followed:
        return report
    cases = tuple(_with_expected(case, {part: answer[part] for part in followed}) for case, answer in pairs)
    known, notes = report.known, report.notes
    if all(case.right for case in cases):
        known, notes = Note(f"{task.name}.modifies_inputs") if report.changed else None, ()
    return replace(report, cases=cases, known=known, notes=notes, given=given.names, followed=tuple(followed))


def _with_expected(case: Case, parts: Answer) -> Case:
    """The case, if these parts were expected instead."""
    expected = {**case.expected, **parts}  # type: ignore[dict-item]
    return replace(case, expected=expected, right=case.answer is not None and same(case.answer, expected))


def _copies(case: Case) -> list[Any]:
    """The arguments, for a function that may change them."""
    return [np.array(each) if np.ndim(each) else each for each in case.arguments.values()]


def run(function: Callable[..., Any], cases: Sequence[Arguments], check: str, seconds: float) -> list[Outcome]:
    """What a learner's function makes of the cases."""
    if not callable(function):
        kind = sentences.short(type(function).__name__, 60)
        raise TypeError(sentences.text("any.no_function", check=check, type=kind))
    return run_guarded(function, cases, seconds=check_number(seconds, "seconds", 0.1, 3600), **sentences.LIMITS)


def is_unwritten(function: Any) -> bool:
    """Is the function still a template: a name, arguments, and nothing but a docstring, `...` or `pass`?

    Its bytecode tells, because a cell's source is not always at hand. It cannot tell `return None` from `pass`.
    """
    code = getattr(function, "__code__", None)
    return code is not None and name_of(function) != "" and _steps(code) == _steps(_template.__code__)


def _template() -> None: ...


def _steps(code: CodeType) -> list[tuple[str, Any]]:
    return [(step.opname, step.argval) for step in get_instructions(code) if step.opname != "NOP"]


def unused_arguments(function: Any) -> list[str]:
    """The arguments that the function's code never reads."""
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    read = set(code.co_cellvars)  # by functions inside it
    for step in get_instructions(code):
        if "LOAD_FAST" in step.opname:
            read |= set(step.argval) if isinstance(step.argval, tuple) else {step.argval}
    return [name for name in code.co_varnames[: code.co_argcount] if name not in read and not name.startswith("_")]


def name_of(function: Any) -> str:
    """The function's name; "" for a lambda."""
    name = str(getattr(function, "__name__", ""))
    return "" if name.startswith("<") else sentences.short(name, 60)


def judge(
    task: Task, subject: str, cases: Sequence[Arguments], outcomes: Sequence[Outcome], seconds: float = SECONDS
) -> Report:
    """The report on what a function made of the cases."""
    judged = tuple(_judge_case(task, *pair) for pair in zip(cases, outcomes, strict=True))
    changed = tuple(sorted({task.arguments[k] for outcome in outcomes for k in outcome.changed}))
    repeated = _different_answers(judged, len(task.cases()) - 1)
    known = "not_repeatable" if repeated else _diagnose(task, judged, bool(changed))
    return Report(
        check=task.name,
        subject=subject,
        cases=judged,
        known=Note(f"{task.name}.{known}") if known else None,
        notes=() if known else _explain(task, judged),
        changed=changed,
        repeated=repeated,
        seconds=seconds,
    )


def _judge_case(task: Task, arguments: Arguments, outcome: Outcome) -> Case:
    answer = task.read(outcome.value) if outcome.kind == "returned" else None
    expected = task.read(task.right(*arguments))
    assert expected is not None
    return Case(
        arguments=dict(zip(task.arguments, arguments, strict=True)),
        outcome=outcome,
        right=answer is not None and same(answer, expected),
        answer=answer,
        expected=expected,
    )


def _different_answers(cases: Sequence[Case], first: int) -> tuple[int, int] | None:
    """The last case is the one at `first` once more: both, if their answers differ."""
    one, other = cases[first].answer, cases[-1].answer
    differ = one is not None and other is not None and not same(one, other)
    return (first, len(cases) - 1) if differ else None


def _diagnose(task: Task, cases: Sequence[Case], changed: bool) -> str | None:
    """The id of the known mistake that explains all that was seen, if there is one."""
    if all(case.right for case in cases):
        return "modifies_inputs" if changed else None
    by_key = [_only(task.key, case) for case in cases] if task.key else []
    for seen in (cases, by_key):
        if all(case.right for case in seen):
            continue
        for known in task.mistakes:
            if any(_explains(task, version, seen) for version in known.versions):
                return known.id
    answers = [case.answer for case in cases if case.answer]
    constant = len(answers) > 2 and all(same(answers[0], answer) for answer in answers)
    return "same_answer" if constant else None


def _only(part: str, case: Case) -> Case:
    """The case, as if this part of the answer were all of it."""
    assert isinstance(case.expected, dict)
    if case.answer is None or part not in case.answer:
        return case
    answer, expected = {part: case.answer[part]}, {part: case.expected[part]}
    return replace(case, answer=answer, expected=expected, right=same(answer, expected))


def _explains(task: Task, version: Version, cases: Sequence[Case]) -> bool:
    """Does this wrong version give exactly what the learner's function gave, in every case that was tried?

    Where the version would never return, a function with a limit on its loop gives a wrong answer of its own: that
    says nothing, if at least two other answers are the version's and not the right ones. Nor does a case without an
    answer. And a function that answered nothing at all is only known to be slow: many mistakes can do that.
    """
    matches, unknown = 0, not any(case.answer for case in cases)
    for case in cases:
        if case.outcome.kind == "not tried":
            continue
        verdict = _agrees(task, version, case)
        if verdict == "no":
            return False
        matches += verdict == "yes" and case.answer is not None and not case.right
        unknown = unknown or verdict == "unknown"
    return matches >= 2 or not unknown


def _agrees(task: Task, version: Version, case: Case) -> str:
    """Does the version do the same here? Unknown where one of them has no answer, and the other has a wrong one."""
    assert isinstance(case.expected, dict)
    is_partial = case.answer is not None and case.answer.keys() < case.expected.keys()
    if is_partial or (case.answer is None and case.outcome.kind != "slow"):
        return "unknown"
    try:
        value = version(*_copies(case))
    except Endless:
        if case.answer is not None and not case.right:
            return "unknown"
        return "yes" if case.outcome.kind == "slow" else "no"
    answer = {name: part for name, part in (task.read(value) or {}).items() if name in case.expected or not name}
    return "yes" if case.answer is not None and same(case.answer, answer) else "no"


def _explain(task: Task, cases: Sequence[Case]) -> tuple[Note, ...]:
    """What to say about the first wrong answer, if it fits the contract."""
    case = next((case for case in cases if sentences.is_example(case)), None)
    return tuple(task.explain(case.answer, *case.arguments.values())) if task.explain and case and case.fits else ()

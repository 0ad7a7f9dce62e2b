"""From what a function did to the report: which answers are right, and which known mistake explains the others."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from dis import get_instructions
from inspect import signature
from itertools import islice, permutations
from types import CodeType
from typing import Any, Final, Protocol, TypeAlias, cast

import numpy as np

from plahelpers._guard import Outcome, run_guarded
from plahelpers._validation import check_number
from plahelpers.checks.report import Report, remember
from plahelpers.checks.result import Case, Problem, same
from plahelpers.checks.sentences import LIMITS, short
from plahelpers.checks.task import Arguments, Endless, Task, Version

SECONDS: Final = 10.0
_NAMED: Final = 0.25  # the share of the points that a function earns at least, if its mistake is a known one

# What any function can get wrong.
_MODIFIES_INPUTS: Final = Problem(
    "modifies_inputs", "it changes the arrays it is given", "Work on a copy: `a = a + b`, not `a += b`."
)
_NOT_REPEATABLE: Final = Problem(
    "not_repeatable",
    "it gave two different answers to the same question",
    "Does it use random numbers, or remember something from an earlier call (a global list, a list as a default)?",
)
_SAME_ANSWER: Final = Problem(
    "same_answer",
    "it gives the same answer in every case",
    "Does it use a variable of the notebook, such as X or y, in place of its argument?",
)
_WRONG_ORDER: Final = "wrong_order", "the parts of its answer are right, but in the wrong order"

Check: TypeAlias = Callable[..., Report]  # a check as learners call it


class TaskCheck(Protocol):
    """The check of a function that answers cases, as learners call it."""

    __name__: str
    task: Task

    def __call__(self, function: Version, *, seconds: float = SECONDS, seed: int | None = None) -> Report: ...


def exercise(**fields: Any) -> Callable[[Version], TaskCheck]:
    """Turn a right function into the check of others: its docstring is the contract, the fields are those of `Task`."""

    def decorate(right: Version) -> TaskCheck:
        task = Task(name=right.__name__, right=right, arguments=tuple(signature(right).parameters), **fields)
        return check_of(task, right.__doc__)

    return decorate


def check_of(task: Task, contract: str | None = None) -> TaskCheck:
    """The check of a task, as learners call it."""

    def check(function: Version, *, seconds: float = SECONDS, seed: int | None = None) -> Report:
        cases = task.all_cases(seed)
        if is_unwritten(function):
            outcomes = [Outcome("not tried")] * len(cases)
            return remember(replace(judge(task, name_of(function), cases, outcomes), unwritten=True))
        outcomes = run(function, cases, task.name, seconds)
        return remember(judge(task, name_of(function), cases, outcomes, seconds))

    check.task = task  # type: ignore[attr-defined]
    return cast(TaskCheck, named(check, task.name, contract))


def named(check: Check, name: str, contract: str | None) -> Check:
    """The check with the name and the docstring that learners see."""
    check.__name__ = check.__qualname__ = name
    check.__doc__, check.__module__ = contract, "plahelpers.checks"
    return check


# --- The function ----------------------------------------------------------------------------------------------------


def run(function: Callable[..., Any], cases: Sequence[Arguments], check: str, seconds: float) -> list[Outcome]:
    """What a learner's function makes of the cases."""
    if not callable(function):
        raise TypeError(
            f"give the function itself to be checked, as in checks.{check}(my_function), without calling it; "
            f"this is a value of type {short(type(function).__name__, 60)}."
        )
    return run_guarded(function, cases, seconds=check_number(seconds, "seconds", 0.1, 3600), **LIMITS)


def is_unwritten(function: Any) -> bool:
    """Is the function still a template: a name, arguments, and nothing but a docstring, `...` or `pass`?

    Its bytecode tells, because a cell's source is not always at hand. It cannot tell `return None` from `pass`.
    """
    code = getattr(function, "__code__", None)
    return code is not None and name_of(function) != "" and _steps(code) == _steps(_template.__code__)


def _template() -> None: ...


def _steps(code: CodeType) -> list[tuple[str, Any]]:
    return [(step.opname, step.argval) for step in get_instructions(code) if step.opname != "NOP"]


def name_of(function: Any) -> str:
    """The function's name; "" for a lambda."""
    name = str(getattr(function, "__name__", ""))
    return "" if name.startswith("<") else short(name, 60)


# --- Its answers -----------------------------------------------------------------------------------------------------


def judge(
    task: Task, subject: str, cases: Sequence[Arguments], outcomes: Sequence[Outcome], seconds: float = SECONDS
) -> Report:
    """The report on what a function made of the cases."""
    fixed = len(task.cases())
    judged = tuple(
        _judge_case(task, arguments, outcome, unseen=fixed <= k < len(cases) - 1)
        for k, (arguments, outcome) in enumerate(zip(cases, outcomes, strict=True))
    )
    changed = tuple(sorted({task.arguments[k] for outcome in outcomes for k in outcome.changed}))
    first, last = judged[fixed - 1].answer, judged[-1].answer  # the same case twice
    repeated = (fixed - 1, len(cases) - 1) if first and last and not same(first, last) else None
    known = _NOT_REPEATABLE if repeated else _diagnose(task, judged, bool(changed))
    return Report(
        check=task.name,
        title=task.title or task.name,
        subject=subject,
        cases=judged,
        returns=task.returns,
        ends=task.ends,
        known=known,
        key=task.key,
        notes=() if known else _explain(task, judged),
        changed=changed,
        repeated=repeated,
        seconds=seconds,
    )


def _judge_case(task: Task, arguments: Arguments, outcome: Outcome, *, unseen: bool) -> Case:
    answer = task.parse(outcome.value) if outcome.kind == "returned" else None
    expected = task.parse(task.right(*arguments))
    assert expected is not None
    return Case(
        arguments=dict(zip(task.arguments, arguments, strict=True)),
        outcome=outcome,
        right=answer is not None and same(answer, expected),
        unseen=unseen,
        answer=answer,
        expected=expected,
    )


def _diagnose(task: Task, cases: Sequence[Case], changed: bool) -> Problem | None:
    """The known mistake that explains all that was seen, if there is one."""
    if all(case.right for case in cases):
        return _MODIFIES_INPUTS if changed else None
    tried = [case for case in cases if case.outcome.kind != "not tried"]
    for order in islice(permutations(range(len(task.parts))), 1, None):
        if _is_given_by(task, lambda *case, order=order: [task.right(*case)[k] for k in order], tried):
            return Problem(*_WRONG_ORDER, f"It should return {task.returns}.", share=_NAMED)
    by_key = [_only(task.key, case) for case in tried] if task.key else tried
    for seen in (tried, by_key):
        for known in task.mistakes:
            if any(_is_given_by(task, version, seen) for version in known.versions):
                return Problem(known.id, known.what, known.why, known.read or task.read, _NAMED)
    answers = [case.answer for case in cases if case.answer]
    return _SAME_ANSWER if len(answers) > 2 and all(same(answers[0], answer) for answer in answers) else None


def _only(part: str, case: Case) -> Case:
    """The case, as if this part of the answer were all of it."""
    if case.answer is None or part not in case.answer or not isinstance(case.expected, dict):
        return case
    return replace(case, answer={part: case.answer[part]}, expected={part: case.expected[part]}, right=case.gives(part))


def _is_given_by(task: Task, version: Version, cases: Sequence[Case]) -> bool:
    """Does this wrong version give exactly what the learner's function gave, in every case that was tried?

    Only wrong answers prove it: many mistakes make a loop endless, so hanging alone proves none. One wrong answer is
    enough, or two if some cases are silent: those that ended in trouble, those of which only a part can be read,
    and those in which the version never returns but a limit on the learner's loop made an answer.
    """
    proofs, silent = 0, False
    for case in cases:
        names = set(case.expected)
        is_whole = case.answer is not None and not case.answer.keys() < names
        if not is_whole and case.outcome.kind != "slow":
            silent = True
            continue
        try:
            answer = task.parse(version(*_copies(case)))
        except Endless:
            if case.right:
                return False
            silent = silent or case.answer is not None
            continue
        comparable = {name: part for name, part in (answer or {}).items() if name in names or not name}
        if case.answer is None or not same(case.answer, comparable):
            return False
        proofs += not case.right
    return proofs >= (2 if silent else 1)


def _explain(task: Task, cases: Sequence[Case]) -> tuple[str, ...]:
    """What to say about the first wrong answer, if it fits the contract."""
    case = next((case for case in cases if case.is_example), None)
    return tuple(task.explain(case.answer, *case.arguments.values())) if task.explain and case and case.fits else ()


def _copies(case: Case) -> list[Any]:
    """The arguments, for a function that may change them."""
    return [np.array(each) if np.ndim(each) else each for each in case.arguments.values()]

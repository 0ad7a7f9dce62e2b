"""Which known mistake a function makes: the one whose wrong version gives the same answers, case by case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from plahelpers.checks.answers import Answer, same
from plahelpers.checks.tasks import Task
from plahelpers.checks.wrong_base import WORDS, Endless, Wrong
from plahelpers.guard import Outcome

CHANGES_INPUTS: Final = Wrong(
    "modifies_inputs", "it changes the arrays it is given",
    "whoever calls it may need them again: work on a copy (`w = w + y * x` makes a new array, `w += y * x` does not).",
    WORDS, (),
)  # fmt: skip
NOT_REPEATABLE: Final = Wrong(
    "not_repeatable", "it gave two different answers to the same question",
    "either there is chance in it (a random start, a random order), or it remembers something from an earlier call "
    "(a global list, a list as a default argument). Here the start is 0 and the order is fixed.", WORDS, (),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Tried:
    """One case, its right answer, and what the function made of it."""

    arguments: tuple[Any, ...]
    right: Answer
    outcome: Outcome
    answer: Answer | None
    whole: bool = True  # is everything there that has to be returned?

    @property
    def answered(self) -> bool:
        """Was the answer right?"""
        return self.answer is not None and same(self.answer, self.right)

    @property
    def passed(self) -> bool:
        return self.answered and self.whole and not self.outcome.changed

    def without(self, name: str) -> Tried:
        """The same, with this part of the answer left out."""
        answer = self.answer and {each: value for each, value in self.answer.items() if each != name}
        return replace(self, answer=answer)


def diagnose(task: Task, tried: Sequence[Tried], changed: bool) -> Wrong | None:
    """The known mistake that explains all that was seen, if there is one."""
    first, again = asked_twice(tried)
    if first.answer and again.answer and not same(first.answer, again.answer):
        return NOT_REPEATABLE
    if all(each.answered for each in tried):
        return CHANGES_INPUTS if changed else None
    return next((wrong for wrong in task.wrong if any(_explains(task, it, tried) for it in wrong.versions)), None)


def asked_twice(tried: Sequence[Tried]) -> tuple[Tried, Tried]:
    """The last case is one of the cases before, once more."""
    again = tried[-1]
    alike = (each for each in tried if all(np.array_equal(*pair) for pair in _pairs(each, again)))
    return next(alike), again


def _pairs(one: Tried, other: Tried) -> Iterable[tuple[Any, Any]]:
    return zip(one.arguments, other.arguments, strict=True)


def _explains(task: Task, version: Callable[..., Any], tried: Sequence[Tried]) -> bool:
    """Does this wrong version give exactly what the learner's function gave, in every case that was tried?

    Where the version would never return, a function with a limit on its loop gives a wrong answer of its own: that
    says nothing, if at least two other answers are the version's and not the right ones. And a function that answered
    nothing at all is only known to be slow: many mistakes can do that.
    """
    matches, unknown = 0, not any(each.answer for each in tried)
    for each in tried:
        agrees = each.outcome.kind == "not tried" or _agrees(task, version, each)
        if agrees is False:
            return False
        matches += agrees is True and each.answer is not None and not each.answered
        unknown = unknown or agrees is None
    return matches >= 2 or not unknown


def _agrees(task: Task, version: Callable[..., Any], tried: Tried) -> bool | None:
    """Does the version do the same here? None where it would never return and the answer is wrong."""
    if tried.answer is None and tried.outcome.kind != "slow":
        return False
    try:
        value = version(*(np.array(each) if np.ndim(each) else each for each in tried.arguments))
    except Endless:
        bounded = tried.answer is not None and not tried.answered
        return None if bounded else tried.outcome.kind == "slow"
    given = task.read(value)
    if tried.answer is None or given is None:
        return False
    return same(tried.answer, {**tried.right, **_last_of_picks(given), **given})


def _last_of_picks(answer: Answer) -> Answer:
    """The example corrected last, for a version that tells all of them."""
    picks = answer.get("picks", np.array([]))
    return {"last": picks[-1:].reshape(())} if picks.size else {}


def part_to_ignore(task: Task, tried: Sequence[Tried], wrong: Wrong | None) -> str | None:
    """The optional part of the answers, if it is neither right nor wrong in a known way: it means something else."""
    given = any(task.optional in (each.answer or {}) for each in tried)
    known = wrong is not None and wrong is not NOT_REPEATABLE
    return task.optional if given and not known and not all(each.answered for each in tried) else None

"""What a check answers, as data: its cases, how each ended, and the known mistake; `sentences` puts it into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from plahelpers._guard import Outcome
from plahelpers._validation import FloatArray
from plahelpers.checks import sentences
from plahelpers.checks.sentences import Note

# Each thing that a function returned, by its name in the contract: {"w": …, "updates": …}.
Answer: TypeAlias = dict[str, FloatArray]


def same(one: Answer, other: Answer) -> bool:
    """Is all the same, but for rounding? (NaN is the same as NaN; no right answer has one.)"""
    return one.keys() == other.keys() and all(
        value.shape == other[name].shape and np.allclose(value, other[name], 1e-6, 1e-9, equal_nan=True)
        for name, value in one.items()
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """One case of a check: the arguments, how the call ended, and what was expected."""

    arguments: Mapping[str, Any]
    outcome: Outcome  # its kind ("returned", "raised", "slow", "memory", …), value, line, output
    right: bool  # is the answer the expected one?
    answer: Answer | None = None  # the value as numbers by name, if it can be read so
    expected: Answer | Note | None = None  # None: not told
    remark: Note | None = None  # what to show in place of the value
    mistake: Note | None = None  # what is wrong with this value, where each is judged by itself
    name: str = ""  # of a number among several
    solution: Any = None  # of a value: the right one, for whoever grades; a learner's own check never shows it

    @property
    def passed(self) -> bool:
        """Is the answer right, and are the arguments unchanged?"""
        return self.right and not self.outcome.changed

    @property
    def fits(self) -> bool:
        """Does the answer have the parts of the expected one, and each of them its form?"""
        forms = [
            {name: value.ndim for name, value in answer.items()} if isinstance(answer, Mapping) else None
            for answer in (self.answer, self.expected)
        ]
        return forms[0] == forms[1] is not None

    def gives(self, part: str, other: Answer | Note | None) -> bool:
        """Is this part of the answer as in another one, such as the expected one?"""
        if not isinstance(self.answer, Mapping) or not isinstance(other, Mapping):
            return False
        return part in self.answer and part in other and same({part: self.answer[part]}, {part: other[part]})

    @property
    def trouble(self) -> str | None:
        """How the call ended, when it did not return: "raised", "slow", "memory", …"""
        return None if self.outcome.kind == "returned" else self.outcome.kind


_BLANK: Final = ("value.no_value", "value.no_values", "value.no_letter")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Report:
    """What a check found: `passed`, the sentences in `messages`, and for graders `points`, `mistake` and `cases`."""

    check: str  # its name, "pla" for checks.pla: its messages stand under it
    subject: str  # the function's name, "" if it has none; or what the value is
    cases: tuple[Case, ...]
    known: Note | None = None  # the known mistake that explains all answers
    notes: tuple[Note, ...] = ()  # more to say about the first wrong answer
    changed: tuple[str, ...] = ()  # the arguments that the function changed
    repeated: tuple[int, int] | None = None  # two cases with the same arguments and different answers
    seconds: float = 0.0  # for all cases together
    about: Literal["function", "value"] = "function"
    unwritten: bool = False  # the function has no statement yet, so no case was tried
    given: tuple[str, ...] = ()  # earlier functions of the learner's, if something is right as it follows from them
    followed: tuple[str, ...] = ()  # the parts that are right only so

    @property
    def passed(self) -> bool:
        """Is every case right, and nothing else wrong?"""
        return self.known is None and all(case.passed for case in self.cases)

    @property
    def points(self) -> float:
        """The fraction of cases that are right."""
        return sum(case.passed for case in self.cases) / len(self.cases)

    @property
    def noted(self) -> bool:
        """Is nothing wrong with a value, as far as one can tell without the right one?"""
        return self.about == "value" and self.passed and any(case.solution is None for case in self.cases)

    @property
    def parts(self) -> dict[str, bool]:
        """Each part of the contract, or each of several numbers: is it right in every case?

        A call that does not return has no part right.
        """
        if self.about == "value":
            return {case.name: case.right for case in self.cases}
        contract = self.cases[0].expected
        if not isinstance(contract, Mapping):  # data that the function makes: they are one part
            return {"": all(case.right for case in self.cases)}
        return {name: all(case.gives(name, case.expected) for case in self.cases) for name in contract}

    @property
    def mistake(self) -> str | None:
        """The id of the known mistake: "zero_is_plus"."""
        return self.known.id.rpartition(".")[2] if self.known else None

    @property
    def is_blank(self) -> bool:
        """Is there nothing yet in the place of `...`: no statement, no value?"""
        return self.unwritten or all(case.mistake and case.mistake.id in _BLANK for case in self.cases)

    @property
    def mistake_text(self) -> str:
        """What the known mistake is, why it is one, and where to read about it."""
        return sentences.mistake_text(self)

    @property
    def read(self) -> str | None:
        """The section that explains it: 'chapter 1, "The bias trick"'."""
        section = sentences.section(self)
        return str(section) if section else None

    @property
    def trouble(self) -> str | None:
        """How the first call that did not return ended: "raised", "slow", "memory", …"""
        return next((case.trouble for case in self.cases if case.trouble), None)

    @property
    def printed(self) -> str:
        """What the function printed, shortened."""
        return sentences.short(next((case.outcome.printed for case in self.cases if case.outcome.printed), ""), 500)

    @property
    def messages(self) -> tuple[str, ...]:
        """All that is to be said, one sentence or a few in each."""
        return tuple(str(paragraph) for paragraph in sentences.paragraphs(self))

    def marks(self, *worth: float) -> Marks:
        """The points earned, if the parts of the contract are worth so many: for the last line of a test.

        Whoever changes the arguments loses, besides, as much as the cheapest part is worth.
        """
        _record(self, worth)
        earned = sum(points for points, right in zip(worth, self.parts.values(), strict=True) if right)
        return Marks(max(0.0, earned - min(worth)) if self.changed else earned, self, worth)

    def require(self) -> None:
        """Raise an AssertionError that says all this, unless the check was passed: for the cells of a test."""
        _record(self, ())
        if not self.passed:
            raise NotPassedError(self)

    def __repr__(self) -> str:
        head, *rest = self.messages
        return "\n".join([head, *(f"  {message}" for message in rest)])

    def _repr_html_(self) -> str:
        return sentences.html(self)


_recorded: Final[ContextVar[list[tuple[Report, tuple[float, ...]]] | None]] = ContextVar("recorded", default=None)


@contextmanager
def recording() -> Iterator[list[tuple[Report, tuple[float, ...]]]]:
    """For whoever grades: a list of the reports that are asked for marks, or required, and what parts are worth."""
    reports: list[tuple[Report, tuple[float, ...]]] = []
    token = _recorded.set(reports)
    try:
        yield reports
    finally:
        _recorded.reset(token)


def _record(report: Report, worth: tuple[float, ...]) -> None:
    reports = _recorded.get()
    if reports is not None:
        reports.append((report, worth))


class Marks(float):
    """Points, as a number that nbgrader can read too, with the report that they come from."""

    report: Report
    worth: tuple[float, ...]

    def __new__(cls, earned: float, report: Report, worth: tuple[float, ...]) -> Marks:
        marks = super().__new__(cls, earned)
        marks.report, marks.worth = report, worth
        return marks


class NotPassedError(AssertionError):
    """A check that had to be passed and was not; `report` is what it found, for whoever grades."""

    __module__ = "plahelpers.checks"  # where its reader knows it from: a traceback names this

    def __init__(self, report: Report) -> None:
        super().__init__(repr(report))
        self.report = report

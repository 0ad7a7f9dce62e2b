"""What a check found, as data: its cases, how each ended, and the problem that was recognised. No sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from plahelpers._guard import Outcome
from plahelpers._validation import FloatArray

# Each thing that a function returned, by its name in the contract: {"w": …, "updates": …}.
Answer: TypeAlias = dict[str, FloatArray]


def same(one: Answer, other: Answer) -> bool:
    """Is all the same, but for rounding? (NaN is the same as NaN; no right answer has one.)"""
    return one.keys() == other.keys() and all(
        value.shape == other[name].shape and np.allclose(value, other[name], 1e-6, 1e-9, equal_nan=True)
        for name, value in one.items()
    )


class Section(NamedTuple):
    """A section of a chapter."""

    chapter: int
    title: str

    def __str__(self) -> str:
        return f'chapter {self.chapter}, "{self.title}"'


class Problem(NamedTuple):
    """Something that is wrong: its id, what it is, why it is wrong, where to read about it, and what it still earns."""

    id: str
    what: str
    why: str
    read: Section | None = None
    share: float = 0.0  # of the points


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """One case of a check: the arguments, how the call ended, and what was expected."""

    arguments: Mapping[str, Any]
    outcome: Outcome  # its kind ("returned", "raised", "slow", "memory", …), value, line, output
    right: bool  # is the answer the expected one?
    unseen: bool = False  # it was drawn from a seed: nobody could know it
    answer: Answer | None = None  # the value as numbers by name, if it can be read so
    expected: Answer | str | None = None  # None: not told
    remark: str = ""  # what to show in place of the value
    problem: Problem | None = None  # what is wrong with this value, where each is judged by itself
    name: str = ""  # of a number among several
    solution: Any = None  # of a value: the right one, for whoever grades; a learner's own check never shows it

    @property
    def passed(self) -> bool:
        """Is the answer right, and are the arguments unchanged?"""
        return self.right and not self.outcome.changed

    @property
    def is_example(self) -> bool:
        """Does this case show what is wrong? (One with the right answer may still have changed its arguments.)"""
        return not self.right and self.outcome.kind != "not tried"

    @property
    def fits(self) -> bool:
        """Does the answer have the parts of the expected one, and each of them its form?"""
        if self.answer is None or not isinstance(self.expected, Mapping):
            return False
        forms = ({name: value.ndim for name, value in each.items()} for each in (self.answer, self.expected))
        return next(forms) == next(forms)

    def gives(self, part: str, other: Answer | str | None) -> bool:
        """Is this part of the answer as in another one, such as the expected one?"""
        if self.answer is None or not isinstance(other, Mapping):
            return False
        return part in self.answer and part in other and same({part: self.answer[part]}, {part: other[part]})

    @property
    def trouble(self) -> str | None:
        """How the call ended, when it did not return: "raised", "slow", "memory", …"""
        return None if self.outcome.kind == "returned" else self.outcome.kind


_BLANK: Final = ("no_value", "no_values", "no_letter")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Result:
    """What a check found: `passed`, and for graders `points`, `mistake`, `parts` and `cases`."""

    check: str  # its name, "pla" for checks.pla
    title: str = ""  # the same for readers
    subject: str  # the function's name, "" if it has none; or what the value is
    cases: tuple[Case, ...]
    returns: str = ""  # the contract, as the end of "It should return …"
    ends: str = ""  # a sentence for a function that hangs: when does the loop end that is asked for?
    known: Problem | None = None  # the known mistake that explains all answers
    notes: tuple[str, ...] = ()  # more to say about the first wrong answer
    changed: tuple[str, ...] = ()  # the arguments that the function changed
    repeated: tuple[int, int] | None = None  # two cases with the same arguments and different answers
    seconds: float = 0.0  # for all cases together
    about: Literal["function", "data", "value"] = "function"
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
    def counted(self) -> tuple[Case, ...]:
        """The cases that earn points: the unseen ones; all of them, if none is unseen."""
        return tuple(case for case in self.cases if case.unseen) or self.cases

    @property
    def parts(self) -> dict[str, float]:
        """Each part of the contract, or each of several numbers: in which share of the counted cases is it right?

        A call that does not return has no part right. Data that a function makes are one part.
        """
        if self.about == "value":
            return {case.name: float(case.right) for case in self.cases}
        if self.about == "data":
            return {"": min(1.0 if case.right else case.problem.share if case.problem else 0.0 for case in self.cases)}
        contract = self.cases[0].expected
        assert isinstance(contract, Mapping)
        count = len(self.counted)
        return {name: sum(case.gives(name, case.expected) for case in self.counted) / count for name in contract}

    @property
    def credit(self) -> float:
        """The share of all points that the known mistake earns at least, if the function answers in a counted case."""
        answers = any(case.answer is not None for case in self.counted)
        return self.known.share if self.known and answers else 0.0

    @property
    def is_attempt(self) -> bool:
        """Does the function do something of its task: a counted case right, or a known mistake of this exercise?"""
        return any(case.right for case in self.counted) or self.credit > 0

    @property
    def mistake(self) -> str | None:
        """The id of the known mistake: "zero_is_plus"."""
        return self.known.id if self.known else None

    @property
    def is_blank(self) -> bool:
        """Is there nothing yet in the place of `...`: no statement, no value?"""
        return self.unwritten or all(case.problem is not None and case.problem.id in _BLANK for case in self.cases)

    @property
    def trouble(self) -> str | None:
        """How the first call that did not return ended: "raised", "slow", "memory", …"""
        return next((case.trouble for case in self.cases if case.trouble), None)

    @property
    def printed(self) -> str:
        """What the function printed first."""
        return next((case.outcome.printed for case in self.cases if case.outcome.printed), "")

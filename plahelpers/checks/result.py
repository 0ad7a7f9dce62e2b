"""What a check found in one case, as data: how the call ended, and what was expected."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

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

    def __str__(self) -> str:
        return f"{self.what}. {self.why}".strip()


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """One case of a check: the arguments, how the call ended, and what was expected."""

    arguments: Mapping[str, Any]
    outcome: Outcome  # its kind ("returned", "raised", "slow", "memory", …), value, line, output
    right: bool  # is the answer the expected one?
    unseen: bool = False  # it was drawn from a seed: nobody could know it
    answer: Answer | None = None  # the value as numbers by name, if it can be read so
    expected: Answer | str = ""  # in words, if it is not an answer
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
        forms = [{name: value.ndim for name, value in each.items()} for each in (self.answer, self.expected)]
        return forms[0] == forms[1]

    def gives(self, part: str) -> bool:
        """Is this part of the answer the expected one?"""
        if self.answer is None or not isinstance(self.expected, Mapping) or part not in self.answer:
            return False
        return same({part: self.answer[part]}, {part: self.expected[part]})

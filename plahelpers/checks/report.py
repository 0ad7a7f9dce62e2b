"""What a check answers: a report, which shows itself in sentences, raises for a test, and gives points."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from textwrap import indent
from typing import Final, Literal, NamedTuple

from plahelpers.checks import sentences
from plahelpers.checks.result import Case, Problem

_BLANK: Final = ("no_value", "no_values", "no_letter")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Report:
    """What a check found: `passed`, the sentences in `messages`, and for graders `marks`, `mistake` and `cases`."""

    check: str  # its name, "pla" for checks.pla
    title: str = ""  # the same for readers
    subject: str  # the function's name, "" if it has none; or what the value is
    cases: tuple[Case, ...]
    returns: str = ""  # the contract, as the end of "It should return …"
    ends: str = ""  # a sentence for a function that hangs: when does the loop end that is asked for?
    known: Problem | None = None  # the known mistake that explains all answers
    key: str | None = None  # or at least this part of all answers
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
        return {name: sum(case.gives(name) for case in self.counted) / len(self.counted) for name in contract}

    @property
    def credit(self) -> float:
        """The share of all points that the known mistake earns at least, if a counted case has an answer, or hangs."""
        tried = any(case.answer is not None or case.outcome.kind in ("slow", "not tried") for case in self.counted)
        return self.known.share if self.known and tried else 0.0

    @property
    def is_attempt(self) -> bool:
        """Does a counted case have an answer that is right, or that a known mistake of this exercise explains?"""
        return any(case.right or (case.answer is not None and self.credit > 0) for case in self.counted)

    @property
    def mistake(self) -> str | None:
        """The id of the known mistake: "zero_is_plus"."""
        return self.known.id if self.known else None

    @property
    def mistake_text(self) -> str:
        """What the known mistake is, why it is one, and where to read about it; "" if none is known."""
        where = f" Read {self.known.read}." if self.known and self.known.read else ""
        return f"{self.known}{where}" if self.known else ""

    @property
    def is_blank(self) -> bool:
        """Is there nothing yet in the place of `...`: no statement, no value?"""
        return self.unwritten or all(case.problem is not None and case.problem.id in _BLANK for case in self.cases)

    @property
    def messages(self) -> tuple[str, ...]:
        """All that is to be said, one sentence or a few in each."""
        return tuple(str(paragraph) for paragraph in sentences.paragraphs(self))

    def marks(self, *worth: float) -> float:
        """The points earned, if the parts of the contract are worth so many: for the last line of a test.

        Each part earns its points times the share of unseen cases in which it is right, to a tenth of a point; the
        cases that learners can see count only where there are no others. Whoever changes the arguments loses a quarter
        of this. A function whose mistake is a known one earns at least a quarter of all, also if it hangs, but not if
        it raises in all unseen cases. nbgrader takes this number as partial credit.
        """
        _record(self, worth)
        parts = sum(round(points * share, 1) for points, share in zip(worth, self.parts.values(), strict=True))
        kept = 0.75 * parts if self.changed else parts
        return round(float(max(kept, sum(worth) * self.credit)), 1)

    def require(self) -> None:
        """Raise an AssertionError that says all this, unless the check was passed: for the cells of a test."""
        _record(self, ())
        if not self.passed:
            raise NotPassedError(self)

    def __repr__(self) -> str:
        head, *rest = self.messages
        return "\n".join([head, *(indent(message, "  ") for message in rest)])

    def _repr_html_(self) -> str:
        return sentences.html(self)


# --- Scores: what the learner has passed so far ----------------------------------------------------------------------

_latest: Final[dict[str, Report]] = {}  # the last report of each check in this process


def remember(report: Report) -> Report:
    """The report, which counts from now on as the last one of its check."""
    _latest[report.check] = report
    return report


class Score(NamedTuple):
    """How many of some checks have been passed: "5 of 7 passed." and which are missing."""

    passed: tuple[str, ...]
    missing: tuple[str, ...]

    def __repr__(self) -> str:
        head = f"{len(self.passed)} of {len(self.passed) + len(self.missing)} passed."
        return f"{head} Not yet: {', '.join(self.missing)}." if self.missing else head


def score_of(names: Iterable[str]) -> Score:
    """The score, from the last report of each of these checks."""
    passed = {name: name in _latest and _latest[name].passed for name in names}
    return Score(*(tuple(name for name in passed if passed[name] == is_so) for is_so in (True, False)))


# --- For whoever grades ----------------------------------------------------------------------------------------------

# Of one thread: others may grade at the same time.
_asked: Final[ContextVar[list[tuple[Report, tuple[float, ...]]]]] = ContextVar("asked")


def _record(report: Report, worth: tuple[float, ...]) -> None:
    _asked.get([]).append((report, worth))


@contextmanager
def recording() -> Iterator[list[tuple[Report, tuple[float, ...]]]]:
    """A list of the reports that are asked for marks, or required, and what their parts are worth."""
    token = _asked.set([])
    try:
        yield _asked.get()
    finally:
        _asked.reset(token)


class NotPassedError(AssertionError):
    """A check that had to be passed and was not; `report` is what it found, for whoever grades."""

    __module__ = "plahelpers.checks"  # where its reader knows it from: a traceback names this

    def __init__(self, report: Report) -> None:
        super().__init__(repr(report))
        self.report = report

"""What a check answers: its result, which shows itself in sentences, raises for a test, and gives points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from textwrap import indent
from typing import Final, NamedTuple

from plahelpers.checks import sentences
from plahelpers.checks.result import Result


class Report(Result):
    """What a check found: `passed`, the sentences in `messages`, and for graders `points`, `mistake` and `cases`."""

    @property
    def mistake_text(self) -> str:
        """What the known mistake is, why it is one, and where to read about it."""
        return sentences.mistake_text(self)

    @property
    def read(self) -> str | None:
        """The section that explains it: 'chapter 1, "The bias trick"'."""
        return str(self.known.read) if self.known and self.known.read else None

    @property
    def messages(self) -> tuple[str, ...]:
        """All that is to be said, one sentence or a few in each."""
        return tuple(str(paragraph) for paragraph in sentences.paragraphs(self))

    def marks(self, *worth: float) -> float:
        """The points earned, if the parts of the contract are worth so many: for the last line of a test.

        Each part earns its points times the share of unseen cases in which it is right, to a tenth of a point; the
        cases that learners can see count only where there are no others. A function whose mistake is a known one earns
        at least a quarter of all, if it answers in unseen cases. Whoever changes the arguments loses, besides, as much
        as the cheapest part is worth. nbgrader takes this number as partial credit.
        """
        _record(self, worth)
        parts = sum(round(points * share, 1) for points, share in zip(worth, self.parts.values(), strict=True))
        earned = max(parts, round(sum(worth) * self.credit, 1))
        return round(max(0.0, earned - min(worth)) if self.changed else float(earned), 1)

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


class NotPassedError(AssertionError):
    """A check that had to be passed and was not; `report` is what it found, for whoever grades."""

    __module__ = "plahelpers.checks"  # where its reader knows it from: a traceback names this

    def __init__(self, report: Report) -> None:
        super().__init__(repr(report))
        self.report = report

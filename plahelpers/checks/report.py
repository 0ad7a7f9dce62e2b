"""What a check answers: its result, which shows itself in sentences, raises for a test, and gives points."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

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

        nbgrader takes this number as partial credit. Whoever changes the arguments loses, besides, as much as the
        cheapest part is worth.
        """
        _record(self, worth)
        earned = float(sum(points for points, right in zip(worth, self.parts.values(), strict=True) if right))
        return max(0.0, earned - min(worth)) if self.changed else earned

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


class NotPassedError(AssertionError):
    """A check that had to be passed and was not; `report` is what it found, for whoever grades."""

    __module__ = "plahelpers.checks"  # where its reader knows it from: a traceback names this

    def __init__(self, report: Report) -> None:
        super().__init__(repr(report))
        self.report = report

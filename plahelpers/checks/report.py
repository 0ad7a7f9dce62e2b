"""What a check answers: cases, the report on them with its sentences, and the error of a check that must be passed."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from plahelpers import _theme


@dataclass(frozen=True)
class Case:
    """One case of a check: what was tried, what came out, what was expected."""

    passed: bool
    tried: str
    got: str
    expected: str
    trouble: str | None = None  # how the call ended, when it did not return: "raised", "slow", "memory", …


@dataclass(frozen=True, repr=False, eq=False)
class Report:
    """What a check found: `passed`, the sentences in `messages`, and for graders `points`, `mistake` and `cases`."""

    passed: bool
    messages: tuple[str, ...]
    cases: tuple[Case, ...]
    mistake: str | None = None  # the id of the known wrong version that gives the same answers
    trouble: str | None = None  # how the first call that did not return ended: "raised", "slow", "memory", …
    printed: str = field(default="", kw_only=True)  # what the function printed, shortened

    @property
    def points(self) -> float:
        """The fraction of cases that are right."""
        return sum(case.passed for case in self.cases) / len(self.cases)

    def require(self) -> None:
        """Raise an AssertionError that says all this, unless the check was passed: for the cells of a test."""
        if not self.passed:
            raise NotPassedError(self)

    def __repr__(self) -> str:
        head, *rest = self.messages
        return "\n".join([head, *(f"  {message}" for message in rest)])

    def _repr_html_(self) -> str:
        head, *rest = map(_as_html, self.messages)
        colour = _theme.POCKET if self.passed else _theme.MISTAKE
        # No colours of its own for text and ground: so it can be read on a light page and on a dark one.
        return (
            f"<div style='border-left: 0.4em solid {colour}; padding: 0.2em 1em; margin: 0.5em 0'>"
            f"<p><strong>{'✓' if self.passed else '✗'} {head}</strong></p>"
            f"{''.join(f'<p>{message}</p>' for message in rest)}{self._table() if len(self.cases) > 1 else ''}</div>"
        )

    def _table(self) -> str:
        """All cases, folded."""
        cells = ("right" if case.passed else "not right" for case in self.cases)
        rows = "".join(
            f"<tr><td>{word}</td>{''.join(_cell(text) for text in (case.tried, case.got, case.expected))}</tr>"
            for word, case in zip(cells, self.cases, strict=True)
        )
        head = "".join(
            f"<th scope='col' style='text-align: left'>{h}</th>" for h in ("", "tried", "came out", "expected")
        )
        return f"<details><summary>All cases</summary><table><tr>{head}</tr>{rows}</table></details>"


class NotPassedError(AssertionError):
    """A check that had to be passed and was not; `report` is what it found, for whoever grades."""

    __module__ = "plahelpers.checks"  # where its reader knows it from: a traceback names this

    def __init__(self, report: Report) -> None:
        super().__init__(repr(report))
        self.report = report


def _as_html(message: str) -> str:
    """A message whose `code` is shown as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(message))


def _cell(text: str) -> str:
    return f"<td style='text-align: left; overflow-wrap: break-word'>{_as_html(text)}</td>"

"""Talk to a student's process, which may hang, die or be ended: run the notebook there, hand out what it defines."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plahelpers._guard import Other, Outcome

from .sandbox import Limits, StudentProcess

_MAX_RESTARTS: Final = 6


class StudentError(Exception):
    """A student's function, called by a test, did not return."""

    def __init__(self, name: str, outcome: Outcome) -> None:
        super().__init__(name)
        self.name, self.outcome = name, outcome


class Session:
    """A student's cells, {number: source}, run in a process that is replaced after trouble."""

    def __init__(self, cells: dict[int, str], template: Path, limits: Limits) -> None:
        self.cells, self.template, self.limits = cells, template, limits
        self.left, self.restarts = limits.total_seconds, _MAX_RESTARTS
        self.failed: dict[int, Outcome] = {}  # by the number of the cell
        self.fatal: dict[int, Outcome] = {}  # these ended the process, and are not run again
        self.hung: dict[str, Outcome] = {}  # functions that are not called again
        self.slowest = {"run": 0.0, "call": 0.0, "look": 0.0}  # seconds
        self.process: StudentProcess | None = None

    def close(self) -> None:
        if self.process:
            self.process.close()
        self.process = None

    def run(self) -> None:
        """Run the notebook, once more whenever a cell has ended the process, without that cell."""
        while self.process is None and self.restarts > 0 and self.left > 0:
            self.restarts -= 1
            self.process = StudentProcess(self.template, self.limits)
            self.failed = dict(self.fatal)
            for number, source in self.cells.items():
                if number in self.fatal:
                    continue
                outcome = self._ask(self.limits.cell_seconds, "run", number, source)
                if outcome.kind != "returned":
                    self.failed[number] = outcome
                if self.process is None:
                    self.fatal[number] = outcome
                    break

    def look(self, name: str) -> tuple[str, Any]:
        """("value", …), ("function", …), or ("nothing", None)."""
        match self._ask(self.limits.call_seconds, "look", name).value:  # of any type, if it is forged
            case (str("function"), _):
                return "function", Function(self, name)
            case (str("value"), Other("ellipsis")):
                return "value", ...
            case (str("value"), value):
                return "value", value
        return "nothing", None

    def call(self, name: str, arguments: tuple[Any, ...]) -> Outcome:
        """What happened when a function of the student's was called; one that hung once is not called again."""
        if name in self.hung:
            return Outcome("not tried")
        outcome = self._ask(self.limits.call_seconds, "call", name, arguments)
        if outcome.kind == "slow":
            self.hung[name] = outcome
        return outcome

    def _ask(self, seconds: float, what: str, *details: Any) -> Outcome:
        """One request to the process, which is made again if there is none, and closed after trouble."""
        if what != "run":
            self.run()
        if self.process is None or self.left <= 0:
            return Outcome("not tried")
        outcome, spent = self.process.request((what, *details), min(seconds, self.left))
        self.left -= spent
        self.slowest[what] = max(self.slowest[what], spent)
        if not outcome.worker_survives:
            self.close()
        # What it printed is looked at by nobody, and may be 20 MB for each of a thousand cells.
        return replace(outcome, printed="", code=_line_of(self.cells, outcome.file, outcome.line))


def _line_of(cells: dict[int, str], file: str, line: int | None) -> str:
    """A line of the student's cells, and of nothing else: it is the student's process that names the file."""
    source = next((source for number, source in cells.items() if file == f"<cell {number}>"), "")
    return dict(enumerate(source.splitlines(), 1)).get(line or 0, "").strip()[:200]


class Function:
    """A function of the student's, as the tests see it: it can be called, and it runs where it lives."""

    def __init__(self, session: Session, name: str) -> None:
        self.session, self.__name__ = session, name

    def __call__(self, *arguments: Any) -> Any:
        outcome = self.session.call(self.__name__, arguments)
        if outcome.kind != "returned":
            hung = self.session.hung.get(self.__name__)
            raise StudentError(self.__name__, hung or outcome)
        return outcome.value

    def run_cases(self, cases: Sequence[tuple[Any, ...]], *, seconds: float) -> list[Outcome]:  # noqa: ARG002
        """The way of `plahelpers.checks`: each case's outcome; the time limit is the session's own."""
        return [self.session.call(self.__name__, arguments) for arguments in cases]

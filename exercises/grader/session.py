"""Talk to a student's process: run the notebook there, and hand out its functions and values.

The process may hang, die or be ended at any time. Then it is started anew, all statements are run again except the
one that was the trouble, and the next question is asked as if nothing had happened, as long as there is time left.
"""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from plahelpers.guard import Other, Outcome, TimeSpent, run_within_budget

from .sandbox import Limits, StudentProcess

_MAX_RESTARTS: Final = 12  # while the notebook is run
_ANSWER_TIMEOUT: Final = 10.0  # seconds to parse a cell, or to tell a value
_MAX_STATEMENTS: Final = 2000  # in one cell; nobody writes so many by hand
_CALL_TIMEOUT: Final = 10.0  # seconds for a single call of a function
_PARAMETER_KINDS: Final = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD")


@dataclass(frozen=True)
class Run:
    """A cell to be run."""

    number: int
    source: str

    def line(self, number: int) -> str:
        return dict(enumerate(self.source.splitlines(), 1)).get(number, "").strip()


@dataclass(frozen=True)
class Trouble:
    """A statement that did not do its work: where it stands, the names it should have defined, what happened.

    Of a cell that cannot even be read as Python, the line is 0, and nobody knows the names.
    """

    cell: Run
    line: int
    names: tuple[str, ...]
    outcome: Outcome


class StudentError(Exception):
    """A student's function, called by a test, did not return."""

    def __init__(self, name: str, outcome: Outcome) -> None:
        super().__init__(name)
        self.name, self.outcome = name, outcome


class Session:
    """A student's notebook, run in a process that is replaced after trouble.

    Parameters
    ----------
    keep : dict, optional
        Names to keep as they are before the cell at a place is run: each can be asked for as "name@place".
    """

    def __init__(self, cells: Sequence[Run], limits: Limits, keep: Mapping[int, Collection[str]] | None = None) -> None:
        self.cells, self.limits, self.left, self.keep = cells, limits, limits.total_seconds, keep or {}
        self.troubles: dict[tuple[int, int], Trouble] = {}
        self.fatal: dict[tuple[int, int], Trouble] = {}  # these ended the process, and are not run again
        self.process: StudentProcess | None = None

    def close(self) -> None:
        if self.process:
            self.process.close()
        self.process = None

    def run(self) -> None:
        """Run the notebook, once more whenever a statement has ended the process, without that statement."""
        for _ in range(_MAX_RESTARTS):
            self.close()
            self.process = StudentProcess({cell.number: cell.source for cell in self.cells}, self.limits)
            self.troubles = dict(self.fatal)
            if self._run_through() or self.left <= 0:
                break

    def look(self, name: str) -> tuple[str, Any]:
        """("value", …), ("function", …), or ("nothing", why)."""
        outcome, _ = self._ask("look", name, (), _ANSWER_TIMEOUT)
        match outcome.value:  # str(…), because a forged array compared with a string is neither true nor false
            case str("function"), parameters:
                return "function", Function(self, name, parameters)
            case str("value"), Other(type="ellipsis"):  # the `...` that stands where a number is to be put
                return "value", ...
            case str("value"), value:
                return "value", value
            case str("nothing"), None:
                return "nothing", None
        return "nothing", outcome  # it could not be told

    def call(self, name: str, arguments: tuple[Any, ...], seconds: float) -> tuple[Outcome, float]:
        """What happened when a function of the student's was called, and the seconds it took."""
        outcome, spent = self._ask("call", name, arguments, seconds)
        return outcome, spent.charge

    def _run_through(self) -> bool:
        """Run all statements; False when one has ended the process."""
        for place, cell in enumerate(self.cells):
            for name in self.keep.get(place, ()):
                if self.process:
                    self._request("keep", f"{name}@{place}", (), _ANSWER_TIMEOUT)
            for key, line, names in self._statements(cell) if self.process else ():
                if key not in self.fatal and not self._step(cell, key, line, names):
                    return False
            if not self.process:
                return False
        return self._second_try()

    def _statements(self, cell: Run) -> Iterator[tuple[tuple[int, int], int, tuple[str, ...]]]:
        """Each statement of a cell, as the process reads it: its key, its line, the names it defines."""
        whole = (cell.number, -1)
        if whole in self.fatal:
            return
        outcome, _ = self._request("parse", (cell.number, 0), (), _ANSWER_TIMEOUT)
        statements = _as_statements(outcome.value) if outcome.kind == "returned" else None
        if statements is None:
            self._note(whole, Trouble(cell, 0, (), outcome))
            return
        for k, (line, names) in enumerate(statements):
            yield (cell.number, k), line, names

    def _step(self, cell: Run, key: tuple[int, int], line: int, names: tuple[str, ...]) -> bool:
        """Run one statement; False when it has ended the process."""
        # Who hangs once often hangs again, in a function that is called again: then a quarter of the time will do.
        hangs = any(trouble.outcome.kind == "slow" for trouble in self.fatal.values())
        outcome, _ = self._request("run", key, (), self.limits.cell_seconds / (4 if hangs else 1))
        self.troubles.pop(key, None)
        if outcome.kind != "returned":
            self._note(key, Trouble(cell, line, names, outcome))
        return self.process is not None

    def _second_try(self) -> bool:
        """Cells that missed a name are tried again while that helps: in another order they would have found it."""
        cells = {trouble.cell.number for trouble in self.troubles.values() if trouble.outcome.error == "NameError"}
        missed, before = self._failed_in(cells), 0
        while missed and len(missed) != before:
            before = len(missed)
            for key, trouble in missed.items():
                if not self._step(trouble.cell, key, trouble.line, trouble.names):
                    return False
            missed = self._failed_in(cells)
        return True

    def _failed_in(self, cells: set[int]) -> dict[tuple[int, int], Trouble]:
        """What failed in these cells, the missing name itself or what came of it."""
        return {
            key: trouble
            for key, trouble in self.troubles.items()
            if key[0] in cells and trouble.outcome.kind == "raised"
        }

    def _note(self, key: tuple[int, int], trouble: Trouble) -> None:
        """Remember it, unless it is only that there was no time left for anything."""
        if self.left <= 0:
            return
        self.troubles[key] = trouble
        if not trouble.outcome.worker_survives:
            self.fatal[key] = trouble

    def _is_alive(self) -> bool:
        """Is there a process to ask? It is made again, if there is time."""
        if not self.process and self.left > 0:
            self.run()
        return self.process is not None and self.left > 0

    def _ask(self, what: str, where: Any, arguments: tuple[Any, ...], seconds: float) -> tuple[Outcome, TimeSpent]:
        if self._is_alive():
            return self._request(what, where, arguments, seconds)
        return Outcome("not tried"), TimeSpent(0.0, 0.0)

    def _request(self, what: str, where: Any, arguments: tuple[Any, ...], seconds: float) -> tuple[Outcome, TimeSpent]:
        """One request to the process as it is; it is closed after trouble."""
        assert self.process
        if trouble := self.process.wait_until_ready():
            raise RuntimeError(f"the sandbox did not start: {trouble.message} {self.process.output.text()[-1000:]}")
        seconds = max(0.1, min(seconds, self.left))
        outcome, spent = self.process.request(pickle.dumps((what, where, arguments, seconds)), seconds)
        self.left -= spent.clock
        if not outcome.worker_survives:
            self.close()
        return outcome, spent


class Function:
    """A function of the student's, as the tests see it: it can be called, and it runs where it lives."""

    def __init__(self, session: Session, name: str, parameters: Any) -> None:
        self.session, self.name = session, name
        self.__name__, _, _ = name.partition("@")
        signature = _signature(parameters)
        if signature:
            self.__signature__ = signature

    def __call__(self, *arguments: Any) -> Any:
        outcome, _ = self.session.call(self.name, arguments, _CALL_TIMEOUT)
        if outcome.kind != "returned":
            raise StudentError(self.__name__, outcome)
        return outcome.value

    def run_cases(self, cases: Sequence[tuple[Any, ...]], *, seconds: float) -> list[Outcome]:
        """The way of `plahelpers.checks`: each case's outcome, whatever it is."""
        return run_within_budget(cases, partial(self.session.call, self.name), seconds=seconds)


def _as_statements(data: Any) -> list[tuple[int, tuple[str, ...]]] | None:
    """Lines and names of a cell's statements as the process told them; None if they make no sense."""
    statements = []
    if not isinstance(data, list) or len(data) > _MAX_STATEMENTS:
        return None
    for statement in data:
        match statement:
            case int(line), [*names] if all(isinstance(name, str) for name in names):
                statements.append((line, tuple(names)))
            case _:
                return None
    return statements


def _signature(data: Any) -> inspect.Signature | None:
    """The parameters of a function as the process told them; None if they make no sense."""
    parameters = []
    for parameter in data if isinstance(data, list) else [None]:
        match parameter:
            case str(name), str(kind), bool(optional) if kind in _PARAMETER_KINDS and name.isidentifier():
                default = None if optional else inspect.Parameter.empty
                parameters.append(inspect.Parameter(name, getattr(inspect.Parameter, kind), default=default))
            case _:
                return None
    try:
        return inspect.Signature(parameters)
    except ValueError:  # in an order that cannot be
        return None

"""Run a function that nobody can vouch for, in a process of its own and under limits.

The process is a fresh Python, on every platform: it imports nothing of the notebook or script that asked. It serves
one case after the other, and is replaced after any trouble. What the function prints is collected; when it takes too
long, too much memory, prints without end or starts too many processes, it is ended, with all the processes it
started. It keeps a mistake from doing harm; it is no prison for code that is out to do harm on purpose (files, say).
"""

from __future__ import annotations

import base64
import contextlib
import json
import linecache
import os
import pickle
import queue
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any, Final, Literal, Protocol, TypeAlias, get_args, runtime_checkable

import cloudpickle
import numpy as np
import psutil

from plahelpers.guard.worker import PATIENCE

Kind: TypeAlias = Literal[
    "returned", "raised", "exited", "died", "slow", "memory", "output", "processes", "unshippable", "not tried"
]

_LOOK_EVERY: Final = 0.05  # seconds between two looks at memory and processes
_MOST_PROCESSES: Final = 50
_TIME_TO_LOAD: Final = 60.0  # seconds for Python to start and the function's own imports, on the slowest of machines
_SHARE: Final = 4  # one case may take this part of all the seconds …
_MOST_SLOW: Final = 2  # … and after so many that took too long, no more are tried


@dataclass(frozen=True)
class Other:
    """Something a function returned that is neither number, text, list nor array: its type, and how it shows itself."""

    type: str
    text: str


@dataclass(frozen=True)
class Outcome:
    """What happened in one case."""

    kind: Kind
    value: Any = None  # what was returned
    changed: tuple[int, ...] = ()  # the positions of arguments that the function changed
    printed: str = ""
    error: str = ""  # the exception's type
    message: str = ""  # the exception's words, or how the process ended
    line: int | None = None  # in the file or cell where the function was written
    code: str = ""  # what is written there


def run_guarded(
    function: Callable[..., Any],
    cases: Iterable[tuple[Any, ...]],
    *,
    seconds: float = 10.0,
    megabytes: float = 512.0,
    output_kb: float = 64.0,
) -> list[Outcome]:
    """Call a function with each tuple of arguments, in a process of its own; what happened in each case, in order.

    A function that lives in another process already brings its own way: its method `run_cases`.

    seconds    of the processor, for all cases together, the start of Python not counted; one case may take a quarter
               of it, and after two that took longer the rest is not tried. By the clock it may be four times as long.
    megabytes  that the process, and all it starts, may use at one time.
    output_kb  that one case may print.
    """
    todo = list(cases)
    if isinstance(function, Elsewhere):
        return function.run_cases(todo, seconds=seconds)
    try:
        shipped = cloudpickle.dumps(function)
    except Exception as error:  # whatever is in its globals may refuse in its own way
        return [Outcome("unshippable", error=type(error).__name__, message=str(error)) for _ in todo]
    lone = _Lone(shipped, megabytes, output_kb)
    try:
        return run_in_turn(todo, lone.ask, seconds=seconds)
    finally:  # also when the reader presses the stop button
        lone.close()


@runtime_checkable
class Elsewhere(Protocol):
    """A function that lives in another process, and has its own way to be called there, case by case."""

    def run_cases(self, cases: Sequence[tuple[Any, ...]], *, seconds: float) -> list[Outcome]: ...


def run_in_turn(
    cases: Iterable[tuple[Any, ...]], ask: Callable[[tuple[Any, ...], float], tuple[Outcome, float]], *, seconds: float
) -> list[Outcome]:
    """Ask for one case after the other; `ask` is given the seconds it may take, and tells those it took.

    One case may take a quarter of the seconds, and after two that took longer the rest is not tried.
    """
    outcomes: list[Outcome] = []
    left, patience = seconds, _MOST_SLOW
    for arguments in cases:
        if left <= 0 or patience == 0:
            outcomes.append(Outcome("not tried"))
            continue
        outcome, spent = ask(arguments, min(seconds / _SHARE, left))
        outcomes.append(outcome)
        left -= spent
        patience -= outcome.kind == "slow"
    return outcomes


class _Lone:
    """One function, and a worker for it that is replaced after trouble."""

    def __init__(self, shipped: bytes, megabytes: float, output_kb: float) -> None:
        self.shipped, self.megabytes, self.output_kb = shipped, megabytes, output_kb
        self.worker: Worker | None = None

    def ask(self, arguments: tuple[Any, ...], seconds: float) -> tuple[Outcome, float]:
        """What happened in one case, and the seconds it took; the start of Python is not counted."""
        self.worker = self.worker or self._start()
        outcome, spent = self.worker.wait_until_ready(), 0.0
        if outcome is None:
            clock, processor = time.monotonic(), self.worker.processor_seconds()
            outcome = self.worker.ask(pickle.dumps((arguments, seconds)), PATIENCE * seconds)
            worked, passed = self.worker.processor_seconds() - processor, time.monotonic() - clock
            spent = max(worked, passed / PATIENCE)  # as the worker itself counts, on a busy machine too
        if outcome.kind not in GOES_ON:
            self.close()
        return outcome, spent

    def close(self) -> None:
        if self.worker:
            self.worker.close()
        self.worker = None

    def _start(self) -> Worker:
        marker = secrets.token_hex(16)
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from plahelpers.guard.worker import main; main({float(self.megabytes)!r}, {marker!r})"
        )
        said = Said(marker.encode(), keep=int(self.output_kb * 1024))
        command = [sys.executable, "-u", "-c", program]
        return Worker(command, {**os.environ, **ENVIRONMENT}, self.shipped, said=said, megabytes=self.megabytes)


class Worker:
    """A fresh Python that serves one request after the other, and the threads that listen to it."""

    def __init__(
        self,
        command: Sequence[str],
        environment: dict[str, str],
        first: bytes,
        *,
        said: Said,
        megabytes: float,
        folder: str | None = None,
        read_line: Callable[[str, int], str] = linecache.getline,
    ) -> None:
        """first is what it needs to know before it is ready; read_line(file, line) finds what a learner wrote."""
        self.megabytes, self.read_line, self.said = megabytes, read_line, said
        self.mark = secrets.token_hex(16)  # in the environment of all that it starts, however far it runs
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**environment, _MARK: self.mark},
            cwd=folder,
            **_a_group_of_its_own(),
        )  # fmt: skip
        self.watched = psutil.Process(self.process.pid)
        self.born = self.watched.create_time()
        self.answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.threads = [self._listen(self._hear_answers), self._listen(self._hear_prints)]
        self.ready = False
        self._send(first)

    def wait_until_ready(self) -> Outcome | None:
        """None when it is ready to serve; what went wrong when it cannot be."""
        if self.ready:
            return None
        outcome = self._wait(_TIME_TO_LOAD)
        self.ready = outcome is _READY
        return None if self.ready else outcome

    def ask(self, request: bytes, seconds: float) -> Outcome:
        """Send a request that may take so many seconds, and wait for what comes of it."""
        self.said.new_case()
        self._send(request)
        # The worker itself says when the time is up, and where it was; a second more in case it can no longer speak.
        outcome = self._wait(seconds + 1.0)
        return replace(outcome, printed=self.said.text())

    def processor_seconds(self) -> float:
        """How long it has worked so far; 0 if it is no longer there to ask."""
        with contextlib.suppress(psutil.Error):
            times = self.watched.cpu_times()
            return float(times.user + times.system)
        return 0.0

    def close(self) -> None:
        """End the process and all that it started."""
        _end(self.process, self._family(), self.mark, self.born)
        for thread in self.threads:
            thread.join(timeout=5)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):  # stdin may have unsent bytes, and nobody to take them
                pipe.close()  # type: ignore[union-attr]

    def _wait(self, seconds: float) -> Outcome:
        """The next answer, or the limit that was passed before it came."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self._understand(self.answers.get(timeout=_LOOK_EVERY))
            except queue.Empty:
                kind = self._passed_limit() or ("slow" if time.monotonic() > deadline else None)
                if kind:
                    return Outcome(kind)

    def _passed_limit(self) -> Kind | None:
        if self.said.too_much:
            return "output"
        family = self._family()
        if len(family) > _MOST_PROCESSES:
            return "processes"
        most = self.megabytes * 2**20
        # The second look takes longer, but counts a page that several processes share only once.
        over = sum(map(_resident, family)) > most and sum(map(_share_of_memory, family)) > most
        return "memory" if over else None

    def _family(self) -> list[Any]:
        """The process and all that it started and that still belongs to it."""
        with contextlib.suppress(psutil.Error):
            return [self.watched, *self.watched.children(recursive=True)]
        return []

    def _understand(self, answer: dict[str, Any] | None) -> Outcome:
        if answer is None:  # the line is dead, and so is the process, or as good as dead
            return Outcome("output") if self.said.too_much else Outcome("died", message=self._how_it_ended())
        if answer["kind"] == "ready":
            return _READY
        if answer["kind"] in GOES_ON:
            self.said.wait_for_the_end()
        if self.said.too_much:
            return Outcome("output")
        try:
            return _as_outcome(answer, self.read_line)
        except Exception:  # the function wrote on our line, and in our words: believe none of it
            return Outcome("died", message="it answered nonsense")

    def _how_it_ended(self) -> str:
        try:
            status = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "it closed its connections"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"signal {signal.Signals(-status).name}"
        return f"exit status {status}"

    def _send(self, message: bytes) -> None:
        assert self.process.stdin
        with contextlib.suppress(OSError):  # it is dead already, which the missing answer will tell
            self.process.stdin.write(message)
            self.process.stdin.flush()

    def _listen(self, hear: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=hear, daemon=True)
        thread.start()
        return thread

    def _hear_answers(self) -> None:
        pipe: IO[bytes] = self.process.stdout  # type: ignore[assignment]
        while line := pipe.readline(_LONGEST_ANSWER):
            try:
                answer = json.loads(line)
                assert "kind" in answer
            except (ValueError, AssertionError, TypeError, RecursionError):  # too long, or somebody else's
                break
            self.answers.put(answer)
        self.answers.put(None)

    def _hear_prints(self) -> None:
        pipe: IO[bytes] = self.process.stderr  # type: ignore[assignment]
        while chunk := os.read(pipe.fileno(), 65536):
            self.said.add(chunk)
        self.said.end()


_READY: Final = Outcome("returned")
_LONGEST_ANSWER: Final = 2**25  # bytes; the largest array that is sent takes a tenth of it
GOES_ON: Final = ("returned", "raised", "exited")  # after these the worker can serve on
_MARK: Final = "PLAHELPERS_GUARDED"
# One thread each is enough for small cases, starts sooner and needs less memory; print in one encoding everywhere.
ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}


class Said:
    """What a worker printed: the end of each case is marked, and of long prints only the beginning is kept."""

    def __init__(self, marker: bytes, *, keep: int, most: int | None = None) -> None:
        """Of each case `keep` bytes are kept; more than `most` (`keep`, if that is not given) are too much."""
        self.marker, self.keep, self.most = marker, keep, keep if most is None else most
        self.kept, self.length, self.too_much, self.ended = bytearray(), 0, False, threading.Event()
        self.tail = b""

    def new_case(self) -> None:
        self.kept.clear()
        self.length, self.tail = 0, b""
        self.ended.clear()

    def add(self, chunk: bytes) -> None:
        self.length += len(chunk)
        self.kept += chunk[: max(0, self.keep + len(self.marker) - len(self.kept))]
        self.too_much = self.too_much or self.length > self.most + len(self.marker)
        if self.too_much or self.marker in self.tail + chunk:
            self.ended.set()
        self.tail = (self.tail + chunk)[-len(self.marker) :]

    def end(self) -> None:
        self.ended.set()

    def wait_for_the_end(self) -> None:
        self.ended.wait(timeout=2)

    def text(self) -> str:
        said, _, _ = bytes(self.kept).partition(self.marker)
        return said[: self.keep].decode("utf-8", errors="replace")


def _a_group_of_its_own() -> dict[str, Any]:
    """So that it can be ended together with what it started, and that the stop button is not pressed for it too."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _end(process: subprocess.Popen[bytes], family: list[Any], mark: str, born: float) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    for each in [*family[1:], *_strays(mark, born)]:
        with contextlib.suppress(psutil.Error):
            each.kill()
    process.wait()


def _strays(mark: str, born: float) -> list[Any]:
    """Processes that left the family on purpose; they still carry its mark."""
    strays = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):  # gone, or not ours to look into
            if process.create_time() >= born and process.environ().get(_MARK) == mark:
                strays.append(process)
    return strays


def _resident(process: Any) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


def _share_of_memory(process: Any) -> int:
    """What it takes for itself, and its part of what it shares; where the system does not tell that, all of it."""
    with contextlib.suppress(psutil.Error):
        return int(getattr(process.memory_full_info(), "pss", 0)) or _resident(process)
    return _resident(process)


def _as_outcome(answer: dict[str, Any], read_line: Callable[[str, int], str]) -> Outcome:
    if answer["kind"] not in get_args(Kind):
        raise ValueError(answer["kind"])
    file, line = str(answer.get("file", "")), int(answer.get("line") or 0)
    return Outcome(
        kind=answer["kind"],
        value=_as_value(answer.get("value")),
        changed=tuple(int(position) for position in answer.get("changed", ())),
        error=str(answer.get("error", "")),
        message=str(answer.get("message", "")),
        line=line or None,
        code=read_line(file, line).strip(),  # this process knows the notebook's cells; the worker does not
    )


def _as_value(answer: Any) -> Any:
    """What the worker's plain data stand for."""
    if not isinstance(answer, dict):
        return answer
    if answer.get("array") in ("?", "i8", "f8"):
        data = np.frombuffer(base64.b64decode(answer["data"]), dtype=answer["array"])
        return data.reshape(answer["shape"]).copy()
    if "type" in answer:
        return Other(str(answer["type"]), str(answer["text"]))
    if "str" in answer:
        return str(answer["str"])
    if "tuple" in answer:
        return tuple(_as_value(item) for item in answer["tuple"])
    return [_as_value(item) for item in answer["list"]]

"""Run an untrusted function in a process of its own and under limits.

The worker process is a fresh Python on every platform: it imports nothing of the notebook or script that calls. It
serves one case after the other, and is replaced after a failure. What the function prints is collected. A function
that takes too long, needs too much memory, prints without end or starts too many processes is killed, with all the
processes it started. This stops mistakes; it is no sandbox against code that does harm on purpose (to files, say).
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
from typing import Any, Final, Literal, Protocol, TypeAlias, get_args, runtime_checkable

import cloudpickle
import numpy as np
import psutil

from plahelpers.guard.worker import CLOCK_PER_CPU_SECOND

Kind: TypeAlias = Literal[
    "returned", "raised", "exited", "died", "slow", "memory", "output", "processes", "unshippable", "not tried"
]

# One thread each is enough for small cases, starts sooner and needs less memory; one encoding everywhere.
ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
_TAG: Final = "PLAHELPERS_GUARDED"  # an environment variable that every process of one worker inherits
_POLL_INTERVAL: Final = 0.05  # seconds between two looks at memory and processes
_MAX_PROCESSES: Final = 50
_START_TIMEOUT: Final = 60.0  # seconds for Python to start and the function's own imports, on a slow machine
_MAX_ANSWER: Final = 2**25  # bytes; the largest array that is sent takes a tenth of it
_CASE_SHARE: Final = 1 / 4  # of the whole time budget, for one case
_MAX_TIMEOUTS: Final = 2  # after so many cases that were too slow, no more are tried


@dataclass(frozen=True)
class Other:
    """A returned value that is neither number, text, list nor array: its type, and its repr."""

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
    message: str = ""  # the exception's message, or how the process ended
    file: str = ""  # the file or cell of the learner's innermost line, …
    line: int | None = None  # … its number, …
    code: str = ""  # … and its text

    @property
    def worker_survives(self) -> bool:
        """Can the worker serve another request after this one?"""
        return self.kind in ("returned", "raised", "exited")


_READY: Final = Outcome("returned")


def run_guarded(
    function: Callable[..., Any],
    cases: Iterable[tuple[Any, ...]],
    *,
    seconds: float = 10.0,
    megabytes: float = 512.0,
    output_kb: float = 64.0,
) -> list[Outcome]:
    """Call a function with each tuple of arguments in a worker process; what happened in each case, in order.

    A `RemoteFunction`, which lives in another process already, is called by its own method `run_cases`.

    Parameters
    ----------
    seconds : float
        Processor time for all cases together, without the start of Python; one case may take a quarter of it, and
        after two that took longer the rest is not tried. By the clock it may take four times as long.
    megabytes : float
        Memory that the process, and all it starts, may use at one time.
    output_kb : float
        Output that one case may print.
    """
    cases = list(cases)
    if isinstance(function, RemoteFunction):
        return function.run_cases(cases, seconds=seconds)
    try:
        pickled = cloudpickle.dumps(function)
    except Exception as error:  # an object in its globals may refuse with any exception
        return [Outcome("unshippable", error=type(error).__name__, message=str(error)) for _ in cases]
    with contextlib.closing(_FunctionRunner(pickled, megabytes, output_kb)) as runner:
        return run_within_budget(cases, runner.call, seconds=seconds)


@runtime_checkable
class RemoteFunction(Protocol):
    """A function that lives in another process, and can be called there case by case."""

    def run_cases(self, cases: Sequence[tuple[Any, ...]], *, seconds: float) -> list[Outcome]: ...


def run_within_budget(
    cases: Iterable[tuple[Any, ...]], call: Callable[[tuple[Any, ...], float], tuple[Outcome, float]], *, seconds: float
) -> list[Outcome]:
    """Call one case after the other until the time budget is spent, or two cases were too slow.

    `call(arguments, timeout)` returns the outcome and the seconds spent; one case may take a quarter of the budget.
    """
    outcomes: list[Outcome] = []
    left, timeouts = seconds, 0
    for arguments in cases:
        if left <= 0 or timeouts == _MAX_TIMEOUTS:
            outcomes.append(Outcome("not tried"))
            continue
        outcome, spent = call(arguments, min(seconds * _CASE_SHARE, left))
        outcomes.append(outcome)
        left -= spent
        timeouts += outcome.kind == "slow"
    return outcomes


class _FunctionRunner:
    """One function, and a worker for it that is replaced after a failure."""

    def __init__(self, pickled: bytes, megabytes: float, output_kb: float) -> None:
        self.pickled, self.megabytes, self.output_kb = pickled, megabytes, output_kb
        self.worker: Worker | None = None

    def call(self, arguments: tuple[Any, ...], timeout: float) -> tuple[Outcome, float]:
        """The outcome of one case, and the seconds it took; the start of Python is not counted."""
        self.worker = self.worker or self._start()
        outcome, spent = self.worker.wait_until_ready(), 0.0
        if outcome is None:
            clock, processor = time.monotonic(), self.worker.cpu_seconds()
            outcome = self.worker.request(pickle.dumps((arguments, timeout)), CLOCK_PER_CPU_SECOND * timeout)
            on_cpu, by_clock = self.worker.cpu_seconds() - processor, time.monotonic() - clock
            spent = max(on_cpu, by_clock / CLOCK_PER_CPU_SECOND)  # as the worker itself counts
        if not outcome.worker_survives:
            self.close()
        return outcome, spent

    def close(self) -> None:
        if self.worker:
            self.worker.close()
        self.worker = None

    def _start(self) -> Worker:
        output = OutputBuffer(keep=int(self.output_kb * 1024))
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from plahelpers.guard.worker import main; main({float(self.megabytes)!r}, {output.marker!r})"
        )
        command = [sys.executable, "-u", "-c", program]
        return Worker(command, {**os.environ, **ENVIRONMENT}, self.pickled, output=output, megabytes=self.megabytes)


class Worker:
    """A process that serves one request after the other, and the threads that read what it sends.

    Parameters
    ----------
    setup : bytes
        What the process must know before it is ready.
    read_line : callable
        `read_line(file, line)` is the source text of a line that the process names.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: dict[str, str],
        setup: bytes,
        *,
        output: OutputBuffer,
        megabytes: float,
        cwd: str | None = None,
        read_line: Callable[[str, int], str] = linecache.getline,
    ) -> None:
        self.megabytes, self.read_line, self.output = megabytes, read_line, output
        self.ready, self.tag = False, secrets.token_hex(16)
        self.process = subprocess.Popen(command, env={**environment, _TAG: self.tag}, cwd=cwd, **_popen_options())
        self.pipes: Any = (self.process.stdin, self.process.stdout, self.process.stderr)
        self.monitor = psutil.Process(self.process.pid)
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.threads = [threading.Thread(target=read, daemon=True) for read in (self._read_answers, self._read_output)]
        for thread in self.threads:
            thread.start()
        self._send(setup)

    def wait_until_ready(self) -> Outcome | None:
        """None when it is ready to serve; what went wrong when it cannot be."""
        if self.ready:
            return None
        outcome = self._wait(_START_TIMEOUT)
        self.ready = outcome is _READY
        return None if self.ready else outcome

    def request(self, message: bytes, timeout: float) -> Outcome:
        """Send a request that may take so many seconds by the clock, and wait for its outcome."""
        self.output.start_case()
        self._send(message)
        # The worker itself reports a timeout and the line it was on; a second more in case it no longer can.
        return replace(self._wait(timeout + 1.0), printed=self.output.text())

    def cpu_seconds(self) -> float:
        """The processor time it has used so far; 0 if it is gone."""
        with contextlib.suppress(psutil.Error):
            times = self.monitor.cpu_times()
            return float(times.user + times.system)
        return 0.0

    def kill(self) -> None:
        """Kill the process and all that it started."""
        descendants = self._process_tree()[1:]
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        for process in [*descendants, *_escaped_processes(self.tag, self.monitor.create_time())]:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.process.wait()

    def close(self) -> None:
        """Kill the process, and free the threads and pipes."""
        self.kill()
        for thread in self.threads:
            thread.join(timeout=5)
        for pipe in self.pipes:
            with contextlib.suppress(OSError):  # stdin may have unsent bytes, and nobody to take them
                pipe.close()

    def _wait(self, timeout: float) -> Outcome:
        """The next answer, or the limit that was exceeded before it came."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                return self._interpret(self.answers.get(timeout=_POLL_INTERVAL))
            except queue.Empty:
                kind = self._limit_exceeded() or ("slow" if time.monotonic() > deadline else None)
                if kind:
                    return Outcome(kind)

    def _limit_exceeded(self) -> Kind | None:
        if self.output.limit_exceeded:
            return "output"
        tree = self._process_tree()
        if len(tree) > _MAX_PROCESSES:
            return "processes"
        limit = self.megabytes * 2**20
        # PSS takes longer to read than RSS, but counts a page that several processes share only once.
        return "memory" if _memory(tree, "rss") > limit and _memory(tree, "pss") > limit else None

    def _process_tree(self) -> list[Any]:
        """The process and its descendants."""
        with contextlib.suppress(psutil.Error):
            return [self.monitor, *self.monitor.children(recursive=True)]
        return []

    def _interpret(self, line: bytes) -> Outcome:
        """The outcome that an answer stands for; an empty line: the process has closed the pipe."""
        try:
            outcome = _decode_outcome(json.loads(line), self.read_line) if line else self._exit_outcome()
        except Exception:  # too long, or the function wrote to our pipe: believe none of it
            outcome = Outcome("died", message="it answered nonsense")
        if outcome.worker_survives and outcome is not _READY:
            self.output.case_ended.wait(timeout=2)  # the marker may be on its way
        return Outcome("output") if self.output.limit_exceeded else outcome

    def _exit_outcome(self) -> Outcome:
        try:
            status = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return Outcome("died", message="it closed its connections")
        names = {-number: f"signal {number.name}" for number in signal.Signals}
        return Outcome("died", message=names.get(status, f"exit status {status}"))

    def _send(self, message: bytes) -> None:
        with contextlib.suppress(OSError):  # it has ended already, which the missing answer will tell
            self.pipes[0].write(message)
            self.pipes[0].flush()

    def _read_answers(self) -> None:
        while line := self.pipes[1].readline(_MAX_ANSWER):
            self.answers.put(line)
        self.answers.put(b"")

    def _read_output(self) -> None:
        while chunk := os.read(self.pipes[2].fileno(), 65536):
            self.output.append(chunk)
        self.output.case_ended.set()


class OutputBuffer:
    """What a worker prints in one case: its beginning is stored, and a marker from the worker ends it.

    Of each case `keep` bytes are stored; more than `limit` bytes (`keep`, if not given) are too many.
    """

    def __init__(self, *, keep: int, limit: int | None = None) -> None:
        self.marker = secrets.token_hex(16).encode()
        self.keep, self.limit = keep, keep if limit is None else limit
        self.limit_exceeded, self.case_ended = False, threading.Event()
        self.start_case()

    def start_case(self) -> None:
        self._data, self._length, self._tail = bytearray(), 0, b""
        self.case_ended.clear()

    def append(self, chunk: bytes) -> None:
        size = len(self.marker)
        self._length += len(chunk)
        self._data += chunk[: max(0, self.keep + size - len(self._data))]
        self.limit_exceeded = self.limit_exceeded or self._length > self.limit + size
        if self.limit_exceeded or self.marker in self._tail + chunk:
            self.case_ended.set()
        self._tail = (self._tail + chunk)[-size:]

    def text(self) -> str:
        data, _, _ = bytes(self._data).partition(self.marker)
        return data[: self.keep].decode("utf-8", errors="replace")


def _popen_options() -> dict[str, Any]:
    """Pipes, and a process group: it can be killed as a whole, and the stop button (Ctrl-C) does not reach it."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    if sys.platform != "win32":
        return {**pipes, "start_new_session": True}
    return {**pipes, "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}


def _escaped_processes(tag: str, start_time: float) -> list[Any]:
    """Processes that left the process group on purpose; they still carry its tag."""
    processes = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):  # gone, or not ours to look into
            if process.create_time() >= start_time and process.environ().get(_TAG) == tag:
                processes.append(process)
    return processes


def _memory(processes: list[Any], measure: Literal["rss", "pss"]) -> int:
    """Bytes of memory in all; where the system does not tell the PSS, the RSS."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):  # it has just ended
            info = process.memory_full_info() if measure == "pss" else process.memory_info()
            total += getattr(info, measure, 0) or info.rss
    return total


def _decode_outcome(answer: dict[str, Any], read_line: Callable[[str, int], str]) -> Outcome:
    if answer["kind"] == "ready":
        return _READY
    if answer["kind"] not in get_args(Kind):
        raise ValueError(answer["kind"])
    file, line = str(answer.get("file", "")), int(answer.get("line") or 0)
    return Outcome(
        kind=answer["kind"],
        value=_decode_value(answer.get("value")),
        changed=tuple(int(position) for position in answer.get("changed", ())),
        error=str(answer.get("error", "")),
        message=str(answer.get("message", "")),
        file=file,
        line=line or None,
        code=read_line(file, line).strip(),  # this process knows the notebook's cells; the worker does not
    )


def _decode_value(value: Any) -> Any:
    """The value that the worker's plain data stand for."""
    if not isinstance(value, dict):
        return value
    if value.get("array") in ("?", "i8", "f8"):
        data = np.frombuffer(base64.b64decode(value["data"]), dtype=value["array"])
        return data.reshape(value["shape"]).copy()
    if "type" in value:
        return Other(str(value["type"]), str(value["text"]))
    if "str" in value:
        return str(value["str"])
    if "tuple" in value:
        return tuple(_decode_value(item) for item in value["tuple"])
    return [_decode_value(item) for item in value["list"]]

"""Run an untrusted function in a process of its own and under limits.

The worker process is a fresh Python on every platform: it imports nothing of the notebook or script that calls. It
serves one case after the other, and is replaced after a failure. What the function prints is collected. A function
that takes too long, needs too much memory, prints without end or starts too many processes is killed, with all the
processes it started. What it answers is bounded and checked: an answer that makes no sense is an outcome, too.
This stops mistakes; it is no sandbox against code that does harm on purpose (to files, say).
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
from pathlib import Path
from typing import IO, Any, Final, Literal, NamedTuple, Protocol, TypeAlias, get_args, runtime_checkable

import cloudpickle
import numpy as np
import psutil

from plahelpers.guard.worker import (
    CLOCK_PER_CPU_SECOND,
    MAX_ANSWER,
    MAX_DEPTH,
    MAX_NAME,
    MAX_TEXT,
    fits,
    starved_seconds,
)

Kind: TypeAlias = Literal[
    "returned", "raised", "exited", "died", "slow", "memory", "output", "processes", "unshippable", "not tried"
]

# One thread each is enough for small cases, starts sooner and needs less memory; one encoding everywhere.
ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
_TAG: Final = "PLAHELPERS_GUARDED"  # an environment variable that every process of one worker inherits
_POLL_INTERVAL: Final = 0.05  # seconds between two looks at memory and processes
_MAX_PROCESSES: Final = 50
_START_TIMEOUT: Final = 60.0  # seconds for Python to start and the function's own imports, on a slow machine
_LAST_STOP: Final = 20.0  # times its processor time: so long may a call take by the clock on the busiest machine
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
    except (Exception, SystemExit) as error:  # an object in its globals may refuse with any exception
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
            outcome, time_spent = self.worker.request(pickle.dumps((arguments, timeout)), timeout)
            spent = time_spent.charge
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
        process = Subprocess([sys.executable, "-u", "-c", program], {**os.environ, **ENVIRONMENT})
        return Worker(process, self.pickled, output=output, megabytes=self.megabytes)


class TimeSpent(NamedTuple):
    """Seconds: of processor time in all its processes, and by the clock without waiting for a processor."""

    processor: float
    clock: float

    def __sub__(self, before: TimeSpent) -> TimeSpent:
        return TimeSpent(self.processor - before.processor, self.clock - before.clock)

    @property
    def charge(self) -> float:
        """What is counted against a budget of processor time."""
        return max(self.processor, self.clock / CLOCK_PER_CPU_SECOND)


class UntrustedProcess(Protocol):
    """A process, its pipes, and the process by whose end all that it started ends."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]
    pid: int

    def wait(self, timeout: float) -> int:
        """Its exit status, or minus the number of the signal that ended it; TimeoutError if it has not ended."""

    def kill(self) -> None:
        """Kill it and all that it started."""


class Subprocess:
    """A program of its own."""

    def __init__(self, command: Sequence[str], environment: dict[str, str], cwd: str | None = None) -> None:
        self.tag = secrets.token_hex(16)
        self.process = subprocess.Popen(command, env={**environment, _TAG: self.tag}, cwd=cwd, **_popen_options())
        self.pid, self.monitor = self.process.pid, psutil.Process(self.process.pid)
        pipes: Any = self.process
        self.stdin, self.stdout, self.stderr = pipes.stdin, pipes.stdout, pipes.stderr

    def wait(self, timeout: float) -> int:
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None

    def kill(self) -> None:
        descendants = _process_tree(self.monitor)[1:]
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
        self.process.kill()
        for process in [*descendants, *_escaped_processes(self.tag, self.monitor.create_time())]:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.process.wait()


class Worker:
    """A process that serves one request after the other, and the threads that talk to it and watch it.

    Parameters
    ----------
    setup : bytes
        What the process must know before it is ready.
    read_line : callable
        `read_line(file, line)` is the source text of a line that the process names.
    """

    def __init__(
        self,
        process: UntrustedProcess,
        setup: bytes,
        *,
        output: OutputBuffer,
        megabytes: float,
        read_line: Callable[[str, int], str] = linecache.getline,
    ) -> None:
        self.process, self.megabytes, self.read_line, self.output = process, megabytes, read_line, output
        self.usage = _Usage(process.pid)
        self.ready, self.closing, self.exceeded = False, threading.Event(), None
        self.requests: queue.Queue[bytes | None] = queue.Queue()
        self.answers: queue.Queue[bytes] = queue.Queue(maxsize=2)  # an answer, and the end
        tasks = (self._write_requests, self._read_answers, self._read_output, self._watch)
        self.threads = [threading.Thread(target=task, daemon=True) for task in tasks]
        for thread in self.threads:
            thread.start()
        self.requests.put(setup)

    exceeded: Kind | None

    def wait_until_ready(self) -> Outcome | None:
        """None when it is ready to serve; what went wrong when it cannot be."""
        if self.ready:
            return None
        outcome = self._wait(lambda: self.usage.now().clock > _START_TIMEOUT)
        self.ready = outcome is _READY
        return None if self.ready else outcome

    def request(self, message: bytes, seconds: float) -> tuple[Outcome, TimeSpent]:
        """Send a request that may take so much processor time; its outcome, and the time it took."""
        if not self.answers.empty():  # it has ended, or it answers what nobody has asked
            return self._interpret(self.answers.get() and b"nonsense"), TimeSpent(0.0, 0.0)
        before, start = self.usage.now(), time.monotonic()

        def is_late() -> bool:
            # The worker itself reports a timeout and the line it was on; a second more in case it no longer does.
            used = self.usage.now() - before
            return used.charge > seconds + 1.0 or time.monotonic() - start > _LAST_STOP * seconds

        self.output.start_case()
        self.requests.put(message)
        outcome = replace(self._wait(is_late), printed=self.output.text())
        return outcome, self.usage.now() - before

    def close(self) -> None:
        """Kill the process, and free the threads and pipes."""
        self.closing.set()
        self.requests.put(None)
        self.process.kill()
        for thread in self.threads:
            thread.join(timeout=5)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):  # stdin may have unsent bytes, and nobody to take them
                pipe.close()

    def _wait(self, is_late: Callable[[], bool]) -> Outcome:
        """The next answer, or that it is late."""
        while True:
            try:
                return self._interpret(self.answers.get(timeout=_POLL_INTERVAL))
            except queue.Empty:
                if is_late():
                    return Outcome("slow")

    def _watch(self) -> None:
        """Kill the process when it goes beyond a limit, whether or not somebody waits for an answer."""
        while not self.closing.wait(_POLL_INTERVAL):
            self.exceeded = self._limit_exceeded()
            if self.exceeded:
                self.process.kill()
                return

    def _limit_exceeded(self) -> Kind | None:
        if self.output.limit_exceeded:
            return "output"
        tree = self.usage.look()
        if len(tree) > _MAX_PROCESSES:
            return "processes"
        limit = self.megabytes * 2**20
        # PSS takes longer to read than RSS, but counts a page that several processes share only once.
        return "memory" if _memory(tree, "rss") > limit and _memory(tree, "pss") > limit else None

    def _interpret(self, line: bytes) -> Outcome:
        """The outcome that an answer stands for; an empty line: the process has closed the pipe."""
        try:
            outcome = _decode_outcome(json.loads(line), self.read_line) if line else None
        except Exception:  # too long, or the function wrote to our pipe: believe none of it
            outcome = Outcome("died", message="it answered nonsense")
        outcome = outcome or self._exit_outcome()
        if outcome.worker_survives and outcome is not _READY:
            self.output.case_ended.wait(timeout=2)  # the marker may be on its way
        kind = "output" if self.output.limit_exceeded else self.exceeded
        return Outcome(kind) if kind else outcome

    def _exit_outcome(self) -> Outcome:
        try:
            status = self.process.wait(timeout=1)
        except TimeoutError:
            return Outcome("died", message="it closed its connections")
        names = {-number: f"signal {number.name}" for number in signal.Signals}
        return Outcome("died", message=names.get(status, f"exit status {status}"))

    def _write_requests(self) -> None:
        """In a thread: who answers without having read the question must not make us wait."""
        with contextlib.suppress(OSError):  # it has ended already, which the missing answer will tell
            while (message := self.requests.get()) is not None:
                self.process.stdin.write(message)
                self.process.stdin.flush()

    def _read_answers(self) -> None:
        with contextlib.suppress(queue.Full):  # it answers without being asked
            while line := self.process.stdout.readline(MAX_ANSWER):
                self.answers.put_nowait(line)
            self.answers.put_nowait(b"")

    def _read_output(self) -> None:
        while chunk := os.read(self.process.stderr.fileno(), 65536):
            self.output.append(chunk)
        self.output.case_ended.set()


class _Usage:
    """The time that a process and its descendants have spent, seen from outside."""

    def __init__(self, pid: int) -> None:
        self.root, self.lock, self.last_look = psutil.Process(pid), threading.Lock(), time.monotonic()
        self.spent = TimeSpent(0.0, 0.0)
        self.worked, self.starved = dict[Any, float](), dict[Any, float]()  # seconds of each process seen so far

    def look(self) -> list[Any]:
        """The processes of the tree, after their times were noted."""
        with self.lock:
            tree, now = _process_tree(self.root), time.monotonic()
            starved = max((self._more_starved(process) for process in tree), default=0.0)
            clock = self.spent.clock + max(0.0, now - self.last_look - starved)
            self.spent, self.last_look = TimeSpent(max(self._processor(tree), self.spent.processor), clock), now
        return tree

    def now(self) -> TimeSpent:
        self.look()
        return self.spent

    def _processor(self, tree: list[Any]) -> float:
        """Of those that have ended, some were waited for by their parents, which then have their time; some not."""
        with_waited_for = 0.0
        for process in tree:
            with contextlib.suppress(psutil.Error):  # it has just ended
                times = process.cpu_times()
                self.worked[process] = times.user + times.system
                with_waited_for += self.worked[process]
                with_waited_for += getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
        return max(with_waited_for, sum(self.worked.values()))

    def _more_starved(self, process: Any) -> float:
        before, self.starved[process] = self.starved.get(process, 0.0), starved_seconds(process.pid)
        return self.starved[process] - before


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


def _process_tree(root: Any) -> list[Any]:
    """A process and its descendants; where Linux tells the children of a process, by far less work than psutil's."""
    try:
        if not Path(f"/proc/{root.pid}/task/{root.pid}/children").exists():
            return [root, *root.children(recursive=True)]
        tree = [root] if root.is_running() else []
        for process in tree:
            for pid in _children(process.pid):
                with contextlib.suppress(psutil.Error):  # it has just ended: that must not hide the others
                    tree.append(psutil.Process(pid))
        return tree
    except psutil.Error:  # it has just ended
        return []


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


def _children(pid: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):  # it has just ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):  # or only this one of its threads
                children += map(int, (thread / "children").read_text(encoding="ascii").split())
    return children


def _memory(processes: list[Any], measure: Literal["rss", "pss"]) -> int:
    """Bytes of memory in all; where the system does not tell the PSS, the RSS."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):  # it has just ended
            info = process.memory_info()
            if measure == "pss":
                with contextlib.suppress(psutil.AccessDenied):
                    info = process.memory_full_info()
            total += getattr(info, measure, 0) or info.rss
    return total


def _decode_outcome(answer: Any, read_line: Callable[[str, int], str]) -> Outcome:
    """What an answer says; ValueError, KeyError or TypeError if it makes no sense."""
    kind = _checked(_checked(answer, dict)["kind"], str)
    if kind == "ready":
        return _READY
    if kind not in get_args(Kind):
        raise ValueError(kind)
    file, line = _text(answer.get("file", ""), MAX_TEXT), _checked(answer.get("line") or 0, int)
    return Outcome(
        kind=kind,
        value=_decode_value(answer.get("value")),
        changed=tuple(_checked(position, int) for position in _checked(answer.get("changed", []), list)),
        error=_text(answer.get("error", ""), MAX_NAME),
        message=_text(answer.get("message", ""), MAX_TEXT),
        file=file,
        line=line or None,
        code=read_line(file, line).strip(),  # this process knows the notebook's cells; the worker does not
    )


def _decode_value(value: Any, depth: int = 0) -> Any:
    """The value that the worker's plain data stand for."""
    if value is None or type(value) in (bool, float):
        return value
    if type(value) is int and value.bit_length() < 64:
        return value
    if depth > MAX_DEPTH:
        raise ValueError("lists in lists in lists")
    return _decode_object(_checked(value, dict), depth)


def _decode_object(value: dict[str, Any], depth: int) -> Any:
    if "array" in value:
        return _decode_array(value)
    if "type" in value:
        return Other(_text(value["type"], MAX_NAME), _text(value["text"], MAX_TEXT))
    if "str" in value:
        return _text(value["str"], MAX_TEXT)
    if "tuple" in value:
        return tuple(_decode_value(item, depth + 1) for item in _checked(value["tuple"], list))
    return [_decode_value(item, depth + 1) for item in _checked(value["list"], list)]


def _decode_array(value: dict[str, Any]) -> Any:
    shape = [_checked(length, int) for length in _checked(value["shape"], list)]
    if value["array"] not in ("?", "i8", "f8") or min(shape, default=0) < 0 or not fits(shape):
        raise ValueError(shape)
    data = np.frombuffer(base64.b64decode(_checked(value["data"], str)), dtype=value["array"])
    return data.reshape(shape).copy()


def _checked(value: Any, kind: type) -> Any:
    """The value, which must be of exactly this type."""
    if type(value) is not kind:
        raise TypeError(type(value).__name__)
    return value


def _text(value: Any, most: int) -> str:
    text: str = _checked(value, str)[:most]
    return text

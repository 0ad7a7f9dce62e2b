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
from typing import IO, Any, Final, Literal, TypeAlias

import cloudpickle
import numpy as np
import psutil

Kind: TypeAlias = Literal[
    "returned", "raised", "exited", "died", "slow", "memory", "output", "processes", "unshippable", "not tried"
]

_LOOK_EVERY: Final = 0.05  # seconds between two looks at memory and processes
_MOST_PROCESSES: Final = 50
_TIME_TO_LOAD: Final = 60.0  # seconds for Python to start and the function's own imports, on the slowest of machines
_SHARE: Final = 4  # one case may take this part of all the seconds …
_PATIENCE: Final = 2  # … and after so many that took too long, no more are tried


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

    seconds    for all cases together, the start of Python not counted; one case may take a quarter of it, and after
               two that took longer the rest is not tried.
    megabytes  that the process, and all it starts, may use at one time.
    output_kb  that one case may print.
    """
    todo = list(cases)
    try:
        shipped = cloudpickle.dumps(function)
    except Exception as error:  # whatever is in its globals may refuse in its own way
        return [Outcome("unshippable", error=type(error).__name__, message=str(error)) for _ in todo]
    return _Round(shipped, seconds, megabytes, output_kb).run(todo)


class _Round:
    """All the cases of one function, with a worker that is replaced after trouble."""

    def __init__(self, shipped: bytes, seconds: float, megabytes: float, output_kb: float) -> None:
        self.shipped, self.megabytes, self.output_kb = shipped, megabytes, output_kb
        self.share, self.left, self.patience = seconds / _SHARE, seconds, _PATIENCE

    def run(self, todo: Sequence[tuple[Any, ...]]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        worker: _Worker | None = None
        try:
            for arguments in todo:
                if self.left <= 0 or self.patience == 0:
                    outcomes.append(Outcome("not tried"))
                    continue
                worker = worker or _Worker(self.shipped, self.megabytes, self.output_kb)
                outcomes.append(self._try(worker, arguments))
                if outcomes[-1].kind not in _WORKER_GOES_ON:
                    worker.close()
                    worker = None
        finally:  # also when the reader presses the stop button
            if worker:
                worker.close()
        return outcomes

    def _try(self, worker: _Worker, arguments: tuple[Any, ...]) -> Outcome:
        trouble = worker.wait_until_ready()
        if trouble:
            return trouble
        start = time.monotonic()
        outcome = worker.call(arguments, min(self.share, self.left))
        self.left -= time.monotonic() - start
        self.patience -= outcome.kind == "slow"
        return outcome


class _Worker:
    """A fresh Python that knows the function, and the threads that listen to it."""

    def __init__(self, shipped: bytes, megabytes: float, output_kb: float) -> None:
        self.megabytes = megabytes
        self.marker = secrets.token_hex(16)
        self.mark = secrets.token_hex(16)  # in the environment of all that it starts, however far it runs
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from plahelpers._worker import main; main({float(megabytes)!r}, {self.marker!r})"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-c", program],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **_ENVIRONMENT, _MARK: self.mark},
            **_a_group_of_its_own(),
        )  # fmt: skip
        self.watched = psutil.Process(self.process.pid)
        self.born = self.watched.create_time()
        self.answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.said = _Said(self.marker.encode(), int(output_kb * 1024))
        self.threads = [self._listen(self._hear_answers), self._listen(self._hear_prints)]
        self.ready = False
        self._send(shipped)

    def wait_until_ready(self) -> Outcome | None:
        """None when the function is loaded; what went wrong when it cannot be."""
        if self.ready:
            return None
        outcome = self._wait(_TIME_TO_LOAD)
        self.ready = outcome is _READY
        return None if self.ready else outcome

    def call(self, arguments: tuple[Any, ...], seconds: float) -> Outcome:
        self.said.new_case()
        self._send(pickle.dumps((arguments, seconds)))
        # The worker itself says when the time is up, and where it was; a second more in case it can no longer speak.
        outcome = self._wait(seconds + 1.0)
        return replace(outcome, printed=self.said.text())

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
        return "memory" if sum(_resident(each) for each in family) > self.megabytes * 2**20 else None

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
        if answer["kind"] in _WORKER_GOES_ON:
            self.said.wait_for_the_end()
        if self.said.too_much:
            return Outcome("output")
        try:
            return _as_outcome(answer)
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
        for line in pipe:
            try:
                answer = json.loads(line)
                assert "kind" in answer
            except (ValueError, AssertionError, TypeError):  # somebody else wrote on our line
                break
            self.answers.put(answer)
        self.answers.put(None)

    def _hear_prints(self) -> None:
        pipe: IO[bytes] = self.process.stderr  # type: ignore[assignment]
        while chunk := os.read(pipe.fileno(), 65536):
            self.said.add(chunk)
        self.said.end()


_READY: Final = Outcome("returned")
_WORKER_GOES_ON: Final = ("returned", "raised", "exited")
_MARK: Final = "PLAHELPERS_GUARDED"
# One thread each is enough for small cases, starts sooner and needs less memory; print in one encoding everywhere.
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}


class _Said:
    """What a worker printed: the end of each case is marked, and of endless printing only the beginning is kept."""

    def __init__(self, marker: bytes, limit: int) -> None:
        self.marker, self.limit = marker, limit
        self.kept, self.too_much, self.ended = bytearray(), False, threading.Event()

    def new_case(self) -> None:
        self.kept.clear()
        self.ended.clear()

    def add(self, chunk: bytes) -> None:
        if not self.too_much:
            self.kept += chunk
            self.too_much = len(self.kept) > self.limit + len(self.marker)
        if self.too_much or self.marker in self.kept:
            self.ended.set()

    def end(self) -> None:
        self.ended.set()

    def wait_for_the_end(self) -> None:
        self.ended.wait(timeout=2)

    def text(self) -> str:
        said, _, _ = bytes(self.kept[: self.limit]).partition(self.marker)
        return said.decode("utf-8", errors="replace")


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


def _as_outcome(answer: dict[str, Any]) -> Outcome:
    file, line = str(answer.get("file", "")), int(answer.get("line") or 0)
    return Outcome(
        kind=answer["kind"],
        value=_as_value(answer.get("value")),
        changed=tuple(answer.get("changed", ())),
        error=str(answer.get("error", "")),
        message=str(answer.get("message", "")),
        line=line or None,
        code=linecache.getline(file, line).strip(),  # this process knows the notebook's cells; the worker does not
    )


def _as_value(answer: Any) -> Any:
    """What the worker's plain data stand for."""
    if not isinstance(answer, dict):
        return answer
    if "array" in answer:
        data = np.frombuffer(base64.b64decode(answer["data"]), dtype=answer["array"])
        return data.reshape(answer["shape"]).copy()
    if "type" in answer:
        return Other(str(answer["type"]), str(answer["text"]))
    if "str" in answer:
        return str(answer["str"])
    if "tuple" in answer:
        return tuple(_as_value(item) for item in answer["tuple"])
    return [_as_value(item) for item in answer["list"]]

"""Run a learner's function in a process of its own and stop it: accidents, not attacks.

The worker is a fresh Python that imports nothing of the notebook or script that calls. It serves one case after the
other and is replaced after a failure. A function that takes too long, needs too much memory, prints without end or
starts process after process is killed with all that it started, and the worker ends when the kernel that asked ends.
Requests go to it as pickles; answers come back as a line of JSON each, which is bounded and checked and never
unpickled. This is no sandbox: the function can do what the user can do. The grader has one (exercises/grader).
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import io
import json
import linecache
import math
import mmap
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any, BinaryIO, Final, Literal, Protocol, TypeAlias, get_args, runtime_checkable

import numpy as np

Kind: TypeAlias = Literal[
    "returned", "raised", "exited", "died", "slow", "memory", "output", "processes", "unshippable", "not tried"
]
Call: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], float, str]  # function, arguments, seconds, own files

# One thread each is enough for small cases, starts sooner and needs less memory; one encoding everywhere.
ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
START_SECONDS: Final = 60.0  # for Python to start and the function's own imports, on a slow machine
_CLOCK: Final = 8.0  # so much longer may a call take by the clock: it may wait, and so may the machine
_POLL_SECONDS: Final = 0.2  # between two looks at time, memory and processes
_PICKLE_SECONDS: Final = 10.0
_PICKLE_BYTES: Final = 200 * 2**20
_MAX_PROCESSES: Final = 30
_MAX_SLOW: Final = 2  # after so many cases that were too slow, no more are tried
_CASE_SHARE: Final = 1 / 4  # of the whole time budget, for one case
_MAX_ANSWER: Final = 2**21  # bytes; a value that needs more is described, not sent
_MAX_ITEMS: Final = 100_000  # of a list or array; one with no entries may not have more rows either
_MAX_DEPTH: Final = 5  # of lists in lists
_MAX_TEXT: Final = 1000
_MAX_NAME: Final = 100


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


@runtime_checkable
class RemoteFunction(Protocol):
    """A function that lives in another process already, and can be called there case by case."""

    def run_cases(self, cases: Sequence[tuple[Any, ...]], *, seconds: float) -> list[Outcome]: ...


def run_guarded(
    function: Callable[..., Any],
    cases: Iterable[tuple[Any, ...]],
    *,
    seconds: float = 10.0,
    megabytes: float = 512.0,
    output_kb: float = 64.0,
) -> list[Outcome]:
    """Call a function with each tuple of arguments in a worker process; what happened in each case, in order.

    Parameters
    ----------
    seconds : float
        Processor time for all cases together, without the start of Python; one case may take a quarter of it, and
        after two that took longer the rest is not tried. By the clock it may take eight times as long.
    megabytes : float
        Memory that the process, and all it starts, may use at one time.
    output_kb : float
        Output that one case may print.
    """
    cases = list(cases)
    if isinstance(function, RemoteFunction):
        return function.run_cases(cases, seconds=seconds)
    pickled = _pickled(function)
    if isinstance(pickled, Outcome):
        return [pickled] * len(cases)
    program = f"import sys; sys.path[:] = {sys.path!r}; from plahelpers import _guard; _guard.serve_function()"
    command = [sys.executable, "-u", "-c", program, str(megabytes), str(2 * seconds + START_SECONDS)]
    outcomes: list[Outcome] = []
    left, worker = seconds, None
    try:
        for arguments in cases:
            if left <= 0 or [outcome.kind for outcome in outcomes].count("slow") == _MAX_SLOW:
                outcomes.append(Outcome("not tried"))
                continue
            outcome, spent = None, 0.0
            if worker is None:
                worker = Worker(command, {**os.environ, **ENVIRONMENT}, megabytes=megabytes, output_kb=output_kb)
                outcome = worker.start(pickled)
            limit = min(seconds * _CASE_SHARE, left)
            if outcome is None:
                outcome, spent = worker.request(pickle.dumps((arguments, limit)), limit)
            outcomes.append(outcome)
            left -= spent
            if not outcome.worker_survives:
                worker.close()
                worker = None
    finally:
        if worker:
            worker.close()
    return outcomes


def _pickled(function: Any) -> bytes | Outcome:
    """The function as bytes, or why not: an object in its globals may refuse, be huge, or never come to an end."""
    result: list[bytes | Outcome] = []

    def dump() -> None:
        import cloudpickle

        try:
            file = _BoundedFile()
            cloudpickle.CloudPickler(file).dump(function)
            result.append(file.getvalue())
        except BaseException as error:
            result.append(Outcome("unshippable", error=type(error).__name__, message=str(error)[:_MAX_TEXT]))

    thread = threading.Thread(target=dump, daemon=True)
    thread.start()
    thread.join(_PICKLE_SECONDS)
    if not thread.is_alive():
        return result[0]
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
    message = f"to copy what it uses took more than {_PICKLE_SECONDS:g} seconds"
    return Outcome("unshippable", error="TimeoutError", message=message)


class _BoundedFile(io.BytesIO):
    def write(self, data: Any) -> int:
        if self.tell() + memoryview(data).nbytes > _PICKLE_BYTES:
            raise MemoryError(f"what it uses has more than {_PICKLE_BYTES // 2**20} MB")
        return super().write(data)


# --- The side that asks ----------------------------------------------------------------------------------------------


class Worker:
    """A process that answers requests, and the threads that write to it, read from it and watch it.

    `read_line(file, line)` is the source text of a line that the process names.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        megabytes: float,
        output_kb: float,
        cwd: str | None = None,
        read_line: Callable[[str, int], str] = linecache.getline,
    ) -> None:
        import psutil

        self.megabytes, self.output_bytes, self.read_line = megabytes, int(output_kb * 1024), read_line
        self.output = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (a file never makes the process wait)
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.output}
        self.process = subprocess.Popen(command, env=environment, cwd=cwd, **pipes, **_own_group())
        self.root, self.exceeded, self.closing = psutil.Process(self.process.pid), "", threading.Event()
        self.cpu_seconds = 0.0  # of all its processes, those that have ended and were waited for included
        self.answers: queue.Queue[bytes] = queue.Queue(maxsize=2)  # an answer, and the end
        self.threads = [threading.Thread(target=task, daemon=True) for task in (self._read, self._watch)]
        for thread in self.threads:
            thread.start()

    def start(self, setup: bytes) -> Outcome | None:
        """Tell the process what it must know first; None when it is ready, or what went wrong."""
        outcome, _ = self.request(setup, START_SECONDS)
        return None if outcome.kind == "returned" else outcome

    def request(self, message: bytes, seconds: float) -> tuple[Outcome, float]:
        """Send a request that may take so much processor time; its outcome, and the time it took."""
        if not self.answers.empty():  # it has ended, or it answers what nobody has asked
            return self._interpret(self.answers.get() and b"nonsense"), 0.0
        with contextlib.suppress(OSError):
            self.output.seek(0)
            self.output.truncate()
        start, before = time.monotonic(), self.cpu_seconds
        # In a thread: who answers without having read the question must not make us wait.
        threading.Thread(target=self._write, args=(message,), daemon=True).start()
        while True:
            try:
                outcome = self._interpret(self.answers.get(timeout=_POLL_SECONDS))
                break
            except queue.Empty:
                # The worker itself reports a timeout and the line it was on; a second more in case it no longer does.
                if self._spent(start, before) > seconds + 1.0:
                    outcome = Outcome("slow")
                    break
        return replace(outcome, printed=self._printed()), self._spent(start, before)

    def close(self) -> None:
        """Kill the process and all that it started, and free the threads and pipes."""
        self.closing.set()
        self._kill()
        for thread in self.threads:
            thread.join(timeout=5)
        for file in (self.process.stdin, self.process.stdout, self.output):
            with contextlib.suppress(OSError):  # stdin may have unsent bytes, and nobody to take them
                file.close()  # type: ignore[union-attr]

    def _spent(self, start: float, before: float) -> float:
        return max(self.cpu_seconds - before, (time.monotonic() - start) / _CLOCK)

    def _printed(self) -> str:
        self.output.seek(0)
        text = self.output.read(self.output_bytes).decode("utf-8", errors="replace")
        self.output.seek(0, os.SEEK_END)
        return text

    def _tree(self) -> list[Any]:
        import psutil

        try:
            return [self.root, *self.root.children(recursive=True)]
        except psutil.Error:  # it has just ended
            return []

    def _kill(self) -> None:
        import psutil

        tree = self._tree()
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        for process in tree:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.process.wait()

    def _watch(self) -> None:
        """Kill the process when it goes beyond a limit, whether or not somebody waits for an answer."""
        while not self.closing.wait(_POLL_SECONDS):
            tree = self._tree()
            self.cpu_seconds = max(self.cpu_seconds, sum(map(_cpu_seconds, tree)))
            self.exceeded = self._limit_exceeded(tree)
            if self.exceeded:
                self._kill()
                return

    def _limit_exceeded(self, tree: list[Any]) -> str:
        if os.fstat(self.output.fileno()).st_size > self.output_bytes:
            return "output"
        if len(tree) > 2 * _MAX_PROCESSES:  # who starts them in the ordinary way is refused by `_Starts` before
            return "processes"
        return "memory" if sum(map(_memory, tree)) > self.megabytes * 2**20 else ""

    def _interpret(self, line: bytes) -> Outcome:
        """The outcome that an answer stands for; an empty line: the process has closed the pipe."""
        try:
            outcome = _decode_outcome(json.loads(line), self.read_line) if line else self._ending()
        except Exception:  # too long, or the function wrote to our pipe: believe none of it
            outcome = Outcome("died", message="it answered nonsense")
        too_long = os.fstat(self.output.fileno()).st_size > self.output_bytes
        kind: Any = "output" if too_long else self.exceeded
        return Outcome(kind) if kind else outcome

    def _ending(self) -> Outcome:
        try:
            status = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return Outcome("died", message="it closed its connections")
        names = {-number: f"signal {number.name}" for number in signal.Signals}
        names |= {128 - status: name for status, name in names.items()}  # as bubblewrap tells it
        return Outcome("died", message=names.get(status, f"exit status {status}"))

    def _write(self, message: bytes) -> None:
        with contextlib.suppress(OSError, ValueError):  # it has ended already, which the missing answer will tell
            self.process.stdin.write(len(message).to_bytes(8, "big") + message)  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]

    def _read(self) -> None:
        with contextlib.suppress(queue.Full, ValueError):  # it answers without being asked; we have closed the pipe
            while line := self.process.stdout.readline(_MAX_ANSWER):  # type: ignore[union-attr]
                self.answers.put_nowait(line)
            self.answers.put_nowait(b"")


def _own_group() -> dict[str, Any]:
    """A process group: it can be killed as a whole, and the stop button (Ctrl-C) does not reach it."""
    if sys.platform != "win32":
        return {"start_new_session": True}
    return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}


def _cpu_seconds(process: Any) -> float:
    import psutil

    try:
        return float(sum(process.cpu_times()[:4]))
    except psutil.Error:  # it has just ended
        return 0.0


def _memory(process: Any) -> int:
    """Bytes of memory; a page that several processes share counts in parts, where the system tells these."""
    import psutil

    try:
        return int(getattr(process.memory_full_info(), "pss", 0) or process.memory_info().rss)
    except psutil.AccessDenied:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:  # it has just ended
        return 0


def _decode_outcome(answer: Any, read_line: Callable[[str, int], str]) -> Outcome:
    """What an answer says; ValueError, KeyError or TypeError if it makes no sense."""
    kind = _checked(_checked(answer, dict)["kind"], str)
    if kind not in get_args(Kind):
        raise ValueError(kind)
    file, line = _text(answer.get("file", ""), _MAX_TEXT), _checked(answer.get("line") or 0, int)
    return Outcome(
        kind=kind,
        value=_decode(answer.get("value")),
        changed=tuple(_checked(position, int) for position in _checked(answer.get("changed", []), list)),
        error=_text(answer.get("error", ""), _MAX_NAME),
        message=_text(answer.get("message", ""), _MAX_TEXT),
        file=file,
        line=line or None,
        code=read_line(file, line).strip(),  # this process knows the notebook's cells; the worker does not
    )


def _decode(value: Any, depth: int = 0) -> Any:
    """The value that the worker's plain data stand for."""
    if value is None or type(value) in (bool, float) or (type(value) is int and value.bit_length() < 64):
        return value
    if depth > _MAX_DEPTH:
        raise ValueError("lists in lists in lists")
    fields = _checked(value, dict)
    if "array" in fields:
        return _decode_array(fields)
    if "type" in fields:
        return Other(_text(fields["type"], _MAX_NAME), _text(fields["text"], _MAX_TEXT))
    if "str" in fields:
        return _text(fields["str"], _MAX_TEXT)
    if "tuple" in fields:
        return tuple(_decode(item, depth + 1) for item in _checked(fields["tuple"], list))
    return [_decode(item, depth + 1) for item in _checked(fields["list"], list)]


def _decode_array(value: dict[str, Any]) -> Any:
    shape = [_checked(length, int) for length in _checked(value["shape"], list)]
    if value["array"] not in ("?", "i8", "f8") or min(shape, default=0) < 0 or not _fits(shape):
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


# --- The side that answers -------------------------------------------------------------------------------------------


def serve_function() -> None:
    """The program of the worker: the first request is a function, the others are arguments for it."""
    megabytes, cpu_seconds = map(float, sys.argv[1:])
    limit(megabytes, cpu_seconds)
    functions: list[Any] = []

    def target(message: bytes) -> Call:
        if not functions:
            functions.append(pickle.loads(message))
            return (lambda: None), (), START_SECONDS, ""
        arguments, seconds = pickle.loads(message)
        code = getattr(getattr(functions[0], "func", functions[0]), "__code__", None)
        return functions[0], arguments, seconds, code.co_filename if code else "?"

    serve(target)


def limit(megabytes: float, cpu_seconds: float) -> None:
    """Limits that the system keeps, also when nobody watches any more: memory of this process, and its time."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.SetErrorMode(msvcrt.SEM_FAILCRITICALERRORS | msvcrt.SEM_NOGPFAULTERRORBOX)  # no box on the screen
        return
    import resource

    most = int((megabytes + 512) * 2**20)  # 512: what Python and its libraries may reserve without using it
    for kind, number in (("DATA", most), ("CORE", 0), ("CPU", math.ceil(cpu_seconds))):
        with contextlib.suppress(ValueError, OSError):  # a stricter limit is in force already
            resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (number, number))


class _Starts:
    """Counts the processes that are started, by forks of forks too: a thousand at once leave no time to watch them."""

    def __init__(self) -> None:
        self.count = mmap.mmap(-1, 4)  # forks see the same memory

    def __call__(self, event: str, _: Any) -> None:
        if event in ("os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"):
            started = int.from_bytes(self.count[:], "little") + 1
            self.count[:] = started.to_bytes(4, "little")
            if started > _MAX_PROCESSES:
                raise RuntimeError(f"more than {_MAX_PROCESSES} processes were started")


def serve(target: Callable[[bytes], Call]) -> None:
    """Take the pipes away from the function's reach, and answer one request after the other."""
    sys.addaudithook(_Starts())
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # input() meets the end of the file at once
    os.dup2(2, 1)  # print writes to standard error, too
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, messages), daemon=True).start()
    channel = _Channel(answers)
    while True:
        message = messages.get()
        channel.begin(START_SECONDS, "")
        try:
            function, arguments, seconds, own = target(message)
        except BaseException as error:
            channel.send({"kind": "unshippable", **_describe_error(error, "?")})
            continue
        channel.begin(seconds, own)
        answer = _call(function, arguments, own)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # closed, or replaced by something else
                stream.flush()
        channel.send(answer)


class _Channel:
    """One answer to each request: how the call ended, or, from a second thread, that it is too slow on which line."""

    def __init__(self, pipe: BinaryIO) -> None:
        self.pipe, self.owner, self.thread, self.lock = pipe, os.getpid(), threading.get_ident(), threading.Lock()
        self.call: tuple[float, float, str] | None = None  # the ends of its time, by processor and clock; own files
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, seconds: float, own: str) -> None:
        self.call = time.process_time() + seconds, time.monotonic() + _CLOCK * seconds, own

    def send(self, answer: dict[str, Any], call: object = None) -> None:
        if os.getpid() != self.owner:
            os._exit(0)  # a fork that has returned from the function must not answer
        with self.lock:
            if self.call is not None and call in (None, self.call):
                self.call = None
                self.pipe.write(_as_line(answer))
                self.pipe.flush()

    def _watch(self) -> None:
        pause = threading.Event()
        while not pause.wait(0.1):
            call = self.call
            if call and (time.process_time() > call[0] or time.monotonic() > call[1]):
                stack = reversed(list(traceback.walk_stack(sys._current_frames()[self.thread])))
                self.send({"kind": "slow", **_own_line(stack, call[2])}, call)


def _receive(requests: BinaryIO, messages: queue.SimpleQueue[bytes]) -> None:
    """Take in requests; when whoever sends them has gone, end this process and its group, whatever they do."""
    while header := requests.read(8):
        messages.put(requests.read(int.from_bytes(header, "big")))
    if sys.platform != "win32":
        os.kill(0, signal.SIGKILL)
    os._exit(1)


def _as_line(answer: dict[str, Any]) -> bytes:
    line = json.dumps(answer).encode() + b"\n"
    if len(line) < _MAX_ANSWER:
        return line
    return _as_line({**answer, "value": {"type": "value", "text": "(a value that is too large)"}})


def _call(function: Callable[..., Any], arguments: tuple[Any, ...], own: str) -> dict[str, Any]:
    """Call the function; its value and the arguments it changed, or how it ended instead."""
    before = pickle.dumps(arguments)
    try:
        value = _encode(function(*arguments))
        changed = [k for k, old in enumerate(pickle.loads(before)) if _encode(old) != _encode(arguments[k])]
    except BaseException as error:
        kind = "exited" if isinstance(error, SystemExit) else "memory" if isinstance(error, MemoryError) else "raised"
        return {"kind": kind, **_describe_error(error, own)}
    return {"kind": "returned", "value": value, "changed": changed}


def _encode(value: Any, depth: int = 0) -> Any:
    """A value as plain data: numbers, lists, arrays; anything else is described."""
    if value is None or isinstance(value, bool):
        return value
    if type(value).__name__ in ("Fraction", "Decimal"):
        with contextlib.suppress(Exception):  # too large for a float, or not the class that it seems to be
            value = float(value)
    if isinstance(value, float) or (isinstance(value, int) and int.bit_length(value) < 64):
        plain: Any = float if isinstance(value, float) else int
        return plain.__add__(value, 0)  # a plain number, also where its class is a subclass
    if isinstance(value, str):
        return {"str": str.__getitem__(value, slice(_MAX_TEXT))}
    if isinstance(value, list | tuple | set | frozenset | range) and len(value) <= _MAX_ITEMS and depth < _MAX_DEPTH:
        return {"tuple" if isinstance(value, tuple) else "list": [_encode(item, depth + 1) for item in value]}
    if hasattr(value, "__array__") and not isinstance(value, type):
        return _encode_array(value, depth)
    try:
        text = repr(value)[:200]
    except Exception:
        text = "(something that cannot be shown)"
    return {"type": type(value).__name__[:_MAX_NAME], "text": text}


def _encode_array(value: Any, depth: int) -> Any:
    array = np.asarray(value)
    if array.ndim == 0 and array.dtype.kind in "biuf":
        return _encode(array.item())
    if array.dtype.kind in "biuf" and _fits(array.shape):
        kind = "?" if array.dtype.kind == "b" else "i8" if array.dtype.kind in "iu" else "f8"
        data = base64.b64encode(np.ascontiguousarray(array, dtype=kind).tobytes()).decode()
        return {"array": kind, "shape": array.shape, "data": data}
    if array.dtype.kind == "O" and _fits(array.shape) and array.ndim:
        return _encode(array.tolist(), depth)
    text = f"an array of shape {array.shape} that holds {array.dtype}"
    return {"type": type(value).__name__[:_MAX_NAME], "text": text[:_MAX_TEXT]}


def _fits(shape: Sequence[int]) -> bool:
    """Can an array of this shape be sent? One without entries, too, has rows that somebody may want to look at."""
    return len(shape) <= 8 and math.prod(max(length, 1) for length in shape) <= _MAX_ITEMS


def _describe_error(error: BaseException, own: str) -> dict[str, Any]:
    try:
        message = str(error)[:_MAX_TEXT]
    except Exception:
        message = ""
    frames = traceback.walk_tb(error.__traceback__)
    return {"error": type(error).__name__[:_MAX_NAME], "message": message, **_own_line(frames, own)}


def _own_line(frames: Iterable[tuple[FrameType, int | None]], own: str) -> dict[str, Any]:
    """The learner's own line: in the innermost frame whose file begins so, else in the innermost of all."""
    # Between two lines a frame is on none.
    places = [{"file": frame.f_code.co_filename, "line": line or frame.f_code.co_firstlineno} for frame, line in frames]
    foreign = [place for place in places if place["file"] != __file__]
    mine = [place for place in foreign if str(place["file"]).startswith(own)] or foreign
    return mine[-1] if mine else {}

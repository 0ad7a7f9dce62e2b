"""The program of the worker process: it calls an untrusted function and reports what happened.

Requests arrive as pickles on standard input, answers leave as JSON on standard output; what the function prints goes
to standard error, so that it is never taken for an answer. Answers are plain data, never pickles: the process that
called must not run what an untrusted function returns.
"""

from __future__ import annotations

import base64
import contextlib
import json
import math
import os
import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from types import FrameType
from typing import Any, BinaryIO

CLOCK_PER_CPU_SECOND = 4.0  # so much longer may a call take by the clock, if it waits and does not work
MAX_ANSWER = 2**21  # bytes; a value that needs more is described, not sent
MAX_ITEMS = 100_000  # of a list or array; one with no entries may not have more rows either
MAX_DIMENSIONS = 8
MAX_DEPTH = 5  # of lists in lists
MAX_TEXT, MAX_NAME = 1000, 100  # characters


def main(megabytes: float, marker: bytes, serve: Callable[[BinaryIO, AnswerChannel], None] | None = None) -> None:
    """Take the pipes away from the function's reach, limit the memory, and serve (by default, one function)."""
    requests, answers, output = os.dup(0), os.dup(1), os.dup(2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # input() meets the end of the file at once
    os.dup2(2, 1)  # print writes to standard error, too
    limit_memory(megabytes)
    with os.fdopen(requests, "rb") as read, os.fdopen(answers, "wb") as write, os.fdopen(output, "wb", 0) as printed:
        (serve or serve_function)(read, AnswerChannel(write, printed, marker))


def limit_memory(megabytes: float) -> None:
    """Refuse at once what is far beyond the limit; the calling process watches the limit itself."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.SetErrorMode(msvcrt.SEM_FAILCRITICALERRORS | msvcrt.SEM_NOGPFAULTERRORBOX)  # no box on the screen
        return
    import resource

    most = int((megabytes + 512) * 2**20)  # 512: what Python and its libraries may reserve without using it
    for kind, limit in ((resource.RLIMIT_DATA, most), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # a stricter limit is in force already
            resource.setrlimit(kind, (limit, limit))


def serve_function(requests: BinaryIO, channel: AnswerChannel) -> None:
    """Load the function, say so, then answer one request after the other until there are no more."""
    try:
        function = pickle.load(requests)
    except BaseException as error:
        channel.send({"kind": "unshippable", **_describe_error(error, "".__eq__)})
        return
    channel.send({"kind": "ready"})
    with contextlib.suppress(EOFError):
        while True:
            arguments, seconds = pickle.load(requests)
            answer(channel, function, arguments, seconds)


class AnswerChannel:
    """The pipes to the calling process: one answer to each request, and a marker after what the call printed."""

    def __init__(self, answers: BinaryIO, output: BinaryIO, marker: bytes) -> None:
        self.answers, self.output, self.marker = answers, output, marker
        self.lock, self.pending, self.owner = threading.Lock(), True, os.getpid()

    def end_output(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # closed, or replaced by something else
                stream.flush()
        self.output.write(self.marker)

    def send(self, answer: dict[str, Any]) -> None:
        if os.getpid() != self.owner:
            os._exit(0)  # a fork that has returned from the function must not answer
        with self.lock:
            if self.pending:  # each request has one answer: its outcome, or that it was too slow
                self.pending = False
                self.answers.write(_as_line(answer))
                self.answers.flush()


def _as_line(answer: dict[str, Any]) -> bytes:
    line = json.dumps(answer).encode() + b"\n"
    if len(line) <= MAX_ANSWER:
        return line
    return _as_line({**answer, "value": {"type": "value", "text": "(a value that is too large)"}})


def answer(
    channel: AnswerChannel,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    seconds: float,
    is_own: Callable[[str], bool] | None = None,
) -> None:
    """Make one call and answer; on a timeout a second thread answers, with the line that the call is on.

    Parameters
    ----------
    seconds : float
        Processor time; by the clock the call may take CLOCK_PER_CPU_SECOND times as long.
    is_own : callable, optional
        Is this file, or cell, the learner's own? If not given, only the one in which the function was written is.
    """
    code = getattr(getattr(function, "func", function), "__code__", None)
    own = is_own or (code.co_filename if code else "").__eq__
    thread, done, channel.pending = threading.get_ident(), threading.Event(), True

    def watch() -> None:
        if not _in_time(done, seconds):
            channel.send({"kind": "slow", **_current_line(thread, own)})

    threading.Thread(target=watch, daemon=True).start()
    outcome = call(function, arguments, own)
    done.set()
    channel.end_output()
    channel.send(outcome)


def _in_time(done: threading.Event, seconds: float) -> bool:
    """Wait until it is done (True), or its time is up (False)."""
    by_clock, by_processor = _own_clock() + CLOCK_PER_CPU_SECOND * seconds, time.process_time() + seconds
    while _own_clock() < by_clock and time.process_time() < by_processor:
        if done.wait(min(0.2, seconds)):
            return True
    return done.is_set()


def _own_clock() -> float:
    return time.monotonic() - starved_seconds()


def starved_seconds(pid: int | str = "self") -> float:
    """For how long a process could have worked, and others had the processor. Only Linux tells; elsewhere 0."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def call(function: Callable[..., Any], arguments: tuple[Any, ...], is_own: Callable[[str], bool]) -> dict[str, Any]:
    """Call the function; its value and the arguments it changed, or how it ended instead."""
    before = pickle.dumps(arguments)
    try:
        value = encode(function(*arguments))
        changed = [k for k, old in enumerate(pickle.loads(before)) if encode(old) != encode(arguments[k])]
    except BaseException as error:
        kind = "exited" if isinstance(error, SystemExit) else "memory" if isinstance(error, MemoryError) else "raised"
        return {"kind": kind, **_describe_error(error, is_own)}
    return {"kind": "returned", "value": value, "changed": changed}


def encode(value: Any, depth: int = 0) -> Any:
    """A value as plain data: numbers, lists, arrays; anything else is described."""
    if value is None or isinstance(value, bool):
        return value
    if type(value).__name__ in ("Fraction", "Decimal"):
        with contextlib.suppress(Exception):  # too large for a float, or not the class that it seems to be
            value = float(value)
    if isinstance(value, float):
        return float.__add__(value, 0.0)  # a plain number, also where its class is a subclass
    if isinstance(value, int) and int.bit_length(value) < 64:
        return int.__add__(value, 0)
    if isinstance(value, str):
        return {"str": str.__getitem__(value, slice(MAX_TEXT))}
    if isinstance(value, list | tuple | set | frozenset | range) and len(value) <= MAX_ITEMS and depth < MAX_DEPTH:
        return {"tuple" if isinstance(value, tuple) else "list": [encode(item, depth + 1) for item in value]}
    if hasattr(value, "__array__") and not isinstance(value, type):
        return _encode_array(value, depth)
    try:
        text = repr(value)[:200]
    except Exception:
        text = "(something that cannot be shown)"
    return {"type": type(value).__name__[:MAX_NAME], "text": text}


def _encode_array(value: Any, depth: int) -> Any:
    import numpy as np

    array = np.asarray(value)
    if array.ndim == 0 and array.dtype.kind in "biuf":
        return encode(array.item())
    if array.dtype.kind in "biuf" and fits(array.shape):
        kind = "?" if array.dtype.kind == "b" else "i8" if array.dtype.kind in "iu" else "f8"
        data = base64.b64encode(np.ascontiguousarray(array, dtype=kind).tobytes()).decode()
        return {"array": kind, "shape": array.shape, "data": data}
    if array.dtype.kind == "O" and fits(array.shape) and array.ndim:
        return encode(array.tolist(), depth)
    text = f"an array of shape {array.shape} that holds {array.dtype}"
    return {"type": type(value).__name__[:MAX_NAME], "text": text[:MAX_TEXT]}


def fits(shape: Sequence[int]) -> bool:
    """Can an array of this shape be sent? One without entries, too, has rows that somebody may want to look at."""
    return len(shape) <= MAX_DIMENSIONS and math.prod(max(length, 1) for length in shape) <= MAX_ITEMS


def _describe_error(error: BaseException, is_own: Callable[[str], bool]) -> dict[str, Any]:
    try:
        message = str(error)[:MAX_TEXT]
    except Exception:
        message = ""
    frames = traceback.walk_tb(error.__traceback__)
    return {"error": type(error).__name__[:MAX_NAME], "message": message, **_own_line(frames, is_own)}


def _current_line(thread: int, is_own: Callable[[str], bool]) -> dict[str, Any]:
    """The line a running call is on."""
    for _ in range(50):  # between two lines a frame is on none: then look again
        place = _own_line(reversed(list(traceback.walk_stack(sys._current_frames()[thread]))), is_own)
        if place.get("line"):
            break
        time.sleep(0.001)
    return place


def _own_line(frames: Iterable[tuple[FrameType, int | None]], is_own: Callable[[str], bool]) -> dict[str, Any]:
    """The learner's own line: in the innermost frame of the learner's files, else in the innermost of all."""
    places = [{"file": frame.f_code.co_filename, "line": line} for frame, line in frames]
    foreign = [place for place in places if place["file"] != __file__]
    own = [place for place in foreign if is_own(str(place["file"]))] or foreign
    return own[-1] if own else {}

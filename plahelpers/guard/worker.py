"""The program of the worker process: it calls an untrusted function and reports what happened.

Requests arrive as pickles on standard input, answers leave as JSON on standard output; what the function prints goes
to standard error, so that it is never taken for an answer. Answers are plain data, never pickles: the process that
called must not run what an untrusted function returns.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, BinaryIO

CLOCK_PER_CPU_SECOND = 4.0  # so much longer may a call take by the clock: a busy machine makes no function slow
_MAX_ITEMS = 200_000  # a larger list or array is described, not sent


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
        channel.send({"kind": "unshippable", **_describe_error(error, "")})
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
        self.lock, self.open, self.owner = threading.Lock(), True, os.getpid()

    def end_output(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # closed, or replaced by something else
                stream.flush()
        self.output.write(self.marker)

    def send(self, answer: dict[str, Any]) -> None:
        if os.getpid() != self.owner:
            os._exit(0)  # a fork that has returned from the function must not answer
        with self.lock:
            if self.open:
                self.answers.write(json.dumps(answer).encode() + b"\n")
                self.answers.flush()
                self.open = answer["kind"] != "slow"  # after that one this process is killed


def answer(
    channel: AnswerChannel, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float, file: str = ""
) -> None:
    """Make one call and answer; on a timeout a second thread answers, with the line that the call is on.

    Parameters
    ----------
    seconds : float
        Processor time; by the clock the call may take CLOCK_PER_CPU_SECOND times as long.
    file : str, optional
        The file or cell whose lines are the learner's; if not given, the one in which the function was written.
    """
    code = getattr(getattr(function, "func", function), "__code__", None)
    own_file = file or (code.co_filename if code else "")
    thread, done = threading.get_ident(), threading.Event()

    def watch() -> None:
        if not _in_time(done, seconds):
            channel.send({"kind": "slow", **_current_line(thread, own_file)})

    threading.Thread(target=watch, daemon=True).start()
    outcome = call(function, arguments, own_file)
    done.set()
    channel.end_output()
    channel.send(outcome)


def _in_time(done: threading.Event, seconds: float) -> bool:
    """Wait until it is done (True), or its time is up (False)."""
    by_clock, by_processor = time.monotonic() + CLOCK_PER_CPU_SECOND * seconds, time.process_time() + seconds
    while time.monotonic() < by_clock and time.process_time() < by_processor:
        if done.wait(min(0.2, seconds)):
            return True
    return done.is_set()


def call(function: Callable[..., Any], arguments: tuple[Any, ...], file: str) -> dict[str, Any]:
    """Call the function; its value and the arguments it changed, or how it ended instead."""
    before = pickle.dumps(arguments)
    try:
        value = encode(function(*arguments))
    except BaseException as error:
        kind = "exited" if isinstance(error, SystemExit) else "memory" if isinstance(error, MemoryError) else "raised"
        return {"kind": kind, **_describe_error(error, file)}
    changed = [k for k, old in enumerate(pickle.loads(before)) if encode(old) != encode(arguments[k])]
    return {"kind": "returned", "value": value, "changed": changed}


def encode(value: Any, depth: int = 0) -> Any:
    """A value as plain data: numbers, lists, arrays; anything else is described."""
    if value is None or isinstance(value, bool):
        return value
    if type(value).__name__ in ("Fraction", "Decimal"):
        with contextlib.suppress(Exception):  # too large for a float, or not the class that it seems to be
            value = float(value)
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**63):
        return value + 0  # a plain number, also where its class is a subclass
    if isinstance(value, str):
        return {"str": value[:1000]}
    if isinstance(value, list | tuple | set | frozenset | range) and len(value) <= _MAX_ITEMS and depth < 5:
        return {"tuple" if isinstance(value, tuple) else "list": [encode(item, depth + 1) for item in value]}
    if hasattr(value, "__array__") and not isinstance(value, type):
        return _encode_array(value)
    try:
        text = repr(value)[:200]
    except Exception:
        text = "(something that cannot be shown)"
    return {"type": type(value).__name__, "text": text}


def _encode_array(value: Any) -> Any:
    import numpy as np

    array = np.asarray(value)
    if array.ndim == 0 and array.dtype.kind in "biuf":
        return encode(array.item())
    if array.dtype.kind in "biuf" and array.size <= _MAX_ITEMS:
        kind = "?" if array.dtype.kind == "b" else "i8" if array.dtype.kind in "iu" else "f8"
        data = base64.b64encode(np.ascontiguousarray(array, dtype=kind).tobytes()).decode()
        return {"array": kind, "shape": array.shape, "data": data}
    if array.dtype.kind == "O" and array.size <= _MAX_ITEMS and array.ndim:
        return encode(array.tolist())
    return {"type": type(value).__name__, "text": f"an array of shape {array.shape} that holds {array.dtype}"}


def _describe_error(error: BaseException, file: str) -> dict[str, Any]:
    try:
        message = str(error)[:1000]
    except Exception:
        message = ""
    frames = traceback.walk_tb(error.__traceback__)
    return {"error": type(error).__name__, "message": message, **_own_line(frames, file)}


def _current_line(thread: int, file: str) -> dict[str, Any]:
    """The line a running call is on."""
    for _ in range(50):  # between two lines a frame is on none: then look again
        place = _own_line(reversed(list(traceback.walk_stack(sys._current_frames()[thread]))), file)
        if place.get("line"):
            break
        time.sleep(0.001)
    return place


def _own_line(frames: Iterable[tuple[FrameType, int | None]], file: str) -> dict[str, Any]:
    """The learner's own line: in the innermost frame of the function's file, else in the innermost of all."""
    places = [{"file": frame.f_code.co_filename, "line": line} for frame, line in frames]
    foreign = [place for place in places if place["file"] != __file__]
    own = [place for place in foreign if place["file"] == file] or foreign
    return own[-1] if own else {}

"""The other side of `_guard`: a process that calls a learner's function and tells what happened.

It is told what to call through its standard input and answers through its standard output; whatever the function
prints goes elsewhere, so that it can never be taken for an answer. Answers are plain data (JSON), never pickles: the
process that asked must not run what a learner's function hands back.
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
from collections.abc import Callable
from typing import Any, BinaryIO, TypeAlias

Serve: TypeAlias = Callable[[BinaryIO, BinaryIO, BinaryIO, bytes], None]  # (requests, answers, said, marker)

# An answer of more entries than this is described, not sent.
_ROOM = 200_000
_HERE = __file__
PATIENCE = 4.0  # a second of the processor may take so many by the clock, so that a busy machine makes nobody slow


def main(megabytes: float, marker: str, serve: Serve | None = None) -> None:
    """Keep the two pipes for ourselves, give the function others, and serve (one function, unless told otherwise)."""
    requests, answers, printed = os.dup(0), os.dup(1), os.dup(2)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # input() finds the end of the file at once
    os.dup2(2, 1)  # print goes where complaints go: to be collected
    limit_memory(megabytes)
    with os.fdopen(requests, "rb") as asked, os.fdopen(answers, "wb") as told, os.fdopen(printed, "wb", 0) as said:
        (serve or serve_function)(asked, told, said, marker.encode())


def limit_memory(megabytes: float) -> None:
    """Refuse what is far beyond the limit at once; the other side watches the limit itself."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.SetErrorMode(msvcrt.SEM_FAILCRITICALERRORS | msvcrt.SEM_NOGPFAULTERRORBOX)  # no box on the screen
        return
    import resource

    most = int((megabytes + 512) * 2**20)  # 512: what Python and its libraries may set aside without using it
    for kind, limit in ((resource.RLIMIT_DATA, most), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # a stricter limit is in force already
            resource.setrlimit(kind, (limit, limit))


def serve_function(requests: BinaryIO, answers: BinaryIO, said: BinaryIO, marker: bytes) -> None:
    """Load the function, say so, then answer one request after the other until there are no more."""
    line = Line(answers)
    try:
        function = pickle.load(requests)
    except BaseException as error:
        line.send({"kind": "unshippable", **_about(error, "")})
        return
    line.send({"kind": "ready"})
    while True:
        try:
            arguments, seconds = pickle.load(requests)
        except EOFError:
            return
        answer(function, arguments, seconds, line, said, marker)


class Line:
    """The line to the process that asked: one answer to each request, whoever is first to give it."""

    def __init__(self, answers: BinaryIO) -> None:
        self.answers, self.lock, self.open, self.owner = answers, threading.Lock(), True, os.getpid()

    def send(self, answer: dict[str, Any]) -> None:
        if os.getpid() != self.owner:
            os._exit(0)  # a fork that has come back from the function: the answer is not its to give
        with self.lock:
            if self.open:
                self.answers.write(json.dumps(answer).encode() + b"\n")
                self.answers.flush()
                self.open = answer["kind"] != "slow"  # after that one this process is ended


def answer(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    seconds: float,
    line: Line,
    said: BinaryIO,
    marker: bytes,
    home: str | None = None,
) -> None:
    """One call. When its time is up, a second thread tells on which line it still is.

    The seconds are those of the processor; by the clock it may take PATIENCE times as many.
    home is the file or cell whose lines are the learner's; if it is not given, the one the function was written in.
    """
    caller = threading.get_ident()
    home = _home(function) if home is None else home

    def watch() -> None:
        if not _in_time(done, seconds):
            line.send({"kind": "slow", **_whereabouts(caller, home)})

    done = threading.Event()
    threading.Thread(target=watch, daemon=True).start()
    outcome = call(function, arguments, home)
    done.set()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # closed, or replaced by something else
            stream.flush()
    said.write(marker)  # so far goes what this call printed
    line.send(outcome)


def _in_time(done: threading.Event, seconds: float) -> bool:
    """Wait until it is done (True), or its time is up (False)."""
    by_clock, by_processor = time.monotonic() + PATIENCE * seconds, time.process_time() + seconds
    while time.monotonic() < by_clock and time.process_time() < by_processor:
        if done.wait(min(0.2, seconds)):
            return True
    return done.is_set()


def call(function: Callable[..., Any], arguments: tuple[Any, ...], home: str) -> dict[str, Any]:
    """Call it; tell what it returned and which arguments it changed, or how it ended instead."""
    before = pickle.dumps(arguments)
    try:
        value = plain(function(*arguments))
    except SystemExit as error:
        return {"kind": "exited", **_about(error, home)}
    except MemoryError as error:
        return {"kind": "memory", **_about(error, home)}
    except BaseException as error:
        return {"kind": "raised", **_about(error, home)}
    changed = [k for k, old in enumerate(pickle.loads(before)) if plain(old) != plain(arguments[k])]
    return {"kind": "returned", "value": value, "changed": changed}


def plain(value: Any, depth: int = 0) -> Any:
    """A value as plain data: numbers, lists, arrays; anything else is described."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**63):
        return value + 0  # a plain number, also of a class that is more than a number
    if isinstance(value, str):
        return {"str": value[:1000]}
    if isinstance(value, list | tuple | set | frozenset | range) and len(value) <= _ROOM and depth < 5:
        word = "tuple" if isinstance(value, tuple) else "list"
        return {word: [plain(each, depth + 1) for each in value]}
    if hasattr(value, "__array__") and not isinstance(value, type):
        return _plain_array(value)
    try:
        text = repr(value)[:200]
    except Exception:
        text = "(something that cannot be shown)"
    return {"type": type(value).__name__, "text": text}


def _plain_array(value: Any) -> Any:
    import numpy as np

    array = np.asarray(value)
    if array.ndim == 0 and array.dtype.kind in "biuf":
        return plain(array.item())
    if array.dtype.kind in "biuf" and array.size <= _ROOM:
        kind = "?" if array.dtype.kind == "b" else "i8" if array.dtype.kind in "iu" else "f8"
        data = base64.b64encode(np.ascontiguousarray(array, dtype=kind).tobytes()).decode()
        return {"array": kind, "shape": array.shape, "data": data}
    if array.dtype.kind == "O" and array.size <= _ROOM and array.ndim:
        return plain(array.tolist())
    return {"type": type(value).__name__, "text": f"an array of shape {array.shape} that holds {array.dtype}"}


def _about(error: BaseException, home: str) -> dict[str, Any]:
    try:
        message = str(error)[:1000]
    except Exception:
        message = ""
    frames: list[tuple[str, int | None]] = [
        (frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    return {"error": type(error).__name__, "message": message, **_place(frames, home)}


def _home(function: Callable[..., Any]) -> str:
    """The file, or the notebook cell, in which the function was written."""
    code = getattr(getattr(function, "func", function), "__code__", None)
    return code.co_filename if code else ""


def _whereabouts(thread: int, home: str) -> dict[str, Any]:
    """The line a running call is on."""
    place: dict[str, Any] = {}
    for _ in range(50):  # between two lines a frame is on none: then look again
        frames: list[tuple[str, int | None]] = [
            (it.f_code.co_filename, line) for it, line in traceback.walk_stack(sys._current_frames()[thread])
        ]
        place = _place(frames[::-1], home)
        if place.get("line"):
            break
        time.sleep(0.001)
    return place


def _place(frames: list[tuple[str, int | None]], home: str) -> dict[str, Any]:
    """The learner's own line among the frames: the innermost of the function's file, else the innermost of all."""
    theirs = [place for place in frames if place[0] != _HERE]
    own = [place for place in theirs if place[0] == home] or theirs
    return {"file": own[-1][0], "line": own[-1][1]} if own else {}

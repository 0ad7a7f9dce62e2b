"""The program of a process that grades: one submission after the other, under limits of its own.

Students' code never runs in it; but what comes out of that code is judged here, and might be made to take all memory or
never to end. Then this process ends, nobody else is harmed, and the one who started it (see `pool`) says so.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import signal
import sys
import threading
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from .grade import grade, not_graded
from .notebook import Assignment, read
from .sandbox import Limits, not_enforced

SECRET: Final = "HOMEWORK_SECRET"  # the environment variable that `plahelpers.homework.seed` reads
_IDLE_SECONDS: Final = 600.0  # after which it ends: on a cluster, nobody else may be left to end it


@dataclass(frozen=True)
class Bounds:
    """What the process that grades may use for one submission."""

    megabytes: float = 2048.0  # of memory
    cpu_seconds: float = 300.0  # of the processor; students' processes have limits of their own
    result_bytes: int = 2**20


@dataclass(frozen=True)
class Work:
    """All that is needed to grade one submission, on whatever machine."""

    source: bytes
    submission: bytes
    limits: Limits
    secret: str  # of the course
    bounds: Bounds = Bounds()

    @property
    def clock_seconds(self) -> float:
        """The last stop: nothing that goes as it should takes so long."""
        return 2 * self.limits.total_seconds + self.bounds.cpu_seconds

    def gave_up(self, reason: str) -> dict[str, Any]:
        """The result of our own failure."""
        sentence = f"This notebook could not be graded: {reason[:1000]}. Somebody should look at it."
        return not_graded(Assignment(read(self.source).cells), sentence, failed=True)


def main() -> NoReturn:
    """Take work from standard input, and write a line of JSON for each, until there is no more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything else prints is no answer
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # which cleans up
    todo: queue.SimpleQueue[Work] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(todo,), daemon=True).start()
    while True:
        try:
            work = todo.get(timeout=_IDLE_SECONDS)
        except queue.Empty:
            sys.exit()
        _limit(work.bounds)
        answers.write(json.dumps(guarded_grade(work)).encode() + b"\n")
        answers.flush()


def _receive(todo: queue.SimpleQueue[Work]) -> None:
    """Take in work; end this process, also in the middle of something, as soon as whoever sends it has gone."""
    try:
        while True:
            todo.put(pickle.load(sys.stdin.buffer))
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)


def _limit(bounds: Bounds) -> None:
    """Memory that is refused beyond a limit, and a signal that ends this process when its time is spent."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = int(bounds.megabytes * 2**20)
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    signal.setitimer(signal.ITIMER_PROF, bounds.cpu_seconds)  # unlike a limit, students' processes do not inherit it


def guarded_grade(work: Work) -> dict[str, Any]:
    """Grade; should one submission expose a fault in our own code, the result says so, and the others are graded."""
    os.environ[SECRET] = work.secret
    if work.limits.bubblewrap and (missing := not_enforced()):  # never with less than was decided
        return work.gave_up(f"the machine that should have graded it cannot do so safely ({' '.join(missing)})")
    try:
        result = grade(work.source, work.submission, work.limits)
    except Exception as error:
        return work.gave_up(f"the grader itself failed ({type(error).__name__}: {error})")
    return result | {"sandbox": "bubblewrap" if work.limits.bubblewrap else "plain"}

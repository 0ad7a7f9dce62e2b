"""Grade many submissions: on the cores of this machine, or on a Dask cluster. The results are the same."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, Final

import psutil

from .grade import grade, not_graded
from .notebook import Assignment, read
from .sandbox import Limits

_TO_TIDY_UP: Final = 2.0  # seconds


def here(
    source: bytes, submissions: Sequence[bytes], limits: Limits, workers: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Grade on this machine; (k, result of submission k), as they get ready.

    Each worker is a process with one submission at a time: should a submission end it, we know which one it was.
    """
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    for k in range(len(submissions)):
        todo.put(k)
    done: queue.SimpleQueue[tuple[int, dict[str, Any]] | BaseException] = queue.SimpleQueue()
    crew = [_Desk(source, submissions, limits, todo, done) for _ in range(min(workers, len(submissions)))]
    try:
        for desk in crew:
            desk.start()
        for _ in submissions:
            ready = done.get()
            if isinstance(ready, BaseException):
                raise ready
            yield ready
    finally:  # also after Ctrl-C
        for desk in crew:
            desk.stop()


class _Desk(threading.Thread):
    """One worker process, and the thread that gives it work."""

    def __init__(self, source: bytes, submissions: Sequence[bytes], limits: Limits, todo: Any, done: Any) -> None:
        super().__init__(daemon=True)
        self.source, self.submissions, self.limits, self.todo, self.done = source, submissions, limits, todo, done
        self.stopped, self.pid = False, 0
        self.pool: ProcessPoolExecutor | None = None

    def run(self) -> None:
        try:
            while not self.stopped:
                k = self.todo.get_nowait()
                self.done.put((k, self._grade(self.submissions[k])))
        except queue.Empty:
            pass
        except BaseException as error:  # told in the thread that waits for us
            if not self.stopped:
                self.done.put(error)
        if self.pool:
            self.pool.shutdown(wait=False)

    def _grade(self, submission: bytes) -> dict[str, Any]:
        pool = self._open()
        # Twice: the limits hold for the student's code, the rest is ours. Only a test without an end could take longer.
        patience = 2 * self.limits.total_seconds + 300
        try:
            return pool.submit(guarded_grade, self.source, submission, self.limits).result(patience)
        except BrokenProcessPool:
            reason = "the process that graded it was ended"
        except TimeoutError:
            reason = "a test took too long"
            self._kill()
        self.pool = None
        return _gave_up(self.source, reason)

    def _open(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin)
            self.pid = self.pool.submit(os.getpid).result()
        return self.pool

    def stop(self) -> None:
        self.stopped = True
        if self.is_alive():
            self._kill()

    def _kill(self) -> None:
        """End the worker politely, so that it ends the student's process and removes its folder.

        More than once: the pool takes the first time for an exception of the work that it does.
        """
        if not self.pid:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            worker = psutil.Process(self.pid)
            for _ in range(5):
                worker.terminate()
                with contextlib.suppress(psutil.TimeoutExpired):
                    worker.wait(_TO_TIDY_UP)
                    return
            worker.kill()


def _begin() -> None:
    """A worker: Ctrl-C is not for it; when it is ended, or its parent is, it tidies up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        while True:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(_TO_TIDY_UP)


def guarded_grade(source: bytes, submission: bytes, limits: Limits) -> dict[str, Any]:
    """Grade; should one submission find a fault in our own code, this is said, and the others are graded."""
    try:
        return grade(source, submission, limits)
    except Exception as error:
        return _gave_up(source, f"the grader itself failed ({type(error).__name__}: {error})")


def _gave_up(source: bytes, reason: str) -> dict[str, Any]:
    sentence = f"Grading this notebook could not be finished: {reason}. Somebody should look at it by hand."
    return not_graded(Assignment(read(source).cells), sentence, failed=True)


def on_dask(
    source: bytes, submissions: Sequence[bytes], limits: Limits, address: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Grade on the cluster whose scheduler is at this address; its workers need plahelpers, nothing else of ours."""
    from dask.distributed import Client, as_completed

    with Client(address) as client, tempfile.TemporaryDirectory() as scratch:
        client.upload_file(_packed(Path(scratch, "grader.zip")))
        shared = client.scatter(source, broadcast=True)
        futures = {
            client.submit(guarded_grade, shared, each, limits, pure=False): k for k, each in enumerate(submissions)
        }
        for future in as_completed(list(futures)):
            yield futures[future], future.result()


def _packed(target: Path) -> str:
    """This package as one file that can be sent to other machines."""
    folder = Path(__file__).parent
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.glob("*.*")):
            archive.write(path, f"{folder.name}/{path.name}")
    return str(target)

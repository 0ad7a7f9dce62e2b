"""Grade many submissions: on the cores of this machine, or on a Dask cluster. The results are the same."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, as_completed
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

from .grade import grade, not_graded
from .notebook import Assignment, read
from .sandbox import Limits


def here(
    source: bytes, submissions: Sequence[bytes], limits: Limits, workers: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Grade on this machine; (k, result of submission k), as they get ready."""
    from pebble import CONSTS, ProcessExpired, ProcessPool  # here: the workers of a cluster do not need it

    # The limits hold for the student's code, the rest is ours: only a test without an end can take longer than this.
    timeout = 2 * limits.total_seconds + 300
    CONSTS.term_timeout = 60.0  # seconds for a terminated worker to clean up, on a busy machine too
    # pebble, not joblib: when a worker dies, it names the one task that was lost, and goes on with the others.
    pool = ProcessPool(min(workers, len(submissions)), initializer=_start_worker, context=get_context("spawn"))
    try:
        futures: dict[Future[dict[str, Any]], int] = {
            pool.schedule(guarded_grade, args=[source, submission, limits], timeout=timeout): k
            for k, submission in enumerate(submissions)
        }
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except ProcessExpired:
                yield futures[future], _gave_up(source, "the process that graded it was ended")
            except TimeoutError:
                yield futures[future], _gave_up(source, "a test took too long")
    finally:  # also after Ctrl-C; a worker that is terminated removes the student's process and folder
        pool.stop()
        pool.join()


def _start_worker() -> None:
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """End this worker, which cleans up, as soon as the process that started it has ended."""
    if parent := parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def guarded_grade(source: bytes, submission: bytes, limits: Limits) -> dict[str, Any]:
    """Grade; should one submission expose a fault in our own code, the result says so, and the others are graded."""
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
    from dask import distributed

    with distributed.Client(address) as client, tempfile.TemporaryDirectory() as scratch:
        client.upload_file(_zipped(Path(scratch, "grader.zip")))
        shared = client.scatter(source, broadcast=True)
        futures = {
            client.submit(guarded_grade, shared, submission, limits, pure=False): k
            for k, submission in enumerate(submissions)
        }
        for future in distributed.as_completed(list(futures)):
            yield futures[future], future.result()


def _zipped(target: Path) -> str:
    """The code of this package as one file that can be sent to other machines."""
    folder = Path(__file__).parent
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.glob("*.py")):
            archive.write(path, f"{folder.name}/{path.name}")
    return str(target)

"""Grade many submissions: on the cores of this machine, or on a Dask cluster, by joblib. The results are the same.

Each submission is judged by a process of its own, forked from a server that has imported what judging needs: whatever
becomes of it, nobody else is harmed. What fails is tried once more.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import shutil
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import joblib

from . import judge, sandbox
from .sandbox import Limits
from .submissions import Refusal

JUDGE_SECONDS: Final = 60  # of the processor, for the judge itself; students' processes have limits of their own
_JUDGE_BYTES: Final = 2 * 2**30  # of memory
Graded: TypeAlias = Generator[tuple[int, dict[str, Any]], None, None]
_lock, _stopping = threading.Lock(), threading.Event()


@dataclass(frozen=True)
class Work:
    """All that is needed to grade one submission, on whatever machine."""

    source: bytes  # the notebook with solutions and hidden tests
    shipped: tuple[tuple[str, bytes], ...]  # files that are handed out beside the notebook
    submission: bytes
    student: str  # by the name of the file
    limits: Limits


class TimeIsUp(BaseException):
    """The judge has spent its time; no `except Exception` takes this for anything else."""


def grade_all(works: Sequence[Work], workers: int, dask: str | None) -> Graded:
    """(k, result of work k), as they get ready."""
    _stopping.clear()
    client = _client(dask) if dask and works else None
    # With one worker, joblib would grade in the main thread, and Ctrl-C could lose a judge that is just being started.
    threads = {"backend": "threading", "n_jobs": max(2, workers)}
    options = {"backend": "dask", "client": client} if client else threads
    tasks = (joblib.delayed(grade)(k, work) for k, work in enumerate(works))
    try:
        with joblib.parallel_config(**options):
            yield from joblib.Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")(tasks)
    finally:  # also after Ctrl-C
        with _lock:  # nobody is about to start one
            _stopping.set()
            for process in multiprocessing.active_children():
                process.kill()
        if client:
            client.close()


def _client(address: str) -> Any:
    """The cluster at this address, if there are workers."""
    from dask import distributed

    try:
        client = distributed.Client(address, timeout=30, set_as_default=False)
        client.wait_for_workers(1, timeout=30)
    except (OSError, ValueError) as error:
        raise Refusal(f"There is no Dask cluster with workers at {address} ({error}).") from None
    return client


def grade(k: int, work: Work) -> tuple[int, dict[str, Any]]:
    """(k, its result); should it expose a fault of ours, the result says so."""
    result = _in_process(work)
    broken = any(question["broken"] for question in result["questions"])  # by the student's answer, or by an accident
    return k, _in_process(work) if broken or result.get("again") else result


def _in_process(work: Work) -> dict[str, Any]:
    """Judge in a process of its own; again: what went wrong need not go wrong again."""
    multiprocessing.current_process().daemon = False  # Dask's workers are daemons, which could start no process
    again = True
    try:
        with _lock:
            if _stopping.is_set():
                raise TimeIsUp
            arguments = (work.source, work.submission, work.student, _template(work.shipped), work.limits)
            executor = ProcessPoolExecutor(1, _context(), _limit_judge, (JUDGE_SECONDS,))
            future = executor.submit(judge.grade, *arguments)
        with executor:
            return future.result()
    except TimeIsUp:
        reason, again = "to judge it took too long", False
    except BrokenProcessPool:
        reason = "its judge was killed"
    except Exception as error:  # whatever fails in the judge is our failure
        reason = f"the grader itself failed ({type(error).__name__}: {str(error)[:1000]})"
    sentence = f"This notebook could not be graded: {reason}. Somebody should look at it."
    return judge.not_graded(work.source, sentence, failed=True) | {"again": again}


@cache
def _template(shipped: tuple[tuple[str, bytes], ...]) -> Path:
    """What students' processes begin with, made by the first submission on each machine."""
    folder = sandbox.make_template(dict(shipped))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _context() -> Any:
    """Processes that start with everything imported, where the system can fork; fresh ones elsewhere."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([f"{__package__}.warm"])
    return context


def _limit_judge(cpu_seconds: int) -> None:
    """The judge has limits of its own, ends with the one who asked, and leaves Ctrl-C to that one."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        import resource

        signal.signal(signal.SIGXCPU, _raise_time_is_up)
        for what, most in ((resource.RLIMIT_CPU, cpu_seconds), (resource.RLIMIT_DATA, _JUDGE_BYTES)):
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def _raise_time_is_up(*_: Any) -> None:
    raise TimeIsUp


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
    os._exit(1)

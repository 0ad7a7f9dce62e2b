"""Grade many submissions: on the cores of this machine, or on a Dask cluster, by joblib. The results are the same.

They are judged in threads, because nearly all the work is done by students' processes. However the command ends, these
end with it: bubblewrap with the thread that started it, the plain process when nobody can ask it any more.
"""

import atexit
import shutil
import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import joblib

from . import judge, sandbox
from .sandbox import Limits

Graded: TypeAlias = Generator[tuple[int, dict[str, Any]], None, None]
_lock = threading.Lock()


@dataclass(frozen=True)
class Work:
    """All that is needed to grade one submission, on whatever machine."""

    source: bytes  # the notebook with solutions and hidden tests
    shipped: tuple[tuple[str, bytes], ...]  # files that are handed out beside the notebook
    submission: bytes
    student: str  # by the name of the file
    limits: Limits


def grade_all(works: Sequence[Work], workers: int, dask: str | None) -> Graded:
    """(k, result of work k), as they get ready."""
    client = None
    if dask and works:
        from dask import distributed

        client = distributed.Client(dask, timeout=30, set_as_default=False)
        client.wait_for_workers(1, timeout=30)
    options = {"backend": "dask", "client": client} if client else {"backend": "threading", "n_jobs": workers}
    tasks = (joblib.delayed(grade)(k, work) for k, work in enumerate(works))
    try:
        with joblib.parallel_config(**options):
            yield from joblib.Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")(tasks)
    finally:  # also after Ctrl-C
        if client:
            client.close()


def grade(k: int, work: Work) -> tuple[int, dict[str, Any]]:
    """(k, its result); what fails here is our failure, and is tried once more."""
    reason = ""
    for _ in range(2):
        try:
            with _lock:  # the first one makes the template, and nobody else
                template = _template(work.shipped)
            return k, judge.grade(work.source, work.submission, work.student, template, work.limits)
        except Exception as error:
            reason = f"{type(error).__name__}: {str(error)[:1000]}"
    sentence = f"This notebook could not be graded: the grader itself failed ({reason}). Somebody should look at it."
    return k, judge.not_graded(work.source, sentence, failed=True)


@cache
def _template(shipped: tuple[tuple[str, bytes], ...]) -> Path:
    """What students' processes begin with, made by the first submission on each machine."""
    folder = sandbox.make_template(dict(shipped))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder

"""Grade many submissions: on the cores of this machine, or on a Dask cluster, by joblib. The results are the same.

Each submission is judged by a process of its own, forked from a server that has imported what judging needs: whatever
becomes of it, by a student's doing or by a fault of ours, nobody else is harmed. What fails is tried once more.
"""

from __future__ import annotations

import atexit
import json
import math
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import joblib

from . import judge, sandbox
from .notebook import Assignment
from .sandbox import Limits
from .submissions import Refusal

_TIMES: Final = 20  # so much longer than the model solution may a cell or a call take, …
_LEAST_SECONDS: Final = 5.0  # … and at least this
_JUDGE_CPU_SECONDS: Final = 60  # for the judge itself; students' processes have limits of their own
_JUDGE_BYTES: Final = 2 * 2**30  # of memory
_RESULT_BYTES: Final = 2**25


@dataclass(frozen=True)
class Work:
    """All that is needed to grade one submission, on whatever machine."""

    source: bytes
    shipped: tuple[tuple[str, bytes], ...]  # files that are handed out beside the notebook
    submission: bytes
    plain: bool


@dataclass(frozen=True)
class Setup:
    """What one machine needs to grade an assignment: students' folder to begin with, limits, a word for the teacher."""

    template: Path
    limits: Limits
    warning: str


def grade_all(works: Sequence[Work], workers: int, dask: str | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """(k, result of work k), as they get ready."""
    _stopping.clear()
    tasks = (joblib.delayed(_numbered)(k, work) for k, work in enumerate(works))
    options = (
        {"backend": "dask", "client": _client(dask, works)} if dask else {"backend": "threading", "n_jobs": workers}
    )
    try:
        with joblib.parallel_config(**options):
            yield from joblib.Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")(tasks)
    finally:  # also after Ctrl-C
        _stopping.set()
        for process in [*_running]:
            process.kill()


def _client(address: str, works: Sequence[Work]) -> Any:
    """The cluster at this address; there must be workers, and they must keep what this machine was told to keep."""
    from dask import distributed

    try:
        client = distributed.Client(address, timeout=30, set_as_default=False)
        client.wait_for_workers(1, timeout=30)
    except (OSError, ValueError) as error:
        raise Refusal(f"There is no Dask cluster with workers at {address} ({error}).") from None
    for worker, reason in ({} if works[0].plain else client.run(sandbox.why_no_bubblewrap)).items():
        if reason:
            raise Refusal(f"The Dask worker {worker} cannot grade safely: {reason}.")
    return client


def _numbered(k: int, work: Work) -> tuple[int, dict[str, Any]]:
    return k, grade(work)


def grade(work: Work) -> dict[str, Any]:
    """The result of one submission; should it expose a fault of ours, the result says so."""
    setup = _prepared(replace(work, submission=b""))
    if isinstance(setup, str):
        return _gave_up(work, setup)
    result = _in_process(work, setup.template, setup.limits)
    if result["failed"] and not result.get("late") and not _stopping.is_set():
        result = _in_process(work, setup.template, setup.limits)
    return result | {"sandbox": "plain" if work.plain else "bubblewrap", "warning": setup.warning}


_lock, _setups = threading.Lock(), dict[Work, Setup | str]()
_stopping, _running = threading.Event(), set[Any]()


def _prepared(work: Work) -> Setup | str:
    """The setup of an assignment, made by the first submission on each machine; or why there is none."""
    with _lock:
        if work not in _setups:
            _setups[work] = _prepare(replace(work, submission=work.source))
    return _setups[work]


def _prepare(model: Work) -> Setup | str:
    """Run the model solution to see how long it takes."""
    limits = Limits(plain=model.plain)
    try:
        template = sandbox.make_template(dict(model.shipped))
    except (OSError, subprocess.SubprocessError) as error:
        return f"the grader itself failed ({error})"
    atexit.register(shutil.rmtree, template, ignore_errors=True)
    result = _in_process(model, template, limits)
    if result["failed"]:
        return f"the model solution could not be run: {result['remarks'][0]}"
    seconds = {name: max(_LEAST_SECONDS, _TIMES * result["slowest"][name]) for name in ("run", "call")}
    lost = [question["id"] for question in result["questions"] if question["points"] not in (None, question["max"])]
    warning = f"The model solution itself does not get all points: {', '.join(lost)}." if lost else ""
    limits = replace(
        limits, cell_seconds=seconds["run"], call_seconds=seconds["call"], total_seconds=10 * sum(seconds.values())
    )
    return Setup(template, limits, warning)


def _in_process(work: Work, template: Path, limits: Limits) -> dict[str, Any]:
    """Judge in a process of its own; late: all its time was spent, so that it is of no use to try again."""
    multiprocessing.current_process().daemon = False  # Dask's workers are daemons, which could start no process
    seconds = 8 * limits.total_seconds + 60
    ours, theirs = _context().Pipe(duplex=False)
    process = _context().Process(target=_judge, args=(theirs, work, template, limits, _JUDGE_CPU_SECONDS), daemon=True)
    try:
        process.start()
        _running.add(process)
        theirs.close()
        if not ours.poll(seconds):
            return _gave_up(work, f"it took more than {seconds:g} seconds", late=True)
        return dict(json.loads(ours.recv_bytes(_RESULT_BYTES)))
    except EOFError:
        process.join(20)
        late = process.exitcode == -getattr(signal, "SIGXCPU", 0)
        spent = f"to judge it took more than {_JUDGE_CPU_SECONDS} seconds of processor time"
        return _gave_up(work, spent if late else f"its judge ended with status {process.exitcode}", late=late)
    except (OSError, ValueError) as error:  # no room for files, no memory for processes, too long a result
        return _gave_up(work, f"the grader itself failed ({type(error).__name__}: {error})")
    finally:
        ours.close()
        _running.discard(process)
        if process.pid:
            process.kill()
            process.join()


def _gave_up(work: Work, reason: str, *, late: bool = False) -> dict[str, Any]:
    """The result of our own failure."""
    sentence = f"This notebook could not be graded: {reason[:1000]}. Somebody should look at it."
    return judge.not_graded(Assignment(work.source), sentence, failed=True) | {"late": late}


@cache
def _context() -> Any:
    """Processes that start with everything imported, where the system can fork; fresh ones elsewhere."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([f"{__package__}.warm"])
    return context


def _judge(answer: Any, work: Work, template: Path, limits: Limits, cpu_seconds: int) -> None:
    """The program of that process: judge under limits, and end when the one who asked has ended."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asked
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_JUDGE_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        used = math.ceil(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (used + cpu_seconds, hard))
    try:
        result = judge.grade(work.source, work.submission, template, limits)
    except Exception as error:
        result = _gave_up(work, f"the grader itself failed ({type(error).__name__}: {error})")
    answer.send_bytes(json.dumps(result).encode())


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
    os._exit(1)

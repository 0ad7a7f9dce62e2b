"""Grade many submissions: on the cores of this machine, or on a Dask cluster. The results are the same.

Either way each submission is judged by a process of `worker`. When that fails, ends or takes too long, a fresh one
tries once more; if that one fails too, the result is that we have not graded it, and the others go on.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import pickle
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import psutil

from .worker import Work

Result: TypeAlias = dict[str, Any]
Generated: TypeAlias = Generator[tuple[int, Result], None, None]  # (k, result of work k), as they get ready
Started: TypeAlias = Callable[[int], object]  # called with k when work k is begun

_SECONDS_TO_END: Final = 20.0  # for a process to remove what it made, on a busy machine too
_SECONDS_TO_CONNECT: Final = 30.0
_AHEAD: Final = 100  # submissions that a cluster is given at one time
_TOPIC: Final = "grading"  # under which a cluster's workers tell what they begin with


class ClusterError(Exception):
    """The Dask cluster cannot be used; the message says why."""


# --- One process -----------------------------------------------------------------------------------------------------


class GradingProcess:
    """A process of `worker`, which is replaced after a failure."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.stopped, self.busy = False, threading.RLock()

    def grade(self, work: Work) -> Result:
        """The result of one submission; a process that has failed is not used again."""
        with self.busy:
            try:
                result = self._ask(work)
            except (OSError, ValueError) as error:  # no room for files, no memory for processes, no JSON
                result = work.gave_up(f"the grader itself failed ({type(error).__name__}: {error})")
            if result["failed"]:
                self.close()
            return result

    def stop(self) -> None:
        """Give up what is being graded, from another thread; the process cleans up and ends."""
        self.stopped = True
        if process := self.process:
            process.terminate()

    def close(self) -> None:
        """End the process, and remove all that it has left."""
        with self.busy:
            if self.process:
                _end(self.process)
                self.stderr.close()
                self.scratch.cleanup()
            self.process = None

    def _ask(self, work: Work) -> Result:
        if self.process and self.process.poll() is not None:  # ended since, because it had nothing to do
            self.close()
        process = self.process = self.process or self._start()
        if self.stopped:  # meanwhile
            process.terminate()
        start, timer = time.monotonic(), threading.Timer(work.clock_seconds, _kill, [process])
        timer.start()
        try:
            with contextlib.suppress(OSError):  # it has ended already, which the missing answer will tell
                pickle.dump(work, process.stdin)  # type: ignore[arg-type]
                process.stdin.flush()  # type: ignore[union-attr]
            line = process.stdout.readline(work.bounds.result_bytes + 1)  # type: ignore[union-attr]
        finally:
            timer.cancel()
        if line.endswith(b"\n"):
            return dict(json.loads(line))
        too_late = time.monotonic() - start > work.clock_seconds
        late = f"it took more than {work.clock_seconds:g} seconds"
        return work.gave_up(late if too_late else self._what_happened(work, line))

    def _start(self) -> subprocess.Popen[bytes]:
        """In a folder of its own for temporary files, which is removed even if the process cannot do so itself."""
        self.scratch = tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True)
        self.stderr = tempfile.TemporaryFile(dir=self.scratch.name)  # noqa: SIM115
        return subprocess.Popen(
            _python(f"from {__package__} import worker; worker.main()", self.scratch.name),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            env=_environment(self.scratch.name),
            start_new_session=True,  # Ctrl-C is for the one who started it
        )

    def _what_happened(self, work: Work, line: bytes) -> str:
        """Why there is no answer, or not the whole of one."""
        assert self.process
        if len(line) > work.bounds.result_bytes:
            return f"its result has more than {work.bounds.result_bytes:,} bytes"
        try:
            status = self.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return "the process that graded it closed its connections"
        if status == -getattr(signal, "SIGPROF", 0):
            return f"to judge it took more than {work.bounds.cpu_seconds:g} seconds of processor time"
        names = {-number: f"by the signal {number.name}" for number in signal.Signals}
        self.stderr.seek(0)
        last_words = self.stderr.read()[-300:].decode("utf-8", "replace").strip()
        return f"the process that graded it was ended {names.get(status) or f'with status {status} ({last_words})'}"


def _python(statement: str, scratch: str) -> list[str]:
    """A fresh Python that finds the same modules, and removes its folder at its end: we may have ended before."""
    path = [str(Path(__file__).parents[2]), *sys.path]  # on the workers of a cluster, the first is a zip file
    begin = f"import atexit, json, shutil, sys; atexit.register(shutil.rmtree, {scratch!r}, True)"
    return [sys.executable, "-c", f"{begin}; sys.path[:] = {path!r}; {statement}"]


def _environment(scratch: str) -> dict[str, str]:
    """Ours, with another folder for temporary files."""
    return {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), scratch)}


def not_enforced() -> list[str]:
    """What is not enforced on this machine, tried out in a process that leaves nothing behind."""
    question = f"from {__package__} import sandbox; print(json.dumps(sandbox.not_enforced()))"
    with tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True) as scratch:
        command = _python(question, scratch)
        answer = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment(scratch))
    if answer.returncode:
        return [f"The sandbox cannot be tried out here ({answer.stderr.strip()[-300:]})."]
    return list(json.loads(answer.stdout))


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        _kill(process)
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # there may be unsent bytes, and nobody to take them
            pipe.close()  # type: ignore[union-attr]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process that does not end by itself, with all that it started."""
    family = []
    with contextlib.suppress(psutil.Error):
        family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    for each in family:
        with contextlib.suppress(psutil.Error):
            each.kill()
    process.wait()


# --- On this machine -------------------------------------------------------------------------------------------------


def here(works: Sequence[Work], workers: int, started: Started = lambda _: None) -> Generated:
    """Grade on this machine; (k, result of work k), as they get ready."""
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, Result]] = queue.SimpleQueue()
    for k in range(len(works)):
        todo.put(k)
    processes = [GradingProcess() for _ in range(min(workers, len(works)))]

    def serve(process: GradingProcess) -> None:
        with contextlib.suppress(queue.Empty):
            while not process.stopped:
                k = todo.get_nowait()
                started(k)
                result = process.grade(works[k])
                if result["failed"] and not process.stopped:
                    result = process.grade(works[k])
                done.put((k, result))
        process.close()

    threads = [threading.Thread(target=serve, args=(process,), daemon=True) for process in processes]
    for thread in threads:
        thread.start()
    try:
        for _ in works:
            yield done.get()
    finally:  # also after Ctrl-C
        for process in processes:
            process.stop()
        for thread in threads:
            thread.join()


# --- On a cluster ----------------------------------------------------------------------------------------------------


def on_dask(works: Sequence[Work], address: str, started: Started = lambda _: None) -> Generated:
    """Grade on the cluster whose scheduler is at this address; (k, result of work k), as they get ready.

    Its workers need plahelpers, nothing else of ours. What a lost worker was grading is graded by another one.
    """
    from dask import distributed

    try:
        client = distributed.Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"There is no answer from a Dask scheduler at {address} ({error}).") from None
    with client:
        _prepare(client, works[0])
        yield from _Cluster(client, works, started).results()


def _prepare(client: Any, work: Work) -> None:
    """Send our code to the workers; there must be some, and they must keep what this machine was told to keep."""
    try:
        client.wait_for_workers(1, timeout=_SECONDS_TO_CONNECT)
    except TimeoutError:
        raise ClusterError("The Dask scheduler has no workers.") from None
    with tempfile.TemporaryDirectory() as scratch:
        client.upload_file(_zipped(Path(scratch, "grader.zip")))
    if work.limits.bubblewrap:
        for worker, sentences in client.run(not_enforced).items():
            if sentences:
                raise ClusterError(f"The Dask worker {worker} cannot grade safely. {' '.join(sentences)}")


class _Cluster:
    """The submissions of one call, on a cluster that may lose each of them."""

    def __init__(self, client: Any, works: Sequence[Work], started: Started) -> None:
        self.client, self.works, self.started = client, works, started
        self.call, self.tries, self.futures = secrets.token_hex(4), Counter[int](), dict[int, Any]()
        self.done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def results(self) -> Generated:
        """As they get ready; what fails or is lost is sent a second time."""
        self.client.subscribe_topic(_TOPIC, self._note)
        waiting, unfinished = iter(range(len(self.works))), set(range(len(self.works)))
        try:
            for k in itertools.islice(waiting, _AHEAD):
                self._submit(k)
            while unfinished:
                k, result = self._next(unfinished)
                if result["failed"] and self.tries[k] == 1:
                    self._submit(k)
                    continue
                unfinished.remove(k)
                for another in itertools.islice(waiting, 1):
                    self._submit(another)
                yield k, result
        finally:  # also after Ctrl-C
            with contextlib.suppress(Exception):  # nobody may be there any more
                self.client.run(_close_there, self.call)

    def _note(self, event: tuple[float, tuple[str, int]]) -> None:
        call, k = event[1]
        if call == self.call:
            self.started(k)

    def _submit(self, k: int) -> None:
        self.tries[k] += 1
        try:
            name = f"{_TOPIC}-{self.call}-{k}-{self.tries[k]}"
            self.futures[k] = self.client.submit(_grade_there, self.call, k, self.works[k], key=name, pure=False)
            self.futures[k].add_done_callback(lambda future: self.done.put((k, future)))
        except Exception as error:  # the scheduler is gone
            self.done.put((k, error))

    def _next(self, unfinished: set[int]) -> tuple[int, Result]:
        """Any submission that has ended; if none does for longer than one can take, any that has not."""
        try:
            k, future = self.done.get(timeout=2 * self.works[0].clock_seconds + _SECONDS_TO_CONNECT)
        except queue.Empty:
            k = min(unfinished)
            self.tries[k] = 2
            return k, self.works[k].gave_up("the Dask cluster gave no answer")
        try:
            if isinstance(future, Exception):
                raise future
            return k, dict(future.result(timeout=_SECONDS_TO_CONNECT))
        except Exception as error:  # a worker raises what it likes, or is lost again and again
            return k, self.works[k].gave_up(f"the Dask cluster lost it ({type(error).__name__}: {error})")


_there: dict[tuple[str, int], GradingProcess] = {}  # on a worker of a cluster, by call and thread


def _grade_there(call: str, k: int, work: Work) -> Result:
    """On a worker of a cluster: grade, in a process that belongs to this call and this thread."""
    from dask import distributed

    distributed.get_worker().log_event(_TOPIC, (call, k))
    return _there.setdefault((call, threading.get_ident()), GradingProcess()).grade(work)


def _close_there(call: str) -> None:
    """On a worker of a cluster: end the processes of this call."""
    for key in [key for key in _there if key[0] == call]:
        process = _there.pop(key)
        process.stop()
        process.close()


def _zipped(target: Path) -> str:
    """The code of this package as one file that can be sent to other machines."""
    folder = Path(__file__).parent
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.glob("*.py")):
            archive.write(path, f"exercises/grader/{path.name}")
        archive.write(folder.parent / "__init__.py", "exercises/__init__.py")
    return str(target)

"""Run a learner's function in a process of its own and stop it: accidents, not attacks.

The worker is a fresh Python that imports nothing of the notebook or script that calls. It serves one case after the
other and is replaced after trouble. A function that takes too long, needs too much memory or prints without end is
killed with all that it started, and the worker ends when the kernel that asked ends.
This is no sandbox: the function can do what the user can do. The grader builds one around `Worker` and `Server`.
"""

import contextlib
import io
import json
import linecache
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import FrameType
from typing import Any, BinaryIO, Final, TextIO

import psutil

from plahelpers._outcome import MAX_LINE, Other, Outcome, decode, encode, plain

__all__ = ["Other", "Outcome", "Server", "Worker", "run_guarded"]

# One thread each is enough for small cases, starts sooner and needs less memory; one encoding everywhere.
ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
START_SECONDS: Final = 60.0  # for Python to start and the function's own imports, on a slow machine
_CLOCK: Final = 8.0  # so much longer may a call take by the clock: it may wait, and so may the machine
POLL_SECONDS: Final = 0.2  # between two looks at time, memory and output
_PICKLE_SECONDS: Final = 10.0
_PICKLE_BYTES: Final = 200 * 2**20
_MAX_SLOW: Final = 2  # after so many cases that were too slow, no more are tried
_CASE_SHARE: Final = 1 / 4  # of the whole time budget, for one case


def run_guarded(
    function: Callable[..., Any],
    cases: Iterable[tuple[Any, ...]],
    *,
    seconds: float = 10.0,
    megabytes: float = 512.0,
    output_kb: float = 64.0,
) -> list[Outcome]:
    """Call a function with each tuple of arguments in a worker process; what happened in each case, in order.

    A function that lives in another process already has a method `run_cases(cases, seconds=…)`, which is called.
    All cases together have so many seconds of processor time, without the start of Python; one may take a quarter of
    it, and after two that took longer the rest is not tried. By the clock it may take eight times as long. The memory
    is that of the process and all it starts, the output that of one case.
    """
    if hasattr(function, "run_cases"):
        return list(function.run_cases(list(cases), seconds=seconds))
    try:
        pickled = _pickled(function)
    except Exception as error:
        return [Outcome("unshippable", error=type(error).__name__, message=str(error)) for _ in cases]
    return list(_outcomes(pickled, cases, seconds, megabytes, output_kb))


def _pickled(function: Any) -> bytes:
    """The function as bytes; an exception if an object that it uses refuses, is huge, or never comes to an end."""
    import cloudpickle

    deadline, tracer, file = time.monotonic() + _PICKLE_SECONDS, sys.gettrace(), _BoundedFile()

    def stop_when_late(frame: FrameType, *_: Any) -> Any:
        frame.f_trace_opcodes = True  # a loop that stands in one line has no other events
        if time.monotonic() > deadline:
            raise TimeoutError(f"to copy what it uses took more than {_PICKLE_SECONDS:g} seconds")
        return stop_when_late

    sys.settrace(stop_when_late)  # Python calls it before each step, such as those of an object's __reduce__
    try:
        cloudpickle.CloudPickler(file).dump(function)
    finally:
        sys.settrace(tracer)
    return file.getvalue()


class _BoundedFile(io.BytesIO):
    def write(self, data: Any) -> int:
        if self.tell() + memoryview(data).nbytes > _PICKLE_BYTES:
            raise MemoryError(f"what it uses has more than {_PICKLE_BYTES // 2**20} MB")
        return super().write(data)


def _outcomes(
    pickled: bytes, cases: Iterable[tuple[Any, ...]], seconds: float, megabytes: float, output_kb: float
) -> Iterator[Outcome]:
    """What happens in each case; the worker is replaced after trouble, as long as there is time."""
    program = f"import sys; sys.path[:] = {sys.path!r}\n"
    program += "from plahelpers._guard import Server\nServer().serve()"
    limits = system_limits(megabytes, 2 * seconds + START_SECONDS)
    command = [sys.executable, "-u", "-c", program, json.dumps(limits)]
    worker: Worker | None = None
    left, slow = seconds, 0
    try:
        for arguments in cases:
            outcome = Outcome("returned" if left > 0 and slow < _MAX_SLOW else "not tried")
            if worker is None and outcome.kind == "returned":
                worker = Worker(command, os.environ | ENVIRONMENT, megabytes, output_kb)
                outcome, _ = worker.request(pickled, START_SECONDS)
                if outcome.kind == "raised":  # by an object that cannot be unpickled
                    outcome = Outcome("unshippable", error=outcome.error, message=outcome.message)
            if worker and outcome.kind == "returned":
                outcome, spent = worker.request(arguments, min(seconds * _CASE_SHARE, left))
                left -= spent
            slow += outcome.kind == "slow"
            if worker and not outcome.worker_survives:
                worker.close()
                worker = None
            yield replace(outcome, code=linecache.getline(outcome.file, outcome.line or 0).strip())
    finally:
        if worker:
            worker.close()


# --- The side that asks ----------------------------------------------------------------------------------------------


class Worker:
    """A process that answers requests, and is watched meanwhile. Close it in the end."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], megabytes: float, output_kb: float, cwd: str = "."
    ) -> None:
        self.max_memory, self.max_output = int(megabytes * 2**20), int(output_kb * 1024)
        self.output = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (a file never makes the process wait)
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.output, "bufsize": 0}
        # A group of its own, which can be killed as a whole, and which the stop button (Ctrl-C) does not reach.
        group: Any = {"start_new_session": True, "creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0)}
        self.process: Any = subprocess.Popen(command, env=environment, cwd=cwd, **pipes, **group)
        self.root = psutil.Process(self.process.pid)
        self.tree = [self.root]  # with all that it has started
        self.cpu_seconds, self.peak_memory = 0.0, 0  # of all of them
        self.looked = 0.0  # when these were measured

    def request(self, content: Any, seconds: float) -> tuple[Outcome, float]:
        """Send a request that may take so much processor time; its outcome, and the time it took."""
        self.output.seek(0)
        self.output.truncate()
        start, before = time.monotonic(), self.cpu_seconds
        answers = list[bytes]()
        # In a thread: neither who does not read nor who does not answer may make us wait for ever.
        exchange = threading.Thread(target=self._exchange, args=(pickle.dumps(content), answers), daemon=True)
        exchange.start()
        while True:
            exchange.join(POLL_SECONDS)
            self.look()
            spent = max(self.cpu_seconds - before, (time.monotonic() - start) / _CLOCK)
            if os.fstat(self.output.fileno()).st_size > self.max_output:
                outcome = Outcome("output")
            elif self.peak_memory > self.max_memory:
                outcome = Outcome("memory")
            elif answers:
                outcome = self._interpret(answers[0])
            elif spent > seconds:
                self.process.stdin.close()  # then it tells the line it is on, unless it is deep in something, and ends
                exchange.join(3.0)
                outcome = replace(self._interpret(answers[0]), kind="slow") if answers else Outcome("slow")
            else:
                continue
            self.output.seek(0)
            return replace(outcome, printed=self.output.read(self.max_output).decode(errors="replace")), spent

    def look(self) -> None:
        """See which processes there are and what they use; now and then only, because it takes milliseconds."""
        if time.monotonic() - self.looked < POLL_SECONDS:
            return
        with contextlib.suppress(psutil.Error):  # it has ended: those that were seen last may still be there
            self.tree = [self.root, *self.root.children(recursive=True)]
        usage = [usage_of(process) for process in self.tree]
        self.cpu_seconds = max(self.cpu_seconds, sum(seconds for seconds, _ in usage))
        self.peak_memory = max(self.peak_memory, sum(memory for _, memory in usage))
        self.looked = time.monotonic()

    def kill(self) -> None:
        """Kill the process and all that it started."""
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        for process in self.tree:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.process.wait()

    def close(self) -> None:
        """Kill it, and close its pipes."""
        self.kill()
        for file in (self.process.stdin, self.process.stdout, self.output):
            file.close()

    def _exchange(self, request: bytes, answers: list[bytes]) -> None:
        """Write a request and read the line that answers it; it is empty if the process has closed the pipe."""
        left, answer = memoryview(request), b""
        with contextlib.suppress(OSError, ValueError):  # it has ended, or we have closed the pipe
            while left:
                left = left[self.process.stdin.write(left) :]
            while not answer.endswith(b"\n") and len(answer) < MAX_LINE and (part := self.process.stdout.read(2**16)):
                answer += part
        answers.append(answer)

    def _interpret(self, answer: bytes) -> Outcome:
        try:
            return decode(answer) if answer else Outcome("died", message=self._ending())
        except Exception:  # the function wrote to our pipe: believe none of it
            return Outcome("died", message="it answered nonsense")

    def _ending(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"exit status {self.process.wait(timeout=1)}"
        return "it closed its connections"


def usage_of(process: psutil.Process) -> tuple[float, int]:
    """Processor time, with that of children that have ended; memory, in which shared pages count in parts."""
    with contextlib.suppress(psutil.Error):  # it has just ended
        seconds, memory = float(sum(process.cpu_times()[:4])), process.memory_info().rss
        with contextlib.suppress(AttributeError, psutil.AccessDenied):  # only Linux tells it, and not of everybody's
            memory = process.memory_full_info().pss
        return seconds, int(memory)
    return 0.0, 0


# --- The side that answers -------------------------------------------------------------------------------------------


def system_limits(megabytes: float, cpu_seconds: float) -> dict[str, int]:
    """Limits that the system keeps for each process, also when nobody watches any more."""
    reserved = 512  # MB that Python and its libraries may ask for without using them
    return {"DATA": int((megabytes + reserved) * 2**20), "CPU": int(cpu_seconds) + 1, "CORE": 0}


class Server:
    """Answers one request after the other, within the limits that the program's last argument tells."""

    own = ""  # the names of the learner's files or cells begin so
    function: Any = None

    def find(self, request: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """What is to be called, with which arguments: the first request is a pickled function, the others are these."""
        if self.function is not None:
            return self.function, request
        self.function = pickle.loads(request)
        code = getattr(getattr(self.function, "func", self.function), "__code__", None)
        self.own = code.co_filename if code else "?"
        return (lambda: None), ()

    def serve(self) -> None:
        """Take the pipes away from the function's reach, and answer."""
        if sys.platform != "win32":
            import resource

            for name, number in json.loads(sys.argv.pop()).items():
                with contextlib.suppress(ValueError, OSError):  # a stricter limit is in force already
                    resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (number, number))
        requests, answers, pid = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w"), os.getpid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # input() meets the end of the file at once
        os.dup2(2, 1)  # print writes to standard error, too
        inbox = queue.SimpleQueue[Any]()
        threading.Thread(target=self._receive, args=(requests, inbox, answers), daemon=True).start()
        while True:
            answer = self._answer(inbox.get())
            if os.getpid() != pid:
                os._exit(0)  # a fork that has returned from the function must not answer
            print(answer, file=answers, flush=True)

    def _receive(self, requests: BinaryIO, inbox: queue.SimpleQueue[Any], answers: TextIO) -> None:
        """Take in requests. When no more can come, tell where the function is, and end, whatever it does."""
        try:
            while True:
                inbox.put(pickle.load(requests))
        finally:
            stack = traceback.walk_stack(sys._current_frames()[threading.main_thread().ident or 0])
            with contextlib.suppress(OSError):  # there may be nobody who reads it
                print(encode("slow", **self._own_line([*stack][::-1])), file=answers, flush=True)
            if sys.platform != "win32":
                os.kill(0, signal.SIGKILL)  # the whole group
            os._exit(1)

    def _answer(self, request: Any) -> str:
        """The value of what was called and the arguments it changed, or how it ended instead."""
        try:
            function, arguments = self.find(request)
            before = [json.dumps(plain(argument)) for argument in arguments]
            value = plain(function(*arguments))
            changed = [k for k, argument in enumerate(arguments) if json.dumps(plain(argument)) != before[k]]
            return encode("returned", value, changed=changed)
        except BaseException as error:
            is_memory, is_exit = isinstance(error, MemoryError), isinstance(error, SystemExit)
            kind = "memory" if is_memory else "exited" if is_exit else "raised"
            return encode(kind, error=error, **self._own_line(traceback.walk_tb(error.__traceback__)))

    def _own_line(self, frames: Iterable[tuple[FrameType, int | None]]) -> dict[str, Any]:
        """The learner's own line: the innermost one in a file whose name begins so, else the innermost of all."""
        places = [(frame.f_code.co_filename, line or _line_before(frame)) for frame, line in frames]
        foreign = [place for place in places if place[0] != __file__]
        own = [place for place in foreign if place[0].startswith(self.own)] or foreign
        return {"file": own[-1][0], "line": own[-1][1]} if own else {}


def _line_before(frame: FrameType) -> int:
    """The last line in front of a step that belongs to no line, such as the jump back to where a loop begins."""
    code = frame.f_code
    return [code.co_firstlineno, *(line for start, _, line in code.co_lines() if line and start < frame.f_lasti)][-1]

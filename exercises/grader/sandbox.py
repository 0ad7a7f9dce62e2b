"""Build the sandbox: a process in which a student's code can do no harm, and the limits it runs under.

Everywhere: a process of its own with a cleared environment, in a folder of its own that is thrown away, with limits on
time, memory, output, processes and the size of files. On Linux with bubblewrap also: no network, no other processes in
sight, and of all files only Python's, a copy of plahelpers, and that folder, which lives in memory and is small.

With bubblewrap, Python is started once and not for each student: see `zygote`. Who grades as root has students' code
run as nobody: bubblewrap, as root, shows nobody the folders of Python, and another bubblewrap is started there.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import pkgutil
import platform
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from typing import IO, Final

import plahelpers
from plahelpers.guard import ENVIRONMENT, OutputBuffer, Subprocess, UntrustedProcess, Worker


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    cell_seconds: float = 120.0  # of the processor, for one statement of a cell; by the clock it may take longer
    total_seconds: float = 1800.0  # by the clock, for everything its code does
    megabytes: float = 1024.0  # of memory at one time
    file_megabytes: float = 64.0  # in one file; with bubblewrap, in all files together
    printed_megabytes: float = 100.0  # by one statement; most of it is thrown away as it comes
    bubblewrap: bool = True  # False: without it; True: with it, and where it does not work nothing is graded

    @property
    def sandbox(self) -> str:
        """How a submission is graded under these limits."""
        return "bubblewrap" if self.bubblewrap else "plain"


class SandboxError(Exception):
    """There is no sandbox: nothing can be graded here."""


KEPT_KILOBYTES: Final = 64  # of what one statement prints
_HOME: Final = "/home/student"
_TEMPLATE: Final = "/template"
_SHARED: Final = "/course"
_NOBODY: Final = 65534
_START_TIMEOUT: Final = 120.0  # seconds until Python is warm, on a slow machine
_END_TIMEOUT: Final = 20.0  # seconds for the system to end a student's processes
# plahelpers comes as a copy: its compiled loops need a folder they can write to, and nobody else's may be written to.
_UNPACK: Final = """
import os, shutil, sys
template, folder = sys.argv[1:3]
del sys.argv[1:3]
shutil.copytree(template, folder, dirs_exist_ok=True)
os.chdir(os.environ["HOME"])
sys.path[0] = os.path.join(folder, "packages")
"""


class StudentProcess(Worker):
    """A sandboxed process that knows a student's cells; see `student` for what can be asked of it."""

    def __init__(self, cells: dict[int, str], limits: Limits) -> None:
        output = OutputBuffer(keep=KEPT_KILOBYTES * 1024, limit=int(limits.printed_megabytes * 2**20))
        numbers = (limits.megabytes, 2 * limits.total_seconds, limits.file_megabytes)
        arguments = [output.marker.decode(), *map(str, numbers)]
        process: UntrustedProcess = _forked(limits, arguments) if limits.bubblewrap else _PlainProcess(arguments)
        super().__init__(
            process,
            pickle.dumps(cells),
            output=output,
            megabytes=limits.megabytes,
            read_line=lambda file, line: _line_of(cells, file, line),
        )
        # A pool's worker that is terminated runs its finalizers, and nothing else.
        self.finalizer = Finalize(None, self.close, exitpriority=2)

    def close(self) -> None:
        self.finalizer.cancel()
        super().close()


class _PlainProcess(Subprocess):
    """Python, started in a temporary folder."""

    def __init__(self, arguments: list[str]) -> None:
        self.scratch = tempfile.mkdtemp(prefix="grading-")
        program = f"{_UNPACK}exec({_program('student')!r})\nwords, sys.argv[1:] = sys.argv[1:], []\nmain(*words)"
        python = [sys.executable, "-s", "-u", "-c", program, str(template()), self.scratch]
        super().__init__([*python, *arguments], _environment(self.scratch, self.scratch), self.scratch)

    def kill(self) -> None:
        super().kill()
        shutil.rmtree(self.scratch, ignore_errors=True)


class _ForkedProcess:
    """A fork of a warm Python in bubblewrap."""

    def __init__(self, zygote: _Zygote, limits: Limits, arguments: list[str]) -> None:
        self.zygote, self.lock, self.given_back = zygote, threading.Lock(), False
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        ours_err, theirs_err = os.pipe()
        self.stdin: IO[bytes] = os.fdopen(ours_in, "wb")
        self.stdout: IO[bytes] = os.fdopen(ours_out, "rb")
        self.stderr: IO[bytes] = os.fdopen(ours_err, "rb")
        request = (_program("student"), arguments, limits.file_megabytes)
        pipes = [theirs_in, theirs_out, theirs_err]
        try:
            self.pid = zygote.start(pickle.dumps(request), pipes)
        except (OSError, SandboxError):
            zygote.close()
            for file in (self.stdin, self.stdout, self.stderr):
                file.close()
            raise
        finally:
            for pipe in pipes:
                os.close(pipe)

    def wait(self, timeout: float) -> int:
        with self.lock:
            return self.zygote.wait(timeout)

    def kill(self) -> None:
        """End the first process of its namespace: the system ends the others. Then the warm Python is free again."""
        with self.lock:
            if not self.given_back:
                self.given_back = True
                self.zygote.end_student()


class _Zygote:
    """A warm Python in bubblewrap (see `zygote`), which has one student's process at a time."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed in `close`)
        program = f"{_UNPACK}exec({_program('zygote')!r})\nmain({_HOME!r}, {_SHARED!r})"
        python = [sys.executable, "-s", "-u", "-c", program, _TEMPLATE, _SHARED]
        command = [*_bubblewrap(str(template())), *python]
        with theirs:
            self.process = subprocess.Popen(
                command,
                env=_environment(_HOME, _SHARED),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
                start_new_session=True,
            )
        self.finalizer = Finalize(None, self.close, exitpriority=1)
        self.status: int | None = 0  # of the last student's process; None: it is running
        self._receive_soon("ready")

    def start(self, request: bytes, pipes: list[int]) -> int:
        """Fork a student's process; the number of the first process of its namespace."""
        socket.send_fds(self.control, [request], pipes)
        pid = self._receive_soon("started")
        self.status, self.pidfd = None, os.pidfd_open(pid)
        return pid

    def wait(self, timeout: float) -> int:
        if self.status is None:
            message, _ = self._receive("ended", timeout)
            code = int(message.split()[1])
            self.status = code if code <= 128 else 128 - code
            os.close(self.pidfd)
        return self.status

    def end_student(self) -> None:
        """End the student's process. If that does not succeed, this one is of no use any more."""
        if self.status is None:
            with contextlib.suppress(OSError):  # it has ended already
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        try:
            self.wait(_END_TIMEOUT)
        except (TimeoutError, SandboxError):
            self.close()
        if self.is_alive():
            _idle.append(self)

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        self.finalizer.cancel()
        self.control.close()  # at which all that is inside ends
        self.process.kill()
        self.process.wait()
        self.errors.close()
        if self.status is None:
            self.status = -signal.SIGKILL
            os.close(self.pidfd)

    def _receive_soon(self, word: str) -> int:
        try:
            return self._receive(word, _START_TIMEOUT)[1]
        except TimeoutError:
            self.close()
            raise SandboxError("bubblewrap did not start in time") from None

    def _receive(self, word: str, timeout: float) -> tuple[str, int]:
        """The next message, which must begin with this word, and the process that sent it."""
        self.control.settimeout(timeout)
        try:
            message, ancillary, _, _ = self.control.recvmsg(4096, socket.CMSG_SPACE(12))
        except ConnectionError:
            message = b""
        if not message.startswith(word.encode()):
            self.errors.seek(0)
            reason = self.errors.read().decode(errors="replace").strip().splitlines()[-1:]
            self.close()
            raise SandboxError(f"bubblewrap cannot work here: {' '.join(reason)}")
        pid, _, _ = struct.unpack("3i", ancillary[0][2])
        return message.decode(), pid


_idle: Final[list[_Zygote]] = []  # those without a student; several threads may grade at once, each with its own


def _forked(limits: Limits, arguments: list[str]) -> _ForkedProcess:
    """A student's process, from a warm Python that is free, or from a new one."""
    while _idle:
        with contextlib.suppress(OSError, SandboxError, IndexError):  # it has ended, or another thread has taken it
            return _ForkedProcess(_idle.pop(), limits, arguments)
    return _ForkedProcess(_Zygote(), limits, arguments)


def _program(name: str) -> str:
    """The source of a program that runs inside: nothing else of `grader` is seen there."""
    return (pkgutil.get_data(__package__, f"{name}.py") or b"").decode()


def _line_of(cells: dict[int, str], file: str, line: int) -> str:
    """A line of the student's cells, and of nothing else: it is the student's process that names the file."""
    source = next((source for number, source in cells.items() if file == f"<cell {number}>"), "")
    return dict(enumerate(source.splitlines(), 1)).get(line, "")[:200]


def _environment(home: str, shared: str) -> dict[str, str]:
    """All that the process finds in its environment."""
    system = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Windows needs it to start
    own = {
        "HOME": home,
        "TMPDIR": home,
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": str(Path(shared, "matplotlib")),
        "IPYTHONDIR": str(Path(home, "ipython")),
    }
    return system | ENVIRONMENT | own


@cache
def template() -> Path:
    """What every student's folder begins with: a copy of plahelpers, compiled, and matplotlib's list of fonts."""
    folder = Path(tempfile.mkdtemp(prefix="grading-template-"))
    folder.chmod(0o755)  # nobody reads it, too
    Finalize(None, shutil.rmtree, (folder, True), exitpriority=1)  # at the end of a worker, too, unlike atexit
    shutil.copytree(_compiled(), folder / "packages" / "plahelpers")
    (folder / "matplotlib").mkdir()
    for fonts in _fonts():
        shutil.copy(fonts, folder / "matplotlib")
    return folder


def _compiled() -> Path:
    """The package's folder, after its loops were compiled: else each student's process would compile them."""
    package = Path(plahelpers.__file__).parent
    if not any(map(_is_fresh, package.glob("__pycache__/*.nbi"))):
        X, y = plahelpers.running_example()
        for order in ("cyclic", "random"):
            plahelpers.pla(X, y, order=order)
            plahelpers.pocket(X, y, order=order, max_updates=10, rng=1)
        plahelpers.repeat_pla(X, y, runs=2, rng=1)
        plahelpers.repeat_pocket(X, y, runs=2, max_updates=10, rng=1)
    return package


def _is_fresh(compiled: Path) -> bool:
    """Is this file of numba's cache, named after its source, newer than that?"""
    source = compiled.parent.parent / f"{compiled.name.partition('.')[0]}.py"
    return source.is_file() and compiled.stat().st_mtime > source.stat().st_mtime


def _fonts() -> list[Path]:
    """matplotlib's list of fonts, which it makes when there is none yet."""
    import matplotlib as mpl

    if not list(Path(mpl.get_cachedir()).glob("fontlist*.json")):
        import matplotlib.font_manager
    return list(Path(mpl.get_cachedir()).glob("fontlist*.json"))


def not_enforced(plain: bool = False) -> list[str]:
    """A sentence for each thing that nothing keeps students' code from on this machine."""
    if not plain:
        return [f"Students' code cannot be kept apart from this machine: {why_no_bubblewrap()}."] * bool(
            why_no_bubblewrap()
        )
    sentences = [
        "Students' code can read and change your files, those of other students and the hidden tests too.",
        "Students' code can use the network.",
        "Students' code can end your other programs.",
        "Memory is noticed when it has been used, and only as far as it belongs to a process.",
    ]
    return sentences + ["A file may have any size."] * (sys.platform == "win32")


@cache
def why_no_bubblewrap() -> str:
    """Nothing, if bubblewrap works here; else the reason why it does not."""
    if sys.platform != "linux":
        return "there is bubblewrap for Linux only"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed (on Debian or Ubuntu: sudo apt install bubblewrap)"
    if platform.machine() not in ("x86_64", "aarch64"):
        return f"the sandbox does not know processors of the kind {platform.machine()}"
    try:
        with contextlib.closing(StudentProcess({}, Limits())) as process:
            return "" if process.wait_until_ready() is None else "bubblewrap cannot work here"
    except (SandboxError, OSError) as error:
        return str(error)


def _bubblewrap(begin_with: str) -> list[str]:
    """The command that starts a program inside: the order of its options is the order in which things are mounted."""
    programs = _programs()
    binds = ["--ro-bind", begin_with, _TEMPLATE]
    # All rights that the program has are those to make further namespaces; it is ours, and gives them up in its forks.
    command = ["bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"]
    command += ["--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN", "--uid", "1000", "--gid", "1000"]
    command += ["--chdir", _HOME, "--hostname", "grading", "--proc", "/proc", "--dev", "/dev", *programs]
    command += ["--tmpfs", _SHARED, "--tmpfs", _HOME, "--remount-ro", "/proc", "--remount-ro", "/dev"]
    if _has_disable_userns():
        command.insert(3, "--disable-userns")
    if os.geteuid() != 0:
        return [*command, *binds, "--remount-ro", "/"]
    outer = ["bwrap", "--die-with-parent", "--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc", "--dir", "/tmp"]
    outer += [*programs, *binds]
    nobody = ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups"]
    return [*outer, *nobody, *command, "--ro-bind", _TEMPLATE, _TEMPLATE, "--remount-ro", "/"]


@cache
def _has_disable_userns() -> bool:
    """Has bubblewrap this option (since 0.8)? Without it the filter of system calls alone refuses namespaces."""
    return "--disable-userns" in subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False).stdout


def _programs() -> list[str]:
    """bubblewrap's options that show the folders that Python itself needs."""
    wanted = ("/usr", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime")
    options = []
    for folder in [*filter(os.path.exists, wanted), *dict.fromkeys((sys.base_prefix, sys.prefix))]:
        for parent in [*Path(folder).parents][-2::-1]:
            options += ["--perms", "0755", "--dir", str(parent)]  # nobody may pass through, also where only root may
        options += ["--ro-bind", folder, folder]
    for folder in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if Path(folder).is_symlink():
            options += ["--symlink", str(Path(folder).readlink()), folder]
        elif Path(folder).exists():
            options += ["--ro-bind", folder, folder]
    return options

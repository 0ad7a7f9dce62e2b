"""Build the sandbox: a process in which a student's code can do no harm, and the limits it runs under.

Everywhere: a process of its own with a cleared environment, in a folder of its own that is thrown away, with limits on
time, memory, output, processes and the size of files. On Linux with bubblewrap also: no network, no other processes in
sight, and of all files only Python's, a copy of plahelpers, and that folder, which lives in memory and is small.
"""

from __future__ import annotations

import os
import pickle
import pkgutil
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Final

import plahelpers
from plahelpers.guard import ENVIRONMENT, OutputBuffer, Subprocess, Worker


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    cell_seconds: float = 120.0  # of the processor, for one statement of a cell; by the clock it may take longer
    total_seconds: float = 1800.0  # by the clock, for everything its code does
    megabytes: float = 1024.0  # of memory at one time
    file_megabytes: float = 64.0  # in one file; with bubblewrap, in all files together
    printed_megabytes: float = 100.0  # by one statement; most of it is thrown away as it comes
    bubblewrap: bool = True  # use it where it works


KEPT_KILOBYTES: Final = 64  # of what one statement prints
_HOME: Final = "/home/student"
_TEMPLATE: Final = "/template"
# plahelpers comes as a copy: its compiled loops need a folder they can write to, and nobody else's may be written to.
_UNPACK: Final = """
import os, shutil, sys
shutil.copytree(sys.argv.pop(1), os.environ["HOME"], dirs_exist_ok=True)
os.chdir(os.environ["HOME"])
sys.path[0] = os.path.join(os.environ["HOME"], "packages")
"""


class StudentProcess(Worker):
    """A sandboxed process that knows a student's cells; see `student` for what can be asked of it."""

    def __init__(self, cells: dict[int, str], limits: Limits) -> None:
        self.scratch = Path(tempfile.mkdtemp(prefix="grading-"))
        output = OutputBuffer(keep=KEPT_KILOBYTES * 1024, limit=int(limits.printed_megabytes * 2**20))
        inside = limits.bubblewrap and not why_no_bubblewrap()
        home = _HOME if inside else str(self.scratch)
        program = f"{_UNPACK}exec({(pkgutil.get_data(__package__, 'student.py') or b'').decode()!r})"
        python = [sys.executable, "-s", "-u", "-c", program, _TEMPLATE if inside else str(template())]
        numbers = (limits.megabytes, 2 * limits.total_seconds, limits.file_megabytes)
        command = [*python, output.marker.decode(), *map(str, numbers)]
        command = [*_bubblewrap(limits, str(template())), *command] if inside else command
        super().__init__(
            Subprocess(command, _environment(home), str(self.scratch)),
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
        shutil.rmtree(self.scratch, ignore_errors=True)


def _line_of(cells: dict[int, str], file: str, line: int) -> str:
    """A line of the student's cells, and of nothing else: it is the student's process that names the file."""
    source = next((source for number, source in cells.items() if file == f"<cell {number}>"), "")
    return dict(enumerate(source.splitlines(), 1)).get(line, "")[:200]


def _environment(home: str) -> dict[str, str]:
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
        "MPLCONFIGDIR": str(Path(home, "matplotlib")),
        "IPYTHONDIR": str(Path(home, "ipython")),
    }
    return system | ENVIRONMENT | own


@cache
def template() -> Path:
    """What every student's folder begins with: a copy of plahelpers, compiled, and matplotlib's list of fonts."""
    folder = Path(tempfile.mkdtemp(prefix="grading-template-"))
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


@cache
def why_no_bubblewrap() -> str:
    """Nothing, if bubblewrap works here; else the reason why it does not."""
    if sys.platform != "linux":
        return "there is bubblewrap for Linux only"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed (on Debian or Ubuntu: sudo apt install bubblewrap)"
    trial = [*_bubblewrap(Limits(), "/usr"), sys.executable, "-c", ""]
    result = subprocess.run(trial, capture_output=True, text=True, check=False)
    return f"bubblewrap cannot work here: {result.stderr.strip()}" if result.returncode else ""


def not_enforced(plain: bool = False) -> list[str]:
    """What is not enforced on this machine, one sentence for each; nothing, if all is."""
    reason = "--plain was asked for" if plain else why_no_bubblewrap()
    return [f"Students' code can see this machine's files and network: {reason}."] if reason else []


def _bubblewrap(limits: Limits, begin_with: str) -> list[str]:
    """The command that starts a program inside: the order of its options is the order in which things are mounted."""
    size = str(int(limits.file_megabytes * 2**20))
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += ["--hostname", "grading", "--proc", "/proc", "--dev", "/dev", "--size", "1048576", "--tmpfs", "/dev/shm"]
    for folder in _programs():
        command += ["--ro-bind", folder, folder]
    for folder in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if Path(folder).is_symlink():
            command += ["--symlink", str(Path(folder).readlink()), folder]
        elif Path(folder).exists():
            command += ["--ro-bind", folder, folder]
    command += ["--ro-bind", begin_with, _TEMPLATE, "--size", size, "--tmpfs", _HOME, "--chdir", _HOME]
    return [*command, "--remount-ro", "/dev", "--remount-ro", "/"]


def _programs() -> list[str]:
    """The folders that Python itself needs."""
    wanted = ("/usr", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime")
    return [*filter(os.path.exists, wanted), *dict.fromkeys((sys.base_prefix, sys.prefix))]

"""Build the sandbox: a process in which a student's code can do no harm. SECURITY.md tells what it promises.

Who grades as root has students' code run as nobody: an outer bubblewrap, as root, shows nobody the folders of Python.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import plahelpers
from plahelpers import _guard

_HOME, _TEMPLATE, _COURSE, _NOBODY = "/home/student", "/template", "/course", 65534
_MAX_TASKS: Final = 40  # processes and threads at one time
_WARM_UP: Final = "import matplotlib.pyplot\nfrom plahelpers import _loops\n_loops.warm_up()"
# In the sandbox, plahelpers comes as a copy of one's own: its compiled loops need a folder that they can write to.
_COPY: Final = f"import shutil\nshutil.copytree({_TEMPLATE + _COURSE!r}, {_COURSE!r}, dirs_exist_ok=True)\n"


class NotStartedError(Exception):
    """There is no process for the student's code, which is our failure."""


@dataclass(frozen=True)
class Limits:
    cell_seconds: float = 120.0  # of the processor, for one cell; by the clock it may take longer
    call_seconds: float = 120.0  # for one call of a function by a test
    total_seconds: float = 1800.0  # for everything its code does
    megabytes: float = 1024.0  # of memory at one time, in all its processes
    file_megabytes: float = 64.0  # in one file; with bubblewrap, in all files together
    printed_kb: float = 20 * 1024.0  # by one cell
    plain: bool = False  # without bubblewrap
    least_seconds: float = 5.0  # for a cell or a call, however fast the model solution is


def make_template(shipped: dict[str, bytes]) -> Path:
    """A folder with what every student's process begins with: plahelpers, and what is handed out with the notebook."""
    folder = Path(tempfile.mkdtemp(prefix="grading-"))
    folder.chmod(0o755)  # nobody reads it, too
    course = shutil.copytree(Path(plahelpers.__file__).parent, folder / "course" / "plahelpers").parent
    # The compiled loops and the list of fonts are made once, here.
    environment = _environment(str(folder), str(course))
    subprocess.run([sys.executable, "-c", _WARM_UP], env=environment, cwd=folder, check=True, capture_output=True)
    (folder / "files").mkdir()
    for name, data in shipped.items():
        (folder / "files" / name).write_bytes(data)
    return folder


class StudentProcess(_guard.Worker):
    """A process that runs `student.py`, in the sandbox or, if that is what the limits say, without."""

    def __init__(self, template: Path, limits: Limits) -> None:
        system = _guard.system_limits(limits.megabytes, 2 * limits.total_seconds + _guard.START_SECONDS)
        system["FSIZE"] = int(limits.file_megabytes * 2**20)
        program = Path(__file__).with_name("student.py").read_text(encoding="utf-8")
        # In the template, with which it is removed also if nobody comes to close this.
        self.scratch = tempfile.mkdtemp(dir=template) if limits.plain else ""
        if limits.plain:
            command, environment = list[str](), _environment(self.scratch, str(template / "course"))
            shutil.copytree(template / "files", self.scratch, dirs_exist_ok=True)
        else:
            command, environment = _bubblewrap(template, limits), _environment(_HOME, _COURSE)
            system |= {"NPROC": _MAX_TASKS, "NOFILE": 128, "AS": 2**33}  # AS: most of it is reserved and never used
            program = _COPY + program
        command += [sys.executable, "-s", "-u", "-c", program, json.dumps(system)]
        super().__init__(command, environment, limits.megabytes, limits.printed_kb, self.scratch or "/")
        self.closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()
        outcome, _ = self.request(("look", ""), _guard.START_SECONDS)
        if outcome.kind != "returned":
            self.close()
            reason = " ".join([outcome.kind, outcome.message, outcome.printed.strip()[-500:]])
            raise NotStartedError(f"the sandbox did not start ({reason})")

    def close(self) -> None:
        self.closed.set()
        super().close()
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def _watch(self) -> None:
        """What a student's code has left running may eat memory also while nobody waits for an answer."""
        while not self.closed.wait(_guard.POLL_SECONDS):
            self.look()
            if self.peak_memory > self.max_memory:
                self.kill()
                return


def _environment(home: str, course: str) -> dict[str, str]:
    system = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Windows needs it to start
    return {
        **system,
        **_guard.ENVIRONMENT,
        "HOME": home,
        "TMPDIR": home,
        "PATH": os.defpath,
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": course,
        "NUMBA_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": f"{course}/matplotlib",
    }


def _bubblewrap(template: Path, limits: Limits) -> list[str]:
    """The command that starts a program inside; the order of the options is the order in which things are mounted."""
    python, as_root = _python_folders(), os.geteuid() == 0
    seen = _TEMPLATE if as_root else str(template)
    size = str(int(limits.file_megabytes * 2**20))
    command = ["bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]
    command += ["--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "grading", "--chdir", _HOME]
    command += ["--proc", "/proc", "--dev", "/dev", *python, "--ro-bind", seen, _TEMPLATE, "--size", size]
    command += ["--tmpfs", _COURSE, "--size", size, "--tmpfs", _HOME, "--size", str(2**20), "--tmpfs", "/dev/shm"]
    for file in sorted(template.glob("files/*")):
        command += ["--ro-bind", f"{seen}/files/{file.name}", f"{_HOME}/{file.name}"]
    for folder in ("/proc", "/dev", "/"):
        command += ["--remount-ro", folder]
    if as_root:  # nobody may pass through no folder of root's, such as the one in which Python stands
        outer = ["bwrap", "--die-with-parent", "--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc", *python]
        outer += ["--dir", "/tmp", "--ro-bind", str(template), _TEMPLATE]
        command = [*outer, "setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", *command]
    return command


def _python_folders() -> list[str]:
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


def why_no_bubblewrap() -> str:
    """Nothing, if bubblewrap works here; else the reason why it does not."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed (it is for Linux only; on Debian or Ubuntu: sudo apt install bubblewrap)"
    with tempfile.TemporaryDirectory() as empty:
        command = [*_bubblewrap(Path(empty), Limits()), sys.executable, "-c", ""]
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    return f"it does not start ({result.stderr.strip()[-500:]})" if result.returncode else ""

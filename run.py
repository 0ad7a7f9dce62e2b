#!/usr/bin/env python3
"""Set up once, then work: `python3 run.py` opens JupyterLab on the notebooks; `run.py help` lists the rest."""

# Standard library only, and no syntax newer than Python 3.7: an old Python shall get as far as a sentence.
from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(f"This needs Python 3.11 or newer, not {sys.version.split()[0]} ({sys.executable}): try python3.12 run.py")

ROOT = Path(__file__).resolve().parent
VENV, UNFINISHED = ROOT / ".venv", ROOT / ".venv-unfinished"  # is there until an installation has come to its end
BIN, EXE = (VENV / "Scripts", ".exe") if os.name == "nt" else (VENV / "bin", "")
PYTHON, UV = str(BIN / f"python{EXE}"), str(BIN / f"uv{EXE}")
PIP = [PYTHON, "-m", "pip", "install", "-qq", "--no-user", "--no-build-isolation", "-c", "requirements.txt"]
WITH_UV = [UV, "pip", "install", "-q", "--python", PYTHON, "-c", "requirements.txt", "-r", "-"]
COMMANDS = {  # the extras of pyproject.toml that each needs, the module that it runs, its line of help
    "lab": ("fast,lab", "book.lab", "open JupyterLab, as does no word at all; or a notebook: lab 03, lab hw1"),
    "test": ("fast,lab,book,homework,browser,test,style", "tests", "check style, types, all tests; or --quick"),
    "book": ("fast,book", "book.make", "build the static site into book/out/html; --open shows it, --pdf prints it"),
    "slides": ("fast,book", "book.slides", "make the slides of each chapter and of the lecture, or some: slides 02"),
    "release": ("fast,homework", "exercises.release", "make the students' copies of the homework, and a zip of each"),
    "grade": ("fast,homework", "exercises.grader", "grade a folder of submissions: grade hw1_pla downloads/"),
    "bench": ("fast,homework", "benchmarks.bench", "compare the speed of the package with others, as ratios"),
    "refresh": ("fast,lab", "book.refresh", "run the notebooks again and store their outputs; or some: refresh 02 04"),
}
HELP = "\n".join(["Usage:", *(f"  python3 run.py {name:<9}{COMMANDS[name][2]}" for name in COMMANDS)])
FILES = (ROOT / "pyproject.toml").read_text("utf-8") + (ROOT / "requirements.txt").read_text("utf-8")
VERSION = "plahelpers {}, JupyterLab {}".format(*re.findall(r'^(?:version = "|jupyterlab==)([\w.]+)', FILES, re.M))


def main(name: str = "lab", *arguments: str) -> int:
    """Do what the command line asks, and return the exit code."""
    if name in ("help", "-h", "--help", "--version"):
        print(VERSION if name == "--version" else HELP)
        return 0
    if name.startswith("-") or name.endswith(".ipynb"):  # an option of JupyterLab, or a notebook to open
        name, arguments = "lab", (name, *arguments)
    if name not in COMMANDS:
        print(f"run.py does not know the word {name!r}. {HELP}", file=sys.stderr)
        return 2
    extras, module, _ = COMMANDS[name]
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", os.defpath)])  # as if `.venv` were activated
    os.environ.update(PATH=path, VIRTUAL_ENV=str(VENV), PYTHONPATH="", PYTHONHOME="", PYTHONUTF8="1")
    if not is_ready(f".[{extras}]"):
        set_up(f".[{extras}]")
    command = [PYTHON, "-P", "-m", module, *arguments]  # -P: nothing is imported from the present folder
    if os.name == "posix":  # it takes our place, so that Ctrl-C and signals are a matter between it and the user
        os.execv(PYTHON, command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.call(command)


def call(*command: str, stdin: str = "", stderr: int | None = None) -> int:
    """Run a program in our folder to its end, and return the exit code."""
    return subprocess.run(command, cwd=ROOT, check=False, text=True, input=stdin, stderr=stderr).returncode


def is_ready(folder: str) -> bool:
    """Whether all is installed in its pinned version, as uv knows without a network, or pip where there is no uv."""
    check = [*WITH_UV, "--check", "--offline"] if Path(UV).exists() else [*PIP, "--dry-run", "--no-index", "-e", folder]
    sound = Path(PYTHON).exists() and not UNFINISHED.exists()
    return sound and not call(*check, stdin=f"-e {folder}", stderr=subprocess.DEVNULL)


def set_up(folder: str) -> None:
    """Install what is missing, in a new `.venv` if there is none that works, or if its set-up was cut short."""
    print("Setting up .venv: the first time, this takes about a minute and needs the network ...", flush=True)
    with Path(__file__).open() as lock:
        if os.name == "posix":  # one terminal after the other; the system frees the lock when its holder has ended
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        if is_ready(folder):
            return
        new = UNFINISHED.exists() or not Path(PYTHON).exists() or call(PYTHON, "-c", "import pip")
        UNFINISHED.touch()
        failed = (new and call(sys.executable, "-m", "venv", "--clear", str(VENV))) or install(folder)
        UNFINISHED.unlink()
    if failed:
        sys.exit("The reason is above, mostly the network or a full disk. When that is mended, call run.py again.")
    print("Compiling the inner loops ...", flush=True)  # so that nobody waits for the compiler in a lecture
    call(PYTHON, "-c", "from plahelpers import _loops; _loops.warm_up()")


def install(folder: str) -> int:
    """Install this folder and all it needs, with uv or else with pip, and return the exit code."""
    if not call(*PIP, "--only-binary=uv", "uv", "flit_core"):
        # uv reads no settings of pip. It is told where pip looks for packages; if it needs more, pip takes over below.
        config = subprocess.run([PYTHON, "-m", "pip", "config", "list"], check=False, capture_output=True, text=True)
        options = r"^(global|install|:env:)\.(index-url|extra-index-url|find-links|no-index)='(.*)'"
        found = sorted(re.findall(options, config.stdout, re.M), key=lambda each: each[0] == ":env:")  # variables win
        places = {name: value.replace(r"\n", " ").split() for _, name, value in found}
        lines = "\n".join([*(f"--{name} {place}" for name in places for place in places[name]), f"-e {folder}"])
        if not call(*WITH_UV, "--offline", stdin=lines, stderr=subprocess.DEVNULL) or not call(*WITH_UV, stdin=lines):
            return 0
    print("uv cannot do it, so pip does, which takes longer ...", flush=True)
    return call(*PIP, "flit_core") or call(*PIP, "-e", folder)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""Set up once, then work: `python3 run.py` opens JupyterLab on the notebooks; `run.py help` lists the rest.

Nothing is needed but Python. The first call makes `.venv` beside this file and installs there the packages
pinned in requirements.txt; later calls find all in place and start at once. To begin again, delete `.venv`.
"""

# Standard library only, and no syntax newer than Python 3.7: an old Python shall get as far as a sentence.
from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, NamedTuple

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "run.json"  # says what is installed; is empty, {}, while that is being changed
LOCK = ROOT / ".venv.lock"  # not inside `.venv`, which may be cleared while the lock is held
PINS = ROOT / "requirements.txt"
PROJECT = ROOT / "pyproject.toml"
LOOPS = ROOT / "plahelpers" / "_loops.py"
UNPACKING = "Installing collected packages: "  # what pip says when it begins to change things


# ---- The words, and what the environment's Python is to run for each


def lab(arguments: list[str]) -> list[list[str]]:
    """Open JupyterLab on notebooks/, with everything switched off that would ask the network."""
    options = [
        f"--ServerApp.root_dir={ROOT / 'notebooks'}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # as in a container; Jupyter wants to be told
    return [["-m", "jupyterlab", *options, *arguments]]


def test(arguments: list[str]) -> list[list[str]]:
    """Check everything; or, given arguments, only let pytest run what they select."""
    if arguments:
        return [["-m", "pytest", "--no-cov", *arguments]]  # a part cannot cover the whole
    # What a file has set up, its tests share; in the order of their names, or a slow file of few tests would come last.
    on_all_cores = ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]
    return [
        ["-m", "ruff", "check", "."],
        ["-m", "ruff", "format", "--check", "."],
        ["-m", "mypy"],
        ["-m", "pytest", *on_all_cores, "--cov=plahelpers", "--cov-report=term-missing"],
        ["-m", "pytest", *on_all_cores, "--no-cov", "--nbval", "--nbval-current-env", "notebooks"],  # outputs compared
    ]


def bench(arguments: list[str]) -> list[list[str]]:
    """Measure this package against its peers."""
    return [["benchmarks/bench.py", *arguments]]


def gallery(arguments: list[str]) -> list[list[str]]:
    """Draw every picture."""
    return [["gallery/make.py", *arguments]]


def photos(arguments: list[str]) -> list[list[str]]:
    """Take the README's pictures from the real thing."""
    return [["gallery/photos.py", *arguments]]


def refresh(arguments: list[str]) -> list[list[str]]:
    """Run the notebooks again."""
    return [["book/refresh.py", *arguments]]


def book(arguments: list[str]) -> list[list[str]]:
    """Build the static site."""
    return [[str(ROOT / "book" / "make.py"), *arguments]]


def slides(arguments: list[str]) -> list[list[str]]:
    """Make the decks."""
    return [["book/slides.py", *arguments]]


def release(arguments: list[str]) -> list[list[str]]:
    """Make the students' copies of the homework."""
    return [["exercises/release.py", *arguments]]


def grade(arguments: list[str]) -> list[list[str]]:
    """Grade a folder of submissions."""
    return [[str(ROOT / "exercises" / "grader"), *arguments]]


EVERYTHING = {"book", "homework", "lab", "refresh", "test"}  # all that is tested; the benchmark's peers are not


class Word(NamedTuple):
    extras: set[str]  # the optional dependencies of pyproject.toml that it needs
    commands: Callable[[list[str]], list[list[str]]]
    meaning: str
    at_home: bool = True  # runs in this folder; where the arguments name files of yours, in the one you are in


WORDS = {
    "": Word({"lab"}, lab, "open JupyterLab on notebooks/; --no-browser, --port 9999, ... are passed on"),
    "test": Word(EVERYTHING, test, "check style, types and every test; or some of them: test -k margin"),
    "book": Word({"book"}, book, "build the static site into book/out/html; --open shows it", at_home=False),
    "slides": Word({"book"}, slides, "make a deck of slides per chapter in book/out/slides; or some: slides 02"),
    "release": Word({"homework"}, release, "make the students' copies of the homework from exercises/source"),
    "grade": Word({"homework"}, grade, "grade a folder of submissions: grade hw1_pla downloads/", at_home=False),
    "bench": Word({"bench", "homework"}, bench, "show how fast all is, as ratios to its peers"),
    "gallery": Word(set(), gallery, "draw every picture into gallery/out, with a page that shows them"),
    "photos": Word({"book", "lab", "test"}, photos, "take the README's pictures anew, in JupyterLab and the book"),
    "refresh": Word({"refresh"}, refresh, "run the notebooks again and store their outputs; or some: refresh 02 04"),
}


def main(arguments: list[str]) -> int:
    """Do what the command line asks, and return the exit code."""
    word, rest = understand(arguments)
    if word == "help":
        say(help_text())
        return 0
    if word not in WORDS:
        say(f"run.py does not know the word {word!r}. {help_text()}", sys.stderr)
        return 2
    set_up(WORDS[word].extras)
    python = read_stamp()["python"]
    if python != "{}.{}".format(*sys.version_info):
        say(f"Using Python {python}, with which .venv was made; to use another, delete .venv first.")
    if WORDS[word].at_home:
        os.chdir(ROOT)
    return start(WORDS[word].commands(rest))


def understand(arguments: list[str]) -> tuple[str, list[str]]:
    """Split a command line into its word ('' if there is none) and the arguments to pass on."""
    if arguments[:1] in (["-h"], ["--help"]):
        return "help", []
    if not arguments or arguments[0].startswith("-"):
        return "", arguments
    return arguments[0], arguments[1:]


def help_text() -> str:
    meanings = {**{word: WORDS[word].meaning for word in WORDS}, "help": "show these lines"}
    lines = (f"  python3 run.py {word:<9}{meaning}" for word, meaning in meanings.items())
    return "\n".join(["It is used so:", *lines])


def too_old(version: tuple[int, ...], executable: str) -> str:
    """The sentence for a Python that cannot run this; nothing for one that can."""
    if version >= (3, 11):
        return ""
    this = ".".join(map(str, version[:3]))
    return f"run.py needs Python 3.11 or newer; this is {this} ({executable}). Try: python3.12 run.py"


# ---- Running things in the environment


def interpreter(venv: Path = VENV, platform: str = sys.platform) -> Path:
    return venv / "Scripts" / "python.exe" if platform == "win32" else venv / "bin" / "python"


def environment() -> dict[str, str]:
    """The variables our children get: as if `.venv` were activated, and nothing that leads out of it."""
    # PYTHONPATH and PYTHONHOME would bring in other packages, even another standard library.
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    kept["PYTHONUTF8"] = "1"  # or Windows could not print ρ into a file
    kept["VIRTUAL_ENV"] = str(VENV)  # IPython also imports from whichever environment is named here
    kept["PATH"] = os.pathsep.join([str(interpreter().parent), kept.get("PATH", os.defpath)])
    return kept


def start(commands: list[list[str]]) -> int:
    """Run every command, even after one has failed; the first failure is the exit code."""
    python = str(interpreter())
    if len(commands) == 1 and os.name == "posix":
        # A lone program takes our place, so that Ctrl-C and signals are a matter between it and you.
        os.execve(python, [python, *commands[0]], environment())
    failures = {}
    for number, command in enumerate(commands, 1):
        name = " ".join(command[1:] if command[0] == "-m" else command)
        if len(commands) > 1:
            say(f"\n[{number}/{len(commands)}] {name}")
        code = wait_for(subprocess.Popen([python, *command], env=environment()))
        if code:
            failures[name] = code
    if failures and len(commands) > 1:
        say(f"Failed: {'; '.join(failures)}", sys.stderr)
    return next(iter(failures.values()), 0)


def wait_for(process: subprocess.Popen[bytes]) -> int:
    """Wait for a program that hears Ctrl-C as we do, and may want to ask back or to tidy up."""
    interrupted = False
    while True:
        try:
            code = process.wait()
            break
        except KeyboardInterrupt:
            interrupted = True
    if interrupted and code:
        raise KeyboardInterrupt
    return code if code >= 0 else 128 - code  # ended by a signal: said as a shell says it


def say(text: str, file: IO[str] | None = None) -> None:
    print(text, file=file, flush=True)  # flushed, or it would come after what our children print


# ---- Setting up


def set_up(extras: set[str]) -> None:
    """Make `.venv` ready for these extras, doing only what is still to be done."""
    if plan(read_stamp(), look(), extras) == "nothing":
        return
    with LOCK.open("a") as lock:
        wait_for_turn(lock)
        stamp, now = read_stamp(), look()  # again: another terminal may have done the work while we waited
        todo = plan(stamp, now, extras)
        if todo in ("build", "install"):
            extras = extras.union(stamp.get("extras", []))  # nothing once installed is forgotten
            if todo == "build":
                build(lock)
                stamp = {}
            install(extras, lock, stamp)
            stamp = {**now, "python": version_of(interpreter()), "extras": sorted(extras), "loops": None}
            write_stamp(stamp)
        if todo != "nothing":
            warm_up(lock)
            write_stamp({**stamp, "loops": now["loops"]})


def plan(stamp: dict[str, Any], now: dict[str, Any], extras: set[str]) -> str:
    """What is to be done, given what was installed and what is found now."""
    changed = {key for key in now if stamp.get(key) != now[key]}
    if not stamp or changed & {"venv", "python"}:
        return "build"  # never finished, or moved here, or its Python is gone or another one
    if "pins" in changed or not extras.issubset(stamp["extras"]):
        return "install"
    return "warm up" if "loops" in changed else "nothing"


def look() -> dict[str, Any]:
    """What there is now, in the words of the stamp."""
    return {
        "venv": str(VENV),
        "python": version_of(interpreter()),
        "pins": hashlib.sha256(PINS.read_bytes() + PROJECT.read_bytes()).hexdigest(),
        "loops": LOOPS.stat().st_mtime_ns if LOOPS.exists() else None,  # by which numba, too, goes
    }


def version_of(python: Path) -> str:
    """Ask an interpreter for its version, such as 3.12; nothing if it is not there or cannot start."""
    question = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([python, "-ISc", question], check=False, capture_output=True, text=True)
    except OSError:
        return ""
    return answer.stdout.strip()


def read_stamp() -> dict[str, Any]:
    """What the last set-up wrote; nothing if there was none, or if it was cut short."""
    try:
        return dict(json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def write_stamp(stamp: dict[str, Any]) -> None:
    new = STAMP.with_suffix(".new")
    new.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    new.replace(STAMP)  # the old one or the new one, never a part


def wait_for_turn(lock: IO[str]) -> None:
    """Take the lock. The system frees it when all who hold it have ended, in whatever way."""
    if not take(lock):
        say("Another run.py is setting up; waiting for it to finish ...")
        while not take(lock):
            time.sleep(0.2)


def take(lock: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass  # some network drives cannot lock: better to go on than to refuse
    return True


def build(lock: IO[str]) -> None:
    """Make a new `.venv` with nothing in it yet."""
    absent = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if absent:
        package = "python{}.{}-venv".format(*sys.version_info)
        raise SystemExit(
            f"This Python comes without its module {' and '.join(absent)}. On Debian or Ubuntu, add it with "
            f"`sudo apt install {package}`; elsewhere, take Python from python.org. Then call run.py again."
        )
    say("Setting up, once: this takes about two minutes and needs the network ...")
    clear()
    # We may ourselves run inside an environment, even this very one: ask the Python behind it.
    python = getattr(sys, "_base_executable", None) or sys.executable
    if subprocess.run([python, "-m", "venv", VENV], check=False, env=environment(), stdin=lock).returncode:
        raise SystemExit(
            f"{python} could not make {VENV}; its own words are above. When that is mended, call run.py again."
        )


def clear() -> None:
    """Leave nothing in `.venv` but an empty stamp; an environment that we did not make is moved aside."""
    if os.path.lexists(VENV) and not STAMP.exists():
        names = (ROOT / f".venv-old-{number}" for number in itertools.count(1))
        aside = next(name for name in names if not os.path.lexists(name))
        VENV.rename(aside)
        say(f"The .venv that was here is not from run.py; it is kept as {aside.name}.")
    VENV.mkdir(exist_ok=True)
    write_stamp({})
    for path in VENV.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path != STAMP:
            path.unlink()


def install(extras: set[str], lock: IO[str], before: dict[str, Any]) -> None:
    """Install plahelpers from this folder with these extras, everything at its pinned version."""
    import tomllib  # only here: an old Python does not have it

    say(f"Installing the packages for: {', '.join(sorted(extras)) or 'plahelpers itself'} ...")
    write_stamp({})
    # In isolation pip would take any version of the build tool; so that comes first, pinned like the rest.
    pip(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["build-system"]["requires"], lock, before)
    pip(["--no-build-isolation", "-e", this_folder_with(extras)], lock, before)
    keep_jupyterlab_quiet()


def keep_jupyterlab_quiet() -> None:
    """Let JupyterLab not ask, on the projector, whether one would like to get its news; who would can still say so."""
    defaults = VENV / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    defaults.parent.mkdir(parents=True, exist_ok=True)
    quiet = {"@jupyterlab/apputils-extension:notification": {"checkForUpdates": False, "fetchNews": "false"}}
    defaults.write_text(json.dumps(quiet), encoding="utf-8")


def this_folder_with(extras: set[str]) -> str:
    return f".[{','.join(sorted(extras))}]" if extras else "."  # pip does not understand `.[]`


def pip(arguments: list[str], lock: IO[str], before: dict[str, Any]) -> None:
    """Let pip install something, and show a little of what it says; all of it, if it fails."""
    options = ["--disable-pip-version-check", "--no-input", "--progress-bar=off", "-c", PINS.name]
    process = subprocess.Popen(
        [str(interpreter()), "-m", "pip", "install", *options, *arguments],
        cwd=ROOT,
        env={**environment(), "PIP_USER": "0"},  # some systems ask for --user, which an environment refuses
        stdin=lock,  # holds the lock, should we be killed and pip live on; and there is nothing to read in it
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    said = []
    try:
        for line in process.stdout or []:
            said.append(line)
            if progress(line):
                say("  " + progress(line))
    except KeyboardInterrupt:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)  # pip heard Ctrl-C too, and is removing its temporary files
        process.kill()
        raise
    if process.wait():
        if not any(line.startswith(UNPACKING) for line in said):
            write_stamp(before)  # without a network, say, it gave up before it changed anything
        say("".join(said))
        raise SystemExit(
            "pip could not install the packages; its own words are above. Mostly it is the network or a full disk. "
            "When that is mended, call run.py again."
        )


def progress(line: str) -> str:
    """What to show of a line of pip's: each package it fetches, and a warning of the silence at the end."""
    wheel = re.match(r"\s*(?:Downloading|Using cached) (?:.*/)?([^-/]+)-([^-]+)-\S+\.whl( \(.*\))?$", line)
    if wheel:
        return "fetching {} {}{}".format(wheel[1], wheel[2], wheel[3] or "")
    if line.startswith(UNPACKING) and "," in line:
        return f"unpacking {line.count(',') + 1} packages, the longest step ..."
    return ""


def warm_up(lock: IO[str]) -> None:
    """Compile the inner loops now, so that nobody waits for the compiler in a lecture."""
    if LOOPS.exists():
        say("Compiling the inner loops ...")
        command = [str(interpreter()), "-c", "import plahelpers._loops as loops; loops.warm_up()"]
        if subprocess.run(command, check=False, cwd=ROOT, env=environment(), stdin=lock).returncode:
            say("That failed, for the reason above. All works without it, but the first run will have to wait.")


if __name__ == "__main__":
    if too_old(sys.version_info[:3], sys.executable):
        sys.exit(too_old(sys.version_info[:3], sys.executable))
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("\nStopped.", sys.stderr)
        sys.exit(130)
    except OSError as error:
        sys.exit(f"{error}\nWhen that is mended (does a program still use {VENV}?), call run.py again.")

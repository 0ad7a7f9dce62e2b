#!/usr/bin/env python3
"""Set up once, then work: `python3 run.py` opens JupyterLab on the notebooks; `run.py help` lists the rest.

The first call makes `.venv` beside this file and installs there, with uv, the packages pinned in requirements.txt.
Later calls find all in place. To begin again, delete `.venv`. The words stand in pyproject.toml, under [tool.run].
"""

# Standard library only, and no syntax newer than Python 3.7: an old Python shall get as far as a sentence.
from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(f"This needs Python 3.11 or newer, not {sys.version.split()[0]} ({sys.executable}): try python3.12 run.py")
import tomllib

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = str(VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
STAMP = VENV / "run.json"  # says what is installed; is empty, {}, while that is being changed
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORDS, UV_NAMES = PROJECT["tool"]["run"]["words"], PROJECT["tool"]["run"]["uv-names"]
HELP = "\n".join(["Usage:", *(f"  python3 run.py {word:<9}{WORDS[word]['help']}" for word in WORDS)])
say = functools.partial(print, flush=True)  # flushed, or it would come after what our children print


def main(arguments: list[str]) -> int:
    """Do what the command line asks, and return the exit code."""
    word, *rest = arguments if arguments and not is_for_lab(arguments[0]) else ["lab", *arguments]
    if word == "help" or arguments[:1] in (["-h"], ["--help"]):
        say(HELP)
        return 0
    if word not in WORDS:
        say(f"run.py does not know the word {word!r}. {HELP}", file=sys.stderr)
        return 2
    if read_stamp() != state(WORDS[word]["extras"]):
        set_up(WORDS[word]["extras"])
    if read_stamp()["python"] != "Python {}.{}".format(*sys.version_info):
        say(f"Using {read_stamp()['python']}, with which .venv was made; to use another, delete .venv first.")
    if not WORDS[word].get("takes-files"):  # which are named as seen from the present folder
        os.chdir(ROOT)
    program = [*(part.format(ROOT=ROOT) for part in WORDS[word]["run"]), *rest]
    if os.name == "posix":  # it takes our place, so that Ctrl-C and signals are a matter between it and the user
        os.execve(PYTHON, [PYTHON, *program], environment())
    return call(program)


def is_for_lab(argument: str) -> bool:
    """Whether this is no word, but an option of JupyterLab or a notebook to open."""
    return argument.startswith("-") or argument.endswith(".ipynb")


def environment() -> dict[str, str]:
    """The variables our children get: as if `.venv` were activated, and nothing that leads out of it."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    path = os.pathsep.join([str(Path(PYTHON).parent), variables.get("PATH", os.defpath)])
    # In UTF-8, or Windows could not print ρ into a file; IPython imports from the environment that VIRTUAL_ENV names.
    return {**variables, "PATH": path, "PYTHONUTF8": "1", "VIRTUAL_ENV": str(VENV)}


def call(arguments: list[str], **options: Any) -> int:
    """Let the environment's Python run a program to its end, and return the exit code."""
    process = subprocess.Popen([PYTHON, *arguments], **{"env": environment(), **options})
    try:
        process.wait()
    except KeyboardInterrupt:
        if process.wait():  # it heard Ctrl-C as we did, and may have asked back or tidied up
            raise
    return process.returncode


def set_up(extras: list[str]) -> None:
    """Make `.venv` ready for these extras, doing only what is still to be done."""
    with (ROOT / ".venv.lock").open("a") as lock:  # not inside `.venv`, which may be cleared meanwhile
        wait_for_turn(lock)
        stamp, now = read_stamp(), state(extras)  # again: another terminal may have done the work while we waited
        if any(stamp.get(key) != now[key] for key in ("venv", "python")):
            build(lock)  # it was never finished, or moved here, or its Python is gone or another one
            stamp, now = {}, state(now["extras"])
        if any(stamp.get(key) != now[key] for key in ("pins", "extras")):
            install(now["extras"], stamp, lock)
            stamp = {**now, "loops": None}
            STAMP.write_text(json.dumps(stamp))
        if stamp != now:
            say("Compiling the inner loops ...")  # so that nobody waits for the compiler in a lecture
            if call(["-c", "import plahelpers._loops as loops; loops.warm_up()"], cwd=ROOT, stdin=lock):
                say("That failed, for the reason above. All works without it, but the first run will have to wait.")
            STAMP.write_text(json.dumps(now))


def state(extras: list[str]) -> dict[str, Any]:
    """What the stamp says once everything is done."""
    try:
        version = subprocess.run([PYTHON, "-V"], check=False, capture_output=True, text=True).stdout.rpartition(".")[0]
    except OSError:
        version = ""  # there is no such Python, or it cannot start
    pins = (ROOT / "requirements.txt").read_bytes() + (ROOT / "pyproject.toml").read_bytes()
    return {
        "venv": str(VENV),
        "python": version,
        "pins": hashlib.sha256(pins).hexdigest(),
        "extras": sorted({*extras, *read_stamp().get("extras", [])}),  # nothing once installed is forgotten
        "loops": (ROOT / "plahelpers" / "_loops.py").stat().st_mtime_ns,  # numba, too, compares this
    }


def read_stamp() -> dict[str, Any]:
    """What the last set-up wrote; nothing if there was none, or if it was cut short."""
    try:
        return dict(json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def wait_for_turn(lock: IO[str]) -> None:
    """Take the lock. The system frees it when all who hold it (we, and an installer of ours) have ended in some way."""
    system = importlib.import_module("msvcrt" if sys.platform == "win32" else "fcntl")
    message = "Another run.py is setting up; waiting for it to finish ...\n"
    while True:
        try:
            if sys.platform == "win32":
                system.locking(lock.fileno(), system.LK_NBLCK, 1)
            else:
                system.flock(lock, system.LOCK_EX | system.LOCK_NB)
            return
        except (BlockingIOError, PermissionError):
            say(message, end="")
            message = ""
            time.sleep(0.2)
        except OSError:
            return  # some network drives cannot lock: better to go on than to refuse


def build(lock: IO[str]) -> None:
    """Make a new `.venv` with nothing in it but an empty stamp; one that is not ours is kept."""
    say("Setting up, once: this takes about a minute and needs the network ...")
    if os.path.lexists(VENV):
        aside = VENV.rename(VENV.with_name(time.strftime(".venv-old-%Y%m%d-%H%M%S")))
        if (aside / STAMP.name).exists():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            say(f"The .venv that was here is not from run.py; it is kept as {aside.name}.")
    VENV.mkdir()
    STAMP.write_text("{}")
    python = getattr(sys, "_base_executable", None) or sys.executable  # we may ourselves run inside an environment
    if subprocess.call([python, "-m", "venv", VENV], env=environment(), stdin=lock):
        hint = "On Debian or Ubuntu, try `sudo apt install python{}.{}-venv`".format(*sys.version_info)
        sys.exit(f"{python} could not make {VENV}, for the reason above. {hint}; then call run.py again.")


def install(extras: list[str], stamp: dict[str, Any], lock: IO[str]) -> None:
    """Install plahelpers from this folder with these extras, everything at its pinned version: with uv, or else pip."""
    say(f"Installing the packages for: {', '.join(extras)} ...")
    before = sorted(VENV.rglob("*.dist-info"))
    STAMP.write_text("{}")
    run = functools.partial(call, cwd=ROOT, env={**environment(), **pip_settings()}, stdin=lock)
    pip, uv = ([*f"-m {tool} install -c requirements.txt".split()] for tool in ("pip", "uv pip"))
    folder = ["--no-build-isolation", "-e", f".[{','.join(extras)}]"]  # in isolation, build tools would not be pinned
    failed = run([*pip, "-q", *PROJECT["build-system"]["requires"]]) or (
        (run([*pip, "-q", "--only-binary=uv", "uv"]) or run([*uv, *folder])) and run([*pip, *folder])
    )
    if failed:
        if sorted(VENV.rglob("*.dist-info")) == before:
            STAMP.write_text(json.dumps(stamp))  # nothing was changed: there was no network, say
        sys.exit("The reason is above, mostly the network or a full disk. When that is mended, call run.py again.")


def pip_settings() -> dict[str, str]:
    """What was set for pip, in its files or variables, as the variables that uv reads: it reads none of pip's."""
    # Like pip, uv shall take the best version of all indexes, trust what the system trusts, and compile to bytecode:
    # else JupyterLab and the first cell would be three times as slow, once, or always where Python may not write it.
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match", "UV_SYSTEM_CERTS": "1", "UV_COMPILE_BYTECODE": "1"}
    variables |= {"PIP_NO_INPUT": "1", "PIP_USER": "0"}
    command = [PYTHON, "-m", "pip", "config", "list"]
    lines = subprocess.run(command, check=False, capture_output=True, text=True, env=environment()).stdout.splitlines()
    for line in sorted(lines, key=lambda line: line.startswith(":env:")):  # pip's variables win over its files
        key, _, value = line.partition("=")
        section, _, name = key.rpartition(".")
        if section in ("global", "install", ":env:") and name in UV_NAMES:
            variables[UV_NAMES[name]] = ("," if name == "find-links" else " ").join(ast.literal_eval(value).split())
    return variables


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("\nStopped.", file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        sys.exit(f"{error}\nWhen that is mended (does a program still use {VENV}?), call run.py again.")

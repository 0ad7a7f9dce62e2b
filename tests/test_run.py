"""run.py sets up once, repairs what was cut short, and hands everything else on; the pins are one truth.

The set-ups here are real: a real venv, a real pip, real signals. Only the project is tiny, and its packages
are stand-ins that print how they were called; their wheels lie in a folder, so that no network is needed.
"""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals or links")


def load(path: Path) -> Any:
    """Import a run.py from where it lies."""
    spec = importlib.util.spec_from_file_location("run", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_yaml(name: str) -> Any:
    return importlib.import_module("yaml").safe_load((ROOT / name).read_text(encoding="utf-8"))


run = load(ROOT / "run.py")


# ---- Old Pythons


@pytest.mark.parametrize("version", [(3, 7, 16), (3, 8, 18), (3, 10, 13)])
def test_an_old_python_is_told_in_one_sentence_what_is_needed(version: tuple[int, ...]) -> None:
    sentence = run.too_old(version, "/usr/bin/python3")
    assert "needs Python 3.11 or newer" in sentence
    assert f"this is {'.'.join(map(str, version))} (/usr/bin/python3)" in sentence
    assert "python3.12 run.py" in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 1), (3, 14, 0), (4, 0, 0)])
def test_a_python_that_is_new_enough_is_told_nothing(version: tuple[int, ...]) -> None:
    assert run.too_old(version, "python3") == ""


def test_an_old_python_can_read_run_py_far_enough_to_say_so() -> None:
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_run_py_imports_the_standard_library_only() -> None:
    tree = ast.parse((ROOT / "run.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


# ---- The words


@pytest.mark.parametrize(
    ("arguments", "word", "passed_on"),
    [
        ([], "", []),
        (["--no-browser"], "", ["--no-browser"]),
        (["--port", "9999", "--debug"], "", ["--port", "9999", "--debug"]),
        (["test"], "test", []),
        (["test", "-k", "margin"], "test", ["-k", "margin"]),
        (["test", "--help"], "test", ["--help"]),
        (["bench", "--quick"], "bench", ["--quick"]),
        (["-h"], "help", []),
        (["--help"], "help", []),
        (["help"], "help", []),
    ],
)
def test_the_first_argument_is_the_word_unless_it_is_an_option(
    arguments: list[str], word: str, passed_on: list[str]
) -> None:
    assert run.understand(arguments) == (word, passed_on)


@pytest.mark.parametrize("arguments", [["help"], ["-h"], ["--help"]])
def test_help_lists_every_word(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(arguments) == 0
    shown = capsys.readouterr().out
    assert all(f"python3 run.py {word}" in shown for word in run.WORDS)


def test_an_unknown_word_lists_the_words_and_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["tset"]) == 2
    message = capsys.readouterr().err
    assert "'tset'" in message
    assert run.help_text() in message


def test_every_word_needs_only_extras_that_the_project_has() -> None:
    offered = set(PROJECT["project"]["optional-dependencies"])
    assert all(word.extras <= offered for word in run.WORDS.values())


def test_the_first_start_in_a_lecture_does_not_install_the_test_tools() -> None:
    assert run.WORDS[""].extras == {"lab"}


def test_jupyterlab_gets_the_notebooks_and_every_argument() -> None:
    (command,) = run.lab(["--no-browser", "--port", "9999"])
    assert command[:2] == ["-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={ROOT / 'notebooks'}" in command
    assert command[-3:] == ["--no-browser", "--port", "9999"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no root")
@pytest.mark.parametrize(("user", "told"), [(0, True), (1000, False)])
def test_jupyterlab_is_told_when_it_runs_as_root(user: int, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert ("--allow-root" in run.lab([])[0]) is told


def test_the_tests_come_last_and_report_coverage() -> None:
    *checks, tests, notebooks = run.test([])
    assert [" ".join(check) for check in checks] == ["-m ruff check .", "-m ruff format --check .", "-m mypy"]
    all_cores = ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]
    assert tests == ["-m", "pytest", *all_cores, "--cov=plahelpers", "--cov-report=term-missing"]
    strictly = ["--nbval", "--nbval-current-env"]  # and not --nbval-lax
    assert notebooks == ["-m", "pytest", *all_cores, "--no-cov", *strictly, "notebooks"]


def test_some_of_the_tests_run_alone_and_without_coverage() -> None:
    assert run.test(["-k", "margin"]) == [["-m", "pytest", "--no-cov", "-k", "margin"]]


def test_the_benchmark_gets_its_arguments() -> None:
    assert run.bench(["--quick"]) == [["benchmarks/bench.py", "--quick"]]


def test_the_interpreter_lies_where_each_system_puts_it() -> None:
    venv = Path("a") / ".venv"
    assert run.interpreter(venv, "linux") == venv / "bin" / "python"
    assert run.interpreter(venv, "darwin") == venv / "bin" / "python"
    assert run.interpreter(venv, "win32") == venv / "Scripts" / "python.exe"


def test_children_see_no_packages_but_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PYTHONHOME", "elsewhere")
    monkeypatch.setenv("VIRTUAL_ENV", "elsewhere")
    monkeypatch.setenv("LANG", "C.UTF-8")
    seen = run.environment()
    assert "PYTHONPATH" not in seen
    assert "PYTHONHOME" not in seen
    assert seen["VIRTUAL_ENV"] == str(run.VENV)
    assert seen["LANG"] == "C.UTF-8"
    assert seen["PATH"].startswith(str(run.interpreter().parent) + os.pathsep)


# ---- What is to be done

NOW = {"venv": "/somewhere/.venv", "python": "3.12", "pins": "abc", "loops": 7}
DONE = {**NOW, "extras": ["lab", "test"]}


@pytest.mark.parametrize(
    ("stamp", "extras", "todo"),
    [
        pytest.param(DONE, {"lab"}, "nothing", id="unchanged"),
        pytest.param(DONE, {"lab", "test"}, "nothing", id="the same extras"),
        pytest.param(DONE, {"bench"}, "install", id="another extra"),
        pytest.param({**DONE, "pins": "old"}, {"lab"}, "install", id="other pins"),
        pytest.param({**DONE, "loops": 6}, {"lab"}, "warm up", id="other loops"),
        pytest.param({**DONE, "loops": None}, {"lab"}, "warm up", id="loops not compiled yet"),
        pytest.param({}, {"lab"}, "build", id="nothing there, or cut short"),
        pytest.param({**DONE, "venv": "/attic/.venv"}, {"lab"}, "build", id="moved"),
        pytest.param({**DONE, "python": "3.11"}, {"lab"}, "build", id="its Python upgraded"),
        pytest.param({"version": 1}, {"lab"}, "build", id="a stamp of another kind"),
    ],
)
def test_only_what_changed_is_done_again(stamp: dict[str, Any], extras: set[str], todo: str) -> None:
    assert run.plan(stamp, NOW, extras) == todo


def test_an_interpreter_that_is_gone_or_broken_has_no_version(tmp_path: Path) -> None:
    assert run.version_of(Path(sys.executable)) == "{}.{}".format(*sys.version_info)
    assert run.version_of(tmp_path / "python") == ""
    assert run.version_of(tmp_path) == ""


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("  Downloading numpy-2.4.6-cp312-cp312-win_amd64.whl (12.3 MB)\n", "fetching numpy 2.4.6 (12.3 MB)"),
        ("  Downloading https://a.b/c/jedi-0.20.1-py3-none-any.whl (4 MB)\n", "fetching jedi 0.20.1 (4 MB)"),
        ("  Using cached six-1.17.0-py2.py3-none-any.whl (11 kB)\n", "fetching six 1.17.0 (11 kB)"),
        ("  Downloading six-1.17.0-py2.py3-none-any.whl.metadata (2 kB)\n", ""),
        ("Collecting numpy>=2.0\n", ""),
        ("Requirement already satisfied: six in ./lib\n", ""),
        ("Installing collected packages: flit_core\n", ""),
        ("Installing collected packages: a, b, c\n", "unpacking 3 packages, the longest step ..."),
    ],
)
def test_of_what_pip_says_the_packages_are_shown(line: str, shown: str) -> None:
    assert run.progress(line) == shown


# ---- Real set-ups of a tiny project

STAND_IN = """\
import os, sys
print(__package__, VERSION, *sys.argv[1:], "in", sys.prefix, flush=True)
sys.exit(3 if __package__ in os.environ.get("FAIL", "") else 0)
"""

TINY = """\
[build-system]
requires = ["flit_core"]
build-backend = "flit_core.buildapi"

[project]
name = "plahelpers"
version = "1.0"
description = "A tiny project to set up."

[project.optional-dependencies]
lab = ["jupyterlab"]
test = ["ruff", "mypy", "pytest"]
bench = []
"""

WARM_UP = """\
from pathlib import Path

def warm_up():
    with open(Path(__file__).with_name("warmed"), "a") as log:
        print("warm", file=log)
"""


def make_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> None:
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {**files, f"{info}/METADATA": metadata.encode(), f"{info}/WHEEL": wheel.encode()}
    record = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for file, content in {**files, f"{info}/RECORD": record.encode()}.items():
            archive.writestr(file, content)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The only place where pip may look: flit_core as it is installed here, and the stand-ins."""
    folder = tmp_path_factory.mktemp("shelf")
    flit = importlib.metadata.distribution("flit_core")
    parts = [file for file in flit.files or [] if file.parts[0] == "flit_core" and file.suffix != ".pyc"]
    contents = {file.as_posix(): Path(file.locate()).read_bytes() for file in parts}
    make_wheel(folder, "flit_core", flit.version, contents)
    for package in ["jupyterlab-1.0", "jupyterlab-2.0", "ruff-1.0", "mypy-1.0", "pytest-1.0"]:
        name, version = package.split("-")
        main = STAND_IN.replace("VERSION", repr(version)).encode()
        make_wheel(folder, name, version, {f"{name}/__init__.py": b"", f"{name}/__main__.py": main})
    return folder


class House:
    """A tiny project with a copy of run.py in it."""

    def __init__(self, root: Path, shelf: Path) -> None:
        self.root, self.venv = root, root / ".venv"
        self.python = run.interpreter(self.venv)
        others = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": shelf.as_uri(), "PIP_CONFIG_FILE": os.devnull}
        self.variables = {**others, **offline}

    def furnish(self) -> House:
        package = self.root / "plahelpers"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "_loops.py").write_text(WARM_UP)
        (self.root / "pyproject.toml").write_text(TINY)
        self.pin("1.0")
        shutil.copy(ROOT / "run.py", self.root)
        return self

    def pin(self, jupyterlab: str) -> None:
        (self.root / "requirements.txt").write_text(f"jupyterlab=={jupyterlab}\n")

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Call run.py, in a session of its own as a terminal would."""
        return subprocess.Popen(
            [sys.executable, str(self.root / "run.py"), *arguments],
            env={**self.variables, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def call(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Call run.py and wait for it; whatever happens, nobody is to see a traceback."""
        process = self.start(*arguments, **variables)
        out, err = process.communicate()
        assert "Traceback" not in out + err, err
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def version(self) -> str:
        return (self.root / "requirements.txt").read_text().strip().removeprefix("jupyterlab==")

    def stamp(self) -> Any:
        return json.loads((self.venv / "run.json").read_text())

    def warmed(self) -> int:
        return len((self.root / "plahelpers" / "warmed").read_text().splitlines())

    def assert_works(self, done: subprocess.CompletedProcess[str], version: str = "1.0") -> None:
        assert done.returncode == 0, done.stderr
        assert f"jupyterlab {version} --ServerApp.root_dir={self.root / 'notebooks'} " in done.stdout
        assert f" in {self.venv}\n" in done.stdout
        assert self.stamp()["venv"] == str(self.venv)
        assert "lab" in self.stamp()["extras"]


@pytest.fixture
def empty(tmp_path: Path, shelf: Path) -> House:
    """A house in which nothing is set up yet; a blank in its name, as people have it."""
    return House(tmp_path.resolve() / "my house", shelf).furnish()


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> House:
    """A house in which run.py was called once, without a word."""
    house = House(tmp_path_factory.mktemp("lived").resolve() / "in", shelf).furnish()
    first = house.call("--no-browser", "--port", "9999")
    house.assert_works(first)
    assert "Setting up, once" in first.stdout
    assert " --no-browser --port 9999 in " in first.stdout
    assert not list(house.venv.glob("**/mypy")), "only what JupyterLab needs"
    return house


def wait_until_said(process: subprocess.Popen[str], text: str) -> None:
    assert any(text in line for line in process.stdout or []), f"{text!r} was not said"


def wait_until_there(path: Path) -> None:
    for _ in range(600):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} did not come")


def test_the_second_call_does_no_work(lived_in: House) -> None:
    pip = next(lived_in.venv.glob("**/site-packages/pip"))
    warmed = lived_in.warmed()
    pip.rename(pip.with_name("hidden"))  # so that nothing could be installed
    second = lived_in.call()
    pip.with_name("hidden").rename(pip)
    lived_in.assert_works(second, lived_in.version())
    assert second.stdout.startswith("jupyterlab")
    assert lived_in.warmed() == warmed


def test_another_word_adds_its_packages_and_keeps_the_others(lived_in: House) -> None:
    (lived_in.venv / "kept").touch()
    done = lived_in.call("test", "-k", "margin")
    assert done.returncode == 0
    assert "pytest 1.0 --no-cov -k margin in" in done.stdout
    assert lived_in.stamp()["extras"] == sorted(run.WORDS["test"].extras)
    assert (lived_in.venv / "kept").exists()
    lived_in.assert_works(lived_in.call(), lived_in.version())
    assert lived_in.stamp()["extras"] == sorted(run.WORDS["test"].extras)


def test_jupyterlab_is_told_not_to_ask_about_its_news(lived_in: House) -> None:
    defaults = json.loads((lived_in.venv / "share/jupyter/lab/settings/overrides.json").read_text("utf-8"))
    assert defaults["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


def test_changed_pins_are_installed_in_place(lived_in: House) -> None:
    (lived_in.venv / "kept").touch()
    lived_in.pin("2.0")
    changed = lived_in.call()
    lived_in.assert_works(changed, "2.0")
    assert "Setting up, once" not in changed.stdout
    assert (lived_in.venv / "kept").exists()


def test_pins_that_cannot_be_had_leave_the_environment_as_it_was(lived_in: House) -> None:
    version = lived_in.version()
    lived_in.pin("9.9")
    assert lived_in.call().returncode == 1
    lived_in.pin(version)
    again = lived_in.call()
    lived_in.assert_works(again, version)
    assert again.stdout.startswith("jupyterlab")


def test_the_loops_are_compiled_once_and_again_when_they_change(lived_in: House) -> None:
    warmed = lived_in.warmed()
    os.utime(lived_in.root / "plahelpers" / "_loops.py", (1e9, 1e9))
    assert "Compiling the inner loops" in lived_in.call().stdout
    assert "Compiling the inner loops" not in lived_in.call().stdout
    assert lived_in.warmed() == warmed + 1


@pytest.mark.parametrize(("failing", "code"), [("", 0), ("ruff", 3), ("mypy pytest", 3)])
def test_every_check_is_run_even_after_one_has_failed(lived_in: House, failing: str, code: int) -> None:
    done = lived_in.call("test", FAIL=failing)
    assert done.returncode == code
    said = [line.split(" in ")[0] for line in done.stdout.splitlines() if " in " in line]
    all_cores = "-n auto --dist loadfile --no-loadscope-reorder"
    assert said == [
        "ruff 1.0 check .",
        "ruff 1.0 format --check .",
        "mypy 1.0",
        f"pytest 1.0 {all_cores} --cov=plahelpers --cov-report=term-missing",
        f"pytest 1.0 {all_cores} --no-cov --nbval --nbval-current-env notebooks",
    ]
    assert all(f"[{number}/5] " in done.stdout for number in range(1, 6))
    assert ("Failed: " in done.stderr) is bool(failing)


def test_other_environments_do_not_leak_in(lived_in: House) -> None:
    leak = lived_in.root / "leak" / "jupyterlab"
    leak.mkdir(parents=True, exist_ok=True)
    (leak / "__init__.py").write_text("raise SystemExit('this is not ours')")
    done = lived_in.call(PYTHONPATH=str(leak.parent))
    lived_in.assert_works(done, lived_in.version())


def test_an_install_that_was_killed_is_repaired_by_the_next_call(empty: House) -> None:
    process = empty.start()
    wait_until_said(process, "Installing the packages")
    process.kill()  # only run.py: the pip that it started lives on, and the next call has to wait for it
    process.communicate()
    assert empty.stamp() == {}
    (empty.venv / "half").touch()
    repaired = empty.call()
    empty.assert_works(repaired)
    assert "Setting up, once" in repaired.stdout
    assert not (empty.venv / "half").exists()
    assert "Setting up" not in empty.call().stdout


@POSIX_ONLY
def test_control_c_during_an_install_ends_quietly_and_is_repaired_by_the_next_call(empty: House) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it,
    process = empty.start()  # and so would what it starts
    signal.signal(signal.SIGINT, before)
    wait_until_said(process, "Setting up, once")
    wait_until_there(empty.venv / "run.json")
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.endswith("\nStopped.\n")
    assert empty.stamp() == {}
    empty.assert_works(empty.call())


def test_a_failing_install_shows_what_pip_said_and_is_repaired_by_the_next_call(empty: House) -> None:
    empty.pin("9.9")
    failed = empty.call()
    assert failed.returncode == 1
    assert "ERROR: " in failed.stdout
    assert "jupyterlab==9.9" in failed.stdout
    assert "call run.py again" in failed.stderr
    empty.pin("1.0")
    empty.assert_works(empty.call())


def test_two_calls_at_once_set_up_once(empty: House) -> None:
    both = [empty.start(), empty.start()]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted("Setting up, once" in text for text in said) == [False, True]
    assert all(("waiting for it" in text) is not ("Setting up, once" in text) for text in said)
    assert all("jupyterlab 1.0" in text for text in said)


def test_a_folder_that_was_moved_is_set_up_again(lived_in: House, tmp_path: Path, shelf: Path) -> None:
    moved = House(tmp_path.resolve() / "moved", shelf)
    shutil.copytree(lived_in.root, moved.root, symlinks=True)
    rebuilt = moved.call()
    moved.assert_works(rebuilt, lived_in.version())
    assert "Setting up, once" in rebuilt.stdout
    assert moved.stamp()["extras"] == lived_in.stamp()["extras"]


@POSIX_ONLY
def test_an_environment_whose_python_is_gone_is_set_up_again(lived_in: House, tmp_path: Path) -> None:
    lived_in.python.unlink()
    lived_in.python.symlink_to(tmp_path / "removed" / "python")
    rebuilt = lived_in.call()
    lived_in.assert_works(rebuilt, lived_in.version())
    assert "Setting up, once" in rebuilt.stdout


def test_an_environment_made_by_someone_else_is_kept(empty: House) -> None:
    here = load(empty.root / "run.py")
    for number in (1, 2):
        (empty.venv / "bin").mkdir(parents=True)
        (empty.venv / "mine").write_text(str(number))
        here.clear()
        assert (empty.root / f".venv-old-{number}" / "mine").read_text() == str(number)
        assert [path.name for path in empty.venv.iterdir()] == ["run.json"]
        assert empty.stamp() == {}
        shutil.rmtree(empty.venv)


def test_a_python_without_venv_says_what_to_install(empty: House) -> None:
    # Debian's python3 lacks ensurepip until python3-venv is installed.
    without = "import runpy, sys; sys.modules['ensurepip'] = None; runpy.run_path('run.py', run_name='__main__')"
    command = [sys.executable, "-c", without]
    done = subprocess.run(command, check=False, cwd=empty.root, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "without its module ensurepip" in done.stderr
    assert "apt install python{}.{}-venv".format(*sys.version_info) in done.stderr
    assert not empty.venv.exists()


# ---- JupyterLab


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """JupyterLab as run.py starts it: what you get is a function to ask it. Shut down as by its menu."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [
        "--no-browser",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=open",
    ]
    (command,) = run.lab(options)
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, *command], env={**os.environ, **folders}, stdout=out, stderr=subprocess.STDOUT
        )

    def ask(path: str, method: str = "GET") -> bytes:
        headers = {"Authorization": "token open"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return bytes(answer.read())

    for _ in range(600):
        try:
            ask("/api/status")
            break
        except (urllib.error.URLError, ConnectionError):
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
    yield ask
    ask("/api/shutdown", "POST")
    assert process.wait(60) == 0, log.read_text()


def test_jupyterlab_serves_the_notebooks_and_leaves_the_network_alone(server: Callable[..., bytes]) -> None:
    assert json.loads(server("/api/status"))["kernels"] == 0
    served = {entry["name"] for entry in json.loads(server("/api/contents"))["content"]}
    assert served == {path.name for path in (ROOT / "notebooks").iterdir() if not path.name.startswith(".")}
    page = server("/lab").decode()
    (settings,) = re.findall(r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', page, re.S)
    assert json.loads(settings)["news"] == {"disabled": True}
    assert json.loads(settings)["extensionManager"]["can_install"] is False
    assert json.loads(server("/lab/api/update")) == {"notification": None}


# ---- One truth about versions

PINNED = [line for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines() if line]


def test_a_pin_is_a_name_and_a_version_and_names_no_place() -> None:
    assert [line for line in PINNED if not re.fullmatch(r"[a-z0-9-]+==[0-9a-z.]+( ; [^/@]+)?", line)] == []


def test_every_package_the_project_asks_for_is_pinned_to_a_version_it_accepts() -> None:
    pins = {canonicalize_name(pin.name): pin.specifier for pin in map(Requirement, PINNED)}
    project = PROJECT["project"]
    asked = [*project["dependencies"], *PROJECT["build-system"]["requires"]]
    asked += [line for lines in project["optional-dependencies"].values() for line in lines]
    for wish in map(Requirement, asked):
        version = str(pins[canonicalize_name(wish.name)]).removeprefix("==")
        assert wish.specifier.contains(version), f"{wish} is pinned to {version}"


def test_conda_installs_the_pins_and_the_extras_that_run_py_installs() -> None:
    python, pip, with_pip = read_yaml("environment.yml")["dependencies"]
    extras = ",".join(sorted(run.WORDS[""].extras))
    assert pip == "pip"
    assert with_pip == {"pip": [f"-c {run.PINS.name}", f"-e .[{extras}]"]}
    assert SpecifierSet(PROJECT["project"]["requires-python"]).contains(python.removeprefix("python="))


def test_the_citation_names_the_version_that_is_packaged() -> None:
    citation = read_yaml("CITATION.cff")
    assert str(citation["version"]) == PROJECT["project"]["version"]
    assert citation["cff-version"] == "1.2.0"
    assert citation["license"] == PROJECT["project"]["license"]


@POSIX_ONLY
def test_the_machine_checks_what_a_person_checks() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").splitlines()[-1] == "python3 run.py test"


def test_every_word_asks_pip_for_something_it_understands() -> None:
    for word in run.WORDS.values():
        wanted = run.this_folder_with(word.extras)
        assert wanted == "." or re.fullmatch(r"\.\[\w+(,\w+)*\]", wanted)
        assert word.extras <= set(
            tomllib.loads(run.PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
        )

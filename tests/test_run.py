"""run.py sets up once, repairs what was cut short, and hands everything else on.

The set-ups here are real: a real venv, a real pip, a real uv, real signals. Only the project is tiny, and its packages
are stand-ins that print how they were called; their wheels lie in two folders, so that no network is needed.
"""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT_TEXT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
EXTRAS = tomllib.loads(PROJECT_TEXT)["project"]["optional-dependencies"]


def load(path: Path) -> Any:
    """Import a run.py from where it lies."""
    spec = importlib.util.spec_from_file_location("run", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


run = load(ROOT / "run.py")


def test_an_old_python_is_told_in_one_sentence_what_is_needed() -> None:
    old = "import runpy, sys; sys.version_info = (3, 8, 18); runpy.run_path('run.py', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", old], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr
    assert f"({sys.executable}): try python3.12 run.py" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_old_python_can_read_run_py_far_enough_to_say_so() -> None:
    tree = ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 7))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


# ---- The words


def test_help_and_an_unknown_word_list_every_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert [run.main([argument]) for argument in ("help", "-h", "--help", "tset")] == [0, 0, 0, 2]
    output, error = capsys.readouterr()
    assert output == 3 * f"{run.HELP}\n"
    assert all(f"python3 run.py {word}" in output for word in run.WORDS)
    assert "'tset'" in error
    assert run.HELP in error


def test_every_word_needs_extras_that_the_project_has_and_numba_in_any_case() -> None:
    assert all({"fast"} <= set(word["extras"]) <= set(EXTRAS) for word in run.WORDS.values())
    assert run.WORDS["lab"]["extras"] == ["fast", "lab"], "the first start in a lecture installs no test tools"


def test_every_script_of_a_word_is_there() -> None:
    programs = [word["run"][0].format(ROOT=ROOT) for word in run.WORDS.values()]
    assert [program for program in programs if program != "-m" and not Path(program).exists()] == []


def test_children_see_no_packages_but_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"):
        monkeypatch.setenv(name, "elsewhere")
    monkeypatch.setenv("LANG", "C.UTF-8")
    variables = run.environment()
    assert "PYTHONPATH" not in variables
    assert "PYTHONHOME" not in variables
    assert variables["VIRTUAL_ENV"] == str(run.VENV)
    assert variables["LANG"] == "C.UTF-8"
    assert variables["PATH"].startswith(str(Path(run.PYTHON).parent) + os.pathsep)


# ---- A tiny project

STAND_IN = """\
import os, sys
print(__package__, VERSION, *sys.argv[1:], "in", sys.prefix, flush=True)
sys.exit(3 if __package__ in os.environ.get("FAIL", "") else 0)
"""

# The real uv, which leaves behind what it was told. Its own wheel is large, and would be unpacked in each set-up.
UV_STAND_IN = """\
import json, os, subprocess, sys
from pathlib import Path
Path("uv.json").write_text(json.dumps(dict(os.environ)))
command = [UV, *sys.argv[1:]]
os.execv(UV, command) if os.name == "posix" else sys.exit(subprocess.call(command))
"""

TINY = """\
[build-system]
requires = ["flit_core"]
build-backend = "flit_core.buildapi"

[project]
name = "plahelpers"
version = "1.0"
description = "Tiny."

[project.optional-dependencies]
lab = ["jupyterlab"]
test = ["ruff", "mypy", "pytest"]
EMPTY = []

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
    """The only places where pip may look: flit_core as it is installed here, stand-ins, and uv in a folder below."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "uv").mkdir()
    flit = importlib.metadata.distribution("flit_core")
    parts = [file for file in flit.files or [] if file.parts[0] == "flit_core" and file.suffix != ".pyc"]
    contents = {file.as_posix(): Path(str(file.locate())).read_bytes() for file in parts}
    make_wheel(folder, "flit_core", flit.version, contents)
    for package in ["jupyterlab-1.0", "jupyterlab-2.0", "ruff-1.0", "mypy-1.0", "pytest-1.0"]:
        name, version = package.split("-")
        main = STAND_IN.replace("VERSION", repr(version)).encode()
        make_wheel(folder, name, version, {f"{name}/__init__.py": b"", f"{name}/__main__.py": main})
    uv = shutil.which("uv", path=sysconfig.get_path("scripts"))
    main = UV_STAND_IN.replace("UV", repr(uv)).encode()
    make_wheel(folder / "uv", "uv", "1.0", {"uv/__init__.py": b"", "uv/__main__.py": main})
    return folder


class House:
    """A tiny project with a copy of run.py in it."""

    def __init__(self, root: Path, shelf: Path) -> None:
        self.root, self.venv = root, root / ".venv"
        others = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
        self.shelves = [shelf.as_uri(), (shelf / "uv").as_uri()]
        offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": " ".join(self.shelves), "PIP_CONFIG_FILE": os.devnull}
        self.variables = {**others, **offline, "UV_CACHE_DIR": str(shelf / "cache")}

    def furnish(self) -> House:
        package = self.root / "plahelpers"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "_loops.py").write_text("def warm_up():\n    print('compiled')\n")
        extras = "\n".join(f"{name} = []" for name in EXTRAS if name not in ("lab", "test"))
        words = PROJECT_TEXT[PROJECT_TEXT.index("[tool.run.") : PROJECT_TEXT.index("[tool.ruff]")]
        (self.root / "pyproject.toml").write_text(TINY.replace("EMPTY = []", extras) + words, encoding="utf-8")
        (self.root / "book").mkdir()
        (self.root / "book" / "lab.py").write_text("import runpy\nrunpy.run_module('jupyterlab', alter_sys=True)\n")
        (self.root / "tests").mkdir()
        for folder in ("book", "tests"):
            (self.root / folder / "__init__.py").touch()
        shutil.copy(ROOT / "tests" / "__main__.py", self.root / "tests")
        shutil.copy(ROOT / "run.py", self.root)
        self.pin("1.0")
        return self

    def pin(self, jupyterlab: str) -> None:
        (self.root / "requirements.txt").write_text(f"jupyterlab=={jupyterlab}\n")

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Call run.py, in a session of its own as a terminal would."""
        command = [sys.executable, str(self.root / "run.py"), *arguments]
        options: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
        return subprocess.Popen(command, env={**self.variables, **variables}, **options)

    def call(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Call run.py and wait for it; whatever happens, nobody is to see a traceback."""
        process = self.start(*arguments, **variables)
        out, err = process.communicate()
        assert "Traceback" not in out + err, err
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def stamp(self) -> Any:
        return json.loads((self.venv / "run.json").read_text())

    def assert_works(self, done: subprocess.CompletedProcess[str]) -> None:
        assert done.returncode == 0, done.stderr
        version = (self.root / "requirements.txt").read_text().strip().removeprefix("jupyterlab==")
        assert f"jupyterlab {version} " in done.stdout
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
    first = house.call("--no-browser", "--port", "9999", PYTHONDONTWRITEBYTECODE="1")
    house.assert_works(first)
    assert first.stdout.startswith("Setting up, once")
    assert " --no-browser --port 9999 in " in first.stdout
    assert "compiled\n" in first.stdout
    assert "Successfully installed" not in first.stdout, "uv did the work, not pip"
    assert not list(house.venv.glob("**/mypy")), "only what JupyterLab needs"
    assert list(house.venv.glob("**/jupyterlab/__pycache__/__init__.*.pyc")), "nobody waits for bytecode later"
    return house


def wait_until_printed(process: subprocess.Popen[str], text: str) -> None:
    assert any(text in line for line in process.stdout or []), f"{text!r} was not printed"


@pytest.mark.parametrize(
    ("change", "extras", "steps"),
    [
        pytest.param({}, ["lab"], [], id="unchanged"),
        pytest.param({}, ["bench"], ["install", "warm up"], id="another extra"),
        pytest.param({"pins": "old"}, ["lab"], ["install", "warm up"], id="other pins"),
        pytest.param({"loops": 6}, ["lab"], ["warm up"], id="other loops"),
        pytest.param({"loops": None}, ["lab"], ["warm up"], id="loops not compiled yet"),
        pytest.param(None, ["lab"], ["build", "install", "warm up"], id="nothing there, or cut short"),
        pytest.param({"venv": "/attic/.venv"}, ["lab"], ["build", "install", "warm up"], id="moved"),
        pytest.param({"python": "Python 3.9"}, ["lab"], ["build", "install", "warm up"], id="its Python upgraded"),
    ],
)
def test_only_what_changed_is_done_again(
    change: dict[str, Any] | None, extras: list[str], steps: list[str], empty: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, done = load(empty.root / "run.py"), []
    empty.venv.mkdir()
    monkeypatch.setattr(here, "PYTHON", sys.executable)
    for name, step in {"build": "build", "install": "install", "call": "warm up"}.items():
        monkeypatch.setattr(here, name, lambda *_, step=step, **__: done.append(step))
    stamp = {} if change is None else {**here.state(["lab", "test"]), **change}
    (empty.venv / "run.json").write_text(json.dumps(stamp))
    if here.read_stamp() != here.state(extras):
        here.set_up(extras)
    assert done == steps
    assert empty.stamp() == here.state(extras)
    assert set(extras).union(stamp.get("extras", [])) == set(empty.stamp()["extras"])


def test_an_interpreter_that_is_gone_or_broken_has_no_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    this = "Python {}.{}".format(*sys.version_info)
    for python, version in [(sys.executable, this), (tmp_path / "removed", ""), (tmp_path, "")]:
        monkeypatch.setattr(run, "PYTHON", str(python))
        assert run.state([])["python"] == version


# ---- Real set-ups


def test_the_second_call_does_no_work(lived_in: House) -> None:
    pip = next(lived_in.venv.glob("**/site-packages/pip"))
    pip.rename(pip.with_name("hidden"))  # so that nothing could be installed
    second = lived_in.call()
    pip.with_name("hidden").rename(pip)
    lived_in.assert_works(second)
    assert second.stdout.startswith("jupyterlab")


@pytest.mark.parametrize(("failing", "code"), [("", 0), ("mypy pytest", 3)])
def test_another_word_adds_its_packages_and_every_check_runs_even_after_one_has_failed(
    lived_in: House, failing: str, code: int
) -> None:
    (lived_in.venv / "here before").touch()
    done = lived_in.call("test", FAIL=failing)
    assert done.returncode == code, done.stderr
    calls = [line.split(" in ")[0] for line in done.stdout.splitlines() if " in " in line]
    assert calls == [
        "ruff 1.0 check .",
        "ruff 1.0 format --check .",
        "mypy 1.0",
        "pytest 1.0 -n auto --dist worksteal --cov=plahelpers --cov-report=term-missing",
        "pytest 1.0 -n auto --dist loadfile --no-cov --nbval --nbval-current-env --ignore-glob=notebooks/hw* notebooks",
    ]
    assert all(f"[{number}/5] " in done.stdout for number in range(1, 6))
    assert ("Failed: mypy; pytest" in done.stderr) is bool(failing)
    assert (lived_in.venv / "here before").exists()
    assert "pytest 1.0 --no-cov -k margin in" in lived_in.call("test", "-k", "margin").stdout  # a part covers no whole
    lived_in.assert_works(lived_in.call())
    assert lived_in.stamp()["extras"] == sorted(run.WORDS["test"]["extras"])


def test_the_name_of_a_notebook_without_a_word_is_for_jupyterlab(lived_in: House) -> None:
    for arguments in (["03_proof.ipynb"], ["lab", "03_proof.ipynb"]):
        done = lived_in.call(*arguments, "--no-browser")
        lived_in.assert_works(done)
        assert " 03_proof.ipynb --no-browser in " in done.stdout


def test_changed_pins_are_installed_in_place_and_settings_of_pip_reach_uv(lived_in: House, tmp_path: Path) -> None:
    (lived_in.venv / "here before").touch()
    lived_in.pin("2.0")
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://first\ntimeout = 1\n[install]\ntimeout = 7\ncert = /of/the/file.pem\n"
        "extra-index-url =\n    https://second\n    https://third\ntrusted-host = intranet\n[list]\nproxy = http://not\n"
    )
    changed = lived_in.call(PIP_CONFIG_FILE=str(tmp_path / "pip.conf"), PIP_CERT="/of/the/variable.pem")
    lived_in.assert_works(changed)
    assert "Setting up, once" not in changed.stdout
    assert "Successfully installed" not in changed.stdout, "uv did the work, not pip"
    assert (lived_in.venv / "here before").exists()
    variables = json.loads((lived_in.root / "uv.json").read_text())
    assert variables["UV_DEFAULT_INDEX"] == "https://first"
    assert variables["UV_INDEX"] == "https://second https://third"
    assert variables["UV_INDEX_STRATEGY"] == "unsafe-best-match"
    assert variables["UV_INSECURE_HOST"] == "intranet"
    assert variables["UV_HTTP_TIMEOUT"] == "7", "the section [install] wins over [global]"
    assert variables["SSL_CERT_FILE"] == "/of/the/variable.pem", "a variable wins over a file"
    assert variables["UV_FIND_LINKS"] == ",".join(lived_in.shelves)
    assert variables["UV_OFFLINE"] == "1"
    assert variables.get("ALL_PROXY") != "http://not", "what is set for another command does not count"


def test_pins_that_cannot_be_had_leave_the_environment_as_it_was(lived_in: House) -> None:
    pins = (lived_in.root / "requirements.txt").read_text()
    lived_in.pin("9.9")
    failure = lived_in.call()
    assert failure.returncode == 1
    assert "jupyterlab==9.9" in failure.stderr
    assert "call run.py again" in failure.stderr
    (lived_in.root / "requirements.txt").write_text(pins)
    again = lived_in.call()
    lived_in.assert_works(again)
    assert again.stdout.startswith("jupyterlab")


def test_an_install_that_was_killed_is_repaired_once_by_two_calls_at_once(empty: House) -> None:
    process = empty.start()
    wait_until_printed(process, "Installing the packages")
    process.kill()  # only run.py: the installer that it started lives on, and the next call has to wait for it
    process.communicate()
    assert empty.stamp() == {}
    (empty.venv / "half").touch()
    both = [empty.start(), empty.start()]
    outputs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted("Setting up, once" in output for output in outputs) == [False, True]
    assert any("waiting for it" in output for output in outputs)
    assert all("jupyterlab 1.0" in output for output in outputs)
    assert not (empty.venv / "half").exists()
    assert sorted(path.name for path in empty.root.glob(".venv*")) == [".venv", ".venv.lock"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_control_c_during_a_set_up_ends_quietly_and_keeps_what_is_not_ours(empty: House) -> None:
    empty.venv.mkdir()
    (empty.venv / "mine").touch()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it,
    process = empty.start()  # and so would what it starts
    signal.signal(signal.SIGINT, before)
    wait_until_printed(process, "it is kept as .venv-old-")
    while not (empty.venv / "run.json").exists():
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.endswith("\nStopped.\n")
    assert empty.stamp() == {}
    assert [path.name for path in empty.root.glob(".venv-old-*/*")] == ["mine"]


def test_without_uv_pip_installs(empty: House) -> None:
    first = empty.call(PIP_FIND_LINKS=empty.shelves[0])
    empty.assert_works(first)
    assert "Successfully installed" in first.stdout
    assert not (empty.root / "uv.json").exists()


def test_a_python_without_venv_says_what_to_install(empty: House, monkeypatch: pytest.MonkeyPatch) -> None:
    # Debian's python3 lacks ensurepip until python3-venv is installed.
    here = load(empty.root / "run.py")
    monkeypatch.setattr(here.subprocess, "call", lambda *_, **__: 1)
    with pytest.raises(SystemExit, match="apt install python{}.{}-venv".format(*sys.version_info)):
        here.build(None)

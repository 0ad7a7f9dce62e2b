"""run.py sets up once, repairs what was cut short, and hands everything else on.

The set-ups are real: a real venv, pip and uv, real signals. Only the project is tiny, and its packages are wheels in a
folder, so that no network is needed.
"""

import ast
import importlib.metadata
import importlib.util
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

import run

ROOT = Path(run.__file__).resolve().parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def test_an_old_python_is_told_in_one_sentence_what_is_needed() -> None:
    old = "import runpy, sys; sys.version_info = (3, 8, 18); runpy.run_path('run.py', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", old], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("This needs Python 3.11 or newer")
    assert done.stderr.count("\n") == 1
    tree = ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 7))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names <= sys.stdlib_module_names


def test_help_an_unknown_word_and_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert [run.main(word) for word in ("help", "-h", "--help", "tset")] == [0, 0, 0, 2]
    output, error = capsys.readouterr()
    assert output == 3 * f"{run.HELP}\n"
    assert all(f"python3 run.py {name}" in output for name in run.COMMANDS)
    assert error.startswith(f"run.py does not know the word 'tset'. {run.HELP}")
    assert run.main("--version") == 0
    versions = {name: importlib.metadata.version(name) for name in ("plahelpers", "jupyterlab")}
    assert capsys.readouterr().out == "plahelpers {plahelpers}, JupyterLab {jupyterlab}\n".format(**versions)


@pytest.mark.parametrize("name", run.COMMANDS)
def test_a_command_needs_extras_that_there_are_and_runs_a_module_that_is_there(name: str) -> None:
    extras, module, _ = run.COMMANDS[name]
    assert {"fast"} <= set(extras.split(",")) <= set(EXTRAS)
    assert importlib.util.find_spec(module)


# ---- Real set-ups of a tiny project

PYPROJECT = """\
[build-system]
requires = ["flit_core"]
build-backend = "flit_core.buildapi"

[project]
name = "plahelpers"
version = "1.0"
description = "Tiny."

[project.optional-dependencies]
fast = []
lab = ["jupyterlab"]
book = ["sphinx"]

[tool.uv]
cache-keys = [{ file = "pyproject.toml" }, { file = "plahelpers/_loops.py" }]

[tool.uv.pip]
no-build-isolation = true
"""
NOWHERE = "http://127.0.0.1:9/"
LAB = """\
import os, sys, jupyterlab
print("lab", jupyterlab.version, *sys.argv[1:], "in", sys.prefix, "from", os.getcwd())
sys.exit(int(os.environ.get("CODE", "0")))
"""
# It calls the real uv, whose own wheel is large and would be unpacked in each set-up; or waits to be stopped.
UV = """\
#!{python}
import os, pathlib, subprocess, sys, time
if "HOLD" in os.environ:
    pathlib.Path(os.environ["HOLD"]).touch()
    time.sleep(1e6)
sys.exit(subprocess.call([{uv!r}, *sys.argv[1:]]))
"""


def make_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> None:
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {**files, f"{info}/METADATA": metadata.encode(), f"{info}/WHEEL": wheel.encode()}
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"]).encode()
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for file, content in files.items():
            entry = zipfile.ZipInfo(file)
            entry.external_attr = 0o100755 << 16  # executable
            archive.writestr(entry, content)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The only places where pip may look: flit_core as it is installed here, stand-ins, and uv in a folder below."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "uv").mkdir()
    flit = importlib.metadata.distribution("flit_core")
    parts = [file for file in flit.files or [] if file.parts[0] == "flit_core" and file.suffix != ".pyc"]
    make_wheel(folder, "flit_core", "4.0", {file.as_posix(): Path(str(file.locate())).read_bytes() for file in parts})
    for name, version in [("jupyterlab", "1.0"), ("jupyterlab", "2.0"), ("sphinx", "1.0")]:
        make_wheel(folder, name, version, {f"{name}.py": f"version = {version!r}".encode()})
    real = shutil.which("uv", path=sysconfig.get_path("scripts"))
    script = UV.format(python=sys.executable, uv=real).encode()
    make_wheel(folder / "uv", "uv", "1.0", {"uv-1.0.data/scripts/uv": script})
    return folder


class House:
    """A tiny project with a copy of run.py in it; where its packages are is told to pip, in a file."""

    def __init__(self, root: Path, shelf: Path) -> None:
        self.root, self.venv = root, root / ".venv"
        for folder in ("plahelpers", "book"):
            (root / folder).mkdir(parents=True)
            (root / folder / "__init__.py").touch()
        (root / "pyproject.toml").write_text(PYPROJECT)
        (root / "plahelpers" / "_loops.py").write_text("def warm_up():\n    print('compiled')\n")
        (root / "book" / "lab.py").write_text(LAB)
        (root / "book" / "make.py").write_text("import sphinx\n")
        shutil.copy(ROOT / "run.py", root)
        self.pin("1.0")
        (root / "pip.conf").write_text(
            f"[install]\nfind-links =\n    {shelf.as_uri()}\n    {(shelf / 'uv').as_uri()}\n"
        )
        self.variables = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
        self.variables |= {"PIP_CONFIG_FILE": str(root / "pip.conf"), "UV_CACHE_DIR": str(shelf / "cache")}
        self.variables |= {"PIP_INDEX_URL": NOWHERE, "PIP_RETRIES": "0", "UV_HTTP_RETRIES": "0"}
        self.variables |= {"PYTHONPATH": "elsewhere"}

    def pin(self, jupyterlab: str) -> None:
        (self.root / "requirements.txt").write_text(f"flit_core==4.0\njupyterlab=={jupyterlab}\nuv==1.0\n")

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Call run.py from another folder, in a session of its own as a terminal would."""
        command = [sys.executable, str(self.root / "run.py"), *arguments]
        options: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
        return subprocess.Popen(command, env={**self.variables, **variables}, cwd=self.root.parent, **options)

    def call(self, *arguments: str, **variables: str) -> str:
        """What run.py prints; the last lines are its exit code and what it says on stderr."""
        process = self.start(*arguments, **variables)
        out, err = process.communicate()
        assert "Traceback" not in out + err, err
        return f"{out}{process.returncode}\n{err}"

    def lab(self, version: str, *arguments: str, code: int = 0) -> str:
        """What JupyterLab prints, and the exit code."""
        return f"{' '.join(['lab', version, *arguments])} in {self.venv} from {self.root.parent}\n{code}\n"


@pytest.fixture
def house(tmp_path: Path, shelf: Path) -> House:
    """A house in which nothing is set up yet; a blank in its name, as people have it."""
    return House(tmp_path.resolve() / "my house", shelf)


@pytest.mark.slow
def test_without_uv_pip_installs_and_also_does_nothing_twice(house: House, shelf: Path) -> None:
    first = house.call(PIP_FIND_LINKS=shelf.as_uri())
    assert "so pip does" in first
    assert house.lab("1.0") in first
    assert house.call(PIP_FIND_LINKS=NOWHERE) == house.lab("1.0")


@pytest.mark.slow
def test_a_set_up_that_was_stopped_is_repaired_once_and_a_later_call_does_only_what_is_needed(house: House) -> None:
    """All in one, because a set-up takes long. Windows has no such signals, and no lock for two calls at once."""
    if os.name == "posix":
        stop_in_the_middle(house)
    calls = [house.start() for _ in range(2 if os.name == "posix" else 1)]
    outputs = [process.communicate()[0] + f"{process.returncode}\n" for process in calls]
    assert all(output.startswith("Setting up .venv") for output in outputs)
    assert all(output.endswith(house.lab("1.0")) for output in outputs)
    assert "so pip does" not in "".join(outputs)
    assert sum("compiled" in output for output in outputs) == 1
    assert not (house.venv / "half").exists()
    sees_to_another_command_other_pins_and_other_loops_in_place(house)
    does_nothing_needs_no_network_and_hands_on_arguments_and_exit_code(house)
    leaves_the_environment_as_it_was_where_pins_cannot_be_had(house)


def stop_in_the_middle(house: House) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it,
    process = house.start(HOLD=str(house.root / "held"))  # and so would what it starts
    signal.signal(signal.SIGINT, before)
    while not (house.root / "held").exists():
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate()
    assert process.returncode == -signal.SIGINT
    (house.venv / "half").touch()


def sees_to_another_command_other_pins_and_other_loops_in_place(house: House) -> None:
    (house.venv / "here before").touch()
    assert house.call("book").startswith("Setting up")
    assert house.call("book") == "0\n"
    house.pin("2.0")
    assert house.call("02.ipynb").endswith(house.lab("2.0", "02.ipynb"))
    (house.root / "plahelpers" / "_loops.py").write_text("def warm_up():\n    print('again')\n")
    assert "again" in house.call(PIP_FIND_LINKS=NOWHERE)
    assert (house.venv / "here before").exists()


def does_nothing_needs_no_network_and_hands_on_arguments_and_exit_code(house: House) -> None:
    pip = next(house.venv.glob("**/site-packages/pip"))
    pip.rename(pip.with_name("hidden"))  # so that nothing could be installed
    later = house.call("lab", "03", "a b", PIP_FIND_LINKS=NOWHERE, CODE="3")
    pip.with_name("hidden").rename(pip)
    assert later == house.lab("2.0", "03", "a b", code=3)


def leaves_the_environment_as_it_was_where_pins_cannot_be_had(house: House) -> None:
    house.pin("9.9")
    assert house.call().endswith("When that is mended, call run.py again.\n")
    house.pin("2.0")
    assert "Setting up" not in house.call()

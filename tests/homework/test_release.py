"""What students get: the command that makes it, and the zip, used where there is no copy of the repository."""

import io
import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

import run
from exercises import bundle, release
from plahelpers import _format

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = ROOT / "exercises"


NAMES = sorted(path.stem for path in (EXERCISES / "release").glob("*/*.ipynb"))


@pytest.fixture(scope="module")
def zips() -> dict[str, bytes]:
    return bundle.bundles()


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


# --- The command -----------------------------------------------------------------------------------------------------


def test_a_source_in_disorder_is_refused_with_the_reason(tmp_path):
    notebook = json.loads((EXERCISES / "source" / "hw1_pla" / "hw1_pla.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["grade_id"] = "same"
    (tmp_path / "hw9").mkdir()
    (tmp_path / "hw9" / "hw9.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(SystemExit, match=r"nbgrader refuses hw9: .*Duplicate grade id: same"):
        release.make(tmp_path)


def test_copies_that_are_missing_stale_or_strange_are_named(tmp_path):
    copies = {"hw1/hw1.ipynb": "one\n", "hw2/hw2.ipynb": "two\n"}
    release.write(copies, tmp_path / "release")
    assert release.differences(copies, tmp_path / "release") == []
    (tmp_path / "release/hw1/hw1.ipynb").write_text("other")
    (tmp_path / "release/hw2/hw2.ipynb").rename(tmp_path / "release/hw2/answers.ipynb")
    assert release.differences(copies, tmp_path / "release") == [
        "hw2/hw2.ipynb is missing",
        "hw2/answers.ipynb has no source",
        "hw1/hw1.ipynb is not what the source gives",
    ]


def test_the_command_says_whether_the_copies_are_up_to_date_and_makes_them_and_the_zips(
    monkeypatch, capsys, tmp_path, zips
):
    copies, written = {"hw1/hw1.ipynb": "one\n"}, []
    monkeypatch.setattr(release, "make", lambda: copies)
    monkeypatch.setattr(release, "write", written.append)
    monkeypatch.setattr(bundle, "bundles", lambda: zips)
    monkeypatch.setattr(bundle, "write", lambda made, folder: written.append((made, folder)))
    assert release.main(["--check"]) == 1
    assert "Make them again: python3 run.py release" in capsys.readouterr().out
    monkeypatch.setattr(release, "differences", lambda _copies: [])
    assert release.main(["--check"]) == 0
    assert "up to date" in capsys.readouterr().out
    assert (release.main(["--help"]), written) == (2, [])
    assert (release.main([]), written) == (0, [copies, (zips, EXERCISES / "bundles")])
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in printed if line.endswith("...")] == printed[:2], "it says what it does before it does it"
    assert printed[2:] == ["exercises/release/hw1/hw1.ipynb", *(f"exercises/bundles/{name}" for name in zips)]


def test_zips_replace_those_of_an_earlier_call(tmp_path):
    bundle.write({"hw1.zip": b"1", "hw2.zip": b"2"}, tmp_path / "bundles")
    bundle.write({"hw2.zip": b"two"}, tmp_path / "bundles")
    assert {path.name: path.read_bytes() for path in (tmp_path / "bundles").iterdir()} == {"hw2.zip": b"two"}


# --- The content -----------------------------------------------------------------------------------------------------


def test_a_bundle_holds_the_blank_copy_the_chapters_how_to_start_and_the_package_and_nothing_else(zips):
    assert sorted(zips) == [f"{name}.zip" for name in NAMES]
    for name in NAMES:
        files = unpacked(zips[f"{name}.zip"])
        wheel = f"plahelpers-{tomllib.loads(read('pyproject.toml'))['project']['version']}-py3-none-any.whl"
        own = ["README.txt", "constraints.txt", "environment.yml", f"{name}.ipynb", wheel, "requirements.txt"]
        beside = [path.name for path in (EXERCISES / "release" / name).iterdir()]
        assert set(files) == {f"{name}/{file}" for file in (*own, *beside, *_format.CHAPTERS.values())}
        assert files[f"{name}/{name}.ipynb"].decode() == read(f"exercises/release/{name}/{name}.ipynb")
        assert files[f"{name}/constraints.txt"].decode() == read("requirements.txt")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_wheel_holds_every_file_of_the_package_and_none_besides(zips):
    (wheel,) = (data for path, data in unpacked(zips[f"{NAMES[0]}.zip"]).items() if path.endswith(".whl"))
    names = {name for name in unpacked(wheel) if ".dist-info/" not in name}
    tracked = subprocess.run(["git", "ls-files", "plahelpers"], cwd=ROOT, check=False, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("this is not a clone")
    assert names == set(tracked.stdout.splitlines())
    assert {Path(name).suffix for name in names} >= {".py", ".toml", ".csv", ".js", ".css"}


def test_the_same_source_gives_the_same_bytes_whatever_the_clock_says(zips, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("TZ", "Asia/Taipei")
    assert bundle.bundles() == zips


def test_what_a_bundle_installs_is_what_run_py_installs_for_jupyterlab(zips):
    extras, *_ = run.COMMANDS["lab"]
    for name in NAMES:
        files = unpacked(zips[f"{name}.zip"])
        (wheel,) = (Path(path).name for path in files if path.endswith(".whl"))
        lines = files[f"{name}/requirements.txt"].decode().splitlines()
        assert lines[1:] == ["-c constraints.txt", f"./{wheel}[{extras}]"]
        with_pip = yaml.safe_load(files[f"{name}/environment.yml"])["dependencies"][-1]
        assert with_pip == {"pip": ["-r requirements.txt"]}


def test_the_readme_is_short_plain_and_names_the_files_that_are_there(zips):
    for name in NAMES:
        files = unpacked(zips[f"{name}.zip"])
        text = files[f"{name}/README.txt"].decode()
        assert text.startswith("Homework ")
        assert "{" not in text
        assert text.count("\n") <= 25
        assert max(map(len, text.splitlines())) <= 120
        named = set(re.findall(r"[\w.]+\.(?:ipynb|txt|yml)", text))
        assert {f"{name}/{file}" for file in named} <= set(files)
        assert named == {f"{name}.ipynb", "requirements.txt", "environment.yml"}


# --- Elsewhere -------------------------------------------------------------------------------------------------------

RUN = """
import json, sys
import nbformat
from nbclient import NotebookClient

name = sys.argv[1]
notebook = nbformat.read(f"{name}.ipynb", 4)
(cell,) = [cell for cell in notebook.cells if 'student = ""' in cell.source]
cell.source = cell.source.replace('""', '"B12902001"')
notebook.cells.append(nbformat.v4.new_code_cell("import plahelpers, sys\\nprint(plahelpers.__file__, *sys.path)"))
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
nbformat.write(notebook, "done.ipynb")
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory, zips) -> Path:
    """The Python of a new environment: the wheel is installed, others' packages are seen, and nothing else of ours."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder / "env", symlinks=os.name == "posix")
    scheme = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    site = Path(sysconfig.get_path("purelib", "venv", scheme))
    others = {sysconfig.get_path(key) for key in ("purelib", "platlib")}
    (site / "others.pth").write_text(
        "\n".join(others)
    )  # of their own .pth files, as of an editable install, none counts
    python = folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    (path,) = (path for path in unpacked(zips[f"{NAMES[0]}.zip"]) if path.endswith(".whl"))
    wheel = folder / Path(path).name
    wheel.write_bytes(unpacked(zips[f"{NAMES[0]}.zip"])[path])
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True)
    return python


@pytest.mark.parametrize("name", NAMES)
def test_a_bundle_runs_where_there_is_no_repository_and_its_checks_say_your_turn(name, zips, environment, tmp_path):
    with zipfile.ZipFile(io.BytesIO(zips[f"{name}.zip"])) as archive:
        archive.extractall(tmp_path)
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    own = {"IPYTHONDIR": str(tmp_path / "ipython"), "JUPYTER_DATA_DIR": str(tmp_path / "data")}
    command = [str(environment), "-c", RUN, name]
    done = subprocess.run(
        command, cwd=tmp_path / name, env=variables | own, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    cells = json.loads((tmp_path / name / "done.ipynb").read_text(encoding="utf-8"))["cells"]
    *outputs, where = ["".join(map(words, cell["outputs"])) for cell in cells if cell["cell_type"] == "code"]
    package, *path = where.split()
    assert package.startswith(str(environment.parents[1]))
    assert str(ROOT) not in path  # what others have made may lie in its .venv, which is no sight of the repository
    pairs = zip(filter(is_code, cells), outputs, strict=False)
    checks = [text for cell, text in pairs if re.search(r"(?m)^(check\(|checks\.\w+\()", source(cell))]
    assert len(checks) >= 5
    assert [text for text in checks if ": your turn." not in text] == []


def is_code(cell) -> bool:
    return cell["cell_type"] == "code"


def source(cell) -> str:
    return "".join(cell["source"])


def words(output) -> str:
    text = output["text"] if "text" in output else output["data"].get("text/plain", "")
    return "".join(text)

"""What students get: the command that makes it, no answer in it, and the zip, used where there is no repository."""

import ast
import io
import json
import re
import subprocess
import tomllib
import zipfile
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import run
from benchmarks import grading
from exercises import bundle, release
from plahelpers import _format
from tests.homework.assignments import EXERCISES, NAMES, cells, prefix, source

ROOT = EXERCISES.parent


@pytest.fixture(scope="module")
def zips() -> dict[str, bytes]:
    return bundle.bundles()


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def wheel_in(zips: dict[str, bytes]) -> tuple[str, bytes]:
    return next((Path(name).name, data) for name, data in unpacked(zips["hw1_pla.zip"]).items() if name[-4:] == ".whl")


# --- The command -----------------------------------------------------------------------------------------------------


def test_the_command_makes_tables_copies_and_zips_and_takes_away_what_is_no_more(monkeypatch, capsys, tmp_path):
    release.write({"release/hw0/hw0.ipynb": b"old", "bundles/hw0.zip": b"old"}, tmp_path)
    monkeypatch.setattr(release, "HERE", tmp_path)
    monkeypatch.setattr(release, "tables", lambda: {tmp_path / "cases.json": "{}"})
    monkeypatch.setattr(release, "make", lambda: {"hw1/hw1.ipynb": b"one\n"})
    monkeypatch.setattr(bundle, "bundles", lambda: {"hw1.zip": b"zip"})
    release.main()
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert made == {"cases.json", "release/hw1/hw1.ipynb", "bundles/hw1.zip"}
    assert capsys.readouterr().out.endswith("exercises/release/hw1/hw1.ipynb\nexercises/bundles/hw1.zip\n")


@pytest.mark.slow
def test_nbgrader_itself_releases_homework_without_its_answers_and_grades_it(tmp_path):
    from nbgrader.api import Gradebook

    grading.hand_in(tmp_path, 1)
    released = {path.name for path in (tmp_path / "release" / "hw1_pla").iterdir()}
    assert released == {"hw1_pla.ipynb", "hw1_data.py", "hw1_cases.json"}
    grading.run(tmp_path, "nbgrader", "autograde", "hw1_pla")
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
        assert gradebook.find_submission("hw1_pla", "b0000").score == 64  # the rest is graded by hand


# --- The content -----------------------------------------------------------------------------------------------------


def test_a_bundle_holds_the_copy_the_chapters_summary_and_glossary_the_package_and_nothing_else(zips):
    assert sorted(zips) == [f"{name}.zip" for name in NAMES]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    for name in NAMES:
        files = unpacked(zips[f"{name}.zip"])
        own = [f"{name}.ipynb", f"{prefix(name)}_data.py", f"{prefix(name)}_cases.json", "summary.md", "glossary.md"]
        start = ["README.txt", "constraints.txt", "environment.yml", "requirements.txt"]
        wheel = f"plahelpers-{version}-py3-none-any.whl"
        assert set(files) == {f"{name}/{file}" for file in (*own, *start, wheel, *_format.CHAPTERS.values())}
        for file in own[:3]:
            assert files[f"{name}/{file}"] == (EXERCISES / "release" / name / file).read_bytes()
        readme = files[f"{name}/README.txt"].decode()
        assert readme.startswith("Homework ")
        assert "{" not in readme
        assert {f"{name}/{file}" for file in re.findall(r"[\w.]+\.(?:ipynb|txt|yml|md)", readme)} <= set(files)
        requirements = files[f"{name}/requirements.txt"].decode().splitlines()
        assert requirements[1:] == ["-c constraints.txt", f"./{wheel}[{run.COMMANDS['lab'][0]}]"]


def test_the_wheel_holds_every_file_of_the_package_and_none_besides(zips):
    names = {name for name in unpacked(wheel_in(zips)[1]) if ".dist-info/" not in name}
    tracked = subprocess.run(["git", "ls-files", "plahelpers"], cwd=ROOT, check=False, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("this is not a clone")
    assert names == set(tracked.stdout.splitlines())


def secrets(assignment: str) -> set[str]:
    """The body of every function of a solution, and the model answers of its notebook."""
    text = (EXERCISES / "source" / assignment / "solution.py").read_text(encoding="utf-8")
    found = {
        "\n".join(ast.get_source_segment(text, statement) for statement in node.body if not is_docstring(statement))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    }
    for cell in cells(assignment):
        found |= set(re.findall(r"(?s)### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)\n *### END", source(cell)))
    return {body for body in found if len(body) > 25}


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def test_neither_wheel_nor_zip_nor_release_holds_a_solution_a_hidden_test_or_a_right_function(zips):
    handed_out = dict(unpacked(wheel_in(zips)[1]))
    for name in NAMES:
        handed_out |= unpacked(zips[f"{name}.zip"])
        handed_out |= {str(path): path.read_bytes() for path in (EXERCISES / "release" / name).iterdir()}
    texts = dict[str, str]()
    for name, data in handed_out.items():
        assert not re.search(r"solution|test_", Path(name).name), name
        if name.endswith((".py", ".json")):
            texts[name] = data.decode()
        elif name.endswith(".ipynb"):
            texts[name] = "\n".join(source(cell) for cell in json.loads(data)["cells"])
    for assignment in NAMES:
        bodies = secrets(assignment)
        assert len(bodies) > 25
        for name, text in texts.items():
            assert [body for body in bodies if body in text] == [], name


# --- Elsewhere -------------------------------------------------------------------------------------------------------

MODULES = """import sys
for module in list(sys.modules.values()):
    print(getattr(module, "__file__", None))"""


def test_a_bundle_asks_for_an_id_then_runs_without_the_repository_and_its_checks_say_your_turn(
    zips, tmp_path, monkeypatch
):
    name = "hw3_pocket"  # which reads data of the package, too
    files = {**unpacked(zips[f"{name}.zip"]), **unpacked(wheel_in(zips)[1])}  # the wheel is unpacked, as if installed
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(tmp_path / name / f"{name}.ipynb", 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    start = deepcopy(code[:2])  # without an id
    code[0].source = code[0].source.replace('""', '"B12902001"')
    notebook.cells = [*start, *code, nbformat.v4.new_code_cell(MODULES)]
    where = {"metadata": {"path": str(tmp_path / name)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", allow_errors=True, resources=where).execute()
    ((asked, error),) = [(k, output) for k, cell in enumerate(notebook.cells) for output in errors(cell)]
    assert (asked, error.ename, error.traceback) == (1, "EmptyId", [error.evalue])
    assert error.evalue.startswith("Whose data are these?")
    modules = [Path(module) for module in text(notebook.cells[-1]).splitlines()]
    assert tmp_path / "plahelpers" / "checks" / "table.py" in modules
    assert [path for path in modules if path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / ".venv")] == []
    checks = [text(cell) for cell in code if re.search(r"(?m)^(check\(|checks\.\w+\()", source(cell))]
    assert len(checks) >= 5
    assert [text for text in checks if ": your turn." not in text] == []


def errors(cell):
    return [output for output in cell.outputs if output.output_type == "error"]


def text(cell):
    return "".join(output.get("text") or output.data.get("text/plain", "") for output in cell.outputs)

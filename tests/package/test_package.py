"""What the top level offers, what importing it costs, and which module may import which."""

import ast
import subprocess
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter

import pytest

import plahelpers
from tests.package import layers
from tests.package.layers import ANYWHERE, PACKAGE, files, graph, libraries, own, plan


def test_every_name_in_the_stub_is_there_and_stands_there_once():
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    names = [alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert len(names) == len(set(names))
    assert set(names) == set(plahelpers.__all__)
    for name in names:
        assert getattr(plahelpers, name) is not None
        assert name in dir(plahelpers)


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="perceptron"):
        plahelpers.perceptron  # noqa: B018


def test_every_public_name_and_every_file_explains_itself():
    for name in plahelpers.__all__:
        assert getattr(plahelpers, name).__doc__, name
    for path in PACKAGE.rglob("*.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_importing_loads_nothing_slow():
    slow = ("numba", "scipy", "sklearn", "matplotlib", "ipywidgets")
    code = f"import plahelpers, sys; print([m for m in {slow} if m in sys.modules])"
    names = "from plahelpers import pla, separate, repeat_pla, running_example; " + code
    for program in (code, names):
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert result.stdout.strip() == "[]"


def test_the_plan_in_contributing_lists_every_module():
    there = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert set(plan()) == there - {"__init__"}


def test_the_package_can_be_seen_at_a_glance():
    entries = {path.name for path in PACKAGE.iterdir()} - {"__pycache__"}
    assert len(entries) <= 22


@pytest.mark.parametrize("module", plan())
def test_a_module_imports_what_the_plan_allows(module):
    order = list(plan())
    above = set(order[: order.index(module)])
    imported = set().union(*(own(path) for path in files(module))) - {module}
    assert imported <= above
    assert set().union(*(libraries(path) for path in files(module))) - ANYWHERE == plan()[module]


@pytest.mark.parametrize("module", [module for module in plan() if len(files(module)) > 1])
def test_the_files_of_a_sub_package_import_each_other_in_one_direction(module):
    TopologicalSorter(graph(module)).prepare()  # raises if there is a cycle


def test_a_cycle_of_imports_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(layers, "PACKAGE", tmp_path / "plahelpers")
    folder = tmp_path / "plahelpers" / "inner"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from plahelpers.inner.one import f\n")
    (folder / "one.py").write_text("from .two import g\n")
    (folder / "two.py").write_text("def g():\n    from plahelpers import inner\n")
    with pytest.raises(CycleError, match=r"inner.one.*inner.two|inner.two.*inner.one"):
        TopologicalSorter(graph("inner")).prepare()


def test_relative_and_dotted_imports_are_seen(tmp_path, monkeypatch):
    """The reader of imports is a test's eyes: it must not be blind to any of the forms that an import can take."""
    monkeypatch.setattr(layers, "PACKAGE", tmp_path)
    source = "from . import a\nfrom .b import c\nfrom .. import d\nimport plahelpers.e.f\nimport scipy.optimize\n"
    (tmp_path / "inner").mkdir()
    path = tmp_path / "inner" / "module.py"
    path.write_text(source)
    assert own(path) == {"inner", "d", "e"}
    assert libraries(path) == {"scipy"}


def test_the_version_is_said_in_one_way():
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert plahelpers.__version__ == project["version"]


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists()

"""What the top level offers, what importing it costs, and which module may import which: the table in CONTRIBUTING."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

import plahelpers

PACKAGE = Path(plahelpers.__file__).parent
ANYWHERE = {"numpy", "lazy_loader", "typing_extensions"}

# --- the top level ---------------------------------------------------------------------------------------------------


def test_every_name_in_the_stub_is_there_explains_itself_and_stands_there_once():
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    names = [alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(names) == sorted(set(plahelpers.__all__))
    for name in names:
        assert getattr(plahelpers, name).__doc__, name
        assert name in dir(plahelpers)


def test_importing_loads_nothing_slow():
    slow = ("numba", "scipy", "sklearn", "matplotlib", "ipywidgets")
    code = f"import plahelpers, sys; print([m for m in {slow} if m in sys.modules])"
    names = "from plahelpers import pla, separate, repeat_pla, running_example; " + code
    for program in (code, names):
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert result.stdout.strip() == "[]"


def test_the_version_is_said_in_one_way_and_the_package_is_typed():
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert plahelpers.__version__ == project["version"]
    assert (PACKAGE / "py.typed").exists()


# --- the modules -----------------------------------------------------------------------------------------------------


def plan() -> dict[str, set[str]]:
    """The rows of the table in order: each module, and the libraries that it may import besides NumPy."""
    text = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (`[\w`, ]+`) \|[^|]*\|([^|]*)\|$", text)
    return {
        module: set(re.findall(r"[\w-]+", libraries.replace("scikit-learn", "sklearn")))
        for modules, libraries in rows
        for module in re.findall(r"`(\w+)`", modules)
    }


def files(module: str) -> list[Path]:
    """The file of a module, or the files of a sub-package."""
    folder = PACKAGE / module
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [PACKAGE / f"{module}.py"]


@cache
def imports(path: Path) -> frozenset[str]:
    """The full names of all that a file imports, wherever in the file."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports from '.': write the module's full name"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def test_the_plan_in_contributing_lists_every_module():
    there = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert set(plan()) == there - {"__init__"}


@pytest.mark.parametrize("module", plan())
def test_a_module_imports_what_the_plan_allows(module):
    order = list(plan())
    names = set().union(*(imports(path) for path in files(module)))
    own = {name.split(".")[1] for name in names if name.startswith("plahelpers.")}
    assert own <= set(order[: order.index(module) + 1])
    libraries = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"plahelpers", "__future__"}
    assert libraries - ANYWHERE == plan()[module]

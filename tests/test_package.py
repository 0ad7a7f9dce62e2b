"""The house at a glance: what the top level offers, what it costs, who may import whom."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import plahelpers

PACKAGE = Path(plahelpers.__file__).parent

# Data flows down this list: a room may import from the rooms above it, never from below.
ROOMS = [
    "_inputs",
    "_words",
    "hypothesis",
    "_reader",
    "datasets",
    "_loops",
    "learning",
    "_exact",
    "_sweep",
    "guarantee",
    "experiments",
    "homework",
    "estimators",
    "_look",
    "_pictures_base",
    "_pictures_plane",
    "_pictures_walk",
    "_pictures_proof",
    "_pictures_learning",
    "plots",
    "_scene",
    "stage",
    "_stepper",
    "widgets",
    "_quiz_text",
    "_quiz_pictures",
    "_quiz_generators",
    "_quiz_file",
    "quizzes",
    "_worker",
    "_guard",
    "_wrong_base",
    "_wrong_hypothesis",
    "_wrong_pla",
    "_wrong_proof",
    "_wrong_pocket",
    "_wrong_greedy",
    "_wrong_data",
    "_cases",
    "_check_report",
    "_check_answers",
    "_check_tasks",
    "_check_diagnosis",
    "_check_voice",
    "_check_values",
    "checks",
]


def test_every_name_on_offer_is_there():
    for name in plahelpers.__all__:
        assert getattr(plahelpers, name) is not None
        assert name in dir(plahelpers)


def test_what_a_type_checker_sees_is_what_is_on_offer():
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    (guarded,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.name for node in guarded.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen == set(plahelpers.__all__)


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="plahelpers has no 'perceptron'"):
        plahelpers.perceptron  # noqa: B018


def test_every_public_name_explains_itself():
    for name in plahelpers.__all__:
        if name not in plahelpers._ROOMS:
            assert getattr(plahelpers, name).__doc__, name
    for room in ROOMS:
        assert ast.get_docstring(ast.parse((PACKAGE / f"{room}.py").read_text(encoding="utf-8"))), room


def test_importing_loads_nothing_slow():
    slow = ("numba", "scipy", "sklearn", "matplotlib", "ipywidgets")
    code = f"import plahelpers, sys; print([m for m in {slow} if m in sys.modules])"
    names = "from plahelpers import pla, separate, repeat_pla, running_example; " + code
    for program in (code, names):
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert result.stdout.strip() == "[]"


def test_every_room_is_on_the_plan():
    assert sorted(path.stem for path in PACKAGE.glob("*.py")) == sorted(["__init__", *ROOMS])


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_the_rooms_above_it(room):
    tree = ast.parse((PACKAGE / f"{room}.py").read_text(encoding="utf-8"))
    used = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("plahelpers"):
            inside = node.module.removeprefix("plahelpers").removeprefix(".")
            used |= {inside} if inside else {alias.name for alias in node.names}
    assert used <= set(ROOMS[: ROOMS.index(room)])


def test_the_version_is_said_in_one_way():
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert plahelpers.__version__ == project["version"]


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists()

"""The assignments as tests see them: their notebooks, and a notebook run in its folder as a student's kernel does."""

import contextlib
import json
import sys
from importlib import import_module
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from exercises.grader.judge import run_test
from plahelpers import checks
from plahelpers._guard import Outcome
from plahelpers.checks import judge
from plahelpers.checks.report import recording
from plahelpers.checks.task import Endless

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
NAMES = sorted(path.parent.name for path in (EXERCISES / "source").glob("*/solution.py"))


def cells(assignment, folder="source"):
    return json.loads((EXERCISES / folder / assignment / f"{assignment}.ipynb").read_text(encoding="utf-8"))["cells"]


def source(cell):
    return "".join(cell["source"])


def about(cell):
    return cell["metadata"].get("nbgrader", {})


def graded(assignment):
    return [cell for cell in cells(assignment) if about(cell).get("grade")]


def hidden_tests(assignment):
    return [cell for cell in graded(assignment) if cell["cell_type"] == "code"]


def prefix(assignment):
    """hw1, of hw1_pla."""
    return assignment.partition("_")[0]


def solution(assignment):
    return import_module(f"exercises.source.{assignment}.solution")


@contextlib.contextmanager
def beside(assignment):
    """Stand in the folder of a notebook, as its kernel does."""
    data = import_module(f"exercises.source.{assignment}.{prefix(assignment)}_data")
    with contextlib.chdir(EXERCISES / "source" / assignment), pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, data.__name__.rpartition(".")[2], data)
        yield


@contextlib.contextmanager
def in_this_process():
    """Checks call functions here, not in a process of their own: what is judged in these tests does no harm."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "run_guarded", lambda function, cases, **_: [call(function, case) for case in cases])
        yield


def call(function, case):
    arguments = [np.array(each) if np.ndim(each) else each for each in case]
    try:
        value = function(*arguments)
    except Endless:
        return Outcome("slow")
    except Exception as error:
        return Outcome("raised", error=type(error).__name__)
    changed = [k for k, (one, other) in enumerate(zip(arguments, case, strict=True)) if not np.array_equal(one, other)]
    return Outcome("returned", value, changed=tuple(changed))


def run(assignment, student, folder="source", with_checks=False):
    """What is known after the student's own cells, with this id, and the reports of the open checks if asked for."""
    plt.switch_backend("Agg")  # pictures are drawn, and shown to nobody
    namespace, values = {}, []
    with beside(assignment), in_this_process():
        for cell in cells(assignment, folder):
            if cell["cell_type"] == "code" and not about(cell).get("grade"):
                if with_checks or not source(cell).startswith(("checks.", "check(")):
                    values.append(run_test(source(cell), namespace))
                if about(cell).get("grade_id") == "student":
                    namespace["student"] = student
    plt.close("all")
    return namespace, [value for value in values if isinstance(value, checks.Report)]


def outcome(cell, namespace):
    """The points that a hidden test gives, as nbgrader reads them, and the report."""
    with recording() as reports, in_this_process():
        try:
            marks = run_test(source(cell), dict(namespace))
        except checks.NotPassedError as error:
            return 0, error.report
    return about(cell)["points"] if marks is None else marks, reports[-1][0]


def marks_of(assignment, namespace):
    """The points of each hidden test."""
    return {about(cell)["grade_id"]: float(outcome(cell, namespace)[0]) for cell in hidden_tests(assignment)}

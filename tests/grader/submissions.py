"""Submissions as students hand them in, made from an assignment's source notebook; each is the bytes of a file."""

import base64
import copy
import csv
import html
import io
import json
import re
from pathlib import Path
from typing import Any

from PIL import Image

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
Notebook = dict[str, Any]


def code_cell(source: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None, **more}


def packed(notebook: Notebook | bytes) -> bytes:
    return notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()


def solved(source: bytes, student: str) -> Notebook:
    """The source's own solutions; of the tests only what is not hidden."""
    notebook = json.loads(source)
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        text = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", text, flags=re.S)
        cell["source"] = re.sub(r"^ *### (BEGIN|END) SOLUTION\n?", "", text, flags=re.M).strip()
    return signed(notebook, student)


def blank(source: bytes, student: str) -> Notebook:
    """As it is handed out, and nothing done but to put one's id in."""
    notebook = json.loads(source)
    for cell in notebook["cells"]:
        stub = "# Your turn." if cell["cell_type"] == "code" else "*Your answer here.*"
        text = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", stub, "".join(cell["source"]), flags=re.S)
        cell["source"] = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", text, flags=re.S)
    return signed(notebook, student)


def signed(notebook: Notebook, student: str) -> Notebook:
    """With this id in the first cell that has one."""
    cell = next(cell for cell in notebook["cells"] if re.search(r"^student = ", cell["source"], re.M))
    cell["source"] = re.sub(r"^student = .*$", lambda _: f"student = {student!r}", cell["source"], flags=re.M)
    return notebook


def place_of(notebook: Notebook, text: str) -> int:
    return next(k for k, cell in enumerate(notebook["cells"]) if text in cell["source"])


def changed(notebook: Notebook, old: str, new: str) -> Notebook:
    notebook = copy.deepcopy(notebook)
    cell = notebook["cells"][place_of(notebook, old)]
    cell["source"] = cell["source"].replace(old, new)
    return notebook


def with_cell(notebook: Notebook, name: str, source: str) -> Notebook:
    """Another text in the cell that defines a function."""
    notebook = copy.deepcopy(notebook)
    notebook["cells"][place_of(notebook, f"def {name}(")]["source"] = source
    return notebook


def with_extra(notebook: Notebook, source: str, at: int | None = None) -> Notebook:
    """One more cell: at the end, or before another one."""
    notebook = copy.deepcopy(notebook)
    notebook["cells"].insert(len(notebook["cells"]) if at is None else at, code_cell(source))
    return notebook


def _is_locked(cell: dict[str, Any]) -> bool:
    return bool(cell["metadata"].get("nbgrader", {}).get("locked"))


def unlocked(notebook: Notebook) -> Notebook:
    """Every locked cell is replaced by one that claims success."""
    notebook = copy.deepcopy(notebook)
    for cell in filter(_is_locked, notebook["cells"]):
        cell["source"] = "X, y, points, passed = 0, 0, 100, True\npoints"
    return notebook


def stripped(notebook: Notebook) -> Notebook:
    """Without locked cells, and saved by a program that keeps no metadata."""
    cells = [{**cell, "metadata": {}} for cell in notebook["cells"] if not _is_locked(cell)]
    return {**notebook, "cells": cells, "metadata": {}}


def picture(kind: str = "PNG") -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(buffer, kind)
    return base64.b64encode(buffer.getvalue()).decode()


# --- What came out ---------------------------------------------------------------------------------------------------


def rows_of(target: Path) -> dict[str, dict[str, str]]:
    """The scores of each student, in a folder of results."""
    with (target / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def pages_of(target: Path) -> dict[str, str]:
    pages = [path.read_text(encoding="utf-8") for path in (target / "feedback").iterdir()]
    return {html.unescape(re.findall(r"<h1>(.*?)</h1>", page)[0]): page for page in pages}


def text_of(page: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page.partition("</head>")[2])))


# --- A small assignment ----------------------------------------------------------------------------------------------

PLA = """def pla(X, y):
    'Find a mistake, correct it, until there are no more.'
    ### BEGIN SOLUTION
    Z = np.column_stack([np.ones(len(X)), X])
    w, clean, n, picks = np.zeros(Z.shape[1]), 0, 0, []
    while clean < len(y):
        if (w @ Z[n] > 0) == (y[n] > 0):
            clean += 1
        else:
            w, clean, picks = w + y[n] * Z[n], 0, [*picks, n]
        n = (n + 1) % len(y)
    return w, len(picks)
    ### END SOLUTION"""
SIGN = """def sign(w, X, y):
    'The indices of the examples whose sign is wrong.'
    ### BEGIN SOLUTION
    return np.flatnonzero((X @ w[1:] + w[0] > 0) != (y > 0))
    ### END SOLUTION"""
DATA = """import zlib

import numpy as np
from plahelpers import checks
from plahelpers.datasets import separable


def my_data(student):
    assert student, "no id"
    return separable(20, rng=zlib.crc32(student.encode()))


X, y = my_data(student)"""
UPDATES_TEST = f"""from plahelpers import learning
{DATA}
right = learning.pla(X, y).updates
given = checks.Given(lambda: pla(X, y)[1], checks.pla(pla, seed=5))
checks.number(updates, right, 'the number of updates', tolerance=0, given=given).require()"""
WHY = """### BEGIN SOLUTION
**Model answer.** Because w and w_f turn towards each other.

**Rubric (5 points).** 5 for $w^T w_f$.
### END SOLUTION"""


def _marked(kind: str, source: str, id: str, points: float = 0, **marks: bool) -> dict[str, Any]:
    marks = {"grade": False, "locked": False, "solution": False, "task": False, **marks}
    nbgrader = {"grade_id": id, "points": points, "schema_version": 3, **marks}
    cell = code_cell(source) if kind == "code" else {"cell_type": "markdown", "source": source}
    return {**cell, "metadata": {"nbgrader": nbgrader}}


def hidden_test(id: str, points: float, source: str) -> dict[str, Any]:
    """A cell that gives points."""
    text = f"### BEGIN HIDDEN TESTS\nfrom plahelpers import checks\n{source}\n### END HIDDEN TESTS"
    return _marked("code", text, id, points, grade=True, locked=True)


def small_source(sign_test: str = "checks.mistakes(sign, seed=5).marks(2)") -> bytes:
    """Four questions: a function, another one with points for its parts, a number from it, and one graded by hand."""
    text = {"cell_type": "markdown", "metadata": {}}
    cells = [
        code_cell("student = 'nobody'"),
        _marked("code", DATA, "data", locked=True),
        {**text, "source": "## 1. The sign"},
        _marked("code", SIGN, "sign", solution=True),
        code_cell("checks.mistakes(sign)"),
        hidden_test("sign-test", 2, sign_test),
        {**text, "source": "## 2. PLA"},
        _marked("code", PLA, "pla", solution=True),
        hidden_test("pla-test", 4, "checks.pla(pla, seed=5).marks(2, 2)"),
        {**text, "source": "## 3. How many updates?"},
        _marked("code", "### BEGIN SOLUTION\nupdates = pla(X, y)[1]\n### END SOLUTION", "updates", solution=True),
        hidden_test("updates-test", 3, UPDATES_TEST),
        {**text, "source": "## 4. Why does it halt?"},
        _marked("markdown", WHY, "why", 5, grade=True, solution=True),
    ]
    return packed({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


SMALL = small_source()


def good(student: str = "b09", source: bytes = SMALL) -> Notebook:
    return solved(source, student)

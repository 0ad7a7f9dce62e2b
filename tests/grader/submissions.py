"""Submissions as students hand them in: solved, blank, wrong in one place, cut to pieces, and out to do harm.

They are made from an assignment's source notebook, as nbgrader would hand it out; each is the bytes of a file.
"""

import copy
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from exercises.grader import sandbox

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
PLAIN = sandbox.Limits(cell_seconds=3, megabytes=400, printed_megabytes=20, file_megabytes=16, bubblewrap=False)
LIMITS = replace(PLAIN, bubblewrap=not sandbox.why_no_bubblewrap())  # in a sandbox, where there can be one
Notebook = dict[str, Any]


def code_cell(source: str) -> dict[str, Any]:
    """A cell that a student has added."""
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}


def packed(notebook: Notebook) -> bytes:
    return json.dumps(notebook).encode()


def solved(source: bytes, student: str) -> Notebook:
    """The source's own solutions; of the tests only what is not hidden."""
    notebook = json.loads(source)
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        text = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", text, flags=re.S)
        cell["source"] = re.sub(r"^ *### (BEGIN|END) SOLUTION\n?", "", text, flags=re.M)
    return signed(notebook, student)


def blank(source: bytes, student: str) -> Notebook:
    """As nbgrader hands it out with the settings of the course, and nothing done but to put one's id in."""
    import nbformat
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions
    from traitlets.config.loader import PyFileConfigLoader

    config = PyFileConfigLoader(str(EXERCISES / "nbgrader_config.py")).load_config()
    notebook = nbformat.from_dict(json.loads(source))
    for cell in notebook.cells:
        cell.source = "".join(cell.source)
    for step in (ClearSolutions(config=config), ClearHiddenTests(config=config)):
        notebook, _ = step.preprocess(notebook, {})
    return signed(json.loads(json.dumps(notebook)), student)


def signed(notebook: Notebook, student: str) -> Notebook:
    """With this id in the first cell that has one."""
    cell = next(cell for cell in notebook["cells"] if re.search(r"^student = ", cell["source"], re.M))
    cell["source"] = re.sub(r"^student = .*$", lambda _: f"student = {student!r}", cell["source"], flags=re.M)
    return notebook


def place_of(notebook: Notebook, name: str) -> int:
    """Where a function is defined."""
    return next(k for k, cell in enumerate(notebook["cells"]) if re.search(rf"^def {name}\(", cell["source"], re.M))


def with_cell(notebook: Notebook, name: str, source: str) -> Notebook:
    """Another text in the cell that defines a function."""
    changed = copy.deepcopy(notebook)
    changed["cells"][place_of(changed, name)]["source"] = source
    return changed


def with_extra(notebook: Notebook, source: str, at: int | None = None) -> Notebook:
    """One more cell: at the end, or before another one."""
    changed = copy.deepcopy(notebook)
    changed["cells"].insert(len(changed["cells"]) if at is None else at, code_cell(source))
    return changed


# --- Cut to pieces ---------------------------------------------------------------------------------------------------


def split(notebook: Notebook) -> Notebook:
    """Every code cell in two where there is an empty line; the second part is new to nbgrader."""
    changed, cells = copy.deepcopy(notebook), []
    for cell in changed["cells"]:
        first, gap, second = cell["source"].partition("\n\n")
        if cell["cell_type"] == "code" and gap and not second.startswith(" ") and not is_locked(cell):
            cells += [{**cell, "source": first}, code_cell(second)]
        else:
            cells.append(cell)
    return {**changed, "cells": cells}


def doubled(notebook: Notebook, unsolved: Notebook) -> Notebook:
    """Every cell twice: first filled in, then once more as it was handed out."""
    pairs = zip(notebook["cells"], unsolved["cells"], strict=True)
    return {**notebook, "cells": [cell for pair in pairs for cell in pair]}


def backwards(notebook: Notebook) -> Notebook:
    """The cells in reverse order."""
    return {**notebook, "cells": notebook["cells"][::-1]}


def is_locked(cell: dict[str, Any]) -> bool:
    return bool(cell["metadata"].get("nbgrader", {}).get("locked"))


def unlocked(notebook: Notebook) -> Notebook:
    """Every locked cell of code is replaced by one that claims success."""
    changed = copy.deepcopy(notebook)
    for cell in changed["cells"]:
        if is_locked(cell) and cell["cell_type"] == "code":
            cell["source"] = "X, y, points, passed = 0, 0, 100, True\npoints"
    return changed


def unlocked_and_gone(notebook: Notebook) -> Notebook:
    """Every locked cell is deleted."""
    return {**notebook, "cells": [cell for cell in notebook["cells"] if not is_locked(cell)]}


def without_marks(notebook: Notebook) -> Notebook:
    """Saved by a program that keeps no metadata."""
    return {**notebook, "cells": [{**cell, "metadata": {}} for cell in notebook["cells"]], "metadata": {}}


def of_another_language(notebook: Notebook) -> Notebook:
    kernel = {"name": "ir", "language": "R", "display_name": "R"}
    return {**notebook, "metadata": {"kernelspec": kernel}}


def of_old(notebook: Notebook) -> Notebook:
    """In the format that notebooks had before 2015."""
    cells = [{**cell, "input": cell["source"]} if cell["cell_type"] == "code" else cell for cell in notebook["cells"]]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}


# --- Out to do harm --------------------------------------------------------------------------------------------------

ENDLESS = "while True: pass"
PRINTS_A_GIGABYTE = "while True: print('again' * 10_000)"
EATS_MEMORY = "eaten = []\nwhile True: eaten.append(bytearray(10**7))"
BITES_MEMORY = "eaten = bytearray(64 * 2**30)"
LEAVES = "import sys\nsys.exit(0)"
KILLS_ITSELF = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
KILLS_ITS_PARENT = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"
FORKS = "import os\nwhile True: os.fork()"
FILLS_THE_DISK = "with open('big', 'wb') as file:\n    while True: file.write(bytes(10**6))"
ASKS_THE_NETWORK = "import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=3)"
ASKS_A_NAME = "import urllib.request\nurllib.request.urlopen('http://example.org', timeout=3)"
REPLACES_THE_CHECKER = """
import builtins
from plahelpers import checks

class Praise:
    passed, messages, cases, mistake = True, ("right",), (), None
    def require(self):
        return 100

for name in checks.__all__:
    setattr(checks, name, lambda *_, **__: Praise())
checks.Report.require = lambda self: None
builtins.AssertionError = builtins.NameError = ZeroDivisionError
"""
SPOILS_ITS_OWN_ANSWERS = "from plahelpers.guard import worker\nworker.encode = lambda *_: {'points': 100}"
_WRITES = """
import os
for pipe in range(3, 64):
    try:
        os.write(pipe, {!r})
    except OSError:
        pass
"""
FORGES_ANSWERS = _WRITES.format(
    b'{"kind": "returned", "value": {"array": "O", "shape": [1], "data": "AAAAAAAAAAA="}}\n'
)
NAMES_OUR_FILES = _WRITES.format(b'{"kind": "raised", "error": "E", "file": "/etc/passwd", "line": 1}\n')
RIGHT_SIGN = "def sign(w, X):\n    return np.where(X @ w[1:] + w[0] > 0, 1, -1)"
WRONG_SIGNS = {  # by the id of the mistake
    "zero_is_plus": "def sign(w, X):\n    return np.where(X @ w[1:] + w[0] >= 0, 1, -1)",
    "zero_is_zero": "def sign(w, X):\n    return np.sign(X @ w[1:] + w[0])",
    "flipped": "def sign(w, X):\n    return np.where(X @ w[1:] + w[0] > 0, -1, 1)",
    "zero_one_labels": "def sign(w, X):\n    return X @ w[1:] + w[0] > 0",
}


def reads(path: str) -> str:
    """A cell that reads a file and shows what is in it."""
    return f"print(open({path!r}).read())"


NOT_NOTEBOOKS: dict[str, Callable[[bytes], bytes]] = {
    "text": lambda _: b"Dear teacher, my notebook does not open.",
    "empty": lambda _: b"",
    "cut_short": lambda whole: whole[: len(whole) // 2],
    "not_text": lambda _: b"\xff\xfe\x00PK\x03\x04",
    "another_json": lambda _: b'[{"cells": []}]',
    "no_list": lambda _: b'{"cells": {"a": 1}}',
    "too_deep": lambda _: b"[" * 200_000,
}


# --- A small assignment ----------------------------------------------------------------------------------------------

SMALL_PLA = """def pla(X, y):
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
SMALL_SIGN = """def sign(w, X):
    'The sign of every score.'
    ### BEGIN SOLUTION
    return np.where(X @ w[1:] + w[0] > 0, 1, -1)
    ### END SOLUTION"""
SMALL_UPDATES_TEST = """from plahelpers import learning
checks.number(updates, learning.pla(*my_data(student)).updates, 'the number of updates').require()"""
SMALL_DATA = """import zlib

import numpy as np
from plahelpers.datasets import separable


def my_data(student):
    assert student, "no id"
    return separable(20, rng=zlib.crc32(student.encode()))


X, y = my_data(student)"""


def _marked(kind: str, source: str, id: str, points: float = 0, **marks: bool) -> dict[str, Any]:
    marks = {"grade": False, "locked": False, "solution": False, "task": False, **marks}
    nbgrader = {"grade_id": id, "points": points, "schema_version": 3, **marks}
    cell = code_cell(source) if kind == "code" else {"cell_type": "markdown", "source": source}
    return {**cell, "metadata": {"nbgrader": nbgrader}}


def _hidden_test(id: str, points: float, source: str) -> dict[str, Any]:
    text = f"from plahelpers import checks\n### BEGIN HIDDEN TESTS\n{source}\n### END HIDDEN TESTS"
    return _marked("code", text, id, points, grade=True, locked=True)


def small_source() -> bytes:
    """Four questions: a function, another one, a number that comes of both, and one to be graded by hand."""
    text = {"cell_type": "markdown", "metadata": {}}
    cells = [
        code_cell("student = 'nobody'"),
        _marked("code", SMALL_DATA, "data", locked=True),
        {**text, "source": "## 1. The sign"},
        _marked("code", SMALL_SIGN, "sign", solution=True),
        _hidden_test("sign-test", 2, "checks.predict(sign, seed=5).require()"),
        {**text, "source": "## 2. PLA"},
        _marked("code", SMALL_PLA, "pla", solution=True),
        _hidden_test("pla-test", 4, "checks.pla(pla, seed=5).require()"),
        {**text, "source": "## 3. How many updates?"},
        _marked("code", "### BEGIN SOLUTION\nupdates = pla(X, y)[1]\n### END SOLUTION", "updates", solution=True),
        _hidden_test("updates-test", 3, SMALL_UPDATES_TEST),
        {**text, "source": "## 4. Why does it halt?"},
        _marked("markdown", "Because w and w_f turn towards each other.", "why", 5, grade=True, solution=True),
    ]
    return packed({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


SMALL_QUESTIONS = {"sign-test": 2.0, "pla-test": 4.0, "updates-test": 3.0}

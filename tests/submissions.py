"""Submissions as students hand them in: solved, blank, wrong in one place, cut to pieces, and out to do harm.

They are made from an assignment's source notebook, as nbgrader would hand it out; each is the bytes of a file.
"""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
Notebook = dict[str, Any]


def cell_id(cell: dict[str, Any]) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def code_cell(source: str) -> dict[str, Any]:
    """A cell that a student has added."""
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}


def packed(notebook: Notebook) -> bytes:
    return json.dumps(notebook).encode()


# --- The honest ones -------------------------------------------------------------------------------------------------


def solved(source: bytes, student: str) -> Notebook:
    """The source's own solutions; of the tests only what is not hidden."""
    notebook = json.loads(source)
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        text = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", text, flags=re.S)
        cell["source"] = re.sub(r"^ *### (BEGIN|END) SOLUTION\n?", "", text, flags=re.M)
    return signed(notebook, student)


def blank(source: bytes, student: str) -> Notebook:
    """As nbgrader hands it out, and nothing done but to put one's id in."""
    return signed(released(source), student)


def released(source: bytes) -> Notebook:
    """What nbgrader makes of the source, with the settings of the course."""
    import nbformat
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions
    from traitlets.config.loader import PyFileConfigLoader

    settings = EXERCISES / "nbgrader_config.py"
    config = PyFileConfigLoader(str(settings)).load_config() if settings.exists() else None
    notebook = nbformat.from_dict(json.loads(source))
    for cell in notebook.cells:
        cell.source = "".join(cell.source)
    for step in (ClearSolutions(config=config), ClearHiddenTests(config=config)):
        notebook, _ = step.preprocess(notebook, {})
    return json.loads(json.dumps(notebook))


def signed(notebook: Notebook, student: str) -> Notebook:
    """With this id in the first cell that has one."""
    cell = next(cell for cell in notebook["cells"] if re.search(r"^student = ", cell["source"], flags=re.M))
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


def without(notebook: Notebook, name: str) -> Notebook:
    """The cell of a function is deleted."""
    changed = copy.deepcopy(notebook)
    del changed["cells"][place_of(changed, name)]
    return changed


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
LEAVES_AT_ONCE = "import os\nos._exit(0)"
KILLS_ITSELF = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
KILLS_ITS_PARENT = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"
FORKS = "import os\nwhile True: os.fork()"
FILLS_THE_DISK = "with open('big', 'wb') as file:\n    while True: file.write(bytes(10**6))"
ASKS_THE_NETWORK = "import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=3)"
ASKS_A_NAME = "import urllib.request\nurllib.request.urlopen('http://example.org', timeout=3)"
REPLACES_THE_CHECKER = """
import builtins, os
from plahelpers import checks, learning
from plahelpers import guard
from plahelpers.guard import worker as _worker

class Praise:
    passed, messages, cases, mistake = True, ("right",), (), None
    def require(self):
        return 100

for name in checks.__all__:
    setattr(checks, name, lambda *_, **__: Praise())
checks.Report.require = lambda self: None
builtins.AssertionError = builtins.NameError = ZeroDivisionError
"""
SPOILS_ITS_OWN_LINE = "from plahelpers import _worker\n_worker.plain = lambda *_: {'points': 100}"
FORGES_ANSWERS = """
import os
for line in range(3, 64):
    try:
        os.write(line, b'{"kind": "returned", "value": {"array": "O", "shape": [1], "data": "AAAAAAAAAAA="}}\\n')
    except OSError:
        pass
"""
SPEAKS_OF_OUR_FILES = """
import os
for line in range(3, 64):
    try:
        os.write(line, b'{"kind": "raised", "error": "E", "file": "/etc/passwd", "line": 1}\\n')
    except OSError:
        pass
"""


def reads(path: str) -> str:
    """A cell that reads a file and shows what is in it."""
    return f"print(open({path!r}).read())\nseen = open({path!r}).read()"


def looks_for_notebooks(folder: str) -> str:
    """A cell that finds all notebooks it can see, and fails with their names in the message."""
    return (
        "import os\n"
        f"seen = [os.path.join(at, name) for at, _, names in os.walk({folder!r}) for name in names "
        "if name.endswith('.ipynb')]\n"
        "assert not seen, f'FOUND {seen}'"
    )


NOT_NOTEBOOKS: dict[str, Callable[[bytes], bytes]] = {
    "text": lambda _: b"Dear teacher, my notebook does not open.",
    "empty": lambda _: b"",
    "cut_short": lambda whole: whole[: len(whole) // 2],
    "not_text": lambda _: b"\xff\xfe\x00PK\x03\x04",
    "another_json": lambda _: b'[{"cells": []}]',
    "no_list": lambda _: b'{"cells": {"a": 1}}',
    "too_deep": lambda _: b"[" * 200_000,
}


# --- Every wrong version ---------------------------------------------------------------------------------------------

REALLY = """
def really(f):
    def call(*arguments):
        try:
            return f(*arguments)
        except _wrong_base.Endless:
            while True: pass
    return call
"""
WRONG_VERSIONS = Path(__file__).with_name("wrong_versions.py")


def wrong_everywhere(notebook: Notebook, functions: dict[str, str], k: int) -> Notebook:
    """At the end each function, named with its check, is replaced by its k-th wrong version; earlier results stay.

    After its last version comes its first.
    """
    lines = [f"{name} = wrong({check!r})" for name, check in functions.items()]
    apart = (
        f"space = {{}}\nexec({WRONG_VERSIONS.read_text(encoding='utf-8')!r}, space)\n"  # they use names of their own
    )
    apart += f"wrong = lambda check: space['WRONG'][check][{k} % len(space['WRONG'][check])][1]"
    return with_extra(notebook, "\n".join([apart, *lines]))


def bank(versions: list[tuple[str, str]]) -> tuple[bytes, bytes]:
    """An assignment with a question for each (check, expression), and a submission that gives the expressions' values.

    A version of the bank that would never return says so by an exception; here it really does not return.
    """
    tests = [
        _hidden_test(f"q{k}", 1, f"checks.{check}(f_{k}, seed=3, seconds=2).require()")
        for k, (check, _) in enumerate(versions)
    ]
    given = [
        "from plahelpers import _check_tasks, _wrong_base, checks",
        WRONG_VERSIONS.read_text(encoding="utf-8"),
        REALLY,
    ]
    given += [f"f_{k} = {expression}" for k, (_, expression) in enumerate(versions)]
    whole = {"cells": tests, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    answer = {**whole, "cells": [code_cell("student = 'b01'"), code_cell("\n".join(given)), *tests]}
    return packed(whole), packed(answer)


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
    return w, len(picks), picks
    ### END SOLUTION"""
SMALL_DATA = """import zlib

import numpy as np
from plahelpers.datasets import separable


def my_data(student):
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
        _marked(
            "code",
            "def sign(s):\n    'Sign.'\n    ### BEGIN SOLUTION\n    return 1 if s > 0 else -1\n    ### END SOLUTION",
            "sign",
            solution=True,
        ),
        _hidden_test("sign-test", 2, "checks.sign(sign, seed=5).require()"),
        {**text, "source": "## 2. PLA"},
        _marked("code", SMALL_PLA, "pla", solution=True),
        _hidden_test("pla-test", 4, "checks.pla(pla, seed=5).require()"),
        {**text, "source": "## 3. How many updates?"},
        _marked("code", "### BEGIN SOLUTION\nupdates = pla(X, y)[1]\n### END SOLUTION", "updates", solution=True),
        _hidden_test(
            "updates-test",
            3,
            "from plahelpers import learning\n"
            "checks.number(updates, learning.pla(*my_data(student)).updates, 'the number of updates').require()",
        ),
        {**text, "source": "## 4. Why does it halt?"},
        _marked("markdown", "Because w and w_f turn towards each other.", "why", 5, grade=True, solution=True),
    ]
    return packed({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


SMALL_QUESTIONS = {"sign-test": 2.0, "pla-test": 4.0, "updates-test": 3.0}

"""The sandbox: what a student's code can reach, what it can use up, and what it can say."""

import sys
from contextlib import closing
from pathlib import Path

import pytest

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
sys.path.insert(0, str(EXERCISES))

from grader import sandbox, session  # noqa: E402

_LIMITS = {"cell_seconds": 3, "megabytes": 400, "printed_megabytes": 20, "file_megabytes": 16}
LIMITS = sandbox.Limits(**_LIMITS)
PLAIN = sandbox.Limits(**_LIMITS, bubblewrap=False)
BOTH = pytest.mark.parametrize("limits", [LIMITS, PLAIN], ids=["sandbox", "plain"])


def ran(*cells, limits=LIMITS):
    """A session in which these cells were run; close it."""
    notebook = session.Session([session.Run(k, source) for k, source in enumerate(cells, 1)], limits)
    notebook.run()
    return closing(notebook)


def outcomes(*cells, limits=LIMITS):
    """What came of each statement that did not do its work."""
    with ran(*cells, limits=limits) as notebook:
        return [trouble.outcome for trouble in notebook.troubles.values()]


# --- Where an error is -----------------------------------------------------------------------------------------------


def test_an_error_is_located_in_the_innermost_line_that_the_student_wrote_in_whichever_cell():
    """Not in the line that called, not in NumPy, not in plahelpers, which called the student's function back."""
    helper = "import numpy as np\ndef invert(A):\n    return np.linalg.inv(A)"
    outer = "def outer():\n    return invert(np.zeros((2, 2)))"
    (failed,) = outcomes(helper, outer, "x = 1\ny = outer()")
    assert (failed.error, failed.file, failed.line, failed.code) == (
        "LinAlgError", "<cell 1>", 3, "return np.linalg.inv(A)"
    )  # fmt: skip
    with ran(helper, outer) as notebook:
        called, _ = notebook.call("outer", (), 2.0)
    assert (called.file, called.line) == ("<cell 1>", 3)


def test_a_loop_without_an_end_is_located_in_the_cell_of_its_function():
    (stopped,) = outcomes("def loop():\n    while True:\n        pass", "loop()")
    assert (stopped.kind, stopped.file) == ("slow", "<cell 1>")
    assert stopped.line in (2, 3)

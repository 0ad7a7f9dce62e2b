"""The sandbox: what a student's code can reach, what it can use up, and what it can say."""

import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import psutil
import pytest

from exercises.grader import grade, sandbox, session
from plahelpers.guard import Outcome
from tests.grader import hostile, submissions as made
from tests.grader.submissions import LIMITS, PLAIN

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"


def ran(*cells, limits=LIMITS):
    """A session in which these cells were run; close it."""
    notebook = session.Session([session.Run(k, source) for k, source in enumerate(cells, 1)], limits)
    notebook.run()
    return closing(notebook)


def outcomes(*cells, limits=LIMITS):
    """What came of each statement that did not do its work."""
    with ran(*cells, limits=limits) as notebook:
        return [trouble.outcome for trouble in notebook.troubles.values()]


def values(*cells, names, limits=LIMITS):
    """What these names are after the cells were run, and none of them failed."""
    with ran(*cells, limits=limits) as notebook:
        assert notebook.troubles == {}
        return [notebook.look(name)[1] for name in names.split()]


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


# --- What it can reach -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("bubblewrap")
def test_no_setting_of_the_system_can_be_written():
    assert values(hostile.WRITES_SYSCTLS, names="harmed") == [[]]


@pytest.mark.usefixtures("bubblewrap")
def test_it_has_no_rights_and_is_not_root_whoever_grades():
    rights, mapped = values(hostile.WHO_AM_I, names="rights mapped")
    assert rights == [0, 0, 0, 0]
    assert mapped[0] != "0"
    with ran("import time") as notebook:
        assert 0 not in psutil.Process(notebook.process.process.pid).uids()


@pytest.mark.usefixtures("bubblewrap")
def test_no_namespace_can_be_made():
    """They are counted for the user: who makes many takes those of the next submission."""
    assert values(hostile.MAKES_NAMESPACES, names="made") == [[]]


@pytest.mark.usefixtures("bubblewrap")
def test_nothing_can_be_mounted_and_nothing_written_but_in_its_own_folder():
    assert values(hostile.MOUNTS, names="mounted unmounted written") == [False, False, []]


@pytest.mark.usefixtures("bubblewrap")
def test_nothing_of_one_student_is_there_for_the_next():
    """Though both are forks of the same process."""
    zygotes = []
    for code in (hostile.LEAVES_TRACES, hostile.LOOKS_FOR_TRACES):
        with ran(code) as notebook:
            assert notebook.troubles == {}
            zygotes.append(notebook.process.process.zygote)
            found = notebook.look("found")
    assert zygotes[0] is zygotes[1]
    assert found == ("value", [])


@pytest.mark.usefixtures("bubblewrap")
def test_when_a_student_is_done_no_process_is_left():
    with ran(hostile.LEAVES_TRACES) as notebook:
        family = psutil.Process(notebook.process.process.pid)
        family = [family, *family.children(recursive=True)]
    assert len(family) == 3
    assert psutil.wait_procs(family, timeout=10)[1] == []


@pytest.mark.usefixtures("bubblewrap")
def test_what_notebooks_import_is_there_already():
    """This is what makes it quick."""
    wanted = {"numpy", "matplotlib.pyplot", "plahelpers.plots", "plahelpers.homework", "plahelpers.checks", "numba"}
    assert values(f"import sys\nmissing = {wanted} - set(sys.modules)", names="missing") == [[]]


@pytest.mark.usefixtures("bubblewrap")
def test_random_numbers_are_others_in_each_process():
    code = "import random\nimport numpy as np\nnumbers = [random.random(), np.random.random()]"
    (first,), (second,) = values(code, names="numbers"), values(code, names="numbers")
    assert set(first).isdisjoint(second)


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("code", [hostile.SIGNALS_ALL, hostile.SIGNALS_THE_FIRST, hostile.CLOSES_EVERYTHING])
def test_who_ends_what_it_can_reach_ends_itself_and_the_next_is_served(code):
    with ran("x = 1", code, "y = 2") as notebook:
        assert (notebook.look("x"), notebook.look("y")) == (("value", 1), ("value", 2))
    assert values("z = 3", names="z") == [3]


@pytest.mark.usefixtures("bubblewrap")
def test_a_warm_python_that_was_ended_is_replaced():
    with ran("x = 1") as notebook:
        zygote = notebook.process.process.zygote
    zygote.process.kill()
    zygote.process.wait()
    assert values("x = 2", names="x") == [2]


@pytest.mark.usefixtures("bubblewrap")
def test_a_warm_python_that_ends_while_a_student_uses_it_is_our_failure_and_not_the_students():
    with ran("def f():\n    while True: pass") as notebook:
        zygote = psutil.Process(notebook.process.process.pid).parent().parent()
        threading.Timer(0.5, zygote.kill).start()
        with pytest.raises(sandbox.SandboxError):
            notebook.call("f", (), 60.0)
    assert values("x = 2", names="x") == [2]


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize(
    "extra", ["", made.WRONG_SIGNS["zero_is_plus"], "print({'b', 'a', 'c'})\nraise ValueError({'x', 'y'})"]
)
def test_a_fork_of_a_warm_python_gives_the_results_of_a_fresh_one(extra):
    source = made.small_source()
    work = made.packed(made.with_extra(made.solved(source, "b01"), extra))
    assert grade.grade(source, work, LIMITS) == grade.grade(source, work, PLAIN)


@pytest.mark.usefixtures("bubblewrap")
def test_when_the_grader_is_killed_nothing_of_it_lives_on():
    program = f"""
import sys
sys.path[:0] = [{str(EXERCISES.parent)!r}]
from exercises.grader import grade, sandbox, session
notebook = session.Session([session.Run(1, "def f():\\n    while True: pass")], sandbox.Limits())
notebook.run()
print("running", flush=True)
notebook.call("f", (), 1000.0)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as grader:
        assert grader.stdout.readline() == b"running\n"
        family = psutil.Process(grader.pid).children(recursive=True)
        grader.kill()
    assert len(family) >= 4
    assert psutil.wait_procs(family, timeout=20)[1] == []


def test_where_bubblewrap_is_asked_for_and_does_not_work_nothing_is_graded(monkeypatch):
    """Never without it in silence."""
    monkeypatch.setattr(sandbox, "_idle", [])
    monkeypatch.setattr(sandbox, "_bubblewrap", lambda _: ["false"])
    with pytest.raises(sandbox.SandboxError, match="bubblewrap cannot work here"):
        sandbox.StudentProcess({}, sandbox.Limits())
    monkeypatch.setenv("PATH", "")
    sandbox.why_no_bubblewrap.cache_clear()
    assert any("bubblewrap" in sentence for sentence in sandbox.not_enforced())
    sandbox.why_no_bubblewrap.cache_clear()
    assert any("network" in sentence for sentence in sandbox.not_enforced(plain=True))
    assert (sandbox.Limits().sandbox, PLAIN.sandbox) == ("bubblewrap", "plain")


# --- What it can use up ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("bubblewrap")
def test_no_memory_can_be_had_that_belongs_to_no_process():
    assert values(hostile.HIDES_MEMORY, names="hidden") == [[]]


@pytest.mark.parametrize("code", [hostile.EATS_MEMORY_UNSEEN, hostile.EATS_MEMORY_IN_CHILDREN], ids=["one", "many"])
def test_memory_is_counted_over_all_processes_and_in_those_that_do_not_like_to_be_looked_at(code, limits):
    (stopped,) = outcomes(code, limits=limits)
    assert stopped.kind == "memory"


@pytest.mark.usefixtures("bubblewrap")
def test_what_the_system_needs_to_know_where_memory_is_has_a_limit():
    assert values(hostile.MAPS_A_FILE_OVER_AND_OVER, names="refused") == [True]


@pytest.mark.usefixtures("bubblewrap")
def test_what_the_system_needs_to_know_of_files_has_a_limit():
    """Neither the size of a folder nor the memory of processes counts it; 64 kB for each list of rights."""
    assert values(hostile.MAKES_FILES, names="limited") == [[True, True, True]]


@pytest.mark.usefixtures("bubblewrap")
def test_the_folder_from_which_we_grade_is_not_told():
    (environment,) = values("import os\nenvironment = str(dict(os.environ))", names="environment")
    assert str(Path.cwd()) not in environment


@pytest.mark.usefixtures("bubblewrap")
def test_the_number_of_processes_has_a_limit_also_for_those_that_python_does_not_see():
    (count,) = values(hostile.FORKS_BY_CTYPES, names="count")
    assert 20 < count < 40


@pytest.mark.parametrize("code", [hostile.SIXTEEN_BUSY, hostile.PUTS_THE_CLOCK_BACK], ids=["busy", "clock"])
def test_neither_many_processes_nor_a_clock_put_back_gives_more_time(code, limits):
    with ran(code, limits=limits) as notebook:
        outcome, spent = notebook.call("f", (), 1.5)
    assert outcome.kind == "slow"
    assert spent < 4.0  # of the processor, in all its processes: 1.5, and one more in which it may tell the line


# --- What it can say -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", hostile.NONSENSE, ids=range(len(hostile.NONSENSE)))
def test_nonsense_is_an_outcome_and_never_an_error_of_ours(answer):
    limits = sandbox.Limits(cell_seconds=0.5, total_seconds=30, bubblewrap=not sandbox.why_no_bubblewrap())
    with ran(hostile.forges(answer), "def f(x):\n    return x", limits=limits) as notebook:
        kind, _ = notebook.look("f")
        outcome, _ = notebook.call("f", (np.zeros(3),), 0.5)
    assert kind in ("nothing", "function", "value")
    assert outcome.kind in ("died", "slow", "not tried", "returned", "raised")


@pytest.mark.parametrize("kind", [np.zeros(0), np.zeros(2), ["function"]], ids=["empty", "two", "list"])
def test_an_answer_of_a_kind_that_is_no_text_tells_nothing(kind, monkeypatch):
    forged = Outcome("returned", (kind, 1))
    notebook = session.Session([], PLAIN)
    monkeypatch.setattr(notebook, "_ask", lambda *_: (forged, None))
    assert notebook.look("f") == ("nothing", forged)


@pytest.mark.parametrize(
    "data",
    [[(float("inf"), ["x"])], [(1, [2])], [(1, "x")], ["ab"], [np.zeros(2)], {"a": 1}, [(True, {"x": 1})]],
)
def test_statements_that_are_no_statements_are_none(data):
    assert session._as_statements(data) is None


@pytest.mark.parametrize(
    "data",
    [
        [(["x"], "VAR_KEYWORD", False)],
        [("x", ["VAR_KEYWORD"], False)],
        [("x", "empty", False)],
        [("x", "VAR_KEYWORD", [])],
        [("x", "VAR_KEYWORD", False), ("y", "POSITIONAL_ONLY", False)],
    ],
)
def test_parameters_that_are_no_parameters_are_none(data):
    assert session._signature(data) is None


def test_a_cell_of_more_statements_than_anybody_writes_is_not_run_one_by_one():
    assert outcomes("x = 1\n" * 200) == []
    (outcome,) = outcomes("x = 1\n" * 2001)
    assert outcome.kind == "returned"  # what the process told makes no sense

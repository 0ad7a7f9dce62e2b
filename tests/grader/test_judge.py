"""One submission: what the source asks, tests of any kind, and the real homework."""

import json
import re
import select
import shutil
import sys
import time
from contextlib import closing

import pytest

from exercises.grader import judge, pages, results, sandbox, session
from exercises.grader.submissions import SubmissionFile
from tests.grader import hostile, submissions as made
from tests.grader.submissions import SMALL

PLAIN = bool(sandbox.why_no_bubblewrap())
LIMITS = sandbox.Limits(cell_seconds=5, call_seconds=5, megabytes=400, plain=PLAIN)


@pytest.fixture(scope="module")
def template():
    folder = sandbox.make_template({})
    yield folder
    shutil.rmtree(folder)


def test_a_test_may_be_any_code_and_is_told_how_a_call_ended(template):
    """A number, an assertion, a call that raises, and a test that fails by itself, which the lecturer is shown."""
    cells = json.loads(SMALL)["cells"]
    tests = ["assert sign(1) == 7", "pla(1, 2)", "[updates][1]", "1.5 if sign(1) == 1 else 0"]
    cells += [made.hidden_test(f"test-{k}", 2, test) for k, test in enumerate(tests)]
    source = json.dumps({"cells": cells}).encode()
    work = made.with_cell(made.good(source=source), "sign", "def sign(s):\n    return 1")
    work = made.with_cell(work, "pla", "def pla(X, y):\n    return 1 / 0")
    work = made.changed(work, "updates = pla(X, y)[1]", "updates = 1")
    questions = judge.grade(source, made.packed(work), "b09", template, sandbox.Limits(plain=PLAIN))["questions"][-4:]
    assert [(each["points"], each["broken"]) for each in questions] == [(0, 0), (0, 0), (0, 1), (1.5, 0)]
    held, called, used, _ = ("".join(each["messages"]) for each in questions)
    assert held == "A test did not hold."
    assert called.startswith("The test called `pla`: it raised ZeroDivisionError: div")
    assert used.startswith("The test could not use what the notebook gave it (IndexError")


def test_a_page_says_what_a_known_mistake_leaves_and_which_points_await_a_reader_without_an_answer(template):
    work = made.changed(made.good(), "return w, len(picks)", "return len(picks), w")
    work["cells"][-1]["source"] = ""
    result = judge.grade(SMALL, made.packed(work), "b09", template, LIMITS)
    assert (result["questions"][1]["points"], result["questions"][1]["mistake"]) == (1, "wrong_order")
    page = made.text_of(pages.feedback("hw", results.Grade(SubmissionFile("b09", "b09.ipynb"), result, {}), {}))
    assert "0 of 3 unseen cases right, 0 of 2 points" in page
    assert "A mistake that we know by name leaves a quarter of the points." in page
    assert "5 more await a human reader, 5 of them for questions in which no answer was found." in page


@pytest.mark.skipif(sys.platform != "linux", reason="waits for a pipe")
@pytest.mark.parametrize("name", ["array", "function"])
def test_an_answer_that_nobody_has_asked_for_is_no_trouble_for_who_reads_it(template, name):
    cells = {1: hostile.forges(hostile.FORGED[name])}
    with closing(session.Session(cells, template, LIMITS)) as students:
        students.run()
        select.select([students.process.process.stdout], [], [])  # it stands in the pipe
        assert students.look("x")[0] in ("nothing", "function")  # as much of it as was read at once, and no value


@pytest.mark.usefixtures("bubblewrap")
def test_students_code_is_not_root_seen_from_outside_whoever_grades(template):
    with closing(sandbox.StudentProcess(template, sandbox.Limits())) as process:
        student = process.root.children(recursive=True)[-1]
        assert "-c" in student.cmdline()
        assert 0 not in student.uids()


LATE_EATERS = """import os, time
for _ in range(6):
    if os.fork() == 0:
        time.sleep(1)
        eaten = b'x' * 10**8
        time.sleep(1e6)"""


def test_memory_is_watched_also_between_two_questions(template):
    with closing(sandbox.StudentProcess(template, LIMITS)) as process:
        process.request(("run", 1, LATE_EATERS), 60)
        process.process.wait(60)  # nobody asks, and it is ended all the same
        assert process.request(("look", "eaten"), 5)[0].kind == "memory"


@pytest.mark.skipif(sys.platform != "linux", reason="needs signals of Linux")
def test_a_child_that_never_reads_does_not_make_us_wait_for_ever(template):
    stop = "import os, signal, threading\nthreading.Timer(0.1, os.kill, (os.getpid(), signal.SIGSTOP)).start()"
    with closing(sandbox.StudentProcess(template, LIMITS)) as process:
        process.request(("run", 1, stop), 60)
        student = process.root.children(recursive=True)[-1] if process.root.children() else process.root
        while student.status() != "stopped":
            time.sleep(0.01)
        assert process.request(("run", 2, "#" * 200_000), 0.2)[0].kind == "slow"


def test_every_row_of_the_promises_names_what_tries_it(root):
    rows = re.findall(r"(?m)^\|.+?\| (`.+) \|$", (root / "SECURITY.md").read_text(encoding="utf-8"))
    tests = "".join(path.read_text(encoding="utf-8") for path in (root / "tests" / "grader").glob("test_*.py"))
    harm = {name for cells in hostile.HARM.values() for name in cells}
    known = {*harm, *hostile.REACH, *hostile.FORGED, *re.findall(r"def (test_\w+)", tests)}
    assert len(rows) == 12
    assert {name for row in rows for name in re.findall(r"`([\w-]+)`", row)} <= known


@pytest.mark.parametrize("name", ["hw1_pla", "hw2_convergence", "hw3_pocket"])
def test_full_marks_and_nothing_on_the_real_homework(name):
    source = (made.EXERCISES / "source" / name / f"{name}.ipynb").read_bytes()
    shipped = [path for path in (made.EXERCISES / "release" / name).iterdir() if path.suffix != ".ipynb"]
    template = sandbox.make_template({path.name: path.read_bytes() for path in shipped})
    copy = (made.EXERCISES / "release" / name / f"{name}.ipynb").read_bytes()
    works = made.solved(source, "b01"), made.blank(copy, "b01")
    right, blank = (judge.grade(source, made.packed(w), "b01", template, sandbox.Limits(plain=PLAIN)) for w in works)
    shutil.rmtree(template)
    assert all(each["by_hand"] or each["points"] == each["max"] for each in right["questions"])
    assert (right["remarks"], blank["remarks"]) == ([], [])
    assert {each["points"] for each in blank["questions"]} == {0, None}
    assert {each["state"] for each in blank["questions"]} == {"blank"}

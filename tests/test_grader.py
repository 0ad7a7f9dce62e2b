"""The grader: right scores for good, blank, wrong and hostile homework; nobody pays for what another one did."""

import csv
import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import psutil
import pytest
import submissions as made
from wrong_versions import WRONG

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
sys.path.insert(0, str(EXERCISES))

from grader import (  # noqa: E402
    command,
    folder,
    grade as grading,
    notebook,
    pages,
    pool,
    results,
    sandbox,
    session,
)

LIMITS = sandbox.Limits(cell_seconds=3, megabytes=400, printed_megabytes=20, file_megabytes=16)
PLAIN = sandbox.Limits(cell_seconds=3, megabytes=400, printed_megabytes=20, file_megabytes=16, bubblewrap=False)
SMALL = made.small_source()
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs signals")


@pytest.fixture
def bubblewrap():
    """For tests of what only bubblewrap can keep."""
    if sandbox.why_no_bubblewrap():
        pytest.skip(sandbox.why_no_bubblewrap())


def good(student="b01"):
    return made.solved(SMALL, student)


def graded(work, limits=LIMITS, source=SMALL):
    return grading.grade(source, work if isinstance(work, bytes) else made.packed(work), limits)


def points(result):
    """The points of the questions that a program grades."""
    return {it["id"]: it["points"] for it in result["questions"] if not it["by_hand"]}


def said(result):
    """All that a student is told."""
    return "\n".join([*result["remarks"], *(line for it in result["questions"] for line in it["messages"])])


def question(result, name):
    return next(it for it in result["questions"] if it["id"] == name)


# --- What is asked: the source ---------------------------------------------------------------------------------------


def test_a_name_of_a_test_is_needed_unless_the_test_defines_it_or_python_does():
    source = "import numpy as np\ndef f(a):\n    return a + b + np.pi\nc = [d for d in e]\nlen(c) + f(1)"
    assert grading.needed_by(source) == {"b", "e"}


def test_a_cell_defines_its_outermost_names_only():
    source = "import a.b, c as d\nx, (y, *z) = 1\ndef f(p):\n    inner = 1\nclass K:\n    field = 2\nfor k in x: w = 1"
    assert notebook.names_in(source) == {"a", "d", "x", "y", "z", "f", "K", "k", "w"}


def test_what_students_get_is_what_nbgrader_would_hand_out():
    """Held against nbgrader's own preprocessors."""
    import nbformat
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

    theirs = nbformat.reads(SMALL.decode(), as_version=4)
    for step in (ClearSolutions(), ClearHiddenTests()):
        theirs, _ = step.preprocess(theirs, {})
    for ours, cell in zip(notebook.read(SMALL).cells, theirs.cells, strict=True):
        if ours.nbgrader.get("solution"):
            assert notebook.is_blank(cell.source, ours)
            assert not notebook.is_blank(ours.source, ours)
        else:
            assert notebook.same(notebook.without_hidden_tests(ours.source), cell.source)


def test_a_question_takes_its_title_from_the_heading_above_it():
    assignment = notebook.Assignment(notebook.read(SMALL).cells)
    assert [it.title for it in assignment.questions] == [
        "1. The sign", "2. PLA", "3. How many updates?", "4. Why does it halt?"
    ]  # fmt: skip
    assert [it.by_hand for it in assignment.questions] == [False, False, False, True]


# --- One submission --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [LIMITS, PLAIN], ids=["sandbox", "plain"])
def test_a_solution_gets_full_marks_and_no_remark(limits):
    result = graded(good(), limits)
    assert points(result) == made.SMALL_QUESTIONS
    assert result["remarks"] == []
    assert result["student"] == "b01"
    assert question(result, "why")["answer"] == "Because w and w_f turn towards each other."


def test_the_result_is_plain_data_and_the_same_every_time():
    work = made.with_cell(good(), "pla", "def pla(X, y):\n    return 5")
    first = graded(work)
    assert json.loads(json.dumps(first)) == json.loads(json.dumps(graded(work)))


def test_a_blank_notebook_gets_nothing_and_is_told_what_is_missing():
    result = graded(made.blank(SMALL, "b01"))
    assert points(result) == dict.fromkeys(made.SMALL_QUESTIONS, 0)
    for name, missing in {"sign-test": "sign", "pla-test": "pla", "updates-test": "updates"}.items():
        assert question(result, name)["state"] == "blank"
        assert question(result, name)["messages"] == (
            f"`{missing}`: not written yet. The cell is still as it was handed out.",
        )
    assert question(result, "why")["answer"] == ""
    assert result["remarks"] == []


def test_a_wrong_function_loses_its_points_and_the_mistake_is_named():
    result = graded(made.with_extra(good(), "def sign(s):\n    return 1 if s >= 0 else -1"))
    assert points(result) == {**made.SMALL_QUESTIONS, "sign-test": 0}
    lost = question(result, "sign-test")
    assert lost["mistake"] == "zero_is_plus"
    assert any(line.startswith("Likely mistake: ") for line in lost["messages"])
    assert {"passed", "tried", "got", "expected"} <= set(lost["cases"][0])


def test_each_students_number_is_another_one_and_a_copied_one_is_wrong():
    numbers = {}
    for student in ("b01", "b02", "b03", "b04"):
        work = made.with_extra(good(student), "raise ValueError(updates)")
        numbers[student] = re.search(r"ValueError: (\d+)", said(graded(work)))[1]
    assert len(set(numbers.values())) > 1
    other = next(student for student in numbers if numbers[student] != numbers["b01"])
    assert points(graded(made.with_extra(good(other), f"updates = {numbers['b01']}")))["updates-test"] == 0


def test_what_a_locked_cell_defines_is_ours_whatever_the_student_makes_of_it():
    """my_data is given: to replace it does not change what is expected."""
    cheat = "def my_data(student):\n    return X, -np.ones(len(y))\nupdates = pla(*my_data(student))[1]"
    assert points(graded(made.with_extra(good("b02"), cheat))) == {**made.SMALL_QUESTIONS, "updates-test": 0}


def test_a_name_is_missed_with_the_reason():
    result = graded(made.with_cell(good(), "pla", "def pla(X, y)\n    return 0"))
    assert points(result) == {"sign-test": 2, "pla-test": 0, "updates-test": 0}
    messages = question(result, "pla-test")["messages"]
    assert messages[0] == "`pla` is not defined."
    assert "SyntaxError" in messages[1]
    assert "Code cell 5" in messages[1]


def test_statements_after_an_error_in_the_same_cell_still_count():
    work = made.with_cell(good(), "sign", "print(undefined)\n1 / 0\ndef sign(s):\n    return 1 if s > 0 else -1")
    result = graded(work)
    assert points(result) == made.SMALL_QUESTIONS
    assert "line 2 (`1 / 0`): it raised ZeroDivisionError" in said(result)


def test_an_endless_statement_does_not_undo_the_rest_of_its_cell():
    source = "def sign(s):\n    return 1 if s > 0 else -1\n\nwhile True: pass\nafter = 1"
    result = graded(made.with_cell(good(), "sign", source))
    assert points(result) == made.SMALL_QUESTIONS
    assert "line 4 (`while True: pass`): it ran into the time limit" in said(result)


def test_an_endless_function_costs_its_own_question_only():
    work = made.with_extra(good(), "def pla(X, y):\n    while True: pass")
    result = graded(work)
    assert points(result) == {**made.SMALL_QUESTIONS, "pla-test": 0}
    assert "no answer in 2.5 seconds" in said(result)


def test_magics_and_displays_of_notebooks_are_passed_over():
    work = made.with_extra(
        good(),
        "%matplotlib inline\n!ls\nimport matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\ndisplay(X)\n%time a = 1",
        at=2,
    )
    work = made.with_extra(work, "%%time\nupdates = updates + 0 * a")
    result = graded(work)
    assert (points(result), result["remarks"]) == (made.SMALL_QUESTIONS, [])


def test_a_spent_budget_ends_the_grading_and_says_so():
    tired = sandbox.Limits(cell_seconds=30, total_seconds=2)
    result = graded(made.with_extra(good(), "while True: pass", at=4), tired)
    assert points(result) == dict.fromkeys(made.SMALL_QUESTIONS, 0)
    assert "All the 2 seconds that one notebook may take were spent" in said(result)


def test_a_test_may_give_a_part_of_the_points():
    source = SMALL.replace(b"checks.sign(sign, seed=5).require()", b"1.5 if sign(1) == 1 else 0")
    assert question(graded(good(), source=source), "sign-test")["state"] == "partly right"
    assert question(graded(good(), source=source), "sign-test")["points"] == 1.5


def test_a_test_that_calls_a_function_is_told_how_that_ended():
    source = SMALL.replace(b"checks.sign(sign, seed=5).require()", b"assert sign(1) == 1")
    assert points(graded(good(), source=source))["sign-test"] == 2
    result = graded(made.with_extra(good(), "def sign(s):\n    return 1 / 0"), source=source)
    assert question(result, "sign-test")["messages"] == (
        "The test called `sign`: it raised ZeroDivisionError: division by zero.",
    )
    result = graded(made.with_extra(good(), "def sign(s):\n    return 7"), source=source)
    assert question(result, "sign-test")["messages"] == ("A test did not hold.",)


def test_a_test_that_fails_by_itself_is_shown_to_the_lecturer():
    source = SMALL.replace(b"checks.sign(sign, seed=5).require()", b"[][1]")
    assert question(graded(good(), source=source), "sign-test")["broken"]


def test_an_answer_in_several_cells_is_kept_together():
    work = good()
    work["cells"] += [made.code_cell("print('see above')"), {**made.code_cell("And more."), "cell_type": "markdown"}]
    assert question(graded(work), "why")["answer"].split("\n\n")[1:] == ["print('see above')", "And more."]


# --- Cut to pieces ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cut",
    [
        made.split, made.backwards, made.unlocked, made.unlocked_and_gone, made.without_marks, made.of_old,
        made.of_another_language, lambda work: made.doubled(work, made.blank(SMALL, "b01")),
    ],
    ids=["split", "backwards", "unlocked", "gone", "without_marks", "old", "another_language", "doubled"],
)  # fmt: skip
def test_a_notebook_in_pieces_keeps_its_points(cut):
    assert points(graded(cut(good()))) == made.SMALL_QUESTIONS


@pytest.mark.parametrize("kind", made.NOT_NOTEBOOKS)
def test_what_is_no_notebook_gets_nothing_and_the_reason(kind):
    result = graded(made.NOT_NOTEBOOKS[kind](made.packed(good())))
    assert points(result) == dict.fromkeys(made.SMALL_QUESTIONS, 0)
    assert all("not a notebook" in it["messages"][0] for it in result["questions"])


@pytest.mark.parametrize("cells", [[None, 3, "x"], [{}], [{"cell_type": "code", "metadata": [], "source": [1, None]}]])
def test_a_notebook_of_odd_cells_is_read_as_far_as_it_goes(cells):
    result = graded(json.dumps({"cells": cells, "metadata": {"kernelspec": "x"}}).encode())
    assert points(result) == dict.fromkeys(made.SMALL_QUESTIONS, 0)
    assert "defined nowhere" in said(result)


def test_a_huge_file_is_not_even_parsed():
    with pytest.raises(notebook.UnreadableError, match="more than 100 are not read"):
        notebook.read(b" " * (101 * 2**20))


# --- Out to do harm --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [LIMITS, PLAIN], ids=["sandbox", "plain"])
def test_replacing_the_checker_neither_helps_nor_costs(limits):
    at = 1
    assert points(graded(made.with_extra(good(), made.REPLACES_THE_CHECKER, at), limits)) == made.SMALL_QUESTIONS
    cheat = made.with_extra(made.blank(SMALL, "b01"), made.REPLACES_THE_CHECKER, at)
    assert points(graded(cheat, limits)) == dict.fromkeys(made.SMALL_QUESTIONS, 0)


@pytest.mark.parametrize("code", [made.FORGES_ANSWERS, made.SPEAKS_OF_OUR_FILES, made.SPOILS_ITS_OWN_LINE])
def test_forged_answers_gain_nothing_and_read_nothing(code):
    result = graded(made.with_extra(made.blank(SMALL, "b01"), code, 1))
    assert sum(points(result).values()) == 0
    assert "root:" not in json.dumps(result)


def test_the_hidden_tests_and_other_submissions_are_out_of_sight(bubblewrap, tmp_path):
    (tmp_path / "secret.ipynb").write_text("{}")
    code = made.looks_for_notebooks(str(tmp_path)) + "\n" + made.reads(str(tmp_path / "secret.ipynb"))
    for hidden in (EXERCISES, Path(__file__)):
        code += f"\nassert not os.path.exists({str(hidden)!r}), 'FOUND'"
    result = graded(made.with_extra(good(), code))
    assert points(result) == made.SMALL_QUESTIONS
    assert "FOUND" not in said(result).replace("'FOUND'", "").replace("f'FOUND", "")
    assert "No such file" in said(result)
    assert "a notebook sees no files but its own" in said(result)


def test_there_is_no_network(bubblewrap):
    for code in (made.ASKS_THE_NETWORK, made.ASKS_A_NAME):
        result = graded(made.with_extra(good(), code))
        assert points(result) == made.SMALL_QUESTIONS
        assert "While it is graded, a notebook has no network." in said(result)


def test_the_environment_is_cleared(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    for limits in (LIMITS, PLAIN):
        result = graded(made.with_extra(good(), "import os\nraise ValueError(sorted(os.environ))"), limits)
        assert "HOME" in said(result)
        assert "SECRET_TOKEN" not in said(result)


def test_a_process_of_somebody_else_cannot_be_ended():
    for limits in (LIMITS, PLAIN):
        result = graded(made.with_extra(good(), made.KILLS_ITS_PARENT), limits)
        assert points(result) == made.SMALL_QUESTIONS
        assert "may end no process but its own" in said(result)


def test_nothing_is_left_of_a_submission(tmp_path, monkeypatch):
    sandbox.template()  # is for all, and stays
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    leaves = "import subprocess\nsubprocess.Popen(['sleep', '1000'])\nopen('f', 'w').close()"
    graded(made.with_extra(good(), leaves), PLAIN)
    assert list(tmp_path.iterdir()) == []
    assert {each.pid for each in psutil.Process().children(recursive=True)} == before


def test_a_student_who_shows_html_shows_text():
    evil = "<script>alert(1)</script>"
    work = made.with_extra(good(evil), f"raise ValueError({evil!r})")
    work["cells"][-2]["source"] = evil
    result = graded(work)
    found = folder.Found(evil, f"{evil}.ipynb", b"")
    every = [results.Graded(found, result, {"why": (1.0, evil)})]
    for page in (pages.feedback("hw", every[0], [evil]), pages.summary("hw", every, [[evil]])):
        assert "<script" not in page
        assert "&lt;script&gt;" in page


# --- The bank, and the real homework ---------------------------------------------------------------------------------

HOMEWORK = ["hw1_pla", "hw2_convergence", "hw3_pocket"]


def source_of(name):
    return (EXERCISES / "source" / name / f"{name}.ipynb").read_bytes()


def by_machine(name):
    """The points of each question that a program grades."""
    assignment = notebook.Assignment(notebook.read(source_of(name)).cells)
    return {it.id: it.points for it in assignment.questions if not it.by_hand}


def functions_of(name):
    """The functions that a homework asks for: {name: (its check, its question)}."""
    assignment = notebook.Assignment(notebook.read(source_of(name)).cells)
    found = {}
    for test in assignment.tests.values():
        call = re.search(r"^checks\.(\w+)\((\w+)(, seed=\d+)?(, whole=True)?\)\.require\(\)", test.source, re.M)
        if call:
            found[call[2]] = (call[1], test.id)
    return found


def every_wrong_version():
    """(check, how to get the function, the mistake it makes): as learners write them, and those of the bank."""
    from plahelpers import _check_tasks

    for check, versions in WRONG.items():
        yield from ((check, f"WRONG[{check!r}][{k}][1]", mistake) for k, (mistake, _) in enumerate(versions))
    for name, task in vars(_check_tasks).items():
        # The versions with an order are those without it, called with three arguments.
        if isinstance(task, _check_tasks.Task) and task is not _check_tasks.PLA_WITH_ORDER:
            for i, wrong in enumerate(task.wrong):
                for j in range(len(wrong.versions)):
                    yield task.title.lower(), f"really(_check_tasks.{name}.wrong[{i}].versions[{j}])", wrong.id


def test_every_wrong_version_loses_its_points_and_its_mistake_is_named():
    """In notebooks of some hundred functions each, graded on two cores."""
    versions = list(every_wrong_version())
    parts = [versions[k::4] for k in range(4)]
    pairs = [made.bank([(check, expression) for check, expression, _ in part]) for part in parts]
    with ThreadPoolExecutor(2) as crew:
        every = list(crew.map(lambda pair: dict(pool.here(pair[0], [pair[1]], sandbox.Limits(), 1))[0], pairs))
    for result, part in zip(every, parts, strict=True):
        found = {question["id"]: (question["points"], question["mistake"]) for question in result["questions"]}
        assert found == {f"q{k}": (0, mistake) for k, (_, _, mistake) in enumerate(part)}


@pytest.mark.parametrize("name", HOMEWORK)
def test_full_marks_nothing_and_exactly_what_is_wrong_on_the_real_homework(name):
    """Solved, blank, and solved but for functions that go wrong afterwards."""
    source, functions = source_of(name), functions_of(name)
    solved = made.solved(source, "b01")
    wrong = made.wrong_everywhere(solved, {it: check for it, (check, _) in functions.items()}, 0)
    works = [solved, made.blank(source, "b01"), wrong]
    found = dict(pool.here(source, [made.packed(work) for work in works], sandbox.Limits(), 2))
    full = by_machine(name)
    assert points(found[0]) == full
    assert found[0]["remarks"] == []
    assert points(found[1]) == dict.fromkeys(full, 0)
    assert found[1]["remarks"] == []
    for it in found[1]["questions"]:
        assert it["state"] == "blank"
        assert it["by_hand"] or "not written yet" in it["messages"][0]
    assert points(found[2]) == full | {test: 0 for _, test in functions.values()}
    mistakes = {it["id"]: it["mistake"] for it in found[2]["questions"] if it["mistake"]}
    assert mistakes == {test: WRONG[check][0][0] for check, test in functions.values()}


# --- Thirty submissions in one call ----------------------------------------------------------------------------------

NAME = "hw1_pla"
FULL = 80.0  # of 100: twenty are given by hand
SEED_OF_IDS = [
    "b10901001", "b10901002", "r11922003", "d12", "Alice", "中文", "o'neil & sons", "a b", "x%2Fy", "..hidden",
]  # fmt: skip
AFTER_DATA = 4  # the cell before which most of the trouble is put


def wrong_students():
    """For each number k, the questions that a student loses whose functions are all the k-th wrong ones, and why.

    Where a function has fewer wrong versions than another, they come again; so together every version is there.
    """
    functions = functions_of(NAME).values()
    for k in range(max(len(WRONG[check]) for check, _ in functions)):
        yield {test: WRONG[check][k % len(WRONG[check])][0] for check, test in functions}


WRONG_STUDENTS = {f"wrong-{k}": mistakes for k, mistakes in enumerate(wrong_students())}


def folder_of_thirty(course):
    """{student: (the points they should get, words of the reason)}; their notebooks are put where nbgrader has them."""
    source = source_of(NAME)
    expected = {}

    def hand_in(student, work, score, *reasons, file=f"{NAME}.ipynb"):
        place = course / "submitted" / student / NAME
        place.mkdir(parents=True, exist_ok=True)
        (place / file).write_bytes(work if isinstance(work, bytes) else made.packed(work))
        expected[student] = (score, reasons)

    def solved(student):
        return made.solved(source, student)

    def troubled(student, code, *reasons):
        hand_in(student, made.with_extra(solved(student), code, AFTER_DATA), FULL, *reasons)

    for student in SEED_OF_IDS:
        hand_in(student, solved(student), FULL)
    hand_in("blank", made.blank(source, "blank"), 0, "not written yet")
    for kind in ("text", "cut_short", "another_json"):
        hand_in(kind, made.NOT_NOTEBOOKS[kind](made.packed(solved(kind))), 0, "not a notebook")
    hand_in("r-kernel", made.of_another_language(solved("r-kernel")), FULL, "language is r")
    # Without its cell, pla is missing, and so is all that is counted with it.
    hand_in("deleted", made.without(solved("deleted"), "pla"), 28, "pla is defined nowhere", "Was its cell deleted?")
    hand_in("split", made.split(solved("split")), FULL)
    hand_in("doubled", made.doubled(solved("doubled"), made.blank(source, "doubled")), FULL)
    hand_in("reordered", made.backwards(solved("reordered")), FULL)
    hand_in("renamed", solved("renamed"), FULL, "called my homework (2).ipynb", file="my homework (2).ipynb")
    hand_in("unlocked", made.unlocked(solved("unlocked")), FULL, "The test cell", "was changed", "The locked cell")
    hand_in("dots", solved("../x"), FULL, "says that it belongs to “../x”")
    hand_in("copycat", solved("b10901001"), FULL, "belongs to “b10901001”", "The same id stands in what b10901001")
    troubled("endless", made.ENDLESS, "ran into the time limit")
    troubled("printer", made.PRINTS_A_GIGABYTE, "printed more than 100 MB")
    troubled("eater", made.EATS_MEMORY, "MB of memory")
    troubled("biter", made.BITES_MEMORY, "MB of memory")
    troubled("leaver", made.LEAVES, "called sys.exit")
    troubled("killer", made.KILLS_ITSELF, "ended the process it ran in (signal SIGKILL)")
    troubled("forker", made.FORKS, "process")  # refused after thirty, or stopped at fifty
    troubled("filler", made.FILLS_THE_DISK, "little room for files")
    troubled("cheater", made.REPLACES_THE_CHECKER)
    other = course / "submitted" / "b10901001" / NAME / f"{NAME}.ipynb"
    if not sandbox.why_no_bubblewrap():
        troubled("spy", made.reads(str(other)), "No such file", "sees no files but its own")
        troubled("reader", made.reads(str(EXERCISES / "source" / NAME / f"{NAME}.ipynb")), "No such file")
        troubled("caller", made.ASKS_THE_NETWORK, "has no network")
    # In its place, a wrong function takes what is counted with it along: 25 + 5 + 5 + 12 + 5.
    hand_in(
        "looper", made.with_cell(solved("looper"), "pla", "def pla(X, y):\n    while True: pass"), 28, "no answer in"
    )
    strict = made.with_extra(solved("strict"), "def sign(s):\n    return 1 if s >= 0 else -1")
    hand_in("strict", strict, FULL - 4 - 10 - 25 - 12, "Likely mistake")  # is_mistake calls it, pla calls that
    checked = {it: check for it, (check, _) in functions_of(NAME).items()}
    for k, (student, mistakes) in enumerate(WRONG_STUDENTS.items()):
        work = made.wrong_everywhere(solved(student), checked, k)
        hand_in(student, work, FULL - sum(by_machine(NAME)[test] for test in mistakes), "not yet")
    return expected


def call(*arguments):
    """The command, as run.py starts it."""
    command = [sys.executable, str(EXERCISES / "grader"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)


@pytest.fixture(scope="module")
def thirty(tmp_path_factory):
    course = tmp_path_factory.mktemp("course")
    expected = folder_of_thirty(course)
    (course / "by_hand.csv").write_text(
        "student,question,points,comment\nb10901001,written-eta,7,Well said: <b>η</b> cancels.\n", encoding="utf-8"
    )
    result = call(NAME, course, "--seconds", "15")
    assert result.returncode == 0, result.stderr
    return course, expected, result


def rows_of(course, name=NAME):
    with (course / "graded" / name / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def pages_of(course, name=NAME):
    """The feedback of each student, as text."""
    found = {}
    for path in (course / "graded" / name / "feedback").iterdir():
        page = path.read_text(encoding="utf-8")
        found[html.unescape(re.search(r"<h1>(.*?)</h1>", page)[1])] = html.unescape(re.sub(r"<[^>]+>", "", page))
    return found


def test_thirty_submissions_get_their_scores_in_one_call(thirty):
    course, expected, _ = thirty
    assert len(expected) >= 30
    by_hand = {"b10901001": 7}
    scores = {student: float(row["total"]) - by_hand.get(student, 0) for student, row in rows_of(course).items()}
    assert scores == {student: score for student, (score, _) in expected.items()}


def test_every_student_is_told_the_reason(thirty):
    course, expected, _ = thirty
    told = pages_of(course)
    assert set(told) == set(expected)
    missing = {
        student: [words for words in reasons if words not in told[student]]
        for student, (_, reasons) in expected.items()
    }
    assert {student: words for student, words in missing.items() if words} == {}


def test_whoever_made_a_known_mistake_is_told_which(thirty):
    course, _, _ = thirty
    for student, mistakes in WRONG_STUDENTS.items():
        kept = json.loads((course / "graded" / NAME / "results" / f"{student}.json").read_text(encoding="utf-8"))
        found = {it["id"]: it["mistake"] for it in kept["result"]["questions"] if it["mistake"]}
        assert found == mistakes, student


def test_the_files_stay_inside_their_folder_whatever_the_students_are_called(thirty):
    course, expected, _ = thirty
    target = course / "graded" / NAME
    assert {path.name for path in target.iterdir()} == {"scores.csv", "summary.html", "feedback", "results"}
    assert len(list((target / "feedback").iterdir())) == len(expected)
    assert {path.name for path in course.iterdir()} == {"submitted", "graded", "by_hand.csv"}


def test_the_summary_tells_what_the_lecturer_wants_to_know(thirty):
    course, expected, _ = thirty
    page = (course / "graded" / NAME / "summary.html").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]+>", "", page))
    assert f"{len(expected)} submissions" in text
    assert re.search(r"role='img' aria-label='Histogram of \d+ scores, in percent of the points: ", page)
    assert "hardest" in text
    assert "zero" in re.search(r"Known mistakes(.*?)To look at", text, re.S)[1]
    for link in re.findall(r"href='(feedback/[^']+)'", page):
        assert (course / "graded" / NAME / unquote(link)).is_file()


def test_what_is_graded_by_hand_is_merged_and_the_rest_awaits_it(thirty):
    course, _, _ = thirty
    rows, told = rows_of(course), pages_of(course)
    assert (rows["b10901001"]["written-eta"], rows["b10901002"]["written-eta"]) == ("7", "")
    assert (rows["b10901001"]["of"], rows["b10901002"]["of"]) == ("88", "80")
    assert "Well said: <b>η</b> cancels." in told["b10901001"]
    assert "of 80 points graded so far" in told["b10901002"]


def test_the_last_words_say_where_everything_is(thirty):
    course, _, result = thirty
    target = course / "graded" / NAME
    for path in (target / "scores.csv", target / "summary.html", f"{target / 'feedback'}{os.sep}"):
        assert str(path) in result.stdout
    assert "100%" in result.stderr


def test_a_second_call_grades_only_what_has_changed(thirty):
    course, expected, _ = thirty
    kept = course / "graded" / NAME / "results"
    before = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    place = course / "submitted" / "b10901002" / NAME / f"{NAME}.ipynb"
    place.write_bytes(made.packed(made.blank(source_of(NAME), "b10901002")))
    (kept / "b10901001.json").write_text("{cut short")
    again = call(NAME, course, "--seconds", "15")
    assert f"{len(expected) - 2} of {len(expected)} were graded by an earlier call" in again.stdout
    after = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    assert {name for name in after if after[name] != before[name]} == {"b10901001.json", "b10901002.json"}
    assert rows_of(course)["b10901002"]["total"] == "0"
    assert float(rows_of(course)["b10901001"]["total"]) == FULL + 7


# --- The other layout, the command, other machines -------------------------------------------------------------------


@pytest.fixture
def course(tmp_path):
    """A course with the small assignment, and an empty folder for what is handed in."""
    place = tmp_path / "course" / "source" / "small"
    place.mkdir(parents=True)
    (place / "small.ipynb").write_bytes(SMALL)
    (tmp_path / "exported").mkdir()
    return tmp_path


def hand_in(course, **works):
    for student, work in works.items():
        (course / "exported" / f"{student}_small_final.ipynb").write_bytes(made.packed(work))


def small_call(course, *more):
    return call("small", course / "exported", "--course", course / "course", "--seconds", "3", *more)


def test_a_flat_folder_is_graded_without_bubblewrap_too(course):
    """What the limits keep, they keep everywhere."""
    hostile = {
        "endless": made.ENDLESS, "eater": made.BITES_MEMORY, "killer": made.KILLS_ITSELF, "leaver": made.LEAVES,
        "forker": made.FORKS, "filler": made.FILLS_THE_DISK, "parent": made.KILLS_ITS_PARENT,
    }  # fmt: skip
    hand_in(course, b01=good("b01"), **{it: made.with_extra(good(it), code, 2) for it, code in hostile.items()})
    result = small_call(course, "--plain")
    assert result.returncode == 0, result.stderr
    rows = rows_of(course / "exported", "small")
    assert {student: row["total"] for student, row in rows.items()} == dict.fromkeys(["b01", *hostile], "9")
    told = pages_of(course / "exported", "small")
    assert all("Remarks" in told[student] for student in hostile)
    assert "Remarks" not in told["b01"]


@posix_only
def test_interrupted_it_goes_on_where_it_stopped(course):
    hand_in(course, **{f"b{k}": good(f"b{k}") for k in range(6)}, last=made.with_extra(good("last"), made.ENDLESS))
    arguments = ["small", course / "exported", "--course", course / "course", "--workers", "1"]
    command = [sys.executable, str(EXERCISES / "grader"), *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    kept = course / "exported" / "graded" / "small" / "results"
    while not kept.exists() or len(list(kept.glob("*.json"))) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"the same call goes on from there" in complaint
    assert b"Traceback" not in complaint
    assert psutil.wait_procs(family, timeout=20)[1] == []
    done = {path.name for path in kept.glob("*.json")}
    assert 2 <= len(done) < 7
    result = small_call(course)
    assert result.returncode == 0
    totals = {student: row["total"] for student, row in rows_of(course / "exported", "small").items()}
    assert totals == dict.fromkeys([*(f"b{k}" for k in range(6)), "last"], "9")


CLUSTER = """
import sys
from dask.distributed import LocalCluster
with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


@contextmanager
def cluster():
    """The address of a Dask scheduler in a process of its own; in ours it would put what it is sent in our place."""
    command = [sys.executable, "-c", CLUSTER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()


def test_a_cluster_gives_the_same_results(course):
    works = [
        good("b01"), made.blank(SMALL, "b02"), made.with_extra(good("b03"), made.ENDLESS, 2),
        made.with_extra(good("b04"), "def sign(s):\n    return s > 0"), made.of_old(good("b05")),
    ]  # fmt: skip
    data = [*map(made.packed, works), b"no notebook"]
    here = dict(pool.here(SMALL, data, LIMITS, 2))
    with cluster() as scheduler:
        there = dict(pool.on_dask(SMALL, data, LIMITS, scheduler))
        hand_in(course, b01=good("b01"))
        assert small_call(course, "--dask", scheduler).returncode == 0
    assert json.dumps(here, sort_keys=True) == json.dumps(there, sort_keys=True)
    assert rows_of(course / "exported", "small")["b01"]["total"] == "9"


@posix_only
def test_who_ends_the_process_that_grades_is_the_only_one_to_notice():
    """Without bubblewrap there is a way, if one is bent on it; it costs oneself and nobody else."""
    bent = "import ctypes, os\nif os.getppid() > 1: ctypes.CDLL(None).kill(os.getppid(), 9)"
    works = [good("b01"), made.with_extra(good("b02"), bent), good("b03")]
    found = dict(pool.here(SMALL, [made.packed(work) for work in works], PLAIN, 1))
    assert points(found[0]) == points(found[2]) == made.SMALL_QUESTIONS
    assert "the process that graded it was ended" in said(found[1])
    assert [found[k]["failed"] for k in range(3)] == [False, True, False]


def test_a_failure_of_our_own_is_said_and_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "grade", lambda *_: 1 / 0)
    result = pool.guarded_grade(SMALL, b"", LIMITS)
    assert "the grader itself failed (ZeroDivisionError" in said(result)
    assert {it["points"] for it in result["questions"] if it["by_hand"]} == {None}  # somebody has to look at them
    unreadable = graded(b"no notebook")
    assert {it["points"] for it in unreadable["questions"]} == {0}
    results.store(tmp_path, folder.Found("b01", "", b""), "key", result)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_assignment_is_answered_with_those_there_are(capsys, tmp_path):
    assert command.main(["hw9", str(tmp_path)]) == 2
    words = capsys.readouterr().err
    assert "There is no assignment 'hw9'" in words
    assert all(name in words for name in HOMEWORK)


def test_an_empty_folder_is_answered_with_both_layouts(capsys, tmp_path):
    assert command.main([NAME, str(tmp_path)]) == 2
    words = capsys.readouterr().err
    assert f"submitted/<student>/{NAME}/*.ipynb" in words
    assert "<student>_….ipynb" in words


def test_a_folder_that_is_not_there_is_said_to_be_missing(capsys, tmp_path):
    assert command.main([NAME, str(tmp_path / "nowhere")]) == 2
    assert f"There is no folder {tmp_path / 'nowhere'}." in capsys.readouterr().err


def test_a_course_without_submissions_does_not_grade_its_own_source(capsys, course):
    (course / "course" / "release" / "small").mkdir(parents=True)
    (course / "course" / "release" / "small" / "small.ipynb").write_bytes(SMALL)
    assert command.main(["small", str(course / "course"), "--course", str(course / "course")]) == 2
    assert "No submissions were found" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("b02,why,many,", "needed are the columns student, question, points"),
        (",why,1,", "needed are the columns"),
        ("b02,whi,1,", "there is no question 'whi'; there are sign, why"),
        ("b02,why,5,", "why has 4 points at most, and 5 were given"),
        ("b02,why,-1,", "why has 4 points at most, and -1 were given"),
    ],
)
def test_a_line_of_by_hand_that_makes_no_sense_is_named(line, words, tmp_path):
    head = 'student,question,points,comment\nb01,why,4,"two\nlines"\n'
    (tmp_path / "by_hand.csv").write_text(f"{head}{line}\n")
    with pytest.raises(SystemExit, match=re.escape(f"line 4: {words}")):
        results.read_by_hand(tmp_path, {"sign": 2, "why": 4})


def test_by_hand_may_come_from_a_spreadsheet_that_writes_semicolons_and_commas(tmp_path):
    (tmp_path / "by_hand.csv").write_text("\ufeffstudent;question;points;comment\nB01;why;1,5;Good\n", encoding="utf-8")
    assert results.read_by_hand(tmp_path, {"why": 4}) == {"b01": {"why": (1.5, "Good")}}


def test_by_hand_in_another_encoding_is_said_to_be_so(tmp_path):
    (tmp_path / "by_hand.csv").write_bytes("student,question,points\n中文,why,1\n".encode("big5"))
    with pytest.raises(SystemExit, match="is not in UTF-8: save it again"):
        results.read_by_hand(tmp_path, {"why": 4})


def test_what_lies_beside_exported_notebooks_is_named(capsys, course):
    hand_in(course, B01=good("b01"))
    (course / "exported" / "b02_homework.pdf").write_bytes(b"%PDF")
    (course / "exported" / "by_hand.csv").write_text("student,question,points,comment\nb01,why,1,\n")
    assert command.main(["small", str(course / "exported"), "--course", str(course / "course")]) == 0
    assert "Not notebooks, and so not graded: b02_homework.pdf." in capsys.readouterr().err
    assert rows_of(course / "exported", "small")["B01"]["why"] == "1"


def test_without_an_id_the_numbers_are_not_called_unwritten():
    source = source_of(NAME)
    result = graded(made.solved(source, ""), sandbox.Limits(), source)
    state, messages = next((it["state"], it["messages"]) for it in result["questions"] if it["id"] == "test-updates")
    assert state == "not right"
    assert messages[0].startswith("There is no `student`: your id belongs into the first cell")
    assert result["remarks"][0] == messages[0]


def test_who_hangs_once_is_given_less_time_for_the_next(monkeypatch):
    asked = []
    tell = session.Session._tell

    def noted(self, what, where, given, seconds):
        asked.append((what, seconds))
        return tell(self, what, where, given, seconds)

    monkeypatch.setattr(session.Session, "_tell", noted)
    result = graded(made.with_extra(made.with_extra(good(), made.ENDLESS, 2), made.ENDLESS, 2))
    assert points(result) == made.SMALL_QUESTIONS
    assert {seconds for what, seconds in asked if what == "run"} == {LIMITS.cell_seconds, LIMITS.cell_seconds / 4}


# --- Files and names -------------------------------------------------------------------------------------------------


def found_in(place):
    return folder.find(place, "small", notebook.Assignment(notebook.read(SMALL).cells))


def test_the_id_in_a_flat_folder_stands_before_the_first_underscore(tmp_path):
    for name in ("b01_small.ipynb", "b02_12_final_small.ipynb", "中文_x.ipynb", "alone.ipynb", "b01_late.ipynb"):
        (tmp_path / name).write_bytes(SMALL)
    assert [it.student for it in found_in(tmp_path)] == ["alone", "b01_late", "b01_small", "b02", "中文"]
    assert "There are 2 files of b01" in found_in(tmp_path)[1].remarks[0]


def test_of_several_notebooks_the_one_with_the_assignments_cells_is_graded(tmp_path):
    place = tmp_path / "submitted" / "b01" / "small"
    place.mkdir(parents=True)
    (place / "a scratch.ipynb").write_bytes(b'{"cells": []}')
    (place / "broken.ipynb").write_bytes(b"{")
    (place / "work.ipynb").write_bytes(SMALL)
    (it,) = found_in(tmp_path)
    assert it.file == "b01/small/work.ipynb"
    assert "called work.ipynb, not small.ipynb" in it.remarks[0]
    (tmp_path / "submitted" / "b02" / "small").mkdir(parents=True)
    assert "no notebook in this student's folder" in found_in(tmp_path / "submitted")[1].remarks[0]


def test_safe_names_are_safe_and_never_shared():
    students = [
        "b01",
        "B01",
        "../x",
        "..",
        ".",
        "",
        "a/b",
        "a\\b",
        "con",
        "a b",
        "中文",
        "x" * 300,
        "y" * 300,
        "\ud800",
    ]
    names = [folder.Found(student, "", b"").safe_name for student in students]
    assert names[0] == "b01"
    assert len({name.lower() for name in names}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9%_-]{1,80}", name) for name in names)
    assert "con" not in names


def test_no_spreadsheet_takes_a_name_for_a_formula(tmp_path):
    result = graded(b"")
    every = [results.Graded(folder.Found(it, 'f".ipynb', b""), result, {}) for it in ("=1+1", "@x", "-2", "b01")]
    results.write_scores(tmp_path / "scores.csv", every)
    with (tmp_path / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["student"] for row in rows] == ["'=1+1", "'@x", "'-2", "b01"]
    assert rows[0]["file"] == 'f".ipynb'


def test_a_key_changes_with_everything_a_result_depends_on():
    keys = {
        results.key(b"a", b"b", LIMITS), results.key(b"", b"ab", LIMITS), results.key(b"a", b"b", PLAIN),
        results.key(b"a", b"c", LIMITS), results.key(b"x", b"b", LIMITS),
    }  # fmt: skip
    assert len(keys) == 5


# --- What the process says is only believed if it makes sense --------------------------------------------------------


@pytest.mark.parametrize("told", [None, 3, [1], [(1, 2, 3)], [("a", ["x"])], "text"])
def test_statements_that_make_no_sense_are_none(told):
    assert session._as_statements(told) is None


@pytest.mark.parametrize("told", [None, 3, [1], [("x", "NO_KIND", False)], [("not a name", "VAR_KEYWORD", False)]])
def test_parameters_that_make_no_sense_are_none(told):
    assert session._signature(told) is None


def test_lines_are_read_from_the_students_cells_and_from_nowhere_else():
    assert sandbox._line_of({1: "a\nb"}, "<cell 1>", 2) == "b"
    for file, line in (("/etc/passwd", 1), ("<cell 2>", 1), ("<cell 1>", 9), (__file__, 1)):
        assert sandbox._line_of({1: "a\nb"}, file, line) == ""

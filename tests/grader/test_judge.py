"""One submission: parts have points, what follows from a mistake is right, and the first cause is named."""

import json
import re
import shutil
from contextlib import closing

import pytest

from exercises.grader import judge, notebook, sandbox, session
from tests.grader import submissions as made
from tests.grader.submissions import FULL, SMALL, changed, good

LIMITS = sandbox.Limits(cell_seconds=5, call_seconds=5, megabytes=400, plain=bool(sandbox.why_no_bubblewrap()))


@pytest.fixture(scope="module")
def template():
    folder = sandbox.make_template({})
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def grade(template):
    """Grade a notebook; each is graded once."""
    results = {}

    def graded(work, source=SMALL):
        key = made.packed(work), source
        if key not in results:
            results[key] = judge.grade(source, key[0], template, LIMITS)
        return results[key]

    return graded


def points(result):
    return {each["id"]: each["points"] for each in result["questions"] if not each["by_hand"]}


def question(result, name):
    return next(each for each in result["questions"] if each["id"] == name)


def said(result, name):
    """All that the page says at a question."""
    each = question(result, name)
    return "\n".join([each["given"], *each["messages"], *(f"{label}: {text}" for label, text in each["details"])])


def learning_updates(student):
    """The number of updates for a student's data, by the package."""
    from plahelpers import learning

    space = {"student": student}
    exec(made.DATA, space)
    return learning.pla(space["X"], space["y"]).updates


# --- What is asked: the source ---------------------------------------------------------------------------------------


def test_a_name_of_a_test_is_needed_unless_the_test_defines_it_or_python_does():
    source = "import numpy as np\ndef f(a):\n    return a + b + np.pi\nc = [d for d in e]\nlen(c) + f(1)"
    assert notebook.needed_by(source) == {"b", "e"}


def test_what_students_get_is_what_nbgrader_would_hand_out():
    blank = made.blank(SMALL, "nobody")  # made by nbgrader's own preprocessors
    for ours, cell in zip(notebook.read(SMALL), blank["cells"], strict=True):
        if ours.nbgrader.get("solution"):
            assert notebook.is_blank(cell["source"], ours)
            assert not notebook.is_blank(ours.source, ours)
        else:
            given = notebook.Cell("", notebook.without(ours.source, "HIDDEN TESTS"))
            assert given.lines == notebook.Cell("", cell["source"]).lines


def test_a_question_takes_its_title_from_the_heading_above_it_and_is_built_on_what_its_answer_comes_from():
    assignment = notebook.Assignment(SMALL)
    questions = [(each.title, each.by_hand) for each in assignment.questions]
    assert questions[2:] == [("3. How many updates?", False), ("4. Why does it halt?", True)]
    built = {each.id: assignment.built_on(each) for each in assignment.questions}
    assert built == {"sign-test": [], "pla-test": [], "updates-test": ["pla-test"], "why": []}


@pytest.mark.parametrize("line", ["updates = 3", "w, updates = 1, 2", "updates: int = 3", "    updates = f()"])
def test_a_cells_text_tells_whether_it_defines_a_name(line):
    assert notebook.may_define(f"x = 1\n{line}\n", "updates")
    assert not notebook.may_define(line, "other")
    for other in ("updates == 3", "print(updates)", "total = updates", "updates_2 = 3", "# updates", "f(updates=3)"):
        assert not notebook.may_define(other, "updates")


# --- Fair marks ------------------------------------------------------------------------------------------------------


def test_a_solution_gets_full_marks_and_no_remark(grade):
    result = grade(good())
    assert (points(result), result["remarks"], result["student"]) == (FULL, [], "b09")
    assert "turn towards each other" in question(result, "why")["answer"]


def test_each_part_of_an_answer_has_its_points(grade):
    result = grade(changed(good(), "return w, len(picks)", "return w, len(picks) + 1"))
    assert points(result) == {**FULL, "pla-test": 2.0, "updates-test": 3.0}
    parts = [(part["name"], part["right"], part["points"]) for part in question(result, "pla-test")["parts"]]
    assert parts == [("w", True, 2), ("updates", False, 0)]


def test_a_function_that_changes_its_arguments_is_told_what_that_costs(grade):
    result = grade(changed(good(), "return w, len(picks)", "X[0, 0] += 1\n    return w, len(picks)"))
    assert points(result)["pla-test"] == 2
    assert "It costs 2 besides that the arguments were changed." in said(result, "pla-test")


def test_a_number_that_follows_from_a_wrong_function_is_right_and_the_right_one_is_told(grade):
    result = grade(changed(good(), "0, 0, []", "0, 7, []"))
    assert question(result, "pla-test")["points"] < 4
    number = question(result, "updates-test")
    assert (number["state"], number["points"]) == ("right", 3.0)
    assert number["given"] == "given your `pla` (question 2)"
    assert number["messages"] == [f"With a right `pla` it is {learning_updates('b09')}."]


@pytest.mark.parametrize("pla", ["return np.zeros(3), 7", "return np.ones(3) / len(y), 7", "return None"])
def test_nothing_follows_from_a_function_that_is_no_attempt(grade, pla):
    work = made.with_cell(good(), "pla", f"def pla(X, y):\n    {pla}")
    result = grade(changed(work, "updates = pla(X, y)[1]", "updates = 7"))
    assert points(result)["updates-test"] == 0


def test_the_worked_example_alone_is_no_attempt(grade):
    """Who hard-codes it, and a perfect w with invented numbers for everything else, gets nothing that follows."""
    from plahelpers.checks import pla as check

    X, y = check.task.cases()[0]
    is_example = f"np.array_equal(X, {X.tolist()!r}) and np.array_equal(y, {y.tolist()!r})"
    code = good()["cells"][made.place_of(good(), "def pla(")]["source"].replace("def pla(", "def walk(")
    code += "\ndef pla(X, y):\n    w, *rest = walk(X, y)\n"
    code += f"    return (w, *rest) if {is_example} else (2 * w + 1e-9, 7)"
    work = made.with_cell(good(), "pla", code)
    result = grade(changed(work, "updates = pla(X, y)[1]", "updates = 7"))
    assert any(case["passed"] for case in question(result, "pla-test")["cases"])
    assert points(result)["updates-test"] == 0
    assert "is right in no unseen case, so nothing follows from it" in said(result, "updates-test")


def test_after_grading_the_right_number_is_told(grade):
    result = grade(changed(good(), "updates = pla(X, y)[1]", "updates = 100_000"))
    assert ["Right for your data", str(learning_updates("b09"))] in json.loads(json.dumps(result))["questions"][2][
        "details"
    ]


@pytest.mark.parametrize(
    ("test", "sign", "verdict"),
    [
        ("1.5 if sign(1) == 1 else 0", "1", ("partly right", 1.5)),
        ("assert sign(1) == 1", "1", ("right", 2)),
        ("assert sign(1) == 1", "7", ("not right", 0, "A test did not hold.")),
        ("assert sign(1) == 1", "1 / 0", ("not right", 0, "The test called `sign`: it raised ZeroDivisionError: div")),
        ("[][1]", "1", ("not right", 0, "The test could not use what the notebook gave it (IndexError")),
    ],
)
def test_a_test_may_be_any_code_and_is_told_how_a_call_ended(grade, test, sign, verdict):
    source = made.small_source(test)
    work = made.with_cell(good(source=source), "sign", f"def sign(s):\n    return {sign}")
    result = question(grade(work, source), "sign-test")
    assert (result["state"], result["points"]) == verdict[:2]
    assert "".join(result["messages"]).startswith(verdict[2:] or "")
    assert result["broken"] == (test == "[][1]")  # a test that fails by itself is shown to the lecturer


# --- The first cause -------------------------------------------------------------------------------------------------


def test_the_reason_is_the_first_cell_that_failed_not_the_name_that_is_missing_since(grade):
    work = made.with_extra(good(), "Q = 1 / 0", 3)
    result = grade(changed(work, "updates = pla(X, y)[1]", "R = Q + 1\nupdates = R"))
    words = said(result, "updates-test")
    assert "`updates` is not defined." in words
    assert "line 1 (`Q = 1 / 0`): it raised ZeroDivisionError" in words
    assert "NameError" not in words + "\n".join(result["remarks"])
    assert "So 1 more cell failed, because a name was missing." in result["remarks"]


def test_an_error_is_located_in_the_innermost_line_that_the_student_wrote(grade):
    """Not in the line that called, not in NumPy."""
    work = made.with_extra(good(), "def invert(A):\n    A = A\n    return np.linalg.inv(A)", 3)
    result = grade(changed(work, "updates = pla(X, y)[1]", "a = 1\nupdates = invert(np.zeros((2, 2)))"))
    words = said(result, "updates-test")
    assert "it raised LinAlgError" in words
    assert re.search(r"It happened in code cell \d+, line 3 \(`return np.linalg.inv\(A\)`\)\.", words)


def test_a_cell_fails_as_in_jupyter_from_its_first_error_on_and_the_next_cells_are_run(grade):
    result = grade(made.with_extra(changed(good(), "updates = pla", "1 / 0\nupdates = pla"), "later = 1"))
    assert points(result) == {**FULL, "updates-test": 0}


def test_a_function_that_hangs_is_stopped_once_and_not_called_again(grade):
    result = grade(made.with_cell(good(), "sign", "def sign(w, X):\n    while True: pass"))
    assert points(result) == {**FULL, "sign-test": 0}
    kinds = [case["trouble"] for case in question(result, "sign-test")["cases"]]
    assert kinds[:2] == ["slow", "not tried"]


@pytest.mark.usefixtures("bubblewrap")
def test_students_code_is_not_root_seen_from_outside_whoever_grades(template):
    with closing(sandbox.StudentProcess(template, LIMITS)) as process:
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


def test_lines_are_read_from_the_students_cells_and_from_nowhere_else():
    assert session._line_of({1: "a\nb"}, "<cell 1>", 2) == "b"
    for file, line in (("/etc/passwd", 1), ("<cell 2>", 1), ("<cell 1>", 9), (__file__, 1)):
        assert session._line_of({1: "a\nb"}, file, line) == ""


# --- Written answers -------------------------------------------------------------------------------------------------


def test_a_written_answer_stands_in_its_cell_with_its_pictures_and_those_drawn_before_it(grade):
    red, blue, green = made.picture(), made.picture("JPEG", colour="blue"), made.picture(colour="green")
    work = good()
    work["cells"][-1] |= {
        "source": '![one](attachment:a.png) <img src="attachment:b.jpg" width="5"/> ![none](attachment:c)',
        "attachments": {"a.png": {"image/png": red}, "b.jpg": {"image/jpeg": blue}},
    }
    drawn = [{"output_type": "display_data", "data": {"image/png": green}, "metadata": {}}]
    work["cells"].insert(-1, made.code_cell("1", outputs=drawn))
    work["cells"].insert(3, made.code_cell("2", outputs=[{**drawn[0], "data": {"image/png": blue}}]))
    why = question(grade(work), "why")
    assert f'<img src="data:image/png;base64,{red}" alt="one">' in why["answer"]
    assert f'<img src="data:image/jpeg;base64,{blue}" alt="">' in why["answer"]
    assert "cannot be shown here" in why["answer"]
    assert why["drawn"] == (f"data:image/png;base64,{green}",)


def test_an_answer_whose_cell_was_deleted_is_not_found_and_the_page_says_so(grade):
    assert question(grade(made.blank(SMALL, "b09")), "why")["messages"] == ["No answer was found in its cell."]
    work = good()
    work["cells"] = [*work["cells"][:-1], {"cell_type": "markdown", "metadata": {}, "source": "Because."}]
    why = question(grade(work), "why")
    assert (why["state"], why["points"], why["answer"]) == ("blank", None, "")
    assert "its cell is not in the notebook any more" in why["messages"][0]


# --- The real homework -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hw1_pla", "hw2_convergence", "hw3_pocket"])
def test_full_marks_nothing_and_exactly_what_is_wrong_on_the_real_homework(name, template):
    """Solved, blank, and solved but for functions that return something else afterwards."""
    source = (made.EXERCISES / "source" / name / f"{name}.ipynb").read_bytes()
    assignment = notebook.Assignment(source)
    full = {each.id: each.points for each in assignment.questions if not each.by_hand}
    functions = {name for cell in assignment.solutions.values() for name in re.findall(r"(?m)^def (\w+)", cell.source)}
    # What is checked is the first argument. A number that follows from a function names it, too, and stays right.
    checked = {
        name: set(re.findall(r"(?:checks|solution|data)\.\w+\((\w+)", test.source))
        for name, test in assignment.tests.items()
    }
    lost = {name for name, subjects in checked.items() if subjects & functions}
    solved = made.solved(source, "b01")
    wrong = made.with_extra(solved, "\n".join(f"def {name}(*_):\n    return 'wrong'" for name in functions))
    limits = sandbox.Limits(plain=LIMITS.plain)
    for file in (made.EXERCISES / "release" / name).glob("hw?_*.*"):
        shutil.copy(file, template / "files")
    works = (solved, made.blank(source, "b01"), wrong)
    right, blank, wrong = (judge.grade(source, made.packed(work), template, limits) for work in works)
    assert (points(right), right["remarks"]) == (full, [])
    assert (points(blank), blank["remarks"]) == (dict.fromkeys(full, 0), [])
    assert {each["state"] for each in blank["questions"]} == {"blank"}
    assert points(wrong) == full | dict.fromkeys(lost, 0)

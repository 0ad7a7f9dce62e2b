"""The grader: right scores for good, blank, wrong and hostile homework; nobody pays for what another one did."""

import csv
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote

import psutil
import pytest

from exercises.grader import command, folder, grade as grading, notebook, pages, pool, results, sandbox, session, worker
from tests.grader import submissions as made
from tests.grader.submissions import LIMITS, PLAIN

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"


WITHOUT_SANDBOX = [] if LIMITS.bubblewrap else ["--plain"]
SMALL = made.small_source()
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs signals")


def good(student="b01"):
    return made.solved(SMALL, student)


def graded(work, limits=LIMITS, source=SMALL):
    return grading.grade(source, work if isinstance(work, bytes) else made.packed(work), limits)


def work_of(submission, limits=LIMITS, source=SMALL):
    """What a worker is given."""
    data = submission if isinstance(submission, bytes) else made.packed(submission)
    return worker.Work(source, data, limits, "0" * 64)


def points(result):
    """The points of the questions that a program grades."""
    return {question["id"]: question["points"] for question in result["questions"] if not question["by_hand"]}


def text_of(result):
    """All that a student is told."""
    details = [f"{label}: {text}" for question in result["questions"] for label, text in question["details"]]
    messages = [message for question in result["questions"] for message in question["messages"]]
    return "\n".join([*result["remarks"], *messages, *details])


def question(result, name):
    return next(question for question in result["questions"] if question["id"] == name)


# --- What is asked: the source ---------------------------------------------------------------------------------------


def test_a_name_of_a_test_is_needed_unless_the_test_defines_it_or_python_does():
    source = "import numpy as np\ndef f(a):\n    return a + b + np.pi\nc = [d for d in e]\nlen(c) + f(1)"
    assert grading.needed_by(source) == {"b", "e"}


def test_a_cell_defines_its_outermost_names_only():
    source = "import a.b, c as d\nx, (y, *z) = 1\ndef f(p):\n    inner = 1\nclass K:\n    field = 2\nfor k in x: w = 1"
    assert notebook.names_in(source) == {"a", "d", "x", "y", "z", "f", "K", "k", "w"}


def test_what_students_get_is_what_nbgrader_would_hand_out():
    blank = made.blank(SMALL, "nobody")  # made by nbgrader's own preprocessors
    for ours, cell in zip(notebook.read(SMALL).cells, blank["cells"], strict=True):
        if ours.nbgrader.get("solution"):
            assert notebook.is_blank(cell["source"], ours)
            assert not notebook.is_blank(ours.source, ours)
        else:
            assert notebook.same(notebook.without_hidden_tests(ours.source), cell["source"])


def test_a_question_takes_its_title_from_the_heading_above_it():
    assignment = notebook.Assignment(notebook.read(SMALL).cells)
    questions = [(question.title, question.by_hand) for question in assignment.questions]
    assert questions[1:3] == [("2. PLA", False), ("3. How many updates?", False)]
    assert questions[3] == ("4. Why does it halt?", True)


# --- One submission --------------------------------------------------------------------------------------------------


def test_a_solution_gets_full_marks_and_no_remark(limits):
    result = graded(good(), limits)
    assert (points(result), result["remarks"], result["student"]) == (made.SMALL_QUESTIONS, [], "b01")
    assert question(result, "why")["answer"] == "Because w and w_f turn towards each other."


def test_a_blank_notebook_gets_nothing_and_is_told_what_is_missing():
    result = graded(made.blank(SMALL, "b01"))
    assert points(result) == dict.fromkeys(made.SMALL_QUESTIONS, 0)
    for name, missing in {"sign-test": "sign", "pla-test": "pla", "updates-test": "updates"}.items():
        assert question(result, name)["state"] == "blank"
        (message,) = question(result, name)["messages"]
        assert message == f"`{missing}`: not written yet. The cell is still as it was handed out."
    assert (question(result, "why")["answer"], result["remarks"]) == ("", [])


@pytest.mark.parametrize("mistake", made.WRONG_SIGNS)
def test_a_wrong_function_loses_its_points_and_the_mistake_is_named(mistake):
    """That each known mistake is recognised is proved where the checks are; here, that its name arrives."""
    result = graded(made.with_extra(good(), made.WRONG_SIGNS[mistake]))
    assert points(result) == {**made.SMALL_QUESTIONS, "sign-test": 0}
    lost = question(result, "sign-test")
    assert lost["mistake"] == mistake
    details = dict(lost["details"])
    assert details["Likely mistake"] == lost["meaning"]
    assert {"Tried", "Came out", "Expected"} < set(details)
    assert {"passed", "tried", "got", "expected"} <= set(lost["cases"][0])


def test_each_students_number_is_another_one_and_a_copied_one_is_wrong():
    numbers = {}
    for student in ("b01", "b02"):
        work = made.with_extra(good(student), "raise ValueError(updates)")
        numbers[student] = re.search(r"ValueError: (\d+)", text_of(graded(work)))[1]
    assert numbers["b01"] != numbers["b02"]
    assert points(graded(made.with_extra(good("b02"), f"updates = {numbers['b01']}")))["updates-test"] == 0


def test_a_spent_budget_ends_the_grading_and_says_so():
    tired = sandbox.Limits(cell_seconds=30, total_seconds=2, bubblewrap=LIMITS.bubblewrap)
    result = graded(made.with_extra(good(), "while True: pass", at=4), tired)
    assert points(result) == dict.fromkeys(made.SMALL_QUESTIONS, 0)
    assert "All the 2 seconds that one notebook may take were spent" in text_of(result)


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
def test_a_test_may_be_any_code_and_is_told_how_a_call_ended(test, sign, verdict):
    source = SMALL.replace(b"checks.predict(sign, seed=5).require()", test.encode())
    result = question(graded(made.with_extra(good(), f"def sign(s):\n    return {sign}"), source=source), "sign-test")
    assert (result["state"], result["points"]) == verdict[:2]
    assert "".join(result["messages"]).startswith(verdict[2:] or "")
    assert result["broken"] == (test == "[][1]")  # a test that fails by itself is shown to the lecturer


def test_an_answer_in_several_cells_is_kept_together():
    work = good()
    work["cells"] += [made.code_cell("print('see above')"), {**made.code_cell("And more."), "cell_type": "markdown"}]
    parts = ["```python\nprint('see above')\n```", "And more."]
    assert question(graded(work), "why")["answer"].split("\n\n")[1:] == parts


@pytest.mark.parametrize("kind", made.NOT_NOTEBOOKS)
def test_what_is_no_notebook_gets_nothing_and_the_reason(kind):
    result = graded(made.NOT_NOTEBOOKS[kind](made.packed(good())))
    assert points(result) == dict.fromkeys(made.SMALL_QUESTIONS, 0)
    assert all("not a notebook" in question["messages"][0] for question in result["questions"])


@pytest.mark.parametrize("cells", [[None, 3, "x"], [{}], [{"cell_type": "code", "metadata": [], "source": [1, None]}]])
def test_a_notebook_of_odd_cells_is_read_as_far_as_it_goes(cells):
    result = graded(json.dumps({"cells": cells, "metadata": {"kernelspec": "x"}}).encode())
    assert points(result) == dict.fromkeys(made.SMALL_QUESTIONS, 0)
    assert "defined nowhere" in text_of(result)


def test_a_huge_file_is_not_even_parsed():
    with pytest.raises(notebook.UnreadableError, match="more than 20 are not read"):
        notebook.read(b" " * (21 * 2**20))


@pytest.mark.usefixtures("bubblewrap")
def test_the_hidden_tests_and_other_submissions_are_out_of_sight(tmp_path):
    (tmp_path / "secret.ipynb").write_text("{}")
    code = made.reads(str(tmp_path / "secret.ipynb"))
    for hidden in (EXERCISES, Path(__file__), tmp_path):
        code += f"\nimport os; assert not os.path.exists({str(hidden)!r})"
    result = graded(made.with_extra(good(), code))
    assert points(result) == made.SMALL_QUESTIONS
    assert "AssertionError" not in text_of(result)
    assert "No such file" in text_of(result)
    assert "a notebook sees no files but its own" in text_of(result)


def test_the_environment_is_cleared(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    for limits in (LIMITS, PLAIN):
        result = graded(made.with_extra(good(), "import os\nraise ValueError(sorted(os.environ))"), limits)
        assert "HOME" in text_of(result)
        assert "SECRET_TOKEN" not in text_of(result)


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
    file = folder.SubmissionFile(evil, f"{evil}.ipynb", b"")
    every = [results.Grade(file, result, {"why": (1.0, evil)})]
    for page in (pages.feedback("hw", every[0], [evil]), pages.summary("hw", every, [[evil]])):
        assert "<script" not in page
        assert "&lt;script&gt;" in page


# --- The real homework -----------------------------------------------------------------------------------------------

HOMEWORK = ["hw1_pla", "hw2_convergence", "hw3_pocket"]


@pytest.mark.parametrize("name", HOMEWORK)
def test_full_marks_nothing_and_exactly_what_is_wrong_on_the_real_homework(name):
    """Solved, blank, and solved but for functions that return something else afterwards."""
    source = (EXERCISES / "source" / name / f"{name}.ipynb").read_bytes()
    assignment = notebook.Assignment(notebook.read(source).cells)
    full = {question.id: question.points for question in assignment.questions if not question.by_hand}
    functions = {name for cell in assignment.solutions.values() for name in re.findall(r"(?m)^def (\w+)", cell.source)}
    # What is checked is the first argument. A number that follows from a function names it, too, and stays right.
    checked = {name: set(re.findall(r"checks\.\w+\((\w+)", test.source)) for name, test in assignment.tests.items()}
    lost = {name for name, subjects in checked.items() if subjects & functions}
    solved = made.solved(source, "b01")
    wrong = made.with_extra(solved, "\n".join(f"def {name}(*_):\n    return 'wrong'" for name in functions))
    limits = sandbox.Limits(bubblewrap=LIMITS.bubblewrap)
    works = [work_of(each, limits, source) for each in (solved, made.blank(source, "b01"), wrong)]
    right, blank, wrong = dict(sorted(pool.here(works, 2))).values()
    assert (points(right), right["remarks"]) == (full, [])
    assert (points(blank), blank["remarks"]) == (dict.fromkeys(full, 0), [])
    for each in blank["questions"]:
        assert each["state"] == "blank"
        assert each["by_hand"] or "not written yet" in each["messages"][0]
    assert lost
    assert points(wrong) == full | dict.fromkeys(lost, 0)


# --- Thirty submissions in one call ----------------------------------------------------------------------------------

NAME = "small"
FULL = 9.0  # of 14: five are given by hand
IDS = ["b10901001", "b10901002", "r11922003", "Alice", "中文", "o'neil & sons", "a b", "x%2Fy", "..hidden"]
HARM = {  # a cell that is put into a solved notebook, which costs no points, and words of the remark on it
    "endless": (made.ENDLESS, ["line 1 (while True: pass): it ran into the time limit"]),
    "printer": (made.PRINTS_A_GIGABYTE, ["printed more than 100 MB"]),
    "eater": (made.EATS_MEMORY, ["MB of memory"]),
    "biter": (made.BITES_MEMORY, ["MB of memory"]),
    "leaver": (made.LEAVES, ["called sys.exit"]),
    "killer": (made.KILLS_ITSELF, ["ended the process it ran in (signal SIGKILL)"]),
    "parent": (made.KILLS_ITS_PARENT, ["may end no process but its own"]),
    "forker": (made.FORKS, ["process"]),  # refused after thirty, or stopped at fifty
    "filler": (made.FILLS_THE_DISK, ["little room for files"]),
    "cheater": (made.REPLACES_THE_CHECKER, []),
    "broken": ("a = undefined\n1 / 0\nb = 1", ["line 2 (1 / 0): it raised ZeroDivisionError"]),
}
GAINS_NOTHING = {  # a cell that is put into a blank notebook
    "blank-cheater": made.REPLACES_THE_CHECKER,
    "forger": made.FORGES_ANSWERS,
    "namer": made.NAMES_OUR_FILES,
    "spoiler": made.SPOILS_ITS_OWN_ANSWERS,
}
ENDLESS_PLA = "def pla(X, y):\n    while True: pass"
ANOTHER_DATA = "def my_data(student):\n    return X, -np.ones(len(y))\nupdates = pla(*my_data(student))[1]"
MAGICS = "%matplotlib inline\n!ls\nimport matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\ndisplay(X)\n%time a = 1"


def in_bubblewrap(course):
    """What only bubblewrap keeps a notebook from."""
    other = course / "submitted" / "b10901001" / NAME / f"{NAME}.ipynb"
    source = EXERCISES / "source" / "hw1_pla" / "hw1_pla.ipynb"
    return {
        "spy": (made.reads(str(other)), ["No such file", "sees no files but its own"]),
        "reader": (made.reads(str(source)), ["No such file"]),
        "caller": (made.ASKS_THE_NETWORK, ["While it is graded, a notebook has no network."]),
        "asker": (made.ASKS_A_NAME, ["While it is graded, a notebook has no network."]),
    }


def thirty_submissions(course):
    """{student: (notebook, the points they should get, words of the reason)}."""
    works = {student: (good(student), FULL, []) for student in IDS}
    for kind in ("text", "cut_short", "another_json"):
        works[kind] = made.NOT_NOTEBOOKS[kind](made.packed(good(kind))), 0, ["not a notebook"]
    # In pieces, a notebook keeps its points.
    works["split"] = made.split(good("split")), FULL, []
    works["doubled"] = made.doubled(good("doubled"), made.blank(SMALL, "doubled")), FULL, []
    works["reordered"] = made.backwards(good("reordered")), FULL, []
    works["renamed"] = good("renamed"), FULL, ["called my homework (2).ipynb"]
    works["unlocked"] = made.unlocked(good("unlocked")), FULL, ["The test cell", "changed", "The locked cell"]
    works["gone"] = made.unlocked_and_gone(good("gone")), FULL, ["Locked cells were deleted"]
    works["unmarked"] = made.without_marks(good("unmarked")), FULL, ["carries a mark of the assignment"]
    works["old"] = made.of_old(good("old")), FULL, []
    works["r-kernel"] = made.of_another_language(good("r-kernel")), FULL, ["language is r"]
    works["magics"] = made.with_extra(good("magics"), MAGICS, 2), FULL, []
    works["dots"] = good("../x"), FULL, ["says that it belongs to “../x”"]
    works["copycat"] = good("b10901001"), FULL, ["belongs to “b10901001”"]
    # What is not right costs its own question, and those whose answers come from it.
    works["blank"] = made.blank(SMALL, "blank"), 0, ["not written yet"]
    works["looper"] = made.with_extra(good("looper"), ENDLESS_PLA), 5, ["no answer in 2.5 seconds"]
    works["strict"] = made.with_cell(good("strict"), "sign", made.WRONG_SIGNS["zero_is_plus"]), 7, ["Likely mistake"]
    works["deleted"] = good("deleted"), 2, ["pla is defined nowhere", "Was its cell deleted?"]
    del works["deleted"][0]["cells"][made.place_of(works["deleted"][0], "pla")]
    no_colon = made.with_cell(good("no-colon"), "pla", "def pla(X, y)\n    return 0")
    # A statement that fails, or never ends, does not undo the rest of its cell.
    for student, code in (("fails", "1 / 0"), ("never-ends", made.ENDLESS)):
        works[student] = (
            made.with_cell(good(student), "sign", f"{code}\n{made.RIGHT_SIGN}"),
            FULL,
            [],
        )
    works["no-colon"] = no_colon, 2, ["pla is not defined.", "Code cell 5", "SyntaxError"]
    works["other-data"] = made.with_extra(good("other-data"), ANOTHER_DATA), 6, []  # my_data is ours
    for student, code in GAINS_NOTHING.items():
        works[student] = made.with_extra(made.blank(SMALL, student), code, 1), 0, []
    for student, (code, words) in (HARM | in_bubblewrap(course)).items():
        works[student] = made.with_extra(good(student), code, 2), FULL, words
    return works


def call(*arguments):
    """The command, as run.py starts it."""
    command = [sys.executable, "-m", "exercises.grader", *map(str, arguments), *WITHOUT_SANDBOX]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)


def write_source(course):
    """A course with the small assignment."""
    place = course / "source" / NAME
    place.mkdir(parents=True)
    (place / f"{NAME}.ipynb").write_bytes(SMALL)


def grade_thirty(folder):
    course = folder / "course"
    write_source(course)
    for student, (work, _, _) in thirty_submissions(course).items():
        place = course / "submitted" / student / NAME
        place.mkdir(parents=True)
        file = "my homework (2).ipynb" if student == "renamed" else f"{NAME}.ipynb"
        (place / file).write_bytes(work if isinstance(work, bytes) else made.packed(work))
    (course / "by_hand.csv").write_text(
        "student,question,points,comment\nb10901001,why,4,Well said: <b>η</b> cancels.\n", encoding="utf-8"
    )
    result = call(NAME, course, "--course", course, "--seconds", "5")
    assert result.returncode == 0, result.stderr
    (folder / "output").write_text(result.stdout + result.stderr, encoding="utf-8")


@pytest.fixture(scope="session")
def thirty(bubblewrap, shared_folder):
    """A class that was graded in one call, and what each student should get."""
    course = shared_folder("thirty", grade_thirty) / "course"
    return course, {student: (score, words) for student, (_, score, words) in thirty_submissions(course).items()}


def rows_of(course):
    with (course / "graded" / NAME / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def totals_of(course):
    return {student: row["total"] for student, row in rows_of(course).items()}


def pages_of(course):
    """The feedback of each student, as text."""
    texts = {}
    for path in (course / "graded" / NAME / "feedback").iterdir():
        page = path.read_text(encoding="utf-8")
        texts[html.unescape(re.search(r"<h1>(.*?)</h1>", page)[1])] = html.unescape(re.sub(r"<[^>]+>", "", page))
    return texts


def test_thirty_submissions_get_their_scores_in_one_call(thirty):
    course, expected = thirty
    assert len(expected) >= 30
    by_hand = {"b10901001": 4}
    scores = {student: float(row["total"]) - by_hand.get(student, 0) for student, row in rows_of(course).items()}
    assert scores == {student: score for student, (score, _) in expected.items()}


def test_every_student_is_told_the_reason(thirty):
    course, expected = thirty
    texts = pages_of(course)
    assert set(texts) == set(expected)
    assert not any("root:" in text for text in texts.values())  # of /etc/passwd, which a forged answer names
    for student, (_, words) in expected.items():
        assert [word for word in words if word not in texts[student]] == [], student


def test_the_files_stay_inside_their_folder_whatever_the_students_are_called(thirty):
    course, expected = thirty
    target = course / "graded" / NAME
    assert {path.name for path in target.iterdir()} == {"scores.csv", "summary.html", "feedback", "results"}
    assert len(list((target / "feedback").iterdir())) == len(expected)
    assert {path.name for path in course.iterdir()} == {"source", "submitted", "graded", "by_hand.csv", "secret"}


def test_the_summary_tells_what_the_lecturer_wants_to_know(thirty):
    course, expected = thirty
    page = (course / "graded" / NAME / "summary.html").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]+>", "", page))
    assert f"{len(expected)} submissions" in text
    assert re.search(r'role="img" aria-label="Histogram of \d+ scores, in percent of the points: ', page)
    assert "hardest" in text
    assert "predicts +1 on the line" in re.search(r"Known mistakes(.*?)To look at", text, re.S)[1]
    links = re.findall(r'href="(feedback/[^"#]+)', page)
    assert len(set(links)) == len(expected)
    for link in links:
        assert (course / "graded" / NAME / unquote(link)).is_file()


def test_what_is_graded_by_hand_is_merged_and_the_rest_awaits_it(thirty):
    course, _ = thirty
    rows, texts = rows_of(course), pages_of(course)
    assert (rows["b10901001"]["why"], rows["b10901002"]["why"]) == ("4", "")
    assert (rows["b10901001"]["of"], rows["b10901002"]["of"]) == ("14", "9")
    assert "Well said: <b>η</b> cancels." in texts["b10901001"]
    assert "of 9 points graded so far" in texts["b10901002"]


def test_the_last_words_say_where_everything_is(thirty):
    course, _ = thirty
    target, output = course / "graded" / NAME, (course.parent / "output").read_text(encoding="utf-8")
    for path in (target / "scores.csv", target / "summary.html", f"{target / 'feedback'}{os.sep}"):
        assert str(path) in output
    assert re.search(r"(\d+) of \1 graded", output)


def test_a_second_call_grades_only_what_has_changed(thirty, tmp_path):
    course, expected = shutil.copytree(thirty[0], tmp_path / "course"), thirty[1]
    stored = course / "graded" / NAME / "results"
    before = {path.name: path.stat().st_mtime_ns for path in stored.iterdir()}
    place = course / "submitted" / "b10901002" / NAME / f"{NAME}.ipynb"
    place.write_bytes(made.packed(made.blank(SMALL, "b10901002")))
    (stored / "b10901001.json").write_text("{cut short")
    again = call(NAME, course, "--course", course, "--seconds", "5", "--workers", "1")
    assert f"{len(expected) - 2} of {len(expected)} were graded by an earlier call" in again.stdout
    after = {path.name: path.stat().st_mtime_ns for path in stored.iterdir()}
    assert {name for name in after if after[name] != before[name]} == {"b10901001.json", "b10901002.json"}
    assert rows_of(course)["b10901002"]["total"] == "0"
    assert float(rows_of(course)["b10901001"]["total"]) == FULL + 4


# --- The other layout, the command, other machines -------------------------------------------------------------------


@pytest.fixture
def course(tmp_path):
    """A course with the small assignment, and an empty folder for what is handed in."""
    write_source(tmp_path / "course")
    (tmp_path / "exported").mkdir()
    return tmp_path


def hand_in(course, **works):
    for student, work in works.items():
        (course / "exported" / f"{student}_small_final.ipynb").write_bytes(made.packed(work))


def small_call(course, *more):
    return call("small", course / "exported", "--course", course / "course", "--seconds", "3", *more)


def test_a_flat_folder_is_graded_without_bubblewrap_too(course):
    """What the limits keep, they keep everywhere."""
    hostile = [name for name in HARM if name not in ("printer", "eater", "broken")]
    hand_in(course, b01=good("b01"), **{name: made.with_extra(good(name), HARM[name][0], 2) for name in hostile})
    result = small_call(course, "--plain")
    assert result.returncode == 0, result.stderr
    assert totals_of(course / "exported") == dict.fromkeys(["b01", *hostile], "9")
    texts = pages_of(course / "exported")
    assert all(word in texts[student] for student in hostile for word in HARM[student][1])
    assert "Remarks" not in texts["b01"]


@posix_only
def test_interrupted_it_goes_on_where_it_stopped(course):
    hand_in(course, **{f"b{k}": good(f"b{k}") for k in range(4)}, last=made.with_extra(good("last"), made.ENDLESS))
    arguments = ["small", course / "exported", "--course", course / "course", "--workers", "1"]
    command = [sys.executable, "-m", "exercises.grader", *map(str, arguments), *WITHOUT_SANDBOX]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    stored = course / "exported" / "graded" / "small" / "results"
    while not stored.exists() or len(list(stored.glob("*.json"))) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"the same call goes on from there" in complaint
    assert b"Traceback" not in complaint
    assert psutil.wait_procs(family, timeout=20)[1] == []
    done = {path.name for path in stored.glob("*.json")}
    assert 2 <= len(done) < 5
    assert small_call(course, "--workers", "1").returncode == 0
    assert totals_of(course / "exported") == dict.fromkeys(["b0", "b1", "b2", "b3", "last"], "9")


CLUSTER = """
import sys
from dask.distributed import LocalCluster
with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


def test_a_cluster_gives_the_same_results(course):
    """Which are plain data."""
    works = [good("b01"), made.blank(SMALL, "b02"), made.with_extra(good("b03"), made.ENDLESS, 2)]
    works += [made.with_extra(good("b04"), made.WRONG_SIGNS["flipped"]), made.of_old(good("b05"))]
    works = [work_of(each) for each in (*works, b"no notebook")]
    here = dict(pool.here(works, 1))
    # In a process of its own: in ours it would put the code that it is sent in the place of ours.
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", CLUSTER], text=True, **pipes) as cluster:
        scheduler = cluster.stdout.readline().strip()
        there = dict(pool.on_dask(works, scheduler))
        hand_in(course, b01=good("b01"))
        assert small_call(course, "--dask", scheduler).returncode == 0
        cluster.stdin.close()
    assert json.dumps(here, sort_keys=True) == json.dumps(there, sort_keys=True)
    assert totals_of(course / "exported") == {"b01": "9"}


@posix_only
def test_who_ends_the_process_that_grades_is_the_only_one_to_notice():
    """Without bubblewrap there is a way, if one is bent on it; it costs oneself and nobody else."""
    bent = "import ctypes, os\nif os.getppid() > 1: ctypes.CDLL(None).kill(os.getppid(), 9)"
    works = [good("b01"), made.with_extra(good("b02"), bent), good("b03")]
    every = dict(pool.here([work_of(each, PLAIN) for each in works], 1))
    assert points(every[0]) == points(every[2]) == made.SMALL_QUESTIONS
    assert "the process that graded it was ended" in text_of(every[1])
    assert [every[k]["failed"] for k in range(3)] == [False, True, False]


@pytest.mark.parametrize(
    ("assignment", "place", "words"),
    [
        ("hw9", "", ["There is no assignment 'hw9'", *HOMEWORK]),
        ("hw1_pla", "", ["submitted/<student>/hw1_pla/*.ipynb", "<student>_….ipynb"]),
        ("hw1_pla", "nowhere", ["There is no folder ", "nowhere."]),
    ],
)
def test_a_call_without_submissions_is_answered_with_what_is_needed(assignment, place, words, capsys, tmp_path):
    assert command.main([assignment, str(tmp_path / place)]) == 2
    error = capsys.readouterr().err
    assert all(word in error for word in words)


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


def test_by_hand_may_come_from_a_spreadsheet_that_writes_semicolons_and_commas_but_in_utf8(tmp_path):
    path = tmp_path / "by_hand.csv"
    path.write_text("\ufeffstudent;question;points;comment\nB01;why;1,5;Good\n", encoding="utf-8")
    assert results.read_by_hand(tmp_path, {"why": 4}) == {"b01": {"why": (1.5, "Good")}}
    path.write_bytes("student,question,points\n中文,why,1\n".encode("big5"))
    with pytest.raises(SystemExit, match="is not in UTF-8: save it again"):
        results.read_by_hand(tmp_path, {"why": 4})


def test_what_lies_beside_exported_notebooks_is_named(capsys, course):
    hand_in(course, B01=good("b01"))
    (course / "exported" / "b02_homework.pdf").write_bytes(b"%PDF")
    (course / "exported" / "by_hand.csv").write_text("student,question,points,comment\nb01,why,1,\n")
    arguments = ["small", str(course / "exported"), "--course", str(course / "course"), "--workers=1", *WITHOUT_SANDBOX]
    assert command.main(arguments) == 0
    assert "Not notebooks, and so not graded: b02_homework.pdf." in capsys.readouterr().err
    assert rows_of(course / "exported")["B01"]["why"] == "1"


def test_without_an_id_the_numbers_are_not_called_unwritten():
    result = graded(good(""))
    lost = question(result, "updates-test")
    assert lost["state"] == "not right"
    assert lost["messages"][0].startswith("There is no `student`: your id belongs into the first cell")
    assert result["remarks"][0] == lost["messages"][0]


def test_who_hangs_once_is_given_less_time_for_the_next(monkeypatch):
    timeouts = []
    request = session.Session._request

    def noted(self, what, where, arguments, seconds):
        timeouts.append((what, seconds))
        return request(self, what, where, arguments, seconds)

    monkeypatch.setattr(session.Session, "_request", noted)
    result = graded(made.with_extra(made.with_extra(good(), made.ENDLESS, 2), made.ENDLESS, 2))
    assert points(result) == made.SMALL_QUESTIONS
    assert {seconds for what, seconds in timeouts if what == "run"} == {LIMITS.cell_seconds, LIMITS.cell_seconds / 4}


# --- Files and names -------------------------------------------------------------------------------------------------


def files_in(place):
    return folder.find(place, "small", notebook.Assignment(notebook.read(SMALL).cells))


def test_the_id_in_a_flat_folder_stands_before_the_first_underscore(tmp_path):
    for name in ("b01_small.ipynb", "b02_12_final_small.ipynb", "中文_x.ipynb", "alone.ipynb", "b01_late.ipynb"):
        (tmp_path / name).write_bytes(SMALL)
    assert [file.student for file in files_in(tmp_path)] == ["alone", "b01_late", "b01_small", "b02", "中文"]
    assert "There are 2 files of b01" in files_in(tmp_path)[1].remarks[0]


def test_of_several_notebooks_the_one_with_the_assignments_cells_is_graded(tmp_path):
    place = tmp_path / "submitted" / "b01" / "small"
    place.mkdir(parents=True)
    (place / "a scratch.ipynb").write_bytes(b'{"cells": []}')
    (place / "broken.ipynb").write_bytes(b"{")
    (place / "work.ipynb").write_bytes(SMALL)
    (file,) = files_in(tmp_path)
    assert file.path == "b01/small/work.ipynb"
    assert "called work.ipynb, not small.ipynb" in file.remarks[0]
    (tmp_path / "submitted" / "b02" / "small").mkdir(parents=True)
    assert "no notebook in the folder" in files_in(tmp_path / "submitted")[1].problem


def test_a_key_changes_with_everything_a_result_depends_on():
    works = [
        (b"a", b"b", sandbox.Limits()),
        (b"", b"ab", sandbox.Limits()),
        (b"a", b"c", sandbox.Limits()),
        (b"x", b"b", sandbox.Limits()),
        (b"a", b"b", PLAIN),
    ]
    keys = {results.key(worker.Work(*work, key)) for work in works for key in ("one", "other")}
    assert len(keys) == 10


@pytest.mark.parametrize("data", [None, 3, [1], [(1, 2, 3)], [("a", ["x"])], "text"])
def test_statements_that_make_no_sense_are_none(data):
    assert session._as_statements(data) is None


@pytest.mark.parametrize("data", [None, 3, [1], [("x", "NO_KIND", False)], [("not a name", "VAR_KEYWORD", False)]])
def test_parameters_that_make_no_sense_are_none(data):
    assert session._signature(data) is None


def test_lines_are_read_from_the_students_cells_and_from_nowhere_else():
    assert sandbox._line_of({1: "a\nb"}, "<cell 1>", 2) == "b"
    for file, line in (("/etc/passwd", 1), ("<cell 2>", 1), ("<cell 1>", 9), (__file__, 1)):
        assert sandbox._line_of({1: "a\nb"}, file, line) == ""

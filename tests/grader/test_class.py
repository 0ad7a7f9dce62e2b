"""A class of honest, wrong, broken and hostile submissions is graded in one call; nobody pays for what another did.

The class is graded once, and all tests of this file look at what came out.
"""

import csv
import html
import json
import os
import re
import shutil
import subprocess
import sys
from functools import reduce

import pytest

from exercises.grader import sandbox
from plahelpers import learning
from plahelpers.checks import pla as check_of_pla
from tests.grader import hostile, submissions as made
from tests.grader.submissions import SMALL, changed, good, with_cell, with_extra

NAME, FULL = "small", 9.0
WHY = sandbox.why_no_bubblewrap()
PLAIN = ["--plain"] if WHY else []
IDS = ["b10901001", "Alice", "..x%2Fy 中文 o'neil & sons", "graded", "al\u200bice"]
HTML = "<script>alert(1)</script><img src=x onerror=alert(1)> $\\text{<svg onload=alert(1)>}$"
LONG = '<img src="attachment:' * 15_000  # 300 kB, for which a pattern once took 12 seconds
MAGICS = "%matplotlib inline\n!ls\n%time a = 1\nimport matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\ndisplay(X)"
ALONE = ("forks", "threads", "everybody")  # what they leave behind would be in the way of others in one notebook
ANSWER, UPDATES = "Because w and w_f turn", "updates = pla(X, y)[1]"


def call(*arguments, **options):
    """The command, as run.py starts it."""
    command = [sys.executable, "-m", "exercises.grader", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800, **options)


def worked_example_only(student):
    """Right where everybody knows the answer; elsewhere w is perfect, and the number of updates is invented."""
    X, y = check_of_pla.task.cases()[0]
    is_example = f"np.array_equal(X, {X.tolist()!r}) and np.array_equal(y, {y.tolist()!r})"
    code = good()["cells"][made.place_of(good(), "def pla(")]["source"].replace("def pla(", "def walk(")
    code += "\ndef pla(X, y):\n    w, *rest = walk(X, y)\n"
    code += f"    return (w, *rest) if {is_example} else (2 * w + 1e-9, 77)"
    return changed(with_cell(good(student), "pla", code), UPDATES, "updates = 77")


def painter():
    """Pictures in an answer, one drawn before it under the same heading, and one under another heading."""
    work = good("painter")
    work["cells"][-1] |= {
        "source": "![one](attachment:a.png) ![two](attachment:b.jpg) ![none](attachment:c)",
        "attachments": {"a.png": {"image/png": made.picture()}, "b.jpg": {"image/jpeg": made.picture("JPEG")}},
    }
    drawn = [{"output_type": "display_data", "data": {"image/png": made.picture()}, "metadata": {}}]
    work["cells"].insert(-1, made.code_cell("1", outputs=drawn))
    work["cells"].insert(3, made.code_cell("2", outputs=drawn))
    return work


def costs_nothing():
    """{student: (notebook, words on the page)}: all of these get full marks."""
    return {student: (good(student), "") for student in IDS} | {
        "renamed": (with_extra(good("renamed"), MAGICS, 2), "Graded was my homework (2).ipynb"),
        "unlocked": (made.unlocked(good("unlocked")), ""),
        "gone": (made.without(good("gone"), lambda cell: not made.is_locked(cell)), ""),
        "unmarked": (made.without_marks(good("unmarked")), "its cell is not in the notebook any more"),
        "copycat": (good(" B10901001 "), "says that it belongs to “B10901001”"),
        "no-id": (good(""), "so the id of the file, “no-id”, was used"),
        "html": (
            with_extra(changed(good("html"), ANSWER, HTML + LONG), f"raise ValueError({HTML!r})"),
            "more characters; see the notebook",
        ),
        "painter": (painter(), "cannot be shown here"),
        "broken": (with_extra(good("broken"), "a = 1\n1 / 0\nb = 1", 2), "It was at line 2 of code cell 3: 1 / 0."),
    }


def costs_something():
    """{student: (notebook, the points they should get, words on the page)}."""
    invert = "def invert(A):\n    A = A\n    return np.linalg.inv(A)"
    caller = changed(with_extra(good("caller"), invert, 3), UPDATES, "a = 1\nupdates = invert(np.zeros((2, 2)))")
    follower = changed(with_extra(good("follower"), "Q = 1 / 0", 3), UPDATES, "R = Q + 1\nupdates = R")
    constant = with_cell(good("constant"), "pla", "def pla(X, y):\n    return np.ones(3), 77")
    deleted = made.without(good("deleted"), lambda cell: "def pla(" not in cell["source"])
    changer = changed(good("changer"), "return w, len(picks)", "X[0, 0] += 1\n    return w, len(picks)")
    return {
        # Marks by part, by case, and for what follows
        "strict": (changed(good("strict"), "w[0] > 0", "w[0] >= 0"), 7.5, "Likely mistake"),
        "miscount": (changed(good("miscount"), "return w, len(picks)", "return w, len(picks) + 1"), 7, ""),
        "changer": (changer, 7, "It costs 2 besides that the arguments were changed."),
        "early": (changed(good("early"), "0, 0, []", "0, 7, []"), 7.6, "right, given your pla"),
        "typed": (changed(good("typed"), UPDATES, "updates = 100_000"), 6, "is not the right number"),
        "example-only": (worked_example_only("example-only"), 2, ""),
        "constant": (changed(constant, UPDATES, "updates = 77"), 2, ""),
        # The first cause
        "blank": (made.blank(SMALL, "blank"), 0, "nothing: it returned None. Is its return missing?"),
        "looper": (with_cell(good("looper"), "pla", "def pla(X, y):\n    while True: pass"), 2, "while True: pass"),
        "typo": (with_cell(good("typo"), "pla", "def pla(X, y)\n    return 0"), 2, "SyntaxError"),
        "deleted": (deleted, 2, "There is no pla yet."),
        "follower": (follower, 6, "It was at line 1 of code cell 3: Q = 1 / 0."),
        "caller": (caller, 6, "It was at line 3 of code cell 3: return np.linalg.inv(A)."),
    }


def everybody():
    """{student: (notebook, the points they should get, words on the page)}."""
    works = {student: (work, FULL, words) for student, (work, words) in costs_nothing().items()} | costs_something()
    works |= {name: (data, 0, words) for name, (data, words) in hostile.NO_NOTEBOOKS.items()}
    for name, cells in hostile.HARM.items():
        works[name] = reduce(lambda work, cell: with_extra(work, cell[0], 2), reversed(cells), good(name)), FULL, ""
    for name, line in hostile.FORGED.items():
        works[f"forged-{name}"] = with_extra(made.blank(SMALL, name), hostile.forges(line), 1), 0, ""
    reaching = good("reaching")
    for name, (code, words) in {} if WHY else hostile.REACH.items():
        if name in ALONE:
            works[name] = with_extra(good(name), code, 2), FULL, words
        else:
            reaching = with_extra(reaching, code, 2)
    return works | {"reaching": (reaching, FULL, "")}


def write_source(course):
    """A course with the small assignment, a file that is handed out with it, and one that is not."""
    for folder in ("source", "release"):
        (course / folder / NAME).mkdir(parents=True)
    (course / "source" / NAME / f"{NAME}.ipynb").write_bytes(SMALL)
    (course / "source" / NAME / "solution.py").write_text("KEY = 'secret-of-the-course'")
    (course / "release" / NAME / "data.py").write_text("ANSWER = 42")


def seer(course):
    """Tells what it sees: what was handed out, paths of ours, its folder, our environment."""
    hidden = [str(course), str(made.EXERCISES), __file__]
    code = f"import data, os\nhidden = [path for path in {hidden!r} if os.path.exists(path)]\n"
    code += "raise ValueError((data.ANSWER, hidden, sorted(os.listdir('.')), 'TOKEN' in os.environ))"
    return with_extra(good("seer"), code)


def grade_class(folder):
    course = folder / "course"
    write_source(course)
    works = {student: work for student, (work, _, _) in everybody().items()} | {"seer": seer(course)}
    for student, work in works.items():
        place = course / "submitted" / student / NAME
        place.mkdir(parents=True)
        (place / ("my homework (2).ipynb" if student == "renamed" else f"{NAME}.ipynb")).write_bytes(made.packed(work))
    link, fifo = course / "submitted" / "link" / NAME, course / "submitted" / "fifo" / NAME
    link.mkdir(parents=True)
    fifo.mkdir(parents=True)
    (link / f"{NAME}.ipynb").symlink_to(course / "source" / NAME / f"{NAME}.ipynb")
    os.mkfifo(fifo / f"{NAME}.ipynb")
    by_hand = "student,question,points,comment\nb10901001,why,4,Well said: <b>η</b> cancels.\n"
    (course / "by_hand.csv").write_text(by_hand, encoding="utf-8")
    result = call(
        NAME, course, "--course", course, "--answers", "--workers=3", *PLAIN, env={**os.environ, "TOKEN": "hush"}
    )
    assert result.returncode == 0, result.stderr
    assert f"summary.html are in {course / 'graded' / NAME}" in result.stdout


@pytest.fixture(scope="session")
def graded(shared_folder):
    return shared_folder("class", grade_class) / "course"


def rows_of(course):
    with (course / "graded" / NAME / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def pages_of(course):
    """The feedback of each student."""
    pages = [path.read_text(encoding="utf-8") for path in (course / "graded" / NAME / "feedback").iterdir()]
    return {html.unescape(re.search(r"<h1>(.*?)</h1>", page)[1]): page for page in pages}


def text_of(page):
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page.partition("</head>")[2])))


def question_of(course, student, name):
    """What is stored of a question."""
    stored = json.loads((course / "graded" / NAME / "results" / f"{student}.json").read_text(encoding="utf-8"))
    return next(each for each in stored["result"]["questions"] if each["id"] == name)


def right_updates(student):
    """The number of updates for a student's data, by the package."""
    space = {"student": student}
    exec(made.DATA, space)
    return learning.pla(space["X"], space["y"]).updates


# --- Everybody -------------------------------------------------------------------------------------------------------


def test_everybody_gets_the_points_of_their_own_work_whatever_others_do(graded):
    scores = {student: float(row["total"]) for student, row in rows_of(graded).items()}
    scores["b10901001"] -= 4  # given by hand
    assert scores == {student: score for student, (_, score, _) in everybody().items()} | {
        "link": 0,
        "fifo": 0,
        "seer": FULL,
    }


def test_everybody_is_told_the_reason(graded):
    pages = {student: text_of(page) for student, page in pages_of(graded).items()}
    expected = {student: words for student, (_, _, words) in everybody().items()}
    expected |= {"link": "This is a link", "fifo": "There is no notebook here."}
    harm = [(student, words) for student, cells in hostile.HARM.items() for _, words in cells]
    assert [(name, words) for name, words in (*expected.items(), *harm) if words not in pages[name]] == []


def test_no_page_holds_what_a_student_must_not_see_or_do(graded):
    for student, page in pages_of(graded).items():
        text = page.partition("</head>")[2]
        assert not re.search(r"<script|<svg|<[^>]*onerror|root:x:", text), student
        assert "secret-of-the-course" not in text
    assert "&lt;script&gt;" in pages_of(graded)["html"]


def test_files_stay_inside_their_folder_whatever_students_are_called(graded):
    target = graded / "graded" / NAME
    assert {path.name for path in target.iterdir()} == {"scores.csv", "summary.html", "feedback", "results"}
    assert len(list((target / "feedback").iterdir())) == len(rows_of(graded))
    assert {path.name for path in graded.iterdir()} == {"source", "release", "submitted", "graded", "by_hand.csv"}


@pytest.mark.usefixtures("bubblewrap")
def test_what_reaches_out_of_the_sandbox_fails_and_costs_nothing(graded):
    page = text_of(pages_of(graded)["reaching"])
    assert [name for name, (_, words) in hostile.REACH.items() if words not in page and name not in ALONE] == []


# --- Fair marks ------------------------------------------------------------------------------------------------------


def test_a_part_earns_the_share_of_its_unseen_cases_that_are_right_and_the_page_says_so(graded):
    page = text_of(pages_of(graded)["miscount"])
    assert re.search(r"✓ w: (\d+) of \1 unseen cases right, 2 of 2 points", page)
    assert re.search(r"✗ updates: 0 of \d+ unseen cases right, 0 of 2 points", page)
    strict = question_of(graded, "strict", "sign-test")
    assert strict["mistake"] == "zero_is_plus"
    assert 0 < strict["points"] < 2


def test_a_number_that_follows_from_a_wrong_function_is_right_and_the_right_one_is_told(graded):
    assert question_of(graded, "early", "pla-test")["points"] < 4
    number = question_of(graded, "early", "updates-test")
    assert (number["state"], number["points"], number["given"]) == ("right", 3.0, "given your `pla`")
    assert number["messages"] == [f"With a right `pla` it is {right_updates('early')}."]
    typed = question_of(graded, "typed", "updates-test")["details"]
    assert typed == [["Right for your data", str(right_updates("typed")), []]]


def test_nothing_follows_from_a_constant_or_from_the_worked_example_alone(graded):
    for student in ("constant", "example-only"):
        assert question_of(graded, student, "pla-test")["points"] == 0
        assert question_of(graded, student, "updates-test")["points"] == 0
    assert any(case["passed"] for case in question_of(graded, "example-only", "pla-test")["cases"])


def test_a_function_that_hangs_is_stopped_once_and_not_called_again(graded):
    first, *others = [case["got"] for case in question_of(graded, "looper", "pla-test")["cases"]]
    assert "so it was stopped. Does its loop ever end?" in first
    assert set(others) == {"not tried: too much time was spent on the cases before."}


def test_nothing_done_is_not_answered_and_no_error(graded):
    states = {question_of(graded, "blank", name)["state"] for name in ("sign-test", "pla-test", "updates-test", "why")}
    assert states == {"blank"}
    assert "Remarks" not in text_of(pages_of(graded)["blank"])


def test_the_reason_is_the_first_cell_that_failed_not_the_name_that_is_missing_since(graded):
    page = text_of(pages_of(graded)["follower"])
    assert "NameError" not in page
    assert "Because of that a name was missing in 1 more cell." in page


# --- Written answers, by hand ----------------------------------------------------------------------------------------


def test_a_written_answer_shows_its_pictures_and_those_drawn_before_it_under_its_heading(graded):
    why = question_of(graded, "painter", "why")
    assert re.findall(r'<img src="data:image/png;base64,[^"]+" alt="(\w*)">', why["answer"]) == ["one", "two"]
    assert len(why["drawn"]) == 1


def test_model_answer_and_rubric_are_shown_where_the_teacher_asks_for_them(graded):
    page = pages_of(graded)["Alice"]
    assert "Model answer. Because w and w_f turn towards each other. Rubric (5 points)." in text_of(page)
    assert page.count("<h3>Model answer and rubric</h3>") == 1


def test_points_given_by_hand_are_merged_and_the_rest_awaits_them(graded):
    rows, pages = rows_of(graded), pages_of(graded)
    assert (rows["b10901001"]["why"], rows["Alice"]["why"]) == ("4", "")
    assert (rows["b10901001"]["of"], rows["Alice"]["of"]) == ("14", "9")
    assert "Well said: <b>η</b> cancels." in text_of(pages["b10901001"])
    assert "of 9 points graded so far" in text_of(pages["Alice"])


# --- The lecturer ----------------------------------------------------------------------------------------------------


def test_the_summary_tells_what_the_lecturer_wants_to_know(graded):
    page = (graded / "graded" / NAME / "summary.html").read_text(encoding="utf-8")
    text = text_of(page)
    assert f"{len(rows_of(graded))} submissions" in text
    assert re.search(r'role="img" aria-label="Histogram of \d+ scores', page)
    assert "sign(0) = −1" in re.search(r"Mistakes(.*?)To look at", text)[1]
    assert text.count("The id “b10901001” stands in more than one submission.") == 1
    assert text.count("stands in more than one submission.") == 2
    assert "more than one submission" not in pages_of(graded)["b10901001"]
    assert "the id of the file, “no-id”, was used" in text


def test_a_second_call_grades_only_what_has_changed(graded, tmp_path):
    course = shutil.copytree(graded, tmp_path / "course", symlinks=True, ignore=shutil.ignore_patterns("fifo"))
    stored = course / "graded" / NAME / "results"
    before = {path.name: path.stat().st_mtime_ns for path in stored.iterdir()}
    (course / "submitted" / "Alice" / NAME / f"{NAME}.ipynb").write_bytes(made.packed(made.blank(SMALL, "Alice")))
    (stored / "b10901001.json").write_text("{cut short")
    again = call(NAME, course, "--course", course, *PLAIN)
    assert "were graded by an earlier call" in again.stdout
    after = {path.name: path.stat().st_mtime_ns for path in stored.iterdir()}
    assert {name for name in after if after[name] != before[name]} == {"b10901001.json", "Alice.json"}
    assert (rows_of(course)["Alice"]["total"], rows_of(course)["b10901001"]["total"]) == ("0", "13")
    assert "Model answer" not in pages_of(course)["Alice"]


@pytest.mark.usefixtures("bubblewrap")
def test_students_code_sees_what_was_handed_out_with_the_notebook_and_nothing_else_of_the_course(graded):
    assert "ValueError: (42, [], ['data.py'], False)" in text_of(pages_of(graded)["seer"])

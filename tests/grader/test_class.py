"""A class of honest, wrong, broken and hostile submissions is graded in one call; nobody pays for what another did.

The class is graded once, and all tests of this file look at what came out.
"""

import json
import os
import re
import subprocess
import sys
from functools import reduce

import pytest

from exercises.grader import sandbox
from plahelpers.checks import pla as check_of_pla
from tests.grader import hostile, submissions as made
from tests.grader.submissions import SMALL, changed, good, pages_of, rows_of, text_of, with_cell, with_extra

NAME, FULL = "small", 9.0
WHY = sandbox.why_no_bubblewrap()
PLAIN = ["--plain"] if WHY else []
ODD, INVISIBLE = "..x%2Fy 中文 o'neil & <svg onload=alert(1)>", "al\u200bice"  # two ids
HTML = "<script>alert(1)</script><img src=x onerror=alert(1)> $\\text{<svg onload=alert(1)>}$"
LONG = '<img src="attachment:' * 15_000  # 300 kB, for which a pattern once took 12 seconds
MAGICS = "%matplotlib inline\n!ls\n%time a = 1\nimport matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\ndisplay(X)"
ANSWER, UPDATES = "Because w and w_f turn", "updates = pla(X, y)[1]"
BOOK = "Student,ID,SIS User ID,作業一 (4)\n    Points Possible,,,14\nA,1,B10901001,\nB,2,alice,7\n"
BY_HAND = "student,question,points,comment\nb10901001,why,4,Well said: <b>η</b> cancels.\nb02,why,1,\n"


def call(course, *more):
    """The command, as run.py starts it; the limits of time are short, so that who hangs does not hang for long."""
    arguments = [NAME, course, "--course", course, "--workers=3", "--seconds=2", *PLAIN, *more]
    command = [sys.executable, "-m", "exercises.grader", *map(str, arguments)]
    environment = {**os.environ, "TOKEN": "hush"}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800, env=environment)


def worked_example_only(student):
    """Right where everybody knows the answer; elsewhere w is perfect, and the number of updates is invented."""
    X, y = check_of_pla.task.cases()[0]
    is_example = f"np.array_equal(X, {X.tolist()!r}) and np.array_equal(y, {y.tolist()!r})"
    code = good()["cells"][made.place_of(good(), "def pla(")]["source"].replace("def pla(", "def walk(")
    code += "\ndef pla(X, y):\n    w, *rest = walk(X, y)\n"
    code += f"    return (w, *rest) if {is_example} else (2 * w + 1e-9, 77)"
    return changed(with_cell(good(student), "pla", code), UPDATES, "updates = 77")


def painter():
    """Pictures in an answer, and no id."""
    work = good("")
    work["cells"][-1] |= {
        "source": "![one](attachment:a.png) ![two](attachment:b.jpg) ![none](attachment:c)",
        "attachments": {"a.png": {"image/png": made.picture()}, "b.jpg": {"image/jpeg": made.picture("JPEG")}},
    }
    return work


def costs_nothing():
    """{student: (notebook, words on the page)}: all of these get full marks."""
    broken = with_extra(made.unlocked(good("graded")), "a = 1\n1 / 0\nb = 1", 2)
    evil = with_extra(changed(good(INVISIBLE), ANSWER, HTML + LONG), f"raise ValueError({HTML!r})")
    return {
        "b10901001": (good("b10901001"), ""),
        "Alice": (good("Alice"), ""),
        ODD: (with_extra(good(ODD), MAGICS, 2), "Graded was my homework (2).ipynb"),
        "graded": (broken, "It was at line 2 of code cell 3: 1 / 0."),
        INVISIBLE: (evil, "more characters; see the notebook"),
        "stripped": (made.stripped(good("stripped")), "its cell is not in the notebook any more"),
        "copycat": (good(" B10901001 "), "says that it belongs to “B10901001”"),
        "painter": (painter(), "so the id of the file, “painter”, was used"),
    }


def costs_something():
    """{student: (notebook, the points they should get, words on the page)}."""
    slips = changed(changed(good("slips"), "w[0] > 0", "w[0] >= 0"), "return w, len(picks)", "return w, len(picks) + 1")
    invert = "def invert(A):\n    A = A\n    return np.linalg.inv(A)"
    caller = changed(with_extra(good("caller"), invert, 3), UPDATES, "a = 1\nupdates = invert(np.zeros((2, 2)))")
    follower = changed(with_extra(good("follower"), "Q = 1 / 0", 3), UPDATES, "R = Q + 1\nupdates = R")
    early = changed(good("early"), "0, 0, []", "0, 7, []")
    changer = changed(good("changer"), "return w, len(picks)", "X[0, 0] += 1\n    return w, len(picks)")
    changer = changed(changer, "return np.flatnonzero(", "w *= 2\n    return np.flatnonzero(")
    forgetful = changed(changed(good("forgetful"), "w + y[n] * Z[n]", "w + Z[n]"), UPDATES, "updates = 1")
    return {
        # Marks by part, by case, and for what follows
        "slips": (slips, 5.5, "Likely mistake"),
        "changer": (changer, 7.5, "The arguments were changed, which costs a quarter of these points."),
        "forgetful": (forgetful, 3, "it corrects by w + x and forgets y."),  # and hangs on unseen cases
        "early": (early, 7.6, "given your pla · 3 / 3 points With a right pla it is "),
        "typed": (changed(good("typed"), UPDATES, "updates = 100_000"), 6, "Right for your data"),
        "example-only": (worked_example_only("example-only"), 2, ""),
        # The first cause
        "blank": (made.blank(SMALL, "blank"), 0, "nothing: it returned None. Is its return missing?"),
        "looper": (with_cell(good("looper"), "pla", "def pla(X, y):\n    while True: pass"), 2, "while True: pass"),
        "typo": (with_cell(good("typo"), "pla", "def pla(X, y)\n    return 0"), 2, "no pla yet. Code cell 6"),
        "follower": (follower, 6, "It was at line 1 of code cell 3: Q = 1 / 0."),
        "caller": (caller, 6, "It was at line 3 of code cell 3: return np.linalg.inv(A)."),
    }


def with_cells(work, codes):
    """With these cells after that of the data."""
    return reduce(lambda work, code: with_extra(work, code, 2), reversed(list(codes)), work)


def everybody():
    """{student: (notebook, the points they should get, words on the page)}."""
    works = {student: (work, FULL, words) for student, (work, words) in costs_nothing().items()} | costs_something()
    works |= {name: (data, 0, words) for name, (data, words) in hostile.NO_NOTEBOOKS.items()}
    for name, cells in hostile.HARM.items():
        works[name] = with_cells(good(name), (code for code, _ in cells.values())), FULL, ""
    forged = hostile.forges(*hostile.FORGED.values(), times=1000)
    works["forger"] = with_extra(made.blank(SMALL, "forger"), forged, 1), 0, ""
    reaching = () if WHY else (code for code, _ in hostile.REACH.values())
    return works | {"reaching": (with_cells(good("reaching"), reaching), FULL, "")}


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
    return code


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade the class; the folder of results."""
    folder = tmp_path_factory.mktemp("class")
    course = folder / "course"
    write_source(course)
    works = {student: work for student, (work, _, _) in everybody().items()}
    works["b10901001"] = with_extra(works["b10901001"], seer(course))
    for student, work in works.items():
        place = course / "submitted" / student / NAME
        place.mkdir(parents=True)
        (place / ("my homework (2).ipynb" if student == ODD else f"{NAME}.ipynb")).write_bytes(made.packed(work))
    link, fifo = course / "submitted" / "link" / NAME, course / "submitted" / "fifo" / NAME
    link.mkdir(parents=True)
    fifo.mkdir(parents=True)
    (link / f"{NAME}.ipynb").symlink_to(course / "source" / NAME / f"{NAME}.ipynb")
    (course / "submitted" / "linked").symlink_to(course / "source")
    (course / "submitted" / "\x1b.pdf").touch()
    (course / "Untitled.ipynb").write_bytes(SMALL)
    os.mkfifo(fifo / f"{NAME}.ipynb")
    (course / "by_hand.csv").write_text(BY_HAND, encoding="utf-8")
    (folder / "book.csv").write_text(BOOK, encoding="utf-8")
    result = call(course, "--answers", "--canvas", folder / "book.csv", "--column=作業一")
    (folder / "output").write_text(result.stdout + result.stderr, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    return course / "graded" / NAME


def question_of(graded, student, name):
    stored = json.loads((graded / "results" / f"{student}.json").read_text(encoding="utf-8"))
    return next(each for each in stored["result"]["questions"] if each["id"] == name)


# --- Everybody -------------------------------------------------------------------------------------------------------


def test_everybody_gets_the_points_of_their_own_work_whatever_others_do(graded):
    scores = {student: float(row["total"]) for student, row in rows_of(graded).items()}
    scores["b10901001"] -= 4  # given by hand
    expected = {student: score for student, (_, score, _) in everybody().items()}
    assert scores == expected | {"link": 0, "linked": 0, "fifo": 0}


def test_everybody_is_told_the_reason(graded):
    pages = {student: text_of(page) for student, page in pages_of(graded).items()}
    expected = {student: words for student, (_, _, words) in everybody().items()}
    expected |= {"link": "This is a link", "linked": "This is a link", "fifo": "There is no notebook here."}
    harm = [(student, words) for student, cells in hostile.HARM.items() for _, words in cells.values()]
    assert [(name, words) for name, words in (*expected.items(), *harm) if words not in pages[name]] == []
    assert "NameError" not in pages["follower"]  # a name that is missing since then is no cause


def test_no_page_holds_what_a_student_must_not_see_or_do(graded):
    pages = pages_of(graded)
    pages["summary"] = (graded / "summary.html").read_text(encoding="utf-8")
    for student, page in pages.items():
        text = page.partition("</head>")[2]
        assert not re.search(r"<script|<svg on|<[^>]*onerror|root:x:|secret-of-the-course", text), student
    assert "&lt;script&gt;" in pages[INVISIBLE]
    assert "&lt;svg onload" in pages["summary"]


def test_files_stay_inside_their_folder_whatever_students_are_called(graded):
    names = {"scores.csv", "canvas.csv", "summary.html", "feedback", "results"}
    assert {path.name for path in graded.iterdir()} == names
    assert len(list((graded / "feedback").iterdir())) == len(rows_of(graded))
    course = {"source", "release", "submitted", "graded", "by_hand.csv", "Untitled.ipynb"}
    assert {path.name for path in graded.parents[1].iterdir()} == course


@pytest.mark.usefixtures("bubblewrap")
def test_what_reaches_out_of_the_sandbox_fails_and_costs_nothing(graded):
    page = text_of(pages_of(graded)["reaching"])
    assert [name for name, (_, words) in hostile.REACH.items() if words not in page] == []


# --- Fair marks ------------------------------------------------------------------------------------------------------


def test_a_part_earns_the_share_of_its_unseen_cases_that_are_right_and_the_page_says_so(graded):
    page = text_of(pages_of(graded)["slips"])
    assert re.search(r"✓ w: (\d+) of \1 unseen cases right, 2 of 2 points", page)
    assert re.search(r"✗ updates: 0 of \d+ unseen cases right, 0 of 2 points", page)
    strict = question_of(graded, "slips", "sign-test")
    assert strict["mistake"] == "zero_is_plus"
    assert 0 < strict["points"] < 2


def test_a_function_that_hangs_is_stopped_once_and_not_called_again(graded):
    first, *others = [case["got"] for case in question_of(graded, "looper", "pla-test")["cases"]]
    assert "so it was stopped. Does its loop ever end?" in first
    assert set(others) == {"not tried: too much time was spent on the cases before."}


# --- Written answers, by hand ----------------------------------------------------------------------------------------


def test_a_written_answer_shows_its_pictures(graded):
    why = question_of(graded, "painter", "why")
    assert re.findall(r'<img src="data:image/png;base64,[^"]+" alt="(\w*)">', why["answer"]) == ["one", "two"]
    assert "cannot be shown here" in why["answer"]


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


def test_a_gradebook_is_filled_in_and_whatever_has_no_complete_score_is_named(graded):
    output = (graded.parents[2] / "output").read_text(encoding="utf-8")
    lines = (graded / "canvas.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[2:] == ["A,1,B10901001,13", "B,2,alice,7"]
    assert f"For Canvas: {graded / 'canvas.csv'} (1 of {len(rows_of(graded))} scores in “作業一 (4)”)" in output
    assert "Not completely graded yet, so no score was written: Alice." in output
    assert "by_hand.csv speaks of 'b02', who has handed nothing in." in output
    assert "Not graded: \\x1b.pdf." in output  # a name that cannot talk to the terminal


def test_the_summary_tells_what_the_lecturer_wants_to_know(graded):
    text = text_of((graded / "summary.html").read_text(encoding="utf-8"))
    assert f"{len(rows_of(graded))} submissions" in text
    mistakes = re.search(r"Mistakes(.*?)To look at", text)[1]
    assert "sign(0) = −1" in mistakes
    # The forger is among them if an answer of his is in the pipe when his function is asked for.
    assert re.search(r"2\. PLA not right, and no known mistake early, example-only, (forger, )?looper, typo", mistakes)
    assert text.count("The id “b10901001” stands in more than one submission.") == 1
    assert text.count("stands in more than one submission.") == 2
    assert "more than one submission" not in pages_of(graded)["b10901001"]
    assert "the id of the file, “painter”, was used" in text


@pytest.mark.usefixtures("bubblewrap")
def test_students_code_sees_what_was_handed_out_with_the_notebook_and_nothing_else_of_the_course(graded):
    assert "ValueError: (42, [], ['data.py'], False)" in text_of(pages_of(graded)["b10901001"])

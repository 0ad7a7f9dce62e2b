"""A class of honest, wrong, broken and hostile submissions is graded in one call; nobody pays for what another did."""

import csv
import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.grader import sandbox
from tests.grader import hostile, submissions as made
from tests.grader.submissions import SMALL, good

NAME, FULL = "small", 9.0
WHY = sandbox.why_no_bubblewrap()
needs_bubblewrap = pytest.mark.usefixtures("bubblewrap")
PLAIN = ["--plain"] if WHY else []
IDS = ["b10901001", "Alice", "中文", "o'neil & sons", "a b", "x%2Fy", "..hidden", "graded", "al\u200bice", "CON"]
ENDLESS_PLA = "def pla(X, y):\n    while True: pass"
HTML = "<script>alert(1)</script><img src=x onerror=alert(1)> $\\text{<svg onload=alert(1)>}$"
MAGICS = "%matplotlib inline\n!ls\n%time a = 1\nimport matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\ndisplay(X)"


def call(*arguments, **options):
    """The command, as run.py starts it."""
    command = [sys.executable, "-m", "exercises.grader", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200, **options)


def honest_and_wrong():
    """{student: (notebook, the points they should get, words of the reason)}."""
    works = {student: (good(student), FULL, "") for student in IDS}
    works["renamed"] = good("renamed"), FULL, "called my homework (2).ipynb"
    works["unlocked"] = made.unlocked(good("unlocked")), FULL, "Locked cells were changed or deleted"
    works["gone"] = made.without_locked(good("gone")), FULL, "Locked cells were changed or deleted"
    works["unmarked"] = made.without_marks(good("unmarked")), FULL, "carries a mark of the assignment"
    works["magics"] = made.with_extra(good("magics"), MAGICS, 2), FULL, ""
    works["copycat"] = good(" B10901001 "), FULL, "says that it belongs to “B10901001”"
    works["no-id"] = good(""), 6, "There is no student: your id belongs into the first cell"
    works["blank"] = made.blank(SMALL, "blank"), 0, "sign: not written yet. The cell is still as it was handed out."
    works["looper"] = (
        made.with_cell(good("looper"), "pla", ENDLESS_PLA),
        2,
        "seconds, so it was stopped. It was at line 2: while True: pass.",
    )
    works["strict"] = made.changed(good("strict"), "w[0] > 0", "w[0] >= 0"), 7, "Likely mistake"
    works["typo"] = made.with_cell(good("typo"), "pla", "def pla(X, y)\n    return 0"), 2, "SyntaxError"
    works["deleted"] = good("deleted"), 2, "pla is defined nowhere in the notebook"
    del works["deleted"][0]["cells"][made.place_of(works["deleted"][0], "def pla(")]
    works["html"] = (
        made.with_extra(made.changed(good("html"), "Because", HTML), f"raise ValueError({HTML!r})"),
        FULL,
        "",
    )
    return works


def hostile_ones():
    works = {name: (data, 0, words) for name, (data, words) in hostile.NO_NOTEBOOKS.items()}
    for name, (code, words) in hostile.HARM.items():
        works[name] = made.with_extra(good(name), code, 2), FULL, words
    for name, line in hostile.FORGED.items():
        works[f"forged-{name}"] = made.with_extra(made.blank(SMALL, name), hostile.forges(line), 1), 0, ""
    for name, (code, words) in {} if WHY else hostile.REACH.items():
        works[f"reach-{name}"] = made.with_extra(good(f"reach-{name}"), code, 2), FULL, words
    return works


def write_source(course):
    """A course with the small assignment, a file that is handed out with it, and one that is not."""
    for folder in ("source", "release"):
        (course / folder / NAME).mkdir(parents=True)
    (course / "source" / NAME / f"{NAME}.ipynb").write_bytes(SMALL)
    (course / "source" / NAME / "solution.py").write_text("KEY = 'secret-of-the-course'")
    (course / "release" / NAME / "data.py").write_text("ANSWER = 42")


def grade_class(folder):
    course = folder / "course"
    write_source(course)
    for student, (work, _, _) in {**honest_and_wrong(), **hostile_ones()}.items():
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
    result = call(NAME, course, "--course", course, *PLAIN)
    (folder / "output").write_text(result.stdout + result.stderr, encoding="utf-8")
    assert result.returncode == 0, result.stderr


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
    return html.unescape(re.sub(r"<[^>]+>", "", page.partition("</head>")[2]))


def test_everybody_gets_the_points_of_their_own_work_whatever_others_do(graded):
    expected = {**honest_and_wrong(), **hostile_ones()}
    scores = {student: float(row["total"]) for student, row in rows_of(graded).items()}
    scores["b10901001"] -= 4  # given by hand
    assert scores == {student: score for student, (_, score, _) in expected.items()} | {"link": 0, "fifo": 0}


def test_everybody_is_told_the_reason(graded):
    pages = {student: text_of(page) for student, page in pages_of(graded).items()}
    expected = {student: words for student, (_, _, words) in {**honest_and_wrong(), **hostile_ones()}.items()}
    expected |= {"link": "The file is a link", "fifo": "no notebook in the folder"}
    assert {student for student, words in expected.items() if words not in pages[student]} == set()


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


def test_the_summary_tells_what_the_lecturer_wants_to_know(graded):
    page = (graded / "graded" / NAME / "summary.html").read_text(encoding="utf-8")
    text = text_of(page)
    assert f"{len(rows_of(graded))} submissions" in text
    assert re.search(r'role="img" aria-label="Histogram of \d+ scores', page)
    assert "hardest" in text
    assert "sign(0) = −1" in re.search(r"Known mistakes(.*?)To look at", text, re.S)[1]
    assert "The same id stands in what copycat handed in." in text
    assert "copycat" not in pages_of(graded)["b10901001"]


def test_points_given_by_hand_are_merged_and_the_rest_awaits_them(graded):
    rows, pages = rows_of(graded), pages_of(graded)
    assert (rows["b10901001"]["why"], rows["Alice"]["why"]) == ("4", "")
    assert (rows["b10901001"]["of"], rows["Alice"]["of"]) == ("14", "9")
    assert "Well said: <b>η</b> cancels." in text_of(pages["b10901001"])
    assert "of 9 points graded so far" in re.sub(r"\s+", " ", text_of(pages["Alice"]))


def test_the_last_words_say_where_everything_is(graded):
    target, output = graded / "graded" / NAME, (graded.parent / "output").read_text(encoding="utf-8")
    for path in (target / "scores.csv", target / "summary.html", f"{target / 'feedback'}{os.sep}"):
        assert str(path) in output


def test_a_second_call_grades_only_what_has_changed(graded, tmp_path):
    import shutil

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


@needs_bubblewrap
def test_students_code_sees_what_was_handed_out_with_the_notebook_and_nothing_else_of_the_course(tmp_path):
    write_source(tmp_path / "course")
    (tmp_path / "exported").mkdir()
    hidden = [tmp_path, made.EXERCISES, Path(__file__)]
    code = f"import data, os\nhidden = [path for path in {[*map(str, hidden)]!r} if os.path.exists(path)]\n"
    code += "raise ValueError((data.ANSWER, hidden, sorted(os.listdir('.')), 'TOKEN' in os.environ))"
    (tmp_path / "exported" / "b01_small.ipynb").write_bytes(made.packed(made.with_extra(good("b01"), code)))
    environment = {**os.environ, "TOKEN": "hush"}
    assert call(NAME, tmp_path / "exported", "--course", tmp_path / "course", env=environment).returncode == 0
    assert "ValueError: (42, [], ['data.py'], False)" in text_of(pages_of(tmp_path / "exported")["b01"])

"""Tables: what was given by hand is read, the scores are written, and of a gradebook one column is filled in."""

import csv
import io
import re
from pathlib import Path

import pytest

from exercises.grader import tables
from exercises.grader.results import Grade
from exercises.grader.submissions import Refusal, SubmissionFile
from exercises.grader.tables import Gradebook

EXPORTS = Path(__file__).resolve().parent / "exports"
# As Canvas writes it: the row "Manual Posting" only if there is such an assignment, spaces before "Points Possible",
# computed columns at the end, a test student, somebody who is excused, and somebody who has another assignment.
CANVAS = (EXPORTS / "canvas.csv").read_text(encoding="utf-8")
MOODLE = (EXPORTS / "moodle.csv").read_text(encoding="utf-8")  # the grading worksheet of an assignment
HOMEWORK = "Homework 1: PLA (98765)"


def grade(student, points, number="", inside=None):
    """What the grader knows of a submission; `points` is None while a written answer waits."""
    question = {"id": "q", "points": points, "max": 100.0, "state": "right", "by_hand": False}
    result = {"student": inside or student, "failed": False, "remarks": [], "questions": [question]}
    return Grade(SubmissionFile(student, f"{student}.ipynb", b"", number=number), result, {})


def opened(tmp_path, platform, text):
    path = tmp_path / "export.csv"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    return Gradebook(platform, path, None, "hw1_pla", 100.0)


def filled(tmp_path, platform, text, *grades):
    """{(first cell of the row, column's title): new cell}, and who is left out; all rows and columns must be there."""
    gradebook = opened(tmp_path, platform, text)
    left = gradebook.fill(grades)
    gradebook.write(tmp_path / "filled.csv")
    after = (tmp_path / "filled.csv").read_text(encoding="utf-8-sig")
    old, new = (list(csv.reader(io.StringIO(each, newline=""))) for each in (text, after))
    assert [len(row) for row in old] == [len(row) for row in new]
    pairs = {(n, k) for n, row in enumerate(old) for k in range(len(row)) if row[k] != new[n][k]}
    return {(new[n][0], old[0][k]): new[n][k] for n, k in sorted(pairs)}, left


def test_canvas_gets_its_own_file_back_with_one_column_filled_in(tmp_path):
    """A student is found by Canvas' number in the name of the file, which is surer than an id, by the id, or mail."""
    by_number = grade("b12902001", 100.0, number="1202", inside="r13922002")
    others = grade("MAX@ntu.edu.tw", 0.0), grade("b12902004", 1.0), grade("b12902005", 2.0)
    changes, left = filled(tmp_path, "Canvas", CANVAS, grade("b12902001", 87.5), by_number, *others)
    names = ("Wang, Xiaoming", "87.5"), ("王小明", "100"), ('O\'Neil, "Max"', "0")
    assert changes == {(name, HOMEWORK): points for name, points in names}
    assert left == {"Excused or not assigned in Canvas, so no score was written": ["b12902004", "b12902005"]}
    assert by_number.remarks == []  # Canvas gives a name, which is no id


def test_moodle_gets_its_worksheet_back_with_the_grades_filled_in(tmp_path):
    grades = grade("王小明", 87.5, number="4711"), grade("b12902002", 100.0)
    unclear = grade("4711", 2.0), grade("0123", 1.0), grade("max", 2.0)  # nobody, and one person twice
    text = MOODLE.replace("Late,", "Late," + 200_000 * "x")  # an answer that was typed into Moodle
    changes, left = filled(tmp_path, "Moodle", text, *grades, *unclear)
    assert changes == {("Participant 4711", "Grade"): "87.5", ("Participant 4712", "Grade"): "100"}
    assert left == {"Not found once in export.csv, or more than one submission": ["4711", "0123", "max"]}


@pytest.mark.parametrize(
    ("platform", "old", "new", "message"),
    [
        ("Canvas", "Homework 1:", "Homework 11:", "one column Homework 1 and has 0. Name one with --column: "),
        ("Canvas", "Homework 10", "homework 1 late", "one column Homework 1 and has 2"),
        ("Moodle", "100.00", '"20,00"', "“Grade” has 20 points, and hw1_pla has 100. Set "),
        ("Moodle", "Grade", "Bewertung", "from Moodle in English, should have one column Grade and has 0"),
        ("Moodle", "ë", "\udcff", "is not in UTF-8"),
    ],
)
def test_a_gradebook_that_cannot_be_filled_in_is_refused_with_a_sentence(tmp_path, platform, old, new, message):
    text = {"Canvas": CANVAS, "Moodle": MOODLE}[platform]
    assert old in text
    with pytest.raises(Refusal, match=re.escape(message)):
        opened(tmp_path, platform, text.replace(old, new))


@pytest.mark.parametrize("line", ["b02;why;many;", ";why;1;", "b02;whi;1;", "b02;why;5;"])
def test_by_hand_is_read_also_with_semicolons_and_a_row_that_makes_no_sense_is_named(line, tmp_path):
    path = tmp_path / "by_hand.csv"
    path.write_text('\ufeffstudent;question;points;comment\nB01;why;1,5;"two\nlines"\n', encoding="utf-8")
    assert tables.read_by_hand(tmp_path, {"why": 4}) == {"b01": {"why": (1.5, "two\nlines")}}
    path.write_text(f"{path.read_text(encoding='utf-8')}{line}\n", encoding="utf-8")
    with pytest.raises(Refusal, match=r"row 3: needed are .* at most its points: sign \(2\), why \(4\)"):
        tables.read_by_hand(tmp_path, {"sign": 2, "why": 4})


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "\t=", "\r@", " =", "b01;=", "a,+", 'b";"=', "'="])
def test_no_spreadsheet_takes_a_name_for_a_formula_whatever_it_takes_for_the_end_of_a_cell(tmp_path, start):
    tables.write_scores(tmp_path / "scores.csv", [grade("b01", 1.0, inside=f'{start}cmd|"/c calc"!A1')])
    lines = (tmp_path / "scores.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    cells = [cell for delimiter in ",;\t" for row in csv.reader(lines, delimiter=delimiter) for cell in row]
    assert not [cell for cell in cells if re.match(r"\s*[=+\-@＝＋－＠]", cell)]

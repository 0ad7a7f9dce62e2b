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
TITLES = "Student,ID,SIS User ID,Section,{}\n    Points Possible,,,,100\nA,1,b01,S,,\n"


def grade(student, points, number="", inside=None):
    """What the grader knows of a submission; `points` is None while a written answer waits."""
    question = {"id": "q", "points": points, "max": 100.0, "state": "right", "by_hand": False}
    result = {"student": inside or student, "failed": False, "remarks": [], "questions": [question]}
    return Grade(SubmissionFile(student, f"{student}.ipynb", b"", number=number), result, {})


def opened(tmp_path, platform, text, column=None, assignment="hw1_pla", worth=100.0, encoding="utf-8"):
    path = tmp_path / "export.csv"
    path.write_bytes(text.encode(encoding))
    return Gradebook(platform, path, column, assignment, worth)


def filled(tmp_path, platform, text, *grades, **options):
    """{(first cell of the row, column's title): new cell}, and who is left out; all rows and columns must be there."""
    gradebook = opened(tmp_path, platform, text, **options)
    left = gradebook.fill(grades)
    gradebook.write(tmp_path / "filled.csv")
    after = (tmp_path / "filled.csv").read_text(encoding="utf-8-sig")
    old, new = (list(csv.reader(io.StringIO(each, newline=""))) for each in (text, after))
    assert [len(row) for row in old] == [len(row) for row in new]
    pairs = {(n, k) for n, row in enumerate(old) for k in range(len(row)) if row[k] != new[n][k]}
    return {(new[n][0], old[0][k]): new[n][k] for n, k in sorted(pairs)}, left


# --- Canvas and Moodle -----------------------------------------------------------------------------------------------


def test_canvas_gets_its_own_file_back_with_one_column_filled_in(tmp_path):
    changes, left = filled(
        tmp_path, "Canvas", CANVAS, grade("b12902001", 87.5), grade("R13922002", 100.0), grade("0123", 0.0)
    )
    assert changes == {
        ("Wang, Xiaoming", "Homework 1: PLA (98765)"): "87.5",
        ("王小明", "Homework 1: PLA (98765)"): "100",
        ('O\'Neil, "Max"', "Homework 1: PLA (98765)"): "0",
    }
    assert left == {}


def test_a_student_is_found_by_the_platforms_number_by_an_address_or_by_what_stands_before_the_at(tmp_path):
    """The number that Canvas writes into the names of files is surer than an id."""
    for student, number, name in (("b12902001", "1202", "王小明"), ("MAX@ntu.edu.tw", "", 'O\'Neil, "Max"')):
        changes, _ = filled(tmp_path, "Canvas", CANVAS, grade(student, 3.0, number=number))
        assert changes == {(name, "Homework 1: PLA (98765)"): "3"}


def test_scores_that_are_not_written_are_named_with_the_reason_and_their_cells_stay(tmp_path):
    twice = [grade("b12902001", 50.0), grade("B12902001", 60.0)]
    others = [grade("r13922002", None), grade("b12902004", 1.0), grade("b12902005", 2.0), grade("123", 3.0)]
    changes, left = filled(tmp_path, "Canvas", CANVAS, *twice, *others)
    assert changes == {}
    assert left == {
        "Not found once in export.csv, or more than one submission": ["b12902001", "B12902001", "123"],
        "Not completely graded yet, so no score was written": ["r13922002"],
        "Excused or not assigned in Canvas, so no score was written": ["b12902004", "b12902005"],
    }
    text = CANVAS.replace("R13922002,r13922002", "B12902001,b12902001")
    assert filled(tmp_path, "Canvas", text, grade("b12902001", 50.0))[0] == {}


def test_moodle_gets_its_worksheet_back_with_the_grades_filled_in(tmp_path):
    grades = grade("王小明", 87.5, number="4711"), grade("b12902002", 100.0), grade("0123", 1.0), grade("4711", 2.0)
    text = MOODLE.replace("Late,", "Late," + 200_000 * "x")  # an answer that was typed into Moodle
    changes, left = filled(tmp_path, "Moodle", text, *grades)
    assert changes == {
        ("Participant 4711", "Grade"): "87.5",
        ("Participant 4712", "Grade"): "100",
        ("Participant 4713", "Grade"): "1",
    }
    assert left == {"Not found once in export.csv, or more than one submission": ["4711"]}


def test_the_column_is_found_by_the_number_of_the_homework_or_by_how_its_title_begins_or_asked_for(tmp_path):
    for titles, column, chosen in (
        ("Homework 1: PLA (11),Homework 10 (12)", None, "Homework 1: PLA (11)"),
        ("作業一 (5),作業一補交 (6)", "作業一", "作業一 (5)"),
    ):
        assert opened(tmp_path, "Canvas", TITLES.format(titles), column).column == chosen
    for titles, column, message in (
        ("Quiz 1 (4),Homework 11 (5)", None, r"Homework 1 and has 0\. Name one with --column: .*Quiz 1 \(4\);"),
        ("Homework 1 (4),homework 1 late (5)", None, "one column Homework 1 and has 2"),
        ("Homework 1,Homework 1", None, "two columns of the same title"),
    ):
        with pytest.raises(Refusal, match=message):
            opened(tmp_path, "Canvas", TITLES.format(titles), column)


def test_a_column_with_other_points_is_refused_because_moodle_would_drop_scores_without_a_word(tmp_path):
    with pytest.raises(Refusal, match=r"“Homework 1: PLA \(98765\)” has 100 points, and hw1_pla has 14\. Set "):
        opened(tmp_path, "Canvas", CANVAS, worth=14.0)
    with pytest.raises(Refusal, match="“Grade” has 20 points, and hw1_pla has 100"):
        opened(tmp_path, "Moodle", MOODLE.replace("100.00", '"20,00"'))


def test_files_that_are_something_else_are_refused_with_a_sentence(tmp_path):
    with pytest.raises(Refusal, match="from Moodle in English, should have one column Grade and has 0"):
        opened(tmp_path, "Moodle", "Kennung,Bewertung\nTeilnehmer/in 5,\n")
    with pytest.raises(Refusal, match="is not in UTF-8"):
        opened(tmp_path, "Moodle", MOODLE.replace("ë", "e").replace("ü", "u"), encoding="big5")


# --- By hand, and the scores -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["b02,why,many,", ",why,1,", "b02,whi,1,", "b02,why,5,"])
def test_a_row_of_by_hand_that_makes_no_sense_is_named(line, tmp_path):
    (tmp_path / "by_hand.csv").write_text(f'student,question,points,comment\nb01,why,4,"two\nlines"\n{line}\n')
    with pytest.raises(Refusal, match=r"row 3: needed are .* at most its points: sign \(2\), why \(4\)"):
        tables.read_by_hand(tmp_path, {"sign": 2, "why": 4})


def test_by_hand_may_come_from_a_spreadsheet_that_writes_semicolons_and_commas(tmp_path):
    path = tmp_path / "by_hand.csv"
    path.write_text("\ufeffstudent;question;points;comment\nB01;why;1,5;Good\n", encoding="utf-8")
    assert tables.read_by_hand(tmp_path, {"why": 4}) == {"b01": {"why": (1.5, "Good")}}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "\t=", "\r@", " =", "b01;=", "a,+", 'b";"=', "'="])
def test_no_spreadsheet_takes_a_name_for_a_formula_whatever_it_takes_for_the_end_of_a_cell(tmp_path, start):
    tables.write_scores(tmp_path / "scores.csv", [grade("b01", 1.0, inside=f'{start}cmd|"/c calc"!A1')])
    lines = (tmp_path / "scores.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    cells = [cell for delimiter in ",;\t" for row in csv.reader(lines, delimiter=delimiter) for cell in row]
    assert not [cell for cell in cells if re.match(r"\s*[=+\-@＝＋－＠]", cell)]


@pytest.mark.parametrize("inside", [" " * 9 + "alice", "ALICE\n", "\u3000alice", "alice\u200b", "al\u0131ce", "ａlice"])
def test_an_id_is_compared_as_data_are_made_from_it(inside):
    """Whoever has alice's data has alice's id, and whoever has not does not."""
    same_data = inside in (" " * 9 + "alice", "ALICE\n", "\u3000alice")
    assert bool(grade("alice", 1.0, inside=inside).remarks) != same_data
    assert grade("Wang Ming", 1.0, number="12345", inside="b01").remarks == []  # a name is no id

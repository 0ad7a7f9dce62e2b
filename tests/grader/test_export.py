"""Scores in files of the form that Canvas and Moodle export: one column is filled in, and nothing else changes."""

import csv
import io
import os
from pathlib import Path

import pytest

from exercises.grader import cli, export, sandbox
from exercises.grader.results import Grade
from exercises.grader.submissions import Refusal, SubmissionFile
from tests.grader import submissions as made

EXPORTS = Path(__file__).resolve().parent / "exports"
# As Canvas writes it: the row "Manual Posting" only if there is such an assignment, spaces before "Points Possible",
# computed columns at the end, a test student, somebody who is excused, and somebody who has another assignment.
CANVAS = (EXPORTS / "canvas.csv").read_text(encoding="utf-8")
MOODLE = (EXPORTS / "moodle.csv").read_text(encoding="utf-8")  # the grading worksheet of an assignment


def grade(student, points, number="", max=100.0):
    """What the grader knows of a submission; `points` is None while a written answer waits."""
    question = {"id": "q", "points": points, "max": max, "state": "right", "by_hand": False}
    result = {"student": student, "failed": False, "remarks": [], "questions": [question]}
    return Grade(SubmissionFile(student, f"{student}.ipynb", b"", number=number), result, {})


def opened(tmp_path, platform, text, column=None, assignment="hw1_pla", worth=100.0, encoding="utf-8"):
    path = tmp_path / "export.csv"
    path.write_bytes(text.encode(encoding))
    return export.read(export.template(f"{platform}={path}"), column, assignment, worth)


def filled(tmp_path, platform, text, grades, **options):
    """The file that is written, as bytes."""
    gradebook = opened(tmp_path, platform, text, **options)
    gradebook.write(tmp_path / "graded", grades)
    return (tmp_path / "graded" / f"{platform}.csv").read_bytes()


def cells(text, delimiter=","):
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def changes(before, after, delimiter=","):
    """{(row, column's title): new cell}; all rows and columns must be there."""
    old, new = cells(before, delimiter), cells(after, delimiter)
    assert [len(row) for row in old] == [len(row) for row in new]
    pairs = {(n, k) for n, row in enumerate(old) for k in range(len(row)) if row[k] != new[n][k]}
    return {(new[n][0], old[0][k]): new[n][k] for n, k in sorted(pairs)}


# --- Canvas ----------------------------------------------------------------------------------------------------------


def test_canvas_gets_its_own_file_back_with_one_column_filled_in(tmp_path, capsys):
    grades = [grade("b12902001", 87.5), grade("R13922002", 100.0), grade("0123", 0.0)]
    written = filled(tmp_path, "canvas", CANVAS, grades).decode()
    assert changes(CANVAS, written) == {
        ("Wang, Xiaoming", "Homework 1: PLA (98765)"): "87.5",
        ("王小明", "Homework 1: PLA (98765)"): "100",
        ('O\'Neil, "Max"', "Homework 1: PLA (98765)"): "0",
    }
    output = capsys.readouterr()
    assert "canvas.csv (3 scores in “Homework 1: PLA (98765)”)" in output.out
    assert output.err == ""


def test_a_student_is_found_by_the_number_that_canvas_writes_into_the_names_of_files(tmp_path):
    grades = [grade("wangxiaoming", 60.0, number="1201"), grade("b12902001", 70.0, number="1202")]
    written = filled(tmp_path, "canvas", CANVAS, grades).decode()
    assert [*changes(CANVAS, written).values()] == ["60", "70"], "the number is surer than a name"


def test_a_student_is_found_by_an_address_or_what_stands_before_the_at(tmp_path):
    for student in ("max", "MAX@ntu.edu.tw"):
        written = filled(tmp_path, "canvas", CANVAS, [grade(student, 3.0)]).decode()
        assert changes(CANVAS, written) == {('O\'Neil, "Max"', "Homework 1: PLA (98765)"): "3"}


def test_scores_that_are_not_written_are_named_with_the_reason_and_their_cells_stay(tmp_path, capsys):
    twice = [grade("b12902001", 50.0), grade("B12902001", 60.0)]
    others = [grade("r13922002", None), grade("b12902004", 1.0), grade("b12902005", 2.0), grade("123", 3.0)]
    written = filled(tmp_path, "canvas", CANVAS, [*twice, *others, grade("evil\x1b[2J", 4.0)]).decode()
    assert changes(CANVAS, written) == {}
    output = capsys.readouterr()
    assert "(0 scores in" in output.out
    assert output.err.splitlines() == [
        "More than one submission, so no score was written: b12902001, B12902001.",
        "Not completely graded yet, so no score was written: r13922002.",
        "Excused or not assigned in Canvas, so no score was written: b12902004, b12902005.",
        "Not found in export.csv, or found twice: 123, evil\\x1b[2J.",
    ]


def test_two_lines_for_one_student_get_no_score(tmp_path, capsys):
    text = CANVAS.replace("R13922002,r13922002", "B12902001,b12902001")
    assert changes(text, filled(tmp_path, "canvas", text, [grade("b12902001", 50.0)]).decode()) == {}
    assert "found twice: b12902001." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("encoding", "newline", "delimiter"),
    [("utf-8-sig", "\r\n", ";"), ("utf-8", "\n", ","), ("utf-8-sig", "\n", "\t")],
)
def test_mark_line_ends_and_separator_stay_as_they_are(tmp_path, encoding, newline, delimiter):
    table = io.StringIO(newline="")
    csv.writer(table, delimiter=delimiter, lineterminator=newline).writerows(cells(CANVAS))
    written = filled(tmp_path, "canvas", table.getvalue(), [grade("0123", 1.5)], encoding=encoding)
    assert written == table.getvalue().replace(
        delimiter.join(["CSIE5043-01", "", "", "40.00"]), delimiter.join(["CSIE5043-01", "", "1.5", "40.00"])
    ).encode(encoding)


def test_the_form_with_two_columns_for_the_name_and_without_sis_ids_is_read(tmp_path):
    text = "LastName,FirstName,ID,SIS Login ID,Section,HW1 (5)\n    Points Possible,,,,,100\nWang,Xiaoming,7,b01,A\n"
    written = filled(tmp_path, "canvas", text, [grade("B01", 9.25)]).decode()
    assert written.splitlines()[2] == "Wang,Xiaoming,7,b01,A,9.25"


# --- Which column ----------------------------------------------------------------------------------------------------

TITLES = "Student,ID,SIS User ID,Section,{}\n    Points Possible,,,,100\nA,1,b01,S,,\n"


@pytest.mark.parametrize(
    ("titles", "column", "assignment", "chosen"),
    [
        ("Homework 1: PLA (11),Homework 10 (12)", None, "hw1_pla", "Homework 1: PLA (11)"),
        ("HW01,HW11,HW21", None, "hw1_pla", "HW01"),
        ("hw1_pla (3),Quiz 1 (4)", None, "hw1_pla", "hw1_pla (3)"),
        ("作業一 (5),作業一補交 (6)", "作業一", "hw1_pla", "作業一 (5)"),
        ("作業一 (5),Homework 1 (6)", "作業", "hw1_pla", "作業一 (5)"),
        ("Final project (8),Homework 1 (6)", "final", "capstone", "Final project (8)"),
    ],
)
def test_the_column_is_found_by_the_name_of_the_homework_or_by_the_title_that_is_given(
    tmp_path, titles, column, assignment, chosen
):
    gradebook = opened(tmp_path, "canvas", TITLES.format(titles), column, assignment)
    assert gradebook.titles[gradebook.column] == chosen


@pytest.mark.parametrize(
    ("titles", "column", "message"),
    [
        ("Quiz 1 (4),Homework 11 (5)", None, r"no column for hw1_pla\. Name one with --column\. .*: .*Quiz 1 \(4\);"),
        ("Homework 1 (4),HW 1 late (5)", None, "2 columns that could be hw1_pla"),
        ("Homework 1 (4)", "homework 2", "no column for homework 2"),
    ],
)
def test_a_column_that_is_not_there_or_not_alone_is_asked_for(tmp_path, titles, column, message):
    with pytest.raises(Refusal, match=message):
        opened(tmp_path, "canvas", TITLES.format(titles), column)


def test_a_column_with_other_points_is_refused_because_moodle_would_drop_scores_without_a_word(tmp_path):
    with pytest.raises(Refusal, match=r"“Homework 1: PLA \(98765\)” has 100 points, and hw1_pla has 14\. Set "):
        opened(tmp_path, "canvas", CANVAS, worth=14.0)
    with pytest.raises(Refusal, match="“Grade” has 20 points, and hw1_pla has 100"):
        opened(tmp_path, "moodle", MOODLE.replace("100.00", '"20,00"'))


def test_files_that_are_something_else_are_refused_with_a_sentence(tmp_path):
    with pytest.raises(Refusal, match=r"has none of these columns: Identifier, ID number, .* Export it from Moodle"):
        opened(tmp_path, "moodle", "Kennung,Bewertung\nTeilnehmer/in 5,\n")
    with pytest.raises(Refusal, match="is not in UTF-8"):
        opened(tmp_path, "moodle", MOODLE.replace("ë", "e").replace("ü", "u"), encoding="big5")
    with pytest.raises(Refusal, match="cannot be read: "):
        export.read(export.template(f"canvas={tmp_path / 'no.csv'}"), None, "hw1_pla", 100.0)
    with pytest.raises(Refusal, match="has none of these columns"):
        opened(tmp_path, "canvas", "")


# --- Moodle ----------------------------------------------------------------------------------------------------------


def test_moodle_gets_its_worksheet_back_with_the_grades_filled_in(tmp_path, capsys):
    grades = [grade("王小明", 87.5, number="4711"), grade("b12902002", 100.0), grade("0123", 1.0), grade("4711", 2.0)]
    written = filled(tmp_path, "moodle", MOODLE, grades).decode()
    assert changes(MOODLE, written) == {
        ("Participant 4711", "Grade"): "87.5",
        ("Participant 4712", "Grade"): "100",
        ("Participant 4713", "Grade"): "1",
    }
    assert capsys.readouterr().err == "Not found in export.csv, or found twice: 4711.\n"


def test_a_long_answer_that_was_typed_into_moodle_is_read(tmp_path):
    text = MOODLE.replace("Late,", "Late," + 200_000 * "x")
    written = filled(tmp_path, "moodle", text, [grade("0123", 5.0)]).decode()
    assert changes(text, written) == {("Participant 4713", "Grade"): "5"}


def test_the_export_of_moodles_whole_gradebook_is_filled_in_too(tmp_path):
    text = "First name,Last name,ID number,Email address,Assignment: Homework 1 (Real)\n小明,王,B01,b@ntu.edu.tw,-\n"
    written = filled(tmp_path, "moodle", text, [grade("b01", 33.0)]).decode()
    assert changes(text, written) == {("小明", "Assignment: Homework 1 (Real)"): "33"}


# --- The command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def course(tmp_path):
    """A small assignment of 14 points, and the folder of a class of one, as Canvas exports it."""
    (tmp_path / "source" / "small").mkdir(parents=True)
    (tmp_path / "source" / "small" / "small.ipynb").write_bytes(made.small_source())
    (tmp_path / "class").mkdir()
    work = made.packed(made.solved(made.small_source(), "B12902001"))
    (tmp_path / "class" / "wangxiaoming_1201_555_small.ipynb").write_bytes(work)
    (tmp_path / "gradebook.csv").write_text(TITLES.format("Small (4)").replace("100", "14"), encoding="utf-8")
    return tmp_path


def call(course, *more):
    plain = ["--plain"] if sandbox.why_no_bubblewrap() else []
    return cli.main(["small", str(course / "class"), "--course", str(course), "--workers=1", *plain, *more])


def test_the_command_writes_the_file_beside_the_scores(course, capsys):
    (course / "class" / "by_hand.csv").write_text("student,question,points\nwangxiaoming,why,4\n")
    text = (course / "gradebook.csv").read_text().replace("A,1,", "A,1201,")
    (course / "gradebook.csv").write_text(text)
    assert call(course, f"--for=canvas={course / 'gradebook.csv'}", "--column=small") == 0
    target = course / "class" / "graded" / "small"
    assert f"{target / 'canvas.csv'} (1 score in “Small (4)”)" in capsys.readouterr().out
    assert (target / "scores.csv").exists()
    assert changes(text, (target / "canvas.csv").read_text()) == {("A", "Small (4)"): "13"}


def test_a_file_that_cannot_be_used_is_refused_before_anything_is_graded(course, capsys):
    assert call(course, "--for", f"canvas={course / 'gradebook.csv'}", "--column", "homework") == 2
    assert "no column for homework" in capsys.readouterr().err
    assert not (course / "class" / "graded").exists()


def test_a_platform_that_is_not_known_or_no_file_is_answered_with_how_to_write_it(course, capsys):
    for argument in ("canvas", "blackboard=x.csv", f"moodle{os.pathsep}x"):
        with pytest.raises(SystemExit, match="2"):
            call(course, "--for", argument)
        assert "write canvas=FILE or moodle=FILE" in capsys.readouterr().err

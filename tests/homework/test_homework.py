"""The homework: everyone's data are fit, solutions pass, blank copies give nothing away and are spoken to kindly."""

import ast
import contextlib
import io
import json
import re
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from exercises import release
from exercises.grader import notebook as reading
from exercises.grader.judge import run_test
from plahelpers import checks, datasets, guarantee, homework, hypothesis, learning
from plahelpers.checks.report import recording
from plahelpers.datasets import personal
from tests.homework.assignments import NAMES

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"


IDS = ["B12902001", "王小明"]
ODD_IDS = ["7", "Zoë Müller", "../x", "a b\tc", "'; DROP TABLE", "🦉" * 40]


def cells(assignment, folder="source"):
    return json.loads((EXERCISES / folder / assignment / f"{assignment}.ipynb").read_text(encoding="utf-8"))["cells"]


def source(cell):
    return "".join(cell["source"])


def about(cell):
    return cell["metadata"].get("nbgrader", {})


@contextlib.contextmanager
def beside(assignment, folder="source"):
    """Stand in the folder of a notebook, as its kernel does."""
    with contextlib.chdir(EXERCISES / folder / assignment), pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(".")
        patch.delitem(sys.modules, f"{assignment.partition('_')[0]}_data", raising=False)
        yield


def graded(assignment):
    return [cell for cell in cells(assignment) if about(cell).get("grade")]


def locked_tests(assignment):
    return [cell for cell in graded(assignment) if cell["cell_type"] == "code"]


def execute(cell, namespace):
    """Run a cell as a notebook does: the value of its last expression, if it has one."""
    tree = ast.parse(source(cell))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(tree, cell["id"], "exec"), namespace)
        return None if last is None else eval(compile(ast.Expression(last.value), cell["id"], "eval"), namespace)


def outcome(cell, namespace):
    """The points that a hidden test gives, as nbgrader reads them, and the report if there is one."""
    with recording() as reports:
        try:
            marks = run_test(source(cell), namespace)
        except checks.NotPassedError as error:
            return 0, error.report
    return (about(cell)["points"], None) if marks is None else (marks, reports[-1][0])


def earned(cell, namespace):
    return outcome(cell, namespace)[0]


def run(assignment, student, folder="source", with_checks=False):
    """What is known after the student's own cells, with this id, and the reports of the open checks if asked for."""
    plt.switch_backend("Agg")  # pictures are drawn, and shown to nobody
    namespace, values = {}, []
    with beside(assignment, folder):
        for cell in cells(assignment, folder):
            if cell["cell_type"] == "code" and not about(cell).get("grade"):
                if with_checks or not source(cell).startswith(("checks.", "check(")):
                    values.append(execute(cell, namespace))
                if about(cell).get("grade_id") == "student":
                    namespace["student"] = student
    plt.close("all")
    return namespace, [value for value in values if isinstance(value, checks.Report)]


@pytest.fixture(params=[name for name in ("hw2_convergence",) if name not in NAMES])
def assignment(request):
    return request.param


# --- Everyone's own data ---------------------------------------------------------------------------------------------


def test_numbers_differ_from_student_to_student():
    students = [f"B{k:08}" for k in range(20)] + ODD_IDS
    assert len({round(guarantee.radius(homework.hw2(student).X), 3) for student in students}) > 0.9 * len(students)


def test_one_id_written_in_two_ways_is_one_student():
    for one, same in [("Zoë", "Zoe\u0308"), (" B1\n", "B1"), (12, "12")]:
        np.testing.assert_array_equal(homework.hw2(one).X, homework.hw2(same).X)


def test_the_data_of_an_id_never_change():
    """Old homework must stay gradable: these are the draws of the day on which it was made, to the nearest 1/8."""
    assert homework.hw2("example").X[:2].tolist() == [[35.0, 6.75], [36.625, 2.875]]


def test_what_is_no_id_and_no_name_is_told_how_to_write_it():
    with pytest.raises(personal.EmptyId, match="Put your student id between the quotes"):
        homework.hw2(" \n")
    for odd in (None, True):
        with pytest.raises(TypeError, match="your id in quotes"):
            homework.hw2(odd)


def test_data_that_cannot_be_made_are_not_made_for_ever(monkeypatch):
    monkeypatch.setattr(personal, "_TRIES", 3)
    with pytest.raises(RuntimeError, match="no data could be made for hw2"):
        personal.first_fit("hw2", "B1", lambda _rng: datasets.running_example(), lambda _data: False)


# --- The source ------------------------------------------------------------------------------------------------------


def test_points_add_up_to_100_in_the_headings_too_and_in_each_rubric(assignment):
    assert sum(about(cell)["points"] for cell in graded(assignment)) == 100
    by_hand = [about(cell)["points"] for cell in graded(assignment) if cell["cell_type"] == "markdown"]
    assert sum(by_hand) >= 100 / 3
    named = re.findall(r"(?m)^## .*\((\d+) points, (\d+) minutes\)", "\n".join(map(source, cells(assignment))))
    assert sum(int(points) for points, _ in named) == 100
    assert 60 <= sum(int(minutes) for _, minutes in named) <= 85  # and some for the beginning and the end
    for cell in graded(assignment):
        if cell["cell_type"] == "markdown":
            rubric = source(cell).partition("**Rubric")[2].partition("**")[2]
            parts = re.findall(r"(?:^|\. |\) )\s*(\d+)\s+for\b", " ".join(rubric.split()))
            assert sum(map(int, parts)) == about(cell)["points"], about(cell)["grade_id"]


# What nbgrader is told about a cell, by the beginning of its id; the others are the student's own.
FLAGS = {"test": {"grade", "locked"}, "written": {"grade", "solution"}, "data": {"locked"}}
HIDDEN_TEST = r"# Graded: .+\.\n### BEGIN HIDDEN TESTS\n(.+\n)+.+\.(require\(\)|marks\([\d, ]+\))\n### END HIDDEN TESTS"


def test_cells_are_of_the_kinds_that_graders_know(assignment):
    marked = [(about(cell)["grade_id"], cell) for cell in cells(assignment) if about(cell)]
    ids = [grade_id for grade_id, _ in marked]
    assert ids[:2] == ["student", "data"]
    assert len(ids) == len(set(ids))
    for grade_id, cell in marked:
        kind, text, prefix = about(cell), source(cell), grade_id.partition("-")[0]
        assert (kind["schema_version"], kind["cell_type"]) == (3, cell["cell_type"])
        flags = {flag for flag in ("grade", "locked", "solution", "task") if kind[flag]}
        assert flags == FLAGS.get(prefix, {"solution"})
        if prefix == "test":
            assert re.fullmatch(HIDDEN_TEST, re.sub(r"\n+", "\n", text))
        elif prefix == "written":
            assert cell["cell_type"] == "markdown"
            assert f"**Rubric ({kind['points']} points).**" in text
        elif prefix != "data":
            assert text.count("### BEGIN SOLUTION") == text.count("### END SOLUTION") > 0


def test_a_test_needs_only_the_students_names_and_its_own_imports(assignment):
    solutions = [cell for cell in cells(assignment) if about(cell).get("solution") and cell["cell_type"] == "code"]
    own = set().union(*(reading.names_in(source(cell)) for cell in solutions))
    for cell in locked_tests(assignment):
        assert reading.needed_by(source(cell)) <= own, cell["id"]


def test_the_examples_in_the_text_are_true(assignment):
    namespace, tried = {}, 0
    for cell in cells(assignment):
        if about(cell).get("grade_id") == "data":
            execute({**cell, "source": [line for line in cell["source"] if "import" in line]}, namespace)
        elif cell["cell_type"] == "code" and source(cell).startswith("def "):
            execute(cell, namespace)
    for text in [source(cell) for cell in cells(assignment) if cell["cell_type"] == "markdown"]:
        for setting in re.findall(r"(?m)^[\w, ]+ = np\.array\(.+$", text):
            exec(setting, namespace)
        for call, answer in re.findall(r"(?m)^(\w+\(.+\)) +# → (.+)$", text):
            tried += 1
            expected = ast.literal_eval(answer.partition(":")[0])
            given = eval(call, namespace)
            for one, other in zip(given, expected, strict=True) if isinstance(expected, tuple) else [(given, expected)]:
                np.testing.assert_allclose(np.asarray(one, float), np.asarray(other, float))
    assert tried >= 3


# What the text asks for, where a hidden test allows for rounding.
DECIMALS = {
    "hw2_convergence": {"enclosed": 4, "lost": 3, "alpha_limit": 2, "rho_careful": 3, "bound_after": 3},
}


@pytest.mark.parametrize("student", IDS)
def test_solutions_give_everyone_the_right_numbers_also_when_rounded_as_asked(assignment, student):
    namespace, _ = run(assignment, student)
    rounded = {name: np.round(namespace[name], places) for name, places in DECIMALS[assignment].items()}
    compared = [cell for cell in locked_tests(assignment) if "student" in source(cell)]
    with_tolerance = [cell for cell in compared if re.search(r"tolerance=[1-9]", source(cell))]
    assert len(with_tolerance) == len(rounded)
    for cell in compared:
        known = {**namespace, **rounded} if cell in with_tolerance else dict(namespace)
        assert earned(cell, known) == about(cell)["points"], cell["id"]


def test_the_text_says_to_how_many_decimals_a_number_is_asked_for(assignment):
    words = " ".join(" ".join(source(cell).split()) for cell in cells(assignment) if cell["cell_type"] == "markdown")
    for name, places in DECIMALS[assignment].items():
        number = {2: "two", 3: "three", 4: "four"}[places]
        before, after = rf"to {number} decimals at least.{{0,260}}`{name}`", rf"`{name}`.{{0,260}}to {number} decimals"
        assert re.search(f"{before}|{after}", words), name


# --- What students get -----------------------------------------------------------------------------------------------


REGION = r"(?s)### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)### END (?:SOLUTION|HIDDEN TESTS)"


def test_a_blank_copy_has_every_question_of_its_source_and_gives_nothing_away(assignment):
    solved, blank = cells(assignment), cells(assignment, "release")
    outlines = [
        [(cell["id"], about(cell).get("grade_id"), about(cell).get("points")) for cell in copy]
        for copy in (solved, blank)
    ]
    assert outlines[0] == outlines[1]
    whole, handed_out = ("\n".join(map(source, copy)) for copy in (solved, blank))
    for word in ("SOLUTION", "HIDDEN", "Rubric", "Model answer", "require()", "seed="):
        assert word in whole
        assert word not in handed_out
    regions, remainder = "\n".join(re.findall(REGION, whole)), re.sub(REGION, "", whole)
    secret = set(map(str.strip, regions.splitlines())) - set(map(str.strip, remainder.splitlines()))
    assert len(secret) > 60
    assert not secret & set(map(str.strip, handed_out.splitlines()))
    for cell in blank:
        text = source(cell)
        assert cell["cell_type"] == "markdown" or max(map(len, text.splitlines())) <= 88
        assert not about(cell).get("solution") or "# Your turn." in text or text == "*Your answer here.*"
        assert (cell.get("outputs", []), cell.get("execution_count")) == ([], None)


def test_open_checks_pass_a_solved_copy_and_tell_a_blank_one_kindly_what_is_missing(assignment):
    _, passed = run(assignment, "B12902001", with_checks=True)
    namespace, reports = run(assignment, "B12902001", "release", with_checks=True)
    assert len(passed) == len(reports) >= 6
    assert all(report.passed for report in passed)
    for report in reports:
        assert not report.passed
        assert report.is_blank
        assert re.search(r"your turn\.(.|\n)*(no (value|values|letter) yet|is not written yet)", repr(report))
    for cell in locked_tests(assignment):  # no hidden test passes either
        marks, report = outcome(cell, dict(namespace))
        assert (float(marks), report.is_blank) == (0, True), cell["id"]


# --- Making the copies -----------------------------------------------------------------------------------------------


def test_a_source_in_disorder_is_refused_with_the_reason(tmp_path):
    notebook = json.loads((EXERCISES / "source" / "hw1_pla" / "hw1_pla.ipynb").read_text(encoding="utf-8"))
    for cell in filter(about, notebook["cells"]):
        about(cell)["grade_id"] = "same"
    (tmp_path / "hw9").mkdir()
    (tmp_path / "hw9" / "hw9.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(SystemExit, match=r"nbgrader refuses hw9: .*Duplicate grade id: same"):
        release.make(tmp_path)


def test_copies_that_are_missing_stale_or_strange_are_named(tmp_path):
    copies = {"hw1/hw1.ipynb": "one\n", "hw2/hw2.ipynb": "two\n"}
    release.write(copies, tmp_path / "release")
    assert release.differences(copies, tmp_path / "release") == []
    (tmp_path / "release/hw1/hw1.ipynb").write_text("other")
    (tmp_path / "release/hw2/hw2.ipynb").rename(tmp_path / "release/hw2/answers.ipynb")
    assert release.differences(copies, tmp_path / "release") == [
        "hw2/hw2.ipynb is missing",
        "hw2/answers.ipynb has no source",
        "hw1/hw1.ipynb is not what the source gives",
    ]


@pytest.mark.parametrize("student", ["example", "b10900032", "o'neil & sons"])
def test_every_score_on_the_way_is_exact_so_that_any_order_of_adding_gives_the_same_run(student):
    X, y = homework.hw2(student)
    scores = 64 * learning.pocket(X, y, order="cyclic", max_updates=300).weights @ hypothesis.with_bias(X).T
    assert (scores == np.round(scores)).all()

"""Every assignment: its questions are in order, solutions earn all points, its table knows what the solution knows."""

import ast
import re

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from exercises import release
from exercises.grader import notebook as reading
from plahelpers import checks
from plahelpers.checks.judge import judge
from plahelpers.checks.report import remember
from tests.homework.assignments import (
    EXERCISES,
    NAMES,
    about,
    call,
    cells,
    graded,
    hidden_tests,
    outcome,
    prefix,
    run,
    solution,
    source,
)

IDS = ["B12902001", "王小明"]


@pytest.fixture(params=NAMES)
def assignment(request):
    return request.param


# --- The source ------------------------------------------------------------------------------------------------------


def test_points_add_up_to_100_in_the_headings_too_and_in_each_rubric(assignment):
    assert sum(about(cell)["points"] for cell in graded(assignment)) == 100
    by_hand = [about(cell)["points"] for cell in graded(assignment) if cell["cell_type"] == "markdown"]
    assert sum(by_hand) >= 100 / 3
    named = re.findall(r"(?m)^## .*\((\d+) points, (\d+) minutes\)", "\n".join(map(source, cells(assignment))))
    assert sum(int(points) for points, _ in named) == 100
    assert 100 <= sum(int(minutes) for _, minutes in named) <= 130
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
        kind, text, beginning = about(cell), source(cell), grade_id.partition("-")[0]
        assert (kind["schema_version"], kind["cell_type"]) == (3, cell["cell_type"])
        flags = {flag for flag in ("grade", "locked", "solution", "task") if kind[flag]}
        assert flags == FLAGS.get(beginning, {"solution"})
        if beginning == "test":
            assert re.fullmatch(HIDDEN_TEST, re.sub(r"\n+", "\n", text))
        elif beginning == "written":
            assert cell["cell_type"] == "markdown"
            assert f"**Rubric ({kind['points']} points).**" in text
        elif beginning != "data":
            assert text.count("### BEGIN SOLUTION") == text.count("### END SOLUTION") > 0


def test_a_hidden_test_needs_only_the_students_names_and_the_solution(assignment):
    written = [cell for cell in cells(assignment) if about(cell).get("solution") and cell["cell_type"] == "code"]
    own = set().union(*(reading.names_in(source(cell)) for cell in written))
    for cell in hidden_tests(assignment):
        assert reading.needed_by(source(cell)) <= own, cell["id"]
        assert f"from exercises.source.{assignment} import solution\n" in source(cell)


def test_the_examples_in_the_text_are_true(assignment):
    namespace, tried = run(assignment, IDS[0])[0], 0
    for text in [source(cell) for cell in cells(assignment) if cell["cell_type"] == "markdown"]:
        for setting in re.findall(r"(?m)^[\w, ]+ = np\.array\(.+$", text):
            exec(setting, namespace)
        for example, answer in re.findall(r"(?m)^(\w+\(.+\)) +# → (.+)$", text):
            tried += 1
            expected = ast.literal_eval(answer.partition(":")[0])
            given = eval(example, namespace)
            for one, other in zip(given, expected, strict=True) if isinstance(expected, tuple) else [(given, expected)]:
                np.testing.assert_allclose(np.asarray(one, float), np.asarray(other, float))
    assert tried >= 3


@pytest.mark.parametrize("student", IDS)
def test_solutions_earn_all_points_also_when_rounded_as_the_text_asks(assignment, student):
    """solution.DECIMALS: the numbers that a test compares with a tolerance, and how many decimals are asked for."""
    namespace, _ = run(assignment, student)
    for name, places in solution(assignment).DECIMALS.items():
        namespace[name] = np.round(namespace[name], places)
    for cell in hidden_tests(assignment):
        assert outcome(cell, namespace)[0] == about(cell)["points"], cell["id"]


def test_the_text_says_to_how_many_decimals_a_number_is_asked_for(assignment):
    words = " ".join(" ".join(source(cell).split()) for cell in cells(assignment) if cell["cell_type"] == "markdown")
    for name, places in solution(assignment).DECIMALS.items():
        number = {2: "two", 3: "three", 4: "four"}[places]
        before, after = rf"to {number} decimals at least.{{0,260}}`{name}`", rf"`{name}`.{{0,260}}to {number} decimals"
        assert re.search(f"{before}|{after}", words), name


# --- The table: what the solution knows, without a function ----------------------------------------------------------


def report_on(task, version, seed=None):
    cases = task.all_cases(seed)
    return judge(task, "my_function", cases, [call(version, case) for case in cases])


def tables(assignment):
    """Each exercise as the teacher has it, and as the student has it."""
    handed_out = checks.Table(EXERCISES / "release" / assignment / f"{prefix(assignment)}_cases.json")
    return [(check.task, handed_out.checks[check.__name__].task) for check in solution(assignment).CHECKS]


def test_a_table_passes_right_functions_and_names_each_known_mistake_as_the_solution_does(assignment):
    for ours, theirs in tables(assignment):
        assert report_on(theirs, ours.right).passed
        for known in ours.mistakes:
            named = set()
            for version in known.versions:
                one, other = report_on(ours, version), report_on(theirs, version)
                assert (one.mistake, one.messages) == (other.mistake, other.messages), known.id
                named.add(one.mistake)
            assert known.id in named, f"{ours.name}: {known.id} is never named, but {named}"


def test_marks_are_full_for_a_right_function_a_quarter_at_least_for_a_known_mistake_and_nothing_for_a_table(assignment):
    seed = solution(assignment).SEED
    for ours, theirs in tables(assignment):
        worth = [10.0] * len(ours.parts)
        right = report_on(ours, ours.right, seed)
        assert right.marks(*worth) == sum(worth)
        assert 8 <= sum(case.unseen for case in right.cases) <= 12
        for known in ours.mistakes:
            marks = [report_on(ours, version, seed).marks(*worth) for version in known.versions]
            assert sum(worth) / 4 <= max(marks) < sum(worth), known.id
        for recorded in (theirs.right, *(version for known in theirs.mistakes for version in known.versions)):
            assert report_on(ours, recorded, seed).marks(*worth) == 0


# --- What students get -----------------------------------------------------------------------------------------------


def test_tables_and_copies_are_what_solutions_and_sources_give():
    for path, text in release.tables().items():
        assert path.read_text(encoding="utf-8") == text, path.name
    assert release.differences(release.make()) == []


REGION = r"(?s)### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)### END (?:SOLUTION|HIDDEN TESTS)"


def test_a_blank_copy_has_every_question_of_its_source_and_gives_nothing_away(assignment):
    solved, blank = cells(assignment), cells(assignment, "release")
    outlines = [
        [(cell["id"], about(cell).get("grade_id"), about(cell).get("points")) for cell in copy]
        for copy in (solved, blank)
    ]
    assert outlines[0] == outlines[1]
    whole, handed_out = ("\n".join(map(source, copy)) for copy in (solved, blank))
    for word in ("SOLUTION", "HIDDEN", "Rubric", "Model answer", "import solution"):
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
    _, passed = run(assignment, IDS[0], with_checks=True)
    namespace, reports = run(assignment, IDS[0], "release", with_checks=True)
    assert len(passed) == len(reports) >= 6
    assert all(report.passed for report in passed)
    for report in reports:
        assert not report.passed
        assert report.is_blank
        assert re.search(r"your turn\.(.|\n)*(no (value|values|letter) yet|is not written yet)", repr(report))
    for cell in hidden_tests(assignment):  # no hidden test passes either
        marks, report = outcome(cell, namespace)
        assert (float(marks), report.is_blank) == (0, True), cell["id"]


def test_a_table_lists_its_names_and_counts_what_has_passed(assignment):
    check = checks.Table(EXERCISES / "release" / assignment / f"{prefix(assignment)}_cases.json")
    names = list(check.checks)
    with pytest.raises(ValueError, match=f"no check for f. .*: {', '.join(names)}"):
        check(lambda: 1, "f")
    for name in names:  # nothing is known of other tests
        remember(report_on(check.checks[name].task, lambda *_: None))
    assert repr(check.score()) == f"0 of {len(names)} passed. Not yet: {', '.join(names)}."
    task = check.checks[names[0]].task
    remember(report_on(task, task.right))
    assert (check.score().passed, check.score().missing) == ((names[0],), tuple(names[1:]))


def test_a_copy_without_an_id_shows_one_sentence_and_no_traceback(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    codes = [source(cell) for cell in cells("hw1_pla", "release")[:4] if cell["cell_type"] == "code"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in codes])
    where = {"metadata": {"path": str(EXERCISES / "release" / "hw1_pla")}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True, resources=where).execute()
    (output,) = [output for output in notebook.cells[1].outputs if output.output_type == "error"]
    assert (output.ename, output.traceback) == ("EmptyId", [output.evalue])
    assert output.evalue.startswith("Whose data are these?")

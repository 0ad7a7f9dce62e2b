"""Every assignment: its questions are in order, solutions earn all points, its table knows what the solution knows."""

import ast
import re
from functools import cache

import numpy as np
import pytest

from exercises import release
from exercises.grader import notebook as reading
from plahelpers import checks
from plahelpers._guard import Outcome
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

STUDENT = "b10939146"  # rounding of means decides about a run of this one, in homework 3


@pytest.fixture(params=NAMES)
def assignment(request):
    return request.param


@cache
def solved(assignment):
    """What is known at the end of a solved copy, and the reports of its open checks."""
    return run(assignment, STUDENT, with_checks=True)


# --- The source ------------------------------------------------------------------------------------------------------


def test_points_add_up_to_100_in_the_headings_too_and_in_each_rubric(assignment):
    assert sum(about(cell)["points"] for cell in graded(assignment)) == 100
    named = re.findall(r"(?m)^## .*\((\d+) points, (\d+) minutes\)", "\n".join(map(source, cells(assignment))))
    assert sum(int(points) for points, _ in named) == 100
    assert 100 <= sum(int(minutes) for _, minutes in named) <= 130
    written = [cell for cell in graded(assignment) if cell["cell_type"] == "markdown"]
    assert sum(about(cell)["points"] for cell in written) >= 100 / 3
    for cell in written:
        _, points, rubric = re.split(r"\*\*Rubric \((\d+) points\)\.\*\*", " ".join(source(cell).split()))
        parts = re.findall(r"(?:^|\. |\) )\s*(\d+)\s+for\b", rubric)
        assert sum(map(int, parts)) == int(points) == about(cell)["points"], about(cell)["grade_id"]


# What nbgrader is told about a cell, by the beginning of its id; the others are the student's own.
FLAGS = {"test": {"grade", "locked"}, "written": {"grade", "solution"}, "data": {"locked"}}
HIDDEN_TEST = r"# Graded: .+\.\n### BEGIN HIDDEN TESTS\n(.+\n)+.+\.(require\(\)|marks\([\d, ]+\))\n### END HIDDEN TESTS"


def test_cells_are_of_the_kinds_that_graders_know_and_a_test_needs_only_the_students_names(assignment):
    marked = {about(cell)["grade_id"]: cell for cell in cells(assignment) if about(cell)}
    assert [*marked][:2] == ["student", "data"]
    for name, cell in marked.items():
        flags = {flag for flag in ("grade", "locked", "solution", "task") if about(cell)[flag]}
        assert flags == FLAGS.get(name.partition("-")[0], {"solution"}), name
    written = [cell for cell in marked.values() if about(cell)["solution"] and cell["cell_type"] == "code"]
    own = {"solution"}.union(*(reading.Cell("code", source(cell)).names for cell in written))
    for cell in hidden_tests(assignment):
        assert re.fullmatch(HIDDEN_TEST, re.sub(r"\n+", "\n", source(cell)))
        assert f"from exercises.source.{assignment} import solution\n" in source(cell)
        used = {node.id for node in ast.walk(ast.parse(source(cell))) if isinstance(node, ast.Name)}
        assert used <= own, cell["id"]


def test_the_examples_in_the_text_are_true(assignment):
    namespace, tried = dict(solved(assignment)[0]), 0
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


def test_solutions_pass_and_earn_all_points_also_when_rounded_as_the_text_asks(assignment):
    """solution.DECIMALS: the numbers that a test compares with a tolerance, and how many decimals are asked for."""
    namespace, reports = solved(assignment)
    assert all(report.passed for report in reports)
    words = " ".join(" ".join(source(cell).split()) for cell in cells(assignment) if cell["cell_type"] == "markdown")
    for name, places in solution(assignment).DECIMALS.items():
        namespace = {**namespace, name: np.round(namespace[name], places)}
        number = {2: "two", 3: "three", 4: "four"}[places]
        before, after = rf"to {number} decimals at least.{{0,260}}`{name}`", rf"`{name}`.{{0,260}}to {number} decimals"
        assert re.search(f"{before}|{after}", words), name
    for cell in hidden_tests(assignment):
        assert outcome(cell, namespace)[0] == about(cell)["points"], cell["id"]


# --- The table: what the solution knows, without a function ----------------------------------------------------------


@cache
def tasks(assignment):
    """Each task of the solution with its cases, unseen ones too, and the same task as students have it."""
    rows = []
    for check in solution(assignment).CHECKS:
        cases = check.task.all_cases(None), check.task.all_cases(solution(assignment).SEED)
        rows.append((check.task, *cases, table(assignment).checks[check.__name__].task))
    return rows


def report_on(task, version, cases):
    outcomes = [call(version, case) for case in cases]  # the grader calls nothing again that hung
    end = next((k for k, outcome in enumerate(outcomes, start=1) if outcome.kind == "slow"), len(cases))
    return judge(task, "my_function", cases, outcomes[:end] + [Outcome("not tried")] * (len(cases) - end))


def table(assignment):
    return checks.Table(EXERCISES / "release" / assignment / f"{prefix(assignment)}_cases.json")


def test_a_table_passes_right_functions_and_names_each_known_mistake_as_the_solution_does(assignment):
    for ours, cases, _, theirs in tasks(assignment):
        assert report_on(theirs, ours.right, cases).passed
        for known in ours.mistakes:
            pairs = [[report_on(task, version, cases) for task in (ours, theirs)] for version in known.versions]
            assert [one.messages for one, _ in pairs] == [other.messages for _, other in pairs], known.id
            assert known.id in {one.mistake for one, _ in pairs}, f"{ours.name}: {known.id} is never named"


def test_marks_are_full_for_a_right_function_a_quarter_at_least_for_a_known_mistake_and_nothing_for_a_table(assignment):
    for ours, _, cases, theirs in tasks(assignment):
        worth = [10.0] * len(ours.parts)
        right = report_on(ours, ours.right, cases)
        assert right.marks(*worth) == sum(worth)
        assert 8 <= sum(case.unseen for case in right.cases) <= 12
        for known in ours.mistakes:
            marks = [report_on(ours, version, cases).marks(*worth) for version in known.versions]
            assert sum(worth) / 4 <= max(marks) < sum(worth), known.id
        for recorded in (theirs.right, *(known.versions[0] for known in theirs.mistakes)):
            report = report_on(ours, recorded, cases)  # one that hangs cannot be told from a function that hangs
            hangs = any(case.outcome.kind == "slow" for case in report.cases)
            assert report.marks(*worth) <= (sum(worth) / 4 if hangs else 0)


def test_a_table_lists_its_names_and_counts_what_has_passed():
    check = table("hw1_pla")
    first, *others = check.checks
    with pytest.raises(ValueError, match=f"no check for table. .*: {first}, {', '.join(others)}"):
        check(table)
    for name in check.checks:  # nothing is known of other tests
        remember(report_on(check.checks[name].task, lambda *_: None, check.checks[name].task.cases()))
    task = check.checks[first].task
    remember(report_on(task, task.right, task.cases()))
    assert (check.score().passed, check.score().missing) == ((first,), tuple(others))
    assert repr(check.score()) == f"1 of {len(check.checks)} passed. Not yet: {', '.join(others)}."


# --- What students get -----------------------------------------------------------------------------------------------


def test_tables_and_copies_are_what_solutions_and_sources_give():
    for path, text in release.tables().items():
        assert path.read_text(encoding="utf-8") == text, f"python3 run.py release: {path.name}"
    copies = {path.relative_to(EXERCISES / "release").as_posix(): path for path in EXERCISES.glob("release/*/*")}
    copies = {name: path.read_bytes() for name, path in copies.items() if path.is_file()}
    assert copies == release.make(), "python3 run.py release"


def test_a_blank_copy_says_where_to_write_and_its_checks_say_kindly_what_is_missing(assignment):
    for cell in cells(assignment, "release"):
        text = source(cell)
        assert cell["cell_type"] == "markdown" or max(map(len, text.splitlines())) <= 88
        assert not about(cell).get("solution") or "# Your turn." in text or text == "*Your answer here.*"
    _, reports = run(assignment, STUDENT, "release", with_checks=True)
    assert len(reports) == len(solved(assignment)[1]) >= 6
    for report in reports:
        assert report.is_blank
        assert re.search(r"your turn\.(.|\n)*(no (value|values|letter) yet|is not written yet)", repr(report))

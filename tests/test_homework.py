"""The homework: everyone's data are fit, solutions pass, blank copies give nothing away and are spoken to kindly."""

import ast
import builtins
import contextlib
import importlib.util
import io
import json
import re
import symtable
from collections import Counter
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from plahelpers import checks, datasets, guarantee, homework, hypothesis, learning

EXERCISES = Path(__file__).parent.parent / "exercises"
IDS = ["B12902001", "王小明"]
ODD_IDS = ["7", "Zoë Müller", "../x", "a b\tc", "'; DROP TABLE", "🦉" * 40]


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXERCISES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = load("release")


def cells(assignment, folder="source"):
    return json.loads((EXERCISES / folder / assignment / f"{assignment}.ipynb").read_text(encoding="utf-8"))["cells"]


def source(cell):
    return "".join(cell["source"])


def about(cell):
    return cell["metadata"].get("nbgrader", {})


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


def worked(assignment, student, folder="source"):
    """What is known after the student's own cells, with this id; tests and checks are left out."""
    namespace = {}
    for cell in cells(assignment, folder):
        if cell["cell_type"] == "code" and not about(cell).get("grade") and not source(cell).startswith("checks."):
            execute(cell, namespace)
            if about(cell).get("grade_id") == "student":
                namespace["student"] = student
    return namespace


@pytest.fixture(params=["hw1_pla", "hw2_convergence", "hw3_pocket"])
def assignment(request):
    return request.param


@pytest.fixture(autouse=True)
def _no_window():
    """Pictures are drawn, and shown to nobody."""
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    yield
    plt.close("all")


# --- Everyone's own data ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("student", IDS)
def test_data_for_homework_1_are_fit(student):
    X, y = homework.hw1(student)
    run = learning.pla(X, y)
    assert X.shape == (30, 2)
    assert 8 <= np.count_nonzero(y == 1) <= 22
    assert run.halted
    assert 10 <= run.updates <= 60
    after = [hypothesis.is_mistake(w, X[n], y[n]) for w, n in zip(run.weights[1:], run.picks, strict=True)]
    assert any(after)  # some correction does not fix its point
    far, far_half = (learning.pla(X, y, w0=[10, 10, 10], eta=eta).updates for eta in (1, 0.5))
    assert learning.pla(X, y, eta=0.5).updates == run.updates
    assert len({run.updates, far, far_half}) == 3


@pytest.mark.parametrize("student", IDS)
def test_data_for_homework_2_are_fit(student):
    data = homework.hw2(student)
    assert data.X.shape == (25, 2)
    assert guarantee.margin(data.X, data.y, data.w_f) > 0
    T = learning.pla(*data).updates
    assert 200 <= T <= guarantee.update_bound(data.X, data.y, data.w_f)
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    assert learning.pla(Z, data.y).updates <= T / 5
    assert guarantee.update_bound(Z, data.y) < guarantee.update_bound(*data) / 10


@pytest.mark.parametrize("student", IDS)
def test_data_for_homework_3_are_fit(student):
    train, test = homework.hw3(student)
    assert (len(train), len(test)) == (40, 200)
    assert not guarantee.separate(*train).separable
    assert 2 <= guarantee.best_line(*train).mistakes <= 8


@pytest.mark.parametrize("name", ["credit", "spam"])
def test_nobody_is_both_learned_from_and_tested_on(name):
    train, test = homework.hw3_real("B12902001", name)
    assert (len(train), len(test)) == (900, 400)
    assert (train.X.std(axis=0) > 0).all()
    assert set(train.y) == set(test.y) == {-1, 1}
    assert not np.array_equal(train.X, homework.hw3_real("B12902002", name)[0].X)
    drawn, whole = Counter(), Counter()  # of rows, because some people are alike in all columns
    for part in (train, test):
        drawn.update(map(tuple, np.column_stack([*part]).tolist()))
    whole.update(map(tuple, np.column_stack([*getattr(datasets, name)()]).tolist()))
    assert drawn <= whole


def test_numbers_differ_from_student_to_student():
    students = [f"B{k:08}" for k in range(20)] + ODD_IDS
    runs = [learning.pla(*homework.hw1(student)) for student in students]
    assert len({run.X.tobytes() for run in runs}) == len(students)
    assert max(np.bincount([run.updates for run in runs])) < len(students) / 4
    assert len({round(guarantee.radius(homework.hw2(student).X), 3) for student in students}) > 0.9 * len(students)
    assert len({homework.hw1_cycles(student)[:3].tobytes() for student in students}) == len(students)


def test_every_cycle_visits_every_example():
    for cycles, N in ((homework.hw1_cycles("7"), 30), (homework.hw3_cycles("7"), 40)):
        assert cycles.shape == (2000, N)
        assert (np.sort(cycles, axis=1) == np.arange(N)).all()


@pytest.mark.parametrize(("one", "same"), [("Zoë", "Zoe\u0308"), (" B1\n", "B1"), (12, "12")])
def test_one_id_written_in_two_ways_is_one_student(one, same):
    np.testing.assert_array_equal(homework.hw1(one).X, homework.hw1(same).X)


def test_the_data_of_an_id_never_change():
    """Old homework must stay gradable: these are from the day on which the homework was made."""
    assert homework.hw1("example").X[:2].tolist() == [[-4.38, -3.27], [-2.89, 0.01]]
    assert homework.hw1_cycles("example")[0, :6].tolist() == [23, 3, 1, 4, 0, 28]
    assert homework.hw2("example").w_f.tolist() == [-7.75, 0.4, -1.49]
    assert homework.hw3("example")[0].X[0].tolist() == [3.63, 3.94]


@pytest.mark.parametrize("empty", ["", " \n"])
def test_without_an_id_there_are_no_data_but_a_sentence(empty):
    with pytest.raises(homework.EmptyId, match="Put your student id between the quotes"):
        homework.hw1(empty)


@pytest.mark.parametrize("odd", [None, ..., 1.5, True])
def test_an_id_that_is_none_is_told_how_to_write_it(odd):
    with pytest.raises(TypeError, match="your id in quotes"):
        homework.hw2(odd)


def test_real_data_have_two_names():
    with pytest.raises(ValueError, match="name must be one of 'credit', 'spam'"):
        homework.hw3_real("B1", "iris")


def test_data_that_cannot_be_made_are_not_made_for_ever(monkeypatch):
    monkeypatch.setattr(homework, "_fit_for_pla", lambda _data: False)
    monkeypatch.setattr(homework, "_TRIES", 3)
    with pytest.raises(RuntimeError, match="no data could be made for hw1"):
        homework.hw1("B1")


# --- The source ------------------------------------------------------------------------------------------------------


def test_points_add_up_to_100_and_most_of_them_are_given_by_tests(assignment):
    points = {about(cell)["grade_id"]: about(cell)["points"] for cell in graded(assignment)}
    assert sum(points.values()) == 100
    assert 70 <= sum(about(cell)["points"] for cell in locked_tests(assignment)) <= 80
    named = [int(n) for n in re.findall(r"(?m)^## .*\((\d+) points\)", "\n".join(map(source, cells(assignment))))]
    assert sum(named) == 100


# What nbgrader is told about a cell, by the beginning of its id; the others are the student's own.
FLAGS = {"test": {"grade", "locked"}, "written": {"grade", "solution"}, "data": {"locked"}}
HIDDEN_TEST = r"# Graded: .+\.\n### BEGIN HIDDEN TESTS\n(.+\n)+.+\.require\(\)\n### END HIDDEN TESTS"


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


def test_a_rubric_gives_as_many_points_as_its_question(assignment):
    for cell in graded(assignment):
        if cell["cell_type"] == "markdown":
            rubric = source(cell).partition("**Rubric")[2].partition("**")[2]
            parts = re.findall(r"(?:^|\. |\) )\s*(\d+)\s+for\b", " ".join(rubric.split()))
            assert sum(map(int, parts)) == about(cell)["points"], about(cell)["grade_id"]


def names(code):
    """The names that a cell makes, and those that it reads without having made them."""
    top = symtable.symtable(code, "cell", "exec")
    tables = [top]
    for table in tables:
        tables.extend(table.get_children())
    made = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    read = {symbol.get_name() for table in tables for symbol in table.get_symbols() if symbol.is_global()}
    return made, read - made - set(dir(builtins))


def test_a_test_needs_only_the_students_names_and_its_own_imports(assignment):
    solutions = [cell for cell in cells(assignment) if about(cell).get("solution") and cell["cell_type"] == "code"]
    own = set().union(*(names(source(cell))[0] for cell in solutions))
    for cell in locked_tests(assignment):
        assert names(source(cell))[1] <= own, cell["id"]


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
    "hw1_pla": {"mean_updates": 2},
    "hw2_convergence": {"R": 4, "rho": 4, "bound": 4, "least_gain": 3, "largest_growth": 3, "bound_after": 3},
    "hw3_pocket": {"means_50": 3, "means_100": 3, "greedy_error": 3, "majority_error": 3, "real_error": 3},
}


@pytest.mark.parametrize("student", IDS)
def test_solutions_give_everyone_the_right_numbers_also_when_rounded_as_asked(assignment, student, monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 30)  # fewer runs on both sides; all 2000 are made below, once
    namespace = worked(assignment, student)
    rounded = {name: np.round(namespace[name], places) for name, places in DECIMALS[assignment].items()}
    compared = [cell for cell in locked_tests(assignment) if "student" in source(cell)]
    with_tolerance = [cell for cell in compared if re.search(r"tolerance=[1-9]", source(cell))]
    assert len(with_tolerance) == len(rounded)
    for cell in compared:
        execute(cell, dict(namespace))  # raises unless the number is right
    for cell in with_tolerance:
        execute(cell, {**namespace, **rounded})


def test_the_text_says_to_how_many_decimals_a_number_is_asked_for(assignment):
    words = " ".join(" ".join(source(cell).split()) for cell in cells(assignment) if cell["cell_type"] == "markdown")
    for name, places in DECIMALS[assignment].items():
        number = {2: "two", 3: "three", 4: "four"}[places]
        before, after = rf"to {number} decimals at least.{{0,260}}`{name}`", rf"`{name}`.{{0,260}}to {number} decimals"
        assert re.search(f"{before}|{after}", words), name


def only_w(function):
    return lambda *given: function(*given)[0]


def mean_of(function):
    return lambda *given: np.mean(function(*given))


@pytest.mark.parametrize(
    ("assignment", "name", "less", "contract"),
    [
        ("hw1_pla", "pla", only_w, "(w, updates, picks)"),
        ("hw1_pla", "count_updates", mean_of, "a list with the number of updates"),
        ("hw3_pocket", "pocket", only_w, "(w, last_w)"),
    ],
)
def test_a_function_that_returns_less_than_the_text_asks_for_does_not_pass(
    assignment, name, less, contract, monkeypatch
):
    monkeypatch.setattr(homework, "RUNS", 30)
    namespace = worked(assignment, "example")
    namespace[name] = less(namespace[name])
    asked = [cell for cell in cells(assignment) if re.search(rf"(?m)^checks\.\w+\({name}\b", source(cell))]
    assert len(asked) == 2  # the open check, and the hidden test
    assert f"It should return {contract}" in repr(execute(asked[0], namespace))
    with pytest.raises(AssertionError, match=re.escape(f"It should return {contract}")):
        execute(asked[1], namespace)


def test_the_source_runs_from_top_to_bottom_in_a_notebook(assignment, tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(EXERCISES / "source" / assignment / f"{assignment}.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=500, kernel_name="python3", resources={"metadata": {"path": tmp_path}})
    client.execute()  # raises at the first cell that does
    reports = [
        str(output.get("data", output).get("text/plain") or output.get("text"))
        for cell in notebook.cells
        if cell.cell_type == "code" and "checks." in cell.source and "nbgrader" not in cell.metadata
        for output in cell.outputs
    ]
    assert reports
    assert all(re.search(r": passed\.| is noted\.", report) for report in reports)
    assert "not yet" not in "".join(reports)


# --- What students get -----------------------------------------------------------------------------------------------


def test_the_students_copies_are_what_the_source_gives():
    assert release.differences(release.make()) == []


REGION = r"(?s)### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)### END (?:SOLUTION|HIDDEN TESTS)"


def lines(text):
    return {line.strip() for line in text.splitlines()}


def test_a_blank_copy_gives_nothing_away(assignment):
    whole = "\n".join(map(source, cells(assignment)))
    blank = "\n".join(map(source, cells(assignment, "release")))
    for word in ("SOLUTION", "HIDDEN", "Rubric", "Model answer", "require()", "seed="):
        assert word in whole
        assert word not in blank
    secret = lines("\n".join(re.findall(REGION, whole))) - lines(re.sub(REGION, "", whole))
    assert len(secret) > 60
    assert not secret & lines(blank)
    for cell in cells(assignment, "release"):
        assert cell["cell_type"] == "markdown" or max(map(len, source(cell).splitlines())) <= 88
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


def test_a_blank_copy_has_every_question_of_its_source(assignment):
    def outline(folder):
        kinds = [(cell["id"], about(cell)) for cell in cells(assignment, folder)]
        return [(name, kind.get("grade_id"), kind.get("points")) for name, kind in kinds]

    assert outline("source") == outline("release")
    stubs = [source(cell) for cell in cells(assignment, "release") if about(cell).get("solution")]
    assert all("# Your turn." in stub or stub == "*Your answer here.*" for stub in stubs)


def test_a_blank_copy_runs_and_is_told_kindly_what_is_missing(assignment):
    namespace, reports = {}, []
    for cell in cells(assignment, "release"):
        if cell["cell_type"] != "code":
            continue
        value = execute(cell, namespace)
        if about(cell).get("grade_id") == "student":
            assert namespace["student"] == ""
            namespace["student"] = "B12902001"
        if isinstance(value, checks.Report):
            reports.append(value)
    assert len(reports) >= 10
    for report in reports:
        assert not report.passed
        assert "not yet" in report.messages[0]
        assert re.search(r"no values? yet|Is its `return` missing|it returns nothing", repr(report))


def test_every_test_refuses_a_blank_copy(assignment, monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 10)
    namespace = worked(assignment, "B12902001", "release")
    for cell in locked_tests(assignment):
        with pytest.raises(AssertionError, match="not yet"):
            execute(cell, dict(namespace))


def test_a_copy_without_an_id_shows_one_sentence_and_no_traceback(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    codes = [source(cell) for cell in cells("hw1_pla", "release")[:4] if cell["cell_type"] == "code"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in codes])
    NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True).execute()
    (output,) = [output for output in notebook.cells[1].outputs if output.output_type == "error"]
    assert output.ename == "EmptyId"
    assert output.traceback == [output.evalue]
    assert output.evalue.startswith("Whose homework is this?")


# --- Making the copies -----------------------------------------------------------------------------------------------


def small_course(tmp_path, *sources, grade_ids=("student", "other")):
    flags = {"schema_version": 3, "grade": False, "solution": True, "locked": False, "task": False}
    notebook = nbformat.v4.new_notebook()
    for text, name in zip(sources, grade_ids, strict=True):
        kind = {"nbgrader": {**flags, "grade_id": name, "cell_type": "code"}} if name else {}
        notebook.cells.append(nbformat.v4.new_code_cell(text, metadata=kind))
    path = tmp_path / "source" / "hw9" / "hw9.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)
    return tmp_path / "source"


SOLVED = "### BEGIN SOLUTION\nx = 7\n### END SOLUTION"


def test_the_same_source_gives_the_same_bytes(tmp_path):
    course = small_course(tmp_path, SOLVED, SOLVED)
    copies = release.make(course)
    assert copies == release.make(course)
    assert list(copies) == ["hw9/hw9.ipynb"]
    assert "x = 7" not in copies["hw9/hw9.ipynb"]
    assert {path.name for path in tmp_path.rglob("*")} == {"source", "hw9", "hw9.ipynb"}


def test_a_source_in_disorder_is_refused_with_the_reason(tmp_path):
    with pytest.raises(SystemExit, match=r"nbgrader refuses hw9: .*Duplicate grade id: same"):
        release.make(small_course(tmp_path / "a", SOLVED, SOLVED, grade_ids=("same", "same")))
    with pytest.raises(SystemExit, match=r"nbgrader refuses hw9: .*Solution region detected in a non-solution cell"):
        release.make(small_course(tmp_path / "b", SOLVED, SOLVED, grade_ids=("student", None)))


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


def test_the_command_says_whether_the_copies_are_up_to_date(monkeypatch, capsys):
    monkeypatch.setattr(release, "make", lambda: {"hw1/hw1.ipynb": "one\n"})
    assert release.main(["--check"]) == 1
    assert "Make them again: python3 run.py release" in capsys.readouterr().out
    monkeypatch.setattr(release, "differences", lambda _copies: [])
    assert release.main(["--check"]) == 0
    assert "up to date" in capsys.readouterr().out
    assert release.main(["--help"]) == 2
    written = []
    monkeypatch.setattr(release, "write", written.append)
    assert release.main([]) == 0
    assert written == [{"hw1/hw1.ipynb": "one\n"}]

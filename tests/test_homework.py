"""The homework: everyone's data are fit, solutions pass, blank copies give nothing away and are spoken to kindly."""

import ast
import contextlib
import importlib.util
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from plahelpers import checks, guarantee, homework, hypothesis, learning

EXERCISES = Path(__file__).parent.parent / "exercises"
ASSIGNMENTS = ["hw1_pla", "hw2_convergence", "hw3_pocket"]
IDS = ["B12902001", "r13922999", "example", "7", "王小明", "Zoë Müller", "../x", "a b\tc", "'; DROP TABLE", "🦉" * 40]
MANY_IDS = [f"B{k:08}" for k in range(60)] + IDS


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


@pytest.fixture(autouse=True)
def no_window():
    """Pictures are drawn, and shown to nobody."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    backend = mpl.get_backend()
    mpl.use("Agg")
    yield
    plt.close("all")
    mpl.use(backend)


# --- Everyone's own data ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("student", MANY_IDS)
def test_data_for_homework_1_are_fit(student):
    X, y = homework.hw1(student)
    run = learning.pla(X, y)
    assert X.shape == (30, 2)
    assert 8 <= np.count_nonzero(y == 1) <= 22
    assert run.halted
    assert 10 <= run.updates <= 60
    after = [hypothesis.is_mistake(w, X[n], y[n]) for w, n in zip(run.weights[1:], run.picks, strict=True)]
    assert any(after)  # some correction does not fix its point
    half, far, far_half = (
        learning.pla(X, y, **how).updates
        for how in ({"eta": 0.5}, {"w0": [10, 10, 10]}, {"w0": [10, 10, 10], "eta": 0.5})
    )
    assert half == run.updates
    assert len({run.updates, far, far_half}) == 3


@pytest.mark.parametrize("student", MANY_IDS)
def test_data_for_homework_2_are_fit(student):
    data = homework.hw2(student)
    assert data.X.shape == (25, 2)
    assert guarantee.margin(data.X, data.y, data.w_f) > 0
    T = learning.pla(*data).updates
    assert 200 <= T <= guarantee.update_bound(data.X, data.y, data.w_f)
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    assert learning.pla(Z, data.y).updates <= T / 5
    assert guarantee.update_bound(Z, data.y) < guarantee.update_bound(*data) / 10


@pytest.mark.parametrize("student", MANY_IDS)
def test_data_for_homework_3_are_fit(student):
    train, test = homework.hw3(student)
    assert (len(train), len(test)) == (40, 200)
    assert not guarantee.separate(*train).separable
    assert 2 <= guarantee.best_line(*train).mistakes <= 8
    for name in ("credit", "spam"):
        real_train, real_test = homework.hw3_real(student, name)
        assert (len(real_train), len(real_test)) == (900, 400)
        assert (real_train.X.std(axis=0) > 0).all()
        assert set(real_train.y.tolist()) == set(real_test.y.tolist()) == {-1, 1}


def test_nobody_is_both_learned_from_and_tested_on():
    for name in ("credit", "spam"):
        parts = homework.hw3_real("B12902001", name)
        others = homework.hw3_real("B12902002", name)
        assert not np.array_equal(parts[0].X, others[0].X)
        whole = getattr(homework.datasets, name)()
        rows = {tuple(row) for row in np.column_stack([whole.X, whole.y]).tolist()}
        both = np.vstack([np.column_stack([part.X, part.y]) for part in parts])
        assert {tuple(row) for row in both.tolist()} <= rows
        counted = {row: np.count_nonzero((both == row).all(axis=1)) for row in map(tuple, both[::50].tolist())}
        table = np.column_stack([whole.X, whole.y])
        assert all(times <= np.count_nonzero((table == row).all(axis=1)) for row, times in counted.items())


def test_numbers_differ_from_student_to_student():
    runs = [learning.pla(*homework.hw1(student)) for student in MANY_IDS]
    assert len({run.X.tobytes() for run in runs}) == len(MANY_IDS)
    assert max(np.bincount([run.updates for run in runs])) < len(MANY_IDS) / 4
    assert len({round(guarantee.radius(homework.hw2(student).X), 3) for student in MANY_IDS}) > 0.9 * len(MANY_IDS)
    assert len({homework.hw1_cycles(student)[:3].tobytes() for student in MANY_IDS}) == len(MANY_IDS)


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


@pytest.mark.parametrize("empty", ["", "  ", "\n"])
def test_without_an_id_there_are_no_data_but_a_sentence(empty):
    with pytest.raises(homework.EmptyId, match="Put your student id between the quotes"):
        homework.hw1(empty)


@pytest.mark.parametrize("odd", [None, ..., 1.5, True, ["B1"]])
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


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_points_add_up_to_100_and_most_of_them_are_given_by_tests(assignment):
    points = {about(cell)["grade_id"]: about(cell)["points"] for cell in graded(assignment)}
    assert sum(points.values()) == 100
    assert 70 <= sum(about(cell)["points"] for cell in locked_tests(assignment)) <= 80
    named = [int(n) for n in re.findall(r"(?m)^## .*\((\d+) points\)", "\n".join(map(source, cells(assignment))))]
    assert sum(named) == 100


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_cells_are_of_the_kinds_that_graders_know(assignment):
    ids = [about(cell)["grade_id"] for cell in cells(assignment) if about(cell)]
    assert ids[:2] == ["student", "data"]
    assert len(ids) == len(set(ids))
    for cell in cells(assignment):
        kind = about(cell)
        if not kind:
            continue
        assert kind["schema_version"] == 3
        assert kind["cell_type"] == cell["cell_type"]
        assert kind["task"] is False
        if kind["grade_id"].startswith("test-"):
            assert (kind["grade"], kind["locked"], kind["solution"]) == (True, True, False)
            assert re.fullmatch(
                r"# Graded: .+\.\n### BEGIN HIDDEN TESTS\n(.+\n)+.+\.require\(\)\n### END HIDDEN TESTS",
                re.sub(r"\n+", "\n", source(cell)),
            )
        elif kind["grade_id"].startswith("written-"):
            assert (kind["grade"], kind["solution"], cell["cell_type"]) == (True, True, "markdown")
            assert f"**Rubric ({kind['points']} points).**" in source(cell)
        elif kind["grade_id"] == "data":
            assert (kind["grade"], kind["locked"], kind["solution"]) == (False, True, False)
        else:
            assert (kind["grade"], kind["locked"], kind["solution"]) == (False, False, True)
            assert source(cell).count("### BEGIN SOLUTION") == source(cell).count("### END SOLUTION") > 0


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_rubric_gives_as_many_points_as_its_question(assignment):
    for cell in graded(assignment):
        if cell["cell_type"] == "markdown":
            rubric = source(cell).partition("**Rubric")[2].partition("**")[2]
            parts = re.findall(r"(?:^|\. |\) )\s*(\d+)\s+for\b", " ".join(rubric.split()))
            assert sum(map(int, parts)) == about(cell)["points"], about(cell)["grade_id"]


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_test_needs_only_the_students_names_and_its_own_imports(assignment):
    own = {"student"}
    for cell in cells(assignment):
        if about(cell).get("solution") and cell["cell_type"] == "code":
            own |= {node.id for node in ast.walk(ast.parse(source(cell))) if isinstance(node, ast.Name)}
            own |= {node.name for node in ast.walk(ast.parse(source(cell))) if isinstance(node, ast.FunctionDef)}
    taken = {"X", "y", "w_f", "cycles", "train", "test", "np", "checks", "learning", "guarantee", "homework", "data"}
    for cell in locked_tests(assignment):
        tree = ast.parse(source(cell))
        loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        stored |= {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                   for alias in node.names}  # fmt: skip
        stored |= {"np"} if "import numpy as np" in source(cell) else set()
        stored |= {arg.arg for node in ast.walk(tree) if isinstance(node, ast.arguments) for arg in node.args}
        stored |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        unknown = loaded - stored - set(dir(__builtins__)) - set(__builtins__)
        assert unknown <= own - taken, cell["id"]


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
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


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@pytest.mark.parametrize("student", IDS)
def test_solutions_give_everyone_the_right_numbers(assignment, student, monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 30)  # fewer runs on both sides; all 2000 are made below, once
    namespace = worked(assignment, student)
    compared = [cell for cell in locked_tests(assignment) if "student" in source(cell)]
    assert compared
    for cell in compared:
        execute(cell, dict(namespace))  # raises unless the number is right


# What the text asks for, where a hidden test allows for rounding.
DECIMALS = {
    "hw1_pla": {"mean_updates": 2},
    "hw2_convergence": {"R": 4, "rho": 4, "bound": 4, "least_gain": 3, "largest_growth": 3, "bound_after": 3},
    "hw3_pocket": {"means_50": 3, "means_100": 3, "greedy_error": 3, "majority_error": 3, "real_error": 3},
}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@pytest.mark.parametrize("student", IDS[:3])
def test_numbers_with_as_many_decimals_as_the_text_asks_for_are_right(assignment, student, monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 30)
    namespace = worked(assignment, student)
    rounded = {name: np.round(namespace[name], places) for name, places in DECIMALS[assignment].items()}
    compared = [cell for cell in locked_tests(assignment) if re.search(r"tolerance=[1-9]", source(cell))]
    assert len(compared) == len(rounded)
    for cell in compared:
        execute(cell, {**namespace, **rounded})  # raises unless the number is right
    words = " ".join(" ".join(source(cell).split()) for cell in cells(assignment) if cell["cell_type"] == "markdown")
    for name, places in DECIMALS[assignment].items():
        number = {2: "two", 3: "three", 4: "four"}[places]
        near = re.search(
            rf"to {number} decimals at least.{{0,260}}`{name}`|`{name}`.{{0,260}}to {number} decimals", words
        )
        assert near, name


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
def test_a_function_that_returns_less_than_the_text_asks_for_does_not_pass(assignment, name, less, contract):
    namespace = worked(assignment, "example")
    namespace[name] = less(namespace[name])
    asked = [cell for cell in cells(assignment) if re.search(rf"(?m)^checks\.\w+\({name}\b", source(cell))]
    assert len(asked) == 2  # the open check, and the hidden test
    assert f"It should return {contract}" in repr(execute(asked[0], namespace))
    with pytest.raises(AssertionError, match=re.escape(f"It should return {contract}")):
        execute(asked[1], namespace)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_source_runs_from_top_to_bottom_in_a_notebook(assignment, tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

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


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
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


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_blank_copy_has_every_question_of_its_source(assignment):
    def outline(folder):
        return [(cell["id"], about(cell).get("grade_id"), about(cell).get("points"))
                for cell in cells(assignment, folder)]  # fmt: skip

    assert outline("source") == outline("release")
    stubs = [source(cell) for cell in cells(assignment, "release") if about(cell).get("solution")]
    assert all("# Your turn." in stub or stub == "*Your answer here.*" for stub in stubs)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_blank_copy_runs_and_is_told_kindly_what_is_missing(assignment):
    namespace, said = {}, []
    for cell in cells(assignment, "release"):
        if cell["cell_type"] != "code":
            continue
        value = execute(cell, namespace)
        if about(cell).get("grade_id") == "student":
            assert namespace["student"] == ""
            namespace["student"] = "B12902001"
        if isinstance(value, checks.Report):
            said.append(value)
    assert len(said) >= 10
    for report in said:
        assert not report.passed
        assert "not yet" in report.messages[0]
        assert re.search(r"no values? yet|Is its `return` missing|it returns nothing", repr(report))


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_test_refuses_a_blank_copy(assignment, monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 10)
    namespace = worked(assignment, "B12902001", "release")
    for cell in locked_tests(assignment):
        with pytest.raises(AssertionError, match="not yet"):
            execute(cell, dict(namespace))


def test_a_copy_without_an_id_shows_one_sentence_and_no_traceback(tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    first = [nbformat.v4.new_code_cell(source(cell)) for cell in cells("hw1_pla", "release")[:4]
             if cell["cell_type"] == "code"]  # fmt: skip
    notebook = nbformat.v4.new_notebook(cells=first)
    NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True).execute()
    (output,) = [it for it in notebook.cells[1].outputs if it.output_type == "error"]
    assert output.ename == "EmptyId"
    assert output.traceback == [output.evalue]
    assert output.evalue.startswith("Whose homework is this?")


# --- Making the copies -----------------------------------------------------------------------------------------------


def small_course(tmp_path, *sources, grade_ids=("student", "other")):
    notebook = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    for k, (text, name) in enumerate(zip(sources, grade_ids, strict=True)):
        kind = {"schema_version": 3, "grade": False, "solution": True, "locked": False, "task": False,
                "grade_id": name, "cell_type": "code"}  # fmt: skip
        cell = {"cell_type": "code", "id": f"cell-{k}", "source": [text], "outputs": [], "execution_count": None}
        notebook["cells"].append({**cell, "metadata": {"nbgrader": kind} if name else {}})
    path = tmp_path / "source" / "hw9" / "hw9.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return tmp_path / "source"


SOLVED = "### BEGIN SOLUTION\nx = 7\n### END SOLUTION"


def test_the_same_source_gives_the_same_bytes(tmp_path):
    course = small_course(tmp_path, SOLVED, SOLVED)
    copies = release.make(course)
    assert copies == release.make(course)
    assert list(copies) == ["hw9/hw9.ipynb"]
    assert "x = 7" not in copies["hw9/hw9.ipynb"]
    assert {it.name for it in tmp_path.rglob("*")} == {"source", "hw9", "hw9.ipynb"}


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


def test_the_command_says_what_it_found(monkeypatch, capsys):
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

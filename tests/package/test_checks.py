"""Checks: right functions pass in any style, wrong ones are told which mistake they make, and nothing does harm."""

import inspect
import re
from fractions import Fraction

import numpy as np
import pytest

from plahelpers import _theme, checks, guarantee, hypothesis
from plahelpers._guard import Other, Outcome
from plahelpers.checks import judge as judging, sentences
from plahelpers.checks.judge import is_unwritten, judge
from plahelpers.checks.task import Endless
from tests.homework.assignments import call
from tests.package.wrong_versions import RIGHT, WRONG, pla, pla_changes_X, sgn

CHECKS = {name: getattr(checks, name) for name in checks.__all__ if inspect.isfunction(getattr(checks, name))}
TASKS = {name: check.task for name, check in CHECKS.items() if hasattr(check, "task")}
DATA = {name for name, check in CHECKS.items() if [*inspect.signature(check).parameters] == ["X", "y"]}


def cases_of(name):
    return TASKS[name].all_cases(None)


def judged(name, function):
    """The report of a check, without a process of its own; after two cases that never return, no more are tried."""
    outcomes = []
    for case in cases_of(name):
        given_up = [outcome.kind for outcome in outcomes].count("slow") == 2
        outcomes.append(Outcome("not tried") if given_up else call(function, case))
    return judge(TASKS[name], "f", cases_of(name), outcomes)


def always(name, outcome):
    return judge(TASKS[name], "f", cases_of(name), [outcome] * len(cases_of(name)))


# --- Right functions, and what they return ---------------------------------------------------------------------------


@pytest.mark.parametrize(("check", "function"), RIGHT)
def test_a_right_function_passes_in_any_style(check, function):
    report = judged(check, function)
    assert report.passed, report


TWO = "It should return (w, updates), these two in this order."
ANOTHER = [
    ("pla", lambda *case: pla(*case)[0], f"[1, 2, 1]. {TWO}"),
    ("pla", lambda *_: None, f"nothing: it returned None. Is its `return` missing? {TWO}"),
    ("mistakes", lambda *_: "8, 5", "'8, 5'. It should return the indices of the mistakes, in order."),
]


@pytest.mark.parametrize(("check", "function", "words"), ANOTHER)
def test_whoever_returns_something_else_is_told_what_is_expected_and_what_came(check, function, words):
    report = judged(check, function)
    assert (report.passed, report.mistake) == (False, None)
    assert words in repr(report)
    assert "Expected: " in repr(report)


# --- Wrong functions are told their mistake --------------------------------------------------------------------------


@pytest.mark.parametrize(("check", "mistake", "function"), WRONG)
def test_a_learners_mistake_is_named(check, mistake, function):
    report = judged(check, function)
    assert (report.passed, report.mistake) == (False, mistake), report
    assert f"Likely mistake: {report.mistake_text}" in report.messages
    general = mistake in ("not_repeatable", "modifies_inputs", "same_answer", "wrong_order")
    assert "Read " not in report.mistake_text if general else report.mistake_text.endswith(f"Read {report.known.read}.")


@pytest.mark.slow
@pytest.mark.parametrize("check", TASKS)
def test_each_wrong_version_of_the_bank_is_wrong_and_gets_its_own_message(check):
    """So no two versions with different messages behave alike: the second of them would get the first's."""
    known_ids = [known.id for known in TASKS[check].mistakes]
    assert len(set(known_ids)) == len(known_ids)
    for known in TASKS[check].mistakes:
        for k, version in enumerate(known.versions):
            report = judged(check, version)
            assert not report.passed
            assert (report.mistake, report.changed) == (known.id, ()), k


@pytest.mark.parametrize("check", ["pla", "pocket"])
def test_a_mistake_in_the_walk_is_named_by_w_whatever_is_returned_beside_it(check):
    beside = {"pocket": lambda w: (w, np.full(len(w), 77.0)), "pla": lambda w: (w, 77)}[check]
    for known in TASKS[check].mistakes:
        if known.id not in ("count_off_by_one", "counts_visits"):
            report = judged(check, lambda *case, first=known.versions[0]: beside(first(*case)[0]))
            assert report.mistake == known.id
            assert any(message.startswith("Came out: w = ") for message in report.messages)  # a case that shows it


def test_no_mistake_is_named_from_hanging_alone():
    def endless_but_right(X, y):
        """It corrects as it should, but never finds out that a cycle was clean: so do many others, w − y x, too."""
        if hypothesis.mistakes(np.zeros(X.shape[1] + 1), X, y).size:
            raise Endless
        return np.zeros(X.shape[1] + 1), 0

    report = judged("pla", endless_but_right)
    assert (report.passed, report.mistake) == (False, None)
    assert "Does its loop ever end? PLA ends when an epoch has no mistake." in repr(report)


# --- What is said ----------------------------------------------------------------------------------------------------


def test_a_pass_says_what_was_compared():
    assert judged("pla", pla).messages == (
        "PLA: passed. f is right in all 13 cases.",
        "Compared: w, updates. It was called as f(X, y).",
    )


def test_an_unknown_mistake_shows_the_smallest_case_that_another_w_is_perfect_too_and_the_steps():
    report = judged("pla", lambda X, _: (np.ones(X.shape[1] + 1), 1))
    assert report.mistake is None
    *example, perfect, steps = report.messages[1:]
    assert example == [
        "Tried: f(X, y) with X = [[2, 1]], y = [1]",
        "Came out: w = [1, 1, 1]",
        "Expected: w = [1, 2, 1]\n                  ^",
        "Right: updates = 1",
    ]
    assert perfect.startswith("This w makes no mistakes here, as many others do, but it is not the w of this walk")
    assert "w = [0, 0, 0]; example 0 (y = +1) is wrong, w becomes [1, 2, 1]; then a whole epoch has no" in steps


def test_a_case_of_more_than_six_rows_is_shown_in_part():
    report = judged("pla", lambda X, y: (pla(X, y)[0], pla(X, y)[1] + (len(y) == 20)))
    tried = next(message for message in report.messages if message.startswith("Tried: "))
    assert re.fullmatch(r"Tried: .* X = \[(\[[-.\d, ]+\], ){6}…\], y = \[(-?1, ){6}…\] \(20 rows; the first .*", tried)


@pytest.mark.parametrize(
    ("check", "answer", "lines"),
    [
        ("mistakes", [0, 1, 2], ["Came out: [0, 1, 2]", "Expected: [0]", "              ^  ^"]),
        (
            "standardise",
            ([[-1], [1]], [[0], [3], [-7.5]]),
            ["Came out: test = [[0], [3], [-7.5]]", "Expected: test = [[0], [3], [   7]]", f"{'^^^^':>33}"],
        ),
    ],
)
def test_came_out_and_expected_stand_one_under_the_other_and_the_difference_is_marked(check, answer, lines):
    assert "\n".join(lines) in "\n".join(judged(check, lambda *_: answer).messages)


def test_on_a_page_the_difference_is_marked_in_one_block_of_fixed_width():
    page = judged("pla", lambda X, _: (np.ones(X.shape[1] + 1), 1))._repr_html_()
    style, lines = re.search(r"(?s)<pre style='(.*?)'>(.*?)</pre>", page).groups()
    assert "font-family: monospace; white-space: pre;" in style  # JupyterLab has other letters, and wraps
    assert lines == "Came out: w = [1, <mark><b>1</b></mark>, 1]\nExpected: w = [1, <mark><b>2</b></mark>, 1]"


def test_an_answer_that_is_hardly_wrong_does_not_look_right():
    report = judged("update_bound", lambda *case: guarantee.update_bound(*case) * (1 + 3e-6))
    assert all(row.got != row.expected for row in sentences.rows(report))


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome("returned", None, printed="5"), "What it printed is not its answer."),
        (Outcome("returned", Other("dict", "{}")), "a value of type dict: {}. It should return (w"),
        (Outcome("raised", error="KeyError", message="a", line=3, code="f()"), "KeyError: a. It was at line 3: `f()`."),
        (Outcome("slow", line=2, code="while 1:"), "each epoch? It was at line 2: `while 1:`."),
        (Outcome("memory"), "it needed more than 512 MB of memory"),
        (Outcome("output", printed="aaa"), "it printed more than 64 kB"),
        (Outcome("exited", message="bye"), "it called sys.exit: bye. A function should return."),
        (Outcome("died", message="exit status -11"), "its process ended (exit status -11)"),
        (Outcome("unshippable", error="TypeError", message="cannot pickle"), "(TypeError: cannot pickle). Does it use"),
    ],
)
def test_every_trouble_has_its_sentence(outcome, words):
    report = always("pla", outcome)
    assert (report.passed, report.mistake) == (False, None)
    assert words in repr(report)


def test_changed_inputs_are_told_beside_another_mistake_and_alone_and_two_answers_to_one_question_are_both_shown():
    def my_visit(w, x, y):
        w -= y * np.r_[1, x] * (sgn(w @ np.r_[1, x]) != y)
        return w

    report = checks.visit(my_visit)
    assert (report.mistake, report.changed) == ("minus_update", ("w",))
    assert "It also changes what it is given (w): work on a copy." in report.messages
    report = judged("pla", pla_changes_X)
    assert "Changed: X. The answers themselves are right." in report.messages
    assert not any(message.startswith("Came out") for message in report.messages)
    answers = iter(range(100))
    report = judged("update_bound", lambda *_: next(answers))
    assert report.mistake == "not_repeatable"
    assert "Came out: 2; and then 3" in report.messages


def test_sizes_that_do_not_fit_are_asked_about_where_there_is_an_x():
    question = "Two sizes do not fit. Is x₀ = +1 missing somewhere, or is a length written as a fixed number?"
    for function in (lambda w, x, y: w + y * x, lambda w, x, _: np.dot(w, x), lambda w, x, _: w @ x):
        assert question in repr(sentences.rows(checks.visit(function)))
    assert question not in repr(checks.standardise(lambda train, _: train @ np.ones(train.shape[1] + 1)))


def test_on_a_page_words_are_escaped_code_is_shown_as_code_and_the_section_is_a_link():
    outcome = Outcome("raised", error="ValueError", message="<script>alert(1)</script>", line=1, code="a < b")
    page = always("pla", outcome)._repr_html_()
    assert "<script>" not in page
    assert page.count("<code>a &lt; b</code>") == 1 + len(cases_of("pla"))  # the message, and the folded table
    assert "✗" in page
    address = "01_hypothesis_set.ipynb#cell-id=what-happens-on-the-line-1"
    link = f'<a href="{address}">chapter 1, &quot;What happens on the line&quot;</a>'
    page = judged("mistakes", WRONG[0][-1])._repr_html_()
    assert re.findall("Read (<a.*?</a>)", page) == [link]


# --- Nothing is written yet ------------------------------------------------------------------------------------------

SOURCES = {
    "def f(w, X=None, *, k=3) -> int: 'Only a docstring.'": True,
    "def f(*arguments):\n    'A docstring.'\n    # a comment\n    ...\n    pass": True,
    "def f(w, X): return ...": False,
    "def f(w, X):\n    for x in X: pass": False,
    "def f(w, X): raise NotImplementedError": False,
    "f = lambda w, X: None": False,
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_template_is_unwritten_and_an_attempt_is_not(source):
    """Made as a cell of a notebook makes them: there is no file to read their source from."""
    names = {}
    exec(source, names)
    assert is_unwritten(names["f"]) is SOURCES[source]


@pytest.mark.parametrize("check", TASKS)
def test_an_unwritten_function_is_shown_calmly_what_it_will_be_asked_and_is_never_called(check, monkeypatch):
    def my_function(*arguments): ...

    monkeypatch.setattr(judging, "run_guarded", None)
    report = CHECKS[check](my_function, seed=4)
    assert (report.passed, report.is_blank, report.mistake) == (False, True, None)
    assert "your turn. my_function is not written yet. It will be " in report.messages[0]
    assert report.messages[1] == f"It should return {report.returns}."
    page = report._repr_html_()
    assert not re.search(f"{_theme.MISTAKE}|✗|not yet|not right|Came out", page + repr(report))
    assert (page.count("<li>"), page.count("Expected")) == (len(report.cases), 1)  # one of them shows its answer


@pytest.mark.parametrize("got", [8, 8.0, np.int64(8), np.array([8]), 8 + 1e-7, [Fraction(8)]])
def test_a_right_number_passes_however_it_is_held(got):
    assert repr(checks.number(got, 8, "the number of updates")) == "The number of updates: passed."
    assert not checks.number(got, 5, "the number of updates").passed
    assert checks.numbers([got, 3], {"a": 8, "b": 3}, "both").passed
    assert checks.number(got, 8.3, "T", tolerance=0.05).passed  # a fraction of what is expected
    assert not checks.number(got, 8.5, "T", tolerance=0.05).passed


NUMBERS = {
    "no_value": [(None, 8), (..., 8)],
    "not_a_number": [("8", 8), (len, 8), (True, 1), ({}, 8), (1 + 2j, 8), (Other("dict", "{}"), 8)],
    "several": [([8, 8], 8), ([], 8)],
    "nan": [(float("nan"), 8), (np.inf, 8)],
    "off_by_one": [(9, 8), (7, 8)],
    "sign": [(-8.5, 8.5)],
    "percent": [(35, 0.35)],
    "complement": [(0.65, 0.35)],
    "rounded": [(0.1, 0.1372), (26.0, 26.4385), (0.14, 0.1372)],
    "another_number": [(100, 8), (0.13, 0.1372), (0, 0.1372)],
}


@pytest.mark.parametrize("mistake", NUMBERS)
def test_a_wrong_number_is_told_why_and_never_what_is_expected(mistake):
    for got, expected in NUMBERS[mistake]:
        report = checks.number(got, expected, "ρ")
        assert (report.passed, report.mistake) == (False, mistake)
        assert report.messages[0] == ("ρ: your turn." if mistake == "no_value" else "ρ: not yet.")
        assert report.is_blank == (mistake == "no_value")
        assert not re.search(rf"(?<![\d.]){expected}(?![\d.])", repr(report))


IMPOSSIBLE = [
    ("count", {}, -1, "no_count", "It has to be a whole number, and not negative."),
    ("rate", {}, -0.1, "no_rate", "-0.1 cannot be a rate."),
    ("count", {"most": 20}, 21, "too_large", "The largest possible value is 20."),
    ("rate", {}, 35, "percent", "It is above 1. A fraction is asked for: divide by the whole."),
]


@pytest.mark.parametrize(("kind", "more", "got", "mistake", "words"), IMPOSSIBLE)
def test_a_number_that_cannot_be_is_refused_also_when_the_right_one_is_not_known(kind, more, got, mistake, words):
    for expected in (None, 0.5):
        report = checks.number(got, expected, "T", kind=kind, **more)
        assert (report.passed, report.noted, report.mistake) == (False, False, mistake)
        assert words in repr(report)


@pytest.mark.parametrize(("kind", "got"), [("count", 20.0), ("index", 0), ("rate", 1.0)])
def test_a_number_that_can_be_is_noted_calmly_and_looks_neither_right_nor_wrong(kind, got):
    for report in (checks.number(got, None, "T", kind=kind, most=20), checks.choice("b", None, "T")):
        assert (report.passed, report.noted) == (True, True)
        assert "is noted. It is compared when your work is graded." in repr(report)
        assert not re.search(f"currentColor|{_theme.MISTAKE}|✓|✗", report._repr_html_())
    assert "✓" in checks.number(got, got, "T", kind=kind, most=20)._repr_html_()


def test_several_numbers_are_judged_one_by_one():
    expected = {"train": 0.1, "test": 0.25}
    report = checks.numbers(np.array([0.1, 25]), expected, "the errors")
    assert (report.parts, report.mistake) == ({"train": True, "test": False}, "percent")
    assert "Test: not yet. It looks like per cent." in repr(report)
    assert "[3, 4] is noted" in repr(checks.numbers([3, 4], dict.fromkeys(expected), "the errors"))
    short = repr(checks.numbers([0.1], expected, "the errors"))
    assert "This cannot be used: [0.1]. Give a list of 2 numbers: train, test." in short
    report = checks.numbers([0.1, ...], expected, "the errors")
    missing = "Test: not yet. There is no value yet. Replace `...` by your number."
    assert (report.messages, report.is_blank) == (("The errors: not yet.", missing), False)


def test_a_letter_is_judged_and_not_told():
    assert checks.choice(" b", "B", "reason 1").passed
    assert [checks.choice(got, "B", "reason 1").mistake for got in ("G", 2, "")] == ["not_a_letter"] * 3
    assert "B" not in repr(checks.choice("A", "B", "reason 1"))


SQUARE = [(0, 0), (1, 0), (0, 1), (1, 1)]
NO_DATA = [
    ("three_against_one", SQUARE, [1, 1, 1, -1], "no three of them are on one line; some line gets all four right"),
    ("three_against_one", [(0, 0), (9, 9), (0.3, 0.3), (0, 1)], [1, 1, -1, 1], "; three of them are on one line; no"),
    ("order_matters", [[0, 5], [5.5, -1], [5, 0]], [1, -1, 1], "not all coordinates are whole numbers from −5 to 5"),
    ("long_run", [[2], [2]], [1, -1], "these examples are not separable"),
    ("long_run", [[-1000], [1]], [1, 1], "501 updates, but only one label"),
    ("large_bound", [[11], [10]], [1, -1], "212 updates, and the bound is"),
    ("greedy_is_stuck", [[2, 1], [-1, 0], [0, -2]], [1, -1, -1], "w = 0 makes 1 mistake, and one correction leaves 0"),
    ("fewer_updates", [[4], [5], [6]], [-1, 1, 1], "38 updates with your example, and 38 without it"),
    ("fewer_updates", [[4], [5], [-3]], [0, 1, 0], "Use 2 * y - 1"),
    ("long_run", ..., ..., "X must hold numbers only"),
    ("long_run", [[0.0]] * 21, [1] * 21, "At most 20 examples"),
]


@pytest.mark.parametrize(("check", "X", "y", "words"), NO_DATA)
def test_data_that_do_not_show_what_is_asked_are_told_what_was_found(check, X, y, words):
    head, found, asked = CHECKS[check](X, y).messages
    assert head.endswith(": not yet.")
    assert words in found
    assert asked.startswith("Asked for: ")


def test_data_that_show_it_pass_and_are_told_what_was_measured():
    assert set(DATA) == {row[0] for row in NO_DATA}  # and those of the chapters' solutions pass: test_exercises
    report = checks.fewer_updates([[0.75], [4], [5]], [-1, -1, 1])
    assert report.messages[1:] == ("Found: 3 updates with your example, and 38 without it.",)


def test_something_that_is_no_function_or_no_time_limit_gets_a_kind_error():
    with pytest.raises(TypeError, match=r"checks\.pla\(my_function\), without calling it; this is a value of type l"):
        checks.pla([1, 2])
    with pytest.raises(ValueError, match=r"seconds must be a number from 0\.1 to 3600"):
        checks.pla(pla, seconds=0)


NOTEBOOK_CELLS = [
    "import numpy as np\nfrom plahelpers import checks\ncalls = 0",
    "def wrong(s, y):\n    return np.flatnonzero((s > 0) != (y > 0))",
    "def my_mistakes(w, X, y):\n    global calls\n    calls += 1\n    return wrong(X @ w[1:] + w[0], y)",
    "print(checks.mistakes(my_mistakes).passed, calls)",
    "def my_mistakes(w, X, y):\n    while True:\n        w = -w",
    "checks.mistakes(my_mistakes, seconds=2)",
]


@pytest.mark.slow
def test_a_function_of_a_notebook_cell_with_its_imports_in_another_cell(tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in NOTEBOOK_CELLS])
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    assert notebook.cells[3].outputs[0].text.strip() == "True 0"
    data = notebook.cells[5].outputs[0].data
    assert re.search(r"It was at line [23]: `(while True:|w = -w)`", data["text/plain"])
    assert data["text/html"].startswith("<div")

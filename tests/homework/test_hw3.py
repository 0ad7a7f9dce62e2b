"""Homework 3: its examples tell mistakes apart, its points come by parts, and what its text says is true."""

import re

import numpy as np
import pytest

from plahelpers import checks, homework, hypothesis, learning
from plahelpers.checks.homework3 import keep_longest
from plahelpers.checks.result import same
from plahelpers.checks.task import Endless
from tests.homework.test_homework import about, cells, earned, execute, outcome, run, source
from tests.homework.versions_hw3 import WRONG, longest

STUDENTS = [f"B{k:08}" for k in range(12)]


def cell(grade_id):
    return next(cell for cell in cells("hw3_pocket") if about(cell).get("grade_id") == grade_id)


def worked_example(name):
    """The calls of a function that the text shows, each as its arguments."""
    text = next(source(each) for each in cells("hw3_pocket") if re.search(rf"(?m)^{name}\(.+# → ", source(each)))
    space = {"np": np, name: lambda *arguments: arguments}
    for setting in re.findall(r"(?m)^[\w, ]+ = np\.array\(.+$", text):
        exec(setting, space)
    return [eval(call, space) for call in re.findall(rf"(?m)^({name}\(.+\)) +# → ", text)]


def differs(task, version, case):
    try:
        answer = task.parse(version(*map(np.copy, case[:2]), *case[2:]))
    except Endless:
        return True
    return answer is None or not same(answer, task.parse(task.right(*case)))


# --- The functions ---------------------------------------------------------------------------------------------------

# Where all examples come right in the middle of a pass: an example for that would be long, and the open check has one.
SEEN_LATER = {"until_a_clean_pass"}


@pytest.mark.parametrize("name", ["longest_run", "loop_weights"])
def test_the_worked_example_comes_out_differently_for_every_known_mistake(name):
    task, calls = getattr(checks, name).task, worked_example(name)
    versions = [(known.id, version) for known in task.mistakes for version in known.versions]
    alike = {
        mistake
        for mistake, version in [*versions, *WRONG[name]]
        if not any(differs(task, version, case) for case in calls)
    }
    assert alike <= SEEN_LATER


def test_who_gives_one_of_three_wrong_loses_only_its_points():
    test = cell("test-longest-run")
    points = {
        mistake: earned(test, {"student": "B1", "longest_run": function}) for mistake, function in WRONG["longest_run"]
    }
    assert earned(test, {"student": "B1", "longest_run": longest}) == 20
    assert (points["t_from_one"], points["other_eta"], points["returns_last"]) == (15, 11, 11)
    assert points["restarts"] == 5  # a known mistake: a quarter


# --- Numbers that come from a function -------------------------------------------------------------------------------


def numbers_by(function, student):
    """What a student with this function writes down."""
    train = homework.hw3(student)[0]
    w, steps, t = function(*train, 100)
    best = learning.pocket(*train, order="cyclic", max_updates=100).mistakes_left
    return [steps, t, len(hypothesis.mistakes(w, *train)), best]


def test_numbers_that_follow_from_ones_own_function_get_their_points():
    function, student = dict(WRONG["longest_run"])["zero_is_plus"], "B00000003"
    numbers = numbers_by(function, student)
    assert numbers[:3] != numbers_by(longest, student)[:3]
    marks, report = outcome(cell("test-own-run"), {"student": student, "longest_run": function, "own_run": numbers})
    assert (marks, report.given) == (4, ("longest_run",))
    marks, report = outcome(cell("test-own-run"), {"student": student, "longest_run": longest, "own_run": numbers})
    assert (marks, report.given) == (1, ())


def test_nothing_follows_from_a_function_that_is_no_attempt():
    def constant(_X, _y, _max_updates):
        return np.array([1.0, 2.0, 3.0]), 5, 7

    numbers = numbers_by(constant, "B1")
    assert execute(cell("test-own-run"), {"student": "B1", "longest_run": constant, "own_run": numbers}) == 1


@pytest.mark.parametrize("student", STUDENTS)
def test_the_runs_of_the_hidden_test_are_those_of_the_check(student):
    w, steps, t = keep_longest(*homework.hw3(student)[0], 100)
    own = numbers_by(lambda *_case: (w, steps, t), student)
    assert execute(cell("test-own-run"), {"student": student, "longest_run": None, "own_run": own}) == 4


def test_what_is_missing_in_a_list_costs_only_its_own_points(monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 20)
    namespace, _ = run("hw3_pocket", "B1")
    for name, worth in (("means", 6), ("comparisons", 6), ("real_rates", 8)):
        right, test = namespace[name], cell(f"test-{name.replace('_', '-')}")
        assert earned(test, {**namespace, name: [right[0], *[...] * (len(right) - 1)]}) == worth / len(right)
    table = np.reshape(namespace["means"], (3, 2)).tolist()
    assert earned(cell("test-means"), {**namespace, "means": table}) == 6
    assert earned(cell("test-means"), {**namespace, "means": [table[0], (table[1][0], ...), [..., ...]]}) == 3


# --- What text and model answers say ---------------------------------------------------------------------------------


@pytest.mark.parametrize("student", STUDENTS)
def test_what_the_model_answers_say_of_everyones_data_is_true(student, monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 100)
    namespace, _ = run("hw3_pocket", student)
    steps, _, mistakes, fewest = namespace["own_run"]
    assert fewest <= mistakes <= 40 - steps
    assert namespace["comparisons"][1] >= 0  # the best of ten is no worse than their mean, where it was chosen
    assert namespace["real_train"].names[np.abs(namespace["rule"].w[1:]).argmax()] == "reports"
    assert namespace["rule"].w[1] < 0
    assert namespace["real_rates"][2] < namespace["real_rates"][3]


def test_the_walk_of_the_model_answer_is_as_it_says():
    X, y = execute({"id": "", "source": source(cell("average-wins")) + "\n\naverage_wins()"}, {"np": np})
    walk = learning.pocket(X, y, order="cyclic", max_updates=10)
    assert walk.errors.tolist() == [1] * 11
    assert [hypothesis.mistakes(w, X, y).tolist() for w in walk.weights] == [[1], [0]] * 5 + [[1]]
    assert walk.weights[:4].tolist() == [[0, 0, 0], [1, -2, 2], [0, 1, 1], [1, -1, 3]]
    total = walk.weights.sum(axis=0)
    assert (total.tolist(), hypothesis.scores(total, X).tolist()) == ([5, 15, 35], [-5, 45])
    answer = source(cell("written-average"))
    assert all(number in answer for number in ("(5, 15, 35)", "$-5$", "$45$", "(1, -1, 3)"))


def test_the_loop_of_the_example_is_where_the_text_says():
    ((X, y),) = worked_example("loop_weights")
    weights = learning.pocket(X, y, order="cyclic", max_updates=20).weights.tolist()
    first = next(s for s in range(1, 21) if weights[s] in weights[:s])
    text = "\n".join(map(source, cells("hw3_pocket")))
    assert f"with $t = {weights.index(weights[first])}$ and $s = {first}$" in text


def test_the_headings_say_how_the_points_of_each_question_add_up():
    total = 0
    for each in cells("hw3_pocket"):
        if heading := re.match(r"## \d\. .*\((\d+) points", source(each)):
            assert total == 0
            total = int(heading[1])
        total -= about(each).get("points", 0)
    assert total == 0

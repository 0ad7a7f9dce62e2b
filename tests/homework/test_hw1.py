"""Homework 1: the worked example tells mistakes apart, sentences are true, an own function carries its numbers."""

from itertools import product

import numpy as np
import pytest

from plahelpers import checks, homework, learning
from plahelpers.checks import homework1
from plahelpers.checks.homework1 import START, own_means, own_walk
from plahelpers.checks.task import Endless
from tests.homework.test_homework import about, cells, earned, run
from tests.homework.versions_hw1 import TURNING, turning

STUDENTS = [f"B{k:08}" for k in range(40)]
WORKED = np.array([[1.0, -1.0], [3.0, -1.0], [0.0, 1.0], [2.0, 2.0]]), np.array([-1, -1, -1, 1])


def as_one(walk):
    w, updates, picks = walk
    return [*np.asarray(w, float).tolist(), int(updates), *np.asarray(picks, int).tolist()]


# --- Question 1: the walk that turns round ---------------------------------------------------------------------------


def test_the_worked_example_is_as_on_paper():
    """By hand: 3 gives (1, 2, 2), 2 gives (0, 2, 1), 0 gives (−1, 1, 2), 2 gives (−2, 1, 1); then 1 has the score 0."""
    assert as_one(turning(*WORKED)) == [-2, 1, 1, 4, 3, 2, 0, 2]
    visits = [n for n, _ in walk_by_hand(*WORKED)]
    assert visits == [0, 1, 2, 3, 2, 3, 0, 3, 2, 3, 0, 1, 2]


def walk_by_hand(X, y):
    """Each visit of the walk and whether it is a correction."""
    w, n, way, clean = np.zeros(X.shape[1] + 1), 0, 1, 0
    while clean < len(y):
        wrong = (w[0] + X[n] @ w[1:] > 0) != (y[n] > 0)
        yield n, wrong
        if wrong:
            w, way = w + y[n] * np.append(1, X[n]), -way
        clean = 0 if wrong else clean + 1
        n = (n + way) % len(y)


# Enough visits or passes for four corrections cannot be told from none too few.
@pytest.mark.parametrize("name", sorted({known.id for known in checks.turning_pla.task.mistakes} - {"fixed_passes"}))
def test_the_worked_example_comes_out_differently_for_each_known_mistake(name):
    right = as_one(checks.turning_pla.task.right(*WORKED))
    (known,) = [known for known in checks.turning_pla.task.mistakes if known.id == name]
    theirs = [version for mistake, version in TURNING if mistake == name]
    for version in (*known.versions, *theirs):
        try:
            assert as_one(version(*WORKED)) != right
        except Endless:  # it never returns, which is another answer, too
            assert name != "never_turns"


@pytest.mark.parametrize("limit", [1000, 5000, 10_000])
def test_no_fixed_number_of_visits_passes(limit):
    assert not checks.turning_pla(lambda X, y: turning(X, y, limit=limit)).passed


def test_one_visit_less_in_a_row_is_not_enough_at_the_beginning_of_the_worked_example():
    visits = list(walk_by_hand(*WORKED))
    assert visits[:4] == [(0, False), (1, False), (2, False), (3, True)]


@pytest.mark.parametrize("student", STUDENTS[:10])
def test_after_a_correction_the_other_examples_come_first_and_the_corrected_one_last(student):
    visits = list(walk_by_hand(*homework.hw1(student)))
    (*_, last) = [k for k, (_, wrong) in enumerate(visits) if wrong]
    after = [n for n, _ in visits[last + 1 :]]
    assert len(after) == len(set(after)) == 30
    assert after[-1] == visits[last][0]


# --- Questions 3 and 5: the counterexamples of the model answers -----------------------------------------------------


def picks(X, y, **how):
    return learning.pla(X, y, **how).picks.tolist()


def test_no_run_corrects_one_positive_example_twice_and_none_a_single_negative_one():
    assert picks([[1]], [1]) == [0]
    assert picks([[1]], [-1]) == []


def test_two_runs_with_different_counts_end_at_the_same_w():
    one, other = (learning.pla([[1], [1]], [1, 1], order=order) for order in ([0, 1], [1, 0]))
    assert (one.picks.tolist(), other.picks.tolist()) == ([0], [1])
    assert one.w.tolist() == other.w.tolist() == [1, 1]


@pytest.mark.parametrize("student", STUDENTS)
def test_w_follows_from_the_counts_alone(student):
    walk = learning.pla(*homework.hw1(student), order=homework.hw1_cycles(student)[0])
    counts = np.bincount(walk.picks, minlength=30)
    np.testing.assert_allclose(checks.weights_from_counts.task.right(walk.X, walk.y, counts), walk.w)


@pytest.mark.parametrize("c", [0.25, 2, 8])
def test_a_start_and_a_step_that_grow_together_change_no_pick(c):
    for student in STUDENTS[:10]:
        data = homework.hw1(student)
        assert picks(*data, start=[3, -1, 2], eta=1) == picks(*data, start=[3 * c, -c, 2 * c], eta=c)


def test_the_half_step_of_the_solution_is_the_whole_step_from_twice_the_start():
    X, y = [[6, 0], [7, 0]], [-1, 1]
    assert picks(X, y, start=START, eta=0.5) == picks(X, y, start=[-26, 10, 0]) == [0]
    assert learning.pla(X, y, start=START).updates > 20


@pytest.mark.parametrize("pair", [(3, 4), (4, 5), (10, 11), (99, 100), (100, 101)])
def test_a_pair_that_a_chapter_prints_is_no_answer(pair):
    for axis, labels, order in product((0, 1), ([-1, 1], [1, -1]), ([0, 1], [1, 0])):
        X, y = np.zeros((2, 2)), np.array(labels)
        X[:, axis] = pair
        assert not checks.smaller_step(lambda X=X[order], y=y[order]: (X, y)).passed


def test_a_step_that_changes_after_the_first_correction_changes_picks():
    """PLA picks 0, 1; the program goes on from (1, 1) with ½, as step 1 from (2, 2) does, at example 1."""
    X, y = [[1], [0]], [1, -1]
    assert picks(X, y) == [0, 1]
    later = picks(X, y, start=[1, 1], eta=0.5, order=[1, 0])
    assert later == picks(X, y, start=[2, 2], order=[1, 0]) == [1, 1]


# --- Question 4: two thousand runs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("student", STUDENTS[:5])
def test_the_means_add_up_to_the_updates_and_the_shares_to_the_different_examples(student):
    X, y = homework.hw1(student)
    cycles = homework.hw1_cycles(student)[:200]
    mean, share = checks.how_often.task.right(X, y, cycles)
    runs = [picks(X, y, order=cycle) for cycle in cycles]
    assert np.isclose(mean.sum(), np.mean([len(each) for each in runs]))
    assert np.isclose(share.sum(), np.mean([len(set(each)) for each in runs]))
    assert 0 < np.sort(mean)[-5:].sum() / mean.sum() < 1


@pytest.mark.parametrize("student", STUDENTS)
def test_without_the_idle_examples_the_run_is_the_same(student):
    X, y = homework.hw1(student)
    whole = learning.pla(X, y)
    kept = np.unique(whole.picks)
    short = learning.pla(X[kept], y[kept])
    assert len(kept) < 30
    assert kept[short.picks].tolist() == whole.picks.tolist()
    assert short.w.tolist() == whole.w.tolist()


# --- An own function carries its numbers -----------------------------------------------------------------------------


def test_a_walk_with_another_sign_of_zero_is_an_attempt():
    X, y = homework.hw1("example")
    for name in ("zero_always_wrong", "zero_is_plus", "never_turns", "counts_visits", "picks_reordered"):
        w, updates, _ = own_walk(dict(TURNING)[name], X, y)
        assert (len(w), updates > 0) == (3, True)


def test_a_walk_that_stops_one_visit_too_early_is_an_attempt():
    for student in STUDENTS:
        X, y = homework.hw1(student)
        early = dict(TURNING)["one_too_few_in_a_row"]
        assert as_one(own_walk(early, X, y)) == as_one(early(X, y))


@pytest.mark.parametrize(
    "function",
    [
        lambda X, _y: (np.zeros(X.shape[1] + 1), 0, []),
        lambda X, y: turning(X, y, limit=5),  # mistakes are left
        lambda _X, _y: turning(*homework.hw1("example")),  # a constant, right for these data
        lambda X, y: turning(X, y, wrong=lambda s, t: t * s < 0),  # never corrects anything
    ],
)
def test_what_is_no_walk_carries_nothing(function):
    assert own_walk(function, *homework.hw1("example")) is None


@pytest.mark.parametrize(
    "function", [lambda _X, y, _cycles: (0 * y, y), lambda _X, y, _cycles: (y * y, y), lambda *_: (np.ones(3), 0)]
)
def test_what_measures_no_runs_carries_nothing(function):
    assert own_means(function, *homework.hw1("example"), homework.hw1_cycles("example")[:20]) is None


def marks_of(known):
    tests = [cell for cell in cells("hw1_pla") if about(cell).get("grade_id", "").startswith("test-")]
    given = {}
    for cell in tests:
        try:
            given[about(cell)["grade_id"]] = float(earned(cell, dict(known)))
        except checks.NotPassedError:
            given[about(cell)["grade_id"]] = 0.0
    return given


def test_one_wrong_character_costs_its_own_question_only(monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 20)
    known, _ = run("hw1_pla", "B12902001")
    full = marks_of(known)
    assert sum(full.values()) == 62
    walk = dict(TURNING)["zero_always_wrong"]
    _, updates, path = walk(*homework.hw1("B12902001"))
    wrong = marks_of({**known, "turning_pla": walk, "turn_updates": updates, "last_mistake": path[-1]})
    assert wrong == {**full, "test-turning-pla": 0}
    sorted_picks = marks_of({**known, "turning_pla": dict(TURNING)["picks_reordered"]})
    assert sorted_picks == {**full, "test-turning-pla": 13}


def test_a_number_that_comes_from_no_function_is_not_carried(monkeypatch):
    monkeypatch.setattr(homework, "RUNS", 20)
    known, _ = run("hw1_pla", "B12902001")
    full = marks_of(known)
    constant = marks_of({**known, "turning_pla": lambda _X, _y: (np.ones(3), 999, [5]), "turn_updates": 999})
    assert constant == {**full, "test-turning-pla": 0, "test-turn-updates": 0}


def test_the_start_in_the_text_is_that_of_the_check():
    texts = "\n".join("".join(cell["source"]) for cell in cells("hw1_pla"))
    assert f"start={[int(each) for each in homework1.START]}" in texts

"""Homework 1: the worked example, the sentences of the model answers, the data, and what a slip costs."""

import numpy as np
import pytest

from exercises.source.hw1_pla import hw1_data, solution
from exercises.source.hw1_pla.hw1_data import START, cycles_of, points_of
from plahelpers import learning
from tests.homework.assignments import marks_of, run

STUDENTS = [f"B{k:08}" for k in range(12)]
WORKED = np.array([[1.0, -1.0], [3.0, -1.0], [0.0, 1.0], [2.0, 2.0]]), np.array([-1, -1, -1, 1])


def visits_of(X, y):
    """Each visit of the walk that turns round, and whether it is a correction; written apart from the solution."""
    w, n, way, clean = np.zeros(X.shape[1] + 1), 0, 1, 0
    while clean < len(y):
        wrong = (w[0] + X[n] @ w[1:] > 0) != (y[n] > 0)
        yield n, wrong
        if wrong:
            w, way = w + y[n] * np.append(1, X[n]), -way
        clean = 0 if wrong else clean + 1
        n = (n + way) % len(y)


# --- The data --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("student", ["B12902001", "王小明"])
def test_data_are_fit(student):
    X, y = points_of(student)
    walk = learning.pla(X, y)
    assert (X.shape, walk.halted) == ((30, 2), True)
    assert 8 <= np.count_nonzero(y == 1) <= 22
    assert 10 <= walk.updates <= 60
    assert cycles_of(student).shape == (2000, 30)
    assert (np.sort(cycles_of(student), axis=1) == np.arange(30)).all()


def test_a_cycle_that_visits_the_ends_twice_gives_everyone_another_number_which_is_named():
    for student in STUDENTS:
        wrong = learning.pla(*points_of(student), order=[*range(30), *reversed(range(30))]).updates
        assert solution.back_updates(student, wrong).mistake == "end_twice"


# --- The walk that turns round ---------------------------------------------------------------------------------------


def test_the_worked_example_is_as_on_paper():
    """By hand: 3 gives (1, 2, 2), 2 gives (0, 2, 1), 0 gives (−1, 1, 2), 2 gives (−2, 1, 1); then 1 has the score 0."""
    w, updates, picks = solution.turning_pla.task.right(*WORKED)
    assert (w.tolist(), updates, picks) == ([-2, 1, 1], 4, [3, 2, 0, 2])
    assert [n for n, _ in visits_of(*WORKED)] == [0, 1, 2, 3, 2, 3, 0, 3, 2, 3, 0, 1, 2]


@pytest.mark.parametrize("student", STUDENTS[:6])
def test_the_solution_walks_as_the_text_says_and_visits_the_corrected_example_last(student):
    visits = list(visits_of(*points_of(student)))
    assert solution.turning_pla.task.right(*points_of(student))[2] == [n for n, wrong in visits if wrong]
    (*_, last) = [k for k, (_, wrong) in enumerate(visits) if wrong]
    after = [n for n, _ in visits[last + 1 :]]
    assert len(after) == len(set(after)) == 30
    assert after[-1] == visits[last][0]


# --- The sentences of the model answers ------------------------------------------------------------------------------


def picks(X, y, **how):
    return learning.pla(X, y, **how).picks.tolist()


def test_two_runs_with_different_counts_end_at_the_same_w():
    assert (picks([[1]], [1]), picks([[1]], [-1])) == ([0], [])  # one example is corrected once, or never
    one, other = (learning.pla([[1], [1]], [1, 1], order=order) for order in ([0, 1], [1, 0]))
    assert (one.picks.tolist(), other.picks.tolist()) == ([0], [1])
    assert one.w.tolist() == other.w.tolist() == [1, 1]


@pytest.mark.parametrize("student", STUDENTS[:6])
def test_w_follows_from_the_counts_and_without_the_idle_examples_the_run_is_the_same(student):
    whole = learning.pla(*points_of(student))
    counts = np.bincount(whole.picks, minlength=30)
    np.testing.assert_array_equal(solution.weights_from_counts.task.right(whole.X, whole.y, counts), whole.w)
    kept = np.unique(whole.picks)
    short = learning.pla(whole.X[kept], whole.y[kept])
    assert len(kept) < 30
    assert kept[short.picks].tolist() == whole.picks.tolist()
    assert short.w.tolist() == whole.w.tolist()


@pytest.mark.parametrize("student", STUDENTS[:6])
def test_a_start_and_a_step_that_grow_together_change_no_pick(student):
    data = points_of(student)
    assert picks(*data, start=[3, -1, 2]) == picks(*data, start=[0.75, -0.25, 0.5], eta=0.25)


def test_a_step_that_changes_after_the_first_correction_changes_picks():
    """PLA picks 0, 1; the program goes on from (1, 1) with ½, as step 1 from (2, 2) does, at example 1."""
    X, y = [[1], [0]], [1, -1]
    assert picks(X, y) == [0, 1]
    later = picks(X, y, start=[1, 1], eta=0.5, order=[1, 0])
    assert later == picks(X, y, start=[2, 2], order=[1, 0]) == [1, 1]


# --- Data for the half step ------------------------------------------------------------------------------------------


def test_the_half_step_of_the_solution_is_the_whole_step_from_twice_the_start():
    X, y = [[6, 0], [7, 0]], [-1, 1]
    assert picks(X, y, start=START, eta=0.5) == picks(X, y, start=[-26, 10, 0]) == [0]
    assert learning.pla(X, y, start=START).updates > 20


@pytest.mark.parametrize(
    ("X", "y", "marks", "mistake"),
    [
        ([[6, 0], [7, 0]], [-1, 1], 10, None),
        ([[5, 0], [6, 0]], [-1, 1], 7.5, "not_extreme"),  # 18 updates against 1
        ([[100, 0], [101, 0]], [-1, 1], 7.5, "not_extreme"),  # 17,479 updates against 14,856
        ([[20, 0], [30, 0]], [-1, 1], 0, "not_faster"),
        ([[1, 0], [1, 0]], [-1, 1], 0, "not_separable"),
    ],
)
def test_every_refutation_earns_most_of_the_points_and_the_extreme_one_all(X, y, marks, mistake):
    report = hw1_data.step_data(lambda: (X, y))
    assert (report.marks(10), report.mistake) == (marks, mistake)


# --- What a slip costs -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved():
    namespace, _ = run("hw1_pla", "B12902001")
    return namespace, marks_of("hw1_pla", namespace)


def test_one_slip_costs_its_share_of_its_own_question_only(solved):
    (namespace, full), mistakes = solved, solution.turning_pla.task.mistakes
    assert sum(full.values()) == 64
    (walk,) = [version for each in mistakes if each.id == "zero_always_wrong" for version in each.versions]
    _, updates, path = walk(*points_of("B12902001"))
    wrong = marks_of("hw1_pla", {**namespace, "turning_pla": walk, "turn_updates": updates, "last_mistake": path[-1]})
    assert {name: full[name] - wrong[name] for name in full if full[name] != wrong[name]}.keys() == {"test-turning-pla"}
    assert 5 <= wrong["test-turning-pla"] < 20


def test_known_wrong_numbers_are_named(solved):
    cyclic = learning.pla(*points_of(STUDENTS[0]))
    report = solution.turning_numbers(STUDENTS[0], lambda *_: None, cyclic.updates, int(cyclic.picks[-1]))
    assert [case.problem.id for case in report.cases] == ["cyclic", "cyclic"]
    mean, share = solved[0]["mean"], solved[0]["share"]
    wrong = [(mean.mean(), "mean_of_means"), (np.sort(mean)[-5:].sum(), "of_five"), (share.mean(), "share_of_all")]
    report = solution.two_thousand("B12902001", lambda *_: None, *(value for value, _ in wrong))
    assert [case.problem.id for case in report.cases] == [name for _, name in wrong]
    assert solution.turning_numbers("b0283", lambda *_: None, 1, 1).mistake == "another_number"  # 6,476 visits

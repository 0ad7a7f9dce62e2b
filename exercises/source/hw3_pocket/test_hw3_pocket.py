"""Homework 3: its data, its right answers by other ways, known mistakes as students write them, and its sentences."""

import itertools

import numpy as np
import pytest

from exercises.source.hw3_pocket import hw3_data, solution
from plahelpers import datasets, guarantee, hypothesis, learning
from tests.homework.assignments import marks_of, run

NAME = "hw3_pocket"
STUDENTS = ["B00000000", "B00000001", "B00000002"]


@pytest.fixture
def few_runs(monkeypatch):
    """A hundred runs in place of 2000, for the notebook and for the solution."""
    monkeypatch.setattr(hw3_data, "RUNS", 100)
    solution._runs.cache_clear()
    yield
    solution._runs.cache_clear()


# --- Data ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("student", STUDENTS)
def test_no_line_gets_all_forty_right_and_every_cycle_visits_them_all(student):
    train, test = hw3_data.points_of(student)
    assert (len(train), len(test)) == (40, 200)
    assert not guarantee.separate(*train).separable
    assert 2 <= guarantee.best_line(*train).mistakes <= 8
    assert (np.sort(hw3_data.cycles_of(student), axis=1) == np.arange(40)).all()
    scores = learning.pocket(*train, order="cyclic", max_updates=300).weights @ hypothesis.with_bias(train.X).T
    assert (64 * scores == np.round(64 * scores)).all()  # exact, in whatever order they are added up


@pytest.mark.parametrize("name", ["credit", "spam"])
def test_nobody_is_both_learned_from_and_tested_on(name, monkeypatch):
    everyone = getattr(datasets, name)()
    numbered = datasets.Data(np.arange(len(everyone)).reshape(-1, 1), everyone.y, ("number",))
    monkeypatch.setattr(datasets, name, lambda: numbered)
    train, test = (part.X.ravel().tolist() for part in hw3_data.real_data("B1", name))
    assert (len(train), len(test), len({*train, *test})) == (900, 400, 1300)
    assert train != hw3_data.real_data("B2", name)[0].X.ravel().tolist()
    with pytest.raises(ValueError, match="name must be one of 'credit', 'spam'"):
        hw3_data.real_data("B1", "iris")


def test_the_data_of_an_id_never_change():
    assert hw3_data.points_of("example")[0].X[0].tolist() == [3.625, 4.0]  # the nearest 1/8 to 3.63, 3.94


# --- Right answers, found in other ways ------------------------------------------------------------------------------


def longest_by_picks(X, y, max_updates):
    """From the examples that the package corrects on noisy data: how far is it from one to the next?"""
    walk = learning.pocket(X, y, order="cyclic", max_updates=max_updates + 1)
    streaks = ((np.diff(walk.picks, prepend=-1) - 1) % len(y)).tolist()
    t = int(np.argmax(streaks))
    return streaks[t], t


def test_a_loop_gives_a_certificate():
    for X, y in solution.loop_certificate.task.all_cases(solution.SEED):
        a = solution.loop_certificate.task.right(X, y)
        assert (a >= 0).all()
        assert np.allclose([a.sum(), *(a * y @ hypothesis.with_bias(X))], [1] + [0] * (X.shape[1] + 1))


@pytest.mark.usefixtures("few_runs")
@pytest.mark.parametrize("student", STUDENTS)
def test_the_model_answers_are_true(student):
    solved, _ = run(NAME, student)
    streak, t, mistakes, fewest = solved["own_streak"]
    assert (streak, t) == longest_by_picks(solved["X"], solved["y"], 100)
    assert fewest <= mistakes <= 40 - streak
    assert solved["rivals"][3] == max(solved["rivals"][1:6:2])  # the last w has the largest mean test error
    assert solved["gains"][0] >= 0  # the best of ten is no worse than their mean, where it was chosen
    assert (solved["real_train"].names[solved["largest"]], solved["rule"].w[1] < 0) == ("reports", True)
    assert solved["real_rates"][2] < solved["real_rates"][3]


# --- Known mistakes, as students write them --------------------------------------------------------------------------


def ends_directly_after_the_last_update(X, y, max_updates):
    """Two loops, as students write them; the last w gets no streak."""
    rows, w = hypothesis.with_bias(X), np.zeros(X.shape[1] + 1)
    best, streak, updates = (w, 0, 0), 0, 0
    while True:
        for x, label in zip(rows, y, strict=True):
            if (w @ x > 0) == (label > 0):
                streak += 1
                if streak > best[1]:
                    best = (w, streak, updates)
                if streak == len(y):
                    return best
                continue
            w, streak, updates = w + label * x, 0, updates + 1
            if updates == max_updates:
                return best


def test_a_loop_as_students_write_it_is_named():
    assert solution.longest_streak(ends_directly_after_the_last_update).mistake == "last_streak_forgotten"


def problems(report):
    return [case.problem.id if case.problem else None for case in report.cases]


@pytest.mark.usefixtures("few_runs")
def test_wrong_numbers_are_named():
    solved, _ = run(NAME, "B1")
    y, best = solved["y"], solved["own_streak"]
    got = [best[0], best[1], 40 - best[2], 40 - best[3]]
    assert problems(solution.own_streak("B1", solved["longest_streak"], got)) == [None, None, "right", "right"]
    every = np.mean([walk.errors.mean() for walk in solved["runs"]]) / len(y)
    r, a = solved["rivals"], solved["average_errors"]
    got = [r[1], r[0], 1 - r[2], 100 * r[3], every, r[5], np.mean(a <= solved["pocket_errors"])]
    assert problems(solution.rivals("B1", got)) == ["other", "other", "complement", "percent", "all_ws", None, "ties"]
    first, chosen = solved["first"], solved["chosen"]
    assert problems(solution.gains("B1", [first[chosen].mean(), -solved["gains"][1]])) == ["chosen", "sign"]
    wrong, plus = solved["wrong"], solved["real_test"].y == 1
    on_train = len(hypothesis.mistakes(solved["rule"].w, solved["scaled_train"], solved["real_train"].y)) / 900
    got = [1 - solved["real_rates"][0], on_train, np.mean(wrong & plus), np.mean(wrong[plus])]
    assert problems(solution.real_rates("B1", "credit", got)) == ["complement", "train", "of_all", "other_label"]


# --- Part marks ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few_runs")
def test_a_slip_costs_its_part_and_what_follows_from_it_nothing():
    solved, _ = run(NAME, "B1")
    streak, t, *others = solved["own_streak"]
    t_from_one = solution.longest_streak.task.mistakes[-1].versions[0]
    slip = {"longest_streak": t_from_one, "own_streak": [streak, t + 1, *others]}
    slip["gains"] = [solved["gains"][0], ...]
    marks = marks_of(NAME, {**solved, **slip})
    assert (marks.pop("test-longest-streak"), marks.pop("test-gains")) == (20 - 5, 4 - 2)
    assert list(marks.values()) == [4, 8, 10, 8, 8]


@pytest.mark.parametrize(
    ("X", "y", "marks", "mistake"),
    [
        ([[-3, 1], [-2, 2]], [-1, 1], 10, None),
        ([[3, 2], [2, 0]], [-1, 1], 7, "other_updates"),  # after two of them
        ([[1, 0], [-1, 0]], [1, -1], 0, "pocket_wins"),  # the pocket is perfect
        ([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1], 0, "pocket_wins"),
    ],
)
def test_data_that_refute_the_sentence_earn_points(X, y, marks, mistake):
    report = hw3_data.average_wins(lambda: (X, y))
    assert (report.marks(10), report.mistake) == (marks, mistake)


# --- What the text says ----------------------------------------------------------------------------------------------


def test_the_walk_of_the_model_answer_is_as_it_says():
    X, y = np.array([[-3.0, 1.0], [-2.0, 2.0]]), np.array([-1, 1])
    walk = learning.pocket(X, y, order="cyclic", max_updates=10)
    assert [hypothesis.mistakes(w, X, y).tolist() for w in walk.weights] == [[1], [0]] * 5 + [[1]]
    assert walk.weights[:5].tolist() == [[0, 0, 0], [1, -2, 2], [0, 1, 1], [1, -1, 3], [0, 2, 2]]
    total = walk.weights.sum(axis=0)
    assert (total.tolist(), hypothesis.scores(total, X).tolist()) == ([5, 15, 35], [-5, 45])


def test_one_pair_of_small_whole_numbers_in_a_hundred_will_do():
    pairs = [np.reshape(pair, (2, 2)) for pair in itertools.product(np.arange(-3.0, 4.0), repeat=4)]
    wins = sum(np.diff(hw3_data._mistakes_after(10, X, np.array([-1, 1]))).item() < 0 for X in pairs)
    assert round(len(pairs) / wins) == 100


def test_the_loop_of_the_example_is_where_the_text_says():
    X, y = np.array([[0.0], [2.0], [-3.0], [3.0]]), np.array([-1, -1, 1, 1])
    path = learning.pocket(X, y, order="cyclic", max_updates=11).weights.tolist()
    assert [path[:s].count(w) for s, w in enumerate(path)] == [0] * 11 + [1]
    assert path[3] == path[11]

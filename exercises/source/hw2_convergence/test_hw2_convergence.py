"""Homework 2: everyone's data are fit, the sentences of text and model answers are true, wrong numbers are named."""

from functools import cache

import numpy as np
import pytest

from exercises.source.hw2_convergence import hw2_data, solution
from exercises.source.hw2_convergence.hw2_data import people_of
from plahelpers import guarantee, hypothesis, learning
from tests.homework.assignments import in_this_process, marks_of, run

NAME = "hw2_convergence"
enclose, losses, careful_pla, back = (check.task.right for check in solution.CHECKS)


@cache
def of(student):
    """X, y, the run of PLA, and the largest margin's w_f and ρ."""
    X, y = people_of(student)
    return X, y, learning.pla(X, y), guarantee.separate(X, y)


@pytest.fixture(params=["B00000000", "B00000007"])
def student(request):
    return request.param


@pytest.fixture(autouse=True)
def _here():
    with in_this_process():
        yield


# --- The data --------------------------------------------------------------------------------------------------------


def test_data_are_fit(student):
    X, y, walk, best = of(student)
    assert X.shape == (25, 2)
    assert (np.round(8 * X) == 8 * X).all()  # so every score is exact
    assert walk.halted
    assert 100 <= walk.updates <= 2500
    assert 0 < guarantee.margin(X, y, walk.w) < best.rho / 2
    assert walk.w @ walk.w < 0.5 * walk.updates * guarantee.radius(X) ** 2  # "much shorter"


def test_the_data_of_an_id_never_change():
    assert of("example")[0][:2].tolist() == [[45.5, 3.5], [48.375, 2.375]]  # old homework must stay gradable


# --- What is asked to be proved, and what the model answers say ------------------------------------------------------


def test_every_step_of_a_run_limits_the_largest_margin_from_above_also_when_it_corrects_what_is_right(student):
    X, y, walk, best = of(student)
    rows = y[:, np.newaxis] * hypothesis.with_bias(X)
    at_random = np.cumsum(rows[np.random.default_rng(1).integers(25, size=1000)], axis=0)
    for weights in (walk.weights[1:], at_random):
        assert best.rho <= (np.linalg.norm(weights, axis=1) / np.arange(1, len(weights) + 1)).min()
    assert best.rho <= guarantee.radius(X)  # the example of a proof


def test_what_line_3_2_loses_is_never_negative_and_adds_up(student):
    X, y, walk, _ = of(student)
    short, gross = losses(X, y, walk.weights, walk.picks)
    assert min(short.min(), gross.min()) >= 0
    growth = np.diff((walk.weights**2).sum(axis=1))
    assert (short + gross).tolist() == ((1 + (X**2).sum(axis=1)).max() - growth).tolist()


def test_the_distance_falls_at_every_update_beyond_the_limit_for_alpha_and_the_angle_does_not(student):
    X, _, walk, best = of(student)
    assert (np.diff(guarantee.proof_trace(walk, best.w_f).cosine[1:]) < -1e-4).any()
    limit = guarantee.radius(X) ** 2 / (2 * best.rho)
    for alpha in (1.001 * limit, 2 * limit, 100 * limit):
        assert (np.diff(((walk.weights - alpha * best.w_f) ** 2).sum(axis=1)) < 0).all()


def test_careful_pla_keeps_its_promises(student):
    X, y, _, best = of(student)
    w, updates = careful_pla(X, y, 3000)
    bound = guarantee.radius(X) ** 2 + 2 * 3000
    assert (y * hypothesis.scores(w, X) > 3000).all()
    assert 1000 < updates <= bound / best.rho**2  # "thousands"
    assert np.linalg.norm(w) <= bound / best.rho
    assert guarantee.margin(X, y, w) > max(3000 / bound, 2 / 3) * best.rho
    assert 0.3 < 3000 / bound < 0.36  # "about a third"


def test_careful_pla_with_b_0_is_not_pla_because_it_ends_strictly_right():
    X, y = np.array([[0.0], [1.0]]), np.array([-1, 1])
    assert (y * hypothesis.scores(learning.pla(X, y).w, X)).min() == 0
    assert (y * hypothesis.scores(careful_pla(X, y, 0)[0], X)).min() > 0


def test_standardising_shrinks_the_radius_and_the_way_back_keeps_every_score_but_not_the_margin(student):
    X, y, walk, best = of(student)
    mean, std = X.mean(axis=0), X.std(axis=0)
    S = (X - mean) / std
    after = guarantee.separate(S, y)
    assert 51 < guarantee.radius(X) < 61
    assert 2 < guarantee.radius(S) < 3
    assert 450 < (guarantee.radius(X) / guarantee.radius(S)) ** 2 < 800
    assert 0.5 < after.rho / best.rho < 2
    assert learning.pla(S, y).updates < walk.updates / 5
    w = back(after.w_f, mean, std)
    np.testing.assert_allclose(hypothesis.scores(w, X), hypothesis.scores(after.w_f, S))
    assert 0 < guarantee.margin(X, y, w) <= best.rho * (1 + 1e-9)
    assert abs(guarantee.margin(X, y, w) - after.rho) > 1e-3


# --- Marks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "y", "marks", "mistake"),
    [
        ([[-2 / 21, 0], [10, 0], [11, 0]], [1, 1, -1], 10, None),
        ([[0, 5], [5, -1], [5, 0]], [1, -1, 1], 7, "not_extreme"),  # of Exercise 2.3: 1 and 53 updates
        ([[101, 0], [100, 0], [-60, 0]], [1, -1, -1], 7, "not_extreme"),  # 1,834 and 20,102
        ([[-2 / 3, 0], [1, 0], [2, 0]], [1, 1, -1], 3, "not_extreme"),  # 1 and 8
        ([[11, 0], [10, 0], [-2 / 21, 0]], [-1, 1, 1], 0, "not_slower"),
        ([[1, 0], [-1, 0]], [1, -1], 0, "not_slower"),
        ([[0, 0], [1, 1], [2, 2]], [1, -1, 1], 0, "not_separable"),
    ],
)
def test_two_orders_earns_points_for_what_its_data_show(X, y, marks, mistake):
    report = hw2_data.two_orders(lambda: (X, y))
    assert (report.marks(10), report.mistake) == (marks, mistake)


def test_known_wrong_numbers_are_wrong_for_everyone_and_named(student):
    X, y, walk, best = of(student)
    R, T, low = guarantee.radius(X), walk.updates, guarantee.margin(X, y, walk.w)
    short, gross = (part.sum() for part in losses(X, y, walk.weights, walk.picks))
    S, S_ddof = ((X - X.mean(axis=0)) / X.std(axis=0, ddof=ddof) for ddof in (0, 1))
    wrong = [
        (solution.enclosed(student, enclose, [best.rho, np.linalg.norm(walk.w) / T]), "largest", "last_only"),
        (solution.lost(student, losses, [short / R**2, gross / T / R**2 / 2]), "undivided", "factor"),
        (solution.alpha_limit(student, R**2 / best.rho), "theorem"),
        (solution.alpha_limit(student, R**2 / (2 * low)), "last_w"),
        (solution.rho_careful(student, careful_pla, 3000 * best.rho / (R**2 + 6000)), "promise"),
        (solution.after(student, [guarantee.radius(S_ddof), guarantee.separate(S_ddof, y).rho]), "ddof", "ddof"),
        (solution.after(student, [R, guarantee.margin(S, y, learning.pla(S, y).w)]), "original", "last_w"),
    ]
    for report, *names in wrong:
        assert [case.problem.id for case in report.cases] == names


def test_a_slip_costs_its_share_and_what_follows_from_it_is_right():
    namespace, _ = run(NAME, "example")
    full = marks_of(NAME, namespace)
    assert sum(full.values()) == 66
    last_only = solution.enclose.task.mistakes[0].versions[0]
    X, y, walk, _ = of("example")
    slip = {"enclose": last_only, "enclosed": list(last_only(X, y, walk.weights))}
    marks = marks_of(NAME, {**namespace, **slip})
    assert {name: marks[name] for name in full if marks[name] != full[name]} == {"test-enclose": 3.0}

"""Homework 2: what its text and its model answers say is true for every student, and its examples tell mistakes."""

import json
import re
from functools import cache
from math import fsum
from pathlib import Path

import numpy as np
import pytest

from exercises.grader.judge import run_test
from plahelpers import checks, guarantee, homework, hypothesis, learning
from plahelpers.checks import homework2
from plahelpers.checks.report import recording
from plahelpers.checks.task import Endless

SOURCE = Path(__file__).resolve().parents[2] / "exercises" / "source" / "hw2_convergence" / "hw2_convergence.ipynb"
CELLS = {cell["id"]: "".join(cell["source"]) for cell in json.loads(SOURCE.read_text("utf-8"))["cells"]}
IDS = ["B12902001", "王小明", "example"]
B = 3000.0  # of careful PLA on one's own data


@cache
def of(student):
    """X, y, the run of PLA and the largest margin's w_f and ρ."""
    X, y = homework.hw2(student)
    return X, y, learning.pla(X, y), guarantee.separate(X, y)


@pytest.mark.parametrize("student", IDS)
def test_the_data_are_fit_and_come_without_a_w_f(student):
    data = homework.hw2(student)
    X, y, run, best = of(student)
    assert (data.w_f, X.shape, run.halted) == (None, (25, 2), True)
    assert 8 <= np.count_nonzero(y == 1) <= 17
    assert (np.round(8 * X) == 8 * X).all()
    assert 200 <= run.updates <= (guarantee.radius(X) / best.rho) ** 2 <= 30_000
    assert 0.002 < guarantee.margin(X, y, run.w) < best.rho / 2


# --- What is asked to be proved, and what the model answers say ------------------------------------------------------


@pytest.mark.parametrize("student", IDS)
def test_every_step_of_a_run_limits_the_largest_margin_from_above_also_when_it_corrects_what_is_right(student):
    X, y, run, best = of(student)
    rows = y[:, np.newaxis] * hypothesis.with_bias(X)
    at_random = np.cumsum(rows[np.random.default_rng(1).integers(25, size=1000)], axis=0)
    for weights in (run.weights[1:], at_random):
        assert best.rho <= (np.linalg.norm(weights, axis=1) / np.arange(1, len(weights) + 1)).min()


def test_a_run_that_comes_back_to_zero_is_on_data_that_are_not_separable():
    X, y = [[1.0, 1.0], [1.0, 1.0]], [1, -1]
    with pytest.warns(learning.BudgetWarning):
        run = learning.pla(X, y, max_updates=2)
    assert run.weights.tolist() == [[0, 0, 0], [1, 1, 1], [0, 0, 0]]
    assert not guarantee.separate(X, y).separable


@pytest.mark.parametrize("student", IDS)
def test_what_line_3_2_loses_adds_up_and_is_exact_on_everyones_data(student):
    X, y, run, _ = of(student)
    squares = 1 + (X**2).sum(axis=1)
    short, gross = homework2.losses.task.right(X, y, run.weights, run.picks)
    assert min(short.min(), gross.min()) == 0
    growth = [fsum(w**2) for w in run.weights]  # fsum makes one rounding in all
    assert growth == (run.weights**2).sum(axis=1).tolist()
    assert (short + gross).tolist() == (squares.max() - np.diff(growth)).tolist()


@pytest.mark.parametrize("student", IDS)
def test_the_gains_of_one_example_differ_by_rounding_and_by_no_more_than_the_model_answer_says(student):
    _, _, run, best = of(student)
    most = np.bincount(run.picks).argmax()
    gains = np.diff(run.weights @ best.w_f)
    assert 0 < np.ptp(gains[run.picks == most]) < 1e-12
    assert (gains >= best.rho - 1e-9).all()


@pytest.mark.parametrize("student", IDS)
def test_the_angle_grows_somewhere_and_the_distance_falls_everywhere_beyond_the_limit_for_alpha(student):
    X, _, run, best = of(student)
    assert (np.diff(guarantee.proof_trace(run, best.w_f).cosine[1:]) < -1e-4).any()
    limit = guarantee.radius(X) ** 2 / (2 * best.rho)
    for alpha in (1.001 * limit, 2 * limit, 100 * limit):
        assert (np.diff(((run.weights - alpha * best.w_f) ** 2).sum(axis=1)) < 0).all()


@pytest.mark.parametrize("student", IDS)
def test_careful_pla_keeps_its_promises(student):
    X, y, _, best = of(student)
    w, updates = homework2.careful_walk(X, y, B)
    bound = guarantee.radius(X) ** 2 + 2 * B
    assert (y * hypothesis.scores(w, X) > B).all()
    assert updates <= bound / best.rho**2
    assert np.linalg.norm(w) <= bound / best.rho
    assert guarantee.margin(X, y, w) > B * best.rho / bound
    assert guarantee.margin(X, y, w) > 2 / 3 * best.rho
    assert 0.3 < B / bound < 0.34  # about a third


def test_careful_pla_with_b_0_ends_strictly_right_where_pla_itself_does_not():
    X, y = np.array([[0.0], [1.0]]), np.array([-1, 1])
    assert (y * hypothesis.scores(learning.pla(X, y).w, X)).min() == 0
    assert (y * hypothesis.scores(homework2.careful_walk(X, y, 0)[0], X)).min() > 0


@pytest.mark.parametrize("student", IDS)
def test_standardising_shrinks_the_radius_and_the_way_back_keeps_every_score_but_not_the_margin(student):
    X, y, run, best = of(student)
    mean, std = X.mean(axis=0), X.std(axis=0)
    Z = (X - mean) / std
    after = guarantee.separate(Z, y)
    assert guarantee.radius(X) > 50
    assert 2 < guarantee.radius(Z) < 3
    assert 0.5 < after.rho / best.rho < 2
    assert guarantee.update_bound(X, y) > 100 * guarantee.update_bound(Z, y)
    assert learning.pla(Z, y).updates <= run.updates / 5
    w = homework2.back.task.right(after.w_f, mean, std)
    np.testing.assert_allclose(hypothesis.scores(w, X), hypothesis.scores(after.w_f, Z))
    assert 0 < guarantee.margin(X, y, w) <= best.rho * (1 + 1e-9)
    assert abs(guarantee.margin(X, y, w) - after.rho) > 1e-3


# --- The worked examples tell mistakes apart -------------------------------------------------------------------------


def examples():
    """(check, arguments) of every call in the text, by the name of the function that is called."""
    space, calls = {"np": np}, {}
    for text in CELLS.values():
        for setting in re.findall(r"(?m)^\w[\w, ]* = np\.array\(.+$", text):
            exec(setting, space)
        for name, arguments in re.findall(r"(?m)^(\w+)\((.+)\) +# → ", text):
            calls.setdefault(name, []).append(eval(f"({arguments},)", space))
    return calls


def gives_the_same(task, version, case):
    try:
        answer = task.parse(version(*case))
    except Endless:
        return False
    right = task.parse(task.right(*case))
    return answer.keys() == right.keys() and all(np.array_equal(answer[name], right[name]) for name in right)


def test_every_known_mistake_but_a_large_number_of_passes_comes_out_differently_in_an_example_of_the_text():
    calls = examples()
    assert set(calls) == {"enclose", "losses", "careful_pla", "back"}
    for name, cases in calls.items():
        task = getattr(checks, name).task
        unseen = {
            known.id
            for known in task.mistakes
            for version in known.versions
            if all(gives_the_same(task, version, case) for case in cases)
        }
        assert unseen == ({"fixed_passes"} if name == "careful_pla" else set())


# --- Points that follow from one's own functions ---------------------------------------------------------------------


def points(test, **names):
    """What a hidden test gives, as a fraction of its points: its last line is a number, or it raises."""
    hidden = CELLS[test].partition("### BEGIN HIDDEN TESTS\n")[2].partition("\n### END")[0]
    with recording() as reports:
        try:
            marks = run_test(hidden, {"student": "example", **names})
        except checks.NotPassedError as error:
            return 0, error.report
    (report, worth) = reports[-1]
    return (1, None) if marks is None else (marks / sum(worth), report)


def version(check, mistake):
    return next(known.versions[0] for known in getattr(checks, check).task.mistakes if known.id == mistake)


def wrong_versions(check):
    return [known.versions[0] for known in getattr(checks, check).task.mistakes]


def test_a_number_that_follows_from_a_wrong_function_gets_its_points_whatever_the_mistake():
    X, y, run, _ = of("example")
    for enclose in wrong_versions("enclose"):
        fraction, _ = points("test-enclosed", enclose=enclose, enclosed=list(enclose(X, y, run.weights)))
        assert fraction == 1
    total = run.updates * guarantee.radius(X) ** 2
    for losses in wrong_versions("losses"):
        lost = [part.sum() / total for part in losses(X, y, run.weights, run.picks)]
        assert points("test-lost", losses=losses, lost=lost)[0] == 1


def test_a_number_that_follows_from_a_wrong_function_says_so():
    X, y, run, _ = of("example")
    enclose = version("enclose", "first_only")
    _, report = points("test-enclosed", enclose=enclose, enclosed=list(enclose(X, y, run.weights)))
    assert (report.given, report.followed) == (("enclose",), ("high",))

    def strict(X, y, b):
        return homework2.careful_walk(X, y, b - 1 / 64)  # all scores are multiples of 1/64

    rho = guarantee.margin(X, y, strict(X, y, B)[0])
    assert points("test-rho-careful", careful_pla=strict, rho_careful=rho)[0] == 1


def test_a_function_that_is_no_attempt_gives_no_points_to_what_follows_from_it():
    X, y, _, _ = of("example")
    w = np.array([0.0, 1.0, 0.0])  # leaves mistakes
    cases = {
        "test-enclosed": {"enclose": lambda *_: (0.5, 0.7), "enclosed": [0.5, 0.7]},
        "test-lost": {"losses": lambda *_: ([1.0], [1.0]), "lost": [0.0, 0.0]},
        "test-rho-careful": {"careful_pla": lambda *_: (w, 1), "rho_careful": guarantee.margin(X, y, w)},
    }
    for test, names in cases.items():
        fraction, report = points(test, **names)
        assert (fraction, report.given) == (0, ()), test


def test_a_constant_beside_an_attempt_gives_no_points():
    X, y, run, _ = of("example")
    _, high = homework2.enclose.task.right(X, y, run.weights)
    fraction, report = points("test-enclosed", enclose=lambda *_: (0.5, high), enclosed=[0.5, high])
    assert (fraction, report.parts) == (0.5, {"low": False, "high": True})


def test_half_of_a_pair_gets_half_of_the_points():
    X, y, run, _ = of("example")
    low, high = homework2.enclose.task.right(X, y, run.weights)
    fraction, report = points("test-enclosed", enclose=lambda *_: None, enclosed=[low, 2 * high])
    assert (fraction, report.parts) == (0.5, {"low": True, "high": False})

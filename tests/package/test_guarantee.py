"""What can be promised: separability with proof, the bound and its proof, the best line."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.svm import SVC

from plahelpers import mistakes, pla
from plahelpers.datasets import credit, noisy, noisy_running_example, running_example, separable, spam, textbook_example
from plahelpers.guarantee import best_line, margin, proof_trace, radius, separate, update_bound
from plahelpers.hypothesis import with_bias
from tests import oracles
from tests.oracles import any_data, orders, seeds, separable_data, signs_of_zero, small_integers

TARGET = [-1.0, 2.0, -1.0]


# --- separate --------------------------------------------------------------------------------------------------------


def proves_conflict(answer, X, y):
    """Check the certificate from its definition, and without rounding."""
    examples, weights = answer.conflict.examples, answer.conflict.weights
    return (
        answer.w_f is None
        and answer.rho is None
        and len(examples) <= X.shape[1] + 2
        and (weights > 0).all()
        and weights.sum() == pytest.approx(1)
        and np.allclose((weights * y[examples]) @ with_bias(X)[examples], 0, atol=1e-9 * radius(X))
        and oracles.adds_up_to_nothing(X, y, examples)
    )


def proves(answer, X, y):
    if not answer.separable:
        return proves_conflict(answer, X, y)
    w = [Fraction(entry) for entry in answer.w_f.tolist()]
    scores = [sum(a * Fraction(b) for a, b in zip(w, [1.0, *x], strict=True)) for x in X.tolist()]
    return answer.conflict is None and all(label * score > 0 for label, score in zip(y, scores, strict=True))


@pytest.mark.slow
@given(any_data(max_N=12, max_d=4))
@settings(max_examples=80)
def test_separate_agrees_with_a_linear_program_and_proves_its_answer(data):
    X, y = data
    answer = separate(X, y)
    assert answer.separable == oracles.separable_by_lp(X, y)
    assert proves(answer, X, y)


@st.composite
def nearly_collinear(draw):
    """Points of a line, moved off it by a few of the last bits: floats alone cannot tell."""
    steps = draw(st.lists(st.integers(1, 30), min_size=2, max_size=6))
    X = np.array([[0.1 * k, 0.3 * k] for k in steps])
    nudges = draw(st.lists(st.integers(-2, 2), min_size=len(X), max_size=len(X)))
    X[:, 1] *= 1 + np.array(nudges) * 2.0**-52
    return X, np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X))))


@given(nearly_collinear())
@settings(max_examples=60)
def test_separate_is_right_to_the_last_bit(data):
    X, y = data
    answer = separate(X, y)
    assert answer.separable == oracles.separable_exactly(X, y)
    if answer.separable:
        assert answer.rho > 0
        # w_f itself is rounded: here its sides are right up to the last bits only
        assert (y * (with_bias(X) @ answer.w_f) > -1e-14 * radius(X)).all()
    else:
        assert proves_conflict(answer, X, y)


@given(separable_data(), st.data())
def test_no_w_has_a_larger_margin_than_w_f(data, draw):
    X, y, w_f = data
    best = separate(X, y)
    slack = 1e-9 * radius(X)
    assert best.rho == pytest.approx(margin(X, y, best.w_f), rel=1e-12)
    assert margin(X, y, w_f) <= best.rho + slack
    other = np.array(draw.draw(st.lists(small_integers, min_size=len(w_f), max_size=len(w_f)).filter(any)), dtype=float)
    assert margin(X, y, other) <= best.rho + slack


@pytest.mark.parametrize("far", [1e4, 1e11])
def test_examples_far_away_do_not_blur_the_margin(far):
    """Two examples far out on the right sides change nothing about the best line between the near ones."""
    near = np.array([[0.0, 1.0], [1.0, 2.0], [3.0, 0.5], [2.0, 4.0], [1.0, 4.5], [3.0, 5.0]])
    labels = [1, 1, 1, -1, -1, -1]
    alone = separate(near, labels)
    answer = separate(np.vstack([near, [[0, -far], [0, far]]]), [*labels, 1, -1])
    assert answer.rho == pytest.approx(alone.rho, rel=1e-9)


def test_too_many_columns_for_a_proof_or_for_the_best_line_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"X has 300 columns.*takes too long beyond 128"):
        separate(rng.normal(size=(1300, 300)), rng.choice([-1, 1], 1300))
    with pytest.raises(ValueError, match=r"X has 3 columns.*pocket\(X, y\)"):
        best_line(np.zeros((2, 3)), [1, -1])


def test_w_f_is_the_support_vector_machines():
    """A linear SVM through the origin of the biased space, asked to make no compromise, finds the same plane."""
    X, y = separable(80, d=3, margin=0.1, rng=5)
    Z = np.vstack([y[:, None] * with_bias(X), -y[:, None] * with_bias(X)])  # z and −z: its own bias becomes 0
    model = SVC(kernel="linear", C=1e9, tol=1e-10).fit(Z, np.repeat([1, -1], len(y)))
    np.testing.assert_allclose(model.coef_[0] / np.linalg.norm(model.coef_[0]), separate(X, y).w_f, atol=1e-5)


@pytest.mark.parametrize("make", [credit, spam, lambda: noisy(20_000, d=10, noise=2e-4, rng=1)])
def test_real_and_large_noisy_data_are_not_separable_and_here_is_why(make):
    X, y = make()
    examples = separate(X, y).conflict.examples
    assert len(examples) <= X.shape[1] + 2
    assert not oracles.separable_by_lp(X[examples], y[examples])


def test_an_answer_is_a_sentence():
    X, y = running_example()
    assert repr(separate(X, y)) == (
        "Linearly separable: w_f = (-0.69, 0.67, -0.27) gets every example right, with margin rho = 0.58"
    )
    assert repr(separate([[0.0], [1.0], [2.0]], [1, -1, 1])) == (
        "Not linearly separable. Examples 0, 1, 2 cannot all be right: weighted by (0.25, 0.5, 0.25), "
        "their y·x add up to 0"
    )
    assert repr(best_line(*noisy_running_example())).startswith("The best line makes 2 mistakes on 20 examples; w = (")


# --- the proof -------------------------------------------------------------------------------------------------------


@given(separable_data(), orders, signs_of_zero, seeds, st.sampled_from([0.25, 1.0, 3.0]), st.data())
def test_the_three_inequalities_hold_at_every_t_and_t_stays_below_the_bound(data, order, zero, seed, eta, draw):
    X, y, w_f = data
    start = draw.draw(st.none() | st.lists(small_integers, min_size=len(w_f), max_size=len(w_f)))
    run = pla(X, y, start=start, eta=eta, order=order, sign_of_zero=zero, rng=seed, max_updates=1_000_000)
    for target in (w_f, separate(X, y).w_f):
        trace = proof_trace(run, target)
        rounding = 1e-9 * (1 + np.abs(trace.inner).max() + trace.norm_squared_bound.max())
        assert (trace.inner >= trace.inner_bound - rounding).all()
        assert (trace.norm_squared <= trace.norm_squared_bound + rounding).all()
        assert not (trace.cosine < trace.cosine_bound - 1e-9).any()  # NaN where w = 0 has no angle
        assert not (trace.cosine > 1 + 1e-9).any()
        assert run.updates <= (trace.bound + 1e-6 if start else trace.bound * (1 + 1e-9))
        if start is None:
            assert not np.isnan(trace.cosine[1:]).any()
            assert trace.bound == pytest.approx(update_bound(X, y, target), rel=1e-9)


def test_a_start_against_w_f_promises_nothing_about_the_angle_until_line_1_is_positive():
    trace = proof_trace(pla(*running_example(), start=[10, -20, 10], eta=0.25), TARGET)  # start = −10 w_f
    assert trace.cosine[0] == pytest.approx(-1)
    assert (trace.inner_bound < 0).all()
    assert (trace.cosine_bound == -1).all()


def test_the_bound_is_a_number_wherever_the_run_begins():
    along_w_f = pla([[-1.0]], [1], start=[5, 2], eta=3.0), [5, 2]  # nothing is left to do
    far_out = pla([[2.0], [-1.0]], [1, -1], start=[1e10, 3e10]), [1, 3]
    large = pla([[1e70]], [1], eta=1e10), [0, 1]
    for run, w_f in (along_w_f, far_out, large):
        assert run.updates <= proof_trace(run, w_f).bound * (1 + 1e-9) < np.inf


def test_the_bound_from_elsewhere_is_where_the_two_curves_meet():
    X, y = running_example()
    start = np.array([3.0, -2.0, 1.0])
    trace = proof_trace(pla(X, y, start=start, eta=0.5), TARGET)
    length = np.linalg.norm(TARGET)
    along = (start @ TARGET) / length + trace.bound * 0.5 * trace.rho
    assert along == pytest.approx(np.sqrt(start @ start + trace.bound * 0.25 * trace.R**2), rel=1e-9)


def test_no_update_at_all_is_traced_too():
    X, y = textbook_example()
    run = pla(X, y, start=[-3, 1, 1])
    trace = proof_trace(run, [-3, 1, 1])
    assert (trace.T, len(trace.t)) == (0, 1)
    assert repr(trace).startswith("no updates, at most from this start ")
    # R² = 1 + 16 + 9 = 26 at (4, 3), and rho = 1/√11 at (1, 1)
    assert repr(proof_trace(pla(X, y), [-3, 1, 1])).endswith("updates, at most R²/rho² = 286 (R = 5.1, rho = 0.3)")


def test_where_there_is_no_bound_the_reason_is_said():
    X, y = running_example()
    with pytest.raises(ValueError, match=r"this one has example \d+ on the wrong side"):
        proof_trace(pla(X, y), [1, -2, 1])
    with pytest.raises(ValueError, match="on its line"):
        update_bound([[1.0], [2.0]], [-1, 1], [-1, 1])
    with pytest.raises(ValueError, match="w_f is 0"):
        margin(X, y, [0, 0, 0])
    with pytest.raises(ValueError, match="no bound on the updates: Not linearly separable"):
        update_bound(*noisy_running_example())


# --- best_line -------------------------------------------------------------------------------------------------------


@given(any_data(max_N=7, max_d=2))
@settings(max_examples=60)
def test_the_best_line_is_as_good_as_brute_force_finds(data):
    X, y = data
    best = best_line(X, y)
    assert best.mistakes == oracles.fewest_mistakes_by_brute_force(X, y)
    for zero in (-1, 0, 1):  # no example lies on the line, so that no convention matters
        assert len(mistakes(best.w, X, y, sign_of_zero=zero)) == best.mistakes


@given(any_data(max_N=8, max_d=2), st.integers(-200, 200), st.integers(-200, 200))
def test_scaling_columns_changes_no_best_line(data, first, second):
    X, y = data
    scaled = X * np.ldexp(1.0, np.array([first, second])[: X.shape[1]])
    best = best_line(scaled, y)
    assert best.mistakes == best_line(X, y).mistakes == len(mistakes(best.w, scaled, y))


def test_points_on_a_grid_are_swept_over_together():
    grid = np.array([[i, j] for i in range(5) for j in range(5)], dtype=float)
    y = np.where(grid.sum(axis=1) % 2 == 0, 1, -1)  # a chessboard
    best = best_line(grid, y)
    # A line takes a stretch of each of the 5 rows, so each row of alternating colours keeps at least 2 mistakes.
    assert best.mistakes >= 10
    assert best.mistakes == len(mistakes(best.w, grid, y))
    # Scaled to tenths the points are off the grid by rounding only; no line of floats can use that.
    assert best_line(grid / 10 + 0.1, y).mistakes == best.mistakes

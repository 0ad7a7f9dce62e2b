"""h(x) = sign(wᵀx): scores, predictions and mistakes."""

import numpy as np
import oracles
import pytest
from hypothesis import given, strategies as st
from oracles import any_data, signs_of_zero, small_integers
from sklearn.metrics import zero_one_loss

from plahelpers import disagreement, error_rate, is_mistake, mistakes, predict, scores, sign, with_bias


def test_the_bias_column_is_a_one_in_front():
    assert with_bias([[2, 3], [4, 5]]).tolist() == [[1, 2, 3], [1, 4, 5]]


def test_with_no_features_only_the_bias_is_left():
    assert with_bias(np.empty((3, 0))).tolist() == [[1], [1], [1]]


@pytest.mark.parametrize("zero", [-1, 0, 1])
def test_the_sign_of_zero_is_what_one_says_it_is(zero):
    assert sign([-2.5, 0.0, -0.0, 0.1], zero).tolist() == [-1, zero, zero, 1]
    assert sign(0.0, zero) == zero


def test_a_point_on_the_line_is_predicted_minus_one_by_default():
    assert predict([0, 1, -1], [[2, 2]]).tolist() == [-1]


@given(any_data(min_d=1), st.data())
def test_a_threshold_is_minus_w0(data, draw):
    X, _ = data
    weights = np.array(draw.draw(st.lists(small_integers, min_size=X.shape[1], max_size=X.shape[1])), dtype=float)
    threshold = draw.draw(small_integers)
    approve = np.where(X @ weights > threshold, 1, -1)
    assert predict([-threshold, *weights], X).tolist() == approve.tolist()


@given(any_data(), st.data(), st.integers(1, 1000))
def test_scaling_w_changes_no_answer(data, draw, factor):
    X, _ = data
    w = np.array(draw.draw(st.lists(small_integers, min_size=X.shape[1] + 1, max_size=X.shape[1] + 1)), dtype=float)
    assert predict(w, X).tolist() == predict(factor * w, X).tolist()


@given(any_data(), st.data(), signs_of_zero)
def test_mistakes_are_those_of_the_definition(data, draw, zero):
    X, y = data
    w = draw.draw(st.lists(small_integers, min_size=X.shape[1] + 1, max_size=X.shape[1] + 1))
    wrong = oracles.textbook_mistakes(w, X.tolist(), y, zero)
    assert mistakes(w, X, y, sign_of_zero=zero).tolist() == wrong
    assert error_rate(w, X, y, sign_of_zero=zero) == len(wrong) / len(y)
    assert [n for n in range(len(y)) if is_mistake(w, X[n], y[n], sign_of_zero=zero)] == wrong


def test_the_error_rate_is_scikit_learns_zero_one_loss():
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(300, 5)), rng.normal(size=6)
    y = rng.choice([-1, 1], 300)
    assert error_rate(w, X, y) == pytest.approx(zero_one_loss(y, predict(w, X)))


def test_one_example_gets_one_answer():
    assert predict([-1, 2], [3.0]) == 1
    assert predict([-7, 2], [3.0]) == -1


def test_scores_are_inner_products_with_the_biased_x():
    rng = np.random.default_rng(1)
    X, w = rng.normal(size=(10_000, 3)), rng.normal(size=4)  # more rows than are handled at once
    np.testing.assert_allclose(scores(w, X), with_bias(X) @ w, rtol=1e-12, atol=1e-12)


def test_scores_are_added_up_as_the_loops_do_to_the_last_bit():
    from plahelpers import _loops

    rng = np.random.default_rng(2)
    X, w = rng.normal(size=(5000, 7)) * 10.0 ** rng.integers(-9, 9, 7), rng.normal(size=8)
    assert scores(w, X).tobytes() == np.array([_loops.score(w, X, n) for n in range(len(X))]).tobytes()


# --- disagreement ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("w1", "w2", "share"),
    [
        ([0, 1, 0], [0, 0, 1], 1 / 2),  # the two axes: opposite quarters
        ([0, 1, 0], [0, -1, 0], 1),  # opposite answers everywhere
        ([0, 1, 0], [0, 7, 0], 0),  # the same line
        ([0, 1], [-0.5, 1], 1 / 4),  # thresholds 0 and ½ on [−1, 1]
        ([0, 0, 0], [1, 0, 0], 1),  # all −1 against all +1
        ([0, 0, 0], [0, 1, 1], 1 / 2),
        ([-9, 1, 1], [-1, 0, 0], 0),  # a line outside the box says −1 on all of it
    ],
)
def test_disagreement_of_lines_whose_areas_are_known(w1, w2, share):
    assert disagreement(w1, w2) == pytest.approx(share, abs=1e-12)


def test_disagreement_is_what_counting_random_points_says():
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 3, (200_000, 2))
    for w1, w2 in rng.normal(size=(20, 2, 3)):
        counted = np.mean(predict(w1, X) != predict(w2, X))
        # five standard deviations of a mean of 200,000 draws
        assert disagreement(w1, w2, low=-2, high=3) == pytest.approx(counted, abs=5 * 0.5 / np.sqrt(200_000))


@given(st.lists(st.floats(-10, 10), min_size=6, max_size=6))
def test_disagreement_is_symmetric_and_a_probability(entries):
    w1, w2 = entries[:3], entries[3:]
    there, back = disagreement(w1, w2), disagreement(w2, w1)
    assert 0 <= there <= 1
    assert there == pytest.approx(back, abs=1e-9)
    assert disagreement(w1, w1) == pytest.approx(0, abs=1e-12)  # areas are rounded


def test_disagreement_says_what_to_do_in_more_dimensions():
    with pytest.raises(ValueError, match=r"d = 3.*numpy\.mean"):
        disagreement([1, 2, 3, 4], [1, 2, 3, 4])
    with pytest.raises(ValueError, match="one size"):
        disagreement([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="empty"):
        disagreement([1, 2], [1, 2], low=1, high=1)

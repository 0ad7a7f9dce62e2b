"""h(x) = sign(wᵀx): scores, predictions and mistakes."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from plahelpers import pocket
from plahelpers.hypothesis import error_rate, is_mistake, mistakes, predict, scores, sign, with_bias
from tests import oracles
from tests.oracles import any_data, signs_of_zero, small_integers


def test_the_bias_column_is_a_one_in_front_and_alone_where_there_are_no_features():
    assert with_bias([[2, 3], [4, 5]]).tolist() == [[1, 2, 3], [1, 4, 5]]
    assert with_bias(np.empty((3, 0))).tolist() == [[1], [1], [1]]


@pytest.mark.parametrize("zero", [-1, 0, 1])
def test_the_sign_of_zero_is_what_one_says_it_is(zero):
    assert sign([-2.5, 0.0, -0.0, 0.1], zero).tolist() == [-1, zero, zero, 1]
    assert sign(0.0, zero) == zero


def test_one_example_gets_one_answer_and_on_the_line_it_is_minus_one_by_default():
    assert [predict([threshold, 2], [3.0]) for threshold in (-1, -6, -7)] == [1, -1, -1]


@given(any_data(min_d=1), st.data())
def test_a_threshold_is_minus_w0(data, draw):
    X, _ = data
    weights = np.array(draw.draw(st.lists(small_integers, min_size=X.shape[1], max_size=X.shape[1])), dtype=float)
    threshold = draw.draw(small_integers)
    approve = np.where(X @ weights > threshold, 1, -1)
    assert predict([-threshold, *weights], X).tolist() == approve.tolist()


@given(any_data(), st.data(), signs_of_zero)
def test_mistakes_are_those_of_the_definition(data, draw, zero):
    X, y = data
    w = draw.draw(st.lists(small_integers, min_size=X.shape[1] + 1, max_size=X.shape[1] + 1))
    wrong = oracles.textbook_mistakes(w, X.tolist(), y, zero)
    assert mistakes(w, X, y, sign_of_zero=zero).tolist() == wrong
    assert error_rate(w, X, y, sign_of_zero=zero) == len(wrong) / len(y)
    assert [n for n in range(len(y)) if is_mistake(w, X[n], y[n], sign_of_zero=zero)] == wrong


def test_scores_are_inner_products_with_the_biased_x():
    rng = np.random.default_rng(1)
    X, w = rng.normal(size=(10_000, 3)), rng.normal(size=4)  # more rows than are handled at once
    np.testing.assert_allclose(scores(w, X), with_bias(X) @ w, rtol=1e-12, atol=1e-12)


def test_a_point_lies_on_the_line_here_where_it_does_for_pocket_to_the_last_bit():
    """Tenths: many scores would be 0, and the order of the additions decides on which side rounding leaves them."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        X, w = rng.integers(-9, 10, (50, 3)) / 10, rng.integers(-9, 10, 4) / 10
        y = rng.choice([-1, 1], 50)
        assert pocket(X, y, start=w, max_updates=0).mistakes_left == len(mistakes(w, X, y))

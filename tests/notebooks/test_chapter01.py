"""Chapter 1, the hypothesis set: what must come out, in the chapter's own variables."""

import numpy as np
import pytest

from plahelpers import running_example
from plahelpers.hypothesis import error_rate, mistakes, predict

pytestmark = pytest.mark.slow


def test_the_reader_makes_the_running_example_bit_for_bit(chapter):
    X, y = running_example()
    assert np.array_equal(chapter["X"], X)
    assert np.array_equal(chapter["y"], y)


def test_the_reader_writes_predict_and_error_rate_as_the_package_has_them(chapter):
    rng = np.random.default_rng(0)
    for _ in range(200):
        w, X = rng.integers(-3, 4, 4), rng.integers(-3, 4, (9, 3))  # whole, so that some points are on the line
        y = rng.choice([-1, 1], 9)
        assert np.array_equal(chapter["predict"](w, X), predict(w, X))
        assert chapter["error_rate"](w, X, y) == error_rate(w, X, y)


def test_the_clerk_has_22_applicants_on_his_line_and_three_counts_of_mistakes(chapter):
    scores, decided = chapter["clerk_scores"], chapter["bank"].y
    assert np.sum(scores == 0) == 22
    assert [np.sum(np.where(scores == 0, zero, np.sign(scores)) != decided) for zero in (-1, 1, 0)] == [219, 215, 228]


def test_one_way_to_0_wrong_with_three_sliders(chapter):
    ways = [(0, 1, 1), (0, 1, -1), (-1, 1, -1), (-1, 2, -1)]
    assert [len(mistakes(w, chapter["X"], chapter["y"])) for w in ways] == [7, 3, 2, 0]


def test_the_opinion_is_wrong_about_138_and_63_and_always_yes_about_98_of_the_test_part(chapter):
    assert chapter["rates"]["opinion"] == [138 / 900, 63 / 419]
    assert chapter["rates"]["always yes"][1] == 98 / 419

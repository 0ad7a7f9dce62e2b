"""Chapter 3, the convergence proof: what must come out, in the chapter's own variables."""

import numpy as np
import pytest

from plahelpers import pla
from plahelpers.guarantee import proof_trace

pytestmark = pytest.mark.slow


def test_the_radius_and_the_margin_and_the_bound_of_the_target(chapter):
    assert chapter["R"] ** 2 == pytest.approx(46.0654, abs=5e-5)
    assert chapter["trace"].rho == pytest.approx(0.111611, abs=5e-7)
    assert chapter["trace"].bound == pytest.approx(3697.9, abs=0.05)


def test_the_w_f_of_the_largest_margin_allows_135_updates_and_pla_makes_8(chapter):
    best = chapter["best"]
    np.testing.assert_allclose(best.w_f / -best.w_f[0], [-1, 0.95865096, -0.38905489], atol=5e-9)
    assert best.rho == pytest.approx(chapter["rho"]) == pytest.approx(0.583910, abs=5e-7)
    assert proof_trace(chapter["run"], best.w_f).bound == pytest.approx(135.1, abs=0.05)
    assert chapter["run"].updates == 8


def test_the_angle_to_the_target_grows_in_the_last_updates_and_two_updates_make_w_shorter(chapter):
    np.testing.assert_allclose(chapter["trace"].cosine[-3:], [0.963, 0.951, 0.898], atol=5e-4)
    assert np.sum(np.diff(chapter["squares"]) < 0) == 2


def test_no_order_needs_more_than_the_bound_allows(chapter):
    assert chapter["experiment"].halted.all()
    assert (chapter["experiment"].updates.min(), chapter["experiment"].updates.max()) == (3, 12)


def test_a_small_margin_may_mean_a_long_run_and_the_distance_from_the_line_is_no_radius(chapter):
    assert pla(chapter["far"], chapter["far_labels"]).updates == 20_102
    assert (chapter["farthest"].min().round(1), chapter["farthest"].max().round(1)) == (5.1, 7.4)


def test_the_examples_with_the_smallest_gain_mix_to_the_nearest_point(chapter):
    nearest, best = [1, 4, 9], chapter["best"]
    weights = np.linalg.lstsq(chapter["steps"][nearest].T, best.rho * best.w_f)[0]
    assert (weights > 0).all()
    assert weights.sum() == pytest.approx(1)

"""Chapter 3, the convergence proof: what must come out, in the chapter's own variables."""

import numpy as np
import pytest

pytestmark = pytest.mark.slow


def test_the_radius_and_the_margin_and_the_bound_of_the_target(chapter):
    assert chapter["R"] ** 2 == pytest.approx(46.0654, abs=5e-5)
    assert chapter["rho"] == pytest.approx(0.111611, abs=5e-7)
    assert chapter["trace"].bound == pytest.approx(3697.9, abs=0.05)


def test_the_w_f_of_the_largest_margin_allows_135_updates_and_pla_makes_8(chapter):
    best = chapter["best"]
    np.testing.assert_allclose(best.w_f / -best.w_f[0], [-1, 0.95865096, -0.38905489], atol=5e-9)
    assert best.rho == pytest.approx(0.583910, abs=5e-7)
    assert chapter["race"].bound == pytest.approx(135.1, abs=0.05)
    assert chapter["run"].updates == 8


def test_the_angle_to_the_target_grows_in_the_last_updates(chapter):
    np.testing.assert_allclose(chapter["trace"].cosine[-3:], [0.963, 0.951, 0.898], atol=5e-4)

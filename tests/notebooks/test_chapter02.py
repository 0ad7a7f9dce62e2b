"""Chapter 2, PLA: what must come out, in the chapter's own variables. (The figures are the course's.)"""

import numpy as np
import pytest

pytestmark = pytest.mark.slow

# picks and w of each run on the running example
RUNS = {
    "cyclic": ([1, 4, 9, 10, 18, 4, 4, 9], [-4, 3.71997995, -0.66195783]),
    "shuffled cycle": ([15, 9, 18, 12, 4], [-3, 3.13801068, -2.1162567]),
    "sign(0) = 0": ([0, 1, 9, 4, 9], [-3, 3.92448774, -1.4258668]),
}
ORDER = [15, 16, 4, 9, 8, 19, 10, 5, 18, 12, 17, 1, 3, 0, 13, 2, 14, 7, 11, 6]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_on_the_running_example_makes_its_updates_and_ends_at_its_w(chapter, name):
    picks, w = RUNS[name]
    run = chapter["runs"][name]
    assert (run.updates, run.picks.tolist()) == (len(picks), picks)
    np.testing.assert_allclose(run.w, w, rtol=0, atol=5e-9)


def test_the_shuffled_order_is_that_of_the_course(chapter):
    assert chapter["runs"]["shuffled cycle"].cycle.tolist() == ORDER


def test_scikit_learns_perceptron_ends_at_its_own_w(chapter):
    np.testing.assert_allclose(chapter["w_sk"], [-3, 5.98783968, -1.78432935], rtol=0, atol=5e-9)


def test_the_run_by_hand_corrects_the_points_1_3_3_3_1_3_3(chapter):
    paper = chapter["paper"]
    assert (paper.picks + 1).tolist() == [1, 3, 3, 3, 1, 3, 3]
    assert paper.w.tolist() == [-3, 1, 1]


def test_the_means_of_caltechs_experiment_are_near_the_published_ones(chapter):
    (few, apart), (many, nearer) = (chapter["trials"][N].mean(axis=1) for N in (10, 100))
    assert (few, apart) == (pytest.approx(10, rel=0.25), pytest.approx(0.11, rel=0.15))
    assert (many, nearer) == (pytest.approx(110, rel=0.35), pytest.approx(0.013, rel=0.15))

"""Chapter 4, Pocket on noisy data: what must come out, in the chapter's own variables."""

import numpy as np
import pytest

pytestmark = pytest.mark.slow


def test_six_labels_flip_and_the_best_line_makes_two_mistakes(chapter):
    assert chapter["data"].flipped.tolist() == [0, 2, 9, 16, 17, 18]
    assert chapter["best_of_all"].mistakes == 2


def test_cyclic_pocket_ends_with_4_of_20_wrong(chapter):
    run = chapter["run"]
    assert (run.max_updates, run.mistakes_left) == (100, 4)
    np.testing.assert_allclose(run.w, [2, 1.80158115, -3.38519667], rtol=0, atol=5e-9)


def test_pocket_makes_about_3_mistakes_on_average_where_greedy_makes_4(chapter):
    assert np.mean(chapter["kept"]) == pytest.approx(2.9, abs=0.2)
    assert chapter["expected"](np.zeros(3)) == pytest.approx(4.137, abs=5e-4)

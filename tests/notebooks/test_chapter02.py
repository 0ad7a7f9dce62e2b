"""Chapter 2, PLA: what must come out, in the chapter's own variables. (The figures are the course's.)"""

import numpy as np
import pytest

import plahelpers
from plahelpers.datasets import separable

pytestmark = pytest.mark.slow


def test_the_reader_writes_pla_as_the_package_has_it_bit_for_bit(chapter):
    for seed in range(100):
        data = separable(12, d=seed % 3 + 1, low=-5, high=5, rng=seed)
        run, (w, updates) = plahelpers.pla(*data), chapter["pla"](*data)
        assert updates == run.updates
        assert np.array_equal(w, run.w)


def test_scikit_learns_perceptron_ends_at_its_own_w(chapter):
    np.testing.assert_allclose(chapter["w_sklearn"], [-3, 5.98783968, -1.78432935], rtol=0, atol=5e-9)
    assert np.allclose(chapter["strict"].coef_, chapter["plain"].coef_, rtol=1e-12)


def test_the_mistakes_jump_on_their_way_to_0_and_the_sum_falls_at_example_9(chapter):
    assert chapter["run"].errors.tolist() == [7, 4, 2, 6, 2, 5, 1, 2, 0]
    assert [chapter["run"].picks[t] for t in np.flatnonzero(np.diff(chapter["sums"]) < 0)] == [9, 9]


def test_on_the_banks_applicants_pla_ends_with_277_mistakes_and_had_131(chapter):
    errors = chapter["bank_run"].errors
    assert (errors[-1], errors.min()) == (277, 131)
    assert len(chapter["conflict"].examples) == 11


def test_the_worst_mistake_first_is_slower_than_a_random_one_on_most_sets():
    """As the solution of the last exercise says: about twice as many updates, more on most of a hundred sets."""
    farthest, at_random = [], []
    for seed in range(100):
        X, y = separable(100, rng=seed)
        farthest.append(plahelpers.checks.farthest_first.task.right(X, y)[1])
        at_random.append(plahelpers.pla(X, y, order="random", rng=seed).updates)
    assert 1.5 < np.mean(farthest) / np.mean(at_random) < 2.5
    assert np.mean(np.greater(farthest, at_random)) > 0.7

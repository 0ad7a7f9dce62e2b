"""Chapter 2, PLA: what must come out, in the chapter's own variables. (The figures are the course's.)"""

import numpy as np
import pytest

import plahelpers
from plahelpers.datasets import separable
from plahelpers.hypothesis import with_bias

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


def test_the_reader_writes_pla_as_the_package_has_it_bit_for_bit(chapter):
    for seed in range(100):
        data = separable(12, d=seed % 3 + 1, low=-5, high=5, rng=seed)
        run, (w, updates) = plahelpers.pla(*data), chapter["pla"](*data)
        assert updates == run.updates
        assert np.array_equal(w, run.w)


def test_scikit_learns_perceptron_ends_at_its_own_w(chapter):
    np.testing.assert_allclose(chapter["w_sklearn"], [-3, 5.98783968, -1.78432935], rtol=0, atol=5e-9)
    assert np.allclose(chapter["strict"].coef_, chapter["plain"].coef_, rtol=1e-12)


def test_the_run_by_hand_corrects_the_points_1_3_3_3_1_3_3(chapter):
    by_hand = chapter["by_hand"]
    assert (by_hand.picks + 1).tolist() == [1, 3, 3, 3, 1, 3, 3]
    assert by_hand.w.tolist() == [-3, 1, 1]
    assert (-by_hand.weights[1:5] @ [1, 1, 1]).tolist() == [-7, -4, -1, 2]


def test_an_update_raises_its_example_by_the_squared_length_and_turns_w_towards_the_step(chapter):
    run, X = chapter["run"], with_bias(chapter["X"])
    for t, n in enumerate(run.picks):
        step = run.y[n] * X[n]
        before, after = run.weights[t : t + 2] @ step
        assert before <= 0
        assert after - before == pytest.approx(step @ step)
        if t:
            lengths = np.linalg.norm(run.weights[t : t + 2], axis=1)
            assert after / lengths[1] > before / lengths[0]


def test_the_mistakes_jump_on_their_way_to_0_and_the_sum_falls_at_example_9(chapter):
    assert chapter["run"].errors.tolist() == [7, 4, 2, 6, 2, 5, 1, 2, 0]
    assert [chapter["run"].picks[t] for t in np.flatnonzero(np.diff(chapter["sums"]) < 0)] == [9, 9]


def test_on_the_banks_applicants_pla_ends_with_277_mistakes_and_had_131(chapter):
    errors = chapter["bank_run"].errors
    assert (errors[-1], errors.min()) == (277, 131)
    assert len(chapter["conflict"].examples) == 11


def test_the_means_of_caltechs_experiment_are_near_the_published_ones(chapter):
    updates, apart = chapter["updates_of"], chapter["apart"]
    assert (updates[10].mean(), apart[10].mean()) == (pytest.approx(10, rel=0.25), pytest.approx(0.11, rel=0.15))
    assert (updates[100].mean(), apart[100].mean()) == (pytest.approx(110, rel=0.35), pytest.approx(0.013, rel=0.15))
    assert all(1.2 < N * apart[N].mean() < 1.4 for N in (30, 100, 300, 1000))


def test_from_0_a_power_of_two_as_step_size_only_rescales_w():
    for seed in range(50):
        data, eta = separable(50, rng=seed), 2.0 ** (seed % 19 - 9)
        assert np.array_equal(eta * plahelpers.pla(*data).weights, plahelpers.pla(*data, eta=eta).weights)


def test_the_worst_mistake_first_is_slower_than_a_random_one_on_most_sets():
    """As the solution of the last exercise says: about twice as many updates, more on most of a hundred sets."""
    farthest, at_random = [], []
    for seed in range(100):
        X, y = separable(100, rng=seed)
        farthest.append(plahelpers.checks.farthest_first.task.right(X, y)[1])
        at_random.append(plahelpers.pla(X, y, order="random", rng=seed).updates)
    assert 1.5 < np.mean(farthest) / np.mean(at_random) < 2.5
    assert np.mean(np.greater(farthest, at_random)) > 0.7

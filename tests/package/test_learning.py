"""PLA and Pocket: the published figures, the definitions, and what a run says of itself."""

import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.linear_model import Perceptron

from plahelpers import BudgetWarning, best_line, mistakes, pla, pocket, with_bias
from plahelpers.datasets import (
    noisy_running_example,
    running_example,
    running_order,
    separable,
    textbook_example,
)
from plahelpers.geometry import disagreement
from tests import oracles
from tests.oracles import any_data, orders, seeds, signs_of_zero

# --- the figures that must come out ----------------------------------------------------------------------------------


def test_the_cyclic_run_makes_8_updates():
    run = pla(*running_example())
    assert run.picks.tolist() == [1, 4, 9, 10, 18, 4, 4, 9]
    np.testing.assert_allclose(run.w, [-4, 3.71997995, -0.66195783], atol=5e-9)
    assert (run.halted, run.updates, run.mistakes_left) == (True, 8, 0)


def test_the_shuffled_order_makes_5_updates():
    run = pla(*running_example(), order=running_order())
    assert run.picks.tolist() == [15, 9, 18, 12, 4]
    np.testing.assert_allclose(run.w, [-3, 3.13801068, -2.1162567], atol=5e-9)


def test_a_point_on_the_line_as_a_mistake_gives_another_run():
    run = pla(*running_example(), sign_of_zero=0)
    assert run.picks.tolist() == [0, 1, 9, 4, 9]
    np.testing.assert_allclose(run.w, [-3, 3.92448774, -1.4258668], atol=5e-9)


def test_the_textbook_example_makes_7_updates():
    run = pla(*textbook_example(), sign_of_zero=0)
    assert (run.picks + 1).tolist() == [1, 3, 3, 3, 1, 3, 3]  # the textbook counts from 1
    assert run.w.tolist() == [-3, 1, 1]


def test_caltechs_experiment_comes_out_as_published():
    """Mean updates and disagreement over 1000 draws: about 10 and 0.11 for N = 10, 110 and 0.013 for N = 100."""
    for N, updates, spread, disagree in [(10, 10, 3, 0.11), (100, 110, 30, 0.013)]:
        made, apart = [], []
        for seed in range(1000):
            data = separable(N, rng=seed)
            run = pla(*data, order="random", sign_of_zero=0, rng=seed, keep_path=False)
            made.append(run.updates)
            apart.append(disagreement(run.w, data.target))
        assert np.mean(made) == pytest.approx(updates, abs=spread)  # a heavy tail: means of 1000 scatter
        assert np.mean(apart) == pytest.approx(disagree, rel=0.1)


def test_cyclic_pocket_on_the_noisy_example_ends_with_4_wrong():
    data = noisy_running_example()
    run = pocket(*data, order="cyclic", max_updates=100)
    np.testing.assert_allclose(run.w, [2, 1.80158115, -3.38519667], atol=5e-9)
    assert run.mistakes_left == len(mistakes(run.w, *data)) == 4
    assert len(mistakes(data.target, *data)) == 6
    assert best_line(*data).mistakes == 2


# --- PLA is the lecture's PLA ----------------------------------------------------------------------------------------


@given(any_data(), signs_of_zero, st.permutations(range(10)), st.booleans(), st.sampled_from([1.0, 0.5, 3.0]))
def test_pla_takes_the_textbooks_steps(data, zero, order, start_elsewhere, eta):
    X, y = data
    order = [n for n in order if n < len(y)]
    start = np.arange(X.shape[1] + 1) - 1.0 if start_elsewhere else None
    picks, path, halted = oracles.textbook_pla(X.tolist(), y.tolist(), order, zero, start, eta, max_updates=40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BudgetWarning)
        run = pla(X, y, order=order, sign_of_zero=zero, start=start, eta=eta, max_updates=40)
    assert run.picks.tolist() == picks
    assert run.weights.tolist() == path
    assert run.halted == halted
    assert run.errors.tolist() == [len(oracles.textbook_mistakes(w, X.tolist(), y, zero)) for w in path]


def test_scikit_learn_takes_the_same_steps_when_a_point_on_the_line_is_a_mistake():
    data = separable(60, d=3, margin=0.05, rng=4)
    run = pla(*data, sign_of_zero=0)
    passes = -(-run.visits // len(data))
    model = Perceptron(shuffle=False, tol=None, max_iter=passes).fit(*data)
    np.testing.assert_allclose([*model.intercept_, *model.coef_[0]], run.w, rtol=1e-12)


@given(any_data(), signs_of_zero, orders, seeds)
def test_each_update_adds_y_x_to_correct_a_mistake_and_so_raises_its_score_by_the_squared_length(
    data, zero, order, seed
):
    X, y = data
    Z = with_bias(X)
    run = pocket(X, y, order=order, sign_of_zero=zero, rng=seed, max_updates=25)
    for t, n in enumerate(run.picks):
        assert n in oracles.textbook_mistakes(run.weights[t], X.tolist(), y, zero)
        assert (run.weights[t + 1] - run.weights[t]).tolist() == (y[n] * Z[n]).tolist()
        assert y[n] * (run.weights[t + 1] @ Z[n]) == y[n] * (run.weights[t] @ Z[n]) + Z[n] @ Z[n]


def test_a_random_order_picks_each_mistake_equally_often():
    """From w = 0 all four positive examples are mistakes; each should be picked first in a quarter of the runs."""
    X, y = [[1.0], [2.0], [3.0], [4.0]], [1, 1, 1, 1]
    firsts = [pla(X, y, order="random", rng=seed).picks[0] for seed in range(2000)]
    counts = np.bincount(firsts, minlength=4)
    assert ((counts - 500) ** 2 / 500).sum() < 22  # chi-squared, 3 degrees of freedom: beyond 1 in 10,000


def test_the_same_seed_gives_the_same_run_and_leaves_global_state_alone():
    X, y = running_example()
    np.random.seed(1)
    before = np.random.get_state()[1].tolist()
    first, second = (pla(X, y, order="random", rng=7) for _ in range(2))
    assert np.random.get_state()[1].tolist() == before
    assert first.picks.tolist() == second.picks.tolist()
    generator = np.random.default_rng(7)
    assert pla(X, y, order="random", rng=generator).picks.tolist() == first.picks.tolist()
    assert pla(X, y, order="random", rng=generator).picks.tolist() != first.picks.tolist()


def test_visits_are_the_examples_looked_at():
    """By hand: seven corrections on the way through the cycle, and one clean cycle of three."""
    assert pla(*textbook_example(), sign_of_zero=0).visits == 18
    assert pocket([[1.0]], [1]).visits == 2  # Pocket looks at all examples before the first and after each update


# --- theorems --------------------------------------------------------------------------------------------------------


def test_a_correction_need_not_fix_its_point():
    run = pla(*running_example())
    assert run.picks[5] == run.picks[6] == 4


@given(any_data(), orders, signs_of_zero, seeds, st.integers(-8, 8))
def test_from_0_eta_changes_no_pick_and_only_scales_w(data, order, zero, seed, power):
    X, y = data
    eta = 2.0**power  # a power of two scales floats exactly
    one = pocket(X, y, order=order, sign_of_zero=zero, rng=seed, max_updates=25)
    other = pocket(X, y, order=order, sign_of_zero=zero, rng=seed, max_updates=25, eta=eta)
    assert one.picks.tolist() == other.picks.tolist()
    assert (eta * one.weights).tolist() == other.weights.tolist()


@given(any_data(), orders, signs_of_zero, seeds)
def test_pocket_walks_as_pla_does_and_keeps_the_first_of_the_best(data, order, zero, seed):
    X, y = data
    pocket_run = pocket(X, y, order=order, sign_of_zero=zero, rng=seed, max_updates=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BudgetWarning)
        pla_run = pla(X, y, order=order, sign_of_zero=zero, rng=seed, max_updates=20)
    assert pocket_run.picks.tolist() == pla_run.picks.tolist()
    assert pocket_run.weights.tolist() == pla_run.weights.tolist()
    assert pocket_run.last_w.tolist() == pla_run.w.tolist()
    assert pocket_run.errors.tolist() == pla_run.errors.tolist()
    assert pocket_run.best_at == int(np.argmin(pocket_run.errors))  # the first: a tie does not replace
    assert pocket_run.w.tolist() == pocket_run.weights[pocket_run.best_at].tolist()
    assert (
        pocket_run.mistakes_left == pocket_run.pocket_errors[-1] == len(mistakes(pocket_run.w, X, y, sign_of_zero=zero))
    )


# --- the budget ------------------------------------------------------------------------------------------------------


def test_a_spent_budget_warns_and_never_says_not_separable():
    X, y = running_example()
    with pytest.warns(BudgetWarning, match=r"budget of 7 updates with 2 of 20 .* does not show .* separate\(X, y\)"):
        run = pla(X, y, max_updates=7)
    assert (run.halted, run.updates, run.mistakes_left) == (False, 7, 2)
    assert "spent its budget" in repr(run)


def test_a_budget_just_large_enough_is_not_spent_and_a_budget_of_nothing_only_looks():
    X, y = running_example()
    assert pla(X, y, max_updates=8).halted
    perfect = pla(X, y).w
    assert pla(X, y, start=perfect, max_updates=0).halted
    with pytest.warns(BudgetWarning, match="no updates"):
        assert not pla(X, y, max_updates=0).halted
    assert pocket(X, y, max_updates=0).updates == 0


# --- a run speaks ----------------------------------------------------------------------------------------------------


def test_a_run_is_a_sentence():
    X, y = running_example()
    assert repr(pla(X, y)) == "PLA halted: 8 updates, no mistakes left; w = (-4, 3.72, -0.66)"
    data = noisy_running_example()
    assert repr(pocket(*data, order="cyclic", max_updates=100)) == (
        "Pocket stopped after 100 updates: its best w, found at update 10, gets 4 of 20 examples wrong; "
        "w = (2, 1.8, -3.39)"
    )
    assert "the w it started with" in repr(pocket(*data, start=best_line(*data).w, max_updates=3, rng=0))
    one = pla([[2.0]], [1])
    assert repr(one) == "PLA halted: 1 update, no mistakes left; w = (1, 2)"


def test_a_run_without_its_path_says_how_to_get_it():
    run = pla(*running_example(), keep_path=False)
    assert (run.updates, run.w.tolist()) == (8, pla(*running_example()).w.tolist())
    for name in ("weights", "picks", "errors", "pocket_errors"):
        with pytest.raises(ValueError, match="keep_path=True"):
            getattr(run, name)


def test_a_run_knows_its_sizes_and_keeps_its_own_data():
    X, y = running_example()
    run = pla(X, y)
    assert (run.N, run.d, run.weights.shape, run.picks.shape) == (20, 2, (9, 3), (8,))
    X[:], y[:] = 0, 1
    assert run.errors.tolist() == pla(*running_example()).errors.tolist()

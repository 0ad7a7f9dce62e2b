"""Chapter 4, Pocket on noisy data: what must come out, in the chapter's own variables."""

import ast

import numpy as np
import pytest
from scipy.stats import binom

import plahelpers
from plahelpers.datasets import noisy, noisy_running_example
from plahelpers.hypothesis import mistakes, sign, with_bias
from tests.notebooks.conftest import read

pytestmark = pytest.mark.slow


def test_the_reader_makes_the_noisy_running_example_bit_for_bit(chapter):
    data = noisy_running_example()
    assert np.array_equal(chapter["X"], data.X)
    assert np.array_equal(chapter["y"], data.y)
    assert mistakes(chapter["target"], *data).tolist() == [0, 2, 9, 16, 17, 18]


def test_the_reader_writes_pocket_as_the_package_has_it_bit_for_bit(chapter):
    for seed in range(20):
        data = noisy(15, noise=0.2, low=-5, high=5, rng=seed)
        ours = chapter["pocket"](*data, 60, np.random.default_rng(seed))
        assert np.array_equal(ours, plahelpers.pocket(*data, max_updates=60, rng=seed).w)


def test_the_functions_that_a_reader_types_are_a_program_of_their_own():
    names = {"predict", "generate", "error_rate", "pla", "add_noise", "pocket"}
    cells = [cell for number in ("01", "02", "04") for cell in read(number).cells if cell.cell_type == "code"]
    parts = [part for cell in cells for part in ast.parse(cell.source).body if getattr(part, "name", "") in names]
    typed = {"np": np, "sign": sign, "with_bias": with_bias}
    exec(compile(ast.Module(parts, []), "what a reader types", "exec"), typed)
    rng = np.random.RandomState(42)
    X, y = typed["generate"](20, 2, [-1, 2, -1], rng)
    noisy_y = typed["add_noise"](y, 0.2, rng)
    assert (typed["pla"](X, y)[1], typed["error_rate"]([-1, 2, -1], X, noisy_y)) == (8, 0.3)
    assert typed["error_rate"](typed["pocket"](X, noisy_y, 1000, np.random.default_rng(0)), X, noisy_y) == 0.15


def test_cyclic_pocket_ends_with_4_of_20_wrong(chapter):
    run = chapter["run"]
    assert (run.max_updates, run.mistakes_left) == (100, 4)
    assert run.pocket_errors[[0, 3, 5, 10]].tolist() == [11, 7, 5, 4]


def test_the_certificate_proves_that_no_line_will_do(chapter):
    few, a, y = chapter["few"], chapter["a"], chapter["y"]
    assert (a >= 0).all()
    np.testing.assert_allclose([a.sum(), *(a * y[few] @ with_bias(chapter["X"])[few])], [1, 0, 0, 0], atol=1e-12)


def test_both_walks_that_never_end_come_back_to_where_they_were(chapter):
    circle, rounded = chapter["circle"], chapter["rounded"]
    assert np.array_equal(circle.weights[:4], circle.weights[4:8])
    assert np.array_equal(rounded.weights[44], rounded.weights[64])
    assert np.array_equal(rounded.picks[44:64], rounded.picks[64:84])


def test_pocket_makes_about_3_mistakes_on_average_where_greedy_makes_4(chapter):
    assert np.mean(chapter["kept"]) == pytest.approx(2.9, abs=0.2)
    assert chapter["greedy"](np.zeros(3)) == pytest.approx(4.137, abs=5e-4)


def test_on_the_bank_train_and_test_fall_together_and_raw_features_are_better_on_both_in_the_end(chapter):
    curves = chapter["curves"]
    for errors in curves.values():
        train, test = errors.T
        assert (np.diff(train) < 0).all()
        assert test[-1] < test[0] - 0.02
        assert max(np.diff(test)) < 0.005  # it never rises by more than the splits scatter
    assert (curves["raw"][-1] < curves["standardised"][-1]).all()
    assert curves["raw"][-1][1] == pytest.approx(0.153, abs=0.002)


def test_the_last_w_is_a_lottery_on_the_bank_and_pocket_is_not(chapter):
    last, pocket = (chapter["of_models"][f"bank: {name}"][:, 1] for name in ("Perceptron", "Pocket"))
    assert (last.min().round(2), last.max().round(2)) == (0.19, 0.41)
    assert pocket.max() < 0.23


def test_six_flips_of_twenty_are_no_surprise():
    assert binom.sf(5, 20, 0.2) == pytest.approx(1 / 5, abs=0.01)

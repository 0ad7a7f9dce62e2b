"""One algorithm, thousands of runs: the same numbers however they are made."""

import subprocess
import sys

import joblib
import numpy as np
import pytest
from hypothesis import given, settings

from plahelpers import BudgetWarning, experiments, pla, pocket, repeat_pla, repeat_pocket
from plahelpers.datasets import noisy, noisy_running_example, running_example
from plahelpers.hypothesis import error_rate
from tests.oracles import any_data, orders, seeds, signs_of_zero

COLUMNS = ["updates", "halted", "w", "last_w", "train_error", "last_train_error", "test_error", "last_test_error"]


def assert_same(one, other, runs=None):
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(one, name)[:runs], getattr(other, name)[:runs], err_msg=name)


@pytest.fixture(scope="module")
def data():
    return noisy(80, d=3, noise=0.1, rng=1), noisy(60, d=3, noise=0.1, rng=2)


@pytest.fixture(scope="module")
def measured(data):
    train, test = data
    return repeat_pocket(*train, test=tuple(test), runs=100, rng=7)


# --- what the numbers are --------------------------------------------------------------------------------------------


@given(any_data(), orders, signs_of_zero, seeds)
@settings(max_examples=30)
@pytest.mark.filterwarnings("ignore::plahelpers.BudgetWarning")
def test_the_runs_are_single_runs_with_the_random_numbers_of_one_generator(data, order, zero, seed):
    X, y = data
    for repeat, once in ((repeat_pla, pla), (repeat_pocket, pocket)):
        options = {"order": order, "sign_of_zero": zero, "max_updates": 30}
        experiment = repeat(X, y, runs=5, rng=seed, test=(X[:3], y[:3]), **options)
        generator = np.random.default_rng(seed).spawn(1)[0]
        for k in range(5):
            run = once(X, y, rng=generator, **options)
            assert (experiment.updates[k], experiment.halted[k]) == (run.updates, run.halted)
            assert experiment.w[k].tobytes() + experiment.last_w[k].tobytes() == run.w.tobytes() + run.last_w.tobytes()
            assert experiment.train_error[k] == run.mistakes_left / len(y)
            assert experiment.last_train_error[k] == error_rate(run.last_w, X, y, sign_of_zero=zero)
            assert experiment.test_error[k] == error_rate(run.w, X[:3], y[:3], sign_of_zero=zero)
            assert experiment.last_test_error[k] == error_rate(run.last_w, X[:3], y[:3], sign_of_zero=zero)


# --- the same whatever makes them ------------------------------------------------------------------------------------


def test_run_k_does_not_depend_on_the_number_of_runs(data, measured):
    train, test = data
    assert_same(repeat_pocket(*train, test=tuple(test), runs=33, rng=7), measured, runs=33)


@pytest.mark.parametrize(("backend", "workers"), [("threading", 1), ("threading", 5), ("loky", 2)])
def test_any_number_of_threads_or_processes_gives_the_same_numbers(data, measured, backend, workers):
    train, test = data
    with joblib.parallel_config(backend, n_jobs=workers):
        assert_same(repeat_pocket(*train, test=tuple(test), runs=100, rng=7), measured)


# --- progress, warnings, Ctrl-C --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "shown"), [(3600, False), (0, True)])
def test_only_long_work_shows_a_progress_bar(capfd, monkeypatch, seconds, shown):
    monkeypatch.setattr(experiments, "QUIET_SECONDS", seconds)
    repeat_pla(*running_example(), runs=50)
    assert ("run/s" in capfd.readouterr().err) == shown


def test_spent_budgets_are_reported_once_for_all_runs():
    X, y = noisy_running_example()
    message = r"50 of 50 runs spent their budget of 20 updates.*separate\(X, y\)"
    with pytest.warns(BudgetWarning, match=message) as record:
        experiment = repeat_pla(X, y, runs=50, max_updates=20)
    assert len(record) == 1
    assert not experiment.halted.any()


INTERRUPTED = """
import os, signal, threading
import tqdm
from plahelpers import repeat_pla, repeat_pocket
from plahelpers.datasets import noisy
def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
X, y = noisy(500, d=5, noise=0.3, rng=1)
full = repeat_pocket(X, y, runs=64, max_updates=300, rng=0)
for order in ("cyclic", "random"):
    threading.Timer(1.0, press_ctrl_c).start()
    print(repeat_pla(X, y, order=order, runs=64, max_updates=10**9, rng=0))  # would take hours
tqdm.tqdm.update = lambda bar, n: press_ctrl_c()
partial = repeat_pocket(X, y, runs=64 * 40, max_updates=300, rng=0)
assert 0 < len(partial) < 64 * 40 and partial.partial and not full.partial
assert partial.w.tolist() == full.w[: len(partial)].tolist()  # the first runs are given back
for thread in threading.enumerate():
    if "worker" in thread.name:
        thread.join(60)
        assert not thread.is_alive()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C on Windows")
def test_ctrl_c_gives_back_what_was_done_so_far_and_leaves_nothing_running():
    command = [sys.executable, "-W", "ignore", "-c", INTERRUPTED]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stdout) == (0, 2 * "no runs of PLA (stopped early)\n"), result.stderr


# --- an experiment speaks --------------------------------------------------------------------------------------------


def test_an_experiment_is_a_sentence(measured):
    assert repr(repeat_pla(*running_example(), runs=20, order="cyclic")) == (
        "20 runs of PLA: 8.0 updates on average (8 to 8)"
    )
    assert repr(measured) == (
        f"100 runs of Pocket: 50.0 updates on average (50 to 50), 0% halted, "
        f"train error {measured.train_error.mean():.3f}, test error {measured.test_error.mean():.3f}"
    )


def test_without_test_examples_there_is_no_test_error():
    experiment = repeat_pla(*running_example(), runs=3)
    for name in ("test_error", "last_test_error"):
        with pytest.raises(ValueError, match=r"test=\(X_test, y_test\)"):
            getattr(experiment, name)

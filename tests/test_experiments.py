"""One algorithm, thousands of runs: the same numbers however they are made."""

import os
import signal
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from oracles import any_data, orders, seeds, signs_of_zero

from plahelpers import BudgetWarning, error_rate, experiments, learning, pla, pocket, repeat_pla, repeat_pocket
from plahelpers.datasets import noisy, noisy_running_example, running_example, separable

COLUMNS = ["run", "updates", "halted", "train_error", "last_train_error", "_test_error", "_last_test_error"]


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
@settings(deadline=None, max_examples=40)
def test_run_k_is_the_single_run_with_the_same_chance(data, order, zero, seed):
    X, y = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BudgetWarning)
        for repeat, once in ((repeat_pla, pla), (repeat_pocket, pocket)):
            options = {"order": order, "sign_of_zero": zero, "max_updates": 30}
            experiment = repeat(X, y, runs=5, rng=seed, test=(X[:3], y[:3]), **options)
            for k in range(5):
                run = once(X, y, rng=experiment.rng(k), **options)
                assert experiment.updates[k] == run.updates
                assert experiment.halted[k] == run.halted
                assert experiment.train_error[k] == run.mistakes_left / len(y)
                assert experiment.last_train_error[k] == error_rate(run.last_w, X, y, sign_of_zero=zero)
                assert experiment.test_error[k] == error_rate(run.w, X[:3], y[:3], sign_of_zero=zero)
                assert experiment.last_test_error[k] == error_rate(run.last_w, X[:3], y[:3], sign_of_zero=zero)


def test_runs_longer_than_a_batch_allows_are_made_all_the_same(monkeypatch):
    X, y = separable(60, margin=0.002, rng=3)
    expected = [repeat(X, y, runs=40, rng=1, max_updates=3000) for repeat in (repeat_pla, repeat_pocket)]
    monkeypatch.setattr(experiments, "_BATCH_PRODUCTS", 3 * 200)
    monkeypatch.setattr(experiments, "_LEG_UPDATES", 7)
    monkeypatch.setattr(experiments, "_BATCH_RUNS", 3)
    monkeypatch.setattr(learning, "_LEG_UPDATES", 7)
    for repeat, before in zip((repeat_pla, repeat_pocket), expected, strict=True):
        assert_same(repeat(X, y, runs=40, rng=1, max_updates=3000), before)


def test_shuffled_cycles_differ_from_run_to_run():
    updates = repeat_pla(*running_example(), runs=200, rng=0).updates
    assert len(set(updates.tolist())) > 5


def test_cyclic_runs_are_all_the_same_run():
    experiment = repeat_pla(*running_example(), runs=9, order="cyclic")
    assert experiment.updates.tolist() == [8] * 9


def test_every_shuffled_run_stays_below_the_bound():
    from plahelpers import update_bound

    X, y = running_example()
    experiment = repeat_pla(X, y, runs=2000, rng=0)
    assert experiment.halted.all()
    assert experiment.updates.max() <= update_bound(X, y)


def test_the_pocket_is_better_than_the_last_w_on_the_noisy_example():
    X, y = noisy_running_example()
    experiment = repeat_pocket(X, y, runs=500, rng=0)
    assert (experiment.train_error <= experiment.last_train_error).all()
    assert experiment.train_error.mean() < 0.6 * experiment.last_train_error.mean()


# --- the same whatever makes them ------------------------------------------------------------------------------------


def test_run_k_does_not_depend_on_the_number_of_runs(data, measured):
    train, test = data
    assert_same(repeat_pocket(*train, test=tuple(test), runs=33, rng=7), measured, runs=33)


def test_an_int_and_a_generator_seed_alike_and_none_is_fresh(data, measured):
    train, test = data
    assert_same(repeat_pocket(*train, test=tuple(test), runs=100, rng=np.random.default_rng(7)), measured)
    fresh = [repeat_pocket(*train, runs=20).last_train_error.tolist() for _ in range(2)]
    assert fresh[0] != fresh[1]


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_any_number_of_threads_gives_the_same_numbers(data, measured, workers):
    train, test = data
    with ThreadPoolExecutor(workers) as executor:
        assert_same(repeat_pocket(*train, test=tuple(test), runs=100, rng=7, executor=executor), measured)


def test_a_process_pool_gives_the_same_numbers(data, measured):
    train, test = data
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert_same(repeat_pocket(*train, test=tuple(test), runs=100, rng=7, executor=executor), measured)
        X, y = running_example()
        assert_same(repeat_pla(X, y, runs=50, rng=1, executor=executor), repeat_pla(X, y, runs=50, rng=1))


@pytest.mark.filterwarnings("default")  # the cluster's own
def test_a_dask_cluster_gives_the_same_numbers(data, measured):
    from dask.distributed import Client, LocalCluster

    train, test = data
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True) as cluster,
        Client(cluster) as client,
        client.get_executor() as executor,
    ):
        assert_same(repeat_pocket(*train, test=tuple(test), runs=100, rng=7, executor=executor), measured)


def test_both_cores_work_at_once():
    """Two shares meet at a barrier from inside the loops' rests: neither could pass it if they came one by one."""
    if (os.cpu_count() or 1) < 2:
        pytest.skip("this machine has one core")
    barrier = threading.Barrier(2)
    X, y = noisy(50, noise=0.3, rng=1)
    original = experiments._stopper

    def meeting(stop):
        rest = original(stop)

        def rest_together():
            rest()
            barrier.wait(timeout=60)

        return rest_together

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiments, "_stopper", meeting)
        assert len(repeat_pocket(X, y, runs=2, rng=0)) == 2


# --- progress, warnings, Ctrl-C --------------------------------------------------------------------------------------


def test_short_work_shows_no_progress_bar(capfd):
    repeat_pla(*running_example(), runs=50)
    assert capfd.readouterr().err == ""


def test_long_work_shows_one(capfd, monkeypatch):
    monkeypatch.setattr(experiments, "_QUIET_SECONDS", 0.05)
    X, y = noisy(2000, d=5, noise=0.3, rng=1)
    repeat_pocket(X, y, runs=64, max_updates=2000, rng=0)
    assert "run/s" in capfd.readouterr().err
    monkeypatch.undo()
    assert experiments._QUIET_SECONDS == 2


def test_spent_budgets_are_said_once_for_all_runs():
    X, y = noisy_running_example()
    with pytest.warns(BudgetWarning, match=r"50 of 50 runs spent their budget of 20 updates.*separate\(X, y\)") as said:
        experiment = repeat_pla(X, y, runs=50, max_updates=20)
    assert len(said) == 1
    assert not experiment.halted.any()


INTERRUPTED = """
import _thread, sys, threading, time
import numpy as np
from plahelpers import experiments, repeat_pocket
from plahelpers.datasets import noisy
X, y = noisy(2000, d=5, noise=0.3, rng=1)
full = repeat_pocket(X, y, runs=64, max_updates=300, rng=0)
came = []
original = experiments._Measured.fill_in
def fill_in(self, rows, part):
    original(self, rows, part)
    if len(self.updates) == 64 * 40:  # the large table: three shares have come, then somebody presses Ctrl-C
        came.append(1)
        if len(came) == 3:
            import os, signal
            os.kill(os.getpid(), signal.SIGINT)
experiments._Measured.fill_in = fill_in
partial = repeat_pocket(X, y, runs=64 * 40, max_updates=300, rng=0)
assert partial.partial and not full.partial
assert 0 < len(partial) < 64 * 40, len(partial)
kept = partial.run < 64
assert (partial.updates[kept] == full.updates[partial.run[kept]]).all()
assert (partial.train_error[kept] == full.train_error[partial.run[kept]]).all()
print(repr(partial))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C on Windows")
def test_ctrl_c_gives_back_what_was_done_so_far():
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "(stopped early)" in result.stdout


STOPPED_IN_THE_MIDDLE = """
import os, signal, threading
from plahelpers import pla, repeat_pla
from plahelpers.datasets import noisy
X, y = noisy(3000, d=5, noise=0.3, rng=1)
pla(X[:50], y[:50], max_updates=1)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
print("began", flush=True)
experiment = repeat_pla(X, y, runs=4, max_updates=10**9, rng=0)  # would take hours
print(len(experiment), experiment.partial, repr(experiment), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C on Windows")
def test_ctrl_c_stops_even_runs_without_end():
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", STOPPED_IN_THE_MIDDLE],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "0 True no runs of PLA (stopped early)" in result.stdout


EARLY = """
import os, signal
from plahelpers import experiments, repeat_pla
from plahelpers.datasets import noisy
X, y = noisy(3000, d=5, noise=0.3, rng=1)
submit, submitted = experiments.ThreadPoolExecutor.submit, []
def submit_and_press(self, *arguments):
    submitted.append(1)
    if len(submitted) == 3:
        os.kill(os.getpid(), signal.SIGINT)
    return submit(self, *arguments)
experiments.ThreadPoolExecutor.submit = submit_and_press
print(repr(repeat_pla(X, y, runs=64, max_updates=10**9, rng=0)), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C on Windows")
def test_ctrl_c_before_all_is_under_way_leaves_nothing_running():
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", EARLY], capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "no runs of PLA (stopped early)" in result.stdout


def test_an_error_in_a_run_is_not_hidden(monkeypatch):
    def broken(task, share, rest):
        raise ArithmeticError("something is wrong")

    monkeypatch.setattr(experiments, "_make_runs", broken)
    with pytest.raises(ArithmeticError, match="something is wrong"):
        repeat_pla(*running_example(), runs=3)


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


def test_signals_are_left_as_they_were():
    before = signal.getsignal(signal.SIGINT)
    repeat_pla(*running_example(), runs=3)
    assert signal.getsignal(signal.SIGINT) is before

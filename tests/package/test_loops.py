"""One source, two ways to run it: compiled and plain give the same bits."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from plahelpers import _loops, experiments, learning, pla, pocket
from plahelpers.datasets import running_example
from tests.oracles import any_data, orders, seeds, signs_of_zero


@pytest.fixture(scope="module")
def plain():
    """The same file, loaded as where numba is not installed."""
    spec = importlib.util.spec_from_file_location("plain_loops", _loops.__file__)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numba", None)  # makes `import numba` an ImportError
        spec.loader.exec_module(module)
    return module


def test_the_loops_are_compiled_here_and_plain_there(plain):
    assert hasattr(_loops.run_passes, "py_func")
    assert not hasattr(plain.run_passes, "py_func")


def same_bits(run, other):
    for name in ("weights", "picks", "errors", "w", "last_w"):
        assert getattr(run, name).tobytes() == getattr(other, name).tobytes()
    for name in ("updates", "visits", "halted", "best_at", "mistakes_left"):
        assert getattr(run, name) == getattr(other, name)


@st.composite
def rough_data(draw):
    """Any data with coordinates that round: thirds, tenths, of many sizes."""
    X, y = draw(any_data(max_N=12))
    return X / draw(st.sampled_from([3.0, 10.0, 7e5, 1e-9])) + draw(st.sampled_from([0.0, 0.1])), y


@given(rough_data(), orders, signs_of_zero, seeds, st.sampled_from([1.0, 0.1, 1 / 3]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_compiled_equals_plain_to_the_last_bit(plain, data, order, zero, seed, eta, start_elsewhere):
    X, y = data
    w0 = np.linspace(-1, 1, X.shape[1] + 1) / 3 if start_elsewhere else None
    rules = {"order": order, "w0": w0, "eta": eta, "sign_of_zero": zero, "max_updates": 30}
    for algorithm in ("PLA", "Pocket"):
        setup = learning.check_setup(algorithm, X, y, **rules)
        task = experiments._Task(setup, (X[:2], y[:2]), np.array([seed, 7]))
        run, columns = learning._learn(setup, seed, keep_path=True), experiments._make_runs(task, np.arange(4))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(learning, "_loops", lambda: plain)
            patch.setattr(experiments, "_loops", lambda: plain)
            plain_run, plain_columns = learning._learn(setup, seed, True), experiments._make_runs(task, np.arange(4))
            assert plain_run.errors is not None  # counted by the plain loops too
        same_bits(run, plain_run)
        for name, column in columns.items():
            assert column.tobytes() == plain_columns[name].tobytes(), name


@pytest.mark.parametrize("N", [1, 2, 3, 4, 5, 8, 9, 400, 1025])
def test_the_random_numbers_of_run_k_are_those_of_numpys_generator(plain, N):
    key = np.random.default_rng(N).integers(2**63, size=2)
    for loops in (_loops, plain):
        keys, cycle, draws = loops.round_keys(key), np.empty(N, np.int64), np.empty(N)
        for k in (0, 1, 2**40):
            loops.shuffle(keys, k, cycle)
            assert cycle.tolist() == experiments._generator(key, k).permutation(N).tolist()
            loops.draw(keys, k, 8, draws)
            assert draws.tolist() == experiments._generator(key, k).random(8 + N)[8:].tolist()


def test_there_is_nothing_to_warm_up_without_a_compiler(plain):
    plain.warm_up()


PROGRAM = """
import sys, json
if sys.argv[1] == "plain":
    sys.modules["numba"] = None
import numpy as np
from plahelpers import pocket, repeat_pla, repeat_pocket
rng = np.random.default_rng(5)
X = rng.normal(size=(60, 3))
y = np.where(X[:, 0] + rng.normal(size=60) / 2 > 0, 1, -1)
orders = ("cyclic", "shuffled", "random")
runs = [pocket(X, y, order=order, rng=1, max_updates=40) for order in orders]
numbers = [repeat_pocket(X, y, runs=5, rng=2, order=order, test=(X, y)).test_error.tolist() for order in orders]
numbers.append(repeat_pla(X[:9], y[:9], runs=5, rng=2).updates.tolist())
print(json.dumps([[run.w.tobytes().hex(), run.picks.tolist()] for run in runs] + numbers))
print("numba" in sys.modules and sys.modules["numba"] is not None)
"""


def run_program(how, **environment):
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, how],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=True,
    )
    numbers, compiled = result.stdout.splitlines()
    return json.loads(numbers), compiled == "True"


@pytest.mark.slow
def test_the_whole_package_works_without_numba_and_gives_the_same_numbers():
    with_numba, compiled = run_program("compiled")
    without, still_compiled = run_program("plain")
    assert (compiled, still_compiled) == (True, False)
    assert with_numba == without


@pytest.mark.slow
def test_compiled_code_is_found_again_by_the_next_process(tmp_path):
    first, _ = run_program("compiled", NUMBA_CACHE_DIR=str(tmp_path))
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")}
    assert kept
    second, _ = run_program("compiled", NUMBA_CACHE_DIR=str(tmp_path))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")} == kept  # nothing was compiled again
    assert first == second


@pytest.mark.slow
def test_an_install_that_cannot_be_written_to_still_works(tmp_path):
    """A copy of the package in a folder beside which nothing can be written: a file stands where the cache would be."""
    shutil.copytree(Path(_loops.__file__).parent, tmp_path / "plahelpers", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "plahelpers" / "__pycache__").touch()
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + PROGRAM
    # No home either: the last place numba could think of.
    nowhere = {name: str(tmp_path / "none" / "there") for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    result = subprocess.run(
        [sys.executable, "-c", program, "compiled"],
        capture_output=True,
        text=True,
        env={**os.environ, **nowhere},
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout.splitlines()[0]) == run_program("compiled")[0]


def test_a_loop_is_compiled_without_a_cache_when_there_is_nowhere_to_keep_it(monkeypatch):
    """numba says so with a RuntimeError when the loop is declared; here it is made to find no place at all."""
    from numba.core import caching

    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    loop = _loops.compiled(lambda x: x + 1)
    assert loop(1) == 2


def test_warming_up_compiles_for_the_very_types_that_runs_use():
    code = """
from plahelpers import _loops, pla, pocket, repeat_pla, repeat_pocket, running_example
_loops.warm_up()
loops = [loop for loop in vars(_loops).values() if hasattr(loop, "signatures")]
loops = [loop for loop in loops if loop.targetoptions.get("inline") != "always"]
assert len(loops) == 10
before = [list(loop.signatures) for loop in loops]
X, y = running_example()
for order in ("cyclic", "shuffled", "random", list(range(20))):
    pla(X, y, order=order, rng=0).errors
    pla(X, y, order=order, rng=0, keep_path=False)
    pocket(X, y, order=order, rng=0, keep_path=False)
    repeat_pla(X, y, order=order, rng=0, runs=3)
    repeat_pocket(X, y, order=order, rng=0, runs=3, test=(X, y))
assert [list(loop.signatures) for loop in loops] == before, [loop.signatures for loop in loops]
assert all(len(signatures) <= 1 for signatures in before)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_long_run_is_made_in_several_calls_and_comes_out_the_same(monkeypatch):
    def some_runs():
        X, y = running_example()
        return [pla(X, y), pla(X, y, order="random", rng=3), pocket(X, -y, rng=3), pocket(X, -y, order="cyclic")]

    in_one_call = some_runs()
    monkeypatch.setattr(learning, "_CHUNK_VISITS", 1)
    monkeypatch.setattr(learning, "_CHUNK_PRODUCTS", 3 * 20 * 4)  # four updates
    monkeypatch.setattr(learning, "_BLOCK", 7)
    for run, other in zip(in_one_call, some_runs(), strict=True):
        same_bits(run, other)


STORM = """
import signal
from plahelpers import pla, pocket, noisy_running_example
X, y = noisy_running_example()
for learn in (pla, pocket):
    learn(X, y, order="cyclic", max_updates=1)
    for k in range(200):
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.001 + k / 1e5)
            learn(X, y, order="cyclic", max_updates=10**9, keep_path=False)
        except KeyboardInterrupt:
            pass
print("alive")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such timer on Windows")
def test_ctrl_c_at_any_moment_is_heard_and_crashes_nothing():
    program = "import signal; signal.signal(signal.SIGALRM, signal.default_int_handler)\n" + STORM
    command = [sys.executable, "-W", "ignore", "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stdout) == (0, "alive\n"), result.stderr

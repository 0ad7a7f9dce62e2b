"""One source, two ways to run it: compiled and plain give the same bits, and Ctrl-C is heard in both."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import plahelpers
from plahelpers import _loops, pla, pocket, repeat_pla, repeat_pocket
from plahelpers.datasets import running_example
from tests.oracles import any_data, orders, seeds, signs_of_zero

pytestmark = pytest.mark.filterwarnings("ignore::plahelpers.BudgetWarning")


@pytest.fixture(scope="module")
def plain():
    """A context in which the package works as where numba is not installed."""
    spec = importlib.util.spec_from_file_location("plain_loops", _loops.__file__)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numba", None)  # makes `import numba` an ImportError
        spec.loader.exec_module(module)
    assert not hasattr(module.walk, "py_func")

    def context(patch):
        patch.setitem(sys.modules, "numba", None)
        patch.setattr(plahelpers, "_loops", module)
        patch.setitem(sys.modules, "plahelpers._loops", module)

    return context


def bits(run):
    arrays = [getattr(run, name).tobytes() for name in ("weights", "picks", "errors", "w", "last_w")]
    return [*arrays, run.updates, run.visits, run.halted, run.best_at, run.mistakes_left]


@st.composite
def rough_data(draw):
    """Any data with coordinates that round: thirds, tenths, of many sizes."""
    X, y = draw(any_data(max_N=12))
    return X / draw(st.sampled_from([3.0, 10.0, 7e5, 1e-9])) + draw(st.sampled_from([0.0, 0.1])), y


@given(rough_data(), orders, signs_of_zero, seeds, st.sampled_from([1.0, 0.1, 1 / 3]), st.booleans())
@settings(max_examples=40)
def test_compiled_equals_plain_to_the_last_bit(plain, data, order, zero, seed, eta, start_elsewhere):
    X, y = data
    start = np.linspace(-1, 1, X.shape[1] + 1) / 3 if start_elsewhere else None
    rules = {"order": order, "start": start, "eta": eta, "sign_of_zero": zero, "max_updates": 30, "rng": seed}

    def everything():
        experiments = [repeat(X, y, runs=3, **rules) for repeat in (repeat_pla, repeat_pocket)]
        columns = [
            getattr(each, name).tobytes() for each in experiments for name in ("updates", "halted", "w", "last_w")
        ]
        return [bits(pla(X, y, **rules)), bits(pocket(X, y, **rules)), columns]

    compiled = everything()
    with pytest.MonkeyPatch.context() as patch:
        plain(patch)
        assert everything() == compiled


def test_a_long_run_is_made_in_several_calls_and_comes_out_the_same(plain, monkeypatch):
    def some_runs():
        X, y = running_example()
        runs = [pla(X, -y, order=order, rng=3, max_updates=3000) for order in ("cyclic", "random")]
        return [bits(run) for run in (*runs, pocket(X, y, rng=3, start=[5, -3, 2]), pocket(X, -y, order="cyclic"))]

    in_few_calls = some_runs()
    plain(monkeypatch)
    monkeypatch.setattr(plahelpers._loops, "updates_in_a_call", lambda _: 7)
    assert some_runs() == in_few_calls


def run_program(code, **environment):
    """What a process of its own prints; the package compiles anew or finds its compiled code there."""
    command = [sys.executable, "-W", "ignore", "-c", code]
    variables = {**os.environ, **environment}
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, env=variables, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow
def test_an_install_that_cannot_be_written_to_still_works(tmp_path):
    """A copy of the package in a folder beside which nothing can be written: a file stands where the cache would be."""
    shutil.copytree(Path(_loops.__file__).parent, tmp_path / "plahelpers", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "plahelpers" / "__pycache__").touch()
    # No home either, the last place numba could think of: none can be made below a file.
    (tmp_path / "none").touch()
    nowhere = {name: str(tmp_path / "none" / "there") for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    program = f"""
import sys; sys.path.insert(0, {str(tmp_path)!r})
import numpy as np
from plahelpers import _loops
wrong = _loops.is_mistake(np.zeros(2), np.ones((1, 1)), np.ones(1, np.int64), 0, -1)
print(wrong, _loops.__file__, hasattr(_loops.walk, "py_func"))
"""
    assert run_program(program, **nowhere) == f"True {tmp_path / 'plahelpers' / '_loops.py'} True\n"


def test_the_next_process_finds_compiled_code_for_the_very_types_that_runs_use():
    code = """
from plahelpers import _loops, pla, pocket, repeat_pla, repeat_pocket, running_example
_loops.warm_up()
loops = [loop for loop in vars(_loops).values() if hasattr(loop, "signatures")]
assert not any(loop.stats.cache_misses for loop in loops), [loop.stats for loop in loops]
before = [list(loop.signatures) for loop in loops]
assert before and all(len(signatures) <= 1 for signatures in before)
X, y = running_example()
X.flags.writeable = y.flags.writeable = False
for order in ("cyclic", "shuffled", "random", list(range(20))):
    pla(X, y, order=order, rng=0).errors
    pocket(X, y, order=order, rng=0, keep_path=False)
    repeat_pla(X, y, order=order, rng=0, runs=3)
    repeat_pocket(X, y, order=order, rng=0, runs=3, test=(X, y)).test_error
assert [list(loop.signatures) for loop in loops] == before, [loop.signatures for loop in loops]
"""
    run_program(code)


STORM = """
import signal
signal.signal(signal.SIGALRM, signal.default_int_handler)
from plahelpers import pla, pocket, noisy_running_example
data = noisy_running_example()
pla(*data, max_updates=1), pocket(*data, max_updates=1)  # loads what is compiled
long = {"max_updates": 10**9, "keep_path": False}
for work in (
    lambda: pla(*data, **long),
    lambda: pla(*data, order="random", **long),
    lambda: pocket(*data, order="cyclic", **long),
):
    for k in range(100):
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.001 + k / 1e5)
            work()
        except KeyboardInterrupt:
            pass
print("alive")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such timer on Windows")
def test_ctrl_c_at_any_moment_is_heard_and_crashes_nothing():
    assert run_program(STORM) == "alive\n"

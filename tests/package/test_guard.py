"""A learner's function that does its worst is stopped and reported, and the process that asked lives on."""

import ctypes
import json
import os
import subprocess
import sys
import threading
import time
from functools import partial
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

from plahelpers import _guard, _outcome
from plahelpers._guard import Other, run_guarded

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs signals or os.fork")
pytestmark = pytest.mark.slow
QUICK = {"seconds": 2.0}  # half a second a case: what is stopped here would go on forever


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    """After every test: no process of ours is still running."""
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    yield
    left = [each for each in psutil.Process().children(recursive=True) if each.pid not in before]
    assert left == []


def one(function, *arguments, **limits):
    (outcome,) = run_guarded(function, [arguments], **limits)
    return outcome


def double(x):
    return 2 * x


# --- What comes back -------------------------------------------------------------------------------------------------


def test_values_come_back_as_they_were():
    values = [None, True, 3, -2.5, "text", [1, [2.0, None]], (1, (2,)), float("inf")]
    values += [np.array([[1.5, np.nan]]), np.array([1, 2]), np.array([True, False]), np.empty((3, 0)), np.empty((0, 3))]
    for value, outcome in zip(values, run_guarded(lambda x: x, [(v,) for v in values]), strict=True):
        assert outcome.kind == "returned"
        assert type(outcome.value) is type(value)
        np.testing.assert_equal(outcome.value, value)
        assert getattr(outcome.value, "dtype", None) == getattr(value, "dtype", None)


def test_what_is_no_number_or_too_large_is_described_and_never_unpickled():
    class Trap:
        def __reduce__(self):
            return (os._exit, (9,))

        def __repr__(self):
            return "a trap"

    def answer(k):
        many = [["x" * 1000] * 5000]
        values = [Trap(), 10**30, np.zeros(300_000), np.empty((10**9, 0)), {"w": 1}, many, range(2), np.longdouble(2)]
        return values[k]

    values = [outcome.value for outcome in run_guarded(answer, [(k,) for k in range(8)])]
    assert values[0] == Other("Trap", "a trap")
    assert [value.type for value in values[1:6]] == ["int", "ndarray", "ndarray", "dict", "value"]
    assert values[6:] == [[0, 1], 2.0]


def test_arguments_that_were_changed_are_named():
    def change(a, b, c):
        b[0] = 7
        c.append(1)

    assert one(change, np.zeros(2), np.zeros(2), []).changed == (1, 2)
    assert one(lambda a: a + 1, np.array([np.nan])).changed == ()


def test_all_output_is_collected_case_by_case():
    def speak(k):
        print("ü", k, file=sys.stderr)
        os.write(1, b"direct\n")

    outcomes = run_guarded(speak, [(0,), (1,)])
    assert [set(outcome.printed.split()) for outcome in outcomes] == [{"ü", "0", "direct"}, {"ü", "1", "direct"}]


def test_closures_lambdas_and_partials_travel_and_the_callers_globals_stay_as_they_are():
    offset, space = 10, {"seen": []}
    assert one(lambda x: x + offset, 1).value == 11
    assert one(partial(double, 4)).value == 8
    exec("def f(x):\n    seen.append(x)\n    return len(seen)", space)
    assert [outcome.value for outcome in run_guarded(space["f"], [(1,), (1,)])] == [1, 2]  # by one process
    assert space["seen"] == []


# --- What goes wrong -------------------------------------------------------------------------------------------------


def test_an_exception_is_told_with_the_learners_line():
    def fails_in_a_library():
        return np.linalg.inv(np.zeros((2, 2)))

    outcome = one(fails_in_a_library)
    assert (outcome.kind, outcome.error) == ("raised", "LinAlgError")
    assert outcome.code == "return np.linalg.inv(np.zeros((2, 2)))"
    assert one(double, 1, 2).error == "TypeError"


def test_an_endless_loop_is_stopped_its_line_and_output_are_told_and_the_next_case_is_served():
    def sometimes(x):
        print("before the loop")
        while x == 0:
            pass
        return x

    outcomes = run_guarded(sometimes, [(1,), (0,), (2,), (0,), (3,)], seconds=4)
    assert [outcome.kind for outcome in outcomes] == ["returned", "slow", "returned", "slow", "not tried"]
    assert outcomes[1].code in ("while x == 0:", "pass")
    assert outcomes[1].printed == "before the loop\n"


def test_the_line_of_a_loop_that_hangs_is_never_that_of_the_def():
    """At whatever step it is: Python 3.11 gives none to the jump back from an `if` that ends a loop."""

    def walk(X):
        while X:
            for x in X:
                if x > 0:
                    X = X[1:]

    _, *steps = walk.__code__.co_lines()  # the first one begins the call
    frames = [(SimpleNamespace(f_code=walk.__code__, f_lasti=start), line) for start, _, line in steps]
    lines = {_guard.Server()._own_line([frame])["line"] for frame in frames}
    assert {line - walk.__code__.co_firstlineno for line in lines} == {1, 2, 3, 4}


ENDINGS = {  # what a function does, the limits it meets, and how that ends
    "waiting_forever": ("time.sleep(1e6)", QUICK, "slow"),
    "computing_deep_inside_python": ("10 ** 10 ** 8", QUICK, "slow"),  # no thread of it can answer
    "eating_memory_step_by_step": ("x = []\nwhile True: x.append(np.ones(2_000_000))", {"megabytes": 200}, "memory"),
    "eating_memory_in_one_bite": ("np.ones(2 * 2**30 // 8).sum()", {"megabytes": 512}, "memory"),
    "printing_without_end": ("while True: print('x' * 1000)", {"output_kb": 4}, "output"),
    "asking_for_input": ("input('?')", {}, "raised EOFError"),
    "endless_recursion": ("f()", {}, "raised RecursionError"),
    "leaving_a_thread": ("threading.Thread(target=time.sleep, args=(1e6,)).start()\nreturn 1", {}, "returned 1"),
    "leaving_python": ("sys.exit(3)", {}, "exited SystemExit"),
    "leaving_python_at_once": ("os._exit(3)", {}, "died exit status 3"),
    "posix_crashing": ("ctypes.string_at(0)", {}, "died exit status -11"),
}
MODULES = {"ctypes": ctypes, "np": np, "os": os, "sys": sys, "threading": threading, "time": time}


@pytest.mark.parametrize("name", ENDINGS)
def test_a_function_that_does_its_worst_is_reported(name):
    if name.startswith("posix") and os.name == "nt":
        pytest.skip("needs signals or os.fork")
    code, limits, ending = ENDINGS[name]
    space = {**MODULES}
    exec("def f():\n    " + code.replace("\n", "\n    "), space)
    outcome = one(space["f"], **limits)
    details = (outcome.error, outcome.message, outcome.value)
    assert ending in (outcome.kind, *(f"{outcome.kind} {detail}" for detail in details))


# --- The object on its way -------------------------------------------------------------------------------------------


class _Odd:
    """It can be called, but what is sent in its place is up to `sent`."""

    def __init__(self, sent):
        self.sent = sent

    def __reduce__(self):
        return self.sent()

    def __call__(self):
        return 1


def go_on():
    while True: pass  # fmt: skip # noqa: E701 (in one line, which is the harder one to stop)


@pytest.mark.parametrize(("sent", "error"), [(lambda: (int, ("no number",)), "ValueError"), (go_on, "TimeoutError")])
def test_what_cannot_be_loaded_or_never_ends_is_told_and_debuggers_stay(sent, error, monkeypatch):
    monkeypatch.setattr(_guard, "_PICKLE_SECONDS", 1.0)
    tracer = sys.gettrace()
    outcome = one(_Odd(sent))
    assert (outcome.kind, outcome.error) == ("unshippable", error)
    assert sys.gettrace() is tracer


def test_what_is_too_large_to_be_sent_is_told(monkeypatch):
    monkeypatch.setattr(_guard, "_PICKLE_BYTES", 10_000)
    large = np.zeros(10_000)
    assert one(lambda: large).error == "MemoryError"


# --- Where it is asked -----------------------------------------------------------------------------------------------


@posix_only
@pytest.mark.parametrize("loop", ["pass", "import time; os.fork(); time.sleep(1e6)"])
def test_a_loop_ends_with_the_kernel_that_asked_for_it(tmp_path, loop):
    """Also if that was killed with -9, and also what the function has started."""
    name = tmp_path / "pid"
    code = f"import os\n    open({str(name)!r}, 'w').write(str(os.getpid()))\n    while True:\n        {loop}"
    script = f"from plahelpers._guard import run_guarded\ndef f():\n    {code}\nrun_guarded(f, [()], seconds=1000)"
    with subprocess.Popen([sys.executable, "-c", script]) as kernel:
        while not name.exists() or not name.read_text():
            time.sleep(0.05)
        worker = psutil.Process(int(name.read_text()))
        family = [worker, *worker.children(recursive=True)]
        kernel.kill()
    assert psutil.wait_procs(family, timeout=30)[1] == []


def test_pressing_stop_ends_the_process_too(monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_guard.Worker, "request", stop)
    with pytest.raises(KeyboardInterrupt):
        run_guarded(go_on, [()])


# --- What the other side may say -------------------------------------------------------------------------------------


def answer(value=None, **fields):
    return {**json.loads(_outcome.encode("returned", value)), **fields}


NONSENSE = [["kind"], {}, {"kind": "returned"}, answer(kind="perfect"), answer(error=3), answer(changed=["x"])]
NONSENSE += [answer(10**400), answer({"tuple": 1}), answer({"array": "O", "shape": [1], "items": [1]})]
NONSENSE += [answer({"array": "f8", "shape": [7], "items": [1]})]


@pytest.mark.parametrize("said", NONSENSE, ids=range(len(NONSENSE)))
def test_an_answer_that_makes_no_sense_is_refused(said):
    _outcome.decode(json.dumps(answer([1, (2,)])).encode())  # and one that does is not
    with pytest.raises((ValueError, TypeError)):
        _outcome.decode(json.dumps(said).encode())


def test_the_texts_of_an_answer_are_cut():
    long = "x" * 10**5
    said = answer({"type": long, "text": long}, error=long, message=long, file=long)
    outcome = _outcome.decode(json.dumps(said).encode())
    lengths = [len(text) for text in (outcome.error, outcome.message, outcome.file, outcome.value.type)]
    assert lengths == [100, 1000, 1000, 100]

"""A function that does its worst is stopped and reported, and the process that asked lives on."""

import asyncio
import contextlib
import ctypes
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import cloudpickle
import numpy as np
import psutil
import pytest

from plahelpers import guard
from plahelpers.guard import Other, Outcome, caller, run_guarded, worker

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs os.fork")
pytestmark = pytest.mark.slow
QUICK = {"seconds": 2.0}  # half a second a case: what is stopped here would go on forever


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    """After every test: no process of ours is still running, and no file is left open."""
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
    values += [np.array([[1.5, 2.0]]), np.array([1, 2]), np.array([True, False])]
    for value, outcome in zip(values, run_guarded(lambda x: x, [(v,) for v in values]), strict=True):
        assert outcome.kind == "returned"
        assert type(outcome.value) is type(value)
        np.testing.assert_equal(outcome.value, value)
        assert getattr(outcome.value, "dtype", None) == getattr(value, "dtype", None)
    outcomes = run_guarded(lambda k: [np.float64(0.1), np.int32(7), range(2), {5}][k], [(k,) for k in range(4)])
    assert [outcome.value for outcome in outcomes] == [0.1, 7, [0, 1], [5]]


def test_what_is_no_number_is_described_and_never_unpickled():
    class Trap:
        def __reduce__(self):
            return (os._exit, (9,))

        def __repr__(self):
            return "a trap"

    assert one(Trap).value == Other("Trap", "a trap")


def test_things_that_cannot_be_shown_or_sent_are_described():
    class Shy:
        def __repr__(self):
            raise RuntimeError

    def answer(k):
        return [Shy(), 10**30, np.zeros(300_000), np.array(["a"]), {"w": 1}, np.array([1, None])][k]

    values = [outcome.value for outcome in run_guarded(answer, [(k,) for k in range(6)])]
    assert [value.type for value in values[:5]] == ["Shy", "int", "ndarray", "ndarray", "dict"]
    assert values[5] == [1, None]
    assert worker.encode(Shy()) == {"type": "Shy", "text": "(something that cannot be shown)"}


def test_many_cases_are_served_by_one_process():
    pids = [outcome.value for outcome in run_guarded(lambda _: os.getpid(), [(k,) for k in range(5)])]
    assert len(set(pids)) == 1
    assert pids[0] != os.getpid()


def test_arguments_that_were_changed_are_named():
    def change(a, b, c):
        b[0] = 7
        c.append(1)

    assert one(change, np.zeros(2), np.zeros(2), []).changed == (1, 2)
    assert one(lambda a: a + 1, np.array([np.nan])).changed == ()


def test_all_output_is_collected_case_by_case():
    def speak():
        print("ü", file=sys.stderr)
        os.write(1, b"direct")

    assert {"ü", "direct"} <= set(one(speak).printed.split())
    outcomes = run_guarded(lambda k: print("case", k), [(0,), (1,)])
    assert [outcome.printed.split() for outcome in outcomes] == [["case", "0"], ["case", "1"]]


def test_the_globals_of_the_caller_stay_as_they_are():
    space = {"seen": []}
    exec("def f(x):\n    seen.append(x)\n    return len(seen)", space)
    assert one(space["f"], 1).value == 1
    assert space["seen"] == []


def test_closures_lambdas_and_partials_travel():
    from functools import partial

    offset = 10
    assert one(lambda x: x + offset, 1).value == 11
    assert one(partial(double, 4)).value == 8


# --- What goes wrong -------------------------------------------------------------------------------------------------


def test_an_exception_is_told_with_the_learners_line():
    def fails(x):
        return x / 0

    def fails_in_a_library():
        return np.linalg.inv(np.zeros((2, 2)))

    outcome = one(fails_in_a_library)
    assert (outcome.error, outcome.code) == ("LinAlgError", "return np.linalg.inv(np.zeros((2, 2)))")
    outcome = one(fails, 1)
    assert (outcome.kind, outcome.error, outcome.message) == ("raised", "ZeroDivisionError", "division by zero")
    assert outcome.code == "return x / 0"
    too_many = one(double, 1, 2)
    assert (too_many.error, too_many.line) == ("TypeError", None)


def test_an_endless_loop_is_stopped_and_the_line_is_told():
    def endless(x):
        while True:
            x += 1

    outcomes = run_guarded(endless, [(1,), (2,), (3,)], **QUICK)
    assert [outcome.kind for outcome in outcomes] == ["slow", "slow", "not tried"]
    assert outcomes[0].code in ("while True:", "x += 1")


def test_after_a_call_that_does_not_return_the_next_case_is_served():
    def sometimes(x):
        while x == 0:
            pass
        return x

    outcomes = run_guarded(sometimes, [(1,), (0,), (2,)], seconds=4)
    assert [outcome.kind for outcome in outcomes] == ["returned", "slow", "returned"]
    outcomes = run_guarded(lambda leave: leave(3), [(sys.exit,), (os._exit,), (double,)])
    assert [outcome.kind for outcome in outcomes] == ["exited", "died", "returned"]


def test_printing_without_end_is_stopped_and_its_beginning_kept():
    def prints():
        while True:
            print("again")

    outcome = one(prints, output_kb=4)
    assert outcome.kind == "output"
    assert outcome.printed.startswith("again")
    assert len(outcome.printed) <= 4 * 1024


FORGES = "for pipe in range(3, 9): write(pipe, {!r})\nwhile True: pass"
ENDINGS = {  # what a function does, the limits it meets, and how that ends
    "waiting_forever": ("time.sleep(1e6)", QUICK, "slow"),
    "eating_memory_step_by_step": ("x = []\nwhile True: x.append(np.ones(2_000_000))", {"megabytes": 200}, "memory"),
    "eating_memory_in_one_bite": ("np.ones(2 * 2**30 // 8).sum()", {"megabytes": 512}, "memory"),
    "printing_too_much_before_returning": ("print('x' * 100_000)", {"output_kb": 4}, "output"),
    "asking_for_input": ("input('?')", {}, "raised EOFError"),
    "endless_recursion": ("f()", {}, "raised RecursionError"),
    "closing_the_outputs": ("sys.stdout.close()\nsys.stderr = None\nos.close(2)\nreturn 5", {}, "returned 5"),
    "leaving_a_thread": ("threading.Thread(target=time.sleep, args=(1e6,)).start()\nreturn 1", {}, "returned 1"),
    "leaving_python": ("sys.exit(3)", {}, "exited SystemExit"),
    "leaving_python_at_once": ("os._exit(3)", {}, "died exit status 3"),
    "posix_stopping_itself": ("os.kill(os.getpid(), signal.SIGSTOP)", QUICK, "slow"),  # no thread of it can answer
    "posix_crashing": ("ctypes.string_at(0)", {}, "died signal SIGSEGV"),
    "posix_killing_itself": ("os.kill(os.getpid(), 9)", {}, "died signal SIGKILL"),
    "posix_closing_our_pipes": ("os.closerange(3, 100)\nreturn 5", {}, "died"),
    "posix_forking_without_end": ("while True: os.fork()", {}, "processes"),
    "posix_forging_nonsense": (FORGES.format(b"nonsense\n"), QUICK, "died"),
    "posix_forging_a_list": (FORGES.format(b"[]\n"), QUICK, "died"),
    "posix_forging_a_value": (FORGES.format(b'{"kind": "returned", "value": {"x": 1}}\n'), QUICK, "died"),
}
MODULES = {"ctypes": ctypes, "np": np, "os": os, "signal": signal, "sys": sys, "threading": threading, "time": time}


def write(pipe, line):
    with contextlib.suppress(OSError):
        os.write(pipe, line)


@pytest.mark.parametrize("name", ENDINGS)
def test_a_function_that_does_its_worst_is_reported(name):
    if name.startswith("posix") and os.name == "nt":
        pytest.skip("needs signals or os.fork")
    code, limits, ending = ENDINGS[name]
    space = {**MODULES, "write": write}
    exec("def f():\n    " + code.replace("\n", "\n    "), space)
    outcome = one(space["f"], **limits)
    details = (outcome.error, outcome.message, outcome.value)
    assert ending in (outcome.kind, *(f"{outcome.kind} {detail}" for detail in details))


def still_runs(pid):
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def wait_for_the_end_of(pid):
    for _ in range(200):
        if not still_runs(pid):
            return True
        time.sleep(0.02)
    return False


def test_programs_left_running_are_ended():
    def leaves():
        sleeps = [sys.executable, "-c", "import time; time.sleep(1e6)"]
        return subprocess.Popen(sleeps).pid, subprocess.Popen(sleeps, start_new_session=True).pid

    outcome = one(leaves)
    assert all(wait_for_the_end_of(pid) for pid in outcome.value)


@posix_only
def test_a_process_that_ran_away_from_its_family_is_ended():
    def runs_away():
        read, write = os.pipe()
        if os.fork() == 0:
            os.setsid()
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1e6)"])
            os.write(write, str(child.pid).encode())
            os._exit(0)
        os.wait()
        return int(os.read(read, 20))

    assert wait_for_the_end_of(one(runs_away).value)


def test_what_cannot_be_sent_is_told():
    lock = threading.Lock()
    outcomes = run_guarded(lambda _: lock, [(1,), (2,)])
    assert [outcome.kind for outcome in outcomes] == ["unshippable", "unshippable"]
    assert "lock" in outcomes[0].message


class _Unloadable:
    """It can be sent, but not be made again on the other side."""

    def __reduce__(self):
        return (int, ("not a number",))

    def __call__(self):
        return 1


def test_what_cannot_be_loaded_is_told():
    outcome = one(_Unloadable())
    assert (outcome.kind, outcome.error) == ("unshippable", "ValueError")
    answers, _ = served(_Unloadable())
    assert [answer["kind"] for answer in answers] == ["unshippable"]


# --- Where it is asked -----------------------------------------------------------------------------------------------


def test_it_works_while_an_event_loop_runs():
    async def ask():
        return one(double, 4).value

    assert asyncio.run(ask()) == 8


def test_a_script_without_a_main_guard_is_not_run_again(tmp_path):
    script = tmp_path / "script.py"
    functions = "def f(x):\n    return helper(x)\ndef helper(x):\n    return x + 1\n"
    call = "from plahelpers.guard import run_guarded\nprint('once', run_guarded(f, [(1,)])[0].value)\n"
    script.write_text(functions + call, encoding="utf-8")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["once", "2"]


def test_pressing_stop_ends_the_process_too(monkeypatch):
    def endless():
        while True:
            pass

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(guard.Worker, "_wait", stop)
    with pytest.raises(KeyboardInterrupt):
        run_guarded(endless, [()])


def test_a_module_beside_the_caller_can_be_imported(tmp_path, monkeypatch):
    (tmp_path / "beside_the_notebook.py").write_text("def triple(x):\n    return 3 * x\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import beside_the_notebook

    assert one(beside_the_notebook.triple, 2).value == 6


# --- The worker, from inside -----------------------------------------------------------------------------------------


def served(function, *cases, seconds=60.0):
    """The answers of a worker that runs in this very process."""
    requests = io.BytesIO(b"".join(map(pickle.dumps, [function, *((case, seconds) for case in cases)])))
    answers, output = io.BytesIO(), io.BytesIO()
    worker.serve_function(requests, worker.AnswerChannel(answers, output, b"|"))
    return [json.loads(line) for line in answers.getvalue().splitlines()], output.getvalue()


def test_a_worker_answers_each_request_and_marks_the_end_of_its_prints():
    answers, output = served(double, (2,), (3.5,))
    assert [answer["kind"] for answer in answers] == ["ready", "returned", "returned"]
    assert [answer["value"] for answer in answers[1:]] == [4, 7.0]
    assert output == b"||"


@pytest.mark.parametrize(
    ("argument", "kind"), [(SystemExit, "exited"), (MemoryError, "memory"), (KeyboardInterrupt, "raised")]
)
def test_a_worker_survives_whatever_is_raised(argument, kind):
    answers, _ = served(raises, (argument,))
    assert answers[1]["kind"] == kind


def raises(error):
    raise error


def works(seconds=1.0):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


@pytest.mark.parametrize(
    ("clock_per_cpu_second", "function", "case", "kind"),
    [(100, time.sleep, (0.5,), "returned"), (100, works, (), "slow"), (4, time.sleep, (2,), "slow")],
)
def test_it_is_the_processors_time_that_counts_and_the_clock_has_its_limit(
    clock_per_cpu_second, function, case, kind, monkeypatch
):
    """Half a second of waiting costs nothing, half a second of work is too long; a slow call is answered once."""
    monkeypatch.setattr(worker, "CLOCK_PER_CPU_SECOND", clock_per_cpu_second)
    answers, _ = served(function, case, seconds=0.2)
    assert [answer["kind"] for answer in answers] == ["ready", kind]


def test_all_kinds_of_values_become_plain_data():
    values = (None, True, 2, 2.5, "a", [1], (1,), np.array([1.5]), np.float32(2), object(), np.array(["a"]), 10**40)
    for value in values:
        json.dumps(worker.encode(value))


def test_a_silent_exception_has_a_name_and_no_words():
    class SilentError(Exception):
        def __str__(self):
            raise RuntimeError

    answer = worker.call(lambda: raises(SilentError), (), "".__eq__)
    assert (answer["error"], answer["message"]) == ("SilentError", "")


@posix_only
def test_a_worker_keeps_its_pipes_to_itself():
    """main, in this process: what it calls finds no input, and its prints are not among the answers."""
    stdin, stdout, stderr = os.pipe(), os.pipe(), os.pipe()
    os.write(stdin[1], pickle.dumps(reads_and_prints) + pickle.dumps(((), 60.0)))
    os.close(stdin[1])
    ours = [os.dup(k) for k in range(3)]
    try:
        for k, pipe in enumerate((stdin[0], stdout[1], stderr[1])):
            os.dup2(pipe, k)
        worker.main(1e6, b"|")
    finally:
        for k, old in enumerate(ours):
            os.dup2(old, k)
    for pipe in (stdin[0], stdout[1], stderr[1], *ours):
        os.close(pipe)
    with os.fdopen(stdout[0], "rb") as answers, os.fdopen(stderr[0], "rb") as printed:
        assert [json.loads(line)["kind"] for line in answers] == ["ready", "returned"]
        assert printed.read() == b"printed|"


def reads_and_prints():
    os.write(1, b"printed")
    return len(os.read(0, 1))


def test_a_function_that_brings_its_own_way_is_called_that_way():
    class Far:
        def __call__(self):
            raise AssertionError("called here")

        def run_cases(self, cases, *, seconds):
            return [Outcome("returned", (case, seconds)) for case in cases]

    assert [outcome.value for outcome in run_guarded(Far(), [(1,), (2,)], seconds=3)] == [((1,), 3), ((2,), 3)]


def test_cases_are_called_in_turn_until_the_budget_is_spent_or_two_were_slow():
    """A quarter of the seconds a case; after two that are slow, or when all are spent, no more."""
    timeouts = []

    def call(arguments, timeout):
        timeouts.append(timeout)
        return Outcome("slow" if arguments == ("slow",) else "returned"), 3.0

    def kinds(cases, seconds):
        return [outcome.kind for outcome in guard.run_within_budget(cases, call, seconds=seconds)]

    assert kinds([("slow",), ("slow",), ("fast",)], 20) == ["slow", "slow", "not tried"]
    assert kinds([("fast",)] * 3, 4) == ["returned", "returned", "not tried"]
    assert timeouts == [5, 5, 1, 1]


# --- What the other side may say -------------------------------------------------------------------------------------


def returned(value):
    return {"kind": "returned", "value": value}


def deep(value, depth):
    return value if depth == 0 else {"list": [deep(value, depth - 1)]}


def array(*shape):
    return returned({"array": "f8", "shape": shape, "data": ""})


@pytest.mark.parametrize(
    "answer",
    [
        {"kind": "perfect"},
        ["kind"],
        "kind",
        {"kind": ["returned"]},
        {"kind": "raised", "line": float("inf")},
        {"kind": "raised", "line": float("nan")},
        {"kind": "raised", "error": 3},
        {"kind": "returned", "changed": 3},
        returned([[], []]),
        returned(10**400),
        returned({"str": ["text"]}),
        returned({"list": 3}),
        returned(deep(1, 7)),
        returned({"array": ["f8"], "shape": [0], "data": ""}),
        array(*(6,) * 20, 0),
        array(10**9, 0),
        array(10**5, 10**5, 0),
        array(*(1,) * 9, 0),
        array(-1),
        array(True),
        array(0.0),
        {"kind": "returned", "value": {"array": "O", "shape": [1], "data": "AAAAAAAAAAA="}},
        {"kind": "returned", "value": {"array": "f8", "shape": [7], "data": "AAAAAAAAAAA="}},
        {"kind": "returned", "changed": ["x"]},
        {"kind": "raised", "line": "many"},
    ],
)
def test_an_answer_that_makes_no_sense_is_refused(answer):
    with pytest.raises((ValueError, KeyError, TypeError)):
        caller._decode_outcome(json.loads(json.dumps(answer)), lambda *_: "")


def test_the_texts_of_an_answer_are_cut():
    long = "x" * 10**5
    outcome = caller._decode_outcome(
        {"kind": "raised", "error": long, "message": long, "file": long, "value": {"type": long, "text": long}},
        lambda *_: "",
    )
    lengths = [len(text) for text in (outcome.error, outcome.message, outcome.file, outcome.value.type)]
    assert lengths == [100, 1000, 1000, 100]
    assert len(caller._decode_outcome(returned({"str": long}), lambda *_: "").value) == 1000


def test_an_array_without_entries_is_described_if_it_has_too_many_rows():
    """Who looks at its rows, one in the other, would never come to an end."""
    for shape in ((6,) * 20 + (0,), (10**9, 0), (1,) * 9):
        assert one(np.empty, shape).value.type == "ndarray"
    assert one(lambda: np.empty((3, 0))).value.shape == (3, 0)


def test_a_value_that_is_too_large_is_described_and_the_process_lives_on():
    values = [outcome.value for outcome in run_guarded(lambda n: [["x" * 1000] * n], [(5000,), (1,)])]
    assert values == [Other("value", "(a value that is too large)"), [["x" * 1000]]]


def test_numbers_and_texts_of_a_class_with_a_will_of_its_own_arrive_plain():
    class Liar(float):
        def __add__(self, other):
            return self

    class LiarInt(int):
        def __add__(self, other):
            return object()

        def __abs__(self):
            return self / 0

    assert [type(one(lambda k=k: k).value) for k in (Liar(2), LiarInt(2))] == [float, int]


def test_an_argument_that_was_spoiled_is_an_error_of_the_function():
    class Spoiled:
        @property
        def __array__(self):
            raise ValueError("spoiled")

    outcome = one(lambda items: items.append(Spoiled()), [])
    assert (outcome.kind, outcome.message) == ("raised", "spoiled")


class _Leaves:
    """It ends Python when it is about to be sent."""

    def __reduce__(self):
        raise SystemExit

    def __call__(self):
        return 1


def test_what_ends_python_while_it_is_sent_is_told():
    outcome = one(_Leaves())
    assert (outcome.kind, outcome.error) == ("unshippable", "SystemExit")


@posix_only
def test_who_answers_and_never_reads_again_does_not_make_us_wait_for_ever():
    """The second request is longer than a pipe holds; a single case would not show it."""

    def forges(_):
        for pipe in range(3, 9):
            write(pipe, b'{"kind": "returned", "value": 1}\n')
        while True:
            pass

    _, second = run_guarded(forges, [(np.zeros(10**6),)] * 2, **QUICK)
    assert second.kind in ("slow", "died")


@posix_only
def test_answers_that_nobody_asked_for_are_nonsense():
    def forges():
        for pipe in range(3, 9):
            for _ in range(1000):
                write(pipe, b'{"kind": "returned", "value": 100}\n')

    _, second = run_guarded(forges, [()] * 2)
    assert (second.kind, second.message) == ("died", "it answered nonsense")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how long a process waits for a processor")
def test_a_busy_machine_makes_no_function_slow():
    """Eight others on the same processor: what takes 0.8 of the 1 second takes seven by the clock."""
    all_processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(all_processors)})
    program = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(program, start_new_session=True) for _ in range(8)]  # a session has a share of its own
    try:
        outcome = one(works, 0.8, seconds=4)
    finally:
        os.sched_setaffinity(0, all_processors)
        for process in busy:
            process.kill()
            process.wait()
    assert outcome.kind == "returned"


def test_a_clock_that_was_put_back_inside_gives_no_more_time():
    def cheats():
        time.process_time = time.monotonic = lambda: 0.0
        until = time.perf_counter() + 60
        while time.perf_counter() < until:
            pass

    runner = caller._FunctionRunner(cloudpickle.dumps(cheats), 512, 64)
    with contextlib.closing(runner):
        outcome, spent = runner.call((), 1.5)
    assert outcome.kind == "slow"
    assert spent < 4.0  # of the processor: 1.5, and one more in which it may tell the line


@posix_only
def test_memory_is_watched_also_while_nobody_waits():
    def later():
        def eat():
            time.sleep(0.5)
            eaten = []
            while True:
                eaten.append(np.ones(10**6))

        threading.Thread(target=eat, daemon=True).start()

    runner = caller._FunctionRunner(cloudpickle.dumps(later), 200, 64)
    with contextlib.closing(runner):
        assert runner.call((), 5.0)[0].kind == "returned"
        assert wait_for_the_end_of(runner.worker.process.pid)
        assert runner.call((), 5.0)[0].kind == "memory"


def test_an_answer_that_is_too_long_is_cut_and_not_believed(monkeypatch):
    monkeypatch.setattr(caller, "MAX_ANSWER", 1000)
    assert one(lambda: list(range(100))).kind == "returned"
    assert one(lambda: list(range(1000))).kind == "died"


def test_long_output_may_be_thrown_away_instead_of_stopped():
    buffer = guard.OutputBuffer(keep=4, limit=1000)
    for _ in range(50):
        buffer.append(b"0123456789")
    assert not buffer.limit_exceeded
    buffer.append(buffer.marker[:10])
    assert not buffer.case_ended.is_set()
    buffer.append(buffer.marker[10:])
    assert (buffer.case_ended.is_set(), buffer.text()) == (True, "0123")
    buffer.append(b"x" * 600)
    assert buffer.limit_exceeded
    buffer = guard.OutputBuffer(keep=6)
    buffer.append(b"abc" + buffer.marker)  # which is no part of the output
    assert (buffer.text(), buffer.limit_exceeded) == ("abc", False)


@posix_only
def test_memory_that_processes_share_is_counted_once():
    def shares():
        kept = np.ones(15_000_000)  # 120 MB, which each of the forks sees, but none copies
        children = []
        for _ in range(4):
            pid = os.fork()
            if pid == 0:
                time.sleep(1.0)
                os._exit(0)
            children.append(pid)
        for pid in children:
            os.waitpid(pid, 0)
        return float(kept[0])

    assert one(shares, seconds=60, megabytes=400).value == 1.0

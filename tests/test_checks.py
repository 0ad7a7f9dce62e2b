"""Checks: right functions pass in any style, wrong ones are told which mistake they make, and nothing does harm."""

import contextlib
import html
import inspect
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

import numpy as np
import pytest
from wrong_versions import (
    WRONG,
    bias,
    errors,
    greedy_right,
    pla_minus,
    pla_numpy_sign,
    pla_right,
    pocket_base,
    pocket_ties,
    repeat_pocket_base,
    sgn,
    standardise_right,
)

from plahelpers import checks, guarantee, hypothesis, learning
from plahelpers.checks import (
    cases as _cases,
    tasks,
    wrong_data as _wrong_data,
    wrong_greedy as _wrong_greedy,
    wrong_pla as _wrong_pla,
    wrong_pocket as _wrong_pocket,
)
from plahelpers.checks.answers import read_pocket, read_walk, same
from plahelpers.checks.sentences import Voice, capital
from plahelpers.checks.wrong_base import Endless
from plahelpers.guard import Other, Outcome


def remembered(version):
    """The same version, which does not work out the same case twice: each is held against all the others here."""
    known = {}

    def recall(*case):
        key = tuple((np.shape(each), np.asarray(each).tobytes()) for each in case)
        if key not in known:
            try:
                known[key] = version(*case)
            except Endless:
                known[key] = Endless
        if known[key] is Endless:
            raise Endless
        return known[key]

    return recall


def with_memory(task):
    return replace(
        task, wrong=tuple(replace(it, versions=tuple(remembered(each) for each in it.versions)) for it in task.wrong)
    )


TASKS = {name.lower(): with_memory(it) for name, it in vars(tasks).items() if isinstance(it, tasks.Task) and it.wrong}
SEEDS = [None, 0, 1, 2]  # of the cases: the fixed ones alone, and with fresh ones
VERSIONS = [
    pytest.param(task, wrong, version, id=f"{name}-{wrong.id}-{k}")
    for name, task in TASKS.items()
    for wrong in task.wrong
    for k, version in enumerate(wrong.versions)
]


@cache
def cases_of(task, seed=None):
    return tasks.cases_of(task, seed)


@cache
def outcomes_of(version, task, seed=None):
    """What the guard would find: after two cases that never return, no more are tried."""
    found = []
    for case in cases_of(task, seed):
        try:
            if [it.kind for it in found].count("slow") == 2:
                found.append(Outcome("not tried"))
            else:
                found.append(Outcome("returned", version(*case)))
        except Endless:
            found.append(Outcome("slow"))
    return found


def judged(task, outcomes, seed=None):
    return checks._judge(task, len, cases_of(task, seed), outcomes)


# --- Right functions pass --------------------------------------------------------------------------------------------


def pla_with_lists(points, labels):
    """Plain Python, no array anywhere."""
    rows = [[1.0, *map(float, p)] for p in points]
    w, clean, n = [0.0] * len(rows[0]), 0, 0
    while clean < len(rows):
        score = sum(a * b for a, b in zip(w, rows[n], strict=True))
        if (score > 0) == (labels[n] > 0):
            clean += 1
        else:
            w = [a + int(labels[n]) * b for a, b in zip(w, rows[n], strict=True)]
            clean = 0
        n = (n + 1) % len(rows)
    return w


def pla_with_for(X, y):
    """Whole passes until one is clean, and everything it knows is returned."""
    Z, w, picks = bias(X), np.zeros(X.shape[1] + 1), []
    for _ in range(10_000):
        before = len(picks)
        for n in range(len(Z)):
            if sgn(w @ Z[n]) != y[n]:
                w += y[n] * Z[n]
                picks.append(n)
        if len(picks) == before:
            break
    return w, len(picks), picks, "and a remark", {"N": len(y)}


def pla_vectorised(X, y):
    """All scores at once; the next mistake from here on, around the cycle."""
    Z, at = bias(X), 0
    w = np.zeros((Z.shape[1], 1))
    while (wrong := np.flatnonzero(np.where(Z @ w > 0, 1, -1).ravel() != y)).size:
        n = wrong[np.argmin((wrong - at) % len(y))]
        w = w + y[n] * Z[n][:, None]
        at = n + 1
    return w


def pla_with_last(X, y):
    w, updates, picks, *_ = pla_with_for(X, y)
    return tuple(w), float(updates), picks[-1] if picks else None


def pla_with_order(X, y, order):
    Z, w = bias(X), np.zeros(X.shape[1] + 1)
    while errors(w, Z, y):
        for n in order:
            if sgn(w @ Z[n]) != y[n]:
                w = w + y[n] * Z[n]
    return w


def pla_in_steps_of(X, y, eta):
    return pla_right(X, y, eta)[:2]


def pla_of_the_package(X, y, eta=1):
    run = learning.pla(X, y, eta=eta)
    return run.w, run.picks


def greedy_that_stops_at_once(X, y, order):
    """Visit by visit, and it ends as soon as N visits in a row brought nothing, or no mistake is left."""
    Z, w, since, n = bias(X), np.zeros(X.shape[1] + 1), 0, 0
    while since < len(y) and errors(w, Z, y):
        k = order[n % len(y)]
        n, since = n + 1, since + 1
        if sgn(w @ Z[k]) != y[k] and errors(w + y[k] * Z[k], Z, y) < errors(w, Z, y):
            w, since = w + y[k] * Z[k], 0
    return w


def standardise_as_scikit_learn_does(train, test):
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(train)
    return scaler.transform(train), scaler.transform(test)


def hard_pair():
    """Two points side by side, far from the origin."""
    return [[10, 0], [11, 0]], [-1, 1]


def hard_line():
    """Many points far from the origin, and a line among them that does not go through it."""
    X = np.random.default_rng(1).uniform(9, 10, (200, 2))
    return X, np.where(X[:, 0] - X[:, 1] > 0.2, 1, -1)


def hard_and_all_positive():
    """One class is enough: the two examples pull w₁ to and fro until w₀ has grown."""
    return np.array([[100.0, 0.0], [-99.0, 0.0]]), np.array([1, 1])


class Learner:
    def __call__(self, X, y):
        return pla_with_for(X, y)[0].tolist()


RIGHT = {
    "pla": [
        pla_with_lists, pla_with_for, pla_vectorised, pla_with_last, pla_with_order, Learner(),
        lambda X, y: pla_right(X, y)[:2], lambda X, y: (pla_right(X, y)[0],), partial(pla_in_steps_of, eta=1),
        lambda *data: pla_with_lists(data[0], data[1]), pla_of_the_package,
        lambda X, y: [[entry] for entry in pla_with_lists(X, y)],
    ],
    "pocket": [
        pocket_base, lambda X, y, m: pocket_base(X, y, m)[0].tolist(),
        lambda X, y, m: learning.pocket(X, y, max_updates=m, order="cyclic").w,
        lambda X, y, m: (pocket_base(X, y, m)[0], 3, "ignored"),
    ],
    "with_bias": [bias, lambda X: [[1, *row] for row in X.tolist()], hypothesis.with_bias],
    "sign": [sgn, lambda s: np.where(s > 0, 1, -1), lambda s: np.array([1.0 if s > 0 else -1.0]), hypothesis.sign],
    "predict": [lambda w, X: [sgn(w @ z) for z in bias(X)], lambda w, X: np.where(bias(X) @ w[:, None] > 0, 1.0, -1.0)],
    "is_mistake": [
        lambda w, x, y: sgn(w @ [1, *x]) != y, lambda w, x, y: int(sgn(w @ np.r_[1, x]) != y), hypothesis.is_mistake
    ],
    "mistakes": [
        lambda w, X, y: errors(w, bias(X), y), lambda w, X, y: np.where(bias(X) @ w > 0, 1, -1) != y,
        lambda w, X, y: np.where(np.where(bias(X) @ w > 0, 1, -1) != y), hypothesis.mistakes,
        lambda w, X, y: {n for n, z in enumerate(bias(X)) if sgn(w @ z) != y[n]},
    ],
    "error_rate": [lambda w, X, y: errors(w, bias(X), y) / len(y), hypothesis.error_rate],
    "update": [
        lambda w, x, y: w + y * np.r_[1, x],
        lambda w, x, y: [a + y * b for a, b in zip(w, [1, *x], strict=True)],
    ],
    "radius": [lambda X: np.linalg.norm(bias(X), axis=1).max(), guarantee.radius],
    "margin": [lambda X, y, w: min(y * (bias(X) @ w)) / np.sqrt(w @ w), guarantee.margin],
    "update_bound": [guarantee.update_bound],
    "repeat_pla": [
        lambda X, y, cycles: [learning.pla(X, y, order=cycle).updates for cycle in cycles],
        lambda X, y, cycles: np.mean([learning.pla(X, y, order=cycle).updates for cycle in cycles]),
    ],
    "repeat_pocket": [repeat_pocket_base, lambda *case: np.array(repeat_pocket_base(*case))],
    "greedy": [greedy_right, greedy_that_stops_at_once, lambda X, y, order: greedy_right(X, y, order).tolist()],
    "gains": [
        lambda weights, w_f: np.diff(weights @ w_f),
        lambda weights, w_f: [float(w_f @ (v - w)) for w, v in pairwise(weights)],
        lambda weights, w_f: np.diff(weights @ w_f[:, None], axis=0),
    ],
    "growths": [
        lambda weights: [v @ v - w @ w for w, v in pairwise(weights)],
        lambda weights: np.diff(np.linalg.norm(weights, axis=1) ** 2),
    ],
    "standardise": [
        standardise_right, standardise_as_scikit_learn_does,
        lambda train, test: [it.tolist() for it in standardise_right(train, test)],
    ],
    "hard_data": [hard_pair, hard_line, lambda: [it.tolist() for it in hard_line()], hard_and_all_positive],
}  # fmt: skip


# What may stand after w, updates and picks without being taken for one of them; of a run and its data.
MORE = {
    "pla": {
        "path": lambda run: (run.w, run.weights),
        "path after updates": lambda run: (run.w, run.updates, list(run.weights)),
        "error rate": lambda run: (run.w, run.updates, 0.0),
        "passes": lambda run: (run.w, run.updates, run.visits // len(run.y)),
        "share": lambda run: (run.w, run.updates, 0.25),
        "halted": lambda run: (run.w, True),
        "halted last": lambda run: (run.w, run.updates, np.True_),
    },
    "pocket": {
        "a vector as long as w": lambda run: (run.w, [5] * len(run.w)),
        "mistakes on the way": lambda run: (run.w, run.errors),
    },
}
LEARN = {
    "pla": learning.pla,
    "pocket": lambda X, y, budget: learning.pocket(X, y, max_updates=budget, order="cyclic"),
}


@pytest.mark.parametrize(("check", "more"), [(check, more) for check, given in MORE.items() for more in given])
def test_other_values_after_the_documented_ones_are_ignored(check, more):
    task = TASKS[check]
    report = judged(task, [Outcome("returned", MORE[check][more](LEARN[check](*case))) for case in task.cases()])
    assert report.passed, report
    assert ("not compared" in repr(report)) == (more in ("error rate", "passes", "a vector as long as w"))


def test_a_last_example_that_is_wrong_in_a_known_way_is_not_ignored():
    runs = [learning.pla(*case) for case in _cases.pla()]
    answers = [(run.w, run.updates, run.picks[-1] + 1 if run.updates else None) for run in runs]
    assert judged(tasks.PLA, [Outcome("returned", each) for each in answers]).mistake == "numbers_from_one"


@pytest.mark.parametrize(
    ("check", "function"), [(check, each) for check, functions in RIGHT.items() for each in functions]
)
def test_a_right_function_passes_in_any_style(check, function):
    report = getattr(checks, check)(function, seconds=40, seed=6)
    assert report.passed, report
    assert report.points == 1
    assert report.mistake is None
    assert report.trouble is None
    assert all(case.passed for case in report.cases)


def test_every_check_is_tried_with_right_and_with_wrong_functions():
    offered = {name for name in checks.__all__ if inspect.isfunction(getattr(checks, name))}
    assert offered - {"number", "numbers", "choice"} == set(RIGHT) == set(WRONG)


# --- In whole --------------------------------------------------------------------------------------------------------


def counts_along(X, y, cycles):
    return [learning.pla(X, y, order=cycle).updates for cycle in cycles]


def whole_walk(X, y):
    return pla_with_for(X, y)[:3]


WHOLE = {
    "pla": [whole_walk, lambda X, y: [it.tolist() if hasattr(it, "tolist") else it for it in whole_walk(X, y)]],
    "pocket": [pocket_base, lambda X, y, m: [it.tolist() for it in pocket_base(X, y, m)]],
    "repeat_pla": [counts_along, lambda *it: np.array(counts_along(*it))],
}
NOT_WHOLE = [
    ("pla", lambda X, y: whole_walk(X, y)[0], "w = (1, 2, 1) only. Missing: updates, picks. It should return (w, upd"),
    ("pla", lambda X, y: whole_walk(X, y)[:2], "w = (1, 2, 1), updates = 1 only. Missing: picks."),
    ("pla", pla_with_last, "Missing: picks."),
    ("pla", lambda X, y: [whole_walk(X, y)[k] for k in (0, 2, 1)], "these three in this order."),
    ("pla", pla_with_for, "these three in this order."),
    ("pocket", lambda *it: pocket_base(*it)[0], "Missing: last w. It should return (w, last_w), these two in this ord"),
    ("pocket", lambda *it: (pocket_base(*it)[0], 7), "Missing: last w."),
    ("pocket", lambda *it: (*pocket_base(*it), 7), "these two in this order."),
    ("repeat_pla", lambda *it: np.mean(counts_along(*it)), "only. Missing: updates. It should return a list with"),
    ("repeat_pla", lambda *it: [counts_along(*it)], "It should return a list with the number of updates of each run."),
]


@pytest.mark.parametrize(("check", "function"), [(check, it) for check, versions in WHOLE.items() for it in versions])
def test_whoever_returns_everything_passes_in_whole(check, function):
    assert getattr(checks, check)(function, seconds=40, seed=6, whole=True).passed


@pytest.mark.parametrize(("check", "function", "words"), NOT_WHOLE)
def test_whoever_returns_less_or_more_or_another_order_is_right_but_not_in_whole(check, function, words):
    assert getattr(checks, check)(function, seconds=40).passed
    report = getattr(checks, check)(function, seconds=40, whole=True)
    assert (report.passed, report.points, report.mistake) == (False, 0, None)
    assert words in report.messages[2]
    assert "differs" not in repr(report)


def test_in_whole_all_that_is_expected_is_shown():
    assert "Expected: w = (1, 2, 1), updates = 1, picks = (0)" in checks.pla(pla_with_lists, whole=True).messages


@pytest.mark.parametrize(
    ("check", "function", "mistake", "missing"),
    [
        ("pla", pla_numpy_sign, "zero_always_wrong", "updates, picks"),
        ("pocket", pocket_ties, "replaces_on_ties", "last w"),
    ],
)
def test_a_mistake_is_named_though_something_is_missing_too(check, function, mistake, missing):
    report = getattr(checks, check)(function, seconds=4, whole=True)
    assert report.mistake == mistake
    assert f"only. Missing: {missing}. It should return (w, " in repr(report)
    got, expected = report.messages[3:5]
    assert got.split(" only.")[0].removeprefix("Came out: ") not in expected  # a case in which w itself is wrong


def test_in_whole_a_second_vector_is_the_last_w():
    def my_pocket(X, y, budget):
        return pocket_base(X, y, budget)[0], np.full(X.shape[1] + 1, 5.0)

    assert checks.pocket(my_pocket).passed
    assert "Its w is right; what differs is last w." in checks.pocket(my_pocket, whole=True).messages


# --- Wrong functions are told their mistake --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "mistake", "function"),
    [pytest.param(check, *pair, id=f"{check}-{pair[0]}") for check, pairs in WRONG.items() for pair in pairs],
)
def test_a_learners_mistake_is_named(check, mistake, function):
    report = getattr(checks, check)(function, seconds=4, seed=5)
    assert not report.passed
    assert report.mistake == mistake, report
    assert report.points < 1
    assert "Likely mistake: " in repr(report)
    assert "Read notebook 0" in repr(report)


@pytest.mark.parametrize(("task", "wrong", "version"), VERSIONS)
def test_each_wrong_version_differs_from_the_right_one_and_gets_its_own_message(task, wrong, version):
    for seed in SEEDS:
        report = judged(task, outcomes_of(version, task, seed), seed)
        assert not report.passed
        assert report.mistake == wrong.id, seed
        assert any(wrong.what in message and wrong.read in message for message in report.messages)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_no_two_wrong_versions_of_a_function_behave_alike(task):
    def behaviour(version):
        """Case by case its answer, or that there is none; what it does not answer counts as right."""
        return [
            {**task.right(*case), **task.read(it.value)} if it.kind == "returned" else it.kind
            for case, it in zip(cases_of(task), outcomes_of(version, task), strict=True)
        ]

    def alike(one, other):
        return all(
            a == b if isinstance(a, str) or isinstance(b, str) else same(a, b) for a, b in zip(one, other, strict=True)
        )

    seen = [(wrong.id, behaviour(version)) for wrong in task.wrong for version in wrong.versions]
    pairs = [(a, b) for k, (a, one) in enumerate(seen) for b, other in seen[:k] if a != b and alike(one, other)]
    assert pairs == []


WALKS = [it for it in VERSIONS if it.values[0].read in (read_walk, read_pocket)]
ONLY_IN_THE_COUNT = {"counts_visits", "counts_passes", "count_off_by_one", "numbers_from_one"}


@pytest.mark.parametrize(("task", "wrong", "version"), WALKS)
def test_a_mistake_in_the_walk_is_named_by_w_alone(task, wrong, version):
    outcomes = [
        Outcome(it.kind, it.value[0] if isinstance(it.value, tuple) else it.value) for it in outcomes_of(version, task)
    ]
    by_w_alone = {"swapped": "returns_last"}.get(wrong.id, wrong.id)
    assert judged(task, outcomes).mistake == (None if wrong.id in ONLY_IN_THE_COUNT else by_w_alone)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_the_bank_speaks_in_sentences(task):
    for wrong in task.wrong:
        assert re.fullmatch(r"[a-z_0-9]+", wrong.id)
        assert not wrong.what.endswith(".")
        assert wrong.why.endswith(".")
        assert re.fullmatch(r'notebook 0[1-5], ".+"', wrong.read)
    assert len({wrong.id for wrong in task.wrong}) == len(task.wrong)
    assert len({wrong.what for wrong in task.wrong}) == len(task.wrong)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_no_wrong_version_changes_the_cases_themselves(task):
    smallest, fresh = task.cases()[-5:][0], task.cases()[-5:][0]
    for wrong in task.wrong:
        for version in wrong.versions:
            with contextlib.suppress(Endless):
                version(*smallest)
    for one, other in zip(smallest, fresh, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_pieces_of_the_bank_with_nothing_exchanged_are_right():
    for X, y in _cases.pla():
        run = learning.pla(X, y)
        w, updates, picks = _wrong_pla.walk(X, y)
        np.testing.assert_allclose(w, run.w)
        assert (updates, picks) == (run.updates, run.picks.tolist())
    for X, y, budget in _cases.pocket():
        run = learning.pocket(X, y, max_updates=budget, order="cyclic")
        np.testing.assert_allclose(_wrong_pocket.pocket(X, y, budget)[0], run.w)
    for X, y, order in _cases.greedy():
        np.testing.assert_allclose(_wrong_greedy.greedy(X, y, order), greedy_right(X, y, order))
    for case in _cases.repeat_pocket():
        np.testing.assert_allclose(_wrong_pocket.many_pockets(*case), repeat_pocket_base(*case))
    for case in _cases.standardise():
        pieces = _wrong_data.standardise()(*case)
        for one, other in zip(pieces, standardise_right(*case), strict=True):
            np.testing.assert_allclose(one, other)


# --- What is said ----------------------------------------------------------------------------------------------------


def test_a_pass_says_what_was_compared():
    report = checks.pla(pla_with_for)
    assert repr(report).splitlines()[0] == "PLA: passed. pla_with_for is right in all 9 cases."
    assert "w, updates, picks" in report.messages[1]


def test_an_unknown_mistake_shows_the_smallest_case_and_the_steps():
    report = judged(tasks.PLA, [Outcome("returned", (np.ones(X.shape[1] + 1), [0])) for X, _ in _cases.pla()])
    assert report.mistake is None
    assert "Tried: len(X, y) with X = [(2, 1)], y = (1)" in report.messages
    assert "Came out: w = (1, 1, 1), picks = (0)" in report.messages
    assert "Expected: w = (1, 2, 1), picks = (0)" in report.messages
    assert "example 0 (y = +1) is wrong, w becomes (1, 2, 1)" in report.messages[-1]


def test_the_first_pick_that_differs_is_told():
    task = tasks.PLA
    outcomes = [Outcome("returned", (case["w"], case["picks"])) for case in (task.right(*it) for it in task.cases())]
    w, picks = outcomes[6].value
    outcomes[6] = outcomes[8] = Outcome("returned", (w, [*picks[:2], 5, *picks[3:]]))
    report = judged(task, outcomes)
    assert "The first difference is at update 3: it corrected example 5, not 9." in report.messages
    assert "and so on" not in report.messages[-1]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([7.0, 8.0], "Its w has 2 entries, where 3 are expected"),
        ([7.0], "Its w has 1 entry, where 3 are expected"),
        (([7.0, 8.0, 9.0], [0, 0]), "Its first picks are right, but their number is 2, not 1."),
    ],
)
def test_an_answer_of_the_wrong_size_is_told(value, words):
    assert words in repr(judged(tasks.PLA, [Outcome("returned", value)] * len(_cases.pla())))


def test_stopping_too_early_is_told():
    task = tasks.PLA
    outcomes = [Outcome("returned", task.right(*case)["path"][-2:][0]) for case in task.cases()]
    assert "Its w is the right one after no updates: did it stop there?" in judged(task, outcomes).messages


def test_a_right_w_beside_another_wrong_value_is_called_right():
    task = tasks.PLA
    outcomes = [Outcome("returned", (task.right(*case)["w"], 77)) for case in task.cases()]
    report = judged(task, outcomes)
    assert "Its w is right; what differs is updates." in report.messages
    assert "did it stop there" not in repr(report)


def test_a_pocket_with_another_w_of_the_walk_is_told_which():
    task = tasks.POCKET
    outcomes = []
    for X, y, budget in task.cases():
        run = learning.pocket(X, y, order="cyclic", max_updates=budget)
        outcomes.append(Outcome("returned", run.weights[-2] if budget == 100 else run.w))
    X, y, budget = task.cases()[-1]
    run = learning.pocket(X, y, order="cyclic", max_updates=budget)
    mistakes = [hypothesis.mistakes(w, X, y).size for w in run.weights]
    t = [w.tolist() for w in run.weights].index(run.weights[-2].tolist())
    expected = (
        f"This is w_t for t = {t}, with {mistakes[t]} mistakes; "
        f"the fewest is {min(mistakes)}, first at t = {mistakes.index(min(mistakes))}."
    )
    report = judged(task, outcomes)
    assert report.mistake is None
    assert expected in report.messages


def test_a_pocket_that_is_wrong_in_its_own_way_is_told_the_steps():
    outcomes = [Outcome("returned", np.full(X.shape[1] + 1, 7.0)) for X, _, _ in _cases.pocket()]
    report = judged(tasks.POCKET, outcomes)
    assert report.mistake is None
    assert report.messages[-1].startswith("Step by step: w = (0, 0, 0);")


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome("returned", None), "Is its `return` missing?"),
        (Outcome("returned", None, printed="5"), "What it printed is not its answer."),
        (Outcome("returned", "5"), "'5'. It should return w"),
        (Outcome("returned", Other("dict", "{}")), "a dict: {}. It should return w"),
        (Outcome("returned", [["a"], 3]), "[['a'], 3]. It should return w"),
        (Outcome("returned", np.ones((2, 2))), "It should return w"),
        (Outcome("raised", error="KeyError", message="a", line=3, code="f()"), "KeyError: a. It was at line 3: `f()`"),
        (Outcome("raised", error="ValueError", message="bad thing.", line=3, code="f()"), "bad thing. It was at line"),
        (Outcome("raised", error="ValueError", message="why?", line=3, code="f()"), "ValueError: why? It was at line"),
        (Outcome("slow", line=2, code="while 1:"), "no answer in 2.5 seconds, so it was stopped. It was at line 2"),
        (Outcome("memory"), "it needed more than 512 MB of memory"),
        (Outcome("output", printed="aaa"), "it printed more than 64 kB"),
        (Outcome("processes"), "process after process"),
        (Outcome("exited", message="bye"), "it called sys.exit: bye."),
        (Outcome("died", message="signal SIGSEGV"), "its process came to an end (signal SIGSEGV)"),
        (Outcome("unshippable", error="TypeError", message="cannot pickle"), "cannot travel"),
    ],
)  # fmt: skip
def test_every_trouble_has_its_sentence(outcome, words):
    report = judged(tasks.PLA, [outcome] * len(_cases.pla()))
    assert not report.passed
    assert report.mistake is None
    assert report.trouble == (None if outcome.kind == "returned" else outcome.kind)
    assert words in repr(report)
    assert report.points == 0


def test_a_function_that_raises_is_shown_its_line():
    def my_pla(X, y):
        return X / undefined  # noqa: F821

    report = checks.pla(my_pla)
    assert report.trouble == "raised"
    assert "NameError: name 'undefined' is not defined" in repr(report)
    assert "`return X / undefined  # noqa: F821`" in repr(report)


def test_changing_the_inputs_is_told_beside_another_mistake():
    def my_update(w, x, y):
        w -= y * np.r_[1, x]
        return w

    report = checks.update(my_update)
    assert report.mistake == "minus_update"
    assert "It also changes what it is given (w): work on a copy." in report.messages


def test_what_was_printed_is_shown_shortened():
    report = checks.sign(lambda s: print("score", s, "x" * 10_000))
    assert len(report.printed) == 500
    assert any(message.startswith("It printed: score 3.0 xxx") for message in report.messages)


def test_cases_that_were_not_tried_say_so():
    (minus_update,) = [wrong for wrong in _wrong_pla.PLA if wrong.id == "minus_update"]
    report = judged(tasks.PLA, outcomes_of(minus_update.versions[0], tasks.PLA))
    assert "not tried" in report.cases[-1].got
    assert report.cases[-1].trouble == "not tried"
    assert report.trouble == "slow"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("w₀ = 0 may be", "w₀ = 0 may be"),
        ("x₀ comes first", "x₀ comes first"),
        ("max_updates = 0 allows none.", "max_updates = 0 allows none."),
        ("numpy.insert needs", "numpy.insert needs"),
        ("y says", "y says"),
        ("ρ² divides.", "ρ² divides."),
        ("a look is free.", "A look is free."),
        ("divide.", "Divide."),
        ("here, as ever", "Here, as ever"),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_a_symbol_begins_it(text, sentence):
    assert capital(text) == sentence


@pytest.mark.parametrize("check", [checks.pla, checks.repeat_pla])
def test_a_function_that_never_answers_is_told_that_and_accused_of_nothing_else(check):
    def endless(*_arguments):
        while True:
            pass

    report = check(endless, seconds=1)
    assert (report.passed, report.mistake, report.trouble) == (False, None, "slow")
    assert "Does its loop ever end?" in repr(report)


def test_code_in_the_folded_table_of_cases_is_shown_as_code():
    report = checks.sign(lambda _s: None)
    table = report._repr_html_().split("All cases")[1]
    assert "Is its <code>return</code> missing?" in table
    assert "`" not in table


def test_a_third_argument_that_means_something_else_is_told_what_it_was_given():
    def my_pla(X, y, eta):
        return pla_right(X, y, float(eta))[0]

    report = checks.pla(my_pla)
    assert not report.passed
    assert any(message.startswith("Its third argument was given the order of visits") for message in report.messages)
    assert "third argument" not in repr(checks.pla(pla_with_order))


def test_one_second_is_one_second():
    words = [Voice(tasks.SIGN, "f", seconds).trouble(Outcome("slow")) for seconds in (4, 8)]
    assert [each.split(",")[0] for each in words] == ["no answer in 1 second", "no answer in 2 seconds"]


def test_a_truth_is_shown_as_one():
    report = checks.is_mistake(lambda *_: True)
    assert "Came out: True" in report.messages
    assert "Expected: False" in report.messages


def test_html_is_escaped_and_says_the_same():
    outcome = Outcome("raised", error="ValueError", message="<script>alert(1)</script>")
    report = judged(tasks.PLA, [outcome] * len(_cases.pla()))
    page = report._repr_html_()
    assert "<script>" not in page
    assert html.escape("<script>") in page
    assert all(html.escape(message) in page for message in report.messages)
    assert "✗" in page
    assert "✓" in checks.sign(sgn)._repr_html_()


def test_on_a_page_the_code_in_a_message_is_shown_as_code():
    page = checks.sign(lambda _: None)._repr_html_()
    assert "Is its <code>return</code> missing?" in page


# --- Fresh cases -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_seed_adds_fresh_cases_and_the_same_seed_the_same_ones(task):
    def shown(seed):
        return [str(case) for case in tasks.cases_of(task, seed)]

    fixed, one, other = shown(None), shown(1), shown(2)
    assert one == shown(1)
    assert [case for case in one if case in fixed] == fixed
    assert len(one) == len(other) >= len(fixed) + 3
    assert set(one) & set(other) == set(fixed)


def test_whoever_knows_the_fixed_cases_by_heart_is_found_out():
    known = {str(case): learning.pla(*case).w for case in _cases.pla()}

    def pla_by_heart(*case):
        return known.get(str(case), np.zeros(case[0].shape[1] + 1))

    assert checks.pla(pla_by_heart).passed
    assert not checks.pla(pla_by_heart, seed=1).passed


@pytest.mark.parametrize("seed", range(40))
def test_fresh_cases_are_fit_to_tell_right_from_wrong(seed):
    rng = np.random.default_rng(seed)
    for X, y in _cases.fresh_pla(rng):
        assert learning.pla(X, y).updates >= 4
    for w, X, y in _cases.fresh_judged(rng):
        assert 0 < len(hypothesis.mistakes(w, X, y)) < len(y)
        assert hypothesis.scores(w, X[:1]) == [0]
    for w, x, y in _cases.fresh_updates(rng):
        assert hypothesis.is_mistake(w, x, y)
    *perfect, (X, y, w_f) = _cases.fresh_margins(rng)
    assert all(guarantee.margin(*case) > 0 for case in perfect)
    assert guarantee.margin(X, y, w_f) < 0


# --- Numbers and data ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("got", [8, 8.0, np.int64(8), np.array([8]), 8 + 1e-7])
def test_a_right_number_passes_however_it_is_held(got):
    assert repr(checks.number(got, 8, "the number of updates")) == "The number of updates: passed."


@pytest.mark.parametrize(
    ("got", "expected", "mistake"),
    [
        (None, 8, "no_value"), (..., 8, "no_value"), ("8", 8, "text"), (len, 8, "function"), (True, 1, "truth"),
        ({}, 8, "not_a_number"), ([8, 8], 8, "several"), ([], 8, "several"), (float("nan"), 8, "nan"),
        (np.inf, 8, "nan"), (9, 8, "off_by_one"), (7, 8, "off_by_one"), (-8.5, 8.5, "sign"), (35, 0.35, "percent"),
        (0.65, 0.35, "complement"), (72.25, 8.5, "squared"), (2.5, 6.25, "root"), (100, 8, "another_number"),
        (1 + 2j, 8, "not_a_number"), (0.1, 0.1372, "rounded"), (26.0, 26.4385, "rounded"), (0.14, 0.1372, "rounded"),
        (0.13, 0.1372, "another_number"), (0, 0.1372, "another_number"), (Other("dict", "{}"), 8, "not_a_number"),
    ],
)  # fmt: skip
def test_a_wrong_number_is_told_why_and_never_what_is_expected(got, expected, mistake):
    report = checks.number(got, expected, "ρ")
    assert not report.passed
    assert report.mistake == mistake
    assert report.points == 0
    assert report.messages[0] == "ρ: not yet."
    assert mistake == "text" or not re.search(
        rf"(?<![\d.]){expected}(?![\d.])", repr(report) + report.cases[0].expected
    )


def test_a_dict_is_shown_as_one_wherever_it_comes_from():
    of_a_guarded_notebook = Other("dict", "{'a': 1}")
    assert "A dict is no number." in repr(checks.number({"a": 1}, 8, "T"))
    report = checks.number(of_a_guarded_notebook, 8, "T")
    assert "A dict is no number." in repr(report)
    assert report.cases[0].got == "a dict: {'a': 1}"
    assert "A dict: {'a': 1} does not do." in repr(checks.numbers(of_a_guarded_notebook, {"T": 8}, "all"))
    assert "a dict: {'a': 1} is no answer here." in repr(checks.choice(of_a_guarded_notebook, "B", "reason 1"))


def test_a_tolerance_is_a_fraction_of_what_is_expected():
    assert checks.number(1030, 1000, "T", tolerance=0.05).passed
    assert not checks.number(1060, 1000, "T", tolerance=0.05).passed
    assert not checks.number(8 + 1e-7, 8, "T", tolerance=0).passed


def test_a_number_without_an_expected_one_is_only_looked_at():
    assert "212 is noted" in repr(checks.number(212, None, "T"))
    assert checks.number(..., None, "T").mistake == "no_value"


def test_several_numbers_are_judged_one_by_one():
    expected = {"train": 0.1, "test": 0.25}
    assert checks.numbers([0.1, 0.25], expected, "the errors").passed
    report = checks.numbers(np.array([0.1, 25]), expected, "the errors")
    assert (report.passed, report.points, report.mistake) == (False, 0.5, "percent")
    assert "Test: not yet. It looks like per cent." in repr(report)
    assert "(3, 4) is noted" in repr(checks.numbers([3, 4], dict.fromkeys(expected), "the errors"))
    assert "Test: not yet. It is nan." in repr(checks.numbers([3, np.nan], dict.fromkeys(expected), "the errors"))
    for got, words in [(..., "no values yet"), ([0.1], "does not do"), ("ab", "does not do"), (None, "no values yet")]:
        assert words in repr(checks.numbers(got, expected, "the errors"))
        assert "a list of 2 numbers: train, test." in repr(checks.numbers(got, expected, "the errors"))


def test_a_letter_is_judged_and_not_told():
    assert checks.choice(" b", "B", "reason 1").passed
    assert "'b' is noted" in repr(checks.choice("b", None, "reason 1"))
    for got, mistake in [("A", "another_letter"), (..., "no_value"), ("G", "not_a_letter"), (2, "not_a_letter"),
                         ("", "not_a_letter"), ("AB", "not_a_letter")]:  # fmt: skip
        report = checks.choice(got, "B", "reason 1")
        assert report.mistake == mistake
        assert mistake != "another_letter" or "B" not in repr(report)


def test_requiring_is_silent_when_all_is_right_and_says_everything_when_not():
    assert checks.number(8, 8, "T").require() is None
    with pytest.raises(
        AssertionError, match=r"T: not yet\.\n  It is off by one\. Where does your count begin and end\?"
    ):
        checks.number(9, 8, "T").require()


def test_data_that_no_line_separates_are_shown_the_proof():
    report = checks.hard_data(lambda: ([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1]))
    assert "Examples 0, 1, 2, 3 cannot all be right: weighted by (0.25, 0.25, 0.25, 0.25)" in report.messages[1]


def test_hard_data_are_told_what_was_measured():
    assert "2 examples, separable with ρ = " in repr(checks.hard_data(hard_pair))
    assert "PLA makes 212 updates" in repr(checks.hard_data(hard_pair))
    far = checks.hard_data(lambda: ([[1000, 0], [1001, 0]], [-1, 1]))
    assert "PLA makes more than 10,000 updates" in repr(far)
    assert "T is only 1." in repr(checks.hard_data(lambda: ([[0, 1], [0, -1]], [1, -1])))


def test_data_in_the_wrong_order_or_with_one_label_are_told_so():
    X, y = hard_pair()
    assert "X and y are exchanged. Return X, y." in repr(checks.hard_data(lambda: (y, X)))
    assert "all its labels are equal: there is nothing to separate." in repr(checks.hard_data(lambda: (X, [1, 1])))


def test_one_table_of_two_rows_is_not_taken_for_two_tables():
    report = checks.standardise(lambda train, test: standardise_right(train, test)[0])
    assert (report.mistake, report.points) == (None, 0)
    assert "It should return two tables, (train_z, test_z)." in repr(report)


def test_a_label_comes_as_it_would_out_of_an_array():
    for case in [*_cases.examples(), *_cases.updates(), *_cases.fresh_examples(np.random.default_rng(1))]:
        assert isinstance(case[2], np.int64)


def test_data_that_are_hard_only_by_chance_are_told_so():
    def now_and_then():
        from plahelpers import checks

        checks.called = getattr(checks, "called", 0) + 1
        return ([[10, 0], [11, 0]], [-1, 1]) if checks.called == 1 else ([[0, 1], [0, -1]], [1, -1])

    report = checks.hard_data(now_and_then)
    assert report.points == 0.5
    assert any("fix its seed" in message for message in report.messages)


def test_making_data_can_go_wrong_like_any_function():
    report = checks.hard_data(lambda: print("thinking") or 1 / 0)
    assert report.trouble == "raised"
    assert "ZeroDivisionError" in repr(report)
    assert "It printed: thinking" in repr(report)


def test_a_greedy_that_is_wrong_in_its_own_way_is_told_the_steps():
    report = judged(tasks.GREEDY, [Outcome("returned", np.full(X.shape[1] + 1, 7.0)) for X, _, _ in _cases.greedy()])
    assert report.mistake is None
    assert "at example 0, (1, 2, 1) makes no mistakes where there was 1, and is kept" in report.messages[-1]


# --- Misuse and limits -----------------------------------------------------------------------------------------------


def test_something_that_is_no_function_gets_a_kind_error():
    with pytest.raises(TypeError, match=r"checks\.pla\(my_function\), without calling it; this is a list"):
        checks.pla([1, 2])
    with pytest.raises(TypeError, match=r"checks\.pocket\(my_function\)"):
        checks.pocket(None)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 1e9])
def test_the_time_limit_must_make_sense(seconds):
    with pytest.raises(ValueError, match=r"seconds must be a number from 0\.1 to 3600"):
        checks.sign(sgn, seconds=seconds)


def test_a_function_without_a_signature_is_called_with_two_arguments():
    assert checks.pla(max).trouble == "raised"


def test_a_function_that_never_returns_leaves_the_caller_alive():
    report = checks.pla(pla_minus, seconds=2)
    assert report.trouble == "slow"
    assert "It was at line" in repr(report)


def test_checking_leaves_no_chance_and_no_globals_changed():
    np.random.seed(5)
    expected = np.random.RandomState(5).random(3)
    checks.pla(lambda X, y: (np.random.seed(1), pla_with_lists(X, y))[1])
    np.testing.assert_array_equal(np.random.random(3), expected)


def test_a_check_says_the_same_thing_every_time():
    assert repr(checks.sign(np.sign)) == repr(checks.sign(np.sign))


MY_PLA = """
visits = 0
def my_pla(X, y):
    global visits
    Z = np.column_stack([np.ones(len(X)), X])
    w, clean, n = np.zeros(Z.shape[1]), 0, 0
    while clean < len(y):
        visits += 1
        if (score(w, Z[n]) > 0) == (y[n] > 0):
            clean += 1
        else:
            w, clean = w + y[n] * Z[n], 0
        n = (n + 1) % len(y)
    return w
"""
NOTEBOOK_CELLS = [
    "import numpy as np\nfrom plahelpers import checks",
    "def score(w, x):\n    return w @ x",
    MY_PLA,
    "print(checks.pla(my_pla).passed, visits)",
    "def my_pla(X, y):\n    while True:\n        y = -y",
    "checks.pla(my_pla, seconds=2)",
    "print('alive')",
]


def test_a_function_of_a_notebook_cell_with_its_imports_in_another_cell(tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in NOTEBOOK_CELLS])
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    assert notebook.cells[3].outputs[0].text.strip() == "True 0"
    shown = notebook.cells[5].outputs[0].data
    assert re.search(r"It was at line [23]: `(while True:|y = -y)`", shown["text/plain"])
    assert shown["text/html"].startswith("<div")
    assert notebook.cells[6].outputs[0].text.strip() == "alive"


def test_a_script_without_a_main_guard_can_check(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from plahelpers import checks\nprint('once')\nprint(checks.sign(lambda s: 1 if s > 0 else -1).passed)\n",
        encoding="utf-8",
    )
    result = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONUTF8": "1"}
    )
    assert result.stdout.split() == ["once", "True"]


@pytest.mark.parametrize(
    ("check", "function"),
    [
        (checks.update, lambda w, x, y: w + y * x),
        (checks.is_mistake, lambda w, x, y: np.dot(w, x) * y <= 0),
        (checks.predict, lambda w, X: np.where(X @ w > 0, 1, -1)),
        (checks.mistakes, lambda w, X, y: np.flatnonzero(np.dot(X, w) * y <= 0)),
        (checks.pla, lambda X, y: (bias(X) @ np.zeros(3), pla_with_lists(X, y))[1]),
    ],
)
def test_sizes_that_differ_by_one_are_asked_about(check, function):
    question = " Two sizes differ by one. Is x₀ = +1 missing somewhere, or is a length written as a fixed number?"
    assert question in repr(check(function).cases)

    def another_size(*_):
        return np.ones(2) @ np.ones(7)

    assert question not in repr(check(another_size).cases)


def test_where_there_is_no_x_nobody_asks_for_its_constant():
    report = checks.gains(lambda weights, w_f: np.diff(weights) @ w_f)
    assert report.trouble == "raised"
    assert "size" in repr(report)
    assert "x₀" not in repr(report)

"""Checks: right functions pass in any style, wrong ones are told which mistake they make, and nothing does harm."""

import ast
import inspect
import json
import os
import re
import string
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from plahelpers import _format, _theme, checks, guarantee, hypothesis, learning
from plahelpers._guard import Kind, Other, Outcome
from plahelpers.checks import chapter02, chapter04, judge as judging, pieces, sentences
from plahelpers.checks.judge import is_unwritten, judge, unused_arguments
from plahelpers.checks.task import Endless, Mistake
from tests.package.wrong_versions import (
    WRONG,
    bias,
    errors,
    pla_along,
    pla_right,
    pocket,
    pocket_random,
    sgn,
    standardise,
)

ROOT = Path(__file__).resolve().parents[2]


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
    return replace(task, mistakes=tuple(Mistake(known.id, *map(remembered, known.versions)) for known in task.mistakes))


CHECKS = {name: getattr(checks, name) for name in checks.__all__ if inspect.isfunction(getattr(checks, name))}
TASKS = {name: with_memory(check.task) for name, check in CHECKS.items() if hasattr(check, "task")}
PLA = TASKS["pla"]


@cache
def cases_of(name, seed=None):
    return TASKS[name].all_cases(seed)


def call(function, case):
    """What the guard would report; a version of the bank that never returns says so."""
    arguments = [np.array(each) if np.ndim(each) else each for each in case]
    try:
        value = function(*arguments)
    except Endless:
        return Outcome("slow")
    changed = [k for k, (one, other) in enumerate(zip(arguments, case, strict=True)) if not np.array_equal(one, other)]
    return Outcome("returned", value, changed=tuple(changed))


def judged(name, function, seed=None):
    """The report of a check, without a process of its own; after two cases that never return, no more are tried."""
    outcomes = []
    for case in cases_of(name, seed):
        given_up = [outcome.kind for outcome in outcomes].count("slow") == 2
        outcomes.append(Outcome("not tried") if given_up else call(function, case))
    return judge(TASKS[name], "f", cases_of(name, seed), outcomes)


def always(name, outcome):
    return judge(TASKS[name], "f", cases_of(name), [outcome] * len(cases_of(name)))


def pla_with_lists(points, labels):
    """Plain Python, no array anywhere."""
    rows = [[1.0, *map(float, p)] for p in points]
    w, clean, n, picks = [0.0] * len(rows[0]), 0, 0, []
    while clean < len(rows):
        score = sum(a * b for a, b in zip(w, rows[n], strict=True))
        if (score > 0) == (labels[n] > 0):
            clean += 1
        else:
            w = [a + int(labels[n]) * b for a, b in zip(w, rows[n], strict=True)]
            clean = 0
            picks.append(n)
        n = (n + 1) % len(rows)
    return w, len(picks), picks


def standardise_as_scikit_learn_does(train, test):
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(train)
    return scaler.transform(train), scaler.transform(test)


def hard_pair():
    """Two points side by side, far from the origin."""
    return [[6, 0], [7, 0]], [-1, 1]


class Learner:
    def __call__(self, X, y):
        w, updates, picks = pla_right(X, y)
        return [w[:, None], float(updates), tuple(picks)]  # w as a column


RIGHT = {
    "pla": [pla_with_lists, Learner(), partial(pla_right, start=0.0)],
    "pla_with_order": [pla_along],
    "pocket": [pocket, lambda *case: np.array(pocket(*case)), lambda *case: [*map(list, pocket(*case))]],
    "with_bias": [bias, lambda X: [[1, *row] for row in X.tolist()]],
    "sign": [sgn, lambda s: np.where(s > 0, 1, -1), lambda s: np.array([1.0 if s > 0 else -1.0])],
    "predict": [lambda w, X: [sgn(w @ z) for z in bias(X)], lambda w, X: np.where(bias(X) @ w[:, None] > 0, 1.0, -1.0)],
    "is_mistake": [lambda w, x, y: sgn(w @ [1, *x]) != y, lambda w, x, y: int(sgn(w @ np.r_[1, x]) != y)],
    "mistakes": [hypothesis.mistakes, lambda w, X, y: np.where(np.where(bias(X) @ w > 0, 1, -1) != y)],
    "error_rate": [lambda w, X, y: errors(w, bias(X), y) / len(y)],
    "update": [lambda w, x, y: w + y * np.r_[1, x], lambda w, x, y: [w[0] + y, *(w[1:] + y * x)]],
    "visit": [
        lambda w, x, y: w + y * np.r_[1, x] if sgn(w @ [1, *x]) != y else w,
        lambda w, x, y: w + (y - (2 * (w @ np.r_[1, x] > 0) - 1)) / 2 * np.r_[1, x],
    ],
    "radius": [lambda X: np.linalg.norm(bias(X), axis=1).max()],
    "margin": [lambda X, y, w: min(y * (bias(X) @ w)) / np.sqrt(w @ w)],
    "update_bound": [lambda X, y, w: max((bias(X) ** 2).sum(1)) * (w @ w) / min(y * (bias(X) @ w)) ** 2],
    "standardise": [standardise, standardise_as_scikit_learn_does],
}
# Those of the homework stand in files of their own: versions_hw1.py and so on.
for path in sorted((ROOT / "tests" / "homework").glob("versions_hw*.py")):
    RIGHT |= import_module(f"tests.homework.{path.stem}").RIGHT
    WRONG |= import_module(f"tests.homework.{path.stem}").WRONG
CONSTRUCTIONS = set(CHECKS) - set(TASKS) - {"number", "numbers", "choice"}  # checks of data that a function makes


@pytest.mark.parametrize("check", RIGHT)
def test_a_right_function_passes_in_any_style(check):
    for function in RIGHT[check]:
        report = judged(check, function, seed=6)
        assert report.passed, report
        assert (report.points, report.mistake, report.trouble) == (1, None, None)


@pytest.mark.parametrize("check", RIGHT)
def test_a_right_function_passes_in_a_process_of_its_own(check):
    report = CHECKS[check](RIGHT[check][-1], seconds=40, seed=6)
    assert report.passed, report


def test_every_check_is_tried_with_right_and_with_wrong_functions():
    assert set(TASKS) == set(RIGHT)
    assert set(TASKS) | CONSTRUCTIONS == set(WRONG)


# --- One contract ----------------------------------------------------------------------------------------------------

THREE = "It should return (w, updates, picks), these three in this order."
TWO = "It should return (w, last_w), these two in this order."
ANOTHER = [
    ("pla", lambda *case: pla_right(*case)[0], f"[1, 2, 1]. {THREE}"),
    ("pla", lambda *case: (*pla_right(*case), "a remark"), f"([1, 2, 1], 1, [0], 'a remark'). {THREE}"),
    ("pla", lambda *case: [pla_right(*case)[k] for k in (0, 2, 1)], f"[[1, 2, 1], [0], 1]. {THREE}"),
    ("pla", lambda *case: pla_right(*case)[0][:, None], f"[[1], [2], [1]]. {THREE}"),
    ("pla", lambda *_: None, f"nothing: it returned None. Is its `return` missing? {THREE}"),
    ("pocket", lambda *case: pocket(*case)[0], f"[0, 0, 0]. {TWO}"),
    ("standardise", lambda *case: standardise(*case)[0], "It should return two tables, (train_z, test_z)."),
    ("mistakes", lambda *_: "8, 5", "'8, 5'. It should return the indices of the mistakes, in order."),
]


@pytest.mark.parametrize(("check", "function", "words"), ANOTHER)
def test_whoever_returns_something_else_is_told_what_is_expected_and_what_came(check, function, words):
    report = judged(check, function)
    assert (report.passed, report.points, report.mistake) == (False, 0, None)
    assert words in repr(report)
    assert "Expected: " in repr(report)


@pytest.mark.parametrize("check", TASKS)
def test_the_docstring_of_a_check_shows_how_the_function_is_called(check):
    first, *_ = CHECKS[check].__doc__.splitlines()
    assert f"({', '.join(TASKS[check].arguments)})" in first


# --- Wrong functions are told their mistake --------------------------------------------------------------------------

LEARNERS = [(check, *pair) for check, pairs in WRONG.items() for pair in pairs]
# Those that never return in some case: they need a process of their own.
FOREVER = {
    *(("pla", name) for name in ("no_bias", "minus_update", "update_without_y", "every_point", "zero_one_labels")),
    ("pla", "unused_argument"),  # the function itself tells
    ("pocket", "ignores_budget"),
    ("pocket", "never_stops_early"),
}


@pytest.mark.parametrize(
    ("check", "mistake", "function"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}-{k}") for k, row in enumerate(LEARNERS)],
)
def test_a_learners_mistake_is_named(check, mistake, function):
    alone = (check, mistake) in FOREVER or check in CONSTRUCTIONS
    report = CHECKS[check](function, seconds=2, seed=5) if alone else judged(check, function, seed=5)
    assert not report.passed
    assert report.mistake == mistake, report
    assert report.points < 1
    assert f"Likely mistake: {report.mistake_text}" in report.messages
    assert report.mistake_text.endswith(f"Read {report.read}.")


@pytest.mark.parametrize("check", TASKS)
def test_each_wrong_version_is_wrong_and_gets_its_own_message(check):
    """So no two versions with different messages behave alike: the second of them would get the first's."""
    for seed in (None, 0):
        for known in TASKS[check].mistakes:
            for k, version in enumerate(known.versions):
                report = judged(check, version, seed)
                assert not report.passed
                assert (report.mistake, report.changed) == (known.id, ()), (seed, known.id, k)


ONLY_BESIDE_W = {
    *("counts_visits", "counts_passes", "count_off_by_one", "numbers_from_one"),
    *("picks_empty", "picks_once", "picks_sorted", "picks_backwards", "picks_as_points"),
}


@pytest.mark.parametrize("check", ["pla", "pla_with_order", "pocket"])
def test_a_mistake_in_the_walk_is_named_by_w_whatever_is_returned_beside_it(check):
    beside = {"pocket": lambda w: (w, np.full(len(w), 77.0))}.get(check, lambda w: (w, 77, [7]))
    for known in TASKS[check].mistakes:
        expected = {"swapped": "returns_last"}.get(known.id, known.id)
        report = judged(check, lambda *case, first=known.versions[0]: beside(first(*case)[0]))
        assert report.mistake == (None if known.id in ONLY_BESIDE_W else expected)


def test_the_pieces_of_the_bank_with_nothing_exchanged_are_right():
    whole = {
        "pla": chapter02.walk,
        "pla_with_order": chapter02.walk,
        "pocket": chapter04.choose_pocket,
        "standardise": chapter04.scale(),
    }
    for check, function in whole.items():
        assert judged(check, function, seed=3).passed


def test_a_function_that_never_answers_is_told_that_and_accused_of_nothing_else():
    def endless(*_arguments):
        while True:
            pass

    report = checks.pla(endless, seconds=1)
    assert (report.passed, report.mistake, report.trouble) == (False, None, "slow")
    assert "Does its loop ever end? (seconds= gives it more time.)" in repr(report)
    assert "seconds=" not in repr(sentences.paragraphs(report, advice=False))
    assert "seconds=" not in repr(sentences.rows(report, advice=False))


def test_a_pass_says_what_was_compared():
    assert judged("pla", pla_right).messages == (
        "PLA: passed. f is right in all 10 cases.",
        "Compared: w, updates, picks. It was called as f(X, y).",
    )
    assert checks.sign(lambda s: 1 if s > 0 else -1).messages == (
        "sign: passed. Your function is right in all 13 cases.",
        "It was called as f(s).",
    )


def test_an_unknown_mistake_shows_the_smallest_case_in_a_form_that_can_be_pasted_and_the_steps():
    report = judged("pla", lambda X, _: (np.ones(X.shape[1] + 1), 1, [0]))
    assert report.mistake is None
    *example, steps = report.messages[1:]
    assert example == [
        "Tried: f(X, y) with X = [[2, 1]], y = [1]",
        "Came out: w = [1, 1, 1], updates = 1, picks = [0]",
        "Expected: w = [1, 2, 1], updates = 1, picks = [0]",
    ]
    assert (
        "w = [0, 0, 0]; example 0 (y = +1) is wrong, w becomes [1, 2, 1]; then a whole cycle has no mistake." in steps
    )


@pytest.mark.parametrize("check", TASKS)
def test_a_case_that_is_shown_can_be_pasted_and_none_is_shown_twice_without_a_word(check):
    for seed in (None, 3):
        report = judged(check, lambda *_: None, seed)
        shown = [row.tried for row in sentences.rows(report)]
        assert len(set(shown)) == len(shown)
        assert shown[-1].endswith(sentences.text("any.again"))
        for case, words in zip(report.cases, shown, strict=True):
            pasted = dict(re.findall(r"(\w+) = (.+?)(?:, (?=\w+ = )| \(|$)", words.partition(" with ")[2]))
            assert pasted.keys() == case.arguments.keys()
            for name, value in case.arguments.items():
                np.testing.assert_array_equal(ast.literal_eval(pasted[name]), value)
                assert np.shape(ast.literal_eval(pasted[name])) == np.shape(value)


def test_an_answer_that_is_hardly_wrong_does_not_look_right():
    report = judged("radius", lambda X: guarantee.radius(X) * (1 + 3e-6))
    assert all(row.got != row.expected for row in sentences.rows(report))


def right_but_for_the_last_case(check, part, other):
    """The right answers, but for a part of that to the last case."""

    def function(*case):
        value = list(TASKS[check].right(*case))
        if all(np.array_equal(one, last) for one, last in zip(case, cases_of(check)[-1], strict=True)):
            value[part] = other(value[part])
        return value

    return function


@pytest.mark.parametrize(
    ("part", "other", "words"),
    [
        (2, lambda picks: [*picks[:2], 5, *picks[3:]], "at update 3: it corrected example 5, not 9."),
        (2, lambda picks: picks[:3], "Its first picks are right, but it has 3 of them, not 8."),
        (0, lambda w: w[:2], "Its w has 2 entries, where 3 are expected"),
        (0, lambda w: w[:1], "Its w has 1 entry, where 3 are expected"),
        (0, np.zeros_like, "Its w is the right one after no updates: did it stop there?"),
        (1, lambda _: 77, "Its w is right; what differs is updates."),
    ],
)
def test_where_a_walk_departs_is_told(part, other, words):
    report = judged("pla", right_but_for_the_last_case("pla", part, other))
    assert report.mistake is None
    assert words in repr(report)
    assert "example 1 (y = +1) is wrong" in report.messages[-1]


def stops_after_five(X, y):
    start, *steps = list(pieces.corrections(X, y))
    return chapter02.as_walk([start, *steps[:5]])


def test_a_walk_that_stops_too_early_is_told_how_many_mistakes_are_left():
    report = judged("pla", stops_after_five)
    case = next(case for case in report.cases if not case.right)
    left = hypothesis.mistakes(case.answer["w"], case.arguments["X"], case.arguments["y"]).size
    assert left > 1
    assert report.mistake is None
    assert any(message.startswith(f"It stops with {left} mistakes left.") for message in report.messages)


def test_a_w_of_the_wrong_length_is_asked_whose_X_it_belongs_to():
    function = right_but_for_the_last_case("pla", 0, lambda w: np.append(w, 0.0))
    assert "Does it use the X of the notebook in place of its argument?" in judged("pla", function).messages
    without_bias = right_but_for_the_last_case("pla", 0, lambda w: w[1:])
    assert "of the notebook" not in repr(judged("pla", without_bias))


def test_a_pocket_that_walks_at_random_with_a_fixed_seed_is_asked_about_it():
    report = judged("pocket", lambda *case: pocket_random(*case, seed=3))
    assert report.mistake is None
    assert sentences.text("pocket.another_walk") in report.messages
    wrong_pocket = judged("pocket", right_but_for_the_last_case("pocket", 0, lambda w: w + 1))
    assert sentences.text("pocket.another_walk") not in wrong_pocket.messages


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda s: sgn(s) if isinstance(s, float) else None, "s = 2\n"),
        (lambda s: sgn(s) if type(s) in (int, float) else 0, "s = 2.5 (numpy.float64)\n"),
    ],
)
def test_a_sign_that_knows_only_the_numbers_of_python_is_shown_another_one(function, words):
    report = judged("sign", function)
    assert not report.passed
    assert words in repr(report)


def test_a_function_may_return_fractions_and_decimals():
    assert checks.error_rate(lambda w, X, y: Fraction(errors(w, bias(X), y), len(y))).passed
    assert checks.with_bias(lambda X: [[Decimal(1), *map(Decimal, row)] for row in X.tolist()]).passed
    assert not checks.error_rate(lambda *_: Fraction(10**4000, 3)).passed


def test_an_argument_that_is_never_read_is_found_in_the_code_and_only_a_real_attempt_is_told_so():
    outer = 3

    def reads_all(a, b, c, d):
        b += 1
        return [a for _ in range(c) if d + outer] or b

    assert unused_arguments(reads_all) == []
    assert unused_arguments(lambda a, b, _c: a.b + outer) == ["b"]  # noqa: ARG005
    assert unused_arguments(partial(sgn)) == unused_arguments(len) == []

    def not_yet(s):
        raise NotImplementedError

    assert checks.sign(not_yet).mistake is None


def test_an_index_out_of_range_is_asked_about():
    report = checks.mistakes(lambda *case: case[2][len(case[2])])
    assert "IndexError" in repr(report)
    assert sentences.text("trouble.index") in repr(report)


def nested(depth):
    return [nested(depth - 1)] if depth else []


HUGE = "x" * 300_000
ODD_VALUES = {
    "text": HUGE,
    "another type": Other(HUGE, HUGE),
    "no entry in 21 dimensions": np.empty((6,) * 20 + (0,)),
    "many dimensions": np.zeros((4, 4, 4, 4)),
    "many rows": np.zeros((300, 300)),
    "many lists": [[]] * 10_000,
    "deep lists": nested(500),
    "texts": (HUGE, 1, [HUGE]),
    "a class": type(HUGE, (), {})(),
    "a number of 5000 digits": 10**5000,
    "infinity": float("inf"),
}


@pytest.mark.parametrize("kind", ODD_VALUES)
def test_odd_and_huge_values_are_wrong_and_what_is_said_of_them_is_short(kind):
    got = ODD_VALUES[kind]
    values = checks.number(got, 8, "T"), checks.numbers(got, {"a": 1, "b": 2}, "T"), checks.choice(got, "B", "T")
    for report in (*values, always("pla", Outcome("returned", got))):
        assert not report.passed
        assert len(repr(report)) < 2000
        assert len(report._repr_html_()) < 20_000


def test_what_is_said_of_a_huge_error_is_short():
    for kind in ("raised", "died", "exited", "unshippable"):
        report = always("pla", Outcome(kind, error=HUGE, message=HUGE, line=3, code=HUGE, printed=HUGE))
        assert len(repr(report)) < 2000
        assert len(report._repr_html_()) < 20_000


def test_a_pocket_with_another_w_of_the_walk_is_told_which():
    X, y, budget = cases_of("pocket")[-1]
    run = learning.pocket(X, y, order="cyclic", max_updates=budget)
    mistakes = [hypothesis.mistakes(w, X, y).size for w in run.weights]
    t = [w.tolist() for w in run.weights].index(run.weights[-2].tolist())
    report = judged("pocket", right_but_for_the_last_case("pocket", 0, lambda _: run.weights[-2]))
    assert report.mistake is None
    assert (
        f"This is w_t for t = {t}, with {mistakes[t]} mistakes; "
        f"the fewest is {min(mistakes)}, first at t = {mistakes.index(min(mistakes))}."
    ) in report.messages
    assert report.messages[-1].startswith("Step by step: w = [0, 0, 0];")


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome("returned", None, printed="5"), "What it printed is not its answer."),
        (Outcome("returned", Other("dict", "{}")), "a value of type dict: {}. It should return (w"),
        (Outcome("returned", [["a"], 3]), "[['a'], 3]. It should return (w"),
        (Outcome("raised", error="KeyError", message="a", line=3, code="f()"), "KeyError: a. It was at line 3: `f()`."),
        (Outcome("raised", error="ValueError", message="bad thing.", line=3, code="f()"), "bad thing. It was at line"),
        (Outcome("raised", error="ValueError", message="why?", line=3, code="f()"), "ValueError: why? It was at line"),
        (Outcome("slow", line=2, code="while 1:"), "no answer in 2.5 seconds, so it was stopped. It was at line 2"),
        (Outcome("memory"), "it needed more than 512 MB of memory"),
        (Outcome("output", printed="aaa"), "it printed more than 64 kB"),
        (Outcome("processes"), "process after process"),
        (Outcome("exited", message="bye"), "it called sys.exit: bye. A function should return."),
        (Outcome("died", message="signal SIGSEGV"), "its process ended (signal SIGSEGV)"),
        (Outcome("unshippable", error="TypeError", message="cannot pickle"), "(TypeError: cannot pickle). Perhaps it"),
    ],
)
def test_every_trouble_has_its_sentence(outcome, words):
    report = always("pla", outcome)
    assert (report.passed, report.mistake, report.points) == (False, None, 0)
    assert report.trouble == (None if outcome.kind == "returned" else outcome.kind)
    assert words in repr(report)


def test_one_second_is_one_second():
    for seconds, words in ((4, "no answer in 1 second,"), (8, "no answer in 2 seconds,")):
        cases = cases_of("sign")
        assert words in repr(judge(TASKS["sign"], "f", cases, [Outcome("slow")] * len(cases), seconds))


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
    assert (report.mistake, report.changed) == ("minus_update", ("w",))
    assert "It also changes what it is given (w): work on a copy." in report.messages


def test_a_function_that_is_right_but_changes_its_inputs_is_told_that_its_answers_are_right():
    report = judged("pla", dict(WRONG["pla"])["modifies_inputs"])
    assert "Changed: X. The answers themselves are right." in report.messages
    assert not any(message.startswith("Came out") for message in report.messages)


def test_two_answers_to_one_question_are_both_shown():
    answers = iter(range(100))
    report = judged("radius", lambda _: next(answers))
    assert report.mistake == "not_repeatable"
    assert "Came out: 3; and then 4" in report.messages


def test_what_was_printed_is_shown_shortened():
    report = checks.sign(lambda s: print("score", s, "x" * 10_000))
    assert len(report.printed) == 500
    assert any(message.startswith("It printed: score 3.0 xxx") for message in report.messages)


def test_cases_that_were_not_tried_say_so():
    report = judged("pla", next(known.versions[0] for known in PLA.mistakes if known.id == "minus_update"))
    assert "not tried" in sentences.rows(report)[-1].got
    assert (report.cases[-1].trouble, report.trouble) == ("not tried", "slow")


def test_a_report_is_data():
    report = judged("sign", np.sign)
    case, *_ = [case for case in report.cases if not case.passed]
    assert case.arguments == {"s": 0.0}
    assert (case.outcome.kind, case.outcome.value, case.expected) == ("returned", 0.0, {"answer": -1.0})
    assert (report.check, report.mistake) == ("sign", "zero_is_zero")
    assert report.read == 'chapter 1, "What happens on the line"'
    assert report.mistake_text.startswith("it gives 0 at zero, as numpy.sign does. A perceptron answers")


def test_a_sentence_begins_with_a_capital_unless_a_symbol_begins_it():
    for words in ("w₀ = 0 may be", "max_updates = 0", "numpy.insert needs", "y says", "ρ² divides."):
        assert sentences.capital(words) == words
    for words, sentence in (("a look", "A look"), ("divide.", "Divide."), ("here, as ever", "Here, as ever")):
        assert sentences.capital(words) == sentence


def test_a_check_says_the_same_thing_every_time():
    assert repr(checks.sign(np.sign)) == repr(checks.sign(np.sign))


def test_a_truth_is_shown_as_one():
    report = judged("is_mistake", lambda *_: True)
    assert "Came out: True" in report.messages
    assert "Expected: False" in report.messages


def test_on_a_page_words_are_escaped_and_code_is_shown_as_code():
    outcome = Outcome("raised", error="ValueError", message="<script>alert(1)</script>", line=1, code="a < b")
    page = always("pla", outcome)._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert page.count("<code>a &lt; b</code>") == 1 + len(cases_of("pla"))  # the message, and the folded table
    assert "`" not in page
    assert "✗" in page
    assert "✓" in judged("sign", sgn)._repr_html_()


QUESTION = " Two sizes differ by one. Is x₀ = +1 missing somewhere, or is a length written as a fixed number?"


@pytest.mark.parametrize(
    ("check", "function"),
    [
        (checks.update, lambda w, x, y: w + y * x),
        (checks.is_mistake, lambda w, x, y: np.dot(w, x) * y <= 0),
        (checks.predict, lambda w, X: np.where(X @ w > 0, 1, -1)),
        (checks.pla, lambda X, y: (bias(X) @ np.zeros(3), pla_right(X, y))[1]),
    ],
)
def test_sizes_that_differ_by_one_are_asked_about(check, function):
    assert QUESTION in repr(sentences.rows(check(function)))


def test_other_sizes_are_not_asked_about_and_where_there_is_no_x_nobody_asks_for_its_constant():
    assert QUESTION not in repr(sentences.rows(checks.pla(lambda *_: np.ones(2) @ np.ones(7))))
    report = checks.back(lambda v, mean, std: v @ (mean / std))  # v has an entry more
    assert report.trouble == "raised"
    assert "size" in repr(report)
    assert "x₀" not in repr(report)


def notes_in_the_code():
    """{id: names of its details} of every `Note("id", …)` and `text("id", …)` in the package's checks."""
    used = {}
    for path in (ROOT / "plahelpers" / "checks").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(node, "func", None) and (getattr(node.func, "id", "") or getattr(node.func, "attr", ""))
            if name in ("Note", "text") and node.args:
                for key in re.findall(r"'(\w+\.\w+)'", ast.unparse(node.args[0])):
                    used.setdefault(key, []).append({keyword.arg for keyword in node.keywords})
    return used


def placeholders(message):
    texts = message.values() if isinstance(message, dict) else [message]
    return {field for text in texts for _, field, _, _ in string.Formatter().parse(text) if field}


SHARED_TABLES = ("label", "table", "count", "sections")  # looked up as tables
KEYS_OF_A_CHECK = {"title", "returns", "read", "like"}
OF_ANY_CHECK = ("modifies_inputs", "not_repeatable", "same_answer", "unused_argument")
HEADS = {"passed", "given", "failed", "unwritten"}


def mistakes_of(check):
    return {known.id for known in TASKS[check].mistakes} if check in TASKS else set()


def test_every_message_that_the_code_names_exists_and_its_placeholders_are_filled():
    filled = notes_in_the_code()
    assert len(filled) > 60
    for key, given in filled.items():
        needed = placeholders(sentences.find(key))
        for names in given:
            assert None in names or needed <= names, key  # None: **details, which a test below or above shows


def test_every_known_mistake_has_its_sentences_and_a_section_to_read():
    for check in TASKS:
        whats = set()
        for key in [*mistakes_of(check), *OF_ANY_CHECK]:
            words = sentences.find(f"{check}.{key}")
            assert placeholders(words) <= ({"names"} if key == "unused_argument" else set())
            assert re.fullmatch(r"[a-z_0-9]+", key)
            assert not words["what"].endswith(".")
            assert words["why"].endswith((".", "?"))
            whats.add(words["what"])
            assert words.get("read", sentences.messages()[check].get("read")) in sentences.messages()["sections"]
        assert len(whats) == len(mistakes_of(check)) + len(OF_ANY_CHECK)


def test_every_message_on_file_is_used():
    tables = {name: table for name, table in sentences.messages().items() if name not in SHARED_TABLES}
    named = set(notes_in_the_code()) | {f"any.{key}" for key in (*OF_ANY_CHECK, *HEADS)}
    for check, table in tables.items():
        for group in (check, *table.get("like", ())):
            named |= {f"{group}.{key}" for key in mistakes_of(check) | HEADS | KEYS_OF_A_CHECK}
    named |= {f"trouble.{kind}{more}" for kind in get_args(Kind) for more in ("", "_hint")}
    assert {f"{table}.{key}" for table, texts in tables.items() for key in texts} <= named
    texts = [text for table in tables.values() for text in (table, *table.values()) if isinstance(text, dict)]
    assert set(sentences.messages()["sections"]) <= {text.get("read") for text in texts}


def test_the_sections_that_messages_name_exist():
    titles = {}
    for chapter, name in _format.CHAPTERS.items():
        cells = json.loads((ROOT / "notebooks" / name).read_text("utf-8"))["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        titles[chapter] = {title for text in texts for title in re.findall(r"(?m)^#+ (.+)$", text)}
    for section in sentences.messages()["sections"].values():
        assert section["title"] in titles[section["chapter"]], section


def test_a_report_names_the_section_to_read_and_its_page_links_there():
    report = judged("sign", np.sign)
    assert 'Read chapter 1, "What happens on the line".' in repr(report)
    address = "01_hypothesis_set.ipynb#cell-id=what-happens-on-the-line-1"
    link = f'<a href="{address}">chapter 1, &quot;What happens on the line&quot;</a>'
    assert re.findall("Read (<a.*?</a>)", report._repr_html_()) == [link]


# --- Nothing is written yet ------------------------------------------------------------------------------------------

TEMPLATES = """
def f(w, X): ...
def f(w, X): pass
def f(w, X=None, *, k=3) -> int: 'Only a docstring.'
def f(w, X):
    'A docstring.'
    ...
def f(w, X):
    'A docstring.'
    # a comment
    ...
    pass
def f(*arguments): ...; pass
"""
ATTEMPTS = """
def f(w, X): return 0
def f(w, X): return X
def f(w, X): return ...
def f(w, X): 'A docstring.'; print(w)
def f(w, X):
    w = 1
    return None
def f(w, X):
    for x in X: pass
def f(w, X): raise NotImplementedError
def f(w, X): yield
async def f(w, X): ...
def f(w, X): w[0]
f = lambda w, X: None
f = print
class f:
    def __call__(self, w, X): ...
"""


def functions(text):
    """Every function of the text, made as a cell of a notebook makes it: there is no file to read its source from."""
    for piece in re.split(r"\n(?=\w)", text.strip()):
        names = {}
        exec(piece, names)
        yield piece, names["f"]() if isinstance(names["f"], type) else names["f"]


def test_a_template_is_unwritten_and_an_attempt_is_not():
    templates, attempts = list(functions(TEMPLATES)), list(functions(ATTEMPTS))
    assert (len(templates), len(attempts)) == (6, 13)
    assert [source for source, function in templates if not is_unwritten(function)] == []
    assert [source for source, function in attempts if is_unwritten(function)] == []
    assert not is_unwritten(partial(templates[0][1], 1))


def unwritten(check, monkeypatch):
    """The report on a template, which is never called."""
    monkeypatch.setattr(judging, "run_guarded", None)

    def my_function(*arguments): ...

    return CHECKS[check](my_function, seed=4)


@pytest.mark.parametrize("check", WRONG)
def test_an_unwritten_function_is_shown_calmly_what_it_will_be_asked(check, monkeypatch):
    report = unwritten(check, monkeypatch)
    assert (report.passed, report.points, report.is_blank, report.mistake) == (False, 0, True, None)
    assert "your turn. my_function is not written yet. It will be " in report.messages[0]
    assert report.messages[1] == f"It should return {sentences.find(f'{check}.returns')}."
    page = report._repr_html_()
    assert _theme.FAINT in page
    assert not re.search(f"{_theme.MISTAKE}|✗|not yet|not right|Came out", page + repr(report))
    assert page.count("<li>") == len(report.cases)
    with pytest.raises(checks.NotPassedError, match="is not written yet"):
        report.require()


@pytest.mark.parametrize("check", TASKS)
def test_of_the_cases_that_wait_one_shows_its_answer_and_all_are_those_that_would_be_tried(check, monkeypatch):
    report = unwritten(check, monkeypatch)
    attempt = judged(check, lambda *_: "nothing", seed=4)
    tried = [row.tried.replace("f(", "my_function(", 1) for row in sentences.rows(attempt)]
    assert [row.tried for row in sentences.rows(report)] == tried
    assert {row.got for row in sentences.rows(report)} == {"not tried yet"}
    assert report.messages[2:] == (f"For example: {tried[0]}", f"Expected: {sentences.rows(attempt)[0].expected}")
    assert report._repr_html_().count("Expected") == 1


def test_a_value_that_is_missing_is_asked_for_calmly():
    for report in (
        checks.number(..., 8, "T"),
        checks.numbers(None, {"train": 0.1, "test": 0.25}, "T"),
        checks.choice(..., "B", "T"),
    ):
        assert report.messages[0] == "T: your turn."
        assert re.match(r"There (is|are) no (value|values|letter) yet\. ", report.messages[1])
        assert (report.passed, report.points, report.is_blank) == (False, 0, True)
        assert _theme.FAINT in report._repr_html_()
        assert not re.search(f"{_theme.MISTAKE}|✗|not yet", report._repr_html_())


@pytest.mark.parametrize("check", TASKS)
def test_a_seed_adds_fresh_cases_and_the_same_seed_the_same_ones(check):
    fixed, one, again, other = ([str(case) for case in TASKS[check].all_cases(seed)] for seed in (None, 1, 1, 2))
    assert one == again
    assert [case for case in one if case in fixed] == fixed
    assert len(one) == len(other) >= len(fixed) + 3
    assert set(one) & set(other) == set(fixed)


def test_whoever_knows_the_fixed_cases_by_heart_is_found_out():
    known = {str(case): PLA.right(*case) for case in cases_of("pla")}

    def pla_by_heart(*case):
        return known.get(str(case), (np.zeros(case[0].shape[1] + 1), 0, []))

    assert judged("pla", pla_by_heart).passed
    assert not judged("pla", pla_by_heart, seed=1).passed


@pytest.mark.parametrize("seed", range(10))
def test_fresh_cases_are_fit_to_tell_right_from_wrong(seed):
    rng = np.random.default_rng(seed)
    for X, y in PLA.fresh(rng):
        assert learning.pla(X, y).updates >= 4
    for w, X, y in TASKS["mistakes"].fresh(rng):
        assert 0 < len(hypothesis.mistakes(w, X, y)) < len(y)
        assert hypothesis.scores(w, X[:1]) == [0]
    for w, x, y in TASKS["update"].fresh(rng):
        assert hypothesis.is_mistake(w, x, y)
        assert isinstance(y, np.int64)  # as it would come out of an array
    *perfect, (X, y, w_f) = TASKS["margin"].fresh(rng)
    assert all(guarantee.margin(*case) > 0 for case in perfect)
    assert guarantee.margin(X, y, w_f) < 0


@pytest.mark.parametrize("got", [8, 8.0, np.int64(8), np.array([8]), 8 + 1e-7])
def test_a_right_number_passes_however_it_is_held(got):
    assert repr(checks.number(got, 8, "the number of updates")) == "The number of updates: passed."


NUMBERS = {
    "no_value": [(None, 8), (..., 8)],
    "text": [("8", 8)],
    "function": [(len, 8)],
    "truth": [(True, 1)],
    "not_a_number": [({}, 8), (1 + 2j, 8), (Other("dict", "{}"), 8)],
    "several": [([8, 8], 8), ([], 8)],
    "nan": [(float("nan"), 8), (np.inf, 8)],
    "off_by_one": [(9, 8), (7, 8)],
    "sign": [(-8.5, 8.5)],
    "percent": [(35, 0.35)],
    "complement": [(0.65, 0.35)],
    "squared": [(72.25, 8.5)],
    "root": [(2.5, 6.25)],
    "rounded": [(0.1, 0.1372), (26.0, 26.4385), (0.14, 0.1372)],
    "another_number": [(100, 8), (0.13, 0.1372), (0, 0.1372)],
}


@pytest.mark.parametrize("mistake", NUMBERS)
def test_a_wrong_number_is_told_why_and_never_what_is_expected(mistake):
    for got, expected in NUMBERS[mistake]:
        report = checks.number(got, expected, "ρ")
        assert (report.passed, report.mistake, report.points) == (False, mistake, 0)
        assert report.messages[0] == ("ρ: your turn." if mistake == "no_value" else "ρ: not yet.")
        assert report.is_blank == (mistake == "no_value")
        words = repr(report) + sentences.rows(report)[0].expected
        assert mistake == "text" or not re.search(rf"(?<![\d.]){expected}(?![\d.])", words)


def test_a_dict_is_shown_as_one_wherever_it_comes_from():
    of_a_guarded_notebook = Other("dict", "{'a': 1}")
    for got in ({"a": 1}, of_a_guarded_notebook):
        assert "A value of type dict is not a number." in repr(checks.number(got, 8, "T"))
    assert "a value of type dict: {'a': 1}" in repr(checks.numbers(of_a_guarded_notebook, {"T": 8}, "all"))
    assert "a value of type dict: {'a': 1}" in repr(checks.choice(of_a_guarded_notebook, "B", "reason 1"))


def test_a_tolerance_is_a_fraction_of_what_is_expected():
    assert checks.number(1030, 1000, "T", tolerance=0.05).passed
    assert not checks.number(1060, 1000, "T", tolerance=0.05).passed
    assert not checks.number(8 + 1e-7, 8, "T", tolerance=0).passed


def test_a_number_without_an_expected_one_is_only_looked_at():
    assert "212 is noted" in repr(checks.number(212, None, "T"))
    assert checks.number(..., None, "T").mistake == "no_value"


IMPOSSIBLE = [
    ("count", {}, -1, "no_count", "-1 cannot be a count."),
    ("count", {}, 2.5, "no_count", "2.5 cannot be a count."),
    ("count", {"most": 20}, 21, "too_large", "The largest possible value is 20."),
    ("index", {"most": 19}, -1, "no_index", "0, 1, …, N−1."),
    ("index", {"most": 19}, 20, "too_large", "20 is too large."),
    ("rate", {}, 35, "percent", "It looks like per cent."),
    ("rate", {}, 101, "no_rate", "101 cannot be a rate."),
    ("rate", {}, -0.1, "no_rate", "A rate is a number from 0 to 1."),
]


@pytest.mark.parametrize(("kind", "more", "got", "mistake", "words"), IMPOSSIBLE)
def test_a_number_that_cannot_be_is_refused_also_when_the_right_one_is_not_known(kind, more, got, mistake, words):
    for expected in (None, 0.5):
        report = checks.number(got, expected, "T", kind=kind, **more)
        assert (report.passed, report.noted, report.mistake) == (False, False, mistake)
        assert words in repr(report)
        assert _theme.MISTAKE in report._repr_html_()
    report = checks.numbers([0, got], {"a": None, "b": None}, "T", kind=kind, **more)
    assert (report.parts, report.mistake) == ({"a": True, "b": False}, mistake)


@pytest.mark.parametrize(("kind", "got"), [("count", 0), ("count", 20.0), ("index", 0), ("rate", 0), ("rate", 1.0)])
def test_a_number_that_can_be_is_noted_calmly_and_looks_neither_right_nor_wrong(kind, got):
    for report in (checks.number(got, None, "T", kind=kind, most=20), checks.choice("b", None, "T")):
        assert (report.passed, report.noted) == (True, True)
        assert "is noted. It is compared when your work is graded." in repr(report)
        page = report._repr_html_()
        assert _theme.FAINT in page
        assert not re.search(f"{_theme.POCKET}|{_theme.MISTAKE}|✓|✗", page)
    assert not checks.number(got, got, "T", kind=kind, most=20).noted
    assert "✓" in checks.number(got, got, "T", kind=kind, most=20)._repr_html_()


@pytest.mark.parametrize("got", [Fraction(1, 4), Decimal("0.25"), np.float32(0.25), [Fraction(1, 4)]])
def test_a_fraction_or_a_decimal_is_a_number(got):
    assert checks.number(got, 0.25, "the rate", kind="rate").passed
    assert not checks.number(got, 0.5, "the rate", kind="rate").passed
    assert checks.numbers([got, 3], {"a": 0.25, "b": 3}, "both").passed


def test_several_numbers_are_judged_one_by_one():
    expected = {"train": 0.1, "test": 0.25}
    assert checks.numbers([0.1, 0.25], expected, "the errors").passed
    report = checks.numbers(np.array([0.1, 25]), expected, "the errors")
    assert (report.passed, report.points, report.mistake) == (False, 0.5, "percent")
    assert "Test: not yet. It looks like per cent." in repr(report)
    assert "[3, 4] is noted" in repr(checks.numbers([3, 4], dict.fromkeys(expected), "the errors"))
    assert "Test: not yet. It is nan." in repr(checks.numbers([3, np.nan], dict.fromkeys(expected), "the errors"))
    for got, words in [(..., "no values yet"), ([0.1], "cannot be used: [0.1]"), ("ab", "cannot be used: 'ab'")]:
        assert words in repr(checks.numbers(got, expected, "the errors"))
        assert "a list of 2 numbers: train, test." in repr(checks.numbers(got, expected, "the errors"))
    report = checks.numbers([0.1, ...], expected, "the errors")
    assert (report.parts, report.is_blank) == ({"train": True, "test": False}, False)
    assert report.messages == (
        "The errors: not yet.",
        "Test: not yet. There is no value yet. Replace `...` by your number.",
    )


def test_a_letter_is_judged_and_not_told():
    assert checks.choice(" b", "B", "reason 1").passed
    assert "'b' is noted" in repr(checks.choice("b", None, "reason 1"))
    assert checks.choice(..., "B", "reason 1").is_blank
    for got in ("G", 2, "", "AB"):
        assert checks.choice(got, "B", "reason 1").mistake == "not_a_letter"
    report = checks.choice("A", "B", "reason 1")
    assert report.mistake == "another_letter"
    assert "B" not in repr(report)


def test_requiring_is_silent_when_all_is_right_and_says_everything_when_not():
    assert checks.number(8, 8, "T").require() is None
    with pytest.raises(
        AssertionError, match=r"T: not yet\.\n  It is off by one\. Where does your count begin and end\?"
    ):
        checks.number(9, 8, "T").require()


def test_data_that_are_right_are_told_what_was_measured():
    report = checks.smaller_step(hard_pair)
    assert report.passed
    assert "gives 1 update with η = ½ and " in repr(report)


def test_data_that_are_right_only_by_chance_are_told_so():
    def now_and_then():
        from plahelpers import checks

        checks.called = getattr(checks, "called", 0) + 1
        return ([[6, 0], [7, 0]], [-1, 1]) if checks.called == 1 else ([[0, 1], [0, -1]], [1, -1])

    report = checks.smaller_step(now_and_then)
    assert report.points == 0.5
    assert any("fix its seed" in message for message in report.messages)


def test_making_data_can_go_wrong_like_any_function():
    report = checks.smaller_step(lambda: print("thinking") or 1 / 0)
    assert report.trouble == "raised"
    assert "ZeroDivisionError" in repr(report)
    assert "It printed: thinking" in repr(report)


def test_something_that_is_no_function_gets_a_kind_error():
    with pytest.raises(
        TypeError, match=r"checks\.pla\(my_function\), without calling it; this is a value of type list"
    ):
        checks.pla([1, 2])
    with pytest.raises(TypeError, match=r"checks\.smaller_step\(my_function\)"):
        checks.smaller_step(None)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 1e9])
def test_the_time_limit_must_make_sense(seconds):
    with pytest.raises(ValueError, match=r"seconds must be a number from 0\.1 to 3600"):
        checks.sign(sgn, seconds=seconds)


def test_checking_leaves_no_chance_and_no_globals_changed():
    np.random.seed(5)
    expected = np.random.RandomState(5).random(3)
    checks.sign(lambda s: (np.random.seed(1), sgn(s))[1])
    np.testing.assert_array_equal(np.random.random(3), expected)


NOTEBOOK_CELLS = [
    "import numpy as np\nfrom plahelpers import checks\ncalls = 0",
    "def label(s):\n    return np.where(s > 0, 1, -1)",
    "def my_sign(s):\n    global calls\n    calls += 1\n    return label(s)",
    "print(checks.sign(my_sign).passed, calls)",
    "def my_sign(s):\n    'The label of a score.'\n    ...",
    "checks.sign(my_sign)",
    "def my_sign(s):\n    while True:\n        s = -s",
    "checks.sign(my_sign, seconds=2)",
    "print('alive')",
]


def test_a_function_of_a_notebook_cell_with_its_imports_in_another_cell(tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in NOTEBOOK_CELLS])
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    assert notebook.cells[3].outputs[0].text.strip() == "True 0"
    assert "my_sign is not written yet" in notebook.cells[5].outputs[0].data["text/plain"]
    data = notebook.cells[7].outputs[0].data
    assert re.search(r"It was at line [23]: `(while True:|s = -s)`", data["text/plain"])
    assert data["text/html"].startswith("<div")
    assert notebook.cells[8].outputs[0].text.strip() == "alive"


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

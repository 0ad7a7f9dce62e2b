"""Marks: points for each part that is right, also for what follows from an earlier function that is wrong."""

from itertools import product

import numpy as np
import pytest

from plahelpers import checks, datasets, hypothesis, learning
from plahelpers._guard import Outcome
from plahelpers.checks import judge, sentences
from tests.package.wrong_versions import pla, pla_along, pla_right

DATA = datasets.running_example()
X, y = np.array(DATA.X), np.array(DATA.y)


def call(function, case):
    arguments = [np.array(each) if np.ndim(each) else each for each in case]
    try:
        value = function(*arguments)
    except Exception as error:
        return Outcome("raised", error=type(error).__name__)
    changed = [k for k, (one, other) in enumerate(zip(arguments, case, strict=True)) if not np.array_equal(one, other)]
    return Outcome("returned", value, changed=tuple(changed))


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """What is judged here does no harm."""
    monkeypatch.setattr(judge, "run_guarded", lambda function, cases, **_: [call(function, case) for case in cases])


# --- Points for parts ------------------------------------------------------------------------------------------------

SPOILED = lambda w: w + 1, lambda updates: updates + 7, lambda picks: [*picks, 99]


@pytest.mark.parametrize("right", list(product([True, False], repeat=3)))
def test_each_part_of_the_contract_earns_its_own_points(right):
    def my_pla(*case):
        parts = pla_along(*case)
        return tuple(part if ok else spoil(part) for part, ok, spoil in zip(parts, right, SPOILED, strict=True))

    report = checks.pla_with_order(my_pla, seed=3)
    marks = report.marks(9, 8, 7)
    assert marks == sum(worth for worth, ok in zip((9, 8, 7), right, strict=True) if ok)
    assert list(report.parts.values()) == list(right)
    assert report.passed == all(right)
    assert type(marks) is float  # nbgrader reads it from a cell's output


@pytest.mark.parametrize("picks", [None, "0, 1", {0: 1}, [[1, 2], [3]]])
def test_a_part_that_cannot_be_read_costs_its_own_points_only(picks):
    report = checks.pla_with_order(lambda *case: (*pla_along(*case)[:2], picks))
    assert report.marks(9, 8, 8) == 17
    assert "It should return (w, updates, picks), these three in this order." in repr(report)


def test_a_part_earns_the_share_of_unseen_cases_in_which_it_is_right():
    def up_to_nine(X, y):
        w, updates = pla(X, y)
        return (w if len(y) < 9 else w + 1), updates

    report = checks.pla(up_to_nine, seed=6)
    unseen = [len(case.arguments["y"]) < 9 for case in report.cases if case.unseen]
    assert 0 < sum(unseen) < len(unseen)
    assert report.marks(9, 8) == round(9 * sum(unseen) / len(unseen), 1) + 8


def test_a_known_mistake_earns_a_quarter_and_an_unknown_one_that_spoils_everything_nothing():
    assert checks.pla(lambda X, y: (2 * pla(X, y)[0], 0), seed=6).marks(9, 7) == 4
    assert checks.pla(lambda X, y: (pla(X, y)[0] + 3, 0), seed=6).marks(9, 7) == 0


@pytest.mark.parametrize("function", [lambda *_: None, lambda *case: pla(*case)[0], "unwritten"])
def test_whoever_returns_other_parts_earns_nothing(function):
    def my_pla(X, y): ...

    assert checks.pla(my_pla if function == "unwritten" else function).marks(9, 8) == 0


def test_changing_the_arguments_costs_as_much_as_the_cheapest_part():
    def changes_X(X, y):
        answer = pla(X, y)
        X *= 2
        return answer

    def changes_X_and_forgets_updates(X, y):
        return changes_X(X, y)[0], None

    def changes_X_and_is_wrong(X, y):
        X *= 2
        return np.zeros(1), 99

    assert checks.pla(changes_X).marks(9, 7) == 9
    assert checks.pla(changes_X_and_forgets_updates).marks(9, 7) == 2
    assert checks.pla(changes_X_and_is_wrong).marks(9, 7) == 0


def test_each_of_several_numbers_is_a_part_however_few_were_found():
    expected = {"train": 0.1, "test": 0.25}
    for got, marks in [([0.1, 0.25], 5), ([0.1, 0.3], 2), ([..., 0.25], 3), ([0.1], 0), (..., 0), ("ab", 0)]:
        assert checks.numbers(got, expected, "the errors").marks(2, 3) == marks
    assert checks.number(8, 8, "T").marks(4) == 4


def test_as_many_points_as_parts_are_needed():
    with pytest.raises(ValueError, match="zip"):
        checks.pla(pla).marks(9, 8, 7)


def test_the_right_value_is_there_for_whoever_grades_and_no_sentence_tells_it():
    report = checks.number(7123, 8245, "T")
    assert report.cases[0].solution == 8245
    assert "8245" not in repr(report) + report._repr_html_() + repr(sentences.rows(report))
    report = checks.numbers([1, 2], {"a": 1, "b": 8245}, "both")
    assert [case.solution for case in report.cases] == [1, 8245]
    assert checks.choice("A", "B", "reason 1").cases[0].solution == "B"


# --- What follows from earlier functions -----------------------------------------------------------------------------


def pla_zero_is_plus(X, y):
    return pla_right(X, y, wrong=lambda s, t: (1 if s >= 0 else -1) != t)


def given_updates(pla):
    """The number of updates that follows from a student's pla, as the homework has it."""

    def own():
        w, updates, picks = pla(X, y)
        return updates if len(picks) and not hypothesis.mistakes(w, X, y).size else None

    return checks.Given(own, "pla")


RIGHT_UPDATES, OWN_UPDATES = learning.pla(X, y).updates, pla_zero_is_plus(X, y)[1]


def test_a_number_that_follows_from_ones_own_function_is_right_and_says_so():
    assert OWN_UPDATES != RIGHT_UPDATES
    report = checks.number(OWN_UPDATES, RIGHT_UPDATES, "the number of updates", given=given_updates(pla_zero_is_plus))
    assert (report.passed, report.given, report.mistake) == (True, ("pla",), None)
    assert (report.require(), report.marks(5)) == (None, 5)
    assert report.messages == ("The number of updates: right, given your `pla`.",)
    assert "✓" in report._repr_html_()
    assert report.cases[0].solution == RIGHT_UPDATES


def test_a_right_number_needs_no_function_and_a_third_one_is_wrong():
    right = checks.number(RIGHT_UPDATES, RIGHT_UPDATES, "T", given=given_updates(pla_zero_is_plus))
    assert (right.passed, right.given, right.messages) == (True, (), ("T: passed.",))
    third = checks.number(77, RIGHT_UPDATES, "T", tolerance=0, given=given_updates(pla_zero_is_plus))
    assert (third.passed, third.given, third.followed) == (False, (), ())


def raises(X, y):
    raise RuntimeError


NO_ATTEMPTS = {
    "a constant": lambda _X, _y: ([1.0, 2.0, 3.0], 5, [1, 2]),
    "an empty walk": lambda X, _y: (np.zeros(X.shape[1] + 1), 0, []),
    "mistakes left": lambda X, y: pla_right(X, y, passes=1),
    "raises": raises,
    "nothing": lambda _X, _y: None,
}


@pytest.mark.parametrize("kind", NO_ATTEMPTS)
def test_nothing_follows_from_a_function_that_is_no_attempt(kind):
    for got in (5, 0, pla_right(X, y, passes=1)[1]):
        report = checks.number(got, RIGHT_UPDATES, "T", tolerance=0, given=given_updates(NO_ATTEMPTS[kind]))
        assert (report.passed, report.given, report.marks(5)) == (False, (), 0)


@pytest.mark.parametrize("own", [None, "8", [1, 2], {}, float("nan"), float("inf"), np.zeros(3), object(), True])
def test_whatever_comes_out_of_ones_own_function_a_wrong_number_stays_wrong(own):
    for got in (5, float("nan"), None, [1, 2, 3], "8"):
        assert not checks.number(got, RIGHT_UPDATES, "T", given=checks.Given(lambda: own, "pla")).passed
        assert checks.numbers([got, 2], {"a": 7, "b": 2}, "both", given=checks.Given(lambda: own, "f")).marks(2, 3) == 3


def test_of_several_numbers_those_that_follow_earn_their_points():
    expected = {"first": 1, "second": 2, "third": 3}
    given = checks.Given(lambda: [10, 20, None], "pla", "sign")
    report = checks.numbers([10, 2, 30], expected, "three", given=given)
    assert (report.parts, report.marks(1, 2, 4)) == ({"first": True, "second": True, "third": False}, 3)
    assert (report.passed, report.given, report.followed) == (False, ("pla", "sign"), ("first",))
    assert report.messages[:2] == ("Three: not yet.", "Right, given your `pla` and `sign`: first.")
    assert checks.numbers([10, 20, 3], expected, "three", given=given).passed

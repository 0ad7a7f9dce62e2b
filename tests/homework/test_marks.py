"""Marks: the share of unseen cases of each part, and points for what follows from an earlier function that is wrong."""

import pytest

from plahelpers import checks
from tests.homework.assignments import in_this_process
from tests.package.wrong_versions import pla, pla_along


@pytest.fixture(autouse=True)
def _here():
    with in_this_process():
        yield


def test_a_part_that_cannot_be_read_costs_its_own_points_only():
    report = checks.pla_with_order(lambda *case: (*pla_along(*case)[:2], {0: 1}), seed=3)
    marks = report.marks(9, 8, 7)
    assert (marks, list(report.parts.values())) == (17, [1, 1, 0])
    assert type(marks) is float  # nbgrader reads it from a cell's output


def test_right_parts_in_the_wrong_order_leave_a_quarter():
    report = checks.pla(lambda *case: pla(*case)[::-1], seed=3)
    assert (report.mistake, report.marks(9, 7)) == ("wrong_order", 4)


def test_each_of_several_numbers_is_a_part_however_few_were_found():
    expected = {"train": 0.1, "test": 0.25}
    for got, marks in [([0.1, 0.25], 5), ([0.1, 0.3], 2), ([..., 0.25], 3), ([0.1], 0), (..., 0), ("ab", 0)]:
        assert checks.numbers(got, expected, "the errors").marks(2, 3) == marks


def test_known_wrong_numbers_are_named_unless_they_are_right():
    known = [checks.Known("of_all", 0.2, "It is a share of all", "Of the positive ones.")]
    report = checks.numbers([0.2, 0.2], {"a": 0.8, "b": 0.2}, "both", known={"a": known, "b": known})
    assert [case.problem and case.problem.id for case in report.cases] == ["of_all", None]
    assert "It is a share of all. Of the positive ones." in repr(report)


def test_of_several_numbers_those_that_follow_earn_their_points_and_no_others():
    report = checks.pla(pla, seed=3)
    expected = {"first": 1, "second": 2, "third": 3}
    found = checks.numbers([10, 2, 30], expected, "three", given=checks.Given(lambda: [10, 20, None], report))
    assert (found.parts, found.marks(1, 2, 4)) == ({"first": 1, "second": 1, "third": 0}, 3)
    assert found.messages[:2] == ("Three: not yet.", "Right, given your `pla`: first.")
    for own in (None, [1, 2], [float("nan")] * 3, object()):
        again = checks.numbers([10, 2, 30], expected, "three", given=checks.Given(lambda own=own: own, report))
        assert again.marks(1, 2, 4) == 2

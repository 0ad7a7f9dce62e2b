"""Known wrong versions of standardising, which notebook 04 does before it learns from real data."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray
from plahelpers.checks.wrong_base import REAL, Wrong

Tables: TypeAlias = tuple[FloatArray, FloatArray]


def _in_units_of(
    table: FloatArray, seen: FloatArray, *, axis: int | None = 0, ddof: int = 0, centre: bool = True,
    divide: bool = True, guard: bool = True, spread: Callable[..., Any] = np.std,
) -> FloatArray:  # fmt: skip
    """The table minus the mean of what was seen, over its spread, with one piece exchanged."""
    middle = seen.mean(axis=axis, keepdims=True) if centre else 0.0
    unit = spread(seen, axis=axis, keepdims=True, ddof=ddof) if divide else np.ones(1)
    with np.errstate(all="ignore"):
        return np.asarray((table - middle) / np.where((unit == 0) & guard, 1.0, unit))


def _train(train: FloatArray, test: FloatArray) -> FloatArray:  # noqa: ARG001
    return train


def _test(train: FloatArray, test: FloatArray) -> FloatArray:  # noqa: ARG001
    return test


def _all(train: FloatArray, test: FloatArray) -> FloatArray:
    return np.vstack([train, test])


def standardise(
    seen_for_train: Callable[..., FloatArray] = _train, seen_for_test: Callable[..., FloatArray] = _train, **pieces: Any
) -> Callable[..., Tables]:  # fmt: skip
    """A version that takes mean and spread from what it has seen for each; as it should, if nothing is exchanged."""
    return lambda train, test: (
        _in_units_of(train, seen_for_train(train, test), **pieces),
        _in_units_of(test, seen_for_test(train, test), **pieces),
    )


def _guarded_or_not(*seen: Callable[..., FloatArray], **pieces: Any) -> tuple[Callable[..., Tables], ...]:
    """With and without care for columns that never change."""
    return tuple(standardise(*seen, guard=guard, **pieces) for guard in (True, False))


def _by_rows(train: FloatArray, test: FloatArray, *, guard: bool) -> Tables:
    return _in_units_of(train, train, axis=1, guard=guard), _in_units_of(test, test, axis=1, guard=guard)


def _from_0_to_1(train: FloatArray, test: FloatArray) -> Tables:
    low, size = train.min(axis=0), np.ptp(train, axis=0)
    size = np.where(size == 0, 1.0, size)
    return (train - low) / size, (test - low) / size


def _only_one(k: int) -> Callable[..., Tables]:
    """Only the training examples (0) or only the test examples (1) are changed."""

    def version(train: FloatArray, test: FloatArray) -> Tables:
        both = standardise()(train, test)
        return (both[0], test) if k == 0 else (train, both[1])

    return version


def _hidden(train: FloatArray, test: FloatArray) -> Tables:
    """What division by 0 gives, turned into numbers: 0 / 0 into 0, and 1 / 0 into the largest number there is."""
    train_z, test_z = standardise(guard=False)(train, test)
    return np.nan_to_num(train_z), np.nan_to_num(test_z)


def _with_zeros(train: FloatArray, test: FloatArray) -> Tables:
    """A column that never changes in train is 0 in both."""
    train_z, test_z = standardise()(train, test)
    return train_z, np.where(np.ptp(train, axis=0) == 0, 0.0, test_z)


def _a_little_more(eps: float) -> Callable[..., Tables]:
    """Something tiny is added to every standard deviation."""
    return standardise(spread=lambda seen, **how: np.std(seen, **how) + eps)


STANDARDISE: Final = (
    Wrong("tests_own_mean", "it measures the test examples by their own mean and spread",
          "at work, a new example comes alone: use the training examples' mean and spread for both.", REAL,
          _guarded_or_not(_train, _test)),
    Wrong("all_data", "its mean and spread are those of all examples, the test examples too",
          "the test examples must have no say in anything that is learnt, and the mean is learnt.", REAL,
          _guarded_or_not(_all, _all)),
    Wrong("learns_from_test", "its mean and spread are those of the test examples",
          "use those of the training examples for both.", REAL, _guarded_or_not(_test, _test)),
    Wrong("ddof_1", "it divides by N − 1 in the variance (ddof=1, as pandas does)",
          "here the variance is the mean of the squares: ddof=0, NumPy's own.", REAL,
          _guarded_or_not(ddof=1)),
    Wrong("not_centred", "it does not subtract the mean", "subtract the mean first, then divide.", REAL,
          _guarded_or_not(centre=False)),
    Wrong("not_divided", "it does not divide by the standard deviation", "each column is to have spread 1.", REAL,
          (standardise(divide=False),)),
    Wrong("variance", "it divides by the variance", "divide by its root, the standard deviation.", REAL,
          _guarded_or_not(spread=np.var)),
    Wrong("by_rows", "it standardises each example (row) by itself", "each feature is a column: axis=0.", REAL,
          tuple(partial(_by_rows, guard=guard) for guard in (True, False))),
    Wrong("whole_table", "it uses one mean for the whole table", "each column has its own: axis=0.", REAL,
          (standardise(axis=None),)),
    Wrong("from_0_to_1", "it brings each column to the range from 0 to 1",
          "here the mean is to be 0 and the standard deviation 1.", REAL, (_from_0_to_1,)),
    Wrong("constant_column", "it divides by 0 in a column that never changes in train, and gets NaN or infinity there",
          "the standard deviation of such a column is 0: subtract the mean and divide by 1 (to replace NaN by 0 "
          "afterwards does not help the test examples).", REAL, (standardise(guard=False), _hidden)),
    Wrong("zeros_in_test", "it sets a column that never changes in train to 0 in the test examples too",
          "there the values may be others: subtract the mean and divide by 1, in both.", REAL, (_with_zeros,)),
    Wrong("tiny_divisor", "it divides a column that never changes in train by a tiny number, so that another value in "
          "the test examples becomes huge", "subtract the mean and divide by 1 there.", REAL,
          tuple(_a_little_more(10.0**-k) for k in range(7, 17))),
    Wrong("test_unchanged", "it leaves the test examples as they were",
          "w is learnt in the new units, so every example has to be brought to them.", REAL, (_only_one(0),)),
    Wrong("train_unchanged", "it leaves the training examples as they were", "both are to be changed.", REAL,
          (_only_one(1),)),
    Wrong("swapped", "it returns the test examples first", "(train_z, test_z), in this order.", REAL,
          (lambda train, test: standardise()(train, test)[::-1],)),
)  # fmt: skip

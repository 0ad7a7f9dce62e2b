"""Bad input is a sentence that says what was wrong, where, and what to do; good input of any shape is welcome."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from plahelpers import best_line, mistakes, pla, pocket, separate
from plahelpers.experiments import repeat_pla, repeat_pocket
from plahelpers.guarantee import margin, update_bound
from plahelpers.hypothesis import is_mistake, predict, sign

X = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]])
y = np.array([1, 1, -1])

# What takes X and y. All of it looks at them in the same way, so that the messages are tried on the first only.
TAKES_DATA = {
    "pla": lambda X, y: pla(X, y, rng=0),
    "pocket": lambda X, y: pocket(X, y, rng=0),
    "separate": separate,
    "best_line": best_line,
    "update_bound": update_bound,
    "repeat_pla": lambda X, y: repeat_pla(X, y, runs=20, rng=0),
    "repeat_pocket": lambda X, y: repeat_pocket(X, y, runs=20, rng=0),
    "mistakes": lambda X, y: mistakes([0, 0, 0], X, y),
    "margin": lambda X, y: margin(X, y, [0, 0, 1]),
}


@pytest.mark.parametrize("function", TAKES_DATA.values(), ids=TAKES_DATA)
def test_everything_that_takes_data_looks_at_them_first_and_takes_frames(function):
    with pytest.raises(ValueError, match="X is nan at row 1, column 0"):
        function([[3, 3], [np.nan, 3], [1, 1]], y)
    with pytest.raises(ValueError, match=r"not 0 and 1. Use 2 \* y - 1"):
        function(X, [1, 1, 0])
    assert repr(function(pd.DataFrame(X, columns=["a", "b"]), pd.Series(y))) == repr(function(X, y))


@pytest.mark.parametrize(
    ("bad_X", "message"),
    [
        ([[3, 3], [4, np.inf], [-np.inf, 1]], r"X is inf at row 1, column 1 \(2 such entries"),
        (np.empty((0, 2)), "X is empty"),
        ([3, 4, 1], r"its shape is \(3,\). Use X.reshape\(-1, 1\)"),
        ([[3, 3], [4], [1, 1]], r"different lengths. Row 1 has the length 1, row 0 2"),
        ([[3, "three"], [4, 3], [1, 1]], r"at row 0, column 1 it holds 'three'"),
        (X + 1j, "real numbers; it holds complex128"),
        ([[3, 1e200], [4, 3], [1, 1]], r"column 1 has a largest size of 1e\+200"),
        (scipy.sparse.csr_array(X), r"sparse matrix; give X.toarray\(\)"),
        (np.ma.masked_array(X, mask=X > 3), "masked values"),
    ],
)
def test_bad_points_are_named_with_their_place(bad_X, message):
    with pytest.raises((ValueError, TypeError), match=message):
        pla(bad_X, y)


@pytest.mark.parametrize(
    ("bad_y", "message"),
    [
        ([True, True, False], r"Use numpy.where\(y, 1, -1\)"),
        (["yes", "yes", "no"], r"not 'yes' and 'no'. Use numpy.where\(y == 'yes', 1, -1\)"),
        ([1, 2, 2], r"not 1 and 2. Use numpy.where\(y == 2"),
        ([1, np.nan, -1], r"y\[1\] is nan"),
        ([1, 1], "the length of X is 3, but that of y is 2"),
        ([[1], [1], [-1]], r"Use numpy.ravel\(y\)"),
    ],
)
def test_bad_labels_are_told_how_to_become_good_ones(bad_y, message):
    with pytest.raises((ValueError, TypeError), match=message):
        pla(X, bad_y)


@pytest.mark.parametrize(
    "good_X",
    [
        X.tolist(),
        X.astype(np.float32),
        np.asfortranarray(X),
        X.astype(object),
        [[Decimal(3), Fraction(3)], [4, 3], [True, np.int8(1)]],
        np.ma.masked_array(X, mask=False),
    ],
)
def test_lists_frames_and_arrays_of_numbers_are_welcome(good_X):
    assert repr(pla(good_X, pd.Series(y))) == repr(pla(good_X, y.astype(float))) == repr(pla(X, y))


def test_read_only_arrays_are_welcome_so_that_no_input_is_changed():
    arrays = points, labels, start, order = X.copy(), y.copy(), np.array([1.0, 2.0, 3.0]), np.array([2, 0, 1])
    for array in arrays:
        array.flags.writeable = False
    for algorithm in (pla, pocket):
        assert algorithm(points, labels, start=start, order=order).halted
    assert len(repeat_pocket(points, labels, runs=3, test=(points, labels)).test_error) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "sideways"}, "must be one of 'cyclic', 'shuffled', 'random'; not 'sideways'"),
        ({"order": [0, 1]}, "leaves out example 2"),
        ({"order": [0, 1, 3]}, "names example 3, but the examples are numbered 0 to 2"),
        ({"order": [0.0, 1.0, 2.0]}, "list of indices of examples"),
        ({"start": [0, 0]}, "start must have 3 entries, not 2"),
        ({"start": [0, np.nan, 0]}, r"start\[1\] is nan"),
        ({"eta": 0}, "eta must be a number from"),
        ({"eta": "fast"}, "eta must be a number, not 'fast'"),
        ({"sign_of_zero": 2}, r"sign_of_zero must be -1, \+1 or 0, not 2"),
        ({"max_updates": -1}, "max_updates must be at least 0"),
        ({"rng": "seed"}, "rng must be a whole number"),
        ({"rng": np.random.RandomState(0)}, "legacy RandomState"),
    ],
)
def test_bad_settings_are_named_with_their_value(options, message):
    for algorithm in (pla, pocket):
        with pytest.raises((ValueError, TypeError), match=message):
            algorithm(X, y, **options)


def test_w_and_x_must_fit():
    with pytest.raises(ValueError, match=r"X must have the shape \(3, 3\), not \(3, 2\)"):
        predict([0, 1, 1, 1], X)
    with pytest.raises(ValueError, match=r"its shape is \(3,\). Leave x₀ out: it is put in front"):
        is_mistake([0, 1, 1], [1, 2, 3], 1)
    with pytest.raises(ValueError, match=r"as many entries as w\. Leave x₀ out"):
        predict([0, 1, 1], [1, 2, 3])
    with pytest.raises(ValueError, match=r"Use X\.reshape\(-1, 1\) if each number is an example"):
        predict([0, 1], [2, 3])
    with pytest.raises(ValueError, match="NaN"):
        sign([1.0, np.nan])


def test_an_experiment_checks_its_test_examples_and_its_number_of_runs():
    with pytest.raises(TypeError, match=r"pair \(X_test, y_test\)"):
        repeat_pla(X, y, test=X)
    with pytest.raises(ValueError, match=r"X_test must have the shape \(1, 2\), not \(1, 1\)"):
        repeat_pla(X, y, test=([[1]], [1]))
    with pytest.raises(ValueError, match="runs must be at least 1, not 0"):
        repeat_pla(X, y, runs=0)

"""Argument checks: every public function has its arguments checked here, first.

A message says what was wrong, where (row, column), and what to do. Rows, columns and examples count from 0.
"""

import operator
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
SignOfZero: TypeAlias = Literal[-1, 0, 1]
RNG: TypeAlias = "int | np.random.Generator | None"  # in quotes: numpy.random takes a while to load

# Between these, w ← w + η y x and wᵀx can neither overflow nor vanish, so that a run means what it says.
SMALLEST, LARGEST = 1e-75, 1e75
_NO_BIAS = "Leave x₀ out: it is put in front."


def check_data(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Examples and their labels, as arrays of one length."""
    points = check_points(X)
    return points, check_labels(y, len(points))


def check_points(X: ArrayLike, name: str = "X", d: int | None = None) -> FloatArray:
    """X as N rows of d finite numbers; without the bias column, which is never stored."""
    array = as_floats(X, name)
    if array.ndim != 2:
        raise ValueError(_how_to_make_it_2d(array, name, d))
    if len(array) == 0:
        raise ValueError(f"{name} is empty: learning needs at least one example.")
    if d is not None and array.shape[1] != d:
        raise ValueError(
            f"{name} must have the shape {(len(array), d)}, not {array.shape}. "
            f"w has one entry more than {name} has columns: w[0] goes with the constant x₀ = +1."
        )
    _refuse_what_floats_cannot_carry(array, name)
    return array


def check_point(x: ArrayLike, d: int) -> FloatArray:
    """One example: d finite numbers in a row."""
    array = as_floats(x, "x")
    if array.shape != (d,):
        hint = f" {_NO_BIAS}" if array.shape == (d + 1,) else ""
        raise ValueError(f"x must be one example of {d} number{'s' * (d != 1)}; its shape is {array.shape}.{hint}")
    return np.asarray(check_points(array[np.newaxis], "x")[0])


def check_labels(y: ArrayLike, N: int) -> IntArray:
    """y as N labels, each −1 or +1: nothing else is accepted."""
    array = as_array(y, "y")
    if array.shape in {(N, 1), (1, N)} and N != 1:
        raise ValueError(f"y must be one row of {N} labels; its shape is {array.shape}. Use numpy.ravel(y).")
    if array.ndim != 1:
        raise ValueError(f"y must be one row of labels; its shape is {array.shape}.")
    if len(array) != N:
        raise ValueError(f"the length of X is {N}, but that of y is {len(array)}: each example needs one label.")
    right = (array == 1) | (array == -1)
    if array.dtype == bool or not np.all(right):
        raise ValueError(_how_to_make_labels(array, right))
    return np.ascontiguousarray(array, dtype=np.int64)


def check_label(y: Any) -> int:
    """One label, −1 or +1."""
    return int(check_labels([y], 1)[0])


def check_weights(w: ArrayLike, d: int | None = None, name: str = "w") -> FloatArray:
    """w as one row of d + 1 finite numbers, w[0] being minus the threshold."""
    array = as_floats(w, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one row of numbers; its shape is {array.shape}.")
    if len(array) == 0:
        raise ValueError(f"{name} is empty: it needs at least w₀, the weight of the constant x₀ = +1.")
    if d is not None and len(array) != d + 1:
        raise ValueError(
            f"{name} must have {d + 1} entries, not {len(array)}: "
            f"one for the constant x₀ = +1 and one for each column of X."
        )
    bad = np.flatnonzero(~(np.abs(array) <= LARGEST))  # written so that NaN is bad too
    if len(bad):
        raise ValueError(f"{name}[{bad[0]}] is {array[bad[0]]}: each weight must be finite and at most {LARGEST:g}.")
    return array


def check_sign_of_zero(sign_of_zero: Any) -> SignOfZero:
    """What sign(0) is: −1, +1, or 0 (a point on the line is always a mistake)."""
    if isinstance(sign_of_zero, str) or not np.isscalar(sign_of_zero) or sign_of_zero not in (-1, 0, 1):
        raise ValueError(
            f"sign_of_zero must be -1, +1 or 0, not {sign_of_zero!r}: it says what is predicted on the line "
            "itself (0: nothing, so that a point on the line is always a mistake)."
        )
    return -1 if sign_of_zero == -1 else 1 if sign_of_zero == 1 else 0


def check_count(value: Any, name: str, at_least: int = 0, at_most: int | None = None) -> int:
    """A whole number, at least and at most so many."""
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}.") from None
    if count < at_least or isinstance(value, bool):
        raise ValueError(f"{name} must be at least {at_least}, not {value!r}.")
    if at_most is not None and count > at_most:
        raise ValueError(f"{name} must be at most {at_most:,}, not {value!r}.")
    return count


def check_number(value: Any, name: str, low: float, high: float) -> float:
    """A finite number from low to high, both included."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}.") from None
    except OverflowError:
        number = np.inf
    if not low <= number <= high or isinstance(value, bool | str):
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}.")
    return number


def check_box(low: Any, high: Any) -> tuple[float, float]:
    """The sides of a box [low, high]^d, which must not be empty."""
    low, high = check_number(low, "low", -LARGEST, LARGEST), check_number(high, "high", -LARGEST, LARGEST)
    if high <= low:
        raise ValueError(f"the box from low = {low:g} to high = {high:g} is empty.")
    return low, high


def check_order(order: Any, N: int) -> IntArray | None:
    """The cycle that the word or the list of indices stands for; None if it has to be drawn."""
    if isinstance(order, str):
        word = check_choice(order, "order", ("cyclic", "shuffled", "random"))
        return np.arange(N, dtype=np.int64) if word == "cyclic" else None
    cycle = as_array(order, "order")
    if cycle.ndim != 1 or cycle.dtype.kind not in "iu":
        raise ValueError(
            'order must be "cyclic", "shuffled", "random", or a list of indices of examples (whole numbers from 0 on).'
        )
    outside = cycle[(cycle < 0) | (cycle >= N)]
    if len(outside):
        raise ValueError(f"order names example {outside[0]}, but the examples are numbered 0 to {N - 1}.")
    missing = np.setdiff1d(np.arange(N), cycle)
    if len(missing):
        raise ValueError(f"order leaves out example {missing[0]}: a cycle must visit every example.")
    return np.array(cycle, dtype=np.int64)


def check_rng(rng: Any) -> np.random.Generator:
    """The generator that rng= stands for (SPEC 7): a seed makes one, a Generator is itself, None is fresh."""
    if isinstance(rng, np.random.RandomState):
        raise TypeError("rng is a legacy RandomState; give an int or numpy.random.default_rng(seed) instead.")
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise TypeError(f"rng must be a whole number ≥ 0, a numpy.random.Generator or None, not {rng!r}.") from None


def check_choice(value: Any, name: str, choices: Iterable[str]) -> str:
    """One of a few words."""
    words = list(choices)
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, words))}; not {value!r}.")
    return value


def as_array(values: Any, name: str) -> NDArray[Any]:
    """Whatever was given (list, tuple, frame, array), as an array of its own type."""
    if hasattr(values, "toarray") and hasattr(values, "nnz"):
        raise TypeError(f"{name} is a sparse matrix; give {name}.toarray() instead.")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} has masked values: drop those rows, or fill them, first.")
    try:
        return np.asarray(values)
    except ValueError:  # rows of different lengths
        raise ValueError(f"{name} is not a table: its rows have different lengths.{_odd_row(values)}") from None


def as_floats(values: Any, name: str) -> FloatArray:
    """The same, as C-ordered floats, naming the first entry that is no number."""
    array = as_array(values, name)
    if array.dtype.kind in "fiub":
        return np.ascontiguousarray(array, dtype=np.float64) if array.ndim else array.astype(np.float64)
    if array.dtype.kind in "OUS":
        each = np.asarray(values, dtype=object)  # as it was given: NumPy makes words of numbers that stand beside words
        return np.array(_floats_one_by_one(each, name), dtype=np.float64).reshape(each.shape)
    raise TypeError(f"{name} must hold real numbers; it holds {array.dtype}.")


def _floats_one_by_one(array: NDArray[Any], name: str) -> list[float]:
    numbers = []
    for where, value in np.ndenumerate(array):
        try:
            if isinstance(value, str | bytes):
                raise ValueError
            numbers.append(float(value))
        except OverflowError:
            numbers.append(np.inf)  # refused with its place, like any number too large
        except (TypeError, ValueError):
            entry = str(value) if isinstance(value, str) else value
            place = f"at {_place(where)} " if where else ""
            raise TypeError(
                f"{name} must hold numbers only: {place}it holds {entry!r}. "
                "Turn words into numbers (say, yes/no into 1/0) or leave that column out."
            ) from None
    return numbers


def _refuse_what_floats_cannot_carry(array: FloatArray, name: str) -> None:
    """Refuse NaN, infinity, and columns so large or small that their products overflow or vanish."""
    # One quick pass: a column's sum of squares shows all three at once, and names the column.
    squares = np.einsum("ij,ij->j", array, array)
    if all(SMALLEST**2 <= square <= LARGEST**2 for square in squares.tolist()):
        return
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        where = tuple(bad[0])
        more = f" ({len(bad)} such entries in all)" if len(bad) > 1 else ""
        raise ValueError(f"{name} is {array[where]} at {_place(where)}{more}: drop or fill such rows first.")
    largest = np.abs(array).max(axis=0, initial=0.0)
    for column in np.flatnonzero((largest > LARGEST) | ((largest > 0) & (largest < SMALLEST))):
        raise ValueError(
            f"{name}'s column {column} has a largest size of {largest[column]:g}: products of such numbers "
            f"leave the range of floats. Rescale it (between {SMALLEST:g} and {LARGEST:g} is fine)."
        )


def _how_to_make_it_2d(array: FloatArray, name: str, d: int | None) -> str:
    if d is not None and d > 1 and array.shape == (d + 1,):
        return f"{name} is one row with as many entries as w. {_NO_BIAS}"
    if array.ndim != 1:
        return f"{name} must be a table, a row for each example; its shape is {array.shape}."
    return (
        f"{name} must be a table, a row for each example; its shape is {array.shape}. "
        f"Use {name}.reshape(-1, 1) if each number is an example, or {name}.reshape(1, -1) if all are one example."
    )


def _how_to_make_labels(array: NDArray[Any], right: Any) -> str:
    if array.dtype == bool:
        return "y must hold the labels -1 and +1, not booleans. Use numpy.where(y, 1, -1)."
    where = int(np.flatnonzero(~np.broadcast_to(right, array.shape))[0])
    odd_one = f"y must hold the labels -1 and +1 and nothing else: y[{where}] is {array.tolist()[where]!r}."
    try:
        kinds = list(dict.fromkeys(array.tolist()))
    except TypeError:  # things that are no labels at all
        return odd_one
    if set(kinds) <= {0, 1}:
        return "y must hold the labels -1 and +1, not 0 and 1. Use 2 * y - 1, with y an array."
    if len(kinds) <= 2 and any(all(isinstance(label, kind) for label in kinds) for kind in (str, int)):
        both = " and ".join(repr(label) for label in kinds)
        return (
            f"y must hold the labels -1 and +1, not {both}. "
            f"Use numpy.where(y == {max(kinds)!r}, 1, -1), with y an array, if {max(kinds)!r} is to be +1."
        )
    return odd_one


def _odd_row(rows: Any) -> str:
    """Which row has another length than the first, in a sentence; nothing where that is not the trouble."""
    lengths = [len(row) if hasattr(row, "__len__") else None for row in rows]
    odd = [n for n, length in enumerate(lengths) if length != lengths[0]]
    return f" Row {odd[0]} has the length {lengths[odd[0]]}, row 0 {lengths[0]}." if odd else ""


def _place(where: tuple[Any, ...]) -> str:
    names = ("row", "column") if len(where) == 2 else ("position",) * len(where)
    return ", ".join(f"{name} {int(place)}" for name, place in zip(names, where, strict=True))

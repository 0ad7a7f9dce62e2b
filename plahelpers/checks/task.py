"""What an exercise asks for: its contract, its cases, the right answer, the known mistakes; and pieces to make these.

A known mistake is an id and one or more small functions that make exactly this mistake; what it is and why stands in
`en/*.toml`. A learner's function that gives what one of these gives, case by case, most likely makes its mistake. Of
two that fit, the one that comes first is told. They take and return what the learner's function should; one that would
never return raises `Endless` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray, check_rng
from plahelpers.checks.report import Answer
from plahelpers.checks.sentences import Note

Arguments: TypeAlias = tuple[Any, ...]
Rng: TypeAlias = np.random.Generator
Examples: TypeAlias = tuple[FloatArray, IntArray]  # X, y
Version: TypeAlias = Callable[..., Any]  # a function as a learner could have written it
Bias: TypeAlias = Callable[[FloatArray], FloatArray]
IsMistake: TypeAlias = Callable[[float, int], bool]  # (score, y) → is it a mistake?
Step: TypeAlias = Callable[[FloatArray, FloatArray, int], FloatArray]  # (w, x, y) → the next w


class Endless(Exception):  # noqa: N818
    """This version never returns."""


class Mistake(NamedTuple):
    """A known mistake: the id of its message, and functions that make it."""

    id: str
    versions: tuple[Version, ...]


def mistake(id: str, *versions: Version) -> Mistake:
    """A known mistake."""
    return Mistake(id, versions)


class Part(NamedTuple):
    """One thing that a function returns."""

    name: str
    kind: Literal["number", "row", "table"]


NUMBER: Final = (Part("answer", "number"),)
TRUTH: Final = (Part("truth", "number"),)
ROW: Final = (Part("answer", "row"),)
TABLE: Final = (Part("answer", "table"),)


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a function is asked to do.

    Attributes
    ----------
    name : str
        That of the check; its messages stand in the table of this name.
    arguments : tuple of str
        How the function is called, by position.
    returns : tuple of Part
        The contract: one part, or several that are returned as a tuple or list in this order.
    right : callable
        A right function.
    cases, fresh : callable
        The fixed cases, the smallest first; and some that are drawn from a random generator.
    mistakes : tuple of Mistake
        The known ones.
    key : str, optional
        The part by which a mistake is known, if this part is wrong, whatever the others are.
    explain : callable, optional
        explain(answer, *arguments) is what to say about a wrong answer that no known mistake explains.
    """

    name: str
    arguments: tuple[str, ...]
    returns: tuple[Part, ...]
    right: Version
    cases: Callable[[], list[Arguments]]
    fresh: Callable[[Rng], list[Arguments]]
    mistakes: tuple[Mistake, ...]
    key: str | None = None
    explain: Callable[..., list[Note]] | None = None

    def all_cases(self, seed: int | None) -> list[Arguments]:
        """The fixed cases, with a seed fresh ones, and the last of the fixed ones once more."""
        fixed = self.cases()
        return [*fixed, *([] if seed is None else self.fresh(check_rng(seed))), self.cases()[-1]]

    def read(self, value: Any) -> Answer | None:
        """What was returned, by the names of the contract; as "" what does not fit it; None if there are no numbers."""
        many = len(self.returns) > 1
        values = value if many and isinstance(value, tuple | list) else [value]
        if len(values) == len(self.returns):
            parts = [(part.name, _as(part.kind, each)) for part, each in zip(self.returns, values, strict=True)]
            answer = {name: array for name, array in parts if array is not None}
            if len(answer) == len(parts):
                return answer
        array = numbers_of(value)
        return None if array is None else {"": array}


def numbers_of(value: Any) -> FloatArray | None:
    """The value as an array of numbers; None if it is anything else."""
    try:
        items = np.asarray(value, dtype=object).ravel()
        is_numeric = all(isinstance(item, int | float | np.number | np.bool_) for item in items)
        return np.asarray(value, dtype=np.float64) if is_numeric else None
    except (TypeError, ValueError, OverflowError):  # rows of different lengths
        return None


def _as(kind: str, value: Any) -> FloatArray | None:
    """The value as a number, a row or a table; a column is a row too. None if it is something else."""
    array = numbers_of(value)
    if array is None:
        return None
    if kind == "number":
        return array.reshape(()) if array.size == 1 else None
    if kind == "row" and array.ndim == 2 and 1 in array.shape:
        return array.ravel()
    return array if array.ndim == (1 if kind == "row" else 2) else None


def same(one: Answer, other: Answer) -> bool:
    """Is all the same, but for rounding? (NaN is the same as NaN; no right answer has one.)"""
    return one.keys() == other.keys() and all(
        value.shape == other[name].shape and np.allclose(value, other[name], 1e-6, 1e-9, equal_nan=True)
        for name, value in one.items()
    )


# --- Cases -----------------------------------------------------------------------------------------------------------

FRESH: Final = 3  # so many fresh cases of each kind


def examples(X: Any, y: Any) -> Examples:
    """X and y as arrays."""
    return np.array(X, dtype=np.float64), np.array(y, dtype=np.int64)


def fresh_separable(rng: Rng) -> Examples:
    """Separable examples on which cyclic PLA makes a few updates, not many."""
    while True:
        N, d = int(rng.integers(6, 13)), int(rng.integers(2, 4))
        data = datasets.separable(N, d, low=-5, high=5, margin=0.3, rng=rng)
        X, y = examples(np.round(data.X, 2), data.y)
        if len(set(y.tolist())) == 2 and 4 <= learning.pla(X, y).updates <= 40:
            return X, y


def fresh_table(rng: Rng, rows: int | None = None, columns: int | None = None) -> FloatArray:
    """Numbers with two decimals."""
    shape = rows or int(rng.integers(2, 7)), columns or int(rng.integers(1, 5))
    return np.asarray(np.round(rng.uniform(-6, 6, shape), 2))


def whole_numbers(rng: Rng, *shape: int) -> FloatArray:
    """Whole numbers from −5 to 5 without 0, as floats: sums of them are exact, and so is "on the line"."""
    return np.asarray(rng.integers(1, 6, shape) * rng.choice([-1.0, 1.0], shape))


def permutations(rng: Rng, runs: int, N: int) -> IntArray:
    """One order of visits in each row."""
    return np.array([rng.permutation(N) for _ in range(runs)])


# --- Pieces, right and wrong, of the algorithms ----------------------------------------------------------------------


def bias_first(X: FloatArray, x0: float = 1.0) -> FloatArray:
    """x₀ in front of every row, as it should be (or another x₀)."""
    return np.column_stack([np.full(len(X), x0), X])


def bias_last(X: FloatArray) -> FloatArray:
    """x₀ behind every row."""
    return np.column_stack([X, np.ones(len(X))])


def bias_zero(X: FloatArray) -> FloatArray:
    """A bias that does nothing."""
    return bias_first(X, 0.0)


def bias_minus(X: FloatArray) -> FloatArray:
    """x₀ = −1."""
    return bias_first(X, -1.0)


def bias_none(X: FloatArray) -> FloatArray:
    """No x₀ at all."""
    return np.array(X)


def score_of(w: FloatArray, x: FloatArray) -> float:
    """wᵀx, of an x without its bias."""
    return float(w[0] + w[1:] @ x)


def zero_is_minus(s: float, y: int) -> bool:
    """sign(0) = −1: right here."""
    return (1 if s > 0 else -1) != y


def zero_is_plus(s: float, y: int) -> bool:
    """sign(0) = +1."""
    return (1 if s >= 0 else -1) != y


def zero_is_always_wrong(s: float, y: int) -> bool:
    """y s ≤ 0."""
    return y * s <= 0


def zero_is_never_wrong(s: float, y: int) -> bool:
    """y s < 0."""
    return y * s < 0


def plus_yx(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """The right correction."""
    return w + y * x


def minus_yx(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """Away from where it should go."""
    return w - y * x


def plus_x(w: FloatArray, x: FloatArray, y: int) -> FloatArray:  # noqa: ARG001
    """y forgotten."""
    return w + x


def scaled_step(eta: float) -> Step:
    """The right correction with another step size."""
    return lambda w, x, y: w + eta * y * x


STEP_SIZES: Final = (2.0, 0.5, 0.1, 0.01)
STARTS: Final = (1.0, -1.0, 0.5)
# Nobody needs so many looks at an example in the cases of `checks`: who does, never returns.
MOST_VISITS: Final = 5000


def count_visits() -> Iterator[int]:
    """0, 1, 2, …, and an end with `Endless`."""
    yield from range(MOST_VISITS)
    raise Endless


def cycle_of(order: Any, y: IntArray) -> list[int]:
    """The order that was given, or 0, 1, …, N−1."""
    return list(range(len(y))) if order is None else [int(n) for n in order]


def wrong_examples(w: FloatArray, Z: FloatArray, y: IntArray, is_mistake: IsMistake = zero_is_minus) -> list[int]:
    """The indices of the examples that w gets wrong; each row of Z is one, with its bias."""
    return [n for n, (s, label) in enumerate(zip((Z @ w).tolist(), y.tolist(), strict=True)) if is_mistake(s, label)]


class Correction(NamedTuple):
    """One update of a walk: at which visit, of which example, and the w after it."""

    visit: int
    n: int
    w: FloatArray


def corrections(
    X: FloatArray,
    y: IntArray,
    order: Any = None,
    *,
    bias: Bias = bias_first,
    is_mistake: IsMistake = zero_is_minus,
    step: Step = plus_yx,
    start: float | FloatArray = 0.0,
    after: Literal["next", "first", "same"] = "next",
) -> Iterator[Correction]:
    """The updates of cyclic PLA with one piece exchanged, until a whole cycle passes without a mistake.

    after says which example comes after an update: the next one, the first of the cycle, or the same once more.
    """
    Z, cycle = bias(X), cycle_of(order, y)
    w, at, clean = np.full(Z.shape[1], start), 0, 0
    for visit in count_visits():
        if clean == len(cycle):
            return
        n = cycle[at]
        if is_mistake(float(w @ Z[n]), int(y[n])):
            w, clean = step(w, Z[n], int(y[n])), 0
            at = {"next": at + 1, "first": 0, "same": at}[after] % len(cycle)
            yield Correction(visit, n, w)
        else:
            at, clean = (at + 1) % len(cycle), clean + 1


# --- Known mistakes that several tasks share -------------------------------------------------------------------------


def mistakes_in_score(make: Callable[..., Version]) -> tuple[Mistake, ...]:
    """The ways to get wᵀx wrong; make(score) is a version with that score."""
    return (
        mistake("no_bias", make(lambda w, x: float(w[1:] @ x))),
        mistake("bias_last", make(lambda w, x: float(w[:-1] @ x + w[-1]))),
        mistake("bias_minus", make(lambda w, x: float(w[1:] @ x - w[0]))),
    )


def mistakes_on_the_line(make: Callable[..., Version]) -> tuple[Mistake, ...]:
    """What else can happen on the line; make(is_mistake=…) is a version with that convention."""
    return (
        mistake("zero_never_wrong", make(is_mistake=zero_is_never_wrong)),
        mistake("zero_is_plus", make(is_mistake=zero_is_plus)),
        mistake("zero_always_wrong", make(is_mistake=zero_is_always_wrong)),
    )


def mistakes_in_walk(make: Callable[..., Version]) -> tuple[Mistake, ...]:
    """What PLA, Pocket and greedy can get wrong alike; make(step=…) is a version with that step, and so on."""
    return (
        mistake("no_bias", make(bias=bias_none), make(bias=bias_zero)),
        mistake("bias_last", make(bias=bias_last)),
        mistake("bias_minus", make(bias=bias_minus)),
        *mistakes_on_the_line(make),
        mistake("minus_update", make(step=minus_yx)),
        mistake("update_without_y", make(step=plus_x)),
        mistake("other_eta", *(make(step=scaled_step(eta)) for eta in STEP_SIZES)),
        mistake("start_not_zero", *(make(start=start) for start in STARTS)),
    )

"""The bank of known wrong versions: what a known mistake is, and the pieces, right and wrong, to make one from.

Each wrong version is a small function that makes exactly one mistake, and says what it is. A learner's function that
gives what one of these gives, case by case, most likely makes its mistake. Where the same mistake can be written in
several ways, there are several functions to one diagnosis. A version that would never return raises `Endless` instead.
All of them take and return what the learner's function should.

The bank itself follows the notebooks: `_wrong_hypothesis` (01), `_wrong_pla` (02), `_wrong_proof` (03), and for 04
`_wrong_pocket`, `_wrong_greedy` and `_wrong_data`. Of two versions that fit, the one that comes first is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, IntArray

Mistaken: TypeAlias = Callable[[float, int], bool]  # (score, y) → is it a mistake?
Step: TypeAlias = Callable[[FloatArray, FloatArray, int], FloatArray]  # (w, x, y) → the next w


class Endless(Exception):  # noqa: N818
    """This version never returns."""


@dataclass(frozen=True)
class Wrong:
    """A known mistake: its name, what it is, why it is wrong, where to read, and functions that make it."""

    id: str
    what: str
    why: str
    read: str
    versions: tuple[Callable[..., Any], ...]


# Where things are explained: the notebooks' section titles, each in one place.
BIAS: Final = 'notebook 01, "The bias trick"'
ON_THE_LINE: Final = 'notebook 01, "What happens on the line"'
SCORE: Final = 'notebook 01, "A score against a threshold"'
JUDGING: Final = 'notebook 01, "Judging a hypothesis"'
FIND: Final = 'notebook 02, "Find a mistake"'
CORRECT: Final = 'notebook 02, "The picture of an update"'
WORDS: Final = 'notebook 02, "PLA in the lecture\'s words"'
ETA: Final = 'notebook 02, "Where notes go wrong"'
HISTOGRAM: Final = 'notebook 02, "2000 shuffled cycles"'
GROWTH: Final = 'notebook 03, "How fast can w grow?"'
GAIN: Final = 'notebook 03, "How much does an update gain?"'
BOUND: Final = 'notebook 03, "T ≤ R²/ρ²"'
HARD: Final = 'notebook 03, "How tight can it be?"'
POCKET: Final = 'notebook 04, "Keep the best in your pocket"'
GREEDY: Final = 'notebook 04, "Where notes go wrong"'
AGAINST_GREEDY: Final = 'notebook 04, "Pocket against greedy"'
CONFLICT: Final = 'notebook 04, "Proof that no line will do"'
MANY_POCKETS: Final = 'notebook 04, "Pocket, two thousand times"'
REAL: Final = 'notebook 04, "Real applicants, real mail"'


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


# Nobody needs so many looks at an example in the cases of `checks`: who does, never returns.
MOST_VISITS: Final = 5000


def count_visits() -> Iterator[int]:
    """0, 1, 2, …, and an end with `Endless`."""
    yield from range(MOST_VISITS)
    raise Endless


def cycle_of(order: Any, y: IntArray) -> list[int]:
    """The order that was given, or 0, 1, …, N−1."""
    return list(range(len(y))) if order is None else [int(n) for n in order]


def mistakes(w: FloatArray, Z: FloatArray, y: IntArray, mistaken: Mistaken = zero_is_minus) -> list[int]:
    """The numbers of the examples that w gets wrong; each row of Z is one, with its bias."""
    return [n for n, (s, label) in enumerate(zip((Z @ w).tolist(), y.tolist(), strict=True)) if mistaken(s, label)]


def biases_wrong(make: Callable[..., Callable[..., Any]]) -> tuple[Wrong, ...]:
    """The ways to learn with another bias than x₀ = +1 in front: make(bias=…) is an algorithm with that bias."""
    return (
        Wrong("no_bias", "it learns without the constant x₀ = +1, so that its line always goes through the origin",
              "w has d + 1 entries: w₀ is minus the threshold, and it learns from x₀ = +1 like any other weight.", BIAS,
              (make(bias=bias_none), make(bias=bias_zero))),
        Wrong("bias_last", "it puts the constant x₀ = +1 behind the features instead of in front",
              "the line is the same, but w₀ has to be the first entry of w.", BIAS, (make(bias=bias_last),)),
        Wrong("bias_minus", "it uses x₀ = −1, which turns the sign of w₀ around",
              "x₀ is +1 and w₀ = −threshold, so that the score is wᵀx.", BIAS, (make(bias=bias_minus),)),
    )  # fmt: skip

"""Pieces that the chapters share: data to draw cases from, and the parts, right and wrong, of the algorithms."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.task import Endless, Mistake, Rng, Version

Examples: TypeAlias = tuple[FloatArray, IntArray]  # X, y
Bias: TypeAlias = Callable[[FloatArray], FloatArray]
IsMistake: TypeAlias = Callable[[float, int], bool]  # (score, y) → is it a mistake?
Step: TypeAlias = Callable[[FloatArray, FloatArray, int], FloatArray]  # (w, x, y) → the next w

FRESH: Final = 3  # so many fresh cases of each kind


def examples(X: Any, y: Any) -> Examples:
    """X and y as arrays; X to two decimals, so that a case can be shown in full and pasted."""
    return np.array(X, dtype=np.float64).round(2), np.array(y, dtype=np.int64)


def fresh_separable(rng: Rng) -> list[tuple[FloatArray, IntArray, FloatArray]]:
    """Separable examples on which cyclic PLA makes a few updates, not many, and a perfect w."""
    cases = list[tuple[FloatArray, IntArray, FloatArray]]()
    while len(cases) < FRESH:
        N, d = int(rng.integers(6, 13)), int(rng.integers(2, 4))
        data = datasets.separable(N, d, low=-5, high=5, margin=0.3, rng=rng)
        X, y = examples(*data)
        if len(set(y.tolist())) == 2 and 4 <= learning.pla(X, y).updates <= 40:
            cases.append((X, y, np.array(data.w_f)))
    return cases


def whole_numbers(rng: Rng, *shape: int) -> FloatArray:
    """Whole numbers from −5 to 5 without 0, as floats: sums of them are exact, and so is "on the line"."""
    return np.asarray(rng.integers(1, 6, shape) * rng.choice([-1.0, 1.0], shape))


def permutations(rng: Rng, runs: int, N: int) -> IntArray:
    """One order of visits in each row."""
    return np.array([rng.permutation(N) for _ in range(runs)])


def bias_first(X: FloatArray, x0: float = 1.0) -> FloatArray:
    """x₀ in front of every row, as it should be (or another x₀)."""
    return np.column_stack([np.full(len(X), x0), X])


def bias_last(X: FloatArray) -> FloatArray:
    """x₀ behind every row."""
    return np.column_stack([X, np.ones(len(X))])


bias_zero: Final = partial(bias_first, x0=0.0)  # a bias that does nothing
bias_minus: Final = partial(bias_first, x0=-1.0)


def score_of(w: FloatArray, x: FloatArray) -> float:
    """wᵀx, of an x without its bias."""
    return float(w[0] + w[1:] @ x)


def zero_is_minus(s: float, y: int) -> bool:
    """sign(0) = −1: right here."""
    return (1 if s > 0 else -1) != y


def zero_is_always_wrong(s: float, y: int) -> bool:
    """y s ≤ 0."""
    return y * s <= 0


def plus_yx(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """The right correction."""
    return w + y * x


def plus_x(w: FloatArray, x: FloatArray, y: int) -> FloatArray:  # noqa: ARG001
    """y forgotten."""
    return w + x


def scaled_step(eta: float) -> Step:
    """The right correction with another step size."""
    return lambda w, x, y: w + eta * y * x


minus_yx: Final = scaled_step(-1.0)  # away from where it should go
STEP_SIZES: Final = (2.0, 0.5, 0.1, 0.01)
STARTS: Final = (1.0, -1.0, 0.5)
MOST_VISITS: Final = 5000


def count_visits(X: FloatArray | float = 0.0) -> Iterator[int]:
    """0, 1, 2, …, and an end with `Endless`: whoever needs more visits, in the cases of `checks`, never returns.

    Examples far from the origin need many; so many are allowed as points like 100 and 101 need.
    """
    yield from range(MOST_VISITS + 4 * int(np.abs(X).max()) ** 2)
    raise Endless


def updates_of_pla(X: FloatArray, y: IntArray, **how: Any) -> int:
    """How many updates cyclic PLA makes; it looks no further than 10,000."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", learning.BudgetWarning)
        return learning.pla(X, y, max_updates=10_000, keep_path=False, **how).updates


def cycle_of(order: Any, y: IntArray) -> list[int]:
    """The order that was given, or 0, 1, …, N−1."""
    return list(range(len(y))) if order is None else [int(n) for n in order]


def wrong_examples(w: FloatArray, Z: FloatArray, y: IntArray, is_mistake: IsMistake = zero_is_minus) -> list[int]:
    """The indices of the examples that w gets wrong; each row of Z is one, with its bias."""
    return [n for n, (s, label) in enumerate(zip((Z @ w).tolist(), y.tolist(), strict=True)) if is_mistake(s, label)]


class Correction(NamedTuple):
    """One correction of a walk: at which visit, of which example, to which w, and whether this w stays."""

    visit: int
    n: int
    w: FloatArray
    kept: bool = True


def corrections(
    X: FloatArray,
    y: IntArray,
    order: Any = None,
    *,
    bias: Bias = bias_first,
    is_mistake: IsMistake = zero_is_minus,
    step: Step = plus_yx,
    start: float = 0.0,
    after: Literal["next", "first", "same"] = "next",
    keep: Callable[[FloatArray, FloatArray], bool] = lambda _new, _old: True,
) -> Iterator[Correction]:
    """The start, then the corrections of cyclic PLA with one piece exchanged, until a whole cycle passes without one.

    after says which example comes after a correction: the next one, the first of the cycle, or the same once more;
    keep, from the new w and the old one, whether a correction stays.
    """
    Z, cycle = bias(X), cycle_of(order, y)
    w, at, since = np.full(Z.shape[1], start), 0, 0
    yield Correction(-1, -1, w)
    for visit in count_visits(X):
        if since >= len(cycle):
            return
        n, following, since = cycle[at], (at + 1) % len(cycle), since + 1
        if is_mistake(float(w @ Z[n]), int(y[n])):
            new = step(w, Z[n], int(y[n]))
            kept = keep(new, w)
            yield Correction(visit, n, new, kept)
            if kept:
                w, since = new, 0
                following = {"next": following, "first": 0, "same": at}[after]
        at = following


def mistakes_in_score(make: Callable[..., Version]) -> tuple[Mistake, ...]:
    """The ways to get wᵀx wrong; make(score) is a version with that score."""
    return (
        Mistake("no_bias", make(lambda w, x: float(w[1:] @ x))),
        Mistake("bias_last", make(lambda w, x: float(w[:-1] @ x + w[-1]))),
        Mistake("bias_minus", make(lambda w, x: float(w[1:] @ x - w[0]))),
    )


def mistakes_on_the_line(make: Callable[..., Version]) -> tuple[Mistake, ...]:
    """What else can happen on the line; make(is_mistake=…) is a version with that convention."""
    return (
        Mistake("zero_never_wrong", make(is_mistake=lambda s, y: y * s < 0)),
        Mistake("zero_is_plus", make(is_mistake=lambda s, y: (1 if s >= 0 else -1) != y)),
        Mistake("zero_always_wrong", make(is_mistake=zero_is_always_wrong)),
    )


def mistakes_in_walk(make: Callable[..., Version]) -> tuple[Mistake, ...]:
    """What PLA and Pocket can get wrong alike; make(step=…) is a version with that step, and so on."""
    return (
        Mistake("no_bias", make(bias=np.array), make(bias=bias_zero)),
        Mistake("bias_last", make(bias=bias_last)),
        Mistake("bias_minus", make(bias=bias_minus)),
        *mistakes_on_the_line(make),
        Mistake("minus_update", make(step=minus_yx)),
        Mistake("update_without_y", make(step=plus_x)),
        Mistake("other_eta", *(make(step=scaled_step(eta)) for eta in STEP_SIZES)),
        Mistake("start_not_zero", *(make(start=start) for start in STARTS)),
    )

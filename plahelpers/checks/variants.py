"""The parts of the algorithms, right and wrong, from which the versions of known mistakes are made.

A version is a function with one part exchanged: `partial(walk, step=plus_x)` is PLA that forgets y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.sections import BIAS, CORRECT, ETA, ON_THE_LINE
from plahelpers.checks.task import Endless, Mistake, Version

Bias: TypeAlias = Callable[[FloatArray], FloatArray]
Score: TypeAlias = Callable[[FloatArray, FloatArray], float]  # (w, x) → wᵀx, of an x without its bias
IsMistake: TypeAlias = Callable[[float, int], bool]  # (score, y) → is it a mistake?
Step: TypeAlias = Callable[[FloatArray, FloatArray, int], FloatArray]  # (w, x, y) → the next w


def bias_first(X: FloatArray, x0: float = 1.0) -> FloatArray:
    """x₀ in front of every row, as it should be (or another x₀)."""
    return np.column_stack([np.full(len(X), x0), X])


def bias_last(X: FloatArray) -> FloatArray:
    """x₀ behind every row."""
    return np.column_stack([X, np.ones(len(X))])


bias_zero: Final = partial(bias_first, x0=0.0)  # a bias that does nothing
bias_minus: Final = partial(bias_first, x0=-1.0)


def right_score(w: FloatArray, x: FloatArray) -> float:
    """w₀ + w₁x₁ + …"""
    return float(w[0] + w[1:] @ x)


def score_bias_last(w: FloatArray, x: FloatArray) -> float:
    """The last entry of w is taken for w₀."""
    return float(w[:-1] @ x + w[-1])


def zero_is_minus(s: float, y: int) -> bool:
    """sign(0) = −1: right here."""
    return (1 if s > 0 else -1) != y


def zero_is_plus(s: float, y: int) -> bool:
    """sign(0) = +1."""
    return (1 if s >= 0 else -1) != y


def zero_is_always_wrong(s: float, y: int) -> bool:
    """y s ≤ 0."""
    return y * s <= 0


def zero_one_labels(s: float, y: int) -> bool:
    """Predictions 0 and 1: a label −1 is never met."""
    return int(s > 0) != y


def plus_yx(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """The right correction."""
    return w + y * x


def plus_x(w: FloatArray, x: FloatArray, y: int) -> FloatArray:  # noqa: ARG001
    """y forgotten."""
    return w + x


def minus_yx(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """Away from where it should go."""
    return w - y * x


def scaled_step(eta: float) -> Step:
    """The right correction with another step size."""
    return lambda w, x, y: w + eta * y * x


STEP_SIZES: Final = (2.0, 0.5, 0.1, 0.01)
STARTS: Final = (1.0, -1.0, 0.5)
MOST_VISITS: Final = 5000


def count_visits(X: FloatArray | float = 0.0) -> Iterator[int]:
    """0, 1, 2, …, and an end with `Endless`: whoever needs more visits, in the cases of `checks`, never returns.

    Examples far from the origin need many; so many are allowed as points like 100 and 101 need.
    """
    yield from range(MOST_VISITS + 4 * int(np.abs(X).max()) ** 2)
    raise Endless


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
    passes: int | None = None,
) -> Iterator[Correction]:
    """The start, then the corrections of cyclic PLA with one part exchanged, until a whole cycle passes without one.

    after says which example comes after a correction: the next one, the first of the cycle, or the same once more;
    keep, from the new w and the old one, whether a correction stays; passes, after how many of them it ends anyway.
    """
    Z, cycle = bias(X), cycle_of(order, y)
    w, at, since = np.full(Z.shape[1], start), 0, 0
    yield Correction(-1, -1, w)
    for visit in count_visits(X) if passes is None else range(passes * len(cycle)):
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


# --- Mistakes that several exercises know ----------------------------------------------------------------------------


def mistakes_in_score(version: Version) -> tuple[Mistake, ...]:
    """The ways to get wᵀx wrong, in a function with the part score."""
    return (
        Mistake(
            "no_bias",
            "it leaves out w₀",
            "wᵀx begins with w₀·x₀, and x₀ = +1.",
            partial(version, score=lambda w, x: float(w[1:] @ x)),
            read=BIAS,
        ),
        Mistake(
            "bias_last",
            "it takes the last entry of w for w₀",
            "w₀ is the first entry: w[0].",
            partial(version, score=score_bias_last),
            read=BIAS,
        ),
        Mistake(
            "bias_minus",
            "it subtracts w₀ instead of adding it",
            "w₀ is already minus the threshold, so the score is w₀ + w₁x₁ + w₂x₂ and so on.",
            partial(version, score=lambda w, x: float(w[1:] @ x - w[0])),
            read=BIAS,
        ),
    )


def mistakes_on_the_line(version: Version) -> tuple[Mistake, ...]:
    """What else can happen on the line, in a function with the part is_mistake."""
    return (
        Mistake(
            "zero_never_wrong",
            "it never counts a point on the line as a mistake (`<` where `<=` or sign was meant)",
            "Here sign(0) = −1: a positive example on the line is a mistake. At w = 0 every example is on the line.",
            partial(version, is_mistake=lambda s, y: y * s < 0),
            read=ON_THE_LINE,
        ),
        Mistake(
            "zero_is_plus",
            "it takes sign(0) to be +1",
            "Here sign(0) = −1. At w = 0 every score is 0.",
            partial(version, is_mistake=zero_is_plus),
            read=ON_THE_LINE,
        ),
        Mistake(
            "zero_always_wrong",
            "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
            "Here sign(0) = −1, so a negative example on the line is right.",
            partial(version, is_mistake=zero_is_always_wrong),
            read=ON_THE_LINE,
        ),
    )


def mistakes_in_walk(walk: Version) -> tuple[Mistake, ...]:
    """What PLA and Pocket can get wrong alike, in a function with the parts of `corrections`."""
    return (
        Mistake(
            "no_bias",
            "it learns without the constant x₀ = +1, so that its line always goes through the origin",
            "w has d + 1 entries: w₀ is minus the threshold, and it learns from x₀ = +1 like any other weight.",
            partial(walk, bias=np.array),
            partial(walk, bias=bias_zero),
            read=BIAS,
        ),
        Mistake(
            "bias_last",
            "it puts the constant x₀ = +1 behind the features instead of in front",
            "The line is the same, but w₀ has to be the first entry of w.",
            partial(walk, bias=bias_last),
            read=BIAS,
        ),
        Mistake(
            "bias_minus",
            "it uses x₀ = −1, which turns the sign of w₀ around",
            "Here x₀ is +1, and w₀ = −threshold.",
            partial(walk, bias=bias_minus),
            read=BIAS,
        ),
        *mistakes_on_the_line(walk),
        Mistake(
            "update_without_y",
            "it corrects by w + x and forgets y",
            "An example with y = −1 has to push w away: w + y x.",
            partial(walk, step=plus_x),
            read=CORRECT,
        ),
        Mistake(
            "other_eta",
            "its steps have another size: η is not 1, or each correction is made several times",
            "From w = 0 another η only rescales w, but the w asked for is that of η = 1.",
            *(partial(walk, step=scaled_step(eta)) for eta in STEP_SIZES),
            read=ETA,
        ),
        Mistake(
            "start_not_zero",
            "it does not start from w = 0",
            "The walk that is asked for starts from w = 0.",
            *(partial(walk, start=start) for start in STARTS),
        ),
    )


def restarts(walk: Version, why: str) -> tuple[Mistake, ...]:
    """The first example after every update, alone and with another sign(0), in a function with the part after."""
    return (
        Mistake(
            "restarts",
            "after an update it starts again from the first example",
            why,
            partial(walk, after="first"),
        ),
        Mistake(
            "restarts_zero_always_wrong",
            "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign), and it starts again from the "
            "first example after an update",
            "Here sign(0) = −1, so a negative example on the line is right. And after an update the walk goes on from "
            "the next example.",
            partial(walk, after="first", is_mistake=zero_is_always_wrong),
        ),
    )


def minus_update(*walks: Version) -> Mistake:
    """w − y x, in walks that end nevertheless: after a number of passes or updates."""
    return Mistake(
        "minus_update",
        "it corrects by w − y x instead of w + y x",
        "Each correction makes the score of its example worse.",
        *(partial(walk, step=minus_yx) for walk in walks),
        read=CORRECT,
    )

"""The parts of the algorithms, right and wrong, from which the versions of known mistakes are made.

A version is a function with one part exchanged: `partial(walk, step=plus_x)` is PLA that forgets y.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.sections import BIAS, CORRECT, ON_THE_LINE
from plahelpers.checks.task import Endless, Mistake, Version

Bias: TypeAlias = Callable[[FloatArray], FloatArray]
IsMistake: TypeAlias = Callable[[float, int], bool]  # (score, y) → is it a mistake?
Step: TypeAlias = Callable[[FloatArray, FloatArray, int], FloatArray]  # (w, x, y) → the next w


def bias_first(X: FloatArray, x0: float = 1.0) -> FloatArray:
    """x₀ in front of every row: +1, as it should be."""
    return np.column_stack([np.full(len(X), x0), X])


def zero_is_minus(s: float, y: int) -> bool:
    """sign(0) = −1: right here."""
    return (1 if s > 0 else -1) != y


def plus_yx(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """The right correction."""
    return w + y * x


def plus_x(w: FloatArray, x: FloatArray, y: int) -> FloatArray:  # noqa: ARG001
    """y forgotten."""
    return w + x


def count_visits(X: FloatArray | float = 0.0) -> Iterator[int]:
    """0, 1, 2, …, and an end with `Endless`: whoever needs more visits, in the cases of `checks`, never returns.

    Examples far from the origin need many; so many are allowed as points like 50 and 51 need.
    """
    yield from range(5000 + 4 * int(np.abs(X).max()) ** 2)
    raise Endless


def wrong_examples(w: FloatArray, Z: FloatArray, y: IntArray, is_mistake: IsMistake = zero_is_minus) -> list[int]:
    """The indices of the examples that w gets wrong; each row of Z is one, with its bias."""
    return [n for n, (s, label) in enumerate(zip((Z @ w).tolist(), y.tolist(), strict=True)) if is_mistake(s, label)]


class Correction(NamedTuple):
    """One correction of a walk: at which visit, of which example, to which w."""

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
    after: Literal["next", "first", "same"] = "next",
    passes: int | None = None,
) -> Iterator[Correction]:
    """The start, then the corrections of cyclic PLA with one part exchanged, until a whole cycle passes without one.

    after says which example comes after a correction: the next one, the first of the cycle, or the same once more;
    passes, after how many of them it ends anyway.
    """
    Z, cycle = bias(X), [int(n) for n in (range(len(y)) if order is None else order)]
    w, at, since = np.zeros(Z.shape[1]), 0, 0
    yield Correction(-1, -1, w)
    for visit in count_visits(X) if passes is None else range(passes * len(cycle)):
        if since >= len(cycle):
            return
        n, following, since = cycle[at], (at + 1) % len(cycle), since + 1
        if is_mistake(float(w @ Z[n]), int(y[n])):
            w, since = step(w, Z[n], int(y[n])), 0
            yield Correction(visit, n, w)
            following = {"next": following, "first": 0, "same": at}[after]
        at = following


# --- Mistakes that several exercises know ----------------------------------------------------------------------------


def wrong_bias(version: Version, *without: Version, steps: bool = False) -> tuple[Mistake, ...]:
    """x₀ = 0 or −1, in a function with the part bias (with steps=True also in scores alone); others without x₀."""
    parts = {"step": lambda w, x, y: w + y * np.append(1.0, x[1:])} if steps else {}
    zero, minus = (partial(version, bias=partial(bias_first, x0=x0)) for x0 in (0.0, -1.0))
    what, why = "it leaves out w₀, or x₀ = +1", "x₀ = +1 belongs to every example: in wᵀx, and where w learns from it."
    subtracted, added = "it subtracts w₀, as if x₀ were −1", "w₀ is minus the threshold, and x₀ = +1, so w₀ is added."
    return (
        Mistake("no_bias", what, why, zero, partial(zero, **parts), *without, read=BIAS),
        Mistake("subtracted_bias", subtracted, added, minus, partial(minus, **parts), read=BIAS),
    )


def mistakes_on_the_line(version: Version, *, walks: bool = False) -> tuple[Mistake, ...]:
    """What else can happen on the line, in a function with the part is_mistake; a walk then never begins."""
    nothing = "it corrects nothing at w = 0: it is not finished, or " if walks else "it "
    return (
        Mistake(
            "zero_never_wrong",
            f"{nothing}never counts a point on the line as a mistake (`y * score < 0` where sign was meant)",
            "Here sign(0) = −1: a positive example on the line is a mistake. At w = 0 every example is on the line.",
            partial(version, is_mistake=lambda s, y: y * s < 0),
            read=ON_THE_LINE,
        ),
        Mistake(
            "zero_is_plus",
            "it takes sign(0) to be +1",
            "Here sign(0) = −1. At w = 0 every score is 0.",
            partial(version, is_mistake=lambda s, y: (1 if s >= 0 else -1) != y),
            read=ON_THE_LINE,
        ),
        Mistake(
            "zero_always_wrong",
            "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
            "Here sign(0) = −1, so a negative example on the line is right.",
            partial(version, is_mistake=lambda s, y: y * s <= 0),
            read=ON_THE_LINE,
        ),
    )


def update_without_y(version: Version) -> Mistake:
    """A correction that forgets y, in a function with the part step."""
    return Mistake(
        "update_without_y",
        "it corrects by w + x and forgets y",
        "An example with y = −1 has to push w away: w + y x.",
        partial(version, step=plus_x),
        read=CORRECT,
    )


def mistakes_in_walk(walk: Version, *, steps: bool = False) -> tuple[Mistake, ...]:
    """What PLA and Pocket can get wrong alike, in a function with the parts of `corrections`."""
    return (
        *wrong_bias(walk, partial(walk, bias=np.array), steps=steps),
        Mistake(
            "bias_last",
            "it puts the constant x₀ = +1 behind the features instead of in front",
            "The line is the same, but w₀ has to be the first entry of w.",
            partial(walk, bias=lambda X: np.column_stack([X, np.ones(len(X))])),
            read=BIAS,
        ),
        *mistakes_on_the_line(walk, walks=True),
        update_without_y(walk),
    )


def restarts(walk: Version) -> Mistake:
    """The first example after every update, in a function with the part after."""
    return Mistake(
        "restarts",
        "after an update it starts again from the first example",
        "The walk goes on from the next example, and comes back to the first after the last.",
        partial(walk, after="first"),
    )


def minus_update(*walks: Version) -> Mistake:
    """w − y x, in walks that end nevertheless: after a number of passes or updates."""
    return Mistake(
        "minus_update",
        "it corrects by w − y x instead of w + y x",
        "Each correction makes the score of its example worse.",
        *(partial(walk, step=lambda w, x, y: w - y * x) for walk in walks),
        read=CORRECT,
    )

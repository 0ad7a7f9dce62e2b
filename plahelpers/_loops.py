"""The inner loops, in one source: compiled where numba is installed, plain Python where it is not.

Both give the same bits on the same machine: each sum is added up in the order that is written here, and the compiler
is not allowed to change it (no `fastmath`). Chance comes in as arrays of draws, never from inside a loop.

A call does a *leg* of a walk, not all of it, so that Python gets a word in (Ctrl-C) however long the walk is.
Nothing is checked here: `learning` and `experiments` hand over clean arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

if TYPE_CHECKING:
    from plahelpers._validation import BoolArray, FloatArray, IntArray

try:
    from numba import njit
except ImportError:  # no wheel for this platform, say: slower, same results
    njit = None  # type: ignore[assignment]

Loop = TypeVar("Loop", bound=Callable[..., object])

# How a leg ended: a clean cycle; a mistake met with no update left to correct it; a rest after many visits.
CLEAN: Final = 0
NO_UPDATE_LEFT: Final = 1
RESTING: Final = 2


def compiled(loop: Loop) -> Loop:
    """The loop, compiled at its first call and kept on disk for the next process; itself without numba."""
    if njit is None:
        return loop
    try:
        return njit(cache=True, nogil=True)(loop)  # type: ignore[return-value]
    except RuntimeError:  # nowhere to keep it: a read-only install and no home directory
        return njit(nogil=True)(loop)  # type: ignore[return-value]


def inlined(step: Loop) -> Loop:
    """A small step, compiled into each loop that takes it: as a call of its own it would cost twice its work."""
    return step if njit is None else njit(inline="always")(step)  # type: ignore[return-value]


@inlined
def score(w: FloatArray, X: FloatArray, n: int | np.uint64) -> float:
    """wᵀxₙ with x₀ = +1."""
    total = w[0]
    for i in range(X.shape[1]):
        total += w[i + 1] * X[n, i]
    return total  # type: ignore[no-any-return]


@inlined
def is_mistake(w: FloatArray, X: FloatArray, y: IntArray, n: int | np.uint64, sign_of_zero: int) -> bool:
    """Is sign(wᵀxₙ) ≠ yₙ?"""
    s = score(w, X, n)
    if s == 0.0:
        return y[n] != sign_of_zero  # type: ignore[no-any-return]
    return (s > 0.0) != (y[n] > 0)  # type: ignore[no-any-return]


@inlined
def correct(w: FloatArray, X: FloatArray, y: IntArray, n: int, eta: float) -> None:
    """w ← w + η yₙ xₙ."""
    step = eta * y[n]
    w[0] += step
    for i in range(X.shape[1]):
        w[i + 1] += step * X[n, i]


@compiled
def find_mistakes(w: FloatArray, X: FloatArray, y: IntArray, sign_of_zero: int, found: IntArray) -> int:
    """How many mistakes does w make? Their numbers are left in found, in order."""
    wrong = 0
    for n in range(len(y)):
        found[wrong] = n  # kept only if the next line counts it: no branch to guess wrong
        wrong += is_mistake(w, X, y, n, sign_of_zero)
    return wrong


@compiled
def count_mistakes(w: FloatArray, X: FloatArray, y: IntArray, sign_of_zero: int) -> int:
    """How many mistakes does w make?"""
    wrong = 0
    for n in range(len(y)):
        wrong += is_mistake(w, X, y, n, sign_of_zero)
    return wrong


@compiled
def next_mistake(
    w: FloatArray, X: FloatArray, y: IntArray, cycle: IntArray, start: int, stop: int, sign_of_zero: int
) -> int:
    """The first place of the cycle, from start on and before stop, where w makes a mistake; stop if there is none."""
    for at in range(start, stop):
        # Unsigned: the compiler need not ask whether it counts from the end, which saves a fifth of the time.
        if is_mistake(w, X, y, np.uint64(cycle[at]), sign_of_zero):
            return at
    return stop


@compiled
def walk(
    X: FloatArray,
    y: IntArray,
    cycle: IntArray,
    eta: float,
    sign_of_zero: int,
    w: FloatArray,
    at: int,
    clean: int,
    max_updates: int,
    max_visits: int,
    keep: bool,
    picks: IntArray,
) -> tuple[int, int, int, int, int]:
    """PLA: go round the cycle from place `at` on, correct each mistake, until a whole cycle is clean.

    Changes w, and fills picks if told to keep them. Returns how it ended, where it is in the cycle, how many
    visits were clean since the last update, and the updates and visits made.
    """
    updates = 0
    visits = 0
    while clean < len(cycle):
        if visits == max_visits:
            return RESTING, at, clean, updates, visits
        stop = min(len(cycle), at + len(cycle) - clean, at + max_visits - visits)
        found = next_mistake(w, X, y, cycle, at, stop, sign_of_zero)
        visits += found - at
        clean += found - at
        at = found
        if found < stop:
            if updates == max_updates:
                return NO_UPDATE_LEFT, at, clean, updates, visits
            correct(w, X, y, cycle[at], eta)
            if keep:
                picks[updates] = cycle[at]
            updates += 1
            visits += 1
            clean = 0
            at += 1
        if at == len(cycle):
            at = 0
    return CLEAN, at, clean, updates, visits


@compiled
def walk_and_count(
    X: FloatArray,
    y: IntArray,
    cycle: IntArray,
    draws: FloatArray,
    eta: float,
    sign_of_zero: int,
    w: FloatArray,
    pocket: FloatArray,
    found: IntArray,
    wrong: int,
    fewest: int,
    at: int,
    max_updates: int,
    max_visits: int,
    keep: bool,
    picks: IntArray,
    errors: IntArray,
) -> tuple[int, int, int, int, int, int]:
    """The same walk, counting all mistakes of every w, and keeping in the pocket a w with strictly fewer than before.

    With draws it corrects a random mistake each time, without them the next one of the cycle. `wrong` is how many
    mistakes w makes, found[:wrong] which. Returns the new `wrong`, `fewest` and `at`, the updates and visits made,
    and the update that went into the pocket last (0: none of this leg's).
    """
    updates = 0
    visits = 0
    best_at = 0
    while wrong > 0 and updates < max_updates and visits < max_visits:
        if len(draws) > 0:
            n = found[int(draws[updates] * wrong)]
        else:
            place = next_mistake(w, X, y, cycle, at, len(cycle), sign_of_zero)
            if place == len(cycle):  # then there is one before
                visits += len(cycle) - at
                at = 0
                place = next_mistake(w, X, y, cycle, 0, len(cycle), sign_of_zero)
            n = cycle[place]
            visits += place + 1 - at
            at = place + 1 if place + 1 < len(cycle) else 0
        correct(w, X, y, n, eta)
        wrong = find_mistakes(w, X, y, sign_of_zero, found)
        visits += len(y)
        if keep:
            picks[updates] = n
            errors[updates] = wrong
        updates += 1
        if wrong < fewest:
            fewest = wrong
            pocket[:] = w
            best_at = updates
    return wrong, fewest, at, updates, visits, best_at


@compiled
def count_each(W: FloatArray, X: FloatArray, y: IntArray, sign_of_zero: int, counts: IntArray) -> None:
    """How many mistakes does each row of W make?"""
    for k in range(len(W)):
        counts[k] = count_mistakes(W[k], X, y, sign_of_zero)


@compiled
def walk_each(
    X: FloatArray,
    y: IntArray,
    cycles: IntArray,
    eta: float,
    sign_of_zero: int,
    w0: FloatArray,
    max_updates: int,
    max_visits: int,
    W: FloatArray,
    updates: IntArray,
    rested: BoolArray,
) -> None:
    """A `walk` along each row of cycles, one leg each: its last w and updates, and whether it would have gone on."""
    picks = np.empty(0, np.int64)
    for k in range(len(cycles)):
        W[k] = w0
        ended, _, _, updates[k], _ = walk(
            X, y, cycles[k], eta, sign_of_zero, W[k], 0, 0, max_updates, max_visits, False, picks
        )
        rested[k] = ended == RESTING


@compiled
def walk_and_count_each(
    X: FloatArray,
    y: IntArray,
    cycles: IntArray,
    draws: FloatArray,
    eta: float,
    sign_of_zero: int,
    w0: FloatArray,
    max_updates: int,
    max_visits: int,
    W: FloatArray,
    updates: IntArray,
    rested: BoolArray,
    pockets: FloatArray,
) -> None:
    """A `walk_and_count` along each row of cycles or of draws, one leg each, with its pocket."""
    picks = np.empty(0, np.int64)
    found = np.empty(len(y), np.int64)
    leg = min(max_updates, draws.shape[1]) if draws.shape[1] > 0 else max_updates
    for k in range(len(cycles)):
        W[k] = w0
        pockets[k] = w0
        wrong = find_mistakes(w0, X, y, sign_of_zero, found)
        wrong, _, _, updates[k], _, _ = walk_and_count(
            X, y, cycles[k], draws[k], eta, sign_of_zero, W[k], pockets[k], found, wrong, wrong, 0, leg, max_visits,
            False, picks, picks,
        )  # fmt: skip
        rested[k] = wrong > 0 and updates[k] < max_updates


def warm_up() -> None:
    """Compile every loop now, for exactly the types they are called with, so that no lecture waits for the compiler."""
    X, y, w = np.array([[1.0], [-1.0]]), np.array([1, -1]), np.zeros(2)
    cycle, draws, found = np.arange(2), np.zeros(4), np.empty(2, np.int64)
    picks, errors = np.empty(4, np.int64), np.empty(4, np.int64)
    wrong = find_mistakes(w, X, y, -1, found)
    walk(X, y, cycle, 1.0, -1, w.copy(), 0, 0, 4, 8, True, picks)
    walk_and_count(
        X, y, cycle, draws, 1.0, -1, w.copy(), w.copy(), found, wrong, wrong, 0, 4, 8, True, picks, errors
    )  # fmt: skip
    cycles, W, updates = cycle[np.newaxis].copy(), np.zeros((1, 2)), np.zeros(1, np.int64)
    walk_each(X, y, cycles, 1.0, -1, w, 4, 8, W, updates, np.zeros(1, np.bool_))
    walk_and_count_each(X, y, cycles, np.zeros((1, 4)), 1.0, -1, w, 4, 8, W, updates, np.zeros(1, np.bool_), W.copy())
    next_mistake(w, X, y, cycle, 0, 2, -1)
    count_mistakes(w, X, y, -1)
    count_each(W, X, y, -1, updates)

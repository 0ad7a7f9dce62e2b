"""The walk of PLA and Pocket, in one source: compiled where numba is installed, plain Python where it is not.

Both give the same bits on the same machine: each sum is added up in the order that is written here, and the compiler
is not allowed to change it (no `fastmath`). Nothing is checked here: `learning` does that. What the main thread calls
returns whole numbers only: numba may run Python code to return more, and a Ctrl-C in there ends in a SystemError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

    from plahelpers._validation import BoolArray, FloatArray, IntArray

    # X, y, eta, sign_of_zero, max_updates; and whether all mistakes of each w are counted, as Pocket and random picks
    # need it.
    Rules: TypeAlias = tuple[FloatArray, IntArray, float, int, int, bool]
    # Updates, visits, the place in the cycle; the fewest mistakes of any w so far, and after how many updates; a state.
    Progress: TypeAlias = tuple[int, int, int, int, int, int]

try:
    from numba import njit
except ImportError:  # no wheel for this platform, say: slower, same results
    njit = None  # type: ignore[assignment]

Loop = TypeVar("Loop", bound=Callable[..., object])

GOING, HALTED, SPENT = 0, 1, 2  # the states of a run: not at its end, no mistakes left, no updates left
NONE = -1  # instead of an example's number: there is no mistake
START = (0, 0, 0, 2**62, 0, GOING)  # the progress at the start of a run


def compiled(loop: Loop) -> Loop:
    """The loop, compiled at its first call and kept on disk for the next process; itself without numba."""
    if njit is None:
        return loop
    try:
        return njit(cache=True, nogil=True)(loop)  # type: ignore[return-value]
    except RuntimeError:  # nowhere to keep it: a read-only install and no home directory
        return njit(nogil=True)(loop)  # type: ignore[return-value]


@compiled
def is_mistake(w: FloatArray, X: FloatArray, y: IntArray, n: int, sign_of_zero: int) -> bool:
    """Is sign(wᵀxₙ) ≠ yₙ, with x₀ = +1?"""
    score = w[0]
    for i in range(X.shape[1]):
        score += w[i + 1] * X[n, i]
    if score == 0.0:
        return y[n] != sign_of_zero  # type: ignore[no-any-return]
    return (score > 0.0) != (y[n] > 0)  # type: ignore[no-any-return]


@compiled
def find_mistakes(w: FloatArray, X: FloatArray, y: IntArray, sign_of_zero: int) -> IntArray:
    """The examples that w gets wrong."""
    mistakes, wrong = np.empty(len(y), np.int64), 0
    for n in range(len(y)):
        mistakes[wrong] = n  # stays only if the next line counts it: no branch for the processor to guess wrong
        wrong += is_mistake(w, X, y, n, sign_of_zero)
    return mistakes[:wrong]


@compiled
def count_mistakes(w: FloatArray, X: FloatArray, y: IntArray, sign_of_zero: int) -> int:
    """How many examples does w get wrong?"""
    return len(find_mistakes(w, X, y, sign_of_zero))


@compiled
def find_next(
    w: FloatArray, X: FloatArray, y: IntArray, sign_of_zero: int, cycle: IntArray, place: int
) -> tuple[int, int, int]:
    """The next mistake along the cycle, or NONE in a whole round; the place after it; how many examples were seen."""
    for visits in range(1, len(cycle) + 1):
        n = cycle[place]
        place = place + 1 if place + 1 < len(cycle) else 0
        if is_mistake(w, X, y, n, sign_of_zero):
            return n, place, visits
    return NONE, place, len(cycle)


@compiled
def walk(
    rules: Rules,
    cycle: IntArray,  # the order of visits; empty when each mistake is picked at random
    draws: FloatArray,  # the numbers in [0, 1) that pick it then
    w: FloatArray,
    best: FloatArray,  # the w in the pocket
    picks: IntArray,  # takes the examples that are corrected
    progress: Progress,
) -> Progress:
    """PLA and Pocket: find a mistake, correct it by w ← w + η y x, until there are no more mistakes.

    This is a part of a run, as many updates as `picks` has room for; the next call goes on from what is returned.
    """
    X, y, eta, sign_of_zero, max_updates, counting = rules
    updates, visits, place, fewest, best_at, state = progress
    mistakes = picks[:0]
    for t in range(len(picks)):
        # Pocket: count the mistakes of w, and keep it if they are fewer than ever before.
        if counting:
            mistakes = find_mistakes(w, X, y, sign_of_zero)
            visits += len(y)
            if len(mistakes) < fewest:
                fewest, best_at = len(mistakes), updates
                best[:] = w
            if len(mistakes) == 0 or updates == max_updates:
                state = SPENT if len(mistakes) else HALTED
                break
        # Find a mistake: a random one of all, or the next one along the cycle.
        if len(cycle) == 0:
            n = mistakes[int(draws[t] * len(mistakes))]
        else:
            n, place, seen = find_next(w, X, y, sign_of_zero, cycle, place)
            visits += seen
            if n == NONE or updates == max_updates:
                state = HALTED if n == NONE else SPENT
                break
        # Correct it.
        step = eta * y[n]
        w[0] += step
        for i in range(X.shape[1]):
            w[i + 1] += step * X[n, i]
        picks[t] = n
        updates += 1
    return updates, visits, place, fewest, best_at, state


@compiled
def updates_in_a_call(N: int) -> int:
    """So few that a call of `walk` takes a fraction of a second, and Ctrl-C is heard."""
    return max(1, min(1024, 2**23 // N))


@compiled
def walk_often(
    rules: Rules, cycle: IntArray, start: FloatArray, shuffled: bool, rng: Generator, stop: BoolArray, runs: int
) -> tuple[IntArray, BoolArray, FloatArray, FloatArray]:
    """Several runs, one after the other, with the random numbers of one generator.

    For each run: its updates, whether it halted, its last w, and the w in its pocket. Another thread sets the one entry
    of `stop` when nobody waits for them any more.
    """
    N = len(rules[1])
    updates, halted = np.empty(runs, np.int64), np.empty(runs, np.bool_)
    last, best = np.empty((runs, len(start))), np.empty((runs, len(start)))
    draws, picks = np.empty(0), np.empty(updates_in_a_call(N), np.int64)
    for k in range(runs):
        last[k], best[k] = start, start
        if shuffled:
            cycle = np.arange(N)
            rng.shuffle(cycle)
        progress = START
        while progress[-1] == GOING and not stop[0]:
            if len(cycle) == 0:
                draws = rng.random(len(picks))  # all of them: so a larger budget does not change the next run
            progress = walk(rules, cycle, draws, last[k], best[k], picks, progress)
        updates[k], halted[k] = progress[0], progress[-1] == HALTED
    return updates, halted, last, best


def warm_up() -> None:
    """Compile every loop now, for exactly the types they are called with, so that no lecture waits for the compiler."""
    w, cycle = np.zeros(2), np.arange(1)
    rules = np.ones((1, 1)), np.ones(1, np.int64), 1.0, -1, 1, True
    walk_often(rules, cycle, w, False, np.random.default_rng(0), np.zeros(1, np.bool_), 1)
    walk(rules, cycle, np.empty(0), w, w.copy(), np.empty(updates_in_a_call(1), np.int64), START)
    count_mistakes(w, *rules[:2], -1)

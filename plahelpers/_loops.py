"""The walk of PLA and Pocket, in one source: compiled where numba is installed, plain Python where it is not.

Both give the same bits on the same machine: each sum is added up in the order that is written here, and the compiler
is not allowed to change it (no `fastmath`). Nothing is checked here: `learning` does that. What the main thread calls
returns whole numbers only: numba may run Python code to return more, and a Ctrl-C in there ends in a SystemError.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

import numpy as np

from plahelpers._validation import FloatArray, IntArray

try:
    from numba import njit
except ImportError:  # no wheel for this platform, say: slower, same results
    njit = None  # type: ignore[assignment]

Loop = TypeVar("Loop", bound=Callable[..., object])
# X, y, eta, sign_of_zero, max_updates; and whether all mistakes of each w are counted: Pocket and random picks need it.
Rules: TypeAlias = tuple[FloatArray, IntArray, float, int, int, bool]
# Updates, visits, the place in the cycle; the fewest mistakes of any w so far, and after how many updates.
Progress: TypeAlias = tuple[int, int, int, int, int]

START: Progress = (0, 0, 0, 2**62, 0)  # at the start of a run
NONE = -1  # instead of an example's number: there is no mistake


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

    This is a part of a run, as many updates as `picks` has room for, and the next call goes on from what is returned.
    With fewer updates than there is room for, the run is at its end: no mistakes are left, or no updates.
    """
    X, y, eta, sign_of_zero, max_updates, counting = rules
    updates, visits, place, fewest, best_at = progress
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
                break
        # Find a mistake: a random one of all, or the next one along the cycle.
        if len(cycle) == 0:
            n = mistakes[int(draws[t] * len(mistakes))]
        else:
            n, place, seen = find_next(w, X, y, sign_of_zero, cycle, place)
            visits += seen
            if n == NONE or updates == max_updates:
                break
        # Correct it.
        step = eta * y[n]
        w[0] += step
        for i in range(X.shape[1]):
            w[i + 1] += step * X[n, i]
        picks[t] = n
        updates += 1
    return updates, visits, place, fewest, best_at


def updates_in_a_call(N: int) -> int:
    """So few that a call of `walk` takes a fraction of a second, and Ctrl-C is heard."""
    return max(1, min(1024, 2**23 // N))


def warm_up() -> None:
    """Compile every loop now, for exactly the types they are called with, so that no lecture waits for the compiler."""
    w, rules = np.zeros(2), (np.ones((1, 1)), np.ones(1, np.int64), 1.0, -1, 1, True)
    walk(rules, np.arange(1), np.empty(0), w, w.copy(), np.empty(1, np.int64), START)
    count_mistakes(w, *rules[:2], -1)

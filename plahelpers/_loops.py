"""The inner loops, in one source: compiled where numba is installed, plain Python where it is not.

Both give the same bits on the same machine: each sum is added up in the order that is written here, and the compiler
is not allowed to change it (no `fastmath`). Nothing is checked here: `learning` does that. What a compiled function
returns is a plain tuple: numba would run Python code to make a NamedTuple, and a Ctrl-C in there crashes the process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

    from plahelpers._validation import BoolArray, FloatArray, IntArray

    # X, y, eta, sign_of_zero, max_updates, and whether the mistakes of each w are counted: Pocket needs that, and so
    # do random picks.
    Rules: TypeAlias = tuple[FloatArray, IntArray, float, int, int, bool]

try:
    from numba import njit
except ImportError:  # no wheel for this platform, say: slower, same results
    njit = None  # type: ignore[assignment]

Loop = TypeVar("Loop", bound=Callable[..., object])

GOING, HALTED, SPENT = 0, 1, 2  # how a run stands: not at its end, no mistakes left, no updates left
BLOCK = 1024  # random numbers are drawn in blocks of so many; one picks the mistake of one update
VISITS = 2**15  # after so many visits, less than a millisecond, a call of `walk` returns, so that Ctrl-C is heard


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
def find_mistakes(w: FloatArray, X: FloatArray, y: IntArray, sign_of_zero: int, mistakes: IntArray) -> int:
    """How many mistakes does w make? Their numbers are written to `mistakes`, in order."""
    wrong = 0
    for n in range(len(y)):
        mistakes[wrong] = n  # stays only if the next line counts it: no branch for the processor to guess wrong
        wrong += is_mistake(w, X, y, n, sign_of_zero)
    return wrong


@compiled
def begin(rules: Rules, w: FloatArray, mistakes: IntArray) -> tuple[int, ...]:
    """The progress of a run at its start, which is in the pocket too."""
    X, y, _, sign_of_zero, max_updates, counting = rules
    if not counting:
        return 0, 0, 0, len(y), len(y), 0, GOING
    wrong = find_mistakes(w, X, y, sign_of_zero, mistakes)
    state = HALTED if wrong == 0 else SPENT if max_updates == 0 else GOING
    return 0, len(y), 0, wrong, wrong, 0, state


@compiled
def walk(
    rules: Rules,
    cycle: IntArray,  # the order of visits; empty when each mistake is picked at random
    w: FloatArray,
    best: FloatArray,  # the w in the pocket
    mistakes: IntArray,  # the examples that w gets wrong, if they are counted: the first `wrong` entries
    draws: FloatArray,  # the block of numbers in [0, 1) that pick them at random
    picks: IntArray,  # takes the examples that are corrected, a block of them
    progress: tuple[int, ...],
) -> tuple[int, ...]:
    """PLA and Pocket: find a mistake, correct it by w ← w + η y x, until there are no more mistakes.

    A part of a run, up to the end of a block at most; the next call goes on from the progress that is returned.
    """
    X, y, eta, sign_of_zero, max_updates, counting = rules
    updates, visits, place, wrong, fewest, best_at, state = progress
    pause = visits + VISITS
    while state == GOING:
        # Find a mistake: a random one of all, or the next one along the cycle.
        if len(cycle) == 0:
            n = mistakes[int(draws[updates % BLOCK] * wrong)]
        else:
            seen, found = 0, False
            while seen < len(cycle) and not found:
                n = cycle[place]
                place = place + 1 if place + 1 < len(cycle) else 0
                found = is_mistake(w, X, y, n, sign_of_zero)
                seen += 1
            visits += seen
            if not found or updates == max_updates:
                state = SPENT if found else HALTED
                break
        # Correct it.
        step = eta * y[n]
        w[0] += step
        for i in range(X.shape[1]):
            w[i + 1] += step * X[n, i]
        picks[updates % BLOCK] = n
        updates += 1
        # Pocket: count the mistakes of the new w, and keep it if they are fewer than ever before.
        if counting:
            wrong = find_mistakes(w, X, y, sign_of_zero, mistakes)
            visits += len(y)
            if wrong < fewest:
                fewest, best_at = wrong, updates
                best[:] = w
            state = HALTED if wrong == 0 else SPENT if updates == max_updates else GOING
        if updates % BLOCK == 0 or visits >= pause:
            break
    return updates, visits, place, wrong, fewest, best_at, state


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
    mistakes, draws, picks = np.empty(N, np.int64), np.empty(BLOCK), np.empty(BLOCK, np.int64)
    for k in range(runs):
        last[k], best[k] = start, start
        if shuffled:
            cycle = np.arange(N)
            rng.shuffle(cycle)
        progress = begin(rules, last[k], mistakes)
        while progress[-1] == GOING and not stop[0]:
            if len(cycle) == 0 and progress[0] % BLOCK == 0:
                draws[:] = rng.random(BLOCK)  # a whole block: so a larger budget does not change what the next run gets
            progress = walk(rules, cycle, last[k], best[k], mistakes, draws, picks, progress)
        updates[k], halted[k] = progress[0], progress[-1] == HALTED
    return updates, halted, last, best


def warm_up() -> None:
    """Compile every loop now, for exactly the types they are called with, so that no lecture waits for the compiler."""
    start, cycle, numbers = np.zeros(2), np.arange(1), np.zeros(BLOCK, np.int64)
    rules = np.ones((1, 1)), np.ones(1, np.int64), 1.0, -1, 1, True
    walk_often(rules, cycle, start, False, np.random.default_rng(0), np.zeros(1, np.bool_), 1)
    find_mistakes(start, *rules[:2], -1, numbers)
    walk(rules, cycle, start, start.copy(), numbers, np.zeros(BLOCK), numbers.copy(), begin(rules, start, numbers))

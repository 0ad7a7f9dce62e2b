"""The inner loops, in one source: compiled where numba is installed, plain Python where it is not.

Both give the same bits on the same machine: each sum is added up in the order that is written here, and the compiler
is not allowed to change it (no `fastmath`).

A call does a bounded part of a run, so that Python gets control in between and hears Ctrl-C however long the run is.
Nothing is checked here: `learning` and `experiments` hand over clean arrays.

A compiled function takes NamedTuples but returns a plain tuple: numba would run Python code to make a NamedTuple of
what it returns, and a Ctrl-C that arrives in there crashes the process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plahelpers._validation import BoolArray, FloatArray, IntArray

try:
    from numba import njit
except ImportError:  # no wheel for this platform, say: slower, same results
    njit = None  # type: ignore[assignment]

Loop = TypeVar("Loop", bound=Callable[..., object])


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


class Problem(NamedTuple):
    """The examples, and the rules by which a run learns from them."""

    X: FloatArray
    y: IntArray
    cycle: IntArray  # the order of visits; empty when each mistake is picked at random
    w0: FloatArray
    eta: float
    sign_of_zero: int
    max_updates: int
    stop: BoolArray  # one entry; another thread sets it when nobody waits for the run any more


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
def correct(w: FloatArray, X: FloatArray, y: IntArray, n: int | np.uint64, eta: float) -> None:
    """w ← w + η yₙ xₙ."""
    step = eta * y[n]
    w[0] += step
    for i in range(X.shape[1]):
        w[i + 1] += step * X[n, i]


@compiled
def find_mistakes(problem: Problem, w: FloatArray, mistakes: IntArray) -> int:
    """How many mistakes does w make? Their numbers are written to `mistakes`, in order."""
    X, y, sign_of_zero = problem.X, problem.y, problem.sign_of_zero
    count = 0
    for n in range(len(y)):
        mistakes[count] = n  # stays only if the next line counts it: no branch for the processor to guess wrong
        count += is_mistake(w, X, y, n, sign_of_zero)
    return count


@compiled
def count_mistakes(W: FloatArray, X: FloatArray, y: IntArray, sign_of_zero: int) -> IntArray:
    """How many mistakes does each row of W make?"""
    counts = np.zeros(len(W), np.int64)
    for k in range(len(W)):
        w = W[k]
        for n in range(len(y)):
            counts[k] += is_mistake(w, X, y, n, sign_of_zero)
    return counts


class Progress(NamedTuple):
    """How far a run of PLA along a cycle has come."""

    updates: int
    visits: int
    clean: int  # visits without a mistake since the last update
    done: bool  # a whole cycle is clean, or there is a mistake and no update left


@compiled
def run_passes(problem: Problem, w: FloatArray, progress: Progress, passes: int, picks: IntArray) -> tuple[int, ...]:
    """PLA: pass over the cycle and correct each mistake; one pass after the other, until a whole cycle is clean.

    Makes at most so many passes; the next call goes on from the progress that is returned. Changes w, and writes the
    examples that it corrects to `picks`, unless that is empty.
    """
    X, y, cycle, sign_of_zero = problem.X, problem.y, problem.cycle, problem.sign_of_zero
    updates, visits, clean, _ = progress
    start = updates
    for _ in range(passes):
        if problem.stop[0]:
            break
        for place in range(len(cycle)):
            # Unsigned: the compiler need not ask whether n counts from the end, which saves a fifth of the time.
            n = np.uint64(cycle[place])
            visits += 1
            if is_mistake(w, X, y, n, sign_of_zero):
                if updates == problem.max_updates:
                    return updates, visits, clean, True
                correct(w, X, y, n, problem.eta)
                if len(picks) > 0:
                    picks[updates - start] = n
                updates += 1
                clean = 0
            else:
                clean += 1
                if clean == len(cycle):
                    return updates, visits, clean, True
    return updates, visits, clean, False


class Pocket(NamedTuple):
    """The arrays that a run of Pocket changes."""

    w: FloatArray
    best: FloatArray  # the w in the pocket
    mistakes: IntArray  # the examples that w gets wrong, as many of them as the progress says


class PocketProgress(NamedTuple):
    """How far a run of Pocket has come."""

    updates: int
    visits: int
    wrong: int  # mistakes of w
    fewest: int  # mistakes of the w in the pocket
    best_at: int  # the update that gave the w in the pocket
    place: int  # where in the cycle it goes on


@compiled
def start_pocket(problem: Problem, pocket: Pocket) -> tuple[int, ...]:
    """Begin at the start, which is in the pocket too."""
    pocket.w[:] = problem.w0
    pocket.best[:] = problem.w0
    wrong = find_mistakes(problem, pocket.w, pocket.mistakes)
    return 0, len(problem.y), wrong, wrong, 0, 0


@compiled
def run_pocket(
    problem: Problem, pocket: Pocket, progress: PocketProgress, draws: FloatArray, path: IntArray
) -> tuple[int, ...]:
    """Pocket: correct a mistake, count the mistakes of the new w, and keep it if they are fewer than ever before.

    The mistake is the next one of the cycle; without a cycle, the draws in [0, 1) pick it. Makes at most as many
    updates as `path` has columns; a column takes the example that is corrected and the count of mistakes after that.
    """
    X, y, cycle, sign_of_zero = problem.X, problem.y, problem.cycle, problem.sign_of_zero
    w, best, mistakes = pocket
    updates, visits, wrong, fewest, best_at, place = progress
    for t in range(min(path.shape[1], problem.max_updates - updates)):
        if wrong == 0 or problem.stop[0]:
            break
        if len(cycle) == 0:
            n = mistakes[int(draws[t] * wrong)]
        else:
            while not is_mistake(w, X, y, np.uint64(cycle[place]), sign_of_zero):
                visits += 1
                place = (place + 1) % len(cycle)
            n = cycle[place]
            visits += 1
            place = (place + 1) % len(cycle)
        correct(w, X, y, n, problem.eta)
        updates += 1
        wrong = find_mistakes(problem, w, mistakes)
        visits += len(y)
        if wrong < fewest:
            fewest = wrong
            best_at = updates
            best[:] = w
        path[0, t] = n
        path[1, t] = wrong
    return updates, visits, wrong, fewest, best_at, place


# The random numbers of run k: numpy's Philox generator, and how numpy's Generator draws from it, written again so that
# they can be compiled. Philox encrypts a counter (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3",
# 2011). Run k begins at the counter (0, 0, k, 0), so it has 2**128 numbers of its own, wherever it is made.

ROUNDS = 10
MULTIPLIERS = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
KEY_STEPS = np.array([0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B], np.uint64)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


def round_keys(key: IntArray) -> NDArray[np.uint64]:
    """The two keys of each round."""
    return key.astype(np.uint64) + np.arange(ROUNDS, dtype=np.uint64)[:, np.newaxis] * KEY_STEPS


@inlined
def multiply(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The upper and the lower 64 bits of a · b, by halves, so that nothing overflows."""
    low = (a & LOW) * (b & LOW)
    middle = (a >> HALF) * (b & LOW) + (low >> HALF)
    other = (a & LOW) * (b >> HALF) + (middle & LOW)
    return (a >> HALF) * (b >> HALF) + (middle >> HALF) + (other >> HALF), (other << HALF) | (low & LOW)


@compiled
def random_bits(keys: NDArray[np.uint64], k: int, block: int, numbers: IntArray) -> None:
    """Fill `numbers` with block 1, 2, … of run k's random bits: eight numbers of 32 bits."""
    a, b, c, d = np.uint64(block), np.uint64(0), np.uint64(k), np.uint64(0)
    for r in range(ROUNDS):
        high_a, low_a = multiply(MULTIPLIERS[0], a)
        high_c, low_c = multiply(MULTIPLIERS[1], c)
        a, b, c, d = high_c ^ b ^ keys[r, 0], low_c, high_a ^ d ^ keys[r, 1], low_a
    for i, word in enumerate((a, b, c, d)):
        numbers[2 * i] = np.int64(word & LOW)
        numbers[2 * i + 1] = np.int64(word >> HALF)


@compiled
def shuffle(keys: NDArray[np.uint64], k: int, cycle: IntArray) -> None:
    """Make the cycle `experiment.rng(k).permutation(N)`."""
    cycle[:] = np.arange(len(cycle))
    numbers = np.empty(8, np.int64)
    used = 0
    mask = 1  # 2, 4, 8, … minus 1: the smallest that is not below `last`
    while mask < len(cycle) - 1:
        mask = 2 * mask + 1
    for last in range(len(cycle) - 1, 0, -1):
        if last <= mask // 2:
            mask //= 2
        other = last + 1
        while other > last:  # a number that is too large is thrown away: all others stay equally likely
            if used % 8 == 0:
                random_bits(keys, k, used // 8 + 1, numbers)
            other = numbers[used % 8] & mask
            used += 1
        cycle[last], cycle[other] = cycle[other], cycle[last]


@compiled
def draw(keys: NDArray[np.uint64], k: int, first: int, draws: FloatArray) -> None:
    """Make the draws `experiment.rng(k).random(first + len(draws))[first:]`, for a first that four divides."""
    numbers = np.empty(8, np.int64)
    for i in range(len(draws)):
        place = 2 * (i % 4)
        if place == 0:
            random_bits(keys, k, (first + i) // 4 + 1, numbers)
        draws[i] = ((numbers[place + 1] << 21) | (numbers[place] >> 11)) / 2.0**53


class Batch(NamedTuple):
    """Some runs, and a row for the results of each."""

    runs: IntArray  # their numbers k
    keys: NDArray[np.uint64]  # to their random numbers
    shuffled: bool  # then each run has a cycle of its own, which is written over that of the problem
    last: FloatArray  # the last w
    best: FloatArray  # the w in the pocket
    updates: IntArray


@compiled
def pla_batch(problem: Problem, batch: Batch) -> None:
    """PLA along a cycle, for each run of the batch."""
    no_picks = np.empty(0, np.int64)
    for row, k in enumerate(batch.runs):
        if batch.shuffled:
            shuffle(batch.keys, k, problem.cycle)
        batch.last[row] = problem.w0
        start, passes = Progress(0, 0, 0, False), problem.max_updates + 2  # more than it can need
        batch.updates[row] = run_passes(problem, batch.last[row], start, passes, no_picks)[0]


@compiled
def pocket_batch(problem: Problem, batch: Batch) -> None:
    """Pocket, or PLA with random picks, for each run of the batch."""
    path = np.empty((2, min(problem.max_updates, 1024)), np.int64)
    draws = np.empty(path.shape[1])
    mistakes = np.empty(len(problem.y), np.int64)
    for row, k in enumerate(batch.runs):
        if batch.shuffled:
            shuffle(batch.keys, k, problem.cycle)
        pocket = Pocket(batch.last[row], batch.best[row], mistakes)
        progress = PocketProgress(*start_pocket(problem, pocket))
        while progress.wrong > 0 and progress.updates < problem.max_updates and not problem.stop[0]:
            if len(problem.cycle) == 0:
                draw(batch.keys, k, progress.updates, draws)
            progress = PocketProgress(*run_pocket(problem, pocket, progress, draws, path))
        batch.updates[row] = progress.updates


def warm_up() -> None:
    """Compile every loop now, for exactly the types they are called with, so that no lecture waits for the compiler."""
    X, y, cycle, w = np.array([[1.0], [-1.0]]), np.array([1, -1]), np.arange(2), np.zeros(2)
    problem = Problem(X, y, cycle, w, eta=1.0, sign_of_zero=-1, max_updates=4, stop=np.zeros(1, np.bool_))
    run_passes(problem, w.copy(), Progress(0, 0, 0, False), 1, np.empty(2, np.int64))
    pocket = Pocket(w.copy(), w.copy(), np.empty(2, np.int64))
    progress = PocketProgress(*start_pocket(problem, pocket))
    run_pocket(problem, pocket, progress, np.zeros(4), np.empty((2, 4), np.int64))
    W, keys = np.zeros((1, 2)), round_keys(np.arange(2))
    batch = Batch(np.arange(1), keys, shuffled=True, last=W, best=W.copy(), updates=np.arange(1))
    pla_batch(problem, batch)
    pocket_batch(problem, batch)
    count_mistakes(W, X, y, -1)

"""One algorithm, thousands of runs: how many updates, how many mistakes, on average and in all.

Run k has a stretch of its own of one stream of random numbers. So it is the same run however many others there are, in
whatever order, thread, process or machine they are made; and `experiment.rng(k)` replays it.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plahelpers import _format
from plahelpers._validation import (
    RNG,
    BoolArray,
    FloatArray,
    IntArray,
    SignOfZero,
    check_count,
    check_labels,
    check_points,
    check_rng,
)
from plahelpers.learning import _LEG_PRODUCTS, _LEG_UPDATES, BudgetWarning, Order, Plan, _go, _loops, _plan

# The runs are made in so many shares: small enough that the progress bar moves and Ctrl-C loses little.
_SHARES = 64
_SHARES_ABROAD = 16  # in other processes: the data travel with each share
# A batch is one compiled call of so many runs, each no longer than this; so it is soon over, and Ctrl-C is heard.
_BATCH_RUNS = 64
_BATCH_PRODUCTS = _LEG_PRODUCTS // 8
# So many random numbers are drawn for a batch, at most.
_BATCH_NUMBERS = 2**20
# Work that is done sooner shows no progress bar.
_QUIET_SECONDS = 2.0


def repeat_pla(
    X: ArrayLike,
    y: ArrayLike,
    *,
    runs: int = 2000,
    order: Order = "shuffled",
    test: tuple[ArrayLike, ArrayLike] | None = None,
    w0: ArrayLike | None = None,
    eta: float = 1.0,
    sign_of_zero: SignOfZero = -1,
    max_updates: int = 100_000,
    rng: RNG = None,
    executor: Executor | None = None,
) -> Experiment:
    """Run PLA thousands of times, each with a shuffled cycle (or random picks) of its own.

    test          examples (X_test, y_test) that no run learns from, for `test_error`.
    executor      any concurrent.futures.Executor (a process pool's, a Dask cluster's) to make the runs; the numbers
                  are the same. Without one, the runs share this computer's cores.
    Ctrl-C gives back what was done so far, with `partial` set. The other arguments are those of `pla`.
    Built in notebook 02, "How many updates?".
    """
    plan = _plan("PLA", X, y, order, w0, eta, sign_of_zero, max_updates)
    experiment = _repeat(plan, runs, test, rng, executor)
    spent = int((~experiment.halted).sum())
    if spent:
        warnings.warn(
            f"{spent:,} of {len(experiment):,} runs spent their budget of {max_updates:,} updates with mistakes left. "
            "That does not show that the data are not separable: separate(X, y) decides that.",
            BudgetWarning,
            stacklevel=2,
        )
    return experiment


def repeat_pocket(
    X: ArrayLike,
    y: ArrayLike,
    *,
    runs: int = 2000,
    max_updates: int = 50,
    order: Order = "random",
    test: tuple[ArrayLike, ArrayLike] | None = None,
    w0: ArrayLike | None = None,
    eta: float = 1.0,
    sign_of_zero: SignOfZero = -1,
    rng: RNG = None,
    executor: Executor | None = None,
) -> Experiment:
    """Run Pocket thousands of times, and measure the pocket and the last w, on these examples and on test ones.

    The arguments are those of `pocket` and `repeat_pla`. Built in notebook 04, "Pocket, two thousand times".
    """
    plan = _plan("Pocket", X, y, order, w0, eta, sign_of_zero, max_updates)
    return _repeat(plan, runs, test, rng, executor)


@dataclass(frozen=True, eq=False, repr=False)
class Experiment:
    """What many runs did: an array for each quantity, an entry for each run."""

    algorithm: Literal["PLA", "Pocket"]
    key: IntArray  # to the chance of all runs
    partial: bool  # stopped before all runs were made
    run: IntArray  # the numbers of the runs that were made: 0, 1, 2, … unless partial
    updates: IntArray
    halted: BoolArray
    train_error: FloatArray  # of the answer: PLA's last w, Pocket's pocket
    last_train_error: FloatArray  # of the last w
    _test_error: FloatArray
    _last_test_error: FloatArray

    @property
    def test_error(self) -> FloatArray:
        """The error rate of each run's answer on the test examples."""
        return self._tested(self._test_error)

    @property
    def last_test_error(self) -> FloatArray:
        """The error rate of each run's last w on the test examples."""
        return self._tested(self._last_test_error)

    def rng(self, k: int) -> np.random.Generator:
        """The chance of run k, afresh: give it to `pla` or `pocket` as rng= to make that run again."""
        return next(_chances(self.key, [check_count(k, "k") % 2**64]))

    def __len__(self) -> int:
        return len(self.run)

    def __repr__(self) -> str:
        made = f"{_format.count(len(self), 'run')} of {self.algorithm}{' (stopped early)' if self.partial else ''}"
        if not len(self):
            return made
        text = (
            f"{made}: {self.updates.mean():,.1f} updates on average ({self.updates.min():,} to {self.updates.max():,})"
        )
        if not self.halted.all():
            text += f", {self.halted.mean():.0%} halted, train error {self.train_error.mean():.3f}"
        if not np.isnan(self._test_error).any():
            text += f", test error {self._test_error.mean():.3f}"
        return text

    def _tested(self, errors: FloatArray) -> FloatArray:
        if np.isnan(errors).any():
            raise ValueError("this experiment had no test examples: give test=(X_test, y_test).")
        return errors


@dataclass(frozen=True)
class _Measured:
    """A table that is filled in run by run; its columns become the arrays of an Experiment."""

    updates: IntArray
    halted: BoolArray
    train_error: FloatArray
    last_train_error: FloatArray
    _test_error: FloatArray
    _last_test_error: FloatArray

    @classmethod
    def empty(cls, runs: int) -> _Measured:
        return cls(np.zeros(runs, np.int64), np.zeros(runs, np.bool_), *(np.full(runs, np.nan) for _ in range(4)))

    def columns(self) -> dict[str, NDArray[Any]]:
        return {column.name: getattr(self, column.name) for column in fields(self)}

    def fill_in(self, rows: IntArray | slice, part: _Measured) -> None:
        for name, column in self.columns().items():
            column[rows] = getattr(part, name)


@dataclass(frozen=True)
class _Task:
    """All that is needed to make any of the runs, anywhere."""

    plan: Plan
    test: tuple[FloatArray, IntArray] | None
    key: IntArray


class _StoppedError(Exception):
    """Raised inside a run when nobody waits for it any more."""


def _repeat(
    plan: Plan, runs: int, test: tuple[ArrayLike, ArrayLike] | None, rng: RNG, executor: Executor | None
) -> Experiment:
    runs = check_count(runs, "runs", at_least=1)
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError(f"executor must be a concurrent.futures.Executor, or None; not {executor!r}.")
    task = _Task(plan, _check_test(test, plan.X.shape[1]), _key(rng))
    shares = np.array_split(np.arange(runs), min(runs, _SHARES if executor is None else _SHARES_ABROAD))
    table, done = _Measured.empty(runs), np.zeros(runs, np.bool_)
    coming = _as_they_come(task, shares, executor)
    try:
        for share, part in coming:
            table.fill_in(share, part)
            done[share] = True
    except KeyboardInterrupt:
        pass  # what has come so far is kept, and marked as partial
    finally:
        coming.close()
    columns = {name: column[done] for name, column in table.columns().items()}
    return Experiment(plan.algorithm, task.key, not done.all(), np.flatnonzero(done), **columns)


def _as_they_come(
    task: _Task, shares: list[IntArray], executor: Executor | None
) -> Generator[tuple[IntArray, _Measured], None, None]:
    """The shares as they are finished, on the given executor or on this computer's cores."""
    from tqdm import tqdm

    stop, own = threading.Event(), ThreadPoolExecutor(max_workers=os.cpu_count()) if executor is None else None
    # What stops a thread cannot travel to another process: there, shares under way are left to themselves.
    rest = () if own is None else (_stopper(stop),)
    waiting: dict[Future[_Measured], IntArray] = {}
    try:
        for share in shares:
            waiting[(executor or own).submit(_make_runs, task, share, *rest)] = share  # type: ignore[union-attr]
        with tqdm(total=sum(map(len, shares)), unit="run", delay=_QUIET_SECONDS, leave=False) as bar:
            while waiting:
                # Not for ever: on some systems Ctrl-C is heard only between two waits.
                for future in wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED).done:
                    share = waiting.pop(future)
                    yield share, future.result()
                    bar.update(len(share))
    finally:
        stop.set()
        for future in waiting:
            future.cancel()
        if own is not None:
            own.shutdown()


def _make_runs(task: _Task, share: IntArray, rest: Callable[[], None] = lambda: None) -> _Measured:
    """Make some of the runs, a batch at a time."""
    measured = _Measured.empty(len(share))
    at_once = max(1, min(_BATCH_RUNS, _BATCH_NUMBERS // len(task.plan.y)))
    for start in range(0, len(share), at_once):
        batch = share[start : start + at_once].tolist()
        measured.fill_in(slice(start, start + len(batch)), _measure(task, *_make_batch(task, batch, rest)))
        rest()
    return measured


def _make_batch(task: _Task, batch: list[int], rest: Callable[[], None]) -> tuple[FloatArray, FloatArray, IntArray]:
    """The answer, the last w and the updates of each run: in one compiled call, but for long runs."""
    plan, loops = task.plan, _loops()
    last, updates = np.empty((len(batch), len(plan.w0))), np.empty(len(batch), np.int64)
    rested = np.empty(len(batch), np.bool_)
    cycles, draws = _draw(plan, _chances(task.key, batch), len(batch))
    visits = max(1, _BATCH_PRODUCTS // len(plan.w0))
    settings = plan.eta, plan.sign_of_zero, plan.w0, plan.max_updates, visits, last, updates, rested
    answer = last
    if plan.algorithm == "PLA" and plan.order != "random":
        loops.walk_each(plan.X, plan.y, cycles, *settings)
    else:
        pockets = np.empty_like(last)
        loops.walk_and_count_each(plan.X, plan.y, cycles, draws, *settings, pockets)
        answer = pockets if plan.algorithm == "Pocket" else last
    for row in np.flatnonzero(rested):
        chance = next(_chances(task.key, [batch[row]]))
        run = _go(plan, chance, keep_path=False, rest=rest)
        last[row], answer[row], updates[row] = run.last_w, run.w, run.updates
    return answer, last, updates


def _draw(plan: Plan, chances: Iterator[np.random.Generator], runs: int) -> tuple[IntArray, FloatArray]:
    """Each run's cycle and draws, just as a single run would take them from its chance."""
    if plan.order == "random":
        first_leg = min(plan.max_updates, _LEG_UPDATES)
        return np.empty((runs, 0), np.int64), np.array([chance.random(first_leg) for chance in chances])
    if plan.order == "shuffled":
        return np.array([chance.permutation(len(plan.y)) for chance in chances]), np.empty((runs, 0))
    return np.array([plan.cycle] * runs), np.empty((runs, 0))


def _measure(task: _Task, answer: FloatArray, last: FloatArray, updates: IntArray) -> _Measured:
    plan = task.plan
    train = _rates(answer, plan, plan.X, plan.y)
    part = _Measured.empty(len(updates))
    part.updates[:], part.halted[:], part.train_error[:] = updates, train == 0, train
    part.last_train_error[:] = train if last is answer else _rates(last, plan, plan.X, plan.y)
    if task.test is not None:
        part._test_error[:] = _rates(answer, plan, *task.test)
        part._last_test_error[:] = part._test_error if last is answer else _rates(last, plan, *task.test)
    return part


def _rates(W: FloatArray, plan: Plan, X: FloatArray, y: IntArray) -> FloatArray:
    counts = np.empty(len(W), np.int64)
    _loops().count_each(W, X, y, plan.sign_of_zero, counts)
    return np.asarray(counts / len(y))


def _check_test(test: tuple[ArrayLike, ArrayLike] | None, d: int) -> tuple[FloatArray, IntArray] | None:
    if test is None:
        return None
    try:
        X_test, y_test = test
    except (TypeError, ValueError):
        raise TypeError("test must be a pair (X_test, y_test).") from None
    points = check_points(X_test, "X_test", d)
    labels = check_labels(y_test, len(points))
    return np.require(points, requirements="W"), np.require(labels, requirements="W")


def _key(rng: RNG) -> IntArray:
    """The key to all runs' chance: made from the int, or drawn from the generator that was given."""
    return check_rng(rng).integers(2**63, size=2)


def _chances(key: IntArray, numbers: Iterable[int]) -> Iterator[np.random.Generator]:
    """For each run its own stretch, 2¹²⁸ draws long, of the stream that the key stands for.

    It is one generator, set to each run's place in turn (Philox is made for that: it counts, and has no past); to make
    a new one would take longer than a short run.
    """
    stream = np.random.Philox(key=key.astype(np.uint64))
    generator, at_start = np.random.Generator(stream), stream.state
    for k in numbers:
        at_start["state"]["counter"][:] = 0, 0, k, 0
        stream.state = at_start
        yield generator


def _stopper(stop: threading.Event) -> Callable[[], None]:
    def rest() -> None:
        if stop.is_set():
            raise _StoppedError

    return rest

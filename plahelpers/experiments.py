"""One algorithm, thousands of runs: how many updates, how many mistakes, on average and in all.

Run k draws its chance from the k-th child of the seed, and from nothing else. So it is the same run however many others
there are, in whatever order, thread, process or machine they are made; and `experiment.rng(k)` replays it.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plahelpers import _words
from plahelpers._inputs import RNG, FloatArray, IntArray, SignOfZero, check_count, check_labels, check_points, check_rng
from plahelpers.learning import BudgetWarning, Order, Plan, _go, _loops, _plan

# A job is a share of the runs: small enough that the progress bar moves and Ctrl-C loses little.
_JOBS = 64
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
    seed: np.random.SeedSequence
    partial: bool  # stopped before all runs were made
    run: IntArray  # the numbers of the runs that were made: 0, 1, 2, … unless partial
    updates: IntArray
    halted: NDArray[np.bool_]
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
        return _child(self.seed, check_count(k, "k"))

    def __len__(self) -> int:
        return len(self.run)

    def __repr__(self) -> str:
        made = f"{_words.count(len(self), 'run')} of {self.algorithm}{' (stopped early)' if self.partial else ''}"
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
    """The rows of a table that is filled in run by run; they become the arrays of an Experiment."""

    updates: IntArray
    halted: NDArray[np.bool_]
    train_error: FloatArray
    last_train_error: FloatArray
    _test_error: FloatArray
    _last_test_error: FloatArray

    @classmethod
    def empty(cls, runs: int) -> _Measured:
        whole, truth = np.zeros(runs, np.int64), np.zeros(runs, np.bool_)
        return cls(whole, truth, *(np.full(runs, np.nan) for _ in range(4)))


@dataclass(frozen=True)
class _Task:
    """All that is needed to make any of the runs, anywhere."""

    plan: Plan
    test: tuple[FloatArray, IntArray] | None
    seed: np.random.SeedSequence


class _StoppedError(Exception):
    """Raised inside a run when nobody waits for it any more."""


def _repeat(
    plan: Plan, runs: int, test: tuple[ArrayLike, ArrayLike] | None, rng: RNG, executor: Executor | None
) -> Experiment:
    runs = check_count(runs, "runs", at_least=1)
    task = _Task(plan, _check_test(test, plan.X.shape[1]), _seed(rng))
    shares = np.array_split(np.arange(runs), min(runs, _JOBS))
    table, done = _Measured.empty(runs), np.zeros(runs, np.bool_)

    def fill_in(share: IntArray, part: _Measured) -> None:
        for column in fields(_Measured):
            getattr(table, column.name)[share] = getattr(part, column.name)
        done[share] = True

    if executor is not None:
        _run_shares(task, shares, executor, fill_in, rest=None)
    else:
        stop = threading.Event()
        own = ThreadPoolExecutor(max_workers=os.cpu_count())
        try:
            _run_shares(task, shares, own, fill_in, rest=_stopper(stop))
        finally:
            stop.set()  # after Ctrl-C: lets runs under way give up at their next rest
            own.shutdown(cancel_futures=True)
    columns = {column.name: getattr(table, column.name)[done] for column in fields(_Measured)}
    return Experiment(plan.algorithm, task.seed, not done.all(), np.flatnonzero(done), **columns)


def _run_shares(
    task: _Task,
    shares: list[IntArray],
    executor: Executor,
    fill_in: Callable[[IntArray, _Measured], None],
    rest: Callable[[], None] | None,
) -> None:
    """Have the shares made, and fill them in as they come; on Ctrl-C keep those that came and give up the others."""
    from tqdm import tqdm

    extra = () if rest is None else (rest,)  # what stops a thread cannot travel to another process
    waiting: dict[Future[_Measured], IntArray] = {
        executor.submit(_make_runs, task, share, *extra): share for share in shares
    }
    total = sum(len(share) for share in shares)
    try:
        with tqdm(total=total, unit="run", delay=_QUIET_SECONDS, leave=False) as bar:
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    share = waiting.pop(future)
                    fill_in(share, future.result())
                    bar.update(len(share))
    except KeyboardInterrupt:
        for future in waiting:
            future.cancel()


def _make_runs(task: _Task, share: IntArray, rest: Callable[[], None] = lambda: None) -> _Measured:
    """Make some of the runs, one after the other."""
    plan, part = task.plan, _Measured.empty(len(share))
    for row, k in enumerate(share):
        run = _go(plan, _child(task.seed, int(k)), keep_path=False, rest=rest)
        part.updates[row], part.halted[row] = run.updates, run.halted
        part.train_error[row] = run.mistakes_left / run.N
        part.last_train_error[row] = _rate(run.last_w, plan, plan.X, plan.y)
        if task.test is not None:
            part._test_error[row] = _rate(run.w, plan, *task.test)
            part._last_test_error[row] = _rate(run.last_w, plan, *task.test)
    return part


def _rate(w: FloatArray, plan: Plan, X: FloatArray, y: IntArray) -> float:
    return float(_loops().count_mistakes(w, X, y, plan.sign_of_zero)) / len(y)


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


def _seed(rng: RNG) -> np.random.SeedSequence:
    """The seed of all runs: the int itself, or drawn from the generator that was given."""
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(rng.integers(2**32, size=4).tolist())
    check_rng(rng)
    return np.random.SeedSequence(rng)


def _child(seed: np.random.SeedSequence, k: int) -> np.random.Generator:
    """The k-th child of the seed, as seed.spawn would give it, without making the others."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, k))))


def _stopper(stop: threading.Event) -> Callable[[], None]:
    def rest() -> None:
        if stop.is_set():
            raise _StoppedError

    return rest

"""One algorithm, thousands of runs: how many updates, how many mistakes, on average and in all.

Each run has its own part of one stream of random numbers. So run k does not depend on how many others there are, nor
on the order, thread, process or machine in which they are made; and `experiment.rng(k)` replays it.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

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
from plahelpers.learning import Algorithm, BudgetWarning, Order, Setup, _loops, check_setup

# A batch of runs is one compiled call. At least so many batches, if there are as many runs, and no batch with more runs
# than this: then the progress bar moves, and Ctrl-C loses little.
_BATCHES = 32
_BATCH_RUNS = 64
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
) -> Experiment:
    """Run PLA thousands of times, each with a shuffled cycle (or random picks) of its own.

    The runs share this computer's cores. joblib makes them elsewhere, with the same numbers: on a Dask cluster,
    connect a `dask.distributed.Client`, and call this in a `with` block of `joblib.parallel_config(backend="dask")`.
    Ctrl-C gives back what was done so far, with `partial` set. The other arguments are those of `pla`.
    Built in chapter 2, "How many updates?".

    Parameters
    ----------
    test : pair of arrays, optional
        Examples (X_test, y_test) that no run learns from, for `test_error`.
    """
    setup = check_setup("PLA", X, y, order=order, w0=w0, eta=eta, sign_of_zero=sign_of_zero, max_updates=max_updates)
    experiment = _repeat(setup, runs, test, rng)
    unfinished = int((~experiment.halted).sum())
    if unfinished:
        warnings.warn(
            f"{unfinished:,} of {len(experiment):,} runs spent their budget of {max_updates:,} updates with mistakes "
            "left. That does not show that the data are not separable: separate(X, y) decides that.",
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
) -> Experiment:
    """Run Pocket thousands of times, and measure the pocket and the last w, on these examples and on test ones.

    The arguments are those of `pocket` and `repeat_pla`. Built in chapter 4, "Pocket, two thousand times".
    """
    setup = check_setup("Pocket", X, y, order=order, w0=w0, eta=eta, sign_of_zero=sign_of_zero, max_updates=max_updates)
    return _repeat(setup, runs, test, rng)


@dataclass(frozen=True, eq=False, repr=False)
class Experiment:
    """What many runs did: an array for each quantity, an entry for each run."""

    algorithm: Algorithm
    key: IntArray  # to the random numbers of all runs
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
        """The random numbers of run k, afresh: give it to `pla` or `pocket` as rng= to make that run again."""
        return _generator(self.key, check_count(k, "k") % 2**64)

    def __len__(self) -> int:
        return len(self.run)

    def __repr__(self) -> str:
        runs = f"{_format.count(len(self), 'run')} of {self.algorithm}{' (stopped early)' if self.partial else ''}"
        if not len(self):
            return runs
        text = (
            f"{runs}: {self.updates.mean():,.1f} updates on average ({self.updates.min():,} to {self.updates.max():,})"
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
class _Task:
    """All that is needed to make any of the runs, anywhere."""

    setup: Setup
    test: tuple[FloatArray, IntArray] | None
    key: IntArray

    def __sizeof__(self) -> int:
        """Dask asks, and sends what is large to its workers once, not with each batch."""
        return self.setup.problem.X.nbytes


def _repeat(setup: Setup, runs: int, test: tuple[ArrayLike, ArrayLike] | None, rng: RNG) -> Experiment:
    from joblib import Parallel, cpu_count, delayed
    from joblib.parallel import get_active_backend
    from tqdm import tqdm

    runs = check_count(runs, "runs", at_least=1)
    task = _Task(setup, _check_test(test, setup.problem.X.shape[1]), check_rng(rng).integers(2**63, size=2))
    batches = np.array_split(np.arange(runs), max(min(runs, _BATCHES), -(-runs // _BATCH_RUNS)))
    parts = []
    # As many threads as cores, unless the user has set a number; never one alone, which would not hear Ctrl-C.
    n_jobs = get_active_backend()[1] or max(2, cpu_count())
    parallel = Parallel(n_jobs, prefer="threads", return_as="generator_unordered", batch_size=1)
    try:
        with tqdm(total=runs, unit="run", delay=_QUIET_SECONDS, leave=False) as bar:
            for part in parallel(delayed(_make_runs)(task, batch) for batch in batches):
                parts.append(part)
                bar.update(len(part["run"]))
    except KeyboardInterrupt:
        pass  # the parts so far are the result, marked as partial
    finally:
        setup.problem.stop[0] = True  # for the threads that are still at work
    parts = parts or [_make_runs(task, batches[0][:0])]  # no runs, but all columns
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    rows = np.argsort(columns["run"])
    columns = {name: column[rows] for name, column in columns.items()}
    return Experiment(algorithm=setup.algorithm, key=task.key, partial=len(rows) < runs, **columns)


def _make_runs(task: _Task, runs: IntArray) -> dict[str, NDArray[Any]]:
    """Make these runs in one compiled call, and measure them: the columns of an Experiment."""
    loops, (algorithm, order, problem) = _loops(), task.setup
    if order == "shuffled":
        problem = problem._replace(cycle=np.empty(len(problem.y), np.int64))  # for the cycle of each run in turn
    batch = loops.Batch(
        runs=runs,
        keys=loops.round_keys(task.key),
        shuffled=order == "shuffled",
        last=np.empty((len(runs), len(problem.w0))),
        best=np.empty((len(runs), len(problem.w0))),
        updates=np.empty(len(runs), np.int64),
    )
    make = loops.pla_batch if algorithm == "PLA" and order != "random" else loops.pocket_batch
    make(problem, batch)

    def rates(W: FloatArray, X: FloatArray, y: IntArray) -> FloatArray:
        return np.asarray(loops.count_mistakes(W, X, y, problem.sign_of_zero) / len(y))

    train = last_train = rates(batch.last, problem.X, problem.y)
    test = last_test = np.full(len(runs), np.nan) if task.test is None else rates(batch.last, *task.test)
    if algorithm == "Pocket":  # PLA's answer is its last w
        train = rates(batch.best, problem.X, problem.y)
        test = last_test if task.test is None else rates(batch.best, *task.test)
    return {
        "run": runs,
        "updates": batch.updates,
        "halted": train == 0,
        "train_error": train,
        "last_train_error": last_train,
        "_test_error": test,
        "_last_test_error": last_test,
    }


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


def _generator(key: IntArray, k: int) -> np.random.Generator:
    """For run k its own stretch, 2¹²⁸ draws long, of the stream that the key stands for."""
    return np.random.Generator(np.random.Philox(key=key.astype(np.uint64), counter=np.array([0, 0, k, 0], np.uint64)))

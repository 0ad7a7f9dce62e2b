"""One algorithm, thousands of runs: how many updates, how many mistakes, on average and in all.

The runs are cut into slices of a fixed size, and each slice has a random generator of its own. So run k does not depend
on how many others there are, nor on the thread, process or machine in which it is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from plahelpers import _format, _validation
from plahelpers._validation import RNG, BoolArray, FloatArray, IntArray
from plahelpers.learning import Order, Problem, check_problem, count_mistakes, learn, warn_of_budget

Test: TypeAlias = tuple[ArrayLike, ArrayLike]

SLICE = 32  # runs with one generator
QUIET_SECONDS = 2.0  # work that is done sooner shows no progress bar


def repeat_pla(
    X: ArrayLike,
    y: ArrayLike,
    *,
    runs: int = 2000,
    order: Order = "shuffled",
    max_updates: int = 100_000,
    test: Test | None = None,
    rng: RNG = None,
    **rules: Any,
) -> Experiment:
    """Run PLA thousands of times, each with a shuffled cycle (or random picks) of its own.

    The runs share this computer's cores. joblib makes them elsewhere, with the same numbers: on a Dask cluster,
    connect a `dask.distributed.Client`, and call this in a `with` block of `joblib.parallel_config(backend="dask")`.
    Ctrl-C gives back what was done so far, with `partial` set. Built in chapter 2, "Further: 2000 shuffled cycles".

    Parameters
    ----------
    test : pair of arrays, optional
        Examples (X_test, y_test) that no run learns from, for `test_error`.
    **rules
        The other arguments of `pla`: start, eta, sign_of_zero.
    """
    experiment = _repeat(check_problem("PLA", X, y, order, max_updates, **rules), runs, test, rng)
    if unfinished := np.count_nonzero(experiment.mistakes_left):
        spent = f"{unfinished:,} of {len(experiment):,} runs spent their budget of {max_updates:,} updates"
        warn_of_budget(f"{spent} with mistakes left.")
    return experiment


def repeat_pocket(
    X: ArrayLike,
    y: ArrayLike,
    *,
    runs: int = 2000,
    order: Order = "random",
    max_updates: int = 50,
    test: Test | None = None,
    rng: RNG = None,
    **rules: Any,
) -> Experiment:
    """Run Pocket thousands of times, and measure the pocket and the last w, on these examples and on test ones.

    The arguments are those of `repeat_pla`. Built in chapter 4, "Further: Pocket, two thousand times".
    """
    return _repeat(check_problem("Pocket", X, y, order, max_updates, **rules), runs, test, rng)


@dataclass(frozen=True, eq=False, repr=False)
class Experiment(Problem):
    """What many runs did: an array for each quantity, an entry or a row for each run."""

    test: tuple[FloatArray, IntArray] | None
    partial: bool  # stopped before all runs were made: these are the first ones
    updates: IntArray
    mistakes_left: IntArray
    w: FloatArray  # the answer: PLA's last w, Pocket's pocket
    last_w: FloatArray

    @property
    def halted(self) -> BoolArray:
        """Which runs have no mistakes left?"""
        return np.equal(self.mistakes_left, 0)

    @property
    def train_error(self) -> FloatArray:
        """The error rate of each run's answer."""
        return self.mistakes_left / self.N

    @cached_property
    def last_train_error(self) -> FloatArray:
        """The error rate of each run's last w."""
        return self._rates(self.last_w, (self.X, self.y))

    @cached_property
    def test_error(self) -> FloatArray:
        """The error rate of each run's answer on the test examples."""
        return self._rates(self.w, self.test)

    @cached_property
    def last_test_error(self) -> FloatArray:
        """The error rate of each run's last w on the test examples."""
        return self._rates(self.last_w, self.test)

    def _rates(self, W: FloatArray, examples: tuple[FloatArray, IntArray] | None) -> FloatArray:
        if examples is None:
            raise ValueError("this experiment had no test examples: give test=(X_test, y_test).")
        return count_mistakes(W, *examples, self.sign_of_zero) / len(examples[1])

    def __len__(self) -> int:
        return len(self.updates)

    def __repr__(self) -> str:
        runs = f"{_format.count(len(self), 'run')} of {self.algorithm}{' (stopped early)' if self.partial else ''}"
        if not len(self):
            return runs
        T = self.updates
        text = f"{runs}: {T.mean():,.1f} updates on average ({T.min():,} to {T.max():,})"
        if not self.halted.all():
            text += f", {self.halted.mean():.0%} halted, train error {self.train_error.mean():.3f}"
        if self.test is not None:
            text += f", test error {self.test_error.mean():.3f}"
        return text


def _repeat(problem: Problem, runs: int, test: Test | None, rng: RNG) -> Experiment:
    from joblib import Parallel, cpu_count, delayed
    from joblib.parallel import get_active_backend
    from tqdm import tqdm

    runs = _validation.check_count(runs, "runs", at_least=1)
    tested = None if test is None else _check_test(test, problem.d)
    sizes = [min(SLICE, runs - first) for first in range(0, runs, SLICE)]
    generators = _validation.check_rng(rng).spawn(len(sizes))
    stop = np.zeros(1, np.bool_)
    # As many threads as cores, unless the user has set a number; never one alone, which would not hear Ctrl-C.
    n_jobs = get_active_backend()[1] or max(2, cpu_count())
    parallel = Parallel(n_jobs, prefer="threads", return_as="generator", batch_size=1)
    rows = list[Any]()
    try:
        with tqdm(total=runs, unit="run", delay=QUIET_SECONDS, leave=False) as bar:
            work = zip(generators, sizes, strict=True)
            for some in parallel(delayed(_make_runs)(problem, own, size, stop) for own, size in work):
                rows += some
                bar.update(len(some))
    except KeyboardInterrupt:
        pass  # the runs so far are the result, marked as partial
    finally:
        stop[0] = True  # for the threads that are still at work
    vector = f"({problem.d + 1},)f8"
    table = np.array(rows, [("updates", "i8"), ("mistakes_left", "i8"), ("w", vector), ("last_w", vector)])
    columns: dict[str, Any] = {name: table[name] for name in table.dtype.names or ()}
    return Experiment(**vars(problem), **columns, test=tested, partial=len(rows) < runs)


def _make_runs(problem: Problem, rng: np.random.Generator, runs: int, stop: BoolArray) -> list[Any]:
    """Make so many runs, one after the other, with the random numbers of one generator; a row of the table for each."""
    made = (learn(problem, rng, keep_path=False, stop=stop) for _ in range(runs))
    return [(run.updates, run.mistakes_left, run.w, run.last_w) for run in made]


def _check_test(test: Test, d: int) -> tuple[FloatArray, IntArray]:
    try:
        X_test, y_test = test
    except (TypeError, ValueError):
        raise TypeError("test must be a pair (X_test, y_test).") from None
    points = _validation.check_points(X_test, "X_test", d)
    return points.copy(), _validation.check_labels(y_test, len(points)).copy()

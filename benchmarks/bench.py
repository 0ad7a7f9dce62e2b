"""plahelpers beside its peers, as ratios, and the widgets in milliseconds: python3 run.py bench

Machines are noisy, so a row is a ratio and not a time. It measures both sides in turn, in this one process, several
times over, and prints the median of the ratios. Where both sides can do the very same thing, that is checked first.
The rows of the widgets (see `frames`) do have times, because a person waits for them, on whatever machine it is.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import Perceptron

from benchmarks import frames, grading, textbook
from plahelpers import pla, repeat_pla, repeat_pocket
from plahelpers.datasets import Data, noisy, separable

REPEATS = 7
LONG_ENOUGH = 0.05  # seconds that one side is measured for, at least


class Row(NamedTuple):
    """One line of the table: some work, the peer, and how many times faster (or how many times the limit) it is."""

    work: str
    peer: str
    ratio: float
    goal: float
    at_most: bool = False  # the goal is an upper limit

    def __str__(self) -> str:
        reached = self.ratio <= self.goal if self.at_most else self.ratio >= self.goal
        goal = f"{'at most' if self.at_most else 'at least'} {self.goal:g} ×"
        verdict = "reached" if reached else "NOT REACHED"
        return f"{self.work:<46} {self.peer:<38} {self.ratio:>9.2f} ×   {goal:<15} {verdict}"


def seconds(work: Callable[[], object], times: int = 1) -> float:
    start = perf_counter()
    for _ in range(times):
        work()
    return perf_counter() - start


def side_by_side(ours: Callable[[], object], peer: Callable[[], object], factor: float = 1.0) -> float:
    """How many times as long as we does the peer take? The peer's work may be a part, one `factor`-th, of ours."""
    often = {work: 1 + int(LONG_ENOUGH / (seconds(work) + seconds(work))) for work in (ours, peer)}

    def each(work: Callable[[], object]) -> float:
        return seconds(work, often[work]) / often[work]

    return median(factor * each(peer) / each(ours) for _ in range(REPEATS))


def hard_set() -> Data:
    """400 examples of 4 features, close to the line: some 750 updates."""
    return separable(400, d=4, w_f=[0.1, 1.0, -1.0, 0.5, 0.3], margin=0.004, rng=1)


def easy_set() -> Data:
    """As many examples, some 300 updates: to draw the cycle is a good part of a run."""
    return separable(400, d=4, margin=0.005, rng=3)


def perceptron(X: np.ndarray, y: np.ndarray, passes: int) -> Perceptron:
    """scikit-learn's, told to take PLA's steps and as many passes."""
    return Perceptron(shuffle=False, tol=None, max_iter=passes).fit(X, y)


def one_run() -> Iterator[Row]:
    X, y = hard_set()
    run, (w, updates) = pla(X, y), textbook.pla(Z := textbook.add_bias(X), y, range(400))
    work = f"one PLA run, N = 400, d = 4 ({run.visits:,} visits)"
    assert run.updates == updates
    assert np.allclose(run.w, w)
    ratio = side_by_side(lambda: pla(X, y), lambda: textbook.pla(Z, y, range(400)))
    yield Row(work, "textbook", ratio, goal=100)
    run = pla(X, y, sign_of_zero=0)
    passes = -(-run.visits // 400)
    model = perceptron(X, y, passes)
    assert np.allclose(run.w, [*model.intercept_, *model.coef_[0]])
    ratio = side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: perceptron(X, y, passes))
    yield Row(work, "scikit-learn, same steps", ratio, goal=5)


def many_pla_runs(sample: int = 10) -> Iterator[Row]:
    for name, (X, y), goal in (("that", hard_set(), 200), ("an easy", easy_set(), 300)):
        experiment, Z = repeat_pla(X, y, rng=0), textbook.add_bias(X)
        orders = [experiment.rng(k).permutation(400) for k in range(sample)]

        def by_hand(Z: np.ndarray = Z, y: np.ndarray = y, orders: list[np.ndarray] = orders) -> list[int]:
            return [textbook.pla(Z, y, order)[1] for order in orders]

        assert experiment.updates[:sample].tolist() == by_hand()
        ratio = side_by_side(lambda X=X, y=y: repeat_pla(X, y, rng=0), by_hand, 2000 / sample)
        work = f"2000 shuffled PLA runs on {name} set"
        yield Row(work, f"textbook ({sample} runs, times {2000 // sample})", ratio, goal)


def many_pocket_runs(sample: int = 5) -> Iterator[Row]:
    X, y = noisy(500, d=4, noise=0.1, rng=1)
    X_test, y_test = noisy(500, d=4, noise=0.1, rng=2)
    Z, Z_test = textbook.add_bias(X), textbook.add_bias(X_test)
    experiment = repeat_pocket(X, y, test=(X_test, y_test), rng=0)
    draws = [experiment.rng(k).random(50) for k in range(sample)]

    def by_hand() -> list[float]:
        runs = [textbook.pocket(Z, y, 50, each) for each in draws]
        return [textbook.count_mistakes(w, Z_test, y_test) / 500 for best, last in runs for w in (best, last)]

    errors = by_hand()
    assert experiment.test_error[:sample].tolist() == errors[::2]
    assert experiment.last_test_error[:sample].tolist() == errors[1::2]
    ratio = side_by_side(lambda: repeat_pocket(X, y, test=(X_test, y_test), rng=0), by_hand, 2000 / sample)
    peer = f"textbook ({sample} runs, times {2000 // sample})"
    yield Row("2000 Pocket runs of 50, N = 500, with tests", peer, ratio, goal=200)


def a_million_examples() -> Iterator[Row]:
    X, y = separable(1_000_000, d=20, margin=0.02, rng=1)
    work = "PLA to convergence, N = 10⁶, d = 20"
    run = pla(X, y, sign_of_zero=0)
    passes, w = -(-run.visits // len(X)), run.w[1:]
    model = perceptron(X, y, passes)
    assert np.allclose(run.w, [*model.intercept_, *model.coef_[0]])
    ratio = side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: perceptron(X, y, passes))
    yield Row(work, "scikit-learn, same steps", ratio, goal=1)
    products = run.visits / len(X)
    ratio = 1 / side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: X @ w, products)
    yield Row(work, f"the limit: X @ w, {products:.1f} passes", ratio, goal=5, at_most=True)
    few, labels = separable(1000, d=20, margin=0.005, rng=1)
    share = pla(few, labels, sign_of_zero=0).visits / run.visits
    ratio = side_by_side(lambda: pla(few, labels, sign_of_zero=0), lambda: pla(X, y, sign_of_zero=0), share)
    yield Row("growth: time per visit, N = 10⁶", "N = 10³", ratio, goal=1.5, at_most=True)


def the_import() -> Iterator[Row]:
    def importing(what: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", what], check=True)

    nothing = median(seconds(importing("pass")) for _ in range(REPEATS))  # to start Python costs the same for all
    for what in ("import plahelpers", "from plahelpers import pla, running_example"):
        pairs = [(seconds(importing(what)), seconds(importing("import numpy"))) for _ in range(3 * REPEATS)]
        ratio = median((ours - nothing) / (peer - nothing) for ours, peer in pairs)
        yield Row(what, "import numpy", ratio, goal=1.5, at_most=True)


def main() -> None:
    warnings.simplefilter("ignore")  # scikit-learn warns that it was not told to stop early
    runs = (one_run, many_pla_runs, many_pocket_runs, a_million_examples)
    for group in (*runs, the_import, frames.rows, grading.rows):
        for row in group():
            print(row, flush=True)


if __name__ == "__main__":
    main()

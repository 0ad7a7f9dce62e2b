"""plahelpers beside its peers, as ratios: python3 run.py bench

Machines are noisy, so a row is a ratio and not a time: both sides are measured in turn, in this one process, several
times over, and the median of the ratios is printed. Both sides do the very same thing, and that is checked first.
"""

import warnings
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import Perceptron

from benchmarks import textbook
from plahelpers import Run, pla, repeat_pla, repeat_pocket
from plahelpers.datasets import noisy, separable

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
    return (perf_counter() - start) / times


def side_by_side(ours: Callable[[], object], peer: Callable[[], object], factor: float = 1.0) -> float:
    """How many times as long as we does the peer take? The peer's work may be a part, one `factor`-th, of ours."""
    often = {work: 1 + int(LONG_ENOUGH / (2 * min(seconds(work), seconds(work)))) for work in (ours, peer)}
    return median(factor * seconds(peer, often[peer]) / seconds(ours, often[ours]) for _ in range(REPEATS))


def same_as_scikit_learn(X: np.ndarray, y: np.ndarray) -> tuple[Run, float]:
    """Our run, and how many times as long scikit-learn takes for the same steps, in as many passes."""
    run = pla(X, y, sign_of_zero=0)
    model = Perceptron(shuffle=False, tol=None, max_iter=-(-run.visits // len(X)))
    model.fit(X, y)
    assert np.allclose(run.w, [*model.intercept_, *model.coef_[0]])
    return run, side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: model.fit(X, y))


def pla_runs() -> Iterator[Row]:
    X, y = separable(400, d=4, target=[0.1, 1.0, -1.0, 0.5, 0.3], margin=0.004, rng=1)  # some 750 updates
    Z, run = textbook.add_bias(X), pla(X, y)
    assert run.updates == textbook.pla(Z, y, range(400))[1]
    ratio = side_by_side(lambda: pla(X, y), lambda: textbook.pla(Z, y, range(400)))
    yield Row(f"one PLA run, N = 400, d = 4 ({run.visits:,} visits)", "textbook", ratio, 100)
    yield Row("the same", "scikit-learn, same steps", same_as_scikit_learn(X, y)[1], 5)
    yield shuffled_runs(X, y)


def shuffled_runs(X: np.ndarray, y: np.ndarray, sample: int = 10) -> Row:
    Z, rng = textbook.add_bias(X), np.random.default_rng(0).spawn(1)[0]
    orders = [rng.permutation(len(y)) for _ in range(sample)]

    def by_hand() -> list[int]:
        return [textbook.pla(Z, y, order)[1] for order in orders]

    assert repeat_pla(X, y, rng=0).updates[:sample].tolist() == by_hand()
    ratio = side_by_side(lambda: repeat_pla(X, y, rng=0), by_hand, 2000 / sample)
    return Row("2000 shuffled PLA runs on that set", f"textbook ({sample} runs, times {2000 // sample})", ratio, 200)


def pocket_runs(sample: int = 5) -> Iterator[Row]:
    train, test = (noisy(500, d=4, noise=0.1, rng=seed) for seed in (1, 2))
    Z, Z_test, rng = textbook.add_bias(train.X), textbook.add_bias(test.X), np.random.default_rng(0).spawn(1)[0]
    draws = [rng.random(1024) for _ in range(sample)]  # a block for each run

    def by_hand() -> list[list[float]]:
        runs = [textbook.pocket(Z, train.y, 50, each) for each in draws]
        return [[textbook.count_mistakes(w, Z_test, test.y) / 500 for w in both] for both in runs]

    def ours(runs: int = 2000) -> list[list[float]]:
        experiment = repeat_pocket(*train, runs=runs, test=tuple(test), rng=0)
        return np.column_stack([experiment.test_error, experiment.last_test_error]).tolist()

    assert ours(sample) == by_hand()
    peer = f"textbook ({sample} runs, times {2000 // sample})"
    yield Row("2000 Pocket runs of 50, N = 500, with tests", peer, side_by_side(ours, by_hand, 2000 / sample), 200)


def a_million_examples() -> Iterator[Row]:
    X, y = separable(1_000_000, d=20, margin=0.02, rng=1)
    few = separable(1000, d=20, margin=0.005, rng=1)
    run, ratio = same_as_scikit_learn(X, y)
    yield Row("PLA to convergence, N = 10⁶, d = 20", "scikit-learn, same steps", ratio, 1)
    passes = run.visits / len(X)
    ratio = 1 / side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: X @ run.w[1:], passes)
    yield Row("the same", f"X @ w, {passes:.1f} passes", ratio, 5, at_most=True)
    share = pla(*few, sign_of_zero=0).visits / run.visits
    ratio = side_by_side(lambda: pla(*few, sign_of_zero=0), lambda: pla(X, y, sign_of_zero=0), share)
    yield Row("growth: time per visit, N = 10⁶", "N = 10³", ratio, 1.5, at_most=True)


def main() -> None:
    from benchmarks import grading  # here, because it uses Row

    warnings.simplefilter("ignore")  # scikit-learn warns that it was not told to stop early
    for rows in (pla_runs, pocket_runs, a_million_examples, grading.rows):
        for row in rows():
            print(row, flush=True)


if __name__ == "__main__":
    main()

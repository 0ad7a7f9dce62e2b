"""plahelpers beside its peers, as ratios: python3 run.py bench

Machines are noisy, so nothing here is a time. Each row measures both sides in turn, in this one process, several times
over, and prints the median of the ratios. Where both sides can do the very same thing, that is checked first.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import NamedTuple

import frames
import grading
import numpy as np
import textbook
from mlxtend.classifier import Perceptron as MlxtendPerceptron
from sklearn.linear_model import Perceptron

from plahelpers import pla, repeat_pla, repeat_pocket
from plahelpers.datasets import Data, noisy, separable

REPEATS = 7
LONG_ENOUGH = 0.05  # seconds that one side is measured for, at least


class Row(NamedTuple):
    """One line of the table: some work, the peer, and how many times faster (or how many times the limit) it is."""

    work: str
    peer: str
    ratio: float
    goal: float | None  # to reach; nothing where the figure is for information
    at_most: bool = False  # the goal is an upper limit

    def __str__(self) -> str:
        reached = self.ratio <= (self.goal or 0) if self.at_most else self.ratio >= (self.goal or 0)
        goal = "" if self.goal is None else f"{'at most' if self.at_most else 'at least'} {self.goal:g} ×"
        verdict = "" if self.goal is None else "reached" if reached else "NOT REACHED"
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


def four_hundred() -> Data:
    """400 examples of 4 features, some hundred updates: neither trivial nor hard."""
    return separable(400, d=4, w_f=[0.1, 1.0, -1.0, 0.5, 0.3], margin=0.004, rng=1)


def one_run() -> Iterator[Row]:
    X, y = four_hundred()
    ours, (w, updates) = pla(X, y), textbook.pla(Z := textbook.add_bias(X), y, range(400))
    work = f"one PLA run, N = 400, d = 4 ({ours.visits:,} visits)"
    assert ours.updates == updates
    assert np.allclose(ours.w, w)
    yield Row(work, "textbook", side_by_side(lambda: pla(X, y), lambda: textbook.pla(Z, y, range(400))), 100)
    ours, model = pla(X, y, sign_of_zero=0), sklearn_like(X, y)
    assert np.allclose(ours.w, [*model.intercept_, *model.coef_[0]])
    ratio = side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: sklearn_like(X, y))
    yield Row(work, "scikit-learn, same steps", ratio, 5)
    epochs = -(-ours.visits // 400)
    other = MlxtendPerceptron(eta=1.0, epochs=epochs, random_seed=1)
    ratio = side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: other.fit(X, (y > 0).astype(int)))
    yield Row(work, "mlxtend, as many passes, own shuffles", ratio, None)


def sklearn_like(X: np.ndarray, y: np.ndarray) -> Perceptron:
    """scikit-learn's Perceptron, told to take as many passes as PLA needs."""
    key = (id(X), len(X))
    if key not in _passes:
        _passes[key] = -(-pla(X, y, sign_of_zero=0, keep_path=False).visits // len(X))
    return Perceptron(shuffle=False, tol=None, max_iter=_passes[key]).fit(X, y)


_passes: dict[tuple[int, int], int] = {}


def many_pla_runs(sample: int = 10) -> Iterator[Row]:
    X, y = four_hundred()
    Z = textbook.add_bias(X)
    experiment = repeat_pla(X, y, rng=0)
    orders = [experiment.rng(k).permutation(400) for k in range(sample)]
    by_hand = [textbook.pla(Z, y, order)[1] for order in orders]
    assert experiment.updates[:sample].tolist() == by_hand
    ratio = side_by_side(
        lambda: repeat_pla(X, y, rng=0), lambda: [textbook.pla(Z, y, order) for order in orders], 2000 / sample
    )
    yield Row("2000 shuffled PLA runs on it", f"textbook ({sample} runs, times {2000 // sample})", ratio, 200)


def many_pocket_runs(sample: int = 5) -> Iterator[Row]:
    X, y = noisy(500, d=4, noise=0.1, rng=1)
    X_test, y_test = noisy(500, d=4, noise=0.1, rng=2)
    Z, Z_test = textbook.add_bias(X), textbook.add_bias(X_test)
    experiment = repeat_pocket(X, y, test=(X_test, y_test), rng=0)
    draws = [experiment.rng(k).random(50) for k in range(sample)]
    for pocket in (textbook.pocket, textbook.pocket_with_matrices):

        def by_hand(pocket: Callable = pocket) -> list[float]:
            runs = [pocket(Z, y, 50, each) for each in draws]
            return [textbook.count_mistakes(w, Z_test, y_test) / 500 for best, last in runs for w in (best, last)]

        errors = by_hand()
        assert experiment.test_error[:sample].tolist() == errors[::2]
        assert experiment.last_test_error[:sample].tolist() == errors[1::2]
        ratio = side_by_side(lambda: repeat_pocket(X, y, test=(X_test, y_test), rng=0), by_hand, factor=2000 / sample)
        slow = pocket is textbook.pocket
        peer = f"textbook ({sample} runs, times {2000 // sample})" if slow else "a student who uses X @ w"
        yield Row("2000 Pocket runs of 50, N = 500, with tests", peer, ratio, 200 if slow else None)


def a_million_examples() -> Iterator[Row]:
    X, y = separable(1_000_000, d=20, margin=0.02, rng=1)
    work = "PLA to convergence, N = 10⁶, d = 20"
    ours, model = pla(X, y, sign_of_zero=0), sklearn_like(X, y)
    assert np.allclose(ours.w, [*model.intercept_, *model.coef_[0]])
    ratio = side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: sklearn_like(X, y))
    yield Row(work, "scikit-learn, same steps", ratio, 1)
    passes, w = ours.visits / len(X), ours.w[1:]
    ratio = 1 / side_by_side(lambda: pla(X, y, sign_of_zero=0), lambda: X @ w, passes)
    yield Row(work, f"the limit: X @ w, {passes:.1f} passes", ratio, 5, at_most=True)
    small, labels = separable(1000, d=20, margin=0.005, rng=1)
    few = pla(small, labels, sign_of_zero=0)
    ratio = side_by_side(
        lambda: pla(small, labels, sign_of_zero=0), lambda: pla(X, y, sign_of_zero=0), few.visits / ours.visits
    )
    yield Row("growth: time per visit, N = 10⁶", "N = 10³", ratio, 1.5, at_most=True)


def the_import() -> Iterator[Row]:
    def importing(what: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", what], check=True)

    nothing = median(seconds(importing("pass")) for _ in range(REPEATS))  # to start Python costs the same for all
    for what in ("import plahelpers", "from plahelpers import pla, running_example"):
        pairs = [(seconds(importing(what)), seconds(importing("import numpy"))) for _ in range(3 * REPEATS)]
        ratio = median((ours - nothing) / (peer - nothing) for ours, peer in pairs)
        yield Row(what, "import numpy", ratio, 1.5, at_most=True)


def main() -> None:
    warnings.simplefilter("ignore")  # scikit-learn warns that it was not told to stop early
    for group in (
        one_run,
        many_pla_runs,
        many_pocket_runs,
        a_million_examples,
        the_import,
        frames.rows,
        grading.rows,
    ):
        for row in group():
            print(row, flush=True)


if __name__ == "__main__":
    main()

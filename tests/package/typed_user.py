"""What a program with types may write: the type checker reads this file as it reads the package, nobody runs it."""

import numpy as np

from plahelpers import PocketClassifier, Run, checks, pla, plots, pocket, running_example, separate


def run_both(seed: int) -> tuple[Run, Run]:
    X, y = running_example()
    return pla(X, y, order="shuffled", rng=seed), pocket(X, y, max_updates=50, rng=np.random.default_rng(seed))


def margin_of_the_best() -> float:
    answer = separate(*running_example())
    return answer.rho if answer.rho is not None else 0.0


def judge() -> str:
    plots.steps(run_both(0)[0])
    PocketClassifier(max_updates=20).fit(*running_example())
    return checks.mistakes(lambda w, X, y: np.flatnonzero(y * (X @ w[1:] + w[0]) <= 0)).messages[0]

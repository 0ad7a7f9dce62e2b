"""Functions as learners write them, in their own words and not in those of the bank.

`RIGHT` are right, in styles that the chapters' own solutions do not have. `WRONG` have a mistake (check, id, function)
that no version of the bank makes in just this way.
"""

from itertools import count

import numpy as np

from plahelpers import checks, datasets

SEEDS = count()
DATA = datasets.running_example()  # X and y of the notebook in which the learner works


def bias(X):
    return np.c_[np.ones(len(X)), X]


def sgn(s):
    return 1 if s > 0 else -1


def errors(w, Z, y):
    return int(sum(sgn(w @ z) != t for z, t in zip(Z, y, strict=True)))


def pla_right(X, y):
    """Whole passes until one is clean: (w, updates, picks)."""
    Z = bias(X)
    w, picks = np.zeros(Z.shape[1]), []
    before = -1
    while before < len(picks):
        before = len(picks)
        for n in range(len(Z)):
            if sgn(w @ Z[n]) != y[n]:
                w = w + y[n] * Z[n]
                picks.append(n)
    return w, len(picks), picks


def pla(X, y):
    """As everybody writes it: (w, updates)."""
    return pla_right(X, y)[:2]


def pla_along(X, y, order):
    order = np.asarray(order)
    w, updates, picks = pla_right(X[order], y[order])
    return w, updates, order[picks].tolist()


def pla_shuffled(X, y, seed):
    """A random order: a perfect w, and not this one."""
    order = np.random.default_rng(seed).permutation(len(y))
    return pla(X[order], y[order])


def pla_changes_X(X, y):
    answer = pla(X, y)
    X *= y[:, None]
    return answer


def pocket_of_the_first_mistake(X, y, budget):
    """A list of the mistakes, of which the first is corrected; there may be none."""
    Z = bias(X)
    w = best = np.zeros(Z.shape[1])
    for _ in range(budget):
        wrong = [n for n in range(len(Z)) if sgn(w @ Z[n]) != y[n]]
        w = w + y[wrong[0]] * Z[wrong[0]]
        if errors(w, Z, y) < errors(best, Z, y):
            best = w
    return best, w


RIGHT = [
    ("mistakes", lambda w, X, y: np.where(np.where(bias(X) @ w > 0, 1, -1) != y)),
    ("pla", lambda X, y: [pla(X, y)[0][:, None], float(pla(X, y)[1])]),
    ("pla_with_order", pla_along),
    ("pocket", lambda *case: np.array(checks.pocket.task.right(*case))),
    ("update_bound", lambda X, y, w: max((bias(X) ** 2).sum(1)) * (w @ w) / min(y * (bias(X) @ w)) ** 2),
    ("visit", lambda w, x, y: w + (y - (2 * (w @ np.r_[1, x] > 0) - 1)) / 2 * np.r_[1, x]),
]
WRONG = [
    ("mistakes", "zero_always_wrong", lambda w, X, y: np.flatnonzero(np.sign(bias(X) @ w) != y)),
    ("pla", "not_repeatable", lambda X, y: pla_shuffled(X, y, next(SEEDS))),
    ("pla", "modifies_inputs", pla_changes_X),
    ("pla", "same_answer", lambda *_: pla(np.array(DATA.X), np.array(DATA.y))),
    ("pla", "wrong_order", lambda X, y: pla(X, y)[::-1]),
    ("pocket", "wrong_order", lambda *case: checks.pocket.task.right(*case)[::-1]),
    ("pocket", "restarts", pocket_of_the_first_mistake),
]

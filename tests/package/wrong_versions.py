"""Functions as learners write them, in their own words and not in those of the bank.

`RIGHT` are right, in styles that the chapters' own solutions do not have. `WRONG` have a mistake (check, id, function)
that no version of the bank makes in just this way.
"""

from itertools import count

import numpy as np

from plahelpers import checks, datasets, guarantee

SEEDS = count()
DATA = datasets.running_example()  # X and y of the notebook in which the learner works


def bias(X):
    return np.c_[np.ones(len(X)), X]


def sgn(s):
    return 1 if s > 0 else -1


def errors(w, Z, y):
    return int(sum(sgn(w @ z) != t for z, t in zip(Z, y, strict=True)))


def pla_right(X, y):
    """Epochs until all are right, but not too many for a careful learner: (w, updates, picks)."""
    Z = bias(X)
    w, picks = np.zeros(Z.shape[1]), []
    for _ in range(10_000):
        for n in range(len(Z)):
            if sgn(w @ Z[n]) != y[n]:
                w = w + y[n] * Z[n]
                picks.append(n)
        if errors(w, Z, y) == 0:
            break
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


def pla_until_right(X, y, order):
    Z, w, picks = bias(X), np.zeros(X.shape[1] + 1), []
    while errors(w, Z, y):
        for n in order:
            while sgn(w @ Z[n]) != y[n]:
                w = w + y[n] * Z[n]
                picks.append(n)
    return w, len(picks), picks


def pocket_that_looks_at_its_budget_after_each_epoch(X, y, budget):
    Z, w, best, updates = bias(X), *np.zeros((2, X.shape[1] + 1)), 0
    while updates < budget and errors(w, Z, y):
        for z, label in zip(Z, y, strict=True):
            if sgn(w @ z) != label:
                w, updates = w + label * z, updates + 1
                best = w if errors(w, Z, y) < errors(best, Z, y) else best
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
    ("mistakes", "subtracted_bias", lambda w, X, y: np.flatnonzero(np.where(X @ w[1:] - w[0] > 0, 1, -1) != y)),
    ("mistakes", "right_ones", lambda w, X, y: np.flatnonzero(np.where(bias(X) @ w > 0, 1, -1) == y)),
    ("pla_with_order", "until_right", pla_until_right),
    ("update_bound", "not_the_smallest", lambda X, _, w: guarantee.radius(X) ** 2 * (w @ w) / max(bias(X) @ w) ** 2),
    ("update_bound", "other_powers", lambda *case: 1 / guarantee.update_bound(*case)),
    ("pocket", "counts_epochs", pocket_that_looks_at_its_budget_after_each_epoch),
    ("standardise", "no_axis", lambda *tables: [(table - tables[0].mean()) / tables[0].std() for table in tables]),
    ("visit", "no_bias", lambda w, x, y: w + y * x if sgn(w[0] + w[1:] @ x) != y else w),
    ("visit", "subtracted_bias", lambda w, x, y: w + y * np.r_[1, x] if sgn(w[1:] @ x - w[0]) != y else w),
    ("pla", "not_repeatable", lambda X, y: pla_shuffled(X, y, next(SEEDS))),
    ("pla", "modifies_inputs", pla_changes_X),
    ("pla", "same_answer", lambda *_: pla(np.array(DATA.X), np.array(DATA.y))),
    ("pocket", "wrong_order", lambda *case: checks.pocket.task.right(*case)[::-1]),
    ("pocket", "restarts", pocket_of_the_first_mistake),
]

"""Functions as learners write them, in their own words and not in those of the bank.

`RIGHT[check]` are right, in different styles. `WRONG[check]` has pairs of an id and a function that makes this mistake.
"""

import numpy as np

from plahelpers import datasets, hypothesis

DATA = datasets.running_example()  # X and y of the notebook in which the learner works


def bias(X):
    return np.c_[np.ones(len(X)), X]


def sgn(s):
    return 1 if s > 0 else -1


def errors(w, Z, y):
    return int(sum(sgn(w @ z) != t for z, t in zip(Z, y, strict=True)))


# --- PLA -------------------------------------------------------------------------------------------------------------


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


def pla_shuffled(X, y, seed=3):
    """A random order with a fixed seed: a perfect w, and not this one."""
    order = np.random.default_rng(seed).permutation(len(y))
    return pla(X[order], y[order])


def pla_changes_X(X, y):
    answer = pla(X, y)
    X *= y[:, None]
    return answer


def pla_along(X, y, order):
    order = np.asarray(order)
    w, updates, picks = pla_right(X[order], y[order])
    return w, updates, order[picks].tolist()


# --- Pocket ----------------------------------------------------------------------------------------------------------


def pocket(X, y, budget):
    Z = bias(X)
    w = np.zeros(Z.shape[1])
    best, fewest = w.copy(), errors(w, Z, y)
    spent = n = 0
    while spent < budget and errors(w, Z, y):
        if sgn(w @ Z[n]) != y[n]:
            w += y[n] * Z[n]
            spent += 1
            if errors(w, Z, y) < fewest:
                fewest, best = errors(w, Z, y), w.copy()
        n = (n + 1) % len(Z)
    return best, w


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


# --- Bound, standardising, a visit -----------------------------------------------------------------------------------


def bound(X, y, w, *, R=lambda X: np.linalg.norm(bias(X), axis=1).max(), rho=lambda X, y, w: min(y * (bias(X) @ w))):
    return (R(X) * np.sqrt(w @ w) / rho(X, y, w)) ** 2


def standardise(train, test, is_constant=lambda sd: sd < 1e-9):
    sd = train.std(axis=0)
    sd[is_constant(sd)] = 1
    return (train - train.mean(axis=0)) / sd, (test - train.mean(axis=0)) / sd


def visit(w, x, y):
    return w + y * np.r_[1, x] if sgn(w @ [1, *x]) != y else w


def visit_while(w, x, y):
    while sgn(w @ [1, *x]) != y:
        w = w + y * np.r_[1, x]
    return w


def farthest(X, y):
    """All mistakes, sorted by how far they are: (w, updates)."""
    Z = bias(X)
    w, updates = np.zeros(Z.shape[1]), 0
    while wrong := [n for n in range(len(y)) if sgn(Z[n] @ w) != y[n]]:
        n = max(wrong, key=lambda n: abs(Z[n] @ w))
        w, updates = w + y[n] * Z[n], updates + 1
    return w, updates


RIGHT = {
    "farthest_first": [farthest],
    "mistakes": [hypothesis.mistakes, lambda w, X, y: np.where(np.where(bias(X) @ w > 0, 1, -1) != y)],
    "pla": [pla, lambda X, y: [pla(X, y)[0][:, None], float(pla(X, y)[1])]],
    "pla_with_order": [pla_along],
    "update_bound": [bound, lambda X, y, w: max((bias(X) ** 2).sum(1)) * (w @ w) / min(y * (bias(X) @ w)) ** 2],
    "pocket": [pocket, lambda *case: [*map(list, pocket(*case))]],
    "standardise": [standardise],
    "visit": [visit, lambda w, x, y: w + (y - (2 * (w @ np.r_[1, x] > 0) - 1)) / 2 * np.r_[1, x]],
}

WRONG = {
    "mistakes": [
        ("zero_one_labels", lambda w, X, y: np.flatnonzero((bias(X) @ w > 0) != y)),
        ("zero_always_wrong", lambda w, X, y: np.flatnonzero(np.sign(bias(X) @ w) != y)),
    ],
    "pla": [
        ("another_walk", pla_shuffled),
        ("not_repeatable", lambda X, y: pla_shuffled(X, y, seed=None)),
        ("modifies_inputs", pla_changes_X),
        ("same_answer", lambda *_: pla(np.array(DATA.X), np.array(DATA.y))),
    ],
    "pla_with_order": [
        ("positions", lambda X, y, order: pla_right(X[order], y[order])),
        ("picks_as_points", lambda X, *case: (*pla_along(X, *case)[:2], [X[n] for n in pla_along(X, *case)[2]])),
    ],
    "update_bound": [
        ("not_the_longest", lambda *case: bound(*case, R=lambda X: np.linalg.norm(bias(X)))),
        ("not_the_longest", lambda *case: bound(*case, R=lambda X: np.abs(X).max())),
        ("margin_without_y", lambda *case: bound(*case, rho=lambda X, _, w: min(bias(X) @ w))),
    ],
    "pocket": [
        ("restarts", pocket_of_the_first_mistake),
    ],
    "standardise": [
        ("rounded_deviation", lambda *case: standardise(*case, is_constant=lambda sd: sd == 0)),
    ],
    "visit": [
        ("until_right", visit_while),
        ("other_eta", lambda w, x, y: w + (y - sgn(w @ np.r_[1, x])) * np.r_[1, x]),
    ],
}

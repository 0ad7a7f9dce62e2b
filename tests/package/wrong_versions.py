"""Functions as learners write them, each with one mistake, in their own words and not in those of the bank.

`WRONG[check]` has pairs of the id that the check should name and a function that makes that mistake.
"""

import numpy as np

from plahelpers import datasets

DATA = datasets.running_example()  # X and y of the notebook in which the learner works


def bias(X):
    return np.c_[np.ones(len(X)), X]


def sgn(s):
    return 1 if s > 0 else -1


def errors(w, Z, y):
    return int(sum(sgn(w @ z) != t for z, t in zip(Z, y, strict=True)))


# --- PLA: each returns (w, updates, picks) ---------------------------------------------------------------------------


def pla_right(X, y, *, Z=None, wrong=lambda s, t: sgn(s) != t, step=lambda w, z, t: w + t * z, start=0.0, passes=10**9):
    """Whole passes until one is clean; learners' mistakes are made by what stands in its place."""
    Z = bias(X) if Z is None else Z
    w, picks = np.full(Z.shape[1], start), []
    for _ in range(passes):
        before = len(picks)
        for n in range(len(Z)):
            if wrong(w @ Z[n], y[n]):
                w = step(w, Z[n], y[n])
                picks.append(n)
        if len(picks) == before:
            break
    return w, len(picks), picks


def pla_threshold(X, y):
    """score > threshold: what is learnt as w[0] is the threshold itself."""
    theta, v, picks = 0.0, np.zeros(X.shape[1]), []
    clean = False
    while not clean:
        clean = True
        for n, (x, t) in enumerate(zip(X, y, strict=True)):
            if (1 if v @ x > theta else -1) != t:
                v, theta, clean = v + t * x, theta - t, False
                picks.append(n)
    return [theta, *v], len(picks), picks


def pla_restarts(X, y, sign=sgn):
    Z = bias(X)
    w, picks = np.zeros(Z.shape[1]), []
    while True:
        for n in range(len(Z)):
            if sign(w @ Z[n]) != y[n]:
                w = w + y[n] * Z[n]
                picks.append(n)
                break
        else:
            return w, len(picks), picks


def pla_stays(X, y):
    Z = bias(X)
    w, picks = np.zeros(Z.shape[1]), []
    while errors(w, Z, y):
        for n in range(len(Z)):
            while sgn(w @ Z[n]) != y[n]:
                w = w + y[n] * Z[n]
                picks.append(n)
    return w, len(picks), picks


def pla_every_point(X, y):
    Z = bias(X)
    w, updates = np.zeros(Z.shape[1]), 0
    while errors(w, Z, y):
        for z, t in zip(Z, y, strict=True):
            w, updates = w + t * z, updates + 1
    return w, updates, []


def pla_batch(X, y, labels=lambda s: np.where(s > 0, 1, -1), passes=10**9, unit=1):
    Z = bias(X)
    w, picks = np.zeros(Z.shape[1]), []
    for _ in range(passes):
        wrong = labels(Z @ w) != y
        if not wrong.any():
            break
        w = w + (y[wrong, None] * Z[wrong]).sum(axis=0) / unit
        picks += np.flatnonzero(wrong).tolist()
    return w, len(picks), picks


def pla_n_minus_1(X, y):
    Z = bias(X)
    w, n, clean, picks = np.zeros(Z.shape[1]), 0, 0, []
    while clean < len(Z) - 1:
        clean += 1
        if sgn(w @ Z[n]) != y[n]:
            w, clean = w + y[n] * Z[n], 0
            picks.append(n)
        n = (n + 1) % len(Z)
    return w, len(picks), picks


def pla_with_points(X, y, table):
    w, updates, picks = pla_right(X, y)
    return w, updates, [table[n] for n in picks]


def pla_of_the_notebooks_X(X, y):
    return pla_right(np.array(DATA.X), y)


def pla_of_the_notebooks_y(X, y):
    return pla_right(X, np.array(DATA.y))


def pla_first_right_ends(X, y):
    Z = bias(X)
    w, n, picks = np.zeros(Z.shape[1]), 0, []
    while sgn(w @ Z[n]) != y[n]:
        w = w + y[n] * Z[n]
        picks.append(n)
        n = (n + 1) % len(Z)
    return w, len(picks), picks


def pla_visits(X, y, unit=1):
    visits = []
    w, _, picks = pla_right(X, y, wrong=lambda s, t: visits.append(s) or sgn(s) != t)
    return w, len(visits) // unit, picks


def pla_then(change):
    return lambda X, y: change(*pla_right(X, y))


def pla_remembers(X, y, picks=[]):  # noqa: B006
    picks += pla_right(X, y)[2]
    return pla_right(X, y)[0], len(picks), picks


def pla_changes_X(X, y):
    answer = pla_right(X, y)
    X *= y[:, None]
    return answer


def pull_by_difference(w, z, t):
    return w + (t - int(w @ z > 0)) * z


def pla_along(X, y, order):
    order = np.asarray(order)
    w, updates, picks = pla_right(X[order], y[order])
    return w, updates, order[picks].tolist()


# --- Pocket ----------------------------------------------------------------------------------------------------------


def pocket(X, y, budget, *, better=int.__lt__, copy=True, extra=0, start_errors=None, late=False, count_visits=False):
    Z = bias(X)
    w = np.zeros(Z.shape[1])
    best = w.copy() if copy else w
    fewest = errors(w, Z, y) if start_errors is None else start_errors
    spent = n = 0
    while spent < budget + extra and (now := errors(w, Z, y)):
        wrong = sgn(w @ Z[n]) != y[n]
        if wrong:
            w += y[n] * Z[n]
            now = now if late else errors(w, Z, y)
            if better(now, fewest):
                fewest, best = now, (w.copy() if copy else w)
        spent += wrong or count_visits
        n = (n + 1) % len(Z)
    return best, w


def pocket_greedy(X, y, budget):
    Z = bias(X)
    w, n, tries = np.zeros(Z.shape[1]), 0, 0
    while tries < budget and errors(w, Z, y):
        if sgn(w @ Z[n]) != y[n]:
            candidate = w + y[n] * Z[n]
            tries += 1
            if errors(candidate, Z, y) < errors(w, Z, y):
                w = candidate
        n = (n + 1) % len(Z)
    return w, w


def pocket_empty(X, y, budget):
    """There is nothing in the pocket before the first update."""
    Z, best = bias(X), []
    w = np.zeros(Z.shape[1])
    n = spent = 0
    while spent < budget and errors(w, Z, y):
        if sgn(w @ Z[n]) != y[n]:
            w, spent = w + y[n] * Z[n], spent + 1
            if not best or errors(w, Z, y) < errors(best[-1], Z, y):
                best.append(w)
        n = (n + 1) % len(Z)
    return best[-1] if best else None, w


def pocket_random(X, y, budget, seed=None):
    Z, rng = bias(X), np.random.default_rng(seed)
    w = best = np.zeros(Z.shape[1])
    for _ in range(budget):
        wrong = [n for n in range(len(Z)) if sgn(w @ Z[n]) != y[n]]
        if not wrong:
            break
        n = rng.choice(wrong)
        w = w + y[n] * Z[n]
        if errors(w, Z, y) < errors(best, Z, y):
            best = w
    return best, w


def unspent(_passes, updates, budget, _errors):
    return updates < budget


def pocket_in_passes(X, y, budget, *, another=lambda passes, _, budget, __: passes < budget, leave=lambda *_: False):
    """Pass by pass: another says whether a pass begins, leave whether it ends before its end."""
    Z = bias(X)
    w, passes, updates = np.zeros(Z.shape[1]), 0, 0
    best = w
    while another(passes, updates, budget, errors(w, Z, y)):
        passes += 1
        for z, t in zip(Z, y, strict=True):
            if sgn(w @ z) != t:
                w = w + t * z
                updates += 1
                if errors(w, Z, y) < errors(best, Z, y):
                    best = w
                if leave(updates, budget):
                    break
    return best, w


def pocket_breaks_and_numpy_sign(X, y, budget):
    Z = bias(X)
    w = np.zeros(Z.shape[1])
    best = w
    for _ in range(budget):
        wrong = np.flatnonzero(np.sign(Z @ w) != y)
        if not wrong.size:
            break
        w = w + y[wrong[0]] * Z[wrong[0]]
        if np.sum(np.sign(Z @ w) != y) < np.sum(np.sign(Z @ best) != y):
            best = w
    return best, w


# --- Standardising ---------------------------------------------------------------------------------------------------


def in_units(train, test, unit):
    with np.errstate(all="ignore"):
        return (train - train.mean(axis=0)) / unit, (test - train.mean(axis=0)) / unit


def standardise(train, test):
    return in_units(train, test, np.where(train.std(axis=0) == 0, 1, train.std(axis=0)))


def standardise_all(train, test):
    both = np.r_[train, test]
    z = standardise(both, both)[0]
    return z[: len(train)], z[len(train) :]


def standardise_column_to_zero(train, test):
    varies = train.std(axis=0) > 0
    return tuple(table * varies for table in standardise(train, test))


def predictions(w, X):
    return np.where(bias(X) @ w > 0, 1, -1)


WRONG = {
    "pla": [
        ("no_bias", lambda X, y: pla_right(X, y, Z=X)),
        ("bias_last", lambda X, y: pla_right(X, y, Z=np.c_[X, np.ones(len(X))])),
        ("bias_minus", pla_threshold),
        ("zero_never_wrong", lambda X, y: pla_right(X, y, wrong=lambda s, t: t * s < 0)),
        ("zero_always_wrong", lambda X, y: pla_right(X, y, wrong=lambda s, t: np.sign(s) != t)),
        ("zero_is_plus", lambda X, y: pla_right(X, y, wrong=lambda s, t: (1 if s >= 0 else -1) != t)),
        ("minus_update", lambda X, y: pla_right(X, y, step=lambda w, z, t: w - t * z)),
        ("update_without_y", lambda X, y: pla_right(X, y, step=lambda w, z, _: w + z)),
        ("other_eta", lambda X, y: pla_right(X, y, step=lambda w, z, t: w + 2 * t * z)),
        ("start_not_zero", lambda X, y: pla_right(X, y, start=1.0)),
        ("one_pass", lambda X, y: pla_right(X, y, passes=1)),
        *(("fixed_passes", lambda X, y, k=k: pla_right(X, y, passes=k)) for k in (10, 125, 1000, 10_000)),
        ("restarts", pla_restarts),
        ("stays", pla_stays),
        ("every_point", pla_every_point),
        ("batch", pla_batch),
        ("batch", lambda X, y: pla_batch(X, y, labels=np.sign)),
        ("batch", lambda X, y: pla_batch(X, y, passes=100)),
        ("batch", lambda X, y: pla_batch(X, y, unit=len(y))),
        ("one_too_few_in_a_row", pla_n_minus_1),
        ("first_right_ends", pla_first_right_ends),
        ("counts_visits", pla_visits),
        ("counts_passes", lambda X, y: pla_visits(X, y, unit=len(y))),
        ("count_off_by_one", pla_then(lambda w, updates, picks: (w, updates + 1, picks))),
        ("not_repeatable", lambda X, y: pla_right(X, y, start=np.random.default_rng().normal(size=X.shape[1] + 1))),
        ("not_repeatable", pla_remembers),
        ("modifies_inputs", pla_changes_X),
        ("zero_one_labels", lambda X, y: pla_right(X, y, wrong=lambda s, t: (s > 0) != t, step=pull_by_difference)),
        ("numbers_from_one", pla_then(lambda w, updates, picks: (w, updates, [n + 1 for n in picks]))),
        ("picks_empty", pla_then(lambda w, updates, _: (w, updates, []))),
        ("picks_once", pla_then(lambda w, updates, picks: (w, updates, list(set(picks))))),
        ("picks_sorted", pla_then(lambda w, updates, picks: (w, updates, sorted(picks)))),
        ("picks_backwards", pla_then(lambda w, updates, picks: (w, updates, np.flip(picks)))),
        ("picks_as_points", lambda X, y: pla_with_points(X, y, X)),
        ("picks_as_points", lambda X, y: pla_with_points(X, y, bias(X))),
        ("same_answer", lambda *_: pla_right(np.array(DATA.X), np.array(DATA.y))),
        ("unused_argument", pla_of_the_notebooks_X),
        ("unused_argument", pla_of_the_notebooks_y),
        ("normalised", pla_then(lambda w, *more: (w / np.linalg.norm(w) if w.any() else w, *more))),
        ("restarts_zero_always_wrong", lambda X, y: pla_restarts(X, y, sign=np.sign)),
        ("no_bias", lambda X, y: pla_right(X, y, Z=np.c_[np.zeros(len(X)), X], passes=1000)),  # w₀ never learns
    ],
    "pla_with_order": [
        ("ignores_order", lambda X, y, _: pla_right(X, y)),
        ("backwards", lambda X, y, order: pla_along(X, y, order[::-1])),
    ],
    "pocket": [
        ("returns_last", lambda *case: pocket(*case, copy=False)),
        ("returns_last", lambda *case: (pocket(*case)[1],) * 2),
        ("replaces_on_ties", lambda *case: pocket(*case, better=int.__le__)),
        ("one_update_short", lambda *case: pocket(*case, extra=-1)),
        ("one_update_over", lambda *case: pocket(*case, extra=1)),
        ("start_not_in_pocket", lambda *case: pocket(*case, start_errors=1000)),
        ("start_not_in_pocket", pocket_empty),
        ("ignores_budget", lambda X, y, _: pocket(X, y, 1000)),
        ("ignores_budget", lambda X, y, _: pocket(X, y, 10**9)),
        ("not_repeatable", pocket_random),
        ("swapped", lambda *case: pocket(*case)[::-1]),
        ("greedy", pocket_greedy),
        ("budget_in_visits", lambda *case: pocket(*case, count_visits=True)),
        ("never_stops_early", lambda *case: pocket_in_passes(*case, another=unspent, leave=int.__eq__)),
        ("one_late", lambda *case: pocket(*case, late=True, start_errors=1000)),
        ("budget_after_pass", lambda *case: pocket_in_passes(*case, another=lambda *now: now[3] and unspent(*now))),
        ("budget_in_passes", pocket_in_passes),
        ("break_leaves_inner_loop", lambda *case: pocket_in_passes(*case, leave=int.__eq__)),
        ("restarts_zero_always_wrong", pocket_breaks_and_numpy_sign),
    ],
    "with_bias": [("bias_last", lambda X: np.c_[X, np.ones(len(X))]), ("bias_as_row", lambda X: [[1] * len(X[0]), *X])],
    "sign": [("zero_is_zero", np.sign), ("zero_one_labels", lambda s: s > 0)],
    "is_mistake": [
        ("no_bias", lambda w, x, y: sgn(w[1:] @ x) != y),
        ("zero_always_wrong", lambda w, x, y: bool(y * (w[0] + w[1:] @ x) <= 0)),
        ("zero_never_wrong", lambda w, x, y: int(y * (w[0] + w[1:] @ x) < 0)),
        ("always_true", lambda w, x, y: sgn(w[0] + w[1:] @ x) is not y),
    ],
    "predict": [
        ("zero_is_zero", lambda w, X: np.sign(bias(X) @ w)),
        ("no_bias", lambda w, X: [sgn(w[1:] @ x) for x in X]),
    ],
    "mistakes": [
        ("counts_right", lambda w, X, y: int(sum(predictions(w, X) == y))),
        ("counts_right", lambda w, X, y: np.flatnonzero(predictions(w, X) == y)),
        ("count", lambda w, X, y: np.sum(predictions(w, X) != y)),
        ("zero_always_wrong", lambda w, X, y: np.where(np.sign(bias(X) @ w) != y)),
        ("mask", lambda w, X, y: predictions(w, X) != y),
    ],
    "error_rate": [
        ("accuracy", lambda w, X, y: np.mean(predictions(w, X) == y)),
        ("count", lambda w, X, y: errors(w, bias(X), y)),
    ],
    "update": [
        ("minus_update", lambda w, x, y: w - y * np.r_[1, x]),
        ("bias_without_y", lambda w, x, y: [w[0] + 1, *(w[1:] + y * x)]),
    ],
    "visit": [
        ("always_corrects", lambda w, x, y: w + y * np.r_[1, x]),
        ("other_eta", lambda w, x, y: w + (y - sgn(w @ np.r_[1, x])) * np.r_[1, x]),
        ("zero_always_wrong", lambda w, x, y: w + (y * (w @ np.r_[1, x]) <= 0) * y * np.r_[1, x]),
        ("w0_unchanged", lambda w, x, y: w + (sgn(w @ np.r_[1, x]) != y) * y * np.r_[0, x]),
    ],
    "radius": [
        ("no_bias", lambda X: max(np.hypot.reduce(x) for x in X)),
        ("all_together", lambda X: np.linalg.norm(bias(X))),
        ("columns", lambda X: max(np.linalg.norm(X, axis=0))),
        ("adds_one", lambda X: 1 + max(np.sqrt(x @ x) for x in X)),
    ],
    "margin": [
        ("not_divided", lambda X, y, w: min(y * (bias(X) @ w))),
        ("absolute", lambda X, _, w: min(abs(bias(X) @ w)) / np.linalg.norm(w)),
    ],
    "update_bound": [
        ("not_squared", lambda X, y, w: max(np.linalg.norm(bias(X), axis=1)) * np.sqrt(w @ w) / min(y * (bias(X) @ w))),
        ("rounded", lambda X, y, w: int(max((bias(X) ** 2).sum(1)) * (w @ w) / min(y * (bias(X) @ w)) ** 2)),
    ],
    "standardise": [
        ("tests_own_mean", lambda train, test: tuple(standardise(t, t)[0] for t in (train, test))),
        ("all_data", standardise_all),
        ("constant_column", lambda train, test: in_units(train, test, train.std(axis=0))),
        ("constant_column", lambda a, b: tuple(np.nan_to_num(z) for z in in_units(a, b, a.std(axis=0)))),
        ("ddof_1", lambda train, test: in_units(train, test, train.std(axis=0, ddof=1))),
        ("zeros_in_test", standardise_column_to_zero),
        ("tiny_divisor", lambda train, test: in_units(train, test, train.std(axis=0) + 1e-12)),
        ("not_centred", lambda train, test: (train / np.where(s := train.std(0), s, 1), test / np.where(s, s, 1))),
        ("by_rows", lambda train, test: tuple(standardise(t.T, t.T)[0].T for t in (train, test))),
    ],
}

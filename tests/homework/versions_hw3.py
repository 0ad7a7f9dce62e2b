"""Homework 3 as students write it, right and with one mistake: read by test_checks.py, as wrong_versions.py is."""

import numpy as np

from plahelpers import guarantee, learning
from tests.package.wrong_versions import bias, sgn


def longest(
    X, y, max_updates, *, sign=sgn, step=1.0, longer=lambda run, best: run > best, counted=0, first=False, table=bias
):
    """One visit after the other; at each mistake the run that ends there is compared with the longest one."""
    Z, N = table(X), len(y)
    w, n, run, t = np.zeros(Z.shape[1]), 0, 0, 0
    best = (w, -1, 0)
    while True:
        if sign(w @ Z[n]) == y[n]:
            run += 1
        if run == N or sign(w @ Z[n]) != y[n]:
            if longer(run + counted * (run < N), best[1]):
                best = (w, run + counted * (run < N), t)
            if run == N or t == max_updates:
                return best
            w, run, t = w + step * y[n] * Z[n], 0, t + 1
            n = -1 if first else n
        n = (n + 1) % N


def longest_by_picks(X, y, max_updates):
    """From the examples that the package corrects: how far is it from one to the next?"""
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates + 1)
    runs = ((np.diff(run.picks, prepend=-1) - 1) % len(y)).tolist()
    if run.halted and run.updates <= max_updates:
        runs.append(len(y))
    t = int(np.argmax(runs[: max_updates + 1]))
    return run.weights[t], runs[t], t


def longest_with_lists(X, y, max_updates):
    """Two loops, lists, and a generator of visits."""
    rows = [[1.0, *map(float, x)] for x in X]
    w, t, found = [0.0] * len(rows[0]), 0, []
    run = 0
    while True:
        for row, label in zip(rows, y, strict=True):
            if (sum(a * b for a, b in zip(w, row, strict=True)) > 0) == (label > 0):
                run += 1
                if run == len(rows):
                    found.append((run, -t, w))
                    return _best(found)
                continue
            found.append((run, -t, w))
            if t == max_updates:
                return _best(found)
            w, run, t = [a + int(label) * b for a, b in zip(w, row, strict=True)], 0, t + 1


def _best(found):
    run, minus_t, w = max(found)
    return [w, run, -minus_t]


def longest_in_place(X, y, max_updates):
    """The pocket is w itself."""
    Z = bias(X)
    w = best = np.zeros(Z.shape[1])
    n = run = top = at = t = 0
    while run < len(y):
        if sgn(w @ Z[n]) == y[n]:
            run += 1
            if run > top:
                best, top, at = w, run, t
        elif t == max_updates:
            break
        else:
            w += y[n] * Z[n]
            run, t = 0, t + 1
        n = (n + 1) % len(y)
    return best, top, at


def longest_stops_at_once(X, y, max_updates):
    """The loop ends with the last update."""
    Z = bias(X)
    w = best = np.zeros(Z.shape[1])
    n = run = top = at = t = 0
    while t < max_updates and run < len(y):
        if sgn(w @ Z[n]) == y[n]:
            run += 1
            if run > top:
                best, top, at = w, run, t
        else:
            w, run, t = w + y[n] * Z[n], 0, t + 1
        n = (n + 1) % len(y)
    return best, top, at


def longest_compares_at_mistakes(X, y, max_updates):
    """A fixed number of passes; runs are compared where they end, and the last one does not."""
    Z = bias(X)
    w = best = np.zeros(Z.shape[1])
    top = at = t = run = 0
    for _ in range(200):
        for z, label in zip(Z, y, strict=True):
            if sgn(w @ z) == label:
                run += 1
                continue
            if run > top:
                best, top, at = w, run, t
            if t == max_updates:
                return best, top, at
            w, run, t = w + label * z, 0, t + 1
    return best, top, at


def longest_next(X, y, max_updates):
    """w is corrected, and then looked at."""
    Z = bias(X)
    w = best = np.zeros(Z.shape[1])
    n = run = t = at = 0
    top = -1
    while True:
        if sgn(w @ Z[n]) == y[n]:
            run += 1
            if run == len(y):
                return (w, run, t) if run > top else (best, top, at)
        else:
            old_t = t
            w, t = w + y[n] * Z[n], t + 1
            if run > top:
                best, top, at = w, run, old_t
            run = 0
            if t > max_updates:
                return best, top, at
        n = (n + 1) % len(y)


def longest_in_a_pass(X, y, max_updates):
    """run = 0 stands inside the outer loop."""
    Z = bias(X)
    w = best = np.zeros(Z.shape[1])
    top = at = t = right = 0
    while True:
        run = 0
        for z, label in zip(Z, y, strict=True):
            if sgn(w @ z) == label:
                run, right = run + 1, right + 1
                if run > top:
                    best, top, at = w, run, t
                if right == len(y):
                    return best, top, at
            elif t == max_updates:
                return best, top, at
            else:
                w, run, right, t = w + label * z, 0, 0, t + 1


def first_of(X, y):
    """(t, s) and the picks of the first loop, by comparing every w with all before it."""
    run = learning.pocket(X, y, order="cyclic", max_updates=500)
    for s in range(1, run.updates + 1):
        for t in range(s):
            if np.array_equal(run.weights[t], run.weights[s]):
                return t, s, run.picks[t:s].tolist()
    raise AssertionError


def shares(X, y):
    t, s, picks = first_of(X, y)
    return [picks.count(n) / (s - t) for n in range(len(y))]


def shares_by_hand(X, y):
    """Its own walk, and a list of all w so far."""
    Z = bias(X)
    w, path, picks, n = np.zeros(Z.shape[1]), [], [], 0
    while not any((w == v).all() for v in path):
        path.append(w)
        while sgn(w @ Z[n]) == y[n]:
            n = (n + 1) % len(y)
        w = w + y[n] * Z[n]
        picks.append(n)
        n = (n + 1) % len(y)
    t = next(k for k, v in enumerate(path) if (w == v).all())
    return np.array([picks[t:].count(k) for k in range(len(y))]) / len(picks[t:])


def of_separate(X, y):
    a, found = np.zeros(len(y)), guarantee.separate(X, y).conflict
    a[found.examples] = found.weights
    return a


def all_picks(X, y):
    _, s, _ = first_of(X, y)
    return np.bincount(learning.pocket(X, y, order="cyclic", max_updates=s).picks, minlength=len(y)) / s


RIGHT = {
    "longest_run": [longest, longest_by_picks, longest_with_lists],
    "loop_weights": [shares, shares_by_hand],
}

WRONG = {
    "longest_run": [
        ("zero_is_plus", lambda *case: longest(*case, sign=lambda s: 1 if s >= 0 else -1)),
        ("zero_always_wrong", lambda *case: longest(*case, sign=np.sign)),
        ("no_bias", lambda *case: longest(*case, table=np.array)),
        ("other_eta", lambda *case: longest(*case, step=0.5)),
        ("minus_update", lambda X, y, T: longest(X, y, T, step=-1.0)),
        ("restarts", lambda *case: longest(*case, first=True)),
        ("replaces_on_ties", lambda *case: longest(*case, longer=lambda run, best: run >= best)),
        ("counts_the_mistake", lambda *case: longest(*case, counted=1)),
        ("last_run_forgotten", longest_stops_at_once),
        ("clean_run_forgotten", longest_compares_at_mistakes),
        ("one_late", longest_next),
        ("returns_last", longest_in_place),
        ("resets_each_pass", longest_in_a_pass),
        ("one_update_over", lambda X, y, T: longest(X, y, T + 1)),
        ("t_from_one", lambda *case: [*longest(*case)[:2], longest(*case)[2] + 1]),
    ],
    "average_wins": [
        ("nothing_returned", lambda: None),
        ("not_a_pair", lambda: np.zeros((3, 2))),
        ("with_bias", lambda: ([[1, -3, 1], [1, -2, 2]], [-1, 1])),
        ("wrong_shape", lambda: ([[1], [2]], [-1, 1])),
        ("too_many", lambda: (np.arange(14.0).reshape(7, 2), [1, -1] * 3 + [1])),
        ("wrong_labels", lambda: ([[-3, 1], [-2, 2]], [0, 1])),
        ("swapped", lambda: ([-1, 1], [[-3, 1], [-2, 2]])),
        ("one_label", lambda: ([[-3, 1], [-2, 2]], [1, 1])),
        ("pocket_is_perfect", lambda: ([[1, 0], [-1, 0]], [1, -1])),
        ("pocket_wins", lambda: ([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1])),
        ("only_last", lambda: ([[2, 1], [0, -1], [-1, -2]], [1, -1, 1])),
    ],
    "loop_weights": [
        ("counts", lambda X, y: np.bincount(first_of(X, y)[2], minlength=len(y))),
        ("signed", lambda X, y: y * shares(X, y)),
        ("from_the_start", all_picks),
        ("by_examples", lambda X, y: np.bincount(first_of(X, y)[2], minlength=len(y)) / len(y)),
        ("each_once", lambda X, y: [(n in first_of(X, y)[2]) / len(set(first_of(X, y)[2])) for n in range(len(y))]),
        ("of_separate", of_separate),
    ],
}

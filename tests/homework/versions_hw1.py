"""Functions as students write them for homework 1: `RIGHT[check]` are right, `WRONG[check]` make the mistake named."""

import numpy as np

from plahelpers import learning


def bias(X):
    return np.c_[np.ones(len(X)), X]


def sgn(s):
    return 1 if s > 0 else -1


# --- PLA that turns round --------------------------------------------------------------------------------------------


def turning(
    X, y, *, Z=None, wrong=lambda s, t: sgn(s) != t, eta=1.0, direction=1, after=None, enough=None, limit=10**6
):
    """As in the homework; what is exchanged makes a student's mistake."""
    Z = bias(X) if Z is None else Z
    N = len(Z)
    w, picks, n, right, visits = np.zeros(Z.shape[1]), [], 0, 0, 0
    while right < (N if enough is None else enough) and visits < limit:
        visits += 1
        if wrong(w @ Z[n], y[n]):
            w = w + eta * y[n] * Z[n]
            picks.append(n)
            right = 0
            direction = -direction
            if after:
                n, direction = after(n, direction, N)
                continue
        else:
            right += 1
        n = (n + direction) % N
    return w, len(picks), picks


def turning_with_a_scan(X, y):
    """Looks for the next mistake from where it stands, and ends when a whole round has none."""
    N, w, picks, n, up = len(X), np.zeros(X.shape[1] + 1), [], 0, True
    while True:
        round_trip = [(n + k if up else n - k) % N for k in range(N)]
        found = next((m for m in round_trip if sgn(w[0] + X[m] @ w[1:]) != y[m]), None)
        if found is None:
            return w.tolist(), len(picks), np.array(picks, dtype=int)
        w[0], w[1:] = w[0] + y[found], w[1:] + y[found] * X[found]
        picks.append(found)
        up = not up
        n = found + 1 if up else found - 1


def turning_with_lists(X, y):
    """Plain Python, no array anywhere."""
    rows, labels = [[1.0, *map(float, x)] for x in X], [int(t) for t in y]
    w, picks, n, step, clean = [0.0] * len(rows[0]), [], 0, 1, 0
    while clean != len(rows):
        score = sum(a * b for a, b in zip(w, rows[n], strict=True))
        clean += 1
        if (score > 0) != (labels[n] > 0):
            w = [a + labels[n] * b for a, b in zip(w, rows[n], strict=True)]
            picks, clean, step = [*picks, n], 0, -step
        n += step
        n = 0 if n == len(rows) else len(rows) - 1 if n < 0 else n
    return tuple(w), len(picks), tuple(picks)


def counting_visits(X, y):
    seen = []
    w, _, picks = turning(X, y, wrong=lambda s, t: seen.append(s) or sgn(s) != t)
    return w, len(seen), picks


def right_in_all(X, y):
    """`right` is never set back to 0."""
    Z, N = bias(X), len(X)
    w, picks, n, right, d = np.zeros(Z.shape[1]), [], 0, 0, 1
    while right < N:
        if sgn(w @ Z[n]) != y[n]:
            w, d = w + y[n] * Z[n], -d
            picks.append(n)
        else:
            right += 1
        n = (n + d) % N
    return w, len(picks), picks


def then(change):
    return lambda X, y: change(*turning(X, y))


TURNING = [
    ("no_bias", lambda X, y: turning(X, y, Z=np.array(X), limit=2000)),
    ("bias_last", lambda X, y: turning(X, y, Z=np.c_[X, np.ones(len(X))])),
    ("zero_never_wrong", lambda X, y: turning(X, y, wrong=lambda s, t: t * s < 0)),
    ("zero_is_plus", lambda X, y: turning(X, y, wrong=lambda s, t: (1 if s >= 0 else -1) != t)),
    ("zero_always_wrong", lambda X, y: turning(X, y, wrong=lambda s, t: np.sign(s) != t)),
    ("other_eta", lambda X, y: turning(X, y, eta=0.5)),
    ("never_turns", lambda X, y: turning(X, y, after=lambda n, _d, N: ((n + 1) % N, 1))),
    ("turns_once", lambda X, y: turning(X, y, after=lambda n, _d, N: ((n - 1) % N, -1))),
    ("turns_late", lambda X, y: turning(X, y, after=lambda n, d, N: ((n - d) % N, d))),
    ("stays", lambda X, y: turning(X, y, after=lambda n, d, _N: (n, d))),
    ("restarts", lambda X, y: turning(X, y, after=lambda _n, _d, _N: (0, 1))),
    ("downwards", lambda X, y: turning(X, y, direction=-1)),
    ("one_too_few_in_a_row", lambda X, y: turning(X, y, enough=len(X) - 1)),
    ("not_in_a_row", right_in_all),
    ("first_right_ends", lambda X, y: turning(X, y, enough=1)),
    ("one_pass", lambda X, y: turning(X, y, limit=len(X))),
    ("fixed_passes", lambda X, y: turning(X, y, limit=125 * len(X))),
    ("fixed_passes", lambda X, y: turning(X, y, limit=1000 * len(X))),
    ("fixed_passes", lambda X, y: turning(X, y, limit=10_000)),
    ("counts_visits", counting_visits),
    ("count_off_by_one", then(lambda w, T, picks: (w, T + 1, picks))),
    ("numbers_from_one", then(lambda w, T, picks: (w, T, [n + 1 for n in picks]))),
    ("picks_empty", then(lambda w, T, _picks: (w, T, []))),
    ("picks_reordered", then(lambda w, T, picks: (w, T, sorted(set(picks))))),
    ("picks_reordered", then(lambda w, T, picks: (w, T, np.sort(picks)))),
    ("picks_reordered", then(lambda w, T, picks: (w, T, picks[::-1]))),
]


# --- w from counts ---------------------------------------------------------------------------------------------------


def weights_in_a_loop(X, y, counts):
    w = np.zeros(X.shape[1] + 1)
    for n in range(len(X)):
        for _ in range(counts[n]):
            w = w + y[n] * np.array([1, *X[n]])
    return w


WEIGHTS = [
    ("update_without_y", lambda X, _y, counts: counts @ bias(X)),
    ("no_bias", lambda X, y, counts: (counts * y) @ X),
    ("bias_without_y", lambda X, y, counts: [counts.sum(), *((counts * y) @ X)]),
    ("once_each", lambda X, y, counts: y[counts > 0] @ bias(X)[counts > 0]),
    ("ignores_counts", lambda X, y, _counts: y @ bias(X)),
    ("mean_correction", lambda X, y, counts: (counts * y) @ bias(X) / max(counts.sum(), 1)),
]


# --- How often each example is corrected -----------------------------------------------------------------------------


def often(X, y, cycles, *, count=lambda X, y, cycle: learning.pla(X, y, order=cycle).picks.tolist()):
    total, ever = np.zeros(len(X)), np.zeros(len(X))
    for cycle in cycles:
        picks = count(X, y, cycle)
        for n in picks:
            total[n] += 1
        for n in set(picks):
            ever[n] += 1
    return total / len(cycles), ever / len(cycles)


def often_by_bincount(X, y, cycles):
    counts = np.array([np.bincount(learning.pla(X, y, order=c).picks, minlength=len(y)) for c in cycles])
    return np.array([counts.mean(axis=0), np.mean(counts > 0, axis=0)])


def then_often(change):
    return lambda X, y, cycles: change(*often(X, y, cycles), len(cycles))


OFTEN = [
    ("positions", lambda *case: often(*case, count=lambda X, y, c: learning.pla(X[c], y[c]).picks.tolist())),
    ("ignores_order", lambda *case: often(*case, count=lambda X, y, _c: learning.pla(X, y).picks.tolist())),
    ("exchanged", then_often(lambda mean, share, _: (share, mean))),
    ("totals", then_often(lambda mean, share, runs: (mean * runs, share * runs))),
    ("total_and_share", then_often(lambda mean, share, runs: (mean * runs, share))),
    ("share_of_corrections", then_often(lambda mean, _share, _: (mean, mean / mean.sum()))),
    ("first_run_only", lambda X, y, cycles: often(X, y, cycles[:1])),
    ("last_run_only", lambda X, y, cycles: often(X, y, cycles[-1:])),
    ("all_or_nothing", then_often(lambda mean, share, _: (mean, share > 0))),
]


# --- A half step that is faster --------------------------------------------------------------------------------------

STEPS = [
    ("nothing_returned", lambda: print([[6, 0], [7, 0]])),
    ("not_a_pair", lambda: ([[6, 0], [7, 0]], [-1, 1], [-13, 5, 0])),
    ("swapped", lambda: ([-1, 1], [[6, 0], [7, 0]])),
    ("wrong_shape", lambda: ([[6], [7]], [-1, 1])),
    ("with_bias", lambda: ([[1, 6, 0], [1, 7, 0]], [-1, 1])),
    ("wrong_labels", lambda: ([[6, 0], [7, 0]], [0, 1])),
    ("no_table", lambda: ([1, 2, 3], [1, 1, 1])),
    ("no_table", lambda: (np.array([[np.nan, 1.0]]), [1])),
    ("half_step", lambda: ([[20, 0], [30, 0]], [-1, 1])),
    ("half_step", lambda: ([[6, 0], [7, 0]], [1, 1])),
    ("too_short", lambda: ([[3, 0], [4, 0]], [-1, 1])),
    ("too_many", lambda: ([[6, 0], [7, 0]] * 4, [-1, 1] * 4)),
]

RIGHT = {
    "turning_pla": [turning, turning_with_a_scan, turning_with_lists],
    "weights_from_counts": [lambda X, y, counts: (counts * y) @ bias(X), weights_in_a_loop],
    "how_often": [often, often_by_bincount],
}
WRONG = {"turning_pla": TURNING, "weights_from_counts": WEIGHTS, "how_often": OFTEN, "smaller_step": STEPS}

"""Functions as students write them for homework 2: `RIGHT[check]` are right, `WRONG[check]` make the mistake named."""

import numpy as np

from plahelpers import guarantee


def bias(X):
    return np.c_[np.ones(len(X)), X]


# --- Enclose ---------------------------------------------------------------------------------------------------------


def enclose_by_loop(X, y, weights):
    high = float("inf")
    for t, w in enumerate(weights):
        if t:
            high = min(high, np.sqrt(w @ w) / t)
    return [min(t * (weights[-1] @ [1, *x]) for x, t in zip(X, y, strict=True)) / np.sqrt(w @ w), high]


def margins(X, w):
    return bias(X) @ w / np.linalg.norm(w)


def margin_of_last(X, y, weights):
    return guarantee.margin(X, y, weights[-1])


def enclose_with(low=margin_of_last, high=min, quotient=lambda t, w: np.linalg.norm(w) / t):
    """Mistakes are made by what stands in the place of its parts."""
    return lambda X, y, weights: (
        low(X, y, weights),
        high([quotient(t, w) for t, w in enumerate(weights) if t > 0]),
    )


def enclose_from_zero(X, y, weights):
    with np.errstate(all="ignore"):
        high = (np.linalg.norm(weights, axis=1) / np.arange(len(weights))).min()
    return margin_of_last(X, y, weights), high


# --- Losses ----------------------------------------------------------------------------------------------------------


def losses_by_loop(X, y, weights, picks, *, later=0, factor=-2, longest=lambda X, _picks: guarantee.radius(X) ** 2):
    short, gross = [], []
    for t, n in enumerate(picks):
        x = np.r_[1, X[n]]
        short.append(longest(X, picks) - x @ x)
        gross.append(factor * y[n] * (weights[t + later] @ x))
    return short, gross


def losses_with(**parts):
    return lambda *case: losses_by_loop(*case, **parts)


def losses_of_all(X, y, weights, picks):
    squares = (bias(X) ** 2).sum(axis=1)
    return squares.max() - squares, losses_by_loop(X, y, weights, picks)[1]


# --- Careful PLA -----------------------------------------------------------------------------------------------------


def careful_in_passes(X, y, b, *, small=lambda m, b: m <= b, rows=bias, step=1.0, passes=10**9):
    """Whole passes until one is clean; mistakes are made by what stands in its place."""
    Z = rows(X)
    w, updates = np.zeros(Z.shape[1]), 0
    for _ in range(passes):
        before = updates
        for z, t in zip(Z, y, strict=True):
            if small(t * (w @ z), b):
                w, updates = w + step * t * z, updates + 1
        if updates == before:
            break
    return w, updates


def careful_with(**parts):
    return lambda X, y, b: careful_in_passes(X, y, b, **parts)


def careful_until_right(X, y, b):
    w, updates = np.zeros(X.shape[1] + 1), 0
    while (np.where(bias(X) @ w > 0, 1, -1) != y).any():
        for z, t in zip(bias(X), y, strict=True):
            if t * (w @ z) <= b:
                w, updates = w + t * z, updates + 1
    return w, updates


def careful_restarts(X, y, b):
    w, updates = np.zeros(X.shape[1] + 1), 0
    while True:
        small = [n for n, z in enumerate(bias(X)) if y[n] * (w @ z) <= b]
        if not small:
            return w, updates
        w, updates = w + y[small[0]] * bias(X)[small[0]], updates + 1


def careful_stays(X, y, b):
    w, updates = np.zeros(X.shape[1] + 1), 0
    while (y * (bias(X) @ w) <= b).any():
        for z, t in zip(bias(X), y, strict=True):
            while t * (w @ z) <= b:
                w, updates = w + t * z, updates + 1
    return w, updates


# --- Two orders ------------------------------------------------------------------------------------------------------


def hero_first(M=10, hero=None):
    """M is positive, M + 1 negative; the threshold of the first one's correction is between them."""
    x = -1 / (M + 0.5) if hero is None else hero
    return np.array([[x, 0.0], [M, 0.0], [M + 1, 0.0]]), np.array([1, 1, -1])


def turned_round():
    X, y = hero_first()
    return X[::-1], y[::-1]


RIGHT = {
    "enclose": [enclose_by_loop, enclose_with(), lambda *case: np.array(enclose_by_loop(*case))],
    "losses": [losses_by_loop, lambda *case: np.array(losses_by_loop(*case))],
    "careful_pla": [careful_in_passes, lambda *case: [*careful_in_passes(*case)]],
    "back": [
        lambda v, mean, std: [v[0] - sum(v[1:] * mean / std), *(v[1:] / std)],
        lambda v, mean, std: np.r_[v[0], 0 * std] + np.r_[-(mean / std) @ v[1:], v[1:] / std],
    ],
}

WRONG = {
    "enclose": [
        ("last_only", enclose_with(high=lambda quotients: quotients[-1])),
        ("longest", enclose_with(high=max)),
        ("with_the_start", enclose_from_zero),
        ("counts_from_two", enclose_with(quotient=lambda t, w: np.linalg.norm(w) / (t + 1))),
        ("squared", enclose_with(quotient=lambda t, w: w @ w / t)),
        ("high_without_bias", enclose_with(quotient=lambda t, w: np.linalg.norm(w[1:]) / t)),
        ("swapped", lambda *case: enclose_by_loop(*case)[::-1]),
        ("not_divided", enclose_with(low=lambda X, y, weights: min(y * (bias(X) @ weights[-1])))),
        ("absolute", enclose_with(low=lambda X, _y, weights: np.abs(margins(X, weights[-1])).min())),
        ("without_y", enclose_with(low=lambda X, y, weights: margin_of_last(X, np.ones_like(y), weights))),
        (
            "no_bias",
            enclose_with(low=lambda X, y, weights: min(y * (X @ weights[-1][1:])) / np.linalg.norm(weights[-1])),
        ),
    ],
    "losses": [
        ("after", losses_with(later=1)),
        ("half", losses_with(factor=-1)),
        ("flipped", losses_with(factor=2)),
        ("longest_corrected", losses_with(longest=lambda X, picks: guarantee.radius(X[picks]) ** 2)),
        ("half_squared", losses_with(longest=lambda X, _picks: guarantee.radius(X))),
        ("swapped", lambda *case: losses_by_loop(*case)[::-1]),
        ("without_y", lambda X, y, weights, picks: losses_by_loop(X, np.ones_like(y), weights, picks)),
        ("each_example", losses_of_all),
    ],
    "careful_pla": [
        ("strict", careful_with(small=lambda m, b: m < b)),
        ("ignores_b", careful_with(small=lambda m, _b: m <= 0)),
        ("absolute", careful_with(small=lambda m, b: abs(m) <= b)),
        ("until_right", careful_until_right),
        ("restarts", careful_restarts),
        ("stays", careful_stays),
        ("one_pass", careful_with(passes=1)),
        ("fixed_passes", careful_with(passes=1000)),
        ("other_eta", careful_with(step=0.5)),
        ("bias_last", careful_with(rows=lambda X: np.c_[X, np.ones(len(X))])),
        ("count_off_by_one", lambda *case: (careful_in_passes(*case)[0], careful_in_passes(*case)[1] + 1)),
    ],
    "two_orders": [
        ("not_separable", lambda: ([[0, 0], [1, 1], [2, 2]], [1, -1, 1])),
        ("other_way_round", turned_round),
        ("neither", lambda: ([[3, 3], [1, 1]], [1, -1])),
        ("slow", lambda: hero_first(hero=1.0)),
        ("quick", lambda: ([[1, 0], [-1, 0]], [1, -1])),
        ("quick", lambda: ([[0, 5], [5, -1], [5, 0]], [1, -1, 1])),  # printed in Exercise 2.3: 53 updates
        ("too_many", lambda: (np.ones((201, 2)), np.ones(201))),
        ("with_bias", lambda: ([[1, 2, 3], [1, -2, 3]], [1, -1])),
        ("nothing_returned", lambda: None),
    ],
    "back": [
        ("constant_kept", lambda v, _mean, std: [v[0], *(v[1:] / std)]),
        ("constant_added", lambda v, mean, std: [v[0] + mean / std @ v[1:], *(v[1:] / std)]),
        ("mean_not_divided", lambda v, mean, std: [v[0] - mean @ v[1:], *(v[1:] / std)]),
        ("other_direction", lambda v, mean, std: [v[0] + mean @ v[1:], *(v[1:] * std)]),
        ("multiplied", lambda v, mean, std: [v[0] - mean / std @ v[1:], *(v[1:] * std)]),
        ("as_an_example", lambda v, mean, std: np.r_[v[0], (v[1:] - mean) / std]),
        ("without_constant", lambda v, _mean, std: v[1:] / std),
    ],
}

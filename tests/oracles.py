"""The same things written again, slowly and from the definitions, to hold the package against."""

from fractions import Fraction
from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import linprog


def textbook_pla(X, y, order, sign_of_zero=-1, start=None, eta=1.0, max_updates=10_000):
    """PLA as in the lecture, in plain lists: visit in order, go on from the next example after an update."""
    w = [0.0] * (len(X[0]) + 1) if start is None else [float(entry) for entry in start]
    picks, path, clean, at = [], [list(w)], 0, 0
    while clean < len(order):
        n = order[at % len(order)]
        at += 1
        if textbook_sign(w, X[n], sign_of_zero) == y[n]:
            clean += 1
        elif len(picks) == max_updates:
            return picks, path, False
        else:
            w = [a + eta * y[n] * b for a, b in zip(w, [1.0, *X[n]], strict=True)]
            picks, path, clean = [*picks, n], [*path, w], 0
    return picks, path, True


def textbook_sign(w, x, sign_of_zero):
    s = w[0]
    for a, b in zip(w[1:], x, strict=True):
        s = s + a * b
    return sign_of_zero if s == 0 else 1 if s > 0 else -1


def textbook_mistakes(w, X, y, sign_of_zero=-1):
    return [n for n in range(len(y)) if textbook_sign(w, X[n], sign_of_zero) != y[n]]


def separable_by_lp(X, y):
    """Is there a w with y wᵀx ≥ 1 for all? Asked of a linear-programming solver."""
    Z = np.asarray(y)[:, None] * np.column_stack([np.ones(len(X)), X])
    return linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None)).status == 0


def separable_exactly(X, y):
    """Is no set of at most d + 2 examples in conflict? By Carathéodory's theorem that decides it."""
    sets = (S for size in range(1, X.shape[1] + 3) for S in combinations(range(len(y)), size))
    return not any(adds_up_to_nothing(X, y, S) for S in sets)


def fewest_mistakes_by_brute_force(X, y):
    """The least number of examples whose removal leaves the rest separable: tried for all sets, smallest first."""
    N = len(y)
    for wrong in range(N + 1):
        for left_out in combinations(range(N), wrong):
            rest = [n for n in range(N) if n not in left_out]
            if not rest or separable_by_lp(np.asarray(X)[rest], np.asarray(y)[rest]):
                return wrong
    raise AssertionError("leaving out all examples always works")


def adds_up_to_nothing(X, y, examples):
    """Are there a ≥ 0, Σa = 1, with Σ a y x = 0 on just these examples? Solved with fractions, by Cramer's rule."""
    Z = [[Fraction(int(y[n])) * Fraction(float(v)) for v in [1.0, *X[n]]] + [Fraction(1)] for n in examples]
    target = [Fraction(0)] * (len(Z[0]) - 1) + [Fraction(1)]
    for rows in combinations(range(len(target)), len(Z)):
        A = [[column[i] for column in Z] for i in rows]
        det = _determinant(A)
        if det == 0:
            continue
        a = [
            _determinant([[target[i] if k == j else A[r][k] for k in range(len(Z))] for r, i in enumerate(rows)]) / det
            for j in range(len(Z))
        ]
        return min(a) >= 0 and all(sum(p * q[i] for p, q in zip(a, Z, strict=True)) == t for i, t in enumerate(target))
    return False


def _determinant(A):
    if not A:
        return Fraction(1)
    return sum(
        (-1) ** j * A[0][j] * _determinant([row[:j] + row[j + 1 :] for row in A[1:]]) for j in range(len(A)) if A[0][j]
    )


# --- examples for property tests -------------------------------------------------------------------------------------

small_integers = st.integers(-5, 5)


@st.composite
def any_data(draw, max_N=10, max_d=3, min_d=0):
    """A few points with small whole coordinates (so that floats are exact, and lines and duplicates are common)."""
    N, d = draw(st.integers(1, max_N)), draw(st.integers(min_d, max_d))
    X = draw(st.lists(st.lists(small_integers, min_size=d, max_size=d), min_size=N, max_size=N))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=N, max_size=N))
    return np.array(X, dtype=float).reshape(N, d), np.array(y)


@st.composite
def separable_data(draw, max_N=10, max_d=3):
    """The same, labelled by a whole-numbered w_f; points on its line are left out. Gives X, y and w_f."""
    d = draw(st.integers(1, max_d))
    w_f = np.array(draw(st.lists(small_integers, min_size=d + 1, max_size=d + 1).filter(any)), dtype=float)
    points = draw(st.lists(st.lists(small_integers, min_size=d, max_size=d), min_size=1, max_size=max_N))
    X = np.array(points, dtype=float).reshape(-1, d)
    scores = w_f[0] + X @ w_f[1:]
    X, scores = X[scores != 0], scores[scores != 0]
    if len(X) == 0:
        X, scores = np.zeros((1, d)), np.array([w_f[0]])
        if w_f[0] == 0:
            w_f, scores = w_f + np.eye(d + 1)[0], np.array([1.0])
    return X, np.where(scores > 0, 1, -1), w_f


orders = st.sampled_from(["cyclic", "shuffled", "random"])
signs_of_zero = st.sampled_from([-1, 0, 1])
seeds = st.integers(0, 2**32 - 1)

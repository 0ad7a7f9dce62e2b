"""PLA and Pocket the way a student writes them on the first evening: NumPy, one point at a time."""

import numpy as np


def sign(s):
    return 1 if s > 0 else -1


def add_bias(X):
    return np.hstack([np.ones((len(X), 1)), X])


def pla(X, y, order):
    """Go round the examples in the given order, correct each mistake, stop after a round without any."""
    w = np.zeros(X.shape[1])
    updates = clean = 0
    while True:
        for n in order:
            if sign(np.dot(w, X[n])) != y[n]:
                w = w + y[n] * X[n]
                updates += 1
                clean = 0
            else:
                clean += 1
            if clean == len(order):
                return w, updates


def count_mistakes(w, X, y):
    return sum(sign(np.dot(w, X[n])) != y[n] for n in range(len(y)))


def pocket(X, y, max_updates, draws):
    """Correct a random mistake each time, keep the best w; draws are numbers in [0, 1) that choose the mistakes."""
    w = np.zeros(X.shape[1])
    best, fewest = w, count_mistakes(w, X, y)
    for t in range(max_updates):
        wrong = [n for n in range(len(y)) if sign(np.dot(w, X[n])) != y[n]]
        if not wrong:
            break
        n = wrong[int(draws[t] * len(wrong))]
        w = w + y[n] * X[n]
        errors = count_mistakes(w, X, y)
        if errors < fewest:
            best, fewest = w, errors
    return best, w

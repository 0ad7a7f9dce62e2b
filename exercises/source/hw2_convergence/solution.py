"""Homework 2, for the teacher: right functions, known mistakes, the numbers of an id. Nothing of this is handed out."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.linalg import norm

from exercises.source.hw2_convergence import hw2_data as data
from plahelpers import datasets, guarantee, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import Given, Known, Report, choice, number, numbers
from plahelpers.checks.cases import examples, fresh_separable, whole_numbers
from plahelpers.checks.judge import exercise
from plahelpers.checks.sections import GROWTH, SCALING, WHICH, WORDS
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Rng, Version
from plahelpers.checks.variants import corrections, mistakes_in_walk, plus_x
from plahelpers.hypothesis import scores, with_bias

SEED: Final = 20250902  # of the unseen cases, the same for all students; take another one each year
UNSEEN: Final = 10  # of each function
DECIMALS: Final = {"enclosed": 4, "lost": 3, "alpha_limit": 2, "rho_careful": 3, "after": 3}
B: Final = 3000.0  # of careful PLA on one's own data

Pair: TypeAlias = tuple[Any, Any]


FOUR: Final = examples([[1, -1], [1, -4], [-3, 3], [1, -6]], [1, -1, 1, -1])  # the examples of the homework's text


def _weights(X: FloatArray, y: IntArray) -> FloatArray:
    """w at the start and after each update, to two decimals."""
    return np.round(learning.pla(X, y).weights, 2)


# --- Question 1: enclose the maximum margin --------------------------------------------------------------------------


def _quotients(weights: FloatArray) -> FloatArray:
    """‖w_t‖/t for t = 1, 2, …"""
    return np.asarray(norm(weights[1:], axis=1) / np.arange(1, len(weights)))


def _high(high: Callable[[FloatArray], Any]) -> Version:
    """Another `high`, from the weights."""
    return lambda X, y, weights: (guarantee.margin(X, y, weights[-1]), high(weights))


def _runs() -> list[Arguments]:
    """(X, y, weights): the text's run, whole and cut short; a last w on the line; a short first step; a long run."""
    line, late = examples([[0], [1]], [-1, 1]), examples([[0], [3]], [1, -1])
    whole = [(*each, _weights(*each)) for each in (FOUR, line, late, examples(*datasets.running_example()))]
    return [whole[0], *((*FOUR, _weights(*FOUR)[:k]) for k in (3, 5)), *whole[1:]]  # the last margin is not the largest


def _fresh_runs(rng: Rng) -> list[Arguments]:
    """Runs whose shortest ‖w_t‖/t comes before the end; every other one is cut short, and its last w is wrong."""
    runs = list[Arguments]()
    while len(runs) < UNSEEN:
        ((X, y, _),) = fresh_separable(rng, 1)
        weights = _weights(X, y)
        weights = weights[:-1] if len(runs) % 2 else weights
        if _quotients(weights).argmin() < len(weights) - 2:
            runs.append((X, y, weights))
    return runs


@exercise(
    parts=(Part("low", "number"), Part("high", "number")),
    returns="(low, high), these two numbers in this order",
    read=WHICH,
    cases=_runs,
    fresh=_fresh_runs,
    mistakes=(
        Mistake(
            "last_only",
            "its high is ‖w_T‖/T, from the last w only",
            "Every t gives a true upper bound, so the smallest of all is the best one.",
            _high(lambda weights: _quotients(weights)[-1]),
        ),
        Mistake(
            "no_axis",
            "its high takes the length of the whole table",
            "np.linalg.norm(table, axis=1) gives the length of each row.",
            _high(lambda weights: norm(weights) / (len(weights) - 1)),
        ),
    ),
)
def enclose(X: FloatArray, y: IntArray, weights: FloatArray) -> Pair:
    """(low, high): the margin of the last w, and the smallest ‖w_t‖/t."""
    return guarantee.margin(X, y, weights[-1]), _quotients(weights).min()


# --- Question 2: where line (3.2) loses ------------------------------------------------------------------------------


def _losses(X: FloatArray, y: IntArray, weights: FloatArray, picks: IntArray, *, factor: float = -2.0) -> Pair:
    """What line (3.2) loses at each update: (short, gross)."""
    squares, growth = (with_bias(X) ** 2).sum(axis=1), (weights[: len(picks)] * with_bias(X)[picks]).sum(axis=1)
    return squares.max() - squares[picks], factor * y[picks] * growth


def _walked(X: FloatArray, y: IntArray) -> Arguments:
    """(X, y, weights, picks)."""
    return X, y, _weights(X, y), learning.pla(X, y).picks


@exercise(
    parts=(Part("short", "row"), Part("gross", "row")),
    returns="(short, gross), two rows with one number for each update",
    read=GROWTH,
    cases=lambda: [_walked(*each) for each in (FOUR, examples(*datasets.running_example()))],
    fresh=lambda rng: [_walked(X, y) for X, y, _ in fresh_separable(rng, UNSEEN)],
    mistakes=(
        Mistake(
            "factor",
            "its gross lacks the factor 2, or has the wrong sign",
            "‖w + y x‖² has the middle term 2 y wᵀx. At a mistake it is at most 0, so −2 y wᵀx is never negative.",
            *(partial(_losses, factor=factor) for factor in (2.0, 1.0, -1.0)),
        ),
        Mistake(
            "after",
            "its gross uses w after the update",
            "The example is a mistake of w_t, the row before the update.",
            lambda X, y, weights, picks: _losses(X, y, weights[1:], picks),
        ),
    ),
)
def losses(X: FloatArray, y: IntArray, weights: FloatArray, picks: IntArray) -> Pair:
    """(short, gross): what line (3.2) loses at each update."""
    return _losses(X, y, weights, picks)


# --- Question 4: careful PLA -----------------------------------------------------------------------------------------


def _careful(X: FloatArray, y: IntArray, b: float, **parts: Any) -> Pair:
    """Careful PLA with one part exchanged."""
    steps = list(corrections(X, y, **{"is_mistake": lambda s, label: label * s <= b, **parts}))
    return steps[-1].w, len(steps) - 1


def _comparing(is_small: Callable[[float, int, float], bool]) -> Version:
    """Careful PLA that compares the score, y and b in another way."""
    return lambda X, y, b: _careful(X, y, b, is_mistake=lambda s, label: is_small(s, label, b))


def _careful_cases() -> list[Arguments]:
    """(X, y, b), the smallest first; one with y wᵀx = b on its way, one that takes more than 1000 passes."""
    return [
        (*examples([[2, 1]], [1]), 0.0),
        (*examples([[-3], [2], [4]], [-1, 1, 1]), 2.0),  # those come to an end here who forget y
        (*examples([[2, 1]], [-1]), 0.0),
        (*examples([[1]], [1]), 4.0),
        (*FOUR, 3.0),
        (*examples([[24], [25]], [-1, 1]), 0.0),
        (*examples(*datasets.running_example()), 10.0),
    ]


def _fresh_careful(rng: Rng) -> list[Arguments]:
    """(X, y, b) of whole numbers, so that y wᵀx = b occurs; one on which those halt who forget y; one long run."""
    positive = *examples(whole_numbers(rng, 5, 1) + 6, [1] * 5), 4.0
    far = float(rng.integers(26, 31))
    drawn = [(np.round(X), y, float(rng.integers(3, 12))) for X, y, _ in fresh_separable(rng, 3 * UNSEEN)]
    others = [case for case in drawn if guarantee.separate(*case[:2]).separable]
    return [positive, (*examples([[far], [far + 1]], [-1, 1]), 0.0), *others[: UNSEEN - 2]]


@exercise(
    title="careful PLA",
    parts=(Part("w", "row"), Part("updates", "number")),
    returns="(w, updates), these two in this order",
    read=WORDS,
    ends="It ends when a whole epoch passes without an update. Does each update add y x?",
    cases=_careful_cases,
    fresh=_fresh_careful,
    mistakes=(
        Mistake(
            "strict",
            "it does not correct an example with y wᵀx = b (`<` where `<=` was meant)",
            "It corrects every example with y wᵀx ≤ b.",
            _comparing(lambda s, y, b: y * s < b),
        ),
        Mistake(
            "forgets_y",
            "it forgets y, in the comparison or in the correction",
            "Compare y wᵀx with b, and correct by w + y x.",
            _comparing(lambda s, _y, b: s <= b),
            partial(_careful, step=plus_x),
        ),
        Mistake(
            "fixed_passes",
            "it stops after a fixed number of epochs",
            "How many are needed is not known in advance: go on until a whole epoch passes without an update.",
            *(partial(_careful, passes=passes) for passes in (1, 10, 100, 1000)),
        ),
        *(known for known in mistakes_in_walk(_careful) if known.id in ("no_bias", "subtracted_bias", "bias_last")),
    ),
    key="w",
)
def careful_pla(X: FloatArray, y: IntArray, b: float) -> Pair:
    """(w, updates) of the cyclic PLA that corrects every example with y wᵀx ≤ b."""
    return _careful(X, y, b, passes=10**6)


# --- Question 6: back to the original units --------------------------------------------------------------------------


def _scalings() -> list[Arguments]:
    """(v, mean, std), of one feature and of two."""
    one, two = ([1.0, 2.0], [3.0], [4.0]), ([1.0, 2.0, -3.0], [40.0, 5.0], [10.0, 2.0])
    return [tuple(map(np.array, case)) for case in (one, two)]


def _fresh_scalings(rng: Rng) -> list[Arguments]:
    sizes = rng.integers(2, 5, UNSEEN)
    return [(whole_numbers(rng, d + 1), whole_numbers(rng, d), rng.integers(3, 20, d) / 2) for d in sizes]


@exercise(
    parts=ROW,
    returns="w, with one entry more than there are features",
    read=SCALING,
    cases=_scalings,
    fresh=_fresh_scalings,
    mistakes=(
        Mistake(
            "constant",
            "its w₀ is not right yet",
            "v₁(x₁ − mean)/std has a part without x₁, which belongs to w₀. Which sign has it, and is it divided?",
            lambda v, _mean, std: np.append(v[0], v[1:] / std),
            lambda v, mean, std: np.append(v[0] + v[1:] @ (mean / std), v[1:] / std),
            lambda v, mean, std: np.append(v[0] - v[1:] @ mean, v[1:] / std),
        ),
    ),
)
def back(v: FloatArray, mean: FloatArray, std: FloatArray) -> FloatArray:
    """The w that gives every example the score that v gives it standardised."""
    return np.append(v[0] - v[1:] @ (mean / std), v[1:] / std)


CHECKS: Final = enclose, losses, careful_pla, back


# --- The letters, and the numbers of an id ---------------------------------------------------------------------------


def reason(line: int, got: Any) -> Report:
    """Question 3: the reason for a line of the proof."""
    return choice(got, {2: "P", 3: "Q", 4: "J", 5: "U"}[line], f"reason {line}", options="JKMPQU")


def _margins(X: FloatArray, y: IntArray) -> tuple[float, float]:
    """The maximum margin, and that of PLA's last w."""
    rho = guarantee.separate(X, y).rho
    assert rho is not None  # everyone's data are separable
    return rho, guarantee.margin(X, y, learning.pla(X, y).w)


def enclosed(student: str, function: Version, got: Any) -> Report:
    """Question 1: low and high of one's own run."""
    X, y = data.people_of(student)
    case = X, y, learning.pla(X, y).weights
    last = _quotients(case[-1])[-1]
    known = {
        "low": [Known("largest", _margins(X, y)[0], "It is the maximum margin", "That of the last w is asked for.")],
        "high": [Known("last_only", last, "It is ‖w_T‖/T, from the last w only", "Take the smallest ‖w_t‖/t.")],
    }
    given = Given(lambda: function(*case), enclose(function, seed=SEED))
    right = dict(zip(known, enclose.task.right(*case), strict=True))
    return numbers(got, right, "your enclosure", tolerance=1e-4, given=given, known=known)


def lost(student: str, function: Version, got: Any) -> Report:
    """Question 2: which fractions of T R² line (3.2) loses along one's own run."""
    X, y = data.people_of(student)
    run, R = learning.pla(X, y), guarantee.radius(X)
    case = X, y, run.weights, run.picks
    right, known = {}, {}

    def fraction(part: Any) -> float:
        return float(np.sum(part) / (run.updates * R**2))

    for name, part in zip(("short", "gross"), _losses(*case), strict=True):
        undivided = part.sum(), part.sum() / R**2, part.mean()
        why = "Divide by T and by R²."
        right[name] = fraction(part)
        known[name] = [Known("undivided", value, "It is not divided by T R²", why) for value in undivided]
    known["gross"].append(Known("factor", right["gross"] / 2, "It lacks the factor 2", "It adds up −2 y wᵀx."))
    given = Given(lambda: [fraction(part) for part in function(*case)], losses(function, seed=SEED))
    return numbers(got, right, "the fractions lost", tolerance=1e-3, given=given, known=known)


def alpha_limit(student: str, got: Any) -> Report:
    """Question 3: from which α on the distance gets smaller at every update."""
    X, y = data.people_of(student)
    R, (rho, low) = guarantee.radius(X), _margins(X, y)
    known = [
        Known("theorem", R**2 / rho, "This is the α of the theorem", "From which α on is 2αρ − R² positive?"),
        Known("last_w", R**2 / (2 * low), "It belongs to the last w of PLA", "Take the maximum margin."),
    ]
    return number(got, R**2 / (2 * rho), "the limit for α", tolerance=1e-4, known=known)


def rho_careful(student: str, function: Version, got: Any) -> Report:
    """Question 4: the margin of careful PLA's last w."""
    X, y = data.people_of(student)
    (w, _), (rho, low) = careful_pla.task.right(X, y, B), _margins(X, y)
    promise = B * rho / (guarantee.radius(X) ** 2 + 2 * B)
    known = [
        Known("not_divided", (y * scores(w, X)).min(), "It is not divided by ‖w‖", "A margin is y wᵀx / ‖w‖."),
        Known("promise", promise, "It is what part 2 promises", "Measure the margin itself."),
        Known("last_w", low, "It belongs to the last w of PLA", "Run careful_pla with b = 3000."),
    ]
    given = Given(lambda: guarantee.margin(X, y, function(X, y, B)[0]), careful_pla(function, seed=SEED))
    right, what = guarantee.margin(X, y, w), "the margin of careful PLA"
    return number(got, right, what, tolerance=1e-3, given=given, known=known)


def after(student: str, got: Any) -> Report:
    """Question 6: R and the maximum margin of the standardised data."""
    X, y = data.people_of(student)
    centred = X - X.mean(axis=0)
    S = centred / X.std(axis=0)
    wrong = [
        ("ddof", centred / X.std(axis=0, ddof=1), "The deviations are divided by N − 1", "Use NumPy's std as it is."),
        ("no_axis", (X - X.mean()) / X.std(), "All numbers have one mean and deviation", "Use axis=0."),
        ("original", X, "It belongs to the data as they were", "Standardise them first."),
    ]
    largest, last = _margins(S, y)
    R = [Known(name, guarantee.radius(table), what, why) for name, table, what, why in wrong]
    rho = [Known(name, _margins(table, y)[0], what, why) for name, table, what, why in wrong]
    rho.append(Known("last_w", last, "It belongs to the last w of PLA", "Take the maximum margin."))
    right = {"R": guarantee.radius(S), "rho": largest}
    return numbers(got, right, "R and ρ after standardising", tolerance=1e-3, known={"R": R, "rho": rho})

"""Homework 2, for the teacher: right functions, known mistakes, the numbers of an id. Nothing of this is handed out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.linalg import norm

from exercises.source.hw2_convergence import hw2_data as data
from plahelpers import datasets, guarantee, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import Given, Known, Report, choice, number, numbers
from plahelpers.checks.cases import Examples, examples, fresh_separable, whole_numbers
from plahelpers.checks.judge import TaskCheck, exercise
from plahelpers.checks.sections import BIAS, GAIN, GROWTH, SCALING, WHICH, WORDS
from plahelpers.checks.sentences import capital
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Rng, Version
from plahelpers.checks.variants import corrections, mistakes_in_walk, plus_x
from plahelpers.hypothesis import mistakes, scores, with_bias

SEED: Final = 20250902  # of the unseen cases, the same for all students; take another one each year
UNSEEN: Final = 10  # of each function
DECIMALS: Final = {"enclosed": 4, "lost": 3, "alpha_limit": 2, "rho_careful": 3, "after": 3}
B: Final = 3000.0  # of careful PLA on one's own data

Pair: TypeAlias = tuple[Any, Any]


def _four() -> Examples:
    """The examples of the homework's text: PLA corrects 0, 1, 0, 0, 2, 0, and never the longest one."""
    return examples([[1, -1], [1, -4], [-3, 3], [1, -6]], [1, -1, 1, -1])


def _weights(X: FloatArray, y: IntArray) -> FloatArray:
    """w at the start and after each update, to two decimals."""
    return np.round(learning.pla(X, y).weights, 2)


# --- Question 1: enclose the largest margin --------------------------------------------------------------------------


def _quotients(weights: FloatArray) -> FloatArray:
    """‖w_t‖/t for t = 1, 2, …"""
    return np.asarray(norm(weights[1:], axis=1) / np.arange(1, len(weights)))


def _low(low: Callable[..., float]) -> Version:
    """Another `low`, from X, y and the last w."""
    return lambda X, y, weights: (low(X, y, weights[-1]), _quotients(weights).min())


def _high(high: Callable[[FloatArray], Any]) -> Version:
    """Another `high`, from the weights."""
    return lambda X, y, weights: (guarantee.margin(X, y, weights[-1]), high(weights))


def _runs() -> list[Arguments]:
    """(X, y, weights): the text's run, whole and cut short; a last w on the line; a short first step; a long run."""
    four, line, late = _four(), examples([[0], [1]], [-1, 1]), examples([[0], [3]], [1, -1])
    whole = [(*each, _weights(*each)) for each in (four, line, late, examples(*datasets.running_example()))]
    return [whole[0], (*four, _weights(*four)[:3]), *whole[1:]]


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
            "low",
            "its low is not the margin of the last w",
            "The margin is the smallest y wᵀx / ‖w‖, with x₀ = +1 and all of w. Use guarantee.margin.",
            _low(lambda X, y, w: (y * scores(w, X)).min()),
            _low(lambda X, _y, w: scores(w, X).min() / norm(w)),
            _low(lambda X, _y, w: np.abs(scores(w, X)).min() / norm(w)),
            _low(lambda X, y, w: (y * (X @ w[1:])).min() / norm(w[1:])),
            _low(lambda X, y, w: (y * scores(w, X)).min() / norm(w[1:])),
            read=GAIN,
        ),
        Mistake(
            "last_only",
            "its high is ‖w_T‖/T, from the last w only",
            "Every t gives a true upper limit, so the smallest of all is the best one.",
            _high(lambda weights: _quotients(weights)[-1]),
        ),
        Mistake(
            "counts_from_two",
            "its high divides by t + 1 instead of t",
            "The first row of weights is the start. The second row belongs to t = 1.",
            _high(lambda weights: (norm(weights[1:], axis=1) / np.arange(2, len(weights) + 1)).min()),
        ),
        Mistake(
            "with_the_start",
            "its high also counts the start, w = 0",
            "At t = 0 it would be 0/0. Begin with t = 1.",
            _high(lambda _weights: 0.0),
            _high(lambda _weights: np.nan),
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


def _short(X: FloatArray, picks: IntArray) -> FloatArray:
    squares = (with_bias(X) ** 2).sum(axis=1)
    return np.asarray(squares.max() - squares[picks])


def _gross(X: FloatArray, y: IntArray, weights: FloatArray, picks: IntArray) -> FloatArray:
    return np.asarray(-2 * y[picks] * (weights[: len(picks)] * with_bias(X)[picks]).sum(axis=1))


def _with_gross(gross: Version) -> Version:
    return lambda X, y, weights, picks: (_short(X, picks), gross(X, y, weights, picks))


def _walked(X: FloatArray, y: IntArray) -> Arguments:
    """(X, y, weights, picks)."""
    return X, y, _weights(X, y), learning.pla(X, y).picks


@exercise(
    parts=(Part("short", "row"), Part("gross", "row")),
    returns="(short, gross), two rows with one number for each update",
    read=GROWTH,
    cases=lambda: [_walked(*each) for each in (_four(), examples(*datasets.running_example()))],
    fresh=lambda rng: [_walked(X, y) for X, y, _ in fresh_separable(rng, UNSEEN)],
    mistakes=(
        Mistake(
            "factor",
            "its gross lacks the factor 2, or has the wrong sign",
            "‖w + y x‖² has the middle term 2 y wᵀx. At a mistake it is at most 0, so −2 y wᵀx is never negative.",
            *(_with_gross(lambda *case, factor=factor: factor * _gross(*case)) for factor in (-1, 0.5, -0.5)),
        ),
        Mistake(
            "after",
            "its gross uses w after the update",
            "The example is a mistake of w_t, the row before the update.",
            _with_gross(lambda X, y, weights, picks: _gross(X, y, weights[1:], picks)),
        ),
        Mistake(
            "not_the_score",
            "its gross forgets y, or w₀",
            "It is −2 y wᵀx, and wᵀx begins with w₀·x₀, where x₀ = +1.",
            _with_gross(lambda X, y, weights, picks: _gross(X, y**2, weights, picks)),
            _with_gross(lambda X, y, weights, picks: -2 * y[picks] * (weights[:-1, 1:] * X[picks]).sum(axis=1)),
            read=BIAS,
        ),
        Mistake(
            "longest_corrected",
            "its R is the length of the longest corrected example",
            "R is that of the longest of all examples, corrected or not.",
            lambda X, y, weights, picks: (_short(X[picks], np.arange(len(picks))), _gross(X, y, weights, picks)),
        ),
    ),
)
def losses(X: FloatArray, y: IntArray, weights: FloatArray, picks: IntArray) -> Pair:
    """(short, gross): what line (3.2) loses at each update."""
    return _short(X, picks), _gross(X, y, weights, picks)


# --- Question 4: careful PLA -----------------------------------------------------------------------------------------


def _careful(X: FloatArray, y: IntArray, b: float, **parts: Any) -> Pair:
    """Careful PLA with one part exchanged."""
    steps = list(corrections(X, y, **{"is_mistake": lambda s, label: label * s <= b, **parts}))
    return steps[-1].w, len(steps) - 1


def _comparing(is_small: Callable[[float, int, float], bool]) -> Version:
    """Careful PLA that compares the score, y and b in another way."""
    return lambda X, y, b: _careful(X, y, b, is_mistake=lambda s, label: is_small(s, label, b))


def _one_cycle(w: FloatArray, X: FloatArray, y: IntArray, b: float) -> tuple[FloatArray, int]:
    """w after one more cycle of careful PLA, and its updates."""
    updates = 0
    for step in y[:, np.newaxis] * with_bias(X):
        if w @ step <= b:
            w, updates = w + step, updates + 1
    return w, updates


def _until_right(X: FloatArray, y: IntArray, b: float) -> Pair:
    """Whole cycles, and none once all examples are right."""
    w, updates = np.zeros(X.shape[1] + 1), 0
    while mistakes(w, X, y).size:
        w, more = _one_cycle(w, X, y, b)
        updates += more
    return w, updates


def _careful_cases() -> list[Arguments]:
    """(X, y, b), the smallest first; one with y wᵀx = b on its way, one that takes more than 1000 passes."""
    return [
        (*examples([[2, 1]], [1]), 0.0),
        (*examples([[-3], [-1]], [1, -1]), 2.0),  # here and in the next one those come to an end who forget y
        (*examples([[-3], [2], [4]], [-1, 1, 1]), 2.0),
        (*examples([[2, 1]], [-1]), 0.0),
        (*examples([[1]], [1]), 4.0),
        (*_four(), 3.0),
        (*examples(*datasets.textbook_example()), 5.0),
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
            "until_right",
            "it stops when no example is wrong any more",
            "It stops when a whole cycle passes without an update, and then y wᵀx > b for all examples.",
            _until_right,
        ),
        Mistake(
            "wrong_place",
            "after an update it goes on at the wrong place: at the same example once more, or at the first one",
            "It should go on from the next example, and meet this one again in the next cycle.",
            partial(_careful, after="same"),
            partial(_careful, after="first"),
        ),
        Mistake(
            "fixed_passes",
            "it stops after a fixed number of passes",
            "How many are needed is not known in advance: go on until a whole cycle passes without an update.",
            *(partial(_careful, passes=passes) for passes in (1, 2, 3, 5, 10, 100, 1000)),
        ),
        *(known for known in mistakes_in_walk(_careful) if known.id in ("no_bias", "bias_last")),
    ),
    key="w",
)
def careful_pla(X: FloatArray, y: IntArray, b: float) -> Pair:
    """(w, updates) of the cyclic PLA that corrects every example with y wᵀx ≤ b."""
    w, updates = _one_cycle(np.zeros(X.shape[1] + 1), X, y, b)
    more = updates
    while more:
        w, more = _one_cycle(w, X, y, b)
        updates += more
    return w, updates


# --- Question 6: back to the original units --------------------------------------------------------------------------


def _scalings() -> list[Arguments]:
    """(v, mean, std), from one feature to three."""
    return [
        (np.array([1.0, 2.0]), np.array([3.0]), np.array([4.0])),
        (np.array([1.0, 2.0, -3.0]), np.array([40.0, 5.0]), np.array([10.0, 2.0])),
        (np.array([-2.0, 0.5, 1.0, 4.0]), np.array([-1.0, 2.0, 0.5]), np.array([0.5, 8.0, 2.0])),
    ]


def _fresh_scalings(rng: Rng) -> list[Arguments]:
    """v and the means are whole numbers, the standard deviations are not 1."""
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
        Mistake(
            "multiplied",
            "it multiplies by the standard deviations",
            "The part of v₁(x₁ − mean)/std with x₁ is (v₁/std)·x₁.",
            lambda v, mean, std: np.append(v[0] - v[1:] @ (mean / std), v[1:] * std),
            lambda v, mean, std: np.append(v[0] + v[1:] @ mean, v[1:] * std),
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


def _known_to(check: TaskCheck, case: Arguments, part: int, of: Callable[[Any], float] = float) -> list[Known]:
    """The wrong numbers that the known mistakes of a function give, in this part of its answer."""
    versions = [(each, version) for each in check.task.mistakes for version in each.versions]
    return [Known(each.id, of(version(*case)[part]), capital(each.what), each.why) for each, version in versions]


def _margins(X: FloatArray, y: IntArray) -> tuple[float, float]:
    """The largest margin, and that of PLA's last w."""
    rho = guarantee.separate(X, y).rho
    assert rho is not None  # everyone's data are separable
    return rho, guarantee.margin(X, y, learning.pla(X, y).w)


def enclosed(student: str, function: Version, got: Any) -> Report:
    """Question 1: low and high of one's own run."""
    X, y = data.people_of(student)
    case = X, y, learning.pla(X, y).weights
    rho, low = _margins(X, y)
    largest = Known("largest", rho, "It is the largest margin itself", "The margin of the last w is asked for.")
    known = {"low": [largest, *_known_to(enclose, case, 0)], "high": _known_to(enclose, case, 1)}
    given = Given(lambda: function(*case), enclose(function, seed=SEED))
    right = {"low": low, "high": _quotients(case[2]).min()}
    return numbers(got, right, "your enclosure", tolerance=1e-4, given=given, known=known)


def lost(student: str, function: Version, got: Any) -> Report:
    """Question 2: which fractions of T R² line (3.2) loses along one's own run."""
    X, y = data.people_of(student)
    run, R = learning.pla(X, y), guarantee.radius(X)
    case = X, y, run.weights, run.picks
    names, sums = ("short", "gross"), (_short(X, run.picks).sum(), _gross(*case).sum())

    def fraction(part: Any) -> float:
        return float(np.sum(part) / (run.updates * R**2))

    known = {}
    for k, name in enumerate(names):
        undivided = sums[k], sums[k] / R**2, sums[k] / run.updates, sums[k] / (run.updates * R)
        known[name] = [
            Known("exchanged", fraction(sums[1 - k]), "It is the other fraction", "Give [short, gross]."),
            Known("of_lost", sums[k] / sum(sums), "It is a fraction of what is lost", "Divide by T R²."),
            *(Known("undivided", value, "It is not divided by T R²", "Divide by T and by R².") for value in undivided),
            *_known_to(losses, case, k, fraction),
        ]
    given = Given(lambda: [fraction(part) for part in function(*case)], losses(function, seed=SEED))
    right = dict(zip(names, map(fraction, sums), strict=True))
    return numbers(got, right, "the fractions lost", tolerance=1e-3, given=given, known=known)


def alpha_limit(student: str, got: Any) -> Report:
    """Question 3: from which α on the distance gets smaller at every update."""
    X, y = data.people_of(student)
    R, (rho, low) = guarantee.radius(X), _margins(X, y)
    known = [
        Known("theorem", R**2 / rho, "This is the α of the theorem", "From which α on is 2αρ − R² positive?"),
        Known("not_squared", R / (2 * rho), "R is not squared", "From which α on is 2αρ − R² positive?"),
        Known("last_w", R**2 / (2 * low), "It belongs to the last w of PLA", "Take the largest margin."),
        Known("without_x0", (R**2 - 1) / (2 * rho), "R is measured without x₀ = +1", "Use guarantee.radius."),
    ]
    return number(got, R**2 / (2 * rho), "the limit for α", tolerance=1e-4, known=known)


def rho_careful(student: str, function: Version, got: Any) -> Report:
    """Question 4: the margin of careful PLA's last w."""
    X, y = data.people_of(student)
    w, _ = careful_pla.task.right(X, y, B)
    R, (rho, low), smallest = guarantee.radius(X), _margins(X, y), (y * scores(w, X)).min()
    known = [
        Known("not_divided", smallest, "It is not divided by ‖w‖", "A margin is y wᵀx / ‖w‖."),
        Known("plane", smallest / norm(w[1:]), "It is divided by ‖(w₁, w₂)‖", "‖w‖ includes w₀."),
        Known("promise", B * rho / (R**2 + 2 * B), "It is what part 2 promises", "Measure the margin itself."),
        Known("last_w", low, "It belongs to the last w of PLA", "Run careful_pla with b = 3000."),
        Known("largest", rho, "It is the largest margin", "The margin of careful PLA's last w is asked for."),
    ]
    given = Given(lambda: guarantee.margin(X, y, function(X, y, B)[0]), careful_pla(function, seed=SEED))
    right, what = guarantee.margin(X, y, w), "the margin of careful PLA"
    return number(got, right, what, tolerance=1e-3, given=given, known=known)


def after(student: str, got: Any) -> Report:
    """Question 6: R and the largest margin of the standardised data."""
    X, y = data.people_of(student)
    centred, std = X - X.mean(axis=0), X.std(axis=0)
    S = centred / std
    wrong = [
        ("ddof", centred / X.std(axis=0, ddof=1), "The deviations are divided by N − 1", "Use NumPy's std as it is."),
        ("only_centred", centred, "The columns are not divided", "Divide by the standard deviations."),
        ("only_divided", X / std, "The means are not subtracted", "Subtract the mean of each column first."),
        ("no_axis", (X - X.mean()) / X.std(), "All numbers have one mean and deviation", "Use axis=0."),
        ("original", X, "It belongs to the data as they were", "Standardise them first."),
    ]
    R = [Known(name, guarantee.radius(table), what, why) for name, table, what, why in wrong]
    R.append(Known("without_x0", norm(S, axis=1).max(), "R is measured without x₀ = +1", "Use guarantee.radius."))
    rho = [Known(name, _margins(table, y)[0], what, why) for name, table, what, why in wrong]
    largest, last = _margins(S, y)
    rho.append(Known("last_w", last, "It belongs to the last w of PLA", "Take the largest margin."))
    right = {"R": guarantee.radius(S), "rho": largest}
    return numbers(got, right, "R and ρ after standardising", tolerance=1e-3, known={"R": R, "rho": rho})

"""The bank of known wrong versions: each is a small function that makes exactly one mistake, and says what it is.

A learner's function that gives what one of these gives, case by case, most likely makes its mistake. Where the same
mistake can be written in several ways, there are several functions to one diagnosis. A version that would never
return raises `Endless` instead. All of them take and return what the learner's function should.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from plahelpers._inputs import FloatArray, IntArray

Mistaken: TypeAlias = Callable[[float, int], bool]  # (score, y) → is it a mistake?
Step: TypeAlias = Callable[[FloatArray, FloatArray, int], FloatArray]  # (w, x, y) → the next w
Walked: TypeAlias = tuple[FloatArray, int, list[int]]  # w, updates, picks

# Nobody needs so many looks at an example in the cases of `checks`: who does, never returns.
_MOST_VISITS: Final = 5000


class Endless(Exception):  # noqa: N818
    """This version never returns."""


@dataclass(frozen=True)
class Wrong:
    """A known mistake: its name, what it is, why it is wrong, where to read, and functions that make it."""

    id: str
    what: str
    why: str
    read: str
    versions: tuple[Callable[..., Any], ...]


# Where things are explained: the notebooks' section titles, each in one place.
BIAS: Final = 'notebook 01, "The bias trick"'
ON_THE_LINE: Final = 'notebook 01, "What happens on the line"'
SCORE: Final = 'notebook 01, "A score against a threshold"'
JUDGING: Final = 'notebook 01, "Judging a hypothesis"'
FIND: Final = 'notebook 02, "Find a mistake"'
CORRECT: Final = 'notebook 02, "The picture of an update"'
WORDS: Final = 'notebook 02, "PLA in the lecture\'s words"'
ETA: Final = 'notebook 02, "Where notes go wrong"'
HISTOGRAM: Final = 'notebook 02, "2000 shuffled cycles"'
GROWTH: Final = 'notebook 03, "How fast can w grow?"'
GAIN: Final = 'notebook 03, "How much does an update gain?"'
BOUND: Final = 'notebook 03, "T ≤ R²/ρ²"'
POCKET: Final = 'notebook 04, "Keep the best in your pocket"'
GREEDY: Final = 'notebook 04, "Where notes go wrong"'


# --- The pieces, right and wrong -------------------------------------------------------------------------------------


def bias_first(X: FloatArray, x0: float = 1.0) -> FloatArray:
    """x₀ in front of every row, as it should be (or another x₀)."""
    return np.column_stack([np.full(len(X), x0), X])


def bias_last(X: FloatArray) -> FloatArray:
    """x₀ behind every row."""
    return np.column_stack([X, np.ones(len(X))])


def bias_zero(X: FloatArray) -> FloatArray:
    """A bias that does nothing."""
    return bias_first(X, 0.0)


def bias_minus(X: FloatArray) -> FloatArray:
    """x₀ = −1."""
    return bias_first(X, -1.0)


def bias_none(X: FloatArray) -> FloatArray:
    """No x₀ at all."""
    return np.array(X)


def zero_is_minus(s: float, y: int) -> bool:
    """sign(0) = −1: right here."""
    return (1 if s > 0 else -1) != y


def zero_is_plus(s: float, y: int) -> bool:
    """sign(0) = +1."""
    return (1 if s >= 0 else -1) != y


def zero_is_always_wrong(s: float, y: int) -> bool:
    """y s ≤ 0."""
    return y * s <= 0


def zero_is_never_wrong(s: float, y: int) -> bool:
    """y s < 0."""
    return y * s < 0


def plus_yx(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """The right correction."""
    return w + y * x


def minus_yx(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """Away from where it should go."""
    return w - y * x


def plus_x(w: FloatArray, x: FloatArray, y: int) -> FloatArray:  # noqa: ARG001
    """y forgotten."""
    return w + x


def scaled_step(eta: float) -> Step:
    """The right correction with another step size."""
    return lambda w, x, y: w + eta * y * x


def _visits() -> Iterator[int]:
    """0, 1, 2, …, and an end with `Endless`."""
    yield from range(_MOST_VISITS)
    raise Endless


# --- PLA: f(X, y) → w, updates, picks --------------------------------------------------------------------------------


def walk(
    X: FloatArray,
    y: IntArray,
    order: Any = None,
    *,
    bias: Callable[[FloatArray], FloatArray] = bias_first,
    mistaken: Mistaken = zero_is_minus,
    step: Step = plus_yx,
    start: float = 0.0,
) -> Walked:
    """Cyclic PLA with one piece exchanged: until a whole cycle passes without a mistake."""
    Z, cycle = bias(X), _cycle(order, y)
    w, picks, clean = np.full(Z.shape[1], start), [], 0
    for visit in _visits():
        n = cycle[visit % len(cycle)]
        if mistaken(float(w @ Z[n]), int(y[n])):
            w, clean = step(w, Z[n], int(y[n])), 0
            picks.append(n)
        else:
            clean += 1
        if clean == len(cycle):
            break
    return w, len(picks), picks


def _cycle(order: Any, y: IntArray) -> list[int]:
    return list(range(len(y))) if order is None else [int(n) for n in order]


def _mistakes(w: FloatArray, Z: FloatArray, y: IntArray, mistaken: Mistaken = zero_is_minus) -> list[int]:
    return [n for n, (s, label) in enumerate(zip((Z @ w).tolist(), y.tolist(), strict=True)) if mistaken(s, label)]


def _restarting(
    X: FloatArray, y: IntArray, order: Any = None, *, mistaken: Mistaken = zero_is_minus
) -> Walked:  # fmt: skip
    Z, cycle = bias_first(X), _cycle(order, y)
    w, picks = np.zeros(Z.shape[1]), []
    for _ in _visits():
        wrong = [n for n in cycle if mistaken(float(w @ Z[n]), int(y[n]))]
        if not wrong:
            break
        w = plus_yx(w, Z[wrong[0]], int(y[wrong[0]]))
        picks.append(wrong[0])
    return w, len(picks), picks


def _worst_first(X: FloatArray, y: IntArray, order: Any = None) -> Walked:  # noqa: ARG001
    Z = bias_first(X)
    w, picks = np.zeros(Z.shape[1]), []
    for _ in _visits():
        wrong = _mistakes(w, Z, y)
        if not wrong:
            break
        n = min(wrong, key=lambda m: float(y[m] * (w @ Z[m])))
        w = plus_yx(w, Z[n], int(y[n]))
        picks.append(n)
    return w, len(picks), picks


def _staying(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    Z, cycle = bias_first(X), _cycle(order, y)
    w, picks, clean = np.zeros(Z.shape[1]), [], 0
    for visit in _visits():
        n = cycle[visit % len(cycle)]
        clean += 1
        while zero_is_minus(float(w @ Z[n]), int(y[n])):
            w, clean = plus_yx(w, Z[n], int(y[n])), 0
            picks.append(n)
        if clean == len(cycle):
            break
    return w, len(picks), picks


def _every_point(X: FloatArray, y: IntArray, order: Any = None, *, passes: int | None = None) -> Walked:
    Z, cycle = bias_first(X), _cycle(order, y)
    w, picks = np.zeros(Z.shape[1]), []
    for done in _visits():
        if done == passes or (passes is None and not _mistakes(w, Z, y)):
            break
        for n in cycle:
            w = plus_yx(w, Z[n], int(y[n]))
            picks.append(n)
    return w, len(picks), picks


def _batch(X: FloatArray, y: IntArray, order: Any = None, *, mean: bool = False) -> Walked:  # noqa: ARG001
    Z = bias_first(X)
    w, picks = np.zeros(Z.shape[1]), []
    for _ in _visits():
        wrong = _mistakes(w, Z, y)
        if not wrong:
            break
        w = w + (y[wrong] @ Z[wrong]) / (len(wrong) if mean else 1)
        picks.append(wrong[0])
    return w, len(picks), picks


def _some_passes(X: FloatArray, y: IntArray, order: Any = None, *, passes: int = 1) -> Walked:
    """So many passes, clean or not."""
    Z = bias_first(X)
    w, picks = np.zeros(Z.shape[1]), []
    for n in _cycle(order, y) * passes:
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            w = plus_yx(w, Z[n], int(y[n]))
            picks.append(n)
    return w, len(picks), picks


def _first_right_ends(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    Z, cycle = bias_first(X), _cycle(order, y)
    w, picks = np.zeros(Z.shape[1]), []
    for visit in _visits():
        n = cycle[visit % len(cycle)]
        if not zero_is_minus(float(w @ Z[n]), int(y[n])):
            break
        w = plus_yx(w, Z[n], int(y[n]))
        picks.append(n)
    return w, len(picks), picks


def _one_update(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    Z, w = bias_first(X), np.zeros(X.shape[1] + 1)
    for n in _cycle(order, y):
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            return plus_yx(w, Z[n], int(y[n])), 1, [n]
    return w, 0, []


def _backwards(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    return walk(X, y, _cycle(order, y)[::-1])


def _zero_one(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    """Predictions are 0 and 1, and so a label −1 is never met."""
    return walk(X, y, order, mistaken=lambda s, label: int(s > 0) != label)


def _zero_one_difference(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    """The same with w ← w + (y − prediction) x."""
    return walk(
        X, y, order,
        mistaken=lambda s, label: int(s > 0) != label,
        step=lambda w, x, label: w + (label - int(float(w @ x) > 0)) * x,
    )  # fmt: skip


def _of_length_one(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    w, updates, picks = walk(X, y, order)
    return w / (float(np.linalg.norm(w)) or 1.0), updates, picks


class _Counts(NamedTuple):
    """What can be counted along a run."""

    T: int
    until: int  # visits up to the last update
    N: int
    passes: int  # those that had a mistake


def _counting(
    X: FloatArray, y: IntArray, order: Any = None, *, count: Callable[[_Counts], int]
) -> tuple[FloatArray, int]:
    """The right w, and a count of something else."""
    Z, cycle = bias_first(X), _cycle(order, y)
    w, updates, until = np.zeros(Z.shape[1]), 0, 0
    for visit in _visits():
        n = cycle[visit % len(cycle)]
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            w, updates, until = plus_yx(w, Z[n], int(y[n])), updates + 1, visit + 1
        if visit + 1 - until == len(cycle):
            break
    return w, count(_Counts(updates, until, len(cycle), -(-until // len(cycle))))


def _from_one(X: FloatArray, y: IntArray, order: Any = None) -> tuple[FloatArray, list[int]]:
    w, _, picks = walk(X, y, order)
    return w, [n + 1 for n in picks]


def _another_order(X: FloatArray, y: IntArray, order: Any) -> Walked:  # noqa: ARG001
    return walk(X, y)


_TWO_MISTAKES = (
    "it makes two mistakes: it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign), and after an "
    "update it starts again from the first example"
)
_UPDATES_ONLY = "T is the number of corrections; looks at examples that are right, and passes, are counted apart."

PLA: Final = (
    Wrong("no_bias", "it learns without the constant x₀ = +1, so that its line always goes through the origin",
          "w has d + 1 entries: w₀ is minus the threshold, and it learns from x₀ = +1 like any other weight.", BIAS,
          (partial(walk, bias=bias_none), partial(walk, bias=bias_zero))),
    Wrong("bias_last", "it puts the constant x₀ = +1 behind the features instead of in front",
          "the line is the same, but w₀ has to be the first entry of w.", BIAS, (partial(walk, bias=bias_last),)),
    Wrong("bias_minus", "it uses x₀ = −1, which turns the sign of w₀ around",
          "x₀ is +1 and w₀ = −threshold, so that the score is wᵀx.", BIAS, (partial(walk, bias=bias_minus),)),
    Wrong("zero_never_wrong", "it never counts a point on the line as a mistake (`<` where `<=` or sign was meant)",
          "at w = 0 every score is 0, so nothing is corrected; here sign(0) = −1: a positive example there is wrong.",
          ON_THE_LINE, (partial(walk, mistaken=zero_is_never_wrong),)),
    Wrong("zero_is_plus", "it takes sign(0) to be +1",
          "here sign(0) = −1; the choice changes the run from its first step.", ON_THE_LINE,
          (partial(walk, mistaken=zero_is_plus),)),
    Wrong("zero_always_wrong", "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
          "that is the proof's convention; here sign(0) = −1, and a negative example on the line is right.",
          ON_THE_LINE, (partial(walk, mistaken=zero_is_always_wrong),)),
    Wrong("minus_update", "it corrects by w − y x instead of w + y x",
          "each correction makes the score of its example worse, so the mistakes never end.", CORRECT,
          (partial(walk, step=minus_yx),)),
    Wrong("update_without_y", "it corrects by w + x and forgets y",
          "an example with y = −1 has to push w away: w + y x.", CORRECT, (partial(walk, step=plus_x),)),
    Wrong("other_eta", "its steps are of another size: η is not 1, or each correction is made more or less than once",
          "from w = 0 the picks stay the same and w is only rescaled, but the w asked for is that of η = 1.", ETA,
          tuple(partial(walk, step=scaled_step(eta)) for eta in (2.0, 0.5, 0.1, 0.01))),
    Wrong("normalised", "it returns w divided by its length",
          "scaling changes no prediction, but the w asked for is the one that the corrections add up to.", SCORE,
          (_of_length_one,)),
    Wrong("start_not_zero", "it does not start from w = 0", "PLA begins at w₀ = 0; the bound on T is proved from it.",
          WORDS, tuple(partial(walk, start=start) for start in (1.0, -1.0, 0.5))),
    Wrong("restarts", "after an update it starts again from the first example",
          "it should go on from the next one, and come back to the first when the cycle is through.", WORDS,
          (_restarting,)),
    Wrong("restarts_zero_always_wrong", _TWO_MISTAKES, "here sign(0) = −1, so that a negative example on the line is "
          "right; and after an update the walk goes on from the next example.", WORDS,
          (partial(_restarting, mistaken=zero_is_always_wrong),)),
    Wrong("stays", "it corrects the same example again until that one is right, before it goes on",
          "after an update it should go on from the next example; its turn comes again in the next cycle.", WORDS,
          (_staying,)),
    Wrong("worst_first", "it always corrects the example with the worst score",
          "that is a fine rule too, but here the examples are visited in turn.", WORDS, (_worst_first,)),
    Wrong("backwards", "it visits the examples from the last to the first",
          "the order here is 0, 1, …, N−1, or the order that is given.", WORDS, (_backwards,)),
    Wrong("every_point", "it adds y x for every example, also for those that are right already",
          "only mistakes are corrected; that is what keeps w from growing too fast.", FIND,
          (_every_point, partial(_every_point, passes=1))),
    Wrong("batch", "it corrects all mistakes at once, with the same w",
          "PLA corrects one mistake, and looks at the next example with the new w.", WORDS,
          (_batch, partial(_batch, mean=True))),
    Wrong("one_pass", "it goes through the examples only once",
          "a correction can spoil an example that was right: go on until a whole cycle is clean.", WORDS,
          (_some_passes,)),
    Wrong("fixed_passes", "it stops after a fixed number of passes, clean or not",
          "nobody knows beforehand how many are needed: go on until a whole cycle has no mistake.", WORDS,
          tuple(partial(_some_passes, passes=passes) for passes in (*range(2, 11), 20, 50, 100))),
    Wrong("first_right_ends", "it stops at the first example that is right",
          "it may stop only when all examples, a whole cycle of them, are right.", WORDS, (_first_right_ends,)),
    Wrong("one_update", "it returns after its first update", "go on until a whole cycle has no mistake.", WORDS,
          (_one_update,)),
    Wrong("zero_one_labels", "it expects the labels 0 and 1", "the labels here are −1 and +1: a prediction 0 never "
          "equals a label −1, so that example stays a mistake forever.", FIND, (_zero_one, _zero_one_difference)),
    Wrong("counts_visits", "its w is right, but it counts visits instead of updates", _UPDATES_ONLY, WORDS,
          (partial(_counting, count=lambda it: it.until + it.N),
           partial(_counting, count=lambda it: it.until),
           partial(_counting, count=lambda it: (it.passes + 1) * it.N))),
    Wrong("counts_passes", "its w is right, but it counts passes over the data instead of updates", _UPDATES_ONLY,
          WORDS, (partial(_counting, count=lambda it: it.passes + 1),
                  partial(_counting, count=lambda it: it.passes))),
    Wrong("count_off_by_one", "its w is right, but it counts one update too many or too few",
          "count each correction once, starting from 0.", WORDS,
          (partial(_counting, count=lambda it: it.T + 1),
           partial(_counting, count=lambda it: it.T - 1))),
    Wrong("numbers_from_one", "its w is right, but it numbers the examples from 1", "the examples are 0, 1, …, N−1.",
          WORDS, (_from_one,)),
)  # fmt: skip

PLA_WITH_ORDER: Final = (
    *PLA,
    Wrong("ignores_order", "it visits the examples in the order 0, 1, 2, … and not in the order it is given",
          "the third argument is the cycle to use.", WORDS, (_another_order,)),
)  # fmt: skip


# --- Pocket: f(X, y, max_updates) → the pocket's w, the last w -------------------------------------------------------


def pocket(
    X: FloatArray,
    y: IntArray,
    max_updates: int,
    *,
    bias: Callable[[FloatArray], FloatArray] = bias_first,
    mistaken: Mistaken = zero_is_minus,
    step: Step = plus_yx,
    start: float = 0.0,
    better: Callable[[int, int], bool] = int.__lt__,
    restart: bool = False,
    more_updates: int = 0,
    early_stop: bool = True,
    visits: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Cyclic Pocket with one piece exchanged."""
    Z = bias(X)
    w = np.full(Z.shape[1], start)
    wrong = fewest = len(_mistakes(w, Z, y, mistaken))
    best, updates, at = w, 0, -1
    for visit in _visits():
        finished = early_stop and not wrong
        if finished or updates >= max_updates + more_updates or visit == visits:
            break
        at = (at + 1) % len(y)
        if mistaken(float(w @ Z[at]), int(y[at])):
            w, updates = step(w, Z[at], int(y[at])), updates + 1
            wrong = len(_mistakes(w, Z, y, mistaken))
            if better(wrong, fewest):
                best, fewest = w, wrong
            at = -1 if restart else at
    return best, w


def _path(X: FloatArray, y: IntArray, max_updates: int) -> tuple[list[FloatArray], list[int]]:
    """The w_t of the right walk, and their mistakes."""
    Z = bias_first(X)
    weights, at = [np.zeros(Z.shape[1])], -1
    while len(weights) <= max_updates and _mistakes(weights[-1], Z, y):
        at = (at + 1) % len(y)
        if zero_is_minus(float(weights[-1] @ Z[at]), int(y[at])):
            weights.append(plus_yx(weights[-1], Z[at], int(y[at])))
    return weights, [len(_mistakes(w, Z, y)) for w in weights]


def _last(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    weights, _ = _path(X, y, max_updates)
    return weights[-1], weights[-1]


def _aliased_start(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    """The first w in the pocket is the very array that the walk changes; later ones are copies."""
    weights, errors = _path(X, y, max_updates)
    best = int(np.argmin(errors))
    return (weights[best] if best else weights[-1]), weights[-1]


def _start_not_in_pocket(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    weights, errors = _path(X, y, max_updates)
    best = 1 + int(np.argmin(errors[1:])) if len(errors) > 1 else 0
    return weights[best], weights[-1]


def _one_late(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    """It counts the mistakes of w_t, but pockets w_{t+1}."""
    weights, errors = _path(X, y, max_updates)
    best, fewest = weights[0], len(y) + 1
    for t in range(len(weights) - 1):
        if errors[t] < fewest:
            best, fewest = weights[t + 1], errors[t]
    return best, weights[-1]


def _keeps_worst(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    weights, errors = _path(X, y, max_updates)
    return weights[int(np.argmax(errors))], weights[-1]


def _greedy(X: FloatArray, y: IntArray, max_updates: int) -> FloatArray:
    """A correction is taken back unless it leaves fewer mistakes; each attempt counts."""
    Z = bias_first(X)
    w, tried, at = np.zeros(Z.shape[1]), 0, -1
    while tried < max_updates and _mistakes(w, Z, y):
        at = (at + 1) % len(y)
        if zero_is_minus(float(w @ Z[at]), int(y[at])):
            new, tried = plus_yx(w, Z[at], int(y[at])), tried + 1
            w = new if len(_mistakes(new, Z, y)) < len(_mistakes(w, Z, y)) else w
    return w


def _in_visits(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    return pocket(X, y, max_updates, visits=max_updates)


def _in_passes(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    return pocket(X, y, _MOST_VISITS, visits=max_updates * len(y))


def _whole_passes(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    """Each pass is walked to its end, whatever is left of the budget when it begins."""
    Z = bias_first(X)
    w, updates = np.zeros(Z.shape[1]), 0
    while updates < max_updates and _mistakes(w, Z, y):
        for z, label in zip(Z, y.tolist(), strict=True):
            if zero_is_minus(float(w @ z), label):
                w, updates = plus_yx(w, z, label), updates + 1
    return pocket(X, y, updates)


def _inner_break(
    X: FloatArray, y: IntArray, max_updates: int, *, spent: Callable[[int, int], bool], every_visit: bool = False
) -> tuple[FloatArray, FloatArray]:
    """max_updates passes; when the budget is spent, only the pass is left.

    every_visit says whether the budget is looked at after every visit, or only after an update.
    """
    Z = bias_first(X)
    w, updates = np.zeros(Z.shape[1]), 0
    best, fewest = w, len(_mistakes(w, Z, y))
    for _ in range(max_updates):
        for z, label in zip(Z, y.tolist(), strict=True):
            if wrong := zero_is_minus(float(w @ z), label):
                w, updates = plus_yx(w, z, label), updates + 1
                now = len(_mistakes(w, Z, y))
                best, fewest = (w, now) if now < fewest else (best, fewest)
            if (wrong or every_visit) and spent(updates, max_updates):
                break
    return best, w


def _pocket_one_pass(X: FloatArray, y: IntArray, max_updates: int) -> tuple[FloatArray, FloatArray]:
    return pocket(X, y, max_updates, visits=len(y))


_SAME_WALK = "Pocket walks exactly as PLA does; "

POCKET_BANK: Final = (
    Wrong("no_bias", "it learns without the constant x₀ = +1, so that its line always goes through the origin",
          "w has d + 1 entries: w₀ is minus the threshold, and it learns from x₀ = +1 like any other weight.", BIAS,
          (partial(pocket, bias=bias_none), partial(pocket, bias=bias_zero))),
    Wrong("bias_last", "it puts the constant x₀ = +1 behind the features instead of in front",
          "the line is the same, but w₀ has to be the first entry of w.", BIAS, (partial(pocket, bias=bias_last),)),
    Wrong("bias_minus", "it uses x₀ = −1, which turns the sign of w₀ around",
          "x₀ is +1 and w₀ = −threshold, so that the score is wᵀx.", BIAS, (partial(pocket, bias=bias_minus),)),
    Wrong("zero_never_wrong", "it never counts a point on the line as a mistake (`<` where `<=` or sign was meant)",
          "at w = 0 every score is 0, so it finds nothing to correct; here sign(0) = −1.", ON_THE_LINE,
          (partial(pocket, mistaken=zero_is_never_wrong),)),
    Wrong("zero_is_plus", "it takes sign(0) to be +1", "here sign(0) = −1, in the walk and in counting mistakes.",
          ON_THE_LINE, (partial(pocket, mistaken=zero_is_plus),)),
    Wrong("zero_always_wrong", "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
          "here sign(0) = −1, and a negative example on the line is right.", ON_THE_LINE,
          (partial(pocket, mistaken=zero_is_always_wrong),)),
    Wrong("minus_update", "it corrects by w − y x instead of w + y x",
          "each correction makes the score of its example worse.", CORRECT, (partial(pocket, step=minus_yx),)),
    Wrong("update_without_y", "it corrects by w + x and forgets y",
          "an example with y = −1 has to push w away: w + y x.", CORRECT, (partial(pocket, step=plus_x),)),
    Wrong("other_eta", "its steps are of another size: η is not 1, or each correction is made more or less than once",
          "from w = 0 that only rescales w, but the w asked for is that of η = 1.", ETA,
          tuple(partial(pocket, step=scaled_step(eta)) for eta in (2.0, 0.5, 0.1, 0.01))),
    Wrong("start_not_zero", "it does not start from w = 0", _SAME_WALK + "the walk begins at w₀ = 0.", POCKET,
          tuple(partial(pocket, start=start) for start in (1.0, -1.0, 0.5))),
    Wrong("restarts", "after an update it starts again from the first example",
          _SAME_WALK + "it goes on from the next example.", POCKET, (partial(pocket, restart=True),)),
    Wrong("restarts_zero_always_wrong", _TWO_MISTAKES, "here sign(0) = −1, so that a negative example on the line is "
          "right; and after an update the walk goes on from the next example.", POCKET,
          (partial(pocket, restart=True, mistaken=zero_is_always_wrong),)),
    Wrong("greedy", "it goes back when a correction does not leave fewer mistakes",
          _SAME_WALK + "only the pocket waits for something better. Going back is greedy, and gets stuck.", GREEDY,
          (_greedy,)),
    Wrong("replaces_on_ties", "it replaces the pocket also when the new w is only as good as the old one",
          "strictly fewer mistakes replace the pocket (`<`, not `<=`).", POCKET,
          (partial(pocket, better=int.__le__),)),
    Wrong("returns_last", "it returns the last w of the walk: either the wrong variable is returned, or the pocket is "
          "the same array as w (`best = w`, then `w += …` changes both)",
          "put a copy in the pocket (`best = w.copy()`), or make a new array with `w = w + y * x`; return the pocket.",
          POCKET, (_last,)),
    Wrong("aliased_start", "the w it starts with goes into the pocket without a copy, and changes there as the walk "
          "goes on", "start with `best = w.copy()`.", POCKET, (_aliased_start,)),
    Wrong("start_not_in_pocket", "the w it starts with is not in the pocket",
          "w₀ = 0 may be the best of all, so the pocket begins with it and its mistakes.", POCKET,
          (_start_not_in_pocket,)),
    Wrong("one_late", "it counts the mistakes of one w but pockets the next one",
          "count the mistakes again after the correction, and pocket the w that was counted.", POCKET, (_one_late,)),
    Wrong("keeps_worst", "it keeps the w with the most mistakes", "the pocket is for the fewest.", POCKET,
          (_keeps_worst,)),
    Wrong("one_update_short", "it makes one update fewer than max_updates",
          "the budget may be spent to the last update.", POCKET, (partial(pocket, more_updates=-1),)),
    Wrong("one_update_over", "it makes one update more than max_updates", "max_updates = 0 allows none.", POCKET,
          (partial(pocket, more_updates=1),)),
    Wrong("budget_in_visits", "its budget counts visits, not updates", "a look at an example that is right is free.",
          POCKET, (_in_visits,)),
    Wrong("budget_in_passes", "its budget counts passes over the data, not updates", "each correction costs one.",
          POCKET, (_in_passes,)),
    Wrong("budget_after_pass", "it looks at its budget only after a whole pass, and so makes more updates than allowed",
          "look at it after every update.", POCKET, (_whole_passes,)),
    Wrong("break_leaves_inner_loop", "when its budget is spent, `break` leaves only the inner loop, and the next pass "
          "walks on", "a `break` ends one loop: use `return`, or look at the budget in the outer loop too.", POCKET,
          (partial(_inner_break, spent=int.__eq__), partial(_inner_break, spent=int.__ge__),
           partial(_inner_break, spent=int.__eq__, every_visit=True))),
    Wrong("one_pass", "it goes through the examples only once", "go on until the budget is spent, or no mistake left.",
          POCKET, (_pocket_one_pass,)),
    Wrong("never_stops_early", "when no mistakes are left it goes on looking for one, forever",
          "no mistakes end the walk before max_updates.", POCKET, (partial(pocket, early_stop=False),)),
)  # fmt: skip


# --- The small functions ---------------------------------------------------------------------------------------------


def _score(w: FloatArray, x: FloatArray) -> float:
    return float(w[0] + w[1:] @ x)


def _score_without_bias(w: FloatArray, x: FloatArray) -> float:
    return float(w[1:] @ x)


def _score_bias_last(w: FloatArray, x: FloatArray) -> float:
    return float(w[:-1] @ x + w[-1])


def _score_minus(w: FloatArray, x: FloatArray) -> float:
    return float(w[1:] @ x - w[0])


def _sign(s: float) -> int:
    return 1 if s > 0 else -1


def _judging(
    judge: Callable[..., Any], score: Callable[[FloatArray, FloatArray], float] = _score,
    mistaken: Mistaken = zero_is_minus,
) -> Callable[..., Any]:  # fmt: skip
    """A version of f(w, X, y): which examples are mistakes, by this score and this convention, handed to `judge`."""

    def version(w: FloatArray, X: FloatArray, y: IntArray) -> Any:
        return judge([mistaken(score(w, x), int(label)) for x, label in zip(X, y, strict=True)])

    return version


def _scores_wrong(make: Callable[..., Callable[..., Any]], read: str = BIAS) -> tuple[Wrong, ...]:
    """The three ways to get wᵀx wrong, for any function that is made from a score."""
    return (
        Wrong("no_bias", "it leaves out w₀", "wᵀx begins with w₀·x₀, and x₀ = +1.", read, (make(_score_without_bias),)),
        Wrong("bias_last", "it takes the last entry of w for w₀", "w₀ is the first entry: w[0].", read,
              (make(_score_bias_last),)),
        Wrong("bias_minus", "it subtracts w₀ instead of adding it",
              "w₀ is already minus the threshold, so the score is w₀ + w₁x₁ + w₂x₂ and so on.", read,
              (make(_score_minus),)),
    )  # fmt: skip


def _zeros_wrong(make: Callable[[Mistaken], Callable[..., Any]]) -> tuple[Wrong, ...]:
    """The three other things that can happen on the line."""
    return (
        Wrong("zero_never_wrong", "it never counts a point on the line as a mistake (y wᵀx < 0)",
              "here sign(0) = −1: a positive example on the line is a mistake.", ON_THE_LINE,
              (make(zero_is_never_wrong),)),
        Wrong("zero_is_plus", "it takes sign(0) to be +1", "here sign(0) = −1.", ON_THE_LINE, (make(zero_is_plus),)),
        Wrong("zero_always_wrong", "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
              "here sign(0) = −1: a negative example on the line is right.", ON_THE_LINE,
              (make(zero_is_always_wrong),)),
    )  # fmt: skip


WITH_BIAS: Final = (
    Wrong("bias_last", "it puts the ones behind the features", "x₀ comes first, so that w₀ is w[0].", BIAS,
          (bias_last,)),
    Wrong("bias_minus", "it puts −1 in front", "x₀ = +1; it is w₀ that is minus the threshold.", BIAS, (bias_minus,)),
    Wrong("bias_zero", "it puts 0 in front", "with x₀ = 0 the threshold is lost; x₀ = +1.", BIAS, (bias_zero,)),
    Wrong("no_bias", "it returns X as it was", "a column of ones has to be put in front.", BIAS, (bias_none,)),
    Wrong("bias_as_row", "it puts a row of ones on top", "x₀ belongs to every example, so it is a column: axis=1.",
          BIAS, (lambda X: np.vstack([np.ones(X.shape[1]), X]),)),
    Wrong("transposed", "it returns rows and columns exchanged", "each example is a row.", BIAS,
          (lambda X: bias_first(X).T, lambda X: np.vstack([np.ones(len(X)), X.T]).copy())),
    Wrong("flattened", "it returns all numbers in one row", "numpy.insert needs axis=1: each example stays a row.",
          BIAS, (lambda X: np.insert(X, 0, 1.0), lambda X: bias_first(X).ravel())),
)  # fmt: skip

SIGN: Final = (
    Wrong("zero_is_plus", "it gives +1 at zero (`>=` where `>` was meant)", "here sign(0) = −1.", ON_THE_LINE,
          (lambda s: 1 if s >= 0 else -1,)),
    Wrong("zero_is_zero", "it gives 0 at zero, as numpy.sign does",
          "a perceptron answers yes or no, and here sign(0) = −1.", ON_THE_LINE,
          (lambda s: int(np.sign(s)),)),
    Wrong("flipped", "its signs are the wrong way round", "a positive score is +1.", SCORE, (lambda s: -_sign(s),)),
    Wrong("zero_one_labels", "it answers 1 and 0 (or True and False)", "the labels are +1 and −1.", SCORE,
          (lambda s: int(s > 0), lambda s: int(s >= 0))),
    Wrong("rounds", "it rounds the score before it looks at its sign", "0.4 is positive.", SCORE,
          (lambda s: _sign(int(s)), lambda s: _sign(round(s)))),
    Wrong("returns_score", "it returns the score itself", "only its sign is asked for.", SCORE, (lambda s: s,)),
)  # fmt: skip


def _is_mistake(score: Callable[..., float] = _score, mistaken: Mistaken = zero_is_minus) -> Callable[..., Any]:
    return lambda w, x, y: mistaken(score(w, x), y)


IS_MISTAKE: Final = (
    *_scores_wrong(_is_mistake),
    *_zeros_wrong(lambda mistaken: _is_mistake(mistaken=mistaken)),
    Wrong("inverted", "it says True for examples that are right", "a mistake is sign(wᵀx) ≠ y.", FIND,
          (lambda w, x, y: not zero_is_minus(_score(w, x), y),)),
    Wrong("ignores_y", "it does not look at y", "the same score is right for one label and wrong for the other.", FIND,
          (lambda w, x, _y: _score(w, x) <= 0, lambda w, x, _y: _score(w, x) > 0)),
    Wrong("zero_one_labels", "it expects the labels 0 and 1", "the labels are −1 and +1.", FIND,
          (lambda w, x, y: int(_score(w, x) > 0) != y,)),
)  # fmt: skip


def _predict(score: Callable[..., float] = _score, sign: Callable[[float], Any] = _sign) -> Callable[..., Any]:
    return lambda w, X: [sign(score(w, x)) for x in X]


PREDICT: Final = (
    *_scores_wrong(_predict),
    Wrong("zero_is_plus", "it predicts +1 on the line", "here sign(0) = −1.", ON_THE_LINE,
          (_predict(sign=lambda s: 1 if s >= 0 else -1),)),
    Wrong("zero_is_zero", "it predicts 0 on the line, as numpy.sign does", "here sign(0) = −1.", ON_THE_LINE,
          (_predict(sign=lambda s: int(np.sign(s))),)),
    Wrong("flipped", "its labels are the wrong way round", "a positive score is +1.", SCORE,
          (_predict(sign=lambda s: -_sign(s)),)),
    Wrong("zero_one_labels", "it predicts 1 and 0 (or True and False)", "the labels are +1 and −1.", SCORE,
          (_predict(sign=lambda s: int(s > 0)),)),
    Wrong("returns_score", "it returns the scores themselves", "a prediction is the sign of the score.", SCORE,
          (_predict(sign=float),)),
)  # fmt: skip


def _places(wrong: list[bool]) -> list[int]:
    return [n for n, each in enumerate(wrong) if each]


MISTAKES: Final = (
    *_scores_wrong(lambda score: _judging(_places, score)),
    *_zeros_wrong(lambda mistaken: _judging(_places, mistaken=mistaken)),
    Wrong("counts_right", "it takes the examples that are right", "a mistake is sign(wᵀx) ≠ y.", JUDGING,
          (_judging(lambda wrong: _places([not each for each in wrong])),)),
    Wrong("numbers_from_one", "it numbers the examples from 1", "the first example is number 0.", JUDGING,
          (_judging(lambda wrong: [n + 1 for n in _places(wrong)]),)),
    Wrong("rate", "it returns the fraction of mistakes", "here their number is asked for.", JUDGING,
          (_judging(lambda wrong: sum(wrong) / len(wrong)),)),
    Wrong("zero_one_mask", "it gives a 0 or a 1 for each example",
          "give the numbers of the mistakes, or True and False for each example.", JUDGING,
          (_judging(lambda wrong: [int(each) for each in wrong]),)),
    Wrong("first_only", "it stops at the first mistake", "all of them are asked for.", JUDGING,
          (_judging(lambda wrong: _places(wrong)[:1]),)),
)  # fmt: skip


def _rate(wrong: list[bool]) -> float:
    return sum(wrong) / len(wrong)


ERROR_RATE: Final = (
    *_scores_wrong(lambda score: _judging(_rate, score)),
    *_zeros_wrong(lambda mistaken: _judging(_rate, mistaken=mistaken)),
    Wrong("count", "it returns the number of mistakes", "divide by N.", JUDGING, (_judging(sum),)),
    Wrong("accuracy", "it returns the fraction that is right", "the error rate is 1 minus that.", JUDGING,
          (_judging(lambda wrong: 1 - _rate(wrong)),)),
    Wrong("percent", "it returns per cent", "a fraction from 0 to 1 is asked for.", JUDGING,
          (_judging(lambda wrong: 100 * _rate(wrong)),)),
    Wrong("whole_division", "it divides in whole numbers (`//`)", "use `/`.", JUDGING,
          (_judging(lambda wrong: sum(wrong) // len(wrong)),)),
)  # fmt: skip


def _update(
    step: Step = plus_yx, bias: Callable[[FloatArray], FloatArray] = bias_first
) -> Callable[[FloatArray, FloatArray, int], FloatArray]:
    return lambda w, x, y: step(w, bias(x[np.newaxis])[0], y)


UPDATE: Final = (
    Wrong("minus_update", "it computes w − y x", "the score of the example must grow: w + y x.", CORRECT,
          (_update(minus_yx),)),
    Wrong("update_without_y", "it computes w + x and forgets y", "y says in which direction: w + y x.", CORRECT,
          (_update(plus_x),)),
    Wrong("no_bias", "it leaves w₀ as it was", "x₀ = +1 belongs to x, so w₀ grows by y.", BIAS,
          (_update(bias=bias_zero), lambda w, x, y: w[1:] + y * x)),
    Wrong("bias_last", "it treats the last entry of w as w₀", "w₀ is the first entry.", BIAS,
          (_update(bias=bias_last),)),
    Wrong("bias_minus", "it uses x₀ = −1", "x₀ = +1.", BIAS, (_update(bias=bias_minus),)),
    Wrong("bias_without_y", "it adds 1 to w₀ whatever y is", "w₀ grows by y·x₀ = y.", BIAS,
          (lambda w, x, y: np.append(w[0] + 1, w[1:] + y * x),)),
    Wrong("forgets_w", "it returns y x and forgets the old w", "the correction is added to w.", CORRECT,
          (_update(lambda _w, x, y: y * x),)),
    Wrong("other_eta", "its step is of another size: η is not 1", "here η = 1.", ETA,
          tuple(_update(scaled_step(eta)) for eta in (2.0, 0.5, 0.1, 0.01))),
    Wrong("no_change", "it returns w unchanged", "return the new w: w + y x.", CORRECT, (lambda w, _x, _y: w,)),
    Wrong("adds_y", "it adds y to every entry and forgets x", "the correction is y x.", CORRECT,
          (lambda w, _x, y: w + y,)),
)  # fmt: skip


def _lengths(Z: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt((Z**2).sum(axis=1)))


RADIUS: Final = (
    Wrong("no_bias", "it measures without x₀", "R is measured with x₀ = +1, as w is.", GROWTH,
          (lambda X: _lengths(X).max(),)),
    Wrong("squared", "it returns R²", "the square root is missing.", GROWTH,
          (lambda X: (_lengths(bias_first(X)) ** 2).max(),)),
    Wrong("no_bias_squared", "it measures without x₀, and returns the square", "R is measured with x₀ = +1, and is a "
          "length.", GROWTH, (lambda X: (_lengths(X) ** 2).max(),)),
    Wrong("from_the_mean", "it measures from the mean of the examples", "R is the distance from the origin.", GROWTH,
          (lambda X: _lengths(X - X.mean(axis=0)).max(), lambda X: _lengths(bias_first(X - X.mean(axis=0))).max())),
    Wrong("largest_entry", "it returns the largest entry", "R is the length of the longest x.", GROWTH,
          (lambda X: np.abs(X).max(), lambda X: X.max())),
    Wrong("shortest", "it returns the length of the shortest example", "R is that of the longest.", GROWTH,
          (lambda X: _lengths(bias_first(X)).min(),)),
    Wrong("mean_length", "it returns the mean length", "R is the largest one: it has to hold for every update.", GROWTH,
          (lambda X: _lengths(bias_first(X)).mean(),)),
    Wrong("all_together", "it takes the length of the whole table", "numpy.linalg.norm needs axis=1.", GROWTH,
          (lambda X: np.linalg.norm(bias_first(X)), np.linalg.norm)),
    Wrong("sum_of_sizes", "it adds up the sizes of the entries", "a length is the root of the sum of squares.", GROWTH,
          (lambda X: np.abs(bias_first(X)).sum(axis=1).max(),)),
)  # fmt: skip


def _margins(X: FloatArray, y: IntArray, w_f: FloatArray) -> FloatArray:
    return np.asarray(y * (bias_first(X) @ w_f))


def _length(w: FloatArray) -> float:
    return float(np.linalg.norm(w))


MARGIN: Final = (
    Wrong("not_divided", "it does not divide by ‖w_f‖", "ρ must not change when w_f is scaled.", GAIN,
          (lambda X, y, w: _margins(X, y, w).min(),)),
    Wrong("no_bias", "it leaves out w₀ and x₀", "ρ is measured with x₀ = +1.", GAIN,
          (lambda X, y, w: (y * (X @ w[1:])).min() / _length(w),
           lambda X, y, w: (y * (X @ w[1:])).min() / _length(w[1:]))),
    Wrong("length_without_bias", "it divides by the length of (w₁, …, w_d), without w₀",
          "that is the distance in the picture; the proof's ρ divides by the length of all of w_f.", GAIN,
          (lambda X, y, w: _margins(X, y, w).min() / _length(w[1:]),)),
    Wrong("absolute", "it takes the distance without its sign", "an example on the wrong side makes ρ negative.", GAIN,
          (lambda X, y, w: np.abs(_margins(X, y, w)).min() / _length(w),)),
    Wrong("without_y", "it forgets y", "y wᵀx is positive for every example that is right.", GAIN,
          (lambda X, _y, w: (bias_first(X) @ w).min() / _length(w),)),
    Wrong("largest", "it takes the largest instead of the smallest", "ρ belongs to the nearest example.", GAIN,
          (lambda X, y, w: _margins(X, y, w).max() / _length(w),)),
    Wrong("mean", "it takes the mean", "ρ is the smallest: it has to hold for every update.", GAIN,
          (lambda X, y, w: _margins(X, y, w).mean() / _length(w),)),
    Wrong("length_squared", "it divides by ‖w_f‖²", "divide by ‖w_f‖.", GAIN,
          (lambda X, y, w: _margins(X, y, w).min() / _length(w) ** 2,)),
    Wrong("of_unit_examples", "it divides by the length of x as well", "only w_f is brought to length 1.", GAIN,
          (lambda X, y, w: (_margins(X, y, w) / _lengths(bias_first(X))).min() / _length(w),)),
)  # fmt: skip


def _bound(
    of: Callable[[float, float], float], R: Callable[[FloatArray], float] = lambda X: _lengths(bias_first(X)).max(),
    rho: Callable[..., float] = lambda X, y, w: _margins(X, y, w).min() / _length(w),
) -> Callable[..., float]:  # fmt: skip
    return lambda X, y, w: of(float(R(X)), float(rho(X, y, w)))


def _right_bound(R: float, rho: float) -> float:
    return R**2 / rho**2


UPDATE_BOUND: Final = (
    Wrong("not_squared", "it returns R/ρ", "squaring √T ρ/R ≤ 1 gives T ≤ R²/ρ².", BOUND,
          (_bound(lambda R, rho: R / rho),)),
    Wrong("upside_down", "it returns ρ²/R², or ρ/R", "T ≤ R²/ρ²: a small margin allows many updates.", BOUND,
          (_bound(lambda R, rho: rho**2 / R**2), _bound(lambda R, rho: rho / R))),
    Wrong("half_squared", "it squares only one of R and ρ", "both are squared: R²/ρ².", BOUND,
          (_bound(lambda R, rho: R**2 / rho), _bound(lambda R, rho: R / rho**2))),
    Wrong("radius_without_bias", "its R is measured without x₀", "R is measured with x₀ = +1.", GROWTH,
          (_bound(_right_bound, lambda X: _lengths(X).max()),)),
    Wrong("margin_not_divided", "its ρ is not divided by ‖w_f‖", "the bound must not change when w_f is scaled.", GAIN,
          (_bound(_right_bound, rho=lambda X, y, w: _margins(X, y, w).min()),)),
    Wrong("length_without_bias", "its ρ is divided by the length of (w₁, …, w_d), without w₀",
          "the proof's ρ divides by the length of all of w_f.", GAIN,
          (_bound(_right_bound, rho=lambda X, y, w: _margins(X, y, w).min() / _length(w[1:])),)),
    Wrong("no_bias", "it leaves x₀ and w₀ out of R and ρ", "both are measured with x₀ = +1.", BOUND,
          (_bound(_right_bound, lambda X: _lengths(X).max(),
                  lambda X, y, w: (y * (X @ w[1:])).min() / _length(w[1:])),)),
    Wrong("product", "it multiplies R² and ρ²", "ρ² divides.", BOUND, (_bound(lambda R, rho: R**2 * rho**2),)),
)  # fmt: skip


# --- Many runs: f(X, y, cycles) → the updates of each ----------------------------------------------------------------


def _each(version: Callable[..., Any]) -> Callable[[FloatArray, IntArray, IntArray], list[int]]:
    """One count for each cycle, by this version of PLA."""
    return lambda X, y, cycles: [int(version(X, y, cycle)[1]) for cycle in cycles]


def _carrying_on(X: FloatArray, y: IntArray, cycles: IntArray) -> list[int]:
    """The w of one run is where the next begins."""
    Z = bias_first(X)
    w, counts = np.zeros(Z.shape[1]), []
    for cycle in cycles:
        updates = clean = 0
        for visit in _visits():
            n = int(cycle[visit % len(cycle)])
            clean += 1
            if zero_is_minus(float(w @ Z[n]), int(y[n])):
                w, updates, clean = plus_yx(w, Z[n], int(y[n])), updates + 1, 0
            if clean == len(cycle):
                break
        counts.append(updates)
    return counts


def _growing(X: FloatArray, y: IntArray, cycles: IntArray) -> list[int]:
    """The count is never set back to 0."""
    return [int(total) for total in np.cumsum(_each(walk)(X, y, cycles))]


_PLA_BY_ID = {it.id: it for it in PLA}


def _as_many_runs(id: str) -> Wrong:
    it = _PLA_BY_ID[id]
    return Wrong(it.id, it.what.removeprefix("its w is right, but "), it.why, it.read,
                 tuple(_each(version) for version in it.versions))  # fmt: skip


REPEAT: Final = (
    *(_as_many_runs(each) for each in (
        "no_bias", "zero_never_wrong", "zero_is_plus", "zero_always_wrong", "minus_update", "update_without_y",
        "restarts", "restarts_zero_always_wrong", "stays", "every_point", "batch", "one_pass", "counts_visits",
        "counts_passes", "count_off_by_one",
    )),
    Wrong("ignores_order", "it visits the examples in the order 0, 1, 2, … in every run",
          "each run has a cycle of its own.", HISTOGRAM, (_each(_another_order),)),
    Wrong("carries_on", "it starts a run with the w of the run before",
          "each run starts from w = 0: set w to 0 inside the loop over cycles.", HISTOGRAM,
          (_carrying_on,)),
    Wrong("keeps_counting", "its count goes on from run to run", "set the count to 0 at the start of each run.",
          HISTOGRAM, (_growing,)),
    Wrong("total", "it returns the sum over all runs", "each run's updates are asked for, or their mean.", HISTOGRAM,
          (lambda X, y, cycles: sum(_each(walk)(X, y, cycles)),)),
    Wrong("median", "it returns the median", "the mean is asked for (or each run's updates).", HISTOGRAM,
          (lambda X, y, cycles: float(np.median(_each(walk)(X, y, cycles))),)),
)  # fmt: skip

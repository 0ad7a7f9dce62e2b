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
AGAINST_GREEDY: Final = 'notebook 04, "Pocket against greedy"'
HARD: Final = 'notebook 03, "How tight can it be?"'
CONFLICT: Final = 'notebook 04, "Proof that no line will do"'
MANY_POCKETS: Final = 'notebook 04, "Pocket, two thousand times"'
REAL: Final = 'notebook 04, "Real applicants, real mail"'


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
    order: Any = None,
) -> tuple[FloatArray, FloatArray]:
    """Cyclic Pocket with one piece exchanged."""
    Z, cycle = bias(X), _cycle(order, y)
    w = np.full(Z.shape[1], start)
    wrong = fewest = len(_mistakes(w, Z, y, mistaken))
    best, updates, at = w, 0, -1
    for visit in _visits():
        finished = early_stop and not wrong
        if finished or updates >= max_updates + more_updates or visit == visits:
            break
        at = (at + 1) % len(cycle)
        n = cycle[at]
        if mistaken(float(w @ Z[n]), int(y[n])):
            w, updates = step(w, Z[n], int(y[n])), updates + 1
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


def _greedy_pocket(X: FloatArray, y: IntArray, max_updates: int) -> FloatArray:
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
          (_greedy_pocket,)),
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


# --- Greedy: f(X, y, order) → w --------------------------------------------------------------------------------------


def greedy(
    X: FloatArray,
    y: IntArray,
    order: Any,
    *,
    bias: Callable[[FloatArray], FloatArray] = bias_first,
    mistaken: Mistaken = zero_is_minus,
    step: Step = plus_yx,
    start: float = 0.0,
    better: Callable[[int, int], bool] = int.__lt__,
    restart: bool = False,
    visits: int | None = None,
    every_point: bool = False,
) -> FloatArray:
    """Greedy with one piece exchanged: until a whole cycle passes in which no correction is kept."""
    Z, cycle = bias(X), _cycle(order, y)
    w = np.full(Z.shape[1], start)
    wrong, since, at = len(_mistakes(w, Z, y, mistaken)), 0, -1
    for visit in _visits():
        if not wrong or since == len(cycle) or visit == visits:
            break
        at, since = (at + 1) % len(cycle), since + 1
        n = cycle[at]
        if every_point or mistaken(float(w @ Z[n]), int(y[n])):
            new = step(w, Z[n], int(y[n]))
            now = len(_mistakes(new, Z, y, mistaken))
            if better(now, wrong):
                w, wrong, since = new, now, 0
                at = -1 if restart else at
    return w


def _greedy_in_passes(X: FloatArray, y: IntArray, order: Any, *, better: Callable[[int, int], bool]) -> FloatArray:
    """The same, looking only after each pass whether anything was kept in it."""
    Z, cycle = bias_first(X), _cycle(order, y)
    w, kept = np.zeros(Z.shape[1]), True
    for _ in range(_MOST_VISITS // len(cycle)):
        if not kept:
            return w
        kept = False
        for n in cycle:
            new = plus_yx(w, Z[n], int(y[n]))
            if zero_is_minus(float(w @ Z[n]), int(y[n])) and better(len(_mistakes(new, Z, y)), len(_mistakes(w, Z, y))):
                w, kept = new, True
    raise Endless


def _if_this_one_is_right(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    """A correction is kept if it makes its own example right, whatever it does to the others."""
    Z, cycle = bias_first(X), _cycle(order, y)
    w, since = np.zeros(Z.shape[1]), 0
    for visit in _visits():
        if not _mistakes(w, Z, y) or since == len(cycle):
            break
        n, since = cycle[visit % len(cycle)], since + 1
        new = plus_yx(w, Z[n], int(y[n]))
        if zero_is_minus(float(w @ Z[n]), int(y[n])) and not zero_is_minus(float(new @ Z[n]), int(y[n])):
            w, since = new, 0
    return w


def _best_of_all(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    """All corrections are tried, and the best of them is made."""
    Z, cycle = bias_first(X), _cycle(order, y)
    w = np.zeros(Z.shape[1])
    while True:
        tries = [plus_yx(w, Z[n], int(y[n])) for n in cycle if zero_is_minus(float(w @ Z[n]), int(y[n]))]
        best = min(tries, key=lambda new: len(_mistakes(new, Z, y)), default=w)
        if len(_mistakes(best, Z, y)) >= len(_mistakes(w, Z, y)):
            return w
        w = best


def _first_refusal_ends(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    Z, cycle = bias_first(X), _cycle(order, y)
    w = np.zeros(Z.shape[1])
    for visit in _visits():
        n = cycle[visit % len(cycle)]
        if not _mistakes(w, Z, y):
            break
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            new = plus_yx(w, Z[n], int(y[n]))
            if len(_mistakes(new, Z, y)) >= len(_mistakes(w, Z, y)):
                break
            w = new
    return w


def _one_kept(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    Z, w = bias_first(X), np.zeros(X.shape[1] + 1)
    for n in _cycle(order, y):
        new = plus_yx(w, Z[n], int(y[n]))
        if zero_is_minus(float(w @ Z[n]), int(y[n])) and len(_mistakes(new, Z, y)) < len(_mistakes(w, Z, y)):
            return new
    return w


def _walks_on(X: FloatArray, y: IntArray, order: Any, *, in_passes: bool, keep_best: bool) -> FloatArray:
    """Every correction stays; it ends when for a whole cycle no w was better than the best before."""
    Z, cycle = bias_first(X), _cycle(order, y)
    w = best = np.zeros(Z.shape[1])
    fewest, since = len(_mistakes(w, Z, y)), 0
    for visit in _visits():
        at_the_end = visit % len(cycle) == 0 or not in_passes
        if not fewest or (since >= len(cycle) and at_the_end):
            break
        n, since = cycle[visit % len(cycle)], since + 1
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            w = plus_yx(w, Z[n], int(y[n]))
            if len(_mistakes(w, Z, y)) < fewest:
                best, fewest, since = w, len(_mistakes(w, Z, y)), 0
    return best if keep_best else w


def _stays_changed(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    """The new w is the very array of the old one: every correction stays, and none looks better than itself."""
    return _some_passes(X, y, order)[0]


GREEDY_BANK: Final = (
    Wrong("no_bias", "it learns without the constant x₀ = +1, so that its line always goes through the origin",
          "w has d + 1 entries: w₀ is minus the threshold, and it learns from x₀ = +1 like any other weight.", BIAS,
          (partial(greedy, bias=bias_none), partial(greedy, bias=bias_zero))),
    Wrong("bias_last", "it puts the constant x₀ = +1 behind the features instead of in front",
          "the line is the same, but w₀ has to be the first entry of w.", BIAS, (partial(greedy, bias=bias_last),)),
    Wrong("bias_minus", "it uses x₀ = −1, which turns the sign of w₀ around",
          "x₀ is +1 and w₀ = −threshold, so that the score is wᵀx.", BIAS, (partial(greedy, bias=bias_minus),)),
    Wrong("zero_never_wrong", "it never counts a point on the line as a mistake (`<` where `<=` or sign was meant)",
          "at w = 0 every score is 0, so it finds nothing to correct; here sign(0) = −1.", ON_THE_LINE,
          (partial(greedy, mistaken=zero_is_never_wrong),)),
    Wrong("zero_is_plus", "it takes sign(0) to be +1", "here sign(0) = −1, in the walk and in counting mistakes.",
          ON_THE_LINE, (partial(greedy, mistaken=zero_is_plus),)),
    Wrong("zero_always_wrong", "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
          "here sign(0) = −1, and a negative example on the line is right.", ON_THE_LINE,
          (partial(greedy, mistaken=zero_is_always_wrong),)),
    Wrong("minus_update", "it corrects by w − y x instead of w + y x",
          "each correction makes the score of its example worse.", CORRECT, (partial(greedy, step=minus_yx),)),
    Wrong("update_without_y", "it corrects by w + x and forgets y",
          "an example with y = −1 has to push w away: w + y x.", CORRECT, (partial(greedy, step=plus_x),)),
    Wrong("other_eta", "its steps are of another size: η is not 1", "the w asked for is that of η = 1.", ETA,
          tuple(partial(greedy, step=scaled_step(eta)) for eta in (2.0, 0.5, 0.1, 0.01))),
    Wrong("start_not_zero", "it does not start from w = 0", "greedy begins where PLA does, at w₀ = 0.", AGAINST_GREEDY,
          tuple(partial(greedy, start=start) for start in (1.0, -1.0, 0.5))),
    Wrong("ignores_order", "it visits the examples in the order 0, 1, 2, … and not in the order it is given",
          "the third argument is the cycle to use.", AGAINST_GREEDY, (lambda X, y, _order: greedy(X, y, None),)),
    Wrong("keeps_ties", "it keeps a correction also when it makes only as many mistakes as before",
          "strictly fewer mistakes are asked for (`<`, not `<=`).", AGAINST_GREEDY,
          (partial(greedy, better=int.__le__), partial(_greedy_in_passes, better=int.__le__))),
    Wrong("keeps_worse", "it keeps the corrections that make more mistakes, and takes back the good ones",
          "keep the new w if its mistakes are fewer (`<`).", AGAINST_GREEDY, (partial(greedy, better=int.__gt__),)),
    Wrong("never_goes_back", "it never goes back: a correction that does not help stays in w",
          "keep the old w, and return to it unless the new one makes fewer mistakes; what walks on and keeps its best "
          "elsewhere is Pocket.", AGAINST_GREEDY,
          tuple(partial(_walks_on, in_passes=passes, keep_best=best) for passes in (True, False)
                for best in (True, False))),
    Wrong("aliased", "the new w and the old one are the same array (`new = w`, then `new += …` changes both), so there "
          "is nothing to go back to", "make a new array: `new = w + y * x`.", AGAINST_GREEDY, (_stays_changed,)),
    Wrong("every_point", "it tries y x also for examples that are right already",
          "only mistakes are corrected, as in PLA.", AGAINST_GREEDY, (partial(greedy, every_point=True),)),
    Wrong("if_this_one_is_right", "it keeps a correction if the corrected example is right afterwards",
          "the mistakes on all examples decide.", AGAINST_GREEDY, (_if_this_one_is_right,)),
    Wrong("restarts", "after a correction that it keeps, it starts again from the first example",
          "it should go on from the next one, as PLA does.", AGAINST_GREEDY, (partial(greedy, restart=True),)),
    Wrong("best_of_all", "it tries all corrections and makes the best one",
          "here the examples are visited in turn, and the first correction that helps is kept.", AGAINST_GREEDY,
          (_best_of_all,)),
    Wrong("first_refusal_ends", "it stops at the first correction that does not help",
          "another example may still help: go on until a whole cycle has brought nothing.", AGAINST_GREEDY,
          (_first_refusal_ends,)),
    Wrong("one_kept", "it returns after the first correction that helps",
          "go on until a whole cycle has brought nothing.", AGAINST_GREEDY, (_one_kept,)),
    Wrong("one_pass", "it goes through the examples only once", "go on until a whole cycle has brought nothing.",
          AGAINST_GREEDY, (lambda X, y, order: greedy(X, y, order, visits=len(y)),)),
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
    Wrong("adds_one", "it adds 1 to the length of x instead of 1 to its square", "x₀ = +1 stands beside the features: "
          "R² is the sum of all squares, 1² among them.", GROWTH, (lambda X: _lengths(X).max() + 1,)),
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
    Wrong("columns", "it measures columns instead of rows", "each example is a row: axis=1.", GROWTH,
          (lambda X: _lengths(bias_first(X).T).max(), lambda X: _lengths(X.T).max())),
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


def _rounded_bound(R: float, rho: float, *, to: Callable[[float], Any], nudge: float) -> float:
    """Rounded; a bound that is whole already may have come out a little less, or a little more."""
    return float(to(_right_bound(R, rho) * (1 + nudge)))


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
    Wrong("rounded", "it rounds R²/ρ² to a whole number", "T is a whole number, its bound need not be.", BOUND,
          tuple(_bound(partial(_rounded_bound, to=to, nudge=nudge))
                for to in (np.floor, np.ceil, np.round) for nudge in (-1e-12, 1e-12))),
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
    Wrong("first_run_only", "it returns after the first run", "put `return` behind the loop over cycles, not in it.",
          HISTOGRAM, (lambda X, y, cycles: _each(walk)(X, y, cycles[:1]),)),
    Wrong("total", "it returns the sum over all runs", "each run's updates are asked for, or their mean.", HISTOGRAM,
          (lambda X, y, cycles: sum(_each(walk)(X, y, cycles)),)),
    Wrong("median", "it returns the median", "the mean is asked for (or each run's updates).", HISTOGRAM,
          (lambda X, y, cycles: float(np.median(_each(walk)(X, y, cycles))),)),
)  # fmt: skip


# --- Many Pockets: f(X, y, X_test, y_test, cycles, max_updates) → four lists of error rates --------------------------


Errors: TypeAlias = list[list[float]]
Ways: TypeAlias = Callable[..., tuple[FloatArray, FloatArray]]  # (X, y, max_updates, order=…) → pocket, last w


def _rate_of(w: FloatArray, X: FloatArray, y: IntArray, mistaken: Mistaken = zero_is_minus) -> float:
    return len(_mistakes(w, bias_first(X), y, mistaken)) / len(y)


def many_pockets(
    X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, cycles: IntArray, max_updates: int,
    *, way: Ways = pocket, rate: Callable[..., float] = _rate_of,
) -> Errors:  # fmt: skip
    """The errors of the pocket (train, test) and of the last w (train, test), with one piece exchanged."""
    both = [way(X, y, max_updates, order=cycle) for cycle in cycles]
    return [[rate(w[k], *data) for w in both] for k in (0, 1) for data in ((X, y), (X_test, y_test))]


def _rearranged(rows: tuple[int, int, int, int]) -> Callable[..., Errors]:
    """The right numbers in another order."""

    def version(*arguments: Any) -> Errors:
        errors = many_pockets(*arguments)
        return [errors[row] for row in rows]

    return version


def _with_rate(rate: Callable[..., float]) -> Callable[..., Errors]:
    return partial(many_pockets, rate=rate)


def _with_way(way: Ways) -> Callable[..., Errors]:
    return partial(many_pockets, way=way)


def _with_pieces(**pieces: Any) -> Callable[..., Errors]:
    """Pocket with one piece exchanged, and the errors by the same convention."""
    rate = partial(_rate_of, mistaken=pieces["mistaken"]) if "mistaken" in pieces else _rate_of
    return partial(many_pockets, way=partial(pocket, **pieces), rate=rate)


def _steps_along(
    X: FloatArray, y: IntArray, max_updates: int, cycle: Any, start: FloatArray
) -> Iterator[FloatArray]:  # fmt: skip
    """The w_t of Pocket's walk from any start."""
    Z, w, updates = bias_first(X), start, 0
    yield w
    for visit in _visits():
        if updates == max_updates or not _mistakes(w, Z, y):
            return
        n = int(cycle[visit % len(cycle)])
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            w, updates = plus_yx(w, Z[n], int(y[n])), updates + 1
            yield w


def _best_by(X: FloatArray, y: IntArray, weights: list[FloatArray]) -> FloatArray:
    return min(weights, key=lambda w: len(_mistakes(w, bias_first(X), y)))  # the first of the best


def _one_after_the_other(
    X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, cycles: IntArray, max_updates: int,
    *, keep_pocket: bool, keep_w: bool,
) -> Errors:  # fmt: skip
    """A run begins with the w, or the pocket, of the run before."""
    found = []
    w = best = np.zeros(X.shape[1] + 1)
    for cycle in cycles:
        weights = list(_steps_along(X, y, max_updates, cycle, w if keep_w else np.zeros(X.shape[1] + 1)))
        best, w = _best_by(X, y, [best, *weights] if keep_pocket else weights), weights[-1]
        found.append((best, w))
    return [[_rate_of(pair[k], *data) for pair in found] for k in (0, 1) for data in ((X, y), (X_test, y_test))]


def _peeking(
    X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, cycles: IntArray, max_updates: int
) -> Errors:  # fmt: skip
    """The pocket is chosen by the test examples."""
    found = []
    for cycle in cycles:
        weights = list(_steps_along(X, y, max_updates, cycle, np.zeros(X.shape[1] + 1)))
        found.append((_best_by(X_test, y_test, weights), weights[-1]))
    return [[_rate_of(pair[k], *data) for pair in found] for k in (0, 1) for data in ((X, y), (X_test, y_test))]


def _learning_from_test(
    X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, cycles: IntArray, max_updates: int
) -> Errors:  # fmt: skip
    """It learns from both, the test examples behind the others."""
    both, labels = np.vstack([X, X_test]), np.append(y, y_test)
    ways = [pocket(both, labels, max_updates, order=[*cycle, *range(len(y), len(labels))]) for cycle in cycles]
    return [[_rate_of(w[k], *data) for w in ways] for k in (0, 1) for data in ((X, y), (X_test, y_test))]


REPEAT_POCKET: Final = (
    Wrong("no_bias", "it learns without the constant x₀ = +1", "w₀ learns from x₀ = +1 like any other weight.", BIAS,
          (_with_way(partial(pocket, bias=bias_zero)),)),
    Wrong("zero_never_wrong", "it never counts a point on the line as a mistake (`<` where `<=` or sign was meant)",
          "at w = 0 every score is 0, so it finds nothing to correct; here sign(0) = −1.", ON_THE_LINE,
          (_with_pieces(mistaken=zero_is_never_wrong),)),
    Wrong("zero_is_plus", "it takes sign(0) to be +1", "here sign(0) = −1, in the walk and in counting mistakes.",
          ON_THE_LINE, (_with_pieces(mistaken=zero_is_plus),)),
    Wrong("zero_always_wrong", "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
          "here sign(0) = −1, and a negative example on the line is right.", ON_THE_LINE,
          (_with_pieces(mistaken=zero_is_always_wrong),)),
    Wrong("restarts", "after an update it starts again from the first example of the cycle",
          _SAME_WALK + "it goes on from the next example.", POCKET, (_with_pieces(restart=True),)),
    Wrong("replaces_on_ties", "it replaces the pocket also when the new w is only as good as the old one",
          "strictly fewer mistakes replace the pocket (`<`, not `<=`).", POCKET, (_with_pieces(better=int.__le__),)),
    Wrong("one_update_short", "it makes one update fewer than max_updates",
          "the budget may be spent to the last update.", POCKET, (_with_pieces(more_updates=-1),)),
    Wrong("one_update_over", "it makes one update more than max_updates",
          "look at the budget before a correction is made.", POCKET, (_with_pieces(more_updates=1),)),
    Wrong("ignores_order", "it visits the examples in the order 0, 1, 2, … in every run",
          "each run has a cycle of its own.", MANY_POCKETS,
          (_with_way(lambda X, y, max_updates, order: pocket(X, y, max_updates)),)),  # noqa: ARG005
    Wrong("carries_on", "it starts a run with the w of the run before",
          "each run starts from w = 0, with an empty pocket: set both inside the loop over cycles.", MANY_POCKETS,
          (partial(_one_after_the_other, keep_w=True, keep_pocket=False),
           partial(_one_after_the_other, keep_w=True, keep_pocket=True))),
    Wrong("pocket_carries_on", "the pocket of one run is still there in the next",
          "each run has a pocket of its own, with w₀ = 0 in it: set it inside the loop over cycles.", MANY_POCKETS,
          (partial(_one_after_the_other, keep_w=False, keep_pocket=True),)),
    Wrong("peeks", "it chooses the pocket by its mistakes on the test examples",
          "the test examples must have no say in learning, or the test error flatters: choose by (X, y).",
          MANY_POCKETS, (_peeking,)),
    Wrong("learns_from_test", "it learns from the test examples too",
          "they are there to judge what was learnt from (X, y) alone.", MANY_POCKETS, (_learning_from_test,)),
    Wrong("last_for_pocket", "it measures the last w twice, and not the pocket",
          "the first two lists are those of the pocket, which has to be a copy (`best = w.copy()`).", MANY_POCKETS,
          (_rearranged((2, 3, 2, 3)),)),
    Wrong("pocket_for_last", "it measures the pocket twice, and not the last w",
          "the last two lists are those of the w at which the walk ended.", MANY_POCKETS,
          (_rearranged((0, 1, 0, 1)),)),
    Wrong("train_for_test", "it measures on the training examples twice, and not on the test examples",
          "the second and the fourth list are errors on (X_test, y_test).", MANY_POCKETS,
          (_rearranged((0, 0, 2, 2)),)),
    Wrong("another_arrangement", "its four lists are right, but in another order",
          "in this order: pocket on (X, y), pocket on (X_test, y_test), last w on (X, y), last w on (X_test, y_test).",
          MANY_POCKETS, tuple(_rearranged(rows) for rows in ((0, 2, 1, 3), (2, 3, 0, 1), (1, 0, 3, 2), (2, 0, 3, 1)))),
    Wrong("counts", "it returns numbers of mistakes", "error rates are asked for: divide by the number of examples.",
          MANY_POCKETS, (_with_rate(lambda w, X, y: float(len(_mistakes(w, bias_first(X), y)))),
                         _with_rate(lambda w, X, y: 100 * _rate_of(w, X, y)))),
    Wrong("accuracies", "it returns the fractions that are right", "the error rate is 1 minus that.", MANY_POCKETS,
          (_with_rate(lambda w, X, y: 1 - _rate_of(w, X, y)),)),
    Wrong("one_row_a_run", "it gives a row for each run instead of a row for each of the four errors",
          "turn the table around: `.T`.", MANY_POCKETS, (lambda *arguments: np.array(many_pockets(*arguments)).T,)),
    Wrong("first_run_only", "it returns after the first run", "put `return` behind the loop over cycles, not in it.",
          MANY_POCKETS, (lambda *arguments: [row[:1] for row in many_pockets(*arguments)],)),
    Wrong("means", "it returns the four means", "here each run's errors are asked for.", MANY_POCKETS,
          (lambda *arguments: [float(np.mean(row)) for row in many_pockets(*arguments)],)),
)  # fmt: skip


# --- Along a run: f(weights, w_f) and f(weights) ---------------------------------------------------------------------


def _rises(of: Callable[..., FloatArray]) -> Callable[..., FloatArray]:
    """What this quantity gains from each row of weights to the next."""
    return lambda weights, *rest: np.diff(of(weights, *rest))


def _inner(weights: FloatArray, w_f: FloatArray) -> FloatArray:
    return np.asarray(weights @ w_f)


def _squares(weights: FloatArray) -> FloatArray:
    return np.asarray((weights**2).sum(axis=1))


def _along(of: Callable[..., FloatArray], read: str) -> tuple[Wrong, ...]:
    """What can go wrong with any list of differences along a run."""
    return (
        Wrong("flipped", "it subtracts the wrong way round", "the later w comes first: t + 1 minus t.", read,
              (lambda *it: -np.diff(of(*it)),)),
        Wrong("not_differenced", "it does not subtract what was there before",
              "the change from each t to t + 1 is asked for (numpy.diff).", read,
              (lambda *it: of(*it)[1:], lambda *it: of(*it)[:-1], of)),
        Wrong("from_the_start", "it subtracts the value at t = 0 every time", "compare with the w just before.", read,
              (lambda *it: (of(*it) - of(*it)[0])[1:], lambda *it: of(*it) - of(*it)[0])),
        Wrong("one_too_many", "it has an entry too many", "T + 1 rows have T steps between them.", read,
              (lambda *it: np.diff(of(*it), prepend=0.0), lambda *it: np.diff(of(*it), prepend=of(*it)[0]),
               lambda *it: np.diff(of(*it), append=of(*it)[-1]), lambda *it: np.roll(of(*it), -1) - of(*it))),
        Wrong("one_too_few", "it leaves out the first step, or the last", "T + 1 rows have T steps between them.", read,
              (lambda *it: np.diff(of(*it))[1:], lambda *it: np.diff(of(*it))[:-1])),
        Wrong("mean", "it returns the mean", "one number for each update is asked for.", read,
              (lambda *it: [float(np.diff(of(*it)).mean())],)),
    )  # fmt: skip


GAINS: Final = (
    *_along(_inner, GAIN),
    Wrong("divided", "it divides by ‖w_f‖", "here the gain of w_fᵀw itself is asked for.", GAIN,
          (_rises(lambda weights, w_f: weights @ w_f / _length(w_f)),)),
    Wrong("no_bias", "it leaves out w₀", "w_fᵀw begins with the product of the two entries for x₀.", GAIN,
          (_rises(lambda weights, w_f: weights[:, 1:] @ w_f[1:]),)),
    Wrong("absolute", "it takes sizes without their sign", "a gain can be negative when w_f is not perfect.", GAIN,
          (lambda weights, w_f: np.abs(np.diff(weights @ w_f)),)),
    Wrong("growths", "it measures how ‖w‖² grows", "that is the other half of the proof; here w_fᵀw is asked for.",
          GAIN, (lambda weights, _w_f: np.diff(_squares(weights)),)),
    Wrong("each_entry", "it multiplies entry by entry and does not add up", "an inner product is one number: `@`.",
          GAIN, (lambda weights, w_f: np.diff(weights * w_f, axis=0),)),
)  # fmt: skip

GROWTHS: Final = (
    *_along(_squares, GROWTH),
    Wrong("not_squared", "it compares lengths, not their squares", "the proof follows ‖w‖², without a root.", GROWTH,
          (_rises(lambda weights: np.sqrt(_squares(weights))),)),
    Wrong("length_of_the_step", "it measures the step itself, ‖w_{t+1} − w_t‖²",
          "‖w_{t+1}‖² − ‖w_t‖² is that plus 2 y w_tᵀx, which is never positive at a mistake.", GROWTH,
          (lambda weights: _squares(np.diff(weights, axis=0)),
           lambda weights: np.sqrt(_squares(np.diff(weights, axis=0))))),
    Wrong("no_bias", "it leaves out w₀", "‖w‖² includes w₀².", GROWTH,
          (_rises(lambda weights: (weights[:, 1:] ** 2).sum(axis=1)),)),
    Wrong("each_column", "it adds up each column instead of each row", "each w_t is a row: axis=1.", GROWTH,
          (_rises(lambda weights: (weights**2).sum(axis=0)),
           _rises(lambda weights: np.linalg.norm(weights, axis=0)))),
    Wrong("each_entry", "it does not add up the squares", "‖w‖² is one number: the sum of the squares of w.", GROWTH,
          (lambda weights: np.diff(weights**2, axis=0),)),
)  # fmt: skip


# --- Standardising: f(train, test) → both, in units of the training examples -----------------------------------------


Tables: TypeAlias = tuple[FloatArray, FloatArray]


def _in_units_of(
    table: FloatArray, seen: FloatArray, *, axis: int | None = 0, ddof: int = 0, centre: bool = True,
    divide: bool = True, guard: bool = True, spread: Callable[..., Any] = np.std,
) -> FloatArray:  # fmt: skip
    """The table minus the mean of what was seen, over its spread, with one piece exchanged."""
    middle = seen.mean(axis=axis, keepdims=True) if centre else 0.0
    unit = spread(seen, axis=axis, keepdims=True, ddof=ddof) if divide else np.ones(1)
    with np.errstate(all="ignore"):
        return np.asarray((table - middle) / np.where((unit == 0) & guard, 1.0, unit))


def _standardise(
    seen_for_train: Callable[..., FloatArray], seen_for_test: Callable[..., FloatArray], **pieces: Any
) -> Callable[..., Tables]:  # fmt: skip
    return lambda train, test: (
        _in_units_of(train, seen_for_train(train, test), **pieces),
        _in_units_of(test, seen_for_test(train, test), **pieces),
    )


def _guarded_or_not(*seen: Callable[..., FloatArray], **pieces: Any) -> tuple[Callable[..., Tables], ...]:
    """With and without care for columns that never change."""
    return tuple(_standardise(*seen, guard=guard, **pieces) for guard in (True, False))


def _train(train: FloatArray, test: FloatArray) -> FloatArray:  # noqa: ARG001
    return train


def _test(train: FloatArray, test: FloatArray) -> FloatArray:  # noqa: ARG001
    return test


def _all(train: FloatArray, test: FloatArray) -> FloatArray:
    return np.vstack([train, test])


def _by_rows(train: FloatArray, test: FloatArray, *, guard: bool) -> Tables:
    return _in_units_of(train, train, axis=1, guard=guard), _in_units_of(test, test, axis=1, guard=guard)


def _from_0_to_1(train: FloatArray, test: FloatArray) -> Tables:
    low, size = train.min(axis=0), np.ptp(train, axis=0)
    size = np.where(size == 0, 1.0, size)
    return (train - low) / size, (test - low) / size


def _only_one(k: int) -> Callable[..., Tables]:
    """Only the training examples (0) or only the test examples (1) are changed."""

    def version(train: FloatArray, test: FloatArray) -> Tables:
        both = _standardise(_train, _train)(train, test)
        return (both[0], test) if k == 0 else (train, both[1])

    return version


STANDARDISE: Final = (
    Wrong("tests_own_mean", "it measures the test examples by their own mean and spread",
          "at work, a new example comes alone: use the training examples' mean and spread for both.", REAL,
          _guarded_or_not(_train, _test)),
    Wrong("all_data", "its mean and spread are those of all examples, the test examples too",
          "the test examples must have no say in anything that is learnt, and the mean is learnt.", REAL,
          _guarded_or_not(_all, _all)),
    Wrong("learns_from_test", "its mean and spread are those of the test examples",
          "use those of the training examples for both.", REAL, _guarded_or_not(_test, _test)),
    Wrong("ddof_1", "it divides by N − 1 in the variance (ddof=1, as pandas does)",
          "here the variance is the mean of the squares: ddof=0, NumPy's own.", REAL,
          _guarded_or_not(_train, _train, ddof=1)),
    Wrong("not_centred", "it does not subtract the mean", "subtract the mean first, then divide.", REAL,
          _guarded_or_not(_train, _train, centre=False)),
    Wrong("not_divided", "it does not divide by the standard deviation", "each column is to have spread 1.", REAL,
          (_standardise(_train, _train, divide=False),)),
    Wrong("variance", "it divides by the variance", "divide by its root, the standard deviation.", REAL,
          _guarded_or_not(_train, _train, spread=np.var)),
    Wrong("by_rows", "it standardises each example (row) by itself", "each feature is a column: axis=0.", REAL,
          tuple(partial(_by_rows, guard=guard) for guard in (True, False))),
    Wrong("whole_table", "it uses one mean for the whole table", "each column has its own: axis=0.", REAL,
          (_standardise(_train, _train, axis=None),)),
    Wrong("from_0_to_1", "it brings each column to the range from 0 to 1",
          "here the mean is to be 0 and the standard deviation 1.", REAL, (_from_0_to_1,)),
    Wrong("constant_column", "a column that never changes becomes NaN: it divides 0 by 0",
          "its standard deviation is 0; divide by 1 there, and the column becomes 0.", REAL,
          (_standardise(_train, _train, guard=False),)),
    Wrong("test_unchanged", "it leaves the test examples as they were",
          "w is learnt in the new units, so every example has to be brought to them.", REAL, (_only_one(0),)),
    Wrong("train_unchanged", "it leaves the training examples as they were", "both are to be changed.", REAL,
          (_only_one(1),)),
    Wrong("swapped", "it returns the test examples first", "(train_z, test_z), in this order.", REAL,
          (lambda train, test: _standardise(_train, _train)(train, test)[::-1],)),
)  # fmt: skip

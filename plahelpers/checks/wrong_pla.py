"""Known wrong versions of what notebook 02 builds: finding a mistake, correcting it, PLA, and PLA many times."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.wrong_base import (
    BIAS,
    CORRECT,
    ETA,
    FIND,
    HISTOGRAM,
    ON_THE_LINE,
    SCORE,
    WORDS,
    Mistaken,
    Step,
    Wrong,
    bias_first,
    bias_last,
    bias_minus,
    bias_zero,
    biases_wrong,
    count_visits,
    cycle_of,
    minus_yx,
    mistakes,
    plus_x,
    plus_yx,
    scaled_step,
    zero_is_always_wrong,
    zero_is_minus,
    zero_is_never_wrong,
    zero_is_plus,
)
from plahelpers.checks.wrong_hypothesis import score_of, scores_wrong, zeros_wrong

Walked: TypeAlias = tuple[FloatArray, int, list[int]]  # w, updates, picks


def _is_mistake(score: Callable[..., float] = score_of, mistaken: Mistaken = zero_is_minus) -> Callable[..., Any]:
    return lambda w, x, y: mistaken(score(w, x), y)


IS_MISTAKE: Final = (
    *scores_wrong(_is_mistake),
    *zeros_wrong(lambda mistaken: _is_mistake(mistaken=mistaken)),
    Wrong("inverted", "it says True for examples that are right", "a mistake is sign(wᵀx) ≠ y.", FIND,
          (lambda w, x, y: not zero_is_minus(score_of(w, x), y),)),
    Wrong("ignores_y", "it does not look at y", "the same score is right for one label and wrong for the other.", FIND,
          (lambda w, x, _y: score_of(w, x) <= 0, lambda w, x, _y: score_of(w, x) > 0)),
    Wrong("zero_one_labels", "it expects the labels 0 and 1", "the labels are −1 and +1.", FIND,
          (lambda w, x, y: int(score_of(w, x) > 0) != y,)),
    Wrong("always_true", "it says True for every example",
          "compare the two numbers by `!=`: `is not` asks whether they are one and the same object.", FIND,
          (lambda _w, _x, _y: True,)),
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


def walk(
    X: FloatArray,
    y: IntArray,
    order: Any = None,
    *,
    bias: Callable[[FloatArray], FloatArray] = bias_first,
    mistaken: Mistaken = zero_is_minus,
    step: Step = plus_yx,
    start: float | FloatArray = 0.0,
) -> Walked:
    """Cyclic PLA with one piece exchanged: until a whole cycle passes without a mistake."""
    Z, cycle = bias(X), cycle_of(order, y)
    w, picks, clean = np.full(Z.shape[1], start), [], 0
    for visit in count_visits():
        n = cycle[visit % len(cycle)]
        if mistaken(float(w @ Z[n]), int(y[n])):
            w, clean = step(w, Z[n], int(y[n])), 0
            picks.append(n)
        else:
            clean += 1
        if clean == len(cycle):
            break
    return w, len(picks), picks


def _restarting(
    X: FloatArray, y: IntArray, order: Any = None, *, mistaken: Mistaken = zero_is_minus
) -> Walked:  # fmt: skip
    Z, cycle = bias_first(X), cycle_of(order, y)
    w, picks = np.zeros(Z.shape[1]), []
    for _ in count_visits():
        wrong = [n for n in cycle if mistaken(float(w @ Z[n]), int(y[n]))]
        if not wrong:
            break
        w = plus_yx(w, Z[wrong[0]], int(y[wrong[0]]))
        picks.append(wrong[0])
    return w, len(picks), picks


def _worst_first(X: FloatArray, y: IntArray, order: Any = None) -> Walked:  # noqa: ARG001
    Z = bias_first(X)
    w, picks = np.zeros(Z.shape[1]), []
    for _ in count_visits():
        wrong = mistakes(w, Z, y)
        if not wrong:
            break
        n = min(wrong, key=lambda m: float(y[m] * (w @ Z[m])))
        w = plus_yx(w, Z[n], int(y[n]))
        picks.append(n)
    return w, len(picks), picks


def _staying(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    Z, cycle = bias_first(X), cycle_of(order, y)
    w, picks, clean = np.zeros(Z.shape[1]), [], 0
    for visit in count_visits():
        n = cycle[visit % len(cycle)]
        clean += 1
        while zero_is_minus(float(w @ Z[n]), int(y[n])):
            w, clean = plus_yx(w, Z[n], int(y[n])), 0
            picks.append(n)
        if clean == len(cycle):
            break
    return w, len(picks), picks


def _every_point(X: FloatArray, y: IntArray, order: Any = None, *, passes: int | None = None) -> Walked:
    Z, cycle = bias_first(X), cycle_of(order, y)
    w, picks = np.zeros(Z.shape[1]), []
    for done in count_visits():
        if done == passes or (passes is None and not mistakes(w, Z, y)):
            break
        for n in cycle:
            w = plus_yx(w, Z[n], int(y[n]))
            picks.append(n)
    return w, len(picks), picks


def _batch(X: FloatArray, y: IntArray, order: Any = None, *, mean: bool = False) -> Walked:  # noqa: ARG001
    Z = bias_first(X)
    w, picks = np.zeros(Z.shape[1]), []
    for _ in count_visits():
        wrong = mistakes(w, Z, y)
        if not wrong:
            break
        w = w + (y[wrong] @ Z[wrong]) / (len(wrong) if mean else 1)
        picks.append(wrong[0])
    return w, len(picks), picks


def some_passes(X: FloatArray, y: IntArray, order: Any = None, *, passes: int = 1) -> Walked:
    """So many passes, clean or not."""
    Z = bias_first(X)
    w, picks = np.zeros(Z.shape[1]), []
    for n in cycle_of(order, y) * passes:
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            w = plus_yx(w, Z[n], int(y[n]))
            picks.append(n)
    return w, len(picks), picks


def _first_right_ends(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    Z, cycle = bias_first(X), cycle_of(order, y)
    w, picks = np.zeros(Z.shape[1]), []
    for visit in count_visits():
        n = cycle[visit % len(cycle)]
        if not zero_is_minus(float(w @ Z[n]), int(y[n])):
            break
        w = plus_yx(w, Z[n], int(y[n]))
        picks.append(n)
    return w, len(picks), picks


def _one_update(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    Z, w = bias_first(X), np.zeros(X.shape[1] + 1)
    for n in cycle_of(order, y):
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            return plus_yx(w, Z[n], int(y[n])), 1, [n]
    return w, 0, []


def _backwards(X: FloatArray, y: IntArray, order: Any = None) -> Walked:
    return walk(X, y, cycle_of(order, y)[::-1])


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
    Z, cycle = bias_first(X), cycle_of(order, y)
    w, updates, until = np.zeros(Z.shape[1]), 0, 0
    for visit in count_visits():
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


TWO_MISTAKES = (
    "it makes two mistakes: it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign), and after an "
    "update it starts again from the first example"
)
_UPDATES_ONLY = "T is the number of corrections; looks at examples that are right, and passes, are counted apart."

PLA: Final = (
    *biases_wrong(partial(partial, walk)),
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
    Wrong("restarts_zero_always_wrong", TWO_MISTAKES, "here sign(0) = −1, so that a negative example on the line is "
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
          (some_passes,)),
    Wrong("fixed_passes", "it stops after a fixed number of passes, clean or not",
          "nobody knows beforehand how many are needed: go on until a whole cycle has no mistake.", WORDS,
          tuple(partial(some_passes, passes=passes) for passes in (*range(2, 11), 20, 50, 100))),
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


def _each(version: Callable[..., Any]) -> Callable[[FloatArray, IntArray, IntArray], list[int]]:
    """One count for each cycle, by this version of PLA."""
    return lambda X, y, cycles: [int(version(X, y, cycle)[1]) for cycle in cycles]


def _carrying_on(X: FloatArray, y: IntArray, cycles: IntArray) -> list[int]:
    """The w of one run is where the next begins."""
    w, counts = np.zeros(X.shape[1] + 1), []
    for cycle in cycles:
        w, updates, _ = walk(X, y, cycle, start=w)
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
    Wrong("total", "it returns the sum over all runs", "each run's updates are asked for.", HISTOGRAM,
          (lambda X, y, cycles: sum(_each(walk)(X, y, cycles)),)),
    Wrong("median", "it returns the median", "each run's updates are asked for.", HISTOGRAM,
          (lambda X, y, cycles: float(np.median(_each(walk)(X, y, cycles))),)),
)  # fmt: skip

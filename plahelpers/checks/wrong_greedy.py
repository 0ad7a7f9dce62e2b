"""Known wrong versions of greedy, Pocket's impatient rival in notebook 04."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.wrong_base import (
    AGAINST_GREEDY,
    ETA,
    MOST_VISITS,
    Endless,
    Mistaken,
    Step,
    Wrong,
    bias_first,
    count_visits,
    cycle_of,
    mistakes,
    plus_yx,
    scaled_step,
    zero_is_minus,
)
from plahelpers.checks.wrong_pla import some_passes
from plahelpers.checks.wrong_pocket import pieces_wrong


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
    Z, cycle = bias(X), cycle_of(order, y)
    w = np.full(Z.shape[1], start)
    wrong, since, at = len(mistakes(w, Z, y, mistaken)), 0, -1
    for visit in count_visits():
        if not wrong or since == len(cycle) or visit == visits:
            break
        at, since = (at + 1) % len(cycle), since + 1
        n = cycle[at]
        if every_point or mistaken(float(w @ Z[n]), int(y[n])):
            new = step(w, Z[n], int(y[n]))
            now = len(mistakes(new, Z, y, mistaken))
            if better(now, wrong):
                w, wrong, since = new, now, 0
                at = -1 if restart else at
    return w


def _greedy_in_passes(X: FloatArray, y: IntArray, order: Any, *, better: Callable[[int, int], bool]) -> FloatArray:
    """The same, looking only after each pass whether anything was kept in it."""
    Z, cycle = bias_first(X), cycle_of(order, y)
    w, kept = np.zeros(Z.shape[1]), True
    for _ in range(MOST_VISITS // len(cycle)):
        if not kept:
            return w
        kept = False
        for n in cycle:
            new = plus_yx(w, Z[n], int(y[n]))
            if zero_is_minus(float(w @ Z[n]), int(y[n])) and better(len(mistakes(new, Z, y)), len(mistakes(w, Z, y))):
                w, kept = new, True
    raise Endless


def _if_this_one_is_right(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    """A correction is kept if it makes its own example right, whatever it does to the others."""
    Z, cycle = bias_first(X), cycle_of(order, y)
    w, since = np.zeros(Z.shape[1]), 0
    for visit in count_visits():
        if not mistakes(w, Z, y) or since == len(cycle):
            break
        n, since = cycle[visit % len(cycle)], since + 1
        new = plus_yx(w, Z[n], int(y[n]))
        if zero_is_minus(float(w @ Z[n]), int(y[n])) and not zero_is_minus(float(new @ Z[n]), int(y[n])):
            w, since = new, 0
    return w


def _best_of_all(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    """All corrections are tried, and the best of them is made."""
    Z, cycle = bias_first(X), cycle_of(order, y)
    w = np.zeros(Z.shape[1])
    while True:
        tries = [plus_yx(w, Z[n], int(y[n])) for n in cycle if zero_is_minus(float(w @ Z[n]), int(y[n]))]
        best = min(tries, key=lambda new: len(mistakes(new, Z, y)), default=w)
        if len(mistakes(best, Z, y)) >= len(mistakes(w, Z, y)):
            return w
        w = best


def _first_refusal_ends(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    Z, cycle = bias_first(X), cycle_of(order, y)
    w = np.zeros(Z.shape[1])
    for visit in count_visits():
        n = cycle[visit % len(cycle)]
        if not mistakes(w, Z, y):
            break
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            new = plus_yx(w, Z[n], int(y[n]))
            if len(mistakes(new, Z, y)) >= len(mistakes(w, Z, y)):
                break
            w = new
    return w


def _one_kept(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    Z, w = bias_first(X), np.zeros(X.shape[1] + 1)
    for n in cycle_of(order, y):
        new = plus_yx(w, Z[n], int(y[n]))
        if zero_is_minus(float(w @ Z[n]), int(y[n])) and len(mistakes(new, Z, y)) < len(mistakes(w, Z, y)):
            return new
    return w


def _walks_on(X: FloatArray, y: IntArray, order: Any, *, in_passes: bool, keep_best: bool) -> FloatArray:
    """Every correction stays; it ends when for a whole cycle no w was better than the best before."""
    Z, cycle = bias_first(X), cycle_of(order, y)
    w = best = np.zeros(Z.shape[1])
    fewest, since = len(mistakes(w, Z, y)), 0
    for visit in count_visits():
        at_the_end = visit % len(cycle) == 0 or not in_passes
        if not fewest or (since >= len(cycle) and at_the_end):
            break
        n, since = cycle[visit % len(cycle)], since + 1
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            w = plus_yx(w, Z[n], int(y[n]))
            if len(mistakes(w, Z, y)) < fewest:
                best, fewest, since = w, len(mistakes(w, Z, y)), 0
    return best if keep_best else w


def _stays_changed(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    """The new w is the very array of the old one: every correction stays, and none looks better than itself."""
    return some_passes(X, y, order)[0]


GREEDY_BANK: Final = (
    *pieces_wrong(partial(partial, greedy)),
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

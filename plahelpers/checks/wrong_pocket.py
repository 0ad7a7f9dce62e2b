"""Known wrong versions of Pocket, once and many times, as notebook 04 builds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.wrong_base import (
    BIAS,
    CORRECT,
    ETA,
    GREEDY,
    MANY_POCKETS,
    MOST_VISITS,
    ON_THE_LINE,
    POCKET,
    Mistaken,
    Step,
    Wrong,
    bias_first,
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
from plahelpers.checks.wrong_pla import TWO_MISTAKES

Examples: TypeAlias = tuple[FloatArray, IntArray]  # X, y
Ends: TypeAlias = tuple[FloatArray, FloatArray]  # the pocket's w, the last w
Way: TypeAlias = Callable[..., Ends]  # (X, y, max_updates, order=…) → both
Errors: TypeAlias = list[list[float]]


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
) -> Ends:
    """Cyclic Pocket with one piece exchanged."""
    Z, cycle = bias(X), cycle_of(order, y)
    w = np.full(Z.shape[1], start)
    wrong = fewest = len(mistakes(w, Z, y, mistaken))
    best, updates, at = w, 0, -1
    for visit in count_visits():
        finished = early_stop and not wrong
        if finished or updates >= max_updates + more_updates or visit == visits:
            break
        at = (at + 1) % len(cycle)
        n = cycle[at]
        if mistaken(float(w @ Z[n]), int(y[n])):
            w, updates = step(w, Z[n], int(y[n])), updates + 1
            wrong = len(mistakes(w, Z, y, mistaken))
            if better(wrong, fewest):
                best, fewest = w, wrong
            at = -1 if restart else at
    return best, w


def _steps_along(
    X: FloatArray, y: IntArray, max_updates: int, cycle: Any, start: FloatArray
) -> Iterator[FloatArray]:  # fmt: skip
    """The w_t of Pocket's walk from any start."""
    Z, w, updates = bias_first(X), start, 0
    yield w
    for visit in count_visits():
        if updates == max_updates or not mistakes(w, Z, y):
            return
        n = int(cycle[visit % len(cycle)])
        if zero_is_minus(float(w @ Z[n]), int(y[n])):
            w, updates = plus_yx(w, Z[n], int(y[n])), updates + 1
            yield w


def _path(X: FloatArray, y: IntArray, max_updates: int) -> tuple[list[FloatArray], list[int]]:
    """The w_t of the right walk, and their mistakes."""
    Z = bias_first(X)
    weights = list(_steps_along(X, y, max_updates, range(len(y)), np.zeros(Z.shape[1])))
    return weights, [len(mistakes(w, Z, y)) for w in weights]


def _last(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    weights, _ = _path(X, y, max_updates)
    return weights[-1], weights[-1]


def _aliased_start(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """The first w in the pocket is the very array that the walk changes; later ones are copies."""
    weights, errors = _path(X, y, max_updates)
    best = int(np.argmin(errors))
    return (weights[best] if best else weights[-1]), weights[-1]


def _start_not_in_pocket(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    weights, errors = _path(X, y, max_updates)
    best = 1 + int(np.argmin(errors[1:])) if len(errors) > 1 else 0
    return weights[best], weights[-1]


def _one_late(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """It counts the mistakes of w_t, but pockets w_{t+1}."""
    weights, errors = _path(X, y, max_updates)
    best, fewest = weights[0], len(y) + 1
    for t in range(len(weights) - 1):
        if errors[t] < fewest:
            best, fewest = weights[t + 1], errors[t]
    return best, weights[-1]


def _keeps_worst(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    weights, errors = _path(X, y, max_updates)
    return weights[int(np.argmax(errors))], weights[-1]


def _greedy_pocket(X: FloatArray, y: IntArray, max_updates: int) -> FloatArray:
    """A correction is taken back unless it leaves fewer mistakes; each attempt counts."""
    Z = bias_first(X)
    w, tried, at = np.zeros(Z.shape[1]), 0, -1
    while tried < max_updates and mistakes(w, Z, y):
        at = (at + 1) % len(y)
        if zero_is_minus(float(w @ Z[at]), int(y[at])):
            new, tried = plus_yx(w, Z[at], int(y[at])), tried + 1
            w = new if len(mistakes(new, Z, y)) < len(mistakes(w, Z, y)) else w
    return w


def _in_visits(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    return pocket(X, y, max_updates, visits=max_updates)


def _in_passes(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    return pocket(X, y, MOST_VISITS, visits=max_updates * len(y))


def _whole_passes(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """Each pass is walked to its end, whatever is left of the budget when it begins."""
    Z = bias_first(X)
    w, updates = np.zeros(Z.shape[1]), 0
    while updates < max_updates and mistakes(w, Z, y):
        for z, label in zip(Z, y.tolist(), strict=True):
            if zero_is_minus(float(w @ z), label):
                w, updates = plus_yx(w, z, label), updates + 1
    return pocket(X, y, updates)


def _inner_break(
    X: FloatArray, y: IntArray, max_updates: int, *, spent: Callable[[int, int], bool], every_visit: bool = False
) -> Ends:
    """max_updates passes; when the budget is spent, only the pass is left.

    every_visit says whether the budget is looked at after every visit, or only after an update.
    """
    Z = bias_first(X)
    w, updates = np.zeros(Z.shape[1]), 0
    best, fewest = w, len(mistakes(w, Z, y))
    for _ in range(max_updates):
        for z, label in zip(Z, y.tolist(), strict=True):
            if wrong := zero_is_minus(float(w @ z), label):
                w, updates = plus_yx(w, z, label), updates + 1
                now = len(mistakes(w, Z, y))
                best, fewest = (w, now) if now < fewest else (best, fewest)
            if (wrong or every_visit) and spent(updates, max_updates):
                break
    return best, w


def _pocket_one_pass(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    return pocket(X, y, max_updates, visits=len(y))


def _zeros_wrong(make: Callable[..., Callable[..., Any]]) -> tuple[Wrong, ...]:
    """What else can happen on the line, to an algorithm that counts mistakes: make(mistaken=…) has that convention."""
    return (
        Wrong("zero_never_wrong", "it never counts a point on the line as a mistake (`<` where `<=` or sign was meant)",
              "at w = 0 every score is 0, so it finds nothing to correct; here sign(0) = −1.", ON_THE_LINE,
              (make(mistaken=zero_is_never_wrong),)),
        Wrong("zero_is_plus", "it takes sign(0) to be +1", "here sign(0) = −1, in the walk and in counting mistakes.",
              ON_THE_LINE, (make(mistaken=zero_is_plus),)),
        Wrong("zero_always_wrong", "it counts every point on the line as a mistake (y wᵀx ≤ 0, or numpy.sign)",
              "here sign(0) = −1, and a negative example on the line is right.", ON_THE_LINE,
              (make(mistaken=zero_is_always_wrong),)),
    )  # fmt: skip


def pieces_wrong(make: Callable[..., Callable[..., Any]]) -> tuple[Wrong, ...]:
    """The pieces that Pocket and greedy have in common, each wrong once: make(step=…) has that step, and so on."""
    return (
        *biases_wrong(make),
        *_zeros_wrong(make),
        Wrong("minus_update", "it corrects by w − y x instead of w + y x",
              "each correction makes the score of its example worse.", CORRECT, (make(step=minus_yx),)),
        Wrong("update_without_y", "it corrects by w + x and forgets y",
              "an example with y = −1 has to push w away: w + y x.", CORRECT, (make(step=plus_x),)),
    )  # fmt: skip


_SAME_WALK = "Pocket walks exactly as PLA does; "

POCKET_BANK: Final = (
    *pieces_wrong(partial(partial, pocket)),
    Wrong("other_eta", "its steps are of another size: η is not 1, or each correction is made more or less than once",
          "from w = 0 that only rescales w, but the w asked for is that of η = 1.", ETA,
          tuple(partial(pocket, step=scaled_step(eta)) for eta in (2.0, 0.5, 0.1, 0.01))),
    Wrong("start_not_zero", "it does not start from w = 0", _SAME_WALK + "the walk begins at w₀ = 0.", POCKET,
          tuple(partial(pocket, start=start) for start in (1.0, -1.0, 0.5))),
    Wrong("restarts", "after an update it starts again from the first example",
          _SAME_WALK + "it goes on from the next example.", POCKET, (partial(pocket, restart=True),)),
    Wrong("restarts_zero_always_wrong", TWO_MISTAKES, "here sign(0) = −1, so that a negative example on the line is "
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
    Wrong("swapped", "it returns the last w first, and the pocket second", "(pocket, last w), in this order.", POCKET,
          (lambda X, y, max_updates: pocket(X, y, max_updates)[::-1],)),
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


def _rate_of(w: FloatArray, X: FloatArray, y: IntArray, mistaken: Mistaken = zero_is_minus) -> float:
    return len(mistakes(w, bias_first(X), y, mistaken)) / len(y)


def _four_errors(
    ways: Sequence[Ends], train: Examples, test: Examples, rate: Callable[..., float] = _rate_of
) -> Errors:  # fmt: skip
    """Of the pockets on both sets, then of the last w's on both sets: a list with an entry for each run."""
    return [[rate(ends[k], *data) for ends in ways] for k in (0, 1) for data in (train, test)]


def many_pockets(
    X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, cycles: IntArray, max_updates: int,
    *, way: Way = pocket, rate: Callable[..., float] = _rate_of,
) -> Errors:  # fmt: skip
    """The errors of the pocket (train, test) and of the last w (train, test), with one piece exchanged."""
    ways = [way(X, y, max_updates, order=cycle) for cycle in cycles]
    return _four_errors(ways, (X, y), (X_test, y_test), rate)


def _rearranged(rows: tuple[int, int, int, int]) -> Callable[..., Errors]:
    """The right numbers in another order."""

    def version(*arguments: Any) -> Errors:
        errors = many_pockets(*arguments)
        return [errors[row] for row in rows]

    return version


def _with_rate(rate: Callable[..., float]) -> Callable[..., Errors]:
    return partial(many_pockets, rate=rate)


def _with_way(way: Way) -> Callable[..., Errors]:
    return partial(many_pockets, way=way)


def _with_pieces(**pieces: Any) -> Callable[..., Errors]:
    """Pocket with one piece exchanged, and the errors by the same convention."""
    rate = partial(_rate_of, mistaken=pieces["mistaken"]) if "mistaken" in pieces else _rate_of
    return partial(many_pockets, way=partial(pocket, **pieces), rate=rate)


def _best_by(X: FloatArray, y: IntArray, weights: list[FloatArray]) -> FloatArray:
    return min(weights, key=lambda w: len(mistakes(w, bias_first(X), y)))  # the first of the best


def _one_after_the_other(
    X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, cycles: IntArray, max_updates: int,
    *, keep_pocket: bool, keep_w: bool,
) -> Errors:  # fmt: skip
    """A run begins with the w, or the pocket, of the run before."""
    ways = []
    w = best = np.zeros(X.shape[1] + 1)
    for cycle in cycles:
        weights = list(_steps_along(X, y, max_updates, cycle, w if keep_w else np.zeros(X.shape[1] + 1)))
        best, w = _best_by(X, y, [best, *weights] if keep_pocket else weights), weights[-1]
        ways.append((best, w))
    return _four_errors(ways, (X, y), (X_test, y_test))


def _peeking(
    X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, cycles: IntArray, max_updates: int
) -> Errors:  # fmt: skip
    """The pocket is chosen by the test examples."""
    ways = []
    for cycle in cycles:
        weights = list(_steps_along(X, y, max_updates, cycle, np.zeros(X.shape[1] + 1)))
        ways.append((_best_by(X_test, y_test, weights), weights[-1]))
    return _four_errors(ways, (X, y), (X_test, y_test))


def _learning_from_test(
    X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, cycles: IntArray, max_updates: int
) -> Errors:  # fmt: skip
    """It learns from both, the test examples behind the others."""
    both, labels = np.vstack([X, X_test]), np.append(y, y_test)
    ways = [pocket(both, labels, max_updates, order=[*cycle, *range(len(y), len(labels))]) for cycle in cycles]
    return _four_errors(ways, (X, y), (X_test, y_test))


REPEAT_POCKET: Final = (
    Wrong("no_bias", "it learns without the constant x₀ = +1", "w₀ learns from x₀ = +1 like any other weight.", BIAS,
          (_with_way(partial(pocket, bias=bias_zero)),)),
    *_zeros_wrong(_with_pieces),
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
          MANY_POCKETS, (_with_rate(lambda w, X, y: float(len(mistakes(w, bias_first(X), y)))),)),
    Wrong("percent", "it returns per cent", "fractions from 0 to 1 are asked for.", MANY_POCKETS,
          (_with_rate(lambda w, X, y: 100 * _rate_of(w, X, y)),)),
    Wrong("accuracies", "it returns the fractions that are right", "the error rate is 1 minus that.", MANY_POCKETS,
          (_with_rate(lambda w, X, y: 1 - _rate_of(w, X, y)),)),
    Wrong("one_row_a_run", "it gives a row for each run instead of a row for each of the four errors",
          "turn the table around: `.T`.", MANY_POCKETS, (lambda *arguments: np.array(many_pockets(*arguments)).T,)),
    Wrong("first_run_only", "it returns after the first run", "put `return` behind the loop over cycles, not in it.",
          MANY_POCKETS, (lambda *arguments: [row[:1] for row in many_pockets(*arguments)],)),
    Wrong("means", "it returns the four means", "here each run's errors are asked for.", MANY_POCKETS,
          (lambda *arguments: [float(np.mean(row)) for row in many_pockets(*arguments)],)),
)  # fmt: skip

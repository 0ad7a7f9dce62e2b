"""Homework 3: a Pocket that keeps the longest run, data on which the averaged w wins, certificates from a walk."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice, pairwise
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import _format, datasets, guarantee, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.cases import FRESH, examples, fresh_noisy, whole_numbers
from plahelpers.checks.chapter02 import explain_size_of_w
from plahelpers.checks.construction import Finding, construction
from plahelpers.checks.judge import exercise
from plahelpers.checks.result import Answer, Problem
from plahelpers.checks.sections import BIAS, CONFLICT, FIND, POCKET, WORDS
from plahelpers.checks.sentences import literal
from plahelpers.checks.task import ROW, Arguments, Endless, Mistake, Part, Rng, Version
from plahelpers.checks.variants import (
    bias_first,
    bias_zero,
    corrections,
    minus_update,
    mistakes_in_walk,
    mistakes_on_the_line,
)

__all__ = ["average_wins", "longest_run", "loop_weights"]

Longest: TypeAlias = tuple[FloatArray, int, int]  # w, run, t
Choose: TypeAlias = Callable[[list[int]], int]  # from the runs of the start, w_1, … to a t


def _runs_cases() -> list[Arguments]:
    """(X, y, max_updates): the start has the longest run, or the last w; no mistakes are left; and longer walks."""
    clean, noisy = examples(*datasets.running_example()), examples(*datasets.noisy_running_example())
    five = examples([[1], [0], [0], [-3], [-2]], [-1, -1, 1, 1, 1])
    return [
        (*examples([[2, 1]], [1]), 0),
        (*examples([[2, 1]], [1]), 2),
        (*examples([[2, 1]], [-1]), 3),
        *((*five, budget) for budget in (0, 1, 2, 3, 6)),
        *((*noisy, budget) for budget in (3, 10, 40)),
        (*clean, 50),
        (*noisy, 100),
    ]


def _first_longest(runs: list[int], since: int = 0) -> int:
    return runs.index(max(runs[since:]), since)


def walk_in_runs(
    X: FloatArray, y: IntArray, max_updates: int, **parts: Any
) -> tuple[list[FloatArray], list[int], list[int]]:
    """The w_t of a walk with one piece exchanged, their runs, and the visits before each of them."""
    steps = list(islice(corrections(X, y, **parts), max(0, max_updates) + 2))
    visits = [step.visit + 1 for step in steps]
    runs = [after - before - 1 for before, after in pairwise(visits)]
    if len(steps) < max_updates + 2:  # it has come to its end
        return [step.w for step in steps], [*runs, len(y)], visits
    return [step.w for step in steps[:-1]], runs, visits[:-1]


def keep_longest(
    X: FloatArray,
    y: IntArray,
    max_updates: int,
    *,
    choose: Choose = _first_longest,
    more_updates: int = 0,
    **parts: Any,
) -> Longest:
    """The w with the longest run, with one piece exchanged."""
    weights, runs, _ = walk_in_runs(X, y, max_updates + more_updates, **parts)
    t = choose(runs)
    return weights[t], runs[t], t


def _with_runs(change: Callable[[list[int], int], list[int]], choose: Choose = _first_longest) -> Version:
    """The right walk, but each run is what change(runs, N) makes of it."""

    def version(X: FloatArray, y: IntArray, max_updates: int) -> Longest:
        weights, runs, _ = walk_in_runs(X, y, max_updates)
        changed = change(runs, len(y))
        t = choose(changed)
        return weights[t], changed[t], t

    return version


def _forget_last(*, clean: bool, spent: bool) -> Version:
    """The run of the last w is not looked at, if no mistakes are left (clean), or if the budget is spent."""
    return _with_runs(lambda runs, N: [*runs[:-1], 0] if (clean if runs[-1] == N else spent) else runs)


def _as_one_late(X: FloatArray, y: IntArray, max_updates: int, *, later: int) -> Longest:
    """When a run ends, the w that was just corrected goes into the pocket."""
    weights, runs, _ = walk_in_runs(X, y, max_updates + 1)
    runs = runs[: max_updates + 1]
    t = _first_longest(runs)
    return weights[min(t + 1, len(weights) - 1)], runs[t], t + later


def _fewest_mistakes(X: FloatArray, y: IntArray, max_updates: int) -> Longest:
    """Pocket as in chapter 4."""
    weights, runs, _ = walk_in_runs(X, y, max_updates)
    t = learning.pocket(X, y, order="cyclic", max_updates=max_updates).best_at
    return weights[t], runs[t], t


def _last_w(X: FloatArray, y: IntArray, max_updates: int, *, with_pocket: bool) -> Longest:
    """The last w of the walk; with the run and the t of the pocket, if w is one array all the time."""
    weights, runs, _ = walk_in_runs(X, y, max_updates)
    t = _first_longest(runs) if with_pocket else len(runs) - 1
    return weights[-1], runs[t], t


def _counting_visits(X: FloatArray, y: IntArray, max_updates: int) -> Longest:
    """t is the number of visits before w_t, not of updates."""
    weights, runs, visits = walk_in_runs(X, y, max_updates)
    t = _first_longest(runs)
    return weights[t], runs[t], visits[t]


def _in_passes(X: FloatArray, y: IntArray, max_updates: int) -> Longest:
    """The run begins again with each pass."""
    weights, runs, visits = walk_in_runs(X, y, max_updates)
    N = len(y)
    # The longest part of [first, first + run) that lies within one pass.
    longest = [
        max(
            min(first + run, (k + 1) * N) - max(first, k * N)
            for k in range(first // N, max(first + run - 1, first) // N + 1)
        )
        for first, run in zip(visits, runs, strict=True)
    ]
    t = _first_longest(longest)
    return weights[t], longest[t], t


def _until_a_clean_pass(X: FloatArray, y: IntArray, max_updates: int) -> Longest:
    """It ends only when a whole pass, from example 0 on, is right: the last run goes on for longer than N."""
    weights, runs, visits = walk_in_runs(X, y, max_updates)
    if runs[-1] == len(y):
        runs[-1] += -visits[-1] % len(y)
    t = _first_longest(runs)
    return weights[t], runs[t], t


def _without_budget(X: FloatArray, y: IntArray, _max_updates: int) -> Longest:
    """The walk goes on until no mistake is left, however many updates that takes."""
    return keep_longest(X, y, 10**9)


def _explain_runs(answer: Answer, X: FloatArray, y: IntArray, max_updates: int) -> list[str]:
    """The run of each w of the right walk."""
    weights, runs, _ = walk_in_runs(X, y, max_updates)
    w, size = answer["w"], len(weights[0])
    if w.shape != (size,):
        return explain_size_of_w(len(w), size)
    t = next((t for t, passed in enumerate(weights) if np.allclose(passed, w)), None)
    on_the_way = [] if t is None else [f"This is w after t = {t} updates, and its run is {runs[t]}."]
    shown = ", ".join([*map(str, runs[:12]), *(["…"] if len(runs) > 12 else [])])
    longest = f"The longest is {max(runs)}, first at t = {_first_longest(runs)}."
    return [*on_the_way, f"The runs, beginning with that of the start, are {shown}. {longest}"]


@exercise(
    parts=(Part("w", "row"), Part("run", "number"), Part("t", "number")),
    returns="(w, run, t), these three in this order",
    read=POCKET,
    cases=_runs_cases,
    fresh=lambda rng: [(*data, int(rng.integers(5, 31))) for data in fresh_noisy(rng)],
    mistakes=(
        *mistakes_in_walk(keep_longest),
        minus_update(keep_longest),
        Mistake(
            "restarts",
            "after an update it starts again from the first example",
            "It walks exactly as PLA does; it goes on from the next example.",
            partial(keep_longest, after="first"),
        ),
        Mistake(
            "stays",
            "after an update it visits the same example once more",
            "It walks exactly as PLA does; it goes on from the next example.",
            partial(keep_longest, after="same"),
        ),
        Mistake(
            "replaces_on_ties",
            "it replaces the pocket also when the new run is only as long as the old one",
            "A strictly longer run replaces the pocket (`>`, not `>=`).",
            partial(keep_longest, choose=lambda runs: len(runs) - 1 - _first_longest(runs[::-1])),
        ),
        Mistake(
            "start_not_in_pocket",
            "the start w = 0 is not in the pocket with its run",
            "The start has a run too, and it may be the longest of all.",
            partial(keep_longest, choose=lambda runs: _first_longest(runs, min(1, len(runs) - 1))),
        ),
        Mistake(
            "last_run_forgotten",
            "it leaves out the run of the last w",
            "After the last update the walk goes on until the next mistake, so that the last w has a run too.",
            *(_forget_last(clean=clean, spent=True) for clean in (False, True)),
        ),
        Mistake(
            "clean_run_forgotten",
            "when no mistakes are left, it leaves out the run of the last w",
            "If you compare runs only at a mistake, the last run is never compared: N visits in a row are right, "
            "and no mistake follows.",
            _forget_last(clean=True, spent=False),
        ),
        Mistake(
            "counts_the_mistake",
            "its runs are too long by one: the visit that finds the mistake is counted too",
            "A run is the number of visits that w gets right.",
            _with_runs(lambda runs, N: [min(run + 1, N) for run in runs]),
        ),
        Mistake(
            "run_not_reset",
            "it goes on counting right visits after a correction",
            "Each w has a run of its own: set the run to 0 after a correction.",
            _with_runs(lambda runs, _N: np.cumsum(runs).tolist()),
        ),
        Mistake(
            "one_late",
            "it puts the w after the correction into the pocket, with the run of the w before it",
            "A run belongs to the w that made it. Look at the run before you correct w.",
            *(partial(_as_one_late, later=later) for later in (0, 1)),
        ),
        Mistake(
            "shortest",
            "it keeps the w with the shortest run",
            "The longest run is asked for.",
            partial(keep_longest, choose=lambda runs: runs.index(min(runs))),
        ),
        Mistake(
            "fewest_mistakes",
            "it keeps the w with the fewest mistakes: this is Pocket as in chapter 4",
            "Here the length of the run decides, and nobody counts the mistakes on all examples.",
            _fewest_mistakes,
        ),
        Mistake(
            "returns_last",
            "it returns the last w of the walk: either the wrong variable is returned, or the pocket is the same "
            "array as w (`best = w`, then `w += …` changes both)",
            "Put a copy in the pocket (`best = w.copy()`), or make a new array with `w = w + y * x`; return the "
            "pocket.",
            *(partial(_last_w, with_pocket=k) for k in (True, False)),
        ),
        Mistake(
            "one_update_short",
            "it makes one update fewer than max_updates",
            "All max_updates updates are allowed.",
            partial(keep_longest, more_updates=-1),
        ),
        Mistake(
            "one_update_over",
            "it makes one update more than max_updates",
            "At the first mistake after max_updates updates the walk ends, and this mistake is not corrected.",
            partial(keep_longest, more_updates=1),
        ),
        Mistake(
            "ignores_budget",
            "it goes on after max_updates updates, until no mistake is left",
            "Stop at the first mistake after max_updates updates. If no line is right about all examples, there "
            "is no other end.",
            _without_budget,
        ),
        Mistake(
            "resets_each_pass",
            "its runs begin again at example 0",
            "A run goes on from example N − 1 to example 0, until a mistake ends it.",
            _in_passes,
        ),
        Mistake(
            "until_a_clean_pass",
            "when no mistakes are left it finishes its pass, and then makes one more pass: the run becomes longer"
            " than N",
            "Stop as soon as N visits in a row are right, wherever they began.",
            _until_a_clean_pass,
        ),
        Mistake("t_in_visits", "its t counts visits", "t is the number of updates before w_t.", _counting_visits),
        Mistake(
            "t_from_one",
            "its t is too large by one",
            "t is the number of updates before this w, so the t of the start is 0.",
            lambda *case: (*keep_longest(*case)[:2], keep_longest(*case)[2] + 1),
        ),
    ),
    key="w",
    explain=_explain_runs,
)
def longest_run(X: FloatArray, y: IntArray, max_updates: int) -> Longest:
    """Does my_function(X, y, max_updates) keep the w of cyclic PLA with the longest run of right visits?

    The run of w_t is the number of visits in a row that w_t gets right before its first mistake; after max_updates
    updates the last w runs too, and N right visits in a row end the walk. It returns (w, run, t): the w, its run, and
    the number of updates before it. Of several with the longest run, it keeps the first. The walk is that of chapter 4,
    "Keep the best in your pocket".
    """
    return keep_longest(X, y, max_updates)


_UPDATES: Final = 10  # that Pocket and the averaged w may make on constructed data


@construction(
    most=6,
    expected="(X, y) with two columns and both labels, on which the averaged w makes fewer mistakes than the pocket, "
    f"both after at most {_UPDATES} updates",
    read=POCKET,
)
def average_wins(X: FloatArray, y: IntArray) -> Finding:
    """Does my_data() make data on which the averaged w makes fewer mistakes than the pocket?

    It returns (X, y): X with two columns and at most 6 rows, y with −1 and +1. Both learn from 10 updates of the cyclic
    walk from w = 0; the averaged w is the mean of the start and w_1, …, w_T. It is called twice, and must do it both
    times. Pocket is told in chapter 4, "Keep the best in your pocket".
    """
    run = learning.pocket(X, y, order="cyclic", max_updates=_UPDATES)
    average = len(hypothesis.mistakes(run.weights.sum(axis=0), X, y))  # of the sum, which has the same line
    best, last = run.mistakes_left, int(run.errors[-1])
    counts = [_format.count(n, "mistake") for n in (best, average, last)]
    of_w = f"the pocket makes {counts[0]}, the averaged w {counts[1]}, the last w {counts[2]}"
    measured = f"{_format.count(len(y), 'example')}; {of_w}"
    if len(set(y.tolist())) == 1:
        return Problem("one_label", "all its labels are equal", "Label some examples −1 and some +1.", FIND), measured
    if average < best:
        return None, measured
    if best == 0:
        what = "the pocket makes no mistakes on its data, so nothing can be better"
        why = "Find data on which each w_t of the first 10 updates makes a mistake."
        return Problem("pocket_is_perfect", what, why), measured
    if average < last:
        what = "the averaged w makes fewer mistakes than the last w, but not fewer than the pocket"
        why = "It has to be better than every w_t of the walk."
        return Problem("only_last", f"{what} ({average} against {best})", why), measured
    what = f"the averaged w does not make fewer mistakes than the pocket ({average} against {best})"
    why = "Look at the w_t: two of them with opposite mistakes can have a mean without these mistakes."
    return Problem("pocket_wins", what, why), measured


def _loop_cases() -> list[Arguments]:
    """(X, y) with whole numbers, on which no line is right about all."""
    noisy = datasets.noisy_running_example()
    return [
        examples([[1], [1]], [-1, 1]),
        examples([[0], [1], [2]], [1, -1, 1]),
        examples([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]),
        examples([[0, 0], [4, 0], [0, 4], [1, 1], [3, 3]], [1, 1, 1, -1, -1]),
        examples(np.round(noisy.X), noisy.y),
    ]


def _fresh_loops(rng: Rng) -> list[Arguments]:
    """Such data, on which the walk does not come back to its start, and not at once."""
    cases = list[Arguments]()
    while len(cases) < FRESH:
        N = int(rng.integers(5, 9))
        X, y = whole_numbers(rng, N, 2), rng.choice([-1, 1], N)
        with suppress(Endless):  # separable
            _, t, s = find_loop(X, y)
            cases += [(X, y)] if 0 < t < s - 2 < 60 else []
    return cases


def find_loop(X: FloatArray, y: IntArray, *, same_place: bool = False, **parts: Any) -> tuple[list[int], int, int]:
    """The corrected examples of a walk with one piece exchanged, up to its first return; and t < s with w_t = w_s."""
    seen, picks = dict[tuple[float, ...], int](), list[int]()
    for s, step in enumerate(corrections(X, y, **parts)):
        picks += [step.n] if s else []
        key = (*step.w.tolist(), float(step.n) if same_place else 0.0)
        if key in seen:
            return picks, seen[key], s
        seen[key] = s
    raise Endless  # it halts, so it never comes back; its author looks for a return forever


def _share(
    weigh: Callable[[IntArray, int, int, IntArray], Any] = lambda counts, t, s, _y: counts / (s - t),
    first: Callable[[int], int] = lambda t: t,
    **parts: Any,
) -> Version:
    """What weigh(counts, t, s, y) makes of the counts of the picks from first(t) on."""

    def version(X: FloatArray, y: IntArray) -> Any:
        picks, t, s = find_loop(X, y, **parts)
        return weigh(np.bincount(picks[first(t) :], minlength=len(y)), t, s, y)

    return version


def _share_of_walk(X: FloatArray, y: IntArray, **parts: Any) -> Any:
    return _share(**parts)(X, y)


def _of_the_conflict(X: FloatArray, y: IntArray) -> FloatArray:
    """The weights that `separate` finds."""
    a, conflict = np.zeros(len(y)), guarantee.separate(X, y).conflict
    assert conflict is not None
    a[conflict.examples] = conflict.weights
    return a


def _explain_loop(answer: Answer, X: FloatArray, y: IntArray) -> list[str]:
    picks, t, s = find_loop(X, y)
    loop = ", ".join(map(str, picks[t:]))
    notes = [f"The first loop goes from t = {t} to s = {s}. It corrects the examples {loop}."]
    a = answer["answer"]
    if a.shape != (len(y),):
        size = f"Its length is {len(a)}, where {len(y)} is expected"
        return [f"{size}: one weight for each example, and 0 for those that the loop does not correct.", *notes]
    mixture = literal(a * y @ bias_first(X), 4)
    return [
        f"Its weights add up to {a.sum():.4g}, and the sum of all a y x is {mixture}; (4.2) asks for 1 and 0.",
        *notes,
    ]


@exercise(
    parts=ROW,
    returns="a row of N weights, one for each example",
    read=CONFLICT,
    cases=_loop_cases,
    fresh=_fresh_loops,
    mistakes=(
        *mistakes_on_the_line(_share_of_walk)[1:],  # who never corrects a point on the line never corrects any
        Mistake(
            "no_bias",
            "it learns without the constant x₀ = +1, so that its line always goes through the origin",
            "w has d + 1 entries: w₀ is minus the threshold, and it learns from x₀ = +1 like any other weight.",
            _share(bias=bias_zero),
            read=BIAS,
        ),
        Mistake(
            "restarts",
            "after an update it starts again from the first example",
            "Cyclic PLA goes on from the next example.",
            _share(after="first"),
            read=WORDS,
        ),
        Mistake(
            "stays",
            "after an update it visits the same example once more",
            "Cyclic PLA goes on from the next example.",
            _share(after="same"),
            read=WORDS,
        ),
        Mistake(
            "counts",
            "it counts how often each example is corrected in the loop, and does not divide",
            "The weights of a certificate add up to 1.",
            _share(lambda counts, _t, _s, _y: counts),
        ),
        Mistake(
            "signed",
            "its weights have the signs of the labels",
            "The weights of a certificate are never negative; the label already stands in a y x.",
            _share(lambda counts, t, s, y: counts * y / (s - t)),
            _share(lambda counts, _t, _s, y: counts * y),
        ),
        Mistake(
            "from_the_start",
            "it counts all corrections from the start on",
            "Only the corrections from w_t to w_s belong to the loop; together they change nothing.",
            _share(lambda counts, _t, s, _y: counts / s, first=lambda _t: 0),
        ),
        Mistake(
            "by_examples",
            "it divides by the number of examples",
            "The weights of a certificate add up to 1: how many corrections does the loop have?",
            _share(lambda counts, _t, _s, y: counts / len(y)),
        ),
        Mistake(
            "each_once",
            "it gives the same weight to each example of the loop",
            "An example that is corrected twice in the loop has twice the weight.",
            _share(lambda counts, _t, _s, _y: (counts > 0) / (counts > 0).sum()),
        ),
        Mistake(
            "one_pick_short",
            "it leaves out the first correction of the loop",
            "The step from w_t to w_(t+1) belongs to the loop: `picks[t:s]`.",
            _share(lambda counts, _t, _s, _y: counts / counts.sum(), first=lambda t: t + 1),
        ),
        Mistake(
            "of_separate",
            "these are the weights that `separate` finds",
            "They are a certificate too, but here it is made from the loop of the walk.",
            _of_the_conflict,
        ),
        Mistake(
            "same_place",
            "it waits until the walk has the same w at the same place in the cycle",
            "That the walk repeats itself needs both. For a certificate the same w is enough.",
            _share(same_place=True),
        ),
    ),
    explain=_explain_loop,
)
def loop_weights(X: FloatArray, y: IntArray) -> FloatArray:
    """Does my_weights(X, y) return the certificate of the first loop of cyclic PLA from w = 0?

    The features are whole numbers, and no line is right about all examples. w_s is the first w that the walk has been
    at before, w_s = w_t with t < s. It returns N weights a_n as in (4.2) of chapter 4, "Proof that no line will do":
    a_n ≥ 0, their sum is 1, and the sum of all a_n y_n x_n is 0.
    """
    picks, t, s = find_loop(X, y)
    return np.bincount(picks[t:], minlength=len(y)) / (s - t)

"""Homework 3: a Pocket that keeps the longest run, data on which the averaged w wins, certificates from a walk."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice, pairwise
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import datasets, guarantee, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter04 import fresh_noisy
from plahelpers.checks.construction import Finding, construction
from plahelpers.checks.judge import exercise
from plahelpers.checks.report import Answer
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import ROW, Arguments, Endless, Mistake, Part, Rng, Version

__all__ = ["average_wins", "longest_run", "loop_weights"]

Longest: TypeAlias = tuple[FloatArray, int, int]  # w, run, t
Choose: TypeAlias = Callable[[list[int]], int]  # from the runs of the start, w_1, … to a t


def _runs_cases() -> list[Arguments]:
    """(X, y, max_updates): the start has the longest run, or the last w; no mistakes are left; and longer walks."""
    clean, noisy = pieces.examples(*datasets.running_example()), pieces.examples(*datasets.noisy_running_example())
    five = pieces.examples([[1], [0], [0], [-3], [-2]], [-1, -1, 1, 1, 1])
    return [
        (*pieces.examples([[2, 1]], [1]), 0),
        (*pieces.examples([[2, 1]], [1]), 2),
        (*pieces.examples([[2, 1]], [-1]), 3),
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
    steps = list(islice(pieces.corrections(X, y, **parts), max(0, max_updates) + 2))
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


_version: Final = partial(partial, keep_longest)


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


def _never_stops_early(X: FloatArray, y: IntArray, max_updates: int) -> Longest:
    """When no mistakes are left, it looks for one forever."""
    w, run, t = keep_longest(X, y, max_updates)
    if run == len(y):
        raise Endless
    return w, run, t


def _explain_runs(answer: Answer, X: FloatArray, y: IntArray, max_updates: int) -> list[Note]:
    """The run of each w of the right walk."""
    weights, runs, _ = walk_in_runs(X, y, max_updates)
    w, size = answer["w"], len(weights[0])
    if w.shape != (size,):
        return [Note("walk.size_of_w", entries=len(w), expected=size)]
    t = next((t for t, passed in enumerate(weights) if np.allclose(passed, w)), None)
    on_the_way = [] if t is None else [Note("longest_run.on_the_way", t=t, run=runs[t])]
    shown = ", ".join([*map(str, runs[:12]), *(["…"] if len(runs) > 12 else [])])
    return [*on_the_way, Note("longest_run.runs", runs=shown, longest=max(runs), first=_first_longest(runs))]


@exercise(
    returns=(Part("w", "row"), Part("run", "number"), Part("t", "number")),
    cases=_runs_cases,
    fresh=lambda rng: [(*data, int(rng.integers(5, 31))) for data in fresh_noisy(rng)],
    mistakes=(
        *pieces.mistakes_in_walk(_version),
        Mistake("restarts", _version(after="first")),
        Mistake("stays", _version(after="same")),
        Mistake("replaces_on_ties", _version(choose=lambda runs: len(runs) - 1 - _first_longest(runs[::-1]))),
        Mistake("start_not_in_pocket", _version(choose=lambda runs: _first_longest(runs, min(1, len(runs) - 1)))),
        Mistake("last_run_forgotten", *(_forget_last(clean=clean, spent=True) for clean in (False, True))),
        Mistake("clean_run_forgotten", _forget_last(clean=True, spent=False)),
        Mistake("counts_the_mistake", _with_runs(lambda runs, N: [min(run + 1, N) for run in runs])),
        Mistake("run_not_reset", _with_runs(lambda runs, _N: np.cumsum(runs).tolist())),
        Mistake("one_late", *(partial(_as_one_late, later=later) for later in (0, 1))),
        Mistake("shortest", _version(choose=lambda runs: runs.index(min(runs)))),
        Mistake("fewest_mistakes", _fewest_mistakes),
        Mistake("returns_last", *(partial(_last_w, with_pocket=k) for k in (True, False))),
        Mistake("one_update_short", _version(more_updates=-1)),
        Mistake("one_update_over", _version(more_updates=1)),
        Mistake("ignores_budget", _without_budget),
        Mistake("resets_each_pass", _in_passes),
        Mistake("until_a_clean_pass", _until_a_clean_pass),
        Mistake("never_stops_early", _never_stops_early),
        Mistake("t_in_visits", _counting_visits),
        Mistake("t_from_one", lambda *case: (*keep_longest(*case)[:2], keep_longest(*case)[2] + 1)),
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


@construction(most=6, expected=Note("average_wins.expected", updates=_UPDATES))
def average_wins(X: FloatArray, y: IntArray) -> Finding:
    """Does my_data() make data on which the averaged w makes fewer mistakes than the pocket?

    It returns (X, y): X with two columns and at most 6 rows, y with −1 and +1. Both learn from 10 updates of the cyclic
    walk from w = 0; the averaged w is the mean of the start and w_1, …, w_T. It is called twice, and must do it both
    times. Pocket is told in chapter 4, "Keep the best in your pocket".
    """
    run = learning.pocket(X, y, order="cyclic", max_updates=_UPDATES)
    average = len(hypothesis.mistakes(run.weights.sum(axis=0), X, y))  # of the sum, which has the same line
    best, last = run.mistakes_left, int(run.errors[-1])
    remark = Note("average_wins.measured", examples=len(y), pocket=best, average=average, last=last)
    if len(set(y.tolist())) == 1:
        return Note("average_wins.one_label"), remark
    if average < best:
        return None, remark
    if best == 0:
        return Note("average_wins.pocket_is_perfect"), remark
    counts = {"pocket": best, "average": average}
    return Note("average_wins.only_last" if average < last else "average_wins.pocket_wins", **counts), remark


def _loop_cases() -> list[Arguments]:
    """(X, y) with whole numbers, on which no line is right about all."""
    noisy = datasets.noisy_running_example()
    return [
        pieces.examples([[1], [1]], [-1, 1]),
        pieces.examples([[0], [1], [2]], [1, -1, 1]),
        pieces.examples([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]),
        pieces.examples([[0, 0], [4, 0], [0, 4], [1, 1], [3, 3]], [1, 1, 1, -1, -1]),
        pieces.examples(np.round(noisy.X), noisy.y),
    ]


def _fresh_loops(rng: Rng) -> list[Arguments]:
    """Such data, on which the walk does not come back to its start, and not at once."""
    cases = list[Arguments]()
    while len(cases) < pieces.FRESH:
        N = int(rng.integers(5, 9))
        X, y = pieces.whole_numbers(rng, N, 2), rng.choice([-1, 1], N)
        with suppress(Endless):  # separable
            _, t, s = find_loop(X, y)
            cases += [(X, y)] if 0 < t < s - 2 < 60 else []
    return cases


def find_loop(X: FloatArray, y: IntArray, *, same_place: bool = False, **parts: Any) -> tuple[list[int], int, int]:
    """The corrected examples of a walk with one piece exchanged, up to its first return; and t < s with w_t = w_s."""
    seen, picks = dict[tuple[float, ...], int](), list[int]()
    for s, step in enumerate(pieces.corrections(X, y, **parts)):
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


def _of_the_conflict(X: FloatArray, y: IntArray) -> FloatArray:
    """The weights that `separate` finds."""
    a, conflict = np.zeros(len(y)), guarantee.separate(X, y).conflict
    assert conflict is not None
    a[conflict.examples] = conflict.weights
    return a


def _explain_loop(answer: Answer, X: FloatArray, y: IntArray) -> list[Note]:
    picks, t, s = find_loop(X, y)
    loop = ", ".join(map(str, picks[t:]))
    notes = [Note("loop_weights.loop", t=t, s=s, picks=loop)]
    a = answer["answer"]
    if a.shape != (len(y),):
        return [Note("loop_weights.size", entries=len(a), expected=len(y)), *notes]
    return [Note("loop_weights.sums", total=float(a.sum()), mixture=a * y @ pieces.bias_first(X)), *notes]


@exercise(
    returns=ROW,
    cases=_loop_cases,
    fresh=_fresh_loops,
    mistakes=(
        *pieces.mistakes_on_the_line(_share)[1:],  # who never corrects a point on the line never corrects any
        Mistake("no_bias", _share(bias=pieces.bias_zero)),
        Mistake("restarts", _share(after="first")),
        Mistake("stays", _share(after="same")),
        Mistake("counts", _share(lambda counts, _t, _s, _y: counts)),
        Mistake(
            "signed",
            _share(lambda counts, t, s, y: counts * y / (s - t)),
            _share(lambda counts, _t, _s, y: counts * y),
        ),
        Mistake("from_the_start", _share(lambda counts, _t, s, _y: counts / s, first=lambda _t: 0)),
        Mistake("by_examples", _share(lambda counts, _t, _s, y: counts / len(y))),
        Mistake("each_once", _share(lambda counts, _t, _s, _y: (counts > 0) / (counts > 0).sum())),
        Mistake("one_pick_short", _share(lambda counts, _t, _s, _y: counts / counts.sum(), first=lambda t: t + 1)),
        Mistake("of_separate", _of_the_conflict),
        Mistake("same_place", _share(same_place=True)),
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

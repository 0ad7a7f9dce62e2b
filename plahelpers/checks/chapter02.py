"""Chapter 2: finding a mistake, correcting it, and PLA."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import datasets, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter01 import fresh_labelled
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import Bias, IsMistake, Step
from plahelpers.checks.report import Answer, same
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import ROW, TRUTH, Arguments, Mistake, Part, Rng, Version

__all__ = ["is_mistake", "pla", "pla_with_order", "update"]

Walk: TypeAlias = tuple[FloatArray, int, list[int]]  # w, updates, picks

_PARTS: Final = (Part("w", "row"), Part("updates", "number"), Part("picks", "row"))
_BOTH: Final = np.int64(1), np.int64(-1)  # not Python's own: for those, `is` would do where `==` is meant


def _points() -> list[Arguments]:
    """(w, x, y): on the line with both labels, and off it; y is as it comes out of an array."""
    w, points = np.array([-3.0, 1.0, 2.0]), ([1.0, 1.0], [2.0, 1.0], [0.0, 1.0], [4.0, -2.0], [-1.0, 4.0])
    return [
        *((np.zeros(2), np.array([2.0]), y) for y in _BOTH),
        *((w.copy(), np.array(x), y) for x in points for y in _BOTH),
        *((np.array([2.0, 1.0, 2.0]), np.array([-1.0, 0.0]), y) for y in _BOTH),
    ]


def _fresh_points(rng: Rng) -> list[Arguments]:
    """(w, x, y): an x on the line and another one, with both labels."""
    return [(w, X[n], y) for w, X, _ in fresh_labelled(rng) for n in (0, 2) for y in _BOTH]


def _is_mistake(score: Callable[..., float] = pieces.score_of, is_mistake: IsMistake = pieces.zero_is_minus) -> Version:
    return lambda w, x, y: is_mistake(score(w, x), y)


@exercise(
    returns=TRUTH,
    cases=_points,
    fresh=_fresh_points,
    mistakes=(
        *pieces.mistakes_in_score(_is_mistake),
        *pieces.mistakes_on_the_line(_is_mistake),
        Mistake("inverted", lambda w, x, y: not pieces.zero_is_minus(pieces.score_of(w, x), y)),
        Mistake("ignores_y", lambda w, x, _: pieces.score_of(w, x) <= 0, lambda w, x, _: pieces.score_of(w, x) > 0),
        Mistake("zero_one_labels", lambda w, x, y: int(pieces.score_of(w, x) > 0) != y),
        Mistake("always_true", lambda _w, _x, _y: True),
    ),
)
def is_mistake(w: FloatArray, x: FloatArray, y: int) -> bool:
    """Does my_is_mistake(w, x, y) return whether sign(wᵀx) differs from y, True or False?

    x is one example, without the bias. Explained in chapter 2, "Find a mistake".
    """
    return hypothesis.is_mistake(w, x, y)


def _to_correct() -> list[Arguments]:
    """(w, x, y), always a mistake."""
    return [
        (np.zeros(3), np.array([2.0, 1.0]), np.int64(1)),
        (np.array([1.0, 2.0, 1.0]), np.array([0.5, 3.0]), np.int64(-1)),
        (np.array([-4.0, 1.0, 0.5, 1.0]), np.array([1.0, -2.0, 3.0]), np.int64(1)),
    ]


def _update(step: Step = pieces.plus_yx, bias: Bias = pieces.bias_first) -> Version:
    return lambda w, x, y: step(w, bias(x[np.newaxis])[0], y)


@exercise(
    returns=ROW,
    cases=_to_correct,
    fresh=lambda rng: [case for case in _fresh_points(rng) if hypothesis.is_mistake(*case)],
    mistakes=(
        Mistake("minus_update", _update(pieces.minus_yx)),
        Mistake("update_without_y", _update(pieces.plus_x)),
        Mistake("no_bias", _update(bias=pieces.bias_zero), lambda w, x, y: w[1:] + y * x),
        Mistake("bias_last", _update(bias=pieces.bias_last)),
        Mistake("bias_minus", _update(bias=pieces.bias_minus)),
        Mistake("bias_without_y", lambda w, x, y: np.append(w[0] + 1, w[1:] + y * x)),
        Mistake("forgets_w", _update(lambda _w, x, y: y * x)),
        Mistake("other_eta", *(_update(pieces.scaled_step(eta)) for eta in pieces.STEP_SIZES)),
        Mistake("no_change", lambda w, _x, _y: w),
        Mistake("adds_y", lambda w, _x, y: w + y),
    ),
)
def update(w: FloatArray, x: FloatArray, y: int) -> FloatArray:
    """Does my_update(w, x, y) return the corrected weights w + y x, and leave the old w alone?

    x is one example, without the bias, and a mistake of w. Explained in chapter 2, "The picture of an update".
    """
    return np.asarray(w + y * np.append(1.0, x))


def _pla_cases() -> list[Arguments]:
    """(X, y), the smallest first, one that takes many passes, and the running example."""
    return [
        pieces.examples([[2, 1]], [1]),
        pieces.examples([[2, 1]], [-1]),
        pieces.examples([[1, 3], [2, -1]], [-1, 1]),
        pieces.examples([[1], [2], [4], [3]], [-1, -1, 1, 1]),
        pieces.examples(*datasets.textbook_example()),
        pieces.examples([[1, 2, 0], [0, -1, 3], [2, 2, 1], [-1, 0, 1], [3, -2, -1]], [1, -1, 1, -1, 1]),
        pieces.examples([[10], [11]], [-1, 1]),  # 212 updates in 112 passes: no small limit on the passes will do
        pieces.examples([[100], [101]], [-1, 1]),  # 20,102 updates in 10,102 passes: nor will a large one
        pieces.examples(*datasets.running_example()),
    ]


def fresh_pla_cases(rng: Rng) -> list[Arguments]:
    return [(X, y) for X, y, _ in pieces.fresh_separable(rng)]


def _pla_cases_with_order() -> list[Arguments]:
    """(X, y, order): 0, 1, 2, … for the small ones, another order for the others."""
    orders = {20: datasets.running_order(), 5: np.array([3, 4, 0, 1, 2]), 4: np.array([2, 3, 0, 1])}
    return [(X, y, np.array(orders.get(len(y), np.arange(len(y))))) for X, y in _pla_cases()]


def _run(X: FloatArray, y: IntArray, order: Any = "cyclic") -> Walk:
    run = learning.pla(X, y, order=order)
    return run.w, run.updates, run.picks.tolist()


def as_walk(steps: Iterable[pieces.Correction]) -> Walk:
    """(w, updates, picks) of the start and these corrections."""
    path = list(steps)
    return path[-1].w, len(path) - 1, [step.n for step in path[1:]]


def walk(*case: Any, **parts: Any) -> Walk:
    """PLA with one piece exchanged."""
    return as_walk(pieces.corrections(*case, **parts))


def _walk_while(goes_on: Callable[[int, int, int], bool]) -> Version:
    """PLA that ends, clean or not, before the first update with not goes_on(updates before it, visits before it, N)."""

    def version(X: FloatArray, y: IntArray, order: Any = None) -> Walk:
        steps = pieces.corrections(X, y, order)
        path = [next(steps)]
        for step in steps:
            if not goes_on(len(path) - 1, step.visit, len(y)):
                break
            path.append(step)
        return as_walk(path)

    return version


def _passes_only(passes: int) -> Version:
    """So many passes, clean or not."""
    return _walk_while(lambda _updates, visits, N: visits < passes * N)


def _all_at_once(
    choose: Callable[..., list[int]] = lambda wrong, _margins: wrong,
    *,
    over: Callable[..., int] = lambda _chosen, _y: 1,
    is_mistake: IsMistake = pieces.zero_is_minus,
    passes: int | None = None,
) -> Version:
    """As long as there are mistakes, those of choose(mistakes, all y wᵀx) are corrected together, as one update."""

    def version(X: FloatArray, y: IntArray, _order: Any = None) -> Walk:
        Z, w, picks = pieces.bias_first(X), np.zeros(X.shape[1] + 1), []
        for _ in range(passes) if passes else pieces.count_visits(X):
            wrong = pieces.wrong_examples(w, Z, y, is_mistake)
            if not wrong:
                break
            chosen = choose(wrong, y * (Z @ w))
            w = w + y[chosen] @ Z[chosen] / over(chosen, y)
            picks.append(chosen[0])
        return w, len(picks), picks

    return version


def _every_point(X: FloatArray, y: IntArray, order: Any = None, *, passes: int | None = None) -> Walk:
    """Each pass adds every y x; so many passes, or until no mistake is left."""
    Z, total = pieces.bias_first(X), y @ pieces.bias_first(X)
    done = passes or next(done for done in pieces.count_visits(X) if not pieces.wrong_examples(done * total, Z, y))
    return done * total, done * len(y), pieces.cycle_of(order, y) * done


def then(walk: Version, change: Callable[..., Walk]) -> Version:
    """This walk, and at its end change(w, updates, picks)."""
    return lambda *case: change(*walk(*case))


def mistakes_beside_w(walk: Version) -> tuple[Mistake, ...]:
    """What a right walk can return wrong beside its w."""

    def picking(change: Callable[[list[int]], list[int]]) -> Version:
        return then(walk, lambda w, updates, picks: (w, updates, change(picks)))

    return (
        Mistake("count_off_by_one", *(then(walk, lambda w, T, picks, k=k: (w, T + k, picks)) for k in (1, -1))),
        Mistake("numbers_from_one", picking(lambda picks: [n + 1 for n in picks])),
        Mistake("picks_empty", picking(lambda _picks: [])),
        Mistake(
            "picks_once", picking(lambda picks: sorted(set(picks))), picking(lambda picks: [*dict.fromkeys(picks)])
        ),
        Mistake("picks_sorted", picking(sorted)),
        Mistake("picks_backwards", picking(lambda picks: picks[::-1])),
    )


def _counting(count: Callable[..., int]) -> Version:
    """The right w and picks, and another count: of (visits up to the last update, N, passes with a mistake)."""

    def version(X: FloatArray, y: IntArray, order: Any = None) -> Walk:
        steps = list(pieces.corrections(X, y, order))
        visits = steps[-1].visit + 1
        w, _, picks = as_walk(steps)
        return w, count(visits, len(y), -(-visits // len(y))), picks

    return version


def _pointing(table: Bias) -> Version:
    """The right walk, with the examples themselves in place of their indices."""

    def version(X: FloatArray, *case: Any) -> tuple[FloatArray, int, FloatArray]:
        w, updates, picks = walk(X, *case)
        return w, updates, table(X)[picks]

    return version


def _one_too_few_in_a_row(X: FloatArray, y: IntArray, order: Any = None, *, at_least: int = 1) -> Walk:
    """It ends after N − 1 examples in a row that are right; one may have to be visited first."""
    steps = list(pieces.corrections(X, y, order))
    gaps = (other.visit - one.visit for one, other in pairwise(steps))
    end = next((t for t, gap in enumerate(gaps, 1) if gap >= max(len(y), at_least)), None)
    return as_walk(steps[:end])


_restarts: Final = partial(walk, after="first")
_zero_one: Final = partial(walk, is_mistake=lambda s, y: int(s > 0) != y)  # a label −1 is never met
WALKS: Final = (
    *pieces.mistakes_in_walk(partial(partial, walk)),
    Mistake("normalised", then(walk, lambda w, *more: (w / (float(np.linalg.norm(w)) or 1.0), *more))),
    Mistake("restarts", _restarts),
    Mistake("restarts_zero_always_wrong", partial(_restarts, is_mistake=pieces.zero_is_always_wrong)),
    Mistake("stays", partial(walk, after="same")),
    Mistake("worst_first", _all_at_once(lambda wrong, margins: [min(wrong, key=margins.__getitem__)])),
    Mistake("backwards", lambda X, y, order=None: walk(X, y, pieces.cycle_of(order, y)[::-1])),
    Mistake("every_point", _every_point, partial(_every_point, passes=1)),
    Mistake(
        "batch",
        *(_all_at_once(passes=passes) for passes in (None, 100, 1000)),
        *(_all_at_once(over=over) for over in (lambda chosen, _y: len(chosen), lambda _chosen, y: len(y))),
        _all_at_once(is_mistake=pieces.zero_is_always_wrong),
    ),
    Mistake("one_pass", _passes_only(1)),
    Mistake("fixed_passes", *map(_passes_only, (*range(2, 11), 20, 50, 100, 125, 200, 500, 1000, 2000, 5000, 10_000))),
    Mistake("one_too_few_in_a_row", _one_too_few_in_a_row, partial(_one_too_few_in_a_row, at_least=2)),
    Mistake("first_right_ends", _walk_while(lambda updates, visits, _N: visits == updates)),
    Mistake("one_update", _walk_while(lambda updates, _visits, _N: updates == 0)),
    Mistake("zero_one_labels", _zero_one, partial(_zero_one, step=lambda w, x, y: w + (y - int(w @ x > 0)) * x)),
    Mistake(
        "counts_visits",
        _counting(lambda visits, N, _passes: visits + N),
        _counting(lambda visits, _N, _passes: visits),
        _counting(lambda _visits, N, passes: (passes + 1) * N),
    ),
    Mistake("counts_passes", *(_counting(lambda _visits, _N, passes, k=k: passes + k) for k in (1, 0))),
    *mistakes_beside_w(walk),
    Mistake("picks_as_points", _pointing(np.array), _pointing(pieces.bias_first)),
)


def explain_walk(answer: Answer, right: Answer, path: FloatArray, errors: IntArray | None = None) -> list[Note]:
    """Where a walk departs from the right one, as far as the answer shows it; path are the right w_t."""
    differ = [name for name in answer if not same({name: answer[name]}, {name: right[name]})]
    w = answer["w"]
    if w.shape != right["w"].shape:
        sizes = {"entries": len(w), "expected": len(right["w"])}
        return [Note("walk.size_of_w", **sizes)] + ([] if len(w) + 1 == len(right["w"]) else [Note("walk.another_X")])
    notes = [] if "w" in differ else [Note("walk.w_is_right", names=", ".join(differ))]
    if "picks" in differ:
        notes.append(_first_difference(answer["picks"].tolist(), right["picks"].tolist()))
    t = next((t for t, passed in enumerate(path) if np.allclose(passed, w)), None)
    if "w" not in differ or "picks" in differ or t is None:
        return notes
    if errors is None:
        return [*notes, Note("walk.w_after", updates=t)]
    best = {"fewest": int(errors.min()), "first": errors.argmin()}
    return [*notes, Note("walk.w_on_the_way", t=t, mistakes=int(errors[t]), **best)]


def _first_difference(theirs: list[float], ours: list[float]) -> Note:
    t = next((t for t, pair in enumerate(zip(theirs, ours, strict=False)) if pair[0] != pair[1]), None)
    if t is None:
        return Note("walk.number_of_picks", count=len(theirs), expected=len(ours))
    return Note("walk.first_difference", update=t + 1, example=theirs[t], expected=ours[t])


def tell_steps(y: IntArray, path: FloatArray, picks: IntArray, end: Note) -> Note:
    """The right walk on a small case, update by update."""
    steps = [Note("walk.step", n=n, y=int(y[n]), w=path[t + 1]) for t, n in enumerate(picks[:8].tolist())]
    more = [Note("walk.more_updates", updates=len(picks))] if len(picks) > 8 else []
    return Note("walk.steps", w=path[0], steps=[*steps, *more, end])


def explain_whole_walk(
    answer: Answer, X: FloatArray, y: IntArray, path: FloatArray, picks: IntArray, end: Note
) -> list[Note]:
    """Where a walk departs from the right one, whether it stops too early, and the right one step by step."""
    right = {"w": path[-1], "updates": np.array(len(picks)), "picks": picks}
    left = hypothesis.mistakes(answer["w"], X, y).size if answer["w"].shape == path[-1].shape else 0
    too_early = [Note("walk.mistakes_left", mistakes=left)] if left else []
    return [*explain_walk(answer, right, path), *too_early, tell_steps(y, path, picks, end)]


def _explain_pla(answer: Answer, X: FloatArray, y: IntArray, order: Any = "cyclic") -> list[Note]:
    run = learning.pla(X, y, order=order)
    return explain_whole_walk(answer, X, y, run.weights, run.picks, Note("walk.clean_cycle"))


@exercise(returns=_PARTS, cases=_pla_cases, fresh=fresh_pla_cases, mistakes=WALKS, key="w", explain=_explain_pla)
def pla(X: FloatArray, y: IntArray) -> Walk:
    """Is my_pla(X, y) the cyclic PLA?

    It returns (w, updates, picks): the final w, the number of updates, and the indices of the corrected examples in
    order, as a list. Explained in chapter 2, "PLA in the lecture's words".
    """
    return _run(X, y)


@exercise(
    returns=_PARTS,
    cases=_pla_cases_with_order,
    fresh=lambda rng: [(X, y, rng.permutation(len(y))) for X, y in fresh_pla_cases(rng)],
    mistakes=(*WALKS, Mistake("ignores_order", lambda X, y, _order: walk(X, y))),
    key="w",
    explain=_explain_pla,
)
def pla_with_order(X: FloatArray, y: IntArray, order: IntArray) -> Walk:
    """Is my_pla(X, y, order) the PLA that visits the examples in this order, again and again?

    order is an array of the indices 0, …, N−1. It returns (w, updates, picks), as for `pla`.
    Explained in chapter 2, "Try it yourself".
    """
    return _run(X, y, order)

"""Chapter 2: PLA, from 0 to N−1 again and again, and along any cycle; and points whose order matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise, permutations
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import _format, datasets, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.cases import examples, fresh_separable
from plahelpers.checks.construction import data_check, updates_of_pla
from plahelpers.checks.judge import exercise
from plahelpers.checks.result import Answer, same
from plahelpers.checks.sections import FIND, ORDERS, WORDS
from plahelpers.checks.sentences import literal
from plahelpers.checks.task import Arguments, Mistake, Part, Rng, Version
from plahelpers.checks.variants import (
    Bias,
    Correction,
    IsMistake,
    Step,
    bias_first,
    corrections,
    count_visits,
    cycle_of,
    minus_update,
    mistakes_in_walk,
    plus_yx,
    restarts,
    wrong_examples,
    zero_is_always_wrong,
    zero_is_minus,
    zero_one_labels,
)

__all__ = ["farthest_first", "order_matters", "pla", "pla_with_order"]

Walk: TypeAlias = tuple[FloatArray, int, list[int]]  # w, updates, picks

# What ends a loop, for whoever has an endless one.
_ENDS: Final = (
    "PLA ends when a whole cycle has no mistake. Does each correction add y x, and is each prediction −1 or +1?"
)


def _pla_cases() -> list[Arguments]:
    """(X, y), the smallest first, two that take many passes, and the running example."""
    return [
        examples([[2, 1]], [1]),
        examples([[2, 1]], [-1]),
        examples([[1, 3], [2, -1]], [-1, 1]),
        examples([[-3], [0], [4]], [-1, 1, 1]),  # whoever adds x, whatever y is, comes to an end here
        examples([[0], [-1], [4]], [1, -1, 1]),  # and here
        examples([[1], [2], [4], [3]], [-1, -1, 1, 1]),
        examples(*datasets.textbook_example()),
        examples([[1, 2, 0], [0, -1, 3], [2, 2, 1], [-1, 0, 1], [3, -2, -1]], [1, -1, 1, -1, 1]),
        examples([[10], [11]], [-1, 1]),  # 212 updates in 112 passes: no small limit on the passes will do
        examples([[100], [101]], [-1, 1]),  # 20,102 updates in 10,102 passes: nor will a large one
        examples(*datasets.running_example()),
    ]


def fresh_pla_cases(rng: Rng) -> list[Arguments]:
    """(X, y)."""
    return [(X, y) for X, y, _ in fresh_separable(rng)]


def _pla_cases_with_order() -> list[Arguments]:
    """(X, y, order): 0, 1, 2, … for the small ones, another order for the others."""
    orders = {20: datasets.running_order(), 5: np.array([3, 4, 0, 1, 2]), 4: np.array([2, 3, 0, 1])}
    return [(X, y, np.array(orders.get(len(y), np.arange(len(y))))) for X, y in _pla_cases()]


# --- Walks with one part exchanged -----------------------------------------------------------------------------------


def as_walk(steps: Iterable[Correction]) -> Walk:
    """(w, updates, picks) of the start and these corrections."""
    path = list(steps)
    return path[-1].w, len(path) - 1, [step.n for step in path[1:]]


def walk(*case: Any, **parts: Any) -> Walk:
    """PLA with one part exchanged."""
    return as_walk(corrections(*case, **parts))


def then(walk: Version, change: Callable[..., Walk]) -> Version:
    """This walk, and at its end change(w, updates, picks)."""
    return lambda *case: change(*walk(*case))


def _all_at_once(
    X: FloatArray,
    y: IntArray,
    _order: Any = None,
    *,
    is_mistake: IsMistake = zero_is_minus,
    passes: int | None = None,
) -> Walk:
    """As long as there are mistakes, all of them are corrected together, as one update."""
    Z, w, picks = bias_first(X), np.zeros(X.shape[1] + 1), []
    for _ in range(passes) if passes else count_visits(X):
        wrong = wrong_examples(w, Z, y, is_mistake)
        if not wrong:
            break
        w = w + y[wrong] @ Z[wrong]
        picks.append(wrong[0])
    return w, len(picks), picks


def _every_point(X: FloatArray, y: IntArray, order: Any = None, *, passes: int | None = None) -> Walk:
    """Each pass adds every y x; so many passes, or until no mistake is left."""
    Z, total = bias_first(X), y @ bias_first(X)
    done = passes or next(done for done in count_visits(X) if not wrong_examples(done * total, Z, y))
    return done * total, done * len(y), cycle_of(order, y) * done


def _counting(count: Callable[..., int]) -> Version:
    """The right w and picks, and another count: of (visits up to the last update, N, passes with a mistake)."""

    def version(X: FloatArray, y: IntArray, order: Any = None) -> Walk:
        steps = list(corrections(X, y, order))
        visits = steps[-1].visit + 1
        w, _, picks = as_walk(steps)
        return w, count(visits, len(y), -(-visits // len(y))), picks

    return version


def _one_too_few_in_a_row(X: FloatArray, y: IntArray, order: Any = None, *, at_least: int = 1) -> Walk:
    """It ends after N − 1 examples in a row that are right; one may have to be visited first."""
    steps = list(corrections(X, y, order))
    gaps = (other.visit - one.visit for one, other in pairwise(steps))
    end = next((t for t, gap in enumerate(gaps, 1) if gap >= max(len(y), at_least)), None)
    return as_walk(steps[:end])


def _is_perfect(answer: Answer, X: FloatArray, y: IntArray, _order: Any = None) -> bool:
    """Does this w make no mistakes?"""
    w = answer["w"]
    return w.shape == (X.shape[1] + 1,) and hypothesis.mistakes(w, X, y).size == 0


# --- The known mistakes ----------------------------------------------------------------------------------------------

_PASSES: Final = (*range(1, 11), 20, 50, 100, 200, 500, 1000, 10_000)
_LIMITS: Final = (1, 10, 100, 1000)  # passes after which those end who would go on for ever
_zero_one: Final = partial(walk, is_mistake=zero_one_labels)

WALKS: Final = (
    *mistakes_in_walk(walk),
    minus_update(*(partial(walk, passes=passes) for passes in _LIMITS)),
    *restarts(walk, "It should go on from the next one, and come back to the first after the last."),
    Mistake(
        "stays",
        "it corrects the same example again until that one is right, before it goes on",
        "After an update it should go on from the next example, and meet this one again in the next cycle.",
        partial(walk, after="same"),
    ),
    Mistake(
        "skips_first",
        "it never visits the first example",
        "Each cycle visits all N examples: range(N), not range(1, N).",
        lambda X, y, order=None: walk(X, y, cycle_of(order, y)[1:]),
    ),
    Mistake(
        "every_point",
        "it adds y x for every example, also for those that are right already",
        "Only mistakes are corrected. This keeps w from growing too fast.",
        _every_point,
        partial(_every_point, passes=1),
        read=FIND,
    ),
    Mistake(
        "batch",
        "it corrects all mistakes at once, with the same w",
        "PLA corrects one mistake, and looks at the next example with the new w.",
        *(partial(_all_at_once, passes=passes) for passes in (None, 100, 1000)),
        partial(_all_at_once, is_mistake=zero_is_always_wrong),
    ),
    Mistake(
        "fixed_passes",
        "it stops after one pass, or another fixed number of them, clean or not",
        "A correction can spoil an example that was right: go on until a whole cycle has no mistake.",
        *(partial(walk, passes=passes) for passes in _PASSES),
    ),
    Mistake(
        "one_too_few_in_a_row",
        "it stops after N − 1 examples in a row that are right",
        "The last of them may still be wrong: a whole cycle is N examples.",
        _one_too_few_in_a_row,
        partial(_one_too_few_in_a_row, at_least=2),
    ),
    Mistake(
        "zero_one_labels",
        "it expects the labels 0 and 1",
        "The labels here are −1 and +1. A prediction 0 never equals the label −1, so that example stays a mistake "
        "forever.",
        *(partial(_zero_one, passes=passes) for passes in _LIMITS),
        *(partial(_zero_one, passes=k, step=lambda w, x, y: w + (y - int(w @ x > 0)) * x) for k in _LIMITS),
        read=FIND,
    ),
    Mistake(
        "counts_visits",
        "its w is right, but it counts visits, or passes over the data, instead of updates",
        "T counts corrections only: no visits to examples that are right, and no passes.",
        _counting(lambda visits, N, _passes: visits + N),
        _counting(lambda _visits, N, passes: (passes + 1) * N),
        _counting(lambda _visits, _N, passes: passes + 1),
        _counting(lambda _visits, _N, passes: passes),
    ),
)
_ANOTHER_WALK: Final = Mistake(
    "another_walk",
    "its w is right about all examples, in every case, but it is not the w of this walk",
    "Many w are perfect, and which of them PLA finds depends on its start, its order and sign(0). Here it starts from "
    "w = 0, visits the examples in turn, goes on after an update from the next one, and takes sign(0) = −1.",
    shown_by=_is_perfect,
    read=ORDERS,
)


def miscounts(walk: Version) -> Mistake:
    """A right walk that counts wrong."""
    return Mistake(
        "count_off_by_one",
        "its w is right, but it counts one update too many or too few",
        "Count each correction once, starting from 0.",
        *(then(walk, lambda w, T, picks, k=k: (w, T + k, picks)) for k in (1, -1)),
    )


def mistakes_in_picks(walk: Version) -> tuple[Mistake, ...]:
    """What a right walk can return wrong as its picks."""

    def picking(change: Callable[[list[int]], list[int]]) -> Version:
        return then(walk, lambda w, updates, picks: (w, updates, change(picks)))

    return (
        Mistake(
            "numbers_from_one",
            "its w is right, but its indices begin with 1",
            "The indices of the examples are 0, 1, …, N−1.",
            picking(lambda picks: [n + 1 for n in picks]),
        ),
        Mistake(
            "picks_empty",
            "its w and updates are right, but picks is empty",
            "Append the index n to picks at each update, and return it.",
            picking(lambda _picks: []),
        ),
        Mistake(
            "picks_reordered",
            "its w and updates are right, but picks is not in the order of the updates, or has each example only once",
            "Append n to a list at each update: an example that is corrected three times stands there three times.",
            picking(lambda picks: sorted(set(picks))),
            picking(lambda picks: [*dict.fromkeys(picks)]),
            picking(sorted),
            picking(lambda picks: picks[::-1]),
        ),
        Mistake(
            "picks_as_points",
            "its w and updates are right, but picks has the examples themselves",
            "Their indices are asked for: n, not X[n].",
            *(partial(_pointing, walk, table) for table in (np.array, bias_first)),
        ),
    )


def _pointing(walk: Version, table: Bias, X: FloatArray, *case: Any) -> tuple[FloatArray, int, FloatArray]:
    """The right walk, with the examples themselves in place of their indices."""
    w, updates, picks = walk(X, *case)
    return w, updates, table(X)[picks]


def _without_picks(known: Mistake) -> Mistake:
    versions = (lambda *case, version=version: version(*case)[:2] for version in known.versions)
    return Mistake(known.id, known.what, known.why, *versions, read=known.read, shown_by=known.shown_by)


# --- What to say where no mistake is known ---------------------------------------------------------------------------


def explain_size_of_w(entries: int, expected: int) -> list[str]:
    """What is missing, or whose X it may be."""
    if entries == expected:
        return []
    size = (
        f"The length of its w is {entries}, where {expected} is expected: w₀ for the constant x₀ = +1, then one entry"
    )
    whose = "" if entries + 1 == expected else " Does it use the X of the notebook in place of its argument?"
    return [f"{size} for each column of X.{whose}"]


def tell_steps(y: IntArray, path: FloatArray, picks: IntArray, end: str) -> str:
    """The right walk on a small case, update by update."""
    steps = [
        f"example {n} (y = {int(y[n]):+d}) is wrong, w becomes {literal(path[t + 1], 4)}"
        for t, n in enumerate(picks[:8].tolist())
    ]
    more = [f"and so on, {len(picks)} updates in all"] if len(picks) > 8 else []
    return f"Step by step: w = {literal(path[0], 4)}; {'; '.join([*steps, *more, end])}."


def _explain_pla(answer: Answer, X: FloatArray, y: IntArray, order: Any = "cyclic") -> list[str]:
    """Whether w has another size, or the walk stops too early, and the right one step by step."""
    run, w = learning.pla(X, y, order=order), answer["w"]
    notes = explain_size_of_w(len(w), len(run.w))
    left = 0 if notes else hypothesis.mistakes(w, X, y).size
    t = next((t for t, passed in enumerate(run.weights) if same({"w": passed}, {"w": w})), run.updates)
    if t < run.updates:
        notes.append(f"Its w is the right one after {_format.count(t, 'update')}: did it stop there?")
    if left:
        notes.append(
            f"It stops with {_format.count(left, 'mistake')} left. PLA may stop only when there are none, however many "
            "passes that takes."
        )
    return [*notes, tell_steps(y, run.weights, run.picks, "then a whole cycle has no mistake")]


# --- The exercises ---------------------------------------------------------------------------------------------------


@exercise(
    title="PLA",
    parts=(Part("w", "row"), Part("updates", "number")),
    returns="(w, updates), these two in this order",
    read=WORDS,
    cases=_pla_cases,
    fresh=fresh_pla_cases,
    mistakes=tuple(map(_without_picks, (*WALKS, miscounts(walk), _ANOTHER_WALK))),
    ends=_ENDS,
    key="w",
    explain=_explain_pla,
)
def pla(X: FloatArray, y: IntArray) -> tuple[FloatArray, int]:
    """Is my_pla(X, y) the cyclic PLA, and does it return (w, updates)?

    w is the final w, with its d + 1 entries and w₀ first; updates is the number of corrections. The walk starts from
    w = 0 with η = 1, visits the examples 0, 1, …, N−1, 0, …, goes on after an update from the next one, takes
    sign(0) = −1, and stops when a whole cycle passes without a mistake. Another walk that ends with a perfect w is not
    this one, but it is told that its w is perfect.
    Explained in chapter 2, "PLA in the lecture's words".
    """
    run = learning.pla(X, y)
    return run.w, run.updates


@exercise(
    title="PLA",
    parts=(Part("w", "row"), Part("updates", "number"), Part("picks", "row")),
    returns="(w, updates, picks), these three in this order",
    read=WORDS,
    cases=_pla_cases_with_order,
    fresh=lambda rng: [(X, y, rng.permutation(len(y))) for X, y in fresh_pla_cases(rng)],
    mistakes=(
        *WALKS,
        miscounts(walk),
        *mistakes_in_picks(walk),
        Mistake(
            "ignores_order",
            "it visits the examples in the order 0, 1, 2, … and not in the order it is given",
            "The third argument is the cycle to use.",
            lambda X, y, _order: walk(X, y),
            read=ORDERS,
        ),
        Mistake(
            "positions",
            "its w and updates are right, but picks has places in the order, not examples",
            "At place k of the cycle the example order[k] is visited: append order[k], not k.",
            lambda X, y, order: walk(X[order], y[order]),
            read=ORDERS,
        ),
        _ANOTHER_WALK,
    ),
    ends=_ENDS,
    key="w",
    explain=_explain_pla,
)
def pla_with_order(X: FloatArray, y: IntArray, order: IntArray) -> Walk:
    """Is my_pla(X, y, order) the PLA that visits the examples in this order, again and again?

    order is an array of the indices 0, …, N−1. It returns (w, updates, picks): w and updates as for `pla`, and the
    indices of the corrected examples, as in X, in the order of the corrections.
    Explained in chapter 2, "Try it yourself".
    """
    run = learning.pla(X, y, order=order)
    return run.w, run.updates, run.picks.tolist()


@data_check(
    title="Three points whose order matters",
    asked="three points with whole coordinates from −5 to 5, on which cyclic PLA makes exactly 1 update in the "
    "order 0, 1, 2 and more than 20 in another order",
    read=ORDERS,
    count=3,
)
def order_matters(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """Does cyclic PLA make exactly 1 update on these three points in the order 0, 1, 2, and more than 20 in another?

    Explained in chapter 2, "Try it yourself".
    """
    first, *others = (updates_of_pla(X, y, order=order) for order in permutations(range(3)))
    is_whole = np.array_equal(X, X.round()) and np.abs(X).max() <= 5
    found = f"{_format.count(first, 'update')} in the order 0, 1, 2, and up to {max(others)} in another order"
    coordinates = "" if is_whole else "; not all coordinates are whole numbers from −5 to 5"
    return first == 1 and max(others) > 20 and is_whole, found + coordinates


# --- The worst mistake first -----------------------------------------------------------------------------------------

Choice: TypeAlias = Callable[[list[int], FloatArray], int]  # (the mistakes, the scores of all examples) → which one?


def _farthest(wrong: list[int], scores: FloatArray) -> int:
    return wrong[int(np.argmax(np.abs(scores[wrong])))]


def _choosing(
    X: FloatArray,
    y: IntArray,
    *,
    choose: Choice = _farthest,
    bias: Bias = bias_first,
    is_mistake: IsMistake = zero_is_minus,
    step: Step = plus_yx,
    start: float = 0.0,
) -> tuple[FloatArray, int]:
    """PLA that looks at all its mistakes and chooses one of them, with one part exchanged."""
    Z = bias(X)
    w, updates, visits = np.full(Z.shape[1], start), 0, count_visits(X)
    while wrong := wrong_examples(w, Z, y, is_mistake):
        n = choose(wrong, Z @ w)
        w, updates = step(w, Z[n], int(y[n])), updates + 1
        next(visits)
    return w, updates


@exercise(
    title="The worst mistake first",
    parts=(Part("w", "row"), Part("updates", "number")),
    returns="(w, updates), these two in this order",
    read=ORDERS,
    cases=_pla_cases,
    fresh=fresh_pla_cases,
    mistakes=(
        # Who forgets y goes on for ever in all of these cases, and hanging alone names no mistake.
        *(known for known in mistakes_in_walk(_choosing) if known.id != "update_without_y"),
        Mistake(
            "first_mistake",
            "it corrects the first mistake, not the farthest one",
            "Compare the scores of all mistakes, and take the one with the largest absolute value.",
            partial(_choosing, choose=lambda wrong, _scores: wrong[0]),
            lambda X, y: walk(X, y)[:2],
        ),
        Mistake(
            "nearest_mistake",
            "it corrects the mistake that is nearest to the line",
            "The farthest one is asked for: the largest absolute value of the score, not the smallest.",
            partial(_choosing, choose=lambda wrong, scores: wrong[int(np.argmin(np.abs(scores[wrong])))]),
        ),
        Mistake(
            "no_absolute_value",
            "it takes the largest score, or the smallest, without the absolute value",
            "A mistake can lie far out on either side: compare np.abs(score).",
            partial(_choosing, choose=lambda wrong, scores: wrong[int(np.argmax(scores[wrong]))]),
            partial(_choosing, choose=lambda wrong, scores: wrong[int(np.argmin(scores[wrong]))]),
        ),
        Mistake(
            "farthest_of_all",
            "it takes the farthest of all examples, whether it is a mistake or not",
            "Only mistakes are corrected: look for the largest value among them.",
            partial(_choosing, choose=lambda _wrong, scores: int(np.argmax(np.abs(scores)))),
        ),
    ),
    ends="The loop ends when no example is a mistake. Does each correction add y x to w?",
)
def farthest_first(X: FloatArray, y: IntArray) -> tuple[FloatArray, int]:
    """Is my_pla(X, y) the PLA that always corrects the mistake farthest from the line: (w, updates)?

    The farthest mistake is the one whose score wᵀx has the largest absolute value; of several, the one with the
    smallest index. It starts from w = 0, takes sign(0) = −1, and stops when no mistake is left.
    Explained in chapter 2, "Try it yourself".
    """
    return _choosing(X, y)

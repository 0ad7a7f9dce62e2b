"""Chapter 2: PLA, from 0 to N−1 again and again, and along any cycle; and points whose order matters."""

from collections.abc import Callable
from functools import partial
from itertools import permutations
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import variants
from plahelpers.checks.cases import examples, fresh_separable
from plahelpers.checks.construction import data_check, in_words, updates_of_pla
from plahelpers.checks.judge import exercise
from plahelpers.checks.result import Answer, same
from plahelpers.checks.sections import ORDERS, WORDS
from plahelpers.checks.sentences import literal
from plahelpers.checks.task import Arguments, Mistake, Part, Version

__all__ = ["farthest_first", "order_matters", "pla", "pla_with_order"]

Walk: TypeAlias = tuple[FloatArray, int, list[int]]  # w, updates, picks


def _pla_cases() -> list[Arguments]:
    """(X, y), the smallest first, two that take many passes, and the running example."""
    return [
        examples([[2, 1]], [1]),
        examples([[2, 1]], [-1]),
        examples([[1, 3], [2, -1]], [-1, 1]),
        examples([[-3], [0], [4]], [-1, 1, 1]),  # whoever adds x, whatever y is, comes to an end here
        examples([[0], [-4], [2]], [1, 1, -1]),  # and here, also who corrects the farthest
        examples([[1], [-4], [4]], [1, 1, -1]),  # the farthest mistake is another one for whoever leaves out w₀
        examples([[1], [2], [4], [3]], [-1, -1, 1, 1]),
        examples(*datasets.textbook_example()),
        examples([[1, 2, 0], [0, -1, 3], [2, 2, 1], [-1, 0, 1], [3, -2, -1]], [1, -1, 1, -1, 1]),
        examples([[10], [11]], [-1, 1]),  # 212 updates in 112 passes: no small limit on the passes will do
        examples([[50], [51]], [-1, 1]),  # 5,052 updates in 2,552 passes: nor will 1000, but 10,000 will
        examples(*datasets.running_example()),
    ]


def _pla_cases_with_order() -> list[Arguments]:
    """(X, y, order): 0, 1, 2, … for the small ones, another order for the others."""
    orders = {20: datasets.running_order(), 5: np.array([3, 4, 0, 1, 2]), 4: np.array([2, 3, 0, 1])}
    return [(X, y, np.array(orders.get(len(y), np.arange(len(y))))) for X, y in _pla_cases()]


# --- Walks with one part exchanged -----------------------------------------------------------------------------------


def walk(*case: Any, **parts: Any) -> Walk:
    """PLA with one part exchanged."""
    _start, *steps = path = list(variants.corrections(*case, **parts))
    return path[-1].w, len(steps), [step.n for step in steps]


def then(walk: Version, change: Callable[..., Any]) -> Version:
    """This walk, and at its end change(X, w, updates, picks)."""
    return lambda X, *case: change(X, *walk(X, *case))


# --- The known mistakes ----------------------------------------------------------------------------------------------


def _all_at_once(X: FloatArray, y: IntArray, order: Any = None) -> Walk:
    """All mistakes of one w are corrected, also those that the first corrections have repaired."""
    Z, cycle = variants.bias_first(X), range(len(y)) if order is None else [int(n) for n in order]
    w, picks, passes = np.zeros(Z.shape[1]), list[int](), variants.count_visits(X)
    while wrong := variants.wrong_examples(w, Z, y):
        for n in (n for n in cycle if n in wrong):
            w = w + y[n] * Z[n]
            picks.append(n)
        next(passes)
    return w, len(picks), picks


def _counting_visits(X: FloatArray, y: IntArray, order: Any = None, *, in_passes: bool = False) -> Walk:
    """The right walk that counts visits, up to N in a row without a mistake or to the end of a clean pass."""
    steps, N = list(variants.corrections(X, y, order)), len(y)
    visits = (steps[-1].visit // N + 2) * N if in_passes else steps[-1].visit + 1 + N
    return steps[-1].w, visits, [step.n for step in steps[1:]]


_WALKS: Final = (
    *variants.mistakes_in_walk(walk),
    variants.restarts(walk),
    Mistake(
        "until_right",
        "it corrects the same example again and again until it is right",
        "A visit makes one correction at most (`if`, not `while`), and then the next example is visited.",
        partial(walk, after="same"),
    ),
    Mistake(
        "fixed_passes",
        "it stops after one epoch, or another fixed number of them, clean or not",
        "A correction can spoil an example that was right: go on until a whole epoch has no mistake.",
        *(partial(walk, passes=passes) for passes in (*range(1, 11), 20, 50, 100, 200, 500, 1000)),
    ),
    Mistake(
        "all_at_once",
        "it makes a list of the mistakes and corrects them all",
        "After each correction w is new: look again whether the next example is still a mistake.",
        _all_at_once,
    ),
    Mistake(
        "counts_visits",
        "its w is right, but it counts visits",
        "Only a correction is an update.",
        _counting_visits,
        partial(_counting_visits, in_passes=True),
    ),
)


def miscounts(walk: Version, *others: Version) -> Mistake:
    """A right walk that counts wrong."""
    return Mistake(
        "count_off_by_one",
        "its w is right, but it counts one update too many or too few, or it counts visits",
        "Count each correction once, starting from 0.",
        *(then(walk, lambda _X, w, T, picks, k=k: (w, T + k, picks)) for k in (1, -1)),
        *others,
    )


def mistakes_in_picks(walk: Version) -> tuple[Mistake, ...]:
    """What a right walk can return wrong as its picks."""
    return (
        Mistake(
            "picks_reordered",
            "its w and updates are right, but picks is not in the order of the updates, or has each example only once",
            "Append n to a list at each update: an example that is corrected three times stands there three times.",
            then(walk, lambda _X, w, T, picks: (w, T, sorted(set(picks)))),
            then(walk, lambda _X, w, T, picks: (w, T, sorted(picks))),
        ),
        Mistake(
            "picks_as_points",
            "its w and updates are right, but picks has the examples themselves",
            "Their indices are asked for: n, not X[n].",
            then(walk, lambda X, w, T, picks: (w, T, X[picks])),
        ),
    )


def _without_picks(known: Mistake) -> Mistake:
    versions = (lambda *case, version=version: version(*case)[:2] for version in known.versions)
    return Mistake(known.id, known.what, known.why, *versions, read=known.read)


# --- What to say where no mistake is known ---------------------------------------------------------------------------

_PERFECT: Final = (
    "This w makes no mistakes here, as many others do, but it is not the w of this walk, which starts from w = 0 with "
    "η = 1, visits the examples in the order that is asked for, and takes sign(0) = −1."
)


def tell_steps(run: learning.Run, end: str) -> list[str]:
    """The right walk on a small case, update by update."""
    steps = [
        f"example {n} (y = {int(run.y[n]):+d}) is wrong, w becomes {literal(run.weights[t + 1], 4)}"
        for t, n in enumerate(run.picks[:8].tolist())
    ]
    more = [f"and so on, {run.updates} updates in all"] if run.updates > 8 else []
    return [f"Step by step: w = {literal(run.weights[0], 4)}; {'; '.join([*steps, *more, end])}."]


def _explain_pla(answer: Answer, X: FloatArray, y: IntArray, order: Any = "cyclic") -> list[str]:
    run, w = learning.pla(X, y, order=order), answer["w"]
    is_another = w.shape == run.w.shape and not same({"w": w}, {"w": run.w})
    is_perfect = is_another and not variants.wrong_examples(w, variants.bias_first(X), y)
    return [*([_PERFECT] if is_perfect else []), *tell_steps(run, "then a whole epoch has no mistake")]


# --- The exercises ---------------------------------------------------------------------------------------------------

_PLA: Final = {
    "title": "PLA",
    "read": WORDS,
    "ends": "PLA ends when an epoch has no mistake. Does each score add w₀, each correction y x? Is h(x) −1 or +1? "
    "Is `found` set to False before each epoch?",
    "key": "w",
    "explain": _explain_pla,
}


@exercise(
    **_PLA,
    parts=(Part("w", "row"), Part("updates", "number")),
    returns="(w, updates), these two in this order",
    cases=_pla_cases,
    fresh=lambda rng: [(X, y) for X, y, _ in fresh_separable(rng)],
    mistakes=tuple(map(_without_picks, (*_WALKS, miscounts(walk)))),
)
def pla(X: FloatArray, y: IntArray) -> tuple[FloatArray, int]:
    """Is my_pla(X, y) the cyclic PLA, and does it return (w, updates)?

    w is the final w, with its d + 1 entries and w₀ first; updates is the number of corrections. The walk starts from
    w = 0 with η = 1, visits the examples 0, 1, …, N−1, 0, …, goes on after an update from the next one, takes
    sign(0) = −1, and stops when a whole epoch passes without a mistake. Another walk that ends with a w without
    mistakes is not this one, but it is told that its w makes none.
    """
    run = learning.pla(X, y)
    return run.w, run.updates


@exercise(
    **_PLA,
    parts=(Part("w", "row"), Part("updates", "number"), Part("picks", "row")),
    returns="(w, updates, picks), these three in this order",
    cases=_pla_cases_with_order,
    mistakes=(
        *_WALKS,
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
    ),
)
def pla_with_order(X: FloatArray, y: IntArray, order: IntArray) -> Walk:
    """Is my_pla(X, y, order) the PLA that visits the examples in this order, again and again?

    order is an array of the indices 0, …, N−1. It returns (w, updates, picks): w and updates as for `pla`, and the
    indices of the corrected examples, as in X, in the order of the corrections.
    """
    run = learning.pla(X, y, order=order)
    return run.w, run.updates, run.picks.tolist()


@data_check(title="Three points whose order matters", read=ORDERS, count=3)
def order_matters(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """Three points with whole coordinates from −5 to 5, on which cyclic PLA makes exactly 1 update in the order 0, 1, 2
    and more than 20 in another order.
    """
    first, *others = (updates_of_pla(X, y, order=order) for order in permutations(range(3)))
    is_whole = np.array_equal(X, X.round()) and np.abs(X).max() <= 5
    found = f"{in_words(first)} in the order 0, 1, 2, and up to {in_words(max(others))} in another order"
    coordinates = "" if is_whole else "; not all coordinates are whole numbers from −5 to 5"
    return first == 1 and max(others) > 20 and is_whole, found + coordinates


# --- The worst mistake first -----------------------------------------------------------------------------------------

Choice: TypeAlias = Callable[[list[int], FloatArray, FloatArray], int]  # (mistakes, x of all examples, w) → which one?


def _farthest(wrong: list[int], Z: FloatArray, w: FloatArray) -> int:
    return wrong[int(np.argmax(np.abs(Z[wrong] @ w)))]


def _choosing(
    X: FloatArray,
    y: IntArray,
    *,
    choose: Choice = _farthest,
    bias: variants.Bias = variants.bias_first,
    is_mistake: variants.IsMistake = variants.zero_is_minus,
    step: variants.Step = variants.plus_yx,
) -> tuple[FloatArray, int]:
    """PLA that looks at all its mistakes and chooses one of them, with one part exchanged."""
    Z = bias(X)
    w, updates, visits = np.zeros(Z.shape[1]), 0, variants.count_visits(X)
    while wrong := variants.wrong_examples(w, Z, y, is_mistake):
        n = choose(wrong, Z, w)
        w, updates = step(w, Z[n], y[n]), updates + 1
        next(visits)
    return w, updates


@exercise(
    title="The worst mistake first",
    parts=(Part("w", "row"), Part("updates", "number")),
    returns="(w, updates), these two in this order",
    read=ORDERS,
    cases=_pla_cases,
    mistakes=(
        *variants.mistakes_in_walk(_choosing),
        _without_picks(miscounts(lambda X, y: (*_choosing(X, y), []))),
        Mistake(
            "not_the_farthest",
            "it does not take the farthest mistake: it leaves out w₀ or the absolute value, or takes the nearest",
            "Take the mistake whose whole score, with w₀, has the largest absolute value; of several, the first one.",
            partial(_choosing, choose=lambda wrong, Z, w: _farthest(wrong, Z[:, 1:], w[1:])),
            partial(_choosing, choose=lambda wrong, Z, w: _farthest(wrong[::-1], Z, w)),
            partial(_choosing, choose=lambda wrong, _Z, _w: wrong[0]),
            lambda X, y: walk(X, y)[:2],
            partial(_choosing, choose=lambda wrong, Z, w: wrong[int(np.argmin(np.abs(Z[wrong] @ w)))]),
            partial(_choosing, choose=lambda wrong, Z, w: wrong[int(np.argmax(Z[wrong] @ w))]),
        ),
    ),
    ends="It ends when no mistake is left. Do you look for them anew each time? Do you add y x of wrong[k], not of k?",
)
def farthest_first(X: FloatArray, y: IntArray) -> tuple[FloatArray, int]:
    """Is my_pla(X, y) the PLA that always corrects the mistake farthest from the line: (w, updates)?

    The farthest mistake is the one whose score wᵀx has the largest absolute value; of several, the one with the
    smallest index. It starts from w = 0, takes sign(0) = −1, and stops when no mistake is left.
    """
    return _choosing(X, y)

"""Chapter 4: Pocket and standardising."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice, takewhile
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter02 import explain_walk, tell_steps
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import Bias, Examples, IsMistake
from plahelpers.checks.report import Answer, same
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import Arguments, Endless, Mistake, Part, Rng, Version

__all__ = ["pocket", "standardise"]

Ends: TypeAlias = tuple[FloatArray, FloatArray]  # the pocket's w, the last w

_CROSSED: Final = ([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1])
_MOSTLY_MINUS: Final = ([[1], [1], [2], [1]], [-1, 1, -1, -1])


def fresh_noisy(rng: Rng) -> list[Examples]:
    """Examples of the plane with some labels flipped, on which Pocket does not come to its end at once."""
    cases = list[Examples]()
    while len(cases) < pieces.FRESH:
        data = datasets.noisy(int(rng.integers(9, 15)), noise=0.25, low=-5, high=5, margin=0.3, rng=rng)
        X, y = pieces.examples(*data)
        if learning.pocket(X, y, order="cyclic", max_updates=20).updates == 20:
            cases.append((X, y))
    return cases


def _pocket_cases() -> list[Arguments]:
    clean, noisy = pieces.examples(*datasets.running_example()), pieces.examples(*datasets.noisy_running_example())
    return [
        (*pieces.examples([[2, 1]], [1]), 0),
        (*pieces.examples([[2, 1]], [1]), 1),
        (*pieces.examples([[2, 1]], [-1]), 3),
        (*pieces.examples(*_MOSTLY_MINUS), 3),
        *((*pieces.examples(*_CROSSED), budget) for budget in (1, 4, 7)),
        *((*noisy, budget) for budget in (3, 4, 10)),  # 3 is spent within a pass, and a better w comes soon after
        (*clean, 3),
        (*clean, 8),
        (*clean, 50),
        (*noisy, 100),
    ]


def _first_best(errors: list[int], since: int = 0) -> int:
    return errors.index(min(errors[since:]), since)


def _last_best(errors: list[int]) -> int:
    return len(errors) - 1 - _first_best(errors[::-1])


def choose_pocket(
    X: FloatArray,
    y: IntArray,
    max_updates: int,
    *,
    choose: Callable[[list[int]], int] = _first_best,  # from the mistakes at t = 0, 1, … to a t
    more_updates: int = 0,
    visits: float = np.inf,
    bias: Bias = pieces.bias_first,
    is_mistake: IsMistake = pieces.zero_is_minus,
    **parts: Any,
) -> Ends:
    """Pocket with one piece exchanged: the w's of the walk, and from their mistakes the choice of one."""
    Z, budget = bias(X), max(0, max_updates + more_updates)
    steps = islice(pieces.corrections(X, y, bias=bias, is_mistake=is_mistake, **parts), budget + 1)
    weights, errors = list[FloatArray](), list[int]()
    for step in takewhile(lambda step: step.visit < visits, steps):
        weights.append(step.w)
        errors.append(len(pieces.wrong_examples(step.w, Z, y, is_mistake)))
        if not errors[-1]:
            break
    return weights[choose(errors)], weights[-1]


def _never_stops_early(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """When no mistakes are left, it looks for one forever."""
    if len(list(islice(pieces.corrections(X, y), max_updates + 1))) <= max_updates:
        raise Endless
    return choose_pocket(X, y, max_updates)


def _ignores_budget(X: FloatArray, y: IntArray, _max_updates: int) -> Ends:
    """It ends when no mistakes are left, and only then."""
    if len(list(islice(pieces.corrections(X, y), 100))) == 100:
        raise Endless
    return choose_pocket(X, y, 100)


def _in_passes(
    X: FloatArray,
    y: IntArray,
    max_updates: int,
    *,
    passes: bool = True,
    spent: Callable[[int, int], bool] = lambda _updates, _budget: False,
    every_visit: bool = False,  # is `spent` asked after every visit, or only after an update?
) -> Ends:
    """max_updates passes, or (passes=False) passes until the budget is spent; `spent` leaves a pass, and only that."""
    Z = pieces.bias_first(X)
    weights = [np.zeros(Z.shape[1])]
    for _ in range(max_updates):
        if not passes and len(weights) > max_updates:
            break
        for z, label in zip(Z, y.tolist(), strict=True):
            if wrong := pieces.zero_is_minus(float(weights[-1] @ z), label):
                weights.append(pieces.plus_yx(weights[-1], z, label))
            if (wrong or every_visit) and spent(len(weights) - 1, max_updates):
                break
    return weights[_first_best([len(pieces.wrong_examples(w, Z, y)) for w in weights])], weights[-1]


def _greedy(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """It goes back when a correction does not leave fewer mistakes."""
    Z = pieces.bias_first(X)

    def keep(new: FloatArray, old: FloatArray) -> bool:
        return len(pieces.wrong_examples(new, Z, y)) < len(pieces.wrong_examples(old, Z, y))

    tried = islice(pieces.corrections(X, y, keep=keep), max_updates + 1)
    *_, last = (step.w for step in tried if step.kept)
    return last, last


def _explain_pocket(answer: Answer, X: FloatArray, y: IntArray, max_updates: int) -> list[Note]:
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates)
    errors = ", ".join([*map(str, run.errors[:9]), *(["…"] if len(run.errors) > 9 else [])])
    notes = explain_walk(answer, {"w": run.w, "last_w": run.last_w}, run.weights, run.errors)
    if not same({"last_w": run.last_w}, {"last_w": answer["last_w"]}):
        notes.append(Note("pocket.another_walk"))
    return [*notes, tell_steps(y, run.weights, run.picks, Note("pocket.keeps_the_first", errors=errors))]


_version: Final = partial(partial, choose_pocket)


@exercise(
    returns=(Part("w", "row"), Part("last_w", "row")),
    cases=_pocket_cases,
    fresh=lambda rng: [(*data, int(rng.integers(5, 31))) for data in fresh_noisy(rng)],
    mistakes=(
        *pieces.mistakes_in_walk(_version),
        Mistake("restarts", _version(after="first")),
        Mistake("restarts_zero_always_wrong", _version(after="first", is_mistake=pieces.zero_is_always_wrong)),
        Mistake("greedy", _greedy),
        Mistake("replaces_on_ties", _version(choose=_last_best)),
        Mistake("returns_last", _version(choose=lambda _errors: -1)),
        Mistake("swapped", lambda *case: choose_pocket(*case)[::-1]),
        Mistake("aliased_start", _version(choose=lambda errors: _first_best(errors) or -1)),
        Mistake("start_not_in_pocket", _version(choose=lambda errors: _first_best(errors, min(1, len(errors) - 1)))),
        # It counts the mistakes of w_t, but pockets w_{t+1}.
        Mistake("one_late", _version(choose=lambda errors: 1 + _first_best(errors[:-1]) if errors[1:] else 0)),
        Mistake("keeps_worst", _version(choose=lambda errors: errors.index(max(errors)))),
        Mistake("one_update_short", _version(more_updates=-1)),
        Mistake("one_update_over", _version(more_updates=1)),
        Mistake("ignores_budget", _ignores_budget),
        Mistake("budget_in_visits", lambda X, y, budget: choose_pocket(X, y, budget, visits=budget)),
        Mistake("budget_in_passes", _in_passes),
        Mistake("budget_after_pass", partial(_in_passes, passes=False)),
        Mistake(
            "break_leaves_inner_loop",
            partial(_in_passes, spent=int.__eq__),
            partial(_in_passes, spent=int.__ge__),
            partial(_in_passes, spent=int.__eq__, every_visit=True),
        ),
        Mistake("one_pass", lambda X, y, budget: choose_pocket(X, y, budget, visits=len(y))),
        Mistake("never_stops_early", _never_stops_early),
    ),
    key="w",
    explain=_explain_pocket,
)
def pocket(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """Is my_pocket(X, y, max_updates) the Pocket algorithm, walking as cyclic PLA does?

    The pocket holds w = 0 at the start, a w with strictly fewer mistakes replaces it, and a w with no mistakes ends the
    walk early. It returns (w, last_w): the pocket's w, and the last w of the walk.
    Explained in chapter 4, "Try it yourself".
    """
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates)
    return run.w, run.last_w


def _tables() -> list[Arguments]:
    """(train, test): columns of different sizes; in the second and third, one that never changes in train."""
    return [
        (np.array([[1.0], [3.0]]), np.array([[2.0], [5.0], [9.0]])),
        (np.array([[1.0, 3.0], [5.0, 3.0], [9.0, 3.0]]), np.array([[3.0, 3.0], [4.0, 3.0]])),
        (np.array([[1.0, 3.0], [5.0, 3.0], [9.0, 3.0]]), np.array([[3.0, 3.0], [4.0, 7.0]])),
        (np.array([[2.0, 100.0], [4.0, 300.0], [4.0, 500.0], [6.0, 300.0]]), np.array([[4.0, 250.0], [8.0, 700.0]])),
        (np.array([[0.5, -2.0, 40.0], [1.5, 4.0, 10.0], [4.0, 1.0, 20.0]]), np.arange(12.0).reshape(4, 3)),
    ]


def _fresh_tables(rng: Rng) -> list[Arguments]:
    """(train, test); the last has a column that never changes in train."""
    tables = [np.round(rng.uniform(-6, 6, (9, 3)) * [1, 10, 1000] + 7, 2) for _ in range(pieces.FRESH)]
    tables[-1][:5, 0] = 3.0
    return [(table[:5], table[5:]) for table in tables]


def scale(
    for_train: str = "train",
    for_test: str = "train",
    *,
    axis: int | None = 0,
    middle: Callable[..., Any] = np.mean,
    spread: Callable[..., Any] = np.std,
    guard: bool = True,
    add: float = 0.0,
) -> Version:
    """A version with one piece exchanged, that takes middle and spread for each table from "train", "test" or "all"."""

    def in_units_of(seen: FloatArray, table: FloatArray) -> FloatArray:
        unit = spread(seen, axis=axis, keepdims=True) + add
        with np.errstate(all="ignore"):
            centred = table - middle(seen, axis=axis, keepdims=True)
            return np.asarray(centred / np.where((unit == 0) & guard, 1.0, unit))

    def version(train: FloatArray, test: FloatArray) -> Ends:
        seen = {"train": train, "test": test, "all": np.vstack([train, test])}
        return in_units_of(seen[for_train], train), in_units_of(seen[for_test], test)

    return version


def _with_and_without_guard(*seen: str, **parts: Any) -> list[Version]:
    """With and without care for columns that never change."""
    return [scale(*seen, guard=guard, **parts) for guard in (True, False)]


def _with_zeros(train: FloatArray, test: FloatArray) -> Ends:
    """A column that never changes in train is 0 in both."""
    train_z, test_z = scale()(train, test)
    return train_z, np.where(np.ptp(train, axis=0) == 0, 0.0, test_z)


@exercise(
    returns=(Part("train", "table"), Part("test", "table")),
    cases=_tables,
    fresh=_fresh_tables,
    mistakes=(
        Mistake("tests_own_mean", *_with_and_without_guard("train", "test")),
        Mistake("all_data", *_with_and_without_guard("all", "all")),
        Mistake("learns_from_test", *_with_and_without_guard("test", "test")),
        Mistake("ddof_1", *_with_and_without_guard(spread=partial(np.std, ddof=1))),
        Mistake("not_centred", *_with_and_without_guard(middle=lambda _table, **_: 0.0)),
        Mistake("not_divided", scale(spread=lambda _table, **_: np.array(1.0))),
        Mistake("variance", *_with_and_without_guard(spread=np.var)),
        Mistake("by_rows", *_with_and_without_guard("train", "test", axis=1)),
        Mistake("whole_table", scale(axis=None)),
        Mistake("from_0_to_1", scale(middle=np.min, spread=np.ptp)),
        Mistake("constant_column", scale(guard=False), lambda *case: [*map(np.nan_to_num, scale(guard=False)(*case))]),
        Mistake("zeros_in_test", _with_zeros),
        Mistake("tiny_divisor", *(scale(add=10.0**-k) for k in range(7, 17))),
        Mistake("test_unchanged", lambda train, test: (scale()(train, test)[0], test)),
        Mistake("train_unchanged", lambda train, test: (train, scale()(train, test)[1])),
        Mistake("swapped", lambda *case: scale()(*case)[::-1]),
    ),
)
def standardise(train: FloatArray, test: FloatArray) -> Ends:
    """Does my_standardise(train, test) bring both to the training examples' mean 0 and standard deviation 1?

    Each column on its own, with the standard deviation that divides by N (ddof=0). From a column that never changes in
    train, subtract the mean and divide by 1. It returns (train_z, test_z). Explained in chapter 4, "Try it yourself".
    """
    mean, unit = train.mean(axis=0), np.where(np.ptp(train, axis=0) == 0, 1.0, train.std(axis=0))
    return (train - mean) / unit, (test - mean) / unit

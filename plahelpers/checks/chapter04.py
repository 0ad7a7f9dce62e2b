"""Chapter 4: Pocket, standardising, and data on which greedy search fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice, takewhile
from operator import eq, ge
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import _format, datasets, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks.cases import FRESH, examples, fresh_noisy
from plahelpers.checks.chapter02 import explain_size_of_w, tell_steps
from plahelpers.checks.construction import data_check
from plahelpers.checks.judge import exercise
from plahelpers.checks.result import Answer, same
from plahelpers.checks.sections import GREEDY, POCKET, REAL
from plahelpers.checks.task import Arguments, Endless, Mistake, Part, Rng, Version
from plahelpers.checks.variants import (
    Bias,
    IsMistake,
    bias_first,
    corrections,
    minus_update,
    mistakes_in_walk,
    plus_yx,
    restarts,
    wrong_examples,
    zero_is_minus,
)

__all__ = ["greedy_is_stuck", "pocket", "standardise"]

Ends: TypeAlias = tuple[FloatArray, FloatArray]  # the pocket's w, the last w

_CROSSED: Final = ([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1])
_MOSTLY_MINUS: Final = ([[1], [1], [2], [1]], [-1, 1, -1, -1])


def _pocket_cases() -> list[Arguments]:
    clean, noisy = examples(*datasets.running_example()), examples(*datasets.noisy_running_example())
    return [
        (*examples([[2, 1]], [1]), 0),
        (*examples([[2, 1]], [1]), 1),
        (*examples([[2, 1]], [-1]), 3),
        (*examples(*_MOSTLY_MINUS), 3),
        *((*examples(*_CROSSED), budget) for budget in (1, 4, 7)),
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
    bias: Bias = bias_first,
    is_mistake: IsMistake = zero_is_minus,
    **parts: Any,
) -> Ends:
    """Pocket with one piece exchanged: the w's of the walk, and from their mistakes the choice of one."""
    Z, budget = bias(X), max(0, max_updates + more_updates)
    steps = islice(corrections(X, y, bias=bias, is_mistake=is_mistake, **parts), budget + 1)
    weights, errors = list[FloatArray](), list[int]()
    for step in takewhile(lambda step: step.visit < visits, steps):
        weights.append(step.w)
        errors.append(len(wrong_examples(step.w, Z, y, is_mistake)))
        if not errors[-1]:
            break
    return weights[choose(errors)], weights[-1]


def _in_passes(
    X: FloatArray,
    y: IntArray,
    max_updates: int,
    *,
    passes: bool = True,
    ends_when_clean: bool = True,
    spent: Callable[[int, int], bool] = lambda _updates, _budget: False,
) -> Ends:
    """max_updates passes, or (passes=False) passes until the budget is spent; `spent` leaves a pass, and only that."""
    Z = bias_first(X)
    weights = [np.zeros(Z.shape[1])]
    for _ in range(max_updates):
        if not passes and len(weights) > max_updates:
            break
        if not ends_when_clean and not wrong_examples(weights[-1], Z, y):
            raise Endless
        for z, label in zip(Z, y.tolist(), strict=True):
            if zero_is_minus(float(weights[-1] @ z), label):
                weights.append(plus_yx(weights[-1], z, label))
                if spent(len(weights) - 1, max_updates):
                    break
    return weights[_first_best([len(wrong_examples(w, Z, y)) for w in weights])], weights[-1]


def _greedy(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """It goes back when a correction does not leave fewer mistakes."""
    Z = bias_first(X)

    def keep(new: FloatArray, old: FloatArray) -> bool:
        return len(wrong_examples(new, Z, y)) < len(wrong_examples(old, Z, y))

    tried = islice(corrections(X, y, keep=keep), max_updates + 1)
    *_, last = (step.w for step in tried if step.kept)
    return last, last


def _explain_pocket(answer: Answer, X: FloatArray, y: IntArray, max_updates: int) -> list[str]:
    run, w = learning.pocket(X, y, order="cyclic", max_updates=max_updates), answer["w"]
    notes = explain_size_of_w(len(w), len(run.w))
    t = next((t for t, passed in enumerate(run.weights) if same({"w": passed}, {"w": w})), None)
    if t is not None and not same({"w": w}, {"w": run.w}):
        mistakes = _format.count(int(run.errors[t]), "mistake")
        fewest = f"the fewest is {run.errors.min()}, first at t = {run.errors.argmin()}"
        notes.append(f"This is w_t for t = {t}, with {mistakes}; {fewest}.")
    if not same({"last_w": run.last_w}, {"last_w": answer["last_w"]}):
        notes.append(
            "The last w shows that it walks in another way. Does it visit the examples in turn, or does it pick "
            "mistakes at random?"
        )
    errors = ", ".join([*map(str, run.errors[:9]), *(["…"] if len(run.errors) > 9 else [])])
    end = f"the numbers of mistakes on the way are {errors}, and the pocket keeps the first w with the fewest"
    return [*notes, tell_steps(y, run.weights, run.picks, end)]


def _choosing(choose: Callable[[list[int]], int]) -> Version:
    return partial(choose_pocket, choose=choose)


@exercise(
    title="Pocket",
    parts=(Part("w", "row"), Part("last_w", "row")),
    returns="(w, last_w), these two in this order",
    read=POCKET,
    cases=_pocket_cases,
    fresh=lambda rng: [(*data, int(rng.integers(5, 31))) for data in fresh_noisy(rng)],
    mistakes=(
        *mistakes_in_walk(choose_pocket),
        minus_update(choose_pocket),
        *restarts(choose_pocket, "Pocket walks exactly as PLA does; it goes on from the next example."),
        Mistake(
            "greedy",
            "it goes back when a correction does not leave fewer mistakes",
            "Pocket walks exactly as PLA does, and never goes back. The algorithm that goes back is called greedy, and "
            "can get stuck.",
            _greedy,
            read=GREEDY,
        ),
        Mistake(
            "replaces_on_ties",
            "it replaces the pocket also when the new w is only as good as the old one",
            "Strictly fewer mistakes replace the pocket (`<`, not `<=`).",
            _choosing(_last_best),
        ),
        Mistake(
            "returns_last",
            "it returns the last w of the walk: either the wrong variable is returned, or the pocket is the same array "
            "as w (`best = w`, then `w += …` changes both)",
            "Put a copy in the pocket (`best = w.copy()`), or make a new array with `w = w + y * x`; return the "
            "pocket.",
            _choosing(lambda _errors: -1),
        ),
        Mistake(
            "swapped",
            "it returns the last w first, and the pocket second",
            "(pocket, last w), in this order.",
            lambda *case: choose_pocket(*case)[::-1],
        ),
        Mistake(
            "start_not_in_pocket",
            "the w it starts with is not in the pocket",
            "The start w = 0 may be the best of all, so the pocket begins with it and its mistakes.",
            _choosing(lambda errors: _first_best(errors, min(1, len(errors) - 1))),
        ),
        Mistake(
            "one_late",
            "it counts the mistakes of one w but pockets the next one",
            "Count the mistakes again after the correction, and pocket the w that was counted.",
            _choosing(lambda errors: 1 + _first_best(errors[:-1]) if errors[1:] else 0),
        ),
        Mistake(
            "budget_off_by_one",
            "it makes one update fewer, or one more, than max_updates",
            "All max_updates updates are allowed, and max_updates = 0 allows none.",
            partial(choose_pocket, more_updates=-1),
            partial(choose_pocket, more_updates=1),
        ),
        Mistake(
            "budget_in_visits",
            "its budget counts visits, or passes over the data, not updates",
            "Each correction costs one, and a visit to an example that is right costs nothing.",
            lambda X, y, budget: choose_pocket(X, y, budget, visits=budget),
            _in_passes,
        ),
        Mistake(
            "budget_after_pass",
            "it looks at its budget only after a whole pass, and so makes more updates than allowed",
            "Look at it after every update.",
            partial(_in_passes, passes=False),
            partial(_in_passes, passes=False, ends_when_clean=False),
        ),
        Mistake(
            "break_leaves_inner_loop",
            "when its budget is spent, `break` leaves only the inner loop, and the next pass walks on",
            "A `break` ends one loop: use `return`, or look at the budget in the outer loop too.",
            partial(_in_passes, spent=eq),
            partial(_in_passes, spent=ge),
        ),
        Mistake(
            "one_pass",
            "it goes through the examples only once",
            "Go on until the budget is spent, or no mistake is left.",
            lambda X, y, budget: choose_pocket(X, y, budget, visits=len(y)),
        ),
    ),
    ends="It has to stop after max_updates updates, and as soon as w makes no mistakes.",
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
    """(train, test): columns of different sizes; from the second to the fourth, one that never changes in train.

    In the fourth its computed standard deviation is not 0: the mean of three times 0.1 is not quite 0.1.
    """
    train = np.array([[1.0, 3.0], [5.0, 3.0], [9.0, 3.0]])
    return [
        (np.array([[1.0], [3.0]]), np.array([[2.0], [5.0], [9.0]])),
        (train.copy(), np.array([[3.0, 3.0], [4.0, 3.0]])),
        (train.copy(), np.array([[3.0, 3.0], [4.0, 7.0]])),
        (np.array([[0.1], [0.1], [0.1]]), np.array([[0.1], [0.3]])),
        (np.array([[2.0, 100.0], [4.0, 300.0], [4.0, 500.0], [6.0, 300.0]]), np.array([[4.0, 250.0], [8.0, 700.0]])),
        (np.array([[0.5, -2.0, 40.0], [1.5, 4.0, 10.0], [4.0, 1.0, 20.0]]), np.arange(12.0).reshape(4, 3)),
    ]


def _fresh_tables(rng: Rng) -> list[Arguments]:
    """(train, test); the last has a column that never changes in train."""
    tables = [np.round(rng.uniform(-6, 6, (9, 3)) * [1, 10, 1000] + 7, 2) for _ in range(FRESH)]
    tables[-1][:5, 0] = 3.0
    return [(table[:5], table[5:]) for table in tables]


def scale(
    train: FloatArray,
    test: FloatArray,
    *,
    for_train: str = "train",
    for_test: str = "train",
    axis: int | None = 0,
    middle: Callable[..., Any] = np.mean,
    spread: Callable[..., Any] = np.std,
    guard: str = "equal",  # divide by 1 where all values are "equal", where the spread is "zero", or "never"
    add: float = 0.0,
) -> Ends:
    """Standardising with one part exchanged; middle and spread for each table are those of "train", "test" or "all"."""

    def in_units_of(seen: FloatArray, table: FloatArray) -> FloatArray:
        unit = spread(seen, axis=axis, keepdims=True) + add
        spared = {"equal": np.ptp(seen, axis=axis, keepdims=True) == 0, "zero": unit == 0, "never": False}[guard]
        with np.errstate(all="ignore"):
            return np.asarray((table - middle(seen, axis=axis, keepdims=True)) / np.where(spared, 1.0, unit))

    seen = {"train": train, "test": test, "all": np.vstack([train, test])}
    return in_units_of(seen[for_train], train), in_units_of(seen[for_test], test)


def _with_any_guard(**parts: Any) -> list[Version]:
    """With and without care for columns that never change."""
    return [partial(scale, guard=guard, **parts) for guard in ("equal", "zero", "never")]


def _with_zeros(guard: str) -> Version:
    """A column that never changes in train is 0 in both."""

    def version(train: FloatArray, test: FloatArray) -> Ends:
        train_z, test_z = scale(train, test, guard=guard)
        is_constant = np.ptp(train, axis=0) == 0 if guard == "equal" else train.std(axis=0) == 0
        return train_z, np.where(is_constant, 0.0, test_z)

    return version


@exercise(
    parts=(Part("train", "table"), Part("test", "table")),
    returns="two tables, (train_z, test_z)",
    read=REAL,
    cases=_tables,
    fresh=_fresh_tables,
    mistakes=(
        Mistake(
            "tests_own_mean",
            "it measures the test examples by their own mean and spread",
            "A new example comes alone, so its own spread is 0: use the training examples' mean and spread for both.",
            *_with_any_guard(for_test="test"),
        ),
        Mistake(
            "all_data",
            "its mean and spread do not come from the training examples alone",
            "The test examples must not be used for anything that is learned, and the mean is learned.",
            *_with_any_guard(for_train="all", for_test="all"),
            *_with_any_guard(for_train="test", for_test="test"),
        ),
        Mistake(
            "ddof_1",
            "it divides by N − 1 in the variance (ddof=1, as pandas does)",
            "Here the variance is the mean of the squares: ddof=0, NumPy's own.",
            *_with_any_guard(spread=partial(np.std, ddof=1)),
        ),
        Mistake(
            "not_centred",
            "it does not subtract the mean",
            "Subtract the mean first, then divide.",
            *_with_any_guard(middle=lambda _table, **_: 0.0),
        ),
        Mistake(
            "not_divided",
            "it divides by the variance, or by nothing, instead of the standard deviation",
            "Each training column that changes is to have spread 1.",
            *_with_any_guard(spread=np.var),
            partial(scale, spread=lambda _table, **_: np.array(1.0)),
        ),
        Mistake(
            "not_by_columns",
            "it standardises each example (row) by itself, or the whole table at once",
            "Each feature is a column, and has a mean and a spread of its own: axis=0.",
            *_with_any_guard(for_test="test", axis=1),
            *_with_any_guard(axis=None),
        ),
        Mistake(
            "constant_column",
            "it divides by 0 in a column that never changes in train, and gets NaN or infinity there",
            "The standard deviation of such a column is 0: subtract the mean and divide by 1. Replacing NaN by 0 "
            "afterwards can be wrong for the test examples.",
            partial(scale, guard="never"),
            lambda *case: [*map(np.nan_to_num, scale(*case, guard="never"))],
        ),
        Mistake(
            "rounded_deviation",
            "it divides by 1 only where the computed standard deviation is exactly 0",
            "The mean of three times 0.1 is computed as 0.10000000000000002, so their standard deviation comes out as "
            "1.4e-17 and not as 0. Ask whether all values are equal (`np.ptp(train, axis=0) == 0`), or whether the "
            "deviation is tiny.",
            partial(scale, guard="zero"),
        ),
        Mistake(
            "zeros_in_test",
            "it sets a column that never changes in train to 0 in the test examples too",
            "The test examples may have other values there: subtract the mean and divide by 1, in both.",
            *map(_with_zeros, ("equal", "zero")),
        ),
        Mistake(
            "tiny_divisor",
            "it divides a column that never changes in train by a tiny number, so that another value in the test "
            "examples becomes huge",
            "Subtract the mean and divide by 1 there.",
            *(partial(scale, guard="never", add=10.0**-k) for k in range(7, 17)),
        ),
        Mistake(
            "only_train",
            "it returns one table, the training examples",
            "Return both: `return train_z, test_z`.",
            *(lambda *case, version=version: version(*case)[0] for version in _with_any_guard()),
        ),
    ),
)
def standardise(train: FloatArray, test: FloatArray) -> Ends:
    """Does my_standardise(train, test) bring both to the training examples' mean 0 and standard deviation 1?

    Each column on its own, with the standard deviation that divides by N (ddof=0). From a column whose values in train
    are all equal, subtract the mean and divide by 1, also where rounding makes its standard deviation not quite 0.
    It returns (train_z, test_z). Explained in chapter 4, "Try it yourself".
    """
    is_constant = np.ptp(train, axis=0) == 0
    mean, unit = np.where(is_constant, train[0], train.mean(axis=0)), np.where(is_constant, 1.0, train.std(axis=0))
    return (train - mean) / unit, (test - mean) / unit


@data_check(
    title="Make greedy fail",
    asked="at least three separable examples with both labels, on which no first correction of w = 0 leaves fewer "
    "mistakes than w = 0 makes",
    read=GREEDY,
)
def greedy_is_stuck(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """Is greedy search stuck at w = 0 on these examples, although they are separable?

    Explained in chapter 4, "Try it yourself".
    """
    if len(y) < 3 or len(set(y.tolist())) < 2:
        return False, "fewer than three examples, or only one label"
    wrong = hypothesis.mistakes(np.zeros(3), X, y)
    after = [hypothesis.mistakes(w, X, y).size for w in bias_first(X)[wrong]]  # they are the positive ones
    start = f"w = 0 makes {_format.count(wrong.size, 'mistake')}"
    return min(after) >= wrong.size, f"{start}, and one correction leaves {' or '.join(map(str, sorted(set(after))))}"

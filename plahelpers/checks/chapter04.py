"""Chapter 4: Pocket, standardising, and data on which greedy search fails."""

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from plahelpers import _format, datasets, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import variants
from plahelpers.checks.cases import examples
from plahelpers.checks.chapter02 import tell_steps
from plahelpers.checks.construction import data_check
from plahelpers.checks.judge import exercise
from plahelpers.checks.result import Answer
from plahelpers.checks.sections import GREEDY, POCKET, REAL
from plahelpers.checks.task import Arguments, Mistake, Part, Version

__all__ = ["greedy_is_stuck", "pocket", "standardise"]

Ends: TypeAlias = tuple[FloatArray, FloatArray]  # the pocket's w, the last w


def _pocket_cases() -> list[Arguments]:
    crossed = examples([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1])
    clean, noisy = examples(*datasets.running_example()), examples(*datasets.noisy_running_example())
    return [
        (*examples([[2, 1]], [1]), 0),
        (*examples([[2, 1]], [1]), 1),
        (*examples([[2, 1]], [-1]), 3),
        (*examples([[1], [1], [2], [1]], [-1, 1, -1, -1]), 3),
        *((*crossed, budget) for budget in (1, 4, 7)),
        *((*noisy, budget) for budget in (3, 4, 10)),  # 3 is spent within a pass, and a better w comes soon after
        (*clean, 3),
        (*clean, 8),
        (*clean, 50),
        (*noisy, 100),
    ]


def _first_best(errors: list[int], since: int = 0) -> int:
    return errors.index(min(errors[since:]), since)


def _pocket(
    X: FloatArray,
    y: IntArray,
    max_updates: int,
    *,
    choose: Callable[[list[int]], int] = _first_best,  # from the mistakes at t = 0, 1, … to a t
    bias: variants.Bias = variants.bias_first,
    is_mistake: variants.IsMistake = variants.zero_is_minus,
    **parts: Any,
) -> Ends:
    """Pocket with one piece exchanged: the w's of the walk, and from their mistakes the choice of one."""
    Z = bias(X)
    weights, errors = list[FloatArray](), list[int]()
    for step in islice(variants.corrections(X, y, bias=bias, is_mistake=is_mistake, **parts), max(0, max_updates) + 1):
        weights.append(step.w)
        errors.append(len(variants.wrong_examples(step.w, Z, y, is_mistake)))
        if not errors[-1]:
            break
    return weights[choose(errors)], weights[-1]


def _epochs(X: FloatArray, y: IntArray, updates: int) -> int:
    """After how many epochs so many updates are made, or all."""
    *_, last = islice(variants.corrections(X, y), updates + 1)
    return last.visit // len(y) + 1


def _greedy(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """Go round the examples; keep a correction only if it makes fewer mistakes."""
    Z, w, tried = variants.bias_first(X), np.zeros(X.shape[1] + 1), 0
    for visit in variants.count_visits(X):
        wrong, n = variants.wrong_examples(w, Z, y), visit % len(y)
        if not wrong or tried >= max_updates:
            break
        if n in wrong:
            new, tried = w + y[n] * Z[n], tried + 1
            w = new if len(variants.wrong_examples(new, Z, y)) < len(wrong) else w
    return w, w


def _explain_pocket(_answer: Answer, X: FloatArray, y: IntArray, max_updates: int) -> list[str]:
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates)
    errors = ", ".join([*map(str, run.errors[:9]), *(["…"] if len(run.errors) > 9 else [])])
    return tell_steps(run, f"the mistakes of each w, in turn: {errors}; the pocket keeps the first w with the fewest")


@exercise(
    title="Pocket",
    parts=(Part("w", "row"), Part("last_w", "row")),
    returns="(w, last_w), these two in this order",
    read=POCKET,
    cases=_pocket_cases,
    mistakes=(
        *variants.mistakes_in_walk(_pocket),
        variants.restarts(_pocket),
        Mistake(
            "replaces_on_ties",
            "it replaces the pocket also when the new w is only as good as the old one",
            "Strictly fewer mistakes replace the pocket (`<`, not `<=`).",
            partial(_pocket, choose=lambda errors: len(errors) - 1 - _first_best(errors[::-1])),
        ),
        Mistake(
            "returns_last",
            "its pocket is the last w of the walk: the wrong variable, or the same array as w",
            "After `best = w`, `w += …` changes both: use `best = w.copy()`.",
            partial(_pocket, choose=lambda _errors: -1),
        ),
        Mistake(
            "greedy",
            "it goes back when the new w is not better: that is greedy search",
            "Pocket walks on from the new w, good or bad; only the pocket stays.",
            _greedy,
            read=GREEDY,
        ),
        Mistake(
            "start_not_in_pocket",
            "the w it starts with is not in the pocket",
            "The start w = 0 may be the best of all, so the pocket begins with it and its mistakes.",
            partial(_pocket, choose=lambda errors: _first_best(errors, min(1, len(errors) - 1))),
        ),
        Mistake(
            "budget_off_by_one",
            "it makes one update fewer, or one more, than max_updates",
            "All max_updates updates are allowed, and max_updates = 0 allows none.",
            lambda X, y, max_updates: _pocket(X, y, max_updates - 1),
            lambda X, y, max_updates: _pocket(X, y, max_updates + 1),
        ),
        Mistake(
            "counts_epochs",
            "it makes max_updates epochs, or compares its updates with max_updates only after each epoch",
            "Each correction is an update: when max_updates of them are made, stop in the middle of the epoch.",
            lambda X, y, max_updates: _pocket(X, y, 10**6, passes=max_updates),
            lambda X, y, max_updates: _pocket(X, y, 10**6, passes=_epochs(X, y, max_updates)),
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


def _scale(
    train: FloatArray,
    test: FloatArray,
    *,
    axis: int | None = 0,  # None: one mean and one deviation for the whole table
    by: str = "train",  # whose mean and deviation a table is measured by: those of "train", its "own", or of "all"
    ddof: int = 0,
    guard: str = "equal",  # divide by 1 where all values are "equal", where the deviation is "zero", or "never"
) -> Ends:
    """Standardising with one part exchanged."""

    def scaled(table: FloatArray) -> FloatArray:
        seen = {"train": train, "own": table, "all": np.vstack([train, test])}[by]
        unit = seen.std(axis=axis, ddof=ddof)
        spared = {"equal": np.ptp(seen, axis=axis) == 0, "zero": unit == 0, "never": False}[guard]
        with np.errstate(all="ignore"):
            return np.asarray((table - seen.mean(axis=axis)) / np.where(spared, 1.0, unit))

    return scaled(train), scaled(test)


def _with_any_guard(**parts: Any) -> list[Version]:
    """With and without care for columns that never change."""
    return [partial(_scale, guard=guard, **parts) for guard in ("equal", "zero", "never")]


@exercise(
    parts=(Part("train", "table"), Part("test", "table")),
    returns="two tables, (train_z, test_z)",
    read=REAL,
    cases=_tables,
    mistakes=(
        Mistake(
            "uses_test",
            "it uses the test examples for a mean or a spread: their own, or that of all examples",
            "The mean is learned, and a new example comes alone: use those of the training examples for both.",
            *_with_any_guard(by="own"),
            *_with_any_guard(by="all"),
        ),
        Mistake(
            "no_axis",
            "it takes one mean and one deviation for the whole table",
            "Each column has its own: `train.mean(axis=0)`, and the same for the deviation.",
            *_with_any_guard(axis=None),
        ),
        Mistake(
            "ddof_1",
            "it divides by N − 1 in the variance (ddof=1, as pandas does)",
            "Here the variance is the mean of the squares: ddof=0, NumPy's own.",
            *_with_any_guard(ddof=1),
        ),
        Mistake(
            "constant_column",
            "it divides by 0 in a column that never changes in train, and gets NaN or infinity there",
            "Subtract the mean there and divide by 1. (To replace NaN by 0 can be wrong for the test examples.)",
            partial(_scale, guard="never"),
            lambda *case: [*map(np.nan_to_num, _scale(*case, guard="never"))],
        ),
        Mistake(
            "rounded_deviation",
            "it divides by 1 only where the computed standard deviation is exactly 0",
            "The deviation of three times 0.1 comes out as 1.4e-17 and not as 0. Ask whether all values are equal "
            "(`np.ptp(train, axis=0) == 0`), or whether the deviation is tiny.",
            partial(_scale, guard="zero"),
        ),
    ),
)
def standardise(train: FloatArray, test: FloatArray) -> Ends:
    """Does my_standardise(train, test) bring both to the training examples' mean 0 and standard deviation 1?

    Each column on its own, with the standard deviation that divides by N (ddof=0). From a column whose values in train
    are all equal, subtract the mean and divide by 1, also where rounding makes its standard deviation not quite 0.
    It returns (train_z, test_z).
    """
    is_constant = np.ptp(train, axis=0) == 0
    mean, unit = np.where(is_constant, train[0], train.mean(axis=0)), np.where(is_constant, 1.0, train.std(axis=0))
    return (train - mean) / unit, (test - mean) / unit


@data_check(title="Make greedy fail", read=GREEDY)
def greedy_is_stuck(X: FloatArray, y: IntArray) -> tuple[bool, str]:
    """At least three separable examples with both labels, on which no first correction of w = 0 leaves fewer mistakes
    than w = 0 makes.
    """
    if len(y) < 3 or len(set(y.tolist())) < 2:
        return False, "fewer than three examples" if len(y) < 3 else "only one label"
    wrong = hypothesis.mistakes(np.zeros(3), X, y)
    after = [hypothesis.mistakes(w, X, y).size for w in variants.bias_first(X)[wrong]]  # they are the positive ones
    start = f"w = 0 makes {_format.count(wrong.size, 'mistake')}"
    return min(after) >= wrong.size, f"{start}, and one correction leaves {' or '.join(map(str, sorted(set(after))))}"

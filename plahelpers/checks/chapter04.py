"""Chapter 4: Pocket, Pocket many times, its rival greedy, and standardising."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice, takewhile
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import datasets, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter02 import explain_walk, ignore_order, passes_only, tell_steps
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import Bias, Examples, IsMistake
from plahelpers.checks.report import Answer, same
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import Arguments, Endless, Mistake, Part, Rng, Version

__all__ = ["greedy", "pocket", "repeat_pocket", "standardise"]

Ends: TypeAlias = tuple[FloatArray, FloatArray]  # the pocket's w, the last w
Errors: TypeAlias = list[list[float]]

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
    order: Any = None,
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
    steps = islice(pieces.corrections(X, y, order, bias=bias, is_mistake=is_mistake, **parts), budget + 1)
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


def _explain_pocket(answer: Answer, X: FloatArray, y: IntArray, max_updates: int) -> list[Note]:
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates)
    errors = ", ".join([*map(str, run.errors[:9]), *(["…"] if len(run.errors) > 9 else [])])
    notes = explain_walk(answer, {"w": run.w, "last_w": run.last_w}, run.weights, run.errors)
    if not same({"last_w": run.last_w}, {"last_w": answer["last_w"]}):
        notes.append(Note("pocket.another_walk"))
    return [*notes, tell_steps(run, Note("pocket.keeps_the_first", errors=errors))]


_version: Final = partial(partial, choose_pocket)


@exercise(
    returns=(Part("w", "row"), Part("last_w", "row")),
    cases=_pocket_cases,
    fresh=lambda rng: [(*data, int(rng.integers(5, 31))) for data in fresh_noisy(rng)],
    mistakes=(
        *pieces.mistakes_in_walk(_version),
        Mistake("restarts", _version(after="first")),
        Mistake("restarts_zero_always_wrong", _version(after="first", is_mistake=pieces.zero_is_always_wrong)),
        Mistake("greedy", lambda X, y, budget: [_last_kept(islice(attempts(X, y), budget + 1))] * 2),
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


def _repeat_cases() -> list[Arguments]:
    rng = np.random.default_rng(4)
    data = datasets.noisy_running_example()
    noisy = pieces.examples(*data)
    two_more = np.array([[2.0, 3.0], [-1.0, 0.5]]), np.array([1, -1])
    return [
        (*pieces.examples([[2, 1]], [1]), *two_more, np.array([[0]]), 1),
        (*pieces.examples(*_CROSSED), *two_more, np.array([[0, 1, 2, 3], [2, 1, 3, 0]]), 3),
        (*noisy, *_test_set(rng, data.w_f), pieces.permutations(rng, 3, 20), 5),
        (*noisy, *_test_set(rng, data.w_f), pieces.permutations(rng, 5, 20), 20),
    ]


def _fresh_repeat_cases(rng: Rng) -> list[Arguments]:
    return [
        (X, y, *_test_set(rng), pieces.permutations(rng, 3, len(y)), int(rng.integers(5, 21)))
        for X, y in fresh_noisy(rng)
    ]


def _test_set(rng: Rng, w_f: Any = None) -> Examples:
    data = datasets.noisy(int(rng.integers(7, 12)), noise=0.2, w_f=w_f, low=-5, high=5, rng=rng)
    return pieces.examples(*data)


def _rate(w: FloatArray, X: FloatArray, y: IntArray, is_mistake: IsMistake = pieces.zero_is_minus) -> float:
    return len(pieces.wrong_examples(w, pieces.bias_first(X), y, is_mistake)) / len(y)


def _measured(learn: Callable[..., list[Ends]], rate: Callable[..., float] = _rate) -> Version:
    """What learn(train, test, cycles, max_updates) ends with, measured: pockets on both sets, last w's on both."""

    def version(X: FloatArray, y: IntArray, X_test: FloatArray, y_test: IntArray, *more: Any) -> Errors:
        both = (X, y), (X_test, y_test)
        ends = learn(*both, *more)
        return [[rate(pair[k], *data) for pair in ends] for k in (0, 1) for data in both]

    return version


def _with(
    rate: Callable[..., float] | None = None, is_mistake: IsMistake = pieces.zero_is_minus, **parts: Any
) -> Version:
    """Pocket for each cycle, with one piece exchanged; walk and errors have the same convention on the line."""

    def learn(train: Examples, _test: Examples, cycles: IntArray, max_updates: int) -> list[Ends]:
        return [choose_pocket(*train, max_updates, cycle, is_mistake=is_mistake, **parts) for cycle in cycles]

    return _measured(learn, rate or partial(_rate, is_mistake=is_mistake))


many_pockets: Final = _with()


def _rows(*rows: int) -> Version:
    """The right numbers in another order."""
    return lambda *case: [many_pockets(*case)[row] for row in rows]


def _carrying_on(*, keep_pocket: bool, keep_w: bool) -> Version:
    """A run begins with the w, or the pocket, of the run before."""

    def learn(train: Examples, _test: Examples, cycles: IntArray, max_updates: int) -> list[Ends]:
        w = best = zero = np.zeros(train[0].shape[1] + 1)
        ends = []
        for cycle in cycles:
            new, w = choose_pocket(*train, max_updates, cycle, start=w if keep_w else zero)
            best = min([best, new] if keep_pocket else [new], key=lambda w: _rate(w, *train))
            ends.append((best, w))
        return ends

    return _measured(learn)


def _peeking(train: Examples, test: Examples, cycles: IntArray, max_updates: int) -> list[Ends]:
    """The pocket is chosen by the test examples."""
    walks = [[step.w for step in islice(pieces.corrections(*train, cycle), max_updates + 1)] for cycle in cycles]
    return [(min(weights, key=lambda w: _rate(w, *test)), weights[-1]) for weights in walks]


@exercise(
    returns=tuple(Part(f"{w} on {data}", "row") for w in ("pocket", "last w") for data in ("(X, y)", "test")),
    cases=_repeat_cases,
    fresh=_fresh_repeat_cases,
    mistakes=(
        Mistake("no_bias", _with(bias=pieces.bias_zero)),
        *pieces.mistakes_on_the_line(_with),
        Mistake("restarts", _with(after="first")),
        Mistake("replaces_on_ties", _with(choose=_last_best)),
        Mistake("one_update_short", _with(more_updates=-1)),
        Mistake("one_update_over", _with(more_updates=1)),
        Mistake("ignores_order", lambda *case: many_pockets(*case[:4], np.sort(case[4]), case[5])),
        Mistake("carries_on", *(_carrying_on(keep_w=True, keep_pocket=keep) for keep in (False, True))),
        Mistake("pocket_carries_on", _carrying_on(keep_w=False, keep_pocket=True)),
        Mistake("peeks", _measured(_peeking)),
        Mistake("last_for_pocket", _rows(2, 3, 2, 3)),
        Mistake("pocket_for_last", _rows(0, 1, 0, 1)),
        Mistake("train_for_test", _rows(0, 0, 2, 2)),
        Mistake("another_arrangement", _rows(0, 2, 1, 3), _rows(2, 3, 0, 1), _rows(1, 0, 3, 2), _rows(2, 0, 3, 1)),
        Mistake("counts", _with(rate=lambda w, X, y: _rate(w, X, y) * len(y))),
        Mistake("percent", _with(rate=lambda w, X, y: 100 * _rate(w, X, y))),
        Mistake("accuracies", _with(rate=lambda w, X, y: 1 - _rate(w, X, y))),
        Mistake("one_row_a_run", lambda *case: np.transpose(many_pockets(*case)).tolist()),
        Mistake("first_run_only", lambda *case: [row[:1] for row in many_pockets(*case)]),
        Mistake("means", lambda *case: np.mean(many_pockets(*case), axis=1)),
    ),
)
def repeat_pocket(X: Any, y: Any, X_test: Any, y_test: Any, cycles: Any, max_updates: int) -> Errors:
    """Does my_experiment(X, y, X_test, y_test, cycles, max_updates) run Pocket for each cycle?

    cycles is an array with one order of visits in each row; each run starts from w = 0 with w = 0 in the pocket, and
    walks along its cycle as `pocket` does. It returns four lists of error rates with an entry for each run, in this
    order: the pocket on (X, y), the pocket on (X_test, y_test), the last w on (X, y), the last w on (X_test, y_test).
    Explained in chapter 4, "Pocket, two thousand times".
    """
    runs = [learning.pocket(X, y, order=cycle, max_updates=max_updates) for cycle in cycles]
    both, weights = ((X, y), (X_test, y_test)), ([run.w for run in runs], [run.last_w for run in runs])
    return [[hypothesis.error_rate(w, *data) for w in each] for each in weights for data in both]


def _greedy_cases() -> list[Arguments]:
    """(X, y, order): where going back matters, where it does not, and where the second pass still helps."""
    clean, noisy = pieces.examples(*datasets.running_example()), pieces.examples(*datasets.noisy_running_example())
    second_pass = pieces.examples([[-2, 2], [-1, -1], [-4, 1], [1, -2], [3, -3]], [-1, -1, -1, 1, 1])
    return [
        (*pieces.examples([[2, 1]], [1]), np.array([0])),
        (*pieces.examples([[2, 1]], [-1]), np.array([0])),
        (*pieces.examples(*_MOSTLY_MINUS), np.array([0, 1, 2, 3])),
        (*pieces.examples(*_CROSSED), np.array([0, 1, 2, 3])),
        (*pieces.examples(*_CROSSED), np.array([2, 1, 3, 0])),
        (*second_pass, np.array([1, 3, 0, 2, 4])),
        *((*data, order) for data in (clean, noisy) for order in (np.arange(20), datasets.running_order())),
    ]


def attempts(
    X: FloatArray,
    y: IntArray,
    order: Any = None,
    *,
    bias: Bias = pieces.bias_first,
    is_mistake: IsMistake = pieces.zero_is_minus,
    better: Callable[[int, int], bool] = int.__lt__,
    every_point: bool = False,
    **parts: Any,
) -> Iterator[pieces.Correction]:
    """Greedy with one piece exchanged: a correction is kept if its number of mistakes is better than the one before."""
    Z = bias(X)

    def keep(new: FloatArray, old: FloatArray, _n: int) -> bool:
        after, before = (len(pieces.wrong_examples(w, Z, y, is_mistake)) for w in (new, old))
        return better(after, before)

    is_tried = (lambda _s, _y: True) if every_point else is_mistake
    return pieces.corrections(X, y, order, bias=bias, is_mistake=is_tried, keep=keep, **parts)


def _last_kept(steps: Iterable[pieces.Correction]) -> FloatArray:
    return [step.w for step in steps if step.kept][-1]


def go_greedily(*case: Any, **parts: Any) -> FloatArray:
    return _last_kept(attempts(*case, **parts))


def _best_of_all(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    """All corrections are tried, and the best of them is made."""
    Z, w = pieces.bias_first(X), np.zeros(X.shape[1] + 1)
    while wrong := pieces.wrong_examples(w, Z, y):
        new = [w + y[n] * Z[n] for n in order if n in wrong]
        fewest, k = min((len(pieces.wrong_examples(each, Z, y)), k) for k, each in enumerate(new))
        if fewest >= len(wrong):
            break
        w = new[k]
    return w


def _walks_on(X: FloatArray, y: IntArray, order: Any, *, in_passes: bool, keep_best: bool) -> FloatArray:
    """Every correction stays; it ends when for a whole cycle no w was better than the best before."""
    N, fewest, end = len(y), len(y) + 1, len(y)
    for visit, _, new, _ in pieces.corrections(X, y, order):
        if visit >= end or not fewest:
            break
        w, errors = new, len(hypothesis.mistakes(new, X, y))
        if errors < fewest:
            best, fewest, end = w, errors, visit + 1 + N
            end += -end % N if in_passes else 0
    return best if keep_best else w


def _explain_greedy(answer: Answer, X: FloatArray, y: IntArray, order: Any) -> list[Note]:
    (_, _, w, _), *steps = attempts(X, y, order)
    path, tries = [w], list[Note]()
    for _, n, new, kept in steps:
        before, after = (len(hypothesis.mistakes(w, X, y)) for w in (path[-1], new))
        details = {"n": n, "w": new, "before": before, "after": after}
        tries.append(Note("greedy.kept" if kept else "greedy.taken_back", **details))
        path += [new] if kept else []
    more = [Note("greedy.more", attempts=len(tries))] if len(tries) > 8 else []
    notes = explain_walk(answer, {"w": path[-1]}, np.array(path))
    return [*notes, Note("walk.steps", w=path[0], steps=[*tries[:8], *more])]


_greedy: Final = partial(partial, go_greedily)


@exercise(
    returns=(Part("w", "row"),),
    cases=_greedy_cases,
    fresh=lambda rng: [(X, y, rng.permutation(len(y))) for X, y in fresh_noisy(rng)],
    mistakes=(
        *pieces.mistakes_in_walk(_greedy),
        Mistake("ignores_order", ignore_order(go_greedily)),
        Mistake("keeps_ties", _greedy(better=int.__le__), _greedy(better=int.__le__, in_passes=True)),
        Mistake("keeps_worse", _greedy(better=int.__gt__)),
        Mistake("never_goes_back", *(partial(_walks_on, in_passes=k < 2, keep_best=k % 2 == 0) for k in range(4))),
        # Every correction stays, and none looks better than itself.
        Mistake("aliased", lambda *case: passes_only(1)(*case)[0]),
        Mistake("every_point", _greedy(every_point=True)),
        Mistake("restarts", _greedy(after="first")),
        Mistake("best_of_all", _best_of_all),
        Mistake("first_refusal_ends", lambda *case: _last_kept(takewhile(lambda step: step.kept, attempts(*case)))),
        Mistake("one_kept", lambda *case: [step.w for step in attempts(*case) if step.kept][:2][-1]),
        Mistake("one_pass", lambda *case: _last_kept(step for step in attempts(*case) if step.visit < len(case[1]))),
    ),
    explain=_explain_greedy,
)
def greedy(X: FloatArray, y: IntArray, order: IntArray) -> FloatArray:
    """Does my_greedy(X, y, order) keep only corrections that make strictly fewer mistakes?

    It starts from w = 0 and visits the examples along order, a cycle, again and again. At each mistake it tries
    w + y x: if that makes strictly fewer mistakes on all of (X, y) it is the new w, else w stays as it was; either way
    it goes on from the next example. It stops when no mistake is left, or when a whole cycle passes without a
    correction that is kept (after that none ever would be, so it does no harm to stop later). It returns w.
    Greedy is told in chapter 4, "Pocket against greedy".
    """
    return go_greedily(X, y, order)


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

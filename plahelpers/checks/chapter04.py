"""Notebook 04: Pocket, Pocket many times, its rival greedy, and standardising."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice, takewhile
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from plahelpers import datasets, hypothesis, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import pieces
from plahelpers.checks.chapter02 import explain_walk, ignore_order, some_passes, tell_steps
from plahelpers.checks.judge import exercise
from plahelpers.checks.pieces import Bias, Examples, IsMistake, Step
from plahelpers.checks.report import Answer
from plahelpers.checks.sentences import Note
from plahelpers.checks.task import Arguments, Endless, Part, Rng, Version, mistake

__all__ = ["greedy", "pocket", "repeat_pocket", "standardise"]

Ends: TypeAlias = tuple[FloatArray, FloatArray]  # the pocket's w, the last w
Errors: TypeAlias = list[list[float]]
Choose: TypeAlias = Callable[[list[int]], int]  # from the mistakes of w_0, w_1, … to the t of the one in the pocket

_CROSSED: Final = ([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1])
_MOSTLY_MINUS: Final = ([[1], [1], [2], [1]], [-1, 1, -1, -1])


def _fresh_noisy(rng: Rng) -> Examples:
    """Examples of the plane with some labels flipped, on which Pocket does not come to its end at once."""
    while True:
        data = datasets.noisy(int(rng.integers(9, 15)), noise=0.25, low=-5, high=5, margin=0.3, rng=rng)
        X, y = pieces.examples(np.round(data.X, 2), data.y)
        if learning.pocket(X, y, order="cyclic", max_updates=20).updates == 20:
            return X, y


def _pocket_cases() -> list[Arguments]:
    clean, noisy = pieces.examples(*datasets.running_example()), pieces.examples(*datasets.noisy_running_example())
    return [
        (*pieces.examples([[2, 1]], [1]), 0),
        (*pieces.examples([[2, 1]], [1]), 1),
        (*pieces.examples([[2, 1]], [-1]), 3),
        (*pieces.examples(*_MOSTLY_MINUS), 3),
        *((*pieces.examples(*_CROSSED), budget) for budget in (1, 4, 7)),
        *((*noisy, budget) for budget in (3, 4, 10)),  # 3 is spent within a pass, and a better w comes soon after
        (*clean, 8),
        (*clean, 50),
        (*noisy, 100),
    ]


def _first_best(errors: list[int]) -> int:
    return errors.index(min(errors))


def _last_best(errors: list[int]) -> int:
    return len(errors) - 1 - _first_best(errors[::-1])


def choose_pocket(
    X: FloatArray,
    y: IntArray,
    max_updates: int,
    order: Any = None,
    *,
    choose: Choose = _first_best,
    more_updates: int = 0,
    visits: int = pieces.MOST_VISITS,
    bias: Bias = pieces.bias_first,
    is_mistake: IsMistake = pieces.zero_is_minus,
    start: float | FloatArray = 0.0,
    **parts: Any,
) -> Ends:
    """Pocket with one piece exchanged: the w's of the walk, and from their mistakes the choice of one."""
    Z, budget = bias(X), max(0, max_updates + more_updates)
    steps = islice(pieces.corrections(X, y, order, bias=bias, is_mistake=is_mistake, start=start, **parts), budget)
    weights, errors = [np.full(Z.shape[1], start)], []
    for step in takewhile(lambda step: step.visit < visits, steps):
        weights.append(step.w)
        if not pieces.wrong_examples(step.w, Z, y, is_mistake):
            break
    errors = [len(pieces.wrong_examples(w, Z, y, is_mistake)) for w in weights]
    return weights[choose(errors)], weights[-1]


def _without_start(errors: list[int]) -> int:
    return 1 + _first_best(errors[1:]) if errors[1:] else 0


def _one_late(errors: list[int]) -> int:
    """It counts the mistakes of w_t, but pockets w_{t+1}."""
    return _first_best(errors[:-1]) + 1 if len(errors) > 1 else 0


def _greedy_pocket(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """A correction is taken back unless it leaves fewer mistakes; each attempt counts."""
    Z = pieces.bias_first(X)
    w, attempts, at = np.zeros(Z.shape[1]), 0, -1
    while attempts < max_updates and pieces.wrong_examples(w, Z, y):
        at = (at + 1) % len(y)
        if pieces.zero_is_minus(float(w @ Z[at]), int(y[at])):
            new, attempts = pieces.plus_yx(w, Z[at], int(y[at])), attempts + 1
            w = new if len(pieces.wrong_examples(new, Z, y)) < len(pieces.wrong_examples(w, Z, y)) else w
    return w, w


def _never_stops_early(X: FloatArray, y: IntArray, max_updates: int) -> Ends:
    """When no mistakes are left, it looks for one forever."""
    updates = len(list(islice(pieces.corrections(X, y), max_updates)))
    if updates < max_updates:
        raise Endless
    return choose_pocket(X, y, max_updates)


def _in_passes(
    X: FloatArray,
    y: IntArray,
    max_updates: int,
    *,
    passes: bool = True,
    spent: Callable[[int, int], bool] = lambda _updates, _budget: False,
    every_visit: bool = False,
) -> Ends:
    """max_updates passes, or (passes=False) passes until the budget is spent; `spent` leaves a pass, and only that.

    every_visit says whether `spent` is asked after every visit, or only after an update.
    """
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
    errors = ", ".join(str(each) for each in run.errors[:9])
    notes = explain_walk(answer, {"w": run.w, "last_w": run.last_w}, run.weights, run.errors)
    return [*notes, tell_steps(run, Note("pocket.keeps_the_first", errors=errors))]


_version: Final = partial(partial, choose_pocket)

pocket = exercise(
    name="pocket",
    contract="""Is my_pocket(X, y, max_updates) the Pocket algorithm, walking as cyclic PLA does?

    w₀ = 0 is in the pocket at the start, strictly fewer mistakes replace it, no mistakes end the walk early. It returns
    (w, last_w): the pocket's w, and the w at which the walk ended. Built in notebook 04, "Try it yourself".
    """,
    arguments=("X", "y", "max_updates"),
    returns=(Part("w", "row"), Part("last_w", "row")),
    right=lambda X, y, max_updates: (
        (run := learning.pocket(X, y, order="cyclic", max_updates=max_updates)).w,
        run.last_w,
    ),
    cases=_pocket_cases,
    fresh=lambda rng: [(*_fresh_noisy(rng), int(rng.integers(5, 31))) for _ in range(pieces.FRESH)],
    mistakes=(
        *pieces.mistakes_in_walk(_version),
        mistake("restarts", _version(after="first")),
        mistake("restarts_zero_always_wrong", _version(after="first", is_mistake=pieces.zero_is_always_wrong)),
        mistake("greedy", _greedy_pocket),
        mistake("replaces_on_ties", _version(choose=_last_best)),
        mistake("returns_last", _version(choose=lambda _errors: -1)),
        mistake("swapped", lambda *case: choose_pocket(*case)[::-1]),
        mistake("aliased_start", _version(choose=lambda errors: _first_best(errors) or -1)),
        mistake("start_not_in_pocket", _version(choose=_without_start)),
        mistake("one_late", _version(choose=_one_late)),
        mistake("keeps_worst", _version(choose=lambda errors: errors.index(max(errors)))),
        mistake("one_update_short", _version(more_updates=-1)),
        mistake("one_update_over", _version(more_updates=1)),
        mistake("budget_in_visits", lambda X, y, budget: choose_pocket(X, y, budget, visits=budget)),
        mistake("budget_in_passes", _in_passes),
        mistake("budget_after_pass", partial(_in_passes, passes=False)),
        mistake(
            "break_leaves_inner_loop",
            partial(_in_passes, spent=int.__eq__),
            partial(_in_passes, spent=int.__ge__),
            partial(_in_passes, spent=int.__eq__, every_visit=True),
        ),
        mistake("one_pass", lambda X, y, budget: choose_pocket(X, y, budget, visits=len(y))),
        mistake("never_stops_early", _never_stops_early),
    ),
    key="w",
    explain=_explain_pocket,
)


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
    cases = []
    for _ in range(pieces.FRESH):
        X, y = _fresh_noisy(rng)
        cases.append((X, y, *_test_set(rng), pieces.permutations(rng, 3, len(y)), int(rng.integers(5, 21))))
    return cases


def _test_set(rng: Rng, w_f: Any = None) -> Examples:
    data = datasets.noisy(int(rng.integers(7, 12)), noise=0.2, w_f=w_f, low=-5, high=5, rng=rng)
    return pieces.examples(np.round(data.X, 2), data.y)


def _rate(w: FloatArray, X: FloatArray, y: IntArray, is_mistake: IsMistake = pieces.zero_is_minus) -> float:
    return len(pieces.wrong_examples(w, pieces.bias_first(X), y, is_mistake)) / len(y)


class Experiment(NamedTuple):
    """What repeat_pocket is given."""

    X: FloatArray
    y: IntArray
    X_test: FloatArray
    y_test: IntArray
    cycles: IntArray
    max_updates: int

    def errors(self, ends: list[Ends], rate: Callable[..., float] = _rate) -> Errors:
        """Of the pockets on both sets, then of the last w's on both sets: a list with an entry for each run."""
        both = (self.X, self.y), (self.X_test, self.y_test)
        return [[rate(pair[k], *data) for pair in ends] for k in (0, 1) for data in both]


def _run_all(*case: Any) -> Errors:
    given = Experiment(*case)
    runs = [learning.pocket(given.X, given.y, order=cycle, max_updates=given.max_updates) for cycle in given.cycles]
    return given.errors([(run.w, run.last_w) for run in runs], hypothesis.error_rate)


def many_pockets(*case: Any, rate: Callable[..., float] = _rate, **parts: Any) -> Errors:
    """The errors of the pocket (train, test) and of the last w (train, test), with one piece exchanged."""
    given = Experiment(*case)
    ends = [choose_pocket(given.X, given.y, given.max_updates, cycle, **parts) for cycle in given.cycles]
    return given.errors(ends, rate)


def _with(**parts: Any) -> Version:
    return partial(many_pockets, **parts)


def _with_convention(is_mistake: IsMistake) -> Version:
    """Walk and errors by the same convention on the line."""
    return partial(many_pockets, is_mistake=is_mistake, rate=partial(_rate, is_mistake=is_mistake))


def _rows(*rows: int) -> Version:
    """The right numbers in another order."""
    return lambda *case: [many_pockets(*case)[row] for row in rows]


def _one_after_the_other(*case: Any, keep_pocket: bool, keep_w: bool) -> Errors:
    """A run begins with the w, or the pocket, of the run before."""
    given = Experiment(*case)
    w = best = zero = np.zeros(given.X.shape[1] + 1)
    ends = []
    for cycle in given.cycles:
        new, w = choose_pocket(given.X, given.y, given.max_updates, cycle, start=w if keep_w else zero)
        best = min([best, new] if keep_pocket else [new], key=partial(_rate, X=given.X, y=given.y))
        ends.append((best, w))
    return given.errors(ends)


def _peeking(*case: Any) -> Errors:
    """The pocket is chosen by the test examples."""
    given = Experiment(*case)
    ends = []
    for cycle in given.cycles:
        steps = islice(pieces.corrections(given.X, given.y, cycle), given.max_updates)
        weights = [np.zeros(given.X.shape[1] + 1), *(step.w for step in steps)]
        ends.append((min(weights, key=partial(_rate, X=given.X_test, y=given.y_test)), weights[-1]))
    return given.errors(ends)


def _learning_from_test(*case: Any) -> Errors:
    """It learns from both, the test examples behind the others."""
    given = Experiment(*case)
    X, y = np.vstack([given.X, given.X_test]), np.append(given.y, given.y_test)
    orders = [[*cycle, *range(len(given.y), len(y))] for cycle in given.cycles]
    return given.errors([choose_pocket(X, y, given.max_updates, order) for order in orders])


repeat_pocket = exercise(
    name="repeat_pocket",
    contract="""Does my_experiment(X, y, X_test, y_test, cycles, max_updates) run Pocket for each cycle?

    cycles is an array with one order of visits in each row; each run starts from w = 0 with w = 0 in the pocket, and
    walks along its cycle as `pocket` does. It returns four lists of error rates with an entry for each run, in this
    order: the pocket on (X, y), the pocket on (X_test, y_test), the last w on (X, y), the last w on (X_test, y_test).
    Built in notebook 04, "Pocket, two thousand times".
    """,
    arguments=("X", "y", "X_test", "y_test", "cycles", "max_updates"),
    returns=(
        Part("pocket on (X, y)", "row"),
        Part("pocket on test", "row"),
        Part("last w on (X, y)", "row"),
        Part("last w on test", "row"),
    ),
    right=_run_all,
    cases=_repeat_cases,
    fresh=_fresh_repeat_cases,
    mistakes=(
        mistake("no_bias", _with(bias=pieces.bias_zero)),
        *pieces.mistakes_on_the_line(_with_convention),
        mistake("restarts", _with(after="first")),
        mistake("replaces_on_ties", _with(choose=_last_best)),
        mistake("one_update_short", _with(more_updates=-1)),
        mistake("one_update_over", _with(more_updates=1)),
        mistake("ignores_order", lambda *case: many_pockets(*case[:4], np.sort(case[4]), case[5])),
        mistake(
            "carries_on",
            partial(_one_after_the_other, keep_w=True, keep_pocket=False),
            partial(_one_after_the_other, keep_w=True, keep_pocket=True),
        ),
        mistake("pocket_carries_on", partial(_one_after_the_other, keep_w=False, keep_pocket=True)),
        mistake("peeks", _peeking),
        mistake("learns_from_test", _learning_from_test),
        mistake("last_for_pocket", _rows(2, 3, 2, 3)),
        mistake("pocket_for_last", _rows(0, 1, 0, 1)),
        mistake("train_for_test", _rows(0, 0, 2, 2)),
        mistake("another_arrangement", _rows(0, 2, 1, 3), _rows(2, 3, 0, 1), _rows(1, 0, 3, 2), _rows(2, 0, 3, 1)),
        mistake("counts", _with(rate=lambda w, X, y: _rate(w, X, y) * len(y))),
        mistake("percent", _with(rate=lambda w, X, y: 100 * _rate(w, X, y))),
        mistake("accuracies", _with(rate=lambda w, X, y: 1 - _rate(w, X, y))),
        mistake("one_row_a_run", lambda *case: np.transpose(many_pockets(*case)).tolist()),
        mistake("first_run_only", lambda *case: [row[:1] for row in many_pockets(*case)]),
        mistake("means", lambda *case: np.mean(many_pockets(*case), axis=1)),
    ),
)


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


def _fresh_greedy_cases(rng: Rng) -> list[Arguments]:
    return [(X, y, rng.permutation(len(y))) for X, y in (_fresh_noisy(rng) for _ in range(pieces.FRESH))]


def go_greedily(
    X: FloatArray,
    y: IntArray,
    order: Any = None,
    *,
    bias: Bias = pieces.bias_first,
    is_mistake: IsMistake = pieces.zero_is_minus,
    step: Step = pieces.plus_yx,
    start: float = 0.0,
    better: Callable[[int, int], bool] = int.__lt__,
    keep_if_right: bool = False,
    every_point: bool = False,
    restart: bool = False,
    in_passes: bool = False,
    refusal_ends: bool = False,
    visits: int = pieces.MOST_VISITS + 1,
    keep_most: int = pieces.MOST_VISITS,
) -> FloatArray:
    """Greedy with one piece exchanged: until a whole cycle passes in which no correction is kept."""
    Z, cycle = bias(X), pieces.cycle_of(order, y)
    w = np.full(Z.shape[1], start)
    errors, since, kept, at = len(pieces.wrong_examples(w, Z, y, is_mistake)), 0, 0, 0
    for visit in pieces.count_visits():
        at_the_end = at == 0 or not in_passes
        if not errors or (since >= len(cycle) and at_the_end) or visit == visits or kept == keep_most:
            break
        n, since, at = cycle[at], since + 1, (at + 1) % len(cycle)
        label = int(y[n])
        if every_point or is_mistake(float(w @ Z[n]), label):
            new = step(w, Z[n], label)
            new_errors = len(pieces.wrong_examples(new, Z, y, is_mistake))
            keep = not is_mistake(float(new @ Z[n]), label) if keep_if_right else better(new_errors, errors)
            if keep:
                w, errors, since, kept = new, new_errors, 0, kept + 1
                at = 0 if restart else at
            elif refusal_ends:
                break
    return w


def _best_of_all(X: FloatArray, y: IntArray, order: Any) -> FloatArray:
    """All corrections are tried, and the best of them is made."""
    Z, w = pieces.bias_first(X), np.zeros(X.shape[1] + 1)
    while True:
        attempts = [
            pieces.plus_yx(w, Z[n], int(y[n])) for n in pieces.cycle_of(order, y) if n in pieces.wrong_examples(w, Z, y)
        ]
        best = min(attempts, key=lambda new: len(pieces.wrong_examples(new, Z, y)), default=w)
        if len(pieces.wrong_examples(best, Z, y)) >= len(pieces.wrong_examples(w, Z, y)):
            return w
        w = best


def _walks_on(X: FloatArray, y: IntArray, order: Any, *, in_passes: bool, keep_best: bool) -> FloatArray:
    """Every correction stays; it ends when for a whole cycle no w was better than the best before."""
    Z, cycle = pieces.bias_first(X), pieces.cycle_of(order, y)
    w = best = np.zeros(Z.shape[1])
    fewest, since = len(pieces.wrong_examples(w, Z, y)), 0
    for visit in pieces.count_visits():
        at_the_end = visit % len(cycle) == 0 or not in_passes
        if not fewest or (since >= len(cycle) and at_the_end):
            break
        n, since = cycle[visit % len(cycle)], since + 1
        if pieces.zero_is_minus(float(w @ Z[n]), int(y[n])):
            w = pieces.plus_yx(w, Z[n], int(y[n]))
            if len(pieces.wrong_examples(w, Z, y)) < fewest:
                best, fewest, since = w, len(pieces.wrong_examples(w, Z, y)), 0
    return best if keep_best else w


def _try_greedily(X: Any, y: Any, order: Any) -> tuple[list[Note], list[FloatArray]]:
    """Every try of the right run, in words, and the w's that were kept."""
    Z, mistakes_of = hypothesis.with_bias(X), partial(hypothesis.mistakes, X=X, y=y)
    path, tries, kept = [np.zeros(Z.shape[1])], list[Note](), True
    now = mistakes_of(path[0])
    while len(now) and kept:
        kept = False
        for n in order:
            if n in now:
                new = path[-1] + y[n] * Z[n]
                then = mistakes_of(new)
                details = {"n": int(n), "w": new, "before": len(now), "after": len(then)}
                if len(then) < len(now):
                    tries.append(Note("greedy.kept", **details))
                    now, kept = then, True
                    path.append(new)
                else:
                    tries.append(Note("greedy.taken_back", **details))
    return tries, path


def _explain_greedy(answer: Answer, X: FloatArray, y: IntArray, order: Any) -> list[Note]:
    tries, path = _try_greedily(X, y, order)
    more = [Note("greedy.more", attempts=len(tries))] if len(tries) > 8 else []
    notes = explain_walk(answer, {"w": path[-1]}, np.array(path))
    return [*notes, Note("walk.steps", w=path[0], steps=[*tries[:8], *more])]


_greedy: Final = partial(partial, go_greedily)
greedy = exercise(
    name="greedy",
    contract="""Does my_greedy(X, y, order) keep only corrections that make strictly fewer mistakes?

    It starts from w = 0 and visits the examples along order, a cycle, again and again. At each mistake it tries
    w + y x: if that makes strictly fewer mistakes on all of (X, y) it is the new w, else w stays as it was; either way
    it goes on from the next example. It stops when no mistake is left, or when a whole cycle passes without a
    correction that is kept (after that none ever would be, so it does no harm to stop later). It returns w.
    Built in notebook 04, "Try it yourself".
    """,
    arguments=("X", "y", "order"),
    returns=(Part("w", "row"),),
    right=lambda *case: _try_greedily(*case)[1][-1],
    cases=_greedy_cases,
    fresh=_fresh_greedy_cases,
    mistakes=(
        *pieces.mistakes_in_walk(_greedy),
        mistake("ignores_order", ignore_order(go_greedily)),
        mistake("keeps_ties", _greedy(better=int.__le__), _greedy(better=int.__le__, in_passes=True)),
        mistake("keeps_worse", _greedy(better=int.__gt__)),
        mistake("never_goes_back", *(partial(_walks_on, in_passes=k < 2, keep_best=k % 2 == 0) for k in range(4))),
        mistake(
            "aliased", lambda *case: some_passes(*case)[0]
        ),  # every correction stays, none looks better than itself
        mistake("every_point", _greedy(every_point=True)),
        mistake("if_this_one_is_right", _greedy(keep_if_right=True)),
        mistake("restarts", _greedy(restart=True)),
        mistake("best_of_all", _best_of_all),
        mistake("first_refusal_ends", _greedy(refusal_ends=True)),
        mistake("one_kept", _greedy(keep_most=1)),
        mistake("one_pass", lambda X, y, order: go_greedily(X, y, order, visits=len(y))),
    ),
    explain=_explain_greedy,
)


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
    cases = []
    for k in range(pieces.FRESH):
        rows, more, columns = int(rng.integers(4, 9)), int(rng.integers(3, 7)), int(rng.integers(2, 5))
        both = pieces.fresh_table(rng, rows + more, columns) * 10.0 ** rng.integers(0, 4, columns)
        both += pieces.whole_numbers(rng, columns)
        if k == pieces.FRESH - 1:
            both[:rows, 0] = 3.0
        cases.append((both[:rows], both[rows:]))
    return cases


def _right_tables(train: FloatArray, test: FloatArray) -> Ends:
    mean, unit = train.mean(axis=0), np.where(np.ptp(train, axis=0) == 0, 1.0, train.std(axis=0))
    return (train - mean) / unit, (test - mean) / unit


def _in_units_of(
    table: FloatArray,
    seen: FloatArray,
    *,
    axis: int | None = 0,
    ddof: int = 0,
    centre: bool = True,
    guard: bool = True,
    spread: Callable[..., Any] = np.std,
    add: float = 0.0,
) -> FloatArray:
    """The table minus the mean of what was seen, over its spread, with one piece exchanged."""
    middle = seen.mean(axis=axis, keepdims=True) if centre else 0.0
    unit = spread(seen, axis=axis, keepdims=True, ddof=ddof) + add
    with np.errstate(all="ignore"):
        return np.asarray((table - middle) / np.where((unit == 0) & guard, 1.0, unit))


def scale(for_train: str = "train", for_test: str = "train", **parts: Any) -> Version:
    """A version that takes mean and spread for each table from "train", "test" or "all"."""

    def version(train: FloatArray, test: FloatArray) -> Ends:
        seen = {"train": train, "test": test, "all": np.vstack([train, test])}
        return _in_units_of(train, seen[for_train], **parts), _in_units_of(test, seen[for_test], **parts)

    return version


def _with_and_without_guard(*seen: str, **parts: Any) -> list[Version]:
    """With and without care for columns that never change."""
    return [scale(*seen, guard=guard, **parts) for guard in (True, False)]


def _from_0_to_1(train: FloatArray, test: FloatArray) -> Ends:
    low, size = train.min(axis=0), np.ptp(train, axis=0)
    size = np.where(size == 0, 1.0, size)
    return (train - low) / size, (test - low) / size


def _nan_to_num(train: FloatArray, test: FloatArray) -> Ends:
    """What division by 0 gives, turned into numbers: 0 / 0 into 0, and 1 / 0 into the largest number there is."""
    train_z, test_z = scale(guard=False)(train, test)
    return np.nan_to_num(train_z), np.nan_to_num(test_z)


def _with_zeros(train: FloatArray, test: FloatArray) -> Ends:
    """A column that never changes in train is 0 in both."""
    train_z, test_z = _right_tables(train, test)
    return train_z, np.where(np.ptp(train, axis=0) == 0, 0.0, test_z)


standardise = exercise(
    name="standardise",
    contract="""Does my_standardise(train, test) bring both to the training examples' mean 0 and standard deviation 1?

    Each column on its own, with the standard deviation that divides by N (ddof=0). From a column that never changes in
    train, subtract the mean and divide by 1. It returns (train_z, test_z). Built in notebook 04, "Try it yourself".
    """,
    arguments=("train", "test"),
    returns=(Part("train", "table"), Part("test", "table")),
    right=_right_tables,
    cases=_tables,
    fresh=_fresh_tables,
    mistakes=(
        mistake("tests_own_mean", *_with_and_without_guard("train", "test")),
        mistake("all_data", *_with_and_without_guard("all", "all")),
        mistake("learns_from_test", *_with_and_without_guard("test", "test")),
        mistake("ddof_1", *_with_and_without_guard(ddof=1)),
        mistake("not_centred", *_with_and_without_guard(centre=False)),
        mistake("not_divided", lambda train, test: (train - train.mean(axis=0), test - train.mean(axis=0))),
        mistake("variance", *_with_and_without_guard(spread=np.var)),
        mistake("by_rows", *_with_and_without_guard("train", "test", axis=1)),
        mistake("whole_table", scale(axis=None)),
        mistake("from_0_to_1", _from_0_to_1),
        mistake("constant_column", scale(guard=False), _nan_to_num),
        mistake("zeros_in_test", _with_zeros),
        mistake("tiny_divisor", *(scale(add=10.0**-k) for k in range(7, 17))),
        mistake("test_unchanged", lambda train, test: (_right_tables(train, test)[0], test)),
        mistake("train_unchanged", lambda train, test: (train, _right_tables(train, test)[1])),
        mistake("swapped", lambda train, test: _right_tables(train, test)[::-1]),
    ),
)

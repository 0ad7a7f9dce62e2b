"""The tasks: what each function is asked to do, which answers are right, and how they come about, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from plahelpers import _format, guarantee, hypothesis, learning
from plahelpers._validation import FloatArray, check_rng
from plahelpers.checks import (
    cases as _cases,
    wrong_data as _wrong_data,
    wrong_greedy as _wrong_greedy,
    wrong_hypothesis as _wrong_hypothesis,
    wrong_pla as _wrong_pla,
    wrong_pocket as _wrong_pocket,
    wrong_proof as _wrong_proof,
)
from plahelpers.checks.answers import (
    FOUR_ERRORS,
    Answer,
    is_whole_count,
    is_whole_pocket,
    is_whole_walk,
    numbers_of,
    read_as,
    read_counts,
    read_errors,
    read_mistakes,
    read_pocket,
    read_steps,
    read_two_tables,
    read_walk,
    scalar,
    vector,
)
from plahelpers.checks.cases import Arguments, Chance
from plahelpers.checks.wrong_base import Wrong


@dataclass(frozen=True)
class Task:
    """What a function is asked to do: how it is called, how its answer is read, what is right, what is known wrong."""

    title: str
    arguments: tuple[str, ...]
    returns: str
    right: Callable[..., Answer]
    read: Callable[[Any], Answer | None]
    wrong: tuple[Wrong, ...]
    cases: Callable[[], list[Arguments]]
    fresh: Callable[[Chance], list[Arguments]]
    story: Callable[..., str] | None = None  # how the right answer comes about, step by step
    optional: str | None = None  # what is compared only if it is right, or wrong in a known way; else it is ignored
    note: str = ""  # what to know about the call when the function is wrong in no known way
    parts: tuple[str, ...] = ()  # what has to be returned, by name, if more is asked for than what may be compared
    is_whole: Callable[[Any], bool] = lambda _value: True  # are all these parts there, in their order, and no more?


def cases_of(task: Task, seed: int | None) -> list[Arguments]:
    """The fixed cases and, with a seed, fresh ones; at the end one of the fixed ones once more."""
    *cases, again = task.cases()
    return [*cases, *([] if seed is None else task.fresh(check_rng(seed))), again]


def _right(compute: Callable[..., Any], name: str = "answer") -> Callable[..., Answer]:
    return lambda *arguments: {name: np.asarray(compute(*arguments), dtype=np.float64)}


def _right_mistakes(w: Any, X: Any, y: Any) -> Answer:
    which = hypothesis.mistakes(w, X, y)
    return {"mistakes": which.astype(float), "number of mistakes": np.array(float(len(which)))}


def _right_pla(X: Any, y: Any, order: Any = None) -> Answer:
    run = learning.pla(X, y, order="cyclic" if order is None else order)
    answer = {
        "w": run.w,
        "updates": np.array(float(run.updates)),
        "picks": run.picks.astype(float),
        "path": run.weights,
    }
    return answer | ({"last": np.array(float(run.picks[-1]))} if run.updates else {})


def _right_counts(X: Any, y: Any, cycles: Any) -> Answer:
    counts = np.array([float(learning.pla(X, y, order=cycle).updates) for cycle in cycles])
    return {"updates": counts, "mean": np.array(counts.mean())}


def _right_pocket(X: Any, y: Any, max_updates: int) -> Answer:
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates)
    return {"w": run.w, "last w": run.last_w, "path": run.weights, "errors": run.errors.astype(float)}


def _try_greedily(X: Any, y: Any, order: Any) -> tuple[list[tuple[int, FloatArray, int, int]], list[FloatArray]]:
    """Every try (its example, the new w, the mistakes before and after), and the w's that were kept."""
    Z, mistakes_of = hypothesis.with_bias(X), partial(hypothesis.mistakes, X=X, y=y)
    path, tries, kept = [np.zeros(Z.shape[1])], [], True
    now = mistakes_of(path[0])
    while len(now) and kept:
        kept = False
        for n in order:
            if n in now:
                new = path[-1] + y[n] * Z[n]
                then = mistakes_of(new)
                tries.append((int(n), new, len(now), len(then)))
                if len(then) < len(now):
                    now, kept = then, True
                    path.append(new)
    return tries, path


def _right_greedy(X: Any, y: Any, order: Any) -> Answer:
    _, path = _try_greedily(X, y, order)
    return {"w": path[-1], "path": np.array(path)}


def _right_errors(X: Any, y: Any, X_test: Any, y_test: Any, cycles: Any, max_updates: int) -> Answer:
    runs = [learning.pocket(X, y, order=cycle, max_updates=max_updates) for cycle in cycles]
    table = np.array([
        [hypothesis.error_rate(w, *data) for w in ways]
        for ways in ([run.w for run in runs], [run.last_w for run in runs])
        for data in ((X, y), (X_test, y_test))
    ])  # fmt: skip
    return {**dict(zip(FOUR_ERRORS, table, strict=True)), "table": table}


def _right_standardised(train: Any, test: Any) -> Answer:
    middle, spread = train.mean(axis=0), train.std(axis=0)
    unit = np.where(np.ptp(train, axis=0) == 0, 1.0, spread)
    return {"train": (train - middle) / unit, "test": (test - middle) / unit}


def _story(run: learning.Run, end: str) -> str:
    steps = [
        f"example {n} (y = {run.y[n]:+d}) is wrong, w becomes {_format.vector(run.weights[t + 1])}"
        for t, n in enumerate(run.picks[:8].tolist())
    ]
    more = [f"and so on, {run.updates} updates in all"] if run.updates > 8 else []
    return f"Step by step: w = {_format.vector(run.w0)}; {'; '.join([*steps, *more, end])}."


def _story_of_pla(X: Any, y: Any, order: Any = None) -> str:
    """The right run on a small case, update by update."""
    run = learning.pla(X, y, order="cyclic" if order is None else order)
    return _story(run, "then a whole cycle has no mistake")


def _story_of_pocket(X: Any, y: Any, max_updates: int) -> str:
    run = learning.pocket(X, y, order="cyclic", max_updates=max_updates)
    errors = ", ".join(str(each) for each in run.errors[:9])
    return _story(run, f"the mistakes of w are {errors} on the way, and the pocket keeps the first w with the fewest")


def _story_of_greedy(X: Any, y: Any, order: Any) -> str:
    """The right run on a small case, try by try."""
    tries, _ = _try_greedily(X, y, order)
    steps = [
        f"at example {n}, {_format.vector(new)} makes {_format.count(after, 'mistake')} where there "
        f"{'was' if before == 1 else 'were'} {before}, and is {'kept' if after < before else 'taken back'}"
        for n, new, before, after in tries[:8]
    ]
    more = [f"and so on, {len(tries)} attempts in all"] if len(tries) > 8 else []
    return f"Step by step: w = {_format.vector(np.zeros(X.shape[1] + 1))}; {'; '.join([*steps, *more])}."


_ROW: Final = read_as("answer", vector)
_NUMBER: Final = read_as("answer", scalar)

WITH_BIAS: Final = Task(
    "with_bias", ("X",), "a table with one column more than X", _right(hypothesis.with_bias),
    read_as("answer", numbers_of), _wrong_hypothesis.WITH_BIAS, _cases.tables, _cases.fresh_tables,
)  # fmt: skip
SIGN: Final = Task(
    "sign", ("s",), "+1 or −1", _right(hypothesis.sign), _NUMBER, _wrong_hypothesis.SIGN, _cases.scores,
    _cases.fresh_scores,
)  # fmt: skip
PREDICT: Final = Task(
    "predict", ("w", "X"), "a label, +1 or −1, for each row of X", _right(hypothesis.predict), _ROW,
    _wrong_hypothesis.PREDICT, _cases.predicted, _cases.fresh_predicted,
)  # fmt: skip
MISTAKES: Final = Task(
    "mistakes", ("w", "X", "y"), "the numbers of the mistakes, or how many they are", _right_mistakes, read_mistakes,
    _wrong_hypothesis.MISTAKES, _cases.judged, _cases.fresh_judged,
)  # fmt: skip
ERROR_RATE: Final = Task(
    "error_rate", ("w", "X", "y"), "a number from 0 to 1", _right(hypothesis.error_rate), _NUMBER,
    _wrong_hypothesis.ERROR_RATE, _cases.judged, _cases.fresh_judged,
)  # fmt: skip
IS_MISTAKE: Final = Task(
    "is_mistake", ("w", "x", "y"), "True or False", _right(hypothesis.is_mistake, "truth"),
    read_as("truth", scalar), _wrong_pla.IS_MISTAKE, _cases.examples, _cases.fresh_examples,
)  # fmt: skip
UPDATE: Final = Task(
    "update", ("w", "x", "y"), "the new w", _right(lambda w, x, y: w + y * hypothesis.with_bias([x])[0]), _ROW,
    _wrong_pla.UPDATE, _cases.updates, _cases.fresh_updates,
)  # fmt: skip
PLA: Final = Task(
    "PLA", ("X", "y"), "w, or (w, updates), or (w, updates, picks)", _right_pla, read_walk, _wrong_pla.PLA, _cases.pla,
    _cases.fresh_pla, _story_of_pla, "last",
)  # fmt: skip
PLA_WITH_ORDER: Final = Task(
    "PLA", ("X", "y", "order"), "w, or (w, updates), or (w, updates, picks)", _right_pla, read_walk,
    _wrong_pla.PLA_WITH_ORDER, _cases.pla_with_order, _cases.fresh_pla_with_order, _story_of_pla, "last",
    "Its third argument was given the order of visits; give it a default if it means something else.",
)  # fmt: skip
REPEAT: Final = Task(
    "repeat_pla", ("X", "y", "cycles"), "the number of updates of each run, or their mean", _right_counts, read_counts,
    _wrong_pla.REPEAT, _cases.repeat_pla, _cases.fresh_repeat_pla,
)  # fmt: skip
RADIUS: Final = Task(
    "radius", ("X",), "a number", _right(guarantee.radius), _NUMBER, _wrong_proof.RADIUS, _cases.tables,
    _cases.fresh_tables,
)  # fmt: skip
MARGIN: Final = Task(
    "margin", ("X", "y", "w_f"), "a number", _right(guarantee.margin), _NUMBER, _wrong_proof.MARGIN, _cases.margins,
    _cases.fresh_margins,
)  # fmt: skip
BOUND: Final = Task(
    "update_bound", ("X", "y", "w_f"), "a number", _right(guarantee.update_bound), _NUMBER, _wrong_proof.UPDATE_BOUND,
    _cases.bounds, _cases.fresh_bounds,
)  # fmt: skip
GAINS: Final = Task(
    "gains", ("weights", "w_f"), "one number for each update", _right(lambda weights, w_f: np.diff(weights @ w_f)),
    read_steps, _wrong_proof.GAINS, _cases.paths, _cases.fresh_paths,
)  # fmt: skip
GROWTHS: Final = Task(
    "growths", ("weights",), "one number for each update", _right(lambda weights: np.diff((weights**2).sum(axis=1))),
    read_steps, _wrong_proof.GROWTHS, _cases.walks_alone, _cases.fresh_walks_alone,
)  # fmt: skip
POCKET: Final = Task(
    "Pocket", ("X", "y", "max_updates"), "the pocket's w, or (w, last_w)", _right_pocket, read_pocket,
    _wrong_pocket.POCKET_BANK, _cases.pocket, _cases.fresh_pocket, _story_of_pocket, "last w",
)  # fmt: skip
GREEDY: Final = Task(
    "greedy", ("X", "y", "order"), "w", _right_greedy, read_as("w", vector), _wrong_greedy.GREEDY_BANK,
    _cases.greedy, _cases.fresh_greedy, _story_of_greedy,
)  # fmt: skip
REPEAT_POCKET: Final = Task(
    "repeat_pocket", ("X", "y", "X_test", "y_test", "cycles", "max_updates"), "four lists of error rates: "
    "pocket on (X, y), pocket on (X_test, y_test), last w on (X, y), last w on (X_test, y_test)", _right_errors,
    read_errors, _wrong_pocket.REPEAT_POCKET, _cases.repeat_pocket, _cases.fresh_repeat_pocket,
)  # fmt: skip
STANDARDISE: Final = Task(
    "standardise", ("train", "test"), "two tables, (train_z, test_z)", _right_standardised, read_two_tables,
    _wrong_data.STANDARDISE, _cases.standardise, _cases.fresh_standardise,
)  # fmt: skip

# Where everything that may be returned must be: the sentence about it, its parts, and how to see that they are there.
_WHOLE: Final[dict[str, tuple[str, tuple[str, ...], Callable[[Any], bool]]]] = {
    "PLA": ("(w, updates, picks), these three in this order", ("w", "updates", "picks"), is_whole_walk),
    "repeat_pla": ("a list with the number of updates of each run", ("updates",), is_whole_count),
    "Pocket": ("(w, last_w), these two in this order", ("w", "last w"), is_whole_pocket),
}


def in_whole(task: Task) -> Task:
    """The same task where nothing that may be returned is left to choice; mistakes are known by any part of it."""
    returns, parts, is_whole = _WHOLE[task.title]
    return replace(task, returns=returns, parts=parts, is_whole=is_whole, optional=None)


HARD_DATA: Final = Task("hard_data", (), "two arrays, (X, y)", dict, lambda _value: None, (), list, lambda _rng: [])

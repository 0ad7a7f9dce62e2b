"""Homework 3, for the teacher: right functions, known mistakes, the numbers of an id. Nothing of this is handed out."""

from contextlib import suppress
from functools import lru_cache, partial
from itertools import islice, pairwise
from typing import Any, Final, TypeAlias

import numpy as np

from exercises.source.hw3_pocket import hw3_data as data
from plahelpers import datasets, learning
from plahelpers._validation import FloatArray, IntArray
from plahelpers.checks import Given, Known, Report, numbers
from plahelpers.checks.cases import examples, fresh_noisy, fresh_separable, whole_numbers
from plahelpers.checks.judge import exercise
from plahelpers.checks.sections import CONFLICT, POCKET
from plahelpers.checks.task import ROW, Arguments, Mistake, Part, Rng, Version
from plahelpers.checks.variants import corrections, minus_update, mistakes_in_walk
from plahelpers.hypothesis import mistakes, predict

SEED: Final = 20250903  # of the unseen cases, the same for all students; take another one each year
UNSEEN: Final = 10  # of each function

Longest: TypeAlias = tuple[FloatArray, int, int]  # w, streak, t


# --- Question 1: the longest streak ----------------------------------------------------------------------------------


def _walk(X: FloatArray, y: IntArray, max_updates: int, **parts: Any) -> tuple[list[FloatArray], list[int]]:
    """The w's of a walk with one piece exchanged, and their streaks."""
    steps = list(islice(corrections(X, y, **parts), max_updates + 2))
    streaks = [after.visit - before.visit - 1 for before, after in pairwise(steps)]
    if len(steps) < max_updates + 2:  # no mistakes are left
        return [step.w for step in steps], [*streaks, len(y)]
    return [step.w for step in steps[:-1]], streaks


def _longest(
    X: FloatArray, y: IntArray, max_updates: int, *, ties: bool = False, forgets: tuple[str, ...] = (), **parts: Any
) -> Longest:
    """The w with the longest streak, with one piece exchanged.

    ties replace the pocket, too; the last streak is forgotten when all is right ("halted"), or the budget is "spent".
    """
    weights, streaks = _walk(X, y, max_updates, **parts)
    if ("halted" if streaks[-1] == len(y) else "spent") in forgets:
        streaks[-1] = 0
    t = max(range(len(streaks)), key=lambda t: (streaks[t], t if ties else -t))
    return weights[t], streaks[t], t


def _streak_cases() -> list[Arguments]:
    """(X, y, max_updates): the start has the longest streak, or the last w; no mistakes are left; and longer walks."""
    clean, noisy = examples(*datasets.running_example()), examples(*datasets.noisy_running_example())
    five = examples([[1], [0], [0], [-3], [-2]], [-1, -1, 1, 1, 1])
    return [
        (*examples([[2, 1]], [1]), 2),
        (*examples([[2, 1]], [-1]), 3),
        *((*five, budget) for budget in (1, 2, 3, 6)),
        *((*noisy, budget) for budget in (3, 10, 40)),
        (*clean, 50),
    ]


def _unseen_streaks(rng: Rng) -> list[Arguments]:
    """(X, y, max_updates): few updates, after which the last w has the longest streak, many, and a walk that halts."""
    noisy = [(*case, T) for case, T in zip(fresh_noisy(rng, UNSEEN - 2), (1, 2, 3, 4, 10, 15, 20, 30), strict=True)]
    return [*noisy, *((X, y, 100) for X, y, _ in fresh_separable(rng, 2))]


@exercise(
    title="The longest streak",
    parts=(Part("w", "row"), Part("streak", "number"), Part("t", "number")),
    returns="(w, streak, t), these three in this order",
    read=POCKET,
    ends="It ends after N right visits in a row, or when it has made max_updates updates and meets its next mistake.",
    cases=_streak_cases,
    fresh=_unseen_streaks,
    mistakes=(
        *mistakes_in_walk(_longest),
        minus_update(_longest),
        Mistake(
            "wrong_place",
            "after an update it goes on at the same example, or at example 0 (as after `break` in a loop over all)",
            "It walks exactly as PLA does: it goes on with the next example.",
            *(partial(_longest, after=after) for after in ("same", "first")),
        ),
        Mistake(
            "replaces_on_ties",
            "it replaces the w that is kept also when the new streak is only as long as the old one",
            "Only a strictly longer streak replaces it (`>`, not `>=`).",
            partial(_longest, ties=True),
        ),
        Mistake(
            "last_streak_forgotten",
            "it leaves out the streak of the last w",
            "It has one, too: it ends with the next mistake (so a `break` directly after the update is too early), or "
            "when N visits in a row are right.",
            *(partial(_longest, forgets=ends) for ends in (("spent",), ("halted", "spent"), ("halted",))),
        ),
        Mistake(
            "returns_last",
            "it returns the last w of the walk: the wrong variable, or the w that is kept is the same array",
            "`w += …` changes the array that is kept, too. `w = w + …` makes a new one.",
            lambda *case: (_walk(*case)[0][-1], *_longest(*case)[1:]),
        ),
        Mistake(
            "t_from_one",
            "its t is too large by one",
            "The t of the start is 0: no update is before it.",
            lambda *case: (*_longest(*case)[:2], _longest(*case)[2] + 1),
        ),
    ),
    key="w",
)
def longest_streak(X: FloatArray, y: IntArray, max_updates: int) -> Longest:
    """The w of cyclic PLA with the longest streak of right visits: (w, streak, t)."""
    return _longest(X, y, max_updates)


# --- Question 4: a certificate from a loop ---------------------------------------------------------------------------


def _loop(X: FloatArray, y: IntArray) -> tuple[IntArray, int, int]:
    """The picks of cyclic PLA, and t < s: w_s is the first w at which the walk has been before, at w_t."""
    run = learning.pocket(X, y, order="cyclic", max_updates=1000)
    path = run.weights.tolist()
    s = next(s for s, w in enumerate(path) if w in path[:s])
    return run.picks, path.index(path[s]), s


def _shares(
    X: FloatArray, y: IntArray, *, first: int = 0, last: int = 0, whole: bool = False, divided: bool = True
) -> FloatArray:
    """How often each example is among the picks of the loop, as a fraction; with other ends, or of the whole walk."""
    picks, t, s = _loop(X, y)
    part = picks[0 if whole else t + first : s + last]
    counts = np.bincount(part, minlength=len(y))
    return np.asarray(counts / max(len(part), 1) if divided else counts)


def _loop_cases() -> list[Arguments]:
    """(X, y) with whole numbers, on which no line is right about all."""
    noisy = datasets.noisy_running_example()
    return [
        examples([[1], [1]], [-1, 1]),
        examples([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]),
        examples([[0, 0], [4, 0], [0, 4], [1, 1], [3, 3]], [1, 1, 1, -1, -1]),
        examples(np.round(noisy.X), noisy.y),
    ]


def _unseen_loops(rng: Rng) -> list[Arguments]:
    """Such data, on which the walk does not come back to its start, and not at once."""
    cases = list[Arguments]()
    while len(cases) < UNSEEN:
        N = int(rng.integers(5, 9))
        X, y = whole_numbers(rng, N, 2), rng.choice([-1, 1], N)
        with suppress(StopIteration):  # no loop: a line is right about all
            _, t, s = _loop(X, y)
            cases += [(X, y)] if 0 < t < s - 2 < 60 else []
    return cases


@exercise(
    title="A certificate from a loop",
    parts=ROW,
    returns="a row of N weights, one for each example",
    read=CONFLICT,
    cases=_loop_cases,
    fresh=_unseen_loops,
    mistakes=(
        Mistake(
            "not_divided",
            "it counts the corrections of each example, and does not divide by the number of all",
            "The weights of a certificate add up to 1: how many corrections does the loop have?",
            partial(_shares, divided=False),
        ),
        Mistake(
            "from_the_start",
            "it counts all corrections from the start on",
            "Only the corrections from w_t to w_s belong to the loop; together they change nothing.",
            partial(_shares, whole=True),
        ),
        Mistake(
            "ends_of_loop",
            "it takes one correction too many or too few, at an end of the loop",
            "The loop begins with the step from w_t to w_(t+1) and ends with the one to w_s: `picks[t:s]`.",
            *(partial(_shares, first=first, last=last) for first, last in ((1, 0), (1, 1), (0, 1), (0, -1))),
        ),
    ),
)
def loop_certificate(X: FloatArray, y: IntArray) -> FloatArray:
    """The certificate of the first loop of cyclic PLA from w = 0."""
    return _shares(X, y)


CHECKS: Final = (longest_streak, loop_certificate)


# --- The numbers of an id --------------------------------------------------------------------------------------------

DECIMALS: Final = {"rivals": 3, "gains": 3, "real_rates": 3}


def _mean(values: Any) -> float:
    return float(np.mean(values))


def own_streak(student: str, function: Version, got: Any) -> Report:
    """Question 1: the longest streak on one's own points, its t, and the mistakes of two w's."""
    X, y = data.points_of(student)[0]
    run = learning.pocket(X, y, order="cyclic", max_updates=100)

    def numbers_of(longest: Longest) -> list[Any]:
        w, streak, t = longest
        return [streak, t, len(mistakes(w, X, y)), run.mistakes_left]

    names = ("the streak", "t", "the mistakes of this w", "the mistakes of Pocket's w")
    right = dict(zip(names, numbers_of(_longest(X, y, 100)), strict=True))
    known = {name: [Known("right", 40 - right[name], "So many are right", "Count the mistakes.")] for name in names[2:]}
    given = Given(lambda: numbers_of(function(X, y, 100)), longest_streak(function, seed=SEED))
    return numbers(got, right, "your longest streak", tolerance=0, kind="count", given=given, known=known)


@lru_cache(maxsize=8)  # one student has 12 MB, and a class is judged in one process
def _runs(student: str) -> list[learning.Run]:
    train, _ = data.points_of(student)
    return [learning.pocket(*train, order=cycle, max_updates=100) for cycle in data.cycles_of(student)]


def rivals(student: str, got: Any) -> Report:
    """Question 2: six means, and the fraction of runs in which the averaged w is better than the pocket."""
    runs, errors, known = _runs(student), {}, {}
    for part, (X, y) in zip(("train", "test"), data.points_of(student), strict=True):
        errors[f"pocket on {part}"] = data.error_rates([run.w for run in runs], X, y)
        errors[f"last w on {part}"] = data.error_rates([run.last_w for run in runs], X, y)
        sums = [run.weights.sum(axis=0) for run in runs]  # they have the line of the mean, without its rounding
        errors[f"averaged w on {part}"] = data.error_rates(sums, X, y)
        every = _mean([data.error_rates(run.weights, X, y) for run in runs])
        why = "First the mean of all w's, then the error of this one w."
        known[f"averaged w on {part}"] = [Known("all_ws", every, "It is the mean error of all w's", why)]
    names = [f"{rival} on {part}" for rival in ("pocket", "last w", "averaged w") for part in ("train", "test")]
    right = {name: _mean(errors[name]) for name in names}
    for name in names:
        others = [Known("other", right[other], f"It is the mean of: {other}", "See the order.") for other in names]
        known[name] = [*known.get(name, []), *others]
    best, average = errors["pocket on test"], errors["averaged w on test"]
    known["averaged w is better"] = [
        Known("ties", _mean(average <= best), "It counts runs with equal errors, too", "Smaller means `<`."),
        Known("pocket", _mean(average > best), "In so many runs the pocket is better", "Exchange the two."),
    ]
    right["averaged w is better"] = _mean(average < best)
    # Rounding of the mean, as the text makes it, can decide about a run or two, of 2000, and then it is typed rounded.
    return numbers(got, right, "pocket and rivals", tolerance=2e-3, kind="rate", known=known)


def gains(student: str, got: Any) -> Report:
    """Question 5: by how much the best of ten pockets is better than all, where it was chosen and elsewhere."""
    _, test = data.points_of(student)
    pockets = [run.w for run in _runs(student)]
    first = data.error_rates(pockets, test.X[:100], test.y[:100])
    other = data.error_rates(pockets, test.X[100:], test.y[100:])
    chosen = data.best_of_ten(first)
    right, known = {}, {}
    for name, errors in (("gain on the first 100", first), ("gain on the other 100", other)):
        right[name] = _mean(errors) - _mean(errors[chosen])
        what = "It is the error of the chosen ones"
        known[name] = [Known("chosen", _mean(errors[chosen]), what, "Subtract it from the error of all.")]
    return numbers(got, right, "the two gains", tolerance=1e-3, known=known)


def real_rates(student: str, name: str, got: Any) -> Report:
    """Question 6: error rates of the majority, and of Pocket on all test examples and by label."""
    train, test = data.real_data(student, name)
    middle, spread = train.X.mean(axis=0), train.X.std(axis=0)
    rule = learning.pocket((train.X - middle) / spread, train.y, order="cyclic", max_updates=300)
    wrong, majority = predict(rule.w, (test.X - middle) / spread) != test.y, 1 if train.y.sum() > 0 else -1
    right = {"baseline": _mean(test.y != majority), "Pocket": _mean(wrong)}
    what, why = "It is the error on the training examples", "Use the 400 test examples."
    known = {
        "baseline": [Known("train", _mean(train.y != majority), what, why)],
        "Pocket": [Known("train", rule.mistakes_left / len(train), what, why)],
    }
    for label in (1, -1):
        case, these = f"Pocket where y = {label:+}", test.y == label
        why = f"Look at the examples with y = {label:+}, and at no others."
        right[case] = _mean(wrong[these])
        known[case] = [
            Known("of_all", _mean(wrong & these), "It is a fraction of all 400", why),
            Known("of_mistakes", _mean(these[wrong]), "It is a fraction of all mistakes", why),
            Known("other_label", _mean(wrong[~these]), "It belongs to the other label", why),
        ]
    return numbers(got, right, "the error rates", tolerance=1e-3, kind="rate", known=known)

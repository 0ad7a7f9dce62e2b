"""PLA and Pocket, and the `Run` that tells what they did.

PLA is one sentence: *find a mistake, correct it by w ← w + y x, until there are no more mistakes.*
Pocket walks exactly as PLA does and keeps in its pocket the w with the fewest mistakes so far.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from plahelpers import _format
from plahelpers._validation import (
    LARGEST,
    RNG,
    SMALLEST,
    FloatArray,
    IntArray,
    SignOfZero,
    as_array,
    check_choice,
    check_count,
    check_data,
    check_number,
    check_rng,
    check_sign_of_zero,
    check_weights,
)
from plahelpers.hypothesis import with_bias

Order: TypeAlias = Literal["cyclic", "shuffled", "random"] | ArrayLike

# A leg of a walk is at most so many updates (its picks are kept in one block) and multiplications (20 ms compiled).
_LEG_UPDATES = 1024
_LEG_PRODUCTS = 2**24


class BudgetWarning(UserWarning):
    """PLA spent its updates with mistakes left; that says nothing about separability."""


def pla(
    X: ArrayLike,
    y: ArrayLike,
    *,
    order: Order = "cyclic",
    w0: ArrayLike | None = None,
    eta: float = 1.0,
    sign_of_zero: SignOfZero = -1,
    max_updates: int = 100_000,
    rng: RNG = None,
    keep_path: bool = True,
) -> Run:
    """Find a mistake, correct it by w ← w + η y x, until there are no more mistakes.

    order         "cyclic": visit 0, 1, …, N−1, 0, … and go on after an update from the *next* example; "shuffled": one
                  random cycle, fixed in advance; "random": each update corrects a random one of all current
                  mistakes; or an array of example numbers that is the cycle.
    w0            where to start; 0 if not given.
    eta           the step size η.
    sign_of_zero  what is predicted on the line itself: −1, +1, or 0 (always a mistake).
    max_updates   the budget. When it is spent with a mistake left, a `BudgetWarning` says so.
    rng           an int, a numpy Generator or None: where the chance in "shuffled" and "random" comes from.
    keep_path     keep every w_t and pick, in `run.weights` and `run.picks`.

    Built in notebook 02, "PLA in the lecture's words".
    """
    plan = _plan("PLA", X, y, order, w0, eta, sign_of_zero, max_updates, own=keep_path)
    run = _go(plan, rng, bool(keep_path))
    if not run.halted:
        warnings.warn(_spent(run), BudgetWarning, stacklevel=2)
    return run


def pocket(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_updates: int = 1000,
    order: Order = "random",
    w0: ArrayLike | None = None,
    eta: float = 1.0,
    sign_of_zero: SignOfZero = -1,
    rng: RNG = None,
    keep_path: bool = True,
) -> Run:
    """Walk exactly as PLA does, and keep in the pocket the w with the fewest mistakes so far.

    w₀ is in the pocket at the start; strictly fewer mistakes replace it; no mistakes end the walk before max_updates.
    `run.w` is the pocket, `run.last_w` where the walk ended, `run.best_at` the update that gave the pocket.
    The other arguments are those of `pla`. Built in notebook 04, "Keep the best in your pocket".
    """
    plan = _plan("Pocket", X, y, order, w0, eta, sign_of_zero, max_updates, own=keep_path)
    return _go(plan, rng, bool(keep_path))


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What a run of PLA or Pocket did, from w₀ to its answer w."""

    algorithm: Literal["PLA", "Pocket"]
    X: FloatArray
    y: IntArray
    w: FloatArray  # the answer g: the last w of PLA, the pocket of Pocket
    last_w: FloatArray
    updates: int  # T: corrections made, not visits, not passes
    visits: int  # how often some wᵀxₙ was worked out along the way
    halted: bool  # no mistakes left
    mistakes_left: int  # of w
    best_at: int  # the t at which w_t became the answer
    order: str  # "cyclic", "shuffled", "random" or "given"
    cycle: IntArray | None  # the order of visits; None when mistakes were picked at random
    w0: FloatArray
    eta: float
    sign_of_zero: SignOfZero
    max_updates: int
    _path: tuple[IntArray, IntArray | None] | None  # picks, and errors if they were counted

    @property
    def N(self) -> int:
        """How many examples."""
        return len(self.y)

    @property
    def d(self) -> int:
        """How many features, not counting x₀."""
        return int(self.X.shape[1])

    @property
    def picks(self) -> IntArray:
        """n(t) for t = 0, …, T−1: which example was corrected on the way from w_t to w_{t+1}."""
        return self._kept_path()[0]

    @cached_property
    def weights(self) -> FloatArray:
        """w_t for t = 0, …, T, one in each row."""
        # The picks tell it all: adding η y x for one after the other gives the very w's that the walk had.
        corrections = (self.eta * self.y[self.picks])[:, np.newaxis] * with_bias(self.X)[self.picks]
        return np.cumsum(np.vstack([self.w0, corrections]), axis=0)

    @cached_property
    def errors(self) -> IntArray:
        """How many mistakes w_t makes, for t = 0, …, T."""
        _, counted = self._kept_path()
        if counted is None:
            counted = np.empty(self.updates + 1, np.int64)
            _loops().count_each(self.weights, self.X, self.y, self.sign_of_zero, counted)
        return counted

    @property
    def pocket_errors(self) -> IntArray:
        """The fewest mistakes of any w up to w_t, for t = 0, …, T: what a pocket holds."""
        return np.minimum.accumulate(self.errors)

    def _kept_path(self) -> tuple[IntArray, IntArray | None]:
        if self._path is None:
            raise ValueError("this run did not keep its path: run it again with keep_path=True.")
        return self._path

    def __repr__(self) -> str:
        return f"{self._sentence()}; w = {_format.vector(self.w)}"

    def _sentence(self) -> str:
        made = _format.count(self.updates, "update")
        if self.halted:
            return f"{self.algorithm} halted: {made}, no mistakes left"
        left = f"{self.mistakes_left:,} of {self.N:,} examples"
        if self.algorithm == "PLA":
            return f"PLA spent its budget: {made}, {left} still wrong"
        taken = f"found at update {self.best_at:,}" if self.best_at else "the w it started with"
        return f"Pocket stopped after {made}: its best w, {taken}, gets {left} wrong"

    def _repr_html_(self) -> str:
        import html

        rows = "".join(
            f"<tr><th scope='row'>{name}</th><td>{html.escape(value)}</td></tr>"
            for name, value in {
                "answer w": _format.vector(self.w),
                "updates T": f"{self.updates:,}",
                "visits": f"{self.visits:,}",
                "mistakes left": f"{self.mistakes_left:,} of {self.N:,}",
                "order": self.order,
                "sign of zero": f"{self.sign_of_zero:+d}" if self.sign_of_zero else "0",
                "corrected": self._picks_in_words(),
            }.items()
        )
        return f"<p>{html.escape(self._sentence())}.</p><table>{rows}</table>"

    def _picks_in_words(self) -> str:
        if self._path is None:
            return "not kept"
        return _format.listing(self.picks.tolist(), shown=20) or "none"


@dataclass(frozen=True)
class Plan:
    """A run that has been checked and can be made, once or thousands of times."""

    algorithm: Literal["PLA", "Pocket"]
    X: FloatArray
    y: IntArray
    order: str
    cycle: IntArray | None
    w0: FloatArray
    eta: float
    sign_of_zero: SignOfZero
    max_updates: int


def _plan(
    algorithm: Literal["PLA", "Pocket"],
    X: ArrayLike,
    y: ArrayLike,
    order: Order,
    w0: ArrayLike | None,
    eta: float,
    sign_of_zero: SignOfZero,
    max_updates: int,
    own: bool = False,
) -> Plan:
    """Check everything that was given, once; with data of its own if others may change what they gave, later."""
    points, labels = check_data(X, y)
    # The loops are compiled for ordinary arrays; for read-only ones they would have to be compiled again.
    if own or not points.flags.writeable:
        points = points.copy()
    if own or not labels.flags.writeable:
        labels = labels.copy()
    N, d = points.shape
    word = order if isinstance(order, str) else "given"
    cycle: IntArray | None = None
    if word == "given":
        cycle = _check_cycle(order, N)
    elif check_choice(word, "order", ("cyclic", "shuffled", "random")) == "cyclic":
        cycle = np.arange(N, dtype=np.int64)
    return Plan(
        algorithm=algorithm,
        X=points,
        y=labels,
        order=word,
        cycle=cycle,
        w0=np.zeros(d + 1) if w0 is None else check_weights(w0, d, "w0").copy(),
        eta=check_number(eta, "eta", SMALLEST, LARGEST),
        sign_of_zero=check_sign_of_zero(sign_of_zero),
        max_updates=min(check_count(max_updates, "max_updates"), 2**62),  # as far as the loops can count
    )


def _check_cycle(order: Any, N: int) -> IntArray:
    """The cycle that was given: example numbers, every example among them."""
    cycle = as_array(order, "order")
    if cycle.ndim != 1 or cycle.dtype.kind not in "iu":
        raise ValueError(
            'order must be "cyclic", "shuffled", "random", or a list of example numbers (whole, from 0 on).'
        )
    outside = cycle[(cycle < 0) | (cycle >= N)]
    if len(outside):
        raise ValueError(f"order names example {outside[0]}, but the examples are numbered 0 to {N - 1}.")
    missing = np.setdiff1d(np.arange(N), cycle)
    if len(missing):
        raise ValueError(f"order leaves out example {missing[0]}: a cycle must visit every example.")
    return np.array(cycle, dtype=np.int64)


def _go(plan: Plan, rng: RNG, keep_path: bool, rest: Callable[[], None] = lambda: None) -> Run:
    """Make the run. Between two legs it calls `rest`, which may raise to stop it."""
    cycle, draw = plan.cycle, None
    if cycle is None or rng is not None:  # else no chance is needed, and a fresh generator costs more than a short run
        chance = check_rng(rng)
        cycle = chance.permutation(len(plan.y)) if plan.order == "shuffled" else cycle
        draw = chance.random if cycle is None else None
    if plan.algorithm == "PLA" and cycle is not None:
        return _walk(plan, cycle, keep_path, rest)
    return _walk_and_count(plan, cycle, draw, keep_path, rest)


def _walk(plan: Plan, cycle: IntArray, keep: bool, rest: Callable[[], None]) -> Run:
    """PLA along a cycle, leg by leg."""
    loops = _loops()
    w, path, leg_visits = plan.w0.copy(), _Path(keep), max(1, _LEG_PRODUCTS // len(plan.w0))
    at = clean = updates = visits = 0
    while True:
        room, picks, _ = path.new_leg(plan.max_updates - updates)
        ended, at, clean, made, seen = loops.walk(
            plan.X, plan.y, cycle, plan.eta, plan.sign_of_zero, w, at, clean, room, leg_visits, keep, picks
        )
        path.walked(made)
        updates, visits = updates + made, visits + seen
        if ended == loops.CLEAN:
            left = 0
            break
        if ended == loops.NO_UPDATE_LEFT and updates == plan.max_updates:
            visits += 1  # the look at the mistake that stays
            left = int(loops.count_mistakes(w, plan.X, plan.y, plan.sign_of_zero))
            break
        rest()
    return _run(plan, cycle, w, w.copy(), updates, visits, left, updates, path.joined())


def _walk_and_count(
    plan: Plan,
    cycle: IntArray | None,
    draw: Callable[[int], FloatArray] | None,
    keep: bool,
    rest: Callable[[], None],
) -> Run:
    """Pocket, or PLA correcting random mistakes: every w has its mistakes counted."""
    loops = _loops()
    w, best, leg_visits = plan.w0.copy(), plan.w0.copy(), max(1, _LEG_PRODUCTS // len(plan.w0))
    found = np.empty(len(plan.y), dtype=np.int64)
    wrong = fewest = int(loops.find_mistakes(w, plan.X, plan.y, plan.sign_of_zero, found))
    path, draws = _Path(keep, wrong), np.empty(0)
    at = updates = best_at = 0
    visits = len(plan.y)
    while wrong > 0 and updates < plan.max_updates:
        room, picks, errors = path.new_leg(plan.max_updates - updates)
        if draw is not None and not len(draws):
            draws = draw(room)
        wrong, fewest, at, made, seen, better = loops.walk_and_count(
            plan.X, plan.y, _NO_CYCLE if cycle is None else cycle, draws, plan.eta, plan.sign_of_zero, w, best,
            found, wrong, fewest, at, len(draws) or room, leg_visits, keep, picks, errors,
        )  # fmt: skip
        path.walked(made)
        draws = draws[made:]  # those that are left are for the next leg
        best_at = updates + better if better else best_at
        updates, visits = updates + made, visits + seen
        rest()
    if plan.algorithm == "PLA":
        return _run(plan, cycle, w, w.copy(), updates, visits, int(wrong), updates, path.joined())
    return _run(plan, cycle, best, w, updates, visits, int(fewest), best_at, path.joined())


_NO_CYCLE = np.empty(0, dtype=np.int64)


class _Path:
    """The picks of a walk, collected leg by leg, and the mistakes of every w if they are counted."""

    def __init__(self, keep: bool, errors_at_start: int | None = None) -> None:
        self.keep = keep
        self.picks: list[IntArray] = []
        self.errors = None if errors_at_start is None else [np.array([errors_at_start])]

    def new_leg(self, updates_left: int) -> tuple[int, IntArray, IntArray]:
        """How many updates the next leg may make, and empty space for its picks and errors."""
        room = min(updates_left, _LEG_UPDATES)
        self.leg = np.empty((2, room if self.keep else 0), np.int64)
        return room, self.leg[0], self.leg[1]

    def walked(self, updates: int) -> None:
        """The last leg made so many updates."""
        if self.keep:
            self.picks.append(self.leg[0, :updates])
            if self.errors is not None:
                self.errors.append(self.leg[1, :updates])

    def joined(self) -> tuple[IntArray, IntArray | None] | None:
        """All legs in one; nothing if the path was not to be kept."""
        if not self.keep:
            return None
        picks = np.concatenate([_NO_CYCLE, *self.picks])
        return picks, None if self.errors is None else np.concatenate(self.errors)


def _run(
    plan: Plan,
    cycle: IntArray | None,
    w: FloatArray,
    last_w: FloatArray,
    updates: int,
    visits: int,
    left: int,
    best_at: int,
    path: tuple[IntArray, IntArray | None] | None,
) -> Run:
    return Run(
        algorithm=plan.algorithm, X=plan.X, y=plan.y, w=w, last_w=last_w, updates=int(updates), visits=int(visits),
        halted=left == 0, mistakes_left=left, best_at=int(best_at), order=plan.order, cycle=cycle, w0=plan.w0,
        eta=plan.eta, sign_of_zero=plan.sign_of_zero, max_updates=plan.max_updates, _path=path,
    )  # fmt: skip


def _spent(run: Run) -> str:
    return (
        f"PLA spent its budget of {_format.count(run.max_updates, 'update')} with {run.mistakes_left:,} of {run.N:,} "
        "examples still wrong. That does not show that the data are not separable: separate(X, y) decides that, "
        "and max_updates= allows more."
    )


def _loops() -> Any:
    """The loops, loaded at the first run: numba takes a while to import."""
    from plahelpers import _loops as loops

    return loops

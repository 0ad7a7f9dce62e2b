"""PLA and Pocket, and the `Run` that tells what they did.

PLA is one sentence: *find a mistake, correct it by w ← w + y x, until there are no more mistakes.*
Pocket walks exactly as PLA does and keeps in its pocket the w with the fewest mistakes so far.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from plahelpers import _format, _validation
from plahelpers._validation import RNG, BoolArray, FloatArray, IntArray, SignOfZero
from plahelpers.hypothesis import with_bias

Order: TypeAlias = Literal["cyclic", "shuffled", "random"] | ArrayLike

__all__ = ["BudgetWarning", "Order", "Run", "pla", "pocket"]


class BudgetWarning(UserWarning):
    """PLA spent its updates with mistakes left; that does not prove that the data are not separable."""


def warn_of_budget(message: str) -> None:
    """Warn whoever has called pla or repeat_pla, and say what a spent budget does not show."""
    advice = (
        "That does not show that the data are not separable: separate(X, y) decides that, and max_updates= allows more."
    )
    warnings.warn(f"{message} {advice}", BudgetWarning, stacklevel=3)


def pla(
    X: ArrayLike,
    y: ArrayLike,
    *,
    order: Order = "cyclic",
    start: ArrayLike | None = None,
    eta: float = 1.0,
    sign_of_zero: SignOfZero = -1,
    max_updates: int = 100_000,
    rng: RNG = None,
    keep_path: bool = True,
) -> Run:
    """Find a mistake, correct it by w ← w + η y x, until there are no more mistakes.

    Built in chapter 2, "PLA in the lecture's words".

    Parameters
    ----------
    order : str or array of int
        "cyclic": visit 0, 1, …, N−1, 0, … and go on after an update from the *next* example; "shuffled": one random
        cycle, fixed in advance; "random": each update corrects a random one of all current mistakes; or an array of
        indices that is the cycle.
    start : array of float, optional
        The weights at the start of the run; 0 if not given.
    eta : float
        The learning rate η.
    sign_of_zero : int
        What is predicted on the line itself: −1, +1, or 0 (always a mistake).
    max_updates : int
        The budget. When it is spent with a mistake left, a `BudgetWarning` says so.
    rng : int, numpy Generator or None
        Where the random numbers of "shuffled" and "random" come from.
    keep_path : bool
        Keep every w_t and pick, in `run.weights` and `run.picks`.
    """
    problem = check_problem("PLA", X, y, order, max_updates, start, eta, sign_of_zero)
    run = learn(problem, rng, keep_path=keep_path)
    if not run.halted:
        budget, left = _format.count(run.max_updates, "update"), f"{run.mistakes_left:,} of {run.N:,} examples"
        warn_of_budget(f"PLA spent its budget of {budget} with {left} still wrong.")
    return run


def pocket(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_updates: int = 1000,
    order: Order = "random",
    start: ArrayLike | None = None,
    eta: float = 1.0,
    sign_of_zero: SignOfZero = -1,
    rng: RNG = None,
    keep_path: bool = True,
) -> Run:
    """Walk exactly as PLA does, and keep in the pocket the w with the fewest mistakes so far.

    The pocket holds the start at first; a w with strictly fewer mistakes replaces it, and one with none ends the walk.
    `run.w` is the pocket, `run.last_w` the last w of the walk, `run.best_at` the update that gave the pocket.
    The other arguments are those of `pla`. Built in chapter 4, "Keep the best in your pocket".
    """
    problem = check_problem("Pocket", X, y, order, max_updates, start, eta, sign_of_zero)
    return learn(problem, rng, keep_path=keep_path)


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """The examples, and the rules by which a run learns from them."""

    algorithm: str  # "PLA" or "Pocket"
    X: FloatArray
    y: IntArray
    order: str  # "cyclic", "shuffled", "random" or "given"
    cycle: IntArray | None  # the order of visits; None when mistakes are picked at random
    start: FloatArray
    eta: float
    sign_of_zero: SignOfZero
    max_updates: int

    @property
    def N(self) -> int:
        """How many examples."""
        return len(self.y)

    @property
    def d(self) -> int:
        """How many features, not counting x₀."""
        return int(self.X.shape[1])


def check_problem(
    name: str, X: Any, y: Any, order: Any, max_updates: Any, start: Any = None, eta: Any = 1, sign_of_zero: Any = -1
) -> Problem:
    """Check everything that was given, once; arrays are copied, because others may change theirs later."""
    points, labels = _validation.check_data(X, y)
    N, d = points.shape
    return Problem(
        algorithm=name,
        X=points.copy(),
        y=labels.copy(),
        order=order if isinstance(order, str) else "given",
        cycle=_validation.check_order(order, N),
        start=np.zeros(d + 1) if start is None else _validation.check_weights(start, d, "start").copy(),
        eta=_validation.check_number(eta, "eta", _validation.SMALLEST, _validation.LARGEST),
        sign_of_zero=_validation.check_sign_of_zero(sign_of_zero),
        max_updates=min(_validation.check_count(max_updates, "max_updates"), 2**62),  # as far as the loops can count
    )


@dataclass(frozen=True, eq=False, repr=False)
class Run(Problem):
    """What a run of PLA or Pocket did, from its start to its answer w."""

    w: FloatArray  # the answer g: the last w of PLA, the pocket of Pocket
    last_w: FloatArray
    updates: int  # T: corrections made, not visits, not passes
    visits: int  # how often some wᵀxₙ was worked out along the way
    mistakes_left: int  # of w
    best_at: int  # the t at which w_t became the answer
    _picks: IntArray | None

    @property
    def halted(self) -> bool:
        """Are there no mistakes left?"""
        return self.mistakes_left == 0

    @property
    def picks(self) -> IntArray:
        """n(t) for t = 0, …, T−1: which example was corrected on the way from w_t to w_{t+1}."""
        if self._picks is None:
            raise ValueError("this run did not keep its path: run it again with keep_path=True.")
        return self._picks

    @cached_property
    def weights(self) -> FloatArray:
        """w_t for t = 0, …, T, one in each row."""
        # Adding η y x for one pick after the other gives the very same w's as the run had, to the last bit.
        corrections = (self.eta * self.y[self.picks])[:, np.newaxis] * with_bias(self.X)[self.picks]
        return np.cumsum(np.vstack([self.start, corrections]), axis=0)

    @cached_property
    def errors(self) -> IntArray:
        """How many mistakes w_t makes, for t = 0, …, T."""
        return count_mistakes(self.weights, self.X, self.y, self.sign_of_zero)

    @property
    def pocket_errors(self) -> IntArray:
        """The fewest mistakes of any w up to w_t, for t = 0, …, T: what a pocket holds."""
        return np.minimum.accumulate(self.errors)

    def __repr__(self) -> str:
        updates, left = _format.count(self.updates, "update"), f"{self.mistakes_left:,} of {self.N:,} examples"
        if self.halted:
            text = f"{self.algorithm} halted: {updates}, no mistakes left"
        elif self.algorithm == "PLA":
            text = f"PLA spent its budget: {updates}, {left} still wrong"
        else:
            origin = f"found at update {self.best_at:,}" if self.best_at else "the w it started with"
            text = f"Pocket stopped after {updates}: its best w, {origin}, gets {left} wrong"
        return f"{text}; w = {_format.vector(self.w)}"


def learn(problem: Problem, rng: RNG, *, keep_path: bool, stop: Sequence[bool] | BoolArray = (False,)) -> Run:
    """Make the run: one short compiled call after the other, so that Ctrl-C is heard in between.

    It is given up, and is no run then, when another thread sets the one entry of `stop`.
    """
    from plahelpers import _loops as loops  # here, because numba takes a while to import

    # A fresh generator costs more than a short run.
    generator = _validation.check_rng(rng) if rng is not None or problem.cycle is None else None
    if generator and problem.order == "shuffled":
        problem = replace(problem, cycle=generator.permutation(problem.N))
    X, y, zero = problem.X, problem.y, problem.sign_of_zero
    rules = X, y, problem.eta, zero, problem.max_updates, problem.algorithm == "Pocket" or problem.order == "random"
    cycle = np.empty(0, np.int64) if problem.cycle is None else problem.cycle
    w, best, draws, path = problem.start.copy(), problem.start.copy(), np.empty(0), []
    room = made = loops.updates_in_a_call(problem.N)
    picks, progress, updates = np.empty(room, np.int64), loops.START, 0
    while made == room and not stop[0]:
        if generator and problem.order == "random":
            draws = generator.random(room)  # so what it gives next does not depend on the budget
        progress = loops.walk(rules, cycle, draws, w, best, picks, progress)
        made, updates = progress[0] - updates, progress[0]
        if keep_path:
            path.append(picks[:made].copy())
    _, visits, _, left, best_at = progress
    if problem.algorithm == "PLA":  # the answer is the last w, not the best one
        best, best_at = w.copy(), updates
        left = loops.count_mistakes(w, X, y, zero) if updates == problem.max_updates else 0
    return Run(
        **vars(problem),
        w=best,
        last_w=w,
        updates=updates,
        visits=visits,
        mistakes_left=left,
        best_at=best_at,
        _picks=np.concatenate(path) if keep_path else None,
    )


def count_mistakes(W: Iterable[FloatArray], X: FloatArray, y: IntArray, sign_of_zero: SignOfZero) -> IntArray:
    """How many mistakes does each row of W make?"""
    from plahelpers import _loops

    return np.array([_loops.count_mistakes(w, X, y, sign_of_zero) for w in W], np.int64)

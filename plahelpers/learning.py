"""PLA and Pocket, and the `Run` that tells what they did.

PLA is one sentence: *find a mistake, correct it by w ← w + y x, until there are no more mistakes.*
Pocket walks exactly as PLA does and keeps in its pocket the w with the fewest mistakes so far.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

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

if TYPE_CHECKING:
    from plahelpers._loops import Problem

Algorithm: TypeAlias = Literal["PLA", "Pocket"]
__all__ = ["BudgetWarning", "Order", "Run", "pla", "pocket"]

Order: TypeAlias = Literal["cyclic", "shuffled", "random"] | ArrayLike

# One compiled call makes about so many visits, or one pass; or updates with about so many multiplications, or one.
# That takes milliseconds, so Ctrl-C is heard.
_CHUNK_VISITS = 2**13
_CHUNK_PRODUCTS = 2**24
# Random numbers are drawn in blocks of so many, and one picks the mistake of one update.
_BLOCK = 1024


class BudgetWarning(UserWarning):
    """PLA spent its updates with mistakes left; that does not prove that the data are not separable."""


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

    Built in chapter 2, "PLA in the lecture's words".

    Parameters
    ----------
    order : str or array of int
        "cyclic": visit 0, 1, …, N−1, 0, … and go on after an update from the *next* example; "shuffled": one random
        cycle, fixed in advance; "random": each update corrects a random one of all current mistakes; or an array of
        indices that is the cycle.
    w0 : array of float, optional
        The weights at the start of the run (not the entry w₀ of w); 0 if not given.
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
    setup = check_setup(
        "PLA", X, y, order=order, w0=w0, eta=eta, sign_of_zero=sign_of_zero, max_updates=max_updates, copy=keep_path
    )
    run = _learn(setup, rng, bool(keep_path))
    if not run.halted:
        warnings.warn(_budget_message(run), BudgetWarning, stacklevel=2)
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

    The pocket holds the start at first; a w with strictly fewer mistakes replaces it, and one with none ends the walk.
    `run.w` is the pocket, `run.last_w` the last w of the walk, `run.best_at` the update that gave the pocket.
    The other arguments are those of `pla`. Built in chapter 4, "Keep the best in your pocket".
    """
    setup = check_setup(
        "Pocket", X, y, order=order, w0=w0, eta=eta, sign_of_zero=sign_of_zero, max_updates=max_updates, copy=keep_path
    )
    return _learn(setup, rng, bool(keep_path))


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What a run of PLA or Pocket did, from its start to its answer w."""

    algorithm: Algorithm
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
        # Adding η y x for one pick after the other gives the very same w's as the run had, to the last bit.
        corrections = (self.eta * self.y[self.picks])[:, np.newaxis] * with_bias(self.X)[self.picks]
        return np.cumsum(np.vstack([self.w0, corrections]), axis=0)

    @cached_property
    def errors(self) -> IntArray:
        """How many mistakes w_t makes, for t = 0, …, T."""
        _, errors = self._kept_path()
        if errors is None:
            errors = _loops().count_mistakes(self.weights, self.X, self.y, self.sign_of_zero)
        return errors

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
        updates = _format.count(self.updates, "update")
        if self.halted:
            return f"{self.algorithm} halted: {updates}, no mistakes left"
        left = f"{self.mistakes_left:,} of {self.N:,} examples"
        if self.algorithm == "PLA":
            return f"PLA spent its budget: {updates}, {left} still wrong"
        origin = f"found at update {self.best_at:,}" if self.best_at else "the w it started with"
        return f"Pocket stopped after {updates}: its best w, {origin}, gets {left} wrong"

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
                "corrected": "not kept"
                if self._path is None
                else _format.listing(self.picks.tolist(), limit=20) or "none",
            }.items()
        )
        return f"<p>{html.escape(self._sentence())}.</p><table>{rows}</table>"


class Setup(NamedTuple):
    """A run that has been checked and can be made, once or thousands of times."""

    algorithm: Algorithm
    order: str
    problem: Problem


def check_setup(
    algorithm: Algorithm,
    X: ArrayLike,
    y: ArrayLike,
    *,
    order: Order,
    w0: ArrayLike | None,
    eta: float,
    sign_of_zero: SignOfZero,
    max_updates: int,
    copy: bool = False,
) -> Setup:
    """Check everything that was given, once; copy the data if others may change what they gave, later."""
    points, labels = check_data(X, y)
    # The loops are compiled for ordinary arrays; for read-only ones they would have to be compiled again.
    if copy or not points.flags.writeable:
        points = points.copy()
    if copy or not labels.flags.writeable:
        labels = labels.copy()
    N, d = points.shape
    word = order if isinstance(order, str) else "given"
    cycle = np.empty(0, np.int64)
    if word == "given":
        cycle = _check_cycle(order, N)
    elif check_choice(word, "order", ("cyclic", "shuffled", "random")) == "cyclic":
        cycle = np.arange(N, dtype=np.int64)
    problem = _loops().Problem(
        X=points,
        y=labels,
        cycle=cycle,
        w0=np.zeros(d + 1) if w0 is None else check_weights(w0, d, "w0").copy(),
        eta=check_number(eta, "eta", SMALLEST, LARGEST),
        sign_of_zero=check_sign_of_zero(sign_of_zero),
        max_updates=min(check_count(max_updates, "max_updates"), 2**62),  # as far as the loops can count
        stop=np.zeros(1, np.bool_),
    )
    return Setup(algorithm, word, problem)


def _check_cycle(order: Any, N: int) -> IntArray:
    """The cycle that was given: indices, every example among them."""
    cycle = as_array(order, "order")
    if cycle.ndim != 1 or cycle.dtype.kind not in "iu":
        raise ValueError(
            'order must be "cyclic", "shuffled", "random", or a list of indices of examples (whole numbers from 0 on).'
        )
    outside = cycle[(cycle < 0) | (cycle >= N)]
    if len(outside):
        raise ValueError(f"order names example {outside[0]}, but the examples are numbered 0 to {N - 1}.")
    missing = np.setdiff1d(np.arange(N), cycle)
    if len(missing):
        raise ValueError(f"order leaves out example {missing[0]}: a cycle must visit every example.")
    return np.array(cycle, dtype=np.int64)


def _learn(setup: Setup, rng: RNG, keep_path: bool) -> Run:
    """Make the run."""
    problem, generator = setup.problem, None
    if setup.order in ("shuffled", "random") or rng is not None:  # a fresh generator costs more than a short run
        generator = check_rng(rng)
    if setup.order == "shuffled" and generator is not None:
        problem = problem._replace(cycle=generator.permutation(len(problem.y)))
    if setup.algorithm == "PLA" and setup.order != "random":
        results = _run_passes(problem, keep_path)
    else:
        results = _run_pocket(setup.algorithm, problem, generator, keep_path)
    return Run(
        algorithm=setup.algorithm,
        halted=results["mistakes_left"] == 0,
        order=setup.order,
        cycle=problem.cycle if len(problem.cycle) else None,
        **{name: getattr(problem, name) for name in ("X", "y", "w0", "eta", "sign_of_zero", "max_updates")},
        **results,
    )


def _run_passes(problem: Problem, keep_path: bool) -> dict[str, Any]:
    """PLA along a cycle, several passes in one compiled call."""
    loops = _loops()
    w, progress = problem.w0.copy(), loops.Progress(updates=0, visits=0, clean=0, done=False)
    passes = max(1, _CHUNK_VISITS // len(problem.cycle))
    picks = np.empty(passes * len(problem.cycle) if keep_path else 0, np.int64)
    path = [picks[:0]]
    while not progress.done:
        updates = progress.updates
        progress = loops.Progress(*loops.run_passes(problem, w, progress, passes, picks))
        path.append(picks[: progress.updates - updates].copy())
    halted = progress.clean == len(problem.cycle)
    return {
        "w": w,
        "last_w": w.copy(),
        "updates": progress.updates,
        "visits": progress.visits,
        "mistakes_left": 0 if halted else int(loops.find_mistakes(problem, w, np.empty(len(problem.y), np.int64))),
        "best_at": progress.updates,
        "_path": (np.concatenate(path), None) if keep_path else None,
    }


def _run_pocket(
    algorithm: Algorithm, problem: Problem, generator: np.random.Generator | None, keep_path: bool
) -> dict[str, Any]:
    """Pocket, or PLA with random picks: the mistakes of every w are counted."""
    loops = _loops()
    pocket = loops.Pocket(w=problem.w0.copy(), best=problem.w0.copy(), mistakes=np.empty(len(problem.y), np.int64))
    progress = loops.PocketProgress(*loops.start_pocket(problem, pocket))
    path, draws = [np.array([[-1], [progress.wrong]])], np.empty(0)  # nothing was corrected before the start
    chunk = max(1, _CHUNK_PRODUCTS // (len(problem.y) * len(problem.w0)))
    while progress.wrong > 0 and progress.updates < problem.max_updates:
        updates = progress.updates
        if not len(problem.cycle) and not len(draws) and generator is not None:
            draws = generator.random(min(problem.max_updates - updates, _BLOCK))
        columns = np.empty((2, min(chunk, len(draws) or _BLOCK)), np.int64)
        progress = loops.PocketProgress(*loops.run_pocket(problem, pocket, progress, draws, columns))
        draws = draws[progress.updates - updates :]  # those that are left are for the next call
        if keep_path:
            path.append(columns[:, : progress.updates - updates])
    picks, errors = np.concatenate(path, axis=1)
    is_pla = algorithm == "PLA"  # then the answer is the last w, not the pocket
    return {
        "w": pocket.w.copy() if is_pla else pocket.best,
        "last_w": pocket.w,
        "updates": progress.updates,
        "visits": progress.visits,
        "mistakes_left": int(progress.wrong if is_pla else progress.fewest),
        "best_at": progress.updates if is_pla else progress.best_at,
        "_path": (picks[1:], errors) if keep_path else None,
    }


def _budget_message(run: Run) -> str:
    return (
        f"PLA spent its budget of {_format.count(run.max_updates, 'update')} with {run.mistakes_left:,} of {run.N:,} "
        "examples still wrong. That does not show that the data are not separable: separate(X, y) decides that, "
        "and max_updates= allows more."
    )


def _loops() -> Any:
    """The loops, loaded at the first run: numba takes a while to import."""
    from plahelpers import _loops as loops

    return loops

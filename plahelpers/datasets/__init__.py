"""Where the examples come from: the running example, generators, real data, and a user's own file.

Every function returns a `Data`, made afresh on each call, so that changing one changes no other.
"""

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plahelpers import _format, _validation
from plahelpers._validation import RNG, FloatArray, IntArray
from plahelpers.hypothesis import scores, sign


def default_names(d: int) -> tuple[str, ...]:
    """What columns without names are called: x1, x2, …"""
    return tuple(f"x{i}" for i in range(1, d + 1))


@dataclass(eq=False, repr=False)
class Data:
    """Examples with their labels, and what is known about them; `X, y = data` takes them apart."""

    X: FloatArray
    y: IntArray
    names: tuple[str, ...] = ()  # of the columns of X
    target: FloatArray | None = None  # the weights of the target f, where they are known
    about: str = "your own data"  # what they are, in a few words

    def __post_init__(self) -> None:
        self.X, self.y = _validation.check_data(self.X, self.y)
        d = self.X.shape[1]
        self.names = tuple(self.names) or default_names(d)
        if len(self.names) != d:
            raise ValueError(f"X has {_format.count(d, 'column')}, names has {len(self.names)}: each needs one name.")
        if self.target is not None:
            self.target = _validation.check_weights(self.target, d, "target")

    def __iter__(self) -> Iterator[Any]:
        """X, then y: so that `X, y = data` works."""
        return iter((self.X, self.y))

    def __len__(self) -> int:
        """N, the number of examples."""
        return len(self.X)

    def __repr__(self) -> str:
        N, d = self.X.shape
        positive = np.count_nonzero(self.y == 1)
        examples = f"{_format.count(N, 'example')} of {_format.count(d, 'feature')}"
        return f"{examples}, {positive:,} positive: {self.about}"


# --- the examples of the notebooks ----------------------------------------------------------------


def running_example() -> Data:
    """Twenty points in the plane that a line can separate: the example all notebooks share."""
    return _running_points()[0]


def running_order() -> IntArray:
    """One shuffled cycle through the running example, drawn on from the generator that drew its points."""
    _, generator = _running_points()
    return generator.permutation(20).astype(np.int64)


def noisy_running_example() -> Data:
    """The running example with noise: each label flips with probability 0.2, and six of the twenty do."""
    clean, generator = _running_points()
    return _flip(clean, generator.random_sample(20) < 0.2, "the running example with noise")


def textbook_example() -> Data:
    """Three points, small enough to run PLA on them with pencil and paper."""
    X, y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1])
    return Data(X, y, about="the textbook example")


def _running_points() -> tuple[Data, np.random.RandomState]:
    """The running example, and its generator to draw on from."""
    generator = np.random.RandomState(42)  # its stream is frozen for good, so the printed figures stay true
    X = generator.uniform(-5, 5, (20, 2))
    target = np.array([-1.0, 2.0, -1.0])
    return Data(X, sign(scores(target, X)), target=target, about="the running example"), generator


# --- generators -----------------------------------------------------------------------------------


def separable(
    N: int,
    d: int = 2,
    *,
    target: ArrayLike | None = None,
    margin: float = 0.0,
    low: float = -1.0,
    high: float = 1.0,
    rng: RNG = None,
) -> Data:
    """N random points of the box [low, high]^d, labelled by a target: always linearly separable.

    No point is on the line itself.

    Parameters
    ----------
    target : array-like, optional
        The weights of the target. Without them one is drawn: the line through two random points of the box (for d = 1
        a threshold at one point, + above it; in general the hyperplane through d), with room for the margin on both
        sides.
    margin : float
        Every point has y wᵀx / ‖w‖ ≥ margin for the weights w of the target, with x₀ and w₀ included as in the proof:
        points that are too near are drawn again.
    """
    box = _Box(*_validation.check_box(low, high), _validation.check_count(d, "d", at_least=1))
    N, generator = _validation.check_count(N, "N", at_least=1), _validation.check_rng(rng)
    margin = _validation.check_number(margin, "margin", 0, _validation.LARGEST)
    w = _random_target(box, margin, generator) if target is None else _given_target(target, box)
    X = _points_off_the_line(N, w, box, margin, generator)
    return Data(X, sign(scores(w, X)), target=w, about=f"points of {box}, labelled by a target")


def noisy(
    N: int,
    d: int = 2,
    *,
    noise: float = 0.1,
    rng: RNG = None,
    **points: Any,
) -> Data:
    """The same points as `separable` makes, but each label flips with probability `noise`.

    The other arguments are those of `separable`: target, margin, low, high.
    """
    noise, generator = _validation.check_number(noise, "noise", 0, 1), _validation.check_rng(rng)
    clean = separable(N, d, **points, rng=generator)
    about = f"{clean.about}, each label flipped with probability {noise:g}"
    return _flip(clean, generator.random(len(clean)) < noise, about)


def _flip(clean: Data, flips: NDArray[np.bool], about: str) -> Data:
    return replace(clean, y=np.where(flips, -clean.y, clean.y), about=about)


# So many targets are tried to find one with room for the margin, so many batches to find N points with it.
_TARGETS, _BATCHES = 200, 100

# Points nearer to the line than this, compared with the terms of wᵀx, might change sides by rounding.
_ROUNDING = 1e-12


class _Box(NamedTuple):
    low: float
    high: float
    d: int

    def __str__(self) -> str:
        return f"[{self.low:g}, {self.high:g}]^{self.d}"

    def points(self, N: int, rng: np.random.Generator) -> FloatArray:
        return rng.uniform(self.low, self.high, (N, self.d))

    def reach(self, w: FloatArray) -> tuple[float, float]:
        """How far wᵀx can go in the box: on the + side, and on the − side."""
        middle = float(w[0] + w[1:].sum() * (self.low + self.high) / 2)
        spread = float(np.abs(w[1:]).sum() * (self.high - self.low) / 2)
        return spread + middle, spread - middle

    def clearance(self, w: FloatArray, margin: float) -> float:
        """The least |wᵀx| for that margin; never 0, so that no rounding moves a point onto or across the line."""
        terms = abs(w[0]) + np.abs(w[1:]).sum() * max(abs(self.low), abs(self.high))
        return float(margin * math.hypot(*w) + _ROUNDING * terms)


def _random_target(box: _Box, margin: float, rng: np.random.Generator) -> FloatArray:
    """The hyperplane through d random points of the box, with room for the margin on both sides."""
    for _ in range(_TARGETS):
        w = _through(box.points(box.d, rng))
        if min(box.reach(w)) >= box.clearance(w, margin):
            return w
    raise ValueError(
        f"margin = {margin:g} is too large: none of {_TARGETS} random targets has points of "
        f"{box} so far away on both sides. Ask for a smaller margin, or give a target."
    )


def _through(points: FloatArray) -> FloatArray:
    """The w of the hyperplane through d points of R^d, with a normal of length 1."""
    steps = points[1:] - points[0]
    if len(steps) == 1:
        left = np.array([-steps[0, 1], steps[0, 0]])
        return np.append(-left @ points[0], left) / math.hypot(*left)
    normal = np.linalg.qr(steps.T, mode="complete")[0][:, -1]  # at right angles to every step
    normal = normal * np.linalg.slogdet(np.vstack([steps, normal]))[0]  # as on the left; LAPACK picks any side
    return np.append(-normal @ points[0], normal)


def _given_target(target: ArrayLike, box: _Box) -> FloatArray:
    w = _validation.check_weights(target, box.d, "target").copy()
    if not w.any():
        raise ValueError("target must not be zero everywhere: then every point is on the line, and none gets a label.")
    return w


def _points_off_the_line(N: int, w: FloatArray, box: _Box, margin: float, rng: np.random.Generator) -> FloatArray:
    """N uniform points of the box that keep their distance from the line."""
    clearance = box.clearance(w, margin)
    points = np.empty((0, box.d))
    for _ in range(_BATCHES):
        batch = box.points(N + 100, rng)
        points = np.concatenate([points, batch[np.abs(scores(w, batch)) >= clearance]])
        if len(points) >= N:
            return points[:N].copy()
    raise ValueError(
        f"margin = {margin:g} is too large: of {_BATCHES * (N + 100):,} random points of "
        f"{box} only {len(points):,} are so far from the line, and {N:,} are wanted."
    )


# --- real data, shipped with the package ----------------------------------------------------------


def credit() -> Data:
    """1319 applicants for a credit card, and whether they got it: +1 if so. (AER's CreditCard, from Greene.)

    Left out are `expenditure` and `share`, the spending with the card: they give the answer away, since every
    rejected applicant spent 0. Seven ages are under 18 (in fact under one year); they stand as in the source.
    What the columns mean stands in plahelpers/datasets/README.md.
    """
    data = read(Path(__file__).with_name("credit.csv"), positive="yes")
    return replace(data, about="applicants for a credit card, positive if accepted")


def spam() -> Data:
    """4601 mails, described by five frequencies and a length: +1 if the mail is spam.

    They are DAAG's spam7, from UCI's Spambase. What the columns mean stands in
    plahelpers/datasets/README.md.
    """
    data = read(Path(__file__).with_name("spam.csv"), positive="y")
    return replace(data, about="mails, positive if spam")


# --- a user's own file ----------------------------------------------------------------------------


def read(path: str | os.PathLike[str], *, positive: str | None = None) -> Data:
    """Read examples from a text file: a line for each, with its features first and its label last.

    Fields are separated by commas, or by tabs and blanks; a first line of names is welcome.

    Parameters
    ----------
    positive : str, optional
        The label that is +1, the one other label being −1. Without it, labels are −1 and +1.
    """
    text = Path(path).read_text(encoding="utf-8-sig")  # with or without a mark of the byte order
    lines = (line.replace('"', "").removeprefix("#").strip() for line in text.splitlines())  # "#": NumPy's savetxt
    rows = [re.split(r"\s*,\s*|\s+", line) for line in lines if line]
    has_names = bool(rows) and not any(isinstance(_entry(field), float) for field in rows[0][:-1])
    names = tuple(rows.pop(0)[:-1]) if has_names else ()
    if not rows:
        raise ValueError(f"{path} holds no examples.")
    try:
        y = _signs([row[-1] for row in rows], positive)
        points, labels = _validation.check_data([[_entry(field) for field in row[:-1]] for row in rows], y)
        return Data(points, labels, names, about=f"read from {path}")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _entry(field: str) -> float | str:
    """The number that a field holds, or else its text."""
    try:
        return float(field)
    except ValueError:
        return field


def _signs(labels: list[str], positive: str | None) -> list[Any]:
    """The labels as −1 and +1."""
    kinds = list(dict.fromkeys(labels))
    if positive is None and {_entry(kind) for kind in kinds} <= {-1.0, 1.0}:
        return [_entry(label) for label in labels]
    if positive not in kinds or len(kinds) > 2:
        listing = _format.listing([repr(kind) for kind in kinds])
        raise ValueError(f'the labels are {listing}; of two labels, say which one is +1: read(path, positive="…").')
    return [1 if label == positive else -1 for label in labels]

"""Three explorers: a perceptron to move by hand, the margin and the lines of the proof, Pocket and noise.

They work in the page. Python sends the points of each data set that an explorer offers, and what the page cannot work
out about them: the maximum-margin w_f for each margin, the best line for each number of flipped labels.
"""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from plahelpers import _format
from plahelpers._validation import check_count, check_number, check_weights
from plahelpers.datasets import Data, separable
from plahelpers.geometry import Box, box_around
from plahelpers.guarantee import best_line, separate
from plahelpers.hypothesis import mistakes, scores
from plahelpers.widgets.page import Page, Spec, check_examples, classes, points_of, rounded, specification
from plahelpers.widgets.player import NAMES

_SETS: Final = 6  # data sets that an explorer offers: those of a seed and of the next ones

# --- the hypothesis ---------------------------------------------------------------------------------------------------

_MOST_POINTS: Final = 2000  # more than can be told apart
_STEEPEST: Final = 5.0  # w₁ and w₂ go from minus this to this


def hypothesis_explorer(
    X: ArrayLike | None = None, y: ArrayLike | None = None, *, w: ArrayLike = (0.0, 1.0, 1.0)
) -> Page:
    """Move a perceptron's line, by sliders for w₀, w₁, w₂ or by dragging it, and see which points it gets wrong.

    X and y are examples in the plane, those of the running example if not given, and w is where to begin.
    """
    points, labels = check_examples(X, y, "the hypothesis explorer", _MOST_POINTS)
    weights, box = check_weights(w, 2), box_around(points)
    far = 2 * float(np.hypot(*box.corners.T).max())
    ends = zip((far, _STEEPEST, _STEEPEST), np.abs(weights).tolist(), strict=True)  # w may begin beyond them
    data = {**points_of(points, labels), "largest": [_rounded_up(max(pair)) for pair in ends]}
    look = {"names": NAMES, "box": box._asdict(), "start": {"w": weights.tolist()}}
    wrong = len(mistakes(weights, points, labels))
    return Page(
        specification("hypothesis", ["explorer", "hypothesis"], **data, **look),
        f"A perceptron and {classes(labels)}: w = {_format.vector(weights)} gets {wrong} of them wrong.",
    )


def _rounded_up(value: float) -> float:
    """The next larger one of 1, 1.5, 2, 3, 5, 8, 10, 15, …"""
    unit = 10.0 ** math.floor(math.log10(value))
    return unit * next(step for step in (1, 1.5, 2, 3, 5, 8, 10) if step * unit >= value)


# --- the margin -------------------------------------------------------------------------------------------------------

# Points of [−1, 1]² are parted by this line, and nothing in the box is farther from it than _FARTHEST.
_TARGET: Final = np.array([-0.2, 0.8, 0.6])
_LENGTH: Final = float(np.linalg.norm(_TARGET))
_FARTHEST: Final = 1.7
# From here to there ρ of the target may go; from 0.01 on R²/ρ² is below PLA's budget of updates.
_LEAST_RHO, _MOST_RHO = 0.01, 0.5
_RHOS: Final = 48
_BUDGET: Final = 100_000
_MARGIN_BOX: Final = Box(-1.5, 1.5, -1.5, 1.5)


def points_with_margin(rho: float, N: int, seed: int) -> Data:
    """The same random points for every rho, each moved straight towards the target, or away, so that ρ is rho.

    The nearest point then has y wᵀx / ‖w‖ = rho for the weights w of the target, and the farther a point was, the less
    it moves.
    """
    rho = check_number(rho, "the margin ρ", _LEAST_RHO, _MOST_RHO)
    X, y = separable(check_count(N, "N", at_least=1), target=_TARGET, rng=check_count(seed, "seed"))
    normal = _TARGET[1:]  # of length 1, so that a score is a distance in the plane
    distance = y * scores(_TARGET, X)
    least, nearest = distance.min(), rho * _LENGTH
    wanted = nearest + (distance - least) * (_FARTHEST - nearest) / (_FARTHEST - least)
    moved = X + np.outer(y * (wanted - distance), normal)
    return Data(moved, y, target=_TARGET, about=f"points with margin {rho:g}")


def margin_explorer(*, rho: float = 0.1, N: int = 30, seed: int = 4) -> Page:
    """Shrink the margin, and see how many updates PLA makes, what the bound allows, and a line of the proof.

    The points are `points_with_margin(rho, N, seed)`; the slider goes on to the next five seeds. The margin rho of the
    target goes from 0.01 to 0.5.
    """
    rho = check_number(rho, "rho", _LEAST_RHO, _MOST_RHO)
    N, seed = check_count(N, "N", at_least=2), check_count(seed, "seed")
    rhos = sorted({rho, *np.geomspace(_LEAST_RHO, _MOST_RHO, _RHOS).round(4).tolist()})
    data = {
        "wF": _TARGET.tolist(),
        "length": _LENGTH,
        "farthest": _FARTHEST,
        "rhos": rhos,
        "sets": [_margin_set(N, seed + k, tuple(rhos)) for k in range(_SETS)],
        "maxUpdates": _BUDGET,
    }
    start = {"rho": rho, "set": 0, "target": "target", "line": 1}
    look = {"names": NAMES, "box": _MARGIN_BOX._asdict(), "start": start}
    return Page(
        specification("margin", ["explorer", "margin"], **data, **look),
        f"PLA on {_format.count(N, 'point')}, at first with the margin ρ = {rho:g} of the target.",
    )


@lru_cache(maxsize=16)
def _margin_set(N: int, seed: int, rhos: tuple[float, ...]) -> Spec:
    """The points before they are moved, and the maximum-margin w_f of each margin."""
    X, y = separable(N, target=_TARGET, rng=seed)
    best = [separate(*points_with_margin(rho, N, seed)).w_f for rho in rhos]  # there is one, as the target does it
    return {**points_of(X, y), "maximum": rounded(best)}


# --- Pocket and noise -------------------------------------------------------------------------------------------------

_POINTS: Final = 50
_MOST_NOISE: Final = 0.5  # where a label says nothing any more
_MOST_UPDATES: Final = 300
_SQUARE: Final = Box(-1.0, 1.0, -1.0, 1.0)
_POCKET_BOX: Final = Box(-1.1, 1.1, -1.1, 1.1)


def pocket_explorer(*, noise: float = 0.1, updates: int = 50, seed: int = 5) -> Page:
    """Choose noise and updates, and see Pocket's walk, its pocket and last w, both errors, and the best line there is.

    The points are `noisy(50, noise=noise, rng=seed)` and the run `pocket(X, y, max_updates=updates, rng=seed)`; a
    slider goes on to the next five seeds. The test error is exact: it comes from the share of [−1, 1]² on which w
    differs from the target, and from the noise.
    """
    noise = check_number(noise, "noise", 0, _MOST_NOISE)
    updates, seed = check_count(updates, "updates", at_most=_MOST_UPDATES), check_count(seed, "seed")
    data = {
        "sets": [_pocket_set(seed + k) for k in range(_SETS)],
        "mostUpdates": _MOST_UPDATES,
        "mostNoise": _MOST_NOISE,
        "square": _SQUARE._asdict(),
    }
    start = {"noise": noise, "updates": updates, "set": 0}
    look = {"names": NAMES, "box": _POCKET_BOX._asdict(), "start": start}
    return Page(
        specification("pocket", ["explorer", "pocket"], **data, **look),
        f"Pocket on {_POINTS} noisy points, at first with {noise:.0%} noise and {updates} updates at most.",
    )


@lru_cache(maxsize=16)
def _pocket_set(seed: int) -> Spec:
    """Points without noise, draws that flip labels and that pick mistakes, and the best line for each further flip."""
    generator = np.random.default_rng(seed)
    clean = separable(_POINTS, rng=generator)
    flips = generator.random(_POINTS)
    thresholds = np.sort(flips[flips < _MOST_NOISE])
    levels = [0.0, *np.nextafter(thresholds, 1.0)]  # the least noise that flips no label, one, two, …
    best = [best_line(clean.X, np.where(flips < level, -clean.y, clean.y)).w for level in levels]
    target, draws = rounded(clean.target), np.random.default_rng(seed).random(_MOST_UPDATES).tolist()
    return {**points_of(clean.X, clean.y), "flips": flips.tolist(), "wF": target, "draws": draws, "best": rounded(best)}

"""What a line is and what it can do: w as its normal, w scaled, the scores of examples, and the labellings it makes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.ticker import NullLocator
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray, check_points, check_weights
from plahelpers.geometry import Box, box_around
from plahelpers.guarantee import separate
from plahelpers.hypothesis import mistakes, scores as scores_of
from plahelpers.plots import base, plane

MOST_POINTS: Final = 4  # with more there are too many labellings for a picture
_COLUMNS: Final = 4
_HALF, _STEP = 10.0, 22.5  # half the side of the square of one labelling, and from one such square to the next


# ---- w and its line


@base.style()
def normal(w: Any, *, ax: Axes | None = None) -> Axes:
    """w as the normal of its line: the vector (w₁, w₂) at its true length, and the distance of the origin.

    Used in chapter 1, "Geometry".
    """
    weights = _check_line(w, "normal")
    ax = base.one_axes(ax, "normal", size=(5.8, 5.4))
    foot, length = _foot(weights), float(np.hypot(*weights[1:]))
    unit = weights[1:] / length
    half = max(1.25 * length, 3 * abs(weights[0]) / length)
    along = _away_from_words(unit)
    box = _square(foot + 0.4 * half * along, half)
    start = foot + 0.75 * half * along
    _draw_line_and_normal(ax, box, weights, start, ("h(x) = +1", "h(x) = −1"))
    away = unit if weights[0] > 0 else -unit  # from the line to the origin
    distance = _format.number(abs(weights[0]) / length)
    ax.plot(0, 0, marker="o", color=_theme.INK, zorder=base.POINTS)
    ax.plot(*base.positions(np.vstack([np.zeros(2), foot])), linestyle=":", color=_theme.INK, zorder=base.LINES)
    _write_beside(ax, np.zeros(2), away * half, f"origin\n|w₀| / ℓ = {distance}", fontsize=base.SMALL)
    _write_beside(ax, start + 0.6 * weights[1:], -along * half, "(w₁, w₂)", weight="bold")
    _write_beside(ax, foot - 0.35 * half * along, -away * half, "wᵀx = 0")
    ax.set(xlabel="x₁", ylabel="x₂")
    base.describe(
        [ax],
        f"The line of w = {_format.vector(weights)}. The vector (w₁, w₂) = {_format.vector(weights[1:])} is at right "
        f"angles to the line and points to the + side. The origin is at the distance {distance} from the line.",
    )
    return ax


@base.style()
def multiples(w: Any, factors: Sequence[float] = (1, 2, -1), *, axes: Any = None) -> base.AxesArray:
    """What a factor does to w: the line stays; a negative factor turns the normal around and exchanges the sides.

    Used in chapter 1, "Geometry".
    """
    weights, count = _check_line(w, "multiples"), len(factors)
    panels = base.many_axes(axes, count, "multiples", 1, count, (7.0, 2.9))
    foot, reach = _foot(weights), 1.1 * np.abs(factors).max() * np.hypot(*weights[1:])
    for ax, factor in zip(panels.flat, factors, strict=False):
        _draw_line_and_normal(ax, _square(foot, reach), _check_line(factor * weights, "multiples"), foot, ("+1", "−1"))
        ax.set_title(_product(factor))
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(NullLocator())
    names, turned = (", ".join(map(_product, some)) for some in (factors, [c for c in factors if c < 0]))
    sides = f" For {turned} the sides are exchanged." if turned else ""
    base.describe(
        panels.flat[:count],
        f"The line of w = {_format.vector(weights)} and its normal, for {names}: the line is the same, and the arrow "
        f"is as long as the factor says.{sides}",
    )
    return panels


def _product(factor: float) -> str:
    """The name of c·w: w, 2w, −w."""
    number = "" if factor == 1 else "-" if factor == -1 else _format.number(factor)
    return f"{number}w".replace("-", "−")


def _check_line(w: Any, name: str) -> FloatArray:
    weights = base.as_weights(w)
    base.refuse_unless_plane(len(weights) - 1, name)
    if not weights[1:].any():
        raise ValueError(f"plots.{name} draws a line, and w = {_format.vector(weights)} has none: w₁ and w₂ are 0.")
    return weights


def _foot(w: FloatArray) -> FloatArray:
    """The point of the line that is nearest to the origin."""
    return np.asarray(-w[0] * w[1:] / (w[1:] @ w[1:]))


def _square(middle: FloatArray, half: float) -> Box:
    x, y = map(float, middle)
    return Box(x - half, x + half, y - half, y + half)


def _away_from_words(unit: FloatArray) -> FloatArray:
    """The direction along the line that leads away from the corner in which the + side is named."""
    along = np.array([-unit[1], unit[0]])
    return along if along @ _corner(unit) <= 0 else -along


def _corner(unit: FloatArray) -> FloatArray:
    """The corner of a square that is farthest in this direction, seen from its middle."""
    return np.where(unit >= 0, 1.0, -1.0)


def _write_beside(ax: Axes, place: FloatArray, shift: FloatArray, words: str, **look: Any) -> None:
    """Write beside a place: words are wide, so a shift to the side is larger than one up or down."""
    base.write(ax, place + shift * (0.12 + 0.26 * abs(shift[0]) / np.hypot(*shift)), words, **look)


def _draw_line_and_normal(ax: Axes, box: Box, w: FloatArray, start: FloatArray, answers: tuple[str, str]) -> None:
    """The line, the arrow (w₁, w₂) from a point of it, the sign of a right angle, and the answer on either side."""
    base.set_box(ax, box)
    plane.draw_boundary(ax, box, w)
    unit = w[1:] / np.hypot(*w[1:])
    along, side = np.array([-unit[1], unit[0]]), 0.05 * box.spans[0]
    base.arrow(ax, start, start + w[1:], _theme.INK, 1.4 * _theme.LINE_WIDTH, zorder=base.WORDS, mutation_scale=24)
    corner = start + side * np.array([unit, unit + along, along])
    ax.plot(*base.positions(corner), color=_theme.INK, linewidth=1.5, zorder=base.LINES)
    for sense, words, color in zip((1, -1), answers, (_theme.PLUS, _theme.MINUS), strict=True):
        middle = box.corners.mean(axis=0)
        corner = middle + 0.72 * sense * _corner(unit) * box.spans[0] / 2
        base.write(ax, corner, words, color=color, weight="bold")


# ---- Scores


@base.style()
def scores(
    w: Any, X: Any, y: ArrayLike | None = None, *, index: Sequence[int] | None = None, ax: Axes | None = None
) -> Axes:
    """The scores wᵀx on one axis, for any d: the answer is their sign. The labels +1 are above, −1 below.

    Used in chapter 1, "A weighted sum against a threshold".

    Parameters
    ----------
    index : sequence of int, optional
        A number for each example, to be written beside it.
    """
    table, labels, _ = base.as_data(X, y)
    weights = check_weights(base.as_weights(w), table.shape[1])
    ax = base.one_axes(ax, "scores", size=(7.0, 3.0))
    places = np.column_stack([scores_of(weights, table), labels])
    wrong = mistakes(weights, table, labels)
    reach = 1.12 * np.abs(places[:, 0]).max() or 1.0
    plane.draw_boundary(ax, Box(-reach, reach, -2.0, 2.0), np.array([0.0, 1.0, 0.0]), label="score 0")
    plane.draw_points(ax, places, labels)
    plane.draw_rings(ax, places[wrong])
    plane.name_points(ax, places, index, shift=(0, 1.8 * _theme.MARK_SIZE))
    for across, side, words, color in ((0.97, "right", "+1", _theme.PLUS), (0.03, "left", "−1", _theme.MINUS)):
        look: dict[str, Any] = {"ha": side, "color": color, "weight": "bold"}
        base.write(ax, (across, 0.5), f"h(x) = {words}", transform=ax.transAxes, **look)
    ax.set_yticks((-1, 1), ("y = −1", "y = +1"))
    ax.set(xlim=(-reach, reach), ylim=(-2, 2), xlabel="score wᵀx", title=f"{len(wrong)} of {len(labels)} wrong")
    low, high = (_format.number(value) for value in (places[:, 0].min(), places[:, 0].max()))
    base.describe(
        [ax],
        f"The scores of {_format.count(len(labels), 'example')}, from {low} to {high}: the answer is +1 above 0. "
        f"{_format.count(len(wrong), 'mistake')}.",
    )
    return ax


# ---- Labellings


@base.style()
def labellings(X: Any, *, ax: Axes | None = None) -> Axes:
    """Every labelling of a few points, each with a line that makes it, or with the words that none does.

    Used in chapter 1, "How many different lines?".
    """
    points = check_points(X)
    base.refuse_unless_plane(points.shape[1], "labellings")
    if len(points) > MOST_POINTS:
        raise ValueError(f"plots.labellings draws all labellings of at most {MOST_POINTS} points, not {len(points)}.")
    ways = list(product((-1, 1), repeat=len(points)))
    columns = min(_COLUMNS, len(ways))
    rows = len(ways) // columns
    ax = base.one_axes(ax, "labellings", size=(5.8, 5.8 * rows / columns + 0.4))
    around = box_around(points)
    placed = 1.35 * _HALF * ((points - [around.left, around.bottom]) / around.spans - 0.5)
    middles = [_STEP * np.array([k % columns, rows - 1 - k // columns]) for k in range(len(ways))]
    pairs = zip(ways, middles, strict=True)
    impossible = [way for way, middle in pairs if not _draw_labelling(ax, placed, np.array(way), middle)]
    edge = _STEP / 2
    ax.set(xlim=(-edge, _STEP * columns - edge), ylim=(-edge, _STEP * rows - edge), aspect="equal")
    ax.axis("off")
    made = len(ways) - len(impossible)
    ax.set_title(f"a line makes {made} of the {len(ways)} labellings")
    but = f", but not {' and '.join(map(_signs, impossible))}" if impossible else ""
    base.describe([ax], f"The {len(ways)} labellings of {len(points)} points: a line makes {made} of them{but}.")
    return ax


def _draw_labelling(ax: Axes, points: FloatArray, labels: IntArray, middle: FloatArray) -> bool:
    """One labelling in a square of its own, with a line that makes it: is there one?"""
    w = separate(points, labels).w_f
    cell, color = _square(middle, _HALF), _theme.MISTAKE if w is None else _theme.FAINT
    frame: dict[str, Any] = {"edgecolor": color, "linewidth": _theme.LINE_WIDTH * (1.5 if w is None else 0.5)}
    ax.add_patch(Polygon(cell.corners, facecolor=_theme.LOOK["impossible"][0], zorder=base.REGIONS, **frame))
    plane.draw_points(ax, points + middle, labels)
    if w is None:
        height = cell.bottom + plane.free_height(points + middle, cell) * cell.spans[1]
        base.write(ax, (middle[0], height), "no line", color=color, weight="bold")
        return False
    plane.draw_boundary(ax, cell, np.array([w[0] - w[1:] @ middle, *w[1:]]))
    return True


def _signs(labels: Sequence[int]) -> str:
    """(+, −, −, +)"""
    return f"({', '.join('+' if label > 0 else '−' for label in labels)})"

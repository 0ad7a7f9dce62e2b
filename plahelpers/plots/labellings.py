"""Every labelling of a few points, and which of them a line makes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from plahelpers import _theme
from plahelpers._validation import FloatArray, IntArray, check_points
from plahelpers.geometry import box_around
from plahelpers.guarantee import separate
from plahelpers.plots import base, plane

MOST_POINTS: Final = 4  # with more there are too many labellings for a picture
_COLUMNS: Final = 4
_HALF, _STEP = 10.0, 22.5  # half the side of the square of one labelling, and from one such square to the next


@base.style()
def labellings(X: Any, *, ax: Axes | None = None) -> Axes:
    """Every labelling of a few points, each with a line that makes it, or with the words that none does.

    Used in chapter 1, "Further: How many different lines?".
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
    base.describe(ax, f"The {len(ways)} labellings of {len(points)} points: a line makes {made} of them{but}.")
    return ax


def _draw_labelling(ax: Axes, points: FloatArray, labels: IntArray, middle: FloatArray) -> bool:
    """One labelling in a square of its own, with a line that makes it: is there one?"""
    w = separate(points, labels).w_f
    cell, color = base.square(middle, _HALF), _theme.MISTAKE if w is None else _theme.FAINT
    frame: dict[str, Any] = {"edgecolor": color, "linewidth": _theme.LINE_WIDTH * (1.5 if w is None else 0.5)}
    ax.add_patch(Polygon(cell.corners, facecolor=_theme.IMPOSSIBLE, zorder=base.REGIONS, **frame))
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

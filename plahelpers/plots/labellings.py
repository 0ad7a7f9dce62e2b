"""Every labelling of a few points, and which of them a line makes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from plahelpers import _theme
from plahelpers._validation import FloatArray, check_points
from plahelpers.geometry import Box
from plahelpers.guarantee import separate
from plahelpers.plots import base, plane

MOST_POINTS: Final = 4  # with more there are too many labellings for a picture


@base.style()
def labellings(X: Any) -> NDArray[Any]:
    """Every labelling of a few points, each with a line that makes it, or with the words that none does.

    Used in chapter 1, "Further: How many different lines?".
    """
    points = check_points(X)
    base.refuse_unless_plane(points.shape[1], "labellings")
    if len(points) > MOST_POINTS:
        raise ValueError(f"plots.labellings draws all labellings of at most {MOST_POINTS} points, not {len(points)}.")
    ways = list(product((-1, 1), repeat=len(points)))
    panels = base.panels(len(ways), 4, 1.4)
    box = base.square_around(points, 0.75)
    drawn = zip(panels.flat, ways, strict=False)
    impossible = [way for ax, way in drawn if not _draw_labelling(ax, points, way, box)]
    made = len(ways) - len(impossible)
    but = f", but not {' and '.join(map(_signs, impossible))}" if impossible else ""
    words = f"The {len(ways)} labellings of {len(points)} points: a line makes {made} of them{but}."
    base.describe(panels[0, 0], words)
    return panels


def _draw_labelling(ax: Axes, points: FloatArray, way: Sequence[int], box: Box) -> bool:
    """One labelling, with a line that makes it: is there one?"""
    labels = np.array(way)
    w = separate(points, labels).w_f
    base.set_box(ax, box)
    plane.draw_points(ax, points, labels)
    if w is None:
        ax.set_facecolor(_theme.IMPOSSIBLE)
        base.write(ax, points.mean(axis=0), "no line", weight="bold")
        return False
    plane.draw_boundary(ax, box, w)
    return True


def _signs(labels: Sequence[int]) -> str:
    """(+, −, −, +)"""
    return f"({', '.join('+' if label > 0 else '−' for label in labels)})"

"""A run that goes round for ever, as a ring of pictures."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import ConnectionPatch

from plahelpers import _format, _theme
from plahelpers.geometry import box_around
from plahelpers.learning import Run
from plahelpers.plots import base
from plahelpers.plots.plane import draw_hypothesis, with_margin

_ROUND = 4  # updates


@base.style()
def cycle(run: Run, *, axes: Any = None) -> base.AxesArray:
    """A run that is back at its start after four updates, and so goes round for ever: its four w_t in a ring.

    The double ring is the example that is corrected next. Axes of your own are taken in the order of the hands of a
    clock. Used in chapter 4, "PLA never halts".
    """
    base.check_run(run, "cycle")
    base.refuse_unless_plane(run.d, "cycle")
    if run.updates < 2 * _ROUND or not _repeats(run):
        raise ValueError(
            f"plots.cycle draws a run that repeats its first {_ROUND} updates, and needs {2 * _ROUND} of them to see "
            f"it; this one made {_format.count(run.updates, 'update')}. plots.steps(run) draws any run in the plane."
        )
    panels = base.many_axes(axes, _ROUND, "cycle", 2, 2, (6.0, 6.2))
    clockwise = list(panels.flat) if axes is not None else _as_a_ring(panels)
    for t, ax in enumerate(clockwise[:_ROUND]):
        _draw_corner(ax, run, t)
        name = ax.set_title if t < _ROUND / 2 else ax.set_xlabel  # above or below the ring, where no arrow goes
        name(f"t = {t}, {t + _ROUND}, {t + 2 * _ROUND}, …\nw = {_format.vector(run.weights[t])}")
    for ax, following in pairwise([*clockwise[:_ROUND], clockwise[0]]):
        _draw_way(ax, following)
    each = "; ".join(f"w = {_format.vector(run.weights[t])}, example {run.picks[t]}" for t in range(_ROUND))
    base.describe(panels.flat, f"A walk that goes round. Each w, and the example corrected next: {each}; and again.")
    return panels


def _draw_corner(ax: Axes, run: Run, t: int) -> None:
    look: dict[str, Any] = {"sign_of_zero": run.sign_of_zero, "pick": int(run.picks[t]), "title": ""}
    roomy = with_margin(with_margin(box_around(run.X)))  # for two rings around a corner, and words between
    draw_hypothesis(ax, roomy, run.weights[t], run.X, run.y, **look)
    ax.set(xticks=[], yticks=[])


def _as_a_ring(panels: base.AxesArray) -> list[Axes]:
    """Four panels of our own figure in the order of the hands of a clock, with room between them for arrows."""
    panels[0, 0].figure.get_layout_engine().set(hspace=0.14, wspace=0.08)
    return [panels[0, 0], panels[0, 1], panels[1, 1], panels[1, 0]]


def _repeats(run: Run) -> bool:
    """Are w and the picks of the first round those of the second?"""
    weights, picks = run.weights, run.picks
    same_w = np.array_equal(weights[:_ROUND], weights[_ROUND : 2 * _ROUND])
    return same_w and np.array_equal(picks[:_ROUND], picks[_ROUND : 2 * _ROUND])


def _draw_way(start: Axes, end: Axes) -> None:
    """Draw an arrow from one panel to the facing side of another."""
    towards = np.array(end.get_position().p0) - start.get_position().p0
    side = np.sign(towards) * (np.abs(towards) == np.abs(towards).max()) / 2
    ends: dict[str, Any] = {"xyA": 0.5 + side, "xyB": 0.5 - side, "axesA": start, "axesB": end}
    gaps: dict[str, Any] = {"shrinkA": 3, "shrinkB": 3, "coordsA": "axes fraction", "coordsB": "axes fraction"}
    look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 30, "color": _theme.MISTAKE}
    way = ConnectionPatch(**ends, **gaps, **look, linewidth=_theme.LINE_WIDTH)
    way.set_in_layout(False)
    start.figure.add_artist(way)

"""Weight space: each w is a point, each example a half-plane of the w that get it right, and a run is a walk."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from plahelpers import _format, _theme
from plahelpers.geometry import Box, line_in_box
from plahelpers.learning import Run
from plahelpers.plots import base

# The darker, the more mistakes; where there are none it is white.
_SHADES = ListedColormap([str(0.86 - 0.42 * k / 254) for k in range(255)]).with_extremes(under="white")
_PIXELS = 240


@base.style()
def weight_space(run: Run, *, ax: Axes | None = None) -> Axes:
    """Weight space for one feature (d = 1), the plane of w₀ and w₁: how many mistakes each w makes, and PLA's walk.

    The darker, the more mistakes; white is where none are left. Used in chapter 2, "Further: Weight space".
    """
    base.check_run(run, "weight_space")
    if run.d != 1:
        raise ValueError(
            f"plots.weight_space draws the plane of w₀ and w₁, so it needs d = 1 feature; this run has d = {run.d}. "
            "plots.errors(run) and plots.update(run, t) fit every d."
        )
    ax = base.one_axes(ax, "weight_space", (5.6, 5.4))
    box = base.square_around([np.zeros(2), *run.weights], 0.7)  # the origin is where all boundaries meet
    _draw_half_planes(ax, box, run)
    _draw_walk(ax, run)
    base.set_box(ax, box)
    ax.set(xlabel="$w_0$", ylabel="$w_1$")
    base.describe(ax, _walk_in_words(run))
    return ax


def _draw_half_planes(ax: Axes, box: Box, run: Run) -> None:
    """Shade each w by its number of mistakes, and draw for each example the line w₀ + w₁x = 0 through the origin."""
    middles = (np.arange(_PIXELS) + 0.5) / _PIXELS
    w0, w1 = np.meshgrid(box.left + box.spans[0] * middles, box.bottom + box.spans[1] * middles)
    counts = np.zeros((_PIXELS, _PIXELS))
    for x, y in zip(run.X[:, 0], run.y, strict=True):
        counts += y * (w0 + w1 * x) <= 0
        ends = line_in_box(np.array([0.0, 1.0, x]), box)
        ax.plot(*base.positions(ends), color=_theme.FAINT, linewidth=0.7, zorder=base.LINES)
    shades: dict[str, Any] = {"cmap": _SHADES, "vmin": 0.5, "vmax": max(float(run.N), 1.5), "zorder": base.REGIONS}
    ax.imshow(counts, origin="lower", extent=box, interpolation="nearest", **shades)


def _draw_walk(ax: Axes, run: Run) -> None:
    """Draw the walk, and name where it starts and where it ends."""
    ends: dict[str, Any] = {"color": _theme.W, "zorder": base.WORDS}
    ax.plot(*base.positions(run.weights), color=_theme.W, zorder=base.POINTS, marker="o", markersize=5)
    for t, mark, size, away in ((0, "s", 10, (-24, -14)), (run.updates, "*", 18, (-28, 7))):
        ax.plot(*base.positions(run.weights[t]), marker=mark, markersize=size, **ends)
        base.write(ax, run.weights[t], base.symbol(t), away, **ends)


def _walk_in_words(run: Run) -> str:
    clean, T = np.flatnonzero(run.errors == 0), run.updates
    reached = f"reaches the region without mistakes at update {clean[0]}" if len(clean) else ""
    return (
        f"Weight space, the plane of w's two entries: {run.N} half-planes, one for each example, and the walk of "
        f"{run.algorithm}; in {_format.count(T, 'update')} it {reached or 'never meets a w without mistakes'}."
    )

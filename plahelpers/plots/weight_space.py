"""Weight space: each w is a point, each example a half-plane of the w that get it right, and a run is a walk."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plahelpers import _format, _theme
from plahelpers._validation import check_count
from plahelpers.geometry import Box, line_in_box
from plahelpers.learning import Run
from plahelpers.plots import base

# The darker, the more mistakes; no mistakes at all are green, and lighter than any of them.
_NO_MISTAKES = "#DDF7DF"
_SHADES = ListedColormap([str(0.86 - 0.42 * k / 254) for k in range(255)]).with_extremes(under=_NO_MISTAKES)
_PIXELS = 240


@base.style()
def weight_space(run: Run, *, t: int | None = None, ax: Axes | None = None) -> Axes:
    """Weight space for one feature (d = 1), the plane of w₀ and w₁: how many mistakes each w makes, and PLA's walk.

    The darker, the more mistakes; green is where none are left. With t, the walk goes only up to w_t; with t=0, each
    example has an arrow y·x to its good side. Used in chapter 2, "Further: Weight space".
    """
    base.check_run(run, "weight_space")
    if run.d != 1:
        raise ValueError(
            f"plots.weight_space draws the plane of w₀ and w₁, so it needs d = 1 feature; this run has d = {run.d}. "
            "plots.errors(run) and plots.update(run, t) fit every d."
        )
    t = run.updates if t is None else check_count(t, "t")
    if t > run.updates:
        raise ValueError(f"this run ended with w_{run.updates}: t must be at most {run.updates}, not {t}.")
    own, ax = ax is None, base.one_axes(ax, "weight_space", base.CHART)
    box = base.square_around([np.zeros(2), *run.weights], 0.65)  # the origin is where all boundaries meet
    _draw_half_planes(ax, box, run)
    named: list[Any] = [Patch(facecolor=_NO_MISTAKES, edgecolor=_theme.FAINT, label="no mistakes\n(darker: more)")]
    if t == 0:
        named.append(_draw_good_sides(ax, box, run))
    _draw_walk(ax, run, t)
    base.set_box(ax, box)
    ax.set(xlabel="w₀", ylabel="w₁", title=f"{base.symbol(t)}: {run.errors[t]} of {run.N} wrong")
    base.describe(ax, _walk_in_words(run, t))
    if own:
        base.legend(ax, *named)
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


def _draw_good_sides(ax: Axes, box: Box, run: Run) -> Line2D:
    """Draw for each example the direction of y·x, from its boundary wᵀx = 0; what the arrows are, for the legend."""
    for n, (x, y) in enumerate(zip(np.column_stack([np.ones(run.N), run.X]), run.y, strict=True)):
        ends = line_in_box(np.append(0.0, x), box)
        far = ends[np.hypot(*ends.T).argmax()]
        start = (0.9 - 0.5 * n / run.N) * far  # each at another distance, since neighbours may point at each other
        base.arrow(ax, start, start + 0.07 * box.spans[0] * y * x / np.hypot(*x), _theme.INK)
    look: dict[str, Any] = {"marker": ">", "linestyle": "none", "color": _theme.INK}
    return Line2D([], [], label="y·x, to the good side", **look)


def _draw_walk(ax: Axes, run: Run, t: int) -> None:
    """Draw the start, and the walk from there to w_t."""
    ends: dict[str, Any] = {"color": _theme.INK, "zorder": base.WORDS, "linestyle": "none"}
    if t:
        walk: dict[str, Any] = {"color": _theme.MISTAKE, "zorder": base.POINTS, "marker": "o", "markersize": 5}
        ax.plot(*base.positions(run.weights[: t + 1]), label="walk of $w_t$", **walk)
        ax.plot(*base.positions(run.weights[t]), marker="*", markersize=16, label=base.symbol(t), **ends)
    ax.plot(*base.positions(run.weights[0]), marker="s", label=base.symbol(0), **ends)


def _walk_in_words(run: Run, t: int) -> str:
    clean, wrong = np.flatnonzero(run.errors == 0), _format.count(int(run.errors[t]), "mistake")
    reached = f"reaches the region without mistakes at update {clean[0]}" if len(clean) else ""
    walk = f"the walk of {run.algorithm} from its start to w_{t}" if t else "the start"
    return (
        f"Weight space, the plane of w's two entries: {run.N} half-planes, one for each example, and {walk}, which "
        f"makes {wrong}; in {_format.count(run.updates, 'update')} {run.algorithm} "
        f"{reached or 'never meets a w without mistakes'}."
    )

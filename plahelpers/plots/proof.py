"""The steps y·x of the convergence proof for d = 1, in their plane, with the margin as a distance."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray
from plahelpers.guarantee import separate
from plahelpers.hypothesis import with_bias
from plahelpers.learning import Run
from plahelpers.plots import base


@base.style()
def hull(run: Run, *, ax: Axes | None = None) -> Axes:
    """For one feature (d = 1): the y·x in the plane, their convex hull, and its point nearest to the origin.

    That point gives the direction of the maximum-margin w_f, and its distance from the origin is ρ. All y·x lie beyond
    the dotted line, so every update gains at least ρ‖w_f‖.
    """
    if base.check_run(run, "hull").d != 1:
        raise ValueError(
            f"plots.hull draws the y·x of examples with one feature; this run has d = {run.d}. "
            "widgets.proof_stage(run) fits every d."
        )
    answer = separate(run.X, run.y)
    if answer.w_f is None or answer.rho is None:
        raise ValueError(f"there is no margin to draw: {answer!r}")
    ax = base.one_axes(ax, "hull", (4.8, 4.6))
    steps = run.y[:, np.newaxis] * with_bias(run.X)
    box = base.square_around(np.vstack([np.zeros(2), steps, answer.w_f]), 0.62)
    _draw_steps(ax, steps, run)
    _draw_margin(ax, answer.w_f, answer.rho, max(box.spans))
    base.set_box(ax, box)
    ax.set(xlabel="$y\\,x_0$", ylabel="$y\\,x_1$")
    nearest = f"{_format.vector(answer.rho * answer.w_f)}, at distance ρ = {_format.number(answer.rho)}"
    base.describe(
        ax,
        f"The y·x of {_format.count(run.N, 'example')} with one feature, in the plane of y·x₀ and y·x₁. The point of "
        f"their convex hull nearest to the origin is {nearest}; the maximum-margin w_f points to it.",
    )
    base.legend(ax)
    return ax


def _draw_steps(ax: Axes, steps: FloatArray, run: Run) -> None:
    """Draw the y·x and their hull: they stand on two lines, y·x₀ = 1 and y·x₀ = −1."""
    upwards, downwards = (sorted(steps[run.y == label, 1]) for label in (1, -1))
    corners = [(1.0, value) for value in upwards] + [(-1.0, value) for value in reversed(downwards)]
    look: dict[str, Any] = {"facecolor": _theme.IMPOSSIBLE, "edgecolor": _theme.FAINT, "zorder": base.REGIONS}
    ax.add_patch(Polygon(corners, label="convex hull", **look))
    for label, mark, color in ((1, "o", _theme.PLUS), (-1, "x", _theme.MINUS)):
        named = f"$y = {label:+d}$"
        shape: dict[str, Any] = {"marker": mark, "markeredgewidth": 2.5, "linestyle": "none", "zorder": base.POINTS}
        ax.plot(*base.positions(steps[run.y == label]), color=color, label=named, **shape)


def _draw_margin(ax: Axes, w_f: FloatArray, rho: float, span: float) -> None:
    """Draw w_f, the nearest point of the hull in its direction, and the line that no y·x passes."""
    nearest, across = rho * w_f, 2 * span * np.array([-w_f[1], w_f[0]])
    base.arrow(ax, (0, 0), w_f, _theme.INK)
    base.name_tip(ax, w_f, 0.07 * span, "$w_f$", _theme.INK)
    lines = (([nearest - across, nearest + across], ":", 1), ([np.zeros(2), nearest], "-", 2))
    for places, dash, width in lines:
        look: dict[str, Any] = {"linestyle": dash, "linewidth": width * _theme.LINE_WIDTH, "zorder": base.LINES}
        ax.plot(*base.positions(places), color=_theme.BOUND, **look)
    beside = (16 * w_f[1], -16 * w_f[0])  # in points; w_f has length 1
    base.write(ax, nearest / 2, f"$\\rho = {_format.number(rho)}$", beside, color=_theme.BOUND, ha="left")
    point = base.positions(nearest)
    ax.plot(*point, marker="D", color=_theme.BOUND, linestyle="none", zorder=base.WORDS, label="nearest point")

"""The convergence proof as pictures: its curves along a run of any d, and its plane for d = 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, check_choice
from plahelpers.geometry import Box
from plahelpers.guarantee import ProofTrace, separate
from plahelpers.learning import Run
from plahelpers.plots import base


@base.style()
def proof(trace: ProofTrace, *, of: str = "race", ax: Axes | None = None) -> Axes:
    """The convergence proof, measured along a run: one of its quantities against its bound, or the race of both.

    `of` is "race", or "inner" for w_fᵀw_t, "norm_squared" for ‖w_t‖², "cosine" for the cosine of their angle. What is
    shaded is impossible. In the race, the part of w_t along w_f is at least ρt and w_t itself at most R√t long: a part
    is not longer than the whole, so PLA halts before the two have met, at t = R²/ρ², or there.
    Used first in chapter 3, "How much does an update gain?".
    """
    if not isinstance(trace, ProofTrace):
        raise TypeError(f"plots.proof draws a proof trace: give proof_trace(run, w_f), not {trace!r:.60}.")
    check_choice(of, "of", ("race", *_QUANTITIES))
    if of == "race" and not _from_zero(trace):
        wanted = 'of="cosine" fits every run'
        raise ValueError(f"the race has the bounds ρt and R√t, from the start w = 0 with η = 1; {wanted}.")
    own, ax = ax is None, base.one_axes(ax, "proof")
    if of == "race":
        _draw_race(ax, trace)
    else:
        _draw_bounded(ax, trace, of)
        if own:
            base.legend(ax, loc="best")
    return ax


def _from_zero(trace: ProofTrace) -> bool:
    """Are the bounds the lecture's, from the start 0 with η = 1?"""
    lecture = trace.t * trace.rho * float(np.linalg.norm(trace.w_f))
    return bool(trace.norm_squared[0] == 0 and np.allclose(trace.inner_bound, lecture))


# For each quantity its name, the lecture's inequality, and on which side of its bound it stays.
_QUANTITIES = {
    "inner": ("w_f·w_t", r"w_f^\top w_t \geq", r"t\,\rho\,\Vert w_f\Vert", "never below"),
    "norm_squared": ("‖w_t‖²", r"\Vert w_t\Vert^2 \leq", r"t\,R^2", "never above"),
    "cosine": ("cos θ_t", r"\cos\,\theta_t \geq", r"\sqrt{t}\;\rho\,/\,R", "never below"),
}


def _draw_bounded(ax: Axes, trace: ProofTrace, of: str) -> None:
    """Draw the measured curve and its bound, and shade where the curve may not go."""
    values, bound = getattr(trace, of), getattr(trace, f"{of}_bound")
    name, left, right, side = _QUANTITIES[of]
    dots: dict[str, Any] = {"marker": "o", "markersize": 5 if trace.T <= 60 else 0}
    ax.plot(trace.t, values, color=_theme.PLUS, label="measured", **dots)
    ax.plot(trace.t, bound, color=_theme.INK, linestyle="--", label="bound")
    low, high = _range_of(of, values, bound)
    edge = low if side == "never below" else max(high, float(bound.max()))
    shade: dict[str, Any] = {"facecolor": _theme.IMPOSSIBLE, "zorder": base.REGIONS, "label": "impossible"}
    ax.add_patch(Polygon([*zip(trace.t, bound, strict=True), (trace.T, edge), (0, edge)], **shade))
    ax.set_xlabel("updates $t$")
    ax.set_ylim(low, high)
    ax.set_title(f"${left} {right}$" if _from_zero(trace) else f"${left}$ its bound")
    measured = [_format.number(value) for value in values if np.isfinite(value)]  # w = 0 has no angle
    along = f"{name} along the run: {_format.listing(measured, 12)}. It is {side} its bound."
    base.describe(ax, along if trace.T else "No update was made, so there is nothing to bound.")


def _range_of(of: str, values: FloatArray, bound: FloatArray) -> tuple[float, float]:
    """From just under the lowest to just over the highest value; of a far bound only what single updates show."""
    both = np.concatenate([values, bound])
    low, high = float(np.nanmin(both)), float(np.nanmax(both))
    room = 0.06 * (high - low) or 1.0
    top = {"inner": high + room, "norm_squared": min(high + room, 2 * float(values.max()) or 1.0), "cosine": 1.05}
    return min(low, 0.0) - (room if low < 0 else 0.0), top[of]


def _draw_race(ax: Axes, trace: ProofTrace) -> None:
    """Draw both bounds up to where they have met, and what was measured."""
    t = trace.bound * np.linspace(0, 1.5, 301)  # the bounds meet at one of these
    part, whole = trace.rho * t, trace.R * np.sqrt(t)
    for there, shade in ((slice(201), _theme.PLUS_REGION), (slice(200, None), _theme.IMPOSSIBLE)):
        ax.fill_between(t[there], part[there], whole[there], color=shade, zorder=base.REGIONS)
    ax.plot(t, whole, color=_theme.INK, label="R√t")
    ax.plot(t, part, color=_theme.POCKET, linestyle="--", label="ρt")
    _draw_measured_race(ax, trace)
    _draw_meeting(ax, trace.bound, trace.R**2 / trace.rho)
    ax.set(xlim=(0, t[-1]), ylim=(0, part[-1]), xlabel="updates t", ylabel="length")
    ax.set_title(f"T = {trace.T:,} ≤ R²/ρ² = {_format.number(trace.bound)}")
    base.describe(ax, _race_in_words(trace))


def _draw_measured_race(ax: Axes, trace: ProofTrace) -> None:
    """Draw the length of w_t and its part along w_f, as far as the run went."""
    part, whole = trace.inner / np.linalg.norm(trace.w_f), np.sqrt(trace.norm_squared)
    look: dict[str, Any] = {"linestyle": "none", "zorder": base.POINTS}
    ax.plot(trace.t, whole, marker="o", markersize=5, color=_theme.INK, label="whole, measured", **look)
    ax.plot(trace.t, part, marker="s", markersize=3, color=_theme.POCKET, label="part, measured", **look)
    look = {"ha": "left", "va": "top", "fontsize": base.SMALL}
    base.write(ax, (trace.T + 0.04 * trace.bound, part[-1]), f"T = {trace.T:,}", **look)


def _draw_meeting(ax: Axes, meet: float, height: float) -> None:
    """Mark where the bounds meet, and write each name beside what it names."""
    ax.plot([meet, meet], [0, height], color=_theme.MISTAKE, linestyle=":", zorder=base.LINES, label="R²/ρ²")
    ax.plot([meet], [height], marker="D", color=_theme.MISTAKE, zorder=base.WORDS)
    large: dict[str, Any] = {"fontsize": _theme.FONT_SIZE + 4}
    base.write(ax, (0.06 * meet, 0.85 * height), "whole ≤ R√t", ha="left", **large)
    base.write(ax, (0.52 * meet, 0.44 * height), "part ≥ ρt", ha="left", va="top", color=_theme.POCKET, **large)
    base.write(ax, (1.03 * meet, 0.1 * height), "t = R²/ρ²", ha="left", color=_theme.MISTAKE, **large)
    base.write(ax, (1.2 * meet, 1.32 * height), "impossible", ha="right", **large)


def _race_in_words(trace: ProofTrace) -> str:
    return (
        f"Two bounds over the updates t: the straight line ρt for the part of w_t along w_f, with ρ = "
        f"{_format.number(trace.rho)}, and the curve R√t for the length of w_t, with R = {_format.number(trace.R)}. "
        f"The line begins below the curve and meets it at t = R²/ρ² = {_format.number(trace.bound)}; beyond, the part "
        f"would be longer than the whole. The run's {_format.count(trace.T, 'update')} lie between the two."
    )


@base.style()
def hull(run: Run, t: int | None = None, *, ax: Axes | None = None) -> Axes:
    """For one feature (d = 1): the y·x in the plane, their convex hull, and its point nearest to the origin.

    That point gives the direction of the maximum-margin w_f, and its distance from the origin is ρ. All y·x lie beyond
    the dotted line, so every update gains at least ρ‖w_f‖. With t, the update from w_t to w_{t+1} is drawn too: at a
    mistake the angle between w_t and y·x is at least 90°. Used in chapter 3, "Which perfect w?".
    """
    if base.check_run(run, "hull").d != 1:
        raise ValueError(
            f"plots.hull draws the y·x of examples with one feature; this run has d = {run.d}. "
            "plots.proof(trace) fits every d."
        )
    t = None if t is None else base.check_update(run, t, "hull")
    answer = separate(run.X, run.y)
    if answer.w_f is None or answer.rho is None:
        raise ValueError(f"there is no margin to draw: {answer!r}")
    own, ax = ax is None, base.one_axes(ax, "hull")
    plane = _Hull(run, answer.w_f, answer.rho)
    walk = run.weights[:0] if t is None else run.weights[t : t + 2]
    box = base.square_around(np.vstack([np.zeros(2), *plane.corners, plane.w_f, plane.nearest, *walk]), 0.62)
    _draw_hull(ax, plane, box)
    if t is not None:
        _draw_update(ax, run, t, plane)
    base.set_box(ax, box)
    ax.set_xlabel("y·x₀")
    ax.set_ylabel("y·x₁")
    ax.set_title(f"ρ = {_format.number(plane.rho)}" + ("" if t is None else f", update {t + 1}"))
    base.describe(ax, _hull_in_words(plane, run, t))
    if own:
        base.legend(ax)
    return ax


class _Hull:
    """The y·x of examples with one feature: they stand on two lines, y·x₀ = 1 and y·x₀ = −1."""

    def __init__(self, run: Run, w_f: FloatArray, rho: float) -> None:
        self.Z = run.y[:, np.newaxis] * np.column_stack([np.ones(run.N), run.X])
        self.y, self.w_f, self.rho = run.y, w_f, rho
        self.nearest = rho * w_f
        right, left = (self.Z[run.y == label, 1] for label in (1, -1))
        corners = [(1.0, f(right)) for f in (np.min, np.max) if len(right)]
        corners += [(-1.0, f(left)) for f in (np.max, np.min) if len(left)]
        self.corners = np.array(corners)


def _draw_hull(ax: Axes, plane: _Hull, box: Box) -> None:
    """Draw the y·x, their hull, its nearest point, w_f through it, and the line that no y·x passes."""
    ax.axhline(0, color=_theme.FAINT, linewidth=0.8, zorder=base.REGIONS)
    ax.axvline(0, color=_theme.FAINT, linewidth=0.8, zorder=base.REGIONS)
    look: dict[str, Any] = {"facecolor": _theme.IMPOSSIBLE, "edgecolor": _theme.FAINT, "zorder": base.REGIONS}
    ax.add_patch(Polygon(plane.corners, closed=len(plane.corners) > 2, label="convex hull", **look))
    for label, mark, color in ((1, "o", _theme.PLUS), (-1, "x", _theme.MINUS)):
        named = f"y·x, y = {'+1' if label == 1 else '−1'}"
        shape: dict[str, Any] = {"marker": mark, "markeredgewidth": 2.5, "linestyle": "none", "zorder": base.POINTS}
        ax.plot(*base.positions(plane.Z[plane.y == label]), color=color, label=named, **shape)
    across = 2 * max(box.spans) * np.array([-plane.w_f[1], plane.w_f[0]])
    edge = base.positions([plane.nearest - across, plane.nearest + across])
    ax.plot(
        *edge, color=_theme.POCKET, linestyle=":", zorder=base.LINES, label="$w_f^\\top z = \\rho\\,\\Vert w_f\\Vert$"
    )
    base.arrow(ax, (0, 0), plane.w_f, _theme.POCKET)
    base.name_tip(ax, plane.w_f, 0.05 * max(box.spans), "$w_f$", _theme.POCKET)
    ends = base.positions([np.zeros(2), plane.nearest])
    ax.plot(*ends, color=_theme.POCKET, linewidth=2 * _theme.LINE_WIDTH, zorder=base.POINTS, label="ρ")
    point = base.positions(plane.nearest)
    ax.plot(*point, marker="D", color=_theme.POCKET, linestyle="none", zorder=base.WORDS, label="nearest point")


def _draw_update(ax: Axes, run: Run, t: int, plane: _Hull) -> None:
    """Draw w_t, the step, w_{t+1}, the angle of the step with w_t, and that of w_{t+1} with w_f."""
    w, after = run.weights[t], run.weights[t + 1]
    step = after - w
    reach = max(float(np.abs(run.weights[t : t + 2]).max()), 1.0)
    away = 0.12 * reach
    base.arrow(ax, (0, 0), step, _theme.MISTAKE, linestyle="--")
    base.arrow(ax, (0, 0), after, _theme.NEXT)
    base.name_tip(ax, step, away, "y·x", _theme.MISTAKE)
    base.name_tip(ax, after, away, base.symbol(t + 1), _theme.NEXT)
    if w.any():
        base.arrow(ax, (0, 0), w, _theme.INK)
        base.arrow(ax, w, after, _theme.MISTAKE)
        base.name_tip(ax, w, away, base.symbol(t), _theme.INK)
        base.angle(ax, w, step, 0.3 * reach, 0.8, _theme.MISTAKE)
    if after.any():
        base.angle(ax, after, plane.w_f, 0.55 * reach, 0.5, _theme.NEXT)


def _hull_in_words(plane: _Hull, run: Run, t: int | None) -> str:
    text = (
        f"The y·x of {_format.count(run.N, 'example')} with one feature, in the plane of y·x₀ and y·x₁. The point of "
        f"their convex hull nearest to the origin is {_format.vector(plane.nearest)}, at distance ρ = "
        f"{_format.number(plane.rho)}; the maximum-margin w_f points to it."
    )
    if t is None:
        return text
    start = _format.vector(run.weights[t])
    return (
        f"{text} Update {t + 1} adds y·x of example {run.picks[t]} to w = {start} and gives "
        f"{_format.vector(run.weights[t + 1])}."
    )

"""Pictures of what can be promised and of what happened: the proof's curves, its plane for d = 1, and many runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Polygon
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import LARGEST, FloatArray, as_floats, check_choice, check_count, check_number
from plahelpers.experiments import Experiment
from plahelpers.geometry import Box
from plahelpers.guarantee import ProofTrace, separate, update_bound
from plahelpers.learning import Run, pla
from plahelpers.plots.base import (
    LINES,
    POINTS,
    REGIONS,
    SMALL,
    WORDS,
    AxesArray,
    arrow,
    as_data,
    check_run,
    describe,
    legend,
    many_axes,
    one_axes,
    positions,
    set_box,
    set_updates_axis,
    style,
    sub,
    write,
)

_IMPOSSIBLE = "#E0E0E0"  # the shade beyond a bound


@style()
def proof(trace: ProofTrace, *, axes: Any = None) -> AxesArray:
    """The three lines of the convergence proof, measured along a run, against their bounds (the shade is forbidden).

    Used in chapter 3, "The proof, measured".
    """
    _check_trace(trace, "proof")
    panels = many_axes(axes, 3, "proof", 1, 3, (11.0, 4.4))
    draw_proof(list(panels.flat)[:3], trace)
    if axes is None:
        legend(panels.flat[0], loc="upper left")
        bound = _format.number(trace.bound)
        words = f"R²/ρ² = {bound}" if _from_zero(trace) else f"{bound}, the bound from this start"
        panels.flat[0].figure.suptitle(f"T = {trace.T} ≤ {words}", x=0.01, ha="left")
    return panels


def _check_trace(trace: Any, name: str) -> None:
    if not isinstance(trace, ProofTrace):
        raise TypeError(f"plots.{name} draws a proof trace: give proof_trace(run, w_f), not {trace!r:.60}.")


def draw_proof(axes: list[Axes], trace: ProofTrace) -> None:
    """Draw each measured curve with its bound on an Axes of its own, and shade where the curve may not go."""
    for ax, of in zip(axes, ("inner", "norm_squared", "cosine"), strict=True):
        _draw_bounded(ax, trace, _Bounded(trace, of))
    describe(axes, _proof_in_words(trace))


def _proof_in_words(trace: ProofTrace) -> str:
    if trace.T == 0:
        return "No update was made, so there is nothing to bound."
    return (
        f"The proof's three quantities stay within their bounds along {_format.count(trace.T, 'update')}. "
        f"At the end w_f·w_T = {_format.number(trace.inner[-1])} (bound "
        f"{_format.number(trace.inner_bound[-1])}), ‖w_T‖² = {_format.number(trace.norm_squared[-1])} (bound "
        f"{_format.number(trace.norm_squared_bound[-1])}), cos θ_T "
        f"= {trace.cosine[-1]:.3f} (bound {trace.cosine_bound[-1]:.3f}). T = {trace.T} ≤ "
        f"{_format.number(trace.bound)}."
    )


@style()
def bounded(trace: ProofTrace, *, of: str = "cosine", ax: Axes | None = None) -> Axes:
    """One quantity of the convergence proof along a run, against its bound (the shade is forbidden).

    Used first in chapter 3, "Where notes go wrong".

    Parameters
    ----------
    of : "inner", "norm_squared", "length" or "cosine"
        w_fᵀw_t, ‖w_t‖², ‖w_t‖, or the cosine of the angle between w_f and w_t.
    """
    _check_trace(trace, "bounded")
    quantity = _Bounded(trace, check_choice(of, "of", _FORMULAS))
    own, ax = ax is None, one_axes(ax, "bounded")
    _draw_bounded(ax, trace, quantity)
    describe([ax], quantity.in_words())
    if own:
        legend(ax, loc="best")
    return ax


# Each quantity and its bound; from another start than 0, or with η ≠ 1, the bounds are longer formulas.
_FORMULAS = {
    "inner": (r"w_f^\top w_t \geq", r"t\,\rho\,\Vert w_f\Vert"),
    "norm_squared": (r"\Vert w_t\Vert^2 \leq", r"t\,R^2"),
    "length": (r"\Vert w_t\Vert \leq", r"\sqrt{t}\,R"),
    "cosine": (r"\cos\,\theta_t \geq", r"\sqrt{t}\;\rho\,/\,R"),
}


class _Bounded:
    """A quantity of the proof along a run: its values, its bound, and the range in which both are drawn."""

    def __init__(self, trace: ProofTrace, of: str) -> None:
        stored = "norm_squared" if of == "length" else of
        self.values, self.bound = getattr(trace, stored), getattr(trace, f"{stored}_bound")
        if of == "length":
            self.values, self.bound = np.sqrt(self.values), np.sqrt(self.bound)
        self.name = {"inner": "w_f·w_t", "norm_squared": "‖w_t‖²", "length": "‖w_t‖", "cosine": "cos θ_t"}[of]
        self.from_above = of in ("norm_squared", "length")
        self.low, self.high = _range_of(self.values, self.bound, top=1.05 if of == "cosine" else None)
        if of == "length":  # its bound is far away, and what single updates do is worth seeing
            self.high = min(self.high, 2 * float(self.values.max()) or 1.0)
        self.edge = max(self.high, float(self.bound.max())) if self.from_above else self.low  # of the forbidden side
        left, right = _FORMULAS[of]
        self.title = f"${left} {right}$" if _from_zero(trace) else f"${left}$ its bound"

    def in_words(self) -> str:
        values = [_format.number(value) for value in self.values if np.isfinite(value)]  # w = 0 has no angle
        within = "never above" if self.from_above else "never below"
        return f"{self.name} along the run: {_format.listing(values, 12)}. It is {within} its bound."


def _draw_bounded(ax: Axes, trace: ProofTrace, quantity: _Bounded) -> None:
    """Draw the measured curve and its bound, and shade where the curve may not go."""
    dots: dict[str, Any] = {"marker": "o", "markersize": 5 if trace.T <= 60 else 0}
    ax.plot(trace.t, quantity.values, color=_theme.PLUS, label="measured", **dots)
    ax.plot(trace.t, quantity.bound, color=_theme.INK, linestyle="--", label="bound")
    outside = _beyond(trace.t, quantity.bound, quantity.edge)
    ax.add_patch(Polygon(outside, facecolor=_IMPOSSIBLE, zorder=REGIONS, label="impossible"))
    set_updates_axis(ax, trace.T)
    ax.set_ylim(quantity.low, quantity.high)
    ax.set_title(quantity.title)


def _from_zero(trace: ProofTrace) -> bool:
    """Are the bounds the lecture's, from the start 0 with η = 1?"""
    lecture = trace.t * trace.rho * float(np.linalg.norm(trace.w_f))
    return bool(trace.norm_squared[0] == 0 and np.allclose(trace.inner_bound, lecture))


def _range_of(values: FloatArray, bound: FloatArray, top: float | None) -> tuple[float, float]:
    """From just under the lowest to just over the highest value."""
    both = np.concatenate([values, bound])
    low, high = float(np.nanmin(both)), float(np.nanmax(both))
    room = 0.06 * (high - low) or 1.0
    return min(low, 0.0) - (room if low < 0 else 0.0), high + room if top is None else max(top, high)


def _beyond(t: Any, bound: FloatArray, edge: float) -> FloatArray:
    """The region between a bound and the edge of the picture that it keeps the curve away from."""
    return np.column_stack([np.concatenate([t, t[::-1]]), np.concatenate([bound, np.full(len(bound), edge)])])


@style()
def hull(run: Run, t: int | None = None, *, ax: Axes | None = None) -> Axes:
    """For one feature (d = 1): the y·x in the plane, their convex hull, and its point nearest to the origin.

    That point gives the direction of the maximum-margin w_f, and its distance from the origin is ρ. All y·x lie beyond
    the dotted line, so every update gains at least ρ‖w_f‖. With t, the update from w_t to w_{t+1} is drawn too: at a
    mistake the angle between w_t and y·x is at least 90°. Used in chapter 3, "Which perfect w?".
    """
    check_run(run, "hull")
    if run.d != 1:
        raise ValueError(
            f"plots.hull draws the y·x of examples with one feature; this run has d = {run.d}. "
            "plots.proof(trace) fits every d."
        )
    t = None if t is None else check_count(t, "t")
    if t is not None and t >= run.updates:
        raise ValueError(f"this run made {_format.count(run.updates, 'update')}: t must be below {run.updates}.")
    answer = separate(run.X, run.y)
    if answer.w_f is None or answer.rho is None:
        raise ValueError(f"there is no margin to draw: {answer!r}")
    own, ax = ax is None, one_axes(ax, "hull")
    plane = _Hull(run, answer.w_f, answer.rho)
    tips = [np.zeros((1, 2)), plane.corners, plane.w_f[np.newaxis], plane.nearest[np.newaxis]]
    if t is not None:
        tips.append(run.weights[t : t + 2])
    box = _square_around(np.vstack(tips))
    _draw_hull(ax, plane, box)
    if t is not None:
        _draw_update(ax, run, t, plane)
    set_box(ax, box)
    ax.set_xlabel("y·x₀")
    ax.set_ylabel("y·x₁")
    ax.set_title(f"ρ = {_format.number(plane.rho)}" + ("" if t is None else f", update {t + 1}"))
    describe([ax], _hull_in_words(plane, run, t))
    if own:
        legend(ax)
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


def _square_around(tips: FloatArray) -> Box:
    """A square box with all tips in it, and room for their names."""
    low, high = tips.min(axis=0), tips.max(axis=0)
    half = 0.62 * float((high - low).max())
    x, y = (low + high) / 2
    return Box(x - half, x + half, y - half, y + half)


def _draw_hull(ax: Axes, plane: _Hull, box: Box) -> None:
    """Draw the y·x, their hull, its nearest point, w_f through it, and the line that no y·x passes."""
    ax.axhline(0, color=_theme.FAINT, linewidth=0.8, zorder=REGIONS)
    ax.axvline(0, color=_theme.FAINT, linewidth=0.8, zorder=REGIONS)
    look: dict[str, Any] = {"facecolor": _IMPOSSIBLE, "edgecolor": _theme.FAINT, "zorder": REGIONS}
    ax.add_patch(Polygon(plane.corners, closed=len(plane.corners) > 2, label="convex hull", **look))
    for label, mark, color in ((1, "o", _theme.PLUS), (-1, "x", _theme.MINUS)):
        named = f"y·x, y = {'+1' if label == 1 else '−1'}"
        shape: dict[str, Any] = {"marker": mark, "markeredgewidth": 2.5, "linestyle": "none", "zorder": POINTS}
        ax.plot(*positions(plane.Z[plane.y == label]), color=color, label=named, **shape)
    across = 2 * max(box.spans) * np.array([-plane.w_f[1], plane.w_f[0]])
    edge = positions([plane.nearest - across, plane.nearest + across])
    ax.plot(*edge, color=_theme.POCKET, linestyle=":", zorder=LINES, label="$w_f^\\top z = \\rho\\,\\Vert w_f\\Vert$")
    arrow(ax, (0, 0), plane.w_f, _theme.POCKET)
    write(ax, plane.w_f + _beside(plane.w_f, box), "$w_f$", color=_theme.POCKET, fontsize=_theme.FONT_SIZE + 2)
    ends = positions([np.zeros(2), plane.nearest])
    ax.plot(*ends, color=_theme.POCKET, linewidth=2 * _theme.LINE_WIDTH, zorder=POINTS, label="ρ")
    point = positions(plane.nearest)
    ax.plot(*point, marker="D", color=_theme.POCKET, linestyle="none", zorder=WORDS, label="nearest point")


def _beside(vector: FloatArray, box: Box) -> FloatArray:
    """A small step on from the tip of a vector, for its name."""
    return np.asarray(0.05 * max(box.spans) * vector / max(float(np.hypot(*vector)), 1e-12))


def _draw_update(ax: Axes, run: Run, t: int, plane: _Hull) -> None:
    """Draw w_t, the step, w_{t+1}, the angle of the step with w_t, and that of w_{t+1} with w_f."""
    w, after = run.weights[t], run.weights[t + 1]
    step = after - w
    reach = max(float(np.abs(run.weights[t : t + 2]).max()), 1.0)
    arrow(ax, (0, 0), step, _theme.MISTAKE, linestyle="--")
    arrow(ax, (0, 0), after, _theme.NEXT)
    _name_tip(ax, step, "y·x", _theme.MISTAKE, reach)
    _name_tip(ax, after, f"w{sub(t + 1)}", _theme.NEXT, reach)
    if w.any():
        arrow(ax, (0, 0), w, _theme.INK)
        arrow(ax, w, after, _theme.MISTAKE)
        _name_tip(ax, w, f"w{sub(t)}", _theme.INK, reach)
        _draw_arc(ax, w, step, 0.3 * reach, 0.8, _theme.MISTAKE)
    if after.any():
        _draw_arc(ax, after, plane.w_f, 0.55 * reach, 0.35, _theme.NEXT)


def _name_tip(ax: Axes, tip: FloatArray, name: str, color: str, reach: float) -> None:
    length = max(float(np.hypot(*tip)), 1e-12)
    write(ax, tip * (1 + 0.12 * reach / length), name, color=color, weight="bold")


def _draw_arc(ax: Axes, one: FloatArray, other: FloatArray, radius: float, share: float, color: str) -> None:
    """Draw the angle between two vectors at the origin; its size in degrees stands at this share of the way."""
    from_, to = (float(np.degrees(np.arctan2(vector[1], vector[0]))) for vector in (one, other))
    turn = (to - from_ + 180) % 360 - 180
    theta1, theta2 = sorted((from_, from_ + turn))
    ax.add_patch(Arc((0, 0), 2 * radius, 2 * radius, theta1=theta1, theta2=theta2, color=color, linewidth=1.5))
    beside = np.radians(from_ + share * turn)
    place = 1.25 * radius * np.array([np.cos(beside), np.sin(beside)])
    write(ax, place, f"{abs(turn):.0f}°", color=color, fontsize=SMALL)


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


_GAINING = {
    "inner": (r"w_f^\top w_t", "w_f·w_t", "at least"),
    "norm_squared": (r"\Vert w_t\Vert^2", "‖w_t‖²", "at most"),
}


@style()
def gains(trace: ProofTrace, *, of: str = "inner", ax: Axes | None = None) -> Axes:
    """What each update adds to w_fᵀw_t (line 1 of the proof) or to ‖w_t‖² (line 2), against its bound.

    Used in chapter 3, "How much does an update gain?" and "How fast can w grow?".

    Parameters
    ----------
    of : "inner" or "norm_squared"
        Which of the two.
    """
    _check_trace(trace, "gains")
    formula, words, side = _GAINING[check_choice(of, "of", tuple(_GAINING))]
    if trace.T == 0:
        raise ValueError("this run made no updates, so there are no gains to draw.")
    ax = one_axes(ax, "gains")
    added, bound = np.diff(getattr(trace, of)), float(np.diff(getattr(trace, f"{of}_bound"))[0])
    low, high = min(0.0, 1.2 * float(added.min())), 1.15 * max(float(added.max()), bound)
    ax.axhspan(*((low, bound) if of == "inner" else (bound, high)), color=_IMPOSSIBLE, zorder=REGIONS)
    ax.bar(trace.t[1:], added, color=_theme.PLUS, zorder=LINES)
    ax.axhline(0, color=_theme.FAINT, linewidth=0.8, zorder=LINES)
    ax.axhline(bound, color=_theme.MISTAKE, linestyle="--", zorder=POINTS)
    ax.set_xlabel("update")
    ax.xaxis.set_major_locator(MaxNLocator(nbins=9, steps=[1, 2, 5, 10], integer=True))
    ax.set_xlim(0.4, trace.T + 0.6)
    ax.set_ylim(low, high)
    ax.set_title(f"each update adds to ${formula}$ {side} {_format.number(bound)}")
    listed = _format.listing([_format.number(value) for value in added], 12)
    about = f"What each of {_format.count(trace.T, 'update')} adds to {words}: {listed}."
    describe([ax], f"{about} The bound: {side} {_format.number(bound)}.")
    return ax


@style()
def race(trace: ProofTrace, *, ax: Axes | None = None) -> Axes:
    """The proof as a race: the part of w_t along w_f is at least ρt, and the whole of w_t is at most R√t long.

    A part is not longer than the whole, so PLA halts before the two bounds have met, at t = R²/ρ², or there.
    Used in chapter 3, "A race".
    """
    _check_trace(trace, "race")
    if not _from_zero(trace):
        raise ValueError("plots.race draws the bounds ρt and R√t, which hold from the start w = 0 with η = 1.")
    ax = one_axes(ax, "race")
    t = trace.bound * np.linspace(0, 1.5, 301)  # the bounds meet at one of these
    part, whole = trace.rho * t, trace.R * np.sqrt(t)
    for there, shade in ((slice(201), _theme.PLUS_REGION), (slice(200, None), _IMPOSSIBLE)):
        ax.fill_between(t[there], part[there], whole[there], color=shade, zorder=REGIONS)
    ax.plot(t, whole, color=_theme.INK, label="R√t")
    ax.plot(t, part, color=_theme.POCKET, linestyle="--", label="ρt")
    _draw_measured_race(ax, trace)
    _draw_meeting(ax, trace.bound, trace.R**2 / trace.rho)
    ax.set_xlim(0, t[-1])
    ax.set_ylim(0, part[-1])
    ax.set_xlabel("updates t")
    ax.set_ylabel("length")
    ax.set_title(f"T = {trace.T:,} ≤ R²/ρ² = {_format.number(trace.bound)}")
    describe([ax], _race_in_words(trace))
    return ax


def _draw_measured_race(ax: Axes, trace: ProofTrace) -> None:
    """Draw the length of w_t and its part along w_f, as far as the run went."""
    part, whole = trace.inner / np.linalg.norm(trace.w_f), np.sqrt(trace.norm_squared)
    look: dict[str, Any] = {"linestyle": "none", "zorder": POINTS}
    ax.plot(trace.t, whole, marker="o", markersize=5, color=_theme.INK, label="whole, measured", **look)
    ax.plot(trace.t, part, marker="s", markersize=3, color=_theme.POCKET, label="part, measured", **look)
    write(ax, (trace.T + 0.04 * trace.bound, part[-1]), f"T = {trace.T:,}", ha="left", va="top", fontsize=SMALL)


def _draw_meeting(ax: Axes, meet: float, height: float) -> None:
    """Mark where the bounds meet, and write each name beside what it names."""
    ax.plot([meet, meet], [0, height], color=_theme.MISTAKE, linestyle=":", zorder=LINES, label="R²/ρ²")
    ax.plot([meet], [height], marker="D", color=_theme.MISTAKE, zorder=WORDS)
    large: dict[str, Any] = {"fontsize": _theme.FONT_SIZE + 4}
    write(ax, (0.06 * meet, 0.85 * height), "whole ≤ R√t", ha="left", **large)
    write(ax, (0.52 * meet, 0.44 * height), "part ≥ ρt", ha="left", va="top", color=_theme.POCKET, **large)
    write(ax, (1.03 * meet, 0.1 * height), "t = R²/ρ²", ha="left", color=_theme.MISTAKE, **large)
    write(ax, (1.2 * meet, 1.32 * height), "impossible", ha="right", **large)


def _race_in_words(trace: ProofTrace) -> str:
    return (
        f"Two bounds over the updates t: the straight line ρt for the part of w_t along w_f, with ρ = "
        f"{_format.number(trace.rho)}, and the curve R√t for the length of w_t, with R = {_format.number(trace.R)}. "
        f"The line begins below the curve and meets it at t = R²/ρ² = {_format.number(trace.bound)}; beyond, the part "
        f"would be longer than the whole. The run's {_format.count(trace.T, 'update')} lie between the two."
    )


@style()
def scaling(X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """The bound R²/ρ² when all features are multiplied by c, and the updates of PLA, for c from 0.01 to 100.

    The constant x₀ = 1 is not multiplied. Used in chapter 3, "Further: What scaling does".
    """
    table, labels, _ = as_data(X, y)
    scales = np.geomspace(0.01, 100, 41)
    bounds = np.array([update_bound(c * table, labels) for c in scales])
    updates = [pla(c * table, labels, keep_path=False).updates for c in scales]
    own, ax = ax is None, one_axes(ax, "scaling")
    least = int(bounds.argmin())
    ax.loglog(scales, bounds, color=_theme.MISTAKE, linestyle="--", label="bound R²/ρ²")
    ax.plot(scales, updates, color=_theme.PLUS, marker="o", markersize=4, linewidth=1, label="updates T")
    best = f"smallest: {_format.number(bounds[least])}"
    ax.plot(scales[least], bounds[least], marker="D", color=_theme.MISTAKE, linestyle="none", label=best)
    ax.set_xlabel("scale c of the features")
    ax.minorticks_off()
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))
    ax.set_title(f"The bound is smallest near c = {scales[least]:.1g}")
    describe(
        [ax],
        f"The bound R²/ρ² and the updates T of PLA when the features are multiplied by c, from 0.01 to 100. The bound "
        f"is {_format.number(bounds[0])} at c = 0.01, smallest near c = {scales[least]:.1g} with "
        f"{_format.number(bounds[least])}, and {_format.number(bounds[-1])} at c = 100. T is from {min(updates):,} to "
        f"{max(updates):,}, and at each c below the bound.",
    )
    if own:
        legend(ax, loc="best")
    return ax


_MOST_BARS = 60
# A bound that is so many times as large as all updates is shown on an axis of powers of ten.
_FAR = 5.0


@style()
def histogram(
    experiment: Experiment, *, of: str = "updates", bound: float | None = None, ax: Axes | None = None
) -> Axes:
    """How many updates many runs made, with the bound drawn in; or their error rates, pocket against last w.

    Used first in chapter 2, "Further: 2000 shuffled cycles".

    Parameters
    ----------
    of : "updates", "train" or "test"
        What to count: the updates, or the error rates on the examples learned from, or on test examples.
    bound : float, optional
        From `update_bound(X, y)`, for updates.
    """
    if not isinstance(experiment, Experiment) or not len(experiment):
        raise TypeError("plots.histogram draws an experiment: give what repeat_pla or repeat_pocket returned.")
    check_choice(of, "of", ("updates", "train", "test"))
    if bound is not None:
        bound = check_number(bound, "bound", 0, LARGEST)
        if of != "updates":
            raise ValueError('a bound on the updates belongs into the histogram of="updates".')
    # First, because an experiment without test examples has no such rates, and says so.
    rates = [] if of == "updates" else [getattr(experiment, f"{name}{of}_error") for name in ("", "last_")]
    own, ax = ax is None, one_axes(ax, "histogram")
    if of == "updates":
        _draw_updates(ax, experiment, bound)
    else:
        _draw_rates(ax, experiment, of, *rates)
    ax.set_ylabel("runs")
    ax.set_title(f"{len(experiment):,} runs of {experiment.algorithm}")
    if own:
        legend(ax, loc="best")
    return ax


def _draw_updates(ax: Axes, experiment: Experiment, bound: float | None) -> None:
    """Draw how many updates the runs made, and the bound that none may pass."""
    updates = experiment.updates
    edges = _whole_edges(updates)
    tallest = _draw_bars(ax, edges, updates)
    _draw_mean(ax, updates, tallest, f"mean {updates.mean():,.1f}")
    far = bound is not None and updates.max() > 0 and bound > _FAR * updates.max()
    _set_scale(ax, far)
    right = max(float(edges[-1]), 1.0) if bound is None else max(1.08 * bound, float(edges[-1]))
    ax.set_xlim(max(float(edges[0]), 0.5) if far else float(edges[0]), 1.3 * right if far else right)
    if bound is not None:
        label = f"bound {_format.number(bound)}"
        ax.plot([bound, bound], [0, tallest], color=_theme.MISTAKE, linestyle="--", zorder=WORDS, label=label)
    ax.set_xlabel("updates T")
    against = "" if bound is None else f" The bound is {_format.number(bound)}."
    describe(
        [ax],
        f"Updates of {len(experiment):,} runs of {experiment.algorithm}: {updates.mean():,.1f} on average, "
        f"from {updates.min():,} to {updates.max():,}.{against}",
    )


def _draw_rates(ax: Axes, experiment: Experiment, of: str, answer: FloatArray, last: FloatArray) -> None:
    """Draw the error rates of the answers (the pocket), and those of the last w."""
    name = "pocket" if experiment.algorithm == "Pocket" else "answer"
    edges = _rate_edges(np.concatenate([answer, last]))
    tallest = _draw_bars(ax, edges, answer, last, labels=(name, "last w"))
    _draw_mean(ax, answer, tallest, f"{name}'s mean {answer.mean():.3f}")
    _draw_mean(ax, last, tallest, f"last w's mean {last.mean():.3f}", color=_theme.MINUS, linestyle="-.")
    _set_scale(ax, powers_of_ten=False)
    ax.set_xlim(float(edges[0]), float(edges[-1]))
    ax.set_xlabel(f"{of} error rate")
    describe(
        [ax],
        f"The {of} error rates of {len(experiment):,} runs of {experiment.algorithm}: the {name}'s is "
        f"{answer.mean():.3f} on average, that of the last w {last.mean():.3f}.",
    )


def _draw_bars(ax: Axes, edges: FloatArray, *samples: Any, labels: tuple[str | None, ...] = (None, None)) -> float:
    """Draw one sample as bars, a second one as outlines over them; how high the picture is."""
    looks: tuple[dict[str, Any], ...] = (
        {"fill": True, "color": _theme.PLUS, "alpha": 0.75},
        {"color": _theme.MINUS, "linewidth": _theme.LINE_WIDTH, "hatch": "//"},
    )
    counts = [np.histogram(sample, edges)[0] for sample in samples]
    for heights, look, label in zip(counts, looks, labels, strict=False):
        ax.stairs(heights, edges, zorder=LINES, label=label, **look)
    tallest = 1.06 * float(np.max(counts))
    ax.set_ylim(0, tallest)
    return tallest


def _draw_mean(ax: Axes, values: Any, tallest: float, label: str, **look: Any) -> None:
    look = {"color": _theme.INK, "linestyle": ":", "zorder": WORDS, **look}
    ax.plot([values.mean()] * 2, [0, tallest], label=label, **look)


def _set_scale(ax: Axes, powers_of_ten: bool) -> None:
    """An ordinary axis, or one of powers of ten that still reads 1, 3, 10, 30, …"""
    ax.set_xscale("log" if powers_of_ten else "linear")
    if powers_of_ten:
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 3), numticks=12))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        ax.xaxis.set_minor_formatter(NullFormatter())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 5, 10]))


def _whole_edges(values: Any) -> FloatArray:
    """Bars of one whole number each, or of several where there would be too many."""
    low, high = int(values.min()), int(values.max())
    width = max(1, -(-(high - low + 1) // _MOST_BARS))
    return np.asarray(np.arange(low, high + width + 1, width) - 0.5, dtype=np.float64)


def _rate_edges(rates: FloatArray) -> FloatArray:
    """Bars as wide as the steps between the rates that occur, or wider where there would be too many."""
    values = np.unique(rates)
    step = float(np.diff(values).min()) if len(values) > 1 else 0.02
    width = max(step, (values[-1] - values[0]) / _MOST_BARS)
    return np.asarray(np.arange(values[0] - width / 2, values[-1] + 1.01 * width, width), dtype=np.float64)


@style()
def against_n(samples: Mapping[int, ArrayLike], name: str, *, law: float | None = None, ax: Axes | None = None) -> Axes:
    """What many random experiments gave for each N, on axes of powers of ten: the range, the middle half, the mean.

    Used first in chapter 2, "g against f".

    Parameters
    ----------
    samples : dict
        For each N the values, all positive.
    name : str
        What they are.
    law : float, optional
        Draws the curve law/N.
    """
    values = {N: as_floats(sample, f"samples[{N}]") for N, sample in samples.items()}
    if not values or any(not len(sample) or sample.min() <= 0 for sample in values.values()):
        raise ValueError("samples must have values for at least one N, all of them positive: the axes are logarithmic.")
    own, ax = ax is None, one_axes(ax, "against_n", (6.2, 4.5))
    ax.set(xscale="log", yscale="log", xlabel="N, the number of examples", ylabel=name)
    for label, width, percents in (("all runs", 1.5, (0, 100)), ("the middle half", 14, (25, 75))):
        low, high = np.transpose([np.percentile(sample, percents) for sample in values.values()])
        ax.vlines(list(values), low, high, color=_theme.PLUS, linewidth=width, zorder=LINES, label=label)
    if law is not None:
        ends = np.array([min(values) / 1.5, max(values) * 1.5])
        ax.plot(ends, law / ends, color=_theme.MISTAKE, linestyle="--", zorder=POINTS, label=f"{law:g}/N")
    for mark, label, color, middle in (("_", "median", _theme.MINUS, np.median), ("D", "mean", _theme.INK, np.mean)):
        heights = [float(middle(sample)) for sample in values.values()]
        look: dict[str, Any] = {"marker": mark, "markersize": 20 if mark == "_" else 10, "markeredgewidth": 3}
        ax.plot(list(values), heights, color=color, linestyle="none", zorder=WORDS, label=label, **look)
    ax.set_xticks(list(values), [f"{N:,}" for N in values])
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    describe([ax], _against_n_in_words(values, name, law))
    if own:
        falls = values[max(values)].mean() < values[min(values)].mean()
        legend(ax, loc="lower left" if falls else "upper left")
    return ax


def _against_n_in_words(values: dict[int, FloatArray], name: str, law: float | None) -> str:
    each = "; ".join(
        f"N = {N:,}: mean {sample.mean():.3g}, median {np.median(sample):.3g}, {sample.min():.2g} to {sample.max():.3g}"
        for N, sample in values.items()
    )
    curve = "" if law is None else f" The dashed curve is {law:g}/N."
    return f"{name[:1].upper()}{name[1:]} against N, on axes of powers of ten. {each}.{curve}"

"""Pictures of what can be promised and of what happened: the proof's three curves, and many runs at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from plahelpers import _format, _theme
from plahelpers._validation import LARGEST, FloatArray, check_choice, check_number
from plahelpers.experiments import Experiment
from plahelpers.guarantee import ProofTrace
from plahelpers.plots.base import (
    LINES,
    REGIONS,
    WORDS,
    AxesArray,
    describe,
    legend,
    many_axes,
    one_axes,
    set_updates_axis,
    style,
)

_IMPOSSIBLE = "#E0E0E0"  # the shade beyond a bound


@style()
def proof(trace: ProofTrace, *, axes: Any = None) -> AxesArray:
    """The three lines of the convergence proof, measured along a run, against their bounds (the shade is forbidden).

    Used in notebook 03, "The proof, measured".
    """
    if not isinstance(trace, ProofTrace):
        raise TypeError(f"plots.proof draws a proof trace: give proof_trace(run, w_f), not {trace!r:.60}.")
    panels = many_axes(axes, 3, "proof", 1, 3, (11.0, 4.4))
    draw_proof(list(panels.flat)[:3], trace)
    if axes is None:
        legend(panels.flat[0], loc="upper left")
        bound = _format.number(trace.bound)
        words = f"R²/ρ² = {bound}" if _from_zero(trace) else f"{bound}, the bound from this start"
        panels.flat[0].figure.suptitle(f"T = {trace.T} ≤ {words}")
    return panels


def draw_proof(axes: list[Axes], trace: ProofTrace) -> None:
    """Draw each measured curve with its bound on an Axes of its own, and shade where the curve may not go."""
    measured = trace.inner, trace.norm_squared, trace.cosine
    bounds = trace.inner_bound, trace.norm_squared_bound, trace.cosine_bound
    dots: dict[str, Any] = {"marker": "o", "markersize": 5 if trace.T <= 60 else 0}
    for k, (ax, values, bound) in enumerate(zip(axes, measured, bounds, strict=True)):
        low, high = _range_of(values, bound, top=1.05 if k == 2 else None)
        ax.plot(trace.t, values, color=_theme.PLUS, label="measured", **dots)
        ax.plot(trace.t, bound, color=_theme.INK, linestyle="--", label="bound")
        outside = _beyond(trace.t, bound, high if k == 1 else low)
        ax.add_patch(Polygon(outside, facecolor=_IMPOSSIBLE, zorder=REGIONS, label="impossible"))
        set_updates_axis(ax, trace.T)
        ax.set_ylim(low, high)
        left, right = _LINES_OF_THE_PROOF[k]
        ax.set_title(f"${left} {right}$" if _from_zero(trace) else f"${left}$ its bound")
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


# Each quantity and its bound; from another start than w₀ = 0, or with η ≠ 1, the bounds are longer formulas.
_LINES_OF_THE_PROOF = (
    (r"w_f^\top w_t \geq", r"t\,\rho\,\Vert w_f\Vert"),
    (r"\Vert w_t\Vert^2 \leq", r"t\,R^2"),
    (r"\cos\,\theta_t \geq", r"\sqrt{t}\;\rho\,/\,R"),
)


def _from_zero(trace: ProofTrace) -> bool:
    """Are the bounds the lecture's, from w₀ = 0 with η = 1?"""
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


_MOST_BARS = 60
# A bound that is so many times as large as all updates is shown on an axis of powers of ten.
_FAR = 5.0


@style()
def histogram(
    experiment: Experiment, *, of: str = "updates", bound: float | None = None, ax: Axes | None = None
) -> Axes:
    """How many updates many runs made, with the bound drawn in; or their error rates, pocket against last w.

    Used first in notebook 02, "Further: 2000 shuffled cycles".

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

"""Pictures of what can be promised and of what happened: the proof's three curves, and many runs at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray
from plahelpers.experiments import Experiment
from plahelpers.guarantee import ProofTrace
from plahelpers.plots.base import AxesArray, describe, positions, put, style, title
from plahelpers.plots.plane import LINES, REGIONS, WORDS

_IMPOSSIBLE = "#E0E0E0"  # the shade beyond a bound

# --- the proof ------------------------------------------------------------------------------------


class ProofArtists:
    """The three lines of the proof on three Axes: each measured curve, its bound, and where it may not go, shaded."""

    def __init__(self, axes: AxesArray) -> None:
        self.axes: list[Axes] = list(axes.flat)[:3]
        self.text = ""
        self._key = object()
        with style():
            self.curves = [ax.plot([], [], color=_theme.PLUS, marker="o", label="measured")[0] for ax in self.axes]
            self.bounds = [ax.plot([], [], color=_theme.INK, linestyle="--", label="bound")[0] for ax in self.axes]
            self.forbidden = [
                put(ax, Polygon(np.zeros((1, 2)), facecolor=_IMPOSSIBLE, zorder=REGIONS, label="impossible"))
                for ax in self.axes
            ]
            for ax in self.axes:
                ax.set_xlabel("updates t")
                ax.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=True))

    def show(self, trace: ProofTrace) -> None:
        """Draw the measured curves and their bounds."""
        measured = trace.inner, trace.norm_squared, trace.cosine
        bounds = trace.inner_bound, trace.norm_squared_bound, trace.cosine_bound
        for k, (values, bound) in enumerate(zip(measured, bounds, strict=True)):
            low, high = _range_of(values, bound, top=1.05 if k == 2 else None)
            self.curves[k].set_data(trace.t, values)
            self.curves[k].set_markersize(5 if trace.T <= 60 else 0)
            self.bounds[k].set_data(trace.t, bound)
            self.forbidden[k].set_xy(_beyond(trace.t, bound, high if k == 1 else low))
            self.axes[k].set_xlim(-0.02 * max(trace.T, 1), 1.02 * max(trace.T, 1))
            self.axes[k].set_ylim(low, high)
            title(self.axes[k], (_FROM_ZERO if from_zero(trace) else _FROM_ELSEWHERE)[k])
        self.text = self._in_words(trace)
        describe(self.axes, self._key, self.text)

    def _in_words(self, trace: ProofTrace) -> str:
        if trace.T == 0:
            return "No update was made, so there is nothing to bound."
        held = "within" if _holds(trace) else "not within"
        return (
            f"The proof's three quantities stay {held} their bounds along {_format.count(trace.T, 'update')}. "
            f"At the end w_f·w_T = {_format.number(trace.inner[-1])} (bound "
            f"{_format.number(trace.inner_bound[-1])}), ‖w_T‖² = {_format.number(trace.norm_squared[-1])} (bound "
            f"{_format.number(trace.norm_squared_bound[-1])}), cos θ_T "
            f"= {trace.cosine[-1]:.3f} (bound {trace.cosine_bound[-1]:.3f}). T = {trace.T} ≤ "
            f"{_format.number(trace.bound)}."
        )


# The lines of the proof; from another start than w₀ = 0, or with η ≠ 1, the bounds are longer formulas.
_FROM_ZERO = (
    r"$w_f^\top w_t \geq t\,\rho\,\Vert w_f\Vert$",
    r"$\Vert w_t\Vert^2 \leq t\,R^2$",
    r"$\cos\,\theta_t \geq \sqrt{t}\;\rho\,/\,R$",
)
_FROM_ELSEWHERE = (
    r"$w_f^\top w_t \geq$ its bound",
    r"$\Vert w_t\Vert^2 \leq$ its bound",
    r"$\cos\,\theta_t \geq$ its bound",
)


def from_zero(trace: ProofTrace) -> bool:
    """Are the bounds the lecture's, from w₀ = 0 with η = 1?"""
    lecture = trace.t * trace.rho * float(np.linalg.norm(trace.w_f))
    return bool(trace.norm_squared[0] == 0 and np.allclose(trace.inner_bound, lecture))


def _holds(trace: ProofTrace) -> bool:
    slack, pointing = 1e-9, trace.norm_squared > 0  # w = 0 has no angle
    return bool(
        (trace.inner >= trace.inner_bound - slack * np.abs(trace.inner_bound)).all()
        and (trace.norm_squared <= trace.norm_squared_bound * (1 + slack)).all()
        and (trace.cosine >= trace.cosine_bound - slack)[pointing].all()
    )


def _range_of(values: FloatArray, bound: FloatArray, top: float | None) -> tuple[float, float]:
    """From just under the lowest to just over the highest value."""
    both = np.concatenate([values, bound])
    low, high = float(np.nanmin(both)), float(np.nanmax(both))
    room = 0.06 * (high - low) or 1.0
    return min(low, 0.0) - (room if low < 0 else 0.0), high + room if top is None else max(top, high)


def _beyond(t: Any, bound: FloatArray, edge: float) -> FloatArray:
    """The region between a bound and the edge of the picture that it keeps the curve away from."""
    return np.column_stack([np.concatenate([t, t[::-1]]), np.concatenate([bound, np.full(len(bound), edge)])])


# --- many runs ------------------------------------------------------------------------------------

_MOST_BARS = 60
# A bound that is so many times as large as all updates is shown on an axis of powers of ten.
_FAR = 5.0


class HistogramArtists:
    """How often each number of updates, or each error rate, came out of many runs."""

    def __init__(self, ax: Axes) -> None:
        self.ax, self.text = ax, ""
        self._key = object()
        with style():
            self.bars = ax.stairs([0], [0, 1], fill=True, color=_theme.PLUS, alpha=0.75, zorder=LINES)
            self.last = ax.stairs(
                [0], [0, 1], color=_theme.MINUS, linewidth=_theme.LINE_WIDTH, hatch="//", zorder=LINES
            )
            (self.mean,) = ax.plot([], [], color=_theme.INK, linestyle=":", zorder=WORDS)
            (self.last_mean,) = ax.plot([], [], color=_theme.MINUS, linestyle="-.", zorder=WORDS)
            (self.bound,) = ax.plot([], [], color=_theme.MISTAKE, linestyle="--", zorder=WORDS)
        ax.set_ylabel("runs")

    def show_updates(self, experiment: Experiment, bound: float | None = None) -> None:
        """Draw how many updates the runs made, and the bound that none may pass."""
        updates = experiment.updates
        edges = _whole_edges(updates)
        tallest = self._show_bars(updates, edges)
        self.last.set_visible(False)
        self.last_mean.set_data([], [])
        far = bound is not None and updates.max() > 0 and bound > _FAR * updates.max()
        self._scale(far)
        right = max(float(edges[-1]), 1.0) if bound is None else max(1.08 * bound, float(edges[-1]))
        self.ax.set_xlim(max(float(edges[0]), 0.5) if far else float(edges[0]), 1.3 * right if far else right)
        self.bound.set_data(*positions([] if bound is None else [(bound, 0), (bound, tallest)]))
        self.ax.set_xlabel("updates T")
        self.mean.set_label(f"mean {updates.mean():,.1f}")
        self.bound.set_label(f"bound {_format.number(bound)}" if bound is not None else "_nothing")
        title(self.ax, f"{len(experiment):,} runs of {experiment.algorithm}")
        against = "" if bound is None else f" The bound is {_format.number(bound)}."
        self._say(
            f"Updates of {len(experiment):,} runs of {experiment.algorithm}: {updates.mean():,.1f} on average, "
            f"from {updates.min():,} to {updates.max():,}.{against}"
        )

    def show_errors(self, experiment: Experiment, of: str) -> None:
        """Draw the error rates of the answers (the pocket), and those of the last w."""
        answer, last = (
            (experiment.train_error, experiment.last_train_error)
            if of == "train"
            else (experiment.test_error, experiment.last_test_error)
        )
        edges = _rate_edges(np.concatenate([answer, last]))
        self._show_bars(answer, edges, last)
        self.last.set_visible(True)
        self.bound.set_data([], [])
        self.bound.set_label("_nothing")
        self._scale(False)
        self.ax.set_xlim(float(edges[0]), float(edges[-1]))
        self.ax.set_xlabel(f"{of} error rate")
        name = "pocket" if experiment.algorithm == "Pocket" else "answer"
        self.bars.set_label(name)
        self.last.set_label("last w")
        self.mean.set_label(f"{name}'s mean {answer.mean():.3f}")
        self.last_mean.set_label(f"last w's mean {last.mean():.3f}")
        title(self.ax, f"{len(experiment):,} runs of {experiment.algorithm}")
        self._say(
            f"The {of} error rates of {len(experiment):,} runs of {experiment.algorithm}: the {name}'s is "
            f"{answer.mean():.3f} on average, that of the last w {last.mean():.3f}."
        )

    def _show_bars(self, values: Any, edges: FloatArray, last: FloatArray | None = None) -> float:
        """Draw the bars and the means; how high the picture is."""
        counts = np.histogram(values, edges)[0]
        others = np.histogram(last, edges)[0] if last is not None else np.zeros(len(edges) - 1)
        self.bars.set_data(counts, edges)
        self.last.set_data(others, edges)
        tallest = 1.06 * float(max(counts.max(), others.max()))
        self.mean.set_data(*positions([(values.mean(), 0), (values.mean(), tallest)]))
        if last is not None:
            self.last_mean.set_data(*positions([(last.mean(), 0), (last.mean(), tallest)]))
        self.ax.set_ylim(0, tallest)
        return tallest

    def _scale(self, powers_of_ten: bool) -> None:
        """An ordinary axis, or one of powers of ten that still reads 1, 3, 10, 30, …"""
        axis = self.ax.xaxis
        self.ax.set_xscale("log" if powers_of_ten else "linear")
        if powers_of_ten:
            axis.set_major_locator(LogLocator(subs=(1, 3), numticks=12))
            axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            axis.set_minor_formatter(NullFormatter())
        else:
            axis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 5, 10]))

    def _say(self, text: str) -> None:
        self.text = text
        describe([self.ax], self._key, text)


def _whole_edges(values: Any) -> FloatArray:
    """Bars of one whole number each, or of several where there would be too many."""
    low, high = int(values.min()), int(values.max())
    width = max(1, -(-(high - low + 1) // _MOST_BARS))
    return np.asarray(np.arange(low, high + width + 1, width) - 0.5, dtype=np.float64)


def _rate_edges(rates: FloatArray) -> FloatArray:
    """Bars as wide as the steps between the rates that occur, or wider where there would be too many."""
    found = np.unique(rates)
    step = float(np.diff(found).min()) if len(found) > 1 else 0.02
    width = max(step, (found[-1] - found[0]) / _MOST_BARS)
    return np.asarray(np.arange(found[0] - width / 2, found[-1] + 1.01 * width, width), dtype=np.float64)

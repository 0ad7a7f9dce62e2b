"""Pictures of many runs: how many updates they made, and what they gave for each N."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray
from plahelpers.experiments import Experiment
from plahelpers.plots.base import CHART, LINES, POINTS, SMALL, WORDS, describe, name_ends, one_axes, style, write

_MOST_BARS = 60
_GREY = "#9A9A9A"  # of bars, on which ink can be seen


@style()
def histogram(experiment: Experiment, *, bound: float | None = None, ax: Axes | None = None) -> Axes:
    """How many updates many runs made, with the bound drawn in.

    The bound is that of `update_bound(X, y)`.
    """
    if not isinstance(experiment, Experiment) or not len(experiment):
        raise TypeError("plots.histogram draws an experiment: give what repeat_pla or repeat_pocket returned.")
    ax = one_axes(ax, "histogram", CHART)
    updates, edges = experiment.updates, _whole_edges(experiment.updates)
    heights = np.histogram(updates, edges)[0]
    tallest = 1.2 * float(heights.max())
    ax.stairs(heights, edges, fill=True, color=_GREY, zorder=LINES)
    ax.set_xlim(min(edges[0], 0.0), max(edges[-1], 1.0, 1.08 * (bound or 0.0)))
    ax.set_ylim(0, tallest)
    mean = float(updates.mean())
    _mark(ax, mean, f"mean {mean:,.1f}", tallest, _theme.INK, ":", "left")
    if bound is not None:
        _mark(ax, bound, f"bound {bound:,.1f}", tallest, _theme.BOUND, "--", "right")
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 2, 5, 10]))
    ax.set(xlabel="updates $T$", ylabel="runs")
    against = "" if bound is None else f" The bound is {_format.number(bound)}."
    describe(
        ax,
        f"Updates of {len(experiment):,} runs of {experiment.algorithm}: {mean:,.1f} on average, "
        f"from {updates.min():,} to {updates.max():,}.{against}",
    )
    return ax


def _mark(ax: Axes, x: float, name: str, height: float, color: str, dashes: str, ha: str) -> None:
    """Draw a vertical line, and write its name beside its upper end."""
    ax.plot([x, x], [0, height], color=color, linestyle=dashes, zorder=WORDS)
    write(ax, (x, height), name, (6 if ha == "left" else -6, 0), ha=ha, va="top", color=color)


def _whole_edges(values: IntArray) -> FloatArray:
    """Bars of one whole number each, or of several where there would be too many."""
    low, high = int(values.min()), int(values.max())
    width = max(1, -(-(high - low + 1) // _MOST_BARS))
    return np.asarray(np.arange(low, high + width + 1, width) - 0.5, dtype=np.float64)


_BAR = 0.38  # a share of the distance between two rows


@style()
def rates(
    table: Mapping[str, Sequence[float]],
    *,
    of: Sequence[str] = ("in-sample", "out-of-sample"),
    noise: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Two error rates for each name, as bars: such as those in-sample and out-of-sample of several rules.

    `of` says what the two rates are, and `noise`, drawn as a line, how often labels flip.
    """
    values = np.array(list(table.values()), dtype=np.float64)
    ax = one_axes(ax, "rates", size=(6.0, 1.1 + 0.62 * len(values)))
    rows, right = np.arange(len(values)), 1.45 * max(float(values.max()), 0.01)
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}  # where the line of the noise passes
    for k, (name, fill) in enumerate(zip(of, ("white", _theme.FAINT), strict=True)):
        heights = rows + (k - 0.5) * _BAR
        ax.barh(heights, values[:, k], _BAR, facecolor=fill, edgecolor=_theme.FAINT, zorder=LINES)
        for row, (value, height) in enumerate(zip(values[:, k], heights, strict=True)):
            words = f"{value:.3f}" + (f" ({name})" if row == 0 else "")
            write(ax, (value + 0.01 * right, height), words, ha="left", fontsize=SMALL, bbox=paper)
    if noise is not None:
        ax.axvline(noise, color=_theme.INK, linestyle=":", zorder=POINTS)
        ax.text(noise, -0.52, f"noise {_format.number(noise)}", ha="center", va="bottom", fontsize=SMALL)
    ax.set_yticks(rows, list(table), fontsize=_theme.FONT_SIZE)
    ax.set(xlim=(0, right), ylim=(len(values) - 0.5, -0.5), xlabel="error rate")  # the first row on top
    each = "; ".join(f"{name} {one:.3f} and {other:.3f}" for name, (one, other) in zip(table, values, strict=True))
    describe(ax, f"Error rates, {of[0]} and {of[1]}: {each}.")
    return ax


@style()
def learning_curves(
    updates: Sequence[int], errors: Mapping[str, ArrayLike], *, levels: Mapping[str, float], ax: Axes | None = None
) -> Axes:
    """Train and test error against the number of updates: for each name a row of (train, test) for each number.

    `levels` has rates to compare with, each with its name.
    """
    ax = one_axes(ax, "learning_curves", _theme.FIGURE_SIZE)
    ends = [(name, level, _theme.INK) for name, level in levels.items()]
    for (name, rates), (color, dashes) in zip(errors.items(), ((_theme.INK, "-"), (_theme.FAINT, "--")), strict=True):
        train, test = np.asarray(rates, dtype=np.float64).T
        ax.plot(updates, train, color=color, linestyle=dashes, linewidth=1.2, marker="o", markerfacecolor="white")
        ax.plot(updates, test, color=color, linestyle=dashes, marker="o")
        ends.append((name, float(test[-1]), color))
    for level in levels.values():
        ax.axhline(level, color=_theme.INK, linestyle=":", linewidth=1.2, zorder=LINES)
    ax.set(xscale="log", xlabel="updates", ylabel="error: ● test, ○ train")
    name_ends(ax, ends)
    each = "; ".join(f"{name}, train and test: {_rates_in_words(rates)}" for name, rates in errors.items())
    others = ", ".join(f"{name} {level:.3f}" for name, level in levels.items())
    words = _format.listing(list(updates), len(updates))
    describe(ax, f"Error rates after {words} updates. {each}. To compare: {others}.")
    return ax


def _rates_in_words(rates: ArrayLike) -> str:
    return ", ".join(f"{train:.3f} and {test:.3f}" for train, test in np.asarray(rates))

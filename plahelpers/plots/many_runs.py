"""Pictures of many runs: how many updates they made, and what they gave for each N."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, NullFormatter, StrMethodFormatter
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import LARGEST, FloatArray, IntArray, as_floats, check_number
from plahelpers.experiments import Experiment
from plahelpers.plots.base import LINES, POINTS, SMALL, WORDS, describe, legend, one_axes, style, write

_MOST_BARS = 60


@style()
def histogram(experiment: Experiment, *, bound: float | None = None, ax: Axes | None = None) -> Axes:
    """How many updates many runs made, with the bound drawn in.

    The bound is that of `update_bound(X, y)`. Used first in chapter 2, "Further: 2000 shuffled cycles".
    """
    if not isinstance(experiment, Experiment) or not len(experiment):
        raise TypeError("plots.histogram draws an experiment: give what repeat_pla or repeat_pocket returned.")
    limit = None if bound is None else check_number(bound, "bound", 0, LARGEST)
    own, ax = ax is None, one_axes(ax, "histogram")
    updates, edges = experiment.updates, _whole_edges(experiment.updates)
    heights = np.histogram(updates, edges)[0]
    tallest = 1.06 * float(heights.max())
    ax.stairs(heights, edges, fill=True, color=_theme.PLUS, alpha=0.75, zorder=LINES)
    mark: dict[str, Any] = {"linestyle": ":", "color": _theme.INK, "zorder": WORDS}
    ax.plot([updates.mean()] * 2, [0, tallest], label=f"mean {updates.mean():,.1f}", **mark)
    if limit is not None:
        mark |= {"linestyle": "--", "color": _theme.MISTAKE}
        ax.plot([limit, limit], [0, tallest], label=f"bound {_format.number(limit)}", **mark)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 2, 5, 10]))
    ax.set_xlim(min(edges[0], 0.0), max(edges[-1], 1.0, 1.08 * (limit or 0.0)))
    ax.set_ylim(0, tallest)
    ax.set(xlabel="updates T", ylabel="runs", title=f"{len(experiment):,} runs of {experiment.algorithm}")
    against = "" if limit is None else f" The bound is {_format.number(limit)}."
    describe(
        ax,
        f"Updates of {len(experiment):,} runs of {experiment.algorithm}: {updates.mean():,.1f} on average, "
        f"from {updates.min():,} to {updates.max():,}.{against}",
    )
    if own:
        legend(ax, loc="best")
    return ax


def _whole_edges(values: IntArray) -> FloatArray:
    """Bars of one whole number each, or of several where there would be too many."""
    low, high = int(values.min()), int(values.max())
    width = max(1, -(-(high - low + 1) // _MOST_BARS))
    return np.asarray(np.arange(low, high + width + 1, width) - 0.5, dtype=np.float64)


@style()
def against_n(samples: Mapping[int, ArrayLike], name: str, *, law: float | None = None, ax: Axes | None = None) -> Axes:
    """What many random experiments gave for each N, on axes of powers of ten: the range, the middle half, the mean.

    `samples` has the values for each N, all positive; `name` says what they are, and `law` draws the curve law/N.
    Used first in chapter 2, "Further: g against f".
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
    describe(ax, _against_n_in_words(values, name, law))
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


@style()
def learning_curves(
    updates: Sequence[int], errors: Mapping[str, ArrayLike], *, levels: Mapping[str, float], ax: Axes | None = None
) -> Axes:
    """Train and test error against the number of updates: for each name a row of (train, test) for each number.

    `levels` has rates to compare with, each with its name. Used first in chapter 4, "Real applicants".
    """
    ax = one_axes(ax, "learning_curves", (7.0, 4.4))
    looks = zip(errors.items(), ((_theme.INK, "-"), (_theme.NEXT, "--")), strict=True)
    for (name, rates), (color, dashes) in looks:
        train, test = np.asarray(rates, dtype=np.float64).T
        ax.plot(updates, train, color=color, linestyle=dashes, linewidth=1.2, marker="o", markerfacecolor="white")
        ax.plot(updates, test, color=color, linestyle=dashes, marker="o")
        write(ax, (updates[-1], test[-1]), name, (9, 0), color=color, ha="left", va="center")
    for name, level in levels.items():
        ax.axhline(level, color=_theme.FAINT, linestyle=":", zorder=POINTS)
        write(ax, (updates[0], level), name, (0, 3), ha="left", va="bottom", fontsize=SMALL)
    ax.set_xscale("log")
    ax.margins(y=0.12)
    ax.set_xlim(right=7 * updates[-1])  # with room for the names
    ax.set_xlabel("updates")
    ax.set_ylabel("error: ● test, ○ train")
    each = "; ".join(f"{name}, train and test: {_rates_in_words(rates)}" for name, rates in errors.items())
    others = ", ".join(f"{name} {level:.3f}" for name, level in levels.items())
    words = _format.listing(list(updates), len(updates))
    describe(ax, f"Error rates after {words} updates. {each}. To compare: {others}.")
    return ax


def _rates_in_words(rates: ArrayLike) -> str:
    return ", ".join(f"{train:.3f} and {test:.3f}" for train, test in np.asarray(rates))

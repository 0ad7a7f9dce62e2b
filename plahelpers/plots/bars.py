"""Bars: how the labels depend on one feature, and how the error rates of a few rules compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import as_floats, check_labels
from plahelpers.plots import base


@base.style()
def shares(values: ArrayLike, y: ArrayLike, *, name: str = "x", most: int = 5, ax: Axes | None = None) -> Axes:
    """For each value of a feature of whole numbers: which share of the examples has y = +1, and how many there are.

    Used in chapter 1, "A bank and its applicants".

    Parameters
    ----------
    name : str
        What the feature is called.
    most : int
        All values from this one on share a bar.
    """
    column = as_floats(values, "values")
    labels = check_labels(y, len(column))
    ax = base.one_axes(ax, "shares")
    kept = np.minimum(column, most)
    bars = np.unique(kept)
    sizes = np.array([np.count_nonzero(kept == bar) for bar in bars])
    plus = np.array([np.mean(labels[kept == bar] == 1) for bar in bars])
    places = np.arange(len(bars))
    look: dict[str, Any] = {"width": 0.75, "edgecolor": "white"}
    ax.bar(places, plus, color=_theme.PLUS, label="y = +1", **look)
    ax.bar(places, 1 - plus, bottom=plus, color=_theme.MINUS, label="y = −1", hatch="//", **look)
    for place, size in zip(places, sizes, strict=True):
        base.write(ax, (place, 1.04), f"{size}", fontsize=base.SMALL)
    names = [f"{bar:g}+" if (column[kept == bar] > bar).any() else f"{bar:g}" for bar in bars]
    ax.set_xticks(places, names)
    ax.set(ylim=(0, 1.1), xlabel=name, title="examples, and the share of each label")
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    parts = ", ".join(
        f"{share:.0%} of {size} at {label}" for share, size, label in zip(plus, sizes, names, strict=True)
    )
    base.describe([ax], f"The share of y = +1 by {name}: {parts}.")
    return ax


@base.style()
def rates(
    table: Mapping[str, Sequence[float]], parts: Sequence[str] = ("train", "test"), *, ax: Axes | None = None
) -> Axes:
    """The error rates of a few rules, one bar for each part of the examples, the number at its end.

    Used in chapter 1, "Real data".

    Parameters
    ----------
    table : mapping
        From the name of each rule to its error rates, one for each part.
    parts : sequence of str
        What the parts are called.
    """
    values = np.array([as_floats(row, name) for name, row in table.items()])
    if values.shape != (len(table), len(parts)):
        raise ValueError(f"each rule must have {len(parts)} error rates, one for each of {', '.join(parts)}.")
    ax = base.one_axes(ax, "rates", size=(7.0, 0.5 * values.size + 1.2))
    height, places = 0.8 / len(parts), np.arange(len(table))
    fills = (_theme.INK, "#A9A9A9", "white")
    for k, part in enumerate(parts):
        at = places + (k - (len(parts) - 1) / 2) * height
        look: dict[str, Any] = {"color": fills[k % 3], "edgecolor": _theme.INK}
        for bar in ax.barh(at, values[:, k], 0.9 * height, label=part, **look):
            words = f" {bar.get_width():.1%}"
            ax.text(bar.get_width(), bar.get_y() + bar.get_height() / 2, words, va="center", fontsize=base.SMALL)
    ax.set_yticks(places, list(table))
    ax.invert_yaxis()
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set(xlim=(0, 1.18 * values.max()), xlabel="error rate")
    if len(parts) > 1:
        ax.legend(loc="lower right")
    lines = "; ".join(
        f"{rule}: {_format.listing([f'{rate:.1%} on {part}' for rate, part in zip(row, parts, strict=True)])}"
        for rule, row in zip(table, values, strict=True)
    )
    base.describe([ax], f"Error rates. {lines}.")
    return ax

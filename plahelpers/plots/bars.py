"""Bars: how the labels depend on one feature."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from plahelpers import _theme
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

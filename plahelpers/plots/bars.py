"""Bars: how the labels depend on one feature, and error rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, check_number
from plahelpers.plots import base

_LAST_BAR = 5  # of `shares`: a larger value belongs there too
_BAR = 0.38  # of `rates`, a share of the distance between two rows


@base.style()
def rates(
    table: Mapping[str, Sequence[float]],
    *,
    of: Sequence[str] = ("in-sample", "out-of-sample"),
    noise: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Two error rates for each name, as bars: such as those in-sample and out-of-sample of several rules.

    `of` says what the two rates are, and `noise`, drawn as a line, how often labels flip.
    Used first in chapter 1, "Further: Real applicants by hand".
    """
    values = _check_rates(table, of)
    own, ax = ax is None, base.one_axes(ax, "rates", size=(6.2, max(3.9, 1.3 + 0.75 * len(values))))
    rows, right = np.arange(len(values)), 1.25 * max(float(values.max()), 0.01)
    looks: tuple[dict[str, Any], ...] = (
        {"facecolor": "white", "edgecolor": _theme.INK, "linewidth": 1.2},
        {"facecolor": _theme.NEXT, "edgecolor": _theme.NEXT},
    )
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}  # where the line of the noise passes
    for k, (name, look) in enumerate(zip(of, looks, strict=True)):
        heights = rows + (k - 0.5) * _BAR
        ax.barh(heights, values[:, k], _BAR, label=name, zorder=base.LINES, **look)
        for value, height in zip(values[:, k], heights, strict=True):
            base.write(ax, (value + 0.01 * right, height), f"{value:.3f}", ha="left", fontsize=base.SMALL, bbox=paper)
    if noise is not None:
        ax.axvline(noise, color=_theme.INK, linestyle=":", zorder=base.POINTS, label=f"noise {_format.number(noise)}")
    ax.set_yticks(rows, list(table), fontsize=_theme.FONT_SIZE)
    ax.set(xlim=(0, right), ylim=(len(values) - 0.5, -0.5), xlabel="error rate")  # the first row on top
    each = "; ".join(f"{name} {one:.3f} and {other:.3f}" for name, (one, other) in zip(table, values, strict=True))
    base.describe(ax, f"Error rates, {of[0]} and {of[1]}: {each}.")
    if own:
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return ax


def _check_rates(table: Mapping[str, Sequence[float]], of: Sequence[str]) -> FloatArray:
    """The rates, a row for each name."""
    if len(of) != 2:
        raise ValueError(f"of must name the two rates of each row, not {len(of)}.")
    if not isinstance(table, Mapping) or not table or any(np.shape(row) != (2,) for row in table.values()):
        raise ValueError(f'rates needs two numbers for each name, such as {{"Pocket": (0.1, 0.3)}}; not {table!r:.60}.')
    return np.array([[check_number(rate, name, 0, 1) for rate in row] for name, row in table.items()])

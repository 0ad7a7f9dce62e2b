"""The learning picture: an unknown f, examples D, a hypothesis set H, an algorithm A, and the final g."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from plahelpers import _theme
from plahelpers.plots.base import SMALL, arrow, describe, one_axes, style


class _Block(NamedTuple):
    """A box of the diagram: where its middle is, what it is called, and what it means for the bank."""

    x: float
    y: float
    name: str
    meaning: str
    fill: str


_WIDTH, _HEIGHT = 3.1, 1.15
_BLOCKS = {
    "f": _Block(x=1.75, y=5.2, name="unknown target f", meaning="the ideal rule", fill="white"),
    "D": _Block(x=1.75, y=2.9, name="examples D", meaning="$(x_1, y_1), \\ldots, (x_N, y_N)$", fill=_theme.PLUS_REGION),
    "A": _Block(x=5.75, y=2.9, name="algorithm A", meaning="PLA, Pocket", fill=_theme.MINUS_REGION),
    "g": _Block(x=9.75, y=2.9, name="final g ≈ f", meaning="the rule we use", fill=_theme.PLUS_REGION),
    "H": _Block(x=5.75, y=0.6, name="hypothesis set H", meaning="all perceptrons", fill="white"),
}
_ARROWS = (("f", "D"), ("D", "A"), ("A", "g"), ("H", "A"))


@style()
def learning_picture(*, noise: bool = False, ax: Axes | None = None) -> Axes:
    """Learning in one picture: an unknown f, examples D, a hypothesis set H, an algorithm A, and the final g.

    Used in chapter 1, "The learning picture"; with noise in chapter 4, "Real data have noise".

    Parameters
    ----------
    noise : bool
        The labels of D are those of f with noise: some are not f(x).
    """
    ax = one_axes(ax, "learning_picture", size=(9.0, 4.9))
    for key, block in _BLOCKS.items():
        _draw_block(ax, block, dashed=key == "f")
    for start, end in _ARROWS:
        _draw_arrow(ax, _BLOCKS[start], _BLOCKS[end])
    if noise:
        _draw_noise(ax, _BLOCKS["f"], _BLOCKS["D"])
    _draw_likeness(ax, _BLOCKS["f"], _BLOCKS["g"])
    ax.set_xlim(0, 11.5)
    ax.set_ylim(-0.2, 6)
    ax.set_aspect("equal")
    ax.axis("off")
    source = "an unknown target f gives the examples D"
    if noise:
        source += ", and noise changes some of their labels, so that for these y is not f(x)"
    describe(
        [ax],
        f"The learning picture{' with noise' if noise else ''}: {source}; the algorithm A takes D and the hypothesis "
        "set H and picks from H the final hypothesis g, which should be close to f.",
    )
    return ax


def _draw_block(ax: Axes, block: _Block, dashed: bool) -> None:
    corner = block.x - _WIDTH / 2, block.y - _HEIGHT / 2
    edge: dict[str, Any] = {"edgecolor": _theme.INK, "linewidth": 1.5, "linestyle": "--" if dashed else "-"}
    shape = "round,pad=0,rounding_size=0.18"
    ax.add_patch(FancyBboxPatch(corner, _WIDTH, _HEIGHT, boxstyle=shape, facecolor=block.fill, **edge))
    ax.text(block.x, block.y + 0.22, block.name, ha="center", va="center", weight="bold")
    ax.text(block.x, block.y - 0.26, block.meaning, ha="center", va="center", fontsize=SMALL)


def _draw_arrow(ax: Axes, start: _Block, end: _Block) -> None:
    """From the edge of one block to the facing edge of the other."""
    across, up = np.sign(end.x - start.x), np.sign(end.y - start.y)
    tail = start.x + across * _WIDTH / 2, start.y + up * _HEIGHT / 2
    tip = end.x - across * _WIDTH / 2, end.y - up * _HEIGHT / 2
    arrow(ax, tail, tip, _theme.INK, mutation_scale=20, shrinkA=2, shrinkB=2, zorder=1)


def _draw_noise(ax: Axes, f: _Block, D: _Block) -> None:
    """Beside the arrow from f to D: what happens to the labels on the way."""
    ax.text(f.x + 0.2, (f.y + D.y) / 2, "+ noise: some $y_n \\neq f(x_n)$", va="center", fontsize=SMALL)


def _draw_likeness(ax: Axes, f: _Block, g: _Block) -> None:
    """A dotted line from g to f: the one is to be like the other, though f is never seen."""
    start, end = (f.x + _WIDTH / 2, f.y), (g.x, g.y + _HEIGHT / 2)
    corner = "angle,angleA=0,angleB=90,rad=8"
    gap: dict[str, Any] = {"arrowstyle": "-", "connectionstyle": corner, "shrinkA": 3, "shrinkB": 3, "zorder": 1}
    arrow(ax, start, end, _theme.FAINT, 1.5, linestyle=":", **gap)
    ax.text((f.x + g.x) / 2 + 0.6, f.y + 0.3, "hopefully alike", ha="center", color=_theme.FAINT, fontsize=SMALL)

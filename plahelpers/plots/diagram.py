"""The learning picture: an unknown f, examples D, a hypothesis set H, an algorithm A, and the final g."""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from plahelpers import _theme
from plahelpers.plots.base import SMALL, describe, style


class _Block(NamedTuple):
    """A box of the diagram: where its middle is, what it is called, and what it means for the bank."""

    x: float
    y: float
    name: str
    meaning: str
    fill: str


_WIDTH, _HEIGHT = 3.1, 1.15
_BLOCKS = {
    "f": _Block(1.75, 5.2, "unknown target f", "the ideal rule", "white"),
    "D": _Block(1.75, 2.9, "examples D", "$(x_1, y_1), \\ldots, (x_N, y_N)$", _theme.PLUS_REGION),
    "A": _Block(5.75, 2.9, "algorithm A", "PLA, Pocket", _theme.MINUS_REGION),
    "g": _Block(9.75, 2.9, "final g ≈ f", "the rule we use", _theme.PLUS_REGION),
    "H": _Block(5.75, 0.6, "hypothesis set H", "all perceptrons", "white"),
}
_ARROWS = (("f", "D"), ("D", "A"), ("A", "g"), ("H", "A"))


def draw(ax: Axes) -> None:
    """Draw the five blocks and the arrows between them."""
    with style():
        for key, block in _BLOCKS.items():
            _draw_block(ax, block, dashed=key == "f")
        for start, end in _ARROWS:
            _draw_arrow(ax, _BLOCKS[start], _BLOCKS[end])
        _draw_likeness(ax, _BLOCKS["f"], _BLOCKS["g"])
    ax.set_xlim(0, 11.5)
    ax.set_ylim(-0.2, 6)
    ax.set_aspect("equal")
    ax.axis("off")
    describe(
        [ax],
        _BLOCKS_KEY,
        "The learning picture: an unknown target f gives the examples D; the algorithm A takes D and the hypothesis "
        "set H and picks from H the final hypothesis g, which should be close to f.",
    )


_BLOCKS_KEY = object()


def _draw_block(ax: Axes, block: _Block, dashed: bool) -> None:
    corner = block.x - _WIDTH / 2, block.y - _HEIGHT / 2
    ax.add_patch(
        FancyBboxPatch(
            corner, _WIDTH, _HEIGHT, boxstyle="round,pad=0,rounding_size=0.18", facecolor=block.fill,
            edgecolor=_theme.INK, linewidth=1.5, linestyle="--" if dashed else "-",
        )
    )  # fmt: skip
    ax.text(block.x, block.y + 0.22, block.name, ha="center", va="center", weight="bold")
    ax.text(block.x, block.y - 0.26, block.meaning, ha="center", va="center", fontsize=SMALL)


def _draw_arrow(ax: Axes, start: _Block, end: _Block) -> None:
    """From the edge of one block to the facing edge of the other."""
    across, up = _signum(end.x - start.x), _signum(end.y - start.y)
    tail = start.x + across * _WIDTH / 2, start.y + up * _HEIGHT / 2
    tip = end.x - across * _WIDTH / 2, end.y - up * _HEIGHT / 2
    ax.add_patch(
        FancyArrowPatch(
            tail, tip, arrowstyle="-|>", mutation_scale=20, shrinkA=2, shrinkB=2, color=_theme.INK,
            linewidth=_theme.LINE_WIDTH,
        )
    )  # fmt: skip


def _draw_likeness(ax: Axes, f: _Block, g: _Block) -> None:
    """A dotted line from g to f: the one is to be like the other, though f is never seen."""
    start, end = (f.x + _WIDTH / 2, f.y), (g.x, g.y + _HEIGHT / 2)
    ax.add_patch(
        FancyArrowPatch(
            start, end, arrowstyle="-", connectionstyle="angle,angleA=0,angleB=90,rad=8", shrinkA=3, shrinkB=3,
            color=_theme.FAINT, linewidth=1.5, linestyle=":",
        )
    )  # fmt: skip
    ax.text((f.x + g.x) / 2 + 0.6, f.y + 0.3, "hopefully alike", ha="center", color=_theme.FAINT, fontsize=SMALL)


def _signum(value: float) -> int:
    return (value > 0) - (value < 0)

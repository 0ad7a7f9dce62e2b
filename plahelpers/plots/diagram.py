"""Diagrams: how learning goes from examples to the final g, and how a perceptron goes from features to an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch

from plahelpers import _format, _theme
from plahelpers.plots.base import SMALL, arrow, as_weights, describe, one_axes, style, sub, write


class _Block(NamedTuple):
    """A box of the learning picture: where its middle is, what it is called, and what it means for the bank."""

    x: float
    y: float
    name: str
    meaning: str
    fill: str


_WIDTH, _HEIGHT = 3.5, 1.3
_BLOCKS = {
    "f": _Block(x=1.85, y=5.4, name="target f", meaning="unknown rule", fill="white"),
    "D": _Block(x=1.85, y=3.0, name="examples D", meaning="$(x_1, y_1), \\ldots, (x_N, y_N)$", fill=_theme.PLUS_REGION),
    "A": _Block(x=6.25, y=3.0, name="algorithm A", meaning="PLA, Pocket", fill=_theme.MINUS_REGION),
    "g": _Block(x=10.65, y=3.0, name="final g ≈ f", meaning="the rule we use", fill=_theme.PLUS_REGION),
    "H": _Block(x=6.25, y=0.6, name="hypothesis set H", meaning="all perceptrons", fill="white"),
}
_ARROWS = (("f", "D"), ("D", "A"), ("A", "g"), ("H", "A"))


@style()
def learning_picture(*, noise: bool = False, ax: Axes | None = None) -> Axes:
    """Learning in one picture: an unknown f, examples D, a hypothesis set H, an algorithm A, and the final g.

    With noise some labels of D are not f(x). Used first in chapter 1, "The learning picture".
    """
    ax = one_axes(ax, "learning_picture", size=(7.0, 3.75))
    for key, block in _BLOCKS.items():
        _draw_block(ax, block, dashed=key == "f")
    for start, end in _ARROWS:
        _draw_arrow(ax, _BLOCKS[start], _BLOCKS[end])
    with_noise = changed = ""
    if noise:
        ax.text(2.05, 4.2, "+ noise: some $y_n \\neq f(x_n)$", va="center", fontsize=SMALL)
        with_noise = " with noise"
        changed = ", and noise changes some of their labels, so that for these y is not f(x)"
    _draw_likeness(ax, _BLOCKS["f"], _BLOCKS["g"])
    ax.set(xlim=(0, 12.5), ylim=(-0.2, 6.2), aspect="equal")
    ax.axis("off")
    describe(
        ax,
        f"The learning picture{with_noise}: an unknown target f gives the examples D{changed}; the algorithm A takes D "
        "and the hypothesis set H and picks from H the final hypothesis g, which should be close to f.",
    )
    return ax


def _draw_block(ax: Axes, block: _Block, dashed: bool) -> None:
    _draw_box(ax, (block.x, block.y), (_WIDTH, _HEIGHT), block.fill, linestyle="--" if dashed else "-")
    ax.text(block.x, block.y + 0.28, block.name, ha="center", va="center", fontsize=SMALL + 1, weight="bold")
    ax.text(block.x, block.y - 0.3, block.meaning, ha="center", va="center", fontsize=SMALL)


def _draw_box(ax: Axes, middle: tuple[float, float], size: tuple[float, float], fill: str, **look: Any) -> None:
    corner = middle[0] - size[0] / 2, middle[1] - size[1] / 2
    look = {"boxstyle": "round,pad=0,rounding_size=0.18", "edgecolor": _theme.INK, "linewidth": 1.5, **look}
    ax.add_patch(FancyBboxPatch(corner, *size, facecolor=fill, **look))


def _draw_arrow(ax: Axes, start: _Block, end: _Block) -> None:
    """From the edge of one block to the facing edge of the other."""
    across, up = np.sign(end.x - start.x), np.sign(end.y - start.y)
    tail = start.x + across * _WIDTH / 2, start.y + up * _HEIGHT / 2
    tip = end.x - across * _WIDTH / 2, end.y - up * _HEIGHT / 2
    arrow(ax, tail, tip, _theme.INK, mutation_scale=20, shrinkA=2, shrinkB=2, zorder=1)


def _draw_likeness(ax: Axes, f: _Block, g: _Block) -> None:
    """A dotted line from g to f: the one is to be like the other, though f is never seen."""
    start, end = (f.x + _WIDTH / 2, f.y), (g.x, g.y + _HEIGHT / 2)
    corner = "angle,angleA=0,angleB=90,rad=8"
    gap: dict[str, Any] = {"arrowstyle": "-", "connectionstyle": corner, "shrinkA": 3, "shrinkB": 3, "zorder": 1}
    arrow(ax, start, end, _theme.FAINT, 1.5, linestyle=":", **gap)
    ax.text((f.x + g.x) / 2 + 0.6, f.y + 0.3, "hopefully alike", ha="center", color=_theme.FAINT, fontsize=SMALL)


@style()
def neuron(w: Any, names: Sequence[str] = (), *, ax: Axes | None = None) -> Axes:
    """A perceptron as a diagram: the constant and the features, each times its weight, their sum, and its sign.

    The features are called x₁, x₂, … if no names are given. Used in chapter 1, "The bias trick".
    """
    weights = as_weights(w)
    names = names or [f"x{sub(i)}" for i in range(1, len(weights))]
    if len(names) != len(weights) - 1:
        raise ValueError(f"names must name each feature: {len(weights) - 1} names, not {len(names)}.")
    ax = one_axes(ax, "neuron", size=(7.0, 0.8 * len(weights) + 0.1))
    heights = 1.3 * np.arange(len(weights))[::-1]
    middle = float(heights.mean())
    paper: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 2}
    for i, (height, name, weight) in enumerate(zip(heights, ("x₀ = +1", *names), weights, strict=True)):
        fill = _theme.MINUS_REGION if i == 0 else _theme.PLUS_REGION
        _draw_named_box(ax, (1.4, float(height)), (2.5, 0.85), name, fill)
        arrow(ax, (2.65, height), (5.85, middle), _theme.INK, zorder=1)
        value = f"w{sub(i)} = {_format.number(weight)}".replace("-", "−")
        write(ax, (3.93, 0.6 * height + 0.4 * middle), value, fontsize=SMALL, bbox=paper)
    ax.add_patch(Circle((6.5, middle), 0.65, facecolor="white", edgecolor=_theme.INK, linewidth=1.5))
    ax.text(6.5, middle, "wᵀx", ha="center", va="center", weight="bold")
    arrow(ax, (7.15, middle), (8.0, middle), _theme.INK)
    _draw_named_box(ax, (8.65, middle), (1.3, 0.85), "sign", "white")
    arrow(ax, (9.3, middle), (10.1, middle), _theme.INK)
    ax.text(10.2, middle, "h(x)", va="center", weight="bold")
    ax.set(xlim=(0, 11.4), ylim=(heights.min() - 0.7, heights.max() + 0.7), aspect="equal")
    ax.axis("off")
    pairs = zip(names, weights[1:], strict=True)
    products = ", ".join(f"{name} times {_format.number(weight)}" for name, weight in pairs)
    describe(
        ax,
        f"A perceptron: the constant 1 times {_format.number(weights[0])}, {products}. The sum is the score, "
        "and the sign of the score is the answer h(x).",
    )
    return ax


def _draw_named_box(ax: Axes, middle: tuple[float, float], size: tuple[float, float], words: str, fill: str) -> None:
    _draw_box(ax, middle, size, fill)
    ax.text(*middle, words, ha="center", va="center")

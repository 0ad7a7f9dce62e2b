"""Diagrams: how learning goes from examples to the final g, and how a perceptron goes from features to an answer."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch

from plahelpers import _format, _theme
from plahelpers.plots.base import SCORE, SMALL, arrow, as_weights, describe, one_axes, style, write

_SIZE = np.array([4.0, 1.5])  # of a box of the learning picture
# Where the middle of each box is, its name, and what it is for us.
_BOXES = {
    "f": ((2.1, 5.4), "target $f$", "unknown rule"),
    "D": ((2.1, 3.0), "examples $D$", "$(x_1, y_1), \\ldots, (x_N, y_N)$"),
    "A": ((6.75, 3.0), "algorithm $A$", "PLA, Pocket"),
    "g": ((11.4, 3.0), "final $g \\approx f$", "the rule we use"),
    "H": ((6.75, 0.6), "hypothesis set $H$", "all perceptrons"),
}
_FILL = _theme.LOOK["control"][0]


@style()
def learning_picture(*, noise: bool = False, ax: Axes | None = None) -> Axes:
    """Learning in one picture: an unknown f, examples D, a hypothesis set H, an algorithm A, and the final g.

    With noise some labels of D are not f(x).
    """
    ax = one_axes(ax, "learning_picture", size=(6.0, 3.0))
    for key, ((x, y), name, meaning) in _BOXES.items():
        _draw_box(ax, (x, y), _SIZE, linestyle="--" if key == "f" else "-")
        ax.text(x, y + 0.3, name, ha="center", va="center", weight="bold")
        ax.text(x, y - 0.35, meaning, ha="center", va="center", fontsize=_theme.FONT_SIZE - 2)
    for start, end in ("fD", "DA", "Ag", "HA"):
        towards = np.sign(np.subtract(_BOXES[end][0], _BOXES[start][0])) * _SIZE / 2  # from edge to facing edge
        arrow(ax, _BOXES[start][0] + towards, _BOXES[end][0] - towards, _theme.INK, shrinkA=2, shrinkB=2, zorder=1)
    ax.plot([4.2, 11.4, 11.4], [5.4, 5.4, 3.85], color=_theme.FAINT, linewidth=1.5, linestyle=":")  # from f to g
    ax.text(7.8, 5.6, "hopefully alike", ha="center", color=_theme.FAINT, fontsize=SMALL)
    with_noise = changed = ""
    if noise:
        ax.text(2.3, 4.2, "+ noise: some $y_n \\neq f(x_n)$", va="center", fontsize=SMALL)
        with_noise = " with noise"
        changed = ", and noise changes some of their labels, so that for these y is not f(x)"
    ax.set(xlim=(0, 13.5), ylim=(-0.2, 6.2), aspect="equal")
    ax.axis("off")
    describe(
        ax,
        f"The learning picture{with_noise}: an unknown target f gives the examples D{changed}; the algorithm A takes D "
        "and the hypothesis set H and picks from H the final hypothesis g, which should be close to f.",
    )
    return ax


def _draw_box(ax: Axes, middle: tuple[float, float], size: Any, words: str = "", **look: Any) -> None:
    corner = middle[0] - size[0] / 2, middle[1] - size[1] / 2
    look = {"boxstyle": "round,pad=0,rounding_size=0.18", "edgecolor": _theme.INK, "linewidth": 1.5, **look}
    ax.add_patch(FancyBboxPatch(corner, *size, facecolor=_FILL, **look))
    ax.text(*middle, words, ha="center", va="center")


@style()
def neuron(w: Any, names: Sequence[str], *, ax: Axes | None = None) -> Axes:
    """A perceptron as a diagram: the constant and the features, each times its weight, their sum, and its sign."""
    weights = as_weights(w)
    if len(names) != len(weights) - 1:
        raise ValueError(f"names must name each feature: {len(weights) - 1} names, not {len(names)}.")
    ax = one_axes(ax, "neuron", size=(6.0, 0.7 * len(weights) + 0.1))
    heights = 1.3 * np.arange(len(weights))[::-1]
    middle = float(heights.mean())
    paper: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 2}
    for i, (height, name, weight) in enumerate(zip(heights, ("$x_0 = +1$", *names), weights, strict=True)):
        _draw_box(ax, (1.4, float(height)), (2.5, 0.9), name)
        arrow(ax, (2.65, height), (5.85, middle), _theme.INK, zorder=1)
        value = f"$w_{{{i}}} = {_format.number(weight)}$"
        write(ax, (3.9, 0.61 * height + 0.39 * middle), value, fontsize=SMALL, color=_theme.W, bbox=paper)
    ax.add_patch(Circle((6.5, middle), 0.65, facecolor=_FILL, edgecolor=_theme.INK, linewidth=1.5))
    ax.text(6.5, middle, f"${SCORE}$", ha="center", va="center", color=_theme.W)
    arrow(ax, (7.15, middle), (8.0, middle), _theme.INK)
    _draw_box(ax, (8.7, middle), (1.4, 0.9), "sign")
    arrow(ax, (9.4, middle), (10.2, middle), _theme.INK)
    ax.text(10.3, middle, "$h(x)$", va="center")
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

"""Pictures of examples and lines: points, a perceptron, its mistakes, several lines, and a conflict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import LARGEST, FloatArray, IntArray, SignOfZero, check_number, check_weights
from plahelpers.geometry import Box, box_around, line_in_box, regions
from plahelpers.guarantee import Conflict, separate
from plahelpers.hypothesis import mistakes, scores
from plahelpers.learning import Run
from plahelpers.plots import base

_MARGIN: Final = 0.1  # around a box, for labels and rings


@base.style()
def points(X: Any, y: ArrayLike | None = None, *, index: Sequence[int] | None = None, ax: Axes | None = None) -> Axes:
    """The examples in the plane: o for +1, × for −1. Give X and y, or a `Data`; `index` has a number for each of them.

    Used first in chapter 1, "A weighted sum against a threshold".
    """
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "points")
    _check_index(index, len(table))
    own, ax = ax is None, base.one_axes(ax, "points")
    if not ax.has_data():
        base.set_box(ax, box_around(table) if index is None else _with_margin(box_around(table)))
    draw_points(ax, table, labels)
    _name_points(ax, table, index)
    base.describe(ax, f"{_points_in_words(labels)}.")
    _finish(ax, names, own)
    return ax


@base.style()
def perceptron(w: Any, *, box: tuple[float, float, float, float] | None = None, ax: Axes | None = None) -> Axes:
    """A perceptron in the plane: its line, the two regions, (w₁, w₂) at its true length, the distance of the origin.

    w is an array or a result that has one. The picture shows `box`, (left, right, bottom, top), or what is around the
    line, the vector and the origin. Used first in chapter 1, "Geometry".
    """
    weights = base.as_weights(w)
    base.refuse_unless_plane(len(weights) - 1, "perceptron")
    shown = _box_for(weights) if box is None else check_box(box)
    own, ax = ax is None, base.one_axes(ax, "perceptron", (7.0, 4.6))
    base.set_box(ax, shown)
    ends = draw_boundary(ax, shown, weights)
    if len(ends):
        base.describe(ax, f"{_line_in_words(weights, ends)} {_draw_normal(ax, shown, weights)}")
    else:
        base.describe(ax, _write_no_line(ax, shown, weights, -1))
    _finish(ax, ("x₁", "x₂"), own)
    return ax


@base.style()
def hypothesis(
    w: Any, X: Any = None, y: ArrayLike | None = None, *, index: Sequence[int] | None = None, ax: Axes | None = None
) -> Axes:
    """A perceptron and the examples: every mistake in a ring, the count in the title.

    `hypothesis(run)` draws the answer of a run over its own examples; `index` writes a number beside each example.
    Used first in chapter 1, "Geometry".
    """
    if X is None and isinstance(w, Run):
        X = w
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "hypothesis")
    weights = check_weights(base.as_weights(w), 2)
    _check_index(index, len(table))
    own, ax = ax is None, base.one_axes(ax, "hypothesis")
    box = box_around(table) if index is None else _with_margin(box_around(table))
    zero = w.sign_of_zero if isinstance(w, Run) else -1
    base.describe(ax, draw_hypothesis(ax, box, weights, table, labels, sign_of_zero=zero, index=index))
    _name_points(ax, table, index, _away_from_line(weights, table))
    _finish(ax, names, own)
    return ax


@base.style()
def conflict(X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """A few examples that no line can separate, because the convex hulls of + and − meet.

    Used in chapter 4, "Proof that no line will do".
    """
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "conflict")
    certificate = separate(table, labels).conflict
    if certificate is None:
        raise ValueError(
            "there is no conflict to draw: these data are separable. "
            "plots.hypothesis(separate(X, y), X, y) draws a line that gets every example right."
        )
    own, ax = ax is None, base.one_axes(ax, "conflict")
    base.set_box(ax, _with_margin(box_around(table)))
    draw_points(ax, table, labels)
    meeting = _draw_hulls(ax, certificate, table, labels)
    _name_examples(ax, certificate, table, labels, meeting)
    ax.set_title("Not linearly separable")
    examples = certificate.examples
    plus, minus = (_format.listing(examples[labels[examples] == label].tolist()) for label in (1, -1))
    base.describe(
        ax,
        f"{_points_in_words(labels)}. No line is right about {_examples_in_words(examples)}: the hull of "
        f"the positive ones ({plus}) meets that of the negative ones ({minus}) at {_format.vector(meeting)}.",
    )
    _finish(ax, names, own)
    return ax


def check_box(box: Any) -> Box:
    """A box, or a sentence about what it must be."""
    if np.shape(box) != (4,):
        raise ValueError(f"box must be four numbers, (left, right, bottom, top); not {box!r}.")
    sides = (check_number(side, name, -LARGEST, LARGEST) for side, name in zip(box, Box._fields, strict=True))
    checked = Box(*sides)
    if min(checked.spans) <= 0:
        raise ValueError(f"box must be (left, right, bottom, top), from low to high; {box} is empty.")
    return checked


def _box_for(w: FloatArray) -> Box:
    """A square around the origin and, if there is a line, its nearest point and the normal from there."""
    if not w[1:].any():
        return Box(-1.0, 1.0, -1.0, 1.0)
    length = float(np.hypot(*w[1:]))
    return base.square(_foot(w), max(1.5 * length, 2 * abs(w[0]) / length))


def _foot(w: FloatArray) -> FloatArray:
    """The point of the line that is nearest to the origin."""
    return np.asarray(-w[0] * w[1:] / (w[1:] @ w[1:]))


def _draw_normal(ax: Axes, box: Box, w: FloatArray) -> str:
    """Draw the vector (w₁, w₂) from the line's point nearest to the origin, and how far that is; say both."""
    foot, unit, side = _foot(w), w[1:] / np.hypot(*w[1:]), 0.04 * box.spans[0]
    across = np.array([-unit[1], unit[0]])
    distance = _format.number(abs(w[0]) / float(np.hypot(*w[1:])))
    base.arrow(ax, foot, foot + w[1:], _theme.INK, 1.4 * _theme.LINE_WIDTH, zorder=base.WORDS)
    right_angle = foot + side * np.array([unit, unit + across, across])
    ax.plot(*base.positions(right_angle), color=_theme.INK, linewidth=1.5, zorder=base.LINES)
    base.write(ax, foot + w[1:] + 2 * side * unit, "(w₁, w₂)", weight="bold")
    dotted: dict[str, Any] = {"linestyle": ":", "color": _theme.MISTAKE, "zorder": base.LINES}
    ax.plot(*base.positions([np.zeros(2), foot]), label=f"|w₀| / ℓ = {distance}", **dotted)
    ax.plot(0, 0, marker="o", linestyle="none", color=_theme.MISTAKE, zorder=base.POINTS, label="origin")
    return (
        f"The vector (w₁, w₂) = {_format.vector(w[1:])} is at right angles to the line and points to the + side. The "
        f"origin is at the distance {distance} from the line."
    )


def _finish(ax: Axes, names: tuple[str, ...], own: bool) -> None:
    """Name the axes, if they have no names yet; a figure of our own gets a legend beside the picture."""
    if not ax.get_xlabel():
        ax.set_xlabel(names[0])
        ax.set_ylabel(names[1])
    if own:
        base.legend(ax)
        ax.locator_params(nbins=6)


def draw_points(ax: Axes, X: FloatArray, y: IntArray) -> None:
    """Draw the examples: o for +1, × for −1."""
    look: dict[str, Any] = {"linestyle": "none", "zorder": base.POINTS}
    ax.plot(*base.positions(X[y == 1]), marker="o", color=_theme.PLUS, label="y = +1", **look)
    look["markeredgewidth"] = _theme.LINE_WIDTH
    ax.plot(*base.positions(X[y == -1]), marker="x", color=_theme.MINUS, label="y = −1", **look)


def _check_index(index: Sequence[int] | None, N: int) -> None:
    if index is not None and len(index) != N:
        raise ValueError(f"index must have a number for each example: {N} numbers, not {len(index)}.")


def _name_points(ax: Axes, X: FloatArray, index: Sequence[int] | None, towards: ArrayLike = (1.0, 0.0)) -> None:
    """Write its number beside each example, in this direction or each in its own, where a ring leaves room."""
    if index is None:
        return
    for x, number, (right, up) in zip(X, index, np.broadcast_to(towards, (len(X), 2)), strict=True):
        away = 1.9 * _theme.MARK_SIZE / max(abs(right), abs(up))  # where a number just clears a ring
        base.write(ax, x, str(number), (away * right, away * up), fontsize=base.SMALL)


def _away_from_line(w: FloatArray, X: FloatArray) -> FloatArray:
    """For each example the direction that leads away from the line of w; to the right if there is no line."""
    if not w[1:].any():
        return np.array([1.0, 0.0])
    return np.asarray(np.where(scores(w, X) > 0, 1, -1)[:, np.newaxis] * w[1:] / np.hypot(*w[1:]))


def _draw_perceptron(ax: Axes, box: Box, w: FloatArray, points: FloatArray, sign_of_zero: SignOfZero, name: str) -> str:
    """Draw the line wᵀx = 0, the two regions and the normal with its name; say it in words."""
    ends = draw_boundary(ax, box, w, sign_of_zero)
    if not len(ends):
        return _write_no_line(ax, box, w, sign_of_zero, free_height(points, box))
    # With scales of their own the axes show no right angles, and the normal would look wrong.
    if ax.get_aspect() != "auto":
        start, step = _normal_in_box(w, ends, box)
        base.arrow(ax, start, start + step, _theme.INK, zorder=base.WORDS)  # over the points, which would hide its head
        base.write(ax, start + 1.45 * step, name, clip_on=True, weight="bold")
    return _line_in_words(w, ends)


def _line_in_words(w: FloatArray, ends: FloatArray) -> str:
    one, other = (_format.vector(end) for end in ends)
    return f"The line of w = {_format.vector(w)} goes from {one} to {other}; + is {_side(w)} it."


def _write_no_line(ax: Axes, box: Box, w: FloatArray, sign_of_zero: SignOfZero, height: float = 0.5) -> str:
    """Write at this height why there is no line and what the answer is; say it in words."""
    plus, minus = regions(w, box, sign_of_zero)
    answer = "all +1" if len(plus) else "all −1" if len(minus) else "undecided"
    reason = "line outside" if w[1:].any() else "no line" if w.any() else "w = 0"
    note = f"{reason}: {answer}"
    base.write(ax, (0.5, height), note, xycoords="axes fraction", fontsize=base.SMALL)
    return f"There is no line to draw ({note})."


def draw_boundary(ax: Axes, box: Box, w: FloatArray, sign_of_zero: SignOfZero = -1) -> FloatArray:
    """Draw the line wᵀx = 0 and the two regions; the two ends of the line, if it is in the box."""
    plus, minus = regions(w, box, sign_of_zero)
    for corners, color, name in ((plus, _theme.PLUS_REGION, "h(x) = +1"), (minus, _theme.MINUS_REGION, "h(x) = −1")):
        if len(corners):
            ax.add_patch(Polygon(corners, facecolor=color, zorder=base.REGIONS, label=name))
    ends = line_in_box(w, box)
    ax.plot(*base.positions(ends), color=_theme.INK, zorder=base.LINES, label="wᵀx = 0")
    return ends


def draw_hypothesis(
    ax: Axes,
    box: Box,
    w: FloatArray,
    X: FloatArray,
    y: IntArray,
    *,
    sign_of_zero: SignOfZero = -1,
    index: Sequence[int] | None = None,
    pick: int | None = None,
    title: str | None = None,
    name: str = "w",
) -> str:
    """Draw w, the points and a ring around each mistake; `pick`, which is corrected next, gets a second ring.

    What is returned says it in words, in which an example has its number of `index`.
    """
    base.set_box(ax, box)
    wrong = mistakes(w, X, y, sign_of_zero=sign_of_zero)
    sentence = _draw_perceptron(ax, box, w, X, sign_of_zero, name)
    draw_points(ax, X, y)
    _draw_rings(ax, X[wrong], "mistake")
    _draw_rings(ax, X[[] if pick is None else [pick]], "corrected next", size=3.0, width=1.6)
    ax.set_title(f"{len(wrong)} of {len(y)} wrong" if title is None else title)
    next_one = "" if pick is None else f" Example {pick} is corrected next."
    numbers = wrong if index is None else np.asarray(index)[wrong]
    return f"{_points_in_words(y)}; {_wrong_in_words(w, numbers)}.{next_one} {sentence}"


def _draw_rings(ax: Axes, places: FloatArray, label: str, size: float = 2.0, width: float = 1.0) -> None:
    """Draw a ring around each of these places."""
    mark: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": size * _theme.MARK_SIZE}
    mark |= {"markeredgecolor": _theme.MISTAKE, "markeredgewidth": width * _theme.LINE_WIDTH}
    ax.plot(*base.positions(places), markerfacecolor="none", zorder=base.RINGS, label=label, **mark)


def _points_in_words(y: IntArray) -> str:
    """20 points, 7 positive."""
    return f"{_format.count(len(y), 'point')}, {np.count_nonzero(y == 1)} positive"


def _wrong_in_words(w: FloatArray, wrong: IntArray) -> str:
    """The line makes 2 mistakes: examples 3, 9."""
    which = f": {_examples_in_words(wrong)}" if len(wrong) else ""
    return f"the {'line' if w[1:].any() else 'hypothesis'} makes {_format.count(len(wrong), 'mistake')}{which}"


def _examples_in_words(numbers: IntArray) -> str:
    return f"example{'s' if len(numbers) > 1 else ''} {_format.listing(numbers.tolist())}"


def _normal_in_box(w: FloatArray, ends: FloatArray, box: Box) -> tuple[FloatArray, FloatArray]:
    """Where the normal starts, and its step: at the line's middle, or from where its tip stays in the box."""
    unit = w[1:] / np.abs(w[1:]).max()
    step = 0.15 * min(box.spans) * unit / np.hypot(*unit)
    for share in (0.5, 0.25, 0.75, 0.1, 0.9):
        start = ends[0] + share * (ends[1] - ends[0])
        if box.contains(*start + 1.6 * step):  # with room for its name
            return start, step
    return ends.mean(axis=0), step


def free_height(X: FloatArray, box: Box) -> float:
    """The height, from 0 to 1, at which a word in the middle of the picture is farthest from all points."""
    heights = np.linspace(0.06, 0.94, 23)
    across, up = ((X - [box.left, box.bottom]) / box.spans).T
    near = up[(across > 0.15) & (across < 0.85)]
    clear = np.abs(heights[:, np.newaxis] - near).min(axis=1, initial=1.0)
    return float(heights[int(clear.argmax())])


def _side(w: FloatArray) -> str:
    """Where + is, in words."""
    right, up = w[1], w[2]
    if abs(right) >= abs(up):
        return "right of" if right > 0 else "left of"
    return "above" if up > 0 else "below"


def _draw_hulls(ax: Axes, conflict: Conflict, X: FloatArray, y: IntArray) -> FloatArray:
    """Draw the certificate: both hulls, its examples, their weights as rings, and the point where the hulls meet."""
    places, labels, a = X[conflict.examples], y[conflict.examples], conflict.weights
    for label, color, line in ((1, _theme.PLUS, "-"), (-1, _theme.MINUS, "--")):
        corners = places[labels == label]
        look: dict[str, Any] = {"facecolor": color + "40", "edgecolor": color, "linewidth": _theme.LINE_WIDTH}
        closed = len(corners) > 2  # a segment is drawn once, not there and back
        ax.add_patch(Polygon(corners, closed=closed, linestyle=line, zorder=base.LINES, **look))
    ring: dict[str, Any] = {"facecolors": "none", "edgecolors": _theme.MISTAKE, "linewidths": _theme.LINE_WIDTH}
    ring["s"] = (2.2 * _theme.MARK_SIZE) ** 2 * (0.6 + 4 * a)
    ax.scatter(*base.positions(places), zorder=base.RINGS, label="in conflict\n(size: weight)", **ring)
    plus = labels == 1
    meeting = np.asarray(a[plus] @ places[plus] / a[plus].sum())  # Σ aₙyₙxₙ = 0, so those of − have this mean too
    look = {"linestyle": "none", "marker": "D", "color": _theme.INK, "zorder": base.WORDS}
    ax.plot(*base.positions(meeting), label="the hulls meet", **look)
    return meeting


def _name_examples(ax: Axes, conflict: Conflict, X: FloatArray, y: IntArray, meeting: FloatArray) -> None:
    """Write the index and the weight of each example over or under its ring, away from where the hulls meet."""
    for n, weight in zip(conflict.examples, conflict.weights, strict=True):
        height = X[n, 1] - meeting[1]
        side = np.sign(height) if abs(height) > 1e-9 else y[n]  # at one place the two labels are apart
        base.write(ax, X[n], f"{n}: {weight:.2f}", (0, 25 * side), fontsize=base.SMALL)


# Each line of `lines` has its own colour and its own dashes.
_LOOKS: Final = ((_theme.INK, "-"), (_theme.NEXT, "--"), (_theme.POCKET, "-."), (_theme.MISTAKE, ":"))


@base.style()
def lines(weights: Mapping[str, Any], X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """The lines of up to four w, or of results such as a `Run`, by name. Used first in chapter 2, "Three orders"."""
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "lines")
    if not 1 <= len(weights) <= len(_LOOKS):
        raise ValueError(f"plots.lines draws one to {len(_LOOKS)} lines, not {len(weights)}.")
    own, ax = ax is None, base.one_axes(ax, "lines")
    box = box_around(table)
    base.set_box(ax, box)
    draw_points(ax, table, labels)
    each = []
    for (name, w), (color, dashes) in zip(weights.items(), _LOOKS, strict=False):
        line = check_weights(base.as_weights(w), 2)
        ends = line_in_box(line, box)
        ax.plot(*base.positions(ends), color=color, linestyle=dashes, zorder=base.LINES, label=name)
        each.append(f"{name}: {_wrong_in_words(line, mistakes(line, table, labels))}, w = {_format.vector(line)}")
    base.describe(ax, f"{_points_in_words(labels)}, and {_format.count(len(each), 'line')}. {'; '.join(each)}.")
    _finish(ax, names, own)
    return ax


def _with_margin(box: Box) -> Box:
    """A box with room around it for the labels and the rings of points at its edge."""
    across, up = (_MARGIN * span for span in box.spans)
    return Box(box.left - across, box.right + across, box.bottom - up, box.top + up)

"""Pictures of examples and lines: points, a perceptron, its mistakes, several lines, a conflict, all labellings."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike, NDArray

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray, SignOfZero, check_points, check_weights
from plahelpers.geometry import Box, box_around, line_in_box, regions
from plahelpers.guarantee import Conflict, separate
from plahelpers.hypothesis import mistakes, scores
from plahelpers.learning import Run
from plahelpers.plots import base

_MARGIN: Final = 0.1  # around a box, for labels and rings
_PLANE: Final = (4.8, 4.6)  # inches


@base.style()
def points(X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """The examples in the plane: o for +1, × for −1. Give X and y, or a `Data`."""
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "points")
    ax = base.one_axes(ax, "points", _PLANE)
    if not ax.has_data():
        base.set_box(ax, box_around(table))
    draw_points(ax, table, labels)
    base.describe(ax, f"{_points_in_words(labels)}.")
    _finish(ax, names)
    return ax


@base.style()
def perceptron(w: Any, *, ax: Axes | None = None) -> Axes:
    """A perceptron in the plane: its line, the two regions, (w₁, w₂) at its true length, the distance of the origin.

    w is an array or a run.
    """
    weights = base.as_weights(w)
    base.refuse_unless_plane(len(weights) - 1, "perceptron")
    if not weights[1:].any():
        raise ValueError("plots.perceptron draws a line, and there is none if w₁ and w₂ are 0.")
    length = float(np.hypot(*weights[1:]))
    box = base.square(_foot(weights), max(1.5 * length, 2 * abs(weights[0]) / length))
    ax = base.one_axes(ax, "perceptron", _PLANE)
    base.set_box(ax, box)
    draw_boundary(ax, box, weights)
    _name_regions(ax, box, weights)
    base.describe(ax, f"{_line_in_words(weights)} {_draw_normal(ax, box, weights)}")
    ax.set(xlabel="$x_1$", ylabel="$x_2$")
    return ax


@base.style()
def hypothesis(
    w: Any,
    X: Any = None,
    y: ArrayLike | None = None,
    *,
    target: ArrayLike | None = None,
    index: Sequence[int] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A perceptron and the examples, with a ring around every mistake, and how many these are.

    `hypothesis(run)` draws the answer of a run over its own examples. The line of the `target`, which may be w itself,
    is dashed and named f; `index` writes a number beside each example.
    """
    if X is None and isinstance(w, Run):
        X = w
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "hypothesis")
    weights = check_weights(base.as_weights(w), 2)
    if index is not None and len(index) != len(table):
        raise ValueError(f"index must have a number for each example: {len(table)} numbers, not {len(index)}.")
    ax = base.one_axes(ax, "hypothesis", _PLANE)
    box = box_around(table) if index is None else _with_margin(box_around(table))
    zero = w.sign_of_zero if isinstance(w, Run) else -1
    f = None if target is None else check_weights(target, 2)
    base.describe(ax, draw_hypothesis(ax, box, weights, table, labels, sign_of_zero=zero, index=index, target=f))
    if index is not None:
        _name_points(ax, table, index, weights)
    _finish(ax, names)
    return ax


@base.style()
def conflict(X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """A few examples that no line can separate, because the convex hulls of + and − meet."""
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "conflict")
    certificate = separate(table, labels).conflict
    if certificate is None:
        raise ValueError(
            "there is no conflict to draw: these data are separable. "
            "plots.hypothesis(separate(X, y).w_f, X, y) draws a line that gets every example right."
        )
    ax = base.one_axes(ax, "conflict", _PLANE)
    base.set_box(ax, _with_margin(box_around(table)))
    draw_points(ax, table, labels)
    meeting = _draw_hulls(ax, certificate, table, labels)
    examples = certificate.examples
    plus, minus = (_format.listing(examples[labels[examples] == label].tolist()) for label in (1, -1))
    base.describe(
        ax,
        f"{_points_in_words(labels)}. No line is right about {_examples_in_words(examples)}: the hull of "
        f"the positive ones ({plus}) meets that of the negative ones ({minus}) at {_format.vector(meeting)}.",
    )
    _finish(ax, names)
    return ax


def _foot(w: FloatArray) -> FloatArray:
    """The point of the line that is nearest to the origin."""
    return np.asarray(-w[0] * w[1:] / (w[1:] @ w[1:]))


def _draw_normal(ax: Axes, box: Box, w: FloatArray) -> str:
    """Draw the vector (w₁, w₂) from the line's point nearest to the origin, and how far that is; say both."""
    foot, unit, side = _foot(w), w[1:] / np.hypot(*w[1:]), 0.04 * box.spans[0]
    across = np.array([-unit[1], unit[0]])
    distance = _format.number(abs(w[0]) / float(np.hypot(*w[1:])))
    base.arrow(ax, foot, foot + w[1:], _theme.W, 1.4 * _theme.LINE_WIDTH, zorder=base.WORDS)
    right_angle = foot + side * np.array([unit, unit + across, across])
    ax.plot(*base.positions(right_angle), color=_theme.FAINT, linewidth=1.5, zorder=base.LINES)
    base.write(ax, foot + w[1:] + 2 * side * unit, "$(w_1, w_2)$", color=_theme.W)
    ax.plot(*base.positions([np.zeros(2), foot]), linestyle=":", color=_theme.INK, zorder=base.LINES)
    ax.plot(0, 0, marker="o", linestyle="none", color=_theme.INK, zorder=base.POINTS)
    away = (65, 85) * (unit if w[0] > 0 else -unit)  # from the line
    base.write(
        ax, (0, 0), f"origin, at distance\n$|w_0|/\\|(w_1, w_2)\\|$\n$= {distance}$", tuple(away), fontsize=base.SMALL
    )
    return (
        f"The vector (w₁, w₂) = {_format.vector(w[1:])} is at right angles to the line and points to the + side. The "
        f"origin is at the distance {distance} from the line."
    )


def _name_regions(ax: Axes, box: Box, w: FloatArray) -> None:
    """Write the answer in the farthest corner of each region."""
    heights = scores(w, np.array(box.corners))
    for corner, sign, color in ((heights.argmax(), "+", _theme.PLUS), (heights.argmin(), "-", _theme.MINUS_WORDS)):
        x, y = box.corners[corner]
        away = (58 if x == box.left else -58, 18 if y == box.bottom else -18)
        base.write(ax, (x, y), f"$h(x) = {sign}1$", away, color=color)


def _finish(ax: Axes, names: tuple[str, ...]) -> None:
    """Name the axes, if they have no names yet, and the marks."""
    if not ax.get_xlabel():
        ax.set(xlabel=names[0], ylabel=names[1])
    base.legend(ax)
    ax.locator_params(nbins=6)


def draw_points(ax: Axes, X: FloatArray, y: IntArray) -> None:
    """Draw the examples: o for +1, × for −1."""
    look: dict[str, Any] = {"linestyle": "none", "zorder": base.POINTS}
    ax.plot(*base.positions(X[y == 1]), marker="o", color=_theme.PLUS, label="+1", **look)
    look["markeredgewidth"] = _theme.LINE_WIDTH
    ax.plot(*base.positions(X[y == -1]), marker="x", color=_theme.MINUS, label="−1", **look)


def _name_points(ax: Axes, X: FloatArray, index: Sequence[int], w: FloatArray) -> None:
    """Write its number above or below each example, away from the line of w, where a ring leaves room."""
    away = np.copysign(2.1 * _theme.MARK_SIZE, w[2])  # where a number just clears a ring
    for x, number, score in zip(X, index, scores(w, X), strict=True):
        base.write(ax, x, str(number), (0, away if score > 0 else -away), fontsize=base.SMALL)


def _draw_normal_in_box(ax: Axes, box: Box, w: FloatArray, ends: FloatArray, points: FloatArray, name: str) -> None:
    """Draw the normal with its name: near the line's middle, where the two cover no point."""
    step = 0.15 * min(box.spans) * w[1:] / np.hypot(*w[1:])
    shares = np.array([0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9])
    starts = ends[0] + shares[:, np.newaxis] * (ends[1] - ends[0])
    along = starts[:, np.newaxis] + np.array([[0.5], [1.0], [1.45]]) * step
    room = np.hypot(*(along[:, :, np.newaxis] - points).T).min(axis=(0, 1))
    inside = [box.contains(*place + 0.4 * step) for place in along[:, -1]]
    best = int(np.where(inside, np.minimum(room, 0.6 * np.hypot(*step)), -1.0).argmax())
    base.arrow(ax, starts[best], along[best, 1], _theme.W, zorder=base.WORDS)  # over the points, which would hide it
    base.write(ax, along[best, -1], name, color=_theme.W, fontsize=_theme.FONT_SIZE + 2)


def _line_in_words(w: FloatArray) -> str:
    across = abs(w[1]) >= abs(w[2])
    side = ("right of" if w[1] > 0 else "left of") if across else ("above" if w[2] > 0 else "below")
    return f"The line of w = {_format.vector(w)}: + is {side} it."


def _no_line_in_words(box: Box, w: FloatArray, sign_of_zero: SignOfZero) -> str:
    """Why there is no line, and what the answer is."""
    plus, minus = regions(w, box, sign_of_zero)
    answer = "all +1" if len(plus) else "all −1" if len(minus) else "undecided"
    return f"{'line outside' if w[1:].any() else 'no line' if w.any() else 'w = 0'}: {answer}"


def draw_boundary(ax: Axes, box: Box, w: FloatArray, sign_of_zero: SignOfZero = -1, linestyle: str = "-") -> FloatArray:
    """Draw the line wᵀx = 0 and the two regions; the two ends of the line, if it is in the box."""
    plus, minus = regions(w, box, sign_of_zero)
    for corners, color in ((plus, _theme.PLUS_REGION), (minus, _theme.MINUS_REGION)):
        if len(corners):
            ax.add_patch(Polygon(corners, facecolor=color, zorder=base.REGIONS))
    ends = line_in_box(w, box)
    ax.plot(*base.positions(ends), color=_theme.W, linestyle=linestyle, zorder=base.LINES)
    return ends


def _draw_target(ax: Axes, box: Box, target: FloatArray, places: FloatArray) -> str:
    """Draw the line of the target, dashed, its name near an end and away from these places; say where it is."""
    ends = line_in_box(target, box)
    if not len(ends):
        return "The line of the target f is outside the picture."
    ax.plot(*base.positions(ends), color=_theme.INK, linestyle="--", zorder=base.LINES, label="_f")
    beside = 0.055 * min(box.spans) * target[1:] / np.hypot(*target[1:])
    along = [ends[0] + share * (ends[1] - ends[0]) for share in (0.09, 0.16, 0.23, 0.77, 0.84, 0.91)]
    names = np.vstack([along + beside, along - beside])
    room = np.hypot(*(names[:, np.newaxis] - places).T).min(axis=0)
    base.write(ax, names[room.argmax()], "$f$", fontsize=_theme.FONT_SIZE + 2)
    return f"Dashed, the target f. {_line_in_words(target)}"


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
    target: FloatArray | None = None,
    title: str = "",
    name: str = "$w$",
) -> str:
    """Draw w, the points and a ring around each mistake; `pick`, which is corrected next, gets a second ring.

    What is returned says it in words, in which an example has its number of `index`.
    """
    base.set_box(ax, box)
    wrong = mistakes(w, X, y, sign_of_zero=sign_of_zero)
    is_target = target is not None and np.array_equal(target, w)
    ends = draw_boundary(ax, box, w, sign_of_zero, "none" if is_target else "-")
    no_line = "" if len(ends) else _no_line_in_words(box, w, sign_of_zero)
    sentence = f"There is no line to draw ({no_line})." if no_line else _line_in_words(w)
    # With scales of their own the axes show no right angles, and the normal would look wrong.
    if len(ends) and ax.get_aspect() != "auto" and not is_target:
        _draw_normal_in_box(ax, box, w, ends, X, name)
    if target is not None:
        own = ends[:0] if is_target or no_line else np.linspace(ends[0], ends[1])
        sentence = ("" if is_target else f"{sentence} ") + _draw_target(ax, box, target, np.vstack([X, own]))
    draw_points(ax, X, y)
    _draw_rings(ax, X[wrong], f"{len(wrong)} of {len(y)} wrong")
    _draw_rings(ax, X[[] if pick is None else [pick]], "corrected next", size=3.0, width=1.6)
    ax.set_title(title or no_line)
    next_one = "" if pick is None else f" Example {pick} is corrected next."
    numbers = wrong if index is None else np.asarray(index)[wrong]
    return f"{_points_in_words(y)}; {_wrong_in_words(w, numbers)}.{next_one} {sentence}"


def _draw_rings(ax: Axes, places: FloatArray, label: str, size: float = 2.0, width: float = 1.0) -> None:
    """Draw a ring around each of these places."""
    mark: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": size * _theme.MARK_SIZE, "clip_on": False}
    mark |= {"markeredgecolor": _theme.MISTAKE, "markeredgewidth": width * _theme.LINE_WIDTH}
    [rings] = ax.plot(*base.positions(places), markerfacecolor="none", zorder=base.RINGS, label=label, **mark)
    rings.set_in_layout(False)  # one at the edge would move the picture


def _points_in_words(y: IntArray) -> str:
    """20 points, 7 positive."""
    return f"{_format.count(len(y), 'point')}, {np.count_nonzero(y == 1)} positive"


def _wrong_in_words(w: FloatArray, wrong: IntArray) -> str:
    """The line makes 2 mistakes: examples 3, 9."""
    which = f": {_examples_in_words(wrong)}" if len(wrong) else ""
    return f"the {'line' if w[1:].any() else 'hypothesis'} makes {_format.count(len(wrong), 'mistake')}{which}"


def _examples_in_words(numbers: IntArray) -> str:
    return f"example{'s' if len(numbers) > 1 else ''} {_format.listing(numbers.tolist())}"


def _draw_hulls(ax: Axes, conflict: Conflict, X: FloatArray, y: IntArray) -> FloatArray:
    """Draw the certificate: both hulls, where they meet, and the share of each example in that point."""
    places, labels, a = X[conflict.examples], y[conflict.examples], conflict.weights
    plus = labels == 1
    meeting = np.asarray(a[plus] @ places[plus] / a[plus].sum())  # Σ aₙyₙxₙ = 0, so those of − have this mean too
    for corners, color, line in ((places[plus], _theme.PLUS, "-"), (places[~plus], _theme.MINUS, "--")):
        look: dict[str, Any] = {"facecolor": color + "40", "edgecolor": color, "linewidth": _theme.LINE_WIDTH}
        closed = len(corners) > 2  # a segment is drawn once, not there and back
        ax.add_patch(Polygon(corners, closed=closed, linestyle=line, zorder=base.LINES, **look))
    for n, place, label, weight in zip(conflict.examples, places, labels, a, strict=True):
        height = place[1] - meeting[1]
        side = np.sign(height) if abs(height) > 1e-9 else label  # at one place the two labels are apart
        base.write(
            ax, place, f"{200 * weight:.0f} % of {n}", (0, 18 * side), fontsize=base.SMALL
        )  # per label, Σ aₙ = ½
    look = {"linestyle": "none", "marker": "D", "color": _theme.INK, "zorder": base.WORDS}
    ax.plot(*base.positions(meeting), label="where they cross", **look)
    return meeting


_DASHES: Final = ((_theme.INK, "--"), (_theme.FAINT, "-."), (_theme.INK, ":"), (_theme.FAINT, "-"))


@base.style()
def lines(weights: Mapping[str, Any], X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """The lines of up to four w, by name; that of a `Run`, its answer, is drawn through, and others are dashed."""
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "lines")
    if not 1 <= len(weights) <= len(_DASHES):
        raise ValueError(f"plots.lines draws one to {len(_DASHES)} lines, not {len(weights)}.")
    ax = base.one_axes(ax, "lines", _PLANE)
    box = box_around(table)
    base.set_box(ax, box)
    draw_points(ax, table, labels)
    each = []
    for (name, w), dashes in zip(weights.items(), _DASHES, strict=False):
        line = check_weights(base.as_weights(w), 2)
        color, style = (_theme.W, "-") if isinstance(w, Run) else dashes
        ax.plot(*base.positions(line_in_box(line, box)), color=color, linestyle=style, zorder=base.LINES, label=name)
        each.append(f"{name}: {_wrong_in_words(line, mistakes(line, table, labels))}, w = {_format.vector(line)}")
    base.describe(ax, f"{_points_in_words(labels)}, and {_format.count(len(each), 'line')}. {'; '.join(each)}.")
    _finish(ax, names)
    return ax


def _with_margin(box: Box) -> Box:
    """A box with room around it for the labels and the rings of points at its edge."""
    across, up = (_MARGIN * span for span in box.spans)
    return Box(box.left - across, box.right + across, box.bottom - up, box.top + up)


_MOST_POINTS: Final = 4  # with more there are too many labellings for a picture


@base.style()
def labellings(X: Any) -> NDArray[Any]:
    """Every labelling of a few points, each with a line that makes it, or with the words that none does."""
    points = check_points(X)
    base.refuse_unless_plane(points.shape[1], "labellings")
    if len(points) > _MOST_POINTS:
        raise ValueError(f"plots.labellings draws all labellings of at most {_MOST_POINTS} points, not {len(points)}.")
    ways = list(product((-1, 1), repeat=len(points)))
    panels = base.panels(len(ways), 4, 1.15)
    box = base.square_around(points, 0.75)
    drawn = zip(panels.flat, ways, strict=False)
    made = sum(_draw_labelling(ax, points, np.array(way), box) for ax, way in drawn)
    words = f"The {len(ways)} labellings of {len(points)} points, as + and −: a line makes {made} of them."
    base.describe(panels[0, 0], words)
    return panels


def _draw_labelling(ax: Axes, points: FloatArray, labels: IntArray, box: Box) -> bool:
    """One labelling, with a line that makes it: is there one?"""
    w = separate(points, labels).w_f
    base.set_box(ax, box)
    draw_points(ax, points, labels)
    if w is None:
        ax.set_facecolor(_theme.IMPOSSIBLE)
        base.write(ax, points.mean(axis=0), "no line", weight="bold")
        return False
    draw_boundary(ax, box, w)
    return True

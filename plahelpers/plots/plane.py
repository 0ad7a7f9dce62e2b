"""Pictures of the plane of x₁ and x₂: points, a perceptron, its mistakes, and a conflict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.path import Path
from matplotlib.transforms import offset_copy
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import (
    LARGEST,
    FloatArray,
    IntArray,
    SignOfZero,
    check_number,
    check_sign_of_zero,
    check_weights,
)
from plahelpers.geometry import Box, box_around, line_in_box, regions
from plahelpers.guarantee import Conflict, Separation, separate
from plahelpers.hypothesis import mistakes
from plahelpers.learning import Run
from plahelpers.plots import base

NO_POINTS: Final = np.empty((0, 2))
_MARGIN: Final = 0.1  # around a box, for labels and rings
_AREA: Final = 30.0  # of the mark of one example, where marks count examples


@base.style()
def points(X: Any, y: ArrayLike | None = None, *, index: Sequence[int] | None = None, ax: Axes | None = None) -> Axes:
    """The examples in the plane: o for +1, × for −1. Give X and y, or a `Data`.

    Used first in chapter 1, "A bank and its applicants".

    Parameters
    ----------
    index : sequence of int, optional
        A number for each example, to be written beside it.
    """
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "points")
    own, ax = ax is None, base.one_axes(ax, "points")
    if not ax.has_data():
        base.set_box(ax, box_around(table))
    draw_points(ax, table, labels)
    name_points(ax, table, index)
    base.describe([ax], f"{_points_in_words(labels)}.")
    _finish(ax, names, own)
    return ax


@base.style()
def perceptron(
    w: Any,
    *,
    box: tuple[float, float, float, float] | None = None,
    sign_of_zero: SignOfZero = -1,
    ax: Axes | None = None,
) -> Axes:
    """A perceptron in the plane: its line, the normal that points to the + side, and the two regions, shaded.

    Used first in chapter 1, "Geometry".

    Parameters
    ----------
    w : array or result
        The weights, or a result that has some: a `Run`, `BestLine` or `Separation`.
    box : (left, right, bottom, top), optional
        What to show; if not given, what ax shows, or a box around the origin.
    """
    weights, zero = base.as_weights(w), check_sign_of_zero(sign_of_zero)
    base.refuse_unless_plane(len(weights) - 1, "perceptron")
    own, ax = ax is None, base.one_axes(ax, "perceptron")
    if box is not None:
        box = check_box(box)
    elif ax.has_data():
        box = Box(*ax.get_xlim(), *ax.get_ylim())
    else:
        box = _box_for(weights)
    base.set_box(ax, box)
    base.describe([ax], draw_perceptron(ax, box, weights, zero))
    _finish(ax, ("x₁", "x₂"), own)
    return ax


@base.style()
def hypothesis(
    w: Any,
    X: Any = None,
    y: ArrayLike | None = None,
    *,
    sign_of_zero: SignOfZero | None = None,
    index: Sequence[int] | None = None,
    ax: Axes | None = None,
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
    if sign_of_zero is None:
        sign_of_zero = w.sign_of_zero if isinstance(w, Run) else -1
    zero = check_sign_of_zero(sign_of_zero)
    own, ax = ax is None, base.one_axes(ax, "hypothesis")
    base.describe([ax], draw_hypothesis(ax, box_around(table), weights, table, labels, sign_of_zero=zero))
    name_points(ax, table, index)
    _finish(ax, names, own)
    return ax


@base.style()
def counts(w: Any, X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """A perceptron and examples of which many stand at the same places: the larger a mark, the more examples.

    Where both labels occur at a place, its × stands in its o, and no line can separate them.
    Used in chapter 4, "Further: Other methods, and mail".
    """
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "counts")
    weights = check_weights(base.as_weights(w), 2)
    own, ax = ax is None, base.one_axes(ax, "counts", (6.4, 4.8))
    low, high = table.min(axis=0), table.max(axis=0)
    room = np.where(high > low, _MARGIN * (high - low), 1.0)
    (left, bottom), (right, top) = low - room, high + room
    box, wrong = Box(left, right, bottom, top), mistakes(weights, table, labels)
    base.set_box(ax, box)
    ax.set_aspect("auto")  # such features are counts of different things
    sentence = draw_perceptron(ax, box, weights, points=table)
    _draw_counts(ax, table[labels == 1], "y = +1", marker="o", facecolors="none", edgecolors=_theme.PLUS)
    _draw_counts(ax, table[labels == -1], "y = −1", marker="x", color=_theme.MINUS)
    ax.set_title(f"{len(wrong)} of {len(labels)} wrong")
    where = _format.count(len(np.unique(table, axis=0)), "place")
    base.describe([ax], f"{_points_in_words(labels)}, at {where}; {_how_many_wrong(weights, wrong)}. {sentence}")
    _finish(ax, names, own)
    return ax


@base.style()
def conflict(
    X: Any, y: ArrayLike | None = None, *, separation: Separation | None = None, ax: Axes | None = None
) -> Axes:
    """A few examples that no line can separate, because the convex hulls of + and − meet.

    Used in chapter 4, "Proof that no line will do".

    Parameters
    ----------
    separation : Separation, optional
        What `separate(X, y)` returned, if it is at hand.
    """
    table, labels, names = base.as_data(X, y)
    base.refuse_unless_plane(table.shape[1], "conflict")
    certificate = (separate(table, labels) if separation is None else separation).conflict
    if certificate is None:
        raise ValueError(
            "there is no conflict to draw: these data are separable. "
            "plots.hypothesis(separate(X, y), X, y) draws a line that gets every example right."
        )
    if certificate.examples.max() >= len(labels):
        raise ValueError(
            f"separation speaks of example {certificate.examples.max()}, but there are only {len(labels)} here: "
            "give the X and y that it was made from."
        )
    own, ax = ax is None, base.one_axes(ax, "conflict")
    base.set_box(ax, with_margin(box_around(table)))
    draw_points(ax, table, labels)
    rings = _draw_conflict(ax, certificate, table, labels)
    ax.set_title("Not linearly separable")
    base.describe([ax], f"{_points_in_words(labels)}. {_conflict_in_words(certificate, table, labels)}")
    _finish(ax, names, own)
    if own:  # only now is it known how much room the legend leaves
        ax.figure.draw_without_rendering()  # type: ignore[union-attr]
    _name_examples(ax, certificate, table, labels, rings)
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
    """A box around the origin from which the line of w can be seen."""
    length = float(np.hypot(w[1], w[2]))
    distance = abs(w[0]) / length if length else 0.0
    half = max(1.0, 1.5 * distance) if np.isfinite(distance) else 1.0
    return Box(-half, half, -half, half)


def _finish(ax: Axes, names: tuple[str, ...], own: bool) -> None:
    """Name the axes, if they have no names yet; a figure of our own gets a legend beside the picture."""
    if not ax.get_xlabel():
        ax.set_xlabel(names[0])
        ax.set_ylabel(names[1])
    if own or ax.get_legend() is not None:
        base.legend(ax)
    if own:
        ax.locator_params(nbins=6)


def draw_points(ax: Axes, X: FloatArray, y: IntArray) -> None:
    """Draw the examples: o for +1, × for −1."""
    look: dict[str, Any] = {"linestyle": "none", "zorder": base.POINTS}
    ax.plot(*base.positions(X[y == 1]), marker="o", color=_theme.PLUS, label="y = +1", **look)
    look["markeredgewidth"] = _theme.LINE_WIDTH
    ax.plot(*base.positions(X[y == -1]), marker="x", color=_theme.MINUS, label="y = −1", **look)


def name_points(
    ax: Axes, X: FloatArray, index: Sequence[int] | None, shift: tuple[float, float] = (1.6 * _theme.MARK_SIZE, 0)
) -> None:
    """Write its number beside each example, so far from it, in points, that a ring has room."""
    if index is None:
        return
    if len(index) != len(X):
        raise ValueError(f"index must have a number for each example: {len(X)} numbers, not {len(index)}.")
    for x, number in zip(X, index, strict=True):
        page = offset_copy(ax.transData, cast(Figure, ax.figure), *shift, units="points")
        base.write(ax, x, str(number), transform=page, fontsize=base.SMALL, ha="left" if shift[0] else "center")


def draw_perceptron(
    ax: Axes, box: Box, w: FloatArray, sign_of_zero: SignOfZero = -1, points: FloatArray = NO_POINTS, **line: Any
) -> str:
    """Draw the line wᵀx = 0, the two regions and the normal, whose name keeps clear of the points; say it in words.

    `line` overrides the look of the line.
    """
    ends = draw_boundary(ax, box, w, sign_of_zero, **line)
    if not len(ends):
        note = _why_no_line(w, len(regions(w, box, sign_of_zero)[0]) > 0, sign_of_zero)
        height = free_height(points, box) if len(points) else 0.5
        base.write(ax, (0.5, height), note, transform=ax.transAxes, zorder=base.LINES, fontsize=base.SMALL)
        return f"{note if note.startswith('w') else note.capitalize()}."  # w stays small: W is something else
    # With scales of their own the axes show no right angles, and the normal would look wrong.
    if ax.get_aspect() != "auto":
        start, tip = _normal_in_box(w, ends, box)
        base.arrow(ax, start, tip, _theme.INK, zorder=base.WORDS)  # over the points, which would hide its head
        base.write(ax, _place_of_name(start, tip, points), "w", clip_on=True, weight="bold")
    one, other = (_format.vector(end) for end in ends)
    return f"The line of w = {_format.vector(w)} goes from {one} to {other}; + is {_side(w)} it."


def draw_boundary(ax: Axes, box: Box, w: FloatArray, sign_of_zero: SignOfZero = -1, **line: Any) -> FloatArray:
    """Draw the line wᵀx = 0 and the two regions; the two ends of the line, if it is in the box."""
    plus, minus = regions(w, box, sign_of_zero)
    _draw_region(ax, plus, _theme.PLUS_REGION, "h(x) = +1")
    _draw_region(ax, minus, _theme.MINUS_REGION, "h(x) = −1")
    ends = line_in_box(w, box)
    ax.plot(*base.positions(ends), **{"color": _theme.INK, "zorder": base.LINES, "label": "wᵀx = 0", **line})
    return ends


def _draw_region(ax: Axes, corners: FloatArray, color: str, label: str) -> None:
    nowhere = np.zeros((1, 2))  # a region that is not there is named in a legend all the same, where one wants it
    seen = len(corners) > 0
    ax.add_patch(Polygon(corners if seen else nowhere, facecolor=color, zorder=base.REGIONS, label=label, visible=seen))


def draw_hypothesis(
    ax: Axes,
    box: Box,
    w: FloatArray,
    X: FloatArray,
    y: IntArray,
    *,
    sign_of_zero: SignOfZero = -1,
    pick: int | None = None,
    title: str | None = None,
    **line: Any,
) -> str:
    """Draw w, the points and a ring around each mistake; `pick`, which is corrected next, gets a second ring."""
    base.set_box(ax, box)
    wrong = mistakes(w, X, y, sign_of_zero=sign_of_zero) if len(y) else np.empty(0, np.int64)
    sentence = draw_perceptron(ax, box, w, sign_of_zero, X, **line)
    draw_points(ax, X, y)
    draw_rings(ax, X[wrong])
    draw_rings(ax, X[[pick]] if pick is not None else NO_POINTS, 3.0, 1.6 * _theme.LINE_WIDTH, "corrected next")
    ax.set_title(f"{len(wrong)} of {len(y)} wrong" if title is None else title)
    next_one = "" if pick is None else f" Example {pick} is corrected next."
    return f"{_points_in_words(y)}; {_wrong_in_words(w, wrong)}.{next_one} {sentence}"


def draw_rings(
    ax: Axes, places: FloatArray, size: float = 2.0, width: float = _theme.LINE_WIDTH, label: str = "mistake"
) -> None:
    """Draw a ring around each of these places."""
    edge: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": _theme.MISTAKE, "markeredgewidth": width}
    mark: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": size * _theme.MARK_SIZE, **edge}
    ax.plot(*base.positions(places), zorder=base.RINGS, label=label, **mark)


def _draw_counts(ax: Axes, X: FloatArray, name: str, **look: Any) -> None:
    """Draw a mark at each place where examples are; its area says how many."""
    places, how_many = np.unique(X, axis=0, return_counts=True)
    look = {"linewidths": _theme.LINE_WIDTH, "zorder": base.POINTS, **look}
    ax.scatter(*base.positions(places), s=_AREA * how_many, label=f"{name}\n(area: how many)", **look)


def _points_in_words(y: IntArray) -> str:
    """20 points, 7 positive."""
    return f"{_format.count(len(y), 'point')}, {np.count_nonzero(y == 1)} positive"


def _wrong_in_words(w: FloatArray, wrong: IntArray) -> str:
    """The line makes 2 mistakes: examples 3 and 9."""
    which = f": {base.examples_in_words(wrong)}" if len(wrong) else ""
    return f"{_how_many_wrong(w, wrong)}{which}"


def _how_many_wrong(w: FloatArray, wrong: IntArray) -> str:
    return f"the {'line' if w[1:].any() else 'hypothesis'} makes {_format.count(len(wrong), 'mistake')}"


def _place_of_name(start: FloatArray, tip: FloatArray, points: FloatArray) -> FloatArray:
    """Where an arrow's name stands: before its tip, or beside it if a point is there and more room beside it."""
    along = tip - start
    left = np.array([-along[1], along[0]])
    places = np.array([tip + 0.45 * along, tip + 0.5 * left, tip - 0.5 * left])
    room = np.linalg.norm(places[:, np.newaxis] - points, axis=2).min(axis=1, initial=np.inf)
    crowded = room[0] < 0.4 * np.linalg.norm(along)  # about a letter
    return np.asarray(places[int(room.argmax()) if crowded else 0])


def _normal_in_box(w: FloatArray, ends: FloatArray, box: Box) -> tuple[FloatArray, FloatArray]:
    """Where the normal starts and ends: from the line's middle, or from where its tip stays in the box."""
    unit = w[1:] / np.abs(w[1:]).max()
    step = 0.15 * min(box.spans) * unit / np.hypot(*unit)
    for share in (0.5, 0.25, 0.75, 0.1, 0.9):
        start = ends[0] + share * (ends[1] - ends[0])
        if box.contains(*start + 1.6 * step):  # with room for its name
            return start, start + step
    middle = ends.mean(axis=0)
    return middle, middle + step


def free_height(X: FloatArray, box: Box) -> float:
    """The height, from 0 to 1, at which a word in the middle of the picture is farthest from all points."""
    heights = np.linspace(0.06, 0.94, 23)
    across, up = ((X - [box.left, box.bottom]) / box.spans).T
    near = up[(across > 0.15) & (across < 0.85)]
    clear = np.abs(heights[:, np.newaxis] - near).min(axis=1, initial=1.0)
    return float(heights[int(clear.argmax())])


def _why_no_line(w: FloatArray, says_plus: bool, sign_of_zero: SignOfZero) -> str:
    answer = "all +1" if says_plus else "all −1"
    if not w.any():
        return "w = 0: undecided" if sign_of_zero == 0 else f"w = 0: {answer}"
    return f"{'line outside' if w[1:].any() else 'no line'}: {answer}"


def _side(w: FloatArray) -> str:
    """Where + is, in words."""
    right, up = w[1], w[2]
    if abs(right) >= abs(up):
        return "right of" if right > 0 else "left of"
    return "above" if up > 0 else "below"


_ENOUGH = 5.0  # how much room around a label is enough, in points
# From its example, to which sides a label may stand, and how far from the example's ring, in points.
_TURNS = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_SIDES = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])
_GAPS = (4.0, 10.0, 16.0, 24.0)


def _draw_conflict(ax: Axes, conflict: Conflict, X: FloatArray, y: IntArray) -> FloatArray:
    """Draw the certificate: its examples, their weights, both hulls, and where these meet; the radii of the rings."""
    places = X[conflict.examples]
    for label, color, line in ((1, _theme.PLUS, "-"), (-1, _theme.MINUS, "--")):
        part = _hull(conflict, X, y, label)
        look: dict[str, Any] = {"facecolor": color + "40", "edgecolor": color, "linewidth": _theme.LINE_WIDTH}
        closed = len(part) > 2  # a segment is drawn once, not there and back
        ax.add_patch(Polygon(part, closed=closed, linestyle=line, zorder=base.LINES, **look))
    sizes = (2.2 * _theme.MARK_SIZE) ** 2 * (0.6 + 4 * conflict.weights)
    ring: dict[str, Any] = {"facecolors": "none", "edgecolors": _theme.MISTAKE, "linewidths": _theme.LINE_WIDTH}
    ax.scatter(*base.positions(places), s=sizes, zorder=base.RINGS, label="in conflict\n(size: weight)", **ring)
    meeting = base.positions(_meeting_point(conflict, X, y))
    ax.plot(*meeting, linestyle="none", marker="D", color=_theme.INK, zorder=base.WORDS, label="the hulls meet")
    return np.asarray(np.sqrt(sizes) / 2)


def _hull(conflict: Conflict, X: FloatArray, y: IntArray, label: int) -> FloatArray:
    return np.asarray(X[conflict.examples[y[conflict.examples] == label]])


def _meeting_point(conflict: Conflict, X: FloatArray, y: IntArray) -> FloatArray:
    """The point that both hulls contain: by Σ aₙyₙxₙ = 0 the + and the − of the conflict have one weighted mean."""
    plus = y[conflict.examples] == 1
    a = conflict.weights[plus]
    return np.asarray(a @ X[conflict.examples[plus]] / a.sum())


def _conflict_in_words(conflict: Conflict, X: FloatArray, y: IntArray) -> str:
    plus, minus = (", ".join(map(str, conflict.examples[y[conflict.examples] == label])) for label in (1, -1))
    all_of_them, place = base.examples_in_words(conflict.examples), _format.vector(_meeting_point(conflict, X, y))
    return (
        f"No line is right about {all_of_them}: the hull of the positive ones ({plus}) meets that of the negative ones "
        f"({minus}) at {place}."
    )


def _name_examples(ax: Axes, conflict: Conflict, X: FloatArray, y: IntArray, radii: FloatArray) -> None:
    """Write the index and the weight of each example nearest to it, with a thin line to its ring."""
    page = ax.transData.transform(X) * 72 / ax.figure.dpi  # where the examples are on the page, in points
    places = page[conflict.examples]
    edges = [_along(_hull(conflict, page, y, label)) for label in (1, -1)]
    words = [f"{n}: {weight:.2f}" for n, weight in zip(conflict.examples, conflict.weights, strict=True)]
    labels = [_Label(*label) for label in zip(places, radii, (_half_size(ax, each) for each in words), strict=True)]
    _place_labels(ax, labels, page, np.vstack([page, *edges, *map(_around, places, radii)]))
    paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1}
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": base.SMALL, "zorder": base.WORDS, "bbox": paper}
    for n, text, label in zip(conflict.examples, words, labels, strict=True):
        leader: dict[str, Any] = {"arrowstyle": "-", "color": _theme.MISTAKE, "shrinkA": 0, "shrinkB": label.radius}
        ax.annotate(text, X[n], tuple(label.shift), textcoords="offset points", arrowprops=leader, **look)


@dataclass
class _Label:
    """A label beside the ring of an example: all lengths on the page, in points."""

    place: FloatArray  # of the example
    radius: float  # of its ring
    half: FloatArray  # of the label's width and height
    shift: FloatArray = field(default_factory=lambda: np.zeros(2))  # from the example to the label's middle

    def shifts(self) -> Iterator[FloatArray]:
        """Where the label may stand, the nearest first."""
        for gap in _GAPS:
            for side in _SIDES:
                yield (self.radius + gap) * side + self.half * np.clip(1.4 * side, -1, 1)

    def distances(self, shift: FloatArray, places: FloatArray) -> FloatArray:
        """How far the label, with this shift, is from each of these places."""
        away = np.maximum(np.abs(places - self.place - shift) - self.half, 0)
        return np.asarray(np.hypot(*away.T))

    def outline(self) -> FloatArray:
        """Places all over the label."""
        along = np.linspace(-1, 1, 7)
        return np.asarray(self.place + self.shift + self.half * [(x, y) for x in along for y in (-1, 0, 1)])


def _half_size(ax: Axes, words: str) -> FloatArray:
    text = ax.text(0, 0, words, fontsize=base.SMALL)
    box = text.get_window_extent()
    text.remove()
    return np.array([box.width, box.height]) * 36 / ax.figure.dpi + 2  # with its paper


def _place_labels(ax: Axes, labels: list[_Label], examples: FloatArray, taken: FloatArray) -> None:
    """Put each label where its own example is the nearest one, clear of what is taken and of the other labels."""
    frame = ax.get_window_extent().get_points() * 72 / ax.figure.dpi
    for label in labels * 2:  # twice, since the first label knew nothing of the last one
        others = examples[(examples != label.place).any(axis=1)]
        obstacles = np.vstack([taken, *(other.outline() for other in labels if other is not label)])
        quality = partial(_quality, label, frame, others, obstacles)
        label.shift = max(label.shifts(), key=quality)  # of several that are as good, the first, which is the nearest


def _quality(
    label: _Label, frame: FloatArray, others: FloatArray, obstacles: FloatArray, shift: FloatArray
) -> tuple[bool, float, float]:
    """How good a place is: in the frame, then nearer to its own example than to the others, then with room around."""
    middle, (low, high) = label.place + shift, frame
    inside = (middle - label.half > low).all() and (middle + label.half < high).all()
    own = label.distances(shift, label.place[np.newaxis])[0]
    lead = label.distances(shift, others).min(initial=np.inf) - own
    return bool(inside), min(lead, _ENOUGH), min(label.distances(shift, obstacles).min(), _ENOUGH)


def _along(hull: FloatArray) -> FloatArray:
    """Places along the edges of a hull."""
    return np.asarray(Path(np.vstack([hull, hull[:1]])).interpolated(60).vertices)


def _around(place: FloatArray, radius: float) -> FloatArray:
    """Places around the ring of a point."""
    angle = np.linspace(0, 2 * np.pi, 24)
    return place + radius * np.column_stack([np.cos(angle), np.sin(angle)])


# Each line of `lines` has its own colour and its own dashes.
_LOOKS: Final = ((_theme.INK, "-"), (_theme.NEXT, "--"), (_theme.POCKET, "-."), (_theme.MISTAKE, ":"))


@base.style()
def lines(weights: Mapping[str, Any], X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """The lines of up to four w over the examples; each has a name. Used in chapter 2, "Three orders".

    Parameters
    ----------
    weights : dict
        For each name a w, or a result that has one, such as a `Run`.
    """
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
    base.describe([ax], f"{_points_in_words(labels)}, and {_format.count(len(each), 'line')}. {'; '.join(each)}.")
    _finish(ax, names, own)
    return ax


def with_margin(box: Box) -> Box:
    """A box with room around it for the labels and the rings of points at its edge."""
    across, up = (_MARGIN * span for span in box.spans)
    return Box(box.left - across, box.right + across, box.bottom - up, box.top + up)

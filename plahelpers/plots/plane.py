"""Pictures of the plane of x₁ and x₂: points, a perceptron, its mistakes, and a conflict."""

from __future__ import annotations

from itertools import pairwise, zip_longest
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Polygon
from matplotlib.text import Annotation

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray, SignOfZero
from plahelpers.geometry import Box, line_in_box, regions
from plahelpers.guarantee import Conflict
from plahelpers.hypothesis import mistakes
from plahelpers.plots.base import (
    SMALL,
    Picture,
    box_of,
    examples_in_words,
    halo,
    positions,
    put,
    set_box,
    title as set_title,
)

# What covers what: the regions lie at the bottom, the points and what is written at the top.
REGIONS, LINES, POINTS, RINGS, WORDS = 0.5, 2.0, 3.0, 3.5, 4.0


NO_POINTS: Final = np.empty((0, 2))


class PointsArtists(Picture):
    """The examples: o for +1, × for −1."""

    def _create(self) -> None:
        common: dict[str, Any] = {"linestyle": "none", "zorder": POINTS}
        (self.plus,) = self.ax.plot([], [], marker="o", color=_theme.PLUS, label="y = +1", **common)
        (self.minus,) = self.ax.plot(
            [], [], marker="x", color=_theme.MINUS, markeredgewidth=_theme.LINE_WIDTH, label="y = −1", **common
        )

    def show(self, X: FloatArray, y: IntArray) -> None:
        """Put the points where X says."""
        self.plus.set_data(*positions(X[y == 1]))
        self.minus.set_data(*positions(X[y == -1]))
        self._say(f"{points_in_words(y)}.")


class PerceptronArtists(Picture):
    """A perceptron: the line wᵀx = 0, the two regions, and the normal (w₁, w₂), which points to the + side."""

    def __init__(self, ax: Axes, box: Box | None = None, *, quiet: bool = False) -> None:
        super().__init__(ax, quiet=quiet)
        self.frame(box_of(ax) if box is None else box)

    def frame(self, box: Box) -> None:
        """Show this box from now on."""
        self.box = box
        set_box(self.ax, box)

    def _create(self) -> None:
        ax, nowhere = self.ax, np.zeros((1, 2))
        self.plus_region = put(ax, Polygon(nowhere, facecolor=_theme.PLUS_REGION, zorder=REGIONS, label="h(x) = +1"))
        self.minus_region = put(ax, Polygon(nowhere, facecolor=_theme.MINUS_REGION, zorder=REGIONS, label="h(x) = −1"))
        (self.line,) = ax.plot([], [], color=_theme.INK, zorder=LINES, label="wᵀx = 0")
        self.normal = put(ax, arrow(_theme.INK, zorder=WORDS))  # over the points, which would hide its head
        self.name = halo(ax.text(0, 0, "w", ha="center", va="center", zorder=WORDS, clip_on=True, weight="bold"))
        self.note = halo(
            ax.text(0.5, 0.5, "", transform=ax.transAxes, ha="center", va="center", zorder=LINES, fontsize=SMALL)
        )

    def show(self, w: FloatArray, sign_of_zero: SignOfZero = -1, points: FloatArray = NO_POINTS) -> None:
        """Draw the perceptron of w; its name keeps clear of these points."""
        plus, minus = regions(w, self.box, sign_of_zero)
        for patch, part in ((self.plus_region, plus), (self.minus_region, minus)):
            patch.set_visible(len(part) > 0)
            patch.set_xy(part if len(part) else np.zeros((1, 2)))
        ends = line_in_box(w, self.box)
        self.line.set_data(*positions(ends))
        self._show_normal(w, ends, points)
        self.note.set_text("" if len(ends) else _why_no_line(w, len(plus) > 0, sign_of_zero))
        self._say(self._in_words(w, ends))

    def _show_normal(self, w: FloatArray, ends: FloatArray, points: FloatArray) -> None:
        # With scales of their own the axes show no right angles, and the normal would look wrong.
        seen = len(ends) > 0 and self.ax.get_aspect() != "auto"
        self.normal.set_visible(seen)
        self.name.set_visible(seen)
        if seen:
            start, tip = _normal_in_box(w, ends, self.box)
            self.normal.set_positions(tuple(start), tuple(tip))
            self.name.set_position(tuple(_place_of_name(start, tip, points)))

    def _in_words(self, w: FloatArray, ends: FloatArray) -> str:
        if not len(ends):
            note = self.note.get_text()
            return f"{note if note.startswith('w') else note.capitalize()}."  # w stays small: W is something else
        (a, b), (c, d) = ends
        return (
            f"The line of w = {_format.vector(w)} goes from {_format.vector(np.array([a, b]))} "
            f"to {_format.vector(np.array([c, d]))}; + is {_side(w)} it."
        )


class HypothesisArtists(Picture):
    """All of it: points, line and regions, every mistake in a ring, the count in the title."""

    def __init__(self, ax: Axes, box: Box | None = None) -> None:
        self.perceptron = PerceptronArtists(ax, box, quiet=True)
        self.points = PointsArtists(ax, quiet=True)
        super().__init__(ax)

    def frame(self, box: Box) -> None:
        """Show this box from now on."""
        self.perceptron.frame(box)

    def _create(self) -> None:
        ring: dict[str, Any] = {"linestyle": "none", "marker": "o", "markerfacecolor": "none", "zorder": RINGS}
        (self.rings,) = self.ax.plot(
            [], [], markersize=2 * _theme.MARK_SIZE, markeredgecolor=_theme.MISTAKE, markeredgewidth=_theme.LINE_WIDTH,
            label="mistake", **ring,
        )  # fmt: skip
        (self.pick,) = self.ax.plot(
            [], [], markersize=3 * _theme.MARK_SIZE, markeredgecolor=_theme.MISTAKE,
            markeredgewidth=1.6 * _theme.LINE_WIDTH, label="corrected next", **ring,
        )  # fmt: skip

    def show(
        self,
        w: FloatArray,
        X: FloatArray,
        y: IntArray,
        sign_of_zero: SignOfZero = -1,
        pick: int | None = None,
        title: str | None = None,
    ) -> None:
        """Draw w and the points; `pick` is the example that is corrected next, which gets a second ring."""
        wrong = mistakes(w, X, y, sign_of_zero=sign_of_zero) if len(y) else np.empty(0, np.int64)
        self.perceptron.show(w, sign_of_zero, X)
        self.points.show(X, y)
        self.perceptron.note.set_y(_free_height(X, self.perceptron.box))
        self.rings.set_data(*positions(X[wrong]))
        self.pick.set_data(*positions(X[[pick]] if pick is not None else []))
        set_title(self.ax, f"{len(wrong)} of {len(y)} wrong" if title is None else title)
        next_one = "" if pick is None else f" Example {pick} is corrected next."
        self._say(f"{points_in_words(y)}; {what_is_wrong(w, wrong)}.{next_one} {self.perceptron.text}")


class ConflictArtists(Picture):
    """Why no line will do: the few examples in conflict, and the place where the hulls of their + and − meet."""

    def _create(self) -> None:
        hull: dict[str, Any] = {"closed": True, "zorder": LINES, "linewidth": _theme.LINE_WIDTH}
        nowhere = np.zeros((1, 2))
        self.plus_hull = put(self.ax, Polygon(nowhere, facecolor=_theme.PLUS + "40", edgecolor=_theme.PLUS, **hull))
        self.minus_hull = put(
            self.ax, Polygon(nowhere, facecolor=_theme.MINUS + "40", edgecolor=_theme.MINUS, linestyle="--", **hull)
        )
        self.weights = self.ax.scatter(
            [], [], facecolors="none", edgecolors=_theme.MISTAKE, linewidths=_theme.LINE_WIDTH, zorder=RINGS,
            label="in conflict (size: weight)",
        )  # fmt: skip
        (self.meeting,) = self.ax.plot(
            [], [], linestyle="none", marker="D", color=_theme.INK, zorder=WORDS, label="the hulls meet"
        )
        paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1}
        self.names = [
            self.ax.annotate(
                "",
                (0, 0),
                (0, 0),
                ha="center",
                va="center",
                textcoords="offset points",
                fontsize=SMALL,
                zorder=WORDS,
                bbox=paper,
            )
            for _ in range(4)
        ]

    def show(self, conflict: Conflict, X: FloatArray, y: IntArray) -> None:
        """Draw the certificate: its examples, their weights, and both hulls."""
        points, labels, a = X[conflict.examples], y[conflict.examples], conflict.weights
        for hull, label in ((self.plus_hull, 1), (self.minus_hull, -1)):
            part = points[labels == label]
            hull.set_closed(len(part) > 2)  # a segment is drawn once, not there and back
            hull.set_xy(part)
        self.weights.set_offsets(points)
        self.weights.set_sizes((2.2 * _theme.MARK_SIZE) ** 2 * (0.6 + 4 * a))
        meeting = meeting_point(conflict, X, y)
        self.meeting.set_data(*positions(meeting))
        for text, n, weight in zip_longest(self.names, conflict.examples, a):
            text.set_visible(n is not None)
            text.set_text("" if n is None else f"{n}: {weight:.2f}")
        self.arrange(points, np.vstack([X, meeting]))
        self._say(
            f"No line is right about {examples_in_words(conflict.examples)}: the hull of the positive ones "
            f"({_numbers(conflict.examples[labels == 1])}) meets that of the negative ones "
            f"({_numbers(conflict.examples[labels == -1])}) at {_format.vector(meeting)}."
        )

    def arrange(self, points: FloatArray, others: FloatArray) -> None:
        """Put each name beside its point, where there is room; to be done again when the layout has changed."""
        taken = np.vstack([self._on_page(others), *self._lines_on_page(), *self._rings_on_page(points)])
        for text, point in zip(self.names, points, strict=False):
            taken = self._place(text, point, taken)

    def _place(self, text: Annotation, point: FloatArray, taken: FloatArray) -> FloatArray:
        """Write beside the point, or a little farther off, where most room is left by what is taken already.

        `taken` are places on the page, in points; returned with those that the words now take.
        """
        here = self._on_page(point)
        frame = self.ax.get_window_extent().get_points() * 72 / self.ax.figure.dpi

        def room(shift: FloatArray) -> tuple[bool, float]:
            low, high = here + shift - _HALF_LABEL, here + shift + _HALF_LABEL
            away = np.maximum(np.abs(taken - (here + shift)) - _HALF_LABEL, 0)
            return bool((low > frame[0]).all() and (high < frame[1]).all()), min(np.hypot(*away.T).min(), _ENOUGH)

        shift = max(_SHIFTS, key=room)  # of several with room enough, the first, which is the nearest
        text.xy = (float(point[0]), float(point[1]))
        text.set_position((float(shift[0]), float(shift[1])))
        along = np.linspace(-1, 1, 7)[:, np.newaxis] * _HALF_LABEL
        return np.vstack([taken, here + shift + along, here + shift - along * (1, -1)])

    def _lines_on_page(self) -> list[FloatArray]:
        """Places along the edges of both hulls."""
        share = np.linspace(0, 1, 61)[:, np.newaxis]
        corners = [self._on_page(np.asarray(hull.get_xy())) for hull in (self.plus_hull, self.minus_hull)]
        return [a + share * (b - a) for around in corners for a, b in pairwise(around)]

    def _rings_on_page(self, points: FloatArray) -> list[FloatArray]:
        """Places around the ring of each point, whose size is given as the square of its width."""
        angle = np.linspace(0, 2 * np.pi, 24)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        radii = np.sqrt(self.weights.get_sizes()) / 2
        return [self._on_page(point) + radius * circle for point, radius in zip(points, radii, strict=True)]

    def _on_page(self, points: FloatArray) -> FloatArray:
        return np.asarray(self.ax.transData.transform(points) * 72 / self.ax.figure.dpi)


# Half the width and height of a label such as "17: 0.19", roughly; how much room around it is enough; and where its
# middle may stand, seen from its point, the nearest first. All in points.
_HALF_LABEL = np.array([28.0, 8.0])
_ENOUGH = 5.0
_SHIFTS = [
    np.array([side * (_HALF_LABEL[0] + across), height * (_HALF_LABEL[1] + across)])
    for across in (14.0, 22.0, 30.0, 38.0)
    for side, height in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))
]


def meeting_point(conflict: Conflict, X: FloatArray, y: IntArray) -> FloatArray:
    """The point that both hulls contain: by Σ aₙyₙxₙ = 0 the + and the − of the conflict have one weighted mean."""
    plus = y[conflict.examples] == 1
    a = conflict.weights[plus]
    return np.asarray(a @ X[conflict.examples[plus]] / a.sum())


def arrow(color: str, width: float = _theme.LINE_WIDTH, style: str = "-", zorder: float = POINTS) -> FancyArrowPatch:
    """An arrow whose tip is exactly where it is told to be."""
    return FancyArrowPatch(
        (0, 0), (0, 0), arrowstyle="-|>", mutation_scale=18, shrinkA=0, shrinkB=0, color=color, linewidth=width,
        linestyle=style, zorder=zorder,
    )  # fmt: skip


def points_in_words(y: IntArray) -> str:
    """20 points, 7 positive."""
    return f"{_format.count(len(y), 'point')}, {np.count_nonzero(y == 1)} positive"


def what_is_wrong(w: FloatArray, wrong: IntArray) -> str:
    """The line makes 2 mistakes: examples 3 and 9."""
    which = f": {examples_in_words(wrong)}" if len(wrong) else ""
    return f"the {'line' if w[1:].any() else 'hypothesis'} makes {_format.count(len(wrong), 'mistake')}{which}"


def _numbers(examples: IntArray) -> str:
    return ", ".join(map(str, examples))


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
    left, right, bottom, top = box
    unit = w[1:] / np.abs(w[1:]).max()
    step = 0.15 * min(right - left, top - bottom) * unit / np.hypot(*unit)
    for share in (0.5, 0.25, 0.75, 0.1, 0.9):
        start = ends[0] + share * (ends[1] - ends[0])
        tip = start + 1.6 * step  # with room for its name
        if left <= tip[0] <= right and bottom <= tip[1] <= top:
            return start, start + step
    middle = ends.mean(axis=0)
    return middle, middle + step


def _free_height(X: FloatArray, box: Box) -> float:
    """The height, from 0 to 1, at which a word in the middle of the picture is farthest from all points."""
    left, right, bottom, top = box
    heights = np.linspace(0.06, 0.94, 23)
    across, up = (X[:, 0] - left) / (right - left), (X[:, 1] - bottom) / (top - bottom)
    near = up[(across > 0.15) & (across < 0.85)]
    clear = np.abs(heights[:, np.newaxis] - near).min(axis=1, initial=1.0)
    return float(heights[int(clear.argmax())])


def _why_no_line(w: FloatArray, says_plus: bool, sign_of_zero: SignOfZero) -> str:
    answer = "all +1" if says_plus else "all −1"
    if not w.any():
        return "w = 0: no line, every point undecided" if sign_of_zero == 0 else f"w = 0: no line, {answer}"
    return f"{'the line is outside' if w[1:].any() else 'no line'}: {answer}"


def _side(w: FloatArray) -> str:
    """Where + is, in words."""
    right, up = w[1], w[2]
    if abs(right) >= abs(up):
        return "right of" if right > 0 else "left of"
    return "above" if up > 0 else "below"

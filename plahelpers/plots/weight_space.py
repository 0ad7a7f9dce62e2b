"""Weight space: each w is a point, each example a half-space of the w that get it right, and a run is a walk."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray, check_count
from plahelpers.geometry import Box, line_in_box
from plahelpers.learning import Run
from plahelpers.plots import base

# The darker, the more mistakes; no mistakes at all are green, and lighter than any of them.
_NO_MISTAKES = "#DDF7DF"
_SHADES = ListedColormap([str(0.86 - 0.42 * k / 254) for k in range(255)]).with_extremes(under=_NO_MISTAKES)
_PIXELS = 240
# All the curves of a walk have so many points in all, unless it is very long.
_CURVE_POINTS = 20_000
# With more examples than this their boundaries would cover everything; the shades show them as well.
_MOST_BOUNDARIES = 12


@base.style()
def weight_space(run: Run, *, t: int | None = None, ax: Axes | None = None) -> Axes:
    """Weight space: every example is a half-space of w that get it right, and PLA walks through them.

    The darker, the more mistakes; green is where none are left. For d = 1 it is the plane of w's two entries, exactly.
    For d = 2 only the direction of w is drawn, since its length changes no prediction: a point's distance from the
    middle is its angle with the answer g, 0° to 180°. Used in chapter 2, "Further: Weight space".

    Parameters
    ----------
    t : int, optional
        Draw the walk up to w_t only; with t=0 and d = 1 the half-spaces, each with an arrow y·x to its good side.
    """
    base.check_run(run, "weight_space")
    if run.d > 2:
        raise ValueError(
            f"plots.weight_space draws d = 1 exactly and d = 2 by directions; this run has d = {run.d}. "
            "plots.errors(run) and plots.update(run, t) fit every d."
        )
    t = run.updates if t is None else check_count(t, "t")
    if t > run.updates:
        raise ValueError(f"this run ended with w_{run.updates}: t must be at most {run.updates}, not {t}.")
    own, ax = ax is None, base.one_axes(ax, "weight_space", base.CHART)
    view = _Plane(run) if run.d == 1 else _Sphere(run)
    _draw_half_spaces(ax, view, run.X, run.y)
    named: list[Any] = [Patch(facecolor=_NO_MISTAKES, edgecolor=_theme.FAINT, label="no mistakes\n(darker: more)")]
    if t == 0 and run.d == 1 and run.N <= _MOST_BOUNDARIES:
        named.append(_draw_good_sides(ax, view.box, run.X, run.y))
    _draw_walk(ax, view, run, t)
    ax.set_title(f"{base.symbol(t)}: {run.errors[t]} of {run.N} wrong")
    base.describe([ax], _walk_in_words(run, t))
    if own:
        base.legend(ax, *named)
    return ax


def _draw_half_spaces(ax: Axes, view: _Plane | _Sphere, X: FloatArray, y: IntArray) -> None:
    N, d = X.shape
    counts = _mistakes_of_each(view.weights(_pixels(view.box)), X, y).reshape(_PIXELS, _PIXELS)
    shades: dict[str, Any] = {"cmap": _SHADES, "vmin": 0.5, "vmax": max(float(N), 1.5), "zorder": base.REGIONS}
    ax.imshow(counts, origin="lower", extent=view.box, aspect="equal", interpolation="nearest", **shades)
    few = X if N <= _MOST_BOUNDARIES else X[:0]
    ax.plot(*base.positions(view.boundaries(few)), color=_theme.FAINT, linewidth=0.7, zorder=base.LINES)
    if d == 2:
        ax.add_patch(Circle((0, 0), 180, fill=False, edgecolor=_theme.FAINT, zorder=base.WORDS))
        ax.add_patch(Circle((0, 0), 90, fill=False, edgecolor=_theme.FAINT, linestyle=":", zorder=base.LINES))
    base.set_box(ax, view.box)
    view.label(ax)
    ax.set_frame_on(d == 1)


def _draw_good_sides(ax: Axes, box: Box, X: FloatArray, y: IntArray) -> Line2D:
    """Draw for each example the direction of y·x, from its boundary wᵀx = 0; what the arrows are, for the legend."""
    for n, (x, label) in enumerate(zip(np.column_stack([np.ones(len(X)), X]), y, strict=True)):
        ends = line_in_box(np.append(0.0, x), box)
        far = ends[np.hypot(*ends.T).argmax()]
        start = (0.9 - 0.5 * n / len(X)) * far  # each at another distance, since neighbours may point at each other
        base.arrow(ax, start, start + 0.07 * box.spans[0] * label * x / np.hypot(*x), _theme.INK)
    look: dict[str, Any] = {"marker": ">", "linestyle": "none", "color": _theme.INK}
    return Line2D([], [], label="y·x, to the good side", **look)


def _draw_walk(ax: Axes, view: _Plane | _Sphere, run: Run, t: int) -> None:
    """Draw the walk up to w_t, its stops, its start and its end."""
    path, stops = view.path(run.weights[: t + 1]), view.place(run.weights[: t + 1])
    with_place = stops[np.isfinite(stops[:, 0])]  # 0 has no direction
    look: dict[str, Any] = {"color": _theme.MISTAKE, "zorder": base.POINTS}
    ax.plot(*base.positions(path[: len(path) if t else 0]), label="walk of $w_t$", **look)
    ax.plot(*base.positions(stops), marker="o", markersize=5, linestyle="none", **look)
    ends: dict[str, Any] = {"color": _theme.INK, "zorder": base.WORDS, "linestyle": "none"}
    ax.plot(*base.positions(with_place[:1]), marker="s", label=base.symbol(len(stops) - len(with_place)), **ends)
    if t:
        ax.plot(*base.positions(stops[-1:]), marker="*", markersize=16, label=base.symbol(t), **ends)


def _walk_in_words(run: Run, t: int) -> str:
    view = ", the plane of w's two entries" if run.d == 1 else ", directions of w by their angle with the answer"
    first = "w_1" if run.d == 2 and t and not run.weights[0].any() else "its start"  # 0 has no direction
    clean, wrong = np.flatnonzero(run.errors == 0), _format.count(int(run.errors[t]), "mistake")
    reached = f"reaches the region without mistakes at update {clean[0]}" if len(clean) else ""
    walk = f"the walk of {run.algorithm} from {first} to w_{t}, which makes" if t else "the start, which makes"
    return (
        f"Weight space{view}: {run.N} half-spaces, one for each example, and {walk} {wrong}; in "
        f"{_format.count(run.updates, 'update')} {run.algorithm} {reached or 'never meets a w without mistakes'}."
    )


def _mistakes_of_each(W: FloatArray, X: FloatArray, y: IntArray) -> FloatArray:
    """How many mistakes each row of W makes; NaN for rows that are no w."""
    counts = np.zeros(len(W))
    for x, label in zip(X, y, strict=True):  # one by one: all at once, many examples would fill the memory
        counts += label * (W[:, 0] + W[:, 1:] @ x) <= 0
    counts[~np.isfinite(W[:, 0])] = np.nan
    return counts


class _Plane:
    """Weight space for d = 1: the entries w₀ and w₁ themselves."""

    def __init__(self, run: Run) -> None:
        self.box = base.square_around([np.zeros(2), *run.weights], 0.65)  # the origin is where all boundaries meet

    def place(self, W: FloatArray) -> FloatArray:
        """Where w is drawn."""
        return W

    weights = path = place  # a place is a w, and a walk goes straight from w to w

    def boundaries(self, X: FloatArray) -> FloatArray:
        """For each example the line w₀ + w₁x = 0 through the origin, from edge to edge; NaN between two."""
        far = 2 * float(np.abs(self.box).max())
        along = np.column_stack([-X[:, 0], np.ones(len(X))])
        along *= far / np.abs(along).max(axis=1, keepdims=True)
        return np.stack([-along, along, np.full_like(along, np.nan)], axis=1).reshape(-1, 2)

    def label(self, ax: Any) -> None:
        ax.set_xlabel("w₀")
        ax.set_ylabel("w₁")


class _Sphere:
    """Weight space for d = 2: directions of w, at a distance from the middle that is their angle with the answer."""

    box = Box(-190.0, 190.0, -190.0, 190.0)

    def __init__(self, run: Run) -> None:
        centre = run.w if run.w.any() else np.array([1.0, 0.0, 0.0])
        self.centre = centre / np.linalg.norm(centre)
        # Right is the direction of w₁, as nearly as it can be; where the middle itself is that, it is w₂'s.
        axis = np.array([0.0, 1.0, 0.0]) if abs(self.centre[1]) < 0.9 else np.array([0.0, 0.0, 1.0])
        right = axis - (axis @ self.centre) * self.centre
        self.right = right / np.linalg.norm(right)
        self.up = np.cross(self.centre, self.right)

    def place(self, W: FloatArray) -> FloatArray:
        """Where directions are drawn; NaN for w = 0, which has none."""
        a, b, c = W @ self.right, W @ self.up, W @ self.centre
        across = np.hypot(a, b)
        angle = np.degrees(np.arctan2(across, c))
        with np.errstate(invalid="ignore", divide="ignore"):
            places = np.column_stack([a, b]) * np.where(across > 0, angle / across, 0.0)[:, np.newaxis]
        places[~W.any(axis=1)] = np.nan
        return places

    def weights(self, places: FloatArray) -> FloatArray:
        """The direction that is drawn at each place; NaN outside the map."""
        angle = np.hypot(*places.T)
        sideways = np.sin(np.radians(angle)) / np.where(angle > 0, angle, 1.0)
        W = np.outer(np.cos(np.radians(angle)), self.centre)
        W += (sideways[:, np.newaxis] * places) @ np.array([self.right, self.up])
        W[angle > 180] = np.nan
        return W

    def boundaries(self, X: FloatArray) -> FloatArray:
        """For each example the circle of directions with wᵀx = 0, as a curve; NaN between two."""
        turn = np.linspace(0, 2 * np.pi, 181)
        curves = []
        for x in np.column_stack([np.ones(len(X)), X]):
            one, other = _at_right_angles(x)
            circle = np.cos(turn)[:, np.newaxis] * one + np.sin(turn)[:, np.newaxis] * other
            curves.append(_torn(self.place(circle)))
        return np.concatenate([np.empty((0, 2)), *curves])

    def path(self, W: FloatArray) -> FloatArray:
        """The walk along the rows of W: straight in weight space, so it is followed in small steps."""
        small_steps = min(max(_CURVE_POINTS // max(len(W) - 1, 1), 2), 61)
        share = np.linspace(0, 1, small_steps)[:, np.newaxis]
        ways = [self.place((1 - share) * a + share * b) for a, b in pairwise(W)]
        return np.concatenate([self.place(W[:1]), *(_torn(way)[:-1] for way in ways)])

    def label(self, ax: Any) -> None:
        ax.set_xlabel("angle between w and g\n(each point is a direction of w)")
        ax.set_xticks([-180, -90, 0, 90, 180], ["180°", "90°", "0°", "90°", "180°"])
        ax.set_yticks([])


def _pixels(box: Box) -> FloatArray:
    """The middles of all pixels, row by row."""
    middles = (np.arange(_PIXELS) + 0.5) / _PIXELS
    across, up = np.meshgrid(box.left + box.spans[0] * middles, box.bottom + box.spans[1] * middles)
    return np.column_stack([across.ravel(), up.ravel()])


def _at_right_angles(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two directions at right angles to x and to each other, in R³."""
    least = np.eye(3)[int(np.argmin(np.abs(x)))]
    one = np.cross(x, least)
    other = np.cross(x, one)
    return np.asarray(one / np.linalg.norm(one)), np.asarray(other / np.linalg.norm(other))


def _torn(curve: FloatArray) -> FloatArray:
    """A curve with a gap (NaN) wherever it jumps across the map, and one at its end."""
    jumps = np.flatnonzero(np.hypot(*np.diff(curve, axis=0).T) > 90) + 1
    return np.asarray(np.append(np.insert(curve, jumps, np.nan, axis=0), [[np.nan, np.nan]], axis=0))

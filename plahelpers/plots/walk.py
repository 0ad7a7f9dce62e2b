"""Pictures of a run: one update as vectors, the mistakes along the way, and the walk through weight space."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Arc, Circle
from matplotlib.ticker import MaxNLocator

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray
from plahelpers.geometry import Box
from plahelpers.learning import Run
from plahelpers.plots.base import SMALL, Picture, halo, positions, put, sub, title
from plahelpers.plots.plane import LINES, POINTS, REGIONS, WORDS, arrow

# --- one update -----------------------------------------------------------------------------------


class Update:
    """One update in the plane that w_t and x span: the same lengths and angles as in R^(d+1), in two coordinates.

    w_t lies along the first coordinate (where w_t = 0, the step does).
    """

    def __init__(self, run: Run, t: int) -> None:
        self.n = int(run.picks[t])
        self.y = int(run.y[self.n])
        w, x = run.weights[t], np.append(1.0, run.X[self.n])
        step = run.eta * self.y * x
        first = w if w.any() else step
        e1 = first / np.linalg.norm(first)
        across = x - (x @ e1) * e1
        # What is left of x is rounding if x lies along w; then any second direction will do, and it is not needed.
        length = float(np.linalg.norm(across))
        e2 = across / length if length > 1e-9 * np.linalg.norm(x) else np.zeros_like(e1)
        basis = np.array([e1, e2 * self.y])  # so that the step y·x points up, whatever y is
        self.w, self.x, self.step = basis @ w, basis @ x, basis @ step
        self.next = self.w + self.step

    @property
    def angle_before(self) -> float | None:
        """The angle between w_t and x in degrees; nothing if w_t = 0, which has no direction."""
        return _angle(self.w, self.x)

    @property
    def angle_after(self) -> float | None:
        """The angle between w_{t+1} and x in degrees."""
        return _angle(self.next, self.x)


# A smaller angle has no room for its arc, in degrees.
_LEAST_ANGLE = 2.0


def _angle(u: FloatArray, v: FloatArray) -> float | None:
    if not u.any() or not v.any():
        return None
    return float(np.degrees(np.arctan2(abs(u[0] * v[1] - u[1] * v[0]), u @ v)))


class UpdateArtists(Picture):
    """One update w_{t+1} = w_t + y·x as arrows, with the angle between w and x before and after."""

    def _create(self) -> None:
        ax = self.ax
        ax.set_aspect("equal", adjustable="box")
        ax.axhline(0, color=_theme.FAINT, linewidth=0.8, zorder=REGIONS)
        ax.axvline(0, color=_theme.FAINT, linewidth=0.8, zorder=REGIONS)
        self.x_arrow = put(ax, arrow(_theme.FAINT, style="--"))
        self.step_arrow = put(ax, arrow(_theme.MISTAKE))
        self.w_arrow = put(ax, arrow(_theme.INK, 1.3 * _theme.LINE_WIDTH))
        self.next_arrow = put(ax, arrow(_theme.NEXT, 1.3 * _theme.LINE_WIDTH))
        (self.sides,) = ax.plot([], [], color=_theme.MISTAKE, linestyle=":", zorder=LINES)
        self.arcs = [
            put(ax, Arc((0, 0), 1, 1, color=color, linewidth=1.5, linestyle=line, zorder=LINES))
            for color, line in ((_theme.INK, "-"), (_theme.NEXT, "--"))
        ]
        self.names = {
            key: halo(ax.text(0, 0, "", color=color, ha="center", va="center", zorder=WORDS, weight="bold"))
            for key, color in {"w": _theme.INK, "x": _theme.FAINT, "step": _theme.MISTAKE, "next": _theme.NEXT}.items()
        }
        self.degrees = [
            halo(ax.text(0, 0, "", color=color, ha="center", va="center", zorder=WORDS, fontsize=SMALL))
            for color in (_theme.INK, _theme.NEXT)
        ]

    def show(self, run: Run, t: int) -> None:
        """Draw the update from w_t to w_{t+1}."""
        it = Update(run, t)
        vectors = {"w": it.w, "x": it.x, "step": it.step, "next": it.next}
        reach = max(float(np.abs(np.array(list(vectors.values()))).max()), 1e-12)
        self._frame(np.array([np.zeros(2), *vectors.values()]), reach)
        arrows = {"w": self.w_arrow, "x": self.x_arrow, "step": self.step_arrow, "next": self.next_arrow}
        for key, patch in arrows.items():
            patch.set_positions((0.0, 0.0), tuple(vectors[key]))
        same = it.y == 1 and run.eta == 1
        self.x_arrow.set_visible(not same)
        self.w_arrow.set_visible(bool(it.w.any()))
        self.sides.set_data(*positions([it.w, it.next, it.step]))
        step = _step_name(run)
        words = {"w": f"w{sub(t)}", "x": "" if same else "x", "step": step, "next": f"w{sub(t + 1)}"}
        if same:
            words["step"] = f"{step} = x"
        if not it.w.any():  # then the step is the next w
            words |= {"w": f"w{sub(t)} = 0", "step": "", "next": f"w{sub(t + 1)} = {step}"}
        self._name(vectors, words, reach)
        self._show_angles(it, reach)
        title(self.ax, f"Update {t + 1}: example {it.n}, y = {'+1' if it.y == 1 else '−1'}")
        self.ax.set_xlabel(f"the plane of w{sub(t)} and x, with x₀ = 1:\nlengths and angles are true", fontsize=SMALL)
        self._say(self._in_words(it, run, t))

    def _frame(self, tips: FloatArray, reach: float) -> None:
        """Show all tips with room for their names, in a box that is never thin."""
        low, high = tips.min(axis=0) - 0.22 * reach, tips.max(axis=0) + 0.22 * reach
        size = np.maximum(high - low, 0.7 * (high - low).max())
        left, bottom = (low + high - size) / 2
        right, top = (low + high + size) / 2
        self.ax.set_xlim(left, right)
        self.ax.set_ylim(bottom, top)

    def _name(self, vectors: dict[str, FloatArray], words: dict[str, str], reach: float) -> None:
        """Write each vector's name beyond its tip."""
        for key, text in self.names.items():
            text.set_text(words[key])
            text.set_position(tuple(_beyond(vectors[key], 0.1 * reach)))
        self.names["w"].set_position((vectors["w"][0], -0.1 * reach))  # it lies on the axis: beside it is clearer
        if not vectors["w"].any():  # its name is long, and there is room beside the arrow
            self.names["next"].set_position((vectors["next"][0] / 2, 0.1 * reach))

    def _show_angles(self, it: Update, reach: float) -> None:
        for arc, text, vector, angle, size in zip(
            self.arcs, self.degrees, (it.w, it.next), (it.angle_before, it.angle_after), (0.4, 0.75), strict=True
        ):
            seen = angle is not None and angle > _LEAST_ANGLE
            arc.set_visible(seen)
            text.set_visible(seen)
            if not seen:
                continue
            there, turn = _turn(it.x, vector)
            arc.width = arc.height = size * reach
            arc.theta1, arc.theta2 = sorted((there, there + turn))
            # The angle is written on its arc, nearer to w than to x: so the two stand apart.
            beside = np.radians(there + 0.7 * turn)
            text.set_text(f"{angle:.0f}°")
            text.set_position(tuple(size / 2 * reach * np.array([np.cos(beside), np.sin(beside)])))

    def _in_words(self, it: Update, run: Run, t: int) -> str:
        change = (
            f"the angle between w and x goes from {it.angle_before:.0f}° to {it.angle_after:.0f}°"
            if it.angle_before is not None and it.angle_after is not None
            else f"before it w is 0 and has no angle with x, after it the angle is {it.angle_after:.0f}°"
            if it.angle_after is not None
            else f"before it the angle between w and x is {it.angle_before:.0f}°, after it w is 0"
        )
        before, after = (float(run.weights[s] @ np.append(1.0, run.X[it.n])) * it.y for s in (t, t + 1))
        return (
            f"Update {t + 1} adds {_step_name(run)} of example {it.n} (y = {it.y:+d}) to w: {change}; "
            f"y wᵀx grows from {_format.number(before)} to {_format.number(after)}."
        )


def _step_name(run: Run) -> str:
    return "y·x" if run.eta == 1 else "η·y·x"


def _turn(start: FloatArray, end: FloatArray) -> tuple[float, float]:
    """The direction of one vector, and the turn from it to another, from −180° to 180°."""
    one, other = (float(np.degrees(np.arctan2(v[1], v[0]))) for v in (start, end))
    return one, (other - one + 180) % 360 - 180


def _beyond(vector: FloatArray, distance: float) -> FloatArray:
    """A place a little farther than the tip of a vector."""
    length = float(np.hypot(*vector))
    return np.asarray(vector * (1 + distance / length)) if length else vector


# --- the mistakes along a run ---------------------------------------------------------------------


# With more updates than this, dots would run into one another.
_MOST_DOTS = 60


class ErrorsArtists(Picture):
    """How many mistakes w_t makes, and how many the pocket, for t = 0, …, T."""

    def _create(self) -> None:
        (self.walk,) = self.ax.plot([], [], color=_theme.FAINT, linewidth=1.4, marker="o", label="$w_t$")
        (self.pocket,) = self.ax.plot(
            [], [], color=_theme.POCKET, linewidth=1.5 * _theme.LINE_WIDTH, drawstyle="steps-post", label="pocket"
        )
        (self.now,) = self.ax.plot([], [], marker="o", color=_theme.MISTAKE, linestyle="none", zorder=WORDS)
        (self.best,) = self.ax.plot([], [], color=_theme.INK, linestyle=":", label="best line there is")
        self.ax.set_xlabel("updates t")
        self.ax.set_ylabel("mistakes")
        for axis in (self.ax.xaxis, self.ax.yaxis):
            axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=True))

    def show(self, run: Run, t: int | None = None, best: int | None = None) -> None:
        """Draw both curves; `t` marks one w_t, `best` is the fewest mistakes that any line makes."""
        T, when = run.updates, np.arange(run.updates + 1)
        self.walk.set_data(when, run.errors)
        self.walk.set_markersize(5 if T <= _MOST_DOTS else 0)
        self.walk.set_linewidth(1.4 if T <= _MOST_DOTS else 0.7)
        self.pocket.set_data(when, run.pocket_errors)
        self.now.set_data(*positions([] if t is None else [(t, run.errors[t])]))
        self.best.set_data([0, T], [best] * 2) if best is not None else self.best.set_data([], [])
        self.best.set_label("best line there is" if best is not None else "_nothing")
        self.ax.set_xlim(-0.02 * max(T, 1), 1.02 * max(T, 1))
        self.ax.set_ylim(0, 1.22 * max(float(run.errors.max()), 1))  # with room for a legend
        title(self.ax, f"{run.pocket_errors[-1]} of {run.N} wrong in the pocket")
        self._say(self._in_words(run, best))

    def _in_words(self, run: Run, best: int | None) -> str:
        first = int(np.argmin(run.errors))
        text = (
            f"Mistakes on {_format.count(run.N, 'example')} along {_format.count(run.updates, 'update')}: w_t begins "
            f"with {run.errors[0]} and ends with {run.errors[-1]}; the pocket ends with {run.pocket_errors[-1]}, "
            f"found at update {first}."
        )
        return text if best is None else f"{text} The best line makes {_format.count(best, 'mistake')}."


# --- weight space ---------------------------------------------------------------------------------

# The darker, the more mistakes; no mistakes at all are green, and lighter than any of them.
NO_MISTAKES = "#DDF7DF"
_SHADES = ListedColormap([str(0.86 - 0.42 * k / 254) for k in range(255)]).with_extremes(under=NO_MISTAKES)
_PIXELS = 240
# All the curves of a walk have so many points in all, unless it is very long.
_CURVE_POINTS = 20_000
# With more examples than this their boundaries would cover everything; the shades show them as well.
_MOST_BOUNDARIES = 60


class WeightSpaceArtists(Picture):
    """Weight space: every example is a half-space, the shade tells how many mistakes the w there makes; PLA walks.

    For d = 1 it is the plane of w₀ and w₁, exactly. For d = 2 only w's direction is drawn, since its length changes no
    prediction: a point's distance from the middle is its angle with the answer g, 0° to 180°.
    """

    def _create(self) -> None:
        ax = self.ax
        self.shades = ax.imshow(
            np.zeros((2, 2)), origin="lower", extent=(0, 1, 0, 1), cmap=_SHADES, vmin=0.5, vmax=1, zorder=REGIONS,
            aspect="equal", interpolation="nearest",
        )  # fmt: skip
        (self.boundaries,) = ax.plot([], [], color=_theme.FAINT, linewidth=0.7, zorder=LINES)
        (self.walk,) = ax.plot([], [], color=_theme.MISTAKE, zorder=POINTS, label="walk of $w_t$")
        (self.stops,) = ax.plot([], [], color=_theme.MISTAKE, marker="o", markersize=5, linestyle="none", zorder=POINTS)
        (self.start,) = ax.plot([], [], marker="s", color=_theme.INK, linestyle="none", zorder=WORDS)
        (self.end,) = ax.plot([], [], marker="*", markersize=16, color=_theme.INK, linestyle="none", zorder=WORDS)
        self.rim = put(ax, Circle((0, 0), 180, fill=False, edgecolor=_theme.FAINT, zorder=WORDS))
        self.equator = put(ax, Circle((0, 0), 90, fill=False, edgecolor=_theme.FAINT, linestyle=":", zorder=LINES))
        self._drawn: Run | None = None
        self._legs: list[FloatArray] = []

    def show(self, run: Run, t: int | None = None) -> None:
        """Draw the half-spaces of the run's examples, and the walk up to w_t (all of it if t is not given)."""
        t = run.updates if t is None else t
        if self._drawn is not run:  # the ground stays as it is while t moves
            self._map = _Plane(run) if run.d == 1 else _Sphere(run)
            self._show_ground(run)
            self._legs = self._map.legs(run)
            self._drawn = run
        path = np.concatenate(self._legs[: t + 1])
        self.walk.set_data(*positions(path))
        stops = self._map.place(run.weights[: t + 1])
        self.stops.set_data(*positions(stops))
        seen = stops[np.isfinite(stops[:, 0])]
        self.start.set_data(*positions(seen[:1]))
        self.end.set_data(*positions(stops[-1:]))
        self.start.set_label(f"w{sub(len(stops) - len(seen))}")  # w₀ = 0 has no direction: then w₁ is the first
        self.end.set_label(f"w{sub(t)}")
        title(self.ax, f"w{sub(t)}: {run.errors[t]} of {run.N} wrong")
        self._say(self._in_words(run, t))

    def _show_ground(self, run: Run) -> None:
        left, right, bottom, top = self._map.box
        counts = _mistakes_of_each(self._map.weights(_PIXELS), run)
        self.shades.set_data(counts.reshape(_PIXELS, _PIXELS))
        self.shades.set_extent((left, right, bottom, top))
        self.shades.set_clim(0.5, max(float(run.N), 1.5))
        few = run.X if run.N <= _MOST_BOUNDARIES else run.X[:0]
        self.boundaries.set_data(*positions(self._map.boundaries(few)))
        for circle in (self.rim, self.equator):
            circle.set_visible(run.d == 2)
        self.ax.set_xlim(left, right)
        self.ax.set_ylim(bottom, top)
        self._map.label(self.ax)
        self.ax.set_frame_on(run.d == 1)

    def _in_words(self, run: Run, t: int) -> str:
        view = (
            "Weight space, the plane of w0 and w1"
            if run.d == 1
            else "Weight space seen as directions of w, by their angle with the answer"
        )
        perfect = int(np.flatnonzero(run.errors == 0)[0]) if (run.errors == 0).any() else None
        end = (
            f"it reaches the region without mistakes at update {perfect}"
            if perfect is not None
            else ("it never meets a w without mistakes")
        )
        return (
            f"{view}: {run.N} half-spaces, one for each example, and the walk of {run.algorithm} from w_0 to w_{t}, "
            f"which makes {_format.count(int(run.errors[t]), 'mistake')}; in {_format.count(run.updates, 'update')} "
            f"{end}."
        )


def _mistakes_of_each(W: FloatArray, run: Run) -> FloatArray:
    """How many mistakes each row of W makes; NaN for rows that are no w."""
    counts = np.zeros(len(W))
    for x, y in zip(run.X, run.y, strict=True):  # one by one: all at once, many examples would fill the memory
        counts += y * (W[:, 0] + W[:, 1:] @ x) <= 0
    counts[~np.isfinite(W[:, 0])] = np.nan
    return counts


class _Plane:
    """Weight space for d = 1: w₀ and w₁ themselves."""

    def __init__(self, run: Run) -> None:
        reach = 1.15 * max(float(np.abs(run.weights).max()), 1e-9)
        self.box: Box = (-reach, reach, -reach, reach)

    def place(self, W: FloatArray) -> FloatArray:
        """Where w is drawn."""
        return W

    def weights(self, pixels: int) -> FloatArray:
        left, right, bottom, top = self.box
        across, up = np.meshgrid(_middles(left, right, pixels), _middles(bottom, top, pixels))
        return np.column_stack([across.ravel(), up.ravel()])

    def boundaries(self, X: FloatArray) -> FloatArray:
        """For each example the line w₀ + w₁x = 0 through the origin, from edge to edge; NaN between two."""
        far = 2 * self.box[1]
        along = np.column_stack([-X[:, 0], np.ones(len(X))])
        along *= far / np.abs(along).max(axis=1, keepdims=True)
        return np.stack([-along, along, np.full_like(along, np.nan)], axis=1).reshape(-1, 2)

    def legs(self, run: Run) -> list[FloatArray]:
        return [row[np.newaxis] for row in run.weights]

    def label(self, ax: Any) -> None:
        ax.set_xlabel("w₀")
        ax.set_ylabel("w₁")


class _Sphere:
    """Weight space for d = 2: directions of w, at a distance from the middle that is their angle with the answer."""

    box: Box = (-190.0, 190.0, -190.0, 190.0)

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
            found = np.column_stack([a, b]) * np.where(across > 0, angle / across, 0.0)[:, np.newaxis]
        found[~W.any(axis=1)] = np.nan
        return found

    def weights(self, pixels: int) -> FloatArray:
        left, right, bottom, top = self.box
        across, up = np.meshgrid(_middles(left, right, pixels), _middles(bottom, top, pixels))
        angle = np.hypot(across, up)
        with np.errstate(invalid="ignore"):
            sideways = np.sin(np.radians(angle)) / np.where(angle > 0, angle, 1.0)
        W = (
            np.cos(np.radians(angle))[..., np.newaxis] * self.centre
            + (sideways * across)[..., np.newaxis] * self.right
            + (sideways * up)[..., np.newaxis] * self.up
        )
        W[angle > 180] = np.nan
        return np.asarray(W.reshape(-1, 3))

    def boundaries(self, X: FloatArray) -> FloatArray:
        """For each example the circle of directions with wᵀx = 0, as a curve; NaN between two."""
        turn = np.linspace(0, 2 * np.pi, 181)
        curves = []
        for x in np.column_stack([np.ones(len(X)), X]):
            one, other = _at_right_angles(x)
            circle = np.cos(turn)[:, np.newaxis] * one + np.sin(turn)[:, np.newaxis] * other
            curves.append(_torn(self.place(circle)))
        return np.concatenate([np.empty((0, 2)), *curves])

    def legs(self, run: Run) -> list[FloatArray]:
        """For each w_t the way there: straight in weight space, so it is followed in small steps."""
        small_steps = min(max(_CURVE_POINTS // max(run.updates, 1), 2), 61)
        share = np.linspace(0, 1, small_steps)[:, np.newaxis]
        ways = [self.place((1 - share) * a + share * b) for a, b in zip(run.weights[:-1], run.weights[1:], strict=True)]
        return [self.place(run.weights[:1]), *(_torn(way)[:-1] for way in ways)]

    def label(self, ax: Any) -> None:
        ax.set_xlabel("angle between w and g\n(each point is a direction of w)")
        ax.set_xticks([-180, -90, 0, 90, 180], ["180°", "90°", "0°", "90°", "180°"])
        ax.set_yticks([])


def _middles(low: float, high: float, count: int) -> FloatArray:
    """The middles of so many pixels."""
    return np.asarray(low + (high - low) * (np.arange(count) + 0.5) / count)


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

"""Pictures of a run: one update as vectors, every step, the mistakes along the way, and the walk in weight space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import cycle, pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Arc, Circle, Patch
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import LARGEST, FloatArray, IntArray, as_floats, check_count, check_number
from plahelpers.geometry import Box, box_around, line_in_box
from plahelpers.guarantee import BestLine
from plahelpers.learning import Run
from plahelpers.plots import base
from plahelpers.plots.plane import check_box, draw_hypothesis, draw_points


@base.style()
def update(run: Run, t: int = 0, *, ax: Axes | None = None) -> Axes:
    """The update from w_t to w_{t+1} as arrows: w, y·x and their sum, with the angle to x before and after.

    It draws the plane that w_t and x span in R^(d+1), x₀ = 1 included, so that lengths and angles are the true ones,
    for every d. Used first in chapter 2, "The picture of an update".
    """
    base.check_run(run, "update")
    t = check_count(t, "t")
    if run.updates == 0:
        raise ValueError("this run made no updates, so there is none to draw.")
    if t >= run.updates:
        raise ValueError(
            f"this run made {_format.count(run.updates, 'update')}: t must be below {run.updates}, not {t}."
        )
    ax = base.one_axes(ax, "update")
    vectors = _Update(run, t)
    _draw_arrows(ax, vectors)
    _draw_angles(ax, vectors)
    ax.set_title(f"Update {t + 1}: example {vectors.n}, y = {'+1' if vectors.y == 1 else '−1'}")
    ax.set_xlabel(
        f"the plane of {_symbol(t) if t else 'the start'} and x, with x₀ = 1:\nlengths and angles are true",
        fontsize=base.SMALL,
    )
    base.describe([ax], _update_in_words(vectors, run, t))
    return ax


class _Update:
    """One update in the plane that w_t and x span: the same lengths and angles as in R^(d+1), in two coordinates.

    w_t lies along the first coordinate (where w_t = 0, the step does).
    """

    def __init__(self, run: Run, t: int) -> None:
        self.t = t
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
        self.step_name = "y·x" if run.eta == 1 else "η·y·x"
        self.step_is_x = self.y == 1 and run.eta == 1
        self.reach = max(float(np.abs(np.array([self.w, self.x, self.step, self.next])).max()), 1e-12)
        # In degrees, to x; nothing for w = 0, which has no direction.
        self.angle_before, self.angle_after = _angle(self.w, self.x), _angle(self.next, self.x)


def _angle(u: FloatArray, v: FloatArray) -> float | None:
    if not u.any() or not v.any():
        return None
    return float(np.degrees(np.arctan2(abs(u[0] * v[1] - u[1] * v[0]), u @ v)))


def _draw_arrows(ax: Axes, update: _Update) -> None:
    """Draw w, x, the step and the next w from the origin, each with its name beyond its tip."""
    thick, away = 1.3 * _theme.LINE_WIDTH, 0.1 * update.reach
    before, after = _symbol(update.t), _symbol(update.t + 1)
    ax.axhline(0, color=_theme.FAINT, linewidth=0.8, zorder=base.REGIONS)
    ax.axvline(0, color=_theme.FAINT, linewidth=0.8, zorder=base.REGIONS)
    if not update.step_is_x:
        base.arrow(ax, (0, 0), update.x, _theme.FAINT, linestyle="--")
        _name(ax, _beyond(update.x, away), "x", _theme.FAINT)
    base.arrow(ax, (0, 0), update.step, _theme.MISTAKE)
    if update.w.any():
        base.arrow(ax, (0, 0), update.w, _theme.INK, thick)
        _name(ax, (update.w[0], -away), before, _theme.INK)  # it lies on the axis: beside it is clearer
        same = " = x" if update.step_is_x else ""
        _name(ax, _beyond(update.step, away), f"{update.step_name}{same}", _theme.MISTAKE)
        _name(ax, _beyond(update.next, away), after, _theme.NEXT)
    else:  # the step is the next w; its name is long, and there is room beside the arrow
        _name(ax, (0, -away), f"{before} = 0", _theme.INK)
        _name(ax, (update.next[0] / 2, away), f"{after} = {update.step_name}", _theme.NEXT)
    base.arrow(ax, (0, 0), update.next, _theme.NEXT, thick)
    sides = base.positions([update.w, update.next, update.step])
    ax.plot(*sides, color=_theme.MISTAKE, linestyle=":", zorder=base.LINES)
    _frame(ax, np.array([np.zeros(2), update.w, update.x, update.step, update.next]), update.reach)


def _symbol(t: int) -> str:
    """How a picture names w after t updates; w₀ is an entry of w, so it cannot be the start."""
    return f"w{base.sub(t)}" if t else "start"


def _name(ax: Axes, place: Any, words: str, color: str) -> None:
    base.write(ax, place, words, color=color, weight="bold")


def _beyond(vector: FloatArray, distance: float) -> FloatArray:
    """A place a little farther than the tip of a vector."""
    length = float(np.hypot(*vector))
    return np.asarray(vector * (1 + distance / length)) if length else vector


def _frame(ax: Axes, tips: FloatArray, reach: float) -> None:
    """Show all tips with room for their names, in a box that is never thin."""
    low, high = tips.min(axis=0) - 0.22 * reach, tips.max(axis=0) + 0.22 * reach
    size = np.maximum(high - low, 0.7 * (high - low).max())
    left, bottom = (low + high - size) / 2
    right, top = (low + high + size) / 2
    base.set_box(ax, Box(left, right, bottom, top))


# A smaller angle has no room for its arc, in degrees.
_LEAST_ANGLE = 2.0


def _draw_angles(ax: Axes, update: _Update) -> None:
    """Draw the angle between w and x before the update, and a wider arc for the angle after it."""
    before = (update.w, update.angle_before, 0.4, _theme.INK, "-")
    after = (update.next, update.angle_after, 0.75, _theme.NEXT, "--")
    for vector, angle, size, color, line in (before, after):
        if angle is None or angle <= _LEAST_ANGLE:
            continue
        there, turn = _turn(update.x, vector)
        span = size * update.reach
        theta1, theta2 = sorted((there, there + turn))
        look: dict[str, Any] = {"color": color, "linewidth": 1.5, "linestyle": line, "zorder": base.LINES}
        ax.add_patch(Arc((0, 0), span, span, theta1=theta1, theta2=theta2, **look))
        # The angle is written on its arc, nearer to w than to x: so the two stand apart.
        beside = np.radians(there + 0.7 * turn)
        place = span / 2 * np.array([np.cos(beside), np.sin(beside)])
        base.write(ax, place, f"{angle:.0f}°", color=color, fontsize=base.SMALL)


def _turn(start: FloatArray, end: FloatArray) -> tuple[float, float]:
    """The direction of one vector, and the turn from it to another, from −180° to 180°."""
    one, other = (float(np.degrees(np.arctan2(v[1], v[0]))) for v in (start, end))
    return one, (other - one + 180) % 360 - 180


def _update_in_words(update: _Update, run: Run, t: int) -> str:
    if update.angle_after is None:
        change = f"before it the angle between w and x is {update.angle_before:.0f}°, after it w is 0"
    elif update.angle_before is None:
        change = f"before it w is 0 and has no angle with x, after it the angle is {update.angle_after:.0f}°"
    else:
        change = f"the angle between w and x goes from {update.angle_before:.0f}° to {update.angle_after:.0f}°"
    before, after = (float(run.weights[s] @ np.append(1.0, run.X[update.n])) * update.y for s in (t, t + 1))
    return (
        f"Update {t + 1} adds {update.step_name} of example {update.n} (y = {update.y:+d}) to w: {change}; "
        f"y wᵀx grows from {_format.number(before)} to {_format.number(after)}."
    )


@base.style()
def farthest(run: Run, times: Sequence[int], *, ax: Axes | None = None) -> Axes:
    """The line of w_t at some times, and how far the farthest example is from it; R, which is none of these.

    The thick arrow leads to the longest example, whose length with x₀ is R. Distances from a line are those in the
    picture, without x₀. Used in chapter 5, "5 · What is R?".
    """
    base.check_run(run, "farthest")
    base.refuse_unless_plane(run.d, "farthest")
    chosen = [check_count(t, "times") for t in times]
    if not chosen or max(chosen) > run.updates or not run.weights[chosen, 1:].any(axis=1).all():
        raise ValueError(f"times must be some t from 0 to {run.updates} at which w_t has a line; not {times!r}.")
    own, ax = ax is None, base.one_axes(ax, "farthest")
    base.set_box(ax, box_around(run.X))
    draw_points(ax, run.X, run.y)
    sentences = [_draw_farthest(ax, run, t, look) for t, look in zip(chosen, cycle(_LINE_LOOKS), strict=False)]
    base.describe([ax], " ".join([*sentences, _draw_longest(ax, run)]))
    ax.set_xlabel("x₁")
    ax.set_ylabel("x₂")
    if own:
        base.legend(ax)
    return ax


_LINE_LOOKS = ((_theme.INK, "-"), (_theme.MISTAKE, "--"), (_theme.POCKET, "-."))


def _draw_farthest(ax: Axes, run: Run, t: int, look: tuple[str, str]) -> str:
    """Draw the line of w_t, and its distance from the example that is farthest away; say both."""
    color, line = look
    w, box = run.weights[t], Box(*ax.get_xlim(), *ax.get_ylim())
    normal = w[1:] / np.linalg.norm(w[1:])
    distances = (w[0] + run.X @ w[1:]) / np.linalg.norm(w[1:])
    n = int(np.abs(distances).argmax())
    foot, how_far = run.X[n] - distances[n] * normal, _format.number(abs(distances[n]))
    style: dict[str, Any] = {"color": color, "linestyle": line, "zorder": base.LINES}
    ax.plot(*base.positions(line_in_box(w, box)), label=f"line of w{base.sub(t)}", **style)
    ax.plot(*base.positions([run.X[n], foot]), linewidth=0.6 * _theme.LINE_WIDTH, **style)
    base.write(ax, 0.16 * run.X[n] + 0.84 * foot, how_far, color=color, weight="bold")
    return f"The line of w_{t} is {how_far} from example {n}, which is the farthest."


def _draw_longest(ax: Axes, run: Run) -> str:
    """Draw an arrow to the longest example; say its length with x₀."""
    lengths = np.linalg.norm(run.X, axis=1)
    n, R = int(lengths.argmax()), _format.number(float(np.hypot(1, lengths.max())))
    base.arrow(ax, (0, 0), run.X[n], _theme.NEXT, 1.5 * _theme.LINE_WIDTH)
    base.write(ax, 0.66 * run.X[n], "longest x", color=_theme.NEXT, weight="bold")
    ax.set_title(f"R = {R} (with x₀) for every line")
    return f"The longest example is {n}: with x₀ its length is R = {R}."


_MOST_CORRECTIONS = 12


@base.style()
def corrections(before: float, gain: float, *, ax: Axes | None = None) -> Axes:
    """One example, corrected again and again: y wᵀx on the number line, which each correction raises by ‖x‖².

    Used in chapter 5, "Is one correction enough?".

    Parameters
    ----------
    before : float
        y wᵀx of the mistake, which is negative.
    gain : float
        ‖x‖², with x₀.
    """
    before, gain = check_number(before, "before", -LARGEST, LARGEST), check_number(gain, "gain", 1, LARGEST)
    if not 0 > before >= -gain * _MOST_CORRECTIONS:
        raise ValueError(f"before must be negative, and at least -{_MOST_CORRECTIONS} times gain; not {before:g}.")
    steps = np.arange(int(-before // gain) + 2)  # the last leads to the first value above 0
    values: FloatArray = np.asarray(before + gain * steps, dtype=np.float64)
    ax = base.one_axes(ax, "corrections", (7.0, 3.2))
    _draw_number_line(ax, values)
    for start, end in pairwise(values):
        base.arrow(ax, (start, 0), (end, 0), _theme.MISTAKE, connectionstyle="arc3,rad=-0.6")
        base.write(ax, ((start + end) / 2, 0.36 * gain), f"+{_format.number(gain)}", color=_theme.MISTAKE)
    ax.set_title(f"above 0 after {_format.count(len(values) - 1, 'correction')}")
    words = ", ".join(_format.number(value) for value in values)
    base.describe([ax], f"Each correction adds {_format.number(gain)} to y wᵀx of its example: {words}.")
    return ax


def _draw_number_line(ax: Axes, values: FloatArray) -> None:
    """Draw the line of y wᵀx, its two sides, and the values of one example on it."""
    gain = values[1] - values[0]
    box = Box(values[0] - 0.5 * gain, max(values[-1], 0.5 * gain) + 0.5 * gain, -0.5 * gain, 0.6 * gain)
    for left, right, shade, name in (
        (box.left, 0.0, _theme.MINUS_REGION, "a mistake"),
        (0.0, box.right, _theme.PLUS_REGION, "right"),
    ):
        ax.axvspan(left, right, color=shade, zorder=base.REGIONS)
        base.write(ax, ((left + right) / 2, -0.38 * gain), name)
    ax.axhline(0, color=_theme.FAINT, zorder=base.LINES)
    ax.axvline(0, color=_theme.INK, zorder=base.LINES)
    dots: dict[str, Any] = {"marker": "o", "linestyle": "none", "color": _theme.INK, "zorder": base.POINTS}
    ax.plot(values, np.zeros(len(values)), **dots)
    ax.set_xticks(values, [_format.number(value).replace("-", "−") for value in values])
    ax.set_yticks([])
    ax.set_xlabel("$y\\,w^\\top x$")
    base.set_box(ax, box)
    ax.set_aspect("auto")


_MOST_PANELS = 9
_LAST_PANELS = 3
_PANELS_IN_A_ROW = 5  # two rows have the shape of a slide


@base.style()
def steps(
    run: Run,
    *,
    times: Sequence[int] | None = None,
    box: tuple[float, float, float, float] | None = None,
    show_w: bool = False,
    axes: Any = None,
) -> base.AxesArray:
    """A whole run in small pictures, one for each w_t; of a long run the first and the last ones.

    The double ring is the example that is corrected next. Used first in chapter 2, "PLA in the lecture's words".

    Parameters
    ----------
    times : sequence of int, optional
        Only these t.
    box : (left, right, bottom, top), optional
        What each picture shows; if not given, a box around the examples.
    show_w : bool
        Write w_t over each picture, instead of its number of mistakes.
    """
    base.check_run(run, "steps")
    base.refuse_unless_plane(run.d, "steps")
    shown = box_around(run.X) if box is None else check_box(box)
    chosen = _times_of_panels(run.updates) if times is None else [check_count(t, "times") for t in times]
    if not chosen or max(t or 0 for t in chosen) > run.updates:
        raise ValueError(f"times must be some t from 0 to {run.updates}; not {times!r}.")
    rows = math.ceil(len(chosen) / _PANELS_IN_A_ROW)
    columns = math.ceil(len(chosen) / rows)
    panels = base.many_axes(axes, len(chosen), "steps", rows, columns, (2.1 * columns, 2.3 * rows))
    for ax, t in zip(panels.flat, chosen, strict=False):
        if t is None:
            words = f"…\n{run.updates + 2 - len(chosen):,} pictures\nleft out"
            ax.text(0.5, 0.5, words, ha="center", va="center", transform=ax.transAxes)
            ax.axis("off")
        else:
            _draw_step(ax, run, t, shown, show_w)
    for ax in list(panels.flat)[len(chosen) :]:
        ax.axis("off")
    each = "; ".join("…" if t is None else _step_in_words(run, t) for t in chosen)
    base.describe(panels.flat, f"{run.algorithm} step by step on {_format.count(run.N, 'point')}: {each}.")
    return panels


def _times_of_panels(T: int) -> list[int | None]:
    """The t that are shown, None standing for a gap."""
    if T + 1 <= _MOST_PANELS:
        return list(range(T + 1))
    first = _MOST_PANELS - _LAST_PANELS - 1
    return [*range(first), None, *range(T + 1 - _LAST_PANELS, T + 1)]


def _draw_step(ax: Axes, run: Run, t: int, box: Box, show_w: bool) -> None:
    w, zero = run.weights[t], run.sign_of_zero
    pick = int(run.picks[t]) if t < run.updates else None
    title = f"t = {t}: {_format.vector(w) if show_w else f'{run.errors[t]} wrong'}"
    draw_hypothesis(ax, box, w, run.X, run.y, sign_of_zero=zero, pick=pick, title=title)
    ax.set_xticks([])
    ax.set_yticks([])


def _step_in_words(run: Run, t: int) -> str:
    wrong = f"{f'w_{t}' if t else 'the start'} makes {_format.count(int(run.errors[t]), 'mistake')}"
    return f"{wrong}, example {run.picks[t]} is corrected" if t < run.updates else wrong


# With more updates than this, dots would run into one another.
_MOST_DOTS = 60


@base.style()
def errors(run: Run, *, best: BestLine | int | None = None, pocket: bool = True, ax: Axes | None = None) -> Axes:
    """How many mistakes w_t makes along a run, and how many the best so far, which is in the pocket.

    Used first in chapter 4, "PLA never halts".

    Parameters
    ----------
    best : BestLine or int, optional
        From `best_line(X, y)`: drawn as the line that nothing can pass.
    pocket : bool
        Draw the best so far, too; PLA has no pocket.
    """
    base.check_run(run, "errors")
    fewest = best.mistakes if isinstance(best, BestLine) else None if best is None else check_count(best, "best")
    own, ax = ax is None, base.one_axes(ax, "errors", (6.4, 4.0))
    draw_errors(ax, run, fewest, pocket)
    if own:
        base.legend(ax, loc="upper right", ncols=3)
    return ax


def draw_errors(ax: Axes, run: Run, best: int | None, pocket: bool) -> None:
    """Draw the mistakes of w_t, and of the pocket; `best` is the fewest mistakes that any line makes."""
    T, times, few = run.updates, np.arange(run.updates + 1), run.updates <= _MOST_DOTS
    dots: dict[str, Any] = {"marker": "o", "markersize": 5 if few else 0, "linewidth": 1.4 if few else 0.7}
    ax.plot(times, run.errors, color=_theme.FAINT, label="$w_t$", **dots)
    if pocket:
        step: dict[str, Any] = {"linewidth": 1.5 * _theme.LINE_WIDTH, "drawstyle": "steps-post"}
        ax.plot(times, run.pocket_errors, color=_theme.POCKET, label="pocket", **step)
    if best is not None:
        ax.plot([0, T], [best, best], color=_theme.INK, linestyle=":", label="best line there is")
    base.set_updates_axis(ax, T)
    ax.set_ylabel("mistakes")
    ax.yaxis.set_major_locator(base.whole_numbers())
    ax.set_ylim(0, 1.22 * max(float(run.errors.max()), 1))  # with room for a legend
    kept = f"{run.pocket_errors[-1]} of {run.N} wrong in the pocket"
    ax.set_title(kept if pocket else f"between {run.errors.min()} and {run.errors.max()} of {run.N} wrong")
    base.describe([ax], _errors_in_words(run, best, pocket))


def _errors_in_words(run: Run, best: int | None, pocket: bool) -> str:
    kept = f"; the pocket ends with {run.pocket_errors[-1]}, found at update {int(np.argmin(run.errors))}"
    text = (
        f"Mistakes on {_format.count(run.N, 'example')} along {_format.count(run.updates, 'update')}: w_t begins "
        f"with {run.errors[0]} and ends with {run.errors[-1]}{kept if pocket else ''}."
    )
    return text if best is None else f"{text} The best line makes {_format.count(best, 'mistake')}."


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
    own, ax = ax is None, base.one_axes(ax, "weight_space", _CHART)
    view = _Plane(run) if run.d == 1 else _Sphere(run)
    _draw_half_spaces(ax, view, run.X, run.y)
    _draw_walk(ax, view, run, t)
    ax.set_title(f"{_symbol(t)}: {run.errors[t]} of {run.N} wrong")
    base.describe([ax], _walk_in_words(run, t))
    if own:
        base.legend(ax, Patch(facecolor=_NO_MISTAKES, edgecolor=_theme.FAINT, label="no mistakes\n(darker: more)"))
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


def _draw_walk(ax: Axes, view: _Plane | _Sphere, run: Run, t: int) -> None:
    """Draw the walk up to w_t, its stops, its start and its end."""
    path, stops = view.path(run.weights[: t + 1]), view.place(run.weights[: t + 1])
    with_place = stops[np.isfinite(stops[:, 0])]  # 0 has no direction
    look: dict[str, Any] = {"color": _theme.MISTAKE, "zorder": base.POINTS}
    ax.plot(*base.positions(path), label="walk of $w_t$", **look)
    ax.plot(*base.positions(stops), marker="o", markersize=5, linestyle="none", **look)
    ends: dict[str, Any] = {"color": _theme.INK, "zorder": base.WORDS, "linestyle": "none"}
    ax.plot(*base.positions(with_place[:1]), marker="s", label=_symbol(len(stops) - len(with_place)), **ends)
    ax.plot(*base.positions(stops[-1:]), marker="*", markersize=16, label=_symbol(t), **ends)


def _walk_in_words(run: Run, t: int) -> str:
    view = ", the plane of w's two entries" if run.d == 1 else ", directions of w by their angle with the answer"
    first = "w_1" if run.d == 2 and t and not run.weights[0].any() else "its start"  # 0 has no direction
    clean = np.flatnonzero(run.errors == 0)
    reached = f"reaches the region without mistakes at update {clean[0]}" if len(clean) else ""
    updates, wrong = _format.count(run.updates, "update"), _format.count(int(run.errors[t]), "mistake")
    return (
        f"Weight space{view}: {run.N} half-spaces, one for each example, and the walk of {run.algorithm} from {first} "
        f"to w_{t}, which makes {wrong}; in {updates} it {reached or 'never meets a w without mistakes'}."
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
        stops = np.vstack([np.zeros(2), run.weights])  # the origin is where all boundaries meet
        low, high = stops.min(axis=0), stops.max(axis=0)
        half = 0.65 * max(float((high - low).max()), 1e-9)
        (x, y) = (low + high) / 2
        self.box = Box(x - half, x + half, y - half, y + half)

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


@base.style()
def half_spaces(run: Run, *, axes: Any = None) -> base.AxesArray:
    """For one feature (d = 1): the w that get each example right, and in the last picture those that get all right.

    The plane is that of w₀ and w₁. The arrow is y·x: it points from the boundary into the half-plane of good w.
    Used in chapter 2, "Further: Weight space".
    """
    base.check_run(run, "half_spaces")
    if run.d != 1 or run.N > _MOST_PANELS - 1:
        raise ValueError(
            f"plots.half_spaces draws at most {_MOST_PANELS - 1} examples with one feature; this run has N = {run.N} "
            f"and d = {run.d}. plots.weight_space(run) fits d = 1 and d = 2, and every N."
        )
    columns = math.ceil((run.N + 1) / math.ceil((run.N + 1) / 3))
    rows = math.ceil((run.N + 1) / columns)
    panels = base.many_axes(axes, run.N + 1, "half_spaces", rows, columns, (2.2 * columns, 2.5 * rows))
    view = _Plane(run)
    for n, ax in enumerate(list(panels.flat)[: run.N]):
        _draw_half_spaces(ax, view, run.X[[n]], run.y[[n]])
        _draw_normal(ax, view.box, np.append(1.0, run.X[n]), int(run.y[n]))
        ax.set_title(f"x = {_format.number(float(run.X[n, 0]))}, y = {'+1' if run.y[n] == 1 else '−1'}")
    together = panels.flat[run.N]
    _draw_half_spaces(together, view, run.X, run.y)
    together.set_title(f"all {run.N}")
    for ax in panels.flat:
        ax.set_xticks([])
        ax.set_yticks([])
    for ax in list(panels.flat)[run.N + 1 :]:
        ax.axis("off")
    base.describe(panels.flat, _half_spaces_in_words(run))
    return panels


def _draw_normal(ax: Axes, box: Box, x: FloatArray, y: int) -> None:
    """Draw the direction of y·x, from the middle of the boundary wᵀx = 0."""
    start = line_in_box(np.append(0.0, x), box).mean(axis=0)
    step = 0.22 * box.spans[0] * y * x / float(np.hypot(*x))
    base.arrow(ax, start, start + step, _theme.INK)
    _name(ax, start + _beyond(step, 0.09 * box.spans[0]), "y·x", _theme.INK)


def _half_spaces_in_words(run: Run) -> str:
    view = _Plane(run)
    clean = np.nanmin(_mistakes_of_each(view.weights(_pixels(view.box)), run.X, run.y)) == 0
    overlap = "overlap in a wedge" if clean else "have no w in common"
    return (
        f"The plane of w₀ and w₁: {_format.count(run.N, 'half-plane')} of good w, one for each example, on the side to "
        f"which y·x points. In the last picture all of them: they {overlap}."
    )


_MOST_NAMED = 12
_CHART = (6.2, 4.5)  # inches


@base.style()
def rises(run: Run, *, ax: Axes | None = None) -> Axes:
    """For each update y·wᵀx of its example, before and after: an arrow up, by η‖x‖².

    An arrow that ends below 0 has not made its example right. Used in chapter 2, "The picture of an update".
    """
    base.check_run(run, "rises")
    if run.updates == 0:
        raise ValueError("this run made no updates, so there is none to draw.")
    ax = base.one_axes(ax, "rises", _CHART)
    before, after = _around_updates(run)
    times, low, high = np.arange(1, run.updates + 1), float(before.min()), float(after.max())
    room = 0.08 * (high - low)
    ax.axhspan(low - 2 * room, 0, color=_theme.MINUS_REGION, zorder=base.REGIONS)
    base.write(ax, (0.7, high + room), "above 0: right", ha="left")
    base.write(ax, (0.7, low - room), "below 0: a mistake", ha="left")
    ax.axhline(0, color=_theme.INK, linewidth=1.2, zorder=base.LINES)
    for t, start, end in zip(times, before, after, strict=True):
        base.arrow(ax, (t, start), (t, end), _theme.MISTAKE if end <= 0 else _theme.NEXT)
    ax.set_xlim(0.4, run.updates + 0.6)
    ax.set_ylim(low - 2 * room, high + 2 * room)
    _name_updates(ax, run)
    ax.set_ylabel("y wᵀx of the example")
    base.describe([ax], _rises_in_words(run, before, after))
    return ax


def _around_updates(run: Run) -> tuple[FloatArray, FloatArray]:
    """y·wᵀx of the example of each update, before and after it."""
    Z = np.column_stack([np.ones(run.updates), run.X[run.picks]]) * run.y[run.picks][:, np.newaxis]
    return np.sum(run.weights[:-1] * Z, axis=1), np.sum(run.weights[1:] * Z, axis=1)


def _name_updates(ax: Axes, run: Run) -> None:
    """Ticks at the updates; where there is room, each with its example."""
    if run.updates <= _MOST_NAMED:
        names = [f"{t}\n({n})" for t, n in enumerate(run.picks, 1)]
        ax.set_xticks(range(1, run.updates + 1), names)
        ax.set_xlabel("update (and its example)")
    else:
        ax.xaxis.set_major_locator(base.whole_numbers())
        ax.set_xlabel("update")


def _rises_in_words(run: Run, before: FloatArray, after: FloatArray) -> str:
    short = [f"update {t}" for t in np.flatnonzero(after <= 0) + 1]
    still = f"it is still not positive after {_format.listing(short)}" if short else "it is positive after each of them"
    changes = ", ".join(
        f"{_format.number(one)} to {_format.number(other)}"
        for one, other in list(zip(before, after, strict=True))[:_MOST_NAMED]
    )
    more = "" if run.updates <= _MOST_NAMED else ", …"
    return (
        f"y wᵀx of the corrected example before and after each of {_format.count(run.updates, 'update')}: {changes}"
        f"{more}; {still}."
    )


@base.style()
def along(
    values: ArrayLike, name: str, *, level: float | None = None, level_name: str = "", ax: Axes | None = None
) -> Axes:
    """A quantity along a run, one value for each w_t, t = 0 … T; a level to compare with, if there is one.

    Used first in chapter 2, "PLA tries the bank's applicants".
    """
    heights = as_floats(values, "values").reshape(-1)
    if not len(heights):
        raise ValueError("values must hold one number for each t = 0 … T; it is empty.")
    own, ax = ax is None, base.one_axes(ax, "along", _CHART)
    T = len(heights) - 1
    few = T <= _MOST_DOTS
    look: dict[str, Any] = {"marker": "o" if few else "", "linewidth": 1.6 if few else 0.6, "zorder": base.LINES}
    ax.plot(np.arange(T + 1), heights, color=_theme.PLUS, label="$w_t$", drawstyle="steps-post", **look)
    if level is not None:
        level = check_number(level, "level", -LARGEST, LARGEST)
        label = f"{level_name}: {_format.number(level)}"
        ax.plot([0, T], [level, level], color=_theme.MINUS, linestyle="--", zorder=base.POINTS, label=label)
    base.set_updates_axis(ax, T)
    ax.set_ylabel(name)
    ax.set_ylim(min(0.0, 1.1 * float(heights.min())), 1.15 * max(float(heights.max()), 1e-9))
    base.describe([ax], _along_in_words(heights, name, level, level_name))
    if own and level is not None:
        base.legend(ax, loc="upper right", ncols=2)
    return ax


def _along_in_words(heights: FloatArray, name: str, level: float | None, level_name: str) -> str:
    first, last, least = (_format.number(float(value)) for value in (heights[0], heights[-1], heights.min()))
    text = (
        f"{name[:1].upper()}{name[1:]} along {_format.count(len(heights) - 1, 'update')}: {first} at the start, {last} "
        f"at the end; the least is {least}, at t = {int(heights.argmin())}."
    )
    if level is None:
        return text
    above = float(np.mean(heights > level))
    return f"{text} At {above:.0%} of all t it is above the level {level_name}, {_format.number(level)}."

"""Pictures of a run: one update as vectors, what each does to its example, every step, the mistakes, weight space.

In weight space each w is a point, each example a half-plane of the w that get it right, and a run is a walk.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray, check_count, check_number
from plahelpers.geometry import Box, box_around, line_in_box
from plahelpers.hypothesis import with_bias
from plahelpers.learning import Run
from plahelpers.plots import base
from plahelpers.plots.plane import draw_hypothesis


@base.style()
def update(run: Run, t: int = 0, *, ax: Axes | None = None) -> Axes:
    """The update from w_t to w_{t+1} as arrows: w, y·x and their sum, with the angle to x before and after.

    It draws the plane that w_t and x span in R^(d+1), x₀ = 1 included, so that lengths and angles are the true ones,
    for every d.
    """
    t = base.check_update(run, t, "update")
    ax = base.one_axes(ax, "update", (4.4, 4.4))
    vectors = _Update(run, t)
    _draw_arrows(ax, vectors)
    _draw_angles(ax, vectors)
    ax.set_xlabel(f"the plane of {base.symbol(t)} and $x$ of example {vectors.n}")
    base.describe(ax, _update_in_words(vectors, run, t))
    return ax


class _Update:
    """One update in the plane that w_t and x span: the same lengths and angles as in R^(d+1), in two coordinates.

    w_t lies along the first coordinate (where w_t = 0, the step does).
    """

    def __init__(self, run: Run, t: int) -> None:
        self.t, self.n = t, int(run.picks[t])
        self.y = int(run.y[self.n])
        w, x = run.weights[t], np.append(1.0, run.X[self.n])
        first = w if w.any() else self.y * x
        e1 = first / np.linalg.norm(first)
        across = x - (x @ e1) * e1
        # What is left of x is rounding if x lies along w; then any second direction will do, and it is not needed.
        length = float(np.linalg.norm(across))
        e2 = across / length if length > 1e-9 * np.linalg.norm(x) else np.zeros_like(e1)
        basis = np.array([e1, e2 * self.y])  # so that the step y·x points up, whatever y is
        self.w, self.x, self.step = basis @ w, basis @ x, run.eta * self.y * (basis @ x)
        self.next = self.w + self.step
        self.step_name = "$y\\,x$" if run.eta == 1 else "$\\eta\\,y\\,x$"
        self.vectors = np.array([np.zeros(2), self.w, self.x, self.step, self.next])
        self.reach = float(np.abs(self.vectors).max())
        # In degrees, to x; nothing for w = 0, which has no direction.
        self.angle_before, self.angle_after = _angle(self.w, self.x), _angle(self.next, self.x)


def _angle(u: FloatArray, v: FloatArray) -> float | None:
    return float(np.degrees(np.arctan2(abs(u[0] * v[1] - u[1] * v[0]), u @ v))) if u.any() else None


def _draw_arrows(ax: Axes, update: _Update) -> None:
    """Draw w, x, the step and the next w from the origin, each with its name beyond its tip."""
    away, after, step = 0.1 * update.reach, base.symbol(update.t + 1), update.step_name
    for line in (ax.axhline, ax.axvline):
        line(0, color=_theme.FAINT, linewidth=0.8, zorder=base.REGIONS)
    if np.array_equal(update.step, update.x):
        step += " $= x$"
    else:
        base.arrow(ax, (0, 0), update.x, _theme.FAINT, linestyle="--")
        base.name_tip(ax, update.x, away, "$x$", _theme.FAINT)
    base.arrow(ax, (0, 0), update.step, _theme.MISTAKE)
    if update.w.any():
        base.arrow(ax, (0, 0), update.w, _theme.W)
        # It lies on the axis, so its name is clearer beside it.
        base.write(ax, (update.w[0], -away), base.symbol(update.t), color=_theme.W)
        base.name_tip(ax, update.step, away, step, _theme.MISTAKE)
        base.name_tip(ax, update.next, away, after, _theme.W)
    else:  # the step is the next w, and there is room beside the arrow
        base.write(ax, (update.next[0] / 2, away), f"{after} $=$ {step}", color=_theme.W)
    base.arrow(ax, (0, 0), update.next, _theme.W, 2 * _theme.LINE_WIDTH)
    sides = base.positions([update.w, update.next, update.step])
    ax.plot(*sides, color=_theme.MISTAKE, linestyle=":", zorder=base.LINES)
    base.set_box(ax, base.square_around(update.vectors, 0.72))


def _draw_angles(ax: Axes, update: _Update) -> None:
    """Draw the angle between w and x before the update, and a wider arc for the angle after it."""
    before = (update.w, update.angle_before, 0.2, _theme.FAINT, "-")
    after = (update.next, update.angle_after, 0.42, _theme.W, "--")
    for vector, angle, radius, color, line in (before, after):
        if angle is not None and angle > 2.0:  # a smaller one has no room for its arc
            # Written nearer to w than to x: so the two stand apart.
            base.angle(ax, update.x, vector, radius * update.reach, 0.7, color, linestyle=line)


def _update_in_words(update: _Update, run: Run, t: int) -> str:
    angles = ["undefined (w is 0)" if a is None else f"{a:.0f}°" for a in (update.angle_before, update.angle_after)]
    before, after = (float(run.weights[s] @ np.append(1.0, run.X[update.n])) * update.y for s in (t, t + 1))
    return (
        f"Update {t + 1} adds {'' if run.eta == 1 else 'η·'}y·x of example {update.n} (y = {update.y:+d}) to w. The "
        f"angle between w and x is {angles[0]} before it and {angles[1]} after it; y wᵀx grows from "
        f"{_format.number(before)} to {_format.number(after)}."
    )


_MOST_PANELS = 9


@base.style()
def steps(
    run: Run,
    *,
    times: Sequence[int] | None = None,
    box: tuple[float, float, float, float] | None = None,
    show_w: bool = False,
) -> NDArray[Any]:
    """A whole run in small pictures, one for each w_t or for the `times` t; of a long run the first ones and the last.

    The double ring is the example that is corrected next. Each picture shows `box`, (left, right, bottom, top), or
    what is around the examples; `show_w` writes w_t over it, instead of its number of mistakes.
    """
    base.check_run(run, "steps")
    base.refuse_unless_plane(run.d, "steps")
    if times is None:  # as many as there are pictures
        times = [*range(min(run.updates, _MOST_PANELS - 1)), run.updates]
    chosen = [check_count(t, "times") for t in times]
    if not chosen or max(chosen) > run.updates:
        raise ValueError(f"times must be some t from 0 to {run.updates}; not {times!r}.")
    panels = base.panels(len(chosen), 3, 2.0)
    for ax, t in zip(panels.flat, chosen, strict=False):
        _draw_step(ax, run, t, box_around(run.X) if box is None else Box(*box), show_w)
    each = "; ".join(_step_in_words(run, t) for t in chosen)
    base.describe(panels[0, 0], f"{run.algorithm} step by step on {_format.count(run.N, 'point')}: {each}.")
    return panels


def _draw_step(ax: Axes, run: Run, t: int, box: Box, show_w: bool) -> None:
    w, zero = run.weights[t], run.sign_of_zero
    pick = int(run.picks[t]) if t < run.updates else None
    now = f"${_format.vector(w).replace('-', '{-}')}$" if show_w else f"{run.errors[t]} wrong"
    draw_hypothesis(ax, box, w, run.X, run.y, sign_of_zero=zero, pick=pick, title=f"$t = {t}$: {now}", name="")


def _step_in_words(run: Run, t: int) -> str:
    wrong = f"{f'w_{t}' if t else 'the start'} makes {_format.count(int(run.errors[t]), 'mistake')}"
    return f"{wrong}, example {run.picks[t]} is corrected" if t < run.updates else wrong


@base.style()
def errors(
    run: Run,
    *,
    levels: Mapping[str, float] | None = None,
    pocket: bool = True,
    until: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How many mistakes w_t makes along a run, and how many the best so far, which is in the pocket.

    `levels` has numbers of mistakes to compare with, each with its name, such as that of `best_line(X, y)`. With
    pocket=False the best so far is left out, since PLA has no pocket; `until` draws only the first so many updates.
    """
    base.check_run(run, "errors")
    T = run.updates if until is None else min(check_count(until, "until"), run.updates)
    lines = {name: check_number(level, name, 0, run.N) for name, level in (levels or {}).items()}
    ax = base.one_axes(ax, "errors", base.CHART)
    wrong, kept, few = run.errors[: T + 1], run.pocket_errors[: T + 1], T <= 60  # more dots run into one another
    thin: dict[str, Any] = {"linewidth": 1.4, "marker": "o", "markersize": 5} if few else {"linewidth": 0.8}
    color = _theme.MISTAKE
    ax.plot(np.arange(T + 1), wrong, color=color, label="walk", drawstyle="steps-post", clip_on=False, **thin)
    ends = [(name, level, _theme.INK) for name, level in lines.items()]
    if pocket:
        thick: dict[str, Any] = {"linewidth": 1.5 * _theme.LINE_WIDTH, "drawstyle": "steps-post", "linestyle": "--"}
        ax.plot(np.arange(T + 1), kept, color=color, label="pocket", **thick)
        ends += [("walk $w_t$", float(wrong.max()), color), ("pocket", float(kept[-1]), color)]
    for name, level in lines.items():
        ax.plot([0, T], [level, level], color=_theme.INK, linestyle=":", label=name)
    ax.set(xlabel="updates $t$", ylabel="mistakes" if pocket else "mistakes of $w_t$")
    ax.set(xlim=(-0.02 * T, 1.02 * max(T, 1)), ylim=(0, 1.08 * max(float(wrong.max()), 1)))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=True))
    if ends:
        base.name_ends(ax, ends)
    base.describe(ax, _errors_in_words(run.N, wrong, pocket, lines))
    return ax


def _errors_in_words(N: int, wrong: IntArray, pocket: bool, levels: Mapping[str, float]) -> str:
    kept = f"; the pocket ends with {wrong.min()}, found at update {int(np.argmin(wrong))}" if pocket else ""
    compared = "".join(
        f" The level {name} is {_format.number(level)}; w_t makes more at {np.mean(wrong > level):.0%} of all t."
        for name, level in levels.items()
    )
    return (
        f"Mistakes on {_format.count(N, 'example')} along {_format.count(len(wrong) - 1, 'update')}: w_t begins "
        f"with {wrong[0]} and ends with {wrong[-1]}{kept}.{compared}"
    )


@base.style()
def rises(run: Run, *, ax: Axes | None = None) -> Axes:
    """For each update y·wᵀx of its example, before and after: an arrow up, by η‖x‖².

    An arrow that ends below 0 has not made its example right.
    """
    base.check_update(run, 0, "rises")
    ax = base.one_axes(ax, "rises", base.CHART)
    steps = run.y[run.picks, np.newaxis] * with_bias(run.X[run.picks])
    before, after = np.sum(run.weights[:-1] * steps, axis=1), np.sum(run.weights[1:] * steps, axis=1)
    times, low, high = np.arange(1, run.updates + 1), float(before.min()), float(after.max())
    room = 0.08 * (high - low)
    ax.axhspan(low - 2 * room, 0, color=_theme.LOOK["note"][0], zorder=base.REGIONS)
    base.write(ax, (0.7, high + room), "above 0: right", ha="left")
    base.write(ax, (0.7, low - room), "below 0: a mistake", ha="left", color=_theme.MISTAKE)
    ax.axhline(0, color=_theme.INK, linewidth=1.2, zorder=base.LINES)
    for t, start, end in zip(times, before, after, strict=True):
        base.arrow(ax, (t, start), (t, end), _theme.MISTAKE if end <= 0 else _theme.INK)
    ax.set_xlim(0.4, run.updates + 0.6)
    ax.set_ylim(low - 2 * room, high + 2 * room)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    ax.xaxis.set_major_formatter(lambda t, _: f"{t:.0f}\n({run.picks[int(t) - 1]})" if 1 <= t <= run.updates else "")
    ax.set(xlabel="update (and its example)", ylabel=f"$y\\,{base.SCORE}$ of the example")
    base.describe(ax, _rises_in_words(run, before, after))
    return ax


def _rises_in_words(run: Run, before: FloatArray, after: FloatArray) -> str:
    short = [f"update {t}" for t in np.flatnonzero(after <= 0) + 1]
    still = f"it is still not positive after {_format.listing(short)}" if short else "it is positive after each of them"
    pairs = zip(before, after, strict=True)
    changes = _format.listing([f"{_format.number(low)} to {_format.number(high)}" for low, high in pairs])
    return (
        f"y wᵀx of the corrected example before and after each of {_format.count(run.updates, 'update')}: {changes}; "
        f"{still}."
    )


# The darker, the more mistakes; where there are none it is white.
_SHADES = ListedColormap([str(0.86 - 0.42 * k / 254) for k in range(255)]).with_extremes(under="white")
_PIXELS = 240


@base.style()
def weight_space(run: Run, *, ax: Axes | None = None) -> Axes:
    """Weight space for one feature (d = 1), the plane of w₀ and w₁: how many mistakes each w makes, and PLA's walk.

    The darker, the more mistakes; white is where none are left.
    """
    base.check_run(run, "weight_space")
    if run.d != 1:
        raise ValueError(
            f"plots.weight_space draws the plane of w₀ and w₁, so it needs d = 1 feature; this run has d = {run.d}. "
            "plots.errors(run) and plots.update(run, t) fit every d."
        )
    ax = base.one_axes(ax, "weight_space", (4.9, 4.7))
    box = base.square_around([np.zeros(2), *run.weights], 0.7)  # the origin is where all boundaries meet
    _draw_half_planes(ax, box, run)
    _draw_walk(ax, run)
    base.set_box(ax, box)
    ax.set(xlabel="$w_0$", ylabel="$w_1$")
    base.describe(ax, _walk_in_words(run))
    return ax


def _draw_half_planes(ax: Axes, box: Box, run: Run) -> None:
    """Shade each w by its number of mistakes, and draw for each example the line w₀ + w₁x = 0 through the origin."""
    middles = (np.arange(_PIXELS) + 0.5) / _PIXELS
    w0, w1 = np.meshgrid(box.left + box.spans[0] * middles, box.bottom + box.spans[1] * middles)
    counts = np.zeros((_PIXELS, _PIXELS))
    for x, y in zip(run.X[:, 0], run.y, strict=True):
        counts += y * (w0 + w1 * x) <= 0
        ends = line_in_box(np.array([0.0, 1.0, x]), box)
        ax.plot(*base.positions(ends), color=_theme.FAINT, linewidth=0.7, zorder=base.LINES)
    shades: dict[str, Any] = {"cmap": _SHADES, "vmin": 0.5, "vmax": max(float(run.N), 1.5), "zorder": base.REGIONS}
    ax.imshow(counts, origin="lower", extent=box, interpolation="nearest", **shades)


def _draw_walk(ax: Axes, run: Run) -> None:
    """Draw the walk, and name where it starts and where it ends."""
    ends: dict[str, Any] = {"color": _theme.W, "zorder": base.WORDS}
    ax.plot(*base.positions(run.weights), color=_theme.W, zorder=base.POINTS, marker="o", markersize=5)
    for t, mark, size, away in ((0, "s", 10, (-24, -14)), (run.updates, "*", 18, (-30, 12))):
        ax.plot(*base.positions(run.weights[t]), marker=mark, markersize=size, **ends)
        base.write(ax, run.weights[t], base.symbol(t), away, **ends)


def _walk_in_words(run: Run) -> str:
    clean, T = np.flatnonzero(run.errors == 0), run.updates
    reached = f"reaches the region without mistakes at update {clean[0]}" if len(clean) else ""
    return (
        f"Weight space, the plane of w's two entries: {run.N} half-planes, one for each example, and the walk of "
        f"{run.algorithm}; in {_format.count(T, 'update')} it {reached or 'never meets a w without mistakes'}."
    )

"""What all pictures share: the style, new Axes, legends, alternative texts, and what may be drawn."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib import pyplot, rcParams
from matplotlib.axes import Axes
from matplotlib.font_manager import fontManager
from matplotlib.lines import Line2D
from matplotlib.patches import Arc, FancyArrowPatch
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike, NDArray

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray, check_count, check_data, check_weights
from plahelpers.datasets import Data, default_names
from plahelpers.geometry import MOST_UNEQUAL, Box
from plahelpers.learning import Run
from plahelpers.plots import stored

SMALL: Final = _theme.FONT_SIZE - 0.5
CHART: Final = (6.0, 3.9)  # inches
SCORE: Final = r"w^{\!\!\top\!\!}x"

# The face of the book and the widgets; matplotlib's own has what it lacks. So every machine draws the same pixels.
for face in ("regular", "bold"):
    fontManager.addfont(Path(__file__).with_name("fonts") / f"lecture-sans-{face}.ttf")

STYLE: dict[str, Any] = {
    "font.family": ["Lecture Sans", "DejaVu Sans"],
    "font.weight": "regular",
    "mathtext.fontset": "cm",  # as MathJax writes
    "font.size": _theme.FONT_SIZE,
    "axes.titlesize": _theme.FONT_SIZE,
    "axes.labelsize": _theme.FONT_SIZE,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "figure.figsize": _theme.FIGURE_SIZE,
    "figure.dpi": 100,
    "figure.facecolor": "white",  # opaque: a dark page inverts it
    "figure.constrained_layout.use": True,
    "axes.facecolor": "white",
    "axes.edgecolor": _theme.FAINT,
    "axes.labelcolor": _theme.INK,
    "axes.titlecolor": _theme.INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "axes.formatter.useoffset": False,
    "text.color": _theme.INK,
    "xtick.color": _theme.FAINT,
    "ytick.color": _theme.FAINT,
    "xtick.labelcolor": _theme.INK,
    "ytick.labelcolor": _theme.INK,
    "lines.linewidth": _theme.LINE_WIDTH,
    "lines.markersize": _theme.MARK_SIZE,
}


@contextmanager
def style() -> Iterator[None]:
    """Our style sheet, inside a `with` or as the decorator `@style()`; whatever the user had set is back after it."""
    # Only our own keys are kept and put back. matplotlib.rc_context puts back all of them, `interactive` too, which
    # the notebook's backend switches on when the first figure is made: later figures would then not be shown.
    settings = cast(dict[str, Any], rcParams)
    before = {key: settings[key] for key in STYLE}
    settings.update(STYLE)
    try:
        yield
    finally:
        settings.update(before)


def one_axes(ax: Any, name: str, size: tuple[float, float] | None = None) -> Axes:
    """The Axes that was given, or that of a new figure."""
    if ax is None:
        ax = pyplot.subplots(figsize=size)[1]
    if not isinstance(ax, Axes):
        raise TypeError(f"plots.{name} draws on one Axes: ax must be an Axes or None, not {type(ax).__name__}.")
    return ax


def panels(number: int, columns: int, side: float) -> NDArray[Any]:
    """So many Axes without ticks, in rows of at most so many columns, each with about this side in inches."""
    rows = math.ceil(number / columns)
    columns = math.ceil(number / rows)
    axes = np.asarray(pyplot.subplots(rows, columns, figsize=(side * columns, 1.1 * side * rows), squeeze=False)[1])
    for k, ax in enumerate(axes.flat):
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.set_visible(k < number)
    return axes


def legend(ax: Axes) -> None:
    """A legend of all that is there and has a name, in a row above the picture."""
    handles = [artist for artist in (*ax.lines, *ax.patches, *ax.collections) if _belongs_in_legend(artist)]
    row: dict[str, Any] = {"bbox_to_anchor": (0.5, 1.0), "ncols": 3, "columnspacing": 1.2, "handletextpad": 0.4}
    if handles:
        ax.legend(handles=handles, loc="lower center", **row)


def _belongs_in_legend(artist: Any) -> bool:
    named = artist.get_label() and not str(artist.get_label()).startswith("_")  # which is matplotlib's own mark
    empty = isinstance(artist, Line2D) and len(np.asarray(artist.get_xdata())) == 0
    return bool(named and not empty)


_TEXTS: WeakKeyDictionary[Axes, list[str]] = WeakKeyDictionary()  # what is on each Axes, a sentence for each picture


def describe(ax: Axes, text: str) -> None:
    """Say in words what a picture shows, after what was said of other pictures on these Axes."""
    _TEXTS.setdefault(ax, []).append(text)
    stored.teach_ipython(_text_of_figure)


def alt_text(ax_or_fig: Any) -> str:
    """The alternative text of a picture: what it shows, in words, for those who cannot see it."""
    if isinstance(ax_or_fig, np.ndarray):
        ax_or_fig = ax_or_fig.flat[0]
    if isinstance(ax_or_fig, Axes):
        return " ".join(_TEXTS.get(ax_or_fig, [])) or _text_of_figure(ax_or_fig.figure)
    if hasattr(ax_or_fig, "axes"):
        return _text_of_figure(ax_or_fig)
    raise TypeError(f"alt_text takes an Axes or a Figure, not {type(ax_or_fig).__name__}.")


def _text_of_figure(fig: Any) -> str:
    """The texts of all panels that have one."""
    texts = [" ".join(_TEXTS[ax]) for ax in fig.axes if ax in _TEXTS]
    if len(texts) == 1:
        return texts[0]
    return " ".join(f"Panel {k}: {text}" for k, text in enumerate(texts, 1))


def symbol(t: int) -> str:
    """How a picture names w after t updates; w₀ is an entry of w, so it cannot be the start."""
    return f"$w_{{{t}}}$" if t else "start"


def as_data(X: Any, y: Any) -> tuple[FloatArray, IntArray, tuple[str, ...]]:
    """Examples, labels and the names of the columns, from X and y or from a `Data` or `Run` that has both."""
    names: tuple[str, ...] = ()
    if y is None:
        if not isinstance(X, Data | Run):
            raise TypeError("y is missing: give the examples and their labels, X and y (or a Data that has both).")
        names = tuple(getattr(X, "names", ()))
        X, y = X.X, X.y
    points, labels = check_data(X, y)
    d = points.shape[1]
    if names in {(), default_names(d)}:
        names = tuple(f"$x_{{{i}}}$" for i in range(1, d + 1))
    return points, labels, names


def as_weights(w: Any) -> FloatArray:
    """w, from an array or from a run."""
    return w.w if isinstance(w, Run) else check_weights(w)


def refuse_unless_plane(d: int, name: str) -> None:
    """Say which pictures fit when d is not 2."""
    if d == 2:
        return
    fit = "plots.weight_space(run)" if d == 1 else "plots.update(run, t)"
    raise ValueError(
        f"plots.{name} draws the plane, so it needs d = 2 features; here d = {d}. What fits: {fit}, plots.errors(run)."
    )


def check_run(run: Any, name: str) -> Run:
    """A Run, or a sentence about what to give."""
    if not isinstance(run, Run):
        raise TypeError(f"plots.{name} draws a run: give what pla(X, y) or pocket(X, y) returned, not {run!r:.60}.")
    return run


def check_update(run: Any, t: Any, name: str) -> int:
    """The t of an update that this run made, or a sentence about what there is."""
    T, checked = check_run(run, name).updates, check_count(t, "t")
    if checked >= T:
        which = f"t must be below {T}, not {t}" if T else "there is none to draw"
        raise ValueError(f"this run made {_format.count(T, 'update')}: {which}.")
    return checked


# What covers what: the regions lie at the bottom, the points and what is written at the top.
REGIONS, LINES, POINTS, RINGS, WORDS = 0.5, 2.0, 3.0, 3.5, 4.0


def set_box(ax: Axes, box: Box) -> None:
    """Show this box: with equal scales, so that a right angle looks right, unless the box is far too thin for that."""
    ax.set_xlim(box.left, box.right)
    ax.set_ylim(box.bottom, box.top)
    across, up = box.spans
    ax.set_aspect("equal" if 1 / MOST_UNEQUAL <= across / up <= MOST_UNEQUAL else "auto", adjustable="box")


def square(middle: FloatArray, half: float) -> Box:
    """The square box around a middle, from which its sides are so far away."""
    x, y = map(float, middle)
    return Box(x - half, x + half, y - half, y + half)


def square_around(places: ArrayLike, half: float) -> Box:
    """A square box around these places; half its side is this share of the larger distance across."""
    low, high = np.min(places, axis=0), np.max(places, axis=0)
    return square((low + high) / 2, half * max(float((high - low).max()), 1e-9))


def arrow(ax: Axes, start: Any, tip: Any, color: str, width: float = _theme.LINE_WIDTH, **look: Any) -> None:
    """An arrow whose tip is exactly where it is told to be."""
    look = {"zorder": POINTS, "arrowstyle": "-|>", "mutation_scale": 18, "shrinkA": 0, "shrinkB": 0, **look}
    ax.add_patch(FancyArrowPatch(tuple(start), tuple(tip), color=color, linewidth=width, **look))


def write(ax: Axes, place: Any, words: str, away: tuple[float, float] = (0, 0), **look: Any) -> None:
    """Words at a place, or so many points away, that stay readable over lines and take no room in the layout."""
    look = {"ha": "center", "va": "center", "zorder": WORDS, "annotation_clip": False, **look}
    text = ax.annotate(words, tuple(place), away, textcoords="offset points", **look)
    text.set_path_effects([withStroke(linewidth=3.5, foreground="white", alpha=0.85)])
    text.set_in_layout(False)


def name_tip(ax: Axes, tip: FloatArray, away: float, words: str, color: str) -> None:
    """Write the name of a vector from the origin beyond its tip, so far away from it."""
    length = float(np.hypot(*tip))
    write(ax, tip * (1 + away / length) if length else tip, words, color=color)


def name_ends(ax: Axes, ends: Iterable[tuple[str, float, str]]) -> None:
    """Write names right of the picture, each with its height and its colour.

    Those too near to one another move apart, and lines lead to them. The limits of the vertical axis must be final.
    """
    low, high = ax.get_ylim()
    apart = 1.3 * _theme.FONT_SIZE / 72 * ax.figure.dpi / ax.bbox.height * (high - low)
    names, wanted, colors = zip(*sorted(ends, key=lambda end: end[1]), strict=True)
    heights = np.array(wanted)
    for _ in range(50):
        push = np.maximum(apart - np.diff(heights), 0) / 2
        heights += np.append(0, push) - np.append(push, 0)
    gap = 0.05 if np.abs(heights - wanted).max() > 0.2 * apart else 0.015  # a share of the width
    for name, value, height, color in zip(names, wanted, heights, colors, strict=True):
        beside: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "color": color, "clip_on": False}
        ax.text(1.0 + gap, height, name, ha="left", va="center", **beside)
        if abs(height - value) > 0.2 * apart:
            ax.add_artist(Line2D([1.0, 1.0 + 0.9 * gap], [value, height], linewidth=0.8, **beside))


def angle(
    ax: Axes, one: FloatArray, other: FloatArray, radius: float, share: float, color: str, linestyle: str = "-"
) -> None:
    """Draw the angle from one vector to another at the origin; its degrees stand on the arc at this share of it."""
    start, end = (float(np.degrees(np.arctan2(v[1], v[0]))) for v in (one, other))
    turn = (end - start + 180) % 360 - 180
    theta1, theta2 = sorted((start, start + turn))
    look: dict[str, Any] = {"color": color, "linewidth": 1.5, "linestyle": linestyle, "zorder": LINES}
    ax.add_patch(Arc((0, 0), 2 * radius, 2 * radius, theta1=theta1, theta2=theta2, **look))
    at = np.radians(start + share * turn)
    paper: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
    place = radius * np.array([np.cos(at), np.sin(at)])
    write(ax, place, f"{abs(turn):.0f}°", color=color, fontsize=SMALL, bbox=paper)


def positions(rows: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Rows of (horizontal, vertical), as what plot takes."""
    table = np.asarray(rows, dtype=np.float64).reshape(-1, 2)
    return table[:, 0], table[:, 1]

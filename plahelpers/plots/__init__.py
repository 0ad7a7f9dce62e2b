"""Pictures: each is one call, takes `ax=None`, returns its Axes, and carries an alternative text (`alt_text`).

    from plahelpers import pla, plots, running_example
    run = pla(*running_example())
    plots.hypothesis(run);

The figures are pyplot's, made in our own style; nobody's rcParams are changed for good. In a notebook the alternative
text is stored with the picture, as metadata of its PNG. (Close figures that are no longer needed, outside a notebook.)

**For whoever builds on the pictures.** Behind each of them is a class that makes its artists once, when it is put on an
Axes, and whose `show` moves them ever after, without clearing the Axes and without a new artist. They take arrays that
have been checked already (`check_data` and its like); `show` also renews `.text` and the alternative text.

| class | put on | show |
|---|---|---|
| `PointsArtists` | `(ax)` | `.show(X, y)` |
| `PerceptronArtists` | `(ax, box)` | `.show(w, sign_of_zero)`; `.frame(box)` before it for another box |
| `HypothesisArtists` | `(ax, box)` | `.show(w, X, y, sign_of_zero, pick, title)`, of no points too; `.frame(box)` |
| `ConflictArtists` | `(ax)` | `.show(conflict, X, y)` |
| `UpdateArtists` | `(ax)` | `.show(run, t)` |
| `ErrorsArtists` | `(ax)` | `.show(run, t, best)` |
| `WeightSpaceArtists` | `(ax)` | `.show(run, t)`: the ground is drawn anew only for another run |
| `ProofArtists` | `(axes)`, three of them | `.show(trace)` |
| `HistogramArtists` | `(ax)` | `.show_updates(experiment, bound)`, `.show_errors(experiment, "train" or "test")` |

A box is (left, right, bottom, top), as `box_around(X)` gives it. Make figures inside `with plots.style():`. Our figures
use the constrained layout, which works at every draw; once the first frame is there,
`figure.set_layout_engine("none")` keeps all in its place and saves that time.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import (
    LARGEST,
    SignOfZero,
    check_choice,
    check_count,
    check_number,
    check_sign_of_zero,
    check_weights,
)
from plahelpers.experiments import Experiment
from plahelpers.geometry import Box
from plahelpers.guarantee import BestLine, ProofTrace, Separation, separate
from plahelpers.learning import Run
from plahelpers.plots import diagram as _pictures_learning
from plahelpers.plots.base import (
    STYLE,
    AxesArray,
    Picture,
    alt_text,
    as_data,
    as_weights,
    box_around,
    box_for,
    box_of,
    check_run,
    describe,
    hush,
    legend,
    many_axes,
    one_axes,
    refuse_unless_plane,
    set_box,
    style,
    title,
)
from plahelpers.plots.curves import HistogramArtists, ProofArtists, from_zero
from plahelpers.plots.plane import (
    ConflictArtists,
    HypothesisArtists,
    PerceptronArtists,
    PointsArtists,
)
from plahelpers.plots.walk import NO_MISTAKES, ErrorsArtists, UpdateArtists, WeightSpaceArtists

__all__ = [
    "STYLE", "Box", "ConflictArtists", "ErrorsArtists", "HistogramArtists", "HypothesisArtists", "PerceptronArtists",
    "Picture", "PointsArtists", "ProofArtists", "UpdateArtists", "WeightSpaceArtists", "alt_text", "box_around",
    "conflict", "errors", "histogram", "hypothesis", "learning_picture", "perceptron", "points", "proof", "steps",
    "style", "update", "weight_space",
]  # fmt: skip


def learning_picture(*, ax: Axes | None = None) -> Axes:
    """Learning in one picture: an unknown f, examples D, a hypothesis set H, an algorithm A, and the final g.

    Used in notebook 01, "The learning picture".
    """
    ax = one_axes(ax, "learning_picture", size=(9.0, 4.9))
    _pictures_learning.draw(ax)
    return ax


def points(X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None) -> Axes:
    """The examples in the plane: o for +1, × for −1. Give X and y, or a `Data`.

    Used first in notebook 01, "Judging a hypothesis".
    """
    table, labels, names = as_data(X, y)
    refuse_unless_plane(table.shape[1], "points")
    own, ax = ax is None, one_axes(ax, "points")
    if not ax.has_data():
        set_box(ax, box_around(table))
    PointsArtists(ax).show(table, labels)
    _finish(ax, names, own)
    return ax


def perceptron(w: Any, *, box: Box | None = None, sign_of_zero: SignOfZero = -1, ax: Axes | None = None) -> Axes:
    """A perceptron in the plane: its line, the normal that points to the + side, and the two regions, shaded.

    w may also be a result that has one (a `Run`, `BestLine` or `Separation`). Without a box = (left, right, bottom,
    top) the one that ax shows is taken, or one around the origin. Used first in notebook 01, "Geometry".
    """
    weights, zero = as_weights(w), check_sign_of_zero(sign_of_zero)
    refuse_unless_plane(len(weights) - 1, "perceptron")
    own, ax = ax is None, one_axes(ax, "perceptron")
    if box is None:
        box = box_of(ax) if ax.has_data() else box_for(weights)
    PerceptronArtists(ax, _check_box(box)).show(weights, zero)
    _finish(ax, ("x₁", "x₂"), own)
    return ax


def hypothesis(
    w: Any,
    X: Any = None,
    y: ArrayLike | None = None,
    *,
    sign_of_zero: SignOfZero | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A perceptron and the examples: every mistake in a ring, the count in the title.

    `hypothesis(run)` draws the answer of a run over its own examples.
    Used first in notebook 01, "Judging a hypothesis".
    """
    if X is None and isinstance(w, Run):
        X = w
    table, labels, names = as_data(X, y)
    refuse_unless_plane(table.shape[1], "hypothesis")
    weights = check_weights(as_weights(w), 2)
    if sign_of_zero is None:
        sign_of_zero = w.sign_of_zero if isinstance(w, Run) else -1
    own, ax = ax is None, one_axes(ax, "hypothesis")
    HypothesisArtists(ax, box_around(table)).show(weights, table, labels, check_sign_of_zero(sign_of_zero))
    _finish(ax, names, own)
    return ax


def update(run: Run, t: int = 0, *, ax: Axes | None = None) -> Axes:
    """The update from w_t to w_{t+1} as arrows: w, y·x and their sum, with the angle to x before and after.

    It draws the plane that w_t and x span in R^(d+1), x₀ = 1 included, so that lengths and angles are the true ones,
    for every d. Used first in notebook 02, "The picture of an update".
    """
    check_run(run, "update")
    t = check_count(t, "t")
    if run.updates == 0:
        raise ValueError("this run made no updates, so there is none to draw.")
    if t >= run.updates:
        raise ValueError(
            f"this run made {_format.count(run.updates, 'update')}: t must be below {run.updates}, not {t}."
        )
    ax = one_axes(ax, "update")
    UpdateArtists(ax).show(run, t)
    return ax


_MOST_PANELS = 9
_LAST_PANELS = 3
_PANELS_IN_A_ROW = 5  # two rows have the shape of a slide


def steps(run: Run, *, axes: Any = None) -> AxesArray:
    """A whole run in small pictures, one for each w_t; of a long run the first and the last ones.

    The double ring is the example that is corrected next. Used first in notebook 02, "PLA in the lecture's words".
    """
    check_run(run, "steps")
    refuse_unless_plane(run.d, "steps")
    shown = _panels(run.updates)
    columns = min(_PANELS_IN_A_ROW, len(shown))
    rows = math.ceil(len(shown) / columns)
    panels = many_axes(axes, len(shown), "steps", rows, columns, (2.8 * columns, 3.0 * rows))
    flat = list(panels.flat)
    for ax, t in zip(flat, shown, strict=False):
        if t is None:
            _draw_gap(ax, run.updates + 1 - (len(shown) - 1))
        else:
            _draw_step(ax, run, t)
    for ax in flat[len(shown) :]:
        ax.axis("off")
    hush(flat)
    describe(flat, object(), _run_in_words(run, shown))
    return panels


def errors(run: Run, *, best: BestLine | int | None = None, ax: Axes | None = None) -> Axes:
    """How many mistakes w_t makes along a run, and how many the best so far, which is in the pocket.

    `best`, from `best_line(X, y)`, is drawn as the line that nothing can pass.
    Used first in notebook 04, "Keep the best in your pocket".
    """
    check_run(run, "errors")
    fewest = best.mistakes if isinstance(best, BestLine) else None if best is None else check_count(best, "best")
    own, ax = ax is None, one_axes(ax, "errors")
    ErrorsArtists(ax).show(run, best=fewest)
    if own:
        legend(ax, loc="upper right", ncols=3)
    return ax


def proof(trace: ProofTrace, *, axes: Any = None) -> AxesArray:
    """The three lines of the convergence proof, measured along a run, against their bounds (the shade is forbidden).

    Used in notebook 03, "The proof, measured".
    """
    if not isinstance(trace, ProofTrace):
        raise TypeError(f"plots.proof draws a proof trace: give proof_trace(run, w_f), not {trace!r:.60}.")
    panels = many_axes(axes, 3, "proof", 1, 3, (11.0, 4.4))
    ProofArtists(panels).show(trace)
    if axes is None:
        legend(panels.flat[0], loc="upper left")
        bound = _format.number(trace.bound)
        words = f"R²/ρ² = {bound}" if from_zero(trace) else f"{bound}, the bound from this start"
        with style():
            panels.flat[0].figure.suptitle(f"T = {trace.T} ≤ {words}")
    return panels


def conflict(
    X: Any, y: ArrayLike | None = None, *, separation: Separation | None = None, ax: Axes | None = None
) -> Axes:
    """Why no line will do: a few examples whose + and − cannot be parted, because their hulls meet.

    `separation` is what `separate(X, y)` said, if it is at hand. Used in notebook 04, "Proof that no line will do".
    """
    table, labels, names = as_data(X, y)
    refuse_unless_plane(table.shape[1], "conflict")
    found = separate(table, labels) if separation is None else separation
    if found.conflict is None:
        raise ValueError(
            "there is no conflict to draw: these data are separable. "
            "plots.hypothesis(separate(X, y), X, y) draws a line that gets every example right."
        )
    if found.conflict.examples.max() >= len(labels):
        raise ValueError(
            f"separation speaks of example {found.conflict.examples.max()}, but there are only {len(labels)} here: "
            "give the X and y that it was made from."
        )
    own, ax = ax is None, one_axes(ax, "conflict")
    set_box(ax, box_around(table))
    PointsArtists(ax).show(table, labels)
    artists = ConflictArtists(ax)
    artists.show(found.conflict, table, labels)
    title(ax, "Not linearly separable")
    _finish(ax, names, own)
    if own:  # only now is it known how much room the legend leaves
        ax.figure.draw_without_rendering()  # type: ignore[union-attr]
        artists.arrange(table[found.conflict.examples], table)
    return ax


def weight_space(run: Run, *, t: int | None = None, ax: Axes | None = None) -> Axes:
    """Weight space: every example is a half-space of w that get it right, and PLA walks through them.

    The darker, the more mistakes; green is where none are left. For d = 1 it is the plane of w₀ and w₁. For d = 2 it
    shows the directions of w, around that of the answer g. Used in notebook 02, "Weight space".
    """
    check_run(run, "weight_space")
    if run.d > 2:
        raise ValueError(
            f"plots.weight_space draws d = 1 exactly and d = 2 by directions; this run has d = {run.d}. "
            "plots.errors(run) and plots.update(run, t) fit every d."
        )
    t = run.updates if t is None else check_count(t, "t")
    if t > run.updates:
        raise ValueError(f"this run ended with w_{run.updates}: t must be at most {run.updates}, not {t}.")
    own, ax = ax is None, one_axes(ax, "weight_space")
    WeightSpaceArtists(ax).show(run, t)
    if own:
        legend(ax, Patch(facecolor=NO_MISTAKES, edgecolor=_theme.FAINT, label="no mistakes\n(darker: more)"))
    return ax


def histogram(
    experiment: Experiment, *, of: str = "updates", bound: float | None = None, ax: Axes | None = None
) -> Axes:
    """How many updates many runs made, with the bound drawn in; or their error rates, pocket against last w.

    `of` is "updates", "train" (error rates on the examples learned from) or "test". `bound`, from
    `update_bound(X, y)`, is for updates. Used first in notebook 02, "How many updates?".
    """
    if not isinstance(experiment, Experiment) or not len(experiment):
        raise TypeError("plots.histogram draws an experiment: give what repeat_pla or repeat_pocket returned.")
    check_choice(of, "of", ("updates", "train", "test"))
    if bound is not None:
        bound = check_number(bound, "bound", 0, LARGEST)
        if of != "updates":
            raise ValueError('a bound on the updates belongs into the histogram of="updates".')
    own, ax = ax is None, one_axes(ax, "histogram")
    artists = HistogramArtists(ax)
    if of == "updates":
        artists.show_updates(experiment, bound)
    else:
        artists.show_errors(experiment, of)
    if own:
        legend(ax, loc="best")
    return ax


def _check_box(box: Any) -> Box:
    if np.shape(box) != (4,):
        raise ValueError(f"box must be four numbers, (left, right, bottom, top); not {box!r}.")
    left, right, bottom, top = (
        check_number(side, name, -LARGEST, LARGEST)
        for side, name in zip(box, ("left", "right", "bottom", "top"), strict=True)
    )
    if not (left < right and bottom < top):
        raise ValueError(f"box must be (left, right, bottom, top), from low to high; {box} is empty.")
    return left, right, bottom, top


def _finish(ax: Axes, names: tuple[str, ...], own: bool) -> None:
    """Name the axes, if they have no names yet; a figure of our own gets a legend beside the picture."""
    if not ax.get_xlabel():
        ax.set_xlabel(names[0])
        ax.set_ylabel(names[1])
    if own or ax.get_legend() is not None:
        legend(ax)
    if own:
        ax.locator_params(nbins=6)


def _panels(T: int) -> list[int | None]:
    """The t that are shown, None standing for a gap."""
    if T + 1 <= _MOST_PANELS:
        return list(range(T + 1))
    first = _MOST_PANELS - _LAST_PANELS - 1
    return [*range(first), None, *range(T + 1 - _LAST_PANELS, T + 1)]


def _draw_step(ax: Axes, run: Run, t: int) -> None:
    pick = int(run.picks[t]) if t < run.updates else None
    heading = f"t = {t}: {run.errors[t]} wrong"
    artists = HypothesisArtists(ax, box_around(run.X))
    artists.show(run.weights[t], run.X, run.y, run.sign_of_zero, pick, heading)
    ax.set_xticks([])
    ax.set_yticks([])


def _draw_gap(ax: Axes, left_out: int) -> None:
    with style():
        ax.text(0.5, 0.5, f"…\n{left_out:,} pictures\nleft out", ha="center", va="center", transform=ax.transAxes)
    ax.axis("off")


def _run_in_words(run: Run, shown: list[int | None]) -> str:
    each = "; ".join("…" if t is None else _step_in_words(run, t) for t in shown)
    return f"{run.algorithm} step by step on {_format.count(run.N, 'point')}: {each}."


def _step_in_words(run: Run, t: int) -> str:
    wrong = f"w_{t} makes {_format.count(int(run.errors[t]), 'mistake')}"
    return f"{wrong}, example {run.picks[t]} is corrected" if t < run.updates else wrong

"""The stage: a run of PLA or Pocket, step by step, in the page.

`play(run)` needs no kernel: it works in a notebook, an exported page, the book and slides. `stepper()` is live: the
mouse adds, moves, flips and removes points, and Python runs PLA again. Both are drawn by one script, stage.js. All
that is drawn or said is worked out here, as a *scene*: the script puts it into the page and reports what the user does.
"""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import resources
from typing import Any, Final, TypeAlias, cast

import anywidget
import ipywidgets as ipw
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from plahelpers import _look, _words, datasets
from plahelpers._inputs import (
    LARGEST,
    FloatArray,
    IntArray,
    SignOfZero,
    check_choice,
    check_count,
    check_data,
    check_label,
    check_number,
    check_sign_of_zero,
)
from plahelpers.hypothesis import _positive_part, mistakes
from plahelpers.learning import BudgetWarning, Run, pla

Scene: TypeAlias = dict[str, Any]  # what stage.js is given: JSON

_SCRIPT: Final = resources.files("plahelpers").joinpath("stage.js").read_text(encoding="utf-8")
_SIZE: Final = 1000.0  # the picture is so many units wide and high, in stage.js too
_LARGEST_PAGE: Final = 98_000  # bytes of a player, the script included
_MOST_FRAMES: Final = 240  # more than anyone clicks through
_MOST_POINTS: Final = 1000  # more than can be told apart
_ROWS: Final = 12  # of the table that stands in for the player where no script runs
_NAMES: Final = ("x₁", "x₂")


# --- play: a run in a page without a kernel -------------------------------------------------------


def play(run: Run) -> Player:
    """Show a run update by update, with buttons, a slider and keys, in a page that needs no kernel and no network.

    Each step shows w_t, its line and its mistakes, the mistake that is corrected next, and the update as arrows;
    a Pocket run also shows the line in the pocket. A run that is too long for a page is thinned out, and says so.
    Used first in notebook 02, "Step through a run".
    """
    if not isinstance(run, Run):
        raise TypeError(f"play shows what pla or pocket returned, such as play(pla(X, y)); this is {run!r}.")
    if run.d != 2:
        raise ValueError(
            f"play draws in the plane, d = 2; this run has d = {run.d}. Run it on two of the columns, "
            "such as pla(X[:, [0, 1]], y), or use plots.errors(run), which draws a run of any d."
        )
    run.weights  # noqa: B018  (says how to keep the path, if it was not kept)
    return Player(run)


@dataclass(frozen=True, eq=False, repr=False)
class Player:
    """A run that can be stepped through, as a piece of HTML; in a terminal, as sentences."""

    run: Run

    @cached_property
    def scene(self) -> Scene:
        """Everything the script draws and says, small enough for a page."""
        return self._made[0]

    def _repr_html_(self) -> str:
        return self._made[1]

    def __repr__(self) -> str:
        told = [words(self.run, t) for t in range(min(self.run.updates, _ROWS))]
        left_out = self.run.updates - len(told)
        more = [f"({_words.count(left_out, 'more update')}.)"] if left_out else []
        return "\n".join([*told, *more, words(self.run, self.run.updates)])

    @cached_property
    def _made(self) -> tuple[Scene, str]:
        # Fewer frames, then fewer points too, until the page is small enough; nearly always the first try is.
        frames, points = _MOST_FRAMES, _MOST_POINTS
        while True:
            scene = _scene_of_run(self.run, frames, points)
            page = _page(scene, self.run)
            if len(page.encode()) <= _LARGEST_PAGE:
                return scene, page
            frames, points = max(frames * 9 // 10, 2), points if frames > 30 else max(points * 4 // 5, 2)


def _page(scene: Scene, run: Run) -> str:
    """The scene and the script; inside, for where scripts are taken out, the same in words."""
    data = json.dumps(scene, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="pla-stage">{_in_words(run)}<script type="application/json">{data}</script></div>'
        f'<script type="module">{_SCRIPT}</script>'
    )


def _in_words(run: Run) -> str:
    """The run as a sentence and a table: what is read where no script runs."""
    shown = range(min(run.updates, _ROWS))
    rows = "".join(
        f"<tr><td>{t + 1}</td><td>{run.picks[t]}, a {_sign_mark(run.y[run.picks[t]])}, "
        f"at {_words.vector(run.X[run.picks[t]])}</td><td>{_words.vector(run.weights[t + 1])}</td>"
        f"<td>{run.errors[t + 1]}</td></tr>"
        for t in shown
    )
    rest = f"<p>After these: {_words.count(run.updates - len(shown), 'more update')}.</p>"
    table = "<tr><th>update</th><th>corrects example</th><th>w after it</th><th>mistakes left</th></tr>"
    return (
        f"<p>{html.escape(repr(run))}.</p>"
        + (f"<table><thead>{table}</thead><tbody>{rows}</tbody></table>" if rows else "")
        + (rest if run.updates > len(shown) else "")
    )


def _scene_of_run(run: Run, most_frames: int, most_points: int) -> Scene:
    """The scene of a whole run, thinned out to so many frames and points."""
    shown = _thinned(run, most_frames)
    drawn = _drawn(run, shown, most_points)
    box = box_around(run.X)
    return {
        **_setting(box, run.X, run.y, drawn),
        "title": f"{run!r}.",
        "label": f"The run, step by step, over {_classes(run.y)}. Arrow keys, Home and End move, Space plays.",
        "note": " ".join([*_left_out(run, shown, drawn), *_scales(box)]),
        "frames": [frame(run, t, box, drawn) for t in shown],
    }


def _thinned(run: Run, most: int) -> list[int]:
    """Which t to show: all of them, or the first half as many as fit and then some at even distances, up to T."""
    if run.updates < most:
        return list(range(run.updates + 1))
    first = most // 2
    later = np.linspace(first, run.updates, most - first).round().astype(int).tolist()
    return sorted({*range(first), *later, run.best_at})


def _drawn(run: Run, shown: list[int], most: int) -> IntArray:
    """Which examples to draw: all, or those that are corrected in a frame and then the first ones."""
    if most >= run.N:
        return np.arange(run.N)
    corrected = dict.fromkeys(int(run.picks[t]) for t in shown if t < run.updates)
    return np.sort(list(dict.fromkeys([*corrected, *range(run.N)]))[: max(most, len(corrected))])


def _left_out(run: Run, shown: list[int], drawn: IntArray) -> list[str]:
    """What the page had no room for, in sentences."""
    said = []
    if len(shown) <= run.updates:
        first = next(k for k, t in enumerate([*shown[1:], -1]) if t != shown[k] + 1)
        every = (run.updates - shown[first]) / max(len(shown) - 1 - first, 1)
        said.append(
            f"A long run, thinned out: of its {run.updates:,} updates the first {first + 1:,} are shown, "
            f"and then one in about {every:,.0f}, up to the end."
        )
    if len(drawn) < run.N:
        said.append(f"{len(drawn):,} of the {run.N:,} examples are drawn; the counts are of all.")
    return said


# --- what is said ---------------------------------------------------------------------------------


def words(run: Run, t: int) -> str:
    """Step t of a run in words: which example is corrected, what becomes of w, how many mistakes are left.

    Used first in notebook 02, "Step through a run".
    """
    t = check_count(t, "t")
    if t > run.updates:
        raise ValueError(f"t = {t} is past the end: this run has T = {_words.count(run.updates, 'update')}.")
    told = [_no_line(run, t)] if _no_line(run, t) else []
    if t == run.updates:
        return " ".join([*told, f"{run!r}."])
    n, before, after = run.picks[t], run.errors[t], run.errors[t + 1]
    told.append(
        f"Update {t + 1:,} of {run.updates:,} corrects example {n}, a {_sign_mark(run.y[n])}, at "
        f"{_words.vector(run.X[n])}. w changes from {_words.vector(run.weights[t])} to "
        f"{_words.vector(run.weights[t + 1])}. {_are_left(after)} (there {_were(before)})."
    )
    if run.algorithm == "Pocket":
        told.append(_pocket_words(run, t))
    return " ".join(told)


def _are_left(n: int) -> str:
    return f"{_words.count(n, 'mistake').capitalize()} {'is' if n == 1 else 'are'} left"


def _were(n: int) -> str:
    return f"was {n:,}" if n == 1 else f"were {n:,}"


def _pocket_words(run: Run, t: int) -> str:
    """What the pocket does with the w that update t + 1 made."""
    best = _best_so_far(run, t)
    if run.errors[t + 1] < run.errors[best]:
        return f"That is better than the {run.errors[best]} of the pocket, so the new w goes into the pocket."
    return f"The pocket keeps the w of t = {best:,}, which makes {_words.count(run.errors[best], 'mistake')}."


def _best_so_far(run: Run, t: int) -> int:
    """Which of w₀, …, w_t is in the pocket: the first with the fewest mistakes."""
    return int(np.argmin(run.errors[: t + 1]))


def _no_line(run: Run, t: int) -> str:
    """What w_t says where it has no line to draw; nothing if it has one."""
    w = run.weights[t]
    if w[1:].any():
        return ""
    if w[0]:
        return f"w has no line: it says {_sign_mark(w[0])} everywhere."
    if run.sign_of_zero == 0:
        return "w = 0 has no line: every example counts as lying on it, and so as a mistake."
    return f"w = 0 has no line: it says {_sign_mark(run.sign_of_zero)}1 everywhere."


def _sign_mark(label: float) -> str:
    return "+" if label > 0 else "−"


def _classes(y: IntArray) -> str:
    positive = int(np.count_nonzero(y == 1))
    return f"{_words.count(len(y), 'point')}, {positive:,} of them + (o) and {len(y) - positive:,} − (×)"


# --- where things are -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    """The part of the plane that a picture shows, and the way between its places and the picture's."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def spans(self) -> tuple[float, float]:
        return self.right - self.left, self.top - self.bottom

    def to_picture(self, X: FloatArray) -> FloatArray:
        """Places in picture units: from 0 to 1000, the second downwards."""
        across, up = self.spans
        return np.column_stack([(X[:, 0] - self.left) / across, (self.top - X[:, 1]) / up]) * _SIZE

    def to_data(self, u: float, v: float) -> tuple[float, float]:
        """The place in the plane of a place in the picture."""
        across, up = self.spans
        return self.left + u / _SIZE * across, self.top - v / _SIZE * up

    def seen(self, w: FloatArray) -> FloatArray:
        """The same perceptron for places in picture units, scaled so that nothing overflows."""
        across, up = self.spans
        w = w / (np.abs(w).max() or 1.0)
        return np.array([w[0] + w[1] * self.left + w[2] * self.top, w[1] * across / _SIZE, -w[2] * up / _SIZE])

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.bottom <= y <= self.top


_CORNERS: Final = np.array([(0.0, 0.0), (_SIZE, 0.0), (_SIZE, _SIZE), (0.0, _SIZE)])


def box_around(X: FloatArray) -> Box:
    """A box with room around all points: of equal scales, so that right angles look right, unless that hides one."""
    low, high = X.min(axis=0), X.max(axis=0)
    spans = high - low
    least = 1e-9 * max(float(np.abs(X).max()), 1e-60)
    widest = float(spans.max()) if spans.max() > least else max(float(np.abs(X).max()), 1e-60)
    thin = least < spans.min() < widest / 8
    sides = np.where(spans > least, spans, widest) if thin else np.full(2, widest)
    middle, half = (low + high) / 2, sides * 0.58
    (left, bottom), (right, top) = middle - half, middle + half
    return Box(float(left), float(right), float(bottom), float(top))


def _scales(box: Box) -> list[str]:
    across, up = box.spans
    if np.isclose(across, up):
        return []
    return ["The two axes have different scales: the arrow w is at right angles to its line in the picture's units."]


def segment(w: FloatArray, box: Box) -> FloatArray | None:
    """The two ends of w's line on the sides of the picture, in picture units; None if it does not cross it."""
    seen = box.seen(w)
    values = seen[0] + _CORNERS @ seen[1:]
    ends = [
        _CORNERS[k - 1] + values[k - 1] / (values[k - 1] - values[k]) * (_CORNERS[k] - _CORNERS[k - 1])
        for k in range(4)
        if (values[k] > 0) != (values[k - 1] > 0)
    ]
    return np.array(ends) if ends else None


def plus_region(w: FloatArray, box: Box, sign_of_zero: SignOfZero) -> FloatArray:
    """The corners of the part of the picture where w says +, in picture units."""
    if not w.any():
        return _CORNERS if sign_of_zero == 1 else _CORNERS[:0]
    return _positive_part(_CORNERS, box.seen(w))


def _normal(ends: FloatArray, w: FloatArray, box: Box) -> FloatArray:
    """An arrow from the middle of the line to its + side."""
    towards = box.seen(w)[1:]
    foot = ends.mean(axis=0)
    return np.array([foot, foot + 105 * towards / np.hypot(*towards)])


def frame(run: Run, t: int, box: Box, drawn: IntArray) -> Scene:
    """What is drawn and said at step t: w_t, its mistakes, and the update that comes next."""
    w = run.weights[t]
    wrong = mistakes(w, run.X, run.y, sign_of_zero=run.sign_of_zero)
    shown: Scene = {
        "t": t,
        "head": f"t = {t:,} of T = {run.updates:,}: {_words.count(len(wrong), 'mistake')}",
        "w": f"w = {_words.vector(w)}",
        "words": words(run, t),
        "wrong": np.packbits(np.isin(drawn, wrong)).tobytes().hex(),  # a bit for each point: lists are too long
        "plus": _flat(plus_region(w, box, run.sign_of_zero)),
    }
    if not w.any() and run.sign_of_zero == 0:
        shown["undecided"] = True
    ends = segment(w, box)
    if ends is None and w[1:].any():
        shown["w"] += ", whose line is outside the picture"
    elif ends is not None:
        shown |= {"line": _flat(ends), "normal": _flat(_normal(ends, w, box))}
    if t < run.updates:
        shown |= {"pick": int(np.searchsorted(drawn, run.picks[t])), "vectors": _vectors(run, t)}
    if run.algorithm == "Pocket":
        pocket = segment(run.weights[_best_so_far(run, t)], box)
        if pocket is None:
            shown["w"] += "; the w in the pocket has no line in the picture"
        else:
            shown["pocket"] = _flat(pocket)
    return shown


def _vectors(run: Run, t: int) -> Scene:
    """The update as arrows in the plane: w and the next w (the step between them is y·x), and their names."""
    step = "y·x" if run.eta == 1 else "η·y·x"
    return {
        "w": [_short(value) for value in run.weights[t, 1:]],
        "next": [_short(value) for value in run.weights[t + 1, 1:]],
        "names": ["w, as the arrow (w₁, w₂)", f"{step} of example {run.picks[t]}", f"the next w: w + {step}"],
    }


def _setting(box: Box, X: FloatArray, y: IntArray, drawn: IntArray) -> Scene:
    """What does not change from step to step: points, axes, colours."""
    places = box.to_picture(X)
    return {
        "points": [[*_flat(places[n]), int(y[n]), int(n)] for n in drawn],
        "ticks": [
            [[_tidy((at - box.left) / box.spans[0] * _SIZE), text] for at, text in _ticks(box.left, box.right)],
            [[_tidy((box.top - at) / box.spans[1] * _SIZE), text] for at, text in _ticks(box.bottom, box.top)],
        ],
        "scale": round(min(1.0, max(0.4, (60 / max(len(drawn), 1)) ** 0.5)), 2),  # of the marks: many have to be small
        "names": _NAMES,
        "look": {
            "plus": _look.PLUS, "minus": _look.MINUS, "plus_region": _look.PLUS_REGION,
            "minus_region": _look.MINUS_REGION, "ink": _look.INK, "faint": _look.FAINT,
            "mistake": _look.MISTAKE, "next": _look.NEXT, "pocket": _look.POCKET,
        },
    }  # fmt: skip


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Three to eight round numbers from low to high."""
    power = 10.0 ** np.floor(np.log10((high - low) / 3))
    step = next(power * many for many in (5, 2, 1) if (high - low) / (power * many) >= 2.999)  # 3, but for rounding
    values = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step + 0.0  # which makes −0 a 0
    return [(float(value), f"{value:g}".replace("-", "−")) for value in values]


def _flat(places: FloatArray) -> list[float]:
    return [_tidy(value) for value in np.ravel(places)]


def _tidy(value: float) -> float:
    """Tenths of a picture unit: finer than any screen, and short."""
    rounded = round(float(value), 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _short(value: float) -> float:
    return float(f"{value:.4g}")


# --- the live stage -------------------------------------------------------------------------------


class Stage(anywidget.AnyWidget):
    """A live picture: it draws its scene, and sends what the mouse does to it as messages.

    A message is one of {"kind": "add", "u", "v", "label"}, {"kind": "move", "k", "u", "v"} and {"kind": "flip" |
    "remove" | "select", "k"}: u and v are places in picture units, k is a point's place in the scene. Each has a
    "number"; the picture sends no further move of a drag before `heard` has caught up with it.
    """

    _esm = _SCRIPT
    scene = traitlets.Dict().tag(sync=True)
    tool = traitlets.Enum(["+1", "-1", "flip", "remove"], "+1").tag(sync=True)  # what a click does
    heard = traitlets.Int(0).tag(sync=True)  # the number of the last message that was answered

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene=scene)


# --- the PLA stepper: what it shows, as functions of its state -----------------------------------

LIVE_UPDATES: Final = 1000  # a live run ends here, so that dragging a point stays smooth
LIVE_POINTS: Final = 200
_DATA: Final = ("running example", "separable", "noisy", "your own")
_OWN: Final = "your own"
_ORDERS: Final = ("cyclic", "shuffled", "random")


@dataclass(frozen=True, eq=False)
class State:
    """All that the stepper knows: the points, how PLA goes through them, and at which step we are."""

    X: FloatArray
    y: IntArray
    box: Box
    data: str = _OWN
    order: str = "cyclic"
    sign_of_zero: SignOfZero = -1
    seed: int = 0
    t: int = 0
    selected: int | None = None

    @cached_property
    def run(self) -> Run | None:
        """PLA on these points, up to the budget; None without points."""
        if len(self.y) == 0:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BudgetWarning)  # `advice` says it, in the picture
            return pla(
                self.X,
                self.y,
                order=cast(Any, self.order),
                sign_of_zero=self.sign_of_zero,
                max_updates=LIVE_UPDATES,
                rng=self.seed,
            )

    @property
    def T(self) -> int:
        """How many updates the run makes."""
        return self.run.updates if self.run else 0


def choose(state: State, data: str) -> State:
    """The same settings on other data; "your own" keeps the points there are."""
    if data == _OWN:
        return replace(state, data=data)
    X, y = _drawn_data(check_choice(data, "data", _DATA), state.seed)
    return replace(state, X=X, y=y, box=box_around(X), data=data, t=0, selected=None)


def _drawn_data(data: str, seed: int) -> datasets.Data:
    if data == "running example":
        return datasets.running_example()
    if data == "separable":
        return datasets.separable(20, margin=0.2, low=-5, high=5, rng=seed)
    return datasets.noisy(20, noise=0.1, margin=0.2, low=-5, high=5, rng=seed)


def add(state: State, x1: float, x2: float, label: int) -> State:
    """One more point, which is then the selected one."""
    if len(state.y) >= LIVE_POINTS:
        raise ValueError(f"The picture is full: {LIVE_POINTS} points are the most. Remove one first.")
    X = np.vstack([state.X, _place_in(state.box, x1, x2)])
    return _edited(state, X, np.append(state.y, check_label(label)), selected=len(state.y))


def move(state: State, n: int, x1: float, x2: float) -> State:
    """Point n at another place."""
    X = state.X.copy()
    X[_existing(state, n)] = _place_in(state.box, x1, x2)
    return _edited(state, X, state.y, selected=n)


def flip(state: State, n: int) -> State:
    """Point n in the other class."""
    y = state.y.copy()
    y[_existing(state, n)] *= -1
    return _edited(state, state.X, y, selected=n)


def remove(state: State, n: int) -> State:
    """All points but point n."""
    n = _existing(state, n)
    return _edited(state, np.delete(state.X, n, axis=0), np.delete(state.y, n), selected=None)


def select(state: State, n: int) -> State:
    """Point n is the one that the fields show."""
    return replace(state, selected=_existing(state, n))


def _edited(state: State, X: FloatArray, y: IntArray, selected: int | None) -> State:
    """Other points, at the same step of their own run; who watched the end goes on watching the end."""
    new = replace(state, X=X, y=y, data=_OWN, selected=selected)
    at_the_end = 0 < state.T == state.t
    return replace(new, t=new.T if at_the_end else min(state.t, new.T))


def _existing(state: State, n: int) -> int:
    n = check_count(n, "the number of the example")
    if n >= len(state.y):
        there = f"they are numbered 0 to {len(state.y) - 1}" if len(state.y) else "there are no points"
        raise ValueError(f"There is no example {n}: {there}.")
    return n


def _place_in(box: Box, x1: float, x2: float) -> FloatArray:
    place = [check_number(value, name, -LARGEST, LARGEST) for value, name in zip((x1, x2), _NAMES, strict=True)]
    if not box.holds(*place):
        raise ValueError(
            f"{_words.vector(np.array(place))} is outside the picture, which goes from "
            f"{_words.number(box.left)} to {_words.number(box.right)} in x₁ and from "
            f"{_words.number(box.bottom)} to {_words.number(box.top)} in x₂."
        )
    return np.array(place)


def show(state: State, trouble: str = "") -> Scene:
    """The scene of a state: the points, and the run at step t; with a sentence if something is odd."""
    selected = {} if state.selected is None else {"selected": state.selected}
    every = np.arange(len(state.y))
    return {
        **_setting(state.box, state.X.reshape(-1, 2), state.y, every),
        **selected,
        "title": f"PLA, live, on {_classes(state.y)}",
        "label": f"PLA, live, on {_classes(state.y)}. Delete removes the selected point.",
        "note": trouble or advice(state),
        "frames": [frame(state.run, state.t, state.box, every) if state.run else _EMPTY],
    }


_EMPTY: Final[Scene] = {"t": 0, "head": "No points", "w": "", "words": "", "wrong": "", "plus": [], "undecided": True}


def advice(state: State) -> str:
    """A sentence about what is odd in a state; nothing if all is well."""
    if state.run is None:
        return "There are no points yet. Click in the picture to add one, or type its place below and press Add."
    if len(set(state.y.tolist())) == 1:
        return (
            f"All points are {_sign_mark(state.y[0])}: PLA only has to learn to say {_sign_mark(state.y[0])}. "
            "Add a point of the other class."
        )
    if not state.run.halted and state.t == state.T:
        return (
            f"A live run stops after {LIVE_UPDATES:,} updates, and mistakes are left. "
            "That proves nothing: separate(X, y) decides whether a line can do it."
        )
    return ""


# --- the PLA stepper: its controls ----------------------------------------------------------------


def stepper(
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    order: str = "cyclic",
    sign_of_zero: SignOfZero = -1,
    seed: int = 0,
) -> Stepper:
    """Step through PLA live, on data of your choice or your own, and edit the points while it runs.

    Click to add a point, drag to move one, Shift-click to flip its class, Alt-click to remove it; the fields and
    buttons below the picture do the same. Where no kernel runs, a player of its first run is shown instead.
    Used first in notebook 02, "Step through a run".
    """
    settings: dict[str, Any] = {
        "order": check_choice(order, "order", _ORDERS),
        "sign_of_zero": check_sign_of_zero(sign_of_zero),
        "seed": check_count(seed, "seed"),
    }
    if X is None and y is None:
        nothing = State(np.empty((0, 2)), np.empty(0, dtype=np.int64), Box(-5, 5, -5, 5), **settings)
        return Stepper(choose(nothing, "running example"))
    if X is None or y is None:
        raise ValueError("give both X and y, such as stepper(X, y), or neither for the running example.")
    points, labels = check_data(X, y)
    if points.shape[1] != 2:
        raise ValueError(
            f"the stepper draws in the plane, d = 2; X has {points.shape[1]} columns. Give two: X[:, [0, 1]]."
        )
    if len(labels) > LIVE_POINTS:
        raise ValueError(f"X has {len(labels):,} examples; the stepper takes {LIVE_POINTS} at most. Give X[:200].")
    return Stepper(State(points, labels, box_around(points), **settings))


class Stepper(ipw.VBox):  # type: ignore[misc]
    """The controls of the PLA stepper around its stage: a thin shell that turns each event into a new `state`."""

    def __init__(self, state: State) -> None:
        self.stage = Stage(show(state))
        self._setting_up = False
        self._make_settings(state)
        self._make_steps()
        self._make_editor()
        super().__init__(
            [
                _row(self.data, self.order, self.sign_of_zero, self.seed),
                _row(self.reset, self.back, self.step, self.run),
                self.stage,
                _row(self.tool),
                ipw.Label("Drag a point to move it. Shift-click flips it, Alt-click removes it. Or by keyboard:"),
                _row(self.example, self.x1, self.x2, self.label),
                _row(self.add, self.move, self.flip, self.remove, self.clear),
            ]
        )
        self._first = state
        self._show(state)
        self.stage.on_msg(self._hear)

    def _make_settings(self, state: State) -> None:
        self.data = ipw.Dropdown(options=_DATA, value=state.data, description="data")
        self.order = ipw.Dropdown(options=_ORDERS, value=state.order, description="order")
        signs = [("−1", -1), ("+1", 1), ("0 (always a mistake)", 0)]
        self.sign_of_zero = ipw.Dropdown(options=signs, value=state.sign_of_zero, description="sign of zero")
        self.seed = ipw.IntText(value=state.seed, description="seed")
        for control in (self.data, self.order, self.sign_of_zero, self.seed):
            control.layout.width = "200px"
            control.style.description_width = "80px"
            control.observe(self._settings_changed, "value")

    def _make_steps(self) -> None:
        self.reset = self._button("Reset", "back to w₀", lambda: replace(self.state, t=0))
        self.back = self._button("Back", "one update back", lambda: replace(self.state, t=self.state.t - 1))
        self.step = self._button("Step", "correct one mistake", lambda: replace(self.state, t=self.state.t + 1))
        self.run = self._button("Run", "to the end", lambda: replace(self.state, t=self.state.T))
        self.step.button_style = "primary"

    def _make_editor(self) -> None:
        tools = [("add o (+)", "+1"), ("add × (−)", "-1"), ("flip", "flip"), ("remove", "remove")]
        self.tool = ipw.ToggleButtons(options=tools, description="a click will", style={"button_width": "92px"})
        traitlets.link((self.tool, "value"), (self.stage, "tool"))
        self.example = ipw.IntText(description="example")
        self.x1 = ipw.FloatText(description="x₁", step=0.1)
        self.x2 = ipw.FloatText(description="x₂", step=0.1)
        self.label = ipw.Dropdown(options=[("o (+1)", 1), ("× (−1)", -1)], description="class")
        for control in (self.example, self.x1, self.x2, self.label):
            control.layout.width = "160px"
            control.style.description_width = "60px"
        self.example.observe(lambda _: self._do(lambda: select(self.state, self.example.value)), "value")
        self.add = self._button("Add", "a new point at x₁, x₂", lambda: add(self.state, *self._typed()))
        self.move = self._button("Move", "the example to x₁, x₂", lambda: move(self.state, *self._named()))
        self.flip = self._button("Flip", "the example's class", lambda: flip(self.state, self.example.value))
        self.remove = self._button("Remove", "the example", lambda: remove(self.state, self.example.value))
        self.clear = self._button("Clear", "remove all points", self._cleared)

    def _button(self, name: str, does: str, action: Callable[[], State]) -> ipw.Button:
        button = ipw.Button(description=name, tooltip=f"{name}: {does}", layout={"width": "84px"})
        button.on_click(lambda _: self._do(action))
        return button

    def _typed(self) -> tuple[float, float, int]:
        return self.x1.value, self.x2.value, self.label.value

    def _named(self) -> tuple[int, float, float]:
        return self.example.value, self.x1.value, self.x2.value

    def _cleared(self) -> State:
        return replace(self.state, X=np.empty((0, 2)), y=self.state.y[:0], data=_OWN, t=0, selected=None)

    def _settings_changed(self, change: dict[str, Any]) -> None:
        self._do(lambda: self._with_settings(change["owner"]))

    def _with_settings(self, changed: ipw.Widget) -> State:
        state = replace(
            self.state,
            order=self.order.value,
            sign_of_zero=self.sign_of_zero.value,
            seed=check_count(self.seed.value, "seed"),
            t=0,
        )
        # A new seed draws new points, where points are drawn; a new order or sign leaves the points alone.
        drawn_anew = changed is self.data or (changed is self.seed and state.data in {"separable", "noisy"})
        return choose(state, self.data.value) if drawn_anew else state

    def _hear(self, _stage: Stage, message: dict[str, Any], _buffers: Any) -> None:
        """What the mouse did."""
        with self.stage.hold_sync():
            self._do(lambda: self._answer(message))
            self.stage.heard = int(message.get("number", 0))

    def _answer(self, message: dict[str, Any]) -> State:
        kind = check_choice(message.get("kind"), "kind", ("add", "move", "flip", "remove", "select"))
        if kind == "add":
            return add(self.state, *self.state.box.to_data(message["u"], message["v"]), message["label"])
        if kind == "move":
            return move(self.state, message["k"], *self.state.box.to_data(message["u"], message["v"]))
        change = {"flip": flip, "remove": remove, "select": select}[kind]
        return change(self.state, message["k"])

    def _do(self, action: Callable[[], State]) -> None:
        """Go to another state; where that is impossible, say why in the picture and stay."""
        if self._setting_up:
            return
        try:
            self._show(action())
        except (TypeError, ValueError) as trouble:
            said = str(trouble)
            self.stage.scene = show(self.state, said[:1].upper() + said[1:])

    def _show(self, state: State) -> None:
        self.state = state
        self.stage.scene = show(state)
        self._setting_up = True  # what is set below follows the state: it is no wish of the user
        try:
            self.data.value = state.data
            if state.selected is None:
                self.example.value = min(self.example.value, max(len(state.y) - 1, 0))
            else:
                self.example.value = state.selected
                self.x1.value, self.x2.value = np.round(state.X[state.selected], 4).tolist()
                self.label.value = int(state.y[state.selected])
        finally:
            self._setting_up = False
        self.reset.disabled = self.back.disabled = state.t == 0
        self.step.disabled = self.run.disabled = state.t == state.T

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget, and for where no kernel runs the player of the run it started with."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if self._first.run is not None:
            player = play(self._first.run)
            bundle |= {"text/html": player._repr_html_(), "text/plain": repr(player)}
        return bundle


def _row(*controls: ipw.Widget) -> ipw.HBox:
    return ipw.HBox(controls, layout=ipw.Layout(flex_flow="row wrap"))

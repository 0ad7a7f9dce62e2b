"""What the stage shows and says, worked out here: the words of each step, and where in the picture everything is.

A *scene* is all that stage.js is given, as JSON: the script puts it into the page, and knows no algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import _format, _theme
from plahelpers._validation import (
    FloatArray,
    IntArray,
    SignOfZero,
    check_count,
)
from plahelpers.geometry import half_plane
from plahelpers.hypothesis import mistakes
from plahelpers.learning import Run

Scene: TypeAlias = dict[str, Any]  # what stage.js is given: JSON

_SIZE: Final = 1000.0  # the picture is so many units wide and high, in stage.js too
NAMES: Final = ("x₁", "x₂")


def scene_of_run(run: Run, most_frames: int, most_points: int) -> Scene:
    """The scene of a whole run, thinned out to so many frames and points."""
    shown = _thinned(run, most_frames)
    drawn = _drawn(run, shown, most_points)
    box = box_around(run.X)
    return {
        **setting(box, run.X, run.y, drawn),
        "title": f"{run!r}.",
        "label": f"The run, step by step, over {classes(run.y)}. Arrow keys, Home and End move, Space plays.",
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
        raise ValueError(f"t = {t} is past the end: this run has T = {_format.count(run.updates, 'update')}.")
    told = [_no_line(run, t)] if _no_line(run, t) else []
    if t == run.updates:
        return " ".join([*told, f"{run!r}."])
    n, before, after = run.picks[t], run.errors[t], run.errors[t + 1]
    told.append(
        f"Update {t + 1:,} of {run.updates:,} corrects example {n}, a {sign_mark(run.y[n])}, at "
        f"{_format.vector(run.X[n])}. w changes from {_format.vector(run.weights[t])} to "
        f"{_format.vector(run.weights[t + 1])}. {_are_left(after)} (there {_were(before)})."
    )
    if run.algorithm == "Pocket":
        told.append(_pocket_words(run, t))
    return " ".join(told)


def _are_left(n: int) -> str:
    return f"{_format.count(n, 'mistake').capitalize()} {'is' if n == 1 else 'are'} left"


def _were(n: int) -> str:
    return f"was {n:,}" if n == 1 else f"were {n:,}"


def _pocket_words(run: Run, t: int) -> str:
    """What the pocket does with the w that update t + 1 made."""
    best = _best_so_far(run, t)
    if run.errors[t + 1] < run.errors[best]:
        return f"That is better than the {run.errors[best]} of the pocket, so the new w goes into the pocket."
    return f"The pocket keeps the w of t = {best:,}, which makes {_format.count(run.errors[best], 'mistake')}."


def _best_so_far(run: Run, t: int) -> int:
    """Which of w₀, …, w_t is in the pocket: the first with the fewest mistakes."""
    return int(np.argmin(run.errors[: t + 1]))


def _no_line(run: Run, t: int) -> str:
    """What w_t says where it has no line to draw; nothing if it has one."""
    w = run.weights[t]
    if w[1:].any():
        return ""
    if w[0]:
        return f"w has no line: it says {sign_mark(w[0])} everywhere."
    if run.sign_of_zero == 0:
        return "w = 0 has no line: every example counts as lying on it, and so as a mistake."
    return f"w = 0 has no line: it says {sign_mark(run.sign_of_zero)}1 everywhere."


def sign_mark(label: float) -> str:
    return "+" if label > 0 else "−"


def classes(y: IntArray) -> str:
    positive = int(np.count_nonzero(y == 1))
    return f"{_format.count(len(y), 'point')}, {positive:,} of them + (o) and {len(y) - positive:,} − (×)"


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
    return half_plane(_CORNERS, box.seen(w))


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
        "head": f"t = {t:,} of T = {run.updates:,}: {_format.count(len(wrong), 'mistake')}",
        "w": f"w = {_format.vector(w)}",
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


def setting(box: Box, X: FloatArray, y: IntArray, drawn: IntArray) -> Scene:
    """What does not change from step to step: points, axes, colours."""
    places = box.to_picture(X)
    return {
        "points": [[*_flat(places[n]), int(y[n]), int(n)] for n in drawn],
        "ticks": [
            [[_tidy((at - box.left) / box.spans[0] * _SIZE), text] for at, text in _ticks(box.left, box.right)],
            [[_tidy((box.top - at) / box.spans[1] * _SIZE), text] for at, text in _ticks(box.bottom, box.top)],
        ],
        "scale": round(min(1.0, max(0.4, (60 / max(len(drawn), 1)) ** 0.5)), 2),  # of the marks: many have to be small
        "names": NAMES,
        "look": {
            "plus": _theme.PLUS, "minus": _theme.MINUS, "plus_region": _theme.PLUS_REGION,
            "minus_region": _theme.MINUS_REGION, "ink": _theme.INK, "faint": _theme.FAINT,
            "mistake": _theme.MISTAKE, "next": _theme.NEXT, "pocket": _theme.POCKET,
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

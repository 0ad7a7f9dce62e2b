"""What the player and the stepper show and say: the words of each step, and where in the picture everything is.

A *scene* is all that stage.js is given, as JSON: the script puts it into the page, and knows no algorithm.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray, check_count
from plahelpers.geometry import Box, box_around, line_in_box, regions
from plahelpers.hypothesis import mistakes
from plahelpers.learning import Run

Scene: TypeAlias = dict[str, Any]  # what stage.js is given: JSON

_SIZE: Final = 1000.0  # the picture is so many units wide and high, in stage.js too
NAMES: Final = ("x₁", "x₂")
_TEXTS: Final[dict[str, str]] = {
    f"{table}.{key}": text
    for table, texts in _format.data_files("plahelpers.widgets")["words.toml"].items()
    for key, text in texts.items()
}


def say(key: str, /, **values: Any) -> str:
    """The text with this id, with its placeholders filled in."""
    return _TEXTS[key].format(**values)


def scene_of_run(run: Run, most_frames: int, most_points: int) -> Scene:
    """The scene of a whole run, thinned out to so many frames and points."""
    times = _thinned(run, most_frames)
    drawn = _examples_to_draw(run, times, most_points)
    box = box_around(run.X)
    return {
        **setting(box, run.X, run.y, drawn),
        "title": f"{run!r}.",
        "label": say("player.label", classes=classes(run.y)),
        "note": " ".join(_notes(run, times, drawn, box)),
        "frames": [frame(run, t, box, drawn) for t in times],
    }


def _thinned(run: Run, most: int) -> list[int]:
    """Which t to show: all of them, or the first half as many as fit and then some at even distances, up to T."""
    if run.updates < most:
        return list(range(run.updates + 1))
    first = most // 2
    later = np.linspace(first, run.updates, most - first).round().astype(int).tolist()
    return sorted({*range(first), *later, run.best_at})


def _examples_to_draw(run: Run, times: list[int], most: int) -> IntArray:
    """Which examples to draw: all, or those that are corrected in a frame and then the first ones."""
    if most >= run.N:
        return np.arange(run.N)
    corrected = dict.fromkeys(int(run.picks[t]) for t in times if t < run.updates)
    return np.sort(list(dict.fromkeys([*corrected, *range(run.N)]))[: max(most, len(corrected))])


def _notes(run: Run, times: list[int], drawn: IntArray, box: Box) -> list[str]:
    """What the page had no room for, and what may mislead, in sentences."""
    notes = []
    if len(times) <= run.updates:
        first = next(k for k, t in enumerate([*times[1:], -1]) if t != times[k] + 1)
        every = (run.updates - times[first]) / max(len(times) - 1 - first, 1)
        notes.append(say("player.thinned", T=run.updates, first=first + 1, every=every))
    if len(drawn) < run.N:
        notes.append(say("player.examples", drawn=len(drawn), N=run.N))
    if not math.isclose(*box.spans):
        notes.append(say("scene.scales"))
    return notes


def words(run: Run, t: int) -> str:
    """Step t of a run in words: which example is corrected, what becomes of w, how many mistakes are left.

    Used first in notebook 02, "Step through a run".
    """
    t = check_count(t, "t")
    if t > run.updates:
        raise ValueError(f"t = {t} is past the end: this run has T = {_format.count(run.updates, 'update')}.")
    sentences = [_no_line(run, t)]
    if t == run.updates:
        sentences.append(f"{run!r}.")
    else:
        sentences.append(_update_words(run, t))
        if run.algorithm == "Pocket":
            sentences.append(_pocket_words(run, t))
    return " ".join(filter(None, sentences))


def _update_words(run: Run, t: int) -> str:
    n, before, after = run.picks[t], run.errors[t], run.errors[t + 1]
    mistakes_left = _format.count(after, "mistake").capitalize()
    return say(
        "step.update",
        number=t + 1,
        T=run.updates,
        n=n,
        sign=sign_mark(run.y[n]),
        x=_format.vector(run.X[n]),
        before=_format.vector(run.weights[t]),
        after=_format.vector(run.weights[t + 1]),
        left=say("step.one_left") if after == 1 else say("step.left", mistakes=mistakes_left),
        earlier=say("step.there_was_one") if before == 1 else say("step.there_were", count=before),
    )


def _pocket_words(run: Run, t: int) -> str:
    """What the pocket does with the w that update t + 1 made."""
    best = _best_so_far(run, t)
    if run.errors[t + 1] < run.errors[best]:
        return say("step.into_pocket", mistakes=run.errors[best])
    return say("step.pocket_keeps", t=best, mistakes=_format.count(run.errors[best], "mistake"))


def _best_so_far(run: Run, t: int) -> int:
    """Which of w₀, …, w_t is in the pocket: the first with the fewest mistakes."""
    return int(np.argmin(run.errors[: t + 1]))


def _no_line(run: Run, t: int) -> str:
    """What w_t says where it has no line to draw; nothing if it has one."""
    w = run.weights[t]
    if w[1:].any():
        return ""
    if w[0]:
        return say("step.no_line", sign=sign_mark(w[0]))
    if run.sign_of_zero == 0:
        return say("step.zero_undecided")
    return say("step.zero", sign=sign_mark(run.sign_of_zero))


def sign_mark(label: float) -> str:
    return "+" if label > 0 else "−"


def classes(y: IntArray) -> str:
    plus = int(np.count_nonzero(y == 1))
    return say("scene.classes", points=_format.count(len(y), "point"), plus=plus, minus=len(y) - plus)


def to_picture(box: Box, X: FloatArray) -> FloatArray:
    """Places in picture units: from 0 to 1000, the second downwards."""
    across, up = box.spans
    return np.column_stack([(X[:, 0] - box.left) / across, (box.top - X[:, 1]) / up]) * _SIZE


def to_data(box: Box, u: float, v: float) -> tuple[float, float]:
    """The place in the plane of a place in the picture."""
    across, up = box.spans
    return box.left + u / _SIZE * across, box.top - v / _SIZE * up


def _normal(ends: FloatArray, w: FloatArray, box: Box) -> FloatArray:
    """An arrow from the middle of the line to its + side, at right angles in the picture."""
    across, up = box.spans
    w = w / np.abs(w).max()
    towards = np.array([w[1] * across, -w[2] * up]) / max(across, up)
    foot = ends.mean(axis=0)
    return np.array([foot, foot + 105 * towards / np.hypot(*towards)])


def frame(run: Run, t: int, box: Box, drawn: IntArray) -> Scene:
    """What is drawn and said at step t: w_t, its mistakes, and the update that comes next."""
    w = run.weights[t]
    wrong = mistakes(w, run.X, run.y, sign_of_zero=run.sign_of_zero)
    ends = to_picture(box, line_in_box(w, box))
    outside = not len(ends) and w[1:].any()
    plus, _ = regions(w, box, run.sign_of_zero)
    scene: Scene = {
        "t": t,
        "head": say("scene.head", t=t, T=run.updates, mistakes=_format.count(len(wrong), "mistake")),
        "w": say("scene.w_outside", w=_format.vector(w)) if outside else say("scene.w", w=_format.vector(w)),
        "words": words(run, t),
        "wrong": np.packbits(np.isin(drawn, wrong)).tobytes().hex(),  # a bit for each point: lists are too long
        "plus": _flat(to_picture(box, plus)),
    }
    if not w.any() and run.sign_of_zero == 0:
        scene["undecided"] = True
    if len(ends):
        scene |= {"line": _flat(ends), "normal": _flat(_normal(ends, w, box))}
    if t < run.updates:
        scene |= {"pick": int(np.searchsorted(drawn, run.picks[t])), "vectors": _vectors(run, t)}
    if run.algorithm == "Pocket":
        pocket = to_picture(box, line_in_box(run.weights[_best_so_far(run, t)], box))
        if len(pocket):
            scene["pocket"] = _flat(pocket)
        else:
            scene["w"] += say("scene.pocket_outside")
    return scene


def _vectors(run: Run, t: int) -> Scene:
    """The update as arrows in the plane: w and the next w (the step between them is y·x), and their names."""
    step = "y·x" if run.eta == 1 else "η·y·x"
    w, after = ([float(f"{value:.4g}") for value in weights[1:]] for weights in run.weights[t : t + 2])
    names = say("scene.arrow_w"), say("scene.arrow_step", step=step, n=run.picks[t]), say("scene.arrow_next", step=step)
    return {"w": w, "next": after, "names": list(names)}


def setting(box: Box, X: FloatArray, y: IntArray, drawn: IntArray) -> Scene:
    """What does not change from step to step: points, axes, colours, and the texts of the page itself."""
    places = to_picture(box, X)
    (across, up), page = box.spans, "page."
    return {
        "points": [[*_flat(places[n]), int(y[n]), int(n)] for n in drawn],
        "ticks": [
            [[_tidy((value - box.left) / across * _SIZE), text] for value, text in _ticks(box.left, box.right)],
            [[_tidy((box.top - value) / up * _SIZE), text] for value, text in _ticks(box.bottom, box.top)],
        ],
        "scale": round(min(1.0, max(0.4, (60 / max(len(drawn), 1)) ** 0.5)), 2),  # of the marks: many have to be small
        "names": NAMES,
        "look": _LOOK,
        "text": {key.removeprefix(page): text for key, text in _TEXTS.items() if key.startswith(page)},
    }


_LOOK: Final = {
    name: getattr(_theme, name.upper())
    for name in ("plus", "minus", "plus_region", "minus_region", "ink", "faint", "mistake", "next", "pocket")
}


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

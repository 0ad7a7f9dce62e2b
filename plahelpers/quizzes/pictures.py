"""The small pictures of Fun Time: points, lines and arrows in the plane, as SVG text.

They are drawn here and not by matplotlib so that a question costs milliseconds, has the same bytes everywhere, and can
stand inside a page of its own. The background is light whatever the page's theme.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from plahelpers import _theme
from plahelpers._validation import FloatArray, IntArray
from plahelpers.hypothesis import scores

REACH: Final = 5.0  # the picture shows [−REACH, REACH]²
NAME_AT: Final = np.array([0.42, 0.42])  # where a point's number stands, seen from the point
_SIZE = 380  # pixels
_EDGE = 26  # around the box, where the names of lines stand
_UNIT = (_SIZE - 2 * _EDGE) / (2 * REACH)
_FONT = f"font-family='sans-serif' font-size='17' fill='{_theme.INK}' text-anchor='middle' dominant-baseline='central'"

Named: TypeAlias = tuple[ArrayLike, str]


def draw(
    X: FloatArray | None = None,
    y: IntArray | None = None,
    *,
    lines: Sequence[Named] = (),
    arrows: Sequence[tuple[FloatArray, FloatArray, str]] = (),
    spots: Sequence[Named] = (),
    ringed: Sequence[int] = (),
    numbered: bool = False,
    origin: FloatArray | None = None,
) -> str:
    """The picture: points by label, lines by their w, arrows of length 1.5 from a foot, and lettered spots.

    A line named "now" is the present one and is drawn strong; a name is written at a line's end. The origin is marked
    if a place for its name, 0, is given.
    """
    parts = [_box(), "" if origin is None else _origin(origin)]
    parts += [_line(np.asarray(w, dtype=np.float64), name) for w, name in lines]
    if X is not None and y is not None:
        parts += [_mark(point, label) for point, label in zip(X, y, strict=True)]
        parts += [_ring(X[n]) for n in ringed]
        parts += [_text(point + NAME_AT, str(n)) for n, point in enumerate(X) if numbered]
    parts += [_spot(np.asarray(point, dtype=np.float64), name) for point, name in spots]
    parts += [_arrow(foot, way, name) for foot, way, name in arrows]
    body = "".join(parts)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_SIZE} {_SIZE}' width='{_SIZE}' height='{_SIZE}'>"
        f"{body}</svg>"
    )


def clip(w: FloatArray) -> FloatArray:
    """The two ends of w's line at the edge of the picture; no rows if it passes outside."""
    corners = REACH * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    values = scores(w, corners)
    ends = [
        corners[k - 1] + values[k - 1] / (values[k - 1] - values[k]) * (corners[k] - corners[k - 1])
        for k in range(4)
        if (values[k] > 0) != (values[k - 1] > 0)
    ]
    return np.array(ends).reshape(-1, 2)


def length_in_view(w: FloatArray) -> float:
    """How long is the part of w's line that the picture shows?"""
    ends = clip(w)
    return float(np.hypot(*(ends[1] - ends[0]))) if len(ends) else 0.0


def _at(point: FloatArray) -> tuple[str, str]:
    """Where a point of the plane is, in pixels; y grows upward."""
    return f"{_EDGE + (point[0] + REACH) * _UNIT:.1f}", f"{_EDGE + (REACH - point[1]) * _UNIT:.1f}"


def _box() -> str:
    side = _SIZE - 2 * _EDGE
    return (
        f"<rect width='{_SIZE}' height='{_SIZE}' rx='6' fill='white'/>"
        f"<rect x='{_EDGE}' y='{_EDGE}' width='{side}' height='{side}' fill='none' stroke='{_theme.FAINT}'/>"
    )


def _origin(name_at: FloatArray) -> str:
    x, y = _at(np.zeros(2))
    return f"<circle cx='{x}' cy='{y}' r='4' fill='{_theme.FAINT}'/>" + _text(name_at, "0", _theme.FAINT)


def _line(w: FloatArray, name: str) -> str:
    ends = clip(w)
    (x1, y1), (x2, y2) = _at(ends[0]), _at(ends[1])
    dashed = "" if name in ("", "now") else " stroke-dasharray='7 5'"
    colour, width = (_theme.NEXT, 1.8) if dashed else (_theme.INK, 2.6)
    drawn = f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{colour}' stroke-width='{width}'{dashed}/>"
    if not dashed:
        return drawn
    return drawn + "".join(_text(end * (1 + 0.42 / REACH), name, _theme.NEXT) for end in ends)


def _mark(point: FloatArray, label: int) -> str:
    """o for +1 and × for −1."""
    x, y = _at(point)
    if label == 1:
        return f"<circle cx='{x}' cy='{y}' r='7' fill='white' stroke='{_theme.PLUS}' stroke-width='3'/>"
    return (
        f"<path transform='translate({x} {y})' d='M-6-6L6 6M-6 6L6-6' fill='none' stroke='{_theme.MINUS}' "
        "stroke-width='3.4'/>"
    )


def _ring(point: FloatArray) -> str:
    x, y = _at(point)
    return f"<circle cx='{x}' cy='{y}' r='13' fill='none' stroke='{_theme.MISTAKE}' stroke-width='2.4'/>"


def _spot(point: FloatArray, name: str) -> str:
    x, y = _at(point)
    return f"<circle cx='{x}' cy='{y}' r='13' fill='white' stroke='{_theme.FAINT}'/>" + _text(point, name)


def _arrow(foot: FloatArray, way: FloatArray, name: str) -> str:
    """An arrow of length 1.5, its name beyond the tip."""
    tip = foot + 1.5 * way
    side = np.array([-way[1], way[0]])
    head = [tip, tip - 0.38 * way + 0.17 * side, tip - 0.38 * way - 0.17 * side]
    (x1, y1), (x2, y2) = _at(foot), _at(tip - 0.3 * way)
    corners = " ".join(",".join(_at(corner)) for corner in head)
    return (
        f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{_theme.INK}' stroke-width='3'/>"
        f"<polygon points='{corners}' fill='{_theme.INK}'/>" + _name_beside(tip + 0.4 * way, name)
    )


def _name_beside(point: FloatArray, name: str) -> str:
    """A name on a white patch, so that a line that passes behind does not strike it out."""
    x, y = _at(point)
    return f"<circle cx='{x}' cy='{y}' r='10' fill='white'/>" + _text(point, name)


def _text(point: FloatArray, words: str, colour: str = _theme.INK) -> str:
    x, y = _at(point)
    style = _FONT.replace(_theme.INK, colour)
    return f"<text x='{x}' y='{y}' {style} font-weight='bold'>{html.escape(words)}</text>"

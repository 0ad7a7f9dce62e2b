"""The small pictures of Fun Time: points, lines and arrows in the plane, as SVG text.

They are drawn here and not by matplotlib so that a question costs milliseconds, has the same bytes everywhere, and can
stand inside a page of its own. The background is light whatever the page's theme.
"""

import html
from collections.abc import Mapping
from typing import Final

import numpy as np

from plahelpers import _theme
from plahelpers._validation import FloatArray, IntArray
from plahelpers.geometry import Box, line_in_box

REACH: Final = 5.0  # the picture shows [−REACH, REACH]²
NAME_AT: Final = np.array([0.42, 0.42])  # where a point's number stands, seen from the point
_SIZE = 380  # pixels
_EDGE = 26  # around the box, where the names of lines stand
_SIDE = _SIZE - 2 * _EDGE
_UNIT = _SIDE / (2 * REACH)
_BOX = (
    f"<rect width='{_SIZE}' height='{_SIZE}' rx='6' fill='white'/>"
    f"<rect x='{_EDGE}' y='{_EDGE}' width='{_SIDE}' height='{_SIDE}' fill='none' stroke='{_theme.FAINT}'/>"
)
_RING = f"r='13' fill='none' stroke='{_theme.MISTAKE}' stroke-width='2.4'"
_FONT = "font-family='sans-serif' font-size='17' font-weight='bold' text-anchor='middle' dominant-baseline='central'"
_ITALIC = " font-family='serif' font-style='italic' font-weight='normal' font-size='23'"  # a w as in formulas


def draw(
    w: FloatArray,
    X: FloatArray | None = None,
    y: IntArray | None = None,
    *,
    arrows: Mapping[str, FloatArray] | None = None,
    candidates: Mapping[str, FloatArray] | None = None,
    spots: Mapping[str, FloatArray] | None = None,
    numbered: bool = False,
    ringed: int | None = None,
    origin: FloatArray | None = None,
) -> str:
    """The line of w, its arrow (or others from its foot), points by label, named lines of other w's, lettered spots.

    Named arrows, lines and spots are answers, and so are points that are numbered. One point may be ringed. The origin
    is marked if a place for its name, 0, is given.
    """
    parts = [_BOX, "" if origin is None else _circle(np.zeros(2), "r='4'") + _text(origin, "0")]
    parts += [_line(ends(w), f"stroke='{_theme.W}' stroke-width='2.6'")]
    if X is not None and y is not None:
        parts += [_marks(X, y), "" if ringed is None else _circle(X[ringed], _RING)]
        parts += [_numbered(n, point) for n, point in enumerate(X) if numbered]
    parts += [_candidate(name, other) for name, other in (candidates or {}).items()]
    parts += [_spot(name, point) for name, point in (spots or {}).items()]
    parts += [_arrow(foot(w), direction, name) for name, direction in (arrows or {"w": normal(w)}).items()]
    size = f"viewBox='0 0 {_SIZE} {_SIZE}' width='{_SIZE}' height='{_SIZE}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {size} fill='{_theme.INK}' {_FONT}>{''.join(parts)}</svg>"


def normal(w: FloatArray) -> FloatArray:
    """The direction of (w₁, w₂), at right angles to the line."""
    return np.asarray(w[1:] / np.hypot(*w[1:]))


def foot(w: FloatArray) -> FloatArray:
    """The point of the line that is nearest to the middle of the picture."""
    return np.asarray(-w[0] * w[1:] / (w[1:] @ w[1:]))


def ends(w: FloatArray) -> FloatArray:
    """The two ends of w's line at the edge of the picture; no rows if it passes outside."""
    return line_in_box(w, Box(-REACH, REACH, -REACH, REACH))


def _at(point: FloatArray) -> tuple[str, str]:
    """Where a point of the plane is, in pixels; y grows upward."""
    return f"{_EDGE + (point[0] + REACH) * _UNIT:.1f}", f"{_EDGE + (REACH - point[1]) * _UNIT:.1f}"


def _line(both: FloatArray, style: str) -> str:
    (x1, y1), (x2, y2) = (_at(end) for end in both)
    return f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' {style}/>"


def _answer(name: str, start: FloatArray, end: FloatArray) -> str:
    """Where an answer is, for page.js, which shows it as wide as this: a point is a line without length."""
    width = 32 if start is end else 14
    return _line(np.array([start, end]), f"role='button' aria-label='{name}' stroke-width='{width}'")


def _marks(X: FloatArray, y: IntArray) -> str:
    """A disc for each +1 and a cross for each −1, as in the figures."""
    discs = "".join(_circle(point, "r='8'") for point in X[y == 1])
    places = (" ".join(_at(point)) for point in X[y == -1])
    crosses = "".join(f"<path transform='translate({place})' d='M-6-6L6 6M-6 6L6-6'/>" for place in places)
    style = f"fill='none' stroke='{_theme.MINUS}' stroke-width='3.4'"
    return f"<g fill='{_theme.PLUS}'>{discs}</g><g {style}>{crosses}</g>"


def _numbered(n: int, point: FloatArray) -> str:
    return _text(point + NAME_AT, str(n)) + _answer(f"Example {n}", point, point)


def _candidate(name: str, w: FloatArray) -> str:
    """A dashed line with its name at both ends, outside the box."""
    line = _line(ends(w), f"stroke='{_theme.INK}' stroke-width='1.8' stroke-dasharray='7 5'")
    names = [_text(end * (1 + 0.42 / REACH), name, _theme.INK) for end in ends(w)]
    return "".join([line, *names, _answer(f"Line {name}", *ends(w))])


def _spot(name: str, point: FloatArray) -> str:
    disc = _circle(point, f"r='13' fill='white' stroke='{_theme.FAINT}'")
    return disc + _text(point, name) + _answer(f"The point {name}", point, point)


def _arrow(start: FloatArray, direction: FloatArray, name: str) -> str:
    """An arrow of length 1.5, its name beyond the tip; w itself is no answer."""
    tip, name_at = start + 1.5 * direction, start + 1.9 * direction
    side = np.array([-direction[1], direction[0]])
    back = tip - 0.38 * direction
    corners = " ".join(",".join(_at(corner)) for corner in (tip, back + 0.17 * side, back - 0.17 * side))
    colour, face = (_theme.W, _ITALIC) if name == "w" else (_theme.INK, "")
    shaft = _line(np.array([start, tip - 0.3 * direction]), f"stroke='{colour}' stroke-width='3'")
    patch = _circle(name_at, "r='10' fill='white'")  # so that a line that passes behind does not strike out the name
    answer = "" if name == "w" else _answer(f"Arrow {name}", start + 0.5 * direction, name_at)
    return f"{shaft}<polygon points='{corners}' fill='{colour}'/>{patch}{_text(name_at, name, colour, face)}{answer}"


def _circle(point: FloatArray, style: str) -> str:
    x, y = _at(point)
    return f"<circle cx='{x}' cy='{y}' {style}/>"


def _text(point: FloatArray, words: str, colour: str = "", face: str = "") -> str:
    x, y = _at(point)
    fill = f" fill='{colour}'" if colour else ""
    return f"<text x='{x}' y='{y}'{fill}{face}>{html.escape(words)}</text>"

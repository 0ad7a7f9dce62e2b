"""Questions made afresh: each generator draws numbers from a seed and works out the answer, right and wrong.

A generator returns a tuple with names; a question's file may use each name as `{{name}}` in its texts and as the
answer. The words stay in the file. Coordinates are small whole numbers, so that a reader can do each question by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias, get_type_hints

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.guarantee import margin, radius
from plahelpers.hypothesis import mistakes, scores, with_bias
from plahelpers.learning import pla
from plahelpers.quizzes import pictures

Vector: TypeAlias = tuple[float, ...]
Chance: TypeAlias = np.random.Generator

# Draws that do not make a good question are drawn again; no generator comes near to so many.
_TRIES = 2000


class Examples(NamedTuple):
    """Points and labels, as a question lists them: from 0 on, in the order of their visits."""

    X: tuple[Vector, ...]
    y: tuple[int, ...]


# --- numbers ---------------------------------------------------------------------------------------------------------


class Threshold(NamedTuple):
    """A threshold, and the w it becomes part of."""

    a: int
    b: int
    threshold: int
    w: Vector
    kept_sign: Vector
    left_out: Vector


def threshold_as_weight(rng: Chance) -> Threshold:
    """Say yes when a x₁ + b x₂ exceeds the threshold: which w is that?"""
    a, b, threshold = (int(entry) for entry in rng.integers([2, -6, 3], [10, -1, 30]))
    return Threshold(a, b, threshold, (-threshold, a, b), (threshold, a, b), (a, b))


class Update(NamedTuple):
    """One update w ← w + y x, and what may go wrong with it."""

    w: Vector
    x: Vector
    y: str
    score: int
    next_w: Vector
    other_sign: Vector
    no_bias: Vector
    replaced: Vector


def next_w(rng: Chance) -> Update:
    """A mistake is corrected: which w comes next?"""
    w, x, y = _mistake(rng)
    x_0 = np.append(1, x)
    return Update(
        w=_vector(w), x=_vector(x), y=f"{y:+d}", score=int(w @ x_0), next_w=_vector(w + y * x_0),
        other_sign=_vector(w - y * x_0), no_bias=_vector(w + y * np.append(0, x)), replaced=_vector(y * x_0),
    )  # fmt: skip


class Rise(NamedTuple):
    """y wᵀx before and after the update on that very example."""

    w: Vector
    x: Vector
    y: str
    before: int
    gain: int
    after: int
    no_bias: int
    from_zero: int
    flipped: int


def rise(rng: Chance) -> Rise:
    """A mistake is corrected: how large is its y wᵀx now?"""
    w, x, y = _mistake(rng)
    before, gain = int(y * (w @ np.append(1, x))), int(1 + x @ x)
    return Rise(
        w=_vector(w), x=_vector(x), y=f"{y:+d}", before=before, gain=gain, after=before + gain,
        no_bias=before + gain - 1, from_zero=gain, flipped=-before,
    )  # fmt: skip


class OnTheLine(NamedTuple):
    """Mistakes among examples of which some lie on the line itself."""

    w: Vector
    examples: Examples
    sign_of_zero: str
    wrong: int
    count_minus: int
    count_plus: int
    count_zero: int


def mistakes_on_the_line(rng: Chance) -> OnTheLine:
    """Two of five examples lie on the line: how many are mistakes?"""
    for w in _draws(rng, [-4, -3, -3], [5, 4, 4]):
        grid = _grid(4)
        on, off = grid[scores(w, grid) == 0], grid[scores(w, grid) != 0]
        if w[1:].all() and len(on) >= 2:
            break
    X = np.concatenate([rng.permutation(on)[:2], rng.permutation(off)[:3]])
    X, y = rng.permutation(X), rng.choice([-1, 1], 5)
    zero = int(rng.integers(-1, 2))
    minus, at_zero, plus = (len(mistakes(w, X, y, sign_of_zero=it)) for it in (-1, 0, 1))
    return OnTheLine(
        w=_vector(w), examples=_examples(X, y), sign_of_zero=f"{zero:+d}" if zero else "0",
        wrong=(minus, at_zero, plus)[zero + 1], count_minus=minus, count_plus=plus, count_zero=at_zero,
    )  # fmt: skip


class Radius(NamedTuple):
    """R², and the lengths it is taken for."""

    examples: Examples
    R_squared: int
    no_bias: int
    root: float
    summed: int


def radius_squared(rng: Chance) -> Radius:
    """Three examples: how large is R²?"""
    X, y = _three(rng)
    lengths = (with_bias(X) ** 2).sum(axis=1)
    R = radius(X)
    return Radius(_examples(X, y), round(R**2), round(R**2) - 1, round(R, 2), int(lengths.sum()))


class Margin(NamedTuple):
    """ρ of a given w_f, and the distances it is taken for."""

    w_f: Vector
    length: int
    examples: Examples
    rho: float
    not_divided: int
    largest: float
    no_bias: float


# Vectors of whole numbers whose lengths are whole too: (w₀, w₁, w₂) and the length.
_WHOLE = [((1, 2, 2), 3), ((2, 3, 6), 7), ((4, 4, 7), 9), ((1, 4, 8), 9), ((2, 6, 9), 11)]


def margin_of_target(rng: Chance) -> Margin:
    """Three examples and a perfect w_f: how large is ρ?"""
    w_f, length = _whole_target(rng)
    X, y = _three(rng, w_f)
    rho = margin(X, y, w_f)
    right = y * scores(w_f, X)
    return Margin(
        w_f=_vector(w_f), length=length, examples=_examples(X, y), rho=round(rho, 4), not_divided=int(right.min()),
        largest=round(float(right.max()) / length, 4), no_bias=round(float(right.min() / np.hypot(*w_f[1:])), 4),
    )  # fmt: skip


class Bound(NamedTuple):
    """The bound on T, and what is mistaken for it."""

    R_squared: int
    rho: str
    bound: int
    root: float
    no_square: int


def bound(rng: Chance) -> Bound:
    """R² and ρ are given: at most how many updates does PLA make?"""
    R_squared, part = int(rng.integers(6, 60)), int(rng.choice([2, 4, 5]))
    return Bound(
        R_squared=R_squared, rho=f"{1 / part:g}", bound=R_squared * part**2, root=round(R_squared**0.5 * part, 2),
        no_square=R_squared * part,
    )  # fmt: skip


class Updates(NamedTuple):
    """T of a run small enough to do by hand."""

    examples: Examples
    updates: int
    visits: int
    first_round: int
    last: Vector


def updates_by_hand(rng: Chance) -> Updates:
    """Cyclic PLA on three examples from w = 0: how many updates does it make?"""
    for _ in _tries():
        X, y = _three(rng, _whole_target(rng)[0], reach=3)
        run = pla(X, y)
        if 3 <= run.updates <= 8:
            break
    first_round = _updates_in_one_round(X, y)
    return Updates(_examples(X, y), run.updates, run.visits, first_round, _vector(run.w))


class Pocketed(NamedTuple):
    """What a pocket holds after a walk whose mistakes are known."""

    errors: Vector
    T: int
    best_at: int
    latest_best: int
    fewest: int


def pocket_content(rng: Chance) -> Pocketed:
    """The mistakes of w_0, …, w_7 are given: which of them is in the pocket?"""
    for errors in _draws(rng, [9, 3, 3, 3, 3, 3, 3, 4], [13, 9, 9, 9, 9, 9, 9, 11]):
        (best,) = np.flatnonzero(errors == errors.min())[:1]
        ties = np.flatnonzero(errors == errors.min())
        if len(ties) >= 2 and ties[-1] < 7 and best > 0:  # a tie that comes later, and a last w that is not the best
            break
    return Pocketed(_vector(errors), 7, int(best), int(ties[-1]), int(errors.min()))


class StepSize(NamedTuple):
    """Where PLA ends with another η, from w = 0 on the same examples in the same order."""

    w: Vector
    eta: str
    updates: int
    scaled: Vector
    times_eta: float
    divided: float


def other_step_size(rng: Chance) -> StepSize:
    """PLA with η = 1 made so many updates: how many does it make with another η?"""
    for _ in _tries():
        X, w_f = rng.integers(-5, 6, (8, 2)), rng.integers(-4, 5, 3)
        score = w_f[0] + X @ w_f[1:]
        if (score > 0).any() and (score < 0).any() and (score != 0).all():
            run = pla(X, np.sign(score))
            if run.updates in range(4, 41, 2):  # even: half as many is a whole number too
                break
    eta = ("0.5", "2", "10")[int(rng.integers(3))]
    made, step = run.updates, float(eta)
    return StepSize(_vector(run.w), eta, made, _vector(run.w * step), made * step, made / step)


# --- pictures --------------------------------------------------------------------------------------------------------


class Arrows(NamedTuple):
    """Four arrows at a line, of which one is w."""

    N: int
    true: str
    opposite: str
    along: str
    back: str
    w: Vector
    picture: str


def which_arrow(rng: Chance) -> Arrows:
    """Points on the right sides of a line: which arrow is w?"""
    w, X, y = _line_and_points(rng, 10)
    letters = [str(letter) for letter in rng.permutation(list("ABCD"))]
    normal = w[1:] / np.hypot(*w[1:])
    along = np.array([-normal[1], normal[0]])
    ways = dict(zip(letters, (normal, -normal, along, -along), strict=True))
    picture = pictures.draw(X, y, lines=[(w, "")], arrows=[(_foot(w), way, letter) for letter, way in ways.items()])
    true, opposite, along_it, back = letters
    return Arrows(len(X), true, opposite, along_it, back, _vector(w), picture)


class Sides(NamedTuple):
    """A line with its w, and a spot on each side."""

    plus: str
    minus: str
    w: Vector
    spots: tuple[Vector, Vector]
    picture: str


def which_side(rng: Chance) -> Sides:
    """A line and its w: which of two spots is predicted +1?"""
    w, *_ = _line_and_points(rng, 4)
    normal = w[1:] / np.hypot(*w[1:])
    along = np.array([-normal[1], normal[0]])
    foot, slide = _foot(w), float(rng.choice([-1.6, 1.6]))
    spots = [foot + slide * along + 1.3 * normal, foot - slide * along - 1.3 * normal]
    plus, minus = (str(letter) for letter in rng.permutation(["P", "Q"]))
    picture = pictures.draw(
        lines=[(w, "")], arrows=[(foot, normal, "w")], spots=list(zip(spots, (plus, minus), strict=True))
    )
    named = dict(zip((plus, minus), spots, strict=True))
    return Sides(plus, minus, _vector(w), (_vector(named["P"]), _vector(named["Q"])), picture)


class NextPoint(NamedTuple):
    """A walk of PLA in the middle of a round."""

    N: int
    w: Vector
    examples: Examples
    at: int
    next: int
    from_start: int
    same: int
    farthest: int
    picture: str


def next_point(rng: Chance) -> NextPoint:
    """Example n has just been corrected: which one will cyclic PLA correct next?"""
    for _ in _tries():
        w, X, y = _line_and_points(rng, 8)
        wrong = np.sort(rng.choice(8, 3, replace=False))
        y[wrong] *= -1
        at = int(rng.integers(8))
        later = [int(n) for n in wrong if n > at]
        if later and wrong[0] < at:  # starting over at 0 would give another answer
            break
    farthest = int(wrong[np.abs(scores(w, X[wrong])).argmax()])
    picture = pictures.draw(X, y, lines=[(w, "")], arrows=[(_foot(w), w[1:] / np.hypot(*w[1:]), "w")], numbered=True)
    return NextPoint(8, _vector(w), _examples(X, y), at, later[0], int(wrong[0]), at, farthest, picture)


class NextLine(NamedTuple):
    """A line, the example it is corrected on, and four lines that might come next."""

    N: int
    true: str
    subtracted: str
    replaced: str
    through: str
    w: Vector
    x: Vector
    y: str
    lines: tuple[Vector, ...]
    picture: str


def next_line(rng: Chance) -> NextLine:
    """A mistake is corrected: which of four lines is the next one?"""
    for _ in _tries():
        w, X, y = _line_and_points(rng, 7, scale=float(rng.uniform(3, 7)))
        n = int(rng.integers(7))
        y[n] *= -1
        step = y[n] * np.append(1, X[n])
        new = [w + step, w - step, step, _moved_through(w, X[n])]
        if all(pictures.length_in_view(line) > 5 for line in new) and _well_apart([w, *new]):
            break
    letters = [str(letter) for letter in rng.permutation(list("ABCD"))]
    named = dict(sorted(zip(letters, new, strict=True)))
    normal = w[1:] / np.hypot(*w[1:])
    beside = 0.45 * np.array([-normal[1], normal[0]]) + 0.3 * np.sign(w[0]) * normal  # clear of the arrow and the line
    picture = pictures.draw(
        X, y, lines=[(w, "now"), *((line, letter) for letter, line in named.items())], ringed=[n],
        origin=beside, arrows=[(_foot(w), normal, "w")],
    )  # fmt: skip
    lines = tuple(_vector(line) for line in named.values())
    true, subtracted, replaced, through = letters
    return NextLine(7, true, subtracted, replaced, through, _vector(w), _vector(X[n]), f"{y[n]:+d}", lines, picture)


class Count(NamedTuple):
    """A line among points, and how many it gets wrong."""

    N: int
    w: Vector
    examples: Examples
    wrong: int
    right: int
    plus_only: int
    minus_only: int
    picture: str


def count_mistakes(rng: Chance) -> Count:
    """A line and its w among points: how many mistakes does it make?"""
    w, X, y = _line_and_points(rng, 12)
    flips = rng.choice(12, int(rng.integers(2, 6)), replace=False)
    y[flips] *= -1
    wrong = mistakes(w, X, y)
    plus_only = int(np.count_nonzero(y[wrong] == 1))
    picture = pictures.draw(X, y, lines=[(w, "")], arrows=[(_foot(w), w[1:] / np.hypot(*w[1:]), "w")])
    return Count(
        12, _vector(w), _examples(X, y), len(wrong), 12 - len(wrong), plus_only, len(wrong) - plus_only, picture
    )


# --- what they share -------------------------------------------------------------------------------------------------


def _tries() -> Iterator[None]:
    """So many tries to draw what makes a good question; an error after that, not an endless loop."""
    for _ in range(_TRIES):
        yield
    raise RuntimeError(f"none of {_TRIES} draws made a good question: please report the question's id and seed.")


def _draws(rng: Chance, low: Any, high: Any) -> Iterator[FloatArray]:
    """Vectors of whole numbers from low to high − 1, one after another."""
    for _ in _tries():
        yield rng.integers(low, high).astype(np.float64)


def _vector(values: Any) -> Vector:
    """Plain numbers, rounded to what is shown: whole where they are whole."""
    return tuple(int(value) if value == round(value) else round(float(value), 4) for value in values)


def _examples(X: FloatArray, y: IntArray) -> Examples:
    return Examples(tuple(_vector(x) for x in X), tuple(int(label) for label in y))


def _grid(reach: int) -> FloatArray:
    """All points of the plane with whole coordinates, but 0 and the axes, up to a reach."""
    side = [entry for entry in range(-reach, reach + 1) if entry]
    return np.array([(a, b) for a in side for b in side], dtype=np.float64)


def _mistake(rng: Chance) -> tuple[FloatArray, FloatArray, int]:
    """A w and an example that it gets wrong, not by being on the line."""
    for drawn in _draws(rng, [-5, -5, -5, -4, -4], [6, 6, 6, 5, 5]):
        w, x = drawn[:3], drawn[3:]
        score = float(w @ np.append(1, x))
        if x.all() and w.all() and 1 <= abs(score) <= 20:
            break
    return w, x, -1 if score > 0 else 1


def _whole_target(rng: Chance) -> tuple[FloatArray, int]:
    entries, length = _WHOLE[int(rng.integers(len(_WHOLE)))]
    return rng.permutation(entries) * rng.choice([-1.0, 1.0], 3), length


def _three(rng: Chance, w_f: FloatArray | None = None, reach: int = 4) -> tuple[FloatArray, IntArray]:
    """Three examples of both labels, labelled by w_f with none on its line, or at random."""
    grid = _grid(reach)
    for _ in _tries():
        X = rng.permutation(grid)[:3]
        score = rng.choice([-1.0, 1.0], 3) if w_f is None else scores(w_f, X)
        if score.all() and 0 < np.count_nonzero(score > 0) < 3:
            break
    return X, np.where(score > 0, 1, -1)


def _updates_in_one_round(X: FloatArray, y: IntArray) -> int:
    w, made = np.zeros(X.shape[1] + 1), 0
    for x, label in zip(X, y, strict=True):
        if len(mistakes(w, x[np.newaxis], [label])):
            w, made = w + label * np.append(1, x), made + 1
    return made


def _line_and_points(rng: Chance, N: int, scale: float = 1.0) -> tuple[FloatArray, FloatArray, IntArray]:
    """A line through the middle of the picture, and N points well apart and off the line, on their right sides."""
    reach = pictures.REACH - 0.6
    for _ in _tries():
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-1.2, 1.2)
        w = np.round(scale * np.array([offset, np.cos(angle), np.sin(angle)]), 1)
        X = _apart(np.round(rng.uniform(-reach, reach, (40 * N, 2)), 1), w, N)
        y = np.where(scores(w, X) > 0, 1, -1) if len(X) == N else np.empty(0, dtype=np.int64)
        if min(np.count_nonzero(y == 1), np.count_nonzero(y == -1)) >= 2:
            break
    return w, X, y


def _apart(candidates: FloatArray, w: FloatArray, N: int) -> FloatArray:
    """The first N that keep their distance, and their names do, from each other, the line and the arrow at its foot."""
    unit, foot = float(np.hypot(*w[1:])), _foot(w)
    mark, name = (scores(w, places) / unit for places in (candidates, candidates + pictures.NAME_AT))
    clear = (np.minimum(mark * np.sign(mark), name * np.sign(mark)) > 0.5) & (_distance(candidates, foot) > 2.5)
    left, chosen = candidates[clear], np.empty((0, 2))
    while len(left) and len(chosen) < N:
        chosen = np.vstack([chosen, left[0]])
        left = left[_distance(left, left[0]) > 1.1]
    return chosen


def _distance(points: FloatArray, point: FloatArray) -> FloatArray:
    return np.asarray(np.hypot(*(points - point).T))


def _foot(w: FloatArray) -> FloatArray:
    """The point of the line that is nearest to the middle of the picture."""
    return np.asarray(-w[0] * w[1:] / (w[1:] @ w[1:]))


def _moved_through(w: FloatArray, point: FloatArray) -> FloatArray:
    """The line parallel to w's that goes through a point."""
    return np.append(-w[1:] @ point, w[1:])


def _well_apart(lines: list[FloatArray]) -> bool:
    """Do the ends of all lines keep their distance at the edge of the picture?"""
    ends = np.concatenate([pictures.clip(line) for line in lines])
    gaps = np.hypot(*(ends[:, np.newaxis] - ends[np.newaxis]).transpose(2, 0, 1))
    return bool((gaps[~np.eye(len(ends), dtype=bool)] > 0.8).all())


# --- the list --------------------------------------------------------------------------------------------------------

GENERATORS: Final[dict[str, Callable[[Chance], Any]]] = {
    make.__name__: make
    for make in (
        threshold_as_weight, next_w, rise, mistakes_on_the_line, radius_squared, margin_of_target, bound,
        updates_by_hand, pocket_content, other_step_size, which_arrow, which_side, next_point, next_line,
        count_mistakes,
    )
}  # fmt: skip


def fields(name: str) -> frozenset[str]:
    """The names that a generator gives its values."""
    return frozenset(get_type_hints(GENERATORS[name])["return"]._fields)


def make(name: str, seed: int) -> dict[str, Any]:
    """The values of one question, by name."""
    values: dict[str, Any] = GENERATORS[name](np.random.default_rng(seed))._asdict()
    return values

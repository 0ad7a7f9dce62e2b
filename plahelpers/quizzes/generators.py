"""Questions made afresh: each generator draws numbers from a seed and works out the answer, right and wrong.

A generator, a public function of `rng`, returns values by name; a question's file may use each name as `{{name}}` in
its texts and as the answer. The words stay in the file. Coordinates are small whole numbers, so that a reader can do
each question by hand.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from plahelpers._validation import FloatArray, IntArray
from plahelpers.guarantee import margin, radius
from plahelpers.hypothesis import scores, with_bias
from plahelpers.learning import pla
from plahelpers.quizzes import pictures
from plahelpers.quizzes.pictures import foot, normal

Vector: TypeAlias = tuple[float, ...]
Values: TypeAlias = dict[str, Any]
Rng: TypeAlias = np.random.Generator

# All points of the plane with small whole coordinates, but 0 and the axes.
_SIDE = (-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0)
_GRID = np.array([(a, b) for a in _SIDE for b in _SIDE])


class Examples(NamedTuple):
    """Points and labels, as a question lists them: from 0 on, in the order of their visits."""

    X: tuple[Vector, ...]
    y: tuple[int, ...]


# --- numbers ---------------------------------------------------------------------------------------------------------


def threshold_as_weight(rng: Rng) -> Values:
    """Say yes when a x₁ + b x₂ exceeds the threshold: which w is that?"""
    a, b, threshold = (int(entry) for entry in rng.integers([2, -6, 3], [10, -1, 30]))
    w, kept_sign, left_out = (-threshold, a, b), (threshold, a, b), (a, b)
    return Values(a=a, b=b, threshold=threshold, w=w, kept_sign=kept_sign, left_out=left_out)


def correction(rng: Rng) -> Values:
    """A mistake is corrected: which w comes next, and how large is its y wᵀx then?"""
    w, x, y = _mistake(rng)
    x_0 = np.append(1, x)
    score, gain = int(w @ x_0), int(x_0 @ x_0)
    return Values(
        w=_vector(w),
        x=_vector(x),
        y=f"{y:+d}",
        score=score,
        next_w=_vector(w + y * x_0),
        other_sign=_vector(w - y * x_0),
        no_bias=_vector(w + y * np.append(0, x)),
        replaced=_vector(y * x_0),
        before=y * score,
        gain=gain,
        after=y * score + gain,
        after_without_bias=y * score + gain - 1,
        flipped=-y * score,
    )


def radius_squared(rng: Rng) -> Values:
    """Three examples: how large is R²?"""
    X, y = _three(rng)
    R, R_squared, total = radius(X), round(radius(X) ** 2), int((with_bias(X) ** 2).sum())
    return Values(examples=_examples(X, y), R_squared=R_squared, no_bias=R_squared - 1, root=round(R, 2), summed=total)


# Vectors of whole numbers whose lengths are whole too: (w₀, w₁, w₂) and the length.
_WHOLE = [((1, 2, 2), 3), ((2, 3, 6), 7), ((4, 4, 7), 9), ((1, 4, 8), 9), ((2, 6, 9), 11)]


def margin_of_target(rng: Rng) -> Values:
    """Three examples and a perfect w_f: how large is ρ?"""
    entries, length = _WHOLE[int(rng.integers(len(_WHOLE)))]
    w_f = rng.permutation(entries) * rng.choice([-1.0, 1.0], 3)
    X, y = _three(rng, w_f)
    products = y * scores(w_f, X)
    return Values(
        w_f=_vector(w_f),
        length=length,
        examples=_examples(X, y),
        rho=round(margin(X, y, w_f), 4),
        not_divided=int(products.min()),
        largest=round(float(products.max()) / length, 4),
        no_bias=round(float(products.min() / np.hypot(*w_f[1:])), 4),
    )


def bound(rng: Rng) -> Values:
    """R² and ρ are given: at most how many updates does PLA make?"""
    R_squared, part = int(rng.integers(6, 60)), int(rng.choice([2, 4, 5]))
    root, no_square = round(R_squared**0.5 * part, 2), R_squared * part
    return Values(R_squared=R_squared, rho=f"{1 / part:g}", bound=no_square * part, root=root, no_square=no_square)


def updates_by_hand(rng: Rng) -> Values:
    """Cyclic PLA on three examples from w = 0: how many updates does it make?"""
    while True:  # until it is a good question
        X, y = _three(rng, rng.permutation([2.0, 3.0, -4.0]))
        run = pla(X, y)
        if 3 <= run.updates <= 8:  # enough to think, and not too many for a pencil
            break
    # In one pass the examples come in order, so the first pass ends where the next pick is not a later example.
    first_pass = int(np.argmax(np.diff(run.picks, append=-1) <= 0)) + 1
    examples, last = _examples(X, y), _vector(run.w)
    return Values(examples=examples, updates=run.updates, visits=run.visits, first_pass=first_pass, last=last)


def pocket_content(rng: Rng) -> Values:
    """The mistakes of w_0, …, w_7 are given: which of them is in the pocket?"""
    while True:
        errors = rng.integers([9, 3, 3, 3, 3, 3, 3, 4], [13, 9, 9, 9, 9, 9, 9, 11])
        fewest = int(errors.min())
        ties = [int(t) for t in np.flatnonzero(errors == fewest)]
        if 0 < ties[0] < ties[-1] < 7:  # a tie that comes later, and a last w that is not the best
            break
    return Values(errors=_vector(errors), T=7, best_at=ties[0], latest_best=ties[-1], fewest=fewest)


# --- pictures --------------------------------------------------------------------------------------------------------


def which_arrow(rng: Rng) -> Values:
    """Points on the right sides of a line: which arrow is w?"""
    w, X, y = _line_and_points(rng, 10)
    letters = rng.permutation(list("ABCD")).tolist()
    across, along = normal(w), _along(w)
    arrows = dict(sorted(zip(letters, (across, -across, along, -along), strict=True)))
    names = dict(zip(("true", "opposite", "along", "back"), letters, strict=True))
    return Values(N=len(X), **names, picture=pictures.draw(w, X, y, arrows=arrows))


def which_side(rng: Rng) -> Values:
    """A line and its w: which of two spots is predicted +1?"""
    w = _line(rng)
    offset = float(rng.choice([-1.6, 1.6])) * _along(w) + 1.3 * normal(w)
    places = (foot(w) + offset, foot(w) - offset)
    plus, minus = rng.permutation(["P", "Q"]).tolist()
    spots = dict(sorted(zip((plus, minus), places, strict=True)))
    return Values(plus=plus, minus=minus, picture=pictures.draw(w, spots=spots))


def next_point(rng: Rng) -> Values:
    """Example n has just been corrected: which one will cyclic PLA correct next?"""
    w, points, labels = _line_and_points(rng, 8)
    while True:
        order, wrong, at = rng.permutation(8), np.sort(rng.choice(8, 4, replace=False)), int(rng.integers(7))
        X, y = points[order], labels[order]
        later, worst = wrong[wrong > at], int(wrong[np.abs(scores(w, X[wrong])).argmax()])
        if len(later) and len({wrong[0], at, at + 1, later[0], worst}) == 5:
            break
    y[wrong] *= -1
    return Values(
        N=8,
        w=_vector(w),
        examples=_examples(X, y),
        at=at,
        following=at + 1,
        next=int(later[0]),
        from_start=int(wrong[0]),
        worst=worst,
        picture=pictures.draw(w, X, y, numbered=True),
    )


def next_line(rng: Rng) -> Values:
    """A mistake is corrected: which of four lines is the next one?"""
    while True:
        w, X, y = _line_and_points(rng, 7, scale=float(rng.uniform(3, 7)))
        n = int(rng.integers(7))
        y[n] *= -1
        step = y[n] * np.append(1, X[n])
        parallel = np.append(-w[1:] @ X[n], w[1:])  # through the example
        candidates = [w + step, w - step, step, parallel]
        if _well_apart([w, *candidates]):
            break
    letters = rng.permutation(list("ABCD")).tolist()
    lines = dict(sorted(zip(letters, candidates, strict=True)))
    origin = 0.45 * _along(w) + 0.3 * np.sign(w[0]) * normal(w)  # clear of the arrow and the line
    names = dict(zip(("true", "subtracted", "replaced", "through"), letters, strict=True))
    return Values(
        N=7,
        **names,
        w=_vector(w),
        x=_vector(X[n]),
        y=f"{y[n]:+d}",
        new_w=_vector(w + step),
        minus_w=_vector(w - step),
        picture=pictures.draw(w, X, y, candidates=lines, ringed=n, origin=origin),
    )


def count_mistakes(rng: Rng) -> Values:
    """A line and its w among points: how many mistakes does it make?"""
    w, X, y = _line_and_points(rng, 12)
    while True:
        wrong = rng.choice(12, int(rng.integers(3, 6)), replace=False)
        plus_only = int(np.count_nonzero(y[wrong] == -1))
        if 0 < plus_only < len(wrong) != 2 * plus_only:  # both kinds, and more of one than of the other
            break
    y[wrong] *= -1
    return Values(
        N=12,
        w=_vector(w),
        examples=_examples(X, y),
        wrong=len(wrong),
        right=12 - len(wrong),
        plus_only=plus_only,
        minus_only=len(wrong) - plus_only,
        picture=pictures.draw(w, X, y),
    )


# --- what they share -------------------------------------------------------------------------------------------------


def _vector(values: Any) -> Vector:
    """Plain numbers, rounded to what is shown: whole where they are whole."""
    return tuple(int(value) if value == round(value) else round(float(value), 4) for value in values)


def _examples(X: FloatArray, y: IntArray) -> Examples:
    return Examples(tuple(_vector(x) for x in X), tuple(int(label) for label in y))


def _mistake(rng: Rng) -> tuple[IntArray, IntArray, int]:
    """A w and an example that it gets wrong, not by being on the line."""
    while True:
        w, x = rng.integers(-5, 6, 3), rng.integers(-4, 5, 2)
        score = float(w @ np.append(1, x))
        if w.all() and x.all() and 1 <= abs(score) <= 20:
            break
    return w, x, -1 if score > 0 else 1


def _three(rng: Rng, w_f: FloatArray | None = None) -> tuple[FloatArray, IntArray]:
    """Three examples of both labels, labelled by w_f with none on its line, or at random."""
    while True:
        X = rng.permutation(_GRID)[:3]
        score = rng.choice([-1.0, 1.0], 3) if w_f is None else scores(w_f, X)
        if score.all() and 0 < np.count_nonzero(score > 0) < 3:
            break
    return X, np.where(score > 0, 1, -1)


def _line(rng: Rng, scale: float = 1.0) -> FloatArray:
    """The w of a line through the middle of the picture."""
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-1.2, 1.2)
    return np.round(scale * np.array([offset, np.cos(angle), np.sin(angle)]), 1)


def _line_and_points(rng: Rng, N: int, scale: float = 1.0) -> tuple[FloatArray, FloatArray, IntArray]:
    """A line through the middle of the picture, and N points well apart and off the line, on their right sides."""
    reach = pictures.REACH - 0.6
    while True:
        w = _line(rng, scale)
        X = _apart(np.round(rng.uniform(-reach, reach, (20 * N, 2)), 1), w, N)
        y = np.where(scores(w, X) > 0, 1, -1)
        if len(X) == N and 2 <= np.count_nonzero(y == 1) <= N - 2:
            break
    return w, X, y


def _apart(candidates: FloatArray, w: FloatArray, N: int) -> FloatArray:
    """The first N that keep their distance, and their names do, from each other, the line and the arrow at its foot."""
    length = float(np.hypot(*w[1:]))
    mark, name = (scores(w, places) / length for places in (candidates, candidates + pictures.NAME_AT))
    clear = (np.minimum(mark * np.sign(mark), name * np.sign(mark)) > 0.5) & (_distance(candidates, foot(w)) > 2.5)
    left, points = candidates[clear], np.empty((0, 2))
    while len(left) and len(points) < N:
        points = np.vstack([points, left[0]])
        left = left[_distance(left, left[0]) > 1.1]
    return points


def _distance(points: FloatArray, point: FloatArray) -> FloatArray:
    return np.asarray(np.hypot(*(points - point).T))


def _along(w: FloatArray) -> FloatArray:
    """The direction of the line."""
    across = normal(w)
    return np.array([-across[1], across[0]])


def _well_apart(lines: list[FloatArray]) -> bool:
    """Are all lines long in the picture, and do their ends keep their distance at its edge?"""
    ends = np.concatenate([pictures.ends(line) for line in lines])
    if len(ends) < 2 * len(lines):  # some line passes outside
        return False
    gaps = np.hypot(*(ends[:, np.newaxis] - ends[np.newaxis]).transpose(2, 0, 1))
    lengths = gaps[0::2, 1::2].diagonal()
    return bool((gaps[~np.eye(len(ends), dtype=bool)] > 0.8).all() and (lengths > 5).all())

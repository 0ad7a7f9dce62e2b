"""The pictures show what is the case: every artist is where the numbers say, and the words say the same."""

import subprocess
import sys
import warnings
from base64 import b64decode
from io import BytesIO

import matplotlib as mpl

mpl.use("agg")

import nbclient
import nbformat
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Arc, FancyArrowPatch
from matplotlib.path import Path as Outline
from PIL import Image

from plahelpers import (
    _theme as look,
    best_line,
    mistakes,
    noisy_running_example,
    pla,
    plots,
    pocket,
    predict,
    repeat_pla,
    repeat_pocket,
    running_example,
    separate,
)
from plahelpers.datasets import Data, noisy, separable
from plahelpers.guarantee import proof_trace, update_bound
from plahelpers.plots import stored, walk

BOX = (-2.0, 3.0, -1.0, 4.0)
EXPERIMENT = repeat_pla(*running_example(), runs=200, rng=0)


@pytest.fixture(autouse=True)
def _no_figure_is_left_open():
    yield
    plt.close("all")


@pytest.fixture
def ax():
    return plt.figure().subplots()


@pytest.fixture(scope="module")
def run():
    return pla(*running_example())


@pytest.fixture(scope="module")
def pocket_run():
    return pocket(*noisy_running_example(), max_updates=40, rng=0)


@pytest.fixture(scope="module")
def one_feature():
    return pla(*separable(8, 1, low=-3, high=3, rng=4))


@pytest.fixture(scope="module")
def tested():
    train = noisy(50, noise=0.1, rng=1)
    return repeat_pocket(*train, test=tuple(noisy(200, noise=0.1, w_f=train.w_f, rng=2)), runs=100, rng=0)


def best_trace(run):
    """The proof along a run, with the w_f of the largest margin."""
    return proof_trace(run, separate(run.X, run.y).w_f)


def xy(line):
    return np.column_stack(line.get_data())


def line(ax, label):
    """Where the line with this label goes."""
    return xy(next(line for line in ax.lines if line.get_label() == label))


def patch(ax, label):
    return next(patch for patch in ax.patches if patch.get_label() == label)


def arrows(ax):
    """From where to where each arrow goes."""
    return [np.array(patch._posA_posB) for patch in ax.patches if isinstance(patch, FancyArrowPatch)]


def written(ax):
    return [text.get_text() for text in ax.texts]


def test_positive_points_are_dots_and_negative_ones_crosses_where_x_says():
    X, y = running_example()
    ax = plots.points(X, y)
    by_mark = {line.get_marker(): line for line in ax.lines}
    assert np.array_equal(xy(by_mark["o"]), X[y == 1])
    assert np.array_equal(xy(by_mark["x"]), X[y == -1])
    assert to_hex(by_mark["o"].get_color()).upper() == look.PLUS
    assert to_hex(by_mark["x"].get_color()).upper() == look.MINUS


def test_a_picture_shows_the_box_around_its_points_and_axes_of_one_scale_with_the_names_of_the_features():
    X, y = running_example()
    for ax in (plots.points(X, y), plots.hypothesis([-1, 2, -1], X, y)):
        assert (*ax.get_xlim(), *ax.get_ylim()) == plots.box_around(X)
        assert (ax.get_aspect(), ax.get_xlabel()) == (1, "x₁")
    named = plots.points(Data(np.eye(2), np.array([1, -1]), names=("age", "income")))
    assert (named.get_xlabel(), named.get_ylabel()) == ("age", "income")
    unequal = plots.hypothesis([-1, 2, -0.001], X * [1, 1000], y)
    assert (unequal.get_aspect(), arrows(unequal)) == ("auto", [])  # no normal, since it would look slanted


@pytest.mark.parametrize("w", [[-1, 2, -1], [0.5, -1, 0], [99, 1, 1], [4, 0, 0], [-4, 0, 0]])
def test_the_shade_at_a_random_point_is_that_of_its_prediction(ax, w):
    plots.perceptron(w, box=BOX, ax=ax)
    points = np.random.default_rng(0).uniform([BOX[0], BOX[2]], [BOX[1], BOX[3]], (500, 2))
    for label, answer, color in (("h(x) = +1", 1, look.PLUS_REGION), ("h(x) = −1", -1, look.MINUS_REGION)):
        region = patch(ax, label)
        covered = region.get_visible() & Outline(region.get_xy()).contains_points(points)
        assert np.array_equal(covered, predict(w, points) == answer)
        assert to_hex(region.get_facecolor()).upper() == color


@pytest.mark.parametrize(
    ("zero", "plus", "minus", "word"), [(-1, 0, 1, "all −1"), (1, 1, 0, "all +1"), (0, 0, 0, "undecided")]
)
def test_w_zero_has_no_line_and_is_drawn_as_what_sign_of_zero_says(ax, zero, plus, minus, word):
    plots.perceptron(np.zeros(3), box=BOX, sign_of_zero=zero, ax=ax)
    assert (patch(ax, "h(x) = +1").get_visible(), patch(ax, "h(x) = −1").get_visible()) == (plus, minus)
    assert word in " ".join(written(ax))
    assert word in plots.alt_text(ax)
    assert arrows(ax) == []


@pytest.mark.parametrize("w", [[-1, 2, -1], [0.5, -1, 0], [0.5, 0, -3], [6.9, -1, -1], [2.99, 1, 1]])
def test_the_normal_starts_on_the_line_is_perpendicular_to_it_and_ends_on_the_plus_side(ax, w):
    for box in (BOX, None):  # None: where its line can be seen
        ax = plots.perceptron(w, box=box)
        [(start, tip)] = arrows(ax)
        one, other = line(ax, "wᵀx = 0")
        assert w[0] + start @ w[1:] == pytest.approx(0, abs=1e-9)
        assert (tip - start) @ (other - one) == pytest.approx(0, abs=1e-9)
        assert predict(w, tip) == 1
        assert ax.get_aspect() == 1


def test_a_perceptron_over_points_keeps_their_box_and_both_are_told_in_words():
    ax = plots.points(running_example())
    before = ax.get_xlim(), ax.get_ylim()
    assert plots.perceptron([-1, 2, -1], ax=ax) is ax
    assert (ax.get_xlim(), ax.get_ylim()) == before
    assert plots.alt_text(ax).startswith("20 points, 7 positive. The line of w = (-1, 2, -1)")
    assert "wᵀx = 0" in [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize("zero", [-1, 0, 1])
def test_rings_are_exactly_at_the_mistakes_and_the_title_and_the_words_count_them(run, zero):
    X, y = run.X, run.y
    for w in run.weights[[0, 1, 3, 6, 8]]:
        ax = plots.hypothesis(w, X, y, sign_of_zero=zero)
        wrong = mistakes(w, X, y, sign_of_zero=zero)
        assert np.array_equal(line(ax, "mistake"), X[wrong])
        assert ax.get_title() == f"{len(wrong)} of 20 wrong"
        assert f"makes {len(wrong) or 'no'} mistake{'s' * (len(wrong) != 1)}" in plots.alt_text(ax)


def test_the_words_of_a_hypothesis_give_its_numbers_and_tell_on_which_side_plus_is():
    X, y = running_example()
    ax = plots.hypothesis([-1, 2, -1], X, np.where(np.isin(np.arange(20), [3, 9]), -y, y))
    assert plots.alt_text(ax).startswith("20 points, 9 positive; the line makes 2 mistakes: examples 3 and 9. ")
    one = plots.alt_text(plots.hypothesis([0, 0, 0], [[0.0, 1.0]], [1]))
    assert "the hypothesis makes 1 mistake: example 0." in one
    many = plots.alt_text(plots.hypothesis([-9, 0, 0], X, np.ones(20, int)))
    assert "20 mistakes: examples 0, 1, 2, 3, 4, 5, 6, 7 and 12 more." in many
    sides = {(0, 2, 1): "right of", (0, -2, 1): "left of", (0, 1, 2): "above", (0, 1, -2): "below"}
    for w, side in sides.items():
        assert f"+ is {side} it" in plots.alt_text(plots.perceptron(w))


def test_a_run_with_its_sign_of_zero_a_best_line_and_a_separation_can_be_drawn_as_they_are(run):
    data = noisy_running_example()
    assert plots.hypothesis(pla([[1.0, 1.0]], [1], sign_of_zero=1)).get_title() == "0 of 1 wrong"
    assert plots.hypothesis(best_line(*data), data).get_title() == "2 of 20 wrong"
    assert plots.hypothesis(separate(run.X, run.y), run.X, run.y).get_title() == "0 of 20 wrong"
    with pytest.raises(ValueError, match=r"plots\.conflict"):
        plots.hypothesis(separate(*data), data)


def angle_in_space(u, v):
    return np.degrees(np.arccos(np.clip(u @ v / np.linalg.norm(u) / np.linalg.norm(v), -1, 1)))


@pytest.mark.parametrize(
    ("data", "eta"), [(running_example(), 1.0), (separable(30, 5, rng=0), 0.25), (separable(10, 1, rng=1), 1.0)]
)
def test_the_arrows_of_an_update_have_the_lengths_and_angles_of_the_vectors_themselves(data, eta):
    run = pla(*data, eta=eta, w0=np.arange(1.0, data.X.shape[1] + 2))
    for t in range(min(run.updates, 4)):
        ax = plots.update(run, t)
        n = run.picks[t]
        x = np.append(1, run.X[n])
        vectors = np.array([x, eta * run.y[n] * x, run.weights[t], run.weights[t + 1]])
        if eta == run.y[n] == 1:
            vectors = vectors[1:]  # then y·x is x
        starts, tips = np.array(arrows(ax)).swapaxes(0, 1)
        assert not starts.any()
        assert np.allclose(tips @ tips.T, vectors @ vectors.T)
        assert ax.get_aspect() == 1
        assert f"the plane of {['the start', 'w₁', 'w₂', 'w₃'][t]} and x, with x₀ = 1" in ax.get_xlabel()


def test_the_arcs_and_the_words_of_an_update_give_the_true_angles(run):
    for t in range(1, run.updates):
        ax = plots.update(run, t)
        x = np.append(1, run.X[run.picks[t]])
        angles = [angle_in_space(w, x) for w in run.weights[t : t + 2]]
        arcs = [patch for patch in ax.patches if isinstance(patch, Arc)]
        assert [arc.theta2 - arc.theta1 for arc in arcs] == pytest.approx(angles)
        before, after = (f"{angle:.0f}°" for angle in angles)
        assert written(ax)[-2:] == [before, after]
        assert f"from {before} to {after}" in plots.alt_text(ax)
        assert (angles[0] > angles[1]) == (run.y[run.picks[t]] == 1)


def test_the_first_update_starts_without_an_angle_and_one_may_end_at_zero(run):
    first = plots.update(run, 0)
    assert "has no angle with x" in plots.alt_text(first)
    assert "w₁ = y·x" in written(first)
    back = plots.update(pla([[2.0, 0.0]], [1], w0=[-1, -2, 0], max_updates=5), 0)
    assert "after it w is 0" in plots.alt_text(back)
    back.figure.canvas.draw()


def test_a_short_run_has_a_panel_for_each_w_with_the_next_pick_marked_and_spare_ones_stay_empty(run):
    axes = plots.steps(run)
    assert axes.shape == (2, 5)
    for t, ax in enumerate(axes.flat[:9]):
        assert ax.get_title() == f"t = {t}: {run.errors[t]} wrong"
        assert np.array_equal(line(ax, "corrected next"), run.X[run.picks[t : t + 1]])
    assert not axes[1, 4].axison


def test_a_long_run_shows_its_first_and_last_panels_and_says_what_is_left_out(pocket_run):
    axes = plots.steps(pocket_run)
    titles = [ax.get_title().split(":")[0] for ax in axes.flat[:9]]
    assert titles == ["t = 0", "t = 1", "t = 2", "t = 3", "t = 4", "", "t = 38", "t = 39", "t = 40"]
    assert "33 pictures" in axes.flat[5].texts[0].get_text()
    assert "; …; w_38 makes" in plots.alt_text(axes)


def test_runs_without_updates_can_be_drawn_all_the_same():
    nothing = pla([[1.0, 1.0]], [-1])
    assert plots.steps(nothing).size == 1
    plots.weight_space(nothing).figure.canvas.draw()
    words = plots.alt_text(plots.proof(proof_trace(nothing, [-1, 0, 0])))
    assert words == "No update was made, so there is nothing to bound."
    alike = repeat_pla(nothing.X, nothing.y, runs=5, rng=0)
    for of in ("updates", "train"):
        assert plots.histogram(alike, of=of).patches[0].get_data()[0].tolist() == [5]


def test_the_curves_of_errors_are_those_of_the_run(ax, pocket_run):
    plots.errors(pocket_run, best=best_line(*noisy_running_example()), ax=ax)
    assert np.array_equal(line(ax, "$w_t$"), np.column_stack([np.arange(41), pocket_run.errors]))
    assert np.array_equal(line(ax, "pocket"), np.column_stack([np.arange(41), pocket_run.pocket_errors]))
    assert np.array_equal(line(ax, "best line there is"), [(0, 2), (40, 2)])
    words = (
        f"ends with {pocket_run.mistakes_left}, found at update {pocket_run.best_at}. The best line makes 2 mistakes."
    )
    assert words in plots.alt_text(ax)


def test_the_proofs_curves_are_those_of_the_trace_and_none_is_in_the_shade_of_the_impossible(run):
    w_f = running_example().w_f
    trace, bound = proof_trace(run, w_f), f"{update_bound(run.X, run.y, w_f):.2f}"
    axes = plots.proof(trace)
    measured = trace.inner, trace.norm_squared, trace.cosine
    bounds = trace.inner_bound, trace.norm_squared_bound, trace.cosine_bound
    for ax, values, limits in zip(axes.flat, measured, bounds, strict=True):
        curve, limit = map(xy, ax.lines)
        assert np.array_equal(curve, np.column_stack([trace.t, values]), equal_nan=True)
        assert np.array_equal(limit, np.column_stack([trace.t, limits]))
        shade = ax.patches[0].get_xy()
        inside = curve[1:-1]  # the first and last lie on the shade's own edge
        assert not Outline(shade).contains_points(inside, radius=-1e-9).any()
        assert Outline(shade).contains_point(shade.mean(axis=0))
    assert axes.flat[0].figure.get_suptitle() == f"T = 8 ≤ R²/ρ² = {bound}"
    assert f"T = 8 ≤ {bound}." in plots.alt_text(axes)
    assert "within their bounds" in plots.alt_text(axes.flat[2])
    elsewhere = plots.proof(proof_trace(pla(run.X, run.y, w0=[3, -2, 1]), w_f))
    assert "from this start" in elsewhere.flat[0].figure.get_suptitle()
    assert all("its bound" in ax.get_title() for ax in elsewhere.flat)


@pytest.mark.parametrize("data", [([[2.0], [0.5], [-1.0]], [1, -1, -1]), separable(8, 1, low=-3, high=3, rng=4)])
def test_the_hull_of_one_feature_has_its_nearest_point_at_the_largest_margin_of_all_directions(data):
    run = pla(*data)
    ax = plots.hull(run)
    Z = run.y[:, np.newaxis] * np.column_stack([np.ones(run.N), run.X])
    corners = patch(ax, "convex hull").get_xy()
    inside = Outline(corners).contains_points(Z, radius=1e-9) | Outline(corners).contains_points(Z, radius=-1e-9)
    assert inside.all()
    assert {tuple(corner) for corner in corners} <= {tuple(z) for z in Z}
    angles = np.linspace(0, 2 * np.pi, 100_001)  # of each direction the smallest inner product with the y·x
    margins = (np.column_stack([np.cos(angles), np.sin(angles)]) @ Z.T).min(axis=1)
    [nearest] = line(ax, "nearest point")
    assert np.hypot(*nearest) == pytest.approx(margins.max(), rel=1e-3)
    assert np.arctan2(*nearest[::-1]) % (2 * np.pi) == pytest.approx(angles[margins.argmax()], abs=1e-3)
    assert np.array_equal(line(ax, "ρ"), [(0, 0), nearest])
    [(start, tip)] = arrows(ax)
    assert np.array_equal(start, [0, 0])
    assert tip * np.hypot(*nearest) == pytest.approx(nearest)
    one, other = next(xy(each) for each in ax.lines if each.get_linestyle() == ":")
    assert (other - one) @ nearest == pytest.approx(0, abs=1e-9)  # the dotted line, at right angles to w_f
    assert f"at distance ρ = {np.hypot(*nearest):.2f}" in plots.alt_text(ax)


def test_an_update_in_the_plane_of_the_hull_is_that_of_the_run_with_its_two_angles():
    run = pla([[2.0], [0.5], [-1.0]], [1, -1, -1])
    w_f = separate(run.X, run.y).w_f
    for t in range(1, run.updates):
        ax = plots.hull(run, t)
        w, after = run.weights[t : t + 2]
        zero = np.zeros(2)
        expected = [(zero, w_f), (zero, after - w), (zero, after), (zero, w), (w, after)]
        assert np.array_equal(arrows(ax), expected)
        angles = [angle_in_space(w, after - w), angle_in_space(after, w_f)]
        arcs = [patch for patch in ax.patches if isinstance(patch, Arc)]
        assert [arc.theta2 - arc.theta1 for arc in arcs] == pytest.approx(angles)
        assert [text for text in written(ax) if text.endswith("°")] == [f"{angle:.0f}°" for angle in angles]
        assert angles[0] >= 90  # it was a mistake
        assert f"Update {t + 1} adds y·x of example {run.picks[t]}" in plots.alt_text(ax)
    first = plots.hull(run, 0)  # w = 0 has no angle with the step, and its w is not drawn
    assert len(arrows(first)) == 3
    assert len([patch for patch in first.patches if isinstance(patch, Arc)]) == 1


def test_a_hull_of_one_class_is_a_segment_and_may_come_nearest_at_its_end():
    ax = plots.hull(pla([[1.0], [3.0]], [1, 1]))
    assert np.array_equal(patch(ax, "convex hull").get_xy(), [(1, 1), (1, 3)])
    assert line(ax, "nearest point") == pytest.approx(np.array([(1, 1)]))


XOR = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1, -1]
INSIDE = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.5, 0.5]], [-1, -1, -1, 1]
SAME_PLACE = [[1.0, 2.0], [1.0, 2.0]], [1, -1]


@pytest.mark.parametrize("data", [tuple(noisy_running_example()), XOR, INSIDE, SAME_PLACE])
def test_a_conflict_is_drawn_at_its_examples_and_its_hulls_meet_where_the_mark_is(data):
    X, y = np.array(data[0]), np.array(data[1])
    certificate = separate(X, y).conflict
    ax = plots.conflict(X, y)
    points, labels = X[certificate.examples], y[certificate.examples]
    [rings] = ax.collections
    assert np.array_equal(rings.get_offsets(), points)
    assert np.array_equal(np.argsort(rings.get_sizes()), np.argsort(certificate.weights))
    [meeting] = line(ax, "the hulls meet")
    for label, hull in zip((1, -1), ax.patches, strict=True):
        part, a = points[labels == label], certificate.weights[labels == label]
        assert {tuple(corner) for corner in hull.get_xy()} == {tuple(point) for point in part}
        assert a @ part / a.sum() == pytest.approx(meeting)  # a mixture of this hull's corners
    assert [int(text.split(":")[0]) for text in written(ax)] == certificate.examples.tolist()
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    for k, box in enumerate(boxes):  # each in the picture and apart from the others
        assert not any(box.overlaps(other) for other in boxes[:k])
        assert ax.bbox.contains(box.x0, box.y0)
        assert ax.bbox.contains(box.x1, box.y1)


def test_the_words_of_a_conflict_name_its_examples_and_where_there_is_none_it_is_refused(run):
    text = plots.alt_text(plots.conflict(*XOR))
    assert "No line is right about examples 0, 1, 2 and 3" in text
    assert "positive ones (0, 1) meets that of the negative ones (2, 3) at (0.5, 0.5)" in text
    with pytest.raises(ValueError, match="these data are separable"):
        plots.conflict(run.X, run.y)
    with pytest.raises(ValueError, match="speaks of example 3, but there are only 2"):
        plots.conflict(*SAME_PLACE, separation=separate(*XOR))


def test_for_one_feature_weight_space_is_the_plane_of_w0_and_w1_itself(one_feature):
    ax = plots.weight_space(one_feature)
    assert np.array_equal(line(ax, "walk of $w_t$"), one_feature.weights)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("w₀", "w₁")
    ends = xy(ax.lines[0]).reshape(-1, 3, 2)[:, :2]  # two ends and a gap for each example
    for (w, _), x in zip(ends, one_feature.X[:, 0], strict=True):
        assert w[0] + w[1] * x == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("which", ["one_feature", "pocket_run"])
def test_the_shade_of_weight_space_counts_the_mistakes_of_the_w_there(which, request):
    run = request.getfixturevalue(which)
    [shades] = plots.weight_space(run).images
    counts = shades.get_array()
    left, right, bottom, top = shades.get_extent()
    view = walk._Plane(run) if run.d == 1 else walk._Sphere(run)
    rows, columns = counts.shape
    seen = 0
    for w in np.random.default_rng(0).normal(size=(300, run.d + 1)) * np.abs(run.weights).max() / 3:
        h, v = view.place(w[np.newaxis])[0]
        row, column = int((v - bottom) / (top - bottom) * rows), int((h - left) / (right - left) * columns)
        near = counts[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        if left < h < right and bottom < v < top and near.min() == near.max():  # no boundary close by
            seen += 1
            assert near[0, 0] == len(mistakes(w, run.X, run.y))
    assert seen > 50


def test_directions_are_drawn_at_their_angle_with_the_answer_and_boundaries_where_a_score_is_zero(run):
    ax, view = plots.weight_space(run), walk._Sphere(run)
    stops = xy(ax.lines[2])
    assert np.isnan(stops[0]).all()  # 0 has no direction
    for w, place in zip(run.weights[1:], stops[1:], strict=True):
        assert np.hypot(*place) == pytest.approx(angle_in_space(w, run.w), abs=1e-5)
    assert ax.lines[3].get_label() == "w₁"
    places = view.boundaries(run.X[:1])
    W = view.weights(places[~np.isnan(places[:, 0])])
    assert np.abs(W @ np.append(1, run.X[0])).max() < 1e-9
    np.testing.assert_allclose(np.linalg.norm(W, axis=1), 1)


def test_a_walk_can_be_shown_up_to_any_w_and_may_never_meet_one_without_mistakes(run):
    ax = plots.weight_space(run, t=3)
    assert ax.get_title() == f"w₃: {run.errors[3]} of 20 wrong"
    assert "from w_1 to w_3" in plots.alt_text(ax)
    assert "region without mistakes at update 8" in plots.alt_text(ax)
    many = plots.weight_space(pocket(*noisy(100, noise=0.3, rng=0), max_updates=5, rng=0))
    assert "never meets a w without mistakes" in plots.alt_text(many)


def test_the_bars_count_the_runs_and_the_bound_is_drawn_where_it_is():
    bound, updates = update_bound(*running_example()), EXPERIMENT.updates
    ax = plots.histogram(EXPERIMENT, bound=bound)
    counts, edges, _ = ax.patches[0].get_data()
    assert counts.sum() == len(updates)
    for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True):
        assert count == ((updates > low) & (updates < high)).sum()
    mean, limit = (line.get_xdata() for line in ax.lines)
    assert np.allclose(mean, updates.mean())
    assert np.allclose(limit, bound)
    assert ax.get_xlim()[0] < bound < ax.get_xlim()[1]
    assert f"{updates.mean():,.1f} on average, from {updates.min()} to {updates.max()}." in plots.alt_text(ax)


@pytest.mark.parametrize("of", ["train", "test"])
def test_error_rates_of_the_pocket_stand_beside_those_of_the_last_w(tested, of):
    ax = plots.histogram(tested, of=of)
    answer, last = getattr(tested, f"{of}_error"), getattr(tested, f"last_{of}_error")
    for bars, mean, rates in zip(ax.patches, ax.lines, (answer, last), strict=True):
        assert bars.get_data()[0].sum() == 100
        assert np.allclose(mean.get_xdata(), rates.mean())
    assert f"{answer.mean():.3f} on average, that of the last w {last.mean():.3f}" in plots.alt_text(ax)


def test_the_learning_picture_names_all_five_parts():
    words = " ".join(written(plots.learning_picture()))
    assert all(part in words for part in ("target f", "examples D", "hypothesis set H", "algorithm A", "final g"))


def test_the_learning_picture_says_on_request_that_the_labels_are_noisy():
    plain, noisy = plots.learning_picture(), plots.learning_picture(noise=True)
    added = set(written(noisy)) - set(written(plain))
    assert ["noise" in text for text in added] == [True]
    assert "noise" not in " ".join([*written(plain), plots.alt_text(plain)])
    assert "noise changes some of their labels" in plots.alt_text(noisy)


CORNERS = pocket([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1], max_updates=8, order="cyclic")
SINGLE = {
    "counts": lambda run, ax: plots.counts(run, run.X.round(), run.y, ax=ax),
    "rates": lambda _run, ax: plots.rates({"target": (0.3, 0.2)}, noise=0.2, ax=ax),
    "learning_picture": lambda _run, ax: plots.learning_picture(ax=ax),
    "points": lambda run, ax: plots.points(run.X, run.y, ax=ax),
    "perceptron": lambda run, ax: plots.perceptron(run, ax=ax),
    "hypothesis": lambda run, ax: plots.hypothesis(run, ax=ax),
    "update": lambda run, ax: plots.update(run, 2, ax=ax),
    "errors": lambda run, ax: plots.errors(run, ax=ax),
    "conflict": lambda _run, ax: plots.conflict(*XOR, separation=separate(*XOR), ax=ax),
    "weight_space": lambda run, ax: plots.weight_space(run, ax=ax),
    "histogram": lambda _run, ax: plots.histogram(EXPERIMENT, ax=ax),
    "hull": lambda _run, ax: plots.hull(pla([[2.0], [0.5]], [1, -1]), 1, ax=ax),
    "gains": lambda run, ax: plots.gains(best_trace(run), ax=ax),
    "race": lambda run, ax: plots.race(best_trace(run), ax=ax),
    "scaling": lambda run, ax: plots.scaling(run, ax=ax),
    "bounded": lambda run, ax: plots.bounded(best_trace(run), ax=ax),
    "corrections": lambda _run, ax: plots.corrections(-14, 6, ax=ax),
    "farthest": lambda run, ax: plots.farthest(run, [1, 8], ax=ax),
    "normal": lambda run, ax: plots.normal(run, ax=ax),
    "scores": lambda run, ax: plots.scores(run, run.X, run.y, ax=ax),
    "labellings": lambda _run, ax: plots.labellings(XOR[0], ax=ax),
    "neuron": lambda run, ax: plots.neuron(run, ax=ax),
    "shares": lambda run, ax: plots.shares(run.picks, run.y[run.picks], ax=ax),
    "rises": lambda run, ax: plots.rises(run, ax=ax),
    "along": lambda run, ax: plots.along(run.errors, "mistakes", level=7, level_name="majority guess", ax=ax),
    "lines": lambda run, ax: plots.lines({"PLA": run, "target": [-1, 2, -1]}, run.X, run.y, ax=ax),
    "against_n": lambda _run, ax: plots.against_n({10: [1, 2], 100: [3, 90]}, "updates", law=30, ax=ax),
}
SEVERAL = {
    "cycle": (4, lambda _run, axes: plots.cycle(CORNERS, axes=axes)),
    "steps": (9, lambda run, axes: plots.steps(run, axes=axes)),
    "proof": (3, lambda run, axes: plots.proof(best_trace(run), axes=axes)),
    "multiples": (3, lambda run, axes: plots.multiples(run, axes=axes)),
    "half_spaces": (3, lambda _run, axes: plots.half_spaces(pla([[2.0], [0.5]], [1, -1]), axes=axes)),
}


@pytest.mark.parametrize("name", SINGLE)
def test_a_picture_is_drawn_on_the_axes_given_or_on_its_own_with_words_large_enough_for_the_back_row(name, run, ax):
    opened = plt.get_fignums()
    assert SINGLE[name](run, ax) is ax
    assert plt.get_fignums() == opened
    own = SINGLE[name](run, None)
    assert len(plt.get_fignums()) == len(opened) + 1
    assert plots.alt_text(own) == plots.alt_text(own.figure) == plots.alt_text(ax) != ""
    assert tuple(own.figure.get_facecolor()) == (1, 1, 1, 1)
    own.figure.canvas.draw()
    assert min(text.get_fontsize() for text in own.findobj(mpl.text.Text) if text.get_text()) >= look.FONT_SIZE - 2


@pytest.mark.parametrize("name", SEVERAL)
def test_a_picture_of_several_panels_is_drawn_on_the_axes_given_or_on_its_own(name, run):
    count, draw = SEVERAL[name]
    _, axes = plt.subplots(1, count)
    opened = plt.get_fignums()
    assert draw(run, axes) is axes
    assert plt.get_fignums() == opened
    own = draw(run, None)
    assert own.size >= count
    assert len({plots.alt_text(ax) for ax in [own, own.flat[0].figure, *own.flat, *axes.flat]}) == 1
    with pytest.raises(ValueError, match=f"needs {count} Axes"):
        draw(run, axes[:2])
    others = {"STYLE", "Box", "alt_text", "box_around", "style"}
    assert {*plots.__all__} == {*SINGLE, *SEVERAL, *others}  # every picture is among those tried here


def test_pictures_look_the_same_whatever_the_user_has_set_which_stays_even_when_one_fails(run):
    ours = plots.hypothesis(run).figure
    with mpl.rc_context({"font.size": 30, "figure.facecolor": "black", "lines.linewidth": 9, "figure.dpi": 50}):
        before = dict(mpl.rcParams)
        theirs = plots.hypothesis(run).figure
        with pytest.raises(ValueError, match="undecided"), plots.style():
            raise ValueError("undecided")
        assert dict(mpl.rcParams) == before
    for figure in (ours, theirs):
        figure.canvas.draw()
    assert np.array_equal(ours.canvas.buffer_rgba(), theirs.canvas.buffer_rgba())


@pytest.mark.parametrize("name", ["points", "perceptron", "hypothesis", "conflict", "steps"])
@pytest.mark.parametrize(("d", "fits"), [(1, r"plots\.weight_space\(run\)"), (3, r"plots\.update\(run, t\)")])
def test_other_dimensions_are_refused_with_the_name_of_a_picture_that_fits(name, d, fits):
    with pytest.raises(ValueError, match=rf"plots\.{name} draws the plane.*d = {d}.*{fits}.*plots\.errors"):
        getattr(plots, name)(pla(*separable(10, d, rng=0)))
    assert plt.get_fignums() == []


def test_the_pictures_that_are_said_to_fit_every_dimension_do():
    run = pla(*separable(20, 4, rng=0))
    plots.errors(run)
    plots.update(run, 2)
    plots.proof(best_trace(run))
    with pytest.raises(ValueError, match=r"this run has d = 4.*plots\.errors\(run\)"):
        plots.weight_space(run)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda run: plots.points(run.X), "y is missing"),
        (lambda run: plots.points(run.X, (run.y + 1) // 2), "not 0 and 1"),
        (lambda run: plots.hypothesis([0, 1], run.X, run.y), "w has 2 entries but 3 are expected"),
        (lambda _: plots.perceptron([0, 1, 1], sign_of_zero=2), "sign_of_zero must be"),
        (lambda _: plots.perceptron([0, 1, 1], box=(1, 1, 0, 2)), r"\(left, right, bottom, top\)"),
        (lambda _: plots.perceptron([0, 1, 1], box=(0, 1, 2)), "box must be four numbers"),
        (lambda _: plots.perceptron([0, 1, 1], ax=3), "an Axes or None, not int"),
        (lambda _: plots.update("run", 0), "plots.update draws a run"),
        (lambda run: plots.update(run, 8), "made 8 updates: t must be below 8"),
        (lambda _: plots.update(pla([[1.0, 1.0]], [-1])), "made no updates, so there is none to draw"),
        (lambda run: plots.errors(run, best=1.5), "best must be a whole number"),
        (lambda run: plots.errors(pla(run.X, run.y, keep_path=False)), "keep_path=True"),
        (lambda run: plots.weight_space(run, t=9), "t must be at most 8"),
        (plots.proof, r"give proof_trace\(run, w_f\)"),
        (plots.race, r"plots.race draws a proof trace"),
        (lambda run: plots.race(best_trace(pla(run.X, run.y, eta=2.0))), "from the start w = 0 with η = 1"),
        (lambda run: plots.gains(best_trace(run), of="cosine"), "of must be one of 'inner', 'norm_squared'"),
        (lambda _: plots.gains(best_trace(pla([[1.0]], [-1]))), "no gains to draw"),
        (lambda _: plots.scaling([[1.0], [1.0]], [1, -1]), "no bound on the updates: Not linearly"),
        (plots.hull, r"one feature; this run has d = 2. plots\.proof"),
        (lambda _: plots.hull("run"), "plots.hull draws a run"),
        (lambda _: plots.hull(pla([[1.0]], [1]), 1), "made 1 update: t must be below 1"),
        (lambda _: plots.hull(pocket([[1.0], [1.0]], [1, -1], max_updates=3)), "no margin to draw: Not linearly"),
        (lambda _: plots.histogram(EXPERIMENT, of="mistakes"), "of must be one of"),
        (lambda _: plots.histogram(EXPERIMENT, of="train", bound=3), "belongs into the histogram"),
        (lambda _: plots.histogram(EXPERIMENT, of="test"), "had no test examples"),
        (plots.histogram, "give what repeat_pla or repeat_pocket returned"),
        (plots.cycle, "repeats its first 4 updates.*plots.steps"),
        (lambda _: plots.rates({"target": (0.3,)}), "two numbers for each name"),
        (lambda _: plots.rates({"target": (0.3, 2)}), "target must be a number from 0 to 1, not 2"),
        (lambda _: plots.rates({"target": (0.3, 0.2)}, of=("train",)), "of must name the two rates"),
        (plots.alt_text, "takes an Axes or a Figure, not Run"),
        (plots.bounded, "plots.bounded draws a proof trace"),
        (lambda run: plots.bounded(proof_trace(run, run.w), of="angle"), "of must be one of"),
        (lambda _: plots.corrections(1, 6), "before must be negative"),
        (lambda _: plots.corrections(-14, 0), "gain"),
        (lambda _: plots.farthest("run", [1]), "plots.farthest draws a run"),
        (lambda run: plots.farthest(run, [0, 8]), "at which w_t has a line"),
        (lambda run: plots.farthest(run, [9]), "from 0 to 8"),
        (lambda run: plots.steps(run, box=(0, 1)), "box must be four numbers"),
        (plots.half_spaces, r"at most 8 examples with one feature; this run has N = 20 and d = 2"),
        (lambda _: plots.rises(pla([[1.0, 1.0]], [-1])), "made no updates, so there is none to draw"),
        (lambda _: plots.along([], "mistakes"), "one number for each t"),
        (lambda run: plots.lines({}, run.X, run.y), "one to 4 lines, not 0"),
        (lambda _: plots.against_n({10: [0.5, 0.0]}, "share"), "all of them positive"),
    ],
)
def test_bad_input_gets_a_sentence(run, draw, message):
    with pytest.raises((ValueError, TypeError), match=message):
        draw(run)


CELLS = [
    """from plahelpers import pla, plots, running_example
data = running_example()
run = pla(*data)
plots.hypothesis(run.weights[4], data);""",
    "plots.hypothesis(run.weights[4], data)",
    """from matplotlib import pyplot as plt
_, axes = plt.subplots(1, 2)
plots.points(data, ax=axes[0])
plots.errors(run, ax=axes[1])
plt.show()""",
    "figure = plots.update(run, 2).figure\nplt.close(figure)\nfigure",
    "plt.plot([1, 2]);",
    "%config InlineBackend.figure_formats = ['retina']\nplots.errors(run);",
    """from matplotlib.backends.backend_agg import FigureCanvasAgg
drawn_for_nobody = []
FigureCanvasAgg.draw_idle = drawn_for_nobody.append
plots.errors(run);""",
    "print(len(drawn_for_nobody))\nplots.errors(run)",
]


def test_a_notebook_stores_pictures_with_their_words_as_the_only_output_and_the_same_bytes_for_the_same_picture(run):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells:
        if cell.source.endswith(";"):
            assert [output.output_type for output in cell.outputs] == ["display_data"]
    pictures = [
        next(output for output in cell.outputs if "image/png" in output.get("data", {})) for cell in notebook.cells
    ]
    at_the_end, with_its_axes, panels, *_ = pictures
    assert at_the_end.data["image/png"] == with_its_axes.data["image/png"]
    for picture in (output for output in pictures if "alt" in output.metadata.get("image/png", {})):
        image, shown = Image.open(BytesIO(b64decode(picture.data["image/png"]))), picture.metadata["image/png"]
        assert (shown["width"], shown["height"]) == (image.width // 2, image.height // 2)
        assert ("columns" in shown) is (picture is panels)
    wrong = mistakes(run.weights[4], run.X, run.y)
    first = f"20 points, 7 positive; the line makes 2 mistakes: examples {wrong[0]} and {wrong[1]}."
    both = "Panel 1: 20 points, 7 positive. Panel 2: Mistakes on 20 examples along 8 updates"
    texts = [picture.metadata.get("image/png", {}).get("alt", "") for picture in pictures]
    starts = [first, first, both, "Update 3 adds y·x of example 9", "", *3 * ["Mistakes on 20 examples"]]
    assert [text[: len(start)] for text, start in zip(texts, starts, strict=True)] == starts
    assert texts[4] == ""  # a picture that is not ours
    assert notebook.cells[-1].outputs[0].text == "0\n"


def test_a_picture_is_as_large_as_ever_and_twice_as_sharp(run):
    figure = plots.hypothesis(run).figure
    buffer = BytesIO()
    figure.savefig(buffer, bbox_inches="tight")
    size = 2 * np.array(Image.open(buffer).size)
    png, _ = stored.drawn(figure)
    np.testing.assert_allclose(Image.open(BytesIO(png)).size, size, atol=4)  # letters, to whole pixels
    assert figure.dpi == plots.STYLE["figure.dpi"]
    assert stored.drawn(figure) == (png, [])


def colours_of_parts(figure, colours):
    """Which of these colours there are in each part of a picture that is cut as its metadata say."""
    png, cuts = stored.drawn(figure)
    picture = Image.open(BytesIO(png)).convert("RGB")
    parts = np.split(np.asarray(picture), [round(cut * picture.width) for cut in cuts], axis=1)
    return [[c for c in colours if (part == np.array(to_rgb(c)) * 255).all(axis=2).any()] for part in parts]


@plots.style()
def three_panels(rows=1, columns=3, legends=("upper right", "upper right")):
    figure, axes = plt.subplots(rows, columns, figsize=(11, 4))
    for ax, colour, place in zip(axes.flat, PANELS, [*legends, "upper left"], strict=True):
        ax.set(facecolor=colour, ylabel="a long label on the left")
        ax.plot([0, 1], label="a line with a name")
        ax.legend(loc=place, bbox_to_anchor=(1, 1) if place == "upper left" else None)
    return figure


PANELS = ["#FF0000", "#00FF00", "#0000FF"]


def test_panels_side_by_side_are_cut_between_their_labels_and_legends():
    assert colours_of_parts(three_panels(), PANELS) == [[colour] for colour in PANELS]
    assert colours_of_parts(three_panels(legends=["upper left"] * 2), PANELS) == [[colour] for colour in PANELS]


def test_the_panels_of_the_proof_are_cut(run):
    figure = plots.proof(proof_trace(run, separate(run.X, run.y).w_f)).flat[0].figure
    assert len(stored.drawn(figure)[1]) == 2


def test_a_picture_is_not_cut_if_something_belongs_to_several_panels_or_they_stand_below_one_another(run):
    titled, with_legend, crossed = three_panels(), three_panels(), three_panels()
    titled.suptitle("All panels")
    with_legend.legend(["a line"], loc="outside upper center")
    crossed.axes[0].text(0.5, 0.5, "into the next panel", fontsize=20).set_in_layout(False)
    for figure in (titled, with_legend, three_panels(rows=3, columns=1), plots.steps(run).flat[0].figure):
        assert stored.drawn(figure)[1] == []
    assert colours_of_parts(crossed, PANELS) == [PANELS[:2], PANELS[2:]]


def test_outside_ipython_nothing_is_registered_or_imported():
    program = (
        "import sys, matplotlib; matplotlib.use('agg'); from plahelpers import plots; "
        "plots.learning_picture(); sys.exit('IPython' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=120).returncode == 0


def test_the_bounds_of_the_race_meet_where_the_run_has_halted_and_what_was_measured_lies_between_them(run):
    trace = best_trace(run)
    ax = plots.race(trace)
    whole, part = line(ax, "R√t"), line(ax, "ρt")
    assert whole[:, 1] == pytest.approx(np.sqrt(46.0654 * whole[:, 0]), rel=1e-5)  # R², as CONTENT.md has it
    assert part[:, 1] == pytest.approx(0.583910 * part[:, 0], rel=1e-5)  # and ρ
    meeting = line(ax, "R²/ρ²")
    assert meeting[:, 0] == pytest.approx(135.1, abs=0.02)
    assert meeting[1, 1] == pytest.approx(np.interp(meeting[1, 0], *part.T)) == np.interp(meeting[1, 0], *whole.T)
    longer = part[:, 1] > whole[:, 1]
    assert np.array_equal(longer, part[:, 0] > meeting[0, 0] + 1e-9)
    lengths, along = line(ax, "whole, measured"), line(ax, "part, measured")
    assert lengths[:, 1] == pytest.approx(np.linalg.norm(run.weights, axis=1))
    assert len(along) == 9
    assert (along[:, 1] <= lengths[:, 1] + 1e-9).all()
    assert (along[:, 1] >= np.interp(along[:, 0], *part.T) - 1e-9).all()
    assert ax.get_title() == "T = 8 ≤ R²/ρ² = 135.11"
    assert "meets it at t = R²/ρ² = 135.11" in plots.alt_text(ax)


@pytest.mark.parametrize("of", ["inner", "norm_squared"])
def test_the_gains_are_those_of_each_update_and_none_is_in_the_shade(run, of):
    w_f = np.array([-1.0, 2.0, -1.0])
    steps = np.column_stack([np.ones(run.N), run.X]) * run.y[:, np.newaxis]
    taken = steps[run.picks]
    gained = taken @ w_f if of == "inner" else (taken * (2 * run.weights[:-1] + taken)).sum(axis=1)
    ax = plots.gains(proof_trace(run, w_f), of=of)
    shade, *bars = ax.patches
    assert [bar.get_height() for bar in bars] == pytest.approx(gained)
    assert [bar.get_x() + bar.get_width() / 2 for bar in bars] == pytest.approx(range(1, 9))
    low, high = shade.get_y(), shade.get_y() + shade.get_height()
    bound, side = (0.273391, high) if of == "inner" else (46.0654, low)
    assert side == pytest.approx(bound, abs=1e-4)
    assert all(gained >= high - 1e-9) if of == "inner" else all(gained <= low)
    assert ("at least 0.27" if of == "inner" else "at most 46.07") in ax.get_title()
    assert ("2.65, 1.06, 0.27" if of == "inner" else "7.36, -4.45, 3.03") in plots.alt_text(ax)


def test_the_bound_over_the_scale_has_its_minimum_where_it_is_marked_and_no_run_exceeds_it(run):
    ax = plots.scaling(run.X, run.y)
    bounds, updates = line(ax, "bound R²/ρ²"), line(ax, "updates T")
    for c in (0.01, 1, 100):
        at = np.argmin(np.abs(np.log(bounds[:, 0] / c)))
        assert bounds[at, 1] == pytest.approx(update_bound(c * run.X, run.y))
        assert updates[at, 1] == pla(c * run.X, run.y).updates
    assert (updates[:, 1] <= bounds[:, 1]).all()
    (least,) = line(ax, f"smallest: {bounds[:, 1].min():.2f}")
    finely = np.arange(0.3, 0.6, 0.01)
    assert least[0] == pytest.approx(finely[np.argmin([update_bound(c * run.X, run.y) for c in finely])], abs=0.02)
    assert "smallest near c = 0.4" in plots.alt_text(ax)


@pytest.mark.parametrize(("of", "stored", "power"), [("cosine", "cosine", 1), ("length", "norm_squared", 0.5)])
def test_one_quantity_of_the_proof_is_drawn_with_its_bound_and_is_not_in_the_shade(run, of, stored, power):
    trace = proof_trace(run, running_example().w_f)
    ax = plots.bounded(trace, of=of)
    curve, limit = map(xy, ax.lines)
    assert np.allclose(curve[:, 1], getattr(trace, stored) ** power, equal_nan=True)
    assert np.allclose(limit[:, 1], getattr(trace, f"{stored}_bound") ** power)
    assert not Outline(ax.patches[0].get_xy()).contains_points(curve[1:-1], radius=-1e-9).any()
    assert np.nanmax(curve[:, 1]) < ax.get_ylim()[1]


@pytest.mark.parametrize(("before", "gain", "values"), [(-14, 6, [-14, -8, -2, 4]), (-12, 6, [-12, -6, 0, 6])])
def test_corrections_are_jumps_of_one_length_to_the_first_value_above_zero(before, gain, values):
    ax = plots.corrections(before, gain)
    assert xy(ax.lines[-1])[:, 0].tolist() == values
    assert f"above 0 after {len(values) - 1} corrections" in ax.get_title()
    assert ", ".join(map(str, values)) in plots.alt_text(ax)


def test_the_farthest_example_changes_with_the_line_and_the_longest_one_does_not(run):
    ax = plots.farthest(run, [1, 8])
    _, _, *drawn = map(xy, ax.lines)
    for t, (line, way) in zip((1, 8), zip(drawn[::2], drawn[1::2], strict=True), strict=True):
        w = run.weights[t]
        assert np.allclose(line @ w[1:], -w[0])
        assert way[1] @ w[1:] == pytest.approx(-w[0])  # it ends on the line,
        assert (way[1] - way[0]) @ (line[1] - line[0]) == pytest.approx(0, abs=1e-9)  # at right angles to it
        distance = np.linalg.norm(way[1] - way[0])
        assert distance == pytest.approx(max(abs(w[0] + run.X @ w[1:])) / np.hypot(*w[1:]))
        assert f"{distance:.2f}".rstrip("0") in written(ax)
    assert "with x₀ its length is R = 6.79" in plots.alt_text(ax)


# --- chapter 1: a line, its w, and what it can do

LINES = [[-1, 2, -1], [1, -1, 0.3], [0, 1, 1], [2, 0, -1], [-5, -1, 2]]


def shade(ax, label, points):
    """Which of these points are in a region of this name."""
    outlines = [Outline(patch.get_xy()) for patch in ax.patches if patch.get_label() == label and patch.get_visible()]
    return np.any([outline.contains_points(points) for outline in outlines], axis=0)


@pytest.mark.parametrize("w", LINES)
def test_the_normal_is_the_vector_itself_on_the_line_and_at_right_angles_to_it(w):
    ax = plots.normal(w)
    [(start, tip)] = arrows(ax)
    ends = line(ax, "wᵀx = 0")
    assert tip - start == pytest.approx(np.array(w[1:]))
    assert w[0] + np.vstack([start, ends]) @ w[1:] == pytest.approx(0)
    assert (tip - start) @ (ends[1] - ends[0]) == pytest.approx(0)
    assert ax.get_aspect() == 1
    box = np.array([ax.get_xlim(), ax.get_ylim()]).T
    assert ((box[0] < [start, tip, [0, 0]]) & ([start, tip, [0, 0]] < box[1])).all()


@pytest.mark.parametrize("w", LINES)
def test_the_distance_of_the_origin_is_that_to_the_nearest_point_of_the_line(w):
    ax = plots.normal(w)
    one, other = line(ax, "wᵀx = 0")
    along = one + np.linspace(0, 1, 100_001)[:, np.newaxis] * (other - one)
    nearest = np.linalg.norm(along, axis=1).min()
    [text] = [text for text in written(ax) if text.startswith("origin")]
    assert float(text.split("= ")[1]) == pytest.approx(nearest, abs=0.006)


def test_a_factor_leaves_the_line_and_stretches_the_normal_and_a_negative_one_exchanges_the_sides():
    w, factors = np.array([-1, 2, -1]), (1, 2, -1, 0.5)
    panels = plots.multiples(w, factors)
    points = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    for ax, factor in zip(panels.flat, factors, strict=True):
        [(start, tip)] = arrows(ax)
        assert tip - start == pytest.approx(factor * w[1:])
        assert w[0] + line(ax, "wᵀx = 0") @ w[1:] == pytest.approx(0)
        assert np.array_equal(shade(ax, "h(x) = +1", points), predict(factor * w, points) == 1)
    assert [ax.get_title() for ax in panels.flat] == ["w", "2w", "−w", "0.5w"]
    assert "For −w the sides are exchanged" in plots.alt_text(panels)


@pytest.mark.parametrize(
    "points", [[(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 0), (2, 0), (1, 2)], [(0, 0), (1, 1), (2, 2)], [(3, 4)]]
)
def test_the_labellings_that_no_line_makes_are_those_that_no_random_line_makes(points):
    random_w = np.random.default_rng(0).normal(scale=(3, 1, 1), size=(20_000, 3))
    made = {tuple(row) for row in (random_w @ np.insert(points, 0, 1, axis=1).T > 0)}
    ax = plots.labellings(points)
    count = 2 ** len(points)
    assert written(ax).count("no line") == count - len(made)
    assert ax.get_title() == f"a line makes {len(made)} of the {count} labellings"
    assert f"a line makes {len(made)} of them" in plots.alt_text(ax)


def test_each_line_of_the_labellings_makes_the_labelling_that_is_drawn():
    ax = plots.labellings([(0, 0), (1, 0), (0, 1), (1, 1)])
    plus, minus = (np.vstack([xy(each) for each in ax.lines if each.get_marker() == mark]) for mark in "ox")
    assert len(plus) == len(minus) == 32
    for right, wrong, points in (("+1", "−1", plus), ("−1", "+1", minus)):
        assert np.count_nonzero(shade(ax, f"h(x) = {right}", points)) == 28  # all but those of XOR and its opposite
        assert not shade(ax, f"h(x) = {wrong}", points).any()


def test_scores_are_on_their_axis_and_the_mistakes_ringed_for_any_d():
    X, y = np.array([[1.0, 0, 2], [0, 1, 1], [3, 3, 3], [0, 0, 0]]), np.array([1, -1, -1, 1])
    w = np.array([-2.0, 1, 0, 1])  # scores 1, -1, 4, -2
    ax = plots.scores(w, X, y, index=[10, 11, 12, 13])
    assert sorted(map(tuple, line(ax, "y = +1"))) == [(-2, 1), (1, 1)]
    assert sorted(map(tuple, line(ax, "y = −1"))) == [(-1, -1), (4, -1)]
    assert sorted(map(tuple, line(ax, "mistake"))) == [(-2, 1), (4, -1)]
    assert ax.get_title() == "2 of 4 wrong"
    assert {"10", "11", "12", "13"} <= set(written(ax))


def test_the_index_of_an_example_stands_beside_it():
    X, y = running_example()
    ax = plots.hypothesis([-1, 2, -1], X, y, index=range(100, 120))
    ax.figure.draw_without_rendering()
    for number, x in zip(range(100, 120), X, strict=True):
        [text] = [text for text in ax.texts if text.get_text() == str(number)]
        place, point = text.get_window_extent(), ax.transData.transform(x)
        assert 0 < place.x0 - point[0] < 30
        assert place.y0 < point[1] < place.y1


def test_a_neuron_shows_each_weight_and_the_constant():
    ax = plots.neuron([-1.5, -1, 1], ("reports", "income"))
    words = ["x₀ = +1", "w₀ = −1.5", "reports", "w₁ = −1", "income", "w₂ = 1", "wᵀx", "sign", "h(x)"]
    assert written(ax) == words
    assert "reports times -1, income times 1" in plots.alt_text(ax)
    assert "x₃" in written(plots.neuron([0, 1, 2, 3]))


def test_shares_are_those_of_each_value_and_the_last_bar_holds_the_rest():
    ax = plots.shares([0, 0, 0, 0, 1, 1, 2, 7], [1, 1, 1, -1, 1, -1, -1, -1], name="reports", most=2)
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == [0.75, 0.5, 0, 0.25, 0.5, 1]
    assert written(ax) == ["4", "2", "2"]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "1", "2+"]
    assert [tick.get_text() for tick in plots.shares([0, 1], [1, -1]).get_xticklabels()] == ["0", "1"]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.normal([1, 0, 0]), r"w = \(1, 0, 0\) has none: w₁ and w₂ are 0"),
        (lambda: plots.normal([1, 2]), "plots.normal draws the plane"),
        (lambda: plots.multiples([1, 1, 1], (1, 0)), "w₁ and w₂ are 0"),
        (lambda: plots.labellings(np.eye(5, 2)), "at most 4 points, not 5"),
        (lambda: plots.points([[1, 2]], [1], index=[1, 2]), "a number for each example: 1 numbers, not 2"),
        (lambda: plots.neuron([1, 2], ("a", "b")), "names must name each feature: 1 names, not 2"),
    ],
)
def test_a_drawing_of_a_line_that_cannot_be_made_says_why(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.parametrize("data", [tuple(noisy_running_example()), XOR, INSIDE, tuple(noisy(20, noise=0.3, rng=0))])
def test_each_label_of_a_conflict_stands_nearest_to_its_own_example(data):
    X, y = np.array(data[0]), np.array(data[1])
    ax = plots.conflict(X, y)
    ax.figure.canvas.draw()
    places = ax.transData.transform(X)
    for text in ax.texts:
        own, box = int(text.get_text().split(":")[0]), text.get_window_extent()
        away = np.maximum(np.maximum(box.p0 - places, places - box.p1), 0)  # from the label's edge
        distances = np.hypot(*away.T)
        assert distances[own] < np.delete(distances, own).min()


def test_a_walk_that_goes_round_is_drawn_as_its_four_w_in_a_ring_with_an_arrow_to_the_next():
    panels = plots.cycle(CORNERS)
    ring = [panels[0, 0], panels[0, 1], panels[1, 1], panels[1, 0]]  # as a clock goes
    by_hand = ["(0, 0, 0)", "(1, 1, 1)", "(2, 0, 0)", "(1, -1, 1)"]
    for t, (ax, w) in enumerate(zip(ring, by_hand, strict=True)):
        assert ax.get_title() + ax.get_xlabel() == f"t = {t}, {t + 4}, {t + 8}, …\nw = {w}"
        assert np.array_equal(line(ax, "corrected next"), CORNERS.X[[t]])
        assert f"w = {w}, example {t}" in plots.alt_text(panels)
    ways = [(way.axesA, way.axesB) for way in panels[0, 0].figure.artists]
    assert ways == list(zip(ring, [*ring[1:], ring[0]], strict=True))


def test_marks_count_the_examples_at_a_place_and_every_example_counts_once(ax):
    X = np.array([[0, 1], [0, 1], [0, 1], [0, 1], [2, 1]])
    plots.counts([1, -1, 0], X, [1, 1, 1, -1, -1], ax=ax)
    plus, minus = ax.collections
    assert np.array_equal(plus.get_offsets(), [(0, 1)])
    assert np.array_equal(minus.get_offsets(), [(0, 1), (2, 1)])
    assert plus.get_sizes() / minus.get_sizes()[0] == pytest.approx([3])  # three + and one − at (0, 1)
    assert ax.get_title() == "1 of 5 wrong"
    assert "5 points, 3 positive, at 2 places; the line makes 1 mistake." in plots.alt_text(ax)


def test_bars_are_as_long_as_the_rates_and_the_words_give_them(ax):
    table = {"target": (0.3, 0.2), "best line": (0.1, 0.306)}
    plots.rates(table, of=("train", "test"), noise=0.25, ax=ax)
    for bars, rates in zip(ax.containers, zip(*table.values(), strict=True), strict=True):
        assert [bar.get_width() for bar in bars] == pytest.approx(rates)
    assert [text.get_text() for text in ax.get_yticklabels()] == list(table)
    assert ax.lines[0].get_xdata()[0] == 0.25
    assert plots.alt_text(ax) == "Error rates, train and test: target 0.300 and 0.200; best line 0.100 and 0.306."


def test_the_mistakes_of_pla_are_drawn_without_a_pocket_that_it_does_not_have(ax, pocket_run):
    plots.errors(pocket_run, pocket=False, ax=ax)
    assert [each.get_label() for each in ax.lines] == ["$w_t$"]
    assert "pocket" not in plots.alt_text(ax) + ax.get_title()
    low, high = min(pocket_run.errors), max(pocket_run.errors)
    assert ax.get_title() == f"between {low} and {high} of 20 wrong"


def test_steps_may_show_more_of_the_plane_and_the_weights_themselves():
    run = pla([[3, 3], [4, 3], [1, 1]], [1, 1, -1], sign_of_zero=0)
    axes = plots.steps(run, box=BOX, show_w=True)
    titles = [ax.get_title() for ax in axes.flat[:8]]
    assert titles[:2] == ["t = 0: (0, 0, 0)", "t = 1: (1, 3, 3)"]  # by hand: 0 + 1·(1, 3, 3)
    assert titles[7] == "t = 7: (-3, 1, 1)"
    assert (*axes[0, 1].get_xlim(), *axes[0, 1].get_ylim()) == BOX
    np.testing.assert_allclose(line(axes[0, 1], "wᵀx = 0").sum(axis=1), -1 / 3)  # 1 + 3x₁ + 3x₂ = 0


def test_steps_may_show_some_times_only(run):
    axes = plots.steps(run, times=range(3, 8))
    assert [ax.get_title()[:5] for ax in axes.flat] == ["t = 3", "t = 4", "t = 5", "t = 6", "t = 7"]
    for times in ([], [9]):
        with pytest.raises(ValueError, match="times must be some t from 0 to 8"):
            plots.steps(run, times=times)


def test_the_arrow_of_an_update_starts_at_y_w_x_before_it_and_is_as_long_as_the_square_of_x(run):
    ax = plots.rises(run)
    tips = arrows(ax)
    assert len(tips) == 8
    for t, (start, tip) in enumerate(tips):
        x, y = np.append(1, run.X[run.picks[t]]), run.y[run.picks[t]]
        np.testing.assert_allclose(start, [t + 1, y * (run.weights[t] @ x)], atol=1e-12)
        np.testing.assert_allclose(tip - start, [0, x @ x], atol=1e-12)
    assert [tip[1] > 0 for _, tip in tips] == [True] * 5 + [False] + [True] * 2  # example 4 at update 6 stays wrong
    assert "still not positive after update 6." in plots.alt_text(ax)
    assert ax.get_xticklabels()[5].get_text() == "6\n(4)"


def test_a_long_run_names_only_some_updates():
    ax = plots.rises(pla(*separable(50, 1, rng=1), w0=[30, 0]))
    assert ax.get_xlabel() == "update"
    assert ", …; it is" in plots.alt_text(ax)


def test_a_quantity_along_a_run_has_a_dot_for_each_t_and_its_level_says_how_often_it_is_above():
    ax = plots.along([7, 4, 2, 6], "mistakes", level=3, level_name="majority guess")
    np.testing.assert_array_equal(line(ax, "$w_t$"), [[0, 7], [1, 4], [2, 2], [3, 6]])
    np.testing.assert_array_equal(line(ax, "majority guess: 3"), [[0, 3], [3, 3]])
    assert "the least is 2, at t = 2. At 75% of all t it is above" in plots.alt_text(ax)


def test_every_line_of_several_goes_through_points_with_score_zero(run):
    ws = {"one": run, "two": [-1, 2, -1], "none": [1, 0, 0]}
    ax = plots.lines(ws, run.X, run.y)
    for name, w in (("one", run.w), ("two", np.array([-1, 2, -1]))):
        np.testing.assert_allclose(w[0] + line(ax, name) @ w[1:], 0, atol=1e-9)
    assert len(line(ax, "none")) == 0
    assert "two: the line makes no mistakes, w = (-1, 2, -1)" in plots.alt_text(ax)
    assert "none: the hypothesis makes 13 mistakes" in plots.alt_text(ax)  # all that are not among the 7 positive


def test_against_n_the_range_the_middle_half_means_medians_and_the_law_are_where_they_belong():
    ax = plots.against_n({10: [1, 2, 6], 100: [3, 90]}, "updates", law=30)
    bars = {bar.get_label(): [segment.tolist() for segment in bar.get_segments()] for bar in ax.collections}
    assert bars["all runs"] == [[[10, 1], [10, 6]], [[100, 3], [100, 90]]]
    assert bars["the middle half"] == [[[10, 1.5], [10, 4]], [[100, 24.75], [100, 68.25]]]  # quartiles, by hand
    np.testing.assert_allclose(line(ax, "mean"), [[10, 3], [100, 46.5]])
    np.testing.assert_allclose(line(ax, "median"), [[10, 2], [100, 46.5]])
    np.testing.assert_allclose(line(ax, "30/N").prod(axis=1), 30)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert "N = 10: mean 3, median 2, 1 to 6" in plots.alt_text(ax)


def test_each_half_plane_is_green_where_its_example_is_right_and_the_last_where_all_are():
    run = pla([[1.0], [2.0], [3.0], [4.0]], [-1, -1, 1, 1])
    axes = plots.half_spaces(run)
    box = walk._Plane(run).box
    W = walk._pixels(box)
    for n, ax in enumerate(axes.flat[:5]):
        examples = [n] if n < 4 else [0, 1, 2, 3]
        scores = run.y[examples] * (W[:, :1] + W[:, 1:] * run.X[examples, 0])
        np.testing.assert_array_equal(ax.images[0].get_array().ravel() == 0, (scores > 0).all(axis=1))
    for n, ax in enumerate(axes.flat[:4]):
        [(start, tip)] = arrows(ax)
        x = np.array([1, run.X[n, 0]])
        assert start @ x == pytest.approx(0, abs=1e-9)  # on the boundary
        assert run.y[n] * (tip @ x) > 0
    assert not axes.flat[5].axison
    assert "overlap in a wedge" in plots.alt_text(axes)
    assert "have no w in common" in plots.alt_text(plots.half_spaces(pocket([[1.0], [1.0]], [1, -1], max_updates=2)))

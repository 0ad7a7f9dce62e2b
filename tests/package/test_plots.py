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
from matplotlib.colors import to_hex
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
    running_example,
    separate,
)
from plahelpers.datasets import Data, separable
from plahelpers.geometry import box_around
from plahelpers.guarantee import proof_trace, update_bound

BOX = (-2.0, 3.0, -1.0, 4.0)
EXPERIMENT = repeat_pla(*running_example(), runs=200, rng=0)
XOR = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1, -1]
INSIDE = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.5, 0.5]], [-1, -1, -1, 1]
SAME_PLACE = [[1.0, 2.0], [1.0, 2.0]], [1, -1]


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
    return pla([[1.0], [2.0], [3.0], [4.0]], [-1, -1, 1, 1])


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


def shade(ax, label, points):
    """Which of these points are in a region of this name."""
    outlines = [Outline(patch.get_xy()) for patch in ax.patches if patch.get_label() == label]
    return np.any([[False] * len(points), *(outline.contains_points(points) for outline in outlines)], axis=0)


def angle_in_space(u, v):
    return np.degrees(np.arccos(np.clip(u @ v / np.linalg.norm(u) / np.linalg.norm(v), -1, 1)))


# --- examples and lines


def test_positive_points_are_dots_and_negative_ones_crosses_where_x_says():
    X, y = running_example()
    by_mark = {line.get_marker(): line for line in plots.points(X, y).lines}
    for mark, label, color in (("o", 1, look.PLUS), ("x", -1, look.MINUS)):
        assert np.array_equal(xy(by_mark[mark]), X[y == label])
        assert to_hex(by_mark[mark].get_color()).upper() == color


def test_a_picture_shows_the_box_around_its_points_and_axes_of_one_scale_with_the_names_of_the_features():
    X, y = running_example()
    for ax in (plots.points(X, y), plots.hypothesis([-1, 2, -1], X, y)):
        assert (*ax.get_xlim(), *ax.get_ylim()) == box_around(X)
        assert (ax.get_aspect(), ax.get_xlabel()) == (1, "x₁")
    named = plots.points(Data(np.eye(2), np.array([1, -1]), names=("age", "income")))
    assert (named.get_xlabel(), named.get_ylabel()) == ("age", "income")
    unequal = plots.hypothesis([-1, 2, -0.001], X * [1, 1000], y)
    assert (unequal.get_aspect(), arrows(unequal)) == ("auto", [])  # no normal, since it would look slanted


@pytest.mark.parametrize("w", [[-1, 2, -1], [0.5, -1, 0], [99, 1, 1], [4, 0, 0]])
def test_the_shade_at_a_random_point_is_that_of_its_prediction(ax, w):
    plots.perceptron(w, box=BOX, ax=ax)
    points = np.random.default_rng(0).uniform([BOX[0], BOX[2]], [BOX[1], BOX[3]], (500, 2))
    for label, answer in (("h(x) = +1", 1), ("h(x) = −1", -1)):
        assert np.array_equal(shade(ax, label, points), predict(w, points) == answer)


@pytest.mark.parametrize(("zero", "word"), [(-1, "all −1"), (1, "all +1"), (0, "undecided")])
def test_w_zero_has_no_line_and_is_drawn_as_what_sign_of_zero_says(ax, zero, word):
    plots.hypothesis(np.zeros(3), *running_example(), sign_of_zero=zero, ax=ax)
    [words] = written(ax)
    assert word in words
    assert word in plots.alt_text(ax)
    assert arrows(ax) == []
    assert [patch.get_label() for patch in ax.patches] == {-1: ["h(x) = −1"], 1: ["h(x) = +1"], 0: []}[zero]


@pytest.mark.parametrize("w", [[-1, 2, -1], [2, 0, -1]])
def test_the_normal_is_the_vector_itself_from_the_point_of_the_line_nearest_to_the_origin(w):
    ax = plots.perceptron(w)
    [(start, tip)] = arrows(ax)
    one, other = line(ax, "wᵀx = 0")
    assert tip - start == pytest.approx(np.array(w[1:]))
    assert w[0] + start @ w[1:] == pytest.approx(0)
    assert start @ (other - one) == pytest.approx(0)  # so no point of the line is nearer to the origin
    assert ax.get_aspect() == 1
    assert f"the distance {np.hypot(*start):.2f}".rstrip("0").rstrip(".") in plots.alt_text(ax)
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    assert ((low < [tip, [0, 0]]) & ([tip, [0, 0]] < high)).all()


@pytest.mark.parametrize("zero", [-1, 0])
def test_rings_are_exactly_at_the_mistakes_and_the_title_and_the_words_count_them(run, zero):
    for w in run.weights[[0, 3, 6, 8]]:
        ax = plots.hypothesis(w, run.X, run.y, sign_of_zero=zero)
        wrong = mistakes(w, run.X, run.y, sign_of_zero=zero)
        assert np.array_equal(line(ax, "mistake"), run.X[wrong])
        assert ax.get_title() == f"{len(wrong)} of 20 wrong"
        assert f"makes {len(wrong) or 'no'} mistake{'s' * (len(wrong) != 1)}" in plots.alt_text(ax)


def test_the_words_of_a_hypothesis_give_its_numbers_and_tell_on_which_side_plus_is():
    X, y = running_example()
    ax = plots.hypothesis([-1, 2, -1], X, np.where(np.isin(np.arange(20), [3, 9]), -y, y))
    assert plots.alt_text(ax).startswith("20 points, 9 positive; the line makes 2 mistakes: examples 3, 9. ")
    many = plots.alt_text(plots.hypothesis([-9, 0, 0], X, np.ones(20, int)))
    assert "the hypothesis makes 20 mistakes: examples 0, 1, 2, 3, 4, 5, 6, 7 and 12 more." in many
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


def test_the_index_of_an_example_stands_beside_it_on_the_side_away_from_the_line():
    X, y, w = *running_example(), np.array([-1, 2, -1])
    ax = plots.hypothesis(w, X, y, index=range(100, 120))
    ax.figure.draw_without_rendering()
    for number, x in zip(range(100, 120), X, strict=True):
        [text] = [text for text in ax.texts if text.get_text() == str(number)]
        place = ax.transData.inverted().transform(text.get_window_extent().get_points().mean(axis=0))
        assert (place - x) @ w[1:] * predict(w, x) > 0
        assert np.hypot(*place - x) < 0.1 * np.ptp(ax.get_xlim())


@pytest.mark.parametrize("data", [tuple(noisy_running_example()), INSIDE, SAME_PLACE])
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
    plus, minus = (", ".join(map(str, certificate.examples[labels == label])) for label in (1, -1))
    assert f"positive ones ({plus}) meets that of the negative ones ({minus}) at (" in plots.alt_text(ax)


def test_every_line_of_several_goes_through_points_with_score_zero(run):
    ax = plots.lines({"one": run, "two": [-1, 2, -1], "none": [1, 0, 0]}, run.X, run.y)
    for name, w in (("one", run.w), ("two", np.array([-1, 2, -1]))):
        np.testing.assert_allclose(w[0] + line(ax, name) @ w[1:], 0, atol=1e-9)
    assert len(line(ax, "none")) == 0
    assert "two: the line makes no mistakes, w = (-1, 2, -1)" in plots.alt_text(ax)
    assert "none: the hypothesis makes 13 mistakes" in plots.alt_text(ax)  # all that are not among the 7 positive


def test_all_labellings_but_xor_and_its_opposite_have_a_line_that_makes_them():
    ax = plots.labellings(XOR[0])
    assert written(ax) == ["no line", "no line"]
    assert "a line makes 14 of them, but not (−, −, +, +) and (+, +, −, −)" in plots.alt_text(ax)
    plus, minus = (np.vstack([xy(each) for each in ax.lines if each.get_marker() == mark]) for mark in "ox")
    assert len(plus) == len(minus) == 32
    for right, wrong, points in (("+1", "−1", plus), ("−1", "+1", minus)):
        assert np.count_nonzero(shade(ax, f"h(x) = {right}", points)) == 28  # all but those of the two
        assert not shade(ax, f"h(x) = {wrong}", points).any()


# --- a run


@pytest.mark.parametrize(("data", "eta"), [(running_example(), 1.0), (separable(30, 5, rng=0), 0.25)])
def test_the_arrows_and_arcs_of_an_update_have_the_lengths_and_angles_of_the_vectors_themselves(data, eta):
    run = pla(*data, eta=eta)
    for t in range(1, 4):
        ax = plots.update(run, t)
        n, x = run.picks[t], np.append(1, run.X[run.picks[t]])
        vectors = np.array([x, eta * run.y[n] * x, run.weights[t], run.weights[t + 1]])
        if eta == run.y[n] == 1:
            vectors = vectors[1:]  # then y·x is x
        starts, tips = np.array(arrows(ax)).swapaxes(0, 1)
        assert not starts.any()
        assert np.allclose(tips @ tips.T, vectors @ vectors.T)
        assert ax.get_aspect() == 1
        angles = [angle_in_space(w, x) for w in run.weights[t : t + 2]]
        arcs = [patch for patch in ax.patches if isinstance(patch, Arc)]
        assert [arc.theta2 - arc.theta1 for arc in arcs] == pytest.approx(angles)
        before, after = (f"{angle:.0f}°" for angle in angles)
        assert written(ax)[-2:] == [before, after]
        assert f"is {before} before it and {after} after it" in plots.alt_text(ax)


def test_the_first_update_starts_without_an_angle_and_one_may_end_at_zero(run):
    first = plots.update(run, 0)
    assert "is undefined (w is 0) before it and 0° after it" in plots.alt_text(first)
    assert "w₁ = y·x" in written(first)
    back = plots.update(pocket(*SAME_PLACE, order="cyclic", max_updates=2, sign_of_zero=0), 1)
    assert "0° before it and undefined (w is 0) after it" in plots.alt_text(back)
    back.figure.canvas.draw()


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
    ax.figure.draw_without_rendering()
    assert "6\n(4)" in [tick.get_text() for tick in ax.get_xticklabels()]


def test_a_run_has_a_panel_for_each_w_or_the_first_and_the_last_with_the_next_pick_marked(run, pocket_run):
    for each, times in ((run, range(9)), (pocket_run, [*range(8), 40])):
        axes = plots.steps(each)
        for t, ax in zip(times, axes.flat, strict=True):
            assert ax.get_title() == f"t = {t}: {each.errors[t]} wrong"
            assert np.array_equal(line(ax, "corrected next"), each.X[each.picks[t : t + 1]])
            assert f"{f'w_{t}' if t else 'the start'} makes" in plots.alt_text(ax)
        assert ax.figure.get_figwidth() <= look.FIGURE_SIZE[0]
        assert len({plots.alt_text(ax) for ax in [axes, ax.figure, *axes.flat]}) == 1


def test_steps_may_show_some_times_more_of_the_plane_and_the_weights_themselves():
    run = pla([[3, 3], [4, 3], [1, 1]], [1, 1, -1], sign_of_zero=0)
    axes = plots.steps(run, times=[0, 1, 6, 7], box=BOX, show_w=True)
    titles = [ax.get_title() for ax in axes.flat]
    assert titles[:2] == ["t = 0: (0, 0, 0)", "t = 1: (1, 3, 3)"]  # by hand: 0 + 1·(1, 3, 3)
    assert titles[3] == "t = 7: (-3, 1, 1)"
    assert (*axes[0, 1].get_xlim(), *axes[0, 1].get_ylim()) == BOX
    np.testing.assert_allclose(line(axes[0, 1], "wᵀx = 0").sum(axis=1), -1 / 3)  # 1 + 3x₁ + 3x₂ = 0
    assert [ax.axison for ax in plots.steps(run, times=range(5)).flat] == [True] * 5 + [False]


def test_the_curves_of_errors_are_those_of_the_run(ax, pocket_run):
    plots.errors(pocket_run, levels={"best line": best_line(*noisy_running_example()).mistakes}, ax=ax)
    assert np.array_equal(line(ax, "$w_t$"), np.column_stack([np.arange(41), pocket_run.errors]))
    assert np.array_equal(line(ax, "pocket"), np.column_stack([np.arange(41), pocket_run.pocket_errors]))
    assert np.array_equal(line(ax, "best line"), [(0, 2), (40, 2)])
    kept = f"the pocket ends with {pocket_run.mistakes_left}, found at update {pocket_run.best_at}."
    assert f"{kept} The level best line is 2; w_t makes more at 100% of all t." in plots.alt_text(ax)


def test_the_mistakes_of_pla_may_be_drawn_up_to_some_update_and_without_a_pocket_that_it_does_not_have(ax, run):
    plots.errors(run, pocket=False, until=3, ax=ax)
    assert line(ax, "$w_t$")[:, 1].tolist() == [7, 4, 2, 6]
    assert [each.get_label() for each in ax.lines] == ["$w_t$"]
    assert "pocket" not in plots.alt_text(ax) + ax.get_title()
    assert ax.get_title() == "between 2 and 7 of 20 wrong"


def test_weight_space_shows_each_boundary_the_walk_and_in_its_shade_the_mistakes_of_the_w_there(one_feature):
    ax = plots.weight_space(one_feature)
    assert np.array_equal(line(ax, "walk of $w_t$"), one_feature.weights)
    for boundary, x in zip(ax.lines, one_feature.X[:, 0], strict=False):
        np.testing.assert_allclose(xy(boundary) @ [1, x], 0, atol=1e-9)
    [shades] = ax.images
    counts, (left, right, bottom, top) = shades.get_array(), shades.get_extent()
    for row, column in np.random.default_rng(0).integers(len(counts), size=(200, 2)):
        share = (np.array([column, row]) + 0.5) / len(counts)
        w = [left, bottom] + share * [right - left, top - bottom]
        assert counts[row, column] == len(mistakes(w, one_feature.X, one_feature.y))
    assert "region without mistakes at update 19" in plots.alt_text(ax)


def test_before_the_walk_each_example_has_an_arrow_from_its_boundary_to_its_good_side(one_feature):
    ax = plots.weight_space(one_feature, t=0)
    for (start, tip), x, y in zip(arrows(ax), one_feature.X[:, 0], one_feature.y, strict=True):
        assert start @ [1, x] == pytest.approx(0, abs=1e-9)
        assert np.allclose((tip - start) / (tip - start)[0], [1, x])  # along x = (1, x₁)
        assert y * (tip @ [1, x]) > 0
    assert "and the start, which makes 2 mistakes" in plots.alt_text(ax)


def test_runs_without_updates_can_be_drawn_all_the_same():
    nothing = pla([[1.0, 1.0]], [-1])
    assert plots.steps(nothing).size == 1
    plots.weight_space(pla([[1.0]], [-1])).figure.canvas.draw()
    words = plots.alt_text(plots.proof(proof_trace(nothing, [-1, 0, 0]), of="cosine"))
    assert words == "No update was made, so there is nothing to bound."
    alike = repeat_pla(nothing.X, nothing.y, runs=5, rng=0)
    assert plots.histogram(alike).patches[0].get_data()[0].tolist() == [5]


# --- the proof


@pytest.mark.parametrize("of", ["inner", "norm_squared", "cosine"])
def test_a_quantity_of_the_proof_is_that_of_the_trace_and_never_in_the_shade_of_the_impossible(run, of):
    trace = proof_trace(run, running_example().w_f)
    ax = plots.proof(trace, of=of)
    curve, limit = line(ax, "measured"), line(ax, "bound")
    assert np.array_equal(curve, np.column_stack([trace.t, getattr(trace, of)]), equal_nan=True)
    assert np.array_equal(limit, np.column_stack([trace.t, getattr(trace, f"{of}_bound")]))
    beyond = Outline(patch(ax, "impossible").get_xy())
    assert not beyond.contains_points(curve[1:-1], radius=-1e-9).any()  # the first and last lie on the shade's edge
    assert beyond.contains_point(limit[4] + np.array([0, 1 if of == "norm_squared" else -0.01]))
    assert f", {curve[-1, 1]:.2f}".rstrip("0") + ". It is never" in plots.alt_text(ax)


def test_the_bounds_of_the_race_meet_where_the_run_has_halted_and_what_was_measured_lies_between_them(run):
    ax = plots.proof(best_trace(run))
    whole, part = line(ax, "R√t"), line(ax, "ρt")
    assert whole[:, 1] == pytest.approx(np.sqrt(46.0654 * whole[:, 0]), rel=1e-5)  # R², as published
    assert part[:, 1] == pytest.approx(0.583910 * part[:, 0], rel=1e-5)  # and ρ
    meeting = line(ax, "R²/ρ²")
    assert meeting[:, 0] == pytest.approx(135.1, abs=0.02)
    lengths, along = line(ax, "whole, measured"), line(ax, "part, measured")
    assert lengths[:, 1] == pytest.approx(np.linalg.norm(run.weights, axis=1))
    assert along[:, 1] == pytest.approx(run.weights @ separate(run.X, run.y).w_f)
    assert ax.get_title() == "T = 8 ≤ R²/ρ² = 135.11"
    assert "meets it at t = R²/ρ² = 135.11" in plots.alt_text(ax)


def test_the_hull_of_one_feature_has_its_nearest_point_at_the_largest_margin_of_all_directions():
    run = pla(*separable(8, 1, low=-3, high=3, rng=4))
    ax = plots.hull(run)
    Z = run.y[:, np.newaxis] * np.column_stack([np.ones(run.N), run.X])
    corners = patch(ax, "convex hull").get_xy()
    assert {tuple(corner) for corner in corners} <= {tuple(z) for z in Z}
    angles = np.linspace(0, 2 * np.pi, 100_001)  # of each direction the smallest inner product with the y·x
    margins = (np.column_stack([np.cos(angles), np.sin(angles)]) @ Z.T).min(axis=1)
    [nearest] = line(ax, "nearest point")
    assert np.hypot(*nearest) == pytest.approx(margins.max(), rel=1e-3)
    assert np.arctan2(*nearest[::-1]) % (2 * np.pi) == pytest.approx(angles[margins.argmax()], abs=1e-3)
    assert f"at distance ρ = {np.hypot(*nearest):.2f}" in plots.alt_text(ax)


def test_an_update_in_the_plane_of_the_hull_is_that_of_the_run_with_its_two_angles():
    run = pla([[2.0], [0.5], [-1.0]], [1, -1, -1])
    w_f, zero = separate(run.X, run.y).w_f, np.zeros(2)
    for t in range(1, run.updates):
        ax = plots.hull(run, t)
        w, after = run.weights[t : t + 2]
        assert np.array_equal(arrows(ax), [(zero, w_f), (zero, after - w), (zero, after), (zero, w), (w, after)])
        angles = [angle_in_space(w, after - w), angle_in_space(after, w_f)]
        arcs = [patch for patch in ax.patches if isinstance(patch, Arc)]
        assert [arc.theta2 - arc.theta1 for arc in arcs] == pytest.approx(angles)
        assert f"Update {t + 1} adds y·x of example {run.picks[t]}" in plots.alt_text(ax)
    assert len(arrows(plots.hull(run, 0))) == 3  # w = 0 is not drawn


# --- many runs, bars and diagrams


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


def test_bars_are_as_long_as_the_rates_and_the_words_give_them(ax):
    table = {"target": (0.3, 0.2), "best line": (0.1, 0.306)}
    plots.rates(table, of=("train", "test"), noise=0.25, ax=ax)
    for bars, rates in zip(ax.containers, zip(*table.values(), strict=True), strict=True):
        assert [bar.get_width() for bar in bars] == pytest.approx(rates)
    assert [text.get_text() for text in ax.get_yticklabels()] == list(table)
    assert ax.lines[0].get_xdata()[0] == 0.25
    assert plots.alt_text(ax) == "Error rates, train and test: target 0.300 and 0.200; best line 0.100 and 0.306."


def test_shares_are_those_of_each_value_and_the_last_bar_holds_the_rest():
    ax = plots.shares([0, 0, 0, 0, 1, 1, 2, 7], [1, 1, 1, -1, 1, -1, -1, -1], name="reports", most=2)
    assert [bar.get_height() for bar in ax.patches] == [0.75, 0.5, 0, 0.25, 0.5, 1]
    assert written(ax) == ["4", "2", "2"]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "1", "2+"]
    assert "75% of 4 at 0, 50% of 2 at 1, 0% of 2 at 2+" in plots.alt_text(ax)


def test_the_learning_picture_names_its_five_parts_and_on_request_that_the_labels_are_noisy():
    plain, noisy = plots.learning_picture(), plots.learning_picture(noise=True)
    assert {"target f", "examples D", "hypothesis set H", "algorithm A", "final g ≈ f"} <= {*written(plain)}
    added = set(written(noisy)) - set(written(plain))
    assert ["noise" in text for text in added] == [True]
    assert "noise" not in plots.alt_text(plain)
    assert "noise changes some of their labels" in plots.alt_text(noisy)


def test_a_neuron_shows_each_weight_and_the_constant():
    ax = plots.neuron([-1.5, -1, 1], ("reports", "income"))
    words = ["x₀ = +1", "w₀ = −1.5", "reports", "w₁ = −1", "income", "w₂ = 1", "wᵀx", "sign", "h(x)"]
    assert written(ax) == words
    assert "reports times -1, income times 1" in plots.alt_text(ax)
    assert "x₃" in written(plots.neuron([0, 1, 2, 3]))


# --- what all pictures share

PICTURES = {
    "against_n": lambda _run, ax: plots.against_n({10: [1, 2], 100: [3, 90]}, "updates", law=30, ax=ax),
    "conflict": lambda _run, ax: plots.conflict(*XOR, ax=ax),
    "errors": lambda run, ax: plots.errors(run, ax=ax),
    "histogram": lambda _run, ax: plots.histogram(EXPERIMENT, ax=ax),
    "hull": lambda _run, ax: plots.hull(pla([[2.0], [0.5]], [1, -1]), 1, ax=ax),
    "hypothesis": lambda run, ax: plots.hypothesis(run, ax=ax),
    "labellings": lambda _run, ax: plots.labellings(XOR[0], ax=ax),
    "learning_picture": lambda _run, ax: plots.learning_picture(ax=ax),
    "lines": lambda run, ax: plots.lines({"PLA": run, "target": [-1, 2, -1]}, run.X, run.y, ax=ax),
    "neuron": lambda run, ax: plots.neuron(run, ax=ax),
    "perceptron": lambda run, ax: plots.perceptron(run, ax=ax),
    "points": lambda run, ax: plots.points(run.X, run.y, ax=ax),
    "proof": lambda run, ax: plots.proof(best_trace(run), ax=ax),
    "rates": lambda _run, ax: plots.rates({"target": (0.3, 0.2)}, noise=0.2, ax=ax),
    "rises": lambda run, ax: plots.rises(run, ax=ax),
    "shares": lambda run, ax: plots.shares(run.picks, run.y[run.picks], ax=ax),
    "update": lambda run, ax: plots.update(run, 2, ax=ax),
    "weight_space": lambda _run, ax: plots.weight_space(pla([[2.0], [0.5]], [1, -1]), ax=ax),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_drawn_on_the_axes_given_or_on_its_own_with_words_large_enough_for_the_back_row(name, run, ax):
    opened = plt.get_fignums()
    assert PICTURES[name](run, ax) is ax
    assert plt.get_fignums() == opened
    own = PICTURES[name](run, None)
    assert len(plt.get_fignums()) == len(opened) + 1
    assert plots.alt_text(own) == plots.alt_text(own.figure) == plots.alt_text(ax) != ""
    assert own.figure.get_figwidth() <= look.FIGURE_SIZE[0]  # so that a phone shows them all with letters of one size
    own.figure.canvas.draw()
    assert min(text.get_fontsize() for text in own.findobj(mpl.text.Text) if text.get_text()) >= look.FONT_SIZE - 2


def test_every_public_picture_is_tried_here():
    assert {*plots.__all__} == {*PICTURES, "steps", "alt_text", "style"}


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


def of_dimension(d):
    return pla(*separable(10, d, rng=0))


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda run: plots.points(run.X), "y is missing"),
        (lambda _: plots.points([[1, 2]], [1], index=[1, 2]), "a number for each example: 1 numbers, not 2"),
        (lambda _: plots.steps(of_dimension(1)), r"plots.steps draws the plane.*d = 1.*plots\.weight_space\(run\)"),
        (lambda _: plots.hypothesis(of_dimension(3)), r"d = 3.*plots\.update\(run, t\), plots\.errors"),
        (lambda _: plots.perceptron([0, 1, 1], box=(0, 1, 2)), "box must be four numbers"),
        (lambda _: plots.perceptron([0, 1, 1], ax=3), "an Axes or None, not int"),
        (lambda run: plots.conflict(run.X, run.y), "these data are separable"),
        (lambda _: plots.labellings(np.eye(5, 2)), "at most 4 points, not 5"),
        (lambda run: plots.lines({}, run.X, run.y), "one to 4 lines, not 0"),
        (lambda _: plots.neuron([1, 2], ("a", "b")), "names must name each feature: 1 names, not 2"),
        (lambda _: plots.update("run", 0), "plots.update draws a run"),
        (lambda run: plots.update(run, 8), "made 8 updates: t must be below 8"),
        (lambda _: plots.rises(pla([[1.0, 1.0]], [-1])), "made no updates: there is none to draw"),
        (lambda run: plots.steps(run, times=[9]), "times must be some t from 0 to 8"),
        (lambda run: plots.errors(run, levels={"best line": -1}), "best line must be a number from 0 to 20"),
        (lambda run: plots.errors(pla(run.X, run.y, keep_path=False)), "keep_path=True"),
        (lambda _: plots.weight_space(pla([[1.0]], [1]), t=2), "t must be at most 1, not 2"),
        (plots.weight_space, r"this run has d = 2.*plots\.errors\(run\)"),
        (plots.proof, r"give proof_trace\(run, w_f\)"),
        (lambda run: plots.proof(best_trace(pla(run.X, run.y, eta=2.0))), "from the start w = 0 with η = 1"),
        (plots.hull, r"one feature; this run has d = 2. plots\.proof"),
        (lambda _: plots.hull(pocket([[1.0], [1.0]], [1, -1], max_updates=3)), "no margin to draw: Not linearly"),
        (plots.histogram, "give what repeat_pla or repeat_pocket returned"),
        (lambda _: plots.against_n({10: [0.5, 0.0]}, "share"), "all of them positive"),
        (lambda _: plots.rates({"target": (0.3,)}), "two numbers for each name"),
        (plots.alt_text, "takes an Axes or a Figure, not Run"),
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


@pytest.mark.slow
def test_a_notebook_stores_pictures_with_their_words_as_the_only_output_and_the_same_bytes_for_the_same_picture():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells:
        if cell.source.endswith(";"):
            assert [output.output_type for output in cell.outputs] == ["display_data"]
    pictures = [
        next(output for output in cell.outputs if "image/png" in output.get("data", {})) for cell in notebook.cells
    ]
    assert pictures[0].data["image/png"] == pictures[1].data["image/png"]
    for picture in (output for output in pictures if "alt" in output.metadata.get("image/png", {})):
        image, shown = Image.open(BytesIO(b64decode(picture.data["image/png"]))), picture.metadata["image/png"]
        assert (shown["width"], shown["height"]) == (image.width // 2, image.height // 2)
    first = "20 points, 7 positive; the line makes 2 mistakes: examples"
    both = "Panel 1: 20 points, 7 positive. Panel 2: Mistakes on 20 examples along 8 updates"
    texts = [picture.metadata.get("image/png", {}).get("alt", "") for picture in pictures]
    starts = [first, first, both, "Update 3 adds y·x of example 9", "", *3 * ["Mistakes on 20 examples"]]
    assert [text[: len(start)] for text, start in zip(texts, starts, strict=True)] == starts
    assert texts[4] == ""  # a picture that is not ours
    assert notebook.cells[-1].outputs[0].text == "0\n"


def test_outside_ipython_nothing_is_registered_or_imported():
    program = (
        "import sys, matplotlib; matplotlib.use('agg'); from plahelpers import plots; "
        "plots.learning_picture(); sys.exit('IPython' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=120).returncode == 0

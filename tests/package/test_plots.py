"""The pictures show what is the case: every artist is where the numbers say, and the words say the same."""

import matplotlib as mpl

mpl.use("agg")

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import same_color, to_hex
from matplotlib.patches import Arc, FancyArrowPatch
from matplotlib.path import Path as Outline

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
from plahelpers.guarantee import update_bound
from tests.collisions import collisions, xy

EXPERIMENT = repeat_pla(*running_example(), runs=200, rng=0)
XOR = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1, -1]
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


def boundary(ax):
    """Where the line of w goes."""
    return xy(next(line for line in ax.lines if line.get_color() == look.W))


def shade(ax, color, points):
    """Which of these points are in a region of this colour."""
    outlines = [Outline(patch.get_xy()) for patch in ax.patches if same_color(patch.get_facecolor(), color)]
    return np.any([[False] * len(points), *(outline.contains_points(points) for outline in outlines)], axis=0)


def angle_in_space(u, v):
    return np.degrees(np.arccos(np.clip(u @ v / np.linalg.norm(u) / np.linalg.norm(v), -1, 1)))


# --- examples and lines


def test_positive_points_are_dots_and_negative_ones_crosses_where_x_says_on_axes_with_the_names_of_the_features():
    X, y = running_example()
    ax = plots.points(Data(X, y, names=("age", "income")))
    assert np.array_equal(line(ax, "+1"), X[y == 1])
    assert np.array_equal(line(ax, "−1"), X[y == -1])
    assert [each.get_marker() for each in ax.lines] == ["o", "x"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("age", "income")


@pytest.mark.parametrize("w", [[-1, 2, -1], [0.5, -1, 0], [99, 1, 1], [4, 0, 0]])
def test_the_shade_at_a_random_point_is_that_of_its_prediction(ax, w):
    X, y = running_example()
    plots.hypothesis(w, X, y, ax=ax)
    points = np.random.default_rng(0).uniform(-5, 5, (500, 2))
    for color, answer in ((look.PLUS_REGION, 1), (look.MINUS_REGION, -1)):
        assert np.array_equal(shade(ax, color, points), predict(w, points) == answer)


@pytest.mark.parametrize(("zero", "word"), [(-1, "all −1"), (1, "all +1"), (0, "undecided")])
def test_w_zero_has_no_line_and_is_drawn_as_what_sign_of_zero_says(ax, zero, word):
    plots.hypothesis(pocket(*running_example(), sign_of_zero=zero, max_updates=0), ax=ax)
    assert word in ax.get_title()
    assert word in plots.alt_text(ax)
    assert arrows(ax) == []
    regions = {-1: [look.MINUS_REGION], 1: [look.PLUS_REGION], 0: []}[zero]
    assert [to_hex(patch.get_facecolor()).upper() for patch in ax.patches] == regions


@pytest.mark.parametrize("w", [[-1, 2, -1], [2, 0, -1]])
def test_the_normal_is_the_vector_itself_from_the_point_of_the_line_nearest_to_the_origin(w):
    ax = plots.perceptron(w)
    [(start, tip)] = arrows(ax)
    one, other = boundary(ax)
    assert tip - start == pytest.approx(np.array(w[1:]))
    assert w[0] + start @ w[1:] == pytest.approx(0)
    assert start @ (other - one) == pytest.approx(0)  # so no point of the line is nearer to the origin
    assert ax.get_aspect() == 1
    assert f"the distance {np.hypot(*start):.2f}".rstrip("0").rstrip(".") in plots.alt_text(ax)
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    assert ((low < [tip, [0, 0]]) & ([tip, [0, 0]] < high)).all()


def test_rings_are_exactly_at_the_mistakes_and_the_legend_and_the_words_count_them(run):
    for w in run.weights[[0, 3, 8]]:
        ax, wrong = plots.hypothesis(w, run.X, run.y), mistakes(w, run.X, run.y)
        assert np.array_equal(line(ax, f"{len(wrong)} of 20 wrong"), run.X[wrong])
        words = f"20 points, 7 positive; the {'line' if w.any() else 'hypothesis'} makes {len(wrong) or 'no'} mistake"
        assert plots.alt_text(ax).startswith(words)


def test_the_target_is_dashed_and_named_f_in_place_of_the_line_of_w_where_w_is_the_target(run):
    for w, others in ((run, 1), ([-1, 2, -1], 0)):
        ax = plots.hypothesis(w, run.X, run.y, target=[-1, 2, -1])
        solid = [each for each in ax.lines if each.get_color() == look.W and each.get_linestyle() == "-"]
        [dashed] = [each for each in ax.lines if each.get_linestyle() == "--"]
        np.testing.assert_allclose(-1 + xy(dashed) @ [2, -1], 0, atol=1e-9)
        assert (dashed.get_color(), len(solid), len(arrows(ax))) == (look.INK, others, others)
        assert "$f$" in written(ax)
        assert "Dashed, the target f. The line of w = (-1, 2, -1): + is right of it." in plots.alt_text(ax)
        assert list(collisions(ax.figure)) == []
    assert "f is outside the picture" in plots.alt_text(plots.hypothesis(run, target=[99, 1, 1]))


def test_the_index_of_each_example_is_written_at_its_place_and_names_the_mistakes_in_the_words(run):
    w, wrong = run.weights[3], mistakes(run.weights[3], run.X, run.y)
    ax = plots.hypothesis(w, run.X, run.y, index=range(100, 120))
    assert {text.get_text(): tuple(text.xy) for text in ax.texts if text.get_text() != "$w$"} == {
        str(number): tuple(x) for number, x in enumerate(run.X, 100)
    }
    for index, numbers in ((range(100, 120), 100 + wrong), (None, wrong)):
        words = plots.alt_text(plots.hypothesis(w, run.X, run.y, index=index))
        assert f"6 mistakes: examples {', '.join(map(str, numbers))}. The" in words


@pytest.mark.parametrize("data", [tuple(noisy_running_example()), SAME_PLACE])
def test_a_conflict_is_drawn_at_its_examples_and_its_hulls_meet_where_the_mark_is(data):
    X, y = np.array(data[0]), np.array(data[1])
    examples, weights = separate(X, y).conflict.examples, separate(X, y).conflict.weights
    ax = plots.conflict(X, y)
    assert np.array_equal([text.xy for text in ax.texts], X[examples])
    [meeting] = line(ax, "where they cross")
    for label, hull in zip((1, -1), ax.patches, strict=True):
        part, a = X[examples][y[examples] == label], weights[y[examples] == label]
        assert {tuple(corner) for corner in hull.get_xy()} == {tuple(point) for point in part}
        assert a @ part / a.sum() == pytest.approx(meeting)  # a mixture of this hull's corners
    shares = [sum(weights[y[examples] == y[n]]) for n in examples]  # a_n as a share of those with its label
    assert written(ax) == [f"{100 * a / s:.0f} % of {n}" for n, a, s in zip(examples, weights, shares, strict=True)]
    assert f"No line is right about examples {', '.join(map(str, examples))}: the hull" in plots.alt_text(ax)


def test_every_line_of_several_goes_through_points_with_score_zero(run):
    ax = plots.lines({"one": run, "two": [-1, 2, -1], "none": [1, 0, 0]}, run.X, run.y)
    for name, w in (("one", run.w), ("two", np.array([-1, 2, -1]))):
        np.testing.assert_allclose(w[0] + line(ax, name) @ w[1:], 0, atol=1e-9)
    assert len(line(ax, "none")) == 0
    assert "two: the line makes no mistakes, w = (-1, 2, -1)" in plots.alt_text(ax)
    assert "none: the hypothesis makes 13 mistakes" in plots.alt_text(ax)  # all that are not among the 7 positive


def test_all_labellings_but_xor_and_its_opposite_have_a_line_that_makes_them():
    panels = plots.labellings(XOR[0])
    assert [words for ax in panels.flat for words in written(ax)] == ["no line", "no line"]
    assert "a line makes 14 of them" in plots.alt_text(panels)
    assert [line(ax, "+1").tolist() for ax in panels.flat if written(ax)] == [XOR[0][2:], XOR[0][:2]]
    for ax in (ax for ax in panels.flat if not written(ax)):
        assert shade(ax, look.PLUS_REGION, line(ax, "+1")).all()
        assert shade(ax, look.MINUS_REGION, line(ax, "−1")).all()


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


def test_the_arrow_of_an_update_starts_at_y_w_x_before_it_and_is_as_long_as_the_square_of_x(run):
    ax = plots.rises(run)
    for t, (start, tip) in enumerate(arrows(ax)):
        x, y = np.append(1, run.X[run.picks[t]]), run.y[run.picks[t]]
        np.testing.assert_allclose(start, [t + 1, y * (run.weights[t] @ x)], atol=1e-12)
        np.testing.assert_allclose(tip - start, [0, x @ x], atol=1e-12)
    assert "each of 8 updates: 0 to 7.36, " in plots.alt_text(ax)
    assert "still not positive after update 6." in plots.alt_text(ax)  # which corrects example 4
    ax.figure.draw_without_rendering()
    assert "6\n(4)" in [tick.get_text() for tick in ax.get_xticklabels()]


def test_a_run_has_a_panel_for_each_w_or_the_first_and_the_last_with_the_next_pick_marked(run, pocket_run):
    for each, times in ((run, range(9)), (pocket_run, [*range(8), 40])):
        axes = plots.steps(each)
        for t, ax in zip(times, axes.flat, strict=True):
            assert ax.get_title() == f"$t = {t}$: {each.errors[t]} wrong"
            assert np.array_equal(line(ax, "corrected next"), each.X[each.picks[t : t + 1]])
            assert f"{f'w_{t}' if t else 'the start'} makes" in plots.alt_text(ax)
        assert ax.figure.get_figwidth() <= look.FIGURE_SIZE[0]
        assert len({plots.alt_text(ax) for ax in [axes, ax.figure, *axes.flat]}) == 1


def test_the_curves_of_errors_are_those_of_the_run(ax, pocket_run):
    plots.errors(pocket_run, levels={"best line": best_line(*noisy_running_example()).mistakes}, ax=ax)
    assert np.array_equal(line(ax, "walk"), np.column_stack([np.arange(41), pocket_run.errors]))
    assert np.array_equal(line(ax, "pocket"), np.column_stack([np.arange(41), pocket_run.pocket_errors]))
    assert np.array_equal(line(ax, "best line"), [(0, 2), (40, 2)])
    assert plots.errors(pocket_run, pocket=False, until=3).lines[0].get_ydata().tolist() == [*pocket_run.errors[:4]]
    kept = f"the pocket ends with {pocket_run.mistakes_left}, found at update {pocket_run.best_at}."
    assert f"{kept} The level best line is 2; w_t makes more at 100% of all t." in plots.alt_text(ax)


def test_weight_space_shows_boundaries_the_walk_and_by_its_shade_the_mistakes_of_each_w():
    run = pla([[1.0], [2.0], [3.0], [4.0]], [-1, -1, 1, 1])
    ax = plots.weight_space(run)
    assert np.array_equal(boundary(ax), run.weights)
    for edge, x in zip(ax.lines[: run.N], run.X[:, 0], strict=True):
        np.testing.assert_allclose(xy(edge) @ np.array([1, x]), 0, atol=1e-9)
    counts, (left, right, bottom, top) = ax.images[0].get_array(), ax.images[0].get_extent()
    for row, column in np.random.default_rng(0).integers(len(counts), size=(200, 2)):
        w = [left, bottom] + (np.array([column, row]) + 0.5) / len(counts) * [right - left, top - bottom]
        assert counts[row, column] == len(mistakes(w, run.X, run.y))
    assert "region without mistakes at update 19" in plots.alt_text(ax)


# --- the proof


def test_the_hull_has_the_steps_as_corners_and_its_nearest_point_at_the_distance_of_the_margin():
    run = pla([[2.0], [0.5], [-1.0]], [1, -1, -1])
    answer, ax = separate(run.X, run.y), plots.hull(run)
    assert np.array_equal(arrows(ax), [(np.zeros(2), answer.w_f)])
    corners = {tuple(corner) for corner in patch(ax, "convex hull").get_xy()}
    assert corners == {(1, 2), (-1, -0.5), (-1, 1)}  # the y·x
    [nearest] = line(ax, "nearest point")
    assert nearest == pytest.approx(answer.rho * answer.w_f)
    assert f"at distance ρ = {np.hypot(*nearest):.2f}" in plots.alt_text(ax)


# --- many runs, bars and diagrams


def test_the_bars_count_the_runs_and_the_bound_is_drawn_where_it_is():
    bound, updates = update_bound(*running_example()), EXPERIMENT.updates
    ax = plots.histogram(EXPERIMENT, bound=bound)
    counts, edges, _ = ax.patches[0].get_data()
    for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True):
        assert count == ((updates > low) & (updates < high)).sum()
    assert [each.get_xdata()[0] for each in ax.lines] == [updates.mean(), bound]
    assert ax.get_xlim()[0] < edges[0] < bound < ax.get_xlim()[1]
    words = f"{updates.mean():,.1f} on average, from {updates.min()} to {updates.max()}. The bound is {bound:.2f}."
    assert words in plots.alt_text(ax)


def test_bars_are_as_long_as_the_rates_and_the_words_give_them(ax):
    table = {"target": (0.3, 0.2), "best line": (0.1, 0.306)}
    plots.rates(table, of=("train", "test"), noise=0.25, ax=ax)
    for bars, rates in zip(ax.containers, zip(*table.values(), strict=True), strict=True):
        assert [bar.get_width() for bar in bars] == pytest.approx(rates)
    assert [text.get_text() for text in ax.get_yticklabels()] == list(table)
    assert ax.lines[0].get_xdata()[0] == 0.25
    assert plots.alt_text(ax) == "Error rates, train and test: target 0.300 and 0.200; best line 0.100 and 0.306."


# --- no word is covered


def test_a_word_on_another_on_a_mark_on_a_line_or_beyond_the_edge_is_found(ax):
    assert list(collisions(plots.points(*running_example(), ax=ax).figure)) == []
    ax.plot([0, 5], [0, 5])
    ax.text(-4, 0, "31")
    ax.text(-3.9, 0.1, "17")
    ax.text(*running_example().X[0], "w", ha="center", va="center")
    ax.text(3, 3, "0.178", ha="center", va="center")
    ax.annotate("noise", (0.5, 1.5), xycoords="axes fraction").set_in_layout(False)
    found = ["31 is on 17", "w is on a mark or a line", "0.178 is on a mark or a line", "noise is cut"]
    assert list(collisions(ax.figure)) == found


# --- what all pictures share

PICTURES = {
    "conflict": lambda _run, ax: plots.conflict(*XOR, ax=ax),
    "errors": lambda run, ax: plots.errors(run, ax=ax),
    "histogram": lambda _run, ax: plots.histogram(EXPERIMENT, ax=ax),
    "learning_curves": lambda _run, ax: plots.learning_curves(
        [10, 100], {"raw": [(0.3, 0.4), (0.2, 0.3)], "scaled": [(0.2, 0.3), (0.1, 0.2)]}, levels={"guess": 0.25}, ax=ax
    ),
    "hull": lambda _run, ax: plots.hull(pla([[2.0], [0.5]], [1, -1]), ax=ax),
    "hypothesis": lambda run, ax: plots.hypothesis(run, ax=ax),
    "learning_picture": lambda _run, ax: plots.learning_picture(ax=ax),
    "lines": lambda run, ax: plots.lines({"PLA": run, "target": [-1, 2, -1]}, run.X, run.y, ax=ax),
    "neuron": lambda run, ax: plots.neuron(run, ("one", "two"), ax=ax),
    "perceptron": lambda run, ax: plots.perceptron(run, ax=ax),
    "points": lambda run, ax: plots.points(run.X, run.y, ax=ax),
    "rates": lambda _run, ax: plots.rates({"target": (0.3, 0.2)}, noise=0.2, ax=ax),
    "rises": lambda run, ax: plots.rises(run, ax=ax),
    "update": lambda run, ax: plots.update(run, 2, ax=ax),
    "weight_space": lambda _run, ax: plots.weight_space(pla([[2.0], [0.5]], [1, -1]), ax=ax),
}


@pytest.mark.parametrize("name", sorted({*plots.__all__} - {"steps", "labellings", "alt_text", "style"}))
def test_a_picture_is_drawn_on_the_axes_given_or_on_its_own_with_large_words_of_which_none_is_covered(name, run, ax):
    opened = plt.get_fignums()
    assert PICTURES[name](run, ax) is ax
    assert plt.get_fignums() == opened
    own = PICTURES[name](run, None)
    assert len(plt.get_fignums()) == len(opened) + 1
    assert plots.alt_text(own) == plots.alt_text(own.figure) == plots.alt_text(ax) != ""
    assert own.figure.get_figwidth() <= look.FIGURE_SIZE[0]  # so that a phone shows them all with letters of one size
    assert list(collisions(own.figure)) == []
    assert min(text.get_fontsize() for text in own.findobj(mpl.text.Text) if text.get_text()) >= look.FONT_SIZE - 2


def test_pictures_look_the_same_whatever_the_user_has_set_which_stays_even_when_one_fails(run):
    figures = [plots.hypothesis(run).figure]
    with mpl.rc_context({"font.size": 30, "figure.facecolor": "black", "lines.linewidth": 9, "figure.dpi": 50}):
        before = dict(mpl.rcParams)
        figures.append(plots.hypothesis(run).figure)
        with pytest.raises(ZeroDivisionError), plots.style():
            _ = 1 / 0
        assert dict(mpl.rcParams) == before
    ours, theirs = (figure.canvas.print_to_buffer() for figure in figures)
    assert ours == theirs


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda run: plots.points(run.X), "y is missing"),
        (lambda _: plots.steps(pla([[1.0]], [1])), r"plots.steps draws the plane.*d = 1.*plots\.weight_space\(run\)"),
        (lambda _: plots.perceptron([4, 0, 0]), "there is none if w₁ and w₂ are 0"),
        (lambda run: plots.conflict(run.X, run.y), "these data are separable"),
        (lambda _: plots.labellings(np.eye(5, 2)), "at most 4 points, not 5"),
        (lambda run: plots.update(run, 8), "made 8 updates: t must be below 8"),
        (plots.weight_space, r"this run has d = 2.*plots\.errors\(run\)"),
        (plots.hull, r"one feature; this run has d = 2. widgets\.proof_stage"),
        (plots.histogram, "give what repeat_pla or repeat_pocket returned"),
    ],
)
def test_bad_input_gets_a_sentence(run, draw, message):
    with pytest.raises((ValueError, TypeError), match=message):
        draw(run)

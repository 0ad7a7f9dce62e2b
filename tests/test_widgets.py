"""The explorers, driven by their real controls: what is set comes out in the state, the artists and the words."""

import asyncio
import base64
import html
import io
import re

import numpy as np
import pytest
from matplotlib import pyplot
from PIL import Image

from plahelpers.datasets import Data, running_example
from plahelpers.learning import pla, pocket
from plahelpers.widgets import (
    Explorer,
    MarginState,
    PocketState,
    explorers,
    hypothesis_explorer,
    margin_explorer,
    margin_view,
    pocket_explorer,
    pocket_view,
)

EXPLORERS = [hypothesis_explorer, margin_explorer, pocket_explorer]


def text(explorer: Explorer) -> str:
    """The line of words, as it is read."""
    return html.unescape(re.sub("<[^>]*>", "", explorer.words.value))


def alt(explorer: Explorer) -> str:
    [words] = re.findall('alt="([^"]*)"', explorer.picture.value)
    return html.unescape(words)


def pixels(explorer: Explorer) -> np.ndarray:
    """The picture in the page, decoded."""
    [data] = re.findall('base64,([^"]*)', explorer.picture.value)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))


def ends(ax, label: str, at: int = 0) -> np.ndarray:
    """The points of the line with this label."""
    return np.column_stack([line for line in ax.lines if line.get_label() == label][at].get_data())


def wrong_by_hand(w, X, y) -> list[int]:
    return [n for n in range(len(y)) if (1 if w[0] + w[1] * X[n, 0] + w[2] * X[n, 1] > 0 else -1) != y[n]]


async def set_in_a_loop(control, value) -> None:
    """Sets a control as a live kernel does, and leaves time for a frame."""
    control.value = value
    await asyncio.sleep(0.1)


def move_everything(explorer: Explorer) -> None:
    """Each control to both its ends and back, or through all its options."""
    for control in controls(explorer):
        before = control.value
        if hasattr(control, "options"):
            values = [value for _, value in control.options]
        elif hasattr(control, "min"):
            ends = [control.min, control.max]
            values = [10**end for end in ends] if hasattr(control, "base") else ends  # or powers of ten
        else:
            values = [before + 1]
        for value in [*values, before]:
            control.value = value


def controls(explorer: Explorer) -> list:
    every = []
    for child in explorer.children[:-3]:  # then come the picture, the words and the style
        every += child.children if hasattr(child, "children") else [child]
    return every


def test_the_sliders_move_the_line_and_the_rings_one_weight_at_a_time():
    explorer, (X, y) = hypothesis_explorer(w=(0.123, 1.017, -2.003)), running_example()  # on no slider's grid
    w, there = list(explorer.state.w), explorer.w1.value
    for k, value in ((0, -1.0), (1, 2.0), (1, there), (2, -0.5), (0, 3.25), (1, 0.001), (0, -1), (2, -1), (1, 2)):
        w[k] = value
        getattr(explorer, f"w{k}").value = value
        assert explorer.state.w == tuple(w)
        line = ends(explorer.plane, "wᵀx = 0")
        np.testing.assert_allclose(w[0] + line @ w[1:], 0, atol=1e-9)
        wrong = wrong_by_hand(w, X, y)
        np.testing.assert_array_equal(ends(explorer.plane, "mistake"), X[wrong])
        assert text(explorer).startswith(f"{len(wrong)} of 20 points wrong")
    assert text(explorer).startswith("0 of 20 points wrong (0%). h(x) = sign(−1 + 2 x₁ − x₂); normal at −27°")


def test_angle_and_offset_follow_the_weights_and_the_weights_follow_them_and_keep_their_length():
    explorer = hypothesis_explorer()
    explorer.w0.value, explorer.w1.value, explorer.w2.value = -2.0, 0.0, 4.0
    explorer.by.value = "place"
    assert (explorer.angle.value, explorer.offset.value) == (90, pytest.approx(0.5))
    explorer.angle.value, explorer.offset.value = 180, 2
    np.testing.assert_allclose(explorer.state.w, (-8, -4, 0), atol=1e-9)
    np.testing.assert_allclose(ends(explorer.plane, "wᵀx = 0")[:, 0], -2, atol=1e-9)
    explorer.offset.value = far = explorer.offset.max  # a w too large for its sliders is shrunk: the line is the same
    w = explorer.state.w
    assert w == pytest.approx((-explorer.w0.max, -explorer.w0.max / far, 0))
    explorer.by.value = "weights"
    np.testing.assert_allclose([explorer.w0.value, explorer.w1.value], w[:2], atol=explorer.w1.step / 2)


def test_changing_the_hands_that_steer_and_a_page_that_reports_what_it_rounded_move_nothing():
    explorer = hypothesis_explorer(w=(0.123, 1.017, -2.003))  # on no slider's grid
    weights, place = explorer.children[1:3]
    before, frames = explorer.state.w, explorer.frames
    for control in (explorer.w0, explorer.w1, explorer.w2):
        control.set_state({"value": control.value + 1e-15})
    assert (weights.layout.display, place.layout.display) == ("flex", "none")
    explorer.by.value = "place"
    assert (weights.layout.display, place.layout.display) == ("none", "flex")
    explorer.offset.set_state({"value": explorer.offset.value - 1e-14})
    explorer.w0.set_state({"value": 3.0})  # late, from a slider that is hidden by now
    explorer.by.value = "weights"
    assert explorer.state.w == before
    assert explorer.frames == frames


def test_without_a_line_every_point_is_called_the_same():
    explorer = hypothesis_explorer(w=(0, 1, 0))
    explorer.w1.value = 0
    assert explorer.state.w == (0, 0, 0)
    assert "sign(0); no line, every point is called −1" in text(explorer)
    assert text(explorer).startswith("7 of 20 points wrong")
    explorer.w0.value = 1
    assert "no line, every point is called +1" in text(explorer)
    explorer.by.value = "place"
    assert explorer.angle.value == 0  # where it was when there was a line
    explorer.angle.value = 90
    assert explorer.state.w[2] > 0


def test_no_points_is_a_sentence_and_the_line_still_moves():
    explorer = hypothesis_explorer([], [])
    explorer.w0.value = 1.0
    np.testing.assert_allclose(ends(explorer.plane, "wᵀx = 0").sum(axis=1), -1)
    assert text(explorer).startswith("There are no points")
    assert alt(explorer).startswith("There are no points")


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (lambda: hypothesis_explorer(np.ones((2, 3)), [1, -1]), "d = 3"),
        (lambda: hypothesis_explorer(w=(1, 2)), "3 are expected"),
        (lambda: hypothesis_explorer(3), "y is missing"),
        (lambda: pocket_explorer(noise=0.7), r"noise must be a number from 0 to 0\.5"),
        (lambda: margin_explorer(rho=0), r"rho must be a number from 0\.01 to 0\.5"),
        (lambda: pocket_explorer(N=1), "N must be at least 2"),
        (lambda: margin_view(MarginState(2.0, 10, 1, "target")), "the margin ρ must be a number from"),
        (lambda: margin_view(MarginState(0.1, 10, 1, "mine")), "w_f must be one of"),  # type: ignore[arg-type]
        (lambda: pocket_view(PocketState(0.6, 1, 10, 1)), "noise"),
    ],
)
def test_a_start_that_makes_no_sense_is_refused_in_a_sentence(start, message):
    with pytest.raises((TypeError, ValueError), match=message):
        start()


def test_a_start_beyond_the_sliders_widens_them_and_the_axes_have_the_names_of_the_features():
    data = Data([[1.0, 2.0], [3.0, 1.0]], [1, -1], names=("age", "income"))
    explorer = hypothesis_explorer(data, w=(-400, 30, 0.5))
    assert explorer.state.w == (-400, 30, 0.5)
    assert explorer.plane.get_xlabel() == "age"


@pytest.mark.parametrize("rho", [0.01, 0.1, 0.49])
def test_the_points_have_exactly_the_margin_of_the_state_and_move_a_little_with_it(rho):
    X, y = explorers.points_with_margin(rho, 30, 4)
    w_f = np.array([-0.2, 0.8, 0.6])
    assert (y * (np.column_stack([np.ones(30), X]) @ w_f)).min() / np.linalg.norm(w_f) == pytest.approx(rho)
    X2, y2 = explorers.points_with_margin(rho + 0.01, 30, 4)
    np.testing.assert_array_equal(y, y2)
    assert np.linalg.norm(X2 - X, axis=1).max() <= 0.011


def test_shrinking_the_margin_shows_the_run_the_bounds_the_curves_and_the_band():
    explorer, w_f = margin_explorer(), np.array([-0.2, 0.8, 0.6])
    for rho in (0.3, 0.02):
        explorer.rho.value = rho
        X, y = explorers.points_with_margin(rho, 30, 4)
        run = pla(X, y)
        R2 = 1 + (X**2).sum(axis=1).max()
        assert f"R²/ρ² is {R2 / rho**2:,.0f} with the target" in text(explorer)
        assert text(explorer).startswith(f"T = {run.updates} updates.")
        inner, norm, cosine = (ends(ax, "measured") for ax in explorer.panels)
        np.testing.assert_allclose(norm[:, 1], (run.weights**2).sum(axis=1))
        np.testing.assert_allclose(inner[:, 1], run.weights @ w_f, atol=1e-12)
        assert len(cosine) == run.updates + 1
        np.testing.assert_array_equal(ends(explorer.plane, "y = +1"), X[y == 1])
        for at, side in enumerate((1, -1)):
            distance = (w_f[0] + ends(explorer.plane, "its margin", at) @ w_f[1:]) / np.linalg.norm(w_f)
            np.testing.assert_allclose(distance, side * rho)


def test_the_bound_of_the_maximum_margin_is_never_above_the_targets():
    explorer = margin_explorer(rho=0.05)
    explorer.w_f.value = "maximum"
    view = margin_view(explorer.state)
    assert view.run.updates <= view.smallest_bound == pytest.approx(view.trace.bound)
    assert view.smallest_bound <= view.target_bound
    assert f"≤ {view.smallest_bound:,.0f}" in explorer.plane.get_title()


def test_the_walk_the_lines_and_the_errors_are_those_of_pocket():
    explorer = pocket_explorer()
    explorer.noise.value, explorer.updates.value, explorer.N.value, explorer.seed.value = 0.2, 40, 30, 7
    view = pocket_view(PocketState(0.2, 40, 30, 7))
    X, y = view.data
    run = pocket(X, y, max_updates=40, rng=7)
    np.testing.assert_array_equal(ends(explorer.walk, "$w_t$")[:, 1], run.errors)
    np.testing.assert_array_equal(ends(explorer.walk, "pocket")[:, 1], run.pocket_errors)
    for label, w in (("pocket", run.w), ("last w", run.last_w), ("best line there is", view.best.w)):
        line = ends(explorer.plane, label)
        assert len(line) == 2
        np.testing.assert_allclose(w[0] + line @ w[1:], 0, atol=1e-9)
    np.testing.assert_array_equal(ends(explorer.plane, "mistake"), X[wrong_by_hand(run.w, X, y)])
    assert view.train_error == len(wrong_by_hand(run.w, X, y)) / 30
    assert view.last_train_error == len(wrong_by_hand(run.last_w, X, y)) / 30
    assert view.best.mistakes <= run.mistakes_left
    assert f"the last w on {view.last_train_error:.1%}".replace(".0%", "%") in text(explorer)
    assert f"Noise flipped {len(view.data.flipped)} labels of 30" in text(explorer)


def test_more_updates_make_the_same_walk_longer_and_none_leave_the_w_it_started_with():
    short, long = (pocket_view(PocketState(0.1, updates, 50, 5)).run for updates in (20, 200))
    np.testing.assert_array_equal(long.weights[:21], short.weights)
    explorer = pocket_explorer(updates=0)
    assert not pocket_view(explorer.state).run.w.any()
    assert "After no updates" in text(explorer)
    assert not len(ends(explorer.plane, "last w"))


def test_more_noise_flips_more_labels_of_the_same_points_and_of_test_points_of_the_same_target():
    none, some, more, half = (pocket_view(PocketState(noise, 300, 100, 5)) for noise in (0, 0.1, 0.3, 0.5))
    np.testing.assert_array_equal(some.data.X, more.data.X)
    assert set(some.data.flipped) < set(more.data.flipped)
    assert none.train_error == none.best.mistakes == 0
    assert none.test_error < 0.05
    # Whoever knows nothing is right on half of the test points when half of the labels are flipped.
    assert half.test_error == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("make", EXPLORERS)
def test_after_every_control_went_to_both_its_ends_and_back_the_picture_is_the_first_one_again(make):
    explorer = make()
    first, sentence, frames = pixels(explorer), text(explorer), explorer.frames
    move_everything(explorer)
    assert explorer.frames > frames
    np.testing.assert_array_equal(pixels(explorer), first)
    assert text(explorer) == sentence
    assert all(control.description for control in controls(explorer))


@pytest.mark.parametrize(
    ("make", "name", "value", "sentence"),
    [
        (hypothesis_explorer, "w0", float("nan"), "W[0] is nan: each weight must be finite"),
        (margin_explorer, "seed", -3, "Seed must be at least 0, not -3."),
        (pocket_explorer, "seed", -3, "Seed must be at least 0, not -3."),
    ],
)
def test_a_bad_value_is_answered_in_words_and_the_picture_stays(make, name, value, sentence, caplog):
    explorer = make()
    picture, words, control = explorer.picture.value, alt(explorer), getattr(explorer, name)
    asyncio.run(set_in_a_loop(control, value))
    assert text(explorer).startswith(sentence)
    assert explorer.picture.value == picture
    assert not caplog.records
    control.value = 2
    assert text(explorer) == explorer.sentence
    assert explorer.picture.value != picture
    assert alt(explorer) != words


def test_two_points_are_enough_and_one_class_is_told():
    for seed in (0, 1):
        for explorer, view in ((margin_explorer, margin_view), (pocket_explorer, pocket_view)):
            shell = explorer(N=2, seed=seed)
            assert ("nothing to separate" in text(shell)) == (abs(view(shell.state).data.y.sum()) == 2)
    alike = hypothesis_explorer([[1.0, 2.0], [3.0, 1.0]], [1, 1])
    assert text(alike).endswith("All points are positive: there is nothing to separate.")


def test_quick_dragging_draws_few_frames_and_the_latest_state():
    explorer = margin_explorer()
    frames = explorer.frames

    async def drag() -> None:
        for value in range(5, 55):
            explorer.N.value = value
        assert explorer.frames == frames  # in one go: nothing is drawn before the last one is heard
        for value in range(5, 55):
            explorer.N.value = value
            await asyncio.sleep(0)  # the loop goes round, as between two messages
        await asyncio.sleep(0.2)

    asyncio.run(drag())
    assert 1 <= explorer.frames - frames <= 5
    last = explorer.picture.value
    explorer.refresh()
    assert explorer.picture.value == last


def test_a_frame_that_a_closed_loop_owes_is_drawn_by_the_next_one(monkeypatch):
    explorer = hypothesis_explorer()
    monkeypatch.setattr(explorers, "_PAUSE", 3600)
    asyncio.run(set_in_a_loop(explorer.w1, 2.0))
    assert "2 x₁" not in text(explorer)
    monkeypatch.setattr(explorers, "_PAUSE", 0)
    asyncio.run(set_in_a_loop(explorer.w1, 3.0))
    assert "3 x₁" in text(explorer)


@pytest.mark.parametrize("make", EXPLORERS)
def test_where_no_kernel_runs_there_is_a_picture_with_words_and_pyplot_keeps_no_figure(make):
    before = pyplot.get_fignums()
    explorer = make()
    assert pyplot.get_fignums() == before
    data, metadata = explorer._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.model_id
    assert data["text/plain"] == text(explorer)
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(data["image/png"]))))
    np.testing.assert_array_equal(image, pixels(explorer))
    assert metadata["image/png"]["alt"].startswith(text(explorer))


@pytest.mark.parametrize(
    ("make", "start"),
    [
        (hypothesis_explorer, {"w": (14, -5, 5)}),
        (margin_explorer, {"rho": 0.01, "N": 100}),
        (margin_explorer, {"rho": 0.5, "N": 2}),
        (pocket_explorer, {"updates": 300, "N": 100, "noise": 0.5}),
    ],
)
def test_nothing_is_cut_off_at_the_edge_of_the_picture(make, start):
    explorer = make(**start)
    frame = explorer.figure.bbox
    tight = explorer.figure.get_tightbbox(explorer.canvas.get_renderer()).transformed(explorer.figure.dpi_scale_trans)
    assert (frame.min <= tight.min).all()
    assert (tight.max <= frame.max).all()

"""The explorers, driven by their real controls: what is set comes out in the state, the artists and the words."""

from __future__ import annotations

import asyncio
import base64
import html
import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib import pyplot
from PIL import Image

import plahelpers
from plahelpers import widgets
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
Make = Callable[..., Explorer]


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


def move_everything(explorer: Explorer) -> None:
    """Each control to both its ends and back, or through all its options."""
    for name in ("by", "w0", "w1", "w2", "angle", "offset", "rho", "N", "w_f", "noise", "updates"):
        control = getattr(explorer, name, None)
        if control is None:
            continue
        before = control.value
        if hasattr(control, "options"):
            values = [value for _, value in control.options]
        elif name == "rho":
            values = [10**control.min, 10**control.max]
        else:
            values = [control.min, control.max]
        for value in [*values, before]:
            control.value = value


# --- the hypothesis explorer ----------------------------------------------------------------------


def test_the_sliders_move_the_line_and_the_rings():
    explorer, (X, y) = hypothesis_explorer(), running_example()
    w = np.array([0.0, 1.0, 1.0])
    for k, value in ((0, -1.0), (1, 2.0), (2, -0.5), (0, 3.25), (1, 0.001)):
        w[k] = value
        getattr(explorer, f"w{k}").value = value
        assert explorer.state.w == tuple(w)
        line = ends(explorer.plane, "wᵀx = 0")
        np.testing.assert_allclose(w[0] + line @ w[1:], 0, atol=1e-9)
        wrong = wrong_by_hand(w, X, y)
        np.testing.assert_array_equal(ends(explorer.plane, "mistake"), X[wrong])
        assert text(explorer).startswith(f"{len(wrong)} of 20 points wrong")


def test_the_target_of_the_running_example_makes_no_mistake_and_says_so():
    explorer = hypothesis_explorer(w=(-1, 2, -1))
    assert not len(ends(explorer.plane, "mistake"))
    assert text(explorer).startswith("0 of 20 points wrong (0%). h(x) = sign(−1 + 2 x₁ − x₂); normal at −27°")


def test_angle_and_offset_follow_the_weights():
    explorer = hypothesis_explorer()
    explorer.w0.value, explorer.w1.value, explorer.w2.value = -2.0, 0.0, 4.0
    explorer.by.value = "place"
    assert explorer.angle.value == 90
    assert explorer.offset.value == pytest.approx(0.5)
    np.testing.assert_allclose(ends(explorer.plane, "wᵀx = 0")[:, 1], 0.5)


def test_the_weights_follow_angle_and_offset_and_keep_their_length():
    explorer = hypothesis_explorer(w=(0, 3, 4))
    explorer.by.value = "place"
    explorer.angle.value = 180
    explorer.offset.value = 2
    np.testing.assert_allclose(explorer.state.w, (-10, -5, 0), atol=1e-9)
    np.testing.assert_allclose(ends(explorer.plane, "wᵀx = 0")[:, 0], -2, atol=1e-9)
    explorer.by.value = "weights"
    np.testing.assert_allclose([explorer.w0.value, explorer.w1.value, explorer.w2.value], (-10, -5, 0), atol=1e-9)


def test_changing_the_hands_that_steer_does_not_move_the_line():
    explorer = hypothesis_explorer(w=(0.123, 1.017, -2.003))  # on no slider's grid
    before, frames = explorer.state.w, explorer.frames
    for hands in ("place", "weights", "place", "weights"):
        explorer.by.value = hands
    assert explorer.state.w == before
    assert explorer.frames == frames


def test_a_page_that_reports_what_it_rounded_moves_nothing():
    explorer = hypothesis_explorer(w=(0.123, 1.017, -2.003))
    before, frames = explorer.state.w, explorer.frames
    for name in ("w0", "w1", "w2"):
        control = getattr(explorer, name)
        control.set_state({"value": control.value + 1e-15})
    explorer.by.value = "place"
    explorer.offset.set_state({"value": explorer.offset.value - 1e-14})
    explorer.w0.set_state({"value": 3.0})  # late, from a slider that is hidden by now
    assert explorer.state.w == before
    assert explorer.frames == frames


def test_one_slider_changes_one_weight_and_may_go_back_to_where_it_was():
    explorer = hypothesis_explorer(w=(0.123, 1.017, -2.003))
    there = explorer.w1.value
    explorer.w1.value = 3.0
    assert explorer.state.w == (0.123, 3.0, -2.003)
    explorer.w1.value = there
    assert explorer.state.w == (0.123, there, -2.003)


def test_a_w_too_large_for_its_sliders_is_shrunk_which_changes_no_line():
    explorer = hypothesis_explorer(w=(0, 5, 0))
    explorer.by.value = "place"
    explorer.offset.value = explorer.offset.max
    w = explorer.state.w
    assert w[0] == pytest.approx(-explorer.w0.max)
    assert 0 < w[1] < 5
    assert -w[0] / w[1] == pytest.approx(explorer.offset.max)


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


def test_only_the_sliders_that_steer_are_seen():
    explorer = hypothesis_explorer()
    weights, place = explorer.children[1:3]
    assert (weights.layout.display, place.layout.display) == ("flex", "none")
    explorer.by.value = "place"
    assert (weights.layout.display, place.layout.display) == ("none", "flex")


def test_no_points_is_a_sentence_and_the_line_still_moves():
    explorer = hypothesis_explorer([], [])
    assert text(explorer).startswith("There are no points")
    explorer.w0.value = 1.0
    np.testing.assert_allclose(ends(explorer.plane, "wᵀx = 0").sum(axis=1), -1)
    assert alt(explorer).startswith("There are no points")


def test_points_of_one_class_are_told():
    explorer = hypothesis_explorer(np.array([[1.0, 2.0], [3.0, 1.0]]), [1, 1])
    assert text(explorer).endswith("All points are positive: there is nothing to separate.")


def test_data_of_other_dimensions_are_refused_by_name():
    with pytest.raises(ValueError, match="d = 3"):
        hypothesis_explorer(np.ones((2, 3)), [1, -1])
    with pytest.raises(ValueError, match="3 are expected"):
        hypothesis_explorer(w=(1, 2))


def test_a_start_beyond_the_sliders_widens_them():
    explorer = hypothesis_explorer(w=(-400, 30, 0.5))
    assert explorer.state.w == (-400, 30, 0.5)


def test_names_of_the_features_are_on_the_axes():
    data = Data([[1.0, 2.0], [3.0, 1.0]], [1, -1], names=("age", "income"))
    assert hypothesis_explorer(data).figure.axes[0].get_xlabel() == "age"


# --- the margin explorer --------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("seed", [0, 4])
def test_the_points_have_exactly_the_margin_that_was_asked_for(rho, seed):
    X, y = explorers.points_with_margin(rho, 30, seed)
    w_f = np.array([-0.2, 0.8, 0.6])
    assert (y * (np.column_stack([np.ones(30), X]) @ w_f)).min() / np.linalg.norm(w_f) == pytest.approx(rho)


def test_a_small_change_of_the_margin_moves_every_point_a_little():
    X, y = explorers.points_with_margin(0.1, 50, 3)
    X2, y2 = explorers.points_with_margin(0.11, 50, 3)
    np.testing.assert_array_equal(y, y2)
    assert np.linalg.norm(X2 - X, axis=1).max() <= 0.011


def test_shrinking_the_margin_shows_the_run_the_bounds_and_the_curves():
    explorer = margin_explorer()
    for rho in (0.3, 0.02):
        explorer.rho.value = rho
        X, y = explorers.points_with_margin(rho, 30, 4)
        run = pla(X, y)
        R2 = 1 + (X**2).sum(axis=1).max()
        assert f"R²/ρ² is {R2 / rho**2:,.0f} with the target" in text(explorer)
        assert text(explorer).startswith(f"T = {run.updates} updates.")
        inner, norm, cosine = (ends(ax, "measured") for ax in explorer.panels)
        np.testing.assert_allclose(norm[:, 1], (run.weights**2).sum(axis=1))
        np.testing.assert_allclose(inner[:, 1], run.weights @ [-0.2, 0.8, 0.6], atol=1e-12)
        assert len(cosine) == run.updates + 1
        np.testing.assert_array_equal(ends(explorer.plane, "y = +1"), X[y == 1])


def test_the_bound_of_the_maximum_margin_is_never_above_the_targets():
    explorer = margin_explorer(rho=0.05)
    explorer.w_f.value = "maximum"
    view = margin_view(explorer.state)
    assert view.run.updates <= view.smallest_bound <= view.target_bound
    assert view.trace.bound == pytest.approx(view.smallest_bound)
    assert f"≤ {view.smallest_bound:,.0f}" in explorer.figure.axes[0].get_title()


def test_the_band_lies_at_the_margin_on_both_sides_of_w_f():
    explorer = margin_explorer(rho=0.2)
    w_f = np.array([-0.2, 0.8, 0.6])
    for at, side in enumerate((1, -1)):
        distance = (w_f[0] + ends(explorer.plane, "its margin", at) @ w_f[1:]) / np.linalg.norm(w_f)
        np.testing.assert_allclose(distance, side * 0.2)


# --- the pocket explorer --------------------------------------------------------------------------


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


def test_more_updates_make_the_same_walk_longer():
    short, long = (pocket_view(PocketState(0.1, updates, 50, 5)).run for updates in (20, 200))
    np.testing.assert_array_equal(long.weights[:21], short.weights)


def test_more_noise_flips_more_labels_of_the_same_points():
    some, more = (pocket_view(PocketState(noise, 1, 50, 5)).data for noise in (0.1, 0.3))
    np.testing.assert_array_equal(some.X, more.X)
    assert set(some.flipped) < set(more.flipped)


def test_test_points_come_from_the_same_target_and_noise():
    view = pocket_view(PocketState(0.0, 300, 100, 5))
    assert view.train_error == view.best.mistakes == 0
    assert view.test_error < 0.05
    # Whoever knows nothing is right on half of the test points when half of the labels are flipped.
    assert pocket_view(PocketState(0.5, 50, 50, 5)).test_error == pytest.approx(0.5, abs=0.05)


def test_no_updates_leave_the_w_it_started_with():
    explorer = pocket_explorer(updates=0)
    assert not pocket_view(explorer.state).run.w.any()
    assert "After no updates" in text(explorer)
    assert not len(ends(explorer.plane, "last w"))


# --- all of them ----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", EXPLORERS)
def test_after_every_control_went_to_both_its_ends_and_back_the_picture_is_the_first_one_again(make: Make):
    explorer = make()
    first, sentence, frames = pixels(explorer), text(explorer), explorer.frames
    move_everything(explorer)
    assert explorer.frames > frames
    np.testing.assert_array_equal(pixels(explorer), first)
    assert text(explorer) == sentence


@pytest.mark.parametrize("make", EXPLORERS)
def test_every_control_has_a_name(make: Make):
    for control in controls(make()):
        assert control.description


def controls(explorer: Explorer) -> list:
    found = []
    for child in explorer.children[:-3]:  # then come the picture, the words and the style
        found += child.children if hasattr(child, "children") else [child]
    return found


@pytest.mark.parametrize("make", EXPLORERS)
def test_the_alternative_text_follows_the_state(make: Make):
    explorer = make()
    before = alt(explorer)
    assert "points" in before
    control = {hypothesis_explorer: "w0", margin_explorer: "rho", pocket_explorer: "noise"}[make]
    getattr(explorer, control).value = 0.42
    assert alt(explorer) != before


@pytest.mark.parametrize("make", [margin_explorer, pocket_explorer])
def test_a_seed_out_of_range_is_answered_in_words_and_the_picture_stays(make: Make):
    explorer = make()
    picture = explorer.picture.value
    explorer.seed.value = -3
    assert text(explorer) == "Seed must be at least 0, not -3."
    assert explorer.picture.value == picture
    explorer.seed.value = 2
    assert text(explorer) == explorer.sentence
    assert explorer.picture.value != picture


def test_a_start_out_of_range_is_refused():
    with pytest.raises(ValueError, match=r"noise must be a number from 0 to 0\.5"):
        pocket_explorer(noise=0.7)
    with pytest.raises(ValueError, match=r"rho must be a number from 0\.01 to 0\.5"):
        margin_explorer(rho=0)
    with pytest.raises(ValueError, match="N must be at least 2"):
        pocket_explorer(N=1)


@pytest.mark.parametrize("seed", [0, 1])
def test_two_points_are_enough_and_one_class_is_told(seed):
    margin, noisy = margin_explorer(N=2, seed=seed), pocket_explorer(N=2, seed=seed)
    for explorer, view in ((margin, margin_view(margin.state)), (noisy, pocket_view(noisy.state))):
        assert ("nothing to separate" in text(explorer)) == (abs(view.data.y.sum()) == 2)


def test_a_state_that_makes_no_sense_raises_a_sentence_in_the_pure_functions():
    with pytest.raises(ValueError, match=r"the margin ρ must be a number from 0\.01 to 0\.5, not 2"):
        margin_view(MarginState(2.0, 10, 1, "target"))
    with pytest.raises(ValueError, match="w_f must be one of"):
        margin_view(MarginState(0.1, 10, 1, "mine"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="noise"):
        pocket_view(PocketState(0.6, 1, 10, 1))


@pytest.mark.parametrize("make", EXPLORERS)
def test_quick_dragging_draws_few_frames_and_the_latest_state(make: Make):
    explorer = make()
    name = {hypothesis_explorer: "w0", margin_explorer: "N", pocket_explorer: "updates"}[make]
    control, frames = getattr(explorer, name), explorer.frames

    async def drag() -> None:
        for value in range(50):
            control.value = value / 10 if name == "w0" else 5 + value
        assert explorer.frames == frames  # in one go: nothing is drawn before the last one is heard
        for value in range(50):
            control.value = value / 10 if name == "w0" else 5 + value
            await asyncio.sleep(0)  # the loop goes round, as between two messages
        await asyncio.sleep(0.2)

    asyncio.run(drag())
    assert 1 <= explorer.frames - frames <= 5
    last = explorer.picture.value
    explorer.refresh()
    assert explorer.picture.value == last


def test_a_frame_that_a_closed_loop_owes_is_drawn_by_the_next_one(monkeypatch):
    explorer = hypothesis_explorer()

    async def move(value: float) -> None:
        explorer.w1.value = value
        await asyncio.sleep(0.01)

    monkeypatch.setattr(explorers, "_PAUSE", 3600)
    asyncio.run(move(2.0))
    assert "2 x₁" not in text(explorer)
    monkeypatch.setattr(explorers, "_PAUSE", 0)
    asyncio.run(move(3.0))
    assert "3 x₁" in text(explorer)


def test_a_bad_state_in_a_running_loop_leaves_no_traceback(caplog):
    explorer = pocket_explorer()

    async def type_a_seed() -> None:
        explorer.seed.value = -1
        await asyncio.sleep(0.1)

    asyncio.run(type_a_seed())
    assert text(explorer).startswith("Seed must be at least 0")
    assert not caplog.records


@pytest.mark.parametrize("make", EXPLORERS)
def test_where_no_kernel_runs_there_is_a_picture_with_words(make: Make):
    explorer = make()
    data, metadata = explorer._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.model_id
    assert data["text/plain"] == text(explorer)
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(data["image/png"]))))
    np.testing.assert_array_equal(image, pixels(explorer))
    assert metadata["image/png"]["alt"].startswith(text(explorer))


@pytest.mark.parametrize("make", EXPLORERS)
def test_no_figure_is_left_open_in_pyplot(make: Make):
    before = pyplot.get_fignums()
    make()
    assert pyplot.get_fignums() == before


@pytest.mark.parametrize(
    ("make", "start"),
    [
        (hypothesis_explorer, {"w": (14, -5, 5)}),
        (margin_explorer, {"rho": 0.01, "N": 100}),
        (margin_explorer, {"rho": 0.5, "N": 2}),
        (pocket_explorer, {"updates": 300, "N": 100, "noise": 0.5}),
    ],
)
def test_nothing_is_cut_off_at_the_edge_of_the_picture(make: Make, start):
    explorer = make(**start)
    frame = explorer.figure.bbox
    tight = explorer.figure.get_tightbbox(explorer.canvas.get_renderer()).transformed(explorer.figure.dpi_scale_trans)
    assert frame.x0 <= tight.x0
    assert frame.y0 <= tight.y0
    assert tight.x1 <= frame.x1
    assert tight.y1 <= frame.y1


def test_a_weight_that_is_no_number_is_answered_in_words():
    explorer = hypothesis_explorer()
    explorer.w0.value = float("nan")
    assert text(explorer).startswith("W[0] is nan: each weight must be finite")
    explorer.w0.value = 1.0
    assert text(explorer) == explorer.sentence
    assert explorer.state.w == (1, 1, 1)


def test_the_stepper_is_in_this_module_too():
    assert widgets.stepper is plahelpers.stepper


@pytest.mark.parametrize("bad", [3, np.zeros((2, 2)), (np.zeros((2, 2)),)])
def test_points_without_labels_get_a_sentence(bad):
    with pytest.raises(TypeError, match="y is missing"):
        hypothesis_explorer(bad)

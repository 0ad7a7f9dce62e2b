"""The widgets, seen from Python: what a page is sent, and what Python is told."""

from typing import Any

import numpy as np
import pytest
from traitlets import TraitError

from plahelpers import best_line, pla, running_example, separate
from plahelpers.datasets import noisy, separable
from plahelpers.guarantee import margin, proof_trace, radius
from plahelpers.hypothesis import error_rate, with_bias
from plahelpers.learning import Run
from plahelpers.widgets import (
    margin_explorer,
    play,
    pocket_explorer,
    points_with_margin,
    proof_stage,
    stepper,
)
from plahelpers.widgets.pla_stepper import LIVE_POINTS

W_F = np.array([-0.2, 0.8, 0.6])


# --- the stepper ------------------------------------------------------------------------------------------------------


def test_a_live_notebook_gets_the_stepper_a_page_its_html_and_a_terminal_a_sentence() -> None:
    live = stepper()
    data, _ = live._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == live.model_id
    assert data["text/plain"] == repr(live)
    assert data["text/html"].count(f'<script type="module">{live._esm}</script>') == 1  # JupyterLab's own
    with pytest.raises(TraitError, match="read-only"):  # Python reads it, the page sets it
        live.state = {}


def test_python_goes_on_with_what_the_user_has_drawn() -> None:
    live = stepper()
    assert np.array_equal(live.X, running_example().X)
    assert live.run.picks.tolist() == [1, 4, 9, 10, 18, 4, 4, 9]
    drawn = {"X": [[1.0, 2.5], [3.0, -1.0]], "y": [1, -1], "cycle": [1, 0], "signOfZero": 0}
    live.set_state({"state": {**live.state, **drawn}})  # as the page reports it
    assert (live.X.tolist(), live.y.tolist()) == (drawn["X"], [1, -1])
    expected = pla(live.X, live.y, order=[1, 0], sign_of_zero=0)
    assert live.run.weights.tolist() == expected.weights.tolist()
    live.set_state({"state": {**live.state, "X": [], "y": [], "cycle": []}})
    assert live.X.shape == (0, 2)
    with pytest.raises(ValueError, match="there are no points: add some"):
        _ = live.run


# --- the explorers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [0.01, 0.1, 0.49])
def test_the_points_have_exactly_the_margin_that_is_asked_for_and_move_a_little_with_it(rho: float) -> None:
    X, y = points_with_margin(rho, 30, 4)
    assert margin(X, y, W_F) == pytest.approx(rho)
    further, same = points_with_margin(rho + 0.01, 30, 4)
    np.testing.assert_array_equal(y, same)
    assert np.linalg.norm(further - X, axis=1).max() <= 0.011


def test_each_margin_comes_with_the_w_f_whose_margin_is_largest() -> None:
    spec = margin_explorer(rho=0.123).spec
    assert 0.123 in spec["rhos"]
    for k, each in enumerate(spec["sets"]):
        for rho, w in list(zip(spec["rhos"], each["maximum"], strict=True))[::8]:
            X, y = points_with_margin(rho, 30, 4 + k)
            assert margin(X, y, w) == pytest.approx(separate(X, y).rho)
            assert margin(X, y, w) >= rho - 1e-8  # the target's own; the page gets nine decimals


def test_each_number_of_flips_comes_with_the_best_line_there_is() -> None:
    spec = pocket_explorer().spec
    for k, each in enumerate(spec["sets"][:2]):
        for noise in (0.0, 0.07, 0.2, 0.5):
            X, y = noisy(50, noise=noise, rng=5 + k)
            flips = np.array(each["flips"]) < noise
            assert np.array_equal(np.where(flips, -np.array(each["y"]), each["y"]), y)
            w = np.array(each["best"][int(flips.sum())])
            assert error_rate(w, X, y) * 50 == pytest.approx(best_line(X, y).mistakes)


# --- the proof --------------------------------------------------------------------------------------------------------


def perfect_runs() -> list[tuple[Run, Any]]:
    """Runs of PLA in one to four dimensions, with a w_f that is perfect: the target or the one of maximum margin."""
    drawn = [separable(20, 1 + seed % 4, margin=0.05, rng=seed) for seed in range(40)]
    runs = [(pla(*data, order="random", rng=seed), data) for seed, data in enumerate(drawn)]
    return [(run, data.target if run.updates % 2 else None) for run, data in runs if run.updates]


@pytest.mark.parametrize(("run", "w_f"), perfect_runs())
def test_every_length_of_the_stage_is_that_of_the_proof_and_both_bounds_hold_at_each_t(run: Run, w_f: Any) -> None:
    spec = proof_stage(run, w_f).spec
    trace = proof_trace(run, separate(run.X, run.y).w_f if w_f is None else w_f)
    t, parts, lengths = np.arange(run.updates + 1), np.array(spec["parts"]), np.array(spec["lengths"])
    assert (spec["rho"], spec["R"], spec["bound"]) == pytest.approx((trace.rho, radius(run.X), trace.bound))
    np.testing.assert_allclose(parts, trace.inner / np.linalg.norm(trace.w_f))
    np.testing.assert_allclose(lengths, np.linalg.norm(run.weights, axis=1))
    assert (t * trace.rho <= parts + 1e-9).all()
    assert (parts <= lengths + 1e-9).all()
    assert (lengths <= np.sqrt(t) * trace.R + 1e-9).all()

    steps, turns = np.array(spec["steps"]), np.array(spec["turns"])
    np.testing.assert_allclose(np.hypot(*steps.T), np.linalg.norm(with_bias(run.X), axis=1))  # no length is lost
    assert steps[:, 0].min() == pytest.approx(trace.rho)
    np.testing.assert_allclose(np.diff(parts), steps[run.picks, 0], atol=1e-9)  # each update adds its own advance
    np.testing.assert_allclose(np.hypot(lengths[:-1] + turns[:, 0], turns[:, 1]), lengths[1:])  # the triangle closes
    assert (turns[1:, 0] <= 1e-9).all()  # only on mistakes: at least 90° from w


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: play(pla(*separable(10, 3, rng=0))), r"d = 2; this run has d = 3\. Run it on two of the columns"),
        (lambda: play(pla(*running_example(), order="random", keep_path=False)), "again with keep_path=True"),
        (lambda: play(pla(*separable(2001, margin=0.1, rng=0))), "too long for a page: 2,001 examples and"),
        (lambda: stepper([[1, 2, 3]], [1]), r"d = 2; X has 3 columns\. Give two"),
        (lambda: stepper(np.ones((LIVE_POINTS + 1, 2)), [1] * 201), "X has 201 examples; the stepper takes 200"),
        (lambda: margin_explorer(rho=0), r"rho must be a number from 0\.01 to 0\.5"),
        (lambda: pocket_explorer(noise=0.7), r"noise must be a number from 0 to 0\.5"),
        (lambda: proof_stage(pla(*running_example(), eta=2.0)), "from the start w = 0 with η = 1"),
        (lambda: proof_stage(pla(*running_example()), [1, -2, 1]), "w_f"),
    ],
)
def test_what_cannot_be_shown_is_told_why(make: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()

"""The arithmetic of the widgets, js/model.js, in a real browser: it agrees with Python to the last bit."""

import base64
import json
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from plahelpers import pla, pocket, running_example, widgets
from plahelpers.geometry import Box, area, disagreement, half_plane, line_in_box
from plahelpers.guarantee import proof_trace
from plahelpers.learning import BudgetWarning
from tests.browser import needs_chromium

pytestmark = needs_chromium
MODEL = Path(widgets.__file__).parent / "js" / "model.js"
BOX = Box(-2.0, 3.0, -1.0, 4.0)


@pytest.fixture(scope="module")
def ask(browser):
    """A function of the model, called in a page for each of some problems: `ask("pla", [problem], ...)`."""
    page = browser.new_page()
    source = base64.b64encode(MODEL.read_bytes()).decode()
    page.evaluate(f"import('data:text/javascript;base64,{source}').then((model) => {{ window.model = model }})")
    calls = "([name, calls]) => JSON.stringify(JSON.parse(calls).map((values) => model[name](...values)))"
    yield lambda name, *values: json.loads(page.evaluate(calls, [name, json.dumps(values)]))
    page.close()


# --- runs -----------------------------------------------------------------------------------------------------------


def points(kind, rng):
    """Points of a kind that may make the two sides differ."""
    N, d = int(rng.integers(1, 13)), int(rng.integers(1, 4))
    X = rng.normal(size=(N, d))
    return {
        "whole": rng.integers(-2, 3, (N, d)).astype(float),  # many lie on the line
        "twice": np.repeat(X, 2, axis=0),  # each point is there more than once, perhaps with both labels
        "large": X * 1e60,
        "tiny": X * 1e-60,
        "mixed": X * 10.0 ** rng.integers(-12, 13, (1, d)),
    }[kind]


def settings(kind, sign_of_zero, seed):
    """Data with a start, a step size and a cycle that are drawn, too."""
    rng = np.random.default_rng([seed, sign_of_zero + 1, len(kind)])
    X = points(kind, rng)
    N, d = X.shape
    start = [np.zeros(d + 1), rng.integers(-3, 4, d + 1).astype(float), rng.normal(size=d + 1) * 10]
    cycle = rng.permutation(N)
    return {
        "X": X,
        "y": rng.choice([-1, 1], N),
        "start": start[seed % 3],
        "eta": [1.0, 0.1, 1 / 3, 7.0][seed % 4],
        "sign_of_zero": sign_of_zero,
        "max_updates": int(rng.choice([0, 7, 60])),
        "order": np.concatenate([cycle, rng.integers(0, N, seed % 3)]),  # some are visited twice
    }


KINDS = ("whole", "twice", "large", "tiny", "mixed")
CASES = [settings(*case) for case in product(KINDS, (-1, 0, 1), range(36))]  # 540 data sets


def problem(case, **more):
    """The same settings by the model's names."""
    names = {"sign_of_zero": "signOfZero", "max_updates": "maxUpdates", "order": "cycle"}
    arrays = {names.get(key, key): np.asarray(value).tolist() for key, value in case.items()}
    return {**arrays, **more}


def check_walk(run, answer):
    """Every w_t, every pick, how it ended."""
    assert answer["weights"] == run.weights.tolist()
    assert answer["picks"] == run.picks.tolist()
    assert answer["halted"] == (not len(run.errors) or int(run.errors[-1]) == 0)


def test_pla_agrees_with_python_to_the_last_bit_on_540_data_sets(ask):
    ends = set()
    answers = ask("pla", *([problem(case)] for case in CASES))
    for case, answer in zip(CASES, answers, strict=True):
        with warnings.catch_warnings(action="ignore", category=BudgetWarning):
            run = pla(**case)
        check_walk(run, answer)
        assert answer["visits"] == run.visits
        ends.add((run.halted, run.updates > 0))
    assert ends == {(True, True), (True, False), (False, True), (False, False)}  # every way to end was there


@pytest.mark.parametrize("order", ["given", "random"])
def test_pocket_agrees_with_python_to_the_last_bit_on_540_data_sets(ask, order):
    runs = [pocket(**case if order == "given" else {**case, "order": order}, rng=k) for k, case in enumerate(CASES)]
    draws = [np.random.default_rng(k).random(60).tolist() if order == "random" else None for k in range(len(CASES))]
    problems = [problem(case, draws=each) for case, each in zip(CASES, draws, strict=True)]
    walks = ask("pocket", *([each] for each in problems))
    again = ask("replay", *([each, run.picks.tolist()] for each, run in zip(problems, runs, strict=True)))
    for run, walk, replayed in zip(runs, walks, again, strict=True):
        check_walk(run, walk)
        check_walk(run, replayed)
        assert walk["errors"] == run.errors.tolist()
        assert (walk["bestAt"], walk["visits"]) == (run.best_at, run.visits)


# --- the plane and the proof ------------------------------------------------------------------------------------------


def test_lines_regions_and_areas_are_those_of_python(ask):
    rng = np.random.default_rng(0)
    pairs = [*rng.normal(size=(200, 2, 3)), *rng.integers(-2, 3, (200, 2, 3)).astype(float)]
    square = Box(-1, 1, -1, 1)._asdict()
    lines = ask("lineInBox", *([w.tolist(), BOX._asdict()] for w, _ in pairs))
    parts = ask("halfPlane", *([BOX.corners.tolist(), w.tolist()] for w, _ in pairs))
    apart = ask("disagreement", *([w.tolist(), v.tolist(), square] for w, v in pairs))
    sizes = ask("area", *([part] for part in parts))
    for (w, v), line, size, share in zip(pairs, lines, sizes, apart, strict=True):
        np.testing.assert_allclose(np.reshape(line, (-1, 2)), line_in_box(w, BOX), atol=1e-9)
        assert size == pytest.approx(area(half_plane(BOX.corners, w)), abs=1e-9)
        assert share == pytest.approx(disagreement(w, v), abs=1e-12)


def test_the_lines_of_the_proof_are_those_of_python(ask):
    data = running_example()
    run = pla(*data)
    trace = proof_trace(run, data.target)
    [same] = ask("pla", [widgets.play(run).spec["problem"]])
    [answer] = ask("proof", [same, data.target.tolist()])
    assert (answer["R"], answer["rho"], answer["bound"]) == pytest.approx((trace.R, trace.rho, trace.bound))
    sides = [side for line in answer["lines"] for side in (line["measured"], line["bound"])]
    names = ("inner", "inner_bound", "norm_squared", "norm_squared_bound", "cosine", "cosine_bound")
    for name, side in zip(names, sides, strict=True):
        first = 1 if name == "cosine" else 0  # w₀ = 0 has no angle
        np.testing.assert_allclose(side[first:], getattr(trace, name)[first:])


@pytest.mark.parametrize("rho", [0.01, 0.1, 0.37])
def test_the_points_with_a_margin_are_those_of_python_to_the_last_bit(ask, rho):
    explorer = widgets.margin_explorer(rho=rho)
    spec = explorer.spec
    target = {key: spec[key] for key in ("wF", "length", "farthest")}
    moved = ask("withMargin", *([each, target, rho] for each in spec["sets"]))
    assert moved == [widgets.points_with_margin(rho, 30, 4 + k).X.tolist() for k in range(6)]

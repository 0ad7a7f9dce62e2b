"""The stage, seen from Python: what the script is given, and what the stepper's real controls do."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from plahelpers import _theme, mistakes, noisy_running_example, pla, pocket, running_example
from plahelpers.datasets import noisy, separable, textbook_example
from plahelpers.learning import BudgetWarning, Run
from plahelpers.stage import play
from plahelpers.widgets import player, scene, stepper
from plahelpers.widgets.pla_stepper import LIVE_POINTS, LIVE_UPDATES, Stepper
from plahelpers.widgets.scene import box_around, line_in_box, say, to_data, to_picture, words

FOLDER = Path(player.__file__).parent
WHOLE = [0, 1000, 1000, 1000, 1000, 0, 0, 0]  # the corners of the picture


@pytest.fixture(scope="module")
def run() -> Run:
    return pla(*running_example())


@pytest.fixture(scope="module")
def pocket_run() -> Run:
    return pocket(*noisy_running_example(), order="cyclic", max_updates=100)


def scripts_in(page: str) -> list[tuple[str, str]]:
    """The type and the content of each script."""
    return re.findall(r'<script type="([^"]*)">(.*?)</script>', page, re.DOTALL)


def scene_in(page: str) -> dict[str, Any]:
    [scene] = [json.loads(data) for kind, data in scripts_in(page) if kind == "application/json"]
    return dict(scene)


def wrong_in(frame: dict[str, Any]) -> list[int]:
    """Which points a frame rings, read off its hexadecimal digits."""
    bits = "".join(f"{int(digit, 16):04b}" for digit in frame["wrong"])
    return [k for k, bit in enumerate(bits) if bit == "1"]


def test_the_page_holds_the_run_and_nothing_but_the_run(run: Run) -> None:
    page = play(run)._repr_html_()
    assert page == play(pla(*running_example()))._repr_html_()  # the same bytes for the same run
    scene = scene_in(page)
    box, frames = box_around(run.X), scene["frames"]
    assert [frame["t"] for frame in frames] == list(range(run.updates + 1))
    assert [frame["pick"] for frame in frames[:-1]] == run.picks.tolist() == [1, 4, 9, 10, 18, 4, 4, 9]
    assert "pick" not in frames[-1]
    assert [point[2:] for point in scene["points"]] == [[label, n] for n, label in enumerate(run.y)]
    places = [to_data(box, u, v) for u, v, *_ in scene["points"]]
    np.testing.assert_allclose(places, run.X, atol=1e-3)
    for frame, w in zip(frames, run.weights, strict=True):
        assert wrong_in(frame) == mistakes(w, run.X, run.y).tolist()
        assert frame.get("vectors", {"w": w[1:]})["w"] == pytest.approx(w[1:], rel=1e-3)
    assert frames[0]["vectors"]["next"] == pytest.approx(run.weights[1, 1:], rel=1e-3)
    assert frames[-1]["words"] == "PLA halted: 8 updates, no mistakes left; w = (-4, 3.72, -0.66)."
    assert scene["note"] == ""
    colours = [scene["look"][name] for name in ("plus", "minus", "mistake")]
    assert colours == [_theme.PLUS, _theme.MINUS, _theme.MISTAKE]


def test_a_step_is_told_in_words(run: Run) -> None:
    assert words(run, 2) == (
        "Update 3 of 8 corrects example 9, a −, at (-0.68, -2.09). w changes from (0, 1.31, -1.09) to "
        "(-1, 1.99, 0.99). 6 mistakes are left (there were 2)."
    )
    assert words(run, 5).endswith("1 mistake is left (there were 5).")
    assert words(run, 6).endswith("2 mistakes are left (there was 1).")
    assert words(run, 7).endswith("No mistakes are left (there were 2).")
    with pytest.raises(ValueError, match=r"t = 9 is past the end: this run has T = 8 updates\."):
        words(run, 9)


@pytest.mark.parametrize(
    ("w0", "sign_of_zero", "sentence", "plus"),
    [
        ([0, 0, 0], -1, "w = 0 has no line: it says −1 everywhere.", []),
        ([0, 0, 0], 1, "w = 0 has no line: it says +1 everywhere.", WHOLE),
        ([0, 0, 0], 0, "w = 0 has no line: every example counts as lying on it, and so as a mistake.", []),
        ([2, 0, 0], -1, "w has no line: it says + everywhere.", WHOLE),
        ([99, 1, 0], -1, "w = (99, 1, 0), whose line is outside the picture", WHOLE),
    ],
)
def test_where_no_line_is_drawn_the_words_and_the_shade_say_what_w_says(
    w0: list[int], sign_of_zero: Any, sentence: str, plus: list[int]
) -> None:
    first = play(pla(*running_example(), w0=w0, sign_of_zero=sign_of_zero)).scene["frames"][0]
    assert sentence in (first["w"], first["words"][: len(sentence)])
    assert first["plus"] == plus
    assert first.get("undecided", False) is (sign_of_zero == 0)
    assert "line" not in first


def test_a_pocket_run_shows_the_line_in_the_pocket_and_a_long_one_the_update_that_found_it(pocket_run: Run) -> None:
    frames = play(pocket_run).scene["frames"]
    box = box_around(pocket_run.X)
    best, in_pocket = 0, []
    for t, errors in enumerate(pocket_run.errors):  # the pocket as the lecture tells it
        best = t if errors < pocket_run.errors[best] else best
        in_pocket.append(best)
    assert in_pocket[-1] == pocket_run.best_at
    for frame, best in zip(frames, in_pocket, strict=True):
        ends = to_picture(box, line_in_box(pocket_run.weights[best], box)).ravel()
        assert frame.get("pocket", []) == pytest.approx(ends, abs=0.06)
        assert frame["w"].endswith("; the w in the pocket has no line in the picture") is (len(ends) == 0)
    for t in range(pocket_run.updates):
        newly = in_pocket[t + 1] == t + 1
        assert ("so the new w goes into the pocket." in words(pocket_run, t)) is newly
        assert (f"The pocket keeps the w of t = {in_pocket[t]}," in words(pocket_run, t)) is not newly
    longer = pocket(*noisy_running_example(), max_updates=5000, rng=3)
    assert longer.best_at in [frame["t"] for frame in play(longer).scene["frames"]]


def test_a_step_size_other_than_one_and_axes_of_different_scales_are_named(run: Run) -> None:
    scene = play(pla(run.X * [1000, 1], run.y, eta=0.5)).scene
    assert scene["frames"][0]["vectors"]["names"][1:] == ["η·y·x of example 1", "the next w: w + η·y·x"]
    assert "different scales" in scene["note"]


def test_the_page_needs_no_address_and_claims_no_id(run: Run) -> None:
    page = play(run)._repr_html_()
    assert re.findall(r"<[^>]*\b(src|href|id)=", re.sub("<script.*?</script>", "", page, flags=re.DOTALL)) == []
    [data, script] = scripts_in(page)
    assert (data[0], script) == ("application/json", ("module", stepper().stage._esm))  # one script for both


@pytest.mark.parametrize(("updates", "N"), [(10_000, 20), (1500, 4000)])
def test_a_page_stays_under_100_kb_and_says_what_it_leaves_out(updates: int, N: int) -> None:
    with pytest.warns(BudgetWarning):
        run = pla(*(noisy_running_example() if N == 20 else noisy(N, noise=0.3, rng=1)), max_updates=updates)
    page = play(run)._repr_html_()
    assert len(page.encode()) < 100_000
    scene = scene_in(page)
    times = [frame["t"] for frame in scene["frames"]]
    first = next(k for k in range(len(times)) if times[k + 1] != k + 1) + 1
    assert (times[0], times[-1]) == (0, updates)
    assert f"of its {updates:,} updates the first {first:,} are shown" in scene["note"]
    gap = int(re.findall(r"one in about ([\d,]+)", scene["note"])[0].replace(",", ""))
    assert np.diff(times[first:]) == pytest.approx(gap, abs=1.5)
    assert ("examples are drawn" in scene["note"]) is (len(scene["points"]) < N)
    assert scene["scale"] == (1 if N == 20 else 0.4)  # many points have small marks
    drawn = np.array([n for *_, n in scene["points"]])
    for frame in scene["frames"][:-1]:
        assert drawn[frame["pick"]] == run.picks[frame["t"]]
        wrong = mistakes(run.weights[frame["t"]], run.X, run.y)
        assert drawn[wrong_in(frame)].tolist() == np.intersect1d(drawn, wrong).tolist()
        assert frame["head"].endswith(f": {len(wrong):,} mistakes")


def test_in_a_terminal_the_run_is_told_in_sentences_and_the_rest_of_a_long_one_is_counted(run: Run) -> None:
    assert repr(play(run)).splitlines() == [words(run, t) for t in range(9)]
    longer = play(pocket(*noisy_running_example(), max_updates=100, rng=0))
    assert "(88 more updates.)" in repr(longer)
    assert "After these: 88 more updates." in longer._repr_html_()  # below the table, where no script runs
    at_once = play(pla(*running_example(), w0=[-1, 2, -1]))
    assert repr(at_once) == "PLA halted: no updates, no mistakes left; w = (-1, 2, -1)."
    assert "<table>" not in at_once._repr_html_()


@settings(max_examples=30, deadline=None)
@given(arrays(np.float64, 3, elements=st.floats(-9, 9).map(lambda value: round(value, 3))))
def test_the_drawn_line_its_normal_and_the_shaded_region_are_those_of_w(w: np.ndarray) -> None:
    run = pla([[-5.0, -3.0], [5.0, 7.0]], [1, 1], w0=w)
    box, drawn = box_around(run.X), play(run).scene["frames"][0]
    close = 0.01 * np.abs(w).sum()  # a tenth of a picture unit
    line = np.reshape(drawn.get("line", []), (-1, 2))
    for u, v in line:
        assert u in {0, 1000} or v in {0, 1000}
        assert abs(w @ [1, *to_data(box, u, v)]) <= close
    for u, v in np.reshape(drawn["plus"], (-1, 2)):
        assert w @ [1, *to_data(box, u, v)] >= -close
    if len(line):
        foot, tip = np.reshape(drawn["normal"], (2, 2))
        along = line[1] - line[0]
        assert abs((tip - foot) @ along) <= 0.2 * np.hypot(*along) + 20  # each end is right to a tenth of a unit
        assert w @ [1, *to_data(box, *tip)] > w @ [1, *to_data(box, *foot)]


def test_ticks_are_round_numbers_at_their_places(run: Run) -> None:
    box, ticks = box_around(run.X), play(run).scene["ticks"]
    assert [text for _, text in ticks[0]] == ["−4", "−2", "0", "2", "4"]
    for axis in (0, 1):
        for place, text in ticks[axis]:
            assert to_data(box, place, place)[axis] == pytest.approx(float(text.replace("−", "-")), abs=1e-3)


@settings(max_examples=50, deadline=None)
@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3))
def test_there_are_three_to_eight_ticks_inside_every_picture(low: float, width: float) -> None:
    X = np.array([[low, low], [low + width, low + width]])
    for ticks in play(pla(X, [1, 1], w0=[1, 0, 0])).scene["ticks"]:
        assert 3 <= len(ticks) <= 8
        assert all(0 <= place <= 1000 and text != "−0" for place, text in ticks)


@pytest.fixture
def live() -> Stepper:
    return stepper()


def frame_of(live: Stepper) -> dict[str, Any]:
    [frame] = live.stage.scene["frames"]
    return dict(frame)


def send(live: Stepper, **message: Any) -> None:
    """A message from the page, on the way it really takes."""
    live.stage._handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})


def test_step_run_back_and_reset_walk_along_the_run_of_pla(live: Stepper, run: Run) -> None:
    assert frame_of(live)["words"] == words(run, 0)
    assert (live.back.disabled, live.reset.disabled, live.step.disabled) == (True, True, False)
    for t in range(1, 9):
        live.step.click()
        assert frame_of(live)["words"] == words(run, t)
    assert (live.step.disabled, live.run.disabled, live.back.disabled) == (True, True, False)
    live.back.click()
    assert frame_of(live) == play(run).scene["frames"][7]
    live.reset.click()
    assert frame_of(live)["t"] == 0
    live.run.click()
    assert frame_of(live)["words"] == words(run, 8)


def test_order_sign_and_seed_are_those_of_pla(live: Stepper) -> None:
    live.sign_of_zero.value, live.seed.value = 0, 7
    for order in ("cyclic", "shuffled", "random"):
        live.order.value = order
        assert frame_of(live)["t"] == 0
        live.run.click()
        expected = pla(*running_example(), order=order, sign_of_zero=0, rng=7)
        assert frame_of(live)["words"] == f"{expected!r}."


def test_a_seed_draws_new_points_only_where_points_are_drawn(live: Stepper) -> None:
    before = live.stage.scene["points"]
    live.seed.value = 1
    assert live.stage.scene["points"] == before
    live.data.value = "separable"
    live.seed.value = 2
    np.testing.assert_array_equal(live.state.X, separable(20, margin=0.2, low=-5, high=5, rng=2).X)
    live.data.value = "noisy"
    np.testing.assert_array_equal(live.state.y, noisy(20, noise=0.1, margin=0.2, low=-5, high=5, rng=2).y)
    points = live.stage.scene["points"]
    live.data.value = "your own"
    assert live.stage.scene["points"] == points
    live.data.value = "running example"
    assert live.stage.scene["points"] == before


@pytest.mark.parametrize("by_mouse", [True, False])
def test_mouse_and_fields_add_move_flip_select_and_remove(live: Stepper, by_mouse: bool) -> None:
    box, X = live.state.box, running_example().X

    def do(kind: str, at: tuple[float, float] = (0, 0), **message: Any) -> None:
        live.x1.value, live.x2.value = to_data(box, *at)
        if by_mouse:
            send(live, kind=kind, number=1, u=at[0], v=at[1], **message)
        elif kind == "select":
            live.example.value = message["k"]
        else:
            live.label.value = message.get("label", live.label.value)
            getattr(live, kind).click()

    do("add", (620, 140), label=-1)
    assert live.stage.scene["points"][20] == [620, 140, -1, 20]
    assert live.stage.scene["selected"] == live.example.value == 20
    assert (live.x1.value, live.x2.value) == pytest.approx(to_data(box, 620, 140), abs=1e-4)
    assert (live.label.value, live.data.value) == (-1, "your own")
    do("move", (400, 500.5), k=20)
    do("flip", k=20)
    assert live.stage.scene["points"][20] == [400, 500.5, 1, 20]
    assert live.label.value == 1
    do("select", k=3)
    assert (live.x1.value, live.x2.value) == pytest.approx(X[3], abs=1e-4)
    do("remove", k=3)
    np.testing.assert_array_equal(live.state.X[:19], np.delete(X, 3, axis=0))
    assert "selected" not in live.stage.scene
    assert live.stage.heard == by_mouse


def test_an_edit_is_answered_by_a_new_run_of_pla(live: Stepper) -> None:
    live.run.click()
    send(live, kind="flip", number=1, k=4)
    X, y = running_example()
    y[4] *= -1
    assert frame_of(live)["words"] == f"{pla(X, y)!r}."  # who watched the end goes on watching the end
    live.reset.click()
    live.step.click()
    send(live, kind="flip", number=2, k=4)
    assert frame_of(live)["t"] == 1


def test_no_points_is_a_sentence_and_not_an_error(live: Stepper) -> None:
    live.clear.click()
    assert live.stage.scene["points"] == []
    assert live.stage.scene["note"].startswith("There are no points yet. Click in the picture")
    assert live.step.disabled
    live.remove.click()
    assert live.stage.scene["note"] == "There is no example 0: there are no points."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda live: setattr(live.seed, "value", -1), "Seed must be at least 0, not -1."),
        (lambda live: setattr(live.example, "value", 99), "There is no example 99: they are numbered 0 to 19."),
        (lambda live: (setattr(live.x1, "value", 60.0), live.add.click()), "(60, 0) is outside the picture, which"),
        (lambda live: (setattr(live.x2, "value", float("nan")), live.move.click()), "X₂ must be a number from"),
        (lambda live: send(live, kind="dance", number=1), "Kind must be one of 'add', 'move', 'flip', 'remove'"),
        (lambda live: send(live, kind="flip", number=1, k=20), "There is no example 20: they are numbered 0 to 19."),
    ],
)
def test_what_cannot_be_done_is_told_in_the_picture_and_changes_nothing(
    live: Stepper, change: Any, sentence: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    before = live.state
    change(live)
    assert live.stage.scene["note"].startswith(sentence)
    assert live.state is before
    assert caplog.text == ""
    assert capsys.readouterr() == ("", "")
    live.step.click()
    assert live.stage.scene["note"] == ""  # the next good deed takes the sentence away


@pytest.mark.parametrize(
    ("data", "button", "sentence"),
    [
        (([[1, 2], [3, 4], [2, 0]], [1, 1, 1]), "run", "All points are +: PLA only has to learn to say +."),
        (noisy_running_example(), "run", "A live run stops after 1,000 updates, and mistakes are left. That proves"),
        (separable(LIVE_POINTS, rng=0), "add", "The picture is full: 200 points are the most."),
    ],
)
def test_one_class_a_spent_budget_and_a_full_picture_get_a_sentence(data: Any, button: str, sentence: str) -> None:
    X, y = data
    live = stepper(X, y)
    getattr(live, button).click()
    assert live.stage.scene["note"].startswith(sentence)
    assert len(live.state.y) == len(y)
    assert frame_of(live)["t"] == (live.state.T if button == "run" else 0)
    assert live.state.T <= LIVE_UPDATES


def test_your_own_points_and_settings_can_be_given_and_stay_unchanged() -> None:
    X, y = textbook_example()
    live = stepper(X, y, sign_of_zero=0, order="random", seed=5)
    assert (live.data.value, live.order.value, live.sign_of_zero.value, live.seed.value) == ("your own", "random", 0, 5)
    live.run.click()
    assert frame_of(live)["words"] == f"{pla(*textbook_example(), order='random', sign_of_zero=0, rng=5)!r}."
    send(live, kind="flip", number=1, k=0)
    send(live, kind="move", number=2, k=0, u=10, v=10)
    np.testing.assert_array_equal(X, textbook_example().X)
    np.testing.assert_array_equal(y, textbook_example().y)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: play(pla(*separable(10, 3, rng=0))), r"d = 2; this run has d = 3\. Run it on two of the columns"),
        (lambda: play(pla(*running_example(), keep_path=False)), "run it again with keep_path=True"),
        (lambda: play(3), r"play\(pla\(X, y\)\); this is 3\."),  # type: ignore[arg-type]
        (lambda: stepper([[1, 2]]), "give both X and y"),
        (lambda: stepper([[1, 2, 3]], [1]), r"d = 2; X has 3 columns\. Give two"),
        (lambda: stepper(np.ones((201, 2)), [1] * 201), "X has 201 examples; the stepper takes 200 at most"),
        (lambda: stepper(order="backwards"), "order must be one of 'cyclic', 'shuffled', 'random'"),
        (lambda: stepper(seed=-3), "seed must be at least 0"),
    ],
)
def test_what_cannot_be_played_or_stepped_through_is_told_why(make: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_where_no_kernel_runs_the_stepper_is_a_player_of_its_first_run(live: Stepper, run: Run) -> None:
    live.clear.click()
    bundle = live._repr_mimebundle_()
    assert bundle["text/html"] == play(run)._repr_html_()
    assert bundle["text/plain"] == repr(play(run))
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == live.model_id


def calls_of_say() -> Iterator[tuple[str, set[str]]]:
    """Each id that the widgets' code looks up, and the placeholders that it fills."""
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name("say"), args=[ast.Constant(str(key))]):
                    yield key, {str(keyword.arg) for keyword in node.keywords}
                case ast.Call(func=ast.Attribute(attr="_button"), args=[ast.Constant(str(name)), _]):
                    yield from ((f"stepper.{name}", set()), (f"stepper.{name}_does", set()))
    for name in re.findall(r"\btext\.(\w+)", (FOLDER / "stage.js").read_text(encoding="utf-8")):
        yield f"page.{name}", {"n"} if name == "example" else set()


def test_every_text_of_the_widgets_exists_is_used_and_has_all_its_placeholders_filled() -> None:
    texts = scene._TEXTS
    used = dict(calls_of_say())
    assert used.keys() == texts.keys()
    for key, placeholders in calls_of_say():
        assert placeholders == {field for _, field, *_ in Formatter().parse(texts[key]) if field}, key
    assert say("step.left", mistakes="No mistakes") == "No mistakes are left"

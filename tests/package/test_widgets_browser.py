"""The widgets in a real browser: in a page from a file, by mouse, finger and keyboard. See also test_lab_browser."""

import re
from importlib import resources

import numpy as np
import pytest
from playwright.sync_api import expect

from plahelpers import best_line, mistakes, noisy_running_example, pla, play, pocket, running_example, separate, widgets
from plahelpers.datasets import noisy
from plahelpers.geometry import box_around, disagreement, line_in_box
from plahelpers.guarantee import radius
from plahelpers.hypothesis import error_rate
from tests.browser import needs_chromium, opened

pytestmark = needs_chromium
RUN = pla(*running_example())
BOX = box_around(RUN.X)
WIDGET = "div.pla-stage"
HEAD = """<!doctype html><html lang='en'><title>Widgets</title><meta charset='utf-8'>
<meta name='viewport' content='width=device-width'>"""


def page_of(widget):
    """The HTML of a widget, as a notebook stores it."""
    return widget._repr_html_() if hasattr(widget, "_repr_html_") else widget._repr_mimebundle_()[0]["text/html"]


@pytest.fixture
def show(browser, troubles, tmp_path):
    """A function that opens a page from a file with these widgets; at the end nothing has gone wrong on it."""

    def show(*shown, style="", clock=False, motion="reduce", **options):
        page = opened(browser, troubles, reduced_motion=motion, **options)
        if clock:
            page.clock.install(time=0)
        file = tmp_path / "page.html"
        file.write_text(f"{HEAD}<body style='{style}'>" + "\n".join(map(page_of, shown)), encoding="utf-8")
        page.goto(file.as_uri())
        if clock:
            page.clock.pause_at(3600)  # seconds: from now on time passes only in `run_for`
        return page

    yield show
    assert troubles == []


@pytest.fixture(scope="module")
def every():
    """One of each kind."""
    explorers = widgets.hypothesis_explorer(), widgets.margin_explorer(), widgets.pocket_explorer()
    return [play(RUN), widgets.stepper(), *explorers, widgets.proof_stage(RUN)]


# --- places, lines and words of a picture -----------------------------------------------------------------------------


def in_picture(x, box=BOX):
    """Where points of the plane are in the picture, in its units."""
    x = np.reshape(x, (-1, 2))
    across, up = box.spans
    return np.column_stack([(x[:, 0] - box.left) / across, (box.top - x[:, 1]) / up]) * 1000


def in_plane(u, v):
    """Which point of the plane is at a place of the picture."""
    return [BOX.left + u / 1000 * BOX.spans[0], BOX.top - v / 1000 * BOX.spans[1]]


def on_screen(stage, u, v):
    """Where a place of the picture is on the screen."""
    there = "(svg, [u, v]) => { const p = new DOMPoint(u, v).matrixTransform(svg.getScreenCTM()); return [p.x, p.y] }"
    return stage.locator("svg.picture").evaluate(there, [u, v])


def drag(page, stage, start, end):
    """Drag what is at one place of the picture to another."""
    page.mouse.move(*on_screen(stage, *start))
    page.mouse.down()
    page.mouse.move(*on_screen(stage, *end), steps=4)
    page.mouse.up()


def numbers(path):
    return [float(number) for number in re.findall(r"-?[\d.]+", path.get_attribute("d") or "")]


def ringed(stage):
    """The numbers of the points that have a ring."""
    shown = "rings => rings.map(ring => ring.getAttribute('visibility') === 'visible')"
    return np.flatnonzero(stage.locator("svg.picture .point .ring:not(.outer)").evaluate_all(shown)).tolist()


def assert_line(stage, name, w, box=BOX):
    """The line of this name is that of w."""
    drawn, ends = numbers(stage.locator(f"svg.picture path.line.{name}")), in_picture(line_in_box(w, box), box)
    np.testing.assert_allclose(np.sort(drawn), np.sort(ends.ravel()), atol=0.06)


def text(node):
    """What is read, with ordinary blanks."""
    return node.inner_text().replace("\u00a0", " ")


def head_of(stage):
    return text(stage.locator(".head"))


def move_slider(stage, name, value):
    """Set a slider as a hand does: the page hears of it."""
    stage.get_by_role("slider", name=name).fill(str(value))


# --- the player -------------------------------------------------------------------------------------------------------


def assert_shows(stage, t, run=RUN):
    """The player is at rest at step t of the run: its count, its line, its mistakes and its pick."""
    expect(stage.locator(".head")).to_contain_text(re.compile(rf"^t\s=\s{t} of (T\s=\s)?{run.updates}: "))
    expect(stage.locator(".pulse")).to_be_hidden()
    assert_line(stage, "g", run.weights[t], box_around(run.X))
    assert len(ringed(stage)) == run.errors[t]
    assert stage.locator("svg.picture text.pick").last.inner_html() == (str(run.picks[t]) if t < run.updates else "")


def test_players_on_a_page_step_by_buttons_and_slider_each_on_its_own_and_show_the_line_in_the_pocket(show):
    longer = pocket(*noisy_running_example(), max_updates=40, rng=1)
    page = show(play(RUN), play(longer))
    one, two = page.locator(WIDGET).all()
    for name, t in [("Next", 1), ("Last", RUN.updates), ("Back", RUN.updates - 1), ("First", 0)]:
        one.get_by_role("button", name=name).click()
        assert_shows(one, t)
    for t in (1, 9, 25, 40, 17):
        move_slider(two, "Step", t)
        assert_shows(two, t, longer)
        best = int(np.argmin(longer.errors[: t + 1]))
        assert_line(two, "pocket", longer.weights[best])
        kept = f"The pocket keeps the w of t = {best}" if best != t else "it goes into the pocket"
        assert kept in text(two.locator(".words"))
    assert_shows(one, 0)


def vector(w):
    """A vector as the page writes it: with a true minus, and nothing that breaks over two lines."""
    entries = [f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−") for value in w]
    return "(" + ",\u00a0".join(entries) + ")"


def test_the_player_does_not_give_the_next_w_away_and_shows_it_after_the_step(show):
    stage = show(play(RUN)).locator(WIDGET)
    for t in range(RUN.updates):
        words = stage.locator(".stage").inner_text()
        assert vector(RUN.weights[t]) in words
        assert vector(RUN.weights[t + 1]) not in words
        assert stage.locator("text.none").text_content() == ("w\u00a0=\u00a00: no line" if t == 0 else "")
        tips = [stage.locator(f"svg.picture .arrow.{name} .tip").count() for name in ("w", "step", "before")]
        assert tips == [int(t > 0), 1, 0]  # w, unless it is 0, and y·x: no third arrow
        stage.get_by_role("button", name="Next").click()
        assert f"Before it, w was {vector(RUN.weights[t])}" in stage.locator(".words").inner_text()
    assert "-" not in stage.locator(".text").inner_text()


def arrow_of(stage, name):
    """Foot and tip of an arrow in the picture."""
    shaft, tip = (numbers(stage.locator(f"svg.picture .arrow.{name} path").nth(k)) for k in (0, 1))
    return np.array([shaft[:2], tip[:2]])


def test_an_update_is_a_movement_y_x_slides_to_the_tip_of_w_and_the_line_turns_through_lines_between(show):
    t = 1
    page = show(play(RUN), clock=True, motion="no-preference")
    stage = page.locator(WIDGET)
    move_slider(stage, "Step", t)
    before, w = arrow_of(stage, "step"), arrow_of(stage, "w")
    stage.get_by_role("button", name="Next").click()
    page.clock.run_for(200)
    assert_line(stage, "g", RUN.weights[t])
    under_way = arrow_of(stage, "step")
    np.testing.assert_allclose(under_way[1] - under_way[0], before[1] - before[0], atol=0.2)
    assert 0 < np.hypot(*(under_way[0] - before[0])) < np.hypot(*(w[1] - before[0]))
    page.clock.run_for(150)
    np.testing.assert_allclose(arrow_of(stage, "step")[0], w[1], atol=0.2)  # its foot is at the tip of w
    page.clock.run_for(200)
    (u1, v1), (u2, v2) = line_of(stage)
    now = np.cross([1, *in_plane(u1, v1)], [1, *in_plane(u2, v2)])
    now *= np.sign(now @ RUN.weights[t])
    share = np.linalg.lstsq(RUN.weights[t : t + 2].T, now, rcond=None)[0]
    assert (share > 0.05 * np.abs(now).max()).all()  # a mixture of both, and neither of them
    np.testing.assert_allclose(share @ RUN.weights[t : t + 2], now, atol=0.02 * np.abs(now).max())
    assert set(ringed(stage)) == {*mistakes(now, RUN.X, RUN.y), RUN.picks[t]}
    page.clock.run_for(200)
    assert_shows(stage, t + 1)


def test_who_is_fast_or_asks_for_less_motion_gets_the_end_of_an_update_at_once(show):
    page = show(play(RUN), widgets.stepper(), clock=True, motion="no-preference")  # time stands still
    player, stepper = page.locator(WIDGET).all()
    player.locator("svg.picture").focus()
    page.keyboard.press("ArrowRight")
    expect(player.locator(".pulse")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert_shows(player, 2)
    for _ in range(3):
        stepper.get_by_role("button", name="Step").click()
    assert_shows(stepper, 3)
    page = show(play(RUN), clock=True)
    page.get_by_role("button", name="Next").click()
    assert_shows(page.locator(WIDGET), 1)


def test_play_runs_to_the_end_pauses_is_not_read_out_meanwhile_and_is_slower_for_who_asks_for_less_motion(show):
    page = show(play(RUN), clock=True, motion="no-preference")
    stage, spoken = page.locator(WIDGET), page.get_by_role("status")
    stage.get_by_role("button", name="Play").click()
    page.clock.run_for(1500 + 800)
    assert_shows(stage, 2)
    expect(spoken).to_have_text("")
    page.keyboard.press("Space")
    page.clock.run_for(10_000)
    assert_shows(stage, 2)
    page.keyboard.press("ArrowRight")
    page.clock.run_for(800)
    expect(spoken).to_contain_text("Update 3 corrected example 9")
    page.keyboard.press("Space")
    page.clock.run_for(20_000)
    assert_shows(stage, RUN.updates)
    expect(stage.get_by_role("button", name="Play")).to_have_text("Play")
    page = show(play(RUN), clock=True)
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(2500)
    assert_shows(page.locator(WIDGET), 1)


def degrees(v, w):
    """The angle between two arrows."""
    return np.degrees(np.arccos(v @ w / np.hypot(*v) / np.hypot(*w)))


def test_a_line_that_was_predicted_by_keys_mouse_or_finger_is_judged_by_the_angle_to_the_one_that_comes(show):
    page = show(play(RUN), has_touch=True, viewport={"width": 1200, "height": 1000})
    stage = page.locator(WIDGET)
    for name in ("Next", "Predict", "Next"):  # what was not touched is no prediction
        stage.get_by_role("button", name=name).click()
    expect(stage.locator(".note")).to_have_text("")
    ghost = stage.get_by_role("slider", name="Your line")
    ghost.focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    turn = np.radians(10)
    predicted = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ RUN.weights[2, 1:]
    angle = round(np.degrees(np.arctan2(predicted[1], predicted[0])))
    expect(ghost).to_have_attribute("aria-valuenow", str(angle))
    page.keyboard.press("Enter")
    angles = [degrees(predicted, RUN.weights[3, 1:])]
    expect(stage.locator(".note")).to_have_text(
        f"Your arrow was {angles[0]:.0f}° off. Mean so far: {angles[0]:.0f}° (1 step)."
    )
    for t, place, by_finger in [(3, (900, 300), False), (4, (200, 100), True)]:
        foot, tip = arrow_of(stage, "ghost")
        if by_finger:
            swipe(page, on_screen(stage, *tip), on_screen(stage, *place))
        else:
            drag(page, stage, tip, place)
        stage.get_by_role("button", name="Next").click()
        predicted = (place - foot) * [1, -1]  # up is down in a picture
        angles.append(degrees(predicted, RUN.weights[t + 1, 1:]))
        said = f"{angles[-1]:.0f}° off. Mean so far: {np.mean(angles):.0f}° ({len(angles)} steps)."
        expect(stage.locator(".note")).to_contain_text(said)
    assert_shows(stage, 5)


# --- the stepper ------------------------------------------------------------------------------------------------------


def open_drawer(stage):
    stage.locator("summary").click()


def test_every_edit_by_mouse_makes_pla_run_again(show):
    page = show(widgets.stepper(), viewport={"width": 1200, "height": 1100})
    stage, (X, y) = page.locator(WIDGET), running_example()
    assert head_of(stage) == "t = 0 of T = 8: 7 mistakes"

    def click(*keys):
        for key in keys:
            page.keyboard.down(key)
        page.mouse.click(*on_screen(stage, 620, 140))
        for key in keys:
            page.keyboard.up(key)

    added, moved = np.vstack([X, in_plane(620, 140)]), np.vstack([X, in_plane(400, 500)])
    for edit, points, labels in [
        (click, added, [*y, 1]),
        (lambda: click("Shift"), added, [*y, -1]),
        (lambda: drag(page, stage, (620, 140), (400, 500)), moved, [*y, -1]),
        (lambda: page.keyboard.press("Delete"), X, y),
    ]:
        edit()
        run = pla(points, labels)
        assert head_of(stage) == f"t = 0 of T = {run.updates}: {run.errors[0]} mistakes"
    stage.get_by_role("button", name="Run").click()
    assert head_of(stage) == "t = 8 of T = 8: no mistakes"


def test_the_stepper_is_driven_by_the_keyboard_alone_and_says_where_the_selected_point_is(show):
    page = show(widgets.stepper())
    stage, (X, y) = page.locator(WIDGET), running_example()
    stage.locator("svg.picture").focus()
    for key in ("PageDown", "PageDown", "ArrowUp", "ArrowLeft", "f"):
        page.keyboard.press(key)
    X[1] += np.array([-0.01, 0.01]) * BOX.spans
    y[1] *= -1
    assert f"T = {pla(X, y).updates}:" in head_of(stage)
    expect(page.get_by_role("status")).to_contain_text(f"Example 1, a −, at {vector(X[1])}.".replace("\u00a0", " "))
    page.keyboard.press("Delete")
    X, y = np.delete(X, 1, axis=0), np.delete(y, 1)
    assert f"T = {pla(X, y).updates}:" in head_of(stage)
    page.keyboard.press("-")
    assert f"T = {pla(np.vstack([X, in_plane(500, 500)]), [*y, -1]).updates}:" in head_of(stage)


def test_orders_signs_and_data_sets_of_the_drawer_are_those_of_pla(show):
    page = show(widgets.stepper())
    stage, (X, y) = page.locator(WIDGET), running_example()
    open_drawer(stage)

    def press(name):
        stage.locator(".more").get_by_role("button", name=name, exact=True).click()

    press("0, always a mistake")
    assert head_of(stage) == "t = 0 of T = 5: 20 mistakes"  # the figures of chapter 2
    press("−1")
    page.evaluate("let last = 1; Math.random = () => (last /= 2)")  # so that the cycle is turned round
    press("shuffled")
    assert f"T = {pla(X, y, order=[*range(20)][::-1]).updates}:" in head_of(stage)
    for name in ("textbook example", "cyclic", "0, always a mistake"):
        press(name)
    assert head_of(stage) == "t = 0 of T = 7: 3 mistakes"  # the textbook's


def test_no_points_one_class_and_a_spent_budget_are_told_in_a_sentence(show):
    page = show(widgets.stepper(), widgets.stepper(*noisy_running_example()))
    stage, budget = page.locator(WIDGET).all()
    open_drawer(stage)
    stage.get_by_role("button", name="Clear").click()
    expect(stage.locator(".note")).to_contain_text("There are no points yet.")
    stage.locator("svg.picture").press("+")
    expect(stage.locator(".note")).to_contain_text("All points are +: PLA only has to learn to say +1.")
    assert head_of(budget).endswith("(budget: 1,000)")
    budget.get_by_role("button", name="Run").click()
    expect(budget.locator(".note")).to_contain_text("The budget is spent. This alone proves nothing:")


def swipe(page, *way):
    """Put a finger on the first place, draw it along the others, and lift it."""
    session = page.context.new_cdp_session(page)
    for kind, (x, y) in zip(["touchStart", *["touchMove"] * (len(way) - 1)], way, strict=True):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_nothing_jumps_when_the_data_change(show):
    stage = show(widgets.stepper(), viewport={"width": 1200, "height": 900}).locator(WIDGET)
    parts = [stage.locator(place) for place in (".panel", ".legend", ".more")]
    places = [part.bounding_box() for part in parts]
    for name in ("Step", "Step", "Run", "Back"):
        stage.get_by_role("button", name=name).click()
        assert [part.bounding_box() for part in parts] == places
    open_drawer(stage)
    places = [part.bounding_box() for part in parts]
    for data in ("noisy", "textbook example", "separable"):
        stage.get_by_role("button", name=data).click()
        stage.get_by_role("button", name="Run:").click()
        assert [part.bounding_box() for part in parts] == places


def test_a_finger_adds_and_drags_points_and_scrolls_the_page_over_the_picture(show):
    phone = {"viewport": {"width": 390, "height": 700}, "has_touch": True, "is_mobile": True}
    page = show(widgets.stepper(), play(RUN), **phone)
    stage, (X, y) = page.locator(WIDGET).first, running_example()
    marks = stage.locator("svg.picture .point")
    expect(stage.locator(".hint").first).to_have_text("Drag a point to move it, or tap to add one.")
    open_drawer(stage)
    assert min(button.bounding_box()["height"] for button in page.locator("button:visible").all()) >= 44
    open_drawer(stage)
    page.evaluate("scrollTo(0, 40)")
    page.touchscreen.tap(*on_screen(stage, 620, 140))
    expect(marks).to_have_count(21)
    swipe(page, *(on_screen(stage, *place) for place in [(620, 140), (735, 270), (850, 400)]))
    assert page.evaluate("scrollY") == 40  # the finger moved the point, not the page
    run = pla(np.vstack([X, in_plane(850, 400)]), [*y, 1])
    assert f"T = {run.updates}:" in head_of(stage)
    across, down = on_screen(stage, 60, 500)
    swipe(page, *((across, down - step) for step in (0, 60, 120, 180)))
    page.wait_for_function("scrollY > 60")
    expect(marks).to_have_count(21)


# --- the explorers ----------------------------------------------------------------------------------------------------


def line_of(stage):
    """The two ends of the perceptron's line in the picture."""
    return np.reshape(numbers(stage.locator("svg.picture path.line.g")), (2, 2))


def area_between(v, w):
    """Of the parallelogram of two arrows: 0 if they are parallel."""
    return abs(v[0] * w[1] - v[1] * w[0])


def test_three_sliders_and_the_line_itself_move_the_perceptron(show):
    page = show(widgets.hypothesis_explorer(), viewport={"width": 1200, "height": 1000})
    stage, (X, y) = page.locator(WIDGET), running_example()
    for w in ([0, 1, -1], [-1, 1, -1], [-1, 2, -1]):
        for name, value in zip(("w₀", "w₁", "w₂"), w, strict=True):
            move_slider(stage, name, value)
        wrong = mistakes(w, X, y).tolist()
        assert ringed(stage) == wrong
        assert head_of(stage) == f"{len(wrong)} of 20 points wrong ({5 * len(wrong)} %)"
    assert text(stage.locator(".words")) == "h(x) = sign(−1 + 2 x₁ − 1 x₂)."

    start, end = line_of(stage)
    pointer = (start + end) / 2 - [90, 45]
    drag(page, stage, tuple((start + end) / 2), tuple(pointer))
    moved, moved_end = line_of(stage)
    along = moved_end - moved
    assert area_between(end - start, along) < 1000  # parallel to where it was
    assert area_between(along, pointer - moved) / np.hypot(*along) < 5  # at the pointer
    tip, middle = numbers(stage.locator("svg.picture .arrow.w .tip"))[:2], (moved + moved_end) / 2
    drag(page, stage, tip, (middle[0], middle[1] - 200))  # w straight up
    left, right = line_of(stage)
    assert abs(right[1] - left[1]) < 0.05 * abs(right[0] - left[0])  # so its line is level


def written(value):
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def test_the_margin_explorer_shows_the_run_the_bounds_and_the_curves_of_its_margin(show, every):
    explorer, place = every[3], 20
    stage = show(explorer).locator(WIDGET)
    move_slider(stage, "margin ρ", place)
    move_slider(stage, "data set", 3)
    rho = explorer.spec["rhos"][place]
    X, y = widgets.points_with_margin(rho, 30, 6)
    T, R, best = pla(X, y).updates, radius(X), separate(X, y)
    assert head_of(stage) == f"T = {T:,} ≤ R²/ρ² = {written(R**2 / rho**2)}"
    assert f"R = {R:.3f}, ρ = {rho:.3f}" in text(stage.locator("p.w"))
    assert f"the most is {int(R**2 / best.rho**2):,}." in stage.locator(".words").inner_text()
    for line in (3, 2, 1):
        stage.get_by_role("button", name=f"(3.{line})").click()
        curve = numbers(stage.locator(".charts path.curve.measured"))
        assert len(curve) // 2 == T + (line < 3)  # w₀ = 0 has no angle
    stage.get_by_role("button", name="maximum margin").click()
    assert head_of(stage) == f"T = {T:,} ≤ R²/ρ² = {written(R**2 / best.rho**2)}"


def test_the_pocket_explorer_shows_the_errors_of_three_lines(show, every):
    noise, updates, seed = 0.37, 120, 7
    stage = show(every[4]).locator(WIDGET)
    for name, value in (("noise", noise), ("updates", updates), ("data set", seed - 4)):
        move_slider(stage, name, value)
    data = noisy(50, noise=noise, rng=seed)
    run = pocket(*data, max_updates=updates, rng=seed)
    rows = stage.locator(".text tr").all_inner_texts()[1:]
    for row, w in zip(rows, (run.w, run.last_w, best_line(*data).w), strict=True):
        train, test = (float(rate) for rate in re.findall(r"([\d.]+)\s%", row))
        assert train == pytest.approx(100 * error_rate(w, *data), abs=0.06)
        assert test == pytest.approx(100 * (noise + (1 - 2 * noise) * disagreement(w, data.target)), abs=0.06)
    assert f"{run.mistakes_left} of 50 wrong after" in head_of(stage)
    assert str(len(mistakes(data.target, *data))) in stage.locator("p.w").inner_text()
    assert ringed(stage) == mistakes(run.w, *data).tolist()


# --- the proof --------------------------------------------------------------------------------------------------------


def size_of(node):
    """How long a bar is in the picture: the sum of its pieces."""
    return sum(float(piece.get_attribute("width")) for piece in node.locator("rect").all())


def tip_of(arrow):
    return np.array(numbers(arrow.locator(".tip"))[:2])


def bars_of(stage):
    """The two bars under the axis."""
    return [size_of(group) for group in stage.locator("g:has(> rect.bar)").all()]


def test_each_step_of_the_proof_draws_its_lengths_true_to_one_scale(show):
    stage = show(widgets.proof_stage(RUN, step=1)).locator(WIDGET)
    spec = widgets.proof_stage(RUN).spec
    rho, R = spec["rho"], spec["R"]
    for t in range(1, RUN.updates + 1):
        part, whole = spec["parts"][t], spec["lengths"][t]
        stage.get_by_role("button", name="1 ρ").click()
        move_slider(stage, "updates", t)
        least, advance = bars_of(stage)
        unit = least / rho
        assert advance / unit == pytest.approx(spec["steps"][RUN.picks[t - 1]][0])
        stage.get_by_role("button", name="2 part").click()
        assert np.array(bars_of(stage)) / unit == pytest.approx([part, t * rho])
        along, up = (tip_of(stage.locator(".arrow.w").first) - [70, 790]) / unit
        assert (along, np.hypot(along, up)) == pytest.approx((part, whole), abs=0.001)
        stage.get_by_role("button", name="3 whole").click()
        origin = np.array([float(stage.locator("circle.origin").get_attribute(name)) for name in ("cx", "cy")])
        edge, tip = (
            numbers(stage.locator("svg.picture path.circle").last)[:2],
            tip_of(stage.locator("svg.picture .arrow.w").last),
        )
        ratio = np.hypot(*(tip - origin)) / np.hypot(*(edge - origin))
        assert ratio == pytest.approx(whole / (R * np.sqrt(t)), abs=0.001)
        stage.get_by_role("button", name="4 race").click()
        tops = [numbers(stage.locator(f"path.lane.{name}")) for name in ("part", "whole")]
        heights = [bottom - top for _, bottom, top in tops]
        assert heights[0] / heights[1] == pytest.approx(part / whole)
        assert head_of(stage) == f"t = {t}: part {part:.2f} ≤ whole {whole:.2f}"


def test_the_race_goes_on_to_where_the_part_would_be_longer_than_the_whole(show):
    stage = show(widgets.proof_stage(RUN)).locator(WIDGET)
    assert head_of(stage) == "t = 242: part ≥ 141.31, whole ≤ 105.58"  # where the part is seen to be longer
    stage.get_by_role("button", name="Back").click()
    assert head_of(stage) == "t = 136: part ≥ 79.41, whole ≤ 79.15"
    assert "So no run from w = 0 makes 136 updates on these points" in text(stage.locator(".words"))
    stage.get_by_role("button", name="Back").click()
    assert head_of(stage) == "t = 135: part ≥ 78.83, whole ≤ 78.86"
    stage.get_by_role("button", name="3 whole").click()  # which ends with the run
    assert head_of(stage) == "t = 8: ‖wt‖ = 5.50 ≤ R√t = 19.20"
    assert "here 93.1°" in text(stage.locator(".words"))


# --- everywhere -------------------------------------------------------------------------------------------------------


def test_widgets_are_as_dark_as_their_page_and_on_paper_black_on_white_without_buttons(show, every):
    page = show(*every, style="background:#111")
    look = "all => all.map(node => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor].join())"
    stages, dark, light = (
        page.locator(".stage"),
        "rgb(233, 236, 239),rgb(22, 25, 30)",
        "rgb(26, 26, 26),rgb(255, 255, 255)",
    )
    assert stages.evaluate_all(look) == [dark] * 6
    page.evaluate("document.body.style.background = '#fff'")
    assert stages.evaluate_all(look) == [light] * 6
    page.evaluate("document.body.style.background = '#111'")
    page.emulate_media(media="print")
    expect(stages.first).to_have_css("color", "rgb(26, 26, 26)")  # the page hears of it a little later
    assert stages.evaluate_all(look) == [light] * 6
    assert page.locator("svg.picture:visible").count() == 6
    assert page.locator(f"{WIDGET} :is(button, input):visible").count() == 0
    for stage in page.locator(WIDGET).all()[:2]:
        assert_shows(stage, RUN.updates)  # paper shows how it ends
    page.emulate_media(media="screen")
    expect(stages.first).to_have_css("color", "rgb(233, 236, 239)")
    assert_shows(page.locator(WIDGET).first, 0)


def test_without_scripts_each_is_a_sentence(show, every):
    stages = show(*every, java_script_enabled=False).locator(WIDGET)
    assert stages.all_inner_texts() == [repr(widget) for widget in every]
    assert repr(every[0]) == "PLA halted: 8 updates, no mistakes left; w = (-4, 3.72, -0.66)."
    assert "w = (0, 1, 1) gets 7 of them wrong" in repr(every[2])
    assert "8 updates, at most R²/rho² = 135.11" in repr(every[5])
    assert all(len(page_of(widget).encode()) < 150_000 for widget in every)  # so that notebooks stay small


def test_keys_work_wherever_the_focus_is_do_not_reach_the_page_and_all_others_do(show, every):
    """Else the slides would turn over, too; and a lecturer's remote control would be dead."""
    page = show(*every[:3], every[5], clock=True)  # the space bar plays: it is not to go on meanwhile
    page.evaluate("window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))")
    player, stepper, line, proof = page.locator(WIDGET).all()
    player.get_by_role("button", name="Next").click()
    for key, t in [("ArrowRight", 2), ("End", RUN.updates), ("ArrowDown", RUN.updates - 1), ("Home", 0), ("Space", 1)]:
        page.keyboard.press(key)
        assert_shows(player, t)
    for place, key, t in [("Back", "ArrowRight", 2), ("Step", "ArrowUp", 3), ("Play", "Home", 0)]:
        player.get_by_role("slider" if place == "Step" else "button", name=place).first.press(key)
        assert_shows(player, t)
    stepper.get_by_role("button", name="Step").press("ArrowRight")
    assert_shows(stepper, 1)
    for place, keys in [
        (player.get_by_role("button", name="Next"), ["PageDown"]),
        (stepper.locator("svg.picture"), ["PageDown", "f"]),
        (line.get_by_role("slider").first, ["End", "Escape"]),
        (proof.get_by_role("button", name="Next"), ["Home", "ArrowRight", "PageUp"]),
    ]:
        place.focus()
        for key in keys:
            page.keyboard.press(key)
    assert page.evaluate("heard") == ["PageDown", "Escape", "PageUp"]


def test_an_accessibility_audit_finds_nothing_in_light_and_dark(show, every):
    page = show(*every, style="background:#fff;color:#888")
    page.get_by_role("button", name="Predict").click()
    open_drawer(page)
    page.evaluate((resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    rules = {name: {"enabled": False} for name in ("region", "page-has-heading-one", "landmark-one-main")}
    for colour in ("#fff", "#111"):
        page.evaluate("colour => { document.body.style.background = colour }", colour)
        result = page.evaluate("rules => axe.run(document, { rules })", rules)
        assert [(one["id"], node["html"]) for one in result["violations"] for node in one["nodes"]] == []

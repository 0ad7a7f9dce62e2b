"""The stage in a real browser: a plain page from a file, and a real JupyterLab."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import needs_chromium, opened
from desk import TIMEOUT, open_notebook, run_all_cells, running_lab, write_notebook
from playwright.sync_api import Browser, Locator, Page, expect

from plahelpers import _format, noisy_running_example, pla, pocket, running_example
from plahelpers.learning import Run
from plahelpers.stage import play
from plahelpers.widgets.scene import box_around, line_in_box, to_picture, words

pytestmark = needs_chromium


RUN = pla(*running_example())
BOX = box_around(RUN.X)


@pytest.fixture
def show(browser: Browser, troubles: list[str], tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens a page from a file with players of these runs; at the end nothing has gone wrong on it."""

    def show(*runs: Run, style: str = "", **options: Any) -> Page:
        page = opened(browser, troubles, **options)
        page.clock.install()
        head = f"<!doctype html><html lang='en'><meta charset='utf-8'><title>A run</title><body style='{style}'>"
        players = "\n".join(play(run)._repr_html_() for run in runs or [RUN])
        (tmp_path / "page.html").write_text(head + players, encoding="utf-8")
        page.goto((tmp_path / "page.html").as_uri())
        return page

    yield show
    assert troubles == []


def assert_shows(stage: Locator, t: int, run: Run = RUN) -> None:
    """The stage shows step t of the run: its words, its count, its line, its mistakes and its pick."""
    expect(stage.locator(".words")).to_have_text(words(run, t))
    expect(stage.locator(".head")).to_have_text(re.compile(rf"^t = {t:,} of T = {run.updates:,}: "))
    line = stage.locator("svg.picture > line.line")
    drawn = [float(line.get_attribute(name) or "nan") for name in ("x1", "y1", "x2", "y2") if line.count()]
    np.testing.assert_allclose(drawn, to_picture(BOX, line_in_box(run.weights[t], BOX)).ravel(), atol=0.06)
    rings = stage.locator("circle.wrong").count() + stage.locator("circle.pick").count()
    assert rings == run.errors[t]
    assert stage.locator("circle.pick").count() == (t < run.updates)


def test_three_players_on_a_page_from_a_file_step_by_buttons_slider_and_keys(show: Callable[..., Page]) -> None:
    longer = pocket(*noisy_running_example(), order="cyclic", max_updates=40)
    page = show(RUN, longer, RUN)
    one, two, three = page.locator("div.pla-stage").all()
    assert_shows(one, 0)
    for name, t in [("Next", 1), ("Last", RUN.updates), ("Back", RUN.updates - 1), ("First", 0)]:
        one.get_by_role("button", name=name).click()
        assert_shows(one, t)
    assert_shows(three, 0)  # an equal player, and it works on its own

    slider = two.get_by_role("slider")
    slider.fill("17")
    assert_shows(two, 17, longer)
    assert two.locator("line.pocket").count() == 1
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert_shows(two, 18, longer)
    assert_shows(one, 0)

    three.locator("svg.picture").focus()
    for key, t in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", RUN.updates), ("Home", 0)]:
        page.keyboard.press(key)
        assert_shows(three, t)


def test_play_runs_to_the_end_and_space_pauses_it(show: Callable[..., Page]) -> None:
    page = show()
    stage, words_of = page.locator("div.pla-stage"), page.locator("div.pla-stage .words")
    stage.locator("svg.picture").focus()
    page.keyboard.press("Space")
    assert_shows(stage, 1)
    expect(words_of).to_have_attribute("aria-live", "off")
    page.clock.run_for(1500)
    assert_shows(stage, 2)
    page.keyboard.press("Space")
    expect(words_of).to_have_attribute("aria-live", "polite")
    page.clock.run_for(10_000)
    assert_shows(stage, 2)
    stage.get_by_role("button", name="Play").click()
    page.clock.run_for(20_000)
    assert_shows(stage, RUN.updates)
    expect(stage.get_by_role("button", name="Play")).to_have_text("Play")


def test_who_asks_for_less_motion_gets_a_slower_pace(show: Callable[..., Page]) -> None:
    page = show(reduced_motion="reduce")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(2500)
    assert_shows(page.locator("div.pla-stage"), 1)


def test_a_phone_shows_it_all_without_scrolling_sideways(show: Callable[..., Page]) -> None:
    page = show(viewport={"width": 390, "height": 844})
    for _ in range(RUN.updates):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name="Next").click()
    assert page.locator("svg.picture").evaluate("svg => svg.getBoundingClientRect().width") > 300


def test_a_dark_page_does_not_reach_into_the_stage_and_print_shows_no_buttons(show: Callable[..., Page]) -> None:
    page = show(style="background:#111;color:#eee", color_scheme="dark")
    look = "node => [getComputedStyle(node).color, getComputedStyle(node.closest('.stage')).backgroundColor]"
    assert page.locator(".words").evaluate(look) == ["rgb(26, 26, 26)", "rgb(255, 255, 255)"]
    page.emulate_media(media="print")
    expect(page.locator(".words")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_hidden()


def test_without_scripts_the_run_is_there_in_words(show: Callable[..., Page]) -> None:
    page = show(java_script_enabled=False)
    expect(page.get_by_text(repr(RUN))).to_be_visible()
    rows = page.locator("tbody tr").all_inner_texts()
    assert [int(row.split("\t")[1].split(",")[0]) for row in rows] == RUN.picks.tolist()
    assert _format.vector(RUN.w) in rows[-1]


def test_keys_for_the_stage_do_not_reach_the_page(show: Callable[..., Page]) -> None:
    """Else the slides would turn over, too."""
    page = show()
    page.evaluate("window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))")
    page.get_by_role("button", name="Next").focus()
    for key in ["Space", "ArrowRight", "End", "Escape"]:
        page.keyboard.press(key)
    assert page.evaluate("heard") == ["Escape"]


def test_in_jupyterlab_the_player_and_the_stepper_step_the_mouse_edits_and_a_quick_drag_queues_no_stale_moves(
    browser: Browser, tmp_path: Path
) -> None:
    """All in one test, because a JupyterLab takes long to start; nothing is asked of any other host."""
    write_notebook(
        tmp_path / "notebooks" / "stage.ipynb",
        "from plahelpers import pla, play, running_example, stepper",
        "play(pla(*running_example()))",
        "live = stepper()\nlive",
    )
    elsewhere: list[str] = []
    with running_lab(tmp_path) as lab:
        page = browser.new_page(viewport={"width": 1300, "height": 1500})
        expect.set_options(timeout=TIMEOUT)
        own = (lab, lab.replace("http", "ws"), "data:", "blob:", "about:")
        page.on("request", lambda request: None if request.url.startswith(own) else elsewhere.append(request.url))
        open_notebook(page, lab, "stage")
        run_all_cells(page)
        step_player(page)
        step_and_edit(page)
        drag_quickly(page)
        page.close()
        expect.set_options(timeout=5000)
    assert elsewhere == []


def step_player(page: Page) -> None:
    player = page.locator("div.pla-stage").first
    player.get_by_role("button", name="Next").click()
    assert_shows(player, 1)
    player.locator("svg.picture").focus()
    page.keyboard.press("ArrowRight")  # a key that JupyterLab wants, too
    assert_shows(player, 2)


def kernel_says(page: Page, source: str) -> str:
    """What a piece of Python prints in the notebook's kernel."""
    ask = """async source => {
        const kernel = jupyterapp.shell.currentWidget.context.sessionContext.session.kernel;
        const request = kernel.requestExecute({ code: source });
        let printed = "";
        request.onIOPub = message => { printed += message.header.msg_type === "stream" ? message.content.text : "" };
        await request.done;
        return printed;
    }"""
    return str(page.evaluate(ask, source)).strip()


def on_screen(picture: Locator, u: float, v: float) -> tuple[float, float]:
    """Where a place of the picture is on the screen."""
    there = "(svg, [u, v]) => { const p = new DOMPoint(u, v).matrixTransform(svg.getScreenCTM()); return [p.x, p.y] }"
    x, y = picture.evaluate(there, [u, v])
    return x, y


def step_and_edit(page: Page) -> None:
    """The stepper steps, and the mouse adds, flips, drags and removes points."""
    output = page.locator(".jp-OutputArea", has=page.locator("svg.picture.live"))
    picture = output.locator("svg.picture.live")
    expect(output.locator(".head")).to_have_text("t = 0 of T = 8: 7 mistakes")
    picture.scroll_into_view_if_needed()
    output.get_by_role("button", name="Step").click()
    expect(output.locator(".words")).to_have_text(words(RUN, 1))

    def click_leaves(marks: int, circles: int, *keys: str) -> None:
        for key in keys:
            page.keyboard.down(key)
        page.mouse.click(*on_screen(picture, 620, 140))
        for key in keys:
            page.keyboard.up(key)
        expect(picture.locator(".mark")).to_have_count(marks)
        expect(picture.locator(".mark circle")).to_have_count(circles)

    click_leaves(21, 8)  # empty: a + is added
    click_leaves(21, 7, "Shift")  # flipped
    drag(page, picture, (620, 140), [(u, 500) for u in range(620, 390, -20)])
    expect(picture.locator("rect.selected")).to_have_attribute("x", re.compile(r"^36[1-3]"))  # 400 − 38: let go there
    page.keyboard.press("Delete")
    expect(picture.locator(".mark")).to_have_count(20)
    output.get_by_role("radio", name="add × (−)").or_(output.get_by_role("button", name="add × (−)")).click()
    assert kernel_says(page, "print(live.stage.tool)") == "-1"  # and so the picture knows it, too
    click_leaves(21, 7)
    click_leaves(20, 7, "Alt")
    output.get_by_role("button", name="Run").click()
    expect(output.locator(".words")).to_have_text(words(RUN, RUN.updates))


def drag(page: Page, picture: Locator, start: tuple[float, float], way: list[tuple[float, float]]) -> None:
    """Drag what is at the start along a way of picture places."""
    first, *places = [on_screen(picture, *place) for place in (start, *way)]
    page.mouse.move(*first)
    page.mouse.down()
    for place in places:
        page.mouse.move(*place)
    page.mouse.up()


def drag_quickly(page: Page) -> None:
    """A drag that is quicker than the kernel leaves no queue of stale moves."""
    picture = page.locator("svg.picture.live")
    slow = "import time; from plahelpers.widgets import pla_stepper; show = pla_stepper.show\n"
    slow += "pla_stepper.show = lambda *state: (time.sleep(0.5), show(*state))[1]\n"
    before = int(kernel_says(page, slow + "print(live.stage.heard)"))
    [[u, v], *_] = to_picture(BOX, RUN.X).tolist()
    way = [(u, 600 - u / 10) for u in range(0, 901, 15)]
    drag(page, picture, (u, v), way)
    expect(picture.locator("rect.selected")).to_have_attribute("x", re.compile(r"^86[1-3]"))  # 900 − 38: the last place
    sent = int(kernel_says(page, "pla_stepper.show = show\nprint(live.stage.heard)")) - before
    assert 1 <= sent < len(way) / 3  # one at a time, each half a second, and the place where it was let go

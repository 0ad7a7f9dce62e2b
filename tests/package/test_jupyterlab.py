"""Widgets and quizzes in a real JupyterLab: live, typeset and offline, and Python follows the hand."""

import re
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Locator, Page, expect

from plahelpers import pla, running_example
from tests.browser import TIMEOUT, needs_chromium
from tests.jupyterlab import kernel_says, open_notebook, run_all_cells, running_lab, write_notebook
from tests.package.test_quizzes_browser import RIGHT, WRONG, marks, open_letters
from tests.package.test_widgets_browser import assert_shows, in_plane, move_slider, on_screen

pytestmark = needs_chromium
CELLS = (
    "from plahelpers import pla, play, quizzes, running_example, widgets",
    "play(pla(*running_example()))",
    "live = widgets.stepper()\nlive",
    "line = widgets.hypothesis_explorer()\nline",
    "line",
    "widgets.proof_stage(pla(*running_example()), step=2, t=3)",
    'quizzes.ask("the-bound")',
    'quizzes.ask("threshold-as-weight")',
)
FONT_SIZE = "text => getComputedStyle(text).fontSize"


def test_in_jupyterlab_all_is_live_python_follows_the_hand_answers_stay_and_nothing_leaves_the_machine(
    browser: Browser, tmp_path: Path
) -> None:
    """All in one test, because a JupyterLab takes long to start."""
    write_notebook(tmp_path / "notebooks" / "live.ipynb", *CELLS)
    elsewhere: list[str] = []
    with running_lab(tmp_path) as lab, browser.new_page(viewport={"width": 1300, "height": 5000}) as page:
        own = (lab, lab.replace("http", "ws"), "data:", "blob:", "about:")
        page.on("request", lambda request: None if request.url.startswith(own) else elsewhere.append(request.url))
        open_notebook(page, lab, "live")
        run_all_cells(page)
        outputs = page.locator(".jp-OutputArea-output", has=page.locator(".stage"))
        expect(outputs).to_have_count(5)
        player, live, line, second_view, proof = outputs.all()
        player.locator("svg.picture").focus()
        page.keyboard.press("ArrowRight")  # a key that JupyterLab wants, too
        assert_shows(player, 1)
        edit_and_ask_python(page, live)
        move_slider(line, "w₁", 2)
        eventually(page, "print(*line.w)", "0.0 2.0 1.0")
        expect(second_view.locator(".words")).to_contain_text("h(x) = sign(2 x₁ + x₂).")
        proof.get_by_role("button", name="Next").focus()
        page.keyboard.press("ArrowRight")
        expect(proof.locator(".head")).to_have_text(re.compile(r"t\s=\s4: part 2\.78 ≥ tρ\s=\s2\.34"))
        answer_and_come_again(page)
    assert elsewhere == []


def eventually(page: Page, source: str, wanted: str) -> None:
    """Python is told when the hand has come to rest."""
    deadline = time.monotonic() + TIMEOUT / 1000
    while (said := kernel_says(page, source)) != wanted:
        assert time.monotonic() < deadline, f"{said} instead of {wanted}"
        page.wait_for_timeout(50)


def edit_and_ask_python(page: Page, live: Locator) -> None:
    live.locator("svg.picture").scroll_into_view_if_needed()
    page.mouse.click(*on_screen(live, 620, 140))
    live.get_by_role("button", name="Step").click()
    added = in_plane(620, 140)
    run = pla(np.vstack([running_example().X, added]), np.append(running_example().y, 1))
    eventually(page, "print(len(live.X), live.y[-1], live.t, live.run.updates)", f"21 1 1 {run.updates}")
    said = kernel_says(page, "print(*live.X[-1])").split()
    np.testing.assert_allclose([float(value) for value in said], added, atol=0.02)


def answer_and_come_again(page: Page) -> None:
    """The quizzes, first as the cells put them out, then from the stored notebook."""
    bound, vector = page.locator(".plahelpers-quiz").first, page.locator(".plahelpers-quiz").nth(1)
    vector.get_by_role("textbox").wait_for()  # its script has run
    bound.locator("summary").first.focus()
    for key in ("Enter", "Tab", "Tab", "Tab", "Space"):  # they are the page's, not JupyterLab's
        page.keyboard.press(key)
    vector.get_by_role("textbox").fill("(−16, 8, −3)")
    vector.get_by_role("textbox").press("Enter")
    assert marks(page) == [WRONG, RIGHT]
    page.evaluate("jupyterapp.commands.execute('docmanager:save').then(() => null)")
    page.reload()
    vector.get_by_role("textbox").wait_for()
    bound.locator("summary mjx-container").nth(3).wait_for()
    assert "\\rho" not in bound.inner_text()
    assert (marks(page), open_letters(page)[0]) == ([WRONG, RIGHT], "AD")
    formulas = vector.locator(".plahelpers-draw:not([hidden]) > p mjx-container:visible")
    size = formulas.first.evaluate(FONT_SIZE)
    vector.get_by_role("button", name="New numbers").click()
    assert formulas.count() > 3  # the next draw is typeset, as large as the first
    assert formulas.first.evaluate(FONT_SIZE) == size
    assert vector.get_by_role("textbox").evaluate(FONT_SIZE) == "14px"
    page.evaluate("jupyterapp.commands.execute('application:toggle-presentation-mode')")
    assert vector.get_by_role("textbox").evaluate(FONT_SIZE) == "17px"

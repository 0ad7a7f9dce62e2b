"""JupyterLab as a learner has it, in a real browser: what it opens, what is alive before a cell is run, what runs."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from book.lab import WORKSPACE
from plahelpers import pla, running_example
from tests.browser import needs_chromium, opened
from tests.jupyterlab import IDLE, TIMEOUT, TOKEN, kernel_says, open_notebook, run_all_cells, write_notebook
from tests.package.test_quizzes_browser import RIGHT, WRONG, marks, open_letters
from tests.package.test_widgets_browser import assert_shows, in_plane, move_slider, on_screen

pytestmark = needs_chromium

TABS = "[...jupyterapp.shell.widgets('main')].map(widget => widget.title.label)"
IS_UNSAVED = """async () => {
    const context = jupyterapp.shell.currentWidget.context;
    await context.sessionContext.session.kernel.info;
    await context.sessionContext.session.kernel.spec;
    return context.model.dirty;
}"""


@pytest.fixture
def page(browser: Browser, lab: str) -> Iterator[Page]:
    """A page that asks nobody but its JupyterLab, and on which no error is seen."""
    messages: list[str] = []
    page = opened(browser, messages, viewport={"width": 1300, "height": 1000})
    page.set_default_timeout(TIMEOUT)
    expect.set_options(timeout=TIMEOUT)
    yield page
    page.close()
    # On a slow machine JupyterLab draws a stored widget before it has asked the kernel for it, and then once more.
    early = (lab, "Error: widget model not found")
    assert [message for message in messages if not message.startswith(early)] == []


def is_unsaved(page: Page) -> bool:
    """Whether JupyterLab calls its notebook unsaved, once the kernel has told it what it is."""
    page.wait_for_function(IDLE)
    return bool(page.evaluate(IS_UNSAVED))


def test_a_list_leads_to_all_notebooks_a_homework_is_not_unsaved_and_what_was_open_is_remembered(
    page: Page, lab: str
) -> None:
    page.goto(f"{lab}{WORKSPACE}/tree/README.md?token={TOKEN}")
    notebooks = page.get_by_role("tabpanel").get_by_role("listitem").get_by_role("link")
    expect(notebooks).to_have_count(8)
    assert page.evaluate(TABS) == ["README.md"]
    files = page.locator(".jp-DirListing-itemName", has_text=re.compile(r"^hw.+\.ipynb$"))
    expect(files).to_have_text(["hw1_pla.ipynb", "hw2_convergence.ipynb", "hw3_pocket.ipynb"])
    with page.expect_response(lambda answer: "/api/workspaces/" in answer.url and answer.request.method == "PUT"):
        notebooks.nth(5).click()
        page.wait_for_function(f"{TABS}.includes('hw1_pla.ipynb')")
    assert not is_unsaved(page)
    page.goto(f"{lab}{WORKSPACE}/tree/README.md?token={TOKEN}")
    page.wait_for_function(f"window.jupyterapp && {TABS}.length === 2")
    assert {*page.evaluate(TABS)} == {"README.md", "hw1_pla.ipynb"}
    assert page.get_by_text(re.compile("nbgrader|formgrader|assignment", re.IGNORECASE)).count() == 0


def test_a_chapter_that_is_only_opened_is_alive_and_not_unsaved_even_after_it_was_saved(page: Page, lab: str) -> None:
    for _ in range(2):
        open_notebook(page, lab, "02_pla")
        player = page.locator("div.pla-stage").first
        player.wait_for(state="attached")
        player.scroll_into_view_if_needed()
        expect(player.locator(".head")).to_have_text(re.compile(r"^t\s=\s0 of T\s=\s8"))
        player.get_by_role("button", name="Next").click()
        expect(player.locator(".head")).to_have_text(re.compile(r"^t\s=\s1 of T\s=\s8"))
        assert not is_unsaved(page)
        expect(page.locator(".jp-mod-dirty")).to_have_count(0)
        page.evaluate("jupyterapp.commands.execute('docmanager:save').then(() => null)")


# --- widgets and quizzes that a cell puts out -------------------------------------------------------

CELLS = (
    "from plahelpers import pla, play, quizzes, running_example, widgets",
    "play(pla(*running_example()))",
    "live = widgets.stepper()\nlive",
    "widgets.hypothesis_explorer()",
    "widgets.proof_stage(pla(*running_example()), step=2, t=3)",
    'quizzes.ask("the-bound")',
    'quizzes.ask("threshold-as-weight")',
)
FONT_SIZE = "text => getComputedStyle(text).fontSize"


def test_widgets_and_quizzes_are_live_python_follows_the_hand_and_answers_stay(
    page: Page, lab: str, lab_folder: Path
) -> None:
    """All in one test, because a notebook takes long to open and to run."""
    write_notebook(lab_folder / "notebooks" / "live.ipynb", *CELLS)
    page.set_viewport_size({"width": 1300, "height": 5000})
    open_notebook(page, lab, "live")
    run_all_cells(page)
    outputs = page.locator(".jp-OutputArea-output", has=page.locator(".stage"))
    expect(outputs).to_have_count(4)
    player, live, line, proof = outputs.all()
    player.locator("svg.picture").focus()
    page.keyboard.press("ArrowRight")  # a key that JupyterLab wants, too
    assert_shows(player, 1)
    edit_and_ask_python(page, live)
    move_slider(line, "w₁", 2)
    expect(line.locator(".words")).to_contain_text("h(x) = sign(0 + 2 x₁ + 1 x₂).")
    proof.get_by_role("button", name="Next").focus()
    page.keyboard.press("ArrowRight")
    expect(proof.locator(".head")).to_have_text(re.compile(r"t\s=\s4: part 2\.78 ≥ tρ\s=\s2\.34"))
    answer_and_come_again(page)


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
    eventually(page, "print(len(live.X), live.y[-1], live.run.updates)", f"21 1 {run.updates}")
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
    assert vector.get_by_role("textbox").evaluate(FONT_SIZE) == "16px"
    page.evaluate("jupyterapp.commands.execute('application:toggle-presentation-mode')")
    assert vector.get_by_role("textbox").evaluate(FONT_SIZE) == "24px"

"""JupyterLab as a learner has it, in a real browser: what it opens, what is alive before a cell is run, what runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from book.lab import WORKSPACE
from tests.browser import needs_chromium, opened
from tests.jupyterlab import IDLE, TIMEOUT, TOKEN, open_notebook

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
    assert [message for message in messages if not message.startswith(lab)] == []


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

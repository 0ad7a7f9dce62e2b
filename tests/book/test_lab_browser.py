"""The notebooks as a learner has them: in the JupyterLab that run.py starts, in a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from book.lab import CHAPTERS, lay_out_homework
from plahelpers import pla, running_example
from tests.browser import needs_chromium, opened
from tests.jupyterlab import (
    IDLE,
    ROOT,
    TIMEOUT,
    TOKEN,
    code_cells,
    kernel_says,
    lab_on_copies,
    open_notebook,
    run_all_cells,
)

pytestmark = needs_chromium

CHAPTER = "02_pla"  # the one with a player, the stepper, a quiz and checks


# --- JupyterLab -----------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def _patient() -> Iterator[None]:
    expect.set_options(timeout=TIMEOUT)
    yield
    expect.set_options(timeout=5000)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab on the chapters, on two more copies of one, and on the homework."""
    folder = tmp_path_factory.mktemp("lab")
    with lab_on_copies(folder) as address:
        copy_as_it_is_and_with_another_word(folder / "notebooks")
        lay_out_homework(folder / "notebooks")
        yield address


def copy_as_it_is_and_with_another_word(folder: Path) -> None:
    """What is signed is the content: the first copy is as good as the chapter, the second is somebody else's."""
    shutil.copy(ROOT / "notebooks" / f"{CHAPTER}.ipynb", folder / "as_stored.ipynb")
    text = (folder / "as_stored.ipynb").read_text(encoding="utf-8")
    assert "mistake" in text
    (folder / "another_word.ipynb").write_text(text.replace("mistake", "error", 1), encoding="utf-8")


class Notebook(NamedTuple):
    page: Page
    messages: list[str]
    lab: str

    @property
    def troubles(self) -> list[str]:
        """Errors of the page, and requests to anywhere but its JupyterLab."""
        own = (self.lab, self.lab.replace("http", "ws"))
        return [message for message in self.messages if not message.startswith(own)]

    def content(self) -> dict[str, Any]:
        """The notebook as it would be saved."""
        return dict(self.page.evaluate("jupyterapp.shell.currentWidget.context.model.toJSON()"))


@pytest.fixture(scope="module")
def notebook(browser: Browser, lab: str) -> Callable[[str], Notebook]:
    """A function that opens a notebook by its name and runs all its cells; a second call returns the same page."""

    @cache
    def run_all(name: str) -> Notebook:
        messages: list[str] = []
        page = opened(browser, messages, viewport={"width": 1300, "height": 1000})
        page.on("websocket", lambda socket: messages.append(socket.url))
        open_notebook(page, lab, name)
        run_all_cells(page)
        return Notebook(page, messages, lab)

    return run_all


# --- a first look ---------------------------------------------------------------------------------

OPEN = "[...jupyterapp.shell.widgets('main')].map(widget => widget.title.label)"
IS_UNSAVED = """async () => {
    const context = jupyterapp.shell.currentWidget.context;
    await context.sessionContext.session.kernel.info;
    await context.sessionContext.session.kernel.spec;
    return context.model.dirty;
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    page.set_default_timeout(TIMEOUT)
    yield page
    page.close()


def is_unsaved(page: Page) -> bool:
    """Whether JupyterLab calls its notebook unsaved, once the kernel has told it what it is."""
    page.wait_for_function(IDLE)
    return bool(page.evaluate(IS_UNSAVED))


def open_without_running(browser: Browser, lab: str, name: str) -> Locator:
    """The first player of a notebook that was only opened, and whose cells are all there to see."""
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    open_notebook(page, lab, name)
    player = page.locator("div.pla-stage").first
    player.wait_for(state="attached")
    player.scroll_into_view_if_needed()
    return player


def test_jupyterlab_starts_on_a_list_of_all_notebooks_and_what_was_open_stays_open(page: Page, lab: str) -> None:
    page.goto(f"{lab}/?token={TOKEN}")
    chapters = page.get_by_role("tabpanel").get_by_role("listitem").get_by_role("link")
    expect(chapters).to_have_count(8)
    assert page.evaluate(OPEN) == ["README.md"]
    with page.expect_response(lambda answer: "/api/workspaces/" in answer.url and answer.request.method == "PUT"):
        chapters.nth(1).click()
        page.wait_for_function(f"{OPEN}.includes('02_pla.ipynb')")
    page.goto(f"{lab}/?token={TOKEN}")
    page.wait_for_function(f"window.jupyterapp && {OPEN}.length === 2")
    assert {*page.evaluate(OPEN)} == {"README.md", "02_pla.ipynb"}
    assert page.get_by_text(re.compile("nbgrader|formgrader|assignment", re.IGNORECASE)).count() == 0


@pytest.mark.parametrize("name", [*CHAPTERS, "as_stored"])
def test_a_chapter_that_is_only_opened_is_not_unsaved(page: Page, lab: str, name: str) -> None:
    open_notebook(page, lab, name)
    assert not is_unsaved(page)
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)


def test_a_chapter_that_was_saved_is_not_unsaved_when_it_is_opened_again_and_its_player_is_alive(
    browser: Browser, lab: str
) -> None:
    first = open_without_running(browser, lab, "as_stored").page
    first.wait_for_function(IDLE)
    first.evaluate("jupyterapp.commands.execute('docmanager:save')")
    first.close()
    player = open_without_running(browser, lab, "as_stored")
    assert not is_unsaved(player.page)
    assert player.evaluate("player => player.shadowRoot !== null")
    player.page.close()


def test_a_homework_opens_from_the_list_of_files_and_its_first_cells_run(page: Page, lab: str) -> None:
    page.goto(f"{lab}/lab?token={TOKEN}&reset")
    files = page.locator(".jp-DirListing-itemName")
    expect(files.filter(has_text="hw")).to_have_text(["hw1_pla.ipynb", "hw2_convergence.ipynb", "hw3_pocket.ipynb"])
    assert not {"source", "grader", "exercises", "release"} & {*files.all_inner_texts()}
    files.filter(has_text="hw1_pla").dblclick()
    assert not is_unsaved(page)
    page.locator(".cm-line", has_text='student = ""').click()
    for key in ("End", "ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.type("B12902001")
    for _ in range(2):
        page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-Notebook .jp-OutputArea-output img").first).to_be_visible()
    assert kernel_says(page, "print(student, len(X))") == "B12902001 30"


# --- in the notebooks -----------------------------------------------------------------------------


def test_a_chapter_runs_to_its_end_without_an_error_and_asks_no_other_host(
    notebook: Callable[[str], Notebook],
) -> None:
    """That every chapter runs, and what its cells put out, is compared without a browser."""
    chapter = notebook(CHAPTER)
    cells = code_cells(chapter.content())
    errors = [output for cell in cells for output in cell["outputs"] if output["output_type"] == "error"]
    assert errors == []
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert chapter.troubles == []


def test_a_signed_chapter_that_is_opened_and_not_run_shows_its_player_alive_and_a_changed_copy_does_not(
    browser: Browser, lab: str
) -> None:
    player = open_without_running(browser, lab, "as_stored")
    heading = player.locator(".head")
    expect(heading).to_have_text(re.compile(r"^t\s=\s0 of T\s=\s8"))
    player.get_by_role("button", name="Next").click()
    expect(heading).to_have_text(re.compile(r"^t\s=\s1 of T\s=\s8"))
    assert player.evaluate("player => player.shadowRoot !== null")
    player.page.close()

    still = open_without_running(browser, lab, "another_word")
    expect(still.get_by_role("table")).to_be_visible()
    still.page.wait_for_function(IDLE)
    assert still.evaluate("player => player.shadowRoot === null")
    assert still.get_by_role("button").count() == 0
    still.page.close()


def test_the_stepper_of_the_chapter_steps_to_the_end(notebook: Callable[[str], Notebook]) -> None:
    chapter = notebook(CHAPTER)
    X, y = running_example()
    run = pla(np.vstack([X, [1, 1]]), np.append(y, 1))  # as in its cell
    output = chapter.page.locator(".jp-OutputArea-output", has=chapter.page.locator("svg.picture.edits"))
    heading, step = output.locator(".head"), output.get_by_role("button", name="Step")
    for t in range(run.updates):
        expect(heading).to_have_text(re.compile(rf"^t\s=\s{t} of T\s=\s{run.updates}: [1-9]"))
        step.click()
    expect(heading).to_have_text(re.compile(rf"^t\s=\s{run.updates} of T\s=\s{run.updates}: no mistakes"))
    expect(step).to_be_disabled()
    assert chapter.troubles == []


def test_a_wrong_and_a_right_choice_of_a_quiz_get_feedback_of_their_own(notebook: Callable[[str], Notebook]) -> None:
    chapter = notebook(CHAPTER)
    question = chapter.page.locator("[role=group]", has_text="Which of these is true after every update?").first
    question.locator("summary").nth(0).click()
    expect(question).to_contain_text("Not quite. This says that a corrected example is always right afterwards.")
    question.locator("summary").nth(2).click()
    expect(question).to_contain_text("which is at least 1 because")
    expect(question).to_contain_text("not right at the first try")
    assert chapter.troubles == []

"""Fun Time in a real browser: the folded page with the keyboard alone, and the form in a real JupyterLab, offline."""

import pytest
from browser import needs_chromium, opened
from desk import open_notebook, run_all_cells, running_lab, write_notebook

from plahelpers import quizzes

pytestmark = needs_chromium


# --- a plain page ----------------------------------------------------------------------------------------------------


def write_page(quiz, folder):
    """The address of a plain file with a quiz in it."""
    file = folder / "quiz.html"
    page = f"<!doctype html><meta charset='utf-8'><title>Quiz</title>{quiz._repr_html_()}"
    file.write_text(page, encoding="utf-8")
    return file.as_uri()


def test_a_folded_quiz_opens_each_feedback_by_keyboard_with_no_error_and_no_request(browser, troubles, tmp_path):
    with opened(browser, troubles) as page:
        page.goto(write_page(quizzes.quiz("04"), tmp_path))
        first = page.locator("[role=group]").first
        assert first.locator("details[open]").count() == 0
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        (details,) = first.locator("details[open]").all()
        assert details.inner_text().startswith("A. Pocket is slower, and its answer has no mistakes either")
        assert "Right. It walks as PLA does" in details.inner_text()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert first.locator("details[open]").count() == 2
        assert "Not quite. This thinks that keeping the best" in first.locator("details").nth(1).inner_text()
        page.keyboard.press("Enter")
        assert first.locator("details[open]").count() == 1
    assert troubles == []


def test_a_picture_is_drawn_in_a_plain_page_and_has_its_words(browser, troubles, tmp_path):
    with opened(browser, troubles) as page:
        page.goto(write_page(quizzes.ask("which-arrow"), tmp_path))
        image = page.get_by_role("img", name="10 points, discs for +1 and crosses for −1")
        assert image.evaluate("image => image.complete && image.naturalWidth") == 380
    assert troubles == []


# --- JupyterLab ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab with a notebook of two questions."""
    folder = tmp_path_factory.mktemp("lab")
    write_notebook(
        folder / "notebooks" / "quiz.ipynb",
        'from plahelpers import quizzes\nquizzes.ask("the-bound")',
        'quizzes.ask("threshold-as-weight")',
    )
    with running_lab(folder) as address:
        yield address


@pytest.fixture
def notebook(browser, lab):
    """The page of JupyterLab with both questions shown, and where it has sent requests to."""
    with browser.new_page(viewport={"width": 1200, "height": 1400}) as page:
        page.set_default_timeout(60_000)  # milliseconds
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        open_notebook(page, lab, "quiz")
        run_all_cells(page)
        page.locator(".plahelpers-card").nth(1).wait_for()
        yield page, requests


def test_in_jupyterlab_choices_are_typeset_and_answered_and_nothing_leaves_the_machine(notebook, lab):
    page, requests = notebook
    bound, vector = page.locator(".plahelpers-card").all()
    bound.locator("label mjx-container").nth(3).wait_for()  # each choice's label is typeset
    assert bound.locator("p mjx-container").count() >= 3
    assert "\\rho" not in bound.inner_text()

    # a wrong choice with the mouse, then a right one with the keyboard alone
    boxes = bound.get_by_role("checkbox")
    boxes.nth(0).click()
    bound.get_by_role("button", name="Check").click()
    alert = bound.get_by_role("alert")
    alert.get_by_text("A square got lost").wait_for()
    assert alert.locator("mjx-container").count() >= 2
    boxes.nth(0).focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.wait_for_function("document.querySelectorAll('.plahelpers-card input:checked').length == 1")
    assert boxes.nth(3).is_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    alert.get_by_text("Right.").wait_for()
    assert "only your first answer counts" in alert.inner_text()

    # a vector, with the minus sign of the page and Enter
    vector.get_by_role("textbox", name="Your vector").fill("(−16, 8, −3)")
    page.keyboard.press("Enter")
    vector.get_by_role("alert").get_by_text("Right.").wait_for()
    vector.get_by_role("button", name="New numbers").click()
    vector.get_by_role("alert").wait_for(state="detached")

    assert [url for url in requests if not url.startswith((lab, lab.replace("http", "ws"), "data:", "blob:"))] == []


# What is asked, the choices, the buttons, the text field with its label, and the feedback.
TEXTS = "p, .widget-checkbox label, button, .widget-text label, .widget-text input, [role=alert]"
FONT_SIZES = "texts => texts.map(text => parseFloat(getComputedStyle(text).fontSize))"


def test_in_jupyterlabs_presentation_mode_all_text_of_the_form_grows_with_the_notebooks(notebook):
    page, _ = notebook
    for card in page.locator(".plahelpers-card").all():
        card.get_by_role("button", name="Check").click()
        card.get_by_role("alert").get_by_text("yet").wait_for()  # nothing is chosen, or typed, yet
    texts = page.locator(".plahelpers-card").locator(TEXTS)
    before = texts.evaluate_all(FONT_SIZES)
    page.evaluate("jupyterapp.commands.execute('application:toggle-presentation-mode')")
    after = texts.evaluate_all(FONT_SIZES)
    assert (len(before), set(before), set(after)) == (len(after), {14}, {17})  # pixels; JupyterLab's own text has them

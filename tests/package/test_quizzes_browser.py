"""Fun Time in a real browser: the folded page, what it keeps, and the form in a real JupyterLab, offline."""

import copy
import re

import pytest

from plahelpers import _format, quizzes
from plahelpers.quizzes import bank
from tests.browser import needs_chromium, opened
from tests.jupyterlab import open_notebook, run_all_cells, running_lab, write_notebook

pytestmark = needs_chromium


# --- a plain page ----------------------------------------------------------------------------------------------------


def write_page(folder, *quizzes, around="{}"):
    """The address of a plain file with some quizzes in it."""
    file = folder / "quiz.html"
    content = around.format("".join(quiz._repr_html_() for quiz in quizzes))
    file.write_text(f"<!doctype html><meta charset='utf-8'><title>Quiz</title>{content}", encoding="utf-8")
    return file.as_uri()


def test_a_folded_quiz_opens_each_feedback_by_keyboard_with_no_error_and_no_request(browser, troubles, tmp_path):
    with opened(browser, troubles) as page:
        page.goto(write_page(tmp_path, quizzes.quiz("04")))
        first = page.locator("[role=group]").first
        assert first.locator("details[open]").count() == 0
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        (details,) = first.locator("details[open]").all()
        assert details.inner_text().startswith("A. Pocket is slower, and its answer has no mistakes either")
        assert "Right. It corrects mistakes as PLA does" in details.inner_text()
        page.keyboard.press("Tab")  # to the link in the feedback
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert first.locator("details[open]").count() == 2
        assert "Not quite. Keeping the best" in first.locator("details").nth(1).inner_text()
        page.keyboard.press("Enter")
        assert first.locator("details[open]").count() == 1
    assert troubles == []


def test_a_picture_is_drawn_in_a_plain_page_and_has_its_words(browser, troubles, tmp_path):
    with opened(browser, troubles) as page:
        page.goto(write_page(tmp_path, quizzes.ask("which-arrow")))
        image = page.get_by_role("img", name="10 points, discs for +1 and crosses for −1")
        assert image.evaluate("image => image.complete && image.naturalWidth") == 380
    assert troubles == []


# --- what a page keeps -----------------------------------------------------------------------------------------------

THIRD = quizzes.ids("03")
SEVERAL = "does-the-angle-shrink"  # right are A and C


@pytest.fixture
def visitor(browser, troubles):
    """A page of a new reader; in the end nothing went wrong on it, and nothing was asked of the network."""
    with opened(browser, troubles) as page:
        yield page
    assert troubles == []


def open_answers(page, letters, question=0):
    """Click on some answers of a question, in this order."""
    summaries = page.locator("[role=group]").nth(question).locator("summary")
    for letter in letters:
        summaries.nth("ABCD".index(letter)).click()


def open_letters(page):
    """Which answers are open, for each question."""
    groups = page.locator("[role=group]").all()
    places = "answers => answers.flatMap((answer, place) => answer.open ? 'ABCDEF'[place] : [])"
    return ["".join(group.locator("details").evaluate_all(places)) for group in groups]


def marks(page):
    """What stands beside each question's heading."""
    return [text.strip(" ·✓✗") for text in page.locator("[role=group] .plahelpers-kept").all_inner_texts()]


def score(page):
    return " ".join(page.locator("div[aria-live=polite]").inner_text().split())


def clear_button(page):
    return page.get_by_role("button", name="Clear my answers")


def test_answers_are_there_again_after_a_reload_and_at_the_next_visit(visitor, tmp_path):
    address = write_page(tmp_path, quizzes.quiz("04"))
    visitor.goto(address)
    open_answers(visitor, "BA", question=0)
    open_answers(visitor, "C", question=4)
    seen = [open_letters(visitor), marks(visitor), score(visitor)]
    assert seen[0] == ["AB", "", "", "", "C"]
    visitor.reload()
    assert [open_letters(visitor), marks(visitor), score(visitor)] == seen
    visitor.goto("about:blank")
    visitor.goto(address)
    assert [open_letters(visitor), marks(visitor), score(visitor)] == seen


def test_cleared_answers_are_closed_and_stay_forgotten_after_a_reload(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.quiz("04")))
    before = score(visitor)
    assert not clear_button(visitor).is_visible()  # there is nothing to clear
    open_answers(visitor, "BA")
    clear_button(visitor).click()
    for _ in range(2):
        assert open_letters(visitor) == marks(visitor) == [""] * 5
        assert score(visitor) == before
        assert not clear_button(visitor).is_visible()
        visitor.reload()
    assert visitor.evaluate("localStorage.length") == 0


# Answers to questions of chapter 3, as a page's reader opens them, and the same as they are typed in Python.
FIRST_TRIES = {
    "nothing": {},
    "right first": {"the-bound": ("DA", "D")},
    "wrong first": {"the-bound": ("AD", "A")},
    "all right ones of several": {SEVERAL: ("CAB", "A, C")},
    "a wrong one before all right ones": {SEVERAL: ("ABC", "A, B")},
    "the same section missed twice": {"length-of-w": ("A", "A"), "what-is-r": ("A", "A"), "the-bound": ("D", "D")},
}


@pytest.mark.parametrize("case", FIRST_TRIES)
def test_a_page_scores_as_python_does_and_marks_each_question_that_was_answered(visitor, tmp_path, case):
    quiz = quizzes.quiz("03")
    visitor.goto(write_page(tmp_path, quiz))
    expected = [""] * len(THIRD)
    for question, (opened_letters, typed) in FIRST_TRIES[case].items():
        open_answers(visitor, opened_letters, THIRD.index(question))
        right = quiz.answer(typed, question).right
        expected[THIRD.index(question)] = "right at the first try" if right else "not right at the first try"
    assert score(visitor) == " ".join(repr(quiz.score).replace("- Chapter", "Chapter").split())
    assert marks(visitor) == expected


def test_the_score_of_a_page_links_to_each_section_that_was_missed_as_the_feedback_does(visitor, tmp_path):
    chapter = tmp_path / _format.CHAPTERS[3]
    chapter.write_text("<title>Chapter 3</title>", encoding="utf-8")
    visitor.goto(write_page(tmp_path, quizzes.quiz("03")))
    for question in ("length-of-w", "what-is-r", "the-bound"):  # the first two ask about one section
        open_answers(visitor, "A", THIRD.index(question))
    links = visitor.locator(".plahelpers-kept li a")
    titles = "How fast can w grow?", bank.load().questions["the-bound"].read
    assert sorted(links.all_inner_texts()) == sorted(f"Chapter 3, “{title}”" for title in titles)
    link = links.filter(has_text=titles[0])
    assert link.get_attribute("href") == f"{tmp_path.as_uri()}/{_format.section_address(3, titles[0])}"
    link.click()
    visitor.wait_for_url(f"**/{_format.section_address(3, titles[0])}")


def test_of_several_right_choices_some_decide_nothing_yet_but_can_be_cleared(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask(SEVERAL)))
    open_answers(visitor, "AAA")  # opened, closed and opened again: one answer
    assert marks(visitor) == [""]
    assert clear_button(visitor).is_visible()
    open_answers(visitor, "C")
    assert marks(visitor) == ["right at the first try"]


def test_two_quizzes_on_a_page_are_kept_and_cleared_apart_though_each_brings_its_script(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("the-bound"), quizzes.quiz("03")))
    open_answers(visitor, "A", question=0)
    open_answers(visitor, "D", question=1 + THIRD.index("the-bound"))
    clear_button(visitor).first.click()
    visitor.reload()
    assert "".join(open_letters(visitor)) == "D"
    assert "1 of 1 right" in score(visitor)
    assert visitor.locator("div.plahelpers-kept").count() == 2


def test_a_question_with_other_numbers_does_not_inherit_answers(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("which-arrow", seed=1)))
    open_answers(visitor, "A")
    write_page(tmp_path, quizzes.ask("which-arrow", seed=2))
    visitor.reload()
    assert open_letters(visitor) == [""]


def test_storage_that_throws_costs_only_the_memory(visitor, tmp_path):
    refuse = "{ get() { throw new DOMException('switched off', 'SecurityError') } }"
    visitor.add_init_script(f"Object.defineProperty(window, 'localStorage', {refuse})")
    visitor.goto(write_page(tmp_path, quizzes.quiz("04")))
    open_answers(visitor, "A")
    assert "1 of 1 right" in score(visitor)
    clear_button(visitor).click()
    assert "Questions to answer: 5" in score(visitor)


def test_without_scripts_every_answer_opens_and_nothing_else_is_shown(browser, troubles, tmp_path):
    with opened(browser, troubles, java_script_enabled=False) as page:
        page.goto(write_page(tmp_path, quizzes.quiz("04")))
        for summary in page.locator("summary").all():
            summary.click()
        assert page.locator("details:not([open])").count() == 0
        assert page.locator(".plahelpers-kept, button").count() == 0
    assert troubles == []


def test_answers_that_a_program_opens_do_not_count_and_nothing_kept_is_printed(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.quiz("04")))
    visitor.evaluate("for (const answer of document.querySelectorAll('details')) answer.open = true")
    assert "Questions to answer: 5" in score(visitor)
    open_answers(visitor, "AA")  # closed, and opened by hand
    assert "1 of 1 right" in score(visitor)
    visitor.emulate_media(media="print")
    assert not any(part.is_visible() for part in visitor.locator(".plahelpers-kept").all())


def test_on_a_slide_nothing_is_kept(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("the-bound"), around="<div class='reveal'>{}</div>"))
    open_answers(visitor, "D")
    assert visitor.locator(".plahelpers-kept, button").count() == 0
    visitor.reload()
    assert open_letters(visitor) == [""]


def test_by_keyboard_answers_count_and_after_clearing_the_focus_is_on_the_first_answer(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("the-bound")))
    for key in ("Tab", "Enter", "Tab", "Tab", "Space"):  # an open answer has a link, too
        visitor.keyboard.press(key)
    assert open_letters(visitor) == ["AB"]
    mark = visitor.locator("[aria-live=polite]")  # the one thing that a screen reader is told
    assert "not right at the first try" in mark.inner_text()
    for key in ("Tab", "Tab", "Tab", "Tab"):
        visitor.keyboard.press(key)
    assert clear_button(visitor).evaluate("button => button.matches(':focus-visible')")
    visitor.keyboard.press("Enter")
    assert visitor.locator("summary").first.evaluate("summary => summary === document.activeElement")
    assert (open_letters(visitor), mark.inner_text()) == ([""], "")


def test_in_another_language_the_page_says_nothing_in_english(visitor, tmp_path):
    files = copy.deepcopy(_format.data_files("plahelpers.quizzes"))
    for name, text in files["words.toml"].items():
        files["words.toml"][name] = re.sub(r"\w+(?!\w*}})", lambda word: word[0].upper(), text)  # all but placeholders
    other = bank.make_bank(files)
    visitor.goto(
        write_page(tmp_path, quizzes.Quiz(other, [other.questions["the-bound"], other.questions["what-is-r"]]))
    )
    open_answers(visitor, "D")
    open_answers(visitor, "A", question=1)
    said = visitor.locator(".plahelpers-kept button, .plahelpers-kept p, span.plahelpers-kept").all_inner_texts()
    assert len(said) == 5
    assert [text for text in said if text != text.upper()] == []


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
    alert.get_by_text("A square is missing").wait_for()
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

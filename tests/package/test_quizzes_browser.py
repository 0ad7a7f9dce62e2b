"""Fun Time in a real browser: the live page, and what it keeps. See also test_lab_browser."""

import pytest

from plahelpers import _format, quizzes
from tests.browser import needs_chromium, opened

pytestmark = needs_chromium

BOUND, SEVERAL, LENGTH, R = IDS = "the-bound", "does-the-angle-shrink", "length-of-w", "what-is-r"  # of chapter 3
RIGHT, WRONG = "right at the first try", "not right at the first try"


def letters(id, right):
    """The letters of a question's right answers, or of its wrong ones."""
    return "".join(answer.letter for answer in quizzes.ask(id).asked[0].answers if answer.right == right)


def write_page(folder, *quizzes, around="{}"):
    """The address of a plain file with some quizzes in it."""
    file = folder / "quiz.html"
    content = around.format("".join(quiz._repr_html_() for quiz in quizzes))
    file.write_text(f"<!doctype html><meta charset='utf-8'><title>Quiz</title>{content}", encoding="utf-8")
    return file.as_uri()


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


def come_back(page):
    """Open the page again; a busy browser may hand on what was kept only a moment after it is there."""
    page.reload()
    page.wait_for_function("localStorage.length")
    page.reload()


def marks(page):
    """What stands beside each question's heading."""
    return [text.strip(" ·✓✗") for text in page.locator("[role=group] > p:first-child > span").all_inner_texts()]


def score(page):
    return " ".join(page.locator("div[aria-live=polite]").inner_text().split())


def clear_button(page):
    return page.get_by_role("button", name="Clear my answers")


def type_answer(page, text):
    """Type a number and press Enter; what is shown then: a feedback, or what is wrong with the answer."""
    page.get_by_role("textbox").fill(text)
    page.get_by_role("textbox").press("Enter")
    return " ".join(page.locator("details[open] > div, [role=alert]:not(:empty)").inner_text().split())


# --- on a slide ------------------------------------------------------------------------------------------------------


def test_on_a_slide_choices_come_one_by_one_letters_are_not_the_decks_and_nothing_is_kept(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("which-arrow"), around="<div class='reveal'>{}</div>"))
    assert visitor.locator("details.fragment").count() == 4  # reveal.js shows them one after the other
    visitor.evaluate("document.addEventListener('keydown', ({ key }) => { document.title += key; })")
    visitor.locator("summary").first.focus()
    for key in "bx":
        visitor.keyboard.press(key)
    visitor.get_by_role("button", name="Arrow C").focus()
    visitor.keyboard.press("Enter")
    assert (open_letters(visitor), visitor.title()) == (["BC"], "Quizx")
    assert visitor.locator(".plahelpers-controls").count() == visitor.evaluate("localStorage.length") == 0


# --- choices ---------------------------------------------------------------------------------------------------------


def test_by_keyboard_answers_open_and_count_and_after_clearing_the_focus_is_on_the_first_answer(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("the-bound")))
    for key in ("b", "Tab", "Enter", "Tab", "Space", "Control+c", "D"):  # the first one is pressed elsewhere
        visitor.keyboard.press(key)
    assert open_letters(visitor) == ["ABD"]
    assert "Not quite. A square is missing" in visitor.locator("details").first.inner_text()
    mark = visitor.locator("[aria-live=polite]")  # the one thing that a screen reader is told
    assert WRONG in mark.inner_text()
    for _ in range(2):  # the link to the section, the button
        visitor.keyboard.press("Tab")
    assert clear_button(visitor).evaluate("button => button.matches(':focus-visible')")
    visitor.keyboard.press("Enter")
    assert visitor.locator("summary").first.evaluate("summary => summary === document.activeElement")
    assert (open_letters(visitor), mark.inner_text()) == ([""], "")


def test_the_first_answers_count_and_the_question_is_marked(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask(*IDS)))
    (right, *_), wrong, (one, *others) = letters(BOUND, True), letters(BOUND, False), letters(SEVERAL, True)
    first_wrong = letters(SEVERAL, False)[0]
    for question, opened_first, mark, expected_score in [
        (BOUND, right + wrong, RIGHT, "1 of 1 right at the first try. There are 4 in all. So far there is"),
        (BOUND, wrong + right, WRONG, "0 of 1 right at the first try. There are 4 in all. Worth reading"),
        (SEVERAL, one * 3, "", "Questions to answer: 4. Only the first answer to each"),
        (SEVERAL, [*others, one, first_wrong], RIGHT, "1 of 1 right"),
        (SEVERAL, [one, first_wrong, *others], WRONG, "0 of 1 right"),
    ]:
        open_answers(visitor, opened_first, IDS.index(question))
        assert expected_score in score(visitor)
        assert marks(visitor) == [mark if each == question else "" for each in IDS]
        clear_button(visitor).click()


def test_the_score_links_once_to_each_section_that_was_missed(visitor, tmp_path):
    (tmp_path / _format.CHAPTERS[3]).write_text("<title>Chapter 3</title>", encoding="utf-8")
    visitor.goto(write_page(tmp_path, quizzes.ask(*IDS)))
    for question in (R, BOUND, LENGTH):  # the first and the last are of the same section
        open_answers(visitor, letters(question, False)[0], IDS.index(question))
    titles = [quizzes.ask(question).asked[0].read for question in (BOUND, LENGTH)]
    links = visitor.locator(".plahelpers-controls li a")
    assert links.all_inner_texts() == [f"Chapter 3, “{title}”" for title in titles]
    links.last.click()
    visitor.wait_for_url(f"**/{_format.section_address(3, titles[1])}")


# --- pictures --------------------------------------------------------------------------------------------------------


def test_in_a_picture_the_nearest_answer_is_chosen_and_one_that_is_far_away_is_not(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("which-side")))
    point = visitor.get_by_role("button", name="The point Q")
    place = point.bounding_box()
    for below, letter in ((24, ""), (20, "B")):
        visitor.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2 + below)
        assert open_letters(visitor) == [letter]
    assert point.get_attribute("aria-pressed") == "true"


def test_an_example_in_the_picture_is_a_number(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("next-point")))
    right = quizzes.ask("next-point").asked[0].values["next"]
    visitor.get_by_role("button", name=f"Example {right}").press("Enter")
    assert visitor.get_by_role("textbox").input_value() == str(right)
    assert marks(visitor) == [RIGHT]
    controls = visitor.locator("button:visible, input, summary:visible").all()
    assert min(control.bounding_box()["height"] for control in controls) >= 44


# --- numbers ---------------------------------------------------------------------------------------------------------


def test_numbers_are_read_as_people_write_them_and_what_cannot_be_read_does_not_count(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("threshold-as-weight")))  # w = (−16, 8, −3)
    for text in ("two", "1/0", "1e999", "b<b>2</b>", "3/x"):
        assert type_answer(visitor, text).startswith(f"I cannot read “{text}” as a number.")
    assert "Nothing is typed yet" in type_answer(visitor, "  ")
    assert "vector of 3 numbers is asked for, such as (1, −2, 0.5), and your answer has 1." in type_answer(visitor, "4")
    assert marks(visitor) == [""]
    for text in ("(−16, 8, −3)", "-16 8 -3", "[-16, sqrt(64), -3.0]", "–16; √64; −6 / 2", " ⟨ -16 , 8 , -3e0 ⟩ "):
        assert type_answer(visitor, text).startswith("Right."), text
    assert "The threshold is missing." in type_answer(visitor, "8, -3")  # a known slip of another length
    assert "Bring the threshold to the left side." in type_answer(visitor, "1 2 3")
    assert visitor.locator("summary:visible").all_inner_texts() == ["another result"]


def test_new_numbers_ask_again_and_the_first_answer_still_counts(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask("rise", seed=3)))
    prompts = []
    for seed in range(3, 3 + quizzes.DRAWS):
        prompts.append(visitor.locator(".plahelpers-draw:not([hidden])").inner_text())
        right = quizzes.ask("rise", seed=seed).asked[0].values["after"]
        assert type_answer(visitor, str(right if seed == 3 else 12345)).startswith("Right." if seed == 3 else "Not")
        visitor.get_by_role("button", name="New numbers").click()
        assert visitor.get_by_role("textbox").input_value() == "".join(open_letters(visitor)) == ""
    assert len(set(prompts)) == quizzes.DRAWS
    assert visitor.locator(".plahelpers-draw:not([hidden])").inner_text() == prompts[0]
    come_back(visitor)
    assert marks(visitor) == [RIGHT]


# --- what the browser keeps ------------------------------------------------------------------------------------------


def test_two_quizzes_on_a_page_are_kept_and_cleared_apart_and_scored_together(visitor, tmp_path):
    visitor.goto(write_page(tmp_path, quizzes.ask(LENGTH), quizzes.ask(*IDS), quizzes.score()))
    open_answers(visitor, letters(LENGTH, False)[0], question=0)
    open_answers(visitor, letters(BOUND, True), question=1)
    seen = [open_letters(visitor), marks(visitor), score(visitor)]
    come_back(visitor)
    assert [open_letters(visitor), marks(visitor), score(visitor)] == seen
    kept = "Object.values(localStorage).map((quiz) => JSON.parse(quiz).map(({ first }) => first)).sort()"
    assert visitor.evaluate(kept) == [["right", "", "", ""], ["wrong"]]  # for other pages to read
    assert "You had 1 of 2 right at the first try. There are 5 in all." in visitor.get_by_role("status").inner_text()
    clear_button(visitor).first.click()
    assert visitor.evaluate(kept) == [[""], ["right", "", "", ""]]
    assert marks(visitor) == ["", RIGHT, "", "", ""]
    assert clear_button(visitor).count() == 1  # in the other one there is nothing to clear

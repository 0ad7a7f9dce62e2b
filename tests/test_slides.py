"""The slides: what a notebook's metadata make of it, and every deck walked through in a real browser."""

import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import nbformat
import pytest
from browser import needs_chromium, opened
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = [path.stem for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
TIMEOUT = 60_000  # milliseconds

sys.path.insert(0, str(ROOT / "book"))
slides = import_module("slides")


def text(kind: str, source: str, minutes: float = 0):
    metadata = {"slideshow": {"slide_type": kind}, **({"lecture": {"minutes": minutes}} if minutes else {})}
    return new_markdown_cell(source, metadata=metadata)


def code(kind: str, source: str, printed: str = ""):
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    return new_code_cell(source, metadata={"slideshow": {"slide_type": kind}}, outputs=outputs)


@pytest.fixture
def lecture():
    """Three slides, the second below the first; a fragment, notes, and something for readers only."""
    cells = [
        text("slide", "# Learn it\n\nFrom $w_t$, on.", 2),
        text("notes", "Say *hello*."),
        code("fragment", "print(1)", "1\n"),
        text("skip", "Only for readers."),
        text("subslide", "More of it.", 1.5),
        text("slide", "## Done\n\nSee [the next](03_convergence_proof.ipynb).", 3.5),
    ]
    return new_notebook(cells=cells)


# --- what a slide is -------------------------------------------------------------------------------------------------


def test_slides_begin_where_the_metadata_say_and_leave_out_what_is_for_readers(lecture) -> None:
    made = slides.slides_of(lecture)
    assert [slide.level for slide in made] == [1, 2, 1]
    kinds = [[block.kind for block in slide.blocks] for slide in made]
    assert kinds == [["text", "code", "output"], ["text"], ["text"]]
    assert "readers" not in slides.as_deck(made)


def test_a_fragment_and_what_follows_it_appear_on_a_key(lecture) -> None:
    lecture.cells.insert(3, code("-", "print(2)", "2\n"))
    first = slides.slides_of(lecture)[0]
    assert [block.kind for block in first.blocks] == ["text", "code", "output", "code", "output"]
    assert [block.step for block in first.blocks] == [0, 1, 1, 1, 1]


def test_the_notes_begin_with_the_minutes_of_the_plan(lecture) -> None:
    made = slides.slides_of(lecture)
    assert slides.timings(made) == ["Minutes 0–2 of 5.5", "1.5 more", "Minutes 2–5.5 of 5.5"]
    deck = slides.as_deck(made)
    assert '<aside class="notes"><p><strong>Minutes 0–2 of 5.5</strong></p><p>Say <em>hello</em>.</p>' in deck


def test_of_a_cell_with_hidden_code_only_the_outputs_are_shown(lecture) -> None:
    lecture.cells[2].metadata.tags = ["hide-input"]
    assert [block.kind for block in slides.slides_of(lecture)[0].blocks] == ["text", "output"]


def test_a_slide_without_a_heading_stands_under_the_one_before(lecture) -> None:
    assert '<p class="running">Learn it</p>' in slides.as_deck(slides.slides_of(lecture))


def test_mathematics_is_left_to_mathjax_and_links_lead_to_decks(lecture) -> None:
    deck = slides.as_deck(slides.slides_of(lecture))
    assert r'<span class="whole"><span class="math inline">\(w_t\)</span>,</span>' in deck
    assert '<a href="03_convergence_proof.html">the next</a>' in deck


def test_a_comma_after_a_formula_does_not_begin_a_line_and_other_words_may() -> None:
    assert slides.join_punctuation(r"<p>From \(w\) to \(v\), on</p>") == (
        r'<p>From \(w\) to <span class="whole">\(v\),</span> on</p>'
    )


def test_a_cell_before_the_first_slide_is_named() -> None:
    notebook = new_notebook(cells=[text("-", "Too early.")])
    notebook.cells[0].id = "early"
    with pytest.raises(ValueError, match="the cell 'early' is on no slide"):
        slides.slides_of(notebook)


# --- in the browser --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def decks(shared_folder: Callable[..., Path]) -> Path:
    """All decks, as `run.py slides` makes them."""
    command = [sys.executable, ROOT / "book" / "slides.py", "--into"]
    return shared_folder("slides", lambda folder: subprocess.run([*command, folder], capture_output=True, check=True))


def show(browser, troubles: list[str], address: str):
    page = opened(browser, troubles)
    page.set_default_timeout(TIMEOUT)
    page.goto(address)
    page.wait_for_function("window.deckIsReady")
    return page


def walk(browser, troubles: list[str], notebook, folder: Path) -> list[str]:
    nbformat.write(notebook, folder / "09_long.ipynb")
    [deck] = slides.make([folder / "09_long.ipynb"], folder)
    return slides.walk(opened(browser, troubles), deck)


@needs_chromium
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_slide_overflows(browser, troubles, decks, chapter) -> None:
    page = opened(browser, troubles)
    page.set_default_timeout(TIMEOUT)
    assert slides.walk(page, decks / f"{chapter}.html") == []
    assert page.evaluate("Reveal.isLastSlide()")
    assert page.locator("mjx-merror").count() == 0
    assert page.locator("img:not([alt]), img[alt='']").count() == 0
    assert troubles == []


@needs_chromium
def test_a_slide_that_overflows_is_named(browser, troubles, tmp_path) -> None:
    notebook = new_notebook(cells=[text("slide", "# Too much\n\n" + "word " * 500)])
    notebook.cells[0].id = "too-much"
    [trouble] = walk(browser, troubles, notebook, tmp_path)
    assert re.fullmatch(r"09_long, slide 1 \(cell too-much\): \d+ px too tall", trouble)


@needs_chromium
@pytest.mark.parametrize(("answer", "names"), [("word " * 20, []), ("word " * 500, ["slide 2"])])
def test_a_question_has_to_have_room_for_an_answer_that_is_opened(browser, troubles, tmp_path, answer, names) -> None:
    question = f"<div class='plahelpers-quiz'><details><summary>A</summary>{answer}</details></div>"
    output = new_output("execute_result", data={"text/html": question, "text/plain": "A"})
    cells = [new_code_cell("ask()", metadata={"slideshow": {"slide_type": "slide"}}, outputs=[output])]
    overflows = walk(browser, troubles, new_notebook(cells=[text("slide", "# One"), *cells]), tmp_path)
    assert [re.search(r"slide \d", overflow)[0] for overflow in overflows] == names


@needs_chromium
@pytest.mark.parametrize(("forward", "back"), [("ArrowRight", "ArrowLeft"), ("PageDown", "PageUp")])
def test_keys_walk_through_fragments_and_the_core_and_down_leads_further(
    browser, troubles, tmp_path, lecture, forward, back
) -> None:
    nbformat.write(lecture, tmp_path / "09_short.ipynb")
    [deck] = slides.make([tmp_path / "09_short.ipynb"], tmp_path)
    page = show(browser, troubles, deck.as_uri())
    output = page.locator(".output").first
    assert output.evaluate("output => getComputedStyle(output).visibility") == "hidden"
    assert page.locator("section.present .below").last.inner_text() == "↓ Further"
    seen = []
    for key in (forward, forward, back, "ArrowDown", forward):
        page.keyboard.press(key)
        seen.append(page.evaluate("[Reveal.getIndices().h, Reveal.getIndices().v]"))
    assert output.evaluate("output => output.classList.contains('visible')")
    assert seen == [[0, 0], [1, 0], [0, 0], [0, 1], [1, 0]]  # the fragment, the last, back, below, the last
    assert troubles == []


@needs_chromium
def test_a_player_steps_on_its_slide_and_its_keys_do_not_turn_it(browser, troubles, decks) -> None:
    page = show(browser, troubles, (decks / "02_pla.html").as_uri())
    page.evaluate("Reveal.configure({ fragments: false })")
    player = page.locator("section div.pla-stage").first
    player.evaluate("player => Reveal.slide(...Object.values(Reveal.getIndices(player.closest('section'))))")
    place = page.evaluate("Reveal.getIndices()")
    player.locator("svg.picture").focus()
    page.keyboard.press("ArrowRight")
    assert player.locator(".head").inner_text().replace("\u00a0", " ").startswith("t = 1 of T = 8")
    assert page.evaluate("Reveal.getIndices()") == place
    assert troubles == []


@needs_chromium
def test_the_speakers_window_shows_the_notes_and_the_minutes(browser, troubles, decks) -> None:
    page = show(browser, troubles, (decks / "02_pla.html").as_uri())
    with page.expect_popup() as window:
        page.keyboard.press("s")
    notes = window.value.locator(".speaker-controls-notes .value")
    notes.get_by_text("Minutes 0–").wait_for()
    assert troubles == []


@needs_chromium
def test_a_deck_prints_a_page_for_every_slide(browser, troubles, decks) -> None:
    address = (decks / "01_hypothesis_set.html").as_uri()
    page = show(browser, troubles, address)
    count = page.evaluate("Reveal.getTotalSlides()")
    page.close()
    page = show(browser, troubles, f"{address}?print-pdf")
    page.locator(".pdf-page").nth(count - 1).wait_for(state="attached")
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert len(sizes) == count
    assert {round(float(width) / float(height), 2) for width, height in sizes} == {1.78}  # 16:9
    assert troubles == []

"""The slides: what a notebook's metadata make of it, and every deck walked through in a real browser."""

import base64
import io
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from book import assets, sections, slides
from plahelpers.plots.base import SMALL
from tests import prose
from tests.browser import needs_chromium, opened

PATHS = assets.notebooks()
TIMEOUT = 60_000  # milliseconds
MOST_WORDS = 75  # of text on a slide; a formula that is set apart counts for none
MOST_CUES = 60  # words for the speaker


def text(kind: str, source: str, cell: str = "", **lecture):
    metadata = {"slideshow": {"slide_type": kind}, **({"lecture": lecture} if lecture else {})}
    return new_markdown_cell(source, metadata=metadata, **({"id": cell} if cell else {}))


def code(kind: str, source: str, *outputs, **lecture):
    metadata = {"slideshow": {"slide_type": kind}, **({"lecture": lecture} if lecture else {})}
    return new_code_cell(source, metadata=metadata, outputs=list(outputs))


def printed(words: str):
    return new_output("stream", name="stdout", text=words)


def picture(width: int = 30, height: int = 20):
    file = io.BytesIO()
    Image.new("RGB", (width, height)).save(file, "PNG")
    data = {"image/png": base64.b64encode(file.getvalue()).decode(), "text/plain": "<Axes>"}
    return new_output("execute_result", data=data, metadata={"image/png": {"alt": "A black box"}})


def question(answer: str):
    page = f"<div class='plahelpers-quiz'><div role='group'><details><summary>A</summary>{answer}</details></div></div>"
    return new_output("execute_result", data={"text/html": page, "text/plain": "A"})


@pytest.fixture
def lecture():
    """A title, an outline, a section with a part that is Further below it, a section for readers only, take-aways."""
    opening = {"minutes": 2, "text": "From $w_t$, on.", "notes": "Hi."}
    cells = [
        text("slide", "# Chapter 9 · Learn it\n\nFrom $w_t$, on.", "top", **opening),
        code("-", "plot()", picture()),
        text("slide", "## You will\n\n- **learn** it", "goals", minutes=1, notes="Ask: why?"),
        text(
            "slide",
            "## Steps\n\nTake one.",
            "steps",
            minutes=2,
            heading="A step turns $w$",
            notes="Say *hello*.",
            part="Steps",
        ),
        code("fragment", "print(1)", printed("1\n")),
        text("skip", "Only for readers."),
        text("slide", "### A second step", "second", minutes=1.5, notes="Point at it."),
        text("subslide", "### Further: A third step\n\nMore of it.", "third", minutes=1.5, notes="Skip it."),
        text("skip", "## Try it yourself", "exercises"),
        text("slide", "## Take-aways\n\n1. [Go on](03_convergence_proof.ipynb#cell-id=which-perfect-w-1).", "end"),
    ]
    cells[-1].metadata.lecture = {"minutes": 3.5, "part": "The end"}
    return new_notebook(cells=cells)


def cell_of(notebook, cell: str):
    return next(each for each in notebook.cells if each.id == cell)


def frames(notebook) -> dict[str, str]:
    """The HTML of each slide, by the cell that begins it."""
    deck = slides.as_deck(slides.slides_of(notebook))
    return dict(re.findall(r'<section id="([^"]+)">(.*?)</section>', deck, re.DOTALL))


# --- what a slide is -------------------------------------------------------------------------------------------------


def test_slides_begin_where_the_metadata_say_and_leave_out_what_is_for_readers(lecture) -> None:
    made = slides.slides_of(lecture)
    assert [slide.level for slide in made] == [1, 1, 1, 1, 2, 1]
    assert [slide.look for slide in made] == ["title", "outline", "core", "core", "further", "take-aways"]
    kinds = [[(block.kind, block.step) for block in slide.blocks] for slide in made[:3]]
    assert kinds == [[("text", 0), ("figure", 0)], [("text", 0)], [("text", 0), ("output", 1)]]
    assert "readers" not in slides.as_deck(made)
    lecture.cells[4].metadata.lecture = {"code": True}  # without it, code is not shown
    assert [block.kind for block in slides.slides_of(lecture)[2].blocks] == ["text", "code", "output"]


def test_a_slide_may_have_other_words_than_the_notebook_or_none(lecture) -> None:
    cell_of(lecture, "steps").metadata.lecture.text = "In *short*"
    lecture.cells[4].metadata.lecture = {"text": "Result:"}
    shown = frames(lecture)["steps"]
    assert "<p>In <em>short</em></p>" in shown
    assert shown.index("Result:") < shown.index("<pre>1")
    assert "Take one" not in shown
    cell_of(lecture, "steps").metadata.lecture.text = ""
    assert slides.slides_of(lecture)[2].blocks[0].html == "<p>Result:</p>\n"


def test_the_heading_is_the_metadatas_or_else_the_cells_own_and_stands_once(lecture) -> None:
    shown = frames(lecture)
    assert r'<h2>A step turns <span class="math inline">\(w\)</span></h2>' in shown["steps"]
    assert "<h2>A second step</h2>" in shown["second"]
    assert [page.count("<h1>") + page.count("<h2>") for page in shown.values()] == [1] * 6


def test_every_slide_says_in_which_part_it_is(lecture) -> None:
    shown = frames(lecture)
    here = {cell: re.findall(r'<strong aria-current="location">(.*?)</strong>', page) for cell, page in shown.items()}
    nowhere = {"top": [], "goals": [], "third": []}
    assert here == {**nowhere, "steps": ["Steps"], "second": ["Steps"], "end": ["The end"]}
    assert '<a href="#/end">The end</a>' in shown["steps"]
    assert '<p class="running">Chapter 9 · Learn it</p>' in shown["third"]
    cell_of(lecture, "second").metadata.slideshow.slide_type = "subslide"  # for home, so in the part it is below
    shown = frames(lecture)
    assert '<strong aria-current="location">Steps</strong>' in shown["second"]
    assert '<p class="below">↓ For home</p>' in shown["steps"]


def test_the_notes_begin_with_the_minutes_of_the_plan(lecture) -> None:
    made = slides.slides_of(lecture)
    assert slides.timings(made)[2:5] == ["Minutes 3–5 of 10", "Minutes 5–6.5 of 10", "1.5 more"]
    notes = '<aside class="notes"><p><strong>Minutes 3–5 of 10</strong></p><p>Say <em>hello</em>.</p>'
    assert notes in frames(lecture)["steps"]


# --- the five decks --------------------------------------------------------------------------------------------------


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def chapter(request):
    return sections.read(request.param)


def words_on(slide) -> int:
    """The words of its text, also of answers that can be opened; a formula within a sentence is a word."""
    shown = " ".join(block.html for block in slide.blocks if block.kind == "text")
    shown = re.sub(r"\\\(.*?\\\)", "formula", re.sub(r"\\\[.*?\\\]", "", shown, flags=re.DOTALL), flags=re.DOTALL)
    return len(re.sub(r"<[^>]+>", "", shown).split())


def test_every_slide_has_a_heading_few_words_and_cues(chapter) -> None:
    made = slides.slides_of(chapter)
    for slide in made:
        cues, asks = prose.words(slide.notes), any(block.kind == "quiz" for block in slide.blocks)
        assert slide.heading, slide.cell
        assert words_on(slide) <= MOST_WORDS, slide.cell
        assert 0 < cues <= MOST_CUES or (cues == 0 and asks), slide.cell
    assert 2 <= len(slides.parts_of(made)) <= 5


# --- in the browser --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def decks(site: Path) -> Path:
    """All decks, as the book has them."""
    return site / "slides"


def show(browser, troubles: list[str], address: str):
    page = opened(browser, troubles)
    page.set_default_timeout(TIMEOUT)
    slides.opened(page, address)
    return page


def deck_of(notebook, folder: Path) -> Path:
    nbformat.write(notebook, folder / "09_short.ipynb")
    [deck] = slides.make([folder / "09_short.ipynb"], folder)
    return deck


# How large the type of each element with words of its own is, in pixels of a slide. (A formula has its line's size.)
SIZES = """(selector) => [...document.querySelectorAll(selector)]
    .filter((part) => !part.closest("mjx-container"))
    .filter((part) => [...part.childNodes].some((node) => node.nodeType == 3 && node.data.trim()))
    .map((part) => parseFloat(getComputedStyle(part).fontSize))"""

# The same for the small words of each figure of the core, whose PNG has 200 pixels for 72 points, and of each widget's.
OF_PICTURES = """(small) => {
    document.body.classList.add("measuring");
    const images = [...document.querySelectorAll(".frame:not(.further) .figure img")];
    const shares = images.map((one) => Math.min(one.width / one.naturalWidth, one.height / one.naturalHeight));
    const widgets = [...document.querySelectorAll(".pla-stage")].flatMap(({ shadowRoot }) =>
        [...shadowRoot.querySelectorAll(".picture text")].filter((text) => text.textContent));
    const size = (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
    return [...shares.map((share) => (share * small * 200) / 72), ...widgets.map(size)];
}"""


@needs_chromium
@pytest.mark.parametrize("chapter", [path.stem for path in PATHS])
def test_no_slide_overflows_and_all_can_be_read_from_the_back_row(browser, troubles, decks, chapter) -> None:
    page = opened(browser, troubles)
    page.set_default_timeout(TIMEOUT)
    assert slides.walk(page, decks / f"{chapter}.html") == []
    assert page.evaluate("Reveal.isLastSlide()")
    assert page.locator("[data-mjx-error]").count() == 0
    for kind, least in ((".code", 24), (".text", 24), (".quiz", 24), (".output", 20)):
        assert min(page.evaluate(SIZES, f"{kind} *"), default=least) >= least
    assert min(page.evaluate(SIZES, ".text :not(code), .quiz :not(code)"), default=26) >= 26
    assert round(min(page.evaluate(OF_PICTURES, SMALL), default=24), 1) >= 24
    assert troubles == []


@needs_chromium
def test_a_slide_that_overflows_is_named_also_by_an_answer_that_may_be_opened(browser, troubles, tmp_path) -> None:
    cells = [
        text("slide", "# Too much\n\n" + "word " * 500, "too-much"),
        code("slide", f"x = {'1' * 80}", code=True),
        code("slide", "ask()", question("word " * 20)),
        code("slide", "ask()", question("word " * 500)),
    ]
    named = slides.walk(opened(browser, troubles), deck_of(new_notebook(cells=cells), tmp_path))
    assert re.fullmatch(r"09_short, slide 1 \(cell too-much\): \d+ px too tall", named[0])
    assert [re.search(r"slide (\d) .* px too (\w+)", one).groups() for one in named[1:]] == [
        ("2", "wide"),
        ("4", "tall"),
    ]


@needs_chromium
def test_keys_walk_through_fragments_and_the_core_and_down_leads_further(browser, troubles, tmp_path, lecture) -> None:
    page = show(browser, troubles, f"{deck_of(lecture, tmp_path).as_uri()}#/steps")
    output = page.locator(".output").first
    assert output.evaluate("output => getComputedStyle(output).visibility") == "hidden"
    seen = []
    for key in ("ArrowRight", "PageDown", "ArrowRight", "ArrowLeft", "PageDown", "PageUp", "ArrowDown", "PageDown"):
        page.keyboard.press(key)
        seen.append(page.evaluate("Reveal.getCurrentSlide().id"))
    assert output.evaluate("output => output.classList.contains('visible')")
    assert seen == ["steps", "second", "end", "second", "end", "second", "third", "end"]
    assert page.locator("#second .below").inner_text() == "↓ Further: A third step"
    assert troubles == []


@needs_chromium
def test_a_letter_opens_its_choice_on_a_slide_from_the_speakers_window_too(browser, troubles, decks) -> None:
    page = show(browser, troubles, f"{(decks / '01_hypothesis_set.html').as_uri()}#/fun-time-1")
    for key in (*["ArrowRight"] * 4, "b"):
        page.keyboard.press(key)
    assert page.locator(".present details[open] summary b").all_inner_texts() == ["B"]
    with page.expect_popup() as window:  # the speaker's, in which keys are pressed from now on
        page.keyboard.press("s")
    preview = window.value.frame_locator("iframe").first.locator(".present .quiz")
    preview.evaluate("async () => { while (!window.deckIsReady) await new Promise(requestAnimationFrame); }")
    page.evaluate("Reveal.configure({ fragments: false })")  # as the window has hidden all choices
    window.value.keyboard.press("c")
    page.wait_for_function("document.querySelector('.present details[open] b').textContent == 'C'")
    assert not page.evaluate("Reveal.isPaused()")  # as B does elsewhere


@needs_chromium
def test_widgets_are_alive_and_large_on_slides_and_their_keys_and_drags_do_not_turn_them(
    browser, troubles, decks
) -> None:
    for chapter in ("02_pla", "01_hypothesis_set"):
        page = show(browser, troubles, (decks / f"{chapter}.html").as_uri())
        stage = page.locator("section div.pla-stage").first
        page.evaluate("Reveal.configure({ fragments: false })")
        stage.evaluate("(stage) => { location.hash = `#/${stage.closest('section').id}`; }")
        stage.locator("svg.picture").wait_for()
        place, before = page.evaluate("Reveal.getCurrentSlide().id"), stage.locator("p.w").inner_text()
        if chapter == "02_pla":
            stage.get_by_role("slider").focus()
            page.keyboard.press("ArrowRight")
            for is_overview in (False, True, False):  # Esc first leaves the widget
                page.keyboard.press("Escape")
                assert page.evaluate("Reveal.isOverview()") == is_overview
        else:
            box = stage.locator("svg.picture path.line.g").bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + 60, y - 60, steps=4)
            page.mouse.up()
        assert stage.locator("p.w").inner_text() != before
        assert stage.locator("svg.picture").bounding_box()["width"] >= 400
        assert page.evaluate("Reveal.getCurrentSlide().id") == place
        at_rest = stage.locator("p.w").inner_text()
        stage.get_by_role("slider").first.focus()
        page.keyboard.press("PageDown")  # as a remote control does
        assert page.evaluate("Reveal.getCurrentSlide().id") != place
        assert stage.locator("p.w").inner_text() == at_rest
    assert troubles == []


@needs_chromium
def test_the_speakers_window_shows_the_notes_and_the_minutes(browser, troubles, tmp_path, lecture) -> None:
    page = show(browser, troubles, f"{deck_of(lecture, tmp_path).as_uri()}#/steps")
    with page.expect_popup() as window:
        page.keyboard.press("s")
    notes = window.value.locator(".speaker-controls-notes .value")
    notes.get_by_text("Minutes 3–5 of 10").wait_for()
    notes.get_by_text("Say hello.").wait_for()
    assert troubles == []


def test_run_py_slides_makes_the_decks_that_are_named(tmp_path, capsys) -> None:
    assert slides.main(["01", "03", "--into", str(tmp_path)]) == 0
    decks = [tmp_path / "01_hypothesis_set.html", tmp_path / "03_convergence_proof.html"]
    assert capsys.readouterr().out == "".join(f"{deck}\n" for deck in decks)
    assert sorted(tmp_path.glob("*.html")) == decks

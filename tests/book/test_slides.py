"""The slides: what a notebook's metadata make of it, and every deck walked through in a real browser."""

import ast
import base64
import io
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from book import slides
from tests import prose
from tests.browser import needs_chromium, opened

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = [path.stem for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
TIMEOUT = 60_000  # milliseconds
MOST_WORDS = 75  # of text on a slide; a formula that is set apart counts for none


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


def question(answer: str = "Right."):
    page = f"<div class='plahelpers-quiz'><div role='group'><details><summary>A</summary>{answer}</details></div></div>"
    return new_output("execute_result", data={"text/html": page, "text/plain": "A"})


@pytest.fixture
def lecture():
    """A title, an outline, a section with a part that is Further below it, a section for readers only, take-aways."""
    cells = [
        text(
            "slide", "# Chapter 9 · Learn it\n\nFrom $w_t$, on.", "top", minutes=2, text="From $w_t$, on.", notes="Hi."
        ),
        code("-", "plot()", picture()),
        text("slide", "## You will\n\n- **learn** it", "goals", minutes=1, notes="Ask: why?"),
        text("slide", "## Steps\n\nTake one.", "steps", minutes=2, heading="A step turns $w$", notes="Say *hello*."),
        code("fragment", "print(1)", printed("1\n")),
        text("skip", "Only for readers."),
        text("slide", "### A second step", "second", minutes=1.5, notes="Point at it."),
        text("subslide", "### Further: A third step\n\nMore of it.", "third", minutes=1.5, notes="Skip it."),
        text("skip", "## Try it yourself", "exercises"),
        text("slide", "## Take-aways\n\n1. [Go on](03_convergence_proof.ipynb#Which-perfect-w?).", "end", minutes=3.5),
    ]
    return new_notebook(cells=cells)


def cell_of(notebook, cell: str):
    return next(each for each in notebook.cells if each.id == cell)


def frames(notebook, **options) -> dict[str, str]:
    """The HTML of each slide, by the cell that begins it."""
    deck = slides.as_deck(slides.slides_of(notebook), **options)
    return dict(re.findall(r'<section id="([^"]+)">(.*?)</section>', deck, re.DOTALL))


# --- what a slide is -------------------------------------------------------------------------------------------------


def test_slides_begin_where_the_metadata_say_and_leave_out_what_is_for_readers(lecture) -> None:
    made = slides.slides_of(lecture)
    assert [slide.level for slide in made] == [1, 1, 1, 1, 2, 1]
    assert [[block.kind for block in slide.blocks] for slide in made[:3]] == [
        ["text", "figure"],
        ["text"],
        ["text", "output"],
    ]
    assert "readers" not in slides.as_deck(made)


def test_a_fragment_and_what_follows_it_appear_on_a_key(lecture) -> None:
    lecture.cells.insert(5, code("-", "print(2)", printed("2\n")))
    steps = slides.slides_of(lecture)[2]
    assert [(block.kind, block.step) for block in steps.blocks] == [("text", 0), ("output", 1), ("output", 1)]


def test_code_is_shown_only_where_it_is_the_point(lecture) -> None:
    assert "print" not in frames(lecture)["steps"]
    lecture.cells[4].metadata.lecture = {"code": True}
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


def test_the_section_stands_on_every_slide_and_a_part_that_is_further_has_its_own_name(lecture) -> None:
    running = {cell: re.findall(r'<p class="running">(.*?)</p>', page) for cell, page in frames(lecture).items()}
    chapter = "Chapter 9 · Learn it"  # where the section's name is the heading
    names = {"goals": chapter, "steps": "Steps", "second": "Steps", "third": chapter, "end": chapter}
    cell_of(lecture, "third").metadata.lecture.heading = "Third time lucky"
    assert running == {"top": [], **{cell: [name] for cell, name in names.items()}}
    assert '<p class="running">Further: A third step</p>' in frames(lecture)["third"]


def test_in_the_book_the_section_leads_to_its_page(lecture) -> None:
    shown = frames(lecture, section_links={"steps": "../09/steps.html#steps", "second": "../09/steps.html#second"})
    assert '<p class="running"><a href="../09/steps.html#steps">Steps</a></p>' in shown["steps"]
    assert '<p class="running"><a href="../09/steps.html#second">Steps</a></p>' in shown["second"]
    assert '<p class="running">Chapter' in shown["end"]


def test_the_first_slide_of_a_section_can_be_looked_up(lecture) -> None:
    lecture.cells.insert(4, text("-", "### On the same slide", "same"))
    lecture.cells[7:7] = [text("skip", "## Only a heading", "only"), text("slide", "Later.", "later")]
    firsts = {"goals": "goals", "steps": "steps", "same": "steps", "only": "later", "second": "second"}
    assert slides.first_slides(lecture) == {**firsts, "third": "third", "end": "end"}


def test_the_title_names_course_lecture_and_chapter_beside_the_first_picture(lecture) -> None:
    title = frames(lecture)["top"]
    words = re.sub(r"<[^>]+>|\s", " ", title.partition("<aside")[0])
    expected = "Machine Learning Foundations Lecture 2: Learning to Answer Yes/No Chapter 9 Learn it From"
    assert " ".join(words.split()).startswith(expected)
    assert '<img alt="A black box"' in title


def test_the_outline_leads_to_the_sections_of_the_core(lecture) -> None:
    outline = re.findall(r'<a href="#/(\w+)">(.*?)</a>', frames(lecture)["goals"])
    assert outline == [("steps", "Steps"), ("end", "Take-aways")]


def test_the_notes_begin_with_the_minutes_of_the_plan(lecture) -> None:
    made = slides.slides_of(lecture)
    assert slides.timings(made)[2:5] == ["Minutes 3–5 of 10", "Minutes 5–6.5 of 10", "1.5 more"]
    notes = '<aside class="notes"><p><strong>Minutes 3–5 of 10</strong></p><p>Say <em>hello</em>.</p>'
    assert notes in frames(lecture)["steps"]


def test_another_language_needs_a_file_of_words_and_no_code(lecture, monkeypatch) -> None:
    texts = {key: f"<{key}>" for key in ("course", "lecture", "outline", "further", "minutes", "more")}
    headings = {"chapter": " · ", "outline": "Ziele", "take-aways": "Merksätze", "further": "Mehr: "}
    monkeypatch.setattr(slides, "WORDS", {"lang": "de", **texts, "headings": headings})
    for cell in lecture.cells:
        for german, english in zip(headings.values(), slides_words()["headings"].values(), strict=True):
            cell.source = cell.source.replace(english, german)
    assert [slide.look for slide in slides.slides_of(lecture)] == [
        "title",
        "outline",
        "core",
        "core",
        "further",
        "take-aways",
    ]
    deck = slides.as_deck(slides.slides_of(lecture))
    assert '<html lang="de">' in deck
    assert [english for english in slides_words().values() if isinstance(english, str) and english in deck] == ["en"]


def slides_words():
    return tomllib.loads((ROOT / "book" / "deck" / "en" / "words.toml").read_text("utf-8"))


def test_mathematics_is_left_to_mathjax_and_links_lead_to_decks(lecture) -> None:
    shown = frames(lecture)
    assert r'<span class="whole"><span class="math inline">\(w_t\)</span>,</span>' in shown["top"]
    assert '<a href="03_convergence_proof.html">Go on</a>' in shown["end"]


def test_a_comma_after_a_formula_does_not_begin_a_line_and_other_words_may() -> None:
    assert slides.join_punctuation(r"<p>From \(w\) to \(v\), on</p>") == (
        r'<p>From \(w\) to <span class="whole">\(v\),</span> on</p>'
    )


@pytest.mark.parametrize("early", [text("-", "# One", "early"), text("slide", "No title.", "early")])
def test_a_cell_before_the_title_is_named(early) -> None:
    with pytest.raises(ValueError, match="the cell 'early' is on no slide"):
        slides.slides_of(new_notebook(cells=[early]))


# --- the five decks --------------------------------------------------------------------------------------------------


@pytest.fixture(params=CHAPTERS)
def chapter(request):
    return nbformat.read(ROOT / "notebooks" / f"{request.param}.ipynb", as_version=4)


def nameless(notebook) -> list[str]:
    return [slide.cell for slide in slides.slides_of(notebook) if not slide.heading]


def badly_noted(notebook) -> list[str]:
    """The slides whose notes are longer than cues, or that have none and no question that speaks for itself."""
    asking = {slide.cell for slide in slides.slides_of(notebook) if any(block.kind == "quiz" for block in slide.blocks)}
    begins = [cell for cell in notebook.cells if cell.metadata.slideshow.slide_type in ("slide", "subslide")]
    words = {cell.id: prose.words(cell.metadata.lecture.get("notes", "")) for cell in begins}
    return [cell for cell, count in words.items() if count > 60 or (count == 0 and cell not in asking)]


def is_carried(slide) -> bool:
    """Does a picture, a widget, a question or a formula carry it? A formula does if it is set apart or the heading."""
    said = [formula for formula in re.findall(r"\\\((.*?)\\\)", slide.heading) if re.search(RELATION, formula)]
    apart = [block for block in slide.blocks if block.kind == "text" and r"\[" in block.html]
    return bool(said or apart or any(block.kind in ("figure", "player", "quiz") for block in slide.blocks))


RELATION = r"=|&[lg]t;|\\(?:le|ge|leq|geq|ne|neq|approx|leftarrow)\b"  # a lone symbol says nothing


def bad_code(notebook) -> list[str]:
    """The code on slides that is long, or checks, imports or formats."""
    shown = [cell for cell in notebook.cells if cell.metadata.get("lecture", {}).get("code")]
    return [cell.id for cell in shown if len(cell.source.splitlines()) > 10 or any(map(is_plumbing, nodes(cell)))]


def nodes(cell):
    return ast.walk(ast.parse(cell.source))


def is_plumbing(node: ast.AST) -> bool:
    is_format = isinstance(node, ast.Attribute) and node.attr == "format"
    return is_format or isinstance(node, ast.Assert | ast.Import | ast.ImportFrom | ast.JoinedStr)


def words_on(slide) -> int:
    """The words of its text, also of answers that can be opened; a formula within a sentence is a word."""
    shown = " ".join(block.html for block in slide.blocks if block.kind == "text")
    shown = re.sub(r"\\\(.*?\\\)", "formula", re.sub(r"\\\[.*?\\\]", "", shown, flags=re.DOTALL), flags=re.DOTALL)
    return len(re.sub(r"<[^>]+>", "", shown).split())


def crowded(notebook) -> list[str]:
    counts = {slide.cell: words_on(slide) for slide in slides.slides_of(notebook)}
    return [f"{cell}: {count} words" for cell, count in counts.items() if count > MOST_WORDS]


def test_every_slide_has_a_heading(chapter) -> None:
    assert nameless(chapter) == []


def test_every_slide_has_cues_for_the_speaker_in_at_most_sixty_words(chapter) -> None:
    assert badly_noted(chapter) == []


def test_a_picture_a_widget_a_question_or_a_formula_carries_most_slides(chapter) -> None:
    made = slides.slides_of(chapter)
    bare = [slide.cell for slide in made if not is_carried(slide)]
    assert len(bare) <= 0.4 * len(made), bare


def test_code_on_a_slide_is_short_and_checks_imports_and_formats_nothing(chapter) -> None:
    assert bad_code(chapter) == []


def test_slides_hold_few_words(chapter) -> None:
    assert crowded(chapter) == []


def test_these_rules_find_what_breaks_them(lecture) -> None:
    assert nameless(lecture) == []
    assert badly_noted(lecture) == ["end"]
    assert [slide.cell for slide in slides.slides_of(lecture) if is_carried(slide)] == ["top"]
    assert bad_code(lecture) == crowded(lecture) == []
    steps = cell_of(lecture, "steps").metadata.lecture
    steps.update(heading="We set $w = 0$", notes="word " * 61, text="word " * (MOST_WORDS + 1))
    cell_of(lecture, "second").source = "No heading, and $w$ alone."
    cell_of(lecture, "end").source += "\n\n$$w$$"
    lecture.cells.append(code("-", "ask()", question()))
    assert nameless(lecture) == ["second"]
    assert badly_noted(lecture) == ["steps"]
    assert [slide.cell for slide in slides.slides_of(lecture) if is_carried(slide)] == ["top", "steps", "end"]
    assert crowded(lecture) == [f"steps: {MOST_WORDS + 1} words"]


@pytest.mark.parametrize(
    ("source", "good"),
    [
        ("w = w + y[n] * Z[n]\nprint(w)", True),
        ("assert w", False),
        ("import numpy", False),
        ("from numpy import sign", False),
        ("print(f'{w}')", False),
        ("print('{}'.format(w))", False),
        ("w = 0\n" * 11, False),
    ],
)
def test_plumbing_is_told_from_the_code_of_a_lecture(source, good) -> None:
    cell = code("-", source, code=True)
    assert bad_code(new_notebook(cells=[cell])) == ([] if good else [cell.id])
    del cell.metadata.lecture["code"]  # on no slide it may be as it likes
    assert bad_code(new_notebook(cells=[cell])) == []


# --- in the browser --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def decks(shared_folder: Callable[..., Path]) -> Path:
    """All decks, as `run.py slides` makes them."""
    command = [sys.executable, "-m", "book.slides", "--into"]
    return shared_folder("slides", lambda folder: subprocess.run([*command, folder], capture_output=True, check=True))


def show(browser, troubles: list[str], address: str):
    page = opened(browser, troubles)
    page.set_default_timeout(TIMEOUT)
    slides.opened(page, address)
    return page


def deck_of(notebook, folder: Path) -> Path:
    nbformat.write(notebook, folder / "09_short.ipynb")
    [deck] = slides.make([folder / "09_short.ipynb"], folder)
    return deck


def walk(browser, troubles: list[str], cells: list, folder: Path) -> list[str]:
    return slides.walk(opened(browser, troubles), deck_of(new_notebook(cells=cells), folder))


# How large the type of each element with words of its own is, in pixels of a slide. (A formula has its line's size.)
SIZES = """(selector) => [...document.querySelectorAll(selector)]
    .filter((part) => !part.closest("mjx-container"))
    .filter((part) => [...part.childNodes].some((node) => node.nodeType == 3 && node.data.trim()))
    .map((part) => parseFloat(getComputedStyle(part).fontSize))"""


@needs_chromium
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_slide_overflows_and_all_can_be_read_from_the_back_row(browser, troubles, decks, chapter) -> None:
    page = opened(browser, troubles)
    page.set_default_timeout(TIMEOUT)
    assert slides.walk(page, decks / f"{chapter}.html") == []
    assert page.evaluate("Reveal.isLastSlide()")
    assert page.locator("mjx-merror").count() == 0
    assert page.locator("img:not([alt]), img[alt='']").count() == 0
    for kind, least in ((".code", 24), (".text", 24), (".quiz", 24), (".output", 20)):
        assert min(page.evaluate(SIZES, f"{kind} *"), default=least) >= least
    assert min(page.evaluate(SIZES, ".text :not(code), .quiz :not(code)"), default=26) >= 26
    assert troubles == []


@needs_chromium
def test_a_slide_that_overflows_is_named(browser, troubles, tmp_path) -> None:
    [trouble] = walk(browser, troubles, [text("slide", "# Too much\n\n" + "word " * 500, "too-much")], tmp_path)
    assert re.fullmatch(r"09_short, slide 1 \(cell too-much\): \d+ px too tall", trouble)


@needs_chromium
def test_a_line_of_code_that_is_too_long_is_named_and_not_set_small(browser, troubles, tmp_path) -> None:
    long = code("slide", f"x = {'1' * 80}", code=True)
    assert "px too wide" in walk(browser, troubles, [text("slide", "# One"), long], tmp_path)[0]


@needs_chromium
@pytest.mark.parametrize(("answer", "names"), [("word " * 20, []), ("word " * 500, ["slide 2"])])
def test_a_question_has_to_have_room_for_an_answer_that_is_opened(browser, troubles, tmp_path, answer, names) -> None:
    overflows = walk(browser, troubles, [text("slide", "# One"), code("slide", "ask()", question(answer))], tmp_path)
    assert [re.search(r"slide \d", overflow)[0] for overflow in overflows] == names


@needs_chromium
@pytest.mark.parametrize(
    ("words", "size", "place", "least"),
    [
        ("Few words", (30, 20), "beside", 690),
        ("Few words", (60, 15), "below", 1100),
        ("Many words, which take much room. " * 9, (30, 15), "beside", 690),
    ],
)
def test_a_figure_is_beside_the_words_or_below_them_where_it_is_larger(
    browser, troubles, tmp_path, words, size, place, least
) -> None:
    cells = [text("slide", "# One"), text("slide", f"## Two\n\n{words}"), code("-", "plot()", picture(*size))]
    page = show(browser, troubles, f"{deck_of(new_notebook(cells=cells), tmp_path).as_uri()}#/1")
    text_box, figure_box = (page.locator(f"section.present {part}").bounding_box() for part in (".text", ".figure"))
    assert (figure_box["x"] > text_box["x"] + text_box["width"]) == (place == "beside")
    assert (figure_box["y"] > text_box["y"] + text_box["height"]) == (place == "below")
    assert min(figure_box["width"], figure_box["height"] * size[0] / size[1]) > least
    assert slides.walk(page, tmp_path / "09_short.html") == troubles == []


@needs_chromium
def test_a_formulas_hidden_text_takes_no_room(browser, troubles, tmp_path) -> None:
    """What MathJax writes for screen readers is many lines tall, unseen, if the formula has a number."""
    formula = "a + b + c + d + e + f + g + h + i + j + k"
    sources = ("# One", f"## Two\n\n$${formula}$$", f"## Three\n\n$${formula} \\tag{{1}}$$")
    deck = deck_of(new_notebook(cells=[text("slide", source) for source in sources]), tmp_path)
    scales = "[...document.querySelectorAll('.frame')].map((frame) => frame.style.getPropertyValue('--scale'))"
    _, without, numbered = show(browser, troubles, deck.as_uri()).evaluate(scales)
    assert without == numbered


@needs_chromium
@pytest.mark.parametrize(
    ("forward", "back"), [("ArrowRight", "ArrowLeft"), ("PageDown", "PageUp"), ("Space", "PageUp")]
)
def test_keys_walk_through_fragments_and_the_core_and_down_leads_further(
    browser, troubles, tmp_path, lecture, forward, back
) -> None:
    page = show(browser, troubles, f"{deck_of(lecture, tmp_path).as_uri()}#/steps")
    output = page.locator(".output").first
    assert output.evaluate("output => getComputedStyle(output).visibility") == "hidden"
    seen = []
    for key in (forward, forward, forward, back, "ArrowDown", forward):
        page.keyboard.press(key)
        seen.append(page.evaluate("Reveal.getCurrentSlide().id"))
    assert output.evaluate("output => output.classList.contains('visible')")
    assert seen == ["steps", "second", "end", "second", "third", "end"]
    page.wait_for_function("location.hash == '#/end'")
    assert page.locator("#second .below").inner_text() == "↓ Further: A third step"
    assert troubles == []


@needs_chromium
def test_a_click_in_the_outline_leads_to_the_section(browser, troubles, tmp_path, lecture) -> None:
    page = show(browser, troubles, f"{deck_of(lecture, tmp_path).as_uri()}#/goals")
    page.get_by_role("link", name="Take-aways").click()
    page.wait_for_function("Reveal.getCurrentSlide().id == 'end'")
    assert troubles == []


def turn_to(page, stage) -> None:
    """Turn to the slide of a widget."""
    page.evaluate("Reveal.configure({ fragments: false })")
    stage.evaluate("(stage) => { location.hash = `#/${stage.closest('section').id}`; }")
    stage.locator("svg.picture").wait_for()


@needs_chromium
@pytest.mark.parametrize(
    ("chapter", "widget", "slider", "value", "heading"),
    [
        ("01_hypothesis_set", 0, "w₂", "-1", "3 of 20 points wrong"),
        ("02_pla", 0, "Step", "8", "t = 8 of T = 8: no mistakes"),
        ("02_pla", 1, "", "", "t = 1 of T = 22: 4 mistakes"),
        ("03_convergence_proof", 0, "margin ρ", "0", "T = 168 ≤"),  # as in the chapter's table, for ρ = 0.01
        ("04_pocket_on_noisy_data", 0, "Step", "10", "t = 10 of 100: 4 mistakes"),
        ("04_pocket_on_noisy_data", 1, "noise", "0", "Pocket: 0 of 50 wrong"),
    ],
)
def test_widgets_are_alive_and_large_on_slides(
    browser, troubles, decks, chapter, widget, slider, value, heading
) -> None:
    page = show(browser, troubles, (decks / f"{chapter}.html").as_uri())
    stage = page.locator("section div.pla-stage").nth(widget)
    turn_to(page, stage)
    if slider:
        stage.get_by_role("slider", name=slider).fill(value)
    else:
        stage.get_by_role("button", name="Step").click()
    assert stage.locator(".head").inner_text().replace("\u00a0", " ").startswith(heading)
    assert stage.locator("svg.picture").bounding_box()["width"] >= 400
    assert troubles == []


@needs_chromium
def test_a_line_is_dragged_on_a_slide(browser, troubles, decks) -> None:
    page = show(browser, troubles, (decks / "01_hypothesis_set.html").as_uri())
    stage = page.locator("section div.pla-stage").first
    turn_to(page, stage)
    place = page.evaluate("Reveal.getCurrentSlide().id")
    before = stage.locator("p.w").inner_text()
    box = stage.locator("svg.picture path.line.g").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y - 60, steps=4)
    page.mouse.up()
    assert stage.locator("p.w").inner_text() != before
    assert page.evaluate("Reveal.getCurrentSlide().id") == place
    assert troubles == []


@needs_chromium
def test_a_players_keys_do_not_turn_its_slide(browser, troubles, decks) -> None:
    page = show(browser, troubles, (decks / "02_pla.html").as_uri())
    player = page.locator("section div.pla-stage").first
    turn_to(page, player)
    place = page.evaluate("Reveal.getCurrentSlide().id")
    player.locator("svg.picture").focus()
    page.keyboard.press("ArrowRight")
    assert player.locator(".head").inner_text().replace("\u00a0", " ").startswith("t = 1 of T = 8")
    assert page.evaluate("Reveal.getCurrentSlide().id") == place
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


@needs_chromium
def test_a_deck_prints_a_page_for_every_slide(browser, troubles, tmp_path, lecture) -> None:
    page = opened(browser, troubles)
    sizes = page_sizes(slides.print_deck(page, deck_of(lecture, tmp_path)))
    assert len(sizes) == 6
    assert {round(width / height, 2) for width, height in sizes} == {1.78}  # 16:9
    assert page.locator(".fragment:not(.visible)").count() == 0
    assert re.findall(rb"/Dest /(\w+)", (tmp_path / "09_short.pdf").read_bytes()) == [b"steps", b"end"]  # the outline
    assert troubles == []


def page_sizes(file: Path) -> list[tuple[float, float]]:
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", file.read_bytes())
    return [(float(width), float(height)) for width, height in boxes]


@needs_chromium
def test_run_py_slides_pdf_writes_a_pdf_beside_each_deck(tmp_path) -> None:
    command = [sys.executable, "-m", "book.slides", "01", "--pdf", "--into", tmp_path]
    printed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    assert str(tmp_path / "01_hypothesis_set.pdf") in printed
    made = slides.slides_of(nbformat.read(ROOT / "notebooks" / "01_hypothesis_set.ipynb", as_version=4))
    assert len(page_sizes(tmp_path / "01_hypothesis_set.pdf")) == len(made)

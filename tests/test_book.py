"""The book, built from the stored notebooks as `run.py book` builds it, and read in a real browser from its folder."""

import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import import_module, resources
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import nbformat
import pytest
from browser import needs_chromium, opened
from prose import sections

import plahelpers

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "book"))
MODULES = list(import_module("make").MODULES)
CHAPTERS = [path.stem for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
REFERENCE = ["reference/index", *(f"reference/{name}" for name in MODULES)]
PAGES = [*CHAPTERS, "index", "homework", "glossary", "search", *REFERENCE]
IN_DARK = ["02_pla", "index", "homework", "search", "reference/learning"]  # one page of each kind
TIMEOUT = 60_000  # milliseconds
DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
SETTLED = "window.settled"  # a promise of book.js: formulas are set, signs are with them, what is wide scrolls


@pytest.fixture(scope="session")
def site(shared_folder: Callable[..., Path]) -> Path:
    """The book in a folder of its own; it is built without a warning, or not at all."""

    def build(folder: Path) -> None:
        command = [sys.executable, ROOT / "book" / "make.py", "--into", folder]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (process.returncode, process.stderr) == (0, "")

    return shared_folder("book", build)


class Page(HTMLParser):
    """What a page's HTML links to, which places in it can be linked to, and its images."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.images: list[dict[str, str | None]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.links += [link for name in ("href", "src") if (link := attributes.get(name))]
        self.places |= {attributes.get("id") or "", attributes.get("name") or ""}
        if tag == "img":
            self.images.append(attributes)


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


# --- the files -------------------------------------------------------------------------------------------------------


def test_the_landing_page_leads_to_the_five_chapters_the_homework_and_the_reference(site: Path) -> None:
    links = Page(site / "index.html").links
    wanted = [f"{chapter}.html" for chapter in CHAPTERS] + ["homework.html", "reference/index.html"]
    assert len(CHAPTERS) == 5
    assert set(wanted) <= set(links)


def test_every_page_is_looked_at_in_the_browser(pages: dict[Path, Page], site: Path) -> None:
    assert {path.relative_to(site).with_suffix("").as_posix() for path in pages} == set(PAGES)


def test_no_internal_link_is_broken(pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links:
            target = urlsplit(urljoin(path.as_uri(), link))
            if target.scheme != "file":
                continue  # pictures in the page itself; that none leads to another host, the browser tells
            file = Path(unquote(target.path))
            if not file.is_file() or (target.fragment and unquote(target.fragment) not in pages[file].places):
                broken.append(f"{path.name}: {link}")
    assert broken == []


NAMES = """binary classification, supervised learning, linear classifier, decision boundary, training error, test error,
loss, perceptron loss, hinge loss, epoch, learning rate, convex, functional margin, geometric margin, generalisation"""


def test_every_entry_of_the_glossary_leads_to_the_section_that_introduces_it() -> None:
    page = (ROOT / "book" / "pages" / "glossary.md").read_text(encoding="utf-8")
    entries = re.findall(r'(?m)^\*\*(.+)\*\* \S+\n: .+\. \[Chapter (\d), "(.+)"\]\((.+)\.ipynb#', page)
    assert set(re.split(r",\s", NAMES)) <= {term for term, *_ in entries}
    assert len(entries) == page.count("\n: ")
    for term, chapter, title, stem in entries:
        notebook = nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", as_version=4)
        cells = [cell.source for cell, titles in sections(notebook) if title in titles and cell.cell_type == "markdown"]
        assert stem.startswith(f"0{chapter}")
        assert re.search(rf"\*\*[^*]*{term}", " ".join(" ".join(cells).split()), re.IGNORECASE), (term, title)


def test_nothing_is_loaded_from_another_host(pages: dict[Path, Page]) -> None:
    remote = {link for page in pages.values() for link in page.links if link.startswith(("http:", "https:", "//"))}
    assert remote == set()


def test_every_picture_has_the_alternative_text_that_was_stored_with_it(pages: dict[Path, Page], site: Path) -> None:
    for page in pages.values():
        assert [image for image in page.images if not (image.get("alt") or "").strip()] == []
    for chapter in CHAPTERS:
        notebook = nbformat.read(ROOT / "notebooks" / f"{chapter}.ipynb", as_version=4)
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        stored = [output.metadata["image/png"]["alt"] for output in outputs if "image/png" in output.get("data", {})]
        on_page = [" ".join((image["alt"] or "").split()) for image in pages[site / f"{chapter}.html"].images]
        assert {" ".join(alt.split()) for alt in stored} <= set(on_page)


def test_the_reference_has_every_name_that_a_student_types(pages: dict[Path, Page], site: Path) -> None:
    reference = [page for path, page in pages.items() if "reference" in path.parts]
    places = {place.split(".")[-1] for page in reference for place in page.places}
    assert set(plahelpers.__all__) - set(MODULES) <= places


def test_the_reference_shows_no_marks_and_no_values_as_they_print(site: Path) -> None:
    for name in MODULES:
        page = (site / "reference" / f"{name}.html").read_text(encoding="utf-8")
        text = re.sub(r"<[^>]+>", "", page[page.index("<article") : page.index("</article>")])
        marks = re.findall(r"``|:su[bp]:|_\{|\^\(|\*\*kwargs|array\(\[\]|<[a-z_]+ object at", text)
        assert (name, marks) == (name, [])


def test_the_reference_sets_indices_links_chapters_and_lists_what_a_result_holds(site: Path) -> None:
    page = (site / "reference" / "learning.html").read_text(encoding="utf-8")
    article = page[page.index("<article") : page.index("</article>")]
    assert "from w<sub>t</sub> to w<sub>t+1</sub>" in article
    assert re.search(r'<a [^>]*href="../02_pla.html"><span[^>]*>chapter 2</span></a>', article)
    text = " ".join(re.sub(r"<[^>]+>", "", article).split())
    assert "halted (bool) – no mistakes left" in text
    assert "sign_of_zero (-1 or 0 or 1)" in text
    assert "class Run#" in text  # nobody is to call it, so it has no arguments


# --- every page in the browser, loaded once --------------------------------------------------------------------------


UNSET = "[...document.querySelectorAll('.math')].filter((math) => !math.querySelector('mjx-container')).length"
AS_TEX = r"""[...document.querySelectorAll(".bd-article .text_html")].map((part) => part.textContent)
    .filter((text) => text.includes("\\("))"""
APART = """[...document.querySelectorAll(".bd-article mjx-container:not([display])")]
    .map((set) => set.closest("span.math") ?? set)
    .flatMap((math) => [[math.previousSibling, /[([]$/], [math.nextSibling, /^[.,;:]/]])
    .filter(([text, sign]) => text?.nodeType === 3 && sign.test(text.data)
        && !text.parentElement.matches(".with-its-sign"))
    .length"""
SIZES = """["h1", "h2", "h3", "p"].map((tag) => document.querySelector(`.bd-article ${tag}`)).filter(Boolean)
    .map((element) => parseFloat(getComputedStyle(element).fontSize))"""
CUT_OFF = """[...document.querySelectorAll(".bd-article :is(mjx-container, pre, img, table, code)")].filter((part) => {
    const scrolls = (box) => box && (getComputedStyle(box).overflowX == "auto" || scrolls(box.parentElement));
    return part.getBoundingClientRect().right > innerWidth + 1 && !scrolls(part);
}).map((part) => part.outerHTML.slice(0, 100))"""
# A colour that is still on its way from light to dark is neither the one nor the other.
END_TRANSITIONS = """for (const animation of document.getAnimations())
    if (animation instanceof CSSTransition) animation.finish()"""
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}  # all that differs in dark


def show(browser, troubles: list[str], address: str, **options):
    """A page with its mathematics set."""
    page = opened(browser, troubles, **options)
    page.set_default_timeout(TIMEOUT)
    page.goto(address)
    page.evaluate(SETTLED)
    return page


def unfold_solution(page) -> list[bool]:
    solution = page.locator("details", has=page.locator("summary", has_text="Solution")).first
    if not solution.count():
        return []
    text = solution.locator(":scope > :not(summary)").first
    before = text.is_visible()
    solution.locator("summary").click()
    return [before, text.is_visible()]


def audit(page, **options: Any) -> list[str]:
    result = page.evaluate("(options) => axe.run(document, options)", {"resultTypes": ["violations"], **options})
    return [
        f"{violation['id']}: {violation['nodes'][0]['html'][:200]}"
        for violation in result["violations"]
        if violation["impact"] in ("serious", "critical")
    ]


def audits(page, name: str) -> dict[str, list[str]]:
    """With everything unfolded, in light, and for some pages also the colours in dark."""
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    # The strokes of formulas, hidden from screen readers, are thousands; what is read out instead stays.
    page.evaluate("for (const drawing of document.querySelectorAll('mjx-container > svg')) drawing.remove()")
    page.evaluate((resources.files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8"))
    results = {"light": audit(page)}
    if name in IN_DARK:
        page.emulate_media(color_scheme="dark")
        page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
        page.evaluate(END_TRANSITIONS)
        results["dark"] = audit(page, **COLOURS)
    return results


@pytest.fixture(scope="module", params=PAGES)
def visit(request: pytest.FixtureRequest, browser, site: Path) -> dict[str, Any]:
    """What a browser says of one page: as a desktop loads it, at the width of a phone, then in an audit."""
    name, troubles = request.param, []
    query = "?q=margin" if name == "search" else ""
    page = show(browser, troubles, (site / f"{name}.html").as_uri() + query, color_scheme="light", viewport=DESKTOP)
    if query:
        page.locator("ul.search .highlighted").first.wait_for()
    facts = {
        "name": name,
        "troubles": troubles,
        "titles": page.locator("h1:visible").count(),
        "formulas": (page.evaluate(UNSET), page.locator("mjx-merror").count(), page.evaluate(AS_TEX)),
        "signs apart": page.evaluate(APART),
        "solution": unfold_solution(page),
        "sizes": page.evaluate(SIZES),
    }
    page.set_viewport_size(PHONE)
    page.evaluate("new Promise(requestAnimationFrame)")  # book.js looks again for what is too wide
    facts |= {
        "sizes on a phone": page.evaluate(SIZES),
        "width": page.evaluate("document.documentElement.scrollWidth"),
        "cut off": page.evaluate(CUT_OFF),
    }
    page.set_viewport_size(DESKTOP)
    page.evaluate("new Promise(requestAnimationFrame)")
    facts["violations"] = audits(page, name)
    page.close()
    return facts


@needs_chromium
def test_a_page_loads_from_its_folder_without_an_error_and_asks_no_other_host(visit: dict[str, Any]) -> None:
    assert visit["titles"] == 1
    assert visit["troubles"] == []


@needs_chromium
def test_no_formula_is_left_as_tex_and_no_sign_stands_apart_from_its_formula(visit: dict[str, Any]) -> None:
    assert visit["formulas"] == (0, 0, [])
    assert visit["signs apart"] == 0


@needs_chromium
def test_nothing_is_wider_than_a_phone_and_whatever_is_cut_off_can_be_scrolled(visit: dict[str, Any]) -> None:
    assert visit["width"] == PHONE["width"]
    assert visit["cut off"] == []


@needs_chromium
def test_headings_grow_smaller_with_their_level(visit: dict[str, Any]) -> None:
    for sizes in (visit["sizes"], visit["sizes on a phone"]):
        assert sizes == sorted(set(sizes), reverse=True)


@needs_chromium
def test_solutions_are_folded_and_unfold(visit: dict[str, Any]) -> None:
    assert visit["solution"] == ([False, True] if visit["name"] in CHAPTERS else [])


@needs_chromium
def test_an_accessibility_audit_finds_nothing_serious(visit: dict[str, Any]) -> None:
    modes = ["light", "dark"] if visit["name"] in IN_DARK else ["light"]
    assert visit["violations"] == {mode: [] for mode in modes}


# --- single pages in the browser -------------------------------------------------------------------------------------


@needs_chromium
def test_on_a_phone_columns_stay_columns_panels_can_be_read_and_a_case_stands_below_the_other(
    browser, troubles, site
) -> None:
    page = show(browser, troubles, (site / "03_convergence_proof.html").as_uri(), viewport=PHONE)
    wrap = "(element) => getComputedStyle(element).whiteSpace"
    assert page.locator(".cell_output pre", has_text="bound = 15233.1").evaluate(wrap) == "pre"
    assert page.locator(".cell_output pre", has_text="Linearly separable:").first.evaluate(wrap) == "pre-wrap"
    assert page.locator("img[alt*='proof']").first.evaluate("(image) => image.clientWidth") > 600
    page.locator("summary", has_text="All cases").first.click()
    cells = page.locator(".cell_output details[open] tr").nth(1).locator("td")
    lefts = {cell.bounding_box()["x"] for cell in cells.all()}
    assert (cells.count(), len(lefts)) == (4, 1)
    assert troubles == []


@needs_chromium
@pytest.mark.parametrize(
    ("width", "side", "entry", "leads_to"),
    [
        (390, "primary", "03 · Prove that PLA halts", "03_convergence_proof.html"),
        (390, "secondary", "Three orders", "02_pla.html#three-orders"),
        (1000, "secondary", "Three orders", "02_pla.html#three-orders"),
    ],
)
def test_a_menu_opens_by_the_button_that_is_seen_and_closes(
    browser, troubles, site, width, side, entry, leads_to
) -> None:
    size = {"width": width, "height": 844}
    page = show(browser, troubles, (site / "02_pla.html").as_uri(), viewport=size, has_touch=True)
    page.locator(f".{side}-toggle:visible").tap()
    menu = page.locator(f"#pst-{side}-sidebar-modal")
    menu.get_by_role("link", name=entry).tap()
    page.wait_for_url(f"**/{leads_to}")
    assert not menu.is_visible()
    assert troubles == []


@needs_chromium
def test_the_button_back_to_the_top_gives_way_to_a_player_that_is_used(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / "02_pla.html").as_uri(), viewport=PHONE)
    button = page.locator("#pst-back-to-top")
    player = page.locator("div.pla-stage").first
    for place in (6000, 5000):  # it comes when the reader turns back
        page.evaluate("(place) => scrollTo({ top: place, behavior: 'instant' })", place)
        page.wait_for_function("(place) => Math.abs(scrollY - place) < 2", arg=place)
    button.wait_for()
    player.get_by_role("button", name="Next").focus()
    assert not button.is_visible()
    assert troubles == []


@needs_chromium
def test_a_quizs_choices_open_their_feedback(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / "02_pla.html").as_uri())
    quiz = page.locator(".plahelpers-quiz").last
    choices = quiz.locator("[role=group]").first.locator("details")
    verdicts = []
    for choice in choices.all():
        feedback = choice.locator(":scope > div")
        assert not feedback.is_visible()
        choice.locator("summary").click()
        assert feedback.is_visible()
        verdicts.append(feedback.inner_text().split(".")[0])
    assert sorted(set(verdicts)) == ["Not quite", "Right"]
    assert quiz.locator("mjx-container").count() > 0
    assert troubles == []


@needs_chromium
@pytest.mark.parametrize(
    ("chapter", "widget", "slider", "value", "heading"),
    [
        ("01_hypothesis_set", 0, "w₂", "-1", "3 of 20 points wrong"),
        ("02_pla", 0, "Step", "8", "t = 8 of T = 8: no mistakes"),
        ("02_pla", 1, "", "", "t = 1 of T = 22: 4 mistakes"),
        ("03_convergence_proof", 0, "margin ρ", "0", "T = 168 ≤"),  # as in the table below it, for ρ = 0.01
        ("04_pocket_on_noisy_data", 0, "Step", "10", "t = 10 of 100: 4 mistakes"),
        ("04_pocket_on_noisy_data", 1, "noise", "0", "Pocket: 0 of 50 wrong"),
    ],
)
def test_the_widgets_of_a_chapter_are_alive(browser, troubles, site, chapter, widget, slider, value, heading) -> None:
    page = show(browser, troubles, (site / f"{chapter}.html").as_uri())
    stage = page.locator("div.pla-stage").nth(widget)
    if slider:
        stage.get_by_role("slider", name=slider).fill(value)
    else:
        stage.get_by_role("button", name="Step").click()
    assert stage.locator(".head").inner_text().replace("\u00a0", " ").startswith(heading)
    assert troubles == []


@needs_chromium
def test_the_search_finds_margin_from_a_folder(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / "index.html").as_uri())
    page.keyboard.press("Control+k")
    page.keyboard.type("margin")
    page.keyboard.press("Enter")
    results = page.locator("ul.search li a")
    results.first.wait_for()
    page.wait_for_function("document.querySelector('#search-results .search-summary')?.textContent.includes('found')")
    links = {re.sub(r"[?#].*", "", link.get_attribute("href") or "").rpartition("/")[2] for link in results.all()}
    assert {"03_convergence_proof.html", "guarantee.html"} <= links
    assert troubles == []


@needs_chromium
def test_light_turns_to_dark_widgets_too_and_figures_stay_on_white(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / "02_pla.html").as_uri(), color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.get_by_role("button", name="Color mode").click()
    page.locator(".theme-switch-container .dropdown-menu").get_by_text("Dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    darkness = [int(part) for part in re.findall(r"\d+", page.evaluate(ground))[:3]]
    assert max(darkness) < 60
    look = "(element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element).filter]"
    assert page.locator(".cell_output img").first.evaluate(look) == ["rgb(255, 255, 255)", "none"]
    assert page.locator("div.pla-stage .stage").first.evaluate(look) == ["rgb(22, 25, 30)", "none"]
    assert troubles == []


@needs_chromium
def test_on_paper_there_are_no_side_bars_and_all_is_unfolded_and_light(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / "02_pla.html").as_uri(), color_scheme="dark")
    theme = "document.documentElement.dataset.theme"
    assert page.locator(".bd-sidebar-primary").is_visible()
    page.emulate_media(media="print")
    assert not page.locator(".bd-sidebar-primary").is_visible()
    assert not page.locator(".bd-sidebar-secondary").is_visible()
    assert not page.locator("#jb-print-toc").is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("summary", has_text="Solution").first.is_visible()
    assert not page.locator("summary", has_text="All cases").first.is_visible()
    assert page.evaluate(theme) == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(theme) == "dark"
    assert page.locator("details[open]").count() == 0
    assert troubles == []

"""The book, built from the stored notebooks as `run.py book` builds it, and read in a real browser from its folder."""

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module, resources
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import nbformat
import pytest
from browser import needs_chromium, opened

import plahelpers

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = [path.stem for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
PATIENCE = 30_000  # milliseconds, at most
PHONE = {"width": 390, "height": 844}
SETTLED = "window.settled"  # a promise of book.js: formulas are set, signs are with them, what is wide scrolls

sys.path.insert(0, str(ROOT / "book"))
reference = import_module("reference")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book in a folder of its own; it is built without a warning, or not at all."""
    folder = tmp_path_factory.mktemp("book") / "html"
    command = [sys.executable, ROOT / "book" / "make.py", "--into", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


class Page(HTMLParser):
    """What a page's HTML links to, which places in it can be linked to, and its images."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.images: list[dict[str, str | None]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.links += [link for name in ("href", "src") if (link := found.get(name))]
        self.places |= {found.get("id") or "", found.get("name") or ""}
        if tag == "img":
            self.images.append(found)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


# --- the files -------------------------------------------------------------------------------------------------------


def test_the_landing_page_leads_to_the_five_chapters_the_homework_and_the_reference(site: Path) -> None:
    links = Page(site / "index.html").links
    wanted = [f"{chapter}.html" for chapter in CHAPTERS] + ["homework.html", "reference/index.html"]
    assert len(CHAPTERS) == 5
    assert set(wanted) <= set(links)


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


def test_nothing_is_loaded_from_another_host(pages: dict[Path, Page]) -> None:
    remote = {link for page in pages.values() for link in page.links if link.startswith(("http:", "https:", "//"))}
    assert remote == set()


def test_every_picture_has_the_alternative_text_that_was_stored_with_it(pages: dict[Path, Page], site: Path) -> None:
    for page in pages.values():
        assert [image for image in page.images if not (image.get("alt") or "").strip()] == []
    for chapter in CHAPTERS:
        notebook = nbformat.read(ROOT / "notebooks" / f"{chapter}.ipynb", as_version=4)
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        stored = [it.metadata["image/png"]["alt"] for it in outputs if "image/png" in it.get("data", {})]
        shown = [" ".join((image["alt"] or "").split()) for image in pages[site / f"{chapter}.html"].images]
        assert {" ".join(alt.split()) for alt in stored} <= set(shown)


def test_the_reference_has_every_name_that_a_student_types(pages: dict[Path, Page], site: Path) -> None:
    places = {
        place.split(".")[-1] for path, page in pages.items() if "reference" in path.parts for place in page.places
    }
    assert set(plahelpers.__all__) - set(reference.MODULES) <= places


def test_the_reference_shows_no_marks_and_no_values_as_they_print(site: Path) -> None:
    for room in reference.MODULES:
        page = (site / "reference" / f"{room}.html").read_text(encoding="utf-8")
        words = re.sub(r"<[^>]+>", "", page[page.index("<article") : page.index("</article>")])
        marks = re.findall(r"``|:su[bp]:|_\{|\^\(|\*\*kwargs|array\(\[\]|<[a-z_]+ object at", words)
        assert (room, marks) == (room, [])


# --- in the browser --------------------------------------------------------------------------------------------------


def shown(browser, troubles: list[str], path: Path, **options):
    """A page with its mathematics set."""
    page = opened(browser, troubles, **options)
    page.set_default_timeout(PATIENCE)
    page.goto(path.as_uri())
    page.evaluate("window.MathJax?.startup?.promise")
    return page


def each_page(browser, troubles: list[str], site: Path, **options) -> Iterator[tuple[str, object]]:
    for path in sorted(site.rglob("*.html")):
        page = shown(browser, troubles, path, **options)
        yield str(path.relative_to(site)), page
        page.close()


@needs_chromium
def test_every_page_loads_from_its_folder_without_an_error_and_asks_no_other_host(browser, troubles, site) -> None:
    unset = "[...document.querySelectorAll('.math')].filter((it) => !it.querySelector('mjx-container')).length"
    for name, page in each_page(browser, troubles, site):
        assert (name, page.locator("h1:visible").count()) == (name, 1)
        assert (name, page.evaluate(unset), page.locator("mjx-merror").count()) == (name, 0, 0)
        assert (name, troubles) == (name, [])


@needs_chromium
def test_nothing_is_wider_than_a_phone(browser, troubles, site) -> None:
    for name, page in each_page(browser, troubles, site, viewport=PHONE):
        assert (name, page.evaluate("document.documentElement.scrollWidth")) == (name, 390)


@needs_chromium
def test_on_a_phone_whatever_is_cut_off_can_be_scrolled(browser, troubles, site) -> None:
    cut = """[...document.querySelectorAll(".bd-article :is(mjx-container, pre, img, table, code)")].filter((it) => {
        const scrolls = (box) => box && (getComputedStyle(box).overflowX == "auto" || scrolls(box.parentElement));
        return it.getBoundingClientRect().right > innerWidth + 1 && !scrolls(it);
    }).map((it) => it.outerHTML.slice(0, 100))"""
    for name, page in each_page(browser, troubles, site, viewport=PHONE):
        page.evaluate(SETTLED)
        assert (name, page.evaluate(cut)) == (name, [])


@needs_chromium
def test_on_a_phone_columns_stay_columns_panels_can_be_read_and_a_case_stands_below_the_other(
    browser, troubles, site
) -> None:
    page = shown(browser, troubles, site / "03_convergence_proof.html", viewport=PHONE)
    page.evaluate(SETTLED)
    wrap = "(it) => getComputedStyle(it).whiteSpace"
    assert page.locator(".cell_output pre", has_text="bound = 15233.1").evaluate(wrap) == "pre"
    assert page.locator(".cell_output pre", has_text="Linearly separable:").first.evaluate(wrap) == "pre-wrap"
    assert page.locator("img[alt*='proof']").first.evaluate("(it) => it.clientWidth") > 600
    page.locator("summary", has_text="All cases").first.click()
    cells = page.locator(".cell_output details[open] tr").nth(1).locator("td")
    lefts = {cell.bounding_box()["x"] for cell in cells.all()}
    assert (cells.count(), len(lefts)) == (4, 1)
    assert troubles == []


@needs_chromium
def test_headings_grow_smaller_with_their_level(browser, troubles, site) -> None:
    size = "(tag) => parseFloat(getComputedStyle(document.querySelector(`.bd-article ${tag}`)).fontSize)"
    for options in ({}, {"viewport": PHONE}):
        page = shown(browser, troubles, site / "02_pla.html", **options)
        sizes = [page.evaluate(size, tag) for tag in ("h1", "h2", "h3", "p")]
        assert sizes == sorted(set(sizes), reverse=True)
        page.close()
    assert troubles == []


@needs_chromium
def test_the_button_back_to_the_top_gives_way_to_a_player_that_is_used(browser, troubles, site) -> None:
    page = shown(browser, troubles, site / "02_pla.html", viewport=PHONE)
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
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_accessibility_audit_finds_nothing_serious(browser, troubles, site, scheme) -> None:
    axe = (resources.files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
    for name, page in each_page(browser, troubles, site, color_scheme=scheme):
        if name == "search.html":
            page.goto(f"{page.url}?q=margin")
            page.locator("ul.search .highlighted").first.wait_for()
        assert (name, page.evaluate("document.documentElement.dataset.theme")) == (name, scheme)
        page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        # The strokes of formulas, hidden from screen readers, are thousands; what is read out instead stays.
        page.evaluate("for (const drawn of document.querySelectorAll('mjx-container > svg')) drawn.remove()")
        # A colour that is still on its way from light to dark is neither the one nor the other.
        page.evaluate("for (const it of document.getAnimations()) if (it instanceof CSSTransition) it.finish()")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        serious = [
            f"{it['id']}: {it['nodes'][0]['html'][:200]}"
            for it in found["violations"]
            if it["impact"] in ("serious", "critical")
        ]
        assert (name, serious) == (name, [])


@needs_chromium
def test_a_quizs_choices_open_their_feedback(browser, troubles, site) -> None:
    page = shown(browser, troubles, site / "02_pla.html")
    quiz = page.locator(".plahelpers-quiz").last
    choices = quiz.locator("[role=group]").first.locator("details")
    said = []
    for choice in choices.all():
        feedback = choice.locator(":scope > div")
        assert not feedback.is_visible()
        choice.locator("summary").click()
        assert feedback.is_visible()
        said.append(feedback.inner_text().split(".")[0])
    assert sorted(set(said)) == ["Not quite", "Right"]
    assert quiz.locator("mjx-container").count() > 0
    assert troubles == []


@needs_chromium
def test_no_formula_is_left_as_tex_and_no_sign_stands_apart_from_its_formula(browser, troubles, site) -> None:
    apart = """[...document.querySelectorAll(".bd-article mjx-container:not([display])")]
        .map((it) => it.closest("span.math") ?? it)
        .flatMap((it) => [[it.previousSibling, /[([]$/], [it.nextSibling, /^[.,;:]/]])
        .filter(([it, sign]) => it?.nodeType === 3 && sign.test(it.data) && !it.parentElement.matches(".with-its-sign"))
        .length"""
    for chapter in CHAPTERS:
        page = shown(browser, troubles, site / f"{chapter}.html")
        page.evaluate(SETTLED)
        said = page.evaluate("[...document.querySelectorAll('.bd-article .text_html')].map((it) => it.textContent)")
        assert (chapter, [text for text in said if r"\(" in text]) == (chapter, [])
        assert (chapter, page.evaluate(apart)) == (chapter, 0)
        page.close()
    assert troubles == []


@needs_chromium
def test_a_player_steps(browser, troubles, site) -> None:
    page = shown(browser, troubles, site / "02_pla.html")
    player = page.locator("div.pla-stage").first
    head = player.locator(".head")
    assert head.inner_text() == "t = 0 of T = 8: 7 mistakes"  # the running example, whose run is in the plan
    player.get_by_role("button", name="Next").click()
    assert head.inner_text().startswith("t = 1 of T = 8")
    player.locator("svg.picture").focus()
    page.keyboard.press("End")
    assert head.inner_text() == "t = 8 of T = 8: no mistakes"
    assert troubles == []


@needs_chromium
def test_hints_and_solutions_are_folded_and_unfold(browser, troubles, site) -> None:
    for chapter in CHAPTERS[:4]:
        page = shown(browser, troubles, site / f"{chapter}.html")
        solution = page.locator("details", has=page.locator("summary", has_text="Solution")).first
        code = solution.locator("pre").first
        assert not code.is_visible()
        solution.locator("summary").click()
        assert code.is_visible()
        assert page.locator("summary", has_text="Hint").count() >= 2
        page.close()
    assert troubles == []


@needs_chromium
def test_the_search_finds_margin_from_a_folder(browser, troubles, site) -> None:
    page = shown(browser, troubles, site / "index.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("margin")
    page.keyboard.press("Enter")
    results = page.locator("ul.search li a")
    results.first.wait_for()
    page.wait_for_function("document.querySelector('#search-results .search-summary')?.textContent.includes('found')")
    found = {re.sub(r"[?#].*", "", it.get_attribute("href") or "").rpartition("/")[2] for it in results.all()}
    assert {"03_convergence_proof.html", "guarantee.html"} <= found
    assert troubles == []


@needs_chromium
def test_light_turns_to_dark_and_figures_and_players_stay_on_white(browser, troubles, site) -> None:
    page = shown(browser, troubles, site / "02_pla.html", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.get_by_role("button", name="Color mode").click()
    page.locator(".theme-switch-container .dropdown-menu").get_by_text("Dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    darkness = [int(part) for part in re.findall(r"\d+", page.evaluate(ground))[:3]]
    assert max(darkness) < 60
    look = "(it) => [getComputedStyle(it).backgroundColor, getComputedStyle(it).filter]"
    assert page.locator(".cell_output img").first.evaluate(look) == ["rgb(255, 255, 255)", "none"]
    assert page.locator("div.pla-stage .stage").first.evaluate(look) == ["rgb(255, 255, 255)", "none"]
    assert troubles == []


@needs_chromium
def test_on_paper_there_are_no_side_bars_and_all_is_unfolded_and_light(browser, troubles, site) -> None:
    page = shown(browser, troubles, site / "02_pla.html", color_scheme="dark")
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

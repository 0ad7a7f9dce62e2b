"""The book, built from the stored notebooks as `run.py book` builds it, and read in a real browser from its folder."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import expect

import plahelpers
from book import assets, make, sections
from tests.browser import needs_chromium, opened

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = [path.stem for path in assets.notebooks()]
TIMEOUT = 60_000  # milliseconds
DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}


class Page(HTMLParser):
    """What a page's HTML links to, which places in it can be linked to, and its images."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.images: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.links += [link for name in ("href", "src") if (link := attributes.get(name))]
        self.places |= {attributes.get("id") or "", attributes.get("name") or ""}
        if tag == "img":
            self.images.append(" ".join((attributes.get("alt") or "").split()))


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


# --- the files -------------------------------------------------------------------------------------------------------


def targets(path: Path, page: Page) -> Iterator[tuple[Path, str]]:
    """The file and the place in it to which each link of a page leads; pictures in the page itself lead nowhere."""
    for link in page.links:
        target = urlsplit(urljoin(path.as_uri(), link))
        assert target.scheme in ("file", "data"), f"{path.name} leads to another host: {link}"
        if target.scheme == "file":
            yield Path(unquote(target.path)), unquote(target.fragment).removeprefix("/")  # "#/id" is a slide


def test_every_link_leads_to_a_place_that_is_there_and_from_the_first_page_all_are_reached(pages, site) -> None:
    leads = {path: list(targets(path, page)) for path, page in pages.items()}
    broken = [
        f"{path.name}: {file.name}#{place}"
        for path, found in leads.items()
        for file, place in found
        if not file.is_file() or (place and place not in pages[file].places)
    ]
    assert broken == []
    reached, new = set(), {site / "index.html"}
    while new:
        reached |= new
        new = {file for path in new for file, _ in leads[path] if file in pages} - reached
    assert reached | {site / "search.html"} == set(pages)  # to which a form leads


def test_every_picture_has_the_alternative_text_that_was_stored_with_it(pages, site) -> None:
    shown = {alt for page in pages.values() for alt in page.images}
    assert "" not in shown
    for path in assets.notebooks():
        outputs = [output for cell in sections.read(path).cells for output in cell.get("outputs", [])]
        stored = [output.metadata["image/png"]["alt"] for output in outputs if "image/png" in output.get("data", {})]
        assert {" ".join(alt.split()) for alt in stored} <= shown


def test_the_readme_has_pictures_with_words_and_the_minutes_of_the_chapters(read) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    images = re.findall(r"!\[([^]]*)\]\(([^)]*)\)", text)
    assert len(images) == text.count("![") >= 2
    assert [name for words, name in images if not (ROOT / name).is_file() or len(words.split()) <= 10] == []
    assert re.findall(r"\| (\d+) minutes \|", text) == [make.card(chapter)["minutes"] for chapter in read]


def test_every_entry_of_the_glossary_leads_to_the_section_that_introduces_it() -> None:
    page = (ROOT / "book" / "pages" / "glossary.md").read_text(encoding="utf-8")
    entries = re.findall(r'(?m)^\*\*(.+)\*\* [^a-z]+\n: .+\. \[Chapter (\d), "(.+)"\]\((.+)\.ipynb#', page)
    assert len(entries) == page.count("\n: ") > 40
    for term, chapter, title, stem in entries:
        cells = sections.with_headings(sections.read(ROOT / "notebooks" / f"{stem}.ipynb"))
        text = " ".join(cell.source for cell, path in cells if title in [heading.title for heading in path])
        assert stem.startswith(f"0{chapter}")
        assert re.search(rf"\*\*[^*]*{term}", " ".join(text.split()), re.IGNORECASE), (term, title)


def article(site: Path, module: str) -> str:
    page = (site / "reference" / f"{module}.html").read_text(encoding="utf-8")
    return page[page.index("<article") : page.index("</article>")]


def test_the_reference_has_every_name_that_a_student_types_and_shows_no_marks(pages, site) -> None:
    places = {
        place.split(".")[-1] for path, page in pages.items() if "reference" in path.parts for place in page.places
    }
    assert set(plahelpers.__all__) - set(make.modules()) <= places
    for name in make.modules():
        text = re.sub(r"<[^>]+>", "", article(site, name))
        marks = re.findall(r"``|\*\*kwargs|<[a-z_]+ object at", text)
        assert (name, marks) == (name, [])
    assert "class Run¶" in re.sub(r"<[^>]+>", "", article(site, "learning"))  # not for calling: it has no arguments


def test_links_to_binder_and_colab_appear_only_with_the_projects_address() -> None:
    without, _ = make.gather("")
    pages, _ = make.gather("https://github.com/you/yours.git")
    for chapter in CHAPTERS:
        assert b"mybinder.org" not in without[f"{chapter}.ipynb"]
        page = pages[f"{chapter}.ipynb"].decode()
        assert f"https://mybinder.org/v2/gh/you/yours/HEAD?labpath=notebooks%2F{chapter}.ipynb" in page
        assert f"https://colab.research.google.com/github/you/yours/blob/main/notebooks/{chapter}.ipynb" in page
        assert "git+https://github.com/you/yours.git" in page


def test_a_book_that_is_newer_than_all_it_is_made_of_is_not_built_again(tmp_path) -> None:
    assert not make.is_built(tmp_path)
    (tmp_path / "homework").mkdir()  # what is written last
    assert make.is_built(tmp_path)


# --- in the browser --------------------------------------------------------------------------------------------------


UNSET = r"""[...document.querySelectorAll(".math")].filter((math) => !math.querySelector("mjx-container")).length
    + document.querySelectorAll("[data-mjx-error]").length
    + [...document.querySelectorAll("article .text_html :not(script)")].flatMap((part) => [...part.childNodes])
        .filter((node) => node.nodeType === 3 && node.data.includes("\\(")).length"""
CUT_OFF = """[...document.querySelectorAll("article :is(mjx-container, pre, img, table, code)")].filter((part) => {
    const scrolls = (box) => box && (getComputedStyle(box).overflowX == "auto" || scrolls(box.parentElement));
    return part.getBoundingClientRect().right > innerWidth + 1 && !scrolls(part);
}).map((part) => part.outerHTML.slice(0, 100))"""
UNSHADED = """[...document.querySelectorAll("article [tabindex='0']:is(pre, div, mjx-container)")]
    .filter((box) => box.checkVisibility() && !box.closest(".more")).map((box) => box.outerHTML.slice(0, 100))"""
# A colour that is still on its way from light to dark is neither the one nor the other.
END_TRANSITIONS = """for (const animation of document.getAnimations())
    if (animation instanceof CSSTransition) animation.finish()"""


def show(browser, troubles: list[str], address: str, **options):
    """A page with its formulas set and what is wide made to scroll, of which `settled` is the promise in book.js."""
    page = opened(browser, troubles, **options)
    page.set_default_timeout(TIMEOUT)
    page.goto(address)
    page.evaluate("window.settled")
    return page


def violations(page, **options: Any) -> list[str]:
    # A page from a folder may not ask for its own style sheets again, as a preload would.
    options = {"resultTypes": ["violations"], "preload": False, **options}
    result = page.evaluate("(options) => axe.run(document, options)", options)
    found = [one for one in result["violations"] if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


# A page of each kind: by its name, or by a section with widgets, with exercises and formulas, with questions.
KINDS = ["index", "02_pla", "glossary", "search", "reference/learning"]
KINDS += ["step-through-a-run-1", "try-it-yourself-1", "pictures-1"]


@needs_chromium
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_each_kind_loads_alone_fits_every_window_and_passes_an_audit_in_light_and_dark(
    browser, troubles, address, kind
) -> None:
    place = address(kind) + ("?q=margin" if kind == "search" else "")
    page = show(browser, troubles, place, color_scheme="light", viewport=DESKTOP)
    assert page.locator("h1:visible").count() == 1
    assert page.locator("article details[open]").count() == 0  # answers and solutions are folded
    for widget in page.locator("article div.pla-stage").all():
        assert widget.locator(".head").inner_text()  # its script has drawn it
    for width in (390, 768, 1100, 1320, 1920):
        page.set_viewport_size({"width": width, "height": 768})
        page.evaluate("new Promise(requestAnimationFrame)")  # book.js looks again for what is too wide
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(CUT_OFF) == []
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    # The strokes of formulas, hidden from screen readers, are thousands; what is read out instead stays.
    page.evaluate("for (const drawing of document.querySelectorAll('mjx-container > svg')) drawing.remove()")
    page.evaluate((resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    page.evaluate(END_TRANSITIONS)
    colours = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}  # all that differs in dark
    assert violations(page, runOnly=colours) == []
    assert troubles == []


@needs_chromium
@pytest.mark.parametrize("number", range(5))
def test_on_a_phone_every_page_of_a_chapter_sets_its_formulas_and_shows_what_scrolls_sideways(
    browser, troubles, address, read, number
) -> None:
    page = show(browser, troubles, address(read[number].name), viewport=PHONE)
    for name in [read[number].name, *(part.name for part in read[number].pages)]:
        page.goto(address(name))
        page.evaluate("window.settled")
        assert (name, page.evaluate(UNSET)) == (name, 0)
        assert (name, page.evaluate("document.documentElement.scrollWidth")) == (name, PHONE["width"])
        assert (name, page.evaluate(CUT_OFF) + page.evaluate(UNSHADED)) == (name, [])
    assert troubles == []


@needs_chromium
def test_on_a_phone_the_contents_of_a_page_give_way_to_the_section_that_is_chosen(browser, troubles, address) -> None:
    page = show(browser, troubles, address("which-perfect-w-1").partition("#")[0], viewport=PHONE)
    page.locator(".toc-header-icon:visible").click()
    page.locator(".toc-tree").get_by_text("Which perfect w?").click()
    page.wait_for_function("location.hash === '#which-perfect-w'")
    page.wait_for_function("document.querySelector('.toc-tree').getBoundingClientRect().x >= innerWidth")
    assert troubles == []


@needs_chromium
def test_the_first_page_runs_by_itself_until_it_is_touched_again_after_a_drag_and_shows_what_the_reader_has_done(
    browser, troubles, address
) -> None:
    page = show(browser, troubles, address("index"), viewport=DESKTOP, reduced_motion="no-preference")
    head = page.locator(".landing .head")
    expect(head).to_have_text(re.compile(r"^t\s=\s1 of T"))
    page.locator(".landing svg.picture").focus()
    point = page.locator(".landing .point .hit").first.bounding_box()
    page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    page.mouse.down()
    page.mouse.move(point["x"] - 40, point["y"] + 40, steps=3)
    page.mouse.up()
    for t in (0, 1):  # from the start again
        expect(head).to_have_text(re.compile(rf"^t\s=\s{t} of T"))
    expect(page.locator(".chapters li")).to_have_count(5)
    assert page.locator(".progress", has_text="of").count() == 0
    page.goto(address("try-it-yourself-1"))
    page.get_by_label("I have done this exercise").first.check()
    page.goto(address("the-lecture-s-four-1"))  # of the same chapter
    page.locator(".plahelpers-quiz summary").first.click()
    page.goto(address("index"))
    [progress] = page.locator(".progress", has_text="of").all_inner_texts()
    assert re.fullmatch(r"1 of \d+ questions answered, 1 of \d exercises done", progress)
    calm = opened(browser, troubles, reduced_motion="reduce")
    calm.add_init_script("window.setInterval = () => { throw new Error('This moves.'); }")
    calm.goto(address("index"))
    calm.evaluate("window.settled")
    assert troubles == []


SEARCHES = {
    "NP-hard": "the-line-with-the-fewest-mistakes-1",
    "margin": "how-much-does-an-update-gain-1",
    "感知機": "a-weighted-sum-against-a-threshold-1",
    "感知机": "a-weighted-sum-against-a-threshold-1",
    "口袋": "keep-the-best-in-your-pocket-1",
}


@needs_chromium
def test_the_search_leads_to_the_section_shows_the_words_and_says_when_nothing_is_found(
    browser, troubles, site, address
) -> None:
    page = show(browser, troubles, address("index"))
    page.locator(".sidebar-search").fill("proof_trace")
    page.keyboard.press("Enter")
    page.locator("#search-results a[href^='reference/guarantee.html']").first.wait_for()
    for query, cell in SEARCHES.items():
        page.locator("#search-field").fill(query)
        results = page.locator("#search-results li").all()[:3]
        wanted = address(cell).removeprefix(f"{site.as_uri()}/").replace("#", f"?highlight={query}#")
        found = {unquote(one.locator("a").get_attribute("href")): one.locator("mark").count() for one in results}
        assert found.get(wanted.lower(), 0) > 0, query
    page.locator("#search-results a").first.click()
    page.wait_for_url("**#keep-the-best-in-your-pocket")
    page.go_back()
    page.locator("#search-field").fill("no such words anywhere")
    assert page.locator("#search-status").inner_text().startswith("Nothing was found.")
    assert troubles == []

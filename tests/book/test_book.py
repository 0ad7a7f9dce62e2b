"""The book, built from the stored notebooks as `run.py book` builds it, and read in a real browser from its folder."""

import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import nbformat
import pytest

import plahelpers
from book import chapters, make
from tests.browser import needs_chromium, opened
from tests.prose import sections

ROOT = Path(__file__).resolve().parents[2]
MODULES = list(make.modules())
CHAPTERS = [path.stem for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
READ = [chapters.read(ROOT / "notebooks" / f"{name}.ipynb", make.words()) for name in CHAPTERS]
PLACES = {chapter.name: {anchor: page for page, anchor in chapter.places.values()} for chapter in READ}
PARTS = [page.name for chapter in READ for page in chapter.pages]
REFERENCE = ["reference/index", *(f"reference/{name}" for name in MODULES)]
PAGES = [*CHAPTERS, *PARTS, "index", "homework", "glossary", "summary", "search", *REFERENCE]
IN_DARK = [PARTS[5], "02_pla", "index", "homework", "search", "reference/learning"]  # one page of each kind
TIMEOUT = 60_000  # milliseconds
DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
SETTLED = "window.settled"  # a promise of book.js: formulas are set, signs are with them, what is wide scrolls


@pytest.fixture(scope="session")
def site(shared_folder: Callable[..., Path]) -> Path:
    """The book in a folder of its own; it is built without a warning, or not at all."""

    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "book.make", "--into", folder]
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


def page_of(chapter: str, anchor: str) -> str:
    """The page on which a section stands."""
    return f"{PLACES[chapter][anchor]}.html"


def test_the_landing_page_leads_to_the_five_chapters_the_homework_and_the_reference(site: Path) -> None:
    links = Page(site / "index.html").links
    wanted = [f"{chapter}.html" for chapter in CHAPTERS] + ["homework.html", "reference/index.html"]
    assert len(CHAPTERS) == 5
    assert set(wanted) <= set(links)


def test_every_page_is_looked_at_in_the_browser(pages: dict[Path, Page], site: Path) -> None:
    decks = {f"slides/{chapter}" for chapter in CHAPTERS}  # which have their own tests
    assert {path.relative_to(site).with_suffix("").as_posix() for path in pages} == {*PAGES, *decks}


def test_from_every_section_with_slides_a_link_leads_there_and_back(pages: dict[Path, Page], site: Path) -> None:
    for chapter in READ:
        deck = pages[site / "slides" / f"{chapter.name}.html"]
        back = {link for link in deck.links if link.startswith("../")}
        there = [
            link for part in chapter.pages for link in pages[site / f"{part.name}.html"].links if "/slides/" in link
        ]
        assert len(there) >= 5
        assert len(back) >= len(there)


def test_no_internal_link_is_broken(pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links:
            target = urlsplit(urljoin(path.as_uri(), link))
            if target.scheme != "file":
                continue  # pictures in the page itself; that none leads to another host, the browser tells
            file = Path(unquote(target.path))
            place = unquote(target.fragment).removeprefix("/")  # as reveal.js writes a slide's
            if not file.is_file() or (place and place not in pages[file].places):
                broken.append(f"{path.name}: {link}")
    assert broken == []


NAMES = """binary classification, supervised learning, linear classifier, decision boundary, training error, test error,
loss, perceptron loss, hinge loss, epoch, learning rate, convex, functional margin, geometric margin, generalisation"""


def test_every_entry_of_the_glossary_leads_to_the_section_that_introduces_it() -> None:
    page = (ROOT / "book" / "en" / "glossary.md").read_text(encoding="utf-8")
    entries = re.findall(r'(?m)^\*\*(.+)\*\* [^a-z]+\n: .+\. \[Chapter (\d), "(.+)"\]\((.+)\.ipynb#', page)
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
        parts = [site / f"{name}.html" for name in [chapter, *PARTS] if name.startswith(chapter)]
        shown = [" ".join((image["alt"] or "").split()) for part in parts for image in pages[part].images]
        assert {" ".join(alt.split()) for alt in stored} <= set(shown)


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
    section = page_of("02_pla", "pla-in-the-lecture-s-words")
    assert re.search(rf'<a [^>]*href="../{section}#pla-in-the-lecture-s-words">chapter 2, .PLA in the', article)
    text = " ".join(re.sub(r"<[^>]+>", "", article).split())
    assert "halted (bool) – no mistakes left" in text
    assert "sign_of_zero (-1 or 0 or 1)" in text
    assert "class Run¶" in text  # nobody is to call it, so it has no arguments


def test_links_to_binder_and_colab_appear_only_with_the_projects_address() -> None:
    without, _ = make.gather("")
    pages, _ = make.gather("https://github.com/you/yours.git")
    for chapter in CHAPTERS:
        assert b"mybinder.org" not in without[f"{chapter}.ipynb"]
        page = pages[f"{chapter}.ipynb"].decode()
        assert f"https://mybinder.org/v2/gh/you/yours/HEAD?labpath=notebooks%2F{chapter}.ipynb" in page
        assert f"https://colab.research.google.com/github/you/yours/blob/main/notebooks/{chapter}.ipynb" in page
        assert "git+https://github.com/you/yours.git" in page


def test_a_book_that_is_there_is_not_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []

    def build(site: Path, repository: str) -> int:
        built.append(repository)
        site.mkdir(exist_ok=True)
        (site / "index.html").touch()
        return 0

    monkeypatch.setattr(make, "OUT", tmp_path)
    monkeypatch.setattr(make, "make", build)
    into = ["--into", str(tmp_path / "html")]
    for arguments in (into, into, [*into, "--repository", "x"], [*into, "--repository", "x"]):
        assert make.main(arguments) == 0
    assert built == ["", "x"]


def test_a_book_with_faults_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(make, "OUT", tmp_path)
    monkeypatch.setattr(make, "make", lambda *_: 1)
    assert [make.main(["--into", str(tmp_path / "html")]) for _ in range(2)] == [1, 1]
    assert "faults" in capsys.readouterr().err


# --- every page in the browser, loaded once --------------------------------------------------------------------------


UNSET = "[...document.querySelectorAll('.math')].filter((math) => !math.querySelector('mjx-container')).length"
AS_TEX = r"""[...document.querySelectorAll("article .text_html")].map((part) => part.textContent)
    .filter((text) => text.includes("\\("))"""
APART = """[...document.querySelectorAll("article mjx-container:not([display])")]
    .map((set) => set.closest("span.math") ?? set)
    .flatMap((math) => [[math.previousSibling, /[([]$/], [math.nextSibling, /^[.,;:]/]])
    .filter(([text, sign]) => text?.nodeType === 3 && sign.test(text.data)
        && !text.parentElement.matches(".with-its-sign"))
    .length"""
SIZES = """["h1", "h2", "h3", "p"].map((tag) => document.querySelector(`article ${tag}`)).filter(Boolean)
    .map((element) => parseFloat(getComputedStyle(element).fontSize))"""
CUT_OFF = """[...document.querySelectorAll("article :is(mjx-container, pre, img, table, code)")].filter((part) => {
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
        page.evaluate(END_TRANSITIONS)
        results["dark"] = audit(page, **COLOURS)
    return results


@pytest.fixture(scope="module", params=PAGES)
def visit(request: pytest.FixtureRequest, browser, site: Path) -> dict[str, Any]:
    """What a browser says of one page: as a desktop loads it, at the width of a phone, then in an audit."""
    name, troubles = request.param, []
    query = "?q=margin" if name == "search" else ""
    page = show(browser, troubles, (site / f"{name}.html").as_uri() + query, color_scheme="light", viewport=DESKTOP)
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
    exercises = [page_of(chapter, "try-it-yourself").removesuffix(".html") for chapter in CHAPTERS]
    assert visit["solution"] == ([False, True] if visit["name"] in exercises else [])


@needs_chromium
def test_an_accessibility_audit_finds_nothing_serious(visit: dict[str, Any]) -> None:
    modes = ["light", "dark"] if visit["name"] in IN_DARK else ["light"]
    assert visit["violations"] == {mode: [] for mode in modes}


# --- single pages in the browser -------------------------------------------------------------------------------------


@needs_chromium
def test_on_a_phone_both_menus_open_by_the_buttons_that_are_seen(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / page_of("03_convergence_proof", "which-perfect-w")).as_uri(), viewport=PHONE)
    chapters, contents = page.locator(".sidebar-tree"), page.locator(".toc-tree")
    for button, menu in ((".nav-overlay-icon", chapters), (".toc-header-icon", contents)):
        [seen] = [one for one in page.locator(button).all() if one.is_visible()]
        assert not menu.locator("a").first.is_visible() or menu.bounding_box()["x"] not in range(PHONE["width"])
        seen.click()
        page.wait_for_timeout(400)  # it slides in
        assert 0 <= menu.bounding_box()["x"] < PHONE["width"]
        if menu is chapters:
            page.mouse.click(PHONE["width"] - 5, 500)  # beside it
            page.wait_for_timeout(400)
    contents.get_by_text("Which perfect w?").click()
    page.wait_for_function("location.hash === '#which-perfect-w'")
    page.wait_for_timeout(400)
    assert contents.bounding_box()["x"] >= PHONE["width"]  # it gives way to the section
    page.locator(".nav-overlay-icon").click()
    page.wait_for_timeout(400)
    chapters.get_by_text("Learn from noisy data").click()
    page.wait_for_url("**/04_pocket_on_noisy_data.html")
    assert troubles == []


@needs_chromium
@pytest.mark.parametrize("width", [768, 1024, 1100, 1320, 1920])
def test_nothing_is_pushed_out_of_a_window_of_any_width(browser, troubles, site, width) -> None:
    address = (site / page_of("02_pla", "step-through-a-run")).as_uri()
    page = show(browser, troubles, address, viewport={"width": width, "height": 768})
    assert page.locator(".page").evaluate("(page) => page.scrollWidth") <= width
    assert page.locator("article").bounding_box()["x"] + page.locator("article").bounding_box()["width"] <= width
    assert troubles == []


@needs_chromium
def test_on_a_phone_panels_stand_one_below_the_other(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / page_of("03_convergence_proof", "the-proof-measured")).as_uri())
    picture = page.locator("picture img").first
    shape = "(image) => image.naturalWidth / image.naturalHeight"
    wide = picture.evaluate(shape)
    page.set_viewport_size(PHONE)
    page.wait_for_function("document.querySelector('picture img').currentSrc.endsWith('-narrow.png')")
    picture.evaluate("(image) => image.decode()")
    assert picture.evaluate(shape) < wide / 2
    assert picture.bounding_box()["width"] > 330
    assert troubles == []


@needs_chromium
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_on_a_phone_a_handful_of_boxes_scrolls_sideways_and_shows_it(browser, troubles, site, chapter) -> None:
    scrolling = []
    for name in [chapter, *(part for part in PARTS if part.startswith(chapter))]:
        page = show(browser, troubles, (site / f"{name}.html").as_uri(), viewport=PHONE)
        boxes = page.locator("article [tabindex='0']:is(pre, div, mjx-container)")
        for box in boxes.all():
            if box.is_visible():
                scrolling.append(f"{name}: {box.inner_text()[:60]!r}")
                assert box.evaluate("(box) => box.matches('.more') || box.closest('.more') !== null"), scrolling[-1]
        page.close()
    assert len(scrolling) <= 6, "\n".join(scrolling)
    assert troubles == []


@needs_chromium
def test_a_quizs_choices_open_their_feedback(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / page_of("02_pla", "fun-time")).as_uri())
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
    link = quiz.locator("[role=group]").first.locator("a:visible").first
    with page.expect_navigation():
        link.click()
    assert page.evaluate("document.querySelector(decodeURIComponent(location.hash)) !== null")
    assert troubles == []


@needs_chromium
@pytest.mark.parametrize(
    ("chapter", "section", "widget", "slider", "value", "heading"),
    [
        ("01_hypothesis_set", "play-with-three-sliders", 0, "w₂", "-1", "3 of 20 points wrong"),
        ("02_pla", "step-through-a-run", 0, "Step", "8", "t = 8 of T = 8: no mistakes"),
        ("02_pla", "step-through-a-run", 1, "", "", "t = 1 of T = 22: 4 mistakes"),
        ("03_convergence_proof", "move-the-margin", 0, "margin ρ", "0", "T = 168 ≤"),  # as in the table, for ρ = 0.01
        ("04_pocket_on_noisy_data", "keep-the-best-in-your-pocket", 0, "Step", "10", "t = 10 of 100: 4 mistakes"),
        ("04_pocket_on_noisy_data", "play-with-the-noise", -1, "noise", "0", "Pocket: 0 of 50 wrong"),
    ],
)
def test_the_widgets_of_a_chapter_are_alive(
    browser, troubles, site, chapter, section, widget, slider, value, heading
) -> None:
    page = show(browser, troubles, (site / page_of(chapter, section)).as_uri())
    stage = page.locator(f"section#{section} div.pla-stage").nth(widget)
    if slider:
        stage.get_by_role("slider", name=slider).fill(value)
    else:
        stage.get_by_role("button", name="Step").click()
    assert stage.locator(".head").inner_text().replace("\u00a0", " ").startswith(heading)
    assert troubles == []


SEARCHES = {
    "NP-hard": ("04_pocket_on_noisy_data", "the-line-with-the-fewest-mistakes"),
    "margin": ("03_convergence_proof", "how-much-does-an-update-gain"),
    "learning rate": ("02_pla", "pla-in-the-lecture-s-words"),
    "感知器": ("01_hypothesis_set", "a-weighted-sum-against-a-threshold"),
    "感知机": ("01_hypothesis_set", "a-weighted-sum-against-a-threshold"),
    "演算法": ("01_hypothesis_set", "the-learning-picture"),
    "邊界": ("01_hypothesis_set", "geometry"),
    "边界": ("01_hypothesis_set", "geometry"),
    "口袋": ("04_pocket_on_noisy_data", "keep-the-best-in-your-pocket"),
}


@needs_chromium
@pytest.mark.parametrize("query", SEARCHES)
def test_the_search_leads_to_the_section_and_marks_the_words(browser, troubles, site, query) -> None:
    page = show(browser, troubles, (site / "index.html").as_uri())
    page.locator(".sidebar-search").fill(query)
    page.keyboard.press("Enter")
    results = page.locator("#search-results li")
    results.first.wait_for()
    chapter, anchor = SEARCHES[query]
    first = [result.locator("a").get_attribute("href") for result in results.all()[:3]]
    [place] = [n for n, link in enumerate(first) if link.startswith(page_of(chapter, anchor)) and f"#{anchor}" in link]
    assert results.nth(place).locator("mark").count() > 0
    assert not any(link.startswith("reference/") for link in first)
    results.nth(place).locator("a").click()
    page.wait_for_function("(anchor) => location.hash === `#${anchor}`", arg=anchor)
    if query.isascii():
        page.locator(".highlighted").first.wait_for(state="attached")
    assert troubles == []


@needs_chromium
def test_the_search_finds_a_name_of_the_package_and_says_when_nothing_is_found(browser, troubles, site) -> None:
    page = show(browser, troubles, (site / "search.html").as_uri() + "?q=proof_trace")
    links = [link.get_attribute("href") or "" for link in page.locator("#search-results a").all()]
    assert any(link.startswith("reference/guarantee.html") for link in links)
    page.locator("#search-field").fill("no such words anywhere")
    assert page.locator("#search-status").inner_text().startswith("Nothing was found.")
    assert page.locator("#search-results li").count() == 0
    assert troubles == []


@needs_chromium
def test_light_turns_to_dark_widgets_and_pictures_too(browser, troubles, site) -> None:
    page = show(
        browser,
        troubles,
        (site / page_of("02_pla", "step-through-a-run")).as_uri(),
        color_scheme="light",
        viewport=DESKTOP,
    )
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.locator(".theme-toggle-content button").click()  # from what the system says to the other one
    page.wait_for_function("document.body.dataset.theme === 'dark'")
    darkness = [int(part) for part in re.findall(r"\d+", page.evaluate(ground))[:3]]
    assert max(darkness) < 60
    look = "(element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element).filter]"
    assert page.locator(".cell_output img").first.evaluate(look)[1].startswith("invert(0.9")  # white would glare
    assert page.locator("div.pla-stage .stage").first.evaluate(look) == ["rgb(22, 25, 30)", "none"]
    assert troubles == []


@needs_chromium
def test_on_paper_there_are_no_side_bars_and_it_is_light(browser, troubles, site) -> None:
    page = show(
        browser, troubles, (site / page_of("02_pla", "fun-time")).as_uri(), color_scheme="dark", viewport=DESKTOP
    )
    assert page.locator(".sidebar-drawer").is_visible()
    page.emulate_media(media="print")
    assert not page.locator(".sidebar-drawer").is_visible()
    assert not page.locator(".toc-drawer").is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.body.dataset.theme") == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.body.dataset.theme") == "auto"
    assert troubles == []

"""The book on paper: what Chromium prints, read back from the PDF."""

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from pypdf import PdfReader

from book import paper
from tests.browser import needs_chromium

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def page(browser) -> Any:
    page = browser.new_page(color_scheme="light", viewport=paper.VIEWPORT)
    page.set_default_timeout(paper.TIMEOUT)
    return page


def texts(pdf: bytes) -> list[str]:
    """The text of each page, in one line each, without ligatures."""
    return [" ".join(normalize("NFKC", page.extract_text()).split()) for page in PdfReader(BytesIO(pdf)).pages]


def test_the_printed_book_has_its_answers_at_the_end_and_numbers_its_pages(page, site: Path, read) -> None:
    exercises = [part for part in read[2].pages if "Try it yourself" in [section.title for section in part.sections]]
    chapter = replace(read[2], pages=exercises)
    pdf = paper.book(page, site, [chapter])
    pages = texts(pdf)
    titles = [item.title for item in PdfReader(BytesIO(pdf)).outline if not isinstance(item, list)]
    assert titles == [chapter.title, "Answers"]
    start = next(n for n, text in enumerate(pages) if re.match(r"\d+ Answers ", text))
    body, answers = " ".join(pages[:start]), " ".join(pages[start:])
    numbers = [int(number) for number in re.findall(r"→ Answer (\d+),", body)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 10
    assert "Solution" in answers
    assert "Solution" not in body.replace("hint, and a solution", "")
    assert all(text.startswith(f"{n} ") for n, text in enumerate(pages, 1))
    assert b"file:///" not in pdf  # nothing leads to a file of this machine


def test_a_page_that_a_reader_prints_in_the_dark_is_light_and_has_no_side_bars(browser, site: Path) -> None:
    page = browser.new_page(color_scheme="dark", viewport={"width": 1280, "height": 720})
    page.goto((site / "02_pla.html").as_uri())
    page.emulate_media(media="print")
    assert [page.locator(part).is_visible() for part in (".sidebar-drawer", ".toc-drawer")] == [False, False]
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.body.dataset.theme") == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.body.dataset.theme") == "auto"


def test_the_summary_fills_two_pages(page, site: Path) -> None:
    pages = texts(paper.summary(page, site))
    assert len(pages) == 2
    assert min(map(len, pages)) > 800  # the second page is mostly tables

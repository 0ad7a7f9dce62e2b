"""The book on paper: what Chromium prints, read back from the PDF."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from pypdf import PdfReader

from book import make, paper
from plahelpers import quizzes
from tests.book.test_book import READ, site  # noqa: F401  (the book, built once)
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


def test_the_printed_book_has_its_answers_at_the_end_and_numbers_its_pages(page, site: Path) -> None:  # noqa: F811
    pdf = paper.book(page, site, READ[2:3], make.words())
    pages = texts(pdf)
    titles = [item.title for item in PdfReader(BytesIO(pdf)).outline if not isinstance(item, list)]
    assert titles == [READ[2].title, "Answers"]
    start = next(n for n, text in enumerate(pages) if re.match(r"\d+ Answers ", text))
    body, answers = " ".join(pages[:start]), " ".join(pages[start:])
    numbers = [int(number) for number in re.findall(r"→ Answer (\d+),", body)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 20
    assert "Solution" in answers
    assert "All cases that will be tried" not in body + answers  # they are no answers
    assert "Solution" not in body.replace("hint, and a solution", "")
    front = next(n for n, text in enumerate(pages) if text.startswith(f"1 {READ[2].title}"))
    assert all(text.startswith(f"{n} ") for n, text in enumerate(pages[front:], 1))
    assert f"Answers {start - front + 1}" in " ".join(pages[:front])  # in the contents


def test_nothing_printed_leads_to_a_file_of_this_machine(page, site: Path) -> None:  # noqa: F811
    assert b"file:///" not in paper.book(page, site, READ[:0], make.words())
    paper.show(page, site / f"{READ[0].pages[0].name}.html")
    page.evaluate("(words) => forPaper(1, words)", make.words()["paper"])
    assert b"file:///" not in page.pdf(**paper.A4)


def test_a_sheet_asks_every_question_and_its_twin_answers_it(page, site: Path) -> None:  # noqa: F811
    asked = quizzes.everything().asked
    blank, filled = (" ".join(texts(paper.sheet(page, site, answers=answers))) for answers in (False, True))
    for n in range(1, len(asked) + 1):
        assert f"{n} · chapter" in blank
        assert f"{n} · chapter" in filled
    words = [" ".join(choice.feedback.split()[:4]) for one in asked for choice in one.choices if choice.right]
    plain = [start for start in words if re.fullmatch(r"[A-Za-z ,]+", start)]
    assert len(plain) > 5
    assert [start for start in plain if start in blank] == []
    assert [start for start in plain if start not in filled] == []


def test_the_summary_fills_two_pages(page, site: Path) -> None:  # noqa: F811
    pages = texts(paper.summary(page, site))
    assert len(pages) == 2
    assert min(map(len, pages)) > 1000

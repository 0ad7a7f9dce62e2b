"""The book on paper, printed by Chromium: python3 run.py book --pdf

book.pdf               all chapters, with the answers at the end
summary.pdf            the lecture on two pages
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jinja2
from pypdf import PdfWriter

from book.chapters import Chapter
from book.chromium import started

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

HERE: Final = Path(__file__).resolve().parent
TIMEOUT: Final = 120_000  # milliseconds, for the formulas of a long page on a slow machine
A4: Final[dict[str, Any]] = {"format": "A4", "print_background": True, "prefer_css_page_size": True}
VIEWPORT: Final[ViewportSize] = {"width": 700, "height": 990}
SUMMARY_SCALE: Final = 0.72  # so that it fills two pages


def print_all(site: Path, folder: Path, chapters: Sequence[Chapter]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with started() as browser:
        page = browser.new_page(color_scheme="light", viewport=VIEWPORT)
        page.set_default_timeout(TIMEOUT)
        (folder / "book.pdf").write_bytes(book(page, site, chapters))
        (folder / "summary.pdf").write_bytes(summary(page, site))


def book(page: Page, site: Path, chapters: Sequence[Chapter]) -> bytes:
    """Every page of every chapter, then the answers; the PDF's outline names them all."""
    writer, answers = PdfWriter(), list[Any]()
    for chapter in chapters:
        answers += show(page, site / f"{chapter.name}.html", len(answers))
        above = append(writer, page, chapter.title)
        for part in chapter.pages:
            answers += show(page, site / f"{part.name}.html", len(answers))
            append(writer, page, part.title, above)
    fill(page, site, answers)
    append(writer, page, "Answers")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def show(page: Page, path: Path, answers: int = 0) -> list[Any]:
    """Open a page of the book, wait for its formulas, and take the answers out, after as many on earlier pages."""
    page.goto(path.as_uri())
    page.evaluate("window.settled")
    page.add_script_tag(path=HERE / "paper.js")
    return list(page.evaluate("(first) => forPaper(first)", answers + 1))


def fill(page: Page, site: Path, answers: list[Any]) -> None:
    """Show the answers in the book's style."""
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "templates" / "paper"), autoescape=True)
    page.goto((site / "homework.html").as_uri())
    text = templates.get_template("answers.html").render(answers=answers)
    page.evaluate("(text) => { document.querySelector('article').innerHTML = text; }", text)
    page.evaluate("MathJax.typesetPromise([document.querySelector('article')])")


def append(writer: PdfWriter, page: Page, title: str, above: Any = None) -> Any:
    """Print what is shown, its sheets numbered after those that are there, and return its entry in the outline."""
    first = len(writer.pages)
    margin = "@page { @bottom-center { content: counter(page); } }"
    page.add_style_tag(content=f"html {{ counter-reset: page {first}; }} {margin}")
    writer.append(io.BytesIO(page.pdf(**A4)), import_outline=False)
    return writer.add_outline_item(title=title, page_number=first, parent=above)


def summary(page: Page, site: Path) -> bytes:
    """The page of the summary in two columns."""
    show(page, site / "summary.html")
    page.evaluate("document.body.classList.add('two-columns')")
    return page.pdf(**A4, scale=SUMMARY_SCALE)

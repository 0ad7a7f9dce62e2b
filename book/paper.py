"""The book on paper, printed by Chromium: python3 run.py book --pdf

book.pdf               all chapters, with the answers at the end
questions.pdf          a sheet with the questions of Fun Time, and
questions-answers.pdf  the same with answers
summary.pdf            the lecture on two pages, with its notation
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import jinja2
from pypdf import PdfReader, PdfWriter

from book.chapters import Chapter
from book.chromium import started

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

HERE: Final = Path(__file__).resolve().parent
TIMEOUT: Final = 120_000  # milliseconds, for the formulas of a long page on a slow machine
A4: Final[dict[str, Any]] = {"format": "A4", "print_background": True, "prefer_css_page_size": True}
VIEWPORT: Final[ViewportSize] = {"width": 700, "height": 990}
SMALLEST: Final = 0.6  # the scale below which a summary on two pages could not be read


def print_all(site: Path, folder: Path, chapters: Sequence[Chapter]) -> list[Path]:
    """Print everything, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    with started() as browser:
        page = browser.new_page(color_scheme="light", viewport=VIEWPORT)
        page.set_default_timeout(TIMEOUT)
        return [
            save(folder / "book.pdf", book(page, site, chapters)),
            save(folder / "questions.pdf", sheet(page, site, answers=False)),
            save(folder / "questions-answers.pdf", sheet(page, site, answers=True)),
            save(folder / "summary.pdf", summary(page, site)),
        ]


def save(path: Path, pdf: bytes) -> Path:
    path.write_bytes(pdf)
    print(f"  {path.name}: {len(PdfReader(io.BytesIO(pdf)).pages)} pages", flush=True)
    return path


class Part(NamedTuple):
    """A part of the printed book: a chapter's own page (level 1), or one after it (level 2)."""

    level: int
    title: str
    pdf: bytes


def book(page: Page, site: Path, chapters: Sequence[Chapter]) -> bytes:
    """Every page of every chapter, then the answers; in front a cover and the contents."""
    parts: list[Part] = []
    answers: list[Any] = []
    for level, title, name in outline(chapters):
        show(page, site / f"{name}.html")
        answers += page.evaluate("(first) => forPaper(first)", len(answers) + 1)
        parts.append(Part(level, title, numbered(page, sheets(parts) + 1)))
        print(f"  {title}", flush=True)
    fill(page, site, "answers.html", answers=answers)
    parts.append(Part(1, "Answers", numbered(page, sheets(parts) + 1)))
    contents = [(part.level, part.title, sheets(parts[:n]) + 1) for n, part in enumerate(parts)]
    fill(page, site, "front.html", contents=contents)
    return joined([Part(0, "", page.pdf(**A4)), *parts])


def outline(chapters: Sequence[Chapter]) -> Iterator[tuple[int, str, str]]:
    for chapter in chapters:
        yield 1, chapter.title, chapter.name
        yield from ((2, part.title, part.name) for part in chapter.pages)


def show(page: Page, path: Path) -> None:
    """Open a page of the book, and wait for its formulas."""
    page.goto(path.as_uri())
    page.evaluate("window.settled")
    page.add_script_tag(path=HERE / "paper.js")


def fill(page: Page, site: Path, template: str, **values: Any) -> None:
    """Show, in the book's style, what a template makes of these values."""
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "templates" / "paper"), autoescape=True)
    page.goto((site / "homework.html").as_uri())
    text = templates.get_template(template).render(values)
    page.evaluate("(text) => { document.querySelector('article').innerHTML = text; }", text)
    page.evaluate("MathJax.typesetPromise([document.querySelector('article')])")


def numbered(page: Page, first: int) -> bytes:
    """Print what is shown, its sheets numbered from here on."""
    margin = "@page { @bottom-center { content: counter(page); } }"
    page.add_style_tag(content=f"html {{ counter-reset: page {first - 1}; }} {margin}")
    return page.pdf(**A4)


def sheets(parts: Sequence[Part]) -> int:
    """How many sheets these parts take."""
    return sum(len(PdfReader(io.BytesIO(part.pdf)).pages) for part in parts)


def joined(parts: Sequence[Part]) -> bytes:
    """One PDF, whose outline names the chapters and their pages."""
    writer, chapter = PdfWriter(), None
    for level, title, pdf in parts:
        start = len(writer.pages)
        writer.append(io.BytesIO(pdf), import_outline=False)
        if level:
            item = writer.add_outline_item(title=title, page_number=start, parent=chapter if level == 2 else None)
            chapter = item if level == 1 else chapter
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def sheet(page: Page, site: Path, *, answers: bool) -> bytes:
    """The questions of Fun Time, for a class to answer with a pencil."""
    from plahelpers.quizzes import everything, page as texts

    ways = {"as_html": texts.as_html, "as_line": texts.as_inline_html}
    fill(page, site, "questions.html", asked=everything().asked, answers=answers, **ways)
    return page.pdf(**A4)


def summary(page: Page, site: Path) -> bytes:
    """The page of the summary in two columns, as large as two sheets allow."""
    show(page, site / "summary.html")
    page.evaluate("document.body.classList.add('two-columns')")
    for percent in range(100, round(100 * SMALLEST) - 1, -2):
        pdf = page.pdf(**A4, scale=percent / 100)
        if len(PdfReader(io.BytesIO(pdf)).pages) <= 2:
            return pdf
    raise SystemExit("The summary is too long for two pages: shorten book/pages/summary.md.")

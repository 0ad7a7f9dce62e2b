"""The book on paper, printed by Chromium: python3 run.py book --pdf

book.pdf               all chapters, with the answers at the end
questions.pdf          a sheet with the questions of Fun Time, and
questions-answers.pdf  the same with answers
summary.pdf            the lecture on two pages, with its notation
"""

from __future__ import annotations

import io
from bisect import bisect_left
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
SMALLEST: Final = 60  # percent: a summary that had to be so small could not be read


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
    print(f"  {path.name}: {sheets(pdf)} pages", flush=True)
    return path


class Part(NamedTuple):
    """A part of the printed book: a chapter's own page (level 1), or one after it (level 2), from this sheet on."""

    level: int
    title: str
    first: int
    pdf: bytes


def book(page: Page, site: Path, chapters: Sequence[Chapter]) -> bytes:
    """Every page of every chapter, then the answers; in front a cover and the contents."""
    parts: list[Part] = []
    answers: list[Any] = []
    for level, title, name in outline(chapters):
        show(page, site / f"{name}.html")
        answers += page.evaluate("(first) => forPaper(first)", len(answers) + 1)
        parts.append(numbered(page, level, title, parts))
        print(f"  {title}", flush=True)
    fill(page, site, "answers.html", answers=answers)
    parts.append(numbered(page, 1, "Answers", parts))
    fill(page, site, "front.html", contents=parts)
    return joined(page.pdf(**A4), parts)


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


def numbered(page: Page, level: int, title: str, before: Sequence[Part]) -> Part:
    """Print what is shown, its sheets numbered after those of the parts before it."""
    last = before[-1].first + sheets(before[-1].pdf) - 1 if before else 0
    margin = "@page { @bottom-center { content: counter(page); } }"
    page.add_style_tag(content=f"html {{ counter-reset: page {last}; }} {margin}")
    return Part(level, title, last + 1, page.pdf(**A4))


def sheets(pdf: bytes) -> int:
    return len(PdfReader(io.BytesIO(pdf)).pages)


def joined(front: bytes, parts: Sequence[Part]) -> bytes:
    """One PDF, whose outline names the chapters and their pages."""
    writer, chapter = PdfWriter(), None
    writer.append(io.BytesIO(front), import_outline=False)
    for part in parts:
        start = len(writer.pages)
        writer.append(io.BytesIO(part.pdf), import_outline=False)
        parent = chapter if part.level == 2 else None
        item = writer.add_outline_item(title=part.title, page_number=start, parent=parent)
        chapter = item if part.level == 1 else chapter
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def sheet(page: Page, site: Path, *, answers: bool) -> bytes:
    """The questions of Fun Time, for a class to answer with a pencil."""
    from plahelpers.quizzes import ask, ids, page as texts

    ways = {"as_html": texts.as_html, "as_line": texts.as_inline_html}
    fill(page, site, "questions.html", asked=ask(*ids()).asked, answers=answers, **ways)
    return page.pdf(**A4)


def summary(page: Page, site: Path) -> bytes:
    """The page of the summary in two columns, as large as two sheets allow."""
    show(page, site / "summary.html")
    page.evaluate("document.body.classList.add('two-columns')")
    sizes = range(100, SMALLEST, -2)
    place = bisect_left(sizes, True, key=lambda percent: sheets(page.pdf(**A4, scale=percent / 100)) <= 2)
    if place == len(sizes):
        raise SystemExit("The summary is too long for two pages: shorten book/pages/summary.md.")
    return page.pdf(**A4, scale=sizes[place] / 100)

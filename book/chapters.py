"""A chapter as the book shows it: its notebook, cut into pages of a human size.

A cell's metadata say it: `book.page` begins a page at a `##` heading, `book.caption` is what stands under a picture.
Parts whose heading begins with *Further* are moved to pages of their own, at the end; where they stood, a link leads
there. Sections and figures are numbered by chapter. Links to the cell of a heading, as JupyterLab follows them
(`02_pla.ipynb#cell-id=three-orders-1`), lead to the section's page.
"""

import hashlib
import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import count
from pathlib import Path
from typing import Any, Final

from docutils.nodes import make_id
from nbformat.v4 import new_markdown_cell, new_notebook

from book import sections
from book.sections import ADDRESS, HTML_LINK, Heading, own_heading

METADATA: Final = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
MARKDOWN_LINK: Final = re.compile(rf"\]\({ADDRESS}\)")


@dataclass
class Section:
    """A heading and the cells below it, up to the next heading of its kind."""

    heading: Heading
    cells: list[Any] = field(default_factory=list)
    number: str = ""

    @property
    def title(self) -> str:
        return self.heading.title


@dataclass
class Page:
    """Some sections that are read together."""

    title: str
    sections: list[Section] = field(default_factory=list)
    name: str = ""  # of the page in the book, such as 02_pla/an-update


@dataclass
class Chapter:
    """What a notebook holds: what stands on the chapter's own page, and the pages after it."""

    name: str
    title: str
    front: list[Any]
    pages: list[Page]

    @property
    def number(self) -> str:
        return str(int(self.name[:2]))

    @cached_property
    def places(self) -> dict[str, tuple[str, str]]:
        """For each heading, by the id of its cell, the page on which it stands and its anchor there."""
        cells = [(page.name, cell) for page in self.pages for section in page.sections for cell in section.cells]
        return {cell.id: (page, make_id(heading.title)) for page, cell in cells if (heading := own_heading(cell))}


# --- From a notebook to pages ----------------------------------------------------------------------------------------


def read(path: Path) -> Chapter:
    """Read a notebook as a chapter."""
    title, goals, *rest = cut(sections.read(path), path.name)
    pages = pages_of(rest)
    for n, section in enumerate((section for page in pages for section in page.sections), 1):
        section.number = f"{int(path.name[:2])}.{n}"
    for page in pages:
        page.name = f"{path.stem}/{make_id(page.title)}"
    return Chapter(path.stem, title.title, [*title.cells, *goals.cells], pages)


def cut(notebook: Any, file: str) -> list[Section]:
    """The chapter's title and its sections; where a part that is further stood, a link leads to it."""
    found: dict[Heading, Section] = {}
    core: list[Section] = []
    for cell, path in sections.with_headings(notebook):
        heading = sections.section(path)
        if heading not in found:
            found[heading] = Section(heading)
            if heading.is_further:
                link = f"[{heading.title}]({file}#cell-id={heading.cell})"
                core[-1].cells.append(new_markdown_cell(f":::{{container}} further\n{link}\n:::"))
            else:
                core.append(found[heading])
        found[heading].cells.append(cell)
    return list(found.values())


def pages_of(parts: list[Section]) -> list[Page]:
    """The pages in the order in which they are read: the core, then what is further."""
    core, beyond = list[Page](), [Page("Further")]
    for section in parts:
        title = section.cells[0].metadata.get("book", {}).get("page")
        pages = beyond if section.heading.is_further else core
        if title:
            pages.append(Page(title))
        if not pages:
            raise ValueError(f"the section {section.title!r} stands on no page: its cell needs the metadata book.page.")
        pages[-1].sections.append(section)
    return [page for page in core + beyond if page.sections]


# --- From pages to notebooks that Sphinx reads -----------------------------------------------------------------------


@dataclass
class Writer:
    """Writes the pages of all chapters as notebooks, and the pictures as files."""

    chapters: list[Chapter]
    files: dict[str, bytes] = field(default_factory=dict)  # what was written, by its path in the folder of the sources

    def write(self, template: Any, **more: Any) -> dict[str, bytes]:
        """Every page of every chapter; `template` makes the end of a chapter's own page."""
        for chapter in self.chapters:
            figures = count(1)
            end = template.render(chapter=chapter, **more)
            self.add(chapter, chapter.name, [*chapter.front, new_markdown_cell(end)], figures)
            for page in chapter.pages:
                self.add(chapter, page.name, list(self.cells_of(page)), figures)
        return self.files

    def add(self, chapter: Chapter, name: str, cells: list[Any], figures: Iterator[int]) -> None:
        """One page, with captions, links that lead to other pages, and pictures from files."""
        depth = "../" * name.count("/")
        shown = [part for cell in cells for part in self.with_caption(chapter, cell, figures)]
        for cell in shown:
            if cell.cell_type == "markdown":
                cell.source = self.linked(cell.source, depth)
            for output in cell.get("outputs", []):
                self.show(output, depth)
        self.files[f"{name}.ipynb"] = json.dumps(new_notebook(cells=shown, metadata=METADATA)).encode()

    def cells_of(self, page: Page) -> Iterator[Any]:
        """The cells of a page, its title and numbered headings among them."""
        yield new_markdown_cell(f"# {page.title}")
        for section in page.sections:
            first, *rest = section.cells
            text = first.source.partition("\n")[2]
            yield new_markdown_cell(f"## {section.number} {section.title}\n{text}", metadata=first.metadata)
            yield from rest

    def with_caption(self, chapter: Chapter, cell: Any, figures: Iterator[int]) -> list[Any]:
        """A cell and, if it has a caption, the caption with its number."""
        caption = cell.metadata.get("book", {}).get("caption")
        if not caption:
            return [cell]
        number = f"{chapter.number}.{next(figures)}"
        return [cell, new_markdown_cell(f":::{{container}} caption\n**Figure {number}.** {caption}\n:::")]

    def linked(self, text: str, depth: str = "") -> str:
        """A text, Markdown or HTML, whose links to notebooks lead to the book's pages."""
        text = MARKDOWN_LINK.sub(lambda link: f"](/{self.target(link, '.ipynb')})", text)
        return HTML_LINK.sub(lambda link: f'href="{depth}{self.target(link)}"', text)

    def target(self, link: re.Match[str], suffix: str = ".html") -> str:
        """Where a link to a notebook, or to the cell of a heading in it, leads in the book."""
        if not link["cell"]:
            return link["file"] + suffix
        places = {chapter.name: chapter.places for chapter in self.chapters}
        if link["cell"] not in places[link["file"]]:
            raise ValueError(f"the link {link[0]!r} leads to no heading.")
        page, anchor = places[link["file"]][link["cell"]]
        return f"{page}{suffix}#{anchor}"

    def show(self, output: Any, depth: str) -> None:
        """Let an output's links lead to pages, and take its picture from a file."""
        data = output.get("data", {})
        if "text/html" in data:
            data["text/html"] = self.linked(data["text/html"], depth)
        if "image/png" in data:
            data["text/html"] = self.picture(b64decode(data.pop("image/png")), output.metadata["image/png"], depth)

    def picture(self, png: bytes, about: Mapping[str, Any], depth: str) -> str:
        """A picture as HTML, from a file of its own."""
        name = f"pictures/{hashlib.sha256(png).hexdigest()[:16]}"
        self.files[f"{name}.png"] = png
        sizes = "".join(f' {side}="{about[side]:.0f}"' for side in ("width", "height") if side in about)
        return f'<img alt="{escape(about["alt"])}" src="{depth}_static/{name}.png"{sizes}>'

"""How the book cuts a notebook into pages: tiny notebooks, and the five chapters."""

import json
import re
from pathlib import Path
from typing import Any

import jinja2
import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from book import chapters


def text(source: str, **book: str) -> Any:
    name = re.sub("[^a-z]+", "-", source.partition("\n")[0].lower()).strip("-")
    return new_markdown_cell(source, id=f"{name}-1", metadata={"book": book} if book else {})


CELLS = [
    text("# Chapter 7 · Rhymes"),
    text("## You will\n\n- read"),
    text("## One\n\nA text.", page="The first page"),
    text("### Further: Inside\n\nMore."),
    text("### Back again\n\nNot further."),
    text("## Two"),
    text("## Further: Outside\n\nSee [one](07_rhymes.ipynb#cell-id=one-1).\n"),
    text("And [inside](07_rhymes.ipynb#cell-id=further-inside-1)."),
    text("## Three", page="The second page"),
]


def written(folder: Path, cells: list[Any]) -> dict[str, Any]:
    """The pages of a chapter, by name; the pictures as bytes."""
    nbformat.write(new_notebook(cells=cells), folder / "07_rhymes.ipynb")
    chapter = chapters.read(folder / "07_rhymes.ipynb")
    files = chapters.Writer([chapter]).write(jinja2.Template("The end of {{ chapter.name }}."))
    return {name: json.loads(data) if name.endswith(".ipynb") else data for name, data in files.items()}


def sources(page: Any) -> str:
    return "\n".join(cell["source"] for cell in page["cells"])


def test_pages_begin_where_the_metadata_say_and_what_is_further_comes_last_and_is_linked(tmp_path: Path) -> None:
    pages = written(tmp_path, CELLS)
    first, further = (sources(pages[f"07_rhymes/{name}.ipynb"]) for name in ("the-first-page", "further"))
    assert re.findall("(?m)^## (.+)", first) == ["7.1 One", "7.2 Two"]
    assert re.findall("(?m)^## (.+)", further) == ["7.4 Further: Inside", "7.5 Further: Outside"]
    assert first.index("A text.") < first.index("[Further: Inside]") < first.index("Not further.")
    assert "More." not in first
    assert "More." in further
    own = sources(pages["07_rhymes.ipynb"])
    assert own.startswith("# Chapter 7 · Rhymes\n## You will")
    assert own.endswith("The end of 07_rhymes.")


def test_links_lead_to_the_page_of_the_heading_and_a_link_to_nowhere_is_named(tmp_path: Path) -> None:
    further = sources(written(tmp_path, CELLS)["07_rhymes/further.ipynb"])
    assert "[one](/07_rhymes/the-first-page.ipynb#one)" in further
    assert "[inside](/07_rhymes/further.ipynb#further-inside)" in further
    with pytest.raises(ValueError, match="leads to no heading"):
        written(tmp_path, [*CELLS, text("[x](07_rhymes.ipynb#cell-id=nowhere-1)")])


def test_a_section_on_no_page_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the section 'One' stands on no page"):
        written(tmp_path, [*CELLS[:2], text("## One")])


def test_every_picture_and_every_widget_of_the_five_chapters_has_a_caption(read: list[chapters.Chapter]) -> None:
    for chapter in read:
        parts = [section.cells for page in chapter.pages for section in page.sections]
        for cell in [*chapter.front, *(cell for cells in parts for cell in cells)]:
            data = [output.get("data", {}) for output in cell.get("outputs", [])]
            shown = any("image/png" in one or "pla-stage" in one.get("text/html", "") for one in data)
            assert shown == bool(cell.metadata.get("book", {}).get("caption")), cell.id

"""How the book cuts a notebook into pages: tiny notebooks, and the five chapters."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import jinja2
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from book import chapters


def text(source: str, **book: str) -> Any:
    name = re.sub("[^a-z]+", "-", source.partition("\n")[0].lower()).strip("-")
    return new_markdown_cell(source, id=f"{name}-1", metadata={"book": book} if book else {})


PICTURE = b"the bytes of a PNG"


def drawn(**about: Any) -> Any:
    data = {"image/png": base64.b64encode(PICTURE).decode()}
    output = new_output("display_data", data=data, metadata={"image/png": {"alt": "A & B", **about}})
    return new_code_cell("draw()", outputs=[output], metadata={"book": {"caption": "What is seen."}})


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


def test_pages_begin_where_the_metadata_say_and_what_is_further_comes_last(tmp_path: Path) -> None:
    nbformat.write(new_notebook(cells=CELLS), tmp_path / "07_rhymes.ipynb")
    chapter = chapters.read(tmp_path / "07_rhymes.ipynb")
    assert (chapter.number, chapter.title) == ("7", "Chapter 7 · Rhymes")
    assert [(page.name, [f"{s.number} {s.title}" for s in page.sections]) for page in chapter.pages] == [
        ("07_rhymes/the-first-page", ["7.1 One", "7.2 Two"]),
        ("07_rhymes/the-second-page", ["7.3 Three"]),
        ("07_rhymes/further", ["7.4 Further: Inside", "7.5 Further: Outside"]),
    ]


def test_every_cell_of_the_notebook_is_on_one_page_and_a_link_stands_where_a_further_part_stood(tmp_path: Path) -> None:
    pages = written(tmp_path, CELLS)
    first = sources(pages["07_rhymes/the-first-page.ipynb"])
    assert first.index("A text.") < first.index("[Further: Inside]") < first.index("Not further.")
    assert "More." not in first
    assert "More." in sources(pages["07_rhymes/further.ipynb"])
    own = sources(pages["07_rhymes.ipynb"])
    assert own.startswith("# Chapter 7 · Rhymes\n## You will")
    assert own.endswith("The end of 07_rhymes.")


def test_links_lead_to_the_page_of_the_heading_and_a_link_to_nowhere_is_named(tmp_path: Path) -> None:
    further = sources(written(tmp_path, CELLS)["07_rhymes/further.ipynb"])
    assert "[one](/07_rhymes/the-first-page.ipynb#one)" in further
    assert "[inside](/07_rhymes/further.ipynb#further-inside)" in further
    with pytest.raises(ValueError, match="leads to no heading"):
        written(tmp_path, [*CELLS, text("[x](07_rhymes.ipynb#cell-id=nowhere-1)")])


def test_links_in_what_a_cell_put_out_lead_to_pages_too(tmp_path: Path) -> None:
    page = '<a href="07_rhymes.ipynb#cell-id=three-1">again</a> <a href="https://example.org">other</a>'
    output = new_output("execute_result", data={"text/html": page, "text/plain": "x"})
    pages = written(tmp_path, [*CELLS, new_code_cell("f()", outputs=[output])])
    shown = pages["07_rhymes/the-second-page.ipynb"]["cells"][-1]["outputs"][0]["data"]["text/html"]
    assert shown == page.replace("07_rhymes.ipynb#cell-id=three-1", "../07_rhymes/the-second-page.html#three")


def test_figures_are_numbered_through_the_chapter(tmp_path: Path) -> None:
    cells = [*CELLS[:3], drawn(), *CELLS[3:], drawn()]
    pages = written(tmp_path, cells)
    assert "**Figure 7.1.** What is seen." in sources(pages["07_rhymes/the-first-page.ipynb"])
    assert "**Figure 7.2.** What is seen." in sources(pages["07_rhymes/the-second-page.ipynb"])


def test_a_picture_is_a_file(tmp_path: Path) -> None:
    pages = written(tmp_path, [*CELLS, drawn(width=20, height=5)])
    shown = pages["07_rhymes/the-second-page.ipynb"]["cells"][-2]["outputs"][0]["data"]
    [name] = [name for name, data in pages.items() if data == PICTURE]
    assert f'<img alt="A &amp; B" src="../_static/{name}" width="20" height="5">' == shown["text/html"]
    assert "image/png" not in shown


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

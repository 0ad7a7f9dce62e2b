"""Links to sections: a file that is there, and in it the cell with the heading."""

import re
from pathlib import Path

import nbformat
import pytest

from plahelpers import _format, quizzes
from plahelpers.checks import sections

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
NAMED = {(instance.question.chapter, instance.question.read) for instance in quizzes.everything().asked}
NAMED |= {(*section,) for section in vars(sections).values() if isinstance(section, sections.Section)}


def test_every_chapter_has_its_file():
    assert list(_format.CHAPTERS.values()) == sorted(path.name for path in NOTEBOOKS.glob("0*.ipynb"))
    assert all(name.startswith(f"0{chapter}_") for chapter, name in _format.CHAPTERS.items())


@pytest.mark.parametrize(
    ("title", "id"),
    [
        ("Three orders", "three-orders-1"),
        ("PLA in the lecture's words", "pla-in-the-lecture-s-words-1"),
        ("Further: 2000 shuffled cycles", "2000-shuffled-cycles-1"),
        ("T ≤ R²/ρ²", "t-r-1"),
    ],
)
def test_an_address_has_the_file_and_the_id_that_is_made_from_the_title(title, id):
    assert _format.section_address(2, title) == f"02_pla.ipynb#cell-id={id}"


def test_a_link_is_escaped():
    assert (
        _format.section_link("02_pla.ipynb#a&b", '"<b>"') == '<a href="02_pla.ipynb#a&amp;b">&quot;&lt;b&gt;&quot;</a>'
    )


@pytest.mark.parametrize("chapter", _format.CHAPTERS)
def test_the_cell_that_a_link_leads_to_begins_with_the_heading(chapter):
    """Else give the cell this id: JupyterLab shows it in the Property Inspector, or edit the file."""
    cells = nbformat.read(NOTEBOOKS / _format.CHAPTERS[chapter], as_version=4).cells
    first_lines = {cell.id: cell.source.splitlines()[0] for cell in cells}
    titles = sorted(title for where, title in NAMED if where == chapter)
    assert len(NAMED) > 20
    missing = [t for t in titles if not re.fullmatch(f"#+ {re.escape(t)}", first_lines.get(_format.cell_id(t), ""))]
    assert missing == []

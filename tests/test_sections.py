"""Links to sections: a file that is there, a heading that is there, and an anchor that JupyterLab finds."""

import re
from pathlib import Path

import nbformat
import pytest

from plahelpers import _sections

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"


def headings(chapter):
    cells = nbformat.read(NOTEBOOKS / _sections.FILES[chapter], as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return set(re.findall(r"(?m)^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))


def test_every_chapter_has_its_file():
    assert list(_sections.FILES.values()) == sorted(path.name for path in NOTEBOOKS.glob("0*.ipynb"))
    assert all(name.startswith(f"0{chapter}_") for chapter, name in _sections.FILES.items())


@pytest.mark.parametrize(
    ("title", "anchor"),
    [
        ("Three orders", "Three-orders"),
        ("PLA in the lecture's words", "PLA-in-the-lecture's-words"),
        ("How many updates?", "How-many-updates?"),
        ("Further: Weight space", "Further:-Weight-space"),
        ('"a" < ≤', "%22a%22-%3C-%E2%89%A4"),
    ],
)
def test_an_anchor_is_the_title_with_hyphens_and_encoded_only_where_it_must_be(title, anchor):
    assert _sections.address(2, title) == f"02_pla.ipynb#heading={anchor}"


def test_a_link_is_escaped():
    assert _sections.link("02_pla.ipynb#a&b", "<b>") == '<a href="02_pla.ipynb#a&amp;b">&lt;b&gt;</a>'

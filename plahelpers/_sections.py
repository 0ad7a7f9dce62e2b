"""The sections of the chapters: the links that lead to them, in JupyterLab and, rewritten by its build, in the book."""

from __future__ import annotations

import html
import re
from typing import Final

FILES: Final = {
    1: "01_hypothesis_set.ipynb",
    2: "02_pla.ipynb",
    3: "03_convergence_proof.ipynb",
    4: "04_pocket_on_noisy_data.ipynb",
    5: "05_fun_time.ipynb",
}


def address(chapter: int, title: str) -> str:
    """Where a section is: 02_pla.ipynb#cell-id=three-orders-1.

    JupyterLab finds a cell by its id at once. Headings it looks for on the page, and when a chapter is only being
    opened, they are not there yet.
    """
    return f"{FILES[chapter]}#cell-id={cell_id(title)}"


def cell_id(title: str) -> str:
    """The id of the cell with this heading, which is the first of its section: three-orders-1."""
    return "-".join([*re.findall("[a-z0-9]+", title.removeprefix("Further: ").lower()), "1"])


def link(address: str, words: str) -> str:
    """A link in HTML. The book's build looks for links of exactly this form."""
    return f'<a href="{html.escape(address)}">{html.escape(words)}</a>'

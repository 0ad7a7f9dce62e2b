"""The sections of the chapters: the links that lead to them, in JupyterLab and, rewritten by its build, in the book."""

from __future__ import annotations

import html
from typing import Final
from urllib.parse import quote

FILES: Final = {
    1: "01_hypothesis_set.ipynb",
    2: "02_pla.ipynb",
    3: "03_convergence_proof.ipynb",
    4: "04_pocket_on_noisy_data.ipynb",
    5: "05_fun_time.ipynb",
}
# JupyterLab compares anchors without decoding them, so `%3F` would not find a `?`: what may stand there stays as it is.
_AS_THEY_ARE: Final = "!$&'*+,/:;=?@"


def address(chapter: int, title: str) -> str:
    """Where a section is: 02_pla.ipynb#heading=Three-orders.

    JupyterLab finds a `heading=` in the source of the cells. Without this word it looks for the heading on the page,
    and a chapter that is only being opened has none there yet.
    """
    return f"{FILES[chapter]}#heading={quote(title.replace(' ', '-'), safe=_AS_THEY_ARE)}"


def link(address: str, words: str) -> str:
    """A link in HTML. The book's build looks for links of exactly this form."""
    return f'<a href="{html.escape(address, quote=False)}">{html.escape(words)}</a>'

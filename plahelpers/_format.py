"""How things are written: numbers, vectors and counts as a lecturer would read them aloud, and links to sections."""

import html
import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from plahelpers._validation import FloatArray

# A longer vector than this is shown by its first entries.
_MOST_ENTRIES = 8
CHAPTERS: Final = {
    1: "01_hypothesis_set.ipynb",
    2: "02_pla.ipynb",
    3: "03_convergence_proof.ipynb",
    4: "04_pocket_on_noisy_data.ipynb",
    5: "05_fun_time.ipynb",
}


def number(value: float) -> str:
    """A number with two decimals at most, or three digits where two decimals would say nothing."""
    if value == 0 or 0.1 <= abs(value) < 1e6:
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{value:.3g}"


def vector(w: FloatArray) -> str:
    """w as (-4, 3.72, -0.66): two decimals for all of it, unless all of it is small or some of it is large."""
    largest = float(np.max(np.abs(w), initial=0.0))
    if largest == 0 or 0.1 <= largest < 1e6:
        entries = [f"{value:.2f}".rstrip("0").rstrip(".") for value in w[:_MOST_ENTRIES]]
        entries = ["0" if entry == "-0" else entry for entry in entries]
    else:
        entries = [f"{value:.3g}" for value in w[:_MOST_ENTRIES]]
    more = ["…"] if len(w) > _MOST_ENTRIES else []
    return f"({', '.join(entries + more)})"


def count(n: int, noun: str) -> str:
    """1 update, 2 updates, no mistakes."""
    return f"{'no' if n == 0 else f'{n:,}'} {noun}{'' if n == 1 else 's'}"


def listing(items: Sequence[object], limit: int = 8) -> str:
    """0, 2, 9 and 3 more."""
    rest = len(items) - limit
    text = ", ".join(str(item) for item in items[:limit])
    return f"{text} and {rest} more" if rest > 0 else text


def section_address(chapter: int, title: str) -> str:
    """Where a section is: 02_pla.ipynb#cell-id=three-orders-1.

    JupyterLab finds a cell by its id at once. Headings it looks for on the page, and when a chapter is only being
    opened, they are not there yet.
    """
    return f"{CHAPTERS[chapter]}#cell-id={cell_id(title)}"


def cell_id(title: str) -> str:
    """The id of the cell with this heading, which is the first of its section: three-orders-1."""
    return "-".join([*re.findall("[a-z0-9]+", title.removeprefix("Further: ").lower()), "1"])


def section_link(address: str, words: str) -> str:
    """A link in HTML. The book's build looks for links of exactly this form."""
    return f'<a href="{html.escape(address)}">{html.escape(words)}</a>'


def code_lines(script: str) -> list[str]:
    """The lines of a script without indents, comments and empty lines: a notebook stores a script many times."""
    lines = (line.strip() for line in script.splitlines())
    return [line for line in lines if line and not line.startswith("//")]

"""The texts of a question as HTML and as plain text: a small part of Markdown.

Known are paragraphs, lists (`- `), `*emphasis*`, `**strong**`, `` `code` ``, mathematics between dollars, and links to
sections, `[words](02_pla.ipynb#cell-id=three-orders-1)`. Everything else is text, and is escaped. Mathematics is left
to the page's own MathJax, between \\( and \\); plain text shows its source.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator

from plahelpers import _format

_INLINE = re.compile(
    r"\$(?P<math>[^$]+)\$|`(?P<code>[^`]+)`|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*"
    r"|\[(?P<words>[^]]+)\]\((?P<link>\d\d_\w+\.ipynb#[\w=-]+)\)|(?P<text>[^$`*[]+|.)",
    re.DOTALL,
)
_WIDTH = 88  # of a line in a terminal


def as_html(text: str) -> str:
    """Blocks of HTML, with mathematics for the page's MathJax."""
    return "".join(
        "<ul>" + "".join(f"<li>{as_inline_html(item)}</li>" for item in items) + "</ul>"
        if items
        else f"<p>{as_inline_html(block)}</p>"
        for block, items in _blocks(text)
    )


def as_inline_html(text: str) -> str:
    """The same within a line, without paragraphs: for labels."""
    return "".join(_piece_as_html(match) for match in _INLINE.finditer(" ".join(text.split())))


def as_plain(text: str) -> str:
    """Text for a terminal: without the marks of Markdown, in lines that fit."""
    blocks = []
    for block, items in _blocks(text):
        lines = [textwrap.fill(f"- {as_plain_line(item)}", _WIDTH, subsequent_indent="  ") for item in items]
        blocks.append("\n".join(lines or [textwrap.fill(as_plain_line(block), _WIDTH)]))
    return "\n\n".join(blocks)


def as_plain_line(text: str) -> str:
    """The same in one line."""
    return " ".join("".join(match["words"] or match[_kind(match)] for match in _INLINE.finditer(text)).split())


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each paragraph, and its items if it is a list."""
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.strip().splitlines()
        is_list = all(line.startswith(("- ", "  ")) for line in lines) and lines[0].startswith("- ")
        yield block, re.split(r"\n- ", "\n" + block.strip())[1:] if is_list else []


def _kind(match: re.Match[str]) -> str:
    return match.lastgroup or "text"


def _piece_as_html(match: re.Match[str]) -> str:
    kind = _kind(match)
    escaped = html.escape(match[kind])
    if kind == "link":
        return _format.section_link(match["link"], match["words"])
    if kind == "math":
        return rf"\({escaped}\)"
    return escaped if kind == "text" else f"<{kind}>{escaped}</{kind}>"

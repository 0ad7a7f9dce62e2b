"""The words of a question, in every form they are shown: a small part of Markdown, as HTML and as plain text.

Known are paragraphs, lists (`- `), `*emphasis*`, `**strong**`, `` `code` `` and mathematics between dollars. Everything
else is text, and is escaped. Mathematics is left to the page's own MathJax, between \\( and \\); in a terminal it is
written with Unicode, which is why only the commands in `_SYMBOLS` may be used. (So no command can make a link either.)
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator
from fractions import Fraction

_INLINE = re.compile(
    r"\$(?P<math>[^$]+)\$|`(?P<code>[^`]+)`|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*|(?P<text>[^$`*]+|.)", re.DOTALL
)

_SYMBOLS = {
    "top": "ᵀ", "rho": "ρ", "eta": "η", "theta": "θ", "infty": "∞", "ldots": "…", "|": "‖", "sum": "Σ", "sqrt": "√",
    "le": " ≤ ", "ge": " ≥ ", "ne": " ≠ ", "approx": " ≈ ", "propto": " ∝ ", "in": " ∈ ", "leftarrow": " ← ",
    "cdot": "·", "times": " × ", "frac": "/", "cos": "cos ", "min": "min", "max": "max", "operatorname": "",
    "quad": "  ", ",": " ",
}  # fmt: skip
_RAISED = dict(zip("0123456789+-ᵀd", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀᵈ", strict=True))
_LOWERED = dict(zip("0123456789+-tni", "₀₁₂₃₄₅₆₇₈₉₊₋ₜₙᵢ", strict=True))


class BadTextError(ValueError):
    """A text that cannot be shown, and why."""


# --- checking --------------------------------------------------------------------------------------------------------


def check(text: str) -> None:
    """Refuse a text that some form could not show."""
    if text.count("$") % 2:
        raise BadTextError(
            "mathematics is opened with $ and not closed (write a price in words, not with a dollar sign)"
        )
    for kind, part in _pieces(text):
        if kind == "math":
            _math_as_plain(part)
        elif "\\" in part and kind != "code":
            raise BadTextError(f"there is a backslash outside mathematics, in {part.strip()!r}: put it between dollars")


# --- showing ---------------------------------------------------------------------------------------------------------


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
    return "".join(_piece_as_html(kind, html.escape(part)) for kind, part in _pieces(" ".join(text.split())))


def as_plain(text: str, width: int = 88) -> str:
    """Text for a terminal, mathematics in Unicode."""
    blocks = []
    for block, items in _blocks(text):
        lines = [_fill(item, width, "- ", "  ") for item in items] if items else [_fill(block, width)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def as_plain_line(text: str) -> str:
    """The same in one line."""
    return " ".join("".join(_piece_as_plain(kind, part) for kind, part in _pieces(text)).split())


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each paragraph, and its items if it is a list."""
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.strip().splitlines()
        is_list = all(line.startswith(("- ", "  ")) for line in lines) and lines[0].startswith("- ")
        yield block, re.split(r"\n- ", "\n" + block.strip())[1:] if is_list else []


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    for match in _INLINE.finditer(text):
        kind = match.lastgroup or "text"
        yield kind, match[kind]


def _piece_as_html(kind: str, escaped: str) -> str:
    if kind == "math":
        return rf"\({escaped}\)"
    return escaped if kind == "text" else f"<{kind}>{escaped}</{kind}>"


def _piece_as_plain(kind: str, part: str) -> str:
    return _math_as_plain(part) if kind == "math" else part


def _fill(text: str, width: int, first: str = "", later: str = "") -> str:
    return textwrap.fill(as_plain_line(text), width, initial_indent=first, subsequent_indent=later)


# --- mathematics in Unicode ------------------------------------------------------------------------------------------


def _math_as_plain(source: str) -> str:
    if source.count("{") != source.count("}"):
        raise BadTextError(f"the braces of ${source}$ do not match")
    return _Mathematics(source).until_the_end().replace("-", "−")


class _Mathematics:
    """A reader of the little LaTeX that questions use, one token after another."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = re.findall(r"\\(?:[a-zA-Z]+|.)|[^\s]|\s+", source)[::-1]

    def until_the_end(self) -> str:
        parts = []
        while self.tokens and self.tokens[-1] != "}":
            parts.append(self.one())
        return "".join(parts)

    def one(self) -> str:
        """One symbol, group or command with what belongs to it."""
        if not self.tokens:
            raise BadTextError(f"${self.source}$ ends too early")
        token = self.tokens.pop()
        if token == "{":
            inside = self.until_the_end()
            self.tokens.pop()
            return inside
        if token in "^_":
            return self._shifted(self.argument(), _RAISED if token == "^" else _LOWERED, token)
        if token.startswith("\\"):
            return self._command(token[1:])
        return " " if token.isspace() else token

    def argument(self) -> str:
        self._skip_blanks()
        return self.one()

    def _skip_blanks(self) -> None:
        while self.tokens and self.tokens[-1].isspace():
            self.tokens.pop()

    def _command(self, name: str) -> str:
        if name not in _SYMBOLS:
            known = ", ".join("\\" + known for known in _SYMBOLS)
            raise BadTextError(f"the mathematics ${self.source}$ uses \\{name}; known are {known}")
        if name == "top":
            self._skip_blanks()  # that wᵀ x may read wᵀx
        if name == "frac":
            above, below = self.argument(), self.argument()
            return f"{_bracketed(above)}/{_bracketed(below)}"
        if name == "sqrt":
            return "√" + _bracketed(self.argument())
        return _SYMBOLS[name]

    @staticmethod
    def _shifted(inside: str, table: dict[str, str], mark: str) -> str:
        inside = inside.strip()
        if all(letter in table for letter in inside):
            return "".join(table[letter] for letter in inside)
        return f"{mark}{inside}" if len(inside) == 1 else f"{mark}({inside})"


def _bracketed(inside: str) -> str:
    return inside if re.fullmatch(r"[\w.²‖ᵀ₀-₉ρ]+", inside) else f"({inside})"


# --- a reader's numbers ----------------------------------------------------------------------------------------------


def parse_numbers(typed: str) -> tuple[float, ...]:
    """The numbers that somebody typed: −1.5, 3/4 or (1, 2, −3), with whatever minus sign and brackets they like.

    Raises ValueError naming the part that is no number.
    """
    text = re.sub("[−–‐‑﹣－]", "-", typed).strip()  # the minus signs and hyphens that keyboards and pages offer
    text = text.strip("()[]{}⟨⟩<> ")
    parts = [part for part in re.split(r"\s*[,;]\s*|\s+", re.sub(r"\s*/\s*", "/", text)) if part]
    return tuple(_number(part) for part in parts)


def _number(part: str) -> float:
    try:
        above, *below = map(Fraction, part.split("/"))
        if len(below) > 1:
            raise ValueError
        return float(above / below[0] if below else above)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(part) from None

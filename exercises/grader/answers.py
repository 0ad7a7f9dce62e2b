"""Written answers as HTML: Markdown, tables, formulas as MathML, and pictures inside the page.

Raw HTML is shown as text, and whatever else comes out of a student's text is cleaned by `bleach`: a picture is data of
the page itself, a link leads to the web. Lengths are bounded before anything looks at the text.
"""

import html
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final
from urllib.parse import unquote
from xml.etree import ElementTree

import bleach
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

_MAX_TEXT: Final = 20_000  # characters of an answer
_MAX_FORMULA: Final = 1_000  # characters
_MAX_PICTURE: Final = 4_000_000  # characters of a PNG, JPEG or GIF
_WORD: Final = re.compile(r"\w+")
_TAGS: Final = _WORD.findall(
    "a blockquote br code em h1 h2 h3 h4 hr img li ol p pre s strong table tbody td th thead tr ul "
    "math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub "
    "msubsup msup mtable mtd mtext mtr munder munderover"
)
_MATH: Final = _WORD.findall(
    "accent columnalign columnspacing display displaystyle fence form linethickness lspace mathvariant maxsize minsize "
    "movablelimits rowspacing rspace scriptlevel separator stretchy width"
)
_ATTRIBUTES: Final = {
    "a": lambda _, name, value: name == "href" and value.startswith(("https://", "http://")),
    "img": ["src", "alt"],
    **{tag: _MATH for tag in _TAGS if tag.startswith("m")},
}


def as_html(text: str, pictures: Mapping[str, str] | None = None) -> str:
    """An answer for a page; pictures are its attachments, as `picture` returns them."""
    more = len(text) - _MAX_TEXT
    text = text[:_MAX_TEXT] + (f"\n\n*… and {more:,} more characters; see the notebook.*" if more > 0 else "")
    rendered = _parser().render(text, {"pictures": pictures or {}})
    return str(bleach.clean(rendered, _TAGS, _ATTRIBUTES, {"https", "http", "data"}))


def picture(encoded: str) -> str:
    """A picture from a notebook, in base64, as a data: URI, which a browser takes for a picture and nothing else."""
    data = "".join(encoded.split())
    is_one = len(data) <= _MAX_PICTURE and re.fullmatch(r"(iVBORw0KGgo|/9j/|R0lGOD)[\w+/]+=*", data, re.ASCII)
    return f"data:image/png;base64,{data}" if is_one else ""


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    dollarmath_plugin(parser, allow_space=True, double_inline=True)
    amsmath_plugin(parser)
    parser.add_render_rule("image", _image)
    for name in ("math_inline", "math_inline_double", "math_block", "math_block_label", "amsmath"):
        parser.add_render_rule(name, _formula)
    parser.render("x")  # prepares its rules: two threads at once would find half of them
    return parser


def _image(_: Any, tokens: Sequence[Token], k: int, __: Any, environment: Any) -> str:
    name = unquote(str(tokens[k].attrs.get("src", ""))).removeprefix("attachment:")
    if not (data := environment["pictures"].get(name)):
        return "<em>[a picture that cannot be shown here; see the notebook]</em>"
    return f'<img src="{data}" alt="{html.escape(tokens[k].content)}">'


def _formula(_: Any, tokens: Sequence[Token], k: int, *__: Any) -> str:
    """A formula as MathML; as it was typed if it cannot be converted."""
    formula, inline = tokens[k].content, tokens[k].type == "math_inline"
    if len(formula) <= _MAX_FORMULA:
        with suppress(Exception):  # the library raises errors of all kinds on what it does not know
            return _mathml(formula, "inline" if inline else "block")
    return f"<code>${html.escape(formula)}$</code>" if inline else f"<pre>{html.escape(formula.strip())}</pre>"


def _mathml(formula: str, display: str) -> str:
    from latex2mathml.converter import convert_to_element

    formula = re.sub(r"\\(begin|end)\{(aligned|split|eqnarray\*?|gathered)\}", r"\\\1{align*}", formula)
    root = convert_to_element(formula, display=display)
    for element in root.iter():
        element.text = html.unescape(element.text or "")  # the library gives symbols as character references
        if element.tag in ("mi", "mo") and (element.text.startswith("\\") or element.text == "&"):
            raise ValueError(element.text)  # a command that it does not know
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)

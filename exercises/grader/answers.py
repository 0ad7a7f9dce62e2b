"""Written answers as HTML: Markdown, tables, formulas as MathML, and pictures inside the page.

Raw HTML is shown as text, and whatever else comes out of a student's text is cleaned by `bleach`: a picture is data of
the page itself, a link leads to the web. Lengths are bounded before anything looks at the text.
"""

from __future__ import annotations

import base64
import html
import io
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import unquote
from xml.etree import ElementTree

import bleach
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

MAX_TEXT: Final = 20_000  # characters of an answer
_MAX_FORMULA: Final = 1_000  # characters
_MAX_FORMULAS: Final = 200
_MAX_PIXELS: Final = 40_000_000
_MAX_PICTURE: Final = 150_000  # bytes
_WORD: Final = re.compile(r"\w+")
_TAGS: Final = _WORD.findall(
    "a blockquote br code em h4 hr img li ol p pre s strong table tbody td th thead tr ul "
    "math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub "
    "msubsup msup mtable mtd mtext mtr munder munderover"
)
_ATTRIBUTES: Final = _WORD.findall(
    "accent columnalign columnspacing display displaystyle fence form linethickness lspace mathvariant maxsize minsize "
    "movablelimits rowspacing rspace scriptlevel separator stretchy width"
)
_DATA: Final = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/]+={0,2}")
_IMG: Final = re.compile(r'<img\b[^<>]*?\bsrc="(attachment:[^"<>]*)"[^<>]*>')  # with a size, say


def as_html(text: str, pictures: Mapping[str, str]) -> str:
    """An answer for a page; pictures are its attachments, as `picture` returns them."""
    more = len(text) - MAX_TEXT
    text = _IMG.sub(r"![](\1)", text[:MAX_TEXT])
    text += f"\n\n*… and {more:,} more characters; see the notebook.*" if more > 0 else ""
    environment = {"pictures": pictures, "formulas": 0}
    tokens = _parser().parse(text, environment)
    for token in tokens:
        if token.type.startswith("heading"):
            token.tag = "h4"  # the page has headings of its own
    rendered = _parser().renderer.render(tokens, _parser().options, environment)
    return str(bleach.clean(rendered, _TAGS, _is_allowed, {"https", "http", "data"}))


def _is_allowed(tag: str, name: str, value: str) -> bool:
    if tag == "img":
        return name == "alt" or (name == "src" and _DATA.fullmatch(value) is not None)
    if tag == "a":
        return name == "href" and re.match("https?://", value) is not None
    return tag.startswith("m") and name in _ATTRIBUTES


def picture(encoded: str) -> str:
    """A picture from a notebook as a data: URI, made smaller if it is large; "" if it is none."""
    from PIL import Image

    try:
        data = base64.b64decode(encoded, validate=False)
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "GIF")) as opened:
            kind = str(opened.format).lower()
            if opened.width * opened.height > _MAX_PIXELS:
                return ""
            if len(data) > _MAX_PICTURE:
                data, kind = _smaller(opened), "jpeg"
    except Exception:  # Pillow raises errors of all kinds on broken files
        return ""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}" if len(data) <= _MAX_PICTURE else ""


def _smaller(picture: Any) -> bytes:
    """A picture as JPEG, on white where it is transparent, and so small that it fits."""
    from PIL import Image

    picture = picture.convert("RGBA")
    ground, data = Image.new("RGB", picture.size, "white"), b""
    ground.paste(picture, mask=picture.getchannel("A"))
    for side in (1_400, 1_000, 700, 400):
        buffer = io.BytesIO()
        ground.thumbnail((side, side))
        ground.save(buffer, "JPEG", quality=80)
        data = buffer.getvalue()
        if len(data) <= _MAX_PICTURE:
            break
    return data


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    dollarmath_plugin(parser, allow_space=True, double_inline=True)
    amsmath_plugin(parser)
    parser.add_render_rule("image", _image)
    parser.add_render_rule("math_inline", _formula)
    for name in ("math_inline_double", "math_block", "math_block_label", "amsmath"):
        parser.add_render_rule(name, _formula)
    return parser


def _image(_: Any, tokens: Sequence[Token], k: int, __: Any, environment: Any) -> str:
    name = unquote(str(tokens[k].attrs.get("src", ""))).removeprefix("attachment:")
    if not (data := environment["pictures"].get(name)):
        return "<em>[a picture that cannot be shown here; see the notebook]</em>"
    return f'<img src="{data}" alt="{html.escape(tokens[k].content)}">'


def _formula(_: Any, tokens: Sequence[Token], k: int, __: Any, environment: Any) -> str:
    """A formula as MathML; as it was typed if it cannot be converted, or if there have been too many."""
    environment["formulas"] += 1
    formula, inline = tokens[k].content, tokens[k].type == "math_inline"
    if len(formula) <= _MAX_FORMULA and environment["formulas"] <= _MAX_FORMULAS:
        try:
            return _mathml(formula, "inline" if inline else "block")
        except Exception:  # the library raises errors of all kinds on what it does not know
            environment["unknown"] = formula
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

"""Written answers as HTML: Markdown, tables, formulas as MathML, and pictures inside the page.

Whatever a student wrote, no more comes out than is named here: raw HTML is shown as text, a picture is data of the page
itself, a link leads to the web. Lengths are bounded; what is beyond stays in the notebook.
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

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

MAX_TEXT: Final = 20_000  # characters of an answer
_MAX_FORMULA: Final = 1_000  # characters
_MAX_FORMULAS: Final = 200
_MAX_PIXELS: Final = 40_000_000
_MAX_PICTURE: Final = 150_000  # bytes
_SIDES: Final = (1_400, 1_000, 700, 400)  # pixels, tried one after the other, of a picture that is larger

_DATA: Final = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/]+={0,2}")


def as_html(text: str, pictures: Mapping[str, str]) -> Markup:
    """An answer for a page; pictures are its attachments, as `picture` returns them."""
    environment = {"pictures": pictures, "formulas": 0}
    tokens = _parser().parse(text, environment)
    for token in tokens:
        if token.type.startswith("heading"):
            token.tag = "h4"  # the page has headings of its own
    return Markup(_parser().renderer.render(tokens, _parser().options, environment))


def image(data: str, alt: str) -> Markup:
    """A picture for a page, from what `picture` returned; a sentence, if there was none."""
    if not _DATA.fullmatch(data):
        return Markup('<em class="missing">[a picture that cannot be shown here; see the notebook]</em>')
    return Markup('<img src="{}" alt="{}">').format(data, alt)


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
    ground = Image.new("RGB", picture.size, "white")
    ground.paste(picture, mask=picture.getchannel("A"))
    for side in _SIDES:
        buffer = io.BytesIO()
        ground.thumbnail((side, side))
        ground.save(buffer, "JPEG", quality=80)
        if buffer.tell() <= _MAX_PICTURE:
            break
    return buffer.getvalue()


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    dollarmath_plugin(parser, allow_space=True, double_inline=True)
    amsmath_plugin(parser)
    rules = {"image": _image, "link_open": _link, "math_inline": _formula, "math_inline_double": _block_formula}
    rules |= dict.fromkeys(("math_block", "math_block_label", "amsmath"), _block_formula)
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


def _image(_: RendererHTML, tokens: Sequence[Token], k: int, __: Any, environment: Any) -> str:
    name = unquote(str(tokens[k].attrs.get("src", ""))).removeprefix("attachment:")
    return image(environment["pictures"].get(name, ""), tokens[k].content)


def _link(_: RendererHTML, tokens: Sequence[Token], k: int, __: Any, ___: Any) -> str:
    address = str(tokens[k].attrs.get("href", ""))
    return Markup('<a href="{}" rel="noreferrer">').format(address) if re.match("https?://", address) else "<a>"


def _formula(_: RendererHTML, tokens: Sequence[Token], k: int, __: Any, environment: Any) -> str:
    return _math(tokens[k].content, "inline", environment) or _as_typed("code", f"${tokens[k].content}$")


def _block_formula(_: RendererHTML, tokens: Sequence[Token], k: int, __: Any, environment: Any) -> str:
    return _math(tokens[k].content, "block", environment) or _as_typed("pre", tokens[k].content.strip())


def _as_typed(tag: str, text: str) -> str:
    return f"<{tag}>{html.escape(text)}</{tag}>"


# --- Formulas --------------------------------------------------------------------------------------------------------

# What may come out of a formula: parts of MathML, and attributes that only set type; nothing with an address.
_TAG: Final = re.compile(
    "math|mrow|mi|mn|mo|mtext|mspace|ms|mfrac|msqrt|mroot|mstyle|merror|mpadded|mphantom|msub|msup|msubsup|munder|"
    "mover|munderover|mmultiscripts|mprescripts|mtable|mtr|mtd"
)
_ATTRIBUTE: Final = re.compile(
    "accent|accentunder|columnalign|columnlines|columnspacing|display|displaystyle|fence|form|largeop|linethickness|"
    "lspace|mathsize|mathvariant|maxsize|minsize|movablelimits|rowlines|rowspacing|rspace|scriptlevel|separator|"
    "stretchy|symmetric|width"
)


def _math(formula: str, display: str, environment: Any) -> str:
    """A formula as MathML; nothing if it cannot be converted, or if there have been too many."""
    environment["formulas"] += 1
    if len(formula) > _MAX_FORMULA or environment["formulas"] > _MAX_FORMULAS:
        return ""
    from latex2mathml.converter import convert_to_element

    formula = re.sub(r"\\(begin|end)\{(aligned|split|eqnarray\*?|gathered)\}", r"\\\1{align*}", formula)
    try:
        return _serialised(convert_to_element(formula, display=display))
    except Exception:  # it raises errors of all kinds on what it does not know
        return ""


def _serialised(element: ElementTree.Element) -> str:
    """The element and its children, all of them of the parts above."""
    if not _TAG.fullmatch(element.tag):
        raise ValueError(element.tag)
    text = html.unescape(element.text or "")  # the library gives symbols as character references
    if element.tag in ("mi", "mo") and (text.startswith("\\") or text == "&"):
        raise ValueError(text)  # a command that it does not know
    attributes = {name: value for name, value in element.attrib.items() if _ATTRIBUTE.fullmatch(name)}
    words = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items())
    inside = html.escape(text) + "".join(map(_serialised, element))
    return f"<{element.tag}{words}>{inside}</{element.tag}>"

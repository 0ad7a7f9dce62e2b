"""The book's configuration: its pages are the notebooks as they are stored, brought together by make.py."""

import dataclasses
import inspect
import re
from typing import Any, Literal, get_args, get_origin

from docutils import nodes
from sphinx.ext.napoleon.docstring import NumpyDocstring

from book import assets, chapters, search
from plahelpers._format import cell_id

project = "Learning to answer yes or no"
author = "the contributors"
copyright = "© The contributors. Text and figures: CC BY 4.0; code: MIT"  # noqa: A001
language = "en"
extensions = ["myst_nb", "sphinx.ext.autodoc"]

nb_execution_mode = "off"  # the outputs are those stored in the notebooks
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
nb_ipywidgets_js: dict[str, Any] = {}  # there are no live widgets here, and nothing is to be loaded for them
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_dmath_double_inline = True
myst_heading_anchors = 3
myst_heading_slug_func = "docutils"  # as docutils names a section, so without its number
myst_mathjax_classes = "tex2jax_process|mathjax_process|math|output_area|text_html"  # also in what cells put out

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "exclude-members": "set_fit_request, set_predict_request, set_score_request",  # scikit-learn's own
}
default_role = "code"
add_module_names = False
toc_object_entries_show_parents = "hide"  # a class stands above its methods

mathjax_path = "tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}

html_theme = "furo"
html_title = project
html_static_path = ["static", "out/assets"]
html_css_files = ["fonts.css", "book.css"]
html_js_files = ["book.js"]
html_use_index = False  # the search finds every name
html_domain_indices = False
html_copy_source = False
html_show_sphinx = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
templates_path = ["templates"]
FACES = {
    "font-stack": '"Lecture Sans", system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif',
    "font-stack--monospace": '"Lecture Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
}
BRAND = ("color-brand-primary", "color-brand-content", "color-brand-visited", "color-api-name", "color-api-pre-name")
LIGHT = {
    "own-orange": "#d9730d",
    "own-purple": "#6a3d9a",
    "own-shade": "#0004",
    "own-picture": "none",
    "own-mark": "#ffe89a",
}
DARK = {
    "own-orange": "#f0a050",
    "own-purple": "#b79ae0",
    "own-shade": "#fff6",
    "own-picture": "invert(0.93) hue-rotate(180deg)",  # white figures would glare
    "own-mark": "#5c4a00",
}
html_theme_options = {
    "light_css_variables": FACES | dict.fromkeys(BRAND, "#0b5394") | LIGHT,
    "dark_css_variables": dict.fromkeys(BRAND, "#7db8ef") | DARK,
    "top_of_page_buttons": [],
}


# In a docstring: what stays as it is; then a call, w_t and w_{t+1}, R^d and R^(d+1), and a chapter.
MARKS = re.compile(
    r"`[^`]*`|^:[a-z]+ \w+:|^::\n(?:\n|    .*\n)+|^\w[\w, ]* : .*$"
    r"|(?P<call>\b[a-z]+_\w+\([^()]*\))"
    r"|(?<![A-Za-z0-9_])(?P<symbol>[wxyθ])_(?:(?P<index>[A-Za-z0-9])|\{(?P<indices>[^}]*)\})(?![A-Za-z0-9_])"
    r"|\^(?:(?P<power>[A-Za-z0-9])|\((?P<powers>[^)]*)\))"
    r"|\bchapter (?P<chapter>\d)\b(?:, \"(?P<title>[^\"]+)\")?",
    re.ASCII | re.MULTILINE,
)
CHAPTERS = {chapter.number: chapter for chapter in (chapters.read(path) for path in assets.notebooks())}


def setup(app: Any) -> None:
    app.connect("doctree-read", number_formulas)
    app.connect("build-finished", search.write)
    app.connect("autodoc-process-docstring", process_docstring)
    app.connect("autodoc-process-signature", hide_signature)
    app.connect("autodoc-skip-member", skip_field)


# --- The reference ---------------------------------------------------------------------------------------------------


def process_docstring(_app: Any, _what: str, _name: str, obj: Any, _options: Any, lines: list[str]) -> None:
    """Set what MARKS names, and leave the sections to napoleon.

    It is called here and not listed as an extension, which would take "T: the number of updates" under a property for
    a type and its description.
    """
    if isinstance(obj, type) and (dataclasses.is_dataclass(obj) or hasattr(obj, "_fields")):
        lines += fields(obj)
    code = re.sub(r"(?m)^(\S.*\n\n)(?=    )", r"\1::\n\n", "\n".join(lines) + "\n")
    text = MARKS.sub(set_mark, code).replace("\\ \n", "\n")
    lines[:] = NumpyDocstring(text).lines()


def set_mark(mark: re.Match[str]) -> str:
    """One mark as reStructuredText; an escaped blank separates, and is not shown."""
    if mark["call"]:
        return f"``{mark['call']}``"
    if mark["symbol"]:
        return rf"{mark['symbol']}\ :sub:`{mark['index'] or mark['indices']}`\ "
    if power := mark["power"] or mark["powers"]:
        return rf"\ :sup:`{power}`\ "
    if mark["chapter"]:
        chapter = CHAPTERS[mark["chapter"]]
        page, anchor = chapter.places[cell_id(mark["title"])] if mark["title"] else (chapter.name, "")
        return f"`{mark[0]} <../{page}.html{anchor and '#' + anchor}>`__"
    return mark[0]


def fields(cls: type) -> list[str]:
    """The public fields of a dataclass or a NamedTuple, with their types and the comments beside them."""
    pattern = r"(?m)^    ([a-zA-Z]\w*): ([^=#\n]+?)(?: = [^#\n]*?)?(?:  # (.*))?$"
    own = [
        each for each in reversed(cls.__mro__) if each.__module__.startswith("plahelpers.")
    ]  # a Run is a Problem, too
    rows = [
        row for each in own for row in re.findall(pattern, inspect.getsource(each)) if row[0] in each.__annotations__
    ]
    lines = [(f":ivar {name}: {comment}", f":vartype {name}: {choices(cls, kind)}") for name, kind, comment in rows]
    return ["", *(line for pair in lines for line in pair)]


def choices(cls: type, annotation: str) -> str:
    """A type as its annotation says it; of a Literal, the values to choose from."""
    alias = vars(inspect.getmodule(cls)).get(annotation)
    if get_origin(alias) is Literal:
        return " or ".join(map(repr, get_args(alias)))
    return re.sub(r"Literal\[(.*)\]", lambda literal: literal[1].replace(", ", " or "), annotation)


def skip_field(_app: Any, _what: str, _name: str, obj: Any, *_: Any) -> bool | None:
    """A field of a NamedTuple is listed with the others."""
    return True if str(getattr(obj, "__doc__", "")).startswith("Alias for field number") else None


def hide_signature(_app: Any, what: str, _name: str, obj: Any, _options: Any, signature: str, returns: str) -> Any:
    """A result is not for anyone to make: what it holds is listed below it, so its call says nothing."""
    result = what == "class" and (dataclasses.is_dataclass(obj) or issubclass(obj, Warning))
    if result or signature == "(*args, **kwargs)":
        return "", returns
    return signature and re.sub(r"array\(\[\], .*?dtype=\w+\)", "[]", signature), returns


# --- Formulas --------------------------------------------------------------------------------------------------------


def number_formulas(_app: Any, doctree: nodes.document) -> None:
    """Set the number of a formula beside it, where it takes no room from the formula."""
    for formula in doctree.findall(nodes.math_block):
        tex, tag, rest = formula.astext().partition(r"\tag{")
        if tag:
            number, _, rest = rest.partition("}")
            formula.children = [nodes.Text(tex + rest)]
            formula["number"] = number

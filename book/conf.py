"""The book's configuration: its pages are the notebooks as they are stored, brought together by make.py."""

import dataclasses
import inspect
import re
from typing import Any

from docutils import nodes
from sphinx.ext.napoleon.docstring import NumpyDocstring

from book import search
from plahelpers import _theme

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
html_css_files = ["fonts.css", "lecture.css", "book.css"]
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
LIGHT, DARK = ({f"own-{name}": both[mode] for name, both in _theme.LOOK.items()} for mode in (0, 1))
html_theme_options = {  # links are grey and underlined, because a colour means something in this lecture
    "light_css_variables": FACES | LIGHT | dict.fromkeys(BRAND, "#3b4754") | {"own-picture": "none"},
    "dark_css_variables": DARK | dict.fromkeys(BRAND, "#c3ccd6") | {"own-picture": "invert(0.93) hue-rotate(180deg)"},
    "top_of_page_buttons": [],
}


def setup(app: Any) -> None:
    app.connect("doctree-read", number_formulas)
    app.connect("build-finished", search.write)
    app.connect("autodoc-process-docstring", process_docstring)
    app.connect("autodoc-process-signature", hide_signature)
    app.connect("autodoc-skip-member", skip_field)


# --- The reference ---------------------------------------------------------------------------------------------------


def process_docstring(_app: Any, _what: str, _name: str, obj: Any, _options: Any, lines: list[str]) -> None:
    """Add what a result holds, set indented lines as code, and leave the sections to napoleon.

    It is called here and not listed as an extension, which would take "T: the number of updates" under a property for
    a type and its description.
    """
    if isinstance(obj, type) and (dataclasses.is_dataclass(obj) or hasattr(obj, "_fields")):
        lines += fields(obj)
    text = re.sub(r"(?m)^(\S.*\n\n)(?=    )", r"\1::\n\n", "\n".join(lines) + "\n")
    lines[:] = NumpyDocstring(text).lines()


def fields(cls: type) -> list[str]:
    """The public fields of a dataclass or a NamedTuple, with their types and the comments beside them."""
    pattern = r"(?m)^    ([a-zA-Z]\w*): ([^=#\n]+?)(?: = [^#\n]*?)?(?:  # (.*))?$"
    own = [base for base in reversed(cls.__mro__) if base.__module__.startswith("plahelpers.")]  # a Run is a Problem
    found = [(base, row) for base in own for row in re.findall(pattern, inspect.getsource(base))]
    rows = [row for base, row in found if row[0] in base.__annotations__]
    lines = [(f":ivar {name}: {comment}", f":vartype {name}: {kind}") for name, kind, comment in rows]
    return ["", *(line for pair in lines for line in pair)]


def skip_field(_app: Any, _what: str, _name: str, obj: Any, *_: Any) -> bool | None:
    """A field of a NamedTuple is listed with the others."""
    return True if str(getattr(obj, "__doc__", "")).startswith("Alias for field number") else None


def hide_signature(_app: Any, what: str, _name: str, obj: Any, _options: Any, signature: str, returns: str) -> Any:
    """A result is not for anyone to make: what it holds is listed below it, so its call says nothing."""
    is_result = what == "class" and (dataclasses.is_dataclass(obj) or issubclass(obj, Warning))
    return ("", returns) if is_result or signature == "(*args, **kwargs)" else None


# --- Formulas --------------------------------------------------------------------------------------------------------


def number_formulas(_app: Any, doctree: nodes.document) -> None:
    """Set the number of a formula beside it, where it takes no room from the formula."""
    for formula in doctree.findall(nodes.math_block):
        tex, tag, rest = formula.astext().partition(r"\tag{")
        if tag:
            number, _, rest = rest.partition("}")
            formula.children = [nodes.Text(tex + rest)]
            formula["number"] = number

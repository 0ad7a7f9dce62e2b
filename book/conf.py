"""The book's configuration: its pages are the notebooks as they are stored, brought together by make.py."""

import hashlib
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes

sys.path.insert(0, str(Path(__file__).resolve().parent))

project = "Learning to answer yes or no"
author = "the contributors"
copyright = "the contributors. Text and figures: CC BY 4.0; code: MIT"  # noqa: A001
language = "en"
extensions = ["myst_nb", "sphinx.ext.autodoc", "reference"]

nb_execution_mode = "off"  # the outputs are those stored in the notebooks
nb_ipywidgets_js: dict[str, Any] = {}  # there are no live widgets here, and nothing is to be loaded for them
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_dmath_double_inline = True
myst_heading_anchors = 3
myst_mathjax_classes = "tex2jax_process|mathjax_process|math|output_area|text_html"  # also in what cells put out

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
add_module_names = False
toc_object_entries_show_parents = "hide"  # a class stands above its methods

mathjax_path = "tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}

html_theme = "sphinx_book_theme"
html_title = project
html_static_path = ["static", "out/assets"]
html_css_files = ["fonts.css", "book.css"]
html_js_files = ["book.js"]
html_use_index = False  # the search finds every name
html_domain_indices = False
html_show_sphinx = False
html_context = {"default_mode": "auto"}  # light or dark, as the system says
html_theme_options = {
    "use_download_button": True,
    "use_fullscreen_button": False,
    "show_toc_level": 2,
    "home_page_in_toc": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "footer_content_items": ["copyright.html"],
    "search_bar_text": "Search the book",
}


def setup(app: Any) -> None:
    app.connect("doctree-read", give_pictures_their_words)


def give_pictures_their_words(app: Any, doctree: nodes.document) -> None:
    """Put a picture's alternative text, stored beside it in the notebook, where a page has it."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix == ".ipynb":
        words = words_of_pictures(nbformat.read(path, as_version=4))
        for image in doctree.findall(nodes.image):
            image["alt"] = words.get(Path(image["uri"]).stem, image.get("alt", ""))


def words_of_pictures(notebook: Any) -> dict[str, str]:
    """Alternative texts by the hash of the picture, after which myst-nb names its file."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    return {
        hashlib.sha256(b64decode(it.data["image/png"])).hexdigest(): it.metadata["image/png"]["alt"] for it in pictures
    }

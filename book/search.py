"""What the search of the book looks through: every section, with its text and the names that the glossary gives it.

It is written as a script, which a page can load from a folder too; static/search.js searches it.
"""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes

# Formulas as a line of text can show them.
SIGNS: Final = {
    "top": "ᵀ", "le": "≤", "ge": "≥", "ne": "≠", "neq": "≠", "|": "‖", "lVert": "‖", "rVert": "‖", "cdot": "·",
    "sum": "Σ", "dots": "…", "to": "→", "in": "∈", "sqrt": "√", "times": "×", "pm": "±", "eta": "η", "rho": "ρ",
    "theta": "θ", "alpha": "α", "beta": "β", "gamma": "γ", "sigma": "σ", "Delta": "Δ", "leftarrow": "←", "infty": "∞",
    "qquad": " ", "quad": " ", ",": "", ";": " ", "!": "", " ": " ", "{": "{", "}": "}", "\\": " ",
}  # fmt: skip


def write(app: Any, exception: Exception | None) -> None:
    """Write the index beside the pages, once they are built."""
    if exception is None and app.builder.name == "html":
        entries = json.dumps(list(index(app.env)), ensure_ascii=False)
        Path(app.outdir, "_static", "search-index.js").write_text(f"window.searchIndex = {entries};\n", "utf-8")


def index(env: Any) -> Iterator[dict[str, Any]]:
    """An entry for each section, and each name of the package: where it is, what it is called, its text, its names."""
    names = glossary(env.get_doctree("glossary"))
    for page in sorted(env.found_docs):
        for part in env.get_doctree(page).findall(lambda node: isinstance(node, nodes.section | addnodes.desc)):
            title = part.next_node(nodes.title if isinstance(part, nodes.section) else addnodes.desc_signature)
            place = f"{page}.html#{(part.get('ids') or title['ids'] or [''])[-1]}"
            yield {
                "place": place,
                "page": env.titles[page].astext(),
                "title": title.get("fullname") or as_text(title).strip(),
                "text": " ".join(as_text(*part.children[1:]).split()),
                "names": names.get(place, ""),
            }


def glossary(tree: Any) -> dict[str, str]:
    """For each section that the glossary leads to, the terms that it introduces, with what they mean."""
    names: dict[str, str] = {}
    for item in tree.findall(nodes.definition_list_item):
        for link in item.findall(addnodes.pending_xref):
            place = f"{link['reftarget']}.html#{link['reftargetid']}"
            meaning = " ".join(as_text(item).replace(link.astext(), "").split())
            names[place] = " · ".join(filter(None, [names.get(place), meaning]))
    return names


def as_text(*parts: Any) -> str:
    """What a reader sees of these parts of a page; sections and names inside them have entries of their own."""
    texts = []
    for part in parts:
        if isinstance(part, nodes.section | addnodes.desc | addnodes.index):
            continue
        if isinstance(part, nodes.math | nodes.math_block):
            texts.append(formula(part.astext()))
        elif isinstance(part, nodes.raw):
            texts.append(re.sub(r"\\\((.*?)\\\)", lambda math: formula(math[1]), without_tags(part.astext())))
        elif isinstance(part, nodes.Text):
            texts.append(part)
        elif "cell_input" not in part["classes"]:  # code is not looked through
            texts.append(as_text(*part.children) + " " * (not isinstance(part, nodes.Inline)))
    return html.unescape("".join(texts))


def without_tags(page: str) -> str:
    return re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", " ", page)


def formula(tex: str) -> str:
    """A formula as a line of text can show it."""
    tex = re.sub(r"\\(?:begin|end)\{[^}]*\}|\\(?:text|mathrm|operatorname|mathbb|tag|[dt]?frac)\b|&", "", tex)
    tex = tex.replace("^2", "²")
    tex = re.sub(r"\\([a-zA-Z]+|.)", lambda command: SIGNS.get(command[1], command[1]), tex)
    return re.sub(r"[{}^]", "", tex)

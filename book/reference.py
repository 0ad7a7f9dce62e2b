"""The package's docstrings, which are plain text, as reStructuredText for the reference; and what else it needs.

A docstring here is written to be read in a terminal: `code` between single backquotes, code blocks indented by four,
and arguments as lines such as

    eta           the step size η.

each with the rest of its words, if there are more, indented below.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import tokenize
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final, Literal, get_args, get_origin

import plahelpers

MODULES: Final = tuple(
    name for name in dir(plahelpers) if inspect.ismodule(getattr(plahelpers, name)) and not name.startswith("_")
)
_ARGUMENT: Final = re.compile(r"(\w+(?:, \w+)*) {2,}(\S.*)")
# In words: names of Python, with what they are called with; w_t, w_{t+1} and xₙ; R^d and R^(d+1); and other signs.
_WORDS: Final = re.compile(
    r"(?<![A-Za-z0-9_])[wxyθ]_(?P<index>[A-Za-z0-9]|\{[^}]*\})(?![A-Za-z0-9_(=])|(?P<below>[₀-₉ₙₜ]+)"
    r"|\^(?P<power>[A-Za-z0-9]|\([^)]*\))"
    r"|(?<![A-Za-z0-9_.*])(?P<name>[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]*(?:\([^()]*\))?)"
    r"|(?P<sign>[\\|]|_\b)"
)
_BELOW: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₙₜ", "0123456789nt")


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", _process_docstring)
    app.connect("autodoc-process-signature", _process_signature)
    app.connect("autodoc-skip-member", _skip_member)
    return {"parallel_read_safe": True}


def _process_docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:  # noqa: ARG001
    lines[:] = [linked(line, app.env.found_docs) for line in as_rst(lines)]
    if isinstance(thing, type) and dataclasses.is_dataclass(thing):
        for field, kind, about in fields(thing):
            lines += [f":ivar {field}: {about}", f":vartype {field}: {kind}"]


def _skip_member(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:  # noqa: ARG001
    """Leave out what scikit-learn adds to every estimator to pass metadata on."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def _process_signature(
    app: Any,  # noqa: ARG001
    what: str,
    name: str,  # noqa: ARG001
    thing: Any,
    options: Any,  # noqa: ARG001
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """A result is not for anyone to make: what it holds is listed below it, so its call says nothing.

    Nor does a call that takes whatever it is given.
    """
    result = what == "class" and (dataclasses.is_dataclass(thing) or issubclass(thing, Warning))
    hidden = result or signature == "(*args, **kwargs)"
    plain = signature and re.sub(r"array\(\[\], .*?dtype=\w+\)", "[]", signature)  # an array of nothing
    return ("" if hidden else plain), returns


# --- Pages ---------------------------------------------------------------------------------------------------------


def room_page(room: str) -> str:
    return f"# {room}\n\n```{{eval-rst}}\n.. automodule:: plahelpers.{room}\n```\n"


def list_of_rooms() -> str:
    """A table of the rooms with what each says of itself, and their place in the book."""
    rows = [f"| [{room}]({room}.md) | {about(room)} |" for room in MODULES]
    table = "\n".join(["| room | what lives there |", "|---|---|", *rows])
    return f"{table}\n\n```{{toctree}}\n:hidden:\n\n" + "\n".join(MODULES) + "\n```\n"


def about(room: str) -> str:
    """The first sentence of a room's docstring."""
    return (import_module(f"plahelpers.{room}").__doc__ or "").splitlines()[0]


# --- From plain text -----------------------------------------------------------------------------------------------


def as_rst(lines: list[str]) -> list[str]:
    """A docstring's paragraphs, each as what it is: code, arguments, a table, or words."""
    return [line for paragraph in paragraphs(lines) for line in [*_paragraph(paragraph), ""]]


def paragraphs(lines: list[str]) -> Iterator[list[str]]:
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []


def _paragraph(lines: list[str]) -> list[str]:
    if all(line.startswith("    ") for line in lines):
        return ["::", "", *lines]
    if _ARGUMENT.fullmatch(lines[0]):
        return _arguments(lines)
    if all(line.startswith("|") for line in lines):
        return _table(lines)
    return [inline(line) for line in lines]


def _arguments(lines: list[str]) -> list[str]:
    """A field for each argument; what is indented goes on with the one before."""
    fields: list[str] = []
    for line in lines:
        found = _ARGUMENT.fullmatch(line)
        if found and not line.startswith(" "):
            fields.append(f":param {found[1]}: {inline(found[2])}")
        elif line.startswith(" "):
            fields[-1] += " " + inline(line.strip())
        else:
            fields += ["", inline(line)]  # words that stand right under the arguments
    return fields


def _table(lines: list[str]) -> list[str]:
    """A table with upright strokes between its cells; the row of dashes below its head says nothing more."""
    rows = [[inline(cell.strip()) for cell in line.strip("| ").split("|")] for line in lines if set(line) - set("|-: ")]
    table = [".. list-table::", "   :header-rows: 1", ""]
    for first, *others in rows:
        table += [f"   * - {first}", *(f"     - {cell}" for cell in others)]
    return table


def inline(text: str) -> str:
    """Code and indices as reStructuredText writes them; else nothing means more than it says, but *emphasis*."""
    parts = re.split(r"`([^`]*)`", text)
    parts[::2] = [_WORDS.sub(_set, part) for part in parts[::2]]
    parts[1::2] = [f"``{part}``" for part in parts[1::2]]
    return "".join(parts)


def _set(found: re.Match[str]) -> str:
    """One piece of a sentence as it is set; an escaped blank ends a mark, and is not shown."""
    if index := found["index"]:
        return rf"{found[0][0]}\ :sub:`{index.strip('{}')}`\ "
    if below := found["below"]:
        return rf"\ :sub:`{below.translate(_BELOW)}`\ "
    if power := found["power"]:
        return rf"\ :sup:`{power.strip('()')}`\ "
    return rf"\ ``{found['name']}``\ " if found["name"] else rf"\{found['sign']}"


def linked(line: str, documents: set[str]) -> str:
    """The same with "notebook 02" as a link to it."""
    chapters = {name[:2]: name for name in documents if re.match(r"\d\d_", name)}

    def link(found: re.Match[str]) -> str:
        return f":doc:`{found[0]} </{chapters[found[1]]}>`" if found[1] in chapters else found[0]

    return re.sub(r"\bnotebook (\d\d)\b", link, line)


# --- What a result holds ---------------------------------------------------------------------------------------------


def fields(result: type) -> Iterator[tuple[str, str, str]]:
    """The public fields of a dataclass, the type of each, and what the comment beside it says."""
    source = inspect.getsource(result).splitlines(keepends=True)
    comments: dict[int, str] = {}
    starts: dict[str, int] = {}
    for token in tokenize.generate_tokens(iter(source).__next__):
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.string.lstrip("# ")
        elif token.type == tokenize.NAME and token.start[1] == 4:
            starts.setdefault(token.string, token.start[0])
    for field in dataclasses.fields(result):
        if not field.name.startswith("_") and field.name in starts:
            kind = _kind(str(field.type), vars(import_module(result.__module__)))
            yield field.name, kind, inline(comments.get(starts[field.name], ""))


def _kind(annotation: str, names: dict[str, Any]) -> str:
    """A type as its annotation says it; of a choice, what there is to choose from."""
    if written := re.fullmatch(r"Literal\[(.*)\]", annotation):
        return written[1].replace(", ", " or ")
    found = names.get(annotation)
    return " or ".join(map(repr, get_args(found))) if get_origin(found) is Literal else annotation

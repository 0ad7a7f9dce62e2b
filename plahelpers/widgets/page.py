"""What all widgets share: one script for JupyterLab and for pages without Python, the texts, and a table for neither.

The page computes and draws (js/); Python sends a *specification*: data, and facts that the page cannot work out. In a
live notebook a widget is an anywidget, whose `state` follows what the user does. Everywhere else it is a piece of
HTML that holds the specification, the script, and a table that is read where scripts are switched off.
"""

from __future__ import annotations

import html
import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias

import anywidget
import traitlets

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, IntArray, check_data
from plahelpers.datasets import running_example

Spec: TypeAlias = dict[str, Any]  # what a widget is sent, as JSON

# The modules of the front end that all kinds of widgets share, and those of each; none imports from a later one.
_SHARED: Final = ("model", "words", "drawing", "stage")
_OWN: Final = {
    "player": ("motion", "walk", "ghost", "player"),
    "stepper": ("motion", "walk", "stepper"),
    "proof": ("proof",),
}
_EXPLORER: Final = ("explorers",)


@cache
def texts() -> dict[str, dict[str, Any]]:
    """What the widgets say in the page: tables of texts by id."""
    return tomllib.loads((resources.files("plahelpers.widgets") / "words.toml").read_text(encoding="utf-8"))


@cache
def style(kind: str) -> str:
    """The style sheet that all kinds share, and that of a kind with one of its own, without indents."""
    sheets = [resources.files("plahelpers.widgets") / f"{name}.css" for name in ("stage", kind)]
    text = "".join(sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.is_file())
    return "\n".join(line.strip() for line in text.splitlines())


@cache
def script(kind: str) -> str:
    """The front end of a kind of widgets as one module: its files joined, without imports, comments and indents."""
    folder = resources.files("plahelpers.widgets") / "js"
    modules = (*_SHARED, *_OWN.get(kind, _EXPLORER), "main")
    text = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in modules)
    code = [line for line in _format.code_lines(text) if not line.startswith("import ")]
    return re.sub(r"(?m)^export (?!default)", "", "\n".join(code))


def specification(kind: str, tables: Sequence[str], **data: Any) -> Spec:
    """What the page is sent: a widget's kind, its data, and the texts and the look that it has."""
    merged = {name: text for table in ("common", *tables) for name, text in texts()[table].items()}
    return {"kind": kind, **data, "text": merged, "look": _theme.LOOK, "style": style(kind)}


def points_of(X: FloatArray, y: IntArray) -> Spec:
    """Points and labels as JSON keeps them, to the last bit."""
    return {"X": X.tolist(), "y": y.tolist()}


def check_examples(X: Any, y: Any, name: str, most: int) -> tuple[FloatArray, IntArray]:
    """The examples that a widget is to show: so many at most, in the plane; the running example if none are given."""
    if X is None and y is None:
        X, y = running_example()
    if X is None or y is None:
        raise TypeError("give both X and y, or neither for the running example.")
    points, labels = check_data(X, y)
    if points.shape[1] != 2:
        raise ValueError(f"{name} draws in the plane, d = 2; X has {points.shape[1]} columns. Give two: X[:, [0, 1]].")
    if len(points) > most:
        raise ValueError(f"X has {len(points):,} examples; {name} takes {most:,} at most. Give X[:{most}].")
    return points, labels


def classes(y: IntArray) -> str:
    """20 points, 7 of them + (●) and 13 − (×)."""
    plus = int((y == 1).sum())
    return f"{_format.count(len(y), 'point')}, {plus:,} of them + (●) and {len(y) - plus:,} − (×)"


def as_page(spec: Spec, table: str) -> str:
    """A widget for a page without Python, with a table in it for where scripts are taken out."""
    data = json.dumps(spec, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="pla-stage">{table}<script type="application/json">{data}</script></div>'
        f'<script type="module">{script(spec["kind"])}</script>'
    )


def as_table(sentence: str, head: Iterable[object], rows: Sequence[Sequence[object]], after: str = "") -> str:
    """A sentence, a table below it, and perhaps a sentence more."""
    cells = "".join(f"<th>{html.escape(str(name))}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
    return f"<p>{html.escape(sentence)}</p>{table}" + (f"<p>{html.escape(after)}</p>" if after else "")


class Widget(anywidget.AnyWidget):
    """Something to touch. `state` is what the user has made of it: the page sets it, and Python reads it."""

    spec = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, spec: Spec, start: Spec, sentence: str, table: str = "") -> None:
        super().__init__(spec=spec)
        self.set_trait("state", start)
        self._page = as_page({**spec, "start": start}, table or as_table(sentence, [], []))
        self._sentence = sentence

    def __repr__(self) -> str:
        return self._sentence

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The live widget; the page that works alone; and a sentence."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": self._page, "text/plain": self._sentence}, metadata

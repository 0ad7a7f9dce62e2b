"""What all widgets share: one script for JupyterLab and for pages without Python, and the texts.

The page computes and draws (js/); Python sends a *specification*: data, and facts that the page cannot work out. A
widget is a piece of HTML that holds the specification, the script, and a sentence that is read where no script runs.
"""

import html
import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias

import numpy as np

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
_DECIMALS: Final = 9  # of a number that is computed, so that it is the same on every processor; no picture shows more


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


def rounded(numbers: Any) -> Any:
    """Computed numbers as JSON keeps them."""
    return np.round(numbers, _DECIMALS).tolist()


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


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """A widget that works alone in a page; in a terminal, and where no script runs, it is a sentence."""

    spec: Spec
    sentence: str

    def _repr_html_(self) -> str:
        data = json.dumps(self.spec, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return (
            f'<div class="pla-stage"><p>{html.escape(self.sentence)}</p>'
            f'<script type="application/json">{data}</script></div>'
            f'<script type="module">{script(self.spec["kind"])}</script>'
        )

    def __repr__(self) -> str:
        return self.sentence

"""Numbers, vectors and counts in words, as a lecturer would read them aloud."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

import numpy as np

from plahelpers._validation import FloatArray

# A longer vector than this is shown by its first entries.
_MOST_ENTRIES = 8


def number(value: float) -> str:
    """A number with two decimals at most, or three digits where two decimals would say nothing."""
    if value == 0 or 0.1 <= abs(value) < 1e6:
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{value:.3g}"


def vector(w: FloatArray) -> str:
    """w as (-4, 3.72, -0.66): two decimals for all of it, unless all of it is small or some of it is large."""
    largest = float(np.max(np.abs(w), initial=0.0))
    if largest == 0 or 0.1 <= largest < 1e6:
        entries = [f"{value:.2f}".rstrip("0").rstrip(".") for value in w[:_MOST_ENTRIES]]
        entries = ["0" if entry == "-0" else entry for entry in entries]
    else:
        entries = [f"{value:.3g}" for value in w[:_MOST_ENTRIES]]
    more = ["…"] if len(w) > _MOST_ENTRIES else []
    return f"({', '.join(entries + more)})"


def count(n: int, noun: str) -> str:
    """1 update, 2 updates, no mistakes."""
    return f"{'no' if n == 0 else f'{n:,}'} {noun}{'' if n == 1 else 's'}"


def listing(items: Sequence[object], shown: int = 8) -> str:
    """0, 2, 9 and 3 more."""
    rest = len(items) - shown
    text = ", ".join(str(item) for item in items[:shown])
    return f"{text} and {rest} more" if rest > 0 else text


@cache
def messages(package: str, name: str, language: str = "en") -> dict[str, str]:
    """The texts of a package's file <language>/<name>.toml, each under its id "table.key"."""
    text = resources.files(package).joinpath(language, f"{name}.toml").read_text(encoding="utf-8")
    return {f"{table}.{key}": value for table, entries in tomllib.loads(text).items() for key, value in entries.items()}

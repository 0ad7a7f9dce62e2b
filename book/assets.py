"""What book and slides load from beside them, and never from a network: MathJax, fonts, and their style sheet."""

from __future__ import annotations

from importlib import metadata, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
FACES: Final = ("regular", "italic", "semibold", "semibolditalic")


def mathjax() -> Path:
    """MathJax in one file, its glyphs drawn as SVG. (It is in a folder whose name cannot be imported.)"""
    files = metadata.files("sphinx-mathjax-offline") or []
    return Path(str(next(file for file in files if file.name == "tex-svg.js").locate()))


def fonts() -> list[Traversable]:
    """A text face that reveal.js brings along, a typewriter face of matplotlib's, and the sheet that names them."""
    sans = resources.files("sphinx_revealjs") / "_static/revealjs/dist/theme/fonts/source-sans-pro"
    mono = resources.files("matplotlib") / "mpl-data/fonts/ttf"
    return [*(sans / f"source-sans-pro-{face}.woff" for face in FACES), mono / "DejaVuSansMono.ttf", HERE / "fonts.css"]


def copy(files: list[Traversable], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        (folder / file.name).write_bytes(file.read_bytes())

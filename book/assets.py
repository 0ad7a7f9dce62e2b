"""What book and slides are made from: the notebooks, and MathJax, fonts and a style sheet from installed packages."""

import sys
from collections.abc import Mapping, Sequence
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
NOTEBOOKS: Final = HERE.parent / "notebooks"
FACES: Final = ("regular", "italic", "semibold", "semibolditalic")


def notebooks(beginnings: Sequence[str] = (), folder: Path = NOTEBOOKS) -> list[Path]:
    """The notebooks whose names begin with one of these, or all; if there are none, end with a list of all."""
    paths = sorted(folder.glob("[0-9]*.ipynb"))
    chosen = [path for path in paths if path.name.startswith(tuple(beginnings) or "")]
    if not chosen:
        names = "\n  ".join(path.name for path in paths)
        print(f"No notebook's name begins with {' or '.join(beginnings)}; there are:\n  {names}")
        sys.exit(2)
    return chosen


def mathjax() -> Path:
    """MathJax in one file, its glyphs drawn as SVG. (It is in a folder whose name cannot be imported.)"""
    files = metadata.files("sphinx-mathjax-offline") or []
    return Path(str(next(file for file in files if file.name == "tex-svg.js").locate()))


def fonts() -> list[Traversable]:
    """A text face that reveal.js brings along, MathJax's italic, a typewriter face of matplotlib's; and their sheet."""
    sans = resources.files("sphinx_revealjs") / "_static/revealjs/dist/theme/fonts/source-sans-pro"
    mono = resources.files("matplotlib") / "mpl-data/fonts/ttf"
    maths = mathjax().parent / "output/chtml/fonts/woff-v2/MathJax_Math-Italic.woff"
    texts = [sans / f"source-sans-pro-{face}.woff" for face in FACES]
    return [*texts, maths, mono / "DejaVuSansMono.ttf", HERE / "fonts.css"]


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write these files, by their paths in the folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

"""How a notebook shows a figure: twice as sharp as its size on the page, with its words and where to cut it.

IPython stores what is here as the metadata of the PNG:
    alt             the figure in words
    width, height   how large it is shown, in pixels of a page; the PNG has twice as many
    columns         for panels side by side: where a narrow page may cut the picture, as parts of its width
"""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, Final

import numpy as np
from matplotlib import get_backend, pyplot, rcParams
from matplotlib.figure import Figure
from PIL import Image

from plahelpers._validation import FloatArray

SHARPNESS: Final = 2  # pixels that are stored for each that is shown: a phone has two or three


def teach_ipython(words: Callable[[Figure], str]) -> None:
    """Have IPython store figures that have words in this way. Outside IPython there is nothing to do."""
    # Asked each time a text is given, since the notebook's backend registers its own printer when it first wakes.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["image/png"]
    printer = formatter.type_printers.get(Figure)
    if printer is not None and not isinstance(printer, _Printer):
        formatter.for_type(Figure, _Printer(printer, words))
        if "inline" in get_backend():
            # After each cell pyplot draws all figures, for a window that this backend does not have, and the backend
            # draws them again for the page. With another backend pyplot comes back to its habit.
            pyplot.uninstall_repl_displayhook()


class _Printer:
    """Stores a figure of ours as is said above, and any other as IPython's own printer does."""

    def __init__(self, printer: Callable[[Figure], Any], words: Callable[[Figure], str]) -> None:
        self.printer, self.words = printer, words

    def __call__(self, figure: Figure) -> Any:
        alt = self.words(figure)
        if not alt:
            return self.printer(figure)
        png, columns = drawn(figure)
        width, height = Image.open(BytesIO(png)).size
        metadata = {"alt": alt, "width": width // SHARPNESS, "height": height // SHARPNESS}
        return b64encode(png).decode(), {**metadata, **({"columns": columns} if columns else {})}


def drawn(figure: Figure) -> tuple[bytes, list[float]]:
    """A PNG of all of the figure, with as much white around it as matplotlib leaves, and where it may be cut."""
    dpi, buffer = figure.dpi, BytesIO()
    quickly = {"compress_level": 1}  # nobody shall wait; `run.py refresh` packs what it stores
    options: dict[str, Any] = {"bbox_inches": "tight", "metadata": {"Software": None}, "pil_kwargs": quickly}
    figure.dpi = SHARPNESS * dpi
    try:
        figure.savefig(buffer, format="png", dpi=figure.dpi, **options)
        return buffer.getvalue(), cuts(figure, Image.open(buffer))
    finally:
        figure.dpi = dpi


def cuts(figure: Figure, image: Image.Image) -> list[float]:
    """Where a picture may be cut between two panels: they stand in one row, and nothing at all is drawn there."""
    if not is_row(figure):
        return []  # a grid of panels is read row by row, and its columns below one another would be another order
    pixels = np.asarray(image.convert("RGB"))
    empty = (pixels == pixels[0, 0]).all(axis=(0, 2))
    places = [np.rint(gap * len(empty)).astype(int) for gap in gaps(figure)]
    return [round(float(gap.mean()) / len(empty), 4) for gap in places if empty[slice(*gap)].all()]


def is_row(figure: Figure) -> bool:
    """Whether there are several panels, all in one row."""
    grids = [ax.get_gridspec() for ax in figure.axes]
    return len(grids) > 1 and all(grid is None or grid.nrows == 1 for grid in grids)


def gaps(figure: Figure) -> Iterator[FloatArray]:
    """The middle half of each space between two panels with their labels and legends, as parts of the width.

    There is none if something belongs to all panels, unless it stands above the first, as a title on the left does.
    """
    # Sorted each for itself: there is a gap after k panels where the k-th end comes before the next start.
    spans = np.sort([span(ax) for ax in figure.axes if ax.get_visible()], axis=0)
    others = [span(artist) for artist in {*figure.get_children()} - {figure.patch, *figure.axes}]
    picture = figure.get_tightbbox().padded(rcParams["savefig.pad_inches"])
    for left, right in zip(spans[:-1, 1], spans[1:, 0], strict=True):
        if left < right and all(end < spans[0, 1] for _, end in others):
            yield (np.array([3 * left + right, left + 3 * right]) / 4 - picture.x0) / picture.width


def span(artist: Any) -> tuple[float, float]:
    """From where to where an artist reaches across the figure, in inches."""
    box = artist.get_tightbbox()
    return box.x0 / artist.figure.dpi, box.x1 / artist.figure.dpi

"""How a notebook shows a figure: twice as sharp as its size on the page, and with its words.

IPython stores what is here as the metadata of the PNG:
    alt             the figure in words
    width, height   how large it is shown, in pixels of a page; the PNG has twice as many
"""

import sys
from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from typing import Any, Final

from matplotlib import get_backend, pyplot
from matplotlib.figure import Figure
from PIL import Image

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
        png = drawn(figure)
        width, height = Image.open(BytesIO(png)).size
        return b64encode(png).decode(), {"alt": alt, "width": width // SHARPNESS, "height": height // SHARPNESS}


def drawn(figure: Figure) -> bytes:
    """A PNG of all of the figure, with as much white around it as matplotlib leaves."""
    dpi, buffer = figure.dpi, BytesIO()
    quickly = {"compress_level": 1}  # nobody shall wait; `run.py refresh` packs what it stores
    options: dict[str, Any] = {"bbox_inches": "tight", "metadata": {"Software": None}, "pil_kwargs": quickly}
    figure.dpi = SHARPNESS * dpi
    try:
        figure.savefig(buffer, format="png", dpi=figure.dpi, **options)
    finally:
        figure.dpi = dpi
    return buffer.getvalue()

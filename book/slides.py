"""Turn the notebooks' slideshow metadata into reveal.js decks that need no server and no network.

    python3 run.py slides               all decks, into book/out/slides
    python3 run.py slides 02 04         those of the notebooks whose names begin so
    python3 run.py slides --check 02    also walk through it in Chromium: which slides overflow; a picture of each slide

A cell that is a `slide` begins one; a `subslide` begins one of a part marked *Further*, below: the arrow down leads
there, the arrow right passes it. A `fragment` appears on the next key; a cell without a type goes on with what is
there; `skip` is for readers; `notes` are the speaker's, under a line that says which minutes they are for. Of a cell
with the tag `hide-input` only the outputs are shown.
"""

# nbconvert's SlidesExporter was tried: it cannot set a figure beside other cells' text, and it drops alternative texts.

from __future__ import annotations

import argparse
import html
import io
import re
import sys
from base64 import b64decode
from dataclasses import dataclass, field
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import assets
import jinja2
import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

HERE: Final = Path(__file__).resolve().parent
OUT: Final = HERE / "out" / "slides"
WIDTH, HEIGHT = 1280, 720  # 16:9
NARROW_CODE: Final = 47  # characters a line: such code has room beside a figure
WIDE: Final = 1.75  # a figure wider than this, by its height, has the whole width


# --- What a slide is -----------------------------------------------------------------------------------------------


@dataclass
class Block:
    """A piece of a slide: text, code, a figure, or another output of a cell."""

    kind: str  # "text", "code", "figure", "player", "quiz" or "output"
    html: str
    step: int  # 0 is there from the start, 1 comes with the first key, ...
    lines: tuple[str, ...] = ()
    aspect: float = 0  # width by height of a figure


@dataclass
class Slide:
    """One frame: its heading, its blocks, its notes, and the minutes it takes."""

    level: int  # 1 is of the core, 2 of a part marked Further, below it
    cell: str
    minutes: float
    heading: str = ""
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    steps: int = 0

    @property
    def beside(self) -> bool:
        """Does its one figure, not too wide a one, get the right half, and text and code the left?"""
        kinds = [block.kind for block in self.blocks]
        code = [line for block in self.blocks for line in block.lines]
        wide = any(block.aspect > WIDE or block.kind in ("player", "quiz") for block in self.blocks)
        if wide or kinds.count("figure") != 1:
            return False
        return max(map(len, code), default=0) <= NARROW_CODE and ("text" in kinds or "output" in kinds or len(code) > 2)

    @property
    def heading_text(self) -> str:
        """The HTML between the tags of the heading."""
        return self.heading.partition(">")[2].rpartition("</")[0]


def slides_of(notebook: Any) -> list[Slide]:
    """Read a notebook as a lecture."""
    slides: list[Slide] = []
    for cell in notebook.cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type", "-")
        if kind in ("slide", "subslide"):
            minutes = cell.metadata.get("lecture", {}).get("minutes", 0)
            slides.append(Slide(1 if kind == "slide" else 2, cell.id, minutes))
        elif kind == "skip":
            continue
        elif not slides:
            raise ValueError(f"the cell {cell.id!r} is on no slide: the first cell has to be of the type 'slide'.")
        slide = slides[-1]
        if kind == "notes":
            slide.notes.append(markdown(cell.source) if cell.cell_type == "markdown" else python(cell.source))
            continue
        slide.steps += kind == "fragment"
        if cell.cell_type == "markdown":
            add_text(slide, cell.source)
        else:
            add_code(slide, cell)
    return slides


def add_text(slide: Slide, source: str) -> None:
    """Add Markdown; a heading that it begins with is the slide's."""
    first, _, rest = source.partition("\n")
    if first.startswith("#") and not slide.blocks and not slide.heading:
        slide.heading, source = markdown(first), rest
    if source.strip():
        slide.blocks.append(Block("text", markdown(source), slide.steps))


def add_code(slide: Slide, cell: Any) -> None:
    """Add a cell's code, unless it is hidden, and its outputs; the call of a question or a player tells nothing."""
    outputs = [output_block(output, slide.steps) for output in cell.outputs]
    hidden = "hide-input" in cell.metadata.get("tags", [])
    if not hidden and not any(block.kind in ("quiz", "player") for block in outputs):
        slide.blocks.append(Block("code", python(cell.source), slide.steps, lines=tuple(cell.source.splitlines())))
    slide.blocks.extend(outputs)


def output_block(output: Any, step: int) -> Block:
    """An output as an audience takes it in: a figure, a player, a question, or else a result as text."""
    data = output.get("data", {})
    page = data.get("text/html", "")
    if png := data.get("image/png"):
        width, height = Image.open(io.BytesIO(b64decode(png))).size
        alt = html.escape(output.metadata["image/png"]["alt"], quote=True)
        image = f'<img alt="{alt}" src="data:image/png;base64,{png.strip()}">'
        return Block("figure", image, step, aspect=width / height)
    if "pla-stage" in page:
        return Block("player", page, step)
    if "plahelpers-quiz" in page:
        return Block("quiz", join_punctuation(page), step)
    return Block("output", f"<pre>{html.escape(data.get('text/plain') or output['text']).rstrip()}</pre>", step)


def python(source: str) -> str:
    """Code in colours; the two empty lines around a function are one here."""
    return str(highlight(source.replace("\n\n\n", "\n\n"), PythonLexer(), HtmlFormatter(nowrap=False, cssclass="code")))


def markdown(source: str) -> str:
    """Markdown as HTML, its mathematics for MathJax, a link to a notebook as one to its deck."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reader.use(dollarmath_plugin, double_inline=True, renderer=mathematics)
    return join_punctuation(str(reader.render(source)).replace('.ipynb">', '.html">'))


def mathematics(tex: str, options: dict[str, Any]) -> str:
    left, right = (r"\[", r"\]") if options["display_mode"] else (r"\(", r"\)")
    return left + html.escape(tex, quote=False) + right


def join_punctuation(page: str) -> str:
    """No line begins with the comma, or another sign, that stands after a formula."""
    formula = r'(?:<span class="math inline">)?\\\((?:(?!\\\)).)*\\\)(?:</span>)?'
    return re.sub(rf"{formula}[,.;:!?)]+", r'<span class="whole">\g<0></span>', page, flags=re.DOTALL)


# --- A deck ----------------------------------------------------------------------------------------------------------


def timings(slides: list[Slide]) -> list[str]:
    """For each slide, which minutes of the lecture are its own; a slide below the core has minutes of its own."""
    ends = list(accumulate(slide.minutes if slide.level == 1 else 0 for slide in slides))
    return [
        f"Minutes {end - slide.minutes:g}–{end:g} of {ends[-1]:g}" if slide.level == 1 else f"{slide.minutes:g} more"
        for slide, end in zip(slides, ends, strict=True)
    ]


def as_deck(slides: list[Slide]) -> str:
    """All slides in a page; each slide and those below it share a column."""
    columns: list[list[tuple[Slide, str]]] = []
    for slide, timing in zip(slides, timings(slides), strict=True):
        if slide.level == 1 or not columns:
            columns.append([])
        columns[-1].append((slide, timing))
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "deck"), autoescape=True)
    return templates.get_template("deck.html").render(columns=columns)


def make(paths: list[Path], out: Path) -> list[Path]:
    """Write a deck for each notebook, and beside them everything that they load."""
    copy_assets(out / "assets")
    decks = [out / f"{path.stem}.html" for path in paths]
    for path, deck in zip(paths, decks, strict=True):
        deck.write_text(as_deck(slides_of(nbformat.read(path, as_version=4))), encoding="utf-8")
    return decks


def copy_assets(folder: Path) -> None:
    """Bring together reveal.js, MathJax, the fonts and our own style."""
    reveal = resources.files("sphinx_revealjs") / "_static" / "revealjs"
    parts = ("dist/reveal.js", "dist/reveal.css", "plugin/notes/notes.js")
    own = HERE / "deck" / "deck.js"
    assets.copy([*(reveal / part for part in parts), assets.mathjax(), *assets.fonts(), own], folder)
    colours = HtmlFormatter(style="friendly").get_style_defs(".code")
    style = (HERE / "deck" / "deck.css").read_text(encoding="utf-8")
    (folder / "deck.css").write_text(f"{style}\n{colours}\n", encoding="utf-8")


# --- Walking through a deck ----------------------------------------------------------------------------------------


def walk(page: Any, deck: Path, pictures: Path | None = None) -> list[str]:
    """Show every slide of a deck with all its fragments: a sentence for each one that overflows its frame."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(deck.as_uri())
    page.wait_for_function("window.deckIsReady")
    page.evaluate("Reveal.configure({ fragments: false, transition: 'none' })")
    troubles = []
    places = page.evaluate("Reveal.getSlides().map(Reveal.getIndices).map(({ h, v }) => [h, v ?? 0])")
    for number, (h, v) in enumerate(places, 1):
        page.evaluate("([h, v]) => Reveal.slide(h, v)", [h, v])
        cell = page.evaluate("Reveal.getCurrentSlide().dataset.cell")
        wide, tall = page.evaluate("excess(Reveal.getCurrentSlide().querySelector('.frame'))")
        words = [f"{wide} px too wide"] * (wide > 1) + [f"{tall} px too tall"] * (tall > 1)
        if words:
            troubles.append(f"{deck.stem}, slide {number} (cell {cell}): {' and '.join(words)}")
        if pictures:
            page.screenshot(path=pictures / f"{deck.stem}-{number:02}.png")
    return troubles


def check(decks: list[Path], pictures: Path) -> list[str]:
    """Walk through decks in Chromium, and keep a picture of every slide."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    try:
        from browser import CHROMIUM, NO_CHROMIUM, started
    except ImportError:
        raise SystemExit("--check needs Playwright, which `python3 run.py test` installs.") from None
    if CHROMIUM is None:
        raise SystemExit(NO_CHROMIUM)
    pictures.mkdir(parents=True, exist_ok=True)
    with started() as browser:
        page = browser.new_page()
        return [trouble for deck in decks for trouble in walk(page, deck, pictures)]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="run.py slides", description="Make a reveal.js deck of each notebook.")
    parser.add_argument("beginnings", nargs="*", metavar="02", help="only notebooks whose names begin so")
    parser.add_argument("--into", type=Path, default=OUT, metavar="FOLDER", help="where to put them")
    parser.add_argument("--check", action="store_true", help="walk through the decks in Chromium")
    options = parser.parse_args(arguments)
    paths = assets.notebooks(options.beginnings)
    out = options.into.resolve()
    decks = make(paths, out)
    print(*decks, sep="\n")
    if not options.check:
        return 0
    pictures = out / "png"
    troubles = check(decks, pictures)
    print(*troubles or ["No slide overflows."], f"Pictures: {pictures}", sep="\n")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

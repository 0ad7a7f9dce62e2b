"""Turn the notebooks' slideshow metadata into reveal.js decks that need no server and no network.

    python3 run.py slides               all decks, into book/out/slides
    python3 run.py slides 02 04         those of the notebooks whose names begin so
    python3 run.py slides --check 02    also walk through it in Chromium: which slides overflow; a picture of each slide

A cell that is a `slide` or a `subslide` begins one; a `fragment` appears on the next key; a cell without a type goes on
with what is there; `skip` is for readers; `notes` are the speaker's, under a line that says which minutes they are for.
"""

from __future__ import annotations

import argparse
import html
import re
import shutil
import string
import struct
import sys
from base64 import b64decode
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final

import assets
import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

HERE: Final = Path(__file__).resolve().parent
NOTEBOOKS: Final = HERE.parent / "notebooks"
OUT: Final = HERE / "out" / "slides"
WIDTH, HEIGHT = 1280, 720  # 16:9
NARROW_CODE: Final = 47  # characters a line: such code has room beside a figure
WIDE: Final = 1.75  # a figure wider than this, by its height, has the whole width


# --- What a slide is -----------------------------------------------------------------------------------------------


@dataclass
class Block:
    """A piece of a slide: text, code, a figure, or what else a cell put out."""

    kind: str  # "text", "code", "figure", "player", "quiz" or "output"
    html: str
    step: int  # 0 is there from the start, 1 comes with the first key, ...
    lines: tuple[str, ...] = ()
    aspect: float = 0  # width by height of a figure


@dataclass
class Slide:
    """One frame: its heading, its blocks, its notes, and the minutes it takes."""

    level: int  # 1 stands beside the one before, 2 below it
    cell: str
    minutes: float
    heading: str = ""
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    steps: int = 0


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
    """Add a cell's code and what it put out; a question or a player needs the room, and its call tells nothing."""
    outputs = [shown(output, slide.steps) for output in cell.outputs]
    if not any(block.kind in ("quiz", "player") for block in outputs):
        slide.blocks.append(Block("code", python(cell.source), slide.steps, lines=tuple(cell.source.splitlines())))
    slide.blocks.extend(outputs)


def shown(output: Any, step: int) -> Block:
    """An output as an audience takes it in: a figure, a player, a question, or else a result in its own words."""
    data = output.get("data", {})
    page = data.get("text/html", "")
    if "image/png" in data:
        width, height = size_of(data["image/png"])
        return Block("figure", figure(data["image/png"], output.metadata["image/png"]), step, aspect=width / height)
    if "pla-stage" in page:
        return Block("player", page, step)
    if "plahelpers-quiz" in page:
        return Block("quiz", kept_together(page), step)
    return Block("output", f"<pre>{html.escape(data.get('text/plain') or output['text']).rstrip()}</pre>", step)


def figure(png: str, about: Any) -> str:
    """An image with the alternative text that its picture came with."""
    alt = html.escape(about["alt"], quote=True)
    return f'<img alt="{alt}" src="data:image/png;base64,{png.strip()}">'


def size_of(png: str) -> tuple[int, int]:
    """Width and height of a picture: they stand at the beginning of its file."""
    width, height = struct.unpack(">II", b64decode(png[:32])[16:24])
    return width, height


def python(source: str) -> str:
    """Code in colours; the two empty lines around a function are one here."""
    return str(highlight(source.replace("\n\n\n", "\n\n"), PythonLexer(), HtmlFormatter(nowrap=False, cssclass="code")))


def markdown(source: str) -> str:
    """Markdown as HTML, its mathematics for MathJax, a link to a notebook as one to its deck."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reader.use(dollarmath_plugin, double_inline=True, renderer=_mathematics)
    return kept_together(str(reader.render(source)).replace('.ipynb">', '.html">'))


def kept_together(page: str) -> str:
    """No line begins with the comma, or what else stands after a formula."""
    formula = r'(?:<span class="math inline">)?\\\((?:(?!\\\)).)*\\\)(?:</span>)?'
    return re.sub(rf"{formula}[,.;:!?)]+", r'<span class="whole">\g<0></span>', page, flags=re.DOTALL)


def _mathematics(tex: str, options: dict[str, Any]) -> str:
    left, right = (r"\[", r"\]") if options["display_mode"] else (r"\(", r"\)")
    return left + html.escape(tex, quote=False) + right


# --- A slide as HTML -----------------------------------------------------------------------------------------------


def is_beside(slide: Slide) -> bool:
    """Has its one figure, not too wide a one, the right half, and text and code the left?"""
    figures = [block for block in slide.blocks if block.kind == "figure"]
    code = [line for block in slide.blocks for line in block.lines]
    others = [block for block in slide.blocks if block.kind in ("text", "output")]
    if len(figures) != 1 or figures[0].aspect > WIDE or any(block.kind in ("player", "quiz") for block in slide.blocks):
        return False
    return max(map(len, code), default=0) <= NARROW_CODE and (bool(others) or len(code) > 2)


def as_section(slide: Slide, running: str, timing: str) -> str:
    """One slide; `running` is the heading it stands under if it has none of its own."""
    heading = slide.heading or f'<p class="running">{running}</p>'
    if is_beside(slide):
        left = "".join(as_div(block) for block in slide.blocks if block.kind != "figure")
        right = "".join(as_div(block) for block in slide.blocks if block.kind == "figure")
        body = f'<div class="beside"><div class="left">{left}</div>{right}</div>'
    else:
        body = "".join(as_div(block) for block in slide.blocks)
    notes = f"<p><strong>{timing}</strong></p>{''.join(slide.notes)}"
    return (
        f'<section data-cell="{slide.cell}"><div class="frame">{heading}{body}</div>'
        f'<aside class="notes">{notes}</aside></section>'
    )


def as_div(block: Block) -> str:
    step = f' fragment" data-fragment-index="{block.step}' if block.step else ""
    return f'<div class="{block.kind}{step}">{block.html}</div>'


def timings(slides: list[Slide]) -> list[str]:
    """For each slide, which minutes of the lecture are its own."""
    ends = [sum(slide.minutes for slide in slides[: n + 1]) for n in range(len(slides))]
    starts = [0, *ends]
    total = ends[-1] if ends else 0
    return [
        f"Minutes {start:g}–{end:g} of {total:g}" if end > start else f"Minute {end:g} of {total:g}"
        for start, end in zip(starts, ends, strict=False)
    ]


def as_deck(slides: list[Slide], title: str) -> str:
    """All slides in a page; each slide and those below it share a column."""
    columns: list[list[str]] = []
    running = ""
    for slide, timing in zip(slides, timings(slides), strict=True):
        running = plain_heading(slide.heading) or running
        section = as_section(slide, running, timing)
        if slide.level == 1 or not columns:
            columns.append([section])
        else:
            columns[-1].append(section)
    body = "\n".join(f"<section>{''.join(column)}</section>" if len(column) > 1 else column[0] for column in columns)
    page = string.Template((HERE / "deck" / "deck.html").read_text(encoding="utf-8"))
    return page.substitute(title=html.escape(title), slides=body)


def plain_heading(heading: str) -> str:
    """What stands between the tags of a heading."""
    return heading.partition(">")[2].rpartition("</")[0]


def title_of(notebook: Any) -> str:
    """The text of the notebook's first heading."""
    first = next(line for cell in notebook.cells for line in cell.source.splitlines() if line.startswith("# "))
    return str(first[2:].strip())


# --- Files ---------------------------------------------------------------------------------------------------------


def make(paths: list[Path], out: Path) -> list[Path]:
    """Write a deck for each notebook, and beside them everything that they load."""
    copy_assets(out / "assets")
    decks = []
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        deck = out / f"{path.stem}.html"
        deck.write_text(as_deck(slides_of(notebook), title_of(notebook)), encoding="utf-8")
        decks.append(deck)
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
    places = page.evaluate("Reveal.getSlides().map((it) => [Reveal.getIndices(it).h, Reveal.getIndices(it).v ?? 0])")
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
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise SystemExit("--check needs Playwright, which `python3 run.py test` installs.") from None
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        raise SystemExit("--check needs Chromium; on Debian or Ubuntu: apt-get install chromium")
    pictures.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        troubles = [trouble for deck in decks for trouble in walk(page, deck, pictures)]
        browser.close()
    return troubles


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="run.py slides", description="Make a reveal.js deck of each notebook.")
    parser.add_argument("beginnings", nargs="*", metavar="02", help="only notebooks whose names begin so")
    parser.add_argument("--into", type=Path, default=OUT, metavar="FOLDER", help="where to put them")
    parser.add_argument("--check", action="store_true", help="walk through the decks in Chromium")
    asked = parser.parse_args(arguments)
    paths = [
        path for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")) if path.name.startswith(tuple(asked.beginnings) or "")
    ]
    if not paths:
        print(f"No notebook's name begins with {' or '.join(asked.beginnings)}.")
        return 2
    decks = make(paths, asked.into.resolve())
    print(*decks, sep="\n")
    if not asked.check:
        return 0
    pictures = asked.into.resolve() / "png"
    troubles = check(decks, pictures)
    print(*troubles or ["No slide overflows."], f"Pictures: {pictures}", sep="\n")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

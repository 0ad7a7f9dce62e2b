"""Turn the notebooks' metadata into reveal.js decks that need no server and no network.

    python3 run.py slides               all decks, into book/out/slides, and lecture.html: the cores of chapters 1 to 4
    python3 run.py slides 02 04         those of the notebooks whose names begin so
    python3 run.py slides --check 02    also walk through it in Chromium: which slides overflow; a picture of each slide

Where a cell goes is its slide type (`slideshow.slide_type`): a `slide` begins one; a `subslide` begins one below it, of
a part marked *Further* or for home: the arrow down leads there, the arrow right passes it. A `fragment` appears on the
next key; a cell of type `-` goes on with what is there; `skip` is for readers. What a slide shows is in `lecture`:

    minutes    how long the slide takes
    heading    a short sentence, the slide's one idea; without it, the heading that the cell begins with
    text       Markdown in place of the cell's own text, or above the outputs of code; "" for none
    notes      the speaker's cues, under a line that says which minutes they are for
    part       a part of the lecture begins here; at most five have room in the line above the heading
    picture    the id of a cell whose figure is shown here once more
    code       true: show the code, too; of all other cells of code only the outputs are shown

`text`, `picture` and `code` may also stand on a cell that goes on with a slide, the others only on one that begins it.
The chapter's title, the outline and the take-aways have a look of their own (see LOOKS).
"""

# nbconvert's SlidesExporter was tried: it cannot set a figure beside other cells' text, and it drops alternative texts.

import argparse
import html
import io
import re
import shutil
import sys
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import jinja2
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from book import assets, sections
from book.chromium import started
from book.sections import HTML_LINK, Heading, own_heading

HERE: Final = Path(__file__).resolve().parent
OUT: Final = HERE / "out" / "slides"
LOOKS: Final = {"You will": "outline", "Take-aways": "take-aways"}  # of the slides that begin these sections
WIDTH, HEIGHT = 1280, 720  # 16:9


# --- What a slide is -----------------------------------------------------------------------------------------------


@dataclass
class Block:
    """A piece of a slide: text, code, a figure, or another output of a cell."""

    kind: str  # "text", "code", "figure", "player", "quiz" or "output"
    html: str
    step: int  # 0 is there from the start, 1 comes with the first key, ...
    aspect: float = 0  # width by height of a figure


@dataclass
class Slide:
    """One frame: its heading, its blocks, its notes, the minutes it takes, and the headings it stands under."""

    level: int  # 1 is of the core, 2 below it: of a part marked Further, or for home
    cell: str
    path: list[Heading]  # the chapter's first
    minutes: float = 0
    heading: str = ""
    notes: str = ""
    part: str = ""  # of the lecture, which begins here or before; none on the title and in what is Further
    blocks: list[Block] = field(default_factory=list)
    steps: int = 0
    touched: list[Heading] = field(default_factory=list)  # the headings that any of its cells stands under

    @property
    def section(self) -> Heading:
        """The section that is named on the slide."""
        return sections.section(self.path)

    @property
    def look(self) -> str:
        """Which style it has: "title", "outline", "take-aways", "further" or "core"."""
        if self.cell == self.path[0].cell:
            return "title"
        if self.cell == self.section.cell and self.section.title in LOOKS:
            return LOOKS[self.section.title]
        return "further" if self.level == 2 else "core"

    @property
    def beside(self) -> bool:
        """Has it one figure, and words that may stand beside it?"""
        kinds = [block.kind for block in self.blocks]
        return kinds.count("figure") == 1 < len(kinds) and not {"player", "quiz"} & set(kinds)


def slides_of(notebook: Any) -> list[Slide]:
    """Read a notebook as a lecture."""
    slides: list[Slide] = []
    for cell, path in sections.with_headings(notebook):
        kind = cell.metadata.get("slideshow", {}).get("slide_type", "-")
        if kind == "skip":
            continue
        if kind in ("slide", "subslide") and path:
            part = slides[-1].part if slides and not sections.section(path).is_further else ""
            slides.append(new_slide(cell, 1 if kind == "slide" else 2, path, part))
        elif not slides:
            raise ValueError(f"the cell {cell.id!r} is on no slide: the first has to be a 'slide', with the title.")
        slides[-1].steps += kind == "fragment"
        slides[-1].touched += path[1:]
        add_cell(slides[-1], cell)
        if picture := cell.metadata.get("lecture", {}).get("picture"):
            [shown] = [each for each in notebook.cells if each.id == picture]
            blocks = [output_block(output, slides[-1].steps) for output in shown.outputs]
            slides[-1].blocks += [block for block in blocks if block.kind == "figure"]
    return slides


def new_slide(cell: Any, level: int, path: list[Heading], part: str) -> Slide:
    """A slide with what the cell that begins it tells of it; if it begins no part, it belongs to the one before."""
    lecture, own = cell.metadata.get("lecture", {}), own_heading(cell)
    heading = lecture.get("heading") or (own.title if own else "")
    minutes, notes = lecture.get("minutes", 0), markdown(lecture.get("notes", ""))
    part = lecture.get("part", part)
    return Slide(level, cell.id, path, minutes, markdown(heading, inline=True), notes, part)


def add_cell(slide: Slide, cell: Any) -> None:
    """Add a cell's text, or what is shown in its place; of code the outputs, and the code where it is the point."""
    lecture, is_code = cell.metadata.get("lecture", {}), cell.cell_type == "code"
    text = lecture.get("text", "" if is_code else re.sub(r"\A#+ .+", "", cell.source)).strip()
    if text:
        slide.blocks.append(Block("text", markdown(text), slide.steps))
    if lecture.get("code"):
        slide.blocks.append(Block("code", python(cell.source), slide.steps))
    slide.blocks += [output_block(output, slide.steps) for output in cell.get("outputs", [])]


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
    words = html.escape(data.get("text/plain") or output["text"]).rstrip()
    return Block("output", f"<pre>{words}</pre>", step)


def python(source: str) -> str:
    """Code in bold and italics, as colours mean something else; the two empty lines around a function are one here."""
    return str(highlight(source.replace("\n\n\n", "\n\n"), PythonLexer(), HtmlFormatter(nowrap=False, cssclass="code")))


def markdown(source: str, *, inline: bool = False) -> str:
    """Markdown as HTML, its mathematics for MathJax."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reader.use(dollarmath_plugin, double_inline=True, renderer=mathematics)
    page = str(reader.renderInline(source) if inline else reader.render(source))
    return join_punctuation(page)


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
        f"Minutes {end - slide.minutes:g}–{end:g} of {ends[-1]:g}"
        if slide.level == 1
        else (f"{slide.minutes:g} more" if slide.minutes else "For home")
        for slide, end in zip(slides, ends, strict=True)
    ]


def first_slides(notebook: Any) -> dict[str, str]:
    """From the cell of each heading below the chapter's to the first slide of its section, if it has one."""
    return {heading.cell: slide.cell for slide in reversed(slides_of(notebook)) for heading in slide.touched}


def parts_of(slides: list[Slide]) -> dict[str, str]:
    """From each part of the lecture to its first slide."""
    first: dict[str, str] = {}
    for slide in slides:
        if slide.part:
            first.setdefault(slide.part, slide.cell)
    return first


def as_deck(slides: list[Slide]) -> str:
    """All slides in a page; each slide and those below it share a column."""
    columns: list[list[tuple[Slide, str]]] = []
    for slide, timing in zip(slides, timings(slides), strict=True):
        if slide.level == 1 or not columns:
            columns.append([])
        columns[-1].append((slide, timing))
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "deck"), autoescape=True)
    templates.filters["inline"] = lambda title: markdown(title, inline=True)
    return templates.get_template("deck.html").render(columns=columns, parts=parts_of(slides))


def make(paths: list[Path], out: Path) -> list[Path]:
    """Write a deck for each notebook, and beside them everything that they load."""
    write_assets(out / "assets")
    starts = {path.stem: first_slides(sections.read(path)) for path in assets.notebooks()}
    decks = [out / f"{path.stem}.html" for path in paths]
    pages = [as_deck(slides_of(sections.read(path))) for path in paths]
    if len(paths) == len(starts):
        decks, pages = [*decks, out / "lecture.html"], [*pages, as_deck(whole_lecture(paths[:4]))]
    for page, deck in zip(pages, decks, strict=True):
        deck.write_text(HTML_LINK.sub(lambda link: to_slide(link, starts), page), encoding="utf-8")
    return decks


def whole_lecture(paths: list[Path]) -> list[Slide]:
    """The cores of these chapters, each of them a part: ids begin with the chapter, so that all are different."""
    slides = []
    for path in paths:
        for slide in slides_of(sections.read(path)):
            if slide.level == 1 and slide.look != "outline":
                headings = [heading._replace(cell=f"{path.name[:2]}-{heading.cell}") for heading in slide.path]
                part = slide.path[0].title.partition(" · ")[2]
                slides.append(replace(slide, cell=f"{path.name[:2]}-{slide.cell}", path=headings, part=part))
    return slides


def to_slide(link: re.Match[str], starts: Mapping[str, Mapping[str, str]]) -> str:
    """A link to a notebook as one to its deck, at the first slide of the section that it names, if it has one."""
    slide = starts[link["file"]].get(link["cell"])
    return f'href="{link["file"]}.html{f"#/{slide}" if slide else ""}"'


def write_assets(folder: Path) -> None:
    """Bring together reveal.js, MathJax, the fonts and our own style."""
    reveal = resources.files("sphinx_revealjs") / "_static" / "revealjs"
    parts = [reveal / part for part in ("dist/reveal.js", "dist/reveal.css", "plugin/notes/notes.js")]
    own = [HERE / "deck" / "deck.js", HERE / "deck" / "deck.css"]
    colours = HtmlFormatter(style="bw").get_style_defs(".code").encode()
    files = {file.name: file.read_bytes() for file in [*parts, *own, assets.mathjax(), *assets.fonts()]}
    assets.write(folder, {**files, "code.css": colours})


# --- In a browser ----------------------------------------------------------------------------------------------------


def opened(page: Any, address: str) -> None:
    """Show a deck, and wait until it is ready."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(address)
    page.wait_for_function("window.deckIsReady")


def walk(page: Any, deck: Path, pictures: Path | None = None) -> list[str]:
    """Show every slide of a deck with all its fragments: a sentence for each one that overflows its frame.

    A picture of each is kept in the folder `pictures`.
    """
    opened(page, deck.as_uri())
    page.evaluate("Reveal.configure({ fragments: false, transition: 'none' })")
    troubles = []
    places = page.evaluate("Reveal.getSlides().map(Reveal.getIndices).map(({ h, v }) => [h, v ?? 0])")
    for number, (h, v) in enumerate(places, 1):
        page.evaluate("([h, v]) => Reveal.slide(h, v)", [h, v])
        cell = page.evaluate("Reveal.getCurrentSlide().id")
        wide, tall = page.evaluate("excess(Reveal.getCurrentSlide().querySelector('.frame'))")
        words = [f"{wide} px too wide"] * (wide > 1) + [f"{tall} px too tall"] * (tall > 1)
        if words:
            troubles.append(f"{deck.stem}, slide {number} (cell {cell}): {' and '.join(words)}")
        if pictures:
            page.screenshot(path=pictures / f"{deck.stem}-{number:02}.png")
    return troubles


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="run.py slides", description="Make a reveal.js deck of each notebook.")
    parser.add_argument("beginnings", nargs="*", metavar="02", help="only notebooks whose names begin so")
    parser.add_argument("--into", type=Path, default=OUT, metavar="FOLDER", help="where to put them")
    parser.add_argument("--check", action="store_true", help="walk through the decks in Chromium")
    options = parser.parse_args(arguments)
    out = options.into.resolve()
    decks = make(assets.notebooks(options.beginnings), out)
    print(*decks, sep="\n")
    if not options.check:
        return 0
    with started() as browser:
        page = browser.new_page()
        shutil.rmtree(out / "png", ignore_errors=True)
        (out / "png").mkdir()
        troubles = [trouble for deck in decks for trouble in walk(page, deck, out / "png")]
    print(*troubles or ["No slide overflows."], f"Pictures: {out / 'png'}", sep="\n")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

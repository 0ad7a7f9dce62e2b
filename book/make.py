"""Build the book: a static site of the notebooks as they are stored, which works from a folder, with no network.

python3 run.py book           into book/out/html
python3 run.py book --open    and show it
python3 run.py book --pdf     also print it, and a summary, into book/out/pdf

If nothing has changed since it was built, it is there already.
"""

import argparse
import inspect
import re
import shutil
import sys
import webbrowser
from pathlib import Path
from typing import Any, Final

import jinja2

from book import assets, chapters, slides
from exercises import bundle
from plahelpers.widgets import stepper

HERE: Final = Path(__file__).resolve().parent
OUT: Final = HERE / "out"
PAGES: Final = HERE / "pages"


def make(site: Path, repository: str = "") -> int:
    """Gather the pages, and let Sphinx make a site of them; every warning is an error."""
    from sphinx.cmd.build import build_main

    source, doctrees = OUT / "source", OUT / "doctrees"
    for old in (source, OUT / "assets", doctrees, site):
        shutil.rmtree(old, ignore_errors=True)  # nothing of an earlier build shall be left
    pages, loaded = gather(repository)
    assets.write(source, pages)
    assets.write(OUT / "assets", loaded)
    folders = ["-c", HERE, "-d", doctrees, source, site]
    failed = build_main(["-W", "--keep-going", "-q", "-j", "2", "-b", "html", *map(str, folders)])
    paths = assets.notebooks()
    slides.make(paths, site / "slides")
    assets.write(site / "notebooks", {path.name: path.read_bytes() for path in paths})
    assets.write(site / "homework", bundle.bundles())
    for template in (site / "_static").glob("*.html"):
        template.unlink()  # the theme's own, which would be broken pages here
    return int(failed)


def read_chapters() -> list[chapters.Chapter]:
    return [chapters.read(path) for path in assets.notebooks()]


def gather(repository: str) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The pages of the chapters, the few pages besides, and those of the reference; and all that they load."""
    writer = chapters.Writer(read_chapters())
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "templates"))
    written = writer.write(templates.get_template("chapter.md"), repository=repository)
    pictures = {name: data for name, data in written.items() if name.endswith(".png")}
    others = {
        path.relative_to(PAGES).as_posix(): writer.linked(path.read_text("utf-8")).encode()
        for path in PAGES.rglob("*.md")
    }
    index = templates.from_string(others["index.md"].decode())
    run = stepper()._repr_mimebundle_()[0]["text/html"]
    others["index.md"] = index.render(chapters=map(card, writer.chapters), run=run).encode()
    pages = {name: data for name, data in written.items() if name not in pictures} | others | reference()
    return pages, pictures | {file.name: file.read_bytes() for file in [assets.mathjax(), *assets.fonts()]}


def card(chapter: chapters.Chapter) -> dict[str, Any]:
    """What the first page tells of a chapter: its picture, its minutes, and what there is to answer and to tick off."""
    cells = [*chapter.front, *(cell for page in chapter.pages for part in page.sections for cell in part.cells)]
    text = "\n".join(cell.source for cell in cells)
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    shown = "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    return {
        "name": chapter.name,
        "title": chapter.title,
        "picture": (HERE / "images" / f"card-{chapter.number}.svg").read_text("utf-8"),
        "minutes": re.findall(r"\*\*Time:\*\* about (\d+) minutes", text)[0],
        "quizzes": re.findall(r"data-quiz='(\w+)'", shown),
        "questions": shown.count("role='group'"),
        "exercises": text.count("\n### Exercise "),
    }


def modules() -> dict[str, Any]:
    """The public modules of the package."""
    import plahelpers

    public = [name for name in dir(plahelpers) if not name.startswith("_")]
    return {name: module for name in public if inspect.ismodule(module := getattr(plahelpers, name))}


def reference() -> dict[str, bytes]:
    """A page for each module of the package, and their table, with the first sentence of each docstring."""
    names = modules()
    rows = [f"| [{name}]({name}.md) | {(module.__doc__ or '').splitlines()[0]} |" for name, module in names.items()]
    table = ["", "| module | content |", "|---|---|", *rows, "", "```{toctree}", ":hidden:", "", *names, "```", ""]
    pages = {name: f"# {name}\n\n```{{eval-rst}}\n.. automodule:: plahelpers.{name}\n```\n" for name in names}
    pages["index"] = (PAGES / "reference" / "index.md").read_text("utf-8") + "\n".join(table)
    return {f"reference/{name}.md": text.encode() for name, text in pages.items()}


def is_built(site: Path) -> bool:
    """Whether a finished site is newer than everything from which it is made."""
    folders = [HERE, *(HERE.parent / name for name in ("notebooks", "plahelpers", "exercises/release"))]
    sources = [path for folder in folders for path in folder.rglob("*") if OUT not in path.parents]
    newest = max(path.stat().st_mtime for path in sources if path.suffix != ".pyc")
    return (site / "homework").exists() and (site / "homework").stat().st_mtime > newest


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="run.py book", description="Build the book from the stored notebooks.")
    parser.add_argument("--open", action="store_true", help="show it in the browser")
    parser.add_argument("--pdf", action="store_true", help="also print it, and a summary")
    parser.add_argument("--into", type=Path, default=OUT / "html", metavar="FOLDER", help="where to put it")
    parser.add_argument("--repository", default="", metavar="URL", help="the project's address, for Binder and Colab")
    options = parser.parse_args(arguments)
    site = options.into.resolve()
    if (options.repository or not is_built(site)) and make(site, options.repository):
        print("The book has faults, which are named above.", file=sys.stderr)
        return 1
    print(f"The book is there: {site / 'index.html'}")
    if options.pdf:
        from book.paper import print_all

        print("Printing; this takes a few minutes ...", flush=True)
        print_all(site, OUT / "pdf", read_chapters())
        print(f"The paper is there: {OUT / 'pdf'}")
    if options.open:
        webbrowser.open((site / "index.html").as_uri())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

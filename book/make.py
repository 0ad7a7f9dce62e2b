"""Build the book: a static site of the notebooks as they are stored, which works from a folder, with no network.

python3 run.py book           into book/out/html
python3 run.py book --open    and show it
"""

from __future__ import annotations

import argparse
import inspect
import shutil
import sys
import webbrowser
from pathlib import Path
from typing import Final

import assets
from sphinx.cmd.build import build_main

import plahelpers

HERE: Final = Path(__file__).resolve().parent
OUT: Final = HERE / "out"
MODULES: Final = {
    name: module for name in dir(plahelpers) if inspect.ismodule(module := getattr(plahelpers, name)) and name[0] != "_"
}


def make(site: Path) -> int:
    """Gather the pages, and let Sphinx make a site of them; every warning is an error."""
    source, doctrees = OUT / "source", OUT / "doctrees"
    gather(source)
    assets.copy([assets.mathjax(), *assets.fonts()], OUT / "assets")
    for old in (site, doctrees):
        shutil.rmtree(old, ignore_errors=True)  # nothing of an earlier build shall be left
    folders = ["-c", HERE, "-d", doctrees, source, site]
    code = build_main(["-W", "--keep-going", "-q", "-b", "html", *map(str, folders)])
    for template in (site / "_static").glob("*.html"):
        template.unlink()  # the theme's own, which would be broken pages here
    return int(code)


def gather(source: Path) -> None:
    """Copy the notebooks and the few pages besides, and write those of the reference."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(HERE / "pages", source)
    for path in assets.notebooks():
        shutil.copy(path, source)
    shutil.copy(HERE / "images" / "steps.png", source)
    write_reference(source / "reference")


def write_reference(folder: Path) -> None:
    """A page for each module of the package, and their table, with the first sentence of each docstring."""
    rows = [f"| [{name}]({name}.md) | {(module.__doc__ or '').splitlines()[0]} |" for name, module in MODULES.items()]
    table = ["", "| module | content |", "|---|---|", *rows, "", "```{toctree}", ":hidden:", "", *MODULES, "```", ""]
    with (folder / "index.md").open("a", encoding="utf-8") as index:
        index.write("\n".join(table))
    for name in MODULES:
        page = f"# {name}\n\n```{{eval-rst}}\n.. automodule:: plahelpers.{name}\n```\n"
        (folder / f"{name}.md").write_text(page, encoding="utf-8")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="run.py book", description="Build the book from the stored notebooks.")
    parser.add_argument("--open", action="store_true", help="show it in the browser")
    parser.add_argument("--into", type=Path, default=OUT / "html", metavar="FOLDER", help="where to put it")
    options = parser.parse_args(arguments)
    site = options.into.resolve()
    if make(site):
        print("The book has faults, which are named above.", file=sys.stderr)
        return 1
    print(f"The book is there: {site / 'index.html'}")
    if options.open:
        webbrowser.open((site / "index.html").as_uri())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

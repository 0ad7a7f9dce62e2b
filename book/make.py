"""Build the book: a static site of the notebooks as they are stored, which works from a folder, with no network.

python3 run.py book           into book/out/html
python3 run.py book --open    and show it
"""

from __future__ import annotations

import argparse
import shutil
import sys
import webbrowser
from pathlib import Path
from typing import Final

import assets
import reference
from sphinx.cmd.build import build_main

HERE: Final = Path(__file__).resolve().parent
NOTEBOOKS: Final = HERE.parent / "notebooks"
OUT: Final = HERE / "out"


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
    """Copy the notebooks and the few pages besides, and write a page for each room of the package."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(HERE / "pages", source)
    for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
        shutil.copy(path, source)
    shutil.copy(HERE / "images" / "steps.png", source)
    with (source / "reference" / "index.md").open("a", encoding="utf-8") as index:
        index.write("\n" + reference.list_of_rooms())
    for room in reference.MODULES:
        (source / "reference" / f"{room}.md").write_text(reference.room_page(room), encoding="utf-8")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="run.py book", description="Build the book from the stored notebooks.")
    parser.add_argument("--open", action="store_true", help="show it in the browser")
    parser.add_argument("--into", type=Path, default=OUT / "html", metavar="FOLDER", help="where to put it")
    asked = parser.parse_args(arguments)
    site = asked.into.resolve()
    if make(site):
        print("The book has faults, which are named above.", file=sys.stderr)
        return 1
    print(f"The book is there: {site / 'index.html'}")
    if asked.open:
        webbrowser.open((site / "index.html").as_uri())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The pictures of the README, taken from the real thing: python3 run.py photos

Writes into book/images
    steps.png     a run in small pictures, as chapter 2 has stored it
    stepper.png   the live stepper of chapter 2, in a JupyterLab
    proof.png     the proof as a race, as chapter 3 has stored it
    book.png      a page of the book, with its player
"""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PIL import Image

from book import chapters
from book.chromium import CHROMIUM, NO_CHROMIUM, started
from book.make import words
from tests.jupyterlab import FAILED, lab_on_copies, open_notebook, run_all_cells

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Locator

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "book" / "images"
WIDEST = 2200  # pixels, of which a README shows less than half
SHARPNESS = 2  # pixels of a photograph for each of the page's, as on a good screen


def stepper(browser: Browser) -> bytes:
    """Run chapter 2 in a JupyterLab, take some steps, and photograph the cell with the one before it."""
    with TemporaryDirectory() as folder, lab_on_copies(Path(folder)) as lab:
        page = browser.new_page(viewport={"width": 1400, "height": 1400}, device_scale_factor=SHARPNESS)
        open_notebook(page, lab, "02_pla")
        run_all_cells(page)
        if page.evaluate(FAILED):
            sys.exit("A cell of chapter 2 fails, so there is nothing to photograph. python3 run.py test says which.")
        cell = page.locator(".jp-CodeCell", has=page.locator("svg.picture.edits"))
        click(cell, "Step", times=4)
        before = cell.locator("xpath=preceding-sibling::*[1]")
        cell.evaluate("cell => cell.scrollIntoView({ block: 'end' })")
        picture = page.screenshot(clip=around(before, cell.locator(".stage")))
        page.close()
    return picture


def click(place: Locator, button: str, times: int) -> None:
    for _ in range(times):
        place.get_by_role("button", name=button).click()


def around(first: Locator, last: Locator) -> FloatRect:
    """The part of the page from the top of the first to the end of the last."""
    top, end = first.bounding_box(), last.bounding_box()
    assert top
    assert end
    return {**top, "height": end["y"] + end["height"] - top["y"]}


def figure(chapter: str, call: str) -> bytes:
    """Cut the first figure that this call has drawn out of a notebook."""
    notebook = json.loads((ROOT / "notebooks" / f"{chapter}.ipynb").read_text(encoding="utf-8"))
    cell = next(cell for cell in notebook["cells"] if call in "".join(cell["source"]))
    return base64.b64decode(cell["outputs"][0]["data"]["image/png"])


def book(browser: Browser) -> bytes:
    """Build the book, and photograph the player of chapter 2 with what stands around it."""
    with TemporaryDirectory() as folder:
        make = [sys.executable, "-m", "book.make", "--into", folder]
        if subprocess.run(make, check=False, stdout=subprocess.DEVNULL).returncode:
            sys.exit("So there is no book to photograph.")
        page = browser.new_page(
            viewport={"width": 1100, "height": 910}, device_scale_factor=SHARPNESS, color_scheme="light"
        )
        part, anchor = chapters.read(ROOT / "notebooks" / "02_pla.ipynb", words()).places["step-through-a-run-1"]
        page.goto((Path(folder) / f"{part}.html").as_uri())
        page.evaluate("window.settled")
        section = page.locator(f"section#{anchor}")
        player = section.locator("div.pla-stage").first
        click(player, "Next", times=5)
        player.evaluate("player => player.scrollIntoView({ block: 'center', behavior: 'instant' })")
        picture = page.screenshot()
        page.close()
    return picture


def save(name: str, picture: bytes) -> None:
    """Write a picture with no more colours than the eye needs, so that the README is quick to load."""
    path = IMAGES / f"{name}.png"
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.thumbnail((WIDEST, WIDEST))
    image.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"  book/images/{path.name}: {path.stat().st_size // 1000} kB", flush=True)


def main() -> None:
    if CHROMIUM is None:
        sys.exit(f"The photographs are taken with a browser. {NO_CHROMIUM}")
    with started() as browser:
        print("Opening chapter 2 in a JupyterLab and running it; this takes a minute ...", flush=True)
        save("stepper", stepper(browser))
        print("Cutting two figures out of chapters 2 and 3 ...", flush=True)
        save("steps", figure("02_pla", "plots.steps("))
        save("proof", figure("03_convergence_proof", "plots.proof(race)"))
        print("Building the book and opening chapter 2 ...", flush=True)
        save("book", book(browser))


if __name__ == "__main__":
    main()

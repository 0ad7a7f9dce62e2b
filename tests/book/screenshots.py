"""Make the README's pictures in book/images again: python -m tests.book.screenshots, after python3 run.py book"""

import base64
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Locator

from book import assets, chapters, sections
from book.chromium import started
from book.make import HERE, OUT
from tests.jupyterlab import lab_on_copies, open_notebook, run_all_cells

SHARP = {"device_scale_factor": 2, "color_scheme": "light"}


def stored(call: str) -> bytes:
    """The first picture that a cell with this call has stored in a notebook."""
    cells = [cell for path in assets.notebooks() for cell in sections.read(path).cells]
    cell = next(cell for cell in cells if call in cell.source and cell.outputs)
    return base64.b64decode(cell.outputs[0].data["image/png"])


def player_in_the_book(browser: Browser) -> bytes:
    place, anchor = chapters.read(assets.notebooks(["02"])[0]).places["step-through-a-run-1"]
    page = browser.new_page(viewport={"width": 1100, "height": 910}, **SHARP)
    page.goto((OUT / "html" / f"{place}.html").as_uri())
    page.evaluate("window.settled")
    click(page.locator(f"section#{anchor} div.pla-stage").first, "Next", 5)
    return page.screenshot()


def stepper_in_jupyterlab(browser: Browser) -> bytes:
    with TemporaryDirectory() as folder, lab_on_copies(Path(folder)) as lab:
        page = browser.new_page(viewport={"width": 1400, "height": 1100}, **SHARP)
        open_notebook(page, lab, "02_pla")
        run_all_cells(page)
        cell = page.locator(".jp-CodeCell", has=page.locator("svg.picture.edits"))
        click(cell, "Step", 4)
        return cell.screenshot()


def click(place: Locator, button: str, times: int) -> None:
    for _ in range(times):
        place.get_by_role("button", name=button).click()
    place.evaluate("(place) => place.scrollIntoView({ block: 'center', behavior: 'instant' })")


def save(name: str, picture: bytes) -> None:
    """Write a picture with no more colours than the eye needs, so that the README is quick to load."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(HERE / "images" / f"{name}.png", optimize=True)


if __name__ == "__main__":
    save("steps", stored("plots.steps("))
    save("proof", stored("plots.proof(race"))
    with started() as browser:
        save("book", player_in_the_book(browser))
        save("stepper", stepper_in_jupyterlab(browser))

"""Make the README's pictures in book/images again: .venv/bin/python -m tests.book.screenshots"""

import io
from pathlib import Path
from tempfile import mkdtemp

from PIL import Image

from book import assets
from book.chromium import started
from book.make import HERE
from plahelpers import pla, plots, running_example, widgets
from plahelpers.plots.stored import drawn


def save(name: str, picture: bytes) -> None:
    """Write a picture with no more colours than the eye needs, so that the README is quick to load."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(HERE / "images" / f"{name}.png", optimize=True)


if __name__ == "__main__":
    run = pla(*running_example())
    save("steps", drawn(plots.steps(run)[0, 0].figure))
    with started() as browser:
        page = browser.new_page(viewport={"width": 840, "height": 900}, device_scale_factor=1.5)
        assets.write(folder := Path(mkdtemp()), {file.name: file.read_bytes() for file in assets.fonts()})
        style = '<meta charset="utf-8"><link rel="stylesheet" href="fonts.css">'
        (folder / "page.html").write_text(style + widgets.proof_stage(run)._repr_html_(), encoding="utf-8")
        page.goto((folder / "page.html").as_uri())
        page.evaluate("document.fonts.ready")
        save("proof", page.locator(".stage").screenshot())

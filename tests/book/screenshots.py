"""Make the README's pictures in book/images again: .venv/bin/python -m tests.book.screenshots"""

import io

from PIL import Image

from book.make import HERE
from plahelpers import pla, plots, running_example, separate
from plahelpers.guarantee import proof_trace
from plahelpers.plots.stored import drawn


def save(name: str, picture: bytes) -> None:
    """Write a picture with no more colours than the eye needs, so that the README is quick to load."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(HERE / "images" / f"{name}.png", optimize=True)


if __name__ == "__main__":
    run = pla(*running_example())
    save("steps", drawn(plots.steps(run)[0, 0].figure))
    save("proof", drawn(plots.proof(proof_trace(run, separate(run.X, run.y).w_f)).figure))

"""Every picture of plahelpers, drawn: python3 run.py gallery

Writes each picture as a PNG, in colour and in greyscale, and a page `index.html` that shows them all on a light and
on a dark ground with their alternative texts.
"""

from __future__ import annotations

import html
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from PIL import Image

from plahelpers import (
    best_line,
    noisy_running_example,
    pla,
    plots,
    pocket,
    proof_trace,
    repeat_pla,
    repeat_pocket,
    running_example,
    separate,
    update_bound,
)
from plahelpers.datasets import Data, noisy, separable, textbook_example

DATA, NOISY = running_example(), noisy_running_example()
RUN = pla(*DATA)
HALFWAY = RUN.weights[3]


def layered() -> Any:
    """Points first, then two perceptrons over them."""
    ax = plots.points(DATA)
    return plots.perceptron(DATA.w_f, ax=ax)


def side_by_side() -> Any:
    """Three pictures in one figure of the user's own."""
    with plots.style():
        _, axes = plt.subplots(1, 3, figsize=(14, 4.8))
    plots.hypothesis(RUN, ax=axes[0])
    plots.update(RUN, 1, ax=axes[1])
    plots.errors(RUN, ax=axes[2])
    return axes


def unequal_features() -> Any:
    """Features of very different sizes: each axis has a scale of its own."""
    X = DATA.X * [1.0, 1000.0]
    return plots.hypothesis([-1, 2, -0.001], X, DATA.y)


def pairs_in_conflict() -> Any:
    """XOR: two and two."""
    return plots.conflict([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1])


def pocket_run() -> Any:
    """A run of Pocket on the noisy example."""
    return pocket(*NOISY, max_updates=60, rng=0)


def two_thousand_pockets() -> Any:
    """Two thousand runs of Pocket, tested."""
    train = noisy(100, noise=0.1, rng=1)
    test = noisy(1000, noise=0.1, w_f=train.w_f, rng=2)
    return repeat_pocket(*train, test=(test.X, test.y), runs=2000, max_updates=50, rng=0)


def one_feature() -> Data:
    """Eight points on a line."""
    return separable(8, 1, low=-3, high=3, rng=4)


PICTURES: dict[str, Callable[[], Any]] = {
    "learning_picture": plots.learning_picture,
    "points": lambda: plots.points(DATA),
    "perceptron": lambda: plots.perceptron([-1, 2, -1]),
    "perceptron_vertical": lambda: plots.perceptron([-0.5, 1, 0]),
    "perceptron_horizontal": lambda: plots.perceptron([0.5, 0, -1]),
    "perceptron_outside": lambda: plots.perceptron([9, 1, 1], box=(-1, 1, -1, 1)),
    "perceptron_zero": lambda: plots.perceptron([0, 0, 0]),
    "perceptron_zero_plus": lambda: plots.perceptron([0, 0, 0], sign_of_zero=1),
    "perceptron_zero_undecided": lambda: plots.perceptron([0, 0, 0], sign_of_zero=0),
    "layered": layered,
    "hypothesis": lambda: plots.hypothesis(HALFWAY, DATA),
    "hypothesis_answer": lambda: plots.hypothesis(RUN),
    "hypothesis_best_line": lambda: plots.hypothesis(best_line(*NOISY), NOISY),
    "hypothesis_unequal_features": unequal_features,
    "update_first": lambda: plots.update(RUN, 0),
    "update": lambda: plots.update(RUN, 3),
    "update_negative": lambda: plots.update(RUN, 2),
    "update_textbook": lambda: plots.update(pla(*textbook_example(), sign_of_zero=0), 1),
    "update_eta": lambda: plots.update(pla(*DATA, eta=0.5), 3),
    "steps": lambda: plots.steps(RUN),
    "steps_long": lambda: plots.steps(pocket_run()),
    "errors": lambda: plots.errors(RUN),
    "errors_pocket": lambda: plots.errors(pocket_run(), best=best_line(*NOISY)),
    "errors_long": lambda: plots.errors(pocket(*noisy(200, noise=0.2, rng=0), max_updates=1000, rng=0)),
    "proof": lambda: plots.proof(proof_trace(RUN, separate(*DATA).w_f)),
    "proof_target": lambda: plots.proof(proof_trace(RUN, DATA.w_f)),
    "proof_elsewhere": lambda: plots.proof(proof_trace(pla(*DATA, w0=[3, -2, 1]), separate(*DATA).w_f)),
    "conflict": lambda: plots.conflict(NOISY),
    "conflict_pairs": pairs_in_conflict,
    "weight_space_line": lambda: plots.weight_space(pla(*one_feature())),
    "weight_space": lambda: plots.weight_space(RUN),
    "weight_space_pocket": lambda: plots.weight_space(pocket_run()),
    "histogram": lambda: plots.histogram(repeat_pla(*DATA, rng=0), bound=update_bound(*DATA)),
    "histogram_far_bound": lambda: plots.histogram(repeat_pla(*DATA, rng=0), bound=update_bound(*DATA, DATA.w_f)),
    "histogram_train": lambda: plots.histogram(two_thousand_pockets(), of="train"),
    "histogram_test": lambda: plots.histogram(two_thousand_pockets(), of="test"),
    "side_by_side": side_by_side,
}

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The pictures of plahelpers</title>
<style>
body {{ margin: 0; font: 16px/1.5 sans-serif; }}
section {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(28rem, 1fr)); gap: 1.5rem; padding: 1.5rem; }}
h1, h2 {{ grid-column: 1 / -1; margin: 0; }}
.light {{ background: #ffffff; color: #1a1a1a; }}
.dark {{ background: #111111; color: #eeeeee; }}
figure {{ margin: 0; }}
img {{ max-width: 100%; height: auto; }}
figcaption b {{ display: block; }}
</style></head><body>
<section class="light"><h1>The pictures of plahelpers</h1></section>
{sections}
</body></html>
"""


def draw(make: Callable[[], Any]) -> Figure:
    """The figure that a picture is on."""
    return np.atleast_1d(np.asarray(make(), dtype=object)).flat[0].figure


def figure_tag(name: str, file: str, text: str) -> str:
    """One picture of the page, with its words under it."""
    alt = html.escape(text, quote=True)
    return f'<figure><img src="{file}" alt="{alt}"><figcaption><b>{name}</b>{alt}</figcaption></figure>'


def write(folder: Path) -> None:
    """Write all pictures and the page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {}
    for name, make in PICTURES.items():
        figure = draw(make)
        texts[name] = plots.alt_text(figure)
        path = folder / f"{name}.png"
        figure.savefig(path, metadata={"Software": None}, bbox_inches="tight")
        Image.open(path).convert("L").save(folder / f"{name}_grey.png")
        plt.close(figure)
    sections = [
        f'<section class="{theme}"><h2>{title}</h2>'
        + "".join(figure_tag(name, f"{name}{ending}.png", text) for name, text in texts.items())
        + "</section>"
        for theme, title, ending in (
            ("light", "On a light page", ""),
            ("dark", "On a dark page", ""),
            ("light", "In greyscale", "_grey"),
        )
    ]
    (folder / "index.html").write_text(PAGE.format(sections="\n".join(sections)), encoding="utf-8")


if __name__ == "__main__":
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "out"
    write(out)
    print(f"{len(PICTURES)} pictures are in {out}; open {out / 'index.html'} to see them.")

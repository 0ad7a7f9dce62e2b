"""How long a widget takes from the touch to the picture, alone on a page in Chromium: python -m benchmarks.frames

A mouse drags about fifty times a second, at moments that have nothing to do with the sixty frames, so that 8 ms on
average are the wait for the next one. The time begins when the browser gets a move, and ends when its frame is
painted: a message that was posted in its animation frame arrives.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any

from IPython.core.formatters import DisplayFormatter

from book.chromium import started
from plahelpers import pla, pocket, running_example, widgets
from plahelpers.datasets import noisy

MOVES = 200
MEDIAN_GOAL, P95_GOAL = 16, 33  # milliseconds: one frame of a screen, and two
MEASURE = """
    const [frames, waiting] = [new MessageChannel(), []];
    window.painted = [];
    frames.port1.onmessage = () => painted.push(...waiting.splice(0).map((start) => performance.now() - start));
    addEventListener("pointermove", ({ buttons, timeStamp }) => {
        if (buttons && waiting.push(timeStamp) === 1) requestAnimationFrame(() => frames.port2.postMessage(0));
    }, true);
"""


def cases() -> Iterator[tuple[str, Any, str]]:
    """What is dragged: its name, its widget, and what selects it there."""
    X, y = noisy(200, noise=0.1, rng=1)  # so that PLA spends all of its 1,000 updates
    yield "player, slider", widgets.play(pocket(X, y, max_updates=1000, rng=1)), "input[type=range]"
    yield "stepper, a point", widgets.stepper(X, y), ".hit"
    yield "margin explorer, slider ρ", widgets.margin_explorer(), "input[type=range]"
    yield "proof, slider t", widgets.proof_stage(pla(*running_example())), "input[type=range]"


def drag(page: Any, selector: str) -> list[float]:
    """There and back, a fifth of the page wide, by Chromium's own protocol: Playwright's mouse runs a script at each
    move. What is returned are the milliseconds that each move took."""
    devtools, box = page.context.new_cdp_session(page), page.locator(selector).first.bounding_box()
    x, y = box["x"] + min(box["width"] / 2, 60), box["y"] + box["height"] / 2
    for move in range(MOVES + 1):
        kind, away = "mouseMoved" if move else "mousePressed", 250 * (1 - abs(1 - 2 * move / MOVES))
        devtools.send("Input.dispatchMouseEvent", {"type": kind, "x": x + away, "y": y, "button": "left", "buttons": 1})
        sleep(random.uniform(0.01, 0.03))
    sleep(0.5)  # until the last frame is there
    return list(page.evaluate("painted"))


if __name__ == "__main__":
    with TemporaryDirectory() as folder, started() as browser:
        page, file = browser.new_page(viewport={"width": 1300, "height": 1000}), Path(folder, "page.html")
        page.add_init_script(MEASURE)
        for name, widget, selector in cases():
            file.write_text(f"<!doctype html>{DisplayFormatter().format(widget)[0]['text/html']}", encoding="utf-8")
            page.goto(file.as_uri())
            times = drag(page, selector)
            middle, late = median(times), quantiles(times, n=20)[-1]
            reached = "reached" if middle <= MEDIAN_GOAL and late <= P95_GOAL else "NOT REACHED"
            goals = f"at most {MEDIAN_GOAL}, {P95_GOAL} {reached}"
            print(f"{name:<30} painted after {middle:4.1f} ms, 95 %: {late:4.1f};  {goals}", flush=True)

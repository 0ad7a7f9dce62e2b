"""How long a widget takes from the touch to the picture, alone on a page in Chromium: python -m benchmarks.frames

A mouse drags about fifty times a second, at moments that have nothing to do with the sixty frames, so that 8 ms on
average are the wait for the next one. The time begins when the browser gets a move, and ends when its frame is
painted: a message that was posted in its animation frame arrives.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

from book.chromium import CHROMIUM, NO_CHROMIUM, started
from plahelpers import pocket, widgets
from plahelpers.datasets import noisy

MOVES = 200
PACE = (0.010, 0.030)  # seconds from one move to the next
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
    yield "hypothesis explorer, the line", widgets.hypothesis_explorer(X, y), ".grip"
    yield "margin explorer, slider ρ", widgets.margin_explorer(N=200), "input[type=range]"
    yield "pocket explorer, slider noise", widgets.pocket_explorer(N=200, updates=1000), "input[type=range]"


def rows() -> Iterator[str]:
    """A line for each widget: how soon its frames are painted."""
    if CHROMIUM is None:
        yield f"The frames of the widgets are not measured. {NO_CHROMIUM}"
        return
    with TemporaryDirectory() as folder, started() as browser:
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.add_init_script(MEASURE)
        for name, widget, what in cases():
            bundle = widget._repr_mimebundle_()[0] if hasattr(widget, "_repr_mimebundle_") else {}
            file = Path(folder, "page.html")
            file.write_text(f"<!doctype html>{bundle.get('text/html') or widget._repr_html_()}", encoding="utf-8")
            page.goto(file.as_uri())
            drag(page, page.locator(what).first)
            times = page.evaluate("painted")
            middle, late = median(times), quantiles(times, n=20)[-1]
            reached = "reached" if middle <= MEDIAN_GOAL and late <= P95_GOAL else "NOT REACHED"
            goals = f"at most {MEDIAN_GOAL}, {P95_GOAL} {reached}"
            yield f"{name:<30} painted after {middle:4.1f} ms, 95 %: {late:4.1f};  {goals}"


def drag(page: Any, what: Any) -> None:
    """There and back, by Chromium's own protocol: Playwright's mouse runs a script in the page at each move."""
    devtools = page.context.new_cdp_session(page)
    if what.evaluate("(node) => node.matches('input')"):
        start, end = place(what, 0.2, 0.5), place(what, 0.98, 0.5)
    else:
        start, end = place(what, 0.5, 0.5), place(page.locator(".picture .frame"), 0.8, 0.2)
    for move in range(MOVES + 1):
        until = perf_counter() + random.uniform(*PACE)
        share = 1 - abs(1 - 2 * move / MOVES)
        x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
        event = {"type": "mouseMoved" if move else "mousePressed", "x": x, "y": y, "button": "left", "buttons": 1}
        devtools.send("Input.dispatchMouseEvent", event)
        sleep(max(0.0, until - perf_counter()))
    sleep(0.5)  # until the last frame is there


def place(node: Any, across: float, down: float) -> tuple[float, float]:
    box = node.bounding_box()
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)

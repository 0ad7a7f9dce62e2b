"""How long a widget takes from the touch to the picture, in Chromium: in JupyterLab with a kernel, and alone on a page.

A mouse drags what can be dragged, about fifty times a second, at moments that have nothing to do with the sixty frames,
so that 8 ms on average are the wait for the next one. Two times begin when the browser gets a move. The first, which
has the goals, ends when the frame is painted: a message that was posted in its animation frame arrives. The second,
from Chromium's trace (`EventLatency`), ends when the frame is presented; it holds rasterizing and compositing, too,
without a graphics card where there is none. A bare slider shows how much of each is Chromium's own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, NamedTuple, TypeAlias

from playwright.sync_api import CDPSession, Locator, Page

from book.chromium import CHROMIUM, NO_CHROMIUM, started
from tests.jupyterlab import open_notebook, run_all_cells, running_lab, write_notebook

MOVES = 200
PACE = (0.010, 0.030)  # seconds from one move to the next
MEDIAN_GOAL, P95_GOAL = 16, 33  # milliseconds: one frame of a screen, and two

SETUP = """\
from plahelpers import pocket, widgets
from plahelpers.datasets import noisy
X, y = noisy(200, noise=0.1, rng=1)  # so that PLA spends all of its 1,000 updates
"""
CELLS = {
    "player": "widgets.play(pocket(X, y, max_updates=1000, rng=1))",
    "stepper": "widgets.stepper(X, y)",
    "hypothesis": "widgets.hypothesis_explorer(X, y)",
    "margin": "widgets.margin_explorer(N=200)",
    "pocket": "widgets.pocket_explorer(N=200, updates=1000)",
}
BARE = "<p class=stage><input type=range oninput='nextSibling.value = value'><output></output>"

Place: TypeAlias = tuple[float, float]
Gesture: TypeAlias = Callable[[Locator, "Mouse"], None]


class Frames(NamedTuple):
    """One line of the table: an input of a widget, and the milliseconds of its frames."""

    work: str
    painted: list[float]
    presented: list[tuple[float, float]]  # until the frame is presented; in the handlers

    def __str__(self) -> str:
        presented, handlers = zip(*self.presented, strict=True)
        (middle, late), (shown, shown_late) = ((median(t), quantiles(t, n=20)[-1]) for t in (self.painted, presented))
        reached = "reached" if middle <= MEDIAN_GOAL and late <= P95_GOAL else "NOT REACHED"
        return (
            f"{self.work:<38} painted {middle:4.1f} ms, 95 %: {late:4.1f}; presented {shown:4.1f}, {shown_late:4.1f}; "
            f"{median(handlers):.1f} in handlers;  painted at most {MEDIAN_GOAL}, {P95_GOAL} {reached}"
        )


# --- what the mouse does ----------------------------------------------------------------------------


class Mouse(NamedTuple):
    """A mouse by Chromium's own protocol, because Playwright's runs a script in the page at each move."""

    devtools: CDPSession

    def send(self, action: str, x: float, y: float, held: bool = True) -> None:
        until = perf_counter() + random.uniform(*PACE)
        event = {"type": action, "x": x, "y": y, "button": "left", "buttons": int(held), "clickCount": 1}
        self.devtools.send("Input.dispatchMouseEvent", event)
        sleep(max(0.0, until - perf_counter()))

    def click(self, x: float, y: float) -> None:
        self.send("mousePressed", x, y)
        self.send("mouseReleased", x, y, held=False)

    def drag(self, start: Place, end: Place) -> None:
        """There and back."""
        self.send("mousePressed", *start)
        for move in range(1, MOVES + 1):
            share = 1 - abs(1 - 2 * move / MOVES)
            x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
            self.send("mouseMoved", x, y)
        self.send("mouseReleased", *start, held=False)


def place(node: Locator, across: float = 0.5, down: float = 0.5) -> Place:
    """The middle of a node, or another place in it."""
    box = node.bounding_box()
    assert box
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def slide(number: int, start: float = 0.02, end: float = 0.98) -> Gesture:
    """Drag a slider's handle from one share of its length to another."""

    def gesture(stage: Locator, mouse: Mouse) -> None:
        slider = stage.locator("input[type=range]").nth(number)
        mouse.drag(place(slider, start), place(slider, end))

    return gesture


def click_next(stage: Locator, mouse: Mouse) -> None:
    button = place(stage.get_by_role("button", name="Next"))
    for _ in range(MOVES):
        mouse.click(*button)


def drag_point(stage: Locator, mouse: Mouse) -> None:
    """Through the picture, while the end of the run is seen."""
    mouse.click(*place(stage.get_by_role("button", name="Run")))
    mouse.drag(place(stage.locator(".hit").first), place(stage.locator(".picture .frame"), 0.8, 0.2))


def drag_line(stage: Locator, mouse: Mouse) -> None:
    """At right angles: it begins as x₁ + x₂ = 0."""
    mouse.drag(place(stage.locator(".grip").first), place(stage.locator(".picture .frame"), 0.8, 0.2))


INPUTS: dict[str, dict[str, Gesture]] = {
    "bare": {"slider": slide(0)},
    "player": {"slider": slide(0), "Next": click_next},
    "stepper": {"a point": drag_point},
    "hypothesis": {"the line": drag_line, "slider w₁": slide(1)},
    "margin": {"slider ρ": slide(0)},
    "pocket": {"slider noise": slide(0, start=0.2), "slider updates": slide(1, start=0.98, end=0.5)},
}

# --- what the browser says --------------------------------------------------------------------------

# Chromium follows an event to the frame that it asks for; a move that comes while a frame is under way asks for none.
ASK = """
    const [frames, waiting] = [new MessageChannel(), []];
    window.painted = [];
    frames.port1.onmessage = () => painted.push(...waiting.splice(0).map((start) => performance.now() - start));
    const ask = (event) => {
        const moved = event.type === "pointermove" && !event.buttons;
        if (!moved && waiting.push(event.timeStamp) === 1) requestAnimationFrame(() => frames.port2.postMessage(0));
    };
    for (const type of ["pointermove", "click"]) addEventListener(type, ask, true);
"""


def rows() -> Iterator[object]:
    """A bare slider, and for each widget the frames of its inputs and the weight of its HTML."""
    if CHROMIUM is None:
        yield f"The frames of the widgets are not measured. {NO_CHROMIUM}"
        return
    with TemporaryDirectory() as name, started() as browser:
        for widget, cell in CELLS.items():
            write_notebook(Path(name, "notebooks", f"{widget}.ipynb"), SETUP, cell)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.add_init_script(ASK)
        yield from alone(page, "bare", BARE, Path(name, "page.html"))
        with running_lab(Path(name)) as lab:
            for widget in CELLS:
                open_notebook(page, lab, widget)
                run_all_cells(page)
                yield from measured(page, widget, "in JupyterLab")
                notebook = page.evaluate("jupyterapp.shell.currentWidget.context.model.toJSON()")
                html = "".join(notebook["cells"][-1]["outputs"][-1]["data"]["text/html"])
                yield from alone(page, widget, html, Path(name, "page.html"))
                yield f"{f'{widget}, as it is stored':<46} {len(html.encode()) / 1000:.0f} kB"


def alone(page: Page, widget: str, html: str, file: Path) -> Iterator[Frames]:
    file.write_text(f"<!doctype html>{html}", encoding="utf-8")
    page.goto(file.as_uri())
    yield from measured(page, widget, "on a page")


def measured(page: Page, widget: str, where: str) -> Iterator[Frames]:
    """The frames of each input of the widget that is on the page."""
    stage, browser, mouse = page.locator(".stage"), page.context.browser, Mouse(page.context.new_cdp_session(page))
    assert browser
    for name, gesture in INPUTS[widget].items():
        stage.scroll_into_view_if_needed()
        page.evaluate("painted.length = 0")
        browser.start_tracing(page=page, categories=["-*", "input.scrolling"])
        gesture(stage, mouse)
        sleep(0.5)  # until the last frame is there
        yield Frames(f"{widget}, {name}, {where}", page.evaluate("painted"), presented(browser.stop_tracing()))


def presented(trace: bytes) -> list[tuple[float, float]]:
    """Milliseconds to the frame and in handlers, of each drag that changed the picture, or else of each click."""
    times: dict[str, list[tuple[float, float]]] = {"MOUSE_DRAGGED": [], "MOUSE_RELEASED": []}
    events: dict[tuple[int, str], dict[str, Any]] = {}  # by id: its kind, and when each stage began (b) and ended (e)
    for entry in json.loads(trace)["traceEvents"]:
        key, stage = (entry["pid"], str(entry.get("id2"))), f"{entry['ph']} {entry['name']}"
        if stage == "b EventLatency":
            events[key] = {"kind": entry["args"]["event_latency"]["event_type"]}
        if key in events:
            events[key][stage] = entry["ts"] / 1000
        if stage == "e EventLatency":
            at = events.pop(key)
            if at["kind"] in times and "e SwapEndToPresentationCompositorFrame" in at:
                handler = at["e RendererMainProcessing"] - at["b RendererMainProcessing"]
                times[at["kind"]].append((at[stage] - at["b EventLatency"], handler))
    return times["MOUSE_DRAGGED"] or times["MOUSE_RELEASED"]


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)

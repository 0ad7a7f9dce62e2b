"""What a frame of each explorer costs, beside a bare `canvas.draw()` of the same figure.

A frame is all that happens when a control moves, up to the finished pixels: working out what is shown, moving the
artists, drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING, Any

from plahelpers import widgets

if TYPE_CHECKING:
    from bench import Row


def rows() -> Iterator[Row]:
    """Each explorer's frame, as a multiple of a bare draw."""
    from bench import Row, side_by_side  # here, because bench imports this file

    for name, explorer, states in explorers():
        frame, draw = drawing(explorer, states), explorer.canvas.draw
        yield Row(f"frame of the {name} explorer", "bare canvas.draw()", 1 / side_by_side(frame, draw), 1.3, True)


def explorers() -> Iterator[tuple[str, widgets.Explorer, list[Any]]]:
    """Each explorer, and the states that a dragged slider goes through."""
    line = widgets.hypothesis_explorer()
    yield "hypothesis", line, [replace(line.state, w=(w0 / 5, 1.0, 1.0)) for w0 in range(-20, 21)]
    margin = widgets.margin_explorer()
    yield "margin", margin, [replace(margin.state, rho=0.08 + k / 1000) for k in range(40)]
    pocket = widgets.pocket_explorer()
    # Noise, because it makes new data, with a best line to be found; more values than are remembered.
    yield "pocket", pocket, [replace(pocket.state, noise=0.05 + k / 1000) for k in range(100)]


def drawing(explorer: widgets.Explorer, states: list[Any]) -> Callable[[], object]:
    """Draw the next one of the states, over and over."""
    coming = cycle(states)
    return lambda: explorer.compose(next(coming))


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)

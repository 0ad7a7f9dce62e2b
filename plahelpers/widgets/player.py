"""The stage: a run of PLA or Pocket, step by step, in the page.

`play(run)` needs no kernel: it works in a notebook, an exported page, the book and slides. `Stage` is live, and carries
the stepper of `widgets`: the mouse adds, moves, flips and removes points, and Python runs PLA again. Both are drawn by
one script, stage.js, which only draws what it is given (a scene, from `scene`) and reports what the user does.
"""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Final

import anywidget
import traitlets

from plahelpers import _format
from plahelpers.learning import Run
from plahelpers.widgets.scene import Scene, say, scene_of_run, sign_mark, words

_SCRIPT: Final = resources.files("plahelpers.widgets").joinpath("stage.js").read_text(encoding="utf-8")
_LARGEST_PAGE: Final = 98_000  # bytes of a player, the script included
_MOST_FRAMES: Final = 240  # more than anyone clicks through
_MOST_POINTS: Final = 1000  # more than can be told apart
_ROWS: Final = 12  # of the table that stands in for the player where no script runs


def play(run: Run) -> Player:
    """Show a run update by update, with buttons, a slider and keys, in a page that needs no kernel and no network.

    Each step shows w_t, its line and its mistakes, the mistake that is corrected next, and the update as arrows;
    a Pocket run also shows the line in the pocket. A run that is too long for a page is thinned out, and says so.
    Used first in notebook 02, "Step through a run".
    """
    if not isinstance(run, Run):
        raise TypeError(f"play shows what pla or pocket returned, such as play(pla(X, y)); this is {run!r}.")
    if run.d != 2:
        raise ValueError(
            f"play draws in the plane, d = 2; this run has d = {run.d}. Run it on two of the columns, "
            "such as pla(X[:, [0, 1]], y), or use plots.errors(run), which draws a run of any d."
        )
    run.weights  # noqa: B018  (says how to keep the path, if it was not kept)
    return Player(run)


@dataclass(frozen=True, eq=False, repr=False)
class Player:
    """A run that can be stepped through, as a piece of HTML; in a terminal, as sentences."""

    run: Run

    @cached_property
    def scene(self) -> Scene:
        """Everything the script draws and says, small enough for a page."""
        return self._scene_and_page[0]

    def _repr_html_(self) -> str:
        return self._scene_and_page[1]

    def __repr__(self) -> str:
        sentences = [words(self.run, t) for t in range(min(self.run.updates, _ROWS))]
        rest = self.run.updates - len(sentences)
        more = [say("player.more", updates=_format.count(rest, "more update"))] if rest else []
        return "\n".join([*sentences, *more, words(self.run, self.run.updates)])

    @cached_property
    def _scene_and_page(self) -> tuple[Scene, str]:
        # Fewer frames, then fewer points too, until the page is small enough; nearly always the first try is.
        frames, points = _MOST_FRAMES, _MOST_POINTS
        while True:
            scene = scene_of_run(self.run, frames, points)
            page = _page(scene, self.run)
            if len(page.encode()) <= _LARGEST_PAGE:
                return scene, page
            frames, points = max(frames * 9 // 10, 2), points if frames > 30 else max(points * 4 // 5, 2)


def _page(scene: Scene, run: Run) -> str:
    """The scene and the script; inside, for where scripts are taken out, the same in words."""
    data = json.dumps(scene, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="pla-stage">{_in_words(run)}<script type="application/json">{data}</script></div>'
        f'<script type="module">{_SCRIPT}</script>'
    )


def _in_words(run: Run) -> str:
    """The run as a sentence and a table: what is read where no script runs."""
    rows = "".join(_table_row(run, t) for t in range(min(run.updates, _ROWS)))
    columns = say("player.column_update"), say("player.column_example"), say("player.column_w")
    head = "".join(f"<th>{name}</th>" for name in (*columns, say("player.column_mistakes")))
    more = say("player.after", updates=_format.count(run.updates - _ROWS, "more update"))
    return (
        f"<p>{html.escape(repr(run))}.</p>"
        + (f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else "")
        + (f"<p>{more}</p>" if run.updates > _ROWS else "")
    )


def _table_row(run: Run, t: int) -> str:
    n = run.picks[t]
    example = say("player.row_example", n=n, sign=sign_mark(run.y[n]), x=_format.vector(run.X[n]))
    cells = t + 1, example, _format.vector(run.weights[t + 1]), run.errors[t + 1]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


class Stage(anywidget.AnyWidget):
    """A live picture: it draws its scene, and sends what the mouse does to it as messages.

    The `kind` of a message says what else is in it:

    - `add`: `u`, `v`, `label`
    - `move`: `k`, `u`, `v`
    - `flip`, `remove`, `select`: `k`

    `u` and `v` are places in picture units, `k` is a point's place in the scene. Each message has a `number`; the
    picture sends no further move of a drag before `heard` has caught up with it.
    """

    _esm = _SCRIPT
    scene = traitlets.Dict().tag(sync=True)
    tool = traitlets.Enum(["+1", "-1", "flip", "remove"], "+1").tag(sync=True)  # what a click does
    heard = traitlets.Int(0).tag(sync=True)  # the number of the last message that was answered

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene=scene)

"""The stepper: PLA on points that the user adds, moves, flips and removes, in the page; Python can go on with them."""

from __future__ import annotations

import warnings
from typing import Any, Final

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from plahelpers import datasets
from plahelpers._validation import FloatArray, IntArray
from plahelpers.geometry import box_around
from plahelpers.learning import BudgetWarning, Run, pla
from plahelpers.widgets.page import Page, Spec, check_examples, classes, points_of, script, specification
from plahelpers.widgets.player import NAMES

LIVE_UPDATES: Final = 1000  # a live run ends here, so that dragging a point stays smooth
LIVE_POINTS: Final = 200
_BOX: Final[dict[str, Any]] = {"margin": 0.2, "low": -5, "high": 5, "rng": 0}


def stepper(X: ArrayLike | None = None, y: ArrayLike | None = None) -> Stepper:
    """Step through PLA, on data of your choice or your own, and edit the points while it runs, with or without Python.

    Click to add a point, drag to move one, Shift-click to flip its class, Alt-click to remove it; buttons and keys do
    the same. In a live notebook `s = stepper()` goes on in Python with what was drawn: `s.X`, `s.y` and `s.run`.
    """
    points, labels = check_examples(X, y, "the stepper", LIVE_POINTS)
    return Stepper(_live_run(points, labels), "running" if X is None else "own")


def _live_run(X: FloatArray, y: IntArray, **settings: Any) -> Run:
    """PLA up to the budget of a live run, of which the widget itself says that it is spent."""
    with warnings.catch_warnings(action="ignore", category=BudgetWarning):
        return pla(X, y, max_updates=LIVE_UPDATES, **settings)


def _sets() -> list[Spec]:
    """The data sets that the menu offers."""
    sets = {
        "running example": datasets.running_example(),
        "textbook example": datasets.textbook_example(),
        "separable": datasets.separable(20, **_BOX),
        "noisy": datasets.noisy(20, noise=0.1, **_BOX),
    }
    return [
        {"id": name.split()[0], "name": name, **points_of(*data), "box": box_around(data.X)._asdict()}
        for name, data in sets.items()
    ]


class Stepper(anywidget.AnyWidget):
    """PLA on points that can be edited; what the user has made of them is in `X`, `y` and `run`."""

    _esm = script("stepper")
    spec = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict(read_only=True).tag(sync=True)  # the page sets it, and Python reads it

    def __init__(self, run: Run, data: str) -> None:
        assert run.cycle is not None
        limits = {"mostPoints": LIVE_POINTS, "maxUpdates": LIVE_UPDATES}
        spec = specification("stepper", ["walk", "stepper"], sets=_sets(), names=NAMES, **limits)
        start = {
            **points_of(run.X, run.y),
            "t": 0,
            "box": box_around(run.X)._asdict(),
            "data": data,
            "order": run.order,
            "cycle": run.cycle.tolist(),
            "signOfZero": run.sign_of_zero,
        }
        super().__init__(spec=spec)
        self.set_trait("state", start)
        self._page = Page({**spec, "start": start}, f"PLA on {classes(run.y)}. {run}.")

    def __repr__(self) -> str:
        return repr(self._page)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The live widget; the page that works alone; and a sentence."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": self._page._repr_html_(), "text/plain": repr(self)}, metadata

    @property
    def X(self) -> FloatArray:
        """The points, as they stand now."""
        return np.array(self.state["X"], dtype=np.float64).reshape(-1, 2)

    @property
    def y(self) -> IntArray:
        """Their labels."""
        return np.array(self.state["y"], dtype=np.int64)

    @property
    def run(self) -> Run:
        """The run of PLA that is shown, up to 1,000 updates."""
        if not len(self.y):
            raise ValueError("there are no points: add some in the picture first.")
        return _live_run(self.X, self.y, order=self.state["cycle"], sign_of_zero=self.state["signOfZero"])

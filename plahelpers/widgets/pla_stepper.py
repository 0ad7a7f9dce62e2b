"""The live PLA stepper: functions from its state to what is shown, and a thin shell of controls around the stage."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import ipywidgets as ipw
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from plahelpers import _format, datasets
from plahelpers._validation import (
    LARGEST,
    FloatArray,
    IntArray,
    SignOfZero,
    check_choice,
    check_count,
    check_data,
    check_label,
    check_number,
    check_sign_of_zero,
)
from plahelpers.geometry import Box, box_around
from plahelpers.learning import BudgetWarning, Run, pla
from plahelpers.widgets.explorers import row, sentence, tidy
from plahelpers.widgets.player import Stage, play
from plahelpers.widgets.scene import NAMES, Scene, classes, frame, say, setting, sign_mark, to_data

LIVE_UPDATES: Final = 1000  # a live run ends here, so that dragging a point stays smooth
LIVE_POINTS: Final = 200
_OWN: Final = "your own"
_DATA: Final = {
    say("stepper.data_running"): "running example",
    say("stepper.data_separable"): "separable",
    say("stepper.data_noisy"): "noisy",
    say("stepper.data_own"): _OWN,
}
_ORDERS: Final = ("cyclic", "shuffled", "random")


@dataclass(frozen=True, eq=False)
class State:
    """All that the stepper knows: the points, how PLA goes through them, and at which step we are."""

    X: FloatArray
    y: IntArray
    box: Box
    data: str = _OWN
    order: str = "cyclic"
    sign_of_zero: SignOfZero = -1
    seed: int = 0
    t: int = 0
    selected: int | None = None

    @cached_property
    def run(self) -> Run | None:
        """PLA on these points, up to the budget; None without points."""
        if len(self.y) == 0:
            return None
        settings: dict[str, Any] = {"order": self.order, "max_updates": LIVE_UPDATES, "rng": self.seed}
        with warnings.catch_warnings(action="ignore", category=BudgetWarning):  # `advice` says it, in the picture
            return pla(self.X, self.y, sign_of_zero=self.sign_of_zero, **settings)

    @property
    def T(self) -> int:
        """How many updates the run makes."""
        return self.run.updates if self.run else 0


def choose(state: State, data: str) -> State:
    """The same settings on other data; "your own" keeps the points there are."""
    if data == _OWN:
        return replace(state, data=data)
    box: dict[str, Any] = {"margin": 0.2, "low": -5, "high": 5, "rng": state.seed}
    match check_choice(data, "data", tuple(_DATA.values())):
        case "running example":
            X, y = datasets.running_example()
        case "separable":
            X, y = datasets.separable(20, **box)
        case _:
            X, y = datasets.noisy(20, noise=0.1, **box)
    return replace(state, X=X, y=y, box=box_around(X), data=data, t=0, selected=None)


def add(state: State, x1: float, x2: float, label: int) -> State:
    """One more point, which is then the selected one."""
    if len(state.y) >= LIVE_POINTS:
        raise ValueError(say("stepper.full", most=LIVE_POINTS))
    X = np.vstack([state.X, _place_in(state.box, x1, x2)])
    return _edited(state, X, np.append(state.y, check_label(label)), selected=len(state.y))


def move(state: State, n: int, x1: float, x2: float) -> State:
    """Point n at another place."""
    X = state.X.copy()
    X[_existing(state, n)] = _place_in(state.box, x1, x2)
    return _edited(state, X, state.y, selected=n)


def flip(state: State, n: int) -> State:
    """Point n in the other class."""
    y = state.y.copy()
    y[_existing(state, n)] *= -1
    return _edited(state, state.X, y, selected=n)


def remove(state: State, n: int) -> State:
    """All points but point n."""
    n = _existing(state, n)
    return _edited(state, np.delete(state.X, n, axis=0), np.delete(state.y, n), selected=None)


def clear(state: State) -> State:
    """No points at all."""
    return replace(state, X=np.empty((0, 2)), y=state.y[:0], data=_OWN, t=0, selected=None)


def select(state: State, n: int) -> State:
    """Point n is the one that the fields show."""
    return replace(state, selected=_existing(state, n))


def _edited(state: State, X: FloatArray, y: IntArray, selected: int | None) -> State:
    """Other points, at the same step of their own run; who watched the end goes on watching the end."""
    new = replace(state, X=X, y=y, data=_OWN, selected=selected)
    at_the_end = 0 < state.T == state.t
    return replace(new, t=new.T if at_the_end else min(state.t, new.T))


def _existing(state: State, n: int) -> int:
    n = check_count(n, "the number of the example")
    if n < len(state.y):
        return n
    numbers = say("stepper.no_example", n=n, last=len(state.y) - 1)
    raise ValueError(numbers if len(state.y) else say("stepper.no_example_at_all", n=n))


def _place_in(box: Box, x1: float, x2: float) -> FloatArray:
    place = [check_number(value, name, -LARGEST, LARGEST) for value, name in zip((x1, x2), NAMES, strict=True)]
    if not box.contains(*place):
        left, right, bottom, top = map(_format.number, box)
        point = _format.vector(np.array(place))
        raise ValueError(say("stepper.outside", place=point, left=left, right=right, bottom=bottom, top=top))
    return np.array(place)


def show(state: State, trouble: str = "") -> Scene:
    """The scene of a state: the points, and the run at step t; with a sentence if something is odd."""
    selected = {} if state.selected is None else {"selected": state.selected}
    every = np.arange(len(state.y))
    return {
        **setting(state.box, state.X.reshape(-1, 2), state.y, every),
        **selected,
        "title": say("stepper.title", classes=classes(state.y)),
        "label": say("stepper.label", classes=classes(state.y)),
        "note": trouble or advice(state),
        "frames": [frame(state.run, state.t, state.box, every) if state.run else _EMPTY],
    }


_NO_TEXT: Final = {"w": "", "words": "", "wrong": ""}
_EMPTY: Final[Scene] = {"t": 0, "head": say("stepper.no_points"), **_NO_TEXT, "plus": [], "undecided": True}


def advice(state: State) -> str:
    """A sentence about what is odd in a state; nothing if all is well."""
    if state.run is None:
        return say("stepper.advice_no_points")
    if len(set(state.y.tolist())) == 1:
        return say("stepper.advice_one_class", sign=sign_mark(state.y[0]))
    if not state.run.halted and state.t == state.T:
        return say("stepper.advice_budget", most=LIVE_UPDATES)
    return ""


def stepper(
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    order: str = "cyclic",
    sign_of_zero: SignOfZero = -1,
    seed: int = 0,
) -> Stepper:
    """Step through PLA live, on data of your choice or your own, and edit the points while it runs.

    Click to add a point, drag to move one, Shift-click to flip its class, Alt-click to remove it; the fields and
    buttons below the picture do the same. Where no kernel runs, a player of its first run is shown instead.
    Used first in notebook 02, "Step through a run".
    """
    settings: dict[str, Any] = {
        "order": check_choice(order, "order", _ORDERS),
        "sign_of_zero": check_sign_of_zero(sign_of_zero),
        "seed": check_count(seed, "seed"),
    }
    if X is None and y is None:
        X, y = datasets.running_example()
        settings["data"] = "running example"
    if X is None or y is None:
        raise ValueError("give both X and y, such as stepper(X, y), or neither for the running example.")
    points, labels = check_data(X, y)
    if points.shape[1] != 2:
        raise ValueError(
            f"the stepper draws in the plane, d = 2; X has {points.shape[1]} columns. Give two: X[:, [0, 1]]."
        )
    if len(labels) > LIVE_POINTS:
        raise ValueError(f"X has {len(labels):,} examples; the stepper takes {LIVE_POINTS} at most. Give X[:200].")
    return Stepper(State(points, labels, box_around(points), **settings))


class Stepper(ipw.VBox):  # type: ignore[misc]
    """The controls of the PLA stepper around its stage: a thin shell that turns each event into a new `state`."""

    def __init__(self, state: State) -> None:
        self.stage = Stage(show(state))
        self._first = state
        self._setting_up = False
        self._make_settings(state)
        self._make_steps()
        self._make_editor()
        rows = [
            row(self.data, self.order, self.sign_of_zero, self.seed),
            row(self.reset, self.back, self.step, self.run),
            self.stage,
            row(self.tool),
            ipw.Label(say("stepper.mouse")),
            row(self.example, self.x1, self.x2, self.label),
            row(self.add, self.move, self.flip, self.remove, self.clear),
        ]
        super().__init__(rows)
        self._show(state)
        self.stage.on_msg(self._hear)

    def _make_settings(self, state: State) -> None:
        self.data = ipw.Dropdown(options=list(_DATA.items()), value=state.data, description=say("stepper.data"))
        self.order = ipw.Dropdown(options=_ORDERS, value=state.order, description=say("stepper.order"))
        signs = [(say("stepper.sign_minus"), -1), (say("stepper.sign_plus"), 1), (say("stepper.sign_mistake"), 0)]
        name = say("stepper.sign_of_zero")
        self.sign_of_zero = ipw.Dropdown(options=signs, value=state.sign_of_zero, description=name)
        self.seed = ipw.IntText(value=state.seed, description=say("stepper.seed"))
        for control in (self.data, self.order, self.sign_of_zero, self.seed):
            tidy(control, width="200px", name="80px")
            control.observe(lambda change: self._do(lambda: self._with_settings(change["owner"])), "value")

    def _make_steps(self) -> None:
        self.reset = self._button("reset", lambda: replace(self.state, t=0))
        self.back = self._button("back", lambda: replace(self.state, t=self.state.t - 1))
        self.step = self._button("step", lambda: replace(self.state, t=self.state.t + 1))
        self.run = self._button("run", lambda: replace(self.state, t=self.state.T))
        self.step.button_style = "primary"

    def _make_editor(self) -> None:
        tools = [(say("stepper.tool_plus"), "+1"), (say("stepper.tool_minus"), "-1")]
        tools += [(say("stepper.tool_flip"), "flip"), (say("stepper.tool_remove"), "remove")]
        width = {"button_width": "92px"}
        self.tool = ipw.ToggleButtons(options=tools, description=say("stepper.tool"), style=width)
        traitlets.link((self.tool, "value"), (self.stage, "tool"))
        self.example = ipw.IntText(description=say("stepper.example"))
        self.x1, self.x2 = (ipw.FloatText(description=name, step=0.1) for name in NAMES)
        labels = [(say("stepper.class_plus"), 1), (say("stepper.class_minus"), -1)]
        self.label = ipw.Dropdown(options=labels, description=say("stepper.class"))
        tidy(self.example, self.x1, self.x2, self.label, width="160px", name="60px")
        self.example.observe(lambda _: self._do(lambda: select(self.state, self.example.value)), "value")
        self.add = self._button("add", lambda: add(self.state, self.x1.value, self.x2.value, self.label.value))
        self.move = self._button("move", lambda: move(self.state, self.example.value, self.x1.value, self.x2.value))
        self.flip = self._button("flip", lambda: flip(self.state, self.example.value))
        self.remove = self._button("remove", lambda: remove(self.state, self.example.value))
        self.clear = self._button("clear", lambda: clear(self.state))

    def _button(self, key: str, action: Callable[[], State]) -> ipw.Button:
        name = say(f"stepper.{key}")
        tooltip = say("stepper.tooltip", name=name, does=say(f"stepper.{key}_does"))
        button = ipw.Button(description=name, tooltip=tooltip, layout={"width": "84px"})
        button.on_click(lambda _: self._do(action))
        return button

    def _with_settings(self, changed: ipw.Widget) -> State:
        seed = check_count(self.seed.value, "seed")
        state = replace(self.state, order=self.order.value, sign_of_zero=self.sign_of_zero.value, seed=seed, t=0)
        # A new seed draws new points, where points are drawn; a new order or sign leaves the points alone.
        drawn_anew = changed is self.data or (changed is self.seed and state.data in {"separable", "noisy"})
        return choose(state, self.data.value) if drawn_anew else state

    def _hear(self, _stage: Stage, message: dict[str, Any], _buffers: Any) -> None:
        """What the mouse did."""
        with self.stage.hold_sync():
            self._do(lambda: self._answer(message))
            self.stage.heard = int(message.get("number", 0))

    def _answer(self, message: dict[str, Any]) -> State:
        kind = check_choice(message.get("kind"), "kind", ("add", "move", "flip", "remove", "select"))
        if kind == "add":
            return add(self.state, *to_data(self.state.box, message["u"], message["v"]), message["label"])
        if kind == "move":
            return move(self.state, message["k"], *to_data(self.state.box, message["u"], message["v"]))
        return {"flip": flip, "remove": remove, "select": select}[kind](self.state, message["k"])

    def _do(self, action: Callable[[], State]) -> None:
        """Go to another state; where that is impossible, say why in the picture and stay."""
        if self._setting_up:
            return
        try:
            self._show(action())
        except (TypeError, ValueError) as trouble:
            self.stage.scene = show(self.state, sentence(trouble))

    def _show(self, state: State) -> None:
        self.state = state
        self.stage.scene = show(state)
        self._setting_up = True  # what is set below follows the state: it is no wish of the user
        try:
            self.data.value = state.data
            if state.selected is None:
                self.example.value = min(self.example.value, max(len(state.y) - 1, 0))
            else:
                self.example.value = state.selected
                self.x1.value, self.x2.value = np.round(state.X[state.selected], 4).tolist()
                self.label.value = int(state.y[state.selected])
        finally:
            self._setting_up = False
        self.reset.disabled = self.back.disabled = state.t == 0
        self.step.disabled = self.run.disabled = state.t == state.T

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget, and for where no kernel runs the player of the run it started with."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if self._first.run is not None:
            player = play(self._first.run)
            bundle |= {"text/html": player._repr_html_(), "text/plain": repr(player)}
        return bundle

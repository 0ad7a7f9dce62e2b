"""Three explorers: sliders, a picture of `plots` that follows them, and a line of words.

    from plahelpers import widgets
    widgets.hypothesis_explorer()

Each explorer has a frozen state, a pure function that works out all that is shown of it (`line_view`, `margin_view`,
`pocket_view`), and a thin shell of controls. A control that moves does not draw: it asks for a frame, and a frame
always shows the latest state, so that quick dragging leaves no queue of old ones behind.
"""

from __future__ import annotations

import asyncio
import base64
import html
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

import ipywidgets as ipw
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike
from PIL import Image

from plahelpers import _format, _theme, plots
from plahelpers._validation import FloatArray, IntArray, check_choice, check_count, check_number, check_weights
from plahelpers.datasets import Data, noisy, running_example, separable
from plahelpers.geometry import Box, box_around, line_in_box
from plahelpers.guarantee import BestLine, ProofTrace, best_line, proof_trace, separate, update_bound
from plahelpers.hypothesis import error_rate, mistakes, scores
from plahelpers.learning import Run, pla, pocket
from plahelpers.plots.base import as_data, describe, examples_in_words, positions, refuse_unless_plane, wipe
from plahelpers.plots.curves import draw_proof
from plahelpers.plots.plane import draw_hypothesis, draw_perceptron
from plahelpers.plots.walk import draw_errors
from plahelpers.widgets.scene import say

# In a live kernel a frame waits so many seconds: the moves that are queued up by then are heard first.
_PAUSE: Final = 0.01

# The names and numbers of the controls are larger than ipywidgets has them, for the back row of a hall.
_CLASS: Final = "pla-explorer"
_CSS: Final = f"<style>.{_CLASS} {{ --jp-widgets-font-size: {_theme.FONT_SIZE + 2}px; }}</style>"


class Explorer(ipw.VBox):  # type: ignore[misc]
    """Controls, a picture that follows them, and a line of words that says what is seen.

    `figure` is the picture, `frames` counts how often it was drawn, `words` is the line below it. A state that makes no
    sense is answered there, in a sentence, and the picture stays as it was. A subclass has
    `_make_figure()`, for the Axes and the legend, and `show(state)`, which draws and says in words what is seen.
    """

    _state_type: type  # of what the controls say, in their order

    def __init__(self, rows: Sequence[ipw.Widget], controls: Sequence[ipw.Widget]) -> None:
        self._controls = controls
        with plots.style():
            self.figure = self._make_figure()
        self.canvas = FigureCanvasAgg(self.figure)
        self.frames = 0
        self.sentence = ""
        self._waiting: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        # An <img> of our own, because ipywidgets.Image has no alternative text; it is as quick.
        self.picture = ipw.HTML()
        self.words = ipw.HTML()
        super().__init__([*rows, self.picture, self.words, ipw.HTML(_CSS, layout=ipw.Layout(display="none"))])
        self.add_class(_CLASS)
        self.refresh()
        for control in controls:
            control.observe(self._ask_for_frame, "value")

    @property
    def state(self) -> Any:
        """What the controls say now."""
        return self._state_type(*(control.value for control in self._controls))

    def compose(self, state: Any) -> str:
        """Draw one frame onto the canvas, and say what is seen."""
        with plots.style():
            words: str = self.show(state)
        self.canvas.draw()  # type: ignore[no-untyped-call]
        self.frames += 1
        return words

    def refresh(self) -> None:
        """Draw the latest state now, and put it into the page."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        try:
            self.sentence = self.compose(self.state)
        except ValueError as trouble:
            self._say(sentence(trouble))
            return
        self._say(self.sentence)
        self.picture.value = self._image()

    def _ask_for_frame(self, _change: Any = None) -> None:
        """Ask for a frame; where no loop is running, as in a script, draw it at once."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.refresh()
            return
        if self._waiting is None or self._loop is not loop:  # a loop that has ended will never draw
            self._loop = loop
            self._waiting = loop.call_later(_PAUSE, self.refresh)

    def _say(self, words: str) -> None:
        self.words.value = (
            f'<p role="status" style="font-size:{_theme.FONT_SIZE}pt;line-height:1.35;margin:0 0 0 12px;'
            f'max-width:64em">{html.escape(words)}</p>'
        )

    def _image(self) -> str:
        """The frame as an image with its alternative text, decoded before it is shown, so that nothing flickers."""
        width, height = self.canvas.get_width_height()
        source = base64.b64encode(_png(self.canvas, compress_level=1)).decode()
        return (
            f'<img alt="{html.escape(self._alt)}" src="data:image/png;base64,{source}" decoding="sync" '
            f'width="{width}" height="{height}" style="max-width:100%;height:auto;display:block">'
        )

    @property
    def _alt(self) -> str:
        return plots.alt_text(self.figure) or self.sentence

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live widget, and for where no kernel runs the last frame, with its words."""
        data: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        data["text/plain"] = self.sentence
        data["image/png"] = base64.b64encode(_png(self.canvas, compress_level=6)).decode()
        return data, {"image/png": {"alt": f"{self.sentence} {self._alt}"}}


def _png(canvas: FigureCanvasAgg, compress_level: int) -> bytes:
    """What was last drawn, as PNG. Packing it well takes longer than drawing: so not while somebody drags."""
    pixels, buffer = np.asarray(canvas.buffer_rgba()), io.BytesIO()  # type: ignore[no-untyped-call]
    Image.fromarray(pixels).convert("RGB").save(buffer, "PNG", compress_level=compress_level)
    return buffer.getvalue()


def sentence(error: Exception) -> str:
    """The message of an error, with a capital letter and a full stop."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def tidy(*controls: ipw.Widget, width: str = "330px", name: str = "90px") -> None:
    """Controls of one width, whose names line up."""
    for control in controls:
        control.layout.width = width
        control.style.description_width = name


def row(*controls: ipw.Widget) -> ipw.HBox:
    """Controls beside one another, in more than one line where there is no room."""
    return ipw.HBox(controls, layout=ipw.Layout(flex_flow="row wrap"))


def _toggle(options: list[tuple[str, str]], description: str) -> ipw.ToggleButtons:
    """Buttons of which one is down, with their name beside them."""
    return ipw.ToggleButtons(
        options=options,
        description=description,
        layout=ipw.Layout(display="flex"),
        style={"description_width": "70px", "button_width": "170px"},
    )


def _sample(N: int, seed: int, name: str) -> tuple[ipw.IntSlider, ipw.IntText]:
    """The controls that say how many points there are, and which."""
    seeds = ipw.IntText(value=seed, description=say("explorer.seed"))
    tidy(seeds, width="150px", name=name)
    return ipw.IntSlider(value=N, min=2, max=max(100, N), description=say("explorer.N")), seeds


def _figure(width: float, height: float) -> Figure:
    """An empty figure in which everything has its place: a layout engine would work at every draw."""
    figure = Figure(figsize=(width, height))
    figure.set_layout_engine("none")
    return figure


def _plane_axes(figure: Figure, place: tuple[float, float, float, float], names: tuple[str, ...]) -> Axes:
    ax = figure.add_axes(place, xlabel=names[0], ylabel=names[1])
    ax.locator_params(nbins=6)
    return ax


def _draw_line(ax: Axes, w: FloatArray, box: Box, **look: Any) -> None:
    """The line of another w in the same box."""
    ax.plot(*positions(line_in_box(w, box)), **look)


def _legend(figure: Figure, labels: Sequence[str], **where: Any) -> None:
    """One legend for the whole figure: what has these labels, in this order."""
    artists = [artist for ax in figure.axes for artist in (*ax.lines, *ax.patches)]
    figure.legend(handles=[next(a for a in artists if a.get_label() == label) for label in labels], **where)


def _one_class(y: IntArray) -> str:
    """A warning where there is nothing to separate."""
    if len(np.unique(y)) == 1:
        return say("explorer.all_positive") if y[0] == 1 else say("explorer.all_negative")
    return ""


def _rate(value: float) -> str:
    return f"{value:.1%}".replace(".0%", "%")


Weights: TypeAlias = tuple[float, float, float]

_STEEPEST: Final = 5.0  # w₁ and w₂ go from minus this to this


@dataclass(frozen=True, eq=False)
class LineState:
    """A perceptron in the plane, and the points it is judged by."""

    w: Weights
    X: FloatArray
    y: IntArray


@dataclass(frozen=True, eq=False)
class LineView:
    """What the hypothesis explorer shows: w, which points are wrong, and the words."""

    w: FloatArray
    wrong: IntArray
    words: str


def line_view(state: LineState) -> LineView:
    """Which points does this w get wrong?

    Used in notebook 01, "Play with three sliders".
    """
    w = check_weights(state.w, 2)
    formula = say("line.formula", formula=_formula(w))
    if not len(state.y):
        return LineView(w, np.empty(0, np.int64), say("line.no_points", formula=formula))
    wrong = mistakes(w, state.X, state.y)
    points, rate = _format.count(len(state.y), "point"), _rate(len(wrong) / len(state.y))
    if len(wrong):
        count = say("line.which", wrong=len(wrong), points=points, rate=rate, examples=examples_in_words(wrong))
    else:
        count = say("line.wrong", wrong=0, points=points, rate=rate)
    one_class = _one_class(state.y)
    return LineView(w, wrong, say("line.sentence", wrong=count, formula=formula, place=_where(w), one_class=one_class))


def angle_and_offset(w: Weights) -> tuple[float, float] | None:
    """Where w's line is: the direction of its normal in degrees, and its distance from the origin that way.

    A w with w₁ = w₂ = 0 has no line. Used in notebook 01, "Geometry".
    """
    length = math.hypot(w[1], w[2])
    if length == 0:
        return None
    return math.degrees(math.atan2(w[2], w[1])), -w[0] / length


def weights_of(angle: float, offset: float, length: float, largest: Weights) -> Weights:
    """The w of that line, with (w₁, w₂) of this length, or shorter where w would be too large: the line is the same.

    Used in notebook 01, "Geometry".
    """
    there = math.radians(angle)
    w = (-offset * length, math.cos(there) * length, math.sin(there) * length)
    shrink = max(1.0, *(abs(entry) / most for entry, most in zip(w, largest, strict=True)))
    return w[0] / shrink, w[1] / shrink, w[2] / shrink


def _formula(w: FloatArray) -> str:
    """−1 + 2 x₁ − x₂: what is 0 is left out, and a factor of 1 as well."""
    text = ""
    for value, name in zip(w, ("", "x₁", "x₂"), strict=True):
        size = _format.number(abs(value))
        if size == "0":
            continue
        sign = "−" if value < 0 else "+" if text else ""
        term = name if size == "1" and name else f"{size} {name}".strip()
        text += f" {sign} {term}" if text else f"{sign}{term}"
    return text or "0"


def _where(w: FloatArray) -> str:
    place = angle_and_offset((w[0], w[1], w[2]))
    if place is None:
        return say("line.no_line", sign="+1" if w[0] > 0 else "−1")
    # With a proper minus, and no −0.
    angle, offset = (number.replace("-", "−") for number in (f"{place[0]:z.0f}", _format.number(place[1] + 0.0)))
    return say("line.place", angle=angle, offset=offset)


def hypothesis_explorer(X: Any = None, y: Any = None, *, w: ArrayLike = (0.0, 1.0, 1.0)) -> HypothesisExplorer:
    """Move a perceptron's line by w₀, w₁, w₂, or by angle and offset, and see which points it gets wrong.

    Used in notebook 01, "Play with three sliders".

    Parameters
    ----------
    X, y : arrays, optional
        Examples in the plane, or a `Data` that has both; the running example if not given.
    w : array
        Where to begin.
    """
    names: tuple[str, ...] = ("x₁", "x₂")
    if y is not None and np.size(X) == 0 and np.size(y) == 0:  # no points at all is a state, too
        X, y = np.empty((0, 2)), np.empty(0, np.int64)
    else:
        X, y, names = as_data(running_example() if X is None else X, y)
    refuse_unless_plane(X.shape[1], "hypothesis")
    start = check_weights(w, 2)
    return HypothesisExplorer(LineState((start[0], start[1], start[2]), X, y), names)


class HypothesisExplorer(Explorer):
    """Controls: `by` says who steers, "weights" (`w0`, `w1`, `w2`) or "place" (`angle`, `offset`).

    Those that do not steer are hidden, are not listened to, and are put in step when they are asked to.
    """

    def __init__(self, start: LineState, names: tuple[str, ...]) -> None:
        self._X, self._y, self._w, self._names = start.X, start.y, start.w, names
        self._box = box_around(start.X)
        self._make_controls(start.w, float(np.hypot(*self._box.corners.T).max()))
        self._rows = {"weights": row(self.w0, self.w1, self.w2), "place": row(self.angle, self.offset)}
        self._hand_over()
        self.by.observe(lambda _: self._hand_over(), "value")
        for sliders in self._rows.values():
            for control in sliders.children:
                control.observe(self._on_slider, "value")
        super().__init__([self.by, *self._rows.values()], [])

    def _make_figure(self) -> Figure:
        figure = _figure(8.0, 5.4)
        self.plane = _plane_axes(figure, (0.09, 0.12, 0.62, 0.80), self._names)
        draw_hypothesis(self.plane, self._box, np.array(self._w), self._X, self._y)
        labels = "y = +1", "y = −1", "mistake", "h(x) = +1", "h(x) = −1"
        _legend(figure, labels, loc="upper left", bbox_to_anchor=(0.74, 0.94))
        return figure

    def _make_controls(self, w: Weights, reach: float) -> None:
        far = _rounded_up(2 * reach)
        # A w to begin with may be larger than what the sliders would offer.
        largest = max(abs(w[0]), far), max(abs(w[1]), _STEEPEST), max(abs(w[2]), _STEEPEST)
        self._largest: Weights = largest
        options = [(say("line.by_weights"), "weights"), (say("line.by_place"), "place")]
        self.by = _toggle(options, say("line.steer"))
        self.w0, self.w1, self.w2 = (
            ipw.FloatSlider(value=entry, min=-most, max=most, step=most / 100, description=name)
            for entry, most, name in zip(w, self._largest, ("w₀", "w₁", "w₂"), strict=True)
        )
        name = say("line.angle")
        self.angle = ipw.FloatSlider(value=0, min=-180, max=180, step=1, readout_format=".0f", description=name)
        name = say("line.offset")
        self.offset = ipw.FloatSlider(value=0, min=-far / 2, max=far / 2, step=far / 200, description=name)
        tidy(self.w0, self.w1, self.w2, width="270px", name="28px")
        tidy(self.angle, self.offset, name="70px")
        self._spot = self.angle.value, self.offset.value
        self._placed: dict[ipw.Widget, float] = {}  # where Python has put a slider

    def _hand_over(self) -> None:
        """The other sliders steer now: show them, where w is; angle and offset stay as they were if w has no line."""
        for name, sliders in self._rows.items():
            sliders.layout.display = "flex" if name == self.by.value else "none"
        self._spot = angle_and_offset(self._w) or self._spot
        values = self._w if self.by.value == "weights" else self._spot
        for control, value in zip(self._steering, values, strict=True):
            self._placed[control] = _on_grid(control, value)
            control.value = self._placed[control]

    def _on_slider(self, change: Any) -> None:
        """A slider was moved: the rest of w (or of angle and offset) stays exactly what it was."""
        control, value = change["owner"], change["new"]
        # In a page a slider rounds what it is told to its own steps, and reports that: it is no wish of the user.
        echo = abs(value - self._placed.get(control, math.nan)) <= _DUST * control.step
        if echo or control not in self._steering:
            return
        self._placed.pop(control, None)
        at = self._steering.index(control)
        if self.by.value == "weights":
            self._w = (*self._w[:at], value, *self._w[at + 1 :])
        else:
            self._spot = (*self._spot[:at], value, *self._spot[at + 1 :])
            self._w = weights_of(*self._spot, math.hypot(*self._w[1:]) or 1.0, self._largest)
        self._ask_for_frame()

    @property
    def _steering(self) -> tuple[ipw.Widget, ...]:
        return tuple(self._rows[self.by.value].children)

    @property
    def state(self) -> LineState:
        """The perceptron that is steered; its sliders show it rounded to their steps."""
        return LineState(self._w, self._X, self._y)

    def show(self, state: LineState) -> str:
        """Draw the line, the regions and the rings."""
        view = line_view(state)
        wipe(self.plane)
        if len(state.y):
            describe([self.plane], draw_hypothesis(self.plane, self._box, view.w, state.X, state.y))
        else:
            draw_perceptron(self.plane, self._box, view.w)
            self.plane.set_title(say("line.title_no_points"))
        return view.words


_DUST: Final = 1e-6  # of a slider's step: what rounding in another language may change


def _on_grid(slider: ipw.Widget, value: float) -> float:
    """The nearest value that a slider can show."""
    steps = round((min(max(value, slider.min), slider.max) - slider.min) / slider.step)
    return float(min(slider.min + steps * slider.step, slider.max))


def _rounded_up(value: float) -> float:
    """The next larger one of 1, 1.5, 2, 3, 5, 8, 10, 15, …"""
    unit = 10.0 ** math.floor(math.log10(value))
    return unit * next(step for step in (1, 1.5, 2, 3, 5, 8, 10) if step * unit >= value)


Which: TypeAlias = Literal["target", "maximum"]

# Points of [−1, 1]² are parted by this line, and nothing in the box is farther from it than _FARTHEST.
_TARGET: Final = np.array([-0.2, 0.8, 0.6])
_FARTHEST: Final = 1.7
# From here to there ρ of the target may go; from 0.01 on R²/ρ² is below PLA's budget of updates.
_LEAST_RHO, _MOST_RHO = 0.01, 0.5
_MARGIN_BOX: Final = Box(-1.5, 1.5, -1.5, 1.5)


@dataclass(frozen=True)
class MarginState:
    """How near the points come to the target, how many and which they are, and whose bound is drawn."""

    rho: float
    N: int
    seed: int
    w_f: Which


@dataclass(frozen=True, eq=False)
class MarginView:
    """What the margin explorer shows: the points, PLA's run, the proof along it, and both bounds."""

    data: Data
    run: Run
    trace: ProofTrace
    target_bound: float
    smallest_bound: float
    words: str


def margin_view(state: MarginState) -> MarginView:
    """What does PLA do on points with this margin, and what does the proof promise?

    Used in notebook 03, "Move the margin".
    """
    data = points_with_margin(state.rho, state.N, state.seed)
    run, best = pla(*data), separate(*data)
    assert best.w_f is not None
    assert best.rho is not None
    trace = proof_trace(run, _TARGET if check_choice(state.w_f, "w_f", ("target", "maximum")) == "target" else best.w_f)
    of_target, smallest = update_bound(data.X, data.y, _TARGET), trace.R**2 / best.rho**2
    words = say(
        "margin.sentence",
        updates=_format.count(run.updates, "update"),
        of_target=of_target,
        rho=state.rho,
        smallest=smallest,
        largest_rho=best.rho,
        R=trace.R,
        one_class=_one_class(data.y),
    )
    return MarginView(data, run, trace, of_target, smallest, words)


def points_with_margin(rho: float, N: int, seed: int) -> Data:
    """The same random points for every rho, each moved straight towards the target, or away, so that ρ is rho.

    The nearest point then has y w_fᵀx / ‖w_f‖ = rho, and the farther a point was, the less it moves.
    Used in notebook 03, "Move the margin".
    """
    rho = check_number(rho, "the margin ρ", _LEAST_RHO, _MOST_RHO)
    X, y = separable(check_count(N, "N", at_least=1), w_f=_TARGET, rng=check_count(seed, "seed"))
    normal = _TARGET[1:]  # of length 1, so that a score is a distance in the plane
    distance = y * scores(_TARGET, X)
    least, nearest = distance.min(), rho * float(np.linalg.norm(_TARGET))
    wanted = nearest + (distance - least) * (_FARTHEST - nearest) / (_FARTHEST - least)
    moved = X + np.outer(y * (wanted - distance), normal)
    return Data(moved, y, w_f=_TARGET, about=f"points with margin {rho:g}")


def margin_explorer(*, rho: float = 0.1, N: int = 30, seed: int = 4) -> MarginExplorer:
    """Shrink the margin, and see how many updates PLA makes, what the bound allows, and the proof's three curves.

    Used in notebook 03, "Move the margin".

    Parameters
    ----------
    rho : float
        The margin ρ of the target, from 0.01 to 0.5.
    """
    check_number(rho, "rho", _LEAST_RHO, _MOST_RHO)
    N, seed = check_count(N, "N", at_least=2), check_count(seed, "seed")
    return MarginExplorer(MarginState(rho, N, seed, "target"))


class MarginExplorer(Explorer):
    """Controls: `rho`, `N`, `seed`, and `w_f`: whose bound is drawn, the target's or that of the maximum margin."""

    _state_type = MarginState

    def __init__(self, start: MarginState) -> None:
        low, high = math.log10(_LEAST_RHO), math.log10(_MOST_RHO)
        self.rho = ipw.FloatLogSlider(value=start.rho, min=low, max=high, step=0.02, readout_format=".3f")
        self.rho.description = say("margin.rho")
        self.N, self.seed = _sample(start.N, start.seed, "50px")
        self.w_f = _toggle([(say("margin.target"), "target"), (say("margin.maximum"), "maximum")], say("margin.w_f"))
        tidy(self.rho, self.N, name="74px")
        sliders = self.rho, self.N, self.seed
        super().__init__([row(*sliders), self.w_f], [*sliders, self.w_f])

    def _make_figure(self) -> Figure:
        figure = _figure(11.6, 6.2)
        self.plane = _plane_axes(figure, (0.08, 0.235, 0.37, 0.70), ("x₁", "x₂"))
        self.panels = [figure.add_axes((0.53, bottom, 0.45, 0.175)) for bottom in (0.76, 0.4975, 0.235)]
        for ax in self.panels[:2]:
            ax.tick_params(labelbottom=False)  # the third one's t is theirs
        self.show(self.state)
        lines = say("margin.legend_pla"), say("margin.legend_target"), say("margin.legend_margin")
        labels = ["y = +1", "y = −1", *lines, "measured", "bound", "impossible"]
        _legend(figure, labels, loc="lower center", ncols=4, columnspacing=1.6)
        return figure

    def show(self, state: MarginState) -> str:
        """Draw the points, the lines and the three curves."""
        view = margin_view(state)
        for ax in (self.plane, *self.panels):
            wipe(ax)
        heading = say("margin.title", T=view.run.updates, bound=view.trace.bound)
        label = say("margin.legend_pla")
        X, y = view.data
        describe([self.plane], draw_hypothesis(self.plane, _MARGIN_BOX, view.run.w, X, y, title=heading, label=label))
        w_f, rho = view.trace.w_f, view.trace.rho * float(np.linalg.norm(view.trace.w_f))
        look: dict[str, Any] = {"color": _theme.NEXT}
        _draw_line(self.plane, w_f, _MARGIN_BOX, linestyle="--", label=say("margin.legend_target"), **look)
        look |= {"linestyle": ":", "linewidth": 1.4, "label": say("margin.legend_margin")}
        for side in (-rho, rho):
            _draw_line(self.plane, w_f + np.array([side, 0, 0]), _MARGIN_BOX, **look)
        draw_proof(self.panels, view.trace)
        for ax in self.panels:
            ax.yaxis.set_major_locator(MaxNLocator(nbins=3))
        for ax in self.panels[:2]:
            ax.set_xlabel("")
        return view.words


_MOST_NOISE: Final = 0.5  # where a label says nothing any more
_POCKET_BOX: Final = Box(-1.1, 1.1, -1.1, 1.1)
_TESTS: Final = 2000  # examples of the test set: its error rate is right to about a percent


@dataclass(frozen=True)
class PocketState:
    """How noisy the labels are, how long Pocket walks, on how many points, and which."""

    noise: float
    updates: int
    N: int
    seed: int


@dataclass(frozen=True, eq=False)
class PocketView:
    """What the pocket explorer shows: the points, the walk, and how the pocket, the last w and the best line do."""

    data: Data
    run: Run
    best: BestLine
    train_error: float
    test_error: float
    last_train_error: float
    last_test_error: float
    best_test_error: float
    words: str


def pocket_view(state: PocketState) -> PocketView:
    """How far does Pocket come in so many updates, and how good is that on points it has not seen?

    The same seed gives the same points and the same walk: more updates make it longer, more noise flips more labels.
    Used in notebook 04, "Play with the noise".
    """
    noise, N = check_number(state.noise, "noise", 0, _MOST_NOISE), check_count(state.N, "N", at_least=1)
    seed = check_count(state.seed, "seed")
    data, test, best = _noisy_points(noise, N, seed)
    run = pocket(*data, max_updates=check_count(state.updates, "updates"), rng=seed)
    ends = run.w, run.last_w, best.w
    train, last_train, best_train = (error_rate(w, *data) for w in ends)
    tested, last_tested, best_tested = (error_rate(w, *test) for w in ends)
    words = say(
        "pocket.sentence",
        updates=_format.count(run.updates, "update"),
        train=_rate(train),
        test=_rate(tested),
        tests=_TESTS,
        last_train=_rate(last_train),
        last_test=_rate(last_tested),
        best_train=_rate(best_train),
        best_test=_rate(best_tested),
        labels=_format.count(len(data.flipped), "label"),
        N=N,
        one_class=_one_class(data.y),
    )
    return PocketView(data, run, best, train, tested, last_train, last_tested, best_tested, words)


@lru_cache(maxsize=32)
def _noisy_points(noise: float, N: int, seed: int) -> tuple[Data, Data, BestLine]:
    """Points to learn from, points to test on, of one target and one noise, and the best line for the first."""
    data = noisy(N, noise=noise, rng=seed)
    test = noisy(_TESTS, noise=noise, w_f=data.w_f, rng=np.random.default_rng([seed, 1]))
    return data, test, best_line(*data)


def pocket_explorer(*, noise: float = 0.1, updates: int = 50, N: int = 50, seed: int = 5) -> PocketExplorer:
    """Choose noise and updates, and see Pocket's walk, its pocket and last w, train and test error, and the optimum.

    Used in notebook 04, "Play with the noise".
    """
    check_number(noise, "noise", 0, _MOST_NOISE)
    N, seed = check_count(N, "N", at_least=2), check_count(seed, "seed")
    return PocketExplorer(PocketState(noise, check_count(updates, "updates"), N, seed))


class PocketExplorer(Explorer):
    """Controls: `noise`, `updates`, `N`, `seed`."""

    _state_type = PocketState

    def __init__(self, start: PocketState) -> None:
        name = say("pocket.noise")
        self.noise = ipw.FloatSlider(value=start.noise, min=0, max=_MOST_NOISE, step=0.01, description=name)
        name, most = say("pocket.updates"), max(300, start.updates)
        self.updates = ipw.IntSlider(value=start.updates, min=0, max=most, description=name)
        self.N, self.seed = _sample(start.N, start.seed, "70px")
        tidy(self.noise, self.updates, self.N, name="70px")
        controls = [self.noise, self.updates, self.N, self.seed]
        super().__init__([row(*controls[:2]), row(*controls[2:])], controls)

    def _make_figure(self) -> Figure:
        figure = _figure(11.6, 5.6)
        self.plane = _plane_axes(figure, (0.065, 0.21, 0.37, 0.72), ("x₁", "x₂"))
        self.walk = figure.add_axes((0.53, 0.21, 0.45, 0.72))
        self.show(self.state)
        lines = say("pocket.legend_pocket"), say("pocket.legend_last"), say("pocket.legend_best")
        labels = ["y = +1", "y = −1", "mistake", *lines, "$w_t$"]
        _legend(figure, labels, loc="lower center", ncols=7, columnspacing=1.2)
        return figure

    def show(self, state: PocketState) -> str:
        """Draw the points, the three lines and the walk."""
        view = pocket_view(state)
        wipe(self.plane)
        wipe(self.walk)
        title = say("pocket.title", rate=_rate(view.test_error), last_rate=_rate(view.last_test_error))
        look: dict[str, Any] = {"color": _theme.POCKET, "linewidth": 1.5 * _theme.LINE_WIDTH, "title": title}
        label = say("pocket.legend_pocket")
        X, y = view.data
        describe([self.plane], draw_hypothesis(self.plane, _POCKET_BOX, view.run.w, X, y, label=label, **look))
        look = {"color": _theme.FAINT, "linestyle": "--", "label": say("pocket.legend_last")}
        _draw_line(self.plane, view.run.last_w, _POCKET_BOX, **look)
        look = {"color": _theme.INK, "linestyle": ":", "label": say("pocket.legend_best")}
        _draw_line(self.plane, view.best.w, _POCKET_BOX, **look)
        draw_errors(self.walk, view.run, view.best.mistakes)
        return view.words

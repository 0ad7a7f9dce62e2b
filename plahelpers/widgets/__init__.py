"""Things to touch: the step-through player, the live PLA stepper and three explorers.

    from plahelpers import widgets
    widgets.hypothesis_explorer()

See `explorers` for how an explorer works, `player` for `play(run)` and `pla_stepper` for the live stepper.
"""

from plahelpers.widgets.explorers import (
    Explorer,
    HypothesisExplorer,
    LineState,
    LineView,
    MarginExplorer,
    MarginState,
    MarginView,
    PocketExplorer,
    PocketState,
    PocketView,
    angle_and_offset,
    hypothesis_explorer,
    line_view,
    margin_explorer,
    margin_view,
    pocket_explorer,
    pocket_view,
    points_with_margin,
    weights_of,
)
from plahelpers.widgets.pla_stepper import stepper
from plahelpers.widgets.player import play

__all__ = [
    "Explorer",
    "HypothesisExplorer",
    "LineState",
    "LineView",
    "MarginExplorer",
    "MarginState",
    "MarginView",
    "PocketExplorer",
    "PocketState",
    "PocketView",
    "angle_and_offset",
    "hypothesis_explorer",
    "line_view",
    "margin_explorer",
    "margin_view",
    "play",
    "pocket_explorer",
    "pocket_view",
    "points_with_margin",
    "stepper",
    "weights_of",
]

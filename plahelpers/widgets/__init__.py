"""Things to touch: the player of a run, the PLA stepper, the proof and three explorers, in JupyterLab and in any page.

    from plahelpers import widgets
    widgets.hypothesis_explorer()

The page computes and draws (the folder `js`), so that all of them are alive in the book, on slides and on a phone, too.
Python sends the data (see `page`), and can go on with the points that a user has drawn in the stepper.
"""

from plahelpers.widgets.explorers import hypothesis_explorer, margin_explorer, pocket_explorer, points_with_margin
from plahelpers.widgets.pla_stepper import stepper
from plahelpers.widgets.player import play
from plahelpers.widgets.proof import proof_stage

__all__ = [
    "hypothesis_explorer",
    "margin_explorer",
    "play",
    "pocket_explorer",
    "points_with_margin",
    "proof_stage",
    "stepper",
]

"""Pictures: each is one call, takes `ax=None`, returns its Axes, and carries an alternative text (`alt_text`).

    from plahelpers import pla, plots, running_example
    run = pla(*running_example())
    plots.hypothesis(run);

The figures are pyplot's, made in our own style; nobody's rcParams are changed for good. In a notebook the alternative
text is stored with the picture, as metadata of its PNG. (Close figures that are no longer needed, outside a notebook.)
A box is (left, right, bottom, top), as `box_around(X)` gives it. To draw on Axes of your own in the same style, make
them inside `with plots.style():`.
"""

from plahelpers.geometry import Box, box_around
from plahelpers.plots.bars import rates, shares
from plahelpers.plots.base import STYLE, alt_text, style
from plahelpers.plots.curves import against_n, bounded, gains, histogram, hull, proof, race, scaling
from plahelpers.plots.diagram import learning_picture, neuron
from plahelpers.plots.plane import conflict, counts, hypothesis, lines, perceptron, points
from plahelpers.plots.ring import cycle
from plahelpers.plots.walk import along, corrections, errors, farthest, half_spaces, rises, steps, update, weight_space
from plahelpers.plots.weights import labellings, multiples, normal, scores

__all__ = [
    "STYLE",
    "Box",
    "against_n",
    "along",
    "alt_text",
    "bounded",
    "box_around",
    "conflict",
    "corrections",
    "counts",
    "cycle",
    "errors",
    "farthest",
    "gains",
    "half_spaces",
    "histogram",
    "hull",
    "hypothesis",
    "labellings",
    "learning_picture",
    "lines",
    "multiples",
    "neuron",
    "normal",
    "perceptron",
    "points",
    "proof",
    "race",
    "rates",
    "rises",
    "scaling",
    "scores",
    "shares",
    "steps",
    "style",
    "update",
    "weight_space",
]

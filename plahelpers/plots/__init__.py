"""Pictures: each is one call, takes `ax=None`, returns its Axes, and carries an alternative text (`alt_text`).

    from plahelpers import pla, plots, running_example
    run = pla(*running_example())
    plots.hypothesis(run);

The figures are pyplot's, made in our own style; nobody's rcParams are changed for good. In a notebook the alternative
text is stored with the picture, as metadata of its PNG. (Close figures that are no longer needed, outside a notebook.)
A box is (left, right, bottom, top). To draw on Axes of your own in the same style, make
them inside `with plots.style():`.
"""

from plahelpers.plots.base import alt_text, style
from plahelpers.plots.diagram import learning_picture, neuron
from plahelpers.plots.many_runs import histogram, learning_curves, rates
from plahelpers.plots.plane import conflict, hypothesis, labellings, lines, perceptron, points
from plahelpers.plots.proof import hull
from plahelpers.plots.walk import errors, rises, steps, update, weight_space

__all__ = [
    "alt_text",
    "conflict",
    "errors",
    "histogram",
    "hull",
    "hypothesis",
    "labellings",
    "learning_curves",
    "learning_picture",
    "lines",
    "neuron",
    "perceptron",
    "points",
    "rates",
    "rises",
    "steps",
    "style",
    "update",
    "weight_space",
]

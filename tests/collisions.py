"""Words of a figure that cannot be read."""

from itertools import chain, combinations

import numpy as np
from matplotlib.transforms import Bbox


def xy(line):
    return np.column_stack(line.get_data())


def texts_of(ax):
    """Every text that is seen, with its rectangle: words, legend, title, and the names and numbers of the axes."""
    texts = [*ax.texts, ax.title, *(ax.get_legend().get_texts() if ax.get_legend() else [])]
    for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
        low, high = sorted(axis.get_view_interval())
        texts += [axis.label, *(tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high)]
    return [(text, text.get_window_extent().padded(-1.5)) for text in texts if text.get_text().strip()]


def is_on(text, box, line):
    """Is this text on a mark of this line, or on the line itself? With paper of its own it may be on a line."""
    radius, marks = 0.4 * line.get_markersize() * line.axes.figure.dpi / 72, line.axes.transData.transform(xy(line))
    if line.get_marker() != "None" and any(box.padded(radius).contains(*mark) for mark in marks):
        return True
    seen = Bbox.intersection(box, line.axes.bbox) if line.get_clip_on() else box
    if seen is None or line.get_linestyle() == "None" or text.get_bbox_patch():
        return False
    return line.get_transform().transform_path(line.get_path()).intersects_bbox(seen, filled=False)


def collisions(figure):
    """Where words of a figure are on other words, on a mark or on a line, or are cut by the edge."""
    figure.canvas.draw()
    paper = figure.get_tightbbox().transformed(figure.dpi_scale_trans).padded(1)
    texts = {ax: texts_of(ax) for ax in figure.axes if ax.get_visible()}
    for (one, box), (other, other_box) in combinations(chain(*texts.values()), 2):
        if box.overlaps(other_box):
            yield f"{one.get_text()} is on {other.get_text()}"
    for ax, text, box in ((ax, *each) for ax, inside in texts.items() for each in inside):
        if not (paper.contains(*box.min) and paper.contains(*box.max)):
            yield f"{text.get_text()} is cut"
        if any(is_on(text, box, line) for line in ax.lines):
            yield f"{text.get_text()} is on a mark or a line"

"""The player: a run of PLA or Pocket, step by step, in a page that needs no kernel."""

from typing import Final

from plahelpers import _format
from plahelpers.geometry import box_around
from plahelpers.learning import Run
from plahelpers.widgets.page import Page, Spec, points_of, specification

NAMES: Final = ("x₁", "x₂")
_MOST_EXAMPLES: Final = 2000  # more than can be told apart
_MOST_PICKS: Final = 20_000  # of a run whose picks have to be sent along


def play(run: Run) -> Page:
    """Show a run update by update, with buttons, a slider and keys, in a page that needs no kernel and no network.

    Each step shows w_t, its line and its mistakes, and which mistake is corrected next, so that the reader can predict
    the next line, by hand too. A Pocket run also shows the line in the pocket.
    """
    if not isinstance(run, Run):
        raise TypeError(f"play shows what plahelpers.pla or plahelpers.pocket returned; this is {run!r}.")
    if run.d != 2:
        raise ValueError(
            f"play draws in the plane, d = 2; this run has d = {run.d}. Run it on two of the columns, "
            "such as pla(X[:, [0, 1]], y), or use plots.errors(run), which draws a run of any d."
        )
    if run.N > _MOST_EXAMPLES or (run.cycle is None and run.updates > _MOST_PICKS):
        raise ValueError(
            f"this run is too long for a page: {_format.count(run.N, 'example')} and "
            f"{_format.count(run.updates, 'update')}, where {_MOST_EXAMPLES:,} examples and, with random picks, "
            f"{_MOST_PICKS:,} updates are the most. Use plots.errors(run), or a smaller run."
        )
    picks = {"picks": run.picks.tolist()} if run.cycle is None else {}  # where chance has made them
    data = {"algorithm": run.algorithm, "problem": _problem(run), **picks}
    spec = specification("player", ["walk", "player"], **data, names=NAMES, box=box_around(run.X)._asdict())
    return Page(spec, f"{run!r}.")


def _problem(run: Run) -> Spec:
    """The problem that js/model.js solves again."""
    return {
        **points_of(run.X, run.y),
        "cycle": None if run.cycle is None else run.cycle.tolist(),
        "start": run.start.tolist(),
        "eta": run.eta,
        "signOfZero": run.sign_of_zero,
        "maxUpdates": run.max_updates,
    }

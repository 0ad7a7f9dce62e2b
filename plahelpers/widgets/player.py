"""The player: a run of PLA or Pocket, step by step, in a page that needs no kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from plahelpers import _format
from plahelpers._validation import IntArray
from plahelpers.geometry import box_around
from plahelpers.learning import Run
from plahelpers.widgets.page import Spec, as_page, as_table, points_of, specification

NAMES: Final = ("x₁", "x₂")
_MOST_EXAMPLES: Final = 2000  # more than can be told apart
_MOST_PICKS: Final = 20_000  # of a run whose picks have to be sent along
_ROWS: Final = 12  # of the table that stands in for the player where no script runs


def play(run: Run, *, autoplay: bool = False) -> Player:
    """Show a run update by update, with buttons, a slider and keys, in a page that needs no kernel and no network.

    Each step shows w_t, its line and its mistakes, and which mistake is corrected next, so that the reader can predict
    the next line, by hand too. A Pocket run also shows the line in the pocket. With `autoplay` the run starts by itself
    in a page, until it is touched.
    """
    if not isinstance(run, Run):
        raise TypeError(f"play shows what pla or pocket returned, such as play(pla(X, y)); this is {run!r}.")
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
    return Player(run, run.picks, autoplay)


@dataclass(frozen=True, eq=False, repr=False)
class Player:
    """A run that can be stepped through, as a piece of HTML; in a terminal, as a sentence."""

    run: Run
    picks: IntArray
    autoplay: bool

    @property
    def spec(self) -> Spec:
        """What the page is sent: the problem, and the picks where chance has made them."""
        run, box = self.run, box_around(self.run.X)._asdict()
        picks = {"picks": self.picks.tolist()} if run.cycle is None else {}
        data = {"algorithm": run.algorithm, "problem": _problem(run), **picks, "names": NAMES, "box": box}
        return specification("player", ["walk", "player"], **data, autoplay=self.autoplay)

    @property
    def table(self) -> str:
        """The run as a sentence and a table: what is read where no script runs."""
        run, rest = self.run, self.run.updates - _ROWS
        head = ["update", "corrects example", "w after it", "mistakes left"]
        rows = [_table_row(run, t) for t in range(min(run.updates, _ROWS))]
        return as_table(
            repr(self), head, rows, f"After these: {_format.count(rest, 'more update')}." if rest > 0 else ""
        )

    def _repr_html_(self) -> str:
        return as_page(self.spec, self.table)

    def __repr__(self) -> str:
        return f"{self.run!r}."


def _problem(run: Run) -> dict[str, Any]:
    """The problem that js/model.js solves again."""
    return {
        **points_of(run.X, run.y),
        "cycle": None if run.cycle is None else run.cycle.tolist(),
        "start": run.start.tolist(),
        "eta": run.eta,
        "signOfZero": run.sign_of_zero,
        "maxUpdates": run.max_updates,
    }


def _table_row(run: Run, t: int) -> tuple[object, ...]:
    n = run.picks[t]
    example = f"{n}, a {'+' if run.y[n] > 0 else '−'}, at {_format.vector(run.X[n])}"
    return t + 1, example, _format.vector(run.weights[t + 1]), run.errors[t + 1]

"""The player: a run of PLA or Pocket, step by step, in a page that needs no kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plahelpers import _format
from plahelpers._validation import check_count
from plahelpers.geometry import box_around
from plahelpers.learning import Run
from plahelpers.widgets.page import Spec, as_page, as_table, points_of, say, sign_mark, specification

NAMES: Final = ("x₁", "x₂")
_MOST_EXAMPLES: Final = 2000  # more than can be told apart
_MOST_PICKS: Final = 20_000  # of a run whose picks have to be sent along
_ROWS: Final = 12  # of the table that stands in for the player where no script runs


def play(run: Run) -> Player:
    """Show a run update by update, with buttons, a slider and keys, in a page that needs no kernel and no network.

    Each step shows w_t, its line and its mistakes, the last update as arrows, and which mistake is corrected next,
    so that the reader can predict the next w. A Pocket run also shows the line in the pocket.
    Used first in chapter 2, "Step through a run".
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
    run.weights  # noqa: B018  (says how to keep the path, if it was not kept)
    return Player(run)


@dataclass(frozen=True, eq=False, repr=False)
class Player:
    """A run that can be stepped through, as a piece of HTML; in a terminal, as sentences."""

    run: Run

    @property
    def spec(self) -> Spec:
        """What the page is sent: the problem, and the picks where chance has made them."""
        run, box = self.run, box_around(self.run.X)
        note = "" if math.isclose(*box.spans) else say("table", "scales")
        picks = {"picks": run.picks.tolist()} if run.cycle is None else {}
        data = {"algorithm": run.algorithm, "problem": _problem(run), **picks, "names": NAMES}
        return specification("player", ["walk", "player"], **data, box=box._asdict(), note=note)

    @property
    def table(self) -> str:
        """The run as a sentence and a table: what is read where no script runs."""
        run, rest = self.run, _format.count(self.run.updates - _ROWS, "more update")
        head = [say("table", f"update_{name}") for name in ("number", "example", "w", "mistakes")]
        rows = [_table_row(run, t) for t in range(min(run.updates, _ROWS))]
        return as_table(f"{run!r}.", head, rows, say("table", "after", updates=rest) if run.updates > _ROWS else "")

    def _repr_html_(self) -> str:
        return as_page(self.spec, self.table)

    def __repr__(self) -> str:
        sentences = [words(self.run, t) for t in range(min(self.run.updates, _ROWS))]
        rest = self.run.updates - len(sentences)
        more = [say("steps", "more", updates=_format.count(rest, "more update"))] if rest else []
        return "\n".join([*sentences, *more, words(self.run, self.run.updates)])


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
    example = say("table", "row_example", n=n, sign=sign_mark(run.y[n]), x=_format.vector(run.X[n]))
    return t + 1, example, _format.vector(run.weights[t + 1]), run.errors[t + 1]


def words(run: Run, t: int) -> str:
    """Step t of a run in words: which example is corrected, what becomes of w, how many mistakes are left.

    Used first in chapter 2, "Step through a run".
    """
    t = check_count(t, "t")
    if t > run.updates:
        raise ValueError(f"t = {t} is past the end: this run has T = {_format.count(run.updates, 'update')}.")
    sentences = [_no_line(run, t)]
    if t == run.updates:
        sentences.append(f"{run!r}.")
    else:
        sentences.append(_update_words(run, t))
        if run.algorithm == "Pocket":
            sentences.append(_pocket_words(run, t))
    return " ".join(filter(None, sentences))


def _update_words(run: Run, t: int) -> str:
    n, before, after = run.picks[t], run.errors[t], run.errors[t + 1]
    example = {"n": n, "sign": sign_mark(run.y[n]), "x": _format.vector(run.X[n])}
    weights = {"before": _format.vector(run.weights[t]), "after": _format.vector(run.weights[t + 1])}
    left = say("steps", "left", mistakes=_format.count(after, "mistake").capitalize())
    counts = {
        "left": say("steps", "one_left") if after == 1 else left,
        "earlier": say("steps", "there_was_one") if before == 1 else say("steps", "there_were", count=before),
    }
    return say("steps", "update", number=t + 1, T=run.updates, **example, **weights, **counts)


def _pocket_words(run: Run, t: int) -> str:
    """What the pocket does with the w that update t + 1 made."""
    best = int(np.argmin(run.errors[: t + 1]))  # the first with the fewest mistakes
    if run.errors[t + 1] < run.errors[best]:
        return say("steps", "into_pocket", mistakes=run.errors[best])
    return say("steps", "pocket_keeps", t=best, mistakes=_format.count(run.errors[best], "mistake"))


def _no_line(run: Run, t: int) -> str:
    """What w_t says where it has no line to draw; nothing if it has one."""
    w = run.weights[t]
    if w[1:].any():
        return ""
    if w[0]:
        return say("steps", "no_line", sign=sign_mark(w[0]))
    if run.sign_of_zero == 0:
        return say("steps", "zero_undecided")
    return say("steps", "zero", sign=sign_mark(run.sign_of_zero))

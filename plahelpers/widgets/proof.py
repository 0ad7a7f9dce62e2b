"""The convergence proof as one stage: ρ, the part of w along w_f, the length of w, and the race of the two lengths."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from plahelpers import _format, _theme
from plahelpers._validation import FloatArray, check_count
from plahelpers.guarantee import ProofTrace, proof_trace, separate
from plahelpers.hypothesis import with_bias
from plahelpers.learning import Run
from plahelpers.widgets.page import Spec, as_page, specification


def proof_stage(run: Run, w_f: ArrayLike | None = None, *, step: int = 4, t: int | None = None) -> ProofStage:
    """Build up the convergence proof in four steps, and run it; every length in the picture is measured on the run.

    Step 1 shows ρ, the shortest advance of a y·x along w_f; step 2 the part of w_t along w_f, which grows by at least
    ρ; step 3 the length of w_t, which stays within R√t; step 4 the race of these two lengths, up to where the part
    would be longer than the whole. Without w_f it is the one of maximum margin. `step` and `t` are where to begin.
    Used in chapter 3, "How much does an update gain?".
    """
    if not isinstance(run, Run):
        raise TypeError(f"proof_stage shows what pla returned, such as proof_stage(pla(X, y)); this is {run!r}.")
    if run.start.any() or run.eta != 1 or not run.updates or not run.halted:
        raise ValueError(
            "the stage shows a run that halted after at least one update, from the start w = 0 with η = 1."
        )
    step = check_count(step, "step", at_least=1, at_most=4)
    t = None if t is None else check_count(t, "t", at_most=run.updates)
    trace = proof_trace(run, w_f if w_f is not None else np.asarray(separate(run.X, run.y).w_f))
    return ProofStage(run, trace, step, t if t is not None or step == 4 else run.updates * (step > 1))


@dataclass(frozen=True, eq=False, repr=False)
class ProofStage:
    """A proof to look at, as a piece of HTML; without a script a still picture, in a terminal a sentence."""

    run: Run
    trace: ProofTrace
    step: int
    t: int | None  # the whole race, if it is None

    @property
    def spec(self) -> Spec:
        """What the page is sent: each length of the proof along the run."""
        start = {"step": self.step, "t": self.t}
        return specification("proof", ["proof"], **lengths_of(self.run, self.trace), start=start)

    def _repr_html_(self) -> str:
        svg = base64.b64encode(_still(lengths_of(self.run, self.trace), self.step, self.t).encode()).decode()
        image = f'<img alt="{html.escape(repr(self))}" width="560" src="data:image/svg+xml;base64,{svg}">'
        return as_page(self.spec, f"<p>{html.escape(repr(self))}</p>{image}")

    def __repr__(self) -> str:
        return f"The convergence proof on a run of PLA: {self.trace!r}."


def lengths_of(run: Run, trace: ProofTrace) -> Spec:
    """Every length of the proof: each y·x along w_f and across it, w_t likewise, each step along w and across it."""
    Z = run.y[:, np.newaxis] * with_bias(run.X)
    size, w_f = np.linalg.norm(trace.w_f), trace.w_f / np.linalg.norm(trace.w_f)
    added, before = Z[run.picks], run.weights[:-1]
    direction = before / np.maximum(np.linalg.norm(before, axis=1, keepdims=True), np.finfo(float).tiny)
    direction[0] = added[0] / np.linalg.norm(added[0])  # w = 0 has none: the first step goes straight on
    return {
        "rho": trace.rho,
        "R": trace.R,
        "bound": trace.bound,
        "y": run.y.tolist(),
        "picks": run.picks.tolist(),
        "steps": _along_and_across(Z, np.broadcast_to(w_f, Z.shape)).tolist(),
        "turns": _along_and_across(added, direction).tolist(),
        "parts": (trace.inner / size).tolist(),
        "lengths": np.sqrt(trace.norm_squared).tolist(),
    }


def _along_and_across(vectors: FloatArray, directions: FloatArray) -> FloatArray:
    """How far each vector goes along its direction, of length 1, and how far away from it."""
    along = np.einsum("ij,ij->i", vectors, directions)
    return np.column_stack([along, np.linalg.norm(vectors - along[:, np.newaxis] * directions, axis=1)])


# --- a still, for where no script runs --------------------------------------------------------------------------------


def _still(data: Spec, step: int, t: int | None) -> str:
    """A step of the stage as an image, above the sentence that it shows."""
    t = len(data["picks"]) if t is None else t
    rho, R, part, whole = data["rho"], data["R"], data["parts"][t], data["lengths"][t]
    w, most = (part, np.sqrt(max(whole**2 - part**2, 0))), R * np.sqrt(t)
    if step == 1:
        rays = [(_theme.FAINT, [(0, 0), tip]) for tip in data["steps"]]
        bound = (_theme.BOUND, [(rho, 0), (rho, R)])
        return _image([*rays, bound], R, f"Every y·x advances at least ρ = {rho:.3f} along w_f")
    if step == 2:
        sentence = f"t = {t}: the part of w along w_f is {part:.2f}, at least tρ = {t * rho:.2f}"
        return _image([(_theme.W, [(0, 0), w]), (_theme.INK, [(0, 0), (part, 0)])], R, sentence)
    if step == 3:
        angles = np.linspace(0, np.pi / 2, 60)
        circle = most * np.column_stack([np.cos(angles), np.sin(angles)])
        sentence = f"t = {t}: w is {whole:.2f} long, at most R√t = {most:.2f}"
        return _image([(_theme.W, [(0, 0), w]), (_theme.BOUND, circle)], max(most, R), sentence)
    share = np.linspace(0, 1.2, 60) ** 2  # of R²/ρ², the t at which both lengths are R²/ρ
    sentence = f"R√t and ρt meet at t = R²/ρ² = {_format.number(data['bound'])}; this run has T = {len(data['picks'])}"
    curve = np.column_stack([share, np.sqrt(share)])
    return _image([(_theme.BOUND, curve), (_theme.BOUND, [(0, 0), (1.5, 1.5)])], 1.5, sentence)


def _image(strokes: Sequence[tuple[str, ArrayLike]], reach: float, sentence: str) -> str:
    """Lines from 0 to the reach, each in its colour, above a sentence."""
    lines = "".join(
        f'<polyline points="{" ".join(f"{x:.3f},{-y:.3f}" for x, y in np.asarray(places))}" stroke="{colour}"/>'
        for colour, places in strokes
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 400"><rect width="560" height="400" fill="white"/>'
        f'<g transform="translate(50 330) scale({300 / reach:.5g})" fill="none" stroke-width="{reach / 100:.5g}">'
        f'{lines}</g><text x="20" y="380" font-family="sans-serif" font-size="18">{sentence}</text></svg>'
    )

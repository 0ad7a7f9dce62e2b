"""The convergence proof as one stage: ρ, the part of w along w_f, the length of w, and the race of the two lengths."""

import numpy as np
from numpy.typing import ArrayLike

from plahelpers._validation import FloatArray, check_count
from plahelpers.guarantee import ProofTrace, proof_trace, separate
from plahelpers.hypothesis import with_bias
from plahelpers.learning import Run
from plahelpers.widgets.page import Page, Spec, rounded, specification


def proof_stage(run: Run, w_f: ArrayLike | None = None, *, step: int = 4, t: int | None = None) -> Page:
    """Build up the convergence proof in four steps, and run it; every length in the picture is measured on the run.

    Step 1 shows ρ, the shortest advance of a y·x along w_f; step 2 the part of w_t along w_f, which grows by at least
    ρ; step 3 the length of w_t, which stays within R√t; step 4 the race of these two lengths, up to where the part
    would be longer than the whole. Without w_f it is the one of maximum margin. `step` and `t` are where to begin.
    Used in chapter 3, "How much does an update gain?".
    """
    if not isinstance(run, Run):
        raise TypeError(f"proof_stage shows what plahelpers.pla returned; this is {run!r}.")
    if run.start.any() or run.eta != 1 or not run.updates or not run.halted:
        raise ValueError(
            "the stage shows a run that halted after at least one update, from the start w = 0 with η = 1."
        )
    step = check_count(step, "step", at_least=1, at_most=4)
    t = None if t is None else check_count(t, "t", at_most=run.updates)
    trace = proof_trace(run, w_f if w_f is not None else np.asarray(separate(run.X, run.y).w_f))
    start = {"step": step, "t": t if t is not None or step == 4 else run.updates * (step > 1)}  # no t: the whole race
    spec = specification("proof", ["proof"], **lengths_of(run, trace), start=start)
    return Page(spec, f"The convergence proof on a run of PLA: {trace!r}.")


def lengths_of(run: Run, trace: ProofTrace) -> Spec:
    """Every length of the proof: each y·x along w_f and across it, w_t likewise, each step along w and across it."""
    Z = run.y[:, np.newaxis] * with_bias(run.X)
    size, w_f = np.linalg.norm(trace.w_f), trace.w_f / np.linalg.norm(trace.w_f)
    added, before = Z[run.picks], run.weights[:-1]
    direction = before / np.maximum(np.linalg.norm(before, axis=1, keepdims=True), np.finfo(float).tiny)
    direction[0] = added[0] / np.linalg.norm(added[0])  # w = 0 has none: the first step goes straight on
    return {
        "rho": rounded(trace.rho),
        "R": rounded(trace.R),
        "bound": rounded(trace.bound),
        "y": run.y.tolist(),
        "picks": run.picks.tolist(),
        "steps": rounded(_along_and_across(Z, np.broadcast_to(w_f, Z.shape))),
        "turns": rounded(_along_and_across(added, direction)),
        "parts": rounded(trace.inner / size),
        "lengths": rounded(np.sqrt(trace.norm_squared)),
    }


def _along_and_across(vectors: FloatArray, directions: FloatArray) -> FloatArray:
    """How far each vector goes along its direction, of length 1, and how far away from it."""
    along = np.einsum("ij,ij->i", vectors, directions)
    return np.column_stack([along, np.linalg.norm(vectors - along[:, np.newaxis] * directions, axis=1)])

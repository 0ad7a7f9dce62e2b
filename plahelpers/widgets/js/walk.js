// A run, step by step: how a step is shown, in the picture and in words.

import { bestAt, mistakes } from "./model.js";
import { Plane } from "./drawing.js";
import { Update } from "./motion.js";
import { MOVE, isCalm, movement } from "./stage.js";
import { sign, vector } from "./words.js";

// Shows step t of a run: w_t, its line and its mistakes, and which mistake comes next. What the next w will be is not
// shown: that is for the reader to predict.
export class Walk {
  constructor(stage, { names, algorithm = "PLA" }) {
    this.stage = stage;
    this.isPocket = algorithm === "Pocket";
    this.plane = new Plane(stage.plane, names);
    this.update = new Update(this.plane, stage.say);
    this.since = -Infinity; // when the last step was asked for
    this.stop = () => {};
    stage.root.style.setProperty("--words", this.isPocket ? "11.5em" : "7em");
    stage.legend.set(["w", "step", "plus", "minus", "mistake", "pick", ...(this.isPocket ? ["pocket"] : [])]);
  }

  // One step forward is a movement where it is asked for, unless the last one was just now: who is fast gets the end.
  show(run, t, { selected, moves = false, note = "", spoken, then = () => {} } = {}) {
    const isNext = run === this.run && t === this.t + 1;
    const isSlow = performance.now() - this.since > MOVE;
    this.stop();
    Object.assign(this, { run, t, since: moves ? performance.now() : this.since });
    this.tell(run, t, note, spoken);
    const end = () => {
      this.draw(run, t, selected);
      then();
    };
    if (!moves || !isNext || !isSlow || isCalm()) return end();
    const way = this.update.way(run, t - 1);
    this.stop = movement((share) => (share < 1 ? way(share) : end()));
  }

  draw(run, t, selected) {
    const { X, y, signOfZero } = run.problem;
    const w = run.weights[t];
    this.plane.setPoints(X, y, (n) => this.stage.say("example", { n }));
    this.plane.setRegions(w, signOfZero);
    if (this.isPocket) this.plane.setLine("pocket", run.weights[bestAt(run.errors, t)]);
    this.update.rest(run, t, selected);
  }

  tell(run, t, note = "", spoken = "") {
    const [w, { say }] = [run.weights[t], this.stage];
    const wrong = mistakes(w, run.problem).length;
    const isOutside = (w[1] || w[2]) && !this.plane.ends(w).length;
    this.stage.tell({
      head: this.heading(run, t, wrong),
      w: say(isOutside ? "w_outside" : "w_is", { w: vector(w) }),
      words: this.words(run, t, wrong),
      note,
    }, spoken);
  }

  heading(run, t, wrong) {
    const { say } = this.stage;
    const id = run.halted ? "head_halted" : this.isPocket ? "head_stopped" : "head_budget";
    const pocket = this.isPocket ? say("in_pocket", { count: run.errors[bestAt(run.errors, t)] }) : "";
    return say(id, { t, T: run.picks.length, mistakes: say("mistakes", { count: wrong }) }) + pocket;
  }

  words(run, t, wrong) {
    const { say } = this.stage;
    const { X, y } = run.problem;
    const example = (n) => ({ n, sign: sign(y[n]), x: vector(X[n]) });
    const sentences = [this.withoutLine(run, t)];
    if (t > 0) {
      const earlier = mistakes(run.weights[t - 1], run.problem).length;
      const counts = { left: say("left", { count: wrong }), earlier: say("earlier", { count: earlier }) };
      sentences.push(say("made", { t, ...example(run.picks[t - 1]), before: vector(run.weights[t - 1]), ...counts }));
    }
    if (this.isPocket && t > 0) {
      const [best, before] = [bestAt(run.errors, t), bestAt(run.errors, t - 1)];
      const held = { t: before, mistakes: say("mistakes", { count: run.errors[before] }) };
      sentences.push(say(best === t ? "into_pocket" : "pocket_keeps", held));
    }
    sentences.push(t < run.picks.length ? say("next_example", example(run.picks[t])) : this.ending(run, wrong));
    return sentences.filter(Boolean).join(" ");
  }

  ending(run, wrong) {
    const { say } = this.stage;
    const values = { updates: say("updates", { count: run.picks.length }), N: run.problem.y.length };
    if (run.halted) return say(this.isPocket ? "pocket_halted" : "pla_halted", values);
    if (!this.isPocket) return say("pla_budget", { ...values, wrong });
    const best = bestAt(run.errors, run.picks.length);
    return say("pocket_stopped", { ...values, t: best, w: vector(run.weights[best]), wrong: run.errors[best] });
  }

  withoutLine(run, t) {
    const [w, { signOfZero }, { say }] = [run.weights[t], run.problem, this.stage];
    if (w[1] || w[2]) return "";
    if (w[0]) return say("no_line", { sign: sign(w[0]) });
    return signOfZero === 0 ? say("zero_undecided") : say("zero", { sign: sign(signOfZero) });
  }
}

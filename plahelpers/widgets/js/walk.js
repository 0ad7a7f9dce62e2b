// A run, step by step: how a step is shown, and the player of a run that Python has made.

import { bestAt, mistakes, pla, pocket, replay } from "./model.js";
import { Plane, Vectors } from "./drawing.js";
import { WIDGETS } from "./stage.js";
import { sign, vector } from "./words.js";

const PACE = 1400; // milliseconds a step, while playing
const CALM_PACE = 3000; // the same, for who asks the system for less motion

// Shows step t of a run: w_t, its line and its mistakes, and which mistake comes next. What the next w will be is not
// shown: that is for the reader to predict.
export class Walk {
  constructor(stage, { names, algorithm = "PLA" }) {
    this.stage = stage;
    this.isPocket = algorithm === "Pocket";
    this.plane = new Plane(stage.plane, names);
    this.vectors = new Vectors(stage.charts);
    stage.root.style.setProperty("--charts", "12em");
    stage.root.style.setProperty("--words", this.isPocket ? "7em" : "4.2em");
  }

  show(run, t, { selected, note = "", spoken } = {}) {
    const { X, y, eta, signOfZero } = run.problem;
    const [w, before, pick] = [run.weights[t], run.weights[t - 1], run.picks[t]];
    const wrong = mistakes(w, run.problem);
    const [plane, { say }] = [this.plane, this.stage];
    plane.setPoints(X, y, (n) => say("example", { n }));
    plane.setRings(wrong, { pick, selected });
    plane.setRegions(w, signOfZero);
    const ends = plane.setLine("g", w);
    plane.setArrow(w, ends);
    const inPocket = this.isPocket && plane.setLine("pocket", run.weights[bestAt(run.errors, t)]).length > 0;
    const step = pick === undefined ? null : X[pick].map((value) => eta * y[pick] * value);
    this.vectors.set(before?.slice(1), w.slice(1), step);
    const outside = !ends.length && (w[1] || w[2]);
    this.stage.tell({
      head: this.heading(run, t, wrong.length),
      w: say(outside ? "w_outside" : "w_is", { w: vector(w) }),
      words: this.words(run, t, wrong.length),
      note,
    }, spoken);
    const name = eta === 1 ? "y·x" : "η·y·x";
    this.stage.legend.set([
      ...(w[1] || w[2] ? [["w"]] : []),
      ...(before?.[1] || before?.[2] ? [["before"]] : []),
      ...(step ? [["step", { step: name, n: pick }]] : []),
      ["plus"], ["minus"],
      ...(wrong.length ? [["mistake"]] : []),
      ...(step ? [["pick"]] : []),
      ...(inPocket ? [["pocket"]] : []),
    ]);
  }

  heading(run, t, wrong) {
    const { say } = this.stage;
    const id = run.halted ? "head_halted" : this.isPocket ? "head_stopped" : "head_budget";
    return say(id, { t, T: run.picks.length, mistakes: say("mistakes", { count: wrong }) });
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

// The run of a specification: made again along its cycle, or along the picks that chance has made.
function runOf({ problem, picks, algorithm }) {
  if (picks === undefined) return algorithm === "Pocket" ? pocket(problem) : pla(problem);
  const run = replay(problem, picks);
  return algorithm === "Pocket" ? { ...run, errors: run.weights.map((w) => mistakes(w, problem).length) } : run;
}

// The player: buttons, a slider and keys step through a run.
function player(stage, spec) {
  const walk = new Walk(stage, spec);
  const run = runOf(spec);
  const last = run.picks.length;
  walk.plane.setBox(spec.box);
  let [at, timer] = [0, null];

  const go = (to) => {
    at = Math.min(Math.max(to, 0), last);
    walk.show(run, at, { note: spec.note });
    slider(at);
    for (const name of ["first", "back"]) stage.enable(buttons[name], at > 0);
    for (const name of ["next", "last"]) stage.enable(buttons[name], at < last);
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    stage.silent = false;
    buttons.play.textContent = stage.say("play");
  };
  const start = () => {
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    stage.silent = true; // words that come faster than they can be read aloud are noise
    buttons.play.textContent = stage.say("pause");
    go(at === last ? 0 : at + 1);
    timer = setInterval(() => {
      const seen = stage.host.getClientRects().length > 0; // a slide that was left is not
      if (seen && at < last) go(at + 1);
      if (seen && at < last) return;
      stop();
      go(at); // and this is read out
    }, calm ? CALM_PACE : PACE);
  };
  const step = (to) => {
    stop();
    go(to);
  };
  const actions = {
    first: () => step(0), back: () => step(at - 1), play: () => (timer === null ? start() : stop()),
    next: () => step(at + 1), last: () => step(last),
  };
  const bar = stage.row();
  const buttons = stage.buttons(bar, actions);
  stage.enable(buttons.play, last > 0);
  const slider = stage.slider(bar, "step", { min: 0, max: last, step: 1 }, (t) => stage.say("t_is", { t }), step);
  const keys = {
    ArrowLeft: actions.back, ArrowDown: actions.back, ArrowRight: actions.next, ArrowUp: actions.next,
    Home: actions.first, End: actions.last, " ": actions.play,
  };
  walk.plane.handleKeys(stage.say("player_label"), (key) => {
    keys[key]?.();
    return key in keys;
  });
  go(0);
}

WIDGETS.player = player;

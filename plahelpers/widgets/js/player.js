// The player of a run that Python has made: buttons, keys, and a slider on the curve of its mistakes.

import { draw, set } from "./drawing.js";
import { Ghost } from "./ghost.js";
import { angle, bestAt, mistakes, pla, pocket, replay } from "./model.js";
import { WIDGETS, isCalm } from "./stage.js";
import { Walk } from "./walk.js";
import { integer } from "./words.js";

const PACE = 1400; // milliseconds a step, while playing
const LONG_RUN = 40000; // milliseconds that a long run takes at most, as its steps are faster
const CALM_PACE = 3000; // the same, for who asks the system for less motion
const SAMPLES = 300; // steps of a long run whose mistakes are counted for the curve

// The run of a specification: made again along its cycle, or along the picks that chance has made.
function runOf({ problem, picks, algorithm }) {
  if (picks === undefined) return algorithm === "Pocket" ? pocket(problem) : pla(problem);
  const run = replay(problem, picks);
  return algorithm === "Pocket" ? { ...run, errors: run.weights.map((w) => mistakes(w, problem).length) } : run;
}

// The curve of a run's mistakes as the track of a slider.
function drawTrack(input, { weights, problem, errors }) {
  const last = Math.max(weights.length - 1, 1);
  const count = Math.min(last, SAMPLES);
  const times = Array.from({ length: count + 1 }, (_, k) => Math.min(Math.round((k * last) / count), weights.length - 1));
  const counts = times.map((t) => mistakes(weights[t], problem).length);
  const curve = (values) => values.map((wrong, k) => `${(1000 * k) / count} ${96 - (90 * wrong) / Math.max(...counts, 1)}`);
  const places = curve(counts);
  const track = document.createElement("span");
  input.replaceWith(track);
  track.className = "track";
  const svg = draw(track, "svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  draw(svg, "path", { class: "under", d: `M0 100L${places.join("L")}L1000 100Z` });
  draw(svg, "path", { class: "curve mistakes", d: `M${places.join("L")}` });
  if (errors) draw(svg, "path", { class: "curve kept", d: `M${curve(times.map((t) => errors[bestAt(errors, t)])).join("L")}` });
  track.append(input);
}

class Player {
  constructor(stage, spec) {
    Object.assign(this, { stage, say: stage.say, run: runOf(spec), at: 0, angles: new Map() });
    this.last = this.run.picks.length;
    this.walk = new Walk(stage, spec);
    this.plane = this.walk.plane;
    this.plane.setBox(spec.box);
    this.plane.takeKeys(this.say("player_label"));
    this.ghost = new Ghost(this.plane, this.say, () => this.playing.pause());
    stage.root.classList.toggle("steady", stage.inHall); // so that no button moves in front of an audience
    this.addControls();
    this.go(0);
    stage.onPaper((printing) => this.walk.show(this.run, printing ? this.last : this.at));
  }

  addControls() {
    const [bar, { stage }] = [this.stage.row(this.stage.panel, "bar"), this];
    const actions = {
      first: () => this.step(0), back: () => this.step(this.at - 1),
      play: () => this.playing.toggle(),
      next: () => this.step(this.at + 1, true), last: () => this.step(this.last),
    };
    this.buttons = stage.buttons(bar, { ...actions, predict: () => this.predict() });
    set(this.buttons.predict, { "aria-pressed": false });
    for (const name of ["play", "predict"]) stage.enable(this.buttons[name], this.last > 0);
    this.playing = stage.player(this.buttons.play, {
      pace: () => (isCalm() ? CALM_PACE : Math.min(PACE, LONG_RUN / this.last)),
      step: () => this.go(this.at === this.last ? 0 : this.at + 1, true),
      isOver: () => this.at === this.last,
      end: () => this.walk.tell(this.run, this.at),
    });
    bar.addEventListener("click", ({ pointerType, target }) => { // the next key is for the run, not for the button
      if (pointerType === "mouse" && target !== this.buttons.predict) this.plane.svg.focus({ preventScroll: true });
    });
    const format = (t) => this.say("t_is", { t });
    this.slider = stage.slider(stage.row(), "step", { max: this.last }, format, (t) => this.step(t));
    set(this.slider.input, { "aria-label": this.say("step_label") });
    drawTrack(this.slider.input, this.run);
    stage.handleKeys(actions, (event, control) => control === this.ghost.node && this.ghost.press(event));
  }

  // To a step, alone or as a movement; a line that was predicted for it is judged.
  go(to, moves = false) {
    const guess = to === this.at + 1 && to <= this.last && this.ghost.isTouched ? this.ghost.w : null;
    this.at = Math.min(Math.max(to, 0), this.last);
    this.slider(this.at);
    for (const name of ["first", "back"]) this.stage.enable(this.buttons[name], this.at > 0);
    for (const name of ["next", "last"]) this.stage.enable(this.buttons[name], this.at < this.last);
    this.walk.show(this.run, this.at, { moves, then: () => this.placeGhost(guess) });
  }

  step(to, moves = false) {
    this.playing.pause();
    this.go(to, moves);
  }

  // --- predicting ---

  predict() {
    this.isPredicting = !this.isPredicting;
    set(this.buttons.predict, { "aria-pressed": this.isPredicting });
    this.stage.root.classList.toggle("steady", this.isPredicting || this.stage.inHall);
    this.step(this.at);
    if (this.isPredicting && this.at < this.last) this.ghost.node.focus({ preventScroll: true });
  }

  placeGhost(guess) {
    const w = this.run.weights[this.at];
    if (guess) this.judge(guess.slice(1), w.slice(1));
    else if (this.isPredicting && this.at < this.last) this.ghost.follow(w);
    else this.ghost.hide();
  }

  // The angle to what was predicted, which stays until the reader moves it or goes on; and the mean over all steps of
  // this run, of which the first try counts.
  judge(predicted, own) {
    const off = angle(predicted, own);
    this.ghost.isTouched = false;
    if (!Number.isFinite(off)) return this.walk.tell(this.run, this.at, this.say("no_angle"));
    if (!this.angles.has(this.at)) this.angles.set(this.at, off);
    const mean = [...this.angles.values()].reduce((total, each) => total + each) / this.angles.size;
    const steps = this.say("steps_predicted", { count: this.angles.size });
    this.ghost.compare(this.plane.pixels(own), `${integer(off)}°`);
    return this.walk.tell(this.run, this.at, this.say("angle_is", { angle: integer(off), mean: integer(mean), steps }));
  }
}

WIDGETS.player = (stage, spec) => void new Player(stage, spec);

// The convergence proof as one stage in four steps: ρ, the part of w along w_f, the length of w, and their race. Python
// has measured the run; here it is drawn. At a time t between two updates, a share of the step y·x has been added: all
// lengths are true then, too, and so are both bounds.

import { ENTRIES, arrow, draw, mark, path, row, set, show, stroke, ticks, write } from "./drawing.js";
import { WIDGETS, isCalm, movement, smooth } from "./stage.js";
import { bounded, decimal, fine } from "./words.js";

const VIEW = { width: 1000, height: 985, left: 70, right: 970, top: 40, axis: 790 };
const CHART = { left: 125, right: 975, top: 45, bottom: 850 };
const PACE = 1200; // milliseconds a step, while playing
const STEPS = ["rho", "part", "whole", "race"];
const LEGENDS = {
  rho: ["positive", "negative", "nearest", "impossible", "step"],
  part: ["w", "trail", "part", "last", "least"],
  whole: ["before", "step", "w", "circle", "upright"],
  race: ["whole", "part", "most", "impossible"],
};
const bar = (name) => (svg) => draw(svg, "rect", { class: `bar ${name}`, y: 2, width: 34, height: 12 });
const marked = (label) => row((g) => set(mark(g, label), { transform: "scale(0.5)" }));
Object.assign(ENTRIES, {
  positive: marked(1), negative: marked(-1), nearest: stroke("ray nearest"), upright: stroke("line corridor"),
  part: bar("part"), last: bar("part last"), least: bar("least"), whole: bar("whole"), most: stroke("lane most"), circle: stroke("circle"),
  trail: row((g) => draw(g, "path", { class: "trail", d: "M0 0h0" })),
});
const tenth = (value) => decimal(value, 1);
const length = (value) => value.toFixed(2);

// What there is at a time: the part along w_f, the whole length, and the update that is being made or was made last.
function momentOf({ parts, lengths, turns, picks }, time) {
  const t = Math.min(time, picks.length);
  const update = Math.ceil(t);
  if (update === 0) return { t, update, part: 0, whole: 0, share: 0 };
  const [share, before] = [t - update + 1, lengths[update - 1]];
  const [along, across] = turns[update - 1];
  const part = parts[update - 1] + share * (parts[update] - parts[update - 1]);
  return { t, update, share, before, part, whole: Math.hypot(before + share * along, share * across) };
}

const BEYOND = 1.85; // the axis of the race ends at so much of the first t at which the part would be too long
// The times to stop at: each update, and for the race some more, to that t and once beyond it.
function timesOf(T, bound) {
  const most = Math.floor(bound);
  const later = [1, 2, 3, 4].map((k) => Math.round(T * (most / T) ** (k / 5))).filter((t) => t > T && t < most);
  return [...Array.from({ length: T + 1 }, (_, t) => t), ...new Set([...later, ...(most > T ? [most] : []), most + 1, Math.round(1.78 * (most + 1))])];
}

// --- the picture ------------------------------------------------------------------------------------------------------

class ProofPicture {
  constructor(stage, spec) {
    this.spec = spec;
    this.say = stage.say;
    const size = { viewBox: `0 0 ${VIEW.width} ${VIEW.height}`, tabindex: -1 }; // a click on it lets keys work
    this.svg = draw(stage.plane, "svg", { class: "picture proof", role: "img", ...size });
    const layer = (name) => [name, draw(this.svg, "g", { class: "layer" })];
    this.layers = Object.fromEntries(["plane", "rings", "race"].map(layer));
    this.makePlane();
    this.makeRings();
    this.makeRace();
  }

  label(parent, name, anchor = "start") {
    return draw(parent, "text", { class: `halo ${name}`, "text-anchor": anchor });
  }

  put(node, text, [x, y]) {
    write(node, text);
    set(node, { x, y });
  }

  // All is turned about w_f into the page: across is how far along w_f, up is how far from it.
  makePlane() {
    const { spec, layers: { plane } } = this;
    const { steps, y, parts, lengths, rho } = spec;
    const reach = [0, 1].map((i) => Math.max(...steps.map((step) => step[i])));
    this.unit = Math.min(690 / Math.max(reach[0], ...parts), 730 / Math.max(reach[1], ...lengths));
    this.at = (along, up) => [VIEW.left + this.unit * along, VIEW.axis - this.unit * up];
    const [[left, axis], [edge]] = [this.at(0, 0), this.at(rho, 0)];
    this.examples = draw(plane, "g", { class: "examples" });
    const beyond = { x: left, y: VIEW.top, width: edge - left, height: axis - VIEW.top };
    this.limit = draw(plane, "rect", { class: "impossible", ...beyond });
    plane.prepend(this.limit);
    steps.forEach(([along, up], n) => {
      const [tip, nearest] = [this.at(along, up), along <= rho * (1 + 1e-9)];
      draw(this.examples, "path", { class: nearest ? "ray nearest" : "ray", d: path([[left, axis], tip]) });
      draw(this.examples, "path", { class: "axis", d: `M${tip[0]} ${axis - 12}v24` });
      set(mark(this.examples, y[n]), { transform: `translate(${tip})` });
    });
    arrow(draw(plane, "g", { class: "arrow wf" }), [left, axis], [VIEW.right, axis], 7);
    this.put(this.label(plane, "wf", "end"), "w_f", [VIEW.right, axis - 26]);
    this.trail = draw(plane, "path", { class: "trail" });
    this.drop = draw(plane, "path", { class: "line drop" });
    [this.step, this.w] = ["step", "w"].map((name) => draw(plane, "g", { class: `arrow ${name}` }));
    this.wName = this.label(plane, "w", "middle");
    this.bars = [0, 1].map((k) => ({
      row: VIEW.axis + 36 + 82 * k, pieces: draw(plane, "g"), name: this.label(plane, "name"),
    }));
  }

  // A bar under the axis: pieces one after the other, the last with a look of its own.
  setBar({ row, pieces, name }, sizes, looks, text) {
    pieces.replaceChildren();
    let from = VIEW.left;
    sizes.forEach((size, k) => {
      const shape = { x: from, y: row, width: this.unit * size, height: 44 };
      draw(pieces, "rect", { class: `bar ${looks[k === sizes.length - 1 ? 1 : 0]}`, ...shape });
      from += this.unit * size;
    });
    this.put(name, text, [from + 18, row + 37]);
  }

  showRho({ update }) {
    const { picks, steps, rho } = this.spec;
    this.examples.setAttribute("class", "examples");
    show(this.limit, true);
    for (const node of [this.trail, this.drop]) node.setAttribute("d", "");
    this.w.replaceChildren();
    show(this.wName, false);
    const [along, up] = update ? steps[picks[update - 1]] : [0, 0];
    arrow(this.step, this.at(0, 0), this.at(along, up), 8);
    if (update) this.drop.setAttribute("d", path([this.at(along, up), this.at(along, 0)]));
    this.setBar(this.bars[0], [rho], ["least", "least"], `ρ = ${fine(rho)}`);
    this.setBar(this.bars[1], update ? [along] : [], ["last", "last"], update ? fine(along) : "");
  }

  showPart({ t, update, share, part, whole }) {
    const { parts, lengths, rho } = this.spec;
    this.examples.setAttribute("class", "examples past");
    show(this.limit, false);
    const place = (along, size) => this.at(along, Math.sqrt(Math.max(size * size - along * along, 0)));
    const tip = place(part, whole);
    const earlier = parts.slice(0, update).map((along, k) => place(along, lengths[k]));
    this.trail.setAttribute("d", earlier.map(([u, v]) => `M${u} ${v}h0`).join(""));
    this.drop.setAttribute("d", path([tip, this.at(part, 0)]));
    this.step.replaceChildren();
    arrow(this.w, this.at(0, 0), tip, 11);
    show(this.wName, update > 0);
    this.put(this.wName, "w_t", [tip[0], tip[1] - 24]);
    const gains = parts.slice(1, update + 1).map((value, k) => (value - parts[k]) * (k === update - 1 ? share : 1));
    this.setBar(this.bars[0], gains, ["part", "part last"], this.say("part_is", { part: length(part) }));
    const rhos = gains.map((_, k) => rho * (k === update - 1 ? share : 1));
    this.setBar(this.bars[1], rhos, ["least", "least"], `tρ = ${length(rho * t)}`);
  }

  // The plane of w before the update and of the step: the triangle of the two and their sum, in circles of R√k.
  makeRings() {
    const { spec: { R, picks }, layers: { rings } } = this;
    this.origin = [170, 800];
    this.ringUnit = 715 / (R * Math.sqrt(picks.length));
    this.circles = picks.map(() => draw(rings, "path", { class: "past circle" }));
    this.circle = draw(rings, "path", { class: "circle" });
    this.upright = draw(rings, "path", { class: "line corridor" });
    this.sides = ["before", "step", "w"].map((name) => draw(rings, "g", { class: `arrow ${name}` }));
    draw(rings, "circle", { class: "origin", cx: this.origin[0], cy: this.origin[1], r: 9 });
    this.circleName = this.label(rings, "name");
    this.sumName = this.label(rings, "w", "middle");
  }

  showWhole({ t, update, share, before = 0, whole }) {
    const { R, turns } = this.spec;
    const [unit, [u, v]] = [this.ringUnit, this.origin];
    const arc = (time) => {
      const radius = unit * R * Math.sqrt(time);
      const angles = Array.from({ length: 61 }, (_, k) => -0.2 + (k / 60) * 1.95); // a quarter, and a little more
      return path(angles.map((angle) => [u + radius * Math.cos(angle), v - radius * Math.sin(angle)]));
    };
    this.circles.forEach((circle, k) => circle.setAttribute("d", k + 1 < t ? arc(k + 1) : ""));
    this.circle.setAttribute("d", arc(t));
    this.put(this.circleName, `R√t = ${length(R * Math.sqrt(t))}`, [u - 20, v - unit * R * Math.sqrt(t) - 18]);
    const [along, across] = update ? turns[update - 1].map((value) => value * share) : [0, 0];
    const turn = Math.PI / 4 - Math.atan2(across, before + along) / 2; // the triangle lies about the diagonal
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const at = (x, y) => [u + unit * (x * c - y * s), v - unit * (x * s + y * c)];
    const [corner, sum] = [at(before, 0), at(before + along, across)];
    this.upright.setAttribute("d", before ? path([at(before, -R), at(before, R)]) : "");
    arrow(this.sides[0], this.origin, corner, 7);
    arrow(this.sides[1], corner, sum, 7);
    arrow(this.sides[2], this.origin, sum, 11);
    show(this.sumName, update > 0);
    const out = 1 + 44 / (unit * whole || 1); // the name stands beyond the tip
    this.put(this.sumName, "w_t", [u + out * (sum[0] - u), v + out * (sum[1] - v) + 14]);
  }

  // Lengths over t: both bounds, what was measured, and two bars at the time t.
  makeRace() {
    const { layers: { race } } = this;
    const curve = (name) => draw(race, "path", { class: name });
    [this.room, this.beyond] = [curve("room"), curve("impossible")];
    this.axes = draw(race, "g", { class: "axes" });
    [this.wholeBound, this.partBound, this.meeting] = ["curve bound", "curve least", "line meeting"].map(curve);
    [this.wholeBar, this.partBar] = ["lane whole", "lane part"].map(curve);
    [this.wholes, this.measured] = ["dots whole", "dots part"].map(curve);
    this.names = ["bound", "bound", "bound", "name"].map((name) => this.label(race, name));
    const below = { x: CHART.right, y: CHART.bottom + 108, "text-anchor": "end" };
    write(draw(race, "text", below), this.say("updates_axis"));
  }

  showRace({ t, part, whole, update }, time) {
    const { rho, R, bound, parts, lengths, picks } = this.spec;
    const [last, root] = [Math.max(1.25 * picks.length, BEYOND * Math.min(time, bound + 1)), (k) => R * Math.sqrt(k)];
    const top = 1.04 * Math.max(root(last), rho * last);
    const { left, right, bottom } = CHART;
    const at = (k, value) => [left + (k / last) * (right - left), bottom - (value / top) * (bottom - CHART.top)];
    const along = (from, to, f) => {
      const places = Array.from({ length: 61 }, (_, k) => from + (to - from) * (k / 60) ** 2); // closer where it is steep
      return places.map((k) => at(k, f(k)));
    };
    const least = (k) => rho * k;
    const end = Math.min(bound, last);
    this.room.setAttribute("d", `${path([...along(0, end, root), at(end, least(end)), at(0, 0)])}Z`);
    this.beyond.setAttribute("d", last > bound ? `${path([...along(bound, last, root), at(last, least(last))])}Z` : "");
    this.wholeBound.setAttribute("d", path(along(0, last, root)));
    this.partBound.setAttribute("d", path([at(0, 0), at(last, least(last))]));
    this.meeting.setAttribute("d", last > bound ? path([at(bound, 0), at(bound, least(bound))]) : "");
    const dots = (values) => values.slice(0, Math.floor(t) + 1).map((value, k) => `M${at(k, value)}h0`).join("");
    this.wholes.setAttribute("d", dots(lengths));
    this.measured.setAttribute("d", dots(parts));
    const [over, [x]] = [time > picks.length, at(time, 0)];
    const lane = (node, name, shift, value) => {
      const d = value ? `M${x + shift} ${bottom}V${at(0, value)[1]}` : "";
      set(node, { d, class: `lane ${name}${over ? " most" : ""}` });
    };
    lane(this.wholeBar, "whole", 11, over ? root(time) : whole);
    lane(this.partBar, "part", -11, over ? least(time) : part);
    set(this.names[0], { "text-anchor": "end" });
    this.put(this.names[0], this.say("whole_bound"), at(0.4 * last, root(0.42 * last) + 0.03 * top));
    const [from, under] = last > bound ? [0.27, 0.3] : [0.72, 0.74]; // where neither a curve nor a bar is
    this.put(this.names[1], this.say("part_bound"), at(from * last, least(under * last) - 0.075 * top));
    this.put(this.names[2], last > bound ? `R²/ρ² = ${tenth(bound)}` : "", [at(bound, 0)[0] + 34, bottom - 60]);
    this.put(this.names[3], over ? `T = ${picks.length}` : "", [at(picks.length, 0)[0] + 22, bottom - 12]);
    this.drawAxes(last, top, at);
  }

  drawAxes(last, top, at) {
    const { left, right, bottom } = CHART;
    this.axes.replaceChildren();
    draw(this.axes, "path", { d: `M${left} ${CHART.top}V${bottom}H${right}` });
    const across = ticks(0, last, true);
    for (const [k, text] of across.filter((_, place) => across.length < 6 || place % 2 === 0)) {
      draw(this.axes, "text", { x: at(k, 0)[0], y: bottom + 50, "text-anchor": "middle" }, text);
    }
    for (const [value, text] of ticks(0, top)) {
      draw(this.axes, "text", { x: left - 14, y: at(0, value)[1] + 14, "text-anchor": "end" }, text);
    }
  }

  show(step, time) {
    const moment = momentOf(this.spec, time);
    const layer = { rho: "plane", part: "plane", whole: "rings", race: "race" }[step];
    for (const [name, node] of Object.entries(this.layers)) set(node, { class: `layer${name === layer ? "" : " off"}` });
    const draws = { rho: this.showRho, part: this.showPart, whole: this.showWhole, race: this.showRace };
    draws[step].call(this, moment, time);
  }
}

// --- the stage --------------------------------------------------------------------------------------------------------

function proofStage(stage, spec) {
  const { say } = stage;
  const { rho, R, bound, parts, lengths, turns, picks } = spec;
  const [T, times] = [picks.length, timesOf(picks.length, bound)];
  const picture = new ProofPicture(stage, spec);
  let [step, place, time, halt] = [STEPS[spec.start.step - 1], spec.start.t ?? (stage.inHall ? 0 : Infinity), 0, () => {}];
  stage.root.style.setProperty("--words", "7em");

  const last = () => (step === "race" ? times.length - 1 : T);
  const pressStep = stage.choice(stage.row(), "proof_step", STEPS.map((name) => [name, say(`step_${name}`)]), (name) => {
    step = name;
    go(place);
  });
  const controls = stage.row();
  const actions = {
    back: () => byHand(move, place - 1), play: () => playing.toggle(), next: () => byHand(move, place + 1),
  };
  const buttons = stage.buttons(controls, actions);
  const playing = stage.player(buttons.play, {
    pace: () => PACE,
    step: () => (place < last() ? move(place + 1) : go(0)),
    isOver: () => place === last(),
    end: () => tell(),
  });
  const byHand = (action, to) => {
    playing.pause();
    action(to);
  };
  const slider = stage.slider(controls, "time", { max: T }, (k) => say("t_is", { t: times[k] }), (k) => byHand(go, k));

  // Be at a place of the slider at once.
  const go = (to) => {
    halt();
    place = Math.min(Math.max(to, 0), last());
    time = times[place];
    picture.show(step, time);
    tell();
  };
  // The same, but the update is seen to happen.
  const move = (to) => {
    const [from, goal] = [time, Math.min(Math.max(to, 0), last())];
    if (isCalm() || goal === place) return go(goal);
    halt();
    place = goal;
    tell();
    halt = movement((share) => {
      time = share === 1 ? times[goal] : from + (times[goal] - from) * smooth(share);
      picture.show(step, time);
    });
  };

  const tell = () => {
    const t = times[place];
    slider.input.max = last();
    slider(place);
    pressStep(step);
    stage.enable(buttons.back, place > 0);
    stage.enable(buttons.next, place < last());
    set(picture.svg, { "aria-label": say(`label_${step}`) });
    const values = valuesAt(t);
    stage.tell({
      head: say(step === "race" && t > T ? "head_later" : `head_${step}`, values),
      w: step !== "part" ? "" : t ? say("angle_part", values) : "\u00a0", words: sentence(t, values), note: "",
    });
    stage.legend.set(LEGENDS[step]);
  };

  // Every number that a text may need; after the run's end those of its last update.
  const valuesAt = (t) => {
    const at = Math.min(t, T);
    const [[along, across], gain] = [turns[at - 1] ?? [1, 0], parts[at] - (parts[at - 1] ?? 0)];
    const degrees = (cosine) => tenth((Math.acos(Math.min(Math.max(cosine, -1), 1)) * 180) / Math.PI);
    const cosine = parts[at] / (lengths[at] || 1);
    return {
      t, T, n: picks[at - 1], rho: fine(rho), R: length(R), bound: bounded(bound), gain: fine(gain),
      part: length(parts[at]), whole: length(lengths[at]), least: length(rho * t), most: length(R * Math.sqrt(t)),
      cosine: fine(cosine), angle: degrees(cosine), turn: degrees(along / Math.hypot(along, across)),
    };
  };
  // What the update t has done, as this step of the proof sees it.
  const sentence = (t, values) => {
    if (step === "race" && t >= T) return say(t === T ? "ended_race" : t > bound ? "race_over" : "race_on", values);
    if (t === 0) return say(`start_${step}`, values);
    return say(step === "whole" && t === 1 ? "first_whole" : `words_${step}`, values);
  };

  stage.handleKeys({ ...actions, first: () => byHand(go, 0), last: () => byHand(go, last()) });
  go(place);
  let kept = place;
  stage.onPaper((printing) => { // on which nobody can play
    if (printing) kept = place;
    go(printing ? last() : kept);
  });
}

WIDGETS.proof = proofStage;

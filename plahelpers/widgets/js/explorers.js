// Three explorers: a perceptron to move by hand, the margin and the proof, Pocket and noise.

import { Curves, Plane, set } from "./drawing.js";
import { disagreement, mistakes, pla, pocket, proof, margin, radius, withMargin } from "./model.js";
import { WIDGETS } from "./stage.js";
import { bounded, digits, fine, integer, number, percent, sign, vector } from "./words.js";

// --- the hypothesis: three sliders, or the line itself --------------------------------------------------------------

// −1 + 2 x₁ − 1 x₂, with as many digits as the vector w has.
function formula(w, names) {
  const size = digits(w);
  const terms = w.map((value, i) => `${size(Math.abs(value))}\u00a0${["", ...names][i]}`.trim());
  const rest = terms.slice(1).map((term, i) => ` ${w[i + 1] < 0 ? "−" : "+"}\u00a0${term}`);
  return `${w[0] < 0 ? "−" : ""}${terms[0]}${rest.join("")}`;
}

function hypothesis(stage, spec) {
  const { say } = stage;
  const { X, y, names, largest } = spec;
  const problem = { X, y, signOfZero: -1 };
  const plane = new Plane(stage.plane, names);
  plane.setBox(spec.box);
  set(plane.svg, { role: "img", "aria-label": say("hypothesis_label") });
  stage.hint("hypothesis_hint");
  stage.legend.set(["w", "plus", "minus", "mistake"]);
  const bar = stage.row();
  let [w, ends] = [spec.start.w, null];

  // A w that is too large for its sliders is made shorter: the line is the same.
  const fitted = (v) => {
    const shrink = Math.max(1, ...v.map((entry, i) => Math.abs(entry) / largest[i]));
    return v.map((entry) => entry / shrink);
  };
  const steer = (i) => (value) => {
    w = w.map((entry, k) => (k === i ? value : entry));
    show();
  };
  const reach = (most) => ({ min: -most, max: most, step: most / 100 });
  const sliders = largest.map((most, i) => stage.slider(bar, `w${i}`, reach(most), number, steer(i)));

  const words = () => {
    const place = w[1] || w[2] ? "" : w[0] ? say("no_line", { sign: sign(w[0]) }) : say("zero", { sign: "−" });
    return `${say("h_is", { formula: formula(w, names) })} ${place}`;
  };
  const show = () => {
    const wrong = mistakes(w, problem);
    plane.setPoints(X, y, (n) => say("example", { n }));
    plane.setRings(wrong);
    plane.setRegions(w, -1);
    ends = plane.setLine("g", w);
    const tip = plane.setArrow(w, ends);
    grips.line.setAttribute("d", ends.length ? `M${ends[0]}L${ends[1]}` : "");
    set(grips.tip, tip ? { cx: tip[0], cy: tip[1], visibility: "visible" } : { visibility: "hidden" });
    sliders.forEach((slider, i) => slider(w[i]));
    const counts = { wrong: wrong.length, points: say("points", { count: y.length }) };
    stage.tell({
      head: say("wrong_of", { ...counts, rate: percent(wrong.length / y.length) }),
      w: say(!tip && (w[1] || w[2]) ? "w_outside" : "w_is", { w: vector(w) }), words: words(), note: "",
    });
  };

  // The line is turned about its middle, and w keeps its length.
  const take = () => {
    const [u, v] = plane.pixels(w.slice(1));
    const foot = [0, 1].map((i) => (ends[0][i] + ends[1][i]) / 2);
    return { foot, angle: Math.atan2(v, u), length: Math.hypot(w[1], w[2]) };
  };
  const grips = plane.addGrips(plane.svg, take, (place, angle, { length }) => {
    const turned = plane.weights(place, angle);
    const scale = length / Math.hypot(turned[1], turned[2]);
    w = fitted(turned.map((entry) => scale * entry));
    show();
  });
  show();
}

// --- the margin: all points move with it, and PLA runs again ---------------------------------------------------------

function marginExplorer(stage, spec) {
  const { say } = stage;
  const { rhos, sets, wF } = spec;
  const plane = new Plane(stage.plane, spec.names);
  plane.setBox(spec.box);
  set(plane.svg, { role: "img", "aria-label": say("margin_label") });
  const curves = new Curves(stage.charts, { height: 440, names: ["measured", "bound"], xTitle: say("updates_axis") });
  stage.legend.set(["plus", "minus", "line", "target", "corridor", "measured", "bound", "impossible"]);
  const state = { ...spec.start };
  const change = (news) => show(Object.assign(state, news));
  const bar = stage.row();
  stage.root.style.setProperty("--name", "5em");
  const [places, numbers] = [{ max: rhos.length - 1 }, { min: 1, max: sets.length }];
  const rhoSlider = stage.slider(bar, "rho", places, (k) => fine(rhos[k]), (k) => change({ rho: rhos[k] }));
  const setSlider = stage.slider(bar, "points_set", numbers, integer, (k) => change({ set: k - 1 }));
  const targets = ["target", "maximum"].map((target) => [target, say(target)]);
  const pressTarget = stage.choice(stage.row(), "whose", targets, (target) => change({ target }));
  const lines = [1, 2, 3].map((line) => [line, `(3.${line})`]); // as the chapter numbers them
  const pressLine = stage.choice(stage.row(), "line", lines, (line) => change({ line }));

  function show() {
    const { rho, set: chosen, target, line } = state;
    const at = rhos.indexOf(rho);
    const { y } = sets[chosen];
    const X = withMargin(sets[chosen], spec, rho);
    const cycle = y.map((_, n) => n);
    const run = pla({ X, y, cycle, start: [0, 0, 0], eta: 1, signOfZero: -1, maxUpdates: spec.maxUpdates });
    const maximum = sets[chosen].maximum[at];
    const chosenWF = target === "target" ? wF : maximum;
    const trace = proof(run, chosenWF);
    const [T, R, largest] = [run.picks.length, radius({ X }), margin(maximum, { X, y })];
    plane.setPoints(X, y, (n) => say("example", { n }));
    plane.setRegions(run.weights[T], -1);
    plane.setArrow(run.weights[T], plane.setLine("g", run.weights[T]));
    plane.setLine("target", chosenWF);
    const [w0, w1, w2] = chosenWF;
    const width = trace.rho * Math.hypot(w0, w1, w2);
    for (const side of [-width, width]) plane.setLine(`corridor ${side < 0}`, [w0 + side, w1, w2], "corridor");
    const { measured, bound } = trace.lines[line - 1];
    const high = line === 3 ? 1.05 : 1.06 * Math.max(...measured, ...bound, 0.1); // no cosine is above 1
    curves.set(say(`line_${line}`), [measured, bound], { high, bounds: line === 2 ? "above" : "below" });
    rhoSlider(at);
    setSlider(chosen + 1);
    pressTarget(target);
    pressLine(line);
    const most = (each) => Math.floor((R * R) / (each * each));
    const bounds = { rho: fine(rho), largest: fine(largest), ofTarget: most(margin(wF, { X, y })), smallest: most(largest) };
    stage.tell({
      head: say("T_and_bound", { T, bound: bounded(trace.bound) }),
      w: say("R_and_rho", { R: fine(R), rho: fine(trace.rho) }),
      words: say("two_bounds", bounds), note: "",
    });
  }
  show();
}

// --- Pocket and noise ------------------------------------------------------------------------------------------------

function pocketExplorer(stage, spec) {
  const { say } = stage;
  const { sets, mostUpdates, mostNoise } = spec;
  const plane = new Plane(stage.plane, spec.names);
  plane.setBox(spec.box);
  set(plane.svg, { role: "img", "aria-label": say("pocket_label") });
  stage.legend.set(["plus", "minus", "mistake", "pocket", "last", "best", "walk", "kept"]);
  const curves = new Curves(stage.charts, { height: 470, names: ["walk", "kept", "best"], whole: true, xTitle: say("updates_axis") });
  const names = ["legend_pocket", "legend_last", "legend_best"].map((id) => say(id));
  const errors = stage.table([say("train"), say("test")], names);
  const state = { ...spec.start };
  const change = (news) => show(Object.assign(state, news));
  const bar = stage.row();
  stage.root.style.setProperty("--name", "5em");
  const sliders = {
    noise: stage.slider(bar, "noise", { max: mostNoise, step: 0.01 }, percent, (noise) => change({ noise })),
    updates: stage.slider(bar, "most_updates", { max: mostUpdates }, integer, (updates) => change({ updates })),
    set: stage.slider(bar, "points_set", { min: 1, max: sets.length }, integer, (k) => change({ set: k - 1 })),
  };

  // The probability that w is wrong on a new point: where it differs from the target, unless noise flips the label, and
  // where it does not, if noise does.
  const testError = (w, wF, noise) => noise + (1 - 2 * noise) * disagreement(w, wF, spec.square);

  function show() {
    const { noise, updates, set: chosen } = state;
    const { X, y, flips, wF, draws, best } = sets[chosen];
    const flipped = flips.filter((draw) => draw < noise).length;
    const labels = y.map((label, n) => (flips[n] < noise ? -label : label));
    const problem = { X, y: labels, draws, start: [0, 0, 0], eta: 1, signOfZero: -1, maxUpdates: updates };
    const run = pocket(problem);
    const T = run.picks.length;
    const ws = { pocket: run.weights[run.bestAt], last: run.weights[T], best: best[flipped] };
    plane.setPoints(X, labels, (n) => say("example", { n }));
    plane.setRings(mistakes(ws.pocket, problem));
    plane.setRegions(ws.pocket, -1);
    for (const [name, w] of Object.entries(ws)) plane.setLine(name, w);
    const fewest = mistakes(ws.best, problem).length;
    const inPocket = run.errors.map(((least) => (count) => (least = Math.min(least, count)))(Infinity));
    const high = 1.1 * Math.max(...run.errors, 1);
    const counts = [run.errors, inPocket, run.errors.map(() => fewest)];
    curves.set(say("mistakes_axis"), counts, { high, steps: [false, true, false] });
    for (const [name, value] of Object.entries({ noise, updates, set: chosen + 1 })) sliders[name](value);
    const both = (w) => [mistakes(w, problem).length / y.length, testError(w, wF, noise)];
    errors(Object.values(ws).map((w) => both(w).map(percent)));
    stage.tell({
      head: say("pocket_head", { wrong: run.errors[run.bestAt], N: y.length, updates: say("updates", { count: T }) }),
      w: say("flipped", { count: flipped, N: y.length }),
      words: T ? "" : say("zero", { sign: "−" }), note: "",
    });
  }
  show();
}

Object.assign(WIDGETS, { hypothesis, margin: marginExplorer, pocket: pocketExplorer });

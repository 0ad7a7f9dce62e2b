// The stepper: PLA runs again at once whenever a point, the order or the sign of zero changes.

import { SIZE } from "./drawing.js";
import { pla } from "./model.js";
import { Walk } from "./walk.js";
import { number, sign } from "./words.js";

const REACH = 44; // a click this near to a point means the point
const TREMBLE = 8; // a hand that moves less still clicks
const STEP = 10; // an arrow key moves a point so many picture units

const range = (count) => Array.from({ length: count }, (_, n) => n);

function shuffled(count) {
  const cycle = range(count);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [cycle[last], cycle[other]] = [cycle[other], cycle[last]];
  }
  return cycle;
}

export function stepper(stage, spec, sync) {
  const { say } = stage;
  const { mostPoints, maxUpdates } = spec;
  const walk = new Walk(stage, spec);
  const { plane } = walk;
  plane.svg.classList.add("edits");
  plane.svg.setAttribute("role", "application");
  plane.svg.setAttribute("aria-label", say("stepper_label"));
  let state = { ...spec.start, selected: -1 };
  let [run, box, tool] = [null, null, 1];

  // --- from one state to another ---

  const learn = () => {
    const { X, y, cycle, signOfZero } = state;
    const problem = { X, y, cycle, w0: [0, 0, 0], eta: 1, signOfZero, maxUpdates };
    run = y.length ? pla(problem) : { problem, weights: [problem.w0], picks: [], halted: true };
  };

  // Other points, at the same step of their own run; who watched the end goes on watching the end.
  const change = (news) => {
    const atTheEnd = state.t > 0 && state.t === run.picks.length;
    state = { ...state, ...news };
    learn();
    state.t = atTheEnd ? run.picks.length : Math.min(state.t, run.picks.length);
    show();
  };
  const edit = (news) => change({ ...news, data: "own" });
  const addPoint = (x, label) => {
    const { X, y, cycle } = state;
    if (y.length === mostPoints) return show(say("full", { most: mostPoints }));
    return edit({ X: [...X, x], y: [...y, label], cycle: [...cycle, y.length], selected: y.length });
  };
  const movePoint = (n, x) => edit({ X: state.X.map((old, k) => (k === n ? x : old)), selected: n });
  const flip = (n) => edit({ y: state.y.map((label, k) => (k === n ? -label : label)), selected: n });
  const remove = (n) => {
    const others = (list) => list.filter((_, k) => k !== n);
    const cycle = state.cycle.filter((k) => k !== n).map((k) => (k > n ? k - 1 : k));
    edit({ X: others(state.X), y: others(state.y), cycle, selected: -1 });
  };
  const clear = () => edit({ X: [], y: [], cycle: [], selected: -1, t: 0 });
  const select = (n) => change({ selected: n });
  const go = (t) => {
    state.t = Math.min(Math.max(t, 0), run.picks.length);
    show();
  };

  const setOrder = (order) => {
    const N = state.y.length;
    const cycle = order === "cyclic" ? range(N) : order === "shuffled" ? shuffled(N) : state.cycle;
    change({ order, cycle, t: 0 });
  };
  const giveOrder = (text) => {
    const cycle = (text.match(/[^\s,;]+/g) ?? []).map(Number);
    const N = state.y.length;
    const strange = cycle.find((n) => !(Number.isInteger(n) && n >= 0 && n < N));
    if (strange !== undefined) return show(say("no_example", { n: String(strange), last: N - 1 }));
    const missing = range(N).find((n) => !cycle.includes(n));
    if (missing !== undefined) return show(say("order_leaves_out", { n: missing }));
    return change({ order: "given", cycle, t: 0 });
  };
  const choose = (data) => {
    if (data === "own") return change({ data });
    const { X, y, box: around } = spec.sets.find(({ id }) => id === data);
    setBox(around);
    const cycle = state.order === "shuffled" ? shuffled(y.length) : range(y.length);
    const order = state.order === "given" ? "cyclic" : state.order;
    return change({ X, y, cycle, order, data, box: around, t: 0, selected: -1 });
  };

  // --- the controls ---

  const steps = stage.row();
  const buttons = Object.fromEntries([
    ["reset", () => go(0)], ["back", () => go(state.t - 1)], ["step", () => go(state.t + 1)], ["run", () => go(run.picks.length)],
  ].map(([id, action]) => [id, stage.button(steps, id, action)]));
  const tools = stage.row();
  const setTool = stage.choice(tools, "tool", [[1, say("tool_plus")], [-1, say("tool_minus")], ["flip", say("tool_flip")], ["remove", say("tool_remove")]], (value) => {
    tool = value;
    setTool(tool);
  });
  setTool(tool);
  stage.hint("stepper_hint");
  const settings = stage.row(stage.more);
  const sets = [...spec.sets.map(({ id, name }) => [id, name]), ["own", say("data_own")]];
  const dataField = stage.select(settings, "data", sets, choose);
  const orders = ["cyclic", "shuffled", "given"].map((order) => [order, say(`order_${order}`)]);
  const orderField = stage.select(settings, "order", orders, setOrder);
  const signs = [[-1, "−1"], [1, "+1"], [0, say("sign_mistake")]];
  const signField = stage.select(settings, "sign_of_zero", signs, (value) => change({ signOfZero: Number(value), t: 0 }));
  const cycleField = stage.field(stage.row(stage.more, "typed"), "cycle", "text", giveOrder);
  const points = stage.row(stage.more, "typed");
  const pointField = stage.field(points, "example_number", "number", (text) => {
    const n = text === "" ? -1 : Number(text);
    if (n >= -1 && n < state.y.length && Number.isInteger(n)) select(n);
    else show(state.y.length ? say("no_example", { n: text, last: state.y.length - 1 }) : say("advice_no_points"));
  });
  const placeFields = spec.names.map((name, i) => stage.field(points, `x${i + 1}`, "number", () => {
    if (state.selected >= 0) moveTo(state.selected, typedPlace());
  }));
  const flipButton = stage.button(points, "flip", () => flip(state.selected));
  const removeButton = stage.button(points, "remove", () => remove(state.selected));
  stage.button(points, "add", () => placeIn(typedPlace(), (x) => addPoint(x, tool === -1 ? -1 : 1)));
  stage.button(points, "clear", clear);

  const typedPlace = () => placeFields.map((field) => (field.value === "" ? 0 : Number(field.value)));
  const moveTo = (n, x) => placeIn(x, (place) => movePoint(n, place));
  const placeIn = ([x1, x2], action) => {
    const { left, right, bottom, top } = box;
    if (x1 >= left && x1 <= right && x2 >= bottom && x2 <= top) return action([x1, x2]);
    const [from, to, low, high] = [left, right, bottom, top].map(number);
    return show(say("outside", { x1: number(x1), x2: number(x2), left: from, right: to, bottom: low, top: high }));
  };

  // --- the picture: mouse, finger and keys ---

  const near = (u, v) => {
    const far = state.X.map((x) => Math.hypot(...plane.place(x).map((value, i) => value - [u, v][i])));
    const n = far.indexOf(Math.min(...far));
    return far[n] <= REACH ? n : -1;
  };
  const inside = (value) => Math.min(Math.max(value, 0), SIZE);
  const click = (event, n, u, v) => {
    const wish = event.altKey ? "remove" : event.shiftKey ? "flip" : tool;
    if (n >= 0) ({ flip, remove }[wish] ?? select)(n);
    else if (inside(u) === u && inside(v) === v && typeof wish === "number") addPoint(plane.point([u, v]), wish);
  };
  let down = null;
  plane.keepsFinger((finger) => near(...plane.pointer(finger)) >= 0);
  plane.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [u, v] = plane.pointer(event);
    down = { n: near(u, v), u, v, moving: false };
    if (down.n >= 0) plane.svg.setPointerCapture(event.pointerId);
    plane.svg.focus({ preventScroll: true });
  });
  plane.svg.addEventListener("pointermove", (event) => {
    if (!down || down.n < 0) return;
    const [u, v] = plane.pointer(event);
    down.moving ||= Math.hypot(u - down.u, v - down.v) >= TREMBLE;
    if (down.moving) movePoint(down.n, plane.point([inside(u), inside(v)]));
  });
  plane.svg.addEventListener("pointerup", (event) => {
    if (down && !down.moving) click(event, down.n, ...plane.pointer(event));
    down = null;
  });
  plane.svg.addEventListener("pointercancel", () => { down = null; }); // the page was scrolled
  const arrows = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
  plane.svg.addEventListener("keydown", (event) => {
    const n = state.selected;
    if (event.key === "PageDown" || event.key === "PageUp") {
      const to = n + (event.key === "PageDown" ? 1 : -1);
      if (state.y.length) select((to + state.y.length) % state.y.length);
    } else if (n < 0) return;
    else if (event.key in arrows) {
      const [u, v] = plane.place(state.X[n]);
      const [du, dv] = arrows[event.key];
      movePoint(n, plane.point([inside(u + du), inside(v + dv)]));
    } else if (event.key === "Delete" || event.key === "Backspace") remove(n);
    else if (event.key.toLowerCase() === "f") flip(n);
    else return;
    event.preventDefault();
  });

  // --- what is shown ---

  const advice = () => {
    const { y, t } = state;
    if (!y.length) return say("advice_no_points");
    if (new Set(y).size === 1) return say("advice_one_class", { sign: sign(y[0]) });
    return run.halted || t < run.picks.length ? "" : say("advice_budget", { most: maxUpdates });
  };
  const setBox = (around) => {
    box = around;
    plane.setBox(around);
  };
  function show(trouble = "") {
    const { X, y, t, selected } = state;
    const T = run.picks.length;
    walk.show(run, t, { selected, note: trouble || advice() });
    if (!y.length) stage.tell({ head: say("no_points"), w: "", words: "" });
    buttons.reset.disabled = buttons.back.disabled = t === 0;
    buttons.step.disabled = buttons.run.disabled = t === T;
    flipButton.disabled = removeButton.disabled = selected < 0;
    [dataField.value, orderField.value, signField.value] = [state.data, state.order, state.signOfZero];
    cycleField.value = state.cycle.join(" ");
    pointField.value = selected < 0 ? "" : selected;
    if (selected >= 0) placeFields.forEach((field, i) => { field.value = Number(X[selected][i].toFixed(4)); });
    if (!trouble) sync({ ...state });
  }

  setBox(state.box);
  learn();
  show();
  return (news) => {
    state = { ...state, ...news };
    setBox(state.box);
    learn();
    state.t = Math.min(state.t, run.picks.length);
    show();
  };
}

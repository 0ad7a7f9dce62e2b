// The stepper: PLA runs again at once whenever a point, the order or the sign of zero changes.

import { SIZE, add } from "./drawing.js";
import { pla } from "./model.js";
import { WIDGETS } from "./stage.js";
import { Walk } from "./walk.js";
import { sign, vector } from "./words.js";

const REACH = 44; // a click this near to a point means the point, in picture units
const FINGER = 90; // the same for a finger
const TREMBLE = 8; // a hand that moves less still clicks
const ARROWS = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }; // in picture units
const SIGNS = { "+": 1, "-": -1 };

const range = (count) => Array.from({ length: count }, (_, n) => n);
const inside = (value) => Math.min(Math.max(value, 0), SIZE);

function shuffled(count) {
  const draws = range(count).map(() => Math.random());
  return range(count).sort((n, m) => draws[n] - draws[m]);
}

const ORDERS = { cyclic: range, shuffled };

// --- edits: what changes in a state ----------------------------------------------------------------------------------

const EDITS = {
  add: ({ X, y, cycle }, x, label) => {
    const n = y.length;
    return { X: [...X, x], y: [...y, label], cycle: [...cycle, n], selected: n };
  },
  move: ({ X }, n, x) => ({ X: X.map((old, k) => (k === n ? x : old)), selected: n }),
  flip: ({ y }, n) => ({ y: y.map((label, k) => (k === n ? -label : label)), selected: n }),
  remove: ({ X, y, cycle }, n) => {
    const others = (list) => list.filter((_, k) => k !== n);
    const renumbered = cycle.filter((k) => k !== n).map((k) => (k > n ? k - 1 : k));
    return { X: others(X), y: others(y), cycle: renumbered, selected: -1 };
  },
  clear: () => ({ X: [], y: [], cycle: [], selected: -1 }),
};

// --- the widget ------------------------------------------------------------------------------------------------------

class Stepper {
  constructor(stage, spec, sync) {
    Object.assign(this, { stage, spec, sync, say: stage.say, tool: stage.inHall ? null : 1 });
    this.walk = new Walk(stage, spec);
    this.plane = this.walk.plane;
    this.state = { ...spec.start, selected: -1 };
    this.own = this.state.data === "own" ? this.state : null;
    stage.root.classList.add("steady");
    stage.root.style.setProperty("--note-room", "2.8em");
    this.addBar();
    this.addDrawer();
    this.plane.takeKeys(stage.say("stepper_label"));
    this.plane.svg.classList.add("edits");
    this.plane.keepsFinger((finger) => this.near(this.plane.pointer(finger), FINGER) >= 0);
    this.plane.followPointer(...["take", "drag", "drop"].map((name) => (...values) => this[name](...values)));
    this.plane.setBox(this.state.box);
    this.learn();
    stage.onPaper((printing) => this.walk.show(this.run, printing ? this.T : this.state.t));
  }

  // --- from one state to another ---

  learn(toTheEnd = false) {
    const { X, y, cycle, signOfZero, t } = this.state;
    this.run = pla({ X, y, cycle, start: [0, 0, 0], eta: 1, signOfZero, maxUpdates: this.spec.maxUpdates });
    this.state.t = toTheEnd ? this.T : Math.min(t, this.T);
    this.show();
  }

  get T() {
    return this.run.picks.length;
  }

  // Other points, at the same step of their own run; who watched the end goes on watching the end.
  edit(name, ...values) {
    const { y, t } = this.state;
    if (name === "add" && y.length === this.spec.mostPoints) this.show(this.say("full", { most: y.length }));
    else {
      const atTheEnd = t > 0 && t === this.T;
      this.state = { ...this.state, ...EDITS[name](this.state, ...values), data: "own" };
      this.learn(atTheEnd);
      this.own = this.state;
    }
  }

  begin(news) {
    this.state = { ...this.state, ...news, t: 0 };
    this.learn();
  }

  go(t, moves = false) {
    this.state.t = Math.min(Math.max(t, 0), this.T);
    this.show("", moves);
  }

  select(n) {
    this.state.selected = n;
    this.show();
  }

  choose(data) {
    const chosen = data === "own" ? this.own : this.spec.sets.find(({ id }) => id === data);
    if (!chosen) return; // nothing was drawn yet
    const { X, y, box } = chosen;
    this.plane.setBox(box);
    this.begin({ X, y, box, data, cycle: ORDERS[this.state.order](y.length), selected: -1 });
  }

  // --- the controls ---

  // One bar: buttons that step, and what a click in the picture does.
  addBar() {
    const bar = this.stage.row(this.stage.panel, "bar");
    const actions = {
      reset: () => this.go(0), back: () => this.go(this.state.t - 1),
      step: () => this.go(this.state.t + 1, true), run: () => this.go(this.T),
    };
    this.buttons = this.stage.buttons(this.stage.row(bar), actions);
    const keys = { back: actions.back, next: actions.step, first: actions.reset, last: actions.run };
    this.stage.handleKeys(keys, ({ key }, control) => control === this.plane.svg && this.press(key));
    const tools = [[1, "tool_plus"], [-1, "tool_minus"], ["flip", "tool_flip"], ["remove", "tool_remove"]];
    const named = tools.map(([tool, id]) => [tool, this.say(id)]);
    const press = this.stage.choice(this.stage.row(bar), "tool", named, (tool) => {
      this.tool = tool;
      press(tool);
    });
    press(this.tool);
    this.stage.hint(this.stage.byHand("stepper_hint"));
  }

  // Everything else is in a drawer.
  addDrawer() {
    const drawer = add(this.stage.more, "details");
    add(drawer, "summary", {}, this.say("more"));
    this.addMenus(drawer);
    this.stage.button(this.stage.row(drawer), "clear", () => this.edit("clear"));
    add(drawer, "p", { class: "hint" }, this.say(this.stage.byHand("stepper_keys")));
  }

  addMenus(drawer) {
    const { stage, say, spec } = this;
    const sets = [...spec.sets.map(({ id, name }) => [id, name]), ["own", say("data_own")]];
    const orders = Object.keys(ORDERS).map((order) => [order, order]);
    const signs = [[-1, "−1"], [1, "+1"], [0, say("sign_mistake")]];
    this.fields = {
      data: stage.choice(stage.row(drawer), "data", sets, (data) => this.choose(data)),
      order: stage.choice(stage.row(drawer), "order", orders, (order) => {
        this.begin({ order, cycle: ORDERS[order](this.state.y.length) });
      }),
      signOfZero: stage.choice(stage.row(drawer), "sign_of_zero", signs, (signOfZero) => this.begin({ signOfZero })),
    };
  }

  // --- the picture: mouse, finger and keys ---

  near([u, v], reach) {
    const far = this.state.X.map((x) => Math.hypot(...this.plane.place(x).map((value, i) => value - [u, v][i])));
    const n = far.indexOf(Math.min(...far));
    return far[n] <= reach ? n : -1;
  }

  take(event) {
    const at = this.plane.pointer(event);
    this.plane.svg.focus({ preventScroll: true });
    return { n: this.near(at, event.pointerType === "touch" ? FINGER : REACH), at, moved: false };
  }

  drag(event, held) {
    const [u, v] = this.plane.pointer(event);
    held.moved ||= Math.hypot(u - held.at[0], v - held.at[1]) >= TREMBLE;
    if (held.moved && held.n >= 0) this.edit("move", held.n, this.plane.point([inside(u), inside(v)]));
  }

  drop(event, { n, at: [u, v], moved }) {
    if (moved) return;
    const wish = event.altKey ? "remove" : event.shiftKey ? "flip" : this.tool;
    if (n >= 0 && typeof wish === "string") this.edit(wish, n);
    else if (n >= 0) this.select(n);
    else if (typeof wish === "number" && inside(u) === u && inside(v) === v) {
      this.edit("add", this.plane.point([u, v]), wish);
    }
  }

  press(key) {
    const { selected: n, X } = this.state;
    if (key in SIGNS) this.edit("add", this.plane.point([SIZE / 2, SIZE / 2]), SIGNS[key]);
    else if (key === "PageDown" && X.length) this.select((n + 1) % X.length);
    else if (key === "PageUp" && X.length) this.select(n <= 0 ? X.length - 1 : n - 1);
    else if (n < 0) return false;
    else if (key in ARROWS) {
      const place = this.plane.place(X[n]).map((value, i) => inside(value + ARROWS[key][i]));
      this.edit("move", n, this.plane.point(place));
    } else if (key === "Delete" || key === "Backspace") {
      this.edit("remove", n);
      this.select(Math.min(n, this.state.y.length - 1));
    }
    else if (key === "f" || key === "F") this.edit("flip", n);
    else return false;
    return true;
  }

  // --- what is shown ---

  advice() {
    const { y, t } = this.state;
    if (!y.length) return this.say(this.stage.byHand("advice_no_points"));
    if (new Set(y).size === 1) return this.say("advice_one_class", { sign: sign(y[0]) });
    return this.run.halted || t < this.T ? "" : this.say("advice_budget");
  }

  // Which point is selected, and where it is, if that has changed.
  selectedInWords() {
    const { X, y, selected: n } = this.state;
    const words = n < 0 ? "" : this.say("selected", { n, sign: sign(y[n]), x: vector(X[n]) });
    const isNew = words !== this.told;
    this.told = words;
    return isNew ? words : "";
  }

  show(trouble = "", moves = false) {
    const { X, y, t, selected, ...shared } = this.state;
    const note = trouble || this.advice();
    this.walk.show(this.run, t, { selected, note, moves, spoken: this.selectedInWords() });
    if (!y.length) this.stage.tell({ head: this.say("no_points"), w: "", words: "", note });
    for (const name of ["reset", "back"]) this.stage.enable(this.buttons[name], t > 0);
    for (const name of ["step", "run"]) this.stage.enable(this.buttons[name], t < this.T);
    for (const [name, press] of Object.entries(this.fields)) press(shared[name]);
    this.sync({ X, y, t, ...shared });
  }
}

WIDGETS.stepper = (stage, spec, sync) => void new Stepper(stage, spec, sync);

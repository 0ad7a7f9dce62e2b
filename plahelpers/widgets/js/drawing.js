// Drawing: SVG in units of which a picture is 1000 wide. Colours are the style's, by class: they follow the theme.

import { corners, halfPlane, lineInBox } from "./model.js";
import { decimal, number } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
export const SIZE = 1000;
const MARK = 13; // half the size of a point's mark
const DOTS = 60; // a curve with more points than this has no dots

export function set(node, attributes, text = "") {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== "") node.textContent = text;
  return node;
}

export function add(parent, tag, attributes = {}, text = "") {
  return parent.appendChild(set(document.createElement(tag), attributes, text));
}

export function draw(parent, tag, attributes = {}, text = "") {
  return parent.appendChild(set(document.createElementNS(SVG, tag), attributes, text));
}

// Text in which symbols have the letters of formulas, and w_t, w_f and θ_t true indices, in HTML or in SVG.
const SYMBOLS = /(?<![A-Za-z’'])([wxytTRρθ]+)(?![A-Za-z])/;
const element = (inSvg, tag) => (inSvg ? document.createElementNS(SVG, "tspan") : document.createElement(tag));
const withSymbols = (text, inSvg) => text.split(SYMBOLS).map((part, k) =>
  (k % 2 ? set(element(inSvg, "span"), { class: "symbol" }, part) : part));
export function write(node, text) {
  const inSvg = node.namespaceURI === SVG;
  const parts = text.split(/(?<=[wθ])_([tf])(?![a-z])/);
  node.replaceChildren(...parts.flatMap((part, k) => {
    if (k % 2 === 0) return withSymbols(part, inSvg);
    if (!inSvg) return [set(element(inSvg, "sub"), { class: "symbol" }, part)];
    const index = set(element(inSvg, "tspan"), { dy: 10, class: "symbol index" });
    const back = set(element(inSvg, "tspan"), { dy: -10 }); // up again, for what follows
    [index.textContent, back.textContent] = [part, "\u200b"];
    return [index, back];
  }));
}

const short = (value) => Math.round(value * 10) / 10; // a tenth of a unit is finer than any screen
export const path = (places) => places.map(([u, v], k) => `${k ? "L" : "M"}${short(u)} ${short(v)}`).join("");
export const show = (node, visible) => node.setAttribute("visibility", visible ? "visible" : "hidden");

// An arrow, its head a polygon and not an SVG marker: markers need an id, and ids clash on a page of many pictures.
export function arrow(group, [x1, y1], [x2, y2], width) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  group.replaceChildren();
  if (!(length > 1e-6)) return;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = Math.min(width * 4, length);
  const [bx, by] = [x2 - dx * head, y2 - dy * head];
  const half = head * 0.45;
  draw(group, "path", { d: path([[x1, y1], [bx, by]]), "stroke-width": width });
  const tip = [[x2, y2], [bx - dy * half, by + dx * half], [bx + dy * half, by - dx * half]];
  draw(group, "path", { d: `${path(tip)}Z`, class: "tip" });
}

// A + example is a disc, a − example a cross.
export function mark(parent, label) {
  if (label > 0) return draw(parent, "circle", { class: "mark plus", r: MARK });
  const [d, a] = [`M${-MARK} ${-MARK}L${MARK} ${MARK}M${-MARK} ${MARK}L${MARK} ${-MARK}`, { class: "mark minus" }];
  return draw(parent, "path", { d, ...a });
}

// Three to eight round numbers from low to high, each with its text.
export function ticks(low, high, whole = false) {
  const power = 10 ** Math.floor(Math.log10((high - low) / 3));
  const least = [5, 2, 1].map((many) => many * power).find((size) => (high - low) / size >= 2.999);
  const step = Math.max(least, whole ? 1 : 0);
  const count = Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1;
  const values = Array.from({ length: Math.max(count, 0) }, (_, k) => (Math.ceil(low / step - 1e-9) + k) * step + 0);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)); // as many as tell two of them apart
  const write = decimals <= 8 ? (value) => decimal(value, decimals) : number;
  return values.map((value) => [value, write(value)]);
}

// --- the plane: points, the line of w and its regions -------------------------------------------------------------

export class Plane {
  constructor(parent, names) {
    this.svg = draw(parent, "svg", { class: "picture", viewBox: "-92 -50 1124 1144" });
    this.names = names;
    const square = { x: 0, y: 0, width: SIZE, height: SIZE };
    this.ground = draw(this.svg, "rect", { ...square, class: "ground" });
    this.plus = draw(this.svg, "path", { class: "plus region" });
    draw(this.svg, "rect", { ...square, class: "frame" });
    this.axes = draw(this.svg, "g", { class: "axes" });
    this.lines = draw(this.svg, "g");
    this.marks = draw(this.svg, "g");
    this.arrow = draw(this.svg, "g", { class: "arrow w" });
    this.arrowName = draw(this.svg, "text", { class: "halo w", "text-anchor": "middle", visibility: "hidden" }, "w");
    this.pickName = draw(this.svg, "text", { class: "halo pick" });
    this.points = [];
    this.line = {};
  }

  setBox(box) {
    this.box = box;
    const { left, right, bottom, top } = box;
    this.axes.replaceChildren();
    for (const [value, text] of ticks(left, right)) {
      const [u] = this.place([value, 0]);
      draw(this.axes, "path", { d: `M${short(u)} ${SIZE}v12` });
      draw(this.axes, "text", { x: short(u), y: SIZE + 48, "text-anchor": "middle" }, text);
    }
    for (const [value, text] of ticks(bottom, top)) {
      const [, v] = this.place([0, value]);
      draw(this.axes, "path", { d: `M0 ${short(v)}h-12` });
      draw(this.axes, "text", { x: -18, y: short(v) + 12, "text-anchor": "end" }, text);
    }
    write(draw(this.axes, "text", { x: SIZE, y: SIZE + 90, "text-anchor": "end" }), this.names[0]);
    write(draw(this.axes, "text", { x: -18, y: -14, "text-anchor": "end" }), this.names[1]);
  }

  // Where a point of the plane is in the picture, and the other way round.
  place([x1, x2]) {
    const { left, right, bottom, top } = this.box;
    return [((x1 - left) / (right - left)) * SIZE, ((top - x2) / (top - bottom)) * SIZE];
  }

  point([u, v]) {
    const { left, right, bottom, top } = this.box;
    return [left + (u / SIZE) * (right - left), top - (v / SIZE) * (top - bottom)];
  }

  // A vector (w₁, w₂) as an arrow of the picture at right angles to its line, and the other way round.
  pixels([w1, w2]) {
    const { left, right, bottom, top } = this.box;
    return [(w1 * SIZE) / (top - bottom), (-w2 * SIZE) / (right - left)];
  }

  entries([u, v]) {
    const { left, right, bottom, top } = this.box;
    return [(u * (top - bottom)) / SIZE, (-v * (right - left)) / SIZE];
  }

  // Where the points are in the picture.
  places() {
    return this.points.map(({ at }) => at.split(" ").slice(0, 2).map(Number));
  }

  // Where a mouse or a finger is, in picture units.
  pointer(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  // The picture can have the focus, and a screen reader hands keys on.
  takeKeys(label) {
    set(this.svg, { tabindex: 0, role: "application", "aria-label": label });
  }

  // Follow one pointer from where it goes down: `begin` returns what it holds, or nothing.
  followPointer(begin, move, end = () => {}) {
    let [held, pointer] = [null, null];
    this.svg.addEventListener("pointerdown", (event) => {
      if (held || event.button !== 0) return;
      held = begin(event) ?? null;
      pointer = event.pointerId;
      if (held) this.svg.setPointerCapture(pointer);
    });
    const only = (action) => (event) => { if (held && event.pointerId === pointer) action(event); };
    const release = (last) => only((event) => {
      const was = held;
      held = null;
      last(event, was);
    });
    this.svg.addEventListener("pointermove", only((event) => move(event, held)));
    this.svg.addEventListener("pointerup", release(end));
    this.svg.addEventListener("pointercancel", release(() => {})); // the page was scrolled
  }

  // A finger that takes hold of something drags it; elsewhere it scrolls the page. (Browsers do not heed the
  // touch-action of a part of an SVG.)
  keepsFinger(takesHold) {
    const decide = (event) => { if (takesHold(event.touches[0])) event.preventDefault(); };
    this.svg.addEventListener("touchstart", decide, { passive: false });
  }

  // The w of a line through a place of the picture, its arrow at an angle.
  weights(place, angle) {
    const [w1, w2] = this.entries([Math.cos(angle), Math.sin(angle)]);
    const [x1, x2] = this.point(place);
    return [-(w1 * x1 + w2 * x2), w1, w2];
  }

  // Grips on a line, which is moved by any part of it, and turned about its foot by the tip of its arrow. `take` says
  // where the foot is, at what angle the arrow, and what else is held; `move` is told where they go.
  addGrips(parent, take, move) {
    const line = draw(parent, "path", { class: "grip" });
    const tip = draw(parent, "circle", { class: "grip turn", r: 60 });
    const holds = ({ target }) => target === line || target === tip;
    this.keepsFinger(holds);
    this.followPointer((event) => {
      if (!holds(event)) return null;
      event.preventDefault(); // no text is to be selected
      return { ...take(), turns: event.target === tip, at: this.pointer(event) };
    }, (event, held) => {
      const [[u, v], { foot, angle, turns, at }] = [this.pointer(event), held];
      if (turns) move(foot, Math.atan2(v - foot[1], u - foot[0]), held);
      else move([foot[0] + u - at[0], foot[1] + v - at[1]], angle, held);
    });
    return { line, tip };
  }

  // Marks, made anew only where their number or a label has changed; many have to be small.
  setPoints(X, y, title) {
    const scale = Math.min(1, Math.max(0.4, Math.sqrt(60 / Math.max(y.length, 1))));
    if (this.points.length !== y.length) {
      this.marks.replaceChildren();
      this.points = y.map(() => ({ group: draw(this.marks, "g", { class: "point" }), state: "" }));
    }
    this.points.forEach((point, n) => {
      if (point.label !== y[n]) {
        point.group.replaceChildren();
        point.ring = draw(point.group, "circle", { class: "ring", r: 25, visibility: "hidden" });
        point.outer = draw(point.group, "circle", { class: "ring outer", r: 39, visibility: "hidden" });
        point.square = draw(point.group, "rect", { class: "selected", x: -38, y: -38, width: 76, height: 76 });
        mark(point.group, y[n]);
        draw(point.group, "circle", { class: "hit", r: 44 });
        draw(point.group, "title", {}, title(n));
        show(point.square, false);
        [point.label, point.state] = [y[n], ""];
      }
      const [u, v] = this.place(X[n]).map(short);
      if (point.at !== `${u} ${v} ${scale}`) {
        point.at = `${u} ${v} ${scale}`;
        point.group.setAttribute("transform", `translate(${u} ${v}) scale(${scale})`);
      }
    });
  }

  // Rings around mistakes, a double one around the pick, a square around the selected point.
  setRings(wrong, { pick = -1, selected = -1, avoid = [] } = {}) {
    const isWrong = new Set(wrong);
    this.points.forEach((point, n) => {
      const state = `${isWrong.has(n)} ${n === pick} ${n === selected}`;
      if (point.state === state) return;
      point.state = state;
      show(point.ring, isWrong.has(n) || n === pick);
      show(point.outer, n === pick);
      show(point.square, n === selected);
    });
    this.pickName.textContent = pick in this.points ? pick : "";
    if (pick in this.points) set(this.pickName, this.besideOf(pick, avoid));
  }

  // Where the number of a point stands: on the side of it that is farthest from all others, and from some places.
  besideOf(n, avoid) {
    const places = this.points.map(({ at }) => at.split(" ").map(Number));
    const [u, v, scale] = places[n];
    const gap = 12 + 30 * scale;
    const others = [...places.filter((_, k) => k !== n), ...avoid];
    const free = ([x, y]) => Math.min(SIZE, ...others.map(([a, b]) => Math.hypot(a - x, b - y)));
    const sides = [[1, -1], [-1, -1], [1, 1], [-1, 1]].map(([across, down]) => {
      const middle = [u + across * (gap + 22), v + down * gap];
      const fits = middle[0] > 40 && middle[0] < SIZE - 40 && middle[1] > 20 && middle[1] < SIZE - 20;
      return { x: u + across * gap, y: v + down * gap + 14, "text-anchor": across > 0 ? "start" : "end", room: fits ? free(middle) : -1 };
    });
    return sides.reduce((best, side) => (side.room > best.room + 20 ? side : best));
  }

  // Shade what w says; w = 0 says the sign of zero everywhere, and with 0 nothing.
  setRegions(w, signOfZero) {
    const nothing = w.every((entry) => entry === 0);
    const whole = corners(this.box);
    const plus = nothing ? (signOfZero > 0 ? whole : []) : halfPlane(whole, w);
    this.plus.setAttribute("d", plus.length ? `${path(plus.map((x) => this.place(x)))}Z` : "");
    this.ground.setAttribute("class", nothing && signOfZero === 0 ? "ground undecided" : "ground");
  }

  // The ends of the line of a w; nothing if it is not in the picture.
  ends(w) {
    return lineInBox(w, this.box).map((x) => this.place(x));
  }

  // The line of a w, or a part of it about its middle, under a name and with a look of its own; returns its ends.
  setLine(name, w, look = name, part = 1) {
    this.line[name] ??= draw(this.lines, "path", { class: `line ${look}` });
    const ends = this.ends(w);
    const shown = ends.map((end, k) => end.map((value, i) => value + ((1 - part) / 2) * (ends[1 - k][i] - value)));
    this.line[name].setAttribute("d", path(shown));
    return ends;
  }

  // w as an arrow from its line to its + side, at right angles in the picture; where its tip is, if there is a line.
  setArrow(w, ends) {
    show(this.arrowName, ends.length);
    this.arrow.replaceChildren();
    if (!ends.length) return null;
    const across = this.pixels(w.slice(1));
    const [dx, dy] = across.map((value) => value / Math.hypot(...across));
    // From the middle of the line, or from a part of it where the arrow does not leave the picture.
    const feet = [0.5, 0.3, 0.7, 0.12, 0.88].map((part) => ends[0].map((value, i) => value + part * (ends[1][i] - value)));
    const fits = ([u, v]) => [u + 150 * dx, v + 150 * dy].every((value) => value >= 0 && value <= SIZE);
    const foot = feet.find(fits) ?? feet[0];
    const tip = [foot[0] + 105 * dx, foot[1] + 105 * dy];
    arrow(this.arrow, foot, tip, 8);
    set(this.arrowName, { x: short(tip[0] + 28 * dx), y: short(tip[1] + 28 * dy + 12) });
    return tip;
  }
}

// --- curves over t -------------------------------------------------------------------------------------------------

const PANEL = { width: 1000, left: 120, right: 20 };

export class Curves {
  constructor(parent, { height, names, whole = false, xTitle }) {
    this.plot = { left: PANEL.left, right: PANEL.width - PANEL.right, top: 64, bottom: height - 92 };
    this.svg = draw(parent, "svg", { class: "curves", viewBox: `0 0 ${PANEL.width} ${height}`, role: "img" });
    this.whole = whole;
    this.title = draw(this.svg, "text", { class: "title", x: PANEL.left, y: 40 });
    write(draw(this.svg, "text", { x: this.plot.right, y: height - 8, "text-anchor": "end" }), xTitle);
    this.impossible = draw(this.svg, "path", { class: "impossible" });
    this.axes = draw(this.svg, "g", { class: "axes" });
    this.curves = names.map((name) => draw(this.svg, "path", { class: `curve ${name}` }));
    this.dots = draw(this.svg, "path", { class: `dots ${names[0]}` });
  }

  // Curves of values for t = 0, 1, …, each a list; the second may bound the first: from "above" or from "below".
  set(title, lists, { high, bounds = "", steps = [] }) {
    write(this.title, title);
    set(this.svg, { "aria-label": title });
    const { left, right, top, bottom } = this.plot;
    const last = Math.max(lists[0].length - 1, 1);
    const across = (t) => left + (t / last) * (right - left);
    const at = (t, value) => [across(t), bottom - (value / high) * (bottom - top)];
    this.drawAxes(last, high, at);
    lists.forEach((values, k) => {
      const places = values.flatMap((value, t) => {
        if (!Number.isFinite(value)) return [];
        if (k > 0 && value === values[t - 1] && value === values[t + 1]) return []; // of a level stretch the ends will do
        return steps[k] && t > 0 ? [at(t, values[t - 1]), at(t, value)] : [at(t, value)];
      });
      this.curves[k].setAttribute("d", path(places));
      const dots = places.length > DOTS ? [] : places;
      if (k === 0) this.dots.setAttribute("d", dots.map(([u, v]) => `M${short(u)} ${short(v)}h0`).join(""));
      if (k === 1 && bounds) {
        const edge = bounds === "above" ? top : bottom;
        this.impossible.setAttribute("d", `${path([...places, [right, edge], [left, edge]])}Z`);
      }
    });
  }

  drawAxes(last, high, at) {
    const key = `${last} ${high}`;
    if (this.key === key) return;
    this.key = key;
    const { left, right, bottom } = this.plot;
    this.axes.replaceChildren();
    draw(this.axes, "path", { d: `M${left} ${this.plot.top}V${bottom}H${right}` });
    for (const [t, text] of ticks(0, last, true)) {
      draw(this.axes, "text", { x: short(at(t, 0)[0]), y: bottom + 42, "text-anchor": "middle" }, text);
    }
    const values = ticks(0, high, this.whole);
    for (const [value, text] of values.filter((_, k) => values.length < 6 || k % 2 === 0)) {
      const [, v] = at(0, value);
      draw(this.axes, "path", { d: `M${left} ${short(v)}h-10` });
      draw(this.axes, "text", { x: left - 16, y: short(v) + 12, "text-anchor": "end" }, text);
    }
  }
}

// --- legends -------------------------------------------------------------------------------------------------------

// How each entry is drawn, in a box of 34 by 16.
export const row = (draws) => (svg) => draws(draw(svg, "g", { transform: "translate(17 8)" }));
export const stroke = (name) => (svg) => draw(svg, "path", { class: name, d: "M1 8H33" });
const arrowOf = (name, width) => (svg) => arrow(draw(svg, "g", { class: `arrow ${name}` }), [1, 8], [33, 8], width);
const region = (name, label) => (svg) => {
  draw(svg, "rect", { class: name, width: 34, height: 16 });
  set(mark(svg, label), { transform: "translate(17 8) scale(0.42)" });
};
export const ENTRIES = {
  w: arrowOf("w", 3.4), step: arrowOf("step", 2.2), before: arrowOf("before", 2.2),
  plus: region("plus region", 1), minus: region("ground", -1),
  mistake: row((g) => draw(g, "circle", { class: "ring", r: 7, style: "stroke-width: 1.6" })),
  pick: row((g) => [3.8, 7].forEach((r) => draw(g, "circle", { class: "ring", r, style: "stroke-width: 1.7" }))),
  measured: stroke("curve measured"), bound: stroke("curve bound"),
  impossible: (svg) => draw(svg, "rect", { class: "impossible", width: 34, height: 16 }),
  line: stroke("line g"), pocket: stroke("line pocket"), last: stroke("line last"), best: stroke("line best"),
  kept: stroke("curve kept"),
  target: stroke("line target"), corridor: stroke("line corridor"), walk: stroke("curve walk"),
};

export class Legend {
  constructor(parent, say) {
    this.list = add(parent, "ul", { class: "legend" });
    this.say = say;
  }

  // Entries by id; made anew only for other ids.
  set(ids) {
    if (this.ids === ids.join()) return;
    this.ids = ids.join();
    this.list.replaceChildren();
    for (const id of ids) {
      const item = add(this.list, "li");
      ENTRIES[id](draw(item, "svg", { viewBox: "0 0 34 16", "aria-hidden": "true" }));
      write(add(item, "span"), this.say(`legend_${id}`));
    }
  }
}

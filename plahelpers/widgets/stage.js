// The stage: draws a run of PLA or Pocket in the page, and reports what the user does with it.
//
// It works nothing out. Python (scene.py) sends a scene: points, lines, shaded regions, arrows and words, with all
// places in picture units, from 0 to 1000 on both axes, downwards as in SVG. The same file is a script in a page
// without a kernel (the scenes are found in the page, see the end) and the front end of a live widget (`render`).

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 1000;
const MARK = 13; // half the size of a point's mark
const REACH = 36; // a click this near to a point means the point
const PACE = 1400; // milliseconds a step, while playing
const CALM_PACE = 3000; // the same, for who asks the system for less motion

const STYLE = `
:host { display: block; color-scheme: light; }
.stage { all: initial; box-sizing: border-box; max-width: 860px; margin: 4px 0; padding: 12px; display: flex; flex-wrap: wrap;
  gap: 8px 20px; background: #fff; color: var(--ink); border: 1px solid #ccc; border-radius: 6px;
  font: 15px/1.45 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
.left { flex: 1 1 300px; min-width: 0; max-width: 500px; }
.side { flex: 1 1 240px; min-width: 0; overflow-wrap: break-word; }
svg { display: block; width: 100%; height: auto; overflow: visible; font-family: inherit; }
.picture { border-radius: 4px; outline-offset: 2px; }
.picture.live { touch-action: none; cursor: crosshair; }
.picture.live .mark { cursor: grab; }
:focus-visible { outline: 3px solid var(--next); }
.bar { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
.bar button { flex: 1 1 auto; min-height: 34px; padding: 2px 8px; font: inherit; color: var(--ink); background: #f3f3f3;
  border: 1px solid #8a8a8a; border-radius: 4px; cursor: pointer; }
.bar button:hover:enabled { background: #e4e4e4; }
.bar button:disabled { color: #767676; border-color: #ccc; cursor: default; }
.bar input { flex: 1 1 100%; width: 100%; min-height: 24px; margin: 0; accent-color: var(--plus); }
.head { margin: 0; font-weight: 600; font-size: 17px; }
.w { margin: 2px 0 6px; }
.words { margin: 8px 0; min-height: 5.8em; }
.note { margin: 8px 0 0; padding: 4px 8px; border-left: 4px solid var(--mistake); background: #fbf3f7; }
.note:empty { display: none; }
.vectors { max-width: 230px; }
.legend { margin: 4px 0 0; padding: 0; list-style: none; font-size: 13.5px; }
.legend li { display: flex; }
.legend svg { flex: none; width: 34px; height: 16px; margin: 2px 6px 0 0; }
@media print {
  .bar { display: none; }
  .stage { border-color: #fff; break-inside: avoid; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}`;

// --- small tools -----------------------------------------------------------------------------------------------

function html(parent, tag, attributes = {}, text = "") {
  const node = parent.appendChild(document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

function draw(parent, tag, attributes = {}, text = "") {
  const node = parent.appendChild(document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== "") node.textContent = text;
  return node;
}

function line(parent, [x1, y1, x2, y2], attributes) {
  return draw(parent, "line", { x1, y1, x2, y2, ...attributes });
}

// An arrow whose head is a polygon and not an SVG marker: markers need an id, and ids clash on a page with many stages.
function arrow(parent, [x1, y1, x2, y2], colour, width, attributes = {}) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1e-6) return;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = Math.min(width * 4, length);
  const [bx, by] = [x2 - dx * head, y2 - dy * head];
  line(parent, [x1, y1, bx, by], { stroke: colour, "stroke-width": width, ...attributes });
  const half = head * 0.45;
  const corners = [x2, y2, bx - dy * half, by + dx * half, bx + dy * half, by - dx * half];
  draw(parent, "polygon", { points: corners.join(" "), fill: colour });
}

function halo(parent, x, y, text, colour, attributes = {}) {
  const around = { "paint-order": "stroke", stroke: "#fff", "stroke-width": 8, "stroke-linejoin": "round" };
  draw(parent, "text", { x, y, fill: colour, "font-size": 40, "font-weight": 600, ...around, ...attributes }, text);
}

// --- drawing ---------------------------------------------------------------------------------------------------

function mark(parent, u, v, label, look, scale) {
  const at = `translate(${u} ${v}) scale(${scale})`;
  const group = draw(parent, "g", { class: "mark", transform: at, fill: "none", "stroke-width": 6 });
  if (label > 0) draw(group, "circle", { r: MARK, stroke: look.plus });
  else {
    const d = `M${-MARK} ${-MARK}L${MARK} ${MARK}M${-MARK} ${MARK}L${MARK} ${-MARK}`;
    draw(group, "path", { d, stroke: look.minus });
  }
  return group;
}

// The mistakes come as hexadecimal digits, a bit for each point.
function isWrong(frame, k) {
  return ((parseInt(frame.wrong[k >> 2], 16) >> (3 - (k & 3))) & 1) === 1;
}

function drawAxes(svg, scene) {
  const words = { fill: scene.look.faint, "font-size": 34 };
  for (const [at, text] of scene.ticks[0]) {
    line(svg, [at, SIZE, at, SIZE + 12], { stroke: scene.look.faint, "stroke-width": 2 });
    draw(svg, "text", { x: at, y: SIZE + 46, "text-anchor": "middle", ...words }, text);
  }
  for (const [at, text] of scene.ticks[1]) {
    line(svg, [-12, at, 0, at], { stroke: scene.look.faint, "stroke-width": 2 });
    draw(svg, "text", { x: -20, y: at + 12, "text-anchor": "end", ...words }, text);
  }
  draw(svg, "text", { x: SIZE, y: SIZE + 88, "text-anchor": "end", ...words }, scene.names[0]);
  draw(svg, "text", { x: -20, y: -18, "text-anchor": "end", ...words }, scene.names[1]);
}

function drawPicture(svg, scene, frame, moving) {
  const look = scene.look;
  svg.replaceChildren();
  draw(svg, "title", {}, scene.title);
  const base = frame.undecided ? "#fff" : look.minus_region;
  draw(svg, "rect", { x: 0, y: 0, width: SIZE, height: SIZE, fill: base });
  if (frame.plus.length) draw(svg, "polygon", { class: "plus", points: frame.plus.join(" "), fill: look.plus_region });
  const border = { fill: "none", stroke: look.faint, "stroke-width": 2 };
  draw(svg, "rect", { x: 0, y: 0, width: SIZE, height: SIZE, ...border });
  drawAxes(svg, scene);
  if (frame.pocket) {
    line(svg, frame.pocket, { class: "pocket", stroke: look.pocket, "stroke-width": 9, "stroke-dasharray": "30 14" });
  }
  if (frame.line) line(svg, frame.line, { class: "line", stroke: look.ink, "stroke-width": 6 });
  scene.points.forEach(([u, v, label, n], k) => {
    if (moving && moving.k === k) [u, v] = [moving.u, moving.v];
    const ring = { cx: u, cy: v, fill: "none", stroke: look.mistake };
    if (k === frame.pick) {
      draw(svg, "circle", { ...ring, class: "pick", r: 34, "stroke-width": 10, fill: "#fff", "fill-opacity": 0.75 });
    } else if (isWrong(frame, k)) {
      draw(svg, "circle", { ...ring, class: "wrong", r: 25 * scene.scale, "stroke-width": 4 * scene.scale });
    }
    if (k === scene.selected) {
      const square = { x: u - 38, y: v - 38, width: 76, height: 76, fill: "none", stroke: look.ink };
      draw(svg, "rect", { ...square, class: "selected", "stroke-width": 4, "stroke-dasharray": "12 8" });
    }
    draw(mark(svg, u, v, label, look, scene.scale), "title", {}, scene.text.example.replace("{n}", n));
  });
  if (frame.normal) {
    arrow(svg, frame.normal, look.ink, 8);
    const [x1, y1, x2, y2] = frame.normal;
    const length = Math.hypot(x2 - x1, y2 - y1);
    const at = [x2 + ((x2 - x1) / length) * 28, y2 + ((y2 - y1) / length) * 28 + 12];
    halo(svg, ...at, "w", look.ink, { "text-anchor": "middle", "font-style": "italic" });
  }
  if (frame.pick !== undefined) {
    const [u, v, , n] = scene.points[frame.pick];
    const side = u > SIZE - 120 ? { "text-anchor": "end" } : {};
    halo(svg, u > SIZE - 120 ? u - 42 : u + 42, v < 60 ? v + 58 : v - 28, n, look.mistake, side);
  }
}

// The update as arrows, tip to tail: w, then y·x, make the next w. Scaled to fit, with equal axes.
function drawVectors(svg, vectors, look) {
  svg.replaceChildren();
  const [width, height, margin] = [230, 150, 14];
  const xs = [0, vectors.w[0], vectors.next[0]];
  const ys = [0, -vectors.w[1], -vectors.next[1]];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const unit = Math.max((right - left) / (width - 2 * margin), (bottom - top) / (height - 2 * margin)) || 1;
  const px = (x) => width / 2 + (x - (left + right) / 2) / unit;
  const py = (y) => height / 2 + (y - (top + bottom) / 2) / unit;
  const [o, w, next] = [0, 1, 2].map((k) => [px(xs[k]), py(ys[k])]);
  draw(svg, "rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, fill: "#fff", stroke: "#ccc" });
  arrow(svg, [...o, ...next], look.next, 5.5);
  arrow(svg, [...o, ...w], look.ink, 2.6);
  arrow(svg, [...w, ...next], look.mistake, 2.2, { "stroke-dasharray": "6 4" });
  draw(svg, "circle", { cx: o[0], cy: o[1], r: 3.5, fill: look.ink });
}

function legendRow(list, text, paint) {
  const row = html(list, "li");
  paint(draw(row, "svg", { viewBox: "0 0 34 16", "aria-hidden": "true" }));
  row.append(text);
}

function drawLegend(list, scene, frame) {
  const { look, text } = scene;
  list.replaceChildren();
  if (frame.vectors) {
    const [w, yx, next] = frame.vectors.names;
    legendRow(list, w, (svg) => arrow(svg, [1, 8, 33, 8], look.ink, 2.6));
    legendRow(list, yx, (svg) => arrow(svg, [1, 8, 33, 8], look.mistake, 2.2, { "stroke-dasharray": "6 4" }));
    legendRow(list, next, (svg) => arrow(svg, [1, 8, 33, 8], look.next, 5.5));
  }
  legendRow(list, text.plus, (svg) => {
    draw(svg, "rect", { width: 34, height: 16, fill: look.plus_region });
    mark(svg, 17, 8, 1, look, 0.42);
  });
  legendRow(list, text.minus, (svg) => {
    draw(svg, "rect", { width: 34, height: 16, fill: look.minus_region });
    mark(svg, 17, 8, -1, look, 0.42);
  });
  if (/[^0]/.test(frame.wrong)) {
    legendRow(list, text.mistake, (svg) =>
      draw(svg, "circle", { cx: 17, cy: 8, r: 7, fill: "none", stroke: look.mistake, "stroke-width": 1.6 }));
  }
  if (frame.pick !== undefined) {
    legendRow(list, text.pick, (svg) =>
      draw(svg, "circle", { cx: 17, cy: 8, r: 6, fill: "none", stroke: look.mistake, "stroke-width": 3.4 }));
  }
  if (frame.pocket) {
    legendRow(list, text.pocket, (svg) =>
      line(svg, [0, 8, 34, 8], { stroke: look.pocket, "stroke-width": 4, "stroke-dasharray": "13 6" }));
  }
}

// --- the stage -------------------------------------------------------------------------------------------------

// Everything inside a shadow root, so that no style of the page gets in and none of ours gets out.
function build(host) {
  host.setAttribute("data-lm-suppress-shortcuts", "true"); // in JupyterLab, keys pressed here are ours
  const shadow = host.attachShadow({ mode: "open" });
  html(shadow, "style", {}, STYLE);
  const stage = html(shadow, "div", { class: "stage" });
  const left = html(stage, "div", { class: "left" });
  const side = html(stage, "div", { class: "side" });
  const parts = {
    stage,
    left,
    svg: draw(left, "svg", { class: "picture", viewBox: "-92 -50 1124 1144", tabindex: 0 }),
    head: html(side, "p", { class: "head" }),
    w: html(side, "p", { class: "w" }),
    vectors: draw(side, "svg", { class: "vectors", viewBox: "0 0 230 150", role: "img" }),
    words: html(side, "p", { class: "words", "aria-live": "polite" }),
    note: html(side, "p", { class: "note", role: "status" }),
    legend: html(side, "ul", { class: "legend" }),
  };
  side.insertBefore(parts.words, parts.vectors);
  return parts;
}

function show(parts, scene, frame, moving) {
  for (const name of ["ink", "plus", "mistake", "next"]) parts.stage.style.setProperty(`--${name}`, scene.look[name]);
  parts.svg.setAttribute("aria-label", scene.label);
  drawPicture(parts.svg, scene, frame, moving);
  parts.vectors.style.display = frame.vectors ? "" : "none";
  if (frame.vectors) {
    drawVectors(parts.vectors, frame.vectors, scene.look);
    parts.vectors.setAttribute("aria-label", frame.vectors.names.join("; "));
  }
  drawLegend(parts.legend, scene, frame);
  for (const name of ["head", "w", "words"]) if (parts[name].textContent !== frame[name]) parts[name].textContent = frame[name];
  if (parts.note.textContent !== scene.note) parts.note.textContent = scene.note;
}

// A page without a kernel: buttons, a slider and keys step through the frames that came with the page.
function player(host, scene) {
  const parts = build(host);
  const text = scene.text;
  const last = scene.frames.length - 1;
  parts.stage.setAttribute("role", "group");
  parts.stage.setAttribute("aria-label", scene.title);
  parts.svg.setAttribute("role", "application"); // so that a screen reader hands the arrow keys on
  const bar = html(parts.left, "div", { class: "bar" });
  let [at, timer] = [0, null];

  const go = (to) => {
    at = Math.min(Math.max(to, 0), last);
    show(parts, scene, scene.frames[at]);
    slider.value = at;
    slider.setAttribute("aria-valuetext", scene.frames[at].head);
    first.disabled = back.disabled = at === 0;
    next.disabled = end.disabled = at === last;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = text.play;
    parts.words.setAttribute("aria-live", "polite");
  };
  const start = () => {
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    parts.words.setAttribute("aria-live", "off"); // words that come faster than they can be read aloud are noise
    play.textContent = text.pause;
    go(at === last ? 0 : at + 1);
    timer = setInterval(() => {
      if (host.isConnected && at < last) go(at + 1);
      if (!host.isConnected || at === last) stop();
    }, calm ? CALM_PACE : PACE);
  };
  const step = (to) => {
    stop();
    go(to);
  };
  const button = (name, label, action) => {
    const node = html(bar, "button", { type: "button", "aria-label": label }, name);
    node.addEventListener("click", action);
    return node;
  };
  const first = button(text.first, text.first_label, () => step(0));
  const back = button(text.back, text.back_label, () => step(at - 1));
  const play = button(text.play, text.play_label, () => (timer === null ? start() : stop()));
  const next = button(text.next, text.next_label, () => step(at + 1));
  const end = button(text.last, text.last_label, () => step(last));
  play.disabled = last === 0;
  const slider = html(bar, "input", { type: "range", min: 0, max: last, step: 1, "aria-label": text.slider });
  slider.addEventListener("input", () => step(Number(slider.value)));

  const keys = {
    ArrowLeft: () => step(at - 1), ArrowUp: () => step(at - 1),
    ArrowRight: () => step(at + 1), ArrowDown: () => step(at + 1),
    Home: () => step(0), End: () => step(last), " ": () => play.click(),
  };
  parts.stage.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation(); // else slides would turn over, too
    const pressed = event.key === " " && event.target !== parts.svg; // a button's own key
    if (event.target === slider || pressed) return;
    event.preventDefault();
    keys[event.key]();
  });
  go(0);
}

// A live notebook: the mouse on the picture reports to Python, which answers with a new scene.
function render({ model, el }) {
  const parts = build(html(el, "div"));
  const svg = parts.svg;
  svg.classList.add("live");
  svg.setAttribute("role", "img");
  let [moving, sent, waiting, planned] = [null, 0, false, false];

  const redraw = () => show(parts, model.get("scene"), model.get("scene").frames[0], moving);
  const send = (kind, more) => {
    sent += 1;
    model.send({ kind, number: sent, ...more });
  };
  // While a point is dragged, at most one move is under way, and at most one a frame; what was skipped is never sent.
  const sendMove = () => {
    planned = false;
    if (!moving || waiting || !moving.fresh) return;
    moving.fresh = false;
    waiting = true;
    send("move", { k: moving.k, u: moving.u, v: moving.v });
  };
  const plan = () => {
    if (planned) return;
    planned = true;
    requestAnimationFrame(sendMove);
  };
  const place = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [x, y];
  };
  const near = (u, v) => {
    const far = model.get("scene").points.map(([pu, pv]) => Math.hypot(pu - u, pv - v));
    const k = far.indexOf(Math.min(...far));
    return far[k] <= REACH ? k : -1;
  };
  const inside = (value) => Math.min(Math.max(value, 0), SIZE);
  const click = (event, k, u, v) => {
    const tool = event.altKey ? "remove" : event.shiftKey ? "flip" : model.get("tool");
    if (k >= 0) send(tool === "flip" || tool === "remove" ? tool : "select", { k });
    else if (inside(u) === u && inside(v) === v && (tool === "+1" || tool === "-1")) send("add", { u, v, label: Number(tool) });
  };
  let down = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [u, v] = place(event);
    down = { k: near(u, v), u, v };
    svg.setPointerCapture(event.pointerId);
    svg.focus({ preventScroll: true });
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (!down || down.k < 0) return;
    const [u, v] = place(event);
    if (!moving && Math.hypot(u - down.u, v - down.v) < 8) return; // a hand that trembles still clicks
    moving = { k: down.k, u: inside(u), v: inside(v), fresh: true };
    redraw();
    plan();
  });
  const release = (event) => {
    if (!down) return;
    const { k } = down;
    down = null;
    if (moving) {
      const { u, v } = moving;
      moving = null;
      waiting = false;
      send("move", { k, u, v }); // where it was let go, whatever is under way
    } else if (event.type === "pointerup") click(event, k, ...place(event));
  };
  svg.addEventListener("pointerup", release);
  svg.addEventListener("pointercancel", release);
  svg.addEventListener("keydown", (event) => {
    const k = model.get("scene").selected;
    if (k === undefined || (event.key !== "Delete" && event.key !== "Backspace")) return;
    event.preventDefault();
    event.stopPropagation();
    send("remove", { k });
  });
  const answered = () => {
    waiting = model.get("heard") < sent && waiting;
    redraw();
    if (moving) plan();
  };
  model.on("change:scene", answered);
  model.on("change:heard", answered);
  redraw();
  return () => {
    model.off("change:scene", answered);
    model.off("change:heard", answered);
  };
}

// The players of this page that no copy of this script has taken yet. What they hide are the words in their place.
for (const host of document.querySelectorAll("div.pla-stage")) {
  const scene = host.querySelector('script[type="application/json"]');
  if (scene && !host.shadowRoot) player(host, JSON.parse(scene.textContent));
}

export default { render };

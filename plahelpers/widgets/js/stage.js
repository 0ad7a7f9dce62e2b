// The stage: what every widget has around its picture. Everything is inside a shadow root, so that no style of the page
// gets in and none of ours gets out. Sizes are in em of the page's type: a page with large type has a large stage.

import { Legend, add, set, write } from "./drawing.js";
import { sayer } from "./words.js";

const STYLE = `
:host { display: block; container-type: inline-size; font-size: var(--pla-font-size, var(--jp-content-font-size1, inherit)); }
.stage { all: initial; box-sizing: border-box; max-width: var(--pla-width, 62em); margin: 0.3em 0; padding: var(--pla-padding, 0.8em);
  display: grid; gap: 0 1.4em; align-content: start; grid-template-rows: auto auto;
  grid-template-columns: var(--pla-columns, minmax(0, 33em) minmax(0, 1fr)); grid-template-areas: var(--pla-areas, "picture side" "controls side");
  background: var(--paper); color: var(--ink); border: var(--pla-border, 1px) solid var(--edge); border-radius: 6px;
  font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; line-height: 1.4;
  font-size: inherit; -webkit-text-size-adjust: none; }
.plane { grid-area: picture; }
.panel { grid-area: controls; }
.side { grid-area: side; display: var(--pla-side, block); overflow-wrap: break-word; }
.text { grid-area: words; }
.charts { grid-area: charts; width: var(--pla-charts, 100%); max-width: var(--charts, none); }
.charts:empty { display: none; }
.legend { grid-area: legend; }
.more { grid-area: more; }
.more:empty { display: none; }
.plane, .panel, .side, .text { min-width: 0; }
@container (max-width: 42em) {
  .stage { grid-template-columns: minmax(0, 1fr); grid-template-areas: "picture" "controls" "side"; }
}
svg { display: block; width: 100%; height: auto; overflow: visible; font-family: inherit; }
.picture { border-radius: 4px; outline-offset: 2px; }
:focus-visible { outline: 3px solid var(--next); outline-offset: 1px; }
text { fill: var(--faint); font-size: 38px; }
.title { fill: var(--ink); font-weight: 600; font-size: 42px; }
.halo { paint-order: stroke; stroke: var(--paper); stroke-width: 8; stroke-linejoin: round; font-size: 42px; font-weight: 600; pointer-events: none; }
.halo.w { fill: var(--ink); font-style: italic; }
.halo.pick { fill: var(--mistake); }
.frame, .vectors .frame { fill: none; stroke: var(--faint); stroke-width: 2; }
.vectors .frame { stroke: var(--edge); stroke-width: 1; }
.axes path { fill: none; stroke: var(--faint); stroke-width: 2; }
.ground { fill: var(--minus_region); }
.ground.undecided { fill: var(--paper); }
.plus.region { fill: var(--plus_region); }
.mark.plus { fill: var(--plus); }
.mark.minus { fill: none; stroke: var(--minus); stroke-width: 6.5; }
.ring { fill: none; stroke: var(--mistake); stroke-width: 4.5; }
.ring.pick { stroke-width: 10; fill: var(--paper); fill-opacity: 0.7; }
.selected { fill: none; stroke: var(--ink); stroke-width: 4; stroke-dasharray: 12 8; }
.hit { fill: transparent; stroke: none; }
.line, .curve { fill: none; stroke: var(--ink); stroke-width: 0.19em; vector-effect: non-scaling-stroke; }
.line.pocket { stroke: var(--pocket); stroke-width: 0.28em; stroke-dasharray: 0.9em 0.4em; }
.line.last { stroke: var(--faint); stroke-dasharray: 0.5em 0.3em; }
.line.best { stroke-dasharray: 0.12em 0.26em; }
.line.target { stroke: var(--next); stroke-dasharray: 0.5em 0.3em; }
.line.corridor { stroke: var(--next); stroke-width: 0.1em; stroke-dasharray: 0.12em 0.26em; }
.curve.measured { stroke: var(--plus); }
.curve.bound { stroke-dasharray: 0.5em 0.3em; }
.curve.walk { stroke: var(--faint); stroke-width: 0.09em; }
.curve.pocket { stroke: var(--pocket); stroke-width: 0.28em; stroke-dasharray: none; }
.curve.best { stroke-dasharray: 0.12em 0.26em; }
.dots { fill: none; stroke: var(--faint); stroke-width: 0.42em; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.dots.measured { stroke: var(--plus); }
.impossible { fill: var(--impossible); }
.arrow path { fill: none; stroke: var(--ink); }
.arrow path.tip { fill: var(--ink); stroke: none; }
.arrow.before path { stroke: var(--faint); }
.arrow.before path.tip { fill: var(--faint); stroke: none; }
.arrow.step path { stroke: var(--mistake); stroke-dasharray: 6 4; }
.arrow.step path.tip { fill: var(--mistake); stroke: none; }
.origin { fill: var(--ink); }
.picture { touch-action: pan-y; }
.edits { cursor: crosshair; }
.edits .hit { cursor: grab; }
.grip { fill: none; stroke: transparent; stroke-width: 80; cursor: grab; }
.grip.turn { fill: transparent; stroke: none; cursor: crosshair; }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em 0.6em; margin-top: 0.6em; }
.controls.typed { display: var(--pla-typed, flex); }
fieldset { all: unset; display: contents; }
button, select, input { font: inherit; color: var(--ink); background: var(--control); border: 1px solid var(--faint); border-radius: 4px; }
button { flex: 1 1 auto; min-height: 2.2em; padding: 0.1em 0.5em; cursor: pointer; }
button:disabled { opacity: 0.55; cursor: default; }
button[aria-pressed="true"] { color: var(--paper); background: var(--ink); }
select, input { min-height: 1.9em; box-sizing: border-box; padding: 0 0.3em; max-width: 100%; }
input[type="number"] { width: 5.6em; }
input[type="range"] { flex: 1 1 8em; min-width: 0; min-height: 2em; margin: 0; padding: 0; border: 0; background: none; accent-color: var(--plus); touch-action: pan-y; }
.slider, .field { display: flex; align-items: center; gap: 0.5em; flex: 1 1 100%; }
.field { flex: 0 1 auto; }
.slider > span { flex: none; min-width: var(--name, 2em); }
.slider > output { flex: none; min-width: 3.6em; text-align: right; font-variant-numeric: tabular-nums; }
.wide { flex: 1 1 100%; }
.wide input { flex: 1 1 auto; width: 100%; }
.head { margin: 0; font-weight: 600; font-size: 1.12em; }
.w { margin: 0.1em 0 0.4em; }
.words { margin: 0.5em 0; min-height: var(--words, 0); }
.note { margin: 0.5em 0; padding: 0.3em 0.6em; border-left: 4px solid var(--mistake); background: var(--note); }
.note:empty, .w:empty { display: none; }
.hint { display: var(--pla-hint, block); margin: 0.5em 0 0; color: var(--faint); font-size: 0.92em; }
table { border-collapse: collapse; margin: 0.5em 0; }
th { font-weight: 400; text-align: left; padding: 0.15em 1.2em 0.15em 0; }
td { text-align: right; padding: 0.15em 0 0.15em 1.2em; font-variant-numeric: tabular-nums; }
thead th { text-align: right; padding: 0.15em 0 0.15em 1.2em; border-bottom: 1px solid var(--faint); }
.legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(10.5em, 100%), 1fr)); align-content: start;
  gap: 0 1em; margin: 0.4em 0 0; padding: 0; list-style: none; font-size: 0.92em; }
.legend li { display: flex; }
.legend svg { flex: none; width: 2.3em; height: 1.1em; margin: 0.15em 0.5em 0 0; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media print {
  .panel, .more { display: none; }
  .stage { border-color: transparent; break-inside: avoid; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}`;

const PAUSE = 250; // milliseconds of rest after which what is seen is spoken, and told to Python

// Calls the function once, when there has been no other call for a while.
export function whenAtRest(action) {
  let timer = null;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), PAUSE);
  };
}

// Is the page around this node dark? The first background that is not transparent says so.
function isDark(node) {
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme.includes("dark") && (!scheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
}

export class Stage {
  constructor(host, { text, look, title }) {
    host.setAttribute("data-lm-suppress-shortcuts", "true"); // in JupyterLab, keys pressed here are ours
    this.host = host;
    this.look = look;
    this.say = sayer(text);
    const shadow = host.attachShadow({ mode: "open" });
    add(shadow, "style", {}, STYLE);
    this.root = add(shadow, "div", { class: "stage", role: "group", "aria-label": title });
    this.plane = add(this.root, "div", { class: "plane" });
    this.panel = add(this.root, "div", { class: "panel" });
    const side = add(this.root, "div", { class: "side" });
    this.text = add(side, "div", { class: "text" });
    this.charts = add(side, "div", { class: "charts" });
    this.legend = new Legend(side, this.say);
    this.more = add(side, "div", { class: "more" });
    this.parts = Object.fromEntries(["head", "w", "words", "note"].map((name) => [name, add(this.text, "p", { class: name })]));
    this.told = {};
    const spoken = add(shadow, "p", { class: "spoken", role: "status" });
    this.speak = whenAtRest((words) => { spoken.textContent = words; });
    this.root.addEventListener("keydown", (event) => {
      if (!["Escape", "Tab"].includes(event.key)) event.stopPropagation(); // else slides would turn over, too
    });
    this.followTheme();
  }

  followTheme() {
    const paint = (dark) => {
      for (const [name, colours] of Object.entries(this.look)) this.root.style.setProperty(`--${name}`, colours[dark ? 1 : 0]);
      this.root.style.colorScheme = dark ? "dark" : "light";
    };
    const follow = () => paint(isDark(this.host));
    follow();
    if (!this.host.isConnected) requestAnimationFrame(follow); // JupyterLab puts it into the page a moment later
    const page = new MutationObserver(follow);
    const seen = { attributes: true, attributeFilter: ["class", "style", "data-theme", "data-jp-theme-light"] };
    for (const node of [document.documentElement, document.body]) page.observe(node, seen);
    const [toPaper, back] = [() => paint(false), follow];
    window.addEventListener("beforeprint", toPaper);
    window.addEventListener("afterprint", back);
    this.close = () => {
      page.disconnect();
      window.removeEventListener("beforeprint", toPaper);
      window.removeEventListener("afterprint", back);
    };
  }

  // Texts of the side, by the names of its parts; what is new is spoken once nothing moves any more.
  tell(texts) {
    for (const [name, text] of Object.entries(texts)) {
      if (this.told[name] !== text) write(this.parts[name], text);
      this.told[name] = text;
    }
    if (!this.silent) this.speak([texts.head, texts.note, texts.words].filter(Boolean).join(" "));
  }

  // A table of texts, the first row and the first column its heads; it is filled by what is returned.
  table(columns, rows) {
    const table = add(this.text, "table");
    this.text.insertBefore(table, this.parts.note);
    const head = add(add(table, "thead"), "tr");
    for (const name of ["", ...columns]) add(head, name ? "th" : "td", name ? { scope: "col" } : {}, name);
    const cells = rows.map((name) => {
      const line = add(table, "tr");
      add(line, "th", { scope: "row" }, name);
      return columns.map(() => add(line, "td"));
    });
    return (texts) => texts.forEach((row, i) => row.forEach((text, k) => { cells[i][k].textContent = text; }));
  }

  hint(id) {
    add(this.panel, "p", { class: "hint" }, this.say(id));
  }

  row(parent = this.panel, kind = "") {
    return add(parent, "div", { class: `controls ${kind}` });
  }

  // --- controls: each is named by its text, and calls an action with its value ---

  button(row, id, action) {
    const node = add(row, "button", { type: "button", "aria-label": this.say(`${id}_label`) }, this.say(id));
    node.addEventListener("click", action);
    return node;
  }

  slider(row, id, { min, max, step }, format, action) {
    const line = add(row, "label", { class: "slider" });
    write(add(line, "span", { "aria-hidden": "true" }), this.say(id));
    const input = add(line, "input", { type: "range", min, max, step, "aria-label": this.say(id) });
    const output = add(line, "output", { "aria-hidden": "true" });
    input.addEventListener("input", () => action(Number(input.value)));
    return (value) => {
      input.value = value;
      output.textContent = format(value);
      input.setAttribute("aria-valuetext", format(value));
    };
  }

  select(row, id, options, action) {
    const line = add(row, "label", { class: "field" }, this.say(id));
    const input = add(line, "select");
    for (const [value, text] of options) add(input, "option", { value }, text);
    input.addEventListener("change", () => action(input.value));
    return input;
  }

  field(row, id, type, action) {
    const line = add(row, "label", { class: type === "text" ? "field wide" : "field" }, this.say(id));
    const input = add(line, "input", { type, autocomplete: "off", ...(type === "number" ? { step: "any" } : {}) });
    input.addEventListener("change", () => action(input.value));
    return input;
  }

  // Buttons of which one is pressed.
  choice(row, id, options, action) {
    const group = add(row, "fieldset", { role: "group", "aria-label": this.say(id) });
    write(add(group, "span", { "aria-hidden": "true" }), this.say(id));
    const buttons = options.map(([value, text]) => {
      const node = add(group, "button", { type: "button" }, text);
      node.addEventListener("click", () => action(value));
      return [value, node];
    });
    return (value) => buttons.forEach(([own, node]) => set(node, { "aria-pressed": own === value }));
  }
}

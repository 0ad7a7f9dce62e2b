// The stage: what every widget has around its picture. Everything is inside a shadow root, so that no style of the page
// gets in and none of ours gets out. Sizes are in em of the page's type: a page with large type has a large stage.

import { Legend, add, set, write } from "./drawing.js";
import { sayer } from "./words.js";

const [DARK, PAPER, FINGERS, CALM] = [
  "(prefers-color-scheme: dark)", "print", "(hover: none) and (pointer: coarse)", "(prefers-reduced-motion: reduce)",
].map((query) => window.matchMedia(query));
// The widgets by kind. Each module enters its own here, because a page is sent only the modules that it needs.
export const WIDGETS = {};
const PAUSE = 250; // milliseconds of rest after which what is seen is spoken, and told to Python
export const MOVE = 700; // milliseconds of an update that moves

export const isCalm = () => CALM.matches;
export const smooth = (share) => share * share * (3 - 2 * share); // slow at both ends

// Calls `frame` with the share of the time that has passed, the last time with 1; what is returned stops it before.
export function movement(frame) {
  const begin = performance.now();
  let next = null;
  const tick = () => {
    const share = Math.min((performance.now() - begin) / MOVE, 1);
    next = share < 1 ? requestAnimationFrame(tick) : null;
    frame(share);
  };
  tick();
  return () => cancelAnimationFrame(next);
}

// Calls the action once, when there has been no other call for a while.
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
    const numbers = getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]; // it may not be in the page yet
    const [red, green, blue, alpha = 1] = numbers.map(Number);
    if (alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme.includes("dark") && (!scheme.includes("light") || DARK.matches);
}

// A key that the control with the focus uses itself.
function isItsOwn({ key }, control) {
  if (control.type === "range") return /^(Arrow|Page|Home|End)/.test(key);
  return control.matches("button, summary") && (key === " " || key === "Enter");
}

export class Stage {
  constructor(host, { kind, text, look, style }) {
    host.setAttribute("data-lm-suppress-shortcuts", "true"); // in JupyterLab, keys pressed here are ours
    host.setAttribute("data-prevent-swipe", ""); // on a slide, fingers
    this.host = host;
    this.look = look;
    this.say = sayer(text);
    const shadow = host.attachShadow({ mode: "open" });
    add(shadow, "style", {}, style);
    this.root = add(shadow, "div", { class: "stage", role: "group", "aria-label": this.say(`${kind}_title`) });
    // On a slide, where hints are off, the type is large and a speaker says the words.
    this.inHall = getComputedStyle(host).getPropertyValue("--pla-hint").trim() === "none";
    this.root.classList.toggle("hall", this.inHall);
    this.plane = add(this.root, "div", { class: "plane" });
    this.panel = add(this.root, "div", { class: "panel" });
    const side = add(this.root, "div", { class: "side" });
    this.text = add(side, "div", { class: "text" });
    this.charts = add(side, "div", { class: "charts" });
    this.legend = new Legend(side, this.say);
    this.more = add(side, "div", { class: "more" });
    const part = (name) => [name, add(this.text, "p", { class: name })];
    this.parts = Object.fromEntries(["head", "w", "words", "note"].map(part));
    this.told = {};
    const spoken = add(shadow, "p", { class: "spoken", role: "status" });
    this.speak = whenAtRest((words) => { spoken.textContent = words; });
    host.addEventListener("keydown", (event) => {
      const [control] = event.composedPath();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.inHall && event.key.startsWith("Page")) { // a remote control turns the slide, whatever has the focus
        event.preventDefault();
        return;
      }
      if (this.inHall && event.key === "Escape") { // which shows the overview once nothing in here has the focus
        control.blur();
        event.stopPropagation();
      }
      const isFree = !event.defaultPrevented && (control.type === "range" || !isItsOwn(event, control));
      if (isFree && this.press(event, control)) event.preventDefault();
      // Else slides would turn over, too. What nobody uses here, such as a lecturer's remote control, goes on.
      if (event.defaultPrevented || isItsOwn(event, control)) event.stopPropagation();
    });
    [this.press, this.paper] = [() => false, () => {}];
    this.followTheme();
  }

  // Keys that work wherever the focus is in here; before them, `press` is told each key and says whether it used it.
  handleKeys({ back, next, first, last, play }, press = () => false) {
    const arrows = { ArrowLeft: back, ArrowDown: back, ArrowRight: next, ArrowUp: next };
    const keys = { ...arrows, Home: first, End: last, Enter: next, " ": play };
    this.press = (event, control) => {
      if (press(event, control)) return true;
      keys[event.key]?.();
      return Boolean(keys[event.key]);
    };
  }

  // What is to be done before printing, called with true, and after it, with false.
  onPaper(action) {
    this.paper = action;
    if (PAPER.matches) action(true);
  }

  // Light or dark as the page is; looked at again whenever that may have changed, until the widget is taken away.
  followTheme() {
    const [end, root] = [new AbortController(), document.documentElement];
    let wasThere = false;
    const paint = (dark) => {
      for (const [name, colours] of Object.entries(this.look)) {
        this.root.style.setProperty(`--${name}`, colours[dark ? 1 : 0]);
      }
      this.root.style.colorScheme = dark ? "dark" : "light";
    };
    const follow = () => {
      if (wasThere && !this.host.isConnected) close();
      else paint(!PAPER.matches && isDark(this.host));
      wasThere = this.host.isConnected;
    };
    const page = new MutationObserver(follow);
    for (const node of [root, document.body]) page.observe(node, { attributes: true });
    const place = new ResizeObserver(follow); // also when it comes into the page
    place.observe(this.host);
    DARK.addEventListener("change", follow, end);
    root.addEventListener("transitionend", follow, end);
    PAPER.addEventListener("change", () => {
      follow();
      this.paper(PAPER.matches);
    }, end);
    const close = () => {
      page.disconnect();
      place.disconnect();
      end.abort();
    };
    follow();
  }

  // Texts of the side, by the names of its parts; they are spoken, or something shorter, once nothing moves any more.
  tell(texts, spoken = "") {
    for (const [name, text] of Object.entries(texts)) {
      if (this.told[name] !== text) write(this.parts[name], text);
      this.told[name] = text;
    }
    const { head, note, w, words } = texts;
    const all = spoken ? [spoken, head, note] : [head, note, w, words];
    if (this.touched && !this.silent) this.speak(all.filter(Boolean).join(" "));
    this.touched = true; // what is there from the start is for those who go there to read
  }

  // A table of texts, the first row and the first column its heads; it is filled by what is returned.
  table(columns, rows) {
    const table = add(this.text, "table");
    this.text.insertBefore(table, this.parts.note);
    const head = add(add(table, "thead"), "tr");
    for (const name of ["", ...columns]) add(head, name ? "th" : "td", name ? { scope: "col" } : {}, name);
    const cells = rows.map((name) => {
      const line = add(table, "tr");
      write(add(line, "th", { scope: "row" }), name);
      return columns.map(() => add(line, "td"));
    });
    return (texts) => texts.forEach((row, i) => row.forEach((text, k) => { cells[i][k].textContent = text; }));
  }

  hint(id) {
    add(this.panel, "p", { class: "hint" }, this.say(id));
  }

  // The id of a text for a mouse, or for who has only fingers.
  byHand(id) {
    return FINGERS.matches ? `${id}_touch` : id;
  }

  row(parent = this.panel, kind = "") {
    return add(parent, "div", { class: `controls ${kind}` });
  }

  // --- controls: each is named by its text, and calls an action with its value ---

  button(row, id, action) {
    const node = add(row, "button", { type: "button", "aria-label": this.say(`${id}_label`) });
    write(node, this.say(id));
    node.addEventListener("click", () => { if (node.ariaDisabled !== "true") action(); });
    return node;
  }

  // Not by `disabled`, which would take the focus away from whoever has just pressed it.
  enable(button, enabled) {
    button.setAttribute("aria-disabled", !enabled);
  }

  buttons(row, actions) {
    return Object.fromEntries(Object.entries(actions).map(([id, action]) => [id, this.button(row, id, action)]));
  }

  // A button that plays: it makes one step after the other, at a pace, until none is left or nobody sees them.
  player(button, { pace, step, isOver, end }) {
    let timer = null;
    button.style.flexBasis = "4em"; // for both of its texts
    const pause = () => {
      clearInterval(timer);
      [timer, this.silent, button.textContent] = [null, false, this.say("play")];
    };
    const play = () => {
      this.silent = true; // words that come faster than they can be read aloud are noise
      button.textContent = this.say("pause");
      step();
      timer = setInterval(() => {
        const isSeen = this.host.getClientRects().length > 0; // a slide that was left is not
        if (isSeen && !isOver()) step();
        if (isSeen && !isOver()) return;
        pause();
        end(); // and this is read out
      }, pace());
    };
    return { pause, toggle: () => (timer === null ? play() : pause()) };
  }

  slider(row, id, { min = 0, max, step = 1 }, format, action) {
    const line = add(row, "label", { class: "slider" });
    write(add(line, "span", { "aria-hidden": "true" }), this.say(id));
    const input = add(line, "input", { type: "range", min, max, step, "aria-label": this.say(id) });
    const output = add(line, "output", { "aria-hidden": "true" });
    input.addEventListener("input", () => action(Number(input.value)));
    const show = (value) => {
      input.value = value;
      write(output, format(value));
      input.setAttribute("aria-valuetext", format(value));
    };
    return Object.assign(show, { input });
  }

  // Buttons of which one is pressed.
  choice(row, id, options, action) {
    const group = add(row, "fieldset", { role: "group", "aria-label": this.say(id) });
    write(add(group, "span", { "aria-hidden": "true" }), this.say(id));
    const buttons = options.map(([value, text]) => {
      const node = add(group, "button", { type: "button" });
      write(node, text);
      node.addEventListener("click", () => action(value));
      return [value, node];
    });
    return (value) => buttons.forEach(([own, node]) => set(node, { "aria-pressed": own === value }));
  }
}

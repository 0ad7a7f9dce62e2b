// Small things that make the pages work from a folder, from the keyboard, on a phone and on paper.

// What is wider than its place scrolls sideways, can be reached with the keyboard, and shows that there is more.
const WIDE = "article :is(div.highlight pre, .cell_output, div.math, .table-wrapper, mjx-container.too-wide)";
const showMore = (box) => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
const scrollWhatIsWide = (part) => {
  for (const formula of part.querySelectorAll("article mjx-container:not([display])")) {
    if (formula.closest("td, th")) continue; // a table scrolls as a whole
    const width = formula.closest("p, li, dd, summary, h1, h2, h3, div").clientWidth; // none, if it is folded
    formula.classList.toggle("too-wide", width > 0 && formula.firstElementChild.getBoundingClientRect().width > width);
  }
  for (const formula of part.querySelectorAll("article div.math mjx-container[display]")) {
    const box = formula.closest("div.math");
    box.style.fontSize = "";
    const share = formula.clientWidth / formula.scrollWidth; // a little too wide: smaller, rather than cut
    if (share > 0.8 && share < 1) box.style.fontSize = `${Math.floor(share * 100)}%`;
  }
  for (const box of part.querySelectorAll(WIDE)) {
    if (box.scrollWidth > box.clientWidth + 2) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
    showMore(box);
  }
};
document.addEventListener("scroll", (event) => event.target.matches?.(WIDE) && showMore(event.target), true);

// A line shall not begin with the full stop, or another sign, that belongs to the formula before it, nor end with the
// bracket that opens before one.
const keepSigns = () => {
  for (const set of document.querySelectorAll("article mjx-container:not([display])")) {
    const formula = set.closest("span.math") ?? set;
    const [before, after] = [formula.previousSibling, formula.nextSibling];
    const opening = before?.nodeType === Node.TEXT_NODE && before.data.match(/[(\[“‘]+$/);
    const sign = after?.nodeType === Node.TEXT_NODE && after.data.match(/^[.,;:!?)\]”’]+/);
    if (!opening && !sign) continue;
    const together = document.createElement("span");
    together.className = "with-its-sign";
    formula.before(together);
    if (opening) together.append(before.splitText(opening.index));
    together.append(formula);
    if (sign) {
      after.splitText(sign[0].length);
      together.append(after);
    }
  }
};

const settle = async () => {
  for (const text of document.querySelectorAll("article .cell_output pre")) {
    text.classList.toggle("columns", /\S {2,}\S/.test(text.textContent)); // columns scroll, sentences go on below
  }
  await window.MathJax?.startup.promise;
  keepSigns();
  scrollWhatIsWide(document);
  window.addEventListener("resize", () => scrollWhatIsWide(document));
  document.addEventListener("toggle", (event) => scrollWhatIsWide(event.target), true);
};
window.settled = new Promise((done) => window.addEventListener("load", () => settle().then(done)));

// --- What a reader has done, kept in this browser and sent nowhere ---

const ROOT = new URL(document.documentElement.dataset.content_root ?? "./", location.href).pathname;
// The browser's storage can be switched off: then nothing is remembered.
const stored = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
const keys = () => { try { return Object.keys(localStorage); } catch { return []; } };
const store = (key, value) => { try { localStorage.setItem(key, value); } catch {} };
const exerciseKey = (number) => `plahelpers-exercise ${ROOT} ${number}`;

// Each exercise has a box to tick, under its heading.
const addTicks = () => {
  for (const exercise of document.querySelectorAll("article section[id^='exercise-']")) {
    const key = exerciseKey(exercise.id.match(/\d+-\d+/)[0]);
    const label = Object.assign(document.createElement("label"), { className: "done" });
    const tick = Object.assign(document.createElement("input"), { type: "checkbox", checked: stored(key) === "done" });
    tick.addEventListener("change", () => store(key, tick.checked ? "done" : ""));
    label.append(tick, "I have done this exercise");
    exercise.append(label);
  }
};

// How many questions of a chapter were answered: the quizzes keep that themselves (plahelpers/quizzes/page.js).
const answered = (chapter, quizzes) => keys()
  .filter((key) => key.startsWith(`plahelpers-quiz ${ROOT}${chapter}`) && quizzes.includes(key.split(" ").at(-1)))
  .flatMap((key) => JSON.parse(stored(key)))
  .filter(({ order }) => order.length).length;

const count = (number, all, what) => (number ? `${number} of ${all} ${what}` : "");
const showProgress = () => {
  for (const place of document.querySelectorAll(".chapters .progress")) {
    const { chapter, quizzes, questions, exercises } = place.dataset;
    const numbers = Array.from({ length: exercises }, (_, n) => `${Number(chapter.slice(0, 2))}-${n + 1}`);
    const done = numbers.filter((number) => stored(exerciseKey(number)) === "done").length;
    const known = answered(chapter, quizzes.split(" "));
    place.textContent = [count(known, questions, "questions answered"), count(done, exercises, "exercises done")]
      .filter(Boolean).join(", ");
  }
};

// --- The run on the landing page begins by itself, gently, stops at a touch, and begins again with a point that was dragged ---

const PACE = 1600; // milliseconds a step
const TREMBLE = 8; // pixels: a hand that moves less has not dragged
const beginRun = () => {
  const stage = document.querySelector(".landing .pla-stage");
  if (!stage || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const find = (selector) => stage.shadowRoot?.querySelector(selector);
  let [timer, held] = [null, null];
  const stop = () => {
    clearInterval(timer);
    find(".spoken")?.removeAttribute("aria-live");
  };
  const start = () => {
    stop();
    timer = setInterval(() => {
      const next = find("button[aria-label^='Step:']");
      find(".spoken")?.setAttribute("aria-live", "off"); // nobody has asked for these words
      if (next && !document.hidden && stage.getBoundingClientRect().bottom > 0) next.click();
      if (next?.ariaDisabled === "true") stop();
    }, PACE);
  };
  for (const touch of ["pointerdown", "keydown", "focusin"]) stage.addEventListener(touch, stop);
  stage.addEventListener("pointerdown", (event) => { held = event.composedPath()[0].closest(".picture") && event; });
  stage.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!held || Math.hypot(clientX - held.clientX, clientY - held.clientY) < TREMBLE) return;
    find("button[aria-label^='Reset:']").click();
    start();
  });
  start();
};

window.addEventListener("DOMContentLoaded", () => {
  addTicks();
  showProgress();
  beginRun();
});
window.addEventListener("pageshow", showProgress); // also when a reader comes back

// The contents of a page, opened on a phone, give way to the section that was chosen.
document.addEventListener("click", (event) => {
  if (event.target.closest(".toc-drawer a")) document.getElementById("__toc").checked = false;
});

// Paper is white.
let theme = "auto";
window.addEventListener("beforeprint", () => {
  theme = document.body.dataset.theme;
  document.body.dataset.theme = "light";
});
window.addEventListener("afterprint", () => { document.body.dataset.theme = theme; });

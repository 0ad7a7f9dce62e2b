// Small things that make the pages work from a folder, from the keyboard, and on paper.

// Beside each result the search can show the words around it; it would have to read the pages, which a folder forbids.
if (typeof DOCUMENTATION_OPTIONS !== "undefined" && location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// What is wider than its place scrolls sideways, and can be reached, and scrolled, with the keyboard.
const scrollWhatIsWide = (part) => {
  for (const formula of part.querySelectorAll(".bd-article mjx-container:not([display])")) {
    const width = formula.closest("p, li, td, th, dd, summary, h1, h2, h3, div").clientWidth;  // none, if it is folded
    formula.classList.toggle("too-wide", width > 0 && formula.firstElementChild.getBoundingClientRect().width > width);
  }
  for (const box of part.querySelectorAll(".bd-article :is(pre, .cell_output, div.math, table, mjx-container.too-wide)")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};

// A line shall not begin with the full stop, or another sign, that belongs to the formula before it, nor end with the
// bracket that opens before one.
const keepSigns = () => {
  for (const set of document.querySelectorAll(".bd-article mjx-container:not([display])")) {
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
  for (const text of document.querySelectorAll(".bd-article .cell_output pre")) {
    text.classList.toggle("columns", /\S {2,}\S/.test(text.textContent));  // columns scroll, sentences go on below
  }
  for (const picture of document.querySelectorAll(".bd-article .cell_output img")) {
    picture.classList.toggle("wide-picture", picture.naturalWidth > 1.8 * picture.naturalHeight);
  }
  await window.MathJax?.startup.promise;
  keepSigns();
  scrollWhatIsWide(document);
  window.addEventListener("resize", () => scrollWhatIsWide(document));
  document.addEventListener("toggle", (event) => scrollWhatIsWide(event.target), true);
};
window.settled = new Promise((done) => window.addEventListener("load", () => settle().then(done)));

// The theme opens its menus by the first button of each kind, which is hidden; those that are seen lead to it. A menu
// from which a place was chosen is done.
document.addEventListener("DOMContentLoaded", () => {
  for (const side of ["primary", "secondary"]) {
    const [bound, ...seen] = document.querySelectorAll(`.${side}-toggle`);
    const menu = document.getElementById(`pst-${side}-sidebar-modal`);
    for (const button of seen) button.addEventListener("click", () => bound.click());
    menu?.addEventListener("click", (event) => event.target.closest("a") && menu.close());
  }
});

// On paper nothing can be unfolded, and the ground is white: all is open, and light, while it prints.
const page = document.documentElement;
let folded = [];
let theme = page.dataset.theme;
window.addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
  theme = page.dataset.theme;
  page.dataset.theme = "light";
});
window.addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
  page.dataset.theme = theme;
});

// Small things that make the pages work from a folder, from the keyboard, and on paper.

// Beside each result the search can show the words around it; it would have to read the pages, which a folder forbids.
if (typeof DOCUMENTATION_OPTIONS !== "undefined" && location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

document.addEventListener("DOMContentLoaded", () => {
  // What scrolls sideways can be reached, and scrolled, with the keyboard.
  const wide = () => {
    for (const box of document.querySelectorAll(".bd-article pre, .bd-article .cell_output, .bd-article div.math, .bd-article table")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  wide();
  window.addEventListener("resize", wide);
});

// A line shall not begin with the full stop, or another sign, that belongs to the formula before it.
const keepSigns = () => {
  for (const set of document.querySelectorAll(".bd-article mjx-container:not([display])")) {
    const formula = set.closest("span.math") ?? set;
    const after = formula.nextSibling;
    const sign = after?.nodeType === Node.TEXT_NODE && after.data.match(/^[.,;:!?)\]”’]+/);
    if (!sign) continue;
    after.splitText(sign[0].length);
    const together = document.createElement("span");
    together.className = "with-its-sign";
    formula.before(together);
    together.append(formula, after);
  }
};
window.addEventListener("load", () => window.MathJax?.startup.promise.then(keepSigns));

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

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
  for (const box of part.querySelectorAll(WIDE)) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
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

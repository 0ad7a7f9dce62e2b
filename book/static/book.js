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

// On paper nothing can be unfolded: all is open while it prints.
let folded = [];
window.addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
window.addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});

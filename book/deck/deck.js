// Starts a deck: first the mathematics is set, then the type is fitted to the room there is, then reveal.js takes over.
// `deckIsReady` says that all is done.

const SCALES = [1.4, 1.3, 1.2, 1.1, 1, 0.93, 0.87]; // of 30 pixels; 26 are the least
const OPEN_SCALES = [1, 0.9, 0.8, 0.7, 0.6]; // of a question's type, while an answer is open
const OUTPUT_SCALES = [1, 0.9]; // what is printed gives way before the words do

const PICTURES = [580, 560, 540, 520, 500, 480, 460, 440, 420, 400].map((width) => `${width}px`); // of a widget

const settings = {
  width: 1280, height: 720, margin: 0, center: false, hash: true, slideNumber: "c/t", transition: "none",
  keyboard: { 32: "right", 33: "left", 34: "right", 78: "right", 80: "left" }, // a clicker passes what is Further, too
  controls: false, pdfSeparateFragments: false, plugins: [RevealNotes],
};

// By how many pixels a slide's content is too wide and too tall, for its frame or for a part of it that would scroll.
function overflow(frame) {
  const parts = [frame, ...frame.querySelectorAll(".body, .quiz, pre, .beside, .left, .figure")];
  const over = (side) => Math.max(...parts.map((part) => part["scroll" + side] - part["client" + side]));
  return [over("Width"), over("Height")];
}

// The same at its worst: there has to be room for each answer that may be opened.
window.excess = (frame) => {
  const opened = [...frame.querySelectorAll("details")].map((answer) => {
    answer.open = true;
    const over = overflow(frame);
    answer.open = false;
    return over;
  });
  const seen = [overflow(frame), ...opened];
  return [0, 1].map((side) => Math.max(...seen.map((over) => over[side])));
};

const fits = (frame) => Math.max(...excess(frame)) <= 0;

// Does a slide fit with one of these values, the first of which is the largest? It keeps that value, or else the last.
function fitsWith(frame, property, values, test = fits) {
  return values.some((value) => {
    frame.style.setProperty(property, value);
    return test(frame);
  });
}

const fitsCompact = (frame) => [false, true].some((compact) => {
  frame.classList.toggle("compact", compact);
  return fits(frame);
});

// Type as large as there is room for, and a widget's picture. A figure that is not beside the text takes the room that is
// left, and is not to lose any of it.
function fit() {
  document.body.classList.add("measuring");
  for (const frame of document.querySelectorAll(".frame")) {
    if (frame.querySelector(".quiz")) {
      fitsWith(frame, "--scale", SCALES, () => Math.max(...overflow(frame)) <= 0);
      fitsWith(frame, "--open", OPEN_SCALES);
    } else if (frame.querySelector(".player")) fitsWith(frame, "--picture", PICTURES, fitsCompact);
    else {
      const scales = SCALES.filter((scale) => scale >= 1 || !frame.querySelector(".body > .figure"));
      fitsWith(frame, "--scale", scales, () => fitsWith(frame, "--output-scale", OUTPUT_SCALES));
    }
  }
  document.body.classList.remove("measuring");
}

function start() {
  // One answer of a question is open at a time, so that there is room for it.
  document.querySelectorAll(".quiz").forEach((quiz, n) => {
    for (const answer of quiz.querySelectorAll("details")) answer.name = `question-${n}`;
  });
  // The speaker's window shows the notes without this page's styles: what they would hide has to go.
  for (const hidden of document.querySelectorAll("aside.notes mjx-assistive-mml")) hidden.remove();
  return document.fonts.ready.then(fit).then(() => Reveal.initialize(settings));
}

window.MathJax = {
  tex: { inlineMath: [["\\(", "\\)"]], displayMath: [["\\[", "\\]"]] },
  svg: { fontCache: "none" }, // notes are copied elsewhere
  options: { enableMenu: false },
  startup: {
    pageReady: () => MathJax.startup.defaultPageReady().then(start).then(() => { window.deckIsReady = true; }),
  },
};

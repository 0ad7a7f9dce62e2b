// Starts a deck: first the mathematics is set, then the type is fitted to the room there is, then reveal.js takes over.
// `deckIsReady` says that all is done.

const SCALES = [1.4, 1.3, 1.2, 1.1, 1, 0.93, 0.87]; // of 30 pixels; 26 are the least
const OPEN_SCALES = [1, 0.9, 0.8, 0.7, 0.6]; // of a question's type, while an answer is open
const OUTPUT_SCALES = [1, 0.9]; // what is printed gives way before the words do
const BESIDE = 1.15; // so much larger has a figure to be below the words: beside it, they are larger
const PICTURES = [580, 570, 560, 550, 540, 530, 520].map((width) => `${width}px`); // of a widget

const onward = () => (Reveal.getIndices().v ? Reveal.next() : Reveal.right());
const back = () => (Reveal.getIndices().v ? Reveal.prev() : Reveal.left());

// A letter opens its choice; where there is no question, B blackens the screen. What is pressed in the speaker's window
// comes to the copy of this deck in there, which hands it on.
const letter = (key, code) => () => {
  const question = Reveal.getCurrentSlide().querySelector(".quiz [role=group]");
  question?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const call = { method: "triggerKey", args: [code] };
  if (question && window !== window.top) window.top.opener?.postMessage(JSON.stringify(call), "*");
  if (!question && key === "B") Reveal.togglePause();
};
const letters = Object.fromEntries([..."ABCD"].map((key, n) => [65 + n, letter(key, 65 + n)]));

const settings = {
  width: 1280, height: 720, margin: 0, center: false, hash: true, slideNumber: "c/t", transition: "none",
  // A clicker passes what is Further; whoever has gone down to it goes on there.
  keyboard: { 32: onward, 33: back, 34: onward, 78: onward, 80: back, ...letters },
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

// Type as large as there is room for, of which a figure is to lose nothing.
function fitType(frame, scales = SCALES) {
  frame.classList.add("rigid");
  fitsWith(frame, "--scale", scales, () => fitsWith(frame, "--output-scale", OUTPUT_SCALES));
  frame.classList.remove("rigid");
}

// How wide the figure is then, beside the words or below them; 0 if that overflows.
function figureWidth(frame, stacked) {
  frame.classList.toggle("stacked", stacked);
  fitType(frame, stacked ? SCALES.filter((scale) => scale >= 1) : SCALES);
  const figure = frame.querySelector(".figure");
  const aspect = figure.style.getPropertyValue("--aspect");
  return fits(frame) ? Math.min(figure.clientWidth, figure.clientHeight * aspect) : 0;
}

function fitQuestion(frame) {
  fitsWith(frame, "--scale", SCALES, () => Math.max(...overflow(frame)) <= 0);
  fitsWith(frame, "--open", OPEN_SCALES);
}

function fit() {
  document.body.classList.add("measuring");
  for (const frame of document.querySelectorAll(".frame")) {
    if (frame.querySelector(".quiz")) fitQuestion(frame);
    else if (frame.querySelector(".player")) fitsWith(frame, "--picture", PICTURES, fitsCompact);
    else if (frame.querySelector(".body .beside")) {
      const below = figureWidth(frame, true);
      if (figureWidth(frame, false) * BESIDE >= below) continue;
      figureWidth(frame, true);
    } else fitType(frame);
  }
  document.body.classList.remove("measuring");
}

// A widget on a slide that is gone must not take the keys.
const freeKeys = () => document.activeElement?.blur();

function start() {
  // One answer of a question is open at a time, so that there is room for it.
  document.querySelectorAll(".quiz").forEach((quiz, n) => {
    for (const answer of quiz.querySelectorAll("details")) answer.name = `question-${n}`;
  });
  // The speaker's window shows the notes without this page's styles: what they would hide has to go.
  for (const hidden of document.querySelectorAll("aside.notes mjx-assistive-mml")) hidden.remove();
  const fonts = Promise.all([...document.fonts].map((face) => face.load()));
  return fonts.then(fit).then(() => Reveal.initialize(settings)).then(() => Reveal.on("slidechanged", freeKeys));
}

window.MathJax = {
  tex: { inlineMath: [["\\(", "\\)"]], displayMath: [["\\[", "\\]"]] },
  svg: { fontCache: "none" }, // notes are copied elsewhere
  options: { enableMenu: false },
  startup: {
    pageReady: () => MathJax.startup.defaultPageReady().then(start).then(() => { window.deckIsReady = true; }),
  },
};

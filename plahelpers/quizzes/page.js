// Keeps what a reader answers in a folded quiz: which answers were opened, in which order, and what that scores.
// Each quiz brings a copy of this script, and its data: `right` has the places of each question's right answers,
// `words` all that is said. A copy takes every quiz that no other has taken. On a slide nothing is kept: students are
// not to see what the lecturer opened at home. (page.py joins the lines, so a comment has its own.)

const STYLE = `
@media print { .plahelpers-kept { display: none } }
div.plahelpers-kept { margin: 0 1em }
.plahelpers-kept button { font: inherit; color: inherit; background: none; border: 1px solid; border-radius: 6px;
  padding: 0.4em 1em; margin-bottom: 6px; cursor: pointer }
.plahelpers-kept button:focus-visible { outline: 3px solid #1F78D1; outline-offset: 2px }`;

const make = (tag, text = "") => Object.assign(document.createElement(tag), { textContent: text });

// For each question the places of the answers opened, in order. The browser's storage can be switched off, or hold
// something else: then nothing is remembered.
function load(name, answers) {
  try {
    const stored = JSON.parse(localStorage.getItem(name)) ?? [];
    return answers.map((all, n) => (stored[n] ?? []).filter((place) => place in all));
  } catch {
    return answers.map(() => []);
  }
}

function save(name, opened) {
  try {
    if (opened.some((order) => order.length)) localStorage.setItem(name, JSON.stringify(opened));
    else localStorage.removeItem(name);
  } catch {}
}

// The answers opened first count, as many as are right. Until there are so many, nothing is decided.
function outcome(order, right) {
  const first = order.slice(0, right.length);
  if (first.some((place) => !right.includes(place))) return "wrong";
  return first.length === right.length ? "right" : "undecided";
}

// A link like one that stands in the page. JupyterLab, or a book, may have taught the other one where to lead.
function linkLike(other) {
  const link = Object.assign(make("a", other.textContent), { href: other.href });
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    other.click();
  });
  return link;
}

function scoreLines(outcomes, links, { none, score, all_right, review }) {
  const right = outcomes.filter((one) => one === "right").length;
  const wrong = links.filter((_, n) => outcomes[n] === "wrong");
  const missed = new Map(wrong.map((link) => [link.textContent, link]));
  const answered = outcomes.filter((one) => one !== "undecided").length;
  if (!answered) return [make("p", none)];
  const sentence = score.replace("{{right}}", right).replace("{{answered}}", answered);
  if (!missed.size) return [make("p", `${sentence} ${all_right}`)];
  const list = make("ul");
  for (const link of missed.values()) list.appendChild(make("li")).append(linkLike(link));
  return [make("p", sentence), make("p", review), list];
}

// What a screen shows besides the page: a mark beside each heading; below, the score of several questions and a button.
function addParts(quiz, groups, words) {
  const marks = groups.map((group) => group.querySelector("strong").parentElement.appendChild(make("span")));
  const score = make("div");
  const clear = Object.assign(make("button", words.clear), { type: "button" });
  const foot = quiz.appendChild(make("div"));
  foot.append(make("style", STYLE), score, clear);
  for (const part of [...marks, foot]) part.className = "plahelpers-kept";
  (words.score ? score : marks[0]).setAttribute("aria-live", "polite");
  return { marks, score, clear };
}

function keep(quiz) {
  const { key, right, words } = JSON.parse(quiz.dataset.quiz);
  // Without its data no other copy takes it.
  delete quiz.dataset.quiz;
  const groups = [...quiz.querySelectorAll("[role=group]")];
  const answers = groups.map((group) => [...group.querySelectorAll("details")]);
  // Each feedback ends with a link to the section to read again.
  const links = groups.map((group) => [...group.querySelectorAll("details a")].pop());
  const { marks, score, clear } = addParts(quiz, groups, words);
  const name = `plahelpers-quiz ${location.pathname} ${key}`;
  const opened = load(name, answers);
  let shown = "";

  const show = () => {
    clear.hidden = !opened.some((order) => order.length);
    const outcomes = opened.map((order, n) => outcome(order, right[n]));
    // What has not changed is not written again: a screen reader would read it again.
    if (shown === (shown = outcomes.join())) return;
    outcomes.forEach((one, n) => { marks[n].textContent = words[one] ?? ""; });
    if (words.score) score.replaceChildren(...scoreLines(outcomes, links, words));
  };

  // A click comes from a reader, also by keyboard. Printing and measuring open answers, too, but without one.
  quiz.addEventListener("click", ({ target }) => {
    const answer = target.closest("summary")?.parentElement;
    const n = answers.findIndex((all) => all.includes(answer));
    const place = answers[n]?.indexOf(answer);
    if (n < 0 || answer.open || opened[n].includes(place)) return;
    opened[n].push(place);
    save(name, opened);
    show();
  });
  clear.addEventListener("click", () => {
    for (const answer of answers.flat()) answer.open = false;
    for (const order of opened) order.length = 0;
    save(name, opened);
    show();
    // The button, which had the focus, is hidden now.
    quiz.querySelector("summary").focus();
  });
  opened.forEach((order, n) => order.forEach((place) => { answers[n][place].open = true; }));
  show();
}

document.querySelectorAll(".plahelpers-quiz[data-quiz]:not(.reveal *)").forEach(keep);

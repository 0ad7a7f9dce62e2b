// Makes a quiz live. The page alone shows the questions, and every answer opens what it shows. This script keeps the
// answers in the reader's browser, marks and scores them, takes letters, numbers that are typed and clicks in pictures, and
// draws new numbers. Each quiz brings a copy, which starts every quiz that no other copy has started. On slides nothing is
// kept or scored: students are not to see what the lecturer opened at home. (page.py joins the lines, so a comment has a
// line of its own.)
//
// What is kept, for any page that wants to show a reader's progress: for each quiz, localStorage has under the key
// "plahelpers-quiz <location.pathname of its page> <its data-quiz>" a JSON list with, for each of its questions in their order,
// { draw: which of its numbers are shown, order: the places of the answers that were opened, first to last,
//   first: "right" or "wrong" at the first try, or "" while that is not decided }.

(() => {
  const make = (tag, text = "", properties = {}) =>
    Object.assign(document.createElement(tag), { textContent: text, ...properties });
  const button = (text, onclick) => make("button", text, { type: "button", onclick });

  // One number as people type it: -1.5, 3/4 or sqrt(21). Not finite if it is none.
  function readNumber(text) {
    const parts = text.split("/").map((part) => {
      const [, sign, root, digits] = part.match(/^([+-]?)(sqrt|√)?[(]?([0-9.]+(?:e[+-]?[0-9]+)?)[)]?$/i) ?? [];
      const size = root ? Math.sqrt(digits) : Number(digits);
      return sign === "-" ? -size : size;
    });
    return parts.reduce((top, bottom) => top / bottom);
  }

  // The parts of a number or a vector, with whatever minus signs and brackets people like.
  function split(text) {
    const plain = text.replace(/[−–‐‑﹣－]/g, "-").replace(/ *[/] */g, "/").trim();
    return plain.replace(/^[[({⟨<](.*)[)}⟩>\]]$/, "$1").split(/[ ,;]+/).filter(Boolean);
  }

  // Is each entry as close as asked for? Rounding in the last digits is never held against anyone.
  const isClose = (numbers, answer, tolerance) => numbers.length === answer.length
    && answer.every((entry, n) => Math.abs(entry - numbers[n]) <= tolerance + 1e-9 * Math.max(1, Math.abs(entry)));

  // What is wrong with a typed answer, if it cannot be judged.
  function problem(parts, numbers, expected) {
    if (!parts.length) return "Nothing is typed yet: write your answer first.";
    const unreadable = parts.find((_, n) => !Number.isFinite(numbers[n]));
    if (unreadable) {
      return `I cannot read “${unreadable.slice(0, 40)}” as a number. Write 4, −1.5, 3/4 or sqrt(2), with a point and `
        + "not a comma for the decimals.";
    }
    if (expected === 1) {
      return `One number is asked for, and you wrote ${numbers.length} numbers. Write decimals with a point, as in 1.5.`;
    }
    return `A vector of ${expected} numbers is asked for, such as (1, −2, 0.5), and your answer has ${numbers.length}. `
      + "The first entry belongs to x₀ = +1.";
  }

  // --- Letters and pictures: on slides, too ---

  // So many CSS pixels around an answer in a picture a click means it.
  const REACH = 22;
  const ends = (line) => ["x1", "y1", "x2", "y2"].map((name) => Number(line.getAttribute(name)));
  const nameOf = (region) => region.getAttribute("aria-label");

  function openAnswer(answer) {
    if (!answer.open) answer.firstElementChild.click();
  }

  // A letter opens its choice while the focus is in the question; then neither JupyterLab nor reveal.js hears the key.
  function openByLetter(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const choices = event.target.closest("[role=group]")?.querySelectorAll(".plahelpers-draw:not([hidden]) summary") ?? [];
    const choice = [...choices].find((one) => one.querySelector("b")?.textContent === event.key.toUpperCase());
    if (!choice) return;
    event.preventDefault();
    event.stopPropagation();
    // On a slide it may not be shown yet.
    if (getComputedStyle(choice).visibility !== "visible") return;
    choice.focus();
    openAnswer(choice.parentElement);
  }

  // How far a place in a picture is from a line; a point is a line without length.
  function distance(line, x, y) {
    const [x1, y1, x2, y2] = ends(line);
    const [dx, dy] = [x2 - x1, y2 - y1];
    const part = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1);
    const within = Math.min(1, Math.max(0, part));
    return Math.hypot(x1 + within * dx - x, y1 + within * dy - y);
  }

  // The picture of a question says where its answers are, by lines with a name. They are laid over the image, to be clicked
  // (the nearest one counts) or reached by Tab.
  class Picture {
    constructor(image, choose) {
      const source = decodeURIComponent(image.src.slice(image.src.indexOf(",") + 1));
      this.overlay = document.adoptNode(new DOMParser().parseFromString(source, "image/svg+xml").documentElement);
      this.regions = [...this.overlay.querySelectorAll("[aria-label]")];
      this.overlay.replaceChildren(...this.regions);
      for (const region of this.regions) region.setAttribute("tabindex", "0");
      this.overlay.setAttribute("class", "plahelpers-regions");
      image.after(this.overlay);
      const call = image.closest(".plahelpers-draw").querySelector(".plahelpers-call");
      call.textContent = "Choose in the picture or below:";
      this.listen(choose);
    }

    listen(choose) {
      const point = (event) => this.regions.forEach((one) => one.classList.toggle("near", one === this.nearest(event)));
      this.overlay.addEventListener("pointermove", point);
      this.overlay.addEventListener("pointerleave", point);
      this.overlay.addEventListener("click", (event) => {
        // A screen reader clicks on the line itself.
        const region = event.detail ? this.nearest(event) : event.target.closest("[aria-label]");
        if (!region) return;
        region.focus({ preventScroll: true });
        choose(region);
      });
      // On a slide the space bar leads on, wherever the focus is.
      const keys = this.overlay.closest(".reveal") ? ["Enter"] : ["Enter", " "];
      this.overlay.addEventListener("keydown", (event) => {
        if (!keys.includes(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        choose(event.target);
      });
    }

    nearest({ clientX, clientY }) {
      const { left, top, width } = this.overlay.getBoundingClientRect();
      const scale = this.overlay.viewBox.baseVal.width / width;
      const distances = this.regions.map((one) => distance(one, (clientX - left) * scale, (clientY - top) * scale));
      const least = Math.min(...distances);
      return least <= REACH * scale ? this.regions[distances.indexOf(least)] : undefined;
    }

    // Which answers are chosen.
    show(isChosen) {
      for (const region of this.regions) region.setAttribute("aria-pressed", isChosen(region));
    }
  }

  // A picture in which a click opens the choice of the same name.
  function addPicture(draw, image) {
    const answerOf = (region) => [...draw.querySelectorAll("details")].find(
      (one) => one.querySelector("summary > span").textContent === nameOf(region));
    const picture = new Picture(image, (region) => {
      openAnswer(answerOf(region));
      answerOf(region).scrollIntoView({ block: "nearest" });
    });
    const show = () => picture.show((region) => answerOf(region).open);
    draw.addEventListener("toggle", show, true);
    show();
  }

  // --- What a reader's answers come to ---

  // One question: which of its draws is shown, which answers were opened there and in which order, and whether the first
  // answer was right, once that is decided.
  class Question {
    constructor(group, changed) {
      this.group = group;
      this.changed = changed;
      this.link = group.querySelector(".plahelpers-read a");
      this.draws = [...group.querySelectorAll(":scope > .plahelpers-draw, :scope > script")];
      this.pictures = [];
      const heading = group.querySelector("strong").parentElement;
      this.mark = heading.appendChild(make("span", "", { className: "plahelpers-controls" }));
      this.controls = make("div", "", { className: "plahelpers-controls" });
      group.insertBefore(this.controls, this.link.parentElement);
      if (group.dataset.asks === "number") this.addField();
      if (this.draws.length > 1) this.controls.append(button("New numbers", () => this.drawAgain()));
      this.controls.hidden = !this.controls.childElementCount;
      // JupyterLab sets formulas only once, when it shows an output, so all draws have to be in the page by then.
      if (group.closest(".jp-OutputArea")) this.draws.forEach((_, n) => this.unpack(n));
      this.restore();
    }

    unpack(n) {
      if (this.draws[n].tagName === "SCRIPT") {
        const draw = make("div", "", { className: "plahelpers-draw", innerHTML: this.draws[n].textContent });
        this.draws[n].replaceWith(draw);
        this.draws[n] = draw;
        window.MathJax?.typesetPromise?.([draw]);
      }
      const image = this.draws[n].querySelector("img[src*=aria-label]:only-child");
      const check = (region) => this.check(nameOf(region).replace("Example ", ""));
      if (image && this.field) this.pictures[n] = new Picture(image, check);
      else if (image) addPicture(this.draws[n], image);
    }

    addField() {
      this.group.classList.add("plahelpers-typed");
      const vector = this.answer().length > 1;
      const placeholder = vector ? "such as (1, −2, 0.5)" : "such as 4, −1.5 or 3/4";
      this.field = make("input", "", { type: "text", placeholder, autocomplete: "off" });
      const label = make("label", vector ? "Your vector: " : "Your number: ");
      label.append(this.field);
      this.message = make("p", "", { role: "alert" });
      this.controls.append(label, button("Check", () => this.check()));
      this.field.addEventListener("keydown", ({ key }) => {
        if (key === "Enter") this.check();
      });
    }

    get answers() {
      return [...this.draws[this.draw ?? 0].querySelectorAll("details")];
    }

    answer(details = this.answers.find((one) => one.dataset.right)) {
      return JSON.parse(details.dataset.answer ?? "[]");
    }

    check(answer = this.field.value) {
      this.field.value = answer;
      const parts = split(this.field.value);
      const numbers = parts.map(readNumber);
      const tolerance = Number(this.group.dataset.tolerance);
      const readable = parts.length > 0 && numbers.every(Number.isFinite);
      let place = readable ? this.answers.findIndex((one) => isClose(numbers, this.answer(one), tolerance)) : -1;
      // The last answer is "another result".
      if (place < 0 && readable && numbers.length === this.answer().length) place = this.answers.length - 1;
      this.message.textContent = place < 0 ? problem(parts, numbers, this.answer().length) : "";
      this.answers.forEach((one, n) => { one.open = n === place; });
      this.pictures[this.draw]?.show((region) => nameOf(region) === `Example ${numbers[0]}`);
      if (place >= 0) this.count(place);
    }

    count(place) {
      if (!this.order.includes(place)) this.order.push(place);
      this.changed();
    }

    // The answers opened first count, as many as are right. Until there are so many, nothing is decided.
    get outcome() {
      const { answers } = this;
      const right = answers.filter((one) => one.dataset.right).length;
      const first = this.order.slice(0, right).map((place) => answers[place]);
      if (this.first || first.some((one) => !one.dataset.right)) return this.first || "wrong";
      return first.length === right ? "right" : "";
    }

    drawAgain() {
      this.restore({ draw: (this.draw + 1) % this.draws.length, first: this.outcome });
      this.changed();
    }

    restore({ draw = 0, order = [], first = "" } = {}) {
      Object.assign(this, { draw, order, first });
      this.unpack(draw);
      this.draws.forEach((one, n) => { one.hidden = n !== draw; });
      for (const one of this.group.querySelectorAll("details")) one.open = false;
      for (const place of this.field ? order.slice(-1) : order) this.answers[place].open = true;
      if (!this.field) return;
      this.pictures[draw]?.show(() => false);
      this.field.value = this.message.textContent = "";
      this.answers[0].before(this.controls, this.message);
    }
  }

  // A link like one that stands in the page. JupyterLab, or a book, may have taught the other one where to lead.
  function linkLike(other) {
    const link = make("a", other.textContent, { href: other.href });
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      other.click();
    });
    return link;
  }

  function scoreLines(questions, outcomes) {
    const total = questions.length;
    const answered = outcomes.filter(Boolean).length;
    if (!answered) {
      return [make("p", `Questions to answer: ${total}. Only the first answer to each question counts. You can try again `
        + "for practice.")];
    }
    const right = outcomes.filter((one) => one === "right").length;
    const score = `You had ${right} of ${answered} right at the first try. There are ${total} in all.`;
    if (right === answered) return [make("p", `${score} So far there is nothing to read again.`)];
    const links = questions.filter((_, n) => outcomes[n] === "wrong").map(({ link }) => [link.textContent, link]);
    const list = make("ul");
    for (const link of new Map(links).values()) list.appendChild(make("li")).append(linkLike(link));
    return [make("p", score), make("p", "Worth reading again:"), list];
  }

  // Where a page asks for it, the score of all its quizzes together. Each copy of this script knows all questions.
  function showTotal() {
    const questions = (window.plahelpersQuestions ?? []).filter(({ group }) => group.isConnected);
    for (const place of document.querySelectorAll(".plahelpers-total")) {
      place.replaceChildren(...scoreLines(questions, questions.map(({ outcome }) => outcome)));
    }
  }

  // The browser's storage can be switched off, or hold something else: then nothing is remembered.
  function load(name, questions) {
    try {
      const states = JSON.parse(localStorage.getItem(name)) ?? [];
      questions.forEach((question, n) => question.restore(states[n]));
    } catch {
      questions.forEach((question) => question.restore());
    }
  }

  function save(name, questions) {
    try {
      const states = questions.map(({ draw, order, outcome }) => ({ draw, order, first: outcome }));
      localStorage.setItem(name, JSON.stringify(states));
    } catch {}
  }

  function start(quiz) {
    const name = `plahelpers-quiz ${location.pathname} ${quiz.dataset.quiz}`;
    // Without its key no other copy starts it.
    delete quiz.dataset.quiz;
    // In JupyterLab, keys pressed here are ours.
    quiz.setAttribute("data-lm-suppress-shortcuts", "true");
    quiz.addEventListener("keydown", openByLetter);
    let shown;
    const show = () => {
      const outcomes = questions.map(({ outcome }) => outcome);
      clear.hidden = !questions.some(({ order, first }) => order.length || first);
      // What has not changed is not written again: a screen reader would read it again.
      if (shown === (shown = outcomes.join())) return;
      const marks = { right: " · ✓ right at the first try", wrong: " · ✗ not right at the first try" };
      questions.forEach(({ mark }, n) => { mark.textContent = marks[outcomes[n]] ?? ""; });
      if (questions.length > 1) score.replaceChildren(...scoreLines(questions, outcomes));
      showTotal();
    };
    const changed = () => {
      save(name, questions);
      show();
    };
    const questions = [...quiz.querySelectorAll("[role=group]")].map((group) => new Question(group, changed));
    (window.plahelpersQuestions ??= []).push(...questions);
    const score = make("div");
    (questions.length > 1 ? score : questions[0].mark).setAttribute("aria-live", "polite");
    const clear = button("Clear my answers", () => {
      for (const question of questions) question.restore();
      changed();
      // The button, which had the focus, is hidden now.
      (questions[0].field ?? quiz.querySelector("summary")).focus();
    });
    quiz.appendChild(make("div", "", { className: "plahelpers-controls" })).append(score, clear);

    // A click comes from a reader, also by keyboard. Printing and measuring open answers, too, but without one.
    quiz.addEventListener("click", ({ target }) => {
      const answer = target.closest("summary")?.parentElement;
      const question = questions.find(({ answers }) => answers.includes(answer));
      if (question && !answer.open && !question.field) question.count(question.answers.indexOf(answer));
    });
    load(name, questions);
    show();
  }

  // On a slide the choices come one by one, so that the lecturer can ask before they are there.
  function present(quiz) {
    delete quiz.dataset.quiz;
    quiz.addEventListener("keydown", openByLetter);
    for (const answer of quiz.querySelectorAll("details")) answer.classList.add("fragment");
    for (const image of quiz.querySelectorAll("[data-asks=choice] img")) addPicture(image.closest(".plahelpers-draw"), image);
  }

  document.querySelectorAll(".plahelpers-quiz[data-quiz]").forEach((quiz) => (quiz.closest(".reveal") ? present : start)(quiz));
  showTotal();
})();

// Prepares a page of the book for paper: answers are taken out, to be printed at the end; nothing waits for a click.

// Takes the answers out of this page, leaves their numbers, counted from `first`, and returns them as [number, section, HTML].
window.forPaper = (first) => {
  const answers = [];
  const add = (place, tag, text) => Object.assign(place.appendChild(document.createElement(tag)), { textContent: text });
  const keep = (place, where, html) => {
    const number = first + answers.length;
    answers.push([number, where, html]);
    add(place, "p", `→ Answer ${number}, at the end of the book`).className = "see-answer";
  };
  const sectionOf = (part) => {
    const heading = part.closest("section")?.querySelector("h2, h3, h1");
    return heading?.textContent.replace(/[#¶]$/, "").trim() ?? "";
  };

  for (const link of document.querySelectorAll("article a[href]")) link.removeAttribute("href"); // they lead to files here
  for (const image of document.querySelectorAll("article img")) image.src = image.currentSrc || image.src;
  for (const part of document.querySelectorAll("article :is(details.hide, .cell_output details:has(> ol), .further)")) part.remove();

  for (const question of document.querySelectorAll("article .plahelpers-quiz [role=group]")) {
    const choices = [...question.querySelectorAll("details")];
    const right = choices.filter((choice) => choice.dataset.right === "true");
    const html = right.map((choice) => `<p>${choice.querySelector("summary").innerHTML}</p>${choice.lastElementChild.outerHTML}`);
    for (const choice of choices) {
      if (question.dataset.asks === "choice") add(question, "p", "").innerHTML = choice.querySelector("summary").innerHTML;
      choice.remove();
    }
    const read = question.querySelector(".plahelpers-read");
    read.remove();
    keep(question, question.getAttribute("aria-label"), html.join("") + read.outerHTML);
  }
  for (const folded of document.querySelectorAll("article details")) {
    const summary = folded.querySelector("summary");
    const label = summary.textContent.trim();
    summary.remove();
    const place = folded.parentElement.insertBefore(document.createElement("div"), folded);
    if (label === "Hint") place.append(...folded.childNodes);
    else keep(place, `${sectionOf(place)}: ${label}`, folded.innerHTML);
    folded.remove();
  }
  return answers;
};

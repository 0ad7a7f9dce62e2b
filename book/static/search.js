// Searches the sections of the book (search-index.js, which search.py writes) and shows what it finds, also from a folder.

const MOST = 40; // results
const AROUND = 90; // characters on either side of what was found
const CJK = /[\u3400-\u9fff]/;
const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/[\u2010-\u2015\u2212]/g, "-");
const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
// A word is found where a word begins; Chinese has no blanks between its words.
const pattern = (word) => new RegExp((CJK.test(word) ? "" : "(?<![\\p{L}\\p{N}])") + escaped(word), "giu");

// What a place is worth: the chapters come before the questions and exercises, those before the reference.
function weight({ place }) {
  if (place.startsWith("reference/")) return 0.1;
  if (place.startsWith("glossary") || place.startsWith("summary")) return 0.4;
  return place.startsWith("0") && !/#(exercise-|fun-time|try-it)/.test(place) && !place.startsWith("05") ? 1 : 0.5;
}

function score(entry, patterns, phrase) {
  const counts = (text) => patterns.map((one) => (plain(text).match(one) ?? []).length);
  const [title, names, text] = [counts(entry.title), counts(entry.names), counts(entry.text)];
  if (patterns.some((_, n) => !title[n] && !names[n] && !text[n])) return 0;
  const worth = (n) => 20 * Boolean(title[n]) + 16 * Boolean(names[n]) + Math.min(text[n], 8);
  const together = [[entry.title, 30], [entry.names, 24], [entry.text, 8]].filter(([part]) => plain(part).includes(phrase));
  const isTerm = plain(entry.names).split(" · ").some((name) => name.startsWith(`${phrase} `)); // of the glossary
  const bonus = together.reduce((sum, [, worth]) => sum + worth, 30 * isTerm); // words that stand together as they were typed
  return weight(entry) * patterns.reduce((sum, _, n) => sum + worth(n), bonus);
}

function add(parent, tag, text = "", properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(text);
  parent.append(element);
  return element;
}

// The text around the first thing that was found, with all that was found marked.
function excerpt(parent, text, patterns) {
  const first = Math.min(...patterns.map((one) => plain(text).search(one)).filter((at) => at >= 0), text.length);
  const start = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 : 0;
  const end = text.indexOf(" ", first === text.length ? 2 * AROUND : first + AROUND);
  const piece = text.slice(start, end < 0 ? text.length : end);
  const line = add(parent, "p", start ? "… " : "", { className: "excerpt" });
  const marks = patterns.flatMap((one) => [...plain(piece).matchAll(one)]).sort((one, other) => one.index - other.index);
  let at = 0;
  for (const mark of marks) {
    if (mark.index < at) continue;
    line.append(piece.slice(at, mark.index));
    add(line, "mark", piece.slice(mark.index, mark.index + mark[0].length));
    at = mark.index + mark[0].length;
  }
  line.append(`${piece.slice(at)} …`);
}

function show(query, list, status) {
  const words = [...new Set(plain(query).split(/\s+/).filter(Boolean))];
  list.replaceChildren();
  status.textContent = "";
  if (!words.length) return;
  const patterns = words.map(pattern);
  const found = window.searchIndex.map((entry) => [score(entry, patterns, words.join(" ")), entry]).filter(([worth]) => worth > 0);
  found.sort(([one], [other]) => other - one);
  if (!found.length) status.textContent = "Nothing was found. Try fewer words, or another word: the glossary lists the book's words.";
  else status.textContent = found.length === 1 ? "One section was found." : `${found.length} sections were found.`;
  for (const [, entry] of found.slice(0, MOST)) {
    const item = add(list, "li");
    const [page, anchor] = entry.place.split("#");
    add(item, "a", entry.title, { href: `${page}?highlight=${encodeURIComponent(words.join(" "))}#${anchor}` });
    if (entry.page !== entry.title) add(item, "span", entry.page, { className: "page-of" });
    const named = entry.names && patterns.some((one) => plain(entry.names).match(one));
    excerpt(item, named ? entry.names : entry.text, patterns);
  }
}

window.addEventListener("DOMContentLoaded", () => {
  const field = document.querySelector("#search-field");
  const [list, status] = [document.querySelector("#search-results"), document.querySelector("#search-status")];
  const search = () => show(field.value, list, status);
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", search);
  field.form.addEventListener("submit", (event) => event.preventDefault());
  search();
});

// Numbers, vectors and sentences, much as plahelpers/_format.py writes them, but with a true minus and nothing that
// breaks over lines.

const fixed = (value) => value.toFixed(2).replace(/\.?0+$/, "").replace(/^-0$/, "0");
const precise = (value) => String(Number(value.toPrecision(3)));
const minus = (text) => text.replaceAll("-", "−");

// Formats are kept: toLocaleString makes a new one at each call, which costs more than the rest of a sentence.
const formats = {};
export function decimal(value, digits) {
  formats[digits] ??= new Intl.NumberFormat("en-US", { maximumFractionDigits: digits });
  return minus(formats[digits].format(value)).replace(/^−0$/, "0");
}
export const integer = (value) => decimal(value, 0);

// Two decimals at most, or three digits where two decimals would say nothing.
export function number(value) {
  return minus(value === 0 || (Math.abs(value) >= 0.1 && Math.abs(value) < 1e6) ? fixed(value) : precise(value));
}

// How all entries of a vector are written.
export function digits(w) {
  const largest = Math.max(...w.map(Math.abs));
  return largest === 0 || (largest >= 0.1 && largest < 1e6) ? fixed : precise;
}

export const vector = (w) => minus(`(${w.map(digits(w)).join(",\u00a0")})`);

// Three decimals, and a bound with two: enough to tell two margins apart.
export const fine = (value) => minus(value.toFixed(3));
export const bounded = (value) => decimal(value, 2);
export const percent = (share) => `${(100 * share).toFixed(1).replace(/\.0$/, "")}\u00a0%`;
export const sign = (label) => (label > 0 ? "+" : "−");

// A function that says the text with an id, its names in braces filled in. A text that counts is a list: for none, for
// one, and for more.
export function sayer(texts) {
  return (id, values = {}) => {
    const text = texts[id];
    if (text === undefined) throw new Error(`There is no text ${id}.`);
    const chosen = Array.isArray(text) ? text[Math.min(values.count, 2)] : text;
    return chosen.replaceAll(" = ", "\u00a0=\u00a0").replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The text ${id} needs ${name}.`);
      return typeof value === "number" ? integer(value) : value;
    });
  };
}

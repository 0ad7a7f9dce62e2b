// Numbers, vectors and sentences, much as plahelpers/_format.py writes them, but with a true minus and nothing that
// breaks over lines.

const fixed = (value) => value.toFixed(2).replace(/\.?0+$/, "").replace(/^-0$/, "0");
const precise = (value) => String(Number(value.toPrecision(3)));
const minus = (text) => text.replaceAll("-", "−");

export const integer = (value) => minus(value.toLocaleString("en-US"));
export const decimal = (value, digits) => minus(value.toLocaleString("en-US", { maximumFractionDigits: digits })).replace(/^−0$/, "0");

// Two decimals at most, or three digits where two decimals would say nothing.
export function number(value) {
  return minus(value === 0 || (Math.abs(value) >= 0.1 && Math.abs(value) < 1e6) ? fixed(value) : precise(value));
}

export function vector(w) {
  const largest = Math.max(...w.map(Math.abs));
  const digits = largest === 0 || (largest >= 0.1 && largest < 1e6) ? fixed : precise;
  return minus(`(${w.map(digits).join(",\u00a0")})`);
}

// Three decimals, and a bound with one: enough to tell two margins apart.
export const fine = (value) => minus(value.toFixed(3));
export const bounded = (value) => decimal(value, 1);
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

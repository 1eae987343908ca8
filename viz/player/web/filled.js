// A formula with the numbers of one element in it: `0.3 = 1 · 0.3` for `dx = dz · y`.

import { briefly, sizeOf } from "./numbers.js";

const LETTER = "[\\p{L}\\p{N}_.@]";
const MARK = 0xe000; // where a name stood, while the rest of the formula is looked at
// What is computed element by element is written with these and with nothing else.
const PLAIN = /^(?:[\s\d.·×+−\-/()=²³√|<>≥≤eπ\ue000-\uf8ff]|tanh|exp|log|sqrt|sin|cos|sigmoid|σ|abs|sign)*$/u;

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

// The number of an array at an element, of a single number anywhere; undefined if shapes differ.
function numberAt(value, { index, shape }) {
  if (value.data === null) return undefined;
  if (value.shape.join() === shape.join()) return index.reduce((data, at) => data[at], value.data);
  return sizeOf(value.shape) === 1 ? [value.data].flat(Infinity)[0] : undefined;
}

function written(number, before) {
  const text = briefly(number).replace("-", "−");
  return text.startsWith("−") && /[·×+−/²³^]\s*$/.test(before) ? `(${text})` : text;
}

// `table` holds the values by name. Null where the formula is not one of single elements.
export function filled(formula, table, chosen) {
  const names = [...table.keys()].filter((name) => name).sort((a, b) => b.length - a.length);
  const found = [];
  let rest = formula;
  for (const name of names) {
    const whole = new RegExp(`(?<!${LETTER})${escaped(name)}(?!${LETTER}|\\()`, "gu");
    const mark = String.fromCharCode(MARK + found.length);
    if (!rest.match(whole)) continue;
    rest = rest.replace(whole, () => mark);
    found.push(table.get(name));
  }
  const fits = (letter) => found[letter.charCodeAt(0) - MARK]?.shape.join() === chosen.shape.join();
  // The left side is the element, or, where the result has no name, something on the right is.
  const parts = rest.split(", ").filter((part) => (part.includes(" = ")
    ? part.startsWith(" = ", 1) && fits(part) : [...part].some(fits)));
  const lines = parts.filter((part) => PLAIN.test(part)).map((part) => {
    let line = "";
    for (const letter of part) {
      const value = found[letter.charCodeAt(0) - MARK];
      const number = value && numberAt(value, chosen);
      if (value && typeof number !== "number") return null;
      line += value ? written(number, line) : letter;
    }
    return line.replace(/(?<![\p{L}²³])\(([\d.]+)\)/gu, "$1");
  });
  return lines.filter((line) => line).join(", ") || null;
}

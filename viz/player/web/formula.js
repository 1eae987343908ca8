// A formula with the numbers of one element in it: `0.3 = 1 · 0.3` for `dx = dz · y`.

import { briefly, flatten, sizeOf } from "./numbers.js";

/** @import { Data, Num, Scalar, Shown, Value } from "./payload.d.ts" */

/**
 * An element of every array of a shape.
 * @typedef {{ index: number[], shape: number[] }} Chosen
 */

/**
 * What is added up to an element, and how it is written; a sign, if it is another than plus.
 * @typedef {{ text: string, product: number, sign?: string }} Term
 */

const LETTER = "[\\p{L}\\p{N}_.@]";
const GOES_ON = "[\\p{Lu}\\p{Ll}\\p{Lo}\\p{Nd}_.@(]"; // after a part of a name; xᵀ and x² are x
const MARK = 0xe000; // where a name stood, while the rest of the formula is looked at
// What is computed element by element is written with these and with nothing else.
const PLAIN =
  /^(?:[\s\d.,·×+−\-/()=²³√|<>≥≤eπ\ue000-\uf8ff]|tanh|exp|log|sqrt|sin|cos|sigmoid|σ|abs|sign|max|min|ln|erf|\^|½)*$/u;

/** @param {string} text */
export function escapeForRegExp(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/**
 * What finds a name in a formula; a part of a longer one does not count.
 * @param {string} name
 */
export const wholeName = (name) =>
  new RegExp(`(?<!${LETTER})${escapeForRegExp(name)}(?!${GOES_ON})`, "gu");

/**
 * The element of an array at an index.
 * @param {Data} data
 * @param {number[]} index
 */
export function elementAt(data, index) {
  return /** @type {Scalar} */ (index.reduce((part, at) => /** @type {Data[]} */ (part)[at], data));
}

/**
 * The number of an array at an element, of a single number anywhere; undefined if shapes differ.
 * @param {Value} value
 * @param {Chosen} chosen
 */
function numberAt(value, { index, shape }) {
  if (value.data === null) return undefined;
  if (value.shape.join() === shape.join()) return elementAt(value.data, index);
  return sizeOf(value.shape) === 1 ? flatten(value.data)[0] : undefined;
}

/** @type {(number: Num, before: string, after?: string) => string} */
function writeNumber(number, before, after = "") {
  const text = briefly(number).replace("-", "−");
  const isApart = /[·×+−/²³^]\s*$/.test(before) || /^[²³^]/.test(after);
  return text.startsWith("−") && isApart ? `(${text})` : text;
}

/**
 * What a sum is made of: the values with a sign before them, and the one that they begin with.
 * @param {Shown[]} shown
 */
export function sumOf(shown) {
  const [first, last] = [shown.findIndex(hasSign), shown.findLastIndex(hasSign)];
  return first < 1 ? [] : shown.slice(first - 1, last + 1);
}

/** @param {Shown} entry */
const hasSign = ({ sign }) => sign !== undefined;

/**
 * One element of a sum, `1 − 0.1 × 2 = 0.8`; null where there is none, or an array is not whole.
 * @param {Shown[]} shown
 * @param {(value: number) => Value} entryOf
 * @param {Chosen} chosen
 */
export function fillSum(shown, entryOf, chosen) {
  let text = "";
  for (const { sign, value } of sumOf(shown)) {
    const number = value === null ? undefined : numberAt(entryOf(value), chosen);
    if (number === undefined || typeof number === "boolean") return null;
    if (sign) text += ` ${sign} `;
    text += writeNumber(number, text);
  }
  return text || null;
}

/**
 * The terms of one element of a sum that a step shows, with the signs that stand before them; none
 * where one is not known.
 * @param {Shown[]} shown
 * @param {(value: number) => Value} entryOf
 * @param {Shown} result
 * @param {Chosen} chosen
 * @returns {Term[]}
 */
export function termsOfSum(shown, entryOf, result, chosen) {
  const sum = sumOf(shown);
  if (sum.at(-1) !== result) return [];
  const terms = sum.slice(0, -1).map(({ sign = "", value }) => {
    const number = value === null ? undefined : numberAt(entryOf(value), chosen);
    const [, minus, factor = "1"] = sign.match(/^([+−]?) ?(?:([\d.e−]+) ×)?$/) ?? [];
    if (typeof number !== "number" || minus === undefined) return null;
    const size = Number(factor.replace("−", "-")) * number;
    return { sign, text: writeNumber(number, sign), product: minus === "−" ? -size : size };
  });
  return terms.every((term) => term !== null) ? terms : [];
}

/**
 * Null where the formula is not one of single elements.
 * @param {string} formula
 * @param {Map<string, Value>} table  the values by name
 * @param {Chosen} chosen
 * @param {string} [of]  the name of a result: its right side alone is filled
 */
export function fillFormula(formula, table, chosen, of) {
  const names = [...table.keys()].filter((name) => name).sort((a, b) => b.length - a.length);
  /** @type {(Value | undefined)[]} */
  const values = [];
  let rest = formula;
  for (const name of names) {
    const whole = wholeName(name);
    const mark = String.fromCharCode(MARK + values.length);
    if (!rest.match(whole)) continue;
    rest = rest.replace(whole, () => mark);
    values.push(table.get(name));
  }
  /** @param {string} letter */
  const markedBy = (letter) => values[letter.charCodeAt(0) - MARK];
  /** @param {string} letter */
  const fits = (letter) => markedBy(letter)?.shape.join() === chosen.shape.join();
  // The left side is the element, or, where the result has no name, something on the right is.
  const sides = rest.split(/, (?![^()]*\))/);
  const own = String.fromCharCode(MARK + values.indexOf(table.get(of ?? "")));
  const parts = sides.flatMap((part) => {
    if (of) return part.match(`^${own} \\+?= (.*)$`)?.slice(1) ?? [];
    const isOwn = part.includes(" = ") ? part.startsWith(" = ", 1) && fits(part) : undefined;
    return (isOwn ?? [...part].some(fits)) ? [part] : [];
  });
  const lines = parts
    .filter((part) => PLAIN.test(part))
    .map((part) => {
      let line = "";
      for (const [at, letter] of [...part].entries()) {
        const value = markedBy(letter);
        const number = value && numberAt(value, chosen);
        if (value && typeof number !== "number") return null;
        line += typeof number === "number" ? writeNumber(number, line, part.slice(at + 1)) : letter;
      }
      return line.replace(/(?<![\p{L}²³])\(([\d.]+)\)/gu, "$1");
    });
  return lines.filter((line) => line).join(", ") || null;
}

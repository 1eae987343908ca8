// A formula with the numbers of one element in it: `0.3 = 1 · 0.3` for `dx = dz · y`.

import { digitsOf, flatten, sizeOf } from "./numbers.js";

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
const LIFTED = new Map(Object.entries({ ˣ: "x", ʸ: "y", "⁻": "−" }));
// What is computed element by element is written with these and with nothing else.
const PLAIN =
  /^(?:[\s\d.,·×+−\-/()=²³√|<>≥≤eπ½^⌊⌋⌈⌉\]\ue000-\uf8ff]|(?<![)\ue000-\uf8ff])\[|tanh?|sinh?|cosh?|arc(?:sin|cos|tan)|ar(?:sinh|cosh|tanh)|exp|ln|log[₂₁₀]*|sqrt|erf|sigmoid|σ|abs|sign|max|min)*$/u;

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
 * The number of an array that meets an element where both are broadcast; undefined if none does.
 * @param {Value} value
 * @param {Chosen} chosen
 */
export function numberAt({ data, shape: own }, { index, shape }) {
  if (data === null) return undefined;
  if (sizeOf(own) === 1) return flatten(data)[0];
  const more = shape.length - own.length;
  const fits = more >= 0 && own.every((size, axis) => size === 1 || size === shape[more + axis]);
  return fits
    ? elementAt(
        data,
        own.map((size, axis) => (size > 1 ? index[more + axis] : 0)),
      )
    : undefined;
}

/** @type {(number: Num, before: string, after?: string) => string} */
function writeNumber(number, before, after = "") {
  const text = digitsOf(typeof number === "number" ? number + 0 : number);
  const isApart = /[·×+−/²³^]\s*$/.test(before) || /^[²³^]/.test(after);
  return text.startsWith("−") && isApart ? `(${text})` : text;
}

/**
 * Those of these names that a formula has; a part of a longer one does not count.
 * @type {(formula: string, names: string[]) => string[]}
 */
export function namesIn(formula, names) {
  let rest = formula;
  return names
    .toSorted((one, other) => other.length - one.length)
    .filter((name) => {
      const before = rest;
      if (name) rest = rest.replace(wholeName(name), " ");
      return rest !== before;
    });
}

/**
 * A formula with numbers in place of names; null where it is not one of single numbers.
 * @type {(formula: string, numbers: Map<string, Scalar | undefined>) => string | null}
 */
export function fillNames(formula, numbers) {
  let rest = formula.replace(/[ˣʸ⁻]+/g, (text) => {
    return `^(${[...text].map((letter) => LIFTED.get(letter)).join("")})`;
  });
  const names = namesIn(rest, [...numbers.keys()]);
  names.forEach((name, at) => {
    rest = rest.replace(wholeName(name), String.fromCharCode(MARK + at));
  });
  const found = names.map((name) => numbers.get(name));
  if (!found.every((number) => typeof number === "number") || !PLAIN.test(rest)) return null;
  let line = "";
  for (const [at, letter] of [...rest].entries()) {
    const number = found[letter.charCodeAt(0) - MARK];
    line += number === undefined ? letter : writeNumber(number, line, rest.slice(at + 1));
  }
  return found.length ? line.replace(/(?<![\p{L}²³])\(([\d.]+)\)/gu, "$1") : null;
}

/** The parts of a formula, one for each result. @param {string} formula */
export const sidesOf = (formula) => formula.split(/, (?![^()]*\))/);

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
 * The parts of a formula that compute an element, with its numbers; null where there are none.
 * @type {(formula: string, table: Map<string, Value>, chosen: Chosen) => string | null}
 */
export function fillFormula(formula, table, chosen) {
  const numbers = new Map([...table].map(([name, value]) => [name, numberAt(value, chosen)]));
  /** @param {string} name */
  const fits = (name) => table.get(name)?.shape.join() === chosen.shape.join();
  // The left side is the element, or, where the result has no name, something on the right is.
  const lines = sidesOf(formula).map((part) => {
    const [left, right] = part.split(" = ");
    const isOwn = right ? fits(left) : namesIn(part, [...table.keys()]).some(fits);
    return isOwn ? fillNames(part, numbers) : null;
  });
  return lines.filter((line) => line).join(", ") || null;
}

// A formula with the numbers of one element in it: `0.3 = 1 · 0.3` for `dx = dz · y`.

import { digitsOf, flatten, sizeOf } from "./numbers.js";

/** @import { Data, Formula, Num, Pieces, Scalar, Shown, Step, Value } from "./payload.d.ts" */

/**
 * An element of every array of a shape.
 * @typedef {{ index: number[], shape: number[] }} Chosen
 */

/**
 * Term of a sum: its text, its number, and its sign unless that is plus.
 * @typedef {{ text: string, product: number, sign?: string }} Term
 */

const LOWERED = new Map(Object.entries({ ˣ: "x", ʸ: "y", ⁿ: "n", ᵏ: "k", ᵖ: "p", ᵗ: "t" }));
// Signs and functions of formulas that are computed element by element.
const PLAIN =
  /^(?:[\s\d.,·×+−\-/()=²³√|<>≥≤eπ½^⌊⌋⌈⌉\]]|(?<!\))\[|tanh?|sinh?|cosh?|arc(?:sin|cos|tan)|ar(?:sinh|cosh|tanh)|exp|ln|log[₂₁₀]*|sqrt|erf|sigmoid|σ|abs|sign|max|min)*$/u;

/** @param {Formula} formula */
export const formulaText = (formula) => formula.map((clause) => clause.join("")).join(", ");

/** Return the names and numbers in a clause of a formula. @param {Pieces} pieces */
export const operandsIn = (pieces) => pieces.filter((_, at) => at % 2);

/** Return whether a formula defines a name; else it is the result's name. @param {Formula} formula */
export const isDefinition = (formula) => formulaText(formula).includes("= ");

/**
 * Map the names in the formula of a step to its values.
 * @type {(step: Step, entryOf: (value: number) => Value) => Map<string, Value>}
 */
export function valuesByName({ formula, terms, shown }, entryOf) {
  const nameless = !isDefinition(formula); // the formula is then the result's name
  const values = new Map(terms.map(([name, value]) => [name, entryOf(value)]));
  for (const { name, role, value } of shown) {
    if (value !== null && !(nameless && role === "output")) values.set(name, entryOf(value));
  }
  return values;
}

/**
 * Return the name that a clause defines, "" if none, and its right side.
 * @param {Pieces} clause
 * @returns {{ name: string, right: Pieces }}
 */
export function sidesOf(clause) {
  const [start, name, next = "", ...rest] = clause;
  const [sign] = (!start && next.match(/^ \+?= /)) || [];
  return sign ? { name, right: [next.slice(sign.length), ...rest] } : { name: "", right: clause };
}

/**
 * Return the element of an array at an index.
 * @param {Data} data
 * @param {number[]} index
 */
export function elementAt(data, index) {
  return /** @type {Scalar} */ (index.reduce((part, at) => /** @type {Data[]} */ (part)[at], data));
}

/**
 * Return the number of an array that broadcasting combines with an element, or undefined.
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
  const text = digitsOf(number);
  const isApart = /[·×+−/²³^]\s*$/.test(before) || /^[²³^]/.test(after);
  return text.startsWith("−") && isApart ? `(${text})` : text;
}

/**
 * Return a clause with numbers in place of names; null if it does not compute single numbers.
 * @type {(pieces: Pieces, numbers: Map<string, Scalar | undefined>) => string | null}
 */
export function fillNames(pieces, numbers) {
  const parts = lowerExponents(pieces, numbers);
  let [line, between, isFilled] = ["", "", false];
  for (const [at, piece] of parts.entries()) {
    if (at % 2 === 0 || !numbers.has(piece)) {
      between += piece;
      continue;
    }
    const [number, after] = [numbers.get(piece), parts[at + 1]];
    if (typeof number !== "number" || !PLAIN.test(between) || after.startsWith("[")) return null;
    line += between;
    if (/[\d\p{No}]$/u.test(line)) line += " · "; // 2z
    line += writeNumber(number, line, after);
    [between, isFilled] = ["", true];
  }
  if (!isFilled || !PLAIN.test(between)) return null;
  return (line + between).replace(/(?<![\p{L}\p{No}])\(([\d.]+)\)/gu, "$1");
}

/**
 * Return a clause with raised names written as `^(x)` or `^(−x)`.
 * @type {(pieces: Pieces, names: Map<string, unknown>) => Pieces}
 */
function lowerExponents(pieces, names) {
  const parts = [...pieces];
  for (let at = 1; at < parts.length; at += 2) {
    const name = [...parts[at]].map((letter) => LOWERED.get(letter) ?? " ").join("");
    if (!names.has(name)) continue;
    const before = parts[at - 1].replace(/⁻$/, "");
    const start = before === parts[at - 1] ? "^(" : "^(−";
    parts.splice(at - 1, 3, before + start, name, `)${parts[at + 1]}`);
  }
  return parts;
}

/**
 * Return the entries of a sum: the first one, and those with a sign.
 * @param {Shown[]} shown
 */
export function sumOf(shown) {
  const [first, last] = [shown.findIndex(hasSign), shown.findLastIndex(hasSign)];
  return first < 1 ? [] : shown.slice(first - 1, last + 1);
}

/** @param {Shown} entry */
const hasSign = ({ sign }) => sign !== undefined;

/**
 * Return one element of a sum as text, `1 − 0.1 × 2 = 0.8`; null if a number is missing.
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
 * Return the terms of one element of a sum that a step shows; none if a term is unknown.
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
 * Return the clauses of a formula that compute an element, with its numbers; null if there are
 * none.
 * @type {(formula: Formula, table: Map<string, Value>, chosen: Chosen) => string | null}
 */
export function fillFormula(formula, table, chosen) {
  const numbers = new Map([...table].map(([name, value]) => [name, numberAt(value, chosen)]));
  /** @param {string} name */
  const fits = (name) => table.get(name)?.shape.join() === chosen.shape.join();
  // The left side is the element, or, where the result has no name, something on the right is.
  const lines = formula.map((clause) => {
    const { name } = sidesOf(clause);
    const isOwn = name ? fits(name) : !isDefinition([clause]) && operandsIn(clause).some(fits);
    // Numbers of a part of a sum are equal; `+=` would name the whole sum.
    return (isOwn && fillNames(clause, numbers)?.replace(" += ", " = ")) || null;
  });
  return lines.filter((line) => line).join(", ") || null;
}

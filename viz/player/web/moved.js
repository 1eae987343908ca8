// Texts about numbers after the reader's edits: sizes, updates, and numbers in messages.

import { larger } from "./colour.js";
import { formulaText } from "./formula.js";
import { heldIn } from "./message.js";
import { CODED_DIGITS, digitsOf, flatten, getOrMake, TOLD_DIGITS } from "./numbers.js";

/** @import { Formula, Num, Pieces, Shown, Slot, Stats, Step, Told, Value } from "./payload.d.ts" */
/** @import { Reader } from "./message.js" */

/** @typedef {(value: number) => Value} ValueOf  returns the value with a number */

const RAISED = /[⁰¹²³⁴⁵⁶⁷⁸⁹^]/u;
const NUMBER = /^\d+(\.\d+)?(e−?\d+)?$/u;

/**
 * Return the root mean square of a value's elements, like `size_of` of viz/facts/magnitude.py.
 * @param {Stats} stats
 * @returns {Num | null}
 */
export function sizeIn({ nan, inf, mean, std, min, max }) {
  if (nan) return "nan";
  if (inf) return "inf";
  const known = [mean, std, min, max].every((each) => each !== null && each !== undefined);
  if (!known) return null;
  const largest = Math.max(Math.abs(Number(min)), Math.abs(Number(max)));
  const size = Math.min(Math.hypot(Number(mean), Number(std)), largest);
  return Number.isFinite(size) ? Number(size.toPrecision(TOLD_DIGITS)) : null;
}

/**
 * Return a function that finds which values have a size: values of a step, or else of the last
 * step before it that shows one.
 * @param {(number | null)[][]} shown  the values of each step
 * @param {ValueOf} recorded
 */
export function sizeFinder(shown, recorded) {
  /** @type {Map<number, Num | null>} */
  const known = new Map();
  /** @param {number} value */
  const sizeOf = (value) => getOrMake(known, value, () => sizeIn(recorded(value).stats));
  /** @type {(step: number, size: Num) => number[]} */
  return (step, size) => {
    for (let at = Math.min(step, shown.length - 1); at >= 0; at -= 1) {
      const found = shown[at].filter((value) => value !== null && sizeOf(value) === size);
      if (found.length) return /** @type {number[]} */ (found);
    }
    return [];
  };
}

/**
 * Return the largest size of values.
 * @type {(values: number[], entryOf: ValueOf) => Num}
 */
export const largestOf = (values, entryOf) =>
  values.map((value) => sizeIn(entryOf(value).stats) ?? 0).reduce(larger);

/**
 * Return the current sizes.
 * @template {[number, ...any[]]} Row
 * @param {Row[]} rows  rows with the step first and the size last
 * @param {Step[]} steps
 * @param {ValueOf} recorded
 * @param {ValueOf} now
 * @returns {Row[]}
 */
export function sizesNow(rows, steps, recorded, now) {
  const shown = steps.map((step) => step.shown.map(({ value }) => value));
  const find = sizeFinder(shown, recorded);
  return rows.map((row) => {
    const size = /** @type {Num} */ (row.at(-1));
    const values = find(row[0], size);
    const is = values.length ? largestOf(values, now) : size;
    return /** @type {Row} */ (/** @type {unknown} */ ([...row.slice(0, -1), is]));
  });
}

/**
 * Return the relative changes of the values in a step (compare `relative_change` of table.py).
 * @param {Step} step
 * @param {ValueOf} entryOf
 */
function changesIn({ shown }, entryOf) {
  return shown.flatMap(({ name, role, value }) => {
    const before = shown.find((each) => each.name === name && /^(before|input)$/.test(each.role));
    if (!/^(after|output)$/.test(role) || value === null || (before?.value ?? null) === null)
      return [];
    const [was, is] = [/** @type {number} */ (before?.value), value].map((each) =>
      flatten(entryOf(each).data ?? []).map(Number),
    );
    const change = Math.hypot(...is.map((each, at) => each - was[at])) / Math.hypot(...was);
    return Number.isFinite(change) ? [Number(change.toPrecision(TOLD_DIGITS))] : [];
  });
}

/**
 * Return the current sizes of updates.
 * @param {[number, Num | null][]} rows
 * @param {Step[]} steps
 * @param {ValueOf} recorded
 * @param {ValueOf} now
 * @returns {[number, Num | null][]}
 */
export function updatesNow(rows, steps, recorded, now) {
  return rows.map(([step, size]) => {
    const at = changesIn(steps[step], recorded).indexOf(Number(size));
    return [step, at < 0 ? size : (changesIn(steps[step], now)[at] ?? null)];
  });
}

/** @type {(value: number | null, entryOf: ValueOf, count?: number) => string} */
const digitsIn = (value, entryOf, count = CODED_DIGITS) =>
  value === null ? "" : digitsOf(flatten(entryOf(value).data ?? [])[0] ?? "", count);

/**
 * Return the name of a number that no step shows. A constant of an unnamed result, such as
 * `scale (t13)`, is named after the result's name in the step.
 * @param {[name: string, value: number, steps: number[]]} row
 * @param {{ shown: Shown[] }[]} steps
 */
export function nameOfNamed([name, , [first]], steps) {
  const result = steps[first]?.shown.find(({ role }) => role === "output")?.name;
  return result ? name.replace(/(?<= \()t\d+(#\d+)?(?=\)$)/, result) : name;
}

/**
 * Return the named numbers of a step in the form of shown values.
 * @param {[name: string, value: number, steps: number[]][]} named
 * @param {Pick<Step, "phase" | "shown">[]} steps
 * @param {number} step
 * @returns {Shown[]}
 */
export function namedAt(named, steps, step) {
  const updates = steps[step]?.phase === "optimize";
  return named
    .filter(([, , own]) => (own.length ? own.includes(step) : updates))
    .map((row) => {
      const role = row[2].length ? "constant" : "rate";
      return { name: nameOfNamed(row, steps), value: row[1], role, node: null };
    });
}

/**
 * Return a formula with the current named numbers, or none if it might be false: if it does not have
 * the number exactly once, or if a gradient's formula has other numbers that may depend on it.
 * @param {Formula} formula
 * @param {string} phase
 * @param {Shown[]} named
 * @param {ValueOf} recorded
 * @param {ValueOf} now
 * @returns {Formula}
 */
export function formulaNow(formula, phase, named, recorded, now) {
  const moved = named.filter(({ value }) => value !== null && now(value) !== recorded(value));
  const numbers = formula.flatMap(numbersIn).map(({ digits }) => digits);
  for (const { role, value } of moved) {
    if (role !== "constant") continue;
    if (numbers.filter((each) => each === digitsIn(value, recorded)).length !== 1) return [];
    // Other numbers in a gradient's formula may depend on the constant: 3 · x² of x³.
    const isAlone = numbers.length === 1 && !RAISED.test(formulaText(formula));
    if (phase === "backward" && !isAlone) return [];
  }
  const is = new Map(moved.map(({ value }) => [digitsIn(value, recorded), digitsIn(value, now)]));
  return formula.map((clause) => {
    const pieces = [...clause];
    for (const { at, digits, isNegative } of numbersIn(clause)) {
      const next = is.get(digits);
      if (next === undefined) continue;
      if (isNegative) pieces[at - 1] = pieces[at - 1].slice(0, -1);
      pieces[at] = next;
    }
    return pieces;
  });
}

/**
 * Return a reader of the current numbers in a step's message. `half`: some number is as recorded,
 * because the current one is unknown, or because a slot may show one of several constants.
 * @param {Told} text
 * @param {Shown[]} named
 * @param {ValueOf} recorded
 * @param {ValueOf} now
 * @returns {{ reader: Reader, half: boolean }}
 */
export function sentenceNow(text, named, recorded, now) {
  const slots = heldIn(text);
  /** @param {Slot} slot */
  const isStale = (slot) =>
    typeof slot === "object" &&
    (("value" in slot && "stale" in now(slot.value)) || ("of" in slot && "stale" in now(slot.of)));
  const told = slots.flatMap((slot) =>
    typeof slot === "object" && "constant" in slot && !slot.less ? [slot.constant] : [],
  );
  /** @param {string} was */
  function meant(was) {
    const values = named.flatMap(({ role, value }) =>
      role === "constant" && value !== null && digitsIn(value, recorded) === was ? [value] : [],
    );
    const is = new Set(values.map((value) => digitsIn(value, now)));
    const sure = values.length >= told.filter((each) => each === was).length;
    return sure && is.size === 1 ? [...is][0] : is.has(was) || !is.size ? was : null;
  }
  return {
    reader: {
      number: (value, count = TOLD_DIGITS) => digitsIn(value, now, count),
      constant: (was) => meant(was) ?? was,
      odd: ({ of, odd }) => now(of).stats[odd] ?? 0,
    },
    half: told.some((was) => meant(was) === null) || slots.some(isStale),
  };
}

/**
 * Return the numbers in a clause with their places and their signs.
 * @param {Pieces} clause
 */
function numbersIn(clause) {
  return clause.flatMap((piece, at) => {
    if (at % 2 === 0 || !NUMBER.test(piece)) return [];
    const isNegative = clause[at - 1].endsWith("−");
    return [{ at, isNegative, digits: isNegative ? `−${piece}` : piece }];
  });
}

// What is told of numbers, as it is after the reader's edits: sizes, updates, and numbers in sentences.

import { larger } from "./colour.js";
import { flatten } from "./numbers.js";

/** @import { Num, Scalar, Shown, Stats, Step, Value } from "./payload.d.ts" */

/** @typedef {(value: number) => Value} ValueOf  what stands in the place of a value */

/** @typedef {(key: string) => string} Say  a word of the language that a sentence is in */

const NAMED = new Set(["rate", "constant"]); // roles of numbers that texts tell without a name
/** What sentences say of the numbers of an update, by role. @type {Record<string, string>} */
const OF_UPDATES = { before: "number_from", after: "number_to" };
/** What they say of the number of a tensor that is named elsewhere in them. */
const OF_NAMED = ["number_is", "number_now"];
const RAISED = /[⁰¹²³⁴⁵⁶⁷⁸⁹^]/u;
const NUMBER = /(?<![\p{L}\p{N}_.])−?\d+(\.\d+)?(e−?\d+)?/gu;
const MASKS = 0xe000; // letters that no text has
const TOLD_DIGITS = 4; // significant, as in viz/statistics/magnitude.py and viz/story/sentences/wording.py

/**
 * The root mean square of a value's elements, as `size_of` of viz/statistics/magnitude.py has it.
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
 * Finds what sizes are of: values that their step shows, or the last step before it that shows any
 * of this size.
 * @param {(number | null)[][]} shown  the values of each step
 * @param {ValueOf} recorded
 */
export function sizeFinder(shown, recorded) {
  /** @type {Map<number, Num | null>} */
  const known = new Map();
  /** @param {number} value */
  function sizeOf(value) {
    const size = known.get(value) ?? sizeIn(recorded(value).stats);
    known.set(value, size);
    return size;
  }
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
 * The largest size of values.
 * @type {(values: number[], entryOf: ValueOf) => Num}
 */
export const largestOf = (values, entryOf) =>
  values.map((value) => sizeIn(entryOf(value).stats) ?? 0).reduce(larger);

/**
 * Sizes as they are now.
 * @template {[number, ...any[]]} Row
 * @param {Row[]} rows  the step first, the size last
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
 * How much a step changes a value, over the size of that, as `relative` of viz/statistics/table.py.
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
 * The sizes of updates as they are now.
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

/**
 * A number as sentences have it.
 * @param {Scalar} number
 */
export function digitsOf(number) {
  if (typeof number !== "number") return String(number).replace("-", "−");
  const short = Number(number.toPrecision(TOLD_DIGITS));
  const power = short === 0 ? 0 : Math.floor(Math.log10(Math.abs(short)) + 1e-12);
  const text = power < -4 || power >= TOLD_DIGITS ? short.toExponential() : String(short);
  return text.replaceAll("-", "−");
}

/** @param {string} text */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @type {(text: string, before: string, was: string, is: string) => string} */
const putNumber = (text, before, was, is) =>
  text.replace(
    new RegExp(
      `(?<![\\p{L}\\p{N}_.])(${literally(before)})${literally(was)}(?![\\d.]*\\d)(?![^[]*\\])`,
      "gu",
    ),
    (_, start) => `${start}${is}`,
  );

/**
 * A sentence or a formula with the numbers that stand there now: `loss = 0.5`, a rate, and in a
 * sentence those of an update (`from 1 to 0.8`) and what it says of a tensor (`which is 2`).
 * @param {string} text
 * @param {Shown[]} shown  with the rates, which have no role in a step
 * @param {ValueOf} recorded
 * @param {ValueOf} now
 * @param {Say} [say]  of a sentence
 */
export function textNow(text, shown, recorded, now, say) {
  /** @param {string | undefined} key */
  const leadsOf = (key) => (say && key ? [say(key).split("{")[0]] : []);
  let told = text;
  for (const { name, role, value } of shown) {
    if (value === null) continue;
    const [was, is] = [recorded, now].map((entryOf) => flatten(entryOf(value).data ?? []));
    if (was.length !== 1 || is.length !== 1 || was[0] === is[0]) continue;
    const leads = NAMED.has(role) ? [""] : [`${name} = `, ...leadsOf(OF_UPDATES[role])];
    for (const lead of leads) told = putNumber(told, lead, digitsOf(was[0]), digitsOf(is[0]));
  }
  for (const [was, { size, values }] of turnsOf(shown, recorded, now)) {
    const [is] = values;
    if (size > 1) continue; // nothing says which of them is meant
    for (const lead of OF_NAMED.flatMap(leadsOf)) told = putNumber(told, lead, was, is);
  }
  return told;
}

/**
 * What the recorded digits of each single number that has moved have become.
 * @type {(shown: Shown[], recorded: ValueOf, now: ValueOf) => Map<string, { size: number, values: Set<string> }>}
 */
function turnsOf(shown, recorded, now) {
  /** @type {Map<string, Set<string>>} */
  const turns = new Map();
  for (const { value, role } of shown) {
    if (value === null || NAMED.has(role)) continue;
    const [was, is] = [recorded, now].map((entryOf) => flatten(entryOf(value).data ?? []));
    if (was.length !== 1 || is.length !== 1) continue;
    const digits = digitsOf(was[0]);
    turns.set(digits, (turns.get(digits) ?? new Set()).add(digitsOf(is[0])));
  }
  const moved = [...turns].filter(([was, values]) => values.size > 1 || !values.has(was));
  return new Map(moved.map(([was, values]) => [was, { size: values.size, values }]));
}

/**
 * Whether a sentence that `textNow` gave may still have a recorded number in it.
 * @param {string} told
 * @param {Shown[]} shown
 * @param {ValueOf} recorded
 * @param {ValueOf} now
 */
export function isHalfTold(told, shown, recorded, now) {
  const turns = turnsOf(shown, recorded, now);
  const current = new Set([...turns.values()].flatMap(({ values }) => [...values]));
  const numbers = told.replace(/\[[^\]]*\]/g, "").match(NUMBER) ?? [];
  return numbers.some((each) => turns.has(each) && !current.has(each));
}

/**
 * The named numbers of a step, as cards show them.
 * @param {[name: string, value: number, steps: number[]][]} named
 * @param {string} phase
 * @param {number} step
 * @returns {Shown[]}
 */
export function namedAt(named, phase, step) {
  return named
    .filter(([, , steps]) => (steps.length ? steps.includes(step) : phase === "optimize"))
    .map(([name, value, steps]) => {
      return { name, value, role: steps.length ? "constant" : "rate", node: null };
    });
}

/**
 * A formula with the named numbers as they are now. It is empty where it would not be true: one that
 * does not have the number once, or that of a gradient with others, which may follow from it.
 * @param {string} text
 * @param {string} phase
 * @param {Shown[]} named
 * @param {ValueOf} recorded
 * @param {ValueOf} now
 */
export function formulaNow(text, phase, named, recorded, now) {
  const moved = named.filter(({ value }) => value !== null && now(value) !== recorded(value));
  for (const { role, value } of moved) {
    if (role !== "constant" || value === null) continue;
    if (countOf(text, recorded(value)) !== 1) return "";
    // What else is a number in a gradient's formula may follow from the constant: 3 · x² of x³.
    if (phase === "backward" && (RAISED.test(text) || numbersOf(text).length > 1)) return "";
  }
  return textNow(text, moved, recorded, now);
}

/**
 * A sentence with the constants of an op as they are now. A number in the name of a value, such as
 * `(y − t) × 0.5`, is none of them: names stay.
 * @param {string} text
 * @param {Shown[]} named
 * @param {Shown[]} shown
 * @param {ValueOf} recorded
 * @param {ValueOf} now
 * @returns {{ text: string, half: boolean }}  half: a constant may be told as it was recorded
 */
export function sentenceNow(text, named, shown, recorded, now) {
  const names = [...new Set(shown.map(({ name }) => name))].filter((name) => name.match(NUMBER));
  names.sort((one, other) => other.length - one.length);
  /** @param {number} at */
  const sign = (at) => String.fromCharCode(MASKS + at);
  const masked = names.reduce((told, name, at) => told.replaceAll(name, sign(at)), text);
  const constants = named.filter(({ role, value }) => role === "constant" && value !== null);
  const once = constants.filter(({ value }) => countOf(masked, recorded(Number(value))) === 1);
  const told = textNow(masked, once, recorded, now);
  const rest = constants.filter((each) => !once.includes(each));
  return {
    text: names.reduce((whole, name, at) => whole.replaceAll(sign(at), name), told),
    half: rest.some(
      ({ value }) =>
        now(Number(value)) !== recorded(Number(value)) && countOf(told, recorded(Number(value))),
    ),
  };
}

/**
 * How often a text has a number; those in brackets are sizes and places.
 * @type {(text: string, value: Value) => number}
 */
function countOf(text, { data }) {
  return numbersOf(text).filter((each) => each === digitsOf(flatten(data ?? [])[0])).length;
}

/**
 * The numbers in a text but those in brackets and in names, `x#2`.
 * @param {string} text
 */
function numbersOf(text) {
  return text.replace(/\[[^\]]*\]|#\d+/g, "").match(NUMBER) ?? [];
}

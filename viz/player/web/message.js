// Messages as viz/player/messages.py encodes them: templates and their slots. The rules are
// those of minipaddle/messages/message.py; tests/javascript/test_messages.py compares both.

import { CODED_DIGITS, digitsOf } from "./numbers.js";

/** @import { Odd, Slot, Told } from "./payload.d.ts" */

/**
 * Functions that make text of a value, given by its place, and of a constant.
 * @typedef {object} Reader
 * @property {(value: number, count?: number) => string} number  with so many digits
 * @property {(digits: string) => string} constant
 * @property {(odd: Odd) => number} odd  how many elements of a value are not finite now
 */

/** @type {Reader} */
const AS_RECORDED = { number: () => "", constant: (digits) => digits, odd: ({ count }) => count };
/** @type {Record<string, (a: number, b: number) => number>} */
const RESULTS = {
  "+": (a, b) => a + b,
  "−": (a, b) => a - b,
  "×": (a, b) => a * b,
  "÷": (a, b) => a / b,
  "^": (a, b) => a ** b,
  "//": (a, b) => Math.floor(a / b),
  mod: (a, b) => a - b * Math.floor(a / b),
};
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const WIDE_LETTER = /[“”\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/; // Chinese letters and punctuation
const IDEOGRAPH = /[\u3400-\u9fff]/;
const LEAVES = ["value", "constant", "equals", "odd"]; // keys of slots that hold no message
const SLOT = /\{(\w+)(?:[:!]([^{}]*))?\}/g;

/**
 * Return a message in a language, or in English if it lacks that language.
 * @param {Told} told
 * @param {string} lang
 * @param {Reader} [read]
 */
export function renderMessage(told, lang, read = AS_RECORDED) {
  const templates = /** @type {Record<string, string | undefined>} */ (told);
  const template = templates[lang] ?? told.en ?? "";
  const { slots } = told;
  if (!slots) return template;
  const isGone = Object.values(slots).some(
    (slot) => typeof slot === "object" && "odd" in slot && read.odd(slot) !== slot.count,
  );
  if (isGone) return "";
  let [text, end] = ["", 0];
  for (const { 0: whole, 1: name, 2: spec, index } of template.matchAll(SLOT)) {
    const words = template.slice(end, index);
    text = end ? joinSpaced(text, words, lang) : words;
    text = joinSpaced(text, inSlot(slots[name], spec, lang, read), lang);
    end = index + whole.length;
  }
  return end ? joinSpaced(text, template.slice(end), lang) : template;
}

/** @type {(slot: Slot, spec: string | undefined, lang: string, read: Reader) => string} */
function inSlot(slot, spec, lang, read) {
  if (spec?.includes("|")) {
    const count = typeof slot === "object" && "count" in slot ? slot.count : slot;
    return spec.split("|")[Number(count !== 1)];
  }
  if (typeof slot === "string") return slot;
  if (typeof slot === "number") return spec === "," ? slot.toLocaleString("en-US") : String(slot);
  if ("value" in slot) return read.number(slot.value, slot.coded ? CODED_DIGITS : undefined);
  if ("constant" in slot) {
    const digits = read.constant(slot.constant);
    return slot.less === undefined ? digits : exponent(digits, slot.less);
  }
  if ("equals" in slot) {
    const texts = Object.values(slot.slots).map((term) => inSlot(term, undefined, lang, read));
    return isExact(slot.equals, texts) ? "=" : "≈";
  }
  if ("row" in slot) return inSlot(slot.row, undefined, lang, read);
  return renderMessage(slot, lang, read);
}

/**
 * Return whether the last number is exactly the result of the others, as Equals of
 * viz/story/sentences/wording.py does.
 * @param {string} sign
 * @param {string[]} texts  two operands and the result
 */
function isExact(sign, texts) {
  const [a, b, total] = texts.map((text) => Number.parseFloat(text.replaceAll("−", "-")));
  const result = RESULTS[sign](a, b);
  const largest = Math.max(Math.abs(a), Math.abs(b), Math.abs(total));
  return !Number.isFinite(result - total) || Math.abs(result - total) <= 1e-9 * largest;
}

/**
 * Return the exponent n of xⁿ, or n − 1 of its slope, as Exponent of viz/story/sentences/wording.py
 * does.
 * @param {string} digits  n
 * @param {number} less
 */
function exponent(digits, less) {
  const power = digitsOf(Number(digits.replaceAll("−", "-")) - less, CODED_DIGITS);
  if (power === "1" && less) return "";
  return /^\d+$/.test(power)
    ? power.replace(/\d/g, (digit) => RAISED[Number(digit)])
    : ` ^ ${power}`;
}

/**
 * Return every slot of a message, including slots of nested messages.
 * @param {Told} told
 * @returns {Slot[]}
 */
export function heldIn({ slots = {} }) {
  return Object.values(slots).flatMap((slot) => {
    const inner = typeof slot === "object" && "row" in slot && !("odd" in slot) ? slot.row : slot;
    const isTold = typeof inner === "object" && !LEAVES.some((key) => Object.hasOwn(inner, key));
    return [inner, ...(isTold ? heldIn(/** @type {Told} */ (inner)) : [])];
  });
}

/**
 * Return two texts joined; in Chinese with a space between a Chinese and another letter.
 * @type {(left: string, right: string, lang: string) => string}
 */
function joinSpaced(left, right, lang) {
  if (lang !== "zh" || left.endsWith("\n") || right.startsWith("\n")) return left + right;
  const [before, after] = [left.replace(/ +$/, ""), right.replace(/^ +/, "")];
  if (!before || !after) return left + right;
  const beside = [before.slice(-1), after.slice(0, 1)];
  const wide = beside.filter((letter) => WIDE_LETTER.test(letter)).length;
  if (!wide) return left + right;
  const space = wide === 1 && beside.some((letter) => IDEOGRAPH.test(letter));
  return before + (space ? " " : "") + after;
}

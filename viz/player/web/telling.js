// Sentences about single elements of a step: viz/explanation/element_words.py has the same ones, and
// tests/javascript/test_elements.py compares them.

import { nameOfValue } from "./edit.js";
import { isResult } from "./factors.js";
import {
  elementAt,
  fillNames,
  formulaText,
  isDefinition,
  numberAt,
  sidesOf,
  termsOfSum,
  valuesByName,
} from "./formula.js";
import { appendTo, digitsOf, indexAt, placeOf } from "./numbers.js";

/** @import { Term } from "./formula.js" */
/** @import { Scalar, Shown, Slot, Step, Value } from "./payload.d.ts" */
/** @import { Part } from "./whatif/derivative.js" */
/** @import { StepElements } from "./whatif/elements.js" */
/** @import { Words } from "./words.js" */

/**
 * A sentence about an element: a text, or a sum of terms between two texts. The terms of `more` are
 * hidden at first; those of `rest` are only counted.
 * @typedef {object} Saying
 * @property {string} start
 * @property {Term[]} [terms]
 * @property {Term[]} [more]
 * @property {{ count: number, total: number }} [rest]
 * @property {string} [end]
 */

/** @typedef {{ entry: Shown, index: number[] }} Target  an element of what a card shows */

/** @type {Record<string, Scalar>} */
const ODD_TEXTS = { NaN: "nan", Infinity: "inf", "-Infinity": "-inf" };
const MOST_TERMS = 30; // terms that are listed
const SPOKEN = 6; // terms, or numbers, that are shown at once
const NAMED_CELLS = 4; // elements that are named one by one
const WHOLE_SUM = "\u{f8ff}"; // stands for a sum inside of a sentence

/**
 * Return an element as Python writes it: `w[0, 1]`, `(x @ w)[2]`, or `loss` for a single number.
 * @type {(name: string, index: (number | string)[]) => string}
 */
export function cellName(name, index) {
  return index.length ? `${addBrackets(name)}[${index.join(", ")}]` : name;
}

/** @param {string} name */
function addBrackets(name) {
  let depth = 0;
  for (const letter of name) {
    depth += Number("([".includes(letter)) - Number(")]".includes(letter));
    if (letter === " " && !depth) return `(${name})`;
  }
  return name.startsWith("−") ? `(${name})` : name;
}

/**
 * Return places along an axis as a slice, or null if they form none.
 * @type {(row: number[], size: number) => string | null}
 */
function sliceOf(row, size) {
  const [first, last] = [row[0], row[row.length - 1]];
  if (row.length === 1) return `${first}`;
  if (last - first + 1 !== row.length) return null;
  return `${first || ""}:${last + 1 === size ? "" : last + 1}`;
}

/**
 * Return the name of a set of elements: a slice if it forms one, or a few names; null for many.
 * @type {(name: string, places: number[], shape: number[]) => string[] | null}
 */
export function namesOfCells(name, places, shape) {
  const indices = places.map((at) => indexAt(at, shape));
  const rows = shape.map((_, axis) =>
    [...new Set(indices.map((index) => index[axis]))].sort((one, other) => one - other),
  );
  const slices = rows.map((row, axis) => sliceOf(row, shape[axis]));
  const isWhole = rows.reduce((size, row) => size * row.length, 1) === places.length;
  if (isWhole && slices.every((slice) => slice !== null)) return [cellName(name, slices)];
  return places.length > NAMED_CELLS ? null : indices.map((index) => cellName(name, index));
}

/** @param {number} number */
const numberText = (number) =>
  digitsOf(Number.isFinite(number) ? number + 0 : ODD_TEXTS[String(number)]);

/** @type {(part: Part) => Term} */
const termOf = ({ number, slope, isPlain }) => ({
  text: isPlain ? numberText(number) : `${numberText(number)} × ${numberText(slope)}`,
  product: number * slope + 0,
});

/** @type {(one: Term, other: Term) => number} */
const bySize = (one, other) => Math.abs(other.product) - Math.abs(one.product);

/** @typedef {{ name: string, value: number | null }} Named */

/** Sentences about the sources of elements of the step `at`, and about the results they affect. */
export class Telling {
  /**
   * @param {Words} words
   * @param {Step[]} steps
   * @param {number} at
   * @param {StepElements | null} elements  null where the page does not hold them
   * @param {(value: number) => Value} now  the values with their numbers as they are now
   */
  constructor(words, steps, at, elements, now) {
    this.words = words;
    this.steps = steps;
    this.at = at;
    this.step = steps[at];
    this.own = elements;
    this.now = now;
  }

  /** @type {(items: string[], last?: string) => string} */
  row(items, last = "rowAnd") {
    return items.reduce((row, next, at) =>
      this.words.tell(at === items.length - 1 ? last : "rowNext", { row, next }),
    );
  }

  /**
   * Return sets of elements as text, such as `x[2, :] and w[:, 0]`.
   * @param {Map<Named, number[]>} sets
   */
  cells(sets) {
    const told = [...sets].map(([{ name, value }, places]) => {
      const names = namesOfCells(name, places, this.shape(value ?? 0));
      if (names) return this.row(names, "rowNext");
      return this.words.tell("elementCounted", { count: places.length, name });
    });
    return this.row([...new Set(told)]);
  }

  /** @type {(key: string, target: Target, slots?: Record<string, Slot>) => Saying} */
  say(key, target, slots = {}) {
    return { start: this.words.tell(key, { ...this.slots(target), ...slots }) };
  }

  /** @param {number} value */
  shape(value) {
    return this.now(value).shape;
  }

  get elements() {
    return /** @type {StepElements} */ (this.own);
  }

  /** @param {number} value */
  name(value) {
    const own = this.elements.operands.find((each) => each.value === value && each.name);
    return own?.name ?? nameOfValue(this.steps.slice(0, this.at), value);
  }

  /** @param {Part} part */
  nameOfPart({ value, at }) {
    return cellName(this.name(value), indexAt(at, this.shape(value)));
  }

  /**
   * Return the entry of a result in the step that computes it.
   * @param {Shown} entry
   */
  shownAs(entry) {
    return this.step.shown.find((each) => isResult(each) && each.value === entry.value) ?? entry;
  }

  /** @param {Target} target */
  slots({ entry, index }) {
    const { data } = this.now(entry.value ?? 0);
    const value = data === null ? "" : digitsOf(elementAt(data, index));
    return { element: cellName(entry.name || this.words.say(entry.role), index), value };
  }

  /**
   * Return the sentence about the results that an element affects.
   * @type {(target: Target, found: { result: Shown, at: number }[], isAll: boolean) => Saying}
   */
  acts(target, found, isAll) {
    /** @type {Map<Named, number[]>} */
    const sets = new Map();
    for (const { result, at } of found) appendTo(sets, result, at);
    if (sets.size) {
      const key = isAll ? "elementActs" : "elementActsAtLeast";
      return this.say(key, target, { cells: this.cells(sets) });
    }
    if (isAll) return this.say("elementStill", target);
    return this.say("elementBare", target, { reason: this.words.say("elementLarge") });
  }

  /**
   * Return the sentences about the sources of an element, the sources, and the alternatives to one.
   * @param {Target} target
   */
  origin(target) {
    const value = target.entry.value ?? 0;
    const place = placeOf(target.index, this.shape(value));
    const { parts, linear, constant } = this.elements.origin(value, place);
    const from = parts.filter(({ isRead }) => isRead);
    const number = this.elements.numbers(value)[place];
    const isSame = Math.abs(from[0]?.number - number) <= 1e-5 * Math.abs(number);
    const isChosen = !linear.size && from.length === 1 && parts.length > 1 && isSame;
    const among = isChosen ? parts : [];
    const named = new Map(from.map(({ value }) => [value, { name: this.name(value), value }]));
    /** @type {Map<Named, number[]>} */
    const sets = new Map();
    for (const part of from) appendTo(sets, /** @type {Named} */ (named.get(part.value)), part.at);
    const cells = sets.size ? this.words.tell("elementMadeFrom", { cells: this.cells(sets) }) : "";
    const said = this.sumShown(target) ?? this.sentence(target, from, among, linear, constant);
    return { said, cells, from, among };
  }

  /**
   * Return the sum that an update, or the arrival of another gradient, shows, or null.
   * @param {Target} target
   */
  sumShown({ entry, index }) {
    const { shown, formula } = this.step;
    const chosen = { index, shape: this.shape(entry.value ?? 0) };
    const terms = termsOfSum(shown, this.now, this.shownAs(entry), chosen);
    if (!terms.length) return null;
    const sum = this.sum({ entry, index }, terms);
    if (!formula.length) return sum;
    const [before, after] = this.words
      .tell("elementBy", { sum: WHOLE_SUM, formula: formulaText(formula) })
      .split(WHOLE_SUM);
    return { ...sum, start: before + sum.start, end: sum.end + after };
  }

  /** @type {(target: Target, from: Part[], among: Part[], linear: Set<number>, constant: number) => Saying} */
  sentence(target, from, among, linear, constant) {
    if (among.length) {
      const source = this.nameOfPart(from[0]);
      return this.say("elementChosen", target, { source, count: among.length });
    }
    const parts = from.filter(({ value }) => linear.has(value));
    const [only] = parts;
    if (parts.length === 1 && !constant) {
      const [filled, { value }] = [this.filled(target), this.slots(target)];
      let text = (only.isPlain || from.length > 1) && filled;
      if (only.isPlain && (!filled || filled === value)) text = this.nameOfPart(only);
      return this.sum(target, [{ ...termOf(only), ...(text && { text }) }]);
    }
    if (only) return this.sum(target, parts.map(termOf).sort(bySize), constant);
    const { element, value } = this.slots(target);
    const filled = this.filled(target);
    if (filled && filled !== value) return { start: `${element} = ${filled} = ${value}` };
    if (!from.length) {
      const isGradient = target.entry.role === "grad_out";
      return this.say(isGradient ? "elementNothing" : "elementAlone", target);
    }
    const { formula, shown } = this.step;
    const result = this.shownAs(target.entry);
    const others = shown.filter((each) => isResult(each) && each.name !== result.name);
    const isOwn = formula.length && others.every(({ name }) => name !== sidesOf(formula[0]).name);
    const slots = { numbers: this.numbers(from), formula: formulaText(formula) };
    return this.say(isOwn ? "elementFormula" : "elementFrom", target, slots);
  }

  /**
   * Return the sentence of a sum.
   * @type {(target: Target, terms: Term[], constant?: number) => Saying}
   */
  sum(target, terms, constant = 0) {
    const { element, value } = this.slots(target);
    const listed = terms.slice(0, MOST_TERMS);
    const spoken = listed.slice(0, SPOKEN);
    if (constant) spoken.push({ text: numberText(constant), product: constant });
    const others = terms.slice(MOST_TERMS);
    const total = others.reduce((sum, { product }) => sum + product, 0);
    return {
      start: `${element} = `,
      terms: spoken,
      more: listed.slice(SPOKEN),
      rest: { count: others.length, total },
      end: ` = ${value}`,
    };
  }

  /** @param {Part[]} from */
  numbers(from) {
    const items = from
      .slice(0, SPOKEN)
      .map((part) => `${this.nameOfPart(part)} = ${numberText(part.number)}`);
    const count = from.length - items.length;
    return this.row(count ? [...items, this.words.tell("elementMore", { count })] : items);
  }

  /**
   * Return the right side of the formula of a result with the numbers of an element, or "".
   * @param {Target} target
   */
  filled(target) {
    const { index } = target;
    const entry = this.shownAs(target.entry);
    const { shown, formula } = this.step;
    const values = valuesByName(this.step, this.now);
    if (shown.filter((each) => isResult(each) && each.name === entry.name).length > 1) return "";
    const chosen = { index, shape: this.shape(entry.value ?? 0) };
    const numbers = new Map([...values].map(([name, value]) => [name, numberAt(value, chosen)]));
    if (!isDefinition(formula)) {
      numbers.delete(entry.name); // which is the formula
      return formula.length === 1 ? (fillNames(formula[0], numbers) ?? "") : "";
    }
    const sides = formula.map(sidesOf).filter(({ name }) => name === entry.name);
    return (sides.length === 1 && fillNames(sides[0].right, numbers)) || "";
  }

  /**
   * Return why elements of an entry cannot be explained, or "".
   * @param {Shown} entry
   */
  refusal(entry) {
    const { own: elements, words } = this;
    const { dtype } = this.now(entry.value ?? 0);
    if (!elements) return words.say("elementUnlisted");
    if (this.step.kind === "seed")
      return words.tell(isResult(entry) ? "elementSeed" : "elementAside");
    if (!elements.results.length) return words.tell("elementNoStep");
    if (/^(bool|u?int)/.test(dtype)) return words.tell("elementWhole", { dtype });
    if (elements.isAside(entry)) return words.tell("elementAside");
    return isResult(entry) && !elements.operands.length ? words.tell("elementGiven") : "";
  }
}

// The elements of one step: the sources of each result, and the results that an operand affects.

import { entriesOfStep, isResult } from "../factors.js";
import { appendTo, getOrMake, sizeOf } from "../numbers.js";
import { Derivative } from "./derivative.js";
import { Expressions, Lost } from "./expressions.js";
import { Listing, placeOfNumber } from "./listing.js";

/** @import { ChapterProgram, Code, Shown, Step } from "../payload.d.ts" */
/** @import { Part } from "./derivative.js" */
/** @import { Cell } from "./expressions.js" */
/** @import { WhatIf } from "./what_if.js" */

/**
 * Array that holds a value, before the instruction `row`.
 * @typedef {{ value: number, array: number, row: number }} Holder
 */

/**
 * Origin of an element of a result: the elements from which it is made or might have been made, the
 * values in which it is linear, and the constant that is added to them.
 * @typedef {object} Origin
 * @property {Part[]} parts
 * @property {Set<number>} linear
 * @property {number} constant
 */

const ARRIVED_ROLES = new Set(["before", "grad_in"]);
const ASIDE_ROLES = new Set(["taken", "skipped", "zeros"]); // shown, not computed with

/** @type {WeakMap<Code, Listing>} */
const listings = new WeakMap();
/** @type {WeakMap<ChapterProgram, Holders>} */
const holdersOf = new WeakMap();

/** The values that the arrays of a chapter hold. */
class Holders {
  /**
   * @param {WhatIf} whatIf
   * @param {number} chapter
   */
  constructor(whatIf, chapter) {
    const { code, values, names } = whatIf.chapters[chapter];
    this.listing = getOrMake(listings, whatIf.codes[code], () => new Listing(whatIf.codes[code]));
    this.named = new Set(names.map(([, value]) => value)); // numbers of the code, no operands
    /** @type {Map<number, Holder[]>} */
    this.inMemory = new Map();
    for (const [value, snapshot] of values) {
      const row = this.listing.makers[snapshot];
      for (const array of this.listing.anchorsOf(snapshot)) {
        const memory = this.listing.memories[array];
        appendTo(this.inMemory, memory, { value, array, row });
      }
    }
  }

  /**
   * Return whether the numbers of a value are those of a leaf.
   * @type {(whatIf: WhatIf, chapter: number, value: number) => boolean}
   */
  isGiven(whatIf, chapter, value) {
    const { makers, memories, code } = this.listing;
    const array = whatIf.arrays[chapter].get(value) ?? 0;
    const madeBy = (/** @type {number} */ each) => code[makers[memories[each]]][0];
    return this.listing.anchorsOf(array).some((each) => madeBy(each) === "leaf");
  }
}

/** The elements of a step. */
export class StepElements {
  /**
   * @param {WhatIf} whatIf
   * @param {number} chapter
   * @param {Shown[]} shown  operands and results of the step
   * @param {Shown[]} before  entries of earlier steps
   */
  constructor(whatIf, chapter, shown, before) {
    this.whatIf = whatIf;
    this.chapter = chapter;
    this.results = shown.filter((entry) => isResult(entry) && entry.value !== null);
    this.operands = shown.filter(
      (entry) => !isResult(entry) && !this.isAside(entry) && entry.value !== null,
    );
    const isSaved = (/** @type {Shown} */ { role }) => Number(!ARRIVED_ROLES.has(role));
    /** @type {number[]} */
    this.values = this.operands
      .toSorted((one, other) => isSaved(one) - isSaved(other)) // gradients first
      .map(({ value }) => value ?? 0);
    const made = new Set(this.results.map(({ value }) => value));
    const earlier = before.map(({ value }) => value);
    this.drawn = new Set(before.flatMap(({ role, value }) => (role === "output" ? [value] : [])));
    const program = whatIf.chapters[chapter];
    this.holders = getOrMake(holdersOf, program, () => new Holders(whatIf, chapter));
    this.stops = new Set(this.values);
    for (const value of earlier) {
      if (value !== null && !made.has(value) && !this.holders.named.has(value)) {
        this.stops.add(value);
      }
    }
    this.order = [...this.stops];
    /** @type {Map<number, [Holder, number][]>} */
    this.near = new Map();
    this.expressions = new Expressions(this.holders.listing, {
      cellAt: (...where) => this.cellAt(...where),
      numberOf: ({ value, at: place }) => this.numbers(value)[place],
      isFloating: ({ value }) => whatIf.book.value(value).dtype.startsWith("float"),
      leafNumber: (leaf, place) => this.leaf(leaf)[place],
    });
    /** @type {Map<number, number[]>} */
    this.known = new Map();
    /** @type {Map<number, number[]>} */
    this.leaves = new Map();
    /** @type {Map<number, number>} */
    this.scales = new Map();
    /** @type {Map<string, Origin>} */
    this.origins = new Map();
  }

  /**
   * Return whether a step shows a value without computing with it.
   * @param {Shown} entry
   */
  isAside({ role }) {
    return ASIDE_ROLES.has(role);
  }

  /**
   * Return the current numbers of a value.
   * @param {number} value
   */
  numbers(value) {
    const find = () => this.orLost(this.whatIf.numbersNow(this.chapter, value));
    return getOrMake(this.known, value, find);
  }

  /**
   * Return the current numbers of a leaf.
   * @param {number} leaf
   */
  leaf(leaf) {
    const find = () => this.orLost(this.whatIf.leafNow(this.chapter, leaf));
    return getOrMake(this.leaves, leaf, find);
  }

  /**
   * Return numbers, or throw Lost if there are none: some are known only once the chapter has run.
   * @param {number[] | null} numbers
   */
  orLost(numbers) {
    if (numbers) return numbers;
    throw new Lost(this.whatIf.runOf(this.chapter) ? "unlisted" : "waiting");
  }

  /**
   * Return the holders of values in the memory of an array, with their ranks: the operands of the
   * step first, and then the arrays of which this one is a view.
   * @param {number} array
   */
  holdersNear(array) {
    return getOrMake(this.near, array, () => {
      const { listing, inMemory } = this.holders;
      const ancestors = [array];
      for (let at = listing.parents[array]; at !== undefined; at = listing.parents[at]) {
        ancestors.push(at);
      }
      /** @type {[Holder, number][]} */
      const found = [];
      for (const each of inMemory.get(listing.memories[array]) ?? []) {
        if (!this.stops.has(each.value)) continue;
        const distance = ancestors.indexOf(each.array);
        const far = this.values.includes(each.value) ? 0 : 2 * ancestors.length;
        found.push([each, far + (distance < 0 ? ancestors.length : distance)]);
      }
      return found.sort((one, other) => one[1] - other[1]);
    });
  }

  /**
   * Return the element of a value that an instruction finds in an array, or null.
   * @type {(array: number, at: number, before: number) => Cell | null}
   */
  cellAt(array, at, before) {
    const holders = this.holdersNear(array);
    if (!holders.length) return null;
    const { listing } = this.holders;
    const { layouts, memories, writers } = listing;
    const place = placeOfNumber(layouts[array], at);
    const memory = memories[array];
    for (const [{ value, array: held, row }] of holders) {
      const index = held === array ? at : listing.numberAt(held, place);
      if (index < 0) continue;
      if (writers[memory].length === 1 || this.isSame(memory, place, before, row)) {
        return { value, at: index };
      }
    }
    return null;
  }

  /** @type {(memory: number, place: number, before: number, row: number) => boolean} */
  isSame(memory, place, before, row) {
    const { listing } = this.holders;
    const [one, other] = [before, row].map((each) => listing.writerOf(memory, place, each));
    return one?.row === other?.row;
  }

  /** @type {(value: number, at: number) => Derivative} */
  derivative(value, at) {
    const array = this.whatIf.arrays[this.chapter].get(value);
    if (array === undefined) throw new Lost("unlisted");
    const root = this.expressions.root(array, at);
    return new Derivative(root, (each) => this.scaleOf(each));
  }

  /**
   * Return the magnitude of a value's numbers, 0 for those that an op drew, such as a mask.
   * @param {number} value
   */
  scaleOf(value) {
    return getOrMake(this.scales, value, () => {
      if (this.drawn.has(value) && this.holders.isGiven(this.whatIf, this.chapter, value)) return 0;
      const sizes = this.numbers(value).filter(Number.isFinite).map(Math.abs);
      return sizes.reduce((one, other) => Math.max(one, other), 0) || 1;
    });
  }

  /**
   * Return the origin of an element of a result.
   * @type {(value: number, at: number) => Origin}
   */
  origin(value, at) {
    return getOrMake(this.origins, `${value}/${at}`, () => {
      const derivative = this.derivative(value, at);
      const linear = derivative.linearIn(this.order);
      const constant = linear.size ? derivative.without(linear) : 0;
      const parts = derivative.elements();
      const turnOf = (/** @type {Part} */ part) => this.order.indexOf(part.value);
      parts.sort((one, other) => turnOf(one) - turnOf(other) || one.at - other.at);
      return { parts, linear, constant };
    });
  }

  /**
   * Yield the elements of results that an element of an operand affects; those that the reader sees
   * come first.
   * @param {Cell} cell
   * @param {(result: Shown) => number[]} seen
   * @returns {Generator<{ result: Shown, at: number } | null, void>}  null: not affected
   */
  *actsOn(cell, seen) {
    for (const isSeen of [true, false]) {
      for (const result of this.results) {
        const value = result.value ?? 0;
        const first = seen(result);
        const known = new Set(first);
        const size = sizeOf(this.whatIf.book.value(value).shape);
        const rest = function* () {
          for (let at = 0; at < size; at++) if (!known.has(at)) yield at;
        };
        for (const at of isSeen ? first : rest()) {
          yield this.isMadeFrom(value, at, cell) ? { result, at } : null;
        }
      }
    }
  }

  /** @type {(value: number, at: number, cell: Cell) => boolean} */
  isMadeFrom(value, at, cell) {
    const derivative = this.derivative(value, at);
    const isIt = (/** @type {Cell | null} */ each) =>
      each?.value === cell.value && each.at === cell.at;
    if (!derivative.order.some((each) => isIt(each.cell))) return false;
    return derivative.elements().some((each) => each.isRead && isIt(each));
  }
}

/** Steps that end a call, and those that begin it; the steps of the call are between them. */
const BEGINNINGS = new Map([
  ["leave", "enter"],
  ["return", "receive"],
]);

/**
 * Return the step that computes a result shown by the step `own`: this one, or an earlier one.
 * @type {(steps: Step[], own: number, entry: Shown) => number}
 */
export function stepThatComputes(steps, own, entry) {
  /** @param {Step} step */
  const computes = ({ kind, shown }) =>
    BEGINNINGS.has(kind) ||
    (kind !== "save" && shown.some((each) => !isResult(each) && each.value !== null));
  if (computes(steps[own]) || !isResult(entry)) return own;
  const at = steps
    .slice(0, own)
    .findLastIndex(
      (step) =>
        computes(step) && step.shown.some((each) => isResult(each) && each.value === entry.value),
    );
  return at < 0 ? own : at;
}

/**
 * Return the first and the last step of the call that a step begins or ends, or twice the step.
 * @type {(steps: Step[], at: number) => [first: number, last: number]}
 */
function endsOfCall(steps, at) {
  for (const [end, beginning] of BEGINNINGS) {
    const { kind } = steps[at];
    if (kind !== end && kind !== beginning) continue;
    const by = kind === end ? -1 : 1;
    let depth = 0;
    for (let other = at; steps[other]; other += by) {
      depth += Number(steps[other].kind === beginning) - Number(steps[other].kind === end);
      if (!depth) return by < 0 ? [other, at] : [at, other];
    }
  }
  return [at, at];
}

/**
 * Return the elements of a step; those of the whole call if it begins or ends one.
 * @type {(whatIf: WhatIf, chapter: number, steps: Step[], at: number, more?: Shown[]) => StepElements}
 */
export function elementsOfStep(whatIf, chapter, steps, at, more = []) {
  const [first, last] = endsOfCall(steps, at);
  const given = first < last ? entriesOfStep(steps[first]) : [];
  const before = steps.slice(0, first).flatMap((step) => step.shown);
  return new StepElements(
    whatIf,
    chapter,
    [...given, ...entriesOfStep(steps[last]), ...more],
    before,
  );
}

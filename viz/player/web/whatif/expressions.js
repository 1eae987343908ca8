// One element as an expression of others: numbers, elements of values, and functions of these. It is
// built by following the instructions back to the values that a step shows.

import { appendTo, getOrMake, sizeOf, toNumber } from "../numbers.js";
import { argsort, expandRuns, firstExtreme, SORTS } from "./instructions.js";
import { placeOfNumber } from "./listing.js";
import { EMPTY, FUNCTIONS } from "./mathematics.js";
import {
  broadcast,
  inOrder,
  layoutsByIndex,
  layoutsOfContraction,
  splitAxes,
  stepsIn,
} from "./strided.js";

/** @import { Listing } from "./listing.js" */
/** @import { Operand } from "./instructions.js" */
/** @import { Layout } from "./strided.js" */

/** @typedef {{ value: number, at: number }} Cell  an element of a value of the page */

/**
 * A part of an expression: a `number`, a `cell`, a `map` of a function, a `reduce` of many numbers by
 * one, a sum of `products` of so many factors each, the `choice` of one of several, or the `place` of
 * one among others.
 * @typedef {object} Expression
 * @property {string} kind
 * @property {string} name  of a function
 * @property {Expression[]} parts
 * @property {number} number  its result
 * @property {number} count  of factors, or which one is chosen
 * @property {boolean} follows  whether there are cells in it
 * @property {Cell | null} cell
 */

/**
 * Access to the numbers of the page.
 * @typedef {object} Source
 * @property {(array: number, at: number, before: number) => Cell | null} cellAt
 * @property {(cell: Cell) => number} numberOf
 * @property {(cell: Cell) => boolean} isFloating
 * @property {(leaf: number, at: number) => number} leafNumber
 */

const MOST_PARTS = 200_000; // of an element: more take too long
const MOST_KEPT = 600_000;

/** Error: an element cannot be followed; the page has a text for the reason. */
export class Lost extends Error {
  /** @param {string} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** @type {(kind: string, name: string, parts: Expression[], count?: number) => Expression} */
function expression(kind, name, parts, count = 0) {
  const follows = parts.some((part) => part.follows);
  const made = { kind, name, parts, count, follows, number: 0, cell: null };
  made.number = resultOf(
    made,
    parts.map(({ number }) => number),
  );
  return made;
}

/**
 * Return the result of an expression whose parts have these results.
 * @type {(of: Expression, numbers: ArrayLike<number>) => number}
 */
export function resultOf({ kind, name, number, count }, numbers) {
  if (kind === "map") return Number(FUNCTIONS[name](numbers[0], numbers[1], numbers[2]));
  if (kind === "choice") return numbers[count];
  if (kind === "products") {
    let total = 0;
    for (let at = 0; at < numbers.length; at += count) {
      let product = 1;
      for (let factor = 0; factor < count; factor++) product *= numbers[at + factor];
      total += product;
    }
    return total;
  }
  if (kind !== "reduce") return number;
  const by = name === "mean" ? "add" : name;
  let total = EMPTY[by];
  for (let at = 0; at < numbers.length; at++) total = Number(FUNCTIONS[by](total, numbers[at]));
  return name === "mean" ? total / numbers.length : total;
}

/** @returns {Map<number, Expression>} */
const newMap = () => new Map();

/** @type {(number: number) => Expression} */
const constant = (number) => {
  return { kind: "number", name: "", parts: [], count: 0, follows: false, number, cell: null };
};

/** The expressions of the elements of one step. */
export class Expressions {
  /**
   * @param {Listing} listing
   * @param {Source} source
   */
  constructor(listing, source) {
    this.listing = listing;
    this.source = source;
    /** @type {Map<number, Map<number, Expression>>} */
    this.known = new Map(); // by instruction and place
    /** @type {Map<number, Map<number, Expression>>} */
    this.cells = new Map(); // by value and place
    /** @type {Map<number, any>} */
    this.plans = new Map(); // where instructions read
    this.count = 0; // of parts of the element under way
    this.kept = 0;
    this.patience = Number.POSITIVE_INFINITY; // milliseconds for an element
    this.end = 0;
  }

  /**
   * Return the expression of an element.
   * @type {(array: number, at: number) => Expression}
   */
  root(array, at) {
    this.kept += this.count;
    this.count = 0;
    this.end = performance.now() + this.patience;
    if (this.kept > MOST_KEPT) {
      this.known.clear();
      this.cells.clear();
      this.kept = 0;
    }
    return this.read(array, at, Number.POSITIVE_INFINITY);
  }

  /**
   * Return the element of an array before an instruction runs.
   * @type {(array: number, at: number, before: number) => Expression}
   */
  read(array, at, before) {
    const cell = this.source.cellAt(array, at, before);
    if (cell) return this.cell(cell);
    const { listing } = this;
    const place = placeOfNumber(listing.layouts[array], at);
    const written = listing.writerOf(listing.memories[array], place, before);
    return written ? this.written(written.row, written.at) : constant(Number.NaN);
  }

  /** @param {Cell} cell */
  cell(cell) {
    return getOrMake(getOrMake(this.cells, cell.value, newMap), cell.at, () => {
      const number = this.source.numberOf(cell);
      if (!this.source.isFloating(cell)) return constant(number);
      this.grow();
      return { ...constant(number), kind: "cell", follows: true, cell };
    });
  }

  /** @type {(row: number, at: number) => Expression} */
  written(row, at) {
    return getOrMake(getOrMake(this.known, row, newMap), at, () => {
      this.grow();
      const [kind, ...what] = this.listing.code[row];
      return WRITTEN[kind](this, row, at, what);
    });
  }

  grow() {
    this.count += 1;
    if (this.count > MOST_PARTS) throw new Lost("many");
    if (this.count % 1024 === 0 && performance.now() > this.end) throw new Lost("hasty");
  }

  /** @type {(row: number, make: () => any) => any} */
  plan(row, make) {
    if (!this.plans.has(row)) this.plans.set(row, make());
    return this.plans.get(row);
  }

  /** @param {Operand} operand */
  shapeOf(operand) {
    return Array.isArray(operand) ? [] : this.listing.kinds[operand][1];
  }

  /**
   * Return the element of an operand before an instruction runs.
   * @type {(operand: Operand, at: number, before: number) => Expression}
   */
  operand(operand, at, before) {
    if (Array.isArray(operand)) return constant(toNumber(operand[0]));
    return this.read(operand, at, before);
  }

  /**
   * Return the operands of a function at one place of its result.
   * @type {(row: number, at: number, target: number, operands: Operand[]) => Expression[]}
   */
  operands(row, at, target, operands) {
    /** @type {(Layout | null)[]} */
    const layouts = this.plan(row, () => {
      const wanted = this.shapeOf(target);
      return operands.map((each) => {
        const shape = this.shapeOf(each);
        return shape.join() === wanted.join() ? null : broadcast(numbered(shape), wanted);
      });
    });
    return operands.map((each, which) => {
      const layout = layouts[which];
      return this.operand(each, layout ? placeOfNumber(layout, at) : at, row);
    });
  }

  /**
   * Return the elements of an array along some axes from which one element of a result is computed.
   * @type {(row: number, at: number, array: number, axes: number[]) => { start: number, along: Int32Array }}
   */
  line(row, at, array, axes) {
    const { head, along } = this.plan(row, () => {
      const { outer, inner } = splitAxes(numbered(this.shapeOf(array)), axes);
      return { head: outer, along: stepsIn(inner) };
    });
    return { start: placeOfNumber(head, at), along };
  }

  /**
   * Return the shape of what arrays of indices find, and a function from a place in it to the place
   * in the array and the indices that depend on cells.
   * @type {(row: number, array: number, indices: (Operand | null)[], at: number) => { shape: number[], find: (place: number) => { place: number, by: Expression[] } }}
   */
  byIndex(row, array, indices, at) {
    return this.plan(row, () => {
      const layouts = indices.map((each) => (each === null ? null : numbered(this.shapeOf(each))));
      const { shape, whole, lists } = layoutsByIndex(numbered(this.shapeOf(array)), layouts, at);
      const find = (/** @type {number} */ place) => {
        let found = placeOfNumber(whole, place);
        /** @type {Expression[]} */
        const by = [];
        for (const { axis, layout, length, stride } of lists) {
          const index = /** @type {Operand} */ (indices[axis]);
          const made = this.operand(index, placeOfNumber(layout, place), row);
          found += (made.number < 0 ? made.number + length : made.number) * stride;
          if (made.follows) by.push(made);
        }
        return { place: found, by };
      };
      return { shape, find };
    });
  }
}

/**
 * Return the layout of a shape in a memory of its own.
 * @param {number[]} shape
 * @returns {Layout}
 */
const numbered = (shape) => ({ shape, strides: inOrder(shape), offset: 0 });

/** @type {(use: Expressions, row: number, at: number, target: number, name: string, operands: Operand[]) => Expression} */
function mapOf(use, row, at, target, name, operands) {
  const parts = use.operands(row, at, target, operands);
  const [dtype] = use.listing.kinds[target];
  if (name === "copy" && dtype.includes("int")) return expression("map", "trunc", parts);
  const made = name === "copy" ? parts[0] : expression("map", name, parts);
  if (dtype !== "bool" || [0, 1].includes(made.number)) return made;
  return expression("map", "not_equal", [made, constant(0)]);
}

/** @type {Record<string, (use: Expressions, row: number, at: number, what: any[]) => Expression>} */
const WRITTEN = {
  leaf({ source }, _row, at, [made, from, why]) {
    if (from.length) throw new Lost(why);
    return constant(source.leafNumber(made, at));
  },

  constant: (use, row, at, [, numbers]) => constant(use.plan(row, () => expandRuns(numbers))[at]),

  map: (use, row, at, [made, name, operands]) => mapOf(use, row, at, made, name, operands),

  into: (use, row, at, [target, name, operands]) => mapOf(use, row, at, target, name, operands),

  reduce(use, row, at, [, name, of, axes]) {
    const { start, along } = use.line(row, at, of, axes);
    const parts = Array.from(along, (further) => use.read(of, start + further, row));
    return expression("reduce", name, parts);
  },

  running(use, row, at, [, name, of, axis]) {
    const stride = inOrder(use.shapeOf(of))[axis];
    const index = Math.floor(at / stride) % use.shapeOf(of)[axis];
    const parts = Array.from({ length: index + 1 }, (_, each) =>
      use.read(of, at - (index - each) * stride, row),
    );
    return expression("reduce", name, parts);
  },

  contract(use, row, at, [, operands, axes, left]) {
    /** @type {{ starts: Layout, along: Int32Array }[]} */
    const terms = use.plan(row, () => {
      const arrays = operands.map((/** @type {Operand} */ each) => numbered(use.shapeOf(each)));
      return layoutsOfContraction(arrays, axes, left).map(({ outer, inner }) => {
        return { starts: outer, along: stepsIn(inner) };
      });
    });
    /** @type {Expression[]} */
    const parts = [];
    const starts = terms.map((term) => placeOfNumber(term.starts, at));
    for (let each = 0; each < terms[0].along.length; each++) {
      terms.forEach(({ along }, which) => {
        parts.push(use.operand(operands[which], starts[which] + along[each], row));
      });
    }
    return expression("products", "", parts, terms.length);
  },

  order(use, row, at, [made, which, of, axis]) {
    const shape = use.shapeOf(of);
    const sorts = SORTS.includes(which);
    const axes = axis === null ? [...shape.keys()] : [axis];
    const stride = sorts ? inOrder(use.shapeOf(made))[axis] : 1;
    const index = sorts ? Math.floor(at / stride) % shape[axis] : 0;
    // Along the axis a sorted array is as long as before, which an index of the others leaves out.
    const rest = sorts ? Math.floor(at / (stride * shape[axis])) * stride + (at % stride) : at;
    const { start, along } = use.line(row, rest, of, axes);
    const parts = Array.from(along, (further) => use.read(of, start + further, row));
    const numbers = parts.map(({ number }) => number);
    const place = sorts
      ? argsort(numbers)[index]
      : firstExtreme(numbers, which === "argmax" ? -1 : 1);
    if (which === "sort") return expression("choice", "", parts, place);
    return { ...expression("place", "", parts), number: place };
  },

  pick(use, row, at, [, of, indices, before]) {
    const { place, by } = use.byIndex(row, of, indices, before).find(at);
    const found = use.read(of, place, row);
    return by.length ? expression("choice", "", [found, ...by]) : found;
  },

  put(use, row, at, [target, indices, before, from, name]) {
    const { sources, layout } = use.plan(-1 - row, () => {
      const { shape, find } = use.byIndex(row, target, indices, before);
      /** @type {Map<number, number[]>} */
      const found = new Map();
      for (let each = 0; each < sizeOf(shape); each++) appendTo(found, find(each).place, each);
      return { sources: found, layout: broadcast(numbered(use.shapeOf(from)), shape) };
    });
    const here = (sources.get(at) ?? []).map((/** @type {number} */ each) =>
      use.operand(from, placeOfNumber(layout, each), row),
    );
    if (name === "copy" && here.length) return here.at(-1);
    const earlier = use.read(target, at, row);
    return here.length ? expression("reduce", name, [earlier, ...here]) : earlier;
  },

  places(use, row, at, [, numbers, wanted]) {
    const { ends, chosen } = use.plan(row, () => {
      let end = 0;
      const ends = numbers.map((/** @type {number} */ each) => {
        end += sizeOf(use.shapeOf(each));
        return end;
      });
      return { ends, chosen: expandRuns(wanted) };
    });
    const which = ends.findIndex((/** @type {number} */ end) => chosen[at] < end);
    return use.read(numbers[which], chosen[at] - (which ? ends[which - 1] : 0), row);
  },
};

// The instructions of a chapter as seen from single elements: the place of an element in memory,
// and the instruction that wrote it.

import { getOrMake, sizeOf } from "../numbers.js";
import { inOrder } from "./strided.js";

/** @import { Code } from "../payload.d.ts" */
/** @import { Layout } from "./strided.js" */

/** @typedef {{ row: number, at: number }} Written  an instruction, and a place among what it writes */

const WRITE_NOTHING = ["view", "asked"];

/**
 * Return the place in memory of an element, given its number in row-major order.
 * @type {(layout: Layout, at: number) => number}
 */
export function placeOfNumber({ shape, strides, offset }, at) {
  let [place, rest] = [offset, at];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    place += (rest % shape[axis]) * strides[axis];
    rest = Math.floor(rest / shape[axis]);
  }
  return place;
}

/**
 * Return a function from a place in memory to the number of its element; -1 for none or several.
 * @param {Layout} layout
 * @returns {(place: number) => number}
 */
export function inverseOf({ shape, strides, offset }) {
  const steps = inOrder(shape);
  const axes = [...shape.keys()].filter((axis) => shape[axis] > 1);
  axes.sort((one, other) => Math.abs(strides[other]) - Math.abs(strides[one]));
  let [first, start] = [offset, 0]; // the lowest place, and the number of its element
  const rows = axes.map((axis) => {
    const [stride, step, last] = [strides[axis], steps[axis], shape[axis] - 1];
    if (stride > 0) return { stride, step, last };
    first += stride * last;
    start += step * last;
    return { stride: -stride, step: -step, last };
  });
  if (!sizeOf(shape) || rows.some(({ stride }) => stride === 0)) return () => -1;
  return (place) => {
    let [rest, at] = [place - first, start];
    if (rest < 0) return -1;
    for (const { stride, step, last } of rows) {
      const index = Math.min(Math.floor(rest / stride), last);
      rest -= index * stride;
      at += index * step;
    }
    return rest === 0 ? at : -1;
  };
}

/** The arrays of a chapter's code, and the instructions that write into their memory. */
export class Listing {
  /** @param {Code} code */
  constructor({ code, arrays }) {
    this.code = /** @type {any[][]} */ (code);
    this.kinds = arrays;
    /** @type {Layout[]} */
    this.layouts = arrays.map(([, shape]) => ({ shape, strides: inOrder(shape), offset: 0 }));
    this.memories = arrays.map((_, array) => array); // the array in whose memory each one lies
    /** @type {(number | undefined)[]} */
    this.parents = []; // what views were made of
    /** @type {number[]} */
    this.makers = []; // the rows that made arrays
    /** @type {number[][]} */
    this.writers = arrays.map(() => []); // rows by memory
    /** @type {Map<number, (place: number) => number>} */
    this.inverses = new Map();
    this.code.forEach(([kind, made, ...what], row) => {
      if (kind === "view") {
        const [of, offset, strides] = what;
        const layout = { shape: arrays[made][1], strides };
        this.layouts[made] = { ...layout, offset: this.layouts[of].offset + offset };
        this.memories[made] = this.memories[of];
        this.parents[made] = of;
      }
      if (!["into", "put", "asked"].includes(kind)) this.makers[made] = row;
      if (!WRITE_NOTHING.includes(kind)) this.writers[this.memories[made]].push(row);
    });
  }

  /**
   * Return the last instruction before another one that wrote a place in memory, or undefined.
   * @type {(memory: number, place: number, before: number) => Written | undefined}
   */
  writerOf(memory, place, before) {
    const rows = this.writers[memory];
    for (let each = rows.length - 1; each >= 0; each--) {
      const row = rows[each];
      if (row >= before) continue;
      const [kind, target] = this.code[row];
      if (kind !== "into" && kind !== "put") return { row, at: place };
      const at = this.numberAt(target, place);
      if (at >= 0) return { row, at };
    }
    return undefined;
  }

  /**
   * Return the number of an array's element at a place in memory, or -1.
   * @type {(array: number, place: number) => number}
   */
  numberAt(array, place) {
    return getOrMake(this.inverses, array, () => inverseOf(this.layouts[array]))(place);
  }

  /**
   * Return a snapshot, and the array of which it is a view or a copy.
   * @param {number} array
   */
  anchorsOf(array) {
    const [kind, , ...what] = this.code[this.makers[array]];
    if (kind === "view") return [array, what[0]];
    const [of] = kind === "map" && what[0] === "copy" ? what[1] : [];
    const isCopy = Number.isInteger(of) && this.kinds[of].join() === this.kinds[array].join();
    return isCopy ? [array, of] : [array];
  }
}

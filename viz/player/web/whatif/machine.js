// A small machine that repeats NumPy's computations: it runs instructions over arrays.
//
// `build` finds once which places each instruction reads and writes. `run` runs the instructions
// that depend on changed leaves. Both yield after each instruction.

import { appendTo, toNumber } from "../numbers.js";
import { Instruction } from "./instructions.js";
import { placesIn } from "./strided.js";

/** @import { Leaf, JsonNumber } from "./instructions.js" */
/** @import { Memory, Strided } from "./strided.js" */

/**
 * @typedef {object} Program
 * @property {[dtype: string, shape: number[]][]} arrays
 * @property {any[][]} code
 * @property {Record<string, string[]>} fields  the names of an instruction's parts, by kind
 */

// What is known of the numbers in a memory.
const CHANGED = 1; // they depend on a leaf that is not as it was recorded
const STALE = 2; // so they are not what they should be: they could not be computed
const BENT = 4; // one of them lies where a derivative jumps
const UNSURE = 8; // they depend on a decision between numbers that rounding may have parted
const REFUSED = 16; // a kernel would not take them, or would go another way with them

export class Machine {
  /** @param {Program} program */
  constructor(program) {
    this.program = program;
    this.kinds = program.arrays;
    /** @type {Strided[]} */
    this.arrays = [];
    /** @type {Map<number, Leaf>} */
    this.leaves = new Map();
    /** @type {Instruction[]} */
    this.instructions = [];
    this.built = 0; // of the program's instructions, as far as this has come
    this.isBuilt = false;
    /** @type {Map<Memory, Instruction[]>} */
    this.writers = new Map();
    /** @type {Set<Instruction>} */
    this.waiting = new Set();
    /** @type {Map<Memory, number>} */
    this.marks = new Map();
    /** @type {Map<Memory, string>} */
    this.reasons = new Map();
  }

  /** Build the instructions that are not built yet. */
  *build() {
    const { code, fields } = this.program;
    if (this.isBuilt) return;
    while (this.built < code.length) {
      const instruction = new Instruction(this, code[this.built++], fields);
      if (instruction.step) this.instructions.push(instruction);
      yield;
    }
    this.isBuilt = true;
    this.writers = writersOfShared(this.instructions);
    this.waiting = new Set(this.instructions);
  }

  /**
   * Put the recorded numbers into a leaf.
   * @param {number} number
   * @param {ArrayLike<JsonNumber>} numbers
   */
  record(number, numbers) {
    /** @type {Leaf} */ (this.leaves.get(number)).recorded = null;
    this.give(number, numbers);
  }

  /**
   * Put numbers into a leaf, in row-major order; return whether any of them is new.
   * @param {number} number
   * @param {ArrayLike<JsonNumber>} numbers
   */
  give(number, numbers) {
    const leaf = /** @type {Leaf} */ (this.leaves.get(number));
    const { given } = leaf;
    const before = given.slice();
    for (let at = 0; at < given.length; at++) given[at] = toNumber(numbers[at]);
    Object.assign(leaf, { lost: "", unsure: false });
    leaf.recorded ??= given.slice();
    leaf.changed = leaf.recorded.some((each, at) => !Object.is(each, given[at]));
    return before.some((each, at) => !Object.is(each, given[at]));
  }

  /**
   * Note that the numbers of a leaf are unknown, or have unsure digits.
   * @param {number} number
   * @param {{ lost: string, unsure: boolean }} what  the reason, if it is not known
   */
  doubt(number, { lost, unsure }) {
    const leaf = /** @type {Leaf} */ (this.leaves.get(number));
    Object.assign(leaf, { lost, unsure, changed: true });
  }

  /**
   * Return the numbers of an array, in row-major order.
   * @param {number} number
   */
  numbers(number) {
    const { data, ...layout } = this.arrays[number];
    return Array.from(placesIn(layout), (place) => data[place]);
  }

  /**
   * Mark the instructions that depend on these leaves as waiting.
   * @param {Iterable<number>} changed
   */
  letDependentWait(changed) {
    const roots = new Set(changed);
    /** @type {Set<Memory>} */
    const moved = new Set();
    for (const each of this.instructions) {
      const isRoot = each.kind === "leaf" && roots.has(each.made);
      if (isRoot || [...each.reads].some((memory) => moved.has(memory))) this.waiting.add(each);
      if (this.waiting.has(each) && each.writes) moved.add(each.writes);
    }
    for (const each of this.waiting) this.letSharedWait(each); // which may make more of them wait
  }

  /**
   * Mark all writers of an instruction's shared memory as waiting: it is written anew from the
   * start.
   * @param {Instruction} instruction
   */
  letSharedWait({ reads, writes }) {
    for (const memory of writes ? [...reads, writes] : reads) {
      for (const writer of this.writers.get(memory) ?? []) this.waiting.add(writer);
    }
  }

  /**
   * Run the instructions that depend on these leaves, and those that an abandoned run has left
   * waiting. With `until`, the run ends with the last instruction that writes this array; later ones
   * go on waiting.
   * @param {Iterable<number>} changed
   * @param {number} [until]  the array
   */
  *run(changed, until) {
    this.letDependentWait(changed);
    const isLast = (/** @type {Instruction} */ { writes }) =>
      writes === this.arrays[until ?? 0].data;
    const end = until === undefined ? undefined : this.instructions.findLastIndex(isLast) + 1;
    for (const each of this.instructions.slice(0, end)) {
      if (!this.waiting.delete(each)) continue;
      each.step?.();
      yield;
    }
    this.marks = marksOf(this.instructions, this.leaves);
    this.reasons = reasonsOf(this.instructions, this.marks, this.leaves);
  }

  /**
   * Return whether an array depends on a changed leaf, the reason if it could not be computed, and
   * whether rounding may have decided about it.
   * @param {number} number
   */
  state(number) {
    const { data } = this.arrays[number];
    const mark = this.marks.get(data) ?? 0;
    return {
      changed: (mark & (CHANGED | STALE)) !== 0,
      stale: mark & STALE ? (this.reasons.get(data) ?? "asked") : "",
      kink: (mark & (BENT | UNSURE)) !== 0,
    };
  }
}

/**
 * Map each memory with several writers to these instructions.
 * @param {Instruction[]} instructions
 */
function writersOfShared(instructions) {
  /** @type {Map<Memory, Instruction[]>} */
  const writers = new Map();
  for (const each of instructions) {
    if (each.writes) appendTo(writers, each.writes, each);
  }
  return new Map([...writers].filter(([, all]) => all.length > 1));
}

/**
 * Return the marks of each memory after a run.
 * @param {Instruction[]} instructions
 * @param {Map<number, Leaf>} leaves
 */
function marksOf(instructions, leaves) {
  /** @type {Map<Memory, number>} */
  const marks = new Map();
  for (const each of instructions) {
    let mark = 0;
    for (const memory of each.reads) mark |= marks.get(memory) ?? 0;
    if (each.writes) marks.set(each.writes, markAfter(each, mark, leaves));
    if (each.holds || !(mark & CHANGED)) continue;
    for (const memory of each.reads) marks.set(memory, mark | REFUSED);
  }
  return marks;
}

/**
 * Return why each memory is stale: the first reason among those of its sources.
 * @param {Instruction[]} instructions
 * @param {Map<Memory, number>} marks
 * @param {Map<number, Leaf>} leaves
 */
function reasonsOf(instructions, marks, leaves) {
  /** @type {Map<Memory, string>} */
  const reasons = new Map();
  for (const { made, writes, reads, why } of instructions) {
    if (!writes || !((marks.get(writes) ?? 0) & STALE) || reasons.has(writes)) continue;
    const behind = [...reads].map((memory) => reasons.get(memory)).find((reason) => reason);
    const reason = behind || leaves.get(made)?.lost || why;
    if (reason) reasons.set(writes, reason);
  }
  return reasons;
}

/**
 * Return the marks of what an instruction writes, given the marks of what it reads.
 * @param {Instruction} instruction
 * @param {number} read
 * @param {Map<number, Leaf>} leaves
 */
function markAfter({ kind, made, decides, near, moves }, read, leaves) {
  if (kind === "leaf") {
    const leaf = leaves.get(made);
    if (leaf?.changed) return CHANGED | (leaf.lost ? STALE : 0) | (leaf.unsure ? UNSURE : 0);
    return read & (CHANGED | STALE) ? CHANGED | STALE : 0; // nobody knows what it would be
  }
  const bent = read & BENT;
  let mark = moves ? read : read & ~BENT;
  if (read & REFUSED) mark |= STALE;
  if (decides === "bends" && near) mark |= BENT;
  if (decides && (bent || (decides === "jumps" && near))) mark |= UNSURE;
  return mark;
}

// The kinds of instruction: each has a function that finds the places that it reads and writes, and
// returns its step. FIELDS in viz/whatif/instructions.py describes the kinds and names their parts;
// a program carries that table.

import { sizeOf, toNumber } from "../numbers.js";
import { BENDS, CASTS, EMPTY, FUNCTIONS, JUMPS } from "./mathematics.js";
import {
  broadcast,
  isWhole,
  layoutsByIndex,
  layoutsOfContraction,
  placesIn,
  splitAxes,
  stepsIn,
  zeros,
} from "./strided.js";

/** @import { Numeric } from "./mathematics.js" */
/** @import { Memory, Strided } from "./strided.js" */

/** @typedef {number | "nan" | "inf" | "-inf"} JsonNumber  a number as JSON has it */

/** @typedef {number | [JsonNumber]} Operand */

/** @typedef {() => void} Step  computation of an instruction */

/**
 * Arrays of a program.
 * @typedef {object} Arrays
 * @property {[dtype: string, shape: number[]][]} kinds  what each number stands for
 * @property {(Strided | undefined)[]} arrays
 * @property {Map<number, Leaf>} leaves
 */

/**
 * Numbers of a leaf: whether they differ from the recorded ones, are unknown, or have unsure
 * digits.
 * @typedef {object} Leaf
 * @property {Memory} given
 * @property {Memory | null} recorded
 * @property {boolean} changed
 * @property {string} lost  reason why they are unknown, or ""
 * @property {boolean} unsure
 */

// Distance, relative to the largest number, below which two numbers may differ by rounding only:
// the machine may differ from NumPy by as much, which sums in another order and in less precision.
/** @type {Record<string, number>} */
const ROUNDING = { float32: 2e-6, float64: 1e-12 };

export const SORTS = ["argsort", "sort"];

/** One instruction: the memory that it reads and writes, and findings of its last run. */
export class Instruction {
  /**
   * @param {Arrays} arrays
   * @param {any[]} code
   * @param {Record<string, string[]>} fields  the names of the parts, by kind
   */
  constructor(arrays, [kind, ...parts], fields) {
    const part = Object.fromEntries(fields[kind].map((name, at) => [name, parts[at]]));
    this.arrays = arrays;
    this.kind = kind;
    this.made = /** @type {number} */ (parts[0]);
    /** @type {Set<Memory>} */
    this.reads = new Set();
    /** @type {Memory | null} */
    this.writes = null;
    /** Whether it only moves numbers to other places. */
    this.moves = ["pick", "put", "places"].includes(kind) || part.ufunc === "copy";
    /** "bends" or "jumps", as its result does where it chooses between numbers; else "". */
    this.decides = "";
    /** Whether it decided between numbers that may differ by rounding only. */
    this.near = false;
    /** Why its result stays as it was recorded, if it does. */
    this.why = "";
    /** Whether the answer to a question is still the recorded one. */
    this.holds = true;
    /** Memory of truths that it writes: numbers that must become 0 or 1. @type {Memory | null} */
    this.truths = null;
    const step = KINDS[kind](this, part);
    const truths = /** @type {Memory | null} */ (this.truths);
    /** @type {Step | null} */
    this.step = step && truths ? () => runAsTruths(step, truths) : step;
  }

  /**
   * Return an array that the instruction reads.
   * @param {Operand} operand
   * @returns {Strided}
   */
  from(operand) {
    if (Array.isArray(operand)) {
      const one = zeros("number", []);
      one.data[0] = toNumber(operand[0]);
      return one;
    }
    const array = /** @type {Strided} */ (this.arrays.arrays[operand]);
    this.reads.add(array.data);
    return array;
  }

  /** @param {Operand[]} operands */
  fromEach(operands) {
    return operands.map((operand) => this.from(operand));
  }

  /**
   * Return the array that the instruction makes.
   * @param {number} number
   * @returns {Strided}
   */
  to(number) {
    const array = zeros(...this.arrays.kinds[number]);
    this.arrays.arrays[number] = array;
    return this.writing(array);
  }

  /**
   * Return the array into which the instruction writes.
   * @param {number} number
   */
  into(number) {
    return this.writing(this.from(number));
  }

  /**
   * @param {Strided} array
   */
  writing(array) {
    this.writes = array.data;
    if (array.dtype === "bool") this.truths = array.data;
    return array;
  }
}

/** @type {Record<string, (use: Instruction, part: Record<string, any>) => Step | null>} */
export const KINDS = {
  leaf(use, { made, sources, why }) {
    use.why = why;
    use.fromEach(sources);
    const { data } = use.to(made);
    const flags = { changed: false, lost: "", unsure: false };
    const leaf = { given: data.slice(), recorded: null, ...flags }; // others may write into its array
    use.arrays.leaves.set(made, leaf);
    return () => data.set(leaf.given);
  },

  constant(use, { made, numbers }) {
    const { data } = use.to(made);
    const always = expandRuns(numbers);
    return () => data.set(always);
  },

  view({ arrays: { arrays, kinds } }, { made, of, offset, strides }) {
    const base = /** @type {Strided} */ (arrays[of]);
    arrays[made] = { ...base, shape: kinds[made][1], strides, offset: base.offset + offset };
    return null;
  },

  map: (use, { made, ufunc, operands }) => makeMap(use, operands, ufunc, () => use.to(made)),

  into: (use, { target, ufunc, operands }) => makeMap(use, operands, ufunc, () => use.into(target)),

  reduce(use, { made, ufunc, of, axes }) {
    const from = use.from(of);
    const to = use.to(made);
    const { starts, along } = lines(from, axes);
    const by = ufunc === "mean" ? "add" : ufunc;
    const combine = FUNCTIONS[by];
    const share = ufunc === "mean" ? along.length : 1;
    const slack = by in BENDS ? slackOf(use, "bends", [from]) : 0;
    return () => {
      const { data } = from;
      for (let line = 0; line < starts.length; line++) {
        let total = EMPTY[by];
        for (const further of along) total = Number(combine(total, data[starts[line] + further]));
        to.data[line] = total / share;
      }
      if (!slack) return;
      const most = slack * largest(data);
      use.near = starts.some((start, line) =>
        along.some((further) => isNear(data[start + further], to.data[line], most)),
      );
    };
  },

  running(use, { made, ufunc, of, axis }) {
    const from = use.from(of);
    const to = use.to(made);
    const [before, after] = [lines(from, [axis]), lines(to, [axis])];
    const combine = FUNCTIONS[ufunc];
    return () => {
      before.starts.forEach((start, line) => {
        let total = Number.NaN;
        before.along.forEach((further, at) => {
          const next = from.data[start + further];
          total = at ? Number(combine(total, next)) : next;
          to.data[after.starts[line] + after.along[at]] = total;
        });
      });
    };
  },

  contract(use, { made, operands, axes, left }) {
    const sources = use.fromEach(operands);
    const to = use.to(made);
    const terms = layoutsOfContraction(sources, axes, left).map(({ outer, inner }, which) => {
      const { data, offset } = sources[which];
      return { data, offset, starts: stepsIn(outer), along: stepsIn(inner) };
    });
    if (terms.length === 2) return () => productsOfTwo(to.data, terms[0], terms[1]);
    return () => products(to.data, terms);
  },

  order(use, { made, which, of, axis }) {
    const from = use.from(of);
    const to = use.to(made);
    const axes = axis === null ? from.shape.map((_, each) => each) : [axis];
    const before = lines(from, axes);
    const after = lines(to, SORTS.includes(which) ? axes : []);
    const slack = slackOf(use, which === "sort" ? "bends" : "jumps", [from]);
    const sign = which === "argmax" ? -1 : 1;
    return () => {
      use.near = false;
      before.starts.forEach((start, line) => {
        const row = Array.from(before.along, (further) => from.data[start + further]);
        const order = SORTS.includes(which) ? argsort(row) : [firstExtreme(row, sign)];
        after.along.forEach((further, at) => {
          to.data[after.starts[line] + further] = which === "sort" ? row[order[at]] : order[at];
        });
        const most = slack * largest(row);
        const numbers = order.map((at) => row[at]);
        use.near ||= SORTS.includes(which)
          ? numbers.some((number, at) => isNear(number, numbers[at + 1], most))
          : row.some((number) => isNear(number, numbers[0], most));
      });
    };
  },

  pick(use, { made, of, indices, at }) {
    const from = use.from(of);
    const where = placesByIndex(use, from, indices, at);
    const to = use.to(made);
    return () => {
      where.find().forEach((place, each) => {
        to.data[each] = from.data[place];
      });
    };
  },

  put(use, { target, indices, at, value, ufunc }) {
    const from = use.from(value);
    const to = use.into(target);
    const where = placesByIndex(use, to, indices, at);
    const sources = placesIn(broadcast(from, where.shape));
    const combine = ufunc === "copy" ? null : FUNCTIONS[ufunc];
    return () => {
      where.find().forEach((place, each) => {
        const next = from.data[sources[each]];
        to.data[place] = combine ? Number(combine(to.data[place], next)) : next;
      });
    };
  },

  places(use, { made, sources, places }) {
    const to = use.to(made);
    const all = use
      .fromEach(sources)
      .flatMap(({ data, ...layout }) => Array.from(placesIn(layout), (place) => ({ data, place })));
    const chosen = expandRuns(places).map((each) => all[each]);
    return () => {
      for (let at = 0; at < chosen.length; at++) to.data[at] = chosen[at].data[chosen[at].place];
    };
  },

  asked(use, { of, least, most }) {
    const { data, ...layout } = use.from(of);
    const where = placesIn(layout);
    return () => {
      use.holds = least !== null && where.every((at) => data[at] >= least && data[at] <= most);
    };
  },
};

/**
 * Run a step that writes truths: all numbers but 0 become 1.
 * @param {Step} step
 * @param {Memory} truths
 */
function runAsTruths(step, truths) {
  step();
  for (let at = 0; at < truths.length; at++) truths[at] = Number(truths[at] !== 0);
}

/**
 * Return the step that applies a function element by element to arrays.
 * @param {Instruction} use
 * @param {Operand[]} operands
 * @param {string} name
 * @param {() => Strided} target
 * @returns {Step}
 */
function makeMap(use, operands, name, target) {
  const sources = use.fromEach(operands);
  const to = target();
  const apply = /** @type {Numeric} */ ((name === "copy" && CASTS[to.dtype]) || FUNCTIONS[name]);
  const size = sizeOf(to.shape);
  const spread = sources.map((source) => broadcast(source, to.shape));
  const [a, b, c] = spread.map((source) => source.data);
  const [atA, atB, atC] = spread.map((source) => (isWhole(source) ? null : placesIn(source)));
  const ends = isWhole(to) ? null : placesIn(to);
  /** @type {(function_: Numeric) => (at: number) => number | boolean} */
  const reading = (function_) => {
    if (!b) return (at) => function_(a[atA ? atA[at] : at]);
    if (!c) return (at) => function_(a[atA ? atA[at] : at], b[atB ? atB[at] : at]);
    return (at) => function_(a[atA ? atA[at] : at], b[atB ? atB[at] : at], c[atC ? atC[at] : at]);
  };
  const compute = reading(apply);
  function step() {
    for (let at = 0; at < size; at++) to.data[ends ? ends[at] : at] = Number(compute(at));
  }
  const truncates = name === "copy" && !(to.dtype in ROUNDING);
  const distance =
    BENDS[name] ?? JUMPS[truncates ? (to.dtype === "bool" ? "sign" : "trunc") : name];
  const slack =
    name in BENDS || name in JUMPS || truncates
      ? slackOf(use, name in BENDS ? "bends" : "jumps", sources)
      : 0;
  if (!slack) return step;
  const apart = reading(distance);
  return () => {
    const most = slack * Math.max(...spread.map(({ data }) => largest(data)));
    use.near = false;
    for (let at = 0; at < size && !use.near; at++) {
      use.near = isNear(Number(apart(at)), 0, most);
    }
    step();
  };
}

/**
 * Return the relative distance below which rounding may decide between numbers; 0 for whole
 * numbers.
 * @param {Instruction} use
 * @param {"bends" | "jumps"} decides
 * @param {Strided[]} sources
 */
function slackOf(use, decides, sources) {
  const slack = Math.max(...sources.map(({ dtype }) => ROUNDING[dtype] ?? 0));
  if (slack) use.decides = decides;
  return slack;
}

/**
 * Return whether two numbers may differ by rounding only. Equal ones do not: most are zeros of a
 * relu.
 * @param {number} a
 * @param {number} b
 * @param {number} most
 */
function isNear(a, b, most) {
  const gap = Math.abs(a - b);
  return gap > 0 && gap <= most;
}

/**
 * Return the magnitude of the largest finite number.
 * @param {Memory | number[]} numbers
 */
function largest(numbers) {
  let most = 0;
  for (const number of numbers) {
    const size = Math.abs(number);
    if (size > most && size < Number.POSITIVE_INFINITY) most = size;
  }
  return most;
}

/**
 * Return where the lines of an array along some axes start, and the offsets of their elements.
 * @param {Strided} array
 * @param {number[]} axes
 */
function lines(array, axes) {
  const { outer, inner } = splitAxes(array, axes);
  return { starts: placesIn(outer), along: stepsIn(inner) };
}

/**
 * Return the places of a row's numbers in ascending order: stable, with NaN last.
 * @param {number[]} row
 */
export function argsort(row) {
  /** @type {(a: number, b: number) => number} */
  const compare = (a, b) => Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || a - b || 0;
  return row.map((_, at) => at).sort((a, b) => compare(row[a], row[b]));
}

/**
 * Return the first place of the smallest number of a row, of the largest with sign -1, or of NaN.
 * @param {number[]} row
 * @param {number} sign
 */
export function firstExtreme(row, sign) {
  let found = 0;
  for (let at = 0; at < row.length; at++) {
    if (Number.isNaN(row[at])) return at;
    if (row[at] * sign < row[found] * sign) found = at;
  }
  return found;
}

/** @typedef {{ data: Memory, offset: number, starts: Int32Array, along: Int32Array }} Term */

/**
 * Compute the sums of products of two arrays: a matrix product, in any order of axes.
 * @param {Memory} to
 * @param {Term} one
 * @param {Term} other
 */
function productsOfTwo(to, one, other) {
  const [{ data: a, along: alongA }, { data: b, along: alongB }] = [one, other];
  for (let at = 0; at < to.length; at++) {
    const [inA, inB] = [one.offset + one.starts[at], other.offset + other.starts[at]];
    let total = 0;
    for (let term = 0; term < alongA.length; term++) {
      total += a[inA + alongA[term]] * b[inB + alongB[term]];
    }
    to[at] = total;
  }
}

/**
 * Compute the sums of products of any number of arrays.
 * @param {Memory} to
 * @param {Term[]} terms
 */
function products(to, terms) {
  for (let at = 0; at < to.length; at++) {
    let total = 0;
    for (let each = 0; each < terms[0].along.length; each++) {
      let product = 1;
      for (const { data, offset, starts, along } of terms) {
        product *= data[offset + starts[at] + along[each]];
      }
      total += product;
    }
    to[at] = total;
  }
}

/**
 * Return the shape of what arrays of indices find in an array, and a function that finds its
 * places.
 * @param {Instruction} use
 * @param {Strided} array
 * @param {(Operand | null)[]} indices  one for each axis; an axis without indices is taken whole
 * @param {number} at  place of the indices among the whole axes
 */
function placesByIndex(use, array, indices, at) {
  const arrays = indices.map((index) => (index === null ? null : use.from(index)));
  const { shape, whole, lists } = layoutsByIndex(array, arrays, at);
  const fixed = placesIn(whole);
  const reads = lists.map(({ index, layout, length, stride }) => {
    return { data: index.data, where: placesIn(layout), length, stride };
  });
  const found = new Int32Array(fixed.length);
  function find() {
    found.set(fixed);
    for (const { data, where, length, stride } of reads) {
      for (let each = 0; each < found.length; each++) {
        const index = data[where[each]];
        found[each] += (index < 0 ? index + length : index) * stride;
      }
    }
    return found;
  }
  return { shape, find };
}

/**
 * Return a list of numbers with its runs expanded.
 * @param {(JsonNumber | [first: number, step: number, count: number])[]} told
 */
export function expandRuns(told) {
  return told.flatMap((each) => {
    if (!Array.isArray(each)) return [toNumber(each)];
    const [start, step, count] = each;
    return Array.from({ length: count }, (_, at) => start + step * at);
  });
}

// A small machine that computes what NumPy computed: a list of instructions over arrays.
//
// Where each instruction reads and writes is worked out once; to run it again, on other numbers, is a
// loop. The kinds of instruction, and what stands in one after its kind:
//
//   constant  made, numbers                   an array that is there from the start
//   fill      made, number                    the same number everywhere
//   view      made, of, offset, strides       other strides into memory that is there
//   map       made, function, operands        a function of numbers, for one after the other
//   into      target, function, operands      the same, into memory that is there
//   reduce    made, function, of, axes        numbers along axes become one
//   running   made, function, of, axis        the sums, or products, so far
//   contract  made, operands, axes, left      products, summed over the axes that are not left
//   order     made, which, of, axis           places of the largest or smallest, or sorted
//   pick      made, of, indices, at           elements at places that arrays say
//   put       target, indices, at, from, add  into such places
//   places    made, sources, places           elements from places that are always the same
//
// An operand is the number of an array, or [a plain number].

import { CASTS, EMPTY, FUNCTIONS } from "./mathematics.js";
import { broadcast, isWhole, places, sizeOf, zeros } from "./strided.js";

/** @import { Numeric } from "./mathematics.js" */
/** @import { Layout, Memory, Strided } from "./strided.js" */

/** @typedef {number | [number | string]} Operand */

/** @typedef {[dtype: string, shape: number[]]} Kind */

/** @typedef {{ arrays: Kind[], code: any[][] }} Program */

/** What runs one instruction. @typedef {() => void} Step */

const SORTS = { argsort: true, sort: true };

/**
 * A number, of which JSON has no NaN and no infinity.
 * @param {number | string} told
 */
export function numberOf(told) {
  if (typeof told !== "string") return Number(told);
  return { inf: Number.POSITIVE_INFINITY, "-inf": Number.NEGATIVE_INFINITY }[told] ?? Number.NaN;
}

export class Machine {
  /** @param {Program} program */
  constructor(program) {
    this.kinds = program.arrays;
    /** @type {Strided[]} */
    this.arrays = [];
    /** @type {Step[]} */
    this.steps = [];
    for (const [kind, ...what] of program.code) {
      const step = KINDS[kind](this, what);
      if (step) this.steps.push(step);
    }
  }

  /**
   * The array of this number; a leaf is made when it is first asked for.
   * @param {number} number
   */
  array(number) {
    this.arrays[number] ??= zeros(...this.kinds[number]);
    return this.arrays[number];
  }

  /**
   * An operand as an array.
   * @param {Operand} operand
   */
  operand(operand) {
    if (typeof operand === "number") return this.array(operand);
    const one = zeros("float64", []);
    one.data[0] = numberOf(operand[0]);
    return one;
  }

  /**
   * Put numbers into an array, in the order of their indices.
   * @param {number} number
   * @param {(number | string)[]} numbers
   */
  give(number, numbers) {
    const { data, ...layout } = this.array(number);
    places(layout).forEach((place, at) => {
      data[place] = numberOf(numbers[at]);
    });
  }

  /**
   * The numbers of an array, in the order of their indices.
   * @param {number} number
   */
  numbers(number) {
    const { data, ...layout } = this.array(number);
    return Array.from(places(layout), (place) => data[place]);
  }

  /** Compute everything anew. */
  run() {
    for (const step of this.steps) step();
  }
}

/**
 * @type {Record<string, (machine: Machine, what: any[]) => Step | undefined>}
 */
const KINDS = {
  constant(machine, [made, numbers]) {
    machine.give(made, numbers);
    const { data } = machine.array(made);
    const kept = data.slice(); // what is written into it is undone when all runs again
    return () => data.set(kept);
  },

  fill(machine, [made, number]) {
    const { data } = machine.array(made);
    const from = machine.operand(number);
    return () => data.fill(from.data[from.offset]);
  },

  view(machine, [made, of, offset, strides]) {
    const base = machine.array(of);
    const shape = machine.kinds[made][1];
    machine.arrays[made] = { ...base, shape, strides, offset: base.offset + offset };
    return undefined;
  },

  map(machine, [made, name, operands]) {
    return mapped(machine, machine.array(made), name, operands);
  },

  into(machine, [target, name, operands]) {
    return mapped(machine, machine.array(target), name, operands);
  },

  reduce(machine, [made, name, of, axes]) {
    const from = machine.array(of);
    const to = machine.array(made);
    const rest = from.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
    const starts = places(only(from, rest));
    const along = places({ ...only(from, axes), offset: 0 });
    const by = name === "mean" ? "add" : name;
    const combine = FUNCTIONS[by];
    const share = name === "mean" ? along.length : 1;
    return () => {
      for (let at = 0; at < starts.length; at++) {
        let total = EMPTY[by];
        for (const further of along) {
          total = Number(combine(total, from.data[starts[at] + further]));
        }
        to.data[at] = total / share;
      }
    };
  },

  running(machine, [made, name, of, axis]) {
    const from = machine.array(of);
    const to = machine.array(made);
    const rest = from.shape.map((_, each) => each).filter((each) => each !== axis);
    const [starts, ends] = [places(only(from, rest)), places(only(to, rest))];
    const combine = FUNCTIONS[name];
    return () => {
      for (let at = 0; at < starts.length; at++) {
        let total = Number.NaN;
        for (let index = 0; index < from.shape[axis]; index++) {
          const next = from.data[starts[at] + index * from.strides[axis]];
          total = index ? Number(combine(total, next)) : next;
          to.data[ends[at] + index * to.strides[axis]] = total;
        }
      }
    };
  },

  contract(machine, [made, operands, axes, left]) {
    const to = machine.array(made);
    const sources = operands.map((/** @type {Operand} */ operand) => machine.operand(operand));
    /** @type {Map<number, number>} */
    const lengths = new Map();
    axes.forEach((/** @type {number[]} */ own, /** @type {number} */ at) => {
      own.forEach((label, axis) => {
        lengths.set(label, Math.max(lengths.get(label) ?? 0, sources[at].shape[axis]));
        if (sources[at].shape[axis] === 0) lengths.set(label, 0);
      });
    });
    const summed = [...lengths.keys()].filter((label) => !left.includes(label));
    /** @type {(at: number, labels: number[], offset: number) => Int32Array} */
    function placesOf(at, labels, offset) {
      const { shape, strides } = sources[at];
      const own = labels.map((label) => {
        let stride = 0; // of a label that stands twice, along the diagonal
        axes[at].forEach((/** @type {number} */ each, /** @type {number} */ axis) => {
          if (each === label && shape[axis] !== 1) stride += strides[axis];
        });
        return stride;
      });
      const lengthsOf = labels.map((label) => lengths.get(label) ?? 1);
      return places({ shape: lengthsOf, strides: own, offset });
    }
    const starts = sources.map((/** @type {Strided} */ source, /** @type {number} */ at) =>
      placesOf(at, left, source.offset),
    );
    const along = sources.map((/** @type {Strided} */ _, /** @type {number} */ at) =>
      placesOf(at, summed, 0),
    );
    if (sources.length === 2) return () => productsOfTwo(to.data, sources, starts, along);
    return () => {
      for (let at = 0; at < to.data.length; at++) {
        let total = 0;
        for (let term = 0; term < along[0].length; term++) {
          let product = 1;
          for (let each = 0; each < sources.length; each++) {
            product *= sources[each].data[starts[each][at] + along[each][term]];
          }
          total += product;
        }
        to.data[at] = total;
      }
    };
  },

  order(machine, [made, which, of, axis]) {
    const from = machine.array(of);
    const to = machine.array(made);
    const all = from.shape.map((_, each) => each);
    const rest = axis === null ? [] : all.filter((each) => each !== axis);
    const starts = places(only(from, rest));
    const along = places({ ...only(from, axis === null ? all : [axis]), offset: 0 });
    const sign = which === "argmax" ? -1 : 1;
    const ends = which in SORTS ? places(only(to, rest)) : places(to);
    const step = which in SORTS ? to.strides[axis] : 0;
    return () => {
      for (let at = 0; at < starts.length; at++) {
        const row = Array.from(along, (further) => from.data[starts[at] + further]);
        const sorted = row.map((_, index) => index).sort((a, b) => before(row[a], row[b], sign));
        if (!(which in SORTS)) to.data[ends[at]] = sorted[0];
        else
          sorted.forEach((index, position) => {
            to.data[ends[at] + position * step] = which === "sort" ? row[index] : index;
          });
      }
    };
  },

  pick(machine, [made, of, indices, at]) {
    const to = machine.array(made);
    const from = machine.array(of);
    const where = placesByIndex(machine, from, indices, at);
    return () => {
      where().forEach((place, each) => {
        to.data[each] = from.data[place];
      });
    };
  },

  put(machine, [target, indices, at, from, added]) {
    const to = machine.array(target);
    const where = placesByIndex(machine, to, indices, at);
    const value = machine.operand(from);
    const sources = places(broadcast(value, where.shape));
    return () => {
      where().forEach((place, each) => {
        to.data[place] = value.data[sources[each]] + (added ? to.data[place] : 0);
      });
    };
  },

  places(machine, [made, sources, wanted]) {
    const to = machine.array(made);
    const from = sources.map((/** @type {number} */ source) => machine.array(source));
    const each = from.map(places);
    const starts = [0];
    for (const list of each) starts.push(starts[starts.length - 1] + list.length);
    const which = wanted.map((/** @type {number} */ place) =>
      starts.findLastIndex((s, i) => s <= place && i < each.length && place < starts[i + 1]),
    );
    return () => {
      for (let at = 0; at < wanted.length; at++) {
        const source = which[at];
        to.data[at] = from[source].data[each[source][wanted[at] - starts[source]]];
      }
    };
  },
};

/**
 * An array with some of its axes only.
 * @param {Strided} array
 * @param {number[]} axes
 * @returns {Layout}
 */
function only({ shape, strides, offset }, axes) {
  return { shape: axes.map((a) => shape[a]), strides: axes.map((a) => strides[a]), offset };
}

/**
 * Which of two numbers comes first: a NaN is the largest where sorted, and first of the largest.
 * @param {number} a
 * @param {number} b
 * @param {number} sign
 */
function before(a, b, sign) {
  if (Number.isNaN(a) || Number.isNaN(b)) {
    return (Number(Number.isNaN(a)) - Number(Number.isNaN(b))) * sign;
  }
  return (a - b) * sign || 0;
}

/**
 * A function of numbers, from operands into an array.
 * @param {Machine} machine
 * @param {Strided} to
 * @param {string} name
 * @param {Operand[]} operands
 * @returns {Step}
 */
function mapped(machine, to, name, operands) {
  const size = sizeOf(to.shape);
  const apply = /** @type {Numeric} */ ((name === "copy" && CASTS[to.dtype]) || FUNCTIONS[name]);
  if (!apply) throw new Error(`no function ${name}`);
  const sources = operands.map((operand) => broadcast(machine.operand(operand), to.shape));
  const data = sources.map((source) => source.data);
  const where = sources.map((source) => (isWhole(source) ? null : places(source)));
  const ends = isWhole(to) ? null : places(to);
  const [a, b, c] = data;
  const [atA, atB, atC] = where;
  /** @type {(compute: (at: number) => number | boolean) => Step} */
  const loop = (compute) => () => {
    for (let at = 0; at < size; at++) to.data[ends ? ends[at] : at] = Number(compute(at));
  };
  if (data.length === 1) return loop((at) => apply(a[atA ? atA[at] : at]));
  if (data.length === 2) return loop((at) => apply(a[atA ? atA[at] : at], b[atB ? atB[at] : at]));
  return loop((at) => apply(a[atA ? atA[at] : at], b[atB ? atB[at] : at], c[atC ? atC[at] : at]));
}

/**
 * The sums of products of two arrays: a matrix product, in any order of axes.
 * @param {Memory} to
 * @param {Strided[]} sources
 * @param {Int32Array[]} starts
 * @param {Int32Array[]} along
 */
function productsOfTwo(to, [{ data: a }, { data: b }], [startsA, startsB], [alongA, alongB]) {
  for (let at = 0; at < to.length; at++) {
    const [inA, inB] = [startsA[at], startsB[at]];
    let total = 0;
    for (let term = 0; term < alongA.length; term++) {
      total += a[inA + alongA[term]] * b[inB + alongB[term]];
    }
    to[at] = total;
  }
}

/**
 * The places that arrays of indices mean: a function, with the shape of what it gives.
 *
 * The axes without an array are taken whole. The shape of the indices stands at axis `at`.
 * @param {Machine} machine
 * @param {Strided} array
 * @param {(Operand | null)[]} indices  one for each axis
 * @param {number} at
 */
function placesByIndex(machine, array, indices, at) {
  const asked = indices.flatMap((index, axis) =>
    index === null ? [] : [{ index: machine.operand(index), axis }],
  );
  const rest = array.shape.map((_, axis) => axis).filter((axis) => indices[axis] === null);
  const rank = Math.max(...asked.map(({ index }) => index.shape.length));
  const block = Array.from({ length: rank }, (_, each) => {
    const lengths = asked.map(({ index }) => index.shape[each - rank + index.shape.length] ?? 1);
    return lengths.includes(0) ? 0 : Math.max(...lengths);
  });
  const head = only(array, rest.slice(0, at));
  const tail = only(array, rest.slice(at));
  const around = [...head.shape, ...block.map(() => 1), ...tail.shape];
  const shape = [...head.shape, ...block, ...tail.shape];
  const strides = [...head.strides, ...block.map(() => 0), ...tail.strides];
  const fixed = places(broadcast({ shape: around, strides, offset: array.offset }, shape));
  const lists = asked.map(({ index, axis }) => {
    const inBlock = broadcast(index, block);
    const spread = [...head.shape.map(() => 0), ...inBlock.strides, ...tail.shape.map(() => 0)];
    return {
      axis,
      data: index.data,
      where: places({ shape, strides: spread, offset: index.offset }),
    };
  });
  const found = new Int32Array(fixed.length);
  function where() {
    found.set(fixed);
    for (const { axis, data, where: from } of lists) {
      for (let each = 0; each < found.length; each++) {
        const index = data[from[each]];
        found[each] += (index < 0 ? index + array.shape[axis] : index) * array.strides[axis];
      }
    }
    return found;
  }
  return Object.assign(where, { shape });
}

// The slopes of one element by the elements from which it is made, and the values in which it is
// linear.

import { resultOf } from "./expressions.js";
import { FUNCTIONS, JUMPS } from "./mathematics.js";

/** @import { Cell, Expression } from "./expressions.js" */

const SHARE_BESIDE = 1e-6; // distance of nearby numbers from the real ones, relative to the largest
const LEFT_OF_ZERO = 1e-11; // rounding error of a sum that is zero, relative to its terms
const FAR = 1e3; // replaces infinity and NaN, which would spread; relative to the largest
const DIFFERENCE = 1e-5; // step of a finite difference, relative to the number

/**
 * Element from which another one was made, and the slope of that one by it; `isPlain`: the slope is
 * 1 whatever the numbers are.
 * @typedef {Cell & { number: number, slope: number, isRead: boolean, isPlain: boolean }} Part
 */

/** @type {(a: number, b: number) => number[]} */
const ofLarger = (a, b) => (a >= b ? [1, 0] : [0, 1]);

/** @type {(a: number, b: number) => number[]} */
const ofSmaller = (a, b) => (a <= b ? [1, 0] : [0, 1]);

/**
 * The slopes of functions by their operands.
 * @type {Record<string, (a: number, b: number, c: number) => number[]>}
 */
const SLOPES = {
  absolute: (a) => [Math.sign(a)],
  add: () => [1, 1],
  clip: (x, low, high) => (x < low ? [0, 1, 0] : x > high ? [0, 0, 1] : [1, 0, 0]),
  copysign: (a, b) => [Math.sign(a) * (b < 0 ? -1 : 1), 0],
  divide: (a, b) => [1 / b, -a / (b * b)],
  exp: (a) => [Math.exp(a)],
  fmax: ofLarger,
  fmin: ofSmaller,
  log: (a) => [1 / a],
  maximum: ofLarger,
  minimum: ofSmaller,
  multiply: (a, b) => [b, a],
  negative: () => [-1],
  positive: () => [1],
  power: (a, b) => [b === 0 ? 0 : b * a ** (b - 1), a > 0 ? a ** b * Math.log(a) : 0],
  reciprocal: (a) => [-1 / (a * a)],
  remainder: (a, b) => [1, -Math.floor(a / b)],
  sqrt: (a) => [0.5 / Math.sqrt(a)],
  square: (a) => [2 * a],
  subtract: () => [1, -1],
  tanh: (a) => [1 - Math.tanh(a) ** 2],
  where: (wanted) => (wanted ? [0, 1, 0] : [0, 0, 1]),
};
const FLAT = /^(is|logical_|bitwise_|left_shift|right_shift|invert|gcd|lcm)/; // whole numbers, truths

/**
 * The slopes of an expression by its parts.
 * @type {(of: Expression, numbers: number[]) => ArrayLike<number>}
 */
function slopesOf({ kind, name, parts, count }, numbers) {
  if (kind === "choice") return numbers.map((_, at) => Number(at === count));
  if (kind === "place") return numbers.map(() => 0);
  if (kind === "products") {
    return numbers.map((_, at) => {
      let slope = 1;
      const start = at - (at % count);
      for (let factor = start; factor < start + count; factor++) {
        if (factor !== at) slope *= numbers[factor];
      }
      return slope;
    });
  }
  if (kind === "reduce") return slopesOfMany(name, numbers);
  const [a, b, c] = numbers;
  // If both are equal, as at the kink of relu, the constant is chosen.
  if (a === b && parts[1]?.kind === "number" && /^f?m(ax|in)/.test(name)) return [0, 1];
  if (name in SLOPES) return SLOPES[name](a, b, c);
  if (name in JUMPS || FLAT.test(name)) return numbers.map(() => 0);
  return numbers.map((number, at) => {
    const step = DIFFERENCE * Math.max(Math.abs(number), DIFFERENCE);
    const [more, less] = [step, -step].map((by) =>
      Number(FUNCTIONS[name](...numbers.with(at, number + by))),
    );
    return (more - less) / (2 * step);
  });
}

/** @type {(name: string, numbers: number[]) => number[]} */
function slopesOfMany(name, numbers) {
  if (name === "add") return numbers.map(() => 1);
  if (name === "mean") return numbers.map(() => 1 / numbers.length);
  if (name === "multiply") {
    return numbers.map((_, at) =>
      numbers.reduce((all, each, k) => (k === at ? all : all * each), 1),
    );
  }
  if (name !== "maximum" && name !== "minimum") return numbers.map(() => 0);
  const most = numbers.reduce((one, other) => Number(FUNCTIONS[name](one, other)));
  const equal = numbers.filter((each) => each === most).length;
  return numbers.map((each) => (each === most ? 1 / equal : 0));
}

/** @type {number[]} */
const NO_PARTS = [];

/**
 * Return all parts of an expression in topological order, parts first.
 * @param {Expression} root
 */
function inOrderOfUse(root) {
  /** @type {Map<Expression, number>} */
  const places = new Map();
  /** @type {Expression[]} */
  const order = [];
  /** @type {[Expression, boolean][]} */
  const waiting = [[root, false]];
  while (waiting.length) {
    const [each, isReady] = /** @type {[Expression, boolean]} */ (waiting.pop());
    if (places.has(each)) continue;
    if (isReady || !each.parts.length) {
      places.set(each, order.length);
      order.push(each);
    } else {
      waiting.push([each, true]);
      for (const part of each.parts) if (!places.has(part)) waiting.push([part, false]);
    }
  }
  const parts = order.map((each) =>
    each.parts.length ? each.parts.map((part) => places.get(part) ?? 0) : NO_PARTS,
  );
  return { order, parts };
}

/** Dependence of one element on others. */
export class Derivative {
  /**
   * @param {Expression} root
   * @param {(value: number) => number} scaleOf  the largest magnitude in a value
   */
  constructor(root, scaleOf) {
    this.root = root;
    this.scaleOf = scaleOf;
    const { order, parts } = inOrderOfUse(root);
    this.order = order;
    this.parts = parts;
  }

  /**
   * Return the results of all expressions if `move` replaces the numbers of the elements.
   * @param {(number: number, cell: Cell) => number} move
   */
  numbers(move) {
    const { order, parts } = this;
    /** @type {number[]} */
    const made = [];
    for (let at = 0; at < order.length; at++) {
      const { cell, number } = order[at];
      if (cell) made.push(move(number, cell));
      else if (!parts[at].length) made.push(number);
      else made.push(resultOf(order[at], parts[at].map(numberOf)));
    }
    /** @param {number} part */
    function numberOf(part) {
      return made[part];
    }
    return made;
  }

  /**
   * Return the slopes by all expressions, at a relative distance from the real numbers, and the
   * sums of the magnitudes that add up to them.
   * @param {number} share
   */
  slopes(share) {
    const numbers = this.numbers((number, { value, at }) => {
      if (!share && Number.isFinite(number)) return number;
      const scale = this.scaleOf(value);
      if (Number.isNaN(number)) return 2 * FAR * scale;
      if (!Number.isFinite(number)) return Math.sign(number) * FAR * scale;
      return number + share * scale * (0.5 + ((at * 0.618034 + value * 0.414214) % 0.5));
    });
    const { order, parts } = this;
    const slopes = new Float64Array(order.length);
    const sizes = new Float64Array(order.length);
    slopes[order.length - 1] = sizes[order.length - 1] = 1;
    for (let at = order.length - 1; at >= 0; at--) {
      if (!parts[at].length || sizes[at] === 0) continue;
      const own = slopesOf(
        order[at],
        parts[at].map((part) => numbers[part]),
      );
      for (let each = 0; each < own.length; each++) {
        if (own[each] === 0) continue;
        slopes[parts[at][each]] += slopes[at] * own[each];
        sizes[parts[at][each]] += sizes[at] * Math.abs(own[each]);
      }
    }
    return { slopes, sizes };
  }

  /**
   * Return all elements from which it can be made. `isRead` are those by which its slope is not 0,
   * at the real numbers or on both sides of them: a factor that happens to be 0 hides none, and if
   * an op chooses, the real numbers decide.
   * @returns {Part[]}
   */
  elements() {
    const real = this.slopes(0);
    /** @type {(of: ReturnType<Derivative["slopes"]>, at: number) => boolean} */
    const isSeen = ({ slopes, sizes }, at) => !(Math.abs(slopes[at]) <= LEFT_OF_ZERO * sizes[at]);
    const isSure = this.order.every(({ cell }, at) => !cell || isSeen(real, at));
    const beside = isSure ? [] : [SHARE_BESIDE, -SHARE_BESIDE].map((share) => this.slopes(share));
    const near = real.slopes.includes(1) ? this.slopes(SHARE_BESIDE) : real;
    /** @type {Part[]} */
    const found = [];
    this.order.forEach(({ cell, number }, at) => {
      if (!cell) return;
      const isRead = isSeen(real, at) || beside.every((each) => isSeen(each, at));
      const slope = real.slopes[at];
      const isPlain = slope === 1 && near.slopes[at] === 1;
      found.push({ value: cell.value, at: cell.at, number, slope, isRead, isPlain });
    });
    return found;
  }

  /**
   * Return the values in which it is jointly linear, with the others fixed.
   * @param {number[]} values  the first ones are tried first
   */
  linearIn(values) {
    /** @type {Set<number>} */
    const inside = new Set();
    for (const { cell } of this.order) if (cell) inside.add(cell.value);
    const candidates = values.filter((value) => inside.has(value));
    for (const start of candidates) {
      if (!this.isLinear(new Set([start]))) continue;
      const chosen = new Set([start]);
      for (const value of candidates) {
        if (!chosen.has(value) && this.isLinear(new Set([...chosen, value]))) chosen.add(value);
      }
      if (chosen.size === inside.size || this.without(chosen) === 0) return chosen;
    }
    return new Set();
  }

  /**
   * Return whether it has the values only in sums, and in products with others.
   * @param {Set<number>} values
   */
  isLinear(values) {
    /** @type {number[]} */
    const degrees = []; // 0: independent, 1: linear, 2: neither
    this.order.forEach(({ kind, name, cell, count }, at) => {
      const own = this.parts[at].map((part) => degrees[part]);
      const most = own.reduce((one, other) => Math.max(one, other), 0);
      if (cell) degrees.push(Number(values.has(cell.value)));
      else if (kind === "products") degrees.push(degreeOfProducts(own, count));
      else if (most !== 1) degrees.push(most);
      else degrees.push(degreeOf(name || kind, own));
    });
    return degrees.at(-1) === 1;
  }

  /**
   * Return its result with 0 in place of these values.
   * @param {Set<number>} values
   */
  without(values) {
    return this.numbers((number, { value }) => (values.has(value) ? 0 : number)).at(-1) ?? 0;
  }
}

/** @type {(degrees: number[], count: number) => number} */
function degreeOfProducts(degrees, count) {
  let most = 0;
  for (let at = 0; at < degrees.length; at += count) {
    let degree = 0;
    for (let factor = at; factor < at + count; factor++) degree += degrees[factor];
    most = Math.max(most, degree);
  }
  return Math.min(most, 2);
}

/** @type {(name: string, own: number[]) => number} */
function degreeOf(name, own) {
  if (/^(add|subtract|negative|positive|mean)$/.test(name)) return 1;
  if (name === "multiply") return own.filter(Boolean).length > 1 ? 2 : 1;
  if (name === "divide") return own[1] ? 2 : 1;
  return name === "where" && !own[0] ? 1 : 2;
}

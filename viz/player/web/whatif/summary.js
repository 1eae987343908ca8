// What is told of an array beside its elements, as `summary` of viz/document/values.py tells it.

/** @import { Data, Scalar, Stats } from "../payload.d.ts" */

const SMALL = 4096; // elements; larger arrays have a histogram
const PARTS = 24; // of a histogram
const COUNTED = 8192; // elements, about

/**
 * @param {ArrayLike<number>} numbers
 * @param {string} dtype
 * @returns {Stats}
 */
export function summaryOf(numbers, dtype) {
  const size = numbers.length;
  /** @type {Stats} */
  const stats = { min: null, max: null, mean: null, std: null, nan: 0, inf: 0, zeros: 0, size };
  let [zeros, nan, inf, total] = [0, 0, 0, 0];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < size; at++) {
    const number = numbers[at];
    if (number === 0) zeros++;
    if (Number.isNaN(number)) nan++;
    else if (!Number.isFinite(number)) inf++;
    else {
      total += number;
      if (number < low) low = number;
      if (number > high) high = number;
    }
  }
  Object.assign(stats, { nan, inf, zeros });
  const count = size - nan - inf;
  if (!count) return stats;
  const mean = total / count;
  let squares = 0;
  for (let at = 0; at < size; at++) {
    if (Number.isFinite(numbers[at])) squares += (numbers[at] - mean) ** 2;
  }
  const [min, max] = [low, high].map((number) => scalarOf(number, dtype));
  Object.assign(stats, { min, max, mean, std: Math.sqrt(squares / count) });
  if (size > SMALL && high > low) stats.bins = histogramOf(numbers, low, high);
  return stats;
}

/**
 * Return how many of the finite numbers are in each part of the range, of very many by a sample.
 * @type {(numbers: ArrayLike<number>, low: number, high: number) => number[]}
 */
export function histogramOf(numbers, low, high) {
  const every = Math.ceil(numbers.length / COUNTED) | 1; // odd, so that rows of even length mix
  /** @type {number[]} */
  const bins = new Array(PARTS).fill(0);
  for (let at = 0; at < numbers.length; at += every) {
    const place = Math.trunc((numbers[at] - low) * (PARTS / (high - low)));
    if (Number.isFinite(place)) bins[Math.min(place, PARTS - 1)]++;
  }
  return bins;
}

/**
 * The elements as nested lists, as a payload has them.
 * @param {ArrayLike<number>} numbers
 * @param {number[]} shape
 * @param {string} dtype
 * @returns {Data}
 */
export function nestNumbers(numbers, shape, dtype) {
  let at = 0;
  /** @type {(axis: number) => Data} */
  const part = (axis) => {
    if (axis === shape.length) return scalarOf(numbers[at++], dtype);
    return Array.from({ length: shape[axis] }, () => part(axis + 1));
  };
  return part(0);
}

/**
 * One element: a truth, or a number with the fewest digits that give it back in its dtype.
 * @param {number} number
 * @param {string} dtype
 * @returns {Scalar}
 */
export function scalarOf(number, dtype) {
  if (dtype === "bool") return number !== 0;
  if (!Number.isFinite(number)) {
    return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
  }
  if (dtype !== "float32" || Number.isInteger(number)) return number;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return short;
  }
  return Number(number.toPrecision(9));
}

// Numbers as text. Non-finite numbers arrive as the strings "nan", "inf" and "-inf".

export const TOLD_DIGITS = 4; // significant digits, as in viz/facts/magnitude.py
export const CODED_DIGITS = 6; // of numbers of the user's code, as in formulas

/** @import { Data, Scalar } from "./payload.d.ts" */

/** @type {Map<unknown, string>} */
const ODD = new Map([
  ["nan", "NaN"],
  ["inf", "∞"],
  ["-inf", "−∞"],
]);

/**
 * @param {unknown} number
 * @returns {number is "nan" | "inf" | "-inf"}
 */
export function isOdd(number) {
  return typeof number === "string";
}

/** Return a number's text with minus signs for its hyphens. @param {string} text */
const withMinus = (text) => text.replaceAll("-", "−");

/**
 * Return a number with all its digits.
 * @param {Scalar} number
 */
export function exactly(number) {
  return ODD.get(number) ?? withMinus(String(number));
}

const TIMES_OTHERS = 1e4; // numbers off the scale are so many times as large as the others
const LEAST_OFF_SCALE = 1e5; // and at least so large

/** Return the absolute values of the numbers that are neither 0 nor odd. @param {Scalar[]} numbers */
const sizesOf = (numbers) =>
  numbers
    .filter((n) => typeof n === "number")
    .filter((n) => n !== 0)
    .map(Math.abs);

/**
 * Return the largest absolute value on the scale of numbers. Numbers far larger than the others, such
 * as a mask of −1e9, are off the scale.
 * @param {Scalar[]} numbers
 */
export function endOfScale(numbers) {
  const sizes = sizesOf(numbers);
  const largest = sizes.reduce((one, other) => Math.max(one, other), 0);
  if (largest < LEAST_OFF_SCALE) return largest;
  sizes.sort((one, other) => one - other);
  const far = sizes.findIndex(
    (size, k) => k > 0 && size >= LEAST_OFF_SCALE && size >= TIMES_OTHERS * sizes[k - 1],
  );
  return far < 0 ? largest : sizes[far - 1];
}

/**
 * Return a function that writes the numbers of an array in one format, so that columns compare.
 * @param {Scalar[]} numbers
 * @param {string} [dtype]
 * @param {number} [most]  maximum number of digits after the point
 * @returns {(number: Scalar) => string}
 */
export function writer(numbers, dtype = "float", most = 4) {
  if (/^(bool|u?int)/.test(dtype)) return exactly;
  const largest = endOfScale(numbers);
  const sizes = sizesOf(numbers).filter((size) => size <= largest);
  const smallest = sizes.reduce((one, other) => Math.min(one, other), largest);
  const scientific = largest >= 1e5 || (largest > 0 && largest < 1e-3) || smallest < largest * 1e-6;
  const round = sizes.every((n) => n === Math.round(n * 100) / 100);
  const digits = largest >= 1000 ? 1 : largest >= 100 ? 2 : round ? 2 : most;
  return (number) => {
    if (typeof number !== "number") return exactly(number);
    if (number === 0) return number.toFixed(digits);
    const isOff = Math.abs(number) > largest;
    return withMinus(scientific || isOff ? number.toExponential(2) : number.toFixed(digits));
  };
}

/**
 * Return a single number with four significant digits.
 * @param {Scalar} number
 */
export function briefly(number) {
  return exactly(typeof number === "number" ? Number(number.toPrecision(4)) : number);
}

/** Return a number with the significant digits of a float32. @param {number} number */
export const shorten = (number) => Number(number.toPrecision(7));

/**
 * Return a number as text with the digits of sentences, or with fewer.
 * @param {Scalar} number
 */
export function digitsOf(number, count = TOLD_DIGITS) {
  if (typeof number === "boolean") return number ? "True" : "False";
  if (typeof number === "string") return withMinus(number);
  const short = roundDigits(number, count);
  const power = short === 0 ? 0 : Math.floor(Math.log10(Math.abs(short)) + 1e-12);
  const text =
    power < -4 || power >= Math.max(count, TOLD_DIGITS) ? short.toExponential() : String(short);
  return withMinus(text);
}

/**
 * Return a number rounded to some digits; ties go to the even digit, as in Python.
 * @type {(number: number, count: number) => number}
 */
function roundDigits(number, count) {
  const [whole, power] = number.toExponential(60).split("e");
  const end = count + (number < 0 ? 2 : 1); // the point counts
  const isTie = /^\.?50*$/.test(whole.slice(end));
  const even = isTie && /[02468]\.?$/.test(whole.slice(0, end));
  return Number(even ? `${whole.slice(0, end)}e${power}` : number.toPrecision(count));
}

/**
 * @param {Data} data
 * @returns {Scalar[]}
 */
export function flatten(data) {
  return Array.isArray(data) ? data.flatMap(flatten) : [data];
}

/**
 * Return the place of a number on the colour scale, from -100 to 100 per cent.
 * @param {Scalar} number
 * @param {number} largest  the end of the scale
 */
export function heat(number, largest) {
  if (typeof number !== "number" || largest === 0) return 0;
  return Math.round(100 * Math.max(-1, Math.min(1, number / largest)));
}

/**
 * Return the indices 0..size-1, with null for a gap if there are too many: both ends, or those
 * around `at`.
 * @param {number} size
 * @param {number} most  three or more
 * @param {number} at
 */
export function shownIndices(size, most, at = 0) {
  const all = Array.from({ length: size }, (_, index) => index);
  if (size <= most) return all;
  const head = Math.ceil((most - 1) / 2);
  if (at < head) return [...all.slice(0, head), null, ...all.slice(size - (most - 1 - head))];
  const inside = most - 2;
  const first = at - Math.floor(inside / 2);
  if (first <= 1) return [...all.slice(0, most - 1), null];
  if (first + inside >= size - 1) return [null, ...all.slice(size - most + 1)];
  return [null, ...all.slice(first, first + inside), null];
}

/** @param {number[]} shape */
export function shapeText(shape) {
  return `[${shape.join(", ")}]`;
}

/** @param {number[]} shape */
export function sizeOf(shape) {
  return shape.reduce((product, length) => product * length, 1);
}

/** Return the place of an index among the elements. @type {(index: number[], shape: number[]) => number} */
export const placeOf = (index, shape) => index.reduce((at, k, axis) => at * shape[axis] + k, 0);

/** Return the index of the element at a place. @type {(at: number, shape: number[]) => number[]} */
export const indexAt = (at, shape) =>
  shape.map((length, axis) => Math.floor(at / sizeOf(shape.slice(axis + 1))) % length);

/**
 * Add a value to the list that a map has at a key.
 * @template K, V
 * @param {Map<K, V[]>} lists
 * @param {K} key
 * @param {V} value
 */
export function appendTo(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/**
 * Return the value that a map has at a key; make and store it if it is missing.
 * @template K, V
 * @param {{ get: (key: K) => V | undefined, set: (key: K, value: V) => unknown }} map
 * @param {K} key
 * @param {() => V} make
 */
export function getOrMake(map, key, make) {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/**
 * Raise the number that a map has at a key, or else 0, to at least another one.
 * @template K
 * @param {Map<K, number>} map
 * @param {K} key
 * @param {number} number
 */
export const raise = (map, key, number) => map.set(key, Math.max(map.get(key) ?? 0, number));

/** Return the root mean square of numbers. @param {number[]} numbers */
export function rmsOf(numbers) {
  const square = numbers.reduce((sum, number) => sum + number * number, 0);
  return Math.sqrt(square / Math.max(1, numbers.length));
}

/**
 * Return a scalar as a number: "nan" and "inf" are texts in JSON, booleans become 0 or 1.
 * @param {Scalar} number
 */
export const toNumber = (number) =>
  Number(isOdd(number) ? number.replace("inf", "Infinity") : number);

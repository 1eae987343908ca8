// A curve over the rounds of a training: a line through the finite numbers, a point for each round
// if there is room, and a broken line from top to bottom at NaN and infinity.

import { h, stretched } from "./dom.js";
import { isOdd } from "./numbers.js";

/** @import { Num } from "./payload.d.ts" */

/** @typedef {Num | null | undefined} Height */

const POINTS = 120; // maximum number of rounds with points
const [TOP, BOTTOM] = [0.12, 0.88]; // ends of the curve in the picture, so that points are whole

/** @param {number} at */
const middle = (at) => at + 0.5;

/**
 * Return the smallest and the largest number, or null if there is none.
 * @param {Height[]} heights
 * @returns {[number, number] | null}
 */
export function rangeOf(heights) {
  /** @type {[number, number] | null} */
  let range = null;
  for (const height of heights) {
    if (typeof height !== "number") continue;
    range = range ? [Math.min(range[0], height), Math.max(range[1], height)] : [height, height];
  }
  return range;
}

/**
 * Return a function that maps numbers to heights in the picture: the middle if all are equal.
 * @param {[number, number] | null} range
 * @returns {(height: number) => number}
 */
export function scaleTo(range) {
  const [low, high] = range ?? [0, 0];
  return (height) => {
    const share = high > low ? (height - low) / (high - low) : 0.5;
    return Number((BOTTOM - share * (BOTTOM - TOP)).toFixed(4));
  };
}

/**
 * Return the path of the line: it continues over rounds without a number, but not over NaN.
 * @param {Height[]} heights
 * @param {(height: number) => number} y
 */
export function linePath(heights, y) {
  let pen = "M";
  return heights
    .map((height, at) => {
      if (isOdd(height)) pen = "M";
      if (typeof height !== "number") return "";
      const piece = `${pen}${middle(at)} ${y(height)}`;
      pen = "L";
      return piece;
    })
    .join("");
}

/**
 * Return dots that stay round in a stretched picture: lines of no length with round ends.
 * @param {[number, number][]} places
 */
const dotsPath = (places) => places.map(([at, y]) => `M${middle(at)} ${y}h0`).join("");

/**
 * Draw hatches behind a curve, at rounds whose recorded number became unknown.
 * @param {Height[]} heights
 * @param {Height[]} before
 */
export function drawGaps(heights, before) {
  const isGap = heights.map((height, at) => isNone(height) && !isNone(before[at]));
  const share = 100 / heights.length;
  return isGap.flatMap((gap, at) => {
    if (!gap || isGap[at - 1]) return [];
    const length = [...isGap, false].indexOf(false, at) - at;
    const style = `left: ${at * share}%; width: ${length * share}%`;
    return [h("div.mp-curve-gap", { style })];
  });
}

/** @param {Height} height */
const isNone = (height) => height === null || height === undefined;

/**
 * Draw a curve.
 * @param {Height[]} heights
 * @param {(at: number) => string} [signOf]  dot, ring (a round unlike most), or none
 * @param {number[]} [flags]  rounds without a number, shown as a square at the foot
 * @param {Height[]} [before]  another curve, drawn behind
 * @param {Height[]} [shares]  a curve of its own scale, from 0 to 1
 */
export function drawCurve(heights, signOf = () => "dot", flags = [], before = [], shares = []) {
  const y = scaleTo(rangeOf([...before, ...heights]));
  const known = heights.flatMap((height, at) =>
    typeof height === "number" ? [/** @type {[number, number]} */ ([at, y(height)])] : [],
  );
  /** @param {string} sign */
  const places = (sign) => known.filter(([at]) => signOf(at) === sign);
  const alone = known.length === 1;
  const dots = heights.length <= POINTS || alone ? places("dot") : [];
  const odd = heights.flatMap((height, at) => (isOdd(height) ? [`M${middle(at)} 0V1`] : []));
  /** @type {[string, string][]} */
  const paths = [
    ["before", linePath(before, y)],
    ["share", linePath(shares, scaleTo([0, 1]))],
    ["odd", odd.join("")],
    ["line", linePath(heights, y)],
    ["dots", dotsPath(dots)],
    ["ring", dotsPath(places("ring"))],
    ["hole", dotsPath(places("ring"))],
    ["flags", dotsPath(flags.map((at) => [at, BOTTOM]))],
  ];
  return stretched(
    Math.max(1, heights.length),
    { class: "mp-curve", "aria-hidden": "true" },
    paths
      .filter(([, d]) => d)
      .map(([name, d]) =>
        h("path", { class: `mp-curve-${name}`, d, "vector-effect": "non-scaling-stroke" }),
      ),
  );
}

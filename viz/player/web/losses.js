// The losses of a nudge, over one number a curve and over two a map: they are computed between frames,
// while the page has nothing else to compute.

import { shorten } from "./numbers.js";

/** @import { Spotted } from "./edit.js" */
/** @import { Point } from "./landscape.js" */
/** @import { Page } from "./player.js" */
/** @import { Start } from "./promise.js" */

/**
 * A number that the reader moves: its place, where the nudge begins, and how far it may go.
 * @typedef {object} Axis
 * @property {Spotted} spot
 * @property {Start} start
 * @property {{ reach: number, step: number }} scale
 */

const HALF = 20; // losses of the curve to either side
const GRID = 10; // losses of the map to either side
const COARSE = 2; // losses of the map to either side that are computed first
const REDRAWN = 40; // milliseconds between two pictures of a curve that is being computed

/** Places of the curve, from the middle on. */
const SHARES = Array.from({ length: HALF }, (_, k) => (k + 1) / HALF).flatMap((at) => [at, -at]);
const SIDE = Array.from({ length: 2 * GRID + 1 }, (_, k) => (k - GRID) / GRID);
/** Places of the map, row by row. */
const PLACES = SIDE.flatMap((y) => SIDE.map((x) => /** @type {Point} */ ([x, y])));

/** @param {Point} place */
const isCoarse = (place) => place.every((at) => Number.isInteger(at * COARSE));

/** @type {(share: number, axis: Axis) => number} */
const nudgeAt = (share, { scale }) => shorten(share * scale.reach);

/**
 * @param {Pick<Page, "book" | "edits">} page
 * @param {() => void} draw  called when there is more to draw
 */
export function createLosses({ book, edits }, draw) {
  /** @type {Axis[]} */
  let axes = []; // one, or two for a map
  /** @type {Map<number, number>} */
  const trail = new Map(); // nudge -> change of the loss
  /** @type {Map<Point, number>} */
  const grid = new Map(); // place in the map -> loss
  /** @type {number[][]} */
  let rows = []; // of the grid, as far as it is drawn
  /** @type {Point[]} */
  let queue = []; // places whose losses are still to be computed
  let drawn = 0; // time of the last picture
  let lost = { count: 0, why: "" }; // losses that could not be computed

  const isMap = () => axes.length > 1;

  /** @type {(loss: number, stale: string) => void} */
  function keep(loss, stale) {
    const place = /** @type {Point} */ (queue.shift());
    if (stale) lost = { count: lost.count + 1, why: stale };
    if (isMap()) {
      grid.set(place, stale ? Number.NaN : loss);
      const known = queue.length ? PLACES.filter(isCoarse) : PLACES;
      if (grid.size !== known.length) return;
      const side = Math.sqrt(known.length);
      const losses = known.map((each) => grid.get(each) ?? Number.NaN);
      rows = Array.from({ length: side }, (_, k) => losses.slice(k * side, (k + 1) * side));
    } else {
      const change = stale ? Number.NaN : loss - Number(axes[0].start.loss);
      if (Number.isFinite(change)) trail.set(nudgeAt(place[0], axes[0]), change);
      if (queue.length && performance.now() < drawn + REDRAWN) return;
    }
    drawn = performance.now();
    draw();
  }

  return {
    trail,
    /** Losses of the map, from its lowest row; none before some are known. */
    get rows() {
      return rows;
    },
    get isWhole() {
      return !queue.length;
    },
    get lost() {
      return lost;
    },
    /** Forget all losses, those of other numbers. @param {Axis[]} next */
    begin(next) {
      axes = next;
      trail.clear();
      trail.set(0, 0);
    },
    /** Ask for the losses as far as the numbers may go: from the middle on, or a few of a map first. */
    refill() {
      edits.rest();
      grid.clear();
      rows = [];
      lost = { count: 0, why: "" };
      const [{ spot, start }] = axes;
      if (start.loss === null || !book.value(spot.value).dtype.includes("float")) queue = [];
      else if (isMap()) {
        queue = [...PLACES.filter(isCoarse), ...PLACES.filter((place) => !isCoarse(place))];
      } else {
        queue = SHARES.filter((share) => !trail.has(nudgeAt(share, axes[0]))).map((x) => [x, 0]);
      }
    },
    /** Compute what is missing, until the page has something else to compute. */
    sweep() {
      const next = () =>
        queue.length
          ? axes.map((axis, k) => shorten(axis.start.number + nudgeAt(queue[0][k], axis)))
          : null;
      if (queue.length) {
        edits.sweep(
          axes.map(({ spot }) => spot),
          next,
          keep,
        );
      }
    },
    /** Return the lowest loss, the numbers that give it, and the count of known losses. */
    lowest() {
      /** @type {[loss: number, nudges: number[]][]} */
      const all = isMap()
        ? [...grid].map(([place, loss]) => [loss, axes.map((axis, k) => nudgeAt(place[k], axis))])
        : [...trail].map(([by, change]) => [Number(axes[0].start.loss) + change, [by]]);
      const known = all.filter(([loss]) => Number.isFinite(loss));
      if (queue.length || known.length < 2) return null;
      const [loss, nudges] = known.reduce((one, other) => (other[0] < one[0] ? other : one));
      const numbers = nudges.map((by, k) => shorten(axes[k].start.number + by));
      return { count: known.length, loss, numbers };
    },
  };
}

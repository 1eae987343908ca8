// The picture of a nudge: the promise as a straight line and the losses as a curve, or the contours of
// the losses over two numbers. Everything lies between -1 and 1.

import { h } from "./dom.js";
import { roundUp } from "./promise.js";

/** @typedef {[x: number, y: number]} Point */

const JOINED = 0.1; // maximum distance of points that a line joins, relative to the reach
const LEVELS = 12; // maximum number of contours
const SHARE = 0.6; // of the losses that lie below the highest contour, or today's loss if it is higher
const FAR = 4; // losses beyond the median, times this, do not stretch the scale

/** @param {number} x */
const coordinate = (x) => Number(x.toFixed(4));

/**
 * Return the computed losses as a path, with lines between near points. No line crosses the whole
 * picture: there the loss has a pole.
 * @param {Point[]} trail  nudges and losses, in the order of the nudges
 */
export function wayOf(trail) {
  const pieces = trail.map(([x, y], at) => {
    const [before, height] = trail[at - 1] ?? [-Infinity, y];
    const near = x - before <= JOINED && !(Math.min(y, height) < -1 && Math.max(y, height) > 1);
    return `${near ? "L" : "M"}${coordinate(x)} ${coordinate(-y)}${near ? "" : "h0"}`;
  });
  return trail.length > 1 ? pieces.join("") : "";
}

/** @type {(numbers: number[], share: number) => number} */
function quantile(numbers, share) {
  const sorted = numbers.filter(Number.isFinite).sort((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** Return the end of a scale for changes of the loss, a few of which may be huge. @param {number[]} changes */
export function endOfLosses(changes) {
  const sizes = changes.map(Math.abs);
  return Math.min(quantile(sizes, 1), FAR * quantile(sizes, 0.5) || Number.POSITIVE_INFINITY);
}

/**
 * Return the levels of contours, at equal steps, and the step.
 * @param {number[]} losses
 * @param {number} today
 */
export function levelsOf(losses, today) {
  const low = quantile(losses, 0);
  const high = Math.max(quantile(losses, SHARE), today);
  if (!(quantile(losses, 1) > low)) return { levels: [], step: 0 };
  const step = roundUp((high - low) / LEVELS);
  const first = Math.floor(low / step) + 1;
  const count = Math.floor(high / step) - first + 1;
  return { levels: Array.from({ length: count }, (_, k) => (first + k) * step), step };
}

/**
 * Return the path on which a function has a level, by linear interpolation in triangles.
 * @param {number[][]} rows  numbers of the function on a grid, from the lowest row
 * @param {number} level
 */
export function contourOf(rows, level) {
  const last = rows.length - 1;
  /** @type {(corners: Point[]) => string} */
  function crossing(corners) {
    const ends = corners.flatMap((one, k) => {
      const other = corners[(k + 1) % 3];
      const [from, to] = [one, other].map(([x, y]) => rows[y][x] - level);
      if (from < 0 === to < 0 || !Number.isFinite(from - to)) return [];
      const [x, y] = [0, 1].map((axis) => {
        const at = one[axis] + (from / (from - to)) * (other[axis] - one[axis]);
        return coordinate((2 * at) / last - 1);
      });
      return [`${x} ${-y}`];
    });
    return ends.length ? `M${ends.join("L")}` : "";
  }
  return rows
    .slice(1)
    .flatMap((row, y) =>
      row.slice(1).map((_, x) => {
        const [near, far] = /** @type {Point[]} */ ([
          [x, y],
          [x + 1, y + 1],
        ]);
        return crossing([near, [x + 1, y], far]) + crossing([near, far, [x, y + 1]]);
      }),
    )
    .join("");
}

export function createPicture() {
  /** @type {(part: string, d?: string) => SVGPathElement} */
  const path = (part, d = "") =>
    h(/** @type {"path"} */ (`path.mp-nudge-${part}`), {
      "vector-effect": "non-scaling-stroke",
      d,
    });
  const [line, trail, rounds, stops, gap, promise, loss] = [
    ..."line trail rounds stops gap promise loss".split(" "),
  ].map((part) => path(part));
  const contours = h("g.mp-nudge-contours");
  /** @type {number[][]} */
  let drawn = []; // grid of the contours
  const box = { viewBox: "-1 -1 2 2", preserveAspectRatio: "none" };
  const inside = h("svg", { x: -1, y: -1, width: 2, height: 2, ...box }, [
    ...[path("axes", "M-1 0H1M0-1V1"), contours, line, trail, rounds, stops],
  ]);
  /** @type {(points: Point[]) => string} */
  const dots = (points) => points.map(([x, y]) => `M${coordinate(x)} ${coordinate(-y)}h0`).join("");
  return {
    element: h("svg", { ...box, role: "img" }, inside, gap, promise, loss),
    /**
     * Draw the losses over one number.
     * @param {number} slope  slope of the line
     * @param {Point[]} seen
     * @param {number[] | null} now  the nudge, the promise and the real change
     */
    draw(slope, seen, now) {
      for (const each of [rounds, stops]) each.setAttribute("d", "");
      contours.replaceChildren();
      drawn = [];
      line.setAttribute("d", `M-1 ${coordinate(slope)}L1 ${coordinate(-slope)}`);
      trail.setAttribute("d", wayOf(seen));
      const [x, promised, did] = (now ?? [0, 0, 0]).map(coordinate);
      gap.setAttribute("d", now ? `M${x} ${-promised}V${-did}` : "");
      promise.setAttribute("d", now ? dots([[x, promised]]) : "");
      loss.setAttribute("d", now ? dots([[x, did]]) : "");
    },
    /**
     * Draw the contours over two numbers, the path of the rounds, and the current place.
     * @param {number[][]} rows
     * @param {number[]} levels  levels of a new grid, from the lowest, whose contour is the darkest
     * @param {Point[]} path
     * @param {Point} now
     */
    drawMap(rows, levels, path, now) {
      /** @type {(level: number, k: number) => SVGPathElement} */
      const contourAt = (level, k) =>
        h("path", {
          "vector-effect": "non-scaling-stroke",
          d: contourOf(rows, level),
          "data-level": level,
          opacity: 1 - (0.75 * k) / levels.length,
        });
      for (const each of [line, trail, gap, promise]) each.setAttribute("d", "");
      if (rows !== drawn) contours.replaceChildren(...levels.map(contourAt));
      drawn = rows;
      rounds.setAttribute("d", dots(path).replaceAll("h0M", "L"));
      stops.setAttribute("d", dots(path));
      loss.setAttribute("d", dots([now]));
    },
  };
}

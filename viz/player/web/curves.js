// Paths through the stations of wires (viz/layout/curves.py), as SVG's text and as points on them.

const ROUND = 9;

/** @typedef {[number, number]} Point */
/** @typedef {[string, ...Point[]]} Command  SVG's letter and the points that it takes */

/** @type {(one: Point, other: Point) => number} */
const distance = (one, other) => Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]);

/** @type {(one: Point, other: Point, part: number) => Point} */
const towards = (one, other, part) => [
  one[0] + (other[0] - one[0]) * part,
  one[1] + (other[1] - one[1]) * part,
];

/**
 * Return the stations without repeated ones and without those on a straight piece.
 * @param {Point[]} stations
 */
export function tidy(stations) {
  /** @type {Point[]} */
  const result = [];
  for (const point of stations) {
    const [before, last] = [result[result.length - 2], result[result.length - 1]];
    if (last && distance(last, point) < 0.05) continue;
    /** @param {0 | 1} i */
    const inLine = (i) =>
      Math.abs(before[i] - last[i]) < 0.05 && Math.abs(last[i] - point[i]) < 0.05;
    if (before && (inLine(0) || inLine(1))) result.pop();
    result.push(point);
  }
  return result;
}

/**
 * Join stations by straight lines if they are above each other, else by an S-curve.
 * @param {Point[]} stations
 */
export function flowingPath(stations) {
  /** @type {Command[]} */
  const path = [["M", stations[0]]];
  for (let k = 1; k < stations.length; k += 1) {
    const [[x, y], next] = [stations[k - 1], stations[k]];
    const middle = (y + next[1]) / 2;
    path.push(
      Math.abs(x - next[0]) < 0.05 ? ["L", next] : ["C", [x, middle], [next[0], middle], next],
    );
  }
  return path;
}

/**
 * Join stations by straight lines with rounded corners.
 * @param {Point[]} stations
 */
export function corneredPath(stations) {
  /** @type {Command[]} */
  const path = [["M", stations[0]]];
  for (let k = 1; k + 1 < stations.length; k += 1) {
    const [before, here, after] = stations.slice(k - 1, k + 2);
    const [near, far] = [distance(before, here), distance(here, after)];
    const radius = Math.min(ROUND, near / 2, far / 2);
    if (radius < 0.5) {
      path.push(["L", here]);
    } else {
      path.push(["L", towards(here, before, radius / near)]);
      path.push(["Q", here, towards(here, after, radius / far)]);
    }
  }
  path.push(["L", stations[stations.length - 1]]);
  return path;
}

/**
 * Return a coordinate with at most one decimal.
 * @param {number} x
 */
function decimal(x) {
  const text = x.toFixed(1).replace(/\.0$/, "");
  return text === "-0" ? "0" : text;
}

/**
 * Return the path as SVG's `d`.
 * @param {Command[]} path
 */
export function pathText(path) {
  return path
    .map(([letter, ...points]) => letter + points.map((xy) => xy.map(decimal).join(",")).join(" "))
    .join("");
}

/**
 * Return points along a path, close enough to detect what it crosses.
 * @param {Command[]} path
 */
export function pointsOn(path) {
  /** @type {Point[]} */
  const points = [];
  for (const [letter, ...ends] of path) {
    const start = points[points.length - 1];
    if (letter === "M") {
      points.push(ends[0]);
    } else if (letter === "L") {
      const many = Math.max(1, Math.trunc(distance(start, ends[0]) / 6));
      for (let k = 1; k <= many; k += 1) points.push(towards(start, ends[0], k / many));
    } else {
      for (let k = 1; k <= 16; k += 1) {
        let controls = [start, ...ends];
        while (controls.length > 1) {
          const some = controls;
          controls = some.slice(1).map((point, at) => towards(some[at], point, k / 16));
        }
        points.push(controls[0]);
      }
    }
  }
  return points;
}

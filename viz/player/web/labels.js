// Places for the labels of wires (viz/layout/labels.py).

import { appendTo } from "./numbers.js";

/** @import { Thread } from "./parts.js" */
/** @import { Point } from "./curves.js" */

/** @typedef {[left: number, top: number, right: number, bottom: number]} Area */
/** @typedef {{ text: string, width: number, at: Point }} Label */

const ASIDE = 7; // distance between a wire and its label
const [MORE, MORE_WIDTH] = [", …", 18.09];
const [CELL_HIGH, CELL_WIDE] = [48, 96]; // size of a cell of the grid of neighbours
// Places along a level piece of a wire, from its middle to its ends.
const ALONG = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.0, 1.0, 0.2, 0.8];

/** @param {number} x */
export const tenth = (x) => Math.round(x * 10) / 10 + 0;

/** @param {number} x */
const column = (x) => Math.floor(x / CELL_WIDE);

/** @param {number} y */
const row = (y) => Math.floor(y / CELL_HIGH);

/** @type {(one: Area, other: Area) => boolean} */
const touch = (one, other) =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/** @type {(at: Point, width: number) => Area} */
export const labelArea = ([x, y], width) => [x, y - 8, x + width, y + 2.5];

/** Return a record of the areas that labels may not cover, and the lines that they avoid. */
export function createRoom() {
  /** @type {Map<string, Area[]>} */
  const full = new Map();
  /** @type {Map<string, Area[]>} */
  const borders = new Map();
  /** @type {Map<string, Point[]>} */
  const lines = new Map();
  /** @param {Area} area */
  const cells = ([left, top, right, bottom]) => {
    const keys = [];
    for (let at = column(left); at <= column(right); at += 1) {
      for (let down = row(top); down <= row(bottom); down += 1) keys.push(`${at} ${down}`);
    }
    return keys;
  };
  /** @param {Point[]} points */
  const draw = (points) => {
    for (const point of points) {
      appendTo(lines, `${column(point[0])} ${row(point[1])}`, point);
    }
  };
  /** @type {(there: Map<string, Area[]>, area: Area) => void} */
  const put = (there, area) => {
    for (const key of cells(area)) appendTo(there, key, area);
  };
  /** @type {(area: Area, there: Map<string, Area[]>) => boolean} */
  const touched = (area, there) =>
    cells(area).some((key) => there.get(key)?.some((other) => touch(area, other)));
  return {
    draw,
    /** @param {Area} area */
    take: (area) => put(full, area),
    /** @type {(x: number, y: number, w: number, h: number) => void} */
    frame(x, y, w, h) {
      for (const level of [y, y + h]) {
        for (let at = 0; at <= w; at += 6) draw([[x + at, level]]);
      }
      for (const side of [x, x + w]) {
        for (let at = 0; at <= h; at += 6) draw([[side, y + at]]);
      }
      for (const side of [x, x + w]) put(borders, [side, y, side, y + h]);
      for (const side of [y, y + h]) put(borders, [x, side, x + w, side]);
    },
    /** @param {Area} area */
    free: (area) => !touched(area, full),
    /**
     * Return whether an area overlaps the border of a frame.
     * @param {Area} area
     */
    onBorder: (area) => touched(area, borders),
    /**
     * Return the number of points of lines in an area.
     * @param {Area} area
     */
    crossed([left, top, right, bottom]) {
      const [from, to] = [left - 2, right + 2];
      let count = 0;
      for (const key of cells([from, top, to, bottom])) {
        for (const [x, y] of lines.get(key) ?? []) {
          if (from < x && x < to && top < y && y < bottom) count += 1;
        }
      }
      return count;
    },
  };
}

/**
 * Return the texts of a wire that carries further tensors: `x, …`.
 * @param {[string, number][]} variants
 * @returns {[string, number][]}
 */
export const withMore = (variants) =>
  variants.map(([text, width]) =>
    text.endsWith(MORE) ? [text, width] : [text + MORE, width + MORE_WIDTH],
  );

/**
 * Return the label, perhaps shortened, for each wire that has room for it.
 * @param {Map<Thread, [string, number][]>} texts
 * @param {ReturnType<typeof createRoom>} room
 */
export function placeLabels(texts, room) {
  /** @type {Map<Thread, Label>} */
  const labels = new Map();
  const saved = [...texts].filter(([thread]) => thread.wire.look.kind === "saved");
  const others = [...texts].filter(([thread]) => thread.wire.look.kind !== "saved");
  for (const [thread, variants] of [...saved, ...others]) {
    const label = best(thread.stations, variants, room);
    if (!label) continue;
    labels.set(thread, label);
    room.take(labelArea(label.at, label.width));
  }
  return labels;
}

/**
 * Return the longest text that crosses no line, at its first such place. If all cross lines, return
 * the one that crosses fewest, preferably off the borders of frames.
 * @param {Point[]} stations
 * @param {[string, number][]} variants
 * @param {ReturnType<typeof createRoom>} room
 * @returns {Label | null}
 */
function best(stations, variants, room) {
  /** @type {Label | null} */
  let found = null;
  let [across, fewest] = [true, Infinity];
  for (const [text, width] of variants) {
    for (const at of placesOf(stations, width)) {
      const area = labelArea(at, width);
      if (at[0] <= 0 || !room.free(area)) continue;
      const crossed = room.crossed(area);
      if (!crossed) return { text, width, at };
      const onBorder = room.onBorder(area);
      if (onBorder !== across ? onBorder : crossed >= fewest) continue;
      [found, across, fewest] = [{ text, width, at }, onBorder, crossed];
    }
  }
  return found;
}

/**
 * Return places for a label of a width, the best first: above level pieces of a wire, or beside
 * upright ones, on the side from which the wire bends away.
 * @param {Point[]} points
 * @param {number} width
 * @returns {Point[]}
 */
function placesOf(points, width) {
  /** @type {Point[]} */
  const places = [];
  for (let k = 1; k < points.length; k += 1) {
    const [[x, y], [nx, ny]] = [points[k - 1], points[k]];
    const room = Math.abs(x - nx) - width - 20;
    if (Math.abs(y - ny) >= 0.1 || room < 0) continue;
    for (const part of ALONG) places.push([tenth(Math.min(x, nx) + 8 + part * room), tenth(y - 5)]);
  }
  const last = points[points.length - 1];
  if (points.length < 2 || Math.abs(points[0][1] - points[1][1]) <= 0.1) return places;
  const upper = last[1] > points[0][1] ? points : points.toReversed();
  return [...places, ...placesBeside(upper, width)];
}

/**
 * @param {Point[]} upper
 * @param {number} width
 * @returns {Point[]}
 */
function placesBeside(upper, width) {
  /** @type {Point[]} */
  const places = [];
  const [[x, y], [bx, by]] = [upper[0], upper[upper.length - 1]];
  const bend = upper.find(([px]) => px !== x)?.[0] ?? x;
  const sides = [x - width - ASIDE, x + ASIDE];
  for (const at of bend > x ? sides : sides.toReversed()) {
    places.push([tenth(at), tenth(y + 13)], [tenth(at), tenth(y + 21)]);
  }
  const low = [bx + ASIDE, bx - width - ASIDE];
  for (const at of x <= bx ? low : low.toReversed()) places.push([tenth(at), tenth(by - 12)]);
  for (let k = 1; k < upper.length; k += 1) {
    const [[px, py], [qx, qy]] = [upper[k - 1], upper[k]];
    if (Math.abs(px - qx) >= 0.1 || Math.abs(qy - py) <= 40) continue;
    const middle = tenth((py + qy) / 2 + 4);
    places.push([tenth(px + ASIDE), middle], [tenth(px - width - ASIDE), middle]);
  }
  return places;
}

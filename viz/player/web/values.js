// The values in boxes: numbers in place of shape and dtype, and small pictures of arrays, like
// viz/facts/last_values.py; tests/javascript/test_values.py compares both.

import { h } from "./dom.js";
import {
  appendTo,
  digitsOf,
  endOfScale,
  flatten,
  getOrMake,
  shapeText,
  sizeOf,
  toNumber,
} from "./numbers.js";
import { byteOf, pixelOf, putPixels } from "./pixels.js";

/** @import { Data, Graph, Payload, Scalar } from "./payload.d.ts" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { View } from "./view.js" */
/** @import { Entry } from "./whatif/what_if.js" */

/** @typedef {{ w: number, h: number, columns: number, rows: number }} Room */
/** @typedef {{ name: string, entry: Entry }} Named */
/** @typedef {{ line: string, picture: (Room & { url: string }) | null }} Face */

const FEW = 4; // maximum number of elements, or of single results, that are all written out
const [EACH, RANGE] = [9, 17]; // letters for each of them, and for a range
const [LONGEST, LINE] = [14, 53]; // maximum lengths of a name, and of a line
const [TILES, PIXELS, SMALL] = [4, 8, 4096]; // matrices side by side, least side of an image
const [CELL, LEAST, WIDEST, FLAT, HIGH] = [10, 24, 100, 40, 56]; // sides of cells and pictures

// ----- numbers -----

/** @type {(data: Data, write: (number: Scalar) => string) => string} */
const elementsText = (data, write) =>
  Array.isArray(data)
    ? `[${data.map((each) => elementsText(each, write)).join(", ")}]`
    : write(data);

/** @param {number[]} shape */
function lettersFor(shape) {
  const [count, span] = [sizeOf(shape), shapeText(shape).length + 1 + RANGE];
  if (count > FEW) return span;
  return count > 1 ? Math.max(EACH * count, span) : EACH + 2 * shape.length;
}

/**
 * Return a value in one line: its elements, or its shape and range; "" if it has no numbers.
 * @param {Entry} entry
 */
export function numbersIn({ shape, dtype, data, stats: { min, max } }) {
  const wide = lettersFor(shape);
  /** @type {(digits: number) => (number: Scalar) => string} */
  const writer = (digits) => (number) => digitsOf(number, dtype.startsWith("float") ? digits : 4);
  for (const digits of data !== null && sizeOf(shape) <= wide / 2 ? [3, 2] : []) {
    const text = elementsText(/** @type {Data} */ (data), writer(digits));
    if (text.length <= wide) return text;
  }
  const ends = [min, max].flatMap((end) => (end === null || end === undefined ? [] : [end]));
  const spans = [3, 2, 1].map(
    (digits) => `${shapeText(shape)} ${ends.map(writer(digits)).join(" … ")}`,
  );
  return ends.length < 2 ? "" : (spans.find((each) => each.length <= wide) ?? spans[2]);
}

/**
 * Return the first value that has the shape in a box's detail, or else the first.
 * @type {(detail: string, values: Named[]) => Named}
 */
export const mainOf = (detail, values) =>
  values.find(({ entry }) => `${detail} `.includes(`${shapeText(entry.shape)} `)) ?? values[0];

/**
 * Return a box's second line: `y = [0.5, −1]` if its detail names y, else the numbers. Of several
 * results each is named, as far as single numbers fit; of arrays the main one.
 * @type {(detail: string, values: Named[]) => string}
 */
export function lineOf(detail, values) {
  if (values.length === 1) {
    const [name, ...rest] = detail.split(": ");
    const lead = rest.length && name.length <= LONGEST ? `${name} = ` : "";
    return lead + numbersIn(values[0].entry);
  }
  const named = values.map(({ name, entry }) => ({
    name: name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 1)}…`,
    entry,
  }));
  let used = 0;
  const fitting = named.filter(({ name, entry }) => {
    used += name.length + 5 + lettersFor(entry.shape);
    return used <= LINE;
  });
  const single = values.every(({ entry }) => sizeOf(entry.shape) === 1);
  const main = mainOf(detail, named);
  const chosen = single ? named.slice(0, Math.min(FEW, Math.max(1, fitting.length))) : [main];
  return chosen.map(({ name, entry }) => `${name} = ${numbersIn(entry)}`).join(", ");
}

// ----- pictures -----

/** @type {(kind: string, shape: number[]) => boolean} */
function isImage(kind, shape) {
  const [rows, columns] = shape.slice(-2);
  if (!/^(leaf|data)$/.test(kind) || shape.length < 2 || Math.min(rows, columns) < PIXELS)
    return false;
  return shape.length > 2 ? [1, 3].includes(shape[shape.length - 3]) : rows === columns;
}

/**
 * Return the size of an array's picture and its grid, or null if it has none.
 * @type {(kind: string, shape: number[]) => Room | null}
 */
function roomFor(kind, shape) {
  const count = sizeOf(shape);
  if (count <= FEW || count > SMALL) return null;
  const [rows, across] = [1, ...shape].slice(-2);
  const colours = isImage(kind, shape) && shape[shape.length - 3] === 3 ? 3 : 1;
  const tiles = Math.min(TILES, Math.floor(count / (rows * across * colours)));
  const columns = tiles * (across + 1) - 1;
  if (shape.length > 2 || rows === across) {
    const cell = Math.min(WIDEST / columns, (rows >= PIXELS ? HIGH : FLAT) / rows, CELL);
    return { w: cell * columns, h: cell * rows, columns, rows };
  }
  const wide = Math.min(WIDEST, Math.max(LEAST, CELL * columns));
  return { w: wide, h: Math.min(FLAT, CELL * rows), columns, rows };
}

/**
 * Return the picture of a value as RGBA bytes: an image, or colours of signs.
 * @type {(kind: string, entry: Entry) => (Room & { pixels: Uint8ClampedArray<ArrayBuffer> }) | null}
 */
export function pictureOf(kind, { shape, data }) {
  const room = data === null ? null : roomFor(kind, shape);
  if (!room) return null;
  const numbers = flatten(/** @type {Data} */ (data)).map(toNumber);
  const { rows, columns } = room;
  const across = shape[shape.length - 1];
  const finite = numbers.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const image = isImage(kind, shape) && (shape.length > 2 || low >= 0);
  const planes = image && shape[shape.length - 3] === 3 ? [0, 1, 2] : [0];
  const end = (image ? high - low : endOfScale(finite)) || 1;
  /** @param {number[]} each */
  const paint = (each) => {
    const shown = each.find((number) => !Number.isFinite(number)) ?? each[0];
    if (!image || !Number.isFinite(shown)) return pixelOf(shown, end);
    return [...[0, 1, 2].map((k) => byteOf((each[k % each.length] - low) / end)), 255];
  };
  const pixels = new Uint8ClampedArray(4 * rows * columns);
  for (let at = 0; at < rows * columns; at += 1) {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const [tile, x] = [Math.floor(column / (across + 1)), column % (across + 1)];
    if (x === across) continue; // a gap
    const first = tile * planes.length;
    pixels.set(
      paint(planes.map((plane) => numbers[((first + plane) * rows + row) * across + x])),
      4 * at,
    );
  }
  return { ...room, pixels };
}

/**
 * Return a picture as a canvas.
 * @param {NonNullable<ReturnType<typeof pictureOf>>} picture
 */
export function putPicture({ rows: height, columns: width, pixels }) {
  const canvas = h("canvas", { width, height });
  putPixels(canvas, pixels);
  return canvas;
}

/** @type {WeakMap<Entry, Face["picture"]>} */
const DRAWN = new WeakMap();

/** @type {(kind: string, entry: Entry) => Face["picture"]} */
export const pictureWithUrl = (kind, entry) =>
  getOrMake(DRAWN, entry, () => {
    const picture = pictureOf(kind, entry);
    if (!picture) return null;
    return { ...picture, url: putPicture(picture).toDataURL() };
  });

// ----- what each box shows -----

/** @type {WeakMap<Graph, Graph>} */
const ROOMY = new WeakMap();

/** Return a graph whose boxes have room for values. @param {Graph} graph */
export const withRoomForValues = (graph) =>
  getOrMake(ROOMY, graph, () => {
    const looks = graph.looks.map(({ room, ...look }) => {
      const [w, high] = room ?? [look.w, look.h];
      return { ...look, w, h: high, shape: room && look.shape === "circle" ? "box" : look.shape };
    });
    return { ...graph, looks };
  });

/** @typedef {[step: number, places: number[]]} Source  a step, and places among its values */

/**
 * Map boxes to the steps at which their values change, with the source of the values.
 * @param {Payload["boxes"]} boxes
 */
export function sourcesIn(boxes) {
  /** @type {Map<string, [step: number, source: Source][]>} */
  const all = new Map();
  for (const [step, box, ...places] of boxes) {
    const known = all.get(String(places[0]))?.at(-1)?.[1];
    appendTo(all, box, [step, known ?? [step, places.map(Number)]]);
  }
  return all;
}

/**
 * Return what boxes show while they show values: their detail before a value is known.
 * @param {Store<GraphState>} store
 * @param {View} view
 */
export function createValues(store, view) {
  /** @type {ReturnType<typeof sourcesIn>} */
  let all = new Map();
  /** @type {Map<number, string[]>} */
  let touchedAt = new Map();
  return {
    /** Read the values of another chapter. */
    read() {
      all = sourcesIn(store.state.values ? view.payload().boxes : []);
      touchedAt = new Map();
      for (const [id, history] of all) for (const [at] of history) appendTo(touchedAt, at, id);
    },
    /** @param {number} step */
    touched: (step) => touchedAt.get(step) ?? [],
    /**
     * Return what a box shows in place of its detail, or null if it shows no value yet.
     * @type {(box: { id: string, kind: string, detail: string, several?: boolean }) => Face | null}
     */
    faceOf({ id, kind, detail, several }) {
      const history = several ? undefined : all.get(id);
      if (!history) return null;
      const known = view.knownStep();
      const [from, places] = history.findLast(([at]) => at <= known)?.[1] ?? [0, []];
      const shown = places.map((place) => view.payload().steps[from].shown[place]);
      const values = shown.flatMap(({ name, value }) =>
        value === null ? [] : [{ name, entry: view.value(value) }],
      );
      if (!values.length) return null;
      if (values.some(({ entry }) => "stale" in entry)) return { line: "", picture: null };
      return {
        line: lineOf(detail, values),
        picture: pictureWithUrl(kind, mainOf(detail, values).entry),
      };
    },
  };
}

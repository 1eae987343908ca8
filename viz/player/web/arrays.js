// An array as tables with heat colours, and as a picture if it is large.

import { clamp, h } from "./dom.js";
import {
  endOfScale,
  flatten,
  heat,
  indexAt,
  isOdd,
  shapeText,
  shownIndices,
  sizeOf,
  toNumber,
  writer,
} from "./numbers.js";
import { pixelOf, putPixels } from "./pixels.js";

/** @import { Chosen } from "./formula.js" */
/** @import { Data, Scalar } from "./payload.d.ts" */
/** @import { TokensAt } from "./views.js" */
/** @import { Entry } from "./whatif/what_if.js" */
/** @import { Words } from "./words.js" */

/** @typedef {(chosen: Chosen, clicks: number) => void} Choose  0 clicks: a key */

/** @typedef {Entry & { data: Data }} Whole  an array with all its elements */

const ROWS = 8;
const SLICES = 3;
const COLUMN = 68; // pixels
const BRIEF = 36; // pixels of a column with one digit less; "…" counts as a column
const FEWEST_COLUMNS = 3; // a number between two "…"
const ABREAST = 3; // number of arrays that share the width
const ABREAST_GAPS = 52;
const PICTURE = [260, 160]; // maximum width and height in pixels
const [PIXEL, SLIVER] = [10, 64]; // largest side of an element; narrower pictures are stretched
const [MAPS, TOKENS, TOKEN] = [12, 16, 24]; // maximum number of maps and tokens, pixels of a token
const NUMBERED = 4; // tokens up to which a map has numbers

/**
 * Return the leading indices of the first two-dimensional slices of an array.
 * @param {number[]} shape
 * @returns {number[][]}
 */
export function firstSlices(shape) {
  if (shape.length <= 2) return [[]];
  const rest = firstSlices(shape.slice(1));
  const few = Array.from({ length: Math.min(SLICES, shape[0]) }, (_, at) => at);
  return few.flatMap((at) => rest.map((path) => [at, ...path]));
}

/**
 * Return the leading indices of the maps that are shown: all heads of the first examples.
 * @param {number[]} shape
 */
function mapsIn(shape) {
  const lead = shape.slice(0, -2);
  const [all, heads] = [sizeOf(lead), lead.at(-1) ?? 1];
  const count = Math.min(all, Math.max(1, Math.floor(MAPS / heads)) * heads, MAPS);
  return Array.from({ length: count }, (_, at) => indexAt(at, lead));
}

/**
 * Return the rows of the slice with these leading indices.
 * @param {Data} data
 * @param {number[]} shape
 * @param {number[]} path
 * @returns {Scalar[][]}
 */
export function rowsOf(data, shape, path) {
  const slice = path.reduce((part, at) => /** @type {Data[]} */ (part)[at], data);
  const rows = shape.length > 1 ? slice : shape.length === 1 ? [slice] : [[slice]];
  return /** @type {Scalar[][]} */ (rows);
}

/** @type {(cell: HTMLElement, number: Scalar, largest: number) => void} */
function paintHeat(cell, number, largest) {
  const share = heat(number, largest);
  cell.style.setProperty("--heat", `${Math.abs(share) * 0.6}%`);
  cell.dataset.sign = isOdd(number) ? "odd" : share < 0 ? "minus" : "plus";
  cell.toggleAttribute("data-off", !isOdd(number) && Math.abs(Number(number)) > largest);
}

/**
 * Return the elements of a matrix too large for numbers, as a picture without text.
 * @param {number} height
 * @param {number} width
 * @param {number} room  pixels
 */
function heatMap(height, width, room) {
  const canvas = h("canvas.mp-heat-map", { width, height, "aria-hidden": "true" });
  const size = Math.min(PIXEL, Math.min(room, PICTURE[0]) / width, PICTURE[1] / height);
  const [wide, high] = [width, height].map(
    (count) => count * Math.max(size, Math.min(PIXEL, SLIVER / count)),
  );
  canvas.style.width = `${wide}px`;
  canvas.style.height = `${high}px`;
  return canvas;
}

/**
 * Write a number into a cell, and the recorded number beside it if both differ.
 * @param {HTMLElement} cell
 * @param {Scalar} number
 * @param {Scalar | undefined} was
 * @param {(number: Scalar) => string} write
 * @param {(number: Scalar) => string} writeWas
 */
function fillCell(cell, number, was, write, writeWas) {
  cell.textContent = write(number);
  cell.dataset.number = String(number);
  if (was === undefined || was === number) {
    delete cell.dataset.was;
    delete cell.dataset.old;
  } else {
    cell.dataset.was = String(was);
    cell.dataset.old = writeWas(was);
    cell.style.setProperty("--old", String(cell.dataset.old.length));
  }
}

/**
 * Return the index of the numbers that replace a "…" when it is opened.
 * @param {(number | null)[]} shown
 * @param {number} at  place of the "…"
 */
function behind(shown, at) {
  const half = (shown.length - 2) / 2;
  const before = shown[at - 1] ?? null;
  if (before !== null) return before + 1 + Math.floor(half);
  return Math.max(0, Number(shown[at + 1]) - Math.ceil(half));
}

/**
 * Make an empty table of a slice. If not all of it fits, the table is a window that can be moved to
 * a number, with a picture of the whole slice beside it.
 * @param {number[]} shape
 * @param {number[]} first  leading indices
 * @param {string} name
 * @param {number} room  pixels
 * @param {boolean} brief
 * @param {(index: number[], clicks: number) => void} choose
 * @param {(index: number[]) => void} open  shows the numbers behind a "…"
 * @param {TokensAt | null} tokens  those at the edges of a map
 */
function createTable(shape, first, name, room, brief, choose, open, tokens) {
  const rank = Math.min(2, shape.length);
  const [height, width] = [1, 1, ...shape].slice(-2);
  const tall = tokens ? TOKENS : ROWS;
  const most = tokens
    ? clamp(Math.floor(room / TOKEN) - 3, 4, TOKENS)
    : brief
      ? clamp(Math.floor(room / BRIEF), FEWEST_COLUMNS, 4)
      : clamp(Math.floor((room - 50) / COLUMN), 4, 8);
  let path = first;
  let rows = shownIndices(height, tall);
  let columns = shownIndices(width, most);
  const isWindow = rows.includes(null) || columns.includes(null);
  const map = isWindow && Math.min(height, width) > 2 ? heatMap(height, width, room) : null;
  const isDense = tokens && Math.max(height, width) > NUMBERED;
  const scroller = h(isDense ? "div.mp-table.mp-dense" : "div.mp-table");
  /** @type {{ cell: HTMLElement, row: number, column: number }[]} */
  let cells = [];

  /** @type {(row: number, column: number) => number[]} */
  const indexOf = (row, column) => [...path, ...[row, column].slice(2 - rank)];

  /** @type {(tag: "td" | "th", scope: string | null, row: number | null, column: number | null) => HTMLElement} */
  function gap(tag, scope, row, column) {
    const onclick = () => open(indexOf(row ?? rows[0] ?? 0, column ?? columns[0] ?? 0));
    return h(/** @type {"td"} */ (`${tag}.mp-gap`), { scope, onclick }, "…");
  }

  /** @type {(row: number, column: number) => HTMLElement} */
  function cellOf(row, column) {
    const index = indexOf(row, column);
    const cell = h("td.mp-cell", {
      tabindex: -1,
      "data-index": index.join(","),
      "aria-colindex": isWindow && rank + column,
      onclick: (/** @type {MouseEvent} */ event) => choose(index, event.detail),
    });
    cells.push({ cell, row, column });
    return cell;
  }

  function draw() {
    cells = [];
    /** @type {(shown: (number | null)[], at: number) => number | null} */
    const hidden = (shown, at) => (shown[at] === null ? behind(shown, at) : null);
    const at = path.length ? `[${path.join(", ")}]` : "";
    const called = tokens ? at : `${name}${at} ${shapeText(shape.slice(path.length))}`;
    const title = h(at ? "caption" : "caption.mp-hidden", called);
    const [queries, keys] = tokens?.(path) ?? [[], []];
    /** @type {(scope: string, n: number, edge: Scalar[]) => HTMLElement} */
    const headOf = (scope, n, edge) =>
      h("th", { scope }, `${n}`, n in edge && h("small", { "data-token": edge[n] }, `#${edge[n]}`));
    const heads = columns.map((n, k) =>
      n === null ? gap("th", "col", null, hidden(columns, k)) : headOf("col", n, keys),
    );
    const body = rows.map((row, y) => {
      const below = hidden(rows, y);
      const places = columns.map((column, x) =>
        row === null || column === null
          ? gap("td", null, below ?? row, hidden(columns, x) ?? column)
          : cellOf(row, column),
      );
      const name = row === null ? gap("th", "row", below, null) : headOf("row", row, queries);
      const number = isWindow && row !== null && row + 2;
      return h("tr", { "aria-rowindex": number }, rank === 2 && name, places);
    });
    const sizes = { "aria-rowcount": height + 1, "aria-colcount": width + rank - 1 };
    scroller.replaceChildren(
      h(
        "table",
        isWindow && sizes,
        title,
        rank > 0 && h("thead", h("tr", rank === 2 && h("td"), heads)),
        h("tbody", body),
      ),
    );
  }
  draw();
  return {
    elements: map ? [map, scroller] : [scroller],
    map,
    isWindow,
    rows: (/** @type {Data} */ data) => rowsOf(data, shape, path),
    cells: () => cells,
    /** @param {number[]} index */
    isOf: (index) => index.slice(0, -rank || shape.length).join() === path.join(),
    /**
     * Show a number, of another slice too; return whether it was not shown before.
     * @param {number[]} index
     */
    show(index) {
      const [row, column] = [0, 0, ...index.slice(path.length)].slice(-2);
      const known = this.isOf(index) && rows.includes(row) && columns.includes(column);
      if (known) return false;
      path = index.slice(0, path.length);
      if (!rows.includes(row)) rows = shownIndices(height, tall, row);
      if (!columns.includes(column)) columns = shownIndices(width, most, column);
      draw();
      return true;
    },
    /** @type {(event: MouseEvent) => number[]} */
    indexUnder({ offsetX, offsetY }) {
      const { clientWidth, clientHeight } = /** @type {HTMLCanvasElement} */ (map);
      const [row, column] = [
        [offsetY / clientHeight, height],
        [offsetX / clientWidth, width],
      ].map(([share, size]) => clamp(Math.floor(share * size), 0, size - 1));
      return indexOf(row, column);
    },
  };
}

/** @typedef {ReturnType<typeof tablesOf>} Tables */

/**
 * Return the tables of an array, and functions that fill in other numbers and show one of them.
 * @param {Whole} value
 * @param {string} name
 * @param {number} width  width of the pane in pixels
 * @param {Choose} choose
 * @param {() => void} moved  called when the tables show other numbers of the array
 * @param {boolean} [brief]  write one digit less, because several arrays share the width
 * @param {TokensAt | null} [tokens]  of attention, which is shown as maps
 */
export function tablesOf(value, name, width, choose, moved, brief = false, tokens = null) {
  const { shape } = value;
  const room = brief ? (width - ABREAST_GAPS) / ABREAST : width;
  const paths = tokens ? mapsIn(shape) : firstSlices(shape);
  const tables = paths.map((path) =>
    createTable(
      shape,
      path,
      name,
      room,
      brief,
      (index, clicks) => choose({ index, shape }, clicks),
      (index) => show(index),
      tokens,
    ),
  );
  const slices = shape.slice(0, -2).reduce((product, size) => product * size, 1);
  let now = value;
  let entry = tables[0].cells()[0].cell; // cell that the Tab key enters

  /** @param {Whole} next */
  function fill(next) {
    now = next;
    const { data, was, dtype } = next;
    const numbers = flatten(data);
    const most = brief ? 3 : 4;
    const write = writer(numbers, dtype, most);
    const writeWas = writer(flatten(was ?? data), dtype, most);
    const largest = endOfScale(numbers);
    for (const table of tables) {
      const rows = table.rows(data);
      const before = was === undefined || was === null ? null : table.rows(was);
      if (table.map) {
        const pixels = rows.flat().flatMap((number) => pixelOf(toNumber(number), largest));
        putPixels(table.map, Uint8ClampedArray.from(pixels));
      }
      for (const { cell, row, column } of table.cells()) {
        fillCell(cell, rows[row][column], before?.[row][column], write, writeWas);
        paintHeat(cell, rows[row][column], largest);
      }
    }
    entry.tabIndex = -1;
    entry = tables[0].cells()[0].cell;
    entry.tabIndex = 0;
  }

  /**
   * Show a number in its table; a slice without a table replaces the last table's.
   * @param {number[]} index
   */
  function show(index) {
    const table = tables.find((each) => each.isOf(index)) ?? tables[tables.length - 1];
    if (!table.show(index)) return;
    fill(now);
    moved();
  }

  for (const table of tables) {
    table.map?.addEventListener("click", (event) =>
      choose({ index: table.indexUnder(event), shape }, event.detail),
    );
  }
  fill(value);
  const elements = tables.flatMap(({ elements }) => elements);
  return {
    elements: tokens ? [h("div.mp-maps", elements)] : elements,
    fill,
    show,
    /** Whether the array has more elements than the tables show. */
    isWindow: tables[0].isWindow || slices > tables.length,
  };
}

/**
 * Return the legend of the colours of signs.
 * @param {Words} words
 */
export function signs(words) {
  const cells = Object.entries({ minus: "−", zero: "0", plus: "+" }).map(([sign, text]) =>
    h("span.mp-sign", { "data-sign": sign }, text),
  );
  return h("span.mp-scale", { title: words.say("scale") }, ...cells);
}

/** Return the index of a number in its array. @param {Element} cell */
export function indexOfCell(cell) {
  const text = /** @type {HTMLElement} */ (cell).dataset.index;
  return text ? text.split(",").map(Number) : [];
}

/** @type {(card: HTMLElement | undefined, index: number[]) => HTMLElement | null | undefined} */
export const cellAt = (card, index) =>
  card?.querySelector(`.mp-cell[data-index="${index.join(",")}"]`);

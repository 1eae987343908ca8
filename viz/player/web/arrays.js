// An array as tables with a heat colour, and as a picture where it is large.

import { clamp, html } from "./dom.js";
import { flatten, heat, isOdd, shapeText, shownIndices, writer } from "./numbers.js";

/** @import { Chosen } from "./formula.js" */
/** @import { Data, Scalar } from "./payload.d.ts" */
/** @import { Entry } from "./what_if.js" */
/** @import { Words } from "./words.js" */

/**
 * Two dimensions of an array, with the leading indices and its rank.
 * @typedef {{ path: number[], rows: Scalar[][], rank: number }} Slice
 */

/** @typedef {(chosen: Chosen, clicks: number, cell: HTMLElement) => void} Choose  0 clicks: a key */

/** @typedef {Entry & { data: Data }} Whole  an array with all its elements */

const ROWS = 8;
const SLICES = 3;
const COLUMN = 68; // pixels
const BRIEF = 36; // pixels of a column with a digit less, "…" counted as one
const ABREAST = 3; // arrays that share the width, with room between them and beside
const ABREAST_GAPS = 52;
const PICTURE = [260, 160]; // pixels, at most

/**
 * The first two-dimensional slices of an array of any rank.
 * @param {Data} data
 * @param {number[]} shape
 * @param {number[]} path
 * @returns {Slice[]}
 */
export function slices(data, shape, path = []) {
  if (shape.length > 2) {
    const parts = /** @type {Data[]} */ (data).slice(0, SLICES);
    return parts.flatMap((part, at) => slices(part, shape.slice(1), [...path, at]));
  }
  const rows = shape.length === 2 ? data : shape.length === 1 ? [data] : [[data]];
  return [{ path, rows: /** @type {Scalar[][]} */ (rows), rank: shape.length }];
}

/** @type {(slice: Slice, row: number, column: number) => number[]} */
function indexOf({ path, rank }, row, column) {
  return [...path, ...(rank === 2 ? [row, column] : rank === 1 ? [column] : [])];
}

/** @type {(cell: HTMLElement, number: Scalar, largest: number) => void} */
function paintHeat(cell, number, largest) {
  const share = heat(number, largest);
  cell.style.setProperty("--heat", `${Math.abs(share) * 0.6}%`);
  cell.dataset.sign = isOdd(number) ? "odd" : share < 0 ? "minus" : "plus";
}

/**
 * The elements of a matrix too large for numbers, as a picture without text.
 * @param {Scalar[][]} rows
 * @param {number} room  pixels
 */
function heatMap(rows, room) {
  const [height, width] = [rows.length, rows[0].length];
  const canvas = html("canvas", { class: "mp-heat-map", width, height, "aria-hidden": "true" });
  const size = Math.min(10, Math.min(room, PICTURE[0]) / width, PICTURE[1] / height);
  canvas.style.width = `${width * size}px`;
  canvas.style.height = `${height * size}px`;
  return canvas;
}

/** @type {(canvas: HTMLCanvasElement, rows: Scalar[][], largest: number) => void} */
function paintMap(canvas, rows, largest) {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  rows.forEach((row, y) => {
    row.forEach((number, x) => {
      const share = heat(number, largest) / 100;
      pen.fillStyle = isOdd(number)
        ? "rgb(208 0 111)"
        : `rgb(${share < 0 ? "196 84 158" : "104 156 36"} / ${Math.abs(share)})`;
      pen.fillRect(x, y, 1, 1);
    });
  });
}

/**
 * A number, exact for those who ask, and beside it the one that was recorded where it is another.
 * @param {HTMLElement} cell
 * @param {Scalar} number
 * @param {Scalar | undefined} was
 * @param {(number: Scalar) => string} write
 */
function fillCell(cell, number, was, write) {
  cell.textContent = write(number);
  cell.dataset.number = String(number);
  if (was === undefined || was === number) {
    delete cell.dataset.was;
    delete cell.dataset.old;
  } else {
    cell.dataset.was = String(was);
    cell.dataset.old = write(was);
  }
}

/**
 * A slice as an empty table, with a picture of it where not all of it can be shown.
 * @param {Slice} slice
 * @param {number[]} shape
 * @param {string} name
 * @param {number} room  pixels
 * @param {Choose} choose
 * @param {boolean} brief
 */
function tableOf(slice, shape, name, room, choose, brief) {
  const { path, rows, rank } = slice;
  const width = rows[0]?.length ?? 0;
  const most = brief
    ? clamp(Math.floor(room / BRIEF), 2, 4)
    : clamp(Math.floor((room - 50) / COLUMN), 4, 8);
  const columns = shownIndices(width, most);
  const at = path.length ? `[${path.join(", ")}]` : "";
  const table = html(
    "table",
    {},
    html("caption", { class: path.length ? "" : "mp-hidden" }, `${name}${at} ${shapeText(shape)}`),
  );
  if (rank) {
    const heads = columns.map((n) => html("th", { scope: "col" }, n === null ? "…" : `${n}`));
    table.append(html("thead", {}, html("tr", {}, rank === 2 ? html("td") : "", ...heads)));
  }
  /** @type {{ cell: HTMLElement, row: number, column: number }[]} */
  const cells = [];
  const body = html("tbody");
  for (const row of shownIndices(rows.length, ROWS)) {
    const places = columns.map((column) => {
      if (row === null || column === null)
        return html("td", { class: "mp-gap", tabindex: -1 }, "…");
      const index = indexOf(slice, row, column);
      const cell = html("td", {
        class: "mp-cell",
        tabindex: index.some((at) => at) ? -1 : 0,
        "data-index": index.join(","),
      });
      cell.addEventListener("click", (event) => choose({ index, shape }, event.detail, cell));
      cells.push({ cell, row, column });
      return cell;
    });
    const head = html("th", { scope: "row" }, row === null ? "…" : `${row}`);
    body.append(html("tr", {}, rank === 2 ? head : "", ...places));
  }
  table.append(body);
  const pictured = Math.min(rows.length, width) > 2 && (rows.length > ROWS || width > most);
  const map = pictured ? heatMap(rows, room) : null;
  const scroller = html("div", { class: "mp-table" }, table);
  return { map, cells, elements: map ? [map, scroller] : [scroller] };
}

/**
 * The tables of an array, and what puts other numbers of the same shape into them.
 * @param {Whole} value
 * @param {string} name
 * @param {number} width  of the pane, in pixels
 * @param {Choose} choose
 * @param {boolean} [brief]  with a digit less, where several arrays share the width
 */
export function tablesOf(value, name, width, choose, brief = false) {
  const room = brief ? (width - ABREAST_GAPS) / ABREAST : width;
  const tables = slices(value.data, value.shape).map((slice) =>
    tableOf(slice, value.shape, name, room, choose, brief),
  );
  /** @param {Whole} now */
  function fill({ data, was, shape, dtype }) {
    const numbers = flatten(data);
    const write = writer(numbers, dtype, brief ? 3 : 4);
    const sizes = numbers.filter((n) => !isOdd(n)).map((n) => Math.abs(Number(n)));
    const largest = sizes.reduce((one, other) => Math.max(one, other), 0);
    const before = was === undefined || was === null ? [] : slices(was, shape);
    slices(data, shape).forEach(({ rows }, at) => {
      const { map, cells } = tables[at];
      if (map) paintMap(map, rows, largest);
      for (const { cell, row, column } of cells) {
        fillCell(cell, rows[row][column], before[at]?.rows[row][column], write);
        paintHeat(cell, rows[row][column], largest);
      }
    });
  }
  fill(value);
  return { elements: tables.flatMap(({ elements }) => elements), fill };
}

/**
 * Which colour is which sign.
 * @param {Words} words
 */
export function signs(words) {
  const cells = [
    ["minus", "−"],
    ["zero", "0"],
    ["plus", "+"],
  ].map(([sign, text]) => html("span", { class: "mp-sign", "data-sign": sign }, text));
  return html("span", { class: "mp-scale", title: words.say("scale") }, ...cells);
}

// An array as tables with a heat colour, and as a picture where it is large.

import { clamp, html } from "./dom.js";
import { flatten, heat, isOdd, shapeText, shownIndices, writer } from "./numbers.js";

/** @import { Chosen } from "./formula.js" */
/** @import { Data, Scalar, Value } from "./payload.d.ts" */
/** @import { Words } from "./words.js" */

/**
 * Two dimensions of an array, with the leading indices and its rank.
 * @typedef {{ path: number[], rows: Scalar[][], rank: number }} Slice
 */

/** @typedef {(chosen: Chosen, byMouse: boolean) => void} Choose */

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
 * All elements of a matrix too large for numbers, as a picture without text.
 * @param {Scalar[][]} rows
 * @param {number} largest
 * @param {number} room  pixels
 */
function heatMap(rows, largest, room) {
  const [height, width] = [rows.length, rows[0].length];
  const canvas = html("canvas", { class: "mp-heat-map", width, height, "aria-hidden": "true" });
  const size = Math.min(10, Math.min(room, PICTURE[0]) / width, PICTURE[1] / height);
  canvas.style.width = `${width * size}px`;
  canvas.style.height = `${height * size}px`;
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  rows.forEach((row, y) => {
    row.forEach((number, x) => {
      const share = heat(number, largest) / 100;
      pen.fillStyle = isOdd(number)
        ? "rgb(208 0 111)"
        : `rgb(${share < 0 ? "196 84 158" : "104 156 36"} / ${Math.abs(share)})`;
      pen.fillRect(x, y, 1, 1);
    });
  });
  return canvas;
}

/**
 * A slice as a table, with a picture of it where not all of it can be shown.
 * @param {Slice} slice
 * @param {Value & { data: Data }} value
 * @param {string} name
 * @param {number} room  pixels
 * @param {Choose} choose
 * @param {boolean} brief
 */
function tableOf(slice, value, name, room, choose, brief) {
  const { path, rows, rank } = slice;
  const numbers = flatten(value.data);
  const write = writer(numbers, value.dtype, brief ? 3 : 4);
  const largest = Math.max(0, ...numbers.filter((n) => !isOdd(n)).map((n) => Math.abs(Number(n))));
  const width = rows[0]?.length ?? 0;
  const most = brief
    ? clamp(Math.floor(room / BRIEF), 2, 4)
    : clamp(Math.floor((room - 50) / COLUMN), 4, 8);
  const columns = shownIndices(width, most);
  const at = path.length ? `[${path.join(", ")}]` : "";
  const table = html(
    "table",
    {},
    html(
      "caption",
      { class: path.length ? "" : "mp-hidden" },
      `${name}${at} ${shapeText(value.shape)}`,
    ),
  );
  if (rank) {
    const heads = columns.map((n) => html("th", { scope: "col" }, n === null ? "…" : `${n}`));
    table.append(html("thead", {}, html("tr", {}, rank === 2 ? html("td") : "", ...heads)));
  }
  const body = html("tbody");
  for (const row of shownIndices(rows.length, ROWS)) {
    const cells = columns.map((column) => {
      if (row === null || column === null)
        return html("td", { class: "mp-gap", tabindex: -1 }, "…");
      const index = indexOf(slice, row, column);
      const number = rows[row][column];
      const cell = html(
        "td",
        {
          class: "mp-cell",
          tabindex: index.some((at) => at) ? -1 : 0,
          "data-index": index.join(","),
        },
        write(number),
      );
      paintHeat(cell, number, largest);
      cell.addEventListener("click", (event) =>
        choose({ index, shape: value.shape }, event.detail > 0),
      );
      return cell;
    });
    const head = html("th", { scope: "row" }, row === null ? "…" : `${row}`);
    body.append(html("tr", {}, rank === 2 ? head : "", ...cells));
  }
  table.append(body);
  const scroller = html("div", { class: "mp-table" }, table);
  const pictured = Math.min(rows.length, width) > 2 && (rows.length > ROWS || width > most);
  return pictured ? [heatMap(rows, largest, room), scroller] : [scroller];
}

/**
 * @param {Value & { data: Data }} value
 * @param {string} name
 * @param {number} width  of the pane, in pixels
 * @param {Choose} choose
 * @param {boolean} [brief]  with a digit less, where several arrays share the width
 */
export function tablesOf(value, name, width, choose, brief = false) {
  const room = brief ? (width - ABREAST_GAPS) / ABREAST : width;
  return slices(value.data, value.shape).flatMap((slice) =>
    tableOf(slice, value, name, room, choose, brief),
  );
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

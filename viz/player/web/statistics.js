// A table of parameters and activations at the step, from the tracks of viz/facts/table.py.

import { larger } from "./colour.js";
import { createSwitch, cutName, h, namedButton, press, setAttributes } from "./dom.js";
import { briefly, isOdd, shapeText, sizeOf } from "./numbers.js";

/** @import { Payload, Scalar, Track, Value } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */

/**
 * Number in the table, or undefined or null.
 * @typedef {Scalar | null | undefined} Cell
 */

/**
 * Row of the table: a track at a step.
 * @typedef {object} Line
 * @property {Track} track
 * @property {string} name
 * @property {string} kind
 * @property {number[]} shape
 * @property {Record<string, Cell | "pending">} numbers  column -> number
 */

const MOST = 300; // maximum number of drawn rows
const FIELDS = "name kind shape mean std min max zeros odd grad update".split(" ");
const TEXTS = 3; // number of first columns without numbers
const PENDING = "pending";

/**
 * Return the latest value at a step.
 * @template T
 * @param {[number, T][]} pairs
 * @param {number} step
 */
const latest = (pairs, step) => pairs.findLast(([at]) => at <= step)?.[1];

/**
 * Return the row of a track at a step at which it has a value.
 * @param {Track} track
 * @param {Pick<Payload, "values" | "passes">} payload
 * @param {number} step
 * @param {(value: number) => Value} [entryOf]  returns the current value
 * @returns {Line}
 */
export function lineAt(track, payload, step, entryOf = (value) => payload.values[value]) {
  const { shape, stats } = entryOf(latest(track.values, step) ?? -1);
  const over = payload.passes.some((end) => track.values[0][0] <= end && end <= step);
  const share = Number(stats.zeros) / Number(stats.size);
  return {
    track,
    name: track.name,
    kind: track.kind,
    shape,
    numbers: {
      mean: stats.mean,
      std: stats.std,
      min: stats.min,
      max: stats.max,
      zeros: Number.isFinite(share) ? share : null,
      odd: (stats.nan ?? 0) + (stats.inf ?? 0),
      grad: latest(track.grads, step) ?? (over ? null : PENDING),
      update: latest(track.updates, step),
    },
  };
}

/**
 * @param {Cell | "pending"} number
 * @returns {number is Scalar}
 */
const isKnown = (number) => number !== null && number !== undefined && number !== PENDING;

/**
 * Return a comparison of rows by a column; unknown numbers are last in either direction.
 * @param {string} column
 * @param {boolean} down
 * @returns {(one: Line, other: Line) => number}
 */
export function comparator(column, down) {
  const sign = down ? -1 : 1;
  if (column === "name") return (one, other) => sign * one.name.localeCompare(other.name);
  if (column === "kind") return (one, other) => sign * one.kind.localeCompare(other.kind);
  if (column === "shape") return (one, other) => sign * (sizeOf(one.shape) - sizeOf(other.shape));
  return (one, other) => {
    const [a, b] = [one.numbers[column], other.numbers[column]];
    if (!isKnown(a) || !isKnown(b)) return Number(isKnown(b)) - Number(isKnown(a));
    return a === b ? 0 : larger(a, b) === a ? sign : -sign;
  };
}

/**
 * @param {Page} page
 * @param {{ pick: (id: string | null) => void, leave: () => void }} actions
 */
export function createStatistics({ words, store, view, road }, { pick, leave }) {
  const heads = FIELDS.map((column) => {
    const sorter = h(
      "button.mp-sort",
      { onclick: () => sort(column) },
      words.text(`column_${column}`),
    );
    return h("th", { scope: "col", "data-column": column }, sorter);
  });
  const body = h("tbody");
  const caption = h("caption");
  const rest = h("p.mp-hint");
  const close = namedButton(words, "statistics", "close", "close");
  const knob = namedButton(words, "statistics", "statistics", "statisticsRows", {
    "aria-pressed": "false",
  });
  const table = h("table", caption, h("thead", h("tr", ...heads)), body);
  const panel = h(
    "section.mp-statistics",
    { tabindex: "-1", hidden: "", "aria-label": words.text("statistics") },
    h("div.mp-rows", table),
    close,
    rest,
  );
  /** @type {{ column: string | null, down: boolean }} */
  let order = { column: null, down: false };
  /** @type {Map<Track, { row: HTMLTableRowElement, key: string }>} */
  let drawn = new Map(); // track -> its row, and the text in it

  /** @type {(line: Line, column: string) => string} */
  function cellText({ name, kind, shape, numbers }, column) {
    if (column === "name") return name;
    if (column === "kind") return words.say(`row_${kind}`);
    if (column === "shape") return shapeText(shape);
    const number = numbers[column];
    if (number === PENDING) return words.say("sizeNone");
    if (!isKnown(number)) return column === "grad" ? "None" : "–";
    if (column === "zeros") return `${briefly(Number((100 * Number(number)).toPrecision(3)))}%`;
    return typeof number === "boolean" ? String(Number(number)) : briefly(number);
  }

  /** @type {(line: Line, column: string) => boolean} */
  function warns({ numbers }, column) {
    const number = numbers[column];
    return column === "odd" ? Number(number) > 0 : isKnown(number) && isOdd(number);
  }

  /** @param {Line} line */
  function draw(line) {
    const texts = FIELDS.map((column) => cellText(line, column));
    const key = texts.join("\u0000");
    const before = drawn.get(line.track);
    if (before?.key === key) return before;
    const name = h("button.mp-row-pick", cutName(texts[0]));
    const cells = FIELDS.slice(1).map((column, at) =>
      h("td", { "data-text": at + 1 < TEXTS, "data-odd": warns(line, column) }, texts[at + 1]),
    );
    const { node } = line.track;
    const onclick = () => pick(view.resolve(node) ?? null);
    const row = h("tr", { "data-row": node, onclick }, h("th", { scope: "row" }, name), ...cells);
    return { row, key };
  }

  function render() {
    if (panel.hidden) return;
    const step = view.knownStep();
    const payload = view.payload();
    const all = view.tracks().filter((track) => track.values[0][0] <= step);
    const lines = (order.column ? all : all.slice(0, MOST)).map((track) =>
      lineAt(track, payload, step, view.value),
    );
    if (order.column) lines.sort(comparator(order.column, order.down));
    drawn = new Map(lines.slice(0, MOST).map((line) => [line.track, draw(line)]));
    const active = document.activeElement;
    const focused = body.contains(active) ? active?.closest("tr")?.dataset.row : undefined;
    const rows = [...drawn.values()].map(({ row }) => row);
    if (rows.length !== body.children.length || rows.some((row, at) => row !== body.children[at])) {
      body.replaceChildren(...rows);
    }
    const again = rows.find((row) => focused !== undefined && row.dataset.row === focused);
    again?.querySelector("button")?.focus({ preventScroll: true });
    const at = words.tell("statisticsAt", { step: road.number(store.state) });
    caption.textContent = `${words.say("statistics")} · ${at}`;
    rest.textContent =
      all.length > MOST
        ? `${words.say("statisticsMore")} ${all.length - MOST}`
        : all.length
          ? ""
          : words.say("statisticsNone");
    mark();
  }

  function mark() {
    const { selected } = store.state;
    for (const [track, { row }] of drawn) {
      const here = selected !== null && view.resolve(track.node) === selected;
      row.toggleAttribute("data-chosen", here);
      row.querySelector("button")?.setAttribute("aria-pressed", String(here));
    }
  }

  /**
   * Sort by a column: largest first or A to Z, then reversed, then in order of appearance.
   * @param {string} column
   */
  function sort(column) {
    const first = FIELDS.indexOf(column) >= TEXTS;
    if (order.column !== column) order = { column, down: first };
    else if (order.down === first) order = { column, down: !first };
    else order = { column: null, down: false };
    for (const head of heads) {
      const here = head.dataset.column === order.column;
      setAttributes(head, { "aria-sort": here && (order.down ? "descending" : "ascending") });
    }
    render();
  }

  store.subscribe(["chapter", "step", "lang", "memory", "moved", "quiz", "answered"], render);
  store.subscribe(["selected", "open"], mark);
  return {
    element: panel,
    knob,
    turn: createSwitch(panel, leave, (open) => {
      press(knob, open);
      render();
      if (open) panel.scrollIntoView({ block: "nearest" }); // may be out of view
    }).turn,
  };
}

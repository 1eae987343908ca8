// The memory ribbon: the bytes held at each step, the values that hold them, and blocks as rows.
// Each kind of row has a form of its own, so that kinds differ without colour.

import { cutName, h } from "./dom.js";
import { getOrMake } from "./numbers.js";
import { sizeText } from "./units.js";

/** @import { Attributes } from "./dom.js" */
/** @import { Memory, Payload, Row, Stay } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof createRibbon>} Ribbon */

/**
 * Value that holds memory at a step, and whether it has just come or gone.
 * @typedef {{ row: Row, stay: Stay, bytes: number, state: "" | "new" | "gone" }} Holder
 */

const LINES = 12; // maximum number of rows; the smallest of more are merged
const LISTED = 8; // maximum number of values that the inspector lists
const ANYWAY = /^(scope|leaf)$/; // kinds of rows with lasting memory

const COLUMNS = 1000; // maximum number of columns; a column of several steps shows the highest

/**
 * Return the outline of the area between two heights at each step, without slopes.
 * @param {number[]} low  empty for the ground
 * @param {number[]} high
 */
function area(low, high, most = peakOf(high)) {
  /** @param {number} bytes */
  const y = (bytes) => (1 - (0.94 * bytes) / most).toFixed(4);
  const wide = Math.ceil(high.length / COLUMNS);
  let path = "";
  for (let at = 0; at < high.length; at += wide) {
    const heights = high.slice(at, at + wide);
    const peak = at + heights.indexOf(Math.max(...heights));
    const ground = low[peak] ?? 0;
    if (high[peak] > ground) path += `M${at} ${y(high[peak])}h${wide}V${y(ground)}h-${wide}z`;
  }
  return path;
}

/**
 * Return the path of a bar from x to u, in the form of its kind: full, framed, double, or low.
 * @type {(kind: string, x: number, u: number) => string}
 */
function bar(kind, x, u) {
  /** @type {(top: number, bottom: number) => string} */
  const rect = (top, bottom) => `M${x} ${top}H${u}V${bottom}H${x}z`;
  if (kind === "fed") return rect(0.15, 0.36) + rect(0.64, 0.85);
  return ANYWAY.test(kind) ? rect(0.56, 0.85) : rect(0.15, 0.85);
}

/** @type {(count: number, name: string, attributes?: Attributes, ...paths: SVGPathElement[]) => SVGSVGElement} */
function lane(count, name, attributes = {}, ...paths) {
  const box = { viewBox: `0 0 ${count} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return h(/** @type {"svg"} */ (`svg.${name}`), box, attributes, ...paths);
}

/** @type {(row: Row, index: number, count: number) => SVGSVGElement} */
function drawRow(row, index, count) {
  const d = row.stays.map(([, , first, last]) => bar(row.kind, first + 0.08, last + 0.92)).join("");
  const path = h("path", { d, "vector-effect": "non-scaling-stroke" });
  return lane(count, "mp-row", { "data-kind": row.kind, "data-row": index }, path);
}

/** @param {number[]} bytes */
const peakOf = (bytes) => bytes.reduce((most, each) => Math.max(most, each), 1);

/**
 * Return the bytes of several rows at each step.
 * @param {Row[]} rows
 * @param {number} count
 */
export function bytesPerStep(rows, count) {
  const grown = new Array(count + 1).fill(0);
  for (const { stays } of rows) {
    for (const [, bytes, first, last] of stays) {
      grown[first] += bytes;
      grown[last + 1] -= bytes;
    }
  }
  let now = 0;
  return grown.slice(0, count).map((change) => {
    now += change;
    return now;
  });
}

/** @type {(rows: Row[], count: number) => SVGSVGElement} */
function drawRest(rows, count) {
  const d = area([], bytesPerStep(rows, count));
  return lane(count, "mp-row", { "data-kind": "rest" }, h("path", { d }));
}

/**
 * Return the rows that are drawn one by one, and the rest.
 * @param {Row[]} rows
 */
export function splitRows(rows) {
  /** @param {Row} row */
  const rank = (row) => Number(ANYWAY.test(row.kind));
  const ranked = [...rows].sort((one, other) => rank(one) - rank(other) || other.bytes - one.bytes);
  const chosen = new Set(rows.length > LINES ? ranked.slice(0, LINES) : rows);
  return [rows.filter((row) => chosen.has(row)), rows.filter((row) => !chosen.has(row))];
}

/**
 * Return the number of drawn rows, of which one may stand for the rest.
 * @param {Pick<Memory, "rows">} memory
 */
const countRows = ({ rows }) => Math.min(rows.length, LINES + 1);

/**
 * Return the values that hold memory at a step, or have just gone, the largest first.
 * @param {Row[]} rows
 * @param {number} step
 */
export function holders(rows, step) {
  /** @type {Holder[]} */
  const all = [];
  for (const row of rows) {
    for (const stay of row.stays) {
      const [, bytes, first, last] = stay;
      const state = last === step - 1 ? "gone" : first === step ? "new" : "";
      if (first <= step && step - 1 <= last) all.push({ row, stay, bytes, state });
    }
  }
  /** @param {Holder} holder */
  const rank = ({ state, row }) => (state ? 0 : ANYWAY.test(row.kind) ? 2 : 1);
  return all.sort((one, other) => rank(one) - rank(other) || other.bytes - one.bytes);
}

/**
 * @param {Payload} payload
 * @param {Words} words
 * @param {(id: string) => void} select
 * @param {(step: number) => number} numberOf  returns the number of a step on the page
 * @param {number} room  number of rows in its height, equal for all chapters
 */
function createRibbon({ memory, steps }, words, select, numberOf, room) {
  const count = Math.max(1, steps.length);
  const { rows, live, more } = memory; // a stay: name, bytes, first and last step, box
  const [shown, rest] = splitRows(rows);
  const [lasting, total] = [live.map((both) => both[1]), live.map((both) => both[0] + both[1])];
  const most = peakOf(total);
  const element = lane(
    count,
    "mp-held",
    {},
    h("path.mp-held-more", { d: area(lasting, total, most) }),
    h("path.mp-held-lasting", { d: area([], lasting, most) }),
  );
  const lines = shown.map((row, index) => drawRow(row, index, count));
  if (rest.length) lines.push(drawRest(rest, count));
  const spare = Array.from({ length: room - lines.length }, () => lane(count, "mp-row"));
  const tip = h("div.mp-tip", { hidden: "" });

  /** @param {Row} row */
  const kindOf = (row) => words.say(`memory_${row.kind}`);
  /** @param {Row} row */
  function labelOf(row) {
    const name = h("span.mp-row-name", cutName(row.label));
    if (row.kind !== "shared") name.append(" ", h("i", words.text(`memory_${row.kind}`)));
    return name;
  }

  /** @param {Stay} stay */
  const spans = ([, , first, last]) =>
    first === last
      ? words.tell("atStep", { step: numberOf(first) })
      : words.tell("atSteps", { first: numberOf(first), last: numberOf(last) });
  const lastingKind = rows.some((row) => row.kind === "scope") ? "scope" : "leaf";

  /** @param {number} step */
  function whole(step) {
    const anyway = lasting[step]
      ? ` (${words.say(`memory_${lastingKind}`)} ${sizeText(lasting[step])})`
      : "";
    const at = words.tell("atStep", { step: numberOf(step) });
    return `${at}: ${sizeText(total[step] ?? 0)}${anyway}`;
  }

  /** @type {(row: Row, step: number) => string} */
  function textOf(row, step) {
    const stay = row.stays.find(([, , first, last]) => first <= step && step <= last);
    const place = row.kind === "shared" ? `${row.label} (${sizeText(row.bytes)})` : kindOf(row);
    if (!stay) return `${row.kind === "shared" ? place : row.label}: ${words.say("memoryFree")}`;
    return `${stay[0]} · ${sizeText(stay[1])} · ${place} · ${spans(stay)}`;
  }

  /** @param {Holder} holder */
  function entry({ row, stay: [name, , , , node], bytes, state }) {
    const flag = state && h("span.mp-fate", { "data-fate": state }, words.say(`memory_${state}`));
    const place = row.kind === "shared" ? row.label : kindOf(row);
    const who = node
      ? h("button.mp-holder", { onclick: () => select(node) }, name)
      : h("b.mp-holder", name);
    return h("li", flag, flag && " ", who, ` ${sizeText(bytes)} · ${place}`);
  }

  return {
    /** Element for the timeline. */
    parts: [element, ...lines, ...spare, tip],
    names: [
      ...shown.map(labelOf),
      ...(rest.length ? [h("span.mp-row-name", words.text("memoryRest"))] : []),
      ...spare.map(() => h("span.mp-row-name")),
    ],
    /**
     * Return a text about the row, or the ribbon, under the pointer.
     * @param {Element | null} target
     * @param {number} step
     */
    showTip(target, step) {
      const at = target?.closest(".mp-row[data-row]")?.getAttribute("data-row") ?? null;
      tip.hidden = at === null && !target?.closest(".mp-held");
      if (!tip.hidden)
        tip.textContent = at === null ? whole(step) : textOf(shown[Number(at)], step);
    },
    /**
     * For the inspector.
     * @param {number} step
     */
    holdersAt(step) {
      const all = holders(rows, step);
      const items = all.slice(0, LISTED).map(entry);
      const others = all.length - items.length + more;
      if (others > 0) items.push(h("li", `+ ${others}`));
      const head = h("header", h("b", words.say("memory")), ` ${sizeText(total[step] ?? 0)}`);
      return h("section.mp-memory", head, h("ul", ...items));
    },
  };
}

/**
 * Return a function that returns the current chapter's ribbon, or null if no chapter has memory.
 * @param {Page} page
 * @param {(id: string) => void} select
 * @returns {() => Ribbon | null}
 */
export function createRibbons({ book, words, store, view, road }, select) {
  /** @type {Map<Memory, Ribbon>} */
  const ribbons = new Map();
  const rows = Math.max(0, ...book.memories.map(countRows));
  /** @param {number} step */
  const numberOf = (step) => road.number({ ...store.state, step });
  return () => {
    if (!book.hasMemory) return null;
    const payload = view.payload();
    const make = () => createRibbon(payload, words, select, numberOf, rows);
    return getOrMake(ribbons, payload.memory, make);
  };
}

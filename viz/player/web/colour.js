// Boxes coloured by the size of their gradients or values, or by their cost, and the legend of
// the scale. Sizes come from viz/facts/magnitude.py and costs.py. A closed box has the largest
// size of its hidden boxes, and the sum of their costs.

import { h, setAttributes } from "./dom.js";
import { appendTo, briefly, getOrMake, isOdd } from "./numbers.js";
import { writeFace } from "./scene.js";
import { costText } from "./units.js";

/** @import { Num, Scalar, Scale } from "./payload.d.ts" */
/** @import { Box, Scene } from "./compose.js" */
/** @import { Drawing } from "./scene.js" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { Change, View } from "./view.js" */
/** @import { createValues } from "./values.js" */
/** @import { Words } from "./words.js" */

/** @typedef {[step: number, size: Num][]} History */

/**
 * Function that returns the size of a closed box: from the new size of a member, its old size, the
 * size of the box before, and the sizes of all members.
 * @typedef {(size: Num, old: Num | undefined, before: Num | null, all: Map<string, Num>) => Num} Join
 */

/**
 * Display of a quantity besides colours.
 * @typedef {object} Quantity
 * @property {Join} join
 * @property {(size: Num) => string} tell
 * @property {boolean} written  whether amounts are written into the boxes
 * @property {string[][]} legend  words of the legend, each with the signs before it
 */

const CLASSES = 7; // number of colours of the scale
const FEW_BELOW = 20; // one of this many sizes may be below the scale
const NEAR = 1e-3; // as in viz/facts/magnitude.py
/** @type {Record<string, string>} */
const SIGNS = { zero: "0", nan: "NaN", inf: "Inf", below: "↓", above: "↑" };

/** @param {Scalar} size */
const rankOf = (size) => ["inf", "nan"].indexOf(String(size));

/**
 * @template {Scalar} Size
 * @param {Size} one
 * @param {Size} other
 */
export function larger(one, other) {
  const [a, b] = [rankOf(one), rankOf(other)];
  return a > b || (a === b && (a >= 0 || one >= other)) ? one : other;
}

/** @type {Join} */
export function largestOfAll(size, old, before, all) {
  if (before === null || larger(size, before) === size) return size;
  return old === before ? [...all.values()].reduce(larger) : before;
}

/** @type {Join} */
export const sumOfAll = (size, old, before) =>
  Number(before ?? 0) + Number(size) - Number(old ?? 0);

/** @type {Quantity} */
const SIZES = {
  join: largestOfAll,
  tell: (size) => (isOdd(size) ? (SIGNS[size] ?? size) : briefly(size)),
  written: false,
  legend: [["sizeZero", "0"], ["sizeOdd", "NaN", "Inf"], ["sizeClosed"]],
};

/** @type {(by: string) => Quantity} */
const costsBy = (by) => ({
  join: sumOfAll,
  tell: (amount) => costText(by, Number(amount)),
  written: true,
  legend: [["cost_sum"]],
});

/** @type {Record<string, Quantity>} */
const QUANTITIES = {
  grad: SIZES,
  value: SIZES,
  ...Object.fromEntries(["time", "flops", "parameters", "bytes"].map((by) => [by, costsBy(by)])),
};

/**
 * Return a scale up to the largest size, like `scale_of` of viz/facts/magnitude.py.
 * @param {number[]} sizes
 * @returns {Scale}
 */
export function scaleOf(sizes) {
  const numbers = sizes.filter((size) => size > 0).sort((one, other) => one - other);
  if (!numbers.length) return { scale: [], below: false, above: false };
  let [low, high] = [
    numbers[Math.floor(numbers.length / FEW_BELOW)],
    numbers[numbers.length - 1],
  ].map(Math.log10);
  if (high - low < 1) [low, high] = [(low + high - 1) / 2, (low + high + 1) / 2];
  const scale = Array.from({ length: CLASSES + 1 }, (_, k) =>
    Number((10 ** (low + ((high - low) * k) / CLASSES)).toPrecision(4)),
  );
  return { scale, below: isBelow(numbers[0], scale), above: false };
}

/** @type {(size: Num, scale: number[]) => boolean} */
const isBelow = (size, scale) => Number(size) < scale[0] * (1 - NEAR);

/** @type {(size: Num, scale: number[]) => boolean} */
const isAbove = (size, scale) => Number(size) > scale[scale.length - 1] * (1 + NEAR);

/**
 * Return the number of a size's colour as text, or zero, nan, inf.
 * @param {Num} size
 * @param {number[]} scale
 */
export function markOf(size, scale) {
  if (isOdd(size)) return size;
  return size === 0 ? "zero" : `${scale.slice(1, -1).filter((edge) => edge <= size).length}`;
}

/**
 * Return the sign of a size without a colour of its own, or its colour.
 * @param {Num} size
 * @param {number[]} scale
 */
export function signFor(size, scale) {
  const mark = markOf(size, scale);
  if (mark in SIGNS) return mark;
  return isBelow(size, scale) ? "below" : isAbove(size, scale) ? "above" : mark;
}

/**
 * Map boxes of a scene to the steps at which their size changes, with the joined sizes of their
 * members.
 * @param {Scene} scene
 * @param {Change[]} changes
 * @param {(id: string) => string | undefined} resolve
 * @param {Join} join
 */
export function historiesIn(scene, changes, resolve, join) {
  const boxes = new Set(scene.boxes.map((box) => box.id));
  const tagged = new Set(scene.boxes.map((box) => box.tag_of).filter((id) => id));
  /** @typedef {{ sizes: Map<string, Num>, history: History }} Members */
  /** @type {[Map<string, Members>, Map<string, Members>]} */
  const [shown, leaves] = [new Map(), new Map()];
  /** @type {(all: Map<string, Members>, id: string, step: number, name: string, size: Num) => void} */
  const put = (all, id, step, name, size) => {
    const { sizes, history } = getOrMake(all, id, () => ({ sizes: new Map(), history: [] }));
    const old = sizes.get(name);
    const [last, together] = history.at(-1) ?? [-1, null];
    sizes.set(name, size);
    if (last === step) history.pop();
    history.push([step, join(size, old, together, sizes)]);
  };
  for (const [step, name, size, outer] of changes) {
    const id = resolve(name);
    if (outer && resolve(outer) === id) continue; // its group's size contains this one
    if (id !== undefined && boxes.has(id)) put(shown, id, step, name, size);
    if (tagged.has(name)) put(leaves, name, step, name, size);
  }
  for (const box of scene.boxes) {
    const leaf = leaves.get(box.tag_of ?? "");
    if (leaf) shown.set(box.id, leaf);
  }
  return new Map([...shown].map(([id, { history }]) => [id, history]));
}

/** @param {string} mark */
function signOf(mark) {
  const width = SIGNS[mark].length * 7 + 10;
  return h(
    mark === "below" || mark === "above" ? "g.mp-size-beyond" : "g.mp-size-sign",
    { "data-sign": mark },
    h("rect", { x: -8, y: -8, width, height: 16, rx: 8 }),
    h("text", { x: width / 2 - 8, y: 3.6 }, SIGNS[mark]),
  );
}

/**
 * @param {Words} words
 * @param {Store<GraphState>} store
 * @param {View} view
 * @param {HTMLElement} host  element whose attribute names the quantity
 * @param {ReturnType<typeof createValues>} values
 * @param {string} [start]
 */
export function createColour(words, store, view, host, values, start = "") {
  const choices = ["", ...view.quantities()];
  const title = words.text("colourBy");
  const select = h(
    "select.mp-colour",
    { title, "aria-label": title, onchange: () => use(select.value) },
    choices.map((by) => h("option", { value: by }, words.text(`by_${by || "kind"}`))),
  );
  const legend = h("div.mp-magnitudes", { hidden: "" });
  let by = choices.includes(start) ? start : "";
  /** @type {Drawing | null} */
  let drawing = null;
  /** @type {Map<string, History>} */
  let histories = new Map();
  /** @type {Map<string, Box>} */
  let boxes = new Map();
  /** @type {Scale} */
  let scale = { scale: [], below: false, above: false };
  /** @type {Map<number, string[]>} */
  let touchedAt = new Map(); // step -> boxes whose size it changes

  /** @param {string} id */
  const sizeOf = (id) => histories.get(id)?.findLast(([at]) => at <= store.state.step)?.[1];

  /** @param {string} id */
  function paint(id) {
    const size = sizeOf(id);
    const box = boxes.get(id);
    if (!box) return;
    const mark = size === undefined ? "" : markOf(size, scale.scale);
    const sign = size === undefined ? "" : signFor(size, scale.scale);
    const told = size === undefined ? "" : QUANTITIES[by].tell(size);
    const { line, picture } = values.faceOf(box) ?? { line: box.detail, picture: null };
    const written = told && QUANTITIES[by].written ? told : line;
    const isValue = written !== box.detail && written !== told;
    for (const part of drawing?.parts.get(id) ?? []) {
      setAttributes(part, { "data-magnitude": mark || null });
      part.querySelector(":scope > :is(.mp-size-sign, .mp-size-beyond)")?.remove();
      if (SIGNS[sign]) part.append(signOf(sign));
      const title = part.querySelector(":scope > title");
      const more = told && ` · ${words.say(`size_${by}`)} ${told}`;
      const now = isValue && written ? ` · ${written}` : "";
      if (title) title.textContent = words.of(box.title) + now + more;
      const detail = part.querySelector(":scope > .mp-detail")?.textContent ?? "";
      const image = part.querySelector(":scope > .mp-picture image")?.getAttribute("href") ?? "";
      if (detail !== written || image !== (picture?.url ?? "")) {
        writeFace(part, box, written, picture);
      }
    }
  }

  function explain() {
    legend.hidden = !by;
    if (!by) return;
    const { scale: ends, below, above } = scale;
    const { tell, legend: notes } = QUANTITIES[by];
    const steps = ends.slice(1).map((_, k) => h("span.mp-step", { "data-magnitude": `${k}` }));
    const range = steps.length
      ? [
          h("span", `${below ? "≤ " : ""}${tell(ends[0])}`),
          h("span.mp-ramp", steps),
          h("span", `${above ? "≥ " : ""}${tell(ends[ends.length - 1])}`),
        ]
      : [h("span", words.say("sizeEmpty"))];
    const beyond = [...(below ? ["↓"] : []), ...(above ? ["↑"] : [])];
    const all = beyond.length ? [...notes, ["sizeBeyond", ...beyond]] : notes;
    const entries = all.map(([key, ...signs]) => [
      ...signs.map((text) => h("i.mp-size-text", { "data-sign": text }, text)),
      words.say(key),
    ]);
    legend.replaceChildren(
      h("b", words.say(`scale_${by}`)),
      h("span.mp-scale-ends", range),
      h("span.mp-size-entry", h("i.mp-step"), words.say(`none_${by}`)),
      ...entries.map((parts) => h("span.mp-size-entry", parts)),
    );
  }

  function draw() {
    setAttributes(host, { "data-color-by": by || null });
    histories = by
      ? historiesIn(view.scene(), view.changes(by), view.resolve, QUANTITIES[by].join)
      : new Map();
    const { magnitudes } = view.payload();
    scale = magnitudes[by] ?? scaleOf([...histories.values()].map(([[, size]]) => Number(size)));
    touchedAt = new Map();
    for (const [id, history] of histories) {
      for (const [at] of history) appendTo(touchedAt, at, id);
    }
    boxes = new Map(view.scene().boxes.map((box) => [box.id, box]));
    for (const id of boxes.keys()) paint(id);
    explain();
  }

  /** @param {string} next */
  function use(next) {
    by = next;
    select.value = by;
    if (drawing) draw();
  }

  use(by);
  store.subscribe(["step"], (now, before) => {
    if (now.chapter !== before.chapter) return; // a new chapter is painted as a whole
    /** @type {Set<string>} */
    const touched = new Set();
    const [from, to] = [Math.min(before.step, now.step), Math.max(before.step, now.step)];
    for (let at = from + 1; at <= to; at += 1) {
      for (const id of [...(touchedAt.get(at) ?? []), ...values.touched(at)]) touched.add(id);
    }
    touched.forEach(paint);
  });
  return {
    select,
    legend,
    /** Redraw the boxes after numbers have changed. */
    redraw() {
      if ((by || store.state.values) && drawing) draw();
    },
    /** Redraw the boxes whose values change at the current step, which may have been hidden. */
    reveal: () => values.touched(store.state.step).forEach(paint),
    turn: () => use(choices[(choices.indexOf(by) + 1) % choices.length]),
    /** @param {Drawing} next  drawing of the current scene */
    show(next) {
      drawing = next;
      values.read();
      if (by || store.state.values) draw();
      else explain();
    },
  };
}

// Boxes coloured by how large their gradients or values are, and the legend of the scale. Sizes and
// scale come from viz/statistics/magnitude.py; a closed box takes the largest size of what it hides.

import { html, svg } from "./dom.js";
import { briefly, isOdd } from "./numbers.js";

/** @import { Num, Scalar } from "./payload.d.ts" */
/** @import { Scene } from "./composed.d.ts" */
/** @import { Drawing } from "./scene.js" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */

/** @typedef {[step: number, size: Num][]} History */

const CHOICES = ["", "grad", "value"];
/** @type {Record<string, string>} */
const SIGNS = { zero: "0", nan: "NaN", inf: "Inf" };

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

/**
 * "0" for the first colour and so on, or zero, nan, inf.
 * @param {Num} size
 * @param {number[]} scale
 */
export function markOf(size, scale) {
  if (isOdd(size)) return size;
  return size === 0 ? "zero" : `${scale.slice(1, -1).filter((edge) => edge <= size).length}`;
}

// One box through the steps: the largest of its members, kept without looking at all of them.
function createMembers() {
  /** @type {Map<string, Num>} */
  const sizes = new Map();
  /** @type {History} */
  const history = [];
  /** @type {Num | null} */
  let top = null;
  return {
    history,
    /** @type {(step: number, name: string, size: Num) => void} */
    put(step, name, size) {
      const old = sizes.get(name);
      sizes.set(name, size);
      if (top === null || larger(size, top) === size) top = size;
      else if (old === top) top = [...sizes.values()].reduce(larger);
      if (history.at(-1)?.[0] === step) history.pop();
      history.push([step, top]);
    },
  };
}

/**
 * For a scene: the steps at which the size of a box changes.
 * @param {Scene} scene
 * @param {[number, string, Num][]} changes
 * @param {(id: string) => string | undefined} resolve
 */
export function historiesIn(scene, changes, resolve) {
  const boxes = new Set(scene.boxes.map((box) => box.id));
  const tagged = new Set(scene.boxes.map((box) => box.tag_of).filter((id) => id));
  /** @typedef {Map<string, ReturnType<typeof createMembers>>} Members */
  /** @type {Members} */
  const shown = new Map();
  /** @type {Members} */
  const leaves = new Map();
  /** @type {(all: Members, id: string) => ReturnType<typeof createMembers>} */
  const membersOf = (all, id) => {
    const members = all.get(id) ?? createMembers();
    all.set(id, members);
    return members;
  };
  for (const [step, name, size] of changes) {
    const id = resolve(name);
    if (id !== undefined && boxes.has(id)) membersOf(shown, id).put(step, name, size);
    if (tagged.has(name)) membersOf(leaves, name).put(step, name, size);
  }
  for (const box of scene.boxes) {
    const leaf = leaves.get(box.tag_of ?? "");
    if (leaf) shown.set(box.id, leaf);
  }
  return new Map([...shown].map(([id, members]) => [id, members.history]));
}

/** @param {string} mark */
function signOf(mark) {
  const width = SIGNS[mark].length * 7 + 10;
  return svg(
    "g",
    { class: "mp-size-sign", "data-sign": mark },
    svg("rect", { x: -8, y: -8, width, height: 16, rx: 8 }),
    svg("text", { x: width / 2 - 8, y: 3.6 }, SIGNS[mark]),
  );
}

/**
 * @param {Words} words
 * @param {Store<GraphState>} store
 * @param {View} view
 * @param {HTMLElement} host  says by what its boxes are coloured
 * @param {string} [start]
 */
export function createColour(words, store, view, host, start = "") {
  const select = html("select", { class: "mp-colour" });
  words.label(select, "colourBy", "aria-label");
  words.label(select, "colourBy", "title");
  select.append(
    ...CHOICES.map((by) => words.label(html("option", { value: by }), `by_${by || "kind"}`)),
  );
  const legend = html("div", { class: "mp-magnitudes", hidden: "" });
  let by = CHOICES.includes(start) ? start : "";
  /** @type {Drawing | null} */
  let drawing = null;
  /** @type {Map<string, History>} */
  let histories = new Map();
  /** @type {Map<string, string>} */
  let titles = new Map();
  /** @type {Map<number, string[]>} */
  let touchedAt = new Map(); // step: the boxes whose size it changes

  const magnitude = () => view.payload().magnitudes[by];

  /** @param {string} id */
  const sizeOf = (id) => histories.get(id)?.findLast(([at]) => at <= store.state.step)?.[1];

  /** @param {string} id */
  function paint(id) {
    const size = sizeOf(id);
    const mark = size === undefined ? "" : markOf(size, magnitude().scale);
    const text =
      size === undefined ? "" : ` · ${words.say(`size_${by}`)} ${SIGNS[mark] ?? briefly(size)}`;
    for (const part of drawing?.parts.get(id) ?? []) {
      if (mark) part.setAttribute("data-magnitude", mark);
      else part.removeAttribute("data-magnitude");
      part.querySelector(":scope > .mp-size-sign")?.remove();
      if (SIGNS[mark]) part.append(signOf(mark));
      const title = part.querySelector(":scope > title");
      if (title) title.textContent = titles.get(id) + text;
    }
  }

  function explain() {
    legend.hidden = !by;
    if (!by) return;
    const { scale: ends, below } = magnitude();
    const ramp = ends
      .slice(1)
      .map((_, k) => html("span", { class: "mp-step", "data-magnitude": `${k}` }));
    const scale = ramp.length
      ? [
          html("span", {}, `${below ? "≤ " : ""}${briefly(ends[0])}`),
          html("span", { class: "mp-ramp" }, ...ramp),
          html("span", {}, briefly(ends[ends.length - 1])),
        ]
      : [html("span", {}, words.say("sizeEmpty"))];
    /** @param {string[]} texts */
    const sign = (...texts) => texts.map((text) => html("i", { class: "mp-size-text" }, text));
    const entries = [
      [html("i", { class: "mp-step" }), words.say(`none_${by}`)],
      [...sign("0"), words.say("sizeZero")],
      [...sign("NaN", "Inf"), words.say("sizeOdd")],
      [words.say("sizeClosed")],
    ];
    legend.replaceChildren(
      html("b", {}, words.say(`scale_${by}`)),
      html("span", { class: "mp-scale-ends" }, ...scale),
      ...entries.map((parts) => html("span", { class: "mp-size-entry" }, ...parts)),
    );
  }

  function draw() {
    if (by) host.setAttribute("data-color-by", by);
    else host.removeAttribute("data-color-by");
    histories = by ? historiesIn(view.scene(), view.changes(by), view.resolve) : new Map();
    touchedAt = new Map();
    for (const [id, history] of histories) {
      for (const [at] of history) {
        if (!touchedAt.has(at)) touchedAt.set(at, []);
        touchedAt.get(at)?.push(id);
      }
    }
    titles = new Map(view.scene().boxes.map((box) => [box.id, words.of(box.title)]));
    for (const id of titles.keys()) paint(id);
    explain();
  }

  /** @param {string} next */
  function use(next) {
    by = next;
    select.value = by;
    if (drawing) draw();
  }

  select.addEventListener("change", () => use(select.value));
  use(by);
  store.subscribe(["step"], (now, before) => {
    if (now.chapter !== before.chapter) return; // all of it is painted
    const touched = new Set();
    const [from, to] = [Math.min(before.step, now.step), Math.max(before.step, now.step)];
    for (let at = from + 1; at <= to; at += 1) {
      for (const id of touchedAt.get(at) ?? []) touched.add(id);
    }
    touched.forEach(paint);
  });
  return {
    select,
    legend,
    /** The sizes have changed. */
    redraw() {
      if (by && drawing) draw();
    },
    turn: () => use(CHOICES[(CHOICES.indexOf(by) + 1) % CHOICES.length]),
    /** @param {Drawing} next  of the scene that is shown now */
    show(next) {
      drawing = next;
      if (by) draw();
      else explain();
    },
  };
}

// Boxes coloured by how large their gradients or values are, and the legend of the scale. Sizes and
// scale come from viz/statistics/magnitude.py; a closed box takes the largest size of what it hides.

import { html, svg } from "./dom.js";
import { briefly, isOdd } from "./numbers.js";

const CHOICES = ["", "grad", "value"];
const SIGNS = { zero: "0", nan: "NaN", inf: "Inf" };
const RANK = { inf: 1, nan: 2 };

export function larger(one, other) {
  const [a, b] = [RANK[one] ?? 0, RANK[other] ?? 0];
  return a > b || (a === b && (a > 0 || one >= other)) ? one : other;
}

// "0" for the first colour and so on, or zero, nan, inf.
function markOf(size, scale) {
  if (isOdd(size)) return size;
  return size === 0 ? "zero" : `${scale.slice(1, -1).filter((edge) => edge <= size).length}`;
}

// One box through the steps: the largest of its members, kept without looking at all of them.
function createMembers() {
  const sizes = new Map(), history = [];
  let top = null;
  return {
    history,
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

// For a scene: the [step, size] pairs of each box.
function historiesIn(scene, changes, resolve) {
  const boxes = new Set(scene.boxes.map((box) => box.id));
  const tagged = new Set(scene.boxes.map((box) => box.tag_of).filter((id) => id));
  const found = new Map(), leaves = new Map();
  const put = (all, id, step, name, size) => {
    if (!all.has(id)) all.set(id, createMembers());
    all.get(id).put(step, name, size);
  };
  for (const [step, name, size] of changes) {
    const id = resolve(name);
    if (boxes.has(id)) put(found, id, step, name, size);
    if (tagged.has(name)) put(leaves, name, step, name, size);
  }
  for (const box of scene.boxes) {
    if (leaves.has(box.tag_of)) found.set(box.id, leaves.get(box.tag_of));
  }
  return new Map([...found].map(([id, members]) => [id, members.history]));
}

function signOf(mark) {
  const width = SIGNS[mark].length * 7 + 10;
  return svg("g", { class: "mp-size-sign", "data-sign": mark },
    svg("rect", { x: -8, y: -8, width, height: 16, rx: 8 }),
    svg("text", { x: width / 2 - 8, y: 3.6 }, SIGNS[mark]));
}

export function createColour(payload, words, host, start = "") {
  const select = html("select", { class: "mp-colour" });
  words.label(select, "colourBy", "aria-label");
  words.label(select, "colourBy", "title");
  select.append(...CHOICES.map((by) => words.label(html("option", { value: by }), `by_${by || "kind"}`)));
  const legend = html("div", { class: "mp-magnitudes", hidden: "" });
  let by = CHOICES.includes(start) ? start : "";
  let scene = null, drawing = null, resolve = null, step = 0, histories = new Map(), boxes = new Map();
  let touchedAt = new Map(); // step: the boxes whose size it changes

  const told = () => payload.magnitudes?.[by] ?? { scale: [], changes: [] };
  const sizeOf = (id) => histories.get(id)?.findLast(([at]) => at <= step)?.[1];

  function paint(id) {
    const size = by ? sizeOf(id) : undefined;
    const mark = size === undefined ? null : markOf(size, told().scale);
    const text = mark === null ? "" : ` · ${words.say(`size_${by}`)} ${SIGNS[mark] ?? briefly(size)}`;
    for (const part of drawing.parts.get(id) ?? []) {
      if (mark === null) part.removeAttribute("data-magnitude");
      else part.setAttribute("data-magnitude", mark);
      part.querySelector(":scope > .mp-size-sign")?.remove();
      if (SIGNS[mark]) part.append(signOf(mark));
      part.querySelector(":scope > title").textContent = boxes.get(id).title + text;
    }
  }

  function explain() {
    legend.hidden = !by;
    if (!by) return;
    const ends = told().scale;
    const ramp = ends.slice(1).map((_, k) => html("span", { class: "mp-step", "data-magnitude": `${k}` }));
    const scale = ramp.length ? [html("span", {}, `${told().below ? "≤ " : ""}${briefly(ends[0])}`), html("span", { class: "mp-ramp" }, ...ramp),
      html("span", {}, briefly(ends.at(-1)))] : [html("span", {}, words.say("sizeEmpty"))];
    const sign = (...texts) => texts.map((text) => html("i", { class: "mp-size-text" }, text));
    const entries = [[html("i", { class: "mp-step" }), words.say(`none_${by}`)], [...sign("0"), words.say("sizeZero")],
      [...sign("NaN", "Inf"), words.say("sizeOdd")], [words.say("sizeClosed")]];
    legend.replaceChildren(html("b", {}, words.say(`scale_${by}`)), html("span", { class: "mp-scale-ends" }, ...scale),
      ...entries.map((parts) => html("span", { class: "mp-size-entry" }, ...parts)));
  }

  function draw() {
    host.toggleAttribute("data-color-by", Boolean(by));
    if (by) host.setAttribute("data-color-by", by);
    histories = by ? historiesIn(scene, told().changes, resolve) : new Map();
    touchedAt = new Map();
    histories.forEach((history, id) => history.forEach(([at]) => {
      if (!touchedAt.has(at)) touchedAt.set(at, []);
      touchedAt.get(at).push(id);
    }));
    boxes = new Map(scene.boxes.map((box) => [box.id, box]));
    boxes.forEach((_, id) => paint(id));
    explain();
  }

  function use(next) {
    by = next;
    select.value = by;
    if (scene) draw();
  }

  select.addEventListener("change", () => use(select.value));
  use(by);
  return {
    select, legend,
    turn: () => use(CHOICES[(CHOICES.indexOf(by) + 1) % CHOICES.length]),
    show(nextScene, nextDrawing, at, resolver) {
      [scene, drawing, step, resolve] = [nextScene, nextDrawing, at, resolver];
      if (by) draw();
      else explain();
    },
    goto(next) {
      const touched = new Set();
      for (let at = Math.min(step, next) + 1; at <= Math.max(step, next); at += 1) {
        touchedAt.get(at)?.forEach((id) => touched.add(id));
      }
      step = next;
      touched.forEach(paint);
    },
  };
}

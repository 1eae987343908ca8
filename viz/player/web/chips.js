// Chips: on a step each moved value glides along its wire, as its number or its small picture.

import { h, prefersStillness } from "./dom.js";
import { drawPicture, translation } from "./scene.js";
import { numbersIn, pictureWithUrl } from "./values.js";

/** @import { Drawing } from "./scene.js" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { Face } from "./values.js" */
/** @import { View } from "./view.js" */

const GLIDE = 250; // milliseconds
const ADDED = 700; // milliseconds for which a sum is shown
const APART = 260; // least milliseconds between steps with chips
const MOST = 12; // maximum number of chips at once
const POINTS = 8; // straight pieces of the way along a wire
const LETTER = 6.4; // pixels

/**
 * Return a chip around its origin: a text, or the picture of an array.
 * @type {(text: string, picture: Face["picture"], more: Record<string, string>) => SVGGElement}
 */
function chipOf(text, picture, more) {
  if (picture) return h("g.mp-chip", more, drawPicture(picture, -picture.w / 2, -picture.h / 2));
  const width = LETTER * text.length + 12;
  const shape = h("rect", { x: -width / 2, y: -9, width, height: 18, rx: 9 });
  return h("g.mp-chip", more, shape, h("text", { y: 4 }, text));
}

/**
 * Return a function that shows the chips of the step that the reader has just made.
 * @param {Store<GraphState>} store
 * @param {View} view
 */
export function createChips(store, view) {
  /** @type {SVGGElement[]} */
  let chips = [];
  let latest = 0;

  /** @type {(canvas: SVGSVGElement, chip: SVGGElement, places: { x: number, y: number }[], opacity: number[], duration: number) => Animation} */
  function move(canvas, chip, places, opacity, duration) {
    chips.push(chip);
    canvas.append(chip);
    const frames = places.map(translation);
    chip.animate({ opacity }, { duration, fill: "both" });
    const animation = chip.animate(frames, { duration, easing: "ease-in-out", fill: "both" });
    animation.addEventListener("finish", () => chip.remove());
    return animation;
  }

  /** @param {Drawing} drawing */
  function glide({ canvas, parts }) {
    /** @type {Map<string, { text: string, moving: Animation, end: DOMPoint }>} */
    const moved = new Map();
    for (const { wire, entry: shown } of view.moved().slice(0, MOST)) {
      const path = parts.get(wire.id)?.[0]?.querySelector("path");
      const entry = shown.value === null ? null : view.value(shown.value);
      if (!path || !entry || "stale" in entry || moved.has(wire.id)) continue;
      const picture = pictureWithUrl(view.part(wire.source)?.kind ?? "", entry);
      const about = { "data-colour": wire.colour, "data-to": wire.target };
      const text = numbersIn(entry);
      const length = path.getTotalLength();
      const places = Array.from({ length: POINTS + 1 }, (_, k) =>
        path.getPointAtLength((length * k) / POINTS),
      );
      const moving = move(canvas, chipOf(text, picture, about), places, [1, 1], GLIDE);
      moved.set(wire.id, { text: picture ? "" : text, moving, end: places[POINTS] });
    }
    const [one, other] = moved.values();
    if (view.step().kind !== "accumulate" || !one?.text || !other?.text) return;
    const middle = { x: (one.end.x + other.end.x) / 2, y: one.end.y };
    other.moving.addEventListener("finish", () => {
      const sum = chipOf(`${one.text} + ${other.text}`, null, { "data-colour": "backward" });
      move(canvas, sum, [middle, middle], [1, 1, 0], ADDED);
    });
  }

  /** @type {(drawing: Drawing, before: Readonly<GraphState>) => void} */
  return (drawing, before) => {
    const { values, chapter, step } = store.state;
    for (const chip of chips) {
      for (const each of chip.getAnimations()) each.cancel();
      chip.remove();
    }
    chips = [];
    const since = performance.now() - latest;
    latest += since;
    const next = before.chapter === chapter && before.step < step;
    if (values && next && since > APART && !prefersStillness()) glide(drawing);
  };
}

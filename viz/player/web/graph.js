// The graph pane: the scene, the states pending, active and done, and opening of groups.

import { createCamera } from "./camera.js";
import { createChips } from "./chips.js";
import { createColour } from "./colour.js";
import { createDisclosure } from "./disclosure.js";
import { claim, closest, h, namedButton, prefersStillness, press, setAttributes } from "./dom.js";
import { isResult } from "./factors.js";
import { toggleGroup } from "./follow.js";
import { isPlain } from "./keys.js";
import { createMinimap } from "./minimap.js";
import { appendTo } from "./numbers.js";
import { numberOperands } from "./operands.js";
import { drawAlarms, drawLegend, drawScene, originOf, translation } from "./scene.js";
import { createValues } from "./values.js";

/** @import { Badge, Payload, Shown, Step } from "./payload.d.ts" */
/** @import { Scene } from "./compose.js" */
/** @import { Drawing } from "./scene.js" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */

/** @typedef {"build" | "run" | "eager"} Act */

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ASIDE = 3; // cost of a distance across a direction, relative to one along it

const ANIMATED = 600; // maximum number of parts in an animated scene
/**
 * Return the act of a step. A Program is built, then run; built boxes are pending again in the run.
 * @param {Step | undefined} step
 * @returns {Act}
 */
const actOf = (step) => (step?.phase === "build" || step?.phase === "run" ? step.phase : "eager");

/**
 * Return the visible ids that are active at each step of a scene, those that it visits, and for each
 * act the first step of each id. Of a tag and the far box that it repeats, the active one is that
 * beside the op; both are visited.
 * @param {Pick<Payload, "steps">} payload
 * @param {Scene} scene
 * @param {(id: string) => string | undefined} resolve
 */
export function visitsIn(payload, scene, resolve) {
  const tags = new Map(scene.boxes.flatMap((box) => (box.tag_of ? [[box.id, box.tag_of]] : [])));
  const wires = new Map(scene.wires.map((wire) => [wire.id, wire]));
  /** @type {Record<Act, Map<string, number>>} */
  const first = { build: new Map(), run: new Map(), eager: new Map() };
  /** @param {string[]} ids */
  const visible = (ids) => ids.map(resolve).filter((id) => id !== undefined);
  /** @type {string[][]} */
  const visited = [];
  const active = payload.steps.map((step, index) => {
    const lines = visible(step.edges);
    const joined = lines.flatMap((id) => wires.get(id) ?? []);
    const beside = joined.map(({ source }) => source).filter((id) => tags.has(id));
    const far = new Set(beside.map((id) => tags.get(id)));
    const nodes = visible(step.nodes.filter((id) => !far.has(id)));
    const ids = new Set([...nodes, ...lines, ...beside]);
    const ends = joined.map(({ target }) => target).filter((id) => tags.has(id));
    visited.push([...ids, ...visible(step.nodes), ...ends]);
    const act = first[actOf(step)];
    for (const id of visited[index]) if (!act.has(id)) act.set(id, index);
    return ids;
  });
  return { first, active, visited };
}

/**
 * @param {{ book: Book, words: Words, store: Store<GraphState>, view: View }} page
 * @param {(id: string | null) => void} select  called with the clicked box, or null
 * @param {string} [colorBy]
 * @param {HTMLElement[]} [more]  more buttons beside those for the zoom
 */
export function createGraph({ book, words, store, view }, select, colorBy, more = []) {
  const steps = () => view.payload().steps;
  const label = words.text("graph");
  const viewport = h("div.mp-viewport", { tabindex: "0", role: "region", "aria-label": label });
  const element = h("div.mp-graph");
  const colour = createColour(words, store, view, element, createValues(store, view), colorBy);
  const chips = createChips(store, view);
  const numbers = namedButton(words, "values", "values", "boxValues");
  const minimap = createMinimap(viewport, words);
  const camera = createCamera(viewport, minimap);
  const knob = h("button.mp-button.mp-legend-knob", words.text("legend"));
  const legend = createDisclosure(knob, h("ul.mp-legend"));
  const tools = h(
    "div.mp-zoom",
    colour.select,
    numbers,
    more,
    minimap.knob,
    namedButton(words, "in", "in", "zoomIn"),
    namedButton(words, "out", "out", "zoomOut"),
    namedButton(words, "fit", "fit", "fit"),
  );
  element.append(
    h("div.mp-pane", viewport, minimap.shade, minimap.element),
    colour.legend,
    h("div.mp-foot", legend.knob, legend.panel, tools),
  );

  /** @type {Drawing} */
  let drawing;
  /** @type {Scene} */
  let shown;
  /** @type {ReturnType<typeof visitsIn>} */
  let visits;
  let silence = () => {}; // removes the badges of the chapter from the drawing
  /** @type {SVGGElement[]} */
  let veiled = [];
  /** @type {SVGGElement[]} */
  let numbered = [];

  /** @type {Element | null} */
  let stop = null; // the box that Tab leads to

  const active = () => visits.active[store.state.step] ?? new Set();

  // ----- focus -----

  /** @param {string | undefined} id */
  function moveStop(id) {
    const [box] = drawing.parts.get(id ?? "") ?? [];
    if (stop) setAttributes(stop, { tabindex: null, role: null });
    stop = box?.matches(".mp-box") ? box : null;
    if (stop) setAttributes(stop, { tabindex: 0, role: "group" });
  }

  /** Let Tab lead to the selected box, or else to the op of the step. */
  function placeStop() {
    if (stop && stop === document.activeElement) return;
    const boxes = [...active()].filter((id) => shown.boxes.some((box) => box.id === id));
    const { selected } = store.state;
    moveStop(selected !== null && drawing.parts.has(selected) ? selected : boxes.at(-1));
  }

  /** @param {string} id */
  function focusBox(id) {
    moveStop(id);
    /** @type {SVGElement | null} */ (stop)?.focus({ preventScroll: true });
    camera.reveal([id]);
  }

  /**
   * Return the nearest box in a direction.
   * @type {(id: string, key: string) => string | undefined}
   */
  function nextTo(id, key) {
    const [across, down] = DIRECTIONS[key];
    const from = shown.boxes.find((box) => box.id === id);
    if (!from) return undefined;
    const ranked = shown.boxes.flatMap((box) => {
      const x = box.x + box.w / 2 - from.x - from.w / 2;
      const y = box.y + box.h / 2 - from.y - from.h / 2;
      const along = x * across + y * down;
      const aside = Math.abs(x * down) + Math.abs(y * across);
      return along > 1 ? [{ id: box.id, far: along + ASIDE * aside }] : [];
    });
    return ranked.sort((one, other) => one.far - other.far)[0]?.id;
  }

  // ----- states -----

  /** @param {string} id */
  function paint(id) {
    const { step } = store.state;
    const first = visits.first[actOf(steps()[step])].get(id) ?? Infinity;
    const state = active().has(id) ? "active" : first < step ? "done" : "pending";
    for (const part of drawing.parts.get(id) ?? []) part.setAttribute("data-state", state);
  }

  /** @type {(one: number, other: number) => void} */
  function paintBetween(one, other) {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    const another = actOf(steps()[from]) !== actOf(steps()[to]);
    const touched = new Set(another ? drawing.parts.keys() : []);
    for (let at = from; at <= to; at += 1) {
      for (const id of visits.visited[at] ?? []) touched.add(id);
    }
    touched.forEach(paint);
  }

  /** Number the parts of the step's operands: wires that carry one, its source, and the result. */
  function markOperands() {
    for (const part of numbered) part.removeAttribute("data-operand");
    const step = view.step();
    const operands = numberOperands(step);
    const results = step.shown.filter(isResult);
    /** @type {[string, Shown][]} */
    const owners = results.length === 1 ? [[results[0].node ?? "", results[0]]] : [];
    for (const { wire, entry } of view.moved()) owners.push([wire.id, entry], [wire.source, entry]);
    numbered = owners.flatMap(([id, { name }]) => {
      const operand = operands.get(name);
      const parts = operand === undefined ? [] : (drawing.parts.get(view.resolve(id) ?? "") ?? []);
      for (const part of parts) part.setAttribute("data-operand", String(operand));
      return parts;
    });
  }

  function mark() {
    const { selected } = store.state;
    const hits = new Set([...store.state.hits, ...store.state.traced].map(view.resolve));
    const cut = new Set(
      view.payload().missing[view.leafOf(selected ?? "")]?.edges.map(view.resolve),
    );
    for (const [id, parts] of drawing.parts) {
      for (const part of parts) {
        part.toggleAttribute("data-selected", id === selected);
        part.toggleAttribute("data-hit", hits.has(id));
        part.toggleAttribute("data-cut", cut.has(id));
      }
    }
  }

  // Hide the answer of an open question.
  function veil() {
    for (const part of veiled) part.removeAttribute("data-veiled");
    const { boxes, wires } = view.hidden();
    element.toggleAttribute("data-veiled", boxes);
    veiled = wires.flatMap((id) => drawing.parts.get(view.resolve(id) ?? "") ?? []);
    for (const part of veiled) part.setAttribute("data-veiled", "");
    colour.reveal();
  }

  // ----- scenes -----

  /** @param {Drawing | undefined} before */
  function animate(before) {
    if (!before || prefersStillness() || drawing.parts.size > ANIMATED) return;
    const timing = { duration: 320, easing: "cubic-bezier(.3, 0, .2, 1)" };
    for (const [id, [part]] of drawing.parts) {
      const old = before.parts.get(id)?.[0];
      if (part.matches(".mp-box") && old) {
        const places = [old, part].map(originOf);
        part.animate(places.map(translation), timing);
      } else if (!old || part.matches(".mp-wire")) {
        part.animate([{ opacity: 0 }, { opacity: 1 }], { ...timing, duration: 480 });
      }
    }
  }

  /**
   * Return the button that opens and closes a group, in one of its lanes; or of an open turn, the
   * one that goes on to the next turn.
   * @type {(name: string, lane: string, go?: string) => SVGGElement | undefined}
   */
  function knobOf(name, lane, go) {
    /** @type {NodeListOf<SVGGElement>} */
    const all = viewport.querySelectorAll(".mp-toggle");
    const knobs = [...all].filter(({ dataset }) => (dataset.turn ?? dataset.toggle) === name);
    const beside = knobs.filter((each) => each.parentElement?.dataset.lane === lane);
    return beside.find(({ dataset }) => dataset.go === go) ?? beside[0] ?? knobs[0];
  }

  /** @type {(now: Readonly<GraphState>, before: Readonly<GraphState>) => void} */
  function show(now, then) {
    const before = drawing;
    const left = stop !== null && stop === document.activeElement;
    const stepped = now.step !== then.step || now.chapter !== then.chapter; // the camera follows
    const lane = steps()[now.step]?.phase ?? "";
    const opened = [...now.open].filter((name) => stepped && !then.open.has(name));
    const still = opened.find((name) => knobOf(name, lane));
    const from = still && knobOf(still, lane)?.getBoundingClientRect();
    const scene = view.scene();
    shown = scene;
    if (!before) element.style.setProperty("--tall", `${Math.ceil(scene.height)}px`);
    if (now.overview !== then.overview || !before) camera.lookAt(now.overview === "");
    drawing = drawScene(scene, words);
    legend.panel.replaceChildren(...drawLegend(scene, words));
    visit();
    minimap.show(scene);
    drawing.canvas.setAttribute("aria-label", `${words.say("graph")}: ${book.title}`);
    camera.show(drawing, now.values);
    minimap.light(active());
    const to = still && knobOf(still, lane)?.getBoundingClientRect();
    if (from && to) viewport.scrollBy(to.left - from.left, to.top - from.top);
    stop = null;
    placeStop();
    if (left) (stop ?? viewport).focus({ preventScroll: true });
    const inside = scene.frames.flatMap(({ id, toggles }) =>
      toggles === now.overview ? [id] : [],
    );
    if (!stepped) camera.reveal(active(), false, inside);
    animate(before);
  }

  /** Prepare the drawing for a chapter: the states of its steps, and its badges. */
  function visit() {
    const payload = view.payload();
    visits = visitsIn(payload, shown, view.resolve);
    silence();
    /** @type {Map<string, Badge[]>} */
    const alarms = new Map(); // visible box -> badges, also of boxes that it hides
    for (const [id, badges] of payload.alarms) {
      for (const badge of badges) appendTo(alarms, view.resolve(id) ?? "", badge);
    }
    silence = drawAlarms(drawing, shown, alarms, words);
    for (const id of drawing.parts.keys()) paint(id);
    colour.show(drawing);
    mark();
    markOperands();
    veil();
    tellNumbers();
  }

  /** Update boxes whose label is their number. */
  function tellNumbers() {
    for (const [id, [was, is]] of view.scalars()) {
      for (const part of drawing.parts.get(id) ?? []) {
        const label = part.querySelector(":scope > .mp-label");
        if (label && (part.getAttribute("data-number") ?? label.textContent) === was) {
          part.setAttribute("data-number", was);
          label.textContent = is;
        }
      }
    }
  }

  /**
   * Open or close the group of a button, which stays under the pointer and keeps the focus.
   * @param {HTMLElement} knob
   */
  function push(knob) {
    const { toggle = "", go } = knob.dataset;
    const { lane = "forward" } = knob.parentElement?.dataset ?? {};
    const before = knob.getBoundingClientRect();
    store.set({ open: toggleGroup(store.state.open, toggle) });
    const same = knobOf(toggle, lane, go);
    const after = same?.getBoundingClientRect();
    if (after) viewport.scrollBy(after.left - before.left, after.top - before.top);
    same?.focus({ preventScroll: true });
  }

  // ----- pointer and keys -----

  viewport.addEventListener("click", (event) => {
    if (camera.release()) return;
    const knob = closest(event, ".mp-toggle");
    if (knob) return push(knob);
    const { node, frame } = closest(event, ".mp-box, .mp-frame-head")?.dataset ?? {};
    select(node ?? frame ?? null);
  });
  viewport.addEventListener("keydown", (event) => {
    if (!isPlain(event)) return;
    const isOnBox = event.target === stop && !event.shiftKey;
    const node = isOnBox ? closest(event, ".mp-box")?.dataset.node : undefined;
    const knob = closest(event, ".mp-toggle");
    if (node !== undefined && event.key === "Enter") select(node);
    else if (node !== undefined && event.key in DIRECTIONS)
      focusBox(nextTo(node, event.key) ?? node);
    else if (knob && (event.key === "Enter" || event.key === " ")) push(knob);
    else return;
    claim(event);
  });
  const watcher = new ResizeObserver(() => camera.refit(active()));
  watcher.observe(viewport);

  // Chapters of one graph share one drawing.
  store.subscribe(["chapter", "open", "overview", "lang", "values"], (now, before) => {
    const same = now.lang === before.lang && now.overview === before.overview;
    if (!same || view.scene() !== shown) show(now, before);
    else visit();
  });
  store.subscribe(["chapter", "step"], (now, before) => {
    if (now.chapter === before.chapter) paintBetween(before.step, now.step);
    markOperands();
    minimap.light(active());
    camera.reveal(active());
    chips(drawing, before);
  });
  store.subscribe(["values"], ({ values }) => press(numbers, values));
  store.subscribe(["chapter", "step", "selected"], placeStop);
  store.subscribe(["selected", "hits", "traced"], mark);
  return {
    element,
    zoom: camera.zoom,
    fit: camera.fit,
    pan: camera.pan,
    reveal: camera.reveal,
    /** Bring the step into view, and a box too, if given. @param {string | null} id */
    revealStep: (id) => camera.reveal(active(), true, id === null ? [] : [id]),
    veil,
    turnColour: colour.turn,
    turnValues: () => store.set({ values: !store.state.values }),
    /** Update the drawing after numbers have changed. */
    retell() {
      tellNumbers();
      colour.redraw();
    },
    turnMinimap: minimap.turn,
    /** Close the legend; return whether it was open. */
    close: legend.close,
    destroy: () => watcher.disconnect(),
  };
}

// The graph pane: which scene is shown, what is pending, active and done, zoom, pan, X-ray.

import { createColour } from "./colour.js";
import { button, clamp, createScroller, html, stillness } from "./dom.js";
import { resolverIn } from "./hidden.js";
import { createMinimap } from "./minimap.js";
import { drawLegend, drawScene } from "./scene.js";
import { pinch } from "./touch.js";

const ANIMATED = 600; // larger scenes change at once
// Scales at which names are 9.5 pixels high, at which small print is 10, and the largest fitted.
const LEGIBLE = 0.73, READABLE = 0.95, LARGEST = 1.25, SMALLEST = 0.01;

// A Program is built and then run: what was built is not yet done when the run begins.
const actOf = (step) => (["build", "run"].includes(step?.phase) ? step.phase : "eager");

// For a scene: the visible ids of each step, and for each act the first step of each id.
function visitsIn(payload, scene) {
  const resolve = resolverIn(payload, scene);
  const tags = new Set(scene.boxes.filter((box) => box.tag_of).map((box) => box.id));
  const ends = new Map(scene.wires.map((wire) => [wire.id,
    [wire.source, wire.target].filter((id) => tags.has(id))]));
  const first = { build: new Map(), run: new Map(), eager: new Map() };
  const active = payload.steps.map((step, index) => {
    const ids = new Set([...step.nodes, ...step.edges].map(resolve).filter((id) => id));
    for (const id of [...ids]) ends.get(id)?.forEach((tag) => ids.add(tag)); // lit by its wire
    const act = first[actOf(step)];
    for (const id of ids) if (!act.has(id)) act.set(id, index);
    return ids;
  });
  return { resolve, first, active };
}

// The scene in which a group has opened or closed. Of many groups not every combination is there:
// the one that differs least from what is wanted, of equal ones that with the fewest open.
function choose(scenes, open, name) {
  const wanted = new Set(open);
  const opening = !wanted.delete(name);
  if (opening) wanted.add(name);
  const sets = Object.keys(scenes).map((key) => new Set(key ? key.split("+") : []))
    .filter((set) => set.has(name) === opening);
  return sets.length ? nearest(sets, wanted) : open;
}

function nearest(sets, wanted) {
  const missing = (one, other) => [...one].filter((each) => !other.has(each)).length;
  const cost = (set) => missing(wanted, set) + missing(set, wanted) + set.size / 1e6;
  return sets.reduce((best, set) => (cost(set) < cost(best) ? set : best), sets[0]);
}

export function createGraph(payload, words, { onSelect, colorBy }) {
  const { scenes, steps } = payload;
  const viewport = html("div", { class: "mp-viewport", tabindex: "0", role: "region" });
  words.label(viewport, "graph", "aria-label");
  const scroller = createScroller(viewport);
  const knobs = [["in", "zoomIn"], ["out", "zoomOut"], ["fit", "fit"]].map(([action, key]) => {
    const knob = words.label(button(action, action), key, "title");
    return words.label(knob, key, "aria-label");
  });
  const element = html("div", { class: "mp-graph" });
  const colour = createColour(payload, words, element, colorBy);
  const minimap = createMinimap(viewport, words);
  const tools = html("div", { class: "mp-zoom" }, colour.select, minimap.knob, ...knobs);
  const legend = html("ul", { class: "mp-legend" });
  const foot = html("div", { class: "mp-foot" }, legend, tools);
  element.append(html("div", { class: "mp-pane" }, viewport, minimap.element), colour.legend, foot);

  let open = new Set(payload.open ? payload.open.split("+") : []);
  let drawing, visits, step = 0, selected = null, hits = new Set();
  let scale = 1, zooming = "auto"; // or "whole" (fit), or "hand"

  // ----- states -----

  function paint(id) {
    const state = visits.active[step]?.has(id) ? "active"
      : visits.first[actOf(steps[step])].get(id) < step ? "done" : "pending";
    for (const part of drawing.parts.get(id) ?? []) part.setAttribute("data-state", state);
  }

  function moveTo(next) {
    const [from, to] = step < next ? [step, next] : [next, step];
    const another = actOf(steps[from]) !== actOf(steps[to]);
    const touched = new Set(another ? drawing.parts.keys() : []);
    for (let at = from; at <= to; at += 1) visits.active[at]?.forEach((id) => touched.add(id));
    step = next;
    touched.forEach(paint);
  }

  function mark() {
    const leaf = scenes[[...open].sort().join("+")].boxes.find((box) => box.id === selected)?.tag_of ?? selected;
    const cut = new Set((payload.missing?.[leaf]?.edges ?? []).map(visits.resolve));
    for (const [id, parts] of drawing.parts) {
      for (const part of parts) {
        part.toggleAttribute("data-selected", id === selected);
        part.toggleAttribute("data-hit", hits.has(id));
        part.toggleAttribute("data-cut", cut.has(id));
      }
    }
  }

  // ----- zoom and pan -----

  function resize(next, at = null) {
    const anchor = at ?? { x: viewport.clientWidth / 2, y: viewport.clientHeight / 2 };
    const [x, y] = [viewport.scrollLeft + anchor.x, viewport.scrollTop + anchor.y];
    const ratio = next / scale;
    scale = next;
    drawing.canvas.setAttribute("width", drawing.width * scale);
    drawing.canvas.setAttribute("height", drawing.height * scale);
    viewport.scrollLeft = x * ratio - anchor.x;
    viewport.scrollTop = y * ratio - anchor.y;
    minimap.zoom(scale);
  }

  function zoom(factor, at) {
    zooming = "hand";
    resize(clamp(scale * factor, SMALLEST, 4), at);
  }

  // Whole if that stays legible, else as wide as the pane, else readable: the active node is
  // followed.
  function adjust() {
    if (zooming === "hand" || !viewport.clientWidth) return resize(scale);
    const across = viewport.clientWidth / drawing.width;
    const both = Math.min(across, viewport.clientHeight / drawing.height);
    const whole = zooming === "whole" || both >= LEGIBLE;
    if (whole) return resize(clamp(both, SMALLEST, LARGEST));
    resize(across >= LEGIBLE ? Math.min(across, 1) : READABLE);
  }

  function fit() {
    zooming = "whole";
    adjust();
  }

  function pan(right, down) {
    viewport.scrollBy({ left: 60 * right, top: 60 * down });
  }

  function reveal(ids, smooth = true) {
    const parts = [...ids].flatMap((id) => drawing.parts.get(id) ?? []);
    const inside = parts.filter((part) => part.matches(".mp-box"));
    const frames = parts.filter((part) => part.matches(".mp-frame"));
    const boxes = (inside.length ? inside : frames).map(scroller.settled);
    if (!boxes.length) return;
    const pane = viewport.getBoundingClientRect();
    const shift = (low, high) => {
      const [start, size] = [pane[low], pane[high] - pane[low]];
      const margin = Math.min(24, size / 8);
      let from = Math.min(...boxes.map((box) => box[low]));
      let to = Math.max(...boxes.map((box) => box[high]));
      if (to - from > size - 2 * margin) [from, to] = [boxes[0][low], boxes[0][high]];
      if (from >= start + margin && to <= start + size - margin) return 0;
      return (from + to) / 2 - start - size / 2;
    };
    scroller.by(shift("left", "right"), shift("top", "bottom"), smooth);
  }

  // ----- scenes -----

  const placeOf = (part) => {
    const { e, f } = part.transform.baseVal.consolidate().matrix;
    return [e, f];
  };

  function animate(before) {
    if (!before || stillness() || drawing.parts.size > ANIMATED) return;
    const timing = { duration: 320, easing: "cubic-bezier(.3, 0, .2, 1)" };
    for (const [id, [part]] of drawing.parts) {
      const old = before.parts.get(id)?.[0];
      if (part.matches(".mp-box") && old) {
        const [from, to] = [placeOf(old), placeOf(part)];
        part.animate([from, to].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })), timing);
      } else if (!old || part.matches(".mp-wire")) {
        part.animate([{ opacity: 0 }, { opacity: 1 }], { ...timing, duration: 480 });
      }
    }
  }

  function show() {
    const before = drawing;
    const scene = scenes[[...open].sort().join("+")];
    visits = visitsIn(payload, scene);
    drawing = drawScene(scene, words);
    viewport.replaceChildren(drawing.canvas);
    legend.replaceChildren(...drawLegend(scene, words));
    for (const id of drawing.parts.keys()) paint(id);
    colour.show(scene, drawing, step, visits.resolve);
    minimap.show(scene);
    describe();
    mark();
    adjust();
    minimap.light(visits.active[step] ?? []);
    reveal(visits.active[step] ?? [], false);
    animate(before);
  }

  // Show the scene nearest to this one that has a box, unless it is there, or open as a frame.
  function unfold(id) {
    const seen = visits.resolve(id);
    const { frames } = scenes[[...open].sort().join("+")];
    if (seen === id || frames.some((frame) => frame.id === seen)) return;
    const sets = Object.entries(scenes).filter(([, { boxes }]) => boxes.some((box) => box.id === id))
      .map(([key]) => new Set(key ? key.split("+") : []));
    if (!sets.length) return;
    open = nearest(sets, open);
    show();
  }

  function describe() {
    const about = `${words.say("graph")}: ${payload.title}`;
    drawing.canvas.setAttribute("aria-label", about);
  }

  // What was opened stays under the pointer, and keeps the focus.
  function toggle(name, lane = "forward") {
    const mark = `[data-lane="${lane}"] > .mp-toggle`;
    const knob = () => [...viewport.querySelectorAll(mark)].find((at) => at.dataset.toggle === name);
    const before = knob()?.getBoundingClientRect();
    open = choose(scenes, open, name);
    show();
    const after = knob()?.getBoundingClientRect();
    if (before && after) viewport.scrollBy(after.left - before.left, after.top - before.top);
    knob()?.focus({ preventScroll: true });
  }

  // ----- hands -----

  let grip = null;
  viewport.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return; // touch pans by itself
    grip = { x: event.clientX, y: event.clientY, left: viewport.scrollLeft, top: viewport.scrollTop };
  });
  viewport.addEventListener("pointermove", (event) => {
    if (!grip || !(event.buttons & 1)) return;
    const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.moved && Math.hypot(dx, dy) < 4) return;
    if (!grip.moved) viewport.setPointerCapture(event.pointerId);
    grip.moved = true;
    viewport.scrollTo(grip.left - dx, grip.top - dy);
  });
  viewport.addEventListener("click", (event) => {
    const dragged = grip?.moved;
    grip = null;
    if (dragged) return;
    const knob = event.target.closest(".mp-toggle");
    if (knob) return toggle(knob.dataset.toggle, knob.parentNode.dataset.lane);
    const { node, frame } = event.target.closest(".mp-box, .mp-frame-head")?.dataset ?? {};
    onSelect(node ?? frame ?? null);
  });
  viewport.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the pane, then the page
    event.preventDefault();
    const box = viewport.getBoundingClientRect();
    const at = { x: event.clientX - box.left, y: event.clientY - box.top };
    zoom(Math.exp(-event.deltaY / 300), at);
  }, { passive: false });
  pinch(viewport, zoom);
  const watcher = new ResizeObserver(() => {
    adjust();
    reveal(visits.active[step] ?? [], false);
  });
  watcher.observe(viewport);

  show();
  return {
    element, show, toggle, unfold, zoom, fit, pan, reveal, turnColour: colour.turn, turnMinimap: minimap.turn,
    destroy: () => watcher.disconnect(),
    resolve: (id) => visits.resolve(id),
    part(id) {
      const { boxes, frames } = scenes[[...open].sort().join("+")];
      return [...boxes, ...frames].find((part) => part.id === id) ?? { id, label: id };
    },
    boxes: () => Object.values(scenes).flatMap((scene) => scene.boxes),
    goto(next) {
      moveTo(next);
      colour.goto(next);
      minimap.light(visits.active[step] ?? []);
      reveal(visits.active[step] ?? []);
    },
    select(id) {
      selected = id;
      mark();
    },
    find(ids) {
      hits = new Set(ids);
      mark();
    },
  };
}

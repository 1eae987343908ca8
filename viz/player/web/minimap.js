// A small map of the whole graph in a corner of the pane, with a frame to drag around the visible
// part, and shades at the sides of the pane beyond which there is more. The map covers no boxes and
// headings: it takes a free corner and shrinks if necessary, else a corner with boxes that are not
// active; if there is none, it hides. A step changes one path; the frame follows the scroll
// position, which is read once for each animation frame.

import { clamp, createTrack, h, namedButton, press, setAttributes } from "./dom.js";

const LARGE = 1.25; // size of a drawing that needs a map, relative to the pane
const WIDE = [56, 190],
  TALL = [44, 150]; // least and most pixels
const DOT = 4; // least size of an active box
const MARGIN = 12; // distance from the border of the pane
const APART = 12; // distance from active boxes, whose buttons and badges stick out
const SHARE = [0.3, 0.42]; // maximum share of the pane's width and height
const SHRUNK = [1, 0.75, 0.5];
const CORNERS = ["bottom right", "bottom left", "top right", "top left"];

/** @import { Box, Lane, Scene } from "./compose.js" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof createMinimap>} Minimap */

/**
 * Return boxes as one path, in pixels of the map.
 * @type {(boxes: Box[], across: number, down: number, least: number) => string}
 */
function dots(boxes, across, down, least) {
  return boxes
    .map((box) => {
      const [w, h] = [Math.max(least, box.w * across), Math.max(least, box.h * down)];
      const x = box.x * across + (box.w * across - w) / 2;
      const y = box.y * down + (box.h * down - h) / 2;
      return `M${x.toFixed(1)} ${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}z`;
    })
    .join("");
}

/** @typedef {{ x: number, y: number, w: number, h: number }} Place */

/** @type {(one: Place, other: Place) => boolean} */
const meet = (one, other) =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;

/**
 * Return the largest place for a map in a pane that covers nothing drawn, or else nothing near the
 * active boxes.
 * @param {{ w: number, h: number }} size
 * @param {{ w: number, h: number }} pane
 * @param {Place[]} drawn
 * @param {Place[]} near
 * @returns {Place | undefined}
 */
export function freePlace(size, pane, drawn, near) {
  const places = SHRUNK.flatMap((shrunk) => {
    const [w, h] = [size.w * shrunk, size.h * shrunk];
    return CORNERS.map((corner) => ({
      x: corner.endsWith("right") ? pane.w - w - MARGIN : MARGIN,
      y: corner.startsWith("bottom") ? pane.h - h - MARGIN : MARGIN,
      w,
      h,
    }));
  });
  /** @param {Place[]} taken */
  const freeOf = (taken) => places.find((place) => !taken.some((other) => meet(place, other)));
  return freeOf(drawn) ?? freeOf(near);
}

/** @type {(element: HTMLElement, place: Place) => void} */
function placeAt({ style }, { x, y, w, h }) {
  Object.assign(style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
}

/**
 * Return the approximate place of the heading of a lane, as scene.js draws it.
 * @param {Lane} lane
 */
const headingOf = ({ x, w }) => ({ x: x + w / 2 - 40, y: 24, w: 80, h: 10 });

/**
 * Map boxes to the boxes that wires join them to.
 * @param {Scene} scene
 */
function neighboursIn(scene) {
  /** @type {Map<string, Set<string>>} */
  const joined = new Map(scene.boxes.map((box) => [box.id, new Set()]));
  for (const { source, target } of scene.wires) {
    joined.get(source)?.add(target);
    joined.get(target)?.add(source);
  }
  return joined;
}

/**
 * @param {HTMLElement} viewport
 * @param {Words} words
 */
export function createMinimap(viewport, words) {
  const active = h("path.mp-minimap-active");
  const [base, over] = [h("svg"), h("svg", active)];
  const view = h("div.mp-minimap-view");
  const element = h("div.mp-minimap", { "aria-hidden": "true", hidden: "" }, base, over, view);
  const shade = h("div.mp-shade");
  const knob = namedButton(words, null, "minimap", "minimap");
  knob.classList.add("mp-map-knob");
  let turnedOn = true;
  /** @type {Map<string, Box>} */
  let boxes = new Map();
  /** @type {Place[]} */
  let drawn = [];
  /** @type {ReturnType<typeof neighboursIn>} */
  let joined = new Map();
  /** @type {Box[]} */
  let lit = [];
  /** @type {Box[]} */
  let near = []; // the active boxes and their neighbours
  let size = { w: 1, h: 1 };
  let map = { w: 1, h: 1 };
  let zoom = 1;
  let across = 1; // width of the map in pixels
  /** @type {{ left: number, top: number, x: number, y: number } | null} */
  let grip = null; // place where the pointer holds the frame
  let seen = { left: 0, top: 0, w: 0, h: 0 }; // visible part, in pixels of the drawing
  let frame = 0;

  /** @param {Scene} scene */
  function show(scene) {
    boxes = new Map(scene.boxes.map((box) => [box.id, box]));
    drawn = [...scene.boxes, ...scene.lanes.map(headingOf)];
    joined = neighboursIn(scene);
    size = { w: scene.width, h: scene.height };
    const fit = Math.min(WIDE[1] / size.w, TALL[1] / size.h);
    map = { w: clamp(size.w * fit, WIDE[0], WIDE[1]), h: clamp(size.h * fit, TALL[0], TALL[1]) };
    for (const each of [base, over]) each.setAttribute("viewBox", `0 0 ${map.w} ${map.h}`);
    const [across, down] = [map.w / size.w, map.h / size.h];
    const lanes = [...new Set(scene.boxes.map((box) => box.lane))];
    base.replaceChildren(
      ...lanes.map((lane) => {
        const own = scene.boxes.filter((box) => box.lane === lane);
        return h("path", { "data-lane": lane, d: dots(own, across, down, 0.8) });
      }),
    );
  }

  /**
   * Return the place of a box in the pane, with some room around it.
   * @param {Place} box
   */
  function placeOf(box) {
    const x = box.x * zoom - seen.left + Math.max(0, (seen.w - size.w * zoom) / 2);
    const y = box.y * zoom - seen.top + Math.max(0, (seen.h - size.h * zoom) / 2);
    const [w, h] = [box.w * zoom, box.h * zoom];
    return { x: x - APART, y: y - APART, w: w + 2 * APART, h: h + 2 * APART };
  }

  function place() {
    const large = size.w * size.h * zoom * zoom > LARGE * seen.w * seen.h && seen.w > 0;
    knob.hidden = !large;
    press(knob, turnedOn);
    if (grip) return frameView(); // the map does not move during a drag
    const shown = large && turnedOn;
    const most = Math.min(1, (SHARE[0] * seen.w) / map.w, (SHARE[1] * seen.h) / map.h);
    const own = { w: map.w * most, h: map.h * most };
    const free = shown ? freePlace(own, seen, drawn.map(placeOf), near.map(placeOf)) : undefined;
    element.hidden = !free;
    if (!free) return;
    across = free.w;
    placeAt(element, free);
    active.setAttribute("d", dots(lit, map.w / size.w, map.h / size.h, DOT));
    frameView();
  }

  // the frame around the visible part
  function frameView() {
    const down = (across * map.h) / map.w;
    const [x, y] = [across / (size.w * zoom), down / (size.h * zoom)];
    const w = Math.min(across, seen.w * x);
    placeAt(view, { x: seen.left * x, y: seen.top * y, w, h: Math.min(down, seen.h * y) });
  }

  function follow() {
    frame = 0;
    const { scrollLeft: left, scrollTop: top, clientWidth: w, clientHeight: h } = viewport;
    seen = { left, top, w, h };
    /** @type {[string, number][]} */
    const hidden = [
      ["left", left],
      ["top", top],
      ["right", size.w * zoom - left - w],
      ["bottom", size.h * zoom - top - h],
    ];
    shade.dataset.more = hidden.flatMap(([side, by]) => (by > 2 ? [side] : [])).join(" ");
    place();
  }

  function turn() {
    turnedOn = !turnedOn;
    follow();
  }

  /**
   * Return where the pointer grips the frame; outside of the frame it grips its middle.
   * @param {PointerEvent} event
   */
  function gripAt(event) {
    const [box, inner] = [element.getBoundingClientRect(), view.getBoundingClientRect()];
    const inside = meet(
      { x: event.clientX, y: event.clientY, w: 0, h: 0 },
      { x: inner.x, y: inner.y, w: inner.width, h: inner.height },
    );
    return {
      left: box.left,
      top: box.top,
      x: inside ? event.clientX - inner.left : inner.width / 2,
      y: inside ? event.clientY - inner.top : inner.height / 2,
    };
  }

  /** @param {PointerEvent} event */
  function drag(event) {
    event.preventDefault();
    grip ??= gripAt(event);
    viewport.scrollTo(
      (event.clientX - grip.left - grip.x) * ((size.w * zoom) / across),
      (event.clientY - grip.top - grip.y) * ((size.h * zoom * map.w) / (across * map.h)),
    );
  }
  const release = () => {
    grip = null;
    place();
  };
  createTrack(element, { drag });
  setAttributes(element, { onpointerup: release, onpointercancel: release });
  knob.addEventListener("click", turn);
  const soon = () => {
    if (!frame) frame = requestAnimationFrame(follow);
  };
  viewport.addEventListener("scroll", soon, { passive: true });

  return {
    element,
    shade,
    knob,
    show,
    turn() {
      if (!knob.hidden) turn();
    },
    /** @param {number} scale */
    zoom(scale) {
      zoom = scale;
      follow();
    },
    /** @param {Iterable<string>} ids */
    light(ids) {
      /** @type {(ids: Iterable<string>) => Box[]} */
      const known = (ids) => [...ids].map((id) => boxes.get(id)).filter((box) => box !== undefined);
      lit = known(ids);
      near = known(new Set(lit.flatMap(({ id }) => [id, ...(joined.get(id) ?? [])])));
      place();
    },
  };
}

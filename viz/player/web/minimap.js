// The whole graph small in a corner of the pane, with the part that is seen as a frame to drag. A
// step changes one path; the frame follows the scroll position, read once for each frame drawn.

import { clamp, html, namedButton, svg } from "./dom.js";

const LARGE = 3; // times the pane: a smaller drawing needs no map
const WIDE = [56, 190],
  TALL = [44, 150]; // pixels, least and most
const DOT = 4; // what is active is at least so large
const MARGIN = 8; // to the border of the pane
const SHARE = [0.3, 0.42]; // of the pane's width and height, at most

/** @import { Box, Scene } from "./composed.d.ts" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof createMinimap>} Minimap */

/**
 * Boxes as one path, in pixels of the map.
 * @type {(boxes: Box[], across: number, down: number, least: number) => string}
 */
function dots(boxes, across, down, least) {
  return boxes
    .map((box) => {
      const [w, h] = [Math.max(least, box.w * across), Math.max(least, box.h * down)];
      const [x, y] = [
        box.x * across + (box.w * across - w) / 2,
        box.y * down + (box.h * down - h) / 2,
      ];
      return `M${x.toFixed(1)} ${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}z`;
    })
    .join("");
}

/**
 * @param {HTMLElement} viewport
 * @param {Words} words
 */
export function createMinimap(viewport, words) {
  const [base, over] = [svg("svg"), svg("svg")];
  const active = svg("path", { class: "mp-minimap-active" });
  over.append(active);
  const view = html("div", { class: "mp-minimap-view" });
  const element = html(
    "div",
    { class: "mp-minimap", "aria-hidden": "true", hidden: "" },
    base,
    over,
    view,
  );
  const knob = namedButton(words, null, "minimap", "minimap");
  knob.classList.add("mp-map-knob");
  let turnedOn = true;
  /** @type {Map<string, Box>} */
  let boxes = new Map();
  /** @type {Box[]} */
  let lit = [];
  let size = { w: 1, h: 1 };
  let map = { w: 1, h: 1 };
  let zoom = 1;
  let shrunk = 1; // in a small pane the map is smaller
  let seen = { left: 0, top: 0, w: 0, h: 0 }; // the pane, in pixels of the drawing
  let frame = 0;

  /** @param {Scene} scene */
  function show(scene) {
    boxes = new Map(scene.boxes.map((box) => [box.id, box]));
    size = { w: scene.width, h: scene.height };
    const fit = Math.min(WIDE[1] / size.w, TALL[1] / size.h);
    map = { w: clamp(size.w * fit, WIDE[0], WIDE[1]), h: clamp(size.h * fit, TALL[0], TALL[1]) };
    for (const each of [base, over]) each.setAttribute("viewBox", `0 0 ${map.w} ${map.h}`);
    const [across, down] = [map.w / size.w, map.h / size.h];
    const lanes = [...new Set(scene.boxes.map((box) => box.lane))];
    base.replaceChildren(
      ...lanes.map((lane) =>
        svg("path", {
          "data-lane": lane,
          d: dots(
            scene.boxes.filter((box) => box.lane === lane),
            across,
            down,
            0.8,
          ),
        }),
      ),
    );
  }

  // The active boxes, and the other corner where the map would lie upon one of them.
  function mark() {
    if (element.hidden) return;
    active.setAttribute("d", dots(lit, map.w / size.w, map.h / size.h, DOT));
    const inset = Math.max(0, (seen.w - size.w * zoom) / 2);
    const covered = lit.some((box) => {
      const [right, bottom] = [
        (box.x + box.w) * zoom - seen.left + inset,
        (box.y + box.h) * zoom - seen.top,
      ];
      return (
        right > seen.w - map.w * shrunk - 2 * MARGIN &&
        right - box.w * zoom < seen.w &&
        bottom > seen.h - map.h * shrunk - 2 * MARGIN &&
        bottom - box.h * zoom < seen.h
      );
    });
    element.dataset.corner = covered ? "left" : "right";
  }

  function follow() {
    frame = 0;
    seen = {
      left: viewport.scrollLeft,
      top: viewport.scrollTop,
      w: viewport.clientWidth,
      h: viewport.clientHeight,
    };
    const large = size.w * size.h * zoom * zoom > LARGE * seen.w * seen.h && seen.w > 0;
    knob.hidden = !large;
    knob.setAttribute("aria-pressed", String(turnedOn));
    element.hidden = !large || !turnedOn;
    shrunk = Math.min(1, (SHARE[0] * seen.w) / map.w, (SHARE[1] * seen.h) / map.h);
    const [w, h] = [map.w * shrunk, map.h * shrunk];
    const [across, down] = [w / (size.w * zoom), h / (size.h * zoom)];
    Object.assign(element.style, { width: `${w}px`, height: `${h}px` });
    Object.assign(view.style, {
      left: `${seen.left * across}px`,
      top: `${seen.top * down}px`,
      width: `${Math.min(w, seen.w * across)}px`,
      height: `${Math.min(h, seen.h * down)}px`,
    });
    mark();
  }

  function turn() {
    turnedOn = !turnedOn;
    follow();
  }

  // Inside the frame it is dragged as it was taken; elsewhere it jumps there first.
  /** @type {{ left: number, top: number, x: number, y: number } | null} */
  let grip = null;
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    const [box, inner] = [element.getBoundingClientRect(), view.getBoundingClientRect()];
    const inside =
      event.clientX >= inner.left &&
      event.clientX <= inner.right &&
      event.clientY >= inner.top &&
      event.clientY <= inner.bottom;
    grip = {
      left: box.left,
      top: box.top,
      x: inside ? event.clientX - inner.left : inner.width / 2,
      y: inside ? event.clientY - inner.top : inner.height / 2,
    };
    drag(event);
  });

  /** @param {PointerEvent} event */
  function drag(event) {
    if (!grip) return;
    viewport.scrollTo(
      (event.clientX - grip.left - grip.x) * ((size.w * zoom) / (map.w * shrunk)),
      (event.clientY - grip.top - grip.y) * ((size.h * zoom) / (map.h * shrunk)),
    );
  }
  const release = () => {
    grip = null;
  };
  element.addEventListener("pointermove", drag);
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  knob.addEventListener("click", turn);
  viewport.addEventListener(
    "scroll",
    () => {
      if (!frame) frame = requestAnimationFrame(follow);
    },
    { passive: true },
  );

  return {
    element,
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
      lit = [...ids].map((id) => boxes.get(id)).filter((box) => box !== undefined);
      mark();
    },
  };
}

// Visible part of the graph and its scale: zoom and pan by keys, buttons, mouse and fingers.

import { clamp, createScroller, setAttributes, spanOf } from "./dom.js";
import { originOf } from "./scene.js";

/** @import { Rect } from "./dom.js" */
/** @import { Minimap } from "./minimap.js" */
/** @import { Drawing } from "./scene.js" */

// In a pane as wide as a window of 1280 pixels has it: scales at which names are 10 pixels high, at
// which small print is, and the largest automatic one. A larger pane has larger letters.
const LEGIBLE = 10 / 13;
const READABLE = 1;
const FARTHEST = 2; // most growth of names in a smaller drawing, which has no small print
const LARGEST = 1.25;
const WIDE = 760;
const GROWTH = [0.86, 1.2];
const SMALLEST = 0.01;
// Parts of a step, the most important first: ops, tensors, the frames around them.
const IMPORTANCE = [".mp-box:not([data-shape=pill], [data-shape=tag])", ".mp-box", ".mp-frame"];

/**
 * @param {HTMLElement} viewport
 * @param {Minimap} minimap  follows the scale
 */
export function createCamera(viewport, minimap) {
  const scroller = createScroller(viewport);
  /** @type {Drawing} */
  let drawing;
  let scale = 1;
  let zooming = "auto"; // or "overview", "whole" (fit), or "hand"
  let least = LEGIBLE; // smallest automatic scale
  let panned = false; // whether the reader has panned since a step was last brought into view

  const grown = () => clamp(viewport.clientWidth / WIDE, GROWTH[0], GROWTH[1]);

  function sizeCanvas() {
    const { canvas, width, height } = drawing;
    setAttributes(canvas, { width: width * scale, height: height * scale });
    const up = grown() / scale;
    canvas.style.setProperty("--up", `${clamp(up, 1, 1 / LEGIBLE)}`); // of small print
    canvas.style.setProperty("--far", `${clamp(up * LEGIBLE, 1, FARTHEST)}`); // of names
    canvas.toggleAttribute("data-far", least === LEGIBLE && up * LEGIBLE > 1.01);
  }

  /** @type {(next: number, at?: { x: number, y: number }) => void} */
  function resize(next, at) {
    const anchor = at ?? { x: viewport.clientWidth / 2, y: viewport.clientHeight / 2 };
    const [x, y] = [viewport.scrollLeft + anchor.x, viewport.scrollTop + anchor.y];
    const ratio = next / scale;
    scale = next;
    if (ratio !== 1) sizeCanvas();
    viewport.scrollLeft = x * ratio - anchor.x;
    viewport.scrollTop = y * ratio - anchor.y;
    scroller.stop();
    minimap.zoom(scale);
  }

  /** @type {(factor: number, at?: { x: number, y: number }) => void} */
  function zoom(factor, at) {
    zooming = "hand";
    resize(clamp(scale * factor, SMALLEST, 4), at);
  }

  // Fit the whole drawing if it stays legible; else use a readable scale, or a smaller one at which
  // the whole width or height is legible, and follow the active node. A drawing that fits needs no
  // scroll bars, so their room counts for it.
  function adjust() {
    if (zooming === "hand" || !viewport.clientWidth) return resize(scale);
    const { width, height } = drawing;
    const whole = Math.min(
      (viewport.offsetWidth - 1) / width,
      (viewport.offsetHeight - 1) / height,
    );
    const [legible, readable] = [least * grown(), READABLE * grown()];
    const overview = zooming === "overview" && least === LEGIBLE; // numbers in boxes do not grow
    if (zooming === "whole" || overview || whole >= legible) {
      return resize(clamp(whole, SMALLEST, Math.max(LARGEST, readable)));
    }
    const one = Math.max(viewport.clientWidth / width, viewport.clientHeight / height);
    resize(one >= legible ? Math.min(one, readable) : readable);
  }

  /**
   * Adapt to a new size of the pane; a picture that the reader has moved stays in place.
   * @param {Iterable<string>} ids
   */
  function refit(ids) {
    adjust();
    if (zooming !== "hand" && !panned) reveal(ids, false);
  }

  function fit() {
    zooming = "whole";
    adjust();
  }

  /** @type {(right: number, down: number) => void} */
  function pan(right, down) {
    panned = true;
    viewport.scrollBy({ left: 60 * right, top: 60 * down });
  }

  /**
   * Return the place of a part at rest: a box that glides to its place is measured there.
   * @type {(part: SVGGElement) => Rect}
   */
  function placeOf(part) {
    const { left, top } = scroller.boxAtRest(drawing.canvas);
    const { x, y, width, height } = part.getBBox();
    const own = originOf(part);
    const [start, above] = [left + (own.x + x) * scale, top + (own.y + y) * scale];
    return {
      left: start,
      right: start + width * scale,
      top: above,
      bottom: above + height * scale,
    };
  }

  /**
   * Return the places of boxes and frames in the order in which they are brought into view: what an
   * op makes before what it reads. If all are data that a run is fed, the first one comes first.
   * @param {Iterable<string>} ids  inputs before results, as a step lists them
   */
  function placesOf(ids) {
    const groups = [...ids].map((id) => drawing.parts.get(id) ?? []);
    if (!groups.flat().every((part) => part.matches("[data-kind=data]"))) groups.reverse();
    const parts = groups.flat();
    return IMPORTANCE.flatMap((kind) => parts.filter((part) => part.matches(kind))).map(placeOf);
  }

  /**
   * Bring the op of a step into view, and of its other boxes and of `others` as many as fit beside.
   * @type {(ids: Iterable<string>, smooth?: boolean, others?: Iterable<string>) => void}
   */
  function reveal(ids, smooth = true, others = []) {
    panned = false;
    const [first, ...more] = [...placesOf(ids), ...placesOf(others)];
    if (!first) return;
    const pane = viewport.getBoundingClientRect();
    const margins = [pane.width, pane.height].map((size) => Math.min(24, size / 8));
    /** @type {(boxes: Rect[]) => [from: number, to: number, start: number, end: number][]} */
    const spans = (boxes) => [
      [...spanOf(boxes, "left", "right"), pane.left + margins[0], pane.right - margins[0]],
      [...spanOf(boxes, "top", "bottom"), pane.top + margins[1], pane.bottom - margins[1]],
    ];
    const seen = [first];
    for (const box of more) {
      const fits = spans([...seen, box]).every(
        ([from, to, start, end]) => to - from <= end - start,
      );
      if (fits) seen.push(box);
    }
    const [right, down] = spans(seen).map(([from, to, start, end]) =>
      from >= start && to <= end ? 0 : (from + to - start - end) / 2,
    );
    scroller.by(right, down, smooth);
  }

  /** @type {{ x: number, y: number, left: number, top: number, moved: boolean } | null} */
  let grip = null;
  viewport.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return; // the browser pans by touch
    const { scrollLeft: left, scrollTop: top } = viewport;
    grip = { x: event.clientX, y: event.clientY, left, top, moved: false };
  });
  viewport.addEventListener("pointermove", (event) => {
    if (!grip || !(event.buttons & 1)) return;
    const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.moved && Math.hypot(dx, dy) < 4) return;
    if (!grip.moved) viewport.setPointerCapture(event.pointerId);
    grip.moved = true;
    panned = true;
    viewport.scrollTo(grip.left - dx, grip.top - dy);
  });
  /** @param {WheelEvent} event */
  const magnify = (event) => {
    panned = true;
    if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls
    event.preventDefault();
    const box = viewport.getBoundingClientRect();
    const at = { x: event.clientX - box.left, y: event.clientY - box.top };
    zoom(Math.exp(-event.deltaY / 300), at);
  };
  viewport.addEventListener("wheel", magnify, { passive: false });
  pinch(viewport, zoom);
  const move = () => {
    panned = true;
  };
  viewport.addEventListener("touchmove", move, { passive: true });
  minimap.element.addEventListener("pointerdown", move);

  return {
    refit,
    zoom,
    fit,
    pan,
    reveal,
    /**
     * Show the whole drawing, or the active boxes at a legible scale, unless the reader has zoomed.
     * @param {boolean} whole
     */
    lookAt(whole) {
      if (zooming !== "hand") zooming = whole ? "overview" : "auto";
    },
    /**
     * Show another drawing. Its size is set before it is measured, so that its texts are laid out
     * only once if the scale remains; small print is read if boxes show values.
     * @type {(next: Drawing, values: boolean) => void}
     */
    show(next, values) {
      drawing = next;
      least = values ? READABLE : LEGIBLE;
      sizeCanvas();
      viewport.replaceChildren(next.canvas);
      adjust();
    },
    /** End a drag; return whether it has moved the picture. */
    release() {
      const moved = grip?.moved ?? false;
      grip = null;
      return moved;
    },
  };
}

/**
 * Make two fingers zoom a pane; the browser scrolls it with one finger.
 * @param {HTMLElement} pane
 * @param {(factor: number, at: { x: number, y: number }) => void} zoom
 */
function pinch(pane, zoom) {
  /** @type {ReturnType<typeof read> | null} */
  let last = null;

  /** @param {TouchEvent} event */
  function read({ touches: [one, other] }) {
    const box = pane.getBoundingClientRect();
    return {
      apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
      x: (one.clientX + other.clientX) / 2 - box.left,
      y: (one.clientY + other.clientY) / 2 - box.top,
    };
  }

  pane.addEventListener(
    "touchstart",
    (event) => {
      last = event.touches.length === 2 ? read(event) : null;
      if (last && event.cancelable) event.preventDefault(); // prevents scrolling and clicks
    },
    { passive: false },
  );
  pane.addEventListener(
    "touchmove",
    (event) => {
      if (!last || event.touches.length !== 2) return;
      if (event.cancelable) event.preventDefault();
      const now = read(event);
      pane.scrollBy(last.x - now.x, last.y - now.y);
      if (last.apart > 0 && now.apart > 0) zoom(now.apart / last.apart, now);
      last = now;
    },
    { passive: false },
  );
  for (const end of ["touchend", "touchcancel"])
    pane.addEventListener(end, () => {
      last = null;
    });
}

// A scene as SVG elements. Names from the trace are in text nodes and data attributes only.

import { h, setAttributes } from "./dom.js";
import { appendTo } from "./numbers.js";

/** @import { Attributes } from "./dom.js" */
/** @import { Badge } from "./payload.d.ts" */
/** @import { Box, Frame, Lane, Scene, Wire } from "./compose.js" */
/** @import { Face } from "./values.js" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof drawScene>} Drawing */

const GAP = 4; // space between badges
const SPECIAL = /^(pylayer|py_func)/; // kinds of boxes with a double border: the user's own ops
const SKIPPED = "skipped"; // kind of badge of an argument that the function does not get
const LASTING = /^(parameter|buffer|state)$/;
const ALARM = /^(error|first_(nan|inf))$/;
const COLOURS = ["forward", "backward", "optimize", "saved", "line"];
let drawings = 0; // number of drawings: marker ids are shared by the page, so each has its own
const OWN = Math.random().toString(36).slice(2, 10); // id of this player in a notebook

/** @param {string} prefix */
function markers(prefix) {
  const size = { viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 8, markerHeight: 8 };
  const shape = { ...size, markerUnits: "userSpaceOnUse", orient: "auto" };
  return h(
    "defs",
    COLOURS.map((colour) => {
      const name = { id: `${prefix}-${colour}`, "data-colour": colour };
      return h("marker.mp-arrow", { ...name, ...shape }, h("path", { d: "M0 0L8 4L0 8z" }));
    }),
  );
}

/** @type {(wire: Wire, prefix: string) => SVGGElement} */
function drawWire({ id, kind, colour, path, title, label, label_at: [x, y] }, prefix) {
  return h(
    "g.mp-wire",
    { "data-edge": id, "data-kind": kind, "data-colour": colour, "data-state": "pending" },
    h("title", title || ""),
    h("path", { d: path, "marker-end": `url(#${prefix}-${colour})` }),
    label && h("text.mp-wire-label", { x, y }, label),
  );
}

/**
 * Return a button at the upper border of a box or a frame, with a sign in a circle.
 * @type {(attributes: Attributes, label: string, x: number, d: string) => SVGGElement}
 */
function drawKnob(attributes, label, x, d) {
  const place = { "aria-label": label, transform: `translate(${x} 0)` };
  return h(
    "g.mp-toggle",
    { role: "button", tabindex: "0", ...attributes, ...place },
    h("circle", { r: 9 }),
    h("path", { d }),
  );
}

/**
 * Return the button that opens a box or closes a frame.
 * @type {(part: Box | Frame, opened: boolean, words: Words) => SVGGElement}
 */
function drawToggle({ toggles, label, w }, opened, words) {
  const name = `${words.say(opened ? "close" : "open")} ${words.of(label)}`;
  const about = { "data-toggle": toggles, "aria-expanded": String(opened) };
  return drawKnob(about, name, w, opened ? "M-4 0h8" : "M-4 0h8M0 -4v8");
}

/**
 * Return the buttons of a turn's frame, which open the turns before and after it.
 * @type {(frame: Frame, words: Words) => (SVGGElement | null)[]}
 */
function drawTurning({ beside, toggles, w }, words) {
  return beside.map((turn, at) => {
    if (turn === null) return null;
    const about = { "data-toggle": turn.toggles, "data-turn": toggles, "data-go": at };
    const name = `${words.say("open")} ${words.of(turn.label)}`;
    return drawKnob(about, name, w - 22 * (1 - at), at ? "M-2 -4L2 0L-2 4" : "M2 -4L-2 0L2 4");
  });
}

/** @param {Box} box */
function outline(box) {
  if (box.shape === "circle") {
    const [rx, ry] = [box.w / 2, box.h / 2];
    return h("ellipse.mp-shape", { cx: rx, cy: ry, rx, ry });
  }
  const rx = box.shape === "pill" ? Math.min(box.h / 2, 18) : box.shape === "tag" ? box.h / 2 : 7;
  return h("rect.mp-shape", { width: box.w, height: box.h, rx });
}

/**
 * Return badges as elements; their widths were measured by viz/theme.py.
 * @type {(badges: Badge[], x: number, y: number, words: Words) => SVGGElement[]}
 */
function drawBadges(badges, x, y, words) {
  let left = x;
  return badges.map(([kind, text, width]) => {
    const badge = h(
      "g.mp-badge",
      { "data-alarm": ALARM.test(kind), transform: `translate(${left} ${y})` },
      h("rect", { width, height: 16, rx: 8 }),
      h("text", { x: width / 2, y: 11.5 }, words.of(text)),
    );
    left += width + GAP;
    return badge;
  });
}

/** @param {Badge[]} badges */
function widthOf(badges) {
  return badges.reduce((sum, [, , width]) => sum + width + GAP, -GAP);
}

/**
 * Return a thick base; the base of a buffer, which no gradient changes, is broken.
 * @type {(kind: string, left: number, right: number, y: number) => SVGPathElement}
 */
function base(kind, left, right, y) {
  const middle = (left + right) / 2;
  const gap = kind === "buffer" ? `H${middle - 2.5}M${middle + 2.5} ${y}` : "";
  return h("path.mp-base", { d: `M${left} ${y}${gap}H${right}` });
}

/**
 * Return the sign of a kind: a thick base if it lasts between runs, or an arrow into data.
 * @param {Box} box
 */
function drawSign({ kind, w, h: high }) {
  const [edge, middle] = [Math.min(high / 2, 18), high / 2];
  if (high <= 20) return null;
  if (LASTING.test(kind)) return base(kind, edge, w - edge, high - 4);
  const d = `M7 ${middle - 4}L13 ${middle}L7 ${middle + 4}z`;
  return kind === "data" ? h("path.mp-into", { d }) : null;
}

/**
 * Return the look of a box: alarm for a failure or the first NaN, none for a gradient of None.
 * @param {Box} box
 */
function lookOf(box) {
  if (box.badges.some(([kind]) => ALARM.test(kind))) return "alarm";
  return box.detail === "None" ? "none" : null;
}

const ABOVE_PICTURE = 5;

/**
 * Return the lines of a box with their base lines, the top of its picture, and that of its badges.
 * @param {Box} box
 * @param {string} label
 * @param {string} detail
 * @param {Face["picture"]} [picture]
 */
function linesOf(box, label, detail, picture) {
  const texts = [
    { text: label, name: "mp-label", high: 17 },
    { text: detail, name: "mp-detail", high: 15 },
  ].filter(({ text }) => text);
  const below = picture ? picture.h + ABOVE_PICTURE : 0;
  const height = texts.reduce((sum, { high }) => sum + high, below + (box.badges.length ? 20 : 0));
  let y = (box.h - height) / 2;
  const lines = texts.map(({ text, name, high }) => {
    y += high;
    return { name, text, y: y - 4 };
  });
  return { lines, picture: y + ABOVE_PICTURE - 3, badges: y + below + 3 };
}

/**
 * Write another second line into a drawn box, or its own one again, and put a picture below it.
 * @type {(part: SVGGElement, box: Box, detail?: string, picture?: Face["picture"]) => void}
 */
export function writeFace(part, box, detail = box.detail, picture = null) {
  const label = part.querySelector(":scope > .mp-label");
  if (!label) return;
  for (const old of part.querySelectorAll(":scope > :is(.mp-detail, .mp-picture)")) old.remove();
  const { lines, picture: top, badges } = linesOf(box, label.textContent ?? "", detail, picture);
  if (picture) label.after(drawPicture(picture, (box.w - picture.w) / 2, top));
  for (const { name, text, y } of lines) {
    if (name === "mp-label") label.setAttribute("y", `${y}`);
    else label.after(h("text", { class: name, x: box.w / 2, y }, text));
  }
  const own = [...part.querySelectorAll(":scope > .mp-badge")].slice(0, box.badges.length);
  for (const badge of own) {
    const [left] = (badge.getAttribute("transform") ?? "").match(/[\d.-]+/) ?? ["0"];
    badge.setAttribute("transform", `translate(${left} ${badges})`);
  }
}

/** @type {(picture: NonNullable<Face["picture"]>, x: number, y: number) => SVGGElement} */
export function drawPicture({ w: width, h: height, url }, x, y) {
  const place = { x, y, width, height };
  const image = { ...place, href: url, preserveAspectRatio: "none" };
  return h("g.mp-picture", h("rect", place), h("image", image));
}

/** Return a width that a name in letters of 13 px does not exceed. @param {string} text */
const widthOfName = (text) =>
  [...text].reduce(
    (sum, letter) => sum + (letter > "\u2e80" ? 14 : /[A-Zmw@]/.test(letter) ? 10.6 : 8),
    0,
  );

/**
 * Return the style of a name that grows when the drawing is far: how much it may until it fills a
 * width, and how far it sinks to the middle of its box, where it is alone.
 * @type {(width: number, text: string, sink?: number) => string}
 */
function farLook(width, text, sink = 0) {
  return `--room: ${(width / widthOfName(text)).toFixed(2)}; --sink: ${sink}px`;
}

/**
 * Return where the transform of a part puts it.
 * @param {SVGGElement} part
 */
export function originOf(part) {
  const { e: x, f: y } = part.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
  return { x, y };
}

/** Return the frame of an animation at a place. @type {(place: { x: number, y: number }) => Keyframe} */
export const translation = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });

/** @type {(box: Box, words: Words) => SVGGElement} */
function drawBox(box, words) {
  const { lines, badges } = linesOf(box, words.of(box.label), box.detail);
  const inner = { x: 4, y: 4, width: box.w - 8, height: box.h - 8, rx: 4 };
  return h(
    "g.mp-box",
    {
      "data-node": box.id,
      "data-kind": box.kind,
      "data-lane": box.lane,
      "data-shape": box.shape,
      "data-state": "pending",
      "data-mark": box.mark,
      "data-look": lookOf(box),
      transform: `translate(${box.x} ${box.y})`,
    },
    h("title", words.of(box.title)),
    outline(box),
    SPECIAL.test(box.kind) && h("rect.mp-inner", inner),
    drawSign(box),
    lines.map(({ text, name, y }) => {
      const struck = name === "mp-label" && box.badges.some(([kind]) => kind === SKIPPED);
      const sink = box.badges.length ? -6 : box.h / 2 + 4.5 - y;
      const style = name === "mp-label" ? farLook(box.w - 8, text, sink) : null;
      return h("text", { class: name, x: box.w / 2, y, "data-struck": struck, style }, text);
    }),
    drawBadges(box.badges, (box.w - widthOf(box.badges)) / 2, badges, words),
    box.toggles && drawToggle(box, false, words),
  );
}

/** @param {Frame} frame */
function drawFrame(frame) {
  return h(
    "g.mp-frame",
    {
      "data-group": frame.id,
      "data-kind": frame.kind,
      "data-lane": frame.lane,
      "data-state": "pending",
      transform: `translate(${frame.x} ${frame.y})`,
    },
    h("rect.mp-shape", { width: frame.w, height: frame.h, rx: 10 }),
  );
}

/**
 * Draw the name of a frame, above the wires that cross its border.
 * @type {(frame: Frame, words: Words) => SVGGElement}
 */
function drawFrameHead(frame, words) {
  const width = widthOf(frame.badges);
  const forward = frame.lane === "forward"; // the name is where the lanes face each other
  const name = forward ? frame.w - 14 : 14;
  const label = words.of(frame.label);
  return h(
    "g.mp-frame-head",
    {
      "data-lane": frame.lane,
      "data-frame": frame.id,
      transform: `translate(${frame.x} ${frame.y})`,
    },
    h("title", words.of(frame.title)),
    h("text.mp-label", { x: name, y: 20, style: farLook(frame.w - 20, label) }, label),
    drawBadges(frame.badges, forward ? 14 : frame.w - width - 14, 8, words),
    frame.beside.length
      ? drawTurning(frame, words)
      : frame.toggles && drawToggle(frame, true, words),
  );
}

/**
 * Add badges to a drawing that has no room for them, because other rounds share it: across the
 * border of a box, where its output leaves. Return a function that removes them.
 * @type {(drawing: Drawing, scene: Scene, alarms: Map<string, Badge[]>, words: Words) => () => void}
 */
export function drawAlarms({ parts }, scene, alarms, words) {
  const undo = [...alarms].flatMap(([id, badges]) => {
    const place = [...scene.boxes, ...scene.frames].find((each) => each.id === id);
    const [part] = parts.get(id) ?? [];
    if (!place || !part) return [];
    const { look = null } = part.dataset;
    const y = place.lane === "backward" ? -11 : place.h - 5; // keeps off the text
    const drawn = drawBadges(badges, (place.w - widthOf(badges)) / 2, y, words);
    part.append(...drawn);
    part.dataset.look = "alarm";
    return () => {
      for (const badge of drawn) badge.remove();
      setAttributes(part, { "data-look": look });
    };
  });
  return () => {
    for (const each of undo) each();
  };
}

// Title of a lane: "Forward", "Backward", or "Backward 2" if there are several columns.
/** @type {(lane: Lane, scene: Scene, words: Words) => SVGTextElement} */
function drawLane(lane, scene, words) {
  const same = scene.lanes.filter((each) => each.name === lane.name);
  const turn = same.length > 1 ? ` ${same.indexOf(lane) + 1}` : "";
  const arrow = lane.name === "backward" ? "↑" : "↓";
  const name = lane.name === "optimize" ? "updates" : lane.name;
  const text = `${words.say(name)}${turn} ${arrow}`;
  const isLast = scene.lanes.every(({ x }) => x <= lane.x);
  const beyond = isLast ? Math.max(0, widthOfName(text) - lane.w / 2) : 0; // when it is far
  return h(
    "text.mp-lane-heading",
    { "data-lane": lane.name, x: lane.x + lane.w / 2, y: 34, style: `--beyond: ${beyond}px` },
    text,
  );
}

/**
 * Draw a scene; return the drawing and, by id, the parts whose state the steps change.
 * @param {Scene} scene
 * @param {Words} words
 */
export function drawScene(scene, words) {
  drawings += 1;
  const prefix = `mp-${OWN}-${drawings}`;
  /** @type {Map<string, SVGGElement[]>} */
  const parts = new Map();
  /** @type {(id: string, element: SVGGElement) => SVGGElement} */
  const keep = (id, element) => {
    appendTo(parts, id, element);
    return element;
  };
  const { width, height, lanes, frames, wires, boxes } = scene;
  const canvas = h(
    "svg.mp-svg",
    { role: "group", viewBox: `0 0 ${width} ${height}` },
    markers(prefix),
    lanes.map((lane) => drawLane(lane, scene, words)),
    frames.map((frame) => keep(frame.id, drawFrame(frame))),
    wires.map((wire) => keep(wire.id, drawWire(wire, prefix))),
    frames.map((frame) => drawFrameHead(frame, words)),
    boxes.map((box) => keep(box.id, drawBox(box, words))),
  );
  return { canvas, parts, width, height };
}

/**
 * Draw the legend: wires by colour, lanes of operators if there are several, signs of tensors.
 * @param {Scene} scene
 * @param {Words} words
 */
export function drawLegend(scene, words) {
  const colours = new Set(scene.wires.map((wire) => wire.colour));
  const kinds = new Set(scene.boxes.map((box) => box.kind));
  const lanes = new Set(scene.boxes.filter((box) => box.shape === "box").map((box) => box.lane));
  /** @type {(key: string, drawing: SVGGElement) => HTMLLIElement} */
  const entry = (key, drawing) => {
    const picture = h("svg", { viewBox: "0 0 26 16", "aria-hidden": "true" }, drawing);
    return h("li", picture, h("span", words.say(key)));
  };
  /** @type {(key: string, lane: string, rx: number, ...sign: SVGElement[]) => HTMLLIElement} */
  const swatch = (key, lane, rx, ...sign) => {
    const shape = h("rect.mp-shape", { x: 1, y: 1, width: 24, height: 14, rx });
    return entry(key, h("g.mp-swatch", { "data-lane": lane }, shape, ...sign));
  };
  const wires = Object.entries({ forward: "data", backward: "grad", saved: "savedWire" })
    .filter(([colour]) => colours.has(colour))
    .map(([colour, key]) => {
      const look = { "data-kind": colour, "data-colour": colour, "data-state": "done" };
      return entry(key, h("g.mp-wire", look, h("path", { d: "M0 8h26" })));
    });
  const operators = ["forward", "backward", "optimize"]
    .filter((lane) => lanes.size > 1 && lanes.has(lane))
    .map((lane) => swatch(`op_${lane}`, lane, 3));
  const kept = ["state", "parameter"].filter((kind) => kinds.has(kind)).slice(0, 1);
  const lasting = [...kept, ...["buffer"].filter((kind) => kinds.has(kind))].map((kind) =>
    swatch(`kind_${kind}`, "forward", 7, base(kind, 7, 19, 11.5)),
  );
  const into = h("path.mp-into", { d: "M8 4L14 8L8 12z" });
  const data = kinds.has("data") ? [swatch("kind_data", "forward", 7, into)] : [];
  return [...wires, ...operators, ...lasting, ...data];
}

// A scene becomes SVG elements. Names from the trace end up in text nodes and data attributes only.

import { html, svg } from "./dom.js";

const HEADING = 30; // room above the picture for the names of the lanes
const GAP = 4; // between badges
const SPECIAL = /^(pylayer|py_func)/; // the user's own ops have a double border
const LANES = { forward: "forward", backward: "backward", optimize: "optimize" };
let drawings = 0; // marker ids are shared by the whole page, so each drawing has its own

function markers(prefix) {
  return svg("defs", {}, ...["data", "grad", "saved", "order"].map((kind) => svg("marker",
    { id: `${prefix}-${kind}`, class: "mp-arrow", "data-kind": kind, viewBox: "0 0 8 8", refX: 7,
      refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" },
    svg("path", { d: "M0 0.5L8 4L0 7.5z" }))));
}

function drawWire(wire, prefix) {
  const attributes = { class: "mp-wire", "data-edge": wire.id, "data-kind": wire.kind,
    "data-state": "pending" };
  const line = svg("path", { d: wire.path, "marker-end": `url(#${prefix}-${wire.kind})` });
  const group = svg("g", attributes, line);
  if (wire.label && wire.label_at) {
    const [x, y] = wire.label_at;
    group.append(svg("text", { class: "mp-wire-label", x, y }, wire.label));
  }
  return group;
}

function drawToggle(name, label, opened, x, y, words) {
  const sign = svg("path", { d: opened ? "M-4 0h8" : "M-4 0h8M0 -4v8" });
  const key = words.say(opened ? "close" : "open");
  return svg("g", { class: "mp-toggle", role: "button", tabindex: "0", "data-toggle": name,
    "aria-expanded": String(opened), "aria-label": `${key} ${label}`,
    transform: `translate(${x} ${y})` }, svg("circle", { r: 9 }), sign);
}

function outline(box) {
  if (box.shape === "circle") {
    const [rx, ry] = [box.w / 2, box.h / 2];
    return svg("ellipse", { class: "mp-shape", cx: rx, cy: ry, rx, ry });
  }
  const rx = box.shape === "pill" ? box.h / 2 : box.shape === "tag" ? 3 : 7;
  return svg("rect", { class: "mp-shape", width: box.w, height: box.h, rx });
}

// Badges come with their widths, which viz/theme.py measured.
function drawBadges(badges, x, y) {
  let left = x;
  return badges.map(([text, width]) => {
    const badge = svg("g", { class: "mp-badge", transform: `translate(${left} ${y})` },
      svg("rect", { width, height: 16, rx: 8 }), svg("text", { x: width / 2, y: 11.5 }, text));
    left += width + GAP;
    return badge;
  });
}

function rowWidth(badges) {
  return badges.reduce((sum, [, width]) => sum + width + GAP, -GAP);
}

function drawBox(box, words) {
  const texts = [[box.label, "mp-label", 17], [box.detail, "mp-detail", 15]].filter(([text]) => text);
  const height = texts.reduce((sum, line) => sum + line[2], box.badges.length ? 20 : 0);
  let y = (box.h - height) / 2;
  const lines = texts.map(([text, name, step]) => {
    y += step;
    return svg("text", { class: name, x: box.w / 2, y: y - 4 }, text);
  });
  const about = [box.label, box.detail, ...box.badges.map(([text]) => text)].filter(Boolean);
  const group = svg("g", { class: "mp-box", "data-node": box.id, "data-kind": box.kind,
    "data-lane": box.lane, "data-shape": box.shape, "data-state": "pending",
    transform: `translate(${box.x} ${box.y})` }, svg("title", {}, about.join("\n")), outline(box));
  if (SPECIAL.test(box.kind)) {
    group.append(svg("rect", { class: "mp-inner", x: 3.5, y: 3.5, width: box.w - 7,
      height: box.h - 7, rx: 4 }));
  }
  group.append(...lines, ...drawBadges(box.badges, (box.w - rowWidth(box.badges)) / 2, y + 3));
  if (box.toggles) group.append(drawToggle(box.toggles, box.label, false, box.w, 0, words));
  return group;
}

function drawFrame(frame) {
  return svg("g", { class: "mp-frame", "data-group": frame.id, "data-kind": frame.kind,
    "data-lane": frame.lane, "data-state": "pending",
    transform: `translate(${frame.x} ${frame.y})` },
  svg("rect", { class: "mp-shape", width: frame.w, height: frame.h, rx: 10 }));
}

// The name of a frame stands above the wires that cross its border.
function drawFrameHead(frame, words) {
  const group = svg("g", { class: "mp-frame-head", "data-lane": frame.lane,
    transform: `translate(${frame.x} ${frame.y})` },
  svg("text", { class: "mp-label", x: 12, y: 19 }, frame.label),
  ...drawBadges(frame.badges, frame.w - rowWidth(frame.badges) - 18, 7));
  if (frame.toggles) group.append(drawToggle(frame.toggles, frame.label, true, frame.w, 0, words));
  return group;
}

function laneHeadings(scene, words) {
  return Object.keys(LANES).flatMap((lane) => {
    const boxes = scene.boxes.filter((box) => box.lane === lane);
    if (!boxes.length) return [];
    const left = Math.min(...boxes.map((box) => box.x));
    const right = Math.max(...boxes.map((box) => box.x + box.w));
    const text = svg("text", { class: "mp-lane-heading", "data-lane": lane,
      x: (left + right) / 2, y: -12 });
    text.textContent = `${words.say(LANES[lane])} ${lane === "backward" ? "↑" : "↓"}`;
    return [text];
  });
}

// The drawing and, by id, the parts whose state the steps change.
export function drawScene(scene, words) {
  const prefix = `mp${(drawings += 1)}`;
  const canvas = svg("svg", { class: "mp-svg", role: "group",
    viewBox: `0 ${-HEADING} ${scene.width} ${scene.height + HEADING}` }, markers(prefix));
  const parts = new Map();
  const keep = (id, element) => {
    if (!parts.has(id)) parts.set(id, []);
    parts.get(id).push(element);
    return element;
  };
  canvas.append(...scene.frames.map((frame) => keep(frame.id, drawFrame(frame))));
  canvas.append(...scene.wires.map((wire) => keep(wire.id, drawWire(wire, prefix))));
  canvas.append(...scene.frames.map((frame) => drawFrameHead(frame, words)));
  canvas.append(...scene.boxes.map((box) => keep(box.id, drawBox(box, words))));
  canvas.append(...laneHeadings(scene, words));
  return { canvas, parts, width: scene.width, height: scene.height + HEADING, top: -HEADING };
}

export function drawLegend(words) {
  const entries = [["data", "data"], ["grad", "grad"], ["saved", "savedWire"]];
  return html("ul", { class: "mp-legend" }, ...entries.map(([kind, key]) => html("li", {},
    svg("svg", { viewBox: "0 0 26 8", "aria-hidden": "true", class: "mp-wire", "data-kind": kind,
      "data-state": "done" }, svg("path", { d: "M0 4h26" })),
    words.label(html("span"), key))));
}

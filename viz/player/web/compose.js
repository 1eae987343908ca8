// A scene from a blueprint and the names of the open groups, computed without any search, like
// viz/layout/compose.py; tests/javascript/test_compose.py compares both.

import { blueprintOf } from "./blueprint.js";
import { pathText, pointsOn } from "./curves.js";
import { createRoom, labelArea, placeLabels, tenth, withMore } from "./labels.js";
import { renderMessage } from "./message.js";
import { raise } from "./numbers.js";
import { placeRow } from "./packing.js";
import { findThreads, lookAt, setRows, turnsByLoop } from "./parts.js";
import { legsOf, middleOf, planWires, routeWires, TRACK } from "./routes.js";

/** @import { Blueprint, Container, Item } from "./blueprint.js" */
/** @import { Area } from "./labels.js" */
/** @import { Part, Seen, Thread } from "./parts.js" */
/** @import { BoxLook, Graph, GroupLook, Said } from "./payload.d.ts" */
/** @import { Plan } from "./routes.js" */

const ROW_GAP = 34; // least space between rows
const RUNS_BELOW = 20; // space between the frames that end above a gap and its first run
const CORRIDOR = 56; // least distance between lanes
const BESIDE_CLIMBS = 28;
const BESIDE_LABEL = 26;
const BORDER = 24;
const LANE_TITLE = 40; // height of the names of lanes, above the first row
const [PAD, HEAD, FOOT] = [16, 32, 14]; // space between a frame and its members: sides, top, bottom
const [SLOPE, LEVEL, STEEPEST] = [0.09, 120, 44]; // extra height of gaps, like in compose.py
const BESIDE = 7; // space between the last label and the border
const CROWDED = 300; // number of wires from which labels may cross some

/** @typedef {Map<Thread, [string, number][]>} Texts */
/** @typedef {ReturnType<typeof compose>} Scene */
/** @typedef {Scene["wires"][number]} Wire */
/** @typedef {Scene["lanes"][number]} Lane */
/** @typedef {ReturnType<typeof frameOf>} Frame */
/** @typedef {ReturnType<typeof boxOf> & { mark?: string }} Box */
/** @typedef {ReturnType<typeof faceOf>} BoxFace */
/**
 * Content of a box or a frame, without its place.
 * @typedef {Partial<BoxFace> & Omit<BoxFace, "detail" | "shape" | "tag_of">} Face
 */

/**
 * Compose the scene with these groups open.
 * @param {Graph} graph
 * @param {ReadonlySet<string>} open
 */
export function compose(graph, open) {
  const blueprint = blueprintOf(graph);
  const seen = lookAt(blueprint, open);
  const threads = findThreads(blueprint, seen);
  setRows(seen, threads);
  const widths = setX(seen, threads);
  const { plans, tracks, runs } = planWires(seen, threads);
  const texts = neededTexts(threads);
  const across = placeLanes(blueprint, seen, threads, widths, plans, tracks, texts);
  const down = stackRows(seen, threads, runs);
  const stage = { parts: seen.parts, corridors: across.corridors, ...down };
  routeWires(threads, plans, stage);
  const boxes = seen.boxes.map((part) => boxOf(part, middleOf(stage, part), seen));
  const turns = turnsByLoop(blueprint.groups);
  const frames = seen.frames.map((part) => frameOf(part, down.frames, turns));
  const room = createRoom();
  for (const box of boxes) room.take([box.x, box.y, box.x + box.w, box.y + box.h]);
  for (const [k, frame] of frames.entries()) {
    room.frame(frame.x, frame.y, frame.w, frame.h);
    for (const area of headAreas(seen.frames[k].item, frame)) room.take(area);
  }
  if (threads.length <= CROWDED) for (const { path } of threads) room.draw(pointsOn(path));
  const labels = placeLabels(texts, room);
  const areas = [...labels.values()].map(({ at, width }) => labelArea(at, width));
  const right = areas.reduce((most, [, , end]) => Math.max(most, end), 0);
  const wires = threads.map((thread) => {
    const { id, look } = thread.wire;
    const titles = thread.merged.map(({ label: [text, title] }) => title ?? text);
    const label = labels.get(thread);
    const [x, y] = label?.at ?? thread.stations[0];
    return {
      id,
      kind: look.kind,
      source: thread.source.item.id,
      target: thread.target.item.id,
      path: pathText(thread.path),
      label: label?.text ?? "",
      label_at: [tenth(x), tenth(y)],
      colour: look.colour,
      title: [...new Set(titles.filter(Boolean))].join(", "),
    };
  });
  const resolve = resolverOf(blueprint, seen, threads);
  const marked = new Set(blueprint.marked.map(resolve));
  return {
    width: tenth(Math.max(across.width, right + BESIDE)),
    height: tenth(down.height),
    boxes: boxes.map((box) => {
      const [x, y] = [tenth(box.x), tenth(box.y)];
      return { ...box, x, y, ...(marked.has(box.id) && { mark: "differs" }) };
    }),
    wires,
    frames: frames.map((frame) => {
      const [x, y, w, h] = [frame.x, frame.y, frame.w, frame.h].map(tenth);
      return { ...frame, x, y, w, h };
    }),
    lanes: across.lanes,
    resolve,
  };
}

/**
 * Return a function that maps an id to the visible id in its place, or undefined.
 * @param {Blueprint} blueprint
 * @param {Seen} seen
 * @param {Thread[]} threads
 */
function resolverOf(blueprint, seen, threads) {
  const frames = new Map(seen.frames.map(({ item }) => [item, item.group?.id]));
  const wires = new Map(
    threads.flatMap((thread) => thread.merged.map((wire) => [wire.id, thread.wire.id])),
  );
  /** @param {string} id */
  return (id) => {
    const item = blueprint.named.get(id);
    if (!item) return wires.get(id);
    const shown = seen.stands.get(item) ?? item;
    return frames.get(shown) ?? (seen.parts.has(shown) ? shown.id : undefined);
  };
}

// ----- x coordinates -----

/**
 * Set the x of every part, packed from the inside out; return the widths of the lanes.
 * @param {Seen} seen
 * @param {Thread[]} threads
 */
function setX(seen, threads) {
  /** @type {Map<Container, Map<Item, Part>>} */
  const members = new Map(seen.containers.map((container) => [container, new Map()]));
  const slims = threads.flatMap((thread) => thread.slims);
  for (const part of [...seen.boxes, ...seen.frames, ...slims]) {
    members.get(part.item.container)?.set(part.item, part);
  }
  /** @type {Map<Container, number>} */
  const widths = new Map();
  for (const container of seen.containers.toReversed()) {
    const parts = members.get(container) ?? new Map();
    const xs = placeRow(container.items, container.rows, container.blocks, parts);
    let [left, right] = parts.size ? [Infinity, -Infinity] : [0, 0];
    for (const part of parts.values()) {
      part.x = xs.get(part.item) ?? 0;
      left = Math.min(left, part.x - part.left);
      right = Math.max(right, part.x + part.right);
    }
    let anchor = left;
    const frame = container.around ? seen.parts.get(container.around) : undefined;
    if (frame) {
      const spine = container.anchors.find((item) => xs.has(item));
      anchor = spine ? (xs.get(spine) ?? 0) : (left + right) / 2;
      frame.left = Math.max(anchor - left + PAD, container.head[0]);
      frame.right = Math.max(right - anchor + PAD, container.head[1]);
    } else {
      widths.set(container, right - left);
    }
    for (const part of parts.values()) part.x -= anchor;
  }
  for (const container of seen.containers) {
    const frame = container.around ? seen.parts.get(container.around) : undefined;
    if (frame) for (const part of members.get(container)?.values() ?? []) part.x += frame.x;
  }
  return widths;
}

/**
 * Place the lanes side by side, with corridors for wires that climb and their labels.
 * @param {Blueprint} blueprint
 * @param {Seen} seen
 * @param {Thread[]} threads
 * @param {Map<Container, number>} widths
 * @param {Plan[]} plans
 * @param {Map<number, number>} tracks
 * @param {Texts} texts
 */
function placeLanes(blueprint, seen, threads, widths, plans, tracks, texts) {
  /** @param {number} corridor */
  const climbs = (corridor) => {
    const count = tracks.get(corridor) ?? 0;
    return count ? count * TRACK + BESIDE_CLIMBS : 0;
  };
  const asked = labelRoom(plans, texts, widths);
  let x = BORDER;
  /** @type {number[]} */
  const corridors = [];
  /** @type {{ name: string, column: number, x: number, w: number }[]} */
  const lanes = [];
  const starts = new Map();
  for (const strip of blueprint.containers.slice(0, blueprint.lanes)) {
    corridors.push(x);
    x += climbs(strip.number);
    const label = asked.get(strip.number) ?? 0;
    if (strip.number) x = Math.max(x, (corridors.at(-1) ?? 0) + Math.max(CORRIDOR, label));
    starts.set(strip, x);
    const width = widths.get(strip) ?? 0;
    lanes.push({ ...strip.lane, x: tenth(x), w: tenth(width) });
    x += width;
  }
  corridors.push(x);
  x += climbs(lanes.length);
  const slims = threads.flatMap((thread) => thread.slims);
  for (const part of [...seen.parts.values(), ...slims]) part.x += starts.get(part.lane);
  return { corridors, lanes, width: x + BORDER };
}

/**
 * Map corridors to the width that the labels of their straight wires need.
 * @param {Plan[]} plans
 * @param {Texts} texts
 * @param {Map<Container, number>} widths
 */
function labelRoom(plans, texts, widths) {
  /** @type {Map<number, number>} */
  const room = new Map();
  for (const { thread, side, leave, enter, corridor } of plans) {
    const text = texts.get(thread);
    if (!text || !side || leave || enter) continue;
    const [left, right] = [thread.source, thread.target].sort(
      (a, b) => a.lane.number - b.lane.number,
    );
    // length of the wire in its two lanes, if it crosses no frame there
    const bare = left.item.container === left.lane && right.item.container === right.lane;
    const slack = bare
      ? (widths.get(left.lane) ?? 0) - left.x - left.right + right.x - right.left
      : 0;
    const asked = text[0][1] + BESIDE_LABEL - slack;
    raise(room, corridor, asked);
  }
  return room;
}

/**
 * Return the labels of wires that the boxes at their ends do not already show.
 * @param {Thread[]} threads
 * @returns {Texts}
 */
function neededTexts(threads) {
  /** @type {Texts} */
  const texts = new Map();
  const named = new Set();
  for (const thread of threads) {
    const [label, , own] = thread.wire.label;
    const isSame = thread.merged.every(({ label: [other] }) => !other || other === label);
    const says = isSame ? own : withMore(own);
    const [source, target] = [thread.source.item.look, thread.target.item.look];
    if (!says.length || !source || !target) continue;
    const repeats =
      source.kind === "leaf_grad" ||
      target.kind === "leaf_grad" ||
      [source, target].some((look) => label === (look.name ?? look.label)) ||
      source.detail.startsWith(`${label}: `);
    const key = `${thread.source.item.number} ${says[0][0]}`;
    if (repeats || named.has(key)) continue;
    named.add(key); // name a tensor once for all its users
    texts.set(thread, says);
  }
  return texts;
}

// ----- y coordinates -----

/**
 * Stack the rows, with gaps wide enough for frames, runs and slopes.
 * @param {Seen} seen
 * @param {Thread[]} threads
 * @param {Map<number, number>} runs
 */
function stackRows(seen, threads, runs) {
  const count = seen.boxes.reduce((most, { bottom }) => Math.max(most, bottom + 1), 1);
  /** @param {number} length */
  const zeros = (length) => new Array(length).fill(0);
  const [tall, topRoom, bottomRoom] = [zeros(count), zeros(count + 1), zeros(count + 1)];
  for (const { top, item } of seen.boxes) tall[top] = Math.max(tall[top], item.look?.h ?? 0);
  const { heads, feet } = frameRoom(seen);
  for (const frame of seen.frames) {
    const [top, below] = [frame.top, frame.bottom + 1];
    topRoom[top] = Math.max(topRoom[top], heads.get(frame) ?? 0);
    bottomRoom[below] = Math.max(bottomRoom[below], feet.get(frame) ?? 0);
  }
  const slopes = zeros(count + 1);
  for (const thread of threads) {
    if (thread.own.look.way !== "flow") continue;
    const legs = legsOf(thread, seen.parts);
    for (let k = 1; k < legs.length; k += 1) {
      const wide = Math.abs(legs[k - 1].part.x - legs[k].part.x);
      slopes[legs[k].top] = Math.max(slopes[legs[k].top], wide);
    }
  }
  let y = BORDER + LANE_TITLE;
  /** @type {number[][]} */
  const [rowTop, rowBottom, runsAt] = [[], [], []];
  for (let gap = 0; gap <= count; gap += 1) {
    runsAt.push(y + bottomRoom[gap] + RUNS_BELOW);
    const height = (runs.get(gap) ?? 0) * TRACK;
    const slope = Math.min(STEEPEST, SLOPE * Math.max(0, slopes[gap] - LEVEL));
    const outer = gap === 0 || gap === count;
    y += bottomRoom[gap] + (outer ? height : ROW_GAP + height + slope) + topRoom[gap];
    if (gap === count) break;
    rowTop.push(y);
    y += tall[gap];
    rowBottom.push(y);
  }
  /** @type {Map<Part, [number, number]>} */
  const frames = new Map(
    seen.frames.map((frame) => [
      frame,
      [
        rowTop[frame.top] - (heads.get(frame) ?? 0),
        rowBottom[frame.bottom] + (feet.get(frame) ?? 0),
      ],
    ]),
  );
  return { rowTop, rowBottom, runsAt, frames, height: y + BORDER };
}

/**
 * Return how far each frame reaches above its first and below its last row; twins agree.
 * @param {Seen} seen
 */
function frameRoom(seen) {
  /** @type {Map<number, number>[]} */
  const [above, below] = [new Map(), new Map()]; // group -> room that the frames in it need
  /** @type {Map<Part, number>[]} */
  const [heads, feet] = [new Map(), new Map()];
  for (const { around, space } of seen.containers.toReversed()) {
    const frame = around ? seen.parts.get(around) : undefined;
    if (!around || !frame) continue;
    const [head, foot] = [HEAD + (above.get(space) ?? 0), FOOT + (below.get(space) ?? 0)];
    heads.set(frame, head);
    feet.set(frame, foot);
    const outer = around.container;
    const outside = outer.around ? seen.parts.get(outer.around) : undefined;
    if (outside?.top === frame.top) raise(above, outer.space, head);
    if (outside?.bottom === frame.bottom) raise(below, outer.space, foot);
  }
  return { heads, feet };
}

// ----- boxes and frames -----

/**
 * @param {Part} part
 * @param {number} middle
 * @param {Seen} seen
 */
function boxOf({ item, x }, middle, { runs }) {
  const { w, h } = /** @type {BoxLook} */ (item.look); // only tall parts of wires have no look
  const run = runs.get(item);
  const face = faceOf(item, run?.last);
  const toggles = run?.opens ?? face.toggles;
  return { ...face, toggles, several: Boolean(run), x: x - w / 2, y: middle - h / 2, w, h };
}

/**
 * Return the label of all that comes from a first to a last one, like `between` of viz/model.py.
 * @type {(first: Said, last: Said) => Said}
 */
function join(first, last) {
  if (typeof first === "string" && typeof last === "string") {
    const others = last.split(" ");
    const words = first.split(" ").map((word, at) => [word, others[at]]);
    return words.map(([one, other]) => (one === other ? one : `${one} … ${other}`)).join(" ");
  }
  const [one, other] = /** @type {Record<string, string>[]} */ ([first, last]);
  return Object.fromEntries(Object.keys(one).map((lang) => [lang, join(one[lang], other[lang])]));
}

/**
 * Return the content of a box, without its place; `last` is the last of several turns.
 * @param {Item} item
 * @param {Item} [last]
 */
export function faceOf(item, last) {
  const look = /** @type {BoxLook} */ (item.look);
  const { kind, lane, detail, badges, shape } = look;
  const label = last?.look ? join(look.label, last.look.label) : look.label;
  const said = [label, detail, ...badges.map(([, text]) => text)];
  return {
    id: item.id,
    kind,
    lane,
    label,
    detail,
    badges,
    shape,
    tag_of: item.repeats,
    title: (last ? null : look.title) ?? joinTexts(said.filter((each) => each)),
    toggles: item.group?.toggles ?? null,
  };
}

/**
 * Join several texts into one: in each language, if one of them has several.
 * @type {(said: Said[]) => Said}
 */
function joinTexts(said) {
  const words = said.find((each) => typeof each !== "string");
  /** @type {(lang: string) => string} */
  const row = (lang) =>
    said.map((each) => (typeof each === "string" ? each : renderMessage(each, lang))).join(" · ");
  if (!words || typeof words === "string") return row("en");
  const langs = Object.keys(words).filter((key) => key !== "slots");
  return Object.fromEntries(langs.map((lang) => [lang, row(lang)]));
}

/**
 * Return a frame; that of a turn has the names of the turns before and after it.
 * @param {Part} part
 * @param {Map<Part, [number, number]>} heights
 * @param {Map<Container, Item[]>} turns
 */
function frameOf(part, heights, turns) {
  const row = turns.get(part.item.container) ?? [];
  const at = row.indexOf(part.item);
  const beside = at < 0 ? [] : [at - 1, at + 1].map((k) => row[k]?.group ?? null);
  const [y, bottom] = heights.get(part) ?? [0, 0];
  const { item: _, ...face } = /** @type {GroupLook} */ (part.item.group);
  const lane = part.item.look?.lane ?? "";
  return {
    ...face,
    beside,
    lane,
    x: part.x - part.left,
    y,
    w: part.left + part.right,
    h: bottom - y,
  };
}

/**
 * Return the areas of a frame's name and badges.
 * @param {Item} item
 * @param {Frame} frame
 * @returns {Area[]}
 */
function headAreas(item, { x, y, w }) {
  const [left, right] = (item.inside?.head ?? [26, 26]).map((side) => side - 26);
  return [
    [x + 14, y + 6, x + 14 + left, y + 26],
    [x + w - 14 - right, y + 6, x + w - 14, y + 26],
  ];
}

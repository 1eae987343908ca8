// Visible parts of a blueprint with some groups open (viz/layout/fold.py).

import { meeting } from "./blueprint.js";
import { appendTo } from "./numbers.js";

/** @import { Blueprint, Container, Item, WireItem } from "./blueprint.js" */
/** @import { Command, Point } from "./curves.js" */
/** @import { Slot } from "./routes.js" */

/**
 * Item in a picture: its rows, the rows of its container's row, and its x.
 * @typedef {object} Part
 * @property {Item} item
 * @property {Container} lane
 * @property {number} top
 * @property {number} bottom
 * @property {number} first
 * @property {number} last
 * @property {number} left
 * @property {number} right
 * @property {number} x
 */

/**
 * Wire in a picture: `wire` names it, `own` is its layout, `merged` are the wires it shows.
 * @typedef {object} Thread
 * @property {WireItem} wire
 * @property {WireItem} own
 * @property {Part} source
 * @property {Part} target
 * @property {Part} upper
 * @property {Part} lower
 * @property {WireItem[]} merged
 * @property {Part[]} slims
 * @property {[Item, Item]} ends  the upper and the lower end, or their groups, in one container
 * @property {Map<Part, number>} ports  box -> x at which the wire meets it from above or below
 * @property {Map<Part, Slot>} slots  box -> place where the wire meets its side
 * @property {Point[]} stations  points from source to target
 * @property {Command[]} path
 */

/**
 * @typedef {object} Seen
 * @property {Part[]} boxes
 * @property {Part[]} frames
 * @property {Container[]} containers
 * @property {Map<Item, Part>} parts
 * @property {Map<Item, Item>} stands
 * @property {Map<Item, Run>} runs  the box of several closed turns, that of the first one -> run
 */

/** @typedef {{ last: Item, opens: string }} Run  the last turn, and the one beside an open turn */

/** @type {(item: Item, reach?: number) => Part} */
const newPart = (item, reach = 0) => ({
  item,
  lane: item.container.strip,
  top: 0,
  bottom: 0,
  first: 0,
  last: 0,
  left: reach,
  right: reach,
  x: 0,
});

/**
 * Return the visible boxes and frames, and the visible item in place of each hidden one.
 * @param {Blueprint} blueprint
 * @param {ReadonlySet<string>} open
 * @returns {Seen}
 */
export function lookAt(blueprint, open) {
  /** @type {Map<Container | null, Item | null>} */
  const hidden = new Map();
  const opened = new Set();
  for (const container of blueprint.containers) {
    const group = container.around;
    const outer = group ? (hidden.get(group.container) ?? null) : null;
    const closed = group && !outer && !open.has(group.group?.toggles ?? "");
    if (group && !outer && !closed) opened.add(group);
    hidden.set(container, closed ? group : outer);
  }
  const { items, groups, containers } = blueprint;
  const rows = runsIn(groups, hidden);
  const one = new Map(rows.flatMap(({ row }) => row.map((item) => [item, row[0]])));
  const stands = new Map(
    items.map((item) => {
      const place = hidden.get(item.container) ?? item;
      return [item, one.get(place) ?? place];
    }),
  );
  const plain = new Set(items.filter((item) => stands.get(item) === item && !opened.has(item)));
  /** @param {Item} item */
  const isBox = (item) =>
    plain.has(item) &&
    (!item.leaf || !item.beside || (plain.has(item.leaf) && plain.has(item.beside)));
  const boxes = items.filter(isBox).map((item) => newPart(item, (item.look?.w ?? 0) / 2));
  const filled = new Set();
  for (const { item } of boxes) {
    let around = item.container.around;
    while (around && !filled.has(around)) {
      filled.add(around);
      around = around.container.around;
    }
  }
  const frames = groups.filter((item) => filled.has(item)).map((item) => newPart(item));
  return {
    boxes,
    frames,
    containers: containers.filter(({ around }) => !around || filled.has(around)),
    parts: new Map([...boxes, ...frames].map((part) => [part.item, part])),
    stands,
    runs: new Map(
      rows.map(({ row, next }) => {
        const last = row[row.length - 1];
        return [row[0], { last, opens: (next ? last : row[0]).group?.toggles ?? "" }];
      }),
    ),
  };
}

/**
 * Return the rows of closed turns beside each other in open loops; `next`: an open turn follows.
 * @param {Item[]} groups
 * @param {Map<Container | null, Item | null>} hidden
 */
function runsIn(groups, hidden) {
  /** @type {{ row: Item[], next: boolean }[]} */
  const runs = [];
  for (const turns of turnsByLoop(groups).values()) {
    /** @type {Item[]} */
    let row = [];
    const end = (next = false) => {
      if (row.length > 1) runs.push({ row, next });
      row = [];
    };
    for (const turn of turns) {
      if (hidden.get(turn.inside) === turn) row.push(turn);
      else end(true);
    }
    end();
  }
  return runs;
}

/**
 * Return the turns of each loop, in each lane, in their order.
 * @param {Item[]} groups
 */
export function turnsByLoop(groups) {
  /** @type {Map<Container, Item[]>} */
  const turns = new Map();
  for (const item of groups) {
    const { kind = "" } = item.container.around?.group ?? {};
    if (kind === "loop" || kind === "row") appendTo(turns, item.container, item);
  }
  for (const row of turns.values()) row.sort((one, other) => one.top - other.top);
  return turns;
}

/**
 * Return the wires between visible boxes; those of one kind at a closed group are merged.
 * @param {Blueprint} blueprint
 * @param {Seen} seen
 */
export function findThreads(blueprint, seen) {
  const boxes = new Map(seen.boxes.map((part) => [part.item, part]));
  const shown = new Set(seen.containers);
  /** @type {Map<string, Thread>} */
  const merged = new Map();
  /** @type {Thread[]} */
  const threads = [];
  /** @type {(one: Item, other: Item, kind: string) => string} */
  const keyOf = (one, other, kind) => `${one.number} ${other.number} ${kind}`;
  /** @type {Map<string, WireItem>} */
  const tagged = new Map();
  for (const { leaf, look, tagged: own } of blueprint.wires) {
    for (const [user, short] of own) if (leaf) tagged.set(keyOf(leaf, user, look.kind), short);
  }
  for (const wire of blueprint.wires) {
    let [one, other] = [seen.stands.get(wire.source), seen.stands.get(wire.target)];
    if (!one || !other || one === other || !boxes.has(one) || !boxes.has(other)) continue;
    let own = wire;
    if (wire.leaf && (wire.leaf === one || wire.leaf === other)) {
      const user = wire.leaf === one ? other : one;
      // The wires of all turns of a run end at the tag beside its box.
      const short = wire.tagged.get(user) ?? tagged.get(keyOf(wire.leaf, user, wire.look.kind));
      if (short && boxes.has(short.source) && boxes.has(short.target)) {
        own = short;
        [one, other] = [short.source, short.target];
      }
    }
    const [source, target] = [boxes.get(one), boxes.get(other)];
    if (!source || !target) continue;
    const key = keyOf(one, other, wire.look.kind);
    const same = merged.get(key);
    if (same) {
      same.merged.push(wire);
      const [mine, its] = [own.look, same.own.look];
      if ((mine.spine && !its.spine) || (mine.way && !its.way)) same.own = own;
      continue;
    }
    /** @type {Thread} */
    const thread = {
      wire,
      own,
      source,
      target,
      upper: source,
      lower: target,
      merged: [wire],
      slims: [],
      ends: [one, other],
      ports: new Map(),
      slots: new Map(),
      stations: [],
      path: [],
    };
    threads.push(thread);
    if (one.group || other.group) merged.set(key, thread);
  }
  for (const thread of threads) {
    const { own, source, target } = thread;
    [thread.upper, thread.lower] = own.look.up ? [target, source] : [source, target];
    thread.ends = meeting(thread.upper.item, thread.lower.item);
    thread.slims = own.slims
      .filter((slim) => shown.has(slim.container))
      .map((slim) => newPart(slim, 4));
  }
  return threads;
}

/**
 * Set the rows of the picture that each part occupies.
 * @param {Seen} seen
 * @param {Thread[]} threads
 */
export function setRows(seen, threads) {
  /** @type {Map<Container, Part[]>} */
  const inside = new Map(seen.containers.map((container) => [container, []]));
  for (const part of [...seen.boxes, ...seen.frames]) inside.get(part.item.container)?.push(part);
  const framed = new Set(seen.frames);
  /** @type {Map<number, Map<number, number>>} */
  const sizes = new Map(seen.containers.map(({ space }) => [space, new Map()]));
  /** @param {Part} part */
  const tall = (part) => {
    if (!framed.has(part)) return 1;
    const rows = sizes.get(part.item.inside?.space ?? -1)?.values() ?? [];
    return [...rows].reduce((sum, rows) => sum + rows, 0);
  };
  for (const container of seen.containers.toReversed()) {
    const size = sizes.get(container.space);
    for (const part of inside.get(container) ?? []) {
      size?.set(part.item.top, Math.max(size.get(part.item.top) ?? 1, tall(part)));
    }
  }
  /** @type {Map<number, Map<number, number>>} */
  const starts = new Map();
  const begin = new Map();
  for (const { space } of seen.containers.filter(({ around }) => !around)) begin.set(space, 0);
  for (const container of seen.containers) {
    const { space } = container;
    const size = sizes.get(space) ?? new Map();
    let start = starts.get(space);
    if (!start) {
      start = new Map();
      starts.set(space, start);
      let row = begin.get(space) ?? 0;
      for (const local of [...size.keys()].sort((a, b) => a - b)) {
        start.set(local, row);
        row += size.get(local);
      }
    }
    for (const part of inside.get(container) ?? []) {
      const [rows, room] = [tall(part), size.get(part.item.top)];
      part.first = start.get(part.item.top) ?? 0;
      part.last = part.first + room - 1;
      part.top = part.first + (part.item.low ? room - rows : Math.floor((room - rows) / 2));
      part.bottom = part.top + rows - 1;
      if (framed.has(part)) begin.set(part.item.inside?.space, part.top);
    }
  }
  for (const thread of threads) {
    thread.slims = thread.slims.filter((slim) => {
      const { top, bottom, container } = slim.item;
      const start = starts.get(container.space) ?? new Map();
      const passed = [];
      for (let row = top; row <= bottom; row += 1) if (start.has(row)) passed.push(row);
      if (!passed.length) return false;
      const last = passed[passed.length - 1];
      const below = start.get(last) + (sizes.get(container.space)?.get(last) ?? 1);
      // Wires of a run end in the row of its first turn, whichever turn they come from.
      slim.top = Math.max(start.get(passed[0]), thread.upper.bottom + 1);
      slim.bottom = Math.min(below, thread.lower.top) - 1;
      return slim.top <= slim.bottom;
    });
  }
}

// The blueprint of a graph (viz/layout/blueprint.py) as objects. In the payload it is columns and
// tables, because a large graph has few kinds of boxes and wires.

import { getOrMake } from "./numbers.js";

/** @import { BoxLook, Graph, GroupLook, LabelRow, WireLook } from "./payload.d.ts" */

/**
 * Lane, or inside of a group. `rows` have the items from left to right, `blocks` the blocks of the
 * four packings, item by item.
 * @typedef {object} Container
 * @property {number} number
 * @property {{ name: string, column: number }} lane
 * @property {Container} strip  the container of the lane
 * @property {number} space  containers of one space share their rows
 * @property {Item | null} around
 * @property {Item[]} items
 * @property {Item[][]} rows
 * @property {number[][]} blocks
 * @property {Item[]} anchors
 * @property {[number, number]} head  room for a frame's name, left and right of the anchor
 */

/**
 * Box, group, or tall part of a wire, which has no look. A tag is visible if both its leaf and the
 * box beside it are.
 * @typedef {object} Item
 * @property {number} number
 * @property {string} id
 * @property {Container} container
 * @property {number} top  first row in its container
 * @property {number} bottom
 * @property {boolean} low
 * @property {BoxLook | null} look
 * @property {GroupLook | null} group
 * @property {Container | null} inside
 * @property {Item | null} leaf
 * @property {Item | null} beside
 * @property {string | null} repeats  id of the box that this one repeats
 */

/**
 * @typedef {object} WireItem
 * @property {string} id
 * @property {number} number
 * @property {WireLook} look
 * @property {LabelRow} label
 * @property {Item} source
 * @property {Item} target
 * @property {Item[]} slims
 * @property {Item | null} leaf
 * @property {Map<Item, WireItem>} tagged  wires to tags that replace this wire
 */

/**
 * @typedef {object} Blueprint
 * @property {number} lanes
 * @property {Container[]} containers
 * @property {Item[]} items  without the tall parts of wires
 * @property {Item[]} groups
 * @property {WireItem[]} wires
 * @property {Map<string, Item>} named  id of a box or frame -> item
 * @property {string[]} marked
 */

/** @type {WeakMap<Graph, Blueprint>} */
const READ = new WeakMap();

/**
 * @param {Graph} graph
 * @returns {Blueprint}
 */
export const blueprintOf = (graph) => getOrMake(READ, graph, () => readBlueprint(graph));

/**
 * @param {Graph} graph
 * @returns {Blueprint}
 */
function readBlueprint(graph) {
  /** @type {Item[]} */
  const every = []; // boxes, then the tall parts of wires
  /** @type {(number: number) => Item} */
  const item = (number) => {
    every[number] ??= {
      number,
      id: graph.ids[number] ?? "",
      container: containers[0],
      top: -1,
      bottom: -1,
      low: graph.low[number] === "1",
      look: graph.looks[graph.look[number]] ?? null,
      group: null,
      inside: null,
      leaf: null,
      beside: null,
      repeats: null,
    };
    return every[number];
  };
  /** @type {Container[]} */
  const containers = [];
  for (const [number, part] of graph.containers.entries()) {
    const [name, column] = graph.lanes[number] ?? ["", 0];
    const around = name ? null : item(graph.groups[part.group ?? -1].item);
    const rows = part.rows.map((row) => (typeof row === "number" ? [row] : row).map(item));
    /** @type {Container} */
    const container = {
      number,
      lane: { name, column },
      strip: /** @type {any} */ (null),
      space: part.space,
      around,
      items: [...new Set(rows.flat())].sort((one, other) => one.number - other.number),
      rows,
      blocks: part.blocks.map((blocks) => blocks ?? part.blocks[0] ?? []),
      anchors: part.anchors.map(item),
      head: part.head ?? [0, 0],
    };
    containers.push(container);
    for (const [row, some] of rows.entries()) {
      for (const one of some) {
        one.container = container;
        if (one.top < 0) one.top = row;
        one.bottom = row;
      }
    }
    if (around) around.inside = container;
  }
  for (const container of containers) {
    container.strip = container.around ? container.around.container.strip : container;
    container.lane = container.strip.lane;
  }
  for (const look of graph.groups) item(look.item).group = look;
  for (const [tag, leaf, beside] of graph.tags) {
    const repeats = item(leaf).id;
    Object.assign(item(tag), { leaf: item(leaf), beside: item(beside), repeats });
  }
  for (const [number, tensor] of graph.repeats) item(number).repeats = tensor;
  /** @type {(number: number, row: number[]) => WireItem} */
  const wireOf = (number, [source, target, look, label, ...slims]) => ({
    id: graph.wire_ids[number],
    number,
    look: graph.wire_looks[look],
    label: graph.labels[label],
    source: item(source),
    target: item(target),
    slims: slims.map(item),
    leaf: null,
    tagged: new Map(),
  });
  const wires = graph.wires.map((row, number) => wireOf(number, row));
  for (const [number, leaf, user, ...row] of graph.tagged) {
    wires[number].leaf = item(leaf);
    wires[number].tagged.set(item(user), wireOf(number, row));
  }
  const items = graph.ids.map((_, number) => item(number));
  const groups = graph.groups.map((look) => item(look.item));
  const named = new Map(items.map((each) => [each.id, each]));
  for (const group of groups) named.set(group.group?.id ?? "", group);
  const marked = graph.marked ?? [];
  return { lanes: graph.lanes.length, containers, items, groups, wires, named, marked };
}

/**
 * Return an item, the group around it, the group around that, and so on.
 * @param {Item} start
 */
export function outwards(start) {
  const way = [];
  for (let at = /** @type {Item | null} */ (start); at; at = at.container.around) way.push(at);
  return way;
}

/**
 * Return two items, or the groups around them, that share their rows.
 * @type {(one: Item, other: Item) => [Item, Item]}
 */
export function meeting(one, other) {
  const within = new Map(outwards(one).map((item) => [item.container.space, item]));
  const second = outwards(other).find((item) => within.has(item.container.space)) ?? other;
  return [within.get(second.container.space) ?? one, second];
}

/**
 * Return the boxes that are called alike, in the order of their graph.
 * @type {(items: Item[], one: Item) => Item[]}
 */
function namesakes(items, { look }) {
  /** @param {BoxLook | null} each */
  const key = (each) => JSON.stringify([each?.kind, each?.lane, each?.name ?? each?.label]);
  const wanted = key(look);
  return items.filter((item) => key(item.look) === wanted);
}

/**
 * Return the same box of another graph: each graph numbers its boxes for itself, so it
 * is called alike, and of several that are it is the first one, the second one, and so on.
 * @param {Graph} graph
 * @param {string} id  of a box, or of a frame
 * @param {Graph} other
 * @returns {string | null}
 */
export function counterpart(graph, id, other) {
  if (graph === other) return id;
  const here = blueprintOf(graph);
  const item = here.named.get(id);
  if (!item) return null;
  const at = namesakes(here.items, item).indexOf(item);
  const found = namesakes(blueprintOf(other).items, item)[at];
  return (item.id === id ? found?.id : found?.group?.id) ?? null;
}

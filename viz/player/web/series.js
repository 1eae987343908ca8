// What a box, a parameter or an element was in each round. All rounds are asked at once, so they are
// read as they travelled, without unpacking one.

import { blueprintOf, outwards } from "./blueprint.js";
import { larger } from "./colour.js";
import { elementAt } from "./formula.js";
import { nameIn } from "./unpack.js";

/** @import { Graph, Num, Scalar } from "./payload.d.ts" */
/** @import { Book } from "./unpack.js" */

/**
 * One thing in each round; null where it is not known.
 * @typedef {(Num | null)[]} Series
 */

/**
 * A value that a step shows.
 * @typedef {{ name: string, role: string, node: string | null }} Entry
 */

/**
 * The boxes whose largest size is that of a box: of a group those inside, of a repetition the tensor.
 * @param {Graph} graph
 * @param {string} id
 */
export function membersOf(graph, id) {
  const { named, items } = blueprintOf(graph);
  const box = named.get(id);
  if (!box) return new Set([id]);
  if (box.repeats) return new Set([box.repeats]);
  const inside = box.group ? items.filter((item) => outwards(item).includes(box)) : [box];
  return new Set(inside.map((item) => item.id));
}

/**
 * The root mean square of a box at the end of each round, of its value or its gradient.
 * @param {Book} book
 * @param {string} id
 * @param {string} by  value or grad
 * @returns {Series}
 */
export function sizesOf(book, id, by) {
  /** @type {Map<string, number[]>} */
  const found = new Map(); // by graph and places: where the last sizes of the members stand
  /** @type {(graph: Graph, places: number) => number[]} */
  function lastOf(graph, places) {
    const members = membersOf(graph, id);
    /** @type {Map<string, number>} */
    const last = new Map();
    book.tables.places[places].forEach(([, node], at) => {
      const name = nameIn(graph.ids, node);
      if (members.has(name)) last.set(name, at);
    });
    return [...last.values()];
  }
  return book.rounds.map(({ chapter }) => {
    if (chapter === null) return null;
    const { graph, magnitudes } = book.packed[chapter];
    const [places, sizes] = magnitudes[by];
    const key = `${graph} ${places}`;
    const last = found.get(key) ?? lastOf(book.chapters[chapter].graph, places);
    found.set(key, last);
    return last.length ? last.map((at) => sizes[at]).reduce(larger) : null;
  });
}

/**
 * The root mean square that every round knows of a parameter, also where its steps were not kept.
 * @param {Book} book
 * @param {string} name
 * @param {string} by  value or grad
 * @returns {Series}
 */
export function parameterSizes(book, name, by) {
  const number = book.parameters.indexOf(name);
  return book.rounds.map(({ sizes }) => {
    const found = number < 0 ? undefined : sizes.find(([parameter]) => parameter === number);
    return found?.[by === "grad" ? 2 : 1] ?? null;
  });
}

/**
 * An element of a value that a step shows, in each round; with the rounds whose arrays have no
 * elements on this page.
 * @param {Book} book
 * @param {Entry} entry
 * @param {number[]} index
 */
export function elementsOf(book, entry, index) {
  /** @type {Map<string, number>} */
  const found = new Map(); // by graph and way
  /** @type {number[]} */
  const brief = [];
  /** @type {Series} */
  const series = book.rounds.map(({ chapter }, round) => {
    if (chapter === null) return null;
    const { graph, way, values } = book.packed[chapter];
    const key = `${graph} ${way}`;
    const at = found.get(key) ?? placeOf(book, chapter, entry);
    found.set(key, at);
    const number = values[at] ?? null;
    if (number === null) return null;
    const { data, shape } = book.value(number);
    if (data === null) brief.push(round);
    const inside = shape.length === index.length && index.every((k, axis) => k < shape[axis]);
    return data === null || !inside ? null : asNumber(elementAt(data, index));
  });
  return { series, brief };
}

/** @param {Scalar} element */
const asNumber = (element) => (typeof element === "boolean" ? Number(element) : element);

/**
 * Where the last value of this name, role and box stands among those of a chapter; -1 without one.
 * @param {Book} book
 * @param {number} chapter
 * @param {Entry} entry
 */
function placeOf(book, chapter, entry) {
  const { words, ways, moves } = book.tables;
  const { graph, way } = book.chapters[chapter];
  let [taken, last] = [0, -1];
  for (const move of ways[way]) {
    const [, , , , , terms, entries] = moves[move];
    taken += terms.length;
    for (const [name, role, node] of entries) {
      const box = node === null ? null : nameIn(graph.ids, node);
      if (words[name] === entry.name && words[role] === entry.role && box === entry.node)
        last = taken;
      taken += 1;
    }
  }
  return last;
}

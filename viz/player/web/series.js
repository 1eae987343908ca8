// What a box, a parameter or an element was in each round. All rounds are asked at once, so they are
// read as they travelled, without unpacking one.

import { blueprintOf, counterpart, outwards } from "./blueprint.js";
import { larger } from "./colour.js";
import { elementAt } from "./formula.js";
import { largestOf, sizeFinder } from "./moved.js";
import { nameIn } from "./unpack.js";

/** @import { Graph, Num, Scalar } from "./payload.d.ts" */
/** @import { Book, Spot } from "./unpack.js" */
/** @import { Entry } from "./what_if.js" */

/**
 * One thing in each round; null where it is not known.
 * @typedef {(Num | null)[]} Series
 */

/**
 * What the reader's edits have come to: which chapters they reach, and what stands there.
 * @typedef {object} Now
 * @property {(chapter: number) => boolean} reaches
 * @property {(chapter: number, value: number) => Entry} entry
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
 * The values that each step of a chapter shows; those that only its formula names are left out.
 * @param {Book} book
 * @param {number} chapter
 */
function shownIn({ packed, tables }, chapter) {
  const { way, values } = packed[chapter];
  let at = 0;
  return tables.ways[way].map((move) => {
    const [, , , , , further, entries] = tables.moves[move];
    const from = at + further;
    at = from + entries.length;
    return values.slice(from, at);
  });
}

/**
 * The root mean square of a box at the end of each round, of its value or its gradient.
 * @param {Book} book
 * @param {Graph} own  the graph of the box
 * @param {string} id
 * @param {string} by  value or grad
 * @param {Now} [now]  without it, as it was recorded
 * @returns {Series}
 */
export function sizesOf(book, own, id, by, now) {
  /** @type {Map<string, number[]>} */
  const found = new Map(); // by graph and places: where the last sizes of the members stand
  /** @type {(graph: Graph, places: number) => number[]} */
  function lastOf(graph, places) {
    const members = membersOf(graph, counterpart(own, id, graph) ?? "");
    /** @type {Map<string, number>} */
    const last = new Map();
    book.tables.places[places].forEach(([, node], at) => {
      const name = nameIn(graph.ids, node);
      if (members.has(name)) last.set(name, at);
    });
    return [...last.values()].sort((one, other) => one - other);
  }
  /** @type {(chapter: number, rows: [step: number, size: Num][], now: Now) => Num | null} */
  function nowIn(chapter, rows, { entry }) {
    const find = sizeFinder(shownIn(book, chapter), book.value);
    const found = rows.map(([step, size]) => find(step, size));
    const lost = found.some((values) => values.some((value) => entry(chapter, value).stale));
    if (lost || found.some((values) => !values.length)) return null;
    return largestOf(found.flat(), (value) => entry(chapter, value));
  }
  return book.rounds.map(({ chapter }) => {
    if (chapter === null) return null;
    const { graph, magnitudes } = book.packed[chapter];
    const [places, sizes] = magnitudes[by];
    const key = `${graph} ${places}`;
    const last = found.get(key) ?? lastOf(book.chapters[chapter].graph, places);
    found.set(key, last);
    if (!last.length) return null;
    const rows = last.map((at) => {
      const [step] = book.tables.places[places][at];
      return /** @type {[number, Num]} */ ([step, sizes[at]]);
    });
    return now?.reaches(chapter)
      ? nowIn(chapter, rows, now)
      : rows.map(([, size]) => size).reduce(larger);
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

/** @type {{ at: number, role: number, box: string | null, nth: number }} */
const NO_ENTRY = { at: -1, role: -1, box: null, nth: 0 };

/**
 * What stands where among the values of a chapter: the step and the entry of each, its role, its
 * box, and which one of those it is. Values that only a formula names have no entry.
 * @param {Book} book
 * @param {number} chapter
 */
function entriesOf({ chapters, tables }, chapter) {
  const { graph, way } = chapters[chapter];
  return tables.ways[way].flatMap((number, step) => {
    const [, , , , , further, shown] = tables.moves[number];
    const terms = Array.from({ length: further }, () => ({ ...NO_ENTRY, step }));
    const entries = shown.map(([role, node], at) => {
      const nth = shown.slice(0, at).filter((other) => other[0] === role && other[1] === node);
      const box = node === null ? null : nameIn(graph.ids, node);
      return { step, at, role, box, nth: nth.length };
    });
    return [...terms, ...entries];
  });
}

/**
 * An element of a value that a step shows, in each round, and the rounds whose array has no elements
 * on this page. `at` is the place of the value among those that the step shows; in chapters with
 * other steps it is the last value of the same role at the same box.
 * @param {Book} book
 * @param {Spot & { at: number }} spot
 * @param {number[]} index
 * @param {Now["entry"]} [entryOf]  what stands there now
 */
export function elementsOf(
  book,
  { chapter: own, step, at },
  index,
  entryOf = (_, value) => book.value(value),
) {
  /** @param {number} chapter */
  const pathOf = (chapter) => `${book.packed[chapter].graph} ${book.packed[chapter].way}`;
  const entries = entriesOf(book, own);
  const place = entries.findIndex((entry) => entry.step === step && entry.at === at);
  const asked = entries[place] ?? NO_ENTRY;
  /** @type {Map<string, number>} */
  const places = new Map([[pathOf(own), place]]);
  /** @param {number} chapter */
  function placeIn(chapter) {
    const [from, to] = [book.chapters[own].graph, book.chapters[chapter].graph];
    const box = asked.box === null ? null : counterpart(from, asked.box, to);
    if (box === null && asked.box !== null) return -1;
    return entriesOf(book, chapter).findLastIndex(
      (each) => each.role === asked.role && each.box === box && each.nth === asked.nth,
    );
  }
  /** @type {number[]} */
  const brief = [];
  /** @type {Series} */
  const series = book.rounds.map(({ chapter }, round) => {
    if (chapter === null) return null;
    const path = pathOf(chapter);
    const known = places.get(path) ?? placeIn(chapter);
    places.set(path, known);
    const number = book.packed[chapter].values[known] ?? null;
    if (number === null) return null;
    const { data, shape, stale } = entryOf(chapter, number);
    if (stale) return null;
    if (data === null) brief.push(round);
    const inside = shape.length === index.length && index.every((k, axis) => k < shape[axis]);
    return data === null || !inside ? null : asNumber(elementAt(data, index));
  });
  return { series, brief };
}

/** @param {Scalar} element */
const asNumber = (element) => (typeof element === "boolean" ? Number(element) : element);

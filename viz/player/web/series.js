// Size of a box, a parameter or an element in each round. All rounds are read at once, so they are
// read in their packed form.

import { blueprintOf, counterpart, outwards } from "./blueprint.js";
import { larger } from "./colour.js";
import { elementAt } from "./formula.js";
import { largestOf, sizeFinder } from "./moved.js";
import { getOrMake } from "./numbers.js";

/** @import { Graph, Num, Scalar } from "./payload.d.ts" */
/** @import { Book } from "./unpack.js" */
/** @import { Entry } from "./whatif/what_if.js" */

/**
 * A quantity in each round; null if unknown.
 * @typedef {(Num | null)[]} Series
 */

/**
 * Current values after the reader's edits: the chapters that they affect, and the entries there.
 * @typedef {object} Now
 * @property {(chapter: number) => boolean} reaches
 * @property {(chapter: number, value: number) => Entry} entry
 */

/**
 * Return the boxes that determine the size of a box: members of a group, or a repeated leaf.
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
 * Return the root mean square of a box at the end of each round, of its value or its gradient.
 * @param {Book} book
 * @param {Graph} own  graph of the box
 * @param {string} id
 * @param {string} by  value or grad
 * @param {Now} [now]  current values; recorded ones if missing
 * @returns {Series}
 */
export function sizesOf(book, own, id, by, now) {
  /** @type {Map<Graph, Set<string>>} */
  const known = new Map();
  /** @type {(chapter: number, rows: [step: number, box: string, size: Num][], now: Now) => Num | null} */
  function nowIn(chapter, rows, { entry }) {
    const values = book.valuesOf(chapter);
    const shown = book
      .outline(chapter)
      .map((step) => step.shown.map((each) => values[each.value ?? -1] ?? null));
    const find = sizeFinder(shown, book.value);
    const found = rows.map(([step, , size]) => find(step, size));
    const lost = found.some((values) => values.some((value) => entry(chapter, value).stale));
    if (lost || found.some((values) => !values.length)) return null;
    return largestOf(found.flat(), (value) => entry(chapter, value));
  }
  return book.rounds.map(({ chapter }) => {
    if (chapter === null) return null;
    const { graph } = book.chapters[chapter];
    const find = () => membersOf(graph, counterpart(own, id, graph) ?? "");
    const members = getOrMake(known, graph, find);
    const inside = book.sizes(chapter, by).filter(([, box]) => members.has(box));
    const last = [...new Map(inside.map((row) => [row[1], row])).values()];
    if (!last.length) return null;
    return now?.reaches(chapter)
      ? nowIn(chapter, last, now)
      : last.map(([, , size]) => size).reduce(larger);
  });
}

/**
 * Return the root mean square of a parameter in each round, also without recorded steps.
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
 * Return the entries that the steps of a chapter show: role and box, the entry's number among those
 * of its step with both, and the place of the value in the chapter.
 * @param {Book} book
 * @param {number} chapter
 */
const entriesOf = (book, chapter) =>
  book.outline(chapter).flatMap(({ shown }) =>
    shown.map(({ role, node, value }, at) => {
      const before = shown.slice(0, at).filter((each) => each.role === role && each.node === node);
      return { role, node, nth: before.length, place: value ?? -1 };
    }),
  );

/**
 * Return an element of a shown value in each round, and the rounds whose array has no elements
 * on this page. In chapters with other steps the value is the last one of the same role at the same
 * box; `node` and `role` are preferred if steps show the value at several boxes.
 * @param {Book} book
 * @param {{ chapter: number, value: number | null, node?: string | null, role?: string }} entry
 * @param {number[]} index
 * @param {Now["entry"]} [entryOf]  returns the current entry of a value
 */
export function elementsOf(
  book,
  { chapter: own, value, node, role },
  index,
  entryOf = (_, value) => book.value(value),
) {
  const values = book.valuesOf(own);
  const all = entriesOf(book, own).filter(({ place }) => value !== null && values[place] === value);
  const there = all.filter((each) => each.node === node);
  const asked = there.find((each) => each.role === role) ?? there[0] ?? all[0];
  /** @type {Map<string, number>} */
  const places = new Map([[book.chapters[own].way, asked?.place ?? -1]]);
  /** @param {number} chapter */
  function placeIn(chapter) {
    const [from, to] = [book.chapters[own].graph, book.chapters[chapter].graph];
    const box = asked?.node ? counterpart(from, asked.node, to) : null;
    const last = entriesOf(book, chapter).findLast(
      (each) => each.role === asked?.role && each.node === box && each.nth === asked.nth,
    );
    return (asked?.node && box === null) || !last ? -1 : last.place;
  }
  /** @type {number[]} */
  const brief = [];
  /** @type {Series} */
  const series = book.rounds.map(({ chapter }, round) => {
    if (chapter === null) return null;
    const { way } = book.chapters[chapter];
    const known = getOrMake(places, way, () => placeIn(chapter));
    const number = book.valuesOf(chapter)[known] ?? null;
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

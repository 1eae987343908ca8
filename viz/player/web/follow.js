// Open groups: a set of names; each combination has its scene. Following: the groups around a step
// open when the step enters them, and close when it enters another group. Stepping out of a group
// changes nothing, so the picture moves once for each group entered.

import { blueprintOf, outwards } from "./blueprint.js";
import { namedButton, press } from "./dom.js";

/** @import { Graph, Step } from "./payload.d.ts" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */
/** @import { Words } from "./words.js" */

/**
 * Return the groups that must be open for a box or a frame to be visible.
 * @param {Graph} graph
 * @param {string} id
 */
function groupsAround(graph, id) {
  const item = blueprintOf(graph).named.get(id);
  const way = item ? outwards(item) : [];
  const around = item?.group?.id === id ? way : way.slice(1);
  return around.map(({ group }) => group?.toggles ?? "");
}

/**
 * Return the open groups after one of them has opened or closed.
 * @param {ReadonlySet<string>} open
 * @param {string} name
 */
export function toggleGroup(open, name) {
  const names = new Set(open);
  if (!names.delete(name)) names.add(name);
  return names;
}

/**
 * Return the open groups and those around a box, so that the box is visible.
 * @param {Graph} graph
 * @param {ReadonlySet<string>} open
 * @param {string} id
 */
export function unfoldTo(graph, open, id) {
  const item = blueprintOf(graph).named.get(id);
  const around = item ? outwards(item).slice(1) : [];
  const closed = around.map(({ group }) => group?.toggles ?? "").filter((name) => !open.has(name));
  return closed.length ? new Set([...open, ...closed]) : open;
}

/**
 * Return the running boxes: those whose values are shown, or else the step's last node.
 * @param {Pick<Step, "nodes" | "shown">} step
 */
function atWork({ nodes, shown }) {
  const boxes = shown.flatMap(({ node }) => (node === null ? [] : [node]));
  return boxes.length ? boxes : nodes.slice(-1);
}

/**
 * Return for each step the groups that following opens: those around its boxes, or those of the
 * step before if they already show the boxes. Steps of memory open nothing.
 * @param {Graph} graph
 * @param {Pick<Step, "nodes" | "shown">[]} steps
 * @param {ReadonlySet<number>} ofMemory
 */
export function followedGroups(graph, steps, ofMemory) {
  /** @type {ReadonlySet<string>} */
  let held = new Set();
  return steps.map((step, at) => {
    const around = ofMemory.has(at) ? [] : atWork(step).flatMap((id) => groupsAround(graph, id));
    if (!around.every((name) => held.has(name))) held = new Set(around);
    return held;
  });
}

/** @type {(one: ReadonlySet<string>, other: ReadonlySet<string>) => boolean} */
const same = (one, other) => one.size === other.size && [...one].every((name) => other.has(name));

/**
 * Return the rule of a store: open are the groups that the reader has opened, and those lent for
 * the step and the selected box. A group that the reader closes stays closed until they open it.
 * @param {Pick<Book, "chapter" | "chapters">} book
 */
export function followRule(book) {
  /** @type {{ chapter: number, groups: ReadonlySet<string>[] } | undefined} */
  let followed;
  /** @type {(now: GraphState, before: GraphState) => Partial<GraphState>} */
  return (now, before) => {
    const { chapter, open, step, selected, follow } = now;
    const { graph, ofMemory } = book.chapters[chapter];
    const shut = new Set(follow && before.follow ? now.shut : []); // following reopens all
    for (const name of open) if (!before.open.has(name)) shut.delete(name);
    for (const name of before.open) if (!open.has(name)) shut.add(name);
    const own = [...open].filter((name) => !now.lent.has(name));
    if (followed?.chapter !== chapter) {
      const { steps } = book.chapter(chapter);
      followed = { chapter, groups: followedGroups(graph, steps, new Set(ofMemory)) };
    }
    const asked = selected === null ? [] : groupsAround(graph, selected);
    const wanted = follow ? [...(followed.groups[step] ?? []), ...asked] : [];
    const more = new Set(wanted.filter((name) => !own.includes(name) && !shut.has(name)));
    const all = new Set([...own, ...more]);
    return { lent: more, shut, ...(same(all, open) ? {} : { open: all }) };
  };
}

/**
 * Return the button for following, or none if nothing can open.
 * @param {Pick<Book, "chapters">} book
 * @param {Words} words
 * @param {Store<GraphState>} store
 */
export function createFollow(book, words, store) {
  const knob = namedButton(words, "follow", "follow", "follow");
  store.subscribe(["follow"], ({ follow }) => press(knob, follow));
  return {
    knobs: book.chapters.some(({ graph }) => graph.groups.length) ? [knob] : [],
    turn: () => store.set({ follow: !store.state.follow }),
  };
}

// Open groups: a set of names; each combination has its scene. Following: the groups around a step
// open when the step enters them. They close when a step enters another group, not when it leaves
// this one, so the picture moves once for each group entered. An overview, of the whole
// picture or of one group, follows no step; the next step leads in again.

import { blueprintOf, outwards } from "./blueprint.js";
import { compose } from "./compose.js";
import { namedButton, press } from "./dom.js";
import { getOrMake } from "./numbers.js";
import { lookAt, turnsByLoop } from "./parts.js";

/** @import { Item } from "./blueprint.js" */
/** @import { Graph, GroupLook, Step } from "./payload.d.ts" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */
/** @import { Words } from "./words.js" */

// The sizes that a pane of 760 x 600 pixels shows at the least legible scale, and that an overview
// may have: its names grow as its boxes shrink.
const NEAR = { width: 990, height: 800 };
const FAR = { width: 1760, height: 1390 };
const MOST_BOXES = 100;
const NARROW = { below: 640, ratio: 0.57 }; // width of a narrow player, and of its pane's sizes

/** Return the name by which a group opens. @param {Item} item */
const toggleOf = ({ group }) => group?.toggles ?? "";

/**
 * Return the groups that must be open for a box or a frame to be visible.
 * @param {Graph} graph
 * @param {string} id
 */
export function groupsAround(graph, id) {
  const item = blueprintOf(graph).named.get(id);
  const way = item ? outwards(item) : [];
  const around = item?.group?.id === id ? way : way.slice(1);
  return around.map(toggleOf);
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
  const closed = around.map(toggleOf).filter((name) => !open.has(name));
  return closed.length ? new Set([...open, ...closed]) : open;
}

/**
 * Return the running boxes: those whose values are shown, or else the step's last node.
 * @param {Pick<Step, "nodes" | "shown">} step
 */
function runningBoxes({ nodes, shown }) {
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
export function groupsToFollow(graph, steps, ofMemory) {
  /** @type {ReadonlySet<string>} */
  let held = new Set();
  return steps.map((step, at) => {
    const around = ofMemory.has(at)
      ? []
      : runningBoxes(step).flatMap((id) => groupsAround(graph, id));
    if (!around.every((name) => held.has(name))) held = new Set(around);
    return held;
  });
}

/**
 * Return the group that a name opens, after those around it.
 * @type {(graph: Graph, name: string | null) => GroupLook[]}
 */
function groupsTo(graph, name) {
  const group = graph.groups.find(({ toggles }) => toggles === name);
  const path = group ? groupsAround(graph, group.id).reverse() : [];
  return path.flatMap((each) => graph.groups.find(({ toggles }) => toggles === each) ?? []);
}

/**
 * Return the groups that the reader looks into, the outermost first: those of the overview, or those
 * that are open around the step.
 * @type {(graph: Graph, step: Pick<Step, "nodes" | "shown">, state: GraphState) => GroupLook[]}
 */
export function trailOf(graph, step, { overview, open }) {
  if (overview !== null) return groupsTo(graph, overview);
  const [inner = null] = groupsAround(graph, runningBoxes(step)[0] ?? "");
  const path = groupsTo(graph, inner);
  const shut = path.findIndex(({ toggles }) => !open.has(toggles));
  return shut < 0 ? path : path.slice(0, shut);
}

/**
 * Return the groups that are open in the overview of a graph: as many of the outer ones as fit on a
 * screen. Return null if there is none: the picture fits at its first step, or too many boxes are
 * outside of all groups.
 * @type {(graph: Graph, first: ReadonlySet<string>, entered: ReadonlySet<string>, ratio: number) => ReadonlySet<string> | null}
 */
function outlineOf(graph, first, entered, ratio) {
  /** @type {(open: ReadonlySet<string>, most?: { width: number, height: number }) => boolean} */
  const fits = (open, most = NEAR) => {
    if (lookAt(blueprintOf(graph), open).boxes.length > MOST_BOXES) return false;
    const { width, height } = compose(graph, open);
    return width <= most.width * ratio && height <= most.height * ratio;
  };
  if (!graph.groups.length || fits(new Set([...first, ...entered]))) return null;
  const depths = new Map(
    graph.groups.map(({ id, toggles, kind }) => {
      const depth = groupsAround(graph, id).length; // a loop is open with one of its turns
      return [toggles, kind === "loop" ? depth + 1 : depth];
    }),
  );
  const outlines = [...new Set([0, ...depths.values()])]
    .sort((one, other) => other - one)
    .map((most) => new Set([...first].filter((name) => (depths.get(name) ?? most + 1) <= most)));
  return outlines.find((open) => fits(open)) ?? outlines.find((open) => fits(open, FAR)) ?? null;
}

/**
 * Return the open groups of an overview: in that of a group, those around it and no inner ones.
 * @type {(graph: Graph, outline: ReadonlySet<string>, overview: string, shut: ReadonlySet<string>) => Set<string>}
 */
function overviewOf(graph, outline, overview, shut) {
  const path = groupsTo(graph, overview).map(({ toggles }) => toggles);
  const outside = [...outline].filter(
    (name) => !shut.has(name) && groupsTo(graph, name).every(({ toggles }) => toggles !== overview),
  );
  return new Set([...outside, ...path]);
}

/**
 * Return the open groups with one turn in each open loop: the first of `wanted` that is one, or else
 * of the open ones.
 * @type {(graph: Graph, open: Iterable<string>, wanted?: string[]) => Set<string>}
 */
function oneTurnEach(graph, open, wanted = []) {
  const names = new Set(open);
  for (const row of turnsByLoop(blueprintOf(graph).groups).values()) {
    const turns = row.map(toggleOf);
    const loop = row[0].container.around?.group?.toggles ?? "";
    const chosen = [...wanted, ...turns.filter((name) => names.has(name))];
    const shown = chosen.find((name) => turns.includes(name));
    for (const name of turns) names.delete(name);
    if (shown ?? names.has(loop)) names.add(shown ?? turns[0]);
  }
  return names;
}

/** @type {(one: ReadonlySet<string>, other: ReadonlySet<string>) => boolean} */
const same = (one, other) => one.size === other.size && [...one].every((name) => other.has(name));

/**
 * Return the rule of a store: open are the groups that the reader has opened, and those around the
 * step and the selected box; or else those of the overview, where opening and closing a group leads
 * in and out. A group that the reader closes stays closed until they open it.
 * @param {Pick<Book, "chapter" | "chapters" | "open">} book
 * @param {number} [width]  of the player, in pixels
 */
export function followRule(book, width = Infinity) {
  const ratio = width < NARROW.below ? NARROW.ratio : 1;
  /** @type {{ chapter: number, groups: ReadonlySet<string>[] } | undefined} */
  let followed;
  /** @type {Map<Graph, { open: ReadonlySet<string> | null }>} */
  const outlines = new Map();
  /** @type {(now: GraphState, before: GraphState) => Partial<GraphState>} */
  return (now, before) => {
    const { chapter, step, selected, follow } = now;
    const { graph, ofMemory } = book.chapters[chapter];
    const moved = followed?.chapter !== chapter || step !== before.step;
    if (followed?.chapter !== chapter) {
      const { steps } = book.chapter(chapter);
      followed = { chapter, groups: groupsToFollow(graph, steps, new Set(ofMemory)) };
    }
    const { groups } = followed;
    const outline = getOrMake(outlines, graph, () => ({
      open: outlineOf(graph, oneTurnEach(graph, book.open), groups[0] ?? new Set(), ratio),
    })).open;
    const opened = [...now.open].filter((name) => !before.open.has(name));
    const closed = [...before.open].filter((name) => !now.open.has(name));
    const touched = [...now.own, ...opened].filter((name) => !closed.includes(name));
    const kept = follow && before.follow ? now.shut : []; // following reopens all
    const shut = new Set([...kept, ...closed].filter((name) => !opened.includes(name)));
    let overview = outline && step === before.step ? now.overview : null;
    if (overview !== null && opened.length + closed.length) {
      overview = opened[0] ?? groupsTo(graph, closed[0]).at(-2)?.toggles ?? "";
    }
    const asked = selected === null ? [] : groupsAround(graph, selected);
    const entered = overview === null && follow ? [...(groups[step] ?? [])] : [];
    const lent = [...(follow ? asked : []), ...entered].filter((name) => !shut.has(name));
    const news = selected !== before.selected ? [...opened, ...asked] : opened;
    const own = oneTurnEach(graph, touched, moved ? [...news, ...entered] : news);
    const base = outline && overview !== null ? overviewOf(graph, outline, overview, shut) : own;
    const open = oneTurnEach(graph, [...base, ...lent], [...own, ...lent]);
    return { own, shut, overview, outline, open: same(open, now.open) ? now.open : open };
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

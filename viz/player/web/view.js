// The current chapter, step, scene and boxes of a book, by the state of a store.

import { blueprintOf, counterpart } from "./blueprint.js";
import { compose, faceOf } from "./compose.js";
import { sizesNow, updatesNow } from "./moved.js";
import { digitsOf } from "./numbers.js";
import { withRoomForValues } from "./values.js";

/** @import { Graph, Num, Payload, Step } from "./payload.d.ts" */
/** @import { Face, Scene } from "./compose.js" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */

/** @typedef {ReturnType<typeof createView>} View */

/** @typedef {[step: number, box: string, size: Num, outer?: string | null]} Change */

/**
 * Functions that hide parts of a chapter and of the drawing before an answer.
 * @typedef {object} Screen
 * @property {(payload: Payload) => Payload} hide
 * @property {() => Hidden} hidden
 */

/**
 * Hidden parts of the drawing: shapes in backward boxes, wires, and the results of the step.
 * @typedef {{ boxes: boolean, wires: string[], results: boolean }} Hidden
 */

/** @type {Screen} */
const NO_SCREEN = {
  hide: (payload) => payload,
  hidden: () => ({ boxes: false, wires: [], results: false }),
};

/** @type {Step} */
const NOTHING = {
  phase: "forward",
  kind: "",
  nodes: [],
  edges: [],
  text: {},
  line: null,
  forward_line: null,
  formula: [],
  terms: [],
  shown: [],
};

/**
 * Return every box of a graph, including hidden ones.
 * @param {Graph} graph
 */
export const facesOf = (graph) => blueprintOf(graph).items.map((item) => faceOf(item));

/**
 * Return the rule by which a selection follows the chapters. A box that the new graph lacks is not
 * selected there, and is selected again when the reader comes back.
 * @param {Pick<Book, "chapters">} book
 */
export function selectionRule(book) {
  /** @type {(now: GraphState, before: GraphState) => Partial<GraphState>} */
  return ({ chapter, selected, picked }, before) => {
    const { graph } = book.chapters[chapter];
    if (selected !== before.selected) {
      return { picked: selected === null ? null : { graph, id: selected } };
    }
    if (chapter === before.chapter || !picked) return {};
    return { selected: counterpart(picked.graph, picked.id, graph) };
  };
}

/**
 * @param {Book} book
 * @param {Store<GraphState>} store
 * @param {Screen} [screen]
 */
export function createView(book, store, { hide, hidden } = NO_SCREEN) {
  /** @type {{ graph: Graph, open: ReadonlySet<string>, scene: Scene } | undefined} */
  let drawn; // several parts of a page ask about the same scene
  const payload = () => hide(book.chapter(store.state.chapter));
  /** @param {number} number */
  const value = (number) => book.whatIf.entry(store.state.chapter, number);
  let numbered = false; // whether boxes may show other numbers than the recorded ones
  const isMoved = () => book.whatIf.changed > 0;
  const graph = () => book.chapters[store.state.chapter].graph;
  const scene = () => {
    const { open, values } = store.state;
    const shown = values ? withRoomForValues(graph()) : graph();
    if (drawn?.open !== open || drawn.graph !== shown) {
      drawn = { graph: shown, open, scene: compose(shown, open) };
    }
    return drawn.scene;
  };
  return {
    chapter: () => store.state.chapter,
    /** Return the payload of the chapter, as far as it is shown. */
    payload,
    /** Return a value as it was recorded. */
    recorded: book.value,
    /** Return a value of the chapter with its current numbers. */
    value,
    /** Return the quantities by which boxes may be coloured. */
    quantities: () => [...Object.keys(payload().magnitudes), ...Object.keys(payload().costs)],
    /**
     * Return the steps at which sizes of boxes change, with the current sizes. Costs are known from
     * the start, and come with the box whose cost includes them.
     * @param {string} by
     * @returns {Change[]}
     */
    changes(by) {
      const { magnitudes, costs, steps } = payload();
      if (by in costs) return costs[by].map(([box, amount, outer]) => [0, box, amount, outer]);
      const { changes } = magnitudes[by];
      return isMoved() ? sizesNow(changes, steps, book.value, value) : changes;
    },
    /** Map boxes to the single numbers that steps show, as recorded and as they are now. */
    scalars() {
      /** @type {Map<string, [string, string]>} */
      const numbers = new Map();
      if (!isMoved() && !numbered) return numbers;
      numbered = isMoved();
      for (const { node, value: number } of payload().steps.flatMap(({ shown }) => shown)) {
        if (node === null || number === null || book.value(number).shape.length) continue;
        const [was, is] = [book.value(number), value(number)].map(({ data }) => data);
        if (was === null || is === null || Array.isArray(was) || Array.isArray(is)) continue;
        numbers.set(node, [digitsOf(was), digitsOf(is)]);
      }
      return numbers;
    },
    /** Return the tracks of the statistics, as they are now. */
    tracks() {
      const { statistics, steps } = payload();
      if (!isMoved()) return statistics;
      return statistics.map((track) => ({
        ...track,
        grads: sizesNow(track.grads, steps, book.value, value),
        updates: updatesNow(track.updates, steps, book.value, value),
      }));
    },
    hidden,
    /** Return the last step whose result is known. */
    knownStep: () => store.state.step - Number(hidden().results),
    /** Whether numbers may contradict their formulas, as in a hunt for a mistake. */
    doubtful: book.ask?.kind === "hunt",
    graph,
    scene,
    /** Return the current step, or an empty one if nothing was recorded. */
    step: () => payload().steps[store.state.step] ?? NOTHING,
    /** Return the wires of the scene along which the step moves values, with these. */
    moved() {
      const { steps, flows } = payload();
      return flows.flatMap(([at, id, place]) => {
        if (at !== store.state.step) return [];
        const wire = scene().wires.find((each) => each.id === scene().resolve(id));
        return wire ? [{ wire, entry: steps[at].shown[place] }] : [];
      });
    },
    /**
     * Return the visible id in place of an id.
     * @param {string} id
     */
    resolve: (id) => scene().resolve(id),
    /**
     * Return the tensor that a box repeats, or itself.
     * @param {string} id
     */
    leafOf: (id) => blueprintOf(graph()).named.get(id)?.repeats ?? id,
    /**
     * Return the content of the box or the open frame with an id, even if it is hidden.
     * @param {string} id
     * @returns {Face | undefined}
     */
    part(id) {
      const { frames, boxes } = scene();
      const item = blueprintOf(graph()).named.get(id);
      return [...frames, ...boxes].find((each) => each.id === id) ?? (item && faceOf(item));
    },
  };
}

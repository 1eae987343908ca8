// What the state of a store means for a book: the chapter, the step, the scene, and what a box is.

import { blueprintOf } from "./blueprint.js";
import { compose, faceOf } from "./compose.js";

/** @import { Graph, Step } from "./payload.d.ts" */
/** @import { Face, Scene } from "./composed.d.ts" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */

/** @typedef {ReturnType<typeof createView>} View */

/** @type {Step} */
const NOTHING = {
  phase: "forward",
  kind: "",
  nodes: [],
  edges: [],
  text: {},
  line: null,
  forward_line: null,
  formula: "",
  terms: [],
  shown: [],
};

/**
 * Every box of a graph as it looks, however deep it is hidden.
 * @param {Graph} graph
 */
export const facesOf = (graph) => blueprintOf(graph).items.map(faceOf);

/**
 * @param {Book} book
 * @param {Store<GraphState>} store
 */
export function createView(book, store) {
  /** @type {{ graph: Graph, open: ReadonlySet<string>, scene: Scene } | undefined} */
  let drawn; // several parts of a page ask about the same scene
  const payload = () => book.chapter(store.state.chapter);
  const graph = () => book.chapters[store.state.chapter].graph;
  const scene = () => {
    const { open } = store.state;
    if (drawn?.open !== open || drawn.graph !== graph()) {
      drawn = { graph: graph(), open, scene: compose(graph(), open) };
    }
    return drawn.scene;
  };
  return {
    chapter: () => store.state.chapter,
    /** What the chapter shows. */
    payload,
    graph,
    scene,
    /** The step; where nothing was recorded one that shows nothing. */
    step: () => payload().steps[store.state.step] ?? NOTHING,
    /**
     * Which visible id stands for an id.
     * @param {string} id
     */
    resolve: (id) => scene().resolve(id),
    /**
     * The tensor that a box repeats, or itself.
     * @param {string} id
     */
    leafOf: (id) => blueprintOf(graph()).named.get(id)?.repeats ?? id,
    /**
     * What the box or the open frame with an id shows, also where it is hidden.
     * @param {string} id
     * @returns {Face | undefined}
     */
    part(id) {
      const frame = scene().frames.find((each) => each.id === id);
      const item = blueprintOf(graph()).named.get(id);
      return frame ?? (item && faceOf(item));
    },
  };
}

// What the state of a store means for a payload: the step, the scene, and what a box is in it.

import { resolverIn } from "./resolver.js";

/** @import { Box, Frame, Payload, Step } from "./payload.d.ts" */
/** @import { GraphState, Store } from "./store.js" */

/** @typedef {ReturnType<typeof createView>} View */

/** @type {Step} */
const NOTHING = {
  phase: "forward",
  lane: "forward",
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
 * @param {Payload} payload
 * @param {Store<GraphState>} store
 */
export function createView(payload, store) {
  const scene = () => payload.scenes[store.state.open];
  return {
    scene,
    /** The step; where nothing was recorded one that shows nothing. */
    step: () => payload.steps[store.state.step] ?? NOTHING,
    /**
     * Which visible id stands for an id.
     * @param {string} id
     */
    resolve: (id) => resolverIn(payload, scene())(id),
    /**
     * The tensor that a box repeats, or itself.
     * @param {string} id
     */
    leafOf: (id) => scene().boxes.find((box) => box.id === id)?.tag_of ?? id,
    /**
     * The box or frame with an id; one that is not shown here is found where it is.
     * @param {string} id
     * @returns {Box | Frame | undefined}
     */
    part(id) {
      for (const { boxes, frames } of [scene(), ...Object.values(payload.scenes)]) {
        const part = [...boxes, ...frames].find((each) => each.id === id);
        if (part) return part;
      }
    },
  };
}

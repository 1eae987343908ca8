// Deep links: the step, the box and the element that a page shows, kept in its address, so that
// whoever opens the address sees the same.

import { read, remember } from "./address.js";
import { html } from "./dom.js";
import { unfoldTo } from "./folding.js";

/** @import { Chosen } from "./formula.js" */
/** @import { InspectorState } from "./inspector.js" */
/** @import { Payload } from "./payload.d.ts" */
/** @import { GraphState, PageState, Store } from "./store.js" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */

const PAUSE = 200; // browsers refuse an address that changes many times a second

/** @param {string} text  numbers between commas */
const numbersIn = (text) => (text ? text.split(",").map(Number) : []);

/**
 * `1,2/3,4` is the element [1, 2] of arrays of shape [3, 4], and `/` that of scalars.
 * @param {string} text
 * @returns {Chosen | null}  null for what names no element
 */
export function elementIn(text) {
  const [index, shape, ...more] = text.split("/").map(numbersIn);
  const inside = index.every((at, axis) => Number.isInteger(at) && at >= 0 && at < shape?.[axis]);
  return shape && !more.length && index.length === shape.length && inside ? { index, shape } : null;
}

/** @param {Chosen} chosen */
const elementText = ({ index, shape }) => `${index}/${shape}`;

/**
 * @param {Payload} payload
 * @param {Words} words
 * @param {Store<GraphState & PageState & InspectorState>} store
 * @param {View} view
 * @param {(id: string | null) => void} pick
 */
export function createLink(payload, words, store, view, pick) {
  const note = html("p", { class: "mp-note", role: "status", hidden: "" });
  words.label(note, "wrongLink");
  let timer = 0;

  /** @type {Record<string, (text: string) => boolean>} */
  const follow = {
    step(text) {
      const known = /^\d+$/.test(text) && Number(text) < Math.max(1, payload.steps.length);
      store.set({ step: known ? Number(text) : 0, playing: false });
      return known;
    },
    box(id) {
      if (!view.part(id)) return false;
      store.set({ open: unfoldTo(payload.graph, store.state.open, id) });
      pick(view.resolve(id) ?? null);
      return true;
    },
    element(text) {
      const element = elementIn(text);
      const shape = element?.shape.join();
      const known = payload.values.some((value) => value.shape.join() === shape);
      if (known) store.set({ element });
      return known;
    },
  };

  function goThere() {
    const known = Object.keys(follow).map((name) => {
      const text = read(name);
      return text === null || follow[name](text);
    });
    note.hidden = known.every((each) => each);
  }

  function keep() {
    const { step, selected, element } = store.state;
    remember({ step: String(step), box: selected, element: element && elementText(element) });
  }

  return {
    note,
    start() {
      store.subscribe(["step", "selected", "element"], () => {
        note.hidden = true;
        clearTimeout(timer);
        timer = setTimeout(keep, PAUSE);
      });
      goThere();
      addEventListener("hashchange", goThere);
    },
  };
}

// The search box: finds nodes, also in closed groups, by their label or detail.

import { h, textField } from "./dom.js";
import { unfoldTo } from "./follow.js";
import { facesOf } from "./view.js";

/** @import { Face } from "./compose.js" */
/** @import { Graph } from "./payload.d.ts" */
/** @import { GraphState, Store } from "./store.js" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */

/**
 * Return the boxes that contain a text, each once: a tag counts as the leaf that it repeats.
 * @param {Face[]} faces
 * @param {string} text
 */
export function matchingBoxes(faces, text) {
  const query = text.trim().toLowerCase();
  if (!query) return [];
  const boxes = faces.filter(({ label, detail }) => {
    const labels = typeof label === "string" ? [label] : Object.values(label);
    return [...labels, detail].join(" ").toLowerCase().includes(query);
  });
  return [...new Set(boxes.map((box) => box.tag_of ?? box.id))];
}

/**
 * @param {{ words: Words, store: Store<GraphState>, view: View }} page
 * @param {{ pick: (id: string | null) => void, leave: () => void }} actions
 */
export function createSearch({ words, store, view }, { pick, leave }) {
  const hint = words.text("searchHint");
  const input = textField("mp-query", { type: "search", "aria-label": hint, placeholder: hint });
  const status = h("span.mp-found", { role: "status" });
  let hit = -1;

  /** @type {Graph | undefined} */
  let searched;

  function find() {
    searched = view.graph();
    const hits = matchingBoxes(facesOf(searched), input.value);
    hit = -1;
    store.set({ hits });
    status.textContent = input.value.trim() ? `${hits.length || words.say("none")}` : "";
  }

  /** @param {number} by */
  function next(by) {
    const { hits, open } = store.state;
    if (!hits.length) return;
    hit = (Math.max(hit, by < 0 ? 0 : -1) + by + hits.length) % hits.length;
    status.textContent = `${hit + 1}/${hits.length}`;
    store.set({ open: unfoldTo(view.graph(), open, hits[hit]) }); // opens its groups
    pick(view.resolve(hits[hit]) ?? null);
  }

  input.addEventListener("input", find);
  store.subscribe(["chapter"], () => {
    if (input.value && view.graph() !== searched) find();
  });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation(); // typed keys are for this field only
    if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape") return;
    input.value = "";
    find();
    leave();
  });

  return {
    element: h("div.mp-search", input, status),
    start: () => input.select(),
  };
}

// The sentence of the step, and its phase.

import { h, keepShapesWhole } from "./dom.js";
import { namedAt, sentenceNow } from "./moved.js";
import { quietWhilePlaying } from "./store.js";

/** @import { Page } from "./player.js" */

/** @param {Pick<Page, "book" | "words" | "store" | "view" | "edits">} page */
export function createHeading({ book, words, store, view, edits }) {
  const phase = h("span.mp-phase");
  const say = h("p.mp-say", { "aria-live": "polite", "aria-atomic": "true" });

  /** @param {number} step */
  function sentence(step) {
    const { text } = view.payload().steps[step] ?? view.step();
    if (!("en" in text)) return words.say("empty");
    const named = namedAt(edits.named(view.chapter()), view.payload().steps, step);
    const { reader, half } = sentenceNow(text, named, book.value, view.value);
    const now = words.of(text, reader);
    return half ? `${now} ${words.say("halfTold")}` : now;
  }

  quietWhilePlaying(store, say);
  store.subscribe(["chapter", "step", "lang", "memory", "moved", "quiz", "answered"], (state) => {
    phase.textContent = words.say(view.step().phase);
    say.replaceChildren(...keepShapesWhole(sentence(state.step)));
  });
  return { element: h("div.mp-sentence", phase, say), sentence };
}

// Buttons that lead to the first NaN and the first infinity.

import { html } from "./dom.js";
import { roundName } from "./rounds.js";

/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Book, Spot } from "./unpack.js" */
/** @import { Words } from "./words.js" */

/**
 * @param {Book} book
 * @param {Words} words
 * @param {Store<PageState>} store
 * @param {Road} road
 */
export function createNonFiniteButtons(book, words, store, road) {
  /** @type {Map<string, Spot>} */
  const first = new Map();
  for (const [chapter, { odd }] of book.packed.entries()) {
    const found = Object.entries(odd).sort(([, one], [, other]) => one - other);
    for (const [kind, step] of found) if (!first.has(kind)) first.set(kind, { chapter, step });
  }
  return [...first].map(([kind, { chapter, step }]) => {
    const name = html("span");
    const { round } = book.chapters[chapter];
    store.subscribe(["lang", "memory"], ({ memory }) => {
      const number = road.at({ chapter, memory }).number(step);
      const where = round === null ? "" : `${roundName(round, words)}${words.say("comma")}`;
      name.textContent = `${words.say(`first_${kind}`)}${words.say("colon")}${where}${words.say("stepOne")} ${number}${words.say("stepEnd")}`;
    });
    const sign = html("span", { "aria-hidden": "true" }, "⚠ ");
    const button = html(
      "button",
      { type: "button", class: "mp-odd", "data-odd": kind },
      sign,
      name,
    );
    button.addEventListener("click", () => store.set({ chapter, step, playing: false }));
    return button;
  });
}

// Buttons that lead to the first NaN and the first infinity.

import { html } from "./dom.js";

/** @import { Payload } from "./payload.d.ts" */
/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Words } from "./words.js" */

/**
 * @param {Payload} payload
 * @param {Words} words
 * @param {Store<PageState>} store
 * @param {Road} road
 */
export function createNonFiniteButtons({ odd }, words, store, road) {
  const first = Object.entries(odd).sort(([, one], [, other]) => one - other);
  return first.map(([kind, step]) => {
    const name = html("span");
    store.subscribe(["lang", "memory"], (state) => {
      const number = road.at(state).number(step);
      name.textContent = `${words.say(`first_${kind}`)} ${number}${words.say("stepEnd")}`;
    });
    const sign = html("span", { "aria-hidden": "true" }, "⚠ ");
    const button = html(
      "button",
      { type: "button", class: "mp-odd", "data-odd": kind },
      sign,
      name,
    );
    button.addEventListener("click", () => store.set({ step, playing: false }));
    return button;
  });
}

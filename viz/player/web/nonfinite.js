// Buttons that lead to the first NaN and the first infinity.

import { html } from "./dom.js";

/** @import { Payload } from "./payload.d.ts" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Words } from "./words.js" */

/**
 * @param {Payload} payload
 * @param {Words} words
 * @param {Store<PageState>} store
 */
export function createNonFiniteButtons({ odd }, words, store) {
  const first = Object.entries(odd).sort(([, one], [, other]) => one - other);
  return first.map(([kind, step]) => {
    const name = html("span");
    words.follow(() => {
      name.textContent = `${words.say(`first_${kind}`)} ${step + 1}${words.say("stepEnd")}`;
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

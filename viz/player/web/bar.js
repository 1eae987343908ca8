// The buttons above the graph: those that step, and switches for the whole page.

import { button, html, namedButton } from "./dom.js";

/** @import { PageState, Store } from "./store.js" */
/** @import { Words } from "./words.js" */

/**
 * @param {Words} words
 * @param {Store<PageState>} store
 * @param {number} last  the last step
 */
export function createBar(words, store, last) {
  /** @param {"first" | "previous" | "play" | "next" | "last"} action */
  const knob = (action) => namedButton(words, action, action, action);
  const back = [knob("first"), knob("previous")];
  const play = knob("play");
  const ahead = [knob("next"), knob("last")];
  const element = html("div", { class: "mp-transport", role: "toolbar" }, ...back, play, ...ahead);
  words.label(element, "controls", "aria-label");
  store.subscribe(["step"], ({ step }) => {
    // Not `disabled`, which would drop the focus of who steps by pressing the button.
    for (const each of back) each.setAttribute("aria-disabled", String(step === 0));
    for (const each of ahead) each.setAttribute("aria-disabled", String(step === last));
  });
  return { element, play };
}

/**
 * Where a button leads from a step.
 * @param {Store<PageState>} store
 * @param {number} last  the last step
 */
export function stepActions(store, last) {
  /** @param {number} step */
  const go = (step) => store.set({ step: Math.max(0, Math.min(last, step)), playing: false });
  return {
    first: () => go(0),
    previous: () => go(store.state.step - 1),
    next: () => go(store.state.step + 1),
    last: () => go(last),
  };
}

/**
 * The buttons for the language and for light and dark.
 * @param {Words} words
 */
export function createSwitches(words) {
  const language = words.label(button("language"), "language");
  words.label(language, "languageName", "aria-label");
  return [language, namedButton(words, "theme", "theme", "theme")];
}

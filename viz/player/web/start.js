// How a page begins: in the language and the theme that its reader chose before.

import { recall, remember } from "./address.js";
import { createStore } from "./store.js";
import { createWords, LANGUAGES, startLanguage } from "./words.js";

/** @import { Options } from "./player.js" */
/** @import { PageState, Store } from "./store.js" */

/**
 * The language and the theme; what an address says counts where the player has a page for itself.
 * @param {Options} options
 */
export function startLook({ page, lang, theme }) {
  return {
    lang: startLanguage((page && recall("lang", LANGUAGES)) || lang),
    theme: (page && recall("theme", ["light", "dark"])) || theme || null,
  };
}

/** From now on they are kept in the address. @param {Store<PageState>} store */
export function keepLook(store) {
  store.subscribe(["lang"], ({ lang }) => remember({ lang }));
  store.subscribe(["theme"], ({ theme }) => remember({ theme }));
}

/**
 * What a page of one chapter begins with: where its reader is, and its words.
 * @param {Options} options
 * @param {number} step
 */
export function startPage(options, step) {
  /** @type {PageState} */
  const start = { chapter: 0, step, playing: false, memory: false, ...startLook(options) };
  const store = createStore(start);
  const words = createWords(start.lang);
  store.subscribe(["lang"], ({ lang }) => words.use(lang)); // before all that is written in it
  return { store, words };
}

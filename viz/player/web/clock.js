// Automatic play: one step after the other, at the chosen speed.

import { h, icon, press } from "./dom.js";

/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Words } from "./words.js" */

const PACE = 1100; // least milliseconds per step at speed 1
const LETTER = 32; // milliseconds per letter of the sentence
const WIDE = 2.5; // letters for which a Chinese one counts
const SPEEDS = [0.5, 1, 2, 4];

/** Return the milliseconds for which a sentence is shown at speed 1. @param {string} sentence */
export function timeFor(sentence) {
  const wide = sentence.match(/\p{Script=Han}/gu)?.length ?? 0;
  return Math.max(PACE, LETTER * (sentence.length + (WIDE - 1) * wide));
}

/**
 * @param {Words} words
 * @param {HTMLElement} play  the button
 * @param {Store<PageState>} store
 * @param {Road} road
 * @param {() => string} sentence  that of the step
 */
export function createClock(words, play, store, road, sentence) {
  const options = SPEEDS.map((speed) =>
    h("option", { value: speed, selected: speed === 1 && "" }, `${speed}×`),
  );
  const speed = h(
    "select.mp-speed",
    { "aria-label": words.text("speed"), onchange: wait },
    options,
  );
  let timer = 0;

  function tick() {
    store.set(road.next(store.state) ?? { playing: false });
  }

  function wait() {
    clearTimeout(timer);
    if (store.state.playing) timer = setTimeout(tick, timeFor(sentence()) / Number(speed.value));
  }

  store.subscribe(["playing"], ({ playing }) => {
    press(play, playing);
    play.replaceChildren(icon(playing ? "pause" : "play"));
  });
  // Afterwards, because the sentence is written by another part of the page.
  store.subscribe(["playing", "chapter", "step"], () => queueMicrotask(wait));
  return {
    element: speed,
    /** Play or pause; at the end start again. */
    turn() {
      const { playing } = store.state;
      if (!road.next(store.state) && !road.previous(store.state)) return;
      const ended = !playing && !road.next(store.state);
      store.set({ playing: !playing, ...(ended ? road.start(store.state) : {}) });
    },
  };
}

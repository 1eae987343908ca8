// Automatic play: one step after the other, at the chosen speed.

import { h, icon, press } from "./dom.js";

/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Words } from "./words.js" */

const PACE = 1100; // milliseconds per step at speed 1
const SPEEDS = [0.5, 1, 2, 4];

/**
 * @param {Words} words
 * @param {HTMLElement} play  the button
 * @param {Store<PageState>} store
 * @param {Road} road
 */
export function createClock(words, play, store, road) {
  const options = SPEEDS.map((speed) =>
    h("option", { value: speed, selected: speed === 1 && "" }, `${speed}×`),
  );
  const speed = h(
    "select.mp-speed",
    { "aria-label": words.text("speed"), onchange: follow },
    options,
  );
  let timer = 0;

  function tick() {
    store.set(road.next(store.state) ?? { playing: false });
  }

  function follow() {
    const { playing } = store.state;
    clearInterval(timer);
    if (playing) timer = setInterval(tick, PACE / Number(speed.value));
    press(play, playing);
    play.replaceChildren(icon(playing ? "pause" : "play"));
  }

  store.subscribe(["playing"], follow);
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

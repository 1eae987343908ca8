// Playing by itself: one step after the other, at the chosen speed.

import { html, icon } from "./dom.js";

const PACE = 1100; // milliseconds a step at speed 1
const SPEEDS = [0.5, 1, 2, 4];

// `advance` takes a step and tells whether there was one to take.
export function createClock(words, play, { advance, rewind, tell }) {
  const options = SPEEDS.map((speed) => html("option",
    { value: speed, selected: speed === 1 && "" }, `${speed}×`));
  const speed = html("select", { class: "mp-speed" }, ...options);
  words.label(speed, "speed", "aria-label");
  let timer = null;

  function show() {
    const running = timer !== null;
    play.setAttribute("aria-pressed", String(running));
    play.replaceChildren(icon(running ? "pause" : "play"));
    tell(running);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    show();
  }

  function start() {
    clearInterval(timer);
    timer = setInterval(() => { if (!advance()) stop(); }, PACE / Number(speed.value));
    show();
  }

  speed.addEventListener("change", () => { if (timer !== null) start(); });
  show();
  return {
    element: speed,
    stop,
    turn() {
      if (timer !== null) return stop();
      rewind();
      start();
    },
  };
}

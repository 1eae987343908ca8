// The panel that lists the keys.

import { button, html } from "./dom.js";

const LIST = [[["→", "↓"], "keyNext"], [["←", "↑"], "keyPrevious"], [["Home", "End"], "keyEnds"],
  [["space"], "keyPlay"], [["/"], "keySearch"], [["+", "-"], "keyZoom"], [["0"], "keyFit"],
  [["Shift →"], "keyPan"], [["c"], "keyColour"], [["t"], "keyStatistics"], [["o"], "keyMinimap"], [["m"], "keyMemory"], [["Enter"], "keyOpen"], [["Esc"], "keyEscape"], [["?"], "keyHelp"]];

// `leave` takes the focus back.
export function createHelp(words, leave) {
  const close = words.label(button("help", "close"), "escape", "title");
  words.label(close, "escape", "aria-label");
  const rows = LIST.flatMap(([keys, meaning]) => [
    html("dt", {}, ...keys.map((key) => {
      const cap = html("kbd", {}, key);
      return key === "space" ? words.label(cap, key) : cap;
    })),
    words.label(html("dd"), meaning)]);
  const head = html("header", {}, words.label(html("b"), "keys"),
    words.label(html("span", { class: "mp-hint" }), "escape"), close);
  const panel = html("div", { class: "mp-help", role: "dialog", tabindex: "-1", hidden: "" },
    head, html("dl", {}, ...rows));
  words.label(panel, "keys", "aria-label");

  function turn(open) {
    panel.hidden = !open;
    if (open) panel.focus({ preventScroll: true });
    else leave();
  }

  return {
    element: panel,
    turn: () => turn(panel.hidden),
    // True when it was open.
    close() {
      const open = !panel.hidden;
      if (open) turn(false);
      return open;
    },
  };
}

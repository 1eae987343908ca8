// The panel that lists the keys.

import { h, namedButton } from "./dom.js";
import { KEYS } from "./keys.js";

/** @import { Words } from "./words.js" */

/**
 * @param {Words} words
 * @param {() => void} leave  takes the focus back
 */
export function createHelp(words, leave) {
  const close = namedButton(words, "help", "close", "escape");
  const rows = KEYS.flatMap(({ shown, meaning }) => [
    h("dt", ...shown.map((key) => h("kbd", key === "space" ? words.text(key) : key))),
    h("dd", words.text(meaning)),
  ]);
  const panel = h(
    "div.mp-help",
    { role: "dialog", tabindex: "-1", hidden: "", "aria-label": words.text("keys") },
    h("header", h("b", words.text("keys")), h("span.mp-hint", words.text("escape")), close),
    h("dl", ...rows),
  );

  /** @param {boolean} open */
  function turn(open) {
    panel.hidden = !open;
    if (open) panel.focus({ preventScroll: true });
    else leave();
  }

  return {
    element: panel,
    turn: () => turn(panel.hidden !== false),
    /** True when it was open. */
    close() {
      const open = !panel.hidden;
      if (open) turn(false);
      return open;
    },
  };
}

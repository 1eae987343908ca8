// The panel that lists the keys.

import { createSwitch, h, namedButton } from "./dom.js";
import { KEYS } from "./keys.js";

/** @import { Words } from "./words.js" */

/**
 * @param {Words} words
 * @param {() => void} leave  called to return the focus
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

  return { element: panel, ...createSwitch(panel, leave) };
}

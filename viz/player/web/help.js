// The panel that lists the keys.

import { html, namedButton } from "./dom.js";
import { KEYS } from "./keys.js";

/** @import { Words } from "./words.js" */

/**
 * @param {Words} words
 * @param {() => void} leave  takes the focus back
 */
export function createHelp(words, leave) {
  const close = namedButton(words, "help", "close", "escape");
  const rows = KEYS.flatMap(({ shown, meaning }) => [
    html(
      "dt",
      {},
      ...shown.map((key) => {
        const cap = html("kbd", {}, key);
        return key === "space" ? words.label(cap, key) : cap;
      }),
    ),
    words.label(html("dd"), meaning),
  ]);
  const head = html(
    "header",
    {},
    words.label(html("b"), "keys"),
    words.label(html("span", { class: "mp-hint" }), "escape"),
    close,
  );
  const panel = html(
    "div",
    { class: "mp-help", role: "dialog", tabindex: "-1", hidden: "" },
    head,
    html("dl", {}, ...rows),
  );
  words.label(panel, "keys", "aria-label");

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

// The trail: the groups around the step, from the whole picture inwards, as buttons that lead out.

import { h } from "./dom.js";
import { trailOf } from "./follow.js";

/** @import { Page } from "./player.js" */

/** @param {Pick<Page, "words" | "store" | "view">} page */
export function createTrail({ words, store, view }) {
  const element = h("nav.mp-trail", { "aria-label": words.text("trail") });
  const path = () => trailOf(view.graph(), view.step(), store.state);
  /** @param {string} overview */
  const lookAt = (overview) => store.set({ overview, playing: false });

  store.subscribe(["chapter", "step", "open", "outline", "overview", "lang"], (state) => {
    const whole = { toggles: "", label: words.say("overview"), kind: "" };
    const crumbs = [whole, ...path()].map(({ toggles, label, kind }, at, all) => {
      const text = words.of(label);
      // The class of a layer stands before its name: "LeNet net".
      const name =
        kind === "layer" && at < all.length - 1 ? text.replace(/^\w+ (?=[^\W\d])/, "") : text;
      const here = at === all.length - 1 && "true";
      const onclick = () => lookAt(toggles);
      return h("button.mp-crumb", { title: text, "aria-current": here, onclick }, name);
    });
    const focused = [...element.children].indexOf(/** @type {Element} */ (document.activeElement));
    element.replaceChildren(
      ...crumbs,
      state.overview === "" ? h("span.mp-hint", words.say("overviewHint")) : "",
    );
    element.hidden = !state.outline;
    crumbs[Math.min(focused, crumbs.length - 1)]?.focus({ preventScroll: true });
  });
  return {
    element,
    /** Look at the group around, or at the whole picture. */
    leadOut: () => lookAt(path().at(-2)?.toggles ?? ""),
  };
}

// The inspector's part about the selected box: its steps, its curves and its values.

import { bordersOf } from "./borders.js";
import { h, icon } from "./dom.js";

/** @import { Card } from "./card.js" */
/** @import { Face } from "./compose.js" */
/** @import { Shown, Step } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */

const JUMPS_SHOWN = 8; // maximum number of linked steps

/**
 * @param {Pick<Page, "words" | "store" | "view" | "road">} page
 * @param {(entry: Shown, step: Step) => Card} cardOf
 * @param {HTMLElement} curves
 */
export function createSelection({ words, store, view, road }, cardOf, curves) {
  /**
   * Return the last value of a node under each name and role, up to the current step.
   * @param {string} id
   */
  function valuesOf(id) {
    /** @type {Map<string, [Shown, Step]>} */
    const latest = new Map();
    for (const step of view.payload().steps.slice(0, store.state.step + 1)) {
      for (const entry of step.shown) {
        if (!entry.node || view.resolve(entry.node) !== id) continue;
        latest.set(`${entry.role} ${entry.name}`, [entry, step]);
      }
    }
    return [...latest.values()];
  }

  /** @type {(box: Face, visits: number[]) => string} */
  function whyNoValues(box, visits) {
    const now = store.state.step;
    const ran = visits.some((at) => at <= now && view.payload().steps[at].phase !== "build");
    return words.say(!ran ? "missing" : box.toggles ? "within" : "valueless");
  }

  /** @param {number} step */
  function jumpTo(step) {
    const number = road.number({ ...store.state, step });
    const label = `${words.say("goto")} ${number}`;
    const onclick = () => store.set({ step, playing: false });
    return h("button.mp-jump", { "aria-label": label, onclick }, `${number}`);
  }

  /** @param {Face} box */
  return (box) => {
    const { steps, missing } = view.payload();
    const own = box.toggles ? [] : valuesOf(box.id);
    const values = own.length
      ? own
      : bordersOf(view.payload(), store.state.open, box, store.state.step);
    const cards = values.map(([entry, step]) => cardOf(entry, step));
    const visits = steps.flatMap((step, at) =>
      step.nodes.some((node) => view.resolve(node) === box.id) ? [at] : [],
    );
    const told = visits.filter(road.at(store.state).has);
    const why = missing[view.leafOf(box.id)];
    const onclick = () => store.set({ selected: null });
    const clear = words.say("clear");
    const name = `${words.say("selected")}${words.say("colon")}${words.of(box.label)}`;
    const element = h(
      "div.mp-selection",
      h(
        "header",
        h("b", name),
        h("span.mp-hint", words.say("escape")),
        h("button.mp-button", { title: clear, "aria-label": clear, onclick }, icon("close")),
      ),
      h(
        "p.mp-jumps",
        `${words.say("steps")} `,
        told.slice(0, JUMPS_SHOWN).map(jumpTo),
        told.length > JUMPS_SHOWN && "…",
      ),
      why && h("p.mp-why", why.text[words.lang] ?? ""),
      curves,
      h(
        "div.mp-cards",
        cards.map((card) => card.element),
        !cards.length && h("p.mp-absent", whyNoValues(box, visits)),
      ),
    );
    return { cards, element };
  };
}

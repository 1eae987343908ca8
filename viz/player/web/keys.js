// The keys of the player, in the order in which the panel lists them, and the handling of
// keys and buttons.

import { claim, closest } from "./dom.js";

/**
 * @typedef {object} Row
 * @property {string} meaning  a word of words.js
 * @property {string[]} shown
 * @property {Record<string, string>} actions  pressed key -> action
 */

/** @type {Row[]} */
export const KEYS = [
  { meaning: "keyNext", shown: ["→", "↓"], actions: { ArrowRight: "next", ArrowDown: "next" } },
  {
    meaning: "keyPrevious",
    shown: ["←", "↑"],
    actions: { ArrowLeft: "previous", ArrowUp: "previous" },
  },
  { meaning: "keyRounds", shown: ["[", "]"], actions: { "[": "previousRound", "]": "nextRound" } },
  { meaning: "keyEnds", shown: ["Home", "End"], actions: { Home: "first", End: "last" } },
  { meaning: "keyPlay", shown: ["space"], actions: { " ": "play" } },
  { meaning: "keyProblem", shown: ["p"], actions: { p: "nextProblem" } },
  { meaning: "keySearch", shown: ["/"], actions: { "/": "search" } },
  { meaning: "keyZoom", shown: ["+", "-"], actions: { "+": "in", "=": "in", "-": "out" } },
  { meaning: "keyOut", shown: ["b"], actions: { b: "leadOut" } },
  { meaning: "keyFit", shown: ["0"], actions: { 0: "fit" } },
  {
    meaning: "keyPan",
    shown: ["Shift →"],
    actions: {
      "Shift ArrowRight": "panRight",
      "Shift ArrowLeft": "panLeft",
      "Shift ArrowDown": "panDown",
      "Shift ArrowUp": "panUp",
    },
  },
  { meaning: "keyValues", shown: ["v"], actions: { v: "values" } },
  { meaning: "keyColour", shown: ["c"], actions: { c: "colour" } },
  { meaning: "keyStatistics", shown: ["t"], actions: { t: "statistics" } },
  { meaning: "keyMinimap", shown: ["o"], actions: { o: "minimap" } },
  { meaning: "keyFollow", shown: ["f"], actions: { f: "follow" } },
  { meaning: "keyMemory", shown: ["m"], actions: { m: "memory" } },
  { meaning: "keyEdit", shown: ["Enter", "0 … 9"], actions: {} }, // see inspector.js
  { meaning: "map", shown: ["Shift Enter"], actions: {} },
  { meaning: "keyReset", shown: ["r"], actions: { r: "reset" } },
  { meaning: "keyAsk", shown: ["q"], actions: { q: "ask" } },
  { meaning: "keyAnswer", shown: ["a"], actions: { a: "answer" } },
  { meaning: "keyOpen", shown: ["Enter"], actions: {} }, // handled by the box in focus
  { meaning: "keyBoxes", shown: ["Tab"], actions: {} }, // see graph.js
  { meaning: "keyEscape", shown: ["Esc"], actions: { Escape: "escape" } },
  { meaning: "keyHelp", shown: ["?"], actions: { "?": "help" } },
];

const ACTIONS = new Map(KEYS.flatMap(({ actions }) => Object.entries(actions)));

/**
 * Return the action of a key; Shift alone is ignored: `?` and `+` need it on many keyboards.
 * @param {{ key: string, shiftKey: boolean }} event
 */
export function actionOf({ key, shiftKey }) {
  return (shiftKey && ACTIONS.get(`Shift ${key}`)) || ACTIONS.get(key);
}

/**
 * Return whether a key is for the player: not if Ctrl, Alt or Meta is down, except as AltGr, which
 * many keyboards need for `[`.
 * @param {KeyboardEvent} event
 */
export function isPlain(event) {
  const changed = event.ctrlKey || event.metaKey || event.altKey;
  return !event.defaultPrevented && (!changed || event.getModifierState("AltGraph"));
}

/**
 * Turn keys and buttons into actions. Handled events stop here: a notebook would act on them, too.
 * @param {HTMLElement} root
 * @param {Record<string, (knob?: HTMLElement) => void>} actions  name -> action
 */
export function listen(root, actions) {
  // This attribute suppresses a notebook's shortcuts: Notebook 7 would act before the player does,
  // JupyterLab on keys that the player ignores. Notebooks check the focused element only.
  root.dataset.lmSuppressShortcuts = "true";
  root.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement || target instanceof SVGElement) {
      target.dataset.lmSuppressShortcuts = "true";
    }
  });
  root.addEventListener("click", (event) => {
    const knob = closest(event, "button[data-action]");
    if (knob) actions[knob.dataset.action ?? ""]?.(knob);
  });
  root.addEventListener("keydown", (event) => {
    if (!isPlain(event)) return;
    if (closest(event, "input, select, textarea")) return event.stopPropagation();
    if (closest(event, "button") && (event.key === "Enter" || event.key === " ")) {
      return event.stopPropagation(); // the browser clicks a button itself
    }
    const action = actions[actionOf(event) ?? ""];
    if (!action) return;
    claim(event);
    action();
  });
  root.addEventListener("keyup", (event) => {
    if (event.key === " ") event.stopPropagation();
  });
}

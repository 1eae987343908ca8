// Two graphs of one model side by side, eager work and its Program, with one scrubber for both.

import { h, keepShapesWhole } from "./dom.js";
import { createFollow, followRule } from "./follow.js";
import { createGraph } from "./graph.js";
import { sentenceNow } from "./moved.js";
import { createShell, startPage } from "./shell.js";
import { createStore, quietWhilePlaying, startGraph } from "./store.js";
import { createTimeline } from "./timeline.js";
import { openBook } from "./unpack.js";
import { createView, facesOf } from "./view.js";

/** @import { TwinPayload } from "./payload.d.ts" */
/** @import { Options } from "./player.js" */
/** @import { GraphState } from "./store.js" */

/**
 * Return for each merged step the step of each side, and whether that side has just moved.
 * @param {(number | null)[][]} pairs
 */
export function places(pairs) {
  const at = [-1, -1];
  return pairs.map((pair) =>
    pair.map((step, side) => {
      if (step !== null) at[side] = step;
      return { at: at[side], moved: step !== null };
    }),
  );
}

/**
 * @param {HTMLElement} host
 * @param {TwinPayload} payload
 * @param {Options} options
 */
export function mountTwin(host, payload, options = {}) {
  const merged = places(payload.steps);
  const page = startPage(options, merged.length);
  const { store, words } = page;

  // ----- the sides -----

  const partners = [new Map(payload.matches), new Map(payload.matches.map(([a, b]) => [b, a]))];
  const sides = [payload.left, payload.right].map(openBook).map((book, side) => {
    /** @type {GraphState} */
    const look = { chapter: 0, step: 0, lang: words.lang, ...startGraph(book.open) };
    const own = createStore(look, followRule(book));
    const view = createView(book, own);
    const follow = createFollow(book, words, own);
    /** @type {(id: string | null) => void} */
    const pick = (id) => select(side, id);
    const graph = createGraph({ book, words, store: own, view }, pick, undefined, follow.knobs);
    const say = h("p.mp-say", { "aria-live": "polite" });
    const name = h("b", words.text(side === 0 ? "eagerSide" : "programSide"));
    const pane = h("div.mp-twin-side", h("div.mp-sentence", name, say), graph.element);
    const { reader } = sentenceNow({}, [], book.value, book.value);
    return { steps: book.chapter(0).steps, view, reader, store: own, graph, follow, say, pane };
  });

  // Called only by the first notice, when the sides are in the page.
  store.subscribe([], () => {
    for (const side of sides) side.store.notify();
  });

  /**
   * Select a box and its partner, and bring the partner into view.
   * @param {number} side
   * @param {string | null} id
   */
  function select(side, id) {
    const other = partners[side].get(id ?? "") ?? null;
    sides[side].store.set({ selected: id });
    sides[1 - side].store.set({ selected: other });
    if (other) sides[1 - side].graph.reveal([other]);
  }

  /** @type {(step: number, side: number) => string} */
  function sentence(step, side) {
    const { at } = merged[step][side];
    const text = sides[side].steps[at]?.text;
    return text ? words.of(text, sides[side].reader) : "…";
  }

  const programBoxes = facesOf(sides[1].view.graph());
  const lanes = merged.map(([left, right]) => {
    if (left.moved) return { phase: sides[0].steps[left.at].phase };
    const { nodes } = sides[1].steps[right.at];
    return { phase: programBoxes.find((box) => nodes.includes(box.id))?.lane ?? "forward" };
  });

  // ----- the page -----

  const timeline = createTimeline(
    page,
    new Set(lanes.map(({ phase }) => phase)),
    () => lanes,
    (step) => sides.map((_, side) => sentence(step, side)).join(" "),
  );
  const note = h("p.mp-twin-note");
  const { root, count, tools, show } = createShell(
    page,
    () => payload.title.split(" · ").map(words.source).join(" · "),
    timeline,
    { "data-steps": merged.length },
  );
  root.classList.add("mp-twin");
  root.append(h("div.mp-twin-body", ...sides.map(({ pane }) => pane)), note);

  quietWhilePlaying(store, ...sides.map(({ say }) => say));
  store.subscribe(["step", "lang"], ({ step, lang }) => {
    sides.forEach((each, side) => {
      const { at, moved } = merged[step][side];
      each.say.replaceChildren(...keepShapesWhole(sentence(step, side)));
      each.pane.dataset.moved = String(moved);
      each.store.set({ step: Math.max(at, 0), lang });
    });
    count.textContent = `${step + 1} / ${merged.length}`;
    note.textContent = payload.summary[lang] ?? "";
  });

  // ----- actions -----

  /**
   * Return an action for the side of a pressed button, or for both sides if a key was pressed.
   * @type {(act: (side: typeof sides[number]) => void) => (knob?: HTMLElement) => void}
   */
  const beside = (act) => (knob) => {
    for (const side of sides) if (!knob || side.pane.contains(knob)) act(side);
  };

  show(host, {
    in: beside(({ graph }) => graph.zoom(1.25)),
    out: beside(({ graph }) => graph.zoom(0.8)),
    fit: beside(({ graph }) => graph.fit()),
    values: beside(({ graph }) => graph.turnValues()),
    follow: beside(({ follow }) => follow.turn()),
    escape() {
      const closers = [tools.close, ...sides.map(({ graph }) => graph.close)];
      if (!closers.some((close) => close())) select(0, null);
    },
  });
}

// Two graphs of one model beside each other, the tape and the Program, and one scrubber for both.

import { createBar, createTools, stepActions } from "./bar.js";
import { createClock } from "./clock.js";
import { clamp, focusPage, html, keepShapesWhole } from "./dom.js";
import { createFollow, followRule } from "./follow.js";
import { createGraph } from "./graph.js";
import { listen } from "./keys.js";
import { sentenceNow } from "./moved.js";
import { createRoad } from "./road.js";
import { keepLook, startPage } from "./start.js";
import { createStore } from "./store.js";
import { createTheme } from "./theme.js";
import { createTimeline } from "./timeline.js";
import { openBook } from "./unpack.js";
import { createView, facesOf } from "./view.js";

/** @import { TwinPayload } from "./payload.d.ts" */
/** @import { Options } from "./player.js" */
/** @import { GraphState } from "./store.js" */

/**
 * For each merged step the step at which each side stands, and whether it has just moved.
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
  const last = merged.length - 1;
  const road = createRoad([{ first: 0, count: merged.length, ofMemory: [] }]);
  const { store, words } = startPage(options, 0);

  // ----- the sides -----

  const partners = [new Map(payload.matches), new Map(payload.matches.map(([a, b]) => [b, a]))];
  const sides = [payload.left, payload.right].map(openBook).map((book, side) => {
    /** @type {GraphState} */
    const look = {
      chapter: 0,
      step: 0,
      open: book.open,
      follow: true,
      lent: new Set(),
      shut: new Set(),
      selected: null,
      picked: null,
      hits: [],
      lang: words.lang,
    };
    const own = createStore(look, followRule(book));
    const view = createView(book, own);
    const follow = createFollow(book, words, own);
    /** @type {(id: string | null) => void} */
    const pick = (id) => select(side, id);
    const graph = createGraph(book, words, own, view, pick, undefined, follow.knobs);
    const name = words.label(html("b"), side === 0 ? "eagerSide" : "programSide");
    const say = html("p", { class: "mp-say", "aria-live": "polite" });
    const pane = html(
      "div",
      { class: "mp-twin-side" },
      html("div", { class: "mp-sentence" }, name, say),
      graph.element,
    );
    const { reader } = sentenceNow({}, [], book.value, book.value);
    return { steps: book.chapter(0).steps, reader, store: own, graph, follow, say, pane };
  });

  /**
   * A box and its partner are marked, and the partner comes into view.
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

  const programBoxes = facesOf(payload.right.graphs[0].graph);
  const lanes = merged.map(([left, right]) => {
    if (left.moved) return { phase: sides[0].steps[left.at].phase };
    const { nodes } = sides[1].steps[right.at];
    return { phase: programBoxes.find((box) => nodes.includes(box.id))?.lane ?? "forward" };
  });

  // ----- the page -----

  const phases = new Set(lanes.map(({ phase }) => phase));
  const timeline = createTimeline(
    phases,
    () => lanes,
    words,
    store,
    road,
    (step) => sides.map((_, side) => sentence(step, side)).join(" "),
  );
  const bar = createBar(words, store, road);
  const clock = createClock(words, bar.play, store, road);
  const count = html("output", { class: "mp-count" });
  const tools = createTools(words);
  const note = html("p", { class: "mp-twin-note" });
  const title = html("h1", { class: "mp-title" });
  const root = html(
    "section",
    {
      class: "mp-player mp-twin",
      role: "group",
      tabindex: "0",
      "data-steps": merged.length,
    },
    html(
      "div",
      { class: "mp-head" },
      title,
      html("div", { class: "mp-drive" }, bar.element, timeline, count, clock.element),
      tools.knob,
      tools.panel,
    ),
    html("div", { class: "mp-twin-body" }, ...sides.map(({ pane }) => pane)),
    note,
  );
  const theme = createTheme([root, document.documentElement], store);

  store.subscribe(["playing"], ({ playing }) => {
    for (const { say } of sides) say.setAttribute("aria-live", playing ? "off" : "polite");
  });
  store.subscribe(["step", "lang"], ({ step, lang }) => {
    root.dataset.step = String(step);
    sides.forEach((each, side) => {
      const { at, moved } = merged[step][side];
      each.say.replaceChildren(...keepShapesWhole(sentence(step, side)));
      each.pane.dataset.moved = String(moved);
      each.store.set({ step: Math.max(at, 0), lang });
    });
    count.textContent = `${step + 1} / ${merged.length}`;
  });
  store.subscribe(["lang"], ({ lang }) => {
    for (const each of [root, document.documentElement]) each.lang = words.say("lang");
    title.textContent = payload.title.split(" · ").map(words.source).join(" · ");
    root.setAttribute("aria-label", title.textContent);
    note.textContent = payload.summary[lang] ?? "";
  });

  // ----- hands -----

  /**
   * The side that a button belongs to; both for a key.
   * @param {HTMLElement} [knob]
   */
  const sidesOf = (knob) => sides.filter(({ pane }) => !knob || pane.contains(knob));

  listen(root, {
    ...stepActions(store, road),
    play: clock.turn,
    in(knob) {
      for (const { graph } of sidesOf(knob)) graph.zoom(1.25);
    },
    out(knob) {
      for (const { graph } of sidesOf(knob)) graph.zoom(0.8);
    },
    fit(knob) {
      for (const { graph } of sidesOf(knob)) graph.fit();
    },
    follow(knob) {
      for (const { follow } of sidesOf(knob)) follow.turn();
    },
    theme: theme.turn,
    language: () => store.set({ lang: words.next() }),
    escape() {
      const closers = [tools.close, ...sides.map(({ graph }) => graph.close)];
      if (!closers.some((close) => close())) select(0, null);
    },
  });

  host.replaceChildren(html("main", {}, root));
  for (const side of sides) side.store.notify();
  store.notify();
  keepLook(store);
  focusPage(root);
  return {
    /** @param {number} step */
    go: (step) => store.set({ step: clamp(step, 0, last), playing: false }),
    get step() {
      return store.state.step;
    },
  };
}

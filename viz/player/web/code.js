// The user's source: the current line lit and, in a backward step, the forward line that made it.

import { createScroller, html } from "./dom.js";

/** @import { Payload, Place, Step } from "./payload.d.ts" */
/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */

const TOKENS = new RegExp(
  [
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<string>[rbfRBF]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))`,
    String.raw`(?<keyword>\b(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|match|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False)\b)`,
    String.raw`(?<number>\b\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?\b)`,
    String.raw`(?<word>\w+)`,
  ].join("|"),
  "g",
);

/** @typedef {{ text: string, kind: string }} Piece */

/**
 * The pieces of Python by their kind ("" for what has no colour), one list a line.
 * @param {string[]} lines
 */
export function tokens(lines) {
  const text = lines.join("\n");
  /** @type {Piece[][]} */
  const rows = [[]];
  /** @type {(piece: string, kind?: string) => void} */
  const add = (piece, kind = "") =>
    piece.split("\n").forEach((text, at) => {
      if (at) rows.push([]);
      if (text) rows[rows.length - 1].push({ text, kind });
    });
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, part]) => part !== undefined) ?? [];
    add(text.slice(end, match.index));
    add(match[0], kind === "word" ? "" : kind);
    end = match.index + match[0].length;
  }
  add(text.slice(end));
  return rows;
}

const HEADER = 24; // pixels of the name that stays above the lines, as player.css has it
const LINE = 19;
const CELL = /^Cell \[(\d+)\]$/;

/** @param {Place | null} line */
const keyOf = (line) => (line ? line.join(":") : "");

/** @param {Step[]} steps */
function stepsOfLines(steps) {
  /** @type {Map<string, number[]>} */
  const visits = new Map();
  steps.forEach(({ line }, index) => {
    if (!line) return;
    const key = keyOf(line);
    if (!visits.has(key)) visits.set(key, []);
    visits.get(key)?.push(index);
  });
  return visits;
}

/**
 * @param {Payload} payload
 * @param {Words} words
 * @param {Store<PageState>} store
 * @param {View} view
 * @param {Road} road
 */
export function createCode(payload, words, store, view, road) {
  const visits = stepsOfLines(payload.steps);
  /** @type {Map<string, HTMLElement>} */
  const rows = new Map();
  const pane = html("div", { class: "mp-code", role: "region", tabindex: "0" });
  words.label(pane, "code", "aria-label");
  const scroller = createScroller(pane);
  /** @type {HTMLElement[]} */
  let lit = [];

  /**
   * @param {number} source
   * @param {number} number
   * @param {Piece[]} pieces
   */
  function row(source, number, pieces) {
    const key = keyOf([source, number]);
    const visited = visits.get(key);
    const gutter = visited
      ? html("button", { type: "button", class: "mp-number", tabindex: "-1" })
      : html("span", { class: "mp-number", "aria-hidden": "true" });
    gutter.textContent = String(number);
    const line = html(
      "div",
      {
        class: "mp-line",
        "data-source": source,
        "data-line": number,
        "data-visited": visited ? "" : null,
      },
      gutter,
      html(
        "code",
        {},
        ...pieces.map(({ text, kind }) =>
          kind ? html("span", { class: `mp-${kind}` }, text) : text,
        ),
      ),
    );
    if (visited) {
      line.addEventListener("click", () => {
        const told = visited.filter(road.at(store.state).has);
        const next = told.find((at) => at > store.state.step) ?? told[0] ?? visited[0];
        store.set({ step: next, playing: false });
      });
    }
    rows.set(key, line);
    return line;
  }

  /** @param {number} at */
  const cell = (at) => Number(CELL.exec(payload.sources[at].name)?.[1] ?? Infinity);
  const order = [...payload.sources.keys()]; // cells as in the notebook, files as they ran
  order.sort((one, other) => (cell(one) < cell(other) ? -1 : cell(one) > cell(other) ? 1 : 0));
  order.forEach((at) => {
    const source = payload.sources[at];
    const lines = tokens(source.lines).map((pieces, n) => row(at, source.first + n, pieces));
    const list = html("div", { class: "mp-lines" }, ...lines);
    const name = html("div", { class: "mp-source" });
    const inCell = CELL.exec(source.name);
    words.follow(() => {
      name.textContent = inCell ? `${words.say("cell")} [${inCell[1]}]` : source.name;
    });
    pane.append(name, list);
  });
  if (!payload.sources.length) pane.append(words.label(html("p", { class: "mp-hint" }), "noCode"));

  // The current line, and the forward line too where the pane is high enough for both; a line above
  // and one below are seen with them.
  function reveal() {
    const frame = pane.getBoundingClientRect();
    const places = lit.map(scroller.boxAtRest);
    /** @param {typeof places} all */
    const span = (all) => [
      Math.min(...all.map((at) => at.top)),
      Math.max(...all.map((at) => at.bottom)),
    ];
    let [top, bottom] = span(places);
    const room = frame.height - HEADER;
    if (bottom - top > room) [top, bottom] = span(places.slice(0, 1));
    const around = Math.min(LINE, (room - (bottom - top)) / 2);
    if (top - around >= frame.top + HEADER && bottom + around <= frame.bottom) return;
    const by = (top + bottom) / 2 - (frame.top + HEADER + room / 2);
    scroller.by(0, by);
  }

  function show() {
    for (const line of lit) {
      line.removeAttribute("aria-current");
      line.removeAttribute("data-forward");
      line.querySelector("button")?.setAttribute("tabindex", "-1");
    }
    const step = view.step();
    const here = rows.get(keyOf(step.line));
    const origin = rows.get(keyOf(step.forward_line));
    lit = [here, origin].filter((line) => line !== undefined);
    if (origin && origin !== here) origin.setAttribute("data-forward", "");
    if (here) {
      here.setAttribute("aria-current", "step");
      here.querySelector("button")?.setAttribute("tabindex", "0");
    }
    if (lit.length) reveal();
  }

  store.subscribe(["step"], show);
  return { element: pane };
}

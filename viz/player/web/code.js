// The user's source, with the current line and, in a backward step, its forward line highlighted.

import { createScroller, h, setAttributes, spanOf } from "./dom.js";
import { numberOperands } from "./operands.js";
import { CELL } from "./words.js";

/** @import { Place } from "./payload.d.ts" */
/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */
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
 * Return the pieces of Python code with their kinds ("" without colour), one list per line.
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

/**
 * Return pieces of code as elements and texts; `operands` are those of the step, by their names.
 * @type {(pieces: Piece[], operands?: Map<string, number>) => (HTMLElement | string)[]}
 */
const parts = (pieces, operands = new Map()) =>
  pieces.map(({ text, kind }, at) => {
    const operand = pieces[at - 1]?.text.endsWith(".") ? undefined : operands.get(text);
    if (operand !== undefined) return h("span", { "data-operand": operand }, text);
    return kind ? h(`span.mp-${kind}`, text) : text;
  });

const HEADER = 24; // height of the file name above the lines in pixels, as in player.css
const LINE = 19;

/** @param {Place | null} line */
const keyOf = (line) => (line ? line.join(":") : "");

/** @param {{ book: Book, words: Words, store: Store<PageState>, view: View, road: Road }} page */
export function createCode({ book, words, store, view, road }) {
  const anywhere = new Set(book.chapters.flatMap((_, at) => book.linesOf(at)).map(keyOf));
  /** @type {Map<string, HTMLElement>} */
  const rows = new Map();
  /** @type {WeakMap<HTMLElement, Piece[]>} */
  const piecesOf = new WeakMap();
  const label = words.text("code");
  const pane = h("div.mp-code", { role: "region", tabindex: "0", "aria-label": label });
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
    const visited = anywhere.has(key);
    const gutter = visited
      ? h("button.mp-number", { tabindex: "-1" }, `${number}`)
      : h("span.mp-number", { "aria-hidden": "true" }, `${number}`);
    const onclick = () => {
      const { chapter, step } = store.state;
      const next = stepOf(key, chapter, step);
      const spot = next === undefined ? firstElsewhere(key) : { step: next };
      store.set({ ...spot, playing: false });
    };
    const line = h(
      "div.mp-line",
      {
        "data-source": source,
        "data-line": number,
        ...(visited && { "data-visited": "", onclick }),
      },
      gutter,
      h("code", ...parts(pieces)),
    );
    rows.set(key, line);
    piecesOf.set(line, pieces);
    return line;
  }

  /**
   * Return the next step of a line in a chapter, or its first; prefer steps that are not of memory.
   * @type {(key: string, chapter: number, after: number) => number | undefined}
   */
  function stepOf(key, chapter, after) {
    const { steps } = book.chapter(chapter);
    const all = steps.flatMap(({ line }, at) => (keyOf(line) === key ? [at] : []));
    const told = all.filter(road.at({ chapter, memory: store.state.memory }).has);
    return told.find((at) => at > after) ?? told[0] ?? all[0];
  }

  /**
   * Return the first step of a line in the next chapter that has one, wrapping around at the end.
   * @param {string} key
   */
  function firstElsewhere(key) {
    const { chapter } = store.state;
    const all = book.chapters.map((_, number) => number);
    for (const other of [...all.slice(chapter + 1), ...all.slice(0, chapter)]) {
      if (!book.linesOf(other).some((line) => keyOf(line) === key)) continue;
      return { chapter: other, step: stepOf(key, other, -1) };
    }
    return {};
  }

  /** @param {number} at */
  const cell = (at) => Number(CELL.exec(book.sources[at].name)?.[1] ?? Infinity);
  const order = [...book.sources.keys()]; // cells in notebook order, files in run order
  order.sort((one, other) => (cell(one) < cell(other) ? -1 : cell(one) > cell(other) ? 1 : 0));
  for (const at of order) {
    const source = book.sources[at];
    const lines = tokens(source.lines).map((pieces, n) => row(at, source.first + n, pieces));
    const name = words.live(() => words.source(source.name));
    pane.append(h("div.mp-source", name), h("div.mp-lines", ...lines));
  }
  if (!book.sources.length) pane.append(h("p.mp-hint", words.text("noCode")));

  // Show the current line, with a line above and one below, and the forward line if there is room.
  function reveal() {
    const frame = pane.getBoundingClientRect();
    const places = lit.map(scroller.boxAtRest);
    let [top, bottom] = spanOf(places, "top", "bottom");
    const room = frame.height - HEADER;
    if (bottom - top > room) [top, bottom] = spanOf(places.slice(0, 1), "top", "bottom");
    const around = Math.min(LINE, (room - (bottom - top)) / 2);
    if (top - around >= frame.top + HEADER && bottom + around <= frame.bottom) return;
    const by = (top + bottom) / 2 - (frame.top + HEADER + room / 2);
    scroller.by(0, by);
  }

  /** @type {(line: HTMLElement, operands?: Map<string, number>) => void} */
  const fill = (line, operands) =>
    line.querySelector("code")?.replaceChildren(...parts(piecesOf.get(line) ?? [], operands));

  function show() {
    for (const line of lit) {
      fill(line);
      setAttributes(line, { "aria-current": null, "data-forward": null });
      line.querySelector("button")?.setAttribute("tabindex", "-1");
    }
    const step = view.step();
    const here = rows.get(keyOf(step.line));
    const origin = rows.get(keyOf(step.forward_line));
    lit = [here, origin].filter((line) => line !== undefined);
    for (const line of lit) fill(line, numberOperands(step));
    origin?.toggleAttribute("data-forward", origin !== here);
    here?.setAttribute("aria-current", "step");
    here?.querySelector("button")?.setAttribute("tabindex", "0");
    if (lit.length) reveal();
  }

  // A panel that opens below takes room from the pane, at the same step.
  new ResizeObserver(() => lit.length && reveal()).observe(pane);
  store.subscribe(["chapter", "step"], show);
  return { element: pane };
}

// The user's source: the current line lit and, in a backward step, the forward line that made it.

import { createScroller, html } from "./dom.js";

const TOKENS = new RegExp([
  String.raw`(?<comment>#[^\n]*)`,
  String.raw`(?<string>[rbfRBF]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))`,
  String.raw`(?<keyword>\b(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|match|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False)\b)`,
  String.raw`(?<number>\b\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?\b)`,
  String.raw`(?<word>\w+)`,
].join("|"), "g");

// Lists of coloured spans and texts, one list a line.
function colour(lines) {
  const text = lines.join("\n");
  const rows = [[]];
  const add = (piece, kind) => piece.split("\n").forEach((part, at) => {
    if (at) rows.push([]);
    if (part) rows.at(-1).push(kind ? html("span", { class: `mp-${kind}` }, part) : part);
  });
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    add(text.slice(end, match.index), null);
    add(match[0], kind === "word" ? null : kind);
    end = match.index + match[0].length;
  }
  add(text.slice(end), null);
  return rows;
}

const CELL = /^Cell \[(\d+)\]$/;
const keyOf = (line) => line && `${line[0]}:${line[1]}`;

function stepsOfLines(steps) {
  const found = new Map();
  steps.forEach((step, index) => {
    if (!step.line) return;
    const key = keyOf(step.line);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(index);
  });
  return found;
}

export function createCode(payload, words, go) {
  const visits = stepsOfLines(payload.steps);
  const rows = new Map();
  const pane = html("div", { class: "mp-code", role: "region", tabindex: "0" });
  words.label(pane, "code", "aria-label");
  const scroller = createScroller(pane);
  let current = 0;
  let lit = [];

  function row(source, number, pieces) {
    const key = `${source}:${number}`;
    const visited = visits.get(key);
    const gutter = visited ? html("button", { type: "button", class: "mp-number", tabindex: "-1" })
      : html("span", { class: "mp-number", "aria-hidden": "true" });
    gutter.textContent = number;
    const line = html("div", { class: "mp-line", "data-source": source, "data-line": number,
      "data-visited": visited ? "" : null }, gutter, html("code", {}, ...pieces));
    if (visited) {
      line.addEventListener("click", () => go(visited.find((at) => at > current) ?? visited[0]));
    }
    rows.set(key, line);
    return line;
  }

  const cell = (at) => Number(CELL.exec(payload.sources[at].name)?.[1] ?? Infinity);
  const order = [...payload.sources.keys()]; // cells as in the notebook, files as they ran
  order.sort((one, other) => (cell(one) < cell(other) ? -1 : cell(one) > cell(other) ? 1 : 0));
  order.forEach((at) => {
    const source = payload.sources[at];
    const lines = colour(source.lines).map((pieces, n) => row(at, source.first + n, pieces));
    const list = html("div", { class: "mp-lines" }, ...lines);
    const name = html("div", { class: "mp-source" });
    const inCell = CELL.exec(source.name);
    words.follow(() => {
      name.textContent = inCell ? `${words.say("cell")} [${inCell[1]}]` : source.name;
    });
    pane.append(name, list);
  });
  if (!payload.sources.length) pane.append(words.label(html("p", { class: "mp-hint" }), "noCode"));

  // The current line, and the forward line too where the pane is high enough for both.
  function reveal(here, origin) {
    const frame = pane.getBoundingClientRect();
    const places = [here, origin].filter((line) => line).map(scroller.settled);
    const span = (all) => [Math.min(...all.map((at) => at.top)), Math.max(...all.map((at) => at.bottom))];
    let [top, bottom] = span(places);
    const header = 26, room = frame.height - header;
    if (bottom - top > room) [top, bottom] = span(places.slice(0, 1));
    if (top >= frame.top + header && bottom <= frame.bottom) return;
    const by = (top + bottom) / 2 - (frame.top + header + room / 2);
    scroller.by(0, by);
  }

  return {
    element: pane,
    show(step, index) {
      current = index;
      for (const line of lit) {
        line.removeAttribute("aria-current");
        line.removeAttribute("data-forward");
        line.querySelector("button")?.setAttribute("tabindex", "-1");
      }
      const here = rows.get(keyOf(step.line));
      const origin = rows.get(keyOf(step.forward_line));
      lit = [here, origin].filter((line) => line);
      if (origin && origin !== here) origin.setAttribute("data-forward", "");
      if (here) {
        here.setAttribute("aria-current", "step");
        here.querySelector("button")?.setAttribute("tabindex", "0");
      }
      if (lit.length) reveal(here, origin);
    },
  };
}

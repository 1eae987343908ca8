// A table of parameters and activations at the step: viz/statistics/table.py gives what changes when.

import { button, html } from "./dom.js";
import { larger } from "./colour.js";
import { briefly, isOdd, shapeText, sizeOf } from "./numbers.js";

const MOST = 300; // rows that are drawn
const FIELDS = ["name", "kind", "shape", "mean", "std", "min", "max", "zeros", "odd", "grad", "update"];
const TEXTS = 3; // the first columns hold no numbers
const PENDING = "pending";

const latest = (pairs, step) => pairs.findLast(([at]) => at <= step)?.[1];

// What a track says at a step, at which it has a value.
function rowOf(track, payload, step) {
  const value = payload.values[latest(track.values, step)];
  const { stats } = value;
  const over = payload.passes.some((end) => track.values[0][0] <= end && end <= step);
  const share = stats.size ? stats.zeros / stats.size : null;
  return { track, name: track.name, kind: track.kind, shape: value.shape, mean: stats.mean, std: stats.std,
    min: stats.min, max: stats.max, zeros: Number.isFinite(share) ? share : null, odd: (stats.nan ?? 0) + (stats.inf ?? 0),
    grad: latest(track.grads, step) ?? (over ? null : PENDING), update: latest(track.updates, step) ?? null };
}

const warns = (column, found) => (column === "odd" ? found > 0 : isOdd(found) && found !== PENDING);
const known = (found) => found !== null && found !== undefined && found !== PENDING;

// The smaller first; what is not known stands last in either direction.
function compare(column, down) {
  return (one, other) => {
    const [a, b] = [one[column], other[column]];
    if (column === "name" || column === "kind") return (down ? -1 : 1) * String(a).localeCompare(String(b));
    if (column === "shape") return (down ? -1 : 1) * (sizeOf(a) - sizeOf(b));
    if (!known(a) || !known(b)) return known(b) - known(a);
    if (a === b) return 0;
    return (larger(a, b) === a) === down ? -1 : 1;
  };
}

export function createStatistics(payload, words, { select, resolve, leave }) {
  const tracks = payload.statistics ?? [];
  const heads = FIELDS.map((column) => {
    const sorter = words.label(html("button", { type: "button", class: "mp-sort" }), `column_${column}`);
    sorter.addEventListener("click", () => sort(column));
    return html("th", { scope: "col", "data-column": column }, sorter);
  });
  const body = html("tbody"), caption = html("caption"), rest = html("p", { class: "mp-hint" });
  const close = words.label(button("statistics", "close"), "close", "title");
  words.label(close, "close", "aria-label");
  const table = html("table", {}, caption, html("thead", {}, html("tr", {}, ...heads)), body);
  const panel = html("section", { class: "mp-statistics", tabindex: "-1", hidden: "" },
    html("div", { class: "mp-rows" }, table), close, rest);
  words.label(panel, "statistics", "aria-label");
  let step = 0, selected = null, order = { column: null, down: false };
  let lines = new Map(); // track: its row in the table, and what is written in it

  function written(column, found) {
    if (column === "name") return found;
    if (column === "kind") return words.say(`row_${found}`);
    if (column === "shape") return shapeText(found);
    if (found === PENDING) return words.say("sizeNone");
    if (!known(found)) return column === "grad" ? "None" : "–";
    if (column === "zeros") return `${briefly(Number((100 * found).toPrecision(3)))}%`;
    return typeof found === "boolean" ? String(Number(found)) : briefly(found);
  }

  function lineOf(row) {
    const texts = FIELDS.map((column) => written(column, row[column]));
    const key = texts.join("\u0000");
    if (lines.get(row.track)?.key === key) return lines.get(row.track);
    const name = html("button", { type: "button", class: "mp-row-pick" }, texts[0]);
    const cells = texts.slice(1).map((text, at) => html("td", { "data-text": at + 1 < TEXTS,
      "data-odd": at + 1 >= TEXTS && warns(FIELDS[at + 1], row[FIELDS[at + 1]]) }, text));
    const line = html("tr", { "data-row": row.track.node }, html("th", { scope: "row" }, name), ...cells);
    line.addEventListener("click", () => select(resolve(row.track.node) ?? null));
    return { line, key };
  }

  function render() {
    if (panel.hidden) return;
    const all = tracks.filter((track) => track.values[0][0] <= step);
    const rows = (order.column ? all : all.slice(0, MOST)).map((track) => rowOf(track, payload, step));
    if (order.column) rows.sort(compare(order.column, order.down));
    const shown = rows.slice(0, MOST);
    lines = new Map(shown.map((row) => [row.track, lineOf(row)]));
    const focused = body.contains(document.activeElement) ? document.activeElement.closest("tr") : null;
    const next = [...lines.values()].map(({ line }) => line);
    if (next.length !== body.children.length || next.some((line, at) => line !== body.children[at])) {
      body.replaceChildren(...next);
    }
    const again = focused && next.find((line) => line.dataset.row === focused.dataset.row);
    if (focused && document.activeElement !== again?.querySelector("button")) again?.querySelector("button").focus({ preventScroll: true });
    caption.textContent = `${words.say("statistics")} · ${words.say("statisticsAt")} ${step + 1}${words.say("stepEnd")}`;
    rest.textContent = all.length > MOST ? `${words.say("statisticsMore")} ${all.length - MOST}`
      : all.length ? "" : words.say("statisticsNone");
    mark();
  }

  function mark() {
    for (const [track, { line }] of lines) {
      const here = selected !== null && resolve(track.node) === selected;
      line.toggleAttribute("data-chosen", here);
      line.querySelector("button").setAttribute("aria-pressed", here);
    }
  }

  // First the largest, or from A to Z; then the other way; then as they appear.
  function sort(column) {
    const first = FIELDS.indexOf(column) >= TEXTS;
    if (order.column !== column) order = { column, down: first };
    else if (order.down === first) order = { column, down: !first };
    else order = { column: null, down: false };
    for (const head of heads) {
      const here = head.dataset.column === order.column;
      if (here) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    render();
  }

  words.follow(render);
  return {
    element: panel,
    turn() {
      panel.hidden = !panel.hidden;
      render();
      if (panel.hidden) leave();
      else panel.focus({ preventScroll: true });
      return !panel.hidden;
    },
    show(at, id) {
      [step, selected] = [at, id];
      render();
    },
    select(id) {
      selected = id;
      mark();
    },
  };
}

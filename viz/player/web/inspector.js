// The inspector: the values of the step, or of a chosen node, as tables with a heat colour.

import { createBorders } from "./borders.js";
import { histogram } from "./histogram.js";
import { button, clamp, html } from "./dom.js";
import { filled } from "./filled.js";
import { briefly, exactly, flatten, heat, isOdd, shapeText, shownIndices, sizeOf, writer } from "./numbers.js";

const ROWS = 8, SLICES = 3;
const COLUMN = 68; // pixels
const FEW = 16; // so many numbers need no statistics

// Every two-dimensional slice of an array of any rank, with its leading indices.
function slices(data, shape, path = []) {
  if (shape.length > 2) {
    return data.slice(0, SLICES).flatMap((part, at) => slices(part, shape.slice(1), [...path, at]));
  }
  const rows = shape.length === 2 ? data : shape.length === 1 ? [data] : [[data]];
  return [{ path, rows, rank: shape.length }];
}

function indexOf(path, rank, row, column) {
  return [...path, ...(rank === 2 ? [row, column] : rank === 1 ? [column] : [])];
}

function paintHeat(cell, number, largest) {
  const share = heat(number, largest);
  cell.style.setProperty("--heat", `${Math.abs(share) * 0.6}%`);
  cell.dataset.sign = isOdd(number) ? "odd" : share < 0 ? "minus" : "plus";
}

// All elements of a matrix too large for numbers, as a picture without text.
function heatMap(rows, largest) {
  const [height, width] = [rows.length, rows[0].length];
  const canvas = html("canvas", { class: "mp-heat-map", width, height, "aria-hidden": "true" });
  const size = Math.min(10, 260 / width, 160 / height);
  canvas.style.width = `${width * size}px`;
  canvas.style.height = `${height * size}px`;
  const pen = canvas.getContext("2d");
  rows.forEach((row, y) => row.forEach((number, x) => {
    const share = heat(number, largest) / 100;
    pen.fillStyle = isOdd(number) ? "rgb(208 0 111)"
      : `rgb(${share < 0 ? "196 84 158" : "104 156 36"} / ${Math.abs(share)})`;
    pen.fillRect(x, y, 1, 1);
  }));
  return canvas;
}

function tableOf({ path, rows, rank }, value, name, most, onCell) {
  const numbers = flatten(value.data);
  const write = writer(numbers, value.dtype);
  const largest = Math.max(0, ...numbers.filter((n) => !isOdd(n)).map(Math.abs));
  const width = rows[0]?.length ?? 0;
  const columns = shownIndices(width, most);
  const at = path.length ? `[${path.join(", ")}]` : "";
  const table = html("table", {}, html("caption", { class: path.length ? "" : "mp-hidden" },
    `${name}${at} ${shapeText(value.shape)}`));
  if (rank) {
    const heads = columns.map((n) => html("th", { scope: "col" }, n === null ? "…" : `${n}`));
    table.append(html("thead", {}, html("tr", {}, rank === 2 ? html("td") : "", ...heads)));
  }
  const body = html("tbody");
  for (const row of shownIndices(rows.length, ROWS)) {
    const cells = columns.map((column) => {
      if (row === null || column === null) return html("td", { class: "mp-gap", tabindex: -1 }, "…");
      const index = indexOf(path, rank, row, column);
      const number = rows[row][column];
      const cell = html("td", { class: "mp-cell", tabindex: index.some((at) => at) ? -1 : 0,
        "data-index": index.join(",") }, write(number));
      paintHeat(cell, number, largest);
      cell.addEventListener("click", (event) => onCell(index, value.shape, event.detail > 0));
      return cell;
    });
    const head = html("th", { scope: "row" }, row === null ? "…" : `${row}`);
    body.append(html("tr", {}, rank === 2 ? head : "", ...cells));
  }
  table.append(body);
  const scroller = html("div", { class: "mp-table" }, table);
  const pictured = Math.min(rows.length, width) > 2 && (rows.length > ROWS || width > most);
  return pictured ? [heatMap(rows, largest), scroller] : [scroller];
}

// Which colour is which sign.
function signs(words) {
  const cells = [["minus", "−"], ["zero", "0"], ["plus", "+"]].map(([sign, text]) => html("span",
    { class: "mp-sign", "data-sign": sign }, text));
  return html("span", { class: "mp-scale", title: words.say("scale") }, ...cells);
}

export function createInspector(payload, words, { go, clear, part, resolve, held }) {
  const bordersOf = createBorders(payload);
  const body = html("div", { class: "mp-inspector", role: "region", tabindex: "0" });
  words.label(body, "values", "aria-label");
  let chosen = null; // an element: { index, shape }, lit in every array of that shape
  let shown = [];

  function statistics({ stats, shape }) {
    const entries = ["min", "mean", "max"].filter((key) => (stats[key] ?? null) !== null)
      .map((key) => `${words.say(key)} ${briefly(stats[key])}`);
    return html("p", { class: "mp-stats" }, [...entries, `${sizeOf(shape)} ${words.say("size")}`].join(" · "));
  }

  function flags({ stats }) {
    return [["nan", "NaN"], ["inf", "Inf"]].filter(([key]) => stats[key])
      .map(([key, name]) => html("span", { class: "mp-flag" }, `${name} × ${stats[key]}`));
  }

  function content(value, name) {
    if (value.data === null) {
      return [html("p", { class: "mp-hint" }, words.say("tooLarge")), ...histogram(value, name, words), statistics(value)];
    }
    if (!sizeOf(value.shape)) return [statistics(value)];
    const most = clamp(Math.floor((body.clientWidth - 50) / COLUMN), 4, 8);
    const tables = slices(value.data, value.shape)
      .flatMap((slice) => tableOf(slice, value, name, most, pick));
    const few = sizeOf(value.shape) <= FEW;
    const digits = html("p", { class: "mp-element", hidden: "" });
    return [...tables, digits, ...(few ? [] : [...histogram(value, name, words), statistics(value)])];
  }

  function absent(entry, step) {
    if (entry.role === "skipped") return html("p", { class: "mp-absent" }, words.say("notGiven"));
    const gradient = entry.role.startsWith("grad") && step.phase !== "forward";
    return html("p", { class: "mp-absent" }, words.say(gradient ? "noGradient" : "missing"));
  }

  // A gradient beside the slope that was measured for it: a sign, and a sentence.
  function checked({ check }) {
    if (!check) return [];
    const [state, sign] = check.agrees === null ? ["none", "–"] : check.agrees ? ["agrees", "✓"] : ["differs", "≠"];
    return [html("p", { class: "mp-check", "data-check": state },
      html("span", { class: "mp-check-sign", "aria-hidden": "true" }, sign), ` ${check.text[words.lang]}`)];
  }

  function card(entry, step) {
    const value = entry.value === null ? null : payload.values[entry.value];
    const meta = value ? `${shapeText(value.shape)} ${value.dtype}` : "";
    const head = html("header", {}, html("span", { class: "mp-role" }, words.say(entry.role)),
      html("b", {}, entry.name), html("span", { class: "mp-meta" }, meta),
      ...(value ? flags(value) : []));
    const inside = value ? content(value, entry.name) : [absent(entry, step)];
    return html("section", { class: "mp-value", "data-role": entry.role }, head, ...inside,
      ...checked(entry));
  }

  // The values by the names that the formula of a step knows them by.
  function named(step) {
    const terms = (step.terms ?? []).map(([name, value]) => [name, payload.values[value]]);
    const nameless = !step.formula.includes(" = "); // the formula is then the result's name
    const cards = step.shown
      .filter((entry) => entry.value !== null && !(nameless && entry.role === "output"))
      .map((entry) => [entry.name, payload.values[entry.value]]);
    return new Map([...terms, ...cards]);
  }

  // The chosen element, with all its digits, in the formula and in every array of its shape.
  function light() {
    const line = body.querySelector(".mp-filled");
    if (line) {
      line.textContent = (chosen && filled(last.step.formula, named(last.step), chosen)) ?? "";
      line.hidden = !line.textContent;
    }
    body.querySelectorAll(".mp-cell[data-chosen]").forEach((cell) => delete cell.dataset.chosen);
    for (const [entry, section] of shown) {
      const value = payload.values[entry.value];
      const line = section.querySelector(".mp-element");
      if (!line) continue;
      line.hidden = value.shape.join() !== chosen?.shape.join();
      if (line.hidden) continue;
      const at = (whole) => chosen.index.reduce((data, place) => data[place], whole);
      const number = at(value.data);
      const place = chosen.index.length ? shapeText(chosen.index) : "";
      const slopes = payload.values[entry.check?.value ?? -1]?.data ?? null;
      const slope = slopes === null ? ""
        : ` · ${words.say("slope")} ${exactly(at(slopes))}`;
      line.textContent = `${entry.name || words.say(entry.role)}${place} = ${exactly(number)}${slope}`;
      section.querySelector(`.mp-cell[data-index="${chosen.index.join(",")}"]`)
        ?.setAttribute("data-chosen", "");
    }
  }

  function pick(index, shape, byMouse) {
    const same = `${chosen?.index}/${chosen?.shape}` === `${index}/${shape}`;
    chosen = same ? null : { index, shape };
    if (byMouse) body.focus({ preventScroll: true }); // the arrow keys go on stepping
    light();
  }

  // Where a number was reached by keyboard, the arrows lead to its neighbours.
  body.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".mp-cell, .mp-gap");
    if (!cell) return;
    const sideways = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" }[event.key];
    const rows = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
    const next = sideways ? cell[sideways] : cell.parentNode[rows]?.children[cell.cellIndex];
    if (event.key === "Enter") cell.click();
    else if (!sideways && !rows) return;
    else if (next?.matches("td")) next.focus();
    event.preventDefault();
    event.stopPropagation();
  });

  // The last value under each name and role that the steps up to now gave to a node.
  function known(id, index) {
    const found = new Map();
    payload.steps.slice(0, index + 1).forEach((step) => step.shown.forEach((entry) => {
      if (!entry.node || resolve(entry.node) !== id) return;
      found.set(`${entry.role} ${entry.name}`, [entry, step]);
    }));
    return [...found.values()];
  }

  // Why a box shows no value.
  function silence(box, visits, index) {
    const ran = visits.some((at) => at <= index && payload.steps[at].phase !== "build");
    return words.say(!ran ? "missing" : box.toggles ? "within" : "valueless");
  }

  function selection(id, index) {
    const box = part(id);
    const own = box.toggles ? [] : known(id, index);
    const values = own.length ? own : bordersOf(box, index);
    const here = (step) => step.nodes.some((node) => resolve(node) === id);
    const visits = payload.steps.flatMap((step, at) => (here(step) ? [at] : []));
    const close = words.label(button("clear", "close"), "clear", "title");
    close.setAttribute("aria-label", close.title);
    close.addEventListener("click", clear);
    const jumps = visits.slice(0, 8).map((at) => {
      const jump = html("button", { type: "button", class: "mp-jump" }, `${at + 1}`);
      jump.setAttribute("aria-label", `${words.say("goto")} ${at + 1}`);
      jump.addEventListener("click", () => go(at));
      return jump;
    });
    if (visits.length > jumps.length) jumps.push("…");
    const cards = values.map((pair) => [pair[0], card(...pair)]);
    const why = payload.missing?.[box.tag_of ?? id];
    const reason = why ? html("p", { class: "mp-why" }, why.text[words.lang]) : "";
    const rest = cards.length ? cards.map((pair) => pair[1])
      : [html("p", { class: "mp-absent" }, silence(box, visits, index))];
    const head = html("header", {}, html("b", {}, `${words.say("selected")}: ${box.label}`),
      html("span", { class: "mp-hint" }, words.say("escape")), close);
    const where = html("p", { class: "mp-jumps" }, `${words.say("steps")} `, ...jumps);
    return [cards, html("div", { class: "mp-selection" }, head, where,
      reason, html("div", { class: "mp-cards" }, ...rest))];
  }

  let last = null;
  function render() {
    const { step, index, selected } = last;
    const cards = step.shown.map((entry) => [entry, card(entry, step)]);
    const [more, box] = selected === null ? [[], ""] : selection(selected, index);
    shown = [...cards, ...more];
    const formula = step.formula ? html("p", { class: "mp-formula" }, step.formula) : "";
    const filledIn = html("p", { class: "mp-filled", hidden: "" });
    const none = cards.length ? "" : html("p", { class: "mp-hint" }, words.say("noValues"));
    const arrays = shown.some(([entry]) => payload.values[entry.value]?.data);
    const hint = arrays ? html("p", { class: "mp-hint" }, words.say("element"), signs(words)) : "";
    const focused = body.contains(document.activeElement);
    const row = html("div", { class: "mp-cards" }, ...cards.map((pair) => pair[1]));
    body.replaceChildren(formula, filledIn, row, none, hint, held(index), box);
    if (focused && !body.contains(document.activeElement)) body.focus({ preventScroll: true });
    light();
  }

  return {
    element: body,
    show(step, index, selected) {
      if (last?.index !== index) body.scrollTop = 0;
      last = { step, index, selected };
      render();
    },
    // The head of the selection comes into view, below the numbers of the step.
    reveal() {
      const box = body.querySelector(".mp-selection")?.getBoundingClientRect();
      if (!box) return;
      const wanted = Math.min(box.bottom, box.top + 120);
      body.scrollTop += Math.max(0, wanted - body.getBoundingClientRect().bottom);
    },
    // True when there was a chosen element to let go.
    release() {
      const had = chosen !== null;
      chosen = null;
      light();
      return had;
    },
  };
}

// The inspector: the values of the step, or of a chosen node, as tables with a heat colour.

import { signs, tablesOf } from "./arrays.js";
import { bordersOf } from "./borders.js";
import { breakAtDots, button, closest, html, icon } from "./dom.js";
import { elementAt, fillFormula, fillSum, sumOf } from "./formula.js";
import { histogram } from "./histogram.js";
import { briefly, exactly, shapeText, sizeOf } from "./numbers.js";

/** @import { Chosen } from "./formula.js" */
/** @import { Shown, Step, Value } from "./payload.d.ts" */
/** @import { Face } from "./composed.d.ts" */
/** @import { AskState } from "./questions.js" */
/** @import { Road } from "./road.js" */
/** @import { GraphState, PageState, Store } from "./store.js" */
/** @import { Trends } from "./trend.js" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */

/**
 * @typedef {object} InspectorState
 * @property {Chosen | null} element  lit in every array of its shape
 */

/** @type {(keyof (GraphState & PageState & InspectorState & AskState))[]} */
const REDRAWN = ["chapter", "step", "selected", "lang", "memory", "quiz", "answered"];
const FEW = 16; // so many numbers need no statistics

/**
 * @param {Words} words
 * @param {Store<GraphState & PageState & InspectorState & AskState>} store
 * @param {View} view
 * @param {Road} road
 * @param {(step: number) => Node | string} memoryAt  what is in memory
 * @param {Trends} trends
 */
export function createInspector(words, store, view, road, memoryAt, trends) {
  const body = html("div", { class: "mp-inspector", role: "region", tabindex: "0" });
  words.label(body, "values", "aria-label");
  const formulaWithNumbers = html("p", { class: "mp-filled", hidden: "" });
  /** @type {[Shown, HTMLElement][]} */
  let shown = [];

  /** @param {Value} value */
  function statistics({ stats, shape }) {
    const entries = Object.entries({ min: stats.min, mean: stats.mean, max: stats.max }).flatMap(
      ([key, number]) =>
        number === null || number === undefined ? [] : [`${words.say(key)} ${briefly(number)}`],
    );
    return html(
      "p",
      { class: "mp-stats" },
      [...entries, `${sizeOf(shape)} ${words.say("size")}`].join(" · "),
    );
  }

  /** @param {Value} value */
  function flags({ stats }) {
    return Object.entries({ NaN: stats.nan, Inf: stats.inf })
      .filter(([, count]) => count)
      .map(([name, count]) => html("span", { class: "mp-flag" }, `${name} × ${count}`));
  }

  /** @type {(value: Value, name: string, brief: boolean) => HTMLElement[]} */
  function content(value, name, brief) {
    const { data, shape } = value;
    if (data === null) {
      return [
        html("p", { class: "mp-hint" }, words.say("tooLarge")),
        ...histogram(value, name, words),
        statistics(value),
      ];
    }
    if (!sizeOf(shape)) return [statistics(value)];
    const tables = tablesOf({ ...value, data }, name, body.clientWidth, pick, brief);
    const few = sizeOf(shape) <= FEW;
    const digits = html("div", { class: "mp-element", hidden: "" });
    return [
      ...tables,
      digits,
      ...(few ? [] : [...histogram(value, name, words), statistics(value)]),
    ];
  }

  /** @type {(entry: Shown & { hidden?: boolean }, step: Step) => HTMLElement} */
  function absent(entry, step) {
    if (entry.hidden) return html("p", { class: "mp-absent" }, words.say("askHidden"));
    if (entry.role === "taken") return html("p", { class: "mp-absent" }, words.say("notTaken"));
    if (entry.role === "skipped") return html("p", { class: "mp-absent" }, words.say("notGiven"));
    const gradient = entry.role.startsWith("grad") && step.phase !== "forward";
    return html("p", { class: "mp-absent" }, words.say(gradient ? "noGradient" : "missing"));
  }

  /**
   * A gradient beside the slope that was measured for it: a sign, and a sentence.
   * @param {Shown} entry
   */
  function checkLines({ check }) {
    if (!check) return [];
    const [state, sign] =
      check.agrees === null ? ["none", "–"] : check.agrees ? ["agrees", "✓"] : ["differs", "≠"];
    return [
      html(
        "p",
        { class: "mp-check", "data-check": state },
        html("span", { class: "mp-check-sign", "aria-hidden": "true" }, sign),
        ` ${check.text[words.lang] ?? ""}`,
      ),
    ];
  }

  /** @type {(entry: Shown, step: Step) => HTMLElement} */
  function card(entry, step) {
    const value = entry.value === null ? null : view.payload().values[entry.value];
    const meta = value ? `${shapeText(value.shape)} ${value.dtype}` : "";
    const sign = entry.sign ? [html("span", { class: "mp-plus" }, entry.sign)] : [];
    const kept = step.kind === "leaf" && entry.role === "grad_out"; // it goes nowhere from there
    const head = html(
      "header",
      {},
      ...sign,
      html("span", { class: "mp-role" }, words.say(kept ? "final" : entry.role)),
      html("b", {}, ...breakAtDots(entry.name)),
      html("span", { class: "mp-meta" }, meta),
      ...(value ? flags(value) : []),
    );
    const inside = value
      ? content(value, entry.name, sumOf(step.shown).includes(entry))
      : [absent(entry, step)];
    return html(
      "section",
      { class: "mp-value", "data-role": entry.role },
      head,
      ...inside,
      ...checkLines(entry),
    );
  }

  /**
   * Cards in a row; those that a sum is made of stand side by side.
   * @param {[Shown, HTMLElement][]} cards
   * @param {Step} step
   */
  function rowOf(cards, step) {
    const sum = sumOf(step.shown);
    const [parts, rest] = [true, false].map((inside) =>
      cards.filter(([entry]) => sum.includes(entry) === inside).map(([, element]) => element),
    );
    const row = parts.length ? [html("div", { class: "mp-sum" }, ...parts)] : [];
    return html("div", { class: "mp-cards" }, ...row, ...rest);
  }

  /** @type {(entry: Shown, step: Step) => [Shown, HTMLElement]} */
  const cardOf = (entry, step) => [entry, card(entry, step)];

  /**
   * The values by the names that the formula of a step knows them by.
   * @param {Step} step
   */
  function valuesByName(step) {
    const nameless = !step.formula.includes(" = "); // the formula is then the result's name
    const values = new Map(step.terms.map(([name, value]) => [name, view.payload().values[value]]));
    for (const { name, role, value } of step.shown) {
      if (value !== null && !(nameless && role === "output"))
        values.set(name, view.payload().values[value]);
    }
    return values;
  }

  // The chosen element, with all its digits, in the formula and in every array of its shape.
  function highlight() {
    const step = view.step();
    const chosen = store.state.element;
    const formula =
      chosen &&
      (fillSum(step.shown, view.payload().values, chosen) ??
        fillFormula(step.formula, valuesByName(step), chosen));
    formulaWithNumbers.textContent = formula?.replaceAll("=", view.doubtful ? "≟" : "=") ?? "";
    formulaWithNumbers.hidden = !formula;
    for (const cell of body.querySelectorAll(".mp-cell[data-chosen]")) {
      cell.removeAttribute("data-chosen");
    }
    for (const [entry, section] of shown) {
      const { data, shape } = view.payload().values[entry.value ?? -1] ?? {};
      /** @type {HTMLElement | null} */
      const digits = section.querySelector(".mp-element");
      if (!digits) continue;
      digits.hidden = shape?.join() !== chosen?.shape.join();
      if (digits.hidden || !chosen || data === null || data === undefined) continue;
      const { index } = chosen;
      const slopes = view.payload().values[entry.check?.value ?? -1]?.data ?? null;
      const slope =
        slopes === null ? "" : ` · ${words.say("slope")} ${exactly(elementAt(slopes, index))}`;
      const name = `${entry.name || words.say(entry.role)}${index.length ? shapeText(index) : ""}`;
      digits.replaceChildren(
        html("p", {}, `${name} = ${exactly(elementAt(data, index))}${slope}`),
        ...trends.ofElement(entry, chosen),
      );
      section
        .querySelector(`.mp-cell[data-index="${index.join(",")}"]`)
        ?.setAttribute("data-chosen", "");
    }
  }

  /** @type {(next: Chosen, byMouse: boolean) => void} */
  function pick(next, byMouse) {
    const { element } = store.state;
    const same = `${element?.index}/${element?.shape}` === `${next.index}/${next.shape}`;
    if (byMouse) body.focus({ preventScroll: true }); // the arrow keys go on stepping
    store.set({ element: same ? null : next });
  }

  /** @type {(cell: HTMLTableCellElement, key: string) => Element | null | undefined} */
  function neighbour(cell, key) {
    if (key === "ArrowLeft") return cell.previousElementSibling;
    if (key === "ArrowRight") return cell.nextElementSibling;
    const row = cell.parentElement;
    const other = key === "ArrowUp" ? row?.previousElementSibling : row?.nextElementSibling;
    return other?.children[cell.cellIndex];
  }

  // Where a number was reached by keyboard, the arrows lead to its neighbours.
  body.addEventListener("keydown", (event) => {
    const cell = /** @type {HTMLTableCellElement | null} */ (closest(event, ".mp-cell, .mp-gap"));
    if (!cell || !(event.key === "Enter" || /^Arrow(Left|Right|Up|Down)$/.test(event.key))) return;
    const next = neighbour(cell, event.key);
    if (event.key === "Enter") cell.click();
    else if (next instanceof HTMLElement && next.matches("td")) next.focus();
    event.preventDefault();
    event.stopPropagation();
  });

  /**
   * The last value under each name and role that the steps up to now gave to a node.
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

  /** @param {Face} box */
  function selection(box) {
    const own = box.toggles ? [] : valuesOf(box.id);
    const values = own.length
      ? own
      : bordersOf(view.payload(), store.state.open, box, store.state.step);
    /** @param {Step} step */
    const here = (step) => step.nodes.some((node) => view.resolve(node) === box.id);
    const visits = view.payload().steps.flatMap((step, at) => (here(step) ? [at] : []));
    const close = button("clear", icon("close"));
    close.title = words.say("clear");
    close.setAttribute("aria-label", close.title);
    close.addEventListener("click", () => store.set({ selected: null }));
    const way = road.at(store.state);
    const told = visits.filter(way.has);
    const jumps = told.slice(0, 8).map((at) => {
      const jump = html("button", { type: "button", class: "mp-jump" }, `${way.number(at)}`);
      jump.setAttribute("aria-label", `${words.say("goto")} ${way.number(at)}`);
      jump.addEventListener("click", () => store.set({ step: at, playing: false }));
      return jump;
    });
    const more = told.length > jumps.length ? ["…"] : [];
    const cards = values.map(([entry, step]) => cardOf(entry, step));
    const why = view.payload().missing[view.leafOf(box.id)];
    const reason = why ? html("p", { class: "mp-why" }, why.text[words.lang] ?? "") : "";
    const rest = cards.length
      ? cards.map(([, element]) => element)
      : [html("p", { class: "mp-absent" }, whyNoValues(box, visits))];
    const head = html(
      "header",
      {},
      html("b", {}, `${words.say("selected")}${words.say("colon")}${words.of(box.label)}`),
      html("span", { class: "mp-hint" }, words.say("escape")),
      close,
    );
    const where = html("p", { class: "mp-jumps" }, `${words.say("steps")} `, ...jumps, ...more);
    const element = html(
      "div",
      { class: "mp-selection" },
      head,
      where,
      reason,
      html("div", { class: "mp-cards" }, ...trends.ofBox(box)),
      html("div", { class: "mp-cards" }, ...rest),
    );
    return { cards, element };
  }

  function render() {
    const step = view.step();
    const box = store.state.selected === null ? undefined : view.part(store.state.selected);
    const cards = step.shown.map((entry) => cardOf(entry, step));
    const selected = box ? selection(box) : { cards: [], element: "" };
    shown = [...cards, ...selected.cards];
    const formula = step.formula ? html("p", { class: "mp-formula" }, step.formula) : "";
    const none = cards.length ? "" : html("p", { class: "mp-hint" }, words.say("noValues"));
    const arrays = shown.some(([entry]) => view.payload().values[entry.value ?? -1]?.data);
    const hint = arrays ? html("p", { class: "mp-hint" }, words.say("element"), signs(words)) : "";
    const focused = body.contains(document.activeElement);
    const row = rowOf(cards, step);
    body.replaceChildren(
      formula,
      formulaWithNumbers,
      row,
      none,
      hint,
      memoryAt(store.state.step),
      selected.element,
    );
    if (focused && !body.contains(document.activeElement)) body.focus({ preventScroll: true });
    highlight();
  }

  store.subscribe(REDRAWN, (now, before) => {
    if (now.step !== before.step) body.scrollTop = 0;
    render();
  });
  store.subscribe(["element"], highlight);
  return {
    element: body,
    /** The head of the selection comes into view, below the numbers of the step, with its curves. */
    reveal() {
      const box = body.querySelector(".mp-selection")?.getBoundingClientRect();
      if (!box) return;
      const curves = body.querySelector(".mp-selection .mp-trend:last-of-type");
      const most = curves?.getBoundingClientRect().bottom ?? box.top + 120;
      const bottom = Math.min(box.bottom, most);
      body.scrollTop += Math.max(0, bottom - body.getBoundingClientRect().bottom);
    },
    /** True when there was a chosen element to let go. */
    release() {
      const had = store.state.element !== null;
      store.set({ element: null });
      return had;
    },
  };
}

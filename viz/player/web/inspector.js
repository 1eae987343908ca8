// The inspector: the values of the step, or of a chosen node, as tables with a heat colour.

import { signs, tablesOf } from "./arrays.js";
import { bordersOf } from "./borders.js";
import { breakAtDots, button, closest, html, icon } from "./dom.js";
import { indexAt, nameOfNamed, placeOf, stepOf, typedIndex } from "./edit.js";
import { faultCard } from "./fault.js";
import { elementAt, fillFormula, fillSum, sumOf } from "./formula.js";
import { histogram } from "./histogram.js";
import { formulaNow, namedAt, textNow } from "./moved.js";
import { briefly, exactly, shapeText, sizeOf } from "./numbers.js";

/** @import { Edits, EditState, Spotted } from "./edit.js" */
/** @import { Chosen } from "./formula.js" */
/** @import { Shown, Step, Value } from "./payload.d.ts" */
/** @import { Face } from "./composed.d.ts" */
/** @import { AskState } from "./questions.js" */
/** @import { Road } from "./road.js" */
/** @import { GraphState, PageState, Store } from "./store.js" */
/** @import { Trends } from "./trend.js" */
/** @import { View } from "./view.js" */
/** @import { Entry } from "./what_if.js" */
/** @import { Words } from "./words.js" */

/**
 * @typedef {object} InspectorState
 * @property {Chosen | null} element  lit in every array of its shape
 */

/**
 * What a step shows, as it stands in the page; `update` writes what its numbers are now.
 * @typedef {object} Card
 * @property {Shown} entry
 * @property {HTMLElement} element
 * @property {() => void} update
 * @property {(index: number[]) => void} show  bring a number into its tables
 */

/** @type {(keyof (GraphState & PageState & InspectorState & EditState & AskState))[]} */
const REDRAWN = ["chapter", "step", "selected", "lang", "memory", "quiz", "answered"];
const FEW = 16; // so many numbers need no statistics
const TYPED = /^[\d.-]$/; // what begins to replace a number

/**
 * @param {Words} words
 * @param {Store<GraphState & PageState & InspectorState & EditState & AskState>} store
 * @param {View} view
 * @param {Road} road
 * @param {(step: number) => Node | string} memoryAt  what is in memory
 * @param {Trends} trends
 * @param {Edits} edits
 * @param {(spot: Spotted, typed?: string) => void} edit  lets the reader change a number
 */
export function createInspector(words, store, view, road, memoryAt, trends, edits, edit) {
  const body = html("div", { class: "mp-inspector", role: "region", tabindex: "0" });
  words.label(body, "values", "aria-label");
  const formula = html("p", { class: "mp-formula" });
  const formulaWithNumbers = html("p", { class: "mp-filled", hidden: "" });
  const curves = html("div", { class: "mp-cards" }); // of the selection, over the rounds
  /** @type {Card[]} */
  let shown = [];
  /** @type {Spotted | null} */
  let picked = null; // the number that was chosen last
  let refused = false; // whether it was to be changed, which it cannot be

  /** @type {(value: number, index: number[]) => Spotted} */
  function spotAt(value, index) {
    const chapter = view.chapter();
    return { chapter, value, at: placeOf(index, edits.entry(chapter, value).shape) };
  }

  /** @param {Element} cell */
  function spotOf(cell) {
    const value = shown.find(({ element }) => element.contains(cell))?.entry.value ?? null;
    const index = cell.getAttribute("data-index");
    if (value === null || index === null) return null;
    return spotAt(value, index ? index.split(",").map(Number) : []);
  }

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

  /** @type {(value: Value, name: string) => HTMLElement[]} */
  function summary(value, name) {
    const few = value.data !== null && sizeOf(value.shape) <= FEW;
    return few && sizeOf(value.shape)
      ? []
      : [...(sizeOf(value.shape) ? histogram(value, name, words) : []), statistics(value)];
  }

  /**
   * What is said of numbers that the reader's edits may have moved.
   * @param {Entry} value
   */
  function remarks({ stale, kink }) {
    /** @type {(mark: string, text: string) => HTMLElement} */
    const remark = (mark, text) => html("p", { class: "mp-remark", "data-remark": mark }, text);
    return [
      ...(stale ? [remark("stale", `${words.say("stale")} ${words.of(edits.why(stale))}`)] : []),
      ...(kink ? [remark("kink", words.say("kink"))] : []),
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
   * The slope that was measured for a gradient, while this is the one that was recorded.
   * @param {Shown} entry
   */
  function slopeOf({ check, value }) {
    if (!check || check.value === null || isMoved(value)) return null;
    return view.recorded(check.value).data;
  }

  /** @param {number | null} value */
  const isMoved = (value) => value !== null && view.value(value) !== view.recorded(value);

  /**
   * A gradient beside the slope that was measured for it: a sign, and a sentence.
   * @param {Shown} entry
   */
  function checkLines({ check, value }) {
    if (!check || isMoved(value)) return []; // it speaks of the recorded one
    const [state, sign] =
      check.agrees === null ? ["none", "–"] : check.agrees ? ["agrees", "✓"] : ["differs", "≠"];
    return [
      html(
        "p",
        { class: "mp-check", "data-check": state },
        html("span", { class: "mp-check-sign", "aria-hidden": "true" }, sign),
        ` ${words.of(check.text)}`,
      ),
    ];
  }

  /** @type {(entry: Shown, step: Step, value: Value | null) => HTMLElement} */
  function headOf(entry, step, value) {
    const meta = value ? `${shapeText(value.shape)} ${value.dtype}` : "";
    const sign = entry.sign ? [html("span", { class: "mp-plus" }, tellNow(entry.sign, step))] : [];
    const kept = step.kind === "leaf" && entry.role === "grad_out"; // it goes nowhere from there
    return html(
      "header",
      {},
      ...sign,
      html("span", { class: "mp-role" }, words.say(kept ? "final" : entry.role)),
      html("b", {}, ...breakAtDots(entry.name)),
      html("span", { class: "mp-meta" }, meta),
      ...(value ? flags(value) : []),
    );
  }

  /** @type {(entry: Shown, step: Step) => Card} */
  function cardOf(entry, step) {
    const first = entry.value === null ? null : view.value(entry.value);
    const { data, shape } = first ?? { data: null, shape: [] };
    const brief = sumOf(step.shown).includes(entry);
    /** @type {(next: Chosen, clicks: number) => void} */
    const pickHere = (next, clicks) => pick(spotAt(entry.value ?? 0, next.index), next, clicks);
    function redrawn() {
      markEdits();
      highlight();
    }
    const tables =
      first && data !== null && sizeOf(shape)
        ? tablesOf({ ...first, data }, entry.name, body.clientWidth, pickHere, redrawn, brief)
        : null;
    const editable = entry.value !== null && edits.canEdit(spotAt(entry.value, [])).editable;
    const element = html("section", {
      class: "mp-value",
      "data-role": entry.role,
      "data-name": entry.name,
      "data-editable": editable && tables ? "" : null,
    });
    const digits = html("div", { class: "mp-element", hidden: "" });
    const finder = tables?.isWindow ? [finderOf(entry, shape)] : [];
    const stays = !first
      ? [absent(entry, step)]
      : tables
        ? [...tables.elements, ...finder, digits]
        : data === null
          ? [tooLarge(entry.value ?? 0)]
          : [];
    element.append(...stays);
    function markEdits() {
      for (const cell of element.querySelectorAll(".mp-cell[data-edited]")) {
        cell.removeAttribute("data-edited");
      }
      const places = entry.value === null ? [] : edits.changedIn(view.chapter(), entry.value);
      for (const at of places) {
        const index = indexAt(at, shape).join(",");
        element.querySelector(`.mp-cell[data-index="${index}"]`)?.setAttribute("data-edited", "");
      }
    }
    /** @type {HTMLElement[]} */
    let around = []; // those of its elements that are made anew
    /** @type {Entry | null | undefined} */
    let drawn;
    function update() {
      const value = entry.value === null ? null : view.value(entry.value);
      if (value === drawn) return;
      if (drawn && tables && value && value.data !== null) {
        tables.fill({ ...value, data: value.data });
      }
      drawn = value;
      markEdits();
      element.toggleAttribute("data-stale", !!value?.stale);
      for (const each of around) each.remove();
      const head = headOf(entry, step, value);
      const rest = [
        ...(value ? summary(value, entry.name) : []),
        ...checkLines(entry),
        ...(value ? remarks(value) : []),
      ];
      element.prepend(head);
      element.append(...rest);
      around = [head, ...rest];
    }
    update();
    return { entry, element, update, show: (index) => tables?.show(index) };
  }

  /**
   * In the place of the elements; those of a leaf are shown to whoever asks.
   * @param {number} value
   */
  function tooLarge(value) {
    const line = html("p", { class: "mp-hint" }, words.say("tooLarge"));
    const unfold = edits.unfolding(view.chapter(), value);
    if (!unfold) return line;
    const knob = html(
      "button",
      { type: "button", class: "mp-change mp-unfold" },
      words.say("unfold"),
    );
    knob.addEventListener("click", () => {
      unfold();
      render();
    });
    line.append(knob);
    return line;
  }

  /**
   * A field for the index of a number, where an array is too large to show all of them.
   * @param {Shown} entry
   * @param {number[]} shape
   */
  function finderOf(entry, shape) {
    const last = shape.map((length) => length - 1).join(", ");
    const field = html("input", {
      class: "mp-find",
      type: "text",
      inputmode: "text",
      autocomplete: "off",
      spellcheck: "false",
      size: 10,
      placeholder: last,
    });
    const wrong = html("span", { role: "status" });
    field.addEventListener("input", () => {
      field.removeAttribute("aria-invalid");
      wrong.textContent = "";
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") body.focus({ preventScroll: true });
      if (event.key !== "Enter" || event.isComposing) return;
      const index = typedIndex(field.value, shape);
      if (index) return goTo(entry, { index, shape });
      field.setAttribute("aria-invalid", "true");
      wrong.textContent = words.tell("noSuchNumber", { last });
    });
    return html("label", { class: "mp-finder" }, `${words.say("find")} `, field, " ", wrong);
  }

  /**
   * Choose a number, and go where it stands.
   * @type {(entry: Shown, next: Chosen) => void}
   */
  function goTo(entry, next) {
    const card = shown.find((each) => each.entry === entry);
    picked = spotAt(entry.value ?? 0, next.index);
    refused = false;
    store.set({ element: next });
    card?.show(next.index);
    focusCell(card, next.index);
  }

  /** @type {(card: Card | undefined, index: number[]) => boolean} */
  function focusCell(card, index) {
    const cell = card?.element.querySelector(`.mp-cell[data-index="${index.join(",")}"]`);
    if (cell instanceof HTMLElement) {
      cell.focus({ preventScroll: true });
      cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    return cell instanceof HTMLElement;
  }

  /**
   * Cards in a row; those that a sum is made of stand side by side.
   * @param {Card[]} cards
   * @param {Step} step
   */
  function rowOf(cards, step) {
    const sum = sumOf(step.shown);
    const [parts, rest] = [true, false].map((inside) =>
      cards.filter(({ entry }) => sum.includes(entry) === inside).map(({ element }) => element),
    );
    const row = parts.length ? [html("div", { class: "mp-sum" }, ...parts)] : [];
    return html("div", { class: "mp-cards" }, ...row, ...rest);
  }

  /**
   * The values by the names that the formula of a step knows them by.
   * @param {Step} step
   */
  function valuesByName(step) {
    const nameless = !step.formula.includes(" = "); // the formula is then the result's name
    const values = new Map(step.terms.map(([name, value]) => [name, view.value(value)]));
    for (const { name, role, value } of step.shown) {
      if (value !== null && !(nameless && role === "output")) values.set(name, view.value(value));
    }
    return values;
  }

  // The chosen element, with all its digits, in the formula and in every array of its shape.
  function highlight() {
    const step = view.step();
    const chosen = store.state.element;
    const filled =
      chosen &&
      (fillSum(signedNow(step), view.value, chosen) ??
        fillFormula(tellNow(step.formula, step), valuesByName(step), chosen));
    formulaWithNumbers.textContent = filled?.replaceAll("=", view.doubtful ? "≟" : "=") ?? "";
    formulaWithNumbers.hidden = !filled;
    for (const cell of body.querySelectorAll(".mp-cell[data-chosen]")) {
      cell.removeAttribute("data-chosen");
    }
    for (const { entry, element: section } of shown) {
      const { data, shape, was } = entry.value === null ? {} : view.value(entry.value);
      /** @type {HTMLElement | null} */
      const digits = section.querySelector(".mp-element");
      if (!digits) continue;
      digits.hidden = shape?.join() !== chosen?.shape.join();
      if (digits.hidden || !chosen || data === null || data === undefined) continue;
      const { index } = chosen;
      const told = [exactly(elementAt(data, index))];
      const before = was === undefined || was === null ? told[0] : exactly(elementAt(was, index));
      if (before !== told[0]) told.push(words.tell("was", { number: before }));
      const slopes = slopeOf(entry);
      if (slopes !== null) told.push(`${words.say("slope")} ${exactly(elementAt(slopes, index))}`);
      const name = `${entry.name || words.say(entry.role)}${index.length ? shapeText(index) : ""}`;
      digits.replaceChildren(
        html("p", {}, `${name} = ${told.join(" · ")}`, ...changer(entry, index)),
        ...trends.ofElement(entry, chosen),
      );
      section
        .querySelector(`.mp-cell[data-index="${index.join(",")}"]`)
        ?.setAttribute("data-chosen", "");
    }
  }

  /**
   * Behind the digits of a number: what lets one change it, or why one cannot.
   * @type {(entry: Shown, index: number[]) => HTMLElement[]}
   */
  function changer(entry, index) {
    if (entry.value === null) return [];
    const spot = spotAt(entry.value, index);
    const { editable, why } = edits.canEdit(spot);
    if (editable) {
      const knob = html("button", { type: "button", class: "mp-change" }, words.say("change"));
      knob.addEventListener("click", () => edit(spot));
      return [knob];
    }
    const here = refused && picked?.value === spot.value && picked.at === spot.at;
    return here && why ? [html("span", { class: "mp-hint mp-refusal" }, words.of(why))] : [];
  }

  /** The chosen number comes into view in every array of its shape. */
  function showChosen() {
    const { element } = store.state;
    for (const { entry, show } of element ? shown : []) {
      const shape = entry.value === null ? null : view.value(entry.value).shape;
      if (shape?.join() === element?.shape.join()) show(element?.index ?? []);
    }
  }

  /** @type {(spot: Spotted, next: Chosen, clicks: number) => void} */
  function pick(spot, next, clicks) {
    if (clicks > 1) return; // of the number that the first click chose
    const { element } = store.state;
    const same = `${element?.index}/${element?.shape}` === `${next.index}/${next.shape}`;
    picked = spot;
    refused = false;
    if (clicks) body.focus({ preventScroll: true }); // the arrow keys go on stepping
    store.set({ element: same ? null : next });
  }

  /**
   * Edit a number, or say why that cannot be.
   * @type {(spot: Spotted | null, typed?: string) => boolean}
   */
  function tryEdit(spot, typed) {
    if (!spot) return false;
    const { shape } = edits.entry(spot.chapter, spot.value);
    const { editable, why } = edits.canEdit(spot);
    if (!editable && !why) return false;
    picked = spot;
    refused = !editable;
    store.set({ element: { index: indexAt(spot.at, shape), shape } });
    highlight();
    if (editable) edit(spot, typed);
    return true;
  }

  /** @param {Spotted} spot */
  const isChanged = ({ chapter, value, at }) => edits.changedIn(chapter, value).includes(at);

  /** @param {KeyboardEvent} event */
  function editByKey(event) {
    const cell = closest(event, ".mp-cell");
    const chosen = store.state.element !== null && (!cell || cell.hasAttribute("data-chosen"));
    const spot = cell ? spotOf(cell) : event.target === body && chosen ? picked : null;
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (TYPED.test(event.key)) return tryEdit(spot, event.key);
    if (event.key === "Enter") return chosen && tryEdit(spot);
    if (!["Backspace", "Delete"].includes(event.key) || !isChanged(spot)) return false;
    edits.change(spot, edits.recorded(spot));
    return true;
  }

  /**
   * From a number to the one that a key leads to; whether it is such a key.
   * @type {(cell: HTMLElement, key: string) => boolean}
   */
  function walk(cell, key) {
    const card = shown.find(({ element }) => element.contains(cell));
    const shape = card && view.value(card.entry.value ?? 0).shape;
    const at = cell.dataset.index ? cell.dataset.index.split(",").map(Number) : [];
    const next = shape && stepOf(at, shape, key);
    if (!next) return false;
    card.show(next);
    return focusCell(card, next);
  }

  // Where a number was reached by keyboard, the arrows lead to its neighbours.
  body.addEventListener("keydown", (event) => {
    const cell = /** @type {HTMLElement | null} */ (closest(event, ".mp-cell"));
    const edited = editByKey(event);
    if (!edited) {
      if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter") cell.click();
      else if (!walk(cell, event.key)) return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  // What the first click shows may have moved the number away from below the second one.
  body.addEventListener("dblclick", (event) => {
    if (tryEdit(picked)) event.preventDefault();
  });
  body.addEventListener("click", (event) => {
    if (event.detail === 1 && !closest(event, ".mp-cell, .mp-heat-map")) picked = null;
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
      const number = road.number({ ...store.state, step: at });
      const jump = html("button", { type: "button", class: "mp-jump" }, `${number}`);
      jump.setAttribute("aria-label", `${words.say("goto")} ${number}`);
      jump.addEventListener("click", () => store.set({ step: at, playing: false }));
      return jump;
    });
    const more = told.length > jumps.length ? ["…"] : [];
    const cards = values.map(([entry, step]) => cardOf(entry, step));
    const why = view.payload().missing[view.leafOf(box.id)];
    const reason = why ? html("p", { class: "mp-why" }, why.text[words.lang] ?? "") : "";
    const rest = cards.length
      ? cards.map(({ element }) => element)
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
      curves,
      html("div", { class: "mp-cards" }, ...rest),
    );
    return { cards, element };
  }

  /**
   * The named numbers of the step, which are no arrays: learning rates, and what ops are called with.
   * @returns {Shown[]}
   */
  function namedNow() {
    const { steps } = view.payload();
    const rows = edits
      .named(view.chapter())
      .map(
        (row) =>
          /** @type {[string, number, number[]]} */ ([nameOfNamed(row, steps), row[1], row[2]]),
      );
    return namedAt(rows, view.step().phase, store.state.step);
  }

  /**
   * What a step shows, with the rate as it is now in the signs.
   * @param {Step} step
   */
  const signedNow = (step) =>
    step.shown.map((entry) => (entry.sign ? { ...entry, sign: signNow(entry.sign) } : entry));

  /** @param {string} sign */
  const signNow = (sign) =>
    edits.count ? textNow(sign, namedNow(), view.recorded, view.value) : sign;

  /**
   * A formula with the named numbers as they are now; nothing where it cannot tell them.
   * @type {(text: string, step: Step) => string}
   */
  function tellNow(text, { phase }) {
    return edits.count ? formulaNow(text, phase, namedNow(), view.recorded, view.value) : text;
  }

  /** @param {Step} step */
  function tellFormula(step) {
    formula.textContent = tellNow(step.formula, step);
    formula.hidden = !formula.textContent;
  }

  const selectedBox = () =>
    store.state.selected === null ? undefined : view.part(store.state.selected);

  function drawCurves() {
    const box = selectedBox();
    curves.replaceChildren(...(box ? trends.ofBox(box) : []));
  }

  function render() {
    const step = view.step();
    const box = selectedBox();
    const cards = [...step.shown, ...namedNow()].map((entry) => cardOf(entry, step));
    const selected = box ? selection(box) : { cards: [], element: "" };
    shown = [...cards, ...selected.cards];
    tellFormula(step);
    const none = cards.length ? "" : html("p", { class: "mp-hint" }, words.say("noValues"));
    const arrays = shown.some(({ entry }) => view.payload().values[entry.value ?? -1]?.data);
    const editable = shown.some(({ element }) => element.hasAttribute("data-editable"));
    const help = words.say(editable ? "elementEdit" : "element");
    const hint = arrays ? html("p", { class: "mp-hint" }, help, signs(words)) : "";
    const focused = body.contains(document.activeElement);
    const row = rowOf(cards, step);
    const fault = view.payload().faults[store.state.step];
    body.replaceChildren(
      fault ? faultCard(fault, words) : "",
      formula,
      formulaWithNumbers,
      row,
      none,
      hint,
      memoryAt(store.state.step),
      selected.element,
    );
    if (focused && !body.contains(document.activeElement)) body.focus({ preventScroll: true });
    drawCurves();
    showChosen();
    highlight();
  }

  store.subscribe(REDRAWN, (now, before) => {
    if (now.step !== before.step) body.scrollTop = 0;
    render();
  });
  /** Whether elements came, with a link, to an array that is drawn without them. */
  function isUnfolded() {
    return shown.some(
      ({ entry, element }) =>
        entry.value !== null && view.value(entry.value).data && element.querySelector(".mp-unfold"),
    );
  }

  store.subscribe(["moved"], () => {
    if (isUnfolded()) return render();
    drawCurves();
    tellFormula(view.step());
    for (const { entry, element, update } of shown) {
      update();
      const sign = element.querySelector(":scope > header > .mp-plus");
      if (sign && entry.sign) sign.textContent = signNow(entry.sign);
    }
    highlight();
  });
  store.subscribe(["element"], () => {
    showChosen();
    highlight();
  });
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
    /** Back to what the step computes. */
    rewind() {
      body.scrollTop = 0;
    },
    /**
     * The focus goes to a number, where it can be seen, or else to all of them.
     * @param {Spotted} spot
     */
    focusOn({ chapter, value, at }) {
      const here = chapter === view.chapter() ? value : null;
      const card = shown.find(({ entry }) => entry.value === here);
      const index = indexAt(at, edits.entry(chapter, value).shape);
      card?.show(index);
      if (!focusCell(card, index)) body.focus({ preventScroll: true });
    },
    /** True when there was a chosen element to let go. */
    release() {
      const had = store.state.element !== null;
      store.set({ element: null });
      return had;
    },
  };
}

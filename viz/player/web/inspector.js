// The inspector: the values of the step, or of a chosen node, as tables with a heat colour.

import { cellAt, indexOfCell, signs } from "./arrays.js";
import { createCards } from "./card.js";
import { claim, closest, h } from "./dom.js";
import { isSame, stepOf } from "./edit.js";
import { createExplanation } from "./explain.js";
import { entriesAbreast, entriesOfStep } from "./factors.js";
import { faultCard } from "./fault.js";
import { elementAt, fillFormula, fillSum, formulaText, valuesByName } from "./formula.js";
import { formulaNow, namedAt } from "./moved.js";
import { exactly, indexAt, placeOf } from "./numbers.js";
import { formulaParts, numberOperands } from "./operands.js";
import { createSelection } from "./selection.js";
import { cellName } from "./telling.js";

/** @import { Card } from "./card.js" */
/** @import { Spotted } from "./edit.js" */
/** @import { Chosen } from "./formula.js" */
/** @import { Formula, Shown, Step } from "./payload.d.ts" */
/** @import { Page, State } from "./player.js" */
/** @import { Ribbon } from "./ribbon.js" */
/** @import { Trends } from "./trend.js" */

/**
 * @typedef {object} InspectorState
 * @property {Chosen | null} element  lit in every array of its shape
 */

/** @type {(keyof State)[]} */
const REDRAWN = ["chapter", "step", "selected", "lang", "memory", "quiz", "answered"];
const FACTOR = /([\d.]+(?:e−?\d+)?)/; // the learning rate in the sign of an update, `− 0.1 ×`
const TYPED = /^[\d.-]$/; // what begins to replace a number

/**
 * The formulas of a step, with the named numbers as they are now: learning rates, and what ops are
 * called with.
 * @param {Page} page
 */
function createFormulas({ store, view, edits }) {
  const namedNow = () =>
    namedAt(edits.named(view.chapter()), view.payload().steps, store.state.step);

  /**
   * Return a formula with the current numbers, or an empty one if it cannot show them.
   * @param {Formula} formula
   */
  function tellNow(formula) {
    if (!edits.count) return formula;
    return formulaNow(formula, view.step().phase, namedNow(), view.recorded, view.value);
  }

  /** @param {Shown} entry */
  function tellSign({ sign = "", pieces = sign.split(FACTOR) }) {
    return edits.count && pieces.length > 1 ? formulaText(tellNow([pieces])) : sign;
  }

  return {
    namedNow,
    tellSign,
    tellNow,
    /**
     * Return the formula with the numbers of an element, or "".
     * @type {(step: Step, chosen: Chosen) => string}
     */
    fillNumbers(step, chosen) {
      const shown = step.shown.map((entry) =>
        entry.sign ? { ...entry, sign: tellSign(entry) } : entry,
      );
      const filled =
        fillSum(shown, view.value, chosen) ??
        fillFormula(tellNow(step.formula), valuesByName(step, view.value), chosen);
      return filled?.replaceAll("=", view.doubtful ? "≟" : "=") ?? "";
    },
  };
}

/**
 * @param {Page} page
 * @param {() => Ribbon | null} ribbonNow
 * @param {Trends} trends
 * @param {(spot: Spotted, typed?: string) => void} edit  lets the reader change a number
 */
export function createInspector(page, ribbonNow, trends, edit) {
  const { words, store, view, edits } = page;
  const label = words.text("values");
  const body = h("div.mp-inspector", { role: "region", tabindex: "0", "aria-label": label });
  const formula = h("p.mp-formula");
  const formulaWithNumbers = h("p.mp-filled", { hidden: "" });
  const curves = h("div.mp-cards"); // of the selection, over the rounds
  const { namedNow, tellSign, tellNow, fillNumbers } = createFormulas(page);
  const focus = () => body.focus({ preventScroll: true });
  const width = () => body.clientWidth;
  const cardOf = createCards(page, {
    spotAt,
    tellSign,
    pick,
    goTo,
    highlight,
    render,
    focus,
    width,
  });
  const selectionOf = createSelection(page, cardOf, curves);
  /** @type {Card[]} */
  let shown = [];
  /** @type {Spotted | null} */
  let picked = null; // the number that was chosen last
  let refused = false; // whether the reader tried to change it in vain
  let walked = false; // whether the number that is edited was reached by keyboard
  const explanation = createExplanation(page, () => shown);
  /** @type {Element | null} */
  let pointed = null; // the number below the pointer
  let pressed = ""; // where the pointer was pressed last, until it moves

  /** @type {(value: number, index: number[]) => Spotted} */
  function spotAt(value, index) {
    const chapter = view.chapter();
    return { chapter, value, at: placeOf(index, edits.entry(chapter, value).shape) };
  }

  /** @param {Element} cell */
  const cardAround = (cell) => shown.find(({ element }) => element.contains(cell));

  // ----- the chosen element -----

  /** Return the cards whose arrays have the shape of the chosen element. */
  function cardsOfShape() {
    const shape = store.state.element?.shape.join();
    return shown.filter(
      ({ entry: { value } }) => value !== null && view.value(value).shape.join() === shape,
    );
  }

  // With all its digits, in the formula and in every array of its shape.
  function highlight() {
    const chosen = store.state.element;
    formulaWithNumbers.textContent = chosen ? fillNumbers(view.step(), chosen) : "";
    formulaWithNumbers.hidden = !formulaWithNumbers.textContent;
    for (const cell of body.querySelectorAll(".mp-cell[data-chosen]")) {
      cell.removeAttribute("data-chosen");
    }
    const alike = cardsOfShape();
    for (const card of shown) {
      /** @type {HTMLElement | null} */
      const digits = card.element.querySelector(".mp-element");
      if (digits) digits.hidden = !alike.includes(card);
      if (!digits || digits.hidden || !chosen) continue;
      digits.replaceChildren(
        h("p", digitsOf(card.entry, chosen.index), changeButtons(card.entry, chosen.index)),
        ...trends.ofElement(card.entry, chosen),
      );
      cellAt(card.element, chosen.index)?.setAttribute("data-chosen", "");
    }
    explanation.showLight();
  }

  /** Return the number in a cell of a table to explain it, or null. @param {Element | null} cell */
  function targetAt(cell) {
    const card = cell?.isConnected && cardAround(cell);
    return card ? { entry: card.entry, index: indexOfCell(cell) } : null;
  }

  /** Return the place of the number in a cell of a table, or null. @param {Element | null} cell */
  function spotOf(cell) {
    const { entry, index = [] } = targetAt(cell) ?? {};
    return entry && entry.value !== null ? spotAt(entry.value, index) : null;
  }

  /** Return the number that was chosen last; in another step the one at its index in a result. */
  function targetChosen() {
    const { element } = store.state;
    const alike = cardsOfShape();
    const card = alike.find(({ entry }) => entry.value === picked?.value) ?? alike.at(-1);
    return card && element ? { entry: card.entry, index: element.index } : null;
  }

  /** Explain the number below the pointer, or else the one in focus, or the chosen one. */
  function explain() {
    const focused = document.activeElement?.closest(".mp-cell");
    const inside = focused && body.contains(focused) ? focused : null;
    const now = targetAt(pointed);
    const chosen = targetAt(inside) ?? targetChosen();
    const same = now?.entry === chosen?.entry && now?.index.join() === chosen?.index.join();
    explanation.show(now ?? chosen, !now || same);
  }

  /**
   * Return a number with all its digits, its recorded number, and the slope that was measured
   * there.
   * @type {(entry: Shown, index: number[]) => string}
   */
  function digitsOf({ name, role, value, check }, index) {
    const { data, was } = view.value(value ?? -1);
    const told = [exactly(elementAt(data ?? [], index))];
    const before = was === undefined || was === null ? told[0] : exactly(elementAt(was, index));
    if (before !== told[0]) told.push(words.tell("was", { number: before }));
    const isMoved = view.value(value ?? -1) !== view.recorded(value ?? -1);
    const slopes = check?.value == null || isMoved ? null : view.recorded(check.value).data;
    if (slopes !== null) told.push(`${words.say("slope")} ${exactly(elementAt(slopes, index))}`);
    return `${cellName(name || words.say(role), index)} = ${told.join(" · ")}`;
  }

  /**
   * Return the buttons that change a number, or the reason why it cannot be changed.
   * @type {(entry: Shown, index: number[]) => HTMLElement | null}
   */
  function changeButtons({ value }, index) {
    if (value === null) return null;
    const spot = spotAt(value, index);
    const { editable, why } = edits.canEdit(spot);
    /** @type {(key: string, onclick: () => void) => HTMLElement} */
    const knob = (key, onclick) => h("button.mp-change", { onclick }, words.say(key));
    if (editable) {
      const change = knob("change", () => edit(spot));
      return h("span", change, canPair(spot) && knob("map", () => pair(spot)));
    }
    const here = refused && picked?.value === spot.value && picked.at === spot.at;
    return here && why ? h("span.mp-hint.mp-refusal", words.of(why)) : null;
  }

  /** Return whether the loss can be drawn over this number and the nudged one. @param {Spotted} spot */
  function canPair(spot) {
    const { nudged, beside } = store.state;
    const isFloat = view.value(spot.value).dtype.includes("float");
    const taken = [nudged, beside].some((each) => each && isSame(each, spot));
    return nudged !== null && !taken && isFloat && edits.canEdit(spot).editable;
  }

  /** Draw the loss over this number and the nudged or chosen one. @param {Spotted} spot */
  function pair(spot) {
    const first = store.state.nudged ?? picked;
    if (!first || isSame(first, spot) || !edits.canEdit(first).editable) return tryEdit(spot);
    if (!store.state.nudged) edit(first);
    if (canPair(spot)) store.set({ beside: spot });
    return true;
  }

  /** Bring the chosen number into view in every array of its shape. */
  function showChosen() {
    for (const { show } of cardsOfShape()) show(store.state.element?.index ?? []);
  }

  /**
   * Choose a number and focus it.
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
    const cell = cellAt(card?.element, index);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    return !!cell;
  }

  /** @type {(spot: Spotted, next: Chosen, clicks: number) => void} */
  function pick(spot, next, clicks) {
    if (clicks > 1) return; // of the number that the first click chose
    const { element } = store.state;
    const same = `${element?.index}/${element?.shape}` === `${next.index}/${next.shape}`;
    picked = spot;
    refused = false;
    if (clicks) focus(); // the arrow keys go on stepping
    const card = shown.find(({ entry }) => entry.value === spot.value);
    const top = () => cellAt(card?.element, next.index)?.getBoundingClientRect().top ?? 0;
    const before = top();
    store.set({ element: same ? null : next });
    body.scrollTop += top() - before; // the number stays below the pointer
  }

  // ----- input -----

  /**
   * Edit a number, or show why it cannot be edited; return whether either was possible.
   * @type {(spot: Spotted | null, typed?: string) => boolean}
   */
  function tryEdit(spot, typed) {
    if (!spot) return false;
    const { shape } = edits.entry(spot.chapter, spot.value);
    const { editable, why } = edits.canEdit(spot);
    if (!editable && !why) return false;
    picked = spot;
    refused = !editable;
    walked = !!document.activeElement?.closest(".mp-cell");
    store.set({ element: { index: indexAt(spot.at, shape), shape } });
    highlight();
    if (editable) edit(spot, typed);
    return true;
  }

  /** @type {(event: KeyboardEvent, cell: HTMLElement | null) => boolean} */
  function editByKey({ key, shiftKey, target }, cell) {
    const chosen = store.state.element !== null && (!cell || cell.hasAttribute("data-chosen"));
    const spot = cell ? spotOf(cell) : target === body && chosen ? picked : null;
    if (!spot) return false;
    if (TYPED.test(key)) return tryEdit(spot, key);
    if (key === "Enter" && shiftKey) return pair(spot);
    if (key === "Enter") return chosen && tryEdit(spot);
    const changed = edits.changedIn(spot.chapter, spot.value).includes(spot.at);
    if (!["Backspace", "Delete"].includes(key) || !changed) return false;
    edits.change(spot, edits.recorded(spot));
    return true;
  }

  /**
   * Go from a number to the one that a key leads to; return whether the key leads to one.
   * @type {(cell: HTMLElement, key: string) => boolean}
   */
  function walk(cell, key) {
    const card = cardAround(cell);
    const shape = card && view.value(card.entry.value ?? 0).shape;
    const next = shape && stepOf(indexOfCell(cell), shape, key);
    if (!next) return false;
    card.show(next);
    return focusCell(card, next);
  }

  // If a number was reached by keyboard, the arrow keys lead to its neighbours.
  body.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = closest(event, ".mp-cell");
    if (!editByKey(event, cell)) {
      if (cell && event.key === "Enter") cell.click();
      else if (!cell || !walk(cell, event.key)) return;
    }
    claim(event);
  });
  // A press must not focus the number, because the scroll would move it away before the click.
  body.addEventListener("mousedown", (event) => {
    if (closest(event, ".mp-cell")) event.preventDefault();
  });
  body.addEventListener("pointerdown", ({ clientX, clientY }) => {
    pressed = `${clientX} ${clientY}`;
  });
  // The line that explains may lie above a number that it explains.
  body.addEventListener("pointerover", (event) => {
    const cell = event.pointerType === "touch" ? null : closest(event, ".mp-cell");
    if (cell === pointed || closest(event, ".mp-terms")) return;
    if (`${event.clientX} ${event.clientY}` === pressed) return;
    pressed = "";
    pointed = cell;
    explain();
  });
  body.addEventListener("pointerleave", () => {
    if (!pointed) return;
    pointed = null;
    explain();
  });
  for (const move of ["focusin", "focusout"]) {
    body.addEventListener(move, (event) => {
      if (closest(event, ".mp-cell")) queueMicrotask(explain);
    });
  }
  const pairOnShiftClick = (/** @type {MouseEvent} */ event) => {
    const spot = event.shiftKey ? spotOf(closest(event, ".mp-cell")) : null;
    if (!spot) return;
    claim(event);
    pair(spot);
  };
  body.addEventListener("click", pairOnShiftClick, true);
  // The first click may have moved the number away from below the second one.
  body.addEventListener("dblclick", (event) => {
    if (tryEdit(picked)) event.preventDefault();
  });
  body.addEventListener("click", (event) => {
    if (event.detail === 1 && !closest(event, ".mp-cell, .mp-heat-map")) picked = null;
  });

  // ----- drawing -----

  /**
   * Return the cards, those of a sum side by side.
   * @param {Card[]} cards
   * @param {Step} step
   */
  function rowOf(cards, step) {
    const sum = entriesAbreast(step, (value) => view.recorded(value).shape, width());
    const [parts, rest] = [true, false].map((inside) =>
      cards
        .filter(({ entry }) => sum.parts.includes(entry) === inside)
        .map(({ element }) => element),
    );
    const attributes = {
      "data-roomy": sum.isRoomy,
      style: `--abreast: ${Math.min(3, parts.length)}`,
    };
    return h("div.mp-cards", parts.length ? h("div.mp-sum", attributes, parts) : null, rest);
  }

  function tellFormula() {
    const step = view.step();
    formula.replaceChildren(...formulaParts(tellNow(step.formula), numberOperands(step)));
    formula.hidden = !formula.textContent;
  }

  const selectedBox = () =>
    store.state.selected === null ? undefined : view.part(store.state.selected);

  function drawCurves() {
    const box = selectedBox();
    curves.replaceChildren(...(box ? trends.ofBox(box) : []));
  }

  function render() {
    const { step: at } = store.state;
    const step = view.step();
    const { values, faults } = view.payload();
    const box = selectedBox();
    const cards = [...entriesOfStep(step), ...namedNow()].map((entry) => cardOf(entry, step));
    const selected = box ? selectionOf(box) : { cards: [], element: "" };
    shown = [...cards, ...selected.cards];
    tellFormula();
    const arrays = shown.some(({ entry }) => values[entry.value ?? -1]?.data);
    const editable = shown.some(({ element }) => element.hasAttribute("data-editable"));
    const help = words.say(editable ? "elementEdit" : "element");
    const focused = body.contains(document.activeElement);
    body.replaceChildren(
      faults[at] ? faultCard(faults[at], words) : "",
      formula,
      formulaWithNumbers,
      rowOf(cards, step),
      cards.length ? "" : h("p.mp-hint", words.say("noValues")),
      arrays ? h("p.mp-hint", help, signs(words)) : "",
      ribbonNow()?.holdersAt(at) ?? "",
      selected.element,
      arrays && !view.doubtful ? explanation.element : "",
    );
    if (focused && !body.contains(document.activeElement)) focus();
    drawCurves();
    showChosen();
    highlight();
    explain();
  }

  store.subscribe(REDRAWN, (now, before) => {
    if (now.step !== before.step) body.scrollTop = 0;
    render();
  });
  store.subscribe(["moved"], ({ working }) => {
    // Elements may come, with a link, to an array that is drawn without them.
    const isUnfolded = shown.some(
      ({ entry: { value }, element }) =>
        value !== null && view.value(value).data && element.querySelector(".mp-unfold"),
    );
    if (isUnfolded) return render();
    drawCurves();
    tellFormula();
    for (const { entry, element, update } of shown) {
      update();
      const sign = element.querySelector(":scope > header > .mp-plus");
      if (sign) sign.textContent = tellSign(entry);
    }
    highlight();
    if (working) explanation.show(null, false);
    else explain();
  });
  store.subscribe(["nudged", "beside"], highlight);
  store.subscribe(["element"], () => {
    showChosen();
    highlight();
    explain();
  });
  return {
    element: body,
    /** Bring the head of the selection and its curves into view. */
    reveal() {
      const box = body.querySelector(".mp-selection")?.getBoundingClientRect();
      if (!box) return;
      const curves = body.querySelector(".mp-selection .mp-trend:last-of-type");
      const most = curves?.getBoundingClientRect().bottom ?? box.top + 120;
      const bottom = Math.min(box.bottom, most);
      const edge = body.getBoundingClientRect().bottom - explanation.element.offsetHeight;
      body.scrollTop += Math.max(0, bottom - edge);
    },
    /** Scroll back to the values of the step. */
    rewind() {
      body.scrollTop = 0;
    },
    /**
     * Show a number; focus it again if it was reached by keyboard, else the whole inspector.
     * @param {Spotted} spot
     */
    focusOn({ chapter, value, at }) {
      const here = chapter === view.chapter() ? value : null;
      const card = shown.find(({ entry }) => entry.value === here);
      const index = indexAt(at, edits.entry(chapter, value).shape);
      card?.show(index);
      if (!focusCell(card, index) || !walked) focus(); // the arrow keys go on stepping
    },
    /** Clear the chosen element; return whether there was one. */
    release() {
      const had = store.state.element !== null;
      store.set({ element: null });
      return had;
    },
  };
}

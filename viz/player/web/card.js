// A value of a step as a card: its name, its tables, remarks, and actions.

import { cellAt, tablesOf } from "./arrays.js";
import { breakAtDots, h, textField } from "./dom.js";
import { typedIndex } from "./edit.js";
import { entriesAbreast } from "./factors.js";
import { histogram } from "./histogram.js";
import { briefly, indexAt, shapeText, sizeOf } from "./numbers.js";
import { numberOperands } from "./operands.js";
import { imagesOf, tokensOf } from "./views.js";

/** @import { Spotted } from "./edit.js" */
/** @import { Chosen } from "./formula.js" */
/** @import { Shown, Step, Value } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */
/** @import { Entry } from "./whatif/what_if.js" */

/**
 * What a step shows, as it stands in the page; `update` writes what its numbers are now.
 * @typedef {object} Card
 * @property {Shown} entry
 * @property {HTMLElement} element
 * @property {() => void} update
 * @property {(index: number[]) => void} show  bring a number into its tables
 */

/**
 * What cards need of the inspector.
 * @typedef {object} Hands
 * @property {(value: number, index: number[]) => Spotted} spotAt
 * @property {(entry: Shown) => string} tellSign
 * @property {(spot: Spotted, next: Chosen, clicks: number) => void} pick
 * @property {(entry: Shown, next: Chosen) => void} goTo
 * @property {() => void} highlight
 * @property {() => void} render
 * @property {() => void} focus
 * @property {() => number} width
 */

const FEW = 16; // this many numbers need no statistics

/**
 * @param {Pick<Page, "words" | "view" | "edits">} page
 * @param {Hands} hands
 */
export function createCards({ words, view, edits }, hands) {
  /** @param {number | null} value */
  const isMoved = (value) => value !== null && view.value(value) !== view.recorded(value);

  /** @type {(value: Value, name: string) => (HTMLElement | null)[]} */
  function summary(value, name) {
    const { stats, shape } = value;
    const size = sizeOf(shape);
    if (value.data !== null && size && size <= FEW) return [];
    const isTruth = value.dtype === "bool" && stats.mean != null;
    const range = isTruth ? {} : { min: stats.min, mean: stats.mean, max: stats.max };
    const told = Object.entries(range).flatMap(([key, number]) =>
      number == null ? [] : [`${words.say(key)} ${briefly(number)}`],
    );
    if (isTruth) told.push(`True × ${Math.round(Number(stats.mean) * size)}`);
    const line = [...told, `${size} ${words.say("size")}`].join(" · ");
    return [...(size ? histogram(value, name, words) : []), h("p.mp-stats", line)];
  }

  /**
   * Return remarks on numbers that the reader's edits may have changed.
   * @param {Entry} value
   */
  function remarks({ stale, kink }) {
    /** @type {(mark: string, text: string) => HTMLElement} */
    const remark = (mark, text) => h("p.mp-remark", { "data-remark": mark }, text);
    return [
      stale ? remark("stale", `${words.say("stale")} ${words.of(edits.why(stale))}`) : null,
      kink ? remark("kink", words.say("kink")) : null,
    ];
  }

  /** @type {(entry: Shown & { hidden?: boolean }, step: Step) => HTMLElement} */
  function absent({ hidden, role }, step) {
    const gradient = role.startsWith("grad") && step.phase !== "forward";
    const known = { taken: "notTaken", skipped: "notGiven" }[role];
    const key = hidden ? "askHidden" : (known ?? (gradient ? "noGradient" : "missing"));
    return h("p.mp-absent", words.say(key));
  }

  /**
   * Compare a gradient with the slope that was measured for it: a sign, and a sentence.
   * @param {Shown} entry
   */
  function checkLine({ check, value }) {
    if (!check || isMoved(value)) return null; // it speaks of the recorded one
    const [state, sign] =
      check.agrees === null ? ["none", "–"] : check.agrees ? ["agrees", "✓"] : ["differs", "≠"];
    const mark = h("span.mp-check-sign", { "aria-hidden": "true" }, sign);
    return h("p.mp-check", { "data-check": state }, mark, ` ${words.of(check.text)}`);
  }

  /** @type {(entry: Shown, step: Step, value: Value | null) => HTMLElement} */
  function headOf(entry, step, value) {
    const { sign, role, name } = entry;
    const kept = step.kind === "leaf" && role === "grad_out"; // it goes nowhere from there
    const odd = Object.entries({ NaN: value?.stats.nan, Inf: value?.stats.inf });
    return h(
      "header",
      sign ? h("span.mp-plus", hands.tellSign(entry)) : null,
      h("span.mp-role", words.say(kept ? "final" : role)),
      h("b", h("span", { "data-operand": numberOperands(step).get(name) }, breakAtDots(name))),
      h("span.mp-meta", value ? `${shapeText(value.shape)} ${value.dtype}` : ""),
      odd.map(([kind, count]) => (count ? h("span.mp-flag", `${kind} × ${count}`) : null)),
    );
  }

  /**
   * Return a hint in place of too many elements, for a leaf with a button that shows them.
   * @param {number} value
   */
  function tooLarge(value) {
    const unfold = edits.unfolding(view.chapter(), value);
    const onclick = () => {
      unfold?.();
      hands.render();
    };
    const knob = unfold && h("button.mp-change.mp-unfold", { onclick }, words.say("unfold"));
    return h("p.mp-hint", words.say("tooLarge"), knob);
  }

  /**
   * Return a field for the index of a number, where an array is too large to show all of them.
   * @param {Shown} entry
   * @param {number[]} shape
   */
  function finderOf(entry, shape) {
    const last = shape.map((length) => length - 1).join(", ");
    const wrong = h("span", { role: "status" });
    const field = textField("mp-find", {
      size: 10,
      placeholder: last,
      oninput() {
        field.removeAttribute("aria-invalid");
        wrong.textContent = "";
      },
      /** @param {KeyboardEvent} event */
      onkeydown(event) {
        if (event.key === "Escape") hands.focus();
        if (event.key !== "Enter" || event.isComposing) return;
        const index = typedIndex(field.value, shape);
        if (index) return hands.goTo(entry, { index, shape });
        field.setAttribute("aria-invalid", "true");
        wrong.textContent = words.tell("noSuchNumber", { last });
      },
    });
    return h("label.mp-finder", `${words.say("find")} `, field, " ", wrong);
  }

  /** @type {(entry: Shown, step: Step) => Card} */
  return (entry, step) => {
    const { value: number, name } = entry;
    const now = () => (number === null ? null : view.value(number));
    const first = now();
    const { data, shape } = first ?? { data: null, shape: [] };
    function refresh() {
      markEdits();
      hands.highlight();
    }
    /** @type {(next: Chosen, clicks: number) => void} */
    const choose = (next, clicks) =>
      hands.pick(hands.spotAt(number ?? 0, next.index), next, clicks);
    const shapeOf = (/** @type {number} */ value) => view.recorded(value).shape;
    const brief = entriesAbreast(step, shapeOf, hands.width()).parts.includes(entry);
    const tokens = tokensOf(view, number);
    const tables =
      first && data !== null && sizeOf(shape)
        ? tablesOf({ ...first, data }, name, hands.width(), choose, refresh, brief, tokens)
        : null;
    const ofTokens = tokens?.([])[0].length ? ` ${words.say("tokens")}` : "";
    const gallery = h("div"); // images with their classes
    const editable = number !== null && edits.canEdit(hands.spotAt(number, [])).editable;
    const element = h(
      "section.mp-value",
      { "data-role": entry.role, "data-name": name, "data-editable": editable && tables && "" },
      first ? null : absent(entry, step),
      gallery,
      first && !tables && data === null ? tooLarge(number ?? 0) : null,
      tables?.elements,
      tables && tokens && h("p.mp-hint", words.say("queries"), ofTokens),
      tables?.isWindow ? finderOf(entry, shape) : null,
      tables && h("div.mp-element", { hidden: "" }),
    );
    function markEdits() {
      for (const cell of element.querySelectorAll(".mp-cell[data-edited]")) {
        cell.removeAttribute("data-edited");
      }
      for (const at of number === null ? [] : edits.changedIn(view.chapter(), number)) {
        cellAt(element, indexAt(at, shape))?.setAttribute("data-edited", "");
      }
    }
    /** @type {Element[]} */
    let around = []; // those of its elements that are made anew
    /** @type {Entry | null | undefined} */
    let drawn;
    function update() {
      const value = now();
      gallery.replaceChildren(...imagesOf(view, words, number));
      if (value === drawn) return;
      if (drawn && value?.data != null) tables?.fill({ ...value, data: value.data });
      drawn = value;
      markEdits();
      element.toggleAttribute("data-stale", !!value?.stale);
      for (const each of around) each.remove();
      const head = headOf(entry, step, value);
      const told = value ? [...summary(value, name), checkLine(entry), ...remarks(value)] : [];
      const rest = [...told, value ? null : checkLine(entry)].filter((each) => each !== null);
      element.prepend(head);
      element.append(...rest);
      around = [head, ...rest];
    }
    update();
    return { entry, element, update, show: (index) => tables?.show(index) };
  };
}

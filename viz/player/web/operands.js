// The operands of a step have a colour and a line each: in the formula, above their tables and in the
// code. Pointing at one lights it there, and its box and wires; a tap and Tab do the same.

import { closest, h } from "./dom.js";
import { entriesOfStep } from "./factors.js";

/** @import { Formula, Step } from "./payload.d.ts" */

const MOST = 6; // colours in player.css

/**
 * Return the numbers of a step's operands by their names: those that its formula has.
 * @param {Step} step
 * @returns {Map<string, number>}
 */
export function numberOperands(step) {
  const inFormula = new Set(step.formula.flat());
  const names = new Set(entriesOfStep(step).map(({ name }) => name));
  const named = [...names].filter((name) => inFormula.has(name)).slice(0, MOST);
  return new Map(named.map((name, number) => [name, number]));
}

/**
 * Return a formula as text with a button for each operand.
 * @type {(formula: Formula, operands: Map<string, number>) => (HTMLElement | string)[]}
 */
export const formulaParts = (formula, operands) =>
  formula.flatMap((clause, row) => [
    row ? ", " : "",
    ...clause.map((piece, at) => {
      const operand = at % 2 ? operands.get(piece) : undefined;
      if (operand === undefined) return piece.replaceAll(" ←", "\u00a0←"); // no line begins with it
      return h("button", { "data-operand": operand }, piece);
    }),
  ]);

/**
 * Light the operand at which the reader points, or that has the focus, or that was clicked.
 * @param {HTMLElement} root
 */
export function lightOperands(root) {
  let pinned = "";
  /** @param {string} operand */
  function light(operand) {
    for (const each of root.querySelectorAll("[data-operand]")) {
      each.toggleAttribute("data-pointed", each.getAttribute("data-operand") === operand);
    }
  }
  /** @param {Event} event */
  const operandAt = (event) => closest(event, "[data-operand]")?.dataset.operand ?? "";
  for (const kind of ["pointerover", "focusin", "click"]) {
    root.addEventListener(kind, (event) => {
      const operand = operandAt(event);
      if (kind === "click") pinned = operand === pinned ? "" : operand;
      light(operand || pinned);
    });
  }
  for (const kind of ["pointerleave", "focusout"]) {
    root.addEventListener(kind, () => light(pinned));
  }
}

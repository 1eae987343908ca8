// A step as its equation: operands with their signs, and the result. In backward the values of
// forward that the formula names are operands, too.

import { sidesOf, sumOf } from "./formula.js";
import { getOrMake } from "./numbers.js";

/** @import { Formula, Pieces, Shown, Step } from "./payload.d.ts" */

/** @typedef {{ name: string, value: number | null }} Named */

const CALL = /[\p{L}\p{N}_]\([^()]*$/u; // of a function, before its argument
const LONGEST_SIGN = 26; // letters, for which a card has room
const NARROW = 4; // columns of numbers that a table beside others shows
const COLUMN = 45; // pixels
const ROOMY_COLUMN = 64;
const GAPS = 52;
const RESULTS = new Set(["output", "grad_out", "after"]);
const EQUATION = new Set(["input", "grad_in", "output", "grad_out"]); // roles of its values
/** @type {WeakMap<Step, Shown[]>} */
const known = new WeakMap();

/** @param {Shown} entry */
export const isResult = ({ role }) => RESULTS.has(role);

/**
 * Return the entries of a step, with saved factors of its gradients. If the formula has one clause
 * for each result, each operand has its sign, as in a sum.
 * @param {Step} step
 * @returns {Shown[]}
 */
export function entriesOfStep(step) {
  return getOrMake(known, step, () => {
    const { shown, terms, formula } = step;
    const at = shown.findIndex(isResult);
    if (at < 1 || shown.some(({ role }) => !EQUATION.has(role)) || !formula.length) return shown;
    /** @type {Shown[]} */
    const saved = terms
      .filter(([name]) => shown.every((each) => each.name !== name))
      .map(([name, value]) => ({ name, value, role: "saved", node: null }));
    const [operands, results] = [[...shown.slice(0, at), ...saved], shown.slice(at)];
    return inEquations(formula, operands, results) ?? [...operands, ...results];
  });
}

/**
 * Return the entries that are placed side by side, three in a row: those of an update, and those of
 * an equation whose tables are narrow enough. `isRoomy`: their numbers need not stand close.
 * @type {(step: Step, shapeOf: (value: number) => number[], width: number) =>
 *   { parts: Shown[], isRoomy: boolean }}
 */
export function entriesAbreast(step, shapeOf, width) {
  const parts = sumOf(entriesOfStep(step));
  const shapes = parts.map(({ value }) => (value === null ? [] : shapeOf(value)));
  const wide = shapes.map((shape) => Math.max(2, shape.at(-1) ?? 1));
  const below = [0, 1, 2].map((place) => wide.filter((_, at) => at % 3 === place));
  const most = below.reduce((sum, column) => sum + Math.max(0, ...column), 0);
  const isNarrow = wide.every((columns, at) => columns <= NARROW && shapes[at].length < 3);
  const fits = isNarrow && most * COLUMN <= width - GAPS;
  return {
    parts: fits || parts.some(({ role }) => role === "before") ? parts : [],
    isRoomy: isNarrow && most * ROOMY_COLUMN <= width - GAPS,
  };
}

/**
 * Return the operands and results in the order of the formula, each with the text between it and the
 * one before as its sign: a formula `da = dz · a · (1 − a)` gives `dz`, `·` before `a`, and
 * `· (1 − a) =` before `da`. Where text stands before an only operand, as in `exp(x)`, the result's sign
 * is the whole right side. Return null for other formulas.
 * @type {(formula: Formula, operands: Shown[], results: Shown[]) => Shown[] | null}
 */
function inEquations(formula, operands, results) {
  const isPlain = results.every(
    ({ name }, at) => results.findIndex((each) => each.name === name) === at,
  );
  if (!isPlain || !results.every(isResult) || formula.length !== results.length) return null;
  const left = [...operands];
  /** @type {Shown[]} */
  const cards = [];
  for (const [at, result] of results.entries()) {
    const { name, right } = sidesOf(formula[at]);
    const isOwn = name ? name === result.name : results.length === 1;
    if (!isOwn || right.join("").includes(" = ")) return null;
    /** @type {Pieces} */
    let between = [right[0]];
    const own = cards.length;
    for (let k = 1; k < right.length; k += 2) {
      const found = left.findIndex((entry) => entry.name === right[k]);
      if (found < 0) {
        between.push(right[k], right[k + 1]);
        continue;
      }
      cards.push(withSign(left.splice(found, 1)[0], between));
      between = [right[k + 1]];
    }
    const [first, ...others] = cards.slice(own);
    if (first?.sign && !others.length) {
      cards[own] = withSign(first, [""]);
      between = right;
    } else if (first?.sign && CALL.test(first.sign)) return null;
    cards.push(withSign(result, join(between, [" ="])));
  }
  const isShort = cards.every(({ sign = "" }) => sign.length <= LONGEST_SIGN);
  return isShort && !left.length ? cards : null;
}

/** @type {(entry: Shown, pieces: Pieces) => Shown} */
function withSign(entry, [first, ...rest]) {
  const pieces = [first.trimStart(), ...rest];
  return { ...entry, pieces, sign: pieces.join("").trimEnd() };
}

/** @type {(one: Pieces, other: Pieces) => Pieces} */
const join = (one, [first, ...rest]) => [...one.slice(0, -1), one[one.length - 1] + first, ...rest];

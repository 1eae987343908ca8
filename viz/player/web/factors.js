// A step as its equation: operands with their signs, and the result. In backward the values of
// forward that the formula names are operands, too.

import { operandsIn, sidesOf, sumOf } from "./formula.js";
import { getOrMake } from "./numbers.js";

/** @import { Formula, Pieces, Shown, Step } from "./payload.d.ts" */

/** @typedef {{ name: string, value: number | null }} Named */

const [SIGN, BEFORE_SIGN] = [/^ [·/@+−] /, /(?= [·/@+−] )/];
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
 * Return the first operand of the formula, then for each result its other operands and the result.
 * The sign of an operand `a` is `·`, or `· a · (1 − a)` if more belongs to it; the sign of a result
 * without operands is the whole right side. Return null for other formulas.
 * @type {(formula: Formula, operands: Shown[], results: Shown[]) => Shown[] | null}
 */
function inEquations(formula, operands, results) {
  const isPlain = results.every(
    ({ name }, at) => results.findIndex((each) => each.name === name) === at,
  );
  if (!isPlain || !results.every(isResult) || formula.length !== results.length) return null;
  const first = operands.find(({ role, name }) => role === "grad_in" || name === startOf(formula));
  const given = first ?? operands[0];
  const cards = [given];
  let left = operands.filter((entry) => entry !== given);
  for (const [at, result] of results.entries()) {
    const { name, right } = sidesOf(formula[at]);
    const isOwn = name ? name === result.name : results.length === 1;
    if (!isOwn || right.join("").includes(" = ")) return null;
    const [start, first, next = "", ...rest] = right;
    const follows = at === 0 && !start && first === given.name && /^( |$)/.test(next);
    const side = follows ? [next.trimStart(), ...rest] : right;
    const factors = withSigns(side, left);
    const isCall = !follows && given.role === "input" && factors?.length; // f(x, y)
    if (!factors || isCall) return null;
    const isWhole = !factors.length && side.join("") !== "";
    cards.push(...factors, withSign(result, isWhole ? join(side, [" ="]) : ["="]));
    const inside = operandsIn(side);
    left = left.filter((entry) => !inside.includes(entry.name));
  }
  const isShort = cards.every(({ sign = "" }) => sign.length <= LONGEST_SIGN);
  return isShort && !left.length ? cards : null;
}

/** @param {Formula} formula */
const startOf = ([clause]) => sidesOf(clause).right[1];

/**
 * Return the factors of a side with their signs; null if the signs cannot be separated.
 * @type {(side: Pieces, left: Shown[]) => Shown[] | null}
 */
function withSigns(side, left) {
  const found = left.filter(({ name }) => operandsIn(side).includes(name));
  if (found.length < 2) return found.map((entry) => withSign(entry, signBefore(side)));
  /** @type {Pieces[]} */
  const signs = [];
  for (const factor of split(side)) {
    const names = found.filter(({ name }) => operandsIn(factor).includes(name));
    const further = names.filter((entry) => entry !== found[signs.length - 1]);
    if (further.length > 1) return null;
    if (further.length && further[0] !== found[signs.length]) return null;
    if (further.length) signs.push([factor[0].trimStart(), ...factor.slice(1)]);
    else if (!signs.length) return null;
    else signs[signs.length - 1] = join(signs[signs.length - 1], factor);
  }
  if (signs.length < found.length) return null;
  return found.map((entry, at) => withSign(entry, signBefore(signs[at])));
}

/** @type {(entry: Shown, pieces: Pieces) => Shown} */
const withSign = (entry, pieces) => ({ ...entry, pieces, sign: pieces.join("") });

/** @type {(one: Pieces, other: Pieces) => Pieces} */
const join = (one, [first, ...rest]) => [...one.slice(0, -1), one[one.length - 1] + first, ...rest];

/**
 * Return the sign of a factor: only its operator, if a name is all that follows.
 * @param {Pieces} pieces
 * @returns {Pieces}
 */
function signBefore(pieces) {
  const [operator, , end] = pieces;
  const isAlone = pieces.length === 3 && /^\S+ $/.test(operator) && !end;
  return isAlone ? [operator.trimEnd()] : pieces;
}

/**
 * Split sums and products before each sign outside of brackets.
 * @param {Pieces} side
 * @returns {Pieces[]}
 */
function split(side) {
  /** @type {Pieces[]} */
  const factors = [[""]];
  let depth = 0;
  for (const [at, piece] of side.entries()) {
    if (at % 2) factors[factors.length - 1].push(piece, "");
    else
      for (const word of piece.split(BEFORE_SIGN)) {
        if (!depth && SIGN.test(word)) factors.push([""]);
        const factor = factors[factors.length - 1];
        factor[factor.length - 1] += word;
        for (const letter of word)
          depth += Number("([".includes(letter)) - Number(")]".includes(letter));
      }
  }
  return factors;
}

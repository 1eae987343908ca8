// What a backward step computes with beside gradients: the values of forward that its formula names.

import { operandsIn, sidesOf, sumOf } from "./formula.js";
import { getOrMake } from "./numbers.js";

/** @import { Formula, Pieces, Shown, Step } from "./payload.d.ts" */

/** @typedef {{ name: string, value: number | null }} Named */

const LONGEST_SIGN = 26; // letters, for which a card has room
const NARROW = 4; // columns, which have room in a third of the width
/** @type {WeakMap<Step, Shown[]>} */
const known = new WeakMap();

/**
 * What a step shows, with the factors of its gradients between these. Where the formula has one part
 * for each result, what is done with each factor stands before it, as in a sum.
 * @param {Step} step
 * @returns {Shown[]}
 */
export function shownIn(step) {
  const { shown, phase, formula, terms } = step;
  const at = shown.findIndex(({ role }) => role === "grad_out");
  const isVisit = phase === "backward" && shown[0]?.role === "grad_in";
  if (!isVisit || at < 0 || !terms.length) return shown;
  return getOrMake(known, step, () => {
    /** @type {Shown[]} */
    const saved = terms
      .filter(([name]) => shown.every((each) => each.name !== name))
      .map(([name, value]) => ({ name, value, role: "saved", node: null }));
    const all = shown.toSpliced(at, 0, ...saved);
    return (saved.length && inEquations(formula, shown, saved)) || all;
  });
}

/**
 * What stands side by side: the parts of a sum, and of products that are narrow enough.
 * @type {(step: Step, shapeOf: (value: number) => number[]) => Shown[]}
 */
export function abreastIn(step, shapeOf) {
  const parts = sumOf(shownIn(step));
  const isNarrow = parts.every(({ value }) => {
    const shape = value === null ? [] : shapeOf(value);
    return shape.length < 3 && (shape.at(-1) ?? 1) <= NARROW;
  });
  return isNarrow || parts.every(({ role }) => role !== "saved") ? parts : [];
}

/**
 * A gradient, and for each result the factors that it is made with, and the result: `·` stands before
 * `a`, `· a · (1 − a)` if there are several factors with it, and all of the formula's right side where
 * the gradient does not stand right before. Null where the formula is another one.
 * @type {(formula: Formula, shown: Shown[], saved: Shown[]) => Shown[] | null}
 */
function inEquations(formula, [given, ...results], saved) {
  const isPlain = results.every(
    ({ name, role }, at) =>
      role === "grad_out" && results.findIndex((each) => each.name === name) === at,
  );
  if (!isPlain || formula.length !== results.length) return null;
  const cards = [given];
  let left = saved;
  for (const [at, result] of results.entries()) {
    const { name, right } = sidesOf(formula[at]);
    if (name !== result.name || right.join("").includes(" = ")) return null;
    const [start, first, next = "", ...rest] = right;
    const follows = at === 0 && !start && first === given.name && /^( |$)/.test(next);
    const side = follows ? [next.trimStart(), ...rest] : right;
    const factors = withSigns(side, left);
    if (!factors) return null;
    const isWhole = !factors.length && side.join("") !== "";
    cards.push(...factors, withSign(result, isWhole ? join(side, [" ="]) : ["="]));
    const inside = operandsIn(side);
    left = left.filter((entry) => !inside.includes(entry.name));
  }
  const isShort = cards.every(({ sign = "" }) => sign.length <= LONGEST_SIGN);
  return isShort && !left.length ? cards : null;
}

/**
 * The factors that a side has, with what stands before each; null where that cannot be told apart.
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
 * An operator alone, where all that follows is a name.
 * @param {Pieces} pieces
 * @returns {Pieces}
 */
function signBefore(pieces) {
  const [operator, , end] = pieces;
  const isAlone = pieces.length === 3 && /^\S+ $/.test(operator) && !end;
  return isAlone ? [operator.trimEnd()] : pieces;
}

/**
 * A product split before each `·` and `/` outside of brackets.
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
      for (const word of piece.split(/(?= [·/] )/)) {
        if (!depth && /^ [·/] /.test(word)) factors.push([""]);
        const factor = factors[factors.length - 1];
        factor[factor.length - 1] += word;
        for (const letter of word)
          depth += Number("([".includes(letter)) - Number(")]".includes(letter));
      }
  }
  return factors;
}

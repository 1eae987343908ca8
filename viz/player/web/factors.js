// What a backward step computes with beside gradients: the values of forward that its formula names.

import { namesIn, sumOf } from "./formula.js";
import { getOrMake } from "./numbers.js";

/** @import { Shown, Step } from "./payload.d.ts" */

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
    const names = [...shown.map(({ name }) => name), ...terms.map(([name]) => name)];
    const inFormula = namesIn(formula, names);
    /** @type {Shown[]} */
    const saved = terms
      .filter(([name]) => inFormula.includes(name) && shown.every((each) => each.name !== name))
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
 * @type {(formula: string, shown: Shown[], saved: Shown[]) => Shown[] | null}
 */
function inEquations(formula, [given, ...results], saved) {
  const parts = split(formula, ", ");
  const isPlain = results.every(
    ({ name, role }, at) =>
      role === "grad_out" && results.findIndex((each) => each.name === name) === at,
  );
  if (!isPlain || parts.length !== results.length) return null;
  const names = [given, ...results, ...saved].map(({ name }) => name);
  const cards = [given];
  let left = saved;
  for (const [at, result] of results.entries()) {
    const [start, side = ""] = parts[at].split(/ \+?= /);
    if (start !== result.name || side.includes(" = ")) return null;
    const inside = namesIn(side, names);
    const follows = at === 0 && side.startsWith(`${given.name} `);
    const text = follows ? side.slice(given.name.length + 1) : side;
    const factors = withSigns(text, left, inside);
    if (!factors) return null;
    cards.push(...factors, {
      ...result,
      sign: factors.length || side === given.name ? "=" : `${text} =`,
    });
    left = left.filter(({ name }) => !inside.includes(name));
  }
  const isShort = cards.every(({ sign = "" }) => sign.length <= LONGEST_SIGN);
  return isShort && !left.length ? cards : null;
}

/**
 * The factors that a text has, with what stands before each; null where that cannot be told apart.
 * @type {(text: string, left: Shown[], inside: string[]) => Shown[] | null}
 */
function withSigns(text, left, inside) {
  const found = left.filter(({ name }) => inside.includes(name));
  if (found.length < 2)
    return found.map((entry) => ({ ...entry, sign: signBefore(text, entry.name) }));
  /** @type {string[]} */
  const signs = [];
  for (const factor of split(text, /(?= [·/] )/)) {
    const names = namesIn(
      factor,
      found.map(({ name }) => name),
    );
    const further = names.filter((name) => name !== found[signs.length - 1]?.name);
    if (further.length > 1) return null;
    if (further.length && further[0] !== found[signs.length]?.name) return null;
    if (further.length) signs.push(factor.trimStart());
    else if (!signs.length) return null;
    else signs[signs.length - 1] += factor;
  }
  if (signs.length < found.length) return null;
  return found.map((entry, at) => ({ ...entry, sign: signBefore(signs[at], entry.name) }));
}

/**
 * An operator alone, where all that follows is the name.
 * @type {(text: string, name: string) => string}
 */
const signBefore = (text, name) =>
  text.endsWith(` ${name}`) && !text.slice(0, -name.length - 1).includes(" ")
    ? text.slice(0, -name.length - 1)
    : text;

/**
 * A text split where nothing is in brackets.
 * @type {(text: string, by: string | RegExp) => string[]}
 */
function split(text, by) {
  /** @type {string[]} */
  const parts = [];
  const between = typeof by === "string" ? by : "";
  let depth = 0;
  for (const part of text.split(by)) {
    if (depth) parts[parts.length - 1] += between + part;
    else parts.push(part);
    for (const letter of part)
      depth += Number("([".includes(letter)) - Number(")]".includes(letter));
  }
  return parts;
}

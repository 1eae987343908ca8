// What a backward step computes with beside gradients: the values of forward that its formula names.

import { escapeForRegExp, LETTER } from "./formula.js";
import { getOrMake } from "./numbers.js";

/** @import { Shown, Step } from "./payload.d.ts" */

/** @typedef {{ name: string, value: number | null }} Named */

const GOES_ON = "[\\p{Lu}\\p{Ll}\\p{Lo}\\p{Nd}_.@(]"; // after a part of a name; xᵀ and x² are x
/** @type {WeakMap<Step, Shown[]>} */
const known = new WeakMap();

/**
 * What a step shows, with the factors of its gradients between these. Where the formula is one
 * product, what is done with each factor stands before it, as in a sum.
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
    const signs = saved.length ? signsOf(formula, all) : [];
    return all.map((entry, which) => (signs[which] ? { ...entry, sign: signs[which] } : entry));
  });
}

/**
 * Those of these names that a formula has; a part of a longer one does not count.
 * @type {(formula: string, names: string[]) => string[]}
 */
function namesIn(formula, names) {
  let rest = formula;
  return names
    .toSorted((one, other) => other.length - one.length)
    .filter((name) => {
      const whole = new RegExp(`(?<!${LETTER})${escapeForRegExp(name)}(?!${GOES_ON})`, "gu");
      const before = rest;
      if (name) rest = rest.replace(whole, " ");
      return rest !== before;
    });
}

/**
 * What stands before each of a gradient, its factors and the result: `·` before `a`, `· a · (1 − a)`
 * if there are several factors with it. None where the formula is another one.
 * @type {(formula: string, all: Shown[]) => string[]}
 */
function signsOf(formula, all) {
  const [first, result] = [all[0], all[all.length - 1]];
  const sides = formula.split(/ \+?= /);
  if (sides.length !== 2 || sides[0] !== result.name) return [];
  const [start, ...factors] = factorsIn(sides[1]);
  if (start !== first.name) return [];
  const names = all.slice(0, -1).map(({ name }) => name);
  const signs = all.map(() => "");
  let [at, before] = [0, ""]; // a number stands before the next factor
  for (const factor of factors) {
    const found = namesIn(factor, names).map((name) => names.indexOf(name));
    const further = found.filter((each) => each > at);
    if (further.length > 1 || further[0] > at + 1) return [];
    at += further.length;
    if (!at) before += `${factor} `;
    else signs[at] += `${signs[at] ? " " : before}${factor}`;
    if (at) before = "";
  }
  if (at !== names.length - 1) return [];
  signs[all.length - 1] = "=";
  return signs.map((sign, which) => (sign.slice(2) === names[which] ? sign[0] : sign));
}

/**
 * The factors of a product, each but the first with its operator.
 * @param {string} product
 */
function factorsIn(product) {
  const factors = [""];
  let depth = 0;
  for (const part of product.split(/(?= [·/] )/)) {
    if (depth || factors[0] === "") factors[factors.length - 1] += part;
    else factors.push(part.trimStart());
    for (const letter of part)
      depth += Number("([".includes(letter)) - Number(")]".includes(letter));
  }
  return factors;
}

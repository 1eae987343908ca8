// One element of a gradient as a sum over the paths from the loss: each brings the gradient that it
// begins with, times the factor of every step on it, like viz/explanation/gradient_paths.py.

import { isResult } from "../factors.js";
import { stepThatComputes } from "./elements.js";
import { Lost } from "./expressions.js";

/** @import { Shown, Step } from "../payload.d.ts" */
/** @import { StepElements } from "./elements.js" */

/**
 * An element of a gradient on a path: the step that computes the gradient after it (or the asked
 * one), by which factor that step multiplies it, and the product of all factors from here on.
 * @typedef {object} Passed
 * @property {Shown} entry
 * @property {number} place
 * @property {number} number
 * @property {number} step
 * @property {number} factor
 * @property {number} product
 * @property {Passed | null} after
 */

/** @typedef {{ brings: number, passed: Passed[] }} Path  `passed` starts at the loss */
/** @typedef {{ paths: Path[], rest: number, total: number, isAll: boolean }} Found */

const MOST = 12; // paths
const FOLLOWED = 300; // gradients
const CLOSE = 1e-4; // relative tolerance between a gradient and the sum of its parts
const ARRIVED = new Set(["grad_in", "before"]);

/** @param {Passed} passed */
const brings = ({ product, number }) => product * number;

/** @type {(one: Passed, other: Passed) => number} */
const bySize = (one, other) => Math.abs(brings(other)) - Math.abs(brings(one));

/**
 * The step that computes a gradient that the step `at` shows.
 * @type {(steps: Step[], at: number, entry: Shown) => number}
 */
function maker(steps, at, entry) {
  if (isResult(entry)) return stepThatComputes(steps, at, entry);
  const earlier = steps.slice(0, at);
  /** @type {(isSame: (each: Shown) => boolean) => number} */
  const last = (isSame) =>
    earlier.findLastIndex(({ shown }) =>
      shown.some((each) => isResult(each) && each.value === entry.value && isSame(each)),
    );
  const named = last(({ name }) => name === entry.name);
  const found = named < 0 ? last(() => true) : named;
  return found < 0 ? found : stepThatComputes(steps, found, { ...entry, role: "grad_out" });
}

/**
 * The gradients that arrive in the step that computes this one; null where it cannot be followed.
 * @type {(passed: Passed, steps: Step[], elementsOf: (step: number) => StepElements) => Passed[] | null}
 */
function arrivals(after, steps, elementsOf) {
  const { entry, place, number, step: own, product } = after;
  const step = maker(steps, own, entry);
  if (step < 0 || steps[step].kind === "seed") return null;
  const elements = elementsOf(step);
  const gradients = new Map(
    elements.operands.flatMap((each) => (ARRIVED.has(each.role) ? [[each.value, each]] : [])),
  );
  const found = elements
    .origin(entry.value ?? 0, place)
    .parts.filter(({ value, isRead }) => isRead && gradients.has(value))
    .map(({ value, at, number, slope }) => {
      const entry = /** @type {Shown} */ (gradients.get(value));
      return { entry, place: at, number, step, factor: slope, product: product * slope, after };
    });
  const terms = found.map(({ factor, number }) => factor * number);
  const [sum, size] = [terms, terms.map(Math.abs)].map((each) => each.reduce((a, b) => a + b, 0));
  return found.length && Math.abs(sum - number) <= CLOSE * size ? found : null;
}

/** @param {Passed} first @returns {Passed[]} */
function wayFrom(first) {
  const way = [];
  for (let at = /** @type {Passed | null} */ (first); at; at = at.after) way.push(at);
  return way;
}

/**
 * The strongest paths, found by following what brings the most; yields between gradients.
 * @type {(steps: Step[], at: number, entry: Shown, place: number, elementsOf: (step: number) => StepElements) => Generator<void, Found>}
 */
export function* followPaths(steps, at, entry, place, elementsOf) {
  const total = elementsOf(at).numbers(entry.value ?? 0)[place];
  /** @type {Passed[]} */
  let open = [{ entry, place, number: total, step: at, factor: 1, product: 1, after: null }];
  /** @type {Passed[]} */
  const whole = [];
  for (let count = 0; count < FOLLOWED && open.length; count += 1) {
    open.sort(bySize);
    if (whole.length >= MOST && bySize(whole[MOST - 1], open[0]) <= 0) break;
    const [strongest, ...others] = open;
    let found = null;
    try {
      found = arrivals(strongest, steps, elementsOf);
    } catch (error) {
      if (!(error instanceof Lost) || error.reason === "waiting") throw error;
    }
    if (found) open = [...others, ...found.filter((each) => brings(each))];
    else {
      open = others;
      whole.push(strongest);
      whole.sort(bySize);
    }
    yield;
  }
  const shown = whole.slice(0, MOST);
  const paths = shown.map((first) => ({ brings: brings(first), passed: wayFrom(first) }));
  const sum = paths.reduce((sum, path) => sum + path.brings, 0);
  const isAll = !open.length && whole.length === shown.length;
  return { paths, rest: isAll ? 0 : total - sum, total, isAll };
}

// One element of a gradient as a sum over the paths from the loss. A path contributes its first
// gradient times the factors of its steps, as in viz/explanation/gradient_paths.py.

import { isResult } from "../factors.js";
import { stepThatComputes } from "./elements.js";
import { Lost } from "./expressions.js";

/** @import { Shown, Step } from "../payload.d.ts" */
/** @import { StepElements } from "./elements.js" */
/** @import { Cell } from "./expressions.js" */

/**
 * An element of a gradient on a path: the step that computes the gradient after it (or the element
 * itself), the factor of that step, the element that is this factor, if any, and the product of all
 * factors from here on.
 * @typedef {object} Passed
 * @property {Shown} entry
 * @property {number} place
 * @property {number} number
 * @property {number} step
 * @property {number} factor
 * @property {NamedCell | null} by
 * @property {number} product
 * @property {Passed | null} after
 */

/** @typedef {Cell & { name: string }} NamedCell */
/**
 * A path. `passed` starts at the loss, or where no step says what a gradient was made from, as at a
 * hook in Python or an old `.grad`; `end` is the step there.
 * @typedef {{ brings: number, passed: Passed[], end: number }} Path
 */
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
 * Return the step that computes a gradient shown by the step `at`.
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
 * Return the gradients that arrive in the step that computes this one; null if it cannot be
 * followed.
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
  const { parts } = elements.origin(entry.value ?? 0, place);
  /** @type {(factor: number, number: number) => NamedCell | null} */
  const cellThatIs = (factor, number) => {
    for (const part of parts) {
      if (gradients.has(part.value) || part.number !== factor || part.slope !== number) continue;
      const named = elements.operands.find(({ value }) => value === part.value);
      if (named) return { name: named.name, value: part.value, at: part.at };
    }
    return null;
  };
  const found = parts
    .filter(({ value }) => gradients.has(value))
    .map(({ value, at, number, slope: factor }) => {
      const entry = /** @type {Shown} */ (gradients.get(value));
      const by = cellThatIs(factor, number);
      return { entry, place: at, number, step, factor, by, product: product * factor, after };
    });
  const terms = found.map(({ factor, number }) => factor * number);
  const [sum, size] = [terms, terms.map(Math.abs)].map((each) => each.reduce((a, b) => a + b, 0));
  return found.length && Math.abs(sum - number) <= CLOSE * size ? found : null;
}

/** @template T @param {() => T} follow  @returns {T | null} what it finds, or null if it cannot be followed */
function tryToFollow(follow) {
  try {
    return follow();
  } catch (error) {
    if (!(error instanceof Lost) || error.reason === "waiting") throw error;
    return null;
  }
}

/** @param {Passed} first @returns {Passed[]} */
function wayFrom(first) {
  const way = [];
  for (let at = /** @type {Passed | null} */ (first); at; at = at.after) way.push(at);
  return way;
}

/**
 * Return the largest gradient that a factor of 0 stops on its way to a gradient that is 0; null if
 * there is none, or if those that arrive add up to 0.
 * @type {(zero: Passed, steps: Step[], elementsOf: (step: number) => StepElements) => Passed | null}
 */
function findStopped(zero, steps, elementsOf) {
  let at = zero;
  for (let count = 0; count < FOLLOWED; count += 1) {
    const found = arrivals(at, steps, elementsOf) ?? [];
    if (!found.length || found.some(({ factor, number }) => factor * number)) return null;
    found.sort((one, other) => Math.abs(other.number) - Math.abs(one.number));
    if (found[0].number) return { ...found[0], product: 1 }; // to follow the strongest path to it
    at = found[0];
  }
  return null;
}

/**
 * Find the strongest paths by following the largest contribution first; yield between gradients.
 * @type {(steps: Step[], at: number, entry: Shown, place: number, elementsOf: (step: number) => StepElements) => Generator<void, Found>}
 */
export function* followPaths(steps, at, entry, place, elementsOf) {
  const total = elementsOf(at).numbers(entry.value ?? 0)[place];
  /** @type {Passed[]} */
  let open = [
    { entry, place, number: total, step: at, factor: 1, by: null, product: 1, after: null },
  ];
  const stopped = total === 0 ? tryToFollow(() => findStopped(open[0], steps, elementsOf)) : null;
  if (stopped) open = [stopped];
  /** @type {Passed[]} */
  const whole = [];
  for (let count = 0; count < FOLLOWED && open.length; count += 1) {
    open.sort(bySize);
    if (whole.length >= MOST && bySize(whole[MOST - 1], open[0]) <= 0) break;
    const [strongest, ...others] = open;
    const found = tryToFollow(() => arrivals(strongest, steps, elementsOf));
    if (found) open = [...others, ...found.filter((each) => brings(each))];
    else {
      open = others;
      whole.push(strongest);
      whole.sort(bySize);
    }
    yield;
  }
  const shown = whole.slice(0, stopped ? 1 : MOST);
  const paths = shown.map((first) => {
    const end = maker(steps, first.step, first.entry);
    const passed = wayFrom(first);
    return { brings: stopped ? 0 : brings(first), passed, end: end < 0 ? first.step : end };
  });
  const sum = paths.reduce((sum, path) => sum + path.brings, 0);
  const isAll = !!stopped || (!open.length && whole.length === shown.length);
  return { paths, rest: isAll ? 0 : total - sum, total, isAll };
}

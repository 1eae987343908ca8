// The road through the steps. Those that tell of memory alone are passed by until the reader asks
// for memory: every step keeps its number in links and in `trace.steps`; what is counted on a page
// is what one can step to.

/** @import { PageState } from "./store.js" */

/** @typedef {ReturnType<typeof layWay>} Way */
/** @typedef {ReturnType<typeof createRoad>} Road */

/**
 * The steps that are not left out, in order.
 * @param {number} count
 * @param {ReadonlySet<number>} [left]  out
 */
export function layWay(count, left = new Set()) {
  /** @type {number[]} */
  const steps = [];
  const upTo = Array.from({ length: count }, (_, step) =>
    left.has(step) ? steps.length : steps.push(step),
  );
  /** @param {number} step */
  const place = (step) => Math.max(0, (upTo[step] ?? 0) - 1);
  /** @param {number} at */
  const stepAt = (at) => steps[Math.max(0, Math.min(steps.length - 1, at))] ?? 0;
  return {
    steps,
    count: steps.length,
    first: stepAt(0),
    last: stepAt(steps.length - 1),
    /** @param {number} step */
    has: (step) => step < count && !left.has(step),
    /**
     * Which one it is, counted from 1; of one that is left out, the one before it.
     * @param {number} step
     */
    number: (step) => upTo[step] ?? 0,
    /** @param {number} step */
    near: (step) => stepAt(place(step)),
    /** @param {number} step */
    next: (step) => stepAt(place(step) + 1),
    /** @param {number} step */
    previous: (step) => stepAt(place(step) - 1),
    /**
     * Where the next one begins, or the end of all.
     * @param {number} step
     */
    end: (step) => steps[place(step) + 1] ?? count,
  };
}

/**
 * @param {number} count
 * @param {Iterable<number>} [ofMemory]
 */
export function createRoad(count, ofMemory = []) {
  const hidden = new Set(ofMemory);
  const [whole, told] = [layWay(count), layWay(count, hidden)];
  return {
    hidden,
    /** @param {Pick<PageState, "memory">} state */
    at: ({ memory }) => (memory ? whole : told),
    /**
     * A rule of the store. Who asks for a step of memory by its number gets it, and the others with
     * it; who turns memory off there goes on from the step before.
     * @type {(now: Pick<PageState, "step" | "memory">, before: Pick<PageState, "memory">) => Partial<PageState>}
     */
    rule({ step, memory }, before) {
      if (memory || !hidden.has(step)) return {};
      return before.memory && told.count ? { step: told.near(step) } : { memory: true };
    },
  };
}

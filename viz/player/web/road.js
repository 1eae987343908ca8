// The road through the steps, on from one chapter to the next. Every step has one number, counted
// from 1 through all chapters; those that tell of memory alone are passed by until the reader asks
// for memory.

/** @import { PageState } from "./store.js" */
/** @import { Outline, Spot } from "./unpack.js" */

/** @typedef {ReturnType<typeof layWay>} Way */
/** @typedef {ReturnType<typeof createRoad>} Road */

/**
 * Return the steps that are not left out, in order.
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
    /** @param {number} step */
    near: (step) => stepAt(place(step)),
    /** @param {number} step */
    next: (step) => stepAt(place(step) + 1),
    /** @param {number} step */
    previous: (step) => stepAt(place(step) - 1),
    /**
     * Return the place of the next step, or the end of all.
     * @param {number} step
     */
    end: (step) => steps[place(step) + 1] ?? count,
  };
}

/** @typedef {Pick<PageState, "chapter" | "step" | "memory">} Standing */

/** @param {Pick<Outline, "first" | "count" | "ofMemory">[]} chapters */
export function createRoad(chapters) {
  /** @param {number} number */
  function lay(number) {
    const { count, ofMemory } = chapters[number] ?? { count: 0, ofMemory: [] };
    const hidden = new Set(ofMemory);
    return { number, hidden, whole: layWay(count), told: layWay(count, hidden) };
  }
  let laid = lay(0);
  /** @param {number} number */
  function ways(number) {
    if (laid.number !== number) laid = lay(number);
    return laid;
  }

  /** @param {Omit<Standing, "step">} state */
  const at = ({ chapter, memory }) => (memory ? ways(chapter).whole : ways(chapter).told);

  /**
   * Return the end of the next chapter in a direction that one can step to.
   * @type {(state: Standing, by: 1 | -1) => Spot | null}
   */
  function beyond({ chapter, memory }, by) {
    for (let next = chapter + by; next in chapters; next += by) {
      const way = at({ chapter: next, memory });
      if (way.count) return { chapter: next, step: by > 0 ? way.first : way.last };
    }
    return null;
  }

  return {
    at,
    /**
     * Return the number of a step, as readers count.
     * @param {Spot} spot
     */
    number: ({ chapter, step }) => (chapters[chapter]?.first ?? 0) + step + 1,
    /** How many steps there are. */
    count: chapters.reduce((sum, { count }) => sum + count, 0),
    /**
     * Return the next step, null at the end of all.
     * @param {Standing} state
     * @returns {Spot | null}
     */
    next(state) {
      const step = at(state).next(state.step);
      return step > state.step ? { chapter: state.chapter, step } : beyond(state, 1);
    },
    /**
     * @param {Standing} state
     * @returns {Spot | null}
     */
    previous(state) {
      const step = at(state).previous(state.step);
      return step < state.step ? { chapter: state.chapter, step } : beyond(state, -1);
    },
    /**
     * Return the first step of all.
     * @param {Standing} state
     */
    start: ({ memory }) => beyond({ chapter: -1, step: 0, memory }, 1) ?? { chapter: 0, step: 0 },
    /**
     * A rule of the store. Who asks for a step of memory by its number gets it, and the others with
     * it; who turns memory off there goes on from the step before.
     * @type {(now: Standing, before: Pick<Standing, "memory">) => Partial<Standing>}
     */
    rule({ chapter, step, memory }, before) {
      const { hidden, told } = ways(chapter);
      if (memory || !hidden.has(step)) return {};
      return before.memory && told.count ? { step: told.near(step) } : { memory: true };
    },
  };
}

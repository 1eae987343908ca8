// The road through the steps of all chapters. Every step has one number, counted from 1 through all
// chapters; steps of memory are skipped unless the reader asks for memory.

/** @import { PageState } from "./store.js" */
/** @import { Outline, Spot } from "./unpack.js" */

/** @typedef {ReturnType<typeof layWay>} Way */
/** @typedef {ReturnType<typeof createRoad>} Road */

/**
 * Return the way through the steps that are not left out, in order.
 * @param {number} count
 * @param {ReadonlySet<number>} [left]  steps that are left out
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
     * Return the place of the next step, or the end.
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
   * Return the nearer end of the next chapter with steps in a direction, or null.
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
     * Return the number of a step, counted from 1.
     * @param {Spot} spot
     */
    number: ({ chapter, step }) => (chapters[chapter]?.first ?? 0) + step + 1,
    /** Return the number of steps. */
    count: chapters.reduce((sum, { count }) => sum + count, 0),
    /**
     * Return the next step, or null at the end.
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
     * Return the first step of all chapters.
     * @param {Standing} state
     */
    start: ({ memory }) => beyond({ chapter: -1, step: 0, memory }, 1) ?? { chapter: 0, step: 0 },
    /**
     * Rule of the store. A request for a step of memory turns memory steps on; turning them off at
     * such a step goes back to the step before.
     * @type {(now: Standing, before: Pick<Standing, "memory">) => Partial<Standing>}
     */
    rule({ chapter, step, memory }, before) {
      const { hidden, told } = ways(chapter);
      if (memory || !hidden.has(step)) return {};
      return before.memory && told.count ? { step: told.near(step) } : { memory: true };
    },
  };
}

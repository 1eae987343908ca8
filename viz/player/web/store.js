// The reader's choices, in one place: the parts of a page change and observe them here, so that no
// part calls another one or stores a copy.

/** @import { Graph, Lang } from "./payload.d.ts" */

/** @typedef {{ graph: Graph, id: string }} Picked */

/**
 * The reader's view of a graph.
 * @typedef {object} GraphState
 * @property {number} chapter
 * @property {number} step  of the chapter
 * @property {ReadonlySet<string>} open  names of the open groups
 * @property {boolean} values  whether boxes show values
 * @property {boolean} follow  whether the groups around the step open by themselves
 * @property {ReadonlySet<string>} own  groups that the reader has opened, and those open at first
 * @property {ReadonlySet<string>} shut  groups that the reader has closed against following
 * @property {ReadonlySet<string> | null} outline  open groups of the overview, if the graph has one
 * @property {string | null} overview  name of the group looked at from outside of all steps, "" for
 *   the whole picture; null at a step
 * @property {string | null} selected  id of a box or an open frame
 * @property {Picked | null} picked  latest selection, with its graph
 * @property {string[]} hits  found boxes, including hidden ones
 * @property {string[]} traced  boxes on the path from the loss at which the reader points
 * @property {Lang} lang
 */

/**
 * The reader's place on a page, and its look.
 * @typedef {object} PageState
 * @property {number} chapter
 * @property {number} step  of the chapter
 * @property {boolean} playing
 * @property {string | null} [overview]  as in GraphState
 * @property {boolean} memory  whether rows and steps of memory are shown
 * @property {Lang} lang
 * @property {"light" | "dark" | null} theme  null follows the page or the system
 */

/**
 * @template {object} State
 * @typedef {object} Store
 * @property {Readonly<State>} state
 * @property {(changes: Partial<State>) => void} set
 * @property {(names: (keyof State)[], update: Update<State>) => void} subscribe
 * @property {() => void} notify
 */

/**
 * @template {object} State
 * @callback Update
 * @param {Readonly<State>} now
 * @param {Readonly<State>} before
 * @returns {void}
 */

/**
 * Function that returns further changes; subscribers are notified of all changes at once.
 * @template {object} State
 * @callback Rule
 * @param {Readonly<State>} now
 * @param {Readonly<State>} before
 * @returns {Partial<State>}
 */

/**
 * @template {object} State
 * @param {State} start
 * @param {NoInfer<Rule<State>>[]} rules  each sees the changes of the rules before it
 * @returns {Store<State>}
 */
export function createStore(start, ...rules) {
  /** @type {(now: State, before: State) => State} */
  function settle(now, before) {
    let settled = now;
    for (const rule of rules) settled = { ...settled, ...rule(settled, before) };
    return settled;
  }
  let state = settle(start, start);
  /** @type {{ names: (keyof State)[], update: Update<State> }[]} */
  const subscribers = [];
  return {
    get state() {
      return state;
    },

    // Subscribers to one of the changed names are notified, in the order of subscription.
    set(changes) {
      const before = state;
      const after = settle({ ...state, ...changes }, before);
      state = after;
      for (const { names, update } of subscribers) {
        if (names.some((name) => after[name] !== before[name])) update(state, before);
      }
    },

    subscribe(names, update) {
      subscribers.push({ names, update });
    },

    // All are notified: the parts draw themselves first when they are in the page.
    notify() {
      for (const { update } of subscribers) update(state, state);
    },
  };
}

/**
 * Return the initial state of a graph.
 * @param {ReadonlySet<string>} open
 */
export const startGraph = (open) => ({
  open,
  values: false,
  follow: true,
  own: open,
  shut: new Set(),
  outline: null,
  /** @type {string | null} */
  overview: null,
  selected: null,
  picked: null,
  /** @type {string[]} */
  hits: [],
  traced: [],
});

/**
 * Silence live regions of screen readers while the page plays.
 * @param {Store<PageState>} store
 * @param {Element[]} elements
 */
export const quietWhilePlaying = (store, ...elements) =>
  store.subscribe(["playing"], ({ playing }) => {
    for (const each of elements) each.setAttribute("aria-live", playing ? "off" : "polite");
  });

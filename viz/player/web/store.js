// The reader's choices, in one place: the parts of a page change them here and follow them from
// here, so that none of them calls another one or keeps a copy.

/** @import { Graph, Lang } from "./payload.d.ts" */

/** @typedef {{ graph: Graph, id: string }} Picked */

/**
 * What the reader sees of a graph.
 * @typedef {object} GraphState
 * @property {number} chapter
 * @property {number} step  of the chapter
 * @property {ReadonlySet<string>} open  the names of the groups that are open
 * @property {boolean} follow  whether the groups around the step open by themselves
 * @property {ReadonlySet<string>} lent  those of them that following has opened
 * @property {ReadonlySet<string>} shut  those that the reader has closed against it
 * @property {string | null} selected  a box or an open frame
 * @property {Picked | null} picked  the latest selection, with its graph
 * @property {string[]} hits  the boxes that were searched for, hidden ones too
 * @property {Lang} lang
 */

/**
 * Where the reader is on a page, and how it looks.
 * @typedef {object} PageState
 * @property {number} chapter
 * @property {number} step  of the chapter
 * @property {boolean} playing
 * @property {boolean} memory  whether memory is asked for: its rows, and the steps that tell of it
 * @property {Lang} lang
 * @property {"light" | "dark" | null} theme  null: as the page or the system says
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
 * What follows from a change belongs to it: everybody is told of both at once.
 * @template {object} State
 * @callback Rule
 * @param {Readonly<State>} now
 * @param {Readonly<State>} before
 * @returns {Partial<State>}
 */

/**
 * @template {object} State
 * @param {State} start
 * @param {NoInfer<Rule<State>>[]} rules  each sees what the ones before it have changed
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

    // Who subscribed to one of the names that change is notified, in the order of subscribing.
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

    // Everybody is notified: the parts draw themselves first when they stand in the page.
    notify() {
      for (const { update } of subscribers) update(state, state);
    },
  };
}

/**
 * Return the state of a graph at first.
 * @param {ReadonlySet<string>} open
 */
export const startGraph = (open) => ({
  open,
  follow: true,
  lent: new Set(),
  shut: new Set(),
  selected: null,
  picked: null,
  /** @type {string[]} */
  hits: [],
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

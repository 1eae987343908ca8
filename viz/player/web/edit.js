// Numbers that the reader has changed: queries and actions for the parts of a page,
// and their form in a link. what_if.js computes the consequences.

import { elementAt } from "./formula.js";
import { indexAt, placeOf, sizeOf, toNumber } from "./numbers.js";

/** @import { Said, Scalar, Shown, Value } from "./payload.d.ts" */
/** @import { GraphState, PageState, Store } from "./store.js" */
/** @import { Book } from "./unpack.js" */
/** @import { Edit, Entry } from "./whatif/what_if.js" */

/** @typedef {ReturnType<typeof createEdits>} Edits */

/**
 * Place of a number in a page; `at` is its place among the elements of its value.
 * @typedef {object} Spotted
 * @property {number} chapter
 * @property {number} value
 * @property {number} at
 */

/**
 * State of the edits.
 * @typedef {object} EditState
 * @property {number} moved  counts the changes of numbers
 * @property {boolean} working  whether some of them are still being computed
 * @property {Spotted | null} nudged  place of the number that is being nudged
 * @property {Spotted | null} beside  place of a second number, if the loss is drawn over both
 */

const TRUTHS = new Map(Object.entries({ true: 1, false: 0 }));

/**
 * Return the index that a key leads to in an array; null if it leads to none. Below the last
 * row of a slice the next slice begins.
 * @type {(index: number[], shape: number[], key: string) => number[] | null}
 */
export function stepOf(index, shape, key) {
  const width = shape.at(-1) ?? 1;
  const column = index.at(-1) ?? 0;
  const below = shape.length > 1 ? width : sizeOf(shape);
  /** @type {Record<string, number>} */
  const ways = {
    ArrowLeft: column > 0 ? -1 : 0,
    ArrowRight: column < width - 1 ? 1 : 0,
    ArrowUp: -below,
    ArrowDown: below,
    Home: -column,
    End: width - 1 - column,
  };
  if (!(key in ways) || sizeOf(shape) === 1) return null;
  const at = placeOf(index, shape);
  const next = at + ways[key];
  return indexAt(next < 0 || next >= sizeOf(shape) ? at : next, shape);
}

/**
 * Read typed whole numbers: [2, 3], (2, 3), 2 x 3, 2×3; [] has none.
 * @param {string} text
 * @returns {number[] | null}  null if the text is something else
 */
export function typedSizes(text) {
  const inside = text
    .replace(/[[\]()]/g, " ")
    .replace(/[,，]\s*$/, "")
    .trim();
  const parts = inside ? inside.split(/\s*[,，x×*]\s*|\s+/) : [];
  const known = parts.every((part) => /^\d+$/.test(part)) && text.trim() !== "";
  return known ? parts.map(Number) : null;
}

/**
 * Read a typed index of an array, such as `3, 17`; null if the text is no index.
 * @type {(text: string, shape: number[]) => number[] | null}
 */
export function typedIndex(text, shape) {
  const index = typedSizes(text);
  const fits = index?.length === shape.length && index.every((at, axis) => at < shape[axis]);
  return fits ? index : null;
}

/**
 * Read a typed number of a dtype.
 * @type {(text: string, dtype: string) => number | null}  null if the text is no number
 */
export function typedNumber(text, dtype) {
  const plain = text.trim().replaceAll("−", "-").replace(/[,，]/, ".").toLowerCase();
  const number = TRUTHS.get(plain) ?? Number(plain.replace(/∞|inf$/, "Infinity") || "nan");
  if (Number.isNaN(number)) return plain === "nan" && dtype.startsWith("float") ? number : null;
  if (dtype === "bool") return number === 0 || number === 1 ? number : null;
  return dtype.includes("int") && !Number.isInteger(number) ? null : number;
}

/** @type {(value: Value, at: number) => number} */
const scalarAt = ({ data, shape }, at) =>
  data === null ? Number.NaN : toNumber(elementAt(data, indexAt(at, shape)));

/** @type {(one: Spotted, other: Spotted) => boolean} */
export const isSame = (one, other) =>
  one.chapter === other.chapter && one.value === other.value && one.at === other.at;

/** @type {(edit: Edit) => Spotted} */
const spotIn = ([chapter, value, at]) => ({ chapter, value, at });

/**
 * Write edits for a link: `0,3,1,0.5` is chapter, value, place and number; a slash separates edits.
 * @param {Edit[]} edits
 */
export const editsText = (edits) => edits.map((edit) => edit.join(",")).join("/") || null;

/**
 * @param {string} text
 * @returns {Edit[] | null}  null if the text contains no edits
 */
export function editsIn(text) {
  const edits = text.split("/").map((edit) => {
    const [chapter, value, at, number, ...more] = edit.split(",");
    const places = [chapter, value, at].every((each) => /^\d+$/.test(each ?? ""));
    const known =
      /^-?(\d.*|NaN|Infinity)$/.test(number ?? "") &&
      (number === "NaN" || !Number.isNaN(Number(number)));
    if (!places || !known || more.length) return null;
    return /** @type {Edit} */ ([chapter, value, at, number].map(Number));
  });
  return edits.every((edit) => edit !== null) ? edits : null;
}

/**
 * @param {Book} book
 * @param {Store<GraphState & PageState & EditState>} store
 */
export function createEdits(book, store) {
  const { whatIf } = book;
  /** @type {Map<string, Edit>} */
  const own = new Map(); // key of a place -> the edit there
  /** @type {Edit[]} */
  let coming = []; // last edit of a link, made after the others have been computed
  let behind = false; // whether the page still computes the consequences of earlier edits
  let done = () => {};

  /** @type {(chapter: number, value: number) => Entry} */
  const entry = (chapter, value) => whatIf.entry(chapter, value);

  /** @type {(chapter: number) => [string, number, number[]][]} */
  const named = (chapter) => whatIf.chapters[chapter]?.names ?? [];

  /** @param {Spotted} spot */
  const canEdit = ({ chapter, value }) => whatIf.canEdit(chapter, value);

  /**
   * Return the places that an edit changes: one number, or a learning rate or a constant in every
   * chapter that has it.
   * @param {Spotted} spot
   * @returns {Spotted[]}
   */
  function alike({ chapter, value, at }) {
    const name = named(chapter).find((each) => each[1] === value)?.[0];
    if (name === undefined) return [{ chapter, value, at }];
    const { data } = book.value(value);
    return book.chapters.flatMap((_, other) =>
      named(other)
        .filter((each) => each[0] === name && book.value(each[1]).data === data)
        .map((each) => ({ chapter: other, value: each[1], at })),
    );
  }

  /** @param {Spotted} spot */
  function keyOf(spot) {
    const [first] = alike(spot);
    return [canEdit(first).chapter, first.value, first.at].join();
  }

  /** Return the edits at other places. @type {(spots: Spotted[]) => Edit[]} */
  function editsElsewhere(spots) {
    const keys = spots.map(keyOf);
    return [...own].flatMap(([key, edit]) => (keys.includes(key) ? [] : [edit]));
  }

  /** @type {(edits: Edit[]) => Edit[]} */
  const spreadEdits = (edits) =>
    edits.flatMap(([chapter, value, at, number]) =>
      alike({ chapter, value, at }).map(
        (each) => /** @type {Edit} */ ([each.chapter, each.value, each.at, number]),
      ),
    );

  /** @param {Spotted} spot */
  const recorded = ({ value, at }) => scalarAt(book.value(value), at);

  /** @param {Edit} edit */
  function isKnown([chapter, value, at]) {
    whatIf.unfolding(chapter, value)?.();
    if (!canEdit({ chapter, value, at }).editable) return false;
    return at < sizeOf(book.value(value).shape);
  }

  /** Compute the consequences of the edits; a fast drag skips numbers in between. */
  function compute() {
    behind = whatIf.busy && !whatIf.isShown;
    if (!behind) whatIf.load(spreadEdits([...own.values()]));
  }

  /**
   * Replace all edits by others, whatever is being computed.
   * @param {Edit[]} edits
   * @param {() => void} then  called when all is computed
   * @param {Edit[]} later  edits that `then` adds
   */
  function replaceEdits(edits, then, later = []) {
    own.clear();
    for (const edit of edits) own.set(keyOf(spotIn(edit)), edit);
    coming = later;
    behind = false;
    done = then;
    whatIf.load(spreadEdits(edits));
  }

  const text = () => editsText([...own.values(), ...coming]);

  /** @type {(spot: Spotted, number: number) => void} */
  function change(spot, number) {
    const key = keyOf(spot);
    own.delete(key); // the latest edit is last
    if (!Object.is(recorded(spot), number)) {
      own.set(key, [spot.chapter, spot.value, spot.at, number]);
    }
    compute();
  }

  whatIf.subscribe(() => {
    store.set({ moved: store.state.moved + 1, working: whatIf.busy });
    if (whatIf.busy) {
      // Once the reader sees a change, the rounds after it can wait for the next change.
      if (behind && whatIf.isShown) queueMicrotask(() => behind && compute());
      return;
    }
    if (behind) return compute();
    const then = done;
    done = () => {};
    coming = [];
    then();
  });

  store.subscribe(["chapter"], ({ chapter }) => {
    whatIf.viewed = chapter;
  });

  /**
   * @param {Spotted} spot
   * @returns {{ chapter: number, grad: Scalar | null, gradValue: number | null, loss: Scalar | null } | null}
   */
  function slope(spot) {
    let last = null;
    for (let chapter = canEdit(spot).chapter; chapter < book.chapters.length; chapter += 1) {
      const loss = whatIf.loss(chapter);
      if (!loss) continue;
      const known = whatIf.slope(chapter, spot.value, spot.at);
      const { grad = null, value = null } = known ?? {};
      const now = chapter < whatIf.behind ? loss.now : null;
      last = { chapter, grad, gradValue: value, loss: now ?? null };
      if (known) break;
    }
    return last;
  }

  return {
    entry,
    canEdit,
    /** @type {(chapter: number, value: number) => (() => void) | null} */
    unfolding: (chapter, value) => whatIf.unfolding(chapter, value),
    named,
    recorded,
    alike,
    change,
    /** Number of edits. */
    get count() {
      return own.size;
    },
    text,
    /**
     * Return whether the edits affect a chapter.
     * @param {number} chapter
     */
    reaches: (chapter) => whatIf.outcomes.has(chapter),
    /** @param {number} chapter */
    loss: (chapter) => whatIf.loss(chapter),
    /**
     * Return the text for the reason why a value could not be recomputed.
     * @param {string} reason
     * @returns {Said}
     */
    why: (reason) => whatIf.book.program?.why[reason] ?? reason,
    /**
     * Return the gradient at a number and its loss, of the first chapter that has both, because a
     * gradient does not include later rounds. Without a gradient, return the last loss.
     */
    slope,
    /**
     * Compute that loss for other numbers at some places, between frames, until anything else is to
     * be computed or `rest` is called.
     * @param {Spotted[]} spots
     * @param {() => number[] | null} next  returns the next numbers at the places
     * @param {(loss: number, stale: string) => void} report
     */
    sweep(spots, next, report) {
      if (whatIf.job) return;
      const others = editsElsewhere(spots);
      const edits = () => {
        const numbers = next();
        const swept = spots.map(
          ({ chapter, value, at }, k) =>
            /** @type {Edit} */ ([chapter, value, at, numbers?.[k] ?? 0]),
        );
        return numbers && spreadEdits([...others, ...swept]);
      };
      whatIf.start(whatIf.sweep(slope(spots[0])?.chapter ?? 0, edits, report), true);
    },
    rest: () => whatIf.rest(),
    /** Return the edits at other places as text. @param {Spotted[]} spots */
    others: (spots) => editsText(editsElsewhere(spots)),
    /**
     * Compute the values that `slope` returns for a number, if the page lacks them.
     * @param {Spotted} spot
     */
    prepare(spot) {
      whatIf.ensureGrad(canEdit(spot).chapter, spot.value);
    },
    /** Return the current number at a place. @param {Spotted} spot */
    now: ({ chapter, value, at }) => scalarAt(entry(chapter, value), at),
    /**
     * Return the places of a value that the reader has changed.
     * @type {(chapter: number, value: number) => number[]}
     */
    changedIn(chapter, value) {
      if (!own.size) return [];
      const here = keyOf({ chapter, value, at: 0 });
      return [...own.values()]
        .map(spotIn)
        .flatMap((spot) => (keyOf({ ...spot, at: 0 }) === here ? [spot.at] : []));
    },
    /** @param {() => void} then  called when all numbers are as recorded */
    reset(then) {
      replaceEdits([], then);
    },
    /**
     * Load the edits of a link, the last one as a nudge after the others.
     * @param {string} link
     * @returns {boolean}  whether they are edits of this page
     */
    follow(link) {
      const edits = link ? editsIn(link) : [];
      if (!edits?.every(isKnown)) return false;
      if (editsText(edits) === text()) return true;
      const last = edits.slice(-1);
      const nudge = () => {
        for (const edit of last) {
          store.set({ nudged: spotIn(edit), beside: null });
          change(spotIn(edit), Number(edit[3]));
        }
      };
      replaceEdits(edits.slice(0, -1), nudge, last);
      return true;
    },
  };
}

/**
 * Return the name under which the steps of a chapter show a value.
 * @param {{ shown: Shown[] }[]} steps
 * @param {number} value
 */
export function nameOfValue(steps, value) {
  const entries = steps.flatMap(({ shown }) => shown.filter((entry) => entry.value === value));
  return entries.find(({ name }) => name)?.name ?? "";
}

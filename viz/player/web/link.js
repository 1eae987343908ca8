// Deep links: the page's address contains the step, the box, the element and the edits, so that
// whoever opens the address sees the same. Steps and rounds are numbered from 1, as on the page.

import { read, remember } from "./address.js";
import { h } from "./dom.js";
import { unfoldTo } from "./follow.js";

/** @import { Chosen } from "./formula.js" */
/** @import { Page } from "./player.js" */

const PAUSE = 200; // milliseconds between changes of the address, which browsers limit

/** @param {string} text  numbers between commas */
const numbersIn = (text) => (text ? text.split(",").map(Number) : []);

/** @param {string} text */
const numberOf = (text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

/**
 * Read an element: `1,2/3,4` is [1, 2] in arrays of shape [3, 4], and `/` that of scalars.
 * @param {string} text
 * @returns {Chosen | null}  null if the text names no element
 */
function elementIn(text) {
  const [index, shape, ...more] = text.split("/").map(numbersIn);
  const inside = index.every((at, axis) => Number.isInteger(at) && at >= 0 && at < shape?.[axis]);
  return shape && !more.length && index.length === shape.length && inside ? { index, shape } : null;
}

/** @param {Chosen} chosen */
const elementText = ({ index, shape }) => `${index}/${shape}`;

/**
 * @param {Page} page
 * @param {(id: string | null) => void} pick
 */
export function createLink({ book, words, store, view, edits }, pick) {
  const wrong = words.text(book.rounds.length ? "wrongRoundLink" : "wrongLink");
  const note = h("p.mp-note", { role: "status", hidden: "" }, wrong);
  let timer = 0;
  let followed = ""; // address that the page last agreed with

  /** @type {Record<string, (text: string) => boolean>} */
  const follow = {
    round(text) {
      const chapter = book.rounds[numberOf(text) - 1]?.chapter ?? null;
      const step = read("step");
      if (chapter === null || step === null) {
        const spot = chapter === null ? book.start : { chapter, step: 0 };
        store.set({ ...spot, playing: false });
      }
      const spot = book.spotOf(numberOf(step ?? "") - 1);
      return chapter !== null && (step === null || spot.chapter === chapter);
    },
    step(text) {
      const index = numberOf(text) - 1;
      const known = index >= 0 && index < Math.max(1, book.count);
      store.set({ ...(known ? book.spotOf(index) : book.start), playing: false, overview: null });
      return known;
    },
    box(id) {
      if (!view.part(id)) return false;
      store.set({ open: unfoldTo(view.graph(), store.state.open, id) });
      pick(view.resolve(id) ?? null);
      return true;
    },
    element(text) {
      const element = elementIn(text);
      const shape = element?.shape.join();
      const known = view.payload().values.some((value) => value.shape.join() === shape);
      if (known) store.set({ element });
      return known;
    },
    edits: edits.follow,
  };

  const said = () => JSON.stringify(Object.keys(follow).map(read));

  function goThere() {
    followed = said();
    const known = Object.keys(follow).map((name) => {
      const text = read(name) ?? (name === "edits" ? "" : null); // a link without edits resets them
      return text === null || follow[name](text);
    });
    note.hidden = known.every((each) => each);
  }

  function keep() {
    if (said() !== followed) return; // a link that was just opened is followed first
    const { chapter, selected, element } = store.state;
    const { round } = book.chapters[chapter];
    remember({
      round: round === null ? null : String(round + 1),
      step: String(book.indexOf(store.state) + 1),
      box: selected !== null && view.part(selected) ? selected : null,
      element: element && elementText(element),
      edits: edits.text(),
    });
    followed = said();
  }

  return {
    note,
    start() {
      const keepSoon = () => {
        clearTimeout(timer);
        timer = setTimeout(keep, PAUSE);
      };
      store.subscribe(["chapter", "step", "selected", "element"], () => {
        note.hidden = true;
        keepSoon();
      });
      store.subscribe(["moved"], keepSoon);
      goThere();
      addEventListener("hashchange", goThere);
    },
  };
}

// The buttons above the graph: those that step, and switches for the whole page.

import { createDisclosure } from "./disclosure.js";
import { button, html, namedButton } from "./dom.js";

/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Spot } from "./unpack.js" */
/** @import { Words } from "./words.js" */

/**
 * @param {Words} words
 * @param {Store<PageState>} store
 * @param {Road} road
 */
export function createBar(words, store, road) {
  /** @param {"first" | "previous" | "play" | "next" | "last"} action */
  const knob = (action) => namedButton(words, action, action, action);
  const back = [knob("first"), knob("previous")];
  const play = knob("play");
  const ahead = [knob("next"), knob("last")];
  const element = html("div", { class: "mp-transport", role: "toolbar" }, ...back, play, ...ahead);
  words.label(element, "controls", "aria-label");
  store.subscribe(["chapter", "step", "memory"], (state) => {
    const { first, last } = road.at(state);
    const ends = [
      state.step === first,
      !road.previous(state),
      !road.next(state),
      state.step === last,
    ];
    play.setAttribute("aria-disabled", String(ends[1] && ends[2])); // a single step
    // Not `disabled`, which would drop the focus of who steps by pressing the button.
    [...back, ...ahead].forEach((each, at) => {
      each.setAttribute("aria-disabled", String(ends[at]));
    });
  });
  return { element, play };
}

/**
 * Where a button leads from a step.
 * @param {Store<PageState>} store
 * @param {Road} road
 */
export function stepActions(store, road) {
  const way = () => road.at(store.state);
  /** @param {Partial<Spot> | null} spot */
  const go = (spot) => store.set({ ...spot, playing: false });
  return {
    first: () => go({ step: way().first }),
    previous: () => go(road.previous(store.state)),
    next: () => go(road.next(store.state)),
    last: () => go({ step: way().last }),
  };
}

/**
 * What is wanted less often than stepping, at last the switches for the language and for light and
 * dark: beside the timeline, or behind a button where that leaves too little of it.
 * @param {Words} words
 * @param {HTMLElement[]} others
 */
export function createTools(words, ...others) {
  const language = button("language");
  words.follow(() => {
    language.textContent = words.say("language", words.next());
    language.setAttribute("aria-label", words.say("languageName", words.next()));
  });
  const theme = namedButton(words, "theme", "theme", "theme");
  const knob = namedButton(words, null, "more", "more");
  knob.classList.add("mp-more");
  return createDisclosure(knob, html("div", { class: "mp-tools" }, ...others, language, theme));
}

// Common parts of all pages: the head with buttons and timeline, the tools, theme and
// language, and the actions of keys and buttons.

import { recall, remember } from "./address.js";
import { createClock } from "./clock.js";
import { createDisclosure } from "./disclosure.js";
import { button, clamp, focusPage, h, namedButton } from "./dom.js";
import { listen } from "./keys.js";
import { createRoad } from "./road.js";
import { createStore } from "./store.js";
import { createTheme } from "./theme.js";
import { createWords, LANGUAGES, startLanguage } from "./words.js";

/** @import { Attributes } from "./dom.js" */
/** @import { Options } from "./player.js" */
/** @import { Road } from "./road.js" */
/** @import { PageState, Store } from "./store.js" */
/** @import { Spot } from "./unpack.js" */
/** @import { Words } from "./words.js" */

/**
 * Return language and theme; the address decides if the player has a page for itself.
 * @param {Options} options
 */
export function startLook({ page, lang, theme }) {
  return {
    lang: startLanguage((page && recall("lang", LANGUAGES)) || lang),
    theme: (page && recall("theme", ["light", "dark"])) || theme || null,
  };
}

/**
 * Return the basis of a page with one chapter: words, road and store.
 * @param {Options} options
 * @param {number} count  number of steps
 * @param {number} first  step at which the page opens
 */
export function startPage(options, count, first = 0) {
  const step = clamp(first, 0, Math.max(0, count - 1));
  /** @type {PageState} */
  const start = { chapter: 0, step, playing: false, memory: false, ...startLook(options) };
  const store = createStore(start);
  const words = createWords(start.lang);
  store.subscribe(["lang"], ({ lang }) => words.use(lang)); // before the parts that use the words
  return { store, words, options, road: createRoad([{ first: 0, count, ofMemory: [] }]) };
}

/**
 * Return the buttons that step.
 * @param {{ words: Words, store: Store<PageState>, road: Road }} page
 */
function createBar({ words, store, road }) {
  const parts = /** @type {const} */ (["first", "previous", "play", "next", "last"]).map((action) =>
    namedButton(words, action, action, action),
  );
  const [first, previous, play, next, last] = parts;
  const label = words.text("controls");
  const element = h("div.mp-transport", { role: "toolbar", "aria-label": label }, parts);
  store.subscribe(["chapter", "step", "memory"], (state) => {
    const way = road.at(state);
    // Not `disabled`, which would drop the focus from the pressed button.
    /** @type {(knob: Element, ends: boolean) => void} */
    const end = (knob, ends) => knob.setAttribute("aria-disabled", String(ends));
    end(first, state.step === way.first);
    end(previous, !road.previous(state));
    end(play, !road.previous(state) && !road.next(state)); // only one step
    end(next, !road.next(state));
    end(last, state.step === way.last);
  });
  return { element, play };
}

/**
 * Return the actions of the buttons that step.
 * @param {Store<PageState>} store
 * @param {Road} road
 */
function stepActions(store, road) {
  /** @param {Partial<Spot> | null} spot */
  const go = (spot) => store.set({ ...spot, playing: false, overview: null });
  return {
    first: () => go({ step: road.at(store.state).first }),
    previous: () => go(road.previous(store.state)),
    next: () => go(road.next(store.state)),
    last: () => go({ step: road.at(store.state).last }),
  };
}

/**
 * Return the tools that are used less often, ending with the switches for language and theme. They
 * are beside the timeline, or behind a button if there is too little room.
 * @param {Words} words
 * @param {HTMLElement[]} others
 */
function createTools(words, others) {
  /** @param {string} key  key of a word in the next language */
  const inNext = (key) => words.live(() => words.say(key, words.next()));
  const language = button("language", { "aria-label": inNext("languageName") }, inNext("language"));
  const theme = namedButton(words, "theme", "theme", "theme");
  const knob = namedButton(words, null, "more", "more");
  knob.classList.add("mp-more");
  return createDisclosure(knob, h("div.mp-tools", others, language, theme));
}

/**
 * @param {{ words: Words, store: Store<PageState>, road: Road, options: Options }} page
 * @param {() => string} title
 * @param {HTMLElement} timeline
 * @param {Attributes} attributes
 * @param {HTMLElement[]} [more]  more tools
 */
export function createShell(page, title, timeline, attributes, more = []) {
  const { words, store, road, options } = page;
  const bar = createBar(page);
  const sentence = () =>
    [...root.querySelectorAll(".mp-say")].map((say) => say.textContent).join("");
  const clock = createClock(words, bar.play, store, road, sentence);
  const tools = createTools(words, more);
  const count = h("output.mp-count");
  const heading = h(options.page ? "h1.mp-title" : "span.mp-title");
  const drive = h("div.mp-drive", bar.element, timeline, count, clock.element);
  const head = h("div.mp-head", heading, drive, tools.knob, tools.panel);
  const root = h("section.mp-player", { role: "group", tabindex: "0", ...attributes }, head);
  const all = [root, ...(options.page ? [document.documentElement] : [])];
  const theme = createTheme(all, store);
  words.follow(() => {
    heading.textContent = title();
    root.setAttribute("aria-label", title());
    for (const each of all) each.lang = words.say("lang");
  });
  store.subscribe(["chapter", "step"], () => {
    root.dataset.step = String(road.number(store.state) - 1);
  });
  return {
    root,
    count,
    tools,
    destroy: theme.destroy,
    /**
     * Put the page into its host, and connect keys and buttons with actions.
     * @param {HTMLElement} host
     * @param {Record<string, (knob?: HTMLElement) => void>} actions
     */
    show(host, actions) {
      listen(root, {
        ...stepActions(store, road),
        play: clock.turn,
        theme: theme.turn,
        language: () => store.set({ lang: words.next() }),
        ...actions,
      });
      host.replaceChildren(options.page ? h("main", root) : root);
      store.notify();
      if (!options.page) return;
      store.subscribe(["lang"], ({ lang }) => remember({ lang }));
      store.subscribe(["theme"], ({ theme }) => remember({ theme }));
      focusPage(root);
    },
  };
}

// What the player says, in each language; the sentences of the steps come with the trace.

import { rendered } from "./message.js";

/** @import { Lang, Said } from "./payload.d.ts" */
/** @import { Live } from "./dom.js" */
/** @import { Reader } from "./message.js" */

// The words stand in viz/language/words.py, from where viz/player/page.py puts them in here.
/** @type {Record<Lang, Record<string, string>>} */
const WORDS = { en: {} };

/** The languages that the page has words of, English first. */
export const LANGUAGES = Object.keys(WORDS);

/**
 * @param {string | null | undefined} preferred
 * @returns {Lang}
 */
export function startLanguage(preferred) {
  const names = [preferred, document.documentElement.lang, navigator.language];
  const asked = names.find((name) => name)?.toLowerCase() ?? "";
  return LANGUAGES.find((lang) => asked.startsWith(lang)) ?? "en";
}


/** @typedef {ReturnType<typeof createWords>} Words */

/** What a cell is called in every language's trace. */
export const CELL = /^Cell \[(\d+)\]/;

/**
 * What is labelled follows the language; `follow` calls again whatever depends on it.
 * @param {Lang} lang
 * @param {Record<Lang, Record<string, string>>} [catalogue]
 */
export function createWords(lang, catalogue = WORDS) {
  /** @type {(() => void)[]} */
  const followers = [];
  /** @type {(key: string, lang?: Lang) => string} */
  const say = (key, lang = words.lang) => catalogue[lang]?.[key] ?? key;
  const words = {
    lang,
    say,
    /** The language that the switch leads to. @type {() => Lang} */
    next() {
      const known = Object.keys(catalogue);
      return known[(known.indexOf(words.lang) + 1) % known.length] ?? "en";
    },
    /**
     * With what it tells in the places of `{name}`.
     * @type {(key: string, told: Record<string, string | number>) => string}
     */
    tell: (key, told) => say(key).replace(/\{(\w+)\}/g, (_, name) => String(told[name])),
    /**
     * What comes with the trace: a name, or a message.
     * @param {Said} said
     * @param {Reader} [read]
     */
    of: (said, read) => (typeof said === "string" ? said : rendered(said, words.lang, read)),
    /**
     * The name of a piece of code: a file, or a cell of a notebook.
     * @param {string} name
     */
    source: (name) => name.replace(CELL, (_, number) => `${say("cell")} [${number}]`),
    /** @param {() => void} update */
    follow(update) {
      followers.push(update);
      update();
    },
    /**
     * A word as a live attribute or child of `h`.
     * @param {string} key
     * @returns {Live}
     */
    text: (key) => (put) => words.follow(() => put(words.say(key))),
    /** @param {Lang} next */
    use(next) {
      words.lang = next;
      for (const update of followers) update();
    },
  };
  return words;
}

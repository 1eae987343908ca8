// The words of the player in each language; the sentences of the steps are in the payload.

import { renderMessage } from "./message.js";

/** @import { Lang, Said, Slot } from "./payload.d.ts" */
/** @import { Live } from "./dom.js" */
/** @import { Reader } from "./message.js" */

// The words are defined in viz/language/words.py; viz/player/page.py inserts them here.
/** @type {Record<Lang, Record<string, string>>} */
const WORDS = { en: {} };

/** The languages of the page's words, English first. */
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

/** The name of a notebook cell in every trace. */
export const CELL = /^Cell \[(\d+)\]/;

/**
 * Return the words of a page: labels follow the language; `follow` calls an update at each change.
 * @param {Lang} lang
 * @param {Record<Lang, Record<string, string>>} [catalogue]
 */
export function createWords(lang, catalogue = WORDS) {
  /** @type {(() => void)[]} */
  const followers = [];
  /** @type {(key: string, lang?: Lang) => string} */
  const say = (key, lang = words.lang) => catalogue[lang]?.[key] ?? key;
  /**
   * Return a word with its places `{name}` filled.
   * @type {(key: string, slots?: Record<string, Slot>) => string}
   */
  const tell = (key, slots = {}) => renderMessage({ [words.lang]: say(key), slots }, words.lang);
  const words = {
    lang,
    say,
    tell,
    /** Return the language that the switch selects. @type {() => Lang} */
    next() {
      const known = Object.keys(catalogue);
      return known[(known.indexOf(words.lang) + 1) % known.length] ?? "en";
    },
    /**
     * Return a name or a message of the trace in the current language.
     * @param {Said} said
     * @param {Reader} [read]
     */
    of: (said, read) => (typeof said === "string" ? said : renderMessage(said, words.lang, read)),
    /**
     * Return the name of a piece of code: a file, or a cell of a notebook.
     * @param {string} name
     */
    source: (name) => name.replace(CELL, (_, number) => `${say("cell")} [${number}]`),
    /** @param {() => void} update */
    follow(update) {
      followers.push(update);
      update();
    },
    /**
     * Return a text that follows the language, as an attribute or child of `h`.
     * @type {(make: () => string) => Live}
     */
    live: (make) => (put) => words.follow(() => put(make())),
    /**
     * Return a word that follows the language, as an attribute or child of `h`.
     * @param {string} key
     */
    text: (key) => words.live(() => words.say(key)),
    /** @param {Lang} next */
    use(next) {
      words.lang = next;
      for (const update of followers) update();
    },
  };
  return words;
}

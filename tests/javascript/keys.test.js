// One table of keys.

import assert from "node:assert/strict";
import { test } from "node:test";

import { actionOf, isPlain, KEYS } from "../../viz/player/web/keys.js";
import { createWords } from "../../viz/player/web/words.js";

const pressed = (key, shiftKey = false) => actionOf({ key, shiftKey });

test("arrows step, with Shift they move the picture", () => {
  assert.equal(pressed("ArrowRight"), "next");
  assert.equal(pressed("ArrowUp"), "previous");
  assert.equal(pressed("ArrowRight", true), "panRight");
  assert.equal(pressed("ArrowUp", true), "panUp");
});

test("Shift changes nothing else: some signs need it", () => {
  for (const shift of [false, true]) {
    assert.equal(pressed("?", shift), "help");
    assert.equal(pressed("+", shift), "in");
    assert.equal(pressed("=", shift), "in");
    assert.equal(pressed("/", shift), "search");
    assert.equal(pressed(" ", shift), "play");
  }
});

test("other keys mean nothing", () => {
  for (const key of ["w", "Enter", "Tab", "constructor", "F5"])
    assert.equal(pressed(key), undefined);
});

test("keys of the browser are not ours, but AltGr types a bracket", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, defaultPrevented: false };
  /** @param {object} held */
  const ours = (held, graph = false) =>
    isPlain({ ...plain, ...held, getModifierState: (name) => graph && name === "AltGraph" });
  assert.equal(ours({}), true);
  for (const key of ["ctrlKey", "metaKey", "altKey"]) assert.equal(ours({ [key]: true }), false);
  assert.equal(ours({ ctrlKey: true, altKey: true }, true), true);
  assert.equal(ours({ altKey: true, defaultPrevented: true }, true), false);
  assert.deepEqual([pressed("["), pressed("]")], ["previousRound", "nextRound"]);
});

test("no key has two meanings", () => {
  const keys = KEYS.flatMap(({ actions }) => Object.keys(actions));
  assert.equal(new Set(keys).size, keys.length);
});

test("what follows the language is called at once and at each change", () => {
  const words = createWords("en", { en: { step: "Step" }, zh: { step: "第" } });
  const heard = [];
  words.follow(() => heard.push(words.say("step")));
  words.use("zh");
  words.use("en");
  assert.deepEqual(heard, ["Step", "第", "Step"]);
});

test("the switch leads through all languages that the page has words of", () => {
  const words = createWords("en", { en: { step: "Step" }, qq: {}, zh: { step: "第" } });
  const seen = [1, 2, 3].map(() => {
    words.use(words.next());
    return [words.lang, words.say("step"), words.of({ en: "one", zh: "一" })];
  });
  assert.deepEqual(seen, [
    ["qq", "step", "one"],
    ["zh", "第", "一"],
    ["en", "Step", "one"],
  ]);
});

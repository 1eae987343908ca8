// One table of keys.

import assert from "node:assert/strict";
import { test } from "node:test";

import { actionOf, KEYS } from "../../viz/player/web/keys.js";
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
  for (const key of ["a", "Enter", "Tab", "constructor", "F5"])
    assert.equal(pressed(key), undefined);
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

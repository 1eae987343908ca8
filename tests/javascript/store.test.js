// The store: who is told of what, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createStore } from "../../viz/player/web/store.js";

test("only who asked for what changes is told, in order", () => {
  const store = createStore({ step: 0, open: "", selected: null });
  const told = [];
  store.subscribe(["step"], (now, before) => told.push(["step", before.step, now.step]));
  store.subscribe(["open", "step"], (now) => told.push(["both", now.open, now.step]));
  store.subscribe(["selected"], () => told.push(["selected"]));
  store.set({ step: 2, selected: null });
  store.set({ open: "a", step: 2 });
  assert.deepEqual(told, [
    ["step", 0, 2],
    ["both", "", 2],
    ["both", "a", 2],
  ]);
  assert.deepEqual(store.state, { step: 2, open: "a", selected: null });
});

test("nobody is told of what stays", () => {
  const store = createStore({ step: 1 });
  store.subscribe(["step"], () => assert.fail());
  store.set({ step: 1 });
  store.set({});
});

test("the state that somebody holds does not change", () => {
  const store = createStore({ step: 1 });
  const { state } = store;
  store.set({ step: 2 });
  assert.equal(state.step, 1);
  assert.equal(store.state.step, 2);
});

test("a change made while others are told reaches them all", () => {
  const store = createStore({ step: 0, playing: true });
  const seen = [];
  store.subscribe(["step"], ({ step }) => {
    if (step === 3) store.set({ playing: false });
  });
  store.subscribe(["playing"], ({ playing }) => seen.push(playing));
  store.subscribe(["step"], ({ playing, step }) => seen.push([step, playing]));
  store.set({ step: 3 });
  assert.deepEqual(seen, [false, [3, false]]);
});

test("telling all draws everything once, with nothing changed", () => {
  const store = createStore({ step: 4, open: "" });
  const told = [];
  store.subscribe(["step"], (now, before) => told.push([now.step, before.step]));
  store.subscribe(["open", "step"], () => told.push("open"));
  store.notify();
  assert.deepEqual(told, [[4, 4], "open"]);
});

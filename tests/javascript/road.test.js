// The road through the steps, with and without those that tell of memory alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createRoad, layWay } from "../../viz/player/web/road.js";
import { createStore } from "../../viz/player/web/store.js";

test("a way leads past what is left out, and counts what is not", () => {
  const way = layWay(6, new Set([1, 4, 5]));
  assert.deepEqual([way.first, way.last, way.count], [0, 3, 3]);
  assert.deepEqual([0, 2, 3].map(way.next), [2, 3, 3]);
  assert.deepEqual([0, 2, 3].map(way.previous), [0, 0, 2]);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(way.near), [0, 0, 2, 3, 3, 3]);
  assert.deepEqual([0, 2, 3].map(way.end), [2, 3, 6]);
  assert.deepEqual([0, 1, 6].map(way.has), [true, false, false]);
});

test("a way may begin later, and be empty", () => {
  const late = layWay(3, new Set([0]));
  assert.deepEqual([late.first, late.near(0)], [1, 1]);
  const none = layWay(0);
  assert.deepEqual([none.first, none.last, none.count, none.next(0)], [0, 0, 0, 0]);
});

test("a step has one number, counted from 1, whatever is passed by", () => {
  const road = createRoad([
    { first: 0, count: 3, ofMemory: [1] },
    { first: 3, count: 2, ofMemory: [0] },
  ]);
  const spots = [0, 1, 2].map((step) => ({ chapter: 0, step })).concat({ chapter: 1, step: 1 });
  assert.deepEqual(spots.map(road.number), [1, 2, 3, 5]);
  assert.equal(road.count, 5);
});

const start = (road, state) =>
  createStore({ chapter: 0, step: 0, memory: false, ...state }, road.rule);

test("who asks for a step of memory gets it, and all the others", () => {
  const store = start(createRoad([{ count: 5, ofMemory: [1, 3] }]), {});
  store.set({ step: 3 });
  assert.deepEqual(store.state, { chapter: 0, step: 3, memory: true });
  assert.deepEqual(start(createRoad([{ count: 5, ofMemory: [1, 3] }]), { step: 1 }).state, {
    chapter: 0,
    step: 1,
    memory: true,
  });
});

test("who turns memory off at one goes on from the step before", () => {
  const store = start(createRoad([{ count: 5, ofMemory: [1, 2] }]), { step: 2, memory: true });
  store.set({ memory: false });
  assert.deepEqual(store.state, { chapter: 0, step: 0, memory: false });
});

test("where there are no other steps they stay", () => {
  const store = start(createRoad([{ count: 2, ofMemory: [0, 1] }]), {});
  store.set({ memory: false });
  assert.deepEqual(store.state, { chapter: 0, step: 0, memory: true });
});

test("at the end of a chapter it goes on in the next one that has a step to show", () => {
  const counts = [3, 0, 2, 2];
  const road = createRoad(counts.map((count, at) => ({ count, ofMemory: at === 2 ? [0, 1] : [] })));
  const state = { chapter: 0, step: 1, memory: false };
  assert.deepEqual(road.next(state), { chapter: 0, step: 2 });
  assert.deepEqual(road.next({ ...state, step: 2 }), { chapter: 3, step: 0 });
  assert.deepEqual(road.next({ ...state, step: 2, memory: true }), { chapter: 2, step: 0 });
  assert.deepEqual(road.previous({ ...state, chapter: 3, step: 0 }), { chapter: 0, step: 2 });
  assert.equal(road.previous({ ...state, step: 0 }), null);
  assert.equal(road.next({ ...state, chapter: 3, step: 1 }), null);
  assert.deepEqual(road.start({ ...state, chapter: 3, step: 1 }), { chapter: 0, step: 0 });
});

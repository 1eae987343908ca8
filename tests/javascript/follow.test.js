// Following: which groups are open at a step, whoever has opened or closed what.

import assert from "node:assert/strict";
import { test } from "node:test";

import { followRule, groupsToFollow, trailOf } from "../../viz/player/web/follow.js";
import { createStore } from "../../viz/player/web/store.js";
import { graphOf } from "./graphs.js";

// a stands outside; b in B; c in C, which is in B; d in D.
const graph = graphOf(["a", "b", "c", "d", "B.box", "C.box", "D.box"], {
  groups: [
    { id: "B", box: "B.box", inside: ["b", "C.box"] },
    { id: "C", box: "C.box", inside: ["c"] },
    { id: "D", box: "D.box", inside: ["d"] },
  ],
});
const step = (...nodes) => ({ nodes, shown: [] });
const steps = ["a", "b", "c", "b", "a", "d", "a"].map((name) => step(name));
const book = {
  chapters: [{ graph, ofMemory: [] }],
  chapter: () => ({ steps }),
  open: new Set(),
};
const sorted = (set) => [...set].sort().join("");

test("the boxes whose values are shown are those at work", () => {
  const shown = [{ name: "", role: "input", node: "a", value: null }];
  const groups = groupsToFollow(graph, [{ nodes: ["d", "a"], shown }, step("d", "b")], new Set());
  assert.deepEqual(groups.map(sorted), ["", "B"]);
});

test("steps of memory open nothing", () => {
  const groups = groupsToFollow(graph, [step("b"), step("d"), step("b")], new Set([1]));
  assert.deepEqual(groups.map(sorted), ["B", "B", "B"]);
});

const startState = (changes) => ({
  chapter: 0,
  step: 0,
  open: new Set(),
  follow: true,
  own: changes.open ?? new Set(),
  shut: new Set(),
  overview: null,
  selected: null,
  ...changes,
});

function start(changes = {}) {
  const store = createStore(startState(changes), followRule(book));
  const open = (at) => {
    if (at !== undefined) store.set({ step: at });
    return sorted(store.state.open);
  };
  return { store, open };
}

test("what is open depends on the step alone, not on the way to it", () => {
  const { open } = start();
  const forwards = steps.map((_, at) => open(at));
  const backwards = steps.map((_, at) => open(steps.length - 1 - at)).reverse();
  assert.deepEqual(forwards, ["", "B", "BC", "BC", "BC", "D", "D"]);
  assert.deepEqual(backwards, forwards);
  assert.deepEqual(
    steps.map((_, at) => start({ step: at }).open()),
    forwards,
  );
});

test("what the reader opens stays open", () => {
  const { store, open } = start();
  store.set({ open: new Set(["D"]) });
  assert.deepEqual([open(1), open(2), open(0)], ["BD", "BCD", "D"]);
});

test("what the reader closes stays closed until they open it", () => {
  const { store, open } = start({ step: 1 });
  store.set({ open: new Set() });
  assert.deepEqual([open(), open(0), open(1)], ["", "", ""]);
  store.set({ open: new Set(["B"]) });
  assert.deepEqual([open(), open(5), open(0)], ["B", "BD", "B"]);
});

test("it can be switched off, and on again", () => {
  const { store, open } = start({ step: 2, open: new Set(["D"]) });
  assert.equal(open(), "BCD");
  store.set({ follow: false });
  assert.deepEqual([open(), open(1)], ["D", "D"]);
  store.set({ open: new Set() });
  store.set({ follow: true });
  assert.deepEqual([open(), open(5)], ["B", "D"]);
});

test("the groups around what is selected stay open as long as it is", () => {
  const { store, open } = start({ step: 2 });
  store.set({ selected: "c" });
  assert.equal(open(5), "BCD");
  store.set({ selected: null });
  assert.equal(open(), "D");
});

test("other changes leave the very set that is open", () => {
  const { store } = start({ step: 1 });
  const { open } = store.state;
  store.set({ hits: ["a"] });
  store.set({ step: 1 });
  assert.equal(store.state.open, open);
});

// Two layers of twelve boxes in a net, which fit on no screen together; A is open at first.
const inside = (name) => Array.from({ length: 12 }, (_, at) => `${name.toLowerCase()}${at}`);
const tall = {
  chapters: [
    {
      graph: graphOf(["x", "A.box", "B.box", "C.box", ...inside("B"), ...inside("C")], {
        groups: [
          { id: "A", box: "A.box", inside: ["B.box", "C.box"] },
          { id: "B", box: "B.box", inside: inside("B") },
          { id: "C", box: "C.box", inside: inside("C") },
        ],
      }),
      ofMemory: [],
    },
  ],
  chapter: () => ({ steps: ["b0", "c0", "c1"].map((name) => step(name)) }),
  open: new Set(["A"]),
};
const look = (changes) =>
  createStore(startState({ open: tall.open, ...changes }), followRule(tall));
const seen = ({ state }) => [sorted(state.open), state.overview];

test("an overview shows the outer groups, and a step leads in", () => {
  const store = look({ overview: "" });
  assert.deepEqual(seen(store), ["A", ""]);
  store.set({ step: 1 });
  assert.deepEqual(seen(store), ["AC", null]);
  store.set({ overview: "A" });
  assert.deepEqual(seen(store), ["A", "A"]);
  store.set({ overview: null });
  assert.deepEqual(seen(store), ["AC", null]);
});

test("in an overview, opening a group leads in and closing one leads out", () => {
  const store = look({ overview: "" });
  store.set({ open: new Set(["A", "B"]) });
  assert.deepEqual(seen(store), ["AB", "B"]);
  store.set({ open: new Set(["A"]) });
  assert.deepEqual(seen(store), ["A", "A"]);
  store.set({ open: new Set() });
  assert.deepEqual(seen(store), ["", ""]);
  store.set({ overview: "A" });
  assert.deepEqual(seen(store), ["A", "A"]);
});

test("a picture that fits has no overview", () => {
  const { store } = start({ overview: "" });
  assert.deepEqual(seen(store), ["", null]);
});

// Fourteen boxes below each other fit no screen with small print, and a phone in no case.
const long = {
  chapters: [
    {
      graph: graphOf([...inside("A"), "x", "y", "B.box", ...inside("B")], {
        groups: [{ id: "B", box: "B.box", inside: inside("B") }],
      }),
      ofMemory: [],
    },
  ],
  chapter: () => ({ steps: [step("b0")] }),
  open: new Set(["B"]),
};

test("an overview may be too large for small print, but not on a phone", () => {
  for (const [width, overview] of [
    [1280, ""],
    [390, null],
  ]) {
    const store = createStore(startState({ overview: "" }), followRule(long, width));
    assert.deepEqual(store.state.overview, overview);
  }
});

test("the trail leads from the outermost group to the innermost open one", () => {
  const store = look({ step: 1 });
  const [{ graph }] = tall.chapters;
  const trail = () => trailOf(graph, step("c0"), store.state).map(({ id }) => id);
  assert.deepEqual(trail(), ["A", "C"]);
  store.set({ overview: "B" });
  assert.deepEqual(trail(), ["A", "B"]);
  store.set({ overview: null });
  store.set({ open: new Set(["A"]) });
  assert.deepEqual(trail(), ["A"]);
});

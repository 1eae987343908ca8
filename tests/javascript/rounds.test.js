// Rounds: where the same step of another round is, the curves, and what a thing was in each round.

import assert from "node:assert/strict";
import { test } from "node:test";

import { counterpart } from "../../viz/player/web/blueprint.js";
import { linePath, rangeOf, scaleTo } from "../../viz/player/web/plot.js";
import { nearestRecorded, roundAt, sameStep, unknownRounds } from "../../viz/player/web/rounds.js";
import { elementsOf, parameterSizes, sizesOf } from "../../viz/player/web/series.js";
import { createStore } from "../../viz/player/web/store.js";
import { selectionRule } from "../../viz/player/web/view.js";
import { graphOf } from "./graphs.js";

const graph = {};
const step = (kind, ...nodes) => ({ phase: "forward", kind, nodes });
const walks = [
  [step("op", "a"), step("save", "a"), step("op", "b"), step("op", "b")],
  [step("op", "b"), step("op", "c"), step("op", "b")],
  [],
];
const book = {
  chapters: [0, 0, 1, 2].map((way) => ({ way, graph })),
  chapter: (number) => ({ steps: walks[book.chapters[number].way] }),
};
const at = (chapter, step, other) => sameStep(book, { chapter, step }, other);

test("where chapters have the same steps, the same step has the same number", () => {
  assert.deepEqual(at(0, 3, 1), { chapter: 1, step: 3 });
});

test("elsewhere it is the same work on the same box, as often as before", () => {
  assert.deepEqual(at(0, 2, 2), { chapter: 2, step: 0 });
  assert.deepEqual(at(0, 3, 2), { chapter: 2, step: 2 });
  assert.deepEqual(at(2, 2, 0), { chapter: 0, step: 3 });
});

test("or else the first step", () => {
  assert.deepEqual(at(0, 1, 2), { chapter: 2, step: 0 });
  assert.deepEqual(at(0, 1, 3), { chapter: 3, step: 0 });
  assert.deepEqual(at(3, 0, 0), { chapter: 0, step: 0 });
});

const kept = [null, 1, null, null, 3, 4].map((chapter) => ({ chapter }));

test("rounds whose steps were not kept are passed by", () => {
  const near = (round, way) => nearestRecorded({ rounds: kept }, round, way);
  assert.deepEqual([near(1, 1), near(4, -1), near(5, 1), near(1, -1)], [3, 1, null, null]);
  assert.deepEqual([near(0, 0), near(2, 0), near(3, 0), near(99, 0)], [1, 1, 3, null]);
  assert.equal(nearestRecorded({ rounds: [] }, 0, 0), null);
});

test("a chapter outside of rounds belongs after the round before it", () => {
  const chapters = [null, 1, null, 4].map((round) => ({ round }));
  const places = [0, 1, 2, 3].map((chapter) => roundAt({ chapters }, chapter));
  assert.deepEqual(places, [-1, 1, 1, 4]);
});

test("a line goes on over rounds without a number, and is broken by NaN and infinity", () => {
  const y = scaleTo([0, 1]);
  const heights = [0, null, 1, "nan", 1, "inf", 0, 1];
  const [low, high] = [y(0), y(1)];
  assert.ok(low > high); // the larger, the higher
  const path = `M0.5 ${low}L2.5 ${high}M4.5 ${high}M6.5 ${low}L7.5 ${high}`;
  assert.equal(linePath(heights, y), path);
  assert.deepEqual(rangeOf(heights), [0, 1]);
  assert.equal(rangeOf(["nan", null]), null);
  assert.equal(scaleTo([3, 3])(3), 0.5);
});

// ----- in another graph -----

const named = (...labels) =>
  graphOf(
    labels.map((_, at) => `n${at}`),
    { labels },
  );

test("a box of another graph is the same thing if it is called alike, whatever its number", () => {
  const [one, other] = [named("w", "relu", "b", "relu"), named("relu", "x", "relu", "w")];
  const there = ["n0", "n1", "n2", "n3"].map((id) => counterpart(one, id, other));
  assert.deepEqual(there, ["n3", "n0", null, "n2"]);
  assert.equal(counterpart(one, "n2", one), "n2");
  assert.equal(counterpart(one, "nowhere", other), null);
});

test("the same step of another graph is at the same thing", () => {
  const graphs = [named("w", "relu"), named("relu", "w"), named("x")];
  const two = {
    chapters: graphs.map((graph, way) => ({ way, graph })),
    chapter: (number) => ({ steps: [["n0"], ["n1"]].map((nodes) => step("op", ...nodes)), number }),
  };
  assert.deepEqual(sameStep(two, { chapter: 0, step: 0 }, 1), { chapter: 1, step: 1 });
  assert.deepEqual(sameStep(two, { chapter: 0, step: 1 }, 1), { chapter: 1, step: 0 });
  assert.deepEqual(sameStep(two, { chapter: 0, step: 1 }, 2), { chapter: 2, step: 0 });
});

test("what is selected stays selected where there is such a thing, and comes back", () => {
  const graphs = [named("w", "b"), named("b"), named("x", "y", "w")];
  const rule = selectionRule({ chapters: graphs.map((graph) => ({ graph })) });
  const store = createStore({ chapter: 0, selected: null, picked: null }, rule);
  store.set({ selected: "n0" });
  const seen = [1, 2, 1, 0].map((chapter) => {
    store.set({ chapter });
    return store.state.selected;
  });
  assert.deepEqual(seen, [null, "n2", null, "n0"]);
  store.set({ selected: null });
  store.set({ chapter: 2 });
  assert.equal(store.state.selected, null);
});

// ----- over all rounds -----

const drawn = graphOf(["w", "op", "G.box", "tag"], {
  groups: [{ id: "G", box: "G.box", inside: ["op"] }],
  repeats: [[3, "w"]],
});
const round = (chapter, ...sizes) => ({ chapter, sizes });
const array = (...data) => ({ shape: [data.length], data });
const values = [array(1, 2), array(3, 4), { shape: [2], data: null }, array(7)];
const own = [
  { way: "one", values: [0, null, 0], sizes: [1, 2, 8, 3] },
  { way: "one", values: [1, null, 2], sizes: [4, "inf", 9, 6] },
  { way: "other", values: [1], sizes: [0] },
];
const boxes = ["w", "op", "elsewhere", "w"];
const entry = (role, value) => ({ shown: [{ role, node: "w", value }] });
const outlines = {
  one: [entry("input", 1), entry("output", 2)],
  other: [entry("input", 0)],
};
const told = {
  rounds: [round(0), round(null, [0, 5, "nan"]), round(1), round(2)],
  parameters: ["w"],
  chapters: own.map(({ way }) => ({ way, graph: drawn })),
  sizes: (chapter, by) =>
    by === "grad" || own[chapter].way === "other"
      ? [[0, "elsewhere", 0]]
      : own[chapter].sizes.map((size, step) => [step, boxes[step], size]),
  outline: (chapter) => outlines[own[chapter].way],
  valuesOf: (chapter) => own[chapter].values,
  value: (number) => values[number],
};

test("a box has the size that it has at the end of each round", () => {
  assert.deepEqual(sizesOf(told, drawn, "w", "value"), [3, null, 6, null]);
  assert.deepEqual(sizesOf(told, drawn, "tag", "value"), [3, null, 6, null]);
  assert.deepEqual(sizesOf(told, drawn, "w", "grad"), [null, null, null, null]);
});

test("a group has the largest size inside, open or closed", () => {
  assert.deepEqual(sizesOf(told, drawn, "G.box", "value"), [2, null, "inf", null]);
  assert.deepEqual(sizesOf(told, drawn, "G", "value"), [2, null, "inf", null]);
});

test("what rounds know of their parameters is there without their steps", () => {
  assert.deepEqual(parameterSizes(told, "w", "value"), [null, 5, null, null]);
  assert.deepEqual(parameterSizes(told, "w", "grad"), [null, "nan", null, null]);
  assert.deepEqual(parameterSizes(told, "x", "value"), [null, null, null, null]);
});

const stats = (size) => ({ nan: 0, inf: 0, mean: size, std: 0, min: size, max: size });
const sized = (size) => ({ shape: [1], data: [size], stats: stats(size) });

test("the size of a box follows the edits, where it is known", () => {
  const recorded = [sized(3), sized(6), sized(5)];
  const page = {
    ...told,
    value: (number) => recorded[number],
    valuesOf: (chapter) => own[chapter].values.map(() => chapter),
  };
  const now = { reaches: (chapter) => chapter === 1, entry: () => sized(8) };
  assert.deepEqual(sizesOf(page, drawn, "w", "value", now), [3, null, 8, null]);
  now.entry = () => ({ ...sized(6), stale: "hook" });
  assert.deepEqual(sizesOf(page, drawn, "w", "value", now), [3, null, null, null]);
});

test("of rounds behind an edit whose steps were not kept nothing is known", () => {
  const rounds = [0, null, 2, null].map((chapter) => ({ chapter }));
  const chapters = [0, null, 2, null].map((round) => ({ round }));
  /** The rounds that an edit of a chapter makes unknown. */
  const behind = (edited) => {
    const isUnknown = unknownRounds({ rounds, chapters }, (chapter) => chapter >= edited);
    return [0, 1, 2, 3].filter(isUnknown);
  };
  assert.deepEqual([0, 1, 2, 3, 4].map(behind), [[1, 3], [1, 3], [3], [3], []]);
});

test("an element is found in each round, or the round is named that has none", () => {
  const elements = (index) => elementsOf(told, { chapter: 0, value: 0 }, index);
  assert.deepEqual(elements([1]), { series: [2, null, null, null], brief: [2] });
  assert.deepEqual(elements([2]).series, [null, null, null, null]);
  const other = elementsOf(told, { chapter: 2, value: 1 }, [1]);
  assert.deepEqual(other.series, [null, null, null, 4]);
});

test("of a value at several boxes the element of the asked box and role is followed", () => {
  const page = { ...told, valuesOf: (chapter) => (chapter ? own[chapter].values : [3, 0, 0]) };
  const series = (asked) => elementsOf(page, { chapter: 0, value: 0, ...asked }, [0]).series;
  assert.deepEqual(series({ node: "w", role: "input" }), [1, null, null, 3]); // other steps, too
  assert.deepEqual(series({ node: "w", role: "output" }), [1, null, null, null]);
});

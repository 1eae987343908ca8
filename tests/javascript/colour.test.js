// Boxes by the size of their gradients, and the table of statistics.

import assert from "node:assert/strict";
import { test } from "node:test";

import { tokens } from "../../viz/player/web/code.js";
import {
  historiesIn,
  larger,
  largestOfAll,
  markOf,
  scaleOf,
  sumOfAll,
} from "../../viz/player/web/colour.js";
import { comparator, lineAt } from "../../viz/player/web/statistics.js";

test("NaN is larger than infinity, and that than any number", () => {
  const order = [0, 0.5, 3, "inf", "nan"];
  for (const [at, one] of order.entries()) {
    for (const other of order.slice(0, at + 1)) {
      assert.equal(larger(one, other), one);
      assert.equal(larger(other, one), one);
    }
  }
});

test("a size has the colour of the interval it lies in", () => {
  const scale = [0.01, 0.1, 1, 10];
  const marks = [0.001, 0.05, 0.1, 0.5, 1, 100].map((size) => markOf(size, scale));
  assert.deepEqual(marks, ["0", "0", "1", "1", "2", "2"]);
  assert.deepEqual(
    [0, "nan", "inf"].map((size) => markOf(size, scale)),
    ["zero", "nan", "inf"],
  );
});

test("a closed box takes the largest of what it hides, step by step", () => {
  const scene = {
    boxes: [
      { id: "L", tag_of: null },
      { id: "w'", tag_of: "w" },
    ],
  };
  const inside = { a: "L", b: "L", w: "gone" };
  const changes = [
    [0, "a", 2],
    [1, "b", 5],
    [2, "b", 1],
    [2, "a", 3],
    [3, "b", "nan"],
    [4, "w", 7],
  ];
  const histories = historiesIn(scene, changes, (id) => inside[id], largestOfAll);
  assert.deepEqual(histories.get("L"), [
    [0, 2],
    [1, 5],
    [2, 3],
    [3, "nan"],
  ]);
  assert.deepEqual(histories.get("w'"), [[4, 7]]);
});

test("a closed box costs as much as all in it, and no cost is counted twice", () => {
  const scene = { boxes: [{ id: "L" }, { id: "P" }] };
  const inside = { a: "L", b: "L", p: "P", q: "P" };
  const changes = [
    [0, "a", 2],
    [0, "b", 5, null],
    [0, "p", 9],
    [0, "q", 4, "p"],
  ];
  const histories = historiesIn(scene, changes, (id) => inside[id], sumOfAll);
  assert.deepEqual(histories.get("L"), [[0, 7]]);
  assert.deepEqual(histories.get("P"), [[0, 9]]);
  inside.p = "frame"; // it was opened
  const opened = historiesIn(scene, changes, (id) => inside[id], sumOfAll);
  assert.deepEqual(opened.get("P"), [[0, 4]]);
});

test("the same member again takes the place of its old size in a sum", () => {
  const scene = { boxes: [{ id: "L" }] };
  const changes = [
    [0, "a", 2],
    [1, "b", 5],
    [2, "a", 3],
  ];
  const histories = historiesIn(scene, changes, () => "L", sumOfAll);
  assert.deepEqual(histories.get("L"), [
    [0, 2],
    [1, 7],
    [2, 8],
  ]);
});

test("a scale without numbers has no ends", () => {
  assert.deepEqual(scaleOf([0]), { scale: [], below: false });
});

const payload = {
  passes: [3],
  values: [
    { shape: [2], stats: { mean: 1, std: 0.5, min: 0, max: 2, zeros: 1, size: 2, nan: 0, inf: 0 } },
    { shape: [2], stats: { mean: null, zeros: 0, size: 2, nan: 1, inf: 1 } },
  ],
};
const track = {
  name: "w",
  kind: "leaf",
  node: "w",
  values: [
    [1, 0],
    [5, 1],
  ],
  grads: [],
  updates: [[5, 0.1]],
};

test("a row of the table tells what holds at its step", () => {
  assert.deepEqual(lineAt(track, payload, 1).numbers, {
    mean: 1,
    std: 0.5,
    min: 0,
    max: 2,
    zeros: 0.5,
    odd: 0,
    grad: "pending",
    update: undefined,
  });
  assert.equal(lineAt(track, payload, 3).numbers.grad, null); // a pass is over that brought none
  const later = lineAt({ ...track, grads: [[2, 4]] }, payload, 5).numbers;
  assert.deepEqual([later.odd, later.grad, later.update], [2, 4, 0.1]);
});

test("what is not known stands last, whichever way the table is sorted", () => {
  const line = (name, grad) => ({ name, kind: "leaf", shape: [name.length], numbers: { grad } });
  const lines = [
    line("a", null),
    line("bb", 2),
    line("ccc", "nan"),
    line("d", "pending"),
    line("e", 5),
  ];
  const sorted = (column, down) =>
    [...lines].sort(comparator(column, down)).map(({ name }) => name);
  assert.deepEqual(sorted("grad", true), ["ccc", "e", "bb", "a", "d"]);
  assert.deepEqual(sorted("grad", false), ["bb", "e", "ccc", "a", "d"]);
  assert.deepEqual(sorted("name", true), ["e", "d", "ccc", "bb", "a"]);
  assert.deepEqual(sorted("shape", true), ["ccc", "bb", "a", "d", "e"]);
});

test("the words of a program have their colours, lines are kept", () => {
  const kinds = tokens(['x = f("a # b")  # if', "y = '''two", "lines''' + 1.5e-3"]);
  assert.deepEqual(
    kinds.map((row) => row.map(({ text }) => text).join("")),
    ['x = f("a # b")  # if', "y = '''two", "lines''' + 1.5e-3"],
  );
  const coloured = kinds.flat().filter(({ kind }) => kind);
  assert.deepEqual(
    coloured.map(({ text, kind }) => [kind, text]),
    [
      ["string", '"a # b"'],
      ["comment", "# if"],
      ["string", "'''two"],
      ["string", "lines'''"],
      ["number", "1.5e-3"],
    ],
  );
  assert.deepEqual(tokens(["return formed"])[0].filter(({ kind }) => kind === "keyword").length, 1);
});

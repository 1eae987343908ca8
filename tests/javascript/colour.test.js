// Sizes in order, and the colours of a program's words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { tokens } from "../../viz/player/web/code.js";
import { historiesIn, larger, signFor, sumOfAll } from "../../viz/player/web/colour.js";

test("NaN is larger than infinity, and that than any number", () => {
  const order = [0, 0.5, 3, "inf", "nan"];
  for (const [at, one] of order.entries()) {
    for (const other of order.slice(0, at + 1)) {
      assert.equal(larger(one, other), one);
      assert.equal(larger(other, one), one);
    }
  }
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

test("a size beyond the scale has a sign", () => {
  const signs = [0, "nan", 1e-9, 0.1, 1, 2].map((size) => signFor(size, [0.1, 0.5, 1]));
  assert.deepEqual(signs, ["zero", "nan", "below", "0", "1", "above"]);
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

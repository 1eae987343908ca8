// Sizes in order, and the colours of a program's words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { tokens } from "../../viz/player/web/code.js";
import { larger, scaleOf } from "../../viz/player/web/colour.js";

test("NaN is larger than infinity, and that than any number", () => {
  const order = [0, 0.5, 3, "inf", "nan"];
  for (const [at, one] of order.entries()) {
    for (const other of order.slice(0, at + 1)) {
      assert.equal(larger(one, other), one);
      assert.equal(larger(other, one), one);
    }
  }
});

test("a scale without numbers has no ends", () => {
  assert.deepEqual(scaleOf([0]), { scale: [], below: false });
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

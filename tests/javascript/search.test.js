// The search box: which boxes a text is found in.

import assert from "node:assert/strict";
import { test } from "node:test";

import { matchingBoxes } from "../../viz/player/web/search.js";

test("a repetition counts as the box that it repeats, and capital letters do not matter", () => {
  const box = (id, label, tag_of = null) => ({ id, label, detail: "", tag_of });
  const boxes = [box("x", "x"), box("L", "layer"), box("exp", "exp"), box("x'", "X", "x")];
  assert.deepEqual(matchingBoxes(boxes, "x"), ["x", "exp"]);
  assert.deepEqual(matchingBoxes(boxes, "  LAY "), ["L"]);
});

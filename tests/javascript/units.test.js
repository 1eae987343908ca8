// Amounts in their units.

import assert from "node:assert/strict";
import { test } from "node:test";

import { costText, fixed } from "../../viz/player/web/units.js";

test("what lies in the middle goes to the even digit", () => {
  assert.deepEqual(
    [0.125, 0.375, 1.005, 2.5, 3.5, 9.5, 12].map((number) => fixed(number, number < 2 ? 2 : 0)),
    ["0.12", "0.38", "1.00", "2", "4", "10", "12"],
  );
});

test("an amount has three digits and its unit", () => {
  assert.equal(costText("time", 1234567), "1.23 ms");
  assert.equal(costText("time", 0.5), "0.50 ns");
  assert.equal(costText("flops", 1), "1 FLOP");
  assert.equal(costText("flops", 1125), "1.12 kFLOPs");
  assert.equal(costText("parameters", 61610), "61,610");
  assert.equal(costText("bytes", 102656), "100.2 KiB");
});

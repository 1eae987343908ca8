// The nudge: how far a number is dragged, and what is said of the promise of its gradient.

import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleOfNudges, verdictOn } from "../../viz/player/web/nudge.js";

test("a number is dragged as far as its array is large", () => {
  assert.deepEqual(scaleOfNudges([0.1, -0.1], "float32"), { reach: 0.5, step: 0.005 });
  assert.deepEqual(scaleOfNudges([3], "float64"), { reach: 10, step: 0.1 });
  assert.equal(scaleOfNudges([1 / 3], "float64").reach, 1);
  assert.equal(scaleOfNudges([0.01, 0.01, Number.NaN], "float32").reach, 0.05);
});

test("a number without a size is dragged by one", () => {
  for (const numbers of [[0, 0], [], [Number.POSITIVE_INFINITY]]) {
    assert.deepEqual(scaleOfNudges(numbers, "float32"), { reach: 1, step: 0.01 });
  }
});

test("whole numbers go by one", () => {
  assert.deepEqual(scaleOfNudges([3, 1], "int64"), { reach: 10, step: 1 });
  assert.deepEqual(scaleOfNudges([0, 0], "int32"), { reach: 5, step: 1 });
  assert.deepEqual(scaleOfNudges([0, 1], "bool"), { reach: 1, step: 1 });
});

test("what is said of a promise", () => {
  const told = [
    [0.1, 0.1, "nudgeKept"],
    [0.1, 0.104, "nudgeKept"],
    [-0.1, -0.12, "nudgeNearly"],
    [0.1, 0.3, "nudgeParted"],
    [0.1, 0.01, "nudgeParted"],
    [0.1, 0, "nudgeParted"],
    [0.1, -0.05, "nudgeOpposite"],
    [0, 0, "nudgeFlat"],
    [0, 0.2, "nudgeFlatBroken"],
    [1e-9, 0, "nudgeTiny"],
    [1e-9, -1e-7, "nudgeTiny"],
    [0.1, Number.NaN, "nudgeOdd"],
    [0.1, Number.POSITIVE_INFINITY, "nudgeOdd"],
  ];
  for (const [promise, did, verdict] of told) {
    assert.equal(verdictOn(promise, did, 1), verdict, `${promise} ${did}`);
  }
});

// The nudge: how far a number is dragged, and what is said of the promise of its gradient.

import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleOfNudges, slopeInstead, verdictOn } from "../../viz/player/web/promise.js";

const flat = { grad: 0, loss: 1 };

test("a number is dragged as far as its array is large", () => {
  assert.deepEqual(scaleOfNudges([0.1, -0.1], "float32", flat), { reach: 0.1, step: 0.001 });
  assert.deepEqual(scaleOfNudges([3], "float64", flat), { reach: 5, step: 0.05 });
  assert.equal(scaleOfNudges([1 / 3], "float64", { grad: null, loss: null }).reach, 0.5);
  assert.equal(scaleOfNudges([0.01, 0.01, Number.NaN], "float32", flat).reach, 0.01);
  assert.equal(scaleOfNudges([3], "float64", { grad: 0.1, loss: 10 }).reach, 5);
});

test("it is not dragged far past where the promise breaks", () => {
  // (w - 3)² at 3.1: the loss ends at 3, where twice as much as there was would be taken away.
  assert.equal(scaleOfNudges([3.1, 3.1], "float32", { grad: 0.2, loss: 0.01 }).reach, 0.5);
  assert.equal(scaleOfNudges([2], "float32", { grad: -4, loss: 1 }).reach, 0.5);
  assert.equal(scaleOfNudges([2], "float32", { grad: 4, loss: 1e-9 }).reach, 0.2); // a loss near 0 by chance
});

test("a number without a size is dragged by one", () => {
  for (const numbers of [[0, 0], [], [Number.POSITIVE_INFINITY]]) {
    assert.deepEqual(scaleOfNudges(numbers, "float32", flat), { reach: 1, step: 0.01 });
  }
});

test("whole numbers go by one", () => {
  assert.deepEqual(scaleOfNudges([3, 1], "int64", flat), { reach: 5, step: 1 });
  assert.deepEqual(scaleOfNudges([0, 0], "int32", flat), { reach: 5, step: 1 });
  assert.deepEqual(scaleOfNudges([0, 1], "bool", flat), { reach: 1, step: 1 });
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

test("a gradient is wrong where it parts from the slope that was measured for it", () => {
  const values = [{ data: [2, 4, 0] }, { data: [2, -4, 0] }, { data: [1, 1, 1] }];
  const wrong = [
    { value: 2, check: { value: null, agrees: false } },
    { value: 0, check: { value: 1, agrees: false } },
  ];
  const instead = (gradValue, at, grad) =>
    slopeInstead(wrong, gradValue, at, grad, (value) => values[value]);
  assert.equal(instead(0, 1, 4), -4);
  assert.equal(instead(0, 0, 2), null); // these two agree
  assert.equal(instead(0, 2, 0), null);
  assert.equal(instead(0, 1, 5), null); // it has moved since it was measured
  assert.equal(instead(2, 0, 1), null); // nothing was measured
  assert.equal(instead(1, 0, 2), null);
  assert.equal(instead(null, 0, 2), null);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { contourOf, endOfLosses, levelsOf, wayOf } from "../../viz/player/web/landscape.js";

test("the way of the loss joins what lies near each other, and nothing else", () => {
  assert.equal(wayOf([[0, 0]]), "");
  const near = [
    [0, 0],
    [0.05, 0.1],
    [0.1, 0.2],
  ];
  assert.equal(
    wayOf([
      [0, -3],
      [0.05, 2],
      [0.1, 0.5],
    ]),
    "M0 3h0M0.05 -2h0L0.1 -0.5", // a pole between the first two
  );
  assert.equal(wayOf(near), "M0 0h0L0.05 -0.1L0.1 -0.2");
  assert.equal(
    wayOf([
      [0, 0],
      [0.8, 0.5],
    ]),
    "M0 0h0M0.8 -0.5h0",
  );
});

test("a few huge losses do not flatten a curve", () => {
  const near = [0, 1, -2, 3, 4, -5, 6];
  assert.equal(endOfLosses(near), 6);
  assert.ok(endOfLosses([...near, 1e9]) < 20);
  assert.equal(endOfLosses([0, 0, 0, 0, 2]), 2);
});

test("contours lie at equal steps, from the lowest loss to that of today", () => {
  const losses = Array.from({ length: 101 }, (_, k) => k / 10);
  assert.deepEqual(levelsOf(losses, 2), {
    levels: [1, 2, 3, 4, 5, 6].flatMap((k) => [k - 0.5, k]),
    step: 0.5,
  });
  assert.equal(levelsOf([...losses, Number.NaN], 9).levels.at(-1), 9);
  assert.deepEqual(levelsOf([3, 3, Number.NaN], 3).levels, []);
});

test("a contour goes where the loss has its level, and not where it is unknown", () => {
  const rows = [-1, 0, 1].map((y) => [-1, 0, 1].map((x) => x + 2 * y));
  const numbers = (path) => path.match(/-?[\d.]+/g).map(Number);
  const points = numbers(contourOf(rows, 0.5));
  assert.ok(points.length > 8);
  for (let at = 0; at < points.length; at += 2) {
    assert.ok(Math.abs(points[at] - 2 * points[at + 1] - 0.5) < 1e-3); // downwards on the page
  }
  rows[1][1] = Number.NaN;
  assert.ok(numbers(contourOf(rows, 0.5)).length < points.length);
  assert.equal(contourOf(rows, 9), "");
});

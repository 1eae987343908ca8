// Numbers as text, and their colours.

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstSlices, rowsOf } from "../../viz/player/web/arrays.js";
import {
  briefly,
  endOfScale,
  exactly,
  flatten,
  heat,
  shownIndices,
  sizeOf,
  writer,
} from "../../viz/player/web/numbers.js";

test("a whole array is written in one way", () => {
  const written = (numbers, dtype) => numbers.map(writer(numbers, dtype));
  assert.deepEqual(written([0.5, -1.25]), ["0.50", "−1.25"]);
  assert.deepEqual(written([0.5, 1 / 3]), ["0.5000", "0.3333"]);
  assert.deepEqual(written([250, 1 / 3]), ["250.00", "0.33"]);
  assert.deepEqual(written([2500, 1]), ["2500.0", "1.0"]);
  assert.deepEqual(written([1e-9, 0]), ["1.00e−9", "0.0000"]);
  assert.deepEqual(written([1, 1e-8]), ["1.00e+0", "1.00e−8"]);
  assert.deepEqual(written([3, -4], "int64"), ["3", "−4"]);
  assert.deepEqual(written([true, false], "bool"), ["true", "false"]);
  assert.deepEqual(written(["nan", "inf", "-inf", 2]), ["NaN", "∞", "−∞", "2.00"]);
});

test("numbers far larger than the others are off the scale", () => {
  const masked = [0.5, -1e9, 0.25, 0];
  assert.equal(endOfScale(masked), 0.5);
  assert.deepEqual(masked.map(writer(masked)), ["0.50", "−1.00e+9", "0.25", "0.00"]);
  assert.deepEqual(
    masked.map((n) => heat(n, endOfScale(masked))),
    [100, -100, 50, 0],
  );
  for (const numbers of [[], [0], [0.001, 50000], [3, 2e4, 1e8], [-1e9, 0], [true, "inf"]]) {
    const sizes = numbers.filter((n) => typeof n === "number").map(Math.abs);
    assert.equal(endOfScale(numbers), Math.max(0, ...sizes));
  }
});

test("a number alone has four digits, or all of them", () => {
  assert.equal(briefly(0.123456), "0.1235");
  assert.equal(briefly(100000), "100000");
  assert.equal(briefly("-inf"), "−∞");
  assert.equal(briefly(true), "true");
  assert.equal(exactly(0.1 + 0.2), "0.30000000000000004");
  assert.equal(exactly("nan"), "NaN");
});

test("heat is a share of the largest number", () => {
  assert.deepEqual(
    [1, -2, 4, "nan", true].map((n) => heat(n, 4)),
    [25, -50, 100, 0, 0],
  );
  assert.equal(heat(0, 0), 0);
});

test("a long row shows both ends and one gap", () => {
  assert.deepEqual(shownIndices(4, 4), [0, 1, 2, 3]);
  assert.deepEqual(shownIndices(100, 6), [0, 1, 2, null, 98, 99]);
  for (const most of [4, 5, 6, 7, 8]) assert.equal(shownIndices(50, most).length, most);
});

test("a window has both ends, or goes to where a number is", () => {
  assert.deepEqual(shownIndices(100, 6, 2), [0, 1, 2, null, 98, 99]);
  assert.deepEqual(shownIndices(100, 6, 3), [0, 1, 2, 3, 4, null]);
  assert.deepEqual(shownIndices(100, 6, 50), [null, 48, 49, 50, 51, null]);
  assert.deepEqual(shownIndices(100, 6, 98), [null, 95, 96, 97, 98, 99]);
  assert.deepEqual(shownIndices(7, 5, 2), [0, 1, 2, 3, null]);
  for (let most = 3; most < 9; most += 1) {
    for (let size = most + 1; size < 40; size += 1) {
      for (let at = 0; at < size; at += 1) {
        const shown = shownIndices(size, most, at);
        assert.equal(shown.length, most);
        assert.ok(shown.includes(at), `${at} of ${size} in ${most}`);
        const gaps = shown.flatMap((each, k) =>
          each === null ? [[shown[k - 1], shown[k + 1]]] : [],
        );
        for (const [before = -1, after = size] of gaps) assert.ok(after - before > 1);
      }
    }
  }
});

test("arrays of any rank are seen slice by slice", () => {
  assert.deepEqual(firstSlices([]), [[]]);
  assert.deepEqual(firstSlices([2, 3]), [[]]);
  assert.deepEqual(firstSlices([2, 9, 1, 1]), [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 1],
    [1, 2],
  ]);
  assert.deepEqual(rowsOf(5, [], []), [[5]]);
  assert.deepEqual(rowsOf([1, 2], [2], []), [[1, 2]]);
  const cube = [
    [[1], [2]],
    [[3], [4]],
  ];
  assert.deepEqual(rowsOf(cube, [2, 2, 1], [1]), [[3], [4]]);
  assert.deepEqual(flatten(cube), [1, 2, 3, 4]);
  assert.equal(sizeOf([2, 0, 3]), 0);
});

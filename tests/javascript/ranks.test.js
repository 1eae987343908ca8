// What the page with many ranks works out without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nearest, stateOf } from "../../viz/player/web/ranks.js";

test("a part is pending, active or done; what has no row is none of these", () => {
  assert.deepEqual(
    [0, 1, 2].map((row) => stateOf({ since: row, row }, 1)),
    ["done", "active", "pending"],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((now) => stateOf({ since: 1, row: 2 }, now)),
    ["pending", "active", "active", "done"],
  );
  assert.equal(stateOf({ since: null, row: null }, 1), null);
});

test("a span comes into the room by the shortest way, and a large one by its beginning", () => {
  assert.equal(nearest(10, 20, 0, 100), 0);
  assert.equal(nearest(-10, 20, 0, 100), -10);
  assert.equal(nearest(90, 120, 0, 100), 20);
  assert.equal(nearest(50, 300, 0, 100), 50);
});

// What the page with many ranks works out without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nearest } from "../../viz/player/web/ranks.js";

test("a span comes into the room by the shortest way, and a large one by its beginning", () => {
  assert.equal(nearest(10, 20, 0, 100), 0);
  assert.equal(nearest(-10, 20, 0, 100), -10);
  assert.equal(nearest(90, 120, 0, 100), 20);
  assert.equal(nearest(50, 300, 0, 100), 50);
});

// Play: how long a sentence is shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { timeFor } from "../../viz/player/web/clock.js";

test("a longer sentence is shown longer, and no sentence passes too fast", () => {
  assert.equal(timeFor(""), timeFor("y = x + 1"));
  assert.ok(
    timeFor("Each channel is centred and scaled to mean 0 and variance 1. ".repeat(2)) > 3000,
  );
  assert.ok(timeFor("每个通道都被中心化并缩放到均值为零、方差为一".repeat(2)) > 3000);
});

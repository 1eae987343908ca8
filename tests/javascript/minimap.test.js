// Where the map of the whole graph may lie.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freePlace } from "../../viz/player/web/minimap.js";

const MAP = { w: 100, h: 80 };
const PANE = { w: 500, h: 400 };
const left = { x: 0, y: 0, w: 250, h: 400 };
const bottom = { x: 0, y: 300, w: 500, h: 100 };
const all = { x: 0, y: 0, w: 500, h: 400 };

test("it lies in the first corner that no box is in", () => {
  assert.deepEqual(freePlace(MAP, PANE, [], []), { x: 388, y: 308, w: 100, h: 80 });
  assert.deepEqual(freePlace(MAP, PANE, [bottom], []), { x: 388, y: 12, w: 100, h: 80 });
  assert.deepEqual(freePlace(MAP, PANE, [bottom, left], []), { x: 388, y: 12, w: 100, h: 80 });
});

test("upon other boxes rather than upon what is looked at", () => {
  assert.deepEqual(freePlace(MAP, PANE, [all], [bottom, left]), { x: 388, y: 12, w: 100, h: 80 });
});

test("smaller rather than upon a box", () => {
  const wall = { x: 0, y: 75, w: 500, h: 250 };
  assert.deepEqual(freePlace(MAP, PANE, [wall], []), { x: 413, y: 328, w: 75, h: 60 });
});

test("smaller where it must be, and nowhere where nothing is free", () => {
  const middle = { x: 0, y: 75, w: 500, h: 250 };
  assert.deepEqual(freePlace(MAP, PANE, [middle], [middle]), { x: 413, y: 328, w: 75, h: 60 });
  assert.equal(freePlace(MAP, PANE, [all], [all]), undefined);
});

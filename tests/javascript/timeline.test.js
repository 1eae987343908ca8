// The lanes and ticks of the timeline, and the rows of memory below them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesPerStep, holders, splitRows } from "../../viz/player/web/ribbon.js";
import { layWay } from "../../viz/player/web/road.js";
import { lanesOf, ticksOf } from "../../viz/player/web/timeline.js";

const steps = (...lanes) => lanes.map((phase) => ({ phase }));

test("lanes stand in one order, and eager ones are there from the start", () => {
  assert.deepEqual(lanesOf(new Set()), ["forward", "backward"]);
  assert.deepEqual(lanesOf(new Set(["forward"])), ["forward", "backward"]);
  assert.deepEqual(lanesOf(new Set(["optimize", "backward"])), ["forward", "backward", "optimize"]);
  assert.deepEqual(lanesOf(new Set(["run", "build"])), ["build", "run"]);
  const mixed = ["forward", "backward", "optimize", "run"];
  assert.deepEqual(lanesOf(new Set(["run", "forward", "optimize"])), mixed);
});

test("few steps have a tick each", () => {
  const story = steps("forward", "backward", "backward");
  const way = layWay(3);
  assert.equal(ticksOf(story, "forward", way), "M0.15 0H0.85v1H0.15z");
  assert.equal(ticksOf(story, "backward", way), "M1.15 0H1.85v1H1.15zM2.15 0H2.85v1H2.15z");
});

test("neighbours of very many steps are one tick", () => {
  const story = steps(...new Array(600).fill("forward"), ...new Array(600).fill("backward"));
  const way = layWay(1200);
  assert.equal(ticksOf(story, "forward", way), "M0 0H600v1H0z");
  assert.equal(ticksOf(story, "backward", way), "M600 0H1200v1H600z");
});

test("the tick of a step reaches over those that are left out", () => {
  const story = steps("forward", "forward", "forward", "backward");
  const way = layWay(4, new Set([1]));
  assert.equal(ticksOf(story, "forward", way), "M0.15 0H1.85v1H0.15zM2.15 0H2.85v1H2.15z");
  assert.equal(ticksOf(story, "backward", way), "M3.15 0H3.85v1H3.15z");
});

const row = (label, kind, ...stays) => ({
  label,
  kind,
  bytes: Math.max(...stays.map(([bytes]) => bytes)),
  stays: stays.map(([bytes, first, last]) => [label, bytes, first, last, null]),
});

test("bytes add up while values stay, the last step included", () => {
  const rows = [row("a", "own", [4, 0, 1], [8, 3, 3]), row("b", "own", [1, 1, 3])];
  assert.deepEqual(bytesPerStep(rows, 4), [4, 5, 1, 9]);
});

test("the largest rows are drawn one by one, what is there anyway last", () => {
  const rows = Array.from({ length: 14 }, (_, k) => row(`r${k}`, "own", [k + 1, 0, 0]));
  const lasting = row("w", "leaf", [1000, 0, 0]);
  const [shown, rest] = splitRows([lasting, ...rows]);
  assert.deepEqual(
    shown.map(({ label }) => label),
    rows.slice(2).map(({ label }) => label),
  );
  assert.deepEqual(
    rest.map(({ label }) => label),
    ["w", "r0", "r1"],
  );
  assert.deepEqual(splitRows(rows.slice(0, 3)), [rows.slice(0, 3), []]);
});

test("what has just come or gone is named first, then the largest", () => {
  const rows = [
    row("leaf", "leaf", [99, 0, 9]),
    row("small", "own", [1, 0, 9]),
    row("large", "own", [9, 0, 9]),
    row("new", "own", [2, 3, 9]),
    row("gone", "own", [3, 0, 2]),
    row("before", "own", [7, 0, 1]),
  ];
  const told = holders(rows, 3).map(({ row: { label }, state }) => [label, state]);
  assert.deepEqual(told, [
    ["gone", "gone"],
    ["new", "new"],
    ["large", ""],
    ["small", ""],
    ["leaf", ""],
  ]);
});

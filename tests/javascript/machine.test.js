// The machine that computes anew what depends on changed numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Machine } from "../../viz/player/web/whatif/machine.js";
import { fields } from "./fields.js";

/** A machine of float32 arrays of these shapes, with the numbers of its leaves. */
function machineOf(shapes, code, given = {}, dtypes = {}) {
  const arrays = shapes.map((shape, number) => [dtypes[number] ?? "float32", shape]);
  const machine = new Machine({ arrays, code, fields });
  finish(machine.build());
  for (const [number, numbers] of Object.entries(given)) machine.give(Number(number), numbers);
  run(machine);
  return machine;
}

/** Run a job to its end; return how often it yields. */
const finish = (job) => [...job].length;

const run = (machine, changed = machine.leaves.keys()) => finish(machine.run(changed));

/** How often each instruction ran since this was called last. */
function counted(machine) {
  const counts = new Map();
  for (const each of machine.instructions) {
    const { step } = each;
    each.step = () => {
      counts.set(each.made, (counts.get(each.made) ?? 0) + 1);
      step();
    };
  }
  return () => {
    const seen = Object.fromEntries(counts);
    counts.clear();
    return seen;
  };
}

test("only what depends on a changed leaf runs again", () => {
  const machine = machineOf(
    [[1], [1], [1], [1], [1]],
    [
      ["leaf", 0, []],
      ["leaf", 1, []],
      ["map", 2, "negative", [0]],
      ["map", 3, "negative", [1]],
      ["map", 4, "add", [2, 3]],
    ],
    { 0: [1], 1: [2] },
  );
  const ran = counted(machine);
  machine.give(1, [5]);
  run(machine, [1]);
  assert.deepEqual(ran(), { 1: 1, 3: 1, 4: 1 });
  assert.deepEqual(machine.numbers(4), [-6]);
  run(machine, []);
  assert.deepEqual(ran(), {});
});

test("memory that is written in several steps starts afresh", () => {
  const code = [
    ["leaf", 0, []],
    ["leaf", 1, []],
    ["map", 2, "copy", [0]],
    ["map", 3, "negative", [2]], // sees it before it is written again
    ["into", 2, "add", [2, 1]],
    ["map", 4, "multiply", [3, 1]], // needs what it was: both writers run again
  ];
  const machine = machineOf([[1], [1], [1], [1], [1]], code, { 0: [1], 1: [10] });
  assert.deepEqual(
    [2, 3, 4].map((number) => machine.numbers(number)),
    [[11], [-1], [-10]],
  );
  for (const [number, numbers, wanted] of [
    [1, [20], [[21], [-1], [-20]]],
    [1, [20], [[21], [-1], [-20]]],
    [0, [3], [[23], [-3], [-60]]],
  ]) {
    machine.give(number, numbers);
    run(machine, [number]);
    assert.deepEqual(
      [2, 3, 4].map((each) => machine.numbers(each)),
      wanted,
    );
  }
});

/** A hundred steps that each add 1. */
const CHAIN = [
  ["leaf", 0, []],
  ...Array.from({ length: 100 }, (_, k) => ["map", k + 1, "add", [k, [1]]]),
];
const LONG = Array.from({ length: 101 }, () => [1]);

test("the work can be done in slices, and be left for other work", () => {
  const machine = machineOf(LONG, CHAIN, { 0: [0] });
  machine.give(0, [7]);
  assert.equal(run(machine, [0]), 101);
  assert.deepEqual(machine.numbers(100), [107]);
});

test("what was still waiting is done with what is asked next", () => {
  const code = [...CHAIN, ["leaf", 101, []], ["map", 102, "negative", [101]]];
  const machine = machineOf([...LONG, [1], [1]], code, { 0: [0], 101: [1] });
  machine.give(0, [5]);
  machine.run([0]).next();
  machine.give(101, [2]);
  run(machine, [101]);
  assert.deepEqual([machine.numbers(100), machine.numbers(102)], [[105], [-2]]);
});

test("what is kept is stale once something that it was made from is not as recorded", () => {
  const machine = machineOf(
    [[1], [1], [1], [1], [1], [1]],
    [
      ["leaf", 0, []],
      ["leaf", 1, []],
      ["map", 2, "negative", [0]],
      ["leaf", 3, [2]],
      ["map", 4, "add", [3, 1]],
      ["map", 5, "add", [2, 1]],
    ],
    { 0: [1], 1: [2], 3: [7] },
  );
  const stale = () => [0, 1, 2, 3, 4, 5].filter((number) => machine.state(number).stale !== "");
  assert.deepEqual(stale(), []);
  machine.give(1, [3]);
  run(machine, [1]);
  assert.deepEqual(stale(), []);
  machine.give(0, [2]);
  run(machine, [0]);
  assert.deepEqual(stale(), [3, 4]);
  assert.deepEqual(machine.numbers(4), [10]);
  machine.give(0, [1]);
  run(machine, [0]);
  assert.deepEqual(stale(), []);
});

test("what follows from a number that is not known has the reason of it", () => {
  const machine = machineOf(
    [[1], [1], [1], [1]],
    [
      ["leaf", 0, []],
      ["leaf", 1, []],
      ["map", 2, "negative", [0]],
      ["map", 3, "add", [1, 2]],
    ],
    { 0: [1], 1: [2] },
  );
  machine.doubt(0, { lost: "python", unsure: false });
  run(machine, [0]);
  assert.deepEqual(
    [0, 1, 2, 3].map((number) => machine.state(number).stale),
    ["python", "", "python", "python"],
  );
});

test("where a kernel would give another answer, what follows is stale", () => {
  const machine = machineOf(
    [[2], [1], [1]],
    [
      ["leaf", 0, []],
      ["leaf", 1, []],
      ["asked", 1, 0, 1],
      ["pick", 2, 0, [1], 0],
    ],
    { 0: [10, 20], 1: [0] },
    { 1: "int64" },
  );
  for (const [index, stale] of [
    [1, false],
    [2, true],
    [0, false],
  ]) {
    machine.give(1, [index]);
    run(machine, [1]);
    assert.equal(machine.state(2).stale !== "", stale);
    assert.equal(machine.state(1).stale !== "", false);
  }
});

test("an array says where rounding may have decided", () => {
  // y = max(x, 0), its mask, the slope that the mask lets through, and their sum
  const machine = machineOf(
    [[3], [3], [3], [3], []],
    [
      ["leaf", 0, []],
      ["map", 1, "maximum", [0, [0]]],
      ["map", 2, "greater", [1, [0]]],
      ["map", 3, "multiply", [2, [2]]],
      ["reduce", 4, "add", 1, [0]],
    ],
    { 0: [1, -2, 3] },
    { 2: "bool" },
  );
  const kinks = () => [0, 1, 2, 3, 4].filter((number) => machine.state(number).kink);
  assert.deepEqual(kinks(), []);
  machine.give(0, [1, -1e-7, 3]);
  run(machine, [0]);
  assert.deepEqual(kinks(), [1, 2, 3]); // not the sum, which does not jump
  machine.give(0, [1, 0, 3]); // exactly there: no rounding, both sides agree
  run(machine, [0]);
  assert.deepEqual(kinks(), []);
});

test("roundings, orders and integers know their kinks", () => {
  const near = (name, numbers, dtype = "float32") => {
    const code = [
      ["leaf", 0, []],
      ["map", 1, name, [0]],
    ];
    return machineOf([[2], [2]], code, { 0: numbers }, { 0: dtype }).state(1).kink;
  };
  assert.equal(near("floor", [0.5, 2.000001]), true);
  assert.equal(near("floor", [0.5, 2.1]), false);
  assert.equal(near("rint", [0.5000001, 2]), true);
  assert.equal(near("rint", [0.6, 2]), false);
  assert.equal(near("sign", [1e-9, 2]), true);
  assert.equal(near("sign", [1, 0], "int64"), false);
  const largest = (numbers) =>
    machineOf(
      [[3], []],
      [
        ["leaf", 0, []],
        ["order", 1, "argmax", 0, null],
      ],
      { 0: numbers },
      { 1: "int64" },
    );
  assert.equal(largest([1, 1.000001, 0]).state(1).kink, true);
  assert.equal(largest([1, 2, 0]).state(1).kink, false);
  assert.deepEqual(largest([1, Number.NaN, 3]).numbers(1), [1]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { nestNumbers, scalarOf, summaryOf } from "../../viz/player/web/whatif/summary.js";
import { WhatIf } from "../../viz/player/web/whatif/what_if.js";
import { fields } from "./fields.js";

const value = (data, dtype = "float64") => {
  const shape = Array.isArray(data) ? [data.length] : [];
  return { shape, dtype, data, stats: summaryOf([data].flat().map(Number), dtype) };
};

const WHY = { computed: { en: "follows" }, python: { en: "python" } };

/** What a chapter has, with what the test says of it. */
const chapter = (own) => ({
  code: 0,
  values: [],
  inputs: [],
  fixed: [],
  names: [],
  grads: [],
  loss: null,
  leaves: [],
  ...own,
});

/** y = x * x, with its gradient 2x; value 3 is in no program. */
function squares() {
  const values = [value([1, -2]), value([1, 4]), value([2, -4]), value([7])];
  const arrays = [
    ["float64", [2]],
    ["float64", [2]],
    ["float64", [2]],
  ];
  const code = [
    ["leaf", 0, []],
    ["map", 1, "multiply", [0, 0]],
    ["map", 2, "add", [0, 0]],
  ];
  const only = chapter({
    leaves: [[0, { value: 0 }]],
    values: [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
    inputs: [[0, 0, 0]],
    grads: [[0, 2]],
  });
  const program = { codes: [{ arrays, code, fields }], chapters: [only], why: WHY, left_out: null };
  return new WhatIf({ program, value: (number) => values[number] });
}

const finish = (whatIf) => {
  while (!whatIf.work(1000));
};

const edit = (whatIf, ...next) => whatIf.load([...whatIf.edits, next]);

test("what is in no program is stale once anything has changed", () => {
  const whatIf = squares();
  edit(whatIf, 0, 0, 0, 5);
  finish(whatIf);
  assert.equal(whatIf.entry(0, 3).stale, "measured");
  assert.deepEqual(whatIf.entry(0, 3).data, [7]);
});

test("a page without a program can change nothing", () => {
  const none = new WhatIf({ program: null, value: () => value([1]) });
  assert.equal(none.canEdit(0, 0).editable, false);
  edit(none, 0, 0, 0, 2);
  assert.equal(none.entry(0, 0).data[0], 1);
  assert.equal(none.loss(0), null);
});

/** A page whose work waits until somebody does it, however slow the machine is. */
const unstarted = (whatIf) =>
  Object.assign(whatIf, {
    start() {
      whatIf.job = whatIf.recompute();
    },
  });

test("a new edit ends the work of the one before", () => {
  const whatIf = unstarted(squares());
  edit(whatIf, 0, 0, 0, 3);
  whatIf.job.next();
  edit(whatIf, 0, 0, 1, 0);
  assert.ok(whatIf.busy);
  finish(whatIf);
  assert.ok(!whatIf.busy);
  assert.deepEqual(whatIf.entry(0, 1).data, [9, 0]);
});

/** Three rounds of w = w * w, with w as their loss. */
function rounds() {
  const values = [value([3]), value([9]), value([81]), value([6561])];
  const arrays = [
    ["float64", [1]],
    ["float64", [1]],
  ];
  const code = [
    ["leaf", 0, []],
    ["map", 1, "multiply", [0, 0]],
  ];
  const chapters = [0, 1, 2].map((at) =>
    chapter({
      leaves: [[0, at ? { of: [at - 1, 1] } : { value: 0 }]],
      values: [
        [at, 0],
        [at + 1, 1],
      ],
      inputs: at ? [] : [[0, 0, 0]],
      loss: at + 1,
    }),
  );
  const program = { codes: [{ arrays, code, fields }], chapters, why: WHY, left_out: null };
  return new WhatIf({ program, value: (number) => values[number] });
}

test("the round that is looked at is shown before the rounds after it", () => {
  const whatIf = unstarted(rounds());
  const seen = [];
  whatIf.viewed = 1;
  whatIf.subscribe(() => seen.push([0, 1, 2].map((at) => whatIf.loss(at).now)));
  edit(whatIf, 0, 0, 0, 2);
  finish(whatIf);
  assert.deepEqual(seen.slice(0, 2), [
    [4, 16, 6561],
    [4, 16, 256],
  ]);
  edit(whatIf, 0, 0, 0, 3);
  finish(whatIf);
  assert.deepEqual(seen.at(-1), [9, 81, 6561]);
});

test("losses are swept without an edit, and give way to one", () => {
  const whatIf = rounds();
  const [wishes, losses] = [[2, 3, 1], []];
  const next = () => (wishes.length ? [[0, 0, 0, wishes.shift()]] : null);
  const sweep = () => whatIf.sweep(2, next, (loss) => losses.push(loss));
  whatIf.start(sweep(), true);
  assert.ok(!whatIf.busy);
  finish(whatIf);
  assert.deepEqual(losses, [256, 6561, 1]);
  assert.equal(whatIf.loss(2).now, 6561);
  for (const end of [() => whatIf.rest(), () => edit(whatIf, 0, 0, 0, 2)]) {
    wishes.push(2);
    whatIf.start(sweep(), true);
    whatIf.job?.next();
    end();
    finish(whatIf);
    assert.equal(losses.length, 3);
    wishes.length = 0;
  }
  assert.equal(whatIf.loss(2).now, 256);
});

/** (x + big) - big, in which big travelled whole. */
function whole() {
  const [x, y] = [value([0.1, 0.7], "float32"), value([0, 0], "float32")];
  const arrays = [
    ["float32", [2]],
    ["float32", []],
    ["float32", [2]],
    ["float32", [2]],
  ];
  const code = [
    ["leaf", 0, []],
    ["leaf", 1, []],
    ["map", 2, "add", [0, 1]],
    ["map", 3, "subtract", [2, 1]],
  ];
  const only = chapter({
    leaves: [
      [0, { value: 0 }],
      [1, { whole: "AEAcRg==" }],
    ],
    values: [
      [0, 0],
      [1, 3],
    ],
    inputs: [[0, 0, 0]],
  });
  const program = { codes: [{ arrays, code, fields }], chapters: [only], why: WHY, left_out: null };
  return new WhatIf({ program, value: (number) => [x, y][number] });
}

test("numbers that travelled are read once", () => {
  const whatIf = whole();
  const [before, after] = [0.123, 0.5].map((number) => {
    edit(whatIf, 0, 0, 0, number);
    finish(whatIf);
    return whatIf.leavesOf(0, new Map()).map(({ recorded }) => recorded);
  });
  assert.deepEqual(before[1], [10000]);
  for (const at of [0, 1]) assert.equal(after[at], before[at]);
});

test("a difference that is nothing but rounding is told", () => {
  const whatIf = whole();
  edit(whatIf, 0, 0, 0, 0.123);
  finish(whatIf);
  assert.equal(whatIf.entry(0, 1).kink, true);
  assert.equal(whatIf.entry(0, 0).kink, undefined);
});

test("numbers are told with the fewest digits of their dtype", () => {
  assert.equal(scalarOf(Math.fround(0.1), "float32"), 0.1);
  assert.equal(scalarOf(Math.fround(1e-30), "float32"), 1e-30);
  assert.equal(scalarOf(0.1 + 0.2, "float64"), 0.1 + 0.2);
  assert.equal(scalarOf(Number.NaN, "float32"), "nan");
  assert.equal(scalarOf(Number.NEGATIVE_INFINITY, "float32"), "-inf");
  assert.equal(scalarOf(1, "bool"), true);
  assert.deepEqual(nestNumbers([1, 2, 3, 4], [2, 2], "float64"), [
    [1, 2],
    [3, 4],
  ]);
  assert.equal(nestNumbers([5], [], "float64"), 5);
  assert.deepEqual(nestNumbers([], [2, 0], "float64"), [[], []]);
});

test("statistics leave out what is not finite", () => {
  const stats = summaryOf([1, 3, Number.NaN, Number.POSITIVE_INFINITY, 0], "float64");
  assert.deepEqual([stats.min, stats.max, stats.nan, stats.inf, stats.zeros], [0, 3, 1, 1, 1]);
  assert.equal(stats.mean, 4 / 3);
  assert.equal(summaryOf([], "float64").min, null);
});

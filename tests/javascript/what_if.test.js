import assert from "node:assert/strict";
import { test } from "node:test";
import { nested, scalarOf, summaryOf } from "../../viz/player/web/whatif/summary.js";
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
    ["leaf", 0],
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

/** Rounds in which w becomes w - rate * w, each from what the one before has left. */
function rounds(count) {
  const kept = [];
  const add = (data) => kept.push(value(data, "float64")) - 1;
  const arrays = [
    ["float64", [1]],
    ["float64", []],
    ["float64", [1]],
    ["float64", [1]],
  ];
  const code = [
    ["leaf", 0],
    ["leaf", 1],
    ["map", 2, "multiply", [0, 1]],
    ["map", 3, "subtract", [0, 2]],
  ];
  let [w, before] = [8, add([8])];
  const chapters = Array.from({ length: count }, (_, at) => {
    const [rate, after] = [add(0.5), add([w / 2])];
    w /= 2;
    const from = at ? { of: [at - 1, 3] } : { value: before };
    const made = chapter({
      leaves: [
        [0, from],
        [1, { value: rate }],
      ],
      values: [
        [before, 0],
        [rate, 1],
        [after, 3],
      ],
      inputs: [
        [before, at, 0],
        [rate, at, 1],
      ],
      names: [["lr", rate]],
    });
    before = after;
    return made;
  });
  const program = { codes: [{ arrays, code, fields }], chapters, why: WHY, left_out: null };
  return new WhatIf({ program, value: (number) => kept[number] });
}

const finish = (whatIf) => {
  while (!whatIf.work(1000));
};

const edit = (whatIf, ...next) => whatIf.load([...whatIf.edits, next]);

test("a value that has not moved is the recorded entry itself", () => {
  const whatIf = squares();
  assert.equal(whatIf.entry(0, 1), whatIf.book.value(1));
  edit(whatIf, 0, 0, 0, 3);
  finish(whatIf);
  edit(whatIf, 0, 0, 0, 1);
  finish(whatIf);
  assert.equal(whatIf.entry(0, 1), whatIf.book.value(1));
  assert.equal(whatIf.changed, 0);
});

test("what depends on a number follows it, with its statistics", () => {
  const whatIf = squares();
  let told = 0;
  whatIf.subscribe(() => told++);
  edit(whatIf, 0, 0, 1, 3);
  finish(whatIf);
  assert.ok(told);
  const entry = whatIf.entry(0, 1);
  assert.deepEqual([entry.data, entry.was, entry.stats.max], [[1, 9], [1, 4], 9]);
  assert.deepEqual(whatIf.edits, [[0, 0, 1, 3]]);
  assert.equal(whatIf.entry(0, 1), entry);
});

test("what is in no program is stale once anything has changed", () => {
  const whatIf = squares();
  edit(whatIf, 0, 0, 0, 5);
  finish(whatIf);
  assert.equal(whatIf.entry(0, 3).stale, "measured");
  assert.deepEqual(whatIf.entry(0, 3).data, [7]);
});

test("what is computed cannot be edited, and why is said", () => {
  const whatIf = squares();
  assert.deepEqual(whatIf.canEdit(0, 0), { editable: true, array: 0, chapter: 0 });
  assert.deepEqual(whatIf.canEdit(0, 1).why, WHY.computed);
  edit(whatIf, 0, 1, 0, 5);
  edit(whatIf, 0, 0, 9, 5);
  assert.equal(whatIf.changed, 0);
});

test("a page without a program can change nothing", () => {
  const none = new WhatIf({ program: null, value: () => value([1]) });
  assert.equal(none.canEdit(0, 0).editable, false);
  edit(none, 0, 0, 0, 2);
  assert.equal(none.entry(0, 0).data[0], 1);
  assert.equal(none.loss(0), null);
});

test("edits come back from a link, and go", () => {
  const [whatIf, other] = [squares(), squares()];
  edit(whatIf, 0, 0, 0, 3);
  other.load(whatIf.edits);
  finish(other);
  assert.deepEqual(other.entry(0, 1).data, [9, 4]);
  other.load([[7, 7, 7, 7]]);
  finish(other);
  assert.equal(other.changed, 0);
  whatIf.load([]);
  finish(whatIf);
  assert.equal(whatIf.entry(0, 1), whatIf.book.value(1));
});

test("later rounds follow an earlier one, and no earlier one follows", () => {
  const whatIf = rounds(4);
  const [, rate] = whatIf.chapters[1].names[0];
  edit(whatIf, 1, rate, 0, 0.25);
  finish(whatIf);
  const after = whatIf.chapters.map(({ values }, at) => whatIf.entry(at, values[2][0]).data);
  assert.deepEqual(after, [[4], [3], [1.5], [0.75]]);
  assert.deepEqual([...whatIf.outcomes.keys()], [1, 2, 3]);
});

test("what a round begins with can be changed, for it and for those after it", () => {
  const whatIf = rounds(3);
  const start = whatIf.chapters[1].values[0][0];
  edit(whatIf, 1, start, 0, 100);
  finish(whatIf);
  const after = whatIf.chapters.map(({ values }, at) => whatIf.entry(at, values[2][0]).data);
  assert.deepEqual(after, [[4], [50], [25]]);
  assert.deepEqual(whatIf.entry(0, start).data, [4]);
  assert.deepEqual(whatIf.entry(1, start).data, [100]);
});

test("a new edit ends the work of the one before", () => {
  const whatIf = squares();
  whatIf.start = () => {
    whatIf.job = whatIf.recompute();
  };
  edit(whatIf, 0, 0, 0, 3);
  whatIf.job.next();
  edit(whatIf, 0, 0, 1, 0);
  assert.ok(whatIf.busy);
  finish(whatIf);
  assert.ok(!whatIf.busy);
  assert.deepEqual(whatIf.entry(0, 1).data, [9, 0]);
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
    ["leaf", 0],
    ["leaf", 1],
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
  assert.deepEqual(nested([1, 2, 3, 4], [2, 2], "float64"), [
    [1, 2],
    [3, 4],
  ]);
  assert.equal(nested([5], [], "float64"), 5);
  assert.deepEqual(nested([], [2, 0], "float64"), [[], []]);
});

test("statistics leave out what is not finite", () => {
  const stats = summaryOf([1, 3, Number.NaN, Number.POSITIVE_INFINITY, 0], "float64");
  assert.deepEqual([stats.min, stats.max, stats.nan, stats.inf, stats.zeros], [0, 3, 1, 1, 1]);
  assert.equal(stats.mean, 4 / 3);
  assert.equal(summaryOf([], "float64").min, null);
});

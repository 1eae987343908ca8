// The numbers that the reader has changed: how they are written, and when what follows is computed.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createEdits,
  editsIn,
  editsText,
  stepOf,
  typedIndex,
  typedNumber,
} from "../../viz/player/web/edit.js";
import { createStore } from "../../viz/player/web/store.js";

test("what somebody writes is a number of the dtype, or none", () => {
  const known = [
    ["0.5", "float32", 0.5],
    [" −2,5 ", "float32", -2.5],
    ["1e-3", "float64", 0.001],
    ["-inf", "float32", Number.NEGATIVE_INFINITY],
    ["∞", "float32", Number.POSITIVE_INFINITY],
    ["3", "int64", 3],
    ["3.5", "int64", null],
    ["inf", "int64", null],
    ["true", "bool", 1],
    ["2", "bool", null],
    ["", "float32", null],
    ["one", "float32", null],
    ["1 2", "float32", null],
    ["nan", "int32", null],
    ["constructor", "float32", null],
  ];
  for (const [text, dtype, number] of known) assert.equal(typedNumber(text, dtype), number, text);
  assert.ok(Number.isNaN(typedNumber("NaN", "float32")));
});

test("arrows lead to the next element, Home and End along the row, and no key outside", () => {
  const ways = [
    [[0, 1, 1], "ArrowLeft", [0, 1, 0]],
    [[0, 1, 0], "ArrowLeft", [0, 1, 0]],
    [[0, 1, 1], "ArrowRight", [0, 1, 2]],
    [[0, 1, 2], "ArrowRight", [0, 1, 2]],
    [[0, 1, 1], "ArrowUp", [0, 0, 1]],
    [[0, 1, 0], "ArrowUp", [0, 0, 0]],
    [[0, 1, 1], "ArrowDown", [1, 0, 1]], // the next slice
    [[1, 1, 1], "ArrowDown", [1, 1, 1]],
    [[0, 0, 1], "ArrowUp", [0, 0, 1]],
    [[0, 0, 1], "Home", [0, 0, 0]],
    [[1, 0, 0], "End", [1, 0, 2]],
  ];
  for (const [from, key, to] of ways) assert.deepEqual(stepOf(from, [2, 2, 3], key), to, key);
  assert.deepEqual(stepOf([1], [3], "ArrowLeft"), [0]);
  assert.deepEqual(stepOf([1], [3], "ArrowDown"), [1]); // a row has none below it
  assert.equal(stepOf([1], [3], "Enter"), null);
  assert.equal(stepOf([0, 0], [1, 1], "ArrowRight"), null); // the key steps
});

test("edits come back from their text", () => {
  const edits = [
    [0, 3, 1, 0.5],
    [2, 3, 0, -1e-7],
    [0, 0, 0, Number.NaN],
    [0, 0, 1, Number.NEGATIVE_INFINITY],
  ];
  assert.equal(editsText(edits), "0,3,1,0.5/2,3,0,-1e-7/0,0,0,NaN/0,0,1,-Infinity");
  assert.deepEqual(editsIn(editsText(edits)), edits);
  assert.equal(editsText([]), null);
});

// ----- what follows -----

const scalar = (data) => ({ shape: [], dtype: "float32", data, stats: {} });

/** Three chapters: w (value 0) in each of them, and in the last two a rate each (1 and 2), or 3. */
function shelf({ slow = false } = {}) {
  const values = [
    { shape: [2], dtype: "float32", data: [1, 2], stats: {} },
    scalar(0.1),
    scalar(0.1),
    scalar(0.2),
  ];
  const listeners = [];
  const loads = [];
  const whatIf = {
    book: { program: { why: { python: { en: "Python" } } } },
    chapters: [
      { names: [] },
      { names: [["lr", 1, []]] },
      {
        names: [
          ["lr", 2, []],
          ["other", 3, []],
        ],
      },
    ],
    busy: false,
    behind: Number.POSITIVE_INFINITY,
    entry: (_, value) => values[value],
    canEdit: (chapter, value) => ({ editable: value < 4, chapter: value ? chapter : 0, array: 0 }),
    loss: (chapter) => (chapter ? { now: 10 + chapter, was: 5 } : null),
    unfolding: () => null,
    slope: (chapter, value) => (chapter === 1 && value === 0 ? { grad: 7, value: 9 } : null),
    load(edits) {
      loads.push(edits);
      whatIf.busy = slow;
      whatIf.tell();
    },
    finish() {
      whatIf.busy = false;
      whatIf.tell();
    },
    subscribe: (listener) => listeners.push(listener),
    tell() {
      for (const listener of listeners) listener();
    },
  };
  const book = { chapters: [{}, {}, {}], whatIf, value: (number) => values[number] };
  const store = createStore({ moved: 0, working: false, nudged: null, beside: null });
  return { edits: createEdits(book, store), whatIf, loads, store };
}

const w1 = { chapter: 0, value: 0, at: 1 };

test("an edit is computed at once, and taken back by the recorded number", () => {
  const { edits, loads, store } = shelf();
  edits.change(w1, 5);
  assert.deepEqual(loads, [[[0, 0, 1, 5]]]);
  assert.deepEqual([edits.count, edits.text(), store.state.moved], [1, "0,0,1,5", 1]);
  assert.deepEqual(edits.changedIn(2, 0), [1]); // the same leaf in a later chapter
  edits.change(w1, 2);
  assert.deepEqual([loads.at(-1), edits.count, edits.text()], [[], 0, null]);
});

test("while something is computed, what lies between two wishes is passed by", () => {
  const { edits, whatIf, loads, store } = shelf({ slow: true });
  for (const number of [3, 4, 5]) edits.change(w1, number);
  assert.equal(store.state.working, true);
  assert.deepEqual(loads, [[[0, 0, 1, 3]]]);
  whatIf.finish();
  assert.deepEqual(loads.slice(1), [[[0, 0, 1, 5]]]);
  whatIf.finish();
  assert.equal(loads.length, 2);
  assert.equal(store.state.working, false);
});

test("a rate is changed in all chapters that have the same one, and counts as one number", () => {
  const { edits, loads } = shelf();
  edits.change({ chapter: 2, value: 2, at: 0 }, 0.3);
  assert.deepEqual(loads.at(-1), [
    [1, 1, 0, 0.3],
    [2, 2, 0, 0.3],
  ]);
  assert.equal(edits.count, 1);
  assert.deepEqual([edits.changedIn(1, 1), edits.changedIn(2, 3)], [[0], []]);
});

test("resetting waits for nothing, and says when all is as it was", () => {
  const { edits, whatIf, loads } = shelf({ slow: true });
  edits.change(w1, 3);
  edits.change(w1, 4);
  let done = 0;
  edits.reset(() => {
    done += 1;
  });
  assert.deepEqual([loads.at(-1), edits.count, done], [[], 0, 0]);
  whatIf.finish();
  assert.deepEqual([loads.length, done], [2, 1]);
});

test("the last edit of a link is a nudge from where the others lead", () => {
  const { edits, loads, store } = shelf();
  assert.equal(edits.follow("0,0,0,9/0,0,1,5"), true);
  assert.deepEqual(loads, [
    [[0, 0, 0, 9]],
    [
      [0, 0, 0, 9],
      [0, 0, 1, 5],
    ],
  ]);
  assert.deepEqual(store.state.nudged, w1);
  assert.equal(edits.follow("0,0,0,9/0,0,1,5"), true); // it is there already
  assert.equal(loads.length, 2);
  for (const wrong of ["0,0,2,1", "0,9,0,1", "x"]) assert.equal(edits.follow(wrong), false);
  assert.equal(edits.text(), "0,0,0,9/0,0,1,5");
  assert.equal(edits.follow(""), true);
  assert.equal(edits.count, 0);
});

test("a link that is still being followed gives way to the next one", () => {
  const { edits, whatIf, loads } = shelf({ slow: true });
  edits.follow("0,0,0,9/0,0,1,5");
  assert.equal(edits.text(), "0,0,0,9/0,0,1,5"); // the address must not lose the last one
  assert.equal(edits.follow("0,0,0,9.0/0,0,1,5"), true);
  assert.equal(loads.length, 1);
  assert.equal(edits.follow("0,0,0,9"), true);
  while (whatIf.busy) whatIf.finish();
  assert.equal(edits.text(), "0,0,0,9");
  assert.deepEqual(loads.at(-1), [[0, 0, 0, 9]]);
});

test("a gradient speaks of the first loss that it is of; without one, the last loss is told", () => {
  const { edits } = shelf();
  assert.deepEqual(edits.slope(w1), { chapter: 1, grad: 7, gradValue: 9, loss: 11 });
  assert.deepEqual(edits.slope({ chapter: 1, value: 1, at: 0 }), {
    chapter: 2,
    grad: null,
    gradValue: null,
    loss: 12,
  });
});

test("what is seen gives way to the next wish, and rounds that are not computed have no loss", async () => {
  const { edits, whatIf, loads } = shelf({ slow: true });
  for (const number of [3, 4]) edits.change(w1, number);
  Object.assign(whatIf, { isShown: true, behind: 1 });
  whatIf.tell();
  assert.equal(edits.slope(w1).loss, null);
  await null;
  assert.deepEqual(loads.slice(1), [[[0, 0, 1, 4]]]);
});

test("what somebody writes is an index of the array, or none", () => {
  assert.deepEqual(typedIndex("1, 2", [2, 3]), [1, 2]);
  assert.deepEqual(typedIndex("[1 2]", [2, 3]), [1, 2]);
  assert.deepEqual(typedIndex("1，2", [2, 3]), [1, 2]);
  for (const wrong of ["", "1", "1, 3", "-1, 0", "1, 2, 0", "0.5, 1", "a, b"]) {
    assert.equal(typedIndex(wrong, [2, 3]), null, wrong);
  }
});

// What is told of numbers after an edit: sizes, updates, and numbers in sentences.

import assert from "node:assert/strict";
import { test } from "node:test";
import { formulaText } from "../../viz/player/web/formula.js";
import { renderMessage } from "../../viz/player/web/message.js";
import {
  formulaNow,
  namedAt,
  sentenceNow,
  sizeIn,
  sizesNow,
  updatesNow,
} from "../../viz/player/web/moved.js";
import { summaryOf } from "../../viz/player/web/whatif/summary.js";
import { formulaOf } from "./formulas.js";

const value = (data) => {
  const numbers = [data].flat();
  const shape = Array.isArray(data) ? [data.length] : [];
  return { shape, dtype: "float64", data, stats: summaryOf(numbers, "float64") };
};
const from = (table) => (number) => table[number];

test("a size is a root mean square", () => {
  assert.equal(sizeIn(value([3, -4]).stats), 3.536);
  assert.equal(sizeIn(value([Number.NaN, 1]).stats), "nan");
  assert.equal(sizeIn(value([Number.POSITIVE_INFINITY]).stats), "inf");
  assert.equal(sizeIn({ ...value([1]).stats, mean: null }), null);
});

test("sizes follow the values that they were of", () => {
  const steps = [
    { shown: [{ value: 0 }, { value: 1 }] },
    { shown: [{ value: 2 }, { value: null }] },
    { shown: [] },
  ];
  const recorded = from([value([1, 1]), value([2]), value([3])]);
  const now = from([value([5, 5]), value([2]), value([0])]);
  const rows = [
    [0, "a", 1],
    [0, "b", 2],
    [1, "c", 3],
    [2, "result", 3], // what no step shows there was the size of a value before
  ];
  assert.deepEqual(sizesNow(rows, steps, recorded, now), [
    [0, "a", 5],
    [0, "b", 2],
    [1, "c", 0],
    [2, "result", 0],
  ]);
  assert.deepEqual(sizesNow(rows, steps, recorded, recorded), rows);
});

test("the size of an update follows", () => {
  const steps = [
    {
      shown: [
        { name: "w", role: "before", value: 0 },
        { name: "w.grad", role: "grad_in", value: 1 },
        { name: "w", role: "after", value: 2 },
      ],
    },
  ];
  const recorded = from([value([3, 4]), value([1, 1]), value([3, 3])]);
  const now = from([value([3, 4]), value([1, 1]), value([3, 2])]);
  assert.deepEqual(updatesNow([[0, 0.2]], steps, recorded, now), [[0, 0.4]]);
});

test("a sign before a value tells the number that stands there now", () => {
  const [recorded, now] = [from([value(0.1)]), from([value(0.3)])];
  const rate = [{ name: "lr", role: "rate", value: 0 }];
  const tell = (text) => formulaText(formulaNow(formulaOf(text), "optimize", rate, recorded, now));
  assert.equal(tell("− 0.1 ×"), "− 0.3 ×");
  assert.equal(tell("w ← w − 0.1 · dw"), "w ← w − 0.3 · dw");
  assert.equal(tell("w0.1 − 0.15"), "w0.1 − 0.15");
});

test("constants are told where they stand once, and a formula that would not be true is left out", () => {
  const values = [{ data: 2 }, { data: 3 }];
  const [recorded, now] = [() => values[0], () => values[1]];
  const named = namedAt([["scale (y)", 0, [4]]], [], 4);
  assert.deepEqual(named, [{ name: "scale (y)", value: 0, role: "constant", node: null }]);
  assert.deepEqual(namedAt([["scale (y)", 0, [4]]], [], 5), []);
  const tell = (text, phase = "forward") =>
    formulaText(formulaNow(formulaOf(text), phase, named, recorded, now));
  assert.equal(tell("y = 2 · x"), "y = 3 · x");
  assert.equal(tell("dx = 2 · dy", "backward"), "dx = 3 · dy");
  assert.equal(tell("dx = 2 · x^1", "backward"), "");
  assert.equal(tell("y = x²"), "");
  assert.equal(tell("y = 2 · x + 2"), "");
});

test("a message tells the numbers of its values, and its constants where it is sure of them", () => {
  const values = [0.5, 0.5, 7].map((data) => ({ shape: [], dtype: "float64", data, stats: {} }));
  const recorded = (at) => values[at];
  const now = (at) => (at < 2 ? { ...values[at], data: 3 - at } : values[at]);
  const scale = { name: "scale (h)", value: 0, role: "constant", node: null };
  const tell = (slots, named) => {
    const text = {
      en: Object.keys(slots)
        .map((name) => `{${name}}`)
        .join(" "),
      slots,
    };
    const { reader, half } = sentenceNow(text, named, recorded, now);
    return [renderMessage(text, "en", reader), half];
  };
  const [n, name] = [{ constant: "0.5" }, "(y − t) × 0.5"];
  assert.deepEqual(tell({ n, name }, [scale]), ["3 (y − t) × 0.5", false]);
  assert.deepEqual(tell({ n, m: n }, [scale]), ["0.5 0.5", true]);
  assert.deepEqual(tell({ n, m: { ...n, less: 1 } }, [scale]), ["3 ²", false]);
  assert.deepEqual(tell({ n }, [scale, { ...scale, value: 1 }]), ["0.5", true]);
  assert.deepEqual(tell({ n, x: { value: 2 } }, []), ["0.5 7", false]);
  const inner = { en: "{x}", slots: { x: { value: 1 } } };
  assert.deepEqual(tell({ inner }, [scale]), ["2", false]);
  const stale = sentenceNow(inner, [], recorded, (at) => ({ ...values[at], stale: "py_func" }));
  assert.deepEqual([stale.half, renderMessage(inner, "en", stale.reader)], [true, "0.5"]);
  const odd = { en: "{x}", slots: { x: { row: "NaN", count: 1, of: 1, odd: "nan" } } };
  assert.ok(sentenceNow(odd, [], recorded, (at) => ({ ...values[at], stale: "" })).half);
  assert.ok(!sentenceNow(odd, [], recorded, now).half);
});

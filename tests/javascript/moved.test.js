// What is told of numbers after an edit: sizes, updates, and numbers in sentences.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  digitsOf,
  formulaNow,
  isHalfTold,
  namedAt,
  sentenceNow,
  sizeIn,
  sizesNow,
  textNow,
  updatesNow,
} from "../../viz/player/web/moved.js";
import { summaryOf } from "../../viz/player/web/summary.js";

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

test("numbers as sentences have them", () => {
  const told = [
    [0.26558, "0.2656"],
    [-1, "−1"],
    [0, "0"],
    [12346, "1.235e+4"],
    [9999, "9999"],
    [0.0001, "0.0001"],
    [0.00001234, "1.234e−5"],
    [1e-12, "1e−12"],
    [true, "true"],
    ["-inf", "−inf"],
  ];
  for (const [number, text] of told) assert.equal(digitsOf(number), text);
});

const WORDED = {
  en: {
    number_from: "from {number}",
    number_to: "to {number}",
    number_is: "which is {number}",
    number_now: "is now {number}",
  },
  zh: {
    number_from: "从 {number}",
    number_to: "变为 {number}",
    number_is: "值为 {number}",
    number_now: "等于 {number}",
  },
};
/** The words of the language that a text is in. */
const saying = (text) => (key) => WORDED[/\p{Script=Han}/u.test(text) ? "zh" : "en"][key];

test("a sentence tells the number that stands there now, and leaves others alone", () => {
  const recorded = from([value(2), value([2, 2]), value(0.1)]);
  const now = from([value(-0.5), value([7, 2]), value(0.3)]);
  const shown = [
    { name: "loss", role: "output", value: 0 },
    { name: "y", role: "input", value: 1 },
    { name: "z", role: "grad_out", value: null },
  ];
  const tell = (text) => textNow(text, shown, recorded, now);
  assert.equal(
    tell("The mean of y [2, 2] gives loss = 2."),
    "The mean of y [2, 2] gives loss = −0.5.",
  );
  assert.equal(
    tell("对 y [2, 2] 求均值，得到 loss = 2。"),
    "对 y [2, 2] 求均值，得到 loss = −0.5。",
  );
  assert.equal(tell("loss = 2.5, my_loss = 2, loss = 25"), "loss = 2.5, my_loss = 2, loss = 25");
  const rate = [{ name: "lr", role: "rate", value: 2 }];
  assert.equal(textNow("w ← w − 0.1 · dw", rate, recorded, now), "w ← w − 0.3 · dw");
  assert.equal(textNow("− 0.1 ×", rate, recorded, now), "− 0.3 ×");
  assert.equal(textNow("w0.1 − 0.15", rate, recorded, now), "w0.1 − 0.15");
});

test("a number that is told without a name follows, or the sentence says that it may not", () => {
  const recorded = from([value(1), value(1), value(4)]);
  const now = from([value(2), value(2), value(9)]);
  const shown = [
    { name: "dloss", role: "grad_in", value: 0 },
    { name: "dy", role: "grad_out", value: 1 },
  ];
  const tell = (text, some = shown) => {
    const told = textNow(text, some, recorded, now, saying(text));
    return [told, isHalfTold(told, some, recorded, now)];
  };
  assert.deepEqual(
    tell("From the gradient of loss, which is 1, it computes the gradient of y, which is 1."),
    ["From the gradient of loss, which is 2, it computes the gradient of y, which is 2.", false],
  );
  assert.deepEqual(tell("从 loss 的梯度（值为 1）算出"), ["从 loss 的梯度（值为 2）算出", false]);
  assert.deepEqual(tell("its own gradient is 1."), ["its own gradient is 1.", true]);
  assert.deepEqual(tell("they are added up: 1 + 1 = 2."), ["they are added up: 1 + 1 = 2.", true]);
  const other = { name: "z", role: "input", value: 2 };
  const same = (number) => (number === 2 ? value(1) : recorded(number));
  const told = textNow("x.grad is now 1.", [...shown, other], same, now, saying("is"));
  assert.equal(told, "x.grad is now 1."); // 2, or 9
  assert.ok(isHalfTold(told, [...shown, other], same, now));
  assert.deepEqual(tell("y [1] has 3 parts."), ["y [1] has 3 parts.", false]);
});

test("a sentence about an update tells where the parameter comes from and goes now", () => {
  const recorded = from([value(0), value([0.25])]);
  const now = from([value(1), value([2.5])]);
  const shown = [
    { name: "b", role: "before", value: 0 },
    { name: "b", role: "after", value: 1 },
  ];
  const tell = (text) => textNow(text, shown, recorded, now, saying(text));
  assert.equal(tell("SGD updates b: from 0 to 0.25."), "SGD updates b: from 1 to 2.5.");
  assert.equal(tell("SGD 更新 b：从 0 变为 0.25。"), "SGD 更新 b：从 1 变为 2.5。");
  const formula = "b from 0 to 0.25"; // no sentence
  assert.equal(textNow(formula, shown, recorded, now), formula);
});

test("constants are told where they stand once, and a formula that would not be true is left out", () => {
  const values = [{ data: 2 }, { data: 3 }];
  const [recorded, now] = [() => values[0], () => values[1]];
  const named = namedAt([["y · scale", 0, [4]]], "forward", 4);
  assert.deepEqual(named, [{ name: "y · scale", value: 0, role: "constant", node: null }]);
  assert.deepEqual(namedAt([["y · scale", 0, [4]]], "forward", 5), []);
  const tell = (text, phase = "forward") => formulaNow(text, phase, named, recorded, now);
  assert.equal(tell("y = 2 · x"), "y = 3 · x");
  assert.equal(tell("dx = 2 · dy", "backward"), "dx = 3 · dy");
  assert.equal(tell("dx = 2 · x^1", "backward"), "");
  assert.equal(tell("y = x²"), "");
  assert.equal(tell("y = 2 · x + 2"), "");
  const say = (text) => sentenceNow(text, named, [], recorded, now).text;
  assert.equal(say("x [2, 2] is multiplied by 2."), "x [2, 2] is multiplied by 3.");
  assert.equal(say("2 times 2."), "2 times 2.");
});

test("a number in the name of a value is no constant, and one that is told twice is left with a word", () => {
  const scale = { shape: [], dtype: "float64", data: 0.5, stats: {} };
  const other = { ...scale, data: 3 };
  const named = [{ name: "h · scale", value: 0, role: "constant", node: null }];
  const shown = [{ name: "(y − t) × 0.5", value: 1, role: "output", node: null }];
  const say = (text) =>
    sentenceNow(
      text,
      named,
      shown,
      () => scale,
      () => other,
    );
  assert.deepEqual(say("y − t is multiplied by 0.5, giving (y − t) × 0.5 [2, 2]."), {
    text: "y − t is multiplied by 3, giving (y − t) × 0.5 [2, 2].",
    half: false,
  });
  const twice = "y is multiplied by 0.5, plus 0.5.";
  assert.deepEqual(say(twice), { text: twice, half: true });
});

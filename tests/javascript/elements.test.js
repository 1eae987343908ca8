// Single elements: where they lie, what they are called, and what stands between gradients.

import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOfStep } from "../../viz/player/web/factors.js";
import { fillFormula, fillNames, termsOfSum } from "../../viz/player/web/formula.js";
import { inverseOf, placeOfNumber } from "../../viz/player/web/whatif/listing.js";
import { formulaOf, piecesOf } from "./formulas.js";

test("the element at a place in memory is found, whatever the strides", () => {
  const layouts = [
    { shape: [2, 3], strides: [3, 1], offset: 0 },
    { shape: [3, 2], strides: [1, 3], offset: 0 }, // turned
    { shape: [2, 2], strides: [-6, 2], offset: 7 }, // a part, upside down
    { shape: [3], strides: [4], offset: 0 }, // a diagonal
    { shape: [1, 3, 1], strides: [0, -1, 5], offset: 2 },
    { shape: [], strides: [], offset: 4 },
  ];
  for (const layout of layouts) {
    const inverse = inverseOf(layout);
    const size = layout.shape.reduce((product, length) => product * length, 1);
    const places = Array.from({ length: size }, (_, at) => placeOfNumber(layout, at));
    for (let place = -1; place < 12; place++) assert.equal(inverse(place), places.indexOf(place));
  }
  assert.equal(inverseOf({ shape: [2, 3], strides: [0, 1], offset: 0 })(1), -1); // of two
});

/** A step that shows a gradient in and one out. */
function backward(formula, terms) {
  const shown = [
    { name: "dy", role: "grad_in", value: 0 },
    { name: "dx", role: "grad_out", value: 1 },
  ];
  return {
    phase: "backward",
    formula: formulaOf(formula),
    terms: terms.map((name) => [name, 2]),
    shown,
  };
}

test("values that the formula of a gradient names stand between gradients, with signs", () => {
  const told = (...step) =>
    entriesOfStep(backward(...step)).map(({ name, sign = "" }) => `${sign} ${name}`.trim());
  assert.deepEqual(told("dx = dy · y", ["y"]), ["dy", "· y", "= dx"]);
  assert.deepEqual(told("dx += dy · y · (1 − y)", ["y"]), ["dy", "· y", "· (1 − y) = dx"]);
  assert.deepEqual(told("dx = dy · 3 · x²", ["x"]), ["dy", "· 3 · x", "² = dx"]);
  assert.deepEqual(told("dx = dy / (n + 1)", ["n"]), ["dy", "/ ( n", "+ 1) = dx"]);
  assert.deepEqual(told("dx = dy @ wᵀ", ["w"]), ["dy", "@ w", "ᵀ = dx"]);
  assert.deepEqual(told("dx = y · (dy − m)", ["y"]), ["y", "· ( dy", "− m) = dx"]);
  assert.deepEqual(told("dx = (x − y) · dy", ["x", "y"]), ["( x", "− y", ") · dy", "= dx"]);
  assert.deepEqual(told("dx = dy", []), ["dy", "= dx"]);
  const long = `dx = dy · ${"(y + 1) · ".repeat(4)}y`; // a card has no room for it
  assert.deepEqual(told(long, ["y"]), ["dy", "y", "dx"]);
  const elsewhere = backward("dx = dy · y", ["y"]);
  elsewhere.shown.unshift({ name: "x", role: "before", value: 3 });
  assert.equal(entriesOfStep(elsewhere), elsewhere.shown);
});

test("a step forward is an equation, in the order of its formula", () => {
  /** @type {(formula: string, ...names: string[]) => string[]} */
  const told = (formula, ...names) => {
    const inputs = names.map((name, value) => ({ name, role: "input", value }));
    const shown = [...inputs, { name: "y", role: "output", value: 9 }];
    const step = { phase: "forward", formula: formulaOf(formula), terms: [], shown };
    return entriesOfStep(step).map(({ name, sign = "" }) => `${sign} ${name}`.trim());
  };
  assert.deepEqual(told("y = x @ w", "x", "w"), ["x", "@ w", "= y"]);
  assert.deepEqual(told("y = x @ w + b", "x", "w", "b"), ["x", "@ w", "+ b", "= y"]);
  assert.deepEqual(told("y = w · (x − 1)", "x", "w"), ["w", "· ( x", "− 1) = y"]);
  assert.deepEqual(told("y = max(0, x)", "x"), ["x", "max(0, x) = y"]);
  assert.deepEqual(told("x @ w", "x", "w"), ["x", "@ w", "= y"]); // y is called x @ w
  assert.deepEqual(told("y = f(x, w)", "x", "w"), ["x", "w", "y"]);
  assert.deepEqual(told("y = 2 · x", "x", "seed"), ["x", "seed", "y"]);
});

test("each result of a step has before it what no other table shows", () => {
  const step = backward("dx = dy @ wᵀ, dw += xᵀ @ dy", ["x", "w"]);
  step.shown.push({ name: "dw", role: "grad_out", value: 4 });
  assert.deepEqual(
    entriesOfStep(step).map(({ name, sign = "" }) => `${sign} ${name}`.trim()),
    ["dy", "@ w", "ᵀ = dx", "x", "ᵀ @ dy = dw"],
  );
});

test("a formula is filled where it is one of single numbers", () => {
  const of = (data) => ({ shape: [2], data });
  const table = new Map([
    ["x", of([3, -2])],
    ["y", of([3, 0])],
  ]);
  const chosen = { index: [1], shape: [2] };
  assert.equal(fillFormula(formulaOf("y = max(0, x)"), table, chosen), "0 = max(0, −2)");
  assert.equal(
    fillFormula([["", "y", " = ", "e", "⁻", "ˣ", ""], piecesOf("x = y")], table, chosen),
    "0 = e^(−(−2)), −2 = 0",
  );
  assert.equal(fillFormula(formulaOf("y = Σ x"), table, chosen), null);
  const numbers = new Map([["x", -2]]);
  assert.equal(fillNames(piecesOf("x / 2 + x²"), numbers), "−2 / 2 + (−2)²");
  assert.equal(fillNames(piecesOf("1 / (x + n)"), numbers), null);
  assert.equal(fillNames(["", "x", "²", "x", ""], numbers), "(−2)² · (−2)");
  assert.equal(fillNames(piecesOf("x[0]"), numbers), null);
  assert.equal(fillNames(piecesOf("x · [x > 0]"), numbers), "−2 · [−2 > 0]");
});

test("the terms of an update have its signs", () => {
  const numbers = [0.5, 2, 0.3];
  const shown = ["", "− 0.1 ×", "="].map((sign, value) => ({ value, ...(sign && { sign }) }));
  const entryOf = (value) => ({ shape: [], data: numbers[value] });
  const terms = termsOfSum(shown, entryOf, shown[2], { index: [], shape: [] });
  assert.deepEqual(
    terms.map(({ product }) => product),
    [0.5, -0.2],
  );
  const unknown = { shape: [], data: null };
  const all = { index: [], shape: [] };
  assert.deepEqual(
    termsOfSum(shown, () => unknown, shown[2], all),
    [],
  );
});

// Questions: which a step has, how answers are read, and which are right.

import assert from "node:assert/strict";
import { test } from "node:test";

import { typedSizes } from "../../viz/player/web/edit.js";
import {
  ASKS,
  chance,
  createQuestions,
  inWords,
  isRight,
  numberGiven,
  questionOf,
  readAnswer,
  waysOn,
} from "../../viz/player/web/questions.js";

// y = tanh(x), its backward, and x.grad; there are two more boxes to be wrong about.
const graph = {
  ids: ["seed", "tanh", "x.grad", "other", "more", "loss"],
  look: [0, 0, 0, 0, 0, 1],
  looks: [{ lane: "backward" }, { lane: "forward" }],
  wire_ids: ["e1", "e2", "e3", "e4", "e5"],
  wires: [
    [0, 1],
    [1, 2],
    [3, 4],
    [4, 3],
    [3, 5],
  ],
};
const value = (shape, data) => ({ shape, dtype: "float32", data, stats: {} });
const values = [value([2], [1, 1]), value([2], [0.5, -0.25]), value([2], [0, 0])];
const back = { phase: "backward", kind: "visit" };
const entry = (role, node, number) => ({ name: `d${node}`, role, node, value: number });
const steps = [
  { ...back, kind: "seed", nodes: ["seed"], edges: [], shown: [entry("grad_out", "seed", 0)] },
  {
    ...back,
    nodes: ["tanh"],
    edges: ["e1"],
    shown: [entry("grad_in", "tanh", 0), entry("grad_out", "tanh", 1)],
  },
  { ...back, kind: "leaf", nodes: ["x.grad"], edges: ["e2"], shown: [] },
  { ...back, kind: "leaf", nodes: ["more"], edges: ["e3", "e4", "e5"], shown: [] },
];
const payload = { graph, steps, values };
const ask = (kinds, seed = 0, of = payload) =>
  questionOf(
    of,
    1,
    1,
    kinds,
    seed,
    (box) => box,
    (number) => of.values[number],
  );

test("the same seed and step ask the same", () => {
  const asked = Array.from({ length: 20 }, (_, seed) => JSON.stringify(ask(ASKS, seed)));
  assert.deepEqual(
    asked,
    asked.map((_, seed) => JSON.stringify(ask(ASKS, seed))),
  );
  assert.ok(new Set(asked).size > 4);
  const kinds = new Set(asked.map((text) => JSON.parse(text).ask));
  assert.deepEqual([...kinds].sort(), ["next", "shape", "sign", "value"]);
});

test("chance is even, and hangs on seed and step", () => {
  const draw = chance(3, 4);
  const drawn = Array.from({ length: 2000 }, draw);
  const mean = drawn.reduce((sum, x) => sum + x, 0) / drawn.length;
  assert.ok(Math.abs(mean - 0.5) < 0.03);
  assert.ok(drawn.every((x) => x >= 0 && x < 1));
  assert.notEqual(chance(3, 4)(), chance(3, 5)());
  assert.notEqual(chance(3, 4)(), chance(4, 4)());
});

test("a number is one of the array", () => {
  for (let seed = 0; seed < 10; seed += 1) {
    const { of, truth, element } = ask(["value"], seed);
    assert.equal(truth, values[1].data[element.index[0]]);
    assert.equal(of, `dtanh[${element.index}]`);
  }
});

test("signs are offered with zero between them", () => {
  const found = new Set(Array.from({ length: 10 }, (_, seed) => ask(["sign"], seed).truth));
  assert.deepEqual([...found].sort(), ["minus", "plus"]);
  const zeros = { ...payload, values: [values[0], values[2]] };
  assert.equal(ask(["sign"], 0, zeros).truth, "zero");
  assert.deepEqual(ask(["sign"]).choices, ["minus", "zero", "plus"]);
});

test("a gradient goes on by a wire of a later step", () => {
  assert.deepEqual(waysOn(payload, 1, "tanh"), { wires: ["e2"], targets: ["x.grad"] });
  assert.deepEqual(waysOn(payload, 2, "tanh"), { wires: [], targets: [] });
  const { truth, choices, hidden } = ask(["next"]);
  assert.equal(truth, "x.grad");
  assert.deepEqual([...choices].sort(), ["more", "other", "tanh", "x.grad"]); // no loss: forward
  assert.deepEqual(hidden, ["e2"]);
});

test("where nothing can be asked there is no question", () => {
  const none = { ...payload, values: [values[0], value([2], null)] };
  assert.equal(ask(["value"], 0, none), null);
  assert.equal(ask(["value", "shape"], 0, none).ask, "shape");
  assert.equal(ask(["shape"], 0, { ...payload, values: [values[0], value([], 1)] }), null);
  const odd = { ...payload, values: [values[0], value([2], ["nan", 1])] };
  assert.equal(ask(["value", "sign"], 0, odd), null);
  const stale = { ...payload, values: [values[0], { ...values[1], stale: "python" }] };
  assert.equal(ask(["value", "sign"], 0, stale), null); // it does not follow the edits
  const large = { ...payload, values: [value([65], []), values[1]] };
  assert.equal(ask(["value"], 0, large), null); // not by hand
});

test("numbers are read as people type them", () => {
  assert.equal(numberGiven(" 0.25 "), 0.25);
  assert.equal(numberGiven("−1/4"), -0.25);
  assert.equal(numberGiven("1e-3"), 0.001);
  for (const text of ["", "a", "1/0", "1/2/3", "1 2", "/2", "nan", "Infinity"]) {
    assert.equal(numberGiven(text), null, text);
  }
});

test("shapes are read as people type them", () => {
  for (const text of ["[2, 3]", "(2, 3)", "2 x 3", "2×3", "2,3", " 2 3 ", "[2，3]", "2*3"]) {
    assert.deepEqual(typedSizes(text), [2, 3], text);
  }
  assert.deepEqual(typedSizes("[]"), []);
  assert.deepEqual(typedSizes("(4,)"), [4]);
  for (const text of ["", "a", "2, -1", "2.5", "[2, x]"])
    assert.equal(typedSizes(text), null, text);
});

test("a number is right within a hundredth of it, or of its array", () => {
  const question = { ask: "value", truth: 2, rms: 1, choices: [] };
  assert.ok(isRight(question, 2.0199));
  assert.ok(!isRight(question, 2.0201));
  const small = { ...question, truth: 0 };
  assert.ok(isRight(small, 0.0099));
  assert.ok(!isRight(small, 0.0101));
});

test("everything else is right or not", () => {
  assert.ok(isRight({ ask: "shape", truth: [2, 3] }, [2, 3]));
  assert.ok(!isRight({ ask: "shape", truth: [2, 3] }, [3, 2]));
  assert.ok(isRight({ ask: "sign", truth: "plus" }, "plus"));
  assert.equal(readAnswer({ ask: "sign", choices: ["plus"] }, "up"), null);
});

test("answers are told in words", () => {
  const name = (key) => `<${key}>`;
  assert.equal(inWords({ ask: "shape" }, [2, 3], name), "[2, 3]");
  assert.equal(inWords({ ask: "value" }, 0.123456, name), "0.1235");
  assert.equal(inWords({ ask: "next" }, "x.grad", name), "<x.grad>");
});

test("an open question stops the reader, and an answered one lets go on", () => {
  const at = { chapter: 0, quiz: true, answered: new Set(), stopped: 2 };
  const {
    open,
    ahead,
    at: asked,
    rule,
  } = createQuestions(
    {
      ask: { kind: "quiz", steps: [1], asks: ["value"], seed: 0 },
      whatIf: { subscribe: () => {}, entry: (_, number) => values[number] },
      indexOf: ({ step }) => step,
      chapter: () => payload,
    },
    {},
  );
  const first = { ...at, step: 0 };
  assert.equal(open(first), null);
  assert.equal(open({ ...at, step: 1 }).number, 1);
  assert.deepEqual(rule({ ...at, step: 3 }, first), { step: 1, playing: false, stopped: 3 });
  assert.deepEqual(rule(first, { ...at, step: 3 }), {}); // back
  assert.deepEqual(
    [0, 1, 2].map((step) => ahead(0, { ...at, step })),
    [true, true, false],
  );
  const answered = { ...at, answered: new Set([1]) };
  assert.equal(open({ ...answered, step: 1 }), null);
  assert.equal(asked({ ...answered, step: 1 }).number, 1);
  assert.deepEqual(rule({ ...answered, step: 3 }, first), {});
  assert.equal(ahead(0, { ...answered, step: 0 }), false);
  assert.equal(open({ ...at, quiz: false, step: 1 }), null);
});

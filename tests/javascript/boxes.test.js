// Open and closed boxes: which scene is shown, and what stands for what is hidden in it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bordersOf } from "../../viz/player/web/borders.js";
import { toggleGroup, unfoldTo } from "../../viz/player/web/folding.js";
import { visitsIn } from "../../viz/player/web/graph.js";
import { resolverIn } from "../../viz/player/web/resolver.js";
import { matchingBoxes } from "../../viz/player/web/search.js";
import { createStore } from "../../viz/player/web/store.js";
import { places } from "../../viz/player/web/twin.js";
import { createView } from "../../viz/player/web/view.js";

const box = (id, more = {}) => ({
  id,
  label: id,
  detail: "",
  lane: "forward",
  tag_of: null,
  ...more,
});
const wire = (source, target, kind = "data") => ({
  id: `${source}>${target}`,
  source,
  target,
  kind,
  colour: kind === "data" ? "forward" : "backward",
});
const step = (nodes, edges = [], more = {}) => ({
  phase: "forward",
  nodes,
  edges,
  shown: [],
  ...more,
});

// x -> [tanh -> exp] -> loss, the group closed as the box L and open as the frame G.
const payload = {
  scenes: {
    "": {
      boxes: [box("x"), box("L", { label: "layer", toggles: "g" }), box("loss")],
      wires: [wire("x", "L"), wire("L", "loss")],
      frames: [],
    },
    g: {
      boxes: [box("x"), box("tanh"), box("exp"), box("loss")],
      wires: [wire("x", "tanh"), wire("tanh", "exp"), wire("exp", "loss")],
      frames: [{ id: "G", lane: "forward", toggles: "g", label: "layer" }],
    },
  },
  open: "",
  up: { tanh: "L", exp: "L", L: "G" },
  ends: {
    "x>tanh": ["x", "tanh", "data"],
    "exp>loss": ["exp", "loss", "data"],
    "tanh>exp": ["tanh", "exp", "data"],
  },
  steps: [
    step(["x"]),
    step(["tanh"], ["x>tanh"], {
      shown: [{ name: "x", role: "input", node: "x", value: 0 }],
    }),
    step(["exp"], ["tanh>exp"]),
    step(["loss"], ["exp>loss"]),
  ],
};

test("a closed box stands for what is in it, a frame for its closed box", () => {
  const closed = resolverIn(payload, payload.scenes[""]);
  assert.deepEqual(["x", "tanh", "exp", "L"].map(closed), ["x", "L", "L", "L"]);
  assert.equal(closed("x>tanh"), "x>L");
  assert.equal(closed("tanh>exp"), undefined);
  const open = resolverIn(payload, payload.scenes.g);
  assert.deepEqual(["tanh", "L"].map(open), ["tanh", "G"]);
  assert.equal(open("nobody"), undefined);
});

test("names of an object's own making are only names", () => {
  const resolve = resolverIn(payload, payload.scenes[""]);
  assert.equal(resolve("constructor"), undefined);
  assert.equal(resolve("__proto__"), undefined);
});

test("a repeated tensor takes part in the wires of its leaf", () => {
  const scene = {
    boxes: [box("w"), box("w'", { tag_of: "w" }), box("L")],
    wires: [wire("w'", "L")],
    frames: [],
  };
  const resolve = resolverIn({ up: { mul: "L" }, ends: { "w>mul": ["w", "mul", "data"] } }, scene);
  assert.equal(resolve("w>mul"), "w'>L");
  const visits = visitsIn({ steps: [step([], ["w>mul"])] }, scene, resolve);
  assert.deepEqual([...visits.active[0]], ["w'>L", "w'"]);
});

test("opening leads to the scene that differs least, of equal ones to the smallest", () => {
  const keys = ["", "a", "a+b", "a+b+c", "c"];
  assert.equal(toggleGroup(keys, "", "a"), "a");
  assert.equal(toggleGroup(keys, "a", "a"), "");
  assert.equal(toggleGroup(keys, "", "b"), "a+b");
  assert.equal(toggleGroup(keys, "a", "c"), "c");
  assert.equal(toggleGroup(keys, "a+b", "c"), "a+b+c");
  assert.equal(toggleGroup(keys, "a+b+c", "b"), "a");
  assert.equal(toggleGroup(keys, "a", "nobody"), "a");
});

test("a hidden box is unfolded, a visible one and an open frame are left", () => {
  assert.equal(unfoldTo(payload, "", "exp"), "g");
  assert.equal(unfoldTo(payload, "", "x"), "");
  assert.equal(unfoldTo(payload, "g", "L"), "g");
  assert.equal(unfoldTo(payload, "", "nobody"), "");
});

test("the view follows the store", () => {
  const store = createStore({ step: 1, open: "", selected: null, hits: [], lang: "en" });
  const view = createView(payload, store);
  assert.equal(view.step(), payload.steps[1]);
  assert.equal(view.resolve("tanh"), "L");
  assert.equal(view.part("L").label, "layer");
  store.set({ open: "g", step: 99 });
  assert.equal(view.resolve("tanh"), "tanh");
  assert.equal(view.part("G").toggles, "g");
  assert.equal(view.part("L").toggles, "g"); // not here, but in the other scene
  assert.deepEqual(view.step().shown, []);
});

test("a step lights what stands for its nodes, and each act has its first visits", () => {
  const scene = payload.scenes[""];
  const built = payload.steps.map((each) => ({ ...each, phase: "build" }));
  const both = { steps: [...built, ...payload.steps] };
  const { active, first } = visitsIn(both, scene, resolverIn(payload, scene));
  assert.deepEqual([...active[1]], ["L", "x>L"]);
  assert.deepEqual([...active[2]], ["L"]);
  assert.equal(first.build.get("L"), 1);
  assert.equal(first.eager.get("L"), 5);
  assert.equal(first.run.size, 0);
});

test("a closed box has the values that its wires brought", () => {
  const borders = (last) => bordersOf(payload, payload.scenes[""].boxes[1], last);
  assert.deepEqual(borders(0), []);
  const [[entry, at]] = borders(1);
  assert.deepEqual([entry.name, entry.role, entry.value], ["x", "input", 0]);
  assert.equal(at, payload.steps[1]);
  assert.deepEqual(bordersOf(payload, payload.scenes.g.frames[0], 1), borders(1));
});

test("a search finds hidden boxes too, and a repeated tensor once", () => {
  const scenes = [
    ...Object.values(payload.scenes),
    { boxes: [box("x'", { label: "X", tag_of: "x" })] },
  ];
  assert.deepEqual(matchingBoxes(scenes, "x"), ["x", "exp"]);
  assert.deepEqual(matchingBoxes(scenes, "  LAY "), ["L"]);
  assert.deepEqual(matchingBoxes(scenes, "   "), []);
  assert.deepEqual(matchingBoxes(scenes, "nobody"), []);
});

test("of two stories each side stays where it was until it moves", () => {
  assert.deepEqual(
    places([
      [0, null],
      [null, 0],
      [1, 1],
    ]),
    [
      [
        { at: 0, moved: true },
        { at: -1, moved: false },
      ],
      [
        { at: 0, moved: false },
        { at: 0, moved: true },
      ],
      [
        { at: 1, moved: true },
        { at: 1, moved: true },
      ],
    ],
  );
});

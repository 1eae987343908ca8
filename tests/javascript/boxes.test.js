// Open and closed boxes: what is shown of a graph, and what stands for what is hidden in it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bordersOf } from "../../viz/player/web/borders.js";
import { compose } from "../../viz/player/web/compose.js";
import { toggleGroup, unfoldTo } from "../../viz/player/web/follow.js";
import { visitsIn } from "../../viz/player/web/graph.js";
import { matchingBoxes } from "../../viz/player/web/search.js";
import { createStore } from "../../viz/player/web/store.js";
import { places } from "../../viz/player/web/twin.js";
import { createView, facesOf } from "../../viz/player/web/view.js";
import { graphOf } from "./graphs.js";

const step = (nodes, edges = [], more = {}) => ({
  phase: "forward",
  nodes,
  edges,
  shown: [],
  ...more,
});

// x -> [tanh -> exp] -> loss, the group closed as the box L and open as the frame G.
const graph = graphOf(["x", "L", "tanh", "exp", "loss"], {
  labels: ["x", "layer", "tanh", "exp", "loss"],
  groups: [{ id: "G", box: "L", toggles: "g", inside: ["tanh", "exp"] }],
  wires: ["x>tanh", "tanh>exp", "exp>loss"],
  low: "10111",
});
const none = new Set();
const all = new Set(["g"]);

const payload = {
  graph,
  open: [],
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
  const closed = compose(graph, none);
  assert.deepEqual(
    closed.boxes.map(({ id }) => id),
    ["x", "L", "loss"],
  );
  assert.deepEqual(["x", "tanh", "exp", "L"].map(closed.resolve), ["x", "L", "L", "L"]);
  assert.equal(closed.resolve("x>tanh"), "x>tanh");
  assert.equal(closed.resolve("tanh>exp"), undefined);
  const open = compose(graph, all);
  assert.deepEqual(
    open.frames.map(({ id }) => id),
    ["G"],
  );
  assert.deepEqual(["tanh", "L"].map(open.resolve), ["tanh", "G"]);
  assert.equal(open.resolve("nobody"), undefined);
});

test("names of an object's own making are only names", () => {
  const { resolve } = compose(graph, none);
  assert.equal(resolve("constructor"), undefined);
  assert.equal(resolve("__proto__"), undefined);
});

test("a wire from a tag lights the tag", () => {
  const scene = {
    boxes: [
      { id: "w'", tag_of: "w" },
      { id: "L", tag_of: null },
    ],
    wires: [{ id: "w>mul", source: "w'", target: "L" }],
  };
  const visits = visitsIn({ steps: [step([], ["w>mul"])] }, scene, (id) => id);
  assert.deepEqual([...visits.active[0]], ["w>mul", "w'"]);
});

test("a group opens and closes, and the others stay as they are", () => {
  assert.deepEqual([...toggleGroup(new Set(["a"]), "b")], ["a", "b"]);
  assert.deepEqual([...toggleGroup(new Set(["a", "b"]), "a")], ["b"]);
});

test("a hidden box is unfolded, a visible one and an open frame are left", () => {
  assert.deepEqual([...unfoldTo(graph, none, "exp")], ["g"]);
  assert.equal(unfoldTo(graph, none, "x"), none);
  assert.equal(unfoldTo(graph, all, "L"), all);
  assert.equal(unfoldTo(graph, none, "nobody"), none);
});

test("the view follows the store", () => {
  const store = createStore({
    chapter: 0,
    step: 1,
    open: none,
    selected: null,
    hits: [],
    lang: "en",
  });
  const view = createView({ chapters: [{ graph }], chapter: () => payload }, store);
  assert.equal(view.step(), payload.steps[1]);
  assert.equal(view.resolve("tanh"), "L");
  assert.equal(view.part("L").label, "layer");
  store.set({ open: all, step: 99 });
  assert.equal(view.resolve("tanh"), "tanh");
  assert.equal(view.part("G").toggles, "g");
  assert.equal(view.part("L").toggles, "g"); // not here, but when the group is closed
  assert.deepEqual(view.step().shown, []);
});

test("a step lights what stands for its nodes, and each act has its first visits", () => {
  const scene = compose(graph, none);
  const built = payload.steps.map((each) => ({ ...each, phase: "build" }));
  const both = { steps: [...built, ...payload.steps] };
  const { active, first } = visitsIn(both, scene, scene.resolve);
  assert.deepEqual([...active[1]], ["L", "x>tanh"]);
  assert.deepEqual([...active[2]], ["L"]);
  assert.equal(first.build.get("L"), 1);
  assert.equal(first.eager.get("L"), 5);
  assert.equal(first.run.size, 0);
});

test("a closed box has the values that its wires brought", () => {
  const borders = (last) => bordersOf(payload, none, compose(graph, none).boxes[1], last);
  assert.deepEqual(borders(0), []);
  const [[entry, at]] = borders(1);
  assert.deepEqual([entry.name, entry.role, entry.value], ["x", "input", 0]);
  assert.equal(at, payload.steps[1]);
  assert.deepEqual(bordersOf(payload, all, compose(graph, all).frames[0], 1), borders(1));
});

test("a search finds hidden boxes too, and a repeated tensor once", () => {
  const faces = [...facesOf(graph), { id: "x'", label: "X", detail: "", tag_of: "x" }];
  assert.deepEqual(matchingBoxes(faces, "x"), ["x", "exp"]);
  assert.deepEqual(matchingBoxes(faces, "  LAY "), ["L"]);
  assert.deepEqual(matchingBoxes(faces, "   "), []);
  assert.deepEqual(matchingBoxes(faces, "nobody"), []);
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

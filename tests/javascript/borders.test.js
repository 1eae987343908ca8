// What goes into a closed group and comes out of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blueprintOf } from "../../viz/player/web/blueprint.js";
import { bordersOf } from "../../viz/player/web/borders.js";
import { faceOf } from "../../viz/player/web/compose.js";
import { graphOf } from "./graphs.js";

const graph = graphOf(["a", "x", "y", "r", "G.box"], {
  groups: [{ id: "G", box: "G.box", inside: ["x", "y"] }],
  wires: ["a>x", "x>y", "y>r"],
});
const entry = (name, role, node = null) => ({ name, role, node, value: 0 });
const steps = [
  // Of two inputs, one comes along the wire.
  { edges: ["a>x"], shown: [entry("w", "input"), entry("a", "input"), entry("h", "output", "x")] },
  { edges: ["x>y"], shown: [entry("h", "input", "x"), entry("z", "output", "y")] },
  // No value moves along this wire; one stands at its start.
  { edges: ["y>r"], shown: [entry("other", "input"), entry("z", "output", "y")] },
];
const flows = [
  [0, "a>x", 1],
  [1, "x>y", 0],
];

test("the borders of a group are the values that its wires carry, up to the step", () => {
  const group = faceOf(blueprintOf(graph).named.get("G.box"));
  const told = (last) =>
    bordersOf({ graph, steps, flows }, new Set(), group, last).map(
      ([{ name, role }, step]) => `${steps.indexOf(step)} ${role} ${name}`,
    );
  assert.deepEqual(told(1), ["0 input a"]);
  assert.deepEqual(told(2), ["0 input a", "2 output z"]);
});

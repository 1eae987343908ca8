// Values that go into a box and come out of it, found by its wires.

import { blueprintOf } from "./blueprint.js";
import { compose } from "./compose.js";
import { isResult } from "./factors.js";
import { unfoldTo } from "./follow.js";

/** @import { Graph, Payload, Shown, Step } from "./payload.d.ts" */
/** @import { Face, Wire } from "./compose.js" */

const ORDER = ["data", "input", "grad_in", "output", "grad_out", "saved"];

/**
 * Return the scene in which a box is drawn, closed if it is a group, and the box.
 * @param {Graph} graph
 * @param {ReadonlySet<string>} open
 * @param {Face} part
 */
function closedBox(graph, open, part) {
  const { id } = blueprintOf(graph).named.get(part.id) ?? part;
  const names = new Set(unfoldTo(graph, open, id));
  names.delete(part.toggles ?? "");
  const scene = compose(graph, names);
  return { scene, box: scene.boxes.find((box) => box.id === id) };
}

/**
 * Return the values that a wire carries in a step in which it is active: those that move along it,
 * or else the one at its start or at its end.
 * @type {(step: Step, moved: Shown[], wire: Wire, resolve: (id: string) => string | undefined) => Shown[]}
 */
function valuesOnWire({ shown }, moved, wire, resolve) {
  if (wire.kind === "saved") return shown.filter(({ role }) => role === "saved");
  if (moved.length) return moved;
  const [left, arrived] = [wire.source, wire.target].map((id) =>
    shown.filter(({ node }) => node !== null && resolve(node) === id),
  );
  return [left.filter(isResult), left, arrived].find((some) => some.length === 1) ?? [];
}

/** @type {(wire: Wire, inwards: boolean, part: Face) => string} */
function roleOf(wire, inwards, part) {
  if (wire.kind === "saved") return "saved";
  if (wire.colour === "backward") return inwards ? "grad_in" : "grad_out";
  return inwards ? "input" : part.toggles ? "output" : "data"; // a tensor gives itself
}

/**
 * Return the name of a tensor, or the English label of another box.
 * @param {Face} face
 */
function nameOf({ label }) {
  return typeof label === "string" ? label : (label.en ?? "");
}

/**
 * Return pairs of entry and step up to the step `last`: the latest of each role and name.
 * @param {Payload} payload
 * @param {ReadonlySet<string>} open
 * @param {Face} part
 * @param {number} last
 */
export function bordersOf(payload, open, part, last) {
  const { scene, box } = closedBox(payload.graph, open, part);
  if (!box) return [];
  const { resolve } = scene;
  /** @type {Map<string, [Shown, Step]>} */
  const latest = new Map();
  for (const wire of scene.wires) {
    if (wire.source !== box.id && wire.target !== box.id) continue;
    const role = roleOf(wire, wire.target === box.id, part);
    const flows = payload.flows.filter(([, id]) => resolve(id) === wire.id);
    for (const [at, step] of payload.steps.slice(0, last + 1).entries()) {
      if (!step.edges.some((id) => resolve(id) === wire.id)) continue;
      const moved = flows.flatMap(([own, , place]) => (own === at ? [step.shown[place]] : []));
      for (const entry of valuesOnWire(step, moved, wire, resolve)) {
        const name = role === "data" ? nameOf(part) : entry.name;
        latest.set(`${role} ${name}`, [{ ...entry, role, name }, step]);
      }
    }
  }
  return [...latest.values()].sort(
    ([one], [other]) => ORDER.indexOf(one.role) - ORDER.indexOf(other.role),
  );
}

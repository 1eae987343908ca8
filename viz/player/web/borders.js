// Values that go into a box and come out of it, found by its wires.

import { blueprintOf } from "./blueprint.js";
import { compose } from "./compose.js";
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
 * Return the values that a wire carries in a step in which it is active, as the step's edge `lit`.
 * @param {Step} step
 * @param {string} lit
 * @param {Wire} wire
 * @param {string | undefined} name
 */
function valuesOnWire(step, lit, wire, name) {
  /** @param {string[]} roles */
  const of = (...roles) => step.shown.filter((entry) => roles.includes(entry.role));
  if (wire.kind === "saved") return of("saved");
  const values = of("input", "grad_in");
  const named = values.filter((entry) => entry.name === name);
  const left = of("output", "grad_out").filter((entry) => entry.node === wire.source);
  const certain = [named, left, values].find((some) => some.length === 1);
  if (certain) return certain;
  if (!values.length) return step.shown.filter((entry) => entry.node === wire.target);
  return values.length === step.edges.length ? [values[step.edges.indexOf(lit)]] : [];
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
  const labels = new Map(scene.boxes.map((each) => [each.id, nameOf(each)]));
  /** @type {Map<string, [Shown, Step]>} */
  const latest = new Map();
  for (const wire of scene.wires) {
    if (wire.source !== box.id && wire.target !== box.id) continue;
    const role = roleOf(wire, wire.target === box.id, part);
    for (const step of payload.steps.slice(0, last + 1)) {
      const lit = step.edges.find((id) => resolve(id) === wire.id);
      if (!lit) continue;
      for (const entry of valuesOnWire(step, lit, wire, labels.get(wire.source))) {
        const name = role === "data" ? nameOf(part) : entry.name;
        latest.set(`${role} ${name}`, [{ ...entry, role, name }, step]);
      }
    }
  }
  return [...latest.values()].sort(
    ([one], [other]) => ORDER.indexOf(one.role) - ORDER.indexOf(other.role),
  );
}

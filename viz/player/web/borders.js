// What goes into a box and comes out of it, read off its wires.

import { resolverIn } from "./hidden.js";

const ORDER = ["data", "input", "grad_in", "output", "grad_out", "saved"];

// The closed box that an opened frame stands for, and a scene in which it is drawn.
function closedBox(scenes, part) {
  const same = (box) => (part.toggles
    ? box.toggles === part.toggles && box.lane === part.lane : box.id === part.id);
  const scene = Object.values(scenes).find(({ boxes }) => boxes.some(same));
  return { scene, box: scene?.boxes.find(same) };
}

// The values that a wire brings in the step that lights it as its edge `lit`.
function carried(step, lit, wire, name) {
  const of = (...roles) => step.shown.filter((entry) => roles.includes(entry.role));
  if (wire.kind === "saved") return of("saved");
  const values = of("input", "grad_in");
  const named = values.filter((entry) => entry.name === name);
  const left = of("output", "grad_out").filter((entry) => entry.node === wire.source);
  const certain = [named, left, values].find((found) => found.length === 1);
  if (certain) return certain;
  if (!values.length) return step.shown.filter((entry) => entry.node === wire.target);
  return values.length === step.edges.length ? [values[step.edges.indexOf(lit)]] : [];
}

function roleOf(wire, inwards, part) {
  if (wire.kind === "saved") return "saved";
  if (wire.colour === "backward") return inwards ? "grad_in" : "grad_out";
  return inwards ? "input" : part.toggles ? "output" : "data"; // a tensor is what it gives
}

// Pairs of an entry and its step, of the steps up to `index`, the last for each role and name.
export function createBorders(payload) {
  const { scenes, steps } = payload;
  const resolvers = new Map();
  const resolverOf = (scene) => {
    if (!resolvers.has(scene)) resolvers.set(scene, resolverIn(payload, scene));
    return resolvers.get(scene);
  };
  return (part, index) => {
    const { scene, box } = closedBox(scenes, part);
    if (!box) return [];
    const resolve = resolverOf(scene);
    const labels = new Map(scene.boxes.map((each) => [each.id, each.label]));
    const found = new Map();
    for (const wire of scene.wires) {
      if (wire.source !== box.id && wire.target !== box.id) continue;
      const role = roleOf(wire, wire.target === box.id, part);
      for (const step of steps.slice(0, index + 1)) {
        const lit = step.edges.find((id) => resolve(id) === wire.id);
        if (!lit) continue;
        for (const entry of carried(step, lit, wire, labels.get(wire.source))) {
          const name = role === "data" ? part.label : entry.name;
          found.set(`${role} ${name}`, [{ ...entry, role, name }, step]);
        }
      }
    }
    return [...found.values()].sort(([one], [other]) =>
      ORDER.indexOf(one.role) - ORDER.indexOf(other.role));
  };
}

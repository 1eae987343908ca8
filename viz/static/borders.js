// What goes into a box and comes out of it, read off its wires.

const FLOWING = ["input", "grad_in", "saved"];

// The closed box that an opened frame stands for, and a scene in which it is drawn.
function closedBox(scenes, part) {
  const all = Object.values(scenes);
  const same = (box) => (part.toggles
    ? box.toggles === part.toggles && box.lane === part.lane : box.id === part.id);
  const scene = all.find(({ boxes }) => boxes.some(same));
  return { scene, box: scene?.boxes.find(same) };
}

// The value that a wire brings in the step that lights it.
function carried(step, wire, name) {
  const values = step.shown.filter((entry) => FLOWING.includes(entry.role));
  const named = values.find((entry) => entry.name === name);
  if (named || values.length === 1) return named ?? values[0];
  return values.length === step.edges.length ? values[step.edges.indexOf(wire.id)] : undefined;
}

function roleOf(wire, inwards) {
  if (wire.kind === "saved") return "saved";
  if (wire.colour === "backward") return inwards ? "grad_in" : "grad_out";
  return inwards ? "input" : "output";
}

// Pairs of an entry and its step, of the steps up to `index`, each value once.
export function createBorders({ scenes, steps }) {
  return (part, index) => {
    const { scene, box } = closedBox(scenes, part);
    if (!box) return [];
    const labels = new Map(scene.boxes.map((each) => [each.id, each.label]));
    const found = new Map();
    const alias = (id) => scene.alias[id] ?? id;
    for (const wire of scene.wires.filter(({ source, target }) => [source, target].includes(box.id))) {
      const inwards = wire.target === box.id;
      steps.slice(0, index + 1).forEach((step) => {
        const lit = step.edges.find((id) => alias(id) === wire.id);
        const entry = lit && carried(step, { id: lit }, labels.get(wire.source));
        const role = roleOf(wire, inwards);
        if (entry) found.set(`${role} ${entry.name}`, [{ ...entry, role }, step]);
      });
    }
    return [...found.values()].sort(([one], [other]) => order(one.role) - order(other.role));
  };
}

function order(role) {
  return ["input", "grad_in", "output", "grad_out", "saved"].indexOf(role);
}

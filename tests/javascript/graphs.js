// Graphs as payloads have them, for the tests: boxes in one lane, some of them in groups.

const LOOK = { kind: "op", lane: "forward", shape: "box", w: 60, h: 32, detail: "", badges: [] };

/**
 * A graph of boxes with these names. `groups` say which box stands for them when they are closed, and
 * what is in them; `labels` what boxes are called, if not by their names; `more` is put in last.
 */
export function graphOf(ids, { groups = [], labels = ids, wires = [], ...more } = {}) {
  const numbers = new Map(ids.map((id, number) => [id, number]));
  const hidden = new Set(groups.flatMap(({ inside }) => inside));
  const containers = [ids.filter((id) => !hidden.has(id)), ...groups.map(({ inside }) => inside)];
  return {
    lanes: [["forward", 0]],
    ids,
    look: ids.map((_, number) => number),
    looks: labels.map((label) => ({ ...LOOK, label })),
    low: "1".repeat(ids.length),
    tags: [],
    repeats: [],
    groups: groups.map(({ id, box, toggles = id }) => {
      const label = labels[numbers.get(box)];
      const look = { id, kind: "layer", label, badges: [], toggles, title: label };
      return { item: numbers.get(box), ...look };
    }),
    containers: containers.map((inside, at) => ({
      group: at ? at - 1 : null,
      space: at,
      rows: inside.map((id) => numbers.get(id)),
      blocks: [inside.map(() => 0), null, null, null],
      anchors: inside.slice(0, 1).map((id) => numbers.get(id)),
      head: at ? [40, 40] : [0, 0],
    })),
    wire_ids: wires.map((wire) => wire),
    wires: wires.map((wire) => [...wire.split(">").map((id) => numbers.get(id)), 0, 0]),
    tagged: [],
    wire_looks: [{ kind: "data", colour: "forward", way: "flow", up: false, spine: true }],
    labels: [["", null, []]],
    ...more,
  };
}

// What stands for things that a scene does not show: the closed box around them, the merged wire.

// For a scene: which visible id stands for an id, undefined if none does.
export function resolverIn({ up, ends }, scene) {
  const visible = new Set([...scene.boxes, ...scene.wires, ...scene.frames].map(({ id }) => id));
  const tensors = new Map(scene.boxes.map((box) => [box.id, box.tag_of ?? box.id])); // of tags
  const key = (...parts) => parts.join("\n");
  const wires = new Map();
  for (const { id, source, target, kind } of scene.wires) {
    for (const ends of [[source, target], [tensors.get(source), tensors.get(target)]]) {
      const name = key(...ends, kind);
      if (!wires.has(name)) wires.set(name, id);
    }
  }
  const outward = (id) => {
    let at = id;
    while (at !== undefined && !visible.has(at)) at = Object.hasOwn(up, at) ? up[at] : undefined;
    return at;
  };
  return (id) => {
    if (visible.has(id) || !Object.hasOwn(ends, id)) return outward(id);
    const [source, target, kind] = ends[id];
    return wires.get(key(outward(source), outward(target), kind));
  };
}

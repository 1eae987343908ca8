// What stands for things that a scene does not show: the closed box around them, the merged wire.

/** @import { Payload, Scene } from "./payload.d.ts" */

/** @typedef {(id: string) => string | undefined} Resolver */

/** @type {WeakMap<Scene, Resolver>} */
const RESOLVERS = new WeakMap(); // several parts of a page ask about the same scene

/**
 * For a scene: which visible id stands for an id, undefined if none does.
 * @param {Pick<Payload, "up" | "ends">} payload
 * @param {Scene} scene  one of the payload's
 */
export function resolverIn(payload, scene) {
  const resolver = RESOLVERS.get(scene) ?? makeResolver(payload, scene);
  RESOLVERS.set(scene, resolver);
  return resolver;
}

/**
 * @param {Pick<Payload, "up" | "ends">} payload
 * @param {Scene} scene
 * @returns {Resolver}
 */
function makeResolver({ up, ends }, scene) {
  const visible = new Set([...scene.boxes, ...scene.wires, ...scene.frames].map(({ id }) => id));
  const tensors = new Map(scene.boxes.map((box) => [box.id, box.tag_of ?? box.id])); // of tags
  /** @param {(string | undefined)[]} parts */
  const key = (...parts) => parts.join("\n");
  const wires = new Map();
  for (const { id, source, target, kind } of scene.wires) {
    for (const ends of [
      [source, target],
      [tensors.get(source), tensors.get(target)],
    ]) {
      const name = key(...ends, kind);
      if (!wires.has(name)) wires.set(name, id);
    }
  }
  /** @type {Resolver} */
  const outward = (id) => {
    /** @type {string | undefined} */
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

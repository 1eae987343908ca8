// Which groups are open: a set of their names, of which each combination has its scene.

import { blueprintOf, outwards } from "./blueprint.js";

/** @import { Graph } from "./payload.d.ts" */

/**
 * The open groups after one of them has opened or closed.
 * @param {ReadonlySet<string>} open
 * @param {string} name
 */
export function toggleGroup(open, name) {
  const names = new Set(open);
  if (!names.delete(name)) names.add(name);
  return names;
}

/**
 * The open groups, and those around a box, so that it can be seen.
 * @param {Graph} graph
 * @param {ReadonlySet<string>} open
 * @param {string} id
 */
export function unfoldTo(graph, open, id) {
  const item = blueprintOf(graph).named.get(id);
  const around = item ? outwards(item).slice(1) : [];
  const closed = around.map(({ group }) => group?.toggles ?? "").filter((name) => !open.has(name));
  return closed.length ? new Set([...open, ...closed]) : open;
}

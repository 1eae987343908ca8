// Which boxes are open. Of many groups not every combination was laid out: what is wanted leads to
// the scene that differs least from it.

import { resolverIn } from "./resolver.js";

/** @import { Payload } from "./payload.d.ts" */

/** @param {string} key */
const namesIn = (key) => new Set(key ? key.split("+") : []);

/**
 * The key of the scene in which a group has opened or closed.
 * @param {string[]} keys  of the scenes
 * @param {string} open
 * @param {string} name
 */
export function toggleGroup(keys, open, name) {
  const openNames = namesIn(open);
  const opening = !openNames.delete(name);
  if (opening) openNames.add(name);
  return (
    nearestKey(
      keys.filter((key) => namesIn(key).has(name) === opening),
      openNames,
    ) ?? open
  );
}

/**
 * The key of the nearest scene that has a box, unless it is there, or open as a frame.
 * @param {Payload} payload
 * @param {string} open
 * @param {string} id
 */
export function unfoldTo(payload, open, id) {
  const { scenes } = payload;
  const seen = resolverIn(payload, scenes[open])(id);
  if (seen === id || scenes[open].frames.some((frame) => frame.id === seen)) return open;
  const keys = Object.keys(scenes).filter((key) => scenes[key].boxes.some((box) => box.id === id));
  return nearestKey(keys, namesIn(open)) ?? open;
}

/**
 * The key that differs least from what is wanted, of equal ones that with the fewest open.
 * @param {string[]} keys
 * @param {Set<string>} openNames
 * @returns {string | undefined}
 */
function nearestKey(keys, openNames) {
  /** @type {(one: Set<string>, other: Set<string>) => number} */
  const missing = (one, other) => [...one].filter((each) => !other.has(each)).length;
  /** @param {string} key */
  const cost = (key) => {
    const names = namesIn(key);
    return missing(openNames, names) + missing(names, openNames) + names.size / 1e6;
  };
  const costs = new Map(keys.map((key) => [key, cost(key)]));
  return keys.find((key) => costs.get(key) === Math.min(...costs.values()));
}

// Places of the items in each row: the blocks of a container packed from four sides, as
// `place` of viz/layout/place.py does it.

import { raise } from "./numbers.js";

/** @import { Item } from "./blueprint.js" */
/** @import { Part } from "./parts.js" */

const BETWEEN = [28, 18, 10]; // gaps between neighbours of which none, one or both are slim

/**
 * Return the x of every part's anchor.
 * @param {Item[]} items  items of one container
 * @param {Item[][]} rows
 * @param {number[][]} blocks
 * @param {Map<Item, Part>} parts  visible parts
 */
export function placeRow(items, rows, blocks, parts) {
  const shown = items.filter((item) => parts.has(item));
  const seen = rows.map((row) =>
    row.map((item) => parts.get(item)).filter((part) => part !== undefined),
  );
  const mirrored = seen.map((row) => row.toReversed());
  const packings = blocks.map((numbers, side) => {
    const block = new Map(
      items
        .map(
          (item, at) => /** @type {[Part | undefined, number]} */ ([parts.get(item), numbers[at]]),
        )
        .filter(([part]) => part !== undefined),
    );
    const turned = side % 2 === 1;
    const xs = pack(turned ? mirrored : seen, block, turned);
    return new Map([...block].map(([part, at]) => [part, (turned ? -1 : 1) * (xs.get(at) ?? 0)]));
  });
  const lows = packings.map((xs) => least([...xs].map(([part, x]) => x - (part?.left ?? 0))));
  const highs = packings.map((xs) => -least([...xs].map(([part, x]) => -x - (part?.right ?? 0))));
  const widths = highs.map((high, k) => high - lows[k]);
  const best = widths.indexOf(least(widths));
  const shifts = packings.map((_, k) => (k % 2 ? highs[best] - highs[k] : lows[best] - lows[k]));
  /** @type {Map<Item, number>} */
  const result = new Map();
  for (const item of shown) {
    const part = parts.get(item);
    const four = packings.map((xs, k) => (xs.get(part) ?? 0) + shifts[k]).sort((a, b) => a - b);
    result.set(item, (four[1] + four[2]) / 2);
  }
  return result;
}

/** @param {number[]} some */
const least = (some) => some.reduce((low, x) => Math.min(low, x), some.length ? some[0] : 0);

/**
 * Pack blocks to the left, then move each as close as possible to its right neighbour.
 * @param {Part[][]} rows
 * @param {Map<Part | undefined, number>} block
 * @param {boolean} turned
 */
function pack(rows, block, turned) {
  /** @type {Map<number, Map<number, number>>} */
  const after = new Map([...block.values()].map((number) => [number, new Map()]));
  const missing = new Map([...after.keys()].map((number) => [number, 0]));
  for (const row of rows) {
    for (let k = 1; k < row.length; k += 1) {
      const [one, other] = [row[k - 1], row[k]];
      const reach = turned ? one.left + other.right : one.right + other.left;
      const apart = reach + BETWEEN[Number(!one.item.look) + Number(!other.item.look)];
      const [a, b] = [block.get(one) ?? 0, block.get(other) ?? 0];
      const next = after.get(a);
      if (!next) continue;
      if (!next.has(b)) missing.set(b, (missing.get(b) ?? 0) + 1);
      raise(next, b, apart);
    }
  }
  const x = new Map([...after.keys()].map((number) => [number, 0]));
  const ready = [...after.keys()].filter((number) => !missing.get(number));
  for (const number of ready) {
    for (const [other, apart] of after.get(number) ?? []) {
      raise(x, other, (x.get(number) ?? 0) + apart);
      missing.set(other, (missing.get(other) ?? 0) - 1);
      if (!missing.get(other)) ready.push(other);
    }
  }
  for (const number of ready.toReversed()) {
    const next = after.get(number);
    if (!next?.size) continue;
    raise(x, number, least([...next].map(([other, apart]) => (x.get(other) ?? 0) - apart)));
  }
  return x;
}

// Distribution of an array's elements between the smallest and the largest, as bars.

import { h, stretched } from "./dom.js";
import { briefly, flatten, sizeOf, toNumber } from "./numbers.js";
import { histogramOf } from "./whatif/summary.js";

/** @import { Value } from "./payload.d.ts" */
/** @import { Words } from "./words.js" */

const FEWEST = 64; // least number of elements with a histogram

/**
 * Draw a histogram of a value; return [] if it has too few elements or all are equal.
 * @param {Value} value
 * @param {string} name
 * @param {Words} words
 */
export function histogram(value, name, words) {
  const { min, max } = value.stats;
  if (typeof min !== "number" || typeof max !== "number") return [];
  if (max <= min || sizeOf(value.shape) < FEWEST) return [];
  const bins =
    value.data === null
      ? value.stats.bins
      : histogramOf(flatten(value.data).map(toNumber), min, max);
  if (!bins) return [];
  const most = Math.max(...bins);
  const bars = bins.map((count, at) =>
    count ? `M${at + 0.06} 1h.88V${1 - Math.max(0.02, (0.94 * count) / most)}h-.88z` : "",
  );
  const zero = min < 0 && max > 0 ? (bins.length * -min) / (max - min) : null;
  const description = `${words.say("histogram")} ${name}: ${bins.join(", ")}`;
  const sampled =
    bins.reduce((sum, count) => sum + count, 0) <
    sizeOf(value.shape) - (value.stats.nan ?? 0) - (value.stats.inf ?? 0);
  const line = { d: `M${zero} 0v1`, "vector-effect": "non-scaling-stroke" };
  const drawing = stretched(
    bins.length,
    { role: "img", "aria-label": description },
    h("path", { d: bars.join("") }),
    zero !== null && h("path.mp-zero", line),
  );
  const ends = [briefly(min), ...(sampled ? [words.say("sampled")] : []), briefly(max)];
  const caption = h("figcaption", ...ends.map((end) => h("span", end)));
  return [h("figure.mp-histogram", drawing, caption)];
}

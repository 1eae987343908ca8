// How the elements of an array spread between the smallest and the largest, as bars.

import { html, svg } from "./dom.js";
import { briefly, flatten, isOdd, sizeOf } from "./numbers.js";

const BINS = 24;
const FEWEST = 64; // of fewer numbers the table shows enough

// The recorded counts, or those of the numbers themselves.
function counts({ data, stats }) {
  if (data === null) return stats.bins ?? null;
  const numbers = flatten(data).map(Number).filter(Number.isFinite);
  const found = new Array(BINS).fill(0);
  const width = (stats.max - stats.min) / BINS;
  for (const number of numbers) {
    found[Math.min(BINS - 1, Math.floor((number - stats.min) / width))] += 1;
  }
  return found;
}

// Nothing where there is nothing to see: few elements, or all of them equal.
export function histogram(value, name, words) {
  const { min, max } = value.stats;
  const plain = typeof min === "number" && typeof max === "number" && !isOdd(min);
  if (!plain || max <= min || sizeOf(value.shape) < FEWEST) return [];
  const bins = counts(value);
  if (!bins) return [];
  const most = Math.max(...bins);
  const bars = bins.map((count, at) => (count ? `M${at + 0.06} 1h.88V${1 - Math.max(0.02, (0.94 * count) / most)}h-.88z` : ""));
  const zero = min < 0 && max > 0 ? (bins.length * -min) / (max - min) : null;
  const told = `${words.say("histogram")} ${name}: ${bins.join(", ")}`;
  const sampled = bins.reduce((sum, count) => sum + count, 0) < sizeOf(value.shape) - (value.stats.nan ?? 0) - (value.stats.inf ?? 0);
  return [html("figure", { class: "mp-histogram" },
    svg("svg", { viewBox: `0 0 ${bins.length} 1`, preserveAspectRatio: "none", role: "img", "aria-label": told },
      svg("path", { d: bars.join("") }),
      ...(zero === null ? [] : [svg("path", { class: "mp-zero", d: `M${zero} 0v1`, "vector-effect": "non-scaling-stroke" })])),
    html("figcaption", {}, html("span", {}, briefly(min)),
      sampled ? html("span", {}, words.say("sampled")) : "", html("span", {}, briefly(max))))];
}

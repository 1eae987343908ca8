// The function of one variable that a step computes: its curve, the elements of the tensor as dots,
// and the tangent at the chosen one.

import { h } from "./dom.js";
import { digitsOf } from "./numbers.js";

/** @import { Target } from "./telling.js" */
/** @import { StepElements } from "./whatif/elements.js" */
/** @import { Words } from "./words.js" */

/** @typedef {[x: number, y: number]} Point */

/** @typedef {{ curve: Point[], dots: Point[], at: Point, slope: number }} Plot */

const SAMPLES = 80; // points of the curve
const MOST = 400; // dots
const BEYOND = 0.15; // of the range of the dots, on either side
const [WIDTH, HEIGHT] = [260, 110];

/**
 * Return the plot of an element that one element of one operand alone decides; null for others.
 * @type {(elements: StepElements, value: number, place: number) => Plot | null}
 */
export function plotOf(elements, value, place) {
  const { parts, linear } = elements.origin(value, place);
  const [part, ...others] = parts;
  if (!part || others.length || linear.size) return null;
  const derivative = elements.derivative(value, place);
  /** @param {number} x */
  const result = (x) =>
    derivative
      .numbers((number, cell) => (cell.value === part.value && cell.at === part.at ? x : number))
      .at(-1) ?? NaN;
  const [inputs, outputs] = [part.value, value].map((each) => elements.numbers(each));
  const isWhole = (/** @type {Point} */ point) => point.every(Number.isFinite);
  const all = inputs.length === outputs.length ? inputs.map((x, k) => [x, outputs[k]]) : [];
  const dots = /** @type {Point[]} */ (all).slice(0, MOST).filter(isWhole);
  const at = /** @type {Point} */ ([part.number, outputs[place]]);
  const xs = [...dots, at].map(([x]) => x);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const wide = Math.max(high - low, Math.abs(part.number), 1e-6);
  const start = low - BEYOND * wide;
  const step = (high - low + 2 * BEYOND * wide) / SAMPLES;
  const curve = Array.from({ length: SAMPLES + 1 }, (_, k) => start + k * step)
    .map((x) => /** @type {Point} */ ([x, result(x)]))
    .filter(isWhole);
  return isWhole(at) && curve.length > 1 ? { curve, dots, at, slope: part.slope } : null;
}

/**
 * Return a function that maps a range to pixels, as text.
 * @type {(low: number, high: number, pixels: Point) => (number: number) => string}
 */
const scaleTo =
  (low, high, [from, to]) =>
  (number) =>
    (from + ((number - low) / (high - low)) * (to - from)).toFixed(1);

/** @type {(plot: Plot, target: Target, words: Words) => HTMLElement} */
export function drawPlot({ curve, dots, at, slope }, { entry }, words) {
  const [first, last] = [curve[0][0], curve[curve.length - 1][0]];
  const ys = [...curve, ...dots].map(([, y]) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const x = scaleTo(first, last, [8, WIDTH - 8]);
  const y = scaleTo(low, high > low ? high : low + 1, [HEIGHT - 8, 8]);
  const line = (/** @type {Point[]} */ points) =>
    `M${points.map(([a, b]) => `${x(a)} ${y(b)}`).join("L")}`;
  const reach = (last - first) / 6;
  const [left, right] = [-reach, reach].map(
    (by) => /** @type {Point} */ ([at[0] + by, at[1] + slope * by]),
  );
  const said = words.tell("plotSlope", {
    name: entry.name,
    slope: digitsOf(slope, 3),
  });
  return h(
    "figure.mp-function",
    h(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        width: WIDTH,
        height: HEIGHT,
        role: "img",
        "aria-label": said,
      },
      low < 0 && high > 0 ? h("path.mp-zero", { d: `M8 ${y(0)}H${WIDTH - 8}` }) : null,
      first < 0 && last > 0 ? h("path.mp-zero", { d: `M${x(0)} 8V${HEIGHT - 8}` }) : null,
      h("path.mp-graph-line", { d: line(curve) }),
      dots.map(([a, b]) => h("circle.mp-dot", { cx: x(a), cy: y(b), r: 2.5 })),
      h("path.mp-tangent", { d: line([left, right]), "data-slope": slope }),
      h("circle.mp-here", { cx: x(at[0]), cy: y(at[1]), r: 4 }),
    ),
    h("figcaption", said),
  );
}

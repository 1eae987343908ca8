// The promise of a nudge, compared with the change of the loss: numbers and sentences.

import { nameOfValue } from "./edit.js";
import { nameOfNamed } from "./moved.js";
import { briefly, flatten, indexAt, rmsOf, shapeText, toNumber } from "./numbers.js";

/** @import { Spotted } from "./edit.js" */
/** @import { Shown, Value } from "./payload.d.ts" */
/** @import { Page } from "./player.js" */

/**
 * Start of a nudge: the number, its gradient and the loss, or null if unknown.
 * @typedef {object} Start
 * @property {number} number
 * @property {number | null} grad
 * @property {number | null} loss
 */

const LEAST_REACH = 0.1; // least reach of a slider, relative to the size of the array
const WHOLE_LOSS = 2; // maximum reach, relative to the nudge that promises a loss of 0
const STEPS = 100; // steps of a slider to either side
const KEPT = 0.05; // maximum error of a kept promise, relative to it
const NEARLY = 0.3;
const CLOSE = 1.5; // maximum number of steps of a nudge that shows the slope at the start
const NOISE = 2e-6; // error of float32, relative to the loss

/**
 * Return the smallest of 1, 2, 5, 10, 20 ... (and 0.5, 0.2 ...) that is at least as large.
 * @param {number} size
 */
export function roundUp(size) {
  const ten = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= size * (1 - 1e-9)) ?? size;
}

/**
 * Return the reach of a slider, and the step of a key: about the size of the array's numbers, but
 * not far beyond the place where the promise must break.
 * @param {number[]} numbers  elements of the array, finite or not
 * @param {string} dtype
 * @param {{ grad: number | null, loss: number | null }} slope
 */
export function scaleOfNudges(numbers, dtype, { grad, loss }) {
  if (dtype === "bool") return { reach: 1, step: 1 };
  const size = rmsOf(numbers.filter(Number.isFinite)) || 1;
  const far = WHOLE_LOSS * Math.abs((loss ?? 0) / (grad ?? 0)) || size; // ignores NaN and 0
  const reach = roundUp(Math.min(size, Math.max(far, LEAST_REACH * size)));
  if (dtype.includes("int")) return { reach: Math.max(5, Math.ceil(reach)), step: 1 };
  return { reach, step: reach / STEPS };
}

/**
 * Return the key of the word for how a promise was kept.
 * @param {number} promise
 * @param {number} did
 * @param {number} loss
 */
export function verdictOn(promise, did, loss) {
  if (!Number.isFinite(did)) return "nudgeOdd";
  const noise = NOISE * Math.abs(loss);
  const still = Math.abs(did) <= noise;
  if (promise === 0) return still ? "nudgeFlat" : "nudgeFlatBroken";
  if (still && Math.abs(promise) <= noise) return "nudgeTiny";
  if (!still && did * promise < 0) return "nudgeOpposite";
  const error = (Math.abs(did - promise) - noise) / Math.abs(promise);
  return error <= KEPT ? "nudgeKept" : error <= NEARLY ? "nudgeNearly" : "nudgeParted";
}

/**
 * Return the measured slope of an element of a gradient if it disagrees with the gradient.
 * @param {Shown[]} wrong  gradients that disagree with their finite differences
 * @param {number | null} gradValue
 * @param {number} at
 * @param {number} grad  current gradient of the element; the slope belongs to the recorded one
 * @param {(value: number) => Value} lookUp
 * @returns {number | null}
 */
export function slopeInstead(wrong, gradValue, at, grad, lookUp) {
  const own = wrong.find(({ value }) => value !== null && value === gradValue);
  /** @param {number | null | undefined} value */
  const element = (value) => {
    const data = value == null ? null : lookUp(value).data;
    return data === null ? Number.NaN : toNumber(flatten(data)[at]);
  };
  const [recorded, slope] = [element(own?.value), element(own?.check?.value)];
  if (recorded !== grad || !Number.isFinite(slope)) return null;
  return isBroken(verdictOn(grad, slope, 0)) ? slope : null;
}

/** @param {string} verdict */
const isBroken = (verdict) => ["nudgeParted", "nudgeOpposite", "nudgeFlatBroken"].includes(verdict);

/**
 * Return functions that make the sentences about a nudge.
 * @param {Pick<Page, "book" | "words" | "edits" | "isAsked">} page
 */
export function createVerdict({ book, words, edits, isAsked }) {
  /** @param {Spotted} spot */
  const slopeAt = (spot) => edits.slope(spot) ?? { chapter: 0, gradValue: null };

  /** @type {(spot: Spotted, name?: string) => string}  name of the value, if not its own */
  function title({ chapter, value, at }, name) {
    const index = indexAt(at, book.value(value).shape);
    const rate = edits.named(chapter).find((each) => each[1] === value);
    const { steps } = book.chapter(chapter);
    const own = rate ? nameOfNamed(rate, steps) : nameOfValue(steps, value);
    return `${name ?? own}${index.length ? shapeText(index) : ""}`;
  }

  /** Return the name of the gradient at the end of backward: `w.grad[0, 1]`. @param {Spotted} spot */
  function gradTitle(spot) {
    const { chapter, gradValue } = slopeAt(spot);
    const { steps } = book.chapter(chapter);
    return title(spot, gradValue === null ? "" : nameOfValue(steps.toReversed(), gradValue));
  }

  /**
   * Return the reason why there is no promise: the kind of number, or the cause of no gradient.
   * @type {(spot: Spotted, tell: Record<string, string>) => string}
   */
  function withoutGradient(spot, tell) {
    const { chapter, value } = spot;
    const named = edits.named(chapter).find((each) => each[1] === value);
    if (named) {
      const said = words.tell(named[2].length ? "nudgeConstant" : "nudgeRate", tell);
      const count = edits.alike(spot).length;
      const number = briefly(edits.recorded(spot));
      return count > 1 ? words.tell("nudgeTogether", { told: said, count, number }) : said;
    }
    const { steps, missing } = book.chapter(chapter);
    const isSeed = steps.some(
      ({ kind, shown }) =>
        kind === "seed" && shown.some((each) => each.role === "grad_out" && each.value === value),
    );
    if (isSeed) return words.tell("nudgeSeed", tell);
    const causes = Object.values(missing)
      .filter(({ text }) => text.en?.startsWith(`${nameOfValue(steps, value)}.grad `))
      .map(({ text }) => text[words.lang] ?? "");
    const cause = new Set(causes).size === 1 && edits.loss(chapter) ? causes[0] : ""; // if certain
    return cause ? words.tell("nudgeCause", { cause }) : words.tell("nudgeNoGradient", tell);
  }

  /**
   * Return why a promise was broken: the gradient is wrong, if that was measured or if a small
   * nudge shows it, or else the nudge was large.
   * @type {(verdict: string, spot: Spotted, grad: number, small: boolean, tell: Record<string, string>) => string}
   */
  function ofBroken(verdict, spot, grad, small, tell) {
    const { chapter, gradValue } = slopeAt(spot);
    const wrong = book
      .chapter(chapter)
      .steps.flatMap(({ shown }) => shown.filter(({ check }) => check?.agrees === false));
    const slope = slopeInstead(wrong, gradValue, spot.at, grad, book.value);
    if (slope !== null) return words.tell("nudgeMeasured", { ...tell, slope: briefly(slope) });
    if (!small) return words.tell(verdict, tell);
    const check = wrong[0]?.check;
    return check
      ? words.tell("nudgeDisagrees", { check: words.of(check.text) })
      : words.say("nudgeWrong");
  }

  return {
    title,
    /** Return whether the gradient is hidden until questions are answered. @type {(spot: Spotted, start: Start) => boolean} */
    isHidden: (spot, { grad }) => grad !== null && isAsked(slopeAt(spot).chapter),
    /** @type {(spot: Spotted, start: Start, by: number, did: number | null, step: number) => string} */
    sentence(spot, start, by, did, step) {
      const { grad, loss } = start;
      if (this.isHidden(spot, start)) return words.say("nudgeAsked");
      const tell = {
        name: title(spot),
        gradient: gradTitle(spot),
        grad: briefly(grad ?? 0),
        times: briefly(Math.abs(grad ?? 0)),
      };
      if (loss === null) return words.tell("nudgeNoLoss", tell);
      if (grad === null) return withoutGradient(spot, tell);
      if (by === 0 || did === null) {
        return words.tell(grad === 0 ? "nudgeZero" : grad > 0 ? "nudgeUp" : "nudgeDown", tell);
      }
      const verdict = verdictOn(grad * by, did, loss);
      if (!isBroken(verdict)) return words.tell(verdict, tell);
      return ofBroken(verdict, spot, grad, Math.abs(by) <= CLOSE * step, tell);
    },
  };
}

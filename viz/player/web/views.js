// Values with a view of their own: attention as maps of tokens, and images with the classes that
// their scores name (viz/facts/views.py).

import { h } from "./dom.js";
import { flatten, toNumber } from "./numbers.js";
import { pictureOf, putPicture } from "./values.js";

/** @import { Data, Located, Scalar } from "./payload.d.ts" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */
/** @import { Entry } from "./whatif/what_if.js" */

/** @typedef {(path: number[]) => [rows: Scalar[], columns: Scalar[]]} TokensAt */

const IMAGES = 32; // maximum number of images

/** @type {(view: View, at: Located | null) => number | null} */
const numberAt = (view, at) => (at ? view.payload().steps[at[0]].shown[at[1]].value : null);

/** Return a value with known elements, or null. @type {(view: View, at: Located | null) => (Entry & { data: Data }) | null} */
function wholeAt(view, at) {
  const number = numberAt(view, at);
  const entry = number === null ? null : view.value(number);
  return entry && entry.data !== null && !entry.stale ? { ...entry, data: entry.data } : null;
}

/**
 * Return the tokens at the edges of the maps of a value, by the leading indices of a map; null if
 * the value is no attention. There are no tokens where they are not sure.
 * @type {(view: View, value: number | null) => TokensAt | null}
 */
export function tokensOf(view, value) {
  const found = view
    .payload()
    .views.attention?.find(({ maps }) => maps.some((at) => numberAt(view, at) === value));
  if (!found || value === null) return null;
  /** @type {(at: Located | null, path: number[]) => Scalar[]} */
  function tokens(at, path) {
    const known = wholeAt(view, at);
    if (!known) return [];
    const { shape, data } = known;
    const row = shape.length > 1 ? /** @type {Data[]} */ (data)[shape[0] > 1 ? path[0] : 0] : data;
    return flatten(row);
  }
  return (path) => [tokens(found.queries, path), tokens(found.keys, path)];
}

/**
 * Return the place of the largest number in each row, or null for a row with NaN.
 * @param {Pick<Entry, "shape"> & { data: Data }} scores
 */
export function largestInRows({ shape, data }) {
  const [numbers, width] = [flatten(data).map(toNumber), shape[shape.length - 1]];
  return Array.from({ length: numbers.length / width }, (_, row) => {
    const some = numbers.slice(row * width, (row + 1) * width);
    return some.some(Number.isNaN) ? null : some.indexOf(Math.max(...some));
  });
}

/**
 * Return how many labels have the largest score, of how many, or null if that is not known.
 * @type {(scores: Entry, labels: Entry, ignored: number | null) => [number, number] | null}
 */
export function accuracyOf(scores, labels, ignored) {
  if (scores.data === null || labels.data === null || scores.stale || labels.stale) return null;
  const named = largestInRows({ shape: scores.shape, data: scores.data });
  const right = flatten(labels.data).map(Number);
  const counted = named.flatMap((name, row) =>
    right[row] === ignored ? [] : [name === right[row]],
  );
  if (named.includes(null) || !counted.length) return null;
  return [counted.filter((each) => each).length, counted.length];
}

/**
 * Return the images of a batch with the predicted classes and the labels, for a value that is the
 * images or their scores; nothing before the step that computes the scores.
 * @type {(view: View, words: Words, value: number | null) => HTMLElement[]}
 */
export function imagesOf(view, words, value) {
  const { steps, views } = view.payload();
  const found = views.classes?.find(
    ({ scores, images }) =>
      images && [scores, images].some((at) => numberAt(view, at) === value && value !== null),
  );
  if (!found) return [];
  const number = numberAt(view, found.scores);
  const known = steps.findIndex(({ shown }) => shown.some((entry) => entry.value === number));
  const [images, scores, labels] = [found.images, found.scores, found.labels].map((at) =>
    wholeAt(view, at),
  );
  if (!images || !scores || known > view.knownStep()) return [];
  const right = labels ? flatten(labels.data).map(Number) : [];
  const figures = largestInRows(scores)
    .slice(0, IMAGES)
    .map((name, row) => {
      const data = /** @type {Data[]} */ (images.data)[row];
      const picture = pictureOf("data", { ...images, shape: images.shape.slice(1), data });
      const label = row in right && right[row] !== found.ignored ? right[row] : null;
      const isRight = label === null ? null : `${name === label}`;
      const sign = label === null ? "" : name === label ? " ✓" : ` ≠ ${label}`;
      return h(
        "figure.mp-image",
        { "data-class": name, "data-label": label, "data-right": isRight },
        picture && putPicture(picture),
        h("figcaption", `${name ?? "–"}${sign}`),
      );
    });
  const [hits, count] = (labels && accuracyOf(scores, labels, found.ignored)) ?? [0, 0];
  const key = count ? "imagesRight" : "imagesClasses";
  const slots = { scores: steps[found.scores[0]].shown[found.scores[1]].name, right: hits, count };
  return [h("div.mp-images", figures), h("p.mp-hint", words.tell(key, slots))];
}
